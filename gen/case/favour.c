/* gen/case/favour.c -- the random tape of a case that is drawn for one need. */
#include "gen/case/favour.h"

#include "base/ops.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_needs.h"
#include "gen/tape/tape_random.h"

enum {
    MOST_TIMES = 3,
    ANY_ONE_IN = 4, /* of the cases that are drawn for no row: these are drawn for some need */
    THIN_ONE_IN = 3 /* of the cases that are drawn for a need: these have little beside it */
};

#define P(profile) (1u << PROFILE_##profile)
enum {
    PROGRAM = P(PROGRAMS),
    ERROR = P(MAXERROR) | P(ARITH),
    ATOMIC = P(ATOMICS) | P(ALL) | PROGRAM,
    GROUP = P(GROUPS) | P(ALL) | PROGRAM,
    MATH = ERROR | P(ALL) | PROGRAM
};
#undef P
static const struct {
    enum need_id need;
    unsigned profiles, times;
} rows[] = {
#define FAVOUR(need, profiles, times) {NEED_##need, profiles, times},
#include "gen/case/favour.def"
};

bool favour_has_row(enum need_id need, enum profile profile)
{
    bool has = false;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        has |= rows[i].need == need && (rows[i].profiles >> profile & 1);
    }
    return has;
}

static bool is_allowed(const struct favour_of *of, enum need_id need)
{
    unsigned const env = op_get_env_bit(of->env);
    return (cap_rows[need].envs & env) && (!of->allowed || needs_has(of->allowed, need));
}

/* The need to draw a case for, or -1. */
static int choose(const struct favour_of *of, struct rng *rng)
{
    enum need_id own[ARRAY_N(rows) * MOST_TIMES], any[NEED_N];
    uint64_t n_own = 0, n_any = 0;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        bool const is_one = (rows[i].profiles >> of->profile & 1) && is_allowed(of, rows[i].need);
        for (unsigned k = 0; k < rows[i].times && is_one; k++) {
            own[n_own++] = rows[i].need;
        }
    }
    for (int i = 0; i < NEED_N; i++) {
        if (is_allowed(of, (enum need_id)i)) {
            any[n_any++] = (enum need_id)i;
        }
    }
    uint64_t const n_least = (n_own * 100 + FAVOUR_MOST_PERCENT - 1) / FAVOUR_MOST_PERCENT;
    uint64_t const at = rng_below(rng, n_least > FAVOUR_ONE_IN ? n_least : FAVOUR_ONE_IN);
    uint64_t const other = rng_below(rng, ANY_ONE_IN * (n_any + 1));
    if (at < n_own) {
        return (int)own[at];
    }
    return other < n_any ? (int)any[other] : -1;
}

/* The needs of the case of a tape; none for a tape that gives no case. */
static enum res get_needs(const struct favour_of *of, const struct tape *t, struct arena *a,
                          struct needs *out, struct err *e)
{
    struct gen_for const to = {of->profile, of->env, NULL};
    struct arena_mark const mark = arena_get_mark(a);
    struct build *plan = NULL;
    struct testcase tc;
    struct gen_info info;
    struct tape reader = *t;
    enum res const r = gen_plan(&to, &reader, a, &plan, &tc, &info, e);
    arena_release(a, mark);
    *out = r == RES_OK ? tc.needs : (struct needs){{0}};
    return r == RES_NOMEM ? r : RES_OK;
}

static enum res draw(const struct favour_of *of, struct rng *rng, struct arena *a, struct tape *out,
                     struct err *e)
{
    TRY(tape_random(out, rng, a, e));
    return of->allowed ? tape_set_allowed(out, of->allowed, a, e) : RES_OK;
}

/* Forbids, from a random one on, each need that the case can do without and yet have `need`. */
static enum res thin(const struct favour_of *of, int need, struct rng *rng, struct arena *a,
                     struct tape *t, struct err *e)
{
    struct needs has, now;
    TRY(get_needs(of, t, a, &has, e));
    struct needs allowed = tape_get_allowed(t);
    uint64_t const first = rng_below(rng, NEED_N);
    for (uint64_t i = 0; i < NEED_N; i++) {
        int const other = (int)((first + i) % NEED_N);
        if (other == need || !needs_has(&has, (enum need_id)other)) {
            continue;
        }
        struct tape less = *t;
        struct needs fewer = allowed;
        needs_remove(&fewer, (enum need_id)other);
        TRY(tape_set_allowed(&less, &fewer, a, e));
        TRY(get_needs(of, &less, a, &now, e));
        if (needs_has(&now, (enum need_id)need) && !needs_has(&now, (enum need_id)other)) {
            has = now;
            allowed = fewer;
        }
    }
    return tape_set_allowed(t, &allowed, a, e);
}

enum res favour_make_tape(const struct favour_of *of, struct rng *rng, struct arena *a,
                          struct tape *out, int *need, struct err *e)
{
    TRY(draw(of, rng, a, out, e));
    int const wanted = of->profile == PROFILE_REFUSALS ? -1 : choose(of, rng);
    *need = -1;
    for (int i = 0; i < FAVOUR_TRIES && wanted >= 0; i++) {
        struct arena_mark const mark = arena_get_mark(a);
        struct tape t = *out;
        TRY(i > 0 ? draw(of, rng, a, &t, e) : RES_OK);
        struct needs has;
        TRY(get_needs(of, &t, a, &has, e));
        if (needs_has(&has, (enum need_id)wanted)) {
            *out = t;
            *need = wanted;
            return rng_below(rng, THIN_ONE_IN) == 0 ? thin(of, wanted, rng, a, out, e) : RES_OK;
        }
        arena_release(a, mark);
    }
    return RES_OK;
}

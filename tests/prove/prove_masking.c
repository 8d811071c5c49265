/* tests/prove/prove_masking.c -- a bug that is known hides no other: of a device with two faults, one of them known as
 * a model, the second is reported as new wherever it is reported alone and does anything beside the first. A row for each
 * pair in FOLDER/masking.tsv. What is not there is added, so that a run resumes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/known/known_bugs.h"
#include "oracle/fault/faults.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

enum {
    N_KNOWN = 20,
    N_PLANTED = 30,
    MASKING_SEED = 20261125,
    MAX_TRIES = 60, /* cases that are looked at for a pair */
    ENOUGH = 2      /* cases in which the planted fault is reported alone */
};
static const size_t arena_limit_bytes = (size_t)768 << 20;

/* What came of a pair. */
struct pair {
    uint32_t n_alone; /* cases in which the planted fault is reported alone, the known one leaves
                       * nothing new, and the planted one changes what the known one alone gives */
    uint32_t n_new;   /* of these, it is reported beside the known one */
    uint32_t n_known; /* of these, the known one was there too */
};

static enum profile profile_of(enum fault_id id)
{
    return fault_is_of_math(id)     ? PROFILE_ARITH
           : fault_is_of_groups(id) ? PROFILE_GROUPS
                                    : PROFILE_ATOMICS;
}

/* Of the faults that a driver is told for (profile -1: of any kind) one by number, from a place of the table on and
 * with a stride that reaches all of it. */
static enum fault_id pick(uint32_t number, uint32_t first, int profile)
{
    enum {
        STRIDE = 7
    };
    uint32_t at = first;
    for (uint32_t n = 0;; at = (at + STRIDE) % FAULT_N) {
        enum fault_id const id = (enum fault_id)at;
        bool const is_told = verdict_rows[fault_rows[id].expect].part == PART_VIOLATION;
        bool const is_of_it = profile < 0 || (int)profile_of(id) == profile;
        if (is_told && is_of_it && !fault_is_of_memory(id) && !fault_is_of_decorations(id) &&
            n++ == number) {
            return id;
        }
    }
}

static struct fault_plan everywhere(enum fault_id id)
{
    struct fault_plan plan = fault_plan_of(id);
    plan.everywhere = 1;
    return plan;
}

/* What is found of a device with faults. */
struct found {
    uint32_t n_new, n_known; /* findings that no known bug explains, and those that one does */
    struct observation ob;
};

/* How many findings of a device with these faults no known bug explains, and how many one does. */
static enum res count_new(const struct testcase *tc, const struct fault_plan *plans,
                          const struct known_bugs *known, uint64_t seed, struct arena *a,
                          struct found *out, struct err *e)
{
    struct judgement g;
    const char *const facts = sim_facts_for(tc, seed, a);
    *out = (struct found){.n_new = 0};
    TRY(sim_run(tc, &(struct sim_device){SIM_IEEE, seed, plans, facts}, a, &out->ob, NULL, e));
    out->ob.facts = facts;
    struct arena_mark const mark = arena_get_mark(a); /* each is judged with as much room */
    TRY(judge_run(tc, &out->ob, a, &g, e));
    known_bugs_explain(known, tc, &out->ob, &g, a);
    for (uint32_t i = 0; i < g.n_findings; i++) {
        const struct finding *const f = &g.findings[i];
        bool const is_violation = verdict_rows[f->kind].part == PART_VIOLATION;
        bool const is_known = f->known && f->known[0];
        out->n_known += is_known;
        out->n_new += is_violation && !is_known;
    }
    arena_release(a, mark);
    return RES_OK;
}

/* Are n bytes at p of both NaN of a format that is as wide? */
static bool are_nan(enum fmt_id fmt, const unsigned char *p, const unsigned char *q)
{
    uint32_t const n = float_formats[fmt].n_bits / 8;
    uint64_t x = 0, y = 0;
    memcpy(&x, p, n);
    memcpy(&y, q, n);
    return format_is_nan(&float_formats[fmt], x) && format_is_nan(&float_formats[fmt], y);
}

/* Are 8 bytes the same but for payloads of NaN, of whatever format they may be? */
static bool are_same(const unsigned char *p, const unsigned char *q)
{
    enum {
        N = 8
    };
    bool is_same = true;
    for (uint32_t i = 0; i < N; i += 2) {
        is_same &= memcmp(p + i, q + i, 2) == 0 || are_nan(FMT_F16, p + i, q + i) ||
                   are_nan(FMT_F32, p + i / 4 * 4, q + i / 4 * 4);
    }
    return is_same || are_nan(FMT_F64, p, q);
}

/* Did two devices, of one seed and so of one schedule, give the same? Then a fault that one of them has more does
 * nothing there that a judge could tell. */
static bool gave_same(const struct testcase *tc, const struct observation *x,
                      const struct observation *y)
{
    bool is_same = x->status == y->status && x->guard_hits == y->guard_hits;
    for (uint32_t i = 0; i < tc->n_bufs && i < x->n_bufs && i < y->n_bufs; i++) {
        for (uint32_t at = 0; at < tc->bufs[i].n_bytes && is_same; at += 8) {
            unsigned char p[8] = {0}, q[8] = {0};
            uint32_t const n = tc->bufs[i].n_bytes - at < 8 ? tc->bufs[i].n_bytes - at : 8;
            memcpy(p, x->out[i] + at, n);
            memcpy(q, y->out[i] + at, n);
            is_same = are_same(p, q);
        }
    }
    return is_same;
}

/* One case of a pair: first each fault by itself, then both. */
static enum res try_case(enum fault_id known, enum fault_id planted, const struct testcase *tc,
                         uint64_t seed, struct arena *a, struct pair *out, struct err *e)
{
    struct fault_plan const first = everywhere(known), second = everywhere(planted);
    struct fault_plan both = first;
    struct known_bug bug = {.name = fault_rows[known].id, .plan = fault_plan_of(known)};
    struct known_bugs const bugs = {.n = 1, .bug = &bug};
    struct found alone, of_known, of_both;
    both.next = &second;
    TRY(count_new(tc, &second, &bugs, seed, a, &alone, e));
    if (alone.n_new == 0) {
        return RES_OK;
    }
    TRY(count_new(tc, &first, &bugs, seed, a, &of_known, e));
    if (of_known.n_new > 0 || of_known.n_known == 0) {
        return RES_OK;
    }
    TRY(count_new(tc, &both, &bugs, seed, a, &of_both, e));
    if (gave_same(tc, &of_known.ob, &of_both.ob)) {
        return RES_OK;
    }
    out->n_alone++;
    out->n_new += of_both.n_new > 0;
    out->n_known += of_both.n_known > 0;
    return RES_OK;
}

static enum res try_pair(enum fault_id known, enum fault_id planted, struct arena *a,
                         struct pair *out, struct err *e)
{
    enum profile const profile = profile_of(planted);
    *out = (struct pair){.n_alone = 0};
    for (uint64_t i = 0; i < MAX_TRIES && out->n_alone < ENOUGH; i++) {
        struct testcase tc;
        struct tape tape;
        arena_reset(a);
        TRY(sched_make_case(profile, MASKING_SEED, i, (enum env)(i % ENV_N), a, &tc, &tape, e));
        if (!sim_can_plant(&tc, planted, a) || !sim_can_plant(&tc, known, a)) {
            continue;
        }
        enum res const r = try_case(known, planted, &tc, i, a, out, e);
        if (r != RES_OK && r != RES_LIMIT && r != RES_NOMEM) {
            return r;
        }
    }
    return RES_OK;
}

/* Tries the pairs behind those that the file has, and adds up all. RES_FORMAT: a row of the file is none. */
static enum res prove(FILE *f, struct arena *a, uint32_t *n_reported, uint32_t *n_new,
                      struct err *e)
{
    char line[256];
    uint32_t n_done = 0;
    unsigned alone, fresh;
    for (; fgets(line, sizeof line, f); n_done++) {
        if (sscanf(line, "%*s %*s %u %u", &alone, &fresh) != 2) {
            return err_set(e, RES_FORMAT, "masking.tsv: row %" PRIu32 " is none", n_done + 1);
        }
        *n_reported += alone > 0;
        *n_new += fresh > 0;
    }
    (void)fseek(f, 0, SEEK_END);
    for (uint32_t i = n_done; i < N_KNOWN * N_PLANTED; i++) {
        enum fault_id const planted = pick(i / N_KNOWN, 1, -1);
        enum fault_id const known = pick(i % N_KNOWN, 3, (int)profile_of(planted));
        struct pair p = {.n_alone = 0};
        if (known != planted) {
            TRY(try_pair(known, planted, a, &p, e));
        }
        (void)fprintf(f, "%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", fault_rows[known].id,
                      fault_rows[planted].id, p.n_alone, p.n_new, p.n_known);
        (void)fflush(f);
        *n_reported += p.n_alone > 0;
        *n_new += p.n_new > 0;
    }
    return RES_OK;
}

/* prove_masking FOLDER: complete FOLDER/masking.tsv. Exit status 0: of the pairs in which the planted fault is reported
 * alone it is new beside the known one in 95 of 100. */
int main(int argc, char **argv)
{
    enum {
        PERCENT = 95
    };
    char path[512];
    struct arena a;
    struct err e = {RES_OK, ""};
    uint32_t n_reported = 0, n_new = 0;
    if (argc != 2) {
        (void)fprintf(stderr, "usage: prove_masking FOLDER\n");
        return 2;
    }
    (void)snprintf(path, sizeof(path), "%s/masking.tsv", argv[1]);
    FILE *const f = fopen(path, "a+");
    if (!f) {
        (void)fprintf(stderr, "prove: cannot write %s\n", path);
        return 3;
    }
    rewind(f);
    arena_init(&a, arena_limit_bytes);
    enum res const r = prove(f, &a, &n_reported, &n_new, &e);
    arena_free(&a);
    if (fclose(f) != 0 || r != RES_OK) {
        (void)fprintf(stderr, "prove: %s\n", e.text);
        return 3;
    }
    printf("%" PRIu32 " pairs of %d in which the planted fault is reported alone; new beside the "
           "known one in %" PRIu32 "\n",
           n_reported, N_KNOWN * N_PLANTED, n_new);
    return n_new * 100 >= n_reported * PERCENT ? 0 : 1;
}

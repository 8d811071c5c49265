/* tests/gen/test_allowed.c -- the needs of a case are among those that its tape allows, for made-up devices and for sets
 * that nobody made up; and cases of a device that lists little hold nearly as much as those of one that lists all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "base/ops.h"
#include "fuzz/campaign/sched_case.h"
#include "gen/case/gen.h"
#include "gen/case/sample_devices.h"
#include "gen/stats/pairs.h"
#include "gen/tape/tape_needs.h"
#include "gen/tape/tape_random.h"

enum {
    N_OF_DEVICE = 600, /* cases of each made-up device and profile */
    N_OF_RANDOM_SETS = 4000,
    MOST_PERCENT = 95,    /* of the cases are small enough to be checked */
    N_OF_CAMPAIGN = 2000, /* cases of a campaign */
    LEAST_OF_FULL =
        10 /* so many cases of a device that lists all have a pair that another device must have too */
};
#define TEST_ARENA_BYTES ((size_t)64 << 20)

/* What each case has: no device lacks it. */
static void add_least(struct needs *n)
{
    needs_add(n, NEED_CL_IL_1_0);
    needs_add(n, NEED_CL_I8);
    needs_add(n, NEED_VK_SPIRV_1_3);
}

/* false: the case is too large. */
static bool check_case(enum profile profile, enum env env, uint64_t seed, const struct needs *given,
                       struct arena *a)
{
    struct rng rng = rng_seed(seed);
    struct needs allowed = *given;
    struct tape t;
    struct testcase tc;
    struct err e = {RES_OK, ""};
    arena_reset(a);
    add_least(&allowed);
    assert_int_equal(tape_random(&t, &rng, a, &e), RES_OK);
    assert_int_equal(tape_set_allowed(&t, &allowed, a, &e), RES_OK);
    struct needs const kept = tape_get_allowed(&t);
    assert_true(needs_are_within(&kept, &allowed) && needs_are_within(&allowed, &kept));
    enum res const r = gen_case(profile, env, &t, a, &tc, NULL, &e);
    if (r == RES_NOMEM) {
        return false;
    }
    assert_int_equal(r, RES_OK);
    for (int i = 0; i < NEED_N; i++) {
        enum need_id const id = (enum need_id)i;
        if (needs_has(&tc.needs, id) && !needs_has(&allowed, id)) {
            fail_msg("%s, %s, seed %llu: %s is not allowed", profile_names[profile], env_names[env],
                     (unsigned long long)seed, cap_rows[i].id);
        }
    }
    return true;
}

static void cases_of_made_up_devices_have_what_these_list(void **state)
{
    struct arena a;
    uint32_t n_tried = 0, n_checked = 0;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    for (int d = 0; d < SAMPLE_DEVICE_N; d++) {
        struct needs const listed = sample_device_get_needs(&sample_devices[d]);
        for (int profile = 0; profile < PROFILE_DRAWN_N; profile++) {
            for (uint64_t i = 0; i < N_OF_DEVICE; i++) {
                n_checked +=
                    check_case((enum profile)profile, sample_devices[d].env, i, &listed, &a);
                n_tried++;
            }
        }
    }
    assert_true(n_checked * 100 >= n_tried * MOST_PERCENT);
    arena_free(&a);
}

static void any_set_is_kept_to(void **state)
{
    struct arena a;
    uint32_t n_checked = 0;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    for (uint64_t i = 0; i < N_OF_RANDOM_SETS; i++) {
        struct rng rng = rng_seed(i + 1);
        struct needs some = {{0}};
        uint64_t const share = rng_below(&rng, 101); /* percent that are there */
        for (int n = 0; n < NEED_N; n++) {
            needs_add_if(&some, (enum need_id)n, rng_below(&rng, 100) < share);
        }
        n_checked += check_case((enum profile)(i % PROFILE_DRAWN_N),
                                (enum env)(i / PROFILE_DRAWN_N % ENV_N), i, &some, &a);
    }
    assert_true(n_checked * 100 >= N_OF_RANDOM_SETS * MOST_PERCENT);
    arena_free(&a);
}

/* ---- how much the cases of a campaign hold ---- */

struct held {
    struct pair_stats pairs;
    uint64_t n_programs, n_pieces;
};

static struct held *hold(enum env env, const struct needs *allowed, struct arena *keep)
{
    struct arena a;
    struct held *const h = ARENA_NEW(keep, struct held, 1);
    assert_non_null(h);
    arena_init(&a, TEST_ARENA_BYTES);
    for (uint64_t i = 0; i < N_OF_CAMPAIGN; i++) {
        struct tape t;
        struct testcase tc;
        struct gen_info info;
        struct err e = {RES_OK, ""};
        struct sched_case const of = {PROFILE_ALL, 1, i, env, allowed};
        enum profile const profile = sched_pick_profile(PROFILE_ALL, i);
        arena_reset(&a);
        assert_int_equal(sched_make_fresh(&of, &a, &t, &e), RES_OK);
        assert_int_equal(gen_case(profile, env, &t, &a, &tc, &info, &e), RES_OK);
        assert_int_equal(pairs_add(&h->pairs, &tc, &a, &e), RES_OK);
        h->n_programs += profile == PROFILE_PROGRAMS;
        h->n_pieces += info.n_pieces;
    }
    arena_free(&a);
    return h;
}

/* May a device that lists these have instructions on the type of that bit of enum op_types? */
static bool lists_type(enum env env, const struct needs *listed, unsigned bit)
{
    static const struct {
        unsigned type;
        int need[ENV_N]; /* -1: each device has it */
    } rows[] = {
        {TYPE_F16, {NEED_CL_F16, NEED_VK_F16}},
        {TYPE_F64, {NEED_CL_F64, NEED_VK_F64}},
        {TYPE_I64, {NEED_CL_I64, NEED_VK_I64}},
        {TYPE_I8,  {NEED_CL_I8, NEED_VK_I8}  },
        {TYPE_I16, {-1, NEED_VK_I16}         },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].type == bit && rows[i].need[env] >= 0) {
            return needs_has(listed, (enum need_id)rows[i].need[env]);
        }
    }
    return true;
}

/* May it have the instruction? Arithmetic and functions that need no feature: the needs of others are about more than a type. */
static bool is_plain(int op)
{
    static const char *const others[] = {"Atomic", "Group", "FmaKHR", "Dot",
                                         "AMD",    "INTEL", "Convert"};
    for (size_t i = 0; i < ARRAY_N(others); i++) {
        if (strstr(op_rows[op].name, others[i])) {
            return false;
        }
    }
    return true;
}

static void cases_of_made_up_devices_hold_nearly_as_much(void **state)
{
    enum {
        LEAST_PERCENT = 90
    };
    (void)state;
    for (int d = 0; d < SAMPLE_DEVICE_N; d++) {
        enum env const env = sample_devices[d].env;
        struct needs const listed = sample_device_get_needs(&sample_devices[d]);
        struct arena keep;
        arena_init(&keep, (size_t)4 << 20);
        struct held const *const all = hold(env, NULL, &keep);
        struct held const *const own = hold(env, &listed, &keep);
        uint32_t n_listed = 0, n_held = 0;
        for (int op = 0; op < OP_N; op++) {
            for (unsigned bit = 0; bit < PAIR_TYPES; bit++) {
                bool const is_listed = all->pairs.with[env][op][bit] >= LEAST_OF_FULL &&
                                       is_plain(op) && lists_type(env, &listed, 1u << bit);
                n_listed += is_listed;
                n_held += is_listed && own->pairs.with[env][op][bit] > 0;
                if (is_listed && own->pairs.with[env][op][bit] == 0) {
                    print_message("  missing: %s, type %u\n", op_rows[op].name, bit);
                }
            }
        }
        print_message("%s: %u of %u pairs, %.2f of %.2f pieces\n", sample_devices[d].name, n_held,
                      n_listed, (double)own->n_pieces / (double)own->n_programs,
                      (double)all->n_pieces / (double)all->n_programs);
        assert_true(n_listed > 100 && n_held * 100 >= n_listed * LEAST_PERCENT);
        assert_int_equal(own->n_programs, N_OF_CAMPAIGN * 5 / SCHED_TURNS);
        assert_int_equal(all->n_programs, own->n_programs);
        assert_true(own->n_pieces * 100 >= all->n_pieces * LEAST_PERCENT);
        arena_free(&keep);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_of_made_up_devices_have_what_these_list),
        cmocka_unit_test(any_set_is_kept_to),
        cmocka_unit_test(cases_of_made_up_devices_hold_nearly_as_much)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

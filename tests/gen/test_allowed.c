/* tests/gen/test_allowed.c -- the needs of a case are among those that its tape allows, for made-up devices and for sets
 * that nobody made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gen/case/gen.h"
#include "gen/case/sample_devices.h"
#include "gen/tape/tape_needs.h"
#include "gen/tape/tape_random.h"

enum {
    N_OF_DEVICE = 600, /* cases of each made-up device and profile */
    N_OF_RANDOM_SETS = 4000
};
#define TEST_ARENA_BYTES ((size_t)64 << 20)

/* What each case has: no device lacks it. */
static void add_least(struct needs *n)
{
    needs_add(n, NEED_CL_IL_1_0);
    needs_add(n, NEED_CL_I8);
    needs_add(n, NEED_VK_SPIRV_1_3);
}

static void check_case(enum profile profile, enum env env, uint64_t seed, const struct needs *given,
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
        return;
    }
    assert_int_equal(r, RES_OK);
    for (int i = 0; i < NEED_N; i++) {
        enum need_id const id = (enum need_id)i;
        if (needs_has(&tc.needs, id) && !needs_has(&allowed, id)) {
            fail_msg("%s, %s, seed %llu: %s is not allowed", profile_names[profile], env_names[env],
                     (unsigned long long)seed, cap_rows[i].id);
        }
    }
}

static void cases_of_made_up_devices_have_what_these_list(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    for (int d = 0; d < SAMPLE_DEVICE_N; d++) {
        struct needs const listed = sample_device_get_needs(&sample_devices[d]);
        for (int profile = 0; profile < PROFILE_DRAWN_N; profile++) {
            for (uint64_t i = 0; i < N_OF_DEVICE; i++) {
                check_case((enum profile)profile, sample_devices[d].env, i, &listed, &a);
            }
        }
    }
    arena_free(&a);
}

static void any_set_is_kept_to(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    for (uint64_t i = 0; i < N_OF_RANDOM_SETS; i++) {
        struct rng rng = rng_seed(i + 1);
        struct needs some = {{0}};
        uint64_t const share = rng_below(&rng, 101); /* percent that are there */
        for (int n = 0; n < NEED_N; n++) {
            needs_add_if(&some, (enum need_id)n, rng_below(&rng, 100) < share);
        }
        check_case((enum profile)(i % PROFILE_DRAWN_N), (enum env)(i / PROFILE_DRAWN_N % ENV_N), i,
                   &some, &a);
    }
    arena_free(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_of_made_up_devices_have_what_these_list),
        cmocka_unit_test(any_set_is_kept_to)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* gen/stats/test_def_uses.c -- programs hold each def-use pair of the table, and each instruction with a constant as either
 * operand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/case/gen.h"
#include "gen/stats/def_uses.h"
#include "gen/tape/tape_random.h"

enum {
    N_PROGRAMS = 2000, /* of each environment */
    SHARE_PERCENT = 1,
    ARENA_BYTES = 64 << 20
};

static const struct def_use_stats *count(struct arena *keep)
{
    struct arena a;
    struct err e;
    struct rng rng = rng_seed(1);
    arena_init(&a, ARENA_BYTES);
    struct def_use_stats *const s = ARENA_NEW(keep, struct def_use_stats, 1);
    assert_non_null(s);
    for (uint32_t i = 0; i < ENV_N * N_PROGRAMS; i++) {
        struct tape t;
        struct testcase tc;
        arena_reset(&a);
        assert_int_equal(tape_random(&t, &rng, &a, &e), RES_OK);
        assert_int_equal(gen_case(PROFILE_PROGRAMS, (enum env)(i % ENV_N), &t, &a, &tc, NULL, &e),
                         RES_OK);
        assert_int_equal(def_uses_add(s, &tc, &a, &e), RES_OK);
    }
    arena_free(&a);
    return s;
}

/* Returns how many are possible; *n_seldom grows by those that too few cases hold. */
static uint32_t check_pairs(const struct def_use_stats *s, enum env env, uint32_t *n_seldom)
{
    uint32_t n = 0;
    for (size_t i = 0; i < DEF_USE_N; i++) {
        const struct def_use_row *const row = &def_use_rows[i];
        uint64_t const with = s->with[env].row[i];
        bool const is_possible = def_use_get_types(env, row) != 0;
        n += is_possible;
        if (is_possible && with * 100 < N_PROGRAMS * SHARE_PERCENT) {
            print_error("%s: %s of %s, %s: in %d of %d cases\n", env_names[env],
                        use_names[row->use], def_names[row->def], def_use_others[row->other],
                        (int)with, N_PROGRAMS);
            ++*n_seldom;
        }
    }
    return n;
}

/* Divisions and remainders with a constant divisor are counted by width; the others on all types together, where half of
 * the share is enough: an instruction has one of some ninety rows. */
static uint32_t check_constants(const struct def_use_stats *s, enum env env, uint32_t *n_seldom)
{
    uint32_t n = 0;
    for (int op = 0; op < OP_N; op++) {
        for (int side = 0; side < DEF_USE_SIDES; side++) {
            bool const has_widths = side == 1 && op >= OP_core_UDiv && op <= OP_core_SMod &&
                                    op != OP_core_FDiv && op != OP_core_FRem && op != OP_core_FMod;
            uint64_t all = 0;
            bool is_possible = false;
            for (int k = 0; k < DEF_USE_TYPES; k++) {
                uint64_t const with = s->with[env].constant[op][side][k];
                bool const is_of_type = def_uses_takes_constant(env, (enum op_id)op, k);
                is_possible |= is_of_type;
                all += with;
                if (has_widths && is_of_type && with * 100 < N_PROGRAMS * SHARE_PERCENT) {
                    print_error("%s: %s of bit %d by a constant: in %d of %d cases\n",
                                env_names[env], op_rows[op].name, k, (int)with, N_PROGRAMS);
                    ++*n_seldom;
                }
            }
            n += is_possible;
            if (is_possible && all * 200 < N_PROGRAMS * SHARE_PERCENT) {
                print_error("%s: %s with a constant operand %d: in %d of %d cases\n",
                            env_names[env], op_rows[op].name, side, (int)all, N_PROGRAMS);
                ++*n_seldom;
            }
        }
    }
    return n;
}

static void programs_hold_each_pair(void **state)
{
    (void)state;
    struct arena keep;
    uint32_t n_seldom = 0;
    arena_init(&keep, ARENA_BYTES);
    const struct def_use_stats *const s = count(&keep);
    for (int env = 0; env < ENV_N; env++) {
        assert_true(check_pairs(s, (enum env)env, &n_seldom) > 50);
        assert_true(check_constants(s, (enum env)env, &n_seldom) > 80);
    }
    assert_int_equal(n_seldom, 0);
    arena_free(&keep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_hold_each_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/oracle/test_spelling.c -- copies of memory, and entry points beside the one that runs, as the interpreter and
 * the judge see them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/case/gen.h"
#include "oracle/fault/faults.h"
#include "oracle/interp/module.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/case_rig.h"

enum {
    N_CASES = 300
};

/* Instructions of that opcode in the module. */
static uint32_t count_op(const struct testcase *tc, uint32_t op)
{
    uint32_t n = 0, at = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        n += in.op == op;
    }
    return n;
}

/* Each copy is a load and a store behind it, of an id that the module does not have. */
static void a_copy_is_a_load_and_a_store(void **state)
{
    (void)state;
    struct rig *const r = make_rig();
    uint32_t n_copies = 0;
    for (uint64_t seed = 0; seed < N_CASES; seed++) {
        struct module m;
        struct err e = {0};
        make_case(r, PROFILE_PROGRAMS, (enum env)(seed % ENV_N), seed);
        must(module_decode_case(&m, &r->tc, &r->a, &e), &e);
        for (uint32_t i = 0; i + 1 < m.n_code; i++) {
            const struct mod_inst *const load = &m.code[i], *const store = &m.code[i + 1];
            uint32_t const op = r->tc.module[load->offset] & SpvOpCodeMask;
            if (load->op != SpvOpLoad || (op != SpvOpCopyMemory && op != SpvOpCopyMemorySized)) {
                continue;
            }
            assert_int_equal(store->op, SpvOpStore);
            assert_int_equal(store->offset, load->offset);
            assert_int_equal(store->w[MOD_STORE_OBJECT], load->result);
            assert_true(load->result >= r->tc.module[3]);
            assert_int_equal(load->w[MOD_OPERAND], r->tc.module[load->offset + 2]);
            assert_int_equal(store->w[MOD_STORE_POINTER], r->tc.module[load->offset + 1]);
            n_copies++;
        }
    }
    assert_true(n_copies > N_CASES);
    free_rig(r);
}

/* What the case's entry point does not call is not there: the code of the others least of all. */
static void other_entry_points_are_left_out(void **state)
{
    (void)state;
    struct rig *const r = make_rig();
    uint32_t n_several = 0;
    for (uint64_t seed = 0; seed < N_CASES; seed++) {
        struct module m;
        struct err e = {0};
        make_case(r, PROFILE_PROGRAMS, (enum env)(seed % ENV_N), seed);
        if (count_op(&r->tc, SpvOpEntryPoint) < 2) {
            continue;
        }
        n_several++;
        must(module_decode_case(&m, &r->tc, &r->a, &e), &e);
        uint32_t n_functions = 0;
        for (uint32_t i = 0; i < m.n_code; i++) {
            n_functions += m.code[i].op == SpvOpFunction;
        }
        uint32_t const n_others = count_op(&r->tc, SpvOpEntryPoint) - 1;
        assert_int_equal(n_functions, count_op(&r->tc, SpvOpFunction) - n_others);
        assert_int_equal(m.code[m.entry].op, SpvOpFunction);
    }
    assert_true(n_several > N_CASES / 20);
    free_rig(r);
}

/* Another entry point is run in place of the case's: with the honest one as the control. */
static void the_wrong_entry_point_is_found(void **state)
{
    (void)state;
    struct rig *const r = make_rig();
    uint32_t n_applied = 0, n_found = 0;
    for (uint64_t seed = 0; seed < N_CASES; seed++) {
        struct err e = {0};
        make_case(r, PROFILE_PROGRAMS, (enum env)(seed % ENV_N), seed);
        const char *const facts = sim_facts_for(&r->tc, seed, &r->a);
        for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
            struct fault_plan const plan = fault_plan_of(is_wrong ? FAULT_WRONG_ENTRY : FAULT_NONE);
            struct sim_outcome outcome = {.site = 0};
            if (sim_run(&r->tc, &(struct sim_device){SIM_ANY, seed, &plan, facts}, &r->a, &r->ob,
                        &outcome, &e) != RES_OK) {
                continue; /* the interpreter does not follow it */
            }
            r->ob.facts = facts;
            must(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
            if (is_wrong) {
                n_applied += outcome.fault == FAULT_APPLIED;
                n_found += outcome.fault == FAULT_APPLIED && r->j.n_found > 0;
            } else {
                assert_int_equal(r->j.n_found, 0);
            }
        }
    }
    print_message("%u of %u found\n", n_found, n_applied);
    assert_true(n_applied > 0);
    assert_true(n_found * 4 > n_applied * 3);
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_a_load_and_a_store),
        cmocka_unit_test(other_entry_points_are_left_out),
        cmocka_unit_test(the_wrong_entry_point_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/oracle/test_feature_run.c -- what judged runs show in a map: of small modules written out by hand. */
#include "oracle/feature/feature.h"
#include "oracle/judge/judge.h"
#include "tests/rig/groups_rig.h"

static unsigned char map[FEATURE_CELLS], other_map[FEATURE_CELLS];

/* The verdict and, into `to`, the cells. Whatever was there before is gone. */
static enum verdict_kind judge_to(struct rig *r, unsigned char *to)
{
    struct err e = {0};
    memset(to, 0xff, FEATURE_CELLS);
    if (judge_run_mapped(&r->tc, &r->ob, to, NULL, &r->a, &r->j, &e) != RES_OK) {
        fail_msg("judge: %s", e.text);
    }
    return r->j.kind;
}

static uint32_t count(const unsigned char *cells, uint32_t first, uint32_t n)
{
    uint32_t n_set = 0;
    for (uint32_t i = first; i < first + n; i++) {
        assert_true(cells[i] <= 1);
        n_set += cells[i];
    }
    return n_set;
}

static uint32_t count_ratios(const unsigned char *cells)
{
    return count(cells, FEATURE_TUPLE_CELLS, FEATURE_RATIO_CELLS);
}

/* Cells that are set in x and not in y. */
static uint32_t count_new(const unsigned char *x, const unsigned char *y)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < FEATURE_CELLS; i++) {
        n += x[i] && !y[i];
    }
    return n;
}

/* One atomic of one invocation: `op` with pointer, scope and memory semantics. */
static struct rig *make_atomic(const char *op)
{
    struct rig *r = make_rig(ENV_CL, 1);
    assemble(r, arena_printf(&r->a, "%s%s%s", cl_frame, op, cl_tail), SPV_ENV_UNIVERSAL_1_2);
    r->cells[0] = ONE;
    r->in[0] = ONE;
    r->cells_after[0] = TWO;
    r->out_after[0] = ONE;
    return r;
}
#define ADD(scope) "%r = OpAtomicFAddEXT %f32 %cells %" scope " %c0 %v\n"

static void same_run_same_cells(void **state)
{
    (void)state;
    struct rig *r = make_atomic(ADD("c1"));
    assert_int_equal(judge_to(r, map), VERDICT_OK);
    assert_true(count(map, 0, FEATURE_CELLS) > 5);
    assert_int_equal(judge_to(r, other_map), VERDICT_OK);
    assert_memory_equal(map, other_map, FEATURE_CELLS);
    free_rig(r);
}

static void map_changes_no_verdict(void **state)
{
    (void)state;
    static const uint32_t finals[] = {TWO, TWO + 1, ONE, QNAN, 0xa5a5a5a5};
    struct rig *r = make_atomic(ADD("c1"));
    for (size_t i = 0; i < ARRAY_N(finals); i++) {
        r->cells_after[0] = finals[i];
        enum verdict_kind const mapped = judge_to(r, map);
        struct judgement const with = r->j;
        assert_int_equal(judge_rig(r), mapped);
        assert_int_equal(with.n_found, r->j.n_found);
        assert_int_equal(with.n_judged, r->j.n_judged);
        assert_memory_equal(with.coverage, r->j.coverage, with.n_coverage * sizeof *with.coverage);
        for (uint32_t k = 0; k < with.n_findings; k++) {
            assert_string_equal(with.findings[k].text, r->j.findings[k].text);
        }
        assert_int_equal(mapped == VERDICT_OK, i == 0);
        assert_true(count(map, 0, FEATURE_CELLS) > 5);
    }
    free_rig(r);
}

static void each_difference_shows(void **state)
{
    (void)state;
    struct rig *r = make_atomic(ADD("c1"));
    assert_int_equal(judge_to(r, map), VERDICT_OK);
    r->cells_after[0] = TWO + 1; /* outcome */
    assert_int_not_equal(judge_to(r, other_map), VERDICT_OK);
    assert_true(count_new(other_map, map) > 0);
    r->in[0] = QNAN; /* class of an operand */
    r->cells_after[0] = QNAN;
    assert_int_equal(judge_to(r, other_map), VERDICT_OK);
    assert_true(count_new(other_map, map) > 0);
    r->in[0] = (uint32_t)MINUS_ONE; /* a finer class, and that of the result */
    r->cells_after[0] = 0;
    assert_int_equal(judge_to(r, other_map), VERDICT_OK);
    assert_true(count_new(other_map, map) > 0);
    r->in[0] = 0x33800000; /* 1 + 2^-24 is a tie, and another result */
    r->cells_after[0] = ONE;
    assert_int_equal(judge_to(r, other_map), VERDICT_OK);
    assert_true(count_new(other_map, map) > 0);
    free_rig(r);
    r = make_atomic(ADD("c0")); /* scope */
    assert_int_equal(judge_to(r, other_map), VERDICT_OK);
    assert_true(count_new(other_map, map) > 0);
    free_rig(r);
}

static void type_and_contention_show(void **state)
{
    (void)state;
    struct rig *r = make_atomic("%r = OpAtomicExchange %f32 %cells %c1 %c0 %v\n");
    r->cells_after[0] = ONE;
    assert_int_equal(judge_to(r, map), VERDICT_OK);
    free_rig(r);
    r = make_atomic("%pc = OpBitcast %pu %cells\n%ru = OpAtomicExchange %u32 %pc %c1 %c0 %vin\n%r "
                    "= OpBitcast %f32 %ru\n");
    r->cells_after[0] = ONE;
    assert_int_equal(judge_to(r, other_map), VERDICT_OK);
    assert_true(count_new(other_map, map) > 0);
    free_rig(r);
    r = make_atomic(ADD("c1"));
    assert_int_equal(judge_to(r, map), VERDICT_OK);
    r->tc.global[0] = 2; /* two invocations come to the cell */
    r->in[1] = ONE;
    r->cells_after[0] = THREE;
    r->out_after[0] = TWO;
    r->out_after[1] = ONE;
    assert_int_equal(judge_to(r, other_map), VERDICT_OK);
    assert_int_equal(r->j.n_contended, 1);
    assert_true(count_new(other_map, map) > 0);
    assert_true(count_new(map, other_map) > 0); /* a private cell, which it no longer is */
    free_rig(r);
}

/* Straight, on both sides of a branch, in a loop. */
static void control_flow_shows(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        ADD("c1"),
        "OpSelectionMerge %m None\nOpBranchConditional %true %then %m\n%then = OpLabel\n"
        "%rt = OpAtomicFAddEXT %f32 %cells %c1 %c0 %v\nOpBranch %m\n%m = OpLabel\n"
        "%r = OpPhi %f32 %v %entry %rt %then\n",
        "OpSelectionMerge %m None\nOpBranchConditional %false %m %else\n%else = OpLabel\n"
        "%rt = OpAtomicFAddEXT %f32 %cells %c1 %c0 %v\nOpBranch %m\n%m = OpLabel\n"
        "%r = OpPhi %f32 %v %entry %rt %else\n",
        "OpBranch %head\n%head = OpLabel\n%again = OpPhi %bool %true %entry %false %next\n"
        "%last = OpPhi %f32 %v %entry %rt %next\n"
        "OpLoopMerge %m %next None\nOpBranchConditional %again %body %m\n%body = OpLabel\n"
        "%rt = OpAtomicFAddEXT %f32 %cells %c1 %c0 %v\nOpBranch %next\n%next = OpLabel\n"
        "OpBranch %head\n%m = OpLabel\n%r = OpCopyObject %f32 %last\n",
    };
    static unsigned char maps[ARRAY_N(bodies)][FEATURE_CELLS];
    for (size_t i = 0; i < ARRAY_N(bodies); i++) {
        struct rig *r = make_atomic("%r = OpCopyObject %f32 %v\n");
        const char *text = arena_printf(&r->a, "%s%s%s", cl_frame, bodies[i], cl_tail);
        const char *at = strstr(text, "%c0 = ");
        text = arena_printf(&r->a,
                            "%.*s%%bool = OpTypeBool\n%%true = OpConstantTrue %%bool\n"
                            "%%false = OpConstantFalse %%bool\n%s",
                            (int)(at - text), text, at);
        assemble(r, text, SPV_ENV_UNIVERSAL_1_2);
        enum verdict_kind const kind = judge_to(r, maps[i]);
        if (kind != VERDICT_OK) {
            fail_msg("body %zu: %s %s", i, verdict_rows[kind].name,
                     r->j.n_findings ? r->j.findings[0].text : r->j.note);
        }
        for (size_t k = 0; k < i; k++) {
            assert_true(count_new(maps[i], maps[k]) > 0);
        }
        free_rig(r);
    }
}

/* ---- masks, of a sum under a branch ---- */

static void masks_show(void **state)
{
    (void)state;
    static const uint32_t takers[] = {15, 7, 14, 9, 4}; /* all, first, block, sparse, one */
    static unsigned char maps[ARRAY_N(takers)][FEATURE_CELLS];
    struct groups_rig *g = make_groups(
        ENV_VK, 4, 4, "", "",
        "OpSelectionMerge %m None\nOpBranchConditional %cond %in_m %m\n%in_m = OpLabel\n"
        "%b = OpGroupNonUniformBallot %v4 %c3 %true\n%b0 = OpCompositeExtract %u32 %b 0\n"
        "OpStore %p3 %b0\n%sum = OpGroupNonUniformIAdd %u32 %c3 Reduce %x\nOpStore %p7 %sum\n"
        "OpBranch %m\n%m = OpLabel\n");
    for (size_t i = 0; i < ARRAY_N(takers); i++) {
        uint32_t sum = 0;
        for (uint32_t lane = 0; lane < 4; lane++) {
            uint32_t const takes = takers[i] >> lane & 1;
            g->in[lane * IN_WORDS] = 5 + lane;
            g->in[lane * IN_WORDS + 1] = takes;
            sum += takes * (5 + lane);
        }
        for (uint32_t lane = 0; lane < 4; lane++) {
            int const takes = g->in[lane * IN_WORDS + 1] != 0;
            *slot(g, lane, 3) = takes ? takers[i] : (uint32_t)UNTOUCHED;
            *slot(g, lane, 7) = takes ? sum : (uint32_t)UNTOUCHED;
        }
        assert_int_equal(judge_to(g->r, maps[i]), VERDICT_OK);
        assert_int_equal(g->r->j.n_partial, takers[i] == 15 ? 0 : 2);
        for (size_t k = 0; k < i; k++) {
            assert_true(count_new(maps[i], maps[k]) > 0);
        }
    }
    free_groups(g);
}

/* ---- ratios ---- */

/* exp(1) within 3 ulps, off by more and more. */
static void larger_errors_show(void **state)
{
    (void)state;
    uint32_t const e = 0x402df854; /* exp(1), correctly rounded */
    uint32_t last = 0;
    struct rig *r = make_rig(ENV_CL, 1);
    const char *text =
        arena_printf(&r->a, "%s%%r = OpExtInst %%f32 %%ocl exp %%v\n%s", cl_frame, cl_tail);
    const char *at = strstr(text, "OpMemoryModel");
    assemble(r,
             arena_printf(&r->a, "%.*s%%ocl = OpExtInstImport \"OpenCL.std\"\n%s", (int)(at - text),
                          text, at),
             SPV_ENV_UNIVERSAL_1_2);
    r->in[0] = ONE;
    for (uint32_t off = 0; off <= 8; off++) {
        r->out_after[0] = e + off;
        enum verdict_kind const kind = judge_to(r, map);
        assert_int_equal(kind, off < 3 ? VERDICT_OK : off == 3 ? kind : VERDICT_ULP);
        assert_true(count_ratios(map) >= last);
        assert_true(off != 2 || count_ratios(map) > 1);
        last = count_ratios(map);
    }
    assert_true(last > 12 && last < FEATURE_RATIO_STEPS);
    r->out_after[0] = MAX;
    assert_int_equal(judge_to(r, map), VERDICT_ULP);
    assert_int_equal(count_ratios(map), FEATURE_RATIO_STEPS);
    r->out_after[0] = QNAN; /* no error that could be measured */
    assert_int_equal(judge_to(r, map), VERDICT_NAN_RULE);
    assert_int_equal(count_ratios(map), 0);
    free_rig(r);
}

/* 1 + 3 * 2^-24 in four terms: the order that loses all of them is further off. */
static void errors_of_sums_show(void **state)
{
    (void)state;
    static const uint32_t terms[4] = {ONE, 0x33800000, 0x33800000, 0x33800000};
    uint32_t n[2];
    struct groups_rig *g =
        make_groups(ENV_VK, 4, 4, "", "",
                    "%s = OpGroupNonUniformFAdd %f32 %c3 Reduce %fx\n%sb = OpBitcast %u32 %s\n"
                    "OpStore %p7 %sb\n");
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t lane = 0; lane < 4; lane++) {
            g->in[lane * IN_WORDS] = terms[lane];
            *slot(g, lane, 7) = ONE + k;
        }
        assert_int_equal(judge_to(g->r, map), VERDICT_OK);
        n[k] = count_ratios(map);
    }
    assert_true(n[0] > n[1] && n[1] > 1);
    free_groups(g);
}

/* The same of atomic additions whose results nobody sees. */
static void errors_of_atomic_sums_show(void **state)
{
    (void)state;
    uint32_t n[2];
    struct rig *r = make_atomic("%unused = OpAtomicFAddEXT %f32 %cells %c1 %c0 %v\n"
                                "%r = OpCopyObject %f32 %v\n");
    r->tc.global[0] = 3;
    for (uint32_t i = 0; i < 3; i++) {
        r->in[i] = r->out_after[i] = 0x33800001; /* a little more than half an ulp of 1 */
    }
    for (uint32_t k = 0; k < 2; k++) {
        r->cells_after[0] = ONE + 3 - k;
        (void)judge_to(r, map);
        n[k] = count_ratios(map);
    }
    assert_true(n[0] > n[1] && n[1] > 0);
    free_rig(r);
}

static void run_that_failed_shows_nothing(void **state)
{
    (void)state;
    struct rig *r = make_atomic(ADD("c1"));
    r->ob.status = RUN_CRASH;
    assert_int_equal(judge_to(r, map), VERDICT_CRASH);
    assert_int_equal(count(map, 0, FEATURE_CELLS), 0);
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_run_same_cells),
        cmocka_unit_test(map_changes_no_verdict),
        cmocka_unit_test(each_difference_shows),
        cmocka_unit_test(type_and_contention_show),
        cmocka_unit_test(control_flow_shows),
        cmocka_unit_test(masks_show),
        cmocka_unit_test(larger_errors_show),
        cmocka_unit_test(errors_of_sums_show),
        cmocka_unit_test(errors_of_atomic_sums_show),
        cmocka_unit_test(run_that_failed_shows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

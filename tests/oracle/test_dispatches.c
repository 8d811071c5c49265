/* tests/oracle/test_dispatches.c -- programs that several dispatches run: what their built-ins say, the order between
 * them, and faults of dispatches. */
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"
#include "oracle/fault/faults.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/judge_rig.h"

enum {
    N_LANES = 4,
    N_GROUPS = 7,
    ENOUGH = 100 /* cases that several dispatches run */
};

/* A kernel of one work-item a work-group that stores component 0 of a built-in. */
static const char cl_kernel[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %%main \"k\" %%gid %%told\n"
    "OpDecorate %%gid BuiltIn GlobalInvocationId\nOpDecorate %%told BuiltIn %s\n"
    "%%void = OpTypeVoid\n%%u32 = OpTypeInt 32 0\n%%u64 = OpTypeInt 64 0\n"
    "%%v3 = OpTypeVector %%u64 3\n%%pv3 = OpTypePointer Input %%v3\n"
    "%%pu = OpTypePointer CrossWorkgroup %%u32\n%%fn = OpTypeFunction %%void %%pu\n"
    "%%gid = OpVariable %%pv3 Input\n%%told = OpVariable %%pv3 Input\n"
    "%%main = OpFunction %%void None %%fn\n%%out = OpFunctionParameter %%pu\n%%entry = OpLabel\n"
    "%%id3 = OpLoad %%v3 %%gid\n%%id = OpCompositeExtract %%u64 %%id3 0\n"
    "%%pout = OpInBoundsPtrAccessChain %%pu %%out %%id\n%%w3 = OpLoad %%v3 %%told\n"
    "%%w = OpCompositeExtract %%u64 %%w3 0\n%%r = OpUConvert %%u32 %%w\nOpStore %%pout %%r\n"
    "OpReturn\nOpFunctionEnd\n";
static const char vk_kernel[] =
    "OpCapability Shader\nOpExtension \"SPV_KHR_storage_buffer_storage_class\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"k\" %%gid %%told\n"
    "OpExecutionMode %%main LocalSize 1 1 1\nOpDecorate %%gid BuiltIn GlobalInvocationId\n"
    "OpDecorate %%told BuiltIn %s\nOpDecorate %%au ArrayStride 4\nOpDecorate %%su Block\n"
    "OpMemberDecorate %%su 0 Offset 0\nOpDecorate %%out DescriptorSet 0\n"
    "OpDecorate %%out Binding 0\n"
    "%%void = OpTypeVoid\n%%u32 = OpTypeInt 32 0\n%%v3 = OpTypeVector %%u32 3\n"
    "%%pv3 = OpTypePointer Input %%v3\n%%au = OpTypeRuntimeArray %%u32\n%%su = OpTypeStruct %%au\n"
    "%%psu = OpTypePointer StorageBuffer %%su\n%%pu = OpTypePointer StorageBuffer %%u32\n"
    "%%fn = OpTypeFunction %%void\n%%c0 = OpConstant %%u32 0\n%%gid = OpVariable %%pv3 Input\n"
    "%%told = OpVariable %%pv3 Input\n%%out = OpVariable %%psu StorageBuffer\n"
    "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%id3 = OpLoad %%v3 %%gid\n"
    "%%id = OpCompositeExtract %%u32 %%id3 0\n%%pout = OpAccessChain %%pu %%out %%c0 %%id\n"
    "%%w3 = OpLoad %%v3 %%told\n%%r = OpCompositeExtract %%u32 %%w3 0\nOpStore %%pout %%r\n"
    "OpReturn\nOpFunctionEnd\n";

/* Seven work-groups are run as two, two and three. */
static void built_ins_tell_of_their_dispatch(void **state)
{
    static const struct {
        enum env env;
        const char *built_in;
        uint32_t told[N_GROUPS];
    } rows[] = {
        {ENV_CL, "GlobalInvocationId",    {0, 1, 2, 3, 4, 5, 6}},
        {ENV_CL, "WorkgroupId",           {0, 1, 0, 1, 0, 1, 2}},
        {ENV_CL, "NumWorkgroups",         {2, 2, 2, 2, 3, 3, 3}},
        {ENV_CL, "GlobalSize",            {2, 2, 2, 2, 3, 3, 3}},
        {ENV_CL, "GlobalOffset",          {0, 0, 2, 2, 4, 4, 4}},
        {ENV_CL, "EnqueuedWorkgroupSize", {1, 1, 1, 1, 1, 1, 1}},
        {ENV_VK, "GlobalInvocationId",    {0, 1, 2, 3, 4, 5, 6}},
        {ENV_VK, "WorkgroupId",           {0, 1, 2, 3, 4, 5, 6}},
        {ENV_VK, "NumWorkgroups",         {2, 2, 2, 2, 3, 3, 3}},
    };
    (void)state;
    COVERS(DISPATCH_BASE);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_rig(rows[i].env, N_GROUPS);
        uint32_t before[N_GROUPS], after[N_GROUPS];
        memset(before, 0xa5, sizeof before);
        memcpy(after, rows[i].told, sizeof after);
        r->tc.n_dispatches = 3;
        r->tc.n_bufs = r->ob.n_bufs = 1;
        r->tc.bufs[0] = (struct buf){.n_bytes = sizeof before, .data = (unsigned char *)before};
        r->ob.out[0] = (unsigned char *)after;
        assemble(
            r, arena_printf(&r->a, rows[i].env == ENV_CL ? cl_kernel : vk_kernel, rows[i].built_in),
            SPV_ENV_UNIVERSAL_1_3);
        if (judge_rig(r) != VERDICT_OK) {
            fail_msg("row %zu, %s: %s", i, rows[i].built_in, r->j.findings[0].text);
        }
        after[5] += 9;
        assert_int_not_equal(judge_rig(r), VERDICT_OK);
        after[5] -= 9;
        memcpy(after + 2, before + 2, 2 * sizeof *after); /* the second dispatch did nothing */
        assert_int_equal(judge_rig(r), VERDICT_MASK);
        assert_int_equal(r->j.n_findings, 1);
        assert_int_equal(r->j.findings[0].clause, CLAUSE_DISPATCH_BASE);
        free_rig(r);
    }
}

static const char exchange[] = "%r = OpAtomicExchange %f32 %cell %c1 %c0 %v\n";
/* Plain accesses: invocation i stores at i and loads what the one two places away does. */
static const char cl_hands_over[] = "%one = OpUConvert %u64 %c1\n%two = OpIAdd %u64 %one "
                                    "%one\n%other = OpBitwiseXor %u64 %id %two\n"
                                    "%mine = OpInBoundsPtrAccessChain %pf %cells %id\n"
                                    "%theirs = OpInBoundsPtrAccessChain %pf %cells %other\n"
                                    "OpStore %mine %v\n%r = OpLoad %f32 %theirs\n";
static const char vk_hands_over[] =
    "%two = OpIAdd %u32 %c1 %c1\n%other = OpBitwiseXor %u32 %id %two\n"
    "%mine = OpAccessChain %pf %cells %c0 %id\n%theirs = OpAccessChain %pf %cells %c0 %other\n"
    "OpStore %mine %v\n%r = OpLoad %f32 %theirs\n";

/* A program of that body for four invocations, which hold 1 to 4 and find 0 in memory. */
static struct rig *make_body(enum env env, const char *body)
{
    static const uint32_t numbers[N_LANES] = {ONE, TWO, THREE, 0x40800000};
    struct rig *r = make_rig(env, N_LANES);
    const char *const frame = env == ENV_CL ? cl_frame : arena_printf(&r->a, vk_frame, "", "");
    assemble(r, arena_printf(&r->a, "%s%s%s", frame, body, cl_tail), SPV_ENV_UNIVERSAL_1_3);
    memcpy(r->in, numbers, sizeof numbers);
    return r;
}

/* Each exchanges its number for what is in one cell, in the order 0, 2, 1, 3. */
static void dispatches_follow_each_other(void **state)
{
    (void)state;
    COVERS(DISPATCH_ORDER);
    struct rig *r = make_body(ENV_VK, exchange);
    uint32_t const returned[N_LANES] = {0, THREE, ONE, TWO};
    memcpy(r->out_after, returned, sizeof returned);
    r->cells_after[0] = r->in[3];
    assert_int_equal(judge_rig(r), VERDICT_OK);
    r->tc.n_dispatches = 2;
    assert_int_equal(judge_rig(r), VERDICT_ORDER);
    assert_int_equal(r->j.findings[0].clause, CLAUSE_DISPATCH_ORDER);
    r->out_after[1] = ONE; /* in the order 1, 0 would do as well */
    r->out_after[2] = TWO;
    r->out_after[3] = THREE;
    assert_int_equal(judge_rig(r), VERDICT_OK);
    free_rig(r);
}

/* What one dispatch stored another loads, coherent or not; in one dispatch that is a race. */
static void dispatches_hand_over(void **state)
{
    (void)state;
    COVERS(DISPATCH_ORDER);
    for (int env = 0; env < ENV_N; env++) {
        struct rig *r = make_body((enum env)env, env == ENV_CL ? cl_hands_over : vk_hands_over);
        uint32_t const loaded[N_LANES] = {0, 0, ONE, TWO};
        memcpy(r->out_after, loaded, sizeof loaded);
        memcpy(r->cells_after, r->in, sizeof r->in);
        assert_int_equal(judge_rig(r), VERDICT_INCONCLUSIVE);
        assert_true(r->j.undefined != 0);
        r->tc.n_dispatches = 2;
        assert_int_equal(judge_rig(r), VERDICT_OK);
        assert_int_equal(r->j.undefined, 0);
        r->out_after[3] = 0; /* what was there before */
        assert_int_not_equal(judge_rig(r), VERDICT_OK);
        free_rig(r);
    }
}

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

/* The case of that seed, if several dispatches run it; with the fault, which has to be applied: is it found? */
static bool is_found(struct rig *r, uint64_t seed, enum fault_id fault, uint32_t *n_applied)
{
    struct err e = {0};
    struct tape t;
    struct rng rng = rng_seed(seed);
    struct fault_plan const plan = fault_plan_of(fault);
    struct sim_outcome outcome = {.site = 0};
    arena_reset(&r->a);
    must(tape_random(&t, &rng, &r->a, &e), &e);
    must(gen_case(seed % 4 < 2 ? PROFILE_PROGRAMS : PROFILE_ATOMICS, (enum env)(seed % ENV_N), &t,
                  &r->a, &r->tc, NULL, &e),
         &e);
    if (testcase_count_dispatches(&r->tc) == 1 && fault != FAULT_SIZE_UNSPECIALIZED) {
        return false;
    }
    const char *const facts = sim_facts_for(&r->tc, seed, &r->a);
    enum res const res = sim_run(&r->tc, &(struct sim_device){SIM_IEEE, seed, &plan, facts}, &r->a,
                                 &r->ob, &outcome, &e);
    if (res == RES_LIMIT || (fault != FAULT_NONE && outcome.fault != FAULT_APPLIED)) {
        return false;
    }
    must(res, &e);
    ++*n_applied;
    r->ob.facts = facts;
    bool const is_wrong = verdict_rows[judge_rig(r)].part == PART_VIOLATION;
    if (is_wrong && fault == FAULT_NONE) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, r->j.findings[0].text);
    }
    return is_wrong;
}

/* A dispatch that is lost, or runs elsewhere, is found wherever it shows, but where a branch depends on what was never
 * stored; the others in some cases. */
static void faults_of_dispatches_are_found(void **state)
{
    static const enum fault_id faults[] = {FAULT_NONE,
                                           FAULT_DISPATCH_AT_ZERO,
                                           FAULT_DISPATCH_LOST,
                                           FAULT_DISPATCH_BASE_UNTOLD,
                                           FAULT_DISPATCHES_OVERLAP,
                                           FAULT_SIZE_UNSPECIALIZED};
    (void)state;
    struct rig *r = make_rig(ENV_CL, 1);
    for (size_t k = 0; k < ARRAY_N(faults); k++) {
        uint32_t n_applied = 0, n_found = 0;
        for (uint64_t seed = 0; seed < 8 * (uint64_t)ENOUGH && n_applied < ENOUGH; seed++) {
            n_found += is_found(r, seed, faults[k], &n_applied);
        }
        const char *const name = faults[k] == FAULT_NONE ? "none" : fault_rows[faults[k]].id;
        print_message("%-22s found in %u of %u cases\n", name, n_found, n_applied);
        bool const is_sure =
            faults[k] == FAULT_DISPATCH_AT_ZERO || faults[k] == FAULT_DISPATCH_LOST;
        assert_true(n_applied > 0);
        assert_true(faults[k] == FAULT_NONE || n_found > 0);
        assert_true(!is_sure || n_found * 5 >= n_applied * 4);
    }
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_ins_tell_of_their_dispatch),
        cmocka_unit_test(dispatches_follow_each_other),
        cmocka_unit_test(dispatches_hand_over),
        cmocka_unit_test(faults_of_dispatches_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/oracle/test_suspect.c -- where a model acts and where not, in modules written out by hand. */
#include <stdio.h>

#include "oracle/suspect/suspect.h"
#include "tests/rig/groups_rig.h"

/* The findings of the run under the suspicion; the counts are in *s. */
static uint32_t judge_under(struct rig *r, enum fault_id fault, struct suspicion *s)
{
    struct err e = {0};
    struct judgement under;
    struct arena_mark const mark = arena_get_mark(&r->a);
    *s = (struct suspicion){.plan = fault_plan_of(fault)};
    if (judge_run_suspecting(&r->tc, &r->ob, s, &r->a, &under, &e) != RES_OK) {
        fail_msg("%s: %s", fault_rows[fault].id, e.text);
    }
    assert_int_equal(under.n_inconclusive, 0);
    arena_release(&r->a, mark);
    return under.n_found;
}

/* ---- models of branched kernels ---- */

#define BRANCH "OpSelectionMerge %m None\nOpBranchConditional %cond %in_m %m\n%in_m = OpLabel\n"
#define MERGE  "OpBranch %m\n%m = OpLabel\n"
#define BALLOT                                                                                     \
    "%b = OpGroupNonUniformBallot %v4 %c3 %true\n%b0 = OpCompositeExtract %u32 %b 0\n"             \
    "OpStore %p4 %b0\n"

enum {
    N_LANES = 4,
    RESULT = 3, /* slots */
    BESIDE = 4,
    ODD = 12345, /* nobody has it */
    ALL_FOUR = 15
};

/* Where the instruction stands: between the texts. */
static const struct shape {
    const char *name, *before, *behind;
    bool is_branched;
    uint32_t beside; /* what is left in that slot */
} shapes[] = {
    {"straight",                     "",                                            "",                              false, (uint32_t)UNTOUCHED},
    {"behind a branch",              BRANCH "OpStore %p4 %y\n" MERGE,               "",                              false, 1                  },
    {"before a branch",              "",                                            BRANCH "OpStore %p4 %y\n" MERGE, false, 1                  },
    {"in a branch",                  BRANCH,                                        MERGE,                           true,  (uint32_t)UNTOUCHED},
    {"behind a barrier in a branch", BRANCH "OpControlBarrier %c2 %c2 %c0\n" MERGE, "",                              true,
     (uint32_t)UNTOUCHED                                                                                                                       },
    {"behind another in a branch",   BRANCH BALLOT MERGE,                           "",                              true,  ALL_FOUR           },
};

/* Instructions of whose models one is about branched kernels; x of lane i is i + 1. */
static const struct about {
    enum fault_id bug;
    enum env env;
    const char *text;
    uint32_t right[N_LANES];
    uint32_t wrong[N_LANES]; /* what they get in place of it */
} abouts[] = {
    {FAULT_REDUCE_LEFT_OPEN,
     ENV_VK, "%r = OpGroupNonUniformIAdd %u32 %c3 Reduce %x\nOpStore %p3 %r\n",
     {10, 10, 10, 10},
     {10, 10, ODD, 10}},
    {FAULT_BROADCAST_LEFT_OPEN,
     ENV_VK, "%r = OpGroupNonUniformBroadcast %u32 %c3 %x %c1\nOpStore %p3 %r\n",
     {2, 2, 2, 2},
     {2, 2, 2, ODD}   },
    {FAULT_VOTE_LEFT_OPEN,
     ENV_VK, "%v = OpGroupNonUniformAll %bool %c3 %cond\n%r = OpSelect %u32 %v %c7 %c5\nOpStore %p3 %r\n",
     {7, 7, 7, 7},
     {5, 7, 7, 7}     },
    {FAULT_SECOND_OF_SCAN_OPEN,
     ENV_VK, "%r = OpGroupNonUniformIAdd %u32 %c3 ExclusiveScan %x\nOpStore %p3 %r\n",
     {0, 1, 3, 6},
     {0, ODD, 3, 6}   },
    {FAULT_NOT_FOLDED,
     ENV_CL, "%r = OpGroupNonUniformIAdd %u32 %c3 InclusiveScan %x\nOpStore %p3 %r\n",
     {1, 3, 6, 10},
     {1, 2, 3, 4}     },
    {FAULT_FIRST_LOST_OPEN,
     ENV_CL, "%r = OpGroupIAdd %u32 %c2 Reduce %x\nOpStore %p3 %r\n",
     {10, 10, 10, 10},
     {10, ODD, 10, 10}},
    {FAULT_FIRST_LOST_OPEN,
     ENV_CL, "%r = OpGroupIAdd %u32 %c3 Reduce %x\nOpStore %p3 %r\n",
     {10, 10, 10, 10},
     {10, ODD, 10, 10}},
};

static struct groups_rig *make_shape(const struct about *about, const struct shape *shape)
{
    char body[1024];
    int const n = snprintf(body, sizeof body, "%s%s%s", shape->before, about->text, shape->behind);
    assert_true(n > 0 && (size_t)n < sizeof body);
    struct groups_rig *const g = make_groups(about->env, N_LANES, N_LANES, "", "", body);
    for (uint32_t lane = 0; lane < N_LANES; lane++) {
        g->in[lane * IN_WORDS] = lane + 1;
        g->in[lane * IN_WORDS + 1] = 1;
        *slot(g, lane, RESULT) = about->right[lane];
        *slot(g, lane, BESIDE) = shape->beside;
    }
    return g;
}

static void a_model_of_branched_kernels_acts_there_alone(void **state)
{
    (void)state;
    struct suspicion s;
    for (size_t i = 0; i < ARRAY_N(abouts); i++) {
        assert_true(fault_rows[abouts[i].bug].where & AT_BRANCHED);
        for (size_t k = 0; k < ARRAY_N(shapes); k++) {
            struct groups_rig *const g = make_shape(&abouts[i], &shapes[k]);
            expect_ok(g, shapes[k].name);
            assert_int_equal(judge_under(g->r, abouts[i].bug, &s), 0);
            for (uint32_t lane = 0; lane < N_LANES; lane++) {
                *slot(g, lane, RESULT) = abouts[i].wrong[lane];
            }
            assert_int_not_equal(judge_rig(g->r), VERDICT_OK);
            uint32_t const n_left = judge_under(g->r, abouts[i].bug, &s);
            bool const acts = n_left == 0 && s.n_taken > 0;
            bool const is_idle = n_left == g->r->j.n_found && s.n_sites == 0;
            if (shapes[k].is_branched ? !acts : !is_idle) {
                fail_msg("%s, %s: %u of %u findings left, %u values of %u taken",
                         fault_rows[abouts[i].bug].id, shapes[k].name, n_left, g->r->j.n_found,
                         s.n_taken, s.n_sites);
            }
            free_groups(g);
        }
    }
}

/* ---- models that leave a value open ---- */

/* One invocation that divides a double by another, correctly rounded. */
static const char division[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Float64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\"\n"
    "OpExecutionMode %main ContractionOff\n"
    "%void = OpTypeVoid\n%u64 = OpTypeInt 64 0\n%f64 = OpTypeFloat 64\n"
    "%pf = OpTypePointer CrossWorkgroup %f64\n%fn = OpTypeFunction %void %pf %pf %pf\n"
    "%c1 = OpConstant %u64 1\n%main = OpFunction %void None %fn\n"
    "%cells = OpFunctionParameter %pf\n%in = OpFunctionParameter %pf\n"
    "%out = OpFunctionParameter %pf\n%entry = OpLabel\n%x = OpLoad %f64 %in\n"
    "%py = OpInBoundsPtrAccessChain %pf %in %c1\n%y = OpLoad %f64 %py\n"
    "%r = OpFDiv %f64 %x %y\nOpStore %out %r\nOpReturn\nOpFunctionEnd\n";

/* The table has a value that a planted one gives. Whether it is the right one by chance says nothing of what the driver gives. */
static void an_open_model_acts_where_its_stand_in_is_right(void **state)
{
    (void)state;
    static const struct {
        uint64_t x, right;
    } rows[] = {
        {1, UINT64_C(0x3ff0000000000000)}, /* the stand-in */
        {2, UINT64_C(0x4000000000000000)},
    };
    struct rig *const r = make_rig(ENV_CL, 1);
    struct suspicion s;
    assemble(r, division, SPV_ENV_UNIVERSAL_1_3);
    r->in[2] = 1; /* the smallest subnormal number */
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        r->in[0] = (uint32_t)rows[i].x;
        memcpy(r->out_after, &rows[i].right, sizeof rows[i].right);
        assert_int_equal(judge_rig(r), VERDICT_OK);
        assert_int_equal(judge_under(r, FAULT_DIVIDED_BY_ZERO_OPEN, &s), 0);
        assert_int_equal(s.n_sites, 1);
        assert_int_equal(s.n_kept, 1);
        r->out_after[0] ^= 1;
        assert_int_equal(judge_rig(r), VERDICT_ULP);
        assert_int_equal(judge_under(r, FAULT_NORMALIZE_OPEN, &s), r->j.n_found);
        assert_int_equal(judge_under(r, FAULT_DIVIDED_BY_ZERO_OPEN, &s), 0);
        assert_int_equal(s.n_taken, 1);
        assert_int_equal(s.n_free, SUSPECT_OPEN_BITS);
    }
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_of_branched_kernels_acts_there_alone),
        cmocka_unit_test(an_open_model_acts_where_its_stand_in_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/oracle/test_groups.c -- verdicts on group instructions: participants, results, ids, by clause. */
#include "tests/rig/groups_rig.h"

#include "base/spv.h"
#include "oracle/sim/sim_undefined.h"

#include <stdio.h>

/* Ballot(true), all words stored, and what stands in the same block. */
#define BALLOT                                                                                     \
    "%b = OpGroupNonUniformBallot %v4 %c3 %true\n"                                                 \
    "%b0 = OpCompositeExtract %u32 %b 0\nOpStore %p3 %b0\n"                                        \
    "%b1 = OpCompositeExtract %u32 %b 1\nOpStore %p4 %b1\n"                                        \
    "%b2 = OpCompositeExtract %u32 %b 2\nOpStore %p5 %b2\n"                                        \
    "%b3 = OpCompositeExtract %u32 %b 3\nOpStore %p6 %b3\n"
#define SUM_TO_P7 "%sum = OpGroupNonUniformIAdd %u32 %c3 Reduce %x\nOpStore %p7 %sum\n"
#define IF(cond, inside, merge)                                                                    \
    "OpSelectionMerge %" merge " None\nOpBranchConditional %" cond " %in_" merge " %" merge        \
    "\n%in_" merge " = OpLabel\n" inside "OpBranch %" merge "\n%" merge " = OpLabel\n"

enum {
    BALLOT_SLOT = 3,
    SUM_SLOT = 7
};

/* ---- participants ---- */

static void put_ballot(struct groups_rig *g, uint32_t lane, uint32_t mask)
{
    for (uint32_t k = 0; k < 4; k++) {
        *slot(g, lane, BALLOT_SLOT + k) = k == 0 ? mask : 0;
    }
}

/* Sum of x over the lanes of the sub-group of `lane` in mask. */
static uint32_t sum_of(const struct groups_rig *g, uint32_t lane, uint32_t mask)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < SUBGROUP; k++) {
        sum += (mask >> k) & 1 ? g->in[(lane / SUBGROUP * SUBGROUP + k) * IN_WORDS] : 0;
    }
    return sum;
}

static void put_arm(struct groups_rig *g, uint32_t lane, uint32_t mask)
{
    put_ballot(g, lane, mask);
    *slot(g, lane, SUM_SLOT) = sum_of(g, lane, mask);
}

static void takers_of_an_arm_take_part(void **state)
{
    (void)state;
    COVERS(GROUP_BALLOT);
    COVERS(GROUP_INTEGER);
    struct groups_rig *g = make_groups(ENV_VK, 8, 8, "", "", IF("cond", BALLOT SUM_TO_P7, "m"));
    static const uint32_t takes[8] = {0, 1, 1, 0, 0, 1, 0, 0};
    for (uint32_t lane = 0; lane < 8; lane++) {
        g->in[lane * IN_WORDS] = 100 + lane * lane;
        g->in[lane * IN_WORDS + 1] = takes[lane];
    }
    put_arm(g, 1, 6);
    put_arm(g, 2, 6);
    put_arm(g, 5, 2);
    expect_ok(g, "honest");
    assert_int_equal(g->r->j.n_partial, 4); /* a ballot and a sum in each sub-group */
    expect_fault(g, "a bit of one who is not here", 1, BALLOT_SLOT, 7, VERDICT_MASK,
                 CLAUSE_GROUP_BALLOT);
    expect_fault(g, "a bit is missing", 2, BALLOT_SLOT, 4, VERDICT_MASK, CLAUSE_GROUP_BALLOT);
    expect_fault(g, "a bit beyond the size", 5, BALLOT_SLOT, 0x12, VERDICT_MASK,
                 CLAUSE_GROUP_BALLOT);
    expect_fault(g, "a bit in another word", 5, BALLOT_SLOT + 1, 1, VERDICT_MASK,
                 CLAUSE_GROUP_BALLOT);
    expect_fault(g, "all four were summed", 1, SUM_SLOT, sum_of(g, 1, 15), VERDICT_ULP,
                 CLAUSE_GROUP_INTEGER);
    expect_fault(g, "the other arm's were summed", 5, SUM_SLOT, sum_of(g, 5, 13), VERDICT_ULP,
                 CLAUSE_GROUP_INTEGER);
    expect_fault(g, "one who is not here stored", 3, SUM_SLOT, 1, VERDICT_CORRUPT,
                 CLAUSE_OUT_OF_BOUNDS);
    expect_ok(g, "honest again");
    free_groups(g);
}

/* Behind an inner merge of a partial mask they may be together or still apart: B6. */
static void inner_merges_leave_it_open(void **state)
{
    (void)state;
    COVERS(GROUP_PARTICIPANTS);
    COVERS(GROUP_BALLOT);
    struct groups_rig *g = make_groups(
        ENV_VK, 4, 4, "", "",
        "%y2 = OpBitwiseAnd %u32 %y %c2\n%inner = OpINotEqual %bool %y2 %c0\n" IF(
            "cond", IF("inner", "%d = OpIAdd %u32 %x %c1\n", "n") BALLOT SUM_TO_P7, "m"));
    static const uint32_t y[4] = {3, 1, 0, 3}; /* lane 2 stays out, 0 and 3 go further in */
    for (uint32_t lane = 0; lane < 4; lane++) {
        g->in[lane * IN_WORDS] = 10U << (4 * lane);
        g->in[lane * IN_WORDS + 1] = y[lane];
    }
    put_arm(g, 0, 11);
    put_arm(g, 1, 11);
    put_arm(g, 3, 11);
    expect_ok(g, "merged again");
    put_arm(g, 0, 9);
    put_arm(g, 1, 2);
    put_arm(g, 3, 9);
    expect_ok(g, "still apart");
    expect_fault(g, "apart, but summed together", 1, SUM_SLOT, sum_of(g, 1, 11), VERDICT_ULP,
                 CLAUSE_GROUP_INTEGER);
    expect_fault(g, "one who stays out", 1, BALLOT_SLOT, 6, VERDICT_MASK, CLAUSE_GROUP_BALLOT);
    expect_fault(g, "lane 1 is with those who are not with it", 1, BALLOT_SLOT, 11, VERDICT_MASK,
                 CLAUSE_GROUP_PARTICIPANTS);
    free_groups(g);
}

/* ---- other shapes ---- */

#define LOOP(inside)                                                                               \
    "OpBranch %head\n%head = OpLabel\n%i = OpPhi %u32 %c0 %entry %i1 %next\n"                      \
    "%acc = OpPhi %u32 %c0 %entry %acc1 %next\nOpLoopMerge %after %next None\n"                    \
    "OpBranch %test\n%test = OpLabel\n%more = OpULessThan %bool %i %y\n"                           \
    "OpBranchConditional %more %body %after\n%body = OpLabel\n" inside                             \
    "OpBranch %next\n%next = OpLabel\n%i1 = OpIAdd %u32 %i %c1\n"                                  \
    "OpBranch %head\n%after = OpLabel\nOpStore %p7 %acc\n"

/* Each lane goes round y times; who is still there takes part. */
static void loops_shrink_the_mask(void **state)
{
    (void)state;
    COVERS(GROUP_INTEGER);
    struct groups_rig *g = make_groups(
        ENV_VK, 4, 4, "", "",
        LOOP("%sum = OpGroupNonUniformIAdd %u32 %c3 Reduce %x\n%acc1 = OpIAdd %u32 %acc %sum\n"
             "%ai = OpIAdd %u32 %a3 %i\n%pi = OpAccessChain %pu %out %c0 %ai\n"
             "OpStore %pi %sum\n"));
    static const uint32_t trips[4] = {1, 3, 0, 2};
    static const uint32_t sums[3] = {11, 10, 2}; /* of lanes 0 1 3, of 1 3, of 1 */
    for (uint32_t lane = 0; lane < 4; lane++) {
        g->in[lane * IN_WORDS] = 1U << lane;
        g->in[lane * IN_WORDS + 1] = trips[lane];
        *slot(g, lane, 7) = 0;
        for (uint32_t round = 0; round < trips[lane]; round++) {
            *slot(g, lane, 3 + round) = sums[round];
            *slot(g, lane, 7) += sums[round];
        }
    }
    expect_ok(g, "honest");
    expect_fault(g, "those who left are summed", 1, 5, 11, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    expect_fault(g, "the sum of the round before", 3, 4, 11, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    expect_fault(g, "a round too many", 0, 4, 10, VERDICT_CORRUPT, CLAUSE_OUT_OF_BOUNDS);
    free_groups(g);
}

static void who_returned_is_gone(void **state)
{
    (void)state;
    COVERS(GROUP_BALLOT);
    struct groups_rig *g = make_groups(
        ENV_VK, 4, 4, "", "",
        "OpSelectionMerge %m None\nOpBranchConditional %cond %gone %m\n%gone = OpLabel\n"
        "OpReturn\n%m = OpLabel\n" BALLOT SUM_TO_P7);
    for (uint32_t lane = 0; lane < 4; lane++) {
        g->in[lane * IN_WORDS] = 5 + lane;
        g->in[lane * IN_WORDS + 1] = lane == 1;
    }
    put_arm(g, 0, 13);
    put_arm(g, 2, 13);
    put_arm(g, 3, 13);
    expect_ok(g, "honest");
    expect_fault(g, "one who returned", 0, BALLOT_SLOT, 15, VERDICT_MASK, CLAUSE_GROUP_BALLOT);
    expect_fault(g, "one who returned is summed", 3, SUM_SLOT, sum_of(g, 0, 15), VERDICT_ULP,
                 CLAUSE_GROUP_INTEGER);
    free_groups(g);
}

/* Six invocations: a second sub-group of four with two of them (Vulkan), or of two (OpenCL). */
static void last_subgroups_are_smaller(void **state)
{
    (void)state;
    COVERS(GROUP_INTEGER);
    COVERS(GROUP_EXCHANGE);
    COVERS(SUBGROUP_SIZE);
    for (int is_cl = 0; is_cl < 2; is_cl++) {
        struct groups_rig *g = make_groups(
            is_cl ? ENV_CL : ENV_VK, 6, 6, "", "",
            "%r = OpGroupNonUniformIAdd %u32 %c3 ClusteredReduce %x %c2\nOpStore %p3 %r\n"
            "%q = OpGroupNonUniformIAdd %u32 %c3 ClusteredReduce %x %c4\nOpStore %p4 %q\n"
            "%d = OpGroupNonUniformShuffleDown %u32 %c3 %x %c1\nOpStore %p5 %d\n"
            "%b = OpGroupNonUniformBroadcastFirst %u32 %c3 %x\nOpStore %p6 %b\n");
        static const uint32_t pairs[6] = {3, 3, 12, 12, 48, 48};
        for (uint32_t lane = 0; lane < 6; lane++) {
            g->in[lane * IN_WORDS] = 1U << lane;
            *slot(g, lane, 3) = pairs[lane];
            *slot(g, lane, 4) = lane < 4 ? 15 : 48;
            *slot(g, lane, 5) = lane == 3 || lane == 5 ? 0xabcdef : 2U << lane; /* nobody there */
            *slot(g, lane, 6) = lane < 4 ? 1 : 16;
        }
        expect_ok(g, "honest");
        expect_fault(g, "the cluster size is ignored", 0, 3, 15, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
        expect_fault(g, "up for down", 1, 5, 1, VERDICT_ULP, CLAUSE_GROUP_EXCHANGE);
        expect_fault(g, "lane 0 of the work-group", 5, 6, 1, VERDICT_ULP, CLAUSE_GROUP_EXCHANGE);
        if (is_cl) {
            *slot(g, 4, 4) = 99;
            expect_ok(g, "a cluster of 4 in a sub-group of 2 is none");
            *slot(g, 1, 2) = 2;
            expect_verdict(g, "sizes differ in one sub-group", VERDICT_MASK, CLAUSE_SUBGROUP_IDS);
        } else {
            expect_fault(g, "read past the end", 4, 4, 148, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
        }
        free_groups(g);
    }
}

static void ballots_are_counted(void **state)
{
    (void)state;
    COVERS(GROUP_BALLOT);
    struct groups_rig *g = make_groups(
        ENV_VK, 4, 4, "", "",
        "%b = OpGroupNonUniformBallot %v4 %c3 %cond\n%b0 = OpCompositeExtract %u32 %b 0\n"
        "OpStore %p3 %b0\n%ones = OpCompositeConstruct %v4 %x %x %x %x\n"
        "%n = OpGroupNonUniformBallotBitCount %u32 %c3 Reduce %ones\nOpStore %p4 %n\n"
        "%e = OpGroupNonUniformBallotBitCount %u32 %c3 ExclusiveScan %ones\nOpStore %p5 %e\n"
        "%l = OpGroupNonUniformBallotFindLSB %u32 %c3 %ones\nOpStore %p6 %l\n"
        "%h = OpGroupNonUniformBallotFindMSB %u32 %c3 %ones\nOpStore %p7 %h\n");
    for (uint32_t lane = 0; lane < 4; lane++) {
        static const uint32_t below[4] = {0, 0, 1, 2};
        g->in[lane * IN_WORDS] = 0xfffffff6; /* lanes 1 and 2, and much beyond the size */
        g->in[lane * IN_WORDS + 1] = lane == 3;
        *slot(g, lane, 3) = 8;
        *slot(g, lane, 4) = 2;
        *slot(g, lane, 5) = below[lane];
        *slot(g, lane, 6) = 1;
        *slot(g, lane, 7) = 2;
    }
    expect_ok(g, "honest");
    expect_fault(g, "a predicate that is false", 0, 3, 12, VERDICT_MASK, CLAUSE_GROUP_BALLOT);
    expect_fault(g, "bits beyond the size are counted", 1, 4, 118, VERDICT_ULP,
                 CLAUSE_GROUP_BALLOT);
    expect_fault(g, "the own bit is counted", 2, 5, 2, VERDICT_ULP, CLAUSE_GROUP_BALLOT);
    expect_fault(g, "the highest bit of the word", 3, 7, 31, VERDICT_ULP, CLAUSE_GROUP_BALLOT);
    free_groups(g);
}

/* ---- composition of sub-groups ---- */

static void ids_must_fit_together(void **state)
{
    (void)state;
    COVERS(SUBGROUP_IDS);
    COVERS(SUBGROUP_SIZE);
    struct groups_rig *g =
        make_groups(ENV_VK, 8, 8, "", "",
                    "%sum = OpGroupNonUniformIAdd %u32 %c3 Reduce %c1\nOpStore %p3 %sum\n");
    for (uint32_t lane = 0; lane < 8; lane++) {
        *slot(g, lane, 3) = SUBGROUP;
    }
    expect_ok(g, "honest");
    expect_fault(g, "an id twice", 2, 1, 1, VERDICT_MASK, CLAUSE_SUBGROUP_IDS);
    expect_fault(g, "an id as large as the size", 2, 1, 4, VERDICT_MASK, CLAUSE_SUBGROUP_IDS);
    expect_fault(g, "two sizes in one sub-group", 2, 2, 8, VERDICT_MASK, CLAUSE_SUBGROUP_IDS);
    g->r->tc.subgroup_size = 8;
    expect_verdict(g, "size 4 where 8 was required", VERDICT_MASK, CLAUSE_SUBGROUP_SIZE);
    for (uint32_t lane = 0; lane < 8; lane++) {
        *slot(g, lane, 0) = 0;
        *slot(g, lane, 1) = lane ^ 5; /* in no order that any clause gives */
        *slot(g, lane, 2) = *slot(g, lane, 3) = 8;
    }
    expect_ok(g, "one sub-group of 8 as required");
    free_groups(g);
}

/* ---- integers ---- */

/* Results of the lanes of one sub-group of four whose ids run backwards. */
static void scans_go_by_id(void **state)
{
    (void)state;
    COVERS(GROUP_INTEGER);
    COVERS(GROUP_IDENTITY);
    struct groups_rig *g =
        make_groups(ENV_VK, 4, 4, "", "",
                    "%r = OpGroupNonUniformIAdd %u32 %c3 Reduce %x\nOpStore %p3 %r\n"
                    "%i = OpGroupNonUniformIAdd %u32 %c3 InclusiveScan %x\nOpStore %p4 %i\n"
                    "%e = OpGroupNonUniformIAdd %u32 %c3 ExclusiveScan %x\nOpStore %p5 %e\n"
                    "%m = OpGroupNonUniformUMin %u32 %c3 ExclusiveScan %x\nOpStore %p6 %m\n"
                    "%s = OpGroupNonUniformSMax %u32 %c3 InclusiveScan %x\nOpStore %p7 %s\n");
    static const uint32_t x[4] = {7, 0xffffffff, 100, 3}; /* lane 3 has id 0: 3, 100, -1, 7 */
    static const uint32_t want[4][5] = {
        {109, 109, 102, 3,          100},
        {109, 102, 103, 3,          100},
        {109, 103, 3,   3,          100},
        {109, 3,   0,   0xffffffff, 3  },
    };
    for (uint32_t lane = 0; lane < 4; lane++) {
        g->in[lane * IN_WORDS] = x[lane];
        *slot(g, lane, 1) = 3 - lane;
        memcpy(slot(g, lane, FIRST_RESULT), want[lane], sizeof want[lane]);
    }
    expect_ok(g, "honest");
    expect_fault(g, "the scan goes by invocation", 0, 4, 7, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    expect_fault(g, "exclusive as inclusive", 2, 5, 103, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    expect_fault(g, "a minimum that starts from 0", 3, 6, 0, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    expect_fault(g, "a signed maximum without sign", 0, 7, 0xffffffff, VERDICT_ULP,
                 CLAUSE_GROUP_INTEGER);
    expect_fault(g, "one lane's sum", 1, 3, 108, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    free_groups(g);
}

static void votes_and_elections(void **state)
{
    (void)state;
    COVERS(GROUP_VOTE);
    COVERS(GROUP_ELECT);
    COVERS(GROUP_ALL_EQUAL);
    struct groups_rig *g =
        make_groups(ENV_VK, 8, 8, "", "",
                    "%v = OpGroupNonUniformAll %bool %c3 %cond\n%w = OpSelect %u32 %v %c1 %c0\n"
                    "OpStore %p3 %w\n"
                    "%e = OpGroupNonUniformElect %bool %c3\n%f = OpSelect %u32 %e %c1 %c0\n"
                    "OpStore %p4 %f\n"
                    "%q = OpGroupNonUniformAllEqual %bool %c3 %x\n%t = OpSelect %u32 %q %c1 %c0\n"
                    "OpStore %p5 %t\n");
    for (uint32_t lane = 0; lane < 8; lane++) {
        g->in[lane * IN_WORDS] = lane == 6 ? 8 : 9;
        g->in[lane * IN_WORDS + 1] = lane != 2;
        *slot(g, lane, 3) = lane > 3;
        *slot(g, lane, 4) = lane % SUBGROUP == 0;
        *slot(g, lane, 5) = lane < 4;
    }
    expect_ok(g, "honest");
    expect_fault(g, "all, but one said no", 1, 3, 1, VERDICT_ULP, CLAUSE_GROUP_VOTE);
    expect_fault(g, "elect picks two", 5, 4, 1, VERDICT_MASK, CLAUSE_GROUP_ELECT);
    expect_fault(g, "elect picks none", 4, 4, 0, VERDICT_MASK, CLAUSE_GROUP_ELECT);
    expect_fault(g, "all equal, but one is not", 7, 5, 1, VERDICT_ULP, CLAUSE_GROUP_ALL_EQUAL);
    free_groups(g);
}

/* ---- OpGroup* over a work-group ---- */

static void workgroups_of_a_kernel(void **state)
{
    (void)state;
    COVERS(GROUP_INTEGER);
    COVERS(GROUP_EXCHANGE);
    struct groups_rig *g =
        make_groups(ENV_CL, 12, 6, "", "",
                    "%r = OpGroupIAdd %u32 %c2 Reduce %x\nOpStore %p3 %r\n"
                    "%i = OpGroupIAdd %u32 %c2 InclusiveScan %x\nOpStore %p4 %i\n"
                    "%b = OpGroupBroadcast %u32 %c2 %x %c5\nOpStore %p5 %b\n"
                    "%s = OpGroupIAdd %u32 %c3 Reduce %x\nOpStore %p6 %s\n");
    for (uint32_t group = 0; group < 2; group++) { /* sub-groups of 4 and 2 in each */
        uint32_t sum = 0, parts[2] = {0, 0};
        for (uint32_t k = 0; k < 6; k++) {
            uint32_t const lane = 6 * group + k;
            g->in[lane * IN_WORDS] = 1U << lane;
            sum += 1U << lane;
            parts[k / SUBGROUP] += 1U << lane;
            *slot(g, lane, 4) = sum;
        }
        for (uint32_t k = 0; k < 6; k++) {
            uint32_t const lane = 6 * group + k;
            *slot(g, lane, 3) = sum;
            *slot(g, lane, 5) = 1U << (6 * group + 5);
            *slot(g, lane, 6) = parts[k / SUBGROUP];
        }
    }
    expect_ok(g, "honest");
    expect_fault(g, "the work-group before", 7, 3, 0x3f, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    expect_fault(g, "the sub-group alone", 1, 3, 0xf, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    expect_fault(g, "a scan of the sub-group", 5, 4, 0x30, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    expect_fault(g, "always lane 0", 8, 5, 1U << 6, VERDICT_ULP, CLAUSE_GROUP_EXCHANGE);
    expect_fault(g, "a sub-group over the work-group", 5, 6, 0x3f, VERDICT_ULP,
                 CLAUSE_GROUP_INTEGER);
    free_groups(g);
}

/* ---- floats ---- */

static void put_sum(struct groups_rig *g, uint32_t bits)
{
    for (uint32_t lane = 0; lane < 4; lane++) {
        *slot(g, lane, 3) = bits;
    }
}

/* 2^24, 1, -2^24, 1: orders give 0, 1 and 2. */
static void sums_of_some_order(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    COVERS(GROUP_SUM_VK);
    COVERS(GROUP_AGREE);
    static const uint32_t terms[4] = {0x4b800000, ONE, 0xcb800000, ONE};
    for (int is_cl = 0; is_cl < 2; is_cl++) {
        struct groups_rig *g = make_groups(
            is_cl ? ENV_CL : ENV_VK, 4, 4, "", "",
            is_cl ? "%r = OpGroupFAdd %f32 %c3 Reduce %fx\n%rb = OpBitcast %u32 %r\n"
                    "OpStore %p3 %rb\n"
                  : "%r = OpGroupNonUniformFAdd %f32 %c3 Reduce %fx\n%rb = OpBitcast %u32 %r\n"
                    "OpStore %p3 %rb\n");
        for (uint32_t lane = 0; lane < 4; lane++) {
            g->in[lane * IN_WORDS] = terms[lane];
        }
        put_sum(g, ONE);
        expect_ok(g, "from left to right");
        put_sum(g, TWO);
        expect_ok(g, "the large ones first");
        put_sum(g, 0);
        expect_ok(g, "the ones get lost");
        put_sum(g, 0x41800000); /* 16: 4 at most, every step rounded up */
        expect_verdict(g, "of no order", VERDICT_ULP, CLAUSE_GROUP_SUM);
        put_sum(g, 0x40c00000); /* 6: a step of the type's precision may be off by 2 */
        expect_verdict(g, "of some method", is_cl ? VERDICT_ULP : VERDICT_DIVERGENCE,
                       is_cl ? CLAUSE_GROUP_SUM : CLAUSE_GROUP_SUM_VK);
        put_sum(g, ONE);
        *slot(g, 2, 3) = TWO;
        expect_verdict(g, "each right, but they differ", VERDICT_DIVERGENCE, CLAUSE_GROUP_AGREE);
        free_groups(g);
    }
}

static void minima_with_a_nan(void **state)
{
    (void)state;
    COVERS(GROUP_MINMAX);
    COVERS(GROUP_MINMAX_NAN);
    COVERS(GROUP_MINMAX_UNDEFINED);
    struct groups_rig *g = make_groups(
        ENV_CL, 4, 4, "", "",
        "%n = OpGroupNonUniformFMin %f32 %c3 Reduce %fx\n%nb = OpBitcast %u32 %n\n"
        "OpStore %p3 %nb\n%o = OpGroupFMin %f32 %c3 Reduce %fx\n%ob = OpBitcast %u32 %o\n"
        "OpStore %p4 %ob\n");
    static const uint32_t with_nan[4] = {TWO, QNAN, ONE, THREE}, plain[4] = {TWO, TWO, ONE, THREE};
    for (int has_nan = 0; has_nan < 2; has_nan++) {
        for (uint32_t lane = 0; lane < 4; lane++) {
            g->in[lane * IN_WORDS] = has_nan ? with_nan[lane] : plain[lane];
            *slot(g, lane, 3) = *slot(g, lane, 4) = ONE;
        }
        expect_ok(g, "the least number");
        expect_fault(g, "NonUniform: another number", 1, 3, TWO, VERDICT_ULP,
                     CLAUSE_GROUP_MINMAX_NAN);
        expect_fault(g, "NonUniform: a NaN", 1, 3, QNAN, VERDICT_NAN_RULE, CLAUSE_GROUP_MINMAX_NAN);
        if (has_nan) {
            expect_fault(g, "OpGroupFMin: another number", 1, 4, TWO, VERDICT_DIVERGENCE,
                         CLAUSE_GROUP_MINMAX_UNDEFINED);
            expect_fault(g, "OpGroupFMin: what the word held before", 1, 4, (uint32_t)UNTOUCHED,
                         VERDICT_DIVERGENCE, CLAUSE_GROUP_MINMAX_UNDEFINED);
            *slot(g, 2, 4) = QNAN;
            expect_ok(g, "OpGroupFMin: the NaN");
        } else {
            expect_fault(g, "OpGroupFMin: another number", 1, 4, TWO, VERDICT_ULP,
                         CLAUSE_GROUP_MINMAX);
            expect_fault(g, "OpGroupFMin: a NaN of nothing", 1, 4, QNAN, VERDICT_NAN_RULE,
                         CLAUSE_GROUP_MINMAX);
            expect_fault(g, "OpGroupFMin: never stored", 1, 4, (uint32_t)UNTOUCHED, VERDICT_MASK,
                         CLAUSE_EVERY_LANE);
        }
    }
    free_groups(g);
}

/* S 3.3.24: "if for any two Values one of them is a NaN, the other is chosen"; CE numerics: "Support for
 * signaling NaNs is not required". So one may swallow numbers, but not make another. */
static void minima_with_a_signalling_nan(void **state)
{
    (void)state;
    COVERS(GROUP_MINMAX_NAN);
    struct groups_rig *g =
        make_groups(ENV_CL, 4, 4, "", "",
                    "%n = OpGroupNonUniformFMin %f32 %c3 Reduce %fx\n%nb = OpBitcast %u32 %n\n"
                    "OpStore %p3 %nb\n");
    static const uint32_t x[4] = {ONE, TWO, SNAN, THREE};
    for (uint32_t lane = 0; lane < 4; lane++) {
        g->in[lane * IN_WORDS] = x[lane];
        *slot(g, lane, 3) = ONE;
    }
    expect_ok(g, "the least number");
    expect_fault(g, "nobody's number", 1, 3, 0x3f000000, VERDICT_NAN_RULE, CLAUSE_GROUP_MINMAX_NAN);
    expect_fault(g, "a zero", 1, 3, 0, VERDICT_NAN_RULE, CLAUSE_GROUP_MINMAX_NAN);
    expect_fault(g, "a number it did not swallow", 1, 3, TWO, VERDICT_DIVERGENCE,
                 CLAUSE_GROUP_MINMAX_NAN);
    *slot(g, 1, 3) = QNAN;
    expect_ok(g, "a NaN");
    *slot(g, 1, 3) = ONE;
    g->in[2 * IN_WORDS] = QNAN; /* a quiet one gives way */
    expect_ok(g, "the least number beside a quiet NaN");
    expect_fault(g, "another number", 1, 3, TWO, VERDICT_ULP, CLAUSE_GROUP_MINMAX_NAN);
    expect_fault(g, "the NaN", 1, 3, QNAN, VERDICT_NAN_RULE, CLAUSE_GROUP_MINMAX_NAN);
    free_groups(g);
}

static void exchanges_keep_the_bits(void **state)
{
    (void)state;
    COVERS(GROUP_EXCHANGE);
    COVERS(GROUP_EXCHANGE_FLUSH);
    struct groups_rig *g = make_groups(
        ENV_CL, 4, 4, "", "",
        "%s = OpGroupNonUniformShuffle %f32 %c3 %fx %y\n%sb = OpBitcast %u32 %s\n"
        "OpStore %p3 %sb\n%i = OpGroupNonUniformShuffleXor %u32 %c3 %x %c1\nOpStore %p4 %i\n");
    static const uint32_t x[4] = {TINY, MINUS_ZERO, QNAN | 7, TWO}, y[4] = {2, 0, 1, 77};
    for (uint32_t lane = 0; lane < 4; lane++) {
        g->in[lane * IN_WORDS] = x[lane];
        g->in[lane * IN_WORDS + 1] = y[lane];
        *slot(g, lane, 3) = y[lane] < 4 ? x[y[lane]] : 0x12345678; /* out of range: undefined */
        *slot(g, lane, 4) = x[lane ^ 1];
    }
    expect_ok(g, "honest");
    expect_fault(g, "a subnormal is flushed", 1, 3, 0, VERDICT_DIVERGENCE,
                 CLAUSE_GROUP_EXCHANGE_FLUSH);
    expect_fault(g, "-0 is lost", 2, 3, 0, VERDICT_ZERO_SIGN, CLAUSE_GROUP_EXCHANGE);
    expect_fault(g, "the own value", 2, 3, QNAN | 7, VERDICT_NAN_RULE, CLAUSE_GROUP_EXCHANGE);
    expect_fault(g, "another lane's", 1, 3, TWO, VERDICT_ULP, CLAUSE_GROUP_EXCHANGE);
    expect_fault(g, "a NaN becomes a number", 0, 3, ONE, VERDICT_NAN_RULE, CLAUSE_GROUP_EXCHANGE);
    expect_fault(g, "integers are never flushed", 1, 4, 0, VERDICT_ULP, CLAUSE_GROUP_EXCHANGE);
    *slot(g, 3, 3) = QNAN;
    expect_ok(g, "out of range: anything");
    free_groups(g);
}

/* A decorated sum may be off by its bound from what an order of the terms gives; an undecorated one may not. */
static void decorated_sums(void **state)
{
    /* SHOWS(ME_HANDED_ON) */
    (void)state;
    COVERS(GROUP_SUM);
    COVERS(MAX_ERROR);
    for (int is_decorated = 0; is_decorated < 2; is_decorated++) {
        struct groups_rig *g =
            make_groups(ENV_CL, 4, 4, "", is_decorated ? "OpDecorate %s !6170 !0x40800000\n" : "",
                        "%s = OpGroupFAdd %f32 %c3 Reduce %fx\n%b = OpBitcast %u32 %s\n"
                        "OpStore %p7 %b\n");
        static const uint32_t terms[4] = {0x3f800000, 0x40000000, 0x40400000, 0x40800000};
        uint32_t const ten = 0x41200000; /* of 1, 2, 3 and 4, in any order */
        for (uint32_t lane = 0; lane < 4; lane++) {
            g->in[lane * IN_WORDS] = terms[lane];
            *slot(g, lane, 7) = ten;
        }
        expect_ok(g, "exact");
        if (is_decorated) {
            for (uint32_t lane = 0; lane < 4; lane++) {
                *slot(g, lane, 7) = ten + 4;
            }
            expect_ok(g, "four off");
        }
        for (uint32_t lane = 0; lane < 4; lane++) {
            *slot(g, lane, 7) = ten;
        }
        expect_fault(g, "past the bound", 2, 7, ten + (is_decorated ? 5 : 1), VERDICT_ULP,
                     CLAUSE_GROUP_SUM);
        free_groups(g);
    }
}

/* A decorated broadcast may give each its own value within the bound; an undecorated one gives the source's. */
static void decorated_broadcasts(void **state)
{
    /* SHOWS(ME_HANDED_ON) */
    (void)state;
    COVERS(GROUP_EXCHANGE);
    COVERS(MAX_ERROR);
    static const char *const moves[] = {"OpGroupBroadcast %f32 %c3 %fx %c1",
                                        "OpGroupNonUniformBroadcast %f32 %c3 %fx %c1"};
    for (unsigned k = 0; k < 2 * ARRAY_N(moves); k++) {
        bool const is_decorated = k % 2;
        char body[128];
        (void)snprintf(body, sizeof body, "%%s = %s\n%%b = OpBitcast %%u32 %%s\nOpStore %%p7 %%b\n",
                       moves[k / 2]);
        struct groups_rig *h = make_groups(
            ENV_CL, 4, 4, "", is_decorated ? "OpDecorate %s !6170 !0x40800000\n" : "", body);
        uint32_t const three = 0x40400000;
        static const int off[4] = {4, -4, 0, 1};
        for (uint32_t lane = 0; lane < 4; lane++) {
            h->in[lane * IN_WORDS] = lane == 1 ? three : 0x42000000 + lane;
            *slot(h, lane, 7) = three;
        }
        expect_ok(h, "exact");
        expect_fault(h, "past the bound", 2, 7, three + (is_decorated ? 5 : 1), VERDICT_ULP,
                     is_decorated ? CLAUSE_MAX_ERROR : CLAUSE_GROUP_EXCHANGE);
        for (uint32_t lane = 0; lane < 4 && is_decorated; lane++) {
            *slot(h, lane, 7) = three + (uint32_t)off[lane];
        }
        expect_ok(h, "within it");
        free_groups(h);
    }
}

/* ---- SPV_AMD_shader_ballot ---- */

/* One sub-group of four; lanes 0, 1 and 3 take the arm. offsets 1 2 3 0; mask 2 1 2. */
static void amd_instructions(void **state)
{
    /* SHOWS(BA_NON_UNIFORM) */
    (void)state;
    COVERS(AMD_SWIZZLE);
    COVERS(AMD_SWIZZLE_MASKED);
    COVERS(AMD_WRITE);
    COVERS(AMD_MBCNT);
    COVERS(GROUP_INTEGER);
    struct groups_rig *g =
        make_groups(ENV_VK, 4, 4, "", "",
                    IF("cond",
                       "%s = OpExtInst %u32 %amd SwizzleInvocationsAMD %x %offsets\n"
                       "OpStore %p3 %s\n"
                       "%t = OpExtInst %u32 %amd SwizzleInvocationsMaskedAMD %x %masks\n"
                       "OpStore %p4 %t\n"
                       "%w = OpExtInst %u32 %amd WriteInvocationAMD %x %c7 %c3\nOpStore %p5 %w\n"
                       "%n = OpExtInst %u32 %amd MbcntAMD %c5\nOpStore %p6 %n\n"
                       "%a = OpGroupIAddNonUniformAMD %u32 %c3 Reduce %x\nOpStore %p7 %a\n",
                       "m"));
    /* swizzle: 0 <- 1, 1 <- 2 (out: 0), 3 <- 0. masked, ((i & 2) | 1) ^ 2: 0 and 1 <- 3, 3 <- 1.
     * write: lane 3 gets 7. mbcnt of 0b101: 0, 1, 2. */
    static const uint32_t x[4] =
        {
            10, 20, 40, 80
    },
                          want[4][5] = {
                              {20, 80, 10, 0, 110},
                              {0, 80, 20, 1, 110},
                              {0, 0, 0, 0, 0},
                              {10, 20, 7, 2, 110},
                          };
    for (uint32_t lane = 0; lane < 4; lane++) {
        g->in[lane * IN_WORDS] = x[lane];
        g->in[lane * IN_WORDS + 1] = lane != 2;
        if (lane != 2) {
            memcpy(slot(g, lane, FIRST_RESULT), want[lane], sizeof want[lane]);
        }
    }
    expect_ok(g, "honest");
    expect_fault(g, "an inactive lane's data", 1, 3, 40, VERDICT_ULP, CLAUSE_AMD_SWIZZLE);
    expect_fault(g, "the wrong offset", 0, 3, 80, VERDICT_ULP, CLAUSE_AMD_SWIZZLE);
    expect_fault(g, "xor before or", 3, 4, 80, VERDICT_ULP, CLAUSE_AMD_SWIZZLE_MASKED);
    expect_fault(g, "the wrong lane is written", 1, 5, 7, VERDICT_ULP, CLAUSE_AMD_WRITE);
    expect_fault(g, "the named lane is not", 3, 5, 80, VERDICT_ULP, CLAUSE_AMD_WRITE);
    expect_fault(g, "its own bit is counted", 0, 6, 1, VERDICT_ULP, CLAUSE_AMD_MBCNT);
    expect_fault(g, "an inactive lane is summed", 0, 7, 150, VERDICT_ULP, CLAUSE_GROUP_INTEGER);
    free_groups(g);
}

/* A decorated minimum may be off by its bound from the exact one, which an undecorated one must be. */
static void decorated_minima(void **state)
{
    /* SHOWS(ME_HANDED_ON) */
    (void)state;
    COVERS(GROUP_MINMAX);
    COVERS(MAX_ERROR);
    for (int is_decorated = 0; is_decorated < 2; is_decorated++) {
        struct groups_rig *g =
            make_groups(ENV_CL, 4, 4, "", is_decorated ? "OpDecorate %s !6170 !0x40800000\n" : "",
                        "%s = OpGroupFMin %f32 %c3 Reduce %fx\n%b = OpBitcast %u32 %s\n"
                        "OpStore %p7 %b\n");
        static const uint32_t terms[4] = {THREE, 0x3fc00000, 0x40800000, TWO};
        uint32_t const least = 0x3fc00000;
        for (uint32_t lane = 0; lane < 4; lane++) {
            g->in[lane * IN_WORDS] = terms[lane];
            *slot(g, lane, 7) = least;
        }
        expect_ok(g, "exact");
        if (is_decorated) {
            *slot(g, 1, 7) = least + 4;
            *slot(g, 2, 7) = least - 4;
            expect_ok(g, "four off");
            expect_fault(g, "five off", 1, 7, least + 5, VERDICT_ULP, CLAUSE_GROUP_MINMAX);
            expect_fault(g, "another's value", 2, 7, TWO, VERDICT_ULP, CLAUSE_GROUP_MINMAX);
        } else {
            expect_fault(g, "one off", 1, 7, least + 1, VERDICT_ULP, CLAUSE_GROUP_MINMAX);
        }
        free_groups(g);
    }
}

/* ---- what nothing confines ---- */

static const char no_ids[] =
    "SubgroupId, SubgroupLocalInvocationId and SubgroupSize are not stored "
    "before the operation";

/* A sum over each sub-group of four invocations, each of which adds 1. */
static struct groups_rig *make_sum(const char *more)
{
    char body[512];
    (void)snprintf(body, sizeof body,
                   "%%sum = OpGroupNonUniformIAdd %%u32 %%c3 Reduce %%c1\nOpStore %%p3 %%sum\n%s",
                   more);
    struct groups_rig *g = make_groups(ENV_VK, 8, 8, "", "", body);
    for (uint32_t lane = 0; lane < g->n; lane++) {
        *slot(g, lane, 3) = SUBGROUP;
    }
    return g;
}

/* The module without the first three stores, those of the ids, and their words as they were. */
static void drop_ids(struct groups_rig *g)
{
    uint32_t *const w = (uint32_t *)(uintptr_t)g->r->tc.module;
    uint32_t n_dropped = 0, at = 5;
    while (at < g->r->tc.n_words && n_dropped < 3) {
        uint32_t const n = w[at] >> 16;
        if ((w[at] & 0xffff) == SpvOpStore) {
            memmove(&w[at], &w[at + n], (g->r->tc.n_words - at - n) * sizeof *w);
            g->r->tc.n_words -= n;
            n_dropped++;
        } else {
            at += n;
        }
    }
    assert_int_equal(n_dropped, 3);
    for (uint32_t lane = 0; lane < g->n; lane++) {
        for (uint32_t k = 0; k < 3; k++) {
            *slot(g, lane, k) = (uint32_t)UNTOUCHED;
        }
    }
}

/* What of the values is confined, on both sides of each edge. */
static void unconfined_values_are_told(void **state)
{
    (void)state;
    struct groups_rig *g = make_sum("");
    expect_ok(g, "with ids");
    assert_int_equal(judgement_get_confinement(&g->r->j), CONFINED_MOST);
    assert_string_equal(judgement_describe(&g->r->j, &g->r->a), "ok");
    assert_false(judgement_is_open(&g->r->j));
    drop_ids(g);
    expect_ok(g, "without ids");
    assert_int_equal(g->r->j.n_unconfined[UNCONFINED_NO_IDS], 8);
    assert_int_equal(judgement_get_confinement(&g->r->j), CONFINED_NONE);
    assert_true(judgement_is_open(&g->r->j));
    char want[256];
    (void)snprintf(want, sizeof want, "ok: 0 of 8 values confined: %s", no_ids);
    assert_string_equal(judgement_describe(&g->r->j, &g->r->a), want);
    free_groups(g);
    g = make_sum(
        "%t = OpIAdd %u32 %x %c1\nOpStore %p4 %t\n"); /* half of the values are sums of x and 1 */
    drop_ids(g);
    for (uint32_t lane = 0; lane < 8; lane++) {
        *slot(g, lane, 4) = 1;
    }
    expect_ok(g, "half of them");
    assert_int_equal(g->r->j.n_judged, 2 * 8);
    assert_int_equal(judgement_get_confinement(&g->r->j), CONFINED_MOST);
    assert_false(judgement_is_open(&g->r->j));
    free_groups(g);
    g = make_groups(ENV_VK, 8, 8, "", "", ""); /* the ids alone */
    assert_int_equal(judge_rig(g->r), VERDICT_OK);
    assert_int_equal(g->r->j.n_judged, 0);
    assert_string_equal(
        judgement_describe(&g->r->j, &g->r->a),
        "ok: 0 of 24 values confined: they are values that the device alone can tell");
    assert_true(judgement_is_open(&g->r->j));
    free_groups(g);
}

/* S, OpGroupBroadcast: LocalId is the same for all, and selects one of the group; the behavior is undefined if not. */
static void an_id_that_selects_nobody(void **state)
{
    (void)state;
    COVERS(GROUP_EXCHANGE);
    static const struct {
        uint32_t id[4]; /* of each lane */
        enum undefined_kind why;
    } rows[] = {
        {{2, 2, 2, 2}, UNDEFINED_NONE },
        {{2, 2, 1, 2}, UNDEFINED_GROUP},
        {{4, 4, 4, 4}, UNDEFINED_GROUP},
    };
    struct groups_rig *g =
        make_groups(ENV_CL, 4, 4, "", "", "%b = OpGroupBroadcast %u32 %c2 %x %y\nOpStore %p3 %b\n");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        bool const is_defined = rows[i].why == UNDEFINED_NONE;
        for (uint32_t lane = 0; lane < 4; lane++) {
            g->in[lane * IN_WORDS] = 10 + lane;
            g->in[lane * IN_WORDS + 1] = rows[i].id[lane];
            *slot(g, lane, FIRST_RESULT) = 12;
        }
        assert_int_equal(judge_rig(g->r), is_defined ? VERDICT_OK : VERDICT_INCONCLUSIVE);
        assert_int_equal(g->r->j.undefined, rows[i].why);
        assert_int_equal(sim_find_undefined(&g->r->tc, 1, &g->r->a), rows[i].why);
    }
    free_groups(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decorated_minima),
        cmocka_unit_test(unconfined_values_are_told),
        cmocka_unit_test(takers_of_an_arm_take_part),
        cmocka_unit_test(inner_merges_leave_it_open),
        cmocka_unit_test(loops_shrink_the_mask),
        cmocka_unit_test(who_returned_is_gone),
        cmocka_unit_test(last_subgroups_are_smaller),
        cmocka_unit_test(ballots_are_counted),
        cmocka_unit_test(ids_must_fit_together),
        cmocka_unit_test(scans_go_by_id),
        cmocka_unit_test(votes_and_elections),
        cmocka_unit_test(workgroups_of_a_kernel),
        cmocka_unit_test(sums_of_some_order),
        cmocka_unit_test(minima_with_a_nan),
        cmocka_unit_test(exchanges_keep_the_bits),
        cmocka_unit_test(decorated_sums),
        cmocka_unit_test(decorated_broadcasts),
        cmocka_unit_test(amd_instructions),
        cmocka_unit_test(minima_with_a_signalling_nan),
        cmocka_unit_test(an_id_that_selects_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

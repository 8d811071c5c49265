/* oracle/host/test_host_group.c -- the simulator's plain group arithmetic against results by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/ops.h"
#include "oracle/host/host.h"
#include "oracle/host/host_group.h"

enum {
    N_LANES = 4,
    PICK = 0x5a, /* bits of what is undefined */
    REDUCE = SpvGroupOperationReduce,
    INCLUSIVE = SpvGroupOperationInclusiveScan,
    EXCLUSIVE = SpvGroupOperationExclusiveScan,
    CLUSTERED = SpvGroupOperationClusteredReduce,
    NONE = GROUP_NO_OPERATION
};

/* Lanes 1, 2, 5, 6 of a sub-group of 8 take part. */
struct example {
    uint32_t op, operation, cluster;
    int fmt;
    unsigned n_bits;
    uint64_t value[N_LANES], second[N_LANES], want[N_LANES];
};

#define NAN32 UINT64_C(0x7fc00000)
#define ONE32 UINT64_C(0x3f800000)
#define TWO32 UINT64_C(0x40000000)
#define INF32 UINT64_C(0x7f800000)
#define NEG0  UINT64_C(0x80000000)
/* clang-format off */
#define ROW(name, ...) {SpvOpGroupNonUniform##name, __VA_ARGS__}
static const struct example examples[] = {
    ROW(IAdd, REDUCE, 0, -1, 8, {200, 100, 1, 2}, {0}, {47, 47, 47, 47}),
    ROW(IAdd, INCLUSIVE, 0, -1, 8, {200, 100, 1, 2}, {0}, {200, 44, 45, 47}),
    ROW(IAdd, EXCLUSIVE, 0, -1, 8, {200, 100, 1, 2}, {0}, {0, 200, 44, 45}),
    ROW(IAdd, CLUSTERED, 4, -1, 32, {1, 2, 4, 8}, {0}, {3, 3, 12, 12}),
    ROW(IAdd, CLUSTERED, 2, -1, 32, {1, 2, 4, 8}, {0}, {1, 2, 4, 8}),
    ROW(IMul, EXCLUSIVE, 0, -1, 16, {3, 5, 7, 9}, {0}, {1, 3, 15, 105}),
    ROW(SMin, REDUCE, 0, -1, 8, {1, 0xff, 2, 3}, {0}, {255, 255, 255, 255}),
    ROW(UMin, REDUCE, 0, -1, 8, {1, 0xff, 2, 3}, {0}, {1, 1, 1, 1}),
    ROW(SMin, EXCLUSIVE, 0, -1, 8, {1, 2, 3, 4}, {0}, {127, 1, 1, 1}),
    ROW(SMax, EXCLUSIVE, 0, -1, 8, {1, 2, 3, 4}, {0}, {128, 1, 2, 3}),
    ROW(UMax, EXCLUSIVE, 0, -1, 8, {1, 2, 3, 4}, {0}, {0, 1, 2, 3}),
    ROW(BitwiseAnd, EXCLUSIVE, 0, -1, 8, {12, 10, 9, 4}, {0}, {255, 12, 8, 8}),
    ROW(BitwiseXor, REDUCE, 0, -1, 8, {12, 10, 9, 4}, {0}, {11, 11, 11, 11}),
    ROW(LogicalOr, INCLUSIVE, 0, -1, 1, {0, 1, 0, 0}, {0}, {0, 1, 1, 1}),
    ROW(FAdd, EXCLUSIVE, 0, FMT_F32, 32, {ONE32, ONE32, NEG0, TWO32}, {0},
        {0, ONE32, TWO32, TWO32}),
    ROW(FAdd, INCLUSIVE, 0, FMT_F32, 32, {NEG0, NEG0, 0, ONE32}, {0}, {NEG0, NEG0, 0, ONE32}),
    ROW(FMul, EXCLUSIVE, 0, FMT_F32, 32, {TWO32, ONE32, TWO32, ONE32}, {0},
        {ONE32, TWO32, TWO32, 0x40800000}),
    ROW(FMin, EXCLUSIVE, 0, FMT_F32, 32, {NAN32, TWO32, ONE32, 0}, {0},
        {INF32, NAN32, TWO32, ONE32}),
    ROW(FMax, REDUCE, 0, FMT_F32, 32, {NAN32, TWO32, ONE32, 0}, {0}, {TWO32, TWO32, TWO32, TWO32}),
    ROW(All, NONE, 0, -1, 1, {1, 1, 0, 1}, {0}, {0, 0, 0, 0}),
    ROW(Any, NONE, 0, -1, 1, {0, 0, 0, 1}, {0}, {1, 1, 1, 1}),
    ROW(AllEqual, NONE, 0, FMT_F32, 32, {0, NEG0, 0, 0}, {0}, {1, 1, 1, 1}),
    ROW(AllEqual, NONE, 0, FMT_F32, 32, {NAN32, NAN32, NAN32, NAN32}, {0}, {0, 0, 0, 0}),
    ROW(Elect, NONE, 0, -1, 1, {0}, {0, 0, 0, 0}, {1, 0, 0, 0}),
    ROW(Broadcast, NONE, 0, -1, 32, {7, 8, 9, 10}, {5, 5, 5, 5}, {9, 9, 9, 9}),
    ROW(BroadcastFirst, NONE, 0, -1, 32, {7, 8, 9, 10}, {0}, {7, 7, 7, 7}),
    ROW(Shuffle, NONE, 0, -1, 32, {7, 8, 9, 10}, {6, 0, 1, 99}, {10, PICK, 7, PICK}),
    ROW(ShuffleXor, NONE, 0, -1, 32, {7, 8, 9, 10}, {4, 4, 4, 1}, {9, 10, 7, PICK}),
    ROW(ShuffleUp, NONE, 0, -1, 32, {7, 8, 9, 10}, {1, 1, 3, 7}, {PICK, 7, 8, PICK}),
    ROW(ShuffleDown, NONE, 0, -1, 32, {7, 8, 9, 10}, {1, 3, 1, 1}, {8, 9, 10, PICK}),
    ROW(QuadSwap, NONE, 0, -1, 32, {7, 8, 9, 10}, {2, 2, 2, 2}, {8, 7, 10, 9}),
    ROW(QuadBroadcast, NONE, 0, -1, 32, {7, 8, 9, 10}, {2, 2, 2, 2}, {8, 8, 10, 10}),
    {5110, NONE, 0, -1, 1, {1, 0, 1, 1}, {0}, {0, 0, 1, 1}},
    {5111, NONE, 0, -1, 1, {1, 0, 0, 0}, {0}, {1, 1, 0, 0}},
    ROW(RotateKHR, NONE, 0, -1, 32, {7, 8, 9, 10}, {4, 4, 4, 4}, {9, 10, 7, 8}),
    ROW(RotateKHR, NONE, 4, -1, 32, {7, 8, 9, 10}, {1, 1, 1, 1}, {8, PICK, 10, PICK}),
    {OP_NUMBER(OP_SET_amd_ballot, 4), NONE, 0, -1, 32, {0xff, 0xff, 0x21, 0x41}, {0}, {1, 2, 1, 1}},
};
/* clang-format on */

/* Each example's results, worked out by hand. */
static void each_result_is_as_by_hand(void **state)
{
    (void)state;
    static const uint32_t index[N_LANES] = {1, 2, 5, 6};
    static struct host_modes const modes = {{0}, {0}};
    for (size_t e = 0; e < ARRAY_N(examples); e++) {
        const struct example *x = &examples[e];
        struct group_call const c = {.op = x->op,
                                     .operation = x->operation,
                                     .cluster = x->cluster,
                                     .fmt = x->fmt,
                                     .n_bits = x->n_bits,
                                     .n_components = 1,
                                     .n_results = 1,
                                     .size = 8,
                                     .max_size = 8,
                                     .n = N_LANES,
                                     .index = index,
                                     .value = x->value,
                                     .second = x->second};
        for (uint32_t i = 0; i < N_LANES; i++) {
            uint64_t got = UINT64_MAX;
            assert_int_equal(host_group(&modes, &c, i, PICK, &got), 1);
            if (got != x->want[i]) {
                fail_msg("example %zu, participant %u: 0x%llx, by hand 0x%llx", e, i,
                         (unsigned long long)got, (unsigned long long)x->want[i]);
            }
        }
    }
}

/* A ballot of 128 lanes and the instructions on it, worked out by hand. */
static void ballots_are_as_by_hand(void **state)
{
    (void)state;
    static const uint32_t index[N_LANES] = {0, 33, 64, 127};
    static const uint64_t yes[N_LANES] = {1, 1, 0, 1};
    static const uint64_t mask[N_LANES * 4] = {1, 2, 1, 0x80000000, 1, 2, 1, 0x80000000,
                                               1, 2, 1, 0x80000000, 1, 2, 1, 0x80000000};
    static const struct {
        uint32_t op, operation;
        uint64_t want[N_LANES];
    } rows[] = {
        {SpvOpGroupNonUniformBallotBitCount, REDUCE,    {4, 4, 4, 4}        },
        {SpvOpGroupNonUniformBallotBitCount, INCLUSIVE, {1, 2, 3, 4}        },
        {SpvOpGroupNonUniformBallotBitCount, EXCLUSIVE, {0, 1, 2, 3}        },
        {SpvOpGroupNonUniformBallotFindLSB,  NONE,      {0, 0, 0, 0}        },
        {SpvOpGroupNonUniformBallotFindMSB,  NONE,      {127, 127, 127, 127}},
        {SpvOpGroupNonUniformInverseBallot,  NONE,      {1, 1, 1, 1}        },
    };
    static struct host_modes const modes = {{0}, {0}};
    uint64_t got[4];
    struct group_call c = {.op = SpvOpGroupNonUniformBallot,
                           .operation = NONE,
                           .fmt = -1,
                           .n_bits = 1,
                           .n_components = 1,
                           .n_results = 4,
                           .size = 128,
                           .max_size = 128,
                           .n = N_LANES,
                           .index = index,
                           .value = yes};
    static const uint64_t want[4] = {1, 2, 0, 0x80000000};
    assert_int_equal(host_group(&modes, &c, 2, PICK, got), 1);
    assert_memory_equal(got, want, sizeof want);
    c.n_components = 4;
    c.n_results = 1;
    c.n_bits = 32;
    c.value = mask;
    for (size_t k = 0; k < ARRAY_N(rows); k++) {
        c.op = rows[k].op;
        c.operation = rows[k].operation;
        for (uint32_t i = 0; i < N_LANES; i++) {
            assert_int_equal(host_group(&modes, &c, i, PICK, got), 1);
            assert_int_equal(got[0], rows[k].want[i]);
        }
    }
}

/* A swizzle from a lane that does not take part gives 0; a written value goes to one lane only. */
static void swizzles_are_as_by_hand(void **state)
{
    (void)state;
    static const uint32_t index[N_LANES] = {1, 2, 5, 6};
    static const uint64_t value[N_LANES] = {7, 8, 9, 10}, other[N_LANES] = {50, 50, 50, 50};
    static const uint64_t second[N_LANES] = {2, 2, 2, 2};
    static const struct {
        uint32_t op, pattern[4];
        uint64_t want[N_LANES];
    } rows[] = {
        {OP_NUMBER(OP_SET_amd_ballot, 1), {0, 2, 0, 1},  {8, 0, 10, 0} },
        {OP_NUMBER(OP_SET_amd_ballot, 2), {31, 1, 3, 0}, {8, 0, 10, 0} },
        {OP_NUMBER(OP_SET_amd_ballot, 2), {3, 0, 4, 0},  {9, 10, 9, 10}},
        {OP_NUMBER(OP_SET_amd_ballot, 3), {0},           {7, 50, 9, 10}},
    };
    static struct host_modes const modes = {{0}, {0}};
    for (size_t k = 0; k < ARRAY_N(rows); k++) {
        struct group_call c = {.op = rows[k].op,
                               .operation = NONE,
                               .fmt = -1,
                               .n_bits = 32,
                               .n_components = 1,
                               .n_results = 1,
                               .size = 8,
                               .max_size = 8,
                               .n = N_LANES,
                               .index = index,
                               .value = value,
                               .second = second,
                               .other = other};
        memcpy(c.pattern, rows[k].pattern, sizeof c.pattern);
        for (uint32_t i = 0; i < N_LANES; i++) {
            uint64_t got = UINT64_MAX;
            assert_int_equal(host_group(&modes, &c, i, PICK, &got), 1);
            assert_int_equal(got, rows[k].want[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_result_is_as_by_hand),
        cmocka_unit_test(ballots_are_as_by_hand),
        cmocka_unit_test(swizzles_are_as_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

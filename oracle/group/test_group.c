/* oracle/group/test_group.c -- reductions and votes against plain loops over arrays of lanes. */
#include "oracle/group/test_group_world.h"

enum {
    ROUNDS = 4000
};

/* ---- reductions ---- */

/* A reduction in the types of C: the text's operation on two values of n_bits. */
static int64_t as_signed(uint64_t v, unsigned n_bits)
{
    switch (n_bits) {
    case 8:
        return (int8_t)(uint8_t)v;
    case 16:
        return (int16_t)(uint16_t)v;
    case 32:
        return (int32_t)(uint32_t)v;
    default:
        return (int64_t)v;
    }
}
static uint64_t add(uint64_t a, uint64_t b, unsigned n_bits)
{
    (void)n_bits;
    return a + b;
}
static uint64_t multiply(uint64_t a, uint64_t b, unsigned n_bits)
{
    uint64_t v = 0; /* by shift and add */
    for (unsigned k = 0; k < n_bits; k++) {
        v += (b >> k) & 1 ? a << k : 0;
    }
    return v;
}
static uint64_t smin(uint64_t a, uint64_t b, unsigned n_bits)
{
    return as_signed(b, n_bits) < as_signed(a, n_bits) ? b : a;
}
static uint64_t umin(uint64_t a, uint64_t b, unsigned n_bits)
{
    (void)n_bits;
    return b < a ? b : a;
}
static uint64_t smax(uint64_t a, uint64_t b, unsigned n_bits)
{
    return as_signed(b, n_bits) > as_signed(a, n_bits) ? b : a;
}
static uint64_t umax(uint64_t a, uint64_t b, unsigned n_bits)
{
    (void)n_bits;
    return b > a ? b : a;
}
static uint64_t bit_and(uint64_t a, uint64_t b, unsigned n_bits)
{
    (void)n_bits;
    return a & b;
}
static uint64_t bit_or(uint64_t a, uint64_t b, unsigned n_bits)
{
    (void)n_bits;
    return a | b;
}
static uint64_t bit_xor(uint64_t a, uint64_t b, unsigned n_bits)
{
    (void)n_bits;
    return (a | b) & ~(a & b);
}

/* Identities as A8 lists them, for 32 bits. */
struct reduction_row {
    uint32_t op;
    uint64_t (*apply)(uint64_t a, uint64_t b, unsigned n_bits);
    uint32_t identity;
    int is_logical;
};
static const struct reduction_row reductions[] = {
    {264,  add,      0,          0},
    {267,  umin,     UINT32_MAX, 0},
    {268,  smin,     INT32_MAX,  0},
    {270,  umax,     0,          0},
    {271,  smax,     0x80000000, 0},
    {6401, multiply, 1,          0},
    {6403, bit_and,  UINT32_MAX, 0},
    {6404, bit_or,   0,          0},
    {6405, bit_xor,  0,          0},
    {6406, bit_and,  1,          1},
    {6407, bit_or,   0,          1},
    {6408, bit_xor,  0,          1},
    {349,  add,      0,          0},
    {351,  multiply, 1,          0},
    {353,  smin,     INT32_MAX,  0},
    {354,  umin,     UINT32_MAX, 0},
    {356,  smax,     0x80000000, 0},
    {357,  umax,     0,          0},
    {359,  bit_and,  UINT32_MAX, 0},
    {360,  bit_or,   0,          0},
    {361,  bit_xor,  0,          0},
    {362,  bit_and,  1,          1},
    {363,  bit_or,   0,          1},
    {364,  bit_xor,  0,          1},
    {5000, add,      0,          0},
    {5003, umin,     UINT32_MAX, 0},
    {5004, smin,     INT32_MAX,  0},
    {5006, umax,     0,          0},
    {5007, smax,     0x80000000, 0},
};

/* Does `from` go into the result of `lane`? */
static int goes_in(const struct world *w, const struct group_call *c, unsigned from, unsigned lane)
{
    switch (c->operation) {
    case 0:
        return w->active[from];
    case 1:
        return from <= lane && w->active[from];
    case 2:
        return from < lane && w->active[from];
    default:
        return w->active[from] && from / c->cluster == lane / c->cluster;
    }
}

/* Compares each participant's result of an integer reduction with a plain loop over the lanes. Returns how many
 * were checked. */
static size_t check_reduction(struct world *w, const struct reduction_row *row, unsigned n_bits,
                              uint32_t operation, uint32_t cluster)
{
    struct packed p;
    pack(&p, w, row->op, n_bits);
    p.c.operation = operation;
    p.c.cluster = cluster;
    for (uint32_t i = 0; i < p.c.n; i++) {
        uint64_t want[MAX_COMPONENTS];
        unsigned const lane = p.index[i];
        for (unsigned k = 0; k < w->n_components; k++) {
            int is_empty = 1;
            want[k] = group_identity(row->op, -1, n_bits);
            for (unsigned from = 0; from < w->size; from++) {
                if (goes_in(w, &p.c, from, lane)) {
                    want[k] =
                        is_empty ? w->in[from][k] : row->apply(want[k], w->in[from][k], n_bits);
                    want[k] &= low_bits(n_bits);
                    is_empty = 0;
                }
            }
        }
        if (operation == 0 && w->n_components == 1) {
            assert_true(group_reduce_integer(row->op, n_bits, p.value, p.c.n) == want[0]);
        }
        int const is_tail = operation == 3 && (lane / cluster + 1) * cluster > w->size;
        expect_answer(&p, i, NULL, is_tail ? GROUP_ANYTHING : GROUP_IS, want, n_bits);
    }
    return p.c.n;
}

/* Random groups, widths, operations and cluster sizes for every integer and bool reduction, against
 * check_reduction. */
static void reductions_are_those_of_a_plain_loop(void **state)
{
    (void)state;
    COVERS(GROUP_INTEGER);
    static const unsigned widths[] = {8, 16, 32, 64};
    struct rng rng = rng_seed(1);
    size_t n_checked[ARRAY_N(reductions)][4] = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        const struct reduction_row *row = &reductions[round % ARRAY_N(reductions)];
        unsigned const n_bits = row->is_logical ? 1 : widths[rng_below(&rng, 4)];
        draw_world(&rng, &w, n_bits);
        w.n_components = (unsigned)rng_below(&rng, 4) + 1;
        for (uint32_t operation = 0; operation < 4; operation++) {
            uint32_t cluster = 1;
            while (operation == 3 && cluster * 2 <= w.size && rng_below(&rng, 4)) {
                cluster *= 2;
            }
            n_checked[round % ARRAY_N(reductions)][operation] +=
                check_reduction(&w, row, n_bits, operation, cluster);
        }
    }
    for (unsigned r = 0; r < ARRAY_N(reductions); r++) {
        for (unsigned operation = 0; operation < 4; operation++) {
            assert_true(n_checked[r][operation] > 1000);
        }
    }
}

/* The identity of each reduction, for each type, is the one that the specifications name. */
static void identities_are_those_of_the_texts(void **state)
{
    /* SHOWS(BA_IADD, BA_FADD, BA_FMIN, BA_FMAX, BA_UMIN, BA_SMIN, BA_UMAX, BA_SMAX) */
    (void)state;
    COVERS(GROUP_IDENTITY);
    size_t n = 0;
    for (unsigned r = 0; r < ARRAY_N(reductions); r++, n++) {
        const struct reduction_row *row = &reductions[r];
        uint64_t const got = group_identity(row->op, -1, row->is_logical ? 1 : 32);
        assert_true(got == row->identity);
        assert_true(group_reduce_integer(row->op, row->is_logical ? 1 : 32, NULL, 0) == got);
        assert_true(group_kind_of(row->op) == GROUP_ARITH);
    }
    assert_true(n > 0);
    assert_true(group_identity(SpvOpGroupSMin, -1, 8) == 0x7f);
    assert_true(group_identity(SpvOpGroupSMin, -1, 64) == INT64_MAX);
    assert_true(group_identity(SpvOpGroupNonUniformSMax, -1, 16) == 0x8000);
    assert_true(group_identity(SpvOpGroupUMin, -1, 16) == 0xffff);
    assert_true(group_identity(SpvOpGroupNonUniformUMin, -1, 64) == UINT64_MAX);
    assert_true(group_identity(SpvOpGroupNonUniformIMul, -1, 8) == 1);
    assert_true(group_identity(SpvOpGroupFAdd, FMT_F32, 32) == 0);
    assert_true(group_identity(SpvOpGroupNonUniformFMul, FMT_F16, 16) == 0x3c00);
    assert_true(group_identity(SpvOpGroupFMulKHR, FMT_F32, 32) == 0x3f800000);
    assert_true(group_identity(SpvOpGroupNonUniformFMul, FMT_F64, 64) == 0x3ff0000000000000);
    assert_true(group_identity(SpvOpGroupFMin, FMT_F32, 32) == 0x7f800000);
    assert_true(group_identity(SpvOpGroupFMaxNonUniformAMD, FMT_F16, 16) == 0xfc00);
    static const struct {
        uint32_t op;
        uint64_t of[4]; /* of 8 (integers) or 16 (floats), 16, 32 and 64 bits */
    } amd[] = {
        {SpvOpGroupIAddNonUniformAMD, {0, 0, 0, 0}                                    },
        {SpvOpGroupUMinNonUniformAMD, {0xff, 0xffff, 0xffffffff, UINT64_MAX}          },
        {SpvOpGroupSMinNonUniformAMD, {0x7f, 0x7fff, 0x7fffffff, INT64_MAX}           },
        {SpvOpGroupUMaxNonUniformAMD, {0, 0, 0, 0}                                    },
        {SpvOpGroupSMaxNonUniformAMD, {0x80, 0x8000, 0x80000000, 0x8000000000000000}  },
        {SpvOpGroupFAddNonUniformAMD, {0, 0, 0, 0}                                    },
        {SpvOpGroupFMinNonUniformAMD, {0x7c00, 0x7c00, 0x7f800000, 0x7ff0000000000000}},
        {SpvOpGroupFMaxNonUniformAMD, {0xfc00, 0xfc00, 0xff800000, 0xfff0000000000000}},
    };
    static const int formats[] = {FMT_F16, FMT_F16, FMT_F32, FMT_F64};
    for (size_t i = 0; i < ARRAY_N(amd); i++) {
        for (unsigned k = 0; k < 4; k++) {
            bool const is_float = i >= 5;
            unsigned const n_bits = is_float && k == 0 ? 16 : 8U << k;
            assert_true(group_identity(amd[i].op, is_float ? formats[k] : -1, n_bits) ==
                        amd[i].of[k]);
        }
    }
}

/* Cluster sizes that are no power of two, 0, or larger than the sub-group are misuse; the legal neighbours are
 * not. */
static void clusters_of_a_bad_size_are_misuse(void **state)
{
    (void)state;
    static const struct {
        uint32_t size, max_size, cluster;
        int is_kernel;
        enum group_answer want; /* of lane 0 */
    } rows[] = {
        {32, 32, 3,  0, GROUP_MISUSE  },
        {32, 32, 0,  0, GROUP_MISUSE  },
        {32, 32, 64, 0, GROUP_MISUSE  },
        {32, 32, 32, 0, GROUP_IS      },
        {32, 32, 1,  0, GROUP_IS      },
        {20, 32, 32, 1, GROUP_ANYTHING}, /* a last sub-group: no full cluster */
        {20, 32, 64, 1, GROUP_MISUSE  },
        {20, 32, 16, 1, GROUP_IS      },
    };
    for (unsigned i = 0; i < ARRAY_N(rows); i++) {
        struct rng rng = rng_seed(i);
        struct world w;
        struct packed p;
        draw_world(&rng, &w, 32);
        w.size = rows[i].size;
        memset(w.active, 1, w.size);
        pack(&p, &w, SpvOpGroupNonUniformIAdd, 32);
        p.c.operation = SpvGroupOperationClusteredReduce;
        p.c.cluster = rows[i].cluster;
        p.c.max_size = rows[i].max_size;
        p.c.is_kernel = rows[i].is_kernel;
        uint64_t out;
        assert_int_equal(group_check(&p.c, 0), rows[i].want);
        assert_int_equal(group_answer(&p.c, 0, NULL, &out), rows[i].want);
    }
}

/* A work-group is larger than any sub-group, and its index is the linear local id. */
static void workgroup_scans_go_by_linear_id(void **state)
{
    (void)state;
    COVERS(GROUP_INTEGER);
    enum {
        N = 1000
    };
    static uint64_t value[N], second[N];
    static uint32_t index[N];
    uint64_t sum = 0, out;
    for (uint32_t i = 0; i < N; i++) {
        index[i] = i;
        value[i] = i * 2654435761U;
        second[i] = 777;
    }
    struct group_call c = {.op = SpvOpGroupIAdd,
                           .operation = SpvGroupOperationExclusiveScan,
                           .is_workgroup = 1,
                           .is_kernel = 1,
                           .fmt = -1,
                           .n_bits = 32,
                           .n_components = 1,
                           .n_results = 1,
                           .size = N,
                           .max_size = N,
                           .n = N,
                           .index = index,
                           .value = value,
                           .second = second};
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(group_answer(&c, i, NULL, &out), GROUP_IS);
        assert_true(out == (sum & UINT32_MAX));
        sum += i * 2654435761U;
    }
    c.op = SpvOpGroupBroadcast;
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(group_answer(&c, i, NULL, &out), GROUP_IS);
        assert_true(out == value[777]);
    }
}

/* ---- votes ---- */

/* All and Any over random participants equal a plain loop, and Elect is true for the first participant only. */
static void votes_count_participants_alone(void **state)
{
    (void)state;
    COVERS(GROUP_VOTE);
    COVERS(GROUP_ELECT);
    static const uint32_t ops[] = {261, 262, 334, 335};
    struct rng rng = rng_seed(2);
    size_t n[ARRAY_N(ops)][2] = {0}, n_elected = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        draw_world(&rng, &w, 1);
        uint64_t const bias = rng_below(&rng, 3);
        uint64_t all = 1, any = 0;
        int first = -1;
        for (unsigned lane = 0; lane < LANES; lane++) {
            w.in[lane][0] = bias == 0 ? 0 : bias == 1 ? 1 : rng_below(&rng, 2);
            if (w.active[lane]) {
                all &= w.in[lane][0];
                any |= w.in[lane][0];
                first = first < 0 ? (int)lane : first;
            }
        }
        unsigned const which = round % ARRAY_N(ops);
        uint64_t const want = which % 2 ? any : all;
        pack(&p, &w, ops[which], 1);
        for (uint32_t i = 0; i < p.c.n; i++) {
            expect_answer(&p, i, NULL, GROUP_IS, &want, 1);
        }
        n[which][want]++;
        p.c.op = SpvOpGroupNonUniformElect;
        p.c.n_components = 0;
        p.c.n_results = 1;
        for (uint32_t i = 0; i < p.c.n; i++) {
            uint64_t const elected = (int)p.index[i] == first;
            expect_answer(&p, i, NULL, GROUP_IS, &elected, 1);
            n_elected += elected;
        }
    }
    for (unsigned which = 0; which < ARRAY_N(ops); which++) {
        assert_true(n[which][0] > 100 && n[which][1] > 100);
    }
    assert_true(n_elected == ROUNDS);
}

/* AllEqual of integers compares all components of all active lanes: one flipped bit of an active lane makes it
 * false. */
static void all_equal_compares_every_component(void **state)
{
    (void)state;
    COVERS(GROUP_ALL_EQUAL);
    struct rng rng = rng_seed(3);
    size_t n[2] = {0, 0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        draw_world(&rng, &w, 64);
        w.n_components = (unsigned)rng_below(&rng, 4) + 1;
        for (unsigned lane = 0; lane < LANES; lane++) {
            memcpy(w.in[lane], w.in[0], sizeof w.in[0]);
        }
        if (rng_below(&rng, 2)) { /* one lane of all, active or not, in one component */
            w.in[rng_below(&rng, w.size)][rng_below(&rng, 4)] ^= UINT64_C(1) << rng_below(&rng, 64);
        }
        uint64_t want = 1;
        for (unsigned a = 0; a < w.size; a++) {
            for (unsigned b = 0; b < w.size; b++) {
                int const both = w.active[a] && w.active[b];
                want &= !both || memcmp(w.in[a], w.in[b], 8 * w.n_components) == 0;
            }
        }
        pack(&p, &w, SpvOpGroupNonUniformAllEqual, 64);
        p.c.n_results = 1;
        for (uint32_t i = 0; i < p.c.n; i++) {
            expect_answer(&p, i, NULL, GROUP_IS, &want, 1);
        }
        n[want]++;
    }
    assert_true(n[0] > 100 && n[1] > 100);
}

/* Each quad by itself: lanes 4k to 4k + 3, of which those count that take part. */
static void quads_vote_alone(void **state)
{
    (void)state;
    COVERS(GROUP_VOTE);
    struct rng rng = rng_seed(21);
    size_t n_differ = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        draw_world(&rng, &w, 1);
        bool const is_any = round % 2;
        pack(&p, &w, is_any ? 5111 : 5110, 1);
        for (uint32_t i = 0; i < p.c.n; i++) {
            unsigned const first = p.index[i] & ~3u;
            unsigned n_yes = 0, n_here = 0;
            for (unsigned lane = first; lane < first + 4 && lane < LANES; lane++) {
                n_here += w.active[lane] ? 1 : 0;
                n_yes += w.active[lane] && w.in[lane][0] ? 1 : 0;
            }
            uint64_t const want = is_any ? n_yes > 0 : n_yes == n_here;
            uint64_t whole = 0;
            expect_answer(&p, i, NULL, GROUP_IS, &want, 1);
            struct group_call wide = p.c;
            wide.op = is_any ? SpvOpGroupNonUniformAny : SpvOpGroupNonUniformAll;
            assert_int_equal(group_answer(&wide, i, NULL, &whole), GROUP_IS);
            n_differ += whole != want;
        }
    }
    assert_true(n_differ > ROUNDS);
}

/* ---- kinds ---- */

/* Every row of the table from GroupAll on has a kind, and no other. */
static void every_row_has_a_kind(void **state)
{
    (void)state;
    size_t n[10] = {0};
    for (int row = 0; row < OP_N; row++) {
        enum group_kind const kind = group_kind_of(op_rows[row].number);
        assert_true((row >= OP_core_GroupAll && row <= OP_amd_ballot_MbcntAMD) ==
                    (kind != GROUP_NONE));
        n[kind]++;
    }
    static const size_t want[10] = {[GROUP_ARITH] = 40, [GROUP_VOTE] = 6,   [GROUP_ALL_EQUAL] = 1,
                                    [GROUP_ELECT] = 1,  [GROUP_BALLOT] = 1, [GROUP_OF_BALLOT] = 5,
                                    [GROUP_MOVE] = 17,  [GROUP_MBCNT] = 1,  [GROUP_PARTITION] = 1};
    for (unsigned kind = GROUP_ARITH; kind <= GROUP_PARTITION; kind++) {
        assert_int_equal(n[kind], want[kind]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_are_those_of_a_plain_loop),
        cmocka_unit_test(identities_are_those_of_the_texts),
        cmocka_unit_test(quads_vote_alone),
        cmocka_unit_test(clusters_of_a_bad_size_are_misuse),
        cmocka_unit_test(workgroup_scans_go_by_linear_id),
        cmocka_unit_test(votes_count_participants_alone),
        cmocka_unit_test(all_equal_compares_every_component),
        cmocka_unit_test(every_row_has_a_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

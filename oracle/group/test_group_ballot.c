/* oracle/group/test_group_ballot.c -- ballots against arrays of bits, and operands that are not known. */
#include "oracle/group/test_group_world.h"

enum {
    ROUNDS = 4000
};

/* A ballot has the bits of the active lanes whose operand is true, and no other bit. */
static void ballot_has_a_bit_for_each_participant(void **state)
{
    (void)state;
    COVERS(GROUP_BALLOT);
    struct rng rng = rng_seed(4);
    size_t n_set = 0, n_clear = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        uint64_t want[4] = {0, 0, 0, 0};
        draw_world(&rng, &w, 1);
        for (unsigned lane = 0; lane < w.size; lane++) {
            int const bit = w.active[lane] && w.in[lane][0];
            want[lane / 32] += bit ? UINT64_C(1) << lane % 32 : 0;
            n_set += (size_t)bit;
            n_clear += !bit;
        }
        pack(&p, &w, SpvOpGroupNonUniformBallot, 1);
        p.c.n_results = 4;
        for (uint32_t i = 0; i < p.c.n; i++) {
            expect_answer(&p, i, NULL, GROUP_IS, want, 32);
        }
    }
    assert_true(n_set > ROUNDS && n_clear > ROUNDS);
}

/* A partition's ballot has the lanes with the same value, by a plain loop. The bits of lanes that do not take part
 * are free. */
static void partition_has_those_of_one_value(void **state)
{
    (void)state;
    COVERS(GROUP_PARTITION);
    struct rng rng = rng_seed(31);
    size_t n_with = 0, n_without = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        draw_world(&rng, &w, 2);
        pack(&p, &w, 5296, 2);
        p.c.n_results = 4;
        for (uint32_t i = 0; i < p.c.n; i++) {
            uint64_t must[4], may[4];
            unsigned const own = p.index[i];
            group_partition(&p.c, i, NULL, must, may);
            for (unsigned lane = 0; lane < w.size; lane++) {
                bool const is_here = w.active[lane];
                bool const is_same = is_here && w.in[lane][0] == w.in[own][0];
                assert_int_equal(must[lane / 32] >> lane % 32 & 1, is_same);
                assert_int_equal(may[lane / 32] >> lane % 32 & 1, is_same || !is_here);
                n_with += is_same;
                n_without += is_here && !is_same;
            }
        }
    }
    assert_true(n_with > ROUNDS && n_without > ROUNDS);
}

/* Zeros of both signs are one value. A subnormal may equal zero where it may be flushed. A NaN is equal to
 * nothing, but may be in one subset with a NaN of the same bits. */
static void partition_of_floats(void **state)
{
    (void)state;
    static const uint64_t values[] = {0, 0x80000000, 1, 0x3f800000, 0x7fc00000, 0x7fc00000};
    static const uint32_t index[] = {0, 1, 2, 3, 4, 5};
    struct rules keeps = {.special = GRADE_VIOLATION};
    struct rules flushes = {.special = GRADE_VIOLATION, .fp = {.flush_in = FLUSH_MAY}};
    struct group_call const c = {.op = 5296,
                                 .operation = GROUP_NO_OPERATION,
                                 .fmt = FMT_F32,
                                 .n_bits = 32,
                                 .n_components = 1,
                                 .n_results = 4,
                                 .size = 6,
                                 .max_size = 6,
                                 .n = 6,
                                 .index = index,
                                 .value = values};
    uint64_t must[4], may[4];
    group_partition(&c, 0, &keeps, must, may);
    assert_int_equal(must[0], 0x3);
    assert_int_equal(may[0] & 0x3f, 0x3);
    group_partition(&c, 0, &flushes, must, may);
    assert_int_equal(must[0], 0x3);
    assert_int_equal(may[0] & 0x3f, 0x7);
    group_partition(&c, 4, &keeps, must, may);
    assert_int_equal(must[0], 0x10);
    assert_int_equal(may[0] & 0x3f, 0x30);
}

/* The bits of a ballot as an array. */
static void spread(const uint64_t *ballot, int *bit)
{
    for (unsigned k = 0; k < LANES; k++) {
        bit[k] = (ballot[k / 32] >> k % 32) % 2 != 0;
    }
}

static int count(const int *bit, unsigned end)
{
    int n = 0;
    for (unsigned k = 0; k < end; k++) {
        n += bit[k];
    }
    return n;
}

/* Compares participant i's results of the instructions on a ballot (counts, first and last bit, one bit) with
 * plain loops. */
static void check_ballot_use(const struct world *w, struct packed *p, uint32_t i)
{
    int bit[LANES];
    int low = -1, high = -1;
    unsigned const lane = p->index[i];
    spread(&p->value[(size_t)i * 4], bit);
    for (unsigned k = 0; k < w->size; k++) {
        low = low < 0 && bit[k] ? (int)k : low;
        high = bit[k] ? (int)k : high;
    }
    uint64_t const counts[3] = {(uint64_t)count(bit, w->size), (uint64_t)count(bit, lane + 1),
                                (uint64_t)count(bit, lane)};
    p->c.op = SpvOpGroupNonUniformBallotBitCount;
    for (uint32_t operation = 0; operation < 3; operation++) {
        p->c.operation = operation;
        expect_answer(p, i, NULL, GROUP_IS, &counts[operation], 32);
    }
    p->c.operation = GROUP_NO_OPERATION;
    enum group_answer const found = low < 0 ? GROUP_ANYTHING : GROUP_IS;
    uint64_t const lsb = (uint64_t)low, msb = (uint64_t)high;
    p->c.op = SpvOpGroupNonUniformBallotFindLSB;
    expect_answer(p, i, NULL, found, &lsb, 32);
    p->c.op = SpvOpGroupNonUniformBallotFindMSB;
    expect_answer(p, i, NULL, found, &msb, 32);
    p->c.op = SpvOpGroupNonUniformBallotBitExtract;
    uint64_t const extracted = p->second[i] < w->size ? (uint64_t)bit[p->second[i]] : 0;
    expect_answer(p, i, NULL, p->second[i] < w->size ? GROUP_IS : GROUP_ANYTHING, &extracted, 1);
}

/* Instructions on random ballots ignore bits beyond the size of the sub-group. InverseBallot of a ballot that is
 * not the same for all participants is misuse. */
static void ballots_are_read_up_to_the_size(void **state)
{
    (void)state;
    COVERS(GROUP_BALLOT);
    struct rng rng = rng_seed(5);
    size_t n_misuse = 0, n_inverse = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        draw_world(&rng, &w, 32);
        w.n_components = 4;
        int const is_same = rng_below(&rng, 2) != 0;
        for (unsigned lane = 0; lane < LANES; lane++) {
            w.second[lane] = rng_below(&rng, 140);
            for (unsigned k = 0; k < 4; k++) {
                uint64_t const mask = rng_next(&rng) & (rng_below(&rng, 3) ? 0 : UINT32_MAX);
                w.in[lane][k] = is_same && lane ? w.in[0][k] : mask;
            }
        }
        pack(&p, &w, 0, 32);
        p.c.n_results = 1;
        int differs = 0;
        for (uint32_t i = 0; i < p.c.n; i++) {
            check_ballot_use(&w, &p, i);
            differs |= memcmp(&p.value[(size_t)i * 4], p.value, 4 * sizeof *p.value) != 0;
        }
        p.c.op = SpvOpGroupNonUniformInverseBallot;
        for (uint32_t i = 0; i < p.c.n; i++) {
            int bit[LANES];
            spread(&p.value[(size_t)i * 4], bit);
            uint64_t const own = (uint64_t)bit[p.index[i]];
            expect_answer(&p, i, NULL, differs ? GROUP_MISUSE : GROUP_IS, &own, 1);
            n_misuse += (size_t)differs;
            n_inverse += !differs;
        }
    }
    assert_true(n_misuse > ROUNDS && n_inverse > ROUNDS);
}

/* OpenCL C counts bits below the maximum size, SPIR-V those of the group's invocations. */
static void bits_past_a_last_subgroup_may_count(void **state)
{
    (void)state;
    COVERS(GROUP_BALLOT);
    struct world w = {.size = 5, .n_components = 4};
    struct packed p;
    uint64_t const two = 2, one = 1;
    memset(w.active, 1, 5);
    for (unsigned lane = 0; lane < 5; lane++) {
        w.known[lane] = w.known_second[lane] = 1;
        w.in[lane][0] = 0x12; /* bits 1 and 4 */
    }
    for (int has_bit_6 = 0; has_bit_6 < 2; has_bit_6++) {
        for (unsigned lane = 0; lane < 5; lane++) {
            w.in[lane][0] |= has_bit_6 ? 0x40 : 0;
        }
        pack(&p, &w, SpvOpGroupNonUniformBallotBitCount, 32);
        p.c.n_results = 1;
        p.c.operation = SpvGroupOperationReduce;
        expect_answer(&p, 0, NULL, GROUP_IS, &two, 32);
        p.c.is_kernel = 1;
        p.c.max_size = 8;
        expect_answer(&p, 0, NULL, has_bit_6 ? GROUP_ANYTHING : GROUP_IS, &two, 32);
        p.c.operation = SpvGroupOperationInclusiveScan;
        expect_answer(&p, 4, NULL, GROUP_IS, &two, 32);
        p.c.op = SpvOpGroupNonUniformBallotFindLSB;
        expect_answer(&p, 0, NULL, GROUP_IS, &one, 32);
    }
}

/* ---- what is not known ---- */

/* The answer with everything known, the unknown values drawn anew. */
static enum group_answer answer_with(struct packed *p, struct rng *rng, uint32_t i, uint64_t *out)
{
    struct packed full = *p;
    full.c.value = full.value;
    full.c.second = full.second;
    full.c.other = full.other;
    full.c.index = full.index;
    full.c.known = full.c.known_second = NULL;
    for (uint32_t k = 0; k < p->c.n; k++) {
        for (unsigned comp = 0; !p->known[k] && comp < p->c.n_components; comp++) {
            full.value[k * p->c.n_components + comp] = draw_value(rng, p->c.n_bits);
        }
    }
    memset(out, 0, 4 * sizeof *out);
    return group_answer(&full.c, i, NULL, out);
}

/* An answer that is given although a value is unknown is the same for any value in its stead. */
static void unknown_values_matter_only_where_they_can(void **state)
{
    (void)state;
    COVERS(GROUP_INTEGER);
    COVERS(GROUP_VOTE);
    static const uint32_t ops[] = {334, 335, 336, 339, 345, 349, 351, 353, 354, 356,
                                   357, 359, 360, 361, 362, 363, 333, 338, 346};
    struct rng rng = rng_seed(6);
    size_t n_known = 0, n_unknown = 0;
    for (unsigned round = 0; round < 2 * ROUNDS; round++) {
        struct world w;
        struct packed p;
        uint32_t const op = ops[round % ARRAY_N(ops)];
        unsigned const n_bits =
            op == 334 || op == 335 || op == 339 || op == 362 || op == 363 ? 1 : 8;
        draw_world(&rng, &w, n_bits);
        uint64_t const share = 1 + rng_below(&rng, 8);
        for (unsigned lane = 0; lane < LANES; lane++) {
            w.known[lane] = rng_below(&rng, share) != 0;
            w.second[lane] = rng_below(&rng, w.size);
        }
        pack(&p, &w, op, n_bits);
        p.c.operation = (uint32_t)rng_below(&rng, 3);
        p.c.n_results = op == 339 ? 4 : 1;
        uint32_t const i = (uint32_t)rng_below(&rng, p.c.n);
        uint64_t out[4] = {0}, first[4] = {0}, again[4];
        enum group_answer const answer = group_answer(&p.c, i, NULL, out);
        int differs = 0;
        for (unsigned trial = 0; trial < 40; trial++) {
            enum group_answer const want = answer_with(&p, &rng, i, again);
            if (trial == 0) {
                memcpy(first, again, sizeof first);
            }
            differs |= memcmp(first, again, sizeof first) != 0;
            if (answer != GROUP_UNKNOWN) {
                assert_int_equal(want, answer);
                assert_true(answer != GROUP_IS || memcmp(out, again, sizeof out) == 0);
            }
        }
        assert_true(!differs || answer == GROUP_UNKNOWN);
        n_known += answer != GROUP_UNKNOWN && memchr(p.known, 0, p.c.n) != NULL;
        n_unknown += answer == GROUP_UNKNOWN && differs;
    }
    assert_true(n_known > 500 && n_unknown > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ballot_has_a_bit_for_each_participant),
        cmocka_unit_test(partition_has_those_of_one_value),
        cmocka_unit_test(partition_of_floats),
        cmocka_unit_test(ballots_are_read_up_to_the_size),
        cmocka_unit_test(bits_past_a_last_subgroup_may_count),
        cmocka_unit_test(unknown_values_matter_only_where_they_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

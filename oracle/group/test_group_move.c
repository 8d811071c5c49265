/* oracle/group/test_group_move.c -- exchanges against arrays of lanes, as the texts print them. */
#include "oracle/group/test_group_world.h"

enum {
    ROUNDS = 3000,
    UNDEFINED = -1,
    MISUSE = -2
};

/* What each lane gets: data of a lane, 0, or nothing that is defined. */
struct expected {
    int kind[LANES]; /* 1 defined, 0 an AMD zero, UNDEFINED, MISUSE */
    uint64_t data[LANES][MAX_COMPONENTS];
};

static void take(const struct world *w, struct expected *e, unsigned lane, int64_t from)
{
    int const is_there = from >= 0 && from < w->size && w->active[from];
    e->kind[lane] = is_there ? 1 : UNDEFINED;
    if (is_there) {
        memcpy(e->data[lane], w->in[from], sizeof e->data[lane]);
    }
}

static size_t compare(const struct packed *p, const struct expected *e)
{
    static const uint64_t zeros[MAX_COMPONENTS] = {0, 0, 0, 0};
    size_t n_defined = 0;
    for (uint32_t i = 0; i < p->c.n; i++) {
        unsigned const lane = p->index[i];
        enum group_answer const want = e->kind[lane] == MISUSE      ? GROUP_MISUSE
                                       : e->kind[lane] == UNDEFINED ? GROUP_ANYTHING
                                                                    : GROUP_IS;
        expect_answer(p, i, NULL, want, e->kind[lane] == 1 ? e->data[lane] : zeros, 64);
        n_defined += want == GROUP_IS;
    }
    return n_defined;
}

static int second_differs(const struct world *w)
{
    int differs = 0;
    for (unsigned a = 0; a < w->size; a++) {
        for (unsigned b = 0; b < a; b++) {
            differs |= w->active[a] && w->active[b] && w->second[a] != w->second[b];
        }
    }
    return differs;
}

static void draw_move(struct rng *rng, struct world *w, int is_uniform)
{
    draw_world(rng, w, 64);
    w->n_components = (unsigned)rng_below(rng, 4) + 1;
    uint64_t const limit = rng_below(rng, 4) ? w->size : 140;
    for (unsigned lane = 0; lane < LANES; lane++) {
        w->second[lane] = is_uniform && lane ? w->second[0] : rng_below(rng, limit);
        if (rng_below(rng, 200) == 0) {
            w->second[lane] = UINT32_MAX;
        }
    }
}

/* ---- shuffles and broadcasts ---- */

static void expect_shuffle(const struct world *w, uint32_t op, struct expected *e)
{
    for (unsigned lane = 0; lane < w->size; lane++) {
        int64_t const own = lane, second = (int64_t)w->second[lane];
        int64_t const from = op == SpvOpGroupNonUniformShuffle      ? second
                             : op == SpvOpGroupNonUniformShuffleXor ? (own ^ second)
                             : op == SpvOpGroupNonUniformShuffleUp  ? own - second
                                                                    : own + second;
        take(w, e, lane, from);
    }
}

static void shuffles_take_from_their_source(void **state)
{
    (void)state;
    COVERS(GROUP_EXCHANGE);
    struct rng rng = rng_seed(1);
    size_t n[4] = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        struct expected e;
        uint32_t const op = SpvOpGroupNonUniformShuffle + round % 4;
        draw_move(&rng, &w, 0);
        pack(&p, &w, op, 64);
        expect_shuffle(&w, op, &e);
        n[round % 4] += compare(&p, &e);
    }
    for (unsigned k = 0; k < 4; k++) {
        assert_true(n[k] > 1000);
    }
}

/* Each broadcast returns the value of the named lane, or of the first active one. A lane id that is not uniform is
 * misuse. */
static void broadcasts_take_one_lane(void **state)
{
    (void)state;
    COVERS(GROUP_EXCHANGE);
    struct rng rng = rng_seed(2);
    size_t n[3] = {0}, n_misuse = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        struct expected e;
        static const uint32_t ops[] = {SpvOpGroupBroadcast, SpvOpGroupNonUniformBroadcast,
                                       SpvOpGroupNonUniformBroadcastFirst};
        uint32_t const op = ops[round % 3];
        draw_move(&rng, &w, rng_below(&rng, 8) != 0);
        unsigned first = 0;
        while (!w.active[first]) {
            first++;
        }
        for (unsigned lane = 0; lane < w.size; lane++) {
            take(&w, &e, lane,
                 op == SpvOpGroupNonUniformBroadcastFirst ? (int64_t)first
                                                          : (int64_t)w.second[first]);
            if (op != SpvOpGroupNonUniformBroadcastFirst && second_differs(&w)) {
                e.kind[lane] = MISUSE;
            } else if (op == SpvOpGroupBroadcast && e.kind[lane] != 1) {
                e.kind[lane] = MISUSE;
            }
        }
        pack(&p, &w, op, 64);
        n[round % 3] += compare(&p, &e);
        n_misuse += e.kind[first] == MISUSE;
    }
    assert_true(n[0] > 1000 && n[1] > 1000 && n[2] > 1000 && n_misuse > 100);
}

/* QuadBroadcast and QuadSwap move values within groups of four lanes, by a table of partners. */
static void quads_are_four_by_four(void **state)
{
    (void)state;
    COVERS(GROUP_EXCHANGE);
    struct rng rng = rng_seed(3);
    size_t n[2] = {0, 0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        struct expected e;
        int const is_swap = round % 2;
        /* Vulkan's quads in a compute shader: ids 4q to 4q + 3; horizontal swaps 0-1 and 2-3,
         * vertical 0-2 and 1-3, diagonal 0-3 and 1-2. */
        static const unsigned partner[3][4] = {
            {1, 0, 3, 2},
            {2, 3, 0, 1},
            {3, 2, 1, 0}
        };
        draw_move(&rng, &w, 1);
        uint64_t const second = rng_below(&rng, is_swap ? 4 : 5); /* the last one names nobody */
        for (unsigned lane = 0; lane < LANES; lane++) {
            w.second[lane] = second;
        }
        for (unsigned lane = 0; lane < w.size; lane++) {
            unsigned const quad = lane / 4 * 4;
            int const is_named = second < (is_swap ? 3 : 4);
            take(&w, &e, lane,
                 !is_named ? -1
                 : is_swap ? (int64_t)(quad + partner[second][lane % 4])
                           : (int64_t)(quad + second));
        }
        pack(&p, &w, is_swap ? SpvOpGroupNonUniformQuadSwap : SpvOpGroupNonUniformQuadBroadcast,
             64);
        n[is_swap] += compare(&p, &e);
    }
    assert_true(n[0] > 1000 && n[1] > 1000);
}

/* ---- rotate ---- */

/* Lane i of a cluster gets what stands `delta` further on, coming round at the cluster's end. */
static void expect_rotate(const struct world *w, unsigned rotation, struct expected *e)
{
    for (unsigned lane = 0; lane < w->size; lane++) {
        unsigned at = lane;
        for (uint64_t step = 0; step < w->second[0] % rotation; step++) {
            at = (at + 1) % rotation == 0 ? at + 1 - rotation : at + 1;
        }
        take(w, e, lane, at);
    }
}

/* Rotate with random deltas and cluster sizes, against the formula of the extension evaluated lane by lane. */
static void rotate_comes_round_in_its_cluster(void **state)
{
    (void)state;
    COVERS(GROUP_EXCHANGE);
    struct rng rng = rng_seed(4);
    size_t n_defined = 0, n_kernel = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        struct expected e;
        draw_move(&rng, &w, 1);
        for (unsigned lane = 0; lane < LANES; lane++) {
            w.second[lane] = w.second[0];
        }
        pack(&p, &w, SpvOpGroupNonUniformRotateKHR, 64);
        uint32_t power = 1;
        while (power < w.size) {
            power *= 2;
        }
        p.c.is_kernel = power != w.size || rng_below(&rng, 2);
        p.c.max_size = power;
        p.c.cluster = rng_below(&rng, 2) ? 0 : 1U << rng_below(&rng, 8);
        while (p.c.cluster > power) {
            p.c.cluster /= 2;
        }
        expect_rotate(&w, p.c.cluster ? p.c.cluster : power, &e);
        n_defined += compare(&p, &e);
        n_kernel += power != w.size;
    }
    assert_true(n_defined > 1000 && n_kernel > 100);
}

/* The example of the rotate extension, and what is misuse: a delta that is not uniform, a bad cluster size. */
static void rotate_by_hand(void **state)
{
    (void)state;
    COVERS(GROUP_EXCHANGE);
    struct rng rng = rng_seed(5);
    struct world w;
    struct packed p;
    draw_world(&rng, &w, 64);
    w.size = 16; /* the extension's overview: 16 lanes by 2, lane 0 gets 2, lane 14 gets 0 */
    memset(w.active, 1, 16);
    for (unsigned lane = 0; lane < 16; lane++) {
        w.second[lane] = 2;
    }
    pack(&p, &w, SpvOpGroupNonUniformRotateKHR, 64);
    assert_int_equal(group_source(&p.c, 0), 2);
    assert_int_equal(group_source(&p.c, 14), 0);
    p.second[3] = 1; /* not uniform */
    assert_int_equal(group_source(&p.c, 0), GROUP_FROM_MISUSE);
    p.second[3] = 2;
    p.c.cluster = 3;
    assert_int_equal(group_source(&p.c, 0), GROUP_FROM_MISUSE);
    p.c.cluster = 32;
    assert_int_equal(group_source(&p.c, 0), GROUP_FROM_MISUSE);
    p.c.cluster = 0;
    p.c.size = p.c.max_size = 12; /* no power of two: the formula says nothing sensible */
    p.c.n = 12;
    assert_int_equal(group_source(&p.c, 0), GROUP_FROM_NOBODY);
}

/* ---- SPV_AMD_shader_ballot, as printed ---- */

static void expect_swizzle(const struct world *w, const uint32_t *offset, struct expected *e)
{
    for (unsigned i = 0; i < w->size; i += 4) {
        for (unsigned k = 0; k < 4 && i + k < w->size; k++) {
            unsigned const from = i + offset[k];
            take(w, e, i + k, from);
            if (from < w->size && !w->active[from]) {
                e->kind[i + k] = 0; /* isActive[from] ? dataIn[from] : 0 */
            }
        }
    }
}

static void expect_masked(const struct world *w, const uint32_t *mask, int is_wrong,
                          struct expected *e)
{
    for (unsigned i = 0; i < w->size; i++) {
        unsigned j = is_wrong ? (((i & 0x1f) & mask[0]) ^ mask[1]) | mask[2]
                              : (((i & 0x1f) & mask[0]) | mask[1]) ^ mask[2];
        j |= (i & 0x20);
        take(w, e, i, j);
        if (j < w->size && !w->active[j]) {
            e->kind[i] = 0;
        }
        if (i >= 64) {
            e->kind[i] = UNDEFINED; /* only the group of 32 below 64 is covered */
        }
    }
}

/* AMD's two swizzles with random patterns, against loops by the extension's text. The wrong order of the exclusive
 * or would be noticed. */
static void swizzles_are_those_of_the_extension(void **state)
{
    /* SHOWS(MS_ZERO) */
    (void)state;
    COVERS(AMD_SWIZZLE);
    COVERS(AMD_SWIZZLE_MASKED);
    struct rng rng = rng_seed(6);
    size_t n[2] = {0, 0}, n_zero = 0, n_wrong = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        struct expected e, wrong;
        int const is_masked = round % 2;
        draw_move(&rng, &w, 0);
        pack(&p, &w, AMD(1 + (unsigned)is_masked), 64);
        for (unsigned k = 0; k < 4; k++) {
            p.c.pattern[k] = (uint32_t)rng_below(&rng, is_masked ? 32 : 4);
        }
        if (is_masked) {
            expect_masked(&w, p.c.pattern, 0, &e);
            expect_masked(&w, p.c.pattern, 1, &wrong);
            for (unsigned lane = 0; lane < w.size; lane++) {
                n_wrong += w.active[lane] && e.kind[lane] == 1 && wrong.kind[lane] == 1 &&
                           memcmp(e.data[lane], wrong.data[lane], sizeof e.data[lane]) != 0;
            }
        } else {
            expect_swizzle(&w, p.c.pattern, &e);
        }
        n[is_masked] += compare(&p, &e);
        for (uint32_t i = 0; i < p.c.n; i++) {
            n_zero += e.kind[p.index[i]] == 0;
        }
    }
    assert_true(n[0] > 1000 && n[1] > 1000 && n_zero > 1000);
    assert_true(n_wrong > 1000); /* xor before or would have been noticed */
}

/* AMD's two swizzles for patterns that were worked out by hand. */
static void swizzles_by_hand(void **state)
{
    /* SHOWS(SW_OFFSETS, MS_FAR) */
    (void)state;
    COVERS(AMD_SWIZZLE);
    COVERS(AMD_SWIZZLE_MASKED);
    struct rng rng = rng_seed(7);
    struct world w;
    struct packed p;
    draw_world(&rng, &w, 64);
    w.size = 64;
    memset(w.active, 1, 64);
    w.active[6] = 0;
    pack(&p, &w, AMD(1), 64);
    memcpy(p.c.pattern, (uint32_t[4]){3, 2, 0, 1}, sizeof p.c.pattern);
    assert_int_equal(group_source(&p.c, 0), 3);
    assert_int_equal(group_source(&p.c, 2), 0);
    assert_int_equal(group_source(&p.c, 4), 6); /* lane 4 from lane 7, the 6th there */
    assert_int_equal(group_source(&p.c, 5), GROUP_FROM_ZERO); /* lane 5 from lane 6 */
    p.c.op = AMD(2);
    memcpy(p.c.pattern, (uint32_t[4]){0x1f, 0, 0x1f, 0}, sizeof p.c.pattern); /* reversed */
    assert_int_equal(group_source(&p.c, 0), 30);                              /* lane 31 */
    assert_int_equal(group_source(&p.c, 31), 62);                             /* lane 32 from 63 */
    memcpy(p.c.pattern, (uint32_t[4]){0x10, 0x01, 0x02, 0}, sizeof p.c.pattern);
    assert_int_equal(group_source(&p.c, 0), 3);   /* ((0 & 16) | 1) ^ 2 */
    assert_int_equal(group_source(&p.c, 16), 18); /* lane 17: ((17 & 16) | 1) ^ 2 = 19 */
    memcpy(p.c.pattern, (uint32_t[4]){0x10, 0x03, 0x02, 0}, sizeof p.c.pattern);
    assert_int_equal(group_source(&p.c, 0), 1);   /* the exclusive or is last: (0 | 3) ^ 2 */
    assert_int_equal(group_source(&p.c, 16), 16); /* lane 17: (16 | 3) ^ 2 = 17 */
    p.c.pattern[1] = 32;                          /* "in the range [0, 31]" */
    assert_int_equal(group_source(&p.c, 0), GROUP_FROM_NOBODY);
}

/* WriteInvocationAMD replaces the value of one lane; operands that are not uniform, or a lane out of range, leave
 * the result undefined. */
static void write_replaces_one_lane(void **state)
{
    /* SHOWS(WR_UNIFORM, WR_INDEX) */
    (void)state;
    COVERS(AMD_WRITE);
    struct rng rng = rng_seed(8);
    size_t n_defined = 0, n_written = 0, n_undefined = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        struct expected e;
        draw_move(&rng, &w, 1);
        for (unsigned lane = 1; lane < LANES; lane++) {
            w.second[lane] = w.second[0];
            memcpy(w.other[lane], w.other[0], sizeof w.other[0]);
        }
        unsigned at = (unsigned)rng_below(&rng, w.size), n_active = 0;
        while (!w.active[at]) {
            at = (at + 1) % w.size;
        }
        for (unsigned lane = 0; lane < w.size; lane++) {
            n_active += w.active[lane];
        }
        uint64_t const fault = rng_below(&rng, 8); /* one lane says something else */
        w.second[at] ^= fault == 0;
        w.other[at][w.n_components - 1] ^= fault == 1;
        int const is_defined = (fault > 1 || n_active == 1) && w.second[at] < w.size;
        for (unsigned i = 0; i < w.size; i++) {
            int const is_written = i == w.second[at];
            e.kind[i] = is_defined ? 1 : UNDEFINED;
            memcpy(e.data[i], is_written ? w.other[at] : w.in[i], sizeof e.data[i]);
            n_written += is_defined && is_written && w.active[i];
        }
        pack(&p, &w, AMD(3), 64);
        n_defined += compare(&p, &e);
        n_undefined += e.kind[0] == UNDEFINED;
    }
    assert_true(n_defined > 1000 && n_written > 100 && n_undefined > 100);
}

/* MbcntAMD counts the bits of a mask below the invocation's own lane. Lanes beyond the mask's width are not
 * defined. */
static void mbcnt_counts_lower_lanes(void **state)
{
    /* SHOWS(MB_COUNTS) */
    (void)state;
    COVERS(AMD_MBCNT);
    struct rng rng = rng_seed(9);
    size_t n_low = 0, n_high = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct world w;
        struct packed p;
        unsigned const n_bits = round % 2 ? 64 : 32; /* the seed's type, and what glslang makes */
        draw_world(&rng, &w, n_bits);
        pack(&p, &w, AMD(4), n_bits);
        for (uint32_t i = 0; i < p.c.n; i++) {
            unsigned const lane = p.index[i];
            uint64_t want = 0;
            for (unsigned bit = 0; bit < lane && bit < n_bits; bit++) {
                want += (p.value[i] >> bit) & 1;
            }
            int const is_covered = lane < n_bits || p.value[i] == 0;
            expect_answer(&p, i, NULL, is_covered ? GROUP_IS : GROUP_ANYTHING, &want, 32);
            n_low += (size_t)is_covered;
            n_high += !is_covered;
        }
    }
    assert_true(n_low > 1000 && n_high > 1000);
}

/* ---- what is not known ---- */

/* A lane id that is unknown leaves the source of an exchange unknown, except where it does not matter or is misuse
 * anyway. */
static void unknown_ids_leave_the_source_open(void **state)
{
    (void)state;
    COVERS(GROUP_EXCHANGE);
    struct rng rng = rng_seed(10);
    struct world w;
    struct packed p;
    uint64_t out[MAX_COMPONENTS];
    draw_world(&rng, &w, 64);
    w.size = 8;
    memset(w.active, 1, 8);
    for (unsigned lane = 0; lane < LANES; lane++) {
        w.second[lane] = 5;
    }
    w.known[5] = 0;
    pack(&p, &w, SpvOpGroupNonUniformBroadcast, 64);
    assert_int_equal(group_source(&p.c, 1), 5); /* the source is known, its value is not */
    assert_int_equal(group_answer(&p.c, 1, NULL, out), GROUP_UNKNOWN);
    w.known_second[2] = 0;
    pack(&p, &w, SpvOpGroupNonUniformBroadcast, 64);
    assert_int_equal(group_source(&p.c, 1), GROUP_FROM_UNKNOWN);
    p.second[7] = 6; /* two that are known differ: misuse, whatever the third is */
    assert_int_equal(group_source(&p.c, 1), GROUP_FROM_MISUSE);
    p.second[7] = 5;
    p.c.op = SpvOpGroupNonUniformShuffle;
    assert_int_equal(group_source(&p.c, 1), 5);
    assert_int_equal(group_source(&p.c, 2), GROUP_FROM_UNKNOWN);
    p.c.op = SpvOpGroupNonUniformBroadcastFirst;
    assert_int_equal(group_source(&p.c, 2), 0);
    assert_int_equal(group_answer(&p.c, 2, NULL, out), GROUP_IS);
    p.c.op = AMD(3);
    assert_int_equal(group_source(&p.c, 1), GROUP_FROM_UNKNOWN);
    p.c.known_second = NULL; /* then `known` tells of both */
    p.c.op = SpvOpGroupNonUniformShuffle;
    assert_int_equal(group_source(&p.c, 2), 5);
    assert_int_equal(group_source(&p.c, 5), GROUP_FROM_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffles_take_from_their_source),
        cmocka_unit_test(broadcasts_take_one_lane),
        cmocka_unit_test(quads_are_four_by_four),
        cmocka_unit_test(rotate_comes_round_in_its_cluster),
        cmocka_unit_test(rotate_by_hand),
        cmocka_unit_test(swizzles_are_those_of_the_extension),
        cmocka_unit_test(swizzles_by_hand),
        cmocka_unit_test(write_replaces_one_lane),
        cmocka_unit_test(mbcnt_counts_lower_lanes),
        cmocka_unit_test(unknown_ids_leave_the_source_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

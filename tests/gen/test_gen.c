/* tests/gen/test_gen.c -- any tape gives a case that both validators accept, the same each time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "gen/ir/test_rules.h"
#include "gen/stats/stats.h"
#include "gen/tape/tape_random.h"

enum {
    N_MODULES = 1000, /* per environment */
    N_GARBAGE = 800,
    N_STATS = 10000,
    N_GROUP_STATS = 6000,
    ARENA_BYTES = 64 << 20
};

static uint64_t seed_of_test(void)
{
    const char *const s = getenv("SEED");
    return s ? strtoull(s, NULL, 0) : 1;
}

/* SEED and the number make a failing case again. */
struct fixture {
    struct arena a;
    struct rules rules;
    struct validator validator;
};

static struct fixture *fixture_new(void)
{
    struct fixture *const b = calloc(1, sizeof *b);
    assert_non_null(b);
    arena_init(&b->a, ARENA_BYTES);
    return b;
}

static void fixture_free(struct fixture *b)
{
    rules_close(&b->validator);
    arena_free(&b->a);
    free(b);
}

static void expect_sound(struct fixture *b, const struct testcase *tc, uint64_t number)
{
    if (!rules_check(&b->rules, tc) || !rules_validate(&b->validator, tc, &b->rules)) {
        fail_msg("SEED=%llu %s case %llu: %s", (unsigned long long)seed_of_test(),
                 env_names[tc->env], (unsigned long long)number, b->rules.text);
    }
    assert_true(tc->n_bufs > 0 && tc->n_bufs <= CASE_MAX_BUFS);
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        assert_true(tc->bufs[i].n_bytes > 0 && tc->bufs[i].n_bytes % 4 == 0);
    }
    for (int d = 0; d < 3; d++) {
        assert_true(tc->local[d] >= 1 && tc->global[d] >= 1);
        if (tc->env == ENV_VK || !needs_has(&tc->needs, NEED_CL_NONUNIFORM_WG)) {
            assert_int_equal(tc->global[d] % tc->local[d], 0);
        }
    }
}

static void make_case(struct fixture *b, enum profile profile, enum env env, const struct tape *t,
                      struct testcase *tc, struct gen_info *info)
{
    struct err e;
    if (gen_case(profile, env, t, &b->a, tc, info, &e) != RES_OK) {
        fail_msg("gen_case: %s", e.text);
    }
}

/* The case of a random tape, in the memory of the fixture, which it empties. */
static void draw_case(struct fixture *b, struct rng *rng, enum profile profile, enum env env,
                      struct testcase *tc)
{
    struct tape t;
    arena_reset(&b->a);
    assert_int_equal(tape_random(&t, rng, &b->a, NULL), RES_OK);
    make_case(b, profile, env, &t, tc, NULL);
}

/* ---- SPV_AMD_shader_ballot ---- */

enum {
    N_AMD = 4000, /* cases of groups, in each environment */
    FAR_LANE = 4  /* the first that may be missing where no size of the sub-groups is required */
};

/* What of that extension some cases hold. */
struct amd_drawn {
    int n_far_or, n_far_xor;               /* masks of the masked swizzle that reach such lanes */
    uint32_t or_bits, xor_bits, and_bits;  /* of all masks */
    uint32_t offsets;                      /* bit 4 * component + offset */
    int n_vectors[4];                      /* results that are vectors, of instructions 1 to 3 */
    int n_core[SpvOpGroupSMax + 1][65][2]; /* OpGroup*: by bits; integers, floats */
    int n_undeclared;                      /* of these in Vulkan, without the extension */
    int n_by_extension;                    /* cases of OpenCL that need it for OpGroup* alone */
};

/* Component k of a constant vector. */
static uint32_t component_of(const struct fixture *b, const struct testcase *tc, uint32_t vector,
                             uint32_t k)
{
    return b->rules.value_of[tc->module[b->rules.value_of[vector] + 3 + k]];
}

static void see_amd_set(const struct fixture *b, const struct testcase *tc,
                        const struct spv_inst *i, struct amd_drawn *d)
{
    assert_in_range(i->w[4], 1, 4);
    d->n_vectors[i->w[4] - 1] += b->rules.n_of[i->w[1]] != 0;
    if (i->w[4] == 1) {
        for (uint32_t k = 0; k < 4; k++) {
            d->offsets |= 1U << (4 * k + component_of(b, tc, i->w[6], k));
        }
    } else if (i->w[4] == 2) {
        uint32_t const of_or = component_of(b, tc, i->w[6], 1);
        uint32_t const of_xor = component_of(b, tc, i->w[6], 2);
        d->and_bits |= component_of(b, tc, i->w[6], 0);
        d->or_bits |= of_or;
        d->xor_bits |= of_xor;
        uint32_t const far_lane = tc->subgroup_size > 0 ? tc->subgroup_size : FAR_LANE;
        d->n_far_or += of_or >= far_lane;
        d->n_far_xor += of_xor >= far_lane;
    }
}

static void see_core_groups(const struct fixture *b, const struct testcase *tc,
                            const struct spv_inst *i, struct amd_drawn *d)
{
    static const char name[] = "SPV_AMD_shader_ballot";
    uint32_t const width = b->rules.width_of[i->w[1]];
    assert_true((width & 0xff) <= 64);
    d->n_core[i->op][width & 0xff][width >> 8]++;
    if (tc->env == ENV_VK) {
        d->n_undeclared += !rules_has_extension(tc, SpvOpExtension, 1, name);
        assert_int_equal(b->rules.value_of[i->w[3]], SpvScopeSubgroup);
    }
}

static struct amd_drawn *draw_amd(enum env env)
{
    struct fixture *const b = fixture_new();
    struct amd_drawn *const d = calloc(1, sizeof *d);
    struct rng rng = rng_seed(seed_of_test() + 14);
    assert_non_null(d);
    for (int n = 0; n < N_AMD; n++) {
        struct tape t;
        struct testcase tc;
        struct spv_inst i;
        uint32_t offset = SPV_HEADER_WORDS;
        arena_reset(&b->a);
        assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
        make_case(b, PROFILE_GROUPS, env, &t, &tc, NULL);
        assert_true(rules_check(&b->rules, &tc));
        while (spv_next(tc.module, tc.n_words, &offset, &i)) {
            if (i.op == SpvOpExtInst && i.w[3] == b->rules.amd_set) {
                see_amd_set(b, &tc, &i, d);
            } else if (i.op >= SpvOpGroupIAdd && i.op <= SpvOpGroupSMax) {
                see_core_groups(b, &tc, &i, d);
            }
        }
        d->n_by_extension +=
            needs_has(&tc.needs, NEED_CL_AMD_BALLOT) && needs_has(&tc.needs, NEED_CL_SUBGROUPS);
    }
    fixture_free(b);
    return d;
}

/* Masks of a masked swizzle: each bit of each, also those that lead beyond the lanes that are known to be there; offsets of
 * a swizzle: each of the four for each of the four lanes. */
static void masks_reach_far_lanes(void **state)
{
    /* SHOWS(SW_OFFSETS, MS_FAR) */
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        struct amd_drawn *const d = draw_amd((enum env)env);
        assert_true(d->n_far_or >= 5 && d->n_far_xor >= 5);
        assert_int_equal(d->and_bits, 31);
        assert_int_equal(d->or_bits, 31);
        assert_int_equal(d->xor_bits, 31);
        assert_int_equal(d->offsets, 0xffff);
        free(d);
    }
}

/* Both swizzles and the write take vectors; MbcntAMD takes none. */
static void vectors_of_amd_are_drawn(void **state)
{
    /* SHOWS(SW_TYPES, MS_TYPES, WR_TYPES) */
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        struct amd_drawn *const d = draw_amd((enum env)env);
        for (int k = 0; k < 3; k++) {
            assert_true(d->n_vectors[k] >= 1);
        }
        assert_int_equal(d->n_vectors[3], 0);
        free(d);
    }
}

/* The extension gives the group operations of the core results of 16 bits and integers of every width; in Vulkan they
 * stand in no module without it. */
static void core_groups_come_by_the_extension(void **state)
{
    /* SHOWS(BA_SIXTEEN_BITS, BA_EVERY_WIDTH) */
    (void)state;
    static const uint32_t floats[] = {SpvOpGroupFAdd, SpvOpGroupFMin, SpvOpGroupFMax};
    static const uint32_t integers[] = {SpvOpGroupIAdd, SpvOpGroupUMin, SpvOpGroupSMin,
                                        SpvOpGroupUMax, SpvOpGroupSMax};
    for (int env = 0; env < ENV_N; env++) {
        struct amd_drawn *const d = draw_amd((enum env)env);
        for (size_t k = 0; k < ARRAY_N(floats); k++) {
            assert_true(d->n_core[floats[k]][16][1] >= 1 && d->n_core[floats[k]][64][1] >= 1);
        }
        for (size_t k = 0; k < ARRAY_N(integers); k++) {
            for (uint32_t bits = 8; bits <= 64; bits *= 2) {
                assert_true(d->n_core[integers[k]][bits][0] >= 1);
            }
        }
        assert_int_equal(d->n_undeclared, 0);
        assert_true(env == ENV_VK ? d->n_by_extension == 0 : d->n_by_extension > 0);
        free(d);
    }
}

static void check_random(enum profile profile, enum env env)
{
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test());
    uint32_t n_atomics = 0;
    uint32_t n_groups = 0;
    uint32_t n_vectors = 0;
    for (uint64_t i = 0; i < N_MODULES; i++) {
        struct testcase tc;
        draw_case(b, &rng, profile, env, &tc);
        expect_sound(b, &tc, i);
        n_atomics += b->rules.n_atomics;
        n_groups += b->rules.n_groups;
        n_vectors += b->rules.n_vector_atomics;
        bool const has_vectors = needs_has(&tc.needs, NEED_VK_F16_VECTORS);
        assert_int_equal(has_vectors, b->rules.n_vector_atomics > 0);
    }
    bool const may_have_vectors = profile == PROFILE_ATOMICS && env == ENV_VK;
    assert_true(may_have_vectors ? n_vectors >= N_MODULES / 20 : env == ENV_VK || n_vectors == 0);
    if (profile == PROFILE_ARITH) { /* few statements are atomics there */
        assert_in_range(n_atomics, N_MODULES / 4, N_MODULES * 2);
    } else {
        assert_true(profile == PROFILE_GROUPS || n_atomics >= N_MODULES);
    }
    assert_true(profile_has_groups(profile) ? n_groups >= 4 * N_MODULES : n_groups == 0);
    fixture_free(b);
}

static void opencl_modules_are_valid(void **state)
{
    (void)state;
    check_random(PROFILE_ATOMICS, ENV_CL);
}

static void vulkan_modules_are_valid(void **state)
{
    (void)state;
    check_random(PROFILE_ATOMICS, ENV_VK);
}

static void arith_modules_are_valid(void **state)
{
    (void)state;
    check_random(PROFILE_ARITH, ENV_CL);
    check_random(PROFILE_ARITH, ENV_VK);
}

static void group_modules_are_valid(void **state)
{
    (void)state;
    check_random(PROFILE_GROUPS, ENV_CL);
    check_random(PROFILE_GROUPS, ENV_VK);
}

static void mixed_modules_are_valid(void **state)
{
    (void)state;
    check_random(PROFILE_ALL, ENV_CL);
    check_random(PROFILE_ALL, ENV_VK);
}

/* Any bytes; then a good tape with records changed, cut and shifted. */
static void any_records_are_a_case(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 77);
    for (uint64_t i = 0; i < N_GARBAGE; i++) {
        struct tape t;
        struct testcase tc;
        enum env const env = (enum env)(i % ENV_N);
        arena_reset(&b->a);
        if (i % 4 < 2) {
            size_t const n = (size_t)rng_below(&rng, 3000);
            unsigned char *const p = arena_take(&b->a, 8 * n + 1);
            for (size_t k = 0; k < n; k++) {
                uint64_t const small = rng_below(&rng, 40);
                store_le(p + 8 * k, rng_next(&rng) & 1 ? small : rng_next(&rng), 8);
            }
            t = (struct tape){.data = p, .n_records = n};
        } else {
            assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
            unsigned char *const p = arena_copy(&b->a, t.data, 8 * t.n_records);
            for (int k = 0; k < 8; k++) {
                size_t const at = (size_t)rng_below(&rng, t.n_records);
                store_le(p + 8 * at, rng_below(&rng, 2) ? rng_next(&rng) : 0, 8);
            }
            t = (struct tape){.data = p, .n_records = t.n_records - rng_below(&rng, t.n_records)};
        }
        enum profile const profile = (enum profile)(i / 4 % PROFILE_N);
        make_case(b, profile, env, &t, &tc, NULL);
        if (profile != PROFILE_REFUSALS || tc.class == CLASS_LEGAL) {
            expect_sound(b, &tc, i);
        }
    }
    fixture_free(b);
}

static void the_empty_tape_is_the_smallest_case(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test());
    for (int env = 0; env < ENV_N; env++) {
        struct tape const none = {.data = NULL};
        struct testcase tc;
        struct gen_info smallest;
        struct gen_info info;
        make_case(b, PROFILE_ATOMICS, (enum env)env, &none, &tc, &smallest);
        expect_sound(b, &tc, 0);
        assert_int_equal(b->rules.n_atomics, 1);
        assert_int_equal(testcase_get_items(&tc), 1);
        for (int i = 0; i < 50; i++) {
            struct tape t;
            assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
            make_case(b, PROFILE_ATOMICS, (enum env)env, &t, &tc, &info);
            assert_true(smallest.n_instructions <= info.n_instructions);
        }
    }
    fixture_free(b);
}

/* One group operation, in one invocation, behind the probes of the sub-group. */
static void the_empty_tape_has_one_group_operation(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    for (int i = 0; i < 2 * ENV_N; i++) {
        struct tape const none = {.data = NULL};
        enum profile const profile = i < ENV_N ? PROFILE_GROUPS : PROFILE_ALL;
        struct testcase tc;
        struct gen_info info;
        make_case(b, profile, (enum env)(i % ENV_N), &none, &tc, &info);
        expect_sound(b, &tc, 0);
        assert_int_equal(b->rules.n_groups, 1);
        assert_int_equal(b->rules.n_atomics, profile == PROFILE_ALL);
        assert_int_equal(info.n_groups, 1);
        assert_int_equal(info.n_partial, 0);
        assert_int_equal(testcase_get_items(&tc), 1);
    }
    fixture_free(b);
}

/* Also with other things in the arena before it: no address may leak into a case. */
static void a_tape_is_always_the_same_case(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct fixture *const c = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 5);
    for (int i = 0; i < 200; i++) {
        enum profile const profile = (enum profile)(i / ENV_N % PROFILE_N);
        struct tape t;
        struct testcase first;
        struct testcase second;
        size_t n_first = 0;
        size_t n_second = 0;
        arena_reset(&b->a);
        arena_reset(&c->a);
        (void)arena_take(&c->a, 17 + (size_t)i);
        assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
        make_case(b, profile, (enum env)(i % ENV_N), &t, &first, NULL);
        make_case(c, profile, (enum env)(i % ENV_N), &t, &second, NULL);
        const unsigned char *const p = testcase_encode(&first, &b->a, &n_first);
        const unsigned char *const q = testcase_encode(&second, &c->a, &n_second);
        assert_non_null(p);
        assert_non_null(q);
        assert_int_equal(n_first, n_second);
        assert_memory_equal(p, q, n_first);
    }
    fixture_free(b);
    fixture_free(c);
}

/* gen_case must say so, whatever allocation it is that fails. */
static void a_full_arena_is_an_error(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test());
    int n_full = 0;
    for (int i = 0; i < 4 * PROFILE_N * ENV_N; i++) {
        struct tape t;
        arena_reset(&b->a);
        assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
        for (size_t limit = 1000 + (size_t)i; limit < 400000; limit = limit * 9 / 8) {
            struct arena small;
            struct testcase tc;
            arena_init(&small, limit);
            enum res const r =
                gen_case((enum profile)(i % PROFILE_N), (enum env)(i / PROFILE_N % ENV_N), &t,
                         &small, &tc, NULL, NULL);
            assert_true(r == RES_OK || r == RES_NOMEM);
            n_full += r == RES_NOMEM;
            arena_free(&small);
        }
    }
    assert_true(n_full > 100);
    fixture_free(b);
}

/* Words of the first instruction `op` of the module, or NULL. */
static const uint32_t *find_op(const struct testcase *tc, uint32_t op)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == op) {
            return i.w;
        }
    }
    return NULL;
}

/* OpSource OpenCL_C 200000 or 300000 in most kernels, none in some; never in a shader. */
static void kernels_name_their_language(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 9);
    int n_without = 0;
    int n_version[2] = {0, 0};
    for (int i = 0; i < 2 * N_GARBAGE; i++) {
        struct tape t;
        struct testcase tc;
        enum env const env = (enum env)(i % ENV_N);
        arena_reset(&b->a);
        assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
        make_case(b, PROFILE_ATOMICS, env, &t, &tc, NULL);
        const uint32_t *const source = find_op(&tc, SpvOpSource);
        if (!source) {
            n_without += env == ENV_CL;
            continue;
        }
        assert_int_equal(env, ENV_CL);
        assert_int_equal(source[1], SpvSourceLanguageOpenCL_C);
        assert_true(source[2] == 200000 || source[2] == 300000);
        n_version[source[2] == 300000]++;
    }
    assert_true(n_without > 0);
    assert_true(n_version[0] > n_without);
    assert_true(n_version[1] > n_version[0]);
    fixture_free(b);
}

/* How many of the decorations of a module are this one? */
static int count_decorations(const struct testcase *tc, uint32_t decoration)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    int n = 0;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        n += i.op == SpvOpDecorate && i.w[2] == decoration;
    }
    return n;
}

/* Vulkan's buffers are of one form in a module: storage class StorageBuffer in most, the older one, which version
 * 1.3 is the last to have, in some. */
static void buffers_have_either_form(void **state)
{
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 10);
    int n_older = 0;
    for (int i = 0; i < 400; i++) {
        struct testcase tc;
        draw_case(b, &rng, PROFILE_ATOMICS, ENV_VK, &tc);
        bool const has_older = count_decorations(&tc, SpvDecorationBufferBlock) > 0;
        int n_constant = 0; /* blocks that nobody writes, which are of one form alone */
        for (uint32_t k = 0; k < tc.n_bufs; k++) {
            n_constant += buf_is_constant(tc.bufs[k].kind);
        }
        assert_true(has_older != (count_decorations(&tc, SpvDecorationBlock) > n_constant));
        assert_true(!has_older || tc.module[1] <= 0x10300);
        n_older += has_older;
    }
    assert_in_range(n_older, 10, 100);
    fixture_free(b);
}

/* Images of each form come, each format in those of two dimensions and in texel buffers; the cells of one with layers are
 * not all in the first. */
static void texels_lie_in_each_way(void **state)
{
    /* SHOWS(VE_IMAGE_WAYS) */
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 12);
    int n_of[BUF_KIND_N] = {0}, n_by[TEXELS_N] = {0};
    int n_images = 0;
    for (int i = 0; i < 4000; i++) {
        struct testcase tc;
        draw_case(b, &rng, PROFILE_ATOMICS, ENV_VK, &tc);
        for (uint32_t k = 0; k < tc.n_bufs; k++) {
            enum texels const texels = buf_kind_rows[tc.bufs[k].kind].texels;
            n_of[tc.bufs[k].kind]++;
            n_by[texels]++;
            n_images += texels > TEXELS_BUFFER;
            if (texels > TEXELS_2D) {
                uint32_t extents[TEXELS_MAX_COORDINATES];
                uint32_t const n = buf_get_extents(&tc.bufs[k], extents);
                for (uint32_t d = 0; d < n; d++) {
                    assert_true(extents[d] > 1 && (d == 0 || extents[d] <= 256));
                }
            }
        }
    }
    for (int i = 0; i < TEXELS_N; i++) {
        assert_true(n_by[i] >= 10);
    }
    for (int i = 0; i < BUF_KIND_N; i++) {
        bool const is_rare =
            buf_kind_rows[i].texels > TEXELS_BUFFER && buf_kind_rows[i].texels != TEXELS_2D;
        bool const is_of_opencl = i == BUF_VALUE;
        assert_true(is_of_opencl ? n_of[i] == 0 : is_rare || n_of[i] > 0);
    }
    assert_in_range(100 * (n_images - n_by[TEXELS_2D]) / n_images, 50, 70);
    fixture_free(b);
}

/* Counts over n random cases; in `keep`, which is opened here. */
static struct stats *count_cases(enum profile profile, int n, struct arena *keep)
{
    struct fixture *const b = fixture_new();
    arena_init(keep, ARENA_BYTES);
    struct rng rng = rng_seed(seed_of_test());
    struct stats *const s = ARENA_NEW(keep, struct stats, 1);
    assert_non_null(s);
    assert_int_equal(stats_init(s, (uint64_t)n, keep, NULL), RES_OK);
    clock_t const start = clock();
    for (int i = 0; i < n; i++) {
        struct tape t;
        struct testcase tc;
        struct gen_info info;
        arena_reset(&b->a);
        assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
        make_case(b, profile, (enum env)(i % ENV_N), &t, &tc, &info);
        stats_add(s, &tc, &info);
    }
    double const seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%d cases of %s, %.0f per second\n", n, profile_names[profile], n / seconds);
    fixture_free(b);
    return s;
}

/* The bars of the campaign's distribution. */
static void shapes_keep_their_shares(void **state)
{
    (void)state;
    struct arena keep;
    const struct stats *const s = count_cases(PROFILE_ATOMICS, N_STATS, &keep);
    for (int i = 0; i < SHAPE_N; i++) {
        if (!(stats_get_percent(s, &shape_rows[i], s->with_shape[i]) >= 2.0)) {
            fail_msg("shape %s in %.2f%% of the cases", shape_rows[i].id,
                     stats_get_percent(s, &shape_rows[i], s->with_shape[i]));
        }
    }
    assert_int_equal(stats_count_missing_pairs(s), 0);
    assert_true(s->n_distinct * 100 >= s->n_cases * 99);
    assert_true(stats_get_median_length(s) >= 40);
    assert_true(s->n_wide * 2 >= s->n_cases);
    arena_free(&keep);
}

/* The same of group operations: every shape, every instruction, masks, sums that are sharp. */
static void group_shapes_keep_their_shares(void **state)
{
    (void)state;
    struct arena keep;
    const struct stats *const s = count_cases(PROFILE_GROUPS, N_GROUP_STATS, &keep);
    for (int i = 0; i < GROUP_SHAPE_N; i++) {
        if (!(stats_get_percent(s, &group_shape_rows[i], s->with_group_shape[i]) >= 2.0)) {
            fail_msg("shape %s in %.2f%% of the cases", group_shape_rows[i].id,
                     stats_get_percent(s, &group_shape_rows[i], s->with_group_shape[i]));
        }
    }
    assert_int_equal(stats_count_missing_rows(s), 0);
    assert_true(s->n_distinct * 100 >= s->n_cases * 99);
    assert_true(s->n_groups >= 8 * s->n_cases);
    assert_true(s->n_sums >= s->n_cases);
    assert_true(s->n_partial * 1000 >= s->n_groups * 334);
    assert_true(s->n_exact_sums * 100 >= s->n_sums * 75 && s->n_exact_sums * 100 <= s->n_sums * 90);
    arena_free(&keep);
}

/* What is seldom needed is also kept apart: some cases have none of it. */
static void some_cases_need_little(void **state)
{
    static const enum need_id rare[] = {NEED_VK_I8,
                                        NEED_VK_I16,
                                        NEED_VK_I64,
                                        NEED_VK_F16,
                                        NEED_VK_F64,
                                        NEED_VK_SG_CLUSTERED,
                                        NEED_VK_SG_ROTATE,
                                        NEED_VK_AMD_BALLOT,
                                        NEED_VK_AMD_SET,
                                        NEED_VK_AMD_BARE,
                                        NEED_VK_RTE32,
                                        NEED_VK_F32_BUFFER_LS,
                                        NEED_VK_SG_UNIFORM_FLOW};
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 11);
    int n_plain = 0;
    int n_loaded = 0;
    for (int i = 0; i < N_GARBAGE; i++) {
        struct tape t;
        struct testcase tc;
        int n = 0;
        arena_reset(&b->a);
        assert_int_equal(tape_random(&t, &rng, &b->a, NULL), RES_OK);
        make_case(b, PROFILE_GROUPS, ENV_VK, &t, &tc, NULL);
        for (size_t k = 0; k < ARRAY_N(rare); k++) {
            n += needs_has(&tc.needs, rare[k]);
        }
        n_plain += n == 0;
        n_loaded += n > 0;
        assert_true(tc.module[1] <= 0x10500 || tc.subgroup_size != 0);
        assert_true(!tc.full_subgroups || tc.local[0] % tc.subgroup_size == 0);
    }
    assert_true(n_plain * 12 >= N_GARBAGE);
    assert_true(n_loaded * 5 >= N_GARBAGE);
    fixture_free(b);
}

enum {
    SCOPES = 7 /* CrossDevice to ShaderCallKHR */
};

/* Counts by scope the atomics of that opcode. */
static void count_scopes(const struct testcase *tc, uint32_t op, int count[SCOPES])
{
    enum {
        SCOPE = 4 /* word: behind type, result and pointer */
    };
    static uint32_t value[RULES_MAX_IDS];
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    memset(value, 0xff, sizeof value);
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpConstant && i.n == 4 && i.w[2] < RULES_MAX_IDS) {
            value[i.w[2]] = i.w[3];
        } else if (i.op == op && i.w[SCOPE] < RULES_MAX_IDS && value[i.w[SCOPE]] < SCOPES) {
            count[value[i.w[SCOPE]]]++;
        }
    }
}

/* "Memory is a memory scope": of minima and maxima of floats each one that the environment has. */
static void each_scope_is_drawn(void **state)
{
    /* SHOWS(MIN_SCOPES, MAX_SCOPES) */
    enum {
        N_CASES = 8000,
        LEAST = 3
    };
    static const uint32_t ops[] = {SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT};
    static const bool has_scope[ENV_N][SCOPES] = {
        [ENV_CL] = {[SpvScopeCrossDevice] = true,
                    [SpvScopeDevice] = true,
                    [SpvScopeWorkgroup] = true,
                    [SpvScopeSubgroup] = true   },
        [ENV_VK] = { [SpvScopeDevice] = true,
                    [SpvScopeWorkgroup] = true,
                    [SpvScopeSubgroup] = true,
                    [SpvScopeInvocation] = true,
                    [SpvScopeQueueFamily] = true},
    };
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 23);
    int count[ENV_N][ARRAY_N(ops)][SCOPES] = {{{0}}};
    for (int i = 0; i < N_CASES; i++) {
        enum env const env = (enum env)(i % ENV_N);
        struct testcase tc;
        draw_case(b, &rng, PROFILE_ATOMICS, env, &tc);
        for (size_t k = 0; k < ARRAY_N(ops); k++) {
            count_scopes(&tc, ops[k], count[env][k]);
        }
    }
    for (unsigned k = 0; k < ENV_N * ARRAY_N(ops) * SCOPES; k++) {
        unsigned const env = k / SCOPES / ARRAY_N(ops);
        unsigned const scope = k % SCOPES;
        int const n = count[env][k / SCOPES % ARRAY_N(ops)][scope];
        if (has_scope[env][scope] ? n < LEAST : n > 0) {
            fail_msg("%s: opcode %u has scope %u %d times", env_names[env],
                     ops[k / SCOPES % ARRAY_N(ops)], scope, n);
        }
    }
    fixture_free(b);
}

/* Images of vectors of 16-bit floats are of each way to lie as well: of one and three dimensions, cubes, arrays. */
static void vectors_lie_in_each_way(void **state)
{
    /* SHOWS(VE_IMAGE_WAYS) */
    enum {
        MOST_CASES = 40000
    };
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 29);
    int n_by[TEXELS_N] = {0};
    int n_missing = 1;
    for (int i = 0; i < MOST_CASES && n_missing > 0; i++) {
        struct testcase tc;
        draw_case(b, &rng, PROFILE_ATOMICS, ENV_VK, &tc);
        for (uint32_t k = 0; k < tc.n_bufs; k++) {
            const struct buf_kind_row *const row = &buf_kind_rows[tc.bufs[k].kind];
            bool const is_vector = row->format == TEXEL_RG16F || row->format == TEXEL_RGBA16F;
            n_by[row->texels] += is_vector;
        }
        n_missing = 0;
        for (int k = 0; k < TEXELS_N; k++) {
            n_missing += k > TEXELS_BUFFER && n_by[k] == 0;
        }
    }
    assert_int_equal(n_missing, 0);
    fixture_free(b);
}

/* Does the module have version 1.0, and an instruction of that opcode, with that word at a place where one is asked for? */
static bool is_old_with(const struct testcase *tc, uint32_t op, uint32_t at, uint32_t word)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    bool is_there = false;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        is_there |= i.op == op && (at == 0 || (i.n > at && i.w[at] == word));
    }
    return is_there && tc->module[1] == 0x10000;
}

/* "This extension requires SPIR-V 1.0": modules of that version use both extensions. */
static void the_oldest_version_is_drawn(void **state)
{
    /* SHOWS(MM_OLD_VERSION, ME_OLD_VERSION) */
    enum {
        N_CASES = 1500,
        DECORATION = 2,
        MAX_ERROR = 6170
    };
    (void)state;
    struct fixture *b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 31);
    int n_minima = 0;
    int n_bounds = 0;
    for (int i = 0; i < N_CASES; i++) {
        struct testcase tc;
        draw_case(b, &rng, i % 2 ? PROFILE_ATOMICS : PROFILE_MAXERROR, ENV_CL, &tc);
        n_minima += is_old_with(&tc, SpvOpAtomicFMinEXT, 0, 0);
        n_bounds += is_old_with(&tc, SpvOpDecorate, DECORATION, MAX_ERROR);
    }
    assert_true(n_minima > 0);
    assert_true(n_bounds > 0);
    fixture_free(b);
}

/* How many conversions of the case from float to integer take the result of a shuffle? */
static int count_converted_shuffles(struct fixture *b, const struct testcase *tc)
{
    bool *const is_shuffled = ARENA_NEW(&b->a, bool, tc->module[3]); /* by id */
    struct spv_inst i;
    uint32_t offset = SPV_HEADER_WORDS;
    int n = 0;
    assert_non_null(is_shuffled);
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (i.op == SpvOpGroupNonUniformShuffle || i.op == SpvOpGroupNonUniformShuffleXor) {
            is_shuffled[i.w[2]] = true;
        } else if (i.op == SpvOpConvertFToU || i.op == SpvOpConvertFToS) {
            n += is_shuffled[i.w[3]];
        }
    }
    return n;
}

/* In Vulkan a conversion that is out of range is undefined, and so is what a shuffle reads from an invocation that is not there. */
static void vulkan_converts_shuffles_of_full_subgroups_alone(void **state)
{
    enum {
        N_CASES = 3000
    };
    (void)state;
    struct fixture *const b = fixture_new();
    struct rng rng = rng_seed(seed_of_test() + 32);
    int n_in_opencl = 0;
    for (int n = 0; n < N_CASES; n++) {
        enum env const env = (enum env)(n % ENV_N);
        struct testcase tc;
        draw_case(b, &rng, PROFILE_PROGRAMS, env, &tc);
        int const n_converted = count_converted_shuffles(b, &tc);
        n_in_opencl += env == ENV_CL ? n_converted : 0;
        assert_true(env == ENV_CL || n_converted == 0 ||
                    (tc.full_subgroups && needs_has(&tc.needs, NEED_VK_MAXIMAL_RECONVERGENCE)));
    }
    assert_true(n_in_opencl > 0);
    fixture_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_version_is_drawn),
        cmocka_unit_test(vulkan_converts_shuffles_of_full_subgroups_alone),
        cmocka_unit_test(masks_reach_far_lanes),
        cmocka_unit_test(vectors_of_amd_are_drawn),
        cmocka_unit_test(core_groups_come_by_the_extension),
        cmocka_unit_test(opencl_modules_are_valid),
        cmocka_unit_test(vulkan_modules_are_valid),
        cmocka_unit_test(arith_modules_are_valid),
        cmocka_unit_test(group_modules_are_valid),
        cmocka_unit_test(mixed_modules_are_valid),
        cmocka_unit_test(any_records_are_a_case),
        cmocka_unit_test(the_empty_tape_is_the_smallest_case),
        cmocka_unit_test(the_empty_tape_has_one_group_operation),
        cmocka_unit_test(a_tape_is_always_the_same_case),
        cmocka_unit_test(a_full_arena_is_an_error),
        cmocka_unit_test(kernels_name_their_language),
        cmocka_unit_test(buffers_have_either_form),
        cmocka_unit_test(texels_lie_in_each_way),
        cmocka_unit_test(shapes_keep_their_shares),
        cmocka_unit_test(group_shapes_keep_their_shares),
        cmocka_unit_test(some_cases_need_little),
        cmocka_unit_test(each_scope_is_drawn),
        cmocka_unit_test(vectors_lie_in_each_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

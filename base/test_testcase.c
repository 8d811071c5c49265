/* base/test_testcase.c -- cases and observations as bytes: round trips, and any bytes at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/testcase.h"

enum {
    ARENA_BYTES = 64 << 20,
    N_FLIPS = 10000
};

static const uint32_t module[] = {0x07230203, 0x00010200, 0, 9, 0, 0x00020011, 6, 0xdeadbeef};

/* A small case of the environment, with something in every field and buffers of all kinds. */
static void make_case(struct testcase *tc, struct arena *a, enum env env)
{
    *tc = (struct testcase){
        .env = env,
        .class = CLASS_UNADVERTISED,
        .profile = "atomics",
        .gen_version = 3,
        .tape_hash = UINT64_C(0x123456789abcdef0),
        .module = module,
        .n_words = ARRAY_N(module),
        .entry = "main_kernel",
        .build_options = env == ENV_CL ? "-cl-denorms-are-zero" : "",
        .local = {8,  2, 1},
        .global = {16, 4, 3},
        .subgroup_size = env == ENV_CL ? 0 : 32,
        .full_subgroups = env == ENV_CL ? 0 : 1,
        .n_bufs = 3,
    };
    needs_add(&tc->needs, env == ENV_CL ? NEED_CL_F16 : NEED_VK_F16);
    needs_add(&tc->needs, env == ENV_CL ? NEED_CL_IL_1_2 : NEED_VK_FLOAT_CONTROLS2);
    tc->bufs[0] = (struct buf){.kind = BUF_STORAGE, .n_bytes = 64};
    tc->bufs[1] = (struct buf){.kind = BUF_IMAGE2D_R32F, .width = 3, .height = 5, .n_bytes = 60};
    tc->bufs[2] = (struct buf){.kind = BUF_TEXEL_R32F, .n_bytes = 4};
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        tc->bufs[i].data = arena_take(a, tc->bufs[i].n_bytes);
        for (uint32_t k = 0; k < tc->bufs[i].n_bytes; k++) {
            tc->bufs[i].data[k] = (unsigned char)(k * 7 + i);
        }
    }
}

static void make_observation(struct observation *ob, const struct testcase *tc)
{
    *ob = (struct observation){
        .status = RUN_DONE,
        .phase = PHASE_DONE,
        .driver_code = -5,
        .build_ns = 1,
        .run_ns = UINT64_MAX,
        .log = "warning: \xff\x01",
        .signature = "lib+f;g",
        .facts = "name=x\n",
        .guard_hits = 4,
        .n_bufs = tc->n_bufs,
    };
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        ob->out[i] = tc->bufs[i].data;
    }
}

/* Two cases must be the same in every field; buffers of the decoded one are aligned. */
static void expect_same_case(const struct testcase *x, const struct testcase *y)
{
    assert_int_equal(x->env, y->env);
    assert_int_equal(x->class, y->class);
    assert_string_equal(x->profile, y->profile);
    assert_int_equal(x->gen_version, y->gen_version);
    assert_true(x->tape_hash == y->tape_hash);
    assert_int_equal(x->n_words, y->n_words);
    assert_memory_equal(x->module, y->module, x->n_words * sizeof *x->module);
    assert_string_equal(x->entry, y->entry);
    assert_string_equal(x->build_options, y->build_options);
    assert_memory_equal(x->local, y->local, sizeof x->local);
    assert_memory_equal(x->global, y->global, sizeof x->global);
    assert_int_equal(x->subgroup_size, y->subgroup_size);
    assert_int_equal(x->full_subgroups, y->full_subgroups);
    assert_memory_equal(&x->needs, &y->needs, sizeof x->needs);
    assert_int_equal(x->n_bufs, y->n_bufs);
    for (uint32_t i = 0; i < x->n_bufs; i++) {
        assert_int_equal(x->bufs[i].kind, y->bufs[i].kind);
        assert_int_equal(x->bufs[i].width, y->bufs[i].width);
        assert_int_equal(x->bufs[i].height, y->bufs[i].height);
        assert_int_equal(x->bufs[i].n_bytes, y->bufs[i].n_bytes);
        assert_memory_equal(x->bufs[i].data, y->bufs[i].data, x->bufs[i].n_bytes);
        assert_int_equal((uintptr_t)y->bufs[i].data % 16, 0);
    }
}

/* A case that was encoded and decoded is the same, and is encoded as the same bytes again. */
static void cases_go_round(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    arena_init(&a, ARENA_BYTES);
    for (int env = 0; env < ENV_N; env++) {
        struct testcase tc;
        struct testcase back;
        size_t n = 0;
        make_case(&tc, &a, (enum env)env);
        assert_int_equal(testcase_get_items(&tc), 192);
        assert_int_equal(testcase_get_groups(&tc), 12);
        const unsigned char *p = testcase_encode(&tc, &a, &n);
        assert_non_null(p);
        assert_int_equal(testcase_decode(&back, &a, p, n, &e), RES_OK);
        expect_same_case(&tc, &back);
        size_t n_again = 0;
        const unsigned char *again = testcase_encode(&back, &a, &n_again);
        assert_int_equal(n, n_again);
        assert_memory_equal(p, again, n);
    }
    arena_free(&a);
}

/* A case that is given as source has its text behind it; the bytes of any other are as they were. */
static void a_source_goes_round(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    struct testcase tc, back;
    size_t n_plain = 0, n = 0;
    arena_init(&a, ARENA_BYTES);
    make_case(&tc, &a, ENV_CL);
    assert_non_null(testcase_encode(&tc, &a, &n_plain));
    tc.language = LANGUAGE_OPENCL_C;
    tc.source = "__kernel void f() {}\n";
    const unsigned char *p = testcase_encode(&tc, &a, &n);
    assert_non_null(p);
    assert_int_equal(n, n_plain + 4 + strlen("opencl-c") + 4 + strlen(tc.source));
    assert_int_equal(testcase_decode(&back, &a, p, n, &e), RES_OK);
    expect_same_case(&tc, &back);
    assert_int_equal(back.language, LANGUAGE_OPENCL_C);
    assert_string_equal(back.source, tc.source);
    for (size_t cut = n_plain; cut < n; cut++) {
        assert_int_equal(testcase_decode(&back, &a, p, cut, &e), RES_FORMAT);
    }
    make_case(&tc, &a, ENV_VK);
    tc.language = LANGUAGE_OPENCL_C;
    tc.source = "";
    p = testcase_encode(&tc, &a, &n);
    assert_int_equal(testcase_decode(&back, &a, p, n, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "source text in the language of the other environment"));
    arena_free(&a);
}

/* Of all sizes of a sub-group only 0 (none required) and powers of two up to 128 are accepted, and of the
 * flag for full ones only 0 and 1. */
/* Encodes tc with one byte of its values changed: RES_OK only where `to` is what it was. */
static enum res decode_changed(const struct testcase *tc, struct arena *a, size_t from_end,
                               unsigned char to)
{
    size_t n = 0;
    struct testcase back;
    struct err e;
    const unsigned char *const bytes = testcase_encode(tc, a, &n);
    unsigned char *const p = arena_copy(a, bytes, n);
    p[n - from_end] = to;
    return testcase_decode(&back, a, p, n, &e);
}

/* Several dispatches and descriptor sets make the newest layout, which refuses those that cannot be. */
static void dispatches_and_sets_go_round(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    struct testcase tc, back;
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    make_case(&tc, &a, ENV_VK);
    memcpy(tc.local, (uint32_t[]){4, 1, 1}, sizeof tc.local);
    memcpy(tc.global, (uint32_t[]){8, 7, 1}, sizeof tc.global);
    tc.n_dispatches = 3;
    tc.bufs[1].set = 2;
    const unsigned char *const p = testcase_encode(&tc, &a, &n);
    assert_int_equal(load_le(p + 4, 4), 5);
    assert_int_equal(testcase_decode(&back, &a, p, n, &e), RES_OK);
    expect_same_case(&tc, &back);
    assert_int_equal(back.n_dispatches, 3);
    assert_int_equal(back.bufs[0].set, 0);
    assert_int_equal(back.bufs[1].set, 2);
    uint32_t next = 0;
    for (uint32_t i = 0; i < 3; i++) { /* seven rows, divided as 2, 2, 3 */
        struct dispatch const part = testcase_get_dispatch(&back, i);
        assert_int_equal(part.base[0], 0);
        assert_int_equal(part.n[0], 2);
        assert_int_equal(part.base[1], next);
        assert_int_equal(part.n[1], i < 2 ? 2 : 3);
        next += part.n[1];
    }
    assert_int_equal(next, 7);
    size_t const at_number = 4 * (size_t)tc.n_bufs + 4;
    assert_int_equal(decode_changed(&tc, &a, at_number, 7), RES_OK);
    assert_int_equal(decode_changed(&tc, &a, at_number, 8), RES_FORMAT);
    assert_int_equal(decode_changed(&tc, &a, at_number, 0), RES_FORMAT);
    assert_int_equal(decode_changed(&tc, &a, 4 * (size_t)(tc.n_bufs - 1), 4), RES_FORMAT);
    tc.n_dispatches = 0;
    assert_int_equal(decode_changed(&tc, &a, 4 * (size_t)(tc.n_bufs - 1), 0), RES_FORMAT);
    make_case(&tc, &a, ENV_CL);
    memcpy(tc.local, (uint32_t[]){4, 1, 1}, sizeof tc.local);
    memcpy(tc.global, (uint32_t[]){10, 1, 1}, sizeof tc.global);
    tc.n_dispatches = 2;
    assert_int_equal(decode_changed(&tc, &a, 1, 0), RES_FORMAT);
    tc.global[0] = 12;
    assert_int_equal(decode_changed(&tc, &a, 1, 0), RES_OK);
    assert_int_equal(decode_changed(&tc, &a, 4, 1), RES_FORMAT); /* a set in OpenCL */
    arena_free(&a);
}

/* Values of specialization constants make a newer layout; a case without them keeps the older one. */
static void specialization_constants_go_round(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    arena_init(&a, ARENA_BYTES);
    for (int env = 0; env < ENV_N; env++) {
        struct testcase tc;
        struct testcase back;
        size_t n = 0, n_without = 0;
        make_case(&tc, &a, (enum env)env);
        const unsigned char *const older = testcase_encode(&tc, &a, &n_without);
        assert_int_equal(load_le(older + 4, 4), 2);
        tc.n_specs = 3;
        tc.specs[0] = (struct spec){.id = 7, .n_bytes = 8, .bits = UINT64_C(0x8000000000000001)};
        tc.specs[1] = (struct spec){.id = 0, .n_bytes = 1, .bits = 1, .is_bool = 1};
        tc.specs[2] = (struct spec){.id = UINT32_MAX, .n_bytes = 2, .bits = 0xfffe};
        const unsigned char *const p = testcase_encode(&tc, &a, &n);
        assert_int_equal(load_le(p + 4, 4), 4);
        assert_int_equal(testcase_decode(&back, &a, p, n, &e), RES_OK);
        expect_same_case(&tc, &back);
        assert_int_equal(back.n_specs, 3);
        for (uint32_t i = 0; i < back.n_specs; i++) {
            const struct spec *const s = testcase_find_spec(&back, tc.specs[i].id);
            assert_non_null(s);
            assert_true(s->n_bytes == tc.specs[i].n_bytes && s->bits == tc.specs[i].bits &&
                        s->is_bool == tc.specs[i].is_bool);
        }
        assert_null(testcase_find_spec(&back, 1));
        assert_int_equal(decode_changed(&tc, &a, 16, 2), RES_OK);     /* the size: as it was */
        assert_int_equal(decode_changed(&tc, &a, 16, 1), RES_FORMAT); /* the value is wider */
        assert_int_equal(decode_changed(&tc, &a, 16, 3), RES_FORMAT);
        assert_int_equal(decode_changed(&tc, &a, 12, 1), RES_FORMAT); /* a bool of two bytes */
    }
    arena_free(&a);
}

static void each_subgroup_size_goes_round(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    size_t n_kept = 0;
    arena_init(&a, ARENA_BYTES);
    for (uint32_t size = 0; size <= 300; size++) {
        struct testcase tc;
        struct testcase back;
        size_t n = 0;
        make_case(&tc, &a, ENV_VK);
        tc.subgroup_size = size;
        tc.full_subgroups = size % 3; /* 2 is no flag */
        const unsigned char *p = testcase_encode(&tc, &a, &n);
        enum res const r = testcase_decode(&back, &a, p, n, &e);
        int const is_size = size == 0 || size == 1 || size == 2 || size == 4 || size == 8 ||
                            size == 16 || size == 32 || size == 64 || size == 128;
        if ((r == RES_OK) != (is_size && size % 3 < 2)) {
            fail_msg("size %u, flag %u: status %d", size, size % 3, (int)r);
        }
        if (r == RES_OK) {
            assert_int_equal(back.subgroup_size, size);
            assert_int_equal(back.full_subgroups, size % 3);
            n_kept++;
        } else {
            assert_non_null(strstr(e.text, "sub-group"));
        }
    }
    assert_int_equal(n_kept, 5); /* 0, 1, 4, 16, 64 */
    arena_free(&a);
}

/* An observation that was encoded and decoded is the same. Buffers come with RUN_DONE and with no other
 * status. */
static void observations_go_round(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    struct testcase tc;
    struct observation ob;
    struct observation back;
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    make_case(&tc, &a, ENV_CL);
    make_observation(&ob, &tc);
    const unsigned char *p = observation_encode(&tc, &ob, &a, &n);
    assert_int_equal(observation_decode(&back, &tc, &a, p, n, &e), RES_OK);
    assert_int_equal(back.status, ob.status);
    assert_int_equal(back.phase, ob.phase);
    assert_int_equal(back.driver_code, ob.driver_code);
    assert_true(back.build_ns == ob.build_ns && back.run_ns == ob.run_ns);
    assert_string_equal(back.log, ob.log);
    assert_string_equal(back.signature, ob.signature);
    assert_string_equal(back.facts, ob.facts);
    assert_int_equal(back.guard_hits, ob.guard_hits);
    assert_int_equal(back.n_bufs, tc.n_bufs);
    for (uint32_t i = 0; i < tc.n_bufs; i++) {
        assert_memory_equal(back.out[i], ob.out[i], tc.bufs[i].n_bytes);
    }
    observation_put_statistic(&ob, "VGPRs", 24); /* without a text of the program */
    observation_put_statistic(&ob, "", 1);
    observation_put_statistic(&ob, "too large", UINT64_MAX);
    p = observation_encode(&tc, &ob, &a, &n);
    assert_int_equal(observation_decode(&back, &tc, &a, p, n, &e), RES_OK);
    assert_int_equal(back.n_statistics, 1);
    assert_string_equal(back.statistics[0].name, "VGPRs");
    assert_int_equal(back.statistics[0].value, 24);
    unsigned char *const large = arena_take(&a, n);
    memcpy(large, p, n);
    large[n - 1] = 0xff; /* of the value: a journal cannot hold it */
    assert_int_equal(observation_decode(&back, &tc, &a, large, n, &e), RES_FORMAT);
    for (uint32_t i = 0; i < 2 * OBSERVATION_MAX_STATISTICS; i++) {
        observation_put_statistic(&ob, "SGPRs", i);
    }
    assert_int_equal(ob.n_statistics, OBSERVATION_MAX_STATISTICS);
    ob.n_statistics = 0;
    for (int s = 0; s < RUN_STATUS_N; s++) { /* without buffers, every other status */
        ob.status = (enum run_status)s;
        ob.n_bufs = s == RUN_DONE ? tc.n_bufs : 0;
        p = observation_encode(&tc, &ob, &a, &n);
        assert_int_equal(observation_decode(&back, &tc, &a, p, n, &e), RES_OK);
        assert_int_equal(back.status, s);
    }
    ob.status = RUN_CRASH; /* a crash has no outputs */
    ob.n_bufs = tc.n_bufs;
    p = observation_encode(&tc, &ob, &a, &n);
    assert_int_equal(observation_decode(&back, &tc, &a, p, n, &e), RES_FORMAT);
    arena_free(&a);
}

/* Decode a copy of n bytes of exactly that size, so that a sanitizer sees a read past the end. What is
 * accepted must keep the promises of a case. */
static enum res decode_copy(int is_case, const struct testcase *tc, const unsigned char *p,
                            size_t n, struct err *e)
{
    struct arena a;
    struct testcase back;
    struct observation ob;
    arena_init(&a, ARENA_BYTES);
    unsigned char *copy = malloc(n + (n == 0));
    assert_non_null(copy);
    memcpy(copy, p, n);
    enum res const r = is_case ? testcase_decode(&back, &a, copy, n, e)
                               : observation_decode(&ob, tc, &a, copy, n, e);
    if (r == RES_OK && is_case) { /* what was accepted keeps the promises */
        assert_true(testcase_get_items(&back) >= 1);
        assert_true(testcase_get_items(&back) <= CASE_MAX_ITEMS);
        assert_true(testcase_get_groups(&back) >= 1);
        size_t n_again = 0;
        assert_non_null(testcase_encode(&back, &a, &n_again));
    }
    arena_free(&a);
    free(copy);
    return r;
}

/* A case or observation that is cut anywhere, or has a byte too many, is refused with the place. */
static void every_truncation_is_refused(void **state)
{
    (void)state;
    struct arena a;
    struct testcase tc;
    struct observation ob;
    struct err e;
    size_t n[2];
    arena_init(&a, ARENA_BYTES);
    make_case(&tc, &a, ENV_VK);
    make_observation(&ob, &tc);
    const unsigned char *p[2] = {observation_encode(&tc, &ob, &a, &n[0]),
                                 testcase_encode(&tc, &a, &n[1])};
    for (int is_case = 0; is_case < 2; is_case++) {
        assert_int_equal(decode_copy(is_case, &tc, p[is_case], n[is_case], &e), RES_OK);
        for (size_t len = 0; len < n[is_case]; len++) {
            assert_int_equal(decode_copy(is_case, &tc, p[is_case], len, &e), RES_FORMAT);
            assert_non_null(strstr(e.text, "byte "));
        }
        unsigned char *longer = arena_copy(&a, p[is_case], n[is_case]);
        assert_int_equal(decode_copy(is_case, &tc, longer, n[is_case] + 1, &e), RES_FORMAT);
    }
    arena_free(&a);
}

/* Random flipped bits give an error or a case that keeps its promises. */
static void bit_flips_never_crash(void **state)
{
    (void)state;
    struct arena a;
    struct testcase tc;
    struct observation ob;
    struct err e;
    struct rng r = rng_seed(getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1);
    size_t n[2];
    size_t n_refused = 0;
    arena_init(&a, ARENA_BYTES);
    make_case(&tc, &a, ENV_CL);
    make_observation(&ob, &tc);
    const unsigned char *p[2] = {observation_encode(&tc, &ob, &a, &n[0]),
                                 testcase_encode(&tc, &a, &n[1])};
    for (int i = 0; i < N_FLIPS; i++) {
        int const is_case = i % 2;
        unsigned char *copy = malloc(n[is_case]);
        assert_non_null(copy);
        memcpy(copy, p[is_case], n[is_case]);
        for (uint64_t k = 1 + rng_below(&r, 4); k > 0; k--) {
            copy[rng_below(&r, n[is_case])] ^= (unsigned char)(1U << rng_below(&r, 8));
        }
        n_refused += decode_copy(is_case, &tc, copy, n[is_case], &e) != RES_OK;
        free(copy);
    }
    assert_in_range(n_refused, N_FLIPS / 4, N_FLIPS - 1);
    arena_free(&a);
}

/* One field out of bounds each; `at` is where the sentence must point: a word of it. */
static void each_bound_is_kept(void **state)
{
    (void)state;
    struct arena a;
    struct testcase tc;
    struct err e;
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    for (int i = 0; i < 10; i++) {
        make_case(&tc, &a, i == 2 ? ENV_VK : ENV_CL);
        const char *word = "out of range";
        switch (i) {
        case 0:
            tc.local[1] = 0;
            break;
        case 1:
            tc.global[0] = 1 << 12;
            tc.global[1] = 1 << 12;
            word = "too many invocations";
            break;
        case 2:
            tc.global[0] = 17;
            word = "whole work-groups";
            break;
        case 3:
            tc.n_words = 4;
            break;
        case 4:
            tc.bufs[0].n_bytes = 0;
            break;
        case 5:
            tc.bufs[0].n_bytes = 6;
            break;
        case 6:
            tc.bufs[1].width = 4;
            word = "image's size";
            break;
        case 7:
            tc.bufs[0].height = 1;
            word = "image's size";
            break;
        case 8: /* 15 texels of 8 bytes are more */
            tc.bufs[1].kind = BUF_IMAGE2D_RGBA16F;
            word = "image's size";
            break;
        default:
            needs_add(&tc.needs, NEED_VK_F16);
            word = "another environment";
            break;
        }
        const unsigned char *p = testcase_encode(&tc, &a, &n);
        assert_int_equal(decode_copy(1, &tc, p, n, &e), RES_FORMAT);
        if (!strstr(e.text, word)) {
            fail_msg("bound %d: %s", i, e.text);
        }
    }
    arena_free(&a);
}

/* Memory that nobody writes: no more than each device has, and one block of push constants. */
static void constant_memory_is_bounded(void **state)
{
    (void)state;
    static const struct {
        enum buf_kind first, second;
        uint32_t n_bytes;
        enum res res;
    } rows[] = {
        {BUF_CONSTANT, BUF_CONSTANT, CASE_MAX_CONSTANT_BYTES,     RES_OK    },
        {BUF_CONSTANT, BUF_STORAGE,  CASE_MAX_CONSTANT_BYTES + 4, RES_FORMAT},
        {BUF_PUSH,     BUF_CONSTANT, CASE_MAX_PUSH_BYTES,         RES_OK    },
        {BUF_PUSH,     BUF_STORAGE,  CASE_MAX_PUSH_BYTES + 4,     RES_FORMAT},
        {BUF_PUSH,     BUF_PUSH,     8,                           RES_FORMAT},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        struct testcase tc;
        struct err e;
        size_t n = 0;
        arena_init(&a, ARENA_BYTES);
        make_case(&tc, &a, ENV_VK);
        tc.n_bufs = 2;
        for (int k = 0; k < 2; k++) {
            tc.bufs[k] = (struct buf){.kind = k == 0 ? rows[i].first : rows[i].second,
                                      .n_bytes = rows[i].n_bytes,
                                      .data = arena_take(&a, rows[i].n_bytes)};
        }
        const unsigned char *p = testcase_encode(&tc, &a, &n);
        assert_int_equal(decode_copy(1, &tc, p, n, &e), rows[i].res);
        arena_free(&a);
    }
}

/* An argument by value has any size up to that of 16 components of 64 bits, and is of OpenCL alone. */
static void values_have_any_size(void **state)
{
    (void)state;
    static const struct {
        enum env env;
        uint32_t n_bytes;
        enum res res;
        const char *want;
    } rows[] = {
        {ENV_CL, 1,                        RES_OK,     ""                                     },
        {ENV_CL, 2,                        RES_OK,     ""                                     },
        {ENV_CL, CASE_MAX_VALUE_BYTES,     RES_OK,     ""                                     },
        {ENV_CL, 0,                        RES_FORMAT, "size is out of range"                 },
        {ENV_CL, CASE_MAX_VALUE_BYTES + 1, RES_FORMAT, "size is out of range"                 },
        {ENV_VK, 4,                        RES_FORMAT, "an argument by value, which no Vulkan"},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        struct testcase tc, back;
        struct err e = {RES_OK, ""};
        size_t n = 0;
        arena_init(&a, ARENA_BYTES);
        make_case(&tc, &a, rows[i].env);
        tc.n_bufs = 2;
        tc.bufs[1] = (struct buf){.kind = BUF_VALUE,
                                  .n_bytes = rows[i].n_bytes,
                                  .data = arena_take(&a, CASE_MAX_VALUE_BYTES + 1)};
        const unsigned char *const p = testcase_encode(&tc, &a, &n);
        assert_int_equal(testcase_decode(&back, &a, p, n, &e), rows[i].res);
        assert_non_null(strstr(e.text, rows[i].want));
        if (rows[i].res == RES_OK) {
            expect_same_case(&tc, &back);
        }
        arena_free(&a);
    }
}

/* A text with a NUL in it is refused: it would be shorter to one reader than to another. */
static void strings_hold_no_nul(void **state)
{
    (void)state;
    struct arena a;
    struct testcase tc;
    struct err e;
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    make_case(&tc, &a, ENV_CL);
    const unsigned char *p = testcase_encode(&tc, &a, &n);
    unsigned char *copy = arena_copy(&a, p, n);
    size_t n_planted = 0;
    for (size_t i = 0; i + 7 < n; i++) {
        if (memcmp(copy + i, "atomics", 7) == 0) {
            copy[i + 3] = 0;
            n_planted++;
        }
    }
    assert_int_equal(n_planted, 1);
    assert_int_equal(decode_copy(1, &tc, copy, n, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "NUL"));
    arena_free(&a);
}

/* An arena that is too small gives RES_NOMEM and nothing else. */
static void full_arena_is_told(void **state)
{
    (void)state;
    struct arena a;
    struct arena small;
    struct testcase tc;
    struct testcase back;
    struct err e;
    size_t n = 0;
    size_t n_full = 0;
    arena_init(&a, ARENA_BYTES);
    make_case(&tc, &a, ENV_CL);
    const unsigned char *p = testcase_encode(&tc, &a, &n);
    for (size_t limit = 0; limit < 400; limit += 16) {
        arena_init(&small, limit);
        enum res const r = testcase_decode(&back, &small, p, n, &e);
        assert_true(r == RES_OK || r == RES_NOMEM);
        n_full += r == RES_NOMEM;
        arena_free(&small);
    }
    assert_true(n_full > 5);
    arena_free(&a);
}

/* Slices of an image by its form, and how far its coordinates go, of sizes worked out by hand. */
static void images_have_their_slices(void **state)
{
    (void)state;
    static const struct {
        enum buf_kind kind;
        uint32_t width, height, n_bytes, n_slices, n, extents[3];
    } rows[] = {
        {BUF_STORAGE,            0, 0, 64,  0,  0, {0, 0, 0} },
        {BUF_TEXEL_RG16F,        0, 0, 64,  0,  1, {16, 0, 0}},
        {BUF_TEXEL_RGBA16F,      0, 0, 64,  0,  1, {8, 0, 0} },
        {BUF_IMAGE1D_R32F,       5, 1, 20,  1,  1, {5, 0, 0} },
        {BUF_IMAGE1D_R32F,       5, 2, 40,  0,  0, {0, 0, 0} },
        {BUF_IMAGE1D_R32F,       5, 1, 40,  0,  0, {0, 0, 0} },
        {BUF_IMAGE2D_R32F,       5, 2, 40,  1,  2, {5, 2, 0} },
        {BUF_IMAGE2D_R32F,       5, 2, 80,  0,  0, {0, 0, 0} },
        {BUF_IMAGE3D_RGBA16F,    3, 2, 240, 5,  3, {3, 2, 5} },
        {BUF_IMAGE3D_RGBA16F,    3, 2, 244, 0,  0, {0, 0, 0} },
        {BUF_IMAGE3D_RGBA16F,    0, 2, 240, 0,  0, {0, 0, 0} },
        {BUF_CUBE_R32F,          2, 2, 96,  6,  3, {2, 2, 6} },
        {BUF_CUBE_R32F,          2, 2, 192, 0,  0, {0, 0, 0} },
        {BUF_CUBE_R32F,          2, 4, 192, 0,  0, {0, 0, 0} },
        {BUF_ARRAY1D_RG16F,      4, 1, 48,  3,  2, {4, 3, 0} },
        {BUF_ARRAY1D_RG16F,      4, 3, 48,  0,  0, {0, 0, 0} },
        {BUF_ARRAY2D_R32F,       4, 3, 96,  2,  3, {4, 3, 2} },
        {BUF_CUBE_ARRAY_R32F,    2, 2, 192, 12, 3, {2, 2, 12}},
        {BUF_CUBE_ARRAY_R32F,    2, 2, 128, 0,  0, {0, 0, 0} },
        {BUF_CUBE_ARRAY_RGBA16F, 1, 1, 48,  6,  3, {1, 1, 6} },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct buf const b = {.kind = rows[i].kind,
                              .width = rows[i].width,
                              .height = rows[i].height,
                              .n_bytes = rows[i].n_bytes};
        uint32_t extents[TEXELS_MAX_COORDINATES] = {0};
        assert_int_equal(buf_get_slices(&b), rows[i].n_slices);
        assert_int_equal(buf_get_extents(&b, extents), rows[i].n);
        assert_memory_equal(extents, rows[i].extents, sizeof extents);
    }
    for (int i = 0; i < BUF_KIND_N; i++) {
        const struct buf_kind_row *const row = &buf_kind_rows[i];
        assert_int_equal(buf_find_kind(row->texels, row->format),
                         row->texels == TEXELS_NONE ? BUF_STORAGE : i);
    }
    assert_int_equal(buf_find_kind(TEXELS_2D, TEXEL_NONE), BUF_STORAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_go_round),
        cmocka_unit_test(a_source_goes_round),
        cmocka_unit_test(specialization_constants_go_round),
        cmocka_unit_test(dispatches_and_sets_go_round),
        cmocka_unit_test(each_subgroup_size_goes_round),
        cmocka_unit_test(observations_go_round),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(bit_flips_never_crash),
        cmocka_unit_test(each_bound_is_kept),
        cmocka_unit_test(strings_hold_no_nul),
        cmocka_unit_test(constant_memory_is_bounded),
        cmocka_unit_test(values_have_any_size),
        cmocka_unit_test(full_arena_is_told),
        cmocka_unit_test(images_have_their_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

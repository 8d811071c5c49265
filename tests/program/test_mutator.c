/* tests/program/test_mutator.c -- the library that AFL++ loads, by its hooks. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gen/case/gen.h"
#include "gen/mutate/mutate.h"
#include "gen/mutate/pool.h"
#include "gen/tape/tape_random.h"

enum {
    MAX_BYTES = 1 << 20,
    ARENA_BYTES = 64 << 20
};

struct hooks {
    void *library;
    void *(*init)(void *, unsigned int);
    void (*deinit)(void *);
    uint32_t (*fuzz_count)(void *, const uint8_t *, size_t);
    size_t (*fuzz)(void *, uint8_t *, size_t, uint8_t **, uint8_t *, size_t, size_t);
    const char *(*describe)(void *, size_t);
    int32_t (*init_trim)(void *, uint8_t *, size_t);
    size_t (*trim)(void *, uint8_t **);
    int32_t (*post_trim)(void *, uint8_t);
    uint8_t (*queue_new_entry)(void *, const uint8_t *, const uint8_t *);
};

/* A function out of a library, as dlsym gives it. */
static void find(void *library, const char *name, void *function)
{
    void *const p = dlsym(library, name);
    if (!p) {
        fail_msg("%s: not in the library", name);
    }
    memcpy(function, &p, sizeof p);
}

static int load(void **state)
{
    static struct hooks h;
    char path[4096];
    ssize_t const n = readlink("/proc/self/exe", path, sizeof path - 64);
    assert_true(n > 0);
    path[n] = '\0';
    for (int i = 0; i < 2; i++) { /* build/tests/test_mutator */
        *strrchr(path, '/') = '\0';
    }
    strcat(path, "/libhalfulp-mutator.so");
    h.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!h.library) {
        fail_msg("%s", dlerror());
    }
    find(h.library, "afl_custom_init", &h.init);
    find(h.library, "afl_custom_deinit", &h.deinit);
    find(h.library, "afl_custom_fuzz_count", &h.fuzz_count);
    find(h.library, "afl_custom_fuzz", &h.fuzz);
    find(h.library, "afl_custom_describe", &h.describe);
    find(h.library, "afl_custom_init_trim", &h.init_trim);
    find(h.library, "afl_custom_trim", &h.trim);
    find(h.library, "afl_custom_post_trim", &h.post_trim);
    find(h.library, "afl_custom_queue_new_entry", &h.queue_new_entry);
    *state = &h;
    return 0;
}

static int unload(void **state)
{
    struct hooks *const h = *state;
    return dlclose(h->library);
}

/* Bytes of the tape file of a random tape. */
static uint8_t *draw_file(uint64_t seed, const char *profile, struct arena *a, size_t *n)
{
    struct rng rng = rng_seed(seed);
    struct tape t;
    assert_int_equal(tape_random(&t, &rng, a, NULL), RES_OK);
    const unsigned char *const p = tape_encode(&t, profile, a, n);
    assert_non_null(p);
    return arena_copy(a, p, *n);
}

static struct tape parse(const uint8_t *p, size_t n, const char *profile, struct arena *a)
{
    struct tape t;
    const char *name = NULL;
    struct err e = {.text = ""};
    if (tape_parse(&t, "output", p, n, &name, a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    assert_string_equal(name, profile);
    return t;
}

static void outputs_are_tapes_that_differ(void **state)
{
    const struct hooks *const h = *state;
    struct arena a;
    size_t n[2];
    unsigned n_random = 0;
    arena_init(&a, ARENA_BYTES);
    uint8_t *const in = draw_file(1, "maxerror", &a, &n[0]);
    uint8_t *const add = draw_file(2, "maxerror", &a, &n[1]);
    void *const m = h->init(NULL, 5);
    assert_non_null(m);
    assert_true(h->fuzz_count(m, in, n[0]) > 0);
    for (int i = 0; i < 200; i++) {
        uint8_t *out = NULL;
        struct testcase tc;
        struct arena b;
        size_t const n_out = h->fuzz(m, in, n[0], &out, add, n[1], MAX_BYTES);
        assert_true(n_out > 0 && n_out <= MAX_BYTES);
        assert_false(n_out == n[0] && memcmp(out, in, n_out) == 0);
        arena_init(&b, ARENA_BYTES);
        struct tape const t = parse(out, n_out, "maxerror", &b);
        assert_int_equal(gen_case(PROFILE_MAXERROR, gen_get_env(&t), &t, &b, &tc, NULL, NULL),
                         RES_OK);
        arena_free(&b);
        const char *const text = h->describe(m, 60);
        assert_true(text[0] != '\0' && strlen(text) <= 60 && !strchr(text, '/'));
        n_random += strcmp(text, "random") == 0;
        assert_int_equal(h->queue_new_entry(m, (const uint8_t *)"new", (const uint8_t *)"old"), 0);
    }
    assert_in_range(n_random, 20, 60); /* fresh ones go on being mixed in */
    h->deinit(m);
    arena_free(&a);
}

static void the_same_seed_gives_the_same(void **state)
{
    const struct hooks *const h = *state;
    struct arena a;
    size_t n[2];
    arena_init(&a, ARENA_BYTES);
    uint8_t *const in = draw_file(3, "atomics", &a, &n[0]);
    uint8_t *const add = draw_file(4, "atomics", &a, &n[1]);
    void *const m[2] = {h->init(NULL, 9), h->init(NULL, 9)};
    void *const other = h->init(NULL, 10);
    unsigned n_other = 0;
    for (int i = 0; i < 40; i++) {
        uint8_t *out[3];
        size_t n_out[3];
        for (int k = 0; k < 3; k++) {
            n_out[k] = h->fuzz(k < 2 ? m[k] : other, in, n[0], &out[k], i % 2 ? add : NULL,
                               i % 2 ? n[1] : 0, MAX_BYTES);
        }
        assert_int_equal(n_out[0], n_out[1]);
        assert_memory_equal(out[0], out[1], n_out[0]);
        n_other += n_out[2] != n_out[0] || memcmp(out[2], out[0], n_out[0]) != 0;
    }
    assert_true(n_other > 30);
    h->deinit(m[0]);
    h->deinit(m[1]);
    h->deinit(other);
    arena_free(&a);
}

/* What is no tape becomes a random one; and where there is no room, nothing is made. */
static void bad_inputs_and_little_room_are_survived(void **state)
{
    const struct hooks *const h = *state;
    struct arena a;
    struct rng rng = rng_seed(11);
    size_t n_good = 0;
    arena_init(&a, ARENA_BYTES);
    uint8_t *const good = draw_file(6, "groups", &a, &n_good);
    void *const m = h->init(NULL, 1);
    for (int i = 0; i < 400; i++) {
        uint8_t bytes[600];
        uint8_t *out = NULL;
        size_t const n = rng_below(&rng, sizeof bytes);
        size_t const n_most = i % 4 == 0 ? rng_below(&rng, 400) : (size_t)MAX_BYTES;
        for (size_t k = 0; k < n; k++) {
            bytes[k] = i % 2 && k < 48 ? good[k] : (uint8_t)rng_next(&rng);
        }
        if (n > 0) {
            bytes[rng_below(&rng, n)] ^= (uint8_t)(1u << rng_below(&rng, 8));
        }
        size_t const n_out =
            h->fuzz(m, bytes, n, &out, i % 3 ? bytes : NULL, i % 3 ? n : 0, n_most);
        assert_non_null(out);
        assert_true(n_out <= n_most);
        if (n_out > 0) {
            struct arena b;
            const char *name = NULL;
            struct tape t;
            arena_init(&b, ARENA_BYTES);
            assert_int_equal(tape_parse(&t, "output", out, n_out, &name, &b, NULL), RES_OK);
            arena_free(&b);
        } else {
            assert_true(n_most < 100);
        }
        int32_t const n_steps = h->init_trim(m, bytes, n);
        assert_true(n_steps >= 0);
        if (n_steps > 0) {
            assert_true(h->trim(m, &out) <= n && out);
        }
    }
    h->deinit(m);
    arena_free(&a);
}

static void the_control_arm_is_random_tapes_alone(void **state)
{
    const struct hooks *const h = *state;
    struct arena a;
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    uint8_t *const in = draw_file(7, "arith", &a, &n);
    assert_int_equal(setenv("HALFULP_MUTATOR", "random", 1), 0);
    void *const m = h->init(NULL, 3);
    assert_int_equal(unsetenv("HALFULP_MUTATOR"), 0);
    struct tape const parent = parse(in, n, "arith", &a);
    for (int i = 0; i < 30; i++) {
        uint8_t *out = NULL;
        size_t const n_out = h->fuzz(m, in, n, &out, in, n, MAX_BYTES);
        struct tape const t = parse(out, n_out, "arith", &a);
        for (size_t k = 0; k + 8 <= parent.n_records && k + 8 <= t.n_records; k += 8) {
            assert_memory_not_equal(parent.data + 8 * k, t.data + 8 * k, 64);
        }
        assert_string_equal(h->describe(m, 60), "random");
    }
    assert_int_equal(h->init_trim(m, in, n), 0);
    h->deinit(m);
    arena_free(&a);
}

/* As afl-fuzz drives it: what keeps the dispatch is kept. */
static void trimming_goes_to_a_fixed_point(void **state)
{
    const struct hooks *const h = *state;
    struct arena a;
    struct testcase tc;
    size_t n = 0;
    arena_init(&a, (size_t)1 << 30);
    uint8_t *const in = draw_file(8, "atomics", &a, &n);
    struct tape t = parse(in, n, "atomics", &a);
    assert_int_equal(gen_case(PROFILE_ATOMICS, gen_get_env(&t), &t, &a, &tc, NULL, NULL), RES_OK);
    uint32_t const wanted = tc.global[0];
    size_t const n_before = n;
    assert_int_equal(setenv("HALFULP_MUTATOR_TRIM", "100000", 1), 0);
    void *const m = h->init(NULL, 3);
    assert_int_equal(unsetenv("HALFULP_MUTATOR_TRIM"), 0);
    for (int round = 0, n_kept = 1; n_kept > 0; round++) {
        assert_true(round < 20);
        n_kept = 0;
        int32_t const n_steps = h->init_trim(m, in, n);
        for (int32_t step = 0; step < n_steps;) {
            uint8_t *out = NULL;
            size_t const n_out = h->trim(m, &out);
            assert_true(n_out > 0 && n_out <= n); /* afl-fuzz copies it over the input */
            t = parse(out, n_out, "atomics", &a);
            assert_int_equal(gen_case(PROFILE_ATOMICS, gen_get_env(&t), &t, &a, &tc, NULL, NULL),
                             RES_OK);
            int const is_kept = tc.global[0] == wanted;
            if (is_kept) {
                memcpy(in, out, n_out);
                n = n_out;
                n_kept++;
            }
            int32_t const next = h->post_trim(m, (uint8_t)is_kept);
            assert_true(next > step);
            step = next;
        }
    }
    assert_true(n < n_before / 4);
    h->deinit(m);
    arena_free(&a);
}

/* Few by default: each costs an execution. */
static void trimming_is_short_by_default(void **state)
{
    const struct hooks *const h = *state;
    struct arena a;
    size_t n = 0;
    unsigned n_tried = 0;
    arena_init(&a, ARENA_BYTES);
    uint8_t *const in = draw_file(9, "all", &a, &n);
    void *const m = h->init(NULL, 3);
    int32_t const n_steps = h->init_trim(m, in, n);
    for (int32_t step = 0; step < n_steps; n_tried++) {
        uint8_t *out = NULL;
        size_t const n_out = h->trim(m, &out);
        assert_true(n_out > 0 && n_out <= n);
        step = h->post_trim(m, n_tried == 0); /* the first takes away what is not read */
    }
    assert_in_range(n_tried, 1, 64);
    h->deinit(m);
    arena_free(&a);
}

static void the_end_tells_what_was_of_use(void **state)
{
    const struct hooks *const h = *state;
    struct arena a;
    size_t n = 0;
    char path[] = "/tmp/halfulp_mutator_XXXXXX";
    int const fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    arena_init(&a, ARENA_BYTES);
    uint8_t *const in = draw_file(10, "atomics", &a, &n);
    assert_int_equal(setenv("HALFULP_MUTATOR_STATS", path, 1), 0);
    void *const m = h->init(NULL, 3);
    assert_int_equal(unsetenv("HALFULP_MUTATOR_STATS"), 0);
    unsigned n_made = 0;
    for (int i = 0; i < 20; i++) {
        uint8_t *out = NULL;
        assert_true(h->fuzz(m, in, n, &out, NULL, 0, MAX_BYTES) > 0);
        n_made += strcmp(h->describe(m, 60), "random") != 0;
        (void)h->queue_new_entry(m, (const uint8_t *)"new", (const uint8_t *)"old");
    }
    h->deinit(m);
    FILE *const f = fopen(path, "r");
    assert_non_null(f);
    char name[32];
    unsigned used = 0;
    unsigned found = 0;
    unsigned sum = 0;
    int rows = 0;
    while (fscanf(f, "%31s %u %u", name, &used, &found) == 3) {
        assert_int_equal(used, found);
        sum += used;
        rows++;
    }
    (void)fclose(f);
    (void)unlink(path);
    assert_int_equal(rows, MUTATION_N);
    assert_true(sum >= n_made);
    arena_free(&a);
}

/* A tape file in a folder of the test's own; its path. */
static const char *write_seed(uint64_t seed, const char *profile, struct arena *a)
{
    size_t n = 0;
    static const char pattern[] = "/tmp/halfulp_seed_XXXXXX";
    char *const path = arena_copy(a, pattern, sizeof pattern);
    uint8_t *const p = draw_file(seed, profile, a, &n);
    int const fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, p, n), (ssize_t)n);
    (void)close(fd);
    return path;
}

/* Crossings come of the seeds, not of the input at hand: each is of its own profile. */
static void a_crossing_keeps_the_profile_of_its_base(void **state)
{
    static const char *const seeds[] = {"groups", "maxerror"};
    const struct hooks *const h = *state;
    struct arena a;
    size_t n = 0;
    unsigned n_crossed[ARRAY_N(seeds)] = {0};
    arena_init(&a, (size_t)1 << 30);
    uint8_t *const in = draw_file(12, "atomics", &a, &n);
    size_t n_most = (size_t)POOL_MAX_RECORDS * TAPE_RECORD_BYTES; /* or what a seed has */
    void *const m = h->init(NULL, 5);
    for (size_t i = 0; i < ARRAY_N(seeds); i++) {
        size_t n_seed = 0;
        (void)draw_file(13 + i, seeds[i], &a, &n_seed);
        n_most = n_seed > n_most ? n_seed : n_most;
        const char *const path = write_seed(13 + i, seeds[i], &a);
        assert_int_equal(h->queue_new_entry(m, (const uint8_t *)path, NULL), 0);
        (void)unlink(path);
    }
    for (int i = 0; i < 60; i++) {
        uint8_t *out = NULL;
        struct tape t;
        const char *profile = NULL;
        size_t const n_out = h->fuzz(m, in, n, &out, NULL, 0, MAX_BYTES);
        int const is_crossing = strcmp(h->describe(m, 60), "cross") == 0;
        assert_true(!is_crossing || n_out <= n_most + 64);
        assert_int_equal(tape_parse(&t, "output", out, n_out, &profile, &a, NULL), RES_OK);
        assert_int_equal(strcmp(profile, "atomics") != 0, is_crossing);
        for (size_t k = 0; k < ARRAY_N(seeds); k++) {
            n_crossed[k] += strcmp(profile, seeds[k]) == 0;
        }
    }
    assert_in_range(n_crossed[0], 10, 40);
    assert_in_range(n_crossed[1], 10, 40);
    h->deinit(m);
    arena_free(&a);
}

/* With the driver's own edges small cases are of more use. */
static void the_strategy_for_edges_crosses_nothing(void **state)
{
    const struct hooks *const h = *state;
    struct arena a;
    size_t n = 0;
    unsigned n_random = 0;
    arena_init(&a, (size_t)1 << 30);
    uint8_t *const in = draw_file(15, "groups", &a, &n);
    assert_int_equal(setenv("HALFULP_MUTATOR", "edges", 1), 0);
    void *const m = h->init(NULL, 5);
    assert_int_equal(unsetenv("HALFULP_MUTATOR"), 0);
    assert_non_null(m);
    const char *const path = write_seed(16, "groups", &a);
    assert_int_equal(h->queue_new_entry(m, (const uint8_t *)path, NULL), 0);
    (void)unlink(path);
    for (int i = 0; i < 200; i++) {
        uint8_t *out = NULL;
        assert_true(h->fuzz(m, in, n, &out, NULL, 0, MAX_BYTES) > 0);
        const char *const text = h->describe(m, 60);
        assert_null(strstr(text, "cross"));
        n_random += strcmp(text, "random") == 0;
    }
    assert_in_range(n_random, 120, 180); /* three of four */
    h->deinit(m);
    arena_free(&a);
}

static void an_unknown_strategy_is_refused(void **state)
{
    const struct hooks *const h = *state;
    assert_int_equal(setenv("HALFULP_MUTATOR", "randon", 1), 0);
    assert_null(h->init(NULL, 5));
    assert_int_equal(unsetenv("HALFULP_MUTATOR"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crossing_keeps_the_profile_of_its_base),
        cmocka_unit_test(the_strategy_for_edges_crosses_nothing),
        cmocka_unit_test(an_unknown_strategy_is_refused),
        cmocka_unit_test(outputs_are_tapes_that_differ),
        cmocka_unit_test(the_same_seed_gives_the_same),
        cmocka_unit_test(bad_inputs_and_little_room_are_survived),
        cmocka_unit_test(the_control_arm_is_random_tapes_alone),
        cmocka_unit_test(trimming_goes_to_a_fixed_point),
        cmocka_unit_test(trimming_is_short_by_default),
        cmocka_unit_test(the_end_tells_what_was_of_use),
    };
    return cmocka_run_group_tests(tests, load, unload);
}

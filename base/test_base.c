/* base/test_base.c -- arena, random numbers and bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

static void errors_carry_one_sentence(void **state)
{
    (void)state;
    struct err e;
    assert_int_equal(err_set(&e, RES_IO, "%s: byte %d", "x", 7), RES_IO);
    assert_int_equal(e.code, RES_IO);
    assert_string_equal(e.text, "x: byte 7");
    assert_int_equal(err_set(NULL, RES_LIMIT, "nobody listens"), RES_LIMIT);
    char longer[2000];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    (void)err_set(&e, RES_FORMAT, "%s", longer);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
}

/* Blocks are aligned, zeroed, do not overlap, and survive until reset. */
static void arena_blocks_stay_apart(void **state)
{
    (void)state;
    struct arena a;
    struct rng r = rng_seed(1);
    unsigned char *block[500];
    size_t n_bytes[500];
    arena_init(&a, 64 << 20);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < ARRAY_N(block); i++) {
            n_bytes[i] = rng_below(&r, i % 50 == 0 ? 400000 : 200);
            block[i] = arena_take(&a, n_bytes[i]);
            assert_non_null(block[i]);
            assert_int_equal((uintptr_t)block[i] % 16, 0);
            for (size_t k = 0; k < n_bytes[i]; k++) {
                assert_int_equal(block[i][k], 0);
            }
            memset(block[i], (int)(i % 251 + 1), n_bytes[i]);
        }
        for (size_t i = 0; i < ARRAY_N(block); i++) {
            for (size_t k = 0; k < n_bytes[i]; k++) {
                assert_int_equal(block[i][k], i % 251 + 1);
            }
        }
        arena_reset(&a);
        assert_int_equal(a.used_bytes, 0);
    }
    arena_free(&a);
}

/* Texts around the length up to which they are formatted on the stack. */
static void texts_of_any_length(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 1 << 20);
    for (int n = 250; n < 262; n++) {
        const char *const text = arena_printf(&a, "%0*d", n, 7);
        assert_int_equal(strlen(text), n);
        assert_string_equal(text + n - 2, "07");
    }
    arena_free(&a);
}

static void arena_keeps_its_limit(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 1000);
    assert_non_null(arena_take(&a, 500));
    assert_null(arena_take(&a, 600));
    assert_null(arena_take(&a, SIZE_MAX));
    assert_null(arena_take(&a, SIZE_MAX - 8));
    assert_null(arena_copy(&a, "x", SIZE_MAX));
    assert_non_null(arena_take(&a, 400));
    assert_string_equal(arena_printf(&a, "%0200d", 1), "");
    arena_reset(&a);
    assert_string_equal(arena_printf(&a, "%s-%d", "a", 5), "a-5");
    const char *copy = arena_copy(&a, "abcdef", 3);
    assert_string_equal(copy, "abc");
    arena_free(&a);
}

/* A text that did not fit is "", which says nothing: the arena does, until it is used anew. */
static void an_arena_says_that_it_was_full(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 64);
    assert_string_equal(arena_printf(&a, "%s", "fits"), "fits");
    assert_false(a.is_full);
    assert_string_equal(arena_printf(&a, "%100s", "does not"), "");
    assert_true(a.is_full);
    assert_string_equal(arena_printf(&a, "%s", "fits"), "fits");
    assert_true(a.is_full);
    arena_reset(&a);
    assert_false(a.is_full);
    arena_free(&a);
}

/* First outputs of splitmix64 for the state 1234567, from the list on Rosetta Code (Pseudo-random
 * numbers/Splitmix64). */
static void random_numbers_are_splitmix64(void **state)
{
    (void)state;
    static const uint64_t want[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                    UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                    UINT64_C(16408922859458223821)};
    struct rng r = {1234567};
    for (size_t i = 0; i < ARRAY_N(want); i++) {
        assert_true(rng_next(&r) == want[i]);
    }
}

/* A seed gives the same numbers each time and another seed others; forks with two labels differ; numbers
 * below 10 are spread evenly. */
static void random_forks_differ(void **state)
{
    (void)state;
    struct rng a = rng_seed(5);
    struct rng b = rng_seed(5);
    struct rng c = rng_seed(6);
    assert_true(rng_next(&a) == rng_next(&b));
    assert_true(rng_next(&a) != rng_next(&c));
    struct rng one = rng_fork(&a, 1);
    struct rng same = rng_fork(&b, 0);
    (void)rng_next(&b);
    assert_true(rng_next(&one) != rng_next(&same));
    size_t seen[10] = {0};
    for (int i = 0; i < 10000; i++) {
        uint64_t const v = rng_below(&a, 10);
        assert_true(v < 10);
        seen[v]++;
    }
    for (size_t i = 0; i < 10; i++) {
        assert_in_range(seen[i], 800, 1200);
    }
}

/* Every single-bit change and every length gives another hash. */
static void hash_sees_every_bit(void **state)
{
    (void)state;
    unsigned char text[40] = {0};
    uint64_t seen[40 * 8 + 41];
    size_t n = 0;
    for (size_t i = 0; i < sizeof text * 8; i++) {
        text[i / 8] = (unsigned char)(1U << i % 8);
        seen[n++] = hash_bytes(0, text, sizeof text);
        text[i / 8] = 0;
    }
    for (size_t len = 0; len <= sizeof text; len++) {
        seen[n++] = hash_bytes(0, text, len);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_true(seen[i] != seen[k]);
        }
    }
    assert_true(hash_bytes(0, "a", 1) != hash_bytes(1, "a", 1));
}

/* What bytes_put_* wrote is what the reader gives back, in little-endian order; a read past the end gives 0
 * and turns ok to 0. */
static void bytes_go_round(void **state)
{
    (void)state;
    struct arena a;
    struct bytes b;
    arena_init(&a, 1 << 20);
    bytes_init(&b, &a);
    for (uint32_t i = 0; i < 1000; i++) {
        bytes_put_u32(&b, i * 2654435761U);
        bytes_put_u64(&b, i * UINT64_C(0x9e3779b97f4a7c15));
        bytes_put_str(&b, i % 2 ? "odd" : "");
    }
    assert_true(b.ok);
    assert_int_equal(b.p[4], 0); /* little-endian: the second item starts after four bytes */
    struct reader r = {b.p, b.n, 0, 1};
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(reader_u32(&r), i * 2654435761U);
        assert_true(reader_u64(&r) == i * UINT64_C(0x9e3779b97f4a7c15));
        assert_string_equal(reader_str(&r, &a), i % 2 ? "odd" : "");
    }
    assert_true(r.ok && r.pos == r.n);
    assert_int_equal(reader_u32(&r), 0);
    assert_false(r.ok);
    arena_free(&a);
}

static void bytes_stop_when_full(void **state)
{
    (void)state;
    struct arena a;
    struct bytes b;
    arena_init(&a, 4096);
    bytes_init(&b, &a);
    for (int i = 0; i < 10000; i++) {
        bytes_put_u64(&b, 1);
    }
    assert_false(b.ok);
    arena_free(&a);
}

static void reader_never_passes_the_end(void **state)
{
    (void)state;
    struct arena a;
    unsigned char const text[] = {0xff, 0xff, 0xff, 0xff, 'x'};
    arena_init(&a, 4096);
    struct reader r = {text, sizeof text, 0, 1};
    assert_string_equal(reader_str(&r, &a), "");
    assert_false(r.ok);
    struct reader s = {text, 3, 0, 1};
    assert_int_equal(reader_u32(&s), 0);
    assert_false(s.ok);
    assert_null(reader_take(&s, 1)); /* stays bad */
    arena_free(&a);
}

static void integers_are_little_endian(void **state)
{
    (void)state;
    unsigned char p[8];
    store_le(p, UINT64_C(0x0102030405060708), 8);
    assert_int_equal(p[0], 8);
    assert_int_equal(p[7], 1);
    assert_true(load_le(p, 8) == UINT64_C(0x0102030405060708));
    assert_int_equal(load_le(p, 2), 0x0708);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_any_length),
        cmocka_unit_test(errors_carry_one_sentence),
        cmocka_unit_test(arena_blocks_stay_apart),
        cmocka_unit_test(arena_keeps_its_limit),
        cmocka_unit_test(an_arena_says_that_it_was_full),
        cmocka_unit_test(random_numbers_are_splitmix64),
        cmocka_unit_test(random_forks_differ),
        cmocka_unit_test(hash_sees_every_bit),
        cmocka_unit_test(bytes_go_round),
        cmocka_unit_test(bytes_stop_when_full),
        cmocka_unit_test(reader_never_passes_the_end),
        cmocka_unit_test(integers_are_little_endian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

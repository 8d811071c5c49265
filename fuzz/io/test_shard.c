/* fuzz/io/test_shard.c -- parts of a work: each number has one, each part has its share of what takes turns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/io/shard.h"

static void words_are_read_to_the_letter(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",      "1",    "0/4",  "5/4", "1/0",  "/4",    "1/",       "1/4 ",
        " 1/4",  "+1/4", "1/-4", "a/b", "1//4", "1/4/4", "1/100001", "4294967297/4294967298",
        "0x1/4", "1/0x4"};
    struct shard s = SHARD_NONE;
    char text[SHARD_TEXT_BYTES];
    assert_true(shard_parse(&s, "2/4"));
    assert_int_equal(s.index, 1);
    assert_int_equal(s.n, 4);
    assert_string_equal(shard_print(s, text), "2/4");
    assert_true(shard_parse(&s, "100000/100000"));
    assert_string_equal(shard_print(s, text), "100000/100000");
    assert_string_equal(shard_print((struct shard)SHARD_NONE, text), "");
    for (size_t i = 0; i < ARRAY_N(bad); i++) {
        if (shard_parse(&s, bad[i])) {
            fail_msg("\"%s\" was taken", bad[i]);
        }
    }
}

/* Of n shards: each number below `end` is of the one that shard_of says, the k-th of its own, and counted. */
static void check_numbers(uint32_t n, uint64_t end)
{
    uint64_t n_own[64] = {0};
    assert_true(n <= ARRAY_N(n_own));
    for (uint64_t i = 0; i < end; i++) {
        uint32_t const owner = shard_of(n, i);
        assert_true(owner < n);
        for (uint32_t s = 0; s < n; s++) {
            struct shard const x = {s, n};
            assert_int_equal(shard_count(x, i), n_own[s]);
            assert_int_equal(shard_next(x, i) == i, s == owner);
            assert_true(shard_next(x, i) >= i);
        }
        assert_int_equal(shard_nth((struct shard){owner, n}, n_own[owner]), i);
        n_own[owner]++;
    }
}

static void each_number_has_one_part(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 13; n++) {
        check_numbers(n, 40 * n + 3);
    }
    struct shard const all = SHARD_NONE;
    assert_int_equal(shard_next(all, 17), 17);
    assert_int_equal(shard_nth(all, 17), 17);
    assert_int_equal(shard_count(all, 17), 17);
    assert_int_equal(shard_of(0, 17), 0);
    struct shard const last = {99999, 100000};
    assert_int_equal(shard_of(100000, shard_nth(last, 12345678)), 99999);
}

/* Profiles take turns by four, environments by two: each part has all of them, and about as often. */
static void what_takes_turns_comes_to_each_part(void **state)
{
    (void)state;
    enum {
        TURNS = 4,
        N_EACH = 240
    };
    for (uint32_t n = 1; n <= 16; n++) {
        for (uint32_t s = 0; s < n; s++) {
            uint32_t n_turn[TURNS] = {0};
            for (uint64_t k = 0; k < N_EACH; k++) {
                n_turn[shard_nth((struct shard){s, n}, k) % TURNS]++;
            }
            for (int t = 0; t < TURNS; t++) {
                if (n_turn[t] < N_EACH / TURNS - TURNS || n_turn[t] > N_EACH / TURNS + TURNS) {
                    fail_msg("shard %u of %u: turn %d comes %u times of %d", s + 1, n, t, n_turn[t],
                             N_EACH);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_read_to_the_letter),
        cmocka_unit_test(each_number_has_one_part),
        cmocka_unit_test(what_takes_turns_comes_to_each_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

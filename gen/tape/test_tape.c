/* gen/tape/test_tape.c -- records, nodes, random tapes, tapes on disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gen/case/gen.h"
#include "gen/tape/field.h"
#include "gen/tape/tape.h"
#include "gen/tape/tape_random.h"

enum {
    ARENA_BYTES = 16 << 20
};

static struct tape make_tape(unsigned char *bytes, const uint64_t *records, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        store_le(bytes + 8 * i, records[i], 8);
    }
    return (struct tape){.data = bytes, .n_records = n};
}

static void the_end_reads_as_zero(void **state)
{
    (void)state;
    unsigned char bytes[16];
    struct tape t = make_tape(bytes, (const uint64_t[]){7, 250}, 2);
    assert_int_equal(tape_take_below(&t, 5, ROLE_FORM), 2);
    assert_int_equal(tape_take_below(&t, 100, ROLE_FORM), 50);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(tape_take_below(&t, 5, ROLE_FORM), 0);
        assert_int_equal(tape_take_u64(&t, ROLE_FORM), 0);
        assert_int_equal(tape_take_chance(&t, 99, ROLE_FORM), 0);
    }
    struct tape sub = tape_fork(&t);
    assert_int_equal(sub.n_records, 0);
    assert_int_equal(tape_has_child(&t), 0);
}

static void a_chance_is_a_share_and_zero_is_no(void **state)
{
    (void)state;
    for (unsigned percent = 0; percent <= 100; percent += 10) {
        unsigned n = 0;
        for (uint64_t v = 0; v < 100; v++) {
            unsigned char bytes[8];
            struct tape t = make_tape(bytes, &v, 1);
            n += (unsigned)tape_take_chance(&t, percent, ROLE_FORM);
        }
        assert_int_equal(n, percent);
    }
}

/* A head of eight records; then two children of three and of one. */
static void children_stand_after_the_head(void **state)
{
    (void)state;
    unsigned char bytes[8 * 14];
    struct tape t =
        make_tape(bytes, (const uint64_t[]){1, 2, 3, 4, 5, 6, 7, 8, 3, 10, 11, 12, 1, 20}, 14);
    assert_int_equal(tape_take_u64(&t, ROLE_FORM), 1);
    struct tape first = tape_fork(&t);
    assert_int_equal(first.n_records, 3);
    assert_int_equal(tape_take_u64(&t, ROLE_FORM), 2); /* a fork moves no decision of the head */
    struct tape second = tape_fork(&t);
    assert_int_equal(tape_take_u64(&first, ROLE_FORM), 10);
    assert_int_equal(tape_take_u64(&first, ROLE_FORM), 11);
    assert_int_equal(tape_take_u64(&first, ROLE_FORM), 12);
    assert_int_equal(tape_take_u64(&first, ROLE_FORM), 0);
    assert_int_equal(tape_take_u64(&second, ROLE_FORM), 20);
    assert_int_equal(tape_fork(&t).n_records, 0);
    for (int i = 3; i <= 8; i++) {
        assert_int_equal(tape_take_u64(&t, ROLE_FORM), i);
    }
    assert_int_equal(tape_take_u64(&t, ROLE_FORM), 0); /* children are no decisions of the head */
}

static void lengths_beyond_the_end_are_cut(void **state)
{
    (void)state;
    unsigned char bytes[8 * 11];
    struct tape t = make_tape(bytes, (const uint64_t[]){0, 0, 0, 0, 0, 0, 0, 0, 60000, 5, 6}, 11);
    struct tape sub = tape_fork(&t);
    assert_int_equal(sub.n_records, 2);
    assert_int_equal(tape_take_u64(&sub, ROLE_FORM), 5);
    assert_int_equal(tape_has_child(&t), 0);
}

/* Lengths of all nodes fit: nothing of a random tape is out of reach or cut. */
static size_t check_node(struct tape t, int depth)
{
    size_t n = 1;
    assert_true(depth < 32);
    while (tape_has_child(&t)) {
        size_t const at = t.child ? t.child : TAPE_HEAD_RECORDS;
        uint64_t const length = load_le(t.data + 8 * at, 8);
        struct tape const sub = tape_fork(&t);
        assert_int_equal(sub.n_records, length);
        n += check_node(sub, depth + 1);
    }
    return n;
}

static void random_tapes_are_trees(void **state)
{
    (void)state;
    struct arena a;
    struct rng rng = rng_seed(3);
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    for (int i = 0; i < 300; i++) {
        struct tape t;
        arena_reset(&a);
        assert_int_equal(tape_random(&t, &rng, &a, NULL), RES_OK);
        assert_true(t.n_records < TAPE_MAX_RECORDS);
        n += check_node(t, 0);
    }
    assert_true(n > 300 * 20);
    arena_free(&a);
}

static void a_saved_tape_comes_back(void **state)
{
    (void)state;
    struct arena a;
    struct err e = {0};
    struct rng rng = rng_seed(4);
    char path[] = "/tmp/halfulp_tape_XXXXXX";
    int const fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    arena_init(&a, ARENA_BYTES);
    for (int i = 0; i < PROFILE_N; i++) {
        struct tape t = {.data = NULL};
        struct tape back;
        const char *profile = NULL;
        if (i > 0) {
            assert_int_equal(tape_random(&t, &rng, &a, &e), RES_OK);
        }
        assert_int_equal(tape_save_file(&t, path, profile_names[i], &e), RES_OK);
        assert_int_equal(tape_load_file(&back, path, &profile, &a, &e), RES_OK);
        assert_string_equal(profile, profile_names[i]);
        assert_int_equal(back.n_records, t.n_records);
        assert_true(t.n_records == 0 || memcmp(back.data, t.data, 8 * t.n_records) == 0);
    }
    (void)unlink(path);
    assert_int_equal(tape_load_file(&(struct tape){0}, path, &(const char *){NULL}, &a, &e),
                     RES_IO);
    assert_non_null(strstr(e.text, path));
    arena_free(&a);
}

static void expect_bad(const unsigned char *p, size_t n, const char *part)
{
    struct arena a;
    struct err e = {0};
    struct tape t;
    const char *profile = NULL;
    arena_init(&a, ARENA_BYTES);
    assert_int_equal(tape_parse(&t, "x.tape", p, n, &profile, &a, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "x.tape"));
    if (!strstr(e.text, part)) {
        fail_msg("\"%s\" does not say \"%s\"", e.text, part);
    }
    arena_free(&a);
}

/* A tape of an older generator means another case: it is named, not decoded. */
static void older_tapes_are_refused(void **state)
{
    (void)state;
    for (int version = 0; version < GEN_VERSION; version++) {
        unsigned char old[48] = "hulptape";
        char text[32];
        store_le(old + 8, (uint64_t)version, 4);
        store_le(old + 12, 7, 4);
        memcpy(old + 16, "atomics", 7);
        (void)snprintf(text, sizeof text, "version %d, this is %d", version, GEN_VERSION);
        expect_bad(old, sizeof old, text);
    }
}

static void bad_files_are_named(void **state)
{
    (void)state;
    unsigned char good[48] = "hulptape";
    store_le(good + 8, GEN_VERSION, 4);
    store_le(good + 12, 7, 4);
    memcpy(good + 16, "atomics", 7);
    for (size_t n = 0; n < 24; n++) {
        expect_bad(good, n, "byte");
    }
    for (size_t n = 25; n < 32; n++) {
        expect_bad(good, n, "partial record");
    }
    unsigned char bad[48];
    memcpy(bad, good, sizeof bad);
    bad[8]++;
    char version[32];
    (void)snprintf(version, sizeof version, "version %d, this is %d", GEN_VERSION + 1, GEN_VERSION);
    expect_bad(bad, sizeof bad, version);
    memcpy(bad, good, sizeof bad);
    bad[0] ^= 1;
    expect_bad(bad, sizeof bad, "byte 0");
    memcpy(bad, good, sizeof bad);
    bad[16] = 'b';
    expect_bad(bad, sizeof bad, "profile");
    memcpy(bad, good, sizeof bad);
    store_le(bad + 12, UINT32_MAX, 4);
    expect_bad(bad, sizeof bad, "byte 12");
}

/* Any flipped bit is an error or another tape, never a crash. */
static void any_bytes_can_be_parsed(void **state)
{
    (void)state;
    struct arena a;
    struct rng rng = rng_seed(8);
    int n_ok = 0;
    arena_init(&a, ARENA_BYTES);
    for (int i = 0; i < 20000; i++) {
        unsigned char bytes[64] = "hulptape";
        const char *profile = NULL;
        struct tape t;
        arena_reset(&a);
        store_le(bytes + 8, GEN_VERSION, 4);
        store_le(bytes + 12, 7, 4);
        memcpy(bytes + 16, "atomics", 7);
        bytes[rng_below(&rng, 64)] ^= (unsigned char)(1u << rng_below(&rng, 8));
        n_ok +=
            tape_parse(&t, "x", bytes, (size_t)rng_below(&rng, 65), &profile, &a, NULL) == RES_OK;
    }
    assert_true(n_ok > 100 && n_ok < 19000);
    arena_free(&a);
}

/* By hand: of 1234567890 the digits from the sixth on are 12345, of which the last two are 45; 191 = 2 * 64 + 63. */
static void fields_are_parts_of_a_number(void **state)
{
    (void)state;
    assert_int_equal(field_get(1234567890, GROUPS_VECTORS), 45);
    assert_int_equal(field_get(99999, GROUPS_VECTORS), 0);
    assert_false(field_is_last(191, EXCHANGE_BESIDE));
    assert_true(field_is_last(192, EXCHANGE_BESIDE));
    assert_false(field_is_last(256, EXCHANGE_BESIDE));
    assert_int_equal(field_rest(191, HISTOGRAM_COUNT), 2);
    assert_int_equal(field_below(8 * 7 + 5, FEW_AT, 4), 3);
    assert_int_equal(field_below(8 * 8, FEW_AT, 4), 0);
}

/* A zero record is the smallest choice, and never one that is made in one of n cases. */
static void a_zero_has_no_last_field(void **state)
{
    (void)state;
    static const struct {
        enum field field;
        uint64_t n;
    } rows[] = {
#define FIELD(name, divisor, n, meaning) {name, n},
#include "gen/tape/field.def"
    };
    unsigned n_fields = 0;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].n != 0) { /* else the caller says how many values it has */
            assert_int_equal(field_get(0, rows[i].field), 0);
            assert_false(field_is_last(0, rows[i].field));
            n_fields++;
        }
    }
    assert_true(n_fields > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_reads_as_zero),
        cmocka_unit_test(a_chance_is_a_share_and_zero_is_no),
        cmocka_unit_test(children_stand_after_the_head),
        cmocka_unit_test(lengths_beyond_the_end_are_cut),
        cmocka_unit_test(random_tapes_are_trees),
        cmocka_unit_test(a_saved_tape_comes_back),
        cmocka_unit_test(older_tapes_are_refused),
        cmocka_unit_test(bad_files_are_named),
        cmocka_unit_test(any_bytes_can_be_parsed),
        cmocka_unit_test(fields_are_parts_of_a_number),
        cmocka_unit_test(a_zero_has_no_last_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* fuzz/wire/test_wire.c -- framing: what is written is read, anything else is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/testcase.h"
#include "fuzz/wire/stream.h"
#include "fuzz/wire/wire.h"

/* What wire_read makes of these bytes. */
static enum res read_bytes(const unsigned char *bytes, size_t n, struct arena *a,
                           enum wire_kind *kind, const unsigned char **payload, size_t *n_payload,
                           struct err *e)
{
    int fd[2];
    assert_int_equal(pipe(fd), 0);
    assert_int_equal(write(fd[1], bytes, n), (ssize_t)n);
    (void)close(fd[1]);
    enum res const r = wire_read(fd[0], a, kind, payload, n_payload, e);
    (void)close(fd[0]);
    return r;
}

/* A message of each kind and many lengths is read as it was written, and after the last one there is none. */
static void round_trip(void **state)
{
    static const enum wire_kind kinds[] = {WIRE_HELLO,  WIRE_CASE,  WIRE_RESULT,  WIRE_ERROR,
                                           WIRE_STREAM, WIRE_BLOCK, WIRE_STATUS,  WIRE_BUILD,
                                           WIRE_ALIVE,  WIRE_END,   WIRE_PROGRAM, WIRE_EXECUTE};
    unsigned n_checked = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        for (size_t n = 0; n < 300; n += 37) {
            unsigned char data[300];
            enum wire_kind kind = WIRE_HELLO;
            const unsigned char *payload = NULL;
            size_t n_payload = 0;
            struct arena a;
            struct err e;
            int fd[2];
            memset(data, (int)(n + i), sizeof data);
            arena_init(&a, 1 << 20);
            assert_int_equal(pipe(fd), 0);
            assert_int_equal(wire_write(fd[1], kinds[i], data, n, &e), RES_OK);
            (void)close(fd[1]);
            assert_int_equal(wire_read(fd[0], &a, &kind, &payload, &n_payload, &e), RES_OK);
            assert_int_equal(kind, kinds[i]);
            assert_int_equal(n_payload, n);
            assert_non_null(payload);
            assert_memory_equal(payload, data, n);
            assert_int_equal(wire_read(fd[0], &a, &kind, &payload, &n_payload, &e), RES_OK);
            assert_null(payload); /* the end of input is no message */
            (void)close(fd[0]);
            arena_free(&a);
            n_checked++;
        }
    }
    assert_true(n_checked > 0);
}

/* The bytes that ARCHITECTURE.md promises: length, then kind, little-endian. */
static void known_bytes(void **state)
{
    static const unsigned char bytes[] = {3, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c'};
    unsigned char header[WIRE_HEADER_BYTES];
    enum wire_kind kind = WIRE_ERROR;
    const unsigned char *payload = NULL;
    size_t n = 0;
    struct arena a;
    struct err e;
    (void)state;
    arena_init(&a, 1 << 20);
    wire_put_header(header, WIRE_RESULT, 3);
    assert_memory_equal(header, bytes, sizeof header);
    assert_int_equal(read_bytes(bytes, sizeof bytes, &a, &kind, &payload, &n, &e), RES_OK);
    assert_int_equal(kind, WIRE_RESULT);
    assert_int_equal(n, 3);
    assert_memory_equal(payload, "abc", 3);
    arena_free(&a);
}

/* Messages that are cut, of no kind, or too long are refused, with what is wrong. */
static void refused(void **state)
{
    static const struct {
        unsigned char bytes[12];
        size_t n;
        enum res res;
        const char *says;
    } rows[] = {
        {{3, 0, 0},                            3, RES_IO,     "3 of 8 header bytes"},
        {{3, 0, 0, 0, 2, 0, 0, 0, 'a'},        9, RES_IO,     "1 of 3 bytes"       },
        {{0, 0, 0, 0, 0, 0, 0, 0},             8, RES_FORMAT, "unknown kind 0"     },
        {{0, 0, 0, 0, 13, 0, 0, 0},            8, RES_FORMAT, "unknown kind 13"    },
        {{1, 0, 0, 8, 2, 0, 0, 0},             8, RES_FORMAT, "134217729 bytes"    },
        {{0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0}, 8, RES_FORMAT, "4294967295 bytes"   },
        {{0, 0, 0x10, 0, 2, 0, 0, 0},          8, RES_NOMEM,  "1048576 bytes"      },
    };
    unsigned n_checked = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        enum wire_kind kind = WIRE_HELLO;
        const unsigned char *payload = NULL;
        size_t n = 0;
        struct arena a;
        struct err e;
        arena_init(&a, 1 << 16);
        assert_int_equal(read_bytes(rows[i].bytes, rows[i].n, &a, &kind, &payload, &n, &e),
                         rows[i].res);
        assert_non_null(strstr(e.text, rows[i].says));
        assert_null(payload);
        arena_free(&a);
        n_checked++;
    }
    assert_true(n_checked > 0);
}

/* What is behind a message's words, or behind the end of a text in it, is refused and not left out. */
static void bug_20261122_a_stream_is_its_bytes(void **state)
{
    static const uint32_t words[5] = {0x07230203, 0x10000, 0, 1, 0};
    struct stream const s = {.env = ENV_CL,
                             .module = words,
                             .n_words = 5,
                             .entry = "main_kernel",
                             .build_options = "",
                             .source = "kernel",
                             .n_outputs = 1,
                             .item_bytes = 4,
                             .local = 64,
                             .n_slots = 2,
                             .max_items = 128};
    struct stream_status const status = {.status = RUN_DONE, .phase = PHASE_DONE, .log = "a log"};
    struct stream got;
    struct stream_status got_status;
    struct arena a;
    struct err e;
    size_t n = 0;
    (void)state;
    arena_init(&a, 1 << 20);
    unsigned char *bytes = arena_take(&a, 256);
    memcpy(bytes, stream_encode(&s, &a, &n), 128);
    assert_true(n < 128);
    assert_int_equal(stream_decode(&got, &a, bytes, n, &e), RES_OK); /* control */
    assert_string_equal(got.entry, s.entry);
    assert_string_equal(got.source, s.source);
    for (size_t extra = 1; extra < 6; extra++) {
        assert_int_equal(stream_decode(&got, &a, bytes, n + extra, &e), RES_FORMAT);
    }
    *(unsigned char *)strchr((char *)bytes + 14, 'k') = 0; /* of main_kernel */
    assert_int_equal(stream_decode(&got, &a, bytes, n, &e), RES_FORMAT);
    memcpy(bytes, stream_encode_status(&status, &a, &n), 64);
    assert_int_equal(stream_decode_status(&got_status, &a, bytes, n, &e), RES_OK);
    bytes[n - 2] = 0;
    assert_int_equal(stream_decode_status(&got_status, &a, bytes, n, &e), RES_FORMAT);
    arena_free(&a);
}

/* A worker's end is read as it was written; any shorter, longer or impossible one is refused. */
static void an_end_is_its_bytes(void **state)
{
    struct wire_end const end = {
        .signal = 11, .n_taken = 3, .crash_line = "lib.so+f;lib.so+g", .phase = 3};
    struct wire_end got;
    struct arena a;
    struct err e;
    size_t n = 0;
    (void)state;
    arena_init(&a, 1 << 20);
    unsigned char *const bytes = arena_take(&a, 256);
    const unsigned char *const p = wire_encode_end(&end, &a, &n);
    assert_non_null(p);
    memcpy(bytes, p, n);
    assert_int_equal(wire_decode_end(&got, &a, bytes, n, &e), RES_OK);
    assert_int_equal(got.signal, end.signal);
    assert_int_equal(got.exit_status, end.exit_status);
    assert_int_equal(got.n_taken, end.n_taken);
    assert_string_equal(got.crash_line, end.crash_line);
    assert_int_equal(got.phase, end.phase);
    size_t const n_before = n - 4; /* as a guard says it that tells no phase */
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(wire_decode_end(&got, &a, bytes, k, &e),
                         k == n_before ? RES_OK : RES_FORMAT);
        assert_true(k != n_before || got.phase == 0);
    }
    bytes[n_before] = RUN_PHASE_N + 1;
    assert_int_equal(wire_decode_end(&got, &a, bytes, n, &e), RES_FORMAT);
    bytes[n_before] = 3;
    assert_int_equal(wire_decode_end(&got, &a, bytes, n + 1, &e), RES_FORMAT);
    bytes[0] = 200;
    assert_int_equal(wire_decode_end(&got, &a, bytes, n, &e), RES_FORMAT);
    arena_free(&a);
}

/* Every byte comes back, and none that a shell takes for something goes out. */
static void a_quoted_word_is_plain(void **state)
{
    char word[256], copy[3 * sizeof word];
    struct arena a;
    (void)state;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < sizeof word; i++) {
        word[i] = (char)(i + 1); /* the last is the end */
    }
    const char *const quoted = wire_quote_word(word, &a);
    assert_null(strpbrk(quoted, " \t\n\"'`$\\!*?[]{}()<>|&;#~^"));
    assert_true(strlen(quoted) < sizeof copy);
    memcpy(copy, quoted, strlen(quoted) + 1);
    wire_unquote_word(copy);
    assert_string_equal(copy, word);
    memcpy(copy, "%4%zz%", 7); /* no quotes of ours */
    wire_unquote_word(copy);
    assert_string_equal(copy, "%4%zz%");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(known_bytes),
        cmocka_unit_test(refused),
        cmocka_unit_test(an_end_is_its_bytes),
        cmocka_unit_test(a_quoted_word_is_plain),
        cmocka_unit_test(bug_20261122_a_stream_is_its_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

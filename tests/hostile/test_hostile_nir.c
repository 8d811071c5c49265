/* tests/hostile/test_hostile_nir.c -- a thousand changed texts, one after the other, through the process that executes
 * them: each is answered, and the right one after them is run as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "fuzz/execute/executor.h"
#include "fuzz/process/child_time.h"

enum {
    TEXTS = 1000,
    MAX_CHANGES = 6,
    WORDS = 64
};
#define TEST_ARENA_BYTES ((size_t)256 << 20)
#define HANG_NS          UINT64_C(120000000000)

static const struct {
    const char *file;
    enum nir_driver driver;
} rows[] = {
    {"corpora/nir/radv-divide.txt",   NIR_DRIVER_RADV  },
    {"corpora/nir/turnip-divide.txt", NIR_DRIVER_TURNIP},
    {"corpora/nir/nvk-divide.txt",    NIR_DRIVER_NVK   },
};

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Bytes are replaced, words of the text itself copied to other places, and the end cut. */
static char *change(const char *text, size_t n, uint64_t *state, struct arena *a)
{
    char *const out = arena_copy(a, text, n);
    assert_non_null(out);
    for (uint64_t i = 0, n_changes = 1 + draw(state) % MAX_CHANGES; i < n_changes; i++) {
        size_t const at = draw(state) % n, from = draw(state) % n;
        size_t const most = n - (at > from ? at : from);
        switch (draw(state) % 4) {
        case 0:
            out[at] = (char)(1 + draw(state) % 255);
            break;
        case 1:
            memmove(out + at, out + from, draw(state) % (most < 40 ? most : 40));
            break;
        case 2:
            out[at] = (char)('0' + draw(state) % 10);
            break;
        default:
            out[at] = draw(state) % 8 ? out[at] : '\0';
            break;
        }
    }
    return out;
}

static void make_case(struct testcase *tc, unsigned char data[4 * WORDS])
{
    static const uint32_t module[5] = {0x07230203, 0x00010300, 0, 1, 0};
    *tc = (struct testcase){
        .env = ENV_VK,
        .profile = "arith",
        .module = module,
        .n_words = ARRAY_N(module),
        .source = "",
        .entry = "main",
        .build_options = "",
        .local = {32, 1, 1},
        .global = {32, 1, 1},
        .n_bufs = 2
    };
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        tc->bufs[i] = (struct buf){.kind = BUF_STORAGE, .n_bytes = 4 * WORDS, .data = data};
    }
}

static enum run_status ask(struct executor *x, const struct execute_request *q, struct arena *a)
{
    static const struct target target = {.name = "test"};
    struct observation ob;
    struct err e;
    uint64_t const end_ns = child_now_ns() + HANG_NS;
    assert_int_equal(executor_begin(x, &target, q, a, &e), RES_OK);
    while (!executor_poll(x, &q->tc, a, &ob)) {
        struct pollfd fd = {.fd = x->child.from, .events = POLLIN};
        (void)poll(&fd, 1, 10);
        if (child_now_ns() > end_ns) {
            fail_msg("no answer to:\n%s", q->text);
        }
    }
    if (ob.status == RUN_HARNESS) {
        fail_msg("%s, of:\n%s", ob.log, q->text);
    }
    return ob.status;
}

static void changed_texts_are_answered(void **state)
{
    struct executor x = {.is_up = false};
    static unsigned char data[4 * WORDS];
    uint64_t random = 0x9e3779b97f4a7c15;
    unsigned n_done = 0, n_skipped = 0;
    (void)state;
    for (unsigned i = 0; i < TEXTS; i++) {
        struct execute_request q = {.driver = rows[i % ARRAY_N(rows)].driver, .subgroup_size = 32};
        struct arena a;
        struct err e;
        const unsigned char *text = NULL;
        size_t n = 0;
        arena_init(&a, TEST_ARENA_BYTES);
        assert_int_equal(file_read(rows[i % ARRAY_N(rows)].file, 1 << 20, &a, &text, &n, &e),
                         RES_OK);
        make_case(&q.tc, data);
        q.text = change((const char *)text, n, &random, &a);
        q.is_traced = i % 16 == 15;
        bool const is_skipped = ask(&x, &q, &a) == RUN_SKIPPED;
        n_skipped += is_skipped;
        n_done += !is_skipped;
        arena_free(&a);
    }
    executor_free(&x);
    assert_int_equal(n_done + n_skipped, TEXTS);
    assert_true(n_skipped >
                TEXTS / 10); /* the changes are such that most texts are no longer right */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(changed_texts_are_answered)};
    struct arena a;
    arena_init(&a, 1 << 16);
    const char *const build = getenv("HALFULP_BUILD"); /* where the executor is */
    (void)setenv("HALFULP_WORKER",
                 arena_printf(&a, "%s/halfulp-worker", build ? build : "build/opt"), 0);
    arena_free(&a);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

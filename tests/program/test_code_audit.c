/* tests/program/test_code_audit.c -- an audit of the code that a compiler makes, on a stand-in that tells it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/audit/audit_code.h"
#include "reports/audit/audit_code_state.h"
#include "tests/rig/fake_worker.h"

#define AUDIT_BYTES ((size_t)256 << 20)

static char self_path[4096];

static struct audit run_audit(const char *mode, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct audit x;
    struct target const t = {.name = "compiler",
                             .env = ENV_CL,
                             .api = "ocloc",
                             .loader = "",
                             .device = "",
                             .worker = self_path,
                             .env_vars = {arena_printf(a, "FAKE=%s", mode)},
                             .values = VALUES_NONE,
                             .hello_ns = UINT64_C(60000000000),
                             .case_ns = UINT64_C(60000000000),
                             .origin = "test"};
    struct audit_request const request = {
        .functions = "exp,sqrt",
        .types = 1u << FMT_F32,
        .n_bounds = 5,
        .bounds = {0.5F, 1, 2, 4, 4096}
    };
    if (audit_code_run(&t, &request, a, &x, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    assert_int_equal(x.n_rows, 2);
    return x;
}

/* The states of a row's bounds, in their order. */
static void expect_states(const struct audit_row *row, const enum audit_code_state want[5])
{
    unsigned n = 0;
    for (uint32_t k = 0; k < row->n_forms; k++) {
        if (row->form[k].is_decorated) {
            assert_int_equal(audit_code_get_state(row, k), want[n]);
            n++;
        }
    }
    assert_int_equal(n, 5);
}

static void what_the_compiler_tells_is_kept(void **state)
{
    (void)state;
    static const enum audit_code_state want[] = {CODE_REFUSED, CODE_AS_PLAIN, CODE_AS_PLAIN,
                                                 CODE_CHANGED, CODE_UNLOADABLE};
    struct arena a;
    arena_init(&a, AUDIT_BYTES);
    struct audit const x = run_audit("honest", &a);
    for (uint32_t i = 0; i < x.n_rows; i++) {
        const struct audit_form *const plain = &x.rows[i].form[0];
        assert_string_equal(audit_code_get_what(plain), "12 instructions, math.exp x2");
        assert_memory_equal(audit_code_get_hash(plain), "00000000000000aa", CODE_HASH_CHARS);
        assert_int_equal(x.rows[i].n_inputs, 0);
        expect_states(&x.rows[i], want);
        for (uint32_t k = 0; k < x.rows[i].n_forms;
             k++) { /* the line that says why, and it alone */
            const char *const log = x.rows[i].form[k].log;
            assert_null(strchr(log, '\n'));
            assert_true(!x.rows[i].form[k].is_refused || strncmp(log, "error:", 6) == 0);
        }
    }
    arena_free(&a);
}

/* The compiler dies of one bound: that form alone is refused. */
static void a_death_is_that_of_its_form(void **state)
{
    (void)state;
    static const enum audit_code_state want[] = {CODE_REFUSED, CODE_AS_PLAIN, CODE_REFUSED,
                                                 CODE_CHANGED, CODE_UNLOADABLE};
    struct arena a;
    arena_init(&a, AUDIT_BYTES);
    struct audit const x = run_audit("shaky", &a);
    for (uint32_t i = 0; i < x.n_rows; i++) {
        expect_states(&x.rows[i], want);
    }
    arena_free(&a);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof(self_path) - 1);
    if (n <= 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_compiler_tells_is_kept),
        cmocka_unit_test(a_death_is_that_of_its_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

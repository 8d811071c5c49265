/* tests/program/test_audit_bugs.c -- the folder of a wrong result of an audit, on the two default drivers with a fault
 * planted in each: the program exits 1 there, and where there is no fault there is no folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/ops.h"
#include "fuzz/cli/cmd_audit_bugs.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"

enum {
    TEST_ARENA_BYTES = 256 << 20,
    COMMAND_BYTES = 16384
};

/* What a driver with the fault gives, as an audit would have found it. */
static const struct {
    const char *driver, *fault;
    enum func_id func;
    uint32_t op;
    uint64_t arg[2], got;
    const char *exact; /* in report.md */
} rows[] = {
    {"lavapipe",
     "COSINE_FOR_SINE", FUNC_SIN,
     OP_NUMBER(OP_SET_glsl450,    13),
     {0x3f800000},
     0x3f0a5140, "0.8414709848079"},
    {"intel-cpu",
     "MIN_FOR_MAX",     FUNC_FMAX,
     OP_NUMBER(OP_SET_opencl_std, 27),
     {0x3f800000, 0x40000000},
     0x3f800000, "2"              },
};

static struct audit make_audit(size_t i, struct audit_row *row)
{
    *row = (struct audit_row){.func = rows[i].func,
                              .fmt = FMT_F32,
                              .n_inputs = 100,
                              .n_done = 100,
                              .n_forms = 1,
                              .form = {{.name = "full", .op = rows[i].op, .log = ""}},
                              .bound = {{.has_bound = 1}},
                              .result = {{.n = 100, .n_numbers = 100, .n_broken = 1}},
                              .problem = "",
                              .evaluator = ""};
    row->found[0] = (struct audit_case){
        .kind = AUDIT_CASE_BOUND, .bound_ulp = 1, .ratio = 1000, .exact = rows[i].exact};
    row->found[0].worst = (struct sweep_worst){
        1000, {rows[i].arg[0], rows[i].arg[1]},
         rows[i].got
    };
    return (struct audit){.target = rows[i].driver,
                          .facts = "",
                          .started = "",
                          .mpfr = "4",
                          .tool_version = "halfulp",
                          .n_rows = 1,
                          .rows = row};
}

/* The target of that name; false: it is not on this machine. */
static bool find_target(const char *name, struct target_list *out, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct target_list *const all = ARENA_NEW(a, struct target_list, 1);
    assert_non_null(all);
    assert_int_equal(targets_find(all, NULL, a, &e), RES_OK);
    return targets_select(all, name, out, a, &e) == RES_OK && out->n == 1;
}

/* A shell command; its exit status. */
static int do_command(const char *command)
{
    assert_true(strlen(command) < COMMAND_BYTES);
    int const status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The only folder in it, or NULL. */
static const char *find_folder(const char *folder, struct arena *a)
{
    const char *found = NULL;
    struct dirent *entry = NULL;
    DIR *const dir = opendir(folder);
    while (dir && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.') {
            assert_null(found);
            found = arena_printf(a, "%s/%s", folder, entry->d_name);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    return found;
}

/* `make run` fails with the program's 1, and the report says what the audit found. */
static void check_folder(const char *path, const struct target *t, const char *exact,
                         struct arena *a)
{
    const char *env = "";
    const unsigned char *report = NULL;
    size_t n = 0;
    struct err e = {RES_OK, ""};
    for (int i = 0; t->env_vars[i]; i++) {
        env = arena_printf(a, "%s '%s'", env, t->env_vars[i]);
    }
    assert_int_equal(do_command(arena_printf(a, "make -s -C '%s' host >/dev/null 2>&1", path)), 0);
    assert_int_equal(do_command(arena_printf(a, "cd '%s' && env %s ./host >log 2>&1", path, env)),
                     1);
    assert_int_equal(do_command(arena_printf(
                         a, "env %s make -s -C '%s' run HALFULP= >/dev/null 2>&1", env, path)),
                     2);
    assert_int_equal(file_read(arena_printf(a, "%s/report.md", path), 1 << 20, a, &report, &n, &e),
                     RES_OK);
    assert_non_null(strstr((const char *)report, arena_printf(a, "The exact value is %s.", exact)));
    assert_non_null(strstr((const char *)report, "1000 times the bound of 1 ulp"));
}

static void a_wrong_result_gets_a_folder(void **state)
{
    (void)state;
    const char *const base = getenv("TMPDIR");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        struct audit_row row;
        struct target_list list;
        struct err e = {RES_OK, ""};
        uint32_t n = 0, n_lost = 0;
        arena_init(&a, TEST_ARENA_BYTES);
        struct audit const x = make_audit(i, &row);
        char folder[256];
        (void)snprintf(folder, sizeof folder, "%s/test-audit-bugs-XXXXXX", base ? base : "/tmp");
        assert_non_null(mkdtemp(folder));
        const char *const bugs = arena_printf(&a, "%s/bugs", folder);
        if (!find_target(rows[i].driver, &list, &a)) {
            print_message("%s is not here\n", rows[i].driver);
        } else {
            assert_int_equal(cmd_audit_bugs_write(&x, &list.t[0], bugs, &n, &n_lost, &e), RES_OK);
            assert_int_equal(n, 0); /* it does not have the fault */
            assert_int_equal(n_lost, 1);
            assert_null(find_folder(bugs, &a));
            const char *const faulty = arena_printf(&a, "%s:%s", rows[i].driver, rows[i].fault);
            assert_true(find_target(faulty, &list, &a));
            assert_int_equal(cmd_audit_bugs_write(&x, &list.t[0], bugs, &n, &n_lost, &e), RES_OK);
            assert_int_equal(n, 1);
            assert_int_equal(n_lost, 0);
            const char *const path = find_folder(bugs, &a);
            assert_non_null(path);
            check_folder(path, &list.t[0], rows[i].exact, &a);
        }
        assert_int_equal(do_command(arena_printf(&a, "rm -rf '%s'", folder)), 0);
        arena_free(&a);
    }
}

/* The worker lies beside the program, a folder above the tests. */
static void find_worker(const char *self)
{
    char worker[4096];
    const char *const slash = strrchr(self, '/');
    int const n = slash ? (int)(slash - self) : 0;
    (void)snprintf(worker, sizeof worker, "%.*s/../halfulp-worker", slash ? n : 1,
                   slash ? self : ".");
    assert_int_equal(setenv("HALFULP_WORKER", worker, 0), 0);
}

int main(int argc, char **argv)
{
    find_worker(argc > 0 ? argv[0] : "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_result_gets_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/program/test_audit_library.c -- the audit of a math library: functions that are right and wrong, hardware instructions, and
 * libraries that crash, hang, write beyond their results or are not what their files say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/file.h"
#include "fuzz/audit/audit.h"
#include "fuzz/cli/cmd_audit_bugs.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "reports/audit/audit_json.h"
#include "reports/audit/audit_view.h"
#include "reports/audit/audit_write.h"

#define TEST_ARENA_BYTES ((size_t)256 << 20)
#define TEST_HANG_NS     UINT64_C(1500000000)
enum {
    TEST_F16_INPUTS = 1 << 16,
    TEST_SAMPLES = 5000
};
#define HEAD "function\ttype\tinputs\toutputs\thardware\tsymbol\tbound\n"

static const char functions[] = HEAD "fabs\tf16\t1\t1\t-\tv_fabs\t-\n"
                                     "exp2\tf16\t1\t1\tv_exp_f16\tv_exp2\t0.51\n"
                                     "sinh\tf16\t1\t1\t-\tv_sinh\t2\n"
                                     "sin\tf32\t1\t1\t-\tv_sin\t-\n"
                                     "erf\tf16\t1\t1\t-\tv_erf\t-\n"
                                     "fract\tf16\t1\t2\t-\tv_fract\t-\n"
                                     "pown\tf32\t2\t1\t-\tv_pown\t-\n"
                                     "cos\tf16\t1\t1\t-\tv_cos\t-\n"
                                     "tan\tf16\t1\t1\t-\tv_tan\t-\n"
                                     "tanh\tf16\t1\t1\t-\tv_tanh\t-\n"
                                     "log\tf16\t1\t1\t-\tv_log\t-\n"
                                     "exp\tf16\t2\t1\t-\tv_exp\t-\n";

struct world {
    struct arena a;
    char folder[256];
    const char *build; /* folder of the programs */
    struct target_list list;
};

static void write_beside(struct world *w, const char *name, const char *text)
{
    struct err e = {RES_OK, ""};
    const char *const path = arena_printf(&w->a, "%s/vendor-math/test-math/%s", w->folder, name);
    if (file_write(path, text, strlen(text), &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

static int make_world(void **state)
{
    static struct world w;
    struct err e = {RES_OK, ""};
    const char *const base = getenv("TMPDIR"), *const named = getenv("HALFULP_BUILD");
    char cwd[4096];
    arena_init(&w.a, TEST_ARENA_BYTES);
    (void)snprintf(w.folder, sizeof w.folder, "%s/test-library-XXXXXX", base ? base : "/tmp");
    if (!getcwd(cwd, sizeof cwd) || !mkdtemp(w.folder)) {
        return -1;
    }
    const char *const build = named && named[0] == '/'
                                  ? named
                                  : arena_printf(&w.a, "%s/%s", cwd, named ? named : "build/opt");
    w.build = build;
    const char *const all = arena_printf(&w.a, "%s/vendor-math", w.folder);
    const char *const own = arena_printf(&w.a, "%s/test-math", all);
    (void)setenv("HALFULP_WORKER", arena_printf(&w.a, "%s/halfulp-worker", build), 1);
    (void)setenv("HALFULP_DRIVERS", w.folder, 1);
    (void)setenv("HALFULP_SANDBOX", "no", 1);
    if (mkdir(all, 0700) != 0 || mkdir(own, 0700) != 0 ||
        system(arena_printf(&w.a, "cp '%s/libbadlib.so' '%s/library.so'", build, own)) != 0) {
        return -1;
    }
    write_beside(&w, "functions.tsv", functions);
    write_beside(&w, "facts.txt", "library=Test math 1.0\nchip=none\nlicence=none\n");
    *state = &w;
    return targets_find(&w.list, NULL, &w.a, &e) == RES_OK ? 0 : -1;
}

static int remove_world(void **state)
{
    struct world *const w = *state;
    int const r = system(arena_printf(&w->a, "rm -r '%s'", w->folder));
    arena_free(&w->a);
    return r;
}

static struct target get_target(struct world *w)
{
    const struct target *const t = targets_find_name(&w->list, "test-math");
    assert_non_null(t);
    assert_true(t->is_library && t->on_request);
    return *t;
}

static struct audit_request make_request(const char *names, unsigned types)
{
    return (struct audit_request){.functions = names,
                                  .types = types,
                                  .reach = AUDIT_REACH_SAMPLES,
                                  .n_samples = TEST_SAMPLES,
                                  .seed = 3,
                                  .folder = "",
                                  .n_judges = 2};
}

/* The row of an audit of that function; a second one has what a hardware that errs gives. */
static struct audit_row *run(struct world *w, const char *name, enum fmt_id fmt,
                             const struct target *t, struct audit *x)
{
    struct audit_request const r = make_request(name, 1u << fmt);
    struct err e = {RES_OK, ""};
    if (audit_run(t, &r, &w->a, x, &e) != RES_OK) {
        fail_msg("%s: %s", name, e.text);
    }
    assert_in_range(x->n_rows, 1, 2);
    return &x->rows[0];
}

static uint64_t count_wrong(const struct sweep_result *r)
{
    return r->n_broken + r->n_special + r->n_zero_sign + r->n_undecided;
}

static void right_functions_are_kept(void **state)
{
    static const struct {
        const char *name;
        enum fmt_id fmt;
        enum audit_state state;
    } rows[] = {
        {"fabs",  FMT_F16, AUDIT_KEPT      },
        {"fract", FMT_F16, AUDIT_KEPT      },
        {"sin",   FMT_F32, AUDIT_NONE_FOUND},
        {"pown",  FMT_F32, AUDIT_NONE_FOUND}
    };
    struct world *const w = *state;
    struct target const t = get_target(w);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct audit x;
        const struct audit_row *const row = run(w, rows[i].name, rows[i].fmt, &t, &x);
        assert_int_equal(row->n_forms, 1);
        assert_string_equal(row->problem, "");
        assert_true(row->result[0].n >= TEST_SAMPLES);
        assert_int_equal(count_wrong(&row->result[0]), 0);
        assert_int_equal(row->result[0].n_asymmetric, 0);
        assert_int_equal(audit_get_state(row, 0), rows[i].state);
        assert_true(audit_is_own(&row->form[0]));
        assert_int_equal(audit_is_certified(row, 0), rows[i].state == AUDIT_KEPT);
    }
}

/* A row with hardware instructions that round correctly, and one in which they err, each form in its way. */
static void behaviours_of_the_hardware_are_apart(void **state)
{
    struct world *const w = *state;
    struct target const t = get_target(w);
    struct audit x;
    const struct audit_row *const row = run(w, "exp2", FMT_F16, &t, &x), *const errs = row + 1;
    assert_int_equal(x.n_rows, 2);
    assert_int_equal(row->n_forms, 1);
    assert_string_equal(row->form[0].operations, "v_exp_f16");
    assert_int_equal(audit_get_state(row, 0), AUDIT_KEPT_IF);
    assert_false(audit_is_certified(row, 0));
    assert_string_equal(audit_documented_state(row, 0), "kept");
    assert_int_equal(errs->n_forms, 3);
    assert_string_equal(errs->form[0].name, "full+low");
    assert_string_equal(errs->form[1].name, "full+high");
    assert_true(row->result[0].above.error <= 0.51 && row->result[0].below.error >= -0.51);
    assert_true(errs->result[0].below.error < -1 && errs->result[0].above.error < 0.51);
    assert_true(errs->result[1].above.error > 1 && errs->result[1].below.error > -0.51);
    assert_int_equal(row->form[0].erring_hardware, HARDWARE_HIGH);
    /* exp2(0) has to be 1 */
    assert_int_equal(audit_get_state(errs, 1), AUDIT_COULD_BREAK);
    assert_int_equal(audit_get_outcome(&x), AUDIT_ALL_KEPT);
    assert_non_null(strstr(audit_hardware_text(&w->a, row, 0), "at least 2.4998 ulp"));
}

/* What is told of a library alone is in the file of an audit, too. */
static void files_have_it_all(void **state)
{
    struct world *const w = *state;
    struct target const t = get_target(w);
    struct err e = {RES_OK, ""};
    struct audit x, y;
    (void)run(w, "exp2", FMT_F16, &t, &x);
    const char *const path = arena_printf(&w->a, "%s/audit.json", w->folder);
    assert_int_equal(audit_write(AUDIT_JSON, &x, path, &e), RES_OK);
    assert_int_equal(audit_load(&y, path, &w->a, &e), RES_OK);
    assert_int_equal(y.n_rows, x.n_rows);
    for (uint32_t i = 0; i < x.n_rows; i++) {
        const struct audit_form *const from = &x.rows[i].form[0], *const to = &y.rows[i].form[0];
        assert_string_equal(to->operations, from->operations);
        assert_string_equal(to->vulkan, from->vulkan);
        assert_int_equal(to->hardware, from->hardware);
        assert_int_equal(to->erring_hardware, from->erring_hardware);
        assert_true(to->has_documented && to->documented > 0.5 && to->documented < 0.52);
        assert_int_equal(y.rows[i].result[0].break_x, x.rows[i].result[0].break_x);
    }
}

/* Writes the audit as a table, and gives it to recheck; is this the last line that recheck prints? */
static int recheck_says(struct world *w, const struct audit *x, const char *last)
{
    struct err e = {RES_OK, ""};
    const char *const path = arena_printf(&w->a, "%s/audit.csv", w->folder);
    const char *const command = arena_printf(
        &w->a, "'%s/recheck' '%s/vendor-math/test-math/library.so' '%s' | grep -qx '%s'", w->build,
        w->folder, path, last);
    return audit_write(AUDIT_CSV, x, path, &e) == RES_OK && system(command) == 0;
}

/* recheck, which shares no code with the oracle, computes the same errors, and notices an audit with another error. */
static void recheck_agrees(void **state)
{
    static const char *const names[] = {"exp2", "sinh", "erf"};
    struct world *const w = *state;
    struct target const t = get_target(w);
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        struct audit x;
        (void)run(w, names[i], FMT_F16, &t, &x);
        assert_true(recheck_says(w, &x, "2 errors, 0 differ"));
        x.rows[0].result[0].above.error *= 1.002;
        assert_true(recheck_says(w, &x, "2 errors, 1 differ"));
    }
}

static void wrong_functions_are_found(void **state)
{
    struct world *const w = *state;
    struct target const t = get_target(w);
    struct audit x;
    const struct audit_row *row = run(w, "sinh", FMT_F16, &t, &x);
    assert_int_equal(audit_get_state(row, 0), AUDIT_BROKEN);
    assert_string_equal(audit_documented_state(row, 0), "EXCEEDED");
    assert_in_range(audit_count_beyond(row, 0), 1, row->result[0].n_broken);
    assert_int_equal(row->result[0].n_asymmetric, 1);
    assert_int_equal(row->result[0].asymmetric_x, 0x3c00);
    assert_int_equal(row->result[0].n_breaks, 1); /* from 2 on it is right again */
    assert_int_equal(row->result[0].break_x, 0x3fff);
    row = run(w, "erf", FMT_F16, &t, &x);
    assert_int_equal(row->result[0].n_broken, 1);
    assert_int_equal(row->result[0].broken[0].arg[0], 0x3c00);
    assert_int_equal(row->result[0].asymmetric_x, 0x3c00);
    assert_int_equal(row->result[0].break_x, 0x3c00);
}

static void a_folder_calls_the_library(void **state)
{
    struct world *const w = *state;
    struct target const t = get_target(w);
    struct err e = {RES_OK, ""};
    struct audit x;
    uint32_t n = 0, n_lost = 0;
    (void)run(w, "erf", FMT_F16, &t, &x);
    const char *const folder = arena_printf(&w->a, "%s/bugs", w->folder);
    assert_int_equal(cmd_audit_bugs_write(&x, &t, folder, &n, &n_lost, &e), RES_OK);
    assert_int_equal(n, 1);
    assert_int_equal(n_lost, 0);
    const char *const command = arena_printf(
        &w->a,
        "cd '%s'/*erf* && cc call.c -ldl -o call && grep -q 'math library' report.md && "
        "./call '%s/vendor-math/test-math/library.so' | grep -x 0x3ac4 >/dev/null",
        folder, w->folder);
    assert_int_equal(system(command), 0);
}

/* A crash, a hang and a write beyond the results: told of, and the blocks that cannot be had are skipped. */
static void functions_that_misbehave_are_told_of(void **state)
{
    static const struct {
        const char *name, *problem;
    } rows[] = {
        {"cos",  "crash: library.so+hu_cos_f16"       },
        {"tan",  "hang"                               },
        {"tanh", "a byte outside every buffer changed"}
    };
    struct world *const w = *state;
    struct target t = get_target(w);
    t.case_ns = TEST_HANG_NS;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct audit x;
        const struct audit_row *const row = run(w, rows[i].name, FMT_F16, &t, &x);
        assert_true(row->n_skipped > 0);
        if (!strstr(row->problem, rows[i].problem)) {
            fail_msg("%s: %s", rows[i].name, row->problem);
        }
        assert_int_equal(audit_get_outcome(&x), AUDIT_SOME_MISSING);
    }
}

/* A symbol that is not there, and a function that is said to have other operands: refused. */
static void missing_functions_are_refused(void **state)
{
    struct world *const w = *state;
    struct target const t = get_target(w);
    struct audit x;
    const struct audit_row *row = run(w, "log", FMT_F16, &t, &x);
    assert_true(row->form[0].is_refused);
    assert_non_null(strstr(row->form[0].log, "no symbol hu_log_f16"));
    row = run(w, "exp", FMT_F16, &t, &x);
    assert_true(row->form[0].is_refused);
    assert_non_null(strstr(row->form[0].log, "other operands"));
}

static void broken_lists_are_told_of(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {HEAD "sin\tf32\t1\t1\t-\tx\n",         "line 2: seven columns" },
        {HEAD "sin\tf33\t1\t1\t-\tx\t-\n",      "line 2: the type"      },
        {HEAD "sin\tf32\t4\t1\t-\tx\t-\n",      "line 2: 1 to 3 inputs" },
        {HEAD "s in\tf32\t1\t1\t-\tx\t-\n",     "line 2: the function"  },
        {HEAD "\nsin\tf32\t1\t1\t-\tx\tmany\n", "line 3: the bound"     },
        {HEAD "sin\tf32\t1\t1\tv x\tx\t-\n",    "line 2: the operations"},
        {HEAD,                                  "has no functions"      }
    };
    struct world *const w = *state;
    struct target const t = get_target(w);
    struct audit_request const r = make_request("sin", 1u << FMT_F32);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct err e = {RES_OK, ""};
        struct audit x;
        write_beside(w, "functions.tsv", rows[i].text);
        assert_int_not_equal(audit_run(&t, &r, &w->a, &x, &e), RES_OK);
        if (!strstr(e.text, rows[i].says)) {
            fail_msg("%s", e.text);
        }
    }
    write_beside(w, "functions.tsv", functions);
}

/* Nothing but an audit gets a library, and no command by itself. */
static void kernels_are_refused(void **state)
{
    struct world *const w = *state;
    static struct target_list chosen;
    struct err e = {RES_OK, ""};
    assert_int_equal(targets_choose(&w->list, "test-math", &chosen, &w->a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "halfulp audit"));
    w->list.has_audits = true;
    assert_int_equal(targets_choose(&w->list, "test-math", &chosen, &w->a, &e), RES_OK);
    w->list.has_audits = false;
    assert_int_equal(targets_choose(&w->list, "ocml-gfx11", &chosen, &w->a, &e), RES_USAGE);
    assert_non_null(strstr(e.text, "make vendor-math"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_functions_are_kept),
        cmocka_unit_test(behaviours_of_the_hardware_are_apart),
        cmocka_unit_test(files_have_it_all),
        cmocka_unit_test(recheck_agrees),
        cmocka_unit_test(wrong_functions_are_found),
        cmocka_unit_test(a_folder_calls_the_library),
        cmocka_unit_test(functions_that_misbehave_are_told_of),
        cmocka_unit_test(missing_functions_are_refused),
        cmocka_unit_test(broken_lists_are_told_of),
        cmocka_unit_test(kernels_are_refused),
    };
    return cmocka_run_group_tests(tests, make_world, remove_world);
}

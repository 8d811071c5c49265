/* reports/audit/test_audit_code.c -- which bounds change the code of compilers: the table and the page. */
#include "reports/audit/audit_code_html.h"
#include "reports/audit/audit_code_state.h"
#include "reports/audit/audit_code_table.h"
#include "reports/audit/test_audit_sample.h"

#define PLAIN   "code: 00000000000000aa 12 instructions, math.exp x2"
#define CHANGED "code: 00000000000000ff 7 instructions, math.exp x1"
#define CALLS   "error: the binary calls nowhere, which is not found"

enum {
    N_TARGETS = 4
};

static struct audit_form decorated(float max_error, const char *name, const char *log)
{
    return (struct audit_form){.name = name, .is_decorated = 1, .max_error = max_error, .log = log};
}

/* exp with four bounds, and acos of f64 without a bound that was stopped before it was built. */
static struct audit make_code(struct arena *a, const char *target, const char *said)
{
    struct audit x = {
        .target = target, .facts = said, .n_rows = 2, .rows = ARENA_NEW(a, struct audit_row, 2)};
    assert_non_null(x.rows);
    struct audit_form *const form = x.rows[0].form;
    x.rows[0].func = FUNC_EXP;
    x.rows[0].fmt = FMT_F32;
    x.rows[0].n_forms = 5;
    form[0] = (struct audit_form){.name = "full", .log = PLAIN};
    form[1] = decorated(4, "max-error 4", CHANGED);
    form[2] = decorated(1, "max-error 1", PLAIN);
    form[3] = decorated(0.5F, "max-error 0.5", said);
    form[3].is_refused = 1;
    form[4] = decorated(4096, "max-error 4096", CALLS);
    form[4].is_refused = form[4].is_unloadable = 1;
    x.rows[1].func = FUNC_ACOS;
    x.rows[1].fmt = FMT_F64;
    x.rows[1].n_forms = 1;
    x.rows[1].form[0] = (struct audit_form){.name = "full", .log = ""};
    return x;
}

/* The third one makes other code of one bound, the fourth longer code than the first two. */
static void make_targets(struct arena *a, const char *name, const char *said,
                         struct audit x[N_TARGETS])
{
    for (int i = 0; i < N_TARGETS; i++) {
        x[i] = make_code(a, arena_printf(a, "%s%d", name, i + 1), said);
    }
    x[2].rows[0].form[2].log = CHANGED;
    x[3].rows[0].form[1].log = "code: 00000000000000ee 8 instructions, math.exp x1";
}

static const char *write_page(struct arena *a, const char *name, const char *said)
{
    struct err e = {.text = ""};
    struct audit x[N_TARGETS];
    const char *const path = make_path(a, "code.html");
    make_targets(a, name, said, x);
    if (audit_code_write_html(x, N_TARGETS, path, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    return read_all(a, path);
}

static unsigned count(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *p = strstr(text, what); p; p = strstr(p + 1, what)) {
        n++;
    }
    return n;
}

/* ---- code.tsv ---- */

static void a_line_tells_what_came_of_a_form(void **state)
{
    (void)state;
    struct arena a;
    struct err e = {.text = ""};
    struct audit x[N_TARGETS];
    arena_init(&a, ARENA_BYTES);
    const char *const path = make_path(&a, "code.tsv");
    make_targets(&a, "igc-", "error: below 1", x);
    assert_int_equal(audit_code_save(x, 1, path, &e), RES_OK);
    assert_string_equal(
        read_all(&a, path),
        "target\tfunction\ttype\tform\tstate\tcode\twhat\n"
        "igc-1\texp\tf32\tfull\tas plain\t00000000000000aa\t12 instructions, math.exp x2\n"
        "igc-1\texp\tf32\tmax-error 4\tchanged\t00000000000000ff\t7 instructions, math.exp x1\n"
        "igc-1\texp\tf32\tmax-error 1\tas plain\t00000000000000aa\t12 instructions, math.exp x2\n"
        "igc-1\texp\tf32\tmax-error 0.5\trefused\t\terror: below 1\n"
        "igc-1\texp\tf32\tmax-error 4096\tcannot be loaded\t\t" CALLS "\n"
        "igc-1\tacos\tf64\tfull\t\t\t\n");
    assert_int_equal(audit_code_save(x, N_TARGETS, path, &e), RES_OK);
    const char *const all = read_all(&a, path);
    assert_int_equal(count(all, "\n"), 1 + 6 * N_TARGETS);
    assert_int_equal(count(all, "\nigc-3\texp\tf32\tmax-error 1\tchanged\t"), 1);
    arena_free(&a);
}

/* A log that is cut is told as it is. */
static void a_line_without_a_whole_hash_has_no_code(void **state)
{
    (void)state;
    static const char *const logs[] = {"code: ", "code: 00000000000000aa", "", "the code: is"};
    for (size_t i = 0; i < ARRAY_N(logs); i++) {
        struct audit_form const form = {.log = logs[i]};
        assert_string_equal(audit_code_get_hash(&form), "");
        assert_string_equal(audit_code_get_what(&form), logs[i]);
    }
}

/* ---- the page ---- */

static void a_row_per_function_and_a_column_per_bound(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    const char *const page = write_page(&a, "igc-", "error: below 1");
    const char *const columns[] = {"0.5 ulp", "1 ulp", "4 ulp", "4096 ulp"};
    const char *at = page;
    for (size_t i = 0; i < ARRAY_N(columns); i++) { /* rising, whatever the order of the forms */
        at = strstr(at, columns[i]);
        assert_non_null(at);
    }
    assert_int_equal(count(page, "<script"), 0);
    /* two of the four have the same table, a third one the same but for counts */
    assert_int_equal(count(page, "<table"), 3);
    assert_int_equal(count(page, "The code is the same as on igc-1, except"), 1);
    assert_int_equal(count(page, "igc-1, igc-2</h2>"), 1);
    assert_int_equal(count(page, ">igc-3</h2>"), 1);
    assert_int_equal(count(page, "as plain<"), 2);
    assert_int_equal(count(page, "changes (7 instructions)<"), 3);
    assert_int_equal(count(page, ">refused</td>"), 3);
    assert_int_equal(count(page, ">cannot be loaded</td>"), 3);
    assert_int_equal(count(page, ">12 instructions<"), 3);
    assert_int_equal(count(page, "error: below 1"), 1 + N_TARGETS); /* once, and as facts of each */
    assert_int_equal(count(page, CALLS), 1);
    arena_free(&a);
}

static void a_page_holds_no_foreign_markup(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    const char *const page = write_page(&a, hostile, hostile);
    const char *const control = write_page(&a, "x", "x");
    assert_no_controls(page, "page");
    assert_int_equal(count(page, "<"), count(control, "<"));
    assert_true(count(page, "&lt;script&gt;") >= 2);
    arena_free(&a);
}

static void a_page_of_nothing_is_whole(void **state)
{
    (void)state;
    struct arena a;
    struct err e = {.text = ""};
    struct audit const x = {.target = "igc-1", .facts = "", .was_stopped = 1};
    arena_init(&a, ARENA_BYTES);
    const char *const path = make_path(&a, "code.html");
    assert_int_equal(audit_code_write_html(&x, 1, path, &e), RES_OK);
    const char *const page = read_all(&a, path);
    assert_non_null(strstr(page, "No function."));
    assert_non_null(strstr(page, "was stopped"));
    assert_non_null(strstr(page, "</html>"));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_tells_what_came_of_a_form),
        cmocka_unit_test(a_line_without_a_whole_hash_has_no_code),
        cmocka_unit_test(a_row_per_function_and_a_column_per_bound),
        cmocka_unit_test(a_page_holds_no_foreign_markup),
        cmocka_unit_test(a_page_of_nothing_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

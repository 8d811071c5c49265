/* reports/audit/test_audit_data.c -- an audit saved and loaded, as CSV and LaTeX, and compared. */
#include "base/file.h"
#include "reports/audit/audit_changes.h"
#include "reports/audit/audit_json.h"
#include "reports/audit/audit_write.h"
#include "reports/audit/test_audit_sample.h"

enum {
    MAX_FIELDS = 64
};

/* Two rows must be the same in all that a file keeps; NULL is read back as "". */
static void assert_same_row(const struct audit_row *x, const struct audit_row *y)
{
    assert_int_equal(x->func, y->func);
    assert_int_equal(x->fmt, y->fmt);
    assert_int_equal(x->depth, y->depth);
    assert_true(x->n_inputs == y->n_inputs && x->n_done == y->n_done);
    assert_true(x->n_skipped == y->n_skipped);
    assert_memory_equal(&x->seconds, &y->seconds, sizeof x->seconds);
    assert_memory_equal(&x->device_seconds, &y->device_seconds, sizeof x->device_seconds);
    assert_memory_equal(&x->judge_seconds, &y->judge_seconds, sizeof x->judge_seconds);
    assert_string_equal(x->evaluator ? x->evaluator : "", y->evaluator);
    assert_string_equal(x->problem ? x->problem : "", y->problem);
    assert_int_equal(x->n_forms, y->n_forms);
    for (uint32_t i = 0; i < x->n_forms; i++) {
        assert_string_equal(x->form[i].name, y->form[i].name);
        assert_string_equal(x->form[i].log ? x->form[i].log : "", y->form[i].log);
        assert_true(x->form[i].op == y->form[i].op);
        assert_int_equal(x->form[i].is_decorated, y->form[i].is_decorated);
        assert_int_equal(x->form[i].is_refused, y->form[i].is_refused);
        assert_memory_equal(&x->form[i].max_error, &y->form[i].max_error, sizeof(float));
        assert_int_equal(x->bound[i].has_bound, y->bound[i].has_bound);
        assert_int_equal(x->bound[i].bound.anything, y->bound[i].bound.anything);
        assert_memory_equal(&x->bound[i].bound.ulp, &y->bound[i].bound.ulp, sizeof(double));
        assert_memory_equal(&x->bound[i].bound.absolute, &y->bound[i].bound.absolute,
                            sizeof(double));
        assert_memory_equal(&x->result[i], &y->result[i], sizeof x->result[i]);
        const struct audit_case *const c = &x->found[i], *const d = &y->found[i];
        assert_int_equal(c->kind, d->kind);
        assert_memory_equal(&c->worst, &d->worst, sizeof c->worst);
        assert_memory_equal(&c->bound_ulp, &d->bound_ulp, sizeof c->bound_ulp);
        assert_memory_equal(&c->ratio, &d->ratio, sizeof c->ratio);
        assert_string_equal(c->exact ? c->exact : "", d->exact);
    }
}

/* An audit that was written as JSON is loaded as the same. */
static void an_audit_comes_back_as_it_was(void **state)
{
    (void)state;
    struct arena a;
    struct audit y;
    struct err e = {.text = ""};
    arena_init(&a, ARENA_BYTES);
    struct audit const x = make_audit(&a, "");
    const char *const path = make_path(&a, "json");
    x.rows[0].form[4].log = "line 1\nline 2\t\xc3\xa9";
    assert_int_equal(audit_write(AUDIT_JSON, &x, path, &e), RES_OK);
    if (audit_load(&y, path, &a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    assert_string_equal(y.target, x.target);
    assert_int_equal(y.n_rows, N_ROWS);
    assert_int_equal(y.was_stopped, 1);
    for (uint32_t i = 0; i < N_ROWS; i++) {
        assert_same_row(&x.rows[i], &y.rows[i]);
    }
    (void)unlink(path);
    arena_free(&a);
}

/* Each text in turn is taken out or spoilt: never accepted, never a crash. */
static void a_file_that_is_wrong_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } change[] = {
        {"\"format\":2",          "\"format\":3"        },
        {"\"function\":\"exp\"",  "\"function\":\"eXp\""},
        {"\"type\":\"f32\"",      "\"type\":\"f33\""    },
        {"\"exhaustive\"",        "\"exhausted\""       },
        {"\"inputs\":",           "\"inputz\":"         },
        {"\"histogram\":[",       "\"histogram\":[-1,"  },
        {"\"above\":[",           "\"above\":[1,"       },
        {"\"what\":\"bound\"",    "\"what\":\"bond\""   },
        {"\"error_over_bound\":", "\"error_of_bound\":" },
        {"\"plot\":[[0",          "\"plot\":[[512"      },
        {"0xffffffffffffffff",    "0xfffffffffffffffff" },
        {"\"0x",                  "\"0y"                },
        {"\"rows\":[",            "\"rows\":[["         },
    };
    struct arena a;
    struct audit y;
    struct err e = {.text = ""};
    arena_init(&a, ARENA_BYTES);
    struct audit const x = make_audit(&a, "");
    const char *const path = make_path(&a, "wrong.json");
    assert_int_equal(audit_write(AUDIT_JSON, &x, path, &e), RES_OK);
    const char *const good = read_all(&a, path);
    for (size_t i = 0; i < ARRAY_N(change); i++) {
        const char *const at = strstr(good, change[i].from);
        if (!at) {
            fail_msg("no %s in the file", change[i].from);
        }
        const char *const bad = arena_printf(&a, "%.*s%s%s", (int)(at - good), good, change[i].to,
                                             at + strlen(change[i].from));
        assert_int_equal(file_write(path, bad, strlen(bad), &e), RES_OK);
        if (audit_load(&y, path, &a, &e) != RES_FORMAT) {
            fail_msg("accepted with %s", change[i].to);
        }
        assert_non_null(strstr(e.text, "wrong.json"));
    }
    (void)unlink(path);
    assert_int_equal(audit_load(&y, path, &a, &e), RES_IO);
    arena_free(&a);
}

/* --- CSV and LaTeX --- */

/* The next line of a CSV file by RFC 4180, section 2; 0 at the end. */
static size_t take_line(struct arena *a, const char **rest, char **field)
{
    size_t n = 0;
    const char *p = *rest;
    while (*p) {
        char *const out = arena_take(a, strlen(p) < 200000 ? strlen(p) + 1 : 200000);
        size_t n_out = 0;
        int const is_quoted = *p == '"';
        assert_non_null(out);
        for (p += is_quoted; *p; p++) {
            if (is_quoted && p[0] == '"' && p[1] == '"') {
                p++;
            } else if (is_quoted ? *p == '"' : (*p == ',' || *p == '\r')) {
                break;
            }
            assert_true(*p != '\r' && *p != '\n' && n_out < 199999);
            out[n_out++] = *p;
        }
        p += is_quoted;
        assert_true(n < MAX_FIELDS);
        field[n++] = out;
        if (p[0] == '\r' && p[1] == '\n') {
            *rest = p + 2;
            return n;
        }
        assert_int_equal(*p, ',');
        p++;
    }
    *rest = p;
    return n;
}

static size_t find_column(char *const *titles, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(titles[i], name) == 0) {
            return i;
        }
    }
    fail_msg("no column %s", name);
    return 0;
}

/* The CSV file, read by another reader, has each form with its numbers, whatever foreign text stands in
 * it. */
static void csv_reads_back(void **state)
{
    (void)state;
    char *titles[MAX_FIELDS], *field[MAX_FIELDS];
    struct arena a;
    struct err e = {.text = ""};
    size_t n_lines = 0, n_broken = 0;
    arena_init(&a, (size_t)ARENA_BYTES * 2);
    struct audit const x = make_audit(&a, hostile);
    const char *const path = make_path(&a, "csv");
    assert_int_equal(audit_write(AUDIT_CSV, &x, path, &e), RES_OK);
    const char *rest = read_all(&a, path);
    size_t const n = take_line(&a, &rest, titles);
    assert_true(n > 30);
    for (uint32_t i = 0; i < N_ROWS; i++) {
        for (uint32_t k = 0; k < x.rows[i].n_forms; k++, n_lines++) {
            const struct sweep_result *const r = &x.rows[i].result[k];
            assert_int_equal(take_line(&a, &rest, field), n);
            assert_string_equal(field[find_column(titles, n, "function")],
                                func_rows[x.rows[i].func].name);
            assert_true(strtoull(field[find_column(titles, n, "inputs")], NULL, 10) == r->n);
            double const above = strtod(field[find_column(titles, n, "above_ulp")], NULL);
            assert_memory_equal(&above, &r->above.error, sizeof above);
            assert_true(strtoull(field[find_column(titles, n, "below_x")], NULL, 16) ==
                        (r->below.arg[0] & format_mask(&float_formats[x.rows[i].fmt])));
            const struct audit_case *const c = &x.rows[i].found[k];
            double const ratio = strtod(field[find_column(titles, n, "error_over_bound")], NULL);
            assert_memory_equal(&ratio, &c->ratio, sizeof ratio);
            if (c->kind == AUDIT_CASE_BOUND) {
                n_broken++;
                assert_string_equal(field[find_column(titles, n, "state")], "BROKEN");
                assert_string_equal(field[find_column(titles, n, "worst")], "outside the bound");
                assert_string_equal(field[find_column(titles, n, "worst_exact")], "2.718281828459");
                assert_string_equal(field[find_column(titles, n, "worst_x")], "0x3f800000");
                assert_string_equal(field[find_column(titles, n, "worst_got")], "0x40000000");
                assert_string_equal(field[find_column(titles, n, "worst_bound_ulp")], "3");
            }
        }
    }
    assert_int_equal(take_line(&a, &rest, field), 0);
    assert_int_equal(n_lines, 9);
    assert_int_equal(n_broken, 1);
    arena_free(&a);
}

/* Foreign text in the LaTeX table ends nothing and adds nothing, and the rows are as they should be. */
static void latex_keeps_foreign_text_harmless(void **state)
{
    (void)state;
    struct arena a;
    struct err e = {.text = ""};
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    struct audit const x = make_audit(&a, hostile);
    const char *const path = make_path(&a, "tex");
    assert_int_equal(audit_write(AUDIT_LATEX, &x, path, &e), RES_OK);
    const char *const text = read_all(&a, path);
    assert_no_controls(text, "LaTeX");
    for (const char *p = strstr(text, "\\end{"); p; p = strstr(p + 1, "\\end{")) {
        n++;
    }
    assert_int_equal(n, 3); /* all forms; where error / bound is attained; wrong results */
    assert_non_null(strstr(
        text,
        arena_printf(&a,
                     "exp f32 & full & \\shortstack[l]{\\tiny\\texttt{0x%08x}} & $0.25$ & "
                     "$%.5g$ & $3$ \\\\\n",
                     (unsigned)x.rows[0].found[0].worst.arg[0], x.rows[0].found[0].worst.error)));
    assert_non_null(strstr(text,
                           "max{-}error 4 & \\shortstack[l]{\\tiny\\texttt{0x3f800000}} & "
                           "{\\tiny\\texttt{0x40000000}} & 2.718281828459 & $4.5$ & $3$ & $1.5$ "));
    assert_non_null(strstr(text, "\\toprule\n"));
    assert_non_null(strstr(text, "exp & f32 & full & $3$ & "));
    assert_non_null(strstr(text, "& refused \\\\\n"));
    const char *const shown = getenv("AUDIT_LATEX");
    if (shown) {
        assert_int_equal(file_write(shown, text, strlen(text), &e), RES_OK);
    }
    arena_free(&a);
}

/* --- changes --- */

/* Each kind of change between two audits is listed under its title, in lines that fit. */
static void changes_are_listed(void **state)
{
    (void)state;
    static const char *const needles[] = {
        "NEWLY BROKEN (1)\n",
        "NO LONGER WRONG (1)\n",
        "COMPILED NOW (1)\n",
        "NOT IN THIS AUDIT (2)\n",
        "NEW (1)\n",
        "LARGER ERRORS (1)\n",
        "UNCHANGED: 3 forms\n",
        "kept > BROKEN",
        "BROKEN > kept",
        "outside the bound 0 > 7",
        " > +1.5 ",
    };
    struct arena a;
    char *text = NULL;
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    struct audit const old = make_audit(&a, "old");
    struct audit now = make_audit(&a, "now");
    struct audit_row *const exp = &now.rows[0];
    exp->result[0].n_broken = 7;      /* full: broken */
    exp->result[1].above.error = 1e4; /* half: larger */
    exp->result[3].n_broken = 0;      /* max-error 4: kept */
    exp->form[4].is_refused = 0;      /* max-error 0.25: compiled */
    exp->result[4] = exp->result[0];
    exp->result[0].above.error = 1.5;
    exp->result[0].above.arg[0] = 0x40000000;
    now.rows[1].form[1].name = "pow-of-another-name"; /* gone, and new */
    now.rows[1].n_forms = 2;
    now.rows[1].form[0].name = now.rows[2].form[0].name = "old"; /* the same as before */
    now.n_rows = 4;                                              /* floor: gone */
    FILE *const f = open_memstream(&text, &n);
    assert_non_null(f);
    audit_print_changes(&old, &now, f);
    (void)fclose(f);
    assert_no_controls(text, "changes");
    for (size_t i = 0; i < ARRAY_N(needles); i++) {
        if (!strstr(text, needles[i])) {
            fail_msg("no \"%s\" in\n%s", needles[i], text);
        }
    }
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1) {
        assert_true(strcspn(p, "\n") <= 120 || strstr(p, "now worst") == p + 4);
    }
    const char *const shown = getenv("AUDIT_CHANGES");
    struct err e = {.text = ""};
    if (shown) {
        assert_int_equal(file_write(shown, text, n, &e), RES_OK);
    }
    free(text);
    arena_free(&a);
}

static void an_audit_has_no_changes_against_itself(void **state)
{
    (void)state;
    struct arena a;
    char *text = NULL;
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    struct audit const x = make_audit(&a, "same");
    FILE *const f = open_memstream(&text, &n);
    assert_non_null(f);
    audit_print_changes(&x, &x, f);
    (void)fclose(f);
    assert_non_null(strstr(text, "\n\nUNCHANGED: 9 forms\n"));
    assert_null(strchr(text, '>'));
    free(text);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_audit_comes_back_as_it_was),
        cmocka_unit_test(a_file_that_is_wrong_is_refused),
        cmocka_unit_test(csv_reads_back),
        cmocka_unit_test(latex_keeps_foreign_text_harmless),
        cmocka_unit_test(changes_are_listed),
        cmocka_unit_test(an_audit_has_no_changes_against_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

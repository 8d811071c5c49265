/* reports/audit/test_audit_matrix.c -- several audits in one table: which forms share a line, in every format. */
#include "reports/audit/audit_matrix.h"
#include "reports/audit/test_audit_sample.h"

enum {
    N_AUDITS = 3,
    EXP_FORMS = 5
};

/* Two audits of exp and more, by their names; one of exp alone, with other forms. */
static void make_audits(struct audit x[N_AUDITS], struct arena *a, const char *foreign)
{
    x[0] = make_audit(a, "");
    x[0].target = "first";
    x[0].facts = "driver=Mesa 22.3.6\n";
    x[1] = make_audit(a, foreign);
    x[2] = make_audit(a, "");
    x[2].target = "third";
    x[2].n_rows = 1;
    x[2].rows[0].form[1].name = "of the third alone";
    x[2].rows[0].n_done = 0;
    for (uint32_t i = 0; i < EXP_FORMS; i++) {
        x[2].rows[0].result[i] = (struct sweep_result){.n = 0};
        x[2].rows[0].found[i] = (struct audit_case){.kind = AUDIT_CASE_NONE};
    }
}

static uint32_t count_places(const struct audit_matrix *m, uint32_t line)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        n += m->entry[(size_t)line * m->n + i].row != NULL;
    }
    return n;
}

static const char *print_matrix(const struct audit_matrix *m, struct arena *a)
{
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    assert_non_null(f);
    audit_matrix_print(m, f);
    (void)fclose(f);
    const char *const copy = arena_copy(a, text, n);
    free(text);
    return copy;
}

/* The same function, type and form is one line, whatever else the audits hold. */
static void forms_share_lines_by_their_names(void **state)
{
    (void)state;
    struct arena a;
    struct audit x[N_AUDITS];
    struct audit_matrix m;
    uint32_t n_of_all = 0, n_of_one = 0;
    arena_init(&a, ARENA_BYTES);
    make_audits(x, &a, "second");
    assert_true(audit_matrix_make(&m, x, N_AUDITS, &a));
    for (uint32_t i = 0; i < m.n_lines; i++) {
        const struct audit_entry *const name = audit_matrix_name(&m, i);
        assert_non_null(name->row);
        n_of_all += count_places(&m, i) == N_AUDITS;
        n_of_one += count_places(&m, i) == 1;
        for (uint32_t k = 0; k < m.n; k++) {
            const struct audit_entry *const p = &m.entry[(size_t)i * m.n + k];
            assert_true(
                !p->row ||
                (p->row->func == name->row->func && p->row->fmt == name->row->fmt &&
                 strcmp(p->row->form[p->form].name, name->row->form[name->form].name) == 0));
        }
    }
    /* exp: 4 of all, one of two audits, one of the third; forms of pow and pown that are called as their audit is */
    assert_int_equal(n_of_all, EXP_FORMS - 1);
    assert_int_equal(n_of_one, 1 + 2 + 2);
    assert_int_equal(m.n_lines, EXP_FORMS + 1 + 2 + 1 + 2 + 1);
    arena_free(&a);
}

static void a_terminal_sees_figures_and_words(void **state)
{
    (void)state;
    struct arena a;
    struct audit x[N_AUDITS];
    struct audit_matrix m;
    arena_init(&a, ARENA_BYTES);
    make_audits(x, &a, hostile);
    assert_true(audit_matrix_make(&m, x, N_AUDITS, &a));
    const char *const text = print_matrix(&m, &a);
    assert_no_controls(text, "table");
    assert_non_null(strstr(text, "Mesa 22.3.6"));
    assert_non_null(strstr(text, "exp f32 full                0.25       kept        0.25       "
                                 "kept                   not run\n"));
    assert_non_null(strstr(text, "exp f32 max-error 4         1.5        BROKEN "));
    assert_non_null(strstr(text, "exp f32 max-error 4 on first: BROKEN\n"));
    assert_non_null(strstr(text, "\"-\": the target does not have the form."));
    /* where a kept form is nearest to its bound; a broken one is told of with its wrong result, one not run nowhere */
    const struct sweep_worst *const w = &x[0].rows[0].found[0].worst;
    assert_non_null(
        strstr(text, arena_printf(&a, "\n  exp f32 full on first: 0.25: %.4g of 3 ulp at 0x%08x (",
                                  w->error, (unsigned)w->arg[0])));
    assert_null(strstr(text, "exp f32 max-error 4 on first: 1.5"));
    assert_null(strstr(text, "exp f32 full on third:"));
    assert_non_null(strstr(text, "exact  2.718281828459\n"));
    arena_free(&a);
}

/* Each file is there; of CSV a line per form and audit, of LaTeX every line has its columns, of the page nothing
 * foreign is markup. */
static void files_are_whole(void **state)
{
    (void)state;
    struct arena a;
    struct audit x[N_AUDITS];
    struct audit_matrix m;
    struct err e = {.text = ""};
    arena_init(&a, (size_t)ARENA_BYTES * 2);
    make_audits(x, &a, hostile);
    assert_true(audit_matrix_make(&m, x, N_AUDITS, &a));
    const char *const folder = make_path(&a, "table");
    const char *text[3] = {NULL};
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(audit_matrix_write(&m, folder, &e), RES_OK);
    for (size_t i = 0; audit_matrix_files[i]; i++) {
        text[i] = read_all(&a, arena_printf(&a, "%s/%s", folder, audit_matrix_files[i]));
    }
    assert_int_equal(rmdir(folder), 0);
    assert_null(strstr(text[0], "<script>"));
    assert_non_null(strstr(text[0], "2.718281828459"));
    assert_non_null(strstr(text[0], "not run"));
    const char *const attained = strstr(text[0], "Where error / bound is attained</h2>");
    const char *const at = arena_printf(&a, "0x%08x", (unsigned)x[0].rows[0].found[0].worst.arg[0]);
    assert_non_null(attained);
    assert_non_null(strstr(attained, at));
    assert_non_null(strstr(text[2], "attained at"));
    assert_non_null(strstr(text[2], arena_printf(&a, "{\\tiny\\texttt{%s}} & $0.25$ & ", at)));
    size_t n_lines = 0, n_forms = 0, n_rows = 0;
    for (const char *p = strstr(text[1], "\r\n"); p; p = strstr(p + 2, "\r\n")) {
        n_lines++;
    }
    for (uint32_t i = 0; i < N_AUDITS; i++) {
        for (uint32_t k = 0; k < x[i].n_rows; k++) {
            n_forms += x[i].rows[k].n_forms;
        }
    }
    assert_int_equal(n_lines, 1 + n_forms);
    for (const char *p = strstr(text[2], "\nexp & "); p; p = strstr(p + 1, "\nexp & ")) {
        size_t n_columns = 1;
        for (const char *q = p + 1; *q != '\n'; q++) {
            n_columns += *q == '&';
        }
        assert_int_equal(n_columns, 3 + 2 * N_AUDITS);
        n_rows++;
    }
    assert_int_equal(n_rows, EXP_FORMS + 1);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_share_lines_by_their_names),
        cmocka_unit_test(a_terminal_sees_figures_and_words),
        cmocka_unit_test(files_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* reports/audit/audit_code_table.c -- which forms of a function change the code that a compiler makes, as a table. */
#include "reports/audit/audit_code_table.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/func_row.h"
#include "base/printable.h"
#include "reports/audit/audit_code_state.h"

/* Print, for each form of each function, what the compiler made of it or why it refused, and at the end how
 * many decorations change the code. Each form is compared with the function's first one, "full"; equal code
 * is printed as "as full". */
void audit_code_print(const struct audit *x, FILE *f)
{
    uint32_t n_forms = 0, n_changed = 0, n_refused = 0;
    printable_print(f, "%-14s %-4s %-22s %s\n", "function", "type", "form", "code");
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const struct audit_row *const row = &x->rows[i];
        for (uint32_t k = 0; k < row->n_forms; k++) {
            const struct audit_form *const form = &row->form[k];
            enum audit_code_state const state = audit_code_get_state(row, k);
            bool const is_same = k > 0 && state == CODE_AS_PLAIN;
            printable_print(f, "%-14s %-4s %-22s %s%s\n", k ? "" : func_rows[row->func].name,
                            k ? "" : float_formats[row->fmt].name, form->name,
                            form->is_refused ? "refused: " : "",
                            is_same ? audit_code_states[state] : audit_code_get_what(form));
            n_forms += form->is_decorated != 0;
            n_changed += form->is_decorated && state == CODE_CHANGED;
            n_refused += form->is_decorated && form->is_refused;
        }
    }
    printable_print(
        f, "%" PRIu32 " decorated forms: %" PRIu32 " change the code, %" PRIu32 " are refused\n",
        n_forms, n_changed, n_refused);
}

static void save_form(FILE *f, const struct audit *x, const struct audit_row *row, uint32_t k)
{
    const struct audit_form *const form = &row->form[k];
    printable_print(f, "%s\t%s\t%s\t%s\t%s\t", x->target, func_rows[row->func].name,
                    float_formats[row->fmt].name, form->name,
                    audit_code_states[audit_code_get_state(row, k)]);
    (void)fprintf(f, "%.*s", CODE_HASH_CHARS, audit_code_get_hash(form));
    printable_print(f, "\t%s\n", audit_code_get_what(form));
}

enum res audit_code_save(const struct audit *x, uint32_t n, const char *path, struct err *e)
{
    struct file_writer w;
    TRY(file_begin(&w, path, e));
    (void)fprintf(w.f, "target\tfunction\ttype\tform\tstate\tcode\twhat\n");
    for (uint32_t t = 0; t < n; t++) {
        for (uint32_t i = 0; i < x[t].n_rows; i++) {
            for (uint32_t k = 0; k < x[t].rows[i].n_forms; k++) {
                save_form(w.f, &x[t], &x[t].rows[i], k);
            }
        }
    }
    return file_end(&w, RES_OK, e);
}

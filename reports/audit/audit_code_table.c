/* reports/audit/audit_code_table.c -- which forms of a function change the code that a compiler makes, as a table. */
#include "reports/audit/audit_code_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/func_row.h"
#include "base/printable.h"

static const char code_mark[] = "code: ";
enum {
    CODE_HASH_CHARS = 16
};

/* Does the line tell of code, with its hash and something behind it? Not a refusal's, nor that of a stopped run. */
static bool has_code(const struct audit_form *form)
{
    return strncmp(form->log, code_mark, strlen(code_mark)) == 0 &&
           strlen(form->log) > strlen(code_mark) + CODE_HASH_CHARS;
}

/* What the line says behind the hash, "5 instructions, math.exp x1"; else all of it. */
static const char *get_what(const struct audit_form *form)
{
    return has_code(form) ? form->log + strlen(code_mark) + CODE_HASH_CHARS + 1 : form->log;
}

static const char *get_state(const struct audit_row *row, const struct audit_form *form)
{
    const struct audit_form *const full = &row->form[0];
    if (form->is_refused) {
        return "refused";
    }
    return strcmp(form->log, full->log) == 0 ? "as full" : "other";
}

/* Print, for each form of each function, what the compiler made of it or why it refused, and at the end how
 * many decorations change the code. Each form is compared with the function's first one, "full"; equal code
 * is printed as "as full". */
void audit_code_print(const struct audit *x, FILE *f)
{
    uint32_t n_forms = 0, n_other = 0, n_refused = 0;
    printable_print(f, "%-14s %-4s %-22s %s\n", "function", "type", "form", "code");
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const struct audit_row *const row = &x->rows[i];
        for (uint32_t k = 0; k < row->n_forms; k++) {
            const struct audit_form *const form = &row->form[k];
            const char *const state = get_state(row, form);
            bool const is_same = k > 0 && strcmp(state, "as full") == 0;
            printable_print(f, "%-14s %-4s %-22s %s%s\n", k ? "" : func_rows[row->func].name,
                            k ? "" : float_formats[row->fmt].name, form->name,
                            form->is_refused ? "refused: " : "", is_same ? state : get_what(form));
            n_forms += form->is_decorated != 0;
            n_other += form->is_decorated && strcmp(state, "other") == 0;
            n_refused += form->is_decorated && form->is_refused;
        }
    }
    printable_print(
        f, "%" PRIu32 " decorated forms: %" PRIu32 " change the code, %" PRIu32 " are refused\n",
        n_forms, n_other, n_refused);
}

enum res audit_code_save(const struct audit *x, const char *path, struct err *e)
{
    struct file_writer w;
    TRY(file_begin(&w, path, e));
    (void)fprintf(w.f, "function\ttype\tform\tstate\tcode\twhat\n");
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const struct audit_row *const row = &x->rows[i];
        for (uint32_t k = 0; k < row->n_forms; k++) {
            const struct audit_form *const form = &row->form[k];
            printable_print(w.f, "%s\t%s\t%s\t%s\t", func_rows[row->func].name,
                            float_formats[row->fmt].name, form->name, get_state(row, form));
            if (has_code(form)) {
                (void)fprintf(w.f, "%.*s", (int)CODE_HASH_CHARS, form->log + strlen(code_mark));
            }
            printable_print(w.f, "\t%s\n", get_what(form));
        }
    }
    return file_end(&w, RES_OK, e);
}

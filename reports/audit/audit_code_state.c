/* reports/audit/audit_code_state.c -- what a form of a function did to the code that a compiler makes. */
#include "reports/audit/audit_code_state.h"

#include <string.h>

static const char code_mark[] = "code: ";

const char *const audit_code_states[CODE_STATE_N] = {"", "as plain", "changed", "refused",
                                                     "cannot be loaded"};

const char *audit_code_get_hash(const struct audit_form *form)
{
    size_t const n = strlen(code_mark);
    bool const is_code =
        strncmp(form->log, code_mark, n) == 0 && strlen(form->log) > n + CODE_HASH_CHARS;
    return is_code ? form->log + n : "";
}

const char *audit_code_get_what(const struct audit_form *form)
{
    const char *const hash = audit_code_get_hash(form);
    return hash[0] ? hash + CODE_HASH_CHARS + 1 : form->log;
}

enum audit_code_state audit_code_get_state(const struct audit_row *row, uint32_t k)
{
    const struct audit_form *const form = &row->form[k];
    if (form->is_refused) {
        return form->is_unloadable ? CODE_UNLOADABLE : CODE_REFUSED;
    }
    if (!form->log[0]) {
        return CODE_NONE;
    }
    return strcmp(form->log, row->form[0].log) == 0 ? CODE_AS_PLAIN : CODE_CHANGED;
}

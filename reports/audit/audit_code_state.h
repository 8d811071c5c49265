/* reports/audit/audit_code_state.h -- what a form of a function did to the code that a compiler makes. */
#pragma once

#include "base/audit_result.h"

enum audit_code_state {
    CODE_NONE,     /* not built: the audit was stopped before */
    CODE_AS_PLAIN, /* that of the row's first form */
    CODE_CHANGED,
    CODE_REFUSED,
    CODE_UNLOADABLE /* refused, as the code calls what is nowhere */
};
enum {
    CODE_STATE_N = 5,
    CODE_HASH_CHARS = 16
};
extern const char *const audit_code_states[CODE_STATE_N]; /* "", "as plain", "changed", ... */

/* Of the k-th form, by what audit_code_run (fuzz/audit/audit_code.h) has put into its log. */
enum audit_code_state audit_code_get_state(const struct audit_row *row, uint32_t k);
/* The hash of its code, CODE_HASH_CHARS of them and more after; "": it has no code. */
const char *audit_code_get_hash(const struct audit_form *form);
/* "5 instructions, math.exp x1"; of a form without code all that was said. */
const char *audit_code_get_what(const struct audit_form *form);

/* tests/fuzzers/target_audit.c -- fuzz target: audit.json, and the table and the changes made of it. */
#include <stdio.h>

#include "reports/audit/audit_changes.h"
#include "reports/audit/audit_json.h"
#include "reports/audit/audit_report.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20 /* a row takes 300 KiB */
};

static void require_printable(const char *text)
{
    for (const char *p = text; *p; p++) {
        unsigned char const c = (unsigned char)*p;
        target_require((c >= 0x20 || c == '\n') && c != 0x7f);
    }
}

/* The bytes are an audit.json. What is read of it must be within its bounds, and what is printed of it must
 * hold no character that steers a terminal. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a;
    struct audit x;
    struct err e = {.text = ""};
    arena_init(&a, TARGET_ARENA_BYTES);
    if (target_is_ok(audit_parse(&x, "input", data, n_bytes, &a, &e), &e)) {
        char *text = NULL;
        size_t n = 0;
        FILE *const f = open_memstream(&text, &n);
        target_require(f != NULL);
        for (uint32_t i = 0; i < x.n_rows; i++) {
            target_require(x.rows[i].n_forms <= SWEEP_MAX_FORMS);
            target_require((unsigned)x.rows[i].func < FUNC_N);
        }
        audit_print(&x, f);
        audit_print_changes(&x, &x, f);
        target_require(fclose(f) == 0);
        require_printable(text);
        free(text);
    }
    arena_free(&a);
    return 0;
}

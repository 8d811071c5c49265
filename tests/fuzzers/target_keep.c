/* tests/fuzzers/target_keep.c -- fuzz target: the rows of an audit that goes on, audit.state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "fuzz/audit/audit.h"
#include "fuzz/audit/audit_keep.h"
#include "fuzz/audit/audit_plan.h"
#include "reports/audit/audit_changes.h"
#include "reports/audit/audit_report.h"
#include "tests/fuzzers/target_folder.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20,
    TARGET_MAX_BYTES = 1 << 13,
    EDIT_BYTES = 4 /* of an input: u24 where, then the byte that stands there */
};
static const char file_name[] = "audit.state";

/* An audit of two functions that has not begun. The plan is made once, as that takes longer than all else,
 * and copied. */
static struct audit plan(const struct audit_request *r, struct arena *a)
{
    static struct arena own;
    static struct audit planned;
    struct err e = {.text = ""};
    if (!planned.rows) {
        arena_init(&own, TARGET_ARENA_BYTES);
        planned = (struct audit){.target = "sim-ieee",
                                 .facts = "device=x\n",
                                 .started = "",
                                 .mpfr = "",
                                 .tool_version = ""};
        target_require(audit_plan(r, ENV_CL, planned.facts, &own, &planned, &e) == RES_OK);
    }
    struct audit x = planned;
    x.rows = ARENA_NEW(a, struct audit_row, x.n_rows);
    target_require(x.rows != NULL);
    memcpy(x.rows, planned.rows, x.n_rows * sizeof x.rows[0]);
    return x;
}

/* What was read of an audit's state must be safe to be shown, and be the same after it was written and read
 * again. */
static void show_and_keep(const struct audit *x, const struct audit_request *r, const char *path,
                          struct arena *a)
{
    struct audit again = plan(r, a);
    struct err e = {.text = ""};
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    target_require(f != NULL);
    audit_print(x, f);
    audit_print_changes(x, x, f);
    target_require(fclose(f) == 0);
    free(text);
    (void)unlink(path);
    target_require(audit_keep_write(x, r, &e) == RES_OK);
    target_require(audit_keep_read(&again, r, a, &e) == RES_OK);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const struct audit_row *const row = &x->rows[i];
        target_require(row->n_done <= row->n_inputs && row->problem != NULL);
        target_require(again.rows[i].n_done == row->n_done);
        if (row->n_done > 0) {
            target_require(strcmp(again.rows[i].problem, row->problem) == 0);
            target_require(memcmp(again.rows[i].result, row->result,
                                  row->n_forms * sizeof row->result[0]) == 0);
        }
    }
}

struct file {
    unsigned char *p;
    size_t n;
};

/* The state of an audit whose first row is done, made once. */
static struct file make_file(const struct audit_request *r, const char *path, struct arena *a)
{
    static struct file made;
    const unsigned char *p = NULL;
    struct err e = {.text = ""};
    if (!made.p) {
        struct audit x = plan(r, a);
        x.rows[0].n_done = x.rows[0].n_inputs;
        target_require(audit_keep_write(&x, r, &e) == RES_OK);
        target_require(file_read(path, TARGET_ARENA_BYTES / 4, a, &p, &made.n, &e) == RES_OK);
        made.p = malloc(made.n);
        target_require(made.p != NULL);
        memcpy(made.p, p, made.n);
    }
    return made;
}

/* That file with the edits of an input. */
static void put_file(const struct target_folder *f, const struct file *made, const uint8_t *data,
                     size_t n_bytes, struct arena *a)
{
    unsigned char *const p = arena_copy(a, made->p, made->n);
    target_require(p != NULL);
    for (size_t at = 0; at + EDIT_BYTES <= n_bytes; at += EDIT_BYTES) {
        p[load_le(data + at, 3) % made->n] = data[at + 3];
    }
    target_folder_put(f, file_name, p, made->n);
}

/* The bytes are edits of the file that keeps an audit's state. What is still read of it must be safe to be
 * shown and kept. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct target_folder f;
    struct arena a;
    struct err e = {.text = ""};
    if (n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    arena_init(&a, TARGET_ARENA_BYTES);
    target_folder_make(&f);
    struct audit_request const r = {
        .functions = "exp,pow", .types = 1U << FMT_F16 | 1U << FMT_F32, .folder = f.path};
    const char *const path = arena_printf(&a, "%s/%s", f.path, file_name);
    struct file const made = make_file(&r, path, &a);
    (void)unlink(path);
    put_file(&f, &made, data, n_bytes, &a);
    struct audit x = plan(&r, &a);
    if (target_folder_is_ok(&f, audit_keep_read(&x, &r, &a, &e), &e)) {
        show_and_keep(&x, &r, path, &a);
    }
    target_folder_remove(&f);
    arena_free(&a);
    return 0;
}

/* fuzz/fuzzers/target_keep.c -- fuzz target: the rows of an audit that goes on, audit.state. */
#include <stdio.h>
#include <string.h>

#include "fuzz/audit/audit.h"
#include "fuzz/audit/audit_keep.h"
#include "fuzz/audit/audit_plan.h"
#include "fuzz/fuzzers/target_folder.h"
#include "reports/audit/audit_changes.h"
#include "reports/audit/audit_report.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20,
    TARGET_MAX_BYTES = 1 << 13,
    TARGET_MAX_FILE = 1 << 20,
    RUN_MARK = 0xf5
};
static const char file_name[] = "audit.state";

/* An audit of two functions that has not begun; planned once, which takes longer than all else. */
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

/* What was kept can be shown, and kept again as it is. */
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

/* The file of an input: RUN_MARK and a u16 stand for so many zero bytes, as most of a result is, and
 * the hash at the end is made. */
static void put_file(const struct target_folder *f, const uint8_t *data, size_t n_bytes,
                     struct arena *a)
{
    struct bytes file;
    struct reader r = {.p = data, .n = n_bytes, .ok = 1};
    const unsigned char *p = NULL;
    bytes_init(&file, a);
    while ((p = reader_take(&r, 1)) != NULL && file.n < TARGET_MAX_FILE) {
        const unsigned char *const n = *p == RUN_MARK ? reader_take(&r, 2) : NULL;
        size_t const n_zeros = n ? (size_t)load_le(n, 2) : 0;
        bytes_put(&file, n ? arena_take(a, n_zeros + 1) : p, n ? n_zeros : 1);
    }
    bytes_put_u64(&file, hash_bytes(0, file.p, file.n));
    target_require(file.ok);
    target_folder_put(f, file_name, file.p, file.n);
}

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
    put_file(&f, data, n_bytes, &a);
    struct audit_request const r = {
        .functions = "exp,pow", .types = 1U << FMT_F16 | 1U << FMT_F32, .folder = f.path};
    struct audit x = plan(&r, &a);
    if (target_folder_is_ok(&f, audit_keep_read(&x, &r, &a, &e), &e)) {
        show_and_keep(&x, &r, arena_printf(&a, "%s/%s", f.path, file_name), &a);
    }
    target_folder_remove(&f);
    arena_free(&a);
    return 0;
}

/* fuzz/audit/audit_keep.c -- rows of an audit on disk, so that it goes on where it was stopped. */
#include "fuzz/audit/audit_keep.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/audit/audit_plan.h"

/*
 * audit.state, little-endian but for the results, which are as in memory: "HLAK", u32 version, u32
 * size of struct sweep_result, str target, u64 hash of the facts, u32 rows; each row: str name, u64
 * done, u64 skipped, 3 doubles of seconds, str problem, u32 forms, each form: u32 refused, str log,
 * results; at the end u64 hash of all before. Written whole, under another name, and renamed.
 */
enum {
    KEEP_VERSION = 2,
    KEEP_MAX_BYTES = 256 << 20
};
static const char magic[4] = {'H', 'L', 'A', 'K'};

static const char *get_path(const struct audit_request *r, struct arena *a)
{
    return arena_printf(a, "%s/audit.state", r->folder);
}

static uint64_t hash_facts(const struct audit *x)
{
    return hash_bytes(0, x->facts, strlen(x->facts));
}

static void put_row(struct bytes *b, const struct audit_row *row, const struct audit_request *r,
                    struct arena *a)
{
    double const seconds[3] = {row->seconds, row->device_seconds, row->judge_seconds};
    bytes_put_str(b, audit_name_row(row, r, a));
    bytes_put_u64(b, row->n_done);
    bytes_put_u64(b, row->n_skipped);
    bytes_put(b, seconds, sizeof seconds);
    bytes_put_str(b, row->problem);
    bytes_put_u32(b, row->n_forms);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        bytes_put_u32(b, (uint32_t)row->form[i].is_refused);
        bytes_put_str(b, row->form[i].log);
        bytes_put(b, &row->result[i], sizeof row->result[i]);
    }
}

enum res audit_keep_write(const struct audit *x, const struct audit_request *r, struct err *e)
{
    struct arena a;
    struct bytes b;
    uint32_t n_rows = 0;
    if (!r->folder || !r->folder[0]) {
        return RES_OK;
    }
    arena_init(&a, (size_t)4 * KEEP_MAX_BYTES);
    bytes_init(&b, &a);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        n_rows += x->rows[i].n_done > 0;
    }
    bytes_put(&b, magic, sizeof magic);
    bytes_put_u32(&b, KEEP_VERSION);
    bytes_put_u32(&b, (uint32_t)sizeof(struct sweep_result));
    bytes_put_str(&b, x->target);
    bytes_put_u64(&b, hash_facts(x));
    bytes_put_u32(&b, n_rows);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        if (x->rows[i].n_done > 0) {
            put_row(&b, &x->rows[i], r, &a);
        }
    }
    enum res result = err_set(e, RES_NOMEM, "audit.state: no room for %u rows", n_rows);
    if (b.ok) {
        bytes_put_u64(&b, hash_bytes(0, b.p, b.n));
        result = b.ok ? file_write(get_path(r, &a), b.p, b.n, e) : result;
    }
    arena_free(&a);
    return result;
}

/* A row as it lies in the file. */
struct kept {
    const char *name, *problem;
    uint64_t n_done, n_skipped;
    double seconds[3];
    uint32_t n_forms;
    uint32_t is_refused[SWEEP_MAX_FORMS];
    const char *log[SWEEP_MAX_FORMS];
    const unsigned char *result[SWEEP_MAX_FORMS];
};

static int read_row(struct reader *f, struct arena *a, struct kept *k)
{
    memset(k, 0, sizeof *k);
    k->name = reader_str(f, a);
    k->n_done = reader_u64(f);
    k->n_skipped = reader_u64(f);
    const unsigned char *const seconds = reader_take(f, sizeof k->seconds);
    if (seconds) {
        memcpy(k->seconds, seconds, sizeof k->seconds);
    }
    k->problem = reader_str(f, a);
    k->n_forms = reader_u32(f);
    if (k->n_forms > SWEEP_MAX_FORMS) {
        return 0;
    }
    for (uint32_t i = 0; i < k->n_forms; i++) {
        k->is_refused[i] = reader_u32(f);
        k->log[i] = reader_str(f, a);
        k->result[i] = reader_take(f, sizeof(struct sweep_result));
    }
    return f->ok;
}

static void take_row(struct audit_row *row, const struct kept *k)
{
    row->n_done = k->n_done;
    row->n_skipped = k->n_skipped;
    row->seconds = k->seconds[0];
    row->device_seconds = k->seconds[1];
    row->judge_seconds = k->seconds[2];
    row->problem = k->problem;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        row->form[i].is_refused = (int)k->is_refused[i];
        row->form[i].log = k->log[i];
        memcpy(&row->result[i], k->result[i], sizeof row->result[i]);
    }
}

static enum res take_rows(struct audit *x, const struct audit_request *r, struct reader *f,
                          struct arena *a, struct err *e)
{
    struct kept k;
    uint32_t const n_rows = reader_u32(f);
    for (uint32_t i = 0; i < n_rows && f->ok; i++) {
        if (!read_row(f, a, &k)) {
            return err_set(e, RES_FORMAT, "%s/audit.state: row %u is cut", r->folder, i);
        }
        for (uint32_t at = 0; at < x->n_rows; at++) {
            struct audit_row *const row = &x->rows[at];
            if (row->n_forms == k.n_forms && k.n_done <= row->n_inputs &&
                strcmp(audit_name_row(row, r, a), k.name) == 0) {
                take_row(row, &k);
            }
        }
    }
    return f->ok ? RES_OK : err_set(e, RES_FORMAT, "%s/audit.state: cut", r->folder);
}

enum res audit_keep_read(struct audit *x, const struct audit_request *r, struct arena *a,
                         struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    const char *const path = r->folder && r->folder[0] ? get_path(r, a) : "";
    if (!path[0] || access(path, F_OK) != 0) {
        return RES_OK;
    }
    enum res const read = file_read(path, KEEP_MAX_BYTES, a, &p, &n, e);
    if (read != RES_OK) {
        return read;
    }
    if (n < 8 || load_le(p + n - 8, 8) != hash_bytes(0, p, n - 8)) {
        return err_set(e, RES_FORMAT, "%s: not an audit's state, or damaged", path);
    }
    struct reader f = {.p = p, .n = n - 8, .ok = 1};
    const unsigned char *const head = reader_take(&f, sizeof magic);
    uint32_t const version = reader_u32(&f), size = reader_u32(&f);
    if (!head || memcmp(head, magic, sizeof magic) != 0 || version != KEEP_VERSION ||
        size != sizeof(struct sweep_result)) {
        return err_set(e, RES_FORMAT, "%s: of another version; choose another folder", path);
    }
    const char *const target = reader_str(&f, a);
    uint64_t const facts = reader_u64(&f);
    if (strcmp(target, x->target) != 0 || facts != hash_facts(x)) {
        return err_set(e, RES_USAGE, "%s: of target %.60s%s; choose another folder", path, target,
                       strcmp(target, x->target) == 0 ? " with another driver" : "");
    }
    return take_rows(x, r, &f, a, e);
}

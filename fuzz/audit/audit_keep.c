/* fuzz/audit/audit_keep.c -- rows of an audit on disk, so that it goes on where it was stopped. */
#include "fuzz/audit/audit_keep.h"

#include <string.h>
#include <unistd.h>

#include "fuzz/audit/audit_plan.h"
#include "fuzz/io/db.h"

/*
 * audit.state is a database of SQLite. The results of a form are as in memory, which one machine alone
 * reads again; the hash of a row is of all that is kept of it and of its forms.
 */
enum {
    KEEP_VERSION = 3,
    KEEP_ARENA_BYTES = 64 << 20
};
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS audit(id INTEGER PRIMARY KEY, version INTEGER NOT NULL,"
    " result_bytes INTEGER NOT NULL, target TEXT NOT NULL, facts_hash INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS rows(name TEXT PRIMARY KEY, done INTEGER NOT NULL,"
    " skipped INTEGER NOT NULL, seconds REAL NOT NULL, device_seconds REAL NOT NULL,"
    " judge_seconds REAL NOT NULL, problem TEXT NOT NULL, hash INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS forms(name TEXT NOT NULL, form INTEGER NOT NULL,"
    " refused INTEGER NOT NULL, log TEXT NOT NULL, result BLOB NOT NULL, PRIMARY KEY(name, form));"
    "BEGIN";

static const char *get_path(const struct audit_request *r, struct arena *a)
{
    return arena_printf(a, "%s/audit.state", r->folder);
}

static bool has_folder(const struct audit_request *r)
{
    return r->folder && r->folder[0];
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t hash_row(const struct audit_row *row, const char *name)
{
    double const seconds[] = {row->seconds, row->device_seconds, row->judge_seconds};
    uint64_t const counts[] = {row->n_done, row->n_skipped};
    uint64_t hash = hash_text(hash_text(0, name), row->problem);
    hash = hash_bytes(hash, counts, sizeof counts);
    hash = hash_bytes(hash, seconds, sizeof seconds);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        hash = hash_bytes(hash, &row->form[i].is_refused, sizeof row->form[i].is_refused);
        hash = hash_text(hash, row->form[i].log);
        hash = hash_bytes(hash, &row->result[i], sizeof row->result[i]);
    }
    return hash;
}

/* ---- out ---- */

static enum res put_row(struct db *d, const struct audit_row *row, const char *name, struct err *e)
{
    enum res r = db_do(d, e, "INSERT OR REPLACE INTO rows VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                       "tuudddtu", name, row->n_done, row->n_skipped, row->seconds,
                       row->device_seconds, row->judge_seconds, row->problem, hash_row(row, name));
    for (uint32_t i = 0; i < row->n_forms && r == RES_OK; i++) {
        r = db_do(d, e, "INSERT OR REPLACE INTO forms VALUES(?, ?, ?, ?, ?)", "tiitb", name,
                  (int64_t)i, (int64_t)row->form[i].is_refused, row->form[i].log, &row->result[i],
                  sizeof row->result[i]);
    }
    return r;
}

/* Is the row kept as it is? Whatever changes of it, more of its inputs are done. */
static bool is_kept(struct db *d, const struct audit_row *row, const char *name)
{
    struct stmt *const s = db_start(d, "SELECT done FROM rows WHERE name = ?", "t", name);
    bool const is_same = stmt_step(s) == 1 && (uint64_t)stmt_int(s, 0) == row->n_done;
    stmt_reset(s);
    return is_same;
}

static enum res put_rows(struct db *d, const struct audit *x, const struct audit_request *request,
                         struct arena *a, struct err *e)
{
    TRY(db_exec(d, schema, e)); /* its end begins a transaction */
    TRY(db_do(d, e, "INSERT OR REPLACE INTO audit VALUES(1, ?, ?, ?, ?)", "iitu",
              (int64_t)KEEP_VERSION, (int64_t)sizeof(struct sweep_result), x->target,
              hash_text(0, x->facts)));
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const char *const name = audit_name_row(&x->rows[i], request, a);
        if (x->rows[i].n_done > 0 && !is_kept(d, &x->rows[i], name)) {
            TRY(put_row(d, &x->rows[i], name, e));
        }
    }
    return db_exec(d, "COMMIT", e);
}

enum res audit_keep_write(const struct audit *x, const struct audit_request *r, struct err *e)
{
    struct arena a;
    struct db *d = NULL;
    if (!has_folder(r)) {
        return RES_OK;
    }
    arena_init(&a, KEEP_ARENA_BYTES);
    enum res result = db_open(&d, get_path(r, &a), DB_CREATE, e);
    if (result == RES_OK) {
        result = put_rows(d, x, r, &a, e);
        db_close(d);
    }
    arena_free(&a);
    return result;
}

/* ---- in ---- */

/* The forms of a row; where one is missing the hash of the row is another. */
static enum res take_forms(struct db *d, struct audit_row *row, const char *name, struct arena *a,
                           struct err *e)
{
    struct stmt *const s = db_start(
        d, "SELECT refused, log, result FROM forms WHERE name = ? ORDER BY form", "t", name);
    int got = stmt_step(s);
    for (uint32_t i = 0; got == 1 && i < row->n_forms; i++) {
        size_t n = 0;
        row->form[i].is_refused = (int)stmt_int(s, 0);
        row->form[i].log = stmt_text(s, 1, a);
        const void *const result = stmt_blob(s, 2, &n);
        if (n == sizeof row->result[i]) {
            memcpy(&row->result[i], result, n);
        }
        got = stmt_step(s);
    }
    stmt_reset(s);
    return got < 0 ? db_fail(d, e) : RES_OK;
}

/* What an earlier start has kept of a row of the plan, its counts and the result of each form. A row that was
 * not kept stays as it is. RES_FORMAT: the row is not what its hash says. The numbers below are those of the
 * SELECT's columns. */
static enum res take_row(struct db *d, struct audit_row *row, const char *name, struct arena *a,
                         struct err *e)
{
    struct stmt *const s =
        db_start(d,
                 "SELECT done, skipped, seconds, device_seconds, judge_seconds, problem, hash"
                 " FROM rows WHERE name = ?",
                 "t", name);
    int const got = stmt_step(s); /* 1: a row, 0: none, -1: an error */
    if (got != 1) {
        return got < 0 ? db_fail(d, e) : RES_OK;
    }
    row->n_done = (uint64_t)stmt_int(s, 0);
    row->n_skipped = (uint64_t)stmt_int(s, 1);
    row->seconds = stmt_real(s, 2);
    row->device_seconds = stmt_real(s, 3);
    row->judge_seconds = stmt_real(s, 4);
    row->problem = stmt_text(s, 5, a);
    uint64_t const hash = (uint64_t)stmt_int(s, 6);
    stmt_reset(s);
    enum res const r = take_forms(d, row, name, a, e);
    if (r == RES_OK && (hash != hash_row(row, name) || row->n_done > row->n_inputs)) {
        return err_set(e, RES_FORMAT, "row \"%.100s\" is damaged", name);
    }
    return r;
}

/* May the audit go on from the state in this file? It must be of this version of the program, of the same
 * target, and of the same driver, whose facts are compared by their hash. */
static enum res check_state(struct db *d, const struct audit *x, const char *path, struct arena *a,
                            struct err *e)
{
    struct stmt *const s =
        db_start(d, "SELECT version, result_bytes, target, facts_hash FROM audit WHERE id = 1", "");
    if (stmt_step(s) != 1) {
        return err_set(e, RES_FORMAT, "%s: not an audit's state; choose another folder", path);
    }
    bool const is_current =
        stmt_int(s, 0) == KEEP_VERSION && stmt_int(s, 1) == (int64_t)sizeof(struct sweep_result);
    const char *const target = stmt_text(s, 2, a);
    bool const is_driver = (uint64_t)stmt_int(s, 3) == hash_text(0, x->facts);
    bool const is_target = strcmp(target, x->target) == 0;
    stmt_reset(s);
    if (!is_current) {
        return err_set(e, RES_FORMAT, "%s: of another version; choose another folder", path);
    }
    if (!is_target || !is_driver) {
        return err_set(e, RES_USAGE, "%s: of target %.60s%s; choose another folder", path, target,
                       is_target ? " with another driver" : "");
    }
    return RES_OK;
}

/* Fill the rows of an audit with what an earlier start has kept in the request's folder, so that it goes on
 * from there. Without a folder, or without such a file in it, the rows stay as they are. */
enum res audit_keep_read(struct audit *x, const struct audit_request *r, struct arena *a,
                         struct err *e)
{
    struct db *d = NULL;
    struct err why = {.text = ""};
    const char *const path = has_folder(r) ? get_path(r, a) : "";
    if (!path[0] || access(path, F_OK) != 0) {
        return RES_OK;
    }
    enum res result = db_open(&d, path, DB_READ, &why);
    if (result != RES_OK) {
        return err_set(e, result, "%.200s: not an audit's state of this version: %.200s", path,
                       why.text);
    }
    result = check_state(d, x, path, a, e);
    for (uint32_t i = 0; i < x->n_rows && result == RES_OK; i++) {
        result = take_row(d, &x->rows[i], audit_name_row(&x->rows[i], r, a), a, &why);
        if (result != RES_OK) {
            (void)err_set(e, result, "%.200s: %.250s", path, why.text);
        }
    }
    db_close(d);
    return result;
}

/* fuzz/db.c -- a small door to SQLite; the only file that includes its header. */
#include "fuzz/db.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>

enum {
    DB_MAX_STATEMENTS = 96,
    DB_BUSY_MS = 10000,
    DB_MAX_PATH = 1024
};

struct stmt {
    const char *sql; /* a literal: its address is the key */
    sqlite3_stmt *handle;
};

struct db {
    sqlite3 *handle;
    int n_statements;
    struct stmt statements[DB_MAX_STATEMENTS];
    char path[DB_MAX_PATH];
};

enum res db_fail(struct db *d, struct err *e)
{
    int const code = sqlite3_errcode(d->handle) & 0xff;
    int const is_format = code == SQLITE_NOTADB || code == SQLITE_CORRUPT ||
                          code == SQLITE_SCHEMA || code == SQLITE_ERROR || code == SQLITE_MISMATCH;
    return err_set(e, is_format ? RES_FORMAT : RES_IO, "%s: %s", d->path,
                   sqlite3_errmsg(d->handle));
}

enum res db_exec(struct db *d, const char *sql, struct err *e)
{
    if (sqlite3_exec(d->handle, sql, NULL, NULL, NULL) != SQLITE_OK) {
        return db_fail(d, e);
    }
    return RES_OK;
}

enum res db_open(struct db **out, const char *path, enum db_mode mode, struct err *e)
{
    *out = NULL;
    if (strlen(path) >= DB_MAX_PATH) {
        return err_set(e, RES_LIMIT, "%s: path longer than %d bytes", path, DB_MAX_PATH - 1);
    }
    struct db *d = sqlite3_malloc64(sizeof(*d));
    if (!d) {
        return err_set(e, RES_NOMEM, "%s: no memory for a database", path);
    }
    memset(d, 0, sizeof(*d));
    memcpy(d->path, path, strlen(path) + 1);
    int const flags = mode == DB_CREATE  ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                      : mode == DB_WRITE ? SQLITE_OPEN_READWRITE
                                         : SQLITE_OPEN_READONLY;
    enum res r = RES_OK;
    if (sqlite3_open_v2(path, &d->handle, flags, NULL) != SQLITE_OK) {
        r = err_set(e, RES_IO, "%s: %s", path,
                    d->handle ? sqlite3_errmsg(d->handle) : "cannot be opened");
    } else {
        (void)sqlite3_busy_timeout(d->handle, DB_BUSY_MS);
        (void)sqlite3_extended_result_codes(d->handle, 1);
        r = db_exec(d, "PRAGMA cache_size = -8000; SELECT count(*) FROM sqlite_master", e);
    }
    if (r == RES_OK && mode != DB_READ) {
        r = db_exec(d, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;", e);
    }
    if (r != RES_OK) {
        db_close(d);
        return r;
    }
    *out = d;
    return RES_OK;
}

void db_close(struct db *d)
{
    if (!d) {
        return;
    }
    for (int i = 0; i < d->n_statements; i++) {
        (void)sqlite3_finalize(d->statements[i].handle);
    }
    (void)sqlite3_close(d->handle);
    sqlite3_free(d);
}

static struct stmt *find_statement(struct db *d, const char *sql)
{
    for (int i = 0; i < d->n_statements; i++) {
        if (d->statements[i].sql == sql) {
            (void)sqlite3_reset(d->statements[i].handle);
            return &d->statements[i];
        }
    }
    if (d->n_statements == DB_MAX_STATEMENTS) {
        return NULL;
    }
    struct stmt *s = &d->statements[d->n_statements];
    if (sqlite3_prepare_v2(d->handle, sql, -1, &s->handle, NULL) != SQLITE_OK) {
        return NULL;
    }
    s->sql = sql;
    d->n_statements++;
    return s;
}

static int bind_all(struct stmt *s, const char *types, va_list *args)
{
    int code = SQLITE_OK;
    for (int i = 1; types[i - 1] && code == SQLITE_OK; i++) {
        if (types[i - 1] == 'i') {
            code = sqlite3_bind_int64(s->handle, i, va_arg(*args, int64_t));
        } else if (types[i - 1] == 'u') {
            code = sqlite3_bind_int64(s->handle, i, (int64_t)va_arg(*args, uint64_t));
        } else if (types[i - 1] == 'd') {
            code = sqlite3_bind_double(s->handle, i, va_arg(*args, double));
        } else if (types[i - 1] == 't') {
            code =
                sqlite3_bind_text(s->handle, i, va_arg(*args, const char *), -1, SQLITE_TRANSIENT);
        } else {
            const void *p = va_arg(*args, const void *);
            size_t const n = va_arg(*args, size_t);
            code = sqlite3_bind_blob64(s->handle, i, p ? p : "", n, SQLITE_TRANSIENT);
        }
    }
    return code == SQLITE_OK;
}

struct stmt *db_start(struct db *d, const char *sql, const char *types, ...)
{
    struct stmt *s = find_statement(d, sql);
    if (!s) {
        return NULL;
    }
    va_list args;
    va_start(args, types);
    int const ok = bind_all(s, types, &args);
    va_end(args);
    return ok ? s : NULL;
}

enum res db_do(struct db *d, struct err *e, const char *sql, const char *types, ...)
{
    struct stmt *s = find_statement(d, sql);
    if (!s) {
        return db_fail(d, e);
    }
    va_list args;
    va_start(args, types);
    int const ok = bind_all(s, types, &args);
    va_end(args);
    int step = -1;
    if (ok) {
        do {
            step = stmt_step(s);
        } while (step > 0);
    }
    return step < 0 ? db_fail(d, e) : RES_OK;
}

int stmt_step(struct stmt *s)
{
    if (!s) {
        return -1;
    }
    int const code = sqlite3_step(s->handle);
    if (code == SQLITE_ROW) {
        return 1;
    }
    (void)sqlite3_reset(s->handle);
    return code == SQLITE_DONE ? 0 : -1;
}

void stmt_reset(struct stmt *s)
{
    (void)sqlite3_reset(s->handle);
}

int64_t stmt_int(struct stmt *s, int column)
{
    return sqlite3_column_int64(s->handle, column);
}

double stmt_real(struct stmt *s, int column)
{
    return sqlite3_column_double(s->handle, column);
}

const char *stmt_text(struct stmt *s, int column, struct arena *a)
{
    const char *text = (const char *)sqlite3_column_text(s->handle, column);
    size_t const n = text ? (size_t)sqlite3_column_bytes(s->handle, column) : 0;
    char *copy = arena_copy(a, text ? text : "", n);
    return copy ? copy : "";
}

const void *stmt_blob(struct stmt *s, int column, size_t *n)
{
    const void *p = sqlite3_column_blob(s->handle, column);
    *n = (size_t)sqlite3_column_bytes(s->handle, column);
    return p;
}

int64_t db_last_id(struct db *d)
{
    return sqlite3_last_insert_rowid(d->handle);
}

int64_t db_n_changes(struct db *d)
{
    return sqlite3_changes(d->handle);
}

enum res db_check_tables(struct db *d, struct err *e)
{
    struct stmt *s = db_start(d,
                              "SELECT type || ' ' || coalesce(name, '') FROM sqlite_master WHERE"
                              " type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'",
                              "");
    int const step = stmt_step(s);
    if (step <= 0) {
        return step < 0 ? db_fail(d, e) : RES_OK;
    }
    enum res const r = err_set(e, RES_FORMAT, "%s: holds the %.60s, which is none of ours", d->path,
                               (const char *)sqlite3_column_text(s->handle, 0));
    stmt_reset(s);
    return r;
}

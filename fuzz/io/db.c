/* fuzz/io/db.c -- a small door to SQLite; the only file that includes its header. */
#include "fuzz/io/db.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    DB_MAX_STATEMENTS = 96,
    DB_BUSY_MS = 10000,
    DB_MAX_PATH = 1024,
    DB_PROGRESS_STEPS = 20000, /* of SQLite's machine, between two looks at the clock */
    DB_BYTES_PER_SECOND = 8 << 20
};
#define SECOND_NS   UINT64_C(1000000000)
#define DB_LEAST_NS (2 * SECOND_NS)

struct stmt {
    const char *sql; /* a literal: its address is the key */
    sqlite3_stmt *handle;
    struct db *db;
};

struct db {
    sqlite3 *handle;
    uint64_t end_ns; /* of this process's CPU time; 0: none */
    int is_full;     /* a text did not fit into its arena */
    int n_statements;
    struct stmt statements[DB_MAX_STATEMENTS];
    char path[DB_MAX_PATH];
};

/* The error of the last call to SQLite, with the file's name. RES_FORMAT: the file is not what it should be,
 * so that a careful reader of foreign files tells it from RES_IO; that is also so where it exhausts the
 * limits of memory, time or length that distrust sets. */
enum res db_fail(struct db *d, struct err *e)
{
    int const code = sqlite3_errcode(d->handle) & 0xff;
    bool const is_format = code == SQLITE_NOTADB || code == SQLITE_CORRUPT ||
                           code == SQLITE_SCHEMA || code == SQLITE_ERROR || code == SQLITE_MISMATCH;
    if (d->is_full) {
        return err_set(e, RES_FORMAT, "%s: holds more text than there is memory for", d->path);
    }
    if (code == SQLITE_INTERRUPT) {
        return err_set(e, RES_FORMAT, "%s: takes far longer to read than its size explains",
                       d->path);
    }
    if (code == SQLITE_NOMEM || code == SQLITE_TOOBIG) {
        return err_set(e, RES_FORMAT,
                       "%s: takes more than %d MiB to read, or holds a value of"
                       " more than %d MiB",
                       d->path, DB_HEAP_BYTES >> 20, DB_MAX_VALUE_BYTES >> 20);
    }
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

/* ---- files from elsewhere ---- */

static uint64_t cpu_ns(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

static int is_late(void *p)
{
    const struct db *d = p;
    return d->end_ns != 0 && cpu_ns() > d->end_ns;
}

void db_limit_time(struct db *d, int is_limited)
{
    struct stat s;
    uint64_t const n = stat(d->path, &s) == 0 && s.st_size > 0 ? (uint64_t)s.st_size : 0;
    d->end_ns = is_limited ? cpu_ns() + DB_LEAST_NS + n / DB_BYTES_PER_SECOND * SECOND_NS : 0;
}

/* SQLite follows links, waits for pipes, and of a rollback journal does what it says, which may be to remove
 * another file; none of ours leaves one. */
static enum res check_files(const char *path, struct err *e)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < ARRAY_N(suffixes); i++) {
        char name[DB_MAX_PATH + 16];
        struct stat s;
        (void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        if (lstat(name, &s) == 0 && (!S_ISREG(s.st_mode) || strcmp(suffixes[i], "-journal") == 0)) {
            return err_set(e, RES_FORMAT, "%s: not a file that this program makes; move it away",
                           name);
        }
    }
    return RES_OK;
}

/* Set SQLite's limits and defences such that a file made by an enemy does no harm: no triggers, views or extensions,
 * short programs, bounded lengths, and a limit of time. It comes before the schema is read. The numbers are above
 * what our own statements and tables need. False: this SQLite lacks a defence. */
static bool distrust(struct db *d)
{
    static const struct {
        int which, value;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH,              DB_MAX_VALUE_BYTES},
        {SQLITE_LIMIT_SQL_LENGTH,          1 << 20           },
        {SQLITE_LIMIT_COLUMN,              64                },
        {SQLITE_LIMIT_EXPR_DEPTH,          100               },
        {SQLITE_LIMIT_COMPOUND_SELECT,     4                 },
        {SQLITE_LIMIT_VDBE_OP,             100000            },
        {SQLITE_LIMIT_FUNCTION_ARG,        8                 },
        {SQLITE_LIMIT_ATTACHED,            0                 },
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100               },
        {SQLITE_LIMIT_TRIGGER_DEPTH,       1                 },
        {SQLITE_LIMIT_WORKER_THREADS,      0                 },
    };
    /* These two: on (1) or off (0). */
    static const struct {
        int which, value;
    } settings[] = {
        {SQLITE_DBCONFIG_DEFENSIVE,             1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA,        0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER,        0},
        {SQLITE_DBCONFIG_ENABLE_VIEW,           0},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    };
    bool ok = true;
    for (size_t i = 0; i < ARRAY_N(limits); i++) {
        (void)sqlite3_limit(d->handle, limits[i].which, limits[i].value);
    }
    for (size_t i = 0; i < ARRAY_N(settings); i++) {
        ok &= sqlite3_db_config(d->handle, settings[i].which, settings[i].value, NULL) == SQLITE_OK;
    }
    sqlite3_progress_handler(d->handle, DB_PROGRESS_STEPS, is_late, d);
    return ok;
}

/* SQLite reads a file in WAL mode by two others beside it, which it makes where they are not. In a folder that cannot
 * be written it can be told that nobody writes the file, which is so where the two are not there. */
static const char *name_still_file(const char *path, char out[4 * DB_MAX_PATH])
{
    static const char head[] = "file:", tail[] = "?immutable=1";
    size_t n = sizeof head - 1;
    memcpy(out, head, n);
    for (const char *p = path; *p; p++) {
        bool const is_plain = *p != '%' && *p != '?' && *p != '#';
        n += (size_t)snprintf(out + n, 4, is_plain ? "%c" : "%%%02X", (unsigned char)*p);
    }
    memcpy(out + n, tail, sizeof tail);
    return out;
}

static bool has_log(const char *path)
{
    char name[DB_MAX_PATH + 16];
    struct stat s;
    (void)snprintf(name, sizeof name, "%s-wal", path);
    return stat(name, &s) == 0 && s.st_size > 0;
}

/* In a folder that cannot be written, and whole without its log. */
static bool is_still(const char *path)
{
    char name[DB_MAX_PATH + 16];
    (void)snprintf(name, sizeof name, "%s", path);
    char *const slash = strrchr(name, '/');
    if (!slash) {
        return false;
    }
    *slash = '\0';
    return access(name, W_OK) != 0 && !has_log(path);
}

/* Open the file with all guards, and read its schema, which shows a file that is no database. Time is limited for
 * that alone: see db_limit_time. What was opened before an error is for db_close. DB_STILL: the caller knows that
 * nobody writes the file. DB_READ: is_still finds that out. */
static enum res open_handle(struct db *d, enum db_mode mode, struct err *e)
{
    static const int flags[] = {[DB_READ] = SQLITE_OPEN_READONLY,
                                [DB_STILL] = SQLITE_OPEN_READONLY,
                                [DB_WRITE] = SQLITE_OPEN_READWRITE,
                                [DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE};
    TRY(check_files(d->path, e));
    (void)sqlite3_hard_heap_limit64(DB_HEAP_BYTES);
    char still[4 * DB_MAX_PATH]; /* room for name_still_file, which may write 3 bytes for one */
    bool const by_uri =
        (mode == DB_READ && is_still(d->path)) || (mode == DB_STILL && !has_log(d->path));
    const char *const name = by_uri ? name_still_file(d->path, still) : d->path;
    if (sqlite3_open_v2(name, &d->handle, flags[mode] | (by_uri ? SQLITE_OPEN_URI : 0), NULL) !=
            SQLITE_OK ||
        !distrust(d)) {
        return err_set(e, RES_IO, "%s: %s", d->path,
                       d->handle ? sqlite3_errmsg(d->handle) : "cannot be opened");
    }
    (void)sqlite3_busy_timeout(d->handle, DB_BUSY_MS);
    (void)sqlite3_extended_result_codes(d->handle, 1);
    db_limit_time(d, true);
    enum res r =
        db_exec(d,
                "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA cache_size = -8000;"
                " SELECT count(*) FROM sqlite_master",
                e);
    if (r == RES_OK && mode != DB_READ && mode != DB_STILL) { /* setting these writes */
        r = db_exec(d, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;", e);
    }
    db_limit_time(d, false);
    return r;
}

/* Open a database to read, to write, or to make it, with all guards against foreign files. db_fail may be
 * asked of what was opened only. */
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
    enum res const r = open_handle(d, mode, e);
    if (r != RES_OK) {
        db_close(d);
        return r;
    }
    *out = d;
    return RES_OK;
}

bool db_is_read_only(struct db *d)
{
    return sqlite3_db_readonly(d->handle, "main") == 1;
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

static enum res copy_pages(struct db *d, const char *path, struct err *e)
{
    sqlite3 *to = NULL;
    enum res r = RES_OK;
    sqlite3_backup *b = NULL;
    if (sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK ||
        !(b = sqlite3_backup_init(to, "main", d->handle, "main")) ||
        sqlite3_backup_step(b, -1) != SQLITE_DONE) {
        r = err_set(e, RES_IO, "%s: cannot be copied to %s: %s", d->path, path,
                    to ? sqlite3_errmsg(to) : "no memory");
    }
    (void)sqlite3_backup_finish(b);
    bool const is_written = sqlite3_close(to) == SQLITE_OK;
    return r != RES_OK || is_written ? r : err_set(e, RES_IO, "%s: cannot be written", path);
}

enum res db_copy(struct db *d, const char *path, struct err *e)
{
    char fresh[DB_MAX_PATH + 16];
    int const n = snprintf(fresh, sizeof fresh, "%s.new", path);
    if (n < 0 || n >= DB_MAX_PATH) {
        return err_set(e, RES_LIMIT, "%s: path longer than %d bytes", path, DB_MAX_PATH - 1);
    }
    (void)unlink(fresh);
    enum res const r = copy_pages(d, fresh, e);
    if (r == RES_OK && rename(fresh, path) != 0) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    if (r != RES_OK) {
        (void)unlink(fresh);
    }
    return r;
}

/* The prepared statement of that SQL text, prepared at its first use and ready to be bound; NULL: SQLite
 * refuses it, or there are too many. Texts are told apart by their address, so they must be literals. */
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
    s->db = d;
    d->n_statements++;
    return s;
}

/* Bind the parameters of a statement, one for each letter of `types`, as db.h lists them: i, u integers, d a
 * double, t a text, b bytes and their number. keeping: SQLITE_STATIC where the statement ends before the caller goes
 * on, else SQLITE_TRANSIENT, a copy. False: SQLite refuses one. */
static bool bind_all(struct stmt *s, const char *types, va_list *args,
                     sqlite3_destructor_type keeping)
{
    int code = SQLITE_OK;
    for (int i = 0; types[i] && code == SQLITE_OK; i++) {
        int const number = i + 1; /* SQLite counts from 1 */
        switch (types[i]) {
        case 'i':
            code = sqlite3_bind_int64(s->handle, number, va_arg(*args, int64_t));
            break;
        case 'u':
            code = sqlite3_bind_int64(s->handle, number, (int64_t)va_arg(*args, uint64_t));
            break;
        case 'd':
            code = sqlite3_bind_double(s->handle, number, va_arg(*args, double));
            break;
        case 't':
            code = sqlite3_bind_text(s->handle, number, va_arg(*args, const char *), -1, keeping);
            break;
        default: { /* b: NULL stands for no bytes */
            const void *p = va_arg(*args, const void *);
            size_t const n = va_arg(*args, size_t);
            code = sqlite3_bind_blob64(s->handle, number, p ? p : "", n, keeping);
            break;
        }
        }
    }
    return code == SQLITE_OK;
}

static struct stmt *start(struct db *d, const char *sql, const char *types, va_list *args,
                          sqlite3_destructor_type keeping)
{
    struct stmt *s = find_statement(d, sql);
    return s && bind_all(s, types, args, keeping) ? s : NULL;
}

struct stmt *db_start(struct db *d, const char *sql, const char *types, ...)
{
    va_list args;
    va_start(args, types);
    struct stmt *s = start(d, sql, types, &args, SQLITE_TRANSIENT);
    va_end(args);
    return s;
}

enum res db_do(struct db *d, struct err *e, const char *sql, const char *types, ...)
{
    va_list args;
    va_start(args, types);
    struct stmt *s = start(d, sql, types, &args, SQLITE_STATIC);
    va_end(args);
    int step = 0;
    do {
        step = stmt_step(s);
    } while (step > 0);
    return step < 0 ? db_fail(d, e) : RES_OK;
}

enum res db_ask(struct db *d, struct err *e, int64_t none, int64_t *out, const char *sql,
                const char *types, ...)
{
    va_list args;
    va_start(args, types);
    struct stmt *s = start(d, sql, types, &args, SQLITE_STATIC);
    va_end(args);
    int const step = stmt_step(s);
    *out = step > 0 ? stmt_int(s, 0) : none;
    return db_end_rows(d, s, step, e);
}

int stmt_step(struct stmt *s)
{
    if (!s || s->db->is_full) {
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
    if (s) {
        (void)sqlite3_reset(s->handle);
    }
}

enum res db_end_rows(struct db *d, struct stmt *s, int step, struct err *e)
{
    if (step < 0) {
        return db_fail(d, e);
    }
    stmt_reset(s);
    return RES_OK;
}

int stmt_put_row(struct stmt *from, struct stmt *to)
{
    if (!to) {
        return -1;
    }
    int const n = sqlite3_column_count(from->handle);
    for (int i = 0; i < n; i++) {
        if (sqlite3_bind_value(to->handle, i + 1, sqlite3_column_value(from->handle, i)) !=
            SQLITE_OK) {
            return -1;
        }
    }
    int step = 0;
    do {
        step = stmt_step(to);
    } while (step > 0);
    return step;
}

enum res db_each(struct db *d, struct stmt *rows, db_take *take, void *to, struct err *e)
{
    int step = 0;
    while ((step = stmt_step(rows)) > 0) {
        enum res const r = take(to, rows, e);
        if (r != RES_OK) {
            stmt_reset(rows);
            return r;
        }
    }
    return db_end_rows(d, rows, step, e);
}

/* Where a copied row goes. */
struct copying {
    struct db *to;
    struct stmt *put;
};

static enum res copy_row(void *to, struct stmt *row, struct err *e)
{
    const struct copying *const c = to;
    return stmt_put_row(row, c->put) < 0 ? db_fail(c->to, e) : RES_OK;
}

enum res db_copy_rows(struct db *from, struct stmt *rows, struct db *to, const char *insert,
                      struct err *e)
{
    struct copying c = {to, db_start(to, insert, "")};
    return db_each(from, rows, copy_row, &c, e);
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
    s->db->is_full |= !copy;
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

enum res db_find_text(struct db *d, const char *sql, struct arena *a, const char **out,
                      struct err *e)
{
    struct stmt s = {.sql = sql, .db = d};
    *out = NULL;
    if (sqlite3_prepare_v2(d->handle, sql, -1, &s.handle, NULL) != SQLITE_OK) {
        return db_fail(d, e);
    }
    int const step = stmt_step(&s);
    enum res r = step < 0 ? db_fail(d, e) : RES_OK;
    if (step > 0 && sqlite3_column_type(s.handle, 0) != SQLITE_NULL) {
        *out = stmt_text(&s, 0, a);
        r = d->is_full ? db_fail(d, e) : RES_OK;
    }
    (void)sqlite3_finalize(s.handle);
    return r;
}

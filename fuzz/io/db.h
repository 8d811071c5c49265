/* fuzz/io/db.h -- a small door to SQLite: cached statements, bound parameters, one error text. */
#pragma once

#include "base/base.h"

struct db;   /* an open database file */
struct stmt; /* a prepared statement, owned by its database */

/*
 * Open path, creating it when asked to, WAL, synchronous NORMAL, foreign keys off. What the file says is
 * taken for hostile: no trigger or view of it runs, no value is longer than DB_MAX_VALUE_BYTES, all of
 * SQLite takes at most DB_HEAP_BYTES in this process, whatever it is asked.
 * DB_READ reads also where nothing can be written beside the file, as in another user's folder. DB_STILL is for a
 * file that nobody writes meanwhile: nothing is made beside it, so that many processes of many machines may read it.
 * RES_FORMAT: the file is not a database, is damaged, is no regular file, or beside it lies what no
 * journal of ours has; RES_IO: the system refused.
 */
enum db_mode {
    DB_READ,
    DB_STILL,
    DB_WRITE,
    DB_CREATE
};
#define DB_MEMORY          ":memory:" /* a database that is nowhere */
#define DB_MAX_VALUE_BYTES (32 << 20)
#define DB_HEAP_BYTES      (96 << 20)
MUST_USE enum res db_open(struct db **out, const char *path, enum db_mode mode, struct err *e);
void db_close(struct db *d);
bool db_is_read_only(struct db *d); /* no change of the file is possible */
/* All of it into a new file `path`, which appears when it is whole. */
MUST_USE enum res db_copy(struct db *d, const char *path, struct err *e);
/* Several statements without parameters or rows. */
MUST_USE enum res db_exec(struct db *d, const char *sql, struct err *e);

/*
 * Bind and prepare; `sql` must be a literal (statements are cached by its address).
 *   types  one letter per parameter: i int64_t, u uint64_t, t const char * (NULL: null),
 *          b const void *, size_t; d double
 * db_start gives a statement to step, NULL on error (then db_fail); db_do steps it to its end; db_ask
 * gives the number in the first column of its first row, `none` where there is no row.
 */
struct stmt *db_start(struct db *d, const char *sql, const char *types, ...);
MUST_USE enum res db_do(struct db *d, struct err *e, const char *sql, const char *types, ...);
MUST_USE enum res db_ask(struct db *d, struct err *e, int64_t none, int64_t *out, const char *sql,
                         const char *types, ...);
/* 1: a row is there; 0: no more; -1: error. The statement is reset after 0 and -1. NULL gives -1. */
int stmt_step(struct stmt *s);
void stmt_reset(
    struct stmt *s); /* before leaving a statement that still has rows; NULL may be passed */
/* End a loop over rows whose last stmt_step answered `step`; there may be more rows. */
MUST_USE enum res db_end_rows(struct db *d, struct stmt *s, int step, struct err *e);
/* All rows of a statement, one by one; the first error ends it. */
typedef enum res db_take(void *to, struct stmt *row, struct err *e);
MUST_USE enum res db_each(struct db *d, struct stmt *rows, db_take *take, void *to, struct err *e);
/* All rows of a statement of `from` as those of an insert into another database: their columns are its parameters. */
MUST_USE enum res db_copy_rows(struct db *from, struct stmt *rows, struct db *to,
                               const char *insert, struct err *e);
/* The row at which `from` stands into `to`, of another database: its columns become the parameters, and it is stepped to its
 * end. 0, or -1 after an error of `to`. */
int stmt_put_row(struct stmt *from, struct stmt *to);
int64_t stmt_int(struct stmt *s, int column);
double stmt_real(struct stmt *s, int column);
/* A copy in the arena; never NULL ("" for null). Where the arena is full the next step fails. */
const char *stmt_text(struct stmt *s, int column, struct arena *a);
/* Valid until the next step; *n bytes. */
const void *stmt_blob(struct stmt *s, int column, size_t *n);
int64_t db_last_id(struct db *d);
int64_t db_n_changes(struct db *d);
/* One value of one row, in the arena; NULL: there is no row, or it is null. Any SQL: it is not kept. */
MUST_USE enum res db_find_text(struct db *d, const char *sql, struct arena *a, const char **out,
                               struct err *e);
/* From now on statements may take so much CPU time in all, some seconds and more for a large file, then they
 * fail; 0: as long as they want. */
void db_limit_time(struct db *d, int is_limited);
/* The last error as `enum res` and text with the file's path. */
enum res db_fail(struct db *d, struct err *e);

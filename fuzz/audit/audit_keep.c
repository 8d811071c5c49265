/* fuzz/audit/audit_keep.c -- rows of an audit on disk, so that it goes on where it was stopped. */
#include "fuzz/audit/audit_keep.h"

#include <string.h>
#include <unistd.h>

#include "fuzz/audit/audit_plan.h"
#include "fuzz/audit/audit_state.h"
#include "fuzz/io/db.h"
#include "fuzz/io/shard.h"

enum {
    KEEP_ARENA_BYTES = 64 << 20
};

static const char *get_path(const struct audit_request *r, struct arena *a)
{
    return arena_printf(a, "%s/" AUDIT_STATE_FILE, r->folder);
}

static bool has_folder(const struct audit_request *r)
{
    return r->folder && r->folder[0];
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
    char shard[SHARD_TEXT_BYTES];
    TRY(db_exec(d, "BEGIN", e));
    TRY(audit_state_put_head(d, x, request, shard_print(request->shard, shard), a, e));
    TRY(db_do(d, e, "INSERT OR IGNORE INTO parts VALUES(?)", "i", (int64_t)request->shard.index));
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const char *const name = audit_name_row(&x->rows[i], request, a);
        if (x->rows[i].n_done > 0 && !is_kept(d, &x->rows[i], name)) {
            TRY(audit_state_put_row(d, &x->rows[i], name, request->shard.index, a, e));
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

/* May the audit go on from the state in this file? It must be of the same target and shard, and of the same driver, whose facts are
 * compared by their hash. */
static enum res check_head(const struct audit_state_head *head, const struct audit *x,
                           const struct audit_request *r, const char *path, struct err *e)
{
    char shard[SHARD_TEXT_BYTES];
    bool const is_driver = head->facts_hash == audit_state_hash_facts(x->facts);
    bool const is_target = strcmp(head->target, x->target) == 0;
    if (!is_target || !is_driver) {
        return err_set(e, RES_USAGE, "%s: holds an audit of target %.60s%s; choose another folder",
                       path, head->target, is_target ? " with another driver" : "");
    }
    if (strncmp(head->shard, "all/", 4) == 0) {
        return err_set(e, RES_USAGE,
                       "%s: holds a merged audit; continue each shard in its own folder", path);
    }
    if (strcmp(head->shard, shard_print(r->shard, shard)) != 0) {
        return err_set(e, RES_USAGE, "%s: holds %s%.20s; choose another folder", path,
                       head->shard[0] ? "shard " : "an audit without shards", head->shard);
    }
    return RES_OK;
}

/* Fills the rows of the audit from the open state at `path`, where the state has them. */
static enum res take_rows(struct db *d, struct audit *x, const struct audit_request *r,
                          const char *path, struct arena *a, struct err *e)
{
    struct audit_state_head head = {.target = "", .shard = ""};
    TRY(audit_state_take_head(d, path, &head, a, e));
    if (head.is_empty) {
        return RES_OK;
    }
    TRY(check_head(&head, x, r, path, e));
    for (uint32_t i = 0; i < x->n_rows; i++) {
        bool is_there = false; /* not needed: a row that was not kept stays as the plan made it */
        struct err why = {.text = ""};
        const char *const name = audit_name_row(&x->rows[i], r, a);
        enum res const result =
            audit_state_take_row(d, &x->rows[i], name, r->shard.index, &is_there, a, &why);
        if (result != RES_OK) {
            return err_set(e, result, "%.200s: %.250s", path, why.text);
        }
    }
    return RES_OK;
}

/* Fill the rows of an audit with what an earlier start has kept in the request's folder, so that it goes on
 * from there. Without a folder, or without rows in its file, the rows stay as they are. */
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
    result = take_rows(d, x, r, path, a, e);
    db_close(d);
    return result;
}

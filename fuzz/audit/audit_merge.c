/* fuzz/audit/audit_merge.c -- the shards of an audit as one. */
#include "fuzz/audit/audit_merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/audit_result.h"
#include "base/file.h"
#include "base/testcase.h"
#include "fuzz/audit/audit_case.h"
#include "fuzz/audit/audit_mirror.h"
#include "fuzz/audit/audit_plan.h"
#include "fuzz/audit/audit_state.h"
#include "fuzz/io/db.h"
#include "fuzz/io/shard.h"
#include "oracle/sweep/sweep_state.h"

enum {
    MERGE_MAX_NAMED = 8,         /* missing shards that are named */
    MERGE_ARENA_BYTES = 64 << 20 /* of one folder */
};
#define MERGED_PREFIX "all/"

static const char *get_path(const char *folder, struct arena *a)
{
    return arena_printf(a, "%s/" AUDIT_STATE_FILE, folder);
}

bool audit_merge_is_audit(const char *folder, struct arena *a)
{
    return access(get_path(folder, a), F_OK) == 0;
}

/* What all folders have alike. */
struct merging {
    struct db *to, *from;
    const char *first, *folder;   /* the folder that the head is of; the one that is read */
    struct audit_state_head head; /* of the first */
    uint32_t n_shards;
    struct arena *a;   /* of the whole */
    struct arena *own; /* of this folder */
};

/* "2/4" or "all/4": 4; 0: no shard. */
static uint32_t count_shards(const char *text)
{
    const char *const slash = strchr(text, '/');
    return slash ? (uint32_t)strtoul(slash + 1, NULL, 10) : 0;
}

static enum res refuse(const struct merging *m, const char *what, const char *here,
                       const char *there, struct err *e)
{
    return err_set(e, RES_USAGE, "%.150s and %.150s belong to different audits: %s %.60s and %.60s",
                   m->first, m->folder, what, there, here);
}

static enum res check_head(const struct merging *m, const struct audit_state_head *head,
                           struct err *e)
{
    uint32_t const n = count_shards(head->shard);
    if (n == 0 || n > SHARD_MAX) {
        return err_set(e, RES_USAGE, "%.300s: an audit without shards cannot be merged", m->folder);
    }
    if (n != m->n_shards) {
        return refuse(m, "shards", head->shard, m->head.shard, e);
    }
    if (strcmp(head->target, m->head.target) != 0) {
        return refuse(m, "targets", head->target, m->head.target, e);
    }
    return head->facts_hash == m->head.facts_hash
               ? RES_OK
               : refuse(m, "drivers or devices of", head->target, m->head.target, e);
}

/* ---- one folder ---- */

/* Notes are alike, but when it began and by which MPFR: of these the least is kept. */
static enum res take_note(void *to, struct stmt *note, struct err *e)
{
    const struct merging *const m = to;
    const char *const key = stmt_text(note, 0, m->own);
    const char *const value = stmt_text(note, 1, m->own);
    static const char *const free_keys[] = {"started", "mpfr"};
    const char *there = NULL;
    bool is_free = false;
    for (size_t i = 0; i < ARRAY_N(free_keys); i++) {
        is_free |= strcmp(key, free_keys[i]) == 0;
    }
    struct stmt *const s = db_start(m->to, "SELECT value FROM notes WHERE key = ?", "t", key);
    int const got = stmt_step(s);
    there = got == 1 ? stmt_text(s, 0, m->own) : NULL;
    TRY(db_end_rows(m->to, s, got, e));
    if (there && !is_free && strcmp(there, value) != 0) {
        return refuse(m, arena_printf(m->own, "%.40s", key), value, there, e);
    }
    return !there || strcmp(value, there) < 0
               ? db_do(m->to, e, "INSERT OR REPLACE INTO notes VALUES(?, ?)", "tt", key, value)
               : RES_OK;
}

static enum res take_part(void *to, struct stmt *s, struct err *e)
{
    const struct merging *const m = to;
    int64_t const part = stmt_int(s, 0);
    bool const is_one = part >= 0 && part < (int64_t)m->n_shards;
    return is_one ? db_do(m->to, e, "INSERT OR IGNORE INTO parts VALUES(?)", "i", part)
                  : err_set(e, RES_FORMAT, "%.300s: shard %" PRId64 " of %" PRIu32, m->folder,
                            part + 1, m->n_shards);
}

/* A row of which less is there, or as much with another hash: the same is taken whoever comes first. */
static bool is_wanted(const struct merging *m, const char *name, int64_t part, uint64_t n_done,
                      uint64_t hash)
{
    struct stmt *const s = db_start(
        m->to, "SELECT done, hash FROM rows WHERE name = ? AND part = ?", "ti", name, part);
    bool is_better = true;
    if (stmt_step(s) == 1) {
        uint64_t const there = (uint64_t)stmt_int(s, 0);
        is_better = n_done > there || (n_done == there && hash > (uint64_t)stmt_int(s, 1));
    }
    stmt_reset(s);
    return is_better;
}

/* A row with its forms. */
static enum res take_row(void *to, struct stmt *s, struct err *e)
{
    const struct merging *const m = to;
    struct arena_mark const mark = arena_get_mark(m->own);
    const char *const name = stmt_text(s, 0, m->own);
    int64_t const part = stmt_int(s, 1);
    if (!is_wanted(m, name, part, (uint64_t)stmt_int(s, 4), (uint64_t)stmt_int(s, 10))) {
        return RES_OK;
    }
    TRY(db_do(m->to, e, "DELETE FROM forms WHERE name = ? AND part = ?", "ti", name, part));
    struct stmt *const put =
        db_start(m->to, "INSERT OR REPLACE INTO rows VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "");
    TRY(stmt_put_row(s, put) < 0 ? db_fail(m->to, e) : RES_OK);
    struct stmt *const forms = db_start(m->from,
                                        "SELECT name, part, form, refused, log, result FROM forms"
                                        " WHERE name = ? AND part = ? ORDER BY form",
                                        "ti", name, part);
    TRY(db_copy_rows(m->from, forms, m->to, "INSERT INTO forms VALUES(?, ?, ?, ?, ?, ?)", e));
    arena_release(m->own, mark);
    return RES_OK;
}

static enum res take_open(struct merging *m, const char *path, struct err *e)
{
    struct audit_state_head head = {.target = "", .shard = ""};
    TRY(audit_state_take_head(m->from, path, &head, m->own, e));
    if (head.is_empty) {
        return RES_OK; /* the shard is missing */
    }
    if (!m->first) {
        m->first = m->folder;
        m->n_shards = count_shards(head.shard);
        m->head = (struct audit_state_head){.target = arena_printf(m->a, "%s", head.target),
                                            .shard = arena_printf(m->a, "%s", head.shard),
                                            .facts_hash = head.facts_hash};
    }
    TRY(check_head(m, &head, e));
    struct db *const d = m->from;
    TRY(db_each(d, db_start(d, "SELECT key, value FROM notes ORDER BY key", ""), take_note, m, e));
    TRY(db_each(d, db_start(d, "SELECT part FROM parts ORDER BY part", ""), take_part, m, e));
    return db_each(d,
                   db_start(d,
                            "SELECT name, part, subject, listed, done, skipped, seconds,"
                            " device_seconds, judge_seconds, problem, hash FROM rows"
                            " ORDER BY name, part",
                            ""),
                   take_row, m, e);
}

static enum res take_folder(struct merging *m, const char *folder, struct err *e)
{
    arena_init(m->own, MERGE_ARENA_BYTES);
    m->folder = folder;
    const char *const path = get_path(folder, m->own);
    enum res r = db_open(&m->from, path, DB_READ, e);
    if (r == RES_OK) {
        r = take_open(m, path, e);
        db_close(m->from);
    }
    arena_free(m->own);
    return r;
}

/* ---- all of them ---- */

/* Into *out: how many of the n_shards parts the database has, and in words which it lacks: "shards 3, 7 of 100 are
 * missing", or "". The database numbers parts from 0, the text from 1. At most MERGE_MAX_NAMED are named, the others
 * counted. */
static enum res describe_missing(struct db *d, uint32_t n_shards, struct arena *a,
                                 struct audit_merge_summary *out, struct err *e)
{
    const char *text = "";
    uint32_t n_missing = 0;
    *out = (struct audit_merge_summary){.n_shards = n_shards, .missing = ""};
    for (uint32_t i = 0; i < n_shards; i++) {
        int64_t is_there = 0;
        /* 0 is the answer where there is no such row */
        TRY(db_ask(d, e, 0, &is_there, "SELECT 1 FROM parts WHERE part = ?", "i", (int64_t)i));
        if (is_there) {
            out->n_parts++;
        } else if (n_missing++ < MERGE_MAX_NAMED) {
            text = arena_printf(a, "%s%s%" PRIu32, text, text[0] ? ", " : "", i + 1);
        }
    }
    if (n_missing > MERGE_MAX_NAMED) {
        text = arena_printf(a, "%s and %" PRIu32 " more", text, n_missing - MERGE_MAX_NAMED);
    }
    if (n_missing) {
        out->missing =
            arena_printf(a, "shard%s %s of %" PRIu32 " %s missing", n_missing == 1 ? "" : "s", text,
                         n_shards, n_missing == 1 ? "is" : "are");
    }
    return RES_OK;
}

/* A folder that is no audit's is not written to. */
static enum res check_out(const char *out, bool *is_there, struct arena *a, struct err *e)
{
    struct stat s;
    *is_there = audit_merge_is_audit(out, a);
    if (!*is_there && stat(out, &s) == 0) {
        return err_set(e, RES_USAGE, "%.300s: exists and is not a merged audit", out);
    }
    if (!*is_there) {
        return RES_OK;
    }
    struct db *d = NULL;
    struct audit_state_head head = {.shard = ""};
    TRY(db_open(&d, get_path(out, a), DB_READ, e));
    enum res const r = audit_state_take_head(d, out, &head, a, e);
    db_close(d);
    bool const is_merged = strncmp(head.shard, MERGED_PREFIX, strlen(MERGED_PREFIX)) == 0;
    return r != RES_OK || is_merged
               ? r
               : err_set(e, RES_USAGE, "%.300s: exists and is not a merged audit", out);
}

static enum res fill(struct merging *m, const char *out, bool is_there, const char *const *in,
                     uint32_t n, struct err *e)
{
    TRY(db_exec(m->to, "BEGIN", e));
    TRY(db_exec(m->to, AUDIT_STATE_SCHEMA, e));
    TRY(is_there ? take_folder(m, out, e) : RES_OK);
    for (uint32_t i = 0; i < n; i++) {
        TRY(take_folder(m, in[i], e));
    }
    if (!m->first) {
        return err_set(e, RES_USAGE, "%.300s%s: no result yet; continue the audit of each shard",
                       in[0], n > 1 ? " and the other folders" : "");
    }
    TRY(db_do(m->to, e, "INSERT INTO audit VALUES(1, ?, ?, ?, ?, ?)", "iitut",
              (int64_t)AUDIT_STATE_VERSION, (int64_t)sizeof(struct sweep_result), m->head.target,
              m->head.facts_hash, arena_printf(m->a, MERGED_PREFIX "%" PRIu32, m->n_shards)));
    return db_exec(m->to, "COMMIT", e);
}

enum res audit_merge(const char *out, const char *const *in, uint32_t n, struct arena *a,
                     struct audit_merge_summary *summary, struct err *e)
{
    bool is_there = false;
    struct arena own;
    struct merging m = {.a = a, .own = &own};
    struct file_folder folder;
    TRY(check_out(out, &is_there, a, e));
    TRY(file_begin_folder(&folder, out, e));
    enum res r = db_open(&m.to, get_path(folder.fresh, a), DB_CREATE, e);
    if (r == RES_OK) {
        r = fill(&m, out, is_there, in, n, e);
        r = r == RES_OK ? describe_missing(m.to, m.n_shards, a, summary, e) : r;
        db_close(m.to);
    }
    return file_end_folder(&folder, r, e);
}

/* ---- and back ---- */

static const char *get_note(struct db *d, const char *key, struct arena *a)
{
    struct stmt *const s = db_start(d, "SELECT value FROM notes WHERE key = ?", "t", key);
    const char *const value = stmt_step(s) == 1 ? stmt_text(s, 0, a) : "";
    stmt_reset(s);
    return value;
}

static uint64_t get_number(struct db *d, const char *key, struct arena *a)
{
    return strtoull(get_note(d, key, a), NULL, 10);
}

/* The request of the shards. RES_FORMAT: its notes are none. */
static enum res take_request(struct db *d, struct audit_request *r, struct arena *a, struct err *e)
{
    *r = (struct audit_request){.functions = get_note(d, "functions", a),
                                .types = (unsigned)get_number(d, "types", a),
                                .forms = (unsigned)get_number(d, "forms", a),
                                .n_samples = get_number(d, "samples", a),
                                .seed = get_number(d, "seed", a)};
    uint64_t const reach = get_number(d, "reach", a);
    if (reach > AUDIT_REACH_ALL) {
        return err_set(e, RES_FORMAT, "reach %" PRIu64 " of an audit is none", reach);
    }
    r->reach = (enum audit_reach)reach;
    for (const char *at = get_note(d, "bounds", a); *at && r->n_bounds < AUDIT_MAX_BOUNDS;) {
        char *end = NULL;
        r->bounds[r->n_bounds++] = strtof(at, &end);
        at = *end == ',' ? end + 1 : end + strlen(end);
    }
    return RES_OK;
}

static enum res take_env(struct db *d, enum env *out, struct arena *a, struct err *e)
{
    const char *const text = get_note(d, "env", a);
    for (int i = 0; i < ENV_N; i++) {
        if (strcmp(text, env_names[i]) == 0) {
            *out = (enum env)i;
            return RES_OK;
        }
    }
    return err_set(e, RES_FORMAT, "environment \"%.40s\" of an audit is none", text);
}

static const char *choose_text(const char *first, const char *then)
{
    return first[0] ? first : then;
}

/* One shard's part of the row. */
static void add_part(struct audit_row *row, const struct audit_row *part)
{
    row->n_done += part->n_done;
    row->n_skipped += part->n_skipped;
    row->seconds += part->seconds;
    row->device_seconds += part->device_seconds;
    row->judge_seconds += part->judge_seconds;
    row->problem = choose_text(row->problem, part->problem);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        row->form[i].is_refused |= part->form[i].is_refused;
        row->form[i].log = choose_text(row->form[i].log, part->form[i].log);
        sweep_merge(&row->result[i], &part->result[i]);
    }
}

/* The parts of a row, in their order. */
static enum res take_parts_of_row(struct db *d, struct audit_row *row, const char *name,
                                  struct audit_row *part, struct arena *a, struct err *e)
{
    struct audit_row const planned = *row;
    int64_t at = -1;
    for (;;) {
        bool is_there = false;
        TRY(db_ask(d, e, -1, &at,
                   "SELECT part FROM rows WHERE name = ? AND part > ? ORDER BY part LIMIT 1", "ti",
                   name, at));
        if (at < 0) {
            break;
        }
        *part = planned;
        TRY(audit_state_take_row(d, part, name, (uint32_t)at, &is_there, a, e));
        add_part(row, part);
    }
    return row->n_done <= row->n_inputs
               ? RES_OK
               : err_set(e, RES_FORMAT, "row \"%.100s\" has more inputs than there are", name);
}

static enum res take_row_whole(struct db *d, struct audit_row *row, const struct audit_request *r,
                               struct audit_row *part, struct arena *a, struct err *e)
{
    int64_t listed = 0;
    TRY(db_ask(d, e, 0, &listed, "SELECT listed FROM rows WHERE subject = ? LIMIT 1", "t",
               audit_name_subject(row, a)));
    row->listed = (uint64_t)listed;
    return take_parts_of_row(d, row, audit_name_row(row, r, a), part, a, e);
}

/* Fill *x from a database that is open: plan the rows from the request in its notes, as the audit did, then add up
 * the parts of each row. `part` holds one part of a row at a time; it comes from the arena, as a row is large. */
static enum res load(struct db *d, const char *path, struct arena *a, struct audit *x,
                     struct err *e)
{
    struct audit_state_head head = {.target = "", .shard = ""};
    struct audit_request r;
    struct audit_merge_summary summary;
    struct audit_row *const part = ARENA_NEW(a, struct audit_row, 1);
    if (!part) {
        return err_set(e, RES_NOMEM, "no room for a row");
    }
    TRY(audit_state_take_head(d, path, &head, a, e));
    if (head.is_empty) {
        return err_set(e, RES_FORMAT, "no result yet; continue the audit");
    }
    TRY(describe_missing(d, count_shards(head.shard), a, &summary, e));
    TRY(take_request(d, &r, a, e));
    x->target = head.target;
    x->facts = get_note(d, "facts", a);
    x->started = get_note(d, "started", a);
    x->mpfr = get_note(d, "mpfr", a);
    x->tool_version =
        arena_printf(a, "%s, %" PRIu32 " shards%s%s", audit_name_tool((struct shard)SHARD_NONE, a),
                     summary.n_parts, summary.missing[0] ? "; " : "", summary.missing);
    TRY(take_env(d, &x->env, a, e));
    TRY(audit_plan(&r, x->env, x->facts, a, x, e));
    for (uint32_t i = 0; i < x->n_rows; i++) {
        TRY(take_row_whole(d, &x->rows[i], &r, part, a, e));
        (void)audit_mirror_compare(&x->rows[i]);
        audit_case_find(&x->rows[i], x->env, x->facts, a);
    }
    audit_find_erring(x);
    return RES_OK;
}

enum res audit_merge_load(const char *folder, struct arena *a, struct audit *out, struct err *e)
{
    struct db *d = NULL;
    struct err why = {.text = ""};
    const char *const path = get_path(folder, a);
    *out = (struct audit){.target = "", .facts = "", .started = "", .mpfr = "", .tool_version = ""};
    TRY(db_open(&d, path, DB_READ, e));
    enum res const r = load(d, path, a, out, &why);
    db_close(d);
    return r == RES_OK ? r : err_set(e, r, "%.200s: %.250s", path, why.text);
}

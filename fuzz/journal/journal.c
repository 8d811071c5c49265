/* fuzz/journal/journal.c -- the campaign's memory: what was begun, what it came to, what was found. */
#include "fuzz/journal/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ops.h"
#include "base/printable.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal_coverage.h"
#include "fuzz/journal/journal_put.h"
#include "fuzz/journal/journal_remark.h"
#include "fuzz/journal/journal_schema.h"
#include "fuzz/journal/journal_statistics.h"
#include "oracle/tables/tables.h"

enum {
    PAGE_BYTES = 4096,    /* of SQLite's file, where nothing else is asked for */
    FLUSHES_PER_TIDY = 32 /* a campaign flushes after each case */
};

/* What this session knows of a target beyond the file. */
struct target_state {
    int64_t id;
    uint64_t low;      /* every index of the shard below is done */
    uint64_t cap_from; /* runs from there on may be forgotten beyond the cap: low of before */
    struct journal_cells *cells;
};
#define JOURNAL_ARENA_BYTES (((size_t)1 << 20) + JOURNAL_MAX_TARGETS * JOURNAL_CELLS_BYTES)

struct journal {
    struct arena arena;
    struct db *db;
    char folder[1024];
    struct shard shard; /* whose indices are run here */
    uint64_t disk_cap;
    uint64_t forgotten; /* below this index no origin is kept */
    int is_over_cap;
    uint32_t n_flushes; /* since the cap was set */
    int is_in_transaction;
    int is_broken; /* an error left a half-written run: the transaction is dropped */
    uint32_t n_pending;
    uint32_t n_targets;
    struct target_state targets[JOURNAL_MAX_TARGETS];
};

struct db *journal_get_db(struct journal *j)
{
    return j->db;
}

enum res journal_put_note(struct journal *j, const char *key, const char *value, struct err *e)
{
    return db_do(j->db, e, "INSERT OR REPLACE INTO meta VALUES(?, ?)", "tt", key, value);
}

const char *journal_get_folder(const struct journal *j)
{
    return j->folder;
}

struct shard journal_get_shard(const struct journal *j)
{
    return j->shard;
}

const char *journal_get_note(struct journal *j, const char *key, struct arena *a)
{
    struct stmt *s = db_start(j->db, "SELECT value FROM meta WHERE key = ?", "t", key);
    const char *text = "";
    if (stmt_step(s) > 0) {
        text = stmt_text(s, 0, a);
        stmt_reset(s);
    }
    return text;
}

/* Write what a new campaign is planned to do, as notes (key and value), with the time of its start. */
static enum res put_plan(struct journal *j, const struct campaign_plan *plan, struct err *e)
{
    char started[32] = ""; /* longer than a time of this form */
    time_t const now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) {
        (void)strftime(started, sizeof(started), "%Y-%m-%d %H:%M:%S UTC", &utc);
    }
    const char *const seed = arena_printf(&j->arena, "%" PRIu64, plan->seed);
    const char *const gen_version = arena_printf(&j->arena, "%" PRIu32, plan->gen_version);
    const char *const max_cases = arena_printf(&j->arena, "%" PRIu64, plan->max_cases);
    const char *const max_ns = arena_printf(&j->arena, "%" PRIu64, plan->max_ns);
    char text[SHARD_TEXT_BYTES];
    const char *const shard = shard_print(plan->shard, text);
    bool const has_modules = plan->modules && plan->modules[0];
    struct {
        const char *key, *value;
    } const rows[] = {
        {"profile",         plan->profile                             },
        {"seed",            seed                                      },
        {"gen_version",     gen_version                               },
        {"max_cases",       max_cases                                 },
        {"max_ns",          max_ns                                    },
        {"targets",         plan->targets                             },
        {"started",         started                                   },
        {"shard",           shard                                     },
        {"modules",         has_modules ? plan->modules : NULL        },
        {"modules_options", has_modules ? plan->modules_options : NULL},
        {"modules_hash",    has_modules ? plan->modules_hash : NULL   },
        {"modules_list",    has_modules ? plan->modules_list : NULL   },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].value) {
            TRY(journal_put_note(j, rows[i].key, rows[i].value, e));
        }
    }
    return RES_OK;
}

static enum res fill_file(struct journal *j, const char *path, const struct campaign_plan *plan,
                          struct err *e)
{
    TRY(db_open(&j->db, path, DB_CREATE, e));
    TRY(journal_make_schema(j->db, e));
    return put_plan(j, plan, e);
}

/* Made under another name, so that a journal is whole from its first moment. */
static enum res create_file(struct journal *j, const char *path, const struct campaign_plan *plan,
                            struct err *e)
{
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};
    const char *fresh = arena_printf(&j->arena, "%s.new", path);
    for (size_t i = 0; i < ARRAY_N(suffixes); i++) { /* left by one that was killed, or by others */
        (void)unlink(arena_printf(&j->arena, "%s%s", fresh, suffixes[i]));
        (void)unlink(arena_printf(&j->arena, "%s%s", path, suffixes[i]));
    }
    enum res const r = fill_file(j, fresh, plan, e);
    db_close(j->db);
    j->db = NULL;
    if (r == RES_OK && rename(fresh, path) != 0) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    }
    return r;
}

/* Add to the error what is still there of a campaign whose journal cannot be read, and the command that begins anew with its
 * tapes. */
static void tell_rest(struct journal *j, struct err *e)
{
    static const char *const names[] = {"report.html", "bugs", "corpus"};
    struct arena *const a = &j->arena;
    const char *list = "", *tapes = "";
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        const char *const path = arena_printf(a, "%s/%s", j->folder, names[i]);
        if (access(path, R_OK) == 0) {
            list = arena_printf(a, "%s%s%s", list, list[0] ? ", " : "", names[i]);
            tapes = strcmp(names[i], "corpus") == 0
                        ? arena_printf(a, " --corpus %s", printable_quote(a, path))
                        : "";
        }
    }
    const char *const text =
        arena_printf(a, "%s; %s%s; a new campaign%s: halfulp run%s -o NEW", e->text,
                     list[0] ? "can still be read: " : "nothing else of the campaign is there",
                     list, tapes[0] ? " from its tapes" : "", tapes);
    (void)err_set(e, e->code, "%s", text);
}

static enum res open_file(struct journal *j, const char *path, enum db_mode mode, struct err *e)
{
    bool const is_ours = access(path, W_OK) == 0 && access(j->folder, W_OK) == 0;
    enum res const r = db_open(&j->db, path, mode == DB_WRITE && !is_ours ? DB_READ : mode, e);
    if (r == RES_FORMAT) {
        tell_rest(j, e);
    }
    TRY(r);
    return journal_check_schema(j->db, path, e);
}

/* The journal of a folder before its file is open, and the file's path. */
static enum res make(struct journal **out, const char *folder, const char **path, struct err *e)
{
    *out = NULL;
    struct arena arena;
    arena_init(&arena, JOURNAL_ARENA_BYTES);
    struct journal *j = ARENA_NEW(&arena, struct journal, 1);
    if (!j || strlen(folder) >= sizeof(j->folder)) {
        arena_free(&arena);
        return err_set(e, RES_LIMIT, "%.60s...: folder name too long", folder);
    }
    j->arena = arena;
    j->disk_cap = UINT64_MAX;
    memcpy(j->folder, folder, strlen(folder) + 1);
    *path = arena_printf(&j->arena, "%s/journal.sqlite", folder);
    *out = j;
    return RES_OK;
}

/* Make the folder and the file, unless there is one; without a plan there has to be one. */
static enum res need_file(struct journal *j, const char *folder, const char *path,
                          const struct campaign_plan *plan, struct err *e)
{
    if (access(path, F_OK) == 0) {
        return RES_OK;
    }
    if (!plan) {
        return err_set(e, RES_IO, "%s: %s", path,
                       errno == ENOENT || errno == ENOTDIR ? "no such journal" : strerror(errno));
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return err_set(e, RES_IO, "%s: %s", folder, strerror(errno));
    }
    return create_file(j, path, plan, e);
}

/* Does the file hold only what this program writes? */
static enum res check_content(struct journal *j, const char *path, struct err *e)
{
    db_limit_time(j->db, 1);
    enum res const r = journal_check_content(j->db, path, e);
    db_limit_time(j->db, 0);
    if (r == RES_FORMAT) {
        tell_rest(j, e);
    }
    return r;
}

/* Which shard of its campaign the journal is of. */
static enum res take_shard(struct journal *j, const char *path, struct err *e)
{
    const char *const text = journal_get_note(j, "shard", &j->arena);
    return !text[0] || shard_parse(&j->shard, text)
               ? RES_OK
               : err_set(e, RES_FORMAT, "%s: \"%.40s\" is not a shard", path, text);
}

/* Open the journal of a campaign folder; with a plan it may be made, without one it must exist. A file that
 * is there is checked as one from elsewhere would be. After an error *out is NULL. */
static enum res open_folder(struct journal **out, const char *folder,
                            const struct campaign_plan *plan, enum db_mode mode, struct err *e)
{
    const char *path = "";
    struct journal *j = NULL;
    *out = NULL;
    TRY(make(&j, folder, &path, e));
    enum res r = need_file(j, folder, path, plan, e);
    if (r == RES_OK) {
        r = open_file(j, path, mode, e);
    }
    if (r == RES_OK) {
        r = check_content(j, path, e);
    }
    if (r == RES_OK) {
        r = take_shard(j, path, e);
    }
    if (r != RES_OK) {
        journal_close(j);
        return r;
    }
    *out = j;
    return RES_OK;
}

enum res journal_open(struct journal **out, const char *folder, const struct campaign_plan *plan,
                      struct err *e)
{
    return open_folder(out, folder, plan, DB_WRITE, e);
}

enum res journal_open_still(struct journal **out, const char *folder, struct err *e)
{
    return open_folder(out, folder, NULL, DB_STILL, e);
}

enum res journal_copy(struct journal *j, const char *folder, struct err *e)
{
    const char *const path = arena_printf(&j->arena, "%s/journal.sqlite", folder);
    return path[0] ? db_copy(j->db, path, e) : err_set(e, RES_NOMEM, "no memory for a name");
}

enum res journal_join(struct journal **out, const char *folder, struct err *e)
{
    const char *path = "";
    struct journal *j = NULL;
    enum res r = make(&j, folder, &path, e);
    if (r == RES_OK) {
        r = open_file(j, path, DB_WRITE, e);
    }
    if (r == RES_OK) {
        r = take_shard(j, path, e);
    }
    *out = r == RES_OK ? j : NULL;
    if (r != RES_OK) {
        journal_close(j);
    }
    return r;
}

void journal_close(struct journal *j)
{
    if (!j) {
        return;
    }
    struct err ignored;
    if (j->db && j->n_targets > 0 && journal_begin(j, &ignored) == RES_OK) {
        j->n_flushes = 0;
    }
    if (j->db && j->is_in_transaction && journal_flush(j, &ignored) != RES_OK) {
        /* The runs since the last flush are run again on resume. */
        j->is_in_transaction = 0;
    }
    db_close(j->db);
    struct arena arena = j->arena;
    arena_free(&arena);
}

enum res journal_begin(struct journal *j, struct err *e)
{
    if (j->is_broken) {
        return err_set(e, RES_IO, "%s/journal.sqlite: not written after an error", j->folder);
    }
    if (j->is_in_transaction) {
        return RES_OK;
    }
    enum res const r = db_do(j->db, e, "BEGIN IMMEDIATE", "");
    j->is_in_transaction = r == RES_OK;
    return r;
}

static struct target_state *find_target(struct journal *j, int64_t id)
{
    for (uint32_t i = 0; i < j->n_targets; i++) {
        if (j->targets[i].id == id) {
            return &j->targets[i];
        }
    }
    return NULL;
}

/* The id of a target by its name; a new one gets a row, and a state in *j when it is first named here. Empty facts
 * leave those that are there. `low`: all cases below that index are done, so a resumed campaign begins there. */
enum res journal_put_target(struct journal *j, const char *name, const char *facts, int64_t *id,
                            struct err *e)
{
    TRY(journal_begin(j, e));
    TRY(db_do(j->db, e,
              "INSERT INTO targets VALUES(NULL,?1,?2,0,0,0,0,0,0,0,0,0,0,0,0,0,0)"
              " ON CONFLICT(name) DO UPDATE SET facts ="
              " CASE ?2 WHEN '' THEN facts ELSE ?2 END",
              "tt", name, facts));
    struct stmt *s = db_start(j->db, "SELECT id, low FROM targets WHERE name = ?", "t", name);
    if (stmt_step(s) <= 0) {
        return db_fail(j->db, e);
    }
    *id = stmt_int(s, 0);
    uint64_t const low = (uint64_t)stmt_int(s, 1);
    stmt_reset(s);
    if (find_target(j, *id)) { /* named before, such as by a worker that was started again */
        return RES_OK;
    }
    if (j->n_targets == JOURNAL_MAX_TARGETS) {
        return err_set(e, RES_LIMIT, "%s: more than %d targets", name, JOURNAL_MAX_TARGETS);
    }
    struct journal_cells *cells = ARENA_NEW(&j->arena, struct journal_cells, 1);
    if (!cells) {
        return err_set(e, RES_NOMEM, "%s: journal's memory is full", name);
    }
    j->targets[j->n_targets++] =
        (struct target_state){.id = *id, .low = low, .cap_from = low, .cells = cells};
    return journal_flush(j, e);
}

enum res journal_put_tape(struct journal *j, uint64_t case_index, const void *tape, size_t n_tape,
                          struct err *e)
{
    TRY(journal_begin(j, e));
    return db_do(j->db, e, "INSERT OR IGNORE INTO tapes(case_index, tape) VALUES(?, ?)", "ub",
                 case_index, tape, n_tape);
}

/* The row of a run that was begun before and did not end. */
static enum res find_begun(struct journal *j, int64_t target_id, uint64_t case_index,
                           int64_t *run_id, struct err *e)
{
    struct stmt *s = db_start(j->db,
                              "SELECT id, is_done FROM runs WHERE target_id = ? AND"
                              " case_index = ?",
                              "iu", target_id, case_index);
    if (stmt_step(s) <= 0) {
        return db_fail(j->db, e);
    }
    *run_id = stmt_int(s, 0);
    bool const is_done = (int)stmt_int(s, 1);
    stmt_reset(s);
    return is_done ? err_set(e, RES_INTERNAL, "case %" PRIu64 " was already run", case_index)
                   : RES_OK;
}

enum res journal_begin_run(struct journal *j, int64_t target_id, uint64_t case_index,
                           const void *tape, size_t n_tape, int64_t *run_id, struct err *e)
{
    TRY(journal_begin(j, e));
    if (tape) {
        TRY(journal_put_tape(j, case_index, tape, n_tape, e));
    }
    TRY(db_do(j->db, e, "INSERT OR IGNORE INTO runs VALUES(NULL, ?, ?, 0, NULL, NULL, NULL, NULL)",
              "iu", target_id, case_index));
    j->n_pending++;
    if (db_n_changes(j->db) == 0) {
        return find_begun(j, target_id, case_index, run_id, e);
    }
    *run_id = db_last_id(j->db);
    return RES_OK;
}

/* The judged values of each instruction as (number, hash) in the order of ops.def, to compare between
 * targets that list what the case needs. */
static void encode_cross(const struct judgement *g, struct bytes *out)
{
    for (uint32_t i = 0; i < OP_N; i++) {
        if (g->cross_hash[i] != 0) {
            bytes_put_u32(out, op_rows[i].number);
            bytes_put_u64(out, g->cross_hash[i]);
        }
    }
}

/* Of all that the run had of it: of one that was only built the module. */
static uint64_t hash_case(const struct testcase *tc, const struct observation *ob)
{
    uint64_t h = hash_bytes(tc->env, tc->module, (size_t)tc->n_words * 4);
    for (uint32_t i = 0; i < tc->n_bufs && ob->status != RUN_BUILT; i++) {
        h = hash_bytes(h, tc->bufs[i].data, tc->bufs[i].n_bytes);
    }
    return h;
}

/* Add a run to the totals of its target and to its count of verdicts, by class and profile of the case. */
static enum res add_totals(struct journal *j, int64_t target_id, const struct run_record *record,
                           struct err *e)
{
    const struct judgement *g = record->judgement;
    struct journal_totals totals = {.n_runs = 0};
    journal_count_totals(&totals, g);
    TRY(journal_put_totals(j->db, target_id, &totals, e));
    return db_do(j->db, e,
                 "INSERT INTO verdicts VALUES(?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1",
                 "ittt", target_id, case_class_names[record->tc->class], record->tc->profile,
                 verdict_rows[g->kind].name);
}

/* Write what a run came to: its row, the target's totals, its findings and what they are of. */
static enum res put_run(struct journal *j, int64_t run_id, struct run_key key,
                        const struct run_record *record, struct arena *scratch, struct err *e)
{
    struct bytes cross;
    bytes_init(&cross, scratch);
    if (record->tc->class != CLASS_UNADVERTISED) {
        encode_cross(record->judgement, &cross);
    }
    TRY(db_do(j->db, e,
              "UPDATE runs SET is_done = 1, profile = ?, verdict = ?, case_hash = ?,"
              " cross_values = ? WHERE id = ?",
              "ttubi", record->tc->profile, verdict_rows[record->judgement->kind].name,
              hash_case(record->tc, record->ob), (const void *)cross.p, cross.n, run_id));
    TRY(add_totals(j, key.target_id, record, e));
    TRY(journal_put_findings(j->db, key, record, scratch, e));
    TRY(journal_put_features(j->db, key, record, scratch, e));
    TRY(journal_put_statistics(j->db, key, record, e));
    return journal_put_remarks(j->db, key, record, scratch, e);
}

/* Write the verdict of a run that was begun, with its findings and counts. A violation is committed at once,
 * other runs with the next commit. A failure half-way makes the journal refuse all additional writes
 * (is_broken), so that nothing half is committed. */
enum res journal_end_run(struct journal *j, int64_t run_id, const struct run_record *record,
                         struct arena *scratch, struct err *e)
{
    TRY(journal_begin(j, e));
    struct stmt *s = db_start(
        j->db, "SELECT target_id, case_index FROM runs WHERE id = ? AND is_done = 0", "i", run_id);
    int const step = stmt_step(s); /* 1: a row, 0: none, -1: an error */
    if (step <= 0) {
        return step < 0 ? db_fail(j->db, e)
                        : err_set(e, RES_INTERNAL, "run %" PRId64 " was not begun", run_id);
    }
    struct run_key const key = {stmt_int(s, 0), (uint64_t)stmt_int(s, 1)};
    stmt_reset(s);
    struct target_state *t = find_target(j, key.target_id);
    if (!t) {
        return err_set(e, RES_INTERNAL, "run %" PRId64 " of an unknown target", run_id);
    }
    enum res r = put_run(j, run_id, key, record, scratch, e);
    if (r != RES_OK) {
        j->is_broken = 1;
        return r;
    }
    const struct judgement *g = record->judgement;
    journal_count_coverage(t->cells, g, journal_outcome_of(record->tc, record->ob));
    j->n_pending++;
    return verdict_rows[g->kind].part == PART_VIOLATION ? journal_flush(j, e) : RES_OK;
}

/* A run that is done without a verdict; one that is there already is neither written nor counted again. */
enum res journal_skip_case(struct journal *j, int64_t target_id, uint64_t case_index, struct err *e)
{
    TRY(journal_begin(j, e));
    TRY(db_do(j->db, e, "INSERT OR IGNORE INTO runs VALUES(NULL, ?, ?, 1, NULL, NULL, NULL, NULL)",
              "iu", target_id, case_index));
    if (db_n_changes(j->db) == 0) {
        return RES_OK;
    }
    j->n_pending++;
    return db_do(j->db, e, "UPDATE targets SET n_skipped = n_skipped + 1 WHERE id = ?", "i",
                 target_id);
}

/* Forget the target's runs from cap_from to low that found nothing, and tapes that no run has any more. */
static enum res forget_runs(struct journal *j, const struct target_state *t, struct err *e)
{
    enum res const r =
        db_do(j->db, e,
              "DELETE FROM runs WHERE target_id = ?1 AND case_index >= ?2 AND case_index < ?3"
              " AND NOT EXISTS (SELECT 1 FROM findings f WHERE f.target_id = ?1"
              " AND f.case_index = runs.case_index)",
              "iuu", t->id, t->cap_from, t->low);
    if (r != RES_OK) {
        return r;
    }
    return db_do(j->db, e,
                 "DELETE FROM tapes WHERE case_index >= ?1 AND case_index < ?2 AND"
                 " NOT EXISTS (SELECT 1 FROM runs r WHERE r.case_index = tapes.case_index)",
                 "uu", t->cap_from, t->low);
}

/* Advance t->low, below which all cases of the shard are done on the target, over the done runs from there on up to the
 * first gap, and write it. Over the cap on the journal's size, rows of such runs that hold no finding are
 * forgotten; low says already that they are done. */
static enum res put_low(struct journal *j, struct target_state *t, struct err *e)
{
    uint64_t const before = t->low;
    struct stmt *s = db_start(j->db,
                              "SELECT case_index FROM runs WHERE target_id = ? AND case_index >= ?"
                              " AND is_done = 1 ORDER BY case_index",
                              "iu", t->id, t->low);
    int step = 0;
    while ((step = stmt_step(s)) > 0 && (uint64_t)stmt_int(s, 0) == shard_next(j->shard, t->low)) {
        t->low = (uint64_t)stmt_int(s, 0) + 1;
    }
    enum res r = db_end_rows(j->db, s, step, e);
    if (r != RES_OK || t->low == before) {
        return r;
    }
    r = db_do(j->db, e, "UPDATE targets SET low = ? WHERE id = ?", "ui", t->low, t->id);
    if (r == RES_OK && j->is_over_cap) {
        r = forget_runs(j, t, e);
    }
    t->cap_from = t->low;
    return r;
}

/* Beyond the cap forget the origins and dead tapes that no target of this session can ask for any more. */
static enum res forget_origins(struct journal *j, struct err *e)
{
    uint64_t low = UINT64_MAX;
    for (uint32_t i = 0; i < j->n_targets; i++) {
        low = j->targets[i].low < low ? j->targets[i].low : low;
    }
    if (!j->is_over_cap || low == UINT64_MAX || low <= j->forgotten) {
        return RES_OK;
    }
    j->forgotten = low;
    TRY(db_do(j->db, e, "DELETE FROM origins WHERE case_index < ?", "u", low));
    return db_do(j->db, e, "DELETE FROM corpus WHERE dead_at <= ?", "u", low);
}

/* Is the file larger than it should be? */
static enum res look_at_size(struct journal *j, struct err *e)
{
    int64_t n_pages = 0;
    enum res const r = db_ask(j->db, e, 0, &n_pages, "PRAGMA page_count", "");
    j->is_over_cap = (uint64_t)n_pages * PAGE_BYTES > j->disk_cap;
    return r;
}

/* Write what is counted in memory. */
static enum res put_counts(struct journal *j, struct err *e)
{
    for (uint32_t i = 0; i < j->n_targets; i++) {
        struct target_state *const t = &j->targets[i];
        enum res const r = journal_put_coverage(j->db, t->id, t->cells, e);
        journal_clear_coverage(t->cells); /* on an error nothing more is written */
        TRY(r);
    }
    return RES_OK;
}

/* What can wait: `low` is where to begin to look for what is not done, and beyond the cap of the file nothing is
 * missed. */
static enum res tidy(struct journal *j, struct err *e)
{
    for (uint32_t i = 0; i < j->n_targets; i++) {
        TRY(put_low(j, &j->targets[i], e));
    }
    TRY(forget_origins(j, e));
    return look_at_size(j, e);
}

static enum res commit(struct journal *j, struct err *e)
{
    TRY(put_counts(j, e));
    if (j->n_flushes++ % FLUSHES_PER_TIDY == 0) {
        TRY(tidy(j, e));
    }
    return db_do(j->db, e, "COMMIT", "");
}

enum res journal_flush(struct journal *j, struct err *e)
{
    if (!j->is_in_transaction || j->is_broken) {
        return RES_OK;
    }
    enum res const r = commit(j, e);
    j->is_broken = r != RES_OK;
    if (r == RES_OK) {
        j->is_in_transaction = 0;
        j->n_pending = 0;
    }
    return r;
}

uint32_t journal_get_pending(const struct journal *j)
{
    return j->n_pending;
}

void journal_set_disk_cap(struct journal *j, uint64_t n_bytes)
{
    j->disk_cap = n_bytes;
    j->n_flushes = 0;
}

bool journal_is_over_cap(const struct journal *j)
{
    return j->is_over_cap != 0;
}

int journal_is_done(struct journal *j, int64_t target_id, uint64_t case_index)
{
    const struct target_state *t = find_target(j, target_id);
    if (t && case_index < t->low) {
        return 1;
    }
    int64_t is_done = 0;
    struct err ignored;
    return db_ask(j->db, &ignored, 0, &is_done,
                  "SELECT is_done FROM runs WHERE target_id = ? AND case_index = ?", "iu",
                  target_id, case_index) == RES_OK &&
           is_done == 1;
}

enum res journal_next_case(struct journal *j, int64_t target_id, uint64_t *index, struct err *e)
{
    struct target_state *t = find_target(j, target_id);
    if (!t) {
        return err_set(e, RES_INTERNAL, "no target %" PRId64 " in the journal", target_id);
    }
    enum res r = journal_begin(j, e);
    if (r == RES_OK) {
        r = put_low(j, t, e);
    }
    *index = shard_next(j->shard, t->low);
    return r;
}

enum res journal_count_runs(struct journal *j, int64_t target_id, uint64_t *n, struct err *e)
{
    int64_t n_runs = 0;
    enum res const r =
        db_ask(j->db, e, 0, &n_runs, "SELECT n_runs FROM targets WHERE id = ?", "i", target_id);
    *n = (uint64_t)n_runs;
    return r;
}

enum res journal_get_plan(struct journal *j, struct arena *a, struct campaign_plan *out,
                          struct err *e)
{
    out->profile = journal_get_note(j, "profile", a);
    out->seed = strtoull(journal_get_note(j, "seed", a), NULL, 10);
    out->gen_version = (uint32_t)strtoul(journal_get_note(j, "gen_version", a), NULL, 10);
    out->max_cases = strtoull(journal_get_note(j, "max_cases", a), NULL, 10);
    out->max_ns = strtoull(journal_get_note(j, "max_ns", a), NULL, 10);
    out->targets = journal_get_note(j, "targets", a);
    out->shard = j->shard;
    out->modules = journal_get_note(j, "modules", a);
    out->modules_options = journal_get_note(j, "modules_options", a);
    out->modules_hash = journal_get_note(j, "modules_hash", a);
    out->modules_list = journal_get_note(j, "modules_list", a);
    return out->profile[0] ? RES_OK
                           : err_set(e, RES_FORMAT, "%s/journal.sqlite: holds no plan", j->folder);
}

uint64_t journal_count_buckets(struct journal *j, const char *verdict)
{
    int64_t n = 0;
    struct err ignored;
    return db_ask(j->db, &ignored, 0, &n, "SELECT count(*) FROM buckets WHERE verdict = ?", "t",
                  verdict) == RES_OK
               ? (uint64_t)n
               : 0;
}

enum res journal_add_time(struct journal *j, uint64_t wall_ns, uint64_t harness_cpu_ns,
                          uint64_t worker_cpu_ns, struct err *e)
{
    return db_do(j->db, e, "INSERT INTO times VALUES(?, ?, ?)", "uuu", wall_ns, harness_cpu_ns,
                 worker_cpu_ns);
}

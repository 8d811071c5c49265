/* fuzz/merge/merge_campaign.c -- journals of campaigns into one: the folder that is made, and the way through them. */
#include "fuzz/merge/merge_campaign.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/case_groups.h"
#include "fuzz/campaign/corpus_files.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_corpus.h"
#include "fuzz/journal/journal_shards.h"
#include "fuzz/journal/owner.h"
#include "fuzz/merge/merge_plan.h"
#include "fuzz/merge/merge_rows.h"

#define MERGE_ARENA_BYTES ((size_t)128 << 20)

static const char journal_name[] = "journal.sqlite", stage_name[] = "stage.sqlite";

struct merge {
    const struct merge_words *words;
    struct merge_plan *plan;
    struct file_folder folder; /* where the result is made */
    struct journal *out;
    struct db *stage;
    struct arena scratch; /* of one journal */
};

/* ---- one journal ---- */

/* "WHEN 3 THEN 1 WHEN ...": the result's ids for those of this journal. */
static enum res map_targets(struct merge_rows *m, struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    struct stmt *const s = db_start(d, "SELECT id, name FROM targets ORDER BY id", "");
    int step = 0;
    m->target = "WHEN NULL THEN 0";
    while ((step = stmt_step(s)) > 0) {
        m->target =
            arena_printf(m->arena, "%s WHEN %" PRId64 " THEN %" PRIu32, m->target, stmt_int(s, 0),
                         merge_plan_find_target(m->plan, stmt_text(s, 1, m->arena)));
    }
    return db_end_rows(d, s, step, e);
}

/* All that is read of a journal is of one moment, while its campaign may go on. */
static enum res read_journal(struct merge *m, struct merge_rows *rows,
                             enum res (*take)(struct merge_rows *, struct err *), struct err *e)
{
    TRY(db_exec(journal_get_db(rows->from), "BEGIN", e));
    TRY(map_targets(rows, e));
    TRY(take(rows, e));
    (void)m;
    return db_exec(journal_get_db(rows->from), "COMMIT", e);
}

static enum res visit(struct merge *m, uint32_t in,
                      enum res (*take)(struct merge_rows *, struct err *), struct err *e)
{
    struct merge_rows rows = {.plan = m->plan,
                              .out = journal_get_db(m->out),
                              .stage = m->stage,
                              .in = in,
                              .arena = &m->scratch};
    arena_reset(&m->scratch);
    TRY(journal_join(&rows.from, m->plan->in[in], e));
    enum res const r = read_journal(m, &rows, take, e);
    journal_close(rows.from);
    return r;
}

/* ---- the result ---- */

static const char *join_targets(const struct merge_plan *p, struct arena *a)
{
    const char *names = "";
    for (uint32_t i = 0; i < p->n_targets; i++) {
        names = arena_printf(a, "%s%s%s", names, i ? " " : "", p->targets[i].name);
    }
    return names;
}

/* Notes of all parts: the first start; versions of MPFR, each once. */
static const char notes_sql[] =
    "INSERT OR REPLACE INTO meta SELECT 'started', coalesce(min(started), '') FROM parts;"
    "INSERT OR REPLACE INTO meta SELECT 'mpfr_version', coalesce(group_concat(v, ', '), '') FROM"
    " (SELECT DISTINCT mpfr_version AS v FROM parts ORDER BY 1);";

static enum res put_notes(struct merge *m, struct err *e)
{
    const struct merge_plan *const p = m->plan;
    TRY(journal_put_shards(m->out, p->n_shards, e));
    if (p->mutate[0]) {
        TRY(journal_put_note(m->out, "mutate_percent", p->mutate, e));
    }
    if (p->groups[0]) {
        TRY(journal_put_note(m->out, CASE_GROUPS_NOTE, p->groups, e));
    }
    if (p->layout[0]) {
        TRY(journal_put_note(m->out, "corpus_layout", p->layout, e));
    }
    return db_exec(journal_get_db(m->out), notes_sql, e);
}

/* The files are made where nobody looks yet: what a crash would leave of them is of no use anyway. */
static const char fast_sql[] = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN";

static enum res open_result(struct merge *m, struct err *e)
{
    struct merge_plan *const p = m->plan;
    const char *const stage = arena_printf(p->arena, "%s/%s", m->folder.fresh, stage_name);
    p->campaign.targets = join_targets(p, p->arena);
    TRY(journal_open(&m->out, m->folder.fresh, &p->campaign, e));
    TRY(db_exec(journal_get_db(m->out), fast_sql, e));
    TRY(db_open(&m->stage, stage, DB_CREATE, e));
    TRY(db_exec(m->stage, fast_sql, e));
    return db_exec(m->stage, merge_stage_sql, e);
}

static enum res fill_result(struct merge *m, struct err *e)
{
    const struct merge_plan *const p = m->plan;
    struct db *const out = journal_get_db(m->out);
    for (uint32_t i = 0; i < p->n; i++) {
        TRY(merge_plan_takes_any(p, i) ? visit(m, i, merge_rows_take, e) : RES_OK);
    }
    TRY(merge_rows_add(p, out, m->stage, e));
    for (uint32_t i = 0; i < p->n; i++) {
        TRY(visit(m, i, merge_rows_take_rest, e));
    }
    TRY(put_notes(m, e));
    return db_exec(out, "COMMIT", e);
}

/* The kept tapes as files, for other programs. */
static enum res export_corpus(struct merge *m, struct err *e)
{
    struct db *const out = journal_get_db(m->out);
    const char *const folder = arena_printf(m->plan->arena, "%s/corpus", m->folder.fresh);
    struct stmt *const s = db_start(out, "SELECT id FROM corpus WHERE dead_at IS NULL", "");
    int step = 0;
    enum res r = file_make_folder(folder, e);
    while (r == RES_OK && (step = stmt_step(s)) > 0) {
        struct journal_entry x;
        arena_reset(&m->scratch);
        r = journal_get_entry(m->out, stmt_int(s, 0), &m->scratch, &x, e);
        r = r == RES_OK ? corpus_write_tape(folder, &x, &m->scratch, e) : r;
    }
    if (r != RES_OK) {
        stmt_reset(s);
        return r;
    }
    return db_end_rows(out, s, step, e);
}

static enum res make_result(struct merge *m, struct merge_summary *sum, struct err *e)
{
    TRY(open_result(m, e));
    TRY(fill_result(m, e));
    TRY(export_corpus(m, e));
    int64_t n = 0;
    TRY(db_ask(journal_get_db(m->out), e, 0, &n, "SELECT count(*) FROM parts", ""));
    sum->n_parts = (uint32_t)n;
    sum->n_shards = m->plan->n_shards;
    return journal_find_missing(m->out, m->plan->arena, &sum->missing, e);
}

/* ---- its place ---- */

/* The journal and the corpus of a folder that has more, such as reports: the journal first, by one rename, as it says all. */
static enum res put_into(struct merge *m, struct err *e)
{
    static const char *const names[] = {journal_name, "corpus"};
    struct arena *const a = m->plan->arena;
    enum res r = RES_OK;
    for (size_t i = 0; i < ARRAY_N(names) && r == RES_OK; i++) {
        const char *const to = arena_printf(a, "%s/%s", m->words->out, names[i]);
        const char *const from = arena_printf(a, "%s/%s", m->folder.fresh, names[i]);
        r = i > 0 ? file_remove(to, e) : RES_OK;
        r = r == RES_OK ? file_rename(from, to, e) : r;
    }
    return r;
}

static enum res close_result(struct merge *m, bool is_there, enum res so_far, struct err *e)
{
    journal_close(m->out);
    db_close(m->stage);
    if (so_far == RES_OK) {
        so_far = file_remove(arena_printf(m->plan->arena, "%s/%s", m->folder.fresh, stage_name), e);
    }
    if (so_far == RES_OK && is_there) {
        so_far = put_into(m, e);
        struct err ignored;
        return file_remove(m->folder.fresh, so_far == RES_OK ? e : &ignored) != RES_OK &&
                       so_far == RES_OK
                   ? e->code
                   : so_far;
    }
    return file_end_folder(&m->folder, so_far, e);
}

/* Put the folders that are to be merged into p->in. The result's folder is one of them if it already holds a merged
 * campaign; a campaign in it that is not merged is refused. *is_there: the result's folder exists. */
static enum res list_folders(const struct merge_words *w, struct merge_plan *p, bool *is_there,
                             struct err *e)
{
    const char **const in = ARENA_NEW(p->arena, const char *, w->n + 1);
    const char *const path = arena_printf(p->arena, "%s/%s", w->out, journal_name);
    struct stat s;
    if (!in) {
        return err_set(e, RES_NOMEM, "no memory for %" PRIu32 " names", w->n);
    }
    memcpy(in, w->in, w->n * sizeof *in);
    p->in = in;
    p->n = w->n;
    *is_there = stat(w->out, &s) == 0;
    if (access(path, F_OK) != 0) { /* no campaign is in it */
        return RES_OK;
    }
    struct journal *j = NULL;
    TRY(owner_take(w->out, e));
    TRY(journal_join(&j, w->out, e));
    uint32_t const n_shards = journal_count_shards(j);
    journal_close(j);
    if (n_shards == 0) {
        return err_set(e, RES_USAGE, "%s: holds a campaign that is not merged; name another folder",
                       w->out);
    }
    in[p->n++] = w->out;
    return RES_OK;
}

enum res merge_campaigns(const struct merge_words *w, struct arena *a, struct merge_summary *out,
                         struct err *e)
{
    struct merge_plan *const p = ARENA_NEW(a, struct merge_plan, 1);
    struct merge m = {.words = w, .plan = p};
    bool is_there = false;
    if (!p) {
        return err_set(e, RES_NOMEM, "no memory for a merge");
    }
    p->arena = a;
    TRY(list_folders(w, p, &is_there, e));
    TRY(merge_plan_make(p, e));
    TRY(file_begin_folder(&m.folder, w->out, e));
    arena_init(&m.scratch, MERGE_ARENA_BYTES);
    enum res const r = make_result(&m, out, e);
    arena_free(&m.scratch);
    return close_result(&m, is_there, r, e);
}

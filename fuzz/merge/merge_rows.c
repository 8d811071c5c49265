/* fuzz/merge/merge_rows.c -- rows of a campaign's journal into the merged one.
 *
 * Ids are no business of several machines: what has a number of its own in a journal gets one by its key. The row of a
 * run or of a kept case is numbered by target and case index, findings count up in the order of target, case index and
 * ordinal, tapes of the corpus in that of their case index. */
#include "fuzz/merge/merge_rows.h"

#include <inttypes.h>
#include <string.h>

#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_judgement.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/journal/journal_put.h"
#include "fuzz/journal/journal_shards.h"
#include "oracle/tables/tables.h"

const char merge_stage_sql[] =
    "CREATE TABLE findings(target_id, case_index, ordinal, class, verdict, clause, signature, op,"
    " type, storage, permitted, got, operands, text, instruction);"
    "CREATE TABLE cases(target_id, class, signature, max_kept, n_bytes, case_index, ordinal);"
    "CREATE TABLE wanted(target_id, case_index, PRIMARY KEY(target_id, case_index)) WITHOUT ROWID;"
    "CREATE TABLE cells(cell INTEGER PRIMARY KEY, n_records INTEGER, case_index INTEGER);"
    "CREATE TABLE origins(case_index INTEGER PRIMARY KEY, parent INTEGER, second INTEGER,"
    " other INTEGER);"
    "CREATE TABLE entries(id INTEGER PRIMARY KEY, case_index INTEGER UNIQUE, is_alive INTEGER);";

/* ---- sums ---- */

/* A table of sums: its keys behind the target, and its counts. In a merged journal part_NAME has them by part. */
static const struct sums {
    const char *name, *target, *columns;
    const char *put, *add; /* a part's row; the sums over the parts into the plain table */
} sums[] = {
    {"targets",  "id",
     "low, n_runs, n_skipped, n_judged, n_sharp, n_anything, n_inconclusive, n_bounded,"
     " n_contended, n_interleaved, n_ordered, n_reductions, n_reductions_bounded, n_partial", "INSERT INTO part_targets VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
     "UPDATE targets SET (n_runs, n_skipped, n_judged, n_sharp, n_anything, n_inconclusive,"
     " n_bounded, n_contended, n_interleaved, n_ordered, n_reductions, n_reductions_bounded,"
     " n_partial) = (SELECT coalesce(sum(n_runs), 0), coalesce(sum(n_skipped), 0),"
     " coalesce(sum(n_judged), 0), coalesce(sum(n_sharp), 0), coalesce(sum(n_anything), 0),"
     " coalesce(sum(n_inconclusive), 0), coalesce(sum(n_bounded), 0),"
     " coalesce(sum(n_contended), 0), coalesce(sum(n_interleaved), 0),"
     " coalesce(sum(n_ordered), 0), coalesce(sum(n_reductions), 0),"
     " coalesce(sum(n_reductions_bounded), 0), coalesce(sum(n_partial), 0)"
     " FROM part_targets WHERE target_id = targets.id)"                                                                                       },
    {"verdicts", "target_id", "class, profile, verdict, n",
     "INSERT INTO part_verdicts VALUES(?,?,?,?,?,?)",                                                                                                             "INSERT INTO verdicts SELECT target_id, class, profile, verdict, sum(n) FROM part_verdicts"
     " GROUP BY 1, 2, 3, 4"                                                              },
    {"features", "target_id", "feature, outcome, n",                                          "INSERT INTO part_features VALUES(?,?,?,?,?)",
     "INSERT INTO features SELECT target_id, feature, outcome, sum(n) FROM part_features"
     " GROUP BY 1, 2, 3"                                                                                                                      },
    {"coverage", "target_id",
     "op, type, storage, outcome, n, n_sharp, n_anything, n_bounded, n_divergent",            "INSERT INTO part_coverage VALUES(?,?,?,?,?,?,?,?,?,?,?)",
     "INSERT INTO coverage SELECT target_id, op, type, storage, outcome, sum(n), sum(n_sharp),"
     " sum(n_anything), sum(n_bounded), sum(n_divergent) FROM part_coverage"
     " GROUP BY 1, 2, 3, 4, 5"                                                                                                                },
 /* of a bucket the verdict is that of its first finding */
    {"buckets",  "target_id", "class, signature, verdict, n",
     "INSERT INTO part_buckets VALUES(?,?,?,?,?,?)",                                                                                                              "INSERT INTO buckets SELECT b.target_id, b.class, b.signature,"
     " coalesce(f.verdict, b.verdict), b.n, f.id FROM (SELECT target_id, class, signature,"
     " min(verdict) AS verdict, sum(n) AS n FROM part_buckets GROUP BY 1, 2, 3) b LEFT JOIN"
     " (SELECT target_id, class, signature, verdict, min(id) AS id FROM findings GROUP BY 1, 2, 3)"
     " f ON f.target_id = b.target_id AND f.class = b.class AND f.signature = b.signature"},
};

/* Rows of a statement into another, all or those of cases that the plan takes from this journal: then the case's index
 * is in column `case_at`, from 0; ALL_ROWS: it has none. */
enum {
    ALL_ROWS = -1
};
static enum res pass_rows(struct merge_rows *m, struct stmt *from, int case_at, struct db *to,
                          const char *insert, struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    struct stmt *const put = db_start(to, insert, "");
    int step = 0;
    while ((step = stmt_step(from)) > 0) {
        if (case_at != ALL_ROWS &&
            !merge_plan_takes(m->plan, m->in, (uint64_t)stmt_int(from, case_at))) {
            continue;
        }
        if (stmt_put_row(from, put) < 0) {
            stmt_reset(from);
            return db_fail(to, e);
        }
    }
    return db_end_rows(d, from, step, e);
}

/* A statement on this journal, in which TARGET(column) is the result's id of a target. */
static const char *write_target(struct merge_rows *m, const char *column)
{
    return arena_printf(m->arena, "(CASE %s %s END)", column, m->target);
}

static enum res take_sums_of(struct merge_rows *m, uint32_t number, const struct sums *t,
                             const char *sql, struct err *e)
{
    struct stmt *const s = db_start(journal_get_db(m->from), sql, "i", (int64_t)number);
    return s ? pass_rows(m, s, ALL_ROWS, m->out, t->put, e) : db_fail(journal_get_db(m->from), e);
}

static enum res take_sums(struct merge_rows *m, const struct sums *t, struct err *e)
{
    bool const is_merged = journal_count_shards(m->from) > 0;
    const char *const sql =
        is_merged ? arena_printf(m->arena, "SELECT ?1, %s, %s FROM part_%s WHERE shard = ?1",
                                 write_target(m, "target_id"), t->columns, t->name)
                  : arena_printf(m->arena, "SELECT ?1, %s, %s FROM %s", write_target(m, t->target),
                                 t->columns, t->name);
    enum res r = RES_OK;
    for (uint32_t i = 0; i < m->plan->n_shards && r == RES_OK; i++) {
        if (m->plan->parts[i].in == m->in + 1) {
            r = take_sums_of(m, i + 1, t, sql, e);
        }
    }
    return r;
}

/* ---- what a journal of one part has only as rows ---- */

static enum res put_cross(struct merge_rows *m, const struct campaign *c, int64_t number,
                          struct err *e)
{
    for (uint32_t i = 0; i < c->n_cross; i++) {
        const struct campaign_cross *const x = &c->cross[i];
        uint32_t const one = merge_plan_find_target(m->plan, x->target_a);
        uint32_t const other = merge_plan_find_target(m->plan, x->target_b);
        TRY(db_do(m->out, e, "INSERT INTO part_cross VALUES(?, ?, ?, ?, ?, ?)", "iiituu", number,
                  (int64_t)(one < other ? one : other), (int64_t)(one < other ? other : one), x->op,
                  x->n_cases, x->example_case));
    }
    return RES_OK;
}

static enum res put_languages(struct merge_rows *m, const struct campaign *c, int64_t number,
                              struct err *e)
{
    for (uint32_t i = 0; i < c->n_languages; i++) {
        const struct campaign_language *const x = &c->languages[i];
        TRY(db_do(m->out, e, "INSERT INTO part_languages VALUES(?, ?, ?, ?, ?, ?, ?)", "iiittuu",
                  number, (int64_t)merge_plan_find_target(m->plan, x->target),
                  (int64_t)merge_plan_find_target(m->plan, x->source_target), x->verdict,
                  x->source_verdict, x->n_cases, x->example_case));
    }
    return RES_OK;
}

/* The row of a part, of a journal that is not merged: what is counted over its runs is counted now. */
static enum res put_part(struct merge_rows *m, struct err *e)
{
    struct campaign c;
    int64_t const number = (int64_t)journal_get_shard(m->from).index + 1;
    TRY(journal_load(m->from, m->arena, &c, e));
    uint64_t n_done = 0;
    for (uint32_t i = 0; i < c.n_targets; i++) {
        n_done += c.targets[i].n_runs + c.targets[i].n_skipped;
    }
    TRY(db_do(m->out, e, "INSERT INTO parts VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", "iuuuuuutt", number,
              n_done, c.n_cases, c.n_in_both, c.wall_ns, c.harness_cpu_ns, c.worker_cpu_ns,
              c.started, c.mpfr_version));
    TRY(put_cross(m, &c, number, e));
    return put_languages(m, &c, number, e);
}

/* Copy into the result the parts that the plan takes from this journal, which is itself a merged one: for each part
 * its row, its comparisons of two targets (part_cross) and those of two source languages (part_languages). Ids of
 * targets are translated on the way, and the smaller id of a compared pair comes first. */
static enum res take_merged_parts(struct merge_rows *m, struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    const char *const cross =
        arena_printf(m->arena,
                     "SELECT shard, min(%s, %s), max(%s, %s), op, n, case_index FROM part_cross"
                     " WHERE shard = ?1",
                     write_target(m, "target_id"), write_target(m, "other_id"),
                     write_target(m, "target_id"), write_target(m, "other_id"));
    const char *const languages =
        arena_printf(m->arena,
                     "SELECT shard, %s, %s, verdict, other_verdict, n, case_index FROM"
                     " part_languages WHERE shard = ?1",
                     write_target(m, "target_id"), write_target(m, "other_id"));
    for (uint32_t i = 0; i < m->plan->n_shards; i++) {
        /* `in` of a part is 1 + the journal that it is taken from; 0: none has it */
        if (m->plan->parts[i].in != m->in + 1) {
            continue;
        }
        int64_t const number = (int64_t)i + 1;
        TRY(pass_rows(m, db_start(d, "SELECT * FROM parts WHERE shard = ?1", "i", number), ALL_ROWS,
                      m->out, "INSERT INTO parts VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", e));
        TRY(pass_rows(m, db_start(d, cross, "i", number), ALL_ROWS, m->out,
                      "INSERT INTO part_cross VALUES(?, ?, ?, ?, ?, ?)", e));
        TRY(pass_rows(m, db_start(d, languages, "i", number), ALL_ROWS, m->out,
                      "INSERT INTO part_languages VALUES(?, ?, ?, ?, ?, ?, ?)", e));
    }
    return RES_OK;
}

/* ---- cases ---- */

/* Tables of cases: columns behind the target's id, which is one of the table; which rows; where they go. A run is numbered
 * by its key: 64 targets at most and indices below 2^48. */
static const struct cases {
    const char *columns, *from, *insert;
    bool is_staged;
} cases[] = {
    {"case_index, ordinal, class, verdict, clause, signature, op, type, storage, permitted, got,"
     " operands, text, instruction",                              "findings",                   "INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",           true },
    {"case_index, is_done, profile, verdict, case_hash, cross_values",
     "(SELECT DISTINCT target_id, case_index FROM findings) JOIN runs USING(target_id, case_index)", "INSERT INTO runs VALUES((?1 << 48) | ?2, ?1, ?2, ?3, ?4, ?5, ?6, ?7)", false},
    {"case_index, name, value, case_hash",                             "statistics",
     "INSERT OR REPLACE INTO statistics VALUES(?, ?, ?, ?, ?)",                                                                                                              false},
};

/* What cases with findings were made of, by the case indices of the tapes. */
static enum res take_origins(struct merge_rows *m, struct err *e)
{
    return pass_rows(m,
                     db_start(journal_get_db(m->from),
                              "SELECT o.case_index, p.case_index, q.case_index, o.other FROM"
                              " (SELECT DISTINCT case_index FROM findings)"
                              " JOIN origins o USING(case_index) JOIN corpus p ON p.id = o.parent"
                              " LEFT JOIN corpus q ON q.id = o.other",
                              ""),
                     0, m->stage, "INSERT OR IGNORE INTO origins VALUES(?, ?, ?, ?)", e);
}

/* The names of violations, for SQL's IN. */
static const char *write_violations(struct arena *a)
{
    const char *names = "''";
    for (int v = 0; v < VERDICT_N; v++) {
        if (verdict_rows[v].part == PART_VIOLATION) {
            names = arena_printf(a, "%s, '%s'", names, verdict_rows[v].name);
        }
    }
    return names;
}

/* The findings whose cases this journal keeps. Each shard filled its buckets by itself: of all that come together a
 * bucket keeps the smallest cases, as many as one journal would. */
static enum res list_kept(struct merge_rows *m, struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    const char *const sql = arena_printf(
        m->arena,
        "SELECT %s, f.class, f.signature, CASE WHEN f.verdict IN (%s) THEN %d ELSE %d END,"
        " length(k.testcase), f.case_index, f.ordinal FROM kept k JOIN findings f ON"
        " f.target_id = k.target_id AND f.case_index = k.case_index",
        write_target(m, "f.target_id"), write_violations(m->arena), JOURNAL_KEEP_VIOLATIONS,
        JOURNAL_KEEP_DIVERGENCES);
    struct stmt *const s = db_start(d, sql, "");
    return s ? pass_rows(m, s, 5, m->stage, "INSERT INTO cases VALUES(?, ?, ?, ?, ?, ?, ?)", e)
             : db_fail(d, e);
}

static enum res take_cases(struct merge_rows *m, struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        const struct cases *const t = &cases[i];
        const char *const sql = arena_printf(m->arena, "SELECT %s, %s FROM %s",
                                             write_target(m, "target_id"), t->columns, t->from);
        struct stmt *const s = db_start(d, sql, "");
        if (!s) {
            return db_fail(d, e);
        }
        TRY(pass_rows(m, s, 1, t->is_staged ? m->stage : m->out, t->insert, e));
    }
    TRY(list_kept(m, e));
    return take_origins(m, e);
}

static const char put_tape[] = "INSERT OR IGNORE INTO tapes VALUES(?, ?, ?)";

/* Tapes of the first cases of what was compared in a part, where they do not come of seed and index. */
static enum res take_examples(struct merge_rows *m, uint32_t number, struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    struct stmt *const s = db_start(m->out,
                                    "SELECT case_index FROM part_cross WHERE shard = ?1 UNION"
                                    " SELECT case_index FROM part_languages WHERE shard = ?1",
                                    "i", (int64_t)number);
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        enum res const r =
            pass_rows(m,
                      db_start(d,
                               "SELECT case_index, tape, profile FROM tapes WHERE case_index = ?"
                               " AND profile NOT NULL",
                               "i", stmt_int(s, 0)),
                      ALL_ROWS, m->out, put_tape, e);
        if (r != RES_OK) {
            stmt_reset(s);
            return r;
        }
    }
    return db_end_rows(m->out, s, step, e);
}

enum res merge_rows_take(struct merge_rows *m, struct err *e)
{
    for (size_t i = 0; i < ARRAY_N(sums); i++) {
        TRY(take_sums(m, &sums[i], e));
    }
    TRY(journal_count_shards(m->from) ? take_merged_parts(m, e) : put_part(m, e));
    TRY(take_cases(m, e));
    for (uint32_t i = 0; i < m->plan->n_shards; i++) {
        TRY(m->plan->parts[i].in == m->in + 1 ? take_examples(m, i + 1, e) : RES_OK);
    }
    /* of each cell the smallest tape, of these the first */
    return pass_rows(m,
                     db_start(journal_get_db(m->from),
                              "SELECT cell, n_records, case_index FROM cells JOIN corpus ON"
                              " corpus.id = cells.entry",
                              ""),
                     2, m->stage,
                     "INSERT INTO cells VALUES(?, ?, ?) ON CONFLICT(cell) DO UPDATE SET"
                     " n_records = excluded.n_records, case_index = excluded.case_index WHERE"
                     " (excluded.n_records, excluded.case_index) < (n_records, case_index)",
                     e);
}

/* ---- after all journals ---- */

/* The cases that are kept: of each bucket the smallest. */
static const char wanted_sql[] =
    "INSERT OR IGNORE INTO wanted SELECT target_id, case_index FROM (SELECT target_id, case_index,"
    " max_kept, row_number() OVER (PARTITION BY target_id, class, signature ORDER BY n_bytes,"
    " case_index, ordinal) AS place FROM cases) WHERE place <= max_kept";

/* The tapes that the corpus keeps: those that a cell is kept for, and of which kept cases were made. */
static const char entries_sql[] =
    "INSERT INTO entries(case_index, is_alive) SELECT case_index, max(is_alive) FROM"
    " (SELECT case_index, 1 AS is_alive FROM cells UNION SELECT parent, 0 FROM origins"
    " UNION SELECT second, 0 FROM origins WHERE second NOT NULL)"
    " GROUP BY case_index ORDER BY case_index";

/* Complete the result after all journals are read, from the tables of the staging database: targets, findings in
 * their order, the sums over all parts, and times. Then choose which cases and which tapes of the corpus are kept, and
 * add the corpus: its cells and the origins of the kept cases. */
enum res merge_rows_add(const struct merge_plan *p, struct db *out, struct db *stage, struct err *e)
{
    for (uint32_t i = 0; i < p->n_targets; i++) {
        TRY(db_do(out, e,
                  "INSERT INTO targets VALUES(?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
                  "itt", (int64_t)i + 1, p->targets[i].name, p->targets[i].facts));
    }
    TRY(db_copy_rows(
        stage,
        db_start(stage, "SELECT * FROM findings ORDER BY target_id, case_index, ordinal", ""), out,
        "INSERT INTO findings VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", e));
    for (size_t i = 0; i < ARRAY_N(sums); i++) {
        TRY(db_do(out, e, sums[i].add, ""));
    }
    TRY(db_do(out, e,
              "INSERT INTO times SELECT wall_ns, harness_cpu_ns, worker_cpu_ns FROM parts"
              " ORDER BY shard",
              ""));
    TRY(db_do(stage, e, wanted_sql, ""));
    TRY(db_do(stage, e,
              "DELETE FROM origins WHERE case_index NOT IN (SELECT case_index FROM wanted)", ""));
    TRY(db_do(stage, e, entries_sql, ""));
    TRY(db_copy_rows(
        stage,
        db_start(stage, "SELECT cell, id FROM cells JOIN entries USING(case_index) ORDER BY cell",
                 ""),
        out, "INSERT INTO cells VALUES(?, ?)", e));
    return db_copy_rows(
        stage,
        db_start(stage,
                 "SELECT o.case_index, p.id, coalesce(q.id, min(o.other, 0)) FROM origins o"
                 " JOIN entries p ON p.case_index = o.parent"
                 " LEFT JOIN entries q ON q.case_index = o.second ORDER BY o.case_index",
                 ""),
        out, "INSERT INTO origins VALUES(?, ?, ?)", e);
}

/* The tape of row `from_id` as that of an entry. What nothing is kept for is dead from the beginning. */
static enum res take_entry(struct merge_rows *m, int64_t from_id, int64_t id, bool is_alive,
                           struct err *e)
{
    struct stmt *const s = db_start(
        journal_get_db(m->from),
        "SELECT ?1, case_index, profile, n_records, hash, tape, CASE ?2 WHEN 1 THEN NULL ELSE 0 END"
        " FROM corpus WHERE id = ?3",
        "iii", id, (int64_t)is_alive, from_id);
    return pass_rows(m, s, ALL_ROWS, m->out,
                     "INSERT OR IGNORE INTO corpus VALUES(?, ?, ?, ?, ?, ?, ?)", e);
}

static enum res take_entries(struct merge_rows *m, struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    struct stmt *const s = db_start(d, "SELECT id, case_index FROM corpus ORDER BY id", "");
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        int64_t const index = stmt_int(s, 1);
        struct stmt *const entry =
            db_start(m->stage, "SELECT id, is_alive FROM entries WHERE case_index = ?", "i", index);
        int const found = merge_plan_takes(m->plan, m->in, (uint64_t)index) ? stmt_step(entry) : 0;
        enum res r = found < 0 ? db_fail(m->stage, e) : RES_OK;
        if (found > 0) {
            r = take_entry(m, stmt_int(s, 0), stmt_int(entry, 0), stmt_int(entry, 1) != 0, e);
            stmt_reset(entry);
        }
        if (r != RES_OK) {
            stmt_reset(s);
            return r;
        }
    }
    return db_end_rows(d, s, step, e);
}

/* A kept case, by its row, with its judgement and its tape. It is numbered by its key, as a run. */
static enum res take_case(struct merge_rows *m, int64_t row, int64_t case_index, const char *select,
                          struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    TRY(pass_rows(
        m, db_start(d, select, "i", row), ALL_ROWS, m->out,
        "INSERT OR IGNORE INTO kept(rowid, target_id, case_index, testcase, observation,"
        " disassembly, log, crash_signature) VALUES((?1 << 48) | ?2, ?1, ?2, ?3, ?4, ?5, ?6,"
        " ?7)",
        e));
    TRY(journal_copy_judgements(
        d, db_start(d, "SELECT testcase, observation FROM kept WHERE rowid = ?", "i", row), m->out,
        e));
    return pass_rows(m,
                     db_start(d, "SELECT case_index, tape, profile FROM tapes WHERE case_index = ?",
                              "i", case_index),
                     ALL_ROWS, m->out, put_tape, e);
}

/* Copy the kept cases of this journal that the result keeps too. The plan must take the case from this journal, and
 * the case must be among the wanted ones, which are the smallest of each bucket. */
static enum res take_kept(struct merge_rows *m, struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    const char *const keys = arena_printf(m->arena, "SELECT rowid, %s, case_index FROM kept",
                                          write_target(m, "target_id"));
    const char *const select =
        arena_printf(m->arena,
                     "SELECT %s, case_index, testcase, observation, disassembly, log,"
                     " crash_signature FROM kept WHERE rowid = ?",
                     write_target(m, "target_id"));
    struct stmt *const s = db_start(d, keys, "");
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        int64_t const row_id = stmt_int(s, 0), target_id = stmt_int(s, 1), index = stmt_int(s, 2);
        int64_t is_wanted = 0;
        enum res r = RES_OK;
        if (merge_plan_takes(m->plan, m->in, (uint64_t)index)) {
            r = db_ask(m->stage, e, 0, &is_wanted,
                       "SELECT 1 FROM wanted WHERE target_id = ? AND case_index = ?", "ii",
                       target_id, index);
        }
        if (r == RES_OK && is_wanted) {
            r = take_case(m, row_id, index, select, e);
        }
        if (r != RES_OK) {
            stmt_reset(s);
            return r;
        }
    }
    return db_end_rows(d, s, step, e);
}

/* What triage found out is of a bucket, and is kept by its first finding, which may be another one than where it was looked
 * into. Of two triages of one bucket the complete one, then that of more runs, the smaller case, the longer one; then that
 * whose bytes come first. */
static const char put_triage[] =
    "INSERT INTO triage SELECT b.first_finding, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, "
    "?16, ?17,"
    " ?18, ?19, ?20, ?21, ?22 FROM findings f JOIN buckets b ON b.target_id = f.target_id AND"
    " b.class = f.class AND b.signature = f.signature WHERE f.target_id = ?1 AND"
    " f.case_index = ?2 AND f.ordinal = ?3 AND f.signature = ?4 ON CONFLICT(finding_id) DO UPDATE "
    "SET"
    " n_runs = excluded.n_runs, n_shown = excluded.n_shown,"
    " n_loaded_runs = excluded.n_loaded_runs, n_loaded_shown = excluded.n_loaded_shown,"
    " is_flaky = excluded.is_flaky, n_before = excluded.n_before, n_after = excluded.n_after,"
    " smallest = excluded.smallest, twin = excluded.twin, matrix = excluded.matrix,"
    " wall_ns = excluded.wall_ns, testcase = excluded.testcase,"
    " observation = excluded.observation, cause = excluded.cause, bug = excluded.bug,"
    " first_wrong = excluded.first_wrong, is_cut = excluded.is_cut, n_alike = excluded.n_alike"
    " WHERE (excluded.is_cut, -excluded.n_runs, excluded.n_after, -excluded.wall_ns,"
    " excluded.testcase, excluded.observation, excluded.matrix) <"
    " (is_cut, -n_runs, n_after, -wall_ns, testcase, observation, matrix)";

static enum res take_triage(struct merge_rows *m, struct err *e)
{
    struct db *const d = journal_get_db(m->from);
    const char *const sql = arena_printf(
        m->arena,
        "SELECT %s, f.case_index, f.ordinal, f.signature, t.n_runs, t.n_shown, t.n_loaded_runs,"
        " t.n_loaded_shown, t.is_flaky, t.n_before, t.n_after, t.smallest, t.twin, t.matrix,"
        " t.wall_ns, t.testcase, t.observation, t.cause, t.bug, t.first_wrong, t.is_cut, t.n_alike"
        " FROM triage t JOIN findings f ON f.id = t.finding_id",
        write_target(m, "f.target_id"));
    TRY(journal_copy_judgements(d, db_start(d, "SELECT testcase, observation FROM triage", ""),
                                m->out, e));
    struct stmt *const s = db_start(d, sql, "");
    return s ? pass_rows(m, s, ALL_ROWS, m->out, put_triage, e) : db_fail(d, e);
}

enum res merge_rows_take_rest(struct merge_rows *m, struct err *e)
{
    TRY(take_entries(m, e));
    TRY(take_kept(m, e));
    return take_triage(m, e);
}

/* fuzz/journal/journal_load.c -- the whole campaign out of the journal, for reports and replays. */
#include "fuzz/journal/journal_load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/io/db.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/bucket.h"
#include "fuzz/journal/journal_shards.h"
#include "fuzz/journal/remark.h"
#include "fuzz/journal/unlisted.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

enum {
    LOAD_MAX_FINDINGS = 5000,
    LANGUAGE_MAX_ROWS = 1000,
    CROSS_ROW_BYTES = 12
};
/* Of all that is loaded: a campaign of years has a tenth of it. */
#define LOAD_MAX_BYTES   ((size_t)24 << 20)
#define LOAD_SPARE_BYTES ((size_t)64 << 10)

const char *const bug_state_names[BUG_STATE_N] = {
    [BUG_STATE_OPEN] = "open",
    [BUG_STATE_FIXED] = "fixed in",
    [BUG_STATE_DUPLICATE] = "duplicate of",
    [BUG_STATE_NOT_SEEN] = "not seen",
    [BUG_STATE_INVALID] = "invalid",
};
const char *const baseline_names[BASELINE_N] = {
    [BASELINE_NONE] = "",
    [BASELINE_NEW] = "new",
    [BASELINE_THERE] = "still there",
    [BASELINE_FIXED] = "fixed",
    [BASELINE_REMAINS] = "not seen (still there when run again)",
    [BASELINE_FLAKY] = "not seen (flaky)",
    [BASELINE_UNKNOWN] = "not seen (not known whether fixed)",
};

const struct campaign_target *campaign_find_target(const struct campaign *c, int64_t id)
{
    for (uint32_t i = 0; i < c->n_targets; i++) {
        if (c->targets[i].id == id) {
            return &c->targets[i];
        }
    }
    return NULL;
}

int campaign_is_violation(const struct campaign_finding *f)
{
    int const kind = verdict_find(f->verdict);
    return kind >= 0 && verdict_rows[kind].part == PART_VIOLATION &&
           strcmp(f->class, case_class_names[CLASS_UNADVERTISED]) != 0;
}

/* The number that a query of one row answers; negative on error. */
static int64_t count_rows(struct stmt *s)
{
    int64_t const n = stmt_step(s) > 0 ? stmt_int(s, 0) : -1;
    stmt_reset(s);
    return n;
}

/* One more profile of a target, or more runs of one. */
static void add_profile(struct campaign_target *t, const char *name, uint64_t n)
{
    uint32_t i = 0;
    while (i < t->n_profiles && strcmp(t->profiles[i].name, name) != 0) {
        i++;
    }
    if (i == t->n_profiles && i < JOURNAL_MAX_PROFILES) {
        t->profiles[t->n_profiles++] = (struct campaign_profile){.name = name, .n_runs = 0};
    }
    if (i < t->n_profiles) {
        t->profiles[i].n_runs += n;
    }
}

/* Read how many runs of a target got which verdict. Runs of cases that the target does not list are only
 * counted, as its verdicts are about what it promises. */
static enum res load_verdicts(struct db *d, struct arena *a, struct campaign_target *t,
                              struct err *e)
{
    struct stmt *s = db_start(
        d, "SELECT class, profile, verdict, n FROM verdicts WHERE target_id = ?", "i", t->id);
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        bool const is_listed =
            strcmp(stmt_text(s, 0, a), case_class_names[CLASS_UNADVERTISED]) != 0;
        int const verdict = verdict_find(stmt_text(s, 2, a));
        uint64_t const n = (uint64_t)stmt_int(s, 3);
        add_profile(t, stmt_text(s, 1, a), n);
        if (!is_listed) {
            t->n_unadvertised += n;
        } else if (verdict >= 0) {
            t->n_verdict[verdict] += n;
        }
    }
    return db_end_rows(d, s, step, e);
}

/* Read the targets of a campaign with their counts and verdicts. Cases a second are of all the time that the
 * campaign was run. */
static enum res load_targets(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    enum {
        FIRST_COUNT = 3 /* column */
    };
    int64_t const n = count_rows(db_start(d, "SELECT count(*) FROM targets", ""));
    if (n > JOURNAL_MAX_TARGETS) {
        return err_set(e, RES_FORMAT, "%s/journal.sqlite: %" PRId64 " targets, at most %d can be",
                       out->folder, n, JOURNAL_MAX_TARGETS);
    }
    out->targets = n >= 0 ? ARENA_NEW(a, struct campaign_target, n ? n : 1) : NULL;
    if (!out->targets) {
        return n < 0 ? db_fail(d, e) : err_set(e, RES_NOMEM, "no memory for the targets");
    }
    struct stmt *s =
        db_start(d,
                 "SELECT id, name, facts, n_runs, n_skipped, n_judged, n_sharp, n_anything,"
                 " n_inconclusive, n_bounded, n_contended, n_interleaved, n_ordered, n_reductions,"
                 " n_reductions_bounded, n_partial FROM targets ORDER BY id",
                 "");
    int step = 0;
    while (out->n_targets < n && (step = stmt_step(s)) > 0) {
        struct campaign_target *t = &out->targets[out->n_targets++];
        t->id = stmt_int(s, 0);
        t->name = stmt_text(s, 1, a);
        t->facts = stmt_text(s, 2, a);
        uint64_t *const counts[] = {&t->n_runs,    &t->n_skipped,    &t->n_judged,
                                    &t->n_sharp,   &t->n_anything,   &t->n_inconclusive,
                                    &t->n_bounded, &t->n_contended,  &t->n_interleaved,
                                    &t->n_ordered, &t->n_reductions, &t->n_reductions_bounded,
                                    &t->n_partial};
        for (int i = 0; i < (int)ARRAY_N(counts); i++) {
            *counts[i] = (uint64_t)stmt_int(s, FIRST_COUNT + i);
        }
        t->cases_per_s = out->wall_ns ? (double)t->n_runs / ((double)out->wall_ns / 1e9) : 0.0;
    }
    TRY(db_end_rows(d, s, step, e));
    for (uint32_t i = 0; i < out->n_targets; i++) {
        TRY(load_verdicts(d, a, &out->targets[i], e));
    }
    return RES_OK;
}

/* Read one finding of each bucket of the database, which has a bucket for each signature: the first one, with
 * how often it came; by target, the most frequent first. Its log is there where its case was kept. */
static enum res load_findings(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    enum {
        FIRST_TEXT = 3 /* column */
    };
    int64_t n = count_rows(db_start(d, "SELECT count(*) FROM buckets", ""));
    n = n > LOAD_MAX_FINDINGS ? LOAD_MAX_FINDINGS : n;
    out->findings = n >= 0 ? ARENA_NEW(a, struct campaign_finding, n ? n : 1) : NULL;
    if (!out->findings) {
        return n < 0 ? db_fail(d, e) : err_set(e, RES_NOMEM, "no memory for the findings");
    }
    struct stmt *s = db_start(
        d,
        "SELECT f.id, f.target_id, f.case_index, f.verdict, f.clause, f.signature, f.op, f.type,"
        " f.storage, f.permitted, f.got, f.operands, f.text, f.instruction,"
        " coalesce(k.log, ''), coalesce(k.crash_signature, ''), f.class, b.n"
        " FROM buckets b JOIN findings f ON f.id = b.first_finding"
        " LEFT JOIN kept k ON k.target_id = f.target_id AND k.case_index = f.case_index"
        " ORDER BY b.target_id, b.n DESC, f.id",
        "");
    int step = 0;
    while (out->n_findings < n && (step = stmt_step(s)) > 0) {
        struct campaign_finding *f = &out->findings[out->n_findings++];
        f->id = stmt_int(s, 0);
        f->target_id = stmt_int(s, 1);
        f->case_index = (uint64_t)stmt_int(s, 2);
        const char **const texts[] = {
            &f->verdict,         &f->clause, &f->signature, &f->op,   &f->type,        &f->storage,
            &f->permitted,       &f->got,    &f->operands,  &f->text, &f->instruction, &f->log,
            &f->crash_signature, &f->class};
        for (int i = 0; i < (int)ARRAY_N(texts); i++) {
            *texts[i] = stmt_text(s, FIRST_TEXT + i, a);
        }
        f->n_in_bucket = (uint64_t)stmt_int(s, FIRST_TEXT + (int)ARRAY_N(texts));
        f->replay = arena_printf(a, "halfulp check %s --finding %" PRId64,
                                 printable_quote(a, out->folder), f->id);
    }
    return db_end_rows(d, s, step, e);
}

/* Read how often each instruction, type and storage was run with which outcome, and how sharply it was
 * judged. */
static enum res load_coverage(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    int64_t const n = count_rows(db_start(d, "SELECT count(*) FROM coverage", ""));
    out->coverage = n >= 0 ? ARENA_NEW(a, struct campaign_coverage, n ? n : 1) : NULL;
    if (!out->coverage) {
        return n < 0 ? db_fail(d, e) : err_set(e, RES_NOMEM, "no memory for the coverage");
    }
    struct stmt *s = db_start(d,
                              "SELECT target_id, op, type, storage, outcome, n, n_sharp,"
                              " n_anything, n_bounded, n_divergent FROM coverage",
                              "");
    int step = 0;
    while (out->n_coverage < n && (step = stmt_step(s)) > 0) {
        struct campaign_coverage *c = &out->coverage[out->n_coverage++];
        c->target_id = stmt_int(s, 0);
        c->op = stmt_text(s, 1, a);
        c->type = stmt_text(s, 2, a);
        c->storage = stmt_text(s, 3, a);
        c->outcome = stmt_text(s, 4, a);
        c->n = (uint64_t)stmt_int(s, 5);
        c->n_sharp = (uint64_t)stmt_int(s, 6);
        c->n_anything = (uint64_t)stmt_int(s, 7);
        c->n_bounded = (uint64_t)stmt_int(s, 8);
        c->n_divergent = (uint64_t)stmt_int(s, 9);
    }
    return db_end_rows(d, s, step, e);
}

/* How often the values of one instruction differ between two targets. */
struct cross_cell {
    uint64_t n_cases, first;
};
/* [OP_N][n_targets][n_targets]: the two targets in the order of their ids. */
struct cross_matrix {
    const struct campaign *c;
    struct cross_cell *cells;
};

static uint32_t find_place(const struct campaign *c, int64_t id)
{
    uint32_t i = 0;
    while (i < c->n_targets && c->targets[i].id != id) {
        i++;
    }
    return i;
}

static void count_cross(struct cross_matrix *m, int op, const uint32_t place[2], uint64_t index)
{
    uint32_t const n = m->c->n_targets;
    if (place[0] >= n || place[1] >= n) {
        return;
    }
    struct cross_cell *cell = &m->cells[((size_t)op * n + place[0]) * n + place[1]];
    cell->first = cell->n_cases == 0 || index < cell->first ? index : cell->first;
    cell->n_cases++;
}

/* A row of cross_values: -1 where it is none, or past the end. */
static int take_row(const unsigned char *p, size_t n, size_t at)
{
    return at + CROSS_ROW_BYTES <= n ? op_find_number((uint32_t)load_le(p + at, 4)) : -1;
}

/* Rows (number, hash) of two runs of one case, both in the order of ops.def, as the row at which `s` stands has them:
 * go through both lists at once, and count instructions that both judged, differently. */
static void compare_cross(struct cross_matrix *m, const uint32_t place[2], uint64_t index,
                          struct stmt *s)
{
    size_t n[2] = {0, 0};
    size_t at[2] = {0, 0};
    const unsigned char *const p[2] = {stmt_blob(s, 3, &n[0]), stmt_blob(s, 4, &n[1])};
    for (;;) {
        int const x = take_row(p[0], n[0], at[0]), y = take_row(p[1], n[1], at[1]);
        if (x < 0 || y < 0) {
            return;
        }
        if (x == y && memcmp(p[0] + at[0] + 4, p[1] + at[1] + 4, 8) != 0) {
            count_cross(m, x, place, index);
        }
        at[0] += x <= y ? CROSS_ROW_BYTES : 0;
        at[1] += y <= x ? CROSS_ROW_BYTES : 0;
    }
}

/* The environment of a target's cases; a simulated one takes both in turn. */
static const char *find_env(const struct campaign_target *t, uint64_t index)
{
    char api[16];
    (void)facts_get(t->facts, "api", api, sizeof api);
    for (int i = 0; i < ENV_N; i++) {
        if (strcmp(api, env_names[i]) == 0) {
            return env_names[i];
        }
    }
    return env_names[index % ENV_N];
}

/* A fresh tape is that of seed and index; one that was made of another is in the journal alone. */
static const char *make_cross_replay(const struct campaign *c, const struct campaign_cross *x,
                                     const struct campaign_target *t, int is_made, struct arena *a)
{
    const char *const from = is_made
                                 ? arena_printf(a, "--campaign %s", printable_quote(a, c->folder))
                                 : arena_printf(a, "--profile %s --seed %" PRIu64,
                                                printable_quote(a, c->plan.profile), c->plan.seed);
    const char *const names = arena_printf(a, "%s,%s", x->target_a, x->target_b);
    return arena_printf(a,
                        "halfulp gen %s --index %" PRIu64 " --env %s -o case-%" PRIu64
                        " && halfulp check -v --targets %s case-%" PRIu64,
                        from, x->example_case, find_env(t, x->example_case), x->example_case,
                        printable_quote(a, names), x->example_case);
}

static bool is_made(struct db *d, uint64_t case_index)
{
    struct stmt *s =
        db_start(d, "SELECT count(*) FROM tapes WHERE case_index = ? AND profile IS NOT NULL", "u",
                 case_index);
    return count_rows(s) > 0;
}

/* Turn the cells of the matrix (instruction x target x target) that are not empty into rows: on how many
 * cases the two targets gave different values for that instruction, with the first such case and how to
 * replay it. */
static enum res list_cross(struct db *d, const struct cross_matrix *m, struct arena *a,
                           struct campaign *out, struct err *e)
{
    size_t const n = m->c->n_targets;
    size_t const n_cells = OP_N * n * n;
    uint32_t n_rows = 0;
    for (size_t i = 0; i < n_cells; i++) {
        n_rows += m->cells[i].n_cases > 0;
    }
    out->cross = ARENA_NEW(a, struct campaign_cross, n_rows + !n_rows);
    if (!out->cross) {
        return err_set(e, RES_NOMEM, "no memory for the cross-target table");
    }
    for (size_t i = 0; i < n_cells; i++) {
        const struct cross_cell *const cell = &m->cells[i];
        if (cell->n_cases == 0) {
            continue;
        }
        size_t const op = i / n / n; /* the index taken apart, as struct cross_matrix says */
        const struct campaign_target *const first = &out->targets[i / n % n];
        const struct campaign_target *const second = &out->targets[i % n];
        struct campaign_cross *const x = &out->cross[out->n_cross++];
        *x = (struct campaign_cross){.op = op_rows[op].name,
                                     .target_a = first->name,
                                     .target_b = second->name,
                                     .n_cases = cell->n_cases,
                                     .example_case = cell->first};
        x->replay = make_cross_replay(out, x, first, is_made(d, x->example_case), a);
    }
    return RES_OK;
}

/* Of a merged journal: what was counted of each part. */
static enum res add_part_cross(struct db *d, struct cross_matrix *m, struct arena *a, struct err *e)
{
    struct stmt *const s =
        db_start(d,
                 "SELECT target_id, other_id, op, sum(n), min(case_index) FROM part_cross"
                 " GROUP BY target_id, other_id, op",
                 "");
    size_t const n = m->c->n_targets;
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        uint32_t const one = find_place(m->c, stmt_int(s, 0));
        uint32_t const other = find_place(m->c, stmt_int(s, 1));
        const char *const name = stmt_text(s, 2, a);
        int op = 0;
        while (op < OP_N && strcmp(op_rows[op].name, name) != 0) {
            op++;
        }
        if (one < n && other < n && op < OP_N) {
            m->cells[((size_t)op * n + one) * n + other] =
                (struct cross_cell){(uint64_t)stmt_int(s, 3), (uint64_t)stmt_int(s, 4)};
        }
    }
    return db_end_rows(d, s, step, e);
}

/* Pairs of runs of one case with other values: first the cases in which any values differ, which are few, then their runs. */
#define DIFFERENT_RUNS                                                                             \
    "WITH r AS MATERIALIZED (SELECT target_id, case_index, case_hash, cross_values FROM runs"      \
    " WHERE case_index IN (SELECT case_index FROM runs WHERE case_hash NOT NULL GROUP BY"          \
    " case_index, case_hash HAVING min(cross_values) <> max(cross_values)))"                       \
    " SELECT a.target_id, b.target_id, a.case_index, a.cross_values, b.cross_values FROM r a"      \
    " JOIN r b ON b.case_index = a.case_index AND b.case_hash = a.case_hash"                       \
    " AND b.target_id > a.target_id WHERE a.cross_values <> b.cross_values"

/* Compare what two targets gave for the same case, and count for each instruction the cases in which they
 * differ. cross_values: a hash of each instruction's values in a run; only pairs of runs that differ anywhere
 * are looked at. */
static enum res load_cross(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    struct cross_matrix m = {out, NULL};
    size_t const n_cells = (size_t)OP_N * out->n_targets * out->n_targets;
    m.cells = ARENA_NEW(a, struct cross_cell, n_cells + !n_cells);
    if (!m.cells) {
        return err_set(e, RES_NOMEM, "no memory for the cross-target table");
    }
    if (out->n_shards > 0) {
        TRY(add_part_cross(d, &m, a, e));
        return list_cross(d, &m, a, out, e);
    }
    struct stmt *const s = db_start(d, DIFFERENT_RUNS, "");
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        uint32_t const place[2] = {find_place(out, stmt_int(s, 0)),
                                   find_place(out, stmt_int(s, 1))};
        compare_cross(&m, place, (uint64_t)stmt_int(s, 2), s);
    }
    TRY(db_end_rows(d, s, step, e));
    return list_cross(d, &m, a, out, e);
}

/* Pairs of verdicts of one case on NAME and on NAME-c, where both ran it, alike ones too; of a merged journal, those that
 * differ. */
static struct stmt *start_languages(struct db *d, bool is_merged)
{
    return is_merged
               ? db_start(d,
                          "SELECT t.name, u.name, p.verdict, p.other_verdict, sum(p.n),"
                          " min(p.case_index) FROM part_languages p"
                          " JOIN targets t ON t.id = p.target_id"
                          " JOIN targets u ON u.id = p.other_id"
                          " GROUP BY p.target_id, p.other_id, p.verdict, p.other_verdict"
                          " ORDER BY t.name, sum(p.n) DESC, p.verdict, p.other_verdict",
                          "")
               : db_start(d,
                          "SELECT t.name, u.name, a.verdict, b.verdict, count(*),"
                          " min(a.case_index) FROM runs a JOIN targets t ON t.id = a.target_id"
                          " JOIN targets u ON u.name = t.name || '" TARGET_SOURCE_SUFFIX "'"
                          " JOIN runs b ON b.target_id = u.id AND b.case_index = a.case_index"
                          " WHERE a.is_done AND b.is_done"
                          " GROUP BY t.name, a.verdict, b.verdict"
                          " ORDER BY t.name, count(*) DESC, a.verdict, b.verdict",
                          "");
}

/* Read where a driver gave two verdicts to one case, as a module (target a) and from source text (target b),
 * which are two targets of that driver: how often each pair of different verdicts came, with the first such
 * case. n_in_both counts all cases that both were given. A case that was skipped has no verdict. */
static enum res load_languages(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    int step = 0;
    bool const is_merged = out->n_shards > 0;
    int64_t const n_both =
        is_merged ? count_rows(db_start(d, "SELECT coalesce(sum(n_in_both), 0) FROM parts", ""))
                  : 0;
    out->n_in_both = n_both > 0 ? (uint64_t)n_both : 0;
    out->languages = ARENA_NEW(a, struct campaign_language, LANGUAGE_MAX_ROWS);
    if (!out->languages) {
        return err_set(e, RES_NOMEM, "no memory for the table of languages");
    }
    struct stmt *const s = start_languages(d, is_merged);
    while ((step = stmt_step(s)) > 0) {
        struct campaign_language const row = {.target = stmt_text(s, 0, a),
                                              .source_target = stmt_text(s, 1, a),
                                              .verdict = stmt_text(s, 2, a),
                                              .source_verdict = stmt_text(s, 3, a),
                                              .n_cases = (uint64_t)stmt_int(s, 4),
                                              .example_case = (uint64_t)stmt_int(s, 5)};
        bool const is_known = row.verdict[0] && row.source_verdict[0];
        out->n_in_both += is_merged ? 0 : row.n_cases;
        if (is_known && strcmp(row.verdict, row.source_verdict) != 0 &&
            out->n_languages < LANGUAGE_MAX_ROWS) {
            out->languages[out->n_languages++] = row;
        }
    }
    return db_end_rows(d, s, step, e);
}

/* Count a row with that outcome. */
static void count_outcome(struct campaign_feature *f, const char *outcome, uint64_t n)
{
    uint64_t *const counts[UNLISTED_N] = {&f->n_accepted, &f->n_rejected, &f->n_crashed,
                                          &f->n_wrong};
    for (int i = 0; i < UNLISTED_N; i++) {
        if (strcmp(outcome, unlisted_names[i]) == 0) {
            *counts[i] += n;
        }
    }
}

/* Read what became of features that a target does not list but was given. The table has a row for each
 * outcome; those of one target and feature stand together and make one row of the campaign. */
static enum res load_features(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    int64_t const n =
        count_rows(db_start(d, "SELECT count(*) FROM features WHERE " REMARK_IS_FEATURE_SQL, ""));
    if (n > (int64_t)JOURNAL_MAX_TARGETS * NEED_N * UNLISTED_N) {
        return err_set(e, RES_FORMAT, "%s/journal.sqlite: %" PRId64 " rows of features",
                       out->folder, n);
    }
    out->features = n >= 0 ? ARENA_NEW(a, struct campaign_feature, n ? n : 1) : NULL;
    if (!out->features) {
        return n < 0 ? db_fail(d, e) : err_set(e, RES_NOMEM, "no memory for the features");
    }
    struct stmt *s = db_start(d,
                              "SELECT target_id, feature, outcome, n FROM features"
                              " WHERE " REMARK_IS_FEATURE_SQL " ORDER BY target_id, feature",
                              "");
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        int64_t const target_id = stmt_int(s, 0);
        const char *const feature = stmt_text(s, 1, a);
        struct campaign_feature *f =
            out->n_features > 0 ? &out->features[out->n_features - 1] : NULL;
        if (!f || f->target_id != target_id || strcmp(f->feature, feature) != 0) {
            if (out->n_features >= n) {
                break;
            }
            f = &out->features[out->n_features++];
            *f = (struct campaign_feature){.target_id = target_id, .feature = feature};
        }
        count_outcome(f, stmt_text(s, 2, a), (uint64_t)stmt_int(s, 3));
    }
    return db_end_rows(d, s, step, e);
}

/*
 * Cases: those of `halfulp run`, which all targets share, are as many as the highest index below JOURNAL_OWN_CASES
 * says (low, or m behind it), of a shard its share. Each target adds what it had besides, most of it only counted: its
 * runs and skips but for those below low and the n done ones behind low.
 */
static enum res count_cases(struct db *d, struct campaign *out, struct err *e)
{
    struct stmt *const s =
        db_start(d,
                 "SELECT low, n_runs + n_skipped, (SELECT coalesce(max(case_index) + 1, 0)"
                 " FROM runs WHERE target_id = t.id AND case_index < ?1) m,"
                 " (SELECT count(*) FROM runs WHERE target_id = t.id AND is_done = 1"
                 " AND case_index >= low AND case_index < ?1) n FROM targets t",
                 "u", JOURNAL_OWN_CASES);
    uint64_t n_shared = 0, n_own = 0;
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        uint64_t const n_low = shard_count(out->plan.shard, (uint64_t)stmt_int(s, 0));
        uint64_t const n_high = shard_count(out->plan.shard, (uint64_t)stmt_int(s, 2));
        uint64_t const n_all = (uint64_t)stmt_int(s, 1);
        uint64_t const n_known = n_low + (uint64_t)stmt_int(s, 3);
        n_shared = n_low > n_shared ? n_low : n_shared;
        n_shared = n_high > n_shared ? n_high : n_shared;
        n_own += n_all > n_known ? n_all - n_known : 0;
    }
    out->n_cases = n_shared + n_own;
    return db_end_rows(d, s, step, e);
}

/* Read the times of all sessions, and from the runs how many cases the campaign had. */
static enum res load_times(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    (void)a;
    struct stmt *s = db_start(d,
                              "SELECT coalesce(sum(wall_ns), 0), coalesce(sum(harness_cpu_ns), 0),"
                              " coalesce(sum(worker_cpu_ns), 0) FROM times",
                              "");
    if (stmt_step(s) <= 0) {
        return db_fail(d, e);
    }
    out->wall_ns = (uint64_t)stmt_int(s, 0);
    out->harness_cpu_ns = (uint64_t)stmt_int(s, 1);
    out->worker_cpu_ns = (uint64_t)stmt_int(s, 2);
    stmt_reset(s);
    if (out->n_shards > 0) {
        int64_t const n = count_rows(db_start(d, "SELECT sum(n_cases) FROM parts", ""));
        out->n_cases = n > 0 ? (uint64_t)n : 0;
        return RES_OK;
    }
    return count_cases(d, out, e);
}

bool campaign_row_passes(const struct matrix_row *row)
{
    int const kind = verdict_find(row->verdict);
    return row->n_runs > 0 && row->n_shown == 0 &&
           (kind == VERDICT_OK || kind == VERDICT_BOUNDED || kind == VERDICT_BUILT);
}

bool campaign_row_is_another(const struct matrix_row *row, const char *verdict)
{
    return row->n_runs > 0 && row->n_shown == 0 && strcmp(row->verdict, verdict) == 0;
}

const char *campaign_print_matrix(const struct campaign_triage *t, struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *row = &t->matrix[i];
        text = arena_printf(a, "%s%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%s\t%s\n", text, row->target,
                            row->verdict, row->n_shown, row->n_runs, row->with, row->version);
    }
    return text;
}

/* Read the lines that campaign_print_matrix wrote, one a target: name, verdict, how many runs showed it, of
 * how many, with which switch, of which version. What a line from elsewhere lacks is "" or 0, and more fields are passed over. */
static enum res parse_matrix(const char *text, struct arena *a, struct campaign_triage *t,
                             struct err *e)
{
    uint32_t n_max = 1;
    for (const char *p = text; *p; p++) {
        n_max += *p == '\n';
    }
    struct matrix_row *rows = ARENA_NEW(a, struct matrix_row, n_max);
    if (!rows) {
        return err_set(e, RES_NOMEM, "no memory for the triage");
    }
    while (*text) {
        const char *fields[6];
        for (size_t i = 0; i < ARRAY_N(fields); i++) {
            size_t const n = strcspn(text, "\t\n");
            fields[i] = arena_printf(a, "%.*s", (int)n, text);
            text += n + (text[n] == '\t');
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
        rows[t->n_matrix++] = (struct matrix_row){.target = fields[0],
                                                  .verdict = fields[1],
                                                  .n_shown = (uint32_t)strtoul(fields[2], NULL, 10),
                                                  .n_runs = (uint32_t)strtoul(fields[3], NULL, 10),
                                                  .with = fields[4],
                                                  .version = fields[5]};
    }
    t->matrix = rows;
    return RES_OK;
}

/* Read what triage found out about a finding; f->triage stays NULL where nobody looked into it. */
static enum res load_triage_of(struct db *d, struct arena *a, struct campaign_finding *f,
                               struct err *e)
{
    struct stmt *s =
        db_start(d,
                 "SELECT n_runs, n_shown, n_loaded_runs, n_loaded_shown, is_flaky, n_before,"
                 " n_after, smallest, twin, matrix, wall_ns, cause, bug, first_wrong, is_cut, "
                 "n_alike FROM triage "
                 "WHERE finding_id = ?",
                 "i", f->id);
    int const step = stmt_step(s);
    if (step <= 0) {
        return step < 0 ? db_fail(d, e) : RES_OK;
    }
    struct campaign_triage *t = ARENA_NEW(a, struct campaign_triage, 1);
    if (!t) {
        return err_set(e, RES_NOMEM, "no memory for the triage");
    }
    *t = (struct campaign_triage){.n_runs = (uint32_t)stmt_int(s, 0),
                                  .n_shown = (uint32_t)stmt_int(s, 1),
                                  .n_loaded_runs = (uint32_t)stmt_int(s, 2),
                                  .n_loaded_shown = (uint32_t)stmt_int(s, 3),
                                  .is_flaky = stmt_int(s, 4) != 0,
                                  .n_before = (uint32_t)stmt_int(s, 5),
                                  .n_after = (uint32_t)stmt_int(s, 6),
                                  .smallest = stmt_text(s, 7, a),
                                  .variant = stmt_text(s, 8, a),
                                  .wall_ns = (uint64_t)stmt_int(s, 10),
                                  .cause = stmt_text(s, 11, a),
                                  .bug = stmt_text(s, 12, a),
                                  .first_wrong = stmt_text(s, 13, a),
                                  .is_cut = stmt_int(s, 14) != 0,
                                  .n_alike = (uint32_t)stmt_int(s, 15)};
    enum res const r = parse_matrix(stmt_text(s, 9, a), a, t, e);
    stmt_reset(s);
    TRY(r);
    f->triage = t;
    return RES_OK;
}

static enum res load_triage(struct db *d, struct arena *a, struct campaign *c, struct err *e)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        TRY(load_triage_of(d, a, &c->findings[i], e));
    }
    return RES_OK;
}

bool campaign_is_closed(const struct campaign_finding *f)
{
    return f->state && !f->is_back &&
           (f->state->kind == BUG_STATE_FIXED || f->state->kind == BUG_STATE_DUPLICATE ||
            f->state->kind == BUG_STATE_INVALID);
}

bool campaign_is_new(const struct campaign *c, const struct campaign_finding *f)
{
    bool const is_head = f->bucket < c->n_findings && &c->findings[f->bucket] == f;
    bool const was_met = f->baseline == BASELINE_THERE ||
                         (f->since && c->started && strcmp(f->since, c->started) < 0);
    if (!is_head || !campaign_is_violation(f) || f->expected) {
        return false;
    }
    return f->is_back || (!f->state && !was_met);
}

/* Group n findings of one target and class, number at[0], at[1], ... of c->findings, into buckets: each gets the
 * number of the finding that names its bucket. */
static enum res group(struct campaign *c, const uint32_t *at, uint32_t n, struct arena *a,
                      struct err *e)
{
    struct signature *signatures = ARENA_NEW(a, struct signature, n);
    uint32_t *of = ARENA_NEW(a, uint32_t, n);
    if (!signatures || !of) {
        return err_set(e, RES_NOMEM, "no memory for the buckets");
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct campaign_finding *const f = &c->findings[at[i]];
        signatures[i] = signature_parse(f->signature, a);
        if (f->expected) { /* a row's are one bucket, however they are known */
            signatures[i].known = f->expected->signature;
        } else if (f->known_as) {
            signatures[i].known = f->known_as;
        }
    }
    TRY(bucket_group(signatures, n, a, of, e));
    for (uint32_t i = 0; i < n; i++) {
        struct campaign_finding *f = &c->findings[at[i]];
        f->bucket = at[of[i]];
        f->core = signatures[i].core;
        f->family = signatures[i].family;
        c->findings[f->bucket].n_all += f->n_in_bucket;
    }
    return RES_OK;
}

/* May what triage found out join the bucket that this finding names with another? What a row or a known bug stands
 * for is a bucket by that. */
static bool is_open_bucket(const struct campaign *c, uint32_t i)
{
    const struct campaign_finding *const f = &c->findings[i];
    return f->bucket == i && f->triage && !f->expected && !f->known_as;
}

bool campaign_is_bug_of(const struct campaign_triage *t, const char *core, const char *bug)
{
    return (t->bug[0] && strcmp(t->bug, bug) == 0) ||
           (t->first_wrong[0] && core_is_of(core, t->first_wrong));
}

/* Is bucket `other` the bug of bucket `head`? */
static bool is_same_bug(const struct campaign_finding *head, const struct campaign_finding *other)
{
    return head->target_id == other->target_id && strcmp(head->class, other->class) == 0 &&
           campaign_is_bug_of(other->triage, head->core, head->triage->bug);
}

/* Bucket `other` becomes part of that of `head`. */
static void join(struct campaign *c, uint32_t head, uint32_t other)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        if (c->findings[i].bucket == other) {
            c->findings[i].bucket = head;
        }
    }
    c->findings[head].n_all += c->findings[other].n_all;
    c->findings[other].n_all = 0;
}

/* Every bucket that is the bug of this one joins it. */
static void join_to(struct campaign *c, uint32_t head)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        if (i != head && is_open_bucket(c, i) && is_same_bug(&c->findings[head], &c->findings[i])) {
            join(c, head, i);
        }
    }
}

/* Join the buckets that triage found to be one bug; those first whose case was made smaller, which name it. */
static void join_by_triage(struct campaign *c)
{
    for (uint32_t head = 0; head < c->n_findings; head++) {
        if (is_open_bucket(c, head) && c->findings[head].triage->n_before > 0) {
            join_to(c, head);
        }
    }
    for (uint32_t head = 0; head < c->n_findings; head++) {
        if (is_open_bucket(c, head)) {
            join_to(c, head);
        }
    }
}

enum res campaign_group(struct campaign *c, struct arena *a, struct err *e)
{
    uint32_t *at = ARENA_NEW(a, uint32_t, c->n_findings + 1); /* findings like the i-th */
    unsigned char *is_done = ARENA_NEW(a, unsigned char, c->n_findings + 1);
    if (!at || !is_done) {
        return err_set(e, RES_NOMEM, "no memory for the buckets");
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        c->findings[i].n_all = 0;
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        uint32_t n = 0;
        if (is_done[i]) {
            continue;
        }
        for (uint32_t k = i; k < c->n_findings; k++) {
            if (c->findings[k].target_id == c->findings[i].target_id &&
                strcmp(c->findings[k].class, c->findings[i].class) == 0) {
                at[n++] = k;
                is_done[k] = 1;
            }
        }
        TRY(group(c, at, n, a, e));
    }
    join_by_triage(c);
    return RES_OK;
}

static enum res group_buckets(struct db *d, struct arena *a, struct campaign *c, struct err *e)
{
    (void)d;
    return campaign_group(c, a, e);
}

enum res journal_sum_wall(struct journal *j, uint64_t *wall_ns, struct err *e)
{
    struct campaign c = {.n_cases = 0};
    enum res const r = load_times(journal_get_db(j), NULL, &c, e);
    *wall_ns = r == RES_OK ? c.wall_ns : 0;
    return r;
}

/* What is kept of runs besides their verdicts, with the commands that build what was slow again. */
static enum res load_remarks(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    TRY(journal_load_remarks(d, a, out, e));
    for (uint32_t i = 0; i < out->n_slow; i++) {
        struct campaign_slow_build *const x = &out->slow[i];
        const struct campaign_target *const t = campaign_find_target(out, x->target_id);
        x->replay =
            arena_printf(a,
                         "halfulp gen --campaign %s --index %" PRIu64 " --env %s -o case-%" PRIu64
                         " && halfulp check -v --targets %s case-%" PRIu64,
                         printable_quote(a, out->folder), x->case_index,
                         t ? find_env(t, x->case_index) : env_names[ENV_CL], x->case_index,
                         printable_quote(a, t ? t->name : "?"), x->case_index);
    }
    return RES_OK;
}

/* In an order in which each has what it needs of those before it. */
static enum res (*const loaders[])(struct db *, struct arena *, struct campaign *, struct err *) = {
    load_times,    load_targets,  load_findings, load_triage,    group_buckets,
    load_coverage, load_features, load_cross,    load_languages, load_remarks,
};

static enum res load_all(struct journal *j, struct arena *a, struct campaign *out, struct err *e)
{
    enum res r = journal_get_plan(j, a, &out->plan, e);
    if (r == RES_OK) {
        r = journal_find_missing(j, a, &out->missing, e);
    }
    out->n_shards = journal_count_shards(j);
    out->folder = arena_printf(a, "%s", journal_get_folder(j));
    out->started = journal_get_note(j, "started", a);
    out->mpfr_version = journal_get_note(j, "mpfr_version", a);
    out->generator = arena_printf(a, "halfulp generator %" PRIu32, out->plan.gen_version);
    for (size_t i = 0; i < ARRAY_N(loaders) && r == RES_OK; i++) {
        r = loaders[i](journal_get_db(j), a, out, e);
    }
    return r;
}

enum res journal_load(struct journal *j, struct arena *a, struct campaign *out, struct err *e)
{
    size_t const limit = a->limit_bytes;
    size_t const left = limit - a->used_bytes;
    memset(out, 0, sizeof(*out));
    TRY(journal_flush(j, e));
    db_limit_time(journal_get_db(j), 1);
    a->limit_bytes = left > LOAD_MAX_BYTES ? a->used_bytes + LOAD_MAX_BYTES : limit;
    enum res r = load_all(j, a, out, e);
    bool const is_short = a->is_full || a->limit_bytes - a->used_bytes < LOAD_SPARE_BYTES;
    if (r == RES_NOMEM || (r == RES_OK && is_short)) {
        r = err_set(e, RES_FORMAT, "%s/journal.sqlite: more than %zu MiB would have to be loaded",
                    journal_get_folder(j), LOAD_MAX_BYTES >> 20);
    }
    a->limit_bytes = limit;
    db_limit_time(journal_get_db(j), 0);
    return r;
}

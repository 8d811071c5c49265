/* fuzz/journal/journal_load.c -- the whole campaign out of the journal, for reports and replays. */
#include "fuzz/journal/journal_load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/io/db.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/campaign_group.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_cross.h"
#include "fuzz/journal/journal_remark.h"
#include "fuzz/journal/journal_shards.h"
#include "oracle/judgement/unlisted.h"
#include "oracle/tables/tables.h"

enum {
    LOAD_MAX_FINDINGS = 5000
};
/* Of all that is loaded: a campaign of years has a tenth of it. */
#define LOAD_MAX_BYTES   ((size_t)24 << 20)
#define LOAD_SPARE_BYTES ((size_t)64 << 10)

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
 * campaign was run. journal_totals.def lists the columns behind the first three, in the SELECT and in the struct
 * alike. */
static enum res load_targets(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    enum {
        FIRST_COUNT = 3 /* its column, behind id, name and facts */
    };
    int64_t const n = journal_count_rows(db_start(d, "SELECT count(*) FROM targets", ""));
    if (n > JOURNAL_MAX_TARGETS) {
        return err_set(e, RES_FORMAT, "%s/journal.sqlite: %" PRId64 " targets, at most %d can be",
                       out->folder, n, JOURNAL_MAX_TARGETS);
    }
    out->targets = n >= 0 ? ARENA_NEW(a, struct campaign_target, n ? n : 1) : NULL;
    if (!out->targets) {
        return n < 0 ? db_fail(d, e) : err_set(e, RES_NOMEM, "no memory for the targets");
    }
    static const char sql[] = "SELECT id, name, facts"
#define TOTAL(column, of) ", " #column
#include "fuzz/journal/journal_totals.def"
                              " FROM targets ORDER BY id";
    struct stmt *s = db_start(d, sql, "");
    int step = 0;
    while (out->n_targets < n && (step = stmt_step(s)) > 0) {
        struct campaign_target *t = &out->targets[out->n_targets++];
        int column_at = FIRST_COUNT;
        t->id = stmt_int(s, 0);
        t->name = stmt_text(s, 1, a);
        t->facts = stmt_text(s, 2, a);
#define TOTAL(column, of) t->column = (uint64_t)stmt_int(s, column_at++);
#include "fuzz/journal/journal_totals.def"
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
        FIRST_TEXT =
            3 /* its column, behind id, target_id and case_index; b.n is behind all texts */
    };
    int64_t n = journal_count_rows(db_start(d, "SELECT count(*) FROM buckets", ""));
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
        f->kernel = campaign_name_kernel(&out->plan, f->case_index, a);
        f->replay =
            arena_printf(a, "halfulp check %s#%" PRId64, printable_quote(a, out->folder), f->id);
    }
    return db_end_rows(d, s, step, e);
}

/* Read how often each instruction, type and storage was run with which outcome, and how sharply it was
 * judged. */
static enum res load_coverage(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    int64_t const n = journal_count_rows(db_start(d, "SELECT count(*) FROM coverage", ""));
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
    int64_t const n = journal_count_rows(
        db_start(d, "SELECT count(*) FROM features WHERE " REMARK_IS_FEATURE_SQL, ""));
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
            if (out->n_features >= n) { /* only where somebody wrote since the rows were counted */
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
 * says (low, or m after it), of a shard its share. Each target adds what it had besides, most of it only counted: its
 * runs and skips but for those below low and the n done ones after low.
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
        int64_t const n = journal_count_rows(db_start(d, "SELECT sum(n_cases) FROM parts", ""));
        out->n_cases = n > 0 ? (uint64_t)n : 0;
        return RES_OK;
    }
    return count_cases(d, out, e);
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
        const char *fields[6]; /* in the order of the header comment */
        for (size_t i = 0; i < ARRAY_N(fields); i++) {
            size_t const n = strcspn(text, "\t\n");
            fields[i] = arena_printf(a, "%.*s", (int)n, text);
            /* Before the end of a line it stops, and the fields that follow are "". */
            text += n + (text[n] == '\t');
        }
        text += strcspn(text, "\n"); /* over further fields */
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

/* Read what triage found out about a finding; f->triage stays NULL where nobody looked into it. Column "twin" is the
 * variant; "matrix" (column 9) is a text that parse_matrix takes apart. */
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
    int const step = stmt_step(s); /* 1: a row, 0: none, -1: an error */
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

const char *journal_write_rebuild(const struct campaign *c, const struct campaign_target *t,
                                  const char *targets, uint64_t case_index, struct arena *a)
{
    return arena_printf(a,
                        "halfulp gen --campaign %s --index %" PRIu64 " --env %s -o case-%" PRIu64
                        " && halfulp check -v --targets %s case-%" PRIu64,
                        printable_quote(a, c->folder), case_index,
                        t ? journal_find_env(t, case_index) : env_names[ENV_CL], case_index,
                        printable_quote(a, targets), case_index);
}

/* What is kept of runs besides their verdicts, with the commands that build what was slow again. */
static enum res load_remarks(struct db *d, struct arena *a, struct campaign *out, struct err *e)
{
    TRY(journal_load_remarks(d, a, out, e));
    for (uint32_t i = 0; i < out->n_slow; i++) {
        struct campaign_slow_build *const x = &out->slow[i];
        const struct campaign_target *const t = campaign_find_target(out, x->target_id);
        x->replay = journal_write_rebuild(out, t, t ? t->name : "?", x->case_index, a);
    }
    return RES_OK;
}

/* In an order in which each has what it needs of those before it. */
static enum res (*const loaders[])(struct db *, struct arena *, struct campaign *, struct err *) = {
    load_times,    load_targets,       load_findings,
    load_triage,   group_buckets,      load_coverage,
    load_features, journal_load_cross, journal_load_languages,
    load_remarks,
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
    out->generator =
        arena_printf(a, "halfulp (generator version %" PRIu32 ")", out->plan.gen_version);
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

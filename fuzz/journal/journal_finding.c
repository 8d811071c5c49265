/* fuzz/journal/journal_finding.c -- one finding in the journal: its case, what triage found out about it. */
#include "fuzz/journal/journal_finding.h"

#include <inttypes.h>

#include "base/testcase.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_judgement.h"
#include "oracle/judge/judge.h"

/* Judge the smallest case and keep that. One that cannot be judged is kept without. */
static enum res put_judgement(struct db *d, const struct kept_bytes *kept,
                              const struct testcase *tc, const struct observation *ob,
                              struct arena *scratch, struct err *e)
{
    struct judgement *const g = ARENA_NEW(scratch, struct judgement, 1);
    struct err ignored;
    return g && judge_run(tc, ob, scratch, g, &ignored) == RES_OK
               ? journal_put_judgement(d, kept, g, scratch, e)
               : RES_OK;
}

enum res journal_put_triage(struct journal *j, int64_t finding_id, const struct campaign_triage *t,
                            const struct testcase *tc, const struct observation *ob,
                            struct arena *scratch, struct err *e)
{
    size_t n_case = 0, n_observation = 0;
    const unsigned char *bytes = testcase_encode(tc, scratch, &n_case);
    const unsigned char *seen = observation_encode(tc, ob, scratch, &n_observation);
    if (!bytes || !seen) {
        return err_set(e, RES_NOMEM, "finding %" PRId64 ": no memory to keep its smallest case",
                       finding_id);
    }
    struct kept_bytes const kept = {bytes, seen, n_case, n_observation};
    TRY(db_do(
        journal_get_db(j), e,
        "INSERT OR REPLACE INTO triage VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?)",
        "iiiiiiiitttubbtttii", finding_id, (int64_t)t->n_runs, (int64_t)t->n_shown,
        (int64_t)t->n_loaded_runs, (int64_t)t->n_loaded_shown, (int64_t)t->is_flaky,
        (int64_t)t->n_before, (int64_t)t->n_after, t->smallest, t->variant,
        campaign_print_matrix(t, scratch), t->wall_ns, bytes, n_case, seen, n_observation, t->cause,
        t->bug, t->first_wrong, (int64_t)t->is_cut, (int64_t)t->n_alike));
    return put_judgement(journal_get_db(j), &kept, tc, ob, scratch, e);
}

/* Where a case of a finding goes. */
struct journal_case {
    struct testcase *tc;
    struct observation *ob;
    struct judgement *g; /* NULL: not asked for */
};

/* Read a case from the row (testcase, observation, facts) at which `s` stands, and if it is asked for its judgement: that
 * which is kept, or a new one. An error names the finding. */
static enum res take_case(struct journal *j, int64_t finding_id, struct stmt *s, struct arena *a,
                          struct journal_case *out, struct err *e)
{
    struct err inner = {RES_OK, ""};
    struct kept_bytes kept;
    kept.testcase = stmt_blob(s, 0, &kept.n_testcase);
    kept.observation = stmt_blob(s, 1, &kept.n_observation);
    enum res r = testcase_decode(out->tc, a, kept.testcase, kept.n_testcase, &inner);
    if (r == RES_OK) {
        r = observation_decode(out->ob, out->tc, a, kept.observation, kept.n_observation, &inner);
    }
    if (r == RES_OK && !out->ob->facts[0]) {
        out->ob->facts = stmt_text(s, 2, a);
    }
    bool const is_judged =
        r == RES_OK && out->g && journal_find_judgement(journal_get_db(j), &kept, a, out->g);
    stmt_reset(s);
    if (r == RES_OK && out->g && !is_judged) {
        r = judge_run(out->tc, out->ob, a, out->g, &inner);
    }
    return r == RES_OK ? RES_OK
                       : err_set(e, r, "%s/journal.sqlite: finding %" PRId64 ": %s",
                                 journal_get_folder(j), finding_id, inner.text);
}

/* Find the row of a query for one finding. That there is none is an error of usage: `lack` says what the finding
 * lacks, NULL: there is no such finding. */
static enum res find_row(struct journal *j, const char *sql, int64_t finding_id, const char *lack,
                         struct stmt **s, struct err *e)
{
    *s = db_start(journal_get_db(j), sql, "i", finding_id);
    int const step = stmt_step(*s);
    if (step < 0) {
        return db_fail(journal_get_db(j), e);
    }
    return step > 0 ? RES_OK
                    : err_set(e, RES_USAGE, "%s: %sfinding %" PRId64 "%s%s", journal_get_folder(j),
                              lack ? "" : "no ", finding_id, lack ? " " : "", lack ? lack : "");
}

/* The case and the observation that a finding was made with. RES_USAGE: there is no such finding, or its
 * bucket was full, so that it was kept without its case. */
static enum res get_own(struct journal *j, int64_t finding_id, struct arena *a,
                        struct journal_case *out, struct err *e)
{
    struct stmt *s = NULL;
    TRY(find_row(j,
                 "SELECT k.testcase, k.observation, t.facts FROM findings f"
                 " LEFT JOIN kept k ON k.target_id = f.target_id AND"
                 " k.case_index = f.case_index JOIN targets t ON t.id = f.target_id"
                 " WHERE f.id = ?",
                 finding_id, NULL, &s, e));
    size_t n = 0;
    (void)stmt_blob(s, 0, &n);
    if (n == 0) {
        stmt_reset(s);
        return err_set(e, RES_USAGE,
                       "%s: finding %" PRId64 " was kept without its case, its bucket was full",
                       journal_get_folder(j), finding_id);
    }
    return take_case(j, finding_id, s, a, out, e);
}

enum res journal_get_case(struct journal *j, int64_t finding_id, struct arena *a,
                          struct testcase *tc, struct observation *ob, struct err *e)
{
    struct journal_case out = {.tc = tc, .ob = ob};
    return get_own(j, finding_id, a, &out, e);
}

enum res journal_find_lightest(struct journal *j, int64_t finding_id, struct journal_light *out,
                               struct err *e)
{
    struct stmt *s = NULL;
    TRY(find_row(j,
                 "SELECT g.id, g.case_index, length(k.testcase) FROM findings f"
                 " JOIN findings g ON g.target_id = f.target_id AND"
                 " g.class = f.class AND g.signature = f.signature"
                 " JOIN kept k ON k.target_id = g.target_id AND"
                 " k.case_index = g.case_index"
                 " WHERE f.id = ? ORDER BY 3, 1 LIMIT 1",
                 finding_id, "was kept without a case", &s, e));
    *out = (struct journal_light){.id = stmt_int(s, 0),
                                  .case_index = (uint64_t)stmt_int(s, 1),
                                  .n_bytes = (uint64_t)stmt_int(s, 2)};
    stmt_reset(s);
    return RES_OK;
}

enum res journal_list_kept(struct journal *j, int64_t finding_id, uint32_t max, int64_t *ids,
                           uint32_t *n, struct err *e)
{
    struct db *const d = journal_get_db(j);
    struct stmt *const s =
        db_start(d,
                 "SELECT g.id FROM findings f JOIN findings g ON g.target_id = f.target_id AND"
                 " g.class = f.class AND g.signature = f.signature"
                 " JOIN kept k ON k.target_id = g.target_id AND k.case_index = g.case_index"
                 " WHERE f.id = ? ORDER BY g.id LIMIT ?",
                 "ii", finding_id, (int64_t)max);
    int step;
    *n = 0;
    while ((step = stmt_step(s)) > 0 && *n < max) {
        ids[(*n)++] = stmt_int(s, 0);
    }
    stmt_reset(s);
    return step < 0 ? db_fail(d, e) : RES_OK;
}

static enum res get_smallest(struct journal *j, int64_t finding_id, struct arena *a,
                             struct journal_case *out, struct err *e)
{
    struct stmt *s = NULL;
    TRY(find_row(j,
                 "SELECT g.testcase, g.observation, t.facts FROM triage g"
                 " JOIN findings f ON f.id = g.finding_id"
                 " JOIN targets t ON t.id = f.target_id WHERE g.finding_id = ?",
                 finding_id, "was not looked into", &s, e));
    return take_case(j, finding_id, s, a, out, e);
}

enum res journal_get_smallest(struct journal *j, int64_t finding_id, struct arena *a,
                              struct testcase *tc, struct observation *ob, struct err *e)
{
    struct journal_case out = {.tc = tc, .ob = ob};
    return get_smallest(j, finding_id, a, &out, e);
}

enum res journal_get_judged(struct journal *j, int64_t finding_id, struct arena *a,
                            struct journal_judged *out, struct err *e)
{
    struct journal_case to = {.tc = &out->tc, .ob = &out->ob, .g = &out->judgement};
    out->is_own = get_smallest(j, finding_id, a, &to, e) != RES_OK;
    return out->is_own ? get_own(j, finding_id, a, &to, e) : RES_OK;
}

enum res journal_get_tape(struct journal *j, uint64_t case_index, struct arena *a,
                          const unsigned char **tape, size_t *n, struct err *e)
{
    struct db *d = journal_get_db(j);
    struct stmt *s = db_start(d, "SELECT tape FROM tapes WHERE case_index = ?", "u", case_index);
    int const step = stmt_step(s);
    if (step <= 0) {
        return step < 0 ? db_fail(d, e)
                        : err_set(e, RES_USAGE, "%s: no tape of case %" PRIu64,
                                  journal_get_folder(j), case_index);
    }
    const void *p = stmt_blob(s, 0, n);
    *tape = arena_copy(a, p ? p : "", *n);
    stmt_reset(s);
    return *tape ? RES_OK : err_set(e, RES_NOMEM, "no memory for a tape");
}

enum res journal_get_finding(struct journal *j, int64_t finding_id, struct arena *a,
                             struct journal_finding *out, struct err *e)
{
    struct stmt *s = NULL;
    TRY(find_row(j,
                 "SELECT t.name, f.case_index, f.verdict, f.signature FROM findings f"
                 " JOIN targets t ON t.id = f.target_id WHERE f.id = ?",
                 finding_id, NULL, &s, e));
    out->target = stmt_text(s, 0, a);
    out->case_index = (uint64_t)stmt_int(s, 1);
    out->verdict = stmt_text(s, 2, a);
    out->signature = stmt_text(s, 3, a);
    stmt_reset(s);
    return RES_OK;
}

/* fuzz/journal/journal_triage.c -- what triage found out about a bucket, into the journal and out of it. */
#include <inttypes.h>
#include <string.h>

#include "fuzz/journal/bucket.h"
#include "fuzz/journal/journal_db.h"

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
    return db_do(journal_get_db(j), e,
                 "INSERT OR REPLACE INTO triage VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "iiiiiiiitttubb", finding_id, (int64_t)t->n_runs, (int64_t)t->n_shown,
                 (int64_t)t->n_loaded_runs, (int64_t)t->n_loaded_shown, (int64_t)t->is_flaky,
                 (int64_t)t->n_before, (int64_t)t->n_after, t->smallest, t->twin, t->matrix,
                 t->wall_ns, bytes, n_case, seen, n_observation);
}

enum res journal_load_triage(struct db *d, struct arena *a, struct campaign *c, struct err *e)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        struct stmt *s =
            db_start(d,
                     "SELECT n_runs, n_shown, n_loaded_runs, n_loaded_shown, is_flaky, n_before,"
                     " n_after, smallest, twin, matrix, wall_ns FROM triage WHERE finding_id = ?",
                     "i", c->findings[i].id);
        int const step = stmt_step(s);
        if (step < 0) {
            return db_fail(d, e);
        }
        struct campaign_triage *t = step ? ARENA_NEW(a, struct campaign_triage, 1) : NULL;
        if (!t) {
            if (step) {
                return err_set(e, RES_NOMEM, "no memory for the triage");
            }
            continue;
        }
        *t = (struct campaign_triage){.n_runs = (uint32_t)stmt_int(s, 0),
                                      .n_shown = (uint32_t)stmt_int(s, 1),
                                      .n_loaded_runs = (uint32_t)stmt_int(s, 2),
                                      .n_loaded_shown = (uint32_t)stmt_int(s, 3),
                                      .is_flaky = stmt_int(s, 4) != 0,
                                      .n_before = (uint32_t)stmt_int(s, 5),
                                      .n_after = (uint32_t)stmt_int(s, 6),
                                      .smallest = stmt_text(s, 7, a),
                                      .twin = stmt_text(s, 8, a),
                                      .matrix = stmt_text(s, 9, a),
                                      .wall_ns = (uint64_t)stmt_int(s, 10)};
        stmt_reset(s);
        c->findings[i].triage = t;
    }
    return RES_OK;
}

/* Rows of one target and class, which stand at `at` of c->findings. */
static enum res group(struct campaign *c, const uint32_t *at, uint32_t n, struct arena *a,
                      struct err *e)
{
    const char **signatures = ARENA_NEW(a, const char *, n);
    uint32_t *of = ARENA_NEW(a, uint32_t, n);
    if (!signatures || !of) {
        return err_set(e, RES_NOMEM, "no memory for the buckets");
    }
    for (uint32_t i = 0; i < n; i++) {
        signatures[i] = c->findings[at[i]].signature;
    }
    enum res const r = bucket_group(signatures, n, a, of, e);
    for (uint32_t i = 0; i < n && r == RES_OK; i++) {
        struct campaign_finding *f = &c->findings[at[i]];
        f->bucket = at[of[i]];
        f->core = bucket_core(f->signature, a);
        f->family = bucket_family(f->signature, a);
        c->findings[f->bucket].n_all += f->n_in_bucket;
        if (!f->core || !f->family) {
            return err_set(e, RES_NOMEM, "no memory for the families");
        }
    }
    return r;
}

enum res journal_group_buckets(struct campaign *c, struct arena *a, struct err *e)
{
    uint32_t *at = ARENA_NEW(a, uint32_t, c->n_findings + 1);
    unsigned char *is_done = ARENA_NEW(a, unsigned char, c->n_findings + 1);
    enum res r = at && is_done ? RES_OK : err_set(e, RES_NOMEM, "no memory for the buckets");
    for (uint32_t i = 0; i < c->n_findings && r == RES_OK; i++) {
        uint32_t n = 0;
        for (uint32_t k = i; k < c->n_findings && !is_done[i]; k++) {
            if (c->findings[k].target_id == c->findings[i].target_id &&
                strcmp(c->findings[k].class, c->findings[i].class) == 0) {
                at[n++] = k;
            }
        }
        for (uint32_t k = 0; k < n; k++) {
            is_done[at[k]] = 1;
        }
        r = n ? group(c, at, n, a, e) : r;
    }
    return r;
}

/* A row (testcase, observation, facts) that `s` stands at. */
static enum res take_case(struct stmt *s, struct arena *a, struct testcase *tc,
                          struct observation *ob, struct err *e)
{
    size_t n = 0;
    const void *p = stmt_blob(s, 0, &n);
    enum res r = testcase_decode(tc, a, p, n, e);
    if (r == RES_OK) {
        p = stmt_blob(s, 1, &n);
        r = observation_decode(ob, tc, a, p, n, e);
    }
    if (r == RES_OK && !ob->facts[0]) {
        ob->facts = stmt_text(s, 2, a);
    }
    stmt_reset(s);
    return r;
}

/* Bytes that are no case: whose they are. */
static enum res name_case(struct journal *j, int64_t finding_id, const struct err *inner,
                          struct err *e)
{
    return inner->code == RES_OK
               ? RES_OK
               : err_set(e, inner->code, "%s/journal.sqlite: finding %" PRId64 ": %s",
                         journal_get_folder(j), finding_id, inner->text);
}

enum res journal_get_case(struct journal *j, int64_t finding_id, struct arena *a,
                          struct testcase *tc, struct observation *ob, struct err *e)
{
    struct db *d = journal_get_db(j);
    struct stmt *s = db_start(d,
                              "SELECT k.testcase, k.observation, t.facts FROM findings f"
                              " LEFT JOIN kept k ON k.target_id = f.target_id AND"
                              " k.case_index = f.case_index JOIN targets t ON t.id = f.target_id"
                              " WHERE f.id = ?",
                              "i", finding_id);
    int const step = stmt_step(s);
    if (step <= 0) {
        return step < 0 ? db_fail(d, e)
                        : err_set(e, RES_USAGE, "%s: no finding %" PRId64, journal_get_folder(j),
                                  finding_id);
    }
    size_t n = 0;
    (void)stmt_blob(s, 0, &n);
    if (n == 0) {
        stmt_reset(s);
        return err_set(e, RES_USAGE,
                       "%s: finding %" PRId64 " was kept without its case, its bucket was full",
                       journal_get_folder(j), finding_id);
    }
    struct err inner = {RES_OK, ""};
    inner.code = take_case(s, a, tc, ob, &inner);
    return name_case(j, finding_id, &inner, e);
}

enum res journal_find_lightest(struct journal *j, int64_t finding_id, struct journal_light *out,
                               struct err *e)
{
    struct db *d = journal_get_db(j);
    struct stmt *s = db_start(d,
                              "SELECT g.id, g.case_index, length(k.testcase) FROM findings f"
                              " JOIN findings g ON g.target_id = f.target_id AND"
                              " g.class = f.class AND g.signature = f.signature"
                              " JOIN kept k ON k.target_id = g.target_id AND"
                              " k.case_index = g.case_index"
                              " WHERE f.id = ? ORDER BY 3, 1 LIMIT 1",
                              "i", finding_id);
    int const step = stmt_step(s);
    if (step <= 0) {
        return step < 0 ? db_fail(d, e)
                        : err_set(e, RES_USAGE, "%s: finding %" PRId64 " was kept without a case",
                                  journal_get_folder(j), finding_id);
    }
    *out = (struct journal_light){.id = stmt_int(s, 0),
                                  .case_index = (uint64_t)stmt_int(s, 1),
                                  .n_bytes = (uint64_t)stmt_int(s, 2)};
    stmt_reset(s);
    return RES_OK;
}

enum res journal_get_smallest(struct journal *j, int64_t finding_id, struct arena *a,
                              struct testcase *tc, struct observation *ob, struct err *e)
{
    struct db *d = journal_get_db(j);
    struct stmt *s = db_start(d,
                              "SELECT g.testcase, g.observation, t.facts FROM triage g"
                              " JOIN findings f ON f.id = g.finding_id"
                              " JOIN targets t ON t.id = f.target_id WHERE g.finding_id = ?",
                              "i", finding_id);
    int const step = stmt_step(s);
    if (step <= 0) {
        return step < 0 ? db_fail(d, e)
                        : err_set(e, RES_USAGE, "%s: finding %" PRId64 " was not looked into",
                                  journal_get_folder(j), finding_id);
    }
    struct err inner = {RES_OK, ""};
    inner.code = take_case(s, a, tc, ob, &inner);
    return name_case(j, finding_id, &inner, e);
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

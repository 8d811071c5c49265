/* fuzz/journal/journal_put.c -- findings into the journal: rows, buckets, whole cases. */
#include "fuzz/journal/journal_put.h"

#include <inttypes.h>

#include "base/caps.h"
#include "base/ops.h"
#include "fuzz/io/show.h"
#include "fuzz/journal/journal_judgement.h"
#include "oracle/judgement/judgement.h"
#include "oracle/judgement/unlisted.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"

/* Findings of a legal case and of an unadvertised one never share a bucket. */
struct bucket_key {
    int64_t target_id;
    const char *class, *signature;
};

/* One more in the bucket; *n is its size afterwards. */
static enum res count_in_bucket(struct db *d, const struct bucket_key *b, const char *verdict,
                                int64_t *n, struct err *e)
{
    TRY(db_do(d, e,
              "INSERT INTO buckets VALUES(?, ?, ?, ?, 1, NULL)"
              " ON CONFLICT DO UPDATE SET n = n + 1",
              "ittt", b->target_id, b->class, b->signature, verdict));
    return db_ask(d, e, 0, n,
                  "SELECT n FROM buckets WHERE target_id = ? AND class = ? AND signature = ?",
                  "itt", b->target_id, b->class, b->signature);
}

/* Count a finding in its bucket, which is all findings of its target, class and signature, and write its row. A
 * bucket keeps so many whole cases: with room *keep is set to true, without room *keep stays as it was. A violation
 * without room still gets its row; a divergence is only counted. The first finding with a row becomes the bucket's
 * first_finding. */
static enum res put_finding(struct db *d, struct run_key key, uint32_t ordinal,
                            const struct run_record *r, int *keep, struct arena *a, struct err *e)
{
    const struct finding *f = &r->judgement->findings[ordinal];
    struct bucket_key const b = {key.target_id, case_class_names[r->tc->class],
                                 signature_of(f, r->ob, a).text};
    int64_t n = 0;
    TRY(count_in_bucket(d, &b, verdict_rows[f->kind].name, &n, e));
    bool const is_violation = verdict_rows[f->kind].part == PART_VIOLATION;
    /* n counts this finding too. */
    bool const is_kept = n <= (is_violation ? JOURNAL_KEEP_VIOLATIONS : JOURNAL_KEEP_DIVERGENCES);
    if (!is_kept && !is_violation) {
        return RES_OK;
    }
    *keep |= is_kept; /* another finding of the run may have set it */
    TRY(db_do(d, e,
              "INSERT INTO findings VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
              "iuitttttttttttt", key.target_id, key.case_index, (int64_t)ordinal, b.class,
              verdict_rows[f->kind].name, clause_rows[f->clause].id, b.signature,
              f->op >= 0 ? op_rows[f->op].name : "", val_type_names[f->type],
              storage_names[f->storage], f->permitted, show_got(f, a), show_operands(f, a), f->text,
              show_instruction(r->disassembly, f->offset, a)));
    return db_do(d, e,
                 "UPDATE buckets SET first_finding = ? WHERE target_id = ? AND class = ?"
                 " AND signature = ? AND first_finding IS NULL",
                 "iitt", db_last_id(d), b.target_id, b.class, b.signature);
}

/* Write the findings of a run and, if any of their buckets has room, the whole case, observation and judgement, once
 * for all of them. */
enum res journal_put_findings(struct db *d, struct run_key key, const struct run_record *r,
                              struct arena *a, struct err *e)
{
    int keep = 0;
    enum res res = RES_OK;
    for (uint32_t i = 0; i < r->judgement->n_findings && res == RES_OK; i++) {
        res = put_finding(d, key, i, r, &keep, a, e);
    }
    if (res != RES_OK || !keep) {
        return res;
    }
    size_t n_case = 0, n_observation = 0;
    const unsigned char *tc = testcase_encode(r->tc, a, &n_case);
    const unsigned char *ob = observation_encode(r->tc, r->ob, a, &n_observation);
    if (!tc || !ob) {
        return err_set(e, RES_NOMEM, "case %" PRIu64 ": no memory to keep it", key.case_index);
    }
    struct kept_bytes const kept = {tc, ob, n_case, n_observation};
    TRY(db_do(d, e, "INSERT OR REPLACE INTO kept VALUES(?, ?, ?, ?, ?, ?, ?)", "iubbttt",
              key.target_id, key.case_index, tc, n_case, ob, n_observation,
              r->disassembly ? r->disassembly : "", r->ob->log, r->ob->signature));
    return journal_put_judgement(d, &kept, r->judgement, a, e);
}

static bool is_listed(const char *facts, enum need_id id)
{
    struct needs one = {{0}};
    needs_add(&one, id);
    return facts_get_fit(facts, &one) == FIT_LISTED;
}

static enum res count_feature(struct db *d, int64_t target_id, const char *feature, int outcome,
                              struct err *e)
{
    return db_do(d, e,
                 "INSERT INTO features VALUES(?, ?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1",
                 "itt", target_id, feature, unlisted_names[outcome]);
}

/* Count what became of a case that needs something the target does not list: the outcome, for each such need.
 * An outcome below 0 says nothing about the target (the harness failed). */
enum res journal_put_features(struct db *d, struct run_key key, const struct run_record *r,
                              struct arena *a, struct err *e)
{
    int const outcome = unlisted_of(r->ob, r->judgement);
    if (r->tc->class != CLASS_UNADVERTISED || outcome < 0) {
        return RES_OK;
    }
    struct stmt *s = db_start(d, "SELECT facts FROM targets WHERE id = ?", "i", key.target_id);
    if (stmt_step(s) <= 0) {
        return db_fail(d, e);
    }
    const char *facts = stmt_text(s, 0, a);
    stmt_reset(s);
    for (int i = 0; i < NEED_N; i++) {
        enum need_id const need = (enum need_id)i;
        if (needs_has(&r->tc->needs, need) && !is_listed(facts, need)) {
            TRY(count_feature(d, key.target_id, cap_rows[i].id, outcome, e));
        }
    }
    return RES_OK;
}

void journal_count_totals(struct journal_totals *t, const struct judgement *g)
{
#define TOTAL(column, of) t->column += of;
#include "fuzz/journal/journal_totals.def"
}

enum res journal_put_totals(struct db *d, int64_t target_id, const struct journal_totals *t,
                            struct err *e)
{
    static const char sql[] = "UPDATE targets SET id = id"
#define TOTAL(column, of) ", " #column " = " #column " + ?"
#include "fuzz/journal/journal_totals.def"
                              " WHERE id = ?";
    static const char types[] =
#define TOTAL(column, of) "u"
#include "fuzz/journal/journal_totals.def"
        "i";
    return db_do(d, e, sql, types,
#define TOTAL(column, of) t->column,
#include "fuzz/journal/journal_totals.def"
                 target_id);
}

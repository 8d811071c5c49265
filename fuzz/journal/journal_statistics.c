/* fuzz/journal/journal_statistics.c -- what compilers report about the code of a case, into the journal and out of it. */
#include "fuzz/journal/journal_statistics.h"

#include "base/base.h"
#include "base/testcase.h"
#include "fuzz/io/db.h"

static enum res put(struct db *d, struct run_key key, uint64_t hash, const char *name,
                    uint64_t value, struct err *e)
{
    return db_do(d, e, "INSERT OR REPLACE INTO statistics VALUES(?, ?, ?, ?, ?)", "iutuu",
                 key.target_id, key.case_index, name, value, hash);
}

enum res journal_put_statistics(struct db *d, struct run_key key, const struct run_record *r,
                                struct err *e)
{
    const struct observation *const ob = r->ob;
    bool const is_built = ob->status == RUN_BUILT || ob->status == RUN_DONE || ob->n_statistics > 0;
    if (!is_built || key.case_index >= JOURNAL_STATISTICS_CASES) {
        return RES_OK;
    }
    uint64_t const hash = hash_bytes(r->tc->env, r->tc->module, (size_t)r->tc->n_words * 4);
    if (ob->build_ns > 0) {
        TRY(put(d, key, hash, STATISTIC_BUILD_NS, ob->build_ns, e));
    }
    for (uint32_t i = 0; i < ob->n_statistics; i++) {
        TRY(put(d, key, hash, ob->statistics[i].name, ob->statistics[i].value, e));
    }
    return RES_OK;
}

enum res journal_load_statistics(struct db *d, int64_t target_id, struct arena *a,
                                 struct journal_statistic **out, size_t *n, struct err *e)
{
    int64_t n_rows = 0;
    *n = 0;
    TRY(db_ask(d, e, 0, &n_rows, "SELECT count(*) FROM statistics WHERE target_id = ?", "i",
               target_id));
    *out = ARENA_NEW(a, struct journal_statistic, (size_t)n_rows + 1);
    if (!*out) {
        return err_set(e, RES_NOMEM, "no memory for the statistics of compilers");
    }
    struct stmt *const s =
        db_start(d,
                 "SELECT case_index, case_hash, name, value FROM statistics WHERE target_id = ?"
                 " ORDER BY case_index, name COLLATE NOCASE",
                 "i", target_id);
    int step = 0;
    while ((int64_t)*n < n_rows && (step = stmt_step(s)) > 0) {
        (*out)[(*n)++] = (struct journal_statistic){.case_index = (uint64_t)stmt_int(s, 0),
                                                    .module_hash = stmt_int(s, 1),
                                                    .name = stmt_text(s, 2, a),
                                                    .value = (uint64_t)stmt_int(s, 3)};
    }
    return db_end_rows(d, s, step, e);
}

/* fuzz/journal/journal_cases.c -- in how many cases each bug was seen. */
#include "fuzz/journal/journal_cases.h"

#include <stdlib.h>

#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"

/* A finding by its row id. */
struct numbered {
    int64_t id;
    uint32_t at; /* in campaign.findings */
};

static int compare_ids(const void *p, const void *q)
{
    const struct numbered *const x = p, *const y = q;
    return (x->id > y->id) - (x->id < y->id);
}

/* Rows come by target and case, and a bucket is of one target: so if the case of a finding is the one that was
 * counted last for its bucket, it is another wrong value of that case and does not count. Findings that were not
 * loaded, or that have no bucket, do not count either. */
enum res journal_count_cases(struct journal *j, struct campaign *c, struct arena *scratch,
                             struct err *e)
{
    struct numbered *const by_id = ARENA_NEW(scratch, struct numbered, c->n_findings + 1);
    /* of the finding that names a bucket: 1 + the case that was counted last; 0: none */
    uint64_t *const last = ARENA_NEW(scratch, uint64_t, c->n_findings + 1);
    struct db *const d = journal_get_db(j);
    if (!by_id || !last) {
        return err_set(e, RES_NOMEM, "no memory to count cases");
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        by_id[i] = (struct numbered){c->findings[i].id, i};
        c->findings[i].n_cases = 0;
    }
    qsort(by_id, c->n_findings, sizeof by_id[0], compare_ids);
    struct stmt *s =
        db_start(d,
                 "SELECT b.first_finding, f.case_index FROM findings f JOIN buckets b"
                 " ON b.target_id = f.target_id AND b.class = f.class AND b.signature = f.signature"
                 " ORDER BY f.target_id, f.case_index",
                 "");
    int step = 0;
    while ((step = stmt_step(s)) > 0) {
        struct numbered const key = {stmt_int(s, 0), 0};
        uint64_t const this_case = 1 + (uint64_t)stmt_int(s, 1);
        const struct numbered *const found =
            bsearch(&key, by_id, c->n_findings, sizeof by_id[0], compare_ids);
        if (!found || c->findings[found->at].bucket >= c->n_findings) {
            continue;
        }
        uint32_t const head = c->findings[found->at].bucket;
        c->findings[head].n_cases += last[head] != this_case;
        last[head] = this_case;
    }
    return db_end_rows(d, s, step, e);
}

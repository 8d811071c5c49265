/* fuzz/merge/merge_rows.h -- rows of a campaign's journal into the merged one. */
#pragma once

#include "fuzz/io/db.h"
#include "fuzz/merge/merge_plan.h"

/* One journal that is read, and what is written. `stage` holds what must be in order first: findings, and which tape a
 * cell is kept for. */
struct merge_rows {
    const struct merge_plan *plan;
    struct db *out, *stage;
    uint32_t in;
    struct journal *from;
    struct arena *arena; /* of this journal: the texts of its statements, too */
    const char *target;  /* of SQL's CASE: the result's id for each of the journal's */
};
extern const char merge_stage_sql[]; /* makes the tables of `stage` */

/* The rows of this journal's parts that the plan takes: sums, findings, cases, cells of the corpus. */
MUST_USE enum res merge_rows_take(struct merge_rows *m, struct err *e);
/* After all journals: findings in their order, sums over the parts, which tapes the corpus keeps. */
MUST_USE enum res merge_rows_add(const struct merge_plan *p, struct db *out, struct db *stage,
                                 struct err *e);
/* After that, of each journal again: what needs the ids of the result: tapes of the corpus, origins, triage. */
MUST_USE enum res merge_rows_take_rest(struct merge_rows *m, struct err *e);

/* fuzz/journal/journal_put.h -- findings into the journal: rows, buckets, whole cases. */
#pragma once

#include "base/testcase.h"
#include "fuzz/io/db.h"
#include "oracle/judge/judge.h"

/* Whole cases kept per bucket and target; the rest of a bucket is kept as findings, and of a
 * divergence as a count. */
enum {
    JOURNAL_KEEP_VIOLATIONS = 64,
    JOURNAL_KEEP_DIVERGENCES = 8
};

/* A run that ended. */
struct run_record {
    const struct testcase *tc;
    const struct observation *ob;
    const struct judgement *judgement;
    const char *disassembly; /* NULL when nothing was found */
};
/* Findings of a run: rows and buckets, and the whole case where the bucket is not full. */
struct run_key {
    int64_t target_id;
    uint64_t case_index;
};
MUST_USE enum res journal_put_findings(struct db *d, struct run_key key, const struct run_record *r,
                                       struct arena *a, struct err *e);

/* A run of a case of class unadvertised, by each of its features. */
MUST_USE enum res journal_put_features(struct db *d, struct run_key key, const struct run_record *r,
                                       struct arena *a, struct err *e);

/* The sums over the runs of a target, each a column of its row. */
struct journal_totals {
#define TOTAL(column, of) uint64_t column;
#include "fuzz/journal/journal_totals.def"
};
/* One more run. */
void journal_count_totals(struct journal_totals *t, const struct judgement *g);
/* Add them to the target's row. */
MUST_USE enum res journal_put_totals(struct db *d, int64_t target_id,
                                     const struct journal_totals *t, struct err *e);

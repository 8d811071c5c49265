/* fuzz/journal_db.h -- what journal.c and journal_load.c share and nobody else needs. */
#ifndef HALFULP_FUZZ_JOURNAL_DB_H
#define HALFULP_FUZZ_JOURNAL_DB_H

#include "fuzz/db.h"
#include "fuzz/journal.h"

struct db *journal_get_db(struct journal *j);
const char *journal_get_folder(const struct journal *j);
/* Findings of a run: rows and buckets, and the whole case where the bucket is not full. */
struct run_key {
    int64_t target_id;
    uint64_t case_index;
};
MUST_USE enum res journal_put_findings(struct db *d, struct run_key key, const struct run_record *r,
                                       struct arena *a, struct err *e);

#endif

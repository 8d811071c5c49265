/* fuzz/journal/journal_remark.h -- what a journal keeps of runs besides their verdicts: in how many runs few values were confined,
 * which builds were slow, and why runs gave no values. All are rows of the table of features, whose names no feature has, so that whatever adds up
 * or merges that table does it to them as well. */
#pragma once

#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal_put.h"

enum {
    REMARK_MAX_KEPT =
        16, /* slow builds of a target that are kept, the slowest; the others are counted */
    REMARK_MAX_SHOWN = 32, /* of all targets that are loaded */
    REMARK_MAX_REASONS =
        256, /* why runs gave no values: of all targets, the most frequent of each first */
    REMARK_REASON_CHARS = 160
};
/* Was the case built without a device, and did that take more CPU time than 2 s and 2 ms for each word of its module? No clause
 * bounds it: this is information, and no part of a verdict. */
bool remark_is_slow_build(const struct testcase *tc, const struct observation *ob);
/* Was less than half of the values confined, in a case that the target lists? */
bool remark_is_unconfined(const struct testcase *tc, const struct judgement *g);

/* Whatever is to be kept of an ended run. */
MUST_USE enum res journal_put_remarks(struct db *d, struct run_key key, const struct run_record *r,
                                      struct arena *a, struct err *e);
/* n runs in which few values were confined. */
MUST_USE enum res journal_put_unconfined(struct db *d, int64_t target_id, uint64_t n,
                                         struct err *e);
/* Into the targets of the campaign, which are loaded, and its slow builds. */
MUST_USE enum res journal_load_remarks(struct db *d, struct arena *a, struct campaign *out,
                                       struct err *e);
/* Condition of SQL: the row of features is of a feature, and no remark. */
#define REMARK_IS_FEATURE_SQL "feature NOT GLOB 'run: *'"

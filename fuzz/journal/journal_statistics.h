/* fuzz/journal/journal_statistics.h -- what compilers report about the code of a case, for a comparison of two
 * campaigns. */
#pragma once

#include "fuzz/journal/journal_put.h"

enum {
    /* Statistics of later cases are not kept, so that a long campaign does not fill the disk. Cases that a guided campaign
     * derives have greater indices: another campaign does not have the same ones. */
    JOURNAL_STATISTICS_CASES = 10000
};
/* The name of the CPU time of a build in nanoseconds, which depends on the load of the machine. */
#define STATISTIC_BUILD_NS "build time"

/* The statistics of a run that ended, and the time of its build. */
MUST_USE enum res journal_put_statistics(struct db *d, struct run_key key,
                                         const struct run_record *r, struct err *e);

/* One statistic of one case. */
struct journal_statistic {
    uint64_t case_index;
    int64_t module_hash; /* of the SPIR-V: the same case has the same in both campaigns */
    const char *name;
    uint64_t value;
};
/* All of a target by case index, then by name as strcasecmp orders names, *n of them, in `a`. */
MUST_USE enum res journal_load_statistics(struct db *d, int64_t target_id, struct arena *a,
                                          struct journal_statistic **out, size_t *n, struct err *e);

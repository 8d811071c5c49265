/* fuzz/audit/audit_estimate.h -- how long an audit takes, by what has been measured of it. */
#pragma once

#include "base/audit_result.h"

struct audit_estimate {
    double done_s, left_s; /* of all rows */
    uint32_t n_unknown;    /* rows that nothing was measured of yet, nor of their like: not in left_s */
};
/*
 * A row goes on at the rate that it has had; one that has not begun at that of the rows like it, which are tried in the
 * same way by the same reference on the same type. Row `now` of x is in work, `n_done` of its inputs in `seconds`; n_rows
 * for none.
 */
struct audit_estimate audit_estimate_time(const struct audit *x, uint32_t now, uint64_t n_done,
                                          double seconds);
/* "about 14 min in all", "at least 14 min in all, as 2 rows are not measured yet"; "": nothing is measured. */
const char *audit_estimate_text(const struct audit_estimate *t, struct arena *a);

/* fuzz/audit/audit_estimate.h -- how long an audit takes, by what has been measured of it. */
#pragma once

#include "base/audit_result.h"

struct audit_estimate {
    double done_s, left_s; /* of all rows */
    uint32_t n_unknown;    /* rows that are not in left_s: nothing like them was measured yet */
};
/* The row in work: its time so far, and inputs with the time that they took since its first ones were back, as building
 * its kernel takes a time of its own. */
struct audit_live {
    uint32_t row; /* of the audit; n_rows: none */
    uint64_t n_done, n_paced;
    double seconds, paced_s;
};
/* A row goes on at the rate that it has had; one that has not begun at that of the rows like it, which are tried in the
 * same way by the same reference on the same type. */
struct audit_estimate audit_estimate_time(const struct audit *x, const struct audit_live *live);
/* How long the rest of a row takes, while none is in work, in seconds; 0: nothing is left; negative: not known. */
double audit_estimate_left(const struct audit *x, uint32_t row);
/* "about 14 min in all", "at least 14 min in all (2 rows unknown)"; "": nothing is measured. */
const char *audit_estimate_text(const struct audit_estimate *t, struct arena *a);

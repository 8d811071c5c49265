/* fuzz/triage/cause_text.h -- what would explain a bucket, in words. */
#pragma once

#include "oracle/diagnose/diagnose.h"

enum {
    CAUSE_MAX_NAMED = 3
};

/* "as if FLUSHED at AtomicFAddEXT f32: a subnormal result is flushed where it must be kept; explains all 12 findings
 * of 2 cases", a line for each of the best; one that does not explain all says so, and one that
 * may, where other values that it would have changed were right, too. "": nothing explains anything. In
 * `a`. */
const char *cause_text(const struct diagnosis_list *list, struct arena *a);
/* The best, if it explains all, and the instruction that it is of: "LOST_UPDATE:AtomicExchange", "STOPS_AFTER_LOOP:any".
 * Else "". */
const char *cause_text_bug(const struct diagnosis_list *list, struct arena *a);

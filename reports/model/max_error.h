/* reports/model/max_error.h -- what became of max-error decorations on a target. */
#pragma once

#include "fuzz/journal/campaign_data.h"

enum max_error {
    MAX_ERROR_LISTED,   /* the target lists them: its cases are judged as any other */
    MAX_ERROR_NOT_RUN,  /* not listed, and no such case was run */
    MAX_ERROR_REFUSED,  /* not listed, and every case that was run was rejected */
    MAX_ERROR_CRASHED,  /* not listed, and none ran to its end: some crashed */
    MAX_ERROR_UNLISTED, /* not listed, and cases ran to their end, counted apart */
    MAX_ERROR_N
};
/* In JSON, and for people. */
extern const char *const max_error_names[MAX_ERROR_N];
extern const char *const max_error_texts[MAX_ERROR_N];

/* Of target i < c->n_targets, by its facts and c->features. */
enum max_error max_error_of(const struct campaign *c, uint32_t i);

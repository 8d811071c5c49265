/* gen/stats/needed.h -- how many cases have which need, for `gen --stats`. */
#pragma once

#include <stdio.h>

#include "base/testcase.h"

enum {
    NEEDED_SELDOM_PERCENT = 2
};
struct needed_stats {
    uint64_t n_cases[ENV_N];
    uint64_t with[NEED_N];
};
void needed_add(struct needed_stats *s, const struct testcase *tc);
/* A table of the needs of `allowed` in the environments seen, each with the share of their cases that has it. */
void needed_write(const struct needed_stats *s, const struct needs *allowed, FILE *f);

/* reports/model/figures.h -- counts, shares and times as people read them; no locale. */
#pragma once

#include "base/base.h"

/* "1,234,567". */
const char *figures_count(struct arena *a, uint64_t n);
/* x + y, or the largest number where that has no room. */
uint64_t figures_sum(uint64_t x, uint64_t y);
/* "97.3%"; "-" when there is nothing to have a share of; never 0% nor 100% by rounding alone. */
const char *figures_share(struct arena *a, uint64_t part, uint64_t whole);
/* "1 h 02 min 03 s", "61.2 s", "12 ms". */
const char *figures_duration(struct arena *a, uint64_t ns);
/* "12.3"; "-" for anything but a finite number >= 0. */
const char *figures_tenths(struct arena *a, double value);

/* fuzz/campaign/feature_case.h -- what a case is made of, as cells of a map: guidance for a fuzzer. */
#pragma once

#include "gen/case/gen.h"

enum {
    FEATURE_CASE_CELLS = 1 << 14
};

/* Set the cells (1, never a count) of every pair of a shape and an instruction, and of every pair of
 * shapes that the case has. Cells of others stay as they are. map: FEATURE_CASE_CELLS bytes. */
void feature_case_put(const struct gen_info *info, unsigned char *map);

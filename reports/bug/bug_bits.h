/* reports/bug/bug_bits.h -- what a word may hold, as ranges of its bits read as an unsigned number. */
#pragma once

#include "base/expect.h"

enum {
    BUG_MAX_BITS =
        2 * EXPECT_MAX_RANGES + 4 /* a range of keys across zero is two of bits; NaNs are four */
};
struct bug_bits {
    uint32_t n;
    struct bug_range {
        uint64_t low, high;
    } r[BUG_MAX_BITS]; /* ascending, with a value that is not permitted between any two */
};
struct bug_bits bug_get_bits(const struct expect *x);
/* The greatest number that the word can hold. */
uint64_t bug_get_most_bits(const struct expect *x);

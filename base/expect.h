/* base/expect.h -- what one word of a buffer may hold after a run: a finding without its oracle. */
#pragma once

#include <stdint.h>

enum {
    EXPECT_MAX_RANGES = 8
};
enum expect_flags {
    EXPECT_FLOAT = 1, /* of format `fmt`; else an integer */
    EXPECT_QNAN = 2,  /* every quiet NaN is permitted */
    EXPECT_SNAN = 4   /* every signalling NaN is permitted */
};

/* Bytes [byte, byte + n_bytes) of buffer `buf`, little-endian, 1, 2, 4 or 8 of them. An encoding is
 * permitted if its key lies in a range: of a float that is no NaN its place in the order of the line
 * (base/format.h: format_to_key; -0 is just below +0), of an integer the number itself. */
struct expect {
    uint32_t buf, byte;
    uint8_t n_bytes, flags, fmt, n;
    struct expect_range {
        int64_t lo, hi;
    } r[EXPECT_MAX_RANGES];
};

/* oracle/host/host_number.h -- converts encodings to numbers of the host and back, with rounding and flushing: the
 * simulator's strategy `ieee`. Shares no line with the permitted sets. */
#pragma once

#include <stdint.h>

#include "base/format.h"

/* How the host rounds and flushes, by enum fmt_id. */
struct host_modes {
    uint8_t toward_zero[FMT_ALL_N], flush[FMT_ALL_N];
};

/* An encoding's value, exactly; and back, rounded: of what double holds to enough bits. Flushed, where
 * results are, by what it is before it is rounded. */
double host_decode(enum fmt_id fmt, uint64_t enc);
uint64_t host_encode(const struct host_modes *modes, enum fmt_id fmt, double v);

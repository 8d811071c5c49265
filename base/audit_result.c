/* base/audit_result.c -- bins of the histogram of errors. */
#include "base/audit_result.h"

#include <string.h>

double sweep_bin_edge(uint32_t i)
{
    /* Bin 1 starts at the encoding of 2^-5, and each step is a quarter of an octave: SWEEP_FIRST_BIN. */
    uint64_t const enc = (uint64_t)((1023 - 5) * 4 + i - 1) << SWEEP_BIN_SHIFT;
    double edge = 0;
    memcpy(&edge, &enc, sizeof edge);
    return i == 0 ? 0 : edge;
}

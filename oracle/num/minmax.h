/* oracle/num/minmax.h -- computes the permitted results of an atomic or group minimum or maximum, with NaNs, zeros
 * and flushing. */
#pragma once

#include "oracle/num/arith.h"

/*
 * New value of an atomic or group min (is_max 0) or max (1), the table of
 * SPV_EXT_shader_atomic_float_min_max and cl_ext_float_atomics. x, y encodings.
 * `out`'s format is set to fmt.
 */
void minmax_permitted(int is_max, enum fmt_id fmt, uint64_t x, uint64_t y, const struct fp_rules *r,
                      struct set *out);

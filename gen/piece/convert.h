/* gen/piece/convert.h -- puts conversions of conversions: integers and floats of all widths, with the rounding modes and the
 * saturation that the environment has. A conversion that is not saturated stays in range. */
#pragma once

#include "gen/ir/ir.h"
#include "gen/piece/def_use_rows.h"

struct build;

/* Is there a type that the conversion takes and one that it gives, other than `type`, which is its result (is_def) or its
 * operand? */
bool convert_may(const struct build *b, const struct conversion_row *row, enum ir_type type,
                 bool is_def);
/* The pair of conversions of that row, by way of a value of that type, and perhaps a third one; stores the results. */
void convert_put_pair(struct build *b, const struct def_use_row *row, enum ir_type type,
                      uint64_t seed);

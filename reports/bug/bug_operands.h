/* reports/bug/bug_operands.h -- what is special of the operands that a bug shows with. */
#pragma once

#include "reports/bug/bug.h"

/* " of a subnormal", " with a NaN as operand", " where memory holds a subnormal": the most unusual class that a float among the
 * operands has in each wrong word and in each finding of the bug. "": there is none, or the operands are those of a
 * group. Where the sign of a zero is wrong, the value of a single normal operand is told, " of -1", as the sign
 * depends on it. */
const char *bug_describe_operands(const struct bug *b, struct arena *a);
/* "0x3f800000 (1), 0x7fc00000 (quiet NaN)": the operands of wrong word i; "" where none are known. */
const char *bug_show_operands(const struct bug *b, uint32_t i, struct arena *a);

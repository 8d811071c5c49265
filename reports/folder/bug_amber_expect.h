/* reports/folder/bug_amber_expect.h -- what a script of Amber says of the results. */
#pragma once

#include "base/format.h"
#include "reports/bug/bug.h"

/* Bytes of the units in which a buffer is written: EXPECT compares one. */
unsigned bug_get_amber_unit(const struct bug *b, uint32_t buf);
/* A blank and a float as a number of Amber, in the least digits that give it back. Amber has no way to write a NaN's bits. */
void bug_put_amber_number(enum fmt_id fmt, uint32_t bits, FILE *f);
/* What tells Amber that the bug is there: an EXPECT for each word in question, or a comment on what Amber cannot see. */
void bug_put_amber_expects(const struct bug *b, FILE *f);

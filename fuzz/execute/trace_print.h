/* fuzz/execute/trace_print.h -- a trace of NIR as text. */
#pragma once

#include "oracle/nir/nir_trace.h"

/*
 * The lines of a trace, each with the values that it gave, behind a line that says which invocation it is of; at the end
 * which of its operations the chip computes, whose values are assumed. In `a`; "" when it is full.
 *   text  of the program
 */
const char *trace_print(const char *text, const struct nir_trace *trace, struct arena *a);

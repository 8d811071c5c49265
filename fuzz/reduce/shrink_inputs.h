/* fuzz/reduce/shrink_inputs.h -- passes over what is in the buffers. */
#pragma once

#include "fuzz/reduce/shrink_pass.h"

/* Each as fuzz/reduce/shrink_pass.h says. */
shrink_make shrink_inputs_to_constants, shrink_inputs_zero, shrink_inputs_simplify,
    shrink_inputs_special, shrink_inputs_cut;

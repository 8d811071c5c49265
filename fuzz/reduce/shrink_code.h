/* fuzz/reduce/shrink_code.h -- passes over values, effects and constants of the code. */
#pragma once

#include "fuzz/reduce/shrink_pass.h"

/* Each as fuzz/reduce/shrink_pass.h says. */
shrink_make shrink_code_drop_effects, shrink_code_values_to_operands,
    shrink_code_values_to_constants, shrink_code_values_to_earlier, shrink_code_forward,
    shrink_code_vectors_to_scalars, shrink_code_constants, shrink_code_special_constants;

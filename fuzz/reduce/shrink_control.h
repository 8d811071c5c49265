/* fuzz/reduce/shrink_control.h -- passes over branches, loops and calls. */
#pragma once

#include "fuzz/reduce/shrink_pass.h"

/* Each as fuzz/reduce/shrink_pass.h says. */
shrink_make shrink_control_drop_constructs, shrink_control_inline, shrink_control_take_arms,
    shrink_control_run_once;

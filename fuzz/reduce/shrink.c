/* fuzz/reduce/shrink.c -- the table of passes. */
#include "fuzz/reduce/shrink.h"

#include "fuzz/reduce/shrink_code.h"
#include "fuzz/reduce/shrink_control.h"
#include "fuzz/reduce/shrink_dispatch.h"
#include "fuzz/reduce/shrink_flags.h"
#include "fuzz/reduce/shrink_inputs.h"

const struct shrink_pass shrink_passes[SHRINK_PASS_N] = {
#define SHRINK(function, text) {text, function},
#include "fuzz/reduce/shrink.def"
};

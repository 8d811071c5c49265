/* fuzz/shrink.c -- the table of passes. */
#include "fuzz/shrink.h"

#include "fuzz/shrink_code.h"

const struct shrink_pass shrink_passes[SHRINK_PASS_N] = {
#define SHRINK(function, text) {text, function},
#include "fuzz/shrink.def"
};

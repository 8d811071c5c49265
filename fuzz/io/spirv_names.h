/* fuzz/io/spirv_names.h -- names for a module's parts, for its text. */
#pragma once

#include "base/testcase.h"

/*
 * A copy of the case's module with OpName instructions for what has none: the entry point; the buffers ("buffer0", as the
 * case numbers them, or "value0" of an argument by value), pointers into them ("at0") and what is loaded of them ("in0");
 * variables that a work-group shares ("shared0"); ids ("global_id", "local_id_x"); other functions ("function1"); and values, by
 * the instruction that makes them ("sum", "exp", "atomic_i_add"). Several ids may have one name. *n_added words stand before
 * all functions, so that an instruction of the module at word i is at i + *n_added. False: it is no module, or the
 * arena is full.
 */
bool spirv_add_names(const struct testcase *tc, struct arena *a, const uint32_t **words,
                     uint32_t *n_words, uint32_t *n_added);

/* fuzz/rewrite/rewrite_struct.h -- wrong behaviours of structs in memory. */
#pragma once

#include "fuzz/rewrite/rewrite_state.h"

/* Is the instruction, of an opcode of the row, one that a row of kind NEXT_MEMBER or CUT_STRUCT changes? Puts what becomes
 * of it. */
bool rewrite_is_struct_site(const struct rewriting *r, const struct spv_inst *in);
void rewrite_put_struct_site(struct rewriting *r, const struct spv_inst *in);

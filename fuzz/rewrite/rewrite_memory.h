/* fuzz/rewrite/rewrite_memory.h -- wrong behaviours of memory and of order around barriers. */
#pragma once

#include "fuzz/rewrite/rewrite_state.h"

/* Finds the last store to each variable, of which its row may speak. RES_NOMEM: the arena is full. */
MUST_USE enum res rewrite_find_stores(struct rewriting *r, struct arena *a, struct err *e);
/* Finds the buffers that change places, of kind OTHER_SET. */
void rewrite_find_pair(struct rewriting *r);
/* Is the instruction, of an opcode of the row, one that a row of kind SECOND, LAST_STORE, NEXT_INDEX, ALIAS,
 * FIRST_INDEX or OTHER_SET changes? */
bool rewrite_is_memory_site(struct rewriting *r, const struct spv_inst *in);
/* Puts what becomes of it; of kind NEXT_INDEX, ALIAS, FIRST_INDEX or OTHER_SET. */
void rewrite_put_memory_site(struct rewriting *r, const struct spv_inst *in);
/* Of kind LATE_STORE and EARLY_LOAD: an instruction is put behind one that follows, which shows there. true: this one is
 * taken care of; false: it is to be put now, what was held stands before it. */
bool rewrite_hold(struct rewriting *r, const struct spv_inst *in);

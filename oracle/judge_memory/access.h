/* oracle/judge_memory/access.h -- each access to memory, at the moment at which the interpreter executes it.
 *
 * Computes what a load or an atomic returns and what a location holds after each access. Judges each store to a buffer that
 * nobody reads back (a probe) against the word that the buffer holds after the dispatch. Collects the accesses of contended
 * locations as events, which oracle/judge_memory/finish.h judges. One access costs a hash look-up. The first conflict with
 * what was assumed sets j->memory.restart; each object or instruction causes at most one restart. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* An atomic instruction at p. 0 and x->stop when the interpretation cannot go on. */
int access_atomic(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                  struct location p);
/* A plain load or store of one scalar of `type` at p. 0 and x->stop as above. */
int access_load(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                struct location p, uint32_t type, struct val *out);
int access_store(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                 struct location p, uint32_t type, struct val v);
/* A store of a whole struct, or of a vector of three components, covers these bytes: padding among them may change. */
void access_pad(struct judge *j, struct location p, uint32_t n_bytes);
/* Forgets all cells and events, before the dispatch is interpreted (again). Keeps which instructions are contended. */
void access_reset(struct judge *j);

/* oracle/judge_memory/access.h -- locations and their atomics while the judge interprets a dispatch. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* The hooks' work on locations; 0 and x->stop when it cannot go on. */
int access_atomic(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                  struct location p);
/* A plain access to work-group memory. */
int access_load(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                struct location p, uint32_t type, struct val *out);
int access_store(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                 struct location p, uint32_t type, struct val v);
/* A whole struct is stored there, or a vector with room for one more. */
void access_pad(struct judge *j, struct location p, uint32_t n_bytes);
/* Forget everything but which instructions are contended. */
void access_reset(struct judge *j);

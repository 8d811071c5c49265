/* oracle/interp/exec_extra.h -- runs what no invocation of the case does, on a copy of the state: one additional
 * iteration of a loop, or an invocation that does not exist. The run of the case is not changed. */
#pragma once

#include "oracle/interp/exec.h"

/* A copy of the invocation, with registers of its own. false: the arena is full. */
bool exec_copy_invocation(const struct exec *x, const struct invocation *inv,
                          struct invocation *out);
/* Runs the copy from the block `body` of a loop on until it comes back to the `header`. There its phis have what they would
 * have in the iteration after that. `hooks` say what it does; x->extra is `extra` for them. false: it does not come back, or has
 * to wait for others. */
bool exec_run_iteration(struct exec *x, const struct exec_hooks *hooks, void *extra,
                        struct invocation *copy, uint32_t body, uint32_t header);
/* Runs one that exec_start_after_last or exec_start_absent has made to its end. It waits for nobody; results of group instructions
 * are anything; an access that is not possible is passed over, and `missed` is told of it. false: a branch is not determined. */
bool exec_run_alone(struct exec *x, const struct exec_hooks *hooks, void *extra,
                    struct invocation *inv,
                    void (*missed)(struct exec *x, const struct mod_inst *in));

/* Hooks for such runs, which nobody observes. A load from a buffer gives its initial content, any other load anything; the results
 * of an atomic and a built-in variable of sub-groups are anything. */
int exec_extra_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                    struct location p, uint32_t type, struct val *out);
int exec_extra_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p);
int exec_extra_builtin(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                       struct val *out);

/* oracle/interp/exec_further.h -- what an invocation does not do: a turn of a loop, or all of one that is not there. */
#pragma once

#include "oracle/interp/exec.h"

/* A copy of the invocation, with registers of its own. false: the arena is full. */
bool exec_copy_invocation(const struct exec *x, const struct invocation *inv,
                          struct invocation *out);
/* Runs the copy from the block `body` of a loop on until it comes back to the `header`, where its phis then have what
 * they would have in the turn after that; what it does is up to `hooks`. false: it does not come back, or has to wait for
 * others; that stops no run. */
bool exec_run_further(struct exec *x, const struct exec_hooks *hooks, struct invocation *copy,
                      uint32_t body, uint32_t header);
/* Runs one that exec_start_behind has made to its end: what it would have to wait for is there, results of group
 * instructions are anything, and an access that is not possible is passed over: `missed` is told of it. false: a
 * branch is not determined; that stops no run. */
bool exec_run_alone(struct exec *x, const struct exec_hooks *hooks, struct invocation *inv,
                    void (*missed)(struct exec *x, const struct mod_inst *in));

/* Hooks for such runs, which nobody observes. A load from a buffer gives its initial content, any other load anything; the results
 * of an atomic and a built-in variable of sub-groups are anything. */
int exec_further_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct place p, uint32_t type, struct val *out);
int exec_further_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                        struct place p);
int exec_further_builtin(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                         struct val *out);

/* oracle/nir/nir_exec.h -- runs a program for all work-groups of a case. The invocations of a sub-group execute a block in
 * lockstep, those that stand there; the sub-groups of a work-group run one after the other, each up to the next barrier. */
#pragma once

#include "oracle/nir/nir_machine.h"

/*
 * Runs all dispatches of abi->tc; abi's buffers are what they leave.
 *   preamble   of Honeykrisp: one invocation runs it before each dispatch; NULL: there is none
 *   max_steps  how many instructions may be executed, counted for each invocation
 *   watch      NULL, or what is to see each step (oracle/nir/nir_trace.h)
 *   false      answer says why it did not come to the end
 */
bool nir_exec(const struct nir_program *p, const struct nir_program *preamble, struct nir_abi *abi,
              uint64_t max_steps, struct nir_watch *watch, struct arena *a,
              struct nir_answer *answer);

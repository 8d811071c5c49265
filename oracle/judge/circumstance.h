/* oracle/judge/circumstance.h -- under what a finding came about, for its signature. */
#pragma once

#include "oracle/judge/judge_state.h"

/*
 * " scope:device partial max-error:0.5 high", each word with a space before it, "" for none.
 *   scope:NAME    of an atomic: crossdevice, device, workgroup, subgroup, invocation, queuefamily
 *   partial       of a group instruction: others of its group did not take part
 *   max-error:N   the bound that decorates the instruction
 *   high, low     the float `got` lies above or below all that is permitted (NULL: not told)
 * inv: that executed it, NULL where nobody in particular did.
 */
const char *circumstances_of(struct judge *j, const struct mod_inst *in,
                             const struct invocation *inv, const struct set *permitted,
                             uint64_t got);

/* 1 + SpvScope of an atomic; 0: none, none of SPIR-V's first six, or no constant. */
unsigned circumstance_scope(const struct judge *j, const struct mod_inst *in);

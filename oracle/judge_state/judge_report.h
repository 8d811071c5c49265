/* oracle/judge_state/judge_report.h -- what the judge finds and counts, into its judgement, and under what a finding came about. */
#pragma once

#include "oracle/judge_state/judge_state.h"

struct coverage *judge_coverage(struct judge *j, uint32_t opcode, enum val_type type,
                                enum storage storage);
/* A new finding of this grade: NULL when it is not kept. Sets kind and counts. */
struct finding *judge_finding(struct judge *j, enum verdict_kind kind, enum clause_id clause,
                              enum grade grade);
/* "normal,qnan": for signatures. */
const char *judge_classes(struct judge *j, int is_float, enum fmt_id fmt, const uint64_t *enc,
                          uint32_t n);

/* ---- under what a finding came about, for its signature ---- */

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

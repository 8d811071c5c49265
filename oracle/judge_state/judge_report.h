/* oracle/judge_state/judge_report.h -- enters findings and counts into the judgement, and describes the circumstances
 * of a finding for its signature. All verdicts of values enter the judgement through judge_finding. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* The row of the judgement's coverage table for that instruction, type and storage, made if it is new. NULL: the
 * instruction is in no table, or there is no room. */
struct coverage *judge_coverage(struct judge *j, uint32_t opcode, enum val_type type,
                                enum storage storage);
/* A new finding, for the caller to fill in. Counts it, and raises the verdict of the judgement to `kind` if that is
 * worse. A finding of GRADE_DIVERGENCE is of kind VERDICT_DIVERGENCE. NULL: JUDGE_MAX_FINDINGS are kept already, and
 * the finding is only counted. */
struct finding *judge_finding(struct judge *j, enum verdict_kind kind, enum clause_id clause,
                              enum grade grade);
/* "normal,qnan": the classes of n floats, for signatures. */
const char *judge_classes(struct judge *j, int is_float, enum fmt_id fmt, const uint64_t *enc,
                          uint32_t n);

/* ---- circumstances of a finding, for its signature ---- */

/*
 * " scope:device partial max-error:0.5 high", each word with a space before it, "" for none.
 *   scope:NAME    of an atomic: crossdevice, device, workgroup, subgroup, invocation, queuefamily
 *   partial       of a group instruction: some invocations of the group did not take part
 *   max-error:N   the bound that decorates the instruction
 *   high, low     the float `got` lies above or below all permitted values (permitted is NULL: neither is said)
 * inv: the invocation that executed the instruction; NULL: no particular one.
 */
const char *circumstances_of(struct judge *j, const struct mod_inst *in,
                             const struct invocation *inv, const struct set *permitted,
                             uint64_t got);

/* 1 + SpvScope of an atomic; 0: none, none of SPIR-V's first six, or no constant. */
unsigned circumstance_scope(const struct judge *j, const struct mod_inst *in);

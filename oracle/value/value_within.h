/* oracle/value/value_within.h -- widens an exact value by the bound of a max-error decoration
 * (SPV_INTEL_fp_max_error) on an instruction that only moves values. */
#pragma once

#include "oracle/interp/exec.h"
#include "oracle/math/rules.h"
#include "oracle/num/set.h"

/*
 * Is it a decorated instruction that hands a float on, or a vector of floats: OpSelect, OpPhi, OpLoad, OpFunctionCall,
 * OpFunctionParameter, OpBitcast, OpCopyObject, or one that makes, takes apart or reorders a vector? Without the
 * decoration its result is exact; "this takes precedence over accuracy requirements", so that what it gives may
 * then be off by the bound. Zeros, infinities and NaNs are prescribed, as of any other decorated instruction.
 */
bool value_propagates(const struct module *m, const struct mod_inst *in);
/* What it may give as component c where v is propagated; also what a decorated instruction of a group may that moves v
 * between invocations. */
struct val value_within(struct exec *x, const struct ruleset *rs, const struct mod_inst *in,
                        uint32_t c, struct val v);
/* All that is within the bound, the literal of a decoration, of a member of s. false: the literal is no bound, s is
 * anything or too large to be followed, or a budget ran out; *out is then anything. */
bool value_widen(enum env env, const struct set *s, uint32_t literal, const struct fp_rules *r,
                 struct set *out);

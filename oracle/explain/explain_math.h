/* oracle/explain/explain_math.h -- float instructions of a device that is taken to have a fault: each result is
 * widened by what the fault gives of the same operands. Operands with few possible values are tried one by one; with
 * many, nothing is said. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/value/value.h"

/* Widens each component of the result r of a float instruction (of value_apply) by what the fault makes of it, if the
 * operands are known; a bool or an integer gets a note instead. The registers of inv still hold the operands. */
void explain_math(struct hypothesis *s, struct exec *x, const struct ruleset *rs,
                  struct invocation *inv, const struct mod_inst *in, struct value_result *r);
/* A selection whose condition is a comparison that the fault may have changed may also give its other operand. */
void explain_selection(const struct hypothesis *s, struct exec *x, const struct invocation *inv,
                       const struct mod_inst *in, struct value_result *r);
/* The same for component c of a decorated phi, load or call that propagates `exact`: *v is what its decoration permits. */
void explain_propagated(const struct hypothesis *s, struct exec *x, const struct ruleset *rs,
                        const struct mod_inst *in, uint32_t c, uint64_t exact, struct val *v);

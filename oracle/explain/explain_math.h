/* oracle/explain/explain_math.h -- float instructions of a device that is taken to have a fault. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/value/value.h"

/* Widens each component of what a float instruction may give (of value_apply) by what the fault makes of it,
 * where its operands are known; what steers control flow is noted. The registers of inv still hold these. */
void explain_math(struct hypothesis *s, struct exec *x, const struct ruleset *rs,
                  struct invocation *inv, const struct mod_inst *in, struct value_result *r);
/* A selection whose condition comes of a comparison that the fault may have changed may give its other operand, too. */
void explain_selection(const struct hypothesis *s, struct exec *x, const struct invocation *inv,
                       const struct mod_inst *in, struct value_result *r);
/* The same of component c of a phi, load or call that hands on `exact`: *v is what its decoration permits. */
void explain_propagated(const struct hypothesis *s, struct exec *x, const struct ruleset *rs,
                        const struct mod_inst *in, uint32_t c, uint64_t exact, struct val *v);

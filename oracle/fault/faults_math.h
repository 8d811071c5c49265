/* oracle/fault/faults_math.h -- planted faults of arithmetic and mathematical functions: computes the wrong result
 * of one component from the site (operands, exact result, bound), by one small function per fault. The result lies
 * outside what the specification permits, for example just past the bound in ulps. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/fault/faults_site.h"
#include "oracle/value/value_explain.h"

/* Can it act at this instruction at all, by its operation, type and function? */
bool fault_fits_math(enum fault_id id, enum env env, const struct module *m,
                     const struct mod_inst *in);
/* The result that the fault gives; false: it does not arise here. */
bool fault_change_math(enum fault_id id, const struct fault_math_site *s, uint64_t *out);

/* Is it about what goes through a pointer? Then that; false: it does not arise here. */
bool fault_is_of_second(enum fault_id id);
bool fault_change_second(enum fault_id id, const struct fault_math_site *s, uint64_t *out);

/* What the fault gives as an integer dot product: what another instruction would, or a sum that wraps; false: it is not about
 * those, or an operand is not known. */
bool fault_change_dot(enum fault_id id, struct exec *x, const struct invocation *inv,
                      const struct mod_inst *in, uint64_t *out);

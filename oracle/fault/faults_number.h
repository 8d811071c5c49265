/* oracle/fault/faults_number.h -- planted faults of integer instructions: executes another instruction of
 * base/integer.def on the same operands. */
#pragma once

#include "oracle/fault/faults.h"

struct exec;
struct invocation;
struct mod_inst;
struct module;

/* Is it about those? */
bool fault_is_of_numbers(enum fault_id id);
/* Can it act at this instruction, by its OP_NUMBER and by which operands are constants? */
bool fault_fits_number(enum fault_id id, const struct module *m, const struct mod_inst *in);
/* What the fault gives as component c of the result of `in`, of a struct of its first or second member; false: it does
 * not arise here, or an operand is not known. */
bool fault_change_number(enum fault_id id, struct exec *x, const struct invocation *inv,
                         const struct mod_inst *in, uint32_t c, uint64_t *out);

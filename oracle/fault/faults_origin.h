/* oracle/fault/faults_origin.h -- finds by the module alone where the operand of an instruction may come from, as
 * a compiler does that combines two instructions or folds constants. The search is bounded in depth and steps. */
#pragma once

#include "oracle/interp/module.h"

/* Is an instruction with this opcode of the core among those that the value may be a result of, as it is or by way of
 * copies, selections, phis, vectors, variables of the module and calls? Takes in too many where a variable has several parts. */
bool fault_comes_of(const struct module *m, uint32_t id, uint32_t op);
/* The same for a constant of the module. */
bool fault_comes_of_constant(const struct module *m, uint32_t id);
/* May a compiler take component c of the value for a constant: a constant, what instructions on values make of constants
 * alone, or a product of a constant zero? */
bool fault_is_folded(const struct module *m, uint32_t id, uint32_t c);
/* The variable or parameter that a pointer is derived from by access chains. */
uint32_t fault_find_root(const struct module *m, uint32_t pointer);

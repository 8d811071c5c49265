/* oracle/interp/module_part.h -- of instructions the part of the interpreter, of types the scalars. */
#pragma once

#include "oracle/interp/module.h"

/* Which part of the interpreter an instruction of that OP_NUMBER belongs to. */
enum mod_part module_find_part(uint32_t op);
/* Scalars in a type that a variable of class Function may be of: numbers, vectors, and arrays and structs of these; 0: it
 * is none, or has more than MOD_MAX_FUNC_SLOTS. */
uint32_t module_count_scalars(const struct module *m, uint32_t type);

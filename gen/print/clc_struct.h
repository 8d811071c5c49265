/* gen/print/clc_struct.h -- structs and arrays of numbers: their declarations, their parts, and such values. */
#pragma once

#include "gen/print/text.h"

/* Declarations of the structs of the module that hold numbers, vectors, arrays and structs of these; others have none. */
const char *clc_print_structs(struct printer *p);
/* Is it a struct that is declared so, or an array of what may stand in one? */
bool clc_is_aggregate(const struct printer *p, uint32_t type);
/* The part of `text`, a value of the type, that the literals words[0] to words[n - 1] lead to; or (`pointer`, the type of
 * one to the part, is not 0) what is in memory, by ids. */
const char *clc_print_part(struct printer *p, uint32_t type, const char *text,
                           const uint32_t *words, uint32_t n, uint32_t pointer);
/* OpCompositeConstruct of such a type, and OpCompositeInsert. */
void clc_put_aggregate(struct printer *p, const struct spv_inst *in);
void clc_put_insert(struct printer *p, const struct spv_inst *in);

/* gen/print/clc_text.h -- names of types, numbers and operands as OpenCL C has them: members of its dialect. */
#pragma once

#include "gen/print/text.h"

/* "float", "uint4", "__global uint *" of a type id. */
const char *clc_type(struct printer *p, uint32_t type, enum text_sign sign);
/* A constant, exactly. */
const char *clc_number(struct printer *p, uint32_t type, uint64_t bits, bool *is_simple);
const char *clc_vector(struct printer *p, uint32_t type, const char *text);
const char *clc_signed(struct printer *p, uint32_t id);
const char *clc_unsigned(struct printer *p, uint32_t type, const char *text);

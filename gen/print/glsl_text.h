/* gen/print/glsl_text.h -- names of types, numbers and operands as GLSL has them, and the extensions that these need. */
#pragma once

#include "gen/print/text.h"

/* Extensions of GLSL, in the order in which the text asks for them. */
enum glsl_extension {
#define EXTENSION(id, name) GLSL_##id,
#include "gen/print/glsl_extension.def"
};

/* The text needs it. */
void glsl_need(struct printer *p, enum glsl_extension extension);
/* A line `#extension NAME : require` for each that is needed. */
const char *glsl_print_extensions(struct printer *p);

/* "float", "u16vec4" of a type id of numbers, truth values or vectors. */
const char *glsl_type(struct printer *p, uint32_t type, enum text_sign sign);
/* A constant, exactly. */
const char *glsl_number(struct printer *p, uint32_t type, uint64_t bits, bool *is_simple);
/* "u16vec4(text)". */
const char *glsl_vector(struct printer *p, uint32_t type, const char *text);
/* "int(x)": the value, of integers, as one of the other sign. */
const char *glsl_signed(struct printer *p, uint32_t id);

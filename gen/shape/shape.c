/* gen/shape/shape.c -- the rows of shape.def. */
#include "gen/shape/shape.h"

#include <stddef.h>

#define CL OP_CL
#define VK OP_VK
const struct shape_row shape_rows[SHAPE_N] = {
#define SHAPE(id, envs, text) {#id, text, (unsigned)(envs)},
#include "gen/shape/shape.def"
};
const struct shape_row group_shape_rows[GROUP_SHAPE_N] = {
#define GROUP_SHAPE(id, envs, text) {#id, text, (unsigned)(envs)},
#include "gen/shape/shape.def"
};
const struct shape_row math_shape_rows[MATH_SHAPE_N] = {
#define MATH_SHAPE(id, envs, text) {#id, text, (unsigned)(envs)},
#include "gen/shape/shape.def"
};
const char *const atomic_kind_names[ATOMIC_KIND_N] = {
#define ATOMIC_KIND(id, text) text,
#include "gen/shape/shape.def"
};

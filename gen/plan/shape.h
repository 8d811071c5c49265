/* gen/plan/shape.h -- shape.def as enums and tables. */
#pragma once

#include "base/ops.h"

enum shape {
#define SHAPE(id, ...) SHAPE_##id,
#include "gen/plan/shape.def"
};
enum {
    SHAPE_N = 0
#define SHAPE(...) +1
#include "gen/plan/shape.def"
};
enum atomic_kind {
#define ATOMIC_KIND(id, ...) KIND_##id,
#include "gen/plan/shape.def"
};
enum {
    ATOMIC_KIND_N = 0
#define ATOMIC_KIND(...) +1
#include "gen/plan/shape.def"
};

enum group_shape {
#define GROUP_SHAPE(id, ...) GROUP_SHAPE_##id,
#include "gen/plan/shape.def"
};
enum {
    GROUP_SHAPE_N = 0
#define GROUP_SHAPE(...) +1
#include "gen/plan/shape.def"
};

enum math_shape {
#define MATH_SHAPE(id, ...) MATH_SHAPE_##id,
#include "gen/plan/shape.def"
};
enum {
    MATH_SHAPE_N = 0
#define MATH_SHAPE(...) +1
#include "gen/plan/shape.def"
};

_Static_assert(SHAPE_N <= 64 && GROUP_SHAPE_N <= 64 && MATH_SHAPE_N <= 64 && ATOMIC_KIND_N <= 64,
               "a set of them is a number of 64 bits");

struct shape_row {
    const char *id, *text;
    unsigned envs; /* OP_CL, OP_VK */
};
extern const struct shape_row shape_rows[SHAPE_N];
extern const struct shape_row group_shape_rows[GROUP_SHAPE_N];
extern const struct shape_row math_shape_rows[MATH_SHAPE_N];
extern const char *const atomic_kind_names[ATOMIC_KIND_N];

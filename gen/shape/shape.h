/* gen/shape/shape.h -- shape.def as enums and tables. */
#pragma once

#include <stdbool.h>

#include "base/ops.h"

enum shape {
#define SHAPE(id, ...) SHAPE_##id,
#include "gen/shape/shape.def"
};
enum {
    SHAPE_N = 0
#define SHAPE(...) +1
#include "gen/shape/shape.def"
};
enum atomic_kind {
#define ATOMIC_KIND(id, ...) KIND_##id,
#include "gen/shape/shape.def"
};
enum {
    ATOMIC_KIND_N = 0
#define ATOMIC_KIND(...) +1
#include "gen/shape/shape.def"
};

enum group_shape {
#define GROUP_SHAPE(id, ...) GROUP_SHAPE_##id,
#include "gen/shape/shape.def"
};
enum {
    GROUP_SHAPE_N = 0
#define GROUP_SHAPE(...) +1
#include "gen/shape/shape.def"
};

enum math_shape {
#define MATH_SHAPE(id, ...) MATH_SHAPE_##id,
#include "gen/shape/shape.def"
};
enum {
    MATH_SHAPE_N = 0
#define MATH_SHAPE(...) +1
#include "gen/shape/shape.def"
};

_Static_assert(GROUP_SHAPE_N <= 64 && MATH_SHAPE_N <= 64 && ATOMIC_KIND_N <= 64,
               "a set of them is a number of 64 bits");

enum {
    SHAPE_WORDS = (SHAPE_N + 63) / 64
};
/* A set of shapes: bit i % 64 of word i / 64 is row i. */
struct shape_set {
    uint64_t words[SHAPE_WORDS];
};
static inline void shape_set_add(struct shape_set *s, enum shape i)
{
    s->words[i / 64] |= UINT64_C(1) << i % 64;
}
static inline bool shape_set_has(const struct shape_set *s, enum shape i)
{
    return s->words[i / 64] >> i % 64 & 1;
}
/* Is there a shape that both have? */
static inline bool shape_sets_meet(const struct shape_set *x, const struct shape_set *y)
{
    for (int i = 0; i < SHAPE_WORDS; i++) {
        if (x->words[i] & y->words[i]) {
            return true;
        }
    }
    return false;
}

struct shape_row {
    const char *id, *text;
    unsigned envs; /* OP_CL, OP_VK */
};
extern const struct shape_row shape_rows[SHAPE_N];
extern const struct shape_row group_shape_rows[GROUP_SHAPE_N];
extern const struct shape_row math_shape_rows[MATH_SHAPE_N];
extern const char *const atomic_kind_names[ATOMIC_KIND_N];

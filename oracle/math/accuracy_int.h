/* oracle/math/accuracy_int.h -- integers that an instruction gives beside, or instead of, a number. */
#pragma once

#include "oracle/math/accuracy.h"

enum {
    ACCURACY_MAX_INTEGERS = 4
};
/* Permitted integers: of frexp the exponent, of ilogb, remquo and lgamma_r. */
struct accuracy_int {
    bool is_any;
    bool is_prescribed;                   /* for special operands, by a sentence about them */
    uint32_t n;                           /* alternatives */
    int32_t value[ACCURACY_MAX_INTEGERS]; /* in two's complement */
    uint32_t mask
        [ACCURACY_MAX_INTEGERS]; /* bits of its magnitude that count; not all: of its sign too */
};
/* 0: the instruction has no integer result. */
int accuracy_permitted_int(const struct accuracy *a, const struct func_args *args,
                           const struct fp_rules *r, struct accuracy_int *out);
bool accuracy_int_has(const struct accuracy_int *s, int32_t got);
/* The alternative that `pick` chooses, bits that do not count chosen as well; nothing is_any. */
int32_t accuracy_int_choose(const struct accuracy_int *s, uint64_t pick);
/* "{0, -1}", "{3 and bits 0xffffff80}" in a; not of is_any. */
const char *accuracy_int_to_text(const struct accuracy_int *s, struct arena *a);

/* oracle/math/accuracy_int.h -- computes the permitted integers that an instruction returns in addition to, or in
 * place of, a float: exponents, signs and quotients. */
#pragma once

#include "oracle/math/accuracy.h"

enum {
    ACCURACY_MAX_INTEGERS = 4
};
/* Permitted integers: of frexp the exponent, of ilogb, remquo and lgamma_r; of a conversion of a set of floats. */
struct accuracy_int {
    bool is_any;
    bool is_unsigned;                     /* for people */
    bool is_prescribed;                   /* for special operands, by a sentence about them */
    uint32_t n;                           /* alternatives */
    int32_t value[ACCURACY_MAX_INTEGERS]; /* in two's complement */
    uint32_t span
        [ACCURACY_MAX_INTEGERS]; /* so many integers above it are permitted as well, where all bits count */
    uint32_t mask
        [ACCURACY_MAX_INTEGERS]; /* bits of its magnitude that count; not all: of its sign too */
    const struct accuracy_int *outer; /* what is a divergence alone, beside these; NULL: nothing */
};
/* 0: the instruction has no integer result. */
int accuracy_permitted_int(const struct accuracy *a, const struct func_args *args,
                           const struct fp_rules *r, struct accuracy_int *out);
bool accuracy_int_has(const struct accuracy_int *s, int32_t got);
/* How many there are; where some bits do not count, the alternatives. */
uint64_t accuracy_int_count(const struct accuracy_int *s);
/* Adds the integers from lo to hi, in two's complement, at most 2^32 - 1 of them; where there is no room they are joined
 * with the last alternative, if they lie above it. false: they do not. */
bool accuracy_int_add(struct accuracy_int *s, uint32_t lo, uint32_t hi);
/* The alternative that `pick` chooses, bits that do not count chosen as well; nothing is_any. */
int32_t accuracy_int_choose(const struct accuracy_int *s, uint64_t pick);
/* "{0, -1}", "{3 and bits 0xffffff80}" in a; not of is_any. */
const char *accuracy_int_to_text(const struct accuracy_int *s, struct arena *a);

/* oracle/math/inherit_parts.h -- what the files of inherit.h share: programs and their two machines. */
#pragma once

#include "oracle/math/accuracy_parts.h"
#include "oracle/math/func_parts.h"
#include "oracle/math/inherit.h"

enum inherit_word {
#define WORD(id, ...) WORD_##id,
#define CALL(id, ...) WORD_##id,
#include "oracle/math/inherit_word.def"
};
enum {
    WORD_N = 0
#define WORD(...) +1
#define CALL(...) +1
#include "oracle/math/inherit_word.def"
};
enum {
    INHERIT_MAX_WORDS = 48,
    INHERIT_STACK = 8
};

/* One formula on one reading of the operands. */
struct inherit_work {
    const struct accuracy *a;
    const struct accuracy_operands *v;
    uint32_t component;
    const struct fp_rules *rules;
    unsigned n_words;
    uint8_t words[INHERIT_MAX_WORDS]; /* enum inherit_word */
};

/* What the formula may give, outward. 0: not certain. */
int inherit_run_sets(const struct inherit_work *w, struct set *out);
/* A function on sets: the results for all their members, outward. */
int inherit_call(const struct inherit_work *w, enum inherit_word word, const struct set *args,
                 struct set *out);
/* Sum of products of n pairs of sets, in any order. */
void inherit_dot(const struct inherit_work *w, const struct set *x, const struct set *y,
                 struct set *out);
/* The results of a step, where f64 is held to f32's accuracy. */
void inherit_widen(const struct inherit_work *w, struct set *s);
/* The key range that holds lo..hi, which are not NaN. */
void inherit_add_interval(struct set *out, mpfr_srcptr lo, mpfr_srcptr hi);

/* The exact value enclosed at prec_bits <= MP_WIDE_PREC_BITS; operands are finite. 0: not known at
 * this precision. */
int inherit_run_reals(const struct inherit_work *w, unsigned prec_bits, struct func_span *out);

/* The operand that a word of X to Z0 names. */
uint64_t inherit_get_operand(const struct inherit_work *w, enum inherit_word word);

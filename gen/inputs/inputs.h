/* gen/inputs/inputs.h -- computes the numbers that a buffer or a constant holds: by class (what is hard for an
 * operation) and seed, for each invocation, with integers alone. */
#pragma once

#include "gen/inputs/inputs_number.h"
#include "gen/ir/ir.h"

enum input_class {
    INPUT_SMALL_INT,     /* -8 .. 8 */
    INPUT_ONE,           /* the same number for all */
    INPUT_NORMAL,        /* random fraction, exponents near 0 */
    INPUT_NEAR_POW2,     /* a power of two and its neighbours */
    INPUT_TIES,          /* sums with numbers near 1 round at or near a tie */
    INPUT_DISTINCT_POW2, /* 2^(lane mod p): a sum tells who took part */
    INPUT_EQUAL_PAIRS,   /* few values, many equal */
    INPUT_EXACT,         /* k * 2^exp, |k| <= k_max */
    INPUT_ZERO,          /* +0 and -0 */
    INPUT_SUBNORMAL,
    INPUT_NEAR_OVERFLOW,
    INPUT_QNAN,
    INPUT_SNAN,
    INPUT_INF,
    INPUT_BITS,    /* any encoding */
    INPUT_MIXED,   /* each of a random class of those above */
    INPUT_POW2,    /* +-2^e, |e| <= k_max, for one lane in `share`, +-1 for the others: factors */
    INPUT_RARE,    /* ordinary numbers, one in 16 of any class */
    INPUT_CANCEL,  /* large ones, each with its negative beside it, and small ones between */
    INPUT_SPECIAL, /* zeros, ones, infinities, NaN, the ends of the ranges, their neighbours */
    INPUT_DOMAIN,  /* what is hard for a function: see enum input_domain */
    INPUT_LITERAL  /* the seed's lowest bits for all */
};
enum {
    INPUT_CLASS_N = 22,
    INPUT_LITERAL_CHOICE = 99 /* inputs_pick_class's for INPUT_LITERAL, where the use permits it */
};

/* Where a function is defined, or its accuracy is. */
enum input_range {
    RANGE_ALL,
    RANGE_NOT_NEGATIVE,
    RANGE_UNIT,    /* from -1 to 1 */
    RANGE_PI,      /* from about -pi to pi */
    RANGE_FROM_ONE /* 1 and above */
};

/* What a row of inputs is filled with; a pure function of this and the lane's number. */
struct input {
    enum ir_type type;
    enum input_class class;
    uint64_t seed;
    bool plain;     /* no NaN, no infinity, no -0 and nothing that may become one by one addition */
    int exp;        /* INPUT_EXACT */
    uint32_t k_max; /* INPUT_EXACT, INPUT_POW2 */
    uint32_t first; /* INPUT_DISTINCT_POW2: power of lane 0 */
    uint32_t share; /* INPUT_DISTINCT_POW2: this many lanes have the same power; 0 means 1 */
    uint32_t period;          /* INPUT_DISTINCT_POW2: this many powers; 0 means the precision */
    enum input_domain domain; /* INPUT_DOMAIN */
    uint32_t argument;        /* INPUT_DOMAIN: which one of the instruction */
    enum input_range range;   /* of numbers, whatever the class */
    /* A few invocations get a special number (INPUT_SPECIAL, often a NaN or an infinity), whatever the class but INPUT_LITERAL:
     * one of eight for all arguments, one of eight for one of them. plain: none does. */
    bool has_special;
    uint32_t special_shift; /* the number of invocations by which the special ones are moved up */
};

/* Is has_special for the input with this seed to be set? It is for two of three seeds. */
static inline bool inputs_want_special(uint64_t seed)
{
    return seed % 3 != 0;
}

/* Who is to take the numbers. */
enum input_use {
    USE_ANY,
    USE_CONTENDED, /* a cell of many operations: NaN and infinity would stay there to the end */
    USE_CROWDED,   /* addend of a cell of hundreds: their order is found by values that differ */
    USE_DISTINCT,  /* value for such a cell: for each invocation and iteration another */
    USE_GROUP,     /* value of a group operation */
    USE_SUM,       /* term of a float sum over a group whose order may matter */
    USE_EQUAL,     /* to be compared over a group: often all the same */
    USE_MATH       /* argument of a mathematical instruction */
};
/*
 * Make `in` the terms of a sum over any subset of n lanes that comes out the same in any order: every
 * partial sum is exact. Or the factors of such a product, which may in rare cases overflow on the way.
 * in->type and in->seed are set.
 */
void inputs_make_exact(struct input *in, bool is_product, uint32_t n, uint64_t choice);
/* Class number `choice` in the mix for that use. choice 0: INPUT_SMALL_INT. */
enum input_class inputs_pick_class(uint64_t choice, enum input_use use);

/* The encoding of lane `lane`. */
uint64_t inputs_get_value(const struct input *in, uint32_t lane);

/* Encodings of lanes 0 .. n-1 to little-endian bytes of the type's width. */
void inputs_fill(const struct input *in, unsigned char *to, uint32_t n);

/* oracle/feature/feature.h -- records what a judged run showed as cells of a map, which guide a fuzzer: each cell
 * is a hash of a tuple of properties (instruction, type, operand classes, control flow). */
#pragma once

#include "base/base.h"
#include "base/format.h"
#include "base/ops.h"
#include "oracle/tables/storage.h"
#include "oracle/tables/tables.h"

/*
 * A cell is 1 or 0, never a count: a fuzzer that keeps what sets a new cell keeps what is new, not
 * what is more.
 *   [0, FEATURE_TUPLE_CELLS)    tuples of what was judged, each by its hash: instruction x type x
 *                               storage x mask x least usual operand class x outcome in one; and the
 *                               instruction with each other thing that is known of a value, so that
 *                               what has one of two rare properties is a step to what has both
 *   [.., + FEATURE_RATIO_CELLS) for each instruction and float type FEATURE_RATIO_STEPS cells, the
 *                               first of them set: up to the largest |error| / permitted bound
 */
enum {
    FEATURE_TUPLE_CELLS = 1 << 16,
    FEATURE_RATIO_STEPS = 16,
    FEATURE_RATIO_CELLS = 1 << 14,
    FEATURE_CELLS = FEATURE_TUPLE_CELLS + FEATURE_RATIO_CELLS
};

/*
 * A finer map, for the choice of seeds: an instruction and its type with each two other things that are
 * known of one value, each triple by its hash. Nearly every case sets new ones, so that a fuzzer that kept
 * what is new would keep all. Bit i % 8 of byte i / 8.
 */
enum {
    FEATURE_PAIR_CELLS = 1 << 21,
    FEATURE_PAIR_BYTES = FEATURE_PAIR_CELLS / 8
};

/* ---- one judged value, between the judge and the map ---- */

/* What sort of value an operand or a result is. */
enum feature_class {
    FEATURE_NOTHING, /* there is none, or nobody knows it */
    FEATURE_ZERO,
    FEATURE_SUBNORMAL,
    FEATURE_NORMAL,
    FEATURE_INF,
    FEATURE_QNAN,
    FEATURE_SNAN,
    FEATURE_INT_ZERO,
    FEATURE_INT_ONES, /* -1 */
    FEATURE_INT,
    FEATURE_MINUS_ZERO, /* from here on finer parts of the classes above */
    FEATURE_NEGATIVE,   /* a normal number */
    FEATURE_TINY,       /* of the smallest normal exponent */
    FEATURE_HUGE,       /* of the largest */
    FEATURE_MINUS_INF,
    FEATURE_INT_TOP /* the sign bit alone, or all others */
};
/* The class of an encoding of n_bits; fmt: enum fmt_id, or -1 for an integer or a bool. */
enum feature_class feature_classify(int fmt, unsigned n_bits, uint64_t enc);
/* The coarse class that a fine one is part of. */
enum feature_class feature_coarse(enum feature_class c);

/* Who took part together. */
enum feature_mask {
    FEATURE_MASK_NONE, /* nobody else: neither atomic nor group instruction */
    FEATURE_MASK_FULL,
    FEATURE_MASK_CUT,     /* all there are, fewer than there are lanes */
    FEATURE_MASK_ONE,     /* one of several */
    FEATURE_MASK_FIRST,   /* some, from the first on without a gap */
    FEATURE_MASK_BLOCK,   /* some, without a gap */
    FEATURE_MASK_SPARSE,  /* some, with gaps */
    FEATURE_MASK_PRIVATE, /* of an atomic: its location is one invocation's */
    FEATURE_MASK_GROUP,   /* several of one work-group */
    FEATURE_MASK_GROUPS   /* several work-groups */
};

/* How an addition, subtraction or multiplication rounds. */
enum feature_rounding {
    FEATURE_ROUNDING_NONE, /* another instruction, or a special value */
    FEATURE_ROUNDING_EXACT,
    FEATURE_ROUNDING_INEXACT,
    FEATURE_ROUNDING_TIE
};

enum feature_outcome {
    FEATURE_SHARP,
    FEATURE_LOOSE, /* permitted, as one of many */
    FEATURE_BOUNDED,
    FEATURE_ANYTHING,
    FEATURE_DIVERGENT,
    FEATURE_WRONG
};

/* Where an instruction stands in its module. */
enum feature_flow {
    FEATURE_IN_LOOP = 1,
    FEATURE_IN_THEN = 2,
    FEATURE_IN_ELSE = 4,
    FEATURE_IN_FUNCTION = 8 /* that was called */
};
/* Which invocation executed it. */
enum feature_place {
    FEATURE_SECOND_GROUP = 1, /* of a work-group that is not the first */
    FEATURE_SECOND_WAVE = 2   /* not one of the first 32 of its work-group */
};

enum {
    FEATURE_OPERANDS = 3
};
struct feature {
    uint16_t op;           /* row of ops.def */
    uint8_t type, storage; /* enum val_type, enum storage */
    uint8_t scope;         /* of an atomic: 1 + SpvScope; 0: none */
    uint8_t mask;          /* enum feature_mask */
    /* enum feature_class. Of an atomic what it found and what it brought; of a group instruction what
     * the invocation brought, and what is least usual in the group */
    uint8_t operand[FEATURE_OPERANDS];
    uint8_t result;           /* enum feature_class */
    uint8_t rounding;         /* enum feature_rounding */
    uint8_t width, component; /* of a vector; 0, 0: a scalar */
    uint8_t size;             /* of the sub-group or cluster, by power of two: feature_size */
    uint8_t flow, place;      /* enum feature_flow, feature_place: bits */
    uint8_t decoration;       /* a max error by its size, or a rounding mode; 0: none */
    uint8_t outcome;          /* enum feature_outcome */
};
enum {
    FEATURE_RECENT = 256
};
/* A map being filled, and features that are in it already: most values are like one before. */
struct feature_map {
    unsigned char *cells; /* [FEATURE_CELLS] */
    unsigned char *pairs; /* [FEATURE_PAIR_BYTES], or NULL */
    uint8_t *flow;        /* of each instruction; NULL until one is asked for */
    struct feature recent[FEATURE_RECENT];
};
/* Nothing was seen. */
void feature_clear(struct feature_map *m);
/* Set the cells of a tuple and of its parts. */
void feature_put(struct feature_map *m, const struct feature *f);
/* Set the cells of an error, as a part of the bound: up to its step. ratio: 0 and up, 1 is the bound
 * itself; NaN sets nothing. Half octaves up to 1, above it 16, 1024, more. */
void feature_put_ratio(struct feature_map *m, unsigned op, enum fmt_id fmt, double ratio);
/* The step of a ratio, 0 .. FEATURE_RATIO_STEPS - 1. */
unsigned feature_ratio_step(double ratio);

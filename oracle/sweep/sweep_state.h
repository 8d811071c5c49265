/* oracle/sweep/sweep_state.h -- what is swept, a block of it, and what was found. */
#pragma once

#include "oracle/math/accuracy.h"

enum {
    SWEEP_MAX_FORMS = 16,
    SWEEP_ARGS = 3,  /* of one input, an integer argument among them */
    SWEEP_BINS = 64, /* of the histogram of |error|: see sweep_bin_edge */
    SWEEP_WORST = 8, /* worst inputs kept of each form and side */
    SWEEP_PLOT = 512 /* points of error against input */
};

/* One way to compute the function on the device: full, half_, native_, or decorated. */
struct sweep_form {
    struct func_bound bound; /* that it must keep; with has_rule what holds for all arguments */
    int has_bound;           /* 0: implementation-defined, only the error is recorded */
    int has_rule;         /* what is permitted beyond `bound` is for `rule` to say: a bound that */
    struct accuracy rule; /* depends on the arguments, or is inherited (accuracy_permitted) */
};

struct sweep_worst {
    double error;                  /* ulps, signed */
    uint64_t arg[SWEEP_ARGS], got; /* encodings; an integer as 32 bits */
};

/* What was found of one form, over all blocks so far. Plain data: may be added and written out. */
struct sweep_result {
    uint64_t n;           /* inputs */
    uint64_t n_numbers;   /* of these, results judged as numbers: the rest were special */
    uint64_t n_rounded;   /* of these, correctly rounded (RNE) */
    uint64_t n_broken;    /* outside the bound */
    uint64_t n_special;   /* special values that are wrong: NaN, infinity, overflow */
    uint64_t n_zero_sign; /* zeros of the wrong sign */
    uint64_t n_flushed;   /* results that are zero where the exact one is subnormal */
    uint64_t n_breaks;    /* of monotonicity, between neighbouring inputs of a monotone piece */
    uint64_t n_slow;      /* decided by MPFR, not by the filter */
    uint64_t n_undecided;
    double sum_error; /* of |error|, in ulps */
    uint64_t histogram[SWEEP_BINS];
    struct sweep_worst above, below; /* largest errors */
    struct sweep_worst broken[SWEEP_WORST];
    uint64_t special_arg[SWEEP_WORST][SWEEP_ARGS], special_got[SWEEP_WORST];
    uint64_t zero_arg[SWEEP_WORST][SWEEP_ARGS], zero_got[SWEEP_WORST];
    struct sweep_worst plot[SWEEP_PLOT]; /* largest |error| per slice of the input range */
};

struct sweep {
    enum func_id func;
    enum env env;
    enum fmt_id fmt;
    struct fp_rules rules; /* flush and rounding of the device */
    uint32_t n_forms;
    struct sweep_form form[SWEEP_MAX_FORMS];
    uint32_t slack_of; /* kept from block to block: the slack of this instruction set, plus one */
    double slack;
    struct sweep_result result[SWEEP_MAX_FORMS];
};

enum {
    SWEEP_PIECE = 512 /* inputs that are judged together: what a first-level cache holds */
};
/* A block as the public functions get it. */
struct sweep_block {
    const void *x, *y; /* y, z: NULL where there are fewer arguments */
    const void *const *got;
    uint32_t n;
    const void *z;
};
uint64_t sweep_load(enum fmt_id fmt, const void *p, uint32_t i);

/* The bin of an error is the upper bits of its encoding as a double, four bins to an octave, those
 * below 2^-5 in bin 0. Edges are lowered by 2^-22 of themselves, so that an error next to a whole number
 * is where that number is. */
#define SWEEP_BIN_SHIFT 50
#define SWEEP_FIRST_BIN ((((uint64_t)(1023 - 5) * 4 - 1) << SWEEP_BIN_SHIFT) - ((uint64_t)1 << 30))

/* Book an error: largest ones, point of the plot; a larger one than before replaces it. */
void sweep_put_largest(struct sweep *s, uint32_t form, const struct sweep_worst *w);
/* Book a broken bound among the worst. */
void sweep_put_broken(struct sweep_result *r, const struct sweep_worst *w);
uint32_t sweep_get_bin(double magnitude_ulp);
uint32_t sweep_get_slice(enum fmt_id fmt, uint64_t x);
/* Add what another process found. */
void sweep_merge(struct sweep_result *to, const struct sweep_result *from);
/* Lower edge of bin i of the histogram, in ulps; bin 0 starts at 0, bin 1 at 2^-5, four bins to an
 * octave, the last without an end. An error nearer to an edge than the slack may be in the other bin,
 * those next to whole numbers are with them. */
double sweep_bin_edge(uint32_t i);

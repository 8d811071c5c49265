/* oracle/sweep/sweep.h -- many results of one function against one evaluation of the reference: the
 * audit's inner loop. Certified: numerics 1 and 3. */
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

/*
 * A block of n inputs and the results of every form: x[i], y[i] (two arguments, else NULL), and
 * got[form][i], packed in the format's own width (2, 4, 8 bytes). Inputs of one argument that ascend
 * by encoding are checked for monotonicity, within a block. Results are exactly those that MPFR alone would give:
 * the filter decides only where its certified error leaves no doubt. No state but *s: several
 * threads or processes may each have one.
 */
void sweep_block(struct sweep *s, const void *x, const void *y, const void *const *got, uint32_t n);
/* The same for one argument and the inputs base, base + 1, ..., which x has room for: they are written
 * there where they are needed. */
void sweep_run(struct sweep *s, uint32_t base, void *x, const void *const *got, uint32_t n);
/* The same as sweep_block by MPFR alone, for tests. */
void sweep_block_slow(struct sweep *s, const void *x, const void *y, const void *const *got,
                      uint32_t n);
/* Functions of any arguments, each in a buffer of the format's width: func_row.n_args floats, then the
 * integer, its low 32 bits or in f16 all 16, with sign. By MPFR alone where there are three, or an
 * integer. */
void sweep_block_many(struct sweep *s, const void *const *args, const void *const *got, uint32_t n);
/* Add what another process found. */
void sweep_merge(struct sweep_result *to, const struct sweep_result *from);
/* Lower edge of bin i of the histogram, in ulps; bin 0 starts at 0, bin 1 at 2^-5, four bins to an
 * octave, the last without an end. An error nearer to an edge than the slack may be in the other bin,
 * those next to whole numbers are with them. */
double sweep_bin_edge(uint32_t i);

/* Name of the evaluator in use for the function ("avx512 double", "sse2 double", "pair of doubles",
 * "mpfr"), and whether it is certified on this machine. */
const char *sweep_get_evaluator(enum func_id func, enum fmt_id fmt, int *is_certified);

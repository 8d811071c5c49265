/* oracle/sweep/sweep_parts.h -- what the files of the sweep share: one verdict by MPFR, and the filter. */
#pragma once

#include "oracle/sweep/evaluator.h"
#include "oracle/sweep/sweep.h"

enum {
    SWEEP_PIECE = 512 /* inputs that are judged together: what a first-level cache holds */
};
/* Codes of judged results: a bin of the histogram, SWEEP_BROKEN added outside the bound, or: */
enum {
    SWEEP_BROKEN = 64,
    SWEEP_RIGHT = 128,   /* a special value, and the right one */
    SWEEP_FLUSHED = 129, /* zero for a subnormal result, as is permitted */
    SWEEP_EVEN = 130,    /* the even neighbour of an exact midpoint */
    SWEEP_DOUBT = 256,   /* MPFR has to say */
    SWEEP_CODES = 257
};

/* The bin of an error is the upper bits of its encoding as a double, four bins to an octave, those
 * below 2^-5 in bin 0. Edges are lowered by 2^-22 of themselves, so that an error next to a whole number
 * is where that number is. */
#define SWEEP_BIN_SHIFT 50
#define SWEEP_FIRST_BIN ((((uint64_t)(1023 - 5) * 4 - 1) << SWEEP_BIN_SHIFT) - ((uint64_t)1 << 30))

/* A block as the public functions get it. */
struct sweep_block {
    const void *x, *y; /* y, z: NULL where there are fewer arguments */
    const void *const *got;
    uint32_t n;
    const void *z;
};
uint64_t sweep_load(enum fmt_id fmt, const void *p, uint32_t i);
/* Result i of a form, judged by MPFR alone and booked; the order of neighbours apart. */
void sweep_judge_one(struct sweep *s, uint32_t form, const struct sweep_block *b, uint32_t i);
/* Result i of every form, by one evaluation. */
void sweep_judge_input(struct sweep *s, const struct sweep_block *b, uint32_t i);
/* A block by MPFR alone, which evaluates every input once for all forms. */
void sweep_block_once(struct sweep *s, const struct sweep_block *b);
/* The same for f64, what doubles can decide by them; has: can they at all? */
void sweep_block_double(struct sweep *s, const struct sweep_block *b);
int sweep_double_has(enum func_id func);
/* Book an error: largest ones, point of the plot; a larger one than before replaces it. */
void sweep_put_largest(struct sweep *s, uint32_t form, const struct sweep_worst *w);
/* Book a broken bound among the worst. */
void sweep_put_broken(struct sweep_result *r, const struct sweep_worst *w);
uint32_t sweep_get_bin(double magnitude_ulp);
uint32_t sweep_get_slice(enum fmt_id fmt, uint64_t x);
/* Which way the function goes from the encoding x to x + 1: 1, -1, or 0 where it is not known. */
int sweep_get_direction(enum func_id func, enum fmt_id fmt, uint64_t x);
/* Binades of |f(x)| over all x of one sign but 0, as exponents: what has an ulp above that of 2^lowest or
 * below, and where it is next to a power of two. INT_MIN and INT_MAX where nothing is known. */
void sweep_get_binades(enum func_id func, int is_negative, int *lowest, int *highest);
/* Judge those of n results from `first` on whose code is SWEEP_DOUBT. */
void sweep_judge_doubts(struct sweep *s, uint32_t form, const struct sweep_block *b, uint32_t first,
                        uint32_t n, const int64_t *code);
/* Count breaks of monotonicity between the results of a block. */
void sweep_count_breaks(struct sweep *s, const struct sweep_block *b, enum evaluator_isa isa);

/* A bound that no error passes: a double over the smallest ulp is below it. */
#define SWEEP_UNBOUNDED 0x1p900
/* What is the same for every lane. */
struct filter {
    double slack, low_factor, high_factor; /* of the value */
    double margin_ulp;                     /* the slack in ulps, at most */
    double ok_ulp, broken_ulp;             /* |error| up to this is permitted; above this is not */
    double absolute;                       /* or -1 */
    double overflow;                       /* magnitudes from here on round to infinity */
    double min_normal;
    double must_flush;                 /* magnitudes below have to be flushed */
    double max_flush;                  /* magnitudes below may be */
    uint64_t min_field, inverse_field; /* exponent fields of a double */
    uint64_t max_field;                /* of values of the piece */
    uint64_t overflow_enc;             /* encoding of overflow - 1 */
    double tie_limit;     /* of an error that is decided whichever binade the value is in */
    int is_quick;         /* judge_quickly may see it; then is_plain: */
    int is_plain;         /* what it says is broken is: a bound in ulps and nothing else */
    uint64_t crossing;    /* nonzero: all but exact results are in doubt */
    uint64_t no_overflow; /* nonzero: infinities are in doubt */
    int may_tie;          /* the even neighbour of a midpoint is permitted */
};

/* oracle/sweep/sweep_bound.c: the filter of a form; slack is that of the evaluator. */
struct filter sweep_make_filter(const struct sweep *s, uint32_t form, double slack,
                                int may_flush_inputs);

/* The error of the even neighbour of an exact midpoint, 1/2 or -1/2, else 0; arg are two arguments. */
double sweep_get_tie(const struct filter *f, enum func_id func, const double *arg, double value,
                     double got, uint64_t got_enc);
/* A block by the filter on that instruction set, what it leaves in doubt by MPFR. */
void sweep_filter(struct sweep *s, const struct sweep_block *b, enum evaluator_isa isa,
                  double slack);
/* A block of b->n results of f32 whose inputs are base, base + 1, ... (b->x is not looked at), where function
 * and results are flat and nothing is wrong: by its ends. 0: it is not, and nothing was booked. */
int sweep_filter_flat(struct sweep *s, const struct sweep_block *b, uint32_t base,
                      enum evaluator_isa isa, double slack);
/* sweep_block and sweep_run on a given instruction set. */
void sweep_run_on(struct sweep *s, uint32_t base, void *x, const void *const *got, uint32_t n,
                  enum evaluator_isa isa);
void sweep_block_on(struct sweep *s, const struct sweep_block *b, enum evaluator_isa isa);

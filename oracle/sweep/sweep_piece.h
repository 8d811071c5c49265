/* oracle/sweep/sweep_piece.h -- one piece of a block, the unit that the filter judges at once, and the recording
 * of its errors, histogram and worst cases. */
#pragma once

#include "oracle/sweep/sweep_bound.h"

enum {
    PIECE_WAYS =
        8, /* partial sums, and partial histograms: equal results do not wait for each other */
    PIECE_MEASURED = 16
};
/* One piece: inputs, values, and of one form the results and what comes out. */
struct piece {
    double x[SWEEP_PIECE], y[SWEEP_PIECE], value[SWEEP_PIECE], got[SWEEP_PIECE], error[SWEEP_PIECE];
    int64_t code[SWEEP_PIECE];
    uint64_t left[SWEEP_PIECE]; /* two arguments: those that MPFR has to judge */
};
/* Over a piece. */
struct totals {
    int64_t codes;       /* the bits of all */
    int is_one_code;     /* all have the first one's */
    double above, below; /* largest error, largest negated */
    double sum;          /* of |error| */
};
/* Errors by MPFR, the last few: forms often have the same results. */
struct measured {
    uint32_t n;
    struct sweep_worst last[PIECE_MEASURED];
};
typedef uint32_t piece_counts[PIECE_WAYS][SWEEP_CODES];

struct work {
    struct sweep *s;
    const struct sweep_block *b;
    uint32_t first, n, form; /* the piece begins at `first` of the block */
    double slack_ulp;
    int is_one_slice;
    uint32_t slice;
    struct piece p;
    int has_prescribed, has_subnormal;
    int is_flat;          /* one value, and nothing prescribed */
    int lowest, highest;  /* binades of the values: sweep_get_binades */
    struct totals totals; /* of the last form, its results were `judged` of the piece */
    int has_totals;
    struct measured measured;
    piece_counts *count; /* of each form; piece_book_counts adds them up */
};

/* Inputs or results from the piece's first on. */
const void *piece_find(const struct work *work, const void *p);
/* Book a piece of work->form that is judged: codes, largest errors, points of the plot, broken ones. */
void piece_count_codes(struct work *work);
void piece_put_largest(struct work *work, const struct filter *f);
void piece_put_broken(struct work *work);
/* Book n results of one code. */
void piece_book_code(struct sweep_result *r, uint32_t code, uint64_t n);
void piece_book_counts(struct work *work);
/*
 * Results that are all the same, of one value and one slice, the first one judged: do they leave every
 * list as it is? x: the first and the last of inputs that ascend one by one, where they do, else NULL.
 */
int piece_is_quiet(struct work *work, const struct filter *f, const uint32_t *x);

/* oracle/sweep/sweep_state.h -- what is swept, a block of inputs and results, and the statistics that were found. */
#pragma once

#include "base/audit_result.h"
#include "oracle/math/accuracy.h"

/* One way to compute the function on the device: full, half_, native_, or decorated. */
struct sweep_form {
    struct func_bound bound; /* that it must keep; with has_rule what holds for all arguments */
    int has_bound;           /* 0: implementation-defined, only the error is recorded */
    int has_rule;         /* what is permitted beyond `bound` is for `rule` to say: a bound that */
    struct accuracy rule; /* depends on the arguments, or is inherited (accuracy_permitted) */
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

/* Has it the larger error; of equal ones the lower input? One that is not there yet has the error 0. */
bool sweep_is_larger(const struct sweep_worst *worst, const struct sweep_worst *than);
/* Book an error that may be among the largest, and not as a point of the plot: whether it is worked out here depends on what
 * was found before. */
void sweep_put_side(struct sweep_result *r, const struct sweep_worst *worst);
/* Book an error: largest ones, point of the plot; a larger one than before replaces it, of equal ones that of the lower
 * input stays. So nothing depends on who found what first. */
void sweep_put_largest(struct sweep *s, uint32_t form, const struct sweep_worst *worst);
/* Book a broken bound among the worst. */
void sweep_put_broken(struct sweep_result *r, const struct sweep_worst *worst);
/* Put an input and its result into a list of SWEEP_WORST that has seen n_before so far: the lowest are kept, in order. */
void sweep_put_input(uint64_t (*args)[SWEEP_ARGS], uint64_t *gots, uint64_t n_before,
                     const uint64_t arg[SWEEP_ARGS], uint64_t got);
uint32_t sweep_get_bin(double magnitude_ulp);
uint32_t sweep_get_slice(enum fmt_id fmt, uint64_t x);
/* Add what another process found; in any order the same comes of it. */
void sweep_merge(struct sweep_result *to, const struct sweep_result *from);

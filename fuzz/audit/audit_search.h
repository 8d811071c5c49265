/* fuzz/audit/audit_search.h -- inputs where not all can be tried. */
#pragma once

#include "fuzz/audit/audit.h"
#include "fuzz/audit/worst.h"

enum {
    AUDIT_MAX_SEEDS = 4096, /* of the list of known hard inputs */
    AUDIT_MAX_STARTS = 2 * SWEEP_MAX_FORMS + SWEEP_MAX_FORMS * SWEEP_WORST + SWEEP_PLOT
};
struct audit_point {
    uint64_t arg[SWEEP_ARGS];
};
struct audit_search {
    enum func_id func;
    enum fmt_id fmt;
    uint32_t n_args;          /* of float type: 1 to 3 */
    int has_int;              /* an integer follows */
    uint32_t n_all;           /* of both */
    uint64_t n_total, n_made; /* inputs: planned, and made so far */
    uint64_t n_end;  /* where it ends: n_total, or later, as long as it goes on near a bound */
    double nearness; /* sum of error / bound of the forms near theirs, when it last went on */
    struct rng rng;
    uint32_t n_seeds, n_starts;
    struct audit_point *seeds;  /* tried first */
    struct audit_point *starts; /* worst ones so far: where the climbing begins */
};
/* Known hard inputs of `worst` come first (NULL: none), then special values. */
MUST_USE enum res audit_search_init(struct audit_search *s, const struct audit_row *row,
                                    uint64_t seed, const struct worst_list *worst, struct arena *a,
                                    struct err *e);
/* Does the next block climb, so that all results before it are needed (audit_search_learn)? */
int audit_search_is_climbing(const struct audit_search *s);
/* Starting points from what was found of each form. */
void audit_search_learn(struct audit_search *s, const struct sweep_result *r, uint32_t n_forms);
/* At n_end, with row->found up to date: go on with the neighbours of the worst input of each form that is near its bound
 * (error / bound of 0.8 or more) and has no wrong result. Then n_end rises by an eighth of n_total, up to twice n_total.
 * false: no form is near its bound, or the last such step has found no larger error / bound. */
bool audit_search_go_on(struct audit_search *s, const struct audit_row *row);
/* The next n inputs, in one buffer per argument. */
void audit_search_fill(struct audit_search *s, void *const *buffers, uint32_t n);

/* oracle/judge_values/feature_judge.h -- the features of a judged value: cells of a map by which a fuzzer is steered,
 * computed from the instruction, its operands and the outcome of the comparison. No verdict depends on them. */
#pragma once

#include "oracle/feature/feature.h"
#include "oracle/judge_groups/judge_sums.h"

/* The outcome of the comparison of one observed value. */
struct feature_seen {
    const struct coverage *row; /* that it is counted in */
    int fmt;                    /* enum fmt_id of the value, -1: no float */
    uint32_t component;         /* of the instruction's result */
    enum feature_outcome outcome;
    const struct set *loose;    /* the permitted set, if it comes of a loose bound; else NULL */
    struct reduction_case *sum; /* of a float sum or product over a group; else NULL */
};
/* Sets the cells of the value in the map. j->covered.map must not be NULL. */
void feature_see(struct judge *j, const struct observed *o, const struct feature_seen *s);
/* Sets the cells of all accesses of a contended location. is_undefined: anything is permitted there. */
void feature_see_chain(struct judge *j, const struct cell *c, const struct mo_problem *p,
                       const struct mo_answer *answer, bool is_undefined);

/* oracle/judge_values/feature_judge.h -- from what the judge has at hand to the features of a value. */
#pragma once

#include "oracle/feature/feature.h"
#include "oracle/judge_groups/judge_sums.h"

/* What the comparison of one observed value came to. */
struct feature_seen {
    const struct coverage *row; /* that it is counted in */
    int fmt;                    /* enum fmt_id of the value, -1: no float */
    uint32_t component;         /* of the instruction's result */
    enum feature_outcome outcome;
    const struct set *loose;    /* what a loose bound permits, NULL: none stands behind */
    struct reduction_case *sum; /* of a float sum or product over a group; else NULL */
};
/* Its cells. Only where j->covered.map is not NULL. */
void feature_see(struct judge *j, const struct observed *o, const struct feature_seen *s);
/* The cells of a contended location. is_undefined: anything is permitted there. */
void feature_see_chain(struct judge *j, const struct cell *c, const struct mo_problem *p,
                       const struct mo_answer *answer, bool is_undefined);

/* oracle/judge/comparison.h -- an observed value beside what is permitted, while it is judged. */
#pragma once

#include "oracle/judge/expectation.h"
#include "oracle/value/expression.h"
#include "oracle/judge/judge_group.h"

/* The observed value against what is permitted. */
struct comparison {
    int ok, is_float;
    enum fmt_id fmt;
    struct set permitted; /* meaningless for integers: expected */
    uint64_t expected;
    int anything;
    int is_exact;     /* these very bits, also of a NaN */
    int is_bounded;   /* a sum: by its proven bound alone */
    int differs;      /* a reduction: another invocation got other bits */
    int is_unjudged;  /* taken from the device as it is */
    uint64_t n_usual; /* a sum: values of the usual orders, of which it is one; 0: not looked at */
    struct reduction_case *sum;         /* of a float sum or product over a group; else NULL */
    const struct abstract *mask;        /* its bits are between must and may; else NULL */
    const struct accuracy_int *choices; /* it is one of these integers; else NULL */
    const struct event *seen;           /* the access that showed it, or the last one; or NULL */
    uint32_t component;                 /* of the instruction's result */
    int is_loose;                       /* a loose bound stands behind the set, or none */
    unsigned freedom;                   /* what may explain a value outside of the set */
    const struct mod_inst
        *shown_by; /* the instruction whose operand was lost at a barrier; else NULL */
    int is_truth;  /* of a comparison: expected is what it says of operands of fmt */
    const struct expect
        *expect; /* what the word that was observed may hold; NULL: no ranges tell */
    enum grade grade, grade_zero;
    enum clause_id clause, clause_out;
};

/* What the difference of a value that is not permitted is called, and its grade. May write clause_out:
 * the clause that the grade comes from. */
enum verdict_kind comparison_classify(const struct judge *j, const struct observed *o,
                                      struct comparison *c, enum grade *grade);

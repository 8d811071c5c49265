/* oracle/rules.h -- which rules bind a float instruction: modes, decorations, options, device. */
#ifndef HALFULP_ORACLE_RULES_H
#define HALFULP_ORACLE_RULES_H

#include "base/testcase.h"
#include "oracle/arith.h"
#include "oracle/exec.h"
#include "oracle/module.h"

enum rule_class {
    RULE_ARITH,       /* addition, subtraction, product, negation, conversion between floats */
    RULE_ARITH_OTHER, /* quotient, remainders, dot product, comparisons, conversion of integers */
    RULE_MATH,        /* instructions of an extended set */
    RULE_ATOMIC,      /* atomic add, min, max */
    RULE_COPY,        /* loads, stores, exchanges, selects, broadcasts, shuffles: bit-preserving */
    RULE_GROUP_SUM,   /* sums and products over a group */
    RULE_GROUP_MINMAX /* min, max and equality over a group */
};

struct rules {
    struct fp_rules fp;
    enum grade outside; /* of a value outside the set, numbers only */
    enum clause_id outside_clause;
    enum grade special;   /* where a NaN or an infinity takes part */
    enum grade zero_sign; /* of a zero of the wrong sign */
    enum clause_id special_clause;
    int may_fuse;      /* a product may go unrounded into a sum */
    int may_transform; /* of RULE_MATH: together with what gives its operands */
};

/* What holds for a whole module on one device under its build options. */
struct ruleset {
    const struct module *m;
    enum env env;
    int denorms_are_zero, no_signed_zeros, finite_only, mad, unsafe; /* OpenCL build options */
    uint64_t fp_config[3];                                           /* OpenCL, by enum fmt_id */
    double div_bound_ulp[3];
    int is_embedded, rounded_divide; /* OpenCL */
};
void ruleset_init(struct ruleset *s, const struct module *m, const struct testcase *tc,
                  const char *facts);
/* Rules of one instruction of class c on format fmt with result id `id` (semantics B1 to B3). */
struct rules ruleset_get(const struct ruleset *s, enum rule_class c, enum fmt_id fmt,
                         const struct mod_id *id);

#endif

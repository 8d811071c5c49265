/* oracle/sim/faults_math.h -- planted faults of arithmetic and mathematical functions. */
#pragma once

#include "oracle/sim/faults.h"
#include "oracle/value/value_explain.h"

/* One component of one dynamic float instruction as the simulated device does it. */
struct fault_math_site {
    const struct module *m;
    const struct mod_inst *in;
    enum env env;
    struct value_call call; /* of FUNC and ARITH */
    unsigned ops;           /* its bit of enum fault_ops */
    enum fmt_id fmt;        /* of the result */
    uint32_t component;
    uint64_t honest, other; /* its result; that of the next component */
    uint64_t pick;          /* decides where a fault has a choice */
    double environment_ulp; /* the bound that holds without a decoration; 0: rounded, or none */
    int has_product;        /* a sum of a product, product[0] * product[1] + rest */
    uint64_t product[2], rest;
    uint32_t n_terms; /* of Dot */
    uint64_t term[2][ACCURACY_MAX_COMPONENTS];
    int has_neighbour;         /* of a conversion that rounds: the other side */
    uint64_t neighbour, twice; /* rounded to the next wider format first */
};
/* Can it act at this instruction at all, by its operation, type and function? */
int fault_fits_math(enum fault_id id, enum env env, const struct module *m,
                    const struct mod_inst *in);
/* 0: not an instruction that such faults act on. Leaves honest, other and pick alone. */
int fault_describe_math(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                        const struct mod_inst *in, uint32_t c, struct fault_math_site *out);
/* The result that the fault gives; 0: it does not arise here. */
int fault_change_math(enum fault_id id, const struct fault_math_site *s, uint64_t *out);

/* Is it about what goes through a pointer? Then that; 0: it does not arise here. */
bool fault_is_of_second(enum fault_id id);
int fault_change_second(enum fault_id id, const struct fault_math_site *s, uint64_t *out);

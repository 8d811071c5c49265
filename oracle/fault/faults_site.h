/* oracle/fault/faults_site.h -- the site of a planted fault of arithmetic: one component of one dynamic float
 * instruction. From the module and the registers it collects the operands, the exact result and the bound, which
 * faults and bugs change or compare; numbers are decoded to double, which holds every format up to f64. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/math/accuracy.h"
#include "oracle/value/value_explain.h"

/* The exact result of a call, rounded to nearest. */
struct fault_exact {
    bool is_known;
    uint64_t bits;
};
enum {
    FAULT_MAX_REGROUPED = 4
};
/* One component of one dynamic float instruction as the simulated device does it. */
struct fault_math_site {
    const struct module *m;
    const struct mod_inst *in;
    enum env env;
    struct value_call call; /* of FUNC and ARITH */
    unsigned ops;           /* its bit of enum fault_ops */
    enum fmt_id fmt;        /* of the result */
    uint32_t component, n_components;
    uint64_t honest, other;    /* its result; that of the next component */
    uint64_t pick;             /* decides where a fault has a choice */
    struct fault_exact *exact; /* where it is kept once it was computed; NULL: nowhere */
    double environment_ulp;    /* the bound that holds without a decoration; 0: rounded, or none */
    bool has_product;          /* a sum of a product, product[0] * product[1] + rest */
    uint64_t product[2], rest;
    uint32_t
        n_regrouped; /* a sum of three terms or more: what it is in another order, see faults_site.c */
    uint64_t regrouped[FAULT_MAX_REGROUPED];
    uint32_t n_terms; /* of Dot */
    uint64_t term[2][ACCURACY_MAX_COMPONENTS];
    uint32_t
        n_elements; /* of what is normalized or measured, of a distance of the difference: they are term[0] */
    bool is_rounded;       /* a conversion of a number between two encodings: */
    uint64_t below, above; /* these, */
    uint64_t twice;        /* and what comes of it by way of the next wider format */
};
/* false: not an instruction that such faults act on. Leaves honest, other and pick alone. */
bool fault_describe_math(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                         const struct mod_inst *in, uint32_t c, struct fault_math_site *out);
/* The same of an instruction that propagates a value (value_propagates), which is `exact` without its decoration. */
void fault_describe_propagated(const struct exec *x, const struct ruleset *rs,
                               const struct mod_inst *in, uint32_t c, uint64_t exact,
                               struct fault_math_site *out);
/* Is the plan about this instruction, by its operation, type and storage? */
bool fault_is_planned(const struct fault_plan *p, const struct module *m,
                      const struct mod_inst *in);
/* Is the block one that a condition's being false leads to? */
bool fault_is_else_block(const struct module *m, uint32_t label);
/* Does a function of the module have a barrier or group instruction inside a selection or loop, or one anywhere and
 * a return inside a selection or loop? */
bool fault_has_barrier_in_branch(const struct module *m);
/* The type of the instruction's result; of a structure of two that of the first; of a function that gives an integer that
 * of its operand, by which bugs of it are described. */
uint32_t fault_get_type(const struct module *m, const struct mod_inst *in);
/* The instruction's bit of enum fault_ops. */
unsigned fault_get_ops(const struct mod_inst *in);

/* An encoding's value; and a double rounded to a format, to nearest: f64 as it is. */
double fault_decode(enum fmt_id fmt, uint64_t enc);
uint64_t fault_encode(enum fmt_id fmt, double v);
const struct float_format *fault_format(const struct fault_math_site *s);
static inline bool fault_is_finite(const struct float_format *f, uint64_t enc)
{
    return (enc & f->exp) != f->exp;
}
/* The encoding of 1. */
static inline uint64_t fault_one(const struct float_format *f)
{
    return (uint64_t)f->emax << (f->prec_bits - 1);
}
/* The exact result rounded, where it is a finite number; else false. */
bool fault_get_exact(const struct fault_math_site *s, uint64_t *out);
/* n encodings away from zero, or toward it; false: there is no such number. */
bool fault_move(const struct fault_math_site *s, uint64_t from, double n, uint64_t *out);
/* The exact result, off by its bound and `by` ulps; false: there is no such number. */
bool fault_move_past(const struct fault_math_site *s, double by, uint64_t *out);
/* Of what is normalized: are the magnitudes of all elements below the limit? */
bool fault_is_below(const struct fault_math_site *s, double limit);
/* Is any element NaN or infinite, do all squares underflow (of halves, which are scaled first: are all below 1/2), or does
 * the length of halves overflow? */
bool fault_is_hard_to_normalize(const struct fault_math_site *s);
/* Of such a vector: what a library gives that does not scale it, or takes no notice of a NaN, by s->pick. */
uint64_t fault_normalize_wrongly(const struct fault_math_site *s);

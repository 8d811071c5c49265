/* oracle/math/rules.h -- computes the rules that bind a float instruction (rounding, flushing, NaNs and zero
 * signs, contraction) from execution modes, decorations, build options and the device's capabilities. */
#pragma once

#include "base/testcase.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/num/arith.h"

/* Instructions that the texts treat alike; binding.def has a row for each. */
enum rule_class {
    RULE_ARITH,       /* FAdd, FSub, FMul, FNegate, FConvert */
    RULE_DIVIDE,      /* FDiv */
    RULE_REMAINDER,   /* FRem, FMod */
    RULE_PRODUCT,     /* VectorTimesScalar, Dot */
    RULE_FUSED,       /* FmaKHR */
    RULE_COMPARE,     /* the relational instructions */
    RULE_CONVERT,     /* from and to integers, QuantizeToF16 */
    RULE_MATH,        /* extended instructions: those that DenormFlushToZero alone binds, */
    RULE_MATH_KEPT,   /* DenormPreserve too, */
    RULE_MATH_FREE,   /* neither */
    RULE_ATOMIC,      /* atomic add, min, max */
    RULE_MOVE,        /* loads, stores, selects: bit-preserving */
    RULE_MOVE_ATOMIC, /* atomic loads, stores, exchanges */
    RULE_MOVE_GROUP,  /* broadcasts, shuffles and the like */
    RULE_GROUP_SUM,   /* sums and products over a group */
    RULE_GROUP_MINMAX,
    RULE_GROUP_EQUAL /* AllEqual */
};
enum {
    RULE_N = 0
#define BINDING(...) +1
#include "oracle/math/binding.def"
};

/* What a build option takes back: the effects of option.def. */
enum option_effect {
    EFFECT_FLUSH,         /* subnormals may be zero */
    EFFECT_FREE_SIGN,     /* the sign of a zero says nothing */
    EFFECT_NO_SPECIAL,    /* NaN and infinity do not occur */
    EFFECT_NO_EDGE,       /* prescribed results of functions do not bind */
    EFFECT_CONTRACT,      /* EXPRESSION_CONTRACT, also where ContractionOff is set */
    EFFECT_REARRANGE,     /* EXPRESSION_REARRANGE */
    EFFECT_RELAXED,       /* bounds of the table for unsafe math optimizations */
    EFFECT_LOOSE,         /* EXPRESSION_LOOSE */
    EFFECT_ROUNDED_DIVIDE /* quotient and root are correctly rounded */
};
enum {
    EFFECT_N = 9
};

/* What an instruction may take part in, and so what may explain a value outside of its permitted set
 * (oracle/value/expression.h). */
enum expression_freedom {
    EXPRESSION_CONTRACT = 1,  /* roundings between instructions may be left out */
    EXPRESSION_REARRANGE = 2, /* any expression that is equal over the real numbers */
    EXPRESSION_LOOSE = 4      /* no bound: CA, optimization options, names none */
};

struct rules {
    struct fp_rules fp;
    enum grade outside; /* of a value outside the set, numbers only */
    enum clause_id outside_clause;
    enum grade special;   /* where a NaN or an infinity takes part */
    enum grade zero_sign; /* of a zero of the wrong sign */
    enum clause_id special_clause;
    unsigned freedom; /* enum expression_freedom */
    enum clause_id freedom_clause;
};

/* What holds for a whole module on one device under its build options. */
struct ruleset {
    const struct module *m;
    enum env env;
    unsigned effects[EFFECT_N][RULE_N]; /* OpenCL: by enum fmt_id a bit each */
    uint64_t fp_config[3];              /* OpenCL, by enum fmt_id */
    double div_bound_ulp[3];
    bool is_embedded;  /* OpenCL */
    unsigned revision; /* Vulkan: the last number of the version that the device claims */
    bool is_inner; /* are the rules for inner results of an expression that is evaluated as one? No
                        * instruction has to flush such a result. Else those of a value in a register. */
};
void ruleset_init(struct ruleset *s, const struct module *m, const struct testcase *tc,
                  const char *facts);
/* Do the build options have this effect on the class and format? */
bool ruleset_has(const struct ruleset *s, enum option_effect effect, enum rule_class c,
                 enum fmt_id fmt);
/* Rules of one instruction of class c on format fmt with result id `id`. */
struct rules ruleset_get(const struct ruleset *s, enum rule_class c, enum fmt_id fmt,
                         const struct mod_id *id);
/* OpIsNan to OpUnordered: of one operand, and from OpLessOrGreater on of two. */
bool rules_is_test(uint32_t op);
/* The class of a float instruction in registers, by OP_NUMBER: not an atomic, not of a group. */
enum rule_class rules_find_class(uint32_t op);

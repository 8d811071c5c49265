/* oracle/value/value_explain.h -- describes a mathematical instruction as a call (function, arguments, accuracy),
 * and explains to users how far a result is from the exact value and which bound holds. */
#pragma once

#include "oracle/interp/exec.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/rules.h"
#include "oracle/tables/storage.h"

/* One component of one instruction as a call of a function. */
struct value_call {
    struct accuracy accuracy;
    struct func_args args; /* meaningful if has_args: all operands are known */
    int has_args;
    int is_whole; /* an instruction on whole vectors: no args */
};
/* 0: no instruction on floats of one format that has a row in ops.def. */
int value_describe(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                   const struct mod_inst *in, uint32_t c, struct value_call *out);

/* What people are told about a value of a mathematical instruction. */
struct value_explanation {
    enum clause_id clause;
    uint32_t n_operands;
    uint64_t operand[3];
    enum val_type operand_type[3];
    int is_unsatisfiable; /* got is outside a bound that no encoding satisfies */
    const char *text;     /* "bound 4 ulp, error +7.3 ulp" */
};
/* 1: component c of `in` is such a value and *out tells of it, strings in m. */
int value_explain(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                  const struct mod_inst *in, uint32_t c, uint64_t got, struct arena *m,
                  struct value_explanation *out);

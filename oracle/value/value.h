/* oracle/value/value.h -- computes the permitted results of float instructions whose operands may be sets of
 * permitted values: the union over all members of what the rules and bounds permit. */
#pragma once

#include "oracle/value/value_set.h"

/* What a float instruction gives: its result, and what it writes through a pointer. */
struct value_result {
    uint32_t n;         /* components of the result */
    uint32_t n_through; /* of what goes to the slots at `to`; 0: nothing */
    struct val v[2 * MOD_MAX_COMPONENTS];
    struct val through[MOD_MAX_COMPONENTS];
    struct val *to;
};
/* What the instruction gives beside its result, *n components: through a pointer, or as the second member of a structure. */
struct val *value_get_second(const struct mod_inst *in, struct value_result *r, uint32_t *n);
/*
 * The permitted results of a float instruction (arithmetic, conversion, comparison, select,
 * mathematical function), component by component, in `inv`: exact where only one value is permitted
 * and any other would be a violation, else an entry of the pool. 1 and *out; 0 and x->stop when it
 * cannot go on; -1: not a float instruction that is interpreted.
 */
int value_apply(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                const struct mod_inst *in, struct value_result *out);
/* Component site->c of what the instruction gives, but for what goes through a pointer; answers as
 * value_apply. The operands are those in the registers of site->inv. */
int value_component(const struct value_site *site, struct val *out);
/* Leave a note of how each component was made, where it may be evaluated together with others
 * (oracle/value/expression.h). value_apply does it by itself. */
void value_record(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                  const struct mod_inst *in, struct value_result *r);
/* Its components to the registers, and what is written through a pointer to the variable. */
void value_put(const struct exec *x, const struct invocation *inv, const struct mod_inst *in,
               const struct value_result *r);
/* What an atomic add, min or max leaves in memory. op: SpvOpAtomicFAddEXT, ...FMinEXT, ...FMaxEXT. */
struct val value_atomic(struct exec *x, uint32_t op, enum fmt_id fmt, const struct rules *r,
                        struct val original, struct val operand);

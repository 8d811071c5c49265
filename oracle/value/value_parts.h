/* oracle/value/value_parts.h -- what the files of value.h share: one component of one float instruction. */
#pragma once

#include "oracle/value/value.h"

enum {
    VALUE_MAX_ENUMERATED = 16, /* members of a set that are tried one by one */
    VALUE_MAX_OPERANDS = 3     /* floats, of a mathematical instruction */
};

/* Sets that such a bound leaves are small: at most four encodings. */
#define VALUE_TIGHT_ULP 1.5

/* Component `c` of the result of one instruction in one invocation. */
struct value_site {
    struct exec *x;
    const struct ruleset *rs;
    const struct invocation *inv;
    const struct mod_inst *in;
    uint32_t c;
    enum fmt_id fmt; /* of the result, where that is a float */
    bool is_loose;   /* within EXPRESSION_LOOSE_LITERAL ulps, whatever the instruction's bound */
};

/* Sets of the operands of an instruction, and what is doubtful about them. */
struct operands {
    const struct set *set[3];
    struct set scratch[3];
    enum grade worst;
    enum clause_id worst_clause;
    int special;
    int is_loose; /* one is known by a loose bound alone */
};

/* The operand's component that goes into the result's: a scalar goes into all. */
static inline struct val value_part(const struct value_site *t, uint32_t id)
{
    return exec_reg(t->x, t->inv, id)[t->x->m->ids[id].n_slots == 1 ? 0 : t->c];
}
/* Operand i is v. 0 when it may be anything. */
int value_take_operand(const struct exec *x, struct val v, enum fmt_id fmt, int i,
                       struct operands *o);
/* What is doubtful in an operand is so in the result. */
void value_inherit_grade(struct rules *r, const struct operands *o);
/* A value of which nothing is known. */
struct val value_anything(struct exec *x, enum clause_id clause);
/* v by the clause, as an entry that says which instruction it is of: a load from a variable would hide it. */
struct val value_name(const struct value_site *t, struct val v, enum clause_id clause);
/* v, with a loose bound behind it or not. */
struct val value_loosen(struct exec *x, struct val v, int is_loose);
/* Members to try: both classes of NaN count; UINT64_MAX for anything. */
uint64_t value_count_members(const struct set *s);
/* Component t->c of what the instruction gives, but for what goes through a pointer; answers as
 * value_apply. The operands are those in the registers of t->inv. */
int value_component(const struct value_site *t, struct val *out);
/* Word of the first operand behind the result. */
uint32_t value_first_operand(uint32_t op);
/* Add what a fused multiply-add may give, for operand `which` of a sum or difference, within bound
 * ulps of the exact value (0: correctly rounded). */
void value_add_fused(const struct value_site *t, const struct rules *r, int which,
                     const struct func_bound *bound, struct set *out);

/* oracle/value/value_math.c: instructions of the mathematical sets, FRem, FMod, Dot, and arithmetic under
 * a max-error decoration. -1: not one that is interpreted. through: what goes to the variable that a
 * pointer operand names. */
int value_math(const struct value_site *t, struct val *out, struct val *through);
/* Operands of one instruction, found by their types. */
struct value_shape {
    uint32_t n_float, float_id[VALUE_MAX_OPERANDS];
    uint32_t int_id, pointer_id; /* 0: none */
    enum fmt_id fmt;
    uint32_t n_components; /* of the operands */
    int is_whole;          /* on whole vectors */
};

/* oracle/value/value_shape.c. 0: the operands are not those of an instruction with a row in ops.def. */
int value_find_shape(const struct exec *x, const struct mod_inst *in, struct value_shape *s);
struct accuracy value_find_accuracy(const struct ruleset *rs, const struct exec *x,
                                    const struct mod_inst *in, const struct value_shape *s);
/* The rules of the instruction, what lies outside of its set graded. */
struct rules value_find_rules(const struct value_site *t, const struct value_shape *s,
                              const struct accuracy *a);
/* Does the bound leave sets of more than a few encodings? */
int value_is_loose(const struct accuracy *a);
/* Is it an OpExtInst? Does it work on whole vectors? Is its result a struct? Is its first result an
 * integer? Is it nan? */
int value_is_extended(uint32_t op);
int value_is_whole(uint32_t op);
int value_has_struct(uint32_t op);
int value_gives_integer(uint32_t op);
int value_is_nan(uint32_t op);
/* Is the instruction value_math's? */
int value_is_math(const struct exec *x, const struct mod_inst *in);
/* oracle/value/value_compare.c: comparisons. */
struct val value_compare(const struct value_site *t);
/* oracle/value/value_convert.c: conversions. */
struct val value_convert(const struct value_site *t);
struct val value_to_int(const struct value_site *t);

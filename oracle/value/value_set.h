/* oracle/value/value_set.h -- makes values out of permitted sets, and sets out of values, with the grade of a
 * value outside: how the judge calls it. */
#pragma once

#include "oracle/interp/exec.h"
#include "oracle/math/rules.h"

enum {
    VALUE_MAX_ENUMERATED = 16 /* members of a set that are tried one by one */
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
    enum fmt_id fmt;               /* of the result, where that is a float */
    struct inherit_shared *shared; /* of value_math_vector; NULL: each component by itself */
};

/* Sets of the operands of an instruction, and what is doubtful about them. A greater grade is a milder one:
 * `mildest` is the greatest among the operands, so what a value outside of one of their sets is called. */
struct operands {
    const struct set *set[3];
    struct set scratch[3];
    enum grade mildest;
    enum clause_id mildest_clause;
    int special;  /* one may be a NaN or an infinity */
    int is_loose; /* one is known by a loose bound alone */
};

/* The operand's component that goes into the result's: a scalar goes into all. */
static inline struct val value_part(const struct value_site *site, uint32_t id)
{
    return exec_reg(site->x, site->inv, id)[site->x->m->ids[id].n_slots == 1 ? 0 : site->c];
}
/* The operands are v[0] to v[n - 1]. false when one may be anything. */
bool value_take_operands(const struct exec *x, const struct val *v, uint32_t n, enum fmt_id fmt,
                         struct operands *operands);
/* What is doubtful in an operand is so in the result. */
void value_inherit_grade(struct rules *r, const struct operands *operands);
/* A value of which nothing is known. */
struct val value_anything(struct exec *x, enum clause_id clause);
/* v by the clause, as an entry that says which instruction it is of: a load from a variable would hide it. */
struct val value_name(const struct value_site *site, struct val v, enum clause_id clause);
/* Returns v, marked as dependent on a loose bound or not. */
struct val value_loosen(struct exec *x, struct val v, int is_loose);
/* Members to try: both classes of NaN count; UINT64_MAX for anything. */
uint64_t value_count_members(const struct set *s);

/* Members of v in format fmt: a pointer into the pool or to *scratch, NULL for anything. */
const struct set *value_get_set(const struct exec *x, struct val v, enum fmt_id fmt,
                                struct set *scratch);
/* A value permitted to be any member of s under rules r. takes_special: a NaN or an infinity is
 * among the operands; mildest: the mildest grade among operands that were not observed. */
struct val value_from_set(struct exec *x, const struct set *s, const struct rules *r,
                          enum clause_id clause, int takes_special, enum grade mildest);
/* v as it comes out of a bit-preserving float instruction. */
struct val value_copy(struct exec *x, enum fmt_id fmt, const struct rules *r, struct val v,
                      enum clause_id clause);
/* Do the bits stand for a NaN or an infinity? Is one a member of the set? */
bool value_is_special(enum fmt_id fmt, uint64_t enc);
bool value_holds_special(const struct set *s);
/* The mildest grade of a value outside of v's set, until v is observed. */
enum grade value_get_grade(const struct exec *x, struct val v);
/* The grade of `got`, which b does not permit: outside of every reading it is a violation. */
static inline enum grade value_grade_outside(const struct abstract *b, uint64_t got)
{
    return b->outer && !set_has(b->outer, got) ? GRADE_VIOLATION : (enum grade)b->grade;
}
/* The clause of an instruction, from ops.def. */
enum clause_id value_get_clause(uint32_t opcode);
/* The same; of an instruction that has none and only passes a value on, that it keeps the bits. */
enum clause_id value_get_binding(uint32_t opcode);

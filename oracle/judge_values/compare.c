/* oracle/judge_values/compare.c -- an observed value against what is permitted: counted, and reported. */
#include "oracle/judge_values/compare.h"

#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/group/group.h"
#include "oracle/group/reduction.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_groups/judge_sums.h"
#include "oracle/judge_state/expectation.h"
#include "oracle/judge_state/group_record.h"
#include "oracle/judge_state/judge_report.h"
#include "oracle/judge_state/policy.h"
#include "oracle/judge_values/blame.h"
#include "oracle/judge_values/feature_judge.h"
#include "oracle/judge_values/iteration.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/num/arith.h"
#include "oracle/num/set.h"
#include "oracle/tables/storage.h"
#include "oracle/value/expression.h"
#include "oracle/value/expression_hull.h"
#include "oracle/value/value_explain.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"
#include "oracle/value/value_within.h"

enum {
    SHARP_COUNT = 4,            /* encodings of a set that says something */
    MAX_ERROR_HALF = 0x3f000000 /* literal of 0.5 */
};

/* Ulps of double in one of single: numerics 1. */
#define DOUBLE_ULPS_OF_SINGLE 0x1p29

/* The observed value against what is permitted. */
struct comparison {
    bool ok;
    bool is_float;
    bool is_truth; /* of a comparison: expected is what it says of operands of fmt */
    enum fmt_id fmt;
    struct set permitted; /* of floats; else `expected` is permitted */
    uint64_t expected;
    bool is_exact;                   /* these very bits are permitted, also of a NaN */
    bool anything;                   /* is permitted */
    enum unconfined_kind unconfined; /* why, where it is; UNCONFINED_NONE: by its operands */
    bool is_unjudged;                /* taken from the device as it is */
    bool is_bounded;                 /* a sum: by its proven bound alone */
    bool differs;                    /* a reduction: another invocation got other bits */
    bool is_loose;                   /* a loose bound stands behind the set, or none */
    uint64_t n_usual; /* a sum: values of the usual orders, of which it is one; 0: not looked at */
    unsigned freedom; /* enum expression_freedom: what may explain a value outside of the set */
    uint32_t component; /* of the instruction's result */
    enum grade grade, grade_zero;
    enum clause_id clause, clause_out;
    struct reduction_case *sum;         /* of a float sum or product over a group; else NULL */
    const struct abstract *mask;        /* its bits are between two masks; else NULL */
    const struct accuracy_int *choices; /* it is one of these integers; else NULL */
    const struct event *seen;           /* the access that showed it, or the last one; or NULL */
    const struct mod_inst *shown_by; /* what used a value that was lost at a barrier; else NULL */
    const struct mod_inst
        *propagated_by;          /* what handed it on within a bound of its own; else NULL */
    struct iteration iteration;  /* whose operands are shown, and what loop it may be of */
    const struct expect *expect; /* what the observed word may hold; NULL: no ranges tell */
};

/* ---- what is permitted ---- */

/* These very bits are permitted, or what a signalling NaN becomes when it is made quiet. */
static void compare_bits(struct comparison *c, uint64_t bits, uint64_t got)
{
    const struct float_format *f = &float_formats[c->fmt];
    c->expected = bits;
    c->is_exact = true;
    if (c->is_float) {
        set_of(&c->permitted, c->fmt, bits);
    }
    bool const is_made_quiet = c->is_float && format_is_snan(f, bits) && got == (bits | f->quiet);
    c->ok = got == bits || is_made_quiet;
}

/* A NaN that arithmetic gave, its bits up to the device (semantics B2): each use may see others. */
static bool is_some_nan(const struct abstract *b, enum fmt_id fmt, uint64_t got)
{
    const struct set *permitted = abstract_get_set(b);
    return permitted && permitted->flags != 0 && format_is_nan(&float_formats[fmt], b->bits) &&
           format_is_nan(&float_formats[fmt], got);
}

/* A sum or product that is wrong by its permitted set: in Vulkan, or where sums may be rearranged
 * (is_any_method), it is a divergence if some method of the type's precision gives it, or in f64 one of
 * single precision. */
static void grade_sum(const struct reduction_case *r, uint64_t got, struct comparison *c)
{
    if (c->grade != GRADE_VIOLATION || !r->is_any_method) {
        return;
    }
    if (reduction_keeps_precision(&r->terms, got)) {
        c->grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_GROUP_SUM_VK;
    } else if (c->fmt == FMT_F64 &&
               arith_ulp_distance(&c->permitted, got) <= DOUBLE_ULPS_OF_SINGLE * r->terms.n) {
        c->grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_FADD_F64;
    }
}

/* Compares an observed float sum or product over a group, whose value depends on the order of its terms:
 * c->ok, with the permitted set (of `got` alone where a usual order gives it; the full set is computed only
 * where none does) and the grade of a wrong value. Grades are ordered: a greater one is milder (violation,
 * divergence, undefined). c->differs: invocations that share the result saw other bits before. */
static void compare_sum(struct judge *j, struct reduction_case *r, uint64_t got,
                        struct comparison *c)
{
    const struct float_format *f = &float_formats[c->fmt];
    c->ok = judge_reduction_allows(j, r, got);
    j->out->n_reductions++;
    if (!r->has_set) { /* one of the usual orders gives it */
        set_of(&c->permitted, c->fmt, got);
        c->n_usual = r->usual.n;
    } else {
        bool const is_special = value_holds_special(&r->set);
        c->permitted = r->set;
        c->is_bounded = r->proof == REDUCTION_BOUND;
        c->anything = is_special && r->rules.special == GRADE_UNDEFINED;
        c->ok |= c->anything;
        c->grade = is_special && r->rules.special > c->grade ? r->rules.special : c->grade;
    }
    if (!c->ok) {
        grade_sum(r, got, c);
        return;
    }
    bool const are_nan = format_is_nan(f, got) && format_is_nan(f, r->first);
    c->differs = r->is_shared && r->has_first && r->first != got && !are_nan;
    r->has_first = 1;
    r->first = got;
}

/* A function's result may be anything, because its evaluation ran out of precision. */
static void count_uncertain(struct judge *j, const struct abstract *b)
{
    int const op = op_find_number(j->m.code[b->code - 1].op);
    j->out->n_inconclusive++;
    j->out->note = arena_printf(j->a, "%s: the precision's cap leaves the result uncertain",
                                op < 0 ? "a function" : op_rows[op].name);
}

/* Compares `got` with what is permitted of a value that was not observed before (`b`), by the form in which
 * that is kept: c gets what is permitted, whether `got` is (c->ok), and for bits and sets of floats the grade
 * of a wrong value. Forms that return at once keep the clause's own grade. */
static void compare_abstract(struct judge *j, const struct abstract *b, uint64_t got,
                             struct comparison *c)
{
    switch (b->kind) {
    case ABSTRACT_ANYTHING:
        if (b->code && b->anything.is_uncertain) {
            count_uncertain(j, b);
            c->unconfined = UNCONFINED_UNCERTAIN;
        }
        c->anything = c->ok = true;
        return;
    case ABSTRACT_ONE:
        compare_bits(c, b->bits, got);
        break;
    case ABSTRACT_SET:
        if (!c->is_float) {
            c->anything = c->ok = true;
            return;
        }
        c->permitted = *b->set;
        c->ok = set_has(b->set, got);
        c->anything = (b->set->flags & SET_ANY) != 0;
        break;
    case ABSTRACT_MASK:
        c->clause = (enum clause_id)b->clause;
        c->expected = b->mask.may;
        c->mask = b;
        c->ok = (b->mask.must & ~got) == 0 && (got & ~b->mask.may) == 0;
        return;
    case ABSTRACT_CHOICE:
        c->clause = (enum clause_id)b->clause;
        c->expected = (uint32_t)b->choices->value[0];
        c->choices = b->choices;
        c->ok = accuracy_int_has(b->choices, (int32_t)(uint32_t)got);
        if (b->choices->outer && accuracy_int_has(b->choices->outer, (int32_t)(uint32_t)got)) {
            c->grade = c->ok ? c->grade : GRADE_DIVERGENCE;
        }
        return;
    case ABSTRACT_DEVICE:
        c->ok = c->is_unjudged = c->anything = true;
        c->unconfined = b->unconfined ? (enum unconfined_kind)b->unconfined : UNCONFINED_DEVICE;
        return;
    case ABSTRACT_SUM:
        if (!c->is_float) {
            c->anything = c->ok = true;
            return;
        }
        c->clause = (enum clause_id)b->clause;
        compare_sum(j, b->reduction, got, c);
        return;
    }
    if (!c->ok) {
        c->grade = value_grade_outside(b, got);
    }
}

/* Compares `got` with what is permitted of v, into c; `clause` is that of the instruction, for a v that has
 * none of its own. If v is known exactly or was observed before, the same bits must come again (but for a NaN
 * of arithmetic, whose bits may differ each time). Else c gets the grades (of a wrong value, and of a zero of
 * the wrong sign), the clause of a grade below violation, and the freedom: in which other ways the expression
 * may be evaluated. */
static void compare(struct judge *j, struct val v, uint64_t got, enum clause_id clause,
                    struct comparison *c)
{
    const struct abstract *b = exec_get_abstract(&j->x, v);
    c->clause = clause;
    c->grade = c->grade_zero = GRADE_VIOLATION;
    if (!b || b->is_observed) {
        compare_bits(c, b ? b->bits : v.bits, got);
        c->ok = c->ok || (b && is_some_nan(b, c->fmt, got));
        return;
    }
    c->grade = (enum grade)b->grade;
    c->grade_zero = (enum grade)b->grade_zero;
    c->clause_out = (enum clause_id)b->clause_out;
    c->freedom = b->freedom;
    if (b->code) { /* an instruction made it whose clause is kept with the value */
        c->clause = (enum clause_id)b->clause;
        c->is_loose = b->is_loose;
    }
    if (b->reduction) {
        c->sum = c->is_float ? b->reduction : NULL;
        j->out->n_reductions += b->kind != ABSTRACT_SUM; /* any order gives the same */
    }
    compare_abstract(j, b, got, c);
}

/* A value outside of its instruction's set may be one of the whole expression: then it is a divergence
 * where it would be a violation. */
static void explain(struct judge *j, struct val v, uint64_t got, struct comparison *c)
{
    if (c->ok || c->freedom == 0 || !c->is_float || c->grade != GRADE_VIOLATION ||
        !expression_explains(&j->x, &j->rules, v, c->fmt, got)) {
        return;
    }
    c->grade = GRADE_DIVERGENCE;
    c->clause_out = c->freedom & EXPRESSION_LOOSE ? CLAUSE_OPTION_LOOSE
                    : j->input.tc->env == ENV_VK  ? CLAUSE_ARITH_REASSOC
                                                  : CLAUSE_ARITH_CONTRACT;
}

/* What the word that was observed may hold; NULL where no ranges tell. */
static const struct expect *get_expect(const struct judge *j, const struct observed *o,
                                       const struct comparison *c)
{
    if (c->mask && !abstract_is_one(c->mask)) {
        return NULL;
    }
    if (c->choices) {
        return expectation_of_integers(o, c->choices, j->a);
    }
    if (c->is_float && !c->is_exact) {
        return expectation_of_set(o, &c->permitted, j->a);
    }
    return expectation_of_bits(o, c->is_float ? (int)c->fmt : -1, c->expected, j->a);
}

static const char *permitted_text(const struct judge *j, const struct comparison *c)
{
    if (c->choices) {
        return accuracy_int_to_text(c->choices, j->a);
    }
    if (c->mask) {
        return arena_printf(j->a, "bits of 0x%llx, all of 0x%llx",
                            (unsigned long long)c->mask->mask.may,
                            (unsigned long long)c->mask->mask.must);
    }
    return c->is_float ? set_to_text(&c->permitted, j->a)
                       : arena_printf(j->a, "{0x%llx}", (unsigned long long)c->expected);
}

/* ---- what a difference is called ---- */

/* The verdict on a value that is not permitted, its grade, and the clause of a grade below violation. */
struct diagnosis {
    enum verdict_kind kind;
    enum grade grade;
    enum clause_id excuse;
};

/* Makes a violation a divergence under `clause`. What is milder already keeps its grade and its excuse. */
static struct diagnosis excuse(struct diagnosis d, enum clause_id clause)
{
    if (d.grade == GRADE_VIOLATION) {
        d.grade = GRADE_DIVERGENCE;
        d.excuse = clause;
    }
    return d;
}

static struct diagnosis diagnose_zero_sign(struct diagnosis d, const struct comparison *c)
{
    d.kind = VERDICT_ZERO_SIGN;
    d.grade = c->grade_zero > c->grade ? c->grade_zero : c->grade;
    return d;
}

/* Does memory hold what the addition found there, as if the sum had never been stored? */
static bool is_lost_addition(const struct observed *o, const struct comparison *c)
{
    return c->is_float && o->in->op == SpvOpAtomicFAddEXT && !o->inv && o->e->knows_original &&
           o->got == o->e->original && !format_is_nan(&float_formats[c->fmt], o->got) &&
           !(c->permitted.flags & (SET_QNAN | SET_SNAN));
}

/* A zero in place of a subnormal? */
static bool is_flushed(const struct comparison *c, uint64_t got)
{
    const struct float_format *f = &float_formats[c->fmt];
    return c->is_exact && c->is_float && format_is_zero(f, got) &&
           format_is_subnormal(f, c->expected);
}

/* The other zero of a float whose sign is no violation, seen as an integer: by its bits it was stored. */
static bool is_zero_bits(const struct comparison *c, const struct observed *o)
{
    uint64_t const sign = o->n_bits > 0 ? UINT64_C(1) << (o->n_bits - 1) : 0;
    return c->grade_zero > GRADE_VIOLATION && (c->expected ^ o->got) == sign &&
           (c->expected & ~sign) == 0;
}

static struct diagnosis diagnose_integer(const struct observed *o, const struct comparison *c,
                                         struct diagnosis d)
{
    bool const is_atomic = o->in->op >= SpvOpAtomicLoad && o->in->op <= SpvOpAtomicXor;
    if (is_zero_bits(c, o)) {
        return diagnose_zero_sign(d, c);
    }
    d.kind = is_atomic ? VERDICT_ATOMICITY : VERDICT_ULP;
    return d;
}

/* A zero where a number is permitted: flushing may be left open by the text. */
static struct diagnosis excuse_flush(const struct judge *j, const struct observed *o,
                                     const struct comparison *c, bool is_copy, struct diagnosis d)
{
    enum group_kind const group = group_kind_of(o->in->op);
    bool const is_cl = j->input.tc->env == ENV_CL;
    if (c->permitted.n != 1 || !format_is_subnormal(&float_formats[c->fmt], c->expected)) {
        return d;
    }
    if (is_cl && group == GROUP_MOVE) {
        return excuse(d, CLAUSE_GROUP_EXCHANGE_FLUSH);
    }
    /* B2, B3: no clause either way for a flush by a load, a store or an exchange */
    bool const may_flush = is_cl ? is_copy : !j->m.modes.denorm_preserve[c->fmt];
    bool const is_atomic_or_later = o->in->op >= SpvOpAtomicLoad;
    return may_flush && group == GROUP_NONE && is_atomic_or_later ? excuse(d, CLAUSE_DENORM_DEFAULT)
                                                                  : d;
}

/* Is it a plain load of what a work-group hands over, or from a variable of the function? No atomic has a say there. */
static bool is_of_memory(const struct judge *j, const struct observed *o)
{
    uint32_t const pointer =
        o->in->op == SpvOpLoad ? module_get_operand(&j->m, o->in, MOD_OPERAND) : 0;
    bool const is_own =
        pointer && j->m.ids[j->m.ids[pointer].type].t.storage == SpvStorageClassFunction;
    return pointer && (is_own || (o->e && j->memory.cells[o->e->cell].is_ordered));
}

/* Does a plain load give what its location held at another time, as if a barrier did not order it? */
static bool is_of_other_time(const struct judge *j, const struct observed *o)
{
    if (!o->e || !is_of_memory(j, o)) {
        return false;
    }
    const struct cell *const c = &j->memory.cells[o->e->cell];
    bool is_it = c->has_initial && c->initial == o->got;
    const struct event *e = memory_first(&j->memory, c);
    for (; e && !is_it; e = memory_next(&j->memory, e)) {
        uint64_t stored;
        is_it = e->op != MO_LOAD && exec_known(&j->x, e->operand, &stored) && stored == o->got;
    }
    return is_it;
}

/* Is one of the floats that the instruction is known to have taken a NaN? A minimum or maximum over a group may be a NaN
 * only where a participant's value is one. */
static bool takes_nan(const struct judge *j, const struct observed *o, const struct comparison *c)
{
    const struct float_format *const f = &float_formats[c->fmt];
    const struct mod_inst *const in = o->in;
    uint64_t bits;
    if (group_kind_of(in->op) == GROUP_ARITH && group_is_extreme(in->op)) {
        return true;
    }
    if (o->e) {
        return (o->e->knows_original && format_is_nan(f, o->e->original)) ||
               (exec_known(&j->x, o->e->operand, &bits) && format_is_nan(f, bits));
    }
    for (uint32_t i = value_first_operand(in->op); o->inv && in->result && i < in->n; i++) {
        uint32_t const id = module_get_operand(&j->m, in, i);
        int const fmt = module_get_format(&j->m, j->m.ids[id].type);
        for (uint32_t k = 0; fmt >= 0 && k < j->m.ids[id].n_slots; k++) {
            if (exec_known(&j->x, exec_reg(&j->x, o->inv, id)[k], &bits) &&
                format_is_nan(&float_formats[fmt], bits)) {
                return true;
            }
        }
    }
    return false;
}

/* Is it a NaN's rule that a wrong value breaks: is the value a NaN, or must it be one? Where numbers are permitted
 * beside a NaN, another number breaks that rule only if an operand is a NaN. */
static bool is_nan_concerned(const struct judge *j, const struct observed *o,
                             const struct comparison *c)
{
    if (format_is_nan(&float_formats[c->fmt], o->got)) {
        return true;
    }
    bool const may_be_nan = (c->permitted.flags & (SET_QNAN | SET_SNAN)) != 0;
    return may_be_nan && (c->permitted.n == 0 || takes_nan(j, o, c));
}

/* What a wrong float is called: d with its kind, and an excuse where the text leaves a way. From the special
 * to the general: a zero of the wrong sign, a NaN, a flushed zero, then a wrong number. A copy of memory (a
 * load, store or exchange) that gives a wrong number has not copied: ATOMICITY instead of ULP. A selection
 * copies a register, so its wrong number is one of ULP. Arithmetic in f64 in Vulkan may have the precision of
 * f32. */
static struct diagnosis diagnose_float(const struct judge *j, const struct observed *o,
                                       const struct comparison *c, struct diagnosis d)
{
    const struct float_format *f = &float_formats[c->fmt];
    uint32_t const op = o->in->op;
    enum group_kind const group = group_kind_of(op);
    bool const is_zero = format_is_zero(f, o->got);
    bool const is_other_zero = is_zero && set_has(&c->permitted, o->got ^ f->sign);
    bool const is_copy = ((op >= SpvOpAtomicLoad && op <= SpvOpAtomicExchange) ||
                          op == SpvOpSelect || (op == SpvOpLoad && !is_of_memory(j, o))) &&
                         c->clause != CLAUSE_MAX_ERROR; /* which lets it differ */
    if (is_other_zero) {
        return diagnose_zero_sign(d, c);
    }
    if (is_nan_concerned(j, o, c)) {
        d.kind = VERDICT_NAN_RULE;
        return d;
    }
    if (is_zero) {
        d = excuse_flush(j, o, c, is_copy, d);
    }
    d.kind = is_copy && op != SpvOpSelect ? VERDICT_ATOMICITY : VERDICT_ULP;
    bool const is_vk_arithmetic = j->input.tc->env == ENV_VK && !is_copy && group == GROUP_NONE;
    if (is_vk_arithmetic && c->fmt == FMT_F64 &&
        arith_ulp_distance(&c->permitted, o->got) <= DOUBLE_ULPS_OF_SINGLE) {
        return excuse(d, CLAUSE_FADD_F64);
    }
    return d;
}

/* What a value that is not permitted is called: its kind, its grade and the clause that excuses a grade below
 * violation. First what is special to lost additions, to sums over a group and to masks, then by type. A
 * greater grade is milder (violation, divergence, undefined), so the larger of two grades is the one that
 * excuses more. */
static struct diagnosis diagnose(const struct judge *j, const struct observed *o,
                                 const struct comparison *c)
{
    struct diagnosis d = {.grade = c->grade, .excuse = c->clause_out};
    bool const is_group = group_kind_of(o->in->op) != GROUP_NONE;
    if (is_lost_addition(o, c)) {
        d.kind = VERDICT_ATOMICITY;
        return d;
    }
    if (is_of_other_time(j, o)) {
        d.kind = VERDICT_ORDER;
        return d;
    }
    if (c->sum && reduction_is_zero_seed(&c->sum->terms, o->got)) {
        /* at least a divergence, whatever else excuses it: this clause is the more precise one */
        d.kind = VERDICT_ZERO_SIGN;
        d.grade = d.grade > GRADE_DIVERGENCE ? d.grade : GRADE_DIVERGENCE;
        d.excuse = CLAUSE_GROUP_ZERO_SEED;
        return d;
    }
    /* what is excused already keeps its clause */
    if (c->sum && d.grade == GRADE_VIOLATION && reduction_is_wider(&c->sum->terms, o->got)) {
        d.kind = VERDICT_ULP;
        return excuse(d, CLAUSE_GROUP_METHOD);
    }
    if ((c->mask && is_group) || o->in->op == SpvOpGroupNonUniformElect) {
        d.kind = VERDICT_MASK;
        return d;
    }
    return c->is_float ? diagnose_float(j, o, c, d) : diagnose_integer(o, c, d);
}

/* ---- reports ---- */

/* Is it named after the atomic that it was seen by? */
static bool is_event_of(const struct judge *j, const struct observed *o)
{
    return o->e && o->in == judge_get_inst(j, o->e);
}

static enum storage storage_of(const struct judge *j, const struct observed *o)
{
    if (o->e) {
        return (enum storage)o->e->storage;
    }
    return group_kind_of(o->in->op) != GROUP_NONE ? static_group_storage(&j->m, o->in)
                                                  : STORAGE_NONE;
}

/* What was observed, where, and who showed it. */
static void put_observed(struct finding *f, const struct observed *o)
{
    f->offset = o->in->offset;
    f->has_got = 1;
    f->got = o->got;
    if (o->inv) {
        f->invocation = o->inv->global_index;
    } else if (o->e) {
        f->invocation = o->e->invocation;
    }
}

/* Type of a value, or of the components of one; VT_NONE: it is none of numbers. */
static enum val_type scalar_type_of(const struct judge *j, uint32_t id)
{
    uint32_t const type = j->m.ids[id].type;
    return val_type_of(module_get_format(&j->m, type), j->m.ids[type].t.bits);
}

/* Puts the operands of the instruction into the finding, as they are in the invocation's registers (0 for
 * what is not known): of an atomic what it found and what it brought, of a group instruction the value it
 * brought, else all, of vectors this component. None where no invocation is known (`o->inv` NULL: content of
 * memory). */
static void take_operands(struct judge *j, const struct observed *o, uint32_t component,
                          struct finding *f)
{
    const struct mod_inst *in = o->in;
    if (o->e) {
        f->n_operands = 2;
        f->operand[0] = o->e->knows_original ? o->e->original : 0;
        (void)exec_known(&j->x, o->e->operand, &f->operand[1]);
        const struct cell *const cell = &j->memory.cells[o->e->cell];
        f->operand_type[0] = f->operand_type[1] =
            val_type_of(cell->is_float ? (int)cell->fmt : -1, cell->n_bits);
        return;
    }
    if (!o->inv) {
        return;
    }
    uint32_t const group_value = static_group_value(in); /* 0: no group instruction, or none */
    if (group_value) {
        uint32_t const id = module_get_operand(&j->m, in, group_value);
        if (j->m.ids[id].n_slots > 0) {
            f->operand_type[f->n_operands] = scalar_type_of(j, id);
            (void)exec_known(&j->x, *exec_reg(&j->x, o->inv, id), &f->operand[f->n_operands++]);
        }
        return;
    }
    if (group_kind_of(in->op) != GROUP_NONE || !in->result) {
        return;
    }
    uint32_t const first = MOD_OPERAND + (in->op >> 16 ? 2 : 0); /* behind set and number */
    for (uint32_t i = first; i < in->n && f->n_operands < ARRAY_N(f->operand); i++) {
        uint32_t const id = module_get_operand(&j->m, in, i);
        uint32_t const n = j->m.ids[id].n_slots;
        uint32_t const c = n == 1 ? 0 : component;
        if (c < n) {
            f->operand_type[f->n_operands] = scalar_type_of(j, id);
            (void)exec_known(&j->x, exec_reg(&j->x, o->inv, id)[c], &f->operand[f->n_operands++]);
        }
    }
}

/* The OpCopyMemory or OpCopyMemorySized that has stored the object, as the load that it begins with; NULL: none did. */
static const struct mod_inst *find_copy(const struct judge *j, uint32_t object)
{
    const struct mod_inst *const load = module_get_definition(&j->m, object);
    bool const is_copy = load && load->op == SpvOpLoad && load + 1 < j->m.code + j->m.n_code &&
                         load[1].op == SpvOpStore && load[1].offset == load->offset;
    return is_copy ? load : NULL;
}

/* A slot that still holds what it held before: the invocation never came to the store. A copy that is lost is named itself,
 * not what made the value that it copies. */
static void report_lost_store(struct judge *j, const struct observed *o, const struct comparison *c)
{
    const struct mod_inst *const copy = find_copy(j, o->object);
    j->memory.lost_stores++;
    struct finding *f = judge_finding(j, VERDICT_MASK, CLAUSE_EVERY_LANE, GRADE_VIOLATION);
    if (f) {
        put_observed(f, o);
        f->expect = c->expect;
        f->offset = copy ? copy->offset : f->offset;
        f->text = arena_printf(j->a,
                               copy ? "invocation %u did not store what the copy at word %u copies"
                                    : "invocation %u did not store the result of word %u",
                               f->invocation, f->offset);
        f->block = o->inv->label;
    }
}

void judge_note_stored(struct judge *j, const struct invocation *inv)
{
    for (uint32_t i = 0; i < j->out->n_findings && j->memory.lost_stores; i++) {
        struct finding *const f = &j->out->findings[i];
        if (f->block != 0 && f->block == inv->label && f->invocation == inv->global_index) {
            f->text = arena_printf(j->a,
                                   "%s, but stored what follows in the same block: the result is "
                                   "lost, not the invocation",
                                   f->text);
            f->block = 0;
        }
    }
}

/* Legal, but not what one would expect: invocations that reduce together see different sums. */
static void report_difference(struct judge *j, const struct observed *o, const struct comparison *c)
{
    struct finding *f = judge_finding(j, VERDICT_DIVERGENCE, CLAUSE_GROUP_AGREE, GRADE_DIVERGENCE);
    if (f) {
        put_observed(f, o);
        f->op = op_find_number(o->in->op);
        f->type = val_type_of((int)c->fmt, float_formats[c->fmt].n_bits);
        f->storage = storage_of(j, o);
        f->text = arena_printf(j->a, "invocation %u: 0x%llx, others of its group got other bits",
                               f->invocation, (unsigned long long)o->got);
    }
}

/* A decoration that no encoding meets here: told once for each instruction, and a few in all, so
 * that what breaks a rule finds room. */
static bool is_told_already(const struct judgement *out, uint32_t offset)
{
    enum {
        MAX_TOLD = 4
    };
    uint32_t n_told = 0;
    for (uint32_t i = 0; i < out->n_findings; i++) {
        const struct finding *f = &out->findings[i];
        if (f->clause == CLAUSE_MAX_ERROR_UNSATISFIABLE) {
            n_told++;
            if (f->offset == offset || n_told == MAX_TOLD) {
                return true;
            }
        }
    }
    return false;
}

/* Reports a decoration that asks for less than half an ulp where no encoding is as near as that. The value is
 * legal then, and it is a divergence, so that people learn of it. Nothing is reported where an encoding
 * satisfies the decoration, and for each instruction at most once. */
static void report_unsatisfiable(struct judge *j, const struct observed *o,
                                 const struct comparison *c)
{
    const struct mod_id *id = &j->m.ids[o->in->result];
    struct value_explanation why;
    if (!(id->flags & ID_MAX_ERROR) || id->max_error >= MAX_ERROR_HALF || !o->inv ||
        is_told_already(j->out, o->in->offset) ||
        !value_explain(&j->x, &j->rules, o->inv, o->in, c->component, o->got, j->a, &why) ||
        !why.is_unsatisfiable) {
        return;
    }
    struct finding *f =
        judge_finding(j, VERDICT_DIVERGENCE, CLAUSE_MAX_ERROR_UNSATISFIABLE, GRADE_DIVERGENCE);
    if (f) {
        put_observed(f, o);
        f->op = op_find_number(o->in->op);
        f->type = val_type_of((int)c->fmt, float_formats[c->fmt].n_bits);
        f->n_operands = why.n_operands;
        memcpy(f->operand, why.operand, sizeof f->operand);
        memcpy(f->operand_type, why.operand_type, sizeof f->operand_type);
        f->operand_class = judge_classes(j, 1, c->fmt, f->operand, f->n_operands);
        f->permitted = permitted_text(j, c);
        f->text = arena_printf(j->a, "invocation %u: 0x%llx is the nearest there is; %s",
                               f->invocation, (unsigned long long)f->got, why.text);
    }
}

/* The load saw the right value, or nobody knows what it saw and a zero came of a subnormal or of the
 * other zero, as where a load is made of an addition of zero: then the load has changed it. */
static bool is_changed_by_load(const struct event *load, const struct comparison *c, uint64_t got)
{
    const struct float_format *f = &float_formats[c->fmt];
    return load->knows_original
               ? load->original == c->expected
               : c->is_float && format_is_zero(f, got) && (c->expected & f->exp) == 0;
}

/* Blame the other operation, an atomic load, which may not change its location where
 * a clause permits it. */
static void name_load(struct finding *f, enum grade grade)
{
    int const op = f->op;
    uint32_t const offset = f->offset;
    f->op = f->op2;
    f->offset = f->offset2;
    f->op2 = op;
    f->offset2 = offset;
    f->clause = grade == GRADE_VIOLATION ? CLAUSE_LOAD_EXACT : f->clause;
}

/* The other end of what is wrong: the operation before, which may have left the wrong value, what used one
 * that was lost at a barrier, or a decorated instruction that handed it on. */
static void put_other_end(const struct judge *j, const struct event *before,
                          const struct comparison *c, enum grade grade, struct finding *f)
{
    const struct mod_inst *other = before ? judge_get_inst(j, before) : NULL;
    other = c->shown_by ? c->shown_by : c->propagated_by ? c->propagated_by : other;
    if (other) {
        f->op2 = op_find_number(other->op);
        f->offset2 = other->offset;
    }
    if (before && before->op == MO_LOAD && is_changed_by_load(before, c, f->got)) {
        name_load(f, grade);
    }
}

static const char *describe_value(const struct judge *j, const struct observed *o,
                                  const struct comparison *c, const struct finding *f)
{
    unsigned long long const got = o->got;
    const char *name = f->op >= 0 ? op_rows[f->op].name : "a copied value";
    if (c->shown_by && f->op2 >= 0 && f->op >= 0) {
        return arena_printf(j->a,
                            "invocation %u: %s gave 0x%llx, permitted is %s: what %s gave before a "
                            "barrier is another value after it",
                            f->invocation, op_rows[f->op2].name, got, f->permitted, name);
    }
    if (c->propagated_by && f->op2 >= 0) {
        return arena_printf(j->a,
                            "invocation %u: %s, or %s that hands it on within the bound of its "
                            "decoration, gave 0x%llx, permitted is %s",
                            f->invocation, name, op_rows[f->op2].name, got, f->permitted);
    }
    return arena_printf(j->a, "invocation %u: %s gave 0x%llx, permitted is %s", f->invocation, name,
                        got, f->permitted);
}

/* Type that an instruction is counted under: of a group instruction that of its value. */
static enum val_type covered_type(const struct judge *j, const struct observed *o,
                                  const struct comparison *c, unsigned n_bits)
{
    uint32_t const id = module_get_operand(&j->m, o->in, static_group_value(o->in));
    if (is_event_of(j, o)) {
        return judge_event_type(j, o->e);
    }
    if (!id) {
        return val_type_of(c->is_float ? (int)c->fmt : -1, n_bits);
    }
    uint32_t const type = j->m.ids[id].type;
    return val_type_of(module_get_format(&j->m, type), j->m.ids[type].t.bits);
}

/* Puts the operands, what is permitted, and the sentence for people into the finding. If value_explain can
 * say more (of a mathematical function the bound and the error), its operands and text are taken, and of a
 * violation also its clause, which names the rule that was broken more precisely. The bound of a function says
 * nothing where another one, of what hands its result on, was exceeded. */
static void put_explanation(struct judge *j, const struct observed *o, const struct comparison *c,
                            enum grade grade, struct finding *f)
{
    struct value_explanation why = {.text = ""};
    struct observed instance =
        *o; /* with the registers of the iteration that should have given another value */
    instance.inv = c->iteration.inv ? c->iteration.inv : o->inv;
    bool const has_operands = !c->iteration.is_overwritten;
    if (o->inv && !c->propagated_by &&
        value_explain(&j->x, &j->rules, instance.inv, o->in, c->component, o->got, j->a, &why)) {
        f->n_operands = has_operands ? why.n_operands : 0;
        memcpy(f->operand, why.operand, sizeof f->operand);
        f->clause = grade == GRADE_VIOLATION ? why.clause : f->clause;
    } else if (has_operands) {
        take_operands(j, &instance, c->component, f);
    }
    f->permitted = permitted_text(j, c);
    f->text = describe_value(j, o, c, f);
    if (c->iteration.other != ITERATION_NONE) {
        f->text =
            arena_printf(j->a, "%s; this is the value after %s of the loop at word %u", f->text,
                         c->iteration.other == ITERATION_FURTHER ? "one further iteration"
                                                                 : "one iteration fewer",
                         c->iteration.offset);
    }
    if (why.text[0] && has_operands) {
        f->text = arena_printf(j->a, "%s; %s", f->text, why.text);
    }
    const char *others = o->inv ? judge_group_operands(j, o->in, o->inv) : "";
    if (others[0]) {
        f->participants = others;
        f->participants_type = covered_type(j, o, c, o->n_bits);
        f->text = arena_printf(j->a, "%s; operands by id:%s", f->text, others);
    }
}

/* Classes of the operands, a float by its own format. */
static const char *describe_classes(struct judge *j, bool is_float, enum fmt_id fmt,
                                    const struct finding *f)
{
    static const struct {
        enum val_type type;
        enum fmt_id fmt;
    } formats[] = {
        {VT_F16,  FMT_F16 },
        {VT_BF16, FMT_BF16},
        {VT_F32,  FMT_F32 },
        {VT_F64,  FMT_F64 },
    };
    const char *text = "";
    for (uint32_t i = 0; is_float && i < f->n_operands; i++) {
        enum fmt_id own = fmt;
        for (size_t k = 0; k < ARRAY_N(formats); k++) {
            own = f->operand_type[i] == formats[k].type ? formats[k].fmt : own;
        }
        text = arena_printf(j->a, "%s%s%s", text, i ? "," : "",
                            judge_classes(j, 1, own, &f->operand[i], 1));
    }
    return text;
}

/* Reports a value that is not permitted (c) as a finding of o's instruction: its verdict, or a divergence
 * where something excuses it; nothing where the value is undefined. `before` is the operation before an
 * atomic's, which may be to blame instead. */
static void report_value(struct judge *j, const struct observed *o, unsigned n_bits,
                         const struct comparison *c)
{
    const struct event *before = o->e && o->inv ? blame_find_before(&j->memory, o->e) : NULL;
    struct diagnosis d = diagnose(j, o, c);
    /* a zero in place of the other zero or of a subnormal */
    bool const is_small = d.kind == VERDICT_ZERO_SIGN || is_flushed(c, o->got);
    if (d.grade == GRADE_VIOLATION && blame_is_hole(j, o->in, before, c->seen, is_small)) {
        d = excuse(d, CLAUSE_HOLE_CL_FLOAT);
    }
    if (d.grade == GRADE_UNDEFINED) {
        return;
    }
    enum clause_id const clause = d.grade == GRADE_VIOLATION ? c->clause : d.excuse;
    struct finding *f = judge_finding(j, d.kind, clause, d.grade);
    if (!f) {
        return;
    }
    bool const is_on_floats = c->is_float || c->is_truth;
    bool const is_one_of_many = c->is_float && !c->is_exact && !c->anything;
    put_observed(f, o);
    f->op = op_find_number(o->in->op);
    f->type = is_event_of(j, o) ? judge_event_type(j, o->e)
                                : val_type_of(is_on_floats ? (int)c->fmt : -1,
                                              c->is_truth ? float_formats[c->fmt].n_bits : n_bits);
    f->storage = storage_of(j, o);
    f->expect = c->expect;
    put_other_end(j, before, c, d.grade, f);
    put_explanation(j, o, c, d.grade, f);
    f->got_type = c->is_truth ? VT_BOOL : VT_NONE;
    f->operand_class = describe_classes(j, is_on_floats, c->fmt, f);
    f->circumstances =
        circumstances_of(j, o->in, o->inv, is_one_of_many ? &c->permitted : NULL, o->got);
}

/* ---- counts ---- */

/* How many values are permitted. */
static uint64_t count_permitted(const struct comparison *c)
{
    if (c->anything) {
        return UINT64_MAX;
    }
    if (c->n_usual) {
        return c->n_usual;
    }
    if (c->choices) {
        return accuracy_int_count(c->choices);
    }
    return c->is_float ? set_count(&c->permitted) : 1;
}

static enum feature_outcome outcome_of(const struct comparison *c, bool is_sharp)
{
    if (!c->ok) {
        return c->grade == GRADE_VIOLATION ? FEATURE_WRONG : FEATURE_DIVERGENT;
    }
    if (c->anything) {
        return FEATURE_ANYTHING;
    }
    if (c->is_bounded) {
        return FEATURE_BOUNDED;
    }
    return is_sharp ? FEATURE_SHARP : FEATURE_LOOSE;
}

/* Counts one more judged value: in the sums of the judgement, in its coverage table, in the hash by which
 * targets are compared, and in the map of features, where there is one. Sharp: at most SHARP_COUNT values are
 * permitted. Values that are taken from the device unjudged count only for group instructions. */
static void count_value(struct judge *j, const struct observed *o, const struct comparison *c,
                        unsigned n_bits)
{
    enum unconfined_kind const why = c->unconfined ? c->unconfined : UNCONFINED_ANYTHING;
    if (c->is_unjudged && group_kind_of(o->in->op) == GROUP_NONE) {
        j->out->n_told++;
        return;
    }
    uint64_t const count = count_permitted(c);
    bool const is_sharp = count <= SHARP_COUNT;
    bool const is_bounded = c->is_bounded && !c->anything;
    struct judgement *out = j->out;
    struct coverage *row =
        judge_coverage(j, o->in->op, covered_type(j, o, c, n_bits), storage_of(j, o));
    out->n_judged++;
    out->n_sharp += is_sharp;
    out->n_anything += c->anything;
    out->n_unconfined[why] += c->anything;
    out->n_tight += !c->is_loose;
    out->n_tight_sharp += !c->is_loose && is_sharp;
    out->n_bounded += is_bounded;
    out->n_reductions_bounded += is_bounded;
    if (!row) {
        return;
    }
    row->n++;
    row->n_sharp += is_sharp;
    row->n_anything += c->anything;
    row->n_divergent += !c->ok;
    row->n_bounded += is_bounded;
    if (count > 1 || c->grade != GRADE_VIOLATION) { /* targets may differ here */
        uint64_t const key[3] = {o->in->offset, o->inv ? o->inv->global_index : 0, o->got};
        out->cross_hash[row->op] += hash_bytes(1, key, sizeof key) | 1;
    }
    if (j->covered.map) {
        struct feature_seen const seen = {.row = row,
                                          .fmt = c->is_float ? (int)c->fmt : -1,
                                          .component = c->component,
                                          .outcome = outcome_of(c, is_sharp),
                                          .loose =
                                              c->is_loose && !c->anything ? &c->permitted : NULL,
                                          .sum = c->sum};
        feature_see(j, o, &seen);
    }
}

/* ---- the whole ---- */

/* Finds whether the observed value is a float (c->is_float), its format, and its bits: of an atomic's value
 * by its location; of a value that carries a type of its own by that (`number`: VALUE_INTEGER or 1 + enum
 * fmt_id, 0: none); else by the type of the instruction, of a store that of the stored object. */
static void set_type(const struct judge *j, const struct observed *o, unsigned number,
                     struct comparison *c, unsigned *n_bits)
{
    if (o->e) {
        const struct cell *cell = &j->memory.cells[o->e->cell];
        c->is_float = cell->is_float;
        c->fmt = (enum fmt_id)cell->fmt;
        *n_bits = cell->n_bits;
        return;
    }
    if (number) { /* an instruction with more than one result has no one type */
        c->is_float = number != VALUE_INTEGER;
        c->fmt = (enum fmt_id)(c->is_float ? number - 1 : 0);
        *n_bits = c->is_float ? float_formats[c->fmt].n_bits : 32;
        return;
    }
    uint32_t const type =
        o->in->op == SpvOpStore ? j->m.ids[o->in->w[MOD_STORE_OBJECT]].type : o->in->type;
    int const fmt = module_get_format(&j->m, type);
    c->is_float = fmt >= 0;
    c->fmt = (enum fmt_id)(fmt < 0 ? 0 : fmt);
    *n_bits = j->m.ids[type].t.bits;
}

/* The decorated instruction that handed on what `in` shows; NULL: none did. */
static const struct mod_inst *find_propagated_by(const struct judge *j, const struct mod_inst *in)
{
    while (in && (in->op == SpvOpCompositeExtract || in->op == SpvOpBitcast) &&
           !value_propagates(&j->m, in)) {
        in = module_get_definition(&j->m, module_get_operand(&j->m, in, MOD_OPERAND));
    }
    return in && in->result && value_propagates(&j->m, in) ? in : NULL;
}

/* The clause of what the instruction gives in the format of the value: sums of bfloat16 have one of their own. */
static enum clause_id clause_in_format(const struct mod_inst *in, const struct comparison *c)
{
    enum clause_id const clause = value_get_binding(in->op);
    bool const is_bfloat = c->is_float && c->fmt == FMT_BF16;
    return is_bfloat && clause == CLAUSE_FADD_CR ? CLAUSE_FADD_BF16 : clause;
}

/* Looks for another instruction that is to blame for the wrong value: a comparison that chose the wrong
 * operand, a value lost at a barrier, the operation before a load. If there is one, o and c are about that
 * instruction from now on; of a comparison c is made anew, as its result is a truth value and no number. */
static void move_blame(struct judge *j, struct observed *o, struct comparison *c)
{
    struct observed moved;
    uint64_t truth;
    if (blame_condition(j, o, c->component, &moved, &truth)) {
        uint32_t const type = j->m.ids[moved.in->w[MOD_OPERAND]].type;
        *c = (struct comparison){.is_truth = true,
                                 .fmt = (enum fmt_id)module_get_format(&j->m, type),
                                 .expected = truth,
                                 .component = c->component,
                                 .grade = c->grade,
                                 .clause = CLAUSE_COMPARE,
                                 .clause_out = c->clause_out,
                                 .expect = c->expect};
    } else if (blame_barrier(j, o, c->component, &moved)) {
        c->shown_by = o->in;
        c->clause = clause_in_format(moved.in, c);
    } else if (blame_before_load(j, o, c->is_float ? (int)c->fmt : -1, c->expected, &moved)) {
        c->clause = clause_in_format(moved.in, c);
    } else {
        return;
    }
    *o = moved;
}

/* The policy may permit what the specifications do not. true: nothing was seen of the value. */
static bool ask_policy(struct judge *j, const struct observed *seen, struct val v,
                       struct comparison *c)
{
    unsigned const answer = j->policy->value(j->policy->state, j, seen, v, c->ok, !c->differs);
    if (answer & POLICY_FORBIDS) {
        c->ok = false;
        c->grade = GRADE_VIOLATION;
    }
    if (answer & POLICY_PERMITS) {
        c->ok = true;
        c->differs = false;
    }
    return (answer & POLICY_UNSEEN) != 0;
}

/* The clause of an instruction's value: of a store of a specialization constant that of such. */
static enum clause_id binding_of(const struct judge *j, const struct mod_inst *in,
                                 const struct comparison *c)
{
    uint32_t const object =
        in->op == SpvOpStore ? module_get_operand(&j->m, in, MOD_STORE_OBJECT) : 0;
    return j->m.ids[object].flags & ID_SPECIALIZED ? CLAUSE_SPEC_CONSTANT : clause_in_format(in, c);
}

/* Does the instruction load what a built-in says of one of several dispatches? */
static bool is_told(const struct judge *j, const struct mod_inst *in)
{
    static const uint32_t told[] = {SpvBuiltInWorkgroupId,   SpvBuiltInGlobalInvocationId,
                                    SpvBuiltInNumWorkgroups, SpvBuiltInGlobalSize,
                                    SpvBuiltInGlobalOffset,  SpvBuiltInGlobalLinearId};
    uint32_t const pointer = in->op == SpvOpLoad ? module_get_operand(&j->m, in, MOD_OPERAND) : 0;
    bool const is_variable = (j->m.ids[pointer].flags & ID_VARIABLE) &&
                             j->m.ids[j->m.ids[pointer].type].t.storage == SpvStorageClassInput;
    for (size_t i = 0; is_variable && j->x.n_dispatches > 1 && i < ARRAY_N(told); i++) {
        if (j->m.ids[pointer].builtin == told[i]) {
            return true;
        }
    }
    return false;
}

/* Judges one observed value: what was seen (`seen`) against what is permitted of it (v). It is named after
 * the instruction that made it, compared and counted. A wrong one is reported, named after whoever is to
 * blame. Two things are reported of a right one: that others who share a sum got other bits, and that no value
 * satisfies a decoration. */
bool judge_value(struct judge *j, const struct observed *seen, struct val v)
{
    struct comparison c = {0};
    unsigned n_bits;
    struct observed o = blame_find_origin(j, seen, v, &c.component);
    c.seen = o.e;
    set_type(j, &o, v.abs ? j->x.pool[v.abs].number : 0, &c, &n_bits);
    compare(j, v, o.got, binding_of(j, o.in, &c), &c);
    bool const is_fixed = c.ok || c.grade == GRADE_VIOLATION; /* by a clause */
    explain(j, v, o.got, &c);
    if (v.abs &&
        j->x.pool[v.abs].clause == CLAUSE_BARRIER_ORDER) { /* another invocation's, by a barrier */
        c.clause = CLAUSE_BARRIER_ORDER;
    }
    if (is_told(j, o.in)) {
        c.clause = CLAUSE_DISPATCH_BASE;
    }
    bool const is_unseen = ask_policy(j, seen, v, &c);
    count_value(j, &o, &c, n_bits);
    /* the word still holds what it held before the dispatch: never stored, but where no clause fixes what is stored and
     * so that content is a value like any other */
    bool const is_kept = o.is_untouched && o.inv && c.grade != GRADE_UNDEFINED;
    bool const is_lost = is_kept && is_fixed;
    if (!c.ok || (is_lost && c.anything && j->memory.is_unconstrained)) {
        const struct mod_inst *const named = o.in;
        const struct mod_inst *const propagated_by = find_propagated_by(j, seen->in);
        c.expect = get_expect(j, &o, &c);
        enum policy_lost const lost =
            is_kept ? j->policy->lost(j->policy->state, j, o.inv) : LOST_UNEXPLAINED;
        j->memory.has_lost_invocation |= lost == LOST_INVOCATION;
        if (lost != LOST_UNEXPLAINED) {
            return false;
        }
        if (is_lost) {
            report_lost_store(j, &o, &c);
            return false;
        }
        struct iteration const iteration = iteration_find(j, &o, c.component, v);
        move_blame(j, &o, &c);
        if (o.in == named) {
            c.iteration = iteration;
        }
        c.propagated_by = o.in == named && propagated_by != named ? propagated_by
                                                                  : NULL; /* either may be wrong */
        report_value(j, &o, n_bits, &c);
    } else if (c.differs) {
        report_difference(j, &o, &c);
    } else if (c.is_float && !c.anything) {
        report_unsatisfiable(j, &o, &c);
    }
    return !is_unseen;
}

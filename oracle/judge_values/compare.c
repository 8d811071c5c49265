/* oracle/judge_values/compare.c -- compares one observed value with what is permitted, counts it, and reports it if
 * it is wrong.
 *
 * Read from the end of the file: judge_value is the whole. compare_value decides whether the value is permitted
 * (c->ok) and by which clause; diagnose decides what a wrong value is called and whether a clause excuses it;
 * report_value makes the finding. */
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
    SHARP_COUNT = 4,            /* a set of at most so many encodings is sharp */
    MAX_ERROR_HALF = 0x3f000000 /* the float 0.5 */
};

/* Ulps of double precision in one ulp of single precision: 2^(52 - 23). */
#define DOUBLE_ULPS_OF_SINGLE 0x1p29

/* The result of comparing an observed value with what is permitted. */
struct comparison {
    bool ok; /* the value is permitted */
    bool is_float;
    bool
        is_truth; /* the value is what a comparison of operands of fmt gave; `expected` is 0 or 1 */
    enum fmt_id fmt;
    /* what is permitted, by the first of these that is set: anything, choices, mask, permitted (of floats), expected */
    bool anything;
    const struct accuracy_int *choices; /* one of these integers; else NULL */
    const struct abstract *mask;        /* an integer with bits between two masks; else NULL */
    struct set permitted;               /* a float of this set */
    uint64_t expected;                  /* these bits */
    bool is_exact;                      /* the bits of `expected` alone, also if they are a NaN */
    enum unconfined_kind
        unconfined;     /* why anything is permitted; UNCONFINED_NONE: by its operands */
    bool is_unjudged;   /* only the device can tell the value: it is taken as it is */
    bool is_bounded;    /* of a sum: the permitted set is a proven bound, no exact set */
    bool differs;       /* of a reduction: another invocation got other bits */
    bool is_loose;      /* the permitted set comes of a loose bound, or of none */
    uint64_t n_usual;   /* of a sum that a usual order gives: values of the usual orders; else 0 */
    unsigned freedom;   /* enum expression_freedom: how else the expression may be evaluated */
    uint32_t component; /* of the instruction's result */
    enum grade grade, grade_zero; /* of a wrong value, of a zero of the wrong sign */
    enum clause_id clause;        /* that a violation breaks */
    enum clause_id clause_out;    /* by which the grade of a wrong value is below violation */
    struct reduction_case *sum;   /* of a float sum or product over a group; else NULL */
    const struct event *seen;     /* the access that returned the value, or the last one; or NULL */
    const struct mod_inst *shown_by; /* the use of a value that was lost at a barrier; else NULL */
    /* the decorated instruction that propagated the value within a bound of its own; else NULL */
    const struct mod_inst *propagated_by;
    struct iteration iteration;  /* the loop iteration whose operands are shown */
    const struct expect *expect; /* what the observed word may hold; NULL: no ranges say so */
};

/* ---- what is permitted ---- */

/* These bits alone are permitted; of a signalling NaN also its quiet form, which any float instruction may make of it. */
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

/* Is the value b, which was observed before, a NaN that arithmetic gave, and `got` another NaN? No clause fixes the
 * bits of such a NaN (CE numerics), so each use of the value may give other bits. */
static bool is_some_nan(const struct abstract *b, enum fmt_id fmt, uint64_t got)
{
    const struct set *permitted = abstract_get_set(b);
    return permitted && permitted->flags != 0 && format_is_nan(&float_formats[fmt], b->bits) &&
           format_is_nan(&float_formats[fmt], got);
}

/* The grade of a sum or product outside its permitted set. In Vulkan, or where sums may be rearranged
 * (is_any_method), it is a divergence if some method of the type's precision gives it (GROUP_SUM_VK), or for f64 a
 * method of single precision (FADD_F64). */
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

/* Compares an observed float sum or product over a group, whose value depends on the order of its terms. If a usual order
 * gives `got`, c->permitted is `got` alone; otherwise it is the full set, which judge_reduction_allows computes only then
 * (r->has_set). A greater grade is milder: violation, divergence, undefined. c->differs: an invocation that shares the
 * result was observed to have other bits; two NaNs do not differ. The last permitted value is kept for that (r->first). */
static void compare_sum(struct judge *j, struct reduction_case *r, uint64_t got,
                        struct comparison *c)
{
    const struct float_format *f = &float_formats[c->fmt];
    c->ok = judge_reduction_allows(j, r, got);
    j->out->n_reductions++;
    bool const is_by_usual_order = !r->has_set;
    if (is_by_usual_order) {
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

/* Counts a function whose result may be anything, because its evaluation reached the highest precision of MPFR that
 * is tried. */
static void count_uncertain(struct judge *j, const struct abstract *b)
{
    int const op = op_find_number(j->m.code[b->code - 1].op);
    j->out->n_inconclusive++;
    j->out->note = arena_printf(j->a, "%s: the precision's cap leaves the result uncertain",
                                op < 0 ? "a function" : op_rows[op].name);
}

/* Compares `got` with the value b, which was not observed before. Each kind of value has its own form of what is
 * permitted; a set or a sum that is stored as the bits of an integer permits anything. The kinds that end with `break`
 * get the grade of a wrong value from value_grade_outside; the kinds that return keep c->grade. */
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
        /* `outer` is what all readings of the text permit together */
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

/* Compares `got` with what is permitted of v, into c. `clause` is that of the instruction, for a v that has none of
 * its own. A v that is known exactly, or was observed before, must have the same bits again, except for a NaN that
 * arithmetic gave. Any other v is compared by compare_abstract. */
static void compare_value(struct judge *j, struct val v, uint64_t got, enum clause_id clause,
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
    c->is_loose = b->is_loose;
    if (b->code) { /* an instruction made it whose clause is kept with the value */
        c->clause = (enum clause_id)b->clause;
    }
    if (b->reduction) {
        c->sum = c->is_float ? b->reduction : NULL;
        j->out->n_reductions += b->kind != ABSTRACT_SUM; /* compare_sum counts these */
    }
    compare_abstract(j, b, got, c);
}

/* A value outside the set of its instruction may be one that the whole expression gives when it is contracted or
 * rearranged: then it is a divergence instead of a violation. */
static void excuse_by_evaluation(struct judge *j, struct val v, uint64_t got, struct comparison *c)
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

/* What the observed word may hold, for a bundle. NULL: that cannot be expressed as ranges. */
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

/* ---- what a wrong value is called ---- */

/* The verdict on a value that is not permitted, its grade, and the clause of a grade below violation. */
struct diagnosis {
    enum verdict_kind kind;
    enum grade grade;
    enum clause_id excuse;
};

/* Makes a violation a divergence by `clause`. A milder grade keeps its clause. */
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

/* Does memory still hold what the addition returned as its original, as if the sum had never been stored? */
static bool is_lost_addition(const struct observed *o, const struct comparison *c)
{
    bool const is_final_sum = c->is_float && o->in->op == SpvOpAtomicFAddEXT && !o->inv;
    bool const is_unchanged = is_final_sum && o->e->knows_original && o->got == o->e->original;
    return is_unchanged && !format_is_nan(&float_formats[c->fmt], o->got) &&
           !(c->permitted.flags & (SET_QNAN | SET_SNAN));
}

/* Is it a zero where a subnormal is expected? */
static bool is_flushed(const struct comparison *c, uint64_t got)
{
    const struct float_format *f = &float_formats[c->fmt];
    return c->is_exact && c->is_float && format_is_zero(f, got) &&
           format_is_subnormal(f, c->expected);
}

/* Is it the other zero, stored as the bits of an integer, of a float whose zero may have either sign (grade_zero)? */
static bool is_zero_bits(const struct comparison *c, const struct observed *o)
{
    uint64_t const sign = o->n_bits > 0 ? UINT64_C(1) << (o->n_bits - 1) : 0;
    return c->grade_zero > GRADE_VIOLATION && (c->expected ^ o->got) == sign &&
           (c->expected & ~sign) == 0;
}

/* What a wrong integer is called: of an atomic ATOMICITY, of any other instruction ULP. */
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

/* A zero was observed where a subnormal is expected. In OpenCL no clause forbids a flush by an exchange
 * (GROUP_EXCHANGE_FLUSH), or by a load, store or atomic exchange; in Vulkan any atomic or later instruction may flush
 * unless the module has DenormPreserve (DENORM_DEFAULT). */
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
    bool const may_flush = is_cl ? is_copy : !j->m.modes.denorm_preserve[c->fmt];
    bool const is_atomic_or_later = o->in->op >= SpvOpAtomicLoad;
    return may_flush && group == GROUP_NONE && is_atomic_or_later ? excuse(d, CLAUSE_DENORM_DEFAULT)
                                                                  : d;
}

/* Is the value a plain load, from a variable of the function or from memory through which invocations exchange values
 * by barriers? No atomic accesses such memory. */
static bool is_of_memory(const struct judge *j, const struct observed *o)
{
    uint32_t const pointer =
        o->in->op == SpvOpLoad ? module_get_operand(&j->m, o->in, MOD_OPERAND) : 0;
    bool const is_own =
        pointer && j->m.ids[j->m.ids[pointer].type].t.storage == SpvStorageClassFunction;
    return pointer && (is_own || (o->e && j->memory.cells[o->e->cell].is_ordered));
}

/* Does a plain load return a value that its location held at another time, as if a barrier had not ordered the load? */
static bool is_of_another_time(const struct judge *j, const struct observed *o)
{
    if (!o->e || !is_of_memory(j, o)) {
        return false;
    }
    const struct cell *const c = &j->memory.cells[o->e->cell];
    bool held = c->has_initial && c->initial == o->got;
    const struct event *e = memory_first(&j->memory, c);
    for (; e && !held; e = memory_next(&j->memory, e)) {
        uint64_t stored;
        held = e->op != MO_LOAD && exec_known(&j->x, e->operand, &stored) && stored == o->got;
    }
    return held;
}

/* Is a NaN among the known operands of the instruction? Of a minimum or maximum over a group always true: its
 * permitted set holds a NaN only if a participant's value is a NaN. */
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

/* Does the wrong value break a rule of NaNs? It does if it is a NaN, or if only a NaN is permitted. Where both a NaN
 * and numbers are permitted, a wrong number breaks a rule of NaNs only if an operand is a NaN. */
static bool is_nan_concerned(const struct judge *j, const struct observed *o,
                             const struct comparison *c)
{
    if (format_is_nan(&float_formats[c->fmt], o->got)) {
        return true;
    }
    bool const may_be_nan = (c->permitted.flags & (SET_QNAN | SET_SNAN)) != 0;
    return may_be_nan && (c->permitted.n == 0 || takes_nan(j, o, c));
}

/* Does the instruction copy a float bit for bit: an atomic load, store or exchange, a selection, or a plain load of
 * an input? Not if a max-error decoration lets the copy differ. */
static bool is_copy_of_float(const struct judge *j, const struct observed *o,
                             const struct comparison *c)
{
    uint32_t const op = o->in->op;
    return c->clause != CLAUSE_MAX_ERROR &&
           ((op >= SpvOpAtomicLoad && op <= SpvOpAtomicExchange) || op == SpvOpSelect ||
            (op == SpvOpLoad && !is_of_memory(j, o)));
}

/* What a wrong float is called: d with its kind, and with a clause that excuses it, if there is one. The tests go
 * from the special to the general: a zero of the wrong sign, a NaN, a flushed zero, a wrong number. A load, store or
 * exchange that gives a wrong number has not copied memory: ATOMICITY. Any other wrong number is ULP, also that of a
 * selection, which copies a register. Vulkan arithmetic in f64 needs the precision of f32 only (FADD_F64). */
static struct diagnosis diagnose_float(const struct judge *j, const struct observed *o,
                                       const struct comparison *c, struct diagnosis d)
{
    const struct float_format *f = &float_formats[c->fmt];
    uint32_t const op = o->in->op;
    enum group_kind const group = group_kind_of(op);
    bool const is_zero = format_is_zero(f, o->got);
    bool const is_other_zero = is_zero && set_has(&c->permitted, o->got ^ f->sign);
    bool const is_copy = is_copy_of_float(j, o, c);
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

/* What a value that is not permitted is called: its kind, its grade (a greater one is milder: violation, divergence,
 * undefined), and the clause that excuses a grade below violation. The special cases come first: lost additions,
 * values of another time, sums over a group, masks; then floats and integers. */
static struct diagnosis diagnose(const struct judge *j, const struct observed *o,
                                 const struct comparison *c)
{
    struct diagnosis d = {.grade = c->grade, .excuse = c->clause_out};
    bool const is_group = group_kind_of(o->in->op) != GROUP_NONE;
    if (is_lost_addition(o, c)) {
        d.kind = VERDICT_ATOMICITY;
        return d;
    }
    if (is_of_another_time(j, o)) {
        d.kind = VERDICT_ORDER;
        return d;
    }
    if (c->sum && reduction_is_zero_seed(&c->sum->terms, o->got)) {
        /* the sum began with the zero of the other sign, of which no document says the sign */
        d.kind = VERDICT_ZERO_SIGN;
        d.grade = d.grade > GRADE_DIVERGENCE ? d.grade : GRADE_DIVERGENCE;
        d.excuse = CLAUSE_GROUP_ZERO_SEED;
        return d;
    }
    /* the exact sum, rounded once: steps that are wider than the type */
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

/* Is o->in the instruction of the access o->e? */
static bool is_event_of(const struct judge *j, const struct observed *o)
{
    return o->e && o->in == judge_get_inst(j, o->e);
}

static enum storage get_storage(const struct judge *j, const struct observed *o)
{
    if (o->e) {
        return (enum storage)o->e->storage;
    }
    return group_kind_of(o->in->op) != GROUP_NONE ? static_group_storage(&j->m, o->in)
                                                  : STORAGE_NONE;
}

/* Puts the observed value, its instruction and its invocation into the finding. */
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

/* The type of a scalar, or of the components of a vector; VT_NONE: neither numbers nor bools. */
static enum val_type scalar_type_of(const struct judge *j, uint32_t id)
{
    uint32_t const type = j->m.ids[id].type;
    return val_type_of(module_get_format(&j->m, type), j->m.ids[type].t.bits);
}

/* Appends component c of the operand `id` to the finding: 0 if its value is not known. */
static void put_operand(const struct judge *j, const struct invocation *inv, uint32_t id,
                        uint32_t c, struct finding *f)
{
    f->operand_type[f->n_operands] = scalar_type_of(j, id);
    (void)exec_known(&j->x, exec_reg(&j->x, inv, id)[c], &f->operand[f->n_operands++]);
}

/* The first word of the instruction that is a literal, which may be the number of an id; in->n: it has none. */
static uint32_t get_literals(const struct mod_inst *in)
{
    switch (in->op) {
    case SpvOpCompositeExtract: /* a composite, then indices */
        return MOD_OPERAND + 1;
    case SpvOpCompositeInsert: /* an object and a composite, then indices */
    case SpvOpVectorShuffle:   /* two vectors, then components */
        return MOD_OPERAND + 2;
    default:
        return in->n;
    }
}

/* Puts the operands of the instruction into the finding, as they are in the invocation's registers; an operand that
 * is not known is 0.
 *   an atomic: the original that it returned, and its operand
 *   a group instruction: the value of this invocation, of a vector its first component, as the others' are listed beside it
 *   any other instruction: all operands, of vectors this component; none where no invocation is known (content of
 *   memory) */
static void put_operands(struct judge *j, const struct observed *o, uint32_t component,
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
            put_operand(j, o->inv, id, 0, f);
        }
        return;
    }
    if (group_kind_of(in->op) != GROUP_NONE || !in->result) {
        return;
    }
    for (uint32_t i = value_first_operand(in->op);
         i < get_literals(in) && f->n_operands < ARRAY_N(f->operand); i++) {
        uint32_t const id = module_get_operand(&j->m, in, i);
        uint32_t const n = j->m.ids[id].n_slots;
        uint32_t const c = n == 1 ? 0 : component;
        if (c < n) {
            put_operand(j, o->inv, id, c, f);
        }
    }
}

/* The OpCopyMemory or OpCopyMemorySized that has stored the object, as the load that the interpreter makes of its
 * first half. NULL: the object was stored by another instruction. */
static const struct mod_inst *find_copy(const struct judge *j, uint32_t object)
{
    const struct mod_inst *const load = module_get_definition(&j->m, object);
    bool const is_copy = load && load->op == SpvOpLoad && load + 1 < j->m.code + j->m.n_code &&
                         load[1].op == SpvOpStore && load[1].offset == load->offset;
    return is_copy ? load : NULL;
}

/* Reports a word that still holds its value of before the dispatch: the invocation has not stored it
 * (CLAUSE_EVERY_LANE). Of a copy of memory, the finding names the copy, not the instruction that computed the copied
 * value. */
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

/* Reports that invocations of one reduction got different permitted sums: legal, but unusual (CLAUSE_GROUP_AGREE). */
static void report_difference(struct judge *j, const struct observed *o, const struct comparison *c)
{
    struct finding *f = judge_finding(j, VERDICT_DIVERGENCE, CLAUSE_GROUP_AGREE, GRADE_DIVERGENCE);
    if (f) {
        put_observed(f, o);
        f->op = op_find_number(o->in->op);
        f->type = val_type_of((int)c->fmt, float_formats[c->fmt].n_bits);
        f->storage = get_storage(j, o);
        f->text = arena_printf(j->a, "invocation %u: 0x%llx, others of its group got other bits",
                               f->invocation, (unsigned long long)o->got);
    }
}

/* Was an unsatisfiable decoration reported of this instruction, or of MAX_REPORTED others? A few are enough, so that
 * findings of broken rules have room. */
static bool is_reported_already(const struct judgement *out, uint32_t offset)
{
    enum {
        MAX_REPORTED = 4
    };
    uint32_t n_reported = 0;
    for (uint32_t i = 0; i < out->n_findings; i++) {
        const struct finding *f = &out->findings[i];
        if (f->clause == CLAUSE_MAX_ERROR_UNSATISFIABLE) {
            n_reported++;
            if (f->offset == offset || n_reported == MAX_REPORTED) {
                return true;
            }
        }
    }
    return false;
}

/* Has the instruction of o a max-error decoration of less than half an ulp, which no encoding satisfies for its
 * operands? Then *why says so. */
static bool is_unsatisfiable(struct judge *j, const struct observed *o, uint32_t component,
                             struct value_explanation *why)
{
    const struct mod_id *id = &j->m.ids[o->in->result];
    bool const may_be = (id->flags & ID_MAX_ERROR) && id->max_error < MAX_ERROR_HALF && o->inv;
    return may_be && !is_reported_already(j->out, o->in->offset) &&
           value_explain(&j->x, &j->rules, o->inv, o->in, component, o->got, j->a, why) &&
           why->is_unsatisfiable;
}

/* Reports, as a divergence, a permitted value of an instruction whose max-error decoration no encoding satisfies. */
static void report_unsatisfiable(struct judge *j, const struct observed *o,
                                 const struct comparison *c)
{
    struct value_explanation why;
    if (!is_unsatisfiable(j, o, c->component, &why)) {
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

/* Has the atomic load changed its location? It has if it returned the expected value; or if its result was not
 * observed and the location then holds a zero where a subnormal or the other zero is expected, as after a load that
 * is implemented as an addition of zero. */
static bool is_changed_by_load(const struct event *load, const struct comparison *c, uint64_t got)
{
    const struct float_format *f = &float_formats[c->fmt];
    return load->knows_original
               ? load->original == c->expected
               : c->is_float && format_is_zero(f, got) && (c->expected & f->exp) == 0;
}

/* Names the other operation (op2), an atomic load, as the wrong one: a load that a clause permits may not change its
 * location. */
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

/* Puts the second instruction (op2) into the finding: the use of a value that was lost at a barrier, or a decorated
 * instruction that propagated the value, or the access before, which may have left the wrong value. */
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

/* The sentence of the finding: which instruction gave what, and what is permitted. */
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

/* The type under which an instruction is counted: of a group instruction that of its value. */
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

/* Puts the operands, what is permitted, and the sentence into the finding. Where value_explain can say more (of a
 * mathematical function the bound and the error), the finding takes its operands and text, and for a violation also
 * its clause, which is more precise. Not of a value that a decorated instruction propagated: it has exceeded that
 * instruction's bound, not the function's. Operands are left out where a later iteration has overwritten the registers
 * (is_overwritten). */
static void put_explanation(struct judge *j, const struct observed *o, const struct comparison *c,
                            enum grade grade, struct finding *f)
{
    struct value_explanation why = {.text = ""};
    struct observed instance = *o; /* with the registers of the iteration that gave the value */
    instance.inv = c->iteration.inv ? c->iteration.inv : o->inv;
    bool const has_operands = !c->iteration.is_overwritten;
    bool const is_explained =
        o->inv && !c->propagated_by &&
        value_explain(&j->x, &j->rules, instance.inv, o->in, c->component, o->got, j->a, &why);
    if (is_explained) {
        f->n_operands = has_operands ? why.n_operands : 0;
        memcpy(f->operand, why.operand, sizeof f->operand);
        f->clause = grade == GRADE_VIOLATION ? why.clause : f->clause;
    } else if (has_operands) {
        put_operands(j, &instance, c->component, f);
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

/* The classes of the operands, each float by its own format, else by fmt. */
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

/* Reports a value that is not permitted (c) as a finding of o's instruction: a violation, or a divergence where a
 * clause excuses the value; nothing where the value is undefined. n_bits: width of the value's type; the word that was
 * observed may be wider. */
static void report_value(struct judge *j, const struct observed *o, unsigned n_bits,
                         const struct comparison *c)
{
    /* the access before this one, which may have left the wrong value; a value in memory (no o->inv) was left by o->e
     * itself */
    const struct event *before = o->e && o->inv ? blame_find_before(&j->memory, o->e) : NULL;
    struct diagnosis d = diagnose(j, o, c);
    /* a zero in place of the other zero or of a subnormal: what an atomic load leaves that is made of an addition of zero.
     * Such a load of floats is a hole: no clause permits it (judge_is_hole) */
    bool const is_zero_for_small = d.kind == VERDICT_ZERO_SIGN || is_flushed(c, o->got);
    if (d.grade == GRADE_VIOLATION && blame_is_hole(j, o->in, before, c->seen, is_zero_for_small)) {
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
    /* of an access the type of its location; of a comparison that of its operands, beside got_type */
    f->type = is_event_of(j, o) ? judge_event_type(j, o->e)
                                : val_type_of(is_on_floats ? (int)c->fmt : -1,
                                              c->is_truth ? float_formats[c->fmt].n_bits : n_bits);
    f->storage = get_storage(j, o);
    f->expect = c->expect;
    /* in this order: the first sets op2 and may exchange it with op, the second one writes a text of both and the operands,
     * whose classes come last */
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

/* How the comparison ended, for the map of features. */
static enum feature_outcome get_outcome(const struct comparison *c, bool is_sharp)
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

/* Counts a judged value in the sums of the judgement. */
static void count_in_judgement(struct judgement *out, const struct comparison *c, bool is_sharp,
                               bool is_bounded)
{
    enum unconfined_kind const why = c->unconfined ? c->unconfined : UNCONFINED_ANYTHING;
    out->n_judged++;
    out->n_sharp += is_sharp;
    out->n_anything += c->anything;
    out->n_unconfined[why] += c->anything;
    out->n_tight += !c->is_loose;
    out->n_tight_sharp += !c->is_loose && is_sharp;
    out->n_bounded += is_bounded;
    out->n_reductions_bounded += is_bounded;
}

/* Counts a judged value: in the sums of the judgement, in its coverage table, in the hash by which targets are
 * compared, and in the map of features, if there is one. A value that only the device can tell is counted for group
 * instructions only; of others n_told counts it. Sharp: at most SHARP_COUNT values are permitted. The hash of an
 * instruction is the sum of the hashes of its values (odd, so that none is 0), so that it does not depend on their
 * order. Only values that targets may give differently are in it: where one value is permitted, another one is a
 * violation anyway. */
static void count_value(struct judge *j, const struct observed *o, const struct comparison *c,
                        unsigned n_bits)
{
    if (c->is_unjudged && group_kind_of(o->in->op) == GROUP_NONE) {
        j->out->n_told++;
        return;
    }
    uint64_t const count = count_permitted(c);
    bool const is_sharp = count <= SHARP_COUNT;
    bool const is_bounded = c->is_bounded && !c->anything;
    struct coverage *row =
        judge_coverage(j, o->in->op, covered_type(j, o, c, n_bits), get_storage(j, o));
    count_in_judgement(j->out, c, is_sharp, is_bounded);
    if (!row) {
        return;
    }
    row->n++;
    row->n_sharp += is_sharp;
    row->n_anything += c->anything;
    row->n_divergent += !c->ok;
    row->n_bounded += is_bounded;
    bool const may_targets_differ = count > 1 || c->grade != GRADE_VIOLATION;
    if (may_targets_differ) {
        uint64_t const key[3] = {o->in->offset, o->inv ? o->inv->global_index : 0, o->got};
        j->out->cross_hash[row->op] += hash_bytes(1, key, sizeof key) | 1;
    }
    if (j->covered.map) {
        struct feature_seen const seen = {.row = row,
                                          .fmt = c->is_float ? (int)c->fmt : -1,
                                          .component = c->component,
                                          .outcome = get_outcome(c, is_sharp),
                                          .loose =
                                              c->is_loose && !c->anything ? &c->permitted : NULL,
                                          .sum = c->sum};
        feature_see(j, o, &seen);
    }
}

/* ---- the whole ---- */

/* Finds whether the observed value is a float (c->is_float), its format and its width. The type is that of the memory
 * location for an access; that of the value if it has a type of its own (`number`: VALUE_INTEGER or 1 + enum fmt_id;
 * 0: it has none); else that of the instruction's result, or of the object of a store. */
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

/* The decorated phi, load, call or copy that propagated the value that `in` gives, through extractions and bitcasts.
 * NULL: none did. */
static const struct mod_inst *find_propagated_by(const struct judge *j, const struct mod_inst *in)
{
    while (in && (in->op == SpvOpCompositeExtract || in->op == SpvOpBitcast) &&
           !value_propagates(&j->m, in)) {
        in = module_get_definition(&j->m, module_get_operand(&j->m, in, MOD_OPERAND));
    }
    return in && in->result && value_propagates(&j->m, in) ? in : NULL;
}

/* The clause of the instruction's result in the format of the value: sums of bfloat16 have a clause of their own. */
static enum clause_id clause_in_format(const struct mod_inst *in, const struct comparison *c)
{
    enum clause_id const clause = value_get_binding(in->op);
    bool const is_bfloat = c->is_float && c->fmt == FMT_BF16;
    return is_bfloat && clause == CLAUSE_FADD_CR ? CLAUSE_FADD_BF16 : clause;
}

/* Looks for another instruction that is to blame for the wrong value: a comparison that selected the wrong operand,
 * an instruction whose value was lost at a barrier, or the access before a load. If there is one, o and c describe
 * that instruction from then on. */
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

/* Asks the policy, which may permit what the specifications do not. true: the word holds another value, so that
 * nothing was observed of this one. */
static bool ask_policy(struct judge *j, const struct observed *seen, struct val v,
                       struct comparison *c)
{
    unsigned const answer = policy_value(j->policy, j, seen, v, c->ok, !c->differs);
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

/* The clause of an instruction's value; the stored value of a specialization constant has a clause of its own. */
static enum clause_id find_clause(const struct judge *j, const struct mod_inst *in,
                                  const struct comparison *c)
{
    uint32_t const object =
        in->op == SpvOpStore ? module_get_operand(&j->m, in, MOD_STORE_OBJECT) : 0;
    return j->m.ids[object].flags & ID_SPECIALIZED ? CLAUSE_SPEC_CONSTANT : clause_in_format(in, c);
}

/* Does the instruction load a built-in whose value differs between the dispatches of a case with several dispatches? */
static bool reads_dispatch(const struct judge *j, const struct mod_inst *in)
{
    static const uint32_t builtins[] = {SpvBuiltInWorkgroupId,   SpvBuiltInGlobalInvocationId,
                                        SpvBuiltInNumWorkgroups, SpvBuiltInGlobalSize,
                                        SpvBuiltInGlobalOffset,  SpvBuiltInGlobalLinearId};
    uint32_t const pointer = in->op == SpvOpLoad ? module_get_operand(&j->m, in, MOD_OPERAND) : 0;
    bool const is_variable = (j->m.ids[pointer].flags & ID_VARIABLE) &&
                             j->m.ids[j->m.ids[pointer].type].t.storage == SpvStorageClassInput;
    for (size_t i = 0; is_variable && j->x.n_dispatches > 1 && i < ARRAY_N(builtins); i++) {
        if (j->m.ids[pointer].builtin == builtins[i]) {
            return true;
        }
    }
    return false;
}

/* The clause by which the value v of o's instruction is judged; `clause`: where no special case applies. */
static enum clause_id override_clause(const struct judge *j, const struct observed *o, struct val v,
                                      enum clause_id clause)
{
    if (reads_dispatch(j, o->in)) {
        return CLAUSE_DISPATCH_BASE;
    }
    bool const is_by_barrier = v.abs && j->x.pool[v.abs].clause == CLAUSE_BARRIER_ORDER;
    return is_by_barrier ? CLAUSE_BARRIER_ORDER : clause;
}

/* Reports a value that is not permitted, named after the instruction that is to blame: o's own (then with the loop
 * iteration that the value may be of, and a decorated instruction that propagated the value and may be the wrong
 * one), or the one that move_blame finds. `seen`: the observation as the probe made it. */
static void report_wrong(struct judge *j, const struct observed *seen, struct val v,
                         unsigned n_bits, struct observed *o, struct comparison *c)
{
    const struct mod_inst *const named = o->in;
    const struct mod_inst *const propagated_by = find_propagated_by(j, seen->in);
    struct iteration const iteration = iteration_find(j, o, c->component, v);
    move_blame(j, o, c);
    if (o->in == named) {
        c->iteration = iteration;
        c->propagated_by = propagated_by != named ? propagated_by : NULL;
    }
    report_value(j, o, n_bits, c);
}

/* Judges one observed value, `seen`, of which v is permitted. The value is attributed to the instruction that
 * computed it, compared and counted. A wrong value is reported (report_wrong), unless its word was never stored,
 * which is reported instead. Of a permitted value two things may be reported: that another invocation got other bits
 * of the same reduction, and that no value satisfies a decoration. false: nothing was observed of v. */
bool judge_value(struct judge *j, const struct observed *seen, struct val v)
{
    struct comparison c = {0};
    unsigned n_bits;
    struct observed o = blame_find_origin(j, seen, v, &c.component);
    c.seen = o.e;
    set_type(j, &o, v.abs ? j->x.pool[v.abs].number : 0, &c, &n_bits);
    compare_value(j, v, o.got, find_clause(j, o.in, &c), &c);
    /* asked before a contraction or rearrangement may excuse the value: the clause of the instruction itself counts */
    bool const is_fixed_by_clause = c.ok || c.grade == GRADE_VIOLATION;
    excuse_by_evaluation(j, v, o.got, &c);
    c.clause = override_clause(j, &o, v, c.clause);
    bool const is_unseen = ask_policy(j, seen, v, &c);
    count_value(j, &o, &c, n_bits);
    /* The word still holds its value of before the dispatch, so it was probably never stored. Where no clause fixes
     * the value, that content may be the result all the same. */
    bool const is_kept = o.is_untouched && o.inv && c.grade != GRADE_UNDEFINED;
    bool const is_lost = is_kept && is_fixed_by_clause;
    /* where loads of other invocations' stores are unconstrained, anything is permitted: a word that was not stored
     * still shows */
    bool const is_lost_unconstrained = is_lost && c.anything && j->memory.is_unconstrained;
    if (!c.ok || is_lost_unconstrained) {
        c.expect = get_expect(j, &o, &c);
        /* only of a word that may never have been stored is the policy asked why */
        enum policy_lost const lost = is_kept ? policy_lost(j->policy, j, o.inv) : LOST_UNEXPLAINED;
        j->memory.has_lost_invocation |= lost == LOST_INVOCATION;
        if (lost != LOST_UNEXPLAINED) {
            return false;
        }
        if (is_lost) {
            report_lost_store(j, &o, &c);
            return false;
        }
        report_wrong(j, seen, v, n_bits, &o, &c);
    } else if (c.differs) {
        report_difference(j, &o, &c);
    } else if (c.is_float && !c.anything) {
        report_unsatisfiable(j, &o, &c);
    }
    return !is_unseen;
}

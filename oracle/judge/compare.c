/* oracle/judge/compare.c -- an observed value against what is permitted: counted, and reported. */
#include "oracle/judge/compare.h"

#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/group/reduction.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_place.h"
#include "oracle/judge/blame.h"
#include "oracle/judge/circumstance.h"
#include "oracle/judge/expectation.h"
#include "oracle/judge/feature_judge.h"
#include "oracle/judge/group_record.h"
#include "oracle/judge/judge_group.h"
#include "oracle/judge/judge_report.h"
#include "oracle/judge/judge_sums.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/num/arith.h"
#include "oracle/num/set.h"
#include "oracle/tables/storage.h"
#include "oracle/value/expression.h"
#include "oracle/value/expression_hull.h"
#include "oracle/value/value_explain.h"
#include "oracle/value/value_set.h"

enum {
    SHARP_COUNT = 4,            /* encodings of a set that says something */
    MAX_ERROR_HALF = 0x3f000000 /* literal of 0.5 */
};

/* The observed value against what is permitted. */
struct comparison {
    int ok, is_float;
    enum fmt_id fmt;
    struct set permitted; /* meaningless for integers: expected */
    uint64_t expected;
    int anything;
    int is_exact;     /* these very bits, also of a NaN */
    int is_bounded;   /* a sum: by its proven bound alone */
    int differs;      /* a reduction: another invocation got other bits */
    int is_unjudged;  /* taken from the device as it is */
    uint64_t n_usual; /* a sum: values of the usual orders, of which it is one; 0: not looked at */
    struct reduction_case *sum;         /* of a float sum or product over a group; else NULL */
    const struct abstract *mask;        /* its bits are between must and may; else NULL */
    const struct accuracy_int *choices; /* it is one of these integers; else NULL */
    const struct event *seen;           /* the access that showed it, or the last one; or NULL */
    uint32_t component;                 /* of the instruction's result */
    int is_loose;                       /* a loose bound stands behind the set, or none */
    unsigned freedom;                   /* what may explain a value outside of the set */
    const struct mod_inst
        *shown_by; /* the instruction whose operand was lost at a barrier; else NULL */
    int is_truth;  /* of a comparison: expected is what it says of operands of fmt */
    const struct expect
        *expect; /* what the word that was observed may hold; NULL: no ranges tell */
    enum grade grade, grade_zero;
    enum clause_id clause, clause_out;
};

static int same_bits(const struct comparison *c, uint64_t got)
{
    if (c->expected == got) {
        return 1;
    }
    const struct float_format *f = &float_formats[c->fmt];
    return c->is_float && format_is_snan(f, c->expected) && got == (c->expected | f->quiet);
}

/* A NaN that arithmetic gave, its bits up to the device (semantics B2): each use may see others. */
static int is_some_nan(const struct abstract *b, enum fmt_id fmt, uint64_t got)
{
    return b->set && b->set->flags != 0 && format_is_nan(&float_formats[fmt], b->bits) &&
           format_is_nan(&float_formats[fmt], got);
}

/* A sum or product outside of what its terms give in any order, each step rounded as it must be. */
static void grade_sum(const struct reduction_case *r, uint64_t got, struct comparison *c)
{
    double const single =
        536870912.0 * r->terms.n; /* numerics 1: 2^29 double ulps make one of single's */
    if (c->grade != GRADE_VIOLATION || !r->is_any_method) {
        return;
    }
    if (reduction_keeps_precision(&r->terms, got)) {
        c->grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_GROUP_SUM_VK;
    } else if (c->fmt == FMT_F64 && arith_ulp_distance(&c->permitted, got) <= single) {
        c->grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_FADD_F64;
    }
}

/* A sum or product over a group whose order matters. */
static void compare_sum(struct judge *j, struct reduction_case *r, uint64_t got,
                        struct comparison *c)
{
    const struct float_format *f = &float_formats[c->fmt];
    c->ok = judge_reduction_allows(j, r, got);
    j->out->n_reductions++;
    if (!r->has_set) {
        set_of(&c->permitted, c->fmt, got);
        c->n_usual = r->usual.n;
    } else {
        c->permitted = r->set;
        c->is_bounded = r->proof == REDUCTION_BOUND;
        int const is_special =
            r->set.flags != 0 || set_has(&r->set, f->exp) || set_has(&r->set, f->exp | f->sign);
        c->anything = is_special && r->rules.special == GRADE_UNDEFINED;
        c->ok |= c->anything;
        c->grade = is_special && r->rules.special > c->grade ? r->rules.special : c->grade;
    }
    if (!c->ok) {
        grade_sum(r, got, c);
        return;
    }
    if (r->is_shared && r->has_first && r->first != got &&
        !(format_is_nan(f, got) && format_is_nan(f, r->first))) {
        c->differs = 1;
    }
    r->has_first = 1;
    r->first = got;
}

static void compare(struct judge *j, struct val v, uint64_t got, enum clause_id clause,
                    struct comparison *c)
{
    c->clause = clause;
    c->grade = c->grade_zero = GRADE_VIOLATION;
    const struct abstract *b = v.abs ? &j->x.pool[v.abs] : NULL;
    if (b && !b->bound) {
        c->grade = (enum grade)b->grade;
        c->grade_zero = (enum grade)b->grade_zero;
        c->clause_out = (enum clause_id)b->clause_out;
        c->freedom = b->freedom;
    }
    if (b && !b->bound && b->code) {
        c->clause = (enum clause_id)b->clause;
        c->is_loose = b->is_loose;
        if (b->is_uncertain) {
            int const op = op_find_number(j->m.code[b->code - 1].op);
            j->out->n_inconclusive++;
            j->out->note = arena_printf(j->a, "%s: the precision's cap leaves the result uncertain",
                                        op < 0 ? "a function" : op_rows[op].name);
        }
    }
    if (b && !b->bound && b->has_mask) {
        c->clause = (enum clause_id)b->clause;
        c->expected = b->may;
        c->mask = b;
        c->ok = (b->must & ~got) == 0 && (got & ~b->may) == 0;
        return;
    }
    if (b && !b->bound && b->choices) {
        c->clause = (enum clause_id)b->clause;
        c->expected = (uint32_t)b->choices->value[0];
        c->choices = b->choices;
        c->ok = accuracy_int_has(b->choices, (int32_t)(uint32_t)got);
        return;
    }
    if (b && !b->bound && b->is_observed) {
        c->ok = c->is_unjudged = c->anything = 1;
        return;
    }
    c->sum = b && !b->bound && c->is_float ? b->reduction : NULL;
    if (c->sum && !b->is_exact_sum) {
        c->clause = (enum clause_id)b->clause;
        compare_sum(j, b->reduction, got, c);
        return;
    }
    j->out->n_reductions += b && !b->bound && b->is_exact_sum;
    if (!b || b->bound || b->single) {
        c->expected = b ? b->bits : v.bits;
        c->is_exact = 1;
        if (c->is_float) {
            set_of(&c->permitted, c->fmt, c->expected);
        }
        c->ok = same_bits(c, got) || (b && b->bound && is_some_nan(b, c->fmt, got));
    } else if (!b->set || !c->is_float) {
        c->anything = c->ok = 1;
    } else {
        c->permitted = *b->set;
        c->ok = set_has(b->set, got);
        c->anything = (b->set->flags & SET_ANY) != 0;
    }
    if (!c->ok && b && !b->bound) {
        c->grade = value_grade_outside(b, got);
    }
}

/* Operands of the instruction as they are in the invocation's registers. */
static void take_operands(struct judge *j, const struct observed *o, uint32_t component,
                          struct finding *f)
{
    const struct mod_inst *in = o->in;
    const struct invocation *inv = o->inv;
    const struct event *e = o->e;
    if (e) {
        f->n_operands = 2;
        f->operand[0] = e->knows_original ? e->original : 0;
        (void)exec_known(&j->x, e->operand, &f->operand[1]);
        return;
    }
    uint32_t const value = static_group_value(in); /* 0: no group instruction, or none */
    if (inv && value) {
        uint32_t const id = value < in->n && in->w[value] < j->m.n_ids ? in->w[value] : 0;
        if (j->m.ids[id].n_slots > 0) {
            (void)exec_known(&j->x, *exec_reg(&j->x, inv, id), &f->operand[f->n_operands++]);
        }
        return;
    }
    if (group_kind_of(in->op) != GROUP_NONE) {
        return;
    }
    for (uint32_t i = 3; inv && in->result && i < in->n && f->n_operands < 3; i++) {
        uint32_t const id = in->w[i];
        uint32_t const n = id < j->m.n_ids ? j->m.ids[id].n_slots : 0;
        uint32_t const c = n == 1 ? 0 : component;
        if (c < n) {
            (void)exec_known(&j->x, exec_reg(&j->x, inv, id)[c], &f->operand[f->n_operands++]);
        }
    }
}

/* What the word that was observed may hold; NULL where no ranges tell. */
static const struct expect *get_expect(const struct judge *j, const struct observed *o,
                                       const struct comparison *c)
{
    if (c->mask && c->mask->must != c->mask->may) {
        return NULL;
    }
    if (c->choices) {
        return expectation_of_integers(o, c->choices, j->a);
    }
    return c->is_float && !c->is_exact
               ? expectation_of_set(o, &c->permitted, j->a)
               : expectation_of_bits(o, c->is_float ? (int)c->fmt : -1, c->expected, j->a);
}

/* A slot that still holds what it held before: the invocation never came to the store. */
static void report_lost_store(struct judge *j, const struct observed *o, const struct comparison *c)
{
    j->lost_stores++;
    struct finding *f = judge_finding(j, VERDICT_MASK, CLAUSE_EVERY_LANE, GRADE_VIOLATION);
    if (f) {
        f->offset = o->in->offset;
        f->invocation = o->inv->global_index;
        f->has_got = 1;
        f->got = o->got;
        f->expect = c->expect;
        f->text = arena_printf(j->a, "invocation %u did not store the result of word %u",
                               f->invocation, f->offset);
    }
}

/* The load saw the right value, or nobody knows what it saw and a zero came of a subnormal or of the
 * other zero, as where a load is made of an addition of zero: then the load has changed it. */
static int is_changed_by_load(const struct event *load, const struct comparison *c, uint64_t got)
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

static enum storage storage_of(const struct judge *j, const struct observed *o)
{
    if (o->e) {
        return (enum storage)o->e->storage;
    }
    return group_kind_of(o->in->op) != GROUP_NONE ? static_group_storage(&j->m, o->in)
                                                  : STORAGE_NONE;
}

/* Legal, but not what one would expect: invocations that reduce together see different sums. */
static void report_difference(struct judge *j, const struct observed *o, const struct comparison *c)
{
    struct finding *f = judge_finding(j, VERDICT_DIVERGENCE, CLAUSE_GROUP_AGREE, GRADE_DIVERGENCE);
    if (f) {
        f->op = op_find_number(o->in->op);
        f->offset = o->in->offset;
        f->type = val_type_of(1, float_formats[c->fmt].n_bits);
        f->storage = storage_of(j, o);
        f->invocation = o->inv->global_index;
        f->has_got = 1;
        f->got = o->got;
        f->text = arena_printf(j->a, "invocation %u: 0x%llx, others of its group got other bits",
                               f->invocation, (unsigned long long)o->got);
    }
}

static const char *permitted_text(const struct judge *j, const struct comparison *c)
{
    if (c->choices) {
        return accuracy_int_to_text(c->choices, j->a);
    }
    if (c->mask) {
        return arena_printf(j->a, "bits of 0x%llx, all of 0x%llx", (unsigned long long)c->mask->may,
                            (unsigned long long)c->mask->must);
    }
    return c->is_float ? set_to_text(&c->permitted, j->a)
                       : arena_printf(j->a, "{0x%llx}", (unsigned long long)c->expected);
}

/* A zero in place of a subnormal? */
static int is_flushed(const struct comparison *c, uint64_t got)
{
    const struct float_format *f = &float_formats[c->fmt];
    return c->is_exact && c->is_float && format_is_zero(f, got) &&
           format_is_subnormal(f, c->expected);
}

/* Is got as close to the permitted set as single precision would bring it? */
static int is_within_single(const struct set *s, uint64_t got)
{
    return arith_ulp_distance(s, got) <= 536870912.0; /* 2^29 double ulps make one of single's */
}

/* The other zero of a float whose sign is no violation, seen as an integer: by its bits it was stored. */
static int is_zero_bits(const struct comparison *c, const struct observed *o)
{
    uint64_t const sign = o->n_bits > 0 ? UINT64_C(1) << (o->n_bits - 1) : 0;
    return c->grade_zero > GRADE_VIOLATION && (c->expected ^ o->got) == sign &&
           (c->expected & ~sign) == 0;
}

/* What the difference of a value that is not permitted is called, and its grade. May write clause_out:
 * the clause that the grade comes from. */
static enum verdict_kind classify(const struct judge *j, const struct observed *o,
                                  struct comparison *c, enum grade *grade)
{
    const struct mod_inst *in = o->in;
    uint64_t const got = o->got;
    const struct float_format *f = &float_formats[c->fmt];
    *grade = c->grade;
    if (c->is_float && in->op == SpvOpAtomicFAddEXT && !o->inv && o->e->knows_original &&
        got == o->e->original && !format_is_nan(f, got) &&
        !(c->permitted.flags & (SET_QNAN | SET_SNAN))) {
        return VERDICT_ATOMICITY; /* as if the sum had never been stored */
    }
    if (c->sum && reduction_is_zero_seed(&c->sum->terms, got)) {
        *grade = *grade > GRADE_DIVERGENCE ? *grade : GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_GROUP_ZERO_SEED;
        return VERDICT_ZERO_SIGN;
    }
    if (c->sum && *grade == GRADE_VIOLATION && reduction_is_wider(&c->sum->terms, got)) {
        *grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_GROUP_METHOD;
        return VERDICT_ULP;
    }
    if ((c->mask && group_kind_of(in->op) != GROUP_NONE) || in->op == SpvOpGroupNonUniformElect) {
        return VERDICT_MASK;
    }
    if (!c->is_float && is_zero_bits(c, o)) {
        *grade = c->grade_zero > c->grade ? c->grade_zero : c->grade;
        return VERDICT_ZERO_SIGN;
    }
    if (!c->is_float) {
        return in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicXor ? VERDICT_ATOMICITY
                                                                     : VERDICT_ULP;
    }
    int const is_other_zero = format_is_zero(f, got) && set_has(&c->permitted, got ^ f->sign);
    if (!is_other_zero && (format_is_nan(f, got) || (c->permitted.flags & (SET_QNAN | SET_SNAN)))) {
        return VERDICT_NAN_RULE;
    }
    int const is_group = group_kind_of(in->op) != GROUP_NONE;
    int const is_move = group_kind_of(in->op) == GROUP_MOVE;
    int const is_copy = (in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicExchange) ||
                        in->op == SpvOpSelect || in->op == SpvOpLoad;
    if (format_is_zero(f, got)) {
        if (is_other_zero) {
            *grade = c->grade_zero > c->grade ? c->grade_zero : c->grade;
            return VERDICT_ZERO_SIGN;
        }
        /* B2, B3: no clause either way for a flush by a load, a store or an exchange */
        int const may_flush = j->tc->env == ENV_CL ? is_copy : !j->m.modes.denorm_preserve[c->fmt];
        if (is_move && j->tc->env == ENV_CL && c->permitted.n == 1 &&
            format_is_subnormal(f, c->expected) && *grade == GRADE_VIOLATION) {
            *grade = GRADE_DIVERGENCE;
            c->clause_out = CLAUSE_GROUP_EXCHANGE_FLUSH;
        } else if (may_flush && !is_group && c->permitted.n == 1 &&
                   format_is_subnormal(f, c->expected) && in->op >= SpvOpAtomicLoad &&
                   *grade == GRADE_VIOLATION) {
            *grade = GRADE_DIVERGENCE;
            c->clause_out = CLAUSE_DENORM_DEFAULT;
        }
    }
    if (is_copy) {
        return VERDICT_ATOMICITY;
    }
    if (is_move) {
        return VERDICT_ULP;
    }
    if (j->tc->env == ENV_VK && c->fmt == FMT_F64 && !is_group &&
        is_within_single(&c->permitted, got) && *grade == GRADE_VIOLATION) {
        *grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_FADD_F64;
    }
    return VERDICT_ULP;
}

static void report_value(struct judge *j, const struct observed *o, unsigned n_bits,
                         struct comparison *c)
{
    const struct mod_inst *in = o->in;
    const struct invocation *inv = o->inv;
    const struct event *e = o->e;
    uint64_t const got = o->got;
    const struct event *before = e && inv ? blame_find_before(j, e) : NULL;
    enum grade grade;
    enum verdict_kind const kind = classify(j, o, c, &grade);
    int const is_small = kind == VERDICT_ZERO_SIGN || is_flushed(c, got);
    if (grade == GRADE_VIOLATION && blame_is_hole(j, in, before, c->seen, is_small)) {
        grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_HOLE_CL_FLOAT;
    }
    struct finding *f =
        grade == GRADE_UNDEFINED
            ? NULL
            : judge_finding(j, kind, grade == GRADE_VIOLATION ? c->clause : c->clause_out, grade);
    if (!f) {
        return;
    }
    f->op = op_find_number(in->op);
    f->offset = in->offset;
    int const is_on_floats = c->is_float || c->is_truth;
    f->type = val_type_of(is_on_floats, c->is_truth ? float_formats[c->fmt].n_bits : n_bits);
    f->storage = storage_of(j, o);
    f->invocation = inv ? inv->global_index : e ? e->invocation : 0;
    f->has_got = 1;
    f->got = got;
    if (before) { /* the operation before may have left the wrong value */
        f->offset2 = j->m.code[before->code].offset;
        f->op2 = op_find_number(j->m.code[before->code].op);
    }
    if (c->shown_by) {
        f->offset2 = c->shown_by->offset;
        f->op2 = op_find_number(c->shown_by->op);
    }
    if (before && before->op == MO_LOAD && is_changed_by_load(before, c, got)) {
        name_load(f, grade);
    }
    struct value_note note = {.text = ""};
    if (inv && value_explain(&j->x, &j->rules, inv, in, c->component, got, j->a, &note)) {
        f->n_operands = note.n_operands;
        memcpy(f->operand, note.operand, sizeof f->operand);
        f->clause = grade == GRADE_VIOLATION ? note.clause : f->clause;
    } else {
        take_operands(j, o, c->component, f);
    }
    f->operand_class = judge_classes(j, is_on_floats, c->fmt, f->operand, f->n_operands);
    f->circumstances = circumstances_of(
        j, in, inv, c->is_float && !c->is_exact && !c->anything ? &c->permitted : NULL, got);
    f->permitted = permitted_text(j, c);
    f->expect = c->expect;
    f->text = arena_printf(j->a, "invocation %u: %s gave 0x%llx, permitted is %s", f->invocation,
                           f->op >= 0 ? op_rows[f->op].name : "a copied value",
                           (unsigned long long)got, f->permitted);
    if (c->shown_by && f->op2 >= 0 && f->op >= 0) {
        f->text =
            arena_printf(j->a,
                         "invocation %u: %s gave 0x%llx, permitted is %s: what %s gave before a "
                         "barrier is another value after it",
                         f->invocation, op_rows[f->op2].name, (unsigned long long)got, f->permitted,
                         op_rows[f->op].name);
    }
    if (note.text[0]) {
        f->text = arena_printf(j->a, "%s; %s", f->text, note.text);
    }
    const char *others = inv ? judge_group_operands(j, in, inv) : "";
    if (others[0]) {
        f->text = arena_printf(j->a, "%s; operands by id:%s", f->text, others);
    }
}

static void set_type(const struct judge *j, const struct observed *o, unsigned number,
                     struct comparison *c, unsigned *n_bits)
{
    if (o->e) {
        const struct cell *cell = &j->cells[o->e->cell];
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
    uint32_t const type = o->in->op == SpvOpStore ? j->m.ids[o->in->w[2]].type : o->in->type;
    int const fmt = module_get_format(&j->m, type);
    c->is_float = fmt >= 0;
    c->fmt = (enum fmt_id)(fmt < 0 ? 0 : fmt);
    *n_bits = j->m.ids[type].t.bits;
}

/* Type that an instruction is counted under: of a group instruction that of its value. */
static enum val_type covered_type(const struct judge *j, const struct observed *o,
                                  const struct comparison *c, unsigned n_bits)
{
    uint32_t const word = static_group_value(o->in);
    uint32_t const id = word && word < o->in->n && o->in->w[word] < j->m.n_ids ? o->in->w[word] : 0;
    if (!id) {
        return val_type_of(c->is_float, n_bits);
    }
    uint32_t const type = j->m.ids[id].type;
    return val_type_of(module_get_format(&j->m, type) >= 0, j->m.ids[type].t.bits);
}

static void count_value(struct judge *j, const struct observed *o, const struct comparison *c,
                        unsigned n_bits)
{
    if (c->is_unjudged && group_kind_of(o->in->op) == GROUP_NONE) {
        return;
    }
    uint64_t const count = c->anything   ? UINT64_MAX
                           : c->n_usual  ? c->n_usual
                           : c->is_float ? set_count(&c->permitted)
                                         : 1;
    struct coverage *row =
        judge_coverage(j, o->in->op, covered_type(j, o, c, n_bits), storage_of(j, o));
    uint32_t const sharp = count <= SHARP_COUNT, anything = c->anything != 0;
    j->out->n_judged++;
    j->out->n_sharp += sharp;
    j->out->n_anything += anything;
    j->out->n_tight += !c->is_loose;
    j->out->n_tight_sharp += !c->is_loose && sharp;
    j->out->n_bounded += c->is_bounded && !anything;
    j->out->n_reductions_bounded += c->is_bounded && !anything;
    if (!row) {
        return;
    }
    row->n++;
    row->n_sharp += sharp;
    row->n_anything += anything;
    row->n_divergent += !c->ok;
    row->n_bounded += c->is_bounded && !anything;
    if (count > 1 || c->grade != GRADE_VIOLATION) {
        uint64_t const key[3] = {o->in->offset, o->inv ? o->inv->global_index : 0, o->got};
        j->out->cross_hash[row->op] += hash_bytes(1, key, sizeof key) | 1;
    }
    if (j->map) {
        struct feature_seen const seen = {.row = row,
                                          .fmt = c->is_float ? (int)c->fmt : -1,
                                          .component = c->component,
                                          .outcome =
                                              !c->ok ? c->grade ? FEATURE_DIVERGENT : FEATURE_WRONG
                                              : anything      ? FEATURE_ANYTHING
                                              : c->is_bounded ? FEATURE_BOUNDED
                                              : sharp         ? FEATURE_SHARP
                                                              : FEATURE_LOOSE,
                                          .loose = c->is_loose && !anything ? &c->permitted : NULL,
                                          .sum = c->sum};
        feature_see(j, o, &seen);
    }
}

/* A decoration that no encoding meets here: told once for each instruction, and a few in all, so
 * that what breaks a rule finds room. */
static void report_unsatisfiable(struct judge *j, const struct observed *o,
                                 const struct comparison *c)
{
    enum {
        MAX_TOLD = 4
    };
    const struct mod_id *id = &j->m.ids[o->in->result];
    uint32_t n_told = 0;
    struct value_note note;
    if (!(id->flags & ID_MAX_ERROR) || id->max_error >= MAX_ERROR_HALF || !o->inv) {
        return;
    }
    for (uint32_t i = 0; i < j->out->n_findings; i++) {
        const struct finding *f = &j->out->findings[i];
        int const is_one = f->clause == CLAUSE_MAX_ERROR_UNSATISFIABLE;
        if (is_one && (f->offset == o->in->offset || ++n_told == MAX_TOLD)) {
            return;
        }
    }
    if (!value_explain(&j->x, &j->rules, o->inv, o->in, c->component, o->got, j->a, &note) ||
        !note.is_unsatisfiable) {
        return;
    }
    struct finding *f =
        judge_finding(j, VERDICT_DIVERGENCE, CLAUSE_MAX_ERROR_UNSATISFIABLE, GRADE_DIVERGENCE);
    if (f) {
        f->op = op_find_number(o->in->op);
        f->offset = o->in->offset;
        f->type = val_type_of(1, float_formats[c->fmt].n_bits);
        f->invocation = o->inv->global_index;
        f->has_got = 1;
        f->got = o->got;
        f->n_operands = note.n_operands;
        memcpy(f->operand, note.operand, sizeof f->operand);
        f->operand_class = judge_classes(j, 1, c->fmt, f->operand, f->n_operands);
        f->permitted = permitted_text(j, c);
        f->text = arena_printf(j->a, "invocation %u: 0x%llx is the nearest there is; %s",
                               f->invocation, (unsigned long long)f->got, note.text);
    }
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
    c->clause_out = c->freedom == EXPRESSION_LOOSE ? CLAUSE_OPTION_LOOSE
                    : j->tc->env == ENV_VK         ? CLAUSE_ARITH_REASSOC
                                                   : CLAUSE_ARITH_CONTRACT;
}

void judge_value(struct judge *j, const struct observed *seen, struct val v)
{
    struct comparison c = {0};
    unsigned n_bits;
    struct observed const named = blame_find_origin(j, seen, v, &c.component);
    const struct observed *o = &named;
    c.seen = named.e;
    set_type(j, o, v.abs ? j->x.pool[v.abs].number : 0, &c, &n_bits);
    compare(j, v, o->got, value_get_binding(o->in->op), &c);
    explain(j, v, o->got, &c);
    count_value(j, o, &c, n_bits);
    /* only a value that is undefined need not be stored */
    c.expect = c.ok ? NULL : get_expect(j, o, &c);
    if (!c.ok && o->is_untouched && o->inv && c.grade != GRADE_UNDEFINED) {
        report_lost_store(j, o, &c);
    } else if (!c.ok) {
        struct observed moved;
        uint64_t truth;
        if (blame_condition(j, o, c.component, &moved, &truth)) {
            uint32_t const type = j->m.ids[moved.in->w[3]].type;
            o = &moved;
            c = (struct comparison){.is_truth = 1,
                                    .fmt = (enum fmt_id)module_get_format(&j->m, type),
                                    .expected = truth,
                                    .component = c.component,
                                    .grade = c.grade,
                                    .clause = CLAUSE_COMPARE,
                                    .clause_out = c.clause_out,
                                    .expect = c.expect};
        } else if (blame_barrier(j, o, c.component, &moved)) {
            c.shown_by = o->in;
            o = &moved;
            c.clause = value_get_binding(o->in->op);
        } else if (blame_before_load(j, o, c.is_float ? (int)c.fmt : -1, c.expected, &moved)) {
            o = &moved;
            c.clause = value_get_binding(o->in->op);
        }
        report_value(j, o, n_bits, &c);
    } else if (c.differs) {
        report_difference(j, o, &c);
    } else if (c.is_float && !c.anything) {
        report_unsatisfiable(j, o, &c);
    }
}

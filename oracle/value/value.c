/* oracle/value/value.c -- float instructions on values that may be sets: the permitted results. */
#include "oracle/value/value.h"

#include <string.h>

#include "base/format.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_memory.h"
#include "oracle/interp/module.h"
#include "oracle/math/rules.h"
#include "oracle/num/arith.h"
#include "oracle/num/minmax.h"
#include "oracle/num/set.h"
#include "oracle/value/expression.h"
#include "oracle/value/value_compare.h"
#include "oracle/value/value_convert.h"
#include "oracle/value/value_dot.h"
#include "oracle/value/value_fuse.h"
#include "oracle/value/value_math.h"
#include "oracle/value/value_shape.h"
#include "oracle/value/value_to_int.h"
#include "oracle/value/value_within.h"

/* min and max over every pair of members, or anything when there are too many. */
static int apply_minmax(int is_max, enum fmt_id fmt, const struct rules *r,
                        const struct operands *operands, struct set *out)
{
    uint64_t const n0 = value_count_members(operands->set[0]),
                   n1 = value_count_members(operands->set[1]);
    set_clear(out, fmt);
    if (n0 > VALUE_MAX_ENUMERATED || n1 > VALUE_MAX_ENUMERATED) {
        return 0;
    }
    for (uint64_t i = 0; i < n0; i++) {
        for (uint64_t j = 0; j < n1; j++) {
            struct set one;
            minmax_permitted(is_max, fmt, set_nth(operands->set[0], i),
                             set_nth(operands->set[1], j), &r->fp, &one);
            set_add_set(out, &one);
        }
    }
    return 1;
}

/* Computes what an atomic add, min or max (op) of `operand` may leave in memory that held `original`, in format
 * fmt under rules r: the sum of two sets, or the minimum or maximum of two values or of each pair of members. The
 * result is anything if an operand may be anything or has too many members for pairs. */
struct val value_atomic(struct exec *x, uint32_t op, enum fmt_id fmt, const struct rules *r,
                        struct val original, struct val operand)
{
    struct val const args[2] = {original, operand};
    struct operands operands = {.mildest = GRADE_VIOLATION};
    bool const is_bfloat_sum = fmt == FMT_BF16 && op == SpvOpAtomicFAddEXT;
    enum clause_id const clause = is_bfloat_sum ? CLAUSE_FADD_BF16 : value_get_clause(op);
    bool const is_max = op == SpvOpAtomicFMaxEXT;
    uint64_t a, b;
    struct set out;
    if (!value_take_operands(x, args, 2, fmt, &operands)) {
        return value_anything(x, clause);
    }
    if (op == SpvOpAtomicFAddEXT) {
        set_clear(&out, fmt);
        arith_apply(ARITH_ADD, operands.set, &r->fp, 0.0, &out);
    } else if (exec_known(x, original, &a) && exec_known(x, operand, &b)) {
        minmax_permitted(is_max, fmt, a, b, &r->fp, &out); /* tells signalling from quiet NaNs */
    } else if (!apply_minmax(is_max, fmt, r, &operands, &out)) {
        return value_anything(x, clause);
    }
    struct rules inherited = *r; /* the result is at most as certain as its operands */
    inherited.freedom = expression_find_freedom(x, r->freedom, args, ARRAY_N(args));
    value_inherit_grade(&inherited, &operands);
    return value_from_set(x, &out, &inherited, clause, operands.special, operands.mildest);
}

/* Does the divisor y lie where the environment bounds a quotient at all? In Vulkan that is from 2^-top to
 * 2^top, and at zero, which has rules of its own. */
static int has_div_bound(const struct ruleset *rs, const struct set *y)
{
    if (rs->env != ENV_VK) {
        return 1;
    }
    const struct float_format *f = &float_formats[y->fmt];
    int const top = y->fmt == FMT_F16 ? 14 : 126; /* f64 follows f32's row */
    for (int i = 0; i < y->n; i++) {
        /* the magnitudes of both ends of the range */
        uint64_t const lo = format_from_key(f, y->r[i].lo) & ~f->sign;
        uint64_t const hi = format_from_key(f, y->r[i].hi) & ~f->sign;
        uint64_t const small = (uint64_t)(f->emax - top) << (f->prec_bits - 1);
        uint64_t const large = (uint64_t)(f->emax + top) << (f->prec_bits - 1);
        if ((lo && (lo < small || lo > large)) || (hi && (hi < small || hi > large))) {
            return 0;
        }
    }
    return 1;
}

static enum arith_op arith_op_of(uint32_t op)
{
    switch (op) {
    case SpvOpFAdd:
        return ARITH_ADD;
    case SpvOpFSub:
        return ARITH_SUB;
    case SpvOpFDiv:
        return ARITH_DIV;
    default: /* FMul, VectorTimesScalar */
        return ARITH_MUL;
    }
}

/* What a quotient by zero is, if the divisor may be one: graded in r, and *clause rules it. */
static void grade_division(const struct value_site *site, const struct set *divisor,
                           struct rules *r, enum clause_id *clause)
{
    if (!set_has(divisor, 0) && !set_has(divisor, float_formats[site->fmt].sign)) {
        return;
    }
    if (site->rs->env == ENV_VK) {
        r->outside = GRADE_DIVERGENCE;
        r->outside_clause = CLAUSE_DIV_ZERO;
    } else if (set_is_zero(divisor)) {
        *clause = CLAUSE_DIV_BY_ZERO;
        if (ruleset_has(site->rs, EFFECT_REARRANGE, RULE_DIVIDE, site->fmt)) {
            r->outside = GRADE_DIVERGENCE; /* what IEEE 754 says may be violated */
            r->outside_clause = CLAUSE_OPTION_EDGE;
        }
    }
}

/* A quotient, within the device's bound in ulps (0: correctly rounded). Anything where Vulkan has no bound
 * for the divisor. A division by zero has a clause of its own, with which the value is named. r: the rules
 * of the instruction. The value is loose, its set large, if the bound is or an operand's was. */
static struct val apply_division(const struct value_site *site, const struct operands *operands,
                                 struct rules r)
{
    struct exec *x = site->x;
    const struct set *divisor = operands->set[1];
    double const bound_ulp = site->rs->div_bound_ulp[site->fmt];
    enum clause_id clause = value_get_clause(site->in->op);
    struct set out;
    grade_division(site, divisor, &r, &clause);
    value_inherit_grade(&r, operands);
    if (!has_div_bound(site->rs, divisor)) {
        return value_loosen(x, value_anything(x, clause), 1);
    }
    set_clear(&out, site->fmt);
    arith_apply(ARITH_DIV, operands->set, &r.fp, bound_ulp, &out);
    struct val const v =
        value_loosen(x, value_from_set(x, &out, &r, clause, operands->special, operands->mildest),
                     operands->is_loose || bound_ulp > VALUE_TIGHT_ULP);
    return clause == CLAUSE_DIV_BY_ZERO ? value_name(site, v, clause) : v;
}

/* Computes an addition, subtraction, multiplication or division of sets. (1) The operands become sets; the result
 * may be anything if one of them may. (2) The freedom of the result tells what may explain a value outside of its
 * set: evaluation together with the instructions that made its operands. A NaN or infinity may also vanish by
 * rearranging this instruction alone, as in x - x, and a quotient may be x * (1 / y). (3) The grade of a value
 * outside is no violation where that of an operand is none. (4) The set of the result is computed; with
 * contraction a sum also includes what one rounding gives if either operand is a product. (5) The value is marked
 * loose if an operand depends on a loose bound. */
static struct val apply_arithmetic(const struct value_site *site)
{
    struct exec *x = site->x;
    const struct mod_inst *in = site->in;
    enum arith_op const op = arith_op_of(in->op);
    enum clause_id const clause = value_get_clause(in->op);
    struct rules r =
        ruleset_get(site->rs, rules_find_class(in->op), site->fmt, &x->m->ids[in->result]);
    struct val const operand[2] = {value_part(site, in->w[MOD_OPERAND]),
                                   value_part(site, in->w[MOD_OPERAND + 1])};
    struct operands operands = {.mildest = GRADE_VIOLATION};
    if (!value_take_operands(x, operand, 2, site->fmt, &operands)) {
        return value_anything(x, clause);
    }
    unsigned const own = r.freedom; /* that of the instruction, without its operands */
    unsigned const alone = operands.special || op == ARITH_DIV ? own & EXPRESSION_REARRANGE : 0;
    r.freedom = expression_find_freedom(x, own, operand, ARRAY_N(operand)) | alone;
    if (op == ARITH_DIV) {
        return apply_division(site, &operands, r);
    }
    value_inherit_grade(&r, &operands);
    struct set out;
    set_clear(&out, site->fmt);
    arith_apply(op, operands.set, &r.fp, 0.0, &out);
    if ((own & EXPRESSION_CONTRACT) && (op == ARITH_ADD || op == ARITH_SUB)) {
        static const struct func_bound rounded = {.ulp = 0}; /* correctly */
        value_add_fused(site, &r, 0, &rounded, &out); /* 0, 1: which operand is the product */
        value_add_fused(site, &r, 1, &rounded, &out);
    }
    struct val const v = value_from_set(x, &out, &r, clause, operands.special, operands.mildest);
    return value_loosen(x, v, operands.is_loose);
}

/* A value that was chosen by a condition outside of which is no violation: nor is the other value. */
static struct val grade_by_condition(struct exec *x, enum fmt_id fmt, struct val chosen,
                                     const struct abstract *condition)
{
    enum grade const grade = (enum grade)condition->grade;
    enum clause_id const clause = (enum clause_id)condition->clause_out;
    struct set s;
    if (chosen.abs) { /* graded already, or observed */
        return chosen;
    }
    set_of(&s, fmt, chosen.bits);
    struct rules const r = {.outside = grade, .outside_clause = clause};
    return value_from_set(x, &s, &r, CLAUSE_SELECT, 0, GRADE_VIOLATION);
}

enum {
    SELECT_CONDITION = MOD_OPERAND, /* words of OpSelect */
    SELECT_TRUE,
    SELECT_FALSE
};

/* Component site->c of OpSelect: the chosen operand as it is. Anything if the condition is not known, unless a
 * single value is permitted of it, outside of which is no violation: then the choice is graded like the condition. */
static struct val apply_select(const struct value_site *site)
{
    struct exec *x = site->x;
    const struct mod_inst *in = site->in;
    enum fmt_id const fmt = site->fmt;
    uint64_t cond;
    struct val const condition = value_part(site, in->w[SELECT_CONDITION]);
    const struct abstract *b = exec_get_abstract(x, condition);
    bool const is_known = exec_known(x, condition, &cond) != 0;
    if (!is_known && !(b && abstract_is_one(b))) {
        return value_anything(x, CLAUSE_SELECT);
    }
    struct rules const r = ruleset_get(site->rs, RULE_MOVE, fmt, &x->m->ids[in->result]);
    struct val const chosen = value_copy(
        x, fmt, &r, value_part(site, in->w[cond ? SELECT_TRUE : SELECT_FALSE]), CLAUSE_SELECT);
    struct val const v = is_known ? chosen : grade_by_condition(x, fmt, chosen, b);
    return value_propagates(x->m, in) ? value_within(x, site->rs, in, site->c, v) : v;
}

/* Is it a comparison of floats by an order? */
static bool is_relation(uint32_t op)
{
    return op >= SpvOpFOrdEqual && op <= SpvOpFUnordGreaterThanEqual;
}

/* Returns how many operands a float instruction of the core has; 0: it is not one that is interpreted here. */
static uint32_t count_operands(uint32_t op)
{
    switch (op) {
    case SpvOpFNegate:
    case SpvOpFConvert:
    case SpvOpConvertSToF:
    case SpvOpConvertUToF:
    case SpvOpConvertFToS:
    case SpvOpConvertFToU:
        return 1;
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFDiv:
    case SpvOpVectorTimesScalar:
        return 2;
    case SpvOpSelect:
        return 3;
    default:
        if (rules_is_test(op)) {
            /* tests of one value, OpIsNan and others, come first */
            return op < SpvOpLessOrGreater ? 1 : 2;
        }
        return is_relation(op) ? 2 : 0;
    }
}

/* Are the operands of the types that the instruction, with n operands, takes? A broken module may have
 * others. */
static int has_right_types(const struct exec *x, const struct mod_inst *in, uint32_t n)
{
    uint32_t const first = in->w[MOD_OPERAND];
    uint32_t const second = n > 1 ? in->w[MOD_OPERAND + 1] : 0;
    if (in->op == SpvOpSelect) {
        return exec_has_type(x, in->w[SELECT_TRUE], in->type) &&
               exec_has_type(x, in->w[SELECT_FALSE], in->type);
    }
    if (is_relation(in->op) || rules_is_test(in->op)) {
        return n == 1 || exec_has_type(x, second, x->m->ids[first].type);
    }
    if (in->op == SpvOpVectorTimesScalar) {
        return exec_has_type(x, first, in->type) &&
               x->m->ids[second].type == x->m->ids[in->type].t.elem;
    }
    if (n == 2) {
        return exec_has_type(x, first, in->type) && exec_has_type(x, second, in->type);
    }
    return in->op != SpvOpFNegate || exec_has_type(x, first, in->type);
}

/* Has the instruction as many operands as it takes, each with as many components as the result? A
 * condition of OpSelect and the scalar of OpVectorTimesScalar may be one for all components. And do the
 * types fit? */
static int is_well_formed(const struct exec *x, const struct mod_inst *in)
{
    uint32_t const n = count_operands(in->op);
    uint32_t const n_parts = x->m->ids[in->result].n_slots;
    if (n == 0 || in->n != MOD_OPERAND + n) {
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const id = in->w[MOD_OPERAND + i];
        uint32_t const n_slots = id < x->m->n_ids ? x->m->ids[id].n_slots : 0;
        int const is_shared =
            (in->op == SpvOpSelect && i == 0) || (in->op == SpvOpVectorTimesScalar && i == 1);
        if (n_slots != n_parts && !(n_slots == 1 && is_shared)) {
            return 0;
        }
    }
    return has_right_types(x, in, n);
}

/* Component site->c of an instruction that is plain: none of value_math's. One that is well formed (is_plain)
 * and not listed here is a comparison. */
static struct val apply_plain(const struct value_site *site)
{
    switch (site->in->op) {
    case SpvOpConvertFToS:
    case SpvOpConvertFToU:
        return value_to_int(site);
    case SpvOpSelect:
        return apply_select(site);
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFDiv:
    case SpvOpVectorTimesScalar:
        return apply_arithmetic(site);
    case SpvOpFNegate:
    case SpvOpFConvert:
    case SpvOpConvertSToF:
    case SpvOpConvertUToF:
        return value_convert(site);
    default:
        return value_compare(site);
    }
}

/* Does the instruction give floats? */
static int gives_float(uint32_t op)
{
    return op != SpvOpConvertFToS && op != SpvOpConvertFToU && !is_relation(op) &&
           !rules_is_test(op);
}

/* Is it one of apply_plain, with the operands and the result that it must have? */
static bool is_plain(const struct exec *x, const struct mod_inst *in)
{
    bool const has_type = module_get_format(x->m, in->type) >= 0 || !gives_float(in->op);
    return is_well_formed(x, in) && has_type;
}

int value_component(const struct value_site *site, struct val *out)
{
    struct val through;
    if (value_is_math(site->x, site->in)) {
        return value_math(site, out, &through);
    }
    *out = apply_plain(site);
    return site->x->stop == NULL;
}

/* Scalars that component site->c of the result is made of: of whole vectors all, else of each operand one. */
static uint32_t gather_operands(const struct value_site *site, struct val *out, uint32_t n_max)
{
    bool const is_whole = value_is_whole(site->in->op);
    uint32_t n = 0;
    for (uint32_t i = value_first_operand(site->in->op); i < site->in->n; i++) {
        const struct mod_id *id = &site->x->m->ids[site->in->w[i]];
        const struct val *from = exec_reg(site->x, site->inv, site->in->w[i]);
        uint32_t const n_parts = is_whole ? id->n_slots : 1;
        for (uint32_t c = 0; c < n_parts && n < n_max; c++) {
            out[n++] = is_whole ? from[c] : from[id->n_slots == 1 ? 0 : site->c];
        }
    }
    return n;
}

/* Records for each component which instruction made it from which operands, so that a value observed outside of
 * its permitted set can be compared with all that the whole expression may give. Only float results are part of an
 * expression. A component is not recorded if only its own set can explain it: the instruction has no freedom (no
 * other permitted way of evaluation) and its operands have none. */
void value_record(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                  const struct mod_inst *in, struct value_result *r)
{
    struct val arg[VALUE_MAX_OPERANDS * MOD_MAX_COMPONENTS];
    int const fmt = module_get_format(x->m, in->type);
    /* A select propagates its operand with the operand's record. A struct is no float; other instructions extract
     * its members. */
    if (fmt < 0 || in->op == SpvOpSelect || value_has_struct(in->op)) {
        return;
    }
    struct value_site site = {.x = x, .rs = rs, .inv = inv, .in = in, .fmt = (enum fmt_id)fmt};
    struct rules const rules =
        ruleset_get(rs, rules_find_class(in->op), site.fmt, &x->m->ids[in->result]);
    for (site.c = 0; site.c < r->n; site.c++) {
        uint32_t const n = gather_operands(&site, arg, ARRAY_N(arg));
        if (rules.freedom == 0 && expression_find_freedom(x, 0, arg, n) == 0) {
            continue;
        }
        struct expression const made = {.code = (uint32_t)(in - x->m->code),
                                        .component = site.c,
                                        .fmt = (uint8_t)fmt,
                                        .freedom = (uint8_t)rules.freedom,
                                        .n_args = n,
                                        .arg = arg};
        r->v[site.c] = expression_record(x, r->v[site.c], &made);
    }
}

/* Every component of the instruction, like value_apply. */
static int apply_components(struct value_site *site, int is_math, struct value_result *out)
{
    if (is_math && value_is_whole(site->in->op)) {
        return value_math_vector(site, out->n, out->v);
    }
    for (site->c = 0; site->c < out->n; site->c++) {
        if (!is_math) {
            out->v[site->c] = apply_plain(site);
            continue;
        }
        struct val through;
        int const done = value_math(site, &out->v[site->c], &through);
        if (done != 1) {
            return done;
        }
        /* There are more only in a struct of two vectors, and no pointer beside it. */
        if (site->c < MOD_MAX_COMPONENTS) {
            out->through[site->c] = through;
        }
    }
    return 1;
}

/* Computes every component of a float instruction, the second result that a mathematical
 * instruction stores through a pointer, and a record of how each component was made. Returns 1
 * with *out filled, 0 where the run cannot continue, and -1 where the instruction is no float
 * instruction that is interpreted, or its operands or pointee do not fit (an invalid module). */
int value_apply(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                const struct mod_inst *in, struct value_result *out)
{
    if (value_is_dot(in->op)) {
        out->n = 1;
        out->n_through = 0;
        return value_dot(x, inv, in, &out->v[0]);
    }
    int const is_math = value_is_math(x, in);
    int const fmt = module_get_format(x->m, in->type);
    struct value_site site = {.x = x, .rs = rs, .inv = inv, .in = in};
    out->n = x->m->ids[in->result].n_slots;
    out->n_through = 0;
    if (out->n == 0 || out->n > ARRAY_N(out->v) || !(is_math || is_plain(x, in))) {
        return -1;
    }
    site.fmt = (enum fmt_id)(fmt < 0 ? 0 : fmt);
    int const done = apply_components(&site, is_math, out);
    if (done != 1) {
        return done;
    }
    uint32_t const pointer = is_math ? value_find_pointer(x, in) : 0;
    if (pointer && !exec_pointer_slots(x, inv, pointer, &out->to, &out->n_through)) {
        return 0;
    }
    /* the second result has as many components as the first */
    if (pointer && out->n_through != out->n) {
        return -1;
    }
    value_record(x, rs, inv, in, out);
    return x->stop == NULL;
}

struct val *value_get_second(const struct mod_inst *in, struct value_result *r, uint32_t *n)
{
    bool const is_in_struct = value_has_struct(in->op);
    *n = is_in_struct ? r->n / 2 : r->n_through;
    return is_in_struct ? &r->v[*n] : r->through;
}

void value_put(const struct exec *x, const struct invocation *inv, const struct mod_inst *in,
               const struct value_result *r)
{
    memcpy(exec_reg(x, inv, in->result), r->v, sizeof r->v[0] * r->n);
    if (r->n_through) {
        memcpy(r->to, r->through, sizeof r->through[0] * r->n_through);
    }
}

/* oracle/value/value_shape.c -- mathematical instructions by their operands; their accuracy and rules. */
#include "oracle/value/value_shape.h"

#include <assert.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/func/func_special.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/math/rules.h"
#include "oracle/value/expression.h"

enum {
    EXTENDED_WORDS = 5 /* before the operands of an OpExtInst: also its set and number */
};

bool value_is_whole(uint32_t op)
{
    return op == SpvOpDot ||
           (op >= OP_NUMBER(OP_SET_opencl_std, 104) && op <= OP_NUMBER(OP_SET_opencl_std, 110)) ||
           (op >= OP_NUMBER(OP_SET_glsl450, 66) && op <= OP_NUMBER(OP_SET_glsl450, 72));
}

bool value_is_extended(uint32_t op)
{
    return op >= OP_NUMBER(OP_SET_opencl_std, 0);
}

bool value_has_struct(uint32_t op) /* ModfStruct, FrexpStruct */
{
    return op == OP_NUMBER(OP_SET_glsl450, 36) || op == OP_NUMBER(OP_SET_glsl450, 52);
}

uint32_t value_first_operand(uint32_t op)
{
    return value_is_extended(op) ? EXTENDED_WORDS : MOD_OPERAND;
}

bool value_gives_integer(uint32_t op) /* the first result: ilogb */
{
    return op == OP_NUMBER(OP_SET_opencl_std, 33);
}

bool value_is_nan(uint32_t op)
{
    return op == OP_NUMBER(OP_SET_opencl_std, 46);
}

static int is_arithmetic(uint32_t op)
{
    return op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul || op == SpvOpFDiv ||
           op == SpvOpFNegate || op == SpvOpVectorTimesScalar;
}

bool value_is_math(const struct exec *x, const struct mod_inst *in)
{
    int const is_decorated = (x->m->ids[in->result].flags & ID_MAX_ERROR) != 0;
    return value_is_extended(in->op) || in->op == SpvOpFRem || in->op == SpvOpFMod ||
           in->op == SPV_OP_FMA_KHR || in->op == SpvOpDot || in->op == SpvOpQuantizeToF16 ||
           (is_decorated && is_arithmetic(in->op));
}

/* Sorts operand `id` into s by its type: a pointer, an integer, or a float of the same format as the
 * others. 0: it is none of these, or one float too many. */
static int take_id(const struct exec *x, uint32_t id, struct value_shape *shape)
{
    const struct mod_type *t = &x->m->ids[x->m->ids[id].type].t;
    int const fmt = module_get_format(x->m, x->m->ids[id].type);
    uint32_t const n = x->m->ids[id].n_slots;
    if (t->kind == TK_POINTER) {
        shape->pointer_id = id;
        return 1;
    }
    if (fmt < 0) {
        shape->int_id = id;
        return t->kind == TK_INT || t->kind == TK_VECTOR;
    }
    if (shape->n_float == VALUE_MAX_OPERANDS || n > ACCURACY_MAX_COMPONENTS ||
        (shape->n_float > 0 && (enum fmt_id)fmt != shape->fmt)) {
        return 0;
    }
    shape->fmt = (enum fmt_id)fmt;
    shape->n_components = shape->n_float == 0 || n > shape->n_components ? n : shape->n_components;
    shape->float_id[shape->n_float++] = id;
    return 1;
}

/* Do the operands fit each other and the result? Floats have the same number of components, except
 * that an instruction on whole vectors takes scalars next to vectors. An integer may be a scalar
 * next to vectors. It has 32 bits, but the NaN code of nan() has the width of the float. */
static int check_shape(const struct exec *x, const struct mod_inst *in,
                       const struct value_shape *shape)
{
    const struct mod_id *ids = x->m->ids;
    uint32_t const n_result = ids[in->result].n_slots;
    uint32_t const n_per_component = value_has_struct(in->op) ? 2 : 1;
    bool const gives_scalar =
        shape->is_whole && n_result == 1; /* as length does, unlike normalize */
    if (n_result != n_per_component * shape->n_components && !gives_scalar) {
        return 0;
    }
    for (uint32_t i = 0; i < shape->n_float; i++) {
        uint32_t const n = ids[shape->float_id[i]].n_slots;
        bool const is_scalar_beside =
            n == 1 && (shape->is_whole || (in->op == SpvOpVectorTimesScalar && i == 1));
        if (n != shape->n_components && !is_scalar_beside) {
            return 0;
        }
    }
    bool const gives_float = !value_gives_integer(in->op) && !value_has_struct(in->op);
    if (gives_float && module_get_format(x->m, in->type) != (int)shape->fmt) {
        return 0;
    }
    if (!shape->int_id) {
        return 1;
    }
    const struct mod_id *integer = &ids[shape->int_id];
    bool const has_width = integer->n_slots == shape->n_components || integer->n_slots == 1;
    return has_width && (ids[integer->type].t.bits == 32 || value_is_nan(in->op));
}

/* Sorts the operands of a mathematical instruction into s by their types and checks that they fit each
 * other and the result. nan has no float but an integer alone: its format is that of the result. 0: they
 * do not fit. */
int value_find_shape(const struct exec *x, const struct mod_inst *in, struct value_shape *shape)
{
    *shape = (struct value_shape){.is_whole = value_is_whole(in->op)};
    if (op_find_number(in->op) < 0) {
        return 0;
    }
    for (uint32_t i = value_first_operand(in->op); i < in->n; i++) {
        uint32_t const id = in->w[i];
        if (id >= x->m->n_ids || x->m->ids[id].n_slots == 0 || !take_id(x, id, shape)) {
            return 0;
        }
    }
    if (value_is_nan(in->op) && shape->int_id) {
        int const fmt = module_get_format(x->m, in->type);
        shape->fmt = (enum fmt_id)(fmt < 0 ? 0 : fmt);
        shape->n_components = x->m->ids[in->result].n_slots;
        return fmt >= 0;
    }
    return shape->n_float > 0 && check_shape(x, in, shape);
}

struct accuracy value_find_accuracy(const struct ruleset *rs, const struct exec *x,
                                    const struct mod_inst *in, const struct value_shape *shape)
{
    const struct mod_id *id = &x->m->ids[in->result];
    struct accuracy_query const q = {
        .env = rs->env,
        .op = in->op,
        .fmt = shape->fmt,
        .full_profile = !rs->is_embedded,
        .relaxed = ruleset_has(rs, EFFECT_RELAXED, RULE_MATH, shape->fmt),
        .rounded_divide = ruleset_has(rs, EFFECT_ROUNDED_DIVIDE, RULE_MATH, FMT_F32),
        .n_components = shape->is_whole ? shape->n_components : 1};
    return id->flags & ID_MAX_ERROR ? accuracy_decorated(&q, id->max_error) : accuracy_get(&q);
}

bool value_is_loose(const struct accuracy *a)
{
    switch (a->kind) {
    case ACCURACY_NONE:
    case ACCURACY_ROUNDED:
    case ACCURACY_EXACT:
        return false;
    case ACCURACY_ULP:
        return a->bound.ulp > VALUE_TIGHT_ULP;
    case ACCURACY_ABSOLUTE:
    case ACCURACY_ANYTHING:
    case ACCURACY_FORMULA:
    case ACCURACY_INHERITED:
        return true;
    }
    assert(0 && "accuracy_kind out of range");
    return true;
}

/* Have real numbers a shorter formula for these operands: is one 0, 1 or -1, or are two alike? FMix is
 * x (1 - a) + y a; where y is 1 and x equals a, it is x (2 - x). AllowTransform permits to compute that, and
 * is assumed where the module says nothing. 0 also where an operand is not known. */
static int is_reducible(const struct value_site *site, const struct value_shape *shape)
{
    const struct float_format *const f = &float_formats[shape->fmt];
    uint64_t const one = (uint64_t)f->emax << (f->prec_bits - 1);
    uint64_t bits[ARRAY_N(shape->float_id)];
    for (uint32_t i = 0; i < shape->n_float; i++) {
        if (!exec_known(site->x, value_part(site, shape->float_id[i]), &bits[i])) {
            return 0;
        }
        int is_simple = format_is_zero(f, bits[i]) || (bits[i] & ~f->sign) == one;
        for (uint32_t k = 0; k < i; k++) {
            is_simple |= bits[k] == bits[i];
        }
        if (is_simple) {
            return 1;
        }
    }
    return 0;
}

/* Is the result prescribed for these operands (of a NaN, a zero and the like), and does a build option say
 * that it need not be? Of a function that is defined by others (fclamp) that is the result for a NaN. false where
 * an operand is not known. */
static bool is_open_edge(const struct value_site *site, const struct value_shape *shape,
                         const struct accuracy *a)
{
    struct func_args args = {.fmt = shape->fmt};
    struct set special;
    uint64_t bits = 0;
    bool has_nan = false;
    if (!ruleset_has(site->rs, EFFECT_NO_EDGE, rules_find_class(site->in->op), shape->fmt) ||
        shape->is_whole ||
        (shape->int_id && !exec_known(site->x, value_part(site, shape->int_id), &bits))) {
        return false;
    }
    args.n = (int32_t)(uint32_t)bits;
    for (uint32_t i = 0; i < shape->n_float; i++) {
        if (!exec_known(site->x, value_part(site, shape->float_id[i]), &args.enc[i])) {
            return false;
        }
        has_nan |= format_is_nan(&float_formats[shape->fmt], args.enc[i]);
    }
    return a->func == FUNC_NONE ? has_nan
                                : func_get_special(a->func, site->rs->env, &args, &special) != 0;
}

/*
 * The freedom of component site->c: the ways (enum expression_freedom) in which an implementation may
 * evaluate it together with other instructions, which may explain a value outside of its set. own: those
 * that the instruction's rules leave. Beside what its operands add, an instruction that is defined by a
 * formula may be rearranged by itself, where its operands make the formula shorter.
 */
static unsigned find_freedom(const struct value_site *site, const struct value_shape *shape,
                             const struct accuracy *a, unsigned own)
{
    unsigned freedom = own & EXPRESSION_LOOSE;
    for (uint32_t i = 0; i < shape->n_float; i++) {
        const struct val *part = exec_reg(site->x, site->inv, shape->float_id[i]);
        uint32_t const n = site->x->m->ids[shape->float_id[i]].n_slots;
        freedom |= shape->is_whole || n == 1
                       ? expression_find_freedom(site->x, own, part, n)
                       : expression_find_freedom(site->x, own, part + site->c, 1);
    }
    if (a->kind == ACCURACY_INHERITED && !shape->is_whole && (own & EXPRESSION_REARRANGE) &&
        is_reducible(site, shape)) {
        freedom |= EXPRESSION_REARRANGE;
    }
    return freedom;
}

/* The rules of the instruction's class, with its freedom. A value outside is a divergence, with the clause
 * that says why, if an option lifts the prescribed result or no table bounds the instruction. */
struct rules value_find_rules(const struct value_site *site, const struct value_shape *shape,
                              const struct accuracy *a)
{
    const struct mod_id *id = &site->x->m->ids[site->in->result];
    struct rules r = ruleset_get(site->rs, rules_find_class(site->in->op), shape->fmt, id);
    r.freedom = find_freedom(site, shape, a, r.freedom);
    if (is_open_edge(site, shape, a)) {
        r.outside = GRADE_DIVERGENCE;
        r.outside_clause = CLAUSE_OPTION_EDGE;
    } else if (a->kind == ACCURACY_NONE || (id->flags & ID_UNBOUNDED)) {
        r.outside = GRADE_DIVERGENCE;
        r.outside_clause = CLAUSE_MATH_NO_ROW;
    }
    return r;
}

uint32_t value_find_pointer(const struct exec *x, const struct mod_inst *in)
{
    struct value_shape shape;
    return value_is_extended(in->op) && value_find_shape(x, in, &shape) ? shape.pointer_id : 0;
}

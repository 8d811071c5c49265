/* oracle/value/value_math.c -- mathematical instructions on values that may be sets. */
#include "oracle/value/value_math.h"

#include "base/format.h"
#include "base/ops.h"
#include "oracle/func/func.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/math/accuracy_permitted.h"
#include "oracle/math/inherit.h"
#include "oracle/math/inherit_program.h"
#include "oracle/math/rules.h"
#include "oracle/num/arith.h"
#include "oracle/num/set.h"
#include "oracle/value/expression.h"
#include "oracle/value/value_fuse.h"
#include "oracle/value/value_shape.h"

enum {
    MAX_COMBINATIONS = 64,    /* of members of up to three operands */
    LITERAL_HALF = 0x3f000000 /* 0.5 in binary32 */
};
enum {
    CL_FRACT = OP_NUMBER(OP_SET_opencl_std, 30),
    CL_MAD = OP_NUMBER(OP_SET_opencl_std, 42),
    CL_CROSS = OP_NUMBER(OP_SET_opencl_std, 104),
    VK_FREXP_STRUCT = OP_NUMBER(OP_SET_glsl450, 52),
    VK_CROSS = OP_NUMBER(OP_SET_glsl450, 68),
    VK_NORMALIZE = OP_NUMBER(OP_SET_glsl450, 69) /* FaceForward, Reflect and Refract follow */
};

static int is_fract(uint32_t op)
{
    return op == CL_FRACT;
}

static int is_mad(uint32_t op)
{
    return op == CL_MAD;
}

static int is_cross(uint32_t op)
{
    return op == CL_CROSS || op == VK_CROSS;
}

/* What the instruction is called with, each operand a set. */
struct call {
    struct operands o;
    uint64_t n[VALUE_MAX_OPERANDS]; /* members of each; 1 for none */
    int32_t integer;
};

/* Takes the operands as sets and counts their members, 1 for an absent operand. Returns 0 where one of them may be
 * anything, the integer is unknown, or there are more than MAX_COMBINATIONS combinations of members. */
static int take_call(const struct value_site *site, const struct value_shape *shape,
                     struct call *call)
{
    uint64_t n = 1, bits = 0;
    *call = (struct call){
        .o = {.mildest = GRADE_VIOLATION},
          .n = { 1, 1, 1}
    };
    struct val operand[VALUE_MAX_OPERANDS];
    for (uint32_t i = 0; i < shape->n_float; i++) {
        operand[i] = value_part(site, shape->float_id[i]);
    }
    if (!value_take_operands(site->x, operand, shape->n_float, shape->fmt, &call->o)) {
        return 0;
    }
    for (uint32_t i = 0; i < shape->n_float; i++) {
        call->n[i] = value_count_members(call->o.set[i]);
        /* too many in one operand are too many in all; the product with the others still fits in n */
        n = call->n[i] > MAX_COMBINATIONS ? UINT32_MAX : n * call->n[i];
    }
    if (shape->int_id && !exec_known(site->x, value_part(site, shape->int_id), &bits)) {
        return 0;
    }
    call->integer = (int32_t)(uint32_t)bits;
    return n <= MAX_COMBINATIONS;
}

/* Arguments of combination k. The very bits of a NaN that is known count: signalling or quiet. */
static struct func_args get_args(const struct value_shape *shape, const struct call *call,
                                 uint64_t k)
{
    struct func_args args = {.fmt = shape->fmt, .n = call->integer};
    for (uint32_t i = 0; i < shape->n_float; i++) {
        args.enc[i] = set_nth(call->o.set[i], k % call->n[i]);
        k /= call->n[i];
    }
    return args;
}

/* Which of an instruction's results: its own, or the second one, through a pointer or in a struct. */
enum part {
    PART_RESULT,
    PART_SECOND
};

static const struct func_bound rounded = {.ulp = 0};

/* mad: what a fused multiply-add may give, or a product and a sum, each rounded. Under a decoration only
 * the first, within its bound. 0: a budget ran out. */
static int permit_mad(const struct value_site *site, const struct accuracy *a,
                      const struct func_args *args, const struct rules *r, struct set *out)
{
    struct set operand[3], product, sum;
    int const is_certain = func_permitted(FUNC_FMA, site->rs->env, args,
                                          a->is_decorated ? &a->bound : &rounded, &r->fp, out);
    if (a->is_decorated) {
        return is_certain;
    }
    for (int i = 0; i < 3; i++) {
        set_of(&operand[i], args->fmt, args->enc[i]);
    }
    const struct set *factors[2] = {&operand[0], &operand[1]}, *terms[2] = {&product, &operand[2]};
    set_clear(&product, args->fmt);
    set_clear(&sum, args->fmt);
    arith_apply(ARITH_MUL, factors, &r->fp, 0.0, &product);
    arith_apply(ARITH_ADD, terms, &r->fp, 0.0, &sum);
    set_add_set(out, &sum);
    return is_certain;
}

/* What is inherited from a formula, and the correct roundings, which no formula can rule out. */
static int permit_inherited(const struct value_site *site, const struct accuracy *a,
                            const struct func_args *args, const struct rules *r, struct set *out)
{
    struct set exact;
    int const is_certain = accuracy_permitted(a, site->rs->env, args, &r->fp, out);
    if (is_certain && a->func != FUNC_NONE &&
        func_permitted(a->func, site->rs->env, args, &rounded, &r->fp, &exact)) {
        set_add_set(out, &exact);
    }
    return is_certain;
}

/* What the function may give of one combination of operands, as result or second result (part). fract's
 * second result is floor; mad, and what is inherited from a formula, have permitted sets of their own. 0:
 * a budget ran out. */
static int permit(const struct value_site *site, const struct accuracy *a,
                  const struct func_args *args, const struct rules *r, enum part part,
                  struct set *out)
{
    if (value_is_nan(site->in->op)) { /* nan(code): every quiet NaN, whatever the code is */
        set_clear(out, args->fmt);
        out->flags = SET_QNAN;
        return 1;
    }
    if (part == PART_SECOND && is_fract(site->in->op)) {
        return func_permitted(FUNC_FLOOR, site->rs->env, args, &rounded, &r->fp, out);
    }
    if (is_mad(site->in->op) && (a->is_decorated || a->kind == ACCURACY_INHERITED)) {
        return permit_mad(site, a, args, r, out);
    }
    if (part == PART_RESULT && a->kind == ACCURACY_INHERITED) {
        return permit_inherited(site, a, args, r, out);
    }
    return part == PART_SECOND ? accuracy_permitted_second(a, site->rs->env, args, &r->fp, out)
                               : accuracy_permitted(a, site->rs->env, args, &r->fp, out);
}

/*
 * OpFRem and OpFMod in OpenCL: no table bounds them, and by S 2.2.3 a remainder is exact. x - y * trunc(x / y)
 * is how OpenCL.std spells its fmod, and Vulkan this instruction: what these steps may give, each within
 * OpenCL's bound of it, is one more reading, outside of which no text is kept.
 */
static int permit_by_steps(const struct value_site *site, const struct accuracy *a,
                           const struct func_args *args, const struct rules *r, struct set *out)
{
    struct accuracy steps = *a;
    steps.kind = ACCURACY_INHERITED;
    steps.formula = a->func == FUNC_FREM ? INHERIT_VK_FREM : INHERIT_VK_FMOD;
    steps.bound = (struct func_bound){.ulp = 0};
    return accuracy_permitted(&steps, site->rs->env, args, &r->fp, out);
}

static bool has_steps(const struct value_site *site, const struct accuracy *a)
{
    return site->rs->env == ENV_CL && a->kind == ACCURACY_NONE &&
           (a->func == FUNC_FREM || a->func == FUNC_FMODULO);
}

/* Gives v an `outer` set where no table has a row for the instruction: the permitted set, and what the steps of
 * its formula give. A value outside of v is then a divergence within the outer set and a violation beyond. Returns
 * v unchanged if an operand is itself doubtful, a budget of precision ran out, or the arena is full. */
static struct val add_steps(const struct value_site *site, const struct value_shape *shape,
                            const struct accuracy *a, const struct rules *r,
                            const struct call *call, struct val v)
{
    struct abstract *const b = v.abs ? &site->x->pool[v.abs] : NULL;
    struct set one, scratch;
    if (!b || !has_steps(site, a) || r->outside_clause != CLAUSE_MATH_NO_ROW ||
        call->o.mildest != GRADE_VIOLATION) {
        return v;
    }
    const struct set *const permitted = value_get_set(site->x, v, shape->fmt, &scratch);
    struct set *const outer =
        permitted ? arena_copy(site->x->a, permitted, sizeof *permitted) : NULL;
    if (!outer) {
        return v;
    }
    for (uint64_t k = 0; k < call->n[0] * call->n[1];
         k++) { /* remainders (has_steps) have two operands */
        struct func_args const args = get_args(shape, call, k);
        if (!permit_by_steps(site, a, &args, r, &one)) {
            return v;
        }
        set_add_set(outer, &one);
    }
    b->outer = outer;
    return v;
}

/* Nothing is known, or a budget ran out. */
static struct val unknown(const struct value_site *site, const struct accuracy *a,
                          bool is_uncertain)
{
    enum clause_id const clause = accuracy_get_clause(a);
    struct val const v =
        value_loosen(site->x, value_name(site, value_anything(site->x, clause), clause), 1);
    if (v.abs) {
        site->x->pool[v.abs].anything.is_uncertain = is_uncertain;
    }
    return v;
}

static struct val from_set(const struct value_site *site, struct set *set, const struct rules *r,
                           const struct accuracy *a, const struct call *call)
{
    enum clause_id const clause = accuracy_get_clause(a);
    set->flags |= set->flags & SET_SNAN ? SET_QNAN : 0; /* any instruction may make it quiet */
    struct val const v = value_from_set(site->x, set, r, clause, call->o.special, call->o.mildest);
    return value_loosen(site->x, value_name(site, v, clause),
                        value_is_loose(a) || call->o.is_loose);
}

/* Computes the float result that `part` names, for all combinations of members of the operands.
 * The result is unknown if there are too many combinations or an operand may be anything, and
 * uncertain if a budget of precision ran out. */
static struct val apply_part(const struct value_site *site, const struct value_shape *shape,
                             const struct accuracy *a, enum part part)
{
    struct call call;
    struct rules r = value_find_rules(site, shape, a);
    struct set out, one;
    if (!take_call(site, shape, &call)) {
        return unknown(site, a, false); /* not uncertain: no budget ran out */
    }
    set_clear(&out, shape->fmt);
    for (uint64_t k = 0; k < call.n[0] * call.n[1] * call.n[2]; k++) {
        struct func_args const args = get_args(shape, &call, k);
        if (!permit(site, a, &args, &r, part, &one)) {
            return unknown(site, a, true);
        }
        set_add_set(&out, &one);
    }
    value_inherit_grade(&r, &call.o);
    /* r.freedom includes the freedom of the operands; only the instruction's own freedom counts here */
    struct rules const own = ruleset_get(site->rs, rules_find_class(site->in->op), shape->fmt,
                                         &site->x->m->ids[site->in->result]);
    if ((own.freedom & EXPRESSION_CONTRACT) &&
        (site->in->op == SpvOpFAdd || site->in->op == SpvOpFSub)) {
        value_add_fused(site, &r, 0, &a->bound, &out); /* 0, 1: which operand is the product */
        value_add_fused(site, &r, 1, &a->bound, &out);
    }
    return add_steps(site, shape, a, &r, &call, from_set(site, &out, &r, a, &call));
}

/* One of several integers. */
static struct val choice(const struct value_site *site, const struct accuracy_int *choices,
                         enum clause_id clause)
{
    struct exec *x = site->x;
    struct val const v = exec_new_abstract(x);
    const struct accuracy_int *kept = arena_copy(x->a, choices, sizeof *choices);
    if (!v.abs || !kept) {
        (void)exec_stop(x, "arena full");
        return v;
    }
    x->pool[v.abs] = (struct abstract){.kind = ABSTRACT_CHOICE,
                                       .choices = kept,
                                       .grade = GRADE_VIOLATION,
                                       .clause = (uint8_t)clause};
    return v;
}

/* An integer result: one value, or one of a few, some bits of which may be free. Unknown if an operand has
 * more than one member, or a NaN or an infinity of which nothing need hold. */
static struct val apply_integer(const struct value_site *site, const struct value_shape *shape,
                                const struct accuracy *a)
{
    struct call call;
    struct accuracy_int allowed;
    struct rules const r = value_find_rules(site, shape, a);
    enum clause_id const clause = accuracy_get_clause(a);
    int const is_known = take_call(site, shape, &call) && call.n[0] * call.n[1] == 1;
    struct func_args const args = is_known ? get_args(shape, &call, 0) : (struct func_args){.n = 0};
    struct val v;
    if (!is_known || !accuracy_permitted_int(a, &args, &r.fp, &allowed) || allowed.is_any ||
        (call.o.special && r.special != GRADE_VIOLATION)) {
        v = unknown(site, a, false);
    } else if (allowed.n == 1 && allowed.mask[0] == UINT32_MAX) {
        v = value_name(site, (struct val){.bits = (uint32_t)allowed.value[0]}, clause);
    } else {
        v = value_name(site, choice(site, &allowed, clause), clause);
    }
    if (v.abs) {
        site->x->pool[v.abs].number = VALUE_INTEGER;
    }
    return v;
}

/* The operands of an instruction on whole vectors, each component a known value, in v; of c only whether
 * one is a NaN or an infinity. 0: one is not known. */
static int take_vectors(const struct value_site *site, const struct value_shape *shape,
                        struct accuracy_operands *v, struct call *call)
{
    *v = (struct accuracy_operands){
        .fmt = shape->fmt, .n_components = shape->n_components, .shared = site->shared};
    *call = (struct call){
        .o = {.mildest = GRADE_VIOLATION},
          .n = { 1, 1, 1}
    };
    for (uint32_t i = 0; i < shape->n_float; i++) {
        const struct val *part = exec_reg(site->x, site->inv, shape->float_id[i]);
        for (uint32_t k = 0; k < site->x->m->ids[shape->float_id[i]].n_slots; k++) {
            if (!exec_known(site->x, part[k], &v->enc[i][k])) {
                return 0;
            }
            call->o.special |= value_is_special(shape->fmt, v->enc[i][k]);
        }
    }
    return 1;
}

/* May a step of the formula overflow, or combine two infinities? The order of the steps
 * is free, so where this is true infinities and NaN may come as well. By exponents: a step is a product of
 * so many operands, of which each may be the largest. */
static int may_overflow(const struct value_site *site, const struct accuracy *a,
                        const struct accuracy_operands *v)
{
    enum {
        N_FACTORS = 4,     /* of two operands in most; refract has them twice */
        ROOM_EXPONENTS = 8 /* for sums of up to 16 terms and constant factors */
    };
    const struct float_format *f = &float_formats[v->fmt];
    int largest = f->emin;
    for (uint32_t i = 0; i < ARRAY_N(v->enc); i++) {
        for (uint32_t k = 0; k < v->n_components; k++) {
            uint64_t const enc = v->enc[i][k];
            if ((enc & ~f->sign) == f->exp) {
                return 1;
            }
            int const exponent = (int)((enc & f->exp) >> (f->prec_bits - 1)) + f->emin - 1;
            largest = exponent > largest && !format_is_nan(f, enc) ? exponent : largest;
        }
    }
    int const factors = site->in->op >= VK_NORMALIZE ? N_FACTORS : 2;
    return a->kind == ACCURACY_INHERITED && factors * largest + ROOM_EXPONENTS > f->emax;
}

/* Computes what the accuracy permits for component site->c of an instruction on whole vectors. Where
 * the accuracy is inherited from a formula, the correct rounding is permitted too, and infinities
 * and NaN where a step may overflow. A zero may have either sign, because no text prescribes one.
 * Returns 0 where a budget of precision ran out. */
static int permit_whole(const struct value_site *site, const struct accuracy *a,
                        struct accuracy_operands *v, const struct rules *r, struct set *out)
{
    const struct float_format *f = &float_formats[v->fmt];
    struct set exact;
    if (is_cross(site->in->op) && a->kind != ACCURACY_FORMULA && site->c < 3) {
        /* component c depends only on the other two: this one and w do not count, even if they are NaNs */
        for (int i = 0; i < 2; i++) {
            v->enc[i][site->c] = v->enc[i][3] = 0;
        }
    }
    int const is_certain = accuracy_permitted_vector(a, site->rs->env, v, site->c, &r->fp, out);
    if (a->kind == ACCURACY_INHERITED && (out->flags & SET_ANY) == 0) {
        /* within half an ulp is correctly rounded */
        struct accuracy const half = accuracy_decorated(&a->query, LITERAL_HALF);
        if (accuracy_permitted_vector(&half, site->rs->env, v, site->c, &r->fp, &exact)) {
            set_add_set(out, &exact);
        }
    }
    if (set_has(out, 0) || set_has(out, f->sign)) {
        set_add_range(out, -1, 0); /* keys of the zeros */
    }
    if (may_overflow(site, a, v)) {
        set_add(out, f->exp);
        set_add(out, f->exp | f->sign);
        out->flags |= SET_QNAN;
    }
    return is_certain;
}

/* Component site->c of an instruction on whole vectors; unknown if a component of an operand is not known,
 * uncertain if a budget ran out. */
static struct val apply_whole(const struct value_site *site, const struct value_shape *shape,
                              const struct accuracy *a)
{
    struct accuracy_operands v;
    struct call call;
    struct set out;
    struct rules const r = value_find_rules(site, shape, a);
    int const is_known = take_vectors(site, shape, &v, &call);
    if (is_cross(site->in->op) && site->c == 3) { /* w is 0.0, whatever the operands are */
        set_of(&out, shape->fmt, 0);
        call.o.special = 0;
        return from_set(site, &out, &r, a, &call);
    }
    if (!is_known || !permit_whole(site, a, &v, &r, &out)) {
        return unknown(site, a, is_known != 0);
    }
    return from_set(site, &out, &r, a, &call);
}

/* Computes component t->c of a mathematical instruction. It is a component of a function of whole
 * vectors, or of a struct of two results, or a result with possibly a second one through a pointer
 * (*through). Each result is a float or an integer. Returns 1 when done, 0 where the run cannot
 * continue, and -1 where the operands do not fit such an instruction. */
int value_math(const struct value_site *site, struct val *out, struct val *through)
{
    struct value_shape shape;
    *through = (struct val){0};
    struct value_site part = *site; /* its format is that of the operands */
    const struct value_site *t = &part;
    if (!value_find_shape(t->x, t->in, &shape)) {
        return -1;
    }
    part.fmt = shape.fmt;
    struct accuracy const a = value_find_accuracy(t->rs, t->x, t->in, &shape);
    if (shape.is_whole) {
        *out = apply_whole(t, &shape, &a);
        return t->x->stop == NULL;
    }
    if (value_has_struct(t->in->op)) {
        /* the first member of the struct has n_components components, followed by those of the second */
        int const is_second = t->c >= shape.n_components;
        part.c -= is_second ? shape.n_components : 0;
        int const is_exponent = is_second && t->in->op == VK_FREXP_STRUCT;
        *out = is_exponent ? apply_integer(&part, &shape, &a)
                           : apply_part(&part, &shape, &a, is_second ? PART_SECOND : PART_RESULT);
        return t->x->stop == NULL;
    }
    *out = value_gives_integer(t->in->op) ? apply_integer(t, &shape, &a)
                                          : apply_part(t, &shape, &a, PART_RESULT);
    if (shape.pointer_id) {
        uint32_t const pointee = t->x->m->ids[t->x->m->ids[shape.pointer_id].type].t.elem;
        int const is_float = module_get_format(t->x->m, pointee) >= 0;
        *through = is_float ? apply_part(t, &shape, &a, PART_SECOND) : apply_integer(t, &shape, &a);
    }
    return t->x->stop == NULL;
}

int value_math_vector(const struct value_site *site, uint32_t n, struct val *out)
{
    struct inherit_shared shared;
    struct value_site t = *site;
    int done = 1;
    inherit_share(&shared);
    t.shared = &shared;
    for (t.c = 0; t.c < n && done == 1; t.c++) {
        struct val through;
        done = value_math(&t, &out[t.c], &through);
    }
    return done;
}

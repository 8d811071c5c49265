/* oracle/value_math.c -- mathematical instructions on values that may be sets. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/ops.h"
#include "oracle/value_parts.h"

enum {
    MAX_COMBINATIONS = 64, /* of members of up to three operands */
    EXTENDED_WORDS = 5,    /* before the operands of an OpExtInst */
    CORE_WORDS = 3,
    MAX_OPERANDS = 3,
    LITERAL_HALF = 0x3f000000 /* 0.5 in binary32 */
};

/* Operands of one instruction, found by their types. */
struct shape {
    uint32_t n_float, float_id[MAX_OPERANDS];
    uint32_t int_id, pointer_id; /* 0: none */
    enum fmt_id fmt;
    uint32_t n_components; /* of the operands */
    int is_whole;          /* on whole vectors */
};

static int is_whole_vector(uint32_t op)
{
    return op == SpvOpDot ||
           (op >= OP_NUMBER(OP_SET_opencl_std, 104) && op <= OP_NUMBER(OP_SET_opencl_std, 110)) ||
           (op >= OP_NUMBER(OP_SET_glsl450, 66) && op <= OP_NUMBER(OP_SET_glsl450, 72));
}

static int is_extended(uint32_t op)
{
    return op >= OP_NUMBER(OP_SET_opencl_std, 0);
}

static int has_struct(uint32_t op) /* ModfStruct, FrexpStruct */
{
    return op == OP_NUMBER(OP_SET_glsl450, 36) || op == OP_NUMBER(OP_SET_glsl450, 52);
}

static int has_integer(uint32_t op) /* the first result: ilogb */
{
    return op == OP_NUMBER(OP_SET_opencl_std, 33);
}

static int is_fract(uint32_t op)
{
    return op == OP_NUMBER(OP_SET_opencl_std, 30);
}

static int is_cross(uint32_t op)
{
    return op == OP_NUMBER(OP_SET_opencl_std, 104) || op == OP_NUMBER(OP_SET_glsl450, 68);
}

static int is_mad(uint32_t op)
{
    return op == OP_NUMBER(OP_SET_opencl_std, 42);
}

static int is_nan(uint32_t op)
{
    return op == OP_NUMBER(OP_SET_opencl_std, 46);
}

static int is_arithmetic(uint32_t op)
{
    return op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul || op == SpvOpFDiv ||
           op == SpvOpFNegate;
}

int value_is_math(const struct exec *x, const struct mod_inst *in)
{
    int const is_decorated = (x->m->ids[in->result].flags & ID_MAX_ERROR) != 0;
    return is_extended(in->op) || in->op == SpvOpFRem || in->op == SpvOpFMod ||
           in->op == SpvOpDot || in->op == SpvOpQuantizeToF16 ||
           (is_decorated && is_arithmetic(in->op));
}

/* One operand by its type; 0: of none that fits. */
static int take_id(const struct exec *x, uint32_t id, struct shape *s)
{
    const struct mod_type *t = &x->m->ids[x->m->ids[id].type].t;
    int const fmt = module_get_format(x->m, x->m->ids[id].type);
    uint32_t const n = x->m->ids[id].n_slots;
    if (t->kind == TK_POINTER) {
        s->pointer_id = id;
        return 1;
    }
    if (fmt < 0) {
        s->int_id = id;
        return t->kind == TK_INT || t->kind == TK_VECTOR;
    }
    if (s->n_float == MAX_OPERANDS || n > ACCURACY_MAX_COMPONENTS ||
        (s->n_float > 0 && (enum fmt_id)fmt != s->fmt)) {
        return 0;
    }
    s->fmt = (enum fmt_id)fmt;
    s->n_components = s->n_float == 0 || n > s->n_components ? n : s->n_components;
    s->float_id[s->n_float++] = id;
    return 1;
}

/* Do the parts fit each other and the result? */
static int check_shape(const struct exec *x, const struct mod_inst *in, const struct shape *s)
{
    uint32_t const n_result = x->m->ids[in->result].n_slots;
    uint32_t const want = s->is_whole         ? n_result
                          : has_struct(in->op) ? 2 * s->n_components
                                               : s->n_components;
    int const fmt = module_get_format(x->m, in->type);
    if (n_result != want || (s->is_whole && n_result != 1 && n_result != s->n_components)) {
        return 0;
    }
    for (uint32_t i = 0; i < s->n_float; i++) {
        uint32_t const n = x->m->ids[s->float_id[i]].n_slots;
        if (n != s->n_components && !(n == 1 && s->is_whole)) {
            return 0;
        }
    }
    uint32_t const n_int = s->int_id ? x->m->ids[s->int_id].n_slots : 0;
    unsigned const int_bits = s->int_id ? x->m->ids[x->m->ids[s->int_id].type].t.bits : 32;
    int const is_right = has_integer(in->op) || has_struct(in->op) || fmt == (int)s->fmt;
    return is_right && (!s->int_id || ((n_int == s->n_components || n_int == 1) &&
                                       (int_bits == 32 || is_nan(in->op))));
}

static int find_shape(const struct exec *x, const struct mod_inst *in, struct shape *s)
{
    uint32_t const first = is_extended(in->op) ? EXTENDED_WORDS : CORE_WORDS;
    *s = (struct shape){.is_whole = is_whole_vector(in->op)};
    if (op_find_number(in->op) < 0) {
        return 0;
    }
    for (uint32_t i = first; i < in->n; i++) {
        uint32_t const id = in->w[i];
        if (id >= x->m->n_ids || x->m->ids[id].n_slots == 0 || !take_id(x, id, s)) {
            return 0;
        }
    }
    if (is_nan(in->op) && s->int_id) {
        int const fmt = module_get_format(x->m, in->type);
        s->fmt = (enum fmt_id)(fmt < 0 ? 0 : fmt);
        s->n_components = x->m->ids[in->result].n_slots;
        return fmt >= 0;
    }
    return s->n_float > 0 && check_shape(x, in, s);
}

static struct accuracy find_accuracy(const struct ruleset *rs, const struct exec *x,
                                     const struct mod_inst *in, const struct shape *s)
{
    const struct mod_id *id = &x->m->ids[in->result];
    struct accuracy_query const q = {.env = rs->env,
                                     .op = in->op,
                                     .fmt = s->fmt,
                                     .full_profile = !rs->is_embedded,
                                     .relaxed = rs->unsafe,
                                     .rounded_divide = rs->rounded_divide,
                                     .n_components = s->is_whole ? s->n_components : 1};
    return id->flags & ID_MAX_ERROR ? accuracy_decorated(&q, id->max_error) : accuracy_get(&q);
}

static int is_loose(const struct accuracy *a)
{
    switch (a->kind) {
    case ACCURACY_NONE:
    case ACCURACY_ROUNDED:
    case ACCURACY_EXACT:
        return 0;
    case ACCURACY_ULP:
        return a->bound.ulp > VALUE_TIGHT_ULP;
    case ACCURACY_ABSOLUTE:
    case ACCURACY_ANYTHING:
    case ACCURACY_FORMULA:
    case ACCURACY_INHERITED:
        return 1;
    }
    assert(0 && "accuracy_kind out of range");
    return 1;
}

/* May what gives this operand be taken together with what uses it, where transforming is allowed? */
static int is_transformable(const struct exec *x, uint32_t id)
{
    uint32_t const def = x->m->ids[id].def;
    uint32_t const op = def == UINT32_MAX ? 0 : x->m->code[def].op;
    return value_is_contractible(x, id) ||
           (def != UINT32_MAX && is_extended(op) && !(x->m->ids[id].flags & ID_NO_CONTRACTION));
}

/* The rules of the instruction, what lies outside of its set graded. */
static struct rules find_rules(const struct value_site *t, const struct shape *s,
                               const struct accuracy *a)
{
    const struct mod_id *id = &t->x->m->ids[t->in->result];
    enum rule_class const class = is_extended(t->in->op) ? RULE_MATH : RULE_ARITH;
    struct rules r = ruleset_get(t->rs, class, s->fmt, id);
    int may_transform = 0;
    for (uint32_t i = 0; i < s->n_float; i++) {
        may_transform |= class == RULE_MATH
                             ? r.may_transform && is_transformable(t->x, s->float_id[i])
                             : r.may_fuse && value_is_contractible(t->x, s->float_id[i]);
    }
    if (may_transform && r.outside == GRADE_VIOLATION) {
        r.outside = GRADE_DIVERGENCE;
        r.outside_clause =
            t->rs->env == ENV_VK ? CLAUSE_ARITH_REASSOC : CLAUSE_ARITH_CONTRACT;
    }
    if (a->kind == ACCURACY_NONE && r.outside == GRADE_VIOLATION) {
        r.outside = GRADE_DIVERGENCE;
        r.outside_clause = CLAUSE_MATH_NO_ROW;
    }
    return r;
}

/* What the instruction is called with, each operand a set. */
struct call {
    struct operands o;
    uint64_t n[MAX_OPERANDS]; /* members of each; 1 for none */
    int32_t integer;
};

/* 0: one of them may be anything, or there are too many combinations. */
static int take_call(const struct value_site *t, const struct shape *s, struct call *c)
{
    uint64_t n = 1, bits = 0;
    *c = (struct call){
        .o = {.worst = GRADE_VIOLATION},
        .n = {1, 1, 1}
    };
    for (uint32_t i = 0; i < s->n_float; i++) {
        if (!value_take_operand(t->x, value_part(t, s->float_id[i]), s->fmt, (int)i, &c->o)) {
            return 0;
        }
        c->n[i] = value_count_members(c->o.set[i]);
        n = c->n[i] > MAX_COMBINATIONS ? UINT32_MAX : n * c->n[i];
    }
    if (s->int_id && !exec_known(t->x, value_part(t, s->int_id), &bits)) {
        return 0;
    }
    c->integer = (int32_t)(uint32_t)bits;
    return n <= MAX_COMBINATIONS;
}

/* Arguments of combination k. The very bits of a NaN that is known count: signalling or quiet. */
static struct func_args get_args(const struct shape *s, const struct call *c, uint64_t k)
{
    struct func_args args = {.fmt = s->fmt, .n = c->integer};
    for (uint32_t i = 0; i < s->n_float; i++) {
        args.enc[i] = set_nth(c->o.set[i], k % c->n[i]);
        k /= c->n[i];
    }
    return args;
}

/* Which of an instruction's results. */
enum part {
    PART_RESULT,
    PART_SECOND
};

static const struct func_bound rounded = {.ulp = 0};

/* mad: a fused multiply-add, or a product and a sum, each rounded. */
static int permit_mad(const struct value_site *t, const struct accuracy *a,
                      const struct func_args *args, const struct rules *r, struct set *out)
{
    struct set operand[3], product, sum;
    int const is_certain =
        func_permitted(FUNC_FMA, t->rs->env, args, a->is_decorated ? &a->bound : &rounded, &r->fp,
                       out);
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
static int permit_inherited(const struct value_site *t, const struct accuracy *a,
                            const struct func_args *args, const struct rules *r, struct set *out)
{
    struct set exact;
    int const is_certain = accuracy_permitted(a, t->rs->env, args, &r->fp, out);
    if (is_certain && a->func != FUNC_NONE &&
        func_permitted(a->func, t->rs->env, args, &rounded, &r->fp, &exact)) {
        set_add_set(out, &exact);
    }
    return is_certain;
}

static int permit(const struct value_site *t, const struct accuracy *a,
                  const struct func_args *args, const struct rules *r, enum part part,
                  struct set *out)
{
    if (is_nan(t->in->op)) {
        set_clear(out, args->fmt);
        out->flags = SET_QNAN;
        return 1;
    }
    if (part == PART_SECOND && is_fract(t->in->op)) {
        return func_permitted(FUNC_FLOOR, t->rs->env, args, &rounded, &r->fp, out);
    }
    if (is_mad(t->in->op) && (a->is_decorated || a->kind == ACCURACY_INHERITED)) {
        return permit_mad(t, a, args, r, out);
    }
    if (part == PART_RESULT && a->kind == ACCURACY_INHERITED) {
        return permit_inherited(t, a, args, r, out);
    }
    return part == PART_SECOND ? accuracy_permitted_second(a, t->rs->env, args, &r->fp, out)
                               : accuracy_permitted(a, t->rs->env, args, &r->fp, out);
}

/* Where a value comes from, so that it can be named and explained. */
static struct val name_value(const struct value_site *t, struct val v, int is_loose_value)
{
    if (v.abs) {
        struct abstract *b = &t->x->pool[v.abs];
        b->code = (uint32_t)(t->in - t->x->m->code) + 1;
        b->component = (uint8_t)t->c;
        b->number = (uint8_t)(t->fmt + 1);
        b->is_loose = (uint8_t)is_loose_value;
    }
    return v;
}

/* Nothing is known, or a budget ran out. */
static struct val unknown(const struct value_site *t, const struct accuracy *a, int is_uncertain)
{
    struct val const v = name_value(t, value_anything(t->x, accuracy_get_clause(a)), 1);
    if (v.abs) {
        t->x->pool[v.abs].is_uncertain = (uint8_t)is_uncertain;
    }
    return v;
}

/* A single value that is known, but named: a load from a variable would hide where it is from. */
static struct val single(const struct value_site *t, uint64_t bits, enum clause_id clause)
{
    struct val const v = exec_new_abstract(t->x);
    if (v.abs) {
        t->x->pool[v.abs] = (struct abstract){
            .bits = bits, .single = 1, .grade = GRADE_VIOLATION, .clause = (uint8_t)clause};
    }
    return v;
}

static struct val from_set(const struct value_site *t, struct set *set, const struct rules *r,
                           const struct accuracy *a, const struct call *c)
{
    enum clause_id const clause = accuracy_get_clause(a);
    set->flags |= set->flags & SET_SNAN ? SET_QNAN : 0; /* any instruction may make it quiet */
    struct val v = value_from_set(t->x, set, r, clause, c->o.special, c->o.worst);
    if (!v.abs) {
        v = single(t, v.bits, clause);
    }
    return name_value(t, v, is_loose(a) || c->o.is_loose);
}

/* One float result of all combinations of the operands. */
static struct val apply_part(const struct value_site *t, const struct shape *s,
                             const struct accuracy *a, enum part part)
{
    struct call c;
    struct rules r = find_rules(t, s, a);
    struct set out, one;
    if (!take_call(t, s, &c)) {
        return unknown(t, a, 0);
    }
    set_clear(&out, s->fmt);
    for (uint64_t k = 0; k < c.n[0] * c.n[1] * c.n[2]; k++) {
        struct func_args const args = get_args(s, &c, k);
        if (!permit(t, a, &args, &r, part, &one)) {
            return unknown(t, a, 1);
        }
        set_add_set(&out, &one);
    }
    value_inherit_grade(&r, &c.o);
    if (r.may_fuse && (t->in->op == SpvOpFAdd || t->in->op == SpvOpFSub)) {
        value_add_fused(t, &r, 0, &a->bound, &out);
        value_add_fused(t, &r, 1, &a->bound, &out);
    }
    return from_set(t, &out, &r, a, &c);
}

/* An integer result: one value, some bits of which may be free. */
static struct val apply_integer(const struct value_site *t, const struct shape *s,
                                const struct accuracy *a)
{
    struct call c;
    struct accuracy_int allowed;
    struct rules const r = find_rules(t, s, a);
    enum clause_id const clause = accuracy_get_clause(a);
    int const is_known = take_call(t, s, &c) && c.n[0] * c.n[1] == 1;
    struct func_args const args = is_known ? get_args(s, &c, 0) : (struct func_args){.n = 0};
    struct val v;
    if (is_known && accuracy_permitted_int(a, &args, &r.fp, &allowed) && !allowed.is_any &&
        allowed.n == 1 && !(c.o.special && r.special != GRADE_VIOLATION)) {
        uint32_t const bits = (uint32_t)allowed.value[0] & allowed.mask;
        v = single(t, bits, clause);
        if (v.abs && allowed.mask != UINT32_MAX) {
            struct abstract *b = &t->x->pool[v.abs];
            b->single = 0;
            b->has_mask = 1;
            b->must = bits;
            b->may = (uint32_t)(bits | ~allowed.mask);
        }
        v = name_value(t, v, 0);
    } else {
        v = unknown(t, a, 0);
    }
    if (v.abs) {
        t->x->pool[v.abs].number = VALUE_INTEGER;
    }
    return v;
}

/* The operands of an instruction on whole vectors; 0: one is not known. */
static int take_vectors(const struct value_site *t, const struct shape *s,
                        struct accuracy_operands *v, struct call *c)
{
    *v = (struct accuracy_operands){.fmt = s->fmt, .n_components = s->n_components};
    *c = (struct call){
        .o = {.worst = GRADE_VIOLATION},
        .n = {1, 1, 1}
    };
    for (uint32_t i = 0; i < s->n_float; i++) {
        const struct val *part = exec_reg(t->x, t->inv, s->float_id[i]);
        for (uint32_t k = 0; k < t->x->m->ids[s->float_id[i]].n_slots; k++) {
            if (!exec_known(t->x, part[k], &v->enc[i][k])) {
                return 0;
            }
            c->o.special |= value_is_special(s->fmt, v->enc[i][k]);
        }
    }
    return 1;
}

/* May a step of the formula overflow, or an infinity meet another one on the way? The order of the steps
 * is free: then infinities and NaN are too. */
static int may_overflow(const struct value_site *t, const struct accuracy *a,
                        const struct accuracy_operands *v)
{
    enum {
        N_FACTORS = 4,    /* of two operands in most; refract has them twice */
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
    int const factors = t->in->op >= OP_NUMBER(OP_SET_glsl450, 69) ? N_FACTORS : 2;
    return a->kind == ACCURACY_INHERITED && factors * largest + ROOM_EXPONENTS > f->emax;
}

/* What the accuracy permits; where it is inherited from a formula also the correct rounding, and for a
 * zero either sign: no text gives it one. */
static int permit_whole(const struct value_site *t, const struct accuracy *a,
                        struct accuracy_operands *v, const struct rules *r, struct set *out)
{
    const struct float_format *f = &float_formats[v->fmt];
    struct set exact;
    if (is_cross(t->in->op) && a->kind != ACCURACY_FORMULA && t->c < 3) {
        for (int i = 0; i < 2; i++) { /* what does not come into this component, special or not */
            v->enc[i][t->c] = v->enc[i][3] = 0;
        }
    }
    int const is_certain = accuracy_permitted_vector(a, t->rs->env, v, t->c, &r->fp, out);
    if (a->kind == ACCURACY_INHERITED) {
        struct accuracy const half = accuracy_decorated(&a->query, LITERAL_HALF);
        if (accuracy_permitted_vector(&half, t->rs->env, v, t->c, &r->fp, &exact)) {
            set_add_set(out, &exact);
        }
    }
    if (set_has(out, 0) || set_has(out, f->sign)) {
        set_add_range(out, -1, 0);
    }
    if (may_overflow(t, a, v)) {
        set_add(out, f->exp);
        set_add(out, f->exp | f->sign);
        out->flags |= SET_QNAN;
    }
    return is_certain;
}

static struct val apply_whole(const struct value_site *t, const struct shape *s,
                              const struct accuracy *a)
{
    struct accuracy_operands v;
    struct call c;
    struct set out;
    struct rules const r = find_rules(t, s, a);
    int const is_known = take_vectors(t, s, &v, &c);
    if (is_cross(t->in->op) && t->c == 3) { /* w is 0.0 */
        set_of(&out, s->fmt, 0);
        return from_set(t, &out, &r, a, &c);
    }
    if (!is_known || !permit_whole(t, a, &v, &r, &out)) {
        return unknown(t, a, is_known);
    }
    return from_set(t, &out, &r, a, &c);
}

int value_math(const struct value_site *site, struct val *out, struct val *through)
{
    struct shape s;
    *through = (struct val){0};
    struct value_site part = *site; /* its format is that of the operands */
    const struct value_site *t = &part;
    if (!find_shape(t->x, t->in, &s)) {
        return -1;
    }
    part.fmt = s.fmt;
    struct accuracy const a = find_accuracy(t->rs, t->x, t->in, &s);
    if (s.is_whole) {
        *out = apply_whole(t, &s, &a);
        return t->x->stop == NULL;
    }
    if (has_struct(t->in->op)) {
        int const is_second = t->c >= s.n_components;
        part.c -= is_second ? s.n_components : 0;
        int const is_exponent = is_second && t->in->op == OP_NUMBER(OP_SET_glsl450, 52);
        *out = is_exponent ? apply_integer(&part, &s, &a)
                           : apply_part(&part, &s, &a, is_second ? PART_SECOND : PART_RESULT);
        return t->x->stop == NULL;
    }
    *out = has_integer(t->in->op) ? apply_integer(t, &s, &a) : apply_part(t, &s, &a, PART_RESULT);
    if (s.pointer_id) {
        uint32_t const pointee = t->x->m->ids[t->x->m->ids[s.pointer_id].type].t.elem;
        int const is_float = module_get_format(t->x->m, pointee) >= 0;
        *through = is_float ? apply_part(t, &s, &a, PART_SECOND) : apply_integer(t, &s, &a);
    }
    return t->x->stop == NULL;
}

uint32_t value_find_pointer(const struct exec *x, const struct mod_inst *in)
{
    struct shape s;
    return is_extended(in->op) && find_shape(x, in, &s) ? s.pointer_id : 0;
}

/* --- for people --- */

static const char *bound_text(const struct accuracy *a, const struct func_bound *b, struct arena *m)
{
    switch (a->kind) {
    case ACCURACY_NONE:
        return "no bound, judged exactly";
    case ACCURACY_ROUNDED:
        return "correctly rounded";
    case ACCURACY_EXACT:
        return "exact";
    case ACCURACY_ANYTHING:
        return "implementation-defined";
    case ACCURACY_INHERITED:
        return "inherited from its formula";
    case ACCURACY_ULP:
    case ACCURACY_ABSOLUTE:
    case ACCURACY_FORMULA:
        break;
    }
    return b->anything       ? "no bound here"
           : b->absolute > 0 ? arena_printf(m, "%.9g absolute", b->absolute)
                             : arena_printf(m, "%.9g ulp", b->ulp);
}

int value_describe(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                   const struct mod_inst *in, uint32_t c, struct value_call *out)
{
    struct value_site const t = {.x = x, .rs = rs, .inv = inv, .in = in, .c = c};
    struct shape s;
    uint64_t bits = 0;
    if (!find_shape(x, in, &s)) {
        return 0;
    }
    *out = (struct value_call){.accuracy = find_accuracy(rs, x, in, &s),
                               .args = {.fmt = s.fmt},
                               .is_whole = s.is_whole,
                               .has_args = !s.is_whole && s.n_float > 0};
    for (uint32_t i = 0; out->has_args && i < s.n_float; i++) {
        out->has_args = exec_known(x, value_part(&t, s.float_id[i]), &out->args.enc[i]);
    }
    if (out->has_args && s.int_id) {
        out->has_args = exec_known(x, value_part(&t, s.int_id), &bits);
        out->args.n = (int32_t)(uint32_t)bits;
    }
    return 1;
}

/* What is known of the error, where the instruction is one function. */
static void explain_error(const struct value_call *call, const struct ruleset *rs, uint64_t got,
                          struct arena *m, struct value_note *out)
{
    const struct accuracy *a = &call->accuracy;
    struct func_bound const b = accuracy_bound(a, &call->args);
    struct set special;
    double error = 0;
    if (func_get_special(a->func, rs->env, &call->args, &special)) {
        out->clause = CLAUSE_MATH_SPECIAL;
        return;
    }
    if (a->kind == ACCURACY_FORMULA) {
        out->text = arena_printf(m, "bound %s", bound_text(a, &b, m));
    }
    if (func_get_error(a->func, rs->env, &call->args, got, &error) == 0) {
        out->text = arena_printf(m, "%s, error %+.6g ulp", out->text, error);
        out->is_unsatisfiable = accuracy_is_unsatisfiable(a) && fabs(error) > b.ulp &&
                                !format_is_zero(&float_formats[call->args.fmt], got);
    }
}

/* " 0x3f800000,0x40000000 0x0": the operands of an instruction on whole vectors. */
static const char *vectors_text(const struct exec *x, const struct invocation *inv,
                                const struct mod_inst *in, struct arena *m)
{
    const char *text = "";
    for (uint32_t i = is_extended(in->op) ? EXTENDED_WORDS : CORE_WORDS; i < in->n; i++) {
        const struct val *v = exec_reg(x, inv, in->w[i]);
        for (uint32_t k = 0; k < x->m->ids[in->w[i]].n_slots; k++) {
            uint64_t bits;
            int const is_known = exec_known(x, v[k], &bits);
            const char *shown = is_known ? arena_printf(m, "0x%llx", (unsigned long long)bits) : "?";
            text = arena_printf(m, "%s%s%s", text, k ? "," : " ", shown);
        }
    }
    return text;
}

int value_explain(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                  const struct mod_inst *in, uint32_t c, uint64_t got, struct arena *m,
                  struct value_note *out)
{
    struct value_call call;
    *out = (struct value_note){.text = ""};
    if (!value_is_math(x, in) || !value_describe(x, rs, inv, in, c, &call)) {
        return 0;
    }
    const struct accuracy *a = &call.accuracy;
    out->clause = accuracy_get_clause(a);
    out->text = arena_printf(m, "bound %s%s", bound_text(a, &a->bound, m),
                             a->is_decorated ? " by the decoration" : "");
    if (call.is_whole) {
        out->text = arena_printf(m, "%s, component %u of%s", out->text, c,
                                 vectors_text(x, inv, in, m));
    }
    if (!call.has_args) {
        return 1;
    }
    if (a->func != FUNC_NONE && func_rows[a->func].has_int) {
        out->text = arena_printf(m, "%s, integer argument %d", out->text, call.args.n);
    }
    for (uint32_t i = 0; i < in->n && i < MAX_OPERANDS; i++) {
        uint32_t const word = i + (is_extended(in->op) ? EXTENDED_WORDS : CORE_WORDS);
        int const is_float =
            word < in->n && module_get_format(x->m, x->m->ids[in->w[word]].type) >= 0;
        if (is_float) {
            out->operand[out->n_operands] = call.args.enc[out->n_operands];
            out->n_operands++;
        }
    }
    if (a->func != FUNC_NONE && !has_integer(in->op)) {
        explain_error(&call, rs, got, m, out);
    }
    return 1;
}

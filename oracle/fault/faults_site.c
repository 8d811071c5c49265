/* oracle/fault/faults_site.c -- where a planted fault of arithmetic acts, and the numbers there. */
#include "oracle/fault/faults_site.h"

#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/func/func.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/math/rules.h"
#include "oracle/num/arith.h"
#include "oracle/num/real.h"
#include "oracle/num/set.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"

/* --- the numbers --- */

double fault_decode(enum fmt_id fmt, uint64_t enc)
{
    const struct float_format *f = &float_formats[fmt];
    if (fmt == FMT_F64) {
        double v;
        memcpy(&v, &enc, sizeof v);
        return v;
    }
    if (format_is_nan(f, enc)) {
        return (double)NAN;
    }
    int const field = (int)((enc & f->exp) >> (f->prec_bits - 1));
    uint64_t const sig = (enc & f->frac) | (field ? f->frac + 1 : 0);
    double const v = (enc & f->exp) == f->exp
                         ? (double)INFINITY
                         : ldexp((double)sig, (field ? field : 1) + f->emin - (int)f->prec_bits);
    return enc & f->sign ? -v : v;
}

uint64_t fault_encode(enum fmt_id fmt, double v)
{
    static const struct fp_rules nearest = {.rounding = ROUND_RNE};
    struct set in, out;
    uint64_t enc;
    memcpy(&enc, &v, sizeof enc);
    set_of(&in, FMT_F64, enc);
    if (isnan(v)) {
        return float_formats[fmt].exp | float_formats[fmt].quiet;
    }
    arith_convert(&in, &nearest, fmt, &nearest, &out);
    return set_nth(&out, 0);
}

const struct float_format *fault_format(const struct fault_math_site *s)
{
    return &float_formats[s->fmt];
}

bool fault_get_exact(const struct fault_math_site *s, uint64_t *out)
{
    enum func_id const func = s->call.accuracy.func;
    if (!s->call.has_args || func == FUNC_NONE || s->call.is_whole) {
        return false;
    }
    if (s->exact && s->exact->is_known) {
        *out = s->exact->bits;
    } else {
        *out = func_round(func, s->env, &s->call.args);
    }
    if (s->exact) {
        *s->exact = (struct fault_exact){true, *out};
    }
    return fault_is_finite(fault_format(s), *out);
}

bool fault_move(const struct fault_math_site *s, uint64_t from, double n, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const steps = n < 0x1p40 ? (uint64_t)n : 0;
    uint64_t const magnitude = from & ~f->sign;
    if (steps == 0 || !fault_is_finite(f, from) || magnitude == 0) {
        return false;
    }
    if (s->pick & 1 && magnitude > steps) {
        *out = from - steps;
        return true;
    }
    *out = from + steps;
    return fault_is_finite(f, *out) && (*out & f->sign) == (from & f->sign);
}

/* The bound that holds, in ulps, rounded down; -1: it is no number of ulps. */
static double get_bound(const struct fault_math_site *s)
{
    const struct accuracy *a = &s->call.accuracy;
    struct func_bound const b = accuracy_bound(a, &s->call.args);
    if (a->kind == ACCURACY_ROUNDED || a->kind == ACCURACY_EXACT) {
        return 0;
    }
    if (a->kind == ACCURACY_INHERITED || a->kind == ACCURACY_NONE || b.anything || b.absolute > 0) {
        return -1;
    }
    return floor(b.ulp);
}

bool fault_move_past(const struct fault_math_site *s, double by, uint64_t *out)
{
    uint64_t exact;
    double const bound = get_bound(s);
    return bound >= 0 && fault_get_exact(s, &exact) && fault_move(s, exact, bound + by, out);
}

/* --- the site --- */

uint32_t fault_get_type(const struct module *m, const struct mod_inst *in)
{
    if (value_gives_integer(in->op)) {
        return m->ids[module_get_operand(m, in, value_first_operand(in->op))].type;
    }
    const struct mod_type *const t = &m->ids[in->type].t;
    return t->kind == TK_STRUCT && t->n_members > 0 ? t->members[0] : in->type;
}

bool fault_is_planned(const struct fault_plan *p, const struct module *m, const struct mod_inst *in)
{
    return (p->op < 0 || op_find_number(in->op) == p->op) &&
           (p->type < 0 || (int)static_type(m, in) == p->type) &&
           (p->storage < 0 || (int)static_storage(m, in) == p->storage);
}

bool fault_is_else_block(const struct module *m, uint32_t label)
{
    for (uint32_t i = 1; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        const struct mod_inst *before = &m->code[i - 1];
        if (in->op == SpvOpBranchConditional && in->n > 3 && in->w[3] == label &&
            before->op == SpvOpSelectionMerge && before->w[1] != label) {
            return true;
        }
    }
    return false;
}

/* Does some function of the module contain a barrier or group instruction inside a selection or
 * loop, or one anywhere together with a return inside a selection or loop (so that not all
 * invocations may reach it)? Merge blocks of the enclosing constructs are kept in a stack. */
bool fault_has_barrier_in_branch(const struct module *m)
{
    enum {
        MAX_DEPTH = 32
    };
    uint32_t merge[MAX_DEPTH], depth = 0;
    bool has_early_return = false, has_barrier = false;
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        if (in->op == SpvOpLabel && depth > 0 && merge[depth - 1] == in->result) {
            depth--;
        }
        bool const is_barrier =
            in->op == SpvOpControlBarrier || group_kind_of(in->op) != GROUP_NONE;
        has_barrier |= is_barrier;
        has_early_return |= depth > 0 && in->op == SpvOpReturn;
        if ((is_barrier && depth > 0) || (has_barrier && has_early_return)) {
            return true;
        }
        has_barrier &= in->op != SpvOpFunctionEnd; /* each function counts by itself */
        has_early_return &= in->op != SpvOpFunctionEnd;
        if ((in->op == SpvOpSelectionMerge || in->op == SpvOpLoopMerge) && depth < MAX_DEPTH) {
            merge[depth++] = in->w[1];
        }
    }
    return false;
}

unsigned fault_get_ops(const struct mod_inst *in)
{
    if (in->op == SpvOpFConvert || in->op == SpvOpConvertSToF || in->op == SpvOpConvertUToF) {
        return ON_CONVERT;
    }
    if (rules_is_test(in->op)) {
        return 0; /* no fault is known of these */
    }
    if (rules_find_class(in->op) == RULE_COMPARE) {
        return ON_COMPARE;
    }
    bool const is_function = in->op >= OP_NUMBER(OP_SET_opencl_std, 0) || in->op == SPV_OP_FMA_KHR;
    return is_function ? ON_FUNC : ON_ARITH;
}

/* Looks for a product among the operands of a sum, for the fault that fuses the two. If all
 * operands are known, the sum equals product[0] * product[1] + rest, signs included, and
 * s->has_product is set. */
static void find_product(struct exec *x, const struct invocation *inv, uint32_t c,
                         struct fault_math_site *s)
{
    const struct mod_inst *in = s->in;
    uint64_t const sign = float_formats[s->fmt].sign;
    enum {
        FIRST = 3, /* words of the operands, of the sum and of the product */
        SECOND = 4
    };
    for (uint32_t at = FIRST; at <= SECOND && !s->has_product; at++) {
        uint32_t const other = at == FIRST ? SECOND : FIRST;
        uint32_t const def = x->m->ids[in->w[at]].def;
        const struct mod_inst *mul = def == UINT32_MAX ? NULL : &x->m->code[def];
        if (!mul || mul->op != SpvOpFMul || mul->n <= SECOND) {
            continue;
        }
        struct value_site const t = {.x = x, .inv = inv, .in = mul, .c = c};
        s->has_product = exec_known(x, value_part(&t, mul->w[FIRST]), &s->product[0]) &&
                         exec_known(x, value_part(&t, mul->w[SECOND]), &s->product[1]) &&
                         exec_known(x, value_part(&t, in->w[other]), &s->rest);
        if (in->op == SpvOpFSub) { /* OpFSub negates its second operand */
            uint64_t *const negated = at == SECOND ? &s->product[0] : &s->rest;
            *negated ^= sign;
        }
    }
}

/* The elements of the vector that is the operand of a normalization. */
static void take_elements(const struct exec *x, const struct invocation *inv,
                          struct fault_math_site *s)
{
    uint32_t const id = module_get_operand(x->m, s->in, value_first_operand(s->in->op));
    const struct val *v = exec_reg(x, inv, id);
    for (uint32_t k = 0; k < x->m->ids[id].n_slots && k < ACCURACY_MAX_COMPONENTS; k++) {
        s->term[0][s->n_elements++] = v[k].bits;
    }
}

/* The elements of the difference of two vectors, of which a distance is the length. */
static void take_differences(const struct exec *x, const struct invocation *inv,
                             struct fault_math_site *s)
{
    uint32_t const first = value_first_operand(s->in->op);
    uint32_t const a = module_get_operand(x->m, s->in, first);
    uint32_t const b = module_get_operand(x->m, s->in, first + 1);
    const struct val *const v = exec_reg(x, inv, a), *const w = exec_reg(x, inv, b);
    for (uint32_t k = 0; k < x->m->ids[a].n_slots && k < ACCURACY_MAX_COMPONENTS; k++) {
        s->term[0][s->n_elements++] =
            fault_encode(s->fmt, fault_decode(s->fmt, v[k].bits) - fault_decode(s->fmt, w[k].bits));
    }
}

bool fault_is_below(const struct fault_math_site *s, double limit)
{
    bool is_below = s->n_elements > 0;
    for (uint32_t k = 0; k < s->n_elements; k++) {
        is_below &= fabs(fault_decode(s->fmt, s->term[0][k])) < limit;
    }
    return is_below;
}

/* Its elements that are infinite; *has_nan: is one a NaN? */
static uint32_t count_infinite(const struct fault_math_site *s, bool *has_nan)
{
    uint32_t n = 0;
    *has_nan = false;
    for (uint32_t k = 0; k < s->n_elements; k++) {
        double const v = fault_decode(s->fmt, s->term[0][k]);
        n += isinf(v) != 0;
        *has_nan |= isnan(v) != 0;
    }
    return n;
}

bool fault_is_hard_to_normalize(const struct fault_math_site *s)
{
    bool const is_half = s->fmt == FMT_F16;
    double const small = is_half ? 0x1p-1 : ldexp(1.0, float_formats[s->fmt].emin / 2);
    double sum = 0;
    bool has_nan;
    for (uint32_t k = 0; k < s->n_elements; k++) {
        double const v = fault_decode(s->fmt, s->term[0][k]);
        sum += v * v;
    }
    return fault_is_below(s, small) || count_infinite(s, &has_nan) > 0 || has_nan ||
           (is_half && sqrt(sum) > fault_decode(FMT_F16, float_formats[FMT_F16].exp - 1));
}

uint64_t fault_normalize_wrongly(const struct fault_math_site *s)
{
    const struct float_format *f = &float_formats[s->fmt];
    uint64_t const own = s->term[0][s->component];
    bool has_nan;
    uint32_t const n_infinite = count_infinite(s, &has_nan);
    if (!has_nan && n_infinite == 0) {
        return own & f->sign;
    }
    switch (s->pick % 4) {
    case 0:
        return own & f->sign;
    case 1:
        return own;
    case 2:
        return f->exp | f->quiet;
    default:
        return (own & f->sign) |
               (isinf(fault_decode(s->fmt, own)) ? fault_encode(s->fmt, 1 / sqrt(n_infinite)) : 0);
    }
}

/* Is it a constant, or computed from constants alone? */
static bool is_constant(const struct module *m, uint32_t id, int depth)
{
    enum {
        MAX_DEPTH = 4
    };
    uint32_t const def = m->ids[id].def;
    if (m->ids[id].flags & ID_CONSTANT) {
        return true;
    }
    if (def == UINT32_MAX || depth == MAX_DEPTH) {
        return false;
    }
    const struct mod_inst *in = &m->code[def];
    bool is_it =
        in->op == SpvOpFNegate || in->op == SpvOpFAdd || in->op == SpvOpFSub || in->op == SpvOpFMul;
    for (uint32_t w = MOD_OPERAND; w < in->n && is_it; w++) {
        is_it = is_constant(m, in->w[w], depth + 1);
    }
    return is_it;
}

/* A term of a sum, with its sign in it. */
struct term {
    uint64_t v;
    bool is_constant;
};

/* The value, or the first of those of a subnormal number that may be flushed. */
static bool choose(const struct exec *x, struct val v, uint64_t *bits)
{
    const struct abstract *b = exec_get_unobserved(x, v);
    if (exec_known(x, v, bits)) {
        return true;
    }
    if (!b || b->kind != ABSTRACT_SET || b->set->flags & SET_ANY || set_count(b->set) > 3) {
        return false;
    }
    *bits = set_nth(b->set, 0);
    return true;
}

static bool take_term(struct exec *x, const struct invocation *inv, const struct mod_inst *in,
                      uint32_t w, uint32_t c, bool is_negated, struct term *out)
{
    uint32_t const id = module_get_operand(x->m, in, w);
    struct value_site const t = {.x = x, .inv = inv, .in = in, .c = c};
    int const fmt = module_get_format(x->m, in->type);
    if (id == 0 || fmt < 0 || !choose(x, value_part(&t, id), &out->v)) {
        return false;
    }
    out->v ^= is_negated ? float_formats[fmt].sign : 0;
    out->is_constant = is_constant(x->m, id, 0);
    return true;
}

static uint64_t flush(enum fmt_id fmt, uint64_t v)
{
    return v & (v & float_formats[fmt].exp ? UINT64_MAX : float_formats[fmt].sign);
}

static uint64_t add(const struct fault_math_site *s, uint64_t a, uint64_t b)
{
    return fault_encode(s->fmt, fault_decode(s->fmt, a) + fault_decode(s->fmt, b));
}

static void regroup(struct fault_math_site *s, uint64_t v)
{
    if (s->n_regrouped < FAULT_MAX_REGROUPED) {
        s->regrouped[s->n_regrouped++] = v;
    }
}

/* Records the sums that a compiler may make of a value that a loop carries and adds a constant to in each
 * iteration: the constants of all iterations so far are added up first. The number of iterations is one of a few. */
static void regroup_iterations(struct exec *x, const struct invocation *inv,
                               const struct mod_inst *phi, uint32_t c, struct term step,
                               struct fault_math_site *s)
{
    for (uint32_t w = MOD_OPERAND; w < phi->n && step.is_constant; w += 2) {
        struct term start;
        bool const is_carried = module_get_operand(x->m, phi, w) == s->in->result;
        if (is_carried || !take_term(x, inv, phi, w, c, false, &start)) {
            continue;
        }
        uint64_t sum = step.v;
        for (uint32_t n = 0; n < FAULT_MAX_REGROUPED; n++) {
            sum = add(s, sum, step.v);
            regroup(s, add(s, start.v, sum));
        }
    }
}

/* Records the sums that a compiler may make of t[0] + t[1] + t[2], which the module computes from left to right.
 * Two terms that cancel leave the third one, flushed to zero or not. If one term is a constant, t[2] may be
 * added to either of the others first. */
static void regroup_three(struct fault_math_site *s, const struct term t[3])
{
    uint64_t const sign = float_formats[s->fmt].sign;
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t const other = t[1 - i].v;
        if (t[i].v == (t[2].v ^ sign)) {
            regroup(s, other);
            regroup(s, flush(s->fmt, other));
            regroup(s, flush(s->fmt, other) & ~sign);
        } else if (t[0].is_constant || t[1].is_constant || t[2].is_constant) {
            regroup(s, add(s, other, add(s, t[i].v, t[2].v)));
        }
    }
}

/* Looks for a sum, or a value carried round a loop, among the operands of the sum s->in, and records in
 * s->regrouped what a compiler that reorders the terms may compute. The caller asks in OpenCL only. */
static void find_sum(struct exec *x, const struct invocation *inv, uint32_t c,
                     struct fault_math_site *s)
{
    const struct mod_inst *const outer = s->in;
    bool const is_minus = outer->op == SpvOpFSub;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t const id = module_get_operand(x->m, outer, MOD_OPERAND + k);
        const struct mod_inst *const inner = module_get_definition(x->m, id);
        bool const negates_inner = is_minus && k == 1, negates_third = is_minus && k == 0;
        struct term t[3];
        if (!inner || !take_term(x, inv, outer, MOD_OPERAND + 1 - k, c, negates_third, &t[2])) {
            continue;
        }
        if (inner->op == SpvOpPhi) {
            regroup_iterations(x, inv, inner, c, t[2], s);
        }
        bool const negates_second = negates_inner != (inner->op == SpvOpFSub);
        if ((inner->op == SpvOpFAdd || inner->op == SpvOpFSub) &&
            take_term(x, inv, inner, MOD_OPERAND, c, negates_inner, &t[0]) &&
            take_term(x, inv, inner, MOD_OPERAND + 1, c, negates_second, &t[1])) {
            regroup_three(s, t);
        }
    }
}

static void take_terms(const struct exec *x, const struct invocation *inv,
                       struct fault_math_site *s)
{
    uint32_t const n = x->m->ids[s->in->w[3]].n_slots;
    for (uint32_t i = 0; i < 2; i++) {
        const struct val *v = exec_reg(x, inv, s->in->w[3 + i]);
        for (uint32_t k = 0; k < n && k < ACCURACY_MAX_COMPONENTS; k++) {
            s->term[i][k] = v[k].bits;
        }
    }
    s->n_terms = n;
}

/* The exact value *v of a number that a conversion to float takes, from its bits: a float, or an integer,
 * signed or not. false: a zero, a NaN or an infinity, of which a fault of rounding has nothing to change. */
static bool get_operand(const struct module *m, const struct mod_inst *in, uint64_t bits,
                        struct real *v)
{
    uint32_t const type = m->ids[in->w[3]].type;
    int const from = module_get_format(m, type);
    unsigned const n_unused = 64 - m->ids[type].t.bits;
    if (bits == 0) {
        return false;
    }
    if (from >= 0) {
        const struct float_format *f = &float_formats[from];
        if (value_is_special((enum fmt_id)from, bits) || format_is_zero(f, bits)) {
            return false;
        }
        *v = real_of(f, bits);
    } else if (in->op == SpvOpConvertSToF) {
        *v = real_of_int((uint64_t)((int64_t)(bits << n_unused) >> n_unused), 1);
    } else {
        *v = real_of_int(bits, 0);
    }
    return true;
}

/* Describes component c of a conversion to float for faults of rounding: the two neighbours of the
 * exact value (below, above), whether they differ, and the result of rounding twice, first to the
 * next wider format. Returns false where nothing is rounded, as for zeros, NaNs and infinities. */
static bool describe_conversion(const struct exec *x, const struct invocation *inv, uint32_t c,
                                struct fault_math_site *s)
{
    uint32_t const id = s->in->w[MOD_OPERAND];
    int const to = module_get_format(x->m, s->in->type);
    uint64_t const bits = exec_reg(x, inv, id)[x->m->ids[id].n_slots == 1 ? 0 : c].bits;
    struct real v;
    if (to >= 0 && bits == 0) { /* nothing is rounded; bugs of zeros can still act at the site */
        s->fmt = (enum fmt_id)to;
        return true;
    }
    if (to < 0 || !get_operand(x->m, s->in, bits, &v)) {
        return false;
    }
    const struct float_format *f = &float_formats[to];
    const struct float_format *wide = &float_formats[to == FMT_F16 ? FMT_F32 : FMT_F64];
    uint64_t const once = real_round(wide, v, REAL_NEAREST);
    s->fmt = (enum fmt_id)to;
    s->below = real_round(f, v, REAL_DOWN);
    s->above = real_round(f, v, REAL_UP);
    s->is_rounded = s->below != s->above;
    s->twice = s->above; /* unless the wider format holds a number to round again */
    if (fault_is_finite(wide, once) && !format_is_zero(wide, once)) {
        s->twice = real_round(f, real_of(wide, once), REAL_NEAREST);
    }
    return true;
}

static bool describe_comparison(const struct exec *x, const struct invocation *inv, uint32_t c,
                                struct fault_math_site *s)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t const id = s->in->w[3 + i];
        s->call.args.enc[i] = exec_reg(x, inv, id)[x->m->ids[id].n_slots == 1 ? 0 : c].bits;
    }
    s->fmt = s->call.args.fmt = (enum fmt_id)module_get_format(x->m, x->m->ids[s->in->w[3]].type);
    return true;
}

/* Takes what a bug may need besides the arguments: the elements of a vector that is normalized or measured, the
 * terms of a dot product, or the product in a sum, which a driver may fuse. */
static void take_details(struct exec *x, const struct invocation *inv, uint32_t c,
                         struct fault_math_site *s)
{
    uint32_t const op = s->in->op;
    if (op == op_rows[OP_opencl_std_normalize].number ||
        op == op_rows[OP_opencl_std_fast_normalize].number ||
        op == op_rows[OP_opencl_std_length].number) {
        take_elements(x, inv, s);
    } else if (op == op_rows[OP_opencl_std_distance].number) {
        take_differences(x, inv, s);
    } else if (op == SpvOpDot) {
        take_terms(x, inv, s);
    } else if (op == SpvOpFAdd || op == SpvOpFSub) {
        find_product(x, inv, c, s);
    }
}

/* Describes component c of a float instruction for faults of arithmetic, into *out: its arguments and bounds by
 * value_describe, and the details above. Conversions and comparisons have functions of their own. environment_ulp
 * is the bound that holds without a decoration. Returns false where no fault of arithmetic can act. */
bool fault_describe_math(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                         const struct mod_inst *in, uint32_t c, struct fault_math_site *out)
{
    *out = (struct fault_math_site){.m = x->m,
                                    .in = in,
                                    .env = rs->env,
                                    .component = c,
                                    .n_components = x->m->ids[in->result].n_slots,
                                    .ops = fault_get_ops(in)};
    if (out->ops == ON_CONVERT) {
        return describe_conversion(x, inv, c, out);
    }
    if (out->ops == ON_COMPARE) {
        return describe_comparison(x, inv, c, out);
    }
    int const fmt = module_get_format(x->m, fault_get_type(x->m, in));
    bool const is_sum = (in->op == SpvOpFAdd || in->op == SpvOpFSub) && rs->env == ENV_CL;
    if (fmt < 0 || in->op == SpvOpSelect) { /* no float, or a float that is only handed on */
        return false;
    }
    out->fmt = (enum fmt_id)fmt;
    if (is_sum) {
        find_sum(x, inv, c, out);
    }
    /* a sum can still be added in another order */
    if (!value_describe(x, rs, inv, in, c, &out->call)) {
        return out->n_regrouped > 0;
    }
    if (value_is_nan(in->op)) { /* the operand of nan() is an integer code */
        uint32_t const code = module_get_operand(x->m, in, value_first_operand(in->op));
        out->call.args.enc[0] = exec_reg(x, inv, code)[c].bits;
    }
    take_details(x, inv, c, out);
    struct accuracy const plain = accuracy_get(&out->call.accuracy.query);
    if (plain.kind == ACCURACY_ULP) {
        out->environment_ulp = plain.bound.ulp;
    } else if (plain.kind == ACCURACY_ROUNDED || plain.kind == ACCURACY_EXACT) {
        out->environment_ulp = 0.5; /* the nearest number */
    }
    return out->call.has_args || out->call.is_whole || out->n_regrouped > 0 ||
           value_is_nan(in->op) || out->n_terms > 0 || in->op == SpvOpFNegate;
}

/* A propagated value is described as the exact negation of the negated value. */
void fault_describe_propagated(const struct exec *x, const struct ruleset *rs,
                               const struct mod_inst *in, uint32_t c, uint64_t exact,
                               struct fault_math_site *out)
{
    enum fmt_id const fmt = (enum fmt_id)module_get_format(x->m, in->type);
    struct accuracy_query const q = {.env = rs->env,
                                     .op = op_rows[OP_core_FNegate].number,
                                     .fmt = fmt,
                                     .full_profile = 1,
                                     .n_components = 1};
    *out = (struct fault_math_site){
        .m = x->m, .in = in, .env = rs->env, .component = c, .ops = ON_ARITH, .fmt = fmt};
    out->call.accuracy = accuracy_decorated(&q, x->m->ids[in->result].max_error);
    out->call.args = (struct func_args){.fmt = fmt, .enc = {exact ^ float_formats[fmt].sign}};
    out->call.has_args = true;
}

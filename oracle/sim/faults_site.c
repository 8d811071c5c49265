/* oracle/sim/faults_site.c -- where a planted fault of arithmetic acts, and the numbers there. */
#include "oracle/sim/faults_site.h"

#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/func/func.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/math/rules.h"
#include "oracle/num/arith.h"
#include "oracle/num/real.h"
#include "oracle/num/set.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"

#define CL(number) OP_NUMBER(OP_SET_opencl_std, number)

/* --- the numbers --- */

double fault_decode(enum fmt_id fmt, uint64_t enc)
{
    double v = (double)NAN;
    const struct float_format *f = &float_formats[fmt];
    if (fmt == FMT_F64) {
        memcpy(&v, &enc, sizeof v);
        return v;
    }
    if (!format_is_nan(f, enc)) {
        int const field = (int)((enc & f->exp) >> (f->prec_bits - 1));
        uint64_t const sig = (enc & f->frac) | (field ? f->frac + 1 : 0);
        v = (enc & f->exp) == f->exp
                ? (double)INFINITY
                : ldexp((double)sig, (field ? field : 1) + f->emin - (int)f->prec_bits);
        v = enc & f->sign ? -v : v;
    }
    return v;
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

int fault_is_finite(const struct float_format *f, uint64_t enc)
{
    return (enc & f->exp) != f->exp;
}

int fault_get_exact(const struct fault_math_site *s, uint64_t *out)
{
    enum func_id const func = s->call.accuracy.func;
    if (!s->call.has_args || func == FUNC_NONE || s->call.is_whole) {
        return 0;
    }
    *out = func_round(func, s->env, &s->call.args);
    return fault_is_finite(fault_format(s), *out);
}

int fault_move(const struct fault_math_site *s, uint64_t from, double n, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const steps = n < 0x1p40 ? (uint64_t)n : 0;
    uint64_t const magnitude = from & ~f->sign;
    if (steps == 0 || !fault_is_finite(f, from) || magnitude == 0) {
        return 0;
    }
    if (s->pick & 1 && magnitude > steps) {
        *out = from - steps;
        return 1;
    }
    *out = from + steps;
    return fault_is_finite(f, *out) && (*out & f->sign) == (from & f->sign);
}

/* The bound that holds, in ulps, rounded up; -1: it is no number of ulps. */
static double get_bound(const struct fault_math_site *s)
{
    const struct accuracy *a = &s->call.accuracy;
    struct func_bound const b = accuracy_bound(a, &s->call.args);
    if (a->kind == ACCURACY_ROUNDED || a->kind == ACCURACY_EXACT) {
        return 0;
    }
    return b.anything || b.absolute > 0 || a->kind == ACCURACY_INHERITED || a->kind == ACCURACY_NONE
               ? -1
               : floor(b.ulp);
}

int fault_move_past(const struct fault_math_site *s, double by, uint64_t *out)
{
    uint64_t exact;
    double const bound = get_bound(s);
    return bound >= 0 && fault_get_exact(s, &exact) && fault_move(s, exact, bound + by, out);
}

/* --- the site --- */

unsigned fault_get_ops(const struct mod_inst *in)
{
    return in->op == SpvOpFConvert || in->op == SpvOpConvertSToF || in->op == SpvOpConvertUToF
               ? (unsigned)FAULT_CONVERT
           : rules_find_class(in->op) == RULE_COMPARE ? FAULT_COMPARE
           : in->op >= CL(0)                          ? (unsigned)FAULT_FUNC
                                                      : (unsigned)FAULT_ARITH;
}

/* A product behind an operand of a sum, with the signs it has there. In OpenCL alone, where it has one
 * rounding: the oracle may not know the product. */
static void find_product(struct exec *x, const struct invocation *inv, uint32_t c,
                         struct fault_math_site *s)
{
    const struct mod_inst *in = s->in;
    uint64_t const sign = float_formats[s->fmt].sign;
    for (uint32_t which = 0; which < 2 && !s->has_product; which++) {
        uint32_t const def = x->m->ids[in->w[3 + which]].def;
        const struct mod_inst *mul = def == UINT32_MAX ? NULL : &x->m->code[def];
        if (!mul || mul->op != SpvOpFMul || mul->n < 5) {
            continue;
        }
        struct value_site const t = {.x = x, .inv = inv, .in = mul, .c = c};
        s->has_product = exec_known(x, value_part(&t, mul->w[3]), &s->product[0]) &&
                         exec_known(x, value_part(&t, mul->w[4]), &s->product[1]) &&
                         exec_known(x, value_part(&t, in->w[4 - which]), &s->rest);
        if (in->op == SpvOpFSub) {
            s->product[0] ^= which == 1 ? sign : 0;
            s->rest ^= which == 0 ? sign : 0;
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

/* The other neighbour of the value that is converted. */
static int describe_conversion(const struct exec *x, const struct invocation *inv, uint32_t c,
                               struct fault_math_site *s)
{
    uint32_t const id = s->in->w[3];
    uint32_t const type = x->m->ids[id].type;
    int const from = module_get_format(x->m, type), to = module_get_format(x->m, s->in->type);
    unsigned const n_bits = x->m->ids[type].t.bits;
    uint64_t const bits = exec_reg(x, inv, id)[x->m->ids[id].n_slots == 1 ? 0 : c].bits;
    const struct float_format *f = &float_formats[to < 0 ? 0 : to];
    int const is_signed = s->in->op == SpvOpConvertSToF;
    if (to < 0 ||
        (from >= 0 && (value_is_special((enum fmt_id)from, bits) ||
                       format_is_zero(&float_formats[from], bits))) ||
        bits == 0) {
        return 0;
    }
    int64_t const extended = (int64_t)(bits << (64 - n_bits)) >> (64 - n_bits);
    struct real const v = from >= 0   ? real_of(&float_formats[from], bits)
                          : is_signed ? real_of_int((uint64_t)extended, 1)
                                      : real_of_int(bits, 0);
    uint64_t const down = real_round(f, v, REAL_DOWN), up = real_round(f, v, REAL_UP);
    s->fmt = (enum fmt_id)to;
    s->has_neighbour = down != up;
    s->neighbour = up;
    s->rest = down;
    enum fmt_id const between = to == FMT_F16 ? FMT_F32 : FMT_F64;
    uint64_t const once = real_round(&float_formats[between], v, REAL_NEAREST);
    s->twice = fault_is_finite(&float_formats[between], once) &&
                       !format_is_zero(&float_formats[between], once)
                   ? real_round(f, real_of(&float_formats[between], once), REAL_NEAREST)
                   : up;
    return 1;
}

static int describe_comparison(const struct exec *x, const struct invocation *inv, uint32_t c,
                               struct fault_math_site *s)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t const id = s->in->w[3 + i];
        s->call.args.enc[i] = exec_reg(x, inv, id)[x->m->ids[id].n_slots == 1 ? 0 : c].bits;
    }
    s->fmt = s->call.args.fmt = (enum fmt_id)module_get_format(x->m, x->m->ids[s->in->w[3]].type);
    return 1;
}

int fault_describe_math(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                        const struct mod_inst *in, uint32_t c, struct fault_math_site *out)
{
    *out = (struct fault_math_site){
        .m = x->m, .in = in, .env = rs->env, .component = c, .ops = fault_get_ops(in)};
    if (out->ops == FAULT_CONVERT) {
        return describe_conversion(x, inv, c, out);
    }
    if (out->ops == FAULT_COMPARE) {
        return describe_comparison(x, inv, c, out);
    }
    int const fmt = module_get_format(x->m, in->type);
    if (fmt < 0 || in->op == SpvOpSelect || !value_describe(x, rs, inv, in, c, &out->call)) {
        return 0;
    }
    out->fmt = (enum fmt_id)fmt;
    if (in->op == SpvOpDot) {
        take_terms(x, inv, out);
    } else if ((in->op == SpvOpFAdd || in->op == SpvOpFSub) && rs->env == ENV_CL) {
        find_product(x, inv, c, out);
    }
    struct accuracy const plain = accuracy_get(&out->call.accuracy.query);
    out->environment_ulp = plain.kind == ACCURACY_ULP ? plain.bound.ulp
                           : plain.kind == ACCURACY_ROUNDED || plain.kind == ACCURACY_EXACT ? 0.5
                                                                                            : 0;
    return out->call.has_args || out->n_terms > 0 || in->op == SpvOpFNegate;
}

/* oracle/faults_math.c -- planted faults of arithmetic and functions: what they do to one result. */
#include "oracle/faults_math.h"

#include <math.h>
#include <string.h>

#include "base/ops.h"
#include "oracle/real.h"
#include "oracle/value_parts.h"

#define CL(number) OP_NUMBER(OP_SET_opencl_std, number)
#define VK(number) OP_NUMBER(OP_SET_glsl450, number)

int fault_is_of_math(enum fault_id id)
{
    return fault_details[id].ops >= (unsigned)FAULT_FUNC;
}

/* --- the site --- */

static double decode(enum fmt_id fmt, uint64_t enc)
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

/* A double as a number of a narrower format, to nearest; f64 as it is. */
static uint64_t encode(enum fmt_id fmt, double v)
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

static int is_extended(uint32_t op)
{
    return op >= CL(0);
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
    return 1;
}

int fault_describe_math(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                        const struct mod_inst *in, uint32_t c, struct fault_math_site *out)
{
    *out = (struct fault_math_site){.m = x->m, .in = in, .env = rs->env};
    if (in->op == SpvOpFConvert || in->op == SpvOpConvertSToF || in->op == SpvOpConvertUToF) {
        out->ops = FAULT_CONVERT;
        return describe_conversion(x, inv, c, out);
    }
    int const fmt = module_get_format(x->m, in->type);
    if (fmt < 0 || in->op == SpvOpSelect || !value_describe(x, rs, inv, in, c, &out->call)) {
        return 0;
    }
    out->fmt = (enum fmt_id)fmt;
    out->ops = is_extended(in->op) ? FAULT_FUNC : FAULT_ARITH;
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

/* --- what the faults do; 0 where they do not arise --- */

static const struct float_format *format_of(const struct fault_math_site *s)
{
    return &float_formats[s->fmt];
}

static int is_finite(const struct float_format *f, uint64_t enc)
{
    return (enc & f->exp) != f->exp;
}

static int is_inf(const struct float_format *f, uint64_t enc)
{
    return (enc & ~f->sign) == f->exp;
}

/* The exact result rounded, where it is a finite number; else 0. */
static int get_exact(const struct fault_math_site *s, uint64_t *out)
{
    enum func_id const func = s->call.accuracy.func;
    if (!s->call.has_args || func == FUNC_NONE || s->call.is_whole) {
        return 0;
    }
    *out = func_round(func, s->env, &s->call.args);
    return is_finite(format_of(s), *out);
}

/* n encodings further from zero, or toward it. */
static int move(const struct fault_math_site *s, uint64_t from, double n, uint64_t *out)
{
    const struct float_format *f = format_of(s);
    uint64_t const steps = n < 0x1p40 ? (uint64_t)n : 0;
    uint64_t const magnitude = from & ~f->sign;
    if (steps == 0 || !is_finite(f, from) || magnitude == 0) {
        return 0;
    }
    if (s->pick & 1 && magnitude > steps) {
        *out = from - steps;
        return 1;
    }
    *out = from + steps;
    return is_finite(f, *out) && (*out & f->sign) == (from & f->sign);
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

static int move_past(const struct fault_math_site *s, double by, uint64_t *out)
{
    uint64_t exact;
    double const bound = get_bound(s);
    return bound >= 0 && get_exact(s, &exact) && move(s, exact, bound + by, out);
}

static int ignore_decoration(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    double const own = s->call.accuracy.bound.ulp;
    return s->call.accuracy.is_decorated && own < s->environment_ulp && get_exact(s, &exact) &&
           move(s, exact, floor(own) + 1, out);
}

static int use_other_decoration(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    double const own = s->call.accuracy.bound.ulp;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < s->m->n_ids; i++) {
        const struct mod_id *id = &s->m->ids[i];
        if ((id->flags & ID_MAX_ERROR) && id->max_error < 0x7f800000 && id->max_error > largest) {
            largest = id->max_error;
        }
    }
    double const other = floor(decode(FMT_F32, largest));
    return s->call.accuracy.is_decorated && other > own && get_exact(s, &exact) &&
           move(s, exact, other < floor(own) + 100 ? other : floor(own) + 100, out);
}

/* The first 11 bits of the significand. */
static int cut_to_half(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    if (!get_exact(s, &exact)) {
        return 0;
    }
    *out = exact & ~UINT64_C(0x1fff);
    return 1;
}

static int through_single(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    if (!get_exact(s, &exact)) {
        return 0;
    }
    double const v = decode(FMT_F64, exact);
    if (!(fabs(v) < 0x1p127) || !(fabs(v) > 0x1p-126)) {
        return 0;
    }
    *out = encode(FMT_F64, (double)(float)v);
    return 1;
}

static int has_nan(const struct fault_math_site *s)
{
    int any = 0;
    for (uint32_t i = 0; i < func_rows[s->call.accuracy.func].n_args; i++) {
        any |= format_is_nan(format_of(s), s->call.args.enc[i]);
    }
    return any;
}

/* NaN in place of what is prescribed for these arguments. */
static int nan_instead(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = format_of(s);
    *out = f->exp | f->quiet;
    return !format_is_nan(f, s->honest);
}

static int number_outside_domain(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = format_of(s);
    *out = (uint64_t)f->emax << (f->prec_bits - 1); /* 1 */
    return format_is_nan(f, s->honest) && !has_nan(s);
}

static int reduce_badly(const struct fault_math_site *s, enum func_id func, uint64_t *out)
{
    double const x = decode(s->fmt, s->call.args.enc[0]);
    double const two_pi = 6.2831853071;
    if ((func != FUNC_SIN && func != FUNC_COS && func != FUNC_TAN) || !(fabs(x) > 65536.0) ||
        !isfinite(x)) {
        return 0;
    }
    double const r = fmod(x, two_pi);
    *out = encode(s->fmt, func == FUNC_SIN ? sin(r) : func == FUNC_COS ? cos(r) : tan(r));
    return 1;
}

static int overflow_early(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = format_of(s);
    uint64_t const magnitude = s->honest & ~f->sign;
    *out = f->exp | (s->honest & f->sign);
    return magnitude < f->exp && magnitude > f->exp - 8 * (f->frac + 1);
}

static int flush(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest & format_of(s)->sign;
    return format_is_subnormal(format_of(s), s->honest);
}

static int round_tie_away(const struct fault_math_site *s, uint64_t *out)
{
    double const x = decode(s->fmt, s->call.args.enc[0]);
    *out = encode(s->fmt, round(x));
    return isfinite(x) && !(fabs(x - trunc(x)) < 0.5) && !(fabs(x - trunc(x)) > 0.5);
}

static int unfuse(const struct fault_math_site *s, uint64_t *out)
{
    const uint64_t *enc = s->call.args.enc;
    struct func_args product = {
        .fmt = s->fmt, .enc = {enc[0], enc[1]}
    };
    struct func_args sum = {
        .fmt = s->fmt, .enc = {0, enc[2]}
    };
    sum.enc[0] = func_round(FUNC_FMUL, ENV_CL, &product);
    *out = func_round(FUNC_FADD, ENV_CL, &sum);
    return is_finite(format_of(s), *out);
}

static int by_quotient(const struct fault_math_site *s, uint64_t *out)
{
    double const x = decode(s->fmt, s->call.args.enc[0]), y = decode(s->fmt, s->call.args.enc[1]);
    double const q = x / y;
    if (!isfinite(q) || !(fabs(q) > 1024.0)) {
        return 0;
    }
    double const n = decode(s->fmt, encode(s->fmt, q));
    double const product = decode(s->fmt, encode(s->fmt, trunc(n) * y));
    *out = encode(s->fmt, x - product);
    return is_finite(format_of(s), *out);
}

static int odd_tie(const struct fault_math_site *s, uint64_t *out)
{
    double const x = decode(s->fmt, s->call.args.enc[0]), y = decode(s->fmt, s->call.args.enc[1]);
    double const r = remainder(x, y);
    *out = s->honest ^ format_of(s)->sign;
    return isfinite(x) && isfinite(y) && !(2 * fabs(r) < fabs(y)) && fabs(r) > 0;
}

static int contract(const struct fault_math_site *s, uint64_t *out)
{
    struct func_args const a = {
        .fmt = s->fmt, .enc = {s->product[0], s->product[1], s->rest}
    };
    if (!s->has_product) {
        return 0;
    }
    *out = func_round(FUNC_FMA, ENV_CL, &a);
    return is_finite(format_of(s), *out);
}

static int other_direction(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest == s->neighbour ? s->rest : s->neighbour;
    return s->has_neighbour && (s->honest == s->neighbour || s->honest == s->rest);
}

static int lose_term(const struct fault_math_site *s, uint64_t *out)
{
    double sum = 0;
    for (uint32_t k = 0; k + 1 < s->n_terms; k++) {
        sum += decode(s->fmt, s->term[0][k]) * decode(s->fmt, s->term[1][k]);
    }
    *out = encode(s->fmt, sum);
    return s->n_terms > 1 && isfinite(sum) && is_finite(format_of(s), *out);
}

static int swap_extremes(const struct fault_math_site *s, enum func_id func, uint64_t *out)
{
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    *out = s->honest == x ? y : x;
    return (func == FUNC_FMIN || func == FUNC_FMAX) && !has_nan(s);
}

static int go_down(const struct fault_math_site *s, enum func_id func, uint64_t *out)
{
    double const x = decode(s->fmt, s->call.args.enc[0]);
    *out = encode(s->fmt, floor(x));
    return isfinite(x) &&
           (func == FUNC_TRUNC || func == FUNC_CEIL || func == FUNC_ROUND || func == FUNC_RINT);
}

static int cancel(const struct fault_math_site *s, enum func_id func, uint64_t *out)
{
    double const x = decode(s->fmt, s->call.args.enc[0]);
    if ((func != FUNC_EXPM1 && func != FUNC_LOG1P) || !(fabs(x) < 0.01) || !(fabs(x) > 0)) {
        return 0;
    }
    double const near_one = decode(s->fmt, encode(s->fmt, func == FUNC_EXPM1 ? exp(x) : 1 + x));
    *out = encode(s->fmt, func == FUNC_EXPM1 ? near_one - 1 : log(near_one));
    return 1;
}

static int other_nan(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest ^ 1 ^ format_of(s)->sign;
    return format_is_nan(format_of(s), s->honest);
}

/* Faults that depend on which function it is. */
static int change_special(enum fault_id id, const struct fault_math_site *s, enum func_id func,
                          uint64_t *out)
{
    const struct float_format *f = format_of(s);
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    switch ((int)id) {
    case FAULT_POW_OF_NAN:
        return (func == FUNC_POW || func == FUNC_POWN || func == FUNC_HYPOT) && has_nan(s) &&
               nan_instead(s, out);
    case FAULT_FMIN_OF_NAN:
        return (func == FUNC_FMIN || func == FUNC_FMAX) && has_nan(s) && nan_instead(s, out);
    case FAULT_ATAN2_OF_ZEROS:
        *out = x;
        return (func == FUNC_ATAN2 || func == FUNC_ATAN2PI) && format_is_zero(f, x) &&
               (y & f->sign) != 0 && !format_is_nan(f, y);
    case FAULT_OUTSIDE_DOMAIN:
        return number_outside_domain(s, out);
    case FAULT_EXP_OF_MINUS_INF:
        return is_inf(f, x) && func_rows[func].n_args == 1 && nan_instead(s, out);
    case FAULT_REDUCTION_CUT:
        return reduce_badly(s, func, out);
    case FAULT_RINT_TIE_AWAY:
        return func == FUNC_RINT && round_tie_away(s, out);
    case FAULT_FMA_UNFUSED:
        return func == FUNC_FMA && unfuse(s, out);
    case FAULT_FMOD_BY_QUOTIENT:
        return (func == FUNC_FMOD || func == FUNC_REMAINDER) && by_quotient(s, out);
    case FAULT_REMAINDER_TIE:
        return func == FUNC_REMAINDER && odd_tie(s, out);
    case FAULT_POWN_SIGN_LOST:
        *out = s->honest & ~f->sign;
        return func == FUNC_POWN && s->call.args.n % 2 != 0 && is_finite(f, s->honest) &&
               !format_is_zero(f, s->honest);
    case FAULT_EXTREMES_SWAPPED:
        return swap_extremes(s, func, out);
    case FAULT_FLOOR_FOR_TRUNC:
        return go_down(s, func, out);
    case FAULT_SMALL_CANCELLED:
        return cancel(s, func, out);
    default: /* those below, and faults of other instructions */
        return 0;
    }
}

static int change_any(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    switch ((int)id) {
    case FAULT_MATH_PAST_BOUND:
    case FAULT_ARITH_OFF_ULP:
        return move_past(s, 1, out);
    case FAULT_MATH_OFF_TEN:
        return move_past(s, 10, out);
    case FAULT_MATH_OFF_MILLION:
        return move_past(s, 1e6, out);
    case FAULT_DECORATION_IGNORED:
        return ignore_decoration(s, out);
    case FAULT_DECORATION_OF_OTHER:
        return use_other_decoration(s, out);
    case FAULT_HALF_FOR_FULL:
        return cut_to_half(s, out);
    case FAULT_MATH_F32_FOR_F64:
        return through_single(s, out);
    case FAULT_MATH_ZERO_SIGN:
        *out = s->honest ^ format_of(s)->sign;
        return format_is_zero(format_of(s), s->honest);
    case FAULT_OVERFLOW_EARLY:
        return overflow_early(s, out);
    case FAULT_MATH_FLUSHED:
        return flush(s, out);
    case FAULT_COMPONENT_SWAPPED:
        *out = s->other;
        return s->other != s->honest;
    case FAULT_CONTRACTED:
        return contract(s, out);
    case FAULT_CONVERT_DIRECTION:
        return other_direction(s, out);
    case FAULT_DOT_LOOSE:
        return lose_term(s, out);
    case FAULT_MATH_OTHER_END:
        return get_exact(s, &exact) && move(s, exact, 1, out);
    case FAULT_MATH_OTHER_NAN:
        return other_nan(s, out);
    default: /* those above, and faults of other instructions */
        return 0;
    }
}

int fault_change_math(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct fault_detail *d = &fault_details[id];
    enum func_id const func = s->call.accuracy.func;
    if (!(d->ops & s->ops) || !(d->types & 1U << s->fmt)) {
        return 0;
    }
    if (change_any(id, s, out)) {
        return 1;
    }
    return s->ops != FAULT_CONVERT && func != FUNC_NONE && s->call.has_args &&
           change_special(id, s, func, out);
}

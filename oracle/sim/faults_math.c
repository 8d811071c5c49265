/* oracle/sim/faults_math.c -- planted faults of arithmetic and functions: what they do to one result. */
#include "oracle/sim/faults_math.h"

#include <math.h>
#include <string.h>

#include "base/ops.h"
#include "oracle/num/real.h"
#include "oracle/sim/faults_parts.h"
#include "oracle/value/value_set.h"

#define CL(number) OP_NUMBER(OP_SET_opencl_std, number)

int fault_is_of_math(enum fault_id id)
{
    return fault_details[id].ops >= (unsigned)FAULT_FUNC;
}

int fault_is_of_decorations(enum fault_id id)
{
    return id == FAULT_DECORATION_IGNORED || id == FAULT_DECORATION_OF_OTHER;
}

/* --- the site --- */

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

/* A double as a number of a narrower format, to nearest; f64 as it is. */
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

static unsigned get_ops(const struct mod_inst *in)
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
        .m = x->m, .in = in, .env = rs->env, .component = c, .ops = get_ops(in)};
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

/* --- what the faults do; 0 where they do not arise --- */

const struct float_format *fault_format(const struct fault_math_site *s)
{
    return &float_formats[s->fmt];
}

int fault_is_finite(const struct float_format *f, uint64_t enc)
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
    return fault_is_finite(fault_format(s), *out);
}

/* n encodings further from zero, or toward it. */
static int move(const struct fault_math_site *s, uint64_t from, double n, uint64_t *out)
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
    double const other = floor(fault_decode(FMT_F32, largest));
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
    double const v = fault_decode(FMT_F64, exact);
    if (!(fabs(v) < 0x1p127) || !(fabs(v) > 0x1p-126)) {
        return 0;
    }
    *out = fault_encode(FMT_F64, (double)(float)v);
    return 1;
}

static int overflow_early(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const magnitude = s->honest & ~f->sign;
    *out = f->exp | (s->honest & f->sign);
    return magnitude < f->exp && magnitude > f->exp - 8 * (f->frac + 1);
}

static int flush(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest & fault_format(s)->sign;
    return format_is_subnormal(fault_format(s), s->honest);
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
    return fault_is_finite(fault_format(s), *out);
}

static int other_direction(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest == s->neighbour ? s->rest : s->neighbour;
    return s->has_neighbour && (s->honest == s->neighbour || s->honest == s->rest);
}

/* The one of two neighbours that is nearer to zero. */
static int cut_conversion(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->rest & fault_format(s)->sign ? s->neighbour : s->rest;
    return s->has_neighbour && (s->honest == s->neighbour || s->honest == s->rest);
}

/* In double, where a sum, product or quotient of f16 or f32 is exact or rounds innocuously. */
static double compute_wide(const struct fault_math_site *s)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    double const y = fault_decode(s->fmt, s->call.args.enc[1]);
    double const z = fault_decode(s->fmt, s->call.args.enc[2]);
    switch ((int)s->call.accuracy.func) {
    case FUNC_FADD:
        return x + y;
    case FUNC_FSUB:
        return x - y;
    case FUNC_FMUL:
        return x * y;
    case FUNC_DIVIDE:
        return x / y;
    case FUNC_FMA: /* of f16 through f32, of f32 through f64: the usual way to emulate it */
        return s->fmt == FMT_F16 ? (double)(float)(x * y + z) : x * y + z;
    default:
        return (double)NAN;
    }
}

/* Rounded to the format's precision, and then again: to fewer bits, or to a subnormal number. */
static int round_twice(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    if (s->ops == FAULT_CONVERT) {
        *out = s->twice;
        return s->has_neighbour;
    }
    if (s->fmt == FMT_F64 || !s->call.has_args) {
        return 0;
    }
    double const v = compute_wide(s);
    double const up = s->fmt == FMT_F16 ? 0x1p20 : 0x1p100; /* of a subnormal number: to a normal */
    double const once =
        fabs(v) < ldexp(1, f->emin) ? fault_decode(s->fmt, fault_encode(s->fmt, v * up)) / up : v;
    *out = fault_encode(s->fmt, once);
    return isfinite(v) && fault_is_finite(f, *out);
}

/* The largest number for what overflows: infinity came of numbers. */
static int saturate(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = s->honest - 1;
    if (!is_inf(f, s->honest) || !s->call.has_args) {
        return 0;
    }
    for (uint32_t i = 0; i < func_rows[s->call.accuracy.func].n_args; i++) {
        if (!fault_is_finite(f, s->call.args.enc[i]) || format_is_zero(f, s->call.args.enc[i])) {
            return 0;
        }
    }
    return 1;
}

static int lose_term(const struct fault_math_site *s, uint64_t *out)
{
    double sum = 0;
    for (uint32_t k = 0; k + 1 < s->n_terms; k++) {
        sum += fault_decode(s->fmt, s->term[0][k]) * fault_decode(s->fmt, s->term[1][k]);
    }
    *out = fault_encode(s->fmt, sum);
    return s->n_terms > 1 && isfinite(sum) && fault_is_finite(fault_format(s), *out);
}

static int other_nan(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest ^ 1 ^ fault_format(s)->sign;
    return format_is_nan(fault_format(s), s->honest);
}

static int change_any(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    switch ((int)id) {
    case FAULT_MATH_PAST_BOUND:
    case FAULT_ARITH_OFF_ULP:
        return fault_move_past(s, 1, out);
    case FAULT_MATH_OFF_TEN:
        return fault_move_past(s, 10, out);
    case FAULT_MATH_OFF_MILLION:
        return fault_move_past(s, 1e6, out);
    case FAULT_DECORATION_IGNORED:
        return ignore_decoration(s, out);
    case FAULT_DECORATION_OF_OTHER:
        return use_other_decoration(s, out);
    case FAULT_HALF_FOR_FULL:
        return cut_to_half(s, out);
    case FAULT_MATH_F32_FOR_F64:
        return through_single(s, out);
    case FAULT_MATH_ZERO_SIGN:
        *out = s->honest ^ fault_format(s)->sign;
        return format_is_zero(fault_format(s), s->honest);
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
    case FAULT_CONVERT_TO_ZERO:
        return cut_conversion(s, out);
    case FAULT_DOUBLE_ROUNDING:
        return round_twice(s, out);
    case FAULT_MATH_SATURATED:
        return saturate(s, out);
    case FAULT_LANE_3_SKIPPED:
        *out = s->call.args.enc[0];
        return s->component == 3 && s->call.has_args;
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

int fault_fits_math(enum fault_id id, enum env env, const struct module *m,
                    const struct mod_inst *in)
{
    const struct fault_detail *d = &fault_details[id];
    unsigned const ops = get_ops(in);
    uint32_t const type =
        ops == FAULT_COMPARE && in->n > 3 && in->w[3] < m->n_ids ? m->ids[in->w[3]].type : in->type;
    int const fmt = type ? module_get_format(m, type) : -1;
    int const row = op_find_number(in->op);
    if (fmt < 0 || row < 0 || !(d->ops & ops) || !(d->types & 1U << fmt) ||
        !fault_is_about_op(id, row)) {
        return 0;
    }
    struct accuracy_query const q = {
        .env = env, .op = in->op, .fmt = (enum fmt_id)fmt, .full_profile = 1, .n_components = 1};
    return ops == FAULT_CONVERT || ops == FAULT_COMPARE ||
           fault_is_about(id, accuracy_get(&q).func);
}

int fault_change_math(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct fault_detail *d = &fault_details[id];
    enum func_id const func = s->call.accuracy.func;
    if (!(d->ops & s->ops) || !(d->types & 1U << s->fmt)) {
        return 0;
    }
    if (change_any(id, s, out) || fault_change_edge(id, s, out) || fault_change_term(id, s, out)) {
        return 1;
    }
    return s->ops != FAULT_CONVERT && s->ops != FAULT_COMPARE && func != FUNC_NONE &&
           s->call.has_args && fault_is_about(id, func) && fault_change_function(id, s, out);
}

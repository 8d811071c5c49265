/* oracle/sim/faults_math.c -- planted faults of arithmetic and functions: what they do to one result. */
#include "oracle/sim/faults_math.h"

#include <math.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/ops.h"
#include "oracle/func/func.h"
#include "oracle/interp/module.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/rules.h"
#include "oracle/num/real.h"
#include "oracle/sim/faults_func.h"
#include "oracle/value/value_set.h"

/* --- of any instruction; 0 where they do not arise --- */

static int is_inf(const struct float_format *f, uint64_t enc)
{
    return (enc & ~f->sign) == f->exp;
}

static int ignore_decoration(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    double const own = s->call.accuracy.bound.ulp;
    return s->call.accuracy.is_decorated && own < s->environment_ulp &&
           fault_get_exact(s, &exact) && fault_move(s, exact, floor(own) + 1, out);
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
    return s->call.accuracy.is_decorated && other > own && fault_get_exact(s, &exact) &&
           fault_move(s, exact, other < floor(own) + 100 ? other : floor(own) + 100, out);
}

/* The first 11 bits of the significand. */
static int cut_to_half(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    if (!fault_get_exact(s, &exact)) {
        return 0;
    }
    *out = exact & ~UINT64_C(0x1fff);
    return 1;
}

static int through_single(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    if (!fault_get_exact(s, &exact)) {
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
        return fault_get_exact(s, &exact) && fault_move(s, exact, 1, out);
    case FAULT_MATH_OTHER_NAN:
        return other_nan(s, out);
    default: /* those above, and faults of other instructions */
        return 0;
    }
}

/* --- at edges of a rule: zeros, divisors of zero, second results --- */

/* May the fault be about this row of ops.def? */
static bool is_about_op(enum fault_id id, int op)
{
    switch ((int)id) {
    case FAULT_GAMMA_SIGN_OF_POLE:
        return op == OP_opencl_std_lgamma_r;
    case FAULT_FREXP_OF_SPECIAL:
        return op == OP_opencl_std_frexp;
    case FAULT_QUOTIENT_OF_SPECIAL:
        return op == OP_opencl_std_remquo;
    case FAULT_DIVIDED_BY_ZERO:
        return op == OP_core_FDiv;
    case FAULT_REMAINDER_OFF:
    case FAULT_REMAINDER_OTHER_ZERO:
        return op == OP_core_FRem || op == OP_core_FMod;
    case FAULT_ANGLE_OTHER_ZERO:
        return op == OP_opencl_std_degrees || op == OP_opencl_std_radians ||
               op == OP_glsl450_Degrees || op == OP_glsl450_Radians;
    default: /* those of any instruction, and faults that name their functions */
        return true;
    }
}

static bool divide_finitely(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = s->honest - 1;
    return (s->honest & ~f->sign) == f->exp && fault_is_finite(f, s->call.args.enc[0]) &&
           format_is_zero(f, s->call.args.enc[1]);
}

static bool miss_by_half(const struct fault_math_site *s, uint64_t *out)
{
    double const r = fault_decode(s->fmt, s->honest);
    double const y = fault_decode(s->fmt, s->call.args.enc[1]);
    *out = fault_encode(s->fmt, r + y / 2);
    return isfinite(r) && isfinite(y) && fault_is_finite(fault_format(s), *out);
}

static int change_edge(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    if (!s->call.has_args || !is_about_op(id, op_find_number(s->in->op))) {
        return 0;
    }
    switch ((int)id) {
    case FAULT_DIVIDED_BY_ZERO:
        return divide_finitely(s, out);
    case FAULT_REMAINDER_OFF:
        return miss_by_half(s, out);
    case FAULT_REMAINDER_OTHER_ZERO:
    case FAULT_ANGLE_OTHER_ZERO:
        *out = s->honest ^ f->sign;
        return format_is_zero(f, s->honest);
    default: /* second results, and faults of other files */
        return 0;
    }
}

bool fault_is_of_second(enum fault_id id)
{
    return id == FAULT_GAMMA_SIGN_OF_POLE || id == FAULT_FREXP_OF_SPECIAL ||
           id == FAULT_QUOTIENT_OF_SPECIAL;
}

int fault_change_second(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    double const v = fault_decode(s->fmt, x);
    if (!s->call.has_args || !is_about_op(id, op_find_number(s->in->op))) {
        return 0;
    }
    switch ((int)id) {
    case FAULT_GAMMA_SIGN_OF_POLE:
        *out = x & f->sign ? UINT32_MAX : 1;
        return format_is_zero(f, x) || (v < 0 && isfinite(v) && !(floor(v) < v));
    case FAULT_FREXP_OF_SPECIAL:
        *out = (uint32_t)(f->emax + 2);
        return !fault_is_finite(f, x);
    case FAULT_QUOTIENT_OF_SPECIAL:
        *out = 1;
        return !fault_is_finite(f, x) || format_is_nan(f, y) || format_is_zero(f, y);
    default:
        return 0;
    }
}

/* --- in the terms of a sum or product, and in comparisons: gross mistakes that no contraction and no
 * other order of the terms explains --- */

static bool is_comparison(uint32_t op)
{
    return rules_find_class(op) == RULE_COMPARE;
}

/* x op y in double, rounded to the format: far enough off for the second rounding not to matter. */
static bool combine(const struct fault_math_site *s, double x, double y, uint64_t *out)
{
    double v = 0;
    switch (s->in->op) {
    case SpvOpFAdd:
        v = x + y;
        break;
    case SpvOpFSub:
        v = x - y;
        break;
    case SpvOpFMul:
        v = x * y;
        break;
    case SpvOpFDiv:
        v = x / y;
        break;
    default:
        return false;
    }
    *out = fault_encode(s->fmt, v);
    return isfinite(v) && fault_is_finite(fault_format(s), *out);
}

static bool change_term(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    double const y = fault_decode(s->fmt, s->call.args.enc[1]);
    bool const is_sum = s->in->op == SpvOpFAdd || s->in->op == SpvOpFSub;
    bool const is_product = s->in->op == SpvOpFMul || s->in->op == SpvOpFDiv;
    if ((!is_sum && !is_product) || !isfinite(x) || !isfinite(y)) {
        return false;
    }
    switch ((int)id) {
    case FAULT_TERM_LOST:
        *out = s->call.args.enc[0];
        return true;
    case FAULT_TERM_DOUBLED:
        return is_sum ? combine(s, x, 2 * y, out) : combine(s, x, y * y, out);
    case FAULT_TERM_NEGATED:
        return combine(s, x, -y, out);
    case FAULT_TERM_OF_OTHER:
        return combine(s, x, x, out);
    default:
        return false;
    }
}

/* The significand of binary16 in place of binary32's. */
static bool narrow(const struct fault_math_site *s, uint64_t *out)
{
    double const v = fault_decode(s->fmt, s->honest);
    int e;
    if (!isfinite(v) || !(fabs(v) > 0x1p-100)) {
        return false;
    }
    double const m = frexp(v, &e);
    *out = fault_encode(s->fmt, ldexp(nearbyint(ldexp(m, 11)), e - 11));
    return fault_is_finite(fault_format(s), *out);
}

static bool change_truth(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    bool const has_nan = format_is_nan(f, x) || format_is_nan(f, y);
    bool const is_equal = x == y || (format_is_zero(f, x) && format_is_zero(f, y));
    *out = s->honest == 0;
    switch ((int)id) {
    case FAULT_COMPARED_NAN:
        return has_nan;
    case FAULT_COMPARED_EQUAL:
        return !has_nan && is_equal;
    case FAULT_COMPARED_SWAPPED:
        return !has_nan && !is_equal && s->in->op >= SpvOpFOrdLessThan;
    default:
        return false;
    }
}

static bool change_truth_or_term(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    if (is_comparison(s->in->op)) {
        return change_truth(id, s, out);
    }
    if (id == FAULT_NARROW_FOR_F32) {
        return narrow(s, out);
    }
    return s->call.has_args && change_term(id, s, out);
}

int fault_fits_math(enum fault_id id, enum env env, const struct module *m,
                    const struct mod_inst *in)
{
    const struct fault_detail *d = &fault_details[id];
    unsigned const ops = fault_get_ops(in);
    uint32_t const type =
        ops == FAULT_COMPARE && in->n > 3 && in->w[3] < m->n_ids ? m->ids[in->w[3]].type : in->type;
    int const fmt = type ? module_get_format(m, type) : -1;
    int const row = op_find_number(in->op);
    if (fmt < 0 || row < 0 || !(d->ops & ops) || !(d->types & 1U << fmt) || !is_about_op(id, row)) {
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
    if (change_any(id, s, out) || change_edge(id, s, out) || change_truth_or_term(id, s, out)) {
        return 1;
    }
    return s->ops != FAULT_CONVERT && s->ops != FAULT_COMPARE && func != FUNC_NONE &&
           s->call.has_args && fault_is_about(id, func) && fault_change_function(id, s, out);
}

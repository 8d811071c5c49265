/* oracle/fault/faults_math.c -- planted faults of arithmetic and functions: what they do to one result. */
#include "oracle/fault/faults_math.h"

#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/ops.h"
#include "oracle/fault/faults_bug.h"
#include "oracle/fault/faults_func.h"
#include "oracle/fault/faults_number.h"
#include "oracle/func/func.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/rules.h"
#include "oracle/num/real.h"
#include "oracle/value/value_dot.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"
#include "oracle/value/value_within.h"

/* --- of any instruction; false where they do not arise --- */

static bool is_inf(const struct float_format *f, uint64_t enc)
{
    return (enc & ~f->sign) == f->exp;
}

/* Moves the result past its bound by so many ulps. */
#define PASS_BOUND(name, ulps)                                                                     \
    static bool name(const struct fault_math_site *s, uint64_t *out)                               \
    {                                                                                              \
        return fault_move_past(s, ulps, out);                                                      \
    }
PASS_BOUND(pass_bound, 1)
PASS_BOUND(pass_bound_by_ten, 10)
PASS_BOUND(pass_bound_by_million, 1e6)

/* The bound of the environment in place of a tighter one of a decoration. */
static bool ignore_decoration(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    double const own = s->call.accuracy.bound.ulp;
    return s->call.accuracy.is_decorated && own < s->environment_ulp &&
           fault_get_exact(s, &exact) && fault_move(s, exact, floor(own) + 1, out);
}

/* The loosest bound that a decoration of the module names. */
static bool use_other_decoration(const struct fault_math_site *s, uint64_t *out)
{
    enum {
        FAR_ENOUGH = 100
    };
    uint64_t exact;
    double const own = s->call.accuracy.bound.ulp, most = floor(own) + FAR_ENOUGH;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < s->m->n_ids; i++) {
        const struct mod_id *id = &s->m->ids[i];
        bool const is_number = id->max_error < float_formats[FMT_F32].exp;
        if ((id->flags & ID_MAX_ERROR) && is_number && id->max_error > largest) {
            largest = id->max_error;
        }
    }
    double const other = floor(fault_decode(FMT_F32, largest));
    return s->call.accuracy.is_decorated && other > own && fault_get_exact(s, &exact) &&
           fault_move(s, exact, other < most ? other : most, out);
}

/* The first 11 bits of the significand. */
static bool cut_to_half(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    if (!fault_get_exact(s, &exact)) {
        return false;
    }
    *out = exact & ~UINT64_C(0x1fff);
    return true;
}

/* Rounded to binary32 first. */
static bool through_single(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    if (!fault_get_exact(s, &exact)) {
        return false;
    }
    double const v = fault_decode(FMT_F64, exact);
    if (!(fabs(v) < 0x1p127) || !(fabs(v) > 0x1p-126)) {
        return false;
    }
    *out = fault_encode(FMT_F64, (double)(float)v);
    return true;
}

/* Infinity for the numbers of the last eight binades. */
static bool overflow_early(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const magnitude = s->honest & ~f->sign;
    *out = f->exp | (s->honest & f->sign);
    return magnitude < f->exp && magnitude > f->exp - 8 * (f->frac + 1);
}

static bool flush(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest & fault_format(s)->sign;
    return format_is_subnormal(fault_format(s), s->honest);
}

/* A product that goes into a sum unrounded. */
static bool contract(const struct fault_math_site *s, uint64_t *out)
{
    struct func_args const a = {
        .fmt = s->fmt, .enc = {s->product[0], s->product[1], s->rest}
    };
    if (!s->has_product) {
        return false;
    }
    *out = func_round(FUNC_FMA, ENV_CL, &a);
    return fault_is_finite(fault_format(s), *out);
}

/* Is the conversion one that rounds, and its result one of the two neighbours? */
static bool is_between(const struct fault_math_site *s)
{
    return s->is_rounded && (s->honest == s->above || s->honest == s->below);
}

static bool other_direction(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest == s->above ? s->below : s->above;
    return is_between(s);
}

/* The one of two neighbours that is nearer to zero. */
static bool cut_conversion(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->below & fault_format(s)->sign ? s->above : s->below;
    return is_between(s);
}

/* The result of basic arithmetic in double, from the operands of site s. Sums, products and quotients of f16
 * or f32 are exact in it, or so near that the second rounding, to the format, does no harm; a fused
 * multiply-add is computed in two steps, as it is usually emulated. NaN: another function. */
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
static bool round_twice(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    if (s->ops == ON_CONVERT) {
        *out = s->twice;
        return s->is_rounded;
    }
    if (s->fmt == FMT_F64 || !s->call.has_args) {
        return false;
    }
    double const v = compute_wide(s);
    double once = v;
    if (fabs(v) < ldexp(1, f->emin)) {
        double const to_normal = s->fmt == FMT_F16 ? 0x1p20 : 0x1p100; /* of a subnormal number */
        once = fault_decode(s->fmt, fault_encode(s->fmt, v * to_normal)) / to_normal;
    }
    *out = fault_encode(s->fmt, once);
    return isfinite(v) && fault_is_finite(f, *out);
}

/* The largest number for what overflows: infinity came of numbers. */
static bool saturate(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = s->honest - 1;
    if (!is_inf(f, s->honest) || !s->call.has_args || s->call.accuracy.func == FUNC_NONE) {
        return false;
    }
    for (uint32_t i = 0; i < func_rows[s->call.accuracy.func].n_args; i++) {
        if (!fault_is_finite(f, s->call.args.enc[i]) || format_is_zero(f, s->call.args.enc[i])) {
            return false;
        }
    }
    return true;
}

/* Dot without its last term. */
static bool lose_term(const struct fault_math_site *s, uint64_t *out)
{
    double sum = 0;
    for (uint32_t k = 0; k + 1 < s->n_terms; k++) {
        sum += fault_decode(s->fmt, s->term[0][k]) * fault_decode(s->fmt, s->term[1][k]);
    }
    *out = fault_encode(s->fmt, sum);
    return s->n_terms > 1 && isfinite(sum) && fault_is_finite(fault_format(s), *out);
}

/* Another payload and sign. */
static bool other_nan(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest ^ 1 ^ fault_format(s)->sign;
    return format_is_nan(fault_format(s), s->honest);
}

static bool other_sign_of_zero(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->honest ^ fault_format(s)->sign;
    return format_is_zero(fault_format(s), s->honest);
}

static bool swap_components(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->other;
    return s->other != s->honest;
}

/* The operand in place of the fourth component. */
static bool skip_lane_3(const struct fault_math_site *s, uint64_t *out)
{
    *out = s->call.args.enc[0];
    return s->component == 3 && s->call.has_args;
}

static bool other_end(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t exact;
    return fault_get_exact(s, &exact) && fault_move(s, exact, 1, out);
}

/* --- at edges of a rule: zeros, divisors of zero --- */

/* x / 0 is the largest number. */
static bool divide_finitely(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = s->honest - 1;
    return is_inf(f, s->honest) && fault_is_finite(f, s->call.args.enc[0]) &&
           format_is_zero(f, s->call.args.enc[1]);
}

/* A remainder that is off by half of the divisor. */
static bool miss_by_half(const struct fault_math_site *s, uint64_t *out)
{
    double const r = fault_decode(s->fmt, s->honest);
    double const y = fault_decode(s->fmt, s->call.args.enc[1]);
    *out = fault_encode(s->fmt, r + y / 2);
    return isfinite(r) && isfinite(y) && fault_is_finite(fault_format(s), *out);
}

/* --- second results --- */

/* The sign of gamma where it has a pole, in place of 0. */
static bool sign_of_pole(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const x = s->call.args.enc[0];
    double const v = fault_decode(s->fmt, x);
    *out = x & f->sign ? UINT32_MAX : 1;
    return format_is_zero(f, x) || (v < 0 && isfinite(v) && !(floor(v) < v));
}

/* The exponent field of an infinity or NaN. */
static bool exponent_of_special(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = (uint32_t)(f->emax + 2);
    return !fault_is_finite(f, s->call.args.enc[0]);
}

static bool quotient_of_special(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    *out = 1;
    return !fault_is_finite(f, x) || format_is_nan(f, y) || format_is_zero(f, y);
}

#define CL(name) OP_opencl_std_##name
#define VK(name) OP_glsl450_##name
/* What each fault does; those of terms and comparisons below, and of single functions, are others'. */
static const struct row {
    enum fault_id id;
    bool (*change)(const struct fault_math_site *s, uint64_t *out);
    bool is_second; /* of what goes through a pointer */
    int op[2];      /* rows of ops.def, which have their arguments; 0: of any instruction */
} rows[] = {
    {FAULT_MATH_PAST_BOUND,      pass_bound,            false, {0}                         },
    {FAULT_ARITH_OFF_ULP,        pass_bound,            false, {0}                         },
    {FAULT_MATH_OFF_TEN,         pass_bound_by_ten,     false, {0}                         },
    {FAULT_MATH_OFF_MILLION,     pass_bound_by_million, false, {0}                         },
    {FAULT_DECORATION_IGNORED,   ignore_decoration,     false, {0}                         },
    {FAULT_DECORATION_OF_OTHER,  use_other_decoration,  false, {0}                         },
    {FAULT_HALF_FOR_FULL,        cut_to_half,           false, {0}                         },
    {FAULT_MATH_F32_FOR_F64,     through_single,        false, {0}                         },
    {FAULT_MATH_ZERO_SIGN,       other_sign_of_zero,    false, {0}                         },
    {FAULT_OVERFLOW_EARLY,       overflow_early,        false, {0}                         },
    {FAULT_MATH_FLUSHED,         flush,                 false, {0}                         },
    {FAULT_COMPONENT_SWAPPED,    swap_components,       false, {0}                         },
    {FAULT_CONTRACTED,           contract,              false, {0}                         },
    {FAULT_CONVERT_DIRECTION,    other_direction,       false, {0}                         },
    {FAULT_CONVERT_TO_ZERO,      cut_conversion,        false, {0}                         },
    {FAULT_DOUBLE_ROUNDING,      round_twice,           false, {0}                         },
    {FAULT_MATH_SATURATED,       saturate,              false, {0}                         },
    {FAULT_LANE_3_SKIPPED,       skip_lane_3,           false, {0}                         },
    {FAULT_DOT_LOOSE,            lose_term,             false, {0}                         },
    {FAULT_MATH_OTHER_END,       other_end,             false, {0}                         },
    {FAULT_MATH_OTHER_NAN,       other_nan,             false, {0}                         },
    {FAULT_DIVIDED_BY_ZERO,      divide_finitely,       false, {OP_core_FDiv}              },
    {FAULT_REMAINDER_OFF,        miss_by_half,          false, {OP_core_FRem, OP_core_FMod}},
    {FAULT_REMAINDER_OTHER_ZERO, other_sign_of_zero,    false, {OP_core_FRem, OP_core_FMod}},
    {FAULT_ANGLE_OTHER_ZERO,     other_sign_of_zero,    false, {CL(degrees), CL(radians)}  },
    {FAULT_ANGLE_OTHER_ZERO,     other_sign_of_zero,    false, {VK(Degrees), VK(Radians)}  },
    {FAULT_GAMMA_SIGN_OF_POLE,   sign_of_pole,          true,  {CL(lgamma_r)}              },
    {FAULT_FREXP_OF_SPECIAL,     exponent_of_special,   true,  {CL(frexp)}                 },
    {FAULT_QUOTIENT_OF_SPECIAL,  quotient_of_special,   true,  {CL(remquo)}                },
};

/* The first row of a fault, or NULL. */
static const struct row *find_row(enum fault_id id)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].id == id) {
            return &rows[i];
        }
    }
    return NULL;
}

/* May the fault be about this row of ops.def? */
static bool is_about_op(enum fault_id id, int op)
{
    if (fault_is_bug(id)) {
        return fault_bug_is_about(id, op);
    }
    const struct row *first = find_row(id);
    if (!first || first->op[0] == 0) {
        return true;
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].id == id && (rows[i].op[0] == op || rows[i].op[1] == op)) {
            return true;
        }
    }
    return false;
}

static bool change_by_row(const struct row *row, const struct fault_math_site *s, uint64_t *out)
{
    bool const is_of_op = s->call.has_args && is_about_op(row->id, op_find_number(s->in->op));
    return (row->op[0] == 0 || is_of_op) && row->change(s, out);
}

bool fault_is_of_second(enum fault_id id)
{
    const struct row *row = find_row(id);
    return fault_bug_is_second(id) || (row && row->is_second);
}

bool fault_change_second(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    if (fault_is_bug(id)) {
        return fault_is_of_second(id) && fault_change_bug(id, s, out);
    }
    return fault_is_of_second(id) && change_by_row(find_row(id), s, out);
}

/* --- in the terms of a sum or product, and in comparisons: gross mistakes that no contraction and no
 * other order of the terms explains --- */

/* *out is x op y rounded to the format, with the instruction's own operation. It is computed in double and so
 * rounded twice, which does not matter here: the result is far from the right one. false: not a finite
 * number, or not one of the four operations. */
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
    case SpvOpVectorTimesScalar:
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

/* Faults of one term in an expression: *out is what a sum or product gives when its second operand, the term
 * that the fault is about, is lost, doubled, negated or taken from the first, which stands for the other
 * terms. false: no sum or product of finite numbers, or the result is not finite. */
static bool change_term(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    double const y = fault_decode(s->fmt, s->call.args.enc[1]);
    bool const is_sum = s->in->op == SpvOpFAdd || s->in->op == SpvOpFSub;
    bool const is_product =
        s->in->op == SpvOpFMul || s->in->op == SpvOpFDiv || s->in->op == SpvOpVectorTimesScalar;
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
    if (rules_find_class(s->in->op) == RULE_COMPARE) {
        return change_truth(id, s, out);
    }
    if (id == FAULT_NARROW_FOR_F32) {
        return narrow(s, out);
    }
    return s->call.has_args && change_term(id, s, out);
}

/* The format that the fault's columns speak of: of a comparison, that of its operands; -1: no float. */
static int find_format(const struct module *m, const struct mod_inst *in)
{
    bool const has_operand = in->n > 3 && in->w[3] < m->n_ids;
    bool const is_compare = fault_get_ops(in) == ON_COMPARE;
    uint32_t const type = is_compare && has_operand ? m->ids[in->w[3]].type : fault_get_type(m, in);
    return type ? module_get_format(m, type) : -1;
}

static bool is_product(const struct module *m, uint32_t id)
{
    const struct mod_inst *const in = module_get_definition(m, id);
    return in && in->op == SpvOpFMul;
}

/* x - x, of no constant. */
static bool is_of_itself(const struct module *m, const struct mod_inst *in)
{
    uint32_t const x = module_get_operand(m, in, MOD_OPERAND);
    return x == module_get_operand(m, in, MOD_OPERAND + 1) && !(m->ids[x].flags & ID_CONSTANT);
}

/* The result of FMin, FMax and FClamp is undefined if an operand is a NaN. */
static bool is_defined_for_nan(const struct module *m, const struct mod_inst *in)
{
    (void)m;
    return in->op != op_rows[VK(FMin)].number && in->op != op_rows[VK(FMax)].number &&
           in->op != op_rows[VK(FClamp)].number;
}

static bool is_sum_of_product(const struct module *m, const struct mod_inst *in)
{
    return is_product(m, module_get_operand(m, in, MOD_OPERAND)) ||
           is_product(m, module_get_operand(m, in, MOD_OPERAND + 1));
}

static bool has_8_components(const struct module *m, const struct mod_inst *in)
{
    return m->ids[in->result].n_slots >= 8 && !value_gives_integer(in->op);
}

static bool has_16_components(const struct module *m, const struct mod_inst *in)
{
    return m->ids[in->result].n_slots >= 16 && !value_gives_integer(in->op);
}

/* Of a fault that is about a pattern of instructions, or about vectors of some length: is it there? */
static bool has_pattern(enum fault_id id, const struct module *m, const struct mod_inst *in)
{
    static const struct {
        enum fault_id id;
        bool (*has)(const struct module *m, const struct mod_inst *in);
    } patterns[] = {
        {FAULT_SELF_FOLDED,        is_of_itself      },
        {FAULT_FMIN_OF_NAN,        is_defined_for_nan},
        {FAULT_CONTRACTED,         is_sum_of_product },
        {FAULT_WIDE_DOUBLE,        has_16_components },
        {FAULT_WIDE_DOUBLE_SECOND, has_16_components },
        {FAULT_WIDE_VECTOR,        has_8_components  },
        {FAULT_WIDE_VECTOR_SECOND, has_8_components  },
    };
    for (size_t i = 0; i < ARRAY_N(patterns); i++) {
        if (patterns[i].id == id) {
            return patterns[i].has(m, in);
        }
    }
    return true;
}

/* Can the fault act at this instruction, by its operation, type and function? Each kind of instruction (integer,
 * integer dot product, propagated value, float) has its own columns in faults.def. */
bool fault_fits_math(enum fault_id id, enum env env, const struct module *m,
                     const struct mod_inst *in)
{
    const struct fault_row *row = &fault_rows[id];
    unsigned const ops = fault_get_ops(in);
    int const fmt = find_format(m, in), op = op_find_number(in->op);
    if (id == FAULT_FRACTION_ROUNDED) { /* of a type that has such numbers */
        uint32_t const from = module_get_operand(m, in, MOD_OPERAND);
        return (in->op == SpvOpConvertFToS || in->op == SpvOpConvertFToU) &&
               m->ids[m->ids[from].type].t.bits > 16;
    }
    if (fault_is_of_numbers(id) || in->part == PART_NUMBER) {
        return fault_fits_number(id, m, in);
    }
    if (value_is_dot(in->op)) { /* of integers */
        return (row->ops & ON_ARITH) && (row->types & OF_INTEGER) &&
               (id != FAULT_DOT_SUM_WRAPS || value_is_dot_sum(in->op));
    }
    /* acts as a function of one operand that gives it exactly, like a negation */
    if (value_propagates(m, in)) {
        return (row->ops & ON_ARITH) && (row->types & 1U << fmt) && is_about_op(id, op) &&
               fault_is_about(id, FUNC_FNEGATE);
    }
    if (fmt < 0 || op < 0 || !(row->ops & ops) || !(row->types & 1U << fmt) ||
        !is_about_op(id, op) || !has_pattern(id, m, in)) {
        return false;
    }
    if (value_gives_integer(in->op)) { /* other faults give floats */
        return fault_is_bug(id);
    }
    struct accuracy_query const q = {
        .env = env, .op = in->op, .fmt = (enum fmt_id)fmt, .full_profile = 1, .n_components = 1};
    /* conversions and comparisons are no functions that a fault may single out */
    return ops == ON_CONVERT || ops == ON_COMPARE || fault_is_about(id, accuracy_get(&q).func);
}

/* Computes the result *out of a float instruction under the fault. Returns false where the fault
 * does not act. Bugs of bugs.def, the faults of the table above, faults of terms and comparisons,
 * and faults of single functions are tried in this order. */
bool fault_change_math(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct fault_row *row = &fault_rows[id];
    enum func_id const func = s->call.accuracy.func;
    bool const is_without_args = (s->call.is_whole && s->n_terms == 0) || value_is_nan(s->in->op);
    if (!(row->ops & s->ops) || !(row->types & 1U << s->fmt) ||
        (is_without_args && !fault_is_bug(id))) {
        return false;
    }
    const struct row *change = find_row(id);
    if (fault_is_bug(id)) {
        return !fault_is_of_second(id) && fault_change_bug(id, s, out);
    }
    if (change) {
        return !change->is_second && change_by_row(change, s, out);
    }
    if (change_truth_or_term(id, s, out)) {
        return true;
    }
    bool const is_function = s->ops != ON_CONVERT && s->ops != ON_COMPARE && func != FUNC_NONE;
    return is_function && s->call.has_args && fault_is_about(id, func) &&
           fault_change_function(id, s, out);
}

/* Computes the result of an integer dot product under the faults DOT_SUM_WRAPS (the sum with the addend wraps
 * instead of saturating) and DOT_UNSIGNED (the unsigned instruction is executed in place of the signed one).
 * Returns false for any other fault or instruction, and where an operand is unknown. */
bool fault_change_dot(enum fault_id id, struct exec *x, const struct invocation *inv,
                      const struct mod_inst *in, uint64_t *out)
{
    enum {
        FIRST_FACTOR = MOD_OPERAND, /* words */
        SECOND_FACTOR,
        ADDEND
    };
    struct mod_inst other = *in;
    struct val wrong;
    uint64_t addend = 0;
    uint32_t words[SECOND_FACTOR + 2] = {0};
    bool const is_sum = value_is_dot_sum(in->op), wraps = id == FAULT_DOT_SUM_WRAPS;
    if (!value_is_dot(in->op) || (wraps && !is_sum) || (!wraps && id != FAULT_DOT_UNSIGNED)) {
        return false;
    }
    if (wraps) { /* the dot product alone, to which the addend is added modulo 2^32 below */
        other.op = in->op - (SpvOpSDotAccSat - SpvOpSDot);
        memcpy(words, in->w, sizeof *words * ADDEND);
        other.w = words;
        /* the format stands last, if at all; words has 0 for it, the only packed format */
        other.n = in->n - 1;
        if (!exec_known(x, *exec_reg(x, inv, in->w[ADDEND]), &addend)) {
            return false;
        }
    } else {
        other.op = is_sum ? SpvOpUDotAccSat : SpvOpUDot;
    }
    if (value_dot(x, inv, &other, &wrong) != 1 || !exec_known(x, wrong, out)) {
        return false;
    }
    *out = wraps ? (*out + addend) & UINT32_MAX : *out;
    return true;
}

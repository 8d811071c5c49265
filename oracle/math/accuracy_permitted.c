/* oracle/math/accuracy_permitted.c -- permitted results of an instruction, by the kind of its bound. */
#include "oracle/math/accuracy_permitted.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/func/func.h"
#include "oracle/func/func_number.h"
#include "oracle/math/inherit.h"
#include "oracle/num/arith.h"

enum {
    ONLY_COMPONENT = 0 /* of a scalar: accuracy_permitted_vector judges whole vectors */
};

/* One instruction on its operands. */
struct ask {
    const struct accuracy *a;
    int op; /* row of ops.def */
    const struct func_args *args;
    const struct fp_rules *r;
};

static bool is_nan(const struct func_args *a, unsigned i)
{
    return format_is_nan(&float_formats[a->fmt], a->enc[i]);
}

static int64_t key_of(const struct func_args *a, unsigned i)
{
    return format_to_key(&float_formats[a->fmt], a->enc[i]);
}

static int any(enum fmt_id fmt, struct set *out)
{
    set_any(out, fmt);
    return 1;
}

/* CC half_ functions: "may flush", whatever the device says of subnormals. */
static bool is_half(int op)
{
    return op >= OP_opencl_std_half_cos && op <= OP_opencl_std_half_tan;
}

/* CC native_ functions: "over an implementation-defined range", so that no argument is certain to be in
 * it. A decoration bounds the error, and then all arguments count. */
static bool is_out_of_native_range(const struct ask *ask)
{
    return ask->op >= OP_opencl_std_native_cos && ask->op <= OP_opencl_std_native_tan &&
           ask->a->kind == ACCURACY_ANYTHING;
}

/* The bound for these arguments; none but rounding for what is exact or correctly rounded. */
static struct func_bound get_bound(const struct ask *ask)
{
    static const struct func_bound exact = {.ulp = 0};
    bool const is_exact = ask->a->kind == ACCURACY_NONE || ask->a->kind == ACCURACY_ROUNDED ||
                          ask->a->kind == ACCURACY_EXACT;
    return is_exact ? exact : accuracy_bound(ask->a, ask->args);
}

/* What `func` may give within the instruction's bound, under the rules and what the texts add to them. 0:
 * the budget of precision ran out. The other functions here answer alike. */
static int permit_function(const struct ask *ask, enum func_id func, enum env env, struct set *out)
{
    struct func_bound const b = get_bound(ask);
    struct fp_rules r = *ask->r;
    if (is_half(ask->op)) {
        r.flush_in = r.flush_out = FLUSH_MAY;
    }
    if (env == ENV_VK) {
        r.overflow_lax = 1; /* V env precision, ULP */
    }
    bool const is_certain = func_permitted(func, env, ask->args, &b, &r, out);
    if (env == ENV_VK && func == FUNC_LDEXP && ask->args->n < float_formats[ask->args->fmt].emin) {
        set_add_range(out, -1, 0); /* GLSL.std.450 Ldexp: "may be flushed to zero" */
    }
    return is_certain;
}

/* --- selections --- */

static void put_args(struct func_args *out, const struct func_args *like, uint64_t x, uint64_t y)
{
    *out = (struct func_args){
        .fmt = like->fmt, .enc = {x, y},
             .n = like->n
    };
}

/* FMin and FMax of GLSL.std.450 leave NaN undefined; NMin and NMax are C's. */
static enum env selection_env(int op, const struct func_args *args)
{
    bool const is_number =
        op == OP_glsl450_NMin || op == OP_glsl450_NMax || op == OP_glsl450_NClamp;
    return is_number && (is_nan(args, 0) || is_nan(args, 1)) ? ENV_CL : ENV_VK;
}

/* Adds the operands that a comparison of flushed operands may select. GLSL.std.450 FMax: "y if x <
 * y; otherwise x". The comparison may flush its operands, while the selected operand is returned
 * unflushed: the smaller of two subnormals, or a subnormal instead of a zero. Of operands that compare equal both
 * are added, as of zeros of two signs. Nothing is added without a subnormal, without flushing of
 * operands, with a NaN, or where results must be flushed: no subnormal can come then. */
static void add_compared_flushed(enum func_id func, const struct func_args *args,
                                 const struct fp_rules *r, struct set *out)
{
    struct float_format const *f = &float_formats[args->fmt];
    bool const is_any_subnormal =
        format_is_subnormal(f, args->enc[0]) || format_is_subnormal(f, args->enc[1]);
    if (!is_any_subnormal || r->flush_in == FLUSH_NEVER || r->flush_out == FLUSH_MUST ||
        is_nan(args, 0) || is_nan(args, 1)) {
        return;
    }
    for (unsigned is_flushed = 0; is_flushed < 4; is_flushed++) { /* a bit for each operand */
        int64_t key[2]; /* of the operands as they are compared; both zeros have 0 */
        for (unsigned k = 0; k < 2; k++) {
            bool const is_zero =
                format_is_zero(f, args->enc[k]) ||
                ((is_flushed >> k & 1) != 0 && format_is_subnormal(f, args->enc[k]));
            key[k] = is_zero ? 0 : key_of(args, k);
        }
        bool const is_second = func == FUNC_FMAX ? key[0] < key[1] : key[1] < key[0];
        if (key[0] == key[1] || !is_second) {
            set_add(out, args->enc[0]);
        }
        if (key[0] == key[1] || is_second) {
            set_add(out, args->enc[1]);
        }
    }
}

/* One of two operands, exactly. */
static int permit_selection(const struct ask *ask, enum func_id func, enum env env, uint64_t x,
                            uint64_t y, struct set *out)
{
    static const struct func_bound exact = {.ulp = 0};
    struct func_args step;
    put_args(&step, ask->args, x, y);
    struct fp_rules r = *ask->r;
    r.flush_out = r.flush_out == FLUSH_MUST ? FLUSH_MAY : r.flush_out; /* in the end, not here */
    bool const is_certain =
        func_permitted(func, is_nan(&step, 0) ? ENV_CL : env, &step, &exact, &r, out);
    if (ask->a->query.env == ENV_VK) {
        add_compared_flushed(func, &step, &r, out);
    }
    return is_certain;
}

/*
 * min(max(x, low), high), and what is within the bound of it. In two steps: of each result of the maximum
 * the minimum is taken; then for each of these also what lies within the bound of it, which is asked for
 * as the minimum of a number and itself. Anything for a limit that is a NaN, an x that is one where the
 * text does not say that a number wins (FClamp), and low > high.
 */
static int permit_clamp(const struct ask *ask, enum env env, struct set *out)
{
    const uint64_t *enc = ask->args->enc; /* x, low, high */
    struct set larger, smaller, one;
    bool const has_nan = is_nan(ask->args, 0) && ask->op != OP_glsl450_NClamp && env == ENV_VK;
    if (has_nan || is_nan(ask->args, 1) || is_nan(ask->args, 2) ||
        key_of(ask->args, 1) > key_of(ask->args, 2)) {
        return any(ask->args->fmt, out);
    }
    int is_certain = permit_selection(ask, FUNC_FMAX, env, enc[0], enc[1], &larger);
    set_clear(out, ask->args->fmt);
    for (uint64_t i = 0; i < set_count(&larger); i++) {
        is_certain = permit_selection(ask, FUNC_FMIN, env, set_nth(&larger, i), enc[2], &smaller) &&
                     is_certain;
        for (uint64_t k = 0; k < set_count(&smaller); k++) {
            struct func_args same;
            struct ask const inner = {ask->a, ask->op, &same, ask->r};
            put_args(&same, ask->args, set_nth(&smaller, k), set_nth(&smaller, k));
            is_certain = permit_function(&inner, FUNC_FMIN, env, &one) && is_certain;
            set_add_set(out, &one);
        }
    }
    return is_certain;
}

/* --- instructions with a text of their own --- */

static bool has_infinity(const struct func_args *args)
{
    struct float_format const *f = &float_formats[args->fmt];
    int found = 0;
    for (unsigned i = 0; i < 3; i++) {
        found |= (args->enc[i] & ~f->sign) == f->exp;
    }
    return found;
}

/* The largest finite number. */
static double get_largest(enum fmt_id fmt)
{
    return accuracy_magnitude(fmt, float_formats[fmt].exp - 1);
}

/* CC smoothstep: "equivalent to t = clamp((x - edge0) / (edge1 - edge0), 0, 1)", of which nothing is left
 * where the divisor overflows. */
static bool is_span_infinite(const struct func_args *args)
{
    uint64_t const sign = float_formats[args->fmt].sign;
    double const x = accuracy_magnitude(args->fmt, args->enc[0]);
    double const y = accuracy_magnitude(args->fmt, args->enc[1]);
    return ((args->enc[0] ^ args->enc[1]) & sign) != 0 && x > get_largest(args->fmt) - y;
}

/* smoothstep of edges in the wrong order, or equal ones: -0 and +0 are equal. */
static bool has_empty_span(const struct func_args *args)
{
    int64_t const edge0 = key_of(args, 0), edge1 = key_of(args, 1);
    return edge0 >= edge1 || (edge0 == -1 && edge1 == 0);
}

/* CC: "if a is not in the range 0.0 ... 1.0, the return values are undefined"; and smoothstep where
 * edge0 >= edge1 or an argument is a NaN, in both environments. An absolute error says nothing of
 * infinities. */
static bool is_undefined_blend(const struct ask *ask)
{
    const struct func_args *const args = ask->args;
    int64_t const one = (int64_t)func_power(&float_formats[args->fmt], 0);
    bool const has_nan = is_nan(args, 0) || is_nan(args, 1) || is_nan(args, 2);
    switch (ask->op) {
    case OP_opencl_std_mix:
        return !has_nan && (has_infinity(args) || key_of(args, 2) < -1 || key_of(args, 2) > one);
    case OP_opencl_std_smoothstep:
        return has_nan || has_infinity(args) || is_span_infinite(args) || has_empty_span(args);
    case OP_glsl450_SmoothStep:
        return has_nan || has_empty_span(args);
    default:
        return false;
    }
}

static void to_operands(const struct func_args *args, struct accuracy_operands *operands)
{
    memset(operands, 0, sizeof *operands);
    operands->fmt = args->fmt;
    operands->n_components = 1;
    operands->n = args->n;
    for (unsigned i = 0; i < 3; i++) {
        operands->enc[i][0] = args->enc[i];
    }
}

/* V: "inf and NaN stay, what is too small for a normal number is a zero, too large an infinity";
 * correctly rounded in a mode of the implementation's choice. Whether a number that rounds up to the smallest normal one
 * is too small the text leaves open: both are permitted. */
static int permit_quantize(const struct ask *ask, struct set *out)
{
    static const struct fp_rules keep = {.rounding = ROUND_EITHER};
    struct fp_rules const either = {.rounding = ROUND_EITHER, .flush_out = FLUSH_MUST};
    struct set x, half, rounded;
    set_of(&x, ask->args->fmt, ask->args->enc[0]);
    arith_convert(&x, ask->r, FMT_F16, &either, &half);
    arith_convert(&x, ask->r, FMT_F16, &keep, &rounded);
    set_remove_subnormals(&rounded);
    set_add_set(&half, &rounded);
    arith_convert(&half, &keep, ask->args->fmt, &keep, out);
    func_finish(out, ask->r);
    return 1;
}

/* x itself, as the rules leave it. */
static int permit_same(const struct ask *ask, uint64_t x, struct set *out)
{
    set_of(out, ask->args->fmt, x);
    func_finish(out, ask->r);
    return 1;
}

/* frexp's significand: x scaled to [0.5, 1) exactly, with its sign. Zeros, infinities and NaN are
 * themselves, but in Vulkan the latter two give anything. The digits of a subnormal number are shifted up
 * to those of a normal one. */
static int permit_significand(const struct ask *ask, enum env env, struct set *out)
{
    struct float_format const *f = &float_formats[ask->args->fmt];
    uint64_t const x = ask->args->enc[0];
    uint64_t significand = func_magnitude(f, x);
    bool const is_number = significand < f->exp;
    if (!is_number && env == ENV_VK) {
        return any(ask->args->fmt, out);
    }
    if (!is_number || significand == 0) {
        return permit_same(ask, x, out);
    }
    while (significand <= f->frac) { /* a subnormal number */
        significand <<= 1;
    }
    set_of(out, ask->args->fmt,
           (x & f->sign) | (significand & f->frac) | (func_power(f, -1) & f->exp));
    if (format_is_subnormal(f, x) && ask->r->flush_in != FLUSH_NEVER) {
        set_add_range(out, -1, 0);
    }
    func_finish(out, ask->r);
    return 1;
}

/* A zero of x's sign, as far as signs of zeros are told. */
static int give_zero_of(const struct ask *ask, struct set *out)
{
    return permit_same(ask, ask->args->enc[0] & float_formats[ask->args->fmt].sign, out);
}

/* GLSL.std.450, ModfStruct: "Both members get the same sign as x." That binds neither what is flushed to
 * zero, nor f64 where it is as precise as f32. */
static bool has_sign_of_operand(const struct ask *ask, enum env env)
{
    bool const may_flush = ask->r->flush_in != FLUSH_NEVER &&
                           format_is_subnormal(&float_formats[ask->args->fmt], ask->args->enc[0]);
    return env == ENV_VK && ask->a->kind == ACCURACY_ROUNDED && !may_flush;
}

/* modf's first result: what follows the point, with x's sign, as the remainder of a division by 1.
 * GLSL.std.450 says "modf(+-Inf) = { +-0, +-Inf }" of ModfStruct, but not of Modf, where anything may
 * come. */
static int permit_fraction(const struct ask *ask, enum env env, struct set *out)
{
    struct float_format const *f = &float_formats[ask->args->fmt];
    uint64_t const x = ask->args->enc[0], m = func_magnitude(f, x);
    bool const is_nan_x = m > f->exp, is_inf = m == f->exp;
    if (env == ENV_VK && (is_nan_x || (is_inf && ask->op == OP_glsl450_Modf))) {
        return any(ask->args->fmt, out);
    }
    if (is_nan_x) {
        return permit_same(ask, x, out);
    }
    if (is_inf) {
        return give_zero_of(ask, out);
    }
    enum func_kind const kind =
        m == 0 ? FUNC_EVEN : func_get_kind(f, x); /* EVEN, ODD: an integer */
    if (has_sign_of_operand(ask, env) && (kind == FUNC_EVEN || kind == FUNC_ODD)) {
        return give_zero_of(ask, out);
    }
    struct func_args by_one; /* the remainder of a division by 1 */
    put_args(&by_one, ask->args, x, func_power(f, 0));
    struct ask const inner = {ask->a, ask->op, &by_one, ask->r};
    return permit_function(&inner, FUNC_FMOD, env, out); /* its zeros have x's sign */
}

/* modf: what stands before the point, with x's sign. */
static int permit_whole_part(const struct ask *ask, enum env env, struct set *out)
{
    struct float_format const *f = &float_formats[ask->args->fmt];
    uint64_t const x = ask->args->enc[0], m = func_magnitude(f, x);
    if (has_sign_of_operand(ask, env) && m < func_power(f, 0)) {
        return give_zero_of(ask, out);
    }
    if (env == ENV_VK && m == f->exp && ask->op == OP_glsl450_ModfStruct) {
        set_of(out, ask->args->fmt, x);
        return 1;
    }
    return permit_function(ask, FUNC_TRUNC, env, out);
}

/* CC mix: within the bound, or as the text says "implemented as x + (y - x) * a", with contractions. */
static int permit_mix(const struct ask *ask, const struct accuracy_operands *operands,
                      const struct func_bound *b, struct set *out)
{
    struct accuracy by_text = *ask->a;
    struct set formula;
    by_text.kind = ACCURACY_INHERITED;
    by_text.formula = INHERIT_CL_MIX;
    by_text.bound = (struct func_bound){.ulp = 0};
    bool const is_certain =
        inherit_permitted(&by_text, operands, 0, ask->r, accuracy_permitted, &formula) &&
        inherit_about_exact(ask->a, operands, 0, b, ask->r, accuracy_permitted, out);
    set_add_set(out, &formula);
    return is_certain;
}

/* Computes what an instruction that is not one of the functions of func.def may give, by its own text.
 * *is_certain: no budget of precision ran out. Returns false for an instruction without a text of its own. */
static bool permit_by_text(const struct ask *ask, enum env env, struct set *out, int *is_certain)
{
    switch (ask->op) {
    case OP_core_QuantizeToF16:
        *is_certain = permit_quantize(ask, out);
        return true;
    case OP_opencl_std_nan:
        set_clear(out, ask->args->fmt);
        out->flags = SET_QNAN;
        *is_certain = 1;
        return true;
    case OP_opencl_std_fclamp:
    case OP_glsl450_FClamp:
    case OP_glsl450_NClamp:
        *is_certain = permit_clamp(ask, env, out);
        return true;
    case OP_opencl_std_frexp:
    case OP_glsl450_Frexp:
    case OP_glsl450_FrexpStruct:
        *is_certain = permit_significand(ask, env, out);
        return true;
    case OP_opencl_std_modf:
    case OP_glsl450_Modf:
    case OP_glsl450_ModfStruct:
        *is_certain = permit_fraction(ask, env, out);
        return true;
    case OP_opencl_std_remquo:
        *is_certain = permit_function(ask, FUNC_REMAINDER, env, out);
        return true;
    case OP_opencl_std_lgamma_r:
        *is_certain = permit_function(ask, FUNC_LGAMMA, env, out);
        return true;
    default:
        return false;
    }
}

/* What an instruction that is not one function of func.def may give: by a text of its own, by the formula
 * it inherits from, or within its bound of the exact value. Anything where it has none of these. */
static int permit_other(const struct ask *ask, enum env env, struct set *out)
{
    struct accuracy_operands operands;
    struct func_bound const b = get_bound(ask);
    int is_certain;
    if (permit_by_text(ask, env, out, &is_certain)) {
        return is_certain;
    }
    bool const has_exact = inherit_has_exact(ask->op); /* not an integer, or of whole vectors */
    if (!has_exact || b.anything || is_undefined_blend(ask)) {
        return any(ask->args->fmt, out);
    }
    to_operands(ask->args, &operands);
    if (ask->op == OP_opencl_std_mix && ask->a->kind == ACCURACY_ABSOLUTE) {
        return permit_mix(ask, &operands, &b, out);
    }
    if (ask->a->kind == ACCURACY_INHERITED) {
        return inherit_permitted(ask->a, &operands, ONLY_COMPONENT, ask->r, accuracy_permitted,
                                 out);
    }
    return inherit_about_exact(ask->a, &operands, ONLY_COMPONENT, &b, ask->r, accuracy_permitted,
                               out);
}

/* CC fmax_common, fmin_common: undefined for infinities and NaN. */
static bool is_undefined_common(const struct ask *ask)
{
    struct float_format const *f = &float_formats[ask->args->fmt];
    return (ask->op == OP_opencl_std_fmax_common || ask->op == OP_opencl_std_fmin_common) &&
           (func_magnitude(f, ask->args->enc[0]) >= f->exp ||
            func_magnitude(f, ask->args->enc[1]) >= f->exp);
}

/* Computes in *out what the instruction may give for these arguments, by its kind: one with a text
 * of its own, one that inherits from a formula, or a function. Vulkan's minimum and maximum differ
 * in their treatment of NaNs, and their comparison may flush. The set is anything where a text
 * leaves the result undefined. Returns 0 where a budget of precision ran out. */
int accuracy_permitted(const struct accuracy *a, enum env env, const struct func_args *args,
                       const struct fp_rules *r, struct set *out)
{
    struct ask const ask = {a, op_find_number(a->query.op), args, r};
    struct accuracy_operands operands;
    assert(a->query.fmt == args->fmt);
    set_clear(out, args->fmt);
    if (a->is_illegal || is_undefined_common(&ask) || is_out_of_native_range(&ask)) {
        return any(args->fmt, out);
    }
    if (a->func == FUNC_NONE) { /* by its own text, or by a formula */
        return permit_other(&ask, env, out);
    }
    if (a->kind == ACCURACY_INHERITED) {
        to_operands(args, &operands);
        return inherit_permitted(a, &operands, ONLY_COMPONENT, r, accuracy_permitted, out);
    }
    bool const is_selection = a->func == FUNC_FMIN || a->func == FUNC_FMAX;
    if (!is_selection || env != ENV_VK) {
        return permit_function(&ask, a->func, env, out);
    }
    /* selection_env: the environment whose treatment of NaNs the instruction has */
    bool const is_certain = permit_function(&ask, a->func, selection_env(ask.op, args), out);
    add_compared_flushed(a->func, args, r, out);
    return is_certain;
}

int accuracy_permitted_second(const struct accuracy *a, enum env env, const struct func_args *args,
                              const struct fp_rules *r, struct set *out)
{
    struct ask const ask = {a, op_find_number(a->query.op), args, r};
    bool const is_modf = ask.op == OP_opencl_std_modf || ask.op == OP_glsl450_Modf ||
                         ask.op == OP_glsl450_ModfStruct;
    assert(is_modf || ask.op == OP_opencl_std_sincos);
    if (a->is_illegal) {
        return any(args->fmt, out);
    }
    return is_modf ? permit_whole_part(&ask, env, out) : permit_function(&ask, FUNC_COS, env, out);
}

/* --- vectors --- */

/* Is a component of the first operand of this magnitude or a larger one? Infinity is one, and NaNs are
 * larger. */
static bool has_magnitude(const struct accuracy_operands *operands, uint64_t least)
{
    for (uint32_t k = 0; k < operands->n_components; k++) {
        if (func_magnitude(&float_formats[operands->fmt], operands->enc[0][k]) >= least) {
            return true;
        }
    }
    return false;
}

static bool is_any_nan_or_inf(const struct accuracy_operands *operands)
{
    return has_magnitude(operands, float_formats[operands->fmt].exp);
}

static bool is_any_nan(const struct accuracy_operands *operands)
{
    return has_magnitude(operands, float_formats[operands->fmt].exp + 1);
}

static bool is_zero_vector(const struct accuracy_operands *operands)
{
    for (uint32_t k = 0; k < operands->n_components; k++) {
        if (!format_is_zero(&float_formats[operands->fmt], operands->enc[0][k])) {
            return false;
        }
    }
    return true;
}

/* Adds what CE numerics, edge cases, prescribes in OpenCL for component `component`; false: nothing.
 *   normalize(v)      v where all are zero, all NaN where one is (infinities: accuracy_permitted_vector)
 *   length, distance  infinite where a component is, NaN where one is */
static bool permit_special_vector(const struct ask *ask, const struct accuracy_operands *operands,
                                  uint32_t component, struct set *out)
{
    struct float_format const *f = &float_formats[operands->fmt];
    bool const is_normalize =
        ask->op == OP_opencl_std_normalize || ask->op == OP_opencl_std_fast_normalize;
    bool const is_length = ask->op == OP_opencl_std_length || ask->op == OP_opencl_std_fast_length;
    if (is_normalize && is_zero_vector(operands)) {
        set_of(out, operands->fmt, operands->enc[0][component]);
        func_finish(out, ask->r);
        return true;
    }
    if ((is_normalize || is_length) && is_any_nan(operands)) {
        set_of(out, operands->fmt, f->exp | f->quiet);
    }
    if (is_length &&
        is_any_nan_or_inf(operands)) { /* which permits both, of a NaN beside an infinity */
        set_add(out, f->exp);
    }
    return !set_is_empty(out);
}

/* The first operand of normalize with infinities as 1 and all others as 0, with their signs. CE numerics:
 * "as if" v[i] were isinf(v[i]) ? copysign(1.0, v[i]) : 0.0 * v[i]; this one has an exact value. */
static void replace_infinities(const struct float_format *f, struct accuracy_operands *operands)
{
    for (uint32_t k = 0; k < operands->n_components; k++) {
        uint64_t const enc = operands->enc[0][k], sign = enc & f->sign;
        operands->enc[0][k] = func_magnitude(f, enc) == f->exp ? sign | func_power(f, 0) : sign;
    }
}

/* CC fast_length, fast_distance, fast_normalize: by half_sqrt of the sum of squares, which may
 * overflow or fall below the normal numbers. */
static bool is_fast_out_of_range(const struct ask *ask, const struct accuracy_operands *operands)
{
    uint64_t const sign = float_formats[operands->fmt].sign;
    double sum = 0, least = (double)INFINITY;
    bool const is_distance = ask->op == OP_opencl_std_fast_distance;
    bool const is_fast = is_distance || ask->op == OP_opencl_std_fast_length ||
                         ask->op == OP_opencl_std_fast_normalize;
    for (uint32_t k = 0; k < operands->n_components && is_fast; k++) {
        double size = accuracy_magnitude(operands->fmt, operands->enc[0][k]);
        if (is_distance) {
            double const other = accuracy_magnitude(operands->fmt, operands->enc[1][k]);
            bool const is_opposite = ((operands->enc[0][k] ^ operands->enc[1][k]) & sign) != 0;
            size = is_opposite ? size + other : fabs(size - other);
        }
        sum += size * size;
        least = size > 0 ? fmin(least, size * size) : least;
    }
    return is_fast && (!(sum < 0x1p127) || least < 0x1p-125);
}

/* Dot and cross: no text says that what overflows on the way to a finite sum does no harm. */
static bool may_overflow_inside(const struct ask *ask, const struct accuracy_operands *operands)
{
    double x = 0, y = 0;
    if (ask->op != OP_core_Dot && ask->op != OP_opencl_std_cross) {
        return false;
    }
    for (uint32_t k = 0; k < operands->n_components; k++) {
        x = fmax(x, accuracy_magnitude(operands->fmt, operands->enc[0][k]));
        y = fmax(y, accuracy_magnitude(operands->fmt, operands->enc[1][k]));
    }
    return x > 1 && y > get_largest(operands->fmt) / x / operands->n_components;
}

/* Computes in *out what component `component` of an instruction on whole vectors may be. In OpenCL the first rules
 * are about the vector as a whole: zeros, infinities and NaNs among its components (OpenCL C numerics, edge
 * cases), and sums of squares that are out of range. Then the bound around the exact value of the component
 * applies, or the formula that the instruction inherits from. The formula's steps that are functions are evaluated
 * by accuracy_permitted, which is passed as an argument because oracle/math/inherit.h must not depend on this
 * file. Returns 0 where a budget of precision ran out. */
int accuracy_permitted_vector(const struct accuracy *a, enum env env,
                              const struct accuracy_operands *v, uint32_t component,
                              const struct fp_rules *r, struct set *out)
{
    struct ask const ask = {.a = a, .op = op_find_number(a->query.op), .r = r};
    struct accuracy_operands operands = *v;
    struct func_bound b = a->bound;
    set_clear(out, v->fmt);
    if (a->is_illegal || a->kind == ACCURACY_ANYTHING) { /* no bound, or none that is a number */
        return any(v->fmt, out);
    }
    assert(inherit_has_exact(ask.op) && component < ACCURACY_MAX_COMPONENTS);
    if (a->kind == ACCURACY_INHERITED) {
        return inherit_permitted(a, v, component, r, accuracy_permitted, out);
    }
    if (env == ENV_CL) {
        if (permit_special_vector(&ask, v, component, out)) { /* prescribed, for certain */
            return 1;
        }
        if (is_fast_out_of_range(&ask, v) || may_overflow_inside(&ask, v)) {
            return any(v->fmt, out);
        }
        if (ask.op == OP_opencl_std_normalize &&
            is_any_nan_or_inf(v)) { /* NaNs were handled above */
            replace_infinities(&float_formats[v->fmt], &operands);
        }
    }
    if (a->kind == ACCURACY_FORMULA) {
        b = accuracy_vector_bound(a, v);
    }
    return b.anything
               ? any(v->fmt, out)
               : inherit_about_exact(a, &operands, component, &b, r, accuracy_permitted, out);
}

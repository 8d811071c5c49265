/* oracle/math/inherit.c -- results that are derived from a formula: by sets, and around the exact value. */
#include "oracle/math/inherit.h"

#include <assert.h>
#include <math.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/ops.h"
#include "oracle/func/func.h"
#include "oracle/func/func_mp.h"
#include "oracle/func/func_number.h"
#include "oracle/func/func_span.h"
#include "oracle/func/func_special.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/inherit_real.h"
#include "oracle/math/inherit_set.h"
#include "oracle/num/arith.h"
#include "oracle/num/mp.h"
#include "oracle/num/set.h"

/* The exact values of instructions that are no function of func.def: the formula, and its operands, of
 * which every other instruction has none. */
/* clang-format off */
static const struct {
    uint8_t formula, n_operands;
} exact_values[OP_N] = {
    [OP_core_Dot] = {INHERIT_IS_DOT, 2},
    [OP_opencl_std_mad] = {INHERIT_IS_MAD, 3},
    [OP_opencl_std_mix] = {INHERIT_IS_MIX, 3},
    [OP_opencl_std_smoothstep] = {INHERIT_IS_SMOOTHSTEP, 3},
    [OP_opencl_std_cross] = {INHERIT_IS_CROSS, 2},
    [OP_opencl_std_distance] = {INHERIT_IS_DISTANCE, 2},
    [OP_opencl_std_fast_distance] = {INHERIT_IS_DISTANCE, 2},
    [OP_opencl_std_length] = {INHERIT_IS_LENGTH, 1},
    [OP_opencl_std_fast_length] = {INHERIT_IS_LENGTH, 1},
    [OP_opencl_std_normalize] = {INHERIT_IS_NORMALIZE, 1},
    [OP_opencl_std_fast_normalize] = {INHERIT_IS_NORMALIZE, 1},
    [OP_glsl450_FMix] = {INHERIT_IS_MIX, 3},
    [OP_glsl450_SmoothStep] = {INHERIT_IS_SMOOTHSTEP, 3},
    [OP_glsl450_Length] = {INHERIT_IS_LENGTH, 1},
    [OP_glsl450_Distance] = {INHERIT_IS_DISTANCE, 2},
    [OP_glsl450_Cross] = {INHERIT_IS_CROSS, 2},
    [OP_glsl450_Normalize] = {INHERIT_IS_NORMALIZE, 1},
    [OP_glsl450_FaceForward] = {INHERIT_IS_FACEFORWARD, 3},
    [OP_glsl450_Reflect] = {INHERIT_IS_REFLECT, 2},
    [OP_glsl450_Refract] = {INHERIT_IS_REFRACT, 3},
};
/* clang-format on */

int inherit_has_exact(int op)
{
    return exact_values[op].n_operands != 0;
}

/* --- operands --- */

static unsigned get_n_operands(const struct accuracy *a)
{
    return a->func != FUNC_NONE ? func_rows[a->func].n_args
                                : exact_values[op_find_number(a->query.op)].n_operands;
}

/* The operands' current component, as arguments of the instruction's function. */
static struct func_args get_args(const struct inherit_work *work)
{
    struct func_args args = {.fmt = work->v->fmt, .n = work->v->n};
    for (unsigned i = 0; i < 3; i++) {
        args.enc[i] = work->v->enc[i][work->component];
    }
    return args;
}

/* Where the operands are that may be flushed. Each may be by itself, but of more than MAX_APART all components of one
 * operand are or none: a reading is one of these choices. */
enum {
    MAX_APART = 4
};
struct flushable {
    unsigned n;
    uint64_t *enc[3 * ACCURACY_MAX_COMPONENTS];
    uint8_t operand[3 * ACCURACY_MAX_COMPONENTS]; /* that it is a component of */
    unsigned n_operands;
};

static void find_flushable(const struct accuracy *a, const struct fp_rules *r,
                           struct accuracy_operands *operands, struct flushable *out)
{
    struct float_format const *f = &float_formats[operands->fmt];
    out->n = 0;
    out->n_operands = get_n_operands(a);
    for (unsigned i = 0; r->flush_in != FLUSH_NEVER && i < get_n_operands(a); i++) {
        for (uint32_t k = 0; k < operands->n_components; k++) {
            if (format_is_subnormal(f, operands->enc[i][k])) {
                out->operand[out->n] = (uint8_t)i;
                out->enc[out->n++] = &operands->enc[i][k];
            }
        }
    }
}

static unsigned count_readings(const struct flushable *x)
{
    return 1U << (x->n > MAX_APART ? x->n_operands : x->n);
}

/* Flush what reading i flushes in *v. */
static void apply_reading(const struct accuracy *a, const struct fp_rules *r, unsigned i,
                          struct accuracy_operands *operands)
{
    struct flushable x;
    find_flushable(a, r, operands, &x);
    for (unsigned k = 0; k < x.n; k++) {
        bool const is_flushed = (i >> (x.n > MAX_APART ? x.operand[k] : k) & 1) != 0;
        if (is_flushed) {
            *x.enc[k] &= float_formats[operands->fmt].sign;
        }
    }
}

static bool is_finite(const struct accuracy *a, const struct accuracy_operands *operands)
{
    struct float_format const *f = &float_formats[operands->fmt];
    for (unsigned i = 0; i < get_n_operands(a); i++) {
        for (uint32_t k = 0; k < operands->n_components; k++) {
            if ((operands->enc[i][k] & ~f->sign) >= f->exp) {
                return false;
            }
        }
    }
    return true;
}

/* --- about the exact value --- */

/*
 * Precisions beyond those of functions: 1024 to MP_WIDE_PREC_BITS. A value that lies on an end of its
 * set is a binary fraction: a polynomial of the operands; a root or quotient that comes out even, as
 * no other one of binary fractions is one; 3t^2 - 2t^3 for such a t, since an odd divisor of t = a/b
 * stays in the cube of b. All its steps are then exact where the precision holds them, and the value
 * becomes a point.
 */
enum {
    N_WIDE_PRECISIONS = 5,
    N_PRECISIONS = FUNC_N_PRECISIONS + N_WIDE_PRECISIONS
};

/* Make w the formula of the instruction's exact value. */
static void parse_exact(struct inherit_work *work)
{
    int const op = op_find_number(work->a->query.op);
    assert(inherit_has_exact(op));
    const char *program = inherit_programs[exact_values[op].formula];
    (void)inherit_parse(&program, work);
}

/* The exact value as precise as step says; 0: not known. */
static int enclose(struct inherit_work *work, unsigned step, struct func_span *out)
{
    bool const is_wide = step >= FUNC_N_PRECISIONS;
    unsigned const prec_bits = is_wide ? (unsigned)MP_WIDE_PREC_BITS >> (N_PRECISIONS - 1 - step)
                                       : func_get_precision(&float_formats[work->v->fmt], step);
    if (work->a->func != FUNC_NONE) {
        if (is_wide) {
            return 0;
        }
        struct func_args const args = get_args(work);
        func_enclose(work->a->func, &args, prec_bits, out);
        return 1;
    }
    parse_exact(work);
    return inherit_run_reals(work, prec_bits, out);
}

/* How far the farthest of the keys lo..hi is from the exact value, rounded up; infinite beyond double's
 * range. The value is only known to lie between two ends, which are magnitudes of sign s->negative, so
 * that it is the largest distance of one of the two keys from one of these ends. */
static double get_farthest(const struct func_span *s, const struct float_format *f, int64_t lo,
                           int64_t hi)
{
    struct mp_num end, distance, max;
    mp_init(&end, f->prec_bits);
    mp_init(&distance, MP_LIMB_BITS);
    mp_init(&max, MP_LIMB_BITS);
    (void)mpfr_set_ui(max.v, 0, MPFR_RNDN);
    for (unsigned i = 0; i < 4; i++) {
        mpfr_srcptr const magnitude = (i & 2) != 0 ? func_high(s) : func_low(s);
        mp_set_enc(&end, f, format_from_key(f, (i & 1) != 0 ? hi : lo));
        if (s->negative) {
            (void)mpfr_add(distance.v, magnitude, end.v, MPFR_RNDA); /* -magnitude - end, negated */
        } else {
            (void)mpfr_sub(distance.v, magnitude, end.v, MPFR_RNDA);
        }
        if (mpfr_cmpabs(distance.v, max.v) > 0) {
            (void)mpfr_abs(max.v, distance.v, MPFR_RNDN);
        }
    }
    return mpfr_get_d(max.v, MPFR_RNDU);
}

static void set_all_numbers(struct set *out, const struct float_format *f)
{
    set_add_range(out, -1 - (int64_t)f->exp, (int64_t)f->exp);
}

/* Adds [x - E, x + E], where x is the exact value and E the distance from x to the farthest member of F, the
 * results of the formula (Vulkan environment for SPIR-V, precision, "Inherited From"). If F reaches an infinity,
 * all numbers are added. F is not empty. Returns 0 where the exact value is not certain at any precision. */
static int add_symmetric(struct inherit_work *work, const struct set *formula, struct set *out)
{
    enum fmt_id const fmt = work->v->fmt;
    struct float_format const *f = &float_formats[fmt];
    int64_t const inf = (int64_t)f->exp;
    assert(formula->n > 0);
    int64_t const lo = formula->r[0].lo, hi = formula->r[formula->n - 1].hi;
    if (lo <= -1 - inf || hi >= inf) { /* keys of the infinities */
        set_all_numbers(out, f);
        return 1;
    }
    for (unsigned step = 0; step < N_PRECISIONS; step++) {
        struct func_span span;
        struct set one;
        if (!enclose(work, step, &span)) { /* a higher precision may do */
            continue;
        }
        struct func_bound const b = {.absolute = get_farthest(&span, f, lo, hi)};
        if (!isfinite(b.absolute)) { /* E is beyond a double's range */
            set_all_numbers(out, f);
            return 1;
        }
        set_clear(&one, fmt);
        if (func_add_span(&span, &b, work->rules, &one)) {
            set_add_set(out, &one);
            set_add_set(out, formula); /* the interval holds F except where its ends were rounded */
            return 1;
        }
    }
    return 0;
}

/* Does the formula divide by zero: normalize of a zero vector, smoothstep between edges of zero? */
static bool is_degenerate(const struct inherit_work *work)
{
    struct float_format const *f = &float_formats[work->v->fmt];
    int const op = op_find_number(work->a->query.op);
    bool const is_smoothstep = op == OP_opencl_std_smoothstep || op == OP_glsl450_SmoothStep;
    if (is_smoothstep) {
        return format_is_zero(f, work->v->enc[0][work->component]) &&
               format_is_zero(f, work->v->enc[1][work->component]);
    }
    bool is_zero = op == OP_opencl_std_normalize || op == OP_opencl_std_fast_normalize ||
                   op == OP_glsl450_Normalize;
    for (uint32_t k = 0; k < work->v->n_components && is_zero; k++) {
        is_zero = format_is_zero(f, work->v->enc[0][k]) != 0;
    }
    return is_zero;
}

/* OpenCL C: normalize leaves zeros as they are; smoothstep between edges that are equal, and all of it in
 * Vulkan, is undefined. */
static void add_degenerate(const struct inherit_work *work, struct set *out)
{
    int const op = op_find_number(work->a->query.op);
    if (work->a->query.env == ENV_CL && op != OP_opencl_std_smoothstep) {
        set_add(out, work->v->enc[0][work->component]);
    } else {
        set_any(out, work->v->fmt);
    }
}

/* Add what is within the bound of the exact value. 0: not certain at any precision. */
static int add_about(struct inherit_work *work, const struct func_bound *b, struct set *out)
{
    if (is_degenerate(work)) {
        add_degenerate(work, out);
        return 1;
    }
    for (unsigned step = 0; step < N_PRECISIONS; step++) {
        struct func_span span;
        struct set one;
        set_clear(&one, work->v->fmt);
        if (enclose(work, step, &span) && func_add_span(&span, b, work->rules, &one)) {
            set_add_set(out, &one);
            return 1;
        }
    }
    return 0;
}

/* --- OpenCL's derived implementations --- */

/* Is it an integer, or a zero, an infinity or a NaN, which are judged apart? */
static bool is_integer_power(const struct float_format *f, uint64_t enc)
{
    uint64_t const magnitude = func_magnitude(f, enc);
    if (magnitude == 0 || magnitude >= f->exp) {
        return true;
    }
    enum func_kind const kind = func_get_kind(f, enc);
    return kind == FUNC_EVEN || kind == FUNC_ODD;
}

/* Does OpenCL's text on derived implementations leave the result undefined at these operands? x
 * and y are their magnitudes; the ranges are those of the text. */
static bool is_undefined_cl(const struct inherit_work *work)
{
    struct float_format const *f = &float_formats[work->v->fmt];
    uint64_t const first = work->v->enc[0][work->component],
                   second = work->v->enc[1][work->component];
    double const x = accuracy_magnitude(work->v->fmt, first);
    double const y = accuracy_magnitude(work->v->fmt, second);
    bool const is_x_zero = !(x > 0), is_y_zero = !(y > 0);
    bool const is_x_negative = (first & f->sign) != 0 && !is_x_zero;
    switch (work->a->formula) {
    case INHERIT_CL_ATANH:
        return x >= 1;
    case INHERIT_CL_COSH:
    case INHERIT_CL_SINH:
        return x > 88;
    case INHERIT_CL_TANPI:
        return x > 1;
    case INHERIT_CL_POW:
        return (is_x_zero && is_y_zero) ||
               (is_x_negative && (!is_integer_power(f, second) || y > 0x1p24));
    case INHERIT_CL_POWN:
        return is_x_zero && work->v->n == 0;
    case INHERIT_CL_POWR:
        return is_x_negative || (is_x_zero && is_y_zero);
    case INHERIT_CL_ROOTN:
        return work->v->n == 0 || (is_x_negative && work->v->n % 2 == 0) ||
               (is_x_zero && work->v->n < 0);
    default:
        return false;
    }
}

/* Formulas of |x| whose result takes the sign of an odd power. */
static void fix_sign(const struct inherit_work *work, struct set *s)
{
    struct float_format const *f = &float_formats[work->v->fmt];
    uint64_t const x = work->v->enc[0][work->component], y = work->v->enc[1][work->component];
    uint64_t const size_y = func_magnitude(f, y);
    bool is_odd = false;
    if (work->a->formula == INHERIT_CL_POW) {
        is_odd = size_y != 0 && size_y < f->exp && func_get_kind(f, y) == FUNC_ODD;
    } else if (work->a->formula == INHERIT_CL_POWN || work->a->formula == INHERIT_CL_ROOTN) {
        is_odd = work->v->n % 2 != 0;
    }
    if (is_odd && (x & f->sign) != 0) {
        struct set const positive = *s;
        arith_negate(&positive, work->rules, s);
    }
}

/* Short cuts beside the formula: x itself near zero; zero for a power or root of zero. */
static void add_short_cuts(const struct inherit_work *work, struct set *out)
{
    uint64_t const ex = work->v->enc[0][work->component];
    double const x = accuracy_magnitude(work->v->fmt, ex);
    int const id = work->a->formula;
    if ((id == INHERIT_CL_ATANH || id == INHERIT_CL_SINH || id == INHERIT_CL_TANH) &&
        x <= 0x1p-10) {
        set_add(out, ex);
    }
    if ((id == INHERIT_CL_POW || id == INHERIT_CL_ROOTN) && !(x > 0)) {
        set_add(out, 0);
    }
}

/* OpenCL: adds the results of the formula, the short cuts beside it, and what is within the bound in ulps
 * that the table gives besides. 0: not certain. */
static int add_derived(struct inherit_work *work, const struct set *formula, struct set *out)
{
    struct set f = *formula, about;
    fix_sign(work, &f);
    set_add_set(out, &f);
    add_short_cuts(work, out);
    if (!(work->a->bound.ulp > 0)) {
        return 1;
    }
    struct func_args const args = get_args(work);
    bool const is_certain =
        func_permitted(work->a->func, ENV_CL, &args, &work->a->bound, work->rules, &about);
    set_add_set(out, &about);
    return is_certain;
}

/* --- one reading of the operands --- */

/* Vulkan: "not mathematically defined" or undefined by GLSL.std.450. */
static bool is_undefined_vk(const struct inherit_work *work)
{
    struct func_args const args = get_args(work);
    struct set special;
    if (work->a->func == FUNC_NONE || work->v->n_components > 1) {
        return false;
    }
    if (work->a->func == FUNC_POW && format_is_zero(&float_formats[args.fmt], args.enc[0])) {
        return true; /* log2(0) is undefined: a NaN is among its results */
    }
    return func_get_special(work->a->func, ENV_VK, &args, &special) &&
           (special.flags & SET_ANY) != 0;
}

/* Where the steps of formula `formula` on reading `reading` keep what all components share, or NULL. */
static struct inherit_run *find_run(const struct accuracy_operands *operands, unsigned reading,
                                    unsigned formula)
{
    bool const has_room = reading < INHERIT_MAX_READINGS && formula < INHERIT_MAX_FORMULAS;
    return operands->shared && has_room ? &operands->shared->run[reading][formula] : NULL;
}

/* Adds what the formulas give for `reading`, one choice of which subnormal operands are flushed. The results F of
 * all formulas count together: OpenCL permits F and what is near the exact value, Vulkan all that is no farther
 * from the exact value than F. Returns 0 where the result is not certain at any precision. */
static int add_reading(struct inherit_work *work, unsigned reading, struct set *out)
{
    const char *program = inherit_programs[work->a->formula];
    enum fmt_id const fmt = work->v->fmt;
    struct set formula, one;
    int is_certain = 1;
    bool const is_opencl = work->a->query.env == ENV_CL;
    if (is_opencl ? is_undefined_cl(work) : is_undefined_vk(work)) {
        set_any(out, fmt);
        return 1;
    }
    set_clear(&formula, fmt);
    /* inherit_parse takes the next formula of the text; one that may give anything decides */
    for (unsigned i = 0; (formula.flags & SET_ANY) == 0 && inherit_parse(&program, work); i++) {
        work->run = find_run(work->v, reading, i); /* keeps what all components share, or is NULL */
        is_certain = inherit_run_sets(work, &one) && is_certain;
        set_add_set(&formula, &one);
    }
    if (!is_certain) {
        return 0;
    }
    if (is_opencl) {
        return add_derived(work, &formula, out);
    }
    if (formula.flags != 0 || formula.n == 0) { /* "if NaN is permitted, any result" */
        set_any(out, fmt);
        return 1;
    }
    if (!is_finite(work->a, work->v)) { /* no distance from an exact value */
        set_add_set(out, &formula);
        return 1;
    }
    return add_symmetric(work, &formula, out);
}

/* No text of Vulkan gives the zero of such a result its sign. */
static void free_zeros(const struct accuracy *a, struct set *s)
{
    if (a->query.env == ENV_VK && (set_has(s, 0) || set_has(s, float_formats[s->fmt].sign))) {
        set_add_range(s, -1, 0);
    }
}

/* Add what one reading permits about its exact value; a formula says it of infinities and NaN. */
static int add_exact_reading(struct inherit_work *work, const struct func_bound *b, struct set *out)
{
    if (is_finite(work->a, work->v)) {
        return add_about(work, b, out);
    }
    struct set one;
    parse_exact(work);
    bool const is_certain = inherit_run_sets(work, &one);
    set_add_set(out, &one);
    return is_certain;
}

/* What all readings of the operands permit together, each a choice of which subnormals are flushed: within
 * *about of the exact value or, where that is NULL, by the formula. `common` is what the readings share
 * and has no operands yet. 0: one is not certain, and *out is anything. */
static int permit_readings(const struct inherit_work *common,
                           const struct accuracy_operands *operands, const struct fp_rules *r,
                           const struct func_bound *about, struct set *out)
{
    struct accuracy_operands reading = *operands;
    struct flushable x;
    set_clear(out, operands->fmt);
    find_flushable(common->a, r, &reading, &x);
    for (unsigned i = 0; i < count_readings(&x) && (out->flags & SET_ANY) == 0; i++) {
        struct inherit_work work = *common;
        reading = *operands;
        apply_reading(work.a, r, i, &reading);
        work.v = &reading;
        bool const is_certain =
            about ? add_exact_reading(&work, about, out) : add_reading(&work, i, out);
        if (!is_certain) {
            set_any(out, operands->fmt);
            return 0;
        }
    }
    free_zeros(common->a, out);
    func_finish(out, r);
    return 1;
}

int inherit_permitted(const struct accuracy *a, const struct accuracy_operands *operands,
                      uint32_t component, const struct fp_rules *r, inherit_permits *permits,
                      struct set *out)
{
    struct fp_rules rules = *r;
    if (rules.flush_out == FLUSH_MUST) { /* on the way it is a may */
        rules.flush_out = FLUSH_MAY;
    }
    if (a->query.env == ENV_VK) {
        rules.overflow_lax = 1;        /* V env precision, ULP */
        rules.rounding = ROUND_EITHER; /* modes "affect only correctly rounded instructions" */
    }
    struct inherit_work const common = {
        .a = a, .component = component, .rules = &rules, .permits = permits};
    return permit_readings(&common, operands, r, NULL, out);
}

int inherit_about_exact(const struct accuracy *a, const struct accuracy_operands *operands,
                        uint32_t component, const struct func_bound *b, const struct fp_rules *r,
                        inherit_permits *permits, struct set *out)
{
    struct inherit_work const common = {
        .a = a, .component = component, .rules = r, .permits = permits};
    return permit_readings(&common, operands, r, b, out);
}

/* oracle/sweep/sweep_double.c -- f64: arithmetic, roots and exact functions judged in pairs of doubles, whose
 * errors are known by error-free transformations; MPFR has the rest. Round to nearest is assumed. */
#include "oracle/sweep/sweep_double.h"

#include <math.h>

#include "base/audit_result.h"
#include "base/func_row.h"
#include "oracle/sweep/evaluator_kernel.h"
#include "oracle/sweep/sweep_judge.h"
#include "oracle/sweep/sweep_order.h"

/* Arguments and results outside have residuals that may underflow, or squares that do or overflow. */
#define SMALLEST 0x1p-900
#define LARGEST  0x1p900
/* Errors nearer than this to what they are compared with, in ulps, are MPFR's. */
#define MARGIN_ULP 0x1p-30
/* Larger errors are MPFR's: they do not come of rounding. */
#define MOST_ULP 0x1p20

/*
 * value = hi + lo to 2^-90 of itself and better. is_rounded: hi is the value correctly rounded, as the
 * processor gives it for the basic operations; is_exact: lo is 0, and whatever else came is MPFR's.
 */
struct pair {
    double hi, lo;
    int is_rounded, is_exact;
};
/* Left to MPFR. */
static const struct pair unknown = {0, 0, 0, 0};

static struct pair make_exact(double x)
{
    return (struct pair){x, 0, 1, 1};
}

static struct pair normalise(double hi, double lo)
{
    double const sum = hi + lo;
    return (struct pair){sum, (hi - sum) + lo, 0, 0};
}

/* Exact (Knuth). */
static struct pair add(double x, double y)
{
    double const sum = x + y, part = sum - x;
    return (struct pair){sum, (x - (sum - part)) + (y - part), 1, 0};
}

/* Exact where the product is no smaller than SMALLEST. */
static struct pair multiply(double x, double y)
{
    double const product = x * y;
    return (struct pair){product, fma(x, y, -product), 1, 0};
}

/* x - q y is a double: its quotient by y is lo, rounded. */
static struct pair divide(double x, double y)
{
    double const q = x / y;
    return (struct pair){q, fma(-q, y, x) / y, 1, 0};
}

/* sqrt(x) - q = (x - q^2) / (sqrt(x) + q), and the sum is 2 q to 2^-53. */
static struct pair take_root(double x)
{
    double const q = sqrt(x);
    return (struct pair){q, fma(-q, q, x) / (2 * q), 1, 0};
}

/* The squares in two parts each; their sum has one more, rounded. */
static struct pair take_hypot(double x, double y)
{
    double const a = fabs(x), b = fabs(y);
    if (!(a > 0x1p-400) || !(b > 0x1p-400) || !(a < 0x1p400) || !(b < 0x1p400)) {
        return unknown;
    }
    struct pair const xx = multiply(x, x), yy = multiply(y, y), sum = add(xx.hi, yy.hi);
    double const low = sum.lo + (xx.lo + yy.lo);
    double const q = sqrt(sum.hi);
    return normalise(q, (fma(-q, q, sum.hi) + low) / (2 * q));
}

/* With q near 1 / sqrt(x): q (1 + r / 2 + 3/8 r^2 + ...), r = 1 - x q^2 of about 2^-52. */
static struct pair take_inverse_root(double x)
{
    double const q = 1 / sqrt(x);
    struct pair const qq = multiply(q, q);
    double const r = fma(-x, qq.hi, 1) - x * qq.lo;
    return normalise(q, q * (r * 0.5));
}

/* With q near the root, wherever it is from: q + r / (3 q^2) - ..., r = x - q^3, if r / x is small. */
static struct pair take_cube_root(double x)
{
    double const q = cbrt(x);
    struct pair const qq = multiply(q, q), cube = multiply(qq.hi, q);
    double const r = ((x - cube.hi) - cube.lo) - qq.lo * q;
    if (!(fabs(r) < 0x1p-48 * fabs(x))) {
        return unknown;
    }
    return normalise(q, r / (3 * qq.hi));
}

static struct pair scale(double x, double hi, double lo)
{
    struct pair const p = multiply(x, hi);
    return normalise(p.hi, p.lo + x * lo);
}

/* The remainder |x| mod |y|, exactly, by long division of the significands, 11 bits at a time: a rest is
 * below 2^53, so that 64 bits hold the next dividend. *is_odd: is the truncated quotient odd? */
static double take_rest(double x, double y, int *is_odd)
{
    enum {
        STEP_BITS = 11
    };
    double const a = fabs(x), b = fabs(y);
    uint64_t const frac = ((uint64_t)1 << 52) - 1;
    *is_odd = 0;
    if (a < b) {
        return a;
    }
    uint64_t const dividend = (bits_of(a) & frac) + frac + 1;
    uint64_t const divisor = (bits_of(b) & frac) + frac + 1;
    uint64_t n_bits_left = (bits_of(a) >> 52) - (bits_of(b) >> 52);
    uint64_t quotient = dividend / divisor, rest = dividend % divisor;
    while (n_bits_left > 0 && rest > 0) {
        uint64_t const step = n_bits_left < STEP_BITS ? n_bits_left : STEP_BITS;
        quotient = (rest << step) / divisor;
        rest = (rest << step) % divisor;
        n_bits_left -= step;
    }
    *is_odd = (quotient & 1) != 0 && n_bits_left == 0;
    return ldexp((double)rest, (int)(bits_of(b) >> 52) - 1023 - 52);
}

static struct pair take_remainder(enum func_id func, double x, double y)
{
    int is_odd;
    double const rest = take_rest(x, y, &is_odd), b = fabs(y);
    bool const is_above =
        func == FUNC_REMAINDER && (rest > b - rest || (!(rest < b - rest) && is_odd));
    double const r = is_above ? rest - b : rest;
    return make_exact(x < 0 ? -r : r);
}

/* Computes a function of a normal number as an unevaluated sum of two doubles, to about twice
 * double's precision. Returns `unknown` where there is no evaluator for it; then MPFR judges. */
static struct pair evaluate_one(enum func_id func, double x)
{
    switch ((int)func) {
    case FUNC_SQRT:
        return x > 0 ? take_root(x) : unknown;
    case FUNC_RSQRT:
        return x > 0 ? take_inverse_root(x) : unknown;
    case FUNC_CBRT:
        return take_cube_root(x);
    case FUNC_RECIP:
        return divide(1, x);
    case FUNC_DEGREES:
        return scale(x, 0x1.ca5dc1a63c1f8p+5, -0x1.1e7ab456405f9p-49); /* 180 / pi in two doubles */
    case FUNC_RADIANS:
        return scale(x, 0x1.1df46a2529d39p-6, 0x1.5c1d8becdd291p-62); /* pi / 180 */
    case FUNC_FABS:
        return make_exact(fabs(x));
    case FUNC_FNEGATE:
        return make_exact(-x);
    case FUNC_CEIL:
        return make_exact(ceil(x));
    case FUNC_FLOOR:
        return make_exact(floor(x));
    case FUNC_TRUNC:
        return make_exact(trunc(x));
    case FUNC_RINT:
        return make_exact(rint(x));
    case FUNC_ROUND:
        return make_exact(round(x));
    case FUNC_SIGN:
        return make_exact(x > 0 ? 1 : -1); /* x is a normal number */
    case FUNC_LOGB:
        return make_exact(logb(x));
    }
    return unknown;
}

/* Computes a function of two normal numbers as an unevaluated sum of two doubles; `unknown` where
 * there is no evaluator for it. For equal magnitudes maxmag and minmag give the larger and the
 * smaller number, as fmax and fmin do. */
static struct pair evaluate_two(enum func_id func, double x, double y)
{
    switch ((int)func) {
    case FUNC_FADD:
        return add(x, y);
    case FUNC_FSUB:
        return add(x, -y);
    case FUNC_FDIM:
        return x > y ? add(x, -y) : make_exact(0);
    case FUNC_FMUL:
        return multiply(x, y);
    case FUNC_DIVIDE:
        return divide(x, y);
    case FUNC_HYPOT:
        return take_hypot(x, y);
    case FUNC_FMOD:
    case FUNC_FREM:
    case FUNC_REMAINDER:
        return take_remainder(func, x, y);
    case FUNC_COPYSIGN:
        return make_exact(copysign(x, y));
    case FUNC_MAXMAG:
        return make_exact(fabs(x) > fabs(y) ? x : (fabs(y) > fabs(x) || !(x > y) ? y : x));
    case FUNC_MINMAG:
        return make_exact(fabs(x) < fabs(y) ? x : (fabs(y) < fabs(x) || !(x < y) ? y : x));
    case FUNC_NEXTAFTER:
        return make_exact(nextafter(x, y));
    case FUNC_FMAX:
        return make_exact(x > y ? x : y);
    case FUNC_FMIN:
        return make_exact(x < y ? x : y);
    case FUNC_STEP: /* x is the edge */
        return make_exact(y < x ? 0 : 1);
    }
    return unknown;
}

static bool is_moderate(double x)
{
    return fabs(x) > SMALLEST && fabs(x) < LARGEST;
}

static struct pair evaluate(enum func_id func, double x, double y)
{
    struct pair const p =
        func_rows[func].n_args == 2 ? evaluate_two(func, x, y) : evaluate_one(func, x);
    /* of these the result is enough, of a quotient its dividend: the residual is 2^-53 of that */
    bool const is_free =
        func == FUNC_FADD || func == FUNC_FSUB || func == FUNC_FDIM || func == FUNC_FMUL;
    bool const has_room = is_free || (func == FUNC_DIVIDE && fabs(x) > SMALLEST) ||
                          (is_moderate(x) && is_moderate(y));
    return p.is_exact || (has_room && is_moderate(p.hi)) ? p : unknown;
}

int sweep_double_has(enum func_id func)
{
    if (func_rows[func].has_int || func_rows[func].n_args > 2) {
        return 0;
    }
    struct pair const p = evaluate(func, 1.5, 1.25);
    return p.is_exact || fabs(p.hi) > 0;
}

static bool is_normal(double x)
{
    return fabs(x) >= 0x1p-1022 && fabs(x) <= 0x1.fffffffffffffp1023;
}

/* The error *e in ulps, and whether got is the value correctly rounded. 0: MPFR has to say. */
static int measure(const struct pair *p, double got, int *is_rounded, double *e)
{
    double const a = fabs(p->hi);
    *e = 0;
    if ((p->is_exact || fabs(p->lo) <= 0) && bits_of(got) == bits_of(p->hi)) {
        *is_rounded = 1;
        return 1;
    }
    /* next to a power of two the ulp is that of either binade */
    if (p->is_exact || (bits_of(a) << 12) == 0) {
        return 0;
    }
    double const inverse_ulp = double_of((uint64_t)(2 * 1023 + 52 - (int)(bits_of(a) >> 52)) << 52);
    *e = ((got - p->hi) - p->lo) * inverse_ulp;
    double const m = fabs(*e);
    bool const is_hi = bits_of(got) == bits_of(p->hi);
    *is_rounded = p->is_rounded ? is_hi : m < 0.5;
    return m < MOST_ULP && ((p->is_rounded && is_hi) || fabs(m - 0.5) > MARGIN_ULP);
}

/* Is the bound kept: 1, 0, or -1: MPFR's. */
static int is_kept(const struct sweep_form *f, int is_rounded, double m)
{
    if (!f->has_bound || f->bound.anything || is_rounded) {
        return 1; /* the nearest one is permitted whatever the bound is */
    }
    double const bound = fmax(f->bound.ulp, 0.5);
    if (m < bound - MARGIN_ULP) {
        return 1;
    }
    bool const is_more = f->has_rule || f->bound.absolute > 0;
    return m > bound + MARGIN_ULP && !is_more ? 0 : -1;
}

/* Judges and records result i of a form, whose value is p, a pair of doubles. Where p does not
 * decide the error or the comparison with the bound, MPFR judges the result. */
static void judge(struct sweep *s, uint32_t form, const struct sweep_block *block, uint32_t i,
                  const struct pair *p)
{
    struct sweep_result *const r = &s->result[form];
    uint64_t const enc = sweep_load(FMT_F64, block->got[form], i);
    int is_rounded = 0;
    double e = 0;
    bool const is_known = measure(p, double_of(enc), &is_rounded, &e);
    double const m = fabs(e);
    /* is the bound kept? -1: MPFR has to tell */
    int const kept = is_known ? is_kept(&s->form[form], is_rounded, m) : -1;
    if (kept < 0) {
        sweep_judge_one(s, form, block, i);
        return;
    }
    struct sweep_worst const worst = {
        e,
        {sweep_load(FMT_F64, block->x, i), block->y ? sweep_load(FMT_F64, block->y, i) : 0, 0},
        enc
    };
    r->n++;
    r->n_numbers++;
    r->n_rounded += (uint64_t)is_rounded;
    sweep_add_error(r, m, 1);
    r->histogram[sweep_get_bin(m)]++;
    sweep_put_largest(s, form, &worst);
    if (kept == 0) {
        sweep_put_broken(r, &worst);
    }
}

/* Judges a block of f64. Where the value is known to about twice double's precision, results are judged by
 * that; the others by MPFR: special and subnormal inputs, results near the ends of the range, and other
 * rounding than to nearest. */
void sweep_block_double(struct sweep *s, const struct sweep_block *block)
{
    bool const is_nearest = s->rules.rounding == ROUND_RNE && s->rules.flush_out != FLUSH_MUST;
    for (uint32_t i = 0; i < block->n; i++) {
        double const x = double_of(sweep_load(FMT_F64, block->x, i));
        double const y = block->y ? double_of(sweep_load(FMT_F64, block->y, i)) : 1;
        struct pair p = unknown;
        if (is_nearest && is_normal(x) && is_normal(y)) {
            p = evaluate(s->func, x, y);
        }
        if (!p.is_exact && !is_moderate(p.hi)) {
            sweep_judge_input(s, block, i);
            continue;
        }
        for (uint32_t form = 0; form < s->n_forms; form++) {
            judge(s, form, block, i, &p);
        }
    }
    sweep_count_breaks(s, block, EVALUATOR_BASE);
}

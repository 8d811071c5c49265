/* oracle/group/reduction_bound.c -- terms by kind, and the proven bound of their sum or product. */
#include "oracle/group/reduction_bound.h"

#include <limits.h>
#include <math.h>

#include "base/format.h"
#include "oracle/num/real.h"
#include "oracle/num/set.h"

typedef real_wide wide;
__extension__ typedef __int128 signed_wide;

enum {
    TERM_BITS = 96,   /* of a term in fixed point; with 2^20 terms a sum has 116 */
    GUARD_BITS = 40,  /* below the 64 bits of a product that is scaled */
    MAX_GROWTH = 256, /* from here on nothing finite is excluded */
    MAX_TERMS = 1 << 20
};

/* --- the terms by kind --- */

static void look_at_live(struct reduction_view *view, uint64_t enc)
{
    struct reduction_part const x = reduction_split(view->f, enc);
    int const unit = x.exp + __builtin_ctzll(x.sig);
    int const top = x.exp + 63 - __builtin_clzll(x.sig);
    view->n_live++;
    view->unit = unit < view->unit ? unit : view->unit;
    view->top = top > view->top ? top : view->top;
}

/* Counts the terms by kind into *out. For the live terms (finite, not zero and, in a product, not
 * of magnitude one) it also computes the unit that they are multiples of and their largest
 * exponent; these tell whether a result may be flushed. */
void reduction_look(const struct reduction *r, struct reduction_view *out)
{
    struct float_format const *f = &float_formats[r->fmt];
    *out = (struct reduction_view){.f = f, .unit = INT_MAX, .top = INT_MIN};
    for (uint32_t i = 0; i < r->n; i++) {
        uint64_t const enc = r->term[i];
        int const negative = (enc & f->sign) != 0;
        out->negative ^= negative;
        if (format_is_nan(f, enc)) {
            out->nan_flags |= format_is_snan(f, enc) ? SET_QNAN | SET_SNAN : SET_QNAN;
        } else if ((enc & ~f->sign) == f->exp) {
            *(negative ? &out->n_minus_inf : &out->n_plus_inf) += 1;
        } else if (format_is_zero(f, enc)) {
            *(negative ? &out->n_minus_zero : &out->n_plus_zero) += 1;
        } else if (reduction_is_live(r, f, enc)) {
            look_at_live(out, enc);
        }
    }
    bool const flushes = r->rules.flush_in != FLUSH_NEVER || r->rules.flush_out != FLUSH_NEVER;
    if (flushes && out->n_live == 1) { /* the term itself */
        out->may_flush = out->top < f->emin;
    } else if (flushes && out->n_live != 0) {
        /* Sums are multiples of the unit: none is subnormal where the unit is a normal number. */
        out->may_flush = r->is_product ? reduction_may_vanish(r, out) : out->unit < f->emin;
    }
}

/* --- errors --- */

/* Above what the roundings of a double computation of at most 2^20 steps may take away. */
static double slack(double x)
{
    return x * (1 + 0x1p-30);
}

/* (1 + step)^k - 1, not below, where step is the largest relative error of one rounding. */
static double growth_of(double step, uint32_t k)
{
    return slack(expm1(k * log1p(step)));
}

/* The unit of a relative error: half an ulp of 1 to nearest, else a whole one. */
static double relative_step(const struct reduction *r)
{
    int const p = (int)float_formats[r->fmt].prec_bits;
    return ldexp(1, r->rules.rounding == ROUND_RNE ? -p : 1 - p);
}

static uint64_t round_signed(const struct float_format *f, signed_wide v, int exp,
                             enum real_mode mode)
{
    wide const magnitude = v < 0 ? -(wide)v : (wide)v;
    return real_round(f, real_of_wide(magnitude, exp, v < 0), mode);
}

/* --- sums, in fixed point --- */

/* Terms of each sign added up: between lo and hi times 2^exp. */
struct fixed_sums {
    int exp;
    struct fixed_sum {
        uint32_t n;
        wide lo, hi;
    } plus, minus;
};

/* Adds the live terms of each sign as multiples of 2^exp. That is their unit where all fit in TERM_BITS; otherwise
 * lower bits are cut off, and hi exceeds lo by one for each term that lost bits. */
static void add_up(const struct reduction *r, const struct reduction_view *view,
                   struct fixed_sums *out)
{
    struct float_format const *f = view->f;
    int const wanted = view->top + 1 - TERM_BITS;
    *out = (struct fixed_sums){.exp = wanted > view->unit ? wanted : view->unit};
    for (uint32_t i = 0; i < r->n; i++) {
        if (!reduction_is_live(r, f, r->term[i])) {
            continue;
        }
        struct reduction_part const x = reduction_split(f, r->term[i]);
        struct fixed_sum *const side = (r->term[i] & f->sign) != 0 ? &out->minus : &out->plus;
        wide whole, rest = 0;
        if (x.exp >= out->exp) {
            whole = (wide)x.sig << (x.exp - out->exp);
        } else if (out->exp - x.exp < 64) {
            whole = x.sig >> (out->exp - x.exp);
            rest = (whole << (out->exp - x.exp)) != x.sig;
        } else { /* the whole significand, of 64 bits at most, lies below 2^exp */
            whole = 0;
            rest = 1;
        }
        side->n++;
        side->lo += whole;
        side->hi += whole + rest;
    }
}

/* What n terms whose magnitudes add up to `sum` may be away from their exact sum, in units. */
static wide error_of(const struct reduction *r, wide sum, uint32_t n)
{
    if (n < 2) {
        return 0;
    }
    double const step = relative_step(r);
    /* Rump 2012: to nearest in any order, (n - 1) u without higher powers. */
    double const growth =
        r->rules.rounding == ROUND_RNE ? slack((n - 1) * step) : growth_of(step, n - 1);
    return (wide)slack((double)sum * growth) + 1;
}

/* What flushes may take away: one per leaf and step, and each later step may enlarge it. */
static wide flush_of(const struct reduction *r, const struct reduction_view *view, int exp)
{
    if (!view->may_flush) {
        return 0;
    }
    double const growth = growth_of(relative_step(r), view->n_live - 1);
    return (wide)slack(ldexp(2.0 * view->n_live - 1, view->f->emin - exp) * (1 + growth)) + 1;
}

/* Is everything finite permitted, since the terms are too many for a bound? */
static bool is_hopeless(const struct reduction *r, uint32_t n)
{
    return n >= MAX_TERMS || !(growth_of(relative_step(r), n - 1) < MAX_GROWTH);
}

static bool sum_overflows(const struct reduction *r, const struct reduction_view *view,
                          const struct fixed_sums *s, int negative)
{
    struct fixed_sum const *const side = negative ? &s->minus : &s->plus;
    if (side->n == 0) {
        return false;
    }
    /* A flush only takes away from terms of one sign. */
    wide const most = side->hi + error_of(r, side->hi, side->n);
    return real_round(view->f, real_of_wide(most, s->exp, 0), REAL_UP) == view->f->exp;
}

static signed_wide least_wide(signed_wide a, signed_wide b)
{
    return a < b ? a : b;
}

/* Bounds the sum of the live terms (finite, not zero) in any order, in fixed point (add_up). At each end the
 * tighter of two bounds holds. First, the exact sum lies in [plus.lo - minus.hi, plus.hi - minus.lo], and the
 * result of any order is at most `error` away from it. Second, no result exceeds what the terms of one sign alone
 * may give. Where the terms of one sign may saturate at the largest finite number, too little of them is added,
 * and the first bound does not hold at the other end. The bounds are rounded inward, since every result is a number
 * of the format. */
static void bound_sum(const struct reduction *r, const struct reduction_view *view,
                      struct reduction_hull *out)
{
    struct fixed_sums s;
    add_up(r, view, &s);
    bool const over = sum_overflows(r, view, &s, 0);  /* the positive terms alone */
    bool const under = sum_overflows(r, view, &s, 1); /* the negative terms alone */
    /* rounding to nearest overflows to an infinity, other rounding may stay at the largest finite number */
    bool const saturates = r->rules.rounding != ROUND_RNE;
    wide const error = error_of(r, s.plus.hi + s.minus.hi, view->n_live) + flush_of(r, view, s.exp);
    /* By monotonicity all orders lie between those of one sign alone. */
    wide const plus = s.plus.hi + error_of(r, s.plus.hi, s.plus.n);
    wide const minus = s.minus.hi + error_of(r, s.minus.hi, s.minus.n);
    /* minus_lo: the least result, negated */
    signed_wide hi = (signed_wide)plus, minus_lo = (signed_wide)minus;
    if (!(under && saturates)) {
        hi = least_wide(hi, (signed_wide)(s.plus.hi + error) - (signed_wide)s.minus.lo);
    }
    if (!(over && saturates)) {
        minus_lo = least_wide(minus_lo, (signed_wide)(s.minus.hi + error) - (signed_wide)s.plus.lo);
    }
    bool const has_inf = r->rules.rounding != ROUND_RTZ; /* toward zero no finite sum becomes one */
    out->hi = round_signed(view->f, hi, s.exp, REAL_DOWN);
    out->lo = round_signed(view->f, -minus_lo, s.exp, REAL_UP);
    out->has_plus_inf = over && has_inf;
    out->has_minus_inf = under && has_inf;
    out->has_nan = out->has_plus_inf && out->has_minus_inf; /* partial sums of both may meet */
}

/* --- products, with a floating point of 64 bits --- */

struct magnitude {
    uint64_t sig; /* top bit set */
    int exp;
};

/* Products of live terms: all, those above one, those below; each not above the exact one. */
struct products {
    struct magnitude all, above, below;
    uint32_t n_above, n_below;
};

static struct magnitude multiply(struct magnitude x, struct reduction_part y)
{
    int const n = __builtin_clzll(y.sig);
    wide const product = (wide)x.sig * (y.sig << n); /* 127 or 128 bits */
    int const carry = product >> 127 != 0;
    return (struct magnitude){(uint64_t)(product >> (carry ? 64 : 63)),
                              x.exp + y.exp - n + (carry ? 64 : 63)};
}

/* Multiplies the magnitudes of all live terms, of those of at least one, and of those below one. Digits
 * beyond 64 bits are cut off, so that no product is above the exact one. */
static void multiply_up(const struct reduction *r, const struct reduction_view *view,
                        struct products *out)
{
    struct magnitude const one = {UINT64_C(1) << 63, -63};
    *out = (struct products){.all = one, .above = one, .below = one};
    for (uint32_t i = 0; i < r->n; i++) {
        if (!reduction_is_live(r, view->f, r->term[i])) {
            continue;
        }
        struct reduction_part const x = reduction_split(view->f, r->term[i]);
        out->all = multiply(out->all, x);
        if (63 - __builtin_clzll(x.sig) + x.exp >= 0) {
            out->above = multiply(out->above, x);
            out->n_above++;
        } else {
            out->below = multiply(out->below, x);
            out->n_below++;
        }
    }
}

/* x of n terms in some order, at most: every rounding up, and what multiply() cut off. */
static struct real most_of(const struct reduction *r, struct magnitude x, uint32_t n)
{
    double const growth = n > 1 ? growth_of(relative_step(r), n - 1) : 0;
    double const units = ldexp((double)x.sig, GUARD_BITS) * (growth + n * 0x1p-61);
    wide const sig = ((wide)x.sig << GUARD_BITS) + (wide)slack(units) + 1;
    return real_of_wide(sig, x.exp - GUARD_BITS, 0);
}

/* The same at least: (1 - step)^k >= 1 - k step. */
static struct real least_of(const struct reduction *r, struct magnitude x, uint32_t n)
{
    double const loss = n > 1 ? slack((n - 1) * relative_step(r)) : 0;
    if (!(loss < 1)) {
        return (struct real){0, 0, 0};
    }
    wide const units = (wide)(slack(ldexp((double)x.sig, GUARD_BITS) * loss)) + 1;
    wide const sig = (wide)x.sig << GUARD_BITS;
    return real_of_wide(sig > units ? sig - units : 0, x.exp - GUARD_BITS, 0);
}

static bool product_vanishes(const struct reduction *r, const struct reduction_view *view,
                             const struct products *p)
{
    if (p->n_below == 0) {
        return false;
    }
    struct real const least = least_of(r, p->below, p->n_below);
    return least.sig == 0 || real_is_tiny(view->f, least);
}

static bool product_overflows(const struct reduction *r, const struct reduction_view *view,
                              const struct products *p)
{
    struct real const most = most_of(r, p->above, p->n_above);
    return p->n_above != 0 && real_round(view->f, most, REAL_UP) == view->f->exp;
}

static bool is_less(struct real x, struct real y)
{
    return x.exp != y.exp ? x.exp < y.exp : x.sig < y.sig;
}

/* Most of all orders where subnormals may arise: each step also adds up to the smallest subnormal,
 * and what is above one enlarges that. a + b <= 2 max(a, b). */
static struct real most_of_tiny(const struct reduction *r, const struct reduction_view *view,
                                const struct products *p)
{
    struct real const above = most_of(r, p->above, p->n_above);
    struct real relative = most_of(r, p->all, view->n_live);
    struct real absolute = above;
    absolute.exp += view->f->emin - (int)view->f->prec_bits + 1 + 32 - __builtin_clz(view->n_live);
    relative.exp++;
    absolute.exp++;
    struct real const sum = is_less(relative, absolute) ? absolute : relative;
    return is_less(above, sum) ? above : sum;
}

/* Bounds the product of the live terms in any order by magnitude. Where it may become subnormal on the way
 * it may be zero, and where it may stop at the largest finite number only the terms below one bound it
 * from below. */
static void bound_product(const struct reduction *r, const struct reduction_view *view,
                          struct reduction_hull *out)
{
    struct products p;
    multiply_up(r, view, &p);
    bool const over = product_overflows(r, view, &p), tiny = product_vanishes(r, view, &p);
    bool const saturates = r->rules.rounding != ROUND_RNE;
    struct real const most = tiny ? most_of_tiny(r, view, &p) : most_of(r, p.all, view->n_live);
    struct real least = least_of(r, p.all, view->n_live);
    if (over && saturates) {
        least = least_of(r, p.below, p.n_below);
    }
    *out = (struct reduction_hull){.has_plus_inf = over && r->rules.rounding != ROUND_RTZ};
    out->hi = real_round(view->f, most, REAL_DOWN);
    out->lo = tiny || least.sig == 0 ? 0 : real_round(view->f, least, REAL_UP);
    out->has_nan = out->has_plus_inf && tiny;
}

/* --- the door --- */

int reduction_may_overflow(const struct reduction *r, const struct reduction_view *view,
                           int negative)
{
    if (view->n_live == 0 || r->rules.rounding == ROUND_RTZ) {
        return 0;
    }
    if (is_hopeless(r, view->n_live)) {
        return 1;
    }
    if (r->is_product) {
        struct products p;
        multiply_up(r, view, &p);
        return product_overflows(r, view, &p);
    }
    struct fixed_sums s;
    add_up(r, view, &s);
    return sum_overflows(r, view, &s, negative);
}

int reduction_may_vanish(const struct reduction *r, const struct reduction_view *view)
{
    struct products p;
    if (view->n_live == 0 || is_hopeless(r, view->n_live)) {
        return view->n_live != 0;
    }
    multiply_up(r, view, &p);
    return product_vanishes(r, view, &p);
}

void reduction_bound(const struct reduction *r, const struct reduction_view *view,
                     struct reduction_hull *out)
{
    if (is_hopeless(r, view->n_live)) {
        bool const has_inf = r->rules.rounding != ROUND_RTZ;
        uint64_t const most = format_max_finite(view->f);
        *out = (struct reduction_hull){.lo = r->is_product ? 0 : view->f->sign | most,
                                       .hi = most,
                                       .has_plus_inf = has_inf,
                                       .has_minus_inf = has_inf && !r->is_product,
                                       .has_nan = has_inf};
        return;
    }
    if (r->is_product) {
        bound_product(r, view, out);
    } else {
        bound_sum(r, view, out);
    }
}

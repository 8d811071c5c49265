/* oracle/group/reduction.c -- permitted results of a float sum or product over a group in any order. */
#include "oracle/group/reduction.h"

#include <assert.h>

#include "base/format.h"
#include "oracle/group/reduction_bound.h"
#include "oracle/group/reduction_step.h"
#include "oracle/group/reduction_tree.h"
#include "oracle/num/arith.h"
#include "oracle/num/mp.h"
#include "oracle/num/real.h"

enum {
    KEY_MINUS_ZERO = -1, /* of format_to_key */
    KEY_PLUS_ZERO = 0
};

static void add_zeros(struct set *s)
{
    set_add_range(s, KEY_MINUS_ZERO, KEY_PLUS_ZERO);
}

/* --- results that every order gives --- */

/* Adds a zero of the sign that the terms decide (negative), or zeros of both signs where that is open (either). */
static void permit_zero(const struct reduction *r, int negative, int either, struct set *out)
{
    if (either || r->rules.zero_sign_free) {
        add_zeros(out);
    } else {
        set_add(out, negative ? float_formats[r->fmt].sign : 0);
    }
}

static bool is_either(const struct reduction *r)
{
    return r->rules.rounding == ROUND_EITHER;
}

/* Adds the terms where no order of them rounds a partial sum; returns 0 where one may round. All
 * live terms (finite, not zero), of which there is at least one, are multiples of 2^unit. Where
 * neither the positive nor the negative terms add up to more than 2^prec_bits units, every partial
 * sum lies between and is a number of units that the format holds. */
static int add_exactly(const struct reduction *r, const struct reduction_view *view,
                       struct set *out)
{
    struct float_format const *f = view->f;
    uint64_t const most = UINT64_C(1) << f->prec_bits;
    uint64_t plus = 0, minus = 0;                     /* in units */
    if (view->top - view->unit > (int)f->prec_bits) { /* one term alone has too many units */
        return 0;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        if (!reduction_is_live(r, f, r->term[i])) {
            continue;
        }
        struct reduction_part const x = reduction_split(f, r->term[i]);
        int const shift =
            x.exp - view->unit; /* a right shift loses only zeros, as unit divides x */
        uint64_t *const sum = r->term[i] & f->sign ? &minus : &plus;
        *sum += shift >= 0 ? x.sig << shift : x.sig >> -shift;
        if (*sum > most) {
            return 0;
        }
    }
    uint64_t const larger = plus > minus ? plus : minus; /* not 0: no live term is */
    int const top_bit = 63 - __builtin_clzll(larger);
    if (top_bit + view->unit > f->emax) {
        return 0;
    }
    if (plus == minus) {
        permit_zero(r, 0, is_either(r), out);
        return 1;
    }
    int64_t const difference = (int64_t)plus - (int64_t)minus;
    struct real x = real_of_int((uint64_t)difference, 1); /* signed */
    x.exp += view->unit;
    set_add(out, real_round(f, x, REAL_NEAREST));
    return 1;
}

/* Multiplies the terms where no order of them rounds a partial product; returns 0 where one may round. Each live
 * term (finite, not zero, not of magnitude one) is an odd number times a power of two. Where the product of all
 * odd parts is at most 2^prec_bits, so is every partial product. The positive exponents alone must not overflow,
 * and the negative ones alone must not go below the smallest subnormal. */
static int multiply_exactly(const struct reduction *r, const struct reduction_view *view,
                            struct set *out)
{
    struct float_format const *f = view->f;
    uint64_t odd = 1;
    int64_t plus = 0, minus = 0; /* exponents of the odd parts, by sign */
    for (uint32_t i = 0; i < r->n; i++) {
        if (!reduction_is_live(r, f, r->term[i])) {
            continue;
        }
        struct reduction_part const x = reduction_split(f, r->term[i]);
        int const n_zeros = __builtin_ctzll(x.sig);
        real_wide const product = (real_wide)odd * (x.sig >> n_zeros);
        if (product > (real_wide)1 << f->prec_bits) {
            return 0;
        }
        odd = (uint64_t)product;
        *(x.exp + n_zeros > 0 ? &plus : &minus) += x.exp + n_zeros;
    }
    if (plus + 63 - __builtin_clzll(odd) > f->emax || minus < f->emin - (int)f->prec_bits + 1) {
        return 0;
    }
    struct real x = real_of_int(odd, 0);
    x.exp += (int)(plus + minus);
    x.negative = view->negative;
    set_add(out, real_round(f, x, REAL_NEAREST));
    return 1;
}

enum side {
    SIDE_ALL,
    SIDE_ABOVE, /* above zero; in a product above one */
    SIDE_BELOW
};
/* Puts into search->term the live terms (those that can change a result: finite, not zero and, in a product, not
 * of magnitude one) of one side as doubles, in a product their magnitudes. 0: there are more than `limit`. */
static int gather(const struct reduction *r, enum side side, unsigned limit,
                  struct reduction_search *search)
{
    struct float_format const *f = &float_formats[r->fmt];
    search->n = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        if (!reduction_is_live(r, f, r->term[i])) {
            continue;
        }
        double const x = step_load(f, r->is_product ? r->term[i] & ~f->sign : r->term[i]);
        bool const is_above = x > (r->is_product ? 1.0 : 0.0);
        if (side != SIDE_ALL && is_above != (side == SIDE_ABOVE)) {
            continue;
        }
        if (search->n == limit) {
            return 0;
        }
        search->term[search->n++] = x;
    }
    return 1;
}

/* Adds what two live terms may give by the rules of one operation. Next to an identity they may be flushed
 * as results are, and the result as operands are. In a product the first takes the sign of all terms, of
 * those that are not live, zeros and ones, too. */
static void permit_pair(const struct reduction *r, const struct reduction_view *view,
                        struct set *out)
{
    struct float_format const *f = view->f;
    struct fp_rules rules = r->rules;
    struct set pair[2];
    struct set const *const args[] = {&pair[0], &pair[1]};
    unsigned n = 0;
    for (uint32_t i = 0; i < r->n && n < 2; i++) {
        if (reduction_is_live(r, f, r->term[i])) {
            uint64_t const sign = n == 0 && view->negative ? f->sign : 0;
            uint64_t const enc = r->is_product ? sign | (r->term[i] & ~f->sign) : r->term[i];
            set_of(&pair[n++], r->fmt, enc);
        }
    }
    assert(n == 2);
    if (rules.flush_in != FLUSH_NEVER || rules.flush_out != FLUSH_NEVER) {
        rules.flush_in = FLUSH_MAY;
        rules.flush_out = rules.flush_out == FLUSH_MUST ? FLUSH_MUST : FLUSH_MAY;
    }
    arith_apply(r->is_product ? ARITH_MUL : ARITH_ADD, args, &rules, 0, out);
}

/* Do infinities or zeros decide the sum, whatever its order? *out is then what they give, and *is_certain
 * whether no order gives anything else: the other terms may overflow to the opposite infinity on the way,
 * and make it a NaN. */
static bool decide_sum(const struct reduction *r, const struct reduction_view *view,
                       struct set *out, int *is_certain)
{
    bool const has_plus_inf = view->n_plus_inf != 0, has_minus_inf = view->n_minus_inf != 0;
    *is_certain = 1;
    if (has_plus_inf && has_minus_inf) {
        out->flags = SET_QNAN;
        return true;
    }
    if (has_plus_inf || has_minus_inf) {
        set_add(out, view->f->exp | (has_minus_inf ? view->f->sign : 0));
        *is_certain = !reduction_may_overflow(r, view, has_plus_inf);
        return true;
    }
    if (view->n_live == 0) {
        bool const is_mixed = view->n_plus_zero != 0 && view->n_minus_zero != 0;
        permit_zero(r, view->n_plus_zero == 0, is_mixed && is_either(r), out);
        return true;
    }
    return false;
}

/* The same of a product. */
static bool decide_product(const struct reduction *r, const struct reduction_view *view,
                           struct set *out, int *is_certain)
{
    bool const has_zero = view->n_plus_zero + view->n_minus_zero != 0;
    bool const has_inf = view->n_plus_inf + view->n_minus_inf != 0;
    *is_certain = 1;
    if (has_zero && has_inf) {
        out->flags = SET_QNAN;
    } else if (has_inf) {
        set_add(out, view->f->exp | (view->negative ? view->f->sign : 0));
        *is_certain = !reduction_may_vanish(r, view);
    } else if (has_zero) {
        permit_zero(r, view->negative, view->may_flush, out);
        *is_certain = !reduction_may_overflow(r, view, 0);
    }
    return has_zero || has_inf;
}

/* Does every order give the same result, *out? The cases without a term, with NaNs, infinities or zeros come
 * first; then terms that no order rounds; then two terms with one way to round. Otherwise *out is empty, or holds
 * the infinity or zero that is the result unless other terms make it a NaN. */
static bool is_exact(const struct reduction *r, const struct reduction_view *view, struct set *out)
{
    int is_certain;
    set_clear(out, r->fmt);
    if (r->n == 0 && r->is_product) {
        set_add(out, (view->f->exp >> 1) & view->f->exp); /* 1, whose exponent field is the bias */
        return true;
    }
    if (r->n == 0) {
        permit_zero(r, 0, 0, out);
        return true;
    }
    if (view->nan_flags != 0) {
        out->flags = (uint8_t)view->nan_flags;
        return true;
    }
    if (r->is_product ? decide_product(r, view, out, &is_certain)
                      : decide_sum(r, view, out, &is_certain)) {
        return is_certain;
    }
    if (view->may_flush) { /* which steps flush depends on the order */
        return false;
    }
    if (r->is_product ? multiply_exactly(r, view, out) : add_exactly(r, view, out)) {
        return true;
    }
    bool const is_one_step = view->n_live == 2 && !is_either(r);
    if (is_one_step) {
        permit_pair(r, view, out);
    }
    return is_one_step;
}

int reduction_is_exact(const struct reduction *r, struct set *out)
{
    struct reduction_view view;
    reduction_look(r, &view);
    return is_exact(r, &view, out);
}

/* --- hulls --- */

/* Adds the numbers from lo to hi, which are encodings, and of the zeros between those whose sign may come
 * of a sum of the terms. Nothing if lo is above hi. */
static void permit_sums(const struct reduction *r, const struct reduction_view *view, uint64_t lo,
                        uint64_t hi, struct set *out)
{
    struct float_format const *f = view->f;
    int64_t const first = format_is_zero(f, lo) ? 0 : format_to_key(f, lo);
    int64_t const last = format_is_zero(f, hi) ? 0 : format_to_key(f, hi);
    if (first > last) {
        return;
    }
    if (first <= 0 && last >= 0) {
        /* Terms that are not all -0 never add up to it but by one of these. */
        bool const has_minus_zero = is_either(r) || view->may_flush || r->rules.zero_sign_free;
        if (first < 0) {
            set_add_range(out, first, KEY_MINUS_ZERO - 1);
        }
        set_add_range(out, has_minus_zero ? KEY_MINUS_ZERO : KEY_PLUS_ZERO, last);
        return;
    }
    set_add_range(out, first, last);
}

/* Magnitudes from lo to hi. */
static void permit_products(const struct reduction *r, const struct reduction_view *view,
                            uint64_t lo, uint64_t hi, struct set *out)
{
    if (lo > hi) {
        return;
    }
    if (view->negative) {
        set_add_range(out, KEY_MINUS_ZERO - (int64_t)hi, KEY_MINUS_ZERO - (int64_t)lo);
    } else {
        set_add_range(out, (int64_t)lo, (int64_t)hi);
    }
    if (lo == 0 && (view->may_flush || r->rules.zero_sign_free)) {
        add_zeros(out);
    }
}

static void permit_bound(const struct reduction *r, const struct reduction_view *view,
                         struct set *out)
{
    struct float_format const *f = view->f;
    struct reduction_hull hull;
    reduction_bound(r, view, &hull);
    if (r->is_product) {
        permit_products(r, view, hull.lo, hull.hi, out);
    } else {
        permit_sums(r, view, hull.lo, hull.hi, out);
    }
    if (hull.has_plus_inf) {
        set_add(out, f->exp | (r->is_product && view->negative ? f->sign : 0));
    }
    if (hull.has_minus_inf) {
        set_add(out, f->exp | f->sign);
    }
    out->flags |= hull.has_nan ? SET_QNAN : 0;
}

/* How far a search may go. */
struct effort {
    unsigned limit; /* of terms */
    struct arena *a;
};

static int search(const struct reduction *r, const struct reduction_view *view, enum side side,
                  const struct effort *effort, struct reduction_extremes *out)
{
    struct reduction_search search = {.fmt = r->fmt,
                                      .is_product = r->is_product,
                                      .rounding = r->rules.rounding,
                                      .may_flush = view->may_flush,
                                      .must_flush = r->rules.flush_out == FLUSH_MUST};
    if (!gather(r, side, effort->limit, &search)) {
        return 0;
    }
    if (search.n == 0) {
        *out = (struct reduction_extremes){.lo = r->is_product, .hi = r->is_product};
        return 1;
    }
    return reduction_find_extremes(&search, effort->a, out);
}

/* *out holds the zero or infinity that decides. May the other terms turn it into a NaN, as an opposite
 * infinity that they overflow to? In a product a zero times an infinity is a NaN. */
static enum reduction_proof permit_special(const struct reduction *r,
                                           const struct reduction_view *view,
                                           const struct effort *effort, struct set *out)
{
    struct reduction_extremes e;
    bool const has_zero = view->n_plus_zero + view->n_minus_zero != 0;
    bool const is_above = r->is_product ? has_zero : view->n_minus_inf != 0;
    if (!search(r, view, is_above ? SIDE_ABOVE : SIDE_BELOW, effort, &e)) {
        out->flags = SET_QNAN;
        return REDUCTION_BOUND;
    }
    double const infinity = (double)INFINITY;
    int const meets = r->is_product ? (is_above ? e.hi >= infinity : e.lo <= 0)
                                    : (is_above ? e.hi >= infinity : e.lo <= -infinity);
    out->flags = meets ? SET_QNAN : 0;
    return meets ? REDUCTION_EXTREMES : REDUCTION_EXACT;
}

static enum reduction_proof permit_search(const struct reduction *r,
                                          const struct reduction_view *view,
                                          const struct effort *effort, struct set *out)
{
    struct reduction_extremes e;
    struct step const w = step_make(r->fmt, r->is_product, REAL_NEAREST);
    if (!search(r, view, SIDE_ALL, effort, &e)) {
        permit_bound(r, view, out);
        return REDUCTION_BOUND;
    }
    if (e.lo <= e.hi && r->is_product) {
        permit_products(r, view, step_store(&w, e.lo), step_store(&w, e.hi), out);
    } else if (e.lo <= e.hi) {
        permit_sums(r, view, step_store(&w, e.lo), step_store(&w, e.hi), out);
    }
    out->flags |= e.may_be_nan ? SET_QNAN : 0;
    return REDUCTION_EXTREMES;
}

/* One live term that may be flushed. */
static void permit_one(const struct reduction *r, const struct reduction_view *view,
                       struct set *out)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (reduction_is_live(r, view->f, r->term[i])) {
            uint64_t const sign = view->negative ? view->f->sign : 0;
            set_add(out, r->is_product ? sign | (r->term[i] & ~view->f->sign) : r->term[i]);
        }
    }
    add_zeros(out);
}

/* Computes the permitted set, the cheapest method first: a result that every order gives; a
 * special value unless it becomes a NaN; one or two live terms; the extremes of all orders if the
 * terms are few enough for the effort; else the proven bound. */
static enum reduction_proof permit(const struct reduction *r, const struct effort *effort,
                                   struct set *out)
{
    struct reduction_view view;
    enum reduction_proof proof = REDUCTION_EXTREMES;
    reduction_look(r, &view);
    if (is_exact(r, &view, out)) {
        return REDUCTION_EXACT;
    }
    if (!set_is_empty(out)) {
        return permit_special(r, &view, effort, out);
    }
    set_clear(out, r->fmt);
    if (view.n_live == 1) {
        permit_one(r, &view, out);
    } else if (view.n_live == 2) {
        permit_pair(r, &view, out);
    } else {
        proof = permit_search(r, &view, effort, out);
    }
    if (r->rules.flush_out == FLUSH_MUST &&
        r->n > 1) { /* at least one step, whose result is flushed */
        set_remove_subnormals(out);
    }
    return proof == REDUCTION_EXTREMES && set_count(out) == 1 ? REDUCTION_EXACT : proof;
}

enum reduction_proof reduction_permitted(const struct reduction *r, int may_search, struct arena *a,
                                         struct set *out)
{
    struct effort const effort = {.limit = may_search ? REDUCTION_MAX_TREE : REDUCTION_MAX_QUICK,
                                  .a = a};
    return permit(r, &effort, out);
}

int reduction_keeps_precision(const struct reduction *r, uint64_t got)
{
    struct effort const none = {.limit = 0}; /* no extremes: the bound */
    struct reduction any = *r;
    struct set s;
    any.rules.rounding = ROUND_EITHER;
    (void)permit(&any, &none, &s);
    return set_has(&s, got);
}

int reduction_is_zero_seed(const struct reduction *r, uint64_t got)
{
    struct float_format const *f = &float_formats[r->fmt];
    struct set terms;
    if (r->is_product || !format_is_zero(f, got)) {
        return 0;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        if (!format_is_zero(f, r->term[i])) {
            return 0;
        }
    }
    return reduction_is_exact(r, &terms) && !set_has(&terms, got);
}

/* --- sums that were kept wider than their type --- */

/* One step of the enclosure low <= exact <= high; of a product the magnitudes. A struct mp_num holds its
 * digits itself: nothing is to be cleared here, or where one is left early. */
static void enclose_step(const struct reduction *r, struct mp_num *low, struct mp_num *high,
                         uint64_t enc)
{
    const struct float_format *f = &float_formats[r->fmt];
    struct mp_num term;
    mp_init(&term, f->prec_bits);
    mp_set_enc(&term, f, r->is_product ? enc & ~f->sign : enc);
    if (r->is_product) {
        (void)mpfr_mul(low->v, low->v, term.v, MPFR_RNDD);
        (void)mpfr_mul(high->v, high->v, term.v, MPFR_RNDU);
    } else {
        (void)mpfr_add(low->v, low->v, term.v, MPFR_RNDD);
        (void)mpfr_add(high->v, high->v, term.v, MPFR_RNDU);
    }
}

/*
 * Is `got` a neighbour of the exact sum or product, as where steps are computed wider than the type and
 * only the result is rounded? Encloses the exact result in wide arithmetic; its neighbours in the format
 * are taken to be those of the enclosure. Of a product magnitudes are multiplied, and the sign of `got` is
 * turned by those of the terms.
 */
int reduction_is_wider(const struct reduction *r, uint64_t got)
{
    const struct float_format *f = &float_formats[r->fmt];
    unsigned long const neutral = r->is_product ? 1 : 0;
    struct mp_num low, high;
    uint64_t signs = 0;
    if (r->n == 0 || format_is_nan(f, got)) {
        return 0;
    }
    mp_init(&low, MP_MAX_PREC_BITS);
    mp_init(&high, MP_MAX_PREC_BITS);
    (void)mpfr_set_ui(low.v, neutral, MPFR_RNDN);
    (void)mpfr_set_ui(high.v, neutral, MPFR_RNDN);
    for (uint32_t i = 0; i < r->n; i++) {
        if ((r->term[i] & f->exp) == f->exp) {
            return 0; /* an infinity or a NaN decides in any precision */
        }
        signs ^= r->term[i] & f->sign;
        enclose_step(r, &low, &high, r->term[i]);
    }
    uint64_t const a = mp_round(f, low.v, REAL_DOWN), b = mp_round(f, high.v, REAL_UP);
    int64_t const key = format_to_key(f, r->is_product ? got ^ signs : got);
    return key >= format_to_key(f, a) && key <= format_to_key(f, b);
}

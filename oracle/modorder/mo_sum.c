/* oracle/modorder/mo_sum.c -- what the final value of a location says, without a look at the originals. */
#include "oracle/modorder/mo_sum.h"

#include <string.h>

#include "oracle/modorder/mo_step.h"

enum {
    ORDERS_TRIED = 256,    /* random orders of unused additions */
    ORDERS_WORK = 1 << 11, /* steps spent on them */
    ORDERS_MAX_N = 64      /* of more additions than that only the bound is checked */
};

/* ---- integers of BIG_LIMBS * 64 bits: sums in units of the format's smallest subnormal, without rounding ---- */

enum {
    BIG_LIMBS = 37 /* f64: 2098 bits; 2^32 addends: 32 more; the factors of a bound: 2 * 53 + 64 */
};
struct big {
    uint64_t limb[BIG_LIMBS]; /* lowest first */
};

/* b += v * 2^shift */
static void big_add_shifted(struct big *b, uint64_t v, unsigned shift)
{
    unsigned const bit = shift % 64;
    uint64_t part[2] = {v << bit, bit ? v >> (64 - bit) : 0};
    uint64_t carry = 0;
    for (unsigned i = shift / 64, k = 0; i < BIG_LIMBS && (k < 2 || carry); i++, k++) {
        uint64_t const add = k < 2 ? part[k] : 0;
        uint64_t const sum = b->limb[i] + add;
        uint64_t const out = sum < add;
        b->limb[i] = sum + carry;
        carry = out | (b->limb[i] < sum);
    }
}

static int big_compare(const struct big *x, const struct big *y)
{
    for (unsigned i = BIG_LIMBS; i > 0; i--) {
        if (x->limb[i - 1] != y->limb[i - 1]) {
            return x->limb[i - 1] > y->limb[i - 1] ? 1 : -1;
        }
    }
    return 0;
}

/* x - y, x >= y */
static struct big big_less(const struct big *x, const struct big *y)
{
    struct big d;
    uint64_t borrow = 0;
    for (unsigned i = 0; i < BIG_LIMBS; i++) {
        uint64_t const part = x->limb[i] - y->limb[i];
        uint64_t const out = x->limb[i] < y->limb[i];
        d.limb[i] = part - borrow;
        borrow = out | (part < borrow);
    }
    return d;
}

/* |x - y| */
static struct big big_difference(const struct big *x, const struct big *y)
{
    return big_compare(x, y) >= 0 ? big_less(x, y) : big_less(y, x);
}

/* b += x * v * 2^shift, v < 2^32 */
static void big_add_product(struct big *b, const struct big *x, uint64_t v, unsigned shift)
{
    for (unsigned i = 0; i < BIG_LIMBS; i++) {
        unsigned const at = 64 * i + shift;
        if (x->limb[i] != 0) {
            big_add_shifted(b, (x->limb[i] & UINT32_MAX) * v, at);
            big_add_shifted(b, (x->limb[i] >> 32) * v, at + 32);
        }
    }
}

/* Bits up to the highest that is set. */
static unsigned big_length(const struct big *b)
{
    for (unsigned i = BIG_LIMBS; i > 0; i--) {
        if (b->limb[i - 1] != 0) {
            unsigned n = 64 * i;
            while (!(b->limb[i - 1] >> ((n - 1) % 64) & 1)) {
                n--;
            }
            return n;
        }
    }
    return 0;
}

/* |enc|, a finite number, in multiples of the smallest subnormal: sig * 2^shift. */
static uint64_t significand(const struct float_format *f, uint64_t enc, unsigned *shift)
{
    uint64_t const field = (enc & f->exp) >> (f->prec_bits - 1);
    *shift = field ? (unsigned)field - 1 : 0;
    return (enc & f->frac) | (field ? f->frac + 1 : 0);
}

/* b += |enc| * 2^scale */
static void big_add_number(struct big *b, const struct float_format *f, uint64_t enc,
                           unsigned scale)
{
    unsigned shift;
    uint64_t const sig = significand(f, enc, &shift);
    big_add_shifted(b, sig, shift + scale);
}

/* b += x * 2^shift */
static void big_add(struct big *b, const struct big *x, unsigned shift)
{
    big_add_product(b, x, 1, shift);
}

/* ---- sums of floats ---- */

/* What is added up: the initial value and the operands of all additions. */
struct addends {
    struct big plus, minus; /* sums of magnitudes */
    uint32_t n;             /* additions; the initial value is an additional addend */
    unsigned lowest;        /* every addend is a multiple of 2^lowest subnormals */
    bool has_nan, has_plus_inf, has_minus_inf;
    bool has_plus_zero, has_minus_zero, has_nonzero;
};

static void count_addend(const struct float_format *f, uint64_t enc, struct addends *s)
{
    s->has_plus_zero |= enc == 0;
    s->has_minus_zero |= enc == f->sign;
    s->has_nonzero |= !format_is_zero(f, enc);
    s->has_nan |= format_is_nan(f, enc);
    s->has_plus_inf |= enc == f->exp;
    s->has_minus_inf |= enc == (f->exp | f->sign);
    if ((enc & f->exp) == f->exp || format_is_zero(f, enc)) {
        return;
    }
    unsigned shift;
    uint64_t sig = significand(f, enc, &shift);
    big_add_shifted(enc & f->sign ? &s->minus : &s->plus, sig, shift);
    for (; !(sig & 1); sig >>= 1) {
        shift++;
    }
    s->lowest = shift < s->lowest ? shift : s->lowest;
}

/* Counts the addends in *s. false unless all events are additions of floats or loads, and all operands, the initial
 * and the final value are known. */
static bool count_addends(const struct mo_job *j, struct addends *s)
{
    memset(s, 0, sizeof *s);
    s->lowest = UINT32_MAX;
    if (!j->p->is_float || !j->p->knows_initial || !j->p->knows_final || j->n_no_operand) {
        return false;
    }
    count_addend(j->format, j->initial, s);
    for (uint32_t i = 0; i < j->n; i++) {
        if (j->events[i].op == MO_LOAD) {
            continue;
        }
        if (j->events[i].op != MO_FADD) {
            return false;
        }
        count_addend(j->format, j->events[i].operand, s);
        s->n++;
    }
    return s->n > 0;
}

static bool may_flush(const struct mo_job *j)
{
    return j->p->rules.flush_in != FLUSH_NEVER || j->p->rules.flush_out != FLUSH_NEVER;
}

/* The encoding of a sum that the format represents exactly. */
static uint64_t encode(const struct float_format *f, const struct big *b)
{
    unsigned const n = big_length(b);
    unsigned const shift = n > f->prec_bits ? n - f->prec_bits : 0;
    uint64_t sig = b->limb[shift / 64] >> (shift % 64);
    if (shift % 64) {
        sig |= b->limb[shift / 64 + 1] << (64 - shift % 64);
    }
    return ((uint64_t)shift << (f->prec_bits - 1)) + sig;
}

/* Do all orders of the additions end at the same value, *expected? They do if all addends are multiples of 2^lowest
 * and the sum of all magnitudes is at most 2^(lowest + p), p being the bits of precision: each partial sum is then
 * exact in every rounding. Numbers are in units of the smallest subnormal. false also where NaNs, infinities, overflow or
 * flushing may have an effect: a partial sum may be subnormal if it may be less than 2^(p - 1) units (may_be_tiny). If all
 * addends are zeros, the sum is -0 only if all are -0. */
static bool is_order_free(const struct mo_job *j, const struct addends *s, uint64_t *expected)
{
    const struct float_format *f = j->format;
    struct big all = s->plus, limit = {{0}}, largest = {{0}};
    if (s->has_nan || s->has_plus_inf || s->has_minus_inf) {
        return false;
    }
    big_add(&all, &s->minus, 0);
    if (big_length(&all) == 0) {
        *expected = s->has_plus_zero ? 0 : f->sign;
        return true;
    }
    big_add_shifted(&limit, 1, s->lowest + f->prec_bits);
    big_add_number(&largest, f, format_max_finite(f), 0);
    bool const may_round = big_compare(&all, &limit) > 0;
    bool const may_be_tiny = s->lowest < f->prec_bits - 1;
    if (may_round || big_compare(&all, &largest) > 0 || (may_flush(j) && may_be_tiny)) {
        return false;
    }
    struct big const sum = big_difference(&s->plus, &s->minus);
    *expected = encode(f, &sum);
    if (big_compare(&s->plus, &s->minus) < 0) {
        *expected |= f->sign;
    }
    return true;
}

/* Are x and y zeros that are both permitted? A sum that cancels, or a sum of zeros of both signs, is +0, but -0 when
 * rounded downward: either zero is permitted where the rounding is free. */
static bool is_same_zero(const struct mo_job *j, const struct addends *s, uint64_t x, uint64_t y)
{
    bool const is_cancelled = s->has_nonzero || (s->has_plus_zero && s->has_minus_zero);
    bool const is_free = j->zero_blind || (is_cancelled && j->p->rules.rounding == ROUND_EITHER);
    return is_free && format_is_zero(j->format, x) && format_is_zero(j->format, y);
}

/*
 * How far n additions, in any order, may end from their exact sum; `all` is the sum of the magnitudes of
 * the addends. The bound is in units of 2^-scale of the smallest subnormal, so that it is an integer. With p
 * bits of precision and u = 2^-p:
 *   to nearest        n u all (Rump)
 *   other roundings   ((1 + x)^n - 1) all with x = 2u, at most (nx + (nx)^2) all for nx <= 1
 * and where results may be flushed (2n + 1) times the smallest normal number more. false: no bound known.
 */
static bool error_bound(const struct mo_job *j, const struct addends *s, const struct big *all,
                        unsigned *scale, struct big *bound)
{
    unsigned const p = j->format->prec_bits;
    memset(bound, 0, sizeof *bound);
    if (j->p->rules.rounding == ROUND_RNE) {
        *scale = p;
        big_add_product(bound, all, s->n, 0);
    } else {
        struct big times_n = {{0}};
        *scale = 2 * (p - 1);
        if (p < 33 && s->n > UINT32_C(1)
                                 << (p - 1)) { /* nx > 1; no uint32_t is so large for p >= 33 */
            return false;
        }
        big_add_product(&times_n, all, s->n, 0);
        big_add(bound, &times_n, p - 1);
        big_add_product(bound, &times_n, s->n, 0);
    }
    if (may_flush(j)) {
        big_add_shifted(bound, 2 * (uint64_t)s->n + 1, p - 1 + *scale); /* (2n+1) 2^emin */
    }
    return true;
}

/* May the addends of one sign (`part`, the sum of their magnitudes) alone reach infinity, or the largest finite value? */
static bool may_overflow(const struct mo_job *j, const struct addends *s, const struct big *part)
{
    struct big bound, reach = {{0}}, limit = {{0}};
    unsigned scale;
    if (!error_bound(j, s, part, &scale, &bound)) {
        return true;
    }
    big_add(&reach, part, scale);
    big_add(&reach, &bound, 0);
    big_add_number(&limit, j->format, format_max_finite(j->format), scale);
    return big_compare(&reach, &limit) > 0;
}

/* Is a finite final value within the bound of any order, from the exact sum? */
static bool is_near(const struct mo_job *j, const struct addends *s)
{
    struct big all = s->plus, bound, scaled = {{0}}, plus = s->plus, minus = s->minus;
    unsigned scale;
    big_add(&all, &s->minus, 0);
    if (!error_bound(j, s, &all, &scale, &bound)) {
        return true;
    }
    /* |final - (plus - minus)| = |plus - (minus + final)| */
    big_add_number(j->final & j->format->sign ? &plus : &minus, j->format, j->final, 0);
    struct big const off = big_difference(&plus, &minus);
    big_add(&scaled, &off, scale);
    return big_compare(&scaled, &bound) <= 0;
}

/* Is the final value within the bounds of any order of the additions? A NaN or an infinity must be among the addends,
 * or come of an overflow of all positive or of all negative addends. If a rounding may stop at the largest finite
 * number (may_saturate), a finite sum has no bound. */
static bool is_within_bounds(const struct mo_job *j, const struct addends *s)
{
    const struct float_format *f = j->format;
    bool const may_plus = s->has_plus_inf || may_overflow(j, s, &s->plus);
    bool const may_minus = s->has_minus_inf || may_overflow(j, s, &s->minus);
    bool const may_saturate = j->p->rules.rounding != ROUND_RNE && (may_plus || may_minus);
    if (format_is_nan(f, j->final)) {
        return s->has_nan || (may_plus && may_minus);
    }
    if (s->has_nan || (s->has_plus_inf && s->has_minus_inf)) {
        return false;
    }
    if (j->final == f->exp) {
        return may_plus && !s->has_minus_inf;
    }
    if (j->final == (f->exp | f->sign)) {
        return may_minus && !s->has_plus_inf;
    }
    if (s->has_plus_inf || s->has_minus_inf) {
        return false;
    }
    return may_saturate || is_near(j, s);
}

/* ---- integers, and random orders ---- */

/* Are all events integer operations of one kind that commutes, so that all orders end at one value? All kinds from
 * MO_IADD on commute; IADD and ISUB are of one kind. */
static bool commutes(const struct mo_job *j)
{
    int first = -1;
    if (j->p->is_float || !j->p->knows_initial || !j->p->knows_final || j->n_no_operand) {
        return false;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        int const op = j->events[i].op == MO_ISUB ? MO_IADD : (int)j->events[i].op;
        if (mo_is_idle(&j->events[i])) {
            continue;
        }
        if (op < (int)MO_IADD || (first >= 0 && op != first)) {
            return false;
        }
        first = op;
    }
    return first >= 0;
}

/* The final value when the events happen in the order of the array. */
static uint64_t run_in_given_order(const struct mo_job *j)
{
    struct mo_state v = mo_value(j->initial);
    for (uint32_t i = 0; i < j->n; i++) {
        struct mo_heads h;
        if (j->events[i].op != MO_LOAD) {
            mo_step(j, &j->events[i], v, &h);
            v = h.s[0];
        }
    }
    return v.bits;
}

static bool has_state(const struct mo_heads *all, struct mo_state s)
{
    for (uint32_t i = 0; i < all->n; i++) {
        if (all->s[i].kind == s.kind && all->s[i].bits == s.bits) {
            return true;
        }
    }
    return false;
}

/* Replaces the states in *all by those that the event may leave of them, at most MO_MAX_HEADS. */
static void step_all(const struct mo_job *j, uint32_t event, struct mo_heads *all)
{
    struct mo_heads const before = *all;
    all->n = 0;
    for (uint32_t i = 0; i < before.n; i++) {
        struct mo_heads left;
        mo_step(j, &j->events[event], before.s[i], &left);
        for (uint32_t k = 0; k < left.n; k++) {
            if (all->n < MO_MAX_HEADS && !has_state(all, left.s[k])) {
                all->s[all->n++] = left.s[k];
            }
        }
    }
}

/* Does a random order that keeps program order and phases end at the final value? `all` holds the states in which the
 * location may be. `at` has the next event of each queue; the first n_open queues have events left in this phase. */
static bool try_order(const struct mo_job *j, struct rng *rng, uint32_t *at)
{
    struct mo_heads all = {.n = 1, .is_complete = true};
    all.s[0] = mo_value(j->initial);
    memcpy(at, j->queue, sizeof *at * j->n_queues);
    for (uint32_t p = 0; p < j->n_phases; p++) {
        for (uint32_t n_open = j->n_queues; n_open > 0;) {
            uint32_t const q = (uint32_t)rng_below(rng, n_open);
            uint32_t const event = at[q];
            if (event == MO_NONE || mo_phase_of(j, event) > p) {
                n_open--; /* the queue has no event left in this phase: moves after the open ones */
                at[q] = at[n_open];
                at[n_open] = event;
                continue;
            }
            step_all(j, event, &all);
            at[q] = j->next[event];
        }
    }
    for (uint32_t i = 0; i < all.n; i++) {
        if (mo_ends_at(j, all.s[i], j->final)) {
            return true;
        }
    }
    return false;
}

static bool try_orders(const struct mo_job *j)
{
    uint32_t *at = ARENA_NEW(j->a, uint32_t, j->n_queues + 1);
    uint32_t const n_tries = 1 + ORDERS_WORK / (j->n + 1);
    struct rng rng = rng_seed(hash_bytes(1, &j->final, sizeof j->final));
    for (uint32_t i = 0; at && i < n_tries && i < ORDERS_TRIED; i++) {
        if (try_order(j, &rng, at)) {
            return true;
        }
    }
    return false;
}

/* out->expected is the only possible final value. That alone decides only if no original was observed. */
static void answer_exact(struct mo_sum *out, bool is_right, bool is_unobserved)
{
    enum sum_answer const right = is_unobserved ? SUM_OK : SUM_INSIDE;
    out->is_exact = true;
    out->answer = is_right ? right : SUM_WRONG;
}

/* The exact method is tried first, for integers and for floats; then random orders, if no original was observed, and
 * not of many additions, where the bound is enough; then the bound. Only if no original was observed and the initial
 * value and all operands are known (is_unobserved) does the final value decide alone: SUM_OK, also if the final value
 * is not known. */
void mo_sum_check(const struct mo_job *j, struct mo_sum *out)
{
    struct addends s;
    struct mo_job full = *j;
    full.policy = POLICY_FULL;
    memset(out, 0, sizeof *out);
    bool is_unobserved = !j->n_no_operand && j->p->knows_initial;
    for (uint32_t i = 0; i < j->n; i++) {
        is_unobserved &= !j->events[i].knows_original;
    }
    if (is_unobserved && !j->p->knows_final) {
        out->answer = SUM_OK;
        return;
    }
    if (commutes(j)) {
        out->expected = run_in_given_order(j);
        answer_exact(out, out->expected == j->final, is_unobserved);
        return;
    }
    bool const is_adds = count_addends(j, &s);
    if (is_adds && is_order_free(j, &s, &out->expected)) {
        bool const is_right =
            out->expected == j->final || is_same_zero(j, &s, out->expected, j->final);
        answer_exact(out, is_right, is_unobserved);
        return;
    }
    bool const is_searched = is_unobserved && !(is_adds && s.n > ORDERS_MAX_N);
    if (is_searched && try_orders(&full)) {
        out->answer = SUM_OK;
    } else if (is_adds) {
        out->answer = is_within_bounds(j, &s) ? SUM_INSIDE : SUM_WRONG;
    }
}

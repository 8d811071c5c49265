/* oracle/num/arith.c -- what arithmetic may give: permitted sets of results from sets of operands. */
#include "oracle/num/arith.h"

#include <assert.h>
#include <math.h>

#include "base/format.h"
#include "oracle/num/exact.h"
#include "oracle/num/mp.h"
#include "oracle/num/ulp.h"

enum {
    ARITY_MAX = 3,
    /* A set has at most 8 ranges; cut at the five places between -inf, -x, -0, +0, x and +inf
     * they make at most 13 pieces. */
    PIECES_MAX = SET_MAX_RANGES + 5
};

static unsigned arity_of(enum arith_op op)
{
    return op == ARITH_FMA ? 3 : 2;
}

/* --- one combination of operands --- */

static void add_zeros(struct set *out)
{
    set_add_range(out, -1, 0);
}

/* The directions that a rule permits: at most two. */
static unsigned modes_of(enum rounding rounding, enum real_mode *modes)
{
    switch (rounding) {
    case ROUND_RNE:
        modes[0] = REAL_NEAREST;
        return 1;
    case ROUND_RTZ:
        modes[0] = REAL_ZERO;
        return 1;
    case ROUND_EITHER:
        modes[0] = REAL_DOWN;
        modes[1] = REAL_UP;
        return 2;
    }
    assert(0 && "rounding out of range");
    return 0;
}

/* The operation that is being worked out, for all combinations of its operands. */
struct work {
    enum arith_op op;
    const struct float_format *f;
    const struct fp_rules *r;
    double bound_ulp;
};

/* Add the permitted results for one operand each, correctly rounded. */
static void add_rounded(const struct work *w, const uint64_t *args, struct set *out)
{
    enum real_mode modes[2];
    unsigned const n_modes = modes_of(w->r->rounding, modes);
    if (w->op == ARITH_FMA) {
        int const tiny = w->r->flush_out != FLUSH_NEVER && mp_is_tiny(w->op, w->f, args);
        for (unsigned i = 0; i < n_modes && !(tiny && w->r->flush_out == FLUSH_MUST); i++) {
            set_add(out, mp_apply(w->op, w->f, args, modes[i]));
        }
        if (tiny) {
            add_zeros(out);
        }
        return;
    }
    struct exact const e = exact_apply(w->op, w->f, args);
    int const tiny = exact_is_tiny(w->f, &e);
    for (unsigned i = 0; i < n_modes; i++) {
        uint64_t const got = exact_round(w->f, &e, modes[i]);
        exact_check(w->op, w->f, args, modes[i], got);
        if (!(tiny && w->r->flush_out == FLUSH_MUST)) {
            set_add(out, got);
        }
    }
    if (tiny && w->r->flush_out != FLUSH_NEVER) {
        add_zeros(out);
    }
}

/* The same within a bound in ulps where the quotient is a number. */
static void add_bounded(const struct work *w, const uint64_t *args, struct set *out)
{
    struct exact const e = exact_apply(w->op, w->f, args);
    if (!e.is_number) {
        add_rounded(w, args, out);
        return;
    }
    struct ulp_quotient const q = {
        .x = args[0],
        .y = args[1],
        .bound_ulp = w->bound_ulp,
        .rounding = w->r->rounding,
        .overflow_lax = w->r->overflow_lax || w->r->rounding == ROUND_EITHER,
        .flush_out = w->r->flush_out,
    };
    ulp_add_quotient(&q, out);
}

static void add_result(const struct work *w, const uint64_t *args, struct set *out)
{
    if (w->bound_ulp > 0 && w->op == ARITH_DIV) {
        add_bounded(w, args, out);
    } else {
        add_rounded(w, args, out);
    }
}

/* --- sets of operands --- */

/* Does s hold a subnormal? */
static int has_subnormal(const struct float_format *f, const struct set *s)
{
    int64_t const last = (int64_t)f->frac;
    for (unsigned i = 0; i < s->n; i++) {
        if ((s->r[i].lo <= last && s->r[i].hi >= 1) ||
            (s->r[i].lo <= -2 && s->r[i].hi >= -1 - last)) {
            return 1;
        }
    }
    return 0;
}

/* Flushed zeros where flushing is permitted, and the other zero where its sign is free. */
static void widen_zeros(struct set *s, enum flush flush, int zero_sign_free)
{
    struct float_format const *f = &float_formats[s->fmt];
    if (flush != FLUSH_NEVER && has_subnormal(f, s)) {
        add_zeros(s);
    }
    if (zero_sign_free && (set_has(s, 0) || set_has(s, f->sign))) {
        add_zeros(s);
    }
}

/* Add the part of r within lo..hi. */
static void add_part(struct set *out, struct set_range r, int64_t lo, int64_t hi)
{
    lo = r.lo > lo ? r.lo : lo;
    hi = r.hi < hi ? r.hi : hi;
    if (lo <= hi) {
        set_add_range(out, lo, hi);
    }
}

/* Results as the rules leave them: where flushing is a must, subnormals turn into zeros. */
static void finish_results(struct set *out, const struct fp_rules *r)
{
    struct float_format const *f = &float_formats[out->fmt];
    widen_zeros(out, r->flush_out, r->zero_sign_free);
    if (r->flush_out != FLUSH_MUST || !has_subnormal(f, out)) {
        return;
    }
    struct set kept;
    int64_t const last = (int64_t)f->frac;
    set_clear(&kept, (enum fmt_id)out->fmt);
    kept.flags = out->flags;
    for (unsigned i = 0; i < out->n; i++) {
        add_part(&kept, out->r[i], INT64_MIN, -2 - last);
        add_part(&kept, out->r[i], -1, 0);
        add_part(&kept, out->r[i], last + 1, INT64_MAX);
    }
    *out = kept;
}

/* NaN flags of a result: quiet ones stay quiet, a signalling one may come out as any NaN. */
static uint8_t nan_result(unsigned flags)
{
    if ((flags & SET_SNAN) != 0) {
        return SET_QNAN | SET_SNAN;
    }
    return (uint8_t)(flags & SET_QNAN);
}

/* The ranges of a set cut so that each piece has one sign and is one infinity, one zero or
 * numbers that are neither. */
struct pieces {
    unsigned n;
    struct set_range r[PIECES_MAX];
};

static void cut_set(const struct float_format *f, const struct set *s, struct pieces *out)
{
    int64_t const inf = (int64_t)f->exp; /* keys run from -1 - inf to inf */
    int64_t const last_of[] = {-1 - inf, -2, -1, 0, inf - 1, inf}; /* of each kind of piece */
    out->n = 0;
    for (unsigned i = 0; i < s->n; i++) {
        int64_t lo = s->r[i].lo;
        for (unsigned k = 0; k < ARRAY_N(last_of) && lo <= s->r[i].hi; k++) {
            if (lo > last_of[k]) {
                continue;
            }
            int64_t const hi = s->r[i].hi < last_of[k] ? s->r[i].hi : last_of[k];
            assert(out->n < PIECES_MAX);
            out->r[out->n++] = (struct set_range){lo, hi};
            lo = hi + 1;
        }
    }
}

/* Add what pieces give: within them the operation is monotone in each operand, so that the results
 * at their corners bound all others. */
static void add_pieces(const struct work *w, const struct set_range *piece, struct set *out)
{
    unsigned const arity = arity_of(w->op);
    struct set corners;
    int is_point = 1;
    set_clear(&corners, (enum fmt_id)out->fmt);
    for (unsigned i = 0; i < arity; i++) {
        is_point = is_point && piece[i].lo == piece[i].hi;
    }
    struct work inner = *w;
    if (!is_point && w->bound_ulp > 0) {
        /* x - n ulp(x) falls where x passes a power of two; with 2n at the low end it lies below
         * all that follows, as long as n < 2^(p-1). */
        inner.bound_ulp = 2 * w->bound_ulp;
        if (!(w->bound_ulp < (double)(UINT64_C(1) << (w->f->prec_bits - 1)))) {
            set_any(out, (enum fmt_id)out->fmt);
            return;
        }
    }
    for (unsigned corner = 0; corner < 1U << arity; corner++) {
        uint64_t args[ARITY_MAX] = {0};
        int is_new = 1;
        for (unsigned i = 0; i < arity; i++) {
            int const high = (corner >> i & 1) != 0;
            is_new = is_new && !(high && piece[i].lo == piece[i].hi);
            args[i] = format_from_key(w->f, high ? piece[i].hi : piece[i].lo);
        }
        if (is_new) {
            add_result(&inner, args, is_point ? out : &corners);
        }
        if (is_new && !is_point && w->bound_ulp > 0) {
            add_rounded(&inner, args, &corners); /* stands in where a bound is below 0.5 */
        }
    }
    out->flags |= corners.flags;
    if (!is_point && corners.n > 0) {
        set_add_range(out, corners.r[0].lo, corners.r[corners.n - 1].hi);
    }
}

static int is_single(const struct set *s)
{
    return s->n == 1 && s->flags == 0 && s->r[0].lo == s->r[0].hi;
}

/* May this operand be read as another value? */
static int is_fixed(const struct float_format *f, const struct fp_rules *r, uint64_t enc)
{
    return !(r->flush_in != FLUSH_NEVER && format_is_subnormal(f, enc)) &&
           !(r->zero_sign_free && format_is_zero(f, enc));
}

/* The common case, one encoding per operand and none of them free: 1 if done. */
static int apply_points(const struct work *w, const struct set *const *args, struct set *out)
{
    uint64_t enc[ARITY_MAX] = {0};
    for (unsigned i = 0; i < arity_of(w->op); i++) {
        if (!is_single(args[i])) {
            return 0;
        }
        enc[i] = format_from_key(w->f, args[i]->r[0].lo);
        if (!is_fixed(w->f, w->r, enc[i])) {
            return 0;
        }
    }
    add_result(w, enc, out);
    finish_results(out, w->r);
    return 1;
}

void arith_apply(enum arith_op op, const struct set *const *args, const struct fp_rules *r,
                 double bound_ulp, struct set *out)
{
    enum fmt_id const fmt = (enum fmt_id)out->fmt;
    struct work const w = {op, &float_formats[fmt], r, bound_ulp};
    unsigned const arity = arity_of(op);
    struct pieces pieces[ARITY_MAX];
    unsigned flags = 0;
    set_clear(out, fmt);
    if (apply_points(&w, args, out)) {
        return;
    }
    for (unsigned i = 0; i < arity; i++) {
        struct set operand = *args[i];
        assert(operand.fmt == fmt);
        flags |= operand.flags;
        widen_zeros(&operand, r->flush_in, r->zero_sign_free);
        cut_set(w.f, &operand, &pieces[i]);
    }
    if ((flags & SET_ANY) != 0) {
        set_any(out, fmt);
        return;
    }
    out->flags = nan_result(flags);
    if (arity == 2) {
        pieces[2].n = 1;
        pieces[2].r[0] = (struct set_range){0, 0};
    }
    for (unsigned i = 0; i < pieces[0].n; i++) {
        for (unsigned k = 0; k < pieces[1].n; k++) {
            for (unsigned m = 0; m < pieces[2].n; m++) {
                struct set_range const piece[] = {pieces[0].r[i], pieces[1].r[k], pieces[2].r[m]};
                add_pieces(&w, piece, out);
            }
        }
    }
    finish_results(out, r);
}

void arith_negate(const struct set *in, const struct fp_rules *r, struct set *out)
{
    struct set result;
    set_clear(&result, (enum fmt_id)in->fmt);
    if ((in->flags & SET_ANY) != 0) {
        set_any(out, (enum fmt_id)in->fmt);
        return;
    }
    result.flags = nan_result(in->flags);
    for (unsigned i = 0; i < in->n; i++) {
        set_add_range(&result, -1 - in->r[i].hi, -1 - in->r[i].lo);
    }
    widen_zeros(&result, r->flush_in, r->zero_sign_free);
    finish_results(&result, r);
    *out = result;
}

/* One piece of a set in another format; conversion is monotone. */
static void convert_piece(const struct float_format *from, struct set_range piece,
                          const struct fp_rules *r, struct set *out)
{
    struct float_format const *to = &float_formats[out->fmt];
    uint64_t const ends[] = {format_from_key(from, piece.lo), format_from_key(from, piece.hi)};
    if ((ends[0] & ~from->sign) == from->exp) {
        set_add(out, to->exp | ((ends[0] & from->sign) != 0 ? to->sign : 0));
        return;
    }
    if (format_is_zero(from, ends[0])) {
        set_add(out, (ends[0] & from->sign) != 0 ? to->sign : 0);
        return;
    }
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    int any_tiny = 0, all_tiny = 1;
    enum real_mode modes[2];
    unsigned const n_modes = modes_of(r->rounding, modes);
    for (unsigned i = 0; i < 2 * n_modes; i++) {
        struct real const x = real_of(from, ends[i % 2]);
        int64_t const key = format_to_key(to, real_round(to, x, modes[i / 2]));
        lo = key < lo ? key : lo;
        hi = key > hi ? key : hi;
        any_tiny = any_tiny || real_is_tiny(to, x);
        all_tiny = all_tiny && real_is_tiny(to, x);
    }
    if (!(all_tiny && r->flush_out == FLUSH_MUST)) {
        set_add_range(out, lo, hi);
    }
    if (any_tiny && r->flush_out != FLUSH_NEVER) {
        add_zeros(out);
    }
}

void arith_convert(const struct set *in, const struct fp_rules *r_in, enum fmt_id out_fmt,
                   const struct fp_rules *r_out, struct set *out)
{
    struct float_format const *from = &float_formats[in->fmt];
    struct set operand = *in;
    struct pieces pieces;
    struct set result;
    if ((in->flags & SET_ANY) != 0) {
        set_any(out, out_fmt);
        return;
    }
    widen_zeros(&operand, r_in->flush_in, r_in->zero_sign_free);
    cut_set(from, &operand, &pieces);
    set_clear(&result, out_fmt);
    result.flags = nan_result(in->flags);
    for (unsigned i = 0; i < pieces.n; i++) {
        convert_piece(from, pieces.r[i], r_out, &result);
    }
    finish_results(&result, r_out);
    *out = result;
}

void arith_from_int(uint64_t v, int is_signed, enum fmt_id out_fmt, const struct fp_rules *r,
                    struct set *out)
{
    struct real const x = real_of_int(v, is_signed);
    enum real_mode modes[2];
    unsigned const n_modes = modes_of(r->rounding, modes);
    set_clear(out, out_fmt);
    for (unsigned i = 0; i < n_modes; i++) {
        set_add(out, real_round(&float_formats[out_fmt], x, modes[i]));
    }
    finish_results(out, r);
}

int arith_to_int(enum fmt_id fmt, uint64_t enc, unsigned n_bits, int is_signed, uint64_t *out)
{
    struct float_format const *f = &float_formats[fmt];
    assert(n_bits >= 1 && n_bits <= 64);
    *out = 0;
    if ((enc & ~f->sign) >= f->exp) {
        return 0;
    }
    if (format_is_zero(f, enc)) {
        return 1;
    }
    struct real const x = real_of(f, enc);
    if (x.exp > 0) { /* 2^64 or more */
        return 0;
    }
    uint64_t const magnitude = x.exp <= -64 ? 0 : x.sig >> -x.exp;
    uint64_t const ones = UINT64_MAX >> (64 - n_bits);
    uint64_t limit = ones; /* the largest magnitude that fits */
    if (is_signed) {
        limit = (ones >> 1) + (x.negative ? 1 : 0);
    } else if (x.negative) {
        limit = 0;
    }
    if (magnitude > limit) {
        return 0;
    }
    *out = (x.negative ? 0 - magnitude : magnitude) & ones;
    return 1;
}

double arith_ulp_distance(const struct set *s, uint64_t got)
{
    struct float_format const *f = &float_formats[s->fmt];
    if (set_has(s, got)) {
        return 0;
    }
    if ((got & ~f->sign) >= f->exp) {
        return (double)INFINITY;
    }
    int64_t const key = format_to_key(f, got);
    double best = (double)INFINITY;
    for (unsigned i = 0; i < s->n; i++) {
        int64_t const nearest = key < s->r[i].lo ? s->r[i].lo : s->r[i].hi;
        uint64_t const enc = format_from_key(f, nearest);
        if ((enc & ~f->sign) < f->exp) {
            double const distance = ulp_get_distance(f, enc, got);
            best = distance < best ? distance : best;
        }
    }
    return best;
}

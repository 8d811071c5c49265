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
    /* A set has at most 8 ranges; split at the five points between -inf, -x, -0, +0, x and +inf
     * they make at most 13 pieces. */
    PIECES_MAX = SET_MAX_RANGES + 5,
    FEW = 16 /* combinations of members that are worked out one by one */
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
struct modes {
    unsigned n;
    enum real_mode mode[2];
};
static struct modes modes_of(enum rounding rounding)
{
    static const struct modes permitted[] = {
        [ROUND_RNE] = {1, {REAL_NEAREST}           },
        [ROUND_RTZ] = {1, {REAL_ZERO}              },
        [ROUND_EITHER] = {2, {REAL_DOWN, REAL_UP}     },
        [ROUND_NEAREST_OR_ZERO] = {2, {REAL_NEAREST, REAL_ZERO}},
    };
    return permitted[rounding];
}

/* The operation that is being worked out, for all combinations of its operands. */
struct work {
    enum arith_op op;
    const struct float_format *f;
    const struct fp_rules *r;
    double bound_ulp;
};

/* Add the permitted results for one operand each of a fused operation, by MPFR. */
static void add_fused(const struct work *work, const uint64_t *args, struct set *out)
{
    struct modes const modes = modes_of(work->r->rounding);
    bool const may_flush = work->r->flush_out != FLUSH_NEVER && mp_is_tiny(work->op, work->f, args);
    bool const is_kept = !may_flush || work->r->flush_out != FLUSH_MUST;
    for (unsigned i = 0; i < modes.n && is_kept; i++) {
        set_add(out, mp_apply(work->op, work->f, args, modes.mode[i]));
    }
    if (may_flush) {
        add_zeros(out);
    }
}

/* Adds the correct roundings of the exact result of one operand each, in every direction that the rules
 * allow. Where the result may be flushed both zeros are added too, and where it must be, they alone. */
static void add_rounded(const struct work *work, const uint64_t *args, struct set *out)
{
    if (work->op == ARITH_FMA) {
        add_fused(work, args, out);
        return;
    }
    struct modes const modes = modes_of(work->r->rounding);
    struct exact const e = exact_apply(work->op, work->f, args);
    bool const may_flush = work->r->flush_out != FLUSH_NEVER && exact_is_tiny(work->f, &e);
    for (unsigned i = 0; i < modes.n; i++) {
        uint64_t const got = exact_round(work->f, &e, modes.mode[i]);
        exact_check(work->op, work->f, args, modes.mode[i], got);
        if (!may_flush || work->r->flush_out != FLUSH_MUST) {
            set_add(out, got);
        }
    }
    if (may_flush) {
        add_zeros(out);
    }
}

/* The same within bound_ulp ulps of the quotient where that is a number; of zeros and infinities as above. */
static void add_bounded(const struct work *work, const uint64_t *args, struct set *out)
{
    struct exact const e = exact_apply(work->op, work->f, args);
    if (!e.is_number) {
        add_rounded(work, args, out);
        return;
    }
    struct ulp_quotient const q = {
        .x = args[0],
        .y = args[1],
        .bound_ulp = work->bound_ulp,
        .rounding = work->r->rounding,
        .overflow_lax = work->r->overflow_lax || work->r->rounding == ROUND_EITHER,
        .flush_out = work->r->flush_out,
    };
    ulp_add_quotient(&q, out);
}

static void add_result(const struct work *work, const uint64_t *args, struct set *out)
{
    if (work->bound_ulp > 0 && work->op == ARITH_DIV) {
        add_bounded(work, args, out);
    } else {
        add_rounded(work, args, out);
    }
}

/* --- sets of operands --- */

/* Flushed zeros where flushing is permitted, and the other zero where its sign is free. */
static void widen_zeros(struct set *s, enum flush flush, int zero_sign_free)
{
    uint64_t const minus_zero = float_formats[s->fmt].sign;
    if (flush != FLUSH_NEVER && set_has_subnormal(s)) {
        add_zeros(s);
    }
    if (zero_sign_free && (set_has(s, 0) || set_has(s, minus_zero))) {
        add_zeros(s);
    }
}

/* Results as the rules leave them: where flushing is mandatory, subnormals become zeros. */
static void finish_results(struct set *out, const struct fp_rules *r)
{
    widen_zeros(out, r->flush_out, r->zero_sign_free);
    if (r->flush_out == FLUSH_MUST) {
        set_remove_subnormals(out);
    }
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
    out->n = set_cut(s, last_of, ARRAY_N(last_of), out->r);
    assert(out->n <= PIECES_MAX);
}

static bool is_point(struct set_range piece)
{
    return piece.lo == piece.hi;
}

/* The operands at a corner of the pieces: bit i of `corner` takes the upper end of piece i. false: another
 * corner has the same operands. */
static bool get_corner(const struct work *work, const struct set_range *piece, unsigned corner,
                       uint64_t *args)
{
    for (unsigned i = 0; i < arity_of(work->op); i++) {
        bool const is_upper = (corner >> i & 1) != 0;
        if (is_upper && is_point(piece[i])) {
            return false;
        }
        args[i] = format_from_key(work->f, is_upper ? piece[i].hi : piece[i].lo);
    }
    return true;
}

/* Adds the results of pieces (one range of keys for each operand) that are not all single values. A piece has one
 * sign and contains either numbers, or only a zero or infinity. So the operation is monotonic in each operand, and
 * the results at the corners (the combinations of the pieces' ends) bound all others. */
static void add_hull_of_corners(const struct work *work, const struct set_range *piece,
                                struct set *out)
{
    struct work at_corner = *work;
    struct set corners;
    set_clear(&corners, (enum fmt_id)out->fmt);
    /* x - n ulp(x) falls where x passes a power of two; with 2n at the low end it lies below all that
     * follows, as long as n < 2^(p-1). For larger bounds there is no such argument. */
    at_corner.bound_ulp = 2 * work->bound_ulp;
    if (!(work->bound_ulp < (double)(UINT64_C(1) << (work->f->prec_bits - 1)))) {
        set_any(out, (enum fmt_id)out->fmt);
        return;
    }
    for (unsigned corner = 0; corner < 1U << arity_of(work->op); corner++) {
        uint64_t args[ARITY_MAX] = {0};
        if (!get_corner(work, piece, corner, args)) { /* the same as an earlier corner */
            continue;
        }
        add_result(&at_corner, args, &corners);
        if (work->bound_ulp > 0) {
            add_rounded(
                &at_corner, args,
                &corners); /* the permitted result where no number lies within a bound below 0.5 */
        }
    }
    out->flags |= corners.flags;
    if (corners.n > 0) {
        set_add_range(out, corners.r[0].lo, corners.r[corners.n - 1].hi);
    }
}

/* Combinations of the members of pieces, one of each; more than FEW: so many. */
static unsigned count_combinations(const struct work *work, const struct set_range *piece)
{
    unsigned n = 1;
    for (unsigned i = 0; i < arity_of(work->op); i++) {
        uint64_t const members = (uint64_t)piece[i].hi - (uint64_t)piece[i].lo + 1;
        if (members > FEW) {
            return FEW + 1;
        }
        n *= (unsigned)members;
    }
    return n;
}

/* Adds the results of pieces, one for each operand: of each combination of their members where those are few, so that what
 * lies between two results is no result; else of all between the corners. A bound in ulps makes ranges in any case. */
static void add_pieces(const struct work *work, const struct set_range *piece, struct set *out)
{
    unsigned const n = count_combinations(work, piece);
    if (n > FEW || (n > 1 && work->bound_ulp > 0)) {
        add_hull_of_corners(work, piece, out);
        return;
    }
    for (unsigned number = 0; number < n; number++) {
        uint64_t args[ARITY_MAX] = {0};
        unsigned rest = number;
        for (unsigned i = 0; i < arity_of(work->op); i++) {
            unsigned const members = (unsigned)(piece[i].hi - piece[i].lo) + 1;
            args[i] = format_from_key(work->f, piece[i].lo + rest % members);
            rest /= members;
        }
        add_result(work, args, out);
    }
}

static bool is_single(const struct set *s)
{
    return s->n == 1 && s->flags == 0 && s->r[0].lo == s->r[0].hi;
}

/* May this operand be read as another value? */
static bool is_fixed(const struct float_format *f, const struct fp_rules *r, uint64_t enc)
{
    return !(r->flush_in != FLUSH_NEVER && format_is_subnormal(f, enc)) &&
           !(r->zero_sign_free && format_is_zero(f, enc));
}

/* The common case, one encoding per operand and none of them free: 1 if done. */
static int apply_points(const struct work *work, const struct set *const *args, struct set *out)
{
    uint64_t enc[ARITY_MAX] = {0};
    for (unsigned i = 0; i < arity_of(work->op); i++) {
        if (!is_single(args[i])) {
            return 0;
        }
        enc[i] = format_from_key(work->f, args[i]->r[0].lo);
        if (!is_fixed(work->f, work->r, enc[i])) {
            return 0;
        }
    }
    add_result(work, enc, out);
    finish_results(out, work->r);
    return 1;
}

/* Computes in *out what op may give for any members of its operands. Single encodings that nothing
 * may change are computed directly. Otherwise each operand, including what it may be flushed to,
 * is split into pieces of one sign, and each combination of pieces adds its possible results. An
 * operation of two operands has a zero as the third. */
void arith_apply(enum arith_op op, const struct set *const *args, const struct fp_rules *r,
                 double bound_ulp, struct set *out)
{
    enum fmt_id const fmt = (enum fmt_id)out->fmt;
    struct work const work = {op, &float_formats[fmt], r, bound_ulp};
    unsigned const arity = arity_of(op);
    struct pieces pieces[ARITY_MAX];
    unsigned flags = 0;
    set_clear(out, fmt);
    if (apply_points(&work, args, out)) {
        return;
    }
    for (unsigned i = 0; i < arity; i++) {
        struct set operand = *args[i];
        assert(operand.fmt == fmt);
        flags |= operand.flags;
        widen_zeros(&operand, r->flush_in, r->zero_sign_free);
        cut_set(work.f, &operand, &pieces[i]);
    }
    if ((flags & SET_ANY) != 0) {
        set_any(out, fmt);
        return;
    }
    /* a NaN operand gives a NaN; pieces are of numbers and infinities */
    out->flags = nan_result(flags);
    if (arity == 2) {
        pieces[2].n = 1;
        pieces[2].r[0] = (struct set_range){0, 0};
    }
    for (unsigned i = 0; i < pieces[0].n; i++) {
        for (unsigned k = 0; k < pieces[1].n; k++) {
            for (unsigned m = 0; m < pieces[2].n; m++) {
                struct set_range const piece[] = {pieces[0].r[i], pieces[1].r[k], pieces[2].r[m]};
                add_pieces(&work, piece, out);
            }
        }
    }
    finish_results(out, r);
}

void arith_negate(const struct set *in, const struct fp_rules *r, struct set *out)
{
    struct set result;
    if ((in->flags & SET_ANY) != 0) {
        set_any(out, (enum fmt_id)in->fmt);
        return;
    }
    set_clear(&result, (enum fmt_id)in->fmt);
    result.flags = nan_result(in->flags);
    for (unsigned i = 0; i < in->n; i++) {
        set_add_range(&result, -1 - in->r[i].hi, -1 - in->r[i].lo);
    }
    widen_zeros(&result, r->flush_in, r->zero_sign_free);
    finish_results(&result, r);
    *out = result;
}

/* Adds to out the conversions of a piece (a range of keys of one sign) to out's format. Conversion is monotonic,
 * so that they are the range between the conversions of its ends; each end is converted in each direction that the
 * rules permit. Both zeros are added where a result is tiny, below the smallest normal number, and may be flushed. */
static void convert_piece(const struct float_format *from, struct set_range piece,
                          const struct fp_rules *r, struct set *out)
{
    struct float_format const *to = &float_formats[out->fmt];
    uint64_t const ends[] = {format_from_key(from, piece.lo), format_from_key(from, piece.hi)};
    uint64_t const sign = (ends[0] & from->sign) != 0 ? to->sign : 0;
    if (format_is_zero(from, ends[0])) {
        set_add(out, sign);
        return;
    }
    if ((ends[0] & ~from->sign) == from->exp) {
        set_add(out, sign | to->exp);
        return;
    }
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    bool is_any_tiny = false, are_all_tiny = true;
    struct modes const modes = modes_of(r->rounding);
    for (unsigned i = 0; i < 2 * modes.n; i++) { /* end i % 2 in direction i / 2 */
        struct real const x = real_of(from, ends[i % 2]);
        int64_t const key = format_to_key(to, real_round(to, x, modes.mode[i / 2]));
        bool const is_tiny = real_is_tiny(to, x);
        lo = key < lo ? key : lo;
        hi = key > hi ? key : hi;
        is_any_tiny |= is_tiny;
        are_all_tiny &= is_tiny;
    }
    if (!(are_all_tiny && r->flush_out == FLUSH_MUST)) { /* else only the zeros remain */
        set_add_range(out, lo, hi);
    }
    if (is_any_tiny && r->flush_out != FLUSH_NEVER) {
        add_zeros(out);
    }
}

/* Puts into *out the members of `in` in another format, piece by piece (convert_piece), after what the
 * operands may be read as and before what the results may be flushed to. *out is written last, as it may
 * be *in. */
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
    struct modes const modes = modes_of(r->rounding);
    set_clear(out, out_fmt);
    for (unsigned i = 0; i < modes.n; i++) {
        set_add(out, real_round(&float_formats[out_fmt], x, modes.mode[i]));
    }
    finish_results(out, r);
}

/* Truncates a float to an integer of n_bits in two's complement, in *out. Returns 0 where it is
 * out of range, an infinity or a NaN: the result is undefined. */
int arith_to_int(enum fmt_id fmt, uint64_t enc, unsigned n_bits, int is_signed, uint64_t *out)
{
    struct float_format const *f = &float_formats[fmt];
    assert(n_bits >= 1 && n_bits <= 64);
    *out = 0;
    if ((enc & ~f->sign) >= f->exp) { /* an infinity or a NaN */
        return 0;
    }
    if (format_is_zero(f, enc)) {
        return 1;
    }
    struct real const x = real_of(f, enc);
    if (x.exp > 0) { /* 2^64 or more: sig has its top bit set */
        return 0;
    }
    uint64_t const magnitude = x.exp <= -64 ? 0 : x.sig >> -x.exp; /* 0: below 1 */
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
    double least = (double)INFINITY;
    for (unsigned i = 0; i < s->n; i++) {
        uint64_t const nearest = format_from_key(f, key < s->r[i].lo ? s->r[i].lo : s->r[i].hi);
        if ((nearest & ~f->sign) < f->exp) {
            least = fmin(least, ulp_get_distance(f, nearest, got));
        }
    }
    return least;
}

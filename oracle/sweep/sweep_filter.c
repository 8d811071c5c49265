/* oracle/sweep/sweep_filter.c -- verdicts in double: decided where every value within the evaluator's slack
 * gives the same. Loops without branches, compiled for each instruction set. */
#include "oracle/sweep/sweep_filter.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/audit_result.h"
#include "base/format.h"
#include "oracle/sweep/evaluator_kernel.h"
#include "oracle/sweep/evaluator_two.h"
#include "oracle/sweep/sweep_bound.h"
#include "oracle/sweep/sweep_judge.h"
#include "oracle/sweep/sweep_order.h"
#include "oracle/sweep/sweep_piece.h"

/* Stands for a signalling NaN among results: neither a number of the format nor a NaN. */
#define SIGNALLING 0x1p1000

/* Eight partial sums of |error|. */
EVALUATOR_INLINE double sum_errors(const struct piece *p, uint32_t n)
{
    double sum[PIECE_WAYS] = {0};
    uint32_t i = 0;
    for (; i + PIECE_WAYS <= n; i += PIECE_WAYS) {
        for (uint32_t k = 0; k < PIECE_WAYS; k++) {
            sum[k] += magnitude_of(p->error[i + k]);
        }
    }
    for (; i < n; i++) {
        sum[0] += magnitude_of(p->error[i]);
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

EVALUATOR_INLINE void join_codes(const struct piece *p, uint32_t n, struct totals *t)
{
    int64_t const first = p->code[0];
    int64_t all = 0, other = 0;
    for (uint32_t i = 0; i < n; i++) {
        all |= p->code[i];
        other |= p->code[i] ^ first;
    }
    t->codes = all;
    t->is_one_code = other == 0;
}

/* The largest error after its sign is flipped by that bit; 0 where none is positive. */
EVALUATOR_INLINE double find_largest(const struct piece *p, uint32_t n, uint64_t flip)
{
    int64_t largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t const enc = (int64_t)(bits_of(p->error[i]) ^ flip);
        largest = enc > largest ? enc : largest;
    }
    return double_of((uint64_t)largest);
}

EVALUATOR_INLINE void judge_values(const struct filter *filter, int is_quick, struct piece *p,
                                   uint32_t n, struct totals *t)
{
    struct filter const f = *filter;
    if (is_quick) {
        for (uint32_t i = 0; i < n; i++) {
            p->code[i] = judge_quickly(&f, p->value[i], p->got[i], &p->error[i]);
        }
    } else {
        for (uint32_t i = 0; i < n; i++) {
            p->code[i] = judge_value(&f, p->value[i], p->got[i], &p->error[i]);
        }
    }
    join_codes(p, n, t);
    t->above = find_largest(p, n, 0);
    t->below = find_largest(p, n, (uint64_t)1 << 63);
    t->sum = sum_errors(p, n);
}

EVALUATOR_INLINE void widen_f32(const uint32_t *restrict in, double *restrict out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const enc = in[i];
        float x;
        memcpy(&x, &enc, sizeof x);
        out[i] = (double)x;
    }
}

/* The fraction shifted into position and scaled: exact, subnormals included. */
EVALUATOR_INLINE void widen_f16(const uint16_t *restrict in, double *restrict out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t const enc = in[i], m = enc & 0x7fff;
        double const number = double_of(m << 42) * 0x1p1008;
        double const special = double_of(m << 42 | (uint64_t)0x7ff << 52);
        out[i] = with_sign(m >= 0x7c00 ? special : number, double_of(enc << 48));
    }
}

/* 0, 1, 2 and infinities may have prescribed results, and evaluators need not know them. */
EVALUATOR_INLINE int is_prescribed(double x)
{
    uint64_t const m = bits_of(x) & ~((uint64_t)1 << 63);
    uint64_t const infinity = 0x7ff0000000000000, one = 0x3ff0000000000000,
                   two = 0x4000000000000000;
    return (m == 0) | (m == infinity) | (m == one) | (m == two);
}

/* What the inputs of a piece have in common. */
struct facts {
    int64_t n_prescribed, n_subnormal;
};

EVALUATOR_INLINE void look_at(const double *x, uint32_t n, double min_normal, struct facts *out)
{
    struct facts f = {0, 0};
    for (uint32_t i = 0; i < n; i++) {
        f.n_prescribed += is_prescribed(x[i]) ? 1 : 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        f.n_subnormal += magnitude_of(x[i]) < min_normal ? 1 : 0;
    }
    *out = f;
}

/* So many results are looked at before it is asked whether one was another. */
enum {
    SAME_STEP = 2048
};
EVALUATOR_INLINE int is_one_result(const uint32_t *got, uint32_t n)
{
    uint32_t const first = got[0];
    uint32_t other = 0;
    for (uint32_t done = 0; done < n && other == 0; done += SAME_STEP) {
        uint32_t const end = n - done < SAME_STEP ? n : done + SAME_STEP;
        for (uint32_t i = done; i < end; i++) {
            other |= got[i] ^ first;
        }
    }
    return other == 0;
}

#define FILTER_LOOPS(isa)                                                                          \
    EVALUATOR_TARGET_##isa static void judge_##isa(const struct filter *f, int is_quick,           \
                                                   struct piece *p, uint32_t n, struct totals *t)  \
    {                                                                                              \
        judge_values(f, is_quick, p, n, t);                                                        \
    }                                                                                              \
    EVALUATOR_TARGET_##isa static void look_##isa(const double *x, uint32_t n, double min_normal,  \
                                                  struct facts *out)                               \
    {                                                                                              \
        look_at(x, n, min_normal, out);                                                            \
    }                                                                                              \
    EVALUATOR_TARGET_##isa static void widen_##isa(enum fmt_id fmt, const void *in, double *out,   \
                                                   uint32_t n)                                     \
    {                                                                                              \
        if (fmt == FMT_F16) {                                                                      \
            widen_f16((const uint16_t *)in, out, n);                                               \
        } else {                                                                                   \
            widen_f32((const uint32_t *)in, out, n);                                               \
        }                                                                                          \
    }                                                                                              \
    EVALUATOR_TARGET_##isa static int is_one_result_##isa(const uint32_t *got, uint32_t n)         \
    {                                                                                              \
        return is_one_result(got, n);                                                              \
    }
/* clang-format off */
EVALUATOR_FOR_EACH(FILTER_LOOPS)
static void (*const judge[EVALUATOR_ISA_N])(const struct filter *, int, struct piece *, uint32_t,
                                            struct totals *) = EVALUATOR_TABLE(judge);
static void (*const look[EVALUATOR_ISA_N])(const double *, uint32_t, double, struct facts *) =
    EVALUATOR_TABLE(look);
static void (*const widen[EVALUATOR_ISA_N])(enum fmt_id, const void *, double *, uint32_t) =
    EVALUATOR_TABLE(widen);
static int (*const is_one[EVALUATOR_ISA_N])(const uint32_t *, uint32_t) =
    EVALUATOR_TABLE(is_one_result);
/* clang-format on */

/* --- a piece --- */

/* Signalling NaN among the results are lost by the conversion: put their mark. */
static void mark_signalling(struct work *w, uint32_t n)
{
    struct float_format const *f = &float_formats[w->s->fmt];
    const void *const got = w->b->got[w->form];
    for (uint32_t i = 0; i < n; i++) {
        if (isnan(w->p.got[i]) && format_is_snan(f, sweep_load(w->s->fmt, got, w->first + i))) {
            w->p.got[i] = SIGNALLING;
        }
    }
}

/* fract is below 1 and not below 0, whatever its exact value rounds to and its bound is. */
static bool is_clipped(enum fmt_id fmt, double value, double got)
{
    return !(value < 1 - ldexp(1, -(int)float_formats[fmt].prec_bits)) || !(got < 1) || !(got >= 0);
}

/* Leave result i to MPFR. */
static void leave(struct piece *p, uint32_t i)
{
    p->value[i] = EVALUATOR_NAN;
    p->got[i] = SIGNALLING;
}

/* Leave to MPFR what has a prescribed result. */
static void leave_prescribed(struct work *w)
{
    for (uint32_t i = 0; i < w->n && w->b->y; i++) {
        if (w->p.left[i]) {
            leave(&w->p, i);
        }
    }
    for (uint32_t i = 0; i < w->n && !w->b->y; i++) {
        bool const is_nan = !(magnitude_of(w->p.x[i]) >= 0);
        bool const is_at_end =
            w->s->func == FUNC_FRACT && is_clipped(w->s->fmt, w->p.value[i], w->p.got[i]);
        if (is_prescribed(w->p.x[i]) || (is_nan && w->s->func == FUNC_SIGN) || is_at_end) {
            leave(&w->p, i);
        }
    }
}

/* The first n results of a form. */
static void judge_some(struct work *w, enum evaluator_isa isa, const struct filter *f, uint32_t n)
{
    struct totals *const t = &w->totals;
    widen[isa](w->s->fmt, piece_find(w, w->b->got[w->form]), w->p.got, n);
    if (w->has_prescribed) {
        leave_prescribed(w);
    }
    t->codes = SWEEP_UNDECIDED;
    if (f->is_quick) {
        judge[isa](f, 1, &w->p, n, t);
    }
    if (t->codes & (f->is_plain ? SWEEP_UNDECIDED : SWEEP_UNDECIDED | SWEEP_BROKEN)) {
        mark_signalling(w, n);
        judge[isa](f, 0, &w->p, n, t);
    }
}

/*
 * Sums and products are often exactly half way between two numbers of the format, and no slack can tell
 * them from others.
 * The error in ulps, 1/2 or -1/2, where got is the even neighbour of a value that is certainly exact and
 * half way; else 0. With the ulp 2^(e - p + 1) of the value's binade: got and the value are within a
 * factor of two, so their difference is exact; a value that is no power of two, half an ulp from a
 * number, is half way. Neighbours below the smallest normal number are left to MPFR.
 */
static double get_tie(const struct filter *f, enum func_id func, const double *arg, double value,
                      double got, uint64_t got_enc)
{
    double const a = magnitude_of(value), difference = got - value;
    if (!f->may_tie || (got_enc & 1) != 0 || !(a > f->min_normal) || !(a < f->overflow) ||
        !(magnitude_of(got) < f->overflow) || (bits_of(a) << 12) == 0) {
        return 0;
    }
    double const e = difference * double_of((f->inverse_field - (bits_of(a) >> 52)) << 52);
    if (magnitude_of(e) < 0.5 || magnitude_of(e) > 0.5 ||
        !evaluator_two_is_whole(func, arg[0], arg[1], value)) {
        return 0;
    }
    return e;
}

static void settle_ties(struct work *w, const struct filter *f)
{
    struct totals *const t = &w->totals;
    t->codes = 0;
    t->is_one_code = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->p.code[i] == SWEEP_UNDECIDED) {
            double const arg[2] = {w->p.x[i], w->p.y[i]};
            uint64_t const enc = sweep_load(w->s->fmt, w->b->got[w->form], w->first + i);
            double const e = get_tie(f, w->s->func, arg, w->p.value[i], w->p.got[i], enc);
            w->p.code[i] = fabs(e) > 0 ? SWEEP_EVEN : SWEEP_UNDECIDED;
            w->p.error[i] = e;
            t->above = fmax(t->above, e);
            t->below = fmax(t->below, -e);
            t->sum += fabs(e);
        }
        t->codes |= w->p.code[i];
    }
}

/* Results that are all the same, of one value. */
static bool is_same(const struct work *w)
{
    const unsigned char *const got = piece_find(w, w->b->got[w->form]);
    size_t const size = float_formats[w->s->fmt].n_bits / 8;
    return w->is_flat && memcmp(got, got + size, (w->n - 1) * size) == 0;
}

/* Such results that have nothing to put on any list: by the first. */
static int judge_flat(struct work *w, enum evaluator_isa isa, const struct filter *f)
{
    struct totals const *const t = &w->totals;
    w->has_totals = 0;
    judge_some(w, isa, f, 1);
    if ((t->codes & (SWEEP_UNDECIDED | SWEEP_BROKEN)) || !piece_is_quiet(w, f, NULL)) {
        return 0;
    }
    w->count[w->form][0][w->p.code[0]] += w->n;
    sweep_add_error(&w->s->result[w->form], w->n * fabs(w->p.error[0]), 1);
    return 1;
}

/* The same results as the form before, none of them in doubt or broken, and all within this form's bound
 * as well: its codes and errors hold. */
static int is_repeated(const struct work *w, const struct filter *f)
{
    struct totals const *const t = &w->totals;
    double const largest = t->above > t->below ? t->above : t->below;
    if (!w->has_totals || (t->codes & (SWEEP_UNDECIDED | SWEEP_BROKEN)) ||
        !(largest + largest * ERROR_NOISE + f->margin_ulp <= f->ok_ulp)) {
        return 0;
    }
    return memcmp(piece_find(w, w->b->got[w->form]), piece_find(w, w->b->got[w->form - 1]),
                  (size_t)w->n * (float_formats[w->s->fmt].n_bits / 8)) == 0;
}

/* Judges and records the results of one form of a piece. If all results are the same, the first
 * one is judged; if they equal those of the form before, its totals are reused; otherwise each
 * result is judged. MPFR judges what remains undecided. For two arguments settle_ties comes first,
 * because results are often exactly half way, which no slack decides. */
static void judge_form(struct work *w, enum evaluator_isa isa, const struct filter *f)
{
    struct sweep_result *const r = &w->s->result[w->form];
    bool const is_one_error = is_same(w);
    if (is_one_error && judge_flat(w, isa, f)) {
        return;
    }
    if (!is_repeated(w, f)) {
        judge_some(w, isa, f, w->n);
        if (w->b->y && f->may_tie && (w->totals.codes & SWEEP_UNDECIDED)) {
            settle_ties(w, f);
        }
        w->has_totals = 1;
    }
    piece_count_codes(w);
    /* Whether a piece is judged by its first result depends on earlier pieces, but the sum of errors must not. */
    bool const is_by_first = is_one_error && !(w->totals.codes & (SWEEP_UNDECIDED | SWEEP_BROKEN));
    sweep_add_error(r, is_by_first ? w->n * fabs(w->p.error[0]) : w->totals.sum, 1);
    piece_put_largest(w, f);
    if (w->totals.codes & SWEEP_BROKEN) {
        piece_put_broken(w);
    }
    if (w->totals.codes & SWEEP_UNDECIDED) {
        sweep_judge_undecided(w->s, w->form, w->b, w->first, w->n, w->p.code);
    }
}

/* A binade of f32 that has nothing prescribed and nothing subnormal. */
static bool is_ordinary(const struct work *w)
{
    uint32_t const exponent = w->slice % 256;
    return w->s->fmt == FMT_F32 && w->s->func != FUNC_FRACT && w->is_one_slice && exponent >= 1 &&
           exponent < 254 && exponent != 127 && exponent != 128;
}

static void find_binades(struct work *w)
{
    w->lowest = INT_MIN;
    w->highest = INT_MAX;
    if (w->is_one_slice) {
        sweep_get_binades(w->s->func, w->slice >= SWEEP_PLOT / 2, &w->lowest, &w->highest);
    }
}

/* Are all inputs of the piece in the slice of the first: do they have the same upper nine bits? */
static bool has_one_slice(const struct work *w)
{
    const void *const x = piece_find(w, w->b->x);
    uint32_t n_other = 0;
    for (uint32_t i = 0; i < w->n && w->s->fmt == FMT_F16; i++) {
        n_other += (uint32_t)((const uint16_t *)x)[i] >> 7 != w->slice;
    }
    for (uint32_t i = 0; i < w->n && w->s->fmt == FMT_F32; i++) {
        n_other += ((const uint32_t *)x)[i] >> 23 != w->slice;
    }
    return n_other == 0;
}

/* Finds what the inputs of a piece have in common: whether they are of one slice (the same upper
 * nine bits, sign and exponent), and whether some are subnormal or have a prescribed result, which
 * evaluators do not handle. For two arguments it also marks those that MPFR has to judge
 * (w->p.left). */
static void look_at_inputs(struct work *w, enum evaluator_isa isa)
{
    enum fmt_id const fmt = w->s->fmt;
    double const min_normal = ldexp(1, float_formats[fmt].emin);
    struct facts first, second;
    w->slice = sweep_get_slice(fmt, sweep_load(fmt, w->b->x, w->first));
    w->is_one_slice = has_one_slice(w);
    w->has_prescribed = 0;
    w->has_subnormal = 0;
    find_binades(w);
    /* a binade without special inputs: they need not be examined one by one */
    if (!w->b->y && is_ordinary(w)) {
        return;
    }
    look[isa](w->p.x, w->n, min_normal, &first);
    w->has_subnormal = first.n_subnormal != 0;
    if (!w->b->y) {
        /* the sign of a NaN is prescribed to be 0, and fract is kept below 1 whatever it rounds to */
        w->has_prescribed =
            first.n_prescribed != 0 || w->s->func == FUNC_SIGN || w->s->func == FUNC_FRACT;
        return;
    }
    look[isa](w->p.y, w->n, min_normal, &second);
    w->has_subnormal |= second.n_subnormal != 0;
    /* fills left[], and returns whether one is marked */
    w->has_prescribed =
        evaluator_two_find_left(w->s->func, w->s->env, isa, w->p.x, w->p.y, w->p.left, w->n);
}

/* A filter for the values of this piece. */
static struct filter narrow_filter(const struct work *w, const struct filter *wide)
{
    struct filter f = *wide;
    uint64_t const lowest = w->lowest == INT_MIN ? 0 : (uint64_t)(1023 + w->lowest);
    f.min_field = lowest > f.min_field ? lowest : f.min_field;
    f.max_field = w->highest == INT_MAX ? UINT64_MAX : (uint64_t)(1023 + w->highest);
    return f;
}

static void judge_piece(struct work *w, enum evaluator_isa isa, const struct filter (*filters)[2])
{
    w->is_flat = w->is_one_slice && !w->has_prescribed && !w->b->y &&
                 memcmp(w->p.value, w->p.value + 1, (w->n - 1) * sizeof w->p.value[0]) == 0;
    w->has_totals = 0;
    for (w->form = 0; w->form < w->s->n_forms; w->form++) {
        struct filter const f = narrow_filter(w, &filters[w->form][w->has_subnormal]);
        judge_form(w, isa, &f);
    }
}

static double get_slack_ulp(enum fmt_id fmt, double slack)
{
    return fmax(ldexp(slack, (int)float_formats[fmt].prec_bits), 0x1p-21);
}

/* Judges a block, piece by piece: widens the inputs to double, evaluates the function, and judges
 * each form. Each form has two filters: one for pieces without subnormal inputs, and one for
 * pieces with them, which may be flushed. Counts are recorded at the end. */
void sweep_filter(struct sweep *s, const struct sweep_block *b, enum evaluator_isa isa,
                  double slack)
{
    piece_counts count[SWEEP_MAX_FORMS];
    struct work w = {.s = s, .b = b, .slack_ulp = get_slack_ulp(s->fmt, slack), .count = count};
    struct filter f[SWEEP_MAX_FORMS][2];
    memset(count, 0, s->n_forms * sizeof count[0]);
    for (uint32_t form = 0; form < s->n_forms; form++) {
        f[form][0] = sweep_make_filter(s, form, slack, 0);
        f[form][1] = sweep_make_filter(s, form, slack, s->rules.flush_in != FLUSH_NEVER);
    }
    for (; w.first < b->n; w.first += w.n) {
        w.n = b->n - w.first < SWEEP_PIECE ? b->n - w.first : SWEEP_PIECE;
        widen[isa](s->fmt, piece_find(&w, b->x), w.p.x, w.n);
        if (b->y) {
            widen[isa](s->fmt, piece_find(&w, b->y), w.p.y, w.n);
            evaluator_two_run(s->func, isa, s->fmt, w.p.x, w.p.y, w.p.value, w.n);
        } else {
            evaluator_run(s->func, isa, w.p.x, w.p.value, w.n);
        }
        look_at_inputs(&w, isa);
        judge_piece(&w, isa, (const struct filter(*)[2])f);
    }
    for (w.form = 0; w.form < s->n_forms; w.form++) {
        piece_book_counts(&w);
    }
    sweep_count_breaks(s, b, isa);
}

/* --- flat blocks --- */

/* Has the function one value, as far as the evaluator can tell? Where it is monotone both ends say so. */
static int find_flat_value(struct work *w, enum evaluator_isa isa, const uint32_t ends[2])
{
    enum func_id const func = w->s->func;
    int const direction = sweep_get_direction(func, FMT_F32, ends[0]);
    w->slice = sweep_get_slice(FMT_F32, ends[0]);
    w->is_one_slice = sweep_get_slice(FMT_F32, ends[1]) == w->slice;
    if (!is_ordinary(w) || direction == 0 ||
        direction != sweep_get_direction(func, FMT_F32, ends[1])) {
        return 0;
    }
    widen[isa](FMT_F32, ends, w->p.x, 2);
    evaluator_run(func, isa, w->p.x, w->p.value, 2);
    find_binades(w);
    return bits_of(w->p.value[0]) == bits_of(w->p.value[1]);
}

/* Judges a block of f32 inputs from `base` on that all have the same value, with the same result
 * in each form: the first result is judged and recorded b->n times. Returns 0 where the block is
 * not of this kind, or something is undecided, broken or a new largest error. Nothing is recorded
 * before all forms have passed. */
int sweep_filter_flat(struct sweep *s, const struct sweep_block *b, uint32_t base,
                      enum evaluator_isa isa, double slack)
{
    uint32_t const ends[2] = {base, base + b->n - 1};
    struct work w = {.s = s, .b = b, .slack_ulp = get_slack_ulp(s->fmt, slack)};
    struct {
        uint32_t code;
        double magnitude;
    } flat[SWEEP_MAX_FORMS];
    if (s->fmt != FMT_F32 || b->n < 2 || !find_flat_value(&w, isa, ends)) {
        return 0;
    }
    for (w.form = 0; w.form < s->n_forms; w.form++) {
        struct filter const all = sweep_make_filter(s, w.form, slack, 0);
        struct filter const f = narrow_filter(&w, &all);
        if (!is_one[isa](b->got[w.form], b->n)) {
            return 0;
        }
        judge_some(&w, isa, &f, 1);
        if ((w.totals.codes & (SWEEP_UNDECIDED | SWEEP_BROKEN)) || !piece_is_quiet(&w, &f, ends)) {
            return 0;
        }
        flat[w.form].code = (uint32_t)w.p.code[0];
        flat[w.form].magnitude = fabs(w.p.error[0]);
    }
    for (uint32_t form = 0; form < s->n_forms; form++) {
        piece_book_code(&s->result[form], flat[form].code, b->n);
        /* added in pieces, so that blocks of any size give the same sum */
        double const magnitude = flat[form].magnitude;
        sweep_add_error(&s->result[form], SWEEP_PIECE * magnitude, b->n / SWEEP_PIECE);
        sweep_add_error(&s->result[form], b->n % SWEEP_PIECE * magnitude, 1);
    }
    return 1;
}

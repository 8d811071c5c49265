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
static void mark_signalling(struct work *work, uint32_t n)
{
    struct float_format const *f = &float_formats[work->s->fmt];
    const void *const got = work->b->got[work->form];
    for (uint32_t i = 0; i < n; i++) {
        if (isnan(work->p.got[i]) &&
            format_is_snan(f, sweep_load(work->s->fmt, got, work->first + i))) {
            work->p.got[i] = SIGNALLING;
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
static void leave_prescribed(struct work *work)
{
    for (uint32_t i = 0; i < work->n && work->b->y; i++) {
        if (work->p.left[i]) {
            leave(&work->p, i);
        }
    }
    for (uint32_t i = 0; i < work->n && !work->b->y; i++) {
        bool const is_nan = !(magnitude_of(work->p.x[i]) >= 0);
        bool const is_at_end = work->s->func == FUNC_FRACT &&
                               is_clipped(work->s->fmt, work->p.value[i], work->p.got[i]);
        if (is_prescribed(work->p.x[i]) || (is_nan && work->s->func == FUNC_SIGN) || is_at_end) {
            leave(&work->p, i);
        }
    }
}

/* The first n results of a form. */
static void judge_some(struct work *work, enum evaluator_isa isa, const struct filter *f,
                       uint32_t n)
{
    struct totals *const t = &work->totals;
    widen[isa](work->s->fmt, piece_find(work, work->b->got[work->form]), work->p.got, n);
    if (work->has_prescribed) {
        leave_prescribed(work);
    }
    t->codes = SWEEP_UNDECIDED;
    if (f->is_quick) {
        judge[isa](f, 1, &work->p, n, t);
    }
    if (t->codes & (f->is_plain ? SWEEP_UNDECIDED : SWEEP_UNDECIDED | SWEEP_BROKEN)) {
        mark_signalling(work, n);
        judge[isa](f, 0, &work->p, n, t);
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

static void settle_ties(struct work *work, const struct filter *f)
{
    struct totals *const t = &work->totals;
    t->codes = 0;
    t->is_one_code = 0;
    for (uint32_t i = 0; i < work->n; i++) {
        if (work->p.code[i] == SWEEP_UNDECIDED) {
            double const arg[2] = {work->p.x[i], work->p.y[i]};
            uint64_t const enc =
                sweep_load(work->s->fmt, work->b->got[work->form], work->first + i);
            double const e = get_tie(f, work->s->func, arg, work->p.value[i], work->p.got[i], enc);
            work->p.code[i] = fabs(e) > 0 ? SWEEP_EVEN : SWEEP_UNDECIDED;
            work->p.error[i] = e;
            t->above = fmax(t->above, e);
            t->below = fmax(t->below, -e);
            t->sum += fabs(e);
        }
        t->codes |= work->p.code[i];
    }
}

/* Results that are all the same, of one value. */
static bool is_same(const struct work *work)
{
    const unsigned char *const got = piece_find(work, work->b->got[work->form]);
    size_t const size = float_formats[work->s->fmt].n_bits / 8;
    return work->is_flat && memcmp(got, got + size, (work->n - 1) * size) == 0;
}

/* Such results that have nothing to put on any list: by the first. */
static int judge_flat(struct work *work, enum evaluator_isa isa, const struct filter *f)
{
    struct totals const *const t = &work->totals;
    work->has_totals = 0;
    judge_some(work, isa, f, 1);
    if ((t->codes & (SWEEP_UNDECIDED | SWEEP_BROKEN)) || !piece_is_quiet(work, f, NULL)) {
        return 0;
    }
    work->count[work->form][0][work->p.code[0]] += work->n;
    sweep_add_error(&work->s->result[work->form], work->n * fabs(work->p.error[0]), 1);
    return 1;
}

/* The same results as the form before, none of them in doubt or broken, and all within this form's bound
 * as well: its codes and errors hold. */
static int is_repeated(const struct work *work, const struct filter *f)
{
    struct totals const *const t = &work->totals;
    double const largest = t->above > t->below ? t->above : t->below;
    if (!work->has_totals || (t->codes & (SWEEP_UNDECIDED | SWEEP_BROKEN)) ||
        !(largest + largest * ERROR_NOISE + f->margin_ulp <= f->ok_ulp)) {
        return 0;
    }
    return memcmp(piece_find(work, work->b->got[work->form]),
                  piece_find(work, work->b->got[work->form - 1]),
                  (size_t)work->n * (float_formats[work->s->fmt].n_bits / 8)) == 0;
}

/* Judges and records the results of one form of a piece. If all results are the same, the first
 * one is judged; if they equal those of the form before, its totals are reused; otherwise each
 * result is judged. MPFR judges what remains undecided. For two arguments settle_ties comes first,
 * because results are often exactly half way, which no slack decides. */
static void judge_form(struct work *work, enum evaluator_isa isa, const struct filter *f)
{
    struct sweep_result *const r = &work->s->result[work->form];
    bool const is_one_error = is_same(work);
    if (is_one_error && judge_flat(work, isa, f)) {
        return;
    }
    if (!is_repeated(work, f)) {
        judge_some(work, isa, f, work->n);
        if (work->b->y && f->may_tie && (work->totals.codes & SWEEP_UNDECIDED)) {
            settle_ties(work, f);
        }
        work->has_totals = 1;
    }
    piece_count_codes(work);
    /* Whether a piece is judged by its first result depends on earlier pieces, but the sum of errors must not. */
    bool const is_by_first =
        is_one_error && !(work->totals.codes & (SWEEP_UNDECIDED | SWEEP_BROKEN));
    sweep_add_error(r, is_by_first ? work->n * fabs(work->p.error[0]) : work->totals.sum, 1);
    piece_put_largest(work, f);
    if (work->totals.codes & SWEEP_BROKEN) {
        piece_put_broken(work);
    }
    if (work->totals.codes & SWEEP_UNDECIDED) {
        sweep_judge_undecided(work->s, work->form, work->b, work->first, work->n, work->p.code);
    }
}

/* A binade of f32 that has nothing prescribed and nothing subnormal. */
static bool is_ordinary(const struct work *work)
{
    uint32_t const exponent = work->slice % 256;
    return work->s->fmt == FMT_F32 && work->s->func != FUNC_FRACT && work->is_one_slice &&
           exponent >= 1 && exponent < 254 && exponent != 127 && exponent != 128;
}

static void find_binades(struct work *work)
{
    work->lowest = INT_MIN;
    work->highest = INT_MAX;
    if (work->is_one_slice) {
        sweep_get_binades(work->s->func, work->slice >= SWEEP_PLOT / 2, &work->lowest,
                          &work->highest);
    }
}

/* Are all inputs of the piece in the slice of the first: do they have the same upper nine bits? */
static bool has_one_slice(const struct work *work)
{
    const void *const x = piece_find(work, work->b->x);
    uint32_t n_other = 0;
    for (uint32_t i = 0; i < work->n && work->s->fmt == FMT_F16; i++) {
        n_other += (uint32_t)((const uint16_t *)x)[i] >> 7 != work->slice;
    }
    for (uint32_t i = 0; i < work->n && work->s->fmt == FMT_F32; i++) {
        n_other += ((const uint32_t *)x)[i] >> 23 != work->slice;
    }
    return n_other == 0;
}

/* Finds what the inputs of a piece have in common: whether they are of one slice (the same upper nine bits, sign
 * and exponent), and whether some are subnormal or have a prescribed result, which evaluators do not handle. For
 * two arguments it also marks those that MPFR has to judge (work->p.left). */
static void look_at_inputs(struct work *work, enum evaluator_isa isa)
{
    enum fmt_id const fmt = work->s->fmt;
    double const min_normal = ldexp(1, float_formats[fmt].emin);
    struct facts first, second;
    work->slice = sweep_get_slice(fmt, sweep_load(fmt, work->b->x, work->first));
    work->is_one_slice = has_one_slice(work);
    work->has_prescribed = 0;
    work->has_subnormal = 0;
    find_binades(work);
    /* a binade without special inputs: they need not be examined one by one */
    if (!work->b->y && is_ordinary(work)) {
        return;
    }
    look[isa](work->p.x, work->n, min_normal, &first);
    work->has_subnormal = first.n_subnormal != 0;
    if (!work->b->y) {
        /* the sign of a NaN is prescribed to be 0, and fract is kept below 1 whatever it rounds to */
        work->has_prescribed =
            first.n_prescribed != 0 || work->s->func == FUNC_SIGN || work->s->func == FUNC_FRACT;
        return;
    }
    look[isa](work->p.y, work->n, min_normal, &second);
    work->has_subnormal |= second.n_subnormal != 0;
    /* fills left[], and returns whether one is marked */
    work->has_prescribed = evaluator_two_find_left(work->s->func, work->s->env, isa, work->p.x,
                                                   work->p.y, work->p.left, work->n);
}

/* A filter for the values of this piece. */
static struct filter narrow_filter(const struct work *work, const struct filter *wide)
{
    struct filter f = *wide;
    uint64_t const lowest = work->lowest == INT_MIN ? 0 : (uint64_t)(1023 + work->lowest);
    f.min_field = lowest > f.min_field ? lowest : f.min_field;
    f.max_field = work->highest == INT_MAX ? UINT64_MAX : (uint64_t)(1023 + work->highest);
    return f;
}

static void judge_piece(struct work *work, enum evaluator_isa isa,
                        const struct filter (*filters)[2])
{
    work->is_flat =
        work->is_one_slice && !work->has_prescribed && !work->b->y &&
        memcmp(work->p.value, work->p.value + 1, (work->n - 1) * sizeof work->p.value[0]) == 0;
    work->has_totals = 0;
    for (work->form = 0; work->form < work->s->n_forms; work->form++) {
        struct filter const f = narrow_filter(work, &filters[work->form][work->has_subnormal]);
        judge_form(work, isa, &f);
    }
}

static double get_slack_ulp(enum fmt_id fmt, double slack)
{
    return fmax(ldexp(slack, (int)float_formats[fmt].prec_bits), 0x1p-21);
}

/* Judges a block, piece by piece: widens the inputs to double, evaluates the function, and judges
 * each form. Each form has two filters: one for pieces without subnormal inputs, and one for
 * pieces with them, which may be flushed. Counts are recorded at the end. */
void sweep_filter(struct sweep *s, const struct sweep_block *block, enum evaluator_isa isa,
                  double slack)
{
    piece_counts count[SWEEP_MAX_FORMS];
    struct work work = {
        .s = s, .b = block, .slack_ulp = get_slack_ulp(s->fmt, slack), .count = count};
    struct filter f[SWEEP_MAX_FORMS][2];
    memset(count, 0, s->n_forms * sizeof count[0]);
    for (uint32_t form = 0; form < s->n_forms; form++) {
        f[form][0] = sweep_make_filter(s, form, slack, 0);
        f[form][1] = sweep_make_filter(s, form, slack, s->rules.flush_in != FLUSH_NEVER);
    }
    for (; work.first < block->n; work.first += work.n) {
        work.n = block->n - work.first < SWEEP_PIECE ? block->n - work.first : SWEEP_PIECE;
        widen[isa](s->fmt, piece_find(&work, block->x), work.p.x, work.n);
        if (block->y) {
            widen[isa](s->fmt, piece_find(&work, block->y), work.p.y, work.n);
            evaluator_two_run(s->func, isa, s->fmt, work.p.x, work.p.y, work.p.value, work.n);
        } else {
            evaluator_run(s->func, isa, work.p.x, work.p.value, work.n);
        }
        look_at_inputs(&work, isa);
        judge_piece(&work, isa, (const struct filter(*)[2])f);
    }
    for (work.form = 0; work.form < s->n_forms; work.form++) {
        piece_book_counts(&work);
    }
    sweep_count_breaks(s, block, isa);
}

/* --- flat blocks --- */

/* Has the function one value, as far as the evaluator can tell? Where it is monotone both ends say so. */
static int find_flat_value(struct work *work, enum evaluator_isa isa, const uint32_t ends[2])
{
    enum func_id const func = work->s->func;
    int const direction = sweep_get_direction(func, FMT_F32, ends[0]);
    work->slice = sweep_get_slice(FMT_F32, ends[0]);
    work->is_one_slice = sweep_get_slice(FMT_F32, ends[1]) == work->slice;
    if (!is_ordinary(work) || direction == 0 ||
        direction != sweep_get_direction(func, FMT_F32, ends[1])) {
        return 0;
    }
    widen[isa](FMT_F32, ends, work->p.x, 2);
    evaluator_run(func, isa, work->p.x, work->p.value, 2);
    find_binades(work);
    return bits_of(work->p.value[0]) == bits_of(work->p.value[1]);
}

/* Judges a block of f32 inputs from `base` on that all have the same value, with the same result in each form: the
 * first result is judged and recorded block->n times. Returns 0 where the block is not of this kind, or something
 * is undecided, broken or a new largest error. Nothing is recorded before all forms have passed. */
int sweep_filter_flat(struct sweep *s, const struct sweep_block *block, uint32_t base,
                      enum evaluator_isa isa, double slack)
{
    uint32_t const ends[2] = {base, base + block->n - 1};
    struct work work = {.s = s, .b = block, .slack_ulp = get_slack_ulp(s->fmt, slack)};
    struct {
        uint32_t code;
        double magnitude;
    } flat[SWEEP_MAX_FORMS];
    if (s->fmt != FMT_F32 || block->n < 2 || !find_flat_value(&work, isa, ends)) {
        return 0;
    }
    for (work.form = 0; work.form < s->n_forms; work.form++) {
        struct filter const all = sweep_make_filter(s, work.form, slack, 0);
        struct filter const f = narrow_filter(&work, &all);
        if (!is_one[isa](block->got[work.form], block->n)) {
            return 0;
        }
        judge_some(&work, isa, &f, 1);
        if ((work.totals.codes & (SWEEP_UNDECIDED | SWEEP_BROKEN)) ||
            !piece_is_quiet(&work, &f, ends)) {
            return 0;
        }
        flat[work.form].code = (uint32_t)work.p.code[0];
        flat[work.form].magnitude = fabs(work.p.error[0]);
    }
    for (uint32_t form = 0; form < s->n_forms; form++) {
        piece_book_code(&s->result[form], flat[form].code, block->n);
        /* added in pieces, so that blocks of any size give the same sum */
        double const magnitude = flat[form].magnitude;
        sweep_add_error(&s->result[form], SWEEP_PIECE * magnitude, block->n / SWEEP_PIECE);
        sweep_add_error(&s->result[form], block->n % SWEEP_PIECE * magnitude, 1);
    }
    return 1;
}

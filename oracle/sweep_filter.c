/* oracle/sweep_filter.c -- verdicts in double: decided where every value within the evaluator's slack
 * gives the same. Loops without branches, compiled for each instruction set. */
#include "oracle/sweep_lane.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "oracle/evaluator_two.h"

/* Stands for a signalling NaN among results: neither a number of the format nor a NaN. */
#define SIGNALLING 0x1p1000

enum {
    WAYS = 8 /* partial sums, and partial histograms: equal results do not wait for each other */
};
/* One piece: inputs, values, and of one form the results and what comes out. */
struct piece {
    double x[SWEEP_PIECE], y[SWEEP_PIECE], value[SWEEP_PIECE], got[SWEEP_PIECE], error[SWEEP_PIECE];
    int64_t code[SWEEP_PIECE];
    uint64_t left[SWEEP_PIECE]; /* two arguments: those that MPFR has to judge */
};
/* Over a piece. */
struct totals {
    int64_t codes;       /* the bits of all */
    double above, below; /* largest error, largest negated */
    double sum;          /* of |error| */
};

/* Eight partial sums of |error|. */
EVALUATOR_INLINE double sum_errors(const struct piece *p, uint32_t n)
{
    double sum[WAYS] = {0};
    uint32_t i = 0;
    for (; i + WAYS <= n; i += WAYS) {
        for (uint32_t k = 0; k < WAYS; k++) {
            sum[k] += magnitude_of(p->error[i + k]);
        }
    }
    for (; i < n; i++) {
        sum[0] += magnitude_of(p->error[i]);
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

EVALUATOR_INLINE int64_t join_codes(const struct piece *p, uint32_t n)
{
    int64_t all = 0;
    for (uint32_t i = 0; i < n; i++) {
        all |= p->code[i];
    }
    return all;
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

EVALUATOR_INLINE void judge_lanes(const struct filter *filter, int is_quick, struct piece *p,
                                  uint32_t n, struct totals *t)
{
    struct filter const f = *filter;
    if (is_quick) {
        for (uint32_t i = 0; i < n; i++) {
            p->code[i] = judge_quickly(&f, p->value[i], p->got[i], &p->error[i]);
        }
    } else {
        for (uint32_t i = 0; i < n; i++) {
            p->code[i] = judge_lane(&f, p->value[i], p->got[i], &p->error[i]);
        }
    }
    t->codes = join_codes(p, n);
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

/* The fraction moved to its place and scaled: exact, subnormals included. */
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

#define FILTER_LOOPS(isa)                                                                          \
    EVALUATOR_TARGET_##isa static void judge_##isa(const struct filter *f, int is_quick,           \
                                                   struct piece *p, uint32_t n, struct totals *t)  \
    {                                                                                              \
        judge_lanes(f, is_quick, p, n, t);                                                         \
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
    }
FILTER_LOOPS(base)
FILTER_LOOPS(avx2)
FILTER_LOOPS(avx512)

static void (*const judge[EVALUATOR_ISA_N])(const struct filter *, int, struct piece *, uint32_t,
                                            struct totals *) = {judge_base, judge_avx2,
                                                                judge_avx512};
static void (*const look[EVALUATOR_ISA_N])(const double *, uint32_t, double,
                                           struct facts *) = {look_base, look_avx2, look_avx512};
static void (*const widen[EVALUATOR_ISA_N])(enum fmt_id, const void *, double *,
                                            uint32_t) = {widen_base, widen_avx2, widen_avx512};

/* --- a piece --- */

struct work {
    struct sweep *s;
    const struct sweep_block *b;
    uint32_t first, n, form; /* the piece begins at `first` of the block */
    double slack_ulp;
    int is_one_slice;
    uint32_t slice;
    struct piece p;
    int has_prescribed, has_subnormal;
    int is_flat;          /* one value, and nothing prescribed */
    int lowest, highest;  /* binades of the values: sweep_get_binades */
    struct totals totals; /* of the last form, its results were `judged` of the piece */
    int has_totals;
    uint32_t count[SWEEP_MAX_FORMS][WAYS][SWEEP_CODES];
};

static const void *at(const struct work *w, const void *p)
{
    return (const unsigned char *)p + (size_t)w->first * (float_formats[w->s->fmt].n_bits / 8);
}

static struct sweep_worst make_worst(const struct work *w, uint32_t i)
{
    struct sweep_worst const out = {
        w->p.error[i],
        {sweep_load(w->s->fmt, w->b->x, w->first + i),
                      w->b->y ? sweep_load(w->s->fmt, w->b->y, w->first + i) : 0, 0},
        sweep_load(w->s->fmt, w->b->got[w->form], w->first + i)
    };
    return out;
}

/* The error as MPFR gives it. */
static void measure(const struct work *w, struct sweep_worst *worst)
{
    struct func_args const args = {
        .fmt = w->s->fmt, .enc = {worst->arg[0], worst->arg[1]}
    };
    double error;
    if (func_get_error(w->s->func, w->s->env, &args, worst->got, &error) == 0) {
        worst->error = error;
    }
}

/* Those near the largest error of the piece, on one side, where it may be the largest so far. */
static void put_candidates(struct work *w, double largest, double sign)
{
    enum {
        MAX_CANDIDATES = 4 /* of equal ones those that come first */
    };
    struct sweep_result *const r = &w->s->result[w->form];
    double const stored = fabs(sign > 0 ? r->above.error : r->below.error);
    double const slack = w->slack_ulp + largest * ERROR_NOISE;
    double const at_least = fmax(largest - 2 * slack, stored - slack);
    uint32_t n = 0;
    if (!(largest > 0) || !(largest + slack > stored)) {
        return;
    }
    for (uint32_t i = 0; i < w->n && n < MAX_CANDIDATES; i++) {
        if (w->p.error[i] * sign > 0 && w->p.error[i] * sign >= at_least) {
            struct sweep_worst worst = make_worst(w, i);
            measure(w, &worst);
            sweep_put_largest(w->s, w->form, &worst);
            n++;
        }
    }
}

static void put_plot(struct work *w, double largest)
{
    struct sweep_worst *const plot = w->s->result[w->form].plot;
    if (w->is_one_slice && !(largest > fabs(plot[w->slice].error))) {
        return;
    }
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t const slice =
            w->is_one_slice
                ? w->slice
                : sweep_get_slice(w->s->fmt, sweep_load(w->s->fmt, w->b->x, w->first + i));
        if (fabs(w->p.error[i]) > fabs(plot[slice].error)) {
            plot[slice] = make_worst(w, i);
        }
    }
}

static void put_all_broken(struct work *w)
{
    struct sweep_result *const r = &w->s->result[w->form];
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->p.code[i] < SWEEP_BROKEN || w->p.code[i] >= SWEEP_RIGHT) {
            continue;
        }
        if (fabs(w->p.error[i]) > fabs(r->broken[SWEEP_WORST - 1].error)) {
            struct sweep_worst const worst = make_worst(w, i);
            sweep_put_broken(r, &worst);
        } else {
            r->n_broken++;
        }
    }
}

static void count_codes(struct work *w)
{
    uint32_t(*const count)[SWEEP_CODES] = w->count[w->form];
    uint32_t i = 0;
    for (; i + WAYS <= w->n; i += WAYS) {
        for (uint32_t k = 0; k < WAYS; k++) {
            count[k][w->p.code[i + k]]++;
        }
    }
    for (; i < w->n; i++) {
        count[0][w->p.code[i]]++;
    }
}

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
static int is_clipped(enum fmt_id fmt, double value, double got)
{
    return !(value < 1 - ldexp(1, -(int)float_formats[fmt].prec_bits)) || !(got < 1) || !(got >= 0);
}

static void leave_prescribed(struct work *w)
{
    double const nan = double_of(0x7ff8000000000000);
    for (uint32_t i = 0; i < w->n && w->b->y; i++) {
        w->p.value[i] = w->p.left[i] ? nan : w->p.value[i];
        w->p.got[i] = w->p.left[i] ? SIGNALLING : w->p.got[i];
    }
    for (uint32_t i = 0; i < w->n && !w->b->y; i++) {
        int const is_nan = !(magnitude_of(w->p.x[i]) >= 0);
        if (is_prescribed(w->p.x[i]) || (is_nan && w->s->func == FUNC_SIGN) ||
            (w->s->func == FUNC_FRACT && is_clipped(w->s->fmt, w->p.value[i], w->p.got[i]))) {
            w->p.value[i] = nan;
            w->p.got[i] = SIGNALLING;
        }
    }
}

/* The first n results of a form. */
static void judge_some(struct work *w, enum evaluator_isa isa, const struct filter *f, uint32_t n)
{
    struct totals *const t = &w->totals;
    widen[isa](w->s->fmt, at(w, w->b->got[w->form]), w->p.got, n);
    if (w->has_prescribed) {
        leave_prescribed(w);
    }
    t->codes = SWEEP_DOUBT;
    if (f->is_plain) {
        judge[isa](f, 1, &w->p, n, t);
    }
    if (t->codes & SWEEP_DOUBT) {
        mark_signalling(w, n);
        judge[isa](f, 0, &w->p, n, t);
    }
}

static void settle_ties(struct work *w, const struct filter *f)
{
    struct totals *const t = &w->totals;
    t->codes = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->p.code[i] == SWEEP_DOUBT) {
            double const arg[2] = {w->p.x[i], w->p.y[i]};
            uint64_t const enc = sweep_load(w->s->fmt, w->b->got[w->form], w->first + i);
            double const e = sweep_get_tie(f, w->s->func, arg, w->p.value[i], w->p.got[i], enc);
            w->p.code[i] = fabs(e) > 0 ? SWEEP_EVEN : SWEEP_DOUBT;
            w->p.error[i] = e;
            t->above = fmax(t->above, e);
            t->below = fmax(t->below, -e);
            t->sum += fabs(e);
        }
        t->codes |= w->p.code[i];
    }
}

/* Results that are all the same, of one value, and have nothing to put on any list: by the first. */
static int judge_flat(struct work *w, enum evaluator_isa isa, const struct filter *f)
{
    struct sweep_result *const r = &w->s->result[w->form];
    struct totals const *const t = &w->totals;
    const unsigned char *const got = at(w, w->b->got[w->form]);
    size_t const size = float_formats[w->s->fmt].n_bits / 8;
    if (!w->is_flat || memcmp(got, got + size, (w->n - 1) * size) != 0) {
        return 0;
    }
    w->has_totals = 0;
    judge_some(w, isa, f, 1);
    double const largest = t->above > t->below ? t->above : t->below;
    double const reach = largest + largest * ERROR_NOISE + w->slack_ulp;
    if (t->codes & (SWEEP_DOUBT | SWEEP_BROKEN)) {
        return 0;
    }
    if (largest > 0 && (largest > fabs(r->plot[w->slice].error) ||
                        reach > fabs((t->above > 0 ? &r->above : &r->below)->error))) {
        return 0;
    }
    w->count[w->form][0][w->p.code[0]] += w->n;
    r->sum_error += w->n * largest;
    return 1;
}

/* The same results as the form before, none of them in doubt or broken, and all within this form's bound
 * as well: its codes and errors hold. */
static int is_repeated(const struct work *w, const struct filter *f)
{
    struct totals const *const t = &w->totals;
    double const largest = t->above > t->below ? t->above : t->below;
    if (!w->has_totals || (t->codes & (SWEEP_DOUBT | SWEEP_BROKEN)) ||
        !(largest + largest * ERROR_NOISE + f->margin_ulp <= f->ok_ulp)) {
        return 0;
    }
    return memcmp(at(w, w->b->got[w->form]), at(w, w->b->got[w->form - 1]),
                  (size_t)w->n * (float_formats[w->s->fmt].n_bits / 8)) == 0;
}

static void judge_form(struct work *w, enum evaluator_isa isa, const struct filter *f)
{
    struct sweep_result *const r = &w->s->result[w->form];
    if (judge_flat(w, isa, f)) {
        return;
    }
    if (!is_repeated(w, f)) {
        judge_some(w, isa, f, w->n);
        if (w->b->y && f->may_tie && (w->totals.codes & SWEEP_DOUBT)) {
            settle_ties(w, f);
        }
        w->has_totals = 1;
    }
    struct totals const t = w->totals;
    count_codes(w);
    r->sum_error += t.sum;
    put_candidates(w, t.above, 1);
    put_candidates(w, t.below, -1);
    put_plot(w, t.above > t.below ? t.above : t.below);
    if (t.codes & SWEEP_BROKEN) {
        put_all_broken(w);
    }
    if (t.codes & SWEEP_DOUBT) {
        sweep_judge_doubts(w->s, w->form, w->b, w->first, w->n, w->p.code);
    }
}

static void book_counts(struct work *w)
{
    struct sweep_result *const r = &w->s->result[w->form];
    uint32_t(*const count)[SWEEP_CODES] = w->count[w->form];
    uint32_t const half = sweep_get_bin(0.5);
    for (uint32_t code = 0; code < SWEEP_CODES; code++) {
        uint64_t n = 0;
        for (uint32_t k = 0; k < WAYS; k++) {
            n += count[k][code];
        }
        if (code < SWEEP_RIGHT) {
            r->n_numbers += n;
            r->histogram[code % SWEEP_BINS] += n;
            r->n_rounded += code % SWEEP_BINS < half ? n : 0;
        }
        if (code == SWEEP_EVEN) {
            r->n_numbers += n;
            r->histogram[half] += n;
            r->n_rounded += n;
        }
        r->n_flushed += code == SWEEP_FLUSHED ? n : 0;
        r->n += code != SWEEP_DOUBT ? n : 0;
    }
}

static void look_at_inputs(struct work *w, enum evaluator_isa isa)
{
    enum fmt_id const fmt = w->s->fmt;
    struct facts f;
    uint32_t n_other = 0;
    w->slice = sweep_get_slice(fmt, sweep_load(fmt, w->b->x, w->first));
    if (fmt == FMT_F16) {
        const uint16_t *const x = (const uint16_t *)at(w, w->b->x);
        for (uint32_t i = 0; i < w->n; i++) {
            n_other += (uint32_t)x[i] >> 7 != w->slice;
        }
    } else {
        const uint32_t *const x = (const uint32_t *)at(w, w->b->x);
        for (uint32_t i = 0; i < w->n; i++) {
            n_other += x[i] >> 23 != w->slice;
        }
    }
    w->is_one_slice = n_other == 0;
    w->has_prescribed = 0;
    w->has_subnormal = 0;
    w->lowest = INT_MIN;
    w->highest = INT_MAX;
    if (w->is_one_slice) {
        sweep_get_binades(w->s->func, w->slice >= SWEEP_PLOT / 2, &w->lowest, &w->highest);
    }
    if (w->b->y) {
        double const min_normal = ldexp(1, float_formats[fmt].emin);
        struct facts second;
        look[isa](w->p.x, w->n, min_normal, &f);
        look[isa](w->p.y, w->n, min_normal, &second);
        w->has_prescribed =
            evaluator_two_find_left(w->s->func, w->s->env, isa, w->p.x, w->p.y, w->p.left, w->n);
        w->has_subnormal = f.n_subnormal + second.n_subnormal != 0;
        return;
    }
    if (fmt == FMT_F32 && w->s->func != FUNC_FRACT && w->is_one_slice && w->slice % 256 >= 1 &&
        w->slice % 256 < 254 && w->slice % 256 != 127 && w->slice % 256 != 128) {
        return; /* a binade that has none of them */
    }
    look[isa](w->p.x, w->n, ldexp(1, float_formats[fmt].emin), &f);
    /* the first has numbers for NaN, the second an end */
    w->has_prescribed = f.n_prescribed != 0 || w->s->func == FUNC_SIGN || w->s->func == FUNC_FRACT;
    w->has_subnormal = f.n_subnormal != 0;
}

static void judge_piece(struct work *w, enum evaluator_isa isa, const struct filter (*filters)[2])
{
    w->is_flat = w->is_one_slice && !w->has_prescribed && !w->b->y &&
                 memcmp(w->p.value, w->p.value + 1, (w->n - 1) * sizeof w->p.value[0]) == 0;
    w->has_totals = 0;
    for (w->form = 0; w->form < w->s->n_forms; w->form++) {
        struct filter f = filters[w->form][w->has_subnormal];
        uint64_t const lowest = w->lowest == INT_MIN ? 0 : (uint64_t)(1023 + w->lowest);
        f.min_field = lowest > f.min_field ? lowest : f.min_field;
        f.max_field = w->highest == INT_MAX ? UINT64_MAX : (uint64_t)(1023 + w->highest);
        judge_form(w, isa, &f);
    }
}

void sweep_filter(struct sweep *s, const struct sweep_block *b, enum evaluator_isa isa,
                  double slack)
{
    struct work w = {.s = s, .b = b};
    struct filter f[SWEEP_MAX_FORMS][2];
    for (uint32_t form = 0; form < s->n_forms; form++) {
        f[form][0] = sweep_make_filter(s, form, slack, 0);
        f[form][1] = sweep_make_filter(s, form, slack, s->rules.flush_in != FLUSH_NEVER);
    }
    w.slack_ulp = fmax(ldexp(slack, (int)float_formats[s->fmt].prec_bits), 0x1p-21);
    for (; w.first < b->n; w.first += w.n) {
        w.n = b->n - w.first < SWEEP_PIECE ? b->n - w.first : SWEEP_PIECE;
        widen[isa](s->fmt, at(&w, b->x), w.p.x, w.n);
        if (b->y) {
            widen[isa](s->fmt, at(&w, b->y), w.p.y, w.n);
            evaluator_two_run(s->func, isa, s->fmt, w.p.x, w.p.y, w.p.value, w.n);
        } else {
            evaluator_run(s->func, isa, w.p.x, w.p.value, w.n);
        }
        look_at_inputs(&w, isa);
        judge_piece(&w, isa, (const struct filter(*)[2])f);
    }
    for (w.form = 0; w.form < s->n_forms; w.form++) {
        book_counts(&w);
    }
    sweep_count_breaks(s, b, isa);
}

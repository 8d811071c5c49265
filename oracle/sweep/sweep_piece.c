/* oracle/sweep/sweep_piece.c -- what a judged piece adds to a form's result. */
#include "oracle/sweep/sweep_piece.h"

#include <math.h>

#include "base/format.h"
#include "oracle/func/func.h"
#include "oracle/sweep/evaluator_kernel.h"
#include "oracle/sweep/sweep_order.h"
#include "oracle/sweep/sweep_state.h"

const void *piece_find(const struct work *w, const void *p)
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

/* The error as MPFR gives it, where it has one. */
static void measure(struct work *w, struct sweep_worst *worst)
{
    struct func_args const args = {
        .fmt = w->s->fmt, .enc = {worst->arg[0], worst->arg[1]}
    };
    struct measured *const m = &w->measured;
    for (uint32_t i = 0; i < m->n && i < PIECE_MEASURED; i++) {
        if (m->last[i].arg[0] == worst->arg[0] && m->last[i].arg[1] == worst->arg[1] &&
            m->last[i].got == worst->got) {
            worst->error = m->last[i].error;
            return;
        }
    }
    double error;
    if (func_get_error(w->s->func, w->s->env, &args, worst->got, &error) == FUNC_ERROR_MEASURED) {
        worst->error = error;
        m->last[m->n++ % PIECE_MEASURED] = *worst;
    }
}

/* --- errors of one result --- */

/* The exponent field of the values' ulp, or 0 where it is not certain: as in judge_value. */
static uint64_t get_field(const struct filter *f, double value)
{
    double const a = magnitude_of(value);
    uint64_t const low = bits_of(a * f->low_factor) >> 52;
    uint64_t const high = bits_of(a * f->high_factor) >> 52;
    uint64_t const below_max = high < f->max_field ? high : f->max_field;
    uint64_t const field = low > f->min_field ? low : f->min_field;
    uint64_t const high_field = below_max > f->min_field ? below_max : f->min_field;
    return field == high_field && f->crossing == 0 ? field : 0;
}

/*
 * Two inputs in ascending order with the same result, whose error has that sign: does it grow from
 * one to the other (1), shrink (-1), or is it not known (0)? It does one of them where the
 * function is monotone and its values have one ulp.
 */
static int get_trend(const struct work *w, const struct filter *f, const struct sweep_worst ends[2],
                     const double value[2], double sign)
{
    enum fmt_id const fmt = w->s->fmt;
    uint64_t const x = ends[0].arg[0], last = ends[1].arg[0];
    uint64_t const field = get_field(f, value[0]);
    int const direction = sweep_get_direction(w->s->func, fmt, x);
    if (w->b->y || ends[0].got != ends[1].got || x > last ||
        ((x ^ last) & float_formats[fmt].sign) != 0 || field == 0 ||
        field != get_field(f, value[1]) ||
        direction != sweep_get_direction(w->s->func, fmt, last)) {
        return 0;
    }
    return sign > 0 ? -direction : direction;
}

/* Is it the largest so far of its side? Points of the plot have the errors that the filter knows. */
static bool is_kept(const struct sweep_result *r, const struct sweep_worst *w, double sign)
{
    double const e = w->error * sign, side = sign > 0 ? r->above.error : r->below.error;
    return e > 0 && e > fabs(side);
}

/* --- largest errors --- */

enum {
    MAX_CANDIDATES = 4 /* of equal ones those that come first */
};
/* Near the largest error of a piece, on one side. */
struct candidates {
    double sign; /* the side: 1 for errors above the exact value, -1 for those below */
    uint32_t n, at[MAX_CANDIDATES];
    int is_signed; /* that is the sign of the exact errors too: these are beyond the slack of a double */
};

static struct sweep_worst measure_candidate(struct work *w, const struct candidates *c, uint32_t k)
{
    struct sweep_worst out = make_worst(w, c->at[k]);
    measure(w, &out);
    return out;
}

/* Have all candidates the same result, and arguments that rise? */
static bool is_run(const struct work *w, const struct candidates *c)
{
    struct sweep_worst last = make_worst(w, c->at[0]);
    for (uint32_t k = 1; k < c->n; k++) {
        struct sweep_worst const one = make_worst(w, c->at[k]);
        if (one.got != last.got || one.arg[0] <= last.arg[0]) {
            return false;
        }
        last = one;
    }
    return true;
}

/* Is the end `top` of a run with errors of that trend the first of all whose error is the largest? Errors that
 * fall begin with it; of errors that rise the one before it may be as large. */
static bool is_first_of_equals(struct work *w, const struct candidates *c, int trend,
                               const struct sweep_worst *top)
{
    return trend < 0 || fabs(measure_candidate(w, c, c->n - 2).error) < fabs(top->error);
}

/* Records the worst of the candidates (results whose error may be the largest so far) if they are
 * a run: ascending arguments with the same result, where the function is monotonic. Then the size
 * of the error is monotonic too, rising (trend 1) or falling (-1), so that `top`, the last or the
 * first of them, is the worst. MPFR measures only the ends, and `bottom` only to verify that no
 * error of the run has the other sign. Of equal errors the first one is recorded, as if each were
 * measured. Returns false where they are no run, or it is not certain which is the worst or the
 * first; the caller then measures each. An error that is a NaN fails each comparison. */
static bool put_ends(struct work *w, const struct filter *f, const struct candidates *c)
{
    struct sweep_result *const r = &w->s->result[w->form];
    if (c->n < 2 || !w->is_one_slice) {
        return false;
    }
    uint32_t const last = c->n - 1;
    struct sweep_worst ends[2] = {make_worst(w, c->at[0]), make_worst(w, c->at[last])};
    double const value[2] = {w->p.value[c->at[0]], w->p.value[c->at[last]]};
    int const trend = get_trend(w, f, ends, value, c->sign);
    if (trend == 0 || !is_run(w, c)) {
        return false;
    }
    struct sweep_worst *const top = trend > 0 ? &ends[1] : &ends[0];
    struct sweep_worst *const bottom = trend > 0 ? &ends[0] : &ends[1];
    measure(w, top);
    if (!c->is_signed) {
        measure(w, bottom);
        if (!(top->error * c->sign >= 0) || !(bottom->error * c->sign >= 0)) {
            return false;
        }
    }
    if (!is_kept(r, top, c->sign)) {
        return true;
    }
    if (!is_first_of_equals(w, c, trend, top)) {
        return false;
    }
    sweep_put_side(&w->s->result[w->form], top);
    return true;
}

/* Books the largest error of the piece on one side (sign 1: above, -1: below), if it may be the largest so
 * far. Errors in double are known but for a slack, so all results within it of the largest are candidates,
 * which MPFR measures: only the ends of a run, or each. */
static void put_candidates(struct work *w, const struct filter *f, double largest, double sign)
{
    struct sweep_result *const r = &w->s->result[w->form];
    double const stored = fabs(sign > 0 ? r->above.error : r->below.error);
    double const slack = w->slack_ulp + largest * ERROR_NOISE;
    double const at_least = fmax(largest - 2 * slack, stored - slack);
    struct candidates c = {.sign = sign, .is_signed = at_least > slack};
    if (!(largest > 0) || !(largest + slack > stored)) {
        return;
    }
    for (uint32_t i = 0; i < w->n && c.n < MAX_CANDIDATES; i++) {
        if (w->p.error[i] * sign > 0 && w->p.error[i] * sign >= at_least) {
            c.at[c.n++] = i;
        }
    }
    if (put_ends(w, f, &c)) {
        return;
    }
    for (uint32_t k = 0; k < c.n; k++) {
        struct sweep_worst const worst = measure_candidate(w, &c, k);
        sweep_put_side(&w->s->result[w->form], &worst);
    }
}

/* The first result whose error reaches `largest`, which is that of the piece, as the point of its slice. */
static void put_point(struct work *w, double largest)
{
    struct sweep_worst *const point = &w->s->result[w->form].plot[w->slice];
    for (uint32_t i = 0; i < w->n && largest > fabs(point->error); i++) {
        if (fabs(w->p.error[i]) >= largest) {
            *point = make_worst(w, i);
        }
    }
}

/* Book the points of the plot. */
static void put_plot(struct work *w, double largest)
{
    struct sweep_worst *const plot = w->s->result[w->form].plot;
    if (w->is_one_slice) {
        put_point(w, largest);
        return;
    }
    for (uint32_t i = 0; i < w->n; i++) {
        uint64_t const x = sweep_load(w->s->fmt, w->b->x, w->first + i);
        uint32_t const slice = sweep_get_slice(w->s->fmt, x);
        double const magnitude = fabs(w->p.error[i]);
        if (magnitude > 0 && magnitude >= fabs(plot[slice].error)) {
            struct sweep_worst const worst = make_worst(w, i);
            plot[slice] = sweep_is_larger(&worst, &plot[slice]) ? worst : plot[slice];
        }
    }
}

void piece_put_largest(struct work *w, const struct filter *f)
{
    struct totals const t = w->totals;
    put_candidates(w, f, t.above, 1);
    put_candidates(w, f, t.below, -1);
    put_plot(w, t.above > t.below ? t.above : t.below);
}

/* Do the results of the piece (all equal, the first one judged) leave every list of worst cases
 * unchanged? They do not if their error may be among the largest, or the largest of the plot's
 * slice. Where it may, and it is known whether the error rises or falls (x: the first and the last
 * input), the errors of both ends, measured by MPFR, bound the others. */
int piece_is_quiet(struct work *w, const struct filter *f, const uint32_t *x)
{
    struct sweep_result const *const r = &w->s->result[w->form];
    double const e = w->p.error[0], largest = fabs(e), sign = e < 0 ? -1 : 1;
    double const reach = largest + largest * ERROR_NOISE + w->slack_ulp;
    if (!(largest > 0)) {
        return 1;
    }
    if (largest > fabs(r->plot[w->slice].error)) {
        return 0;
    }
    if (reach <= fabs((e > 0 ? &r->above : &r->below)->error)) {
        return 1;
    }
    if (!x) {
        return 0;
    }
    uint64_t const got = sweep_load(w->s->fmt, w->b->got[w->form], w->first);
    double const value[2] = {w->p.value[0], w->p.value[0]};
    struct sweep_worst ends[2] = {
        {e, {x[0]}, got},
        {e, {x[1]}, got}
    };
    if (get_trend(w, f, ends, value, sign) == 0) {
        return 0;
    }
    measure(w, &ends[0]);
    measure(w, &ends[1]);
    return ends[0].error * sign >= 0 && ends[1].error * sign >= 0 && !is_kept(r, &ends[0], sign) &&
           !is_kept(r, &ends[1], sign);
}

void piece_put_broken(struct work *w)
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

/* --- codes --- */

void piece_count_codes(struct work *w)
{
    uint32_t(*const count)[SWEEP_CODES] = w->count[w->form];
    uint32_t i = 0;
    if (w->totals.is_one_code) {
        count[0][w->p.code[0]] += w->n;
        return;
    }
    for (; i + PIECE_WAYS <= w->n; i += PIECE_WAYS) {
        for (uint32_t k = 0; k < PIECE_WAYS; k++) {
            count[k][w->p.code[i + k]]++;
        }
    }
    for (; i < w->n; i++) {
        count[0][w->p.code[i]]++;
    }
}

void piece_book_code(struct sweep_result *r, uint32_t code, uint64_t n)
{
    uint32_t const half = sweep_get_bin(0.5);
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
    r->n += code != SWEEP_UNDECIDED ? n : 0;
}

void piece_book_counts(struct work *w)
{
    uint32_t(*const count)[SWEEP_CODES] = w->count[w->form];
    for (uint32_t code = 0; code < SWEEP_CODES; code++) {
        uint64_t n = 0;
        for (uint32_t k = 0; k < PIECE_WAYS; k++) {
            n += count[k][code];
        }
        piece_book_code(&w->s->result[w->form], code, n);
    }
}

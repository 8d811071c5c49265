/* oracle/sweep/sweep_piece.c -- what a judged piece adds to a form's result. */
#include "oracle/sweep/sweep_piece.h"

#include <math.h>

#include "base/format.h"
#include "oracle/func/func.h"
#include "oracle/sweep/evaluator_kernel.h"
#include "oracle/sweep/sweep_order.h"
#include "oracle/sweep/sweep_state.h"

const void *piece_find(const struct work *work, const void *p)
{
    return (const unsigned char *)p +
           (size_t)work->first * (float_formats[work->s->fmt].n_bits / 8);
}

static struct sweep_worst make_worst(const struct work *work, uint32_t i)
{
    struct sweep_worst const out = {
        work->p.error[i],
        {sweep_load(work->s->fmt, work->b->x, work->first + i),
                      work->b->y ? sweep_load(work->s->fmt, work->b->y, work->first + i) : 0, 0},
        sweep_load(work->s->fmt, work->b->got[work->form], work->first + i)
    };
    return out;
}

/* The error as MPFR gives it, where it has one. */
static void measure(struct work *work, struct sweep_worst *worst)
{
    struct func_args const args = {
        .fmt = work->s->fmt, .enc = {worst->arg[0], worst->arg[1]}
    };
    struct measured *const m = &work->measured;
    for (uint32_t i = 0; i < m->n && i < PIECE_MEASURED; i++) {
        if (m->last[i].arg[0] == worst->arg[0] && m->last[i].arg[1] == worst->arg[1] &&
            m->last[i].got == worst->got) {
            worst->error = m->last[i].error;
            return;
        }
    }
    double error;
    if (func_get_error(work->s->func, work->s->env, &args, worst->got, &error) ==
        FUNC_ERROR_MEASURED) {
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
static int get_trend(const struct work *work, const struct filter *f,
                     const struct sweep_worst ends[2], const double value[2], double sign)
{
    enum fmt_id const fmt = work->s->fmt;
    uint64_t const x = ends[0].arg[0], last = ends[1].arg[0];
    uint64_t const field = get_field(f, value[0]);
    int const direction = sweep_get_direction(work->s->func, fmt, x);
    if (work->b->y || ends[0].got != ends[1].got || x > last ||
        ((x ^ last) & float_formats[fmt].sign) != 0 || field == 0 ||
        field != get_field(f, value[1]) ||
        direction != sweep_get_direction(work->s->func, fmt, last)) {
        return 0;
    }
    return sign > 0 ? -direction : direction;
}

/* Is it the largest so far of its side? Points of the plot have the errors that the filter knows. */
static bool is_kept(const struct sweep_result *r, const struct sweep_worst *worst, double sign)
{
    double const e = worst->error * sign, side = sign > 0 ? r->above.error : r->below.error;
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

static struct sweep_worst measure_candidate(struct work *work, const struct candidates *c,
                                            uint32_t k)
{
    struct sweep_worst out = make_worst(work, c->at[k]);
    measure(work, &out);
    return out;
}

/* Have all candidates the same result, and arguments that rise? */
static bool is_run(const struct work *work, const struct candidates *c)
{
    struct sweep_worst last = make_worst(work, c->at[0]);
    for (uint32_t k = 1; k < c->n; k++) {
        struct sweep_worst const one = make_worst(work, c->at[k]);
        if (one.got != last.got || one.arg[0] <= last.arg[0]) {
            return false;
        }
        last = one;
    }
    return true;
}

/* Is the end `top` of a run with errors of that trend the first of all whose error is the largest? Errors that
 * fall begin with it; of errors that rise the one before it may be as large. */
static bool is_first_of_equals(struct work *work, const struct candidates *c, int trend,
                               const struct sweep_worst *top)
{
    return trend < 0 || fabs(measure_candidate(work, c, c->n - 2).error) < fabs(top->error);
}

/* Records the worst of the candidates (results whose error may be the largest so far) if they are a run: ascending
 * arguments with the same result, where the function is monotonic. Then the size of the error is monotonic too,
 * rising (trend 1) or falling (-1), so that `top`, the last or the first of them, is the worst. MPFR measures only
 * the ends, and `bottom` only to verify that no error of the run has the other sign. Of equal errors the first one
 * is recorded, as if each were measured. Returns false where they are no run, or it is not certain which is the
 * worst or the first; the caller then measures each. An error that is a NaN fails each comparison. */
static bool put_ends(struct work *work, const struct filter *f, const struct candidates *c)
{
    struct sweep_result *const r = &work->s->result[work->form];
    if (c->n < 2 || !work->is_one_slice) {
        return false;
    }
    uint32_t const last = c->n - 1;
    struct sweep_worst ends[2] = {make_worst(work, c->at[0]), make_worst(work, c->at[last])};
    double const value[2] = {work->p.value[c->at[0]], work->p.value[c->at[last]]};
    int const trend = get_trend(work, f, ends, value, c->sign);
    if (trend == 0 || !is_run(work, c)) {
        return false;
    }
    struct sweep_worst *const top = trend > 0 ? &ends[1] : &ends[0];
    struct sweep_worst *const bottom = trend > 0 ? &ends[0] : &ends[1];
    measure(work, top);
    if (!c->is_signed) { /* within the slack of a double the exact errors may have the other sign */
        measure(work, bottom);
        if (!(top->error * c->sign >= 0) || !(bottom->error * c->sign >= 0)) {
            return false;
        }
    }
    if (!is_kept(r, top, c->sign)) {
        return true;
    }
    if (!is_first_of_equals(work, c, trend, top)) {
        return false;
    }
    sweep_put_side(&work->s->result[work->form], top);
    return true;
}

/* Books the largest error of the piece on one side (sign 1: above, -1: below), if it may be the largest so
 * far. Errors in double are known but for a slack, so all results within it of the largest are candidates,
 * which MPFR measures: only the ends of a run, or each. */
static void put_candidates(struct work *work, const struct filter *f, double largest, double sign)
{
    struct sweep_result *const r = &work->s->result[work->form];
    double const stored = fabs(sign > 0 ? r->above.error : r->below.error);
    double const slack = work->slack_ulp + largest * ERROR_NOISE;
    double const at_least = fmax(largest - 2 * slack, stored - slack);
    struct candidates c = {.sign = sign, .is_signed = at_least > slack};
    if (!(largest > 0) || !(largest + slack > stored)) {
        return;
    }
    for (uint32_t i = 0; i < work->n && c.n < MAX_CANDIDATES; i++) {
        if (work->p.error[i] * sign > 0 && work->p.error[i] * sign >= at_least) {
            c.at[c.n++] = i;
        }
    }
    if (put_ends(work, f, &c)) {
        return;
    }
    for (uint32_t k = 0; k < c.n; k++) {
        struct sweep_worst const worst = measure_candidate(work, &c, k);
        sweep_put_side(&work->s->result[work->form], &worst);
    }
}

/* The first result whose error reaches `largest`, which is that of the piece, as the point of its slice. */
static void put_point(struct work *work, double largest)
{
    struct sweep_worst *const point = &work->s->result[work->form].plot[work->slice];
    for (uint32_t i = 0; i < work->n && largest > fabs(point->error); i++) {
        if (fabs(work->p.error[i]) >= largest) {
            *point = make_worst(work, i);
        }
    }
}

/* Book the points of the plot. */
static void put_plot(struct work *work, double largest)
{
    struct sweep_worst *const plot = work->s->result[work->form].plot;
    if (work->is_one_slice) {
        put_point(work, largest);
        return;
    }
    for (uint32_t i = 0; i < work->n; i++) {
        uint64_t const x = sweep_load(work->s->fmt, work->b->x, work->first + i);
        uint32_t const slice = sweep_get_slice(work->s->fmt, x);
        double const magnitude = fabs(work->p.error[i]);
        if (magnitude > 0 && magnitude >= fabs(plot[slice].error)) {
            struct sweep_worst const worst = make_worst(work, i);
            plot[slice] = sweep_is_larger(&worst, &plot[slice]) ? worst : plot[slice];
        }
    }
}

void piece_put_largest(struct work *work, const struct filter *f)
{
    struct totals const t = work->totals;
    put_candidates(work, f, t.above, 1);
    put_candidates(work, f, t.below, -1);
    put_plot(work, t.above > t.below ? t.above : t.below);
}

/* Do the results of the piece (all equal, the first one judged) leave every list of worst cases
 * unchanged? They do not if their error may be among the largest, or the largest of the plot's
 * slice. Where it may, and it is known whether the error rises or falls (x: the first and the last
 * input), the errors of both ends, measured by MPFR, bound the others. */
int piece_is_quiet(struct work *work, const struct filter *f, const uint32_t *x)
{
    struct sweep_result const *const r = &work->s->result[work->form];
    double const e = work->p.error[0], largest = fabs(e), sign = e < 0 ? -1 : 1;
    double const reach = largest + largest * ERROR_NOISE + work->slack_ulp;
    if (!(largest > 0)) { /* an exact result is on no list */
        return 1;
    }
    if (largest > fabs(r->plot[work->slice].error)) {
        return 0;
    }
    if (reach <= fabs((e > 0 ? &r->above : &r->below)->error)) {
        return 1;
    }
    if (!x) { /* the ends of the piece are not given */
        return 0;
    }
    uint64_t const got = sweep_load(work->s->fmt, work->b->got[work->form], work->first);
    double const value[2] = {work->p.value[0], work->p.value[0]};
    struct sweep_worst ends[2] = {
        {e, {x[0]}, got},
        {e, {x[1]}, got}
    };
    if (get_trend(work, f, ends, value, sign) == 0) {
        return 0;
    }
    measure(work, &ends[0]);
    measure(work, &ends[1]);
    return ends[0].error * sign >= 0 && ends[1].error * sign >= 0 && !is_kept(r, &ends[0], sign) &&
           !is_kept(r, &ends[1], sign);
}

void piece_put_broken(struct work *work)
{
    struct sweep_result *const r = &work->s->result[work->form];
    for (uint32_t i = 0; i < work->n; i++) {
        if (work->p.code[i] < SWEEP_BROKEN || work->p.code[i] >= SWEEP_RIGHT) {
            continue;
        }
        if (fabs(work->p.error[i]) > fabs(r->broken[SWEEP_WORST - 1].error)) {
            struct sweep_worst const worst = make_worst(work, i);
            sweep_put_broken(r, &worst);
        } else {
            r->n_broken++;
        }
    }
}

/* --- codes --- */

void piece_count_codes(struct work *work)
{
    uint32_t(*const count)[SWEEP_CODES] = work->count[work->form];
    uint32_t i = 0;
    if (work->totals.is_one_code) {
        count[0][work->p.code[0]] += work->n;
        return;
    }
    for (; i + PIECE_WAYS <= work->n; i += PIECE_WAYS) {
        for (uint32_t k = 0; k < PIECE_WAYS; k++) {
            count[k][work->p.code[i + k]]++;
        }
    }
    for (; i < work->n; i++) {
        count[0][work->p.code[i]]++;
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

void piece_book_counts(struct work *work)
{
    uint32_t(*const count)[SWEEP_CODES] = work->count[work->form];
    for (uint32_t code = 0; code < SWEEP_CODES; code++) {
        uint64_t n = 0;
        for (uint32_t k = 0; k < PIECE_WAYS; k++) {
            n += count[k][code];
        }
        piece_book_code(&work->s->result[work->form], code, n);
    }
}

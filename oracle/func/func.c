/* oracle/func/func.c -- mathematical functions to any precision: what a result may be, certified. */
#include "oracle/func/func.h"

#include <float.h>

#include "base/format.h"
#include "oracle/func/func_mp.h"
#include "oracle/func/func_number.h"
#include "oracle/func/func_span.h"
#include "oracle/func/func_special.h"

/* --- one combination of operands --- */

/* Arithmetic of IEEE 754, which both environments share. */
static bool is_ieee(enum func_id id)
{
    return id == FUNC_FADD || id == FUNC_FSUB || id == FUNC_FMUL || id == FUNC_DIVIDE ||
           id == FUNC_RECIP || id == FUNC_FMA || id == FUNC_FNEGATE || id == FUNC_FABS ||
           id == FUNC_COPYSIGN;
}

/* One operation with all that governs it. */
struct job {
    enum func_id id;
    enum env env;
    const struct func_bound *bound;
    const struct fp_rules *rules;
};

/* Cuts s to what OpenCL's fract may give: it is below 1 and not negative, as fmin(x - floor(x), the last
 * number below 1). What lies above becomes that last number. Keys below -1, that of -0, are negative
 * numbers. */
static void clip_fract(struct set *s)
{
    struct float_format const *f = &float_formats[s->fmt];
    int64_t const one = (int64_t)func_power(f, 0);
    struct set kept;
    set_clear(&kept, (enum fmt_id)s->fmt);
    for (unsigned i = 0; i < s->n; i++) {
        int64_t const lo = s->r[i].lo < -1 ? -1 : s->r[i].lo;
        int64_t const hi = s->r[i].hi >= one ? one - 1 : s->r[i].hi;
        if (s->r[i].hi >= one) {
            set_add_range(&kept, one - 1, one - 1);
        }
        if (lo <= hi) {
            set_add_range(&kept, lo, hi);
        }
    }
    *s = kept;
}

/* Does no text give a zero of this function its sign? S 3.3.13 OpFRem, OpFMod: "if r is not 0, the sign of r
 * is the same as the sign of Operand" 1 or 2. */
static bool has_free_zero(const struct job *job)
{
    return (job->env == ENV_VK && !is_ieee(job->id)) || job->id == FUNC_FREM ||
           job->id == FUNC_FMODULO;
}

/* Adds what is permitted of a function whose value is computed: at the first precision, of those that
 * rise, at which each end of the set is certain. false: at none. */
static bool add_computed(const struct job *job, const struct func_args *a, struct set *out)
{
    for (unsigned step = 0; step < FUNC_N_PRECISIONS; step++) {
        struct func_span span;
        struct set one;
        set_clear(&one, a->fmt);
        func_enclose(job->id, a, func_get_precision(&float_formats[a->fmt], step), &span);
        if (!func_add_span(&span, job->bound, job->rules, &one)) {
            continue;
        }
        if (job->id == FUNC_FRACT && job->env == ENV_CL) {
            clip_fract(&one);
        }
        if (has_free_zero(job) && func_is_zero(&span)) { /* no text gives this zero its sign */
            set_add_range(&one, -1, 0);
        }
        set_add_set(out, &one);
        return 1;
    }
    return 0;
}

/* A bound that nothing can break, or that is no number. */
static bool is_boundless(const struct func_bound *b)
{
    return b->anything || !(b->ulp <= DBL_MAX) || !(b->absolute <= DBL_MAX);
}

static int add_combination(const struct job *job, const struct func_args *a, struct set *out)
{
    struct set special;
    if (func_get_special(job->id, job->env, a, &special)) {
        set_add_set(out, &special);
        return 1;
    }
    if (is_boundless(job->bound)) {
        set_any(out, a->fmt);
        return 1;
    }
    return add_computed(job, a, out);
}

/* --- operands and results under the rules --- */

enum {
    READINGS_MAX = 3
};

/* What an operand may be read as. */
static unsigned get_readings(const struct job *job, const struct float_format *f, uint64_t enc,
                             uint64_t *out)
{
    bool const is_flushed = format_is_subnormal(f, enc) && job->rules->flush_in != FLUSH_NEVER;
    bool const is_free = job->rules->zero_sign_free || (job->env == ENV_VK && !is_ieee(job->id));
    unsigned n = 0;
    out[n++] = enc;
    if (is_flushed) {
        out[n++] = 0;
        out[n++] = f->sign;
    } else if (is_free && format_is_zero(f, enc)) {
        out[n++] = enc ^ f->sign;
    }
    return n;
}

/* OpenCL, "Edge Case Behavior in Flush To Zero Mode": from zero to the smallest normal number. */
static void add_next_normal(const struct job *job, const struct func_args *a, struct set *out)
{
    struct float_format const *f = &float_formats[a->fmt];
    bool const flushes =
        job->rules->flush_in != FLUSH_NEVER || job->rules->flush_out != FLUSH_NEVER;
    if (flushes && func_magnitude(f, a->enc[0]) <= f->frac && !format_is_zero(f, a->enc[1]) &&
        !format_is_nan(f, a->enc[1])) {
        set_add(out, (a->enc[1] & f->sign) | (f->frac + 1));
    }
}

void func_finish(struct set *s, const struct fp_rules *r)
{
    uint64_t const minus_zero = float_formats[s->fmt].sign;
    bool const is_flushed = r->flush_out == FLUSH_MUST && set_has_subnormal(s);
    if ((s->flags & SET_ANY) != 0) {
        return;
    }
    if (is_flushed) {
        set_remove_subnormals(s);
    }
    if (is_flushed || (r->zero_sign_free && (set_has(s, 0) || set_has(s, minus_zero)))) {
        set_add_range(s, -1, 0);
    }
}

/* Computes in *out what function `id` may give within bound b. Every combination of what the operands may be read
 * as (flushed, or a zero of the other sign) adds what it permits: a prescribed result, or the results within the
 * bound of the computed value. Returns 0 where the highest precision leaves it uncertain; then *out is anything. */
int func_permitted(enum func_id id, enum env env, const struct func_args *a,
                   const struct func_bound *b, const struct fp_rules *r, struct set *out)
{
    struct job const job = {id, env, b, r};
    struct float_format const *f = &float_formats[a->fmt];
    uint64_t readings[3][READINGS_MAX] = {{0}};
    unsigned n[3] = {1, 1, 1};
    set_clear(out, a->fmt);
    for (unsigned i = 0; i < func_rows[id].n_args; i++) {
        n[i] = get_readings(&job, f, a->enc[i], readings[i]);
    }
    /* i enumerates all combinations of the readings of three operands; an absent operand has one reading */
    for (unsigned i = 0; i < n[0] * n[1] * n[2]; i++) {
        struct func_args const one = {
            a->fmt,
            {readings[0][i % n[0]], readings[1][i / n[0] % n[1]], readings[2][i / n[0] / n[1]]},
            a->n
        };
        if (!add_combination(&job, &one, out)) {
            set_any(out, a->fmt);
            return 0;
        }
    }
    /* where subnormals are flushed the next number of a zero may be the smallest normal one */
    if (id == FUNC_NEXTAFTER && env == ENV_CL) {
        add_next_normal(&job, a, out);
    }
    func_finish(out, r);
    return 1;
}

/* --- for tables --- */

uint64_t func_round(enum func_id id, enum env env, const struct func_args *a)
{
    static const struct func_bound none = {.ulp = 0};
    static const struct fp_rules nearest = {.rounding = ROUND_RNE};
    struct float_format const *f = &float_formats[a->fmt];
    struct job const job = {id, env, &none, &nearest};
    struct set s;
    set_clear(&s, a->fmt);
    if (!add_combination(&job, a, &s) || (s.flags & SET_ANY) != 0 || s.n == 0) {
        return f->exp | f->quiet;
    }
    return set_has(&s, 0) ? 0 : set_nth(&s, 0);
}

/* Determines how wrong `got` is. Special values and infinities are right or wrong; only a number has an error in
 * ulps, *out, measured at the first precision that suffices. Where none suffices the last measurement is returned. */
enum func_error func_get_error(enum func_id id, enum env env, const struct func_args *a,
                               uint64_t got, double *out)
{
    struct float_format const *f = &float_formats[a->fmt];
    struct set special;
    *out = 0;
    if (func_get_special(id, env, a, &special)) {
        return set_has(&special, got) ? FUNC_ERROR_RIGHT : FUNC_ERROR_WRONG;
    }
    if (format_is_nan(f, got)) {
        return FUNC_ERROR_WRONG;
    }
    if (func_is_inf(f, got)) {
        return func_round(id, env, a) == got ? FUNC_ERROR_RIGHT : FUNC_ERROR_WRONG;
    }
    for (unsigned step = 0; step < FUNC_N_PRECISIONS; step++) {
        struct func_span span;
        func_enclose(id, a, func_get_precision(f, step), &span);
        if (func_is_beyond(&span, f)) {
            return FUNC_ERROR_WRONG; /* the correct result is an infinity */
        }
        if (func_measure(&span, a->fmt, got, out)) {
            break;
        }
    }
    return FUNC_ERROR_MEASURED;
}

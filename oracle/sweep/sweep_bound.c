/* oracle/sweep/sweep_bound.c -- what a form's bound and its rules make of the filter. */
#include "oracle/sweep/sweep_bound.h"

#include <math.h>

#include "base/format.h"
#include "base/func_row.h"
#include "oracle/sweep/evaluator.h"
#include "oracle/sweep/evaluator_kernel.h"
#include "oracle/sweep/evaluator_two.h"

/* Sets which errors f accepts without MPFR (|error| up to ok_ulp, or up to `absolute`) and which
 * it rejects without MPFR (above broken_ulp); MPFR decides the errors between. Where an operand
 * may be flushed or the form has a rule of its own, nothing is rejected. */
static void set_bound(struct filter *f, const struct sweep *s, const struct sweep_form *m,
                      int may_flush_inputs)
{
    enum {
        NO_ERROR = -1 /* as a limit: below every error, so that none is accepted by it */
    };
    f->absolute = NO_ERROR;
    if (!m->has_bound || m->bound.anything) { /* every error is accepted */
        f->ok_ulp = SWEEP_UNBOUNDED;
        f->broken_ulp = SWEEP_UNBOUNDED;
        return;
    }
    /* with a bound below 1/2 no number may lie within it; then the nearest one is permitted */
    f->ok_ulp = fmax(m->bound.ulp, 0.5);
    f->broken_ulp = f->ok_ulp;
    if (s->rules.rounding != ROUND_RNE) { /* a correct rounding may be off by up to 1 */
        f->broken_ulp = fmax(m->bound.ulp, 1);
    }
    /* toward zero the nearest number need not be the permitted one: only the bound itself accepts, and of a correct
     * rounding (bound 0) MPFR decides everything */
    if (s->rules.rounding == ROUND_RTZ) {
        f->ok_ulp = m->bound.ulp > 0 ? m->bound.ulp : NO_ERROR;
    }
    if (m->bound.absolute > 0) {
        f->absolute = m->bound.absolute;
    }
    if (may_flush_inputs || m->has_rule) {
        /* the flushed argument may explain it, or the rule permit it */
        f->broken_ulp = SWEEP_UNBOUNDED;
    }
}

/* Computes the filter for results of a form: all limits that judge_value and judge_quickly compare
 * with. slack: the largest relative error of the evaluator. A "field" is the exponent field of a
 * double, which gives the size of an ulp without branches. */
struct filter sweep_make_filter(const struct sweep *s, uint32_t form, double slack,
                                int may_flush_inputs)
{
    struct float_format const *const format = &float_formats[s->fmt];
    enum {
        DOUBLE_BIAS = 1023 /* of the exponent field */
    };
    int const p = (int)format->prec_bits;
    struct filter f = {
        .slack = slack * 1.0001, /* more than the roundings of what is computed with it */
        .min_field = (uint64_t)(DOUBLE_BIAS + format->emin),
        .max_field = UINT64_MAX, /* narrowed for a piece by narrow_filter */
        /* inverse_field - (a value's field) is the field of 1 / ulp */
        .inverse_field = (uint64_t)(2 * DOUBLE_BIAS + p - 1),
        .crossing = (uint64_t)(evaluator_is_exact(s->func) || evaluator_two_is_exact(s->func))};
    f.low_factor = 1 - f.slack;
    f.high_factor = 1 + f.slack;
    /* more than the rounding of the histogram's bin edges */
    f.margin_ulp = fmax(ldexp(f.slack, p), 0x1p-21);
    /* halfway from the largest number to 2^(emax + 1) */
    f.overflow = ldexp(2 - ldexp(1, -p), format->emax);
    f.min_normal = ldexp(1, format->emin);
    /* MPFR also judges numbers slightly above the subnormal ones */
    f.must_flush = s->rules.flush_out == FLUSH_MUST ? f.min_normal * 1.5 : 0;
    /* the largest value that rounds to a subnormal */
    f.max_flush = s->rules.flush_out != FLUSH_NEVER ? f.min_normal * (1 - ldexp(1, -p)) : 0;
    f.no_overflow = s->rules.rounding == ROUND_RTZ;
    f.overflow_enc = bits_of(f.overflow) - 1; /* judge_quickly compares encodings less 1 */
    set_bound(&f, s, &s->form[form], may_flush_inputs);
    /* a tie goes to the even neighbour; settle_ties looks for ties, of functions of two arguments alone */
    f.may_tie = s->rules.rounding == ROUND_RNE && s->rules.flush_out != FLUSH_MUST &&
                func_rows[s->func].n_args == 2;
    /* an error so small that the slack counts the same with the ulp of either binade (judge_quickly) */
    f.tie_limit = f.ok_ulp > 0x1p-6 ? 0x1p-6 : 0;
    /* judge_quickly asks neither whether results are exact nor whether they must be flushed; what it calls broken is
     * so (is_plain) where the bound in ulps decides every error alone */
    f.is_quick = f.crossing == 0 && s->rules.flush_out != FLUSH_MUST;
    f.is_plain = !(f.ok_ulp < f.broken_ulp) && f.absolute < 0;
    return f;
}

/* oracle/sweep/sweep_reference.c -- one evaluation by MPFR for all forms of an input: what func_permitted,
 * func_get_error and func_round would each compute anew. */
#include "oracle/sweep/sweep_reference.h"

#include <assert.h>

#include "base/format.h"
#include "oracle/func/func.h"
#include "oracle/func/func_row.h"
#include "oracle/func/func_span.h"
#include "oracle/func/func_special.h"
#include "oracle/num/set.h"

/* Does an operand have one reading alone, and the function one rounding and no rule of its own about
 * zeros, the largest results or flushed ones? func_permitted knows the others. */
static int is_plain(const struct sweep *s, const struct func_args *args)
{
    struct float_format const *const f = &float_formats[s->fmt];
    if (s->rules.zero_sign_free || s->rules.flush_out == FLUSH_MUST || s->func == FUNC_FRACT ||
        s->func == FUNC_NEXTAFTER) {
        return 0;
    }
    for (uint32_t i = 0; i < func_rows[s->func].n_args; i++) {
        if ((format_is_subnormal(f, args->enc[i]) && s->rules.flush_in != FLUSH_NEVER) ||
            (format_is_zero(f, args->enc[i]) && s->env == ENV_VK)) {
            return 0;
        }
    }
    return 1;
}

void sweep_reference_make(const struct sweep *s, const struct func_args *args,
                          struct sweep_reference *out)
{
    struct float_format const *const f = &float_formats[s->fmt];
    struct set special;
    out->is_known = 0;
    if (!is_plain(s, args) || func_get_special(s->func, s->env, args, &special)) {
        return;
    }
    func_enclose(s->func, args, func_get_precision(f, 0), &out->span);
    out->is_known = !func_is_zero(&out->span) && !func_is_beyond(&out->span, f) &&
                    func_round_span(&out->span, s->fmt, REAL_NEAREST, &out->rounded);
}

int sweep_reference_permits(const struct sweep_reference *ref, const struct sweep *s,
                            const struct func_bound *bound, uint64_t got)
{
    struct set allowed;
    assert(ref->is_known);
    set_clear(&allowed, s->fmt);
    if (!func_add_span(&ref->span, bound, &s->rules, &allowed)) {
        return -1;
    }
    return set_has(&allowed, got) != 0;
}

int sweep_reference_measure(const struct sweep_reference *ref, const struct sweep *s, uint64_t got,
                            double *error)
{
    struct float_format const *const f = &float_formats[s->fmt];
    assert(ref->is_known);
    *error = 0;
    if (format_is_nan(f, got)) {
        return -2;
    }
    if ((got & ~f->sign) == f->exp) {
        return ref->rounded == got ? -1 : -2;
    }
    return func_measure(&ref->span, s->fmt, got, error) ? 0 : 1;
}

/* oracle/sim/faults_term.c -- planted faults in the terms of a sum or product, and in comparisons: gross
 * mistakes that no contraction and no other order of the terms explains. */
#include <math.h>

#include "base/ops.h"
#include "oracle/sim/faults_parts.h"
#include "oracle/math/rules.h"

static bool is_comparison(uint32_t op)
{
    return rules_find_class(op) == RULE_COMPARE;
}

/* x op y in double, rounded to the format: far enough off for the second rounding not to matter. */
static bool combine(const struct fault_math_site *s, double x, double y, uint64_t *out)
{
    double v = 0;
    switch (s->in->op) {
    case SpvOpFAdd:
        v = x + y;
        break;
    case SpvOpFSub:
        v = x - y;
        break;
    case SpvOpFMul:
        v = x * y;
        break;
    case SpvOpFDiv:
        v = x / y;
        break;
    default:
        return false;
    }
    *out = fault_encode(s->fmt, v);
    return isfinite(v) && fault_is_finite(fault_format(s), *out);
}

static bool change_term(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    double const y = fault_decode(s->fmt, s->call.args.enc[1]);
    bool const is_sum = s->in->op == SpvOpFAdd || s->in->op == SpvOpFSub;
    bool const is_product = s->in->op == SpvOpFMul || s->in->op == SpvOpFDiv;
    if ((!is_sum && !is_product) || !isfinite(x) || !isfinite(y)) {
        return false;
    }
    switch ((int)id) {
    case FAULT_TERM_LOST:
        *out = s->call.args.enc[0];
        return true;
    case FAULT_TERM_DOUBLED:
        return is_sum ? combine(s, x, 2 * y, out) : combine(s, x, y * y, out);
    case FAULT_TERM_NEGATED:
        return combine(s, x, -y, out);
    case FAULT_TERM_OF_OTHER:
        return combine(s, x, x, out);
    default:
        return false;
    }
}

/* The significand of binary16 in place of binary32's. */
static bool narrow(const struct fault_math_site *s, uint64_t *out)
{
    double const v = fault_decode(s->fmt, s->honest);
    int e;
    if (!isfinite(v) || !(fabs(v) > 0x1p-100)) {
        return false;
    }
    double const m = frexp(v, &e);
    *out = fault_encode(s->fmt, ldexp(nearbyint(ldexp(m, 11)), e - 11));
    return fault_is_finite(fault_format(s), *out);
}

static bool change_truth(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    bool const has_nan = format_is_nan(f, x) || format_is_nan(f, y);
    bool const is_equal = x == y || (format_is_zero(f, x) && format_is_zero(f, y));
    *out = s->honest == 0;
    switch ((int)id) {
    case FAULT_COMPARED_NAN:
        return has_nan;
    case FAULT_COMPARED_EQUAL:
        return !has_nan && is_equal;
    case FAULT_COMPARED_SWAPPED:
        return !has_nan && !is_equal && s->in->op >= SpvOpFOrdLessThan;
    default:
        return false;
    }
}

bool fault_change_term(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    if (is_comparison(s->in->op)) {
        return change_truth(id, s, out);
    }
    if (id == FAULT_NARROW_FOR_F32) {
        return narrow(s, out);
    }
    return s->call.has_args && change_term(id, s, out);
}

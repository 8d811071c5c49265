/* oracle/sim/faults_edge.c -- planted faults at edges of a rule: zeros, divisors of zero, second results. */
#include <math.h>

#include "base/ops.h"
#include "oracle/sim/faults_parts.h"

bool fault_is_of_second(enum fault_id id)
{
    return id == FAULT_GAMMA_SIGN_OF_POLE || id == FAULT_FREXP_OF_SPECIAL ||
           id == FAULT_QUOTIENT_OF_SPECIAL;
}

bool fault_is_about_op(enum fault_id id, int op)
{
    switch ((int)id) {
    case FAULT_GAMMA_SIGN_OF_POLE:
        return op == OP_opencl_std_lgamma_r;
    case FAULT_FREXP_OF_SPECIAL:
        return op == OP_opencl_std_frexp;
    case FAULT_QUOTIENT_OF_SPECIAL:
        return op == OP_opencl_std_remquo;
    case FAULT_DIVIDED_BY_ZERO:
        return op == OP_core_FDiv;
    case FAULT_REMAINDER_OFF:
    case FAULT_REMAINDER_OTHER_ZERO:
        return op == OP_core_FRem || op == OP_core_FMod;
    case FAULT_ANGLE_OTHER_ZERO:
        return op == OP_opencl_std_degrees || op == OP_opencl_std_radians ||
               op == OP_glsl450_Degrees || op == OP_glsl450_Radians;
    default: /* those of any instruction, and faults that name their functions */
        return true;
    }
}

static bool divide_finitely(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = s->honest - 1;
    return (s->honest & ~f->sign) == f->exp && fault_is_finite(f, s->call.args.enc[0]) &&
           format_is_zero(f, s->call.args.enc[1]);
}

static bool miss_by_half(const struct fault_math_site *s, uint64_t *out)
{
    double const r = fault_decode(s->fmt, s->honest);
    double const y = fault_decode(s->fmt, s->call.args.enc[1]);
    *out = fault_encode(s->fmt, r + y / 2);
    return isfinite(r) && isfinite(y) && fault_is_finite(fault_format(s), *out);
}

int fault_change_edge(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    if (!s->call.has_args || !fault_is_about_op(id, op_find_number(s->in->op))) {
        return 0;
    }
    switch ((int)id) {
    case FAULT_DIVIDED_BY_ZERO:
        return divide_finitely(s, out);
    case FAULT_REMAINDER_OFF:
        return miss_by_half(s, out);
    case FAULT_REMAINDER_OTHER_ZERO:
    case FAULT_ANGLE_OTHER_ZERO:
        *out = s->honest ^ f->sign;
        return format_is_zero(f, s->honest);
    default: /* second results, and faults of other files */
        return 0;
    }
}

int fault_change_second(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    double const v = fault_decode(s->fmt, x);
    if (!s->call.has_args || !fault_is_about_op(id, op_find_number(s->in->op))) {
        return 0;
    }
    switch ((int)id) {
    case FAULT_GAMMA_SIGN_OF_POLE:
        *out = x & f->sign ? UINT32_MAX : 1;
        return format_is_zero(f, x) || (v < 0 && isfinite(v) && !(floor(v) < v));
    case FAULT_FREXP_OF_SPECIAL:
        *out = (uint32_t)(f->emax + 2);
        return !fault_is_finite(f, x);
    case FAULT_QUOTIENT_OF_SPECIAL:
        *out = 1;
        return !fault_is_finite(f, x) || format_is_nan(f, y) || format_is_zero(f, y);
    default:
        return 0;
    }
}

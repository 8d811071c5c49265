/* oracle/sim/faults_atomic.c -- planted faults of atomics: where they can act and what they do to one. */
#include "oracle/sim/faults_atomic.h"

#include <math.h>
#include <string.h>

#include "oracle/func/func.h"
#include "oracle/num/exact.h"

static unsigned op_bit(const struct fault_site *s)
{
    switch (s->op) {
    case MO_LOAD:
        return FAULT_LOAD;
    case MO_STORE:
        return FAULT_STORE;
    case MO_EXCHANGE:
        return FAULT_EXCH;
    case MO_CMPXCHG:
        return FAULT_CMPX;
    case MO_FADD:
        return FAULT_ADD;
    case MO_FMIN:
        return FAULT_MIN;
    case MO_FMAX:
        return FAULT_MAX;
    case MO_IADD:
    case MO_ISUB:
    case MO_SMIN:
    case MO_UMIN:
    case MO_SMAX:
    case MO_UMAX:
    case MO_AND:
    case MO_OR:
    case MO_XOR:
        return FAULT_INT;
    }
    return 0;
}

static unsigned type_bit(const struct fault_site *s)
{
    return s->is_float ? 1U << s->fmt : (unsigned)FAULT_INTEGER;
}

int fault_fits(enum fault_id id, const struct fault_site *s)
{
    const struct fault_detail *d = &fault_details[id];
    if (!(d->ops & op_bit(s)) || !(d->types & type_bit(s))) {
        return 0;
    }
    return !((d->where & FAULT_USED) && !s->is_used) &&
           !((d->where & FAULT_UNUSED) && s->is_used) &&
           !((d->where & FAULT_SHARED) && !s->has_before) &&
           !((d->where & FAULT_OTHER_LANES) && s->local_index == 0) &&
           !((d->where & FAULT_SECOND_GROUP) && s->group != 1) &&
           !((d->where & FAULT_HAS_NEIGHBOUR) && !s->has_neighbour) &&
           !((d->where & FAULT_FREE_NEIGHBOUR) && !s->free_neighbour) &&
           !((d->where & FAULT_HOLE) && !s->is_hole);
}

int fault_is_systematic(enum fault_id id)
{
    return id == FAULT_FIRST_LANE_ONLY || id == FAULT_SECOND_GROUP_IGNORED;
}

int fault_changes_value(enum fault_id id)
{
    switch ((int)fault_rows[id].expect) {
    case VERDICT_ULP:
    case VERDICT_NAN_RULE:
    case VERDICT_ZERO_SIGN:
    case VERDICT_OK:
        return 1;
    default: /* the kinds that are about which updates happen */
        return 0;
    }
}

/* The sum of the original and the exact product; `none` where there is no product, or no number. */
static uint64_t fused_sum(const struct fault_site *s, uint64_t none)
{
    struct func_args const a = {
        .fmt = s->fmt, .enc = {s->product[0], s->product[1], s->original}
    };
    uint64_t const exp = float_formats[s->fmt].exp;
    if (!s->has_product || (s->original & exp) == exp || (s->operand & exp) == exp) {
        return none;
    }
    return func_round(FUNC_FMA, ENV_CL, &a);
}

static double to_double(const struct fault_site *s, uint64_t enc)
{
    if (s->fmt == FMT_F64) {
        double d;
        memcpy(&d, &enc, sizeof d);
        return d;
    }
    if (s->fmt == FMT_F32) {
        uint32_t const bits = (uint32_t)enc;
        float f;
        memcpy(&f, &bits, sizeof f);
        return (double)f;
    }
    int const e = (int)(enc >> 10 & 31);
    double const m = (double)(enc & 1023);
    double const v = e == 31  ? (m > 0 ? (double)NAN : (double)INFINITY)
                     : e == 0 ? ldexp(m, -24)
                              : ldexp(m + 1024, e - 25);
    return enc & 0x8000 ? -v : v;
}

/* Toward zero, from a sum that double holds exactly or, for f64, with its error term. */
static uint64_t truncated_sum(const struct fault_site *s)
{
    const struct float_format *f = &float_formats[s->fmt];
    double const a = to_double(s, s->original), b = to_double(s, s->operand);
    double const sum = a + b;
    double const bb = sum - a;
    double const error = (a - (sum - bb)) + (b - bb);
    if (!isfinite(sum)) {
        return UINT64_MAX;
    }
    if (s->fmt == FMT_F64) {
        uint64_t enc;
        memcpy(&enc, &sum, sizeof enc);
        int const too_far = (error < 0 && sum > 0) || (error > 0 && sum < 0);
        return too_far ? enc - 1 : enc;
    }
    /* cut the double's fraction; only normal results of the narrow format are tried */
    int const drop = 53 - (int)f->prec_bits;
    int e;
    double const m = frexp(fabs(sum), &e);
    if (e - 1 < f->emin || e - 1 > f->emax) {
        return UINT64_MAX;
    }
    uint64_t const frac = (uint64_t)ldexp(m, 53) >> drop;
    uint64_t const enc = ((uint64_t)(e - 1 + f->emax) << (f->prec_bits - 1)) + (frac & f->frac);
    return enc | (sum < 0 ? f->sign : 0);
}

static uint64_t one(const struct float_format *f)
{
    return (uint64_t)f->emax << (f->prec_bits - 1);
}

/* min or max of the two, by whatever order `key` makes. */
static uint64_t pick(int is_max, int64_t ka, int64_t kb, uint64_t a, uint64_t b)
{
    return is_max == (ka > kb) ? a : b;
}

static uint64_t in_single(const struct fault_site *s)
{
    float const sum = (float)to_double(s, s->original) + (float)to_double(s, s->operand);
    double const d = (double)sum;
    uint64_t enc;
    memcpy(&enc, &d, sizeof enc);
    return enc;
}

/* Faults of the value of a float add, min or max; UINT64_MAX where this one does not arise. */
static uint64_t wrong_value(enum fault_id id, const struct fault_site *s, uint64_t honest)
{
    const struct float_format *f = &float_formats[s->fmt];
    uint64_t const o = s->original, v = s->operand;
    int const is_max = s->op == MO_FMAX;
    int const any_nan = format_is_nan(f, o) || format_is_nan(f, v);
    int const any_snan = format_is_snan(f, o) || format_is_snan(f, v);
    int const zeros = format_is_zero(f, o) && format_is_zero(f, v);
    uint64_t const none = UINT64_MAX;
    if (id == FAULT_NAN_WINS_MIN || id == FAULT_NAN_WINS_MAX) {
        return !any_nan || any_snan ? none : format_is_nan(f, o) ? o : v;
    }
    if (id == FAULT_SNAN_AS_NUMBER) {
        uint64_t const a = format_is_snan(f, o) ? (o & f->sign) | f->exp : o;
        uint64_t const b = format_is_snan(f, v) ? (v & f->sign) | f->exp : v;
        return !any_snan || format_is_nan(f, a) || format_is_nan(f, b)
                   ? none
                   : pick(is_max, format_to_key(f, a), format_to_key(f, b), a, b);
    }
    if (id == FAULT_SNAN_WINS) {
        return any_snan ? f->exp | f->quiet : none;
    }
    if (id == FAULT_OTHER_NAN) {
        return format_is_nan(f, honest) ? honest ^ 1 ^ f->sign : none;
    }
    if (any_nan) {
        return none;
    }
    switch ((int)id) {
    case FAULT_INTEGER_COMPARE:
        return (o & v & f->sign) == 0
                   ? none
                   : pick(is_max, (int64_t)(o & ~f->sign), (int64_t)(v & ~f->sign), o, v);
    case FAULT_ZEROS_GIVE_ONE:
        return zeros ? one(f) : none;
    case FAULT_OTHER_ZERO:
        return zeros && o != v ? honest ^ f->sign : none;
    case FAULT_MINMAX_SWAPPED:
        return pick(!is_max, format_to_key(f, o), format_to_key(f, v), o, v);
    case FAULT_SUB_FOR_ADD:
        return arith_add_rne(s->fmt, o, v ^ f->sign);
    case FAULT_F32_FOR_F64:
        return isfinite(to_double(s, honest)) ? in_single(s) : none;
    case FAULT_F16_TRUNCATED:
    case FAULT_SUM_TRUNCATED:
        return truncated_sum(s);
    case FAULT_SUM_OFF_ULP:
        return (honest & f->exp) == f->exp || format_is_zero(f, honest) ? none : honest + 1;
    case FAULT_FUSED_INTO_SUM:
        return fused_sum(s, none);
    case FAULT_FLUSHED:
        return format_is_subnormal(f, honest) ? honest & f->sign : none;
    case FAULT_INF_SATURATED:
        return (honest & ~f->sign) == f->exp && (o & f->exp) != f->exp && (v & f->exp) != f->exp
                   ? honest - 1
                   : none;
    case FAULT_SUM_ZERO_SIGN:
        return o == (v ^ f->sign) && !format_is_zero(f, o) ? f->sign : none;
    default: /* faults of updates, not of values */
        return none;
    }
}

int fault_change(enum fault_id id, const struct fault_site *s, struct fault_effect *effect)
{
    struct fault_effect const honest = *effect;
    switch ((int)id) {
    case FAULT_LOST_UPDATE:
    case FAULT_STORE_LOST:
    case FAULT_UNUSED_DROPPED:
    case FAULT_FIRST_LANE_ONLY:
    case FAULT_SECOND_GROUP_IGNORED:
        effect->writes = 0;
        return effect->value != s->original;
    case FAULT_DOUBLED_UPDATE:
        effect->value = arith_add_rne(s->fmt, honest.value, s->operand);
        break;
    case FAULT_NON_ATOMIC_RMW: /* the caller computes the value from `before` */
        effect->returned = s->before;
        return s->before != s->original;
    case FAULT_ORIGINAL_IS_NEW:
        effect->returned = honest.value;
        break;
    case FAULT_ORIGINAL_STALE:
    case FAULT_LOAD_STALE:
        effect->returned = s->before;
        break;
    case FAULT_ORIGINAL_OFF_ULP:
        if ((s->original & float_formats[s->fmt].exp) == float_formats[s->fmt].exp) {
            return 0;
        }
        effect->returned = s->original ^ 1;
        break;
    case FAULT_EXCHANGE_RETURNS_VALUE:
        effect->returned = s->operand;
        break;
    case FAULT_CMPXCHG_ALWAYS:
        effect->value = s->operand;
        effect->writes = 1;
        break;
    case FAULT_WRONG_ELEMENT:
        effect->to_next = 1;
        return effect->value != s->original;
    case FAULT_NEIGHBOUR_OVERWRITTEN:
        effect->spills = 1;
        return 1;
    case FAULT_LOAD_ADDS_ZERO:
        effect->writes = 1;
        effect->value = 0;
        return s->original == float_formats[s->fmt].sign;
    default: { /* the faults of values */
        uint64_t const value = wrong_value(id, s, honest.value);
        if (value == UINT64_MAX) {
            return 0;
        }
        effect->value = value;
        break;
    }
    }
    return effect->value != honest.value || effect->returned != honest.returned;
}

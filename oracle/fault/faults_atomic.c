/* oracle/fault/faults_atomic.c -- planted faults of atomics: where they can act and what they do to one. */
#include "oracle/fault/faults_atomic.h"

#include <math.h>
#include <string.h>

#include "base/spv.h"
#include "oracle/fault/faults_site.h"
#include "oracle/func/func.h"
#include "oracle/num/exact.h"

static unsigned bit_of(enum mo_op op)
{
    static const unsigned bits[] = {
        [MO_LOAD] = ON_LOAD, [MO_STORE] = ON_STORE, [MO_EXCHANGE] = ON_EXCH, [MO_CMPXCHG] = ON_CMPX,
        [MO_FADD] = ON_ADD,  [MO_FMIN] = ON_MIN,    [MO_FMAX] = ON_MAX};
    return op < ARRAY_N(bits) ? bits[op] : ON_INT;
}

enum mo_op fault_get_mo_op(uint32_t op)
{
    switch (op) {
    case SpvOpAtomicLoad:
        return MO_LOAD;
    case SpvOpAtomicStore:
        return MO_STORE;
    case SpvOpAtomicExchange:
        return MO_EXCHANGE;
    case SpvOpAtomicCompareExchange:
        return MO_CMPXCHG;
    case SpvOpAtomicFAddEXT:
        return MO_FADD;
    case SpvOpAtomicFMinEXT:
        return MO_FMIN;
    case SpvOpAtomicFMaxEXT:
        return MO_FMAX;
    default:
        return MO_IADD; /* any integer operation: faults do not tell them apart */
    }
}

bool fault_fits_operation(enum fault_id id, uint32_t op)
{
    return (fault_rows[id].ops & bit_of(fault_get_mo_op(op))) != 0 && !fault_is_of_groups(id) &&
           !fault_is_of_math(id);
}

/* Returns the flags of enum fault_where that the site does not satisfy. Flags that are about group
 * instructions are never returned. */
static unsigned list_missing(const struct fault_site *s)
{
    unsigned missing = s->is_used ? AT_UNUSED : AT_USED;
    missing |= !s->has_before ? AT_SHARED : 0;
    missing |= s->local_index == 0 ? AT_OTHER_LANES : 0;
    missing |= s->group != 1 ? AT_SECOND_GROUP : 0;
    missing |= !s->has_neighbour ? AT_HAS_NEIGHBOUR : 0;
    missing |= !s->free_neighbour ? AT_FREE_NEIGHBOUR : 0;
    missing |= !s->is_hole ? AT_HOLE : 0;
    missing |= s->n_components < 2 ? AT_VECTOR : 0;
    missing |= s->back_bytes == 0 ? AT_LAYER : 0;
    missing |= !s->is_physical ? AT_PHYSICAL : 0;
    return missing;
}

bool fault_fits(enum fault_id id, const struct fault_site *s)
{
    const struct fault_row *row = &fault_rows[id];
    unsigned const type = s->is_float ? 1U << s->fmt : (unsigned)OF_INTEGER;
    return (row->ops & bit_of(s->op)) && (row->types & type) && !(row->where & list_missing(s));
}

bool fault_is_systematic(enum fault_id id)
{
    return id == FAULT_FIRST_LANE_ONLY || id == FAULT_SECOND_GROUP_IGNORED ||
           id == FAULT_EXCHANGE_HALF || id == FAULT_COMPONENTS_APART;
}

bool fault_changes_value(enum fault_id id)
{
    enum verdict_kind const expect = fault_rows[id].expect;
    if (id == FAULT_COMPONENTS_APART) {
        return false;
    }
    return expect == VERDICT_ULP || expect == VERDICT_NAN_RULE || expect == VERDICT_ZERO_SIGN ||
           expect == VERDICT_OK;
}

bool fault_computes_otherwise(enum fault_id id, struct fault_site *s)
{
    if (id == FAULT_NON_ATOMIC_RMW || id == FAULT_COMPONENT_RACES) {
        s->original = s->before;
    } else if (id == FAULT_COMPONENT_OF_OTHER) {
        s->operand = s->other_operand;
    } else {
        return false;
    }
    return true;
}

bool fault_looks_back(enum fault_id id)
{
    return (fault_rows[id].where & AT_SHARED) != 0;
}

bool fault_goes_astray(enum fault_id id)
{
    return id == FAULT_WRONG_ELEMENT || id == FAULT_ADDRESS_OFF || id == FAULT_LAYER_IGNORED ||
           id == FAULT_NEIGHBOUR_OVERWRITTEN;
}

/* --- wrong values of a float add, min or max; NONE: it does not arise here --- */

#define NONE UINT64_MAX

/* The sum of the original and the exact product. */
static uint64_t fused_sum(const struct fault_site *s)
{
    const struct float_format *f = &float_formats[s->fmt];
    struct func_args const a = {
        .fmt = s->fmt, .enc = {s->product[0], s->product[1], s->original}
    };
    if (!s->has_product || !fault_is_finite(f, s->original) || !fault_is_finite(f, s->operand)) {
        return NONE;
    }
    return func_round(FUNC_FMA, ENV_CL, &a);
}

/* A double cut to a narrower format, toward zero; only normal results of that are tried. */
static uint64_t truncated_double(const struct float_format *f, double v)
{
    int const double_bits = 53;
    int e;
    double const fraction = frexp(fabs(v), &e); /* 0.1xxx * 2^e, so that 2^(e - 1) leads */
    if (e - 1 < f->emin || e - 1 > f->emax) {
        return NONE;
    }
    uint64_t const sig =
        (uint64_t)ldexp(fraction, double_bits) >> (double_bits - (int)f->prec_bits);
    uint64_t const enc = ((uint64_t)(e - 1 + f->emax) << (f->prec_bits - 1)) + (sig & f->frac);
    return enc | (v < 0 ? f->sign : 0);
}

/* The sum rounded toward zero. Double holds that of f16 or f32 exactly; of f64 Knuth's two-sum gives the
 * error of the rounded sum, and one that went away from zero goes back by an encoding. */
static uint64_t truncated_sum(const struct fault_site *s)
{
    double const a = fault_decode(s->fmt, s->original), b = fault_decode(s->fmt, s->operand);
    double const sum = a + b;
    double const part = sum - a;
    double const error = (a - (sum - part)) + (b - part);
    if (!isfinite(sum)) {
        return NONE;
    }
    if (s->fmt == FMT_F64) {
        bool const is_too_far = (error < 0 && sum > 0) || (error > 0 && sum < 0);
        return fault_encode(FMT_F64, sum) - is_too_far;
    }
    return truncated_double(&float_formats[s->fmt], sum);
}

/* A sum that is no number of the format, rounded away from zero. */
static uint64_t raised_sum(const struct fault_site *s)
{
    uint64_t const args[2] = {s->original, s->operand};
    uint64_t const low = arith_round(ARITH_ADD, s->fmt, args, REAL_DOWN);
    uint64_t const high = arith_round(ARITH_ADD, s->fmt, args, REAL_UP);
    bool const is_between = low != high && !format_is_zero(&float_formats[s->fmt], low);
    if (!is_between) {
        return NONE;
    }
    return low & float_formats[s->fmt].sign ? low : high;
}

/* In binary32 what ought to be in binary64. */
static uint64_t sum_in_single(const struct fault_site *s)
{
    float const sum =
        (float)fault_decode(s->fmt, s->original) + (float)fault_decode(s->fmt, s->operand);
    double const wide = (double)sum;
    uint64_t enc;
    memcpy(&enc, &wide, sizeof enc); /* a NaN keeps its sign */
    return enc;
}

/* min or max of a and b, by whatever order the keys make. */
static uint64_t pick(bool is_max, int64_t key_a, int64_t key_b, uint64_t a, uint64_t b)
{
    return is_max == (key_a > key_b) ? a : b;
}

/* A signalling NaN is taken for the infinity of its sign. */
static uint64_t snan_as_infinity(const struct float_format *f, uint64_t enc)
{
    return format_is_snan(f, enc) ? (enc & f->sign) | f->exp : enc;
}

/* Returns the encoding that a float atomic stores under a fault about NaNs, or NONE where neither the operands nor
 * the correct result are of the kind that the fault needs. `correct` is the result that the specification permits.
 * pick gives the value, of its last two arguments, that has the larger (true) or the smaller key. */
static uint64_t wrong_nan(enum fault_id id, const struct fault_site *s, uint64_t correct)
{
    const struct float_format *f = &float_formats[s->fmt];
    uint64_t const original = s->original, operand = s->operand;
    uint64_t const o_as_number = snan_as_infinity(f, original),
                   v_as_number = snan_as_infinity(f, operand);
    bool const has_nan = format_is_nan(f, original) || format_is_nan(f, operand);
    bool const has_snan = format_is_snan(f, original) || format_is_snan(f, operand);
    uint64_t other = 0;
    switch ((int)id) {
    case FAULT_NAN_WINS_MIN:
    case FAULT_NAN_WINS_MAX:
        if (!has_nan || has_snan) { /* right: the number; wrong: the NaN */
            return NONE;
        }
        return format_is_nan(f, original) ? original : operand;
    case FAULT_TWO_NANS_GIVE_NUMBER: /* right: a NaN, whichever */
        return format_is_nan(f, original) && format_is_nan(f, operand) ? fault_one(f) : NONE;
    case FAULT_SNAN_AS_NUMBER:
        if (!has_snan || format_is_nan(f, o_as_number) || format_is_nan(f, v_as_number)) {
            return NONE;
        }
        return pick(s->op == MO_FMAX, format_to_key(f, o_as_number), format_to_key(f, v_as_number),
                    o_as_number, v_as_number);
    case FAULT_SNAN_WINS: /* beside a number; another's choice: a quiet NaN */
        return has_snan && !(format_is_nan(f, original) && format_is_nan(f, operand))
                   ? f->exp | f->quiet
                   : NONE;
    case FAULT_OTHER_NAN: /* with another sign and another last bit; of min and max, signalling for quiet, too */
        other = correct ^ 1 ^ f->sign ^ (s->op == MO_FADD ? 0 : f->quiet);
        return format_is_nan(f, correct) && format_is_nan(f, other) ? other : NONE;
    default:
        return NONE;
    }
}

/* Returns the encoding that a float atomic stores under a fault about numbers (infinities
 * included), or NONE where the original value and the operand are not of the kind that the fault
 * needs. `correct` is the result that the specification permits. */
static uint64_t wrong_number(enum fault_id id, const struct fault_site *s, uint64_t correct)
{
    const struct float_format *f = &float_formats[s->fmt];
    uint64_t const original = s->original, operand = s->operand;
    bool const is_max = s->op == MO_FMAX;
    bool const are_finite = fault_is_finite(f, original) && fault_is_finite(f, operand);
    bool const are_zeros = format_is_zero(f, original) && format_is_zero(f, operand);
    bool const are_tiny = ((original | operand) & f->exp) == 0; /* zeros or subnormals */
    bool const are_negative = (original & operand & f->sign) != 0;
    switch ((int)id) {
    case FAULT_INTEGER_COMPARE:
        if (!are_negative) { /* else integers have the same order */
            return NONE;
        }
        return pick(is_max, (int64_t)(original & ~f->sign), (int64_t)(operand & ~f->sign), original,
                    operand);
    case FAULT_ZEROS_GIVE_ONE:
        return are_zeros ? fault_one(f) : NONE;
    case FAULT_OTHER_ZERO:
        return are_zeros && original != operand ? correct ^ f->sign : NONE;
    case FAULT_TINY_KEPT: /* the device sees two zeros, and leaves the location as it is */
        return are_tiny && original != operand ? original : NONE;
    case FAULT_MINMAX_SWAPPED:
        return pick(!is_max, format_to_key(f, original), format_to_key(f, operand), original,
                    operand);
    case FAULT_SUB_FOR_ADD:
        return arith_add_rne(s->fmt, original, operand ^ f->sign);
    case FAULT_F32_FOR_F64:
        return fault_is_finite(f, correct) ? sum_in_single(s) : NONE;
    case FAULT_F16_TRUNCATED:
    case FAULT_SUM_TRUNCATED:
        return truncated_sum(s);
    case FAULT_BF16_TRUNCATED:
        return arith_add_rtz(s->fmt, original, operand);
    case FAULT_BF16_ROUNDED_UP:
        return raised_sum(s);
    case FAULT_SUM_OFF_ULP:
        return fault_is_finite(f, correct) && !format_is_zero(f, correct) ? correct + 1 : NONE;
    case FAULT_FUSED_INTO_SUM:
        return fused_sum(s);
    case FAULT_FLUSHED:
        return format_is_subnormal(f, correct) ? correct & f->sign : NONE;
    case FAULT_INF_SATURATED: /* the encoding before infinity is the largest finite number */
        return (correct & ~f->sign) == f->exp && are_finite ? correct - 1 : NONE;
    case FAULT_SUM_ZERO_SIGN: /* right: x + -x is +0; wrong: -0 */
        return original == (operand ^ f->sign) && !format_is_zero(f, original) ? f->sign : NONE;
    default: /* faults of updates, not of values */
        return NONE;
    }
}

static uint64_t wrong_value(enum fault_id id, const struct fault_site *s, uint64_t honest)
{
    const struct float_format *f = &float_formats[s->fmt];
    uint64_t const value = wrong_nan(id, s, honest);
    bool const has_nan = format_is_nan(f, s->original) || format_is_nan(f, s->operand);
    return value != NONE || has_nan ? value : wrong_number(id, s, honest);
}

/* Changes *effect, which holds what a correct device does, to what a device with the fault does. A
 * fault of updates changes whether, where and what is written or returned; any other fault changes
 * the value. Returns false where the two devices cannot be told apart, for example because a lost
 * write would have stored the value that was there before. */
bool fault_change(enum fault_id id, const struct fault_site *s, struct fault_effect *effect)
{
    const struct float_format *f = &float_formats[s->fmt];
    struct fault_effect const honest = *effect;
    uint64_t value;
    switch ((int)id) {
    case FAULT_LOST_UPDATE:
    case FAULT_STORE_LOST:
    case FAULT_UNUSED_DROPPED:
    case FAULT_FIRST_LANE_ONLY:
    case FAULT_SECOND_GROUP_IGNORED:
    case FAULT_COMPONENT_LOST:
        effect->writes = false;
        return effect->value != s->original;
    case FAULT_DOUBLED_UPDATE:
        effect->value = arith_add_rne(s->fmt, honest.value, s->operand);
        break;
    case FAULT_EXCHANGE_HALF:
        effect->writes = s->component < s->n_components / 2;
        return !effect->writes && effect->value != s->original;
    case FAULT_COMPONENTS_APART: /* the last component has no next one that others may come before */
        effect->parts = true;
        return !honest.parts && s->component + 1 < s->n_components;
    case FAULT_COMPONENT_OF_OTHER: /* the caller computes the value with the other's operand */
        return s->operand != s->other_operand;
    case FAULT_COMPONENT_RACES:
    case FAULT_NON_ATOMIC_RMW: /* the caller computes the value from `before` */
    case FAULT_ORIGINAL_STALE:
    case FAULT_LOAD_STALE:
        effect->returned = s->before;
        break;
    case FAULT_ORIGINAL_IS_NEW:
        effect->returned = honest.value;
        break;
    case FAULT_ORIGINAL_OFF_ULP:
        if (fault_is_finite(f, s->original)) { /* a changed last bit makes no infinity */
            effect->returned = s->original ^ 1;
        }
        break;
    case FAULT_EXCHANGE_RETURNS_VALUE:
        effect->returned = s->operand;
        break;
    case FAULT_CMPXCHG_ALWAYS:
        effect->value = s->operand;
        effect->writes = true;
        break;
    case FAULT_ADDRESS_CUT:
        effect->writes = false;
        effect->returned = 0;
        return effect->value != s->original;
    case FAULT_ADDRESS_OFF:
    case FAULT_WRONG_ELEMENT:
        effect->to_next = true;
        return effect->value != s->original;
    case FAULT_LAYER_IGNORED:
        effect->to_first_layer = true;
        return effect->value != s->original;
    case FAULT_NEIGHBOUR_OVERWRITTEN: /* what the neighbour holds is not known here */
        effect->spills = true;
        return true;
    case FAULT_LOAD_ADDS_ZERO: /* a load that is executed as an addition of +0 turns -0 into +0 */
        effect->writes = true;
        effect->value = 0;
        return s->original == f->sign;
    default: /* the faults of values */
        value = wrong_value(id, s, honest.value);
        effect->value = value == NONE ? honest.value : value;
        break;
    }
    return effect->value != honest.value || effect->returned != honest.returned;
}

/* oracle/sim/faults_lane.c -- planted faults that hand out other results of a group instruction. */
#include <stdbool.h>
#include <string.h>

#include "base/ops.h"
#include "oracle/group/group_move.h"
#include "oracle/sim/faults_parts.h"

static uint64_t cut(uint64_t v, unsigned n_bits)
{
    return n_bits >= 64 ? v : v & ((UINT64_C(1) << n_bits) - 1);
}

static const uint64_t *value_of(const struct group_call *c, uint32_t i)
{
    return &c->value[(size_t)i * c->n_components];
}

/* The operand of the lane with this index; NULL: it does not take part. */
static const uint64_t *value_at(const struct group_call *c, uint64_t index)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->index[i] == index) {
            return value_of(c, i);
        }
    }
    return NULL;
}

/* What an exclusive scan's first participant gets: anything but the identity. */
static uint64_t wrong_identity(const struct group_call *c, uint64_t honest)
{
    int const is_product = c->op == SpvOpGroupFMulKHR || c->op == SpvOpGroupNonUniformFMul;
    if (c->fmt < 0) {
        return cut(~honest, c->n_bits);
    }
    if (fault_is_extreme(c->op)) {
        return honest - 1; /* the largest finite of that sign */
    }
    const struct float_format *f = &float_formats[c->fmt];
    return is_product ? 0 : (uint64_t)f->emax << (f->prec_bits - 1);
}

static void let_nan_win(const struct group_call *c, uint64_t *result)
{
    const struct float_format *f = &float_formats[c->fmt];
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t first, end;
        group_get_span(c, i, &first, &end);
        for (uint32_t p = first; p < end; p++) {
            for (uint32_t k = 0; k < c->n_components; k++) {
                uint64_t const v = value_of(c, p)[k];
                if (format_is_nan(f, v) && (v & f->quiet)) {
                    result[(size_t)i * c->n_results + k] = v;
                }
            }
        }
    }
}

static void compare_bits(const struct group_call *c, uint64_t *result)
{
    int is_equal = 1;
    for (uint32_t i = 1; i < c->n; i++) {
        is_equal &= memcmp(value_of(c, i), c->value, sizeof *c->value * c->n_components) == 0;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        result[i] = (uint64_t)is_equal;
    }
}

static void compare_nans(const struct group_call *c, uint64_t *result)
{
    int has_nan = 0;
    for (size_t k = 0; k < (size_t)c->n * c->n_components; k++) {
        has_nan |= format_is_nan(&float_formats[c->fmt], c->value[k]);
    }
    for (uint32_t i = 0; has_nan && i < c->n; i++) {
        result[i] = 1;
    }
}

/* Bits beyond the size, or those who do not take part. */
static void change_ballot(enum fault_id id, const struct fault_group_site *s, uint64_t *result)
{
    const struct group_call *c = s->call;
    uint64_t then[4] = {0};
    for (uint32_t i = 0; i < s->n_mates; i++) {
        then[s->other_index[i] / 32 % 4] |= UINT64_C(1) << s->other_index[i] % 32;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t *words = &result[(size_t)i * 4];
        if (id == FAULT_BALLOT_OF_THEN) {
            memcpy(words, then, sizeof then);
        } else if (c->size < CASE_MAX_SUBGROUP) {
            words[c->size / 32] |= UINT64_C(1) << c->size % 32;
        }
    }
}

/* Where participant i's value comes from; NULL: the honest result stays. */
static const uint64_t *wrong_source(enum fault_id id, const struct fault_group_site *s, uint32_t i)
{
    const struct group_call *c = s->call;
    uint32_t const own = c->index[i];
    uint64_t const second = c->second ? c->second[i] : 0;
    static uint64_t const zeros[16] = {0};
    if (id == FAULT_SHUFFLE_BY_RANK) {
        return second < c->n ? value_of(c, (uint32_t)second) : NULL;
    }
    if (id == FAULT_BROADCAST_OF_LANE_0) {
        for (uint32_t k = 0; k < s->n_mates; k++) {
            if (s->other_index[k] == 0) {
                return &s->other_value[(size_t)k * c->n_components];
            }
        }
        return value_of(c, 0);
    }
    if (id == FAULT_SWIZZLE_ORDER && own < 64) {
        uint32_t const lane = ((own & 31 & c->pattern[0]) ^ c->pattern[2]) | c->pattern[1];
        const uint64_t *v = value_at(c, lane | (own & 32));
        return v ? v : zeros;
    }
    if (id == FAULT_SWIZZLE_KEEPS) {
        return group_source(c, i) == GROUP_FROM_ZERO ? value_of(c, i) : NULL;
    }
    return NULL;
}

static int is_undefined(const struct group_call *c, uint32_t i)
{
    uint64_t ignored[16];
    return group_answer(c, i, NULL, ignored) == GROUP_ANYTHING;
}

/* Does a signalling NaN go into component k of participant i's result? */
static bool takes_snan(const struct group_call *c, uint32_t i, uint32_t k)
{
    uint32_t first, end;
    bool found = false;
    group_get_span(c, i, &first, &end);
    for (uint32_t p = first; p < end; p++) {
        found |= format_is_snan(&float_formats[c->fmt], value_of(c, p)[k]) != 0;
    }
    return found;
}

/* One element, `k`, of one participant's result. */
static uint64_t wrong_element(enum fault_id id, const struct fault_group_site *s, uint32_t i,
                              uint32_t k, uint64_t honest, struct rng *r)
{
    const struct group_call *c = s->call;
    const struct float_format *f = &float_formats[c->fmt < 0 ? 0 : c->fmt];
    int const is_number = (honest & f->exp) != f->exp;
    switch ((int)id) {
    case FAULT_WRONG_IDENTITY:
        return i == 0 ? wrong_identity(c, honest) : honest;
    case FAULT_MINUS_ZERO_SEED:
        return i == 0 && honest == 0 ? f->sign : honest;
    case FAULT_F16_SUM_COARSE:
        return is_number ? honest & ~UINT64_C(7) : honest;
    case FAULT_SNAN_GIVES_OTHER:
        return is_number && takes_snan(c, i, k) ? honest + 1 : honest;
    case FAULT_MINUS_ZERO_LOST:
        return honest == f->sign ? 0 : honest;
    case FAULT_GROUP_OTHER_ZERO:
        return format_is_zero(f, honest) ? honest ^ f->sign : honest;
    case FAULT_MBCNT_WITH_SELF:
        return c->index[i] < c->n_bits ? honest + (c->value[i] >> c->index[i] & 1) : honest;
    case FAULT_UNDEFINED_BITS:
        return is_undefined(c, i) ? cut(~rng_next(r), c->n_results == c->n_components &&
                                                              group_kind_of(c->op) == GROUP_MOVE
                                                          ? c->n_bits
                                                          : 1)
                                  : honest;
    default:
        return honest;
    }
}

/* Faults of one participant, and those that copy what was there before. */
static void change_one(enum fault_id id, const struct fault_group_site *s, struct rng *r,
                       uint64_t *result)
{
    const struct group_call *c = s->call;
    size_t const n_bytes = sizeof *result * c->n * c->n_results;
    uint32_t const lane = (uint32_t)rng_below(r, c->n);
    uint64_t *one = &result[(size_t)lane * c->n_results];
    if (id == FAULT_ELECT_TWO && c->n > 1) {
        result[1 + lane % (c->n - 1)] = 1;
    } else if (id == FAULT_LEFTOVER_SCRATCH && s->leftover) {
        memcpy(result, s->leftover, n_bytes);
    } else if (id == FAULT_STALE_RESULT) {
        int any = 0;
        for (size_t k = 0; k < n_bytes / sizeof *result; k++) {
            any |= s->stale[k] != 0;
        }
        memcpy(result, any ? s->stale : result, any ? n_bytes : 0);
    } else if (id == FAULT_ONE_LANE_DIFFERS && c->fmt < 0) {
        *one = cut(*one + 1, c->n_bits);
    } else if (id == FAULT_ONE_LANE_DIFFERS) {
        const struct float_format *f = &float_formats[c->fmt];
        *one += (*one & f->exp) != f->exp && !format_is_zero(f, *one);
    }
}

int fault_change_results(enum fault_id id, const struct fault_group_site *s, struct rng *r,
                         uint64_t *result)
{
    const struct group_call *c = s->call;
    if (id == FAULT_NAN_WINS_GROUP) {
        let_nan_win(c, result);
    } else if (id == FAULT_EQUAL_BY_BITS) {
        compare_bits(c, result);
    } else if (id == FAULT_EQUAL_FOR_NAN) {
        compare_nans(c, result);
    } else if (id == FAULT_BALLOT_BEYOND || id == FAULT_BALLOT_OF_THEN) {
        change_ballot(id, s, result);
    } else {
        change_one(id, s, r, result);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t *to = &result[(size_t)i * c->n_results];
        const uint64_t *from = wrong_source(id, s, i);
        for (uint32_t k = 0; k < c->n_results; k++) {
            to[k] = from ? from[k] : wrong_element(id, s, i, k, to[k], r);
        }
    }
    return 1; /* whether it is another result is for the caller to see */
}

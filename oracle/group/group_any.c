/* oracle/group/group_any.c -- what a group instruction gives whoever takes part. */
#include "oracle/group/group_any.h"

#include "base/format.h"
#include "base/spv.h"
#include "oracle/group/group.h"
#include "oracle/interp/group_kind.h"

/* Is it a reduction that a participant's own value is part of, or a vote? */
static bool has_own(const struct group_call *c)
{
    enum group_kind const kind = group_kind_of(c->op);
    bool const is_clustered = c->operation == SpvGroupOperationClusteredReduce && !c->is_kernel;
    bool const is_of_own = c->operation == SpvGroupOperationReduce ||
                           c->operation == SpvGroupOperationInclusiveScan || is_clustered;
    return (kind == GROUP_VOTE && !group_is_quad_vote(c->op)) || (kind == GROUP_ARITH && is_of_own);
}

bool group_is_order_free(const struct group_call *c)
{
    enum group_kind const kind = group_kind_of(c->op);
    return (kind == GROUP_VOTE && !group_is_quad_vote(c->op)) || kind == GROUP_ALL_EQUAL ||
           (kind == GROUP_ARITH && c->operation == SpvGroupOperationReduce);
}

/* Is the operation one that gives x for x and x? */
static bool is_idempotent(enum group_step step)
{
    return step == STEP_SMIN || step == STEP_SMAX || step == STEP_UMIN || step == STEP_UMAX ||
           step == STEP_AND || step == STEP_OR;
}

/* The result that no additional value changes. */
static uint64_t get_absorbing(enum group_step step, unsigned n_bits)
{
    uint64_t const sign = UINT64_C(1) << (n_bits - 1), ones = sign | (sign - 1);
    if (step == STEP_SMIN) {
        return sign;
    }
    if (step == STEP_SMAX) {
        return sign - 1;
    }
    return step == STEP_UMAX || step == STEP_OR ? ones : 0;
}

/* Is the result of an integer reduction in component k certainly participant i's own value, whoever takes part? An unknown
 * value may be any, which changes nothing only if the own value is absorbing. */
static bool is_own_result(const struct group_call *c, uint32_t i, uint32_t k)
{
    enum group_step const step = group_step_of(c->op);
    uint64_t const own = group_value(c, i, k);
    uint64_t all = own;
    if (!is_idempotent(step)) {
        return false;
    }
    if (own == get_absorbing(step, c->n_bits)) {
        return true;
    }
    for (uint32_t p = 0; p < c->n; p++) {
        if (!group_is_known(c, p)) {
            return false;
        }
        uint64_t const pair[2] = {all, group_value(c, p, k)};
        all = group_reduce_integer(c->op, c->n_bits, pair, 2);
    }
    return all == own;
}

static bool is_uniform(const struct group_call *c)
{
    for (uint32_t p = 0; p < c->n; p++) {
        for (uint32_t k = 0; k < c->n_components; k++) {
            if (!group_is_known(c, p) || group_value(c, p, k) != group_value(c, 0, k)) {
                return false;
            }
        }
    }
    return true;
}

/* Are all components numbers of which each rule says the same: normal ones? Integers are. */
static bool is_plain(const struct group_call *c, uint32_t i)
{
    for (uint32_t k = 0; c->fmt >= 0 && k < c->n_components; k++) {
        const struct float_format *const f = &float_formats[c->fmt];
        uint64_t const exponent = group_value(c, i, k) & f->exp;
        if (exponent == 0 || exponent == f->exp) {
            return false;
        }
    }
    return true;
}

/* Does an exchange give participant i its own value, or one that all have? */
static bool is_own_moved(const struct group_call *c, uint32_t i, bool has_all)
{
    bool const has_second = c->second && group_is_second_known(c, i);
    bool const is_zero = has_second && c->second[i] == 0;
    switch (c->op) {
    case SpvOpGroupNonUniformBroadcastFirst:
        return is_uniform(c);
    case SpvOpGroupBroadcast:
    case SpvOpGroupNonUniformBroadcast:
        return is_zero && has_all && c->is_kernel && is_uniform(c);
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
        return is_zero;
    default:
        return false;
    }
}

enum group_answer group_answer_without_ids(const struct group_call *c, uint32_t i, bool has_all,
                                           uint64_t *out)
{
    enum group_kind const kind = group_kind_of(c->op);
    bool const is_float_extreme = c->fmt >= 0 && has_own(c) && group_is_extreme(c->op);
    bool is_it = false;
    if (kind == GROUP_MOVE) {
        is_it = is_own_moved(c, i, has_all);
    } else if (kind == GROUP_ALL_EQUAL || is_float_extreme) {
        is_it = is_uniform(c) && is_plain(c, i);
    } else if (has_own(c) && c->fmt < 0 && group_is_known(c, i)) {
        is_it = c->n_components > 0;
        for (uint32_t k = 0; is_it && k < c->n_components; k++) {
            is_it = is_own_result(c, i, k);
        }
    }
    if (!is_it) {
        return GROUP_UNKNOWN;
    }
    for (uint32_t k = 0; k < c->n_results; k++) {
        out[k] = kind == GROUP_ALL_EQUAL ? 1 : group_value(c, i, k);
    }
    return GROUP_IS;
}

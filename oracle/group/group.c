/* oracle/group/group.c -- results of group instructions on integers, bools and ballots. */
#include "oracle/group/group.h"

#include <string.h>

#include "base/format.h"
#include "base/spv.h"
#include "oracle/group/group_float.h"
#include "oracle/group/group_move.h"
#include "oracle/interp/group_kind.h"
#include "oracle/math/rules.h"

enum {
    BALLOT_WORDS = 4,
    BALLOT_WORD_BITS = 32,
    MBCNT_BITS = 32
};

static uint64_t ones(unsigned n_bits)
{
    return n_bits < 64 ? (UINT64_C(1) << n_bits) - 1 : UINT64_MAX;
}

static uint64_t sign_bit(unsigned n_bits)
{
    return UINT64_C(1) << (n_bits - 1);
}

/* The value that changes nothing in a step on n_bits, and what a reduction of nothing gives; 0 but for
 * those listed. */
static uint64_t get_identity(enum group_step step, unsigned n_bits)
{
    uint64_t const identities[] = {
        [STEP_MUL] = 1,
        [STEP_SMIN] = ones(n_bits) ^ sign_bit(n_bits),
        [STEP_UMIN] = ones(n_bits),
        [STEP_AND] = ones(n_bits),
        [STEP_SMAX] = sign_bit(n_bits),
    };
    return (size_t)step < ARRAY_N(identities) ? identities[step] : 0;
}

/* Is this a value that nothing else can change? */
static bool absorbs(enum group_step step, unsigned n_bits, uint64_t v)
{
    uint64_t const absorbing[] = {
        [STEP_MUL] = 0,
        [STEP_UMIN] = 0,
        [STEP_AND] = 0,
        [STEP_SMIN] = sign_bit(n_bits),
        [STEP_SMAX] = ones(n_bits) ^ sign_bit(n_bits),
        [STEP_UMAX] = ones(n_bits),
        [STEP_OR] = ones(n_bits),
    };
    bool const has_one =
        step != STEP_NONE && step != STEP_ADD && step != STEP_XOR && step != STEP_FLOAT;
    return has_one && v == absorbing[step];
}

/* Combines x and y by one step of an integer or bool reduction; the caller truncates the result to
 * the width. `sign` is the sign bit of the width: flipping it gives signed numbers the order of
 * unsigned ones. Floats (STEP_FLOAT) are reduced elsewhere. */
static uint64_t apply_step(enum group_step step, uint64_t sign, uint64_t x, uint64_t y)
{
    switch (step) {
    case STEP_ADD:
        return x + y;
    case STEP_MUL:
        return x * y;
    case STEP_SMIN:
        return (x ^ sign) < (y ^ sign) ? x : y;
    case STEP_UMIN:
        return x < y ? x : y;
    case STEP_SMAX:
        return (x ^ sign) > (y ^ sign) ? x : y;
    case STEP_UMAX:
        return x > y ? x : y;
    case STEP_AND:
        return x & y;
    case STEP_OR:
        return x | y;
    case STEP_XOR:
        return x ^ y;
    case STEP_NONE:
    case STEP_FLOAT:
        break;
    }
    return 0;
}

uint64_t group_reduce_integer(uint32_t op, unsigned n_bits, const uint64_t *values, uint32_t n)
{
    enum group_step const step = group_step_of(op);
    uint64_t const mask = ones(n_bits), sign = sign_bit(n_bits);
    uint64_t v = get_identity(step, n_bits);
    for (uint32_t i = 0; i < n; i++) {
        v = apply_step(step, sign, v, values[i] & mask) & mask;
    }
    return v;
}

/* What a reduction of nothing gives and what changes nothing in it, by opcode: +0 for a float sum, 1 for a
 * product, the infinity that every number replaces for a minimum or maximum; of integers (fmt < 0)
 * get_identity's. */
uint64_t group_identity(uint32_t op, int fmt, unsigned n_bits)
{
    if (fmt < 0) {
        return get_identity(group_step_of(op), n_bits);
    }
    const struct float_format *f = &float_formats[fmt];
    switch (op) {
    case SpvOpGroupFMulKHR:
    case SpvOpGroupNonUniformFMul:
        return (uint64_t)f->emax << (f->prec_bits - 1); /* 1: the biased exponent of 2^0 */
    case SpvOpGroupFMin:
    case SpvOpGroupNonUniformFMin:
    case SpvOpGroupFMinNonUniformAMD:
        return f->exp;
    case SpvOpGroupFMax:
    case SpvOpGroupNonUniformFMax:
    case SpvOpGroupFMaxNonUniformAMD:
        return f->exp | f->sign;
    default:
        return 0;
    }
}

/*
 * ClusterSize: "Behavior is undefined unless ClusterSize is at least 1 and a power of 2", nor where
 * it is greater than the group. A last sub-group of a kernel may be smaller than its cluster, and
 * what is left over past the full clusters is no cluster (S 2.2.5): undefined there.
 */
enum group_answer group_check(const struct group_call *c, uint32_t i)
{
    if (c->operation != SpvGroupOperationClusteredReduce) {
        return GROUP_IS;
    }
    uint32_t const whole = c->is_kernel ? c->max_size : c->size;
    if (!group_is_power(c->cluster) || c->cluster > whole) {
        return GROUP_MISUSE;
    }
    uint64_t const first = c->index[i] & ~(c->cluster - 1);
    return first + c->cluster > c->size ? GROUP_ANYTHING : GROUP_IS;
}

/* Finds the participants *first to *end - 1 whose values contribute to i's result of a reduction or scan.
 * Participants are numbered in the order of their index in the group, so that a scan ends at i, and the members of
 * a cluster are adjacent: the span grows from i while neighbours have the same cluster number. */
void group_get_span(const struct group_call *c, uint32_t i, uint32_t *first, uint32_t *end)
{
    *first = 0;
    *end = c->n;
    uint32_t const cluster = c->cluster ? c->cluster : UINT32_MAX; /* 0 is misuse: group_check */
    switch (c->operation) {
    case SpvGroupOperationInclusiveScan:
        *end = i + 1;
        break;
    case SpvGroupOperationExclusiveScan:
        *end = i;
        break;
    case SpvGroupOperationClusteredReduce:
        *first = i;
        *end = i + 1;
        while (*first > 0 && c->index[*first - 1] / cluster == c->index[i] / cluster) {
            (*first)--;
        }
        while (*end < c->n && c->index[*end] / cluster == c->index[i] / cluster) {
            (*end)++;
        }
        break;
    default: /* Reduce */
        break;
    }
}

/* Reduces component k of participants first to end - 1. Values that are not known do not matter if one
 * that is known absorbs all others, as 0 in a product; else GROUP_UNKNOWN. */
static enum group_answer reduce_span(const struct group_call *c, uint32_t first, uint32_t end,
                                     uint32_t k, uint64_t *out)
{
    enum group_step const step = group_step_of(c->op);
    uint64_t const mask = ones(c->n_bits), sign = sign_bit(c->n_bits);
    uint64_t v = get_identity(step, c->n_bits);
    int all_known = 1;
    for (uint32_t i = first; i < end; i++) {
        if (!group_is_known(c, i)) {
            all_known = 0;
            continue;
        }
        v = apply_step(step, sign, v, group_value(c, i, k) & mask) & mask;
    }
    *out = v;
    return all_known || absorbs(step, c->n_bits, v) ? GROUP_IS : GROUP_UNKNOWN;
}

static enum group_answer answer_arithmetic(const struct group_call *c, uint32_t i, uint64_t *out)
{
    enum group_answer answer = group_check(c, i);
    uint32_t first, end;
    if (answer != GROUP_IS) {
        return answer;
    }
    if (group_step_of(c->op) == STEP_FLOAT) {
        return GROUP_UNKNOWN; /* the caller's business */
    }
    group_get_span(c, i, &first, &end);
    for (uint32_t k = 0; k < c->n_components && answer == GROUP_IS; k++) {
        answer = reduce_span(c, first, end, k, &out[k]);
    }
    return answer;
}

/* Whether all or any vote yes: of all participants, or of those of i's quad, whose indices differ in the last two
 * bits alone. */
static enum group_answer answer_vote(const struct group_call *c, uint32_t i, uint64_t *out)
{
    enum {
        QUAD = 4
    };
    bool const is_all = group_step_of(c->op) == STEP_AND;
    bool const is_of_quad = group_is_quad_vote(c->op);
    int all_known = 1;
    for (uint32_t k = 0; k < c->n; k++) {
        if (is_of_quad && c->index[k] / QUAD != c->index[i] / QUAD) {
            continue;
        }
        if (!group_is_known(c, k)) {
            all_known = 0;
        } else if ((c->value[k] != 0) != is_all) {
            out[0] = !is_all;
            return GROUP_IS; /* this one decides */
        }
    }
    out[0] = (uint64_t)is_all;
    return all_known ? GROUP_IS : GROUP_UNKNOWN;
}

/* Do all participants have the same value? Two values that are known and differ decide. "Equal" needs all
 * to be known, or a single participant. */
static enum group_answer answer_all_equal(const struct group_call *c, const struct rules *r,
                                          uint64_t *out)
{
    if (c->fmt >= 0) {
        return group_all_equal_float(c, r, out);
    }
    uint32_t first = c->n, n_known = 0;
    int differs = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (!group_is_known(c, i)) {
            continue;
        }
        n_known++;
        first = first < c->n ? first : i;
        for (uint32_t k = 0; k < c->n_components; k++) {
            differs |= group_value(c, i, k) != group_value(c, first, k);
        }
    }
    out[0] = !differs;
    return differs || n_known == c->n || c->n == 1 ? GROUP_IS : GROUP_UNKNOWN;
}

/* Bits of non-participants and beyond the size are 0. */
static enum group_answer answer_ballot(const struct group_call *c, uint64_t *out)
{
    int all_known = 1;
    for (uint32_t k = 0; k < BALLOT_WORDS; k++) {
        out[k] = 0;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t const word = c->index[i] / BALLOT_WORD_BITS;
        all_known &= group_is_known(c, i) != 0;
        if (c->value[i] != 0 && word < BALLOT_WORDS) {
            out[word] |= UINT64_C(1) << (c->index[i] % BALLOT_WORD_BITS);
        }
    }
    return all_known ? GROUP_IS : GROUP_UNKNOWN;
}

/* Are participants i and k in the same subset? The answer is GROUP_IS with 1 or 0 in *out, or
 * GROUP_EITHER where both are permitted. Zeros of both signs are equal. A NaN is equal to nothing,
 * but one with the same bits may count as the same value. */
static enum group_answer are_together(const struct group_call *c, uint32_t i, uint32_t k,
                                      const struct rules *r, uint64_t *out)
{
    const uint64_t *const x = &c->value[(size_t)i * c->n_components];
    const uint64_t *const y = &c->value[(size_t)k * c->n_components];
    bool const is_same = memcmp(x, y, sizeof *x * c->n_components) == 0;
    out[0] = is_same;
    if (i == k) {
        return GROUP_IS;
    }
    if (!group_is_known(c, i) || !group_is_known(c, k)) {
        return GROUP_EITHER;
    }
    if (c->fmt < 0) { /* integers are equal by their bits */
        return GROUP_IS;
    }
    uint64_t values[8]; /* of two vectors of at most four, compared as those of a group of two */
    uint32_t const index[2] = {0, 1};
    struct group_call pair = *c;
    memcpy(values, x, sizeof *x * c->n_components);
    memcpy(values + c->n_components, y, sizeof *y * c->n_components);
    pair.n = 2;
    pair.index = index;
    pair.value = values;
    pair.known = NULL;
    enum group_answer const answer = group_all_equal_float(&pair, r, out);
    bool const is_certain = answer == GROUP_IS && (!is_same || out[0] == 1);
    return is_certain ? GROUP_IS : GROUP_EITHER; /* unequal by value with the same bits: a NaN */
}

void group_partition(const struct group_call *c, uint32_t i, const struct rules *r,
                     uint64_t must[4], uint64_t may[4])
{
    for (uint32_t k = 0; k < BALLOT_WORDS; k++) {
        must[k] = 0;
        may[k] = UINT32_MAX;
    }
    for (uint32_t k = 0; k < c->n; k++) {
        uint32_t const word = c->index[k] / BALLOT_WORD_BITS;
        uint64_t const bit = UINT64_C(1) << (c->index[k] % BALLOT_WORD_BITS);
        uint64_t together = 0;
        bool const is_sure = are_together(c, i, k, r, &together) == GROUP_IS;
        if (word < BALLOT_WORDS && is_sure && together) {
            must[word] |= bit;
        } else if (word < BALLOT_WORDS && is_sure) {
            may[word] &= ~bit;
        }
    }
}

/* Those alone who must be together. */
static enum group_answer answer_partition(const struct group_call *c, uint32_t i,
                                          const struct rules *r, uint64_t *out)
{
    uint64_t may[BALLOT_WORDS];
    for (uint32_t k = 0; k < c->n; k++) {
        if (!group_is_known(c, k)) {
            return GROUP_UNKNOWN;
        }
    }
    group_partition(c, i, r, out, may);
    return GROUP_IS;
}

static int ballot_bit(const uint64_t *ballot, uint64_t index)
{
    return index < BALLOT_WORDS * BALLOT_WORD_BITS &&
           (ballot[index / BALLOT_WORD_BITS] >> (index % BALLOT_WORD_BITS)) & 1;
}

/* Bits below `end` of one word of a ballot. */
static uint32_t ballot_word_below(const uint64_t *ballot, uint32_t word, uint32_t end)
{
    uint32_t const from = word * BALLOT_WORD_BITS;
    uint32_t const n = end <= from ? 0 : end - from;
    return (uint32_t)(ballot[word] & ones(n < BALLOT_WORD_BITS ? n : BALLOT_WORD_BITS));
}

static uint64_t count_bits(uint64_t v)
{
    return (uint64_t)__builtin_popcountll(v);
}

/* Number of bits below `end`, the lowest or the highest one (-1: none). */
static int64_t scan_ballot(uint32_t op, const uint64_t *ballot, uint32_t end)
{
    int64_t count = 0, lowest = -1, highest = -1;
    for (uint32_t word = 0; word < BALLOT_WORDS; word++) {
        uint32_t const bits = ballot_word_below(ballot, word, end);
        if (bits == 0) {
            continue;
        }
        int64_t const from = (int64_t)word * BALLOT_WORD_BITS;
        count += (int64_t)count_bits(bits);
        lowest = lowest < 0 ? from + __builtin_ctz(bits) : lowest;
        highest = from + BALLOT_WORD_BITS - 1 - __builtin_clz(bits);
    }
    return op == SpvOpGroupNonUniformBallotBitCount  ? count
           : op == SpvOpGroupNonUniformBallotFindLSB ? lowest
                                                     : highest;
}

/*
 * The number of bits set, the lowest or the highest one (LSB, MSB) of a ballot. SPIR-V considers the bits
 * of the group's invocations; OpenCL C says "less than the maximum sub-group size": where the two differ,
 * in a last sub-group, either is right, so that anything goes. The scans stop at the invocation itself in
 * both.
 */
static enum group_answer answer_scan_of_ballot(const struct group_call *c, uint32_t i,
                                               const uint64_t *ballot, uint64_t *out)
{
    bool const is_count = c->op == SpvOpGroupNonUniformBallotBitCount;
    uint32_t end = c->size;
    uint32_t max_end = c->is_kernel && c->max_size > c->size ? c->max_size : c->size;
    if (is_count && c->operation == SpvGroupOperationInclusiveScan) {
        end = max_end = c->index[i] + 1;
    } else if (is_count && c->operation == SpvGroupOperationExclusiveScan) {
        end = max_end = c->index[i];
    }
    int64_t const v = scan_ballot(c->op, ballot, end);
    if (v < 0 || v != scan_ballot(c->op, ballot, max_end)) {
        return GROUP_ANYTHING;
    }
    out[0] = (uint64_t)v;
    return GROUP_IS;
}

/* Bit of participant i in a ballot that all must give alike, else it is misuse; with one that is not known
 * it is not known either whether they are the same. */
static enum group_answer answer_inverse_ballot(const struct group_call *c, uint32_t i,
                                               uint64_t *out)
{
    for (uint32_t k = 0; k < c->n; k++) {
        if (!group_is_known(c, k)) {
            return GROUP_UNKNOWN; /* nor is it known whether they are the same */
        }
    }
    for (uint32_t k = BALLOT_WORDS; k < c->n * BALLOT_WORDS; k++) {
        if (c->value[k] != c->value[k - BALLOT_WORDS]) {
            return GROUP_MISUSE;
        }
    }
    out[0] = (uint64_t)ballot_bit(c->value, c->index[i]);
    return GROUP_IS;
}

static enum group_answer answer_extract(const struct group_call *c, uint32_t i,
                                        const uint64_t *ballot, uint64_t *out)
{
    bool const is_index_known = group_is_second_known(c, i) != 0;
    if (is_index_known && c->second[i] >= c->size) {
        return GROUP_ANYTHING;
    }
    if (!is_index_known || !group_is_known(c, i)) {
        return GROUP_UNKNOWN;
    }
    out[0] = (uint64_t)ballot_bit(ballot, c->second[i]);
    return GROUP_IS;
}

static enum group_answer answer_of_ballot(const struct group_call *c, uint32_t i, uint64_t *out)
{
    const uint64_t *ballot = &c->value[(size_t)i * BALLOT_WORDS];
    if (c->op == SpvOpGroupNonUniformInverseBallot) {
        return answer_inverse_ballot(c, i, out);
    }
    if (c->op == SpvOpGroupNonUniformBallotBitExtract) {
        return answer_extract(c, i, ballot, out);
    }
    return group_is_known(c, i) ? answer_scan_of_ballot(c, i, ballot, out) : GROUP_UNKNOWN;
}

/*
 * "The bit count of SubgroupLtMaskARB with mask", both u32. Of lane 32 and above the mask of lower
 * lanes has more bits than its type: all of 32 may be kept, or none. Only a mask of 0 counts the
 * same in any reading. With a mask of 64 bits the same holds from lane 64 on.
 */
static enum group_answer answer_mbcnt(const struct group_call *c, uint32_t i, uint64_t *out)
{
    unsigned const n_bits = c->n_bits > MBCNT_BITS ? c->n_bits : MBCNT_BITS;
    if (!group_is_known(c, i)) {
        if (c->index[i] != 0) {
            return GROUP_UNKNOWN;
        }
        out[0] = 0; /* there is no lower lane */
        return GROUP_IS;
    }
    if (c->index[i] >= n_bits && c->value[i] != 0) {
        return GROUP_ANYTHING;
    }
    out[0] = count_bits(c->value[i] & ones(c->index[i]));
    return GROUP_IS;
}

/* Copies to out the value of the participant from which i's result comes, the value of the other operand, or zero. */
static enum group_answer answer_move(const struct group_call *c, uint32_t i, uint64_t *out)
{
    int const from = group_source(c, i);
    const uint64_t *value = NULL;
    switch (from) {
    case GROUP_FROM_NOBODY:
        return GROUP_ANYTHING;
    case GROUP_FROM_UNKNOWN:
        return GROUP_UNKNOWN;
    case GROUP_FROM_MISUSE:
        return GROUP_MISUSE;
    case GROUP_FROM_ZERO:
        break;
    case GROUP_FROM_OTHER:
        value = &c->other[(size_t)i * c->n_components];
        break;
    default:
        if (!group_is_known(c, (uint32_t)from)) {
            return GROUP_UNKNOWN;
        }
        value = &c->value[(size_t)from * c->n_components];
        break;
    }
    for (uint32_t k = 0; k < c->n_components; k++) {
        out[k] = value ? value[k] : 0;
    }
    return GROUP_IS;
}

/* Computes participant i's result of a group instruction in out where the answer is GROUP_IS. Other answers tell
 * why there is no certain result (group_call.h). An instruction that is no group instruction may give anything. */
enum group_answer group_answer(const struct group_call *c, uint32_t i, const struct rules *r,
                               uint64_t *out)
{
    switch (group_kind_of(c->op)) {
    case GROUP_ARITH:
        return answer_arithmetic(c, i, out);
    case GROUP_VOTE:
        return answer_vote(c, i, out);
    case GROUP_ALL_EQUAL:
        return answer_all_equal(c, r, out);
    case GROUP_ELECT:
        out[0] = i == 0; /* participants ascend */
        return GROUP_IS;
    case GROUP_BALLOT:
        return answer_ballot(c, out);
    case GROUP_OF_BALLOT:
        return answer_of_ballot(c, i, out);
    case GROUP_MOVE:
        return answer_move(c, i, out);
    case GROUP_MBCNT:
        return answer_mbcnt(c, i, out);
    case GROUP_PARTITION:
        return answer_partition(c, i, r, out);
    case GROUP_NONE:
        break;
    }
    return GROUP_ANYTHING;
}

enum rule_class group_rule_class(uint32_t op)
{
    switch (group_kind_of(op)) {
    case GROUP_MOVE:
        return RULE_MOVE_GROUP;
    case GROUP_ALL_EQUAL:
        return RULE_GROUP_EQUAL;
    case GROUP_NONE:
    case GROUP_ARITH:
    case GROUP_VOTE:
    case GROUP_ELECT:
    case GROUP_BALLOT:
    case GROUP_OF_BALLOT:
    case GROUP_MBCNT:
    case GROUP_PARTITION:
        break;
    }
    return group_is_extreme(op) ? RULE_GROUP_MINMAX : RULE_GROUP_SUM;
}

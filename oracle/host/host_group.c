/* oracle/host/host_group.c -- group instructions in plain host loops, in linear order: the simulator's
 * chooser `ieee`. */
#include "oracle/host/host_group.h"

#include <math.h>

#include "base/ops.h"
#include "oracle/host/host.h"

enum { /* of the extended set */
    AMD_SWIZZLE = OP_NUMBER(OP_SET_amd_ballot, 1),
    AMD_SWIZZLE_MASKED = OP_NUMBER(OP_SET_amd_ballot, 2),
    AMD_WRITE = OP_NUMBER(OP_SET_amd_ballot, 3),
    AMD_MBCNT = OP_NUMBER(OP_SET_amd_ballot, 4)
};

static uint64_t cut(uint64_t v, unsigned n_bits)
{
    return n_bits >= 64 ? v : v & ((UINT64_C(1) << n_bits) - 1);
}

static int64_t as_signed(uint64_t v, unsigned n_bits)
{
    return (int64_t)(v << (64 - n_bits)) >> (64 - n_bits);
}

static uint64_t encode_plain(enum fmt_id fmt, double v)
{
    static struct host_modes const plain = {{0}, {0}};
    return host_encode(&plain, fmt, v);
}

/* What n_bits wide reduction `op` starts from. -1: op is none. */
static int start(uint32_t op, int fmt, unsigned n_bits, uint64_t *out)
{
    uint64_t const ones = cut(UINT64_MAX, n_bits);
    enum fmt_id const f = fmt < 0 ? FMT_F32 : (enum fmt_id)fmt;
    switch (op) {
    case SpvOpGroupIAdd:
    case SpvOpGroupNonUniformIAdd:
    case SpvOpGroupIAddNonUniformAMD:
    case SpvOpGroupUMax:
    case SpvOpGroupNonUniformUMax:
    case SpvOpGroupUMaxNonUniformAMD:
    case SpvOpGroupBitwiseOrKHR:
    case SpvOpGroupNonUniformBitwiseOr:
    case SpvOpGroupBitwiseXorKHR:
    case SpvOpGroupNonUniformBitwiseXor:
    case SpvOpGroupLogicalOrKHR:
    case SpvOpGroupNonUniformLogicalOr:
    case SpvOpGroupLogicalXorKHR:
    case SpvOpGroupNonUniformLogicalXor:
    case SpvOpGroupFAdd:
    case SpvOpGroupNonUniformFAdd:
    case SpvOpGroupFAddNonUniformAMD:
        *out = 0;
        return 1;
    case SpvOpGroupUMin:
    case SpvOpGroupNonUniformUMin:
    case SpvOpGroupUMinNonUniformAMD:
    case SpvOpGroupBitwiseAndKHR:
    case SpvOpGroupNonUniformBitwiseAnd:
    case SpvOpGroupLogicalAndKHR:
    case SpvOpGroupNonUniformLogicalAnd:
        *out = ones;
        return 1;
    case SpvOpGroupSMin:
    case SpvOpGroupNonUniformSMin:
    case SpvOpGroupSMinNonUniformAMD:
        *out = ones >> 1;
        return 1;
    case SpvOpGroupSMax:
    case SpvOpGroupNonUniformSMax:
    case SpvOpGroupSMaxNonUniformAMD:
        *out = ones ^ ones >> 1;
        return 1;
    case SpvOpGroupIMulKHR:
    case SpvOpGroupNonUniformIMul:
        *out = 1;
        return 1;
    case SpvOpGroupFMulKHR:
    case SpvOpGroupNonUniformFMul:
        *out = encode_plain(f, 1.0);
        return 1;
    case SpvOpGroupFMin:
    case SpvOpGroupNonUniformFMin:
    case SpvOpGroupFMinNonUniformAMD:
        *out = encode_plain(f, (double)INFINITY);
        return 1;
    case SpvOpGroupFMax:
    case SpvOpGroupNonUniformFMax:
    case SpvOpGroupFMaxNonUniformAMD:
        *out = encode_plain(f, -(double)INFINITY);
        return 1;
    default:
        return -1;
    }
}

/* One step on integers and bools. */
static uint64_t step_integer(uint32_t op, unsigned n_bits, uint64_t a, uint64_t b)
{
    int64_t const sa = as_signed(a, n_bits), sb = as_signed(b, n_bits);
    switch (op) {
    case SpvOpGroupIAdd:
    case SpvOpGroupNonUniformIAdd:
    case SpvOpGroupIAddNonUniformAMD:
        return cut(a + b, n_bits);
    case SpvOpGroupIMulKHR:
    case SpvOpGroupNonUniformIMul:
        return cut(a * b, n_bits);
    case SpvOpGroupUMin:
    case SpvOpGroupNonUniformUMin:
    case SpvOpGroupUMinNonUniformAMD:
        return b < a ? b : a;
    case SpvOpGroupUMax:
    case SpvOpGroupNonUniformUMax:
    case SpvOpGroupUMaxNonUniformAMD:
        return b > a ? b : a;
    case SpvOpGroupSMin:
    case SpvOpGroupNonUniformSMin:
    case SpvOpGroupSMinNonUniformAMD:
        return sb < sa ? b : a;
    case SpvOpGroupSMax:
    case SpvOpGroupNonUniformSMax:
    case SpvOpGroupSMaxNonUniformAMD:
        return sb > sa ? b : a;
    case SpvOpGroupBitwiseAndKHR:
    case SpvOpGroupNonUniformBitwiseAnd:
    case SpvOpGroupLogicalAndKHR:
    case SpvOpGroupNonUniformLogicalAnd:
        return a & b;
    case SpvOpGroupBitwiseOrKHR:
    case SpvOpGroupNonUniformBitwiseOr:
    case SpvOpGroupLogicalOrKHR:
    case SpvOpGroupNonUniformLogicalOr:
        return a | b;
    default: /* exclusive or */
        return a ^ b;
    }
}

static uint64_t step_float(const struct host_modes *modes, uint32_t op, enum fmt_id fmt, uint64_t a,
                           uint64_t b)
{
    switch (op) {
    case SpvOpGroupFMin:
    case SpvOpGroupNonUniformFMin:
    case SpvOpGroupFMinNonUniformAMD:
        return host_atomic(modes, SpvOpAtomicFMinEXT, fmt, a, b);
    case SpvOpGroupFMax:
    case SpvOpGroupNonUniformFMax:
    case SpvOpGroupFMaxNonUniformAMD:
        return host_atomic(modes, SpvOpAtomicFMaxEXT, fmt, a, b);
    case SpvOpGroupFMulKHR:
    case SpvOpGroupNonUniformFMul:
        return host_arithmetic(modes, SpvOpFMul, fmt, a, b);
    default:
        return host_arithmetic(modes, SpvOpFAdd, fmt, a, b);
    }
}

/* Component k of a reduction or scan for participant i. */
static uint64_t reduce(const struct host_modes *modes, const struct group_call *c, uint32_t i,
                       uint32_t k)
{
    uint64_t sum = 0;
    int n_taken = 0;
    (void)start(c->op, c->fmt, c->n_bits, &sum);
    for (uint32_t p = 0; p < c->n; p++) {
        uint64_t const v = c->value[(size_t)p * c->n_components + k];
        int const too_late = (c->operation == SpvGroupOperationInclusiveScan && p > i) ||
                             (c->operation == SpvGroupOperationExclusiveScan && p >= i);
        int const elsewhere = c->operation == SpvGroupOperationClusteredReduce && c->cluster &&
                              c->index[p] / c->cluster != c->index[i] / c->cluster;
        if (too_late || elsewhere) {
            continue;
        }
        if (c->fmt < 0) {
            sum = step_integer(c->op, c->n_bits, sum, v);
        } else {
            sum = n_taken ? step_float(modes, c->op, (enum fmt_id)c->fmt, sum, v) : v;
        }
        n_taken++;
    }
    return sum;
}

static int vote(const struct group_call *c)
{
    int const all = c->op == SpvOpGroupAll || c->op == SpvOpGroupNonUniformAll;
    for (uint32_t p = 0; p < c->n; p++) {
        if ((c->value[p] != 0) != all) {
            return !all;
        }
    }
    return all;
}

static int all_equal(const struct group_call *c)
{
    for (size_t p = c->n_components; p < (size_t)c->n * c->n_components; p++) {
        uint64_t const a = c->value[p % c->n_components], b = c->value[p];
        if (c->fmt < 0 && a != b) {
            return 0;
        }
        if (c->fmt >= 0) {
            double const x = host_decode((enum fmt_id)c->fmt, a);
            double const y = host_decode((enum fmt_id)c->fmt, b);
            if (isnan(x) || isnan(y) || x < y || x > y) {
                return 0;
            }
        }
    }
    return 1;
}

static int ballot_bit(const uint64_t *words, uint32_t bit)
{
    return (int)(words[bit / 32] >> bit % 32 & 1);
}

/* Instructions that work on a ballot. */
static uint64_t from_ballot(const struct group_call *c, uint32_t i, uint64_t pick)
{
    const uint64_t *words = &c->value[(size_t)i * 4];
    uint32_t const id = c->index[i];
    uint32_t n = 0;
    uint64_t found = pick & UINT32_MAX;
    if (c->op == SpvOpGroupNonUniformInverseBallot) {
        return (uint64_t)ballot_bit(words, id);
    }
    if (c->op == SpvOpGroupNonUniformBallotBitExtract) {
        return c->second[i] < c->size ? (uint64_t)ballot_bit(words, (uint32_t)c->second[i])
                                      : pick & 1;
    }
    for (uint32_t b = 0; b < c->size; b++) {
        if (!ballot_bit(words, b)) {
            continue;
        }
        int const is_first = c->op == SpvOpGroupNonUniformBallotFindLSB;
        if (n == 0 || !is_first) {
            found = b;
        }
        n += (c->operation != SpvGroupOperationInclusiveScan || b <= id) &&
             (c->operation != SpvGroupOperationExclusiveScan || b < id);
    }
    return c->op == SpvOpGroupNonUniformBallotBitCount ? n : found;
}

/* Id of the invocation whose value participant i gets; UINT64_MAX: none that is defined. */
static uint64_t source_of(const struct group_call *c, uint32_t i)
{
    uint64_t const id = c->index[i], arg = c->second ? c->second[i] : 0;
    uint64_t ring = c->cluster;
    switch (c->op) {
    case SpvOpGroupBroadcast:
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformShuffle:
        return arg;
    case SpvOpGroupNonUniformBroadcastFirst:
        return c->index[0];
    case SpvOpGroupNonUniformShuffleXor:
        return id ^ arg;
    case SpvOpGroupNonUniformShuffleUp:
        return arg > id ? UINT64_MAX : id - arg;
    case SpvOpGroupNonUniformShuffleDown:
        return id + arg;
    case SpvOpGroupNonUniformQuadBroadcast:
        return arg < 4 ? id - id % 4 + arg : UINT64_MAX;
    case SpvOpGroupNonUniformQuadSwap:
        return arg < 3 ? id ^ (arg + 1) : UINT64_MAX;
    case SpvOpGroupNonUniformRotateKHR:
        ring = ring ? ring : c->is_kernel ? c->max_size : c->size;
        return id - id % ring + (id + arg) % ring;
    case AMD_SWIZZLE:
        return id - id % 4 + c->pattern[id % 4];
    case AMD_SWIZZLE_MASKED:
        return (((id & 31 & c->pattern[0]) | c->pattern[1]) ^ c->pattern[2]) | (id & 32);
    default:
        return UINT64_MAX;
    }
}

static void move(const struct group_call *c, uint32_t i, uint64_t pick, uint64_t *out)
{
    uint64_t const from = source_of(c, i);
    int const is_zero = c->op == AMD_SWIZZLE || c->op == AMD_SWIZZLE_MASKED;
    uint32_t p = 0;
    while (p < c->n && c->index[p] != from) {
        p++;
    }
    for (uint32_t k = 0; k < c->n_components; k++) {
        out[k] = p < c->n  ? c->value[(size_t)p * c->n_components + k]
                 : is_zero ? 0
                           : cut(pick * (2 * k + 1), c->n_bits);
    }
}

static void ballot(const struct group_call *c, uint64_t *out)
{
    out[0] = out[1] = out[2] = out[3] = 0;
    for (uint32_t p = 0; p < c->n; p++) {
        if (c->value[p]) {
            out[c->index[p] / 32] |= UINT64_C(1) << c->index[p] % 32;
        }
    }
}

static uint64_t count_below(uint64_t mask, uint32_t id)
{
    uint64_t n = 0;
    for (uint32_t b = 0; b < id && b < 64; b++) {
        n += mask >> b & 1;
    }
    return n;
}

int host_group(const struct host_modes *modes, const struct group_call *c, uint32_t i,
               uint64_t pick, uint64_t *out)
{
    uint64_t ignored;
    if (start(c->op, c->fmt, c->n_bits, &ignored) > 0) {
        for (uint32_t k = 0; k < c->n_components; k++) {
            out[k] = reduce(modes, c, i, k);
        }
        return 1;
    }
    switch (c->op) {
    case SpvOpGroupAll:
    case SpvOpGroupAny:
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
        out[0] = (uint64_t)vote(c);
        return 1;
    case SpvOpGroupNonUniformAllEqual:
        out[0] = (uint64_t)all_equal(c);
        return 1;
    case SpvOpGroupNonUniformElect:
        out[0] = i == 0;
        return 1;
    case SpvOpGroupNonUniformBallot:
        ballot(c, out);
        return 1;
    case SpvOpGroupNonUniformInverseBallot:
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
        out[0] = from_ballot(c, i, pick);
        return 1;
    case AMD_MBCNT:
        out[0] = count_below(c->value[i], c->index[i]);
        return 1;
    case AMD_WRITE:
        for (uint32_t k = 0; k < c->n_components; k++) {
            size_t const at = (size_t)i * c->n_components + k;
            out[k] = c->second[i] == c->index[i] ? c->other[at] : c->value[at];
        }
        return 1;
    case SpvOpGroupBroadcast:
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformBroadcastFirst:
    case SpvOpGroupNonUniformShuffle:
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
    case SpvOpGroupNonUniformQuadBroadcast:
    case SpvOpGroupNonUniformQuadSwap:
    case SpvOpGroupNonUniformRotateKHR:
    case AMD_SWIZZLE:
    case AMD_SWIZZLE_MASKED:
        move(c, i, pick, out);
        return 1;
    default:
        return -1;
    }
}

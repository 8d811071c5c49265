/* oracle/host/host_group.c -- group instructions in plain host loops, in linear order: the simulator's
 * strategy `ieee`. */
#include "oracle/host/host_group.h"

#include <math.h>

#include "oracle/host/host.h"
#include "oracle/host/host_func.h"
#include "oracle/interp/group_kind.h"

enum reduction {
    NO_REDUCTION,
    SUM,
    PRODUCT,
    UMIN,
    UMAX,
    SMIN,
    SMAX,
    FMIN,
    FMAX,
    AND,
    OR,
    XOR
};

/* An operation of the core, by scope, and by the extension that has it too. */
#define OF_AMD(name) SpvOpGroup##name, SpvOpGroupNonUniform##name, SpvOpGroup##name##NonUniformAMD
#define OF_KHR(name) SpvOpGroupNonUniform##name, SpvOpGroup##name##KHR
static const struct {
    enum reduction kind;
    uint32_t op[6]; /* then zeros */
} reductions[] = {
    {SUM,     {OF_AMD(IAdd), OF_AMD(FAdd)}            },
    {PRODUCT, {OF_KHR(IMul), OF_KHR(FMul)}            },
    {UMIN,    {OF_AMD(UMin)}                          },
    {UMAX,    {OF_AMD(UMax)}                          },
    {SMIN,    {OF_AMD(SMin)}                          },
    {SMAX,    {OF_AMD(SMax)}                          },
    {FMIN,    {OF_AMD(FMin)}                          },
    {FMAX,    {OF_AMD(FMax)}                          },
    {AND,     {OF_KHR(BitwiseAnd), OF_KHR(LogicalAnd)}},
    {OR,      {OF_KHR(BitwiseOr), OF_KHR(LogicalOr)}  },
    {XOR,     {OF_KHR(BitwiseXor), OF_KHR(LogicalXor)}},
};

static enum reduction find_reduction(uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(reductions); i++) {
        for (size_t k = 0; k < ARRAY_N(reductions[i].op); k++) {
            if (reductions[i].op[k] == op) {
                return reductions[i].kind;
            }
        }
    }
    return NO_REDUCTION;
}

#define NOWHERE UINT64_MAX

static uint64_t cut(uint64_t v, unsigned n_bits)
{
    return n_bits >= 64 ? v : v & ((UINT64_C(1) << n_bits) - 1);
}

static int64_t as_signed(uint64_t v, unsigned n_bits)
{
    return (int64_t)(v << (64 - n_bits)) >> (64 - n_bits);
}

/* Returns the identity of a reduction: an integer of n_bits (fmt is -1), or an encoding of the
 * float format fmt. It is 0 for sums, maxima of unsigned integers, or and xor. */
static uint64_t identity(enum reduction kind, int fmt, unsigned n_bits)
{
    static struct host_modes const plain = {{0}, {0}};
    enum fmt_id const float_fmt = fmt < 0 ? FMT_F32 : (enum fmt_id)fmt;
    uint64_t const ones = cut(UINT64_MAX, n_bits);
    switch (kind) {
    case PRODUCT:
        return fmt < 0 ? 1 : host_encode(&plain, float_fmt, 1.0);
    case FMIN:
        return host_encode(&plain, float_fmt, (double)INFINITY);
    case FMAX:
        return host_encode(&plain, float_fmt, -(double)INFINITY);
    case UMIN:
    case AND:
        return ones;
    case SMIN:
        return ones >> 1;
    case SMAX:
        return ones ^ ones >> 1;
    case NO_REDUCTION:
    case SUM:
    case UMAX:
    case OR:
    case XOR:
        break;
    }
    return 0;
}

/* Computes one step of a reduction on integers or bools of n_bits. XOR is the last case. */
static uint64_t step_integer(enum reduction kind, unsigned n_bits, uint64_t a, uint64_t b)
{
    int64_t const sa = as_signed(a, n_bits), sb = as_signed(b, n_bits);
    switch (kind) {
    case SUM:
        return cut(a + b, n_bits);
    case PRODUCT:
        return cut(a * b, n_bits);
    case UMIN:
        return b < a ? b : a;
    case UMAX:
        return b > a ? b : a;
    case SMIN:
        return sb < sa ? b : a;
    case SMAX:
        return sb > sa ? b : a;
    case AND:
        return a & b;
    case OR:
        return a | b;
    case NO_REDUCTION:
    case FMIN:
    case FMAX:
    case XOR:
        break;
    }
    return a ^ b;
}

static uint64_t step_float(const struct host_modes *modes, enum reduction kind, enum fmt_id fmt,
                           uint64_t a, uint64_t b)
{
    if (kind == FMIN || kind == FMAX) {
        uint32_t const op = kind == FMIN ? SpvOpAtomicFMinEXT : SpvOpAtomicFMaxEXT;
        return host_atomic(modes, op, fmt, a, b);
    }
    return host_arithmetic(modes, kind == PRODUCT ? SpvOpFMul : SpvOpFAdd, fmt, a, b);
}

/* Component k of a reduction or scan for participant i: the values of all participants that belong to it,
 * in their linear order; of a cluster those with the same cluster number. */
static uint64_t reduce(const struct host_modes *modes, const struct group_call *c,
                       enum reduction kind, uint32_t i, uint32_t k)
{
    uint64_t result = identity(kind, c->fmt, c->n_bits);
    bool is_first = true;
    for (uint32_t p = 0; p < c->n; p++) {
        uint64_t const v = c->value[(size_t)p * c->n_components + k];
        bool const is_too_late = (c->operation == SpvGroupOperationInclusiveScan && p > i) ||
                                 (c->operation == SpvGroupOperationExclusiveScan && p >= i);
        bool const is_elsewhere = c->operation == SpvGroupOperationClusteredReduce && c->cluster &&
                                  c->index[p] / c->cluster != c->index[i] / c->cluster;
        if (is_too_late || is_elsewhere) {
            continue;
        }
        if (c->fmt < 0) {
            result = step_integer(kind, c->n_bits, result, v);
        } else { /* a float's identity is no operand: it would lose the sign of -0 */
            result = is_first ? v : step_float(modes, kind, (enum fmt_id)c->fmt, result, v);
        }
        is_first = false;
    }
    return result;
}

/* OpGroupAll or OpGroupAny, and of a quad what invocation i gets. */
static bool vote(const struct group_call *c, uint32_t i)
{
    bool const all =
        c->op == SpvOpGroupAll || c->op == SpvOpGroupNonUniformAll || c->op == SPV_OP_QUAD_ALL_KHR;
    bool const is_quad = all ? c->op == SPV_OP_QUAD_ALL_KHR : c->op == SPV_OP_QUAD_ANY_KHR;
    uint32_t const first = is_quad ? c->index[i] - c->index[i] % 4 : 0;
    uint32_t const end = is_quad ? first + 4 : UINT32_MAX;
    for (uint32_t p = 0; p < c->n; p++) {
        bool const is_here = c->index[p] >= first && c->index[p] < end;
        if (is_here && (c->value[p] != 0) != all) {
            return !all;
        }
    }
    return all;
}

static bool all_equal(const struct group_call *c)
{
    for (size_t p = c->n_components; p < (size_t)c->n * c->n_components; p++) {
        uint64_t const a = c->value[p % c->n_components], b = c->value[p];
        if (c->fmt < 0 && a != b) {
            return false;
        }
        if (c->fmt >= 0) {
            double const x = host_decode((enum fmt_id)c->fmt, a);
            double const y = host_decode((enum fmt_id)c->fmt, b);
            if (isnan(x) || isnan(y) || x < y || x > y) {
                return false;
            }
        }
    }
    return true;
}

static bool ballot_bit(const uint64_t *words, uint32_t bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

/* Bits of a ballot that are set, of a scan those up to the invocation. */
static uint32_t count_ballot(const struct group_call *c, const uint64_t *words, uint32_t id)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < c->size; b++) {
        bool const is_too_late = (c->operation == SpvGroupOperationInclusiveScan && b > id) ||
                                 (c->operation == SpvGroupOperationExclusiveScan && b >= id);
        n += !is_too_late && ballot_bit(words, b);
    }
    return n;
}

/* Computes participant i's result of an instruction on a ballot: a bit, a number of bits, or the lowest or highest
 * bit set. `pick` has random bits for undefined results: a bit out of range, or a search without a bit set. */
static uint64_t from_ballot(const struct group_call *c, uint32_t i, uint64_t pick)
{
    const uint64_t *words = &c->value[(size_t)i * 4]; /* a ballot is a vector of four words */
    switch (c->op) {
    case SpvOpGroupNonUniformInverseBallot:
        return ballot_bit(words, c->index[i]);
    case SpvOpGroupNonUniformBallotBitExtract:
        return c->second[i] < c->size ? ballot_bit(words, (uint32_t)c->second[i]) : pick & 1;
    case SpvOpGroupNonUniformBallotBitCount:
        return count_ballot(c, words, c->index[i]);
    case SpvOpGroupNonUniformBallotFindLSB:
        for (uint32_t b = 0; b < c->size; b++) {
            if (ballot_bit(words, b)) {
                return b;
            }
        }
        return pick & UINT32_MAX;
    default: /* BallotFindMSB */
        for (uint32_t b = c->size; b-- > 0;) {
            if (ballot_bit(words, b)) {
                return b;
            }
        }
        return pick & UINT32_MAX;
    }
}

/* Returns the id of the invocation whose value participant i receives, by the formula of each instruction.
 * NOWHERE: none is defined. The id may belong to an invocation that does not take part. */
static uint64_t source_of(const struct group_call *c, uint32_t i)
{
    uint64_t const id = c->index[i], arg = c->second ? c->second[i] : 0;
    /* OpenCL rotates within the SubgroupMaxSize lanes, of which the last sub-group may not have all */
    uint64_t const all = c->is_kernel ? c->max_size : c->size;
    uint64_t const ring = c->cluster ? c->cluster : all; /* of a rotation */
    switch (c->op) {
    case SpvOpGroupBroadcast:
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformShuffle:
    case SpvOpSubgroupShuffleINTEL:
        return arg;
    case SpvOpGroupNonUniformBroadcastFirst:
        return c->index[0];
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpSubgroupShuffleXorINTEL:
        return id ^ arg;
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpSubgroupShuffleUpINTEL:
        return arg > id ? NOWHERE : id - arg;
    case SpvOpGroupNonUniformShuffleDown:
    case SpvOpSubgroupShuffleDownINTEL:
        return id + arg;
    case SpvOpGroupNonUniformQuadBroadcast:
        return arg < 4 ? id - id % 4 + arg : NOWHERE;
    case SpvOpGroupNonUniformQuadSwap: /* horizontal, vertical, diagonal: the lanes that differ in 1, 2, 3 */
        return arg < 3 ? id ^ (arg + 1) : NOWHERE;
    case SpvOpGroupNonUniformRotateKHR:
        return id - id % ring + (id + arg) % ring;
    case AMD(SwizzleInvocationsAMD):
        return id - id % 4 + c->pattern[id % 4];
    case AMD(SwizzleInvocationsMaskedAMD):
        return (((id & 31 & c->pattern[0]) | c->pattern[1]) ^ c->pattern[2]) | (id & 32);
    default:
        return NOWHERE;
    }
}

/* The value of another participant; of an id without an invocation it is zero for a swizzle, else anything. */
static void move(const struct group_call *c, uint32_t i, uint64_t pick, uint64_t *out)
{
    uint64_t const from = source_of(c, i);
    bool const is_swizzle =
        c->op == AMD(SwizzleInvocationsAMD) || c->op == AMD(SwizzleInvocationsMaskedAMD);
    uint32_t p = 0;
    while (p < c->n && c->index[p] != from) {
        p++;
    }
    for (uint32_t k = 0; k < c->n_components; k++) {
        uint64_t const without = is_swizzle ? 0 : cut(pick * (2 * k + 1), c->n_bits);
        out[k] = p < c->n ? c->value[(size_t)p * c->n_components + k] : without;
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

/* Who has a value that compares equal, and the invocation itself. */
static void partition(const struct group_call *c, uint32_t i, uint64_t *out)
{
    out[0] = out[1] = out[2] = out[3] = 0;
    for (uint32_t p = 0; p < c->n; p++) {
        bool is_equal = true;
        for (uint32_t k = 0; k < c->n_components; k++) {
            uint64_t const a = c->value[(size_t)i * c->n_components + k];
            uint64_t const b = c->value[(size_t)p * c->n_components + k];
            if (c->fmt < 0) {
                is_equal &= a == b;
            } else {
                double const x = host_decode((enum fmt_id)c->fmt, a);
                double const y = host_decode((enum fmt_id)c->fmt, b);
                is_equal &= x <= y && x >= y;
            }
        }
        if (is_equal || p == i) {
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

/* WriteInvocationAMD: the own value, but in one invocation the other. */
static void write_one(const struct group_call *c, uint32_t i, uint64_t *out)
{
    const uint64_t *from = c->second[i] == c->index[i] ? c->other : c->value;
    for (uint32_t k = 0; k < c->n_components; k++) {
        out[k] = from[(size_t)i * c->n_components + k];
    }
}

/* Computes participant i's result: reductions and scans component by component, others by their
 * kind. Returns -1 for an instruction that is no group instruction. */
int host_group(const struct host_modes *modes, const struct group_call *c, uint32_t i,
               uint64_t pick, uint64_t *out)
{
    enum reduction const kind = find_reduction(c->op);
    if (kind != NO_REDUCTION) {
        for (uint32_t k = 0; k < c->n_components; k++) {
            out[k] = reduce(modes, c, kind, i, k);
        }
        return 1;
    }
    switch (group_kind_of(c->op)) {
    case GROUP_VOTE:
        out[0] = vote(c, i);
        return 1;
    case GROUP_ALL_EQUAL:
        out[0] = all_equal(c);
        return 1;
    case GROUP_ELECT:
        out[0] = i == 0;
        return 1;
    case GROUP_BALLOT:
        ballot(c, out);
        return 1;
    case GROUP_OF_BALLOT:
        out[0] = from_ballot(c, i, pick);
        return 1;
    case GROUP_PARTITION:
        partition(c, i, out);
        return 1;
    case GROUP_MBCNT:
        out[0] = count_below(c->value[i], c->index[i]);
        return 1;
    case GROUP_MOVE:
        if (c->op == AMD(WriteInvocationAMD)) {
            write_one(c, i, out);
        } else {
            move(c, i, pick, out);
        }
        return 1;
    case GROUP_ARITH:
    case GROUP_NONE:
        break;
    }
    return -1;
}

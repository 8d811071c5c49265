/* oracle/group/group_move.c -- where the result of a lane exchange comes from. */
#include "oracle/group/group_move.h"

#include <string.h>

#include "base/spv.h"
#include "oracle/interp/group_kind.h"

enum {
    QUAD = 4,
    MASKED_LANES = 64, /* lanes that the masked swizzle's text covers */
    MASKED_LIMIT = 32  /* its mask components are below, as it works within 32 lanes */
};

/* The participant with this index, by halves; or GROUP_FROM_NOBODY. */
static int find_index(const struct group_call *c, uint64_t index)
{
    uint32_t low = 0, high = c->n;
    if (index < c->n && c->index[index] == index) {
        return (int)index; /* all below take part */
    }
    while (low < high) {
        uint32_t const mid = low + (high - low) / 2;
        if (c->index[mid] < index) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low < c->n && c->index[low] == index ? (int)low : GROUP_FROM_NOBODY;
}

/* 0 where all participants have the same id or delta, else why that cannot be used. */
static int check_second_is_same(const struct group_call *c)
{
    const unsigned char *known = c->known_second ? c->known_second : c->known;
    uint64_t differs = 0;
    if (!known || !memchr(known, 0, c->n)) {
        for (uint32_t k = 1; k < c->n; k++) {
            differs |= c->second[k] ^ c->second[0];
        }
        return differs ? GROUP_FROM_MISUSE : 0;
    }
    uint32_t first = 0;
    while (first < c->n && !known[first]) {
        first++;
    }
    for (uint32_t k = first; k < c->n; k++) {
        differs |= known[k] ? c->second[k] ^ c->second[first] : 0;
    }
    return differs ? GROUP_FROM_MISUSE : GROUP_FROM_UNKNOWN;
}

/* Both broadcasts by id: where there is no such participant it is misuse (OpGroupBroadcast, which
 * all invocations execute), or undefined. */
static int source_of_broadcast(const struct group_call *c, int from_missing)
{
    int const why = check_second_is_same(c);
    if (why) {
        return why;
    }
    int const from = c->second[0] < c->size ? find_index(c, c->second[0]) : GROUP_FROM_NOBODY;
    return from == GROUP_FROM_NOBODY ? from_missing : from;
}

/* Returns the participant that i's id, mask or delta (c->second) selects; GROUP_FROM_NOBODY where
 * that lies outside of the group. */
static int source_of_shuffle(const struct group_call *c, uint32_t i)
{
    if (!group_is_second_known(c, i)) {
        return GROUP_FROM_UNKNOWN;
    }
    uint64_t const own = c->index[i], second = c->second[i];
    uint64_t from = 0;
    switch (c->op) {
    case SpvOpGroupNonUniformShuffle:
    case SpvOpSubgroupShuffleINTEL:
        from = second;
        break;
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpSubgroupShuffleXorINTEL:
        from = own ^ second;
        break;
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpSubgroupShuffleUpINTEL: /* a lane below 0 gives the other operand, which no lane is certain to have */
        if (second > own) {
            return GROUP_FROM_NOBODY;
        }
        from = own - second;
        break;
    default:                     /* ShuffleDown */
        if (second >= c->size) { /* first of all, so that the sum cannot wrap */
            return GROUP_FROM_NOBODY;
        }
        from = own + second;
        break;
    }
    return from < c->size ? find_index(c, from) : GROUP_FROM_NOBODY;
}

static int source_of_quad(const struct group_call *c, uint32_t i)
{
    uint64_t const base = c->index[i] & ~(uint32_t)(QUAD - 1);
    if (c->op == SpvOpGroupNonUniformQuadBroadcast) {
        int const why = check_second_is_same(c);
        if (why) {
            return why;
        }
        return c->second[0] < QUAD ? find_index(c, base + c->second[0]) : GROUP_FROM_NOBODY;
    }
    if (!group_is_second_known(c, i)) {
        return GROUP_FROM_UNKNOWN;
    }
    /* 0 horizontal, 1 vertical, 2 diagonal: index ^ 1, ^ 2, ^ 3 */
    return c->second[i] < QUAD - 1 ? find_index(c, c->index[i] ^ (c->second[i] + 1))
                                   : GROUP_FROM_NOBODY;
}

/*
 * SPV_KHR_subgroup_rotate: Invocation ID = ((LocalId + Delta) & (RotationGroupSize - 1)) +
 * (LocalId & ~(RotationGroupSize - 1)), RotationGroupSize = ClusterSize, else SubgroupMaxSize
 * (Kernel) or SubgroupSize. With neither a power of two the formula rotates nothing: undefined.
 */
static int source_of_rotate(const struct group_call *c, uint32_t i)
{
    uint32_t const whole = c->is_kernel ? c->max_size : c->size;
    if (c->cluster && (!group_is_power(c->cluster) || c->cluster > whole)) {
        return GROUP_FROM_MISUSE;
    }
    int const why = check_second_is_same(c);
    if (why) {
        return why;
    }
    uint32_t const rotation = c->cluster ? c->cluster : whole;
    if (!group_is_power(rotation)) {
        return GROUP_FROM_NOBODY;
    }
    uint64_t const mask = rotation - 1, own = c->index[i];
    uint64_t const from = ((own + (c->second[0] & mask)) & mask) + (own & ~mask);
    return from < c->size ? find_index(c, from) : GROUP_FROM_NOBODY;
}

/* A swizzle reads 0 from a lane that is not active, and the text says nothing of one that is not
 * there at all. */
static int source_of_swizzled(const struct group_call *c, uint32_t from)
{
    if (from >= c->size) {
        return GROUP_FROM_NOBODY;
    }
    int const lane = find_index(c, from);
    return lane == GROUP_FROM_NOBODY ? GROUP_FROM_ZERO : lane;
}

static int source_of_swizzle(const struct group_call *c, uint32_t i)
{
    uint32_t const own = c->index[i], offset = c->pattern[own & (QUAD - 1)];
    if (offset >= QUAD) {
        return GROUP_FROM_NOBODY; /* "in the range [0, 3]" */
    }
    return source_of_swizzled(c, (own & ~(uint32_t)(QUAD - 1)) + offset);
}

/* The pattern is an and-mask, an or-mask and a xor-mask for the number of a lane. */
static int source_of_masked_swizzle(const struct group_call *c, uint32_t i)
{
    uint32_t const own = c->index[i], *mask = c->pattern;
    if (own >= MASKED_LANES || mask[0] >= MASKED_LIMIT || mask[1] >= MASKED_LIMIT ||
        mask[2] >= MASKED_LIMIT) {
        return GROUP_FROM_NOBODY;
    }
    uint32_t const within = own % MASKED_LIMIT, base = own - within;
    return source_of_swizzled(c, base + (((within & mask[0]) | mask[1]) ^ mask[2]));
}

/* Undefined for all where index or value to write differ, or the index is out of range. */
static int source_of_write(const struct group_call *c, uint32_t i)
{
    int const why = check_second_is_same(c);
    if (why) {
        return why == GROUP_FROM_MISUSE ? GROUP_FROM_NOBODY : why;
    }
    for (uint32_t k = c->n_components; k < c->n * c->n_components; k++) {
        if (c->other[k] != c->other[k - c->n_components]) {
            return GROUP_FROM_NOBODY;
        }
    }
    if (c->second[0] >= c->size) {
        return GROUP_FROM_NOBODY;
    }
    return c->index[i] == c->second[0] ? GROUP_FROM_OTHER : (int)i;
}

/* Returns the participant from which i's result comes, or a GROUP_FROM_ value that tells why there is none. */
int group_source(const struct group_call *c, uint32_t i)
{
    switch (c->op) {
    case SpvOpGroupBroadcast: /* undefined behaviour if the lane does not exist */
        return source_of_broadcast(c, GROUP_FROM_MISUSE);
    case SpvOpGroupNonUniformBroadcast: /* an undefined result */
        return source_of_broadcast(c, GROUP_FROM_NOBODY);
    case SpvOpGroupNonUniformBroadcastFirst: /* participants ascend by lane */
        return 0;
    case SpvOpGroupNonUniformShuffle:
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
    case SpvOpSubgroupShuffleINTEL:
    case SpvOpSubgroupShuffleDownINTEL:
    case SpvOpSubgroupShuffleUpINTEL:
    case SpvOpSubgroupShuffleXorINTEL:
        return source_of_shuffle(c, i);
    case SpvOpGroupNonUniformQuadBroadcast:
    case SpvOpGroupNonUniformQuadSwap:
        return source_of_quad(c, i);
    case SpvOpGroupNonUniformRotateKHR:
        return source_of_rotate(c, i);
    case GROUP_AMD_SWIZZLE:
        return source_of_swizzle(c, i);
    case GROUP_AMD_SWIZZLE_MASKED:
        return source_of_masked_swizzle(c, i);
    case GROUP_AMD_WRITE:
        return source_of_write(c, i);
    default:
        return GROUP_FROM_NOBODY; /* no exchange */
    }
}

/* oracle/group/group_parts.h -- what the files of group.h share. */
#pragma once

#include "oracle/group/group.h"

/* Is the value of participant i known? Are its id, delta, mask, index and value to write? */
static inline int group_is_known(const struct group_call *c, uint32_t i)
{
    return !c->known || c->known[i];
}
static inline int group_is_second_known(const struct group_call *c, uint32_t i)
{
    return c->known_second ? c->known_second[i] : group_is_known(c, i);
}
/* Component k of participant i's value. */
static inline uint64_t group_value(const struct group_call *c, uint32_t i, uint32_t k)
{
    return c->value[(size_t)i * c->n_components + k];
}
/* Is this a size that a cluster may have: a power of two? */
static inline int group_is_power(uint32_t size)
{
    return size != 0 && (size & (size - 1)) == 0;
}
/* AllEqual of floats: out[0] where the answer is GROUP_IS. */
enum group_answer group_all_equal_float(const struct group_call *c, const struct rules *r,
                                        uint64_t *out);

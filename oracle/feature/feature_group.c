/* oracle/feature/feature_group.c -- who came to a group instruction, as features. */
#include "oracle/feature/feature_group.h"

#include "oracle/feature/feature.h"

static enum feature_mask mask_of(const struct group_call *c, int is_partial)
{
    if (!is_partial || c->n == 0) {
        return c->n < c->size ? FEATURE_MASK_CUT : FEATURE_MASK_FULL;
    }
    if (c->n == 1) {
        return FEATURE_MASK_ONE;
    }
    if (c->index[c->n - 1] - c->index[0] + 1 != c->n) {
        return FEATURE_MASK_SPARSE;
    }
    return c->index[0] == 0 ? FEATURE_MASK_FIRST : FEATURE_MASK_BLOCK;
}

void feature_describe_group(const struct group_call *c, int is_partial, uint8_t *mask,
                            uint8_t *worst)
{
    static const uint8_t rank[] = {
        [FEATURE_NORMAL] = 1, [FEATURE_ZERO] = 2, [FEATURE_SUBNORMAL] = 3,
        [FEATURE_INF] = 4,    [FEATURE_QNAN] = 5, [FEATURE_SNAN] = 6};
    *mask = (uint8_t)mask_of(c, is_partial);
    *worst = FEATURE_NOTHING;
    for (uint32_t i = 0; c->fmt >= 0 && i < c->n * c->n_components; i++) {
        enum feature_class const k =
            feature_coarse(feature_classify(c->fmt, c->n_bits, c->value[i]));
        *worst = rank[k] > rank[*worst] ? (uint8_t)k : *worst;
    }
}

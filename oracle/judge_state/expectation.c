/* oracle/judge_state/expectation.c -- what a word of a buffer may hold, for those who have no oracle. */
#include "oracle/judge_state/expectation.h"
#include "base/format.h"
#include "oracle/math/accuracy_int.h"

#include "oracle/math/accuracy.h"

_Static_assert((int)EXPECT_MAX_RANGES >= (int)SET_MAX_RANGES, "a set's ranges do not fit");
_Static_assert((int)EXPECT_MAX_RANGES >= (int)ACCURACY_MAX_INTEGERS, "integers do not fit");

static struct expect start(const struct observed *o)
{
    return (struct expect){
        .buf = o->location.object, .byte = o->location.offset, .n_bytes = (uint8_t)(o->n_bits / 8)};
}

static int has_word(const struct observed *o)
{
    return o->location.space == SPACE_BUFFER && o->n_bits >= 8;
}

static void add(struct expect *x, uint64_t bits)
{
    x->r[x->n].lo = x->r[x->n].hi = (int64_t)bits;
    x->n++;
}

const struct expect *expectation_of_bits(const struct observed *o, int fmt, uint64_t bits,
                                         struct arena *a)
{
    struct expect x = start(o);
    if (!has_word(o)) {
        return NULL;
    }
    add(&x, bits);
    if (fmt >= 0 && format_is_snan(&float_formats[fmt], bits)) {
        add(&x, bits | float_formats[fmt].quiet);
    }
    return arena_copy(a, &x, sizeof x);
}

const struct expect *expectation_of_integers(const struct observed *o, const struct accuracy_int *s,
                                             struct arena *a)
{
    struct expect x = start(o);
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->mask[i] != UINT32_MAX) {
            return NULL;
        }
        add(&x, (uint32_t)s->value[i]);
        x.r[x.n - 1].hi += s->span[i];
        if (x.r[x.n - 1].hi >
            UINT32_MAX) { /* from negative ones on up to others: two ranges of words */
            return NULL;
        }
    }
    return has_word(o) ? arena_copy(a, &x, sizeof x) : NULL;
}

const struct expect *expectation_of_set(const struct observed *o, const struct set *s,
                                        struct arena *a)
{
    struct expect x = start(o);
    if (!has_word(o) || o->n_bits != float_formats[s->fmt].n_bits || (s->flags & SET_ANY)) {
        return NULL;
    }
    x.flags = (uint8_t)(EXPECT_FLOAT | (s->flags & SET_QNAN ? EXPECT_QNAN : 0) |
                        (s->flags & SET_SNAN ? EXPECT_SNAN : 0));
    x.fmt = s->fmt;
    x.n = s->n;
    for (uint32_t i = 0; i < s->n; i++) {
        x.r[i].lo = s->r[i].lo;
        x.r[i].hi = s->r[i].hi;
    }
    return arena_copy(a, &x, sizeof x);
}

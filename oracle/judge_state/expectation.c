/* oracle/judge_state/expectation.c -- what a word of a buffer may hold, as data for a bundle that is checked without
 * the oracle. */
#include "oracle/judge_state/expectation.h"
#include "base/format.h"
#include "oracle/math/accuracy_int.h"

#include "oracle/math/accuracy.h"

_Static_assert((int)EXPECT_MAX_RANGES >= (int)SET_MAX_RANGES, "a set's ranges do not fit");
_Static_assert((int)EXPECT_MAX_RANGES >= (int)ACCURACY_MAX_INTEGERS, "integers do not fit");

static struct expect new_expectation(const struct observed *o)
{
    return (struct expect){
        .buf = o->location.object, .byte = o->location.offset, .n_bytes = (uint8_t)(o->n_bits / 8)};
}

static int is_in_buffer(const struct observed *o)
{
    return o->location.space == SPACE_BUFFER && o->n_bits >= 8;
}

/* Appends the single value `bits`. */
static void add_range(struct expect *x, uint64_t bits)
{
    x->r[x->n].lo = x->r[x->n].hi = (int64_t)bits;
    x->n++;
}

const struct expect *expectation_of_bits(const struct observed *o, int fmt, uint64_t bits,
                                         struct arena *a)
{
    struct expect x = new_expectation(o);
    if (!is_in_buffer(o)) {
        return NULL;
    }
    add_range(&x, bits);
    if (fmt >= 0 && format_is_snan(&float_formats[fmt], bits)) {
        add_range(&x, bits | float_formats[fmt].quiet);
    }
    return arena_copy(a, &x, sizeof x);
}

const struct expect *expectation_of_integers(const struct observed *o, const struct accuracy_int *s,
                                             struct arena *a)
{
    struct expect x = new_expectation(o);
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->mask[i] != UINT32_MAX) {
            return NULL;
        }
        add_range(&x, (uint32_t)s->value[i]);
        x.r[x.n - 1].hi += s->span[i];
        bool const wraps = x.r[x.n - 1].hi > UINT32_MAX; /* from negative integers to others */
        if (wraps) {
            return NULL;
        }
    }
    return is_in_buffer(o) ? arena_copy(a, &x, sizeof x) : NULL;
}

const struct expect *expectation_of_set(const struct observed *o, const struct set *s,
                                        struct arena *a)
{
    struct expect x = new_expectation(o);
    if (!is_in_buffer(o) || o->n_bits != float_formats[s->fmt].n_bits || (s->flags & SET_ANY)) {
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

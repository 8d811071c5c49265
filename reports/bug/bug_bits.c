/* reports/bug/bug_bits.c -- what a word may hold, as ranges of its bits read as an unsigned number. */
#include "reports/bug/bug_bits.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/format.h"

/* Insert a range in the order of low ends; nothing where low > high. */
static void add(struct bug_bits *b, uint64_t low, uint64_t high)
{
    uint32_t at = b->n;
    if (low > high || b->n == BUG_MAX_BITS) {
        return;
    }
    for (; at > 0 && b->r[at - 1].low > low; at--) {
        b->r[at] = b->r[at - 1];
    }
    b->r[at] = (struct bug_range){low, high};
    b->n++;
}

/* Make one range of those that overlap or are neighbours. */
static void join(struct bug_bits *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        struct bug_range *const last = n > 0 ? &b->r[n - 1] : NULL;
        if (last && (last->high == UINT64_MAX || b->r[i].low <= last->high + 1)) {
            last->high = b->r[i].high > last->high ? b->r[i].high : last->high;
        } else {
            b->r[n++] = b->r[i];
        }
    }
    b->n = n;
}

static int64_t cut(int64_t key, int64_t low, int64_t high)
{
    return key < low ? low : key > high ? high : key;
}

/* Keys below zero are of negative floats, the largest first: their bits ascend as the keys descend. */
static void add_float(struct bug_bits *b, const struct float_format *f, struct expect_range r)
{
    int64_t const infinity = (int64_t)f->exp;
    if (r.lo > infinity || r.hi < -1 - infinity) {
        return;
    }
    int64_t const lo = cut(r.lo, -1 - infinity, infinity);
    int64_t const hi = cut(r.hi, -1 - infinity, infinity);
    if (hi >= 0) {
        add(b, format_from_key(f, lo < 0 ? 0 : lo), format_from_key(f, hi));
    }
    if (lo < 0) {
        add(b, format_from_key(f, hi < 0 ? hi : -1), format_from_key(f, lo));
    }
}

/* Of eight bytes the number is signed. */
static void add_integer(struct bug_bits *b, struct expect_range r, uint64_t most)
{
    bool const is_signed = most == UINT64_MAX;
    if (is_signed && r.lo < 0) {
        add(b, (uint64_t)r.lo, (uint64_t)(r.hi < 0 ? r.hi : -1));
    }
    if (r.hi >= 0) {
        uint64_t const hi = (uint64_t)r.hi;
        add(b, (uint64_t)(r.lo < 0 ? 0 : r.lo), hi < most ? hi : most);
    }
}

uint64_t bug_get_most_bits(const struct expect *x)
{
    return UINT64_MAX >> (64 - 8 * x->n_bytes);
}

struct bug_bits bug_get_bits(const struct expect *x)
{
    struct bug_bits b = {0};
    const struct float_format *const f = &float_formats[x->fmt % FMT_ALL_N];
    for (unsigned i = 0; i < x->n && i < EXPECT_MAX_RANGES; i++) {
        if (x->r[i].lo > x->r[i].hi) {
            continue;
        }
        if (x->flags & EXPECT_FLOAT) {
            add_float(&b, f, x->r[i]);
        } else {
            add_integer(&b, x->r[i], bug_get_most_bits(x));
        }
    }
    for (int is_negative = 0; (x->flags & EXPECT_FLOAT) && is_negative < 2; is_negative++) {
        uint64_t const infinity = f->exp | (is_negative ? f->sign : 0);
        if (x->flags & EXPECT_QNAN) {
            add(&b, infinity | f->quiet, infinity | f->frac);
        }
        if (x->flags & EXPECT_SNAN) {
            add(&b, infinity + 1, (infinity | f->quiet) - 1);
        }
    }
    join(&b);
    return b;
}

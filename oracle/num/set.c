/* oracle/num/set.c -- permitted sets: sorted, disjoint, not adjacent ranges of keys and NaN flags. */
#include "oracle/num/set.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    TEXT_MAX_LISTED = 4 /* longer ranges are shown by their ends */
};

static const struct float_format *format_of(const struct set *s)
{
    return &float_formats[s->fmt];
}

void set_clear(struct set *s, enum fmt_id fmt)
{
    s->fmt = (uint8_t)fmt;
    s->flags = 0;
    s->n = 0;
}

void set_of(struct set *s, enum fmt_id fmt, uint64_t enc)
{
    set_clear(s, fmt);
    set_add(s, enc);
}

void set_any(struct set *s, enum fmt_id fmt)
{
    set_clear(s, fmt);
    s->flags = SET_ANY;
}

void set_add(struct set *s, uint64_t enc)
{
    struct float_format const *f = format_of(s);
    if ((s->flags & SET_ANY) != 0) {
        return;
    }
    if (format_is_nan(f, enc)) {
        s->flags |= format_is_snan(f, enc) ? SET_SNAN : SET_QNAN;
        return;
    }
    int64_t const key = format_to_key(f, enc);
    set_add_range(s, key, key);
}

/* n = SET_MAX_RANGES + 1 sorted ranges at r: join the two with the fewest keys between them. */
static void join_nearest(struct set_range *r, unsigned n)
{
    unsigned best = 0;
    for (unsigned i = 1; i + 1 < n; i++) {
        if ((uint64_t)r[i + 1].lo - (uint64_t)r[i].hi <
            (uint64_t)r[best + 1].lo - (uint64_t)r[best].hi) {
            best = i;
        }
    }
    r[best].hi = r[best + 1].hi;
    memmove(&r[best + 1], &r[best + 2], (n - best - 2) * sizeof(*r));
}

/* Adds keys lo..hi to ranges that stay sorted and disjoint. Ranges that lo..hi touches are merged
 * with it; otherwise it is inserted. Without room for it the two nearest ranges are joined. */
void set_add_range(struct set *s, int64_t lo, int64_t hi)
{
    assert(lo <= hi);
    if ((s->flags & SET_ANY) != 0) {
        return;
    }
    if (s->n == 0) {
        s->r[s->n++] = (struct set_range){lo, hi};
        return;
    }
    unsigned first = 0; /* the first range that touches lo..hi or lies above */
    while (first < s->n && s->r[first].hi < lo - 1) {
        first++;
    }
    unsigned end = first; /* the first range above lo..hi that does not touch it */
    while (end < s->n && s->r[end].lo <= hi + 1) {
        end++;
    }
    if (end > first) { /* ranges first to end - 1 become one with lo..hi */
        s->r[first].lo = s->r[first].lo < lo ? s->r[first].lo : lo;
        s->r[first].hi = s->r[end - 1].hi > hi ? s->r[end - 1].hi : hi;
        memmove(&s->r[first + 1], &s->r[end], (s->n - end) * sizeof(s->r[0]));
        s->n = (uint8_t)(s->n - (end - first - 1));
        return;
    }
    struct set_range all[SET_MAX_RANGES + 1];
    memcpy(all, s->r, first * sizeof(all[0]));
    all[first] = (struct set_range){lo, hi};
    memcpy(&all[first + 1], &s->r[first], (s->n - first) * sizeof(all[0]));
    if (s->n == SET_MAX_RANGES) {
        join_nearest(all, SET_MAX_RANGES + 1);
    } else {
        s->n++;
    }
    memcpy(s->r, all, s->n * sizeof(all[0]));
}

void set_add_set(struct set *s, const struct set *other)
{
    assert(s->fmt == other->fmt);
    if (((s->flags | other->flags) & SET_ANY) != 0) {
        set_any(s, (enum fmt_id)s->fmt);
        return;
    }
    s->flags |= other->flags;
    for (unsigned i = 0; i < other->n; i++) {
        set_add_range(s, other->r[i].lo, other->r[i].hi);
    }
}

int set_has(const struct set *s, uint64_t enc)
{
    struct float_format const *f = format_of(s);
    if ((s->flags & SET_ANY) != 0) {
        return 1;
    }
    if (format_is_nan(f, enc)) {
        return (s->flags & (format_is_snan(f, enc) ? SET_SNAN : SET_QNAN)) != 0;
    }
    int64_t const key = format_to_key(f, enc);
    for (unsigned i = 0; i < s->n; i++) {
        if (key >= s->r[i].lo && key <= s->r[i].hi) {
            return 1;
        }
    }
    return 0;
}

/* The zeros have keys -1 and 0. */
bool set_is_zero(const struct set *s)
{
    return s->flags == 0 && s->n == 1 && s->r[0].lo >= -1 && s->r[0].hi <= 0;
}

int set_is_empty(const struct set *s)
{
    return s->n == 0 && s->flags == 0;
}

unsigned set_cut(const struct set *s, const int64_t *last_of, unsigned n, struct set_range *out)
{
    unsigned n_pieces = 0;
    for (unsigned i = 0; i < s->n; i++) {
        int64_t lo = s->r[i].lo;
        for (unsigned k = 0; k < n && lo <= s->r[i].hi; k++) {
            if (lo <= last_of[k]) {
                int64_t const hi = s->r[i].hi < last_of[k] ? s->r[i].hi : last_of[k];
                out[n_pieces++] = (struct set_range){lo, hi};
                lo = hi + 1;
            }
        }
    }
    return n_pieces;
}

bool set_has_subnormal(const struct set *s)
{
    int64_t const largest = (int64_t)format_of(s)->frac;
    for (unsigned i = 0; i < s->n; i++) {
        bool const has_positive = s->r[i].lo <= largest && s->r[i].hi >= 1;
        bool const has_negative = s->r[i].lo <= -2 && s->r[i].hi >= -1 - largest;
        if (has_positive || has_negative) {
            return true;
        }
    }
    return false;
}

/* Takes the subnormal numbers out of s: cuts each range to what lies below the negative ones, to the
 * zeros, and to what lies above the positive ones. They have keys 1 to f->frac, and -2 to -1 - f->frac. */
void set_remove_subnormals(struct set *s)
{
    int64_t const largest = (int64_t)format_of(s)->frac;
    struct set_range const kept[] = {
        {INT64_MIN,   -2 - largest},
        {-1,          0           }, /* the zeros */
        {largest + 1, INT64_MAX   }
    };
    struct set const all = *s;
    s->n = 0;
    for (unsigned i = 0; i < all.n; i++) {
        for (unsigned k = 0; k < ARRAY_N(kept); k++) {
            int64_t const lo = all.r[i].lo > kept[k].lo ? all.r[i].lo : kept[k].lo;
            int64_t const hi = all.r[i].hi < kept[k].hi ? all.r[i].hi : kept[k].hi;
            if (lo <= hi) {
                set_add_range(s, lo, hi);
            }
        }
    }
}

static uint64_t count_range(struct set_range r)
{
    return (uint64_t)r.hi - (uint64_t)r.lo + 1;
}

uint64_t set_count(const struct set *s)
{
    if ((s->flags & SET_ANY) != 0) {
        return UINT64_MAX;
    }
    uint64_t n = s->flags != 0;
    for (unsigned i = 0; i < s->n; i++) {
        n += count_range(s->r[i]);
    }
    return n;
}

uint64_t set_nth(const struct set *s, uint64_t i)
{
    struct float_format const *f = format_of(s);
    if ((s->flags & SET_ANY) != 0) {
        return i & format_mask(f);
    }
    for (unsigned k = 0; k < s->n; k++) {
        uint64_t const n = count_range(s->r[k]);
        if (i < n) {
            return format_from_key(f, (int64_t)((uint64_t)s->r[k].lo + i));
        }
        i -= n;
    }
    int const quiet = (s->flags & SET_QNAN) != 0 && !((s->flags & SET_SNAN) != 0 && i % 2 != 0);
    return quiet ? f->exp | f->quiet : f->exp | 1;
}

/* Text that stops at the end of its buffer. */
struct text {
    char buf[SET_MAX_RANGES * TEXT_MAX_LISTED * 52 + 64];
    size_t n;
};

static void put(struct text *t, const char *s)
{
    size_t const left = sizeof(t->buf) - 1 - t->n;
    size_t const n = strlen(s) < left ? strlen(s) : left;
    memcpy(t->buf + t->n, s, n);
    t->n += n;
    t->buf[t->n] = '\0';
}

static void put_key(struct text *t, const struct set *s, int64_t key)
{
    char one[48];
    put(t, format_to_text(format_of(s), format_from_key(format_of(s), key), one, sizeof(one)));
}

static void put_range(struct text *t, const struct set *s, struct set_range r)
{
    if (count_range(r) > TEXT_MAX_LISTED) {
        put(t, "[");
        put_key(t, s, r.lo);
        put(t, " .. ");
        put_key(t, s, r.hi);
        put(t, "]");
        return;
    }
    for (int64_t key = r.lo; key <= r.hi; key++) {
        put(t, key > r.lo ? ", " : "");
        put_key(t, s, key);
    }
}

/* The set for people, as "{0x3c00 (1), 0x4000 (2)} or qNaN". Ranges of at most TEXT_MAX_LISTED members
 * are listed one by one, in braces; a single longer range stands for itself. */
const char *set_to_text(const struct set *s, struct arena *a)
{
    static const char *const nans[] = {"", "qNaN", "sNaN", "any NaN"};
    struct text t = {.n = 0};
    if ((s->flags & SET_ANY) != 0) {
        return "anything";
    }
    if (set_is_empty(s)) {
        return "nothing";
    }
    int const bare = s->n == 0 || (s->n == 1 && count_range(s->r[0]) > TEXT_MAX_LISTED);
    put(&t, bare ? "" : "{");
    for (unsigned i = 0; i < s->n; i++) {
        put(&t, i > 0 ? ", " : "");
        put_range(&t, s, s->r[i]);
    }
    put(&t, bare ? "" : "}");
    put(&t, s->n > 0 && s->flags != 0 ? " or " : "");
    put(&t, nans[s->flags & (SET_QNAN | SET_SNAN)]);
    return arena_printf(a, "%s", t.buf);
}

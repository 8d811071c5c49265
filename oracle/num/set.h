/* oracle/num/set.h -- permitted sets: up to 8 intervals of representable floats (by ordered integer keys), and
 * flags for NaNs. Where room is short the nearest intervals are joined, which only permits more. */
#pragma once

#include "base/base.h"
#include "base/format.h"

enum {
    SET_MAX_RANGES = 8
};
enum set_flags {
    SET_QNAN = 1, /* every quiet NaN */
    SET_SNAN = 2, /* every signalling NaN */
    SET_ANY = 4   /* anything: the value is undefined or unknown */
};

/* Keys as format_to_key: -infinity, -0 and +0 and +infinity are ordinary members. Ranges are
 * sorted, disjoint and not adjacent; SET_ANY makes them meaningless. */
struct set {
    uint8_t fmt;   /* enum fmt_id */
    uint8_t flags; /* enum set_flags */
    uint8_t n;
    struct set_range {
        int64_t lo, hi;
    } r[SET_MAX_RANGES];
};

void set_clear(struct set *s, enum fmt_id fmt); /* the empty set */
/* {enc}; a NaN becomes its class of NaNs. */
void set_of(struct set *s, enum fmt_id fmt, uint64_t enc);
void set_any(struct set *s, enum fmt_id fmt);
/* Union with one encoding (a NaN adds every NaN of its class), a key range or a set. When ranges
 * run out the two nearest are joined: the set only grows. */
void set_add(struct set *s, uint64_t enc);
void set_add_range(struct set *s, int64_t lo, int64_t hi);
void set_add_set(struct set *s, const struct set *other);
int set_has(const struct set *s, uint64_t enc);
/* Is it a zero, or both, and nothing else? */
bool set_is_zero(const struct set *s);
int set_is_empty(const struct set *s);
/* Splits the ranges after each of the n keys last_of, which ascend; the number of pieces in out. Keys beyond the
 * last of them are left out. */
unsigned set_cut(const struct set *s, const int64_t *last_of, unsigned n, struct set_range *out);
bool set_has_subnormal(const struct set *s);
/* Take the subnormal numbers out. */
void set_remove_subnormals(struct set *s);
/* Number of encodings; all NaN payloads count as one; UINT64_MAX for anything. */
uint64_t set_count(const struct set *s);
/* The i-th member in order of ranges (i < number of non-NaN members), then a NaN, quiet if there is
 * one, and where both classes are in the set a signalling one at every second i: for strategies. */
uint64_t set_nth(const struct set *s, uint64_t i);
/* "{0x3f800000 (1), 0x3f800001 (1.00000012)} or qNaN", "[0x3c00 (1) .. 0x4000 (2)] or any NaN",
 * "anything", "nothing": for people; returns a string in `a` or a constant. */
const char *set_to_text(const struct set *s, struct arena *a);

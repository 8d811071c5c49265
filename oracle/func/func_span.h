/* oracle/func/func_span.h -- computes the encodings that are permitted for an enclosed exact value: those within
 * the bound in ulps, or the correct roundings. Fails where the enclosure is too wide to decide. */
#pragma once

#include "base/func_row.h"
#include "oracle/num/arith.h"
#include "oracle/num/mp.h"
#include "oracle/num/set.h"

/* The magnitude of an exact value: end[low] itself where is_exact, else strictly between end[low]
 * and end[1 - low]. No encoding and no midpoint is there between the ends, and no power of two,
 * unless the function is composed of several roundings; the upper end may be infinite. */
struct func_span {
    struct mp_num end[2];
    unsigned low;
    int is_exact;
    int negative;     /* of a zero, too */
    int is_cancelled; /* a zero that comes of a sum: its sign depends on the rounding */
};
static inline mpfr_srcptr func_low(const struct func_span *s)
{
    return s->end[s->low].v;
}
static inline mpfr_srcptr func_high(const struct func_span *s)
{
    return s->is_exact ? s->end[s->low].v : s->end[1 - s->low].v;
}
static inline int func_is_zero(const struct func_span *s)
{
    return s->is_exact && mpfr_zero_p(func_low(s));
}

/* The members that one value brings; flags of *out are not touched. 0: not certain at this
 * precision, *out is then to be thrown away. */
int func_add_span(const struct func_span *s, const struct func_bound *b, const struct fp_rules *r,
                  struct set *out);
/* got - value in ulps of the value; 1 when it is as precise as func_get_error asks. got is finite.
 */
int func_measure(const struct func_span *s, enum fmt_id fmt, uint64_t got, double *out);
/* Is the value's magnitude at least 2^(emax + 1)? Rounded to nearest an infinity? */
int func_is_beyond(const struct func_span *s, const struct float_format *f);
/* 1 and the correctly rounded encoding, or 0: not certain. */
int func_round_span(const struct func_span *s, enum fmt_id fmt, enum real_mode mode, uint64_t *out);

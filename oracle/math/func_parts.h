/* oracle/math/func_parts.h -- what the files of func.h share: arguments by class, and enclosures. */
#pragma once

#include "oracle/math/func.h"
#include "oracle/num/mp.h"

/* --- arguments --- */

enum func_kind {
    FUNC_FRACTION, /* not an integer: n + 1/2 apart */
    FUNC_HALF_EVEN,
    FUNC_HALF_ODD, /* n + 1/2 where floor(|x|) is even, odd */
    FUNC_EVEN,
    FUNC_ODD
};
/* What a finite encoding that is not zero is among the integers. */
enum func_kind func_get_kind(const struct float_format *f, uint64_t enc);

static inline uint64_t func_magnitude(const struct float_format *f, uint64_t enc)
{
    return enc & (f->exp | f->frac);
}
/* The encoding of 2^exponent, a normal number of f. */
static inline uint64_t func_power(const struct float_format *f, int exponent)
{
    return (uint64_t)(exponent - f->emin + 1) << (f->prec_bits - 1);
}
static inline int func_is_inf(const struct float_format *f, uint64_t enc)
{
    return func_magnitude(f, enc) == f->exp;
}
/* Arithmetic of IEEE 754, which both environments share. */
int func_is_ieee(enum func_id id);
/* The special values of ENV_VK; arguments as func_get_special. */
int func_get_special_vk(enum func_id id, const struct func_args *a, struct set *out);
int func_get_special_cl(enum func_id id, const struct func_args *a, struct set *out);
/* The larger or smaller operand, or the one of that magnitude, as C99 has it; zeros and equal
 * magnitudes: the second. No NaN. */
uint64_t func_select(enum func_id id, const struct float_format *f, uint64_t x, uint64_t y);
/* nextafter of numbers and infinities that are not equal. */
uint64_t func_next_after(const struct float_format *f, uint64_t x, uint64_t y);

/* --- values --- */

enum {
    FUNC_N_PRECISIONS = 4
};
/* Precisions to try, in bits, the last one the cap; the first holds a midpoint of f. */
unsigned func_get_precision(const struct float_format *f, unsigned step);

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
/* Enclose the function of arguments that are not special (func_get_special gave 0) at prec_bits. */
void func_enclose(enum func_id id, const struct func_args *a, unsigned prec_bits,
                  struct func_span *out);

/* The members that one value brings; flags of *out are not touched. 0: not certain at this
 * precision, *out is then to be thrown away. */
int func_add_span(const struct func_span *s, const struct func_bound *b, const struct fp_rules *r,
                  struct set *out);
/* Results as the rules leave them: a zero of the other sign where signs are free; zeros of both signs in
 * place of subnormals, computed or prescribed, where those must be flushed. */
void func_finish(struct set *s, const struct fp_rules *r);
/* got - value in ulps of the value; 1 when it is as precise as func_get_error asks. got is finite.
 */
int func_measure(const struct func_span *s, enum fmt_id fmt, uint64_t got, double *out);
/* Is the value's magnitude at least 2^(emax + 1)? Rounded to nearest an infinity? */
int func_is_beyond(const struct func_span *s, const struct float_format *f);
/* 1 and the correctly rounded encoding, or 0: not certain. */
int func_round_span(const struct func_span *s, enum fmt_id fmt, enum real_mode mode, uint64_t *out);

/* oracle/func/func_number.c -- encodings of arguments, and functions that give one of them. */
#include "oracle/func/func_number.h"

#include <stdbool.h>

#include "base/format.h"

/* Is x an integer, even or odd, an integer and a half, or another fraction? By its bits: the magnitude is
 * sig * 2^-shift, so what stands below bit `shift` of sig is its fraction. It has none where shift is
 * negative: such large numbers are even. x is finite and not zero. */
enum func_kind func_get_kind(const struct float_format *f, uint64_t enc)
{
    uint64_t const m = func_magnitude(f, enc);
    int const field = (int)(m >> (f->prec_bits - 1));
    uint64_t const sig = (m & f->frac) | (field != 0 ? f->frac + 1 : 0);
    int const exponent = (field != 0 ? field : 1) + f->emin - 1;
    int const shift = (int)f->prec_bits - 1 - exponent;
    if (shift < 0) {
        return FUNC_EVEN;
    }
    if (shift > (int)f->prec_bits) {
        return FUNC_FRACTION; /* below 1/2 */
    }
    bool const is_odd = (sig >> shift & 1) != 0;
    uint64_t const rest = sig & ((UINT64_C(1) << shift) - 1);
    if (rest == 0) {
        return is_odd ? FUNC_ODD : FUNC_EVEN;
    }
    if (rest == UINT64_C(1) << (shift - 1)) {
        return is_odd ? FUNC_HALF_ODD : FUNC_HALF_EVEN;
    }
    return FUNC_FRACTION;
}

uint64_t func_select(enum func_id id, const struct float_format *f, uint64_t x, uint64_t y)
{
    uint64_t const mx = func_magnitude(f, x), my = func_magnitude(f, y);
    int const by_magnitude = id == FUNC_MAXMAG || id == FUNC_MINMAG;
    int const want_large = id == FUNC_FMAX || id == FUNC_MAXMAG;
    if (by_magnitude && mx != my) {
        return (mx > my) == want_large ? x : y;
    }
    return (format_to_key(f, x) > format_to_key(f, y)) == want_large ? x : y;
}

uint64_t func_next_after(const struct float_format *f, uint64_t x, uint64_t y)
{
    int64_t const ky = format_to_key(f, y);
    int64_t key = format_to_key(f, x);
    if (format_is_zero(f, x)) {
        return 1 | (y & f->sign);
    }
    key += ky > key ? 1 : -1;
    return format_from_key(f, key);
}

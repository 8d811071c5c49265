/* oracle/num/minmax.c -- what an atomic or group min or max may leave: NaN, zero and flush rules. */
#include "oracle/num/minmax.h"

#include "base/format.h"
#include "oracle/num/set.h"

/* The table for two numbers. */
static void add_numbers(int is_max, const struct float_format *f, uint64_t x, uint64_t y,
                        struct set *out)
{
    if (format_is_zero(f, x) && format_is_zero(f, y)) {
        set_add(out, x); /* {-0, +0}: either; the same zero twice: that zero */
        set_add(out, y);
        return;
    }
    int const x_is_less = format_to_key(f, x) < format_to_key(f, y);
    set_add(out, x_is_less != (is_max != 0) ? x : y);
}

/* What an operand may be read as: itself, and zeros where a flush or a free sign permits them. */
static unsigned readings_of(const struct float_format *f, uint64_t enc, const struct fp_rules *r,
                            uint64_t *out)
{
    unsigned n = 0;
    out[n++] = enc;
    if (r->flush_in != FLUSH_NEVER && format_is_subnormal(f, enc)) {
        out[n++] = 0;
        out[n++] = f->sign;
    }
    if (r->zero_sign_free && format_is_zero(f, enc)) {
        out[n++] = enc ^ f->sign;
    }
    return n;
}

static void add_flushed(const struct float_format *f, uint64_t enc, const struct fp_rules *r,
                        struct set *out)
{
    bool const is_subnormal = format_is_subnormal(f, enc);
    bool const is_free_zero = format_is_zero(f, enc) && r->zero_sign_free;
    if (!(is_subnormal && r->flush_out == FLUSH_MUST)) {
        set_add(out, enc);
    }
    if ((is_subnormal && r->flush_out != FLUSH_NEVER) || is_free_zero) {
        set_add(out, 0);
        set_add(out, f->sign);
    }
}

/* Computes in *out what the minimum, or maximum if is_max, of x and y may be: for each combination
 * of what the operands may be flushed to, and each number that may be selected, what that number
 * may be flushed to. A NaN gives way to a number; two NaNs, or a signalling one, may give any NaN. */
void minmax_permitted(int is_max, enum fmt_id fmt, uint64_t x, uint64_t y, const struct fp_rules *r,
                      struct set *out)
{
    struct float_format const *f = &float_formats[fmt];
    bool const is_x_nan = format_is_nan(f, x), is_y_nan = format_is_nan(f, y);
    bool const is_any_snan = format_is_snan(f, x) || format_is_snan(f, y);
    uint64_t xs[4], ys[4];
    set_clear(out, fmt);
    if ((is_x_nan && is_y_nan) || is_any_snan) {
        out->flags = SET_QNAN | SET_SNAN;
    }
    if (is_x_nan && is_y_nan) {
        return;
    }
    if (is_x_nan || is_y_nan) { /* a number and a NaN: the number */
        x = is_x_nan ? y : x;
        y = x;
    }
    unsigned const n_x = readings_of(f, x, r, xs);
    unsigned const n_y = readings_of(f, y, r, ys);
    for (unsigned i = 0; i < n_x; i++) {
        for (unsigned k = 0; k < n_y; k++) {
            struct set result;
            set_clear(&result, fmt);
            add_numbers(is_max, f, xs[i], ys[k], &result);
            for (uint64_t m = 0; m < set_count(&result); m++) {
                add_flushed(f, set_nth(&result, m), r, out);
            }
        }
    }
}

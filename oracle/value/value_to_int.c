/* oracle/value/value_to_int.c -- conversions of floats to integers: what is in range, and the result. */
#include "oracle/value/value_to_int.h"

#include "base/format.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/num/arith.h"
#include "oracle/num/real.h"
#include "oracle/value/expression_hull.h"
#include "oracle/value/value_convert.h"

/* The magnitude of a number that is not zero, cut in three: its integer, the first bit behind the
 * point, and whether there is anything behind that. */
struct digits {
    uint64_t whole;
    bool has_half, has_rest;
};

/* Cuts |v|, not zero, at the point into out. false: the integer has more than 64 bits. */
static bool cut(struct real v, struct digits *out)
{
    int const e = real_exponent(v); /* sig's top bit stands for 2^e */
    *out = (struct digits){.has_rest = true};
    if (e > 63) {
        return false;
    }
    if (e >= 0) {
        uint64_t const fraction = e == 63 ? 0 : v.sig << (e + 1);
        *out = (struct digits){.whole = v.sig >> (63 - e),
                               .has_half = fraction >> 63 != 0,
                               .has_rest = fraction << 1 != 0};
    } else if (e == -1) {
        *out = (struct digits){.has_half = true, .has_rest = v.sig << 1 != 0};
    }
    return true;
}

/* Does rounding in this mode make of the digits before the point those of the next integer, away from
 * zero? */
static bool rounds_away(const struct digits *d, bool is_negative, enum real_mode mode)
{
    bool const is_inexact = d->has_half || d->has_rest;
    switch (mode) {
    case REAL_NEAREST:
        return d->has_half && (d->has_rest || (d->whole & 1)); /* to even */
    case REAL_ZERO:
        return false;
    case REAL_DOWN:
        return is_negative && is_inexact;
    case REAL_UP:
        return !is_negative && is_inexact;
    }
    return false;
}

/* The integer that v rounds to in a direction, as n_bits of two's complement in *out. false: it is out of
 * range. */
static bool round_to_int(struct real v, enum real_mode mode, unsigned n_bits, bool is_signed,
                         uint64_t *out)
{
    struct digits d;
    if (!cut(v, &d)) {
        return false;
    }
    uint64_t const whole = d.whole + rounds_away(&d, v.negative, mode);
    if (whole < d.whole) { /* it wrapped: 2^64 */
        return false;
    }
    uint64_t const top = UINT64_C(1) << (n_bits - 1);
    uint64_t const mask = (top - 1) * 2 + 1;
    uint64_t const signed_limit = v.negative ? top : top - 1;
    uint64_t const unsigned_limit = v.negative ? 0 : mask;
    uint64_t const limit = is_signed ? signed_limit : unsigned_limit;
    *out = (v.negative ? 0 - whole : whole) & mask;
    return whole <= limit;
}

/* Is each member of s in the range of the integer? The ends of each range decide: what lies between two
 * numbers in range is in range. A NaN or anything (flags) is not. */
static bool holds_all(const struct set *s, unsigned n_bits, bool is_signed)
{
    for (unsigned i = 0; i < s->n && s->flags == 0; i++) {
        const struct float_format *f = &float_formats[s->fmt];
        uint64_t const lo = format_from_key(f, s->r[i].lo), hi = format_from_key(f, s->r[i].hi);
        uint64_t ignored;
        if (!arith_to_int((enum fmt_id)s->fmt, lo, n_bits, is_signed, &ignored) ||
            !arith_to_int((enum fmt_id)s->fmt, hi, n_bits, is_signed, &ignored)) {
            return false;
        }
    }
    return s->flags == 0;
}

/* Is every value that v may have in the range of the integer: those of its set and, where it may be
 * evaluated together with other instructions, those of the whole expression? false also where a value
 * outside of the set would be no violation, so that nothing confines it. */
static bool is_in_range(struct exec *x, const struct ruleset *rs, struct val v, enum fmt_id fmt,
                        unsigned n_bits, bool is_signed)
{
    struct set scratch, all;
    const struct set *s = value_get_set(x, v, fmt, &scratch);
    if (!s || s->fmt != fmt || value_get_grade(x, v) != GRADE_VIOLATION ||
        !holds_all(s, n_bits, is_signed)) {
        return false;
    }
    return !v.abs || x->pool[v.abs].freedom == 0 ||
           (expression_enclose(x, rs, v, fmt, &all) && holds_all(&all, n_bits, is_signed));
}

bool value_fits_integer(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                        const struct mod_inst *in)
{
    uint32_t const id = module_get_operand(x->m, in, MOD_OPERAND);
    int const fmt = module_get_format(x->m, x->m->ids[id].type);
    if (in->op != SpvOpConvertFToS && in->op != SpvOpConvertFToU) {
        return true;
    }
    for (uint32_t c = 0; fmt >= 0 && c < x->m->ids[id].n_slots; c++) {
        if (!is_in_range(x, rs, exec_reg(x, inv, id)[c], (enum fmt_id)fmt,
                         x->m->ids[in->type].t.bits, in->op == SpvOpConvertFToS)) {
            return false;
        }
    }
    return fmt >= 0;
}

/*
 * CE numerics, out-of-range conversions: what counts is the operand, before it is rounded, so that 255.5
 * is out of the range of 8 bits and -0.5 of that of unsigned integers. It lies within the range exactly
 * where the integer next to it, away from zero, does.
 */
static bool is_within_range(const struct float_format *f, uint64_t enc, unsigned n_bits,
                            bool is_signed)
{
    uint64_t ignored;
    enum real_mode const away = enc & f->sign ? REAL_DOWN : REAL_UP;
    return format_is_zero(f, enc) ||
           round_to_int(real_of(f, enc), away, n_bits, is_signed, &ignored);
}

/* What a saturated conversion gives of a value that is out of range: the end of the range that is nearest, and 0 of a NaN; false:
 * it is in range. Clause: SPIR-V specification, Decoration SaturatedConversion. */
static bool saturates(const struct float_format *f, uint64_t enc, int direction, unsigned n_bits,
                      bool is_signed, uint64_t *out)
{
    bool const is_negative = (enc & f->sign) != 0;
    uint64_t const top = UINT64_C(1) << (n_bits - 1), all = (top - 1) * 2 + 1;
    enum real_mode const mode = direction < 0 ? REAL_ZERO : (enum real_mode)direction;
    if (format_is_nan(f, enc)) {
        *out = 0;
        return true;
    }
    bool const is_number = (enc & ~f->sign) != f->exp;
    if (is_number &&
        (format_is_zero(f, enc) || round_to_int(real_of(f, enc), mode, n_bits, is_signed, out))) {
        return false;
    }
    uint64_t const least = is_signed ? top : 0, most = is_signed ? top - 1 : all;
    *out = is_negative ? least : most;
    return true;
}

/* Component t->c of a conversion of a float to an integer: rounded toward zero, or in the direction that a
 * decoration names. Anything if the value is out of range, which is undefined, or the operand is not
 * known. */
struct val value_to_int(const struct value_site *t)
{
    struct exec *x = t->x;
    const struct mod_inst *in = t->in;
    uint32_t const from = in->w[MOD_OPERAND];
    int const fmt = module_get_format(x->m, x->m->ids[from].type);
    int const direction = value_find_direction(&x->m->ids[in->result]);
    bool const is_signed = in->op == SpvOpConvertFToS;
    unsigned const n_bits = x->m->ids[in->type].t.bits;
    uint64_t bits, out;
    if (fmt < 0 || !exec_known(x, value_part(t, from), &bits)) {
        return value_anything(x, CLAUSE_FTOI);
    }
    const struct float_format *f = &float_formats[fmt];
    if ((x->m->ids[in->result].flags & ID_SATURATED) &&
        saturates(f, bits, direction, n_bits, is_signed, &out)) {
        return (struct val){.bits = out};
    }
    bool const is_number = !value_is_special((enum fmt_id)fmt, bits) && !format_is_zero(f, bits);
    bool has_value;
    if (direction < 0 || !is_number) {
        has_value = arith_to_int((enum fmt_id)fmt, bits, n_bits, is_signed, &out);
    } else if ((direction == REAL_DOWN || direction == REAL_UP) && format_is_subnormal(f, bits)) {
        has_value = false; /* flushed or not is then another integer */
    } else {
        has_value =
            round_to_int(real_of(f, bits), (enum real_mode)direction, n_bits, is_signed, &out);
    }
    bool const is_clamped = (x->m->ids[in->result].flags & ID_SATURATED) != 0;
    if (!has_value ||
        (!is_clamped && t->rs->env == ENV_CL && !is_within_range(f, bits, n_bits, is_signed))) {
        return value_anything(x, CLAUSE_FTOI);
    }
    return (struct val){.bits = out};
}

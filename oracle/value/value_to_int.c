/* oracle/value/value_to_int.c -- conversions of floats to integers: what is in range, and the result. */
#include "oracle/value/value_to_int.h"

#include "base/format.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/math/rules.h"
#include "oracle/num/arith.h"
#include "oracle/num/real.h"
#include "oracle/num/set.h"
#include "oracle/value/expression_hull.h"
#include "oracle/value/value_convert.h"

/* The magnitude of a number that is not zero, split in three: its integer, the first bit after the point, and whether any bit after that is set. */
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

/* One number as an integer, rounded toward zero, or in the direction that a decoration names. false: it is out of
 * range, or the integer depends on whether a subnormal is flushed. */
static bool convert_one(const struct value_site *site, enum fmt_id fmt, uint64_t bits,
                        uint64_t *out)
{
    const struct float_format *f = &float_formats[fmt];
    int const direction = value_find_direction(&site->x->m->ids[site->in->result]);
    bool const is_signed = site->in->op == SpvOpConvertFToS;
    bool const is_clamped = (site->x->m->ids[site->in->result].flags & ID_SATURATED) != 0;
    unsigned const n_bits = site->x->m->ids[site->in->type].t.bits;
    bool const is_number = !value_is_special(fmt, bits) && !format_is_zero(f, bits);
    if (is_clamped && saturates(f, bits, direction, n_bits, is_signed, out)) {
        return true;
    }
    bool has_value;
    if (direction < 0 || !is_number) {
        has_value = arith_to_int(fmt, bits, n_bits, is_signed, out);
    } else if ((direction == REAL_DOWN || direction == REAL_UP) && format_is_subnormal(f, bits)) {
        has_value = false; /* flushed or not is then another integer */
    } else {
        has_value =
            round_to_int(real_of(f, bits), (enum real_mode)direction, n_bits, is_signed, out);
    }
    return has_value &&
           (is_clamped || site->rs->env != ENV_CL || is_within_range(f, bits, n_bits, is_signed));
}

/* Converts all members of s to integers. A few members are converted one by one; otherwise each range becomes the
 * integers from that of its lowest to that of its highest member, because conversion is monotonic. Returns false
 * where a member has no integer, or the integers are wider than the list can hold. */
static bool convert_set(const struct value_site *site, const struct set *s,
                        struct accuracy_int *out)
{
    const struct float_format *f = &float_formats[s->fmt];
    uint64_t const n = set_count(s);
    uint64_t lo, hi;
    *out = (struct accuracy_int){.is_unsigned = site->in->op == SpvOpConvertFToU};
    /* a NaN has no integer, and the list holds integers of 32 bits */
    if (s->flags != 0 || s->n == 0 || site->x->m->ids[site->in->type].t.bits > 32) {
        return false;
    }
    for (uint64_t i = 0; n <= ACCURACY_MAX_INTEGERS && i < n; i++) {
        if (!convert_one(site, (enum fmt_id)s->fmt, set_nth(s, i), &lo) ||
            !accuracy_int_add(out, (uint32_t)lo, (uint32_t)lo)) {
            return false;
        }
    }
    for (unsigned i = 0; n > ACCURACY_MAX_INTEGERS && i < s->n; i++) {
        if (!convert_one(site, (enum fmt_id)s->fmt, format_from_key(f, s->r[i].lo), &lo) ||
            !convert_one(site, (enum fmt_id)s->fmt, format_from_key(f, s->r[i].hi), &hi) ||
            !accuracy_int_add(out, (uint32_t)lo, (uint32_t)hi)) {
            return false;
        }
    }
    unsigned const n_bits = site->x->m->ids[site->in->type].t.bits;
    return n_bits == 32 ||
           accuracy_int_count(out) == out->n; /* no range across a narrower type's zero */
}

/* The integer that the operand was made of by a conversion, which may be left out together with this one: the two are one
 * over the real numbers. V env, Evaluation of Expressions. false: there is none, or it is decorated. */
static bool find_unconverted(const struct value_site *site, enum fmt_id fmt, uint64_t *out)
{
    const struct module *const m = site->x->m;
    const struct mod_inst *const from = module_get_definition(m, site->in->w[MOD_OPERAND]);
    uint32_t const op = site->in->op == SpvOpConvertFToS ? SpvOpConvertSToF : SpvOpConvertUToF;
    if (!from || from->op != op || site->rs->env != ENV_VK) {
        return false;
    }
    uint32_t const integer = from->w[MOD_OPERAND];
    enum rule_class const class = rules_find_class(op);
    unsigned const freedom = ruleset_get(site->rs, class, fmt, &m->ids[from->result]).freedom &
                             ruleset_get(site->rs, class, fmt, &m->ids[site->in->result]).freedom;
    return (freedom & EXPRESSION_REARRANGE) &&
           m->ids[m->ids[integer].type].t.bits == m->ids[site->in->type].t.bits &&
           exec_known(site->x, value_part(site, integer), out);
}

/* What is a divergence beside the integers of the operand's own set, in *out: those of the whole expression where it may be
 * evaluated as one, and the integer that was converted to the operand. 1: there is something; 0: nothing; -1: nothing
 * confines it. */
static int convert_outer(const struct value_site *site, enum fmt_id fmt, struct val v,
                         struct accuracy_int *out)
{
    struct set all;
    uint64_t unconverted;
    unsigned const freedom = v.abs ? site->x->pool[v.abs].freedom : 0;
    *out = (struct accuracy_int){.n = 0};
    if (freedom &&
        (!expression_enclose(site->x, site->rs, v, fmt, &all) || !convert_set(site, &all, out))) {
        return -1;
    }
    if (!freedom && find_unconverted(site, fmt, &unconverted)) {
        (void)accuracy_int_add(out, (uint32_t)unconverted, (uint32_t)unconverted);
    }
    return out->n > 0;
}

static enum clause_id clause_of_outer(const struct value_site *site, struct val v)
{
    if (v.abs && site->x->pool[v.abs].freedom & EXPRESSION_LOOSE) {
        return CLAUSE_OPTION_LOOSE;
    }
    return site->rs->env == ENV_VK ? CLAUSE_ARITH_REASSOC : CLAUSE_ARITH_CONTRACT;
}

/* Converts an operand of which only a permitted set is known. The result is known if all members have one integer
 * and nothing else is permitted; otherwise it is a choice among the members' integers. It is anything if a member
 * is out of range, or a value outside of the set is no violation. */
static struct val convert_unknown(const struct value_site *site, enum fmt_id fmt, struct val v)
{
    struct exec *const x = site->x;
    struct set scratch;
    const struct set *const s = value_get_set(x, v, fmt, &scratch);
    struct accuracy_int of_set, of_all;
    if (!s || s->fmt != fmt || value_get_grade(x, v) != GRADE_VIOLATION ||
        !convert_set(site, s, &of_set)) {
        return value_anything(x, CLAUSE_FTOI);
    }
    /* what is a divergence besides: 1: what of_all holds, 0: nothing, -1: nothing confines it */
    int const outer = convert_outer(site, fmt, v, &of_all);
    if (outer < 0) {
        return value_anything(x, CLAUSE_FTOI);
    }
    if (outer == 0 && accuracy_int_count(&of_set) == 1) {
        return (struct val){.bits = (uint32_t)of_set.value[0]};
    }
    of_set.outer = outer ? arena_copy(x->a, &of_all, sizeof of_all) : NULL;
    const struct accuracy_int *const kept = arena_copy(x->a, &of_set, sizeof of_set);
    struct val const out = exec_new_abstract(x);
    if (!out.abs || !kept || (outer && !of_set.outer)) {
        (void)exec_stop(x, "arena full");
        return out;
    }
    x->pool[out.abs] = (struct abstract){.kind = ABSTRACT_CHOICE,
                                         .choices = kept,
                                         .grade = GRADE_VIOLATION,
                                         .clause = CLAUSE_FTOI,
                                         .clause_out = (uint8_t)clause_of_outer(site, v)};
    return out;
}

/* Component site->c of a conversion of a float to an integer: rounded toward zero, or in the direction that a
 * decoration names. Anything if the value is out of range, which is undefined, or nothing is known of the operand; of
 * an operand that is one of a set, one of the integers of its members. */
struct val value_to_int(const struct value_site *site)
{
    struct exec *x = site->x;
    uint32_t const from = site->in->w[MOD_OPERAND];
    int const fmt = module_get_format(x->m, x->m->ids[from].type);
    uint64_t bits, out;
    if (fmt < 0) {
        return value_anything(x, CLAUSE_FTOI);
    }
    struct val const v = value_part(site, from);
    if (!exec_known(x, v, &bits)) {
        return convert_unknown(site, (enum fmt_id)fmt, v);
    }
    if (!convert_one(site, (enum fmt_id)fmt, bits, &out)) {
        return value_anything(x, CLAUSE_FTOI);
    }
    return (struct val){.bits = out};
}

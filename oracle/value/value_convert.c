/* oracle/value/value_convert.c -- conversions to floats: the permitted results. */
#include "oracle/value/value_convert.h"

#include <string.h>

#include "base/format.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/math/rules.h"
#include "oracle/num/arith.h"
#include "oracle/num/real.h"
#include "oracle/num/set.h"
#include "oracle/num/ulp.h"
#include "oracle/value/expression.h"

int value_find_direction(const struct mod_id *id)
{
    if (!(id->flags & ID_ROUNDING_MODE)) {
        return -1;
    }
    switch (id->rounding_mode) {
    case SpvFPRoundingModeRTE:
        return REAL_NEAREST;
    case SpvFPRoundingModeRTZ:
        return REAL_ZERO;
    case SpvFPRoundingModeRTP:
        return REAL_UP;
    case SpvFPRoundingModeRTN:
        return REAL_DOWN;
    default:
        return -1;
    }
}

/* One number rounded in a direction, flushed where it may be. */
static void add_directed(struct real value, enum real_mode mode, const struct fp_rules *r,
                         struct set *out)
{
    const struct float_format *f = &float_formats[out->fmt];
    int const is_tiny = real_is_tiny(f, value);
    if (!is_tiny || r->flush_out != FLUSH_MUST) {
        set_add(out, real_round(f, value, mode));
    }
    if (is_tiny && r->flush_out != FLUSH_NEVER) {
        set_add_range(out, -1, 0);
    }
}

/* Adds to out each member of `in` rounded in the direction that a decoration names. The class of a NaN and
 * the sign of an infinity or zero are kept; a signalling NaN may become quiet. r_in says whether a
 * subnormal operand may be flushed, r whether a subnormal result may; -1 and 0 are the keys of the zeros. */
static void convert_directed(const struct set *in, const struct fp_rules *r_in, enum real_mode mode,
                             const struct fp_rules *r, struct set *out)
{
    const struct float_format *f = &float_formats[in->fmt], *to = &float_formats[out->fmt];
    uint64_t const n = value_count_members(in);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t const enc = set_nth(in, i);
        if (format_is_nan(f, enc)) {
            set_add(out, to->exp | (format_is_snan(f, enc) ? 1 : to->quiet));
            out->flags |= SET_QNAN;
        } else if ((enc & ~f->sign) == f->exp) {
            set_add(out, to->exp | (enc & f->sign ? to->sign : 0));
        } else if (format_is_zero(f, enc)) {
            set_add(out, enc & f->sign ? to->sign : 0);
        } else {
            add_directed(real_of(f, enc), mode, r, out);
            if (format_is_subnormal(f, enc) && r_in->flush_in != FLUSH_NEVER) {
                set_add_range(out, -1, 0);
            }
        }
    }
}

/* Widens `out` for a max-error decoration of id: adds what lies within the bound, in ulps, of each
 * correct rounding in it. That is slightly more than what lies within the bound of the exact
 * value. The ends of each range are widened, as what lies between them is in it already. The set becomes anything if the bound
 * is no positive number. */
static void widen(const struct mod_id *id, const struct fp_rules *r, struct set *out)
{
    if (!(id->flags & ID_MAX_ERROR) || (out->flags & SET_ANY)) {
        return;
    }
    const struct float_format *f = &float_formats[out->fmt];
    struct real const bound = real_of(&float_formats[FMT_F32], id->max_error);
    uint64_t const enc = real_round(&float_formats[FMT_F64], bound, REAL_NEAREST);
    struct set const start = *out;
    uint64_t const one = (uint64_t)f->emax << (f->prec_bits - 1); /* 1: emax is the bias */
    struct ulp_quotient q = {.y = one, /* each value as a quotient by one, for its bound */
                             .rounding = r->rounding,
                             .overflow_lax = r->overflow_lax,
                             .flush_out = r->flush_out};
    bool const is_positive = id->max_error != 0 && id->max_error < float_formats[FMT_F32].exp;
    if (!is_positive) { /* not a usable bound */
        set_any(out, (enum fmt_id)out->fmt);
        return;
    }
    memcpy(&q.bound_ulp, &enc, sizeof enc);
    for (uint32_t i = 0; i < start.n; i++) {
        int64_t const ends[2] = {start.r[i].lo, start.r[i].hi};
        for (int k = 0; k < 2; k++) {
            q.x = format_from_key(f, ends[k]);
            /* zeros and infinities have no ulps */
            if ((q.x & f->exp) != f->exp && !format_is_zero(f, q.x)) {
                ulp_add_quotient(&q, out);
            }
        }
    }
}

/* Converts an integer to float, rounded by the rules r or in the direction that a decoration
 * names. The result is anything if the integer is unknown. */
static struct val from_integer(const struct value_site *site, struct rules *r)
{
    struct exec *x = site->x;
    const struct mod_inst *in = site->in;
    uint32_t const from = in->w[MOD_OPERAND];
    const struct mod_id *id = &x->m->ids[in->result];
    enum clause_id const clause = value_get_clause(in->op);
    int const direction = value_find_direction(id), is_signed = in->op == SpvOpConvertSToF;
    unsigned const n_bits = x->m->ids[x->m->ids[from].type].t.bits;
    struct set out;
    uint64_t bits;
    if (n_bits == 0 || !exec_known(x, value_part(site, from), &bits)) {
        return value_anything(x, clause); /* not an integer type: no text defines the result */
    }
    if (is_signed) { /* extend the sign */
        bits = (uint64_t)((int64_t)(bits << (64 - n_bits)) >> (64 - n_bits));
    }
    r->freedom =
        0; /* its operand is no float, so that there is no expression to be evaluated with */
    if (direction < 0 || bits == 0) { /* no decoration, or nothing to round */
        arith_from_int(bits, is_signed, site->fmt, &r->fp, &out);
    } else {
        set_clear(&out, site->fmt);
        add_directed(real_of_int(bits, is_signed), (enum real_mode)direction, &r->fp, &out);
    }
    widen(id, &r->fp, &out);
    return value_from_set(x, &out, r, clause, 0, GRADE_VIOLATION);
}

/* Converts a float operand of format `from` to format site->fmt by the rules of both formats (r: those of the
 * result). For a NaN or infinity the milder of both grades holds. The result is anything if a rounding direction
 * is decorated and the operand has too many members to round each. */
static struct val from_float(const struct value_site *site, struct rules r, enum fmt_id from,
                             struct val operand, const struct operands *operands)
{
    struct exec *x = site->x;
    const struct mod_id *id = &x->m->ids[site->in->result];
    enum clause_id const clause = value_get_clause(site->in->op);
    int const direction = value_find_direction(id);
    struct rules const r_in = ruleset_get(site->rs, RULE_ARITH, from, id);
    struct set out;
    if (operands->special && r_in.special > r.special) {
        r.special = r_in.special;
    }
    r.freedom = expression_find_freedom(x, r.freedom, &operand, 1);
    if (direction < 0) {
        arith_convert(operands->set[0], &r_in.fp, site->fmt, &r.fp, &out);
    } else if (value_count_members(operands->set[0]) <= VALUE_MAX_ENUMERATED) {
        set_clear(&out, site->fmt);
        convert_directed(operands->set[0], &r_in.fp, (enum real_mode)direction, &r.fp, &out);
    } else {
        return value_anything(x, clause);
    }
    widen(id, &r.fp, &out);
    value_inherit_grade(&r, operands);
    return value_from_set(x, &out, &r, clause, operands->special, operands->mildest);
}

/* The operand with its sign changed, exactly. A negation has no rounding that an implementation could leave
 * out, so only the expression that made the operand may explain a value outside. */
static struct val negate(const struct value_site *site, struct rules r, struct val operand,
                         const struct operands *operands)
{
    struct set out;
    r.freedom = expression_find_freedom(site->x, 0, &operand, 1);
    arith_negate(operands->set[0], &r.fp, &out);
    value_inherit_grade(&r, operands);
    return value_from_set(site->x, &out, &r, value_get_clause(site->in->op), operands->special,
                          operands->mildest);
}

/* A conversion to a float, of an integer or of a float of another format, or a negation. Anything if the
 * operand is of no float format, or nothing is known of it. */
struct val value_convert(const struct value_site *site)
{
    struct exec *x = site->x;
    const struct mod_inst *in = site->in;
    struct rules r =
        ruleset_get(site->rs, rules_find_class(in->op), site->fmt, &x->m->ids[in->result]);
    enum clause_id const clause = value_get_clause(in->op);
    if (in->op == SpvOpConvertSToF || in->op == SpvOpConvertUToF) {
        return from_integer(site, &r);
    }
    int const from = module_get_format(x->m, x->m->ids[in->w[MOD_OPERAND]].type);
    struct val const operand = value_part(site, in->w[MOD_OPERAND]);
    struct operands operands = {.mildest = GRADE_VIOLATION};
    if (from < 0 || !value_take_operands(x, &operand, 1, (enum fmt_id)from, &operands)) {
        return value_anything(x, clause);
    }
    if (in->op == SpvOpFNegate) {
        return negate(site, r, operand, &operands);
    }
    return from_float(site, r, (enum fmt_id)from, operand, &operands);
}

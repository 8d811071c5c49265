/* oracle/value/value_compare.c -- comparisons of floats: what they say of values that may be sets. */
#include "oracle/value/value_compare.h"

#include "base/format.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/math/rules.h"
#include "oracle/num/set.h"
#include "oracle/value/expression_hull.h"

enum {
    KEY_MINUS_ZERO = -1 /* of format_to_key */
};

/* Is the comparison `op` true of encodings a and b? With a NaN an unordered comparison is true and
 * an ordered one false. Each relation has two opcodes, first the ordered, then the unordered one. */
static int compare(uint32_t op, const struct float_format *f, uint64_t a, uint64_t b)
{
    int const ordered = (op & 1) == 0; /* the ordered opcodes are even */
    if (format_is_nan(f, a) || format_is_nan(f, b)) {
        return !ordered;
    }
    int64_t ka = format_to_key(f, a), kb = format_to_key(f, b);
    ka += ka == KEY_MINUS_ZERO; /* -0 becomes +0: the zeros are equal */
    kb += kb == KEY_MINUS_ZERO;
    switch (op) {
    case SpvOpFOrdEqual:
    case SpvOpFUnordEqual:
        return ka == kb;
    case SpvOpFOrdNotEqual:
    case SpvOpFUnordNotEqual:
        return ka != kb;
    case SpvOpFOrdLessThan:
    case SpvOpFUnordLessThan:
        return ka < kb;
    case SpvOpFOrdGreaterThan:
    case SpvOpFUnordGreaterThan:
        return ka > kb;
    case SpvOpFOrdLessThanEqual:
    case SpvOpFUnordLessThanEqual:
        return ka <= kb;
    default:
        return ka >= kb;
    }
}

/* Is the test `op` true of encoding a, of a and b? */
static int test(uint32_t op, const struct float_format *f, uint64_t a, uint64_t b)
{
    bool const is_finite = (a & f->exp) != f->exp;
    switch (op) {
    case SpvOpIsNan:
        return format_is_nan(f, a);
    case SpvOpIsInf:
        return !is_finite && !format_is_nan(f, a);
    case SpvOpIsFinite:
        return is_finite;
    case SpvOpIsNormal:
        return is_finite && (a & f->exp) != 0;
    case SpvOpSignBitSet:
        return (a & f->sign) != 0;
    case SpvOpLessOrGreater:
        return compare(SpvOpFOrdNotEqual, f, a, b);
    case SpvOpOrdered:
        return !format_is_nan(f, a) && !format_is_nan(f, b);
    case SpvOpUnordered:
        return format_is_nan(f, a) || format_is_nan(f, b);
    default:
        return compare(op, f, a, b);
    }
}

/* What one comparison says of two encodings; -1: subnormal operands may be read as zero, and it then says
 * the other. */
static int compare_flushed(uint32_t op, const struct float_format *f, enum flush flush, uint64_t x,
                           uint64_t y)
{
    int const truth = test(op, f, x, y);
    for (int i = 1; flush == FLUSH_MAY && i < 4; i++) {
        uint64_t const a = (i & 1) && format_is_subnormal(f, x) ? 0 : x;
        uint64_t const b = (i & 2) && format_is_subnormal(f, y) ? 0 : y;
        if (test(op, f, a, b) != truth) {
            return -1;
        }
    }
    return truth;
}

/* Finds the range of keys (format_to_key) from range[0] to range[1] that holds all values of the
 * operand v: the members of its set, and where it has a freedom (it may be evaluated together with
 * other instructions) also what the expression may give. Returns false where v may be a NaN or
 * anything, or where a value outside of its set would be no violation. */
static bool get_range(const struct value_site *site, struct val v, enum fmt_id fmt,
                      int64_t range[2])
{
    struct exec *x = site->x;
    struct set scratch, all;
    const struct set *s = value_get_set(x, v, fmt, &scratch);
    const struct abstract *b = exec_get_unobserved(x, v);
    if (!s || s->flags != 0 || s->n == 0 || value_get_grade(x, v) != GRADE_VIOLATION) {
        return false;
    }
    if (b && b->freedom != 0) {
        set_clear(&all, fmt);
        set_add_set(&all, s);
        struct set hull;
        if (!expression_enclose(x, site->rs, v, fmt, &hull)) {
            return false;
        }
        set_add_set(&all, &hull);
        s = &all;
    }
    if (s->flags != 0) { /* the expression may give a NaN */
        return false;
    }
    range[0] = s->r[0].lo;
    range[1] = s->r[s->n - 1].hi;
    return true;
}

/* Compares operands that are not known exactly: 1 or 0 where the comparison has this result for all values that
 * they may have, else -1. An ordering is monotonic, so that the ends of both ranges decide it. Equality has one
 * result only if the ranges are disjoint, or both are single values. */
static int compare_ranges(const struct value_site *site, enum fmt_id fmt, enum flush flush)
{
    const struct float_format *f = &float_formats[fmt];
    uint32_t const op = site->in->op;
    int64_t range[2][2]; /* of each operand: the keys of its ends */
    int truth = -1;
    for (uint32_t i = 0; i < 2; i++) {
        /* a test of one value has it as both operands */
        uint32_t const word = MOD_OPERAND + i < site->in->n ? MOD_OPERAND + i : MOD_OPERAND;
        if (!get_range(site, value_part(site, site->in->w[word]), fmt, range[i]) ||
            range[i][0] == format_to_key(f, f->exp | f->sign) ||
            range[i][1] == format_to_key(f, f->exp)) {
            return -1; /* the rules may leave the comparison of an infinity undefined */
        }
    }
    bool const is_relation = op >= SpvOpFOrdEqual && op <= SpvOpFUnordNotEqual;
    bool const is_equality = is_relation || op == SpvOpLessOrGreater;
    bool const has_zero = range[0][0] < 0 && range[0][1] >= 0; /* zero is not normal */
    bool const are_disjoint = range[0][1] < range[1][0] || range[1][1] < range[0][0];
    bool const are_single = range[0][0] == range[0][1] && range[1][0] == range[1][1];
    if ((is_equality && !are_disjoint && !are_single) || (op == SpvOpIsNormal && has_zero)) {
        return -1;
    }
    for (int corner = 0; corner < 4;
         corner++) { /* bit 0: which end of the first range, bit 1: of the second */
        uint64_t const a = format_from_key(f, range[0][corner & 1]);
        uint64_t const b = format_from_key(f, range[1][corner >> 1]);
        int const at_corner = compare_flushed(op, f, flush, a, b);
        if (at_corner < 0 || (corner > 0 && at_corner != truth)) {
            return -1;
        }
        truth = at_corner;
    }
    return truth;
}

/* Computes component site->c of a float comparison: true or false where all values that the operands
 * may have agree, else anything. With a NaN or infinity among known operands the other result has
 * the grade that the rules give (for example a divergence). */
struct val value_compare(const struct value_site *site)
{
    struct exec *x = site->x;
    const struct mod_inst *in = site->in;
    uint32_t const first = in->w[MOD_OPERAND];
    uint32_t const second = in->n > MOD_OPERAND + 1 ? in->w[MOD_OPERAND + 1] : first;
    int const fmt_or_none = module_get_format(x->m, x->m->ids[first].type);
    uint64_t v[2];
    if (fmt_or_none < 0) {
        return value_anything(x, CLAUSE_COMPARE);
    }
    enum fmt_id const fmt = (enum fmt_id)fmt_or_none;
    struct rules const r = ruleset_get(site->rs, RULE_COMPARE, fmt, &x->m->ids[in->result]);
    bool const is_known = exec_known(x, value_part(site, first), &v[0]) &&
                          exec_known(x, value_part(site, second), &v[1]);
    bool const special = is_known && (value_is_special(fmt, v[0]) || value_is_special(fmt, v[1]));
    int const truth = is_known
                          ? compare_flushed(in->op, &float_formats[fmt], r.fp.flush_in, v[0], v[1])
                          : compare_ranges(site, fmt, r.fp.flush_in);
    if (truth < 0 || (special && r.special == GRADE_UNDEFINED)) {
        return value_anything(x, CLAUSE_COMPARE);
    }
    if (special && r.special == GRADE_DIVERGENCE) { /* the other result is no violation */
        struct val const out = exec_new_abstract(x);
        x->pool[out.abs] = (struct abstract){.kind = ABSTRACT_ONE,
                                             .bits = (uint64_t)truth,
                                             .grade = GRADE_DIVERGENCE,
                                             .clause = CLAUSE_COMPARE,
                                             .clause_out = (uint8_t)r.special_clause};
        return out;
    }
    return (struct val){.bits = (uint64_t)truth};
}

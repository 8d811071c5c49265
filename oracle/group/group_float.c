/* oracle/group/group_float.c -- min, max and equality of floats over a group. */
#include "oracle/group/group_float.h"

#include "base/format.h"
#include "base/spv.h"
#include "oracle/num/set.h"

/* What there is among the values, their signs turned for a maximum: then it is a minimum. */
struct census {
    uint32_t n_numbers, n_nans;
    int has_snan, has_inf, has_subnormal, has_minus_zero, has_plus_zero;
    uint64_t least; /* of the numbers, by their order; a zero of either sign for both */
};

/* Counts NaNs, numbers, infinities, zeros and subnormals among the values, and finds the least
 * number. `sign_flip` is XORed to each value: the sign bit for a maximum, which is computed as the
 * minimum of the negated values, else 0. `least` stays +infinity if there is no number. */
static struct census take_census(const struct float_format *f, uint64_t sign_flip,
                                 const uint64_t *values, uint32_t n)
{
    struct census census = {.least = f->exp};
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t const enc = values[i] ^ sign_flip;
        if (format_is_nan(f, enc)) {
            census.n_nans++;
            census.has_snan |= format_is_snan(f, enc);
            continue;
        }
        int64_t const key = format_to_key(f, enc);
        census.n_numbers++;
        census.has_inf |= (enc & f->exp) == f->exp;
        census.has_subnormal |= format_is_subnormal(f, enc);
        census.has_minus_zero |= enc == f->sign;
        census.has_plus_zero |= enc == 0;
        if (key < least) {
            least = key;
            census.least = enc;
        }
    }
    return census;
}

static bool may_flush(const struct fp_rules *r)
{
    return r->flush_in != FLUSH_NEVER || r->flush_out != FLUSH_NEVER;
}

/*
 * Adds the permitted minimum of the numbers, signs turned back (`sign_flip`: see take_census). Where subnormals
 * may be flushed, each by itself and on any step:
 *   least is a negative subnormal: it, any other negative subnormal when all below it were flushed,
 *     and either zero;
 *   least is zero: a zero of a sign that is there, and either where a subnormal was flushed to it;
 *   least is a positive subnormal: it, or either zero as soon as one was flushed;
 *   else: least, which no flush changes.
 */
static void add_minimum(const struct census *s, uint64_t sign_flip, const uint64_t *values,
                        uint32_t n, const struct fp_rules *r, struct set *out)
{
    const struct float_format *f = &float_formats[out->fmt];
    bool const is_zero = format_is_zero(f, s->least) != 0;
    bool const is_subnormal = format_is_subnormal(f, s->least) != 0;
    bool const is_kept =
        r->flush_out != FLUSH_MUST || n == 1; /* of one value nothing is computed */
    bool const has_either_sign = r->zero_sign_free || (s->has_minus_zero && s->has_plus_zero);
    bool const is_flushed = may_flush(r) && s->has_subnormal && (is_zero || is_subnormal);
    if (!is_subnormal || is_kept) {
        set_add(out, s->least ^ sign_flip);
    }
    for (uint32_t i = 0; may_flush(r) && is_kept && is_subnormal && i < n; i++) {
        uint64_t const enc = values[i] ^ sign_flip;
        if ((enc & f->sign) && format_is_subnormal(f, enc)) {
            set_add(out, values[i]);
        }
    }
    if (is_flushed || (is_zero && has_either_sign)) {
        set_add(out, 0);
        set_add(out, f->sign);
    }
}

static bool is_non_uniform(uint32_t op)
{
    return op == SpvOpGroupNonUniformFMin || op == SpvOpGroupNonUniformFMax;
}

/* Puts into *out what any reading of the text lets a min or max be: all numbers among the values, the
 * zeros that they may be read as, and any NaN. true only if the text has several readings: for a
 * non-uniform instruction, with a signalling NaN and a number among the values. */
bool group_minmax_readings(uint32_t op, enum fmt_id fmt, const uint64_t *values, uint32_t n,
                           const struct fp_rules *r, struct set *out)
{
    const struct float_format *f = &float_formats[fmt];
    bool has_snan = false;
    set_clear(out, fmt);
    for (uint32_t i = 0; i < n; i++) {
        bool const is_free = (r->zero_sign_free && format_is_zero(f, values[i])) ||
                             (may_flush(r) && format_is_subnormal(f, values[i]));
        has_snan |= format_is_snan(f, values[i]) != 0;
        if (!format_is_nan(f, values[i])) {
            set_add(out, values[i]);
        }
        if (is_free) {
            set_add_range(out, -1, 0); /* keys of -0 and +0 */
        }
    }
    bool const has_numbers = out->n > 0;
    out->flags |= SET_QNAN | SET_SNAN;
    return is_non_uniform(op) && has_snan && has_numbers;
}

/* The clause of the set, where nothing about the values takes another. */
static enum clause_id find_clause(uint32_t op, uint32_t n)
{
    if (n == 0) {
        return CLAUSE_GROUP_IDENTITY;
    }
    return is_non_uniform(op) ? CLAUSE_GROUP_MINMAX_NAN : CLAUSE_GROUP_MINMAX;
}

/* Computes the permitted set of a float minimum or maximum in *out and its clause, and returns the
 * grade of a value outside. The set is first computed as if every NaN gave way to a number. Then
 * NaNs and infinities, where a clause leaves them undefined, make the grade milder (a greater
 * grade is a milder one) and name another clause; with grade UNDEFINED the set becomes anything. */
enum grade group_minmax(uint32_t op, enum fmt_id fmt, const uint64_t *values, uint32_t n,
                        const struct rules *r, struct set *out, enum clause_id *clause)
{
    const struct float_format *f = &float_formats[fmt];
    bool const is_max =
        op == SpvOpGroupNonUniformFMax || op == SpvOpGroupFMax || op == SpvOpGroupFMaxNonUniformAMD;
    uint64_t const sign_flip =
        is_max ? f->sign : 0; /* a maximum is the minimum of the negated values */
    struct census const s = take_census(f, sign_flip, values, n);
    bool const is_nan_undefined = s.n_nans > 0 && !is_non_uniform(op);
    /* n == 0: the identity, an infinity */
    bool const is_special = n == 0 || s.n_nans > 0 || s.has_inf;
    enum grade grade = GRADE_VIOLATION;
    set_clear(out, fmt);
    *clause = find_clause(op, n);
    if (n == 0) {
        set_add(out, f->exp ^ sign_flip); /* the identity: an infinity */
    } else if (s.n_numbers == 0) {
        set_any(out, fmt);
    } else {
        add_minimum(&s, sign_flip, values, n, &r->fp, out);
    }
    if (is_nan_undefined) {
        *clause = CLAUSE_GROUP_MINMAX_UNDEFINED;
    }
    if (is_nan_undefined || s.has_snan) {
        grade = GRADE_DIVERGENCE;
        out->flags |= SET_QNAN | SET_SNAN;
    }
    if (is_special && r->special > grade) {
        grade = r->special;
        *clause = r->special_clause;
        if (grade == GRADE_UNDEFINED) {
            set_any(out, fmt);
        }
    }
    return grade;
}

/* Equality of one component over all participants who are known. */
struct equality {
    int has_nan, has_inf;
    int differs;         /* two of them are not equal */
    int differs_flushed; /* the same with all subnormals read as zero */
};

/* Compares component k of all participants who are known with that of the first of them, once as it is and
 * once with subnormals read as zero, and notes in e what differs. e collects over all components. */
static void compare_component(const struct group_call *c, const struct float_format *f, uint32_t k,
                              struct equality *e)
{
    int has_first = 0;
    uint64_t first = 0, first_flushed = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (!group_is_known(c, i)) {
            continue;
        }
        uint64_t const enc = group_value(c, i, k);
        uint64_t const plain = format_is_zero(f, enc) ? 0 : enc; /* -0 equals +0 */
        uint64_t const flushed = format_is_subnormal(f, enc) ? 0 : plain;
        if (!has_first) {
            first = plain;
            first_flushed = flushed;
            has_first = 1;
        }
        e->has_nan |= format_is_nan(f, enc);
        e->has_inf |= (enc & ~f->sign) == f->exp;
        e->differs |= plain != first;
        e->differs_flushed |= flushed != first_flushed;
    }
}

/* Decides whether all participants have equal floats. Where r leaves NaNs and infinities undefined, so is the
 * answer about them. Otherwise one unequal pair decides, while "equal" needs every value to be known.
 * GROUP_EITHER: the answer depends on whether subnormals are flushed, or on a single NaN. */
enum group_answer group_all_equal_float(const struct group_call *c, const struct rules *r,
                                        uint64_t *out)
{
    /* without rules (NULL) values are compared as they are */
    bool const is_special_undefined = r && r->special != GRADE_VIOLATION;
    bool const flushes = r && r->fp.flush_in != FLUSH_NEVER;
    struct equality e = {0};
    bool are_all_known = true;
    for (uint32_t i = 0; i < c->n; i++) {
        are_all_known &= group_is_known(c, i) != 0;
    }
    for (uint32_t k = 0; k < c->n_components; k++) {
        compare_component(c, &float_formats[c->fmt], k, &e);
    }
    if (is_special_undefined && (e.has_nan || e.has_inf)) {
        return GROUP_ANYTHING;
    }
    if (is_special_undefined && !are_all_known) {
        return GROUP_UNKNOWN; /* a NaN or an infinity may be among the others */
    }
    bool const is_nan_compared = e.has_nan && c->n > 1;
    bool const is_unequal = is_nan_compared || e.differs_flushed || (e.differs && !flushes);
    if (is_unequal) {
        out[0] = 0;
        return GROUP_IS;
    }
    if (!are_all_known) {
        return GROUP_UNKNOWN;
    }
    if (e.has_nan || e.differs) {
        return GROUP_EITHER; /* a lone NaN need not equal itself; what differs may be flushed or not */
    }
    out[0] = 1;
    return GROUP_IS;
}

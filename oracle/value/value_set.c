/* oracle/value/value_set.c -- values that may be any member of a set. */
#include "oracle/value/value_set.h"

#include "base/format.h"
#include "base/ops.h"
#include "oracle/num/set.h"

static const struct float_format *format_of(enum fmt_id fmt)
{
    return &float_formats[fmt];
}

bool value_is_special(enum fmt_id fmt, uint64_t enc)
{
    return (enc & format_of(fmt)->exp) == format_of(fmt)->exp;
}

enum clause_id value_get_clause(uint32_t opcode)
{
    static unsigned char const by_row[OP_N] = {
#define OP(set, name, number, types, environments, identity, clause, weight) CLAUSE_##clause,
#include "base/ops.def"
    };
    int const row = op_find_number(opcode);
    return row < 0 ? CLAUSE_NONE : (enum clause_id)by_row[row];
}

enum clause_id value_get_binding(uint32_t opcode)
{
    enum clause_id const clause = value_get_clause(opcode);
    return clause == CLAUSE_NONE ? CLAUSE_COPY_EXACT : clause;
}

struct val value_anything(struct exec *x, enum clause_id clause)
{
    struct val const v = exec_new_abstract(x);
    if (v.abs) {
        x->pool[v.abs].clause = (uint8_t)clause;
        x->pool[v.abs].clause_out = CLAUSE_NOT_NAN_INF;
    }
    return v;
}

struct val value_loosen(struct exec *x, struct val v, int is_loose)
{
    if (v.abs && is_loose) {
        x->pool[v.abs].is_loose = 1;
    }
    return v;
}

/* Where a value comes from, so that it can be named and explained. */
static void put_origin(const struct value_site *site, struct val v)
{
    if (v.abs) {
        struct abstract *b = &site->x->pool[v.abs];
        b->code = (uint32_t)(site->in - site->x->m->code) + 1;
        b->component = (uint8_t)site->c;
        b->number = (uint8_t)(site->fmt + 1);
    }
}

struct val value_name(const struct value_site *site, struct val v, enum clause_id clause)
{
    struct val named = v;
    if (!v.abs) {
        named = exec_new_abstract(site->x);
        if (named.abs) {
            site->x->pool[named.abs] = (struct abstract){.kind = ABSTRACT_ONE,
                                                         .bits = v.bits,
                                                         .grade = GRADE_VIOLATION,
                                                         .clause = (uint8_t)clause};
        }
    }
    put_origin(site, named);
    return named;
}

enum grade value_get_grade(const struct exec *x, struct val v)
{
    const struct abstract *b = exec_get_unobserved(x, v);
    if (!b) {
        return GRADE_VIOLATION;
    }
    return (enum grade)(b->grade > b->grade_zero ? b->grade : b->grade_zero);
}

const struct set *value_get_set(const struct exec *x, struct val v, enum fmt_id fmt,
                                struct set *scratch)
{
    uint64_t bits;
    if (exec_known(x, v, &bits) || abstract_is_one(&x->pool[v.abs])) {
        set_of(scratch, fmt, bits);
        return scratch;
    }
    return abstract_get_set(&x->pool[v.abs]);
}

bool value_holds_special(const struct set *s)
{
    const struct float_format *f = &float_formats[s->fmt];
    return s->flags != 0 || set_has(s, f->exp) || set_has(s, f->exp | f->sign);
}

/* Makes the value of an instruction that may give any member of s. The grade of a value outside is
 * the mildest (greatest: violation < divergence < undefined) of what the rules r give for the
 * instruction, for its operands, and for NaNs and infinities where one is involved. The value is
 * known only if s has one member, everything else is a violation, and no freedom (another way to
 * evaluate the expression) can explain another value. Otherwise it is a new entry of the pool. */
struct val value_from_set(struct exec *x, const struct set *s, const struct rules *r,
                          enum clause_id clause, int takes_special, enum grade mildest)
{
    const struct float_format *f = &float_formats[s->fmt];
    bool const is_special = takes_special || value_holds_special(s);
    if ((s->flags & SET_ANY) || (is_special && r->special == GRADE_UNDEFINED)) {
        return value_anything(x, clause);
    }
    /* A zero of the other sign has a grade of its own. Where its sign is UNDEFINED, both zeros are members
     * of s already (fp_rules.zero_sign_free), so that only a divergence remains. */
    bool const has_zero = set_has(s, 0) || set_has(s, f->sign);
    enum grade const zero =
        has_zero && r->zero_sign == GRADE_DIVERGENCE ? GRADE_DIVERGENCE : GRADE_VIOLATION;
    enum grade grade = r->outside > mildest ? r->outside : mildest;
    enum clause_id clause_out = r->outside_clause;
    if (is_special && r->special > grade) {
        grade = r->special;
        clause_out = r->special_clause;
    } else if (zero > grade) {
        /* The grade stays a violation, which uses no clause_out. The field then names the rule that excuses the
         * zero, which is also the one for special values. */
        clause_out = r->special_clause;
    }
    /* one member; a NaN is none, as flags stand for all NaNs of a class */
    bool const is_one = s->flags == 0 && s->n == 1 && s->r[0].lo == s->r[0].hi;
    uint64_t const bits = is_one ? format_from_key(f, s->r[0].lo) : 0;
    if (is_one && grade == GRADE_VIOLATION && zero == GRADE_VIOLATION && r->freedom == 0) {
        return (struct val){.bits = bits};
    }
    struct val const v = exec_new_abstract(x);
    const struct set *kept = is_one ? NULL : arena_copy(x->a, s, sizeof *s);
    if (!v.abs || (!is_one && !kept)) {
        x->stop = "arena full";
        return v;
    }
    x->pool[v.abs] = (struct abstract){.kind = is_one ? ABSTRACT_ONE : ABSTRACT_SET,
                                       .bits = bits,
                                       .set = kept,
                                       .grade = (uint8_t)grade,
                                       .grade_zero = (uint8_t)zero,
                                       .freedom = (uint8_t)r->freedom,
                                       .clause = (uint8_t)clause,
                                       .clause_out = (uint8_t)clause_out};
    return v;
}

/* v as it comes out of an instruction that keeps bits: the same, unless v is known and the rules doubt
 * such a value, a NaN or an infinity, or the sign of a zero. Then it gets the grade by which another value
 * is called; if they are undefined it becomes anything, or a zero of either sign. */
struct val value_copy(struct exec *x, enum fmt_id fmt, const struct rules *r, struct val v,
                      enum clause_id clause)
{
    uint64_t bits;
    if (!exec_known(x, v, &bits)) {
        return v;
    }
    bool const is_special = value_is_special(fmt, bits);
    bool const is_zero = format_is_zero(format_of(fmt), bits);
    bool const is_doubtful = (is_special && r->special != GRADE_VIOLATION) ||
                             (is_zero && r->zero_sign != GRADE_VIOLATION);
    if (!is_doubtful) {
        return v;
    }
    if (is_special && r->special == GRADE_UNDEFINED) {
        return value_anything(x, clause);
    }
    struct set s;
    set_of(&s, fmt, bits);
    if (is_zero && r->zero_sign == GRADE_UNDEFINED) {
        set_add(&s, bits ^ format_of(fmt)->sign);
    }
    return value_from_set(x, &s, r, clause, is_special, GRADE_VIOLATION);
}

/* set_count takes all NaNs for one, but a signalling one has rules of its own. */
uint64_t value_count_members(const struct set *s)
{
    int const both = (s->flags & SET_QNAN) && (s->flags & SET_SNAN);
    return s->flags & SET_ANY ? UINT64_MAX : set_count(s) + (uint64_t)both;
}

/* For each operand its set, and in o the mildest grade of them with its clause, whether one may be a NaN
 * or an infinity, and whether one is loose, known by a bound of more than a few encodings. An operand that
 * was observed is known, so it adds no grade. */
bool value_take_operands(const struct exec *x, const struct val *v, uint32_t n, enum fmt_id fmt,
                         struct operands *operands)
{
    for (uint32_t i = 0; i < n; i++) {
        operands->set[i] = value_get_set(x, v[i], fmt, &operands->scratch[i]);
        if (!operands->set[i]) {
            return false;
        }
        const struct abstract *b = exec_get_unobserved(x, v[i]);
        enum grade const grade = value_get_grade(x, v[i]);
        if (b && grade > operands->mildest) {
            operands->mildest = grade;
            operands->mildest_clause = (enum clause_id)b->clause_out;
        }
        operands->special |= value_holds_special(operands->set[i]);
        operands->is_loose |= b && b->is_loose;
    }
    return true;
}

void value_inherit_grade(struct rules *r, const struct operands *operands)
{
    if (operands->mildest > r->outside) {
        r->outside = operands->mildest;
        r->outside_clause = operands->mildest_clause;
    }
}

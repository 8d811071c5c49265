/* oracle/judge/comparison.c -- what a difference is called, and how grave it is. */
#include "oracle/judge/comparison.h"

/* Is got as close to the permitted set as single precision would bring it? */
static int is_within_single(const struct set *s, uint64_t got)
{
    return arith_ulp_distance(s, got) <= 536870912.0; /* 2^29 double ulps make one of single's */
}

/* The other zero of a float whose sign is no violation, seen as an integer: by its bits it was stored. */
static int is_zero_bits(const struct comparison *c, const struct observed *o)
{
    uint64_t const sign = o->n_bits > 0 ? UINT64_C(1) << (o->n_bits - 1) : 0;
    return c->grade_zero > GRADE_VIOLATION && (c->expected ^ o->got) == sign &&
           (c->expected & ~sign) == 0;
}

enum verdict_kind comparison_classify(const struct judge *j, const struct observed *o,
                                      struct comparison *c, enum grade *grade)
{
    const struct mod_inst *in = o->in;
    uint64_t const got = o->got;
    const struct float_format *f = &float_formats[c->fmt];
    *grade = c->grade;
    if (c->is_float && in->op == SpvOpAtomicFAddEXT && !o->inv && o->e->knows_original &&
        got == o->e->original && !format_is_nan(f, got) &&
        !(c->permitted.flags & (SET_QNAN | SET_SNAN))) {
        return VERDICT_ATOMICITY; /* as if the sum had never been stored */
    }
    if (c->sum && reduction_is_zero_seed(&c->sum->terms, got)) {
        *grade = *grade > GRADE_DIVERGENCE ? *grade : GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_GROUP_ZERO_SEED;
        return VERDICT_ZERO_SIGN;
    }
    if (c->sum && *grade == GRADE_VIOLATION && reduction_is_wider(&c->sum->terms, got)) {
        *grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_GROUP_METHOD;
        return VERDICT_ULP;
    }
    if ((c->mask && group_kind_of(in->op) != GROUP_NONE) || in->op == SpvOpGroupNonUniformElect) {
        return VERDICT_MASK;
    }
    if (!c->is_float && is_zero_bits(c, o)) {
        *grade = c->grade_zero > c->grade ? c->grade_zero : c->grade;
        return VERDICT_ZERO_SIGN;
    }
    if (!c->is_float) {
        return in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicXor ? VERDICT_ATOMICITY
                                                                     : VERDICT_ULP;
    }
    int const is_other_zero = format_is_zero(f, got) && set_has(&c->permitted, got ^ f->sign);
    if (!is_other_zero && (format_is_nan(f, got) || (c->permitted.flags & (SET_QNAN | SET_SNAN)))) {
        return VERDICT_NAN_RULE;
    }
    int const is_group = group_kind_of(in->op) != GROUP_NONE;
    int const is_move = group_kind_of(in->op) == GROUP_MOVE;
    int const is_copy = (in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicExchange) ||
                        in->op == SpvOpSelect || in->op == SpvOpLoad;
    if (format_is_zero(f, got)) {
        if (is_other_zero) {
            *grade = c->grade_zero > c->grade ? c->grade_zero : c->grade;
            return VERDICT_ZERO_SIGN;
        }
        /* B2, B3: no clause either way for a flush by a load, a store or an exchange */
        int const may_flush = j->tc->env == ENV_CL ? is_copy : !j->m.modes.denorm_preserve[c->fmt];
        if (is_move && j->tc->env == ENV_CL && c->permitted.n == 1 &&
            format_is_subnormal(f, c->expected) && *grade == GRADE_VIOLATION) {
            *grade = GRADE_DIVERGENCE;
            c->clause_out = CLAUSE_GROUP_EXCHANGE_FLUSH;
        } else if (may_flush && !is_group && c->permitted.n == 1 &&
                   format_is_subnormal(f, c->expected) && in->op >= SpvOpAtomicLoad &&
                   *grade == GRADE_VIOLATION) {
            *grade = GRADE_DIVERGENCE;
            c->clause_out = CLAUSE_DENORM_DEFAULT;
        }
    }
    if (is_copy) {
        return VERDICT_ATOMICITY;
    }
    if (is_move) {
        return VERDICT_ULP;
    }
    if (j->tc->env == ENV_VK && c->fmt == FMT_F64 && !is_group &&
        is_within_single(&c->permitted, got) && *grade == GRADE_VIOLATION) {
        *grade = GRADE_DIVERGENCE;
        c->clause_out = CLAUSE_FADD_F64;
    }
    return VERDICT_ULP;
}

/* oracle/value/value_fuse.c -- a sum whose operand is a product: the values of one rounding. */
#include "oracle/value/value_fuse.h"

#include "oracle/num/arith.h"
#include "oracle/num/set.h"
#include "oracle/value/expression.h"

/* The product that is an operand of a sum, NULL if it is none: an FMul that may be contracted, or
 * FNegate of one (*negated), so at most two records back. */
static const struct expression *find_product(const struct exec *x, struct val v, int *negated)
{
    *negated = 0;
    for (int depth = 0; depth < 2 && v.made_by; depth++) {
        const struct expression *e = &x->expressions[v.made_by];
        uint32_t const op = x->m->code[e->code].op;
        bool const may_go = (e->freedom & EXPRESSION_CONTRACT) != 0;
        if (may_go && (op == SpvOpFMul || op == SpvOpVectorTimesScalar)) {
            return e;
        }
        if (op != SpvOpFNegate) {
            return NULL;
        }
        *negated = !*negated;
        v = e->arg[0];
    }
    return NULL;
}

/* A fused multiply-add of three sets within a bound: of each combination k of their members, the first
 * set's turning fastest. Anything when there are too many members. */
static void fuse_within(const struct set *const *args, enum env env, const struct rules *r,
                        const struct func_bound *bound, struct set *out)
{
    enum fmt_id const fmt = (enum fmt_id)out->fmt;
    uint64_t n[3];
    for (int i = 0; i < 3; i++) {
        n[i] = value_count_members(args[i]);
        if (n[i] > VALUE_MAX_ENUMERATED) {
            set_any(out, fmt);
            return;
        }
    }
    for (uint64_t k = 0; k < n[0] * n[1] * n[2]; k++) {
        struct func_args const one = {
            .fmt = fmt,
            .enc = {set_nth(args[0], k % n[0]), set_nth(args[1], k / n[0] % n[1]),
                    set_nth(args[2], k / n[0] / n[1])}
        };
        struct set permitted;
        (void)func_permitted(FUNC_FMA, env, &one, bound, &r->fp, &permitted);
        set_add_set(out, &permitted);
    }
}

/* Adds to out the results of a sum that is fused with the product in its operand `which`: rounded once, or within
 * `bound`. The fused sum is a * b + rest. If the product is negated or subtracted, a is negated; if the rest is
 * subtracted, the rest is negated. Nothing is added if the operand is no product. */
void value_add_fused(const struct value_site *site, const struct rules *r, int which,
                     const struct func_bound *bound, struct set *out)
{
    struct exec *x = site->x;
    enum fmt_id const fmt = (enum fmt_id)out->fmt;
    const uint32_t *const words = site->in->w + MOD_OPERAND;
    struct val const product = value_part(site, words[which]),
                     rest = value_part(site, words[1 - which]);
    int negated;
    const struct expression *mul = find_product(x, product, &negated);
    if (!mul) {
        return;
    }
    struct operands operands = {.mildest = GRADE_VIOLATION};
    struct val const operand[3] = {mul->arg[0], mul->arg[1], rest};
    if (!value_take_operands(x, operand, 3, fmt, &operands)) {
        set_any(out, fmt);
        return;
    }
    struct fp_rules const plain = {.rounding = ROUND_RNE};
    struct set minus_a, minus_rest, fused;
    const struct set *args[3] = {operands.set[0], operands.set[1], operands.set[2]};
    int const is_sub = site->in->op == SpvOpFSub;
    bool const is_product_subtracted = is_sub && which == 1,
               is_rest_subtracted = is_sub && which == 0;
    if (negated != is_product_subtracted) {
        arith_negate(operands.set[0], &plain, &minus_a);
        args[0] = &minus_a;
    }
    if (is_rest_subtracted) {
        arith_negate(operands.set[2], &plain, &minus_rest);
        args[2] = &minus_rest;
    }
    set_clear(&fused, fmt);
    if (bound->ulp > 0) {
        fuse_within(args, site->rs->env, r, bound, &fused);
    } else {
        arith_apply(ARITH_FMA, args, &r->fp, 0.0, &fused);
    }
    set_add_set(out, &fused);
}

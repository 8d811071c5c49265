/* oracle/value/expression_hull.c -- all that an expression can give, as an enclosure. */
#include "oracle/value/expression_hull.h"

#include <stdlib.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/interp/module.h"
#include "oracle/num/arith.h"
#include "oracle/num/set.h"
#include "oracle/value/expression.h"
#include "oracle/value/terms.h"
#include "oracle/value/value_convert.h"
#include "oracle/value/value_math.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"

/* What an instruction does to its operands, where it is arithmetic on numbers. */
enum {
    CL_FMA = OP_NUMBER(OP_SET_opencl_std, 26),
    CL_MAD = OP_NUMBER(OP_SET_opencl_std, 42),
    VK_MIX = OP_NUMBER(OP_SET_glsl450, 46),
    VK_FMA = OP_NUMBER(OP_SET_glsl450, 50)
};
enum shape {
    SHAPE_OTHER, /* a function: by its own permitted sets */
    SHAPE_ADD,
    SHAPE_SUB,
    SHAPE_MUL,
    SHAPE_DIV,
    SHAPE_NEGATE,
    SHAPE_CONVERT,
    SHAPE_FMA, /* x y + z */
    SHAPE_MIX, /* x (1 - a) + y a */
    SHAPE_DOT  /* the first half of the operands by the second */
};

/* Returns the arithmetic that the opcode (OP_NUMBER) performs on its operands. SHAPE_OTHER: it is
 * a function or a conversion of an integer, of which only its own permitted sets are known. */
static enum shape find_shape(uint32_t op)
{
    static const struct {
        uint32_t op;
        enum shape shape;
    } rows[] = {
        {SpvOpFAdd,              SHAPE_ADD    },
        {SpvOpAtomicFAddEXT,     SHAPE_ADD    },
        {SpvOpFSub,              SHAPE_SUB    },
        {SpvOpFMul,              SHAPE_MUL    },
        {SpvOpVectorTimesScalar, SHAPE_MUL    },
        {SpvOpFDiv,              SHAPE_DIV    },
        {SpvOpFNegate,           SHAPE_NEGATE },
        {SpvOpFConvert,          SHAPE_CONVERT},
        {SpvOpDot,               SHAPE_DOT    },
        {CL_FMA,                 SHAPE_FMA    },
        {CL_MAD,                 SHAPE_FMA    },
        {VK_FMA,                 SHAPE_FMA    },
        {SPV_OP_FMA_KHR,         SHAPE_FMA    },
        {VK_MIX,                 SHAPE_MIX    },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == op) {
            return rows[i].shape;
        }
    }
    return SHAPE_OTHER;
}

/* One instruction of the expression, worked out. */
struct node {
    uint32_t at;         /* its record */
    struct set hull;     /* what it may give where it goes into another instruction */
    struct terms *terms; /* what it is as a real expression; NULL: it stands for its hull */
    bool has_special;    /* a NaN or an infinity is among the operands that terms would have */
};
struct walk {
    struct exec *x;
    const struct ruleset *rs; /* of the record whose hull is computed */
    uint32_t n;
    struct node *node; /* [n] ascending by record: operands come before what uses them */
};

/* --- which instructions --- */

static int by_record(const void *a, const void *b)
{
    uint32_t const i = ((const struct node *)a)->at, k = ((const struct node *)b)->at;
    return (i > k) - (i < k);
}

static bool has_record(const uint32_t *found, uint32_t n, uint32_t record)
{
    for (uint32_t i = 0; i < n; i++) {
        if (found[i] == record) {
            return true;
        }
    }
    return false;
}

/* Collects in walk->node, in ascending order, all records that `root` depends on: itself, the records
 * of its operands, those of their operands, and so on, each once. Returns false where they exceed
 * the limit, or the arena is full. */
static bool collect(struct walk *walk, uint32_t root)
{
    uint32_t *found = ARENA_NEW(walk->x->a, uint32_t, EXPRESSION_MAX_NODES);
    walk->node = found ? ARENA_NEW(walk->x->a, struct node, EXPRESSION_MAX_NODES) : NULL;
    if (!walk->node) {
        return false;
    }
    found[walk->n++] = root;
    for (uint32_t i = 0; i < walk->n; i++) {
        const struct expression *e = &walk->x->expressions[found[i]];
        for (uint32_t k = 0; k < e->n_args; k++) {
            uint32_t const record = e->arg[k].made_by;
            /* 0: an input of the expression */
            if (record == 0 || has_record(found, walk->n, record)) {
                continue;
            }
            if (walk->n == EXPRESSION_MAX_NODES) {
                return false;
            }
            found[walk->n++] = record;
        }
    }
    for (uint32_t i = 0; i < walk->n; i++) {
        walk->node[i].at = found[i];
    }
    qsort(walk->node, walk->n, sizeof *walk->node, by_record);
    return true;
}

static struct node *find_node(const struct walk *walk, uint32_t record)
{
    struct node const key = {.at = record};
    return record ? bsearch(&key, walk->node, walk->n, sizeof *walk->node, by_record) : NULL;
}

/* --- operands --- */

/* Adds to s the numbers between its smallest and its largest member: of an interval both ends suffice. */
static void fill_gaps(struct set *s)
{
    if (s->n > 1 && !(s->flags & SET_ANY)) {
        set_add_range(s, s->r[0].lo, s->r[s->n - 1].hi);
    }
}

/*
 * The set of scalar k of e's operands, without gaps: what it was seen to be or its own rules permit. If it
 * is made by a record with which e may be evaluated together (they share a freedom), or which itself may
 * lie outside of its set, also all that this record may give, its hull. Anything if nothing is known of
 * the operand.
 */
static void take_arg(const struct walk *walk, const struct expression *e, uint32_t k,
                     enum fmt_id fmt, struct set *out)
{
    struct set scratch;
    const struct set *seen = value_get_set(walk->x, e->arg[k], fmt, &scratch);
    const struct node *made = find_node(walk, e->arg[k].made_by);
    if (!seen) {
        set_any(out, fmt);
        return;
    }
    *out = *seen;
    /* joint: enum expression_freedom, the ways in which both may be evaluated as one */
    unsigned const joint = made ? e->freedom & walk->x->expressions[made->at].freedom : 0;
    const struct abstract *b = exec_get_unobserved(walk->x, e->arg[k]);
    if (joint != 0 || (made && b && b->freedom != 0)) {
        set_add_set(out, &made->hull);
    }
    fill_gaps(out);
}

/* The format of e's float operands: that of the result, but for a conversion that of its operand; 0 where
 * that is no float. */
static enum fmt_id arg_format(const struct walk *walk, const struct expression *e, enum shape shape)
{
    const struct mod_inst *in = &walk->x->m->code[e->code];
    int fmt = e->fmt;
    if (shape == SHAPE_CONVERT) {
        fmt = module_get_format(walk->x->m, walk->x->m->ids[in->w[MOD_OPERAND]].type);
    }
    return (enum fmt_id)(fmt < 0 ? 0 : fmt);
}

/* --- contraction: sets --- */

/* Adds both zeros to a set with subnormals that may be flushed. */
static void widen_flushed(struct set *s, enum flush flush)
{
    const struct float_format *f = &float_formats[s->fmt];
    int64_t const last = (int64_t)f->frac;
    for (unsigned i = 0; flush != FLUSH_NEVER && i < s->n; i++) {
        if (s->r[i].lo <= last && s->r[i].hi >= -1 - last) {
            set_add_range(s, -1, 0);
            return;
        }
    }
}

/* The rules of the instruction. */
static struct rules get_rules(const struct walk *walk, const struct expression *e)
{
    const struct mod_inst *in = &walk->x->m->code[e->code];
    return ruleset_get(walk->rs,
                       in->op == SpvOpAtomicFAddEXT ? RULE_ATOMIC : rules_find_class(in->op),
                       (enum fmt_id)e->fmt, &walk->x->m->ids[in->result]);
}

/* Computes what one instruction of this shape may give for the operand sets `arg` under
 * contraction: either rounding of the exact value, or the exact value itself, may go into the next
 * instruction. Each result is rounded both ways here, and the caller fills the gap between. */
static void apply_arithmetic(const struct walk *walk, const struct expression *e, enum shape shape,
                             const struct set *arg, struct set *out)
{
    const struct mod_inst *in = &walk->x->m->code[e->code];
    enum fmt_id const fmt = (enum fmt_id)e->fmt;
    struct rules r = get_rules(walk, e);
    static const enum arith_op ops[] = {[SHAPE_ADD] = ARITH_ADD,
                                        [SHAPE_SUB] = ARITH_SUB,
                                        [SHAPE_MUL] = ARITH_MUL,
                                        [SHAPE_DIV] = ARITH_DIV,
                                        [SHAPE_FMA] = ARITH_FMA};
    const struct set *args[3] = {&arg[0], &arg[1], &arg[2]};
    r.fp.rounding = ROUND_EITHER; /* the two neighbours enclose the exact value */
    set_clear(out, fmt); /* DOT, MIX and OTHER go to apply_function: ops has no row for them */
    if (shape == SHAPE_NEGATE) {
        arith_negate(&arg[0], &r.fp, out);
    } else if (shape == SHAPE_CONVERT) {
        struct rules const from = ruleset_get(walk->rs, RULE_ARITH, arg_format(walk, e, shape),
                                              &walk->x->m->ids[in->result]);
        arith_convert(&arg[0], &from.fp, fmt, &r.fp, out);
    } else {
        /* all but a quotient is rounded correctly (0) */
        double const bound = shape == SHAPE_DIV ? walk->rs->div_bound_ulp[fmt] : 0.0;
        arith_apply(ops[shape], args, &r.fp, bound, out);
    }
}

/* --- functions: their own permitted sets, for other operands --- */

/* Leaves of s only members that stand for all of it: all of them if they are few, else both ends of a run
 * of one sign so short that a function is all but straight over it. false: trying members says nothing, as
 * s is anything, or has many members and is longer or may be a NaN. */
static bool pick_members(struct set *s)
{
    enum {
        MAX_EACH = 4,
        NARROW_BITS = 6 /* a short run: its length is below 2^-NARROW_BITS of its numbers */
    };
    const struct float_format *f = &float_formats[s->fmt];
    if ((s->flags & SET_ANY) || value_count_members(s) <= MAX_EACH) {
        return !(s->flags & SET_ANY);
    }
    if (s->flags != 0 || s->n == 0) {
        return false;
    }
    int64_t const lo = s->r[0].lo, hi = s->r[s->n - 1].hi;
    if ((lo < 0) != (hi < 0) || (uint64_t)(hi - lo) >> (f->prec_bits - NARROW_BITS) != 0) {
        return false;
    }
    set_clear(s, (enum fmt_id)s->fmt);
    set_add_range(s, lo, lo);
    set_add_range(s, hi, hi);
    return true;
}

/* Makes s three times as long, by its length on either side: a function whose operands were tried at their
 * ends alone may bend beyond the results in between. Stops at the infinities. */
static void widen_between_members(struct set *s)
{
    const struct float_format *f = &float_formats[s->fmt];
    int64_t const inf = (int64_t)f->exp;
    if ((s->flags & SET_ANY) || s->n == 0) {
        return;
    }
    int64_t const lo = s->r[0].lo, hi = s->r[s->n - 1].hi;
    int64_t const more = hi - lo;
    set_add_range(s, lo - more < -1 - inf ? -1 - inf : lo - more,
                  hi + more > inf ? inf : hi + more);
}

/* A register that may hold any member of a set. false: the arena is full. */
static bool put_set(struct exec *x, const struct set *s, struct val *to)
{
    const struct set *kept = arena_copy(x->a, s, sizeof *s);
    *to = exec_new_abstract(x);
    if (!to->abs || !kept) {
        return false;
    }
    bool const is_one = set_count(s) == 1 && s->flags == 0;
    x->pool[to->abs] = (struct abstract){
        .kind = ABSTRACT_SET,
        .set = kept,
        .bits = is_one ? format_from_key(&float_formats[s->fmt], s->r[0].lo) : 0,
        .is_observed = is_one,
    };
    return true;
}

/* Writes the sets `arg` of e's operands into the registers of inv, where the instruction reads them, as values
 * without an expression. e->arg and arg have one entry for each component that is read, in the order of the
 * operands, constants included. Constants are left out, integers keep their value. Returns false where the arena
 * is full. */
static bool put_args(const struct walk *walk, const struct expression *e, const struct set *arg,
                     struct invocation *inv)
{
    const struct module *m = walk->x->m;
    const struct mod_inst *in = &m->code[e->code];
    bool const is_whole = value_is_whole(in->op);
    uint32_t k = 0;
    for (uint32_t i = value_first_operand(in->op); i < in->n; i++) {
        const struct mod_id *id = &m->ids[in->w[i]];
        /* else the component of the result alone */
        bool const takes_all = is_whole || id->n_slots == 1;
        uint32_t const first_component = takes_all ? 0 : e->component;
        uint32_t const n = takes_all ? id->n_slots : 1;
        for (uint32_t c = 0; c < n; c++, k++) {
            if (id->slot < m->n_consts) { /* a constant has no register of the invocation */
                continue;
            }
            struct val *const to = &inv->regs[id->slot - m->n_consts + first_component + c];
            *to = e->arg[k];
            /* no expression, so that the function takes the set and does not look behind it */
            to->made_by = 0;
            if (module_get_format(m, id->type) >= 0 && !put_set(walk->x, &arg[k], to)) {
                return false;
            }
        }
    }
    return true;
}

/* Component site->c of what a function or a conversion of an integer gives of the operands in the registers of
 * site->inv. */
static bool apply_to_registers(const struct value_site *site, struct val *out)
{
    struct val through;
    if (value_is_math(site->x, site->in)) {
        return value_math(site, out, &through) == 1;
    }
    *out = value_convert(site);
    return site->x->stop == NULL;
}

/* Computes what a function may give, by value_math. `arg` are the sets of its operands, from which members are
 * removed here: the function is evaluated on a few members of each, in registers of its own. Unless every operand
 * is a single value, the result is widened for the members that were not tried. The result is anything where
 * members cannot represent a set, or value_math knows nothing. */
static void apply_function(const struct walk *walk, const struct expression *e, struct set *arg,
                           struct set *out)
{
    const struct mod_inst *in = &walk->x->m->code[e->code];
    struct invocation inv = {.regs = ARENA_NEW(walk->x->a, struct val, walk->x->m->n_regs + 1)};
    struct value_site const site = {.x = walk->x,
                                    .rs = walk->rs,
                                    .inv = &inv,
                                    .in = in,
                                    .c = e->component,
                                    .fmt = (enum fmt_id)e->fmt};
    struct val v;
    bool are_single = true;
    set_any(out, (enum fmt_id)e->fmt);
    if (e->freedom & EXPRESSION_LOOSE) { /* a build option removes the bounds and gives no others */
        return;
    }
    for (uint32_t k = 0; k < e->n_args; k++) {
        if (!pick_members(&arg[k])) {
            return;
        }
        are_single &= set_count(&arg[k]) == 1;
    }
    if (!inv.regs || !put_args(walk, e, arg, &inv) || !apply_to_registers(&site, &v)) {
        return;
    }
    struct set scratch;
    const struct set *s = value_get_set(walk->x, v, (enum fmt_id)e->fmt, &scratch);
    if (s) { /* else it may be anything, as *out says already */
        *out = *s;
    }
    fill_gaps(out);
    if (!are_single) {
        widen_between_members(out);
    }
}

/* --- rearrangement: terms --- */

/* The operand as a real expression: that of the instruction that made it, where both may be rearranged. */
static bool take_terms(const struct walk *walk, const struct expression *e, uint32_t k,
                       const struct set *arg, struct terms *out)
{
    const struct node *made = find_node(walk, e->arg[k].made_by);
    unsigned const joint = made ? e->freedom & walk->x->expressions[made->at].freedom : 0;
    if (made && made->terms && (joint & EXPRESSION_REARRANGE)) {
        terms_copy(out, made->terms);
        return true;
    }
    return terms_of_set(out, arg);
}

/* x (1 - a) + y a, in x. y and scratch are overwritten. false: too many terms. */
static bool mix_terms(struct terms *x, struct terms *y, struct terms *a, struct terms *scratch)
{
    terms_copy(scratch, x);
    terms_negate(scratch);
    return terms_multiply(scratch, a) && terms_multiply(y, a) && terms_add(x, scratch) &&
           terms_add(x, y);
}

/* The sum of products x[k] y[k] in t[0], where e's operands are all x, then all y. t[1] and t[2] are
 * scratch. false: an operand has no terms (terms_of_set), or there are too many. */
static bool dot_terms(const struct walk *walk, const struct expression *e, const struct set *arg,
                      struct terms t[4])
{
    uint32_t const n = e->n_args / 2;
    for (uint32_t k = 0; k < n; k++) {
        struct terms *const to = k == 0 ? &t[0] : &t[1];
        if (!take_terms(walk, e, k, &arg[k], to) ||
            !take_terms(walk, e, k + n, &arg[k + n], &t[2]) || !terms_multiply(to, &t[2]) ||
            (k > 0 && !terms_add(&t[0], &t[1]))) {
            return false;
        }
    }
    return n > 0;
}

/* Expresses the instruction as a real expression in t[0]; the other elements of t are scratch.
 * Returns false where an operand may be a NaN, an infinity or anything, a divisor may be zero,
 * there are too many terms, or e is a function. */
static bool make_terms(const struct walk *walk, const struct expression *e, enum shape shape,
                       const struct set *arg, struct terms t[4])
{
    if (shape == SHAPE_DOT) {
        return dot_terms(walk, e, arg, t);
    }
    for (uint32_t k = 0; k < e->n_args && k < 3; k++) {
        if (!take_terms(walk, e, k, &arg[k], &t[k])) {
            return false;
        }
    }
    switch (shape) {
    case SHAPE_ADD:
        return terms_add(&t[0], &t[1]);
    case SHAPE_SUB:
        terms_negate(&t[1]);
        return terms_add(&t[0], &t[1]);
    case SHAPE_MUL:
        return terms_multiply(&t[0], &t[1]);
    case SHAPE_DIV:
        return terms_divide(&t[0], &t[1], walk->rs->div_bound_ulp[e->fmt]);
    case SHAPE_NEGATE:
        terms_negate(&t[0]);
        return true;
    case SHAPE_CONVERT:
        terms_convert(&t[0], (enum fmt_id)e->fmt);
        return true;
    case SHAPE_FMA:
        return terms_multiply(&t[0], &t[1]) && terms_add(&t[0], &t[2]);
    case SHAPE_MIX:
        return mix_terms(&t[0], &t[1], &t[2], &t[3]);
    case SHAPE_DOT:
    case SHAPE_OTHER:
        break;
    }
    return false;
}

/* May a NaN or an infinity go away by rearranging? It may where it stands twice, or beside a zero or a
 * quotient: x - x and 0 x are 0, x y / x is y. V env, Evaluation of Expressions, and its note. */
static bool may_cancel(const struct walk *walk, const struct expression *e, enum shape shape,
                       const struct set *arg)
{
    if (shape == SHAPE_DIV || walk->n > 1) {
        return true;
    }
    for (uint32_t k = 0; k < e->n_args; k++) {
        const struct float_format *f = &float_formats[arg[k].fmt];
        if (shape != SHAPE_ADD && (set_has(&arg[k], 0) || set_has(&arg[k], f->sign))) {
            return true;
        }
        for (uint32_t i = 0; i < k; i++) {
            if (e->arg[k].abs == e->arg[i].abs && e->arg[k].bits == e->arg[i].bits) {
                return true;
            }
        }
    }
    return false;
}

/* Adds to node->hull what the instruction may give when it is rearranged: the enclosure of it as a
 * real expression, which node->terms keeps for the instructions that use the result. The hull
 * becomes anything if there is no such expression or one of its steps may overflow. The hull stays
 * as it is only where that is due to a NaN or infinity among the operands that cannot cancel,
 * because such a value remains however the instruction is rearranged. */
static void add_rearranged(struct walk *walk, struct node *node, enum shape shape,
                           const struct set *arg)
{
    const struct expression *e = &walk->x->expressions[node->at];
    enum fmt_id const fmt = (enum fmt_id)e->fmt;
    struct terms *t = ARENA_NEW(walk->x->a, struct terms, 4);
    struct set sums;
    if (!t) {
        set_any(&node->hull, fmt);
        return;
    }
    for (uint32_t k = 0; k < e->n_args; k++) {
        node->has_special |= value_holds_special(&arg[k]);
    }
    if (!make_terms(walk, e, shape, arg, t)) {
        if (!node->has_special || may_cancel(walk, e, shape, arg)) {
            set_any(&node->hull, fmt);
        }
        return;
    }
    bool const may_flush = get_rules(walk, e).fp.flush_out != FLUSH_NEVER;
    if (terms_enclose(t, fmt, may_flush, &sums)) {
        set_add_set(&node->hull, &sums);
        node->terms = t;
    } else { /* an intermediate overflow may lead to any result */
        set_any(&node->hull, fmt);
    }
}

/* --- the whole --- */

/* Finds the hull of one instruction: all values that it may give, from the hulls of its operands. First it is
 * evaluated by contraction or as a function, then also rearranged where that is permitted. The hull stays anything
 * if the arena is full. Gaps are filled in the operands and in the hull, because a value passed from one
 * instruction to another need not be a number of the format: it may be any real number between two members, such
 * as the exact value between its two roundings. Results in a gap are permitted as well, which is on the safe side.
 * Subnormal operands are flushed by arith_apply under apply_arithmetic and by the function's permitted sets under
 * apply_function (also for DOT and MIX). Terms do not model flushing, so that for rearranging the operands are
 * widened by the zeros that Vulkan may flush them to. */
static void find_hull(struct walk *walk, struct node *node)
{
    const struct expression *e = &walk->x->expressions[node->at];
    enum shape const shape = find_shape(walk->x->m->code[e->code].op);
    enum fmt_id const fmt = arg_format(walk, e, shape);
    struct set *arg = ARENA_NEW(walk->x->a, struct set, e->n_args + 1);
    set_any(&node->hull, (enum fmt_id)e->fmt);
    for (uint32_t k = 0; arg && k < e->n_args; k++) {
        take_arg(walk, e, k, fmt, &arg[k]);
    }
    /* apply_function removes members from the operands; rearranging needs all of them */
    struct set *const kept =
        arg ? arena_copy(walk->x->a, arg, sizeof *arg * (e->n_args + 1)) : NULL;
    if (!kept) {
        return;
    }
    if (shape == SHAPE_OTHER || shape == SHAPE_DOT || shape == SHAPE_MIX) {
        apply_function(walk, e, arg, &node->hull);
    } else {
        apply_arithmetic(walk, e, shape, arg, &node->hull);
    }
    fill_gaps(&node->hull);
    if ((e->freedom & EXPRESSION_REARRANGE) && shape != SHAPE_OTHER) {
        for (uint32_t k = 0; k < e->n_args; k++) {
            widen_flushed(&kept[k], walk->rs->env == ENV_VK ? FLUSH_MAY : FLUSH_NEVER);
        }
        add_rearranged(walk, node, shape, kept);
    }
}

/*
 * Encloses in *out all that the expression of v may give, each of its instructions evaluated by itself
 * or together with others. false: no instruction left a record for v, or it is of another format. The sets
 * of all records that v stands on are found first, operands before what uses them; if these are too many,
 * *out is anything.
 */
bool expression_enclose(struct exec *x, const struct ruleset *rs, struct val v, enum fmt_id fmt,
                        struct set *out)
{
    struct walk walk = {.x = x};
    struct ruleset inner = *rs;
    struct arena_mark const mark = arena_get_mark(x->a);
    uint32_t const n_pool = x->n_pool;
    const struct abstract *const pool = x->pool;
    if (!v.made_by || (enum fmt_id)x->expressions[v.made_by].fmt != fmt) {
        return false;
    }
    set_any(out, fmt);
    if (collect(&walk, v.made_by)) {
        inner.is_inner = true;
        for (uint32_t i = 0; i < walk.n; i++) {
            walk.rs = walk.node[i].at == v.made_by ? rs : &inner;
            find_hull(&walk, &walk.node[i]);
        }
        *out = find_node(&walk, v.made_by)->hull;
    }
    if (x->pool ==
        pool) { /* all memory is released, unless the pool was reallocated after the mark */
        x->n_pool = n_pool;
        arena_release(x->a, mark);
    }
    return true;
}

bool expression_explains(struct exec *x, const struct ruleset *rs, struct val v, enum fmt_id fmt,
                         uint64_t got)
{
    struct set all;
    return expression_enclose(x, rs, v, fmt, &all) && set_has(&all, got);
}

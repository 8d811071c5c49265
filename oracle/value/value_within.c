/* oracle/value/value_within.c -- what a max-error decoration permits around a value that is exact without it. */
#include "oracle/value/value_within.h"

#include "base/format.h"
#include "oracle/func/func.h"
#include "oracle/interp/module.h"
#include "oracle/math/accuracy.h"
#include "oracle/value/expression.h"
#include "oracle/value/value_set.h"

enum {
    MAX_POINTS = 160 /* of a range, where the reach of the bound is looked at */
};

bool value_propagates(const struct module *m, const struct mod_inst *in)
{
    static const uint32_t rows[] = {SpvOpSelect,
                                    SpvOpPhi,
                                    SpvOpLoad,
                                    SpvOpFunctionCall,
                                    SpvOpFunctionParameter,
                                    SpvOpBitcast,
                                    SpvOpCopyObject,
                                    SpvOpCompositeConstruct,
                                    SpvOpCompositeExtract,
                                    SpvOpCompositeInsert,
                                    SpvOpVectorShuffle,
                                    SpvOpVectorExtractDynamic,
                                    SpvOpVectorInsertDynamic};
    bool hands_on = false;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        hands_on |= in->op == rows[i];
    }
    return hands_on && module_is_decorated_float(m, in);
}

/* One bound around members of one set. */
struct reach {
    enum env env;
    struct func_bound bound;
    const struct fp_rules *rules;
};

/* Adds what is within the bound of the number `enc`: of the negation of its negation, which is exact. false: a
 * budget ran out. */
static bool add_around(const struct reach *w, uint64_t enc, struct set *out)
{
    const struct float_format *f = &float_formats[out->fmt];
    struct func_args const args = {.fmt = (enum fmt_id)out->fmt, .enc = {enc ^ f->sign}};
    struct set one;
    if (!func_permitted(FUNC_FNEGATE, w->env, &args, &w->bound, w->rules, &one)) {
        return false;
    }
    set_add_set(out, &one);
    set_add(out, enc);
    return true;
}

/* The first key from `key` on at which a binade begins or ends, or at zero: between two of them one ulp is the
 * same, so that the reach grows with the number. */
static int64_t find_edge(const struct float_format *f, int64_t key)
{
    int64_t const step = (int64_t)f->frac + 1;
    if (key < 0) { /* -1 - magnitude */
        int64_t const magnitude = -1 - key;
        return key == -1 ? -1 : -1 - magnitude / step * step;
    }
    return (key + (step - 1)) / step * step; /* of infinity the sum is the largest there is */
}

/* Adds the hull of what is around the keys lo to hi. false: too many edges, or a budget ran out. */
static bool add_around_range(const struct reach *w, int64_t lo, int64_t hi, struct set *out)
{
    const struct float_format *f = &float_formats[out->fmt];
    struct set hull;
    unsigned n = 0;
    set_clear(&hull, (enum fmt_id)out->fmt);
    for (int64_t key = lo; key <= hi; n++) {
        int64_t const edge = find_edge(f, key);
        if (n == MAX_POINTS || !add_around(w, format_from_key(f, key), &hull)) {
            return false;
        }
        /* the edge and its neighbours, else the end of the range */
        int64_t const next = edge > key + 1 ? edge - 1 : key + 1;
        key = key < hi && next > hi ? hi : next;
    }
    if (hull.n > 0) {
        set_add_range(out, hull.r[0].lo, hull.r[hull.n - 1].hi);
    }
    out->flags |= hull.flags;
    return true;
}

bool value_widen(enum env env, const struct set *s, uint32_t literal, const struct fp_rules *r,
                 struct set *out)
{
    struct reach const w = {
        .env = env, .bound = {.ulp = accuracy_magnitude(FMT_F32, literal)}, .rules = r};
    bool const is_bound = literal > 0 && literal < float_formats[FMT_F32].exp;
    set_clear(out, (enum fmt_id)s->fmt);
    out->flags = s->flags | (s->flags & SET_SNAN ? SET_QNAN : 0); /* it may be made quiet */
    bool is_done = is_bound && !(s->flags & SET_ANY);
    for (unsigned i = 0; is_done && i < s->n; i++) {
        is_done = add_around_range(&w, s->r[i].lo, s->r[i].hi, out);
    }
    if (!is_done) {
        set_any(out, (enum fmt_id)s->fmt);
    }
    return is_done;
}

/* Returns the value v of component c widened by the max-error decoration of the instruction. If v
 * may be anything the result may too, under the clause of the decoration. */
struct val value_within(struct exec *x, const struct ruleset *rs, const struct mod_inst *in,
                        uint32_t c, struct val v)
{
    const struct mod_id *id = &x->m->ids[in->result];
    enum fmt_id const fmt = (enum fmt_id)module_get_format(x->m, in->type);
    struct value_site const site = {.x = x, .rs = rs, .in = in, .c = c, .fmt = fmt};
    const struct abstract *b = exec_get_unobserved(x, v);
    struct rules r = ruleset_get(rs, RULE_MOVE, fmt, id);
    struct operands operands = {.mildest = GRADE_VIOLATION};
    struct set wide;
    struct val out;
    if (b && b->kind == ABSTRACT_DEVICE) { /* only the device knows the value */
        return v;
    }
    if (!value_take_operands(x, &v, 1, fmt, &operands) ||
        !value_widen(rs->env, operands.set[0], id->max_error, &r.fp, &wide)) {
        /* 1: dependent on a loose bound */
        return value_loosen(
            x, value_name(&site, value_anything(x, CLAUSE_MAX_ERROR), CLAUSE_MAX_ERROR), 1);
    }
    uint32_t const code = b ? b->code : 0; /* saved, because the pool may be reallocated */
    uint8_t const component = b ? b->component : 0;
    r.freedom = b ? b->freedom : 0; /* what explains the value explains this one */
    value_inherit_grade(&r, &operands);
    out = value_name(
        &site, value_from_set(x, &wide, &r, CLAUSE_MAX_ERROR, operands.special, operands.mildest),
        CLAUSE_MAX_ERROR);
    out.made_by = v.made_by;
    if (code && out.abs) { /* a wrong value is attributed to the function that made it */
        x->pool[out.abs].code = code;
        x->pool[out.abs].component = component;
    }
    return value_loosen(
        x, out, operands.is_loose || accuracy_magnitude(FMT_F32, id->max_error) > VALUE_TIGHT_ULP);
}

/* oracle/judge_groups/group_site.c -- one dynamic instance of a group instruction: what its words say, and its operands. */
#include "oracle/judge_groups/group_site.h"

#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/math/rules.h"
#include "oracle/value/value_set.h"

/* Id of an operand with registers; 0 if there is none. */
static uint32_t operand(const struct judge *j, const struct mod_inst *in, uint32_t word)
{
    uint32_t const id = module_get_operand(&j->m, in, word);
    return j->m.ids[id].n_slots > 0 ? id : 0;
}

/* Reads the first n components of a constant operand. false: the operand is no constant, or has fewer components. */
static bool read_constant(const struct judge *j, const struct mod_inst *in, uint32_t word,
                          uint32_t *out, uint32_t n)
{
    const struct mod_id *id = &j->m.ids[operand(j, in, word)];
    if (!(id->flags & ID_CONSTANT) || id->n_slots < n) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (uint32_t)j->m.consts[id->slot + i].bits;
    }
    return true;
}

/* Fills in the format, width and number of components of the value that a group instruction works on. `value` is its
 * id; 0: there is none. 0 and x->stop: the type is not interpreted, as it has more than MAX_PARTS components; or the
 * result of an arithmetic operation or an exchange has another type than the value. */
static int describe_value(struct group_site *s, uint32_t value)
{
    enum {
        MAX_PARTS = 4
    };
    struct judge *j = s->j;
    struct group_call *c = &s->c;
    enum group_kind const kind = group_kind_of(s->in->op);
    bool const keeps_type = kind == GROUP_ARITH || kind == GROUP_MOVE;
    if (value) {
        c->fmt = module_get_format(&j->m, j->m.ids[value].type);
        c->n_bits = j->m.ids[j->m.ids[value].type].t.bits;
        c->n_components = j->m.ids[value].n_slots;
    }
    if (c->n_components > MAX_PARTS ||
        (keeps_type && (!value || j->m.ids[value].type != s->in->type))) {
        return exec_stop(&j->x, "a group instruction on a type that is not interpreted");
    }
    return 1;
}

/* Fills in s->c with what the words of the instruction say: operation, scope, cluster size, pattern of a swizzle,
 * type of the value. s->w gets the indices of these words, 0 for a word that the instruction does not have. 0 and
 * x->stop: a word is missing or is not interpreted. */
int group_site_describe(struct group_site *s)
{
    enum {
        MAX_RESULTS = 4,
        N_SWIZZLE_LANES = 4, /* components of SwizzleInvocationsAMD's offset */
        N_SWIZZLE_MASKS = 3  /* components of SwizzleInvocationsMaskedAMD's mask */
    };
    struct judge *j = s->j;
    const struct mod_inst *in = s->in;
    struct group_call *c = &s->c;
    uint32_t scope = SpvScopeSubgroup; /* of instructions that name none */
    s->w = group_words_of(in);
    *c = (struct group_call){.op = in->op,
                             .operation = GROUP_NO_OPERATION,
                             .is_kernel = j->input.tc->env == ENV_CL,
                             .fmt = -1,
                             .n_results = j->m.ids[in->result].n_slots};
    uint32_t const value = operand(j, in, s->w.value);
    bool const has_scope = !s->w.scope || read_constant(j, in, s->w.scope, &scope, 1);
    if (!has_scope || (s->w.value && !value) || c->n_results > MAX_RESULTS) {
        return exec_stop(&j->x, "a group instruction without its operands");
    }
    c->is_workgroup = scope == SpvScopeWorkgroup;
    if (scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup) {
        return exec_stop(&j->x, "a group instruction of another scope");
    }
    if (s->w.operation) {
        c->operation = in->w[s->w.operation];
    }
    if (s->w.cluster && !read_constant(j, in, s->w.cluster, &c->cluster, 1)) {
        return exec_stop(&j->x, "a cluster size that is no constant");
    }
    uint32_t const n_pattern = in->op == GROUP_AMD_SWIZZLE ? N_SWIZZLE_LANES : N_SWIZZLE_MASKS;
    if (s->w.pattern && !read_constant(j, in, s->w.pattern, c->pattern, n_pattern)) {
        return exec_stop(&j->x, "a swizzle without a constant pattern");
    }
    return describe_value(s, value);
}

int group_site_allocate(struct group_site *s, uint32_t n)
{
    struct arena *a = s->j->a;
    uint32_t const n_values = n * (s->c.n_components + 1);
    s->p.lane = ARENA_NEW(a, uint32_t, n);
    s->p.index = ARENA_NEW(a, uint32_t, n);
    s->value = ARENA_NEW(a, uint64_t, n_values);
    s->second = ARENA_NEW(a, uint64_t, n);
    s->other = s->w.other ? ARENA_NEW(a, uint64_t, n_values) : NULL;
    s->known = ARENA_NEW(a, unsigned char, n);
    s->known_second = ARENA_NEW(a, unsigned char, n);
    if (!s->p.lane || !s->p.index || !s->value || !s->second || !s->known || !s->known_second ||
        (s->w.other && !s->other)) {
        return exec_stop(&s->j->x, "arena full");
    }
    return 1;
}

/* The linear local id of the invocation that OpGroupBroadcast names, by a scalar or a vector of up to three components. */
static bool read_position(const struct judge *j, const struct invocation *v, uint32_t id,
                          uint64_t *out)
{
    uint64_t stride = 1;
    *out = 0;
    for (uint32_t c = 0; c < j->m.ids[id].n_slots && c < 3; c++) {
        uint64_t bits;
        if (!exec_known(&j->x, exec_reg(&j->x, v, id)[c], &bits)) {
            return false;
        }
        *out += bits * stride;
        stride *= j->input.tc->local[c];
    }
    return true;
}

/* Reads n components of the id from the registers of v. false: not all of them are known. */
static bool read_values(const struct judge *j, const struct invocation *v, uint32_t id, uint32_t n,
                        uint64_t *out)
{
    bool is_known = true;
    for (uint32_t c = 0; c < n; c++) {
        is_known &= exec_known(&j->x, exec_reg(&j->x, v, id)[c], &out[c]) != 0;
    }
    return is_known;
}

/* May the value be a zero of either sign, and nothing else? */
static bool is_zero_of_either_sign(const struct judge *j, struct val v, enum fmt_id fmt)
{
    struct set scratch;
    const struct set *const set = value_get_set(&j->x, v, fmt, &scratch);
    return set && set->flags == 0 && set->n == 1 && set->r[0].lo == -1 && set->r[0].hi == 0;
}

/* Reads the n components of a float operand of a reduction or scan. Where the rules leave the sign of a zero undefined, the
 * result is the same for either sign, but for its own sign if it is zero, which the rules of the result leave open
 * again: then +0 stands for both. */
static bool read_terms(const struct group_site *s, const struct invocation *v, uint32_t id,
                       uint64_t *out)
{
    const struct judge *const j = s->j;
    const struct group_call *const c = &s->c;
    enum rule_class const class = group_is_extreme(c->op) ? RULE_GROUP_MINMAX : RULE_GROUP_SUM;
    struct rules const rules =
        ruleset_get(&j->rules, class, (enum fmt_id)c->fmt, &j->m.ids[s->in->result]);
    bool is_known = true;
    for (uint32_t k = 0; k < c->n_components; k++) {
        struct val const term = exec_reg(&j->x, v, id)[k];
        bool const is_own = exec_known(&j->x, term, &out[k]) != 0;
        bool const is_zero = !is_own && rules.fp.zero_sign_free &&
                             is_zero_of_either_sign(j, term, (enum fmt_id)c->fmt);
        out[k] = is_zero ? 0 : out[k];
        is_known &= is_own || is_zero;
    }
    return is_known;
}

/* Fills in the call s->c from what has been gathered of its n participants. */
static void fill_call(struct group_site *s, bool has_second)
{
    struct group_call *c = &s->c;
    c->n = s->p.n;
    c->index = s->p.index;
    c->value = s->value;
    c->second = has_second ? s->second : NULL;
    c->other = s->other;
    c->known = s->known;
    c->known_second = s->known_second;
    c->size = s->p.size;
    c->max_size = s->p.size;
    if (c->is_kernel && !c->is_workgroup) {
        /* CA 3.2.1: the last sub-group of a work-group may be smaller than the others */
        uint32_t const max_size = subgroup_max_size(s->j, s->n_items);
        c->max_size = max_size ? max_size : CASE_MAX_SUBGROUP;
    }
}

/* Reads the operands of all participants from their registers into s->c. known[i], known_second[i]: all operands of
 * participant i are known. `second` is the lane, delta, mask or index beside the value; `other` is a second value of
 * the same type (of WriteInvocationAMD). 0 and x->stop: an operand is missing or does not fit. */
int group_site_gather(struct group_site *s)
{
    struct judge *j = s->j;
    struct group_call *c = &s->c;
    uint32_t const value = operand(j, s->in, s->w.value);
    uint32_t const second = operand(j, s->in, s->w.second), other = operand(j, s->in, s->w.other);
    if ((s->w.second && !second) ||
        (s->w.other && (!other || j->m.ids[other].n_slots != c->n_components))) {
        return exec_stop(&j->x, "a group instruction without its operands");
    }
    bool const is_position = s->in->op == SpvOpGroupBroadcast;
    bool const is_float_sum = group_kind_of(c->op) == GROUP_ARITH && c->fmt >= 0;
    for (uint32_t i = 0; i < s->p.n; i++) {
        const struct invocation *v = &s->inv[s->p.lane[i]];
        bool known = true, known_second = true;
        if (value) {
            uint64_t *const out = s->value + i * c->n_components;
            known = is_float_sum ? read_terms(s, v, value, out)
                                 : read_values(j, v, value, c->n_components, out);
        }
        if (second && is_position) {
            known_second = read_position(j, v, second, &s->second[i]);
        } else if (second) {
            known_second = read_values(j, v, second, 1, &s->second[i]);
        }
        if (other) {
            known_second &=
                read_values(j, v, other, c->n_components, s->other + i * c->n_components);
        }
        s->known[i] = known;
        s->known_second[i] = known_second;
    }
    fill_call(s, second != 0);
    return 1;
}

struct val *judge_group_result(const struct group_site *s, uint32_t i)
{
    return exec_reg(&s->j->x, &s->inv[s->p.lane[i]], s->in->result);
}

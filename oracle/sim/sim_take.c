/* oracle/sim/sim_take.c -- operands of one group instruction, from the registers of those who execute
 * it. */
#include "oracle/sim/sim_take.h"

#include "base/ops.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/sim/sim_layout.h"

enum {
    MAX_COMPONENTS = 16
};

/* The id in a word that has a value of 1 to n_max scalars; 0 and x.stop where there is none. */
static uint32_t get_id(struct sim *s, const struct mod_inst *in, uint32_t word, uint32_t n_max)
{
    uint32_t const id = word < in->n ? in->w[word] : 0;
    if (id == 0 || id >= s->m.n_ids || s->m.ids[id].n_slots == 0 || s->m.ids[id].n_slots > n_max) {
        (void)exec_stop(&s->x, "a group instruction without its operand");
        return 0;
    }
    return id;
}

/* All scalars of an operand of all invocations. */
static const uint64_t *take_all(struct sim *s, uint32_t id, struct invocation *const *who,
                                uint32_t n)
{
    uint32_t const n_each = s->m.ids[id].n_slots;
    uint64_t *out = ARENA_NEW(s->x.a, uint64_t, (size_t)n * n_each);
    for (uint32_t i = 0; out && i < n; i++) {
        const struct val *v = exec_reg(&s->x, who[i], id);
        for (uint32_t k = 0; k < n_each; k++) {
            out[(size_t)i * n_each + k] = v[k].bits;
        }
    }
    if (!out) {
        (void)exec_stop(&s->x, "arena full");
    }
    return out;
}

/* The second operand of each of the n invocations: an id, delta, mask or index. A local id of several
 * components becomes linear by the size of the work-group, the last component first (Horner). NULL: there is
 * none, or x.stop. */
static const uint64_t *take_second(struct sim *s, const struct mod_inst *in, uint32_t word,
                                   struct invocation *const *who, uint32_t n)
{
    uint32_t const n_most = in->op == SpvOpGroupBroadcast ? 3 : 1; /* of a local id */
    uint32_t const id = get_id(s, in, word, n_most);
    uint32_t const n_each = id ? s->m.ids[id].n_slots : 0;
    const uint64_t *all = id ? take_all(s, id, who, n) : NULL;
    if (n_each <= 1 || !all) {
        return all;
    }
    uint64_t *out = ARENA_NEW(s->x.a, uint64_t, n);
    uint32_t place[3], size[3];
    if (!out) {
        (void)exec_stop(&s->x, "arena full");
        return NULL;
    }
    exec_group_position(&s->x, who[0]->group_index, place, size);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = n_each; k > 0; k--) {
            out[i] = out[i] * size[k - 1] + all[(size_t)i * n_each + k - 1];
        }
    }
    return out;
}

static int take_constants(struct sim *s, const struct mod_inst *in, const struct group_words *w,
                          const struct invocation *inv, struct group_call *out)
{
    if (w->operation) {
        out->operation = w->operation < in->n ? in->w[w->operation] : GROUP_NO_OPERATION;
        out->is_partitioned = group_is_partitioned(out->operation);
        out->operation =
            out->is_partitioned ? group_operation_within(out->operation) : out->operation;
    }
    if (w->cluster) {
        uint32_t const id = get_id(s, in, w->cluster, 1);
        out->cluster = id ? (uint32_t)exec_reg(&s->x, inv, id)->bits : 0;
    }
    uint32_t const pattern = w->pattern ? get_id(s, in, w->pattern, 4) : 0;
    for (uint32_t k = 0; pattern && k < s->m.ids[pattern].n_slots; k++) {
        out->pattern[k] = (uint32_t)exec_reg(&s->x, inv, pattern)[k].bits;
    }
    int const is_odd = out->operation == SpvGroupOperationClusteredReduce && out->cluster == 0;
    return is_odd ? exec_stop(&s->x, "a cluster without a size") : s->x.stop == NULL;
}

/* Size of the group that executes the call: work-group, sub-group of the kernel, sub-group of the shader. */
static uint32_t get_size(const struct sim *s, const struct group_call *c,
                         const struct invocation *inv)
{
    if (c->is_workgroup) {
        return exec_group_items(&s->x, inv->group_index);
    }
    return c->is_kernel ? sim_layout_find(s, inv)->n_lanes : s->subgroup_size;
}

/* Where they are, and in which group. */
static int take_places(struct sim *s, const struct mod_inst *in, struct invocation *const *who,
                       uint32_t n, struct group_call *out)
{
    uint32_t const scope = group_has_scope(in->op) ? get_id(s, in, 3, 1) : 0;
    uint32_t *index = ARENA_NEW(s->x.a, uint32_t, n);
    if (!index) {
        return exec_stop(&s->x, "arena full");
    }
    out->is_workgroup = scope && exec_reg(&s->x, who[0], scope)->bits == SpvScopeWorkgroup;
    for (uint32_t i = 0; i < n; i++) {
        index[i] = out->is_workgroup ? who[i]->local_index : sim_layout_find(s, who[i])->lane;
    }
    out->n = n;
    out->index = index;
    out->is_kernel = s->tc->env == ENV_CL;
    out->size = get_size(s, out, who[0]);
    out->max_size = out->is_workgroup || !out->is_kernel ? out->size : sim_get_max_size(s);
    return 1;
}

/* Is the result what the instruction gives? */
static int check_result(struct sim *s, const struct mod_inst *in, struct group_call *out)
{
    enum group_kind const kind = group_kind_of(in->op);
    int const as_value = kind == GROUP_ARITH || kind == GROUP_MOVE;
    uint32_t const want = as_value                                          ? out->n_components
                          : kind == GROUP_BALLOT || kind == GROUP_PARTITION ? 4
                                                                            : 1;
    int const needs_ballot = kind == GROUP_OF_BALLOT && out->n_components != 4;
    int const needs_one = (kind == GROUP_VOTE || kind == GROUP_BALLOT) && out->n_components != 1;
    int const is_wide = out->is_workgroup && kind != GROUP_ARITH && kind != GROUP_VOTE &&
                        in->op != SpvOpGroupBroadcast;
    out->n_results = s->m.ids[in->result].n_slots;
    if (out->n_results != want || needs_ballot || needs_one || is_wide) {
        return exec_stop(&s->x, "a group instruction of the wrong type or scope");
    }
    return 1;
}

/* Fills *out with the operands of n invocations that execute `in` together, and their lanes in the
 * group. Returns 0 with x.stop set on an error. */
int sim_take_call(struct sim *s, const struct mod_inst *in, struct invocation *const *who,
                  uint32_t n, struct group_call *out)
{
    struct group_words const w = group_words_of(in);
    *out = (struct group_call){.op = in->op, .operation = GROUP_NO_OPERATION, .fmt = -1};
    if (!take_constants(s, in, &w, who[0], out) || !take_places(s, in, who, n, out)) {
        return 0;
    }
    uint32_t const value = w.value ? get_id(s, in, w.value, MAX_COMPONENTS) : 0;
    if (value) {
        uint32_t const type = s->m.ids[value].type;
        out->fmt = module_get_format(&s->m, type);
        out->n_bits = s->m.ids[type].t.bits;
        out->n_components = s->m.ids[value].n_slots;
        out->value = take_all(s, value, who, n);
    }
    if (w.second) {
        out->second = take_second(s, in, w.second, who, n);
    }
    if (w.other) {
        uint32_t const other = get_id(s, in, w.other, MAX_COMPONENTS);
        int const fits = other && value && s->m.ids[other].type == s->m.ids[value].type;
        out->other = fits ? take_all(s, other, who, n) : NULL;
        if (!fits) {
            return exec_stop(&s->x, "a written value of another type");
        }
    }
    return s->x.stop == NULL && check_result(s, in, out);
}

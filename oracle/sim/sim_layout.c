/* oracle/sim/sim_layout.c -- the simulator's sub-groups: their size, who sits where. */
#include "oracle/sim/sim_layout.h"

#include "base/caps.h"
#include "oracle/interp/exec.h"

uint32_t sim_get_subgroup_size(const struct module *m, const struct testcase *tc, const char *facts)
{
    uint32_t const required = m->modes.subgroup_size ? m->modes.subgroup_size : tc->subgroup_size;
    uint32_t size = (uint32_t)facts_number(facts, tc->env == ENV_VK ? "vk.p.subgroupSize"
                                                                    : "cl.sim_subgroup_size");
    size = required ? required : size ? size : 1;
    return size <= CASE_MAX_SUBGROUP ? size : CASE_MAX_SUBGROUP;
}

struct lane_position *sim_layout_find(const struct sim *s, const struct invocation *inv)
{
    return &s->positions[s->first[inv->group_index] + inv->local_index];
}

static void shuffle(uint32_t *v, uint32_t n, struct rng *r)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t const k = (uint32_t)rng_below(r, i), t = v[i - 1];
        v[i - 1] = v[k];
        v[k] = t;
    }
}

/* Assigns each of the n invocations of a work-group a sub-group and a lane. The assignment is in order in OpenCL
 * and for the strategy SIM_IEEE. In Vulkan it is mostly random, because SubgroupLocalInvocationId has no fixed
 * relation to LocalInvocationIndex, and a sub-group that is not full may have holes. */
void sim_layout_place(struct sim *s, uint32_t group, struct invocation *inv, uint32_t n)
{
    uint32_t const size = s->subgroup_size;
    uint32_t const n_subgroups = (n + size - 1) / size, n_slots = n_subgroups * size;
    uint32_t *slot = ARENA_NEW(s->x.a, uint32_t, n_slots);
    /* apart from other draws by the seed */
    struct rng r = rng_seed(s->seed ^ (UINT64_C(0x5eed) + group));
    if (!slot) {
        s->x.stop = "arena full";
        return;
    }
    for (uint32_t i = 0; i < n_slots; i++) {
        slot[i] = i;
    }
    /* 3 of 4 groups */
    if (s->strategy == SIM_ANY && s->tc->env == ENV_VK && rng_below(&r, 4) != 0) {
        /* only the last sub-group may have holes: its slots are shuffled first, then those that are used */
        uint32_t const last = n_slots - size; /* first slot of the last sub-group */
        shuffle(slot + last, size, &r);
        shuffle(slot, n, &r);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct lane_position *position = &s->positions[s->first[group] + i];
        *position = (struct lane_position){
            .subgroup = slot[i] / size, .lane = slot[i] % size, .n_blocks = UINT32_MAX};
        position->n_lanes =
            position->subgroup + 1 < n_subgroups ? size : n - (n_subgroups - 1) * size;
        inv[i].subgroup = position->subgroup;
    }
}

/* A required size is it; else devices give the size of their sub-groups, or that of the largest in
 * the dispatch, which is in its first work-group. A power of two, as rotation needs it. */
uint32_t sim_get_max_size(const struct sim *s)
{
    uint32_t const n = exec_group_items(&s->x, 0);
    int const is_largest = !s->m.modes.subgroup_size && !s->tc->subgroup_size && (s->seed & 8);
    return is_largest && n < s->subgroup_size && (n & (n - 1)) == 0 ? n : s->subgroup_size;
}

/* Bits of word c of a mask of the lanes from `from` to below `to`. */
static uint64_t mask_word(uint32_t c, uint32_t from, uint32_t to)
{
    uint64_t bits = 0;
    for (uint32_t i = c * 32; i < (c + 1) * 32; i++) {
        bits |= i >= from && i < to ? UINT64_C(1) << i % 32 : 0;
    }
    return bits;
}

/* Reads a built-in variable about sub-groups in this invocation; c is the component of a mask. In Vulkan every
 * sub-group counts as full. Returns 0 with x->stop set for one that is not interpreted. */
int sim_builtin(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                struct val *out)
{
    const struct sim *s = x->user;
    const struct lane_position *position = sim_layout_find(s, inv);
    const uint32_t *local = s->tc->local;
    uint32_t const size = s->subgroup_size;
    uint32_t const n_lanes = s->tc->env == ENV_VK ? size : position->n_lanes;
    *out = (struct val){0};
    switch (builtin) {
    case SpvBuiltInSubgroupSize:
        out->bits = n_lanes;
        return 1;
    case SpvBuiltInSubgroupMaxSize:
        out->bits = sim_get_max_size(s);
        return 1;
    case SpvBuiltInNumSubgroups:
        out->bits = (exec_group_items(x, inv->group_index) + size - 1) / size;
        return 1;
    case SpvBuiltInNumEnqueuedSubgroups:
        out->bits = (local[0] * local[1] * local[2] + size - 1) / size;
        return 1;
    case SpvBuiltInSubgroupId:
        out->bits = position->subgroup;
        return 1;
    case SpvBuiltInSubgroupLocalInvocationId:
        out->bits = position->lane;
        return 1;
    case SpvBuiltInSubgroupEqMask:
        out->bits = mask_word(c, position->lane, position->lane + 1);
        return 1;
    case SpvBuiltInSubgroupGeMask:
        out->bits = mask_word(c, position->lane, n_lanes);
        return 1;
    case SpvBuiltInSubgroupGtMask:
        out->bits = mask_word(c, position->lane + 1, n_lanes);
        return 1;
    case SpvBuiltInSubgroupLeMask:
        out->bits = mask_word(c, 0, position->lane + 1);
        return 1;
    case SpvBuiltInSubgroupLtMask:
        out->bits = mask_word(c, 0, position->lane);
        return 1;
    default:
        x->stop = "a builtin that is not interpreted";
        return 0;
    }
}

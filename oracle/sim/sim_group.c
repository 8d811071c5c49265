/* oracle/sim/sim_group.c -- who executes a group instruction of the simulated device together. */
#include "oracle/sim/sim_group.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/sim/sim_evaluate.h"
#include "oracle/sim/sim_layout.h"
#include "oracle/sim/sim_plant.h"
#include "oracle/sim/sim_take.h"
#include "oracle/value/value_set.h"

/* One invocation at a site, sorted by who executes together. */
struct member {
    uint32_t subgroup, part, index, at;
};

static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->subgroup != y->subgroup) {
        return x->subgroup < y->subgroup ? -1 : 1;
    }
    if (x->part != y->part) {
        return x->part < y->part ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Which of the paths that may be together are: each alone, all, or two heaps of them. */
static uint64_t get_colour(const struct sim *s, const struct invocation *v, uint32_t subgroup)
{
    uint64_t const block[4] = {v->group_index, subgroup, v->context, v->label};
    uint64_t const way = hash_bytes(s->seed, block, sizeof block);
    uint64_t const mine = hash_bytes(way, &v->path, sizeof v->path);
    if (s->m.modes.maximal_reconvergence) {
        return v->path; /* exactly those on one path */
    }
    if (s->strategy == SIM_IEEE) {
        return s->seed & 4 ? 0 : v->path;
    }
    return way % 4 == 0 ? v->path : way % 4 == 1 ? 0 : mine % 2;
}

/* A part is a set of invocations that execute group instructions together while they stay in one block. Gives
 * one to those at the site who have none in the block they are in (n_blocks counts blocks entered):
 * invocations of one sub-group and one colour get the same. A colour is the device's free choice of who is
 * together. */
static void assign_parts(struct sim *s, const struct invocation *inv,
                         const struct tangle_site *site)
{
    for (uint32_t i = 0; i < site->n; i++) {
        const struct invocation *v = &inv[site->lane[i]];
        struct lane_position *position = sim_layout_find(s, v);
        if (position->n_blocks == v->n_blocks) {
            continue;
        }
        uint64_t const colour = get_colour(s, v, position->subgroup);
        position->n_blocks = v->n_blocks;
        position->part = ++s->n_parts;
        for (uint32_t k = i + 1; k < site->n; k++) {
            const struct invocation *w = &inv[site->lane[k]];
            struct lane_position *other = sim_layout_find(s, w);
            if (other->subgroup == position->subgroup && other->n_blocks != w->n_blocks &&
                get_colour(s, w, other->subgroup) == colour) {
                other->n_blocks = w->n_blocks;
                other->part = position->part;
            }
        }
    }
}

/* Executes the group instruction for the n invocations of one part (p->who): takes the operands
 * from their registers, computes the results, lets the planted faults change them, and writes them
 * to the registers. Returns 0 with x.stop set on an error. */
static int run_part(struct sim *s, struct sim_part *p, uint32_t n)
{
    uint64_t const key[3] = {p->in->offset, p->who[0]->global_index, p->who[0]->n_blocks};
    p->seed = hash_bytes(s->seed, key, sizeof key);
    if (!sim_take_call(s, p->in, p->who, n, &p->call)) {
        return 0;
    }
    uint32_t const n_results = p->call.n_results;
    uint64_t *results = ARENA_NEW(s->x.a, uint64_t, (size_t)n * n_results);
    if (!results) {
        return exec_stop(&s->x, "arena full");
    }
    if (!sim_evaluate(s, p->in, &p->call, p->seed, results)) {
        return 0;
    }
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        sim_take_plan(s, plan);
        if (!sim_plant(s, p, results)) {
            return 0;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        struct val *to = exec_reg(&s->x, p->who[i], p->in->result);
        for (uint32_t k = 0; k < n_results; k++) {
            to[k] = (struct val){.bits = results[(size_t)i * n_results + k]};
        }
    }
    return 1;
}

/* The bits of those who execute together in the partition that is the operand of invocation `at` of who[n], and in `id` its
 * operand; false where it is not of its own subset. */
static bool get_subset(const struct sim *s, uint32_t id, struct invocation *const *who, uint32_t n,
                       uint32_t at, uint64_t *out)
{
    const struct val *const words = exec_reg(&s->x, who[at], id);
    uint32_t const own = sim_layout_find(s, who[at])->lane;
    out[0] = out[1] = out[2] = out[3] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const lane = sim_layout_find(s, who[i])->lane;
        uint64_t const bit = UINT64_C(1) << lane % 32;
        out[lane / 32 % 4] |= words[lane / 32 % 4].bits & bit;
    }
    return out[own / 32 % 4] >> own % 32 & 1;
}

/* Executes an operation on the subsets of a partition, each subset by itself when its lowest
 * member is reached. Returns 0 with x.stop set where the ballots are no partition. */
static int run_subsets(struct sim *s, struct sim_part *p, uint32_t n)
{
    enum {
        BALLOT = 6, /* word */
        WORDS = 4
    };
    uint32_t const id = module_get_operand(&s->m, p->in, BALLOT);
    uint64_t *const subset = ARENA_NEW(s->x.a, uint64_t, (size_t)n * WORDS);
    if (!subset) {
        return exec_stop(&s->x, "arena full");
    }
    if (s->m.ids[id].n_slots != WORDS) {
        return exec_stop(&s->x, "a group instruction without its operand");
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!get_subset(s, id, p->who, n, i, &subset[(size_t)i * WORDS])) {
            return exec_stop(&s->x, "a partition whose behaviour is undefined");
        }
    }
    for (uint32_t first = 0; first < n; first++) {
        bool is_first_of_subset = true;
        uint32_t n_members = 0;
        struct invocation **const members = ARENA_NEW(s->x.a, struct invocation *, n);
        for (uint32_t k = 0; members && k < n; k++) {
            if (memcmp(&subset[(size_t)k * WORDS], &subset[(size_t)first * WORDS],
                       sizeof *subset * WORDS) == 0) {
                is_first_of_subset &= k >= first; /* else executed at an earlier member */
                members[n_members++] = p->who[k];
            }
        }
        struct sim_part part = {.in = p->in, .who = members, .inv = p->inv, .n_inv = p->n_inv};
        if (!members) {
            return exec_stop(&s->x, "arena full");
        }
        if (is_first_of_subset && !run_part(s, &part, n_members)) {
            return 0;
        }
    }
    return 1;
}

/* Is the scope the work-group? A broken module is found out when the operands are taken. */
static int is_of_workgroup(const struct sim *s, const struct mod_inst *in,
                           const struct invocation *inv)
{
    uint32_t const id = in->n > 3 && group_has_scope(in->op) ? in->w[3] : 0;
    return id && id < s->m.n_ids && s->m.ids[id].n_slots == 1 &&
           exec_reg(&s->x, inv, id)->bits == SpvScopeWorkgroup;
}

/* Executes a group instruction at which the site's invocations wait. The invocations of one sub-group and one part
 * execute it together; with work-group scope all do at once. The list is sorted by sub-group and part, so that
 * those that execute together are adjacent. Returns 0 with x.stop set on an error. */
int sim_run_site(struct sim *s, struct invocation *inv, uint32_t n_inv,
                 const struct tangle_site *site)
{
    struct member *list = ARENA_NEW(s->x.a, struct member, site->n);
    struct invocation **who = ARENA_NEW(s->x.a, struct invocation *, site->n);
    if (!list || !who) {
        return exec_stop(&s->x, "arena full");
    }
    int const is_whole = is_of_workgroup(s, site->in, &inv[site->lane[0]]);
    if (!is_whole) {
        assign_parts(s, inv, site);
    }
    for (uint32_t i = 0; i < site->n; i++) {
        const struct invocation *v = &inv[site->lane[i]];
        const struct lane_position *position = sim_layout_find(s, v);
        list[i] = is_whole ? (struct member){.index = v->local_index, .at = site->lane[i]}
                           : (struct member){position->subgroup, position->part, position->lane,
                                             site->lane[i]};
    }
    qsort(list, site->n, sizeof *list, compare_members);
    for (uint32_t first = 0, end = 0; first < site->n; first = end) {
        for (end = first; end < site->n && list[end].subgroup == list[first].subgroup &&
                          list[end].part == list[first].part;
             end++) {
            who[end] = &inv[list[end].at];
        }
        struct sim_part p = {.in = site->in, .who = who + first, .inv = inv, .n_inv = n_inv};
        /* words: 4 the operation, 6 the ballot of a partition */
        bool const is_partitioned = group_kind_of(site->in->op) == GROUP_ARITH && site->in->n > 6 &&
                                    group_is_partitioned(site->in->w[4]);
        if (!(is_partitioned ? run_subsets(s, &p, end - first) : run_part(s, &p, end - first))) {
            return 0;
        }
    }
    return 1;
}

/* oracle/sim/sim_flow.c -- faults of control flow on the simulated device. */
#include "oracle/sim/sim_flow.h"

#include <string.h>

#include "oracle/fault/faults_flow.h"
#include "oracle/fault/faults_way.h"

struct sim_flows {
    struct fault_flow flow;
    bool is_known;    /* the flow, from a run without the fault */
    uint32_t *group;  /* by invocation: its work-group, */
    bool *is_stopped; /* and whether it does nothing more */
    /* Where a fault of FLOW_STORE_LOST is planted, by invocation and instruction: executions of a store in a nested loop in
     * this run, and in a whole run without the fault. */
    uint32_t *n_stored, *n_stores;
};

static size_t count_store_places(const struct sim *s)
{
    return (size_t)s->flows->flow.n_items * s->m.n_code;
}

bool sim_flow_make(struct sim *s, struct arena *a)
{
    const uint32_t *const n = s->tc->global;
    uint32_t const n_items = n[0] * n[1] * n[2];
    bool is_asked = false, loses_stores = false;
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        const struct flow_row *const row = fault_get_flow(plan->id);
        is_asked |= row != NULL;
        loses_stores |= row && row->does == FLOW_STORE_LOST;
    }
    if (!is_asked) {
        return true;
    }
    struct sim_flows *const p = ARENA_NEW(a, struct sim_flows, 1);
    if (!p || !fault_flow_make(&p->flow, &s->m, n_items, a)) {
        return false;
    }
    p->group = ARENA_NEW(a, uint32_t, (size_t)n_items + 1);
    p->is_stopped = ARENA_NEW(a, bool, (size_t)n_items + 1);
    s->flows = p;
    if (loses_stores) {
        p->n_stored = ARENA_NEW(a, uint32_t, count_store_places(s) + 1);
        p->n_stores = ARENA_NEW(a, uint32_t, count_store_places(s) + 1);
    }
    return p->group && p->is_stopped && (!loses_stores || (p->n_stored && p->n_stores));
}

void sim_flow_begin(struct sim *s)
{
    if (s->flows) {
        fault_flow_begin(&s->flows->flow);
        memset(s->flows->is_stopped, 0, sizeof(bool) * s->flows->flow.n_items);
    }
    if (s->flows && s->flows->n_stored) {
        memset(s->flows->n_stored, 0, sizeof(uint32_t) * count_store_places(s));
    }
}

void sim_flow_settle(struct sim *s)
{
    if (s->flows) {
        fault_flow_end(&s->flows->flow, s->flows->group);
        s->flows->is_known = true;
    }
    if (s->flows && s->flows->n_stored) {
        memcpy(s->flows->n_stores, s->flows->n_stored, sizeof(uint32_t) * count_store_places(s));
    }
}

bool sim_flow_loses_store(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                          bool differs)
{
    struct sim_flows *const p = s->flows;
    uint32_t const code = (uint32_t)(in - s->m.code);
    if (!p || !p->n_stored || !fault_flow_is_nested(&p->flow, code)) {
        return false;
    }
    size_t const at = (size_t)inv->global_index * s->m.n_code + code;
    p->n_stored[at]++;
    for (const struct fault_plan *plan = s->plans; p->is_known && plan; plan = plan->next) {
        const struct flow_row *const row = fault_get_flow(plan->id);
        if (!row || row->does != FLOW_STORE_LOST) {
            continue;
        }
        sim_note_there(s);
        sim_take_plan(s, plan);
        if (p->n_stored[at] == p->n_stores[at] && differs && sim_is_site(s)) {
            sim_note_acted(s, code, differs);
            return true;
        }
    }
    return false;
}

/* Counts that the invocation has entered a block. With the bug FLOW_STOPS planted the invocation
 * may stop for good here: at one of two visits to the program point, chosen by a hash. */
void sim_flow_enter(struct exec *x, struct invocation *inv, uint32_t from)
{
    enum {
        ONE_OF = 2 /* visits to the program point */
    };
    struct sim *const s = x->user;
    struct sim_flows *const p = s->flows;
    (void)from;
    if (!p) {
        return;
    }
    fault_flow_enter(&p->flow, inv);
    p->group[inv->global_index] = inv->group_index;
    for (const struct fault_plan *plan = s->plans; p->is_known && plan; plan = plan->next) {
        const struct flow_row *const row = fault_get_flow(plan->id);
        uint64_t const key[3] = {inv->global_index, inv->n_blocks, 2 /* of this use of the seed */};
        if (!row || row->does != FLOW_STOPS ||
            !fault_flow_is_at(&p->flow, &s->m, inv, row->where)) {
            continue;
        }
        sim_note_there(s);
        sim_take_plan(s, plan);
        if (hash_bytes(s->seed, key, sizeof key) % ONE_OF == 0 && sim_is_site(s)) {
            p->is_stopped[inv->global_index] = true;
            sim_note_acted(s, UINT32_MAX, true);
        }
    }
}

uint32_t sim_flow_way(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      uint32_t label)
{
    struct sim *const s = x->user;
    const struct sim_flows *const p = s->flows;
    for (const struct fault_plan *plan = s->plans; p && p->is_known && plan; plan = plan->next) {
        const struct flow_row *const row = fault_get_flow(plan->id);
        uint32_t const other = row ? fault_turn_aside(row, &p->flow, &s->m, inv, in, label) : label;
        if (row && fault_may_turn_aside(row, &p->flow, &s->m, in)) {
            sim_note_there(s);
        }
        if (other == label) {
            continue;
        }
        sim_take_plan(s, plan);
        if (sim_is_site(s)) {
            sim_note_acted(s, UINT32_MAX, true);
            return other;
        }
    }
    return label;
}

bool sim_flow_is_stopped(const struct sim *s, const struct invocation *inv)
{
    return s->flows && s->flows->is_stopped[inv->global_index];
}

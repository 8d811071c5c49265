/* oracle/sim/sim_state.h -- the state of the simulated device, and its choice among permitted values. */
#pragma once

#include "oracle/host/host_number.h"
#include "oracle/interp/exec.h"
#include "oracle/math/rules.h"
#include "oracle/sim/sim.h"

enum {
    SIM_N_RECENT = 256
}; /* locations whose last update is remembered */

/* The last update of a location, for faults that see a stale value. */
struct recent {
    struct location location;
    uint32_t group, invocation; /* group: owner of the location, if it is in work-group memory */
    uint32_t by_group;          /* of the invocation */
    uint64_t before;
};

/* Where an invocation sits in its sub-group, and with whom it runs in the block it is in. */
struct lane_position {
    uint32_t subgroup, lane; /* number in the work-group, SubgroupLocalInvocationId */
    uint32_t n_lanes;        /* invocations of its sub-group that exist */
    uint32_t n_blocks, part; /* part: invocations with the same one execute this block together */
};

/* What the first work-group got from an instruction, for the fault that sees it in another. */
struct leftover {
    uint32_t n, n_results;
    const uint64_t *result; /* [n * n_results]; NULL: it was not there yet */
};

struct sim_flows;  /* oracle/sim/sim_flow.c */
struct sim_memory; /* oracle/sim/sim_memory.c */

struct sim {
    struct exec x;
    struct module m;
    struct ruleset rules;
    struct host_modes modes;
    const struct testcase *tc;
    enum sim_strategy strategy;
    uint64_t seed;
    unsigned char *buf[CASE_MAX_BUFS];
    unsigned char *touched[CASE_MAX_BUFS]; /* a byte per byte: accessed by anyone */
    unsigned char *wg;                     /* n_groups times wg_bytes */
    struct recent recent[SIM_N_RECENT];
    uint32_t subgroup_size;
    struct lane_position
        *positions;   /* of invocation at of the work-group, from first[group] + at on */
    uint32_t *first;  /* per work-group */
    uint32_t *n_done; /* per invocation: components done of the atomic that it is at */
    uint32_t n_parts;
    struct sim_flows *flows;   /* where a fault of control flow is planted; else NULL */
    struct sim_memory *memory; /* where a fault of memory is planted; else NULL */
    struct leftover *leftover; /* per instruction, where the fault looks at it; else NULL */
    enum fault_id fault;
    struct fault_plan plan; /* of it */
    const struct fault_plan
        *plans;            /* all that the device has, which become `plan` one after the other */
    uint64_t n_sites, at;  /* eligible sites so far; the one to act at, UINT64_MAX to count */
    uint64_t n_weak_sites; /* sites where the fault would be permitted */
    uint64_t n_there, n_differs; /* as in struct sim_outcome, of this run */
    bool loses_last,
        overlaps;        /* faults of dispatches: the last one does not run, all run at once */
    uint32_t fault_code; /* of a systematic fault: the instruction, once chosen */
    int applied;
    struct sim_conversions conversions;
};

/* Bytes of a memory location; of work-group memory those of that work-group. */
static inline unsigned char *sim_get_bytes(struct sim *s, uint32_t group, struct location p)
{
    if (p.space == SPACE_BUFFER) {
        return s->buf[p.object] + p.offset;
    }
    return s->wg + (size_t)group * s->m.wg_bytes + s->m.wg_base[p.object] + p.offset;
}
/* One member of what is permitted; any bits where anything is. */
uint64_t sim_choose(const struct sim *s, struct val v, unsigned n_bits, uint64_t pick);
/* The fault of that plan acts now. */
static inline void sim_take_plan(struct sim *s, const struct fault_plan *plan)
{
    s->plan = *plan;
    s->fault = plan->id;
}
/* The instruction that is executed is one that the fault is about; the fault acts at it. code: its index, UINT32_MAX: the
 * fault names none. */
static inline void sim_note_there(struct sim *s)
{
    s->n_there++;
}
static inline void sim_note_acted(struct sim *s, uint32_t code, bool differs)
{
    s->applied = 1;
    s->n_differs += differs;
    if (code != UINT32_MAX) {
        s->fault_code = code;
    }
}
/* A site that fits: is it the one to act at? Counts it. */
bool sim_is_site(struct sim *s);
/* Are the last work-groups smaller? All that is wrong in such a dispatch is one finding of its own, that
 * names no instruction. */
bool sim_is_uneven(const struct testcase *tc);
/* Of such a dispatch and of an illegal case values are not judged one by one. */
bool sim_is_judged_by_value(const struct testcase *tc);

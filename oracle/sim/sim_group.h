/* oracle/sim/sim_group.h -- the simulated device: its state, its sub-groups, its group instructions. */
#pragma once

#include "oracle/sim/faults_math.h"
#include "oracle/group/group.h"
#include "oracle/sim/host.h"
#include "oracle/sim/sim.h"
#include "oracle/judge/tangle.h"

enum {
    SIM_N_RECENT = 256
}; /* locations whose last update is remembered */

/* The last update of a location, for faults that see a stale value. */
struct recent {
    struct place place;
    uint32_t group, invocation;
    uint64_t before;
};

/* Where an invocation sits in its sub-group, and with whom it runs in the block it is in. */
struct seat {
    uint32_t subgroup, lane; /* number in the work-group, SubgroupLocalInvocationId */
    uint32_t n_lanes;        /* invocations of its sub-group that exist */
    uint32_t n_blocks, part; /* part: who has the same one executes together, in this block */
};

/* What the first work-group got from an instruction, for the fault that sees it in another. */
struct leftover {
    uint32_t n, n_results;
    const uint64_t *result; /* [n * n_results]; NULL: it was not there yet */
};

struct sim {
    struct exec x;
    struct module m;
    struct ruleset rules;
    struct host_modes modes;
    const struct testcase *tc;
    enum sim_chooser chooser;
    uint64_t seed;
    unsigned char *buf[CASE_MAX_BUFS];
    unsigned char *touched[CASE_MAX_BUFS]; /* a byte per two bytes: accessed by anyone */
    unsigned char *wg;                     /* n_groups times wg_bytes */
    struct recent recent[SIM_N_RECENT];
    uint32_t subgroup_size;
    struct seat *seats; /* of invocation at of the work-group, from first[group] + at on */
    uint32_t *first;    /* per work-group */
    uint32_t n_parts;
    struct leftover *leftover; /* per instruction, where the fault looks at it; else NULL */
    enum fault_id fault;
    struct fault_plan plan; /* of it */
    uint64_t n_sites, at;   /* eligible sites so far; the one to act at, UINT64_MAX to count */
    uint64_t n_weak_sites;  /* sites where the fault would be permitted */
    uint32_t fault_code;    /* of a systematic fault: the instruction, once chosen */
    int applied;
    struct sim_conversions conversions;
};

/* oracle/sim/sim.c: may the plan's fault act at this instruction at all? */
int sim_may_plant(const struct sim *s, const struct mod_inst *in);
/* A site that fits: is it the one to act at? Counts it. */
int sim_is_site(struct sim *s);

/* oracle/sim/sim_seats.c: the size of the device's sub-groups in this module. */
uint32_t sim_get_subgroup_size(const struct module *m, const struct testcase *tc,
                               const char *facts);
/* Give the n invocations of a work-group their sub-groups. */
void sim_seat_group(struct sim *s, uint32_t group, struct invocation *inv, uint32_t n);
struct seat *sim_seat_of(const struct sim *s, const struct invocation *inv);
/* SubgroupMaxSize of a kernel. */
uint32_t sim_get_max_size(const struct sim *s);
/* The hook for built-in variables. */
int sim_builtin(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                struct val *out);

/* oracle/sim/sim_plant.c: are the last work-groups smaller? All that is wrong in such a dispatch is one finding of
 * its own, that names no instruction. */
int sim_is_uneven(const struct testcase *tc);

/* One member of what is permitted; any bits where anything is. */
uint64_t sim_choose(const struct sim *s, struct val v, unsigned n_bits, uint64_t pick);

/* oracle/sim/sim_math.c: execute a float instruction, the planted fault acting if this is its site; `pick`
 * decides between what is permitted. 1; 0: x.stop or not one that is interpreted. */
int sim_run_math(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint64_t pick);

/* Execute a group instruction for the invocations at a site of the work-group at `inv`, which has
 * n_inv, and write its results. 0: x.stop says why. */
int sim_run_site(struct sim *s, struct invocation *inv, uint32_t n_inv,
                 const struct tangle_site *site);
/* The results of a call by the chooser: [n * n_results]. 0: x.stop. */
int sim_evaluate(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                 uint64_t seed, uint64_t *out);
/* Rules of the call, if it is on floats. */
struct rules sim_get_rules(const struct sim *s, const struct mod_inst *in,
                           const struct group_call *c);
/* oracle/sim/sim_take.c: operands of n invocations of one instruction, in the arena. 0: x.stop. */
int sim_take_call(struct sim *s, const struct mod_inst *in, struct invocation *const *who,
                  uint32_t n, struct group_call *out);

/* One part that executes an instruction, and who else is in its work-group. */
struct sim_part {
    const struct mod_inst *in;
    struct invocation **who; /* [call.n] */
    struct invocation *inv;  /* [n_inv] of the work-group */
    uint32_t n_inv;
    struct group_call call;
    uint64_t seed; /* of its choices */
};
/* oracle/sim/sim_plant.c: let the planted fault act on the results if this is its site. 0: x.stop. */
int sim_plant(struct sim *s, const struct sim_part *p, uint64_t *results);

/* oracle/sim/sim_hard.c: do the conditions of the plan hold at this site? Always where it has none. */
int sim_hard_atomic(const struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                    const struct fault_site *site, uint64_t result);
int sim_hard_group(const struct sim *s, const struct sim_part *p,
                   const struct fault_group_site *site);
int sim_hard_math(const struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                  const struct fault_math_site *site);

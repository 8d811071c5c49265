/* oracle/fault/faults_flow.h -- bugs of control flow: finds the program points where a row of flow.def acts, from
 * counts of loop iterations that a run without the bug recorded, and from the module's structure. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/merge_loop.h"

enum flow_where {
    FLOW_UNEVEN_LOOP,            /* a loop that some of the work-group leave earlier */
    FLOW_UNEVEN_LOOP_OF_ATOMICS, /* the same, with an atomic in it */
    FLOW_SELECTION_OF_GROUPS,    /* the end of a selection with a group instruction in it */
    /* A module with a barrier, or a group instruction, that only some work-groups come to. */
    FLOW_BARRIER_OF_SOME,
    FLOW_SWITCH,   /* a switch */
    FLOW_WAY_OUT,  /* a branch in a loop to a block that leaves it, or ends the iteration */
    FLOW_LOOP_END, /* the test of a loop of more than a few iterations */
    /* the end of a loop of many iterations that is to be unrolled, with two exits */
    FLOW_UNROLLED_LOOP,
    /* What is loaded before a barrier, or computed of that, and used after it: of memory that several invocations access and the
     * module stores to. */
    FLOW_COMPUTED_BEFORE_BARRIER,
    FLOW_NESTED_LOOP /* a store in a loop within a loop, to memory that others can access */
};
enum flow_does {
    FLOW_STOPS,      /* the invocation does nothing more */
    FLOW_ADDITIONAL, /* what a loop carries is what it would be after as many iterations as others do */
    FLOW_OTHER_SIDE, /* a phi has the value from before the selection, which the other side leaves as it is */
    FLOW_AFTER_LAST,       /* the first of a group does it with the index after the last */
    FLOW_SKIPS,            /* what the invocation stores in the iteration is not stored */
    FLOW_TO_DEFAULT,       /* the last case of the switch is taken for none */
    FLOW_TO_NEXT,          /* a case is taken for the one after it */
    FLOW_BREAK_IGNORED,    /* the invocation does not leave the loop there, and leaves it later */
    FLOW_CONTINUE_IGNORED, /* it does the rest of the iteration */
    FLOW_ITERATION_LOST,   /* it does one iteration less */
    FLOW_ANY_ITERATION, /* what it has carried is what it was after another number of iterations */
    FLOW_STORE_LOST,    /* an invocation's last execution of the store writes nothing */
    FLOW_LOADS_AGAIN /* it is computed of what the word holds after the barrier: a value that is stored to it */
};
struct flow_row {
    enum fault_id id;
    enum flow_where where;
    enum flow_does does;
};
/* NULL: the fault is not one of control flow. */
const struct flow_row *fault_get_flow(enum fault_id id);

/* Which loops each invocation of the dispatch has come to, how often, and with how many others. */
struct fault_flow {
    uint32_t n_loops, n_items;
    struct merge_loop *loop;
    uint32_t *n_entered; /* [n_items * n_loops]: times that an invocation has entered the header */
    uint32_t *total;     /* the same, in all, when all is known; */
    uint32_t *fewest;    /* the fewest times of its work-group, and */
    uint32_t *most;      /* the most, when all is known */
};
/* false: the arena is full. */
bool fault_flow_make(struct fault_flow *flow, const struct module *m, uint32_t n_items,
                     struct arena *a);
/* No invocation has come to any loop; how often they will is still known, if it was. */
void fault_flow_begin(struct fault_flow *flow);
/* The invocation has entered a block: counts it if that is a header. */
void fault_flow_enter(struct fault_flow *flow, const struct invocation *inv);
/* All invocations have ended: group[i] is the work-group of invocation i. */
void fault_flow_end(struct fault_flow *flow, const uint32_t *group);
/* The loop that the invocation has just left, having entered its merge block, where others of its work-group do more
 * iterations; *n: how many more. NULL: none. */
const struct merge_loop *fault_flow_left(const struct fault_flow *flow, const struct module *m,
                                         const struct invocation *inv, uint32_t *n);
/* The loop that is to be unrolled and has two ways out, in which one of its work-group does many iterations, and which the
 * invocation has just left; NULL: it has left none. */
const struct merge_loop *fault_flow_left_unrolled(const struct fault_flow *flow,
                                                  const struct module *m,
                                                  const struct invocation *inv);
/* Such a loop whose header the invocation has just entered, *n_done iterations of it being done; NULL: it has entered none. */
const struct merge_loop *fault_flow_in_unrolled(const struct fault_flow *flow,
                                                const struct module *m,
                                                const struct invocation *inv, uint32_t *n_done);
/* Has the invocation entered the header of a loop for an iteration that it does and others of its work-group do
 * not? NULL: no. */
const struct merge_loop *fault_flow_began(const struct fault_flow *flow, const struct module *m,
                                          const struct invocation *inv);
/* Is the value of this id there before the selection that ends at this label, and does that have a group instruction in
 * it? */
bool fault_flow_is_from_before(const struct module *m, uint32_t id, uint32_t merge);
/* Is the instruction of that index in a loop that is in another loop? */
bool fault_flow_is_nested(const struct fault_flow *flow, uint32_t code);
/* Is the invocation, which has just entered a block, where the bug may act from now on, by what is known of all?
 * In an iteration that others of its work-group do not do, or after such a loop. */
bool fault_flow_is_at(const struct fault_flow *flow, const struct module *m,
                      const struct invocation *inv, enum flow_where where);
/* May a work-group return before a barrier or a group instruction, or come to one on a side of a branch? */
bool fault_flow_has_barrier_of_some(const struct module *m);
/* Is it a negation, of which the value is there on both sides of a barrier of the work-group, or may be after a compiler took
 * it out of a loop or took it together with another one of the same value; or a difference of one? */
bool fault_flow_is_negated_across_barrier(const struct module *m, const struct mod_inst *in);
/* Is it a load from the work-group's memory or a buffer that the module stores to, or from memory into which such a load is
 * copied? */
bool fault_flow_is_word(const struct module *m, const struct mod_inst *in);
/* Is it a load from the work-group's memory or a buffer that the module stores to, or computed of one, before a barrier of the
 * work-group, and used after that? */
bool fault_flow_is_computed_across_barrier(const struct module *m, const struct mod_inst *in);
/* Index in code of what all work-groups reach last before that, a barrier or group instruction or the entry;
 * UINT32_MAX: there is no such barrier. */
uint32_t fault_flow_find_boundary(const struct module *m);

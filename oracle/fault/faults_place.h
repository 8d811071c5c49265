/* oracle/fault/faults_place.h -- bugs of places in a program: where an invocation is when it meets one. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/merge_loop.h"

enum place_where {
    PLACE_UNEVEN_LOOP,            /* a loop that some of the work-group leave earlier */
    PLACE_UNEVEN_LOOP_OF_ATOMICS, /* the same, with an atomic in it */
    PLACE_SELECTION_OF_GROUPS,    /* the end of a selection with a group instruction in it */
    /* A module with a barrier, or a group instruction, that only some work-groups come to. */
    PLACE_BARRIER_OF_SOME,
    PLACE_SWITCH,   /* a switch */
    PLACE_WAY_OUT,  /* a branch in a loop to a block that leaves it, or ends the turn */
    PLACE_LOOP_END, /* the test of a loop of more than a few turns */
    /* The end of a loop of many turns that is to be unrolled, with two ways out. */
    PLACE_UNROLLED_LOOP,
    /* What is loaded before a barrier, or computed of that, and used behind: of memory that several come to and that the
     * module stores to. */
    PLACE_COMPUTED_BEFORE_BARRIER
};
enum place_does {
    PLACE_STOPS,   /* the invocation does nothing more */
    PLACE_FURTHER, /* what it carries round is what it would be after as many turns as others do */
    PLACE_OTHER_SIDE, /* a phi has the value from before the selection that its other side leaves as it is */
    PLACE_BEHIND_LAST, /* the first of a group does it with the index that comes behind the last */
    PLACE_LEAVES_OUT,  /* what the invocation stores in the turn is not stored */
    PLACE_TO_DEFAULT,  /* the last case of the switch is taken for none */
    PLACE_TO_NEXT,     /* a case is taken for the one behind it */
    PLACE_BREAK_IGNORED,    /* the invocation does not leave the loop there, and leaves it later */
    PLACE_CONTINUE_IGNORED, /* it does the rest of the turn */
    PLACE_TURN_LOST,        /* it does one turn less */
    PLACE_TURNS_OPEN, /* what it has carried round is what it was after another number of iterations */
    PLACE_LOADS_AGAIN /* it is computed of what the word holds behind the barrier: a value that is stored to it */
};
struct place_row {
    enum fault_id id;
    enum place_where where;
    enum place_does does;
};
/* NULL: the fault is not one of places. */
const struct place_row *fault_get_place(enum fault_id id);

/* Which loops each invocation of the dispatch has come to, how often, and with how many others. */
struct place_flow {
    uint32_t n_loops, n_items;
    struct merge_loop *loop;
    uint32_t *turns;  /* [n_items * n_loops]: times that an invocation has entered the header */
    uint32_t *total;  /* the same, in all, when all is known; */
    uint32_t *fewest; /* the fewest times of its work-group, and */
    uint32_t *most;   /* the most, when all is known */
};
/* false: the arena is full. */
bool place_flow_make(struct place_flow *flow, const struct module *m, uint32_t n_items,
                     struct arena *a);
/* No invocation has come to any loop; how often they will is still known, if it was. */
void place_flow_begin(struct place_flow *flow);
/* The invocation has entered a block: counts it if that is a header. */
void place_flow_enter(struct place_flow *flow, const struct invocation *inv);
/* All invocations have ended: group[i] is the work-group of invocation i. */
void place_flow_end(struct place_flow *flow, const uint32_t *group);
/* The loop that the invocation has just left, having entered its merge block, where others of its work-group do further
 * turns; *n_turns: so many. NULL: none. */
const struct merge_loop *place_flow_left(const struct place_flow *flow, const struct module *m,
                                         const struct invocation *inv, uint32_t *n_turns);
/* The loop that is to be unrolled and has two ways out, in which one of its work-group does many turns, and behind which
 * the invocation is, which has just entered a block; NULL: it is behind none. */
const struct merge_loop *place_flow_unrolled(const struct place_flow *flow, const struct module *m,
                                             const struct invocation *inv);
/* Such a loop whose header the invocation has just entered, *n_done iterations of it being done; NULL: it has entered none. */
const struct merge_loop *place_flow_in_unrolled(const struct place_flow *flow,
                                                const struct module *m,
                                                const struct invocation *inv, uint32_t *n_done);
/* Has the invocation entered the header of a loop for a turn that it does and others of its work-group do
 * not? NULL: no. */
const struct merge_loop *place_flow_began(const struct place_flow *flow, const struct module *m,
                                          const struct invocation *inv);
/* Is the value of this id there before the selection that ends at this label, and does that have a group instruction in
 * it? */
bool place_is_from_before(const struct module *m, uint32_t id, uint32_t merge);
/* Is the invocation, which has just entered a block, where the bug may act from now on, by what is known of all?
 * In a turn that others of its work-group do not come to, or behind such a loop. */
bool place_flow_is_at(const struct place_flow *flow, const struct module *m,
                      const struct invocation *inv, enum place_where where);
/* May a work-group return before a barrier or a group instruction, or come to one on a side of a branch? */
bool place_has_barrier_of_some(const struct module *m);
/* Is it a negation, of which the value is there on both sides of a barrier of the work-group, or may be after a compiler took
 * it out of a loop or took it together with another one of the same value; or a difference of one? */
bool place_is_negated_across_barrier(const struct module *m, const struct mod_inst *in);
/* Is it a load from the work-group's memory or a buffer that the module stores to? */
bool place_is_word(const struct module *m, const struct mod_inst *in);
/* Is it a load from the work-group's memory or a buffer that the module stores to, or computed of one, before a barrier of the
 * work-group, and used behind that? */
bool place_is_computed_across_barrier(const struct module *m, const struct mod_inst *in);
/* Index in code of what all work-groups come to last before that, a barrier or group instruction or the entry;
 * UINT32_MAX: there is no such barrier. */
uint32_t place_find_meeting(const struct module *m);

/* oracle/judge_state/judge_state.h -- what the judge keeps while it interprets a case: memory locations, the accesses
 * to them, marks of touched bytes, and the work-group at hand.
 *
 * struct judge is the state of one call of judge_run. The interpreter (oracle/interp) calls the judge at each access
 * to memory and at each group instruction; what those calls find is kept here, and its findings go to judge->out. All
 * memory is of one arena. */
#pragma once

#include "oracle/interp/exec.h"
#include "oracle/interp/race.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judgement/judgement.h"
#include "oracle/math/rules.h"
#include "oracle/modorder/mo.h"

/* A memory location that may change during the dispatch: a scalar of work-group memory, or a scalar of a buffer that atomics
 * access or that invocations exchange values through. A private cell is accessed by one invocation, or ordered by barriers:
 * its value is followed. A contended cell is accessed by atomics of several invocations: its accesses are judged together. */
struct cell {
    struct location location;
    uint32_t group;             /* work-group that has this cell of work-group memory; else 0 */
    uint32_t owner;             /* invocation that accessed it first */
    uint32_t dispatch;          /* the last dispatch that accessed it, */
    uint32_t owner_in_dispatch; /* and the invocation that accessed it first in that dispatch */
    uint8_t contended, is_float, fmt, n_bits;
    uint8_t has_initial; /* 0: undefined before the first store */
    uint64_t initial;
    struct val cur;       /* of a private cell: its value now */
    uint32_t version;     /* number of accesses so far */
    uint32_t first, last; /* events: 1 + index; 0: none */
    uint32_t n_events;
    uint32_t next;         /* cell in the same hash bucket: 1 + index; 0: none */
    struct race_word race; /* for the detection of data races */
    bool is_written;       /* by any access so far */
    bool is_of_several;    /* in `dispatch` invocations other than owner_in_dispatch access it */
    bool
        has_invisible; /* has a plain access that is not visible to others (oracle/interp/availability.h) */
    bool is_ordered; /* barriers order all accesses, so that its value is followed */
};

/* One dynamic access to a cell. */
struct event {
    enum mo_op op;
    uint8_t knows_original; /* `original`, the value that the access returned, was observed */
    uint8_t storage;        /* enum storage */
    uint8_t is_untouched;   /* the probe of its result holds its value of before the dispatch */
    uint32_t invocation, group, dispatch;
    uint32_t phase; /* number of barriers that the invocation had passed */
    uint32_t code;  /* index of the instruction */
    uint32_t cell;
    uint32_t version; /* number of the access among those of its cell, from 1 on */
    uint32_t next;    /* event of the same cell: 1 + index; 0: none */
    struct val operand, comparator;
    uint64_t original;
    uint32_t probe_buf; /* where the run stores the original as it is; NO_PROBE: nowhere */
    uint32_t probe_byte;
};
#define NO_PROBE UINT32_MAX

enum touch {
    TOUCH_LOADED = 1,
    TOUCH_STORED = 2,
    TOUCH_ATOMIC = 4,
    TOUCH_PADDED = 8 /* it may be padding within a value that is stored as a whole */
};

/* How a work-group variable or a buffer is used, as far as the attempts so far have found. */
enum object_use {
    USE_ATOMIC = 1,   /* an atomic accesses it */
    USE_SEVERAL = 2,  /* several invocations access one location of it */
    USE_EXCHANGED = 4 /* of a buffer: what is stored there is loaded or stored again */
};

/* What is known of the sub-groups of a work-group. */
enum composition {
    COMPOSITION_NEW, /* not yet read in this work-group */
    COMPOSITION_KNOWN,
    COMPOSITION_UNTOLD, /* an id was not stored before the first group instruction */
    COMPOSITION_UNKNOWN /* the stored ids contradict each other */
};
struct judge_lane;       /* oracle/judge_groups/subgroup.h */
struct group_record;     /* oracle/judge_state/group_record.h */
struct feature_map;      /* oracle/feature/feature.h */
struct judge_iterations; /* oracle/judge_values/iteration.c */
struct judge_policy;     /* oracle/judge_state/policy.h */

/* What is judged. */
struct judge_input {
    const struct testcase *tc;
    const struct observation *ob;
};

/* Memory as the judge knows it: cells, their accesses, and which bytes were touched. */
struct judge_memory {
    unsigned char *touch[CASE_MAX_BUFS]; /* enum touch: a byte per byte of the buffer */
    struct cell *cells;
    uint32_t n_cells, cap_cells;
    struct event *events;
    uint32_t n_events, cap_events;
    uint32_t *buckets, n_buckets; /* cells by the hash of their location: 1 + index */
    unsigned char *contended;     /* per instruction: it accesses a contended cell */
    unsigned char group_use[MOD_MAX_WG_OBJECTS], buffer_use[CASE_MAX_BUFS]; /* enum object_use */
    int restart;     /* the dispatch must be interpreted again, as an assumption turned out wrong */
    int is_shared;   /* a byte of a buffer is stored more than once, or both loaded and stored */
    int lost_stores; /* probes that were never stored: what depends on them is not judged */
    uint32_t
        n_unknown; /* invocations that were not followed to their end: they may have stored anything anywhere */
    bool has_lost_invocation; /* the policy explains that one does nothing from some point on */
    uint32_t n_probed[CASE_MAX_DISPATCHES]; /* by dispatch: probes, */
    uint32_t
        n_kept[CASE_MAX_DISPATCHES]; /* and those whose word is the same as before the dispatch */
    bool is_unconstrained; /* stores are missing: what an invocation loads of another is anything */
};

/* The work-group that is interpreted, and what group instructions need of it. */
struct judge_groups {
    const struct invocation *inv; /* [n] */
    uint32_t n;
    struct judge_lane *lanes;      /* [n]; NULL without group instructions */
    struct group_record **records; /* per instruction: its dynamic instances, the last one first */
    enum composition composition;  /* of its sub-groups */
    bool lacks_ids; /* the composition is unknown, as an id of the work-group was not observed */
    int wrong_size; /* a sub-group of a size that is not permitted was reported */
    uint64_t search_left; /* steps that searches for extremes of sums may still take in this case */
};

/* The rows of the judgement's coverage table for one instruction: 1 + row; 0: none. */
struct covered_op {
    uint16_t at[VT_N][STORAGE_N];
};
/* Counts of what was judged, for the coverage table and for the map of features. */
struct judge_covered {
    struct covered_op *ops[OP_N]; /* NULL: not yet covered, as most of them in any case */
    struct feature_map *map;      /* NULL: no map is wanted */
};

struct judge {
    struct judge_input input;
    const struct judge_policy *policy; /* of the specifications alone, or of more */
    struct module m;
    struct ruleset rules;
    struct exec x; /* the module's run, on values of which the judge knows what is permitted */
    struct judge_memory memory;
    struct judge_groups groups;
    struct judge_covered covered;
    /* the run did not end: no stored word is looked at, only whether the program has defined behaviour */
    bool is_blind;
    /* what an invocation does after a branch that is not determined concerns no other one: without barriers, atomics and group
     * instructions that would be a data race */
    bool may_end_alone;
    /* of a crash: work-items that an uneven dispatch does not have would access memory outside of all buffers */
    bool is_absent_crash;
    struct judge_iterations *iterations; /* NULL: the module has no loop that carries a value */
    struct arena *a;
    struct judgement *out;
};

/* Is c the cell of the memory location p? Each work-group has its own work-group memory; of a buffer, group is 0. */
static inline bool cell_is_of(const struct cell *c, struct location p, uint32_t group)
{
    return location_is_same(c->location, p) && c->group == group;
}
/* The accesses to a cell in their order, NULL after the last one. */
static inline struct event *memory_first(const struct judge_memory *memory, const struct cell *c)
{
    return c->first ? &memory->events[c->first - 1] : NULL;
}
static inline struct event *memory_next(const struct judge_memory *memory, const struct event *e)
{
    return e->next ? &memory->events[e->next - 1] : NULL;
}
/* The value that a cell holds after the dispatch. false: it is work-group memory, which is never read back. */
static inline bool judge_get_final(const struct judge *j, const struct cell *c, uint64_t *final)
{
    if (c->location.space != SPACE_BUFFER) {
        return false;
    }
    *final = load_le(j->input.ob->out[c->location.object] + c->location.offset, c->n_bits / 8);
    return true;
}
/* The instruction of an access. */
static inline const struct mod_inst *judge_get_inst(const struct judge *j, const struct event *e)
{
    return &j->m.code[e->code];
}
/* The type under which an access is counted: of a vector's component that of the vector. */
static inline enum val_type judge_event_type(const struct judge *j, const struct event *e)
{
    const struct cell *c = &j->memory.cells[e->cell];
    uint32_t const type = static_value_type(&j->m, judge_get_inst(j, e));
    return val_type_of_vector(c->is_float ? (int)c->fmt : -1, c->n_bits, j->m.ids[type].t.n);
}
/* Is the access that of a "hole", an instruction that no clause permits (static_is_hole, CLAUSE_HOLE_CL_FLOAT)? */
static inline bool judge_is_hole(const struct judge *j, const struct event *e)
{
    return static_is_hole(&j->m, j->input.tc->env, judge_get_inst(j, e));
}

/* An observed value of an instruction's result. */
struct observed {
    const struct mod_inst *in;
    const struct invocation
        *inv; /* NULL: content of memory, after the dispatch or as a later load found it */
    const struct event *e; /* the access that returned it; NULL: it is no result of an access */
    uint64_t got;
    int is_untouched;         /* the word is the same as before the dispatch, and not 0 */
    uint32_t object;          /* the id that a probe stored; 0: none */
    struct location location; /* where the value lies */
    unsigned n_bits;
};

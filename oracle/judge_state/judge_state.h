/* oracle/judge_state/judge_state.h -- what the judge keeps of a dispatch: locations, their atomics, touched bytes. */
#pragma once

#include "oracle/interp/exec.h"
#include "oracle/interp/race.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judgement/judgement.h"
#include "oracle/math/rules.h"
#include "oracle/modorder/mo.h"

/* A location that atomics touch; also every scalar of work-group memory. */
struct cell {
    struct location location;
    uint32_t group;                       /* of work-group memory; else 0 */
    uint32_t owner;                       /* invocation that touched it first */
    uint32_t dispatch, owner_in_dispatch; /* the same of the last dispatch that came to it */
    uint8_t contended, is_float, fmt, n_bits;
    uint8_t has_initial; /* 0: undefined before the first store */
    uint64_t initial;
    struct val cur;                 /* private: the value now */
    uint32_t version;               /* number of operations so far */
    uint32_t first, last, n_events; /* 1 + index of event */
    uint32_t next;                  /* in its hash bucket, 1 + index */
    struct race_word race;
    bool is_written;    /* since the dispatch began */
    bool is_of_several; /* in that dispatch others than its owner come to it */
    bool has_private;   /* a plain access that others need not see (oracle/interp/availability.h) */
    bool is_ordered;    /* from one invocation to another by barriers, and so followed */
};

/* One dynamic access to a cell. */
struct event {
    enum mo_op op;
    uint8_t knows_original, storage;
    uint8_t is_untouched; /* its probe holds what it held before: perhaps never written */
    uint32_t invocation, group, phase, dispatch;
    uint32_t code; /* index of the instruction */
    uint32_t cell, version;
    uint32_t next; /* of the same cell, 1 + index */
    struct val operand, comparator;
    uint64_t original;
    uint32_t seen_buf,
        seen_byte; /* where the run leaves the original; NOT_SEEN: nowhere as it is */
};
#define NOT_SEEN UINT32_MAX

enum touch {
    TOUCH_LOADED = 1,
    TOUCH_STORED = 2,
    TOUCH_ATOMIC = 4,
    TOUCH_PADDED = 8 /* it may lie between the members of a struct that is stored as a whole */
};

/* What is done to a work-group variable or a buffer, as far as the attempts so far have found. */
enum object_use {
    USE_ATOMIC = 1,   /* an atomic comes to it */
    USE_SEVERAL = 2,  /* several invocations come to one location, */
    USE_EXCHANGED = 4 /* of a buffer: what is stored there is loaded or stored again */
};

enum composition {
    COMPOSITION_NEW, /* not yet looked at in this work-group */
    COMPOSITION_KNOWN,
    COMPOSITION_UNTOLD, /* the module does not store the ids before its first group instruction */
    COMPOSITION_UNKNOWN /* what it stored contradicts itself */
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

/* Memory as the judge knows it: locations that several may use, what was done to them, and which bytes. */
struct judge_memory {
    unsigned char *touch[CASE_MAX_BUFS]; /* enum touch: a byte per byte of the buffer */
    struct cell *cells;
    uint32_t n_cells, cap_cells;
    struct event *events;
    uint32_t n_events, cap_events;
    uint32_t *buckets, n_buckets; /* cells by the hash of their place: 1 + index */
    unsigned char *contended;     /* per instruction: it touched a cell of several invocations */
    unsigned char group_use[MOD_MAX_WG_OBJECTS], buffer_use[CASE_MAX_BUFS]; /* enum object_use */
    int restart; /* an instruction was newly found to be one of these, or an object to be used otherwise */
    int is_shared;            /* a location was stored by several, or in several ways */
    int lost_stores;          /* probes that were never written: what they fed is not judged */
    bool has_lost_invocation; /* one does nothing from some point on, as the policy explains */
    uint32_t n_probed[CASE_MAX_DISPATCHES],
        n_kept[CASE_MAX_DISPATCHES]; /* by dispatch: stores that are seen, and those of them
        that left what was there */
    bool is_open; /* invocations were lost: what one hands over to another may be anything */
};

/* The work-group that is interpreted, and what group instructions need of it. */
struct judge_groups {
    const struct invocation *inv; /* [n] */
    uint32_t n;
    struct judge_lane *lanes;      /* [n]; NULL without group instructions */
    struct group_record **records; /* per instruction: its dynamic instances, the last one first */
    enum composition composition;
    bool lacks_ids;       /* it is unknown, as an id of the work-group was not observed */
    int wrong_size;       /* a sub-group of another size than required was reported */
    uint64_t search_left; /* steps that searches for extremes of sums may still take */
};

/* Rows of the judgement's coverage for one instruction: 1 + row. */
struct covered_op {
    uint16_t at[VT_N][STORAGE_N];
};
/* What was judged, for those who count it or steer by it. */
struct judge_covered {
    struct covered_op *ops[OP_N]; /* NULL: not yet covered, as most of them in any case */
    struct feature_map *map;      /* NULL: nobody asks */
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
    bool
        is_blind; /* the run did not end, and nothing that it stored is seen: only its behaviour is asked for */
    bool
        is_absent_crash; /* of a crash: invocations that an uneven dispatch does not have would access what is in no buffer */
    struct judge_iterations *iterations; /* NULL: the module has no loop that carries a value */
    struct arena *a;
    struct judgement *out;
};

/* The accesses to a cell in their order, NULL behind the last one. */
static inline struct event *memory_first(const struct judge_memory *memory, const struct cell *c)
{
    return c->first ? &memory->events[c->first - 1] : NULL;
}
static inline struct event *memory_next(const struct judge_memory *memory, const struct event *e)
{
    return e->next ? &memory->events[e->next - 1] : NULL;
}
/* Final content of a cell as observed. false: work-group memory, which nobody sees. */
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
/* Type that an access is counted under: of a vector's component the vector's. */
static inline enum val_type judge_event_type(const struct judge *j, const struct event *e)
{
    const struct cell *c = &j->memory.cells[e->cell];
    uint32_t const type = static_value_type(&j->m, judge_get_inst(j, e));
    return val_type_of_vector(c->is_float ? (int)c->fmt : -1, c->n_bits, j->m.ids[type].t.n);
}
/* Is the access of an instruction that no clause permits (static_is_hole)? */
static inline bool judge_is_hole(const struct judge *j, const struct event *e)
{
    return static_is_hole(&j->m, j->input.tc->env, judge_get_inst(j, e));
}

/* An observed value of an instruction's result. */
struct observed {
    const struct mod_inst *in;
    const struct invocation *inv; /* NULL: content of memory after the dispatch */
    const struct event *e;        /* its event if it is an atomic's, else NULL */
    uint64_t got;
    int is_untouched;         /* got is what the slot held before the dispatch */
    uint32_t object;          /* the id that was stored there by a probe; 0: none */
    struct location location; /* where it lies, of n_bits */
    unsigned n_bits;
};

/* oracle/judge/judge_state.h -- what the judge keeps of a dispatch: locations, their atomics, touched bytes. */
#pragma once

#include "oracle/interp/exec.h"
#include "oracle/judge/judgement.h"
#include "oracle/math/rules.h"
#include "oracle/modorder/mo.h"

/* A location that atomics touch; also every scalar of work-group memory. */
struct cell {
    struct place place;
    uint32_t group; /* of work-group memory; else 0 */
    uint32_t owner; /* invocation that touched it first */
    uint8_t contended, is_float, fmt, n_bits;
    uint8_t has_initial; /* 0: undefined before the first store */
    uint64_t initial;
    struct val cur;                 /* private: the value now */
    uint32_t version;               /* number of operations so far */
    uint32_t first, last, n_events; /* 1 + index of event */
    uint32_t next;                  /* in its hash bucket, 1 + index */
};

/* One dynamic access to a cell. */
struct event {
    enum mo_op op;
    uint8_t has_result, knows_original, storage;
    uint8_t is_untouched; /* its probe holds what it held before: perhaps never written */
    uint32_t invocation, group, phase;
    uint32_t code; /* index of the instruction */
    uint32_t cell, version;
    uint32_t next; /* of the same cell, 1 + index */
    struct val operand, comparator;
    uint64_t original;
};

enum touch {
    TOUCH_LOADED = 1,
    TOUCH_STORED = 2,
    TOUCH_ATOMIC = 4
};

enum composition {
    COMPOSITION_NEW, /* not yet looked at in this work-group */
    COMPOSITION_KNOWN,
    COMPOSITION_UNKNOWN
};
struct judge_lane;   /* oracle/judge/subgroup.h */
struct group_record; /* oracle/judge/group_record.h */
struct feature_map;  /* oracle/feature/feature.h */

struct judge {
    struct exec x;
    struct module m;
    struct ruleset rules;
    const struct testcase *tc;
    const struct observation *ob;
    struct arena *a;
    struct judgement *out;
    unsigned char *touch[CASE_MAX_BUFS]; /* a byte per two bytes of the buffer */
    struct cell *cells;
    uint32_t n_cells, cap_cells;
    struct event *events;
    uint32_t n_events, cap_events;
    uint32_t *buckets, n_buckets;
    const struct invocation
        *group; /* [n_group] invocations of the work-group that is interpreted */
    uint32_t n_group;
    unsigned char *contended;      /* per instruction: it touched a cell of several invocations */
    int restart;                   /* an instruction was newly found to be one of these */
    int is_shared;                 /* a location was stored by several, or in several ways */
    int lost_stores;               /* probes that were never written: what they fed is not judged */
    struct judge_lane *lanes;      /* of the work-group; NULL without group instructions */
    struct group_record **records; /* per instruction: its dynamic instances, the last one first */
    enum composition composition;
    int wrong_size;       /* a sub-group of another size than required was reported */
    uint64_t search_left; /* steps that searches for extremes of sums may still take */
    uint16_t coverage_at[OP_N][VT_N][STORAGE_N]; /* 1 + row of out->coverage */
    struct feature_map *map;                     /* oracle/feature/feature.h; NULL: nobody asks */
};

/* An observed value of an instruction's result. */
struct observed {
    const struct mod_inst *in;
    const struct invocation *inv; /* NULL: content of memory after the dispatch */
    const struct event *e;        /* its event if it is an atomic's, else NULL */
    uint64_t got;
    int is_untouched;   /* got is what the slot held before the dispatch */
    struct place place; /* where it lies, of n_bits */
    unsigned n_bits;
};

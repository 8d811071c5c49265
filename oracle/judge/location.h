/* oracle/judge/location.h -- what the judge keeps of a dispatch: locations, their atomics, touched bytes. */
#pragma once

#include "oracle/chain/chain.h"
#include "oracle/interp/exec.h"
#include "oracle/judge/judge.h"
#include "oracle/math/rules.h"
#include "oracle/value/value.h"

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
    enum chain_op op;
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
struct group_record; /* oracle/judge/judge_group.h */
struct feature_map;  /* oracle/judge/feature.h */

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
    struct feature_map *map;                     /* oracle/judge/feature.h; NULL: nobody asks */
};

/* The hooks' work on locations; 0 and x->stop when it cannot go on. */
int location_atomic(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                    struct place p);
/* A plain access to work-group memory. */
int location_load(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                  struct place p, unsigned n_bits, struct val *out);
int location_store(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                   struct place p, unsigned n_bits, struct val v);
/* A returned original was observed. */
void location_bind(struct judge *j, uint32_t event, uint64_t got);
/* oracle/judge/finish.c: the dispatch is over: final values of private cells, the chain check of contended
 * ones, bytes that nobody may have written. RES_NOMEM when the arena is full. */
MUST_USE enum res location_finish(struct judge *j, struct err *e);
/* Forget everything but which instructions are contended. */
void location_reset(struct judge *j);

/* oracle/judge/probe.c: the instruction that made a value, through what a probe does to it; NULL for a
 * constant. */
const struct mod_inst *probe_find_root(const struct judge *j, uint32_t id);
/* What the function that a call goes to returns; 0 for nothing. */
uint32_t probe_find_returned(const struct judge *j, const struct mod_inst *call);
/* A value was observed to be another than the one permitted: go on from what was observed, from either
 * where they are zeros of different signs, so that one wrong result is one finding. */
void probe_rebind(struct judge *j, struct invocation *inv, uint32_t id, uint64_t got);

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
/* judge.c: compare it with the permitted value v, count it, report it. */
void judge_value(struct judge *j, const struct observed *o, struct val v);
struct coverage *judge_coverage(struct judge *j, uint32_t opcode, enum val_type type,
                                enum storage storage);
/* A new finding of this grade: NULL when it is not kept. Sets kind and counts. */
struct finding *judge_finding(struct judge *j, enum verdict_kind kind, enum clause_id clause,
                              enum grade grade);
/* oracle/judge/status.c: what a run that did not end well is. */
void judge_status(struct judge *j);
/* Are the last groups of the dispatch smaller? */
int judge_is_uneven(const struct testcase *tc);
/* "normal,qnan": for signatures. */
const char *judge_classes(struct judge *j, int is_float, enum fmt_id fmt, const uint64_t *enc,
                          uint32_t n);

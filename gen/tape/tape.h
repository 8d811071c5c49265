/* gen/tape/tape.h -- reads the decisions a case is built from: fixed-width records, one sub-stream per node. What is
 * missing reads as zero. */
#pragma once

#include "base/base.h"

/* A record is 8 bytes, little-endian. A node's first record holds the number of records of its
 * sub-stream: surplus is skipped, missing reads as zero, so that inserting, deleting and splicing
 * move nothing else. Zero is the smallest legal choice.
 * A sub-stream is up to TAPE_HEAD_RECORDS records of the node's own decisions, then its children,
 * each of them a node again: a node that draws one decision more moves no child. */
enum {
    TAPE_RECORD_BYTES = 8,
    TAPE_MAX_RECORDS = 1 << 16,
    TAPE_HEAD_RECORDS = 8
};

/* What a record decides, as far as one who changes tapes should know. */
enum tape_role {
    ROLE_UNREAD,    /* nothing: nobody took it */
    ROLE_STATEMENT, /* the kind of a statement or of an operand */
    ROLE_OPERATION, /* which instruction */
    ROLE_TYPE,
    ROLE_PLACE,     /* storage, who shares a cell, which cell */
    ROLE_SCOPE,     /* of memory, order of memory, scope of a group */
    ROLE_CLASS,     /* inputs_pick_class's choice */
    ROLE_SEED,      /* of inputs, or their bits; its class stands before it in the same node */
    ROLE_CONDITION, /* who comes: kind and details of a condition, early return, guard */
    ROLE_SIZE,      /* of the dispatch, of a vector, of a cluster; how many cells or operations */
    ROLE_BOUND,     /* of a max-error decoration */
    ROLE_TRIPS,     /* of a loop */
    ROLE_MODE,      /* of the module: versions, float modes, options, features */
    ROLE_FORM       /* how the same is said: probes, functions, pointers */
};
enum {
    ROLE_N = 14
};
/* What a node is read as. The children of a list each stand for themselves; those of others have
 * an index each, so that one that goes must leave an empty one. */
enum tape_node {
    NODE_UNREAD,
    NODE_ROOT,
    NODE_PLAIN, /* decisions only */
    NODE_CELLS,
    NODE_CELL,
    NODE_BLOCK, /* a list of statements */
    NODE_STATEMENT,
    NODE_BRANCH, /* statement: an if or a loop; two blocks, two operands */
    NODE_GROUPS, /* statement: a list of group operations */
    NODE_GROUP,
    NODE_MATH_BLOCK, /* a list of instructions */
    NODE_MATH,
    NODE_OPERAND,
    NODE_COMPUTED, /* an operand that is computed in any case */
    NODE_PIECES,   /* a list of pieces */
    NODE_PIECE     /* two blocks, two operands */
};
enum {
    NODE_N = 16
};

/* What is known of a record, or of the node whose sub-stream begins after it. */
struct tape_mark {
    uint8_t role;      /* enum tape_role */
    uint8_t type;      /* ROLE_SEED: the enum ir_type of what it makes, 0 (IR_VOID): unknown */
    uint8_t node;      /* enum tape_node */
    uint8_t n_missing; /* decisions and children that were read as zero past the node's end */
    uint64_t bits;     /* ROLE_SEED with a type: encoding that lane 0 gets */
};
/* Filled while a tape with a trace is read. mark[0] is the whole tape's, mark[1 + i] is record i's;
 * the node whose length is record i has the same. */
struct tape_trace {
    const unsigned char *data; /* the whole tape's */
    struct tape_mark *mark;    /* n_records + 1 */
};

struct tape {
    const unsigned char *data;
    size_t n_records;
    size_t next;
    size_t child;             /* record where the next child starts; 0: none was taken yet */
    struct tape_trace *trace; /* NULL: nobody asks */
};

/* 0 <= result < n, from the next record; 0 past the end. n > 0. `role` is what it is good for. */
uint64_t tape_take_below(struct tape *t, uint64_t n, enum tape_role role);
uint64_t tape_take_u64(struct tape *t, enum tape_role role);
/* 1 with a chance of percent in 100 (on a random tape); a zero record gives 0. */
bool tape_take_chance(struct tape *t, unsigned percent, enum tape_role role);
/* Leave out n decisions: they are taken elsewhere, or never. */
void tape_skip(struct tape *t, unsigned n);
/* The next node's own sub-stream; `t` goes on after it. */
struct tape tape_fork(struct tape *t);
/* Is there a record left for another child? */
bool tape_has_child(const struct tape *t);
/* Say what the node of t is read as. */
void tape_name_node(const struct tape *t, enum tape_node node);
/* Say what t's decision number `at` was good for after all; and of a seed, what it came to. */
void tape_name_decision(const struct tape *t, unsigned at, enum tape_role role);
void tape_note_seed(const struct tape *t, unsigned at, unsigned type, uint64_t bits);

/* On disk: magic, generator version, profile, then records. Errors name file and offset; another
 * generator version is an error that names both. */
MUST_USE enum res tape_load_file(struct tape *t, const char *path, const char **profile,
                                 struct arena *a, struct err *e);
MUST_USE enum res tape_parse(struct tape *t, const char *name, const void *p, size_t n,
                             const char **profile, struct arena *a, struct err *e);
/* The n bytes of such a file, in the arena; NULL: it is full. */
const unsigned char *tape_encode(const struct tape *t, const char *profile, struct arena *a,
                                 size_t *n);
MUST_USE enum res tape_save_file(const struct tape *t, const char *path, const char *profile,
                                 struct err *e);

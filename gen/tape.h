/* gen/tape.h -- the decisions a case is built from: fixed-width records, one sub-stream per node. */
#ifndef HALFULP_GEN_TAPE_H
#define HALFULP_GEN_TAPE_H

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

struct tape {
    const unsigned char *data;
    size_t n_records;
    size_t next;
    size_t child; /* record where the next child starts; 0: none was taken yet */
};

/* 0 <= result < n, from the next record; 0 past the end. n > 0. */
uint64_t tape_take_below(struct tape *t, uint64_t n);
uint64_t tape_take_u64(struct tape *t);
/* 1 with a chance of percent in 100 (on a random tape); a zero record gives 0. */
int tape_take_chance(struct tape *t, unsigned percent);
/* The next node's own sub-stream; `t` goes on behind it. */
struct tape tape_fork(struct tape *t);
/* Is there a record left for another child? */
int tape_has_child(const struct tape *t);
/* Whole tape as seen by nobody yet: a random one of a shape the generator likes. */
MUST_USE enum res tape_random(struct tape *t, struct rng *r, struct arena *a, struct err *e);

/* On disk: magic, generator version, profile, then records. Errors name file and offset; another
 * generator version is an error that names both. */
MUST_USE enum res tape_load_file(struct tape *t, const char *path, const char **profile,
                                 struct arena *a, struct err *e);
MUST_USE enum res tape_parse(struct tape *t, const char *name, const void *p, size_t n,
                             const char **profile, struct arena *a, struct err *e);
MUST_USE enum res tape_save_file(const struct tape *t, const char *path, const char *profile,
                                 struct err *e);

#endif

/* gen/mutate/parent.h -- a tape, and what its records mean to the generator: learned by one run of it. */
#pragma once

#include "gen/case/gen.h"
#include "gen/tape/tape_tree.h"

enum {
    MUTATE_SCRATCH_BYTES = 64 << 20 /* for a case that is thrown away */
};

struct parent {
    struct tape tape;
    struct tape_mark *mark;
    enum profile profile; /* what it was learnt for, as must be what is made of it */
    enum env env;
    uint64_t case_hash; /* of what it decodes to */
};

/* What mutate_learn gives is in its arena, which must outlive it; it keeps no pointer to *t. */
MUST_USE enum res mutate_learn(const struct tape *t, enum profile profile, enum env env,
                               struct arena *a, struct parent **out, struct err *e);
/* The tree of a parent's first max_records records; NULL: the arena is full. */
struct tree *mutate_parse(const struct parent *p, size_t max_records, struct arena *a);
/* Sets *e to that a is full, and returns RES_NOMEM. */
enum res mutate_complain(struct err *e, const struct arena *a);

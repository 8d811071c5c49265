/* gen/mutate/mutate.h -- computes other tapes out of one or several: changes of the tree that a tape is, drawn by
 * weight (mutation.def), until its case is another one; at most a few changes and attempts each. */
#pragma once

#include "gen/mutate/parent.h"

/* What can be done to a tape: gen/mutate/mutation.def. */
enum mutation {
#define MUTATION(id, ...) MUTATION_##id,
#include "gen/mutate/mutation.def"
#undef MUTATION
    MUTATION_N
};
enum {
    MUTATION_MAX_STACK = 8
};
extern const char *const mutation_names[MUTATION_N];

/* What was done, in order. */
struct mutation_log {
    unsigned n_used;
    enum mutation used[MUTATION_MAX_STACK];
};

/* By which generator the tapes are read, and how long the new one may be. */
struct mutate_for {
    enum profile profile;
    enum env env;
    size_t max_records;
};
/*
 * A tape unlike `in` by one to a few changes, most often one or two, rarely up to
 * MUTATION_MAX_STACK; `other` (NULL: none) is where subtrees are taken from. At most max_records
 * records. The generator is run on each of them, to learn what their records
 * mean and which are read at all, and on what comes out: a mutant that decodes to its parent's case is
 * one in a hundred. Pure function of the tapes and *r. *out is in `a`; log may
 * be NULL. RES_NOMEM: the arena is full.
 */
MUST_USE enum res mutate_tape(const struct tape *in, const struct tape *other,
                              const struct mutate_for *to, struct rng *r, struct arena *a,
                              struct tape *out, struct mutation_log *log, struct err *e);

/* The same for one who makes many of one parent, in two steps: mutate_learn, then this. */
MUST_USE enum res mutate_make(const struct parent *in, const struct parent *other,
                              size_t max_records, struct rng *r, struct arena *a, struct tape *out,
                              struct mutation_log *log, struct err *e);

/*
 * A tape of many: `in` with statements of the others in all its blocks, copied, nested and changed here
 * and there: what is rare in each of them comes together in one case. n_others > 0.
 * RES_NOMEM: the arena is full.
 */
MUST_USE enum res mutate_cross(const struct parent *in, const struct parent *const *others,
                               size_t n_others, size_t max_records, struct rng *r, struct arena *a,
                               struct tape *out, struct err *e);

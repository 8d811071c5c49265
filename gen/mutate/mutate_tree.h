/* gen/mutate/mutate_tree.h -- changes the tree of a tape: a node goes, comes or moves, to where nodes of its kind
 * are read, within the grammar's depths and the tape's most records. */
#pragma once

#include "base/base.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape_tree.h"

/* A tape in the making. */
struct mutant {
    struct tree *root;
    struct tree *other; /* NULL: none */
    enum profile profile;
    size_t max_records;
    struct rng *rng;
    struct arena *a;
    bool is_full; /* the arena was at some time */
};

/* One change. 1: done; 0: nothing of that kind can be done here, and nothing was. */
typedef bool mutation_make(struct mutant *m);

mutation_make mutate_insert, mutate_delete, mutate_duplicate, mutate_move, mutate_splice,
    mutate_replace, mutate_nest;

/* Where the children are statements, instructions or operations that each stand for themselves. */
bool mutate_is_list(const struct tree *x);

/* Is it one of those children? */
bool mutate_is_listed(const struct tree *x);
/* A copy of a listed node, of this tape or another, into a list of this one. */
bool mutate_adopt(struct mutant *m, const struct tree *from);

/* One of the nodes of top that `wants` is not 0 for, all with the same chance; NULL: none. `of` is
 * passed to it. */
typedef bool mutate_wants(const struct mutant *m, const struct tree *x, const struct tree *of);
struct tree *mutate_pick(struct mutant *m, struct tree *top, mutate_wants *wants,
                         const struct tree *of);

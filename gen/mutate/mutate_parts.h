/* gen/mutate/mutate_parts.h -- what the files of the mutator share. */
#pragma once

#include "gen/mutate/mutate.h"
#include "gen/tape/tape_tree.h"

/* A tape and what its records mean to the generator. */
struct parent {
    struct tape tape;
    struct tape_mark *mark;
    enum profile profile;
    enum env env;
    uint64_t case_hash; /* of what it decodes to */
};

/* A tape in the making. */
struct mutant {
    struct tree *root;
    struct tree *other; /* NULL: none */
    enum profile profile;
    size_t max_records;
    struct rng *rng;
    struct arena *a;
    int is_full; /* the arena was at some time */
};

/* One change. 1: done; 0: nothing of that kind can be done here, and nothing was. */
typedef int mutation_make(struct mutant *m);

/* mutate_tree.c: changes of structure. */
mutation_make mutate_insert, mutate_delete, mutate_duplicate, mutate_move, mutate_splice,
    mutate_replace, mutate_nest;

/* mutate_record.c: another value for one decision of that role; for an input, other bits; a small
 * step of any decision. */
int mutate_role(struct mutant *m, enum tape_role role);
mutation_make mutate_constant, mutate_digit;

/* mutate_trim.c: take away what was not read; the root's decisions stay. */
void mutate_prune(struct tree *root);

/* Where the children are statements, instructions or operations that each stand for themselves. */
int mutate_is_list(const struct tree *x);

/* Is it one of those children? */
int mutate_is_listed(const struct tree *x);
/* A copy of a listed node, of this tape or another, into a list of this one. */
int mutate_adopt(struct mutant *m, const struct tree *from);
/* mutate.c: a change of any kind, by the weights. */
mutation_make mutate_any;
/* The tree of a parent's first max_records records; NULL: the arena is full. */
struct tree *mutate_parse(const struct parent *p, size_t max_records, struct arena *a);
/* RES_NOMEM */
enum res mutate_complain(struct err *e, const struct arena *a);

/* One of the nodes of top that `wants` is not 0 for, all with the same chance; NULL: none. `of` is
 * handed on. */
typedef int mutate_wants(const struct mutant *m, const struct tree *x, const struct tree *of);
struct tree *mutate_pick(struct mutant *m, struct tree *top, mutate_wants *wants,
                         const struct tree *of);

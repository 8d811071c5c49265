/* gen/tape/tape_tree.h -- a tape as a tree of nodes that can be changed, and back: decode then encode is the
 * identity. */
#pragma once

#include "gen/tape/tape.h"

/* A node: its decisions, then its children in order, chained by next. */
struct tree {
    uint64_t head[TAPE_HEAD_RECORDS];
    uint32_t n_head; /* TAPE_HEAD_RECORDS where there is a child */
    enum tape_node node;
    struct tree *parent, *first, *next;
    const struct tape_mark *mark; /* [0] its own, [1 + i] of decision i < n_mark; NULL: not known */
    uint32_t n_mark;
};

/* The tree of a tape, in `a`; mark (n_records + 1 of them, must outlive it) may be NULL. NULL: the
 * arena is full. Lengths beyond the end are cut, as the reader cuts them. */
struct tree *tree_parse(const struct tape *t, const struct tape_mark *mark, struct arena *a);
/* The tape of a tree: decode then encode is the identity but for lengths that were cut. 0: the arena
 * is full. */
bool tree_write(const struct tree *x, struct arena *a, struct tape *out);
/* Records that x takes as a tape; as a child it takes one more, its length. */
size_t tree_count_records(const struct tree *x);
/* A copy of x with all below it, without parent and next. NULL: the arena is full. */
struct tree *tree_clone(const struct tree *x, struct arena *a);

/* The next node in order, parents before children, of those below `top`; NULL: x was the last. */
struct tree *tree_next(const struct tree *x, const struct tree *top);
uint32_t tree_count_children(const struct tree *x);
/* Child number `at`, or NULL. */
struct tree *tree_get_child(const struct tree *x, uint32_t at);
/* x becomes child number `at` of `of`, at most the last; its decisions are made whole with zeros. */
void tree_insert(struct tree *of, uint32_t at, struct tree *x);
/* x away from its parent. */
void tree_remove(struct tree *x);
/* y where x was. */
void tree_replace(struct tree *x, struct tree *y);
/* Is x y, or above it? */
bool tree_holds(const struct tree *x, const struct tree *y);

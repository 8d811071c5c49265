/* gen/mutate/mutate_trim.c -- smaller tapes: without what is not read, without a subtree, with a zero. */
#include "gen/mutate/mutate_trim.h"

#include <stdlib.h>
#include <string.h>

#include "gen/mutate/mutate_tree.h"
#include "gen/tape/tape_tree.h"

/* Nothing at the end of a list of positions reads as zero, as an empty node does. */
static void cut_empty_end(struct tree *of)
{
    for (;;) {
        struct tree *last = of->first;
        while (last && last->next) {
            last = last->next;
        }
        if (!last || last->n_head > 0 || last->first || mutate_is_list(of)) {
            return;
        }
        tree_remove(last);
    }
}

/* Where positions count, an empty node stays. */
static void take_away(struct tree *x)
{
    struct tree *const of = x->parent;
    if (mutate_is_list(of)) {
        tree_remove(x);
        return;
    }
    x->first = NULL;
    x->n_head = 0;
    cut_empty_end(of);
}

static bool is_read(const struct tree *x, uint32_t at)
{
    return at < x->n_mark && x->mark[1 + at].role != ROLE_UNREAD;
}

static void prune_head(struct tree *x)
{
    for (uint32_t i = 0; i < x->n_head && x->parent; i++) { /* the root's head is no decision */
        x->head[i] = is_read(x, i) ? x->head[i] : 0;
    }
    while (!x->first && x->n_head > 0 && x->head[x->n_head - 1] == 0) {
        x->n_head--;
    }
}

/* Take away what was not read; the root's decisions stay. */
static void prune(struct tree *x)
{
    struct tree *next = NULL;
    for (struct tree *child = x->first; child; child = next) {
        next = child->next;
        if (child->node != NODE_UNREAD) {
            prune(child);
        } else if (mutate_is_list(x)) {
            tree_remove(child);
        } else {
            child->first = NULL;
            child->n_head = 0;
        }
    }
    cut_empty_end(x);
    if (x->parent) {
        prune_head(x);
    }
}

/* What one candidate does. */
struct cut {
    struct tree *node;
    size_t n_records; /* that go with the node; 0: decisions [from, to) become zero */
    uint32_t from, to, order;
};
struct cuts {
    struct cut *cut;
    uint32_t n;
};

/* The largest first; among equals the first in the list. */
static int by_size(const void *x, const void *y)
{
    const struct cut *const a = x;
    const struct cut *const b = y;
    if (a->n_records != b->n_records) {
        return a->n_records < b->n_records ? 1 : -1;
    }
    return (a->order > b->order) - (a->order < b->order);
}

/* A cut of the decisions [from, to), if one of them is read and not zero yet. */
static void add_zeroes(struct cuts *x, struct tree *node, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        if (is_read(node, i) && node->head[i] != 0) {
            x->cut[x->n] = (struct cut){.node = node, .from = from, .to = to, .order = x->n};
            x->n++;
            return;
        }
    }
}

/* A cut of each subtree that take_away makes smaller. An empty node is one only in a list, where it goes with
 * its length; at a position that counts it would stay as it is. */
static void add_subtrees(struct cuts *x, struct tree *root)
{
    for (struct tree *y = tree_next(root, root); y; y = tree_next(y, root)) {
        size_t const size = tree_count_records(y);
        if (size > 0 || mutate_is_list(y->parent)) {
            x->cut[x->n] = (struct cut){.node = y, .n_records = 1 + size, .order = x->n};
            x->n++;
        }
    }
}

/* The most cuts that list_cuts makes: of a node its subtree, its whole head, and each decision of it. */
static uint32_t count_most_cuts(const struct tree *root)
{
    uint32_t n = 0;
    for (const struct tree *y = root; y; y = tree_next(y, root)) {
        n += 2 + y->n_head;
    }
    return n;
}

/* Subtrees, the largest first; then whole heads, then single decisions. false: the arena is full. */
static bool list_cuts(struct cuts *x, struct tree *root, struct arena *a)
{
    x->cut = ARENA_NEW(a, struct cut, count_most_cuts(root));
    x->n = 0;
    if (!x->cut) {
        return false;
    }
    add_subtrees(x, root);
    qsort(x->cut, x->n, sizeof *x->cut, by_size);
    for (struct tree *y = tree_next(root, root); y; y = tree_next(y, root)) {
        add_zeroes(x, y, 0, y->n_head);
    }
    for (struct tree *y = tree_next(root, root); y; y = tree_next(y, root)) {
        for (uint32_t i = 0; i < y->n_head; i++) {
            add_zeroes(x, y, i, i + 1);
        }
    }
    return true;
}

static void apply(const struct cut *c)
{
    if (c->n_records > 0) {
        take_away(c->node);
        return;
    }
    for (uint32_t i = c->from; i < c->to; i++) {
        c->node->head[i] = 0;
    }
}

/* Makes attempt number `step` at a smaller tape that means the same: 1 and *out; 0: there are no more steps;
 * -1: the arena is full. Step 0 is the pruned tape alone (without what nobody reads), unless pruning takes
 * nothing away: then the cuts begin at 0. All cuts are made of the pruned tape. */
int mutate_trim(const struct parent *p, uint32_t step, struct arena *a, struct tape *out)
{
    struct cuts cuts;
    struct tree *const root = tree_parse(&p->tape, p->mark, a);
    if (!root) {
        return -1;
    }
    prune(root);
    bool const is_pruned = tree_count_records(root) < p->tape.n_records;
    uint32_t const n_first = is_pruned ? 1 : 0; /* steps before the cuts */
    if (!list_cuts(&cuts, root, a)) {
        return -1;
    }
    if (step >= n_first + cuts.n) {
        return 0;
    }
    if (step >= n_first) {
        apply(&cuts.cut[step - n_first]);
    }
    return tree_write(root, a, out) ? 1 : -1;
}

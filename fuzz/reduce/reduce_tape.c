/* fuzz/reduce/reduce_tape.c -- smaller tapes: whole subtrees away first, then single decisions to zero. */
#include "fuzz/reduce/reduce_tape.h"

#include "gen/tape/tape_tree.h"

enum {
    MAX_NODES = 1 << 14,
    MAX_EDITS = 1 << 16,
    FINE_NODES = 256 /* single decisions are tried where so few nodes are left */
};

/* Breadth first, so that what takes much away comes early. */
struct nodes {
    uint32_t n;
    struct tree **node;
};

/* Children [from, to) of the node away, or its decisions [from, to) to zero. */
struct edit {
    uint32_t node, from, to;
    int zeroes;
};
struct edits {
    uint32_t n;
    struct edit *edit;
};

/* False: too many nodes, or the arena is full. */
static bool list_nodes(struct nodes *x, const struct tape *t, struct arena *a)
{
    x->node = ARENA_NEW(a, struct tree *, MAX_NODES);
    struct tree *const root = tree_parse(t, NULL, a);
    if (!x->node || !root) {
        return false;
    }
    x->node[0] = root;
    x->n = 1;
    for (uint32_t i = 0; i < x->n; i++) {
        for (struct tree *child = x->node[i]->first; child; child = child->next) {
            if (x->n == MAX_NODES) {
                return false;
            }
            x->node[x->n++] = child;
        }
    }
    return true;
}

static void add(struct edits *x, uint32_t node, uint32_t from, uint32_t to, int zeroes)
{
    if (x->n < MAX_EDITS && from < to) {
        x->edit[x->n++] = (struct edit){node, from, to, zeroes};
    }
}

/* All of a list, then halves, quarters, single ones. */
static void add_ranges(struct edits *x, uint32_t node, uint32_t n, int zeroes)
{
    for (uint32_t size = n; size > 0; size /= 2) {
        for (uint32_t from = 0; from < n; from += size) {
            add(x, node, from, from + size < n ? from + size : n, zeroes);
        }
    }
}

static bool is_zero(const struct tree *x)
{
    for (uint32_t i = 0; i < x->n_head; i++) {
        if (x->head[i] != 0) {
            return false;
        }
    }
    return true;
}

static void list_edits(const struct nodes *x, struct edits *out)
{
    for (uint32_t i = 0; i < x->n; i++) {
        add_ranges(out, i, tree_count_children(x->node[i]), 0);
    }
    for (uint32_t i = 0; i < x->n; i++) {
        if (i == 0 || is_zero(x->node[i])) { /* the root's head says which needs are allowed */
            continue;
        }
        if (x->n <= FINE_NODES) {
            add_ranges(out, i, x->node[i]->n_head, 1);
        } else {
            add(out, i, 0, x->node[i]->n_head, 1);
        }
    }
}

static void apply(struct tree *x, const struct edit *edit)
{
    for (uint32_t i = edit->from; i < edit->to; i++) {
        if (edit->zeroes) {
            x->head[i] = 0;
        } else {
            tree_remove(tree_get_child(x, edit->from));
        }
    }
}

int reduce_tape_make(const struct tape *t, uint32_t step, struct arena *a, struct tape *out)
{
    struct nodes nodes;
    struct edits edits = {.edit = ARENA_NEW(a, struct edit, MAX_EDITS)};
    if (!edits.edit || t->n_records > TAPE_MAX_RECORDS || !list_nodes(&nodes, t, a)) {
        return -1;
    }
    list_edits(&nodes, &edits);
    if (step >= edits.n) {
        return -1;
    }
    const struct edit *const edit = &edits.edit[step];
    apply(nodes.node[edit->node], edit);
    return tree_write(nodes.node[0], a, out) ? 1 : -1;
}

/* fuzz/reduce_tape.c -- smaller tapes: whole subtrees away first, then single decisions to zero. */
#include <string.h>

#include "fuzz/reduce_parts.h"

enum {
    MAX_NODES = 1 << 14,
    MAX_EDITS = 1 << 16,
    FINE_NODES = 256 /* single decisions are tried where so few nodes are left */
};

/* A node as it stands in the tape: records [begin, end) are its sub-stream. Nodes are numbered breadth
 * first, so that the children of one follow each other. */
struct node {
    uint32_t begin, end;
    uint32_t first_child, n_child;
};
struct tree {
    const unsigned char *data;
    uint32_t n;
    struct node *node;
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

static uint32_t count_head(const struct node *x)
{
    uint32_t const n = x->end - x->begin;
    return n < TAPE_HEAD_RECORDS ? n : TAPE_HEAD_RECORDS;
}

/* 0: too many nodes, or the arena is full. */
static int parse(struct tree *t, const struct tape *tape, struct arena *a)
{
    t->data = tape->data;
    t->node = ARENA_NEW(a, struct node, MAX_NODES);
    if (!t->node) {
        return 0;
    }
    t->node[0] = (struct node){.begin = 0, .end = (uint32_t)tape->n_records};
    t->n = 1;
    for (uint32_t i = 0; i < t->n; i++) {
        struct node *x = &t->node[i];
        x->first_child = t->n;
        for (uint32_t at = x->begin + TAPE_HEAD_RECORDS; at < x->end;) {
            uint32_t const left = x->end - at - 1;
            uint64_t const want =
                load_le(t->data + (size_t)TAPE_RECORD_BYTES * at, TAPE_RECORD_BYTES) %
                TAPE_MAX_RECORDS;
            uint32_t const size = want < left ? (uint32_t)want : left;
            if (t->n == MAX_NODES) {
                return 0;
            }
            t->node[t->n++] = (struct node){.begin = at + 1, .end = at + 1 + size};
            at += 1 + size;
        }
        x->n_child = t->n - x->first_child;
    }
    return 1;
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

static int is_zero(const struct tree *t, const struct node *x)
{
    for (size_t i = (size_t)TAPE_RECORD_BYTES * x->begin;
         i < (size_t)TAPE_RECORD_BYTES * (x->begin + count_head(x)); i++) {
        if (t->data[i]) {
            return 0;
        }
    }
    return 1;
}

static void list_edits(const struct tree *t, struct edits *x)
{
    for (uint32_t i = 0; i < t->n; i++) {
        add_ranges(x, i, t->node[i].n_child, 0);
    }
    for (uint32_t i = 0; i < t->n; i++) {
        const struct node *n = &t->node[i];
        if (is_zero(t, n)) {
            continue;
        }
        if (t->n <= FINE_NODES) {
            add_ranges(x, i, count_head(n), 1);
        } else {
            add(x, i, 0, count_head(n), 1);
        }
    }
}

/* Where the records of the smaller tape go. */
struct writer {
    const struct tree *t;
    const struct edit *edit;
    unsigned char *data;
    uint32_t n;
};

static void put(struct writer *w, uint64_t record)
{
    store_le(w->data + (size_t)TAPE_RECORD_BYTES * w->n++, record, TAPE_RECORD_BYTES);
}

/* The sub-stream of a node; a child's record of length is what is left of it. The depth is that of
 * the tape, of which each level takes at least one record. */
static void put_node(struct writer *w, uint32_t number)
{
    const struct node *x = &w->t->node[number];
    int const is_edited = w->edit->node == number;
    uint32_t const n_head = count_head(x);
    for (uint32_t i = 0; i < n_head; i++) {
        int const is_zeroed = is_edited && w->edit->zeroes && i >= w->edit->from && i < w->edit->to;
        const unsigned char *p = w->t->data + (size_t)TAPE_RECORD_BYTES * (x->begin + i);
        put(w, is_zeroed ? 0 : load_le(p, TAPE_RECORD_BYTES));
    }
    for (uint32_t i = 0; i < x->n_child; i++) {
        if (is_edited && !w->edit->zeroes && i >= w->edit->from && i < w->edit->to) {
            continue;
        }
        uint32_t const at = w->n;
        put(w, 0);
        put_node(w, x->first_child + i);
        store_le(w->data + (size_t)TAPE_RECORD_BYTES * at, w->n - at - 1, TAPE_RECORD_BYTES);
    }
}

int reduce_tape_make(const struct tape *t, uint32_t step, struct arena *a, struct tape *out)
{
    struct tree tree;
    struct edits edits = {.edit = ARENA_NEW(a, struct edit, MAX_EDITS)};
    if (!edits.edit || t->n_records > TAPE_MAX_RECORDS || !parse(&tree, t, a)) {
        return -1;
    }
    list_edits(&tree, &edits);
    if (step >= edits.n) {
        return -1;
    }
    struct writer w = {.t = &tree,
                       .edit = &edits.edit[step],
                       .data = arena_take(a, (t->n_records + 1) * TAPE_RECORD_BYTES)};
    if (!w.data) {
        return -1;
    }
    put_node(&w, 0);
    *out = (struct tape){.data = w.data, .n_records = w.n};
    return 1;
}

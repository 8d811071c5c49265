/* gen/tape/tape_tree.c -- a tape as a tree of nodes that can be changed, and back. */
#include "gen/tape/tape_tree.h"

/* Records [begin, end) of a tape as a node. */
static struct tree *node_of(const struct tape *t, const struct tape_mark *mark, size_t begin,
                            size_t end, struct arena *a)
{
    struct tree *const x = ARENA_NEW(a, struct tree, 1);
    if (!x) {
        return NULL;
    }
    size_t const n = end - begin;
    x->n_head = n < TAPE_HEAD_RECORDS ? (uint32_t)n : (uint32_t)TAPE_HEAD_RECORDS;
    for (uint32_t i = 0; i < x->n_head; i++) {
        x->head[i] = load_le(t->data + TAPE_RECORD_BYTES * (begin + i), TAPE_RECORD_BYTES);
    }
    x->mark = mark ? mark + begin : NULL;
    x->n_mark = mark ? x->n_head : 0;
    x->node = mark ? (enum tape_node)mark[begin].node : NODE_UNREAD;
    return x;
}

/* Adds to x the children that stand in records [begin, end) of the tape, after x's own decisions: each is a
 * length and then so many records, cut at the end as the reader cuts it. The depth of all recursions here is
 * that of the tape, of which each level takes a head and a length. false: the arena is full. */
static bool add_children(struct tree *x, const struct tape *t, const struct tape_mark *mark,
                         size_t begin, size_t end, struct arena *a)
{
    struct tree **last = &x->first;
    for (size_t at = begin + TAPE_HEAD_RECORDS; at < end;) {
        size_t const left = end - at - 1;
        size_t const want =
            load_le(t->data + TAPE_RECORD_BYTES * at, TAPE_RECORD_BYTES) % TAPE_MAX_RECORDS;
        size_t const past = at + 1 + (want < left ? want : left);
        struct tree *const child = node_of(t, mark, at + 1, past, a);
        if (!child || !add_children(child, t, mark, at + 1, past, a)) {
            return false;
        }
        child->parent = x;
        *last = child;
        last = &child->next;
        at = past;
    }
    return true;
}

struct tree *tree_parse(const struct tape *t, const struct tape_mark *mark, struct arena *a)
{
    struct tree *const x = node_of(t, mark, 0, t->n_records, a);
    return x && add_children(x, t, mark, 0, t->n_records, a) ? x : NULL;
}

size_t tree_count_records(const struct tree *x)
{
    size_t n = x->n_head;
    for (const struct tree *child = x->first; child; child = child->next) {
        n += 1 + tree_count_records(child);
    }
    return n;
}

static unsigned char *put(unsigned char *to, uint64_t record)
{
    store_le(to, record, TAPE_RECORD_BYTES);
    return to + TAPE_RECORD_BYTES;
}

static unsigned char *put_node(const struct tree *x, unsigned char *to)
{
    for (uint32_t i = 0; i < x->n_head; i++) {
        to = put(to, x->head[i]);
    }
    for (const struct tree *child = x->first; child; child = child->next) {
        unsigned char *const past = put_node(child, to + TAPE_RECORD_BYTES);
        (void)put(to, (uint64_t)(past - to) / TAPE_RECORD_BYTES - 1);
        to = past;
    }
    return to;
}

bool tree_write(const struct tree *x, struct arena *a, struct tape *out)
{
    size_t const n = tree_count_records(x);
    unsigned char *const data = arena_take(a, (n + 1) * TAPE_RECORD_BYTES);
    if (!data) {
        return false;
    }
    (void)put_node(x, data);
    *out = (struct tape){.data = data, .n_records = n};
    return true;
}

/* A copy of x with all below it, without parent and next; NULL: the arena is full. */
struct tree *tree_clone(const struct tree *x, struct arena *a)
{
    struct tree *const copy = ARENA_NEW(a, struct tree, 1);
    if (!copy) {
        return NULL;
    }
    *copy = *x;
    copy->parent = NULL;
    copy->next = NULL;
    struct tree **last = &copy->first;
    for (const struct tree *child = x->first; child; child = child->next) {
        *last = tree_clone(child, a);
        if (!*last) {
            return NULL;
        }
        (*last)->parent = copy;
        last = &(*last)->next;
    }
    return copy;
}

struct tree *tree_next(const struct tree *x, const struct tree *top)
{
    if (x->first) {
        return x->first;
    }
    while (x != top && !x->next) {
        x = x->parent;
    }
    return x == top ? NULL : x->next;
}

uint32_t tree_count_children(const struct tree *x)
{
    uint32_t n = 0;
    for (const struct tree *child = x->first; child; child = child->next) {
        n++;
    }
    return n;
}

struct tree *tree_get_child(const struct tree *x, uint32_t at)
{
    struct tree *child = x->first;
    while (child && at > 0) {
        child = child->next;
        at--;
    }
    return child;
}

void tree_insert(struct tree *of, uint32_t at, struct tree *x)
{
    struct tree **link = &of->first;
    while (*link && at > 0) {
        link = &(*link)->next;
        at--;
    }
    while (of->n_head < TAPE_HEAD_RECORDS) {
        of->head[of->n_head++] = 0; /* as it was read so far */
    }
    x->parent = of;
    x->next = *link;
    *link = x;
}

static struct tree **link_to(const struct tree *x)
{
    struct tree **link = &x->parent->first;
    while (*link != x) {
        link = &(*link)->next;
    }
    return link;
}

void tree_remove(struct tree *x)
{
    *link_to(x) = x->next;
    x->parent = NULL;
    x->next = NULL;
}

void tree_replace(struct tree *x, struct tree *y)
{
    *link_to(x) = y;
    y->parent = x->parent;
    y->next = x->next;
    x->parent = NULL;
    x->next = NULL;
}

bool tree_holds(const struct tree *x, const struct tree *y)
{
    while (y && y != x) {
        y = y->parent;
    }
    return y == x;
}

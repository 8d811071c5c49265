/* gen/tape/tape_random.c -- random tapes, and random nodes of them. */
#include "gen/tape/tape_random.h"

#include "gen/tape/grammar.h"

/* A random tape in the making. */
struct writer {
    struct rng rng;
    unsigned char *data;
    size_t n, n_most;
};
enum {
    RANDOM_MAX_RECORDS = 16384, /* far beyond what put_root makes: blocks shrink with depth */
    NODE_MAX_RECORDS = 4096     /* the same of any node below it */
};

static void put_record(struct writer *w, uint64_t v)
{
    if (w->n < w->n_most) {
        store_le(w->data + TAPE_RECORD_BYTES * w->n++, v, TAPE_RECORD_BYTES);
    }
}

/* Open a node with a random head; returns where its length stands. `first` is its first decision. */
static size_t open_node(struct writer *w, uint64_t first)
{
    size_t const at = w->n;
    put_record(w, 0);
    put_record(w, first);
    for (int i = 1; i < TAPE_HEAD_RECORDS; i++) {
        put_record(w, rng_next(&w->rng));
    }
    return at;
}

static void close_node(struct writer *w, size_t at)
{
    store_le(w->data + TAPE_RECORD_BYTES * at, w->n - at - 1, TAPE_RECORD_BYTES);
}

static void put_leaf(struct writer *w)
{
    close_node(w, open_node(w, rng_next(&w->rng)));
}

static void put_operand(struct writer *w, int depth)
{
    uint64_t const first = rng_next(&w->rng);
    size_t const at = open_node(w, first);
    if (first % 100 >= GRAMMAR_COMPUTED_FROM && depth < GRAMMAR_MAX_OPERAND_DEPTH) {
        put_operand(w, depth + 1);
        put_operand(w, depth + 1);
        put_operand(w, depth + 1);
    }
    close_node(w, at);
}

/* An operand that is computed in any case. */
static void put_computed(struct writer *w, int depth)
{
    size_t const at = open_node(w, rng_next(&w->rng));
    for (int i = 0; i < 3; i++) {
        put_operand(w, depth + 1);
    }
    close_node(w, at);
}

/* A first decision that makes a statement an if or a loop. */
static uint64_t compound_choice(struct writer *w)
{
    return GRAMMAR_COMPOUND_FROM + rng_below(&w->rng, 100 - GRAMMAR_COMPOUND_FROM);
}

static void put_block(struct writer *w, int depth, uint64_t n_statements);

static void put_branch(struct writer *w, int depth, uint64_t first)
{
    size_t const at = open_node(w, first);
    put_block(w, depth + 1, 1 + rng_below(&w->rng, 2));
    put_block(w, depth + 1, 1 + rng_below(&w->rng, 2));
    put_operand(w, 1);
    put_operand(w, 1);
    close_node(w, at);
}

static void put_statement(struct writer *w, int depth)
{
    uint64_t const first = rng_next(&w->rng);
    if (first % 100 >= GRAMMAR_COMPOUND_FROM && depth < GRAMMAR_MAX_DEPTH) {
        put_branch(w, depth, first);
        return;
    }
    /* a statement may be an instruction of mathematics, of which these two nodes are read as operands that are computed */
    size_t const at = open_node(w, first);
    put_leaf(w);
    put_computed(w, 1);
    put_computed(w, 1);
    close_node(w, at);
}

static void put_block(struct writer *w, int depth, uint64_t n_statements)
{
    size_t const at = open_node(w, rng_next(&w->rng));
    for (uint64_t i = 0; i < n_statements; i++) {
        put_statement(w, depth);
    }
    close_node(w, at);
}

/* An instruction of mathematics: its decisions, and operands that are computed. The operands of these are written in any case: what
 * is not written is the same constant for all, which hides what is wrong. */
static void put_math(struct writer *w)
{
    enum {
        MOST_COMPUTED = 2
    };
    size_t const at = open_node(w, rng_next(&w->rng));
    put_leaf(w);
    for (int i = 0; i < MOST_COMPUTED; i++) {
        put_computed(w, 1);
    }
    close_node(w, at);
}

static void put_math_block(struct writer *w, uint64_t n)
{
    size_t const at = open_node(w, rng_next(&w->rng));
    for (uint64_t i = 0; i < n; i++) {
        put_math(w);
    }
    close_node(w, at);
}

static void put_cell(struct writer *w)
{
    size_t const at = open_node(w, rng_next(&w->rng));
    put_leaf(w);
    close_node(w, at);
}

static void put_cells(struct writer *w)
{
    size_t const at = open_node(w, rng_next(&w->rng));
    for (int i = 0; i < GRAMMAR_MAX_CELLS; i++) {
        put_cell(w);
    }
    close_node(w, at);
}

/* A piece of a program, with two blocks and two operands for it to use. */
static void put_piece(struct writer *w, int depth)
{
    put_branch(w, depth, rng_next(&w->rng));
}

static void put_pieces(struct writer *w, uint64_t n)
{
    size_t const at = open_node(w, rng_next(&w->rng));
    for (uint64_t i = 0; i < n; i++) {
        put_piece(w, 0);
    }
    close_node(w, at);
}

static void put_root(struct writer *w)
{
    for (int i = 0; i < TAPE_HEAD_RECORDS; i++) {
        put_record(w, i == 0 ? rng_next(&w->rng) : 0); /* all needs are allowed: tape_needs.h */
    }
    put_leaf(w);
    put_leaf(w);
    put_cells(w);
    put_block(w, 1, 1 + rng_below(&w->rng, 2));
    put_block(w, 0, 2 + rng_below(&w->rng, 5));
    put_leaf(w);
    put_math_block(w, 1 + rng_below(&w->rng, 4));
    put_leaf(w);
    put_pieces(w, 1 + rng_below(&w->rng, 4));
    for (int i = 0; i < GRAMMAR_INTERFACE_LEAVES; i++) {
        put_leaf(w);
    }
}

/* Room for n records; 0: the arena is full. */
static int open_writer(struct writer *w, size_t n, struct rng *r, struct arena *a)
{
    *w = (struct writer){.rng = rng_fork(r, 1), .n_most = n};
    w->data = arena_take(a, (size_t)TAPE_RECORD_BYTES * n);
    return w->data != NULL;
}

enum res tape_random(struct tape *t, struct rng *r, struct arena *a, struct err *e)
{
    struct writer w;
    if (!open_writer(&w, RANDOM_MAX_RECORDS, r, a)) {
        return err_set(e, RES_NOMEM, "random tape: arena full at %zu bytes", a->used_bytes);
    }
    put_root(&w);
    *t = (struct tape){.data = w.data, .n_records = w.n};
    return RES_OK;
}

/* Writes a random node of that kind: its own decisions, then its children. depth is the number of compound
 * statements around it, which limits the depth of the statements within. */
static void put_node(struct writer *w, enum tape_node node, int depth)
{
    switch (node) {
    case NODE_UNREAD:
    case NODE_ROOT:
    case NODE_PLAIN:
        put_leaf(w);
        return;
    case NODE_CELLS:
        put_cells(w);
        return;
    case NODE_CELL:
        put_cell(w);
        return;
    case NODE_BLOCK:
        put_block(w, depth, 1 + rng_below(&w->rng, 2));
        return;
    case NODE_MATH_BLOCK:
        put_math_block(w, 1 + rng_below(&w->rng, 2));
        return;
    case NODE_BRANCH:
        put_branch(w, depth, compound_choice(w));
        return;
    case NODE_STATEMENT:
    case NODE_GROUPS:
        put_statement(w, depth);
        return;
    case NODE_MATH:
        put_math(w);
        return;
    case NODE_GROUP:
    case NODE_OPERAND:
        put_operand(w, depth);
        return;
    case NODE_COMPUTED:
        put_computed(w, depth);
        return;
    case NODE_PIECES:
        put_pieces(w, 1 + rng_below(&w->rng, 2));
        return;
    case NODE_PIECE:
        put_piece(w, depth);
        return;
    }
}

enum res tape_random_node(struct tape *t, enum tape_node node, int depth, struct rng *r,
                          struct arena *a, struct err *e)
{
    struct writer w;
    if (!open_writer(&w, NODE_MAX_RECORDS, r, a)) {
        return err_set(e, RES_NOMEM, "random node: arena full at %zu bytes", a->used_bytes);
    }
    put_node(&w, node, depth);
    *t = (struct tape){.data = w.data + TAPE_RECORD_BYTES, .n_records = w.n - 1};
    return RES_OK;
}

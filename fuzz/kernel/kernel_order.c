/* fuzz/kernel/kernel_order.c -- puts the blocks of each function into an order that SPIR-V permits. */
#include "fuzz/kernel/kernel_order.h"

#include <string.h>

struct block {
    uint32_t label;
    uint32_t first, n; /* words */
    struct spv_inst last;
    uint32_t state; /* 0: not seen; 1: its successors are being seen; 2: done */
    uint32_t next;  /* which of its successors is next */
};
struct function {
    struct block *blocks;
    uint32_t n_blocks;
    uint32_t n_ids;
    uint32_t *at;    /* [n_ids] 1 + block by label; 0: none */
    uint32_t *order; /* [n_blocks] blocks in postorder, from the end */
    uint32_t *stack;
};

/* Label number k of a block's successors; 0: it has no more. */
static uint32_t get_successor(const struct spv_inst *last, uint32_t k)
{
    switch (last->op) {
    case SpvOpBranch:
        return k == 0 ? spv_get_word(last, 1) : 0;
    case SpvOpBranchConditional:
        return k < 2 ? spv_get_word(last, 2 + k) : 0;
    case SpvOpSwitch: /* default, then pairs of a literal and a label: literals of more than a word are told by the count */
        return k == 0 ? spv_get_word(last, 2) : spv_get_word(last, 2 + 2 * k);
    default:
        return 0;
    }
}

/* All blocks that are reached, in postorder: the last one done comes first in f->order. The second successor is seen first, so
 * that the first one comes first. */
static void see_all(struct function *f)
{
    enum {
        MAX_SUCCESSORS = 1 << 16
    };
    uint32_t n_stack = 0, free_at = f->n_blocks;
    f->stack[n_stack++] = 0;
    f->blocks[0].state = 1;
    while (n_stack > 0) {
        uint32_t const i = f->stack[n_stack - 1];
        struct block *const b = &f->blocks[i];
        uint32_t n = 0;
        while (n < MAX_SUCCESSORS && get_successor(&b->last, n)) {
            n++;
        }
        if (b->next == n) {
            b->state = 2;
            f->order[--free_at] = i;
            n_stack--;
            continue;
        }
        uint32_t const label = get_successor(&b->last, n - 1 - b->next++);
        uint32_t const to = label < f->n_ids ? f->at[label] : 0;
        if (to && f->blocks[to - 1].state == 0) {
            f->blocks[to - 1].state = 1;
            f->stack[n_stack++] = to - 1;
        }
    }
    memmove(f->order, f->order + free_at, (f->n_blocks - free_at) * sizeof *f->order);
    uint32_t n = f->n_blocks - free_at;
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        if (f->blocks[i].state == 0) {
            f->order[n++] = i;
        }
    }
}

/* The blocks between words `from` and `to`. */
static void find_blocks(struct function *f, const uint32_t *words, uint32_t from, uint32_t to)
{
    uint32_t offset = from;
    struct spv_inst in;
    f->n_blocks = 0;
    while (offset < to && spv_next(words, to, &offset, &in)) {
        if (in.op == SpvOpLabel) {
            f->blocks[f->n_blocks++] =
                (struct block){.label = spv_get_word(&in, 1), .first = in.offset};
        }
        if (f->n_blocks > 0) {
            struct block *const b = &f->blocks[f->n_blocks - 1];
            b->last = in;
            b->n = offset - b->first;
        }
    }
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        if (f->blocks[i].label < f->n_ids) {
            f->at[f->blocks[i].label] = i + 1;
        }
    }
}

static void put_in_order(struct function *f, uint32_t *words, uint32_t *room)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        const struct block *const b = &f->blocks[f->order[i]];
        memcpy(room + n, words + b->first, b->n * sizeof *room);
        n += b->n;
    }
    memcpy(words + f->blocks[0].first, room, n * sizeof *room);
}

enum res kernel_order(uint32_t *words, uint32_t n_words, struct arena *a, struct err *e)
{
    uint32_t const n_ids = words[3];
    struct function f = {.n_ids = n_ids,
                         .blocks = ARENA_NEW(a, struct block, n_words),
                         .at = ARENA_NEW(a, uint32_t, n_ids + 1),
                         .order = ARENA_NEW(a, uint32_t, n_words),
                         .stack = ARENA_NEW(a, uint32_t, n_words)};
    uint32_t *const room = ARENA_NEW(a, uint32_t, n_words);
    uint32_t offset = SPV_HEADER_WORDS, begin = 0;
    struct spv_inst in;
    if (!f.blocks || !f.at || !f.order || !f.stack || !room || n_ids > SPV_MAX_IDS) {
        return err_set(e, RES_NOMEM, "no room for the blocks of a module of %u words", n_words);
    }
    while (spv_next(words, n_words, &offset, &in)) {
        if (in.op == SpvOpLabel && !begin) {
            begin = in.offset;
        } else if (in.op == SpvOpFunctionEnd && begin) {
            find_blocks(&f, words, begin, in.offset);
            see_all(&f);
            put_in_order(&f, words, room);
            begin = 0;
        }
    }
    return RES_OK;
}

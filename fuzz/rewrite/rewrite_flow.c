/* fuzz/rewrite/rewrite_flow.c -- a module with other control flow: ways that lead elsewhere. */
#include "fuzz/rewrite/rewrite_flow.h"

#include <string.h>

enum {
    HEADER_BOUND = 3, /* word of a module's header */
    MAX_PHI_WORDS = 128,
    MAX_SWITCH_WORDS = 256,
    MERGE = 1, /* word of both merge instructions */
    CONTINUE_TARGET = 2,
    PHI_FIRST = 3, /* words of OpPhi: value and block in alternation */
    SWITCH_SELECTOR = 1,
    SWITCH_DEFAULT = 2,
    SWITCH_FIRST = 3
};

/* A block, by its place in the words. */
struct block {
    uint32_t label, first, last; /* offsets of its label and of its terminator */
    uint32_t merge, next;        /* of its merge instruction; 0: none. next: of a loop */
    uint32_t n_phis;
    uint32_t moved_to; /* its OpBranch goes there in place of where it went; 0: it stays */
};

struct flow {
    const uint32_t *words;
    uint32_t n_words;
    struct block *block;
    uint32_t n_blocks;
    uint32_t *block_at; /* by label: 1 + index; 0: none */
    uint32_t *type_of;  /* by id: type of the result, or of a type its width if it is an integer */
    uint32_t n_ids;
    bool *is_test; /* by id: is it what a loop goes on by? */
    uint32_t u32, bool_type;
    uint32_t constant[3]; /* 0, 1, REWRITE_LONG_LOOP of u32; ids of their own */
};

static struct block *find_block(const struct flow *f, uint32_t label)
{
    uint32_t const at = label < f->n_ids ? f->block_at[label] : 0;
    return at ? &f->block[at - 1] : NULL;
}

static struct spv_inst get_inst(const struct flow *f, uint32_t offset)
{
    struct spv_inst in = {.n = 0};
    (void)spv_next(f->words, f->n_words, &offset, &in);
    return in;
}

/* Where the block goes, if that is one place; 0: it is not. */
static uint32_t get_target(const struct flow *f, const struct block *b)
{
    struct spv_inst const in = get_inst(f, b->last);
    return in.op == SpvOpBranch && in.n > 1 ? in.w[1] : 0;
}

static void note_type(struct flow *f, const struct spv_inst *in)
{
    bool has_type;
    if (spv_find_result(in, &has_type) && has_type && in->w[2] < f->n_ids) {
        f->type_of[in->w[2]] = in->w[1];
    }
    if (in->op == SpvOpTypeInt && in->n > 3 && in->w[1] < f->n_ids) {
        f->type_of[in->w[1]] = in->w[2];
        f->u32 = in->w[2] == 32 && in->w[3] == 0 ? in->w[1] : f->u32;
    } else if (in->op == SpvOpTypeBool && in->n > 1) {
        f->bool_type = in->w[1];
    }
}

/* One instruction of a function, in block b. */
static void note_inst(struct block *b, const struct spv_inst *in)
{
    b->last = in->offset;
    b->n_phis += in->op == SpvOpPhi;
    if ((in->op == SpvOpLoopMerge || in->op == SpvOpSelectionMerge) && in->n > CONTINUE_TARGET) {
        b->merge = in->w[MERGE];
        b->next = in->op == SpvOpLoopMerge ? in->w[CONTINUE_TARGET] : 0;
    }
}

/* List the blocks of all functions, and note what later steps need by id: the block of each
 * label, and the type of each result. The labels are counted first, to allocate the list. */
static enum res read_blocks(struct flow *f, struct arena *a, struct err *e)
{
    uint32_t at = SPV_HEADER_WORDS, n = 0;
    struct block *b = NULL;
    struct spv_inst in;
    while (spv_next(f->words, f->n_words, &at, &in)) {
        n += in.op == SpvOpLabel;
    }
    f->n_ids = f->words[HEADER_BOUND];
    f->block = ARENA_NEW(a, struct block, (size_t)n + 1);
    f->block_at = ARENA_NEW(a, uint32_t, (size_t)f->n_ids + 1);
    f->type_of = ARENA_NEW(a, uint32_t, (size_t)f->n_ids + 1);
    f->is_test = ARENA_NEW(a, bool, (size_t)f->n_ids + 1);
    if (!f->block || !f->block_at || !f->type_of || !f->is_test) {
        return err_set(e, RES_NOMEM, "rewrite: no room for %u ids", f->n_ids);
    }
    for (at = SPV_HEADER_WORDS; spv_next(f->words, f->n_words, &at, &in);) {
        note_type(f, &in);
        if (in.op == SpvOpLabel && in.n > 1 && in.w[1] < f->n_ids) {
            b = &f->block[f->n_blocks++];
            *b = (struct block){.label = in.w[1], .first = in.offset};
            f->block_at[in.w[1]] = f->n_blocks; /* the index + 1; 0: no block */
        } else if (in.op == SpvOpFunctionEnd) {
            b = NULL;
        }
        if (b) {
            note_inst(b, &in);
        }
    }
    return RES_OK;
}

/* ---- ways that move ---- */

/* Has a block of that label as many phis as the other's, of the same types in the same order? */
static bool has_like_phis(const struct flow *f, const struct block *x, const struct block *y)
{
    uint32_t at = x->first, other = y->first;
    struct spv_inst a, b;
    if (x->n_phis != y->n_phis) {
        return false;
    }
    (void)spv_next(f->words, f->n_words, &at, &a);
    (void)spv_next(f->words, f->n_words, &other, &b);
    for (uint32_t k = 0; k < x->n_phis; k++) {
        if (!spv_next(f->words, f->n_words, &at, &a) ||
            !spv_next(f->words, f->n_words, &other, &b) || a.op != SpvOpPhi || b.op != SpvOpPhi ||
            a.w[1] != b.w[1]) {
            return false;
        }
    }
    return true;
}

/* Is one of the two labels of a branch of block b, in or around the loop, that one, and no selection's? */
static bool is_test_of(const struct flow *f, const struct block *b, uint32_t merge)
{
    struct spv_inst const in = get_inst(f, b->last);
    return in.op == SpvOpBranchConditional && in.n > 3 && (in.w[2] == merge) != (in.w[3] == merge);
}

/* The header of the loop of which that is the continue target, or (is_merge) what is behind it. */
static const struct block *find_loop(const struct flow *f, uint32_t label, bool is_merge)
{
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        const struct block *const b = &f->block[i];
        if (b->next != 0 && (is_merge ? b->merge : b->next) == label) {
            return b;
        }
    }
    return NULL;
}

static bool has_test(const struct flow *f, const struct block *loop)
{
    const struct block *const end = find_block(f, loop->merge);
    for (const struct block *b = loop; end && b < end; b++) {
        if (is_test_of(f, b, loop->merge)) {
            return true;
        }
    }
    return false;
}

/* The switch of which the label begins an arm; NULL: there is none. Its merge block is no arm. */
static const struct block *find_switch(const struct flow *f, uint32_t label)
{
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        struct spv_inst const in = get_inst(f, f->block[i].last);
        for (uint32_t k = SWITCH_DEFAULT; in.op == SpvOpSwitch && k < in.n; k++) {
            bool const is_label = k == SWITCH_DEFAULT || find_block(f, in.w[k]) != NULL;
            if (is_label && in.w[k] == label && label != f->block[i].merge) {
                return &f->block[i];
            }
        }
    }
    return NULL;
}

/* Where the way of block b to `target` goes in place of that; 0: there. */
static uint32_t move_way(const struct flow *f, enum rewrite_way way, const struct block *b,
                         uint32_t target)
{
    bool const is_break = way == WAY_BREAK_CONTINUES;
    const struct block *const of =
        way == WAY_FALL_BREAKS ? find_switch(f, target) : find_loop(f, target, is_break);
    if (!of || of == b) {
        return 0;
    }
    uint32_t const to = is_break ? of->next : of->merge;
    const struct block *const from_block = find_block(f, target), *const to_block =
                                                                      find_block(f, to);
    bool const is_last = b + 1 == from_block && way == WAY_CONTINUE_BREAKS; /* of the body */
    if (!from_block || !to_block || is_last || to_block <= b || (is_break && !has_test(f, of)) ||
        !has_like_phis(f, from_block, to_block)) {
        return 0;
    }
    return to;
}

/* The value of the phi, number k of the block, for who comes from `from`; 0: none. */
static uint32_t get_phi_value(const struct flow *f, const struct block *b, uint32_t k,
                              uint32_t from)
{
    uint32_t at = b->first;
    struct spv_inst in;
    (void)spv_next(f->words, f->n_words, &at, &in);
    for (uint32_t i = 0; i <= k; i++) {
        if (!spv_next(f->words, f->n_words, &at, &in)) {
            return 0;
        }
    }
    for (uint32_t i = PHI_FIRST; i + 1 < in.n; i += 2) {
        if (in.w[i + 1] == from) {
            return in.w[i];
        }
    }
    return 0;
}

/* Write phi number k of block b with its entries brought up to date: without those of blocks whose branch now goes
 * elsewhere, and with one for each block whose branch now goes to b. A new entry takes the value that the phi of the
 * same number had in the block where the branch went before. */
static void put_phi(const struct flow *f, const struct block *b, const struct spv_inst *in,
                    uint32_t k, struct spv_words *out)
{
    uint32_t w[MAX_PHI_WORDS];
    uint32_t n = 0;
    w[n++] = in->w[1];
    w[n++] = in->w[2];
    for (uint32_t i = PHI_FIRST; i + 1 < in->n && n + 2 <= MAX_PHI_WORDS; i += 2) {
        const struct block *const from = find_block(f, in->w[i + 1]);
        bool const is_kept = !from || from->moved_to == 0; /* 0: its branch is as it was */
        if (is_kept) {
            w[n++] = in->w[i];
            w[n++] = in->w[i + 1];
        }
    }
    for (uint32_t i = 0; i < f->n_blocks && n + 2 <= MAX_PHI_WORDS; i++) {
        const struct block *const from = &f->block[i];
        const struct block *const was =
            from->moved_to == b->label ? find_block(f, get_target(f, from)) : NULL;
        if (was) {
            w[n++] = get_phi_value(f, was, k, from->label);
            w[n++] = from->label;
        }
    }
    spv_put(out, SpvOpPhi, w, n);
}

/* ---- literals of a switch ---- */

/* Words of a literal. */
static uint32_t count_words(const struct flow *f, const struct spv_inst *in)
{
    uint32_t const type = in->w[SWITCH_SELECTOR] < f->n_ids ? f->type_of[in->w[1]] : 0;
    return type < f->n_ids && f->type_of[type] == 64 ? 2 : 1;
}

/* Change the literals of a switch into `w`: the last one becomes a value far from all others, so that its case is
 * lost (WAY_CASE_LOST), or two neighbours that go to different blocks are exchanged (WAY_CASES_SWAPPED). False:
 * nothing is changed. */
static bool change_switch(const struct flow *f, enum rewrite_way way, const struct spv_inst *in,
                          uint32_t *w)
{
    enum {
        FAR = 0x4000 /* bit that makes a literal differ from all others of the switch */
    };
    /* a case is a literal of n_words and a label */
    uint32_t const n_words = count_words(f, in), step = n_words + 1;
    if (in->op != SpvOpSwitch || in->n > MAX_SWITCH_WORDS || in->n < SWITCH_FIRST + step) {
        return false;
    }
    memcpy(w, in->w, sizeof *w * in->n);
    uint32_t const last = in->n - step;
    if (way == WAY_CASE_LOST) {
        w[last] ^= FAR;
        /* Where the case goes to the default block already, nothing has changed. */
        return in->w[in->n - 1] != in->w[SWITCH_DEFAULT];
    }
    if (way != WAY_CASES_SWAPPED) {
        return false;
    }
    for (uint32_t i = SWITCH_FIRST; i + step < in->n; i += step) {
        if (in->w[i + n_words] != in->w[i + step + n_words]) {
            memcpy(w + i, in->w + i + step, sizeof *w * n_words);
            memcpy(w + i + step, in->w + i, sizeof *w * n_words);
            return true;
        }
    }
    return false;
}

/* ---- an iteration that is lost ---- */

/* Finds what loops go on by: the conditions of their tests, and what these are the conjunction of. */
static void find_tests(struct flow *f)
{
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        in = get_inst(f, f->block[i].last);
        for (uint32_t k = 0; k < f->n_blocks; k++) {
            const struct block *const loop = &f->block[k];
            if (loop->next != 0 && is_test_of(f, &f->block[i], loop->merge) &&
                in.w[3] == loop->merge && in.w[1] < f->n_ids) {
                f->is_test[in.w[1]] = true;
            }
        }
    }
    while (spv_next(f->words, f->n_words, &at, &in)) {
        if (in.op == SpvOpLogicalAnd && in.n == 5 && in.w[2] < f->n_ids && f->is_test[in.w[2]]) {
            f->is_test[in.w[3] < f->n_ids ? in.w[3] : 0] = true;
        }
    }
}

/* x < y becomes x < y - (y > REWRITE_LONG_LOOP ? 1 : 0). */
static void put_fewer_iterations(const struct flow *f, const struct spv_inst *in, uint32_t *bound,
                                 struct spv_words *out)
{
    uint32_t const is_long = (*bound)++, one = (*bound)++, fewer = (*bound)++;
    uint32_t const y = in->w[4];
    spv_put(out, SpvOpUGreaterThan, (uint32_t[]){f->bool_type, is_long, y, f->constant[2]}, 4);
    spv_put(out, SpvOpSelect, (uint32_t[]){f->u32, one, is_long, f->constant[1], f->constant[0]},
            5);
    spv_put(out, SpvOpISub, (uint32_t[]){f->u32, fewer, y, one}, 4);
    spv_put(out, SpvOpULessThan, (uint32_t[]){in->w[1], in->w[2], in->w[3], fewer}, 4);
}

/* The tests that are conjunctions were found before the comparisons in them, so of a comparison it is known. */
static bool is_loop_test(const struct flow *f, const struct spv_inst *in)
{
    return in->op == SpvOpULessThan && in->n == 5 && in->w[2] < f->n_ids && f->is_test[in->w[2]] &&
           in->w[4] < f->n_ids && f->type_of[in->w[4]] == f->u32;
}

static void put_constants(struct flow *f, uint32_t *bound, struct spv_words *out)
{
    static const uint32_t numbers[] = {0, 1, REWRITE_LONG_LOOP};
    for (uint32_t k = 0; k < ARRAY_N(numbers); k++) {
        f->constant[k] = (*bound)++;
        spv_put(out, SpvOpConstant, (uint32_t[]){f->u32, f->constant[k], numbers[k]}, 3);
    }
}

/* ---- the whole ---- */

static void choose_ways(struct flow *f, enum rewrite_way way, uint32_t *n_sites)
{
    for (uint32_t i = 0; i < f->n_blocks && way <= WAY_FALL_BREAKS; i++) {
        uint32_t const target = get_target(f, &f->block[i]);
        f->block[i].moved_to = target ? move_way(f, way, &f->block[i], target) : 0;
        *n_sites += f->block[i].moved_to != 0;
    }
}

/* Puts what becomes of one instruction of block b (NULL: it is in none), phi number k of it. */
static void put_inst(struct flow *f, enum rewrite_way way, const struct block *b, uint32_t k,
                     const struct spv_inst *in, uint32_t *bound, uint32_t *n_sites,
                     struct spv_words *out)
{
    uint32_t w[MAX_SWITCH_WORDS];
    if (b && in->op == SpvOpPhi && way <= WAY_FALL_BREAKS) {
        put_phi(f, b, in, k, out);
    } else if (b && in->offset == b->last && b->moved_to != 0) {
        spv_put(out, SpvOpBranch, &b->moved_to, 1);
    } else if (in->op == SpvOpSwitch && change_switch(f, way, in, w)) {
        ++*n_sites;
        spv_put(out, SpvOpSwitch, w + 1, in->n - 1);
    } else if (way == WAY_ITERATION_LOST && f->u32 && f->bool_type && is_loop_test(f, in)) {
        ++*n_sites;
        put_fewer_iterations(f, in, bound, out);
    } else {
        spv_put(out, in->op, in->w + 1, in->n - 1);
    }
}

/* Write the module with its control flow changed in one way: branches that go elsewhere, with the phis brought up
 * to date, switches with other literals, or loops with one iteration less. All changes are decided first, because the
 * phi of a block depends on branches that come later. k counts the phis of the current block. */
enum res rewrite_flow(enum rewrite_way way, const uint32_t *words, uint32_t n_words,
                      struct arena *a, struct spv_words *out, uint32_t *bound, uint32_t *n_sites,
                      struct err *e)
{
    struct flow f = {.words = words, .n_words = n_words};
    const struct block *b = NULL;
    uint32_t at = SPV_HEADER_WORDS, k = 0;
    bool has_constants = false;
    struct spv_inst in;
    TRY(read_blocks(&f, a, e));
    find_tests(&f);
    choose_ways(&f, way, n_sites);
    while (spv_next(words, n_words, &at, &in)) {
        if (in.op == SpvOpFunction && way == WAY_ITERATION_LOST && f.u32 && !has_constants) {
            put_constants(&f, bound, out);
            has_constants = true;
        }
        if (in.op == SpvOpLabel && in.n > 1) {
            b = find_block(&f, in.w[1]);
            k = 0;
        } else if (in.op == SpvOpFunctionEnd) {
            b = NULL;
        }
        put_inst(&f, way, b, k, &in, bound, n_sites, out);
        k += in.op == SpvOpPhi;
    }
    return RES_OK;
}

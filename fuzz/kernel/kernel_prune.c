/* fuzz/kernel/kernel_prune.c -- a module with one of its kernels. */
#include "fuzz/kernel/kernel_prune.h"

#include <string.h>

struct pruner {
    const uint32_t *words;
    uint32_t n_words, function, n_ids;
    bool *is_reached; /* [n_ids] functions */
    bool *is_gone;    /* [n_ids] functions, and what is defined in them */
};

/* Marks what reached functions call, once. True: something new. */
static bool reach(struct pruner *p)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_within = false, is_new = false;
    while (spv_next(p->words, p->n_words, &offset, &in)) {
        if (in.op == SpvOpFunction) {
            is_within = p->is_reached[in.w[2]];
        } else if (in.op == SpvOpFunctionCall && is_within && in.n > 3 && in.w[3] < p->n_ids &&
                   !p->is_reached[in.w[3]]) {
            p->is_reached[in.w[3]] = is_new = true;
        }
    }
    return is_new;
}

static void mark(struct pruner *p)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_gone = false, has_type = false;
    while (spv_next(p->words, p->n_words, &offset, &in)) {
        is_gone = in.op == SpvOpFunction ? !p->is_reached[in.w[2]] : is_gone;
        uint32_t const word = spv_find_result(&in, &has_type);
        if (is_gone && word && in.w[word] < p->n_ids) {
            p->is_gone[in.w[word]] = true;
        }
    }
}

static bool is_dropped(const struct pruner *p, const struct spv_inst *in)
{
    uint32_t const target = spv_get_word(in, 1);
    switch (in->op) {
    case SpvOpEntryPoint:
        return spv_get_word(in, 2) != p->function;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return target != p->function;
    case SpvOpName:
    case SpvOpDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
        return target < p->n_ids && p->is_gone[target];
    default:
        return false;
    }
}

enum res kernel_prune(const uint32_t *words, uint32_t n_words, uint32_t function, struct arena *a,
                      const uint32_t **out, uint32_t *n_out, struct err *e)
{
    struct pruner p = {.words = words, .n_words = n_words, .function = function, .n_ids = words[3]};
    uint32_t *const kept = ARENA_NEW(a, uint32_t, n_words);
    uint32_t offset = SPV_HEADER_WORDS, n = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_within = false;
    p.is_reached = ARENA_NEW(a, bool, p.n_ids + 1);
    p.is_gone = ARENA_NEW(a, bool, p.n_ids + 1);
    if (!kept || !p.is_reached || !p.is_gone) {
        return err_set(e, RES_NOMEM, "no room for a module of %u words", n_words);
    }
    p.is_reached[function] = true;
    while (reach(&p)) {
    }
    mark(&p);
    memcpy(kept, words, SPV_HEADER_WORDS * sizeof *kept);
    while (spv_next(words, n_words, &offset, &in)) {
        is_within = in.op == SpvOpFunction ? p.is_gone[in.w[2]] : is_within;
        if (!is_within && !is_dropped(&p, &in)) {
            memcpy(kept + n, in.w, in.n * sizeof *kept);
            n += in.n;
        }
    }
    *out = kept;
    *n_out = n;
    return RES_OK;
}

/* fuzz/rewrite/rewrite_state.h -- a module and what is made of it, for the parts of a rewriting. */
#pragma once

#include "base/spv.h"
#include "fuzz/rewrite/rewrite.h"

enum rewrite_kind {
    OPCODE,
    SWAP,
    WORD,
    FIRST_OFFSET,
    LOW_BIT,
    REMOVE,
    SHORTEN,
    SPLIT,
    CL,
    GLSL,
    FLOW,
    SECOND,
    LAST_STORE,
    NEXT_INDEX,
    ALIAS,
    FIRST_INDEX,
    OTHER_SET,
    ENTRY,
    LATE_STORE,
    EARLY_LOAD,
    NEXT_MEMBER,
    CUT_STRUCT
};
enum {
    REWRITE_BOUND = 3,     /* word of a module's header */
    REWRITE_MAX_WORDS = 48 /* of an instruction that is changed */
};
/* A module, and what is made of it. */
struct rewriting {
    const struct rewrite_row *row;
    const uint32_t *words;
    uint32_t n_words;
    uint32_t *made_at; /* per id: where the instruction that makes it begins; 0: nowhere */
    uint32_t
        *last_store; /* per id of a variable: where the last store to a part of it is; 0: nowhere */
    uint32_t pair[2]; /* ids of two variables that change places, of OTHER_SET; 0: none do */
    uint32_t bound;
    uint32_t n_seen;         /* instructions that may be a site so far, of SECOND */
    struct spv_inst held[8]; /* instructions that are put behind one that follows them */
    uint32_t n_held;
    struct spv_words out;
    uint32_t n_sites;
};

/* Word k of the instruction that makes the id, if that is of this opcode; 0: it is not. */
static inline uint32_t rewrite_get_word(const struct rewriting *r, uint32_t id, uint32_t op,
                                        uint32_t k)
{
    uint32_t const at = id < r->words[REWRITE_BOUND] ? r->made_at[id] : 0;
    bool const is_it =
        at != 0 && (r->words[at] & SpvOpCodeMask) == op && k < r->words[at] >> SpvWordCountShift;
    return is_it ? r->words[at + k] : 0;
}
/* Opcode of the instruction that makes the id; 0: none does. */
static inline uint32_t rewrite_get_op(const struct rewriting *r, uint32_t id)
{
    uint32_t const at = id < r->words[REWRITE_BOUND] ? r->made_at[id] : 0;
    return at ? r->words[at] & SpvOpCodeMask : 0;
}
static inline void rewrite_put(struct rewriting *r, const struct spv_inst *in)
{
    spv_put(&r->out, in->op, in->w + 1, in->n - 1);
}

/* gen/print/clc_module.h -- a module as the printer reads it: what each id is, who uses it, where blocks begin. */
#pragma once

#include "base/spv.h"

enum {
    CLC_MAX_WORDS = 1 << 20,
    CLC_NO_BLOCK = -1
};

/* What an id names. */
struct clc_id {
    struct spv_inst in; /* that defines it; in.n is 0 where nothing does */
    uint32_t type;      /* its type's id; 0 for types, labels and the like */
    uint32_t n_uses;    /* as an operand of an instruction within functions */
    int32_t block;      /* index of the block that holds it, or CLC_NO_BLOCK */
    int32_t use_block;  /* of its last use */
    bool is_far; /* used in another block than its own: its variable is of the whole function */
    uint32_t built_in;   /* 1 + SpvBuiltIn, of an input variable; 0: none */
    uint32_t rounding;   /* 1 + SpvFPRoundingMode; 0: undecorated */
    const char *text;    /* an expression for it, once it is printed; NULL: none yet */
    const char *element; /* of a pointer: what it points to, `b1[i]`; NULL: `*` and the text */
    const char *array, *index; /* where element is `array[index]`; NULL: it is not */
    bool is_exact;             /* NoContraction */
    bool is_signed_memory;     /* of a pointer: to integers that the text declares as signed */
    bool is_simple;            /* text needs no parentheses as an operand */
};

struct clc_block {
    uint32_t label;
    uint32_t first, last; /* offsets of the label and of the terminator */
    uint32_t merge,
        next; /* labels of OpSelectionMerge or OpLoopMerge, and of the latter's continue; 0: none */
    bool is_loop;
};

struct clc_module {
    const uint32_t *w;
    uint32_t n_words, n_ids;
    struct clc_id *ids; /* [n_ids] */
    struct clc_block *blocks;
    uint32_t n_blocks;
    uint32_t entry; /* function of the entry point that runs; 0: there is none of its name */
    const char *entry_name; /* borrowed */
    bool contraction_off;
    uint32_t subgroup_size; /* required; 0: none */
    uint32_t local_size[3]; /* that the kernel states by mode LocalSize; 0: none */
};

/* Everything is in `a`. RES_FORMAT: the words are no module; RES_NOMEM. */
MUST_USE enum res clc_module_read(const uint32_t *words, uint32_t n_words, const char *entry,
                                  struct arena *a, struct clc_module *out, struct err *e);
/* Is it the OpEntryPoint of that name? */
bool clc_is_entry(const struct spv_inst *in, const char *name);
/* Is word k of the instruction, counted from its first, the id of a value that it reads? Labels, types and literals
 * are none. */
bool clc_is_value_operand(const struct spv_inst *in, uint32_t k);
/* The block of that label, or NULL. */
const struct clc_block *clc_find_block(const struct clc_module *m, uint32_t label);
/* The id, or one without a definition where it is out of range. */
struct clc_id *clc_get(const struct clc_module *m, uint32_t id);
/* Number of a constant of at most 64 bits; 0 for anything else. */
uint64_t clc_get_number(const struct clc_module *m, uint32_t id);

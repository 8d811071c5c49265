/* gen/view/view.h -- a view of a module, made of its words in two passes: what each id is and where it is used,
 * blocks with their merge instructions, decorations and modes. Time and memory are linear in the words and in the
 * bound of ids, which is at most VIEW_MAX_WORDS. */
#pragma once

#include "base/spv.h"

enum {
    VIEW_MAX_WORDS = 1 << 20,
    VIEW_NO_BLOCK = -1
};

/* What an id names. */
struct view_id {
    struct spv_inst in; /* that defines it; in.n is 0 where nothing does */
    uint32_t type;      /* its type's id; 0 for types, labels and the like */
    uint32_t n_uses;    /* as an operand of an instruction within functions */
    int32_t block;      /* index of the block that holds it, or VIEW_NO_BLOCK */
    int32_t use_block;  /* of its last use */
    bool is_far; /* used in another block than its own: its variable is of the whole function */
    uint32_t built_in;  /* 1 + SpvBuiltIn, of an input variable; 0: none */
    uint32_t rounding;  /* 1 + SpvFPRoundingMode; 0: undecorated */
    bool is_exact;      /* NoContraction */
    bool is_saturated;  /* SaturatedConversion */
    bool has_max_error; /* FPMaxErrorDecorationINTEL */
    /* Notes of the printer, empty at first. */
    const char *text;    /* an expression for it, once it is printed; NULL: none yet */
    const char *element; /* of a pointer: what it points to, `b1[i]`; NULL: `*` and the text */
    const char *array, *index; /* where element is `array[index]`; NULL: it is not */
    bool is_signed_memory;     /* of a pointer: to integers that the text declares as signed */
    bool is_simple;            /* text needs no parentheses as an operand */
};

struct view_block {
    uint32_t label;
    uint32_t first, last; /* offsets of the label and of the terminator */
    uint32_t merge,
        next; /* labels of OpSelectionMerge or OpLoopMerge, and of the latter's continue; 0: none */
    bool is_loop;
};

struct view {
    const uint32_t *w;
    uint32_t n_words, n_ids;
    struct view_id *ids; /* [n_ids] */
    struct view_block *blocks;
    uint32_t n_blocks;
    uint32_t entry; /* function of the entry point that runs; 0: there is none of its name */
    const char *entry_name; /* borrowed */
    bool contraction_off;
    uint32_t subgroup_size; /* required; 0: none */
    uint32_t local_size[3]; /* that the kernel states by mode LocalSize; 0: none */
};

/* Everything is in `a`. RES_FORMAT: the words are no module; RES_NOMEM. */
MUST_USE enum res view_read(const uint32_t *words, uint32_t n_words, const char *entry,
                            struct arena *a, struct view *out, struct err *e);

/* The instruction after `in`, which is then that one; first, where in->n is 0. false: there is none. */
bool view_next(const struct view *m, struct spv_inst *in);
/* The same of those before the first function, and of those from OpFunction to the function's first label. */
bool view_next_global(const struct view *m, struct spv_inst *in);
bool view_next_parameter(const struct view *m, struct spv_inst *in);
/* The same of the block's instructions. */
bool view_next_of_block(const struct view *m, const struct view_block *b, struct spv_inst *in);

/* Is it the OpEntryPoint of that name? */
bool view_is_entry(const struct spv_inst *in, const char *name);
/* Is word k of the instruction, counted from its first, the id of a value that it reads? Labels, types and literals
 * are none. */
bool view_is_value_operand(const struct spv_inst *in, uint32_t k);
/* Are the words from `at` on that text? */
bool view_is_text(const struct spv_inst *in, uint32_t at, const char *text);
/* Is the id the import of the extended set of that name? */
bool view_is_set(const struct view *m, uint32_t id, const char *name);
/* The id's OpDecorate with that decoration, and the OpExecutionMode of any entry point with that mode; n is 0: there is
 * none. */
struct spv_inst view_find_decoration(const struct view *m, uint32_t id, uint32_t decoration);
struct spv_inst view_find_mode(const struct view *m, uint32_t mode);
/* The OpEntryPoint of that function; n is 0: it is no entry point. */
struct spv_inst view_find_entry(const struct view *m, uint32_t function);
/* The block of that label, or NULL. */
const struct view_block *view_find_block(const struct view *m, uint32_t label);

/* The id, or one without a definition where it is out of range. */
struct view_id *view_get(const struct view *m, uint32_t id);
/* The value that the instruction defines; NULL: it defines none that has a type. */
const struct view_id *view_get_value(const struct view *m, const struct spv_inst *in);
/* Number of a constant of at most 64 bits; 0 for anything else. */
uint64_t view_get_number(const struct view *m, uint32_t id);
/* The type id of a value. */
uint32_t view_type_of(const struct view *m, uint32_t id);
/* What a pointer type points to; 0: it is none. */
uint32_t view_get_pointee(const struct view *m, uint32_t type);
/* The type itself, or that of a vector's components. */
const struct spv_inst *view_get_scalar(const struct view *m, uint32_t type);
/* Bits of a scalar type or of a vector's component; its components (1 of a scalar). */
uint32_t view_count_bits(const struct view *m, uint32_t type);
uint32_t view_count_components(const struct view *m, uint32_t type);
/* Its bit of enum op_types (base/ops.h); 0: it is of no numbers or truth values, or of another encoding of floats. */
unsigned view_get_type_bit(const struct view *m, uint32_t type);
bool view_is_bool(const struct view *m, uint32_t type);
bool view_is_float(const struct view *m, uint32_t type);

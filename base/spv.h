/* base/spv.h -- SPIR-V words: walking a module, building one, and the enumerants that the
 * installed header may be too old for. */
#pragma once

#include <spirv/unified1/spirv.h>

#include "base/base.h"

/* Numbers newer than Debian 12's spirv.h, with their source. */
enum {
    SPV_CAP_FLOAT_CONTROLS2 = 6029,               /* SPV_KHR_float_controls2 */
    SPV_MODE_FP_FAST_MATH_DEFAULT = 6028,         /* the same */
    SPV_CAP_FP_MAX_ERROR_INTEL = 6169,            /* SPV_INTEL_fp_max_error */
    SPV_DEC_FP_MAX_ERROR_INTEL = 6170,            /* the same */
    SPV_CAP_ATOMIC_FLOAT16_VECTOR_NV = 5404,      /* SPV_NV_shader_atomic_fp16_vector */
    SPV_MODE_MAXIMALLY_RECONVERGES = 6023,        /* SPV_KHR_maximal_reconvergence */
    SPV_CAP_FMA_KHR = 6030,                       /* SPV_KHR_fma */
    SPV_OP_FMA_KHR = 4427,                        /* the same */
    SPV_CAP_BFLOAT16_TYPE_KHR = 5116,             /* SPV_KHR_bfloat16 */
    SPV_FP_ENCODING_BFLOAT16_KHR = 0,             /* the same */
    SPV_CAP_ATOMIC_BFLOAT16_ADD_INTEL = 6255,     /* SPV_INTEL_16bit_atomics */
    SPV_CAP_ATOMIC_BFLOAT16_MIN_MAX_INTEL = 6256, /* the same, and so the next three */
    SPV_CAP_ATOMIC_INT16_CMPXCHG_INTEL = 6260,
    SPV_CAP_INT16_ATOMICS_INTEL = 6261,
    SPV_CAP_ATOMIC_BFLOAT16_LOAD_STORE_INTEL = 6262,
    SPV_CAP_QUAD_CONTROL_KHR = 5087, /* SPV_KHR_quad_control */
    SPV_OP_QUAD_ALL_KHR = 5110,      /* the same: OpGroupNonUniformQuadAllKHR */
    SPV_OP_QUAD_ANY_KHR = 5111,      /* the same: OpGroupNonUniformQuadAnyKHR */
    SPV_CAP_PARTITIONED_EXT =
        5297, /* SPV_EXT_shader_subgroup_partitioned; that of NV has its numbers */
    SPV_OP_PARTITION_EXT = 5296,    /* the same: OpGroupNonUniformPartitionEXT */
    SPV_PARTITIONED_REDUCE_EXT = 6, /* the same: group operations */
    SPV_PARTITIONED_EXCLUSIVE_SCAN_EXT = 8,
};
enum {
    SPV_HEADER_WORDS = 5
};

/* The second word of a module of SPIR-V 1.minor. */
static inline uint32_t spv_version_word(uint32_t minor)
{
    return UINT32_C(1) << 16 | minor << 8;
}
/* Do these words begin as a SPIR-V module does: a whole header, and in it the magic number in host
 * order? The rest of them is not looked at. words may be NULL where n_words is 0. */
int spv_is_module(const uint32_t *words, uint32_t n_words);

/* One instruction within a module: w[0] is its first word, n the word count. */
struct spv_inst {
    const uint32_t *w;
    uint32_t op, n;
    uint32_t offset; /* in words from the start of the module */
};
/* Next instruction from *offset (start at SPV_HEADER_WORDS) and advance; 0 at the end or where the
 * words are broken (then *offset stays below n_words). */
int spv_next(const uint32_t *words, uint32_t n_words, uint32_t *offset, struct spv_inst *out);
/* The word of the instruction that has the id of its result; 0: it has none, or is cut. *has_type: the word before is its type. */
uint32_t spv_find_result(const struct spv_inst *in, bool *has_type);

/* Word i of the instruction; 0: it is shorter. */
uint32_t spv_get_word(const struct spv_inst *in, uint32_t i);

/* Has the id that decoration, as OpDecorate gives it before the first function? *literal: the first literal of it, 0 where it has none;
 * untouched where the result is false. */
bool spv_find_decoration(const uint32_t *words, uint32_t n_words, uint32_t id,
                         SpvDecoration decoration, uint32_t *literal);
/* The same of a member of a struct type, as OpMemberDecorate gives it. */
bool spv_find_member_decoration(const uint32_t *words, uint32_t n_words, uint32_t type,
                                uint32_t member, SpvDecoration decoration, uint32_t *literal);

/* Which instruction defines each id of a module. */
struct spv_index {
    const uint32_t *words;
    uint32_t n_words, n_ids;
    uint32_t *offset; /* [n_ids] of that instruction; 0: none has it as its result */
};
/* false: these words are no module, or the arena is full. Where a module has more ids than SPV_MAX_IDS, the index knows none of them. */
enum {
    SPV_MAX_IDS = 1 << 20
};
bool spv_index_make(struct spv_index *x, const uint32_t *words, uint32_t n_words, struct arena *a);
/* The instruction that defines an id; OpNop without a word where none does. */
struct spv_inst spv_index_find(const struct spv_index *x, uint32_t id);

/* Growing list of words in an arena, for the emitters. ok turns 0 when the arena is full. */
struct spv_words {
    struct arena *a;
    uint32_t *w;
    uint32_t n, cap;
    int ok;
};
void spv_words_init(struct spv_words *s, struct arena *a);
void spv_put(struct spv_words *s, uint32_t op, const uint32_t *operands, uint32_t n);
/* The same with a string after the first n_before operands and n_after operands behind it. */
void spv_put_string(struct spv_words *s, uint32_t op, const uint32_t *before, uint32_t n_before,
                    const char *text, const uint32_t *after, uint32_t n_after);
void spv_append(struct spv_words *to, const struct spv_words *from);

/* oracle/nir_text/nir_program.h -- a program in NIR, the intermediate representation of Mesa's GPU compilers, as tables: blocks
 * in the order of the text, their instructions, and the values that these define. */
#pragma once

#include "base/base.h"

enum {
    NIR_MAX_TEXT_BYTES = 16 << 20, /* the longest text of a generated case has half a megabyte */
    NIR_MAX_VALUES = 1 << 18,
    NIR_MAX_NUMBERS = 1 << 30,       /* numbers %N are below this */
    NIR_MAX_BLOCKS = 1 << 16,        /* and numbers bN */
    NIR_MAX_COMPONENTS = 16,         /* of one value: NIR has vectors of 1 to 5, 8 and 16 */
    NIR_MAX_SOURCES = 16,            /* of one instruction: vec16 */
    NIR_MAX_NESTING = 4096,          /* of if and loop */
    NIR_MAX_SHARED_BYTES = 1 << 16,  /* of one work-group */
    NIR_MAX_SCRATCH_BYTES = 1 << 16, /* of one invocation */
    NIR_MAX_VARIABLES = 256,         /* that are no values */
    NIR_VARIABLE_BYTES = 8           /* of a component of one */
};

/* One row of nir_op.def. */
enum nir_op {
#define NIR_OP(name, ...) NIR_OP_##name,
#include "oracle/nir_text/nir_op.def"
};
enum {
    NIR_OP_N = 0
#define NIR_OP(...) +1
#include "oracle/nir_text/nir_op.def"
};
/* One row of nir_intrinsic.def. */
enum nir_intrinsic {
#define NIR_INTRINSIC(name, ...) NIR_INTRINSIC_##name,
#include "oracle/nir_text/nir_intrinsic.def"
};
enum {
    NIR_INTRINSIC_N = 0
#define NIR_INTRINSIC(...) +1
#include "oracle/nir_text/nir_intrinsic.def"
};
/* One row of nir_index.def: a constant argument `name=value` of an intrinsic. */
enum nir_index {
#define NIR_INDEX(name, ...) NIR_INDEX_##name,
#include "oracle/nir_text/nir_index.def"
};
enum {
    NIR_INDEX_N = 0
#define NIR_INDEX(...) +1
#include "oracle/nir_text/nir_index.def"
};

/* A value: the index in values[] is not the N of %N. */
struct nir_value {
    uint8_t n_bits;       /* of a component: 1, 8, 16, 32, 64 */
    uint8_t n_components; /* 1 to NIR_MAX_COMPONENTS */
    bool is_constant;     /* by load_const or undefined: the same in each invocation */
    uint32_t offset;      /* number of components of the values before it */
    uint32_t line;        /* where it is defined */
};
/* An operand: a value and which of its components are read. */
struct nir_source {
    uint32_t value; /* index in values[] */
    uint8_t n; /* components that the swizzle names; 0: there is no swizzle, component i is i */
    uint8_t swizzle[NIR_MAX_COMPONENTS];
};
/* One source of a phi. */
struct nir_phi_source {
    uint32_t block; /* N of bN: the block that the invocation came from */
    uint32_t value;
};
enum nir_kind {
    NIR_ALU,
    NIR_CALL, /* an intrinsic */
    NIR_PHI
};
#define NIR_NO_VALUE UINT32_MAX
struct nir_instruction {
    enum nir_kind kind;
    uint16_t row; /* enum nir_op, enum nir_intrinsic; a phi's is 0 */
    uint16_t n_sources;
    uint32_t line;
    uint32_t value; /* it defines; NIR_NO_VALUE: none */
    uint32_t first; /* source in sources[], of a phi in phi_sources[] */
    const int64_t *
        index; /* [NIR_INDEX_N] constant arguments of an intrinsic, 0 where the text has none; else NULL */
};
/* A block and where an invocation goes from its end. Targets are positions in blocks[]. */
#define NIR_END UINT32_MAX /* the invocation ends */
struct nir_block {
    uint32_t number; /* N of bN */
    uint32_t line;
    uint32_t first, n; /* instructions; phis come first */
    struct nir_source
        condition;      /* decides between the targets by its first component, where they differ */
    uint32_t target;    /* where the condition is true, or where there is none */
    uint32_t otherwise; /* where it is false; equal to target: the block does not end in a branch */
    uint32_t
        loop_end; /* position of the last block of the loop that begins here; its own where none does */
};

/* Words of the header that have a meaning here. */
struct nir_header {
    uint32_t workgroup_size[3];
    uint32_t shared_bytes, scratch_bytes;
    uint32_t
        n_variable_components; /* of all variables that are no values: not a word of the header */
    uint32_t max_subgroup_size;
    uint32_t float_controls; /* see nir_modes_of */
    bool is_old; /* of a Mesa whose header has one size of the sub-group, as 25.0; 26.2 has three */
    uint32_t
        bindings; /* bit N: a buffer with binding N is declared, N < 32; 0: the text declares none */
    uint32_t read_only,
        write_only; /* of these, the ones so declared; what is both is not accessed */
};
struct nir_program {
    struct nir_header header;
    struct nir_value *values; /* [n_values] in the order of the text */
    uint32_t n_values;
    uint32_t n_components; /* of all values together */
    uint64_t *constants;   /* [n_components] those of constants, at their offset; else 0 */
    struct nir_instruction *instructions;
    uint32_t n_instructions;
    struct nir_source *sources;
    uint32_t n_sources;
    struct nir_phi_source *phi_sources;
    uint32_t n_phi_sources;
    struct nir_block *blocks;
    uint32_t n_blocks;
};

/* Component c of a source. */
static inline uint32_t nir_source_component(const struct nir_source *s, uint32_t c)
{
    return s->n ? s->swizzle[c] : c;
}

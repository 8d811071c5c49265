/* oracle/interp/module.h -- decodes a SPIR-V module for the interpreter, in one pass after one that counts: types,
 * constants, variables and the code of the functions that the entry point reaches. What is legal but not
 * interpreted is named in `unsupported`. */
#pragma once

#include "base/format.h"
#include "base/ops.h"
#include "base/spv.h"
#include "base/testcase.h"

/* One scalar in a register. abs 0: `bits` is the value. Else entry `abs` of the pool of values that
 * are not yet known (exec.h). made_by: entry of the instructions that may be evaluated together with
 * others (oracle/value/expression.h); 0: nothing may be done with how it was made. */
struct val {
    uint64_t bits;
    uint32_t abs;
    uint32_t made_by;
};

enum type_kind {
    TK_NONE,
    TK_VOID,
    TK_BOOL,
    TK_INT,
    TK_FLOAT,
    TK_VECTOR,
    TK_POINTER,
    TK_STRUCT,
    TK_ARRAY,
    TK_IMAGE,
    TK_OTHER
};

/* How a matrix lies in a struct of a buffer: by column, or by row. */
struct matrix_layout {
    uint32_t stride; /* bytes from one column, or row, to the next; 0: as an array of columns */
    bool is_row_major;
};

struct mod_type {
    enum type_kind kind;
    unsigned bits;          /* of a scalar, or of a vector's component */
    bool is_bfloat;         /* likewise: a float of 16 bits, with the encoding BFloat16KHR */
    uint32_t n;             /* components of a vector, length of an array (0: runtime) */
    uint32_t elem;          /* type id of component, element or pointee */
    uint32_t storage;       /* of a pointer: SpvStorageClass */
    uint32_t dim, is_array; /* of an image: SpvDim, and operand Arrayed */
    uint32_t step_bytes;    /* from one element of an array, or component, to the next */
    uint32_t n_members;
    const uint32_t *members; /* type ids of a struct */
    const uint32_t *offsets; /* of these, bytes: by their decoration, else natural */
    const struct matrix_layout
        *layouts;   /* of these, of the matrices in them; NULL: none is decorated */
    bool is_matrix; /* an array of columns */
};

enum id_flags {
    ID_NO_CONTRACTION = 1,
    ID_FAST_MATH = 2,
    ID_BUILTIN = 4,
    ID_BINDING = 8,
    ID_CONSTANT = 16,
    ID_VARIABLE = 32,
    ID_IS_TYPE = 64,
    ID_MAX_ERROR = 128, /* FPMaxErrorDecorationINTEL */
    ID_ROUNDING_MODE = 256,
    ID_IS_FORWARD = 512, /* a pointer whose pointee type is not known yet */
    ID_COHERENT = 1024,
    ID_SPEC = 2048,        /* has a SpecId */
    ID_SPECIALIZED = 4096, /* a specialization constant, or made of some */
    ID_NO_SIGNED_WRAP = 8192,
    ID_NO_UNSIGNED_WRAP = 16384,
    ID_SATURATED = 32768, /* SaturatedConversion */
    ID_PACKED = 65536,    /* CPacked: a struct without padding */
    ID_UNBOUNDED =
        131072 /* a part of an instruction that no table bounds (oracle/interp/lower_matrix.h) */
};

struct mod_id {
    struct mod_type t;      /* when ID_IS_TYPE */
    uint32_t type;          /* result type */
    uint32_t slot, n_slots; /* registers of a value; slots below n_consts are shared constants */
    uint32_t def;           /* index in code, or UINT32_MAX */
    uint32_t flags;
    uint32_t fast_math, builtin, set, binding, stride; /* by decoration */
    uint32_t max_error;                                /* bits of the binary32 literal */
    uint32_t rounding_mode;                            /* SpvFPRoundingMode */
    uint32_t spec_id;                                  /* when ID_SPEC */
    uint32_t
        source; /* of a load: the id that was stored to its variable before, in the same block; 0: none is known */
    uint32_t stored,
        stored_at; /* of a variable of a function, when it is decoded: what it holds, and in which block */
    uint32_t object;  /* of a variable: buffer, work-group object or first function slot */
    uint32_t initial; /* of a variable of the module: the constant that it begins with; 0: none */
};

/* Which part of the interpreter an instruction belongs to, found once. */
enum mod_part {
    PART_FLOAT,
    PART_ATOMIC,
    PART_BINARY,
    PART_INTEGER,
    PART_NUMBER,
    PART_LOAD,
    PART_STORE,
    PART_CHAIN,
    PART_MEMORY,
    PART_GROUP,
    PART_CONTROL
};

/* Words of operands, for mod_inst.w. */
enum {
    MOD_OPERAND =
        3, /* the first word after the type and the id of a result; other operands follow */
    MOD_STORE_POINTER = 1, /* of OpStore and OpAtomicStore */
    MOD_STORE_OBJECT = 2   /* of OpStore */
};

/* PackDouble2x32 and UnpackDouble2x32 of GLSL.std.450, which only move bits. */
enum {
    MOD_PACK_DOUBLE = OP_NUMBER(OP_SET_glsl450, 59),
    MOD_UNPACK_DOUBLE = OP_NUMBER(OP_SET_glsl450, 65)
};

/* Others of it that put small numbers into a word, or take them from it: PackSnorm4x8 to PackHalf2x16, and UnpackSnorm2x16 to
 * UnpackUnorm4x8. */
enum {
    MOD_PACK_FIRST = OP_NUMBER(OP_SET_glsl450, 54),
    MOD_PACK_HALF = OP_NUMBER(OP_SET_glsl450, 58),
    MOD_UNPACK_FIRST = OP_NUMBER(OP_SET_glsl450, 60),
    MOD_UNPACK_HALF = OP_NUMBER(OP_SET_glsl450, 62),
    MOD_UNPACK_LAST = OP_NUMBER(OP_SET_glsl450, 64)
};

/* Of OpenCL.std, which only move bits as well. */
enum {
    MOD_SHUFFLE = OP_NUMBER(OP_SET_opencl_std, 182),
    MOD_SHUFFLE2 = OP_NUMBER(OP_SET_opencl_std, 183),
    MOD_BITSELECT = OP_NUMBER(OP_SET_opencl_std, 186),
    MOD_SELECT = OP_NUMBER(OP_SET_opencl_std, 187)
};

struct mod_inst {
    const uint32_t *w;
    enum mod_part part;
    uint32_t op, n;        /* op: OP_NUMBER; of OpExtInst the extended instruction's */
    uint32_t type, result; /* ids, 0 if none */
    uint32_t offset;       /* in words from the start of the module */
};

/* An execution mode or float default that matters to results, per width (index enum fmt_id). */
struct mod_modes {
    uint8_t szinp[FMT_ALL_N], denorm_preserve[FMT_ALL_N], denorm_flush[FMT_ALL_N];
    uint8_t rte[FMT_ALL_N], rtz[FMT_ALL_N], has_default[FMT_ALL_N];
    uint32_t fast_math_default[FMT_ALL_N];
    uint8_t contraction_off;
    uint8_t maximal_reconvergence, subgroup_uniform_flow;
    uint32_t subgroup_size; /* execution mode SubgroupSize; 0: none */
};

enum {
    MOD_MAX_IDS = 1 << 18,
    MOD_MAX_WG_OBJECTS = 64,
    MOD_MAX_CALL_DEPTH = 8,
    MOD_MAX_CONSTRUCTS = 16,
    MOD_MAX_LOOPS = 32,        /* that barriers are told apart by (loops.h) */
    MOD_MAX_COMPONENTS = 16,   /* of a vector */
    MOD_MAX_FUNC_SLOTS = 4096, /* of the variables of class Function together */
    MOD_UNDEFINED = 1 /* val.abs of an OpUndef outside functions: each use may see other bits */
};

struct module {
    int is_kernel;
    uint32_t n_ids;
    struct mod_id *ids;
    uint32_t n_code;
    struct mod_inst *code;               /* bodies of all functions; labels included */
    const uint32_t *loops_of;            /* loops.h; NULL: there are no barriers in loops */
    uint32_t loop_header[MOD_MAX_LOOPS]; /* likewise: labels */
    uint32_t *label_at; /* by id: index in code of a label or function, UINT32_MAX if none */
    uint32_t entry;     /* index in code of the entry point's OpFunction */
    uint32_t n_consts;
    struct val *consts; /* slots below n_consts; abs is 0 or MOD_UNDEFINED */
    uint32_t n_regs;    /* slots of an invocation, after the constants */
    uint32_t
        n_func_objects; /* slots of the variables of class Function: one per scalar in them; those of Private too */
    uint32_t *func_type; /* by first slot: the type of such a variable */
    bool has_private;    /* variables of the module of class Private */
    bool has_addresses;  /* OpConvertPtrToU: pointers that are compared or subtracted */
    bool has_matrices;   /* that lie in a buffer */
    bool
        has_casts; /* pointers to one type become pointers to another: OpBitcast, vload and the like */
    uint32_t n_wg_objects;
    uint32_t wg_size[MOD_MAX_WG_OBJECTS]; /* bytes */
    uint32_t wg_base[MOD_MAX_WG_OBJECTS]; /* offset in a group's memory */
    uint32_t wg_bytes;
    uint64_t coherent;    /* bit b: the variable of binding b is Coherent */
    bool is_vulkan_model; /* of memory */
    bool barriers_share;  /* availability_is_by_barriers */
    struct mod_modes modes;
    int has_groups;          /* group instructions: paths matter */
    const char *unsupported; /* why the interpreter cannot follow, or NULL */
};

/* Is it an instruction of floating-point type with a max-error decoration? */
bool module_is_decorated_float(const struct module *m, const struct mod_inst *in);
/* The id whose bits an instruction gives as they are: of OpBitcast, OpCopyObject, and OpLoad from a variable of the function
 * that was stored in the same block; 0: it is none of these, or a max-error decoration lets it give others. */
uint32_t module_get_copied(const struct module *m, const struct mod_inst *in);
/*
 * Decode `words` (borrowed). Buffers are found by kernel argument (OpenCL) or Binding (Vulkan).
 * RES_FORMAT: not SPIR-V, or inconsistent; the error names the word. What is well-formed but beyond
 * the interpreter sets m->unsupported instead.
 */
MUST_USE enum res module_decode(struct module *m, const uint32_t *words, uint32_t n_words,
                                const char *entry, struct arena *a, struct err *e);

/* The same of the case's module and entry point; its specialization constants have the values that the case gives
 * them (Clause: SPEC_CONSTANT). RES_FORMAT as well: a buffer is not what the kernel's argument is (base/kernel_args.h). */
MUST_USE enum res module_decode_case(struct module *m, const struct testcase *tc, struct arena *a,
                                     struct err *e);

/* The type of that id; that of id 0, which is none, for an id that the module does not have. */
static inline const struct mod_type *module_get_type(const struct module *m, uint32_t id)
{
    return &m->ids[id < m->n_ids ? id : 0].t;
}
/* Size of a type in bytes as laid out in memory: natural, or by ArrayStride and Offset. 0 for none. */
uint32_t module_get_type_bytes(const struct module *m, uint32_t type);
/* The same of a member of a struct, whose matrices lie as it says. */
uint32_t module_get_member_bytes(const struct module *m, const struct mod_type *t, uint32_t member);
/* How the matrix that a pointer is to, or to a part of, lies. */
struct matrix_layout module_find_layout(const struct module *m, uint32_t pointer);
/* Goes from a composite to its part `index`: *type becomes that of the part, *slot goes up by the scalars before it. false:
 * there is no such part. */
bool module_step_to_part(const struct module *m, uint32_t index, uint32_t *type, uint32_t *slot);
/* The scalar of its operand that an OpCompositeExtract gives first; UINT32_MAX: it gives no part. */
uint32_t module_get_extracted(const struct module *m, const struct mod_inst *in);
/* enum fmt_id of a float type id (or of a vector's component), or -1. */
int module_get_format(const struct module *m, uint32_t type);
/* Id that a word of the instruction names; 0 where it has no such word, or it names none. */
static inline uint32_t module_get_operand(const struct module *m, const struct mod_inst *in,
                                          uint32_t word)
{
    uint32_t const id = word && word < in->n ? in->w[word] : 0;
    return id < m->n_ids ? id : 0;
}
/* The instruction that gives an id its value; NULL for a constant, or where it is none. */
static inline const struct mod_inst *module_get_definition(const struct module *m, uint32_t id)
{
    uint32_t const def = id < m->n_ids ? m->ids[id].def : UINT32_MAX;
    return def == UINT32_MAX ? NULL : &m->code[def];
}

/* gen/ir/ir.h -- typed programs: what is to run, as blocks of instructions in an arena, before it has words. A full
 * arena makes the program not `ok`, and calls go on with a spare instruction. */
#pragma once

#include "base/ops.h"
#include "base/testcase.h"

enum ir_type {
    IR_VOID,
    IR_BOOL,
    IR_I8,
    IR_I16,
    IR_I32,
    IR_I64,
    IR_F16,
    IR_F32,
    IR_F64,
    IR_BF16 /* atomics alone, and the bits of i16 */
};
enum {
    IR_TYPE_N = 10
};

static inline bool ir_type_is_float(enum ir_type t)
{
    return t >= IR_F16;
}
/* Bits of a number type. */
static inline unsigned ir_type_bits(enum ir_type t)
{
    return t == IR_I8 ? 8 : t < IR_I16 ? 0 : 16u << ((unsigned)(t - IR_I16) % 3);
}
/* The integer type as wide as number type t. */
static inline enum ir_type ir_type_as_int(enum ir_type t)
{
    return t == IR_BF16 ? IR_I16 : t >= IR_F16 ? (enum ir_type)(t - IR_F16 + IR_I16) : t;
}
/* The float type as wide as number type t. */
static inline enum ir_type ir_type_as_float(enum ir_type t)
{
    return t >= IR_F16 ? t : (enum ir_type)(t - IR_I16 + IR_F16);
}

enum ir_kind {
    IR_CONST, /* bits */
    IR_SPEC,  /* a specialization constant: SpecId is `var`, the module's value is bits */
    IR_SPEC_OP, /* op on constants, arg, when the module is specialized: a constant; of n_results components, `part`
                 * of them, without an op */
    IR_GID,    /* global linear index of the invocation, i32 */
    IR_LID,    /* index within the work-group if that is full, i32; with gaps if it is cut */
    IR_WG,     /* linear index of the work-group, i32 */
    IR_PLAIN,  /* op (OP_NUMBER: core or of an extended set) on arg, and with n_results on vectors;
                  * see struct ir_math */
    IR_VECTOR, /* the n_results values `part` as one */
    IR_SECOND, /* what arg 0, an IR_PLAIN, stored through its pointer; a vector like its result */
    IR_LOAD,   /* var[arg 0], or the part of it that `path` leads to; a plain access */
    IR_STORE,  /* the same = arg 1 */
    IR_MEMBER, /* the part of the struct arg 0 that `path` leads to, of constants */
    IR_INSERT, /* the struct arg 0, in which arg 1 is that part */
    IR_STRUCT, /* a struct of the numbers and vectors `part`, as they come one after the other in it, `bits` of them */
    IR_ATOMIC, /* see struct ir_atomic */
    IR_GROUP,  /* see struct ir_group; a vector's components are read by IR_EXTRACT */
    IR_EXTRACT,  /* component `bits` of the vector, or member of the struct, that arg 0 made */
    IR_SUBGROUP, /* built-in `op` (SpvBuiltIn) of the sub-group, i32 */
    IR_TOLD,     /* component `var` of built-in `op` of the dispatch, i32 */
    IR_BARRIER,  /* of the work-group; bits are its memory semantics, op their scope (0: it too) */
    IR_IF,       /* arg 0: body[0], else body[1] (may be NULL); then phi: arg 0 after body[0] */
    IR_LOOP,     /* arg 0 times: body[0]; the first phi counts from 0, the others go from arg 0 to
                 * arg 1 */
    IR_PHI,
    IR_RETURN,      /* last of its block; arg 0: what a function gives */
    IR_SWITCH,      /* by arg 0 to an arm; see struct ir_switch */
    IR_TESTED_LOOP, /* a loop with a test of its own; see struct ir_tested_loop */
    IR_GOTO,        /* last of its block: to `join`, with the `bits` values `part` for its phis */
    IR_VARIABLE,    /* of class Function: a pointer to a number of the type; of no block */
    IR_PARAMETER,   /* of a function: a number, or if `bits` is 1 a pointer to one; of no block */
    IR_READ,        /* what arg 0, a pointer of these two, points to */
    IR_WRITE,       /* arg 1 goes to where arg 0 points to */
    IR_CALL         /* of `function` with the arguments `part` */
};
enum {
    IR_KIND_N = IR_CALL + 1
};

enum ir_var_kind {
    VAR_BUFFER,   /* element of a runtime array in buffer `buf` */
    VAR_PHYSICAL, /* the same, by the address of the buffer, which stands in binding `buf` */
    VAR_LOCAL,    /* work-group variable, array of n */
    VAR_IMAGE,    /* texel of the image in buffer `buf`, R32f or Rg16f or Rgba16f */
    VAR_TEXEL,    /* element of the texel buffer `buf`, likewise */
    VAR_PRIVATE,  /* variable of the entry function, array of n; without a value at first */
    VAR_CONSTANT, /* element of an array of n in buffer `buf` that nobody writes: OpenCL's constant memory, Vulkan's
                   * uniform buffer */
    VAR_PUSH /* the same, of the push constants, of which there is one buffer; Vulkan */
};

/* What an element is that has members. */
enum {
    IR_MAX_FIELDS = 6,
    IR_MAX_PATH = 5 /* member, element of its array, the same in that, component */
};
struct ir_struct;
struct ir_field {
    enum ir_type type;             /* of its numbers */
    uint32_t n_components;         /* 1 for a number */
    uint32_t length;               /* of an array of these; 0: it is none */
    const struct ir_struct *inner; /* a struct instead of them; NULL: none */
    uint32_t offset,
        stride; /* bytes: where it begins in the struct; from one to the next of its array */
};
struct ir_struct {
    uint32_t n_fields;
    struct ir_field field[IR_MAX_FIELDS];
    uint32_t alignment, n_bytes; /* n_bytes: from one to the next in an array */
};
/* Where a part lies: the index of a member is a constant. */
struct ir_path {
    uint32_t n;
    struct ir_inst *index[IR_MAX_PATH];
};

struct ir_var {
    enum ir_var_kind kind;
    enum ir_type type; /* of the element, or of its components */
    uint32_t n, buf;
    uint32_t n_components; /* of the element: 0 or 1 for a scalar */
    struct buf image;      /* of an image: kind, width, height and bytes; without data */
    uint32_t first;        /* texel that is element 0; of VAR_PUSH bytes before it */
    uint32_t set;          /* Vulkan: descriptor set of its buffer */
    const struct ir_struct *of_struct; /* what an element is; NULL: numbers of `type` */
    bool by_integer; /* VAR_PHYSICAL: the address stands there as an integer, not as a pointer */
    bool
        is_exchanged; /* several invocations come to one element by plain accesses; in Vulkan a buffer is Coherent then */
};
/* Vulkan's uniform buffers are arrays of vectors of so many bytes, in which elements lie one after the other: so
 * wants it the layout that each device takes. */
enum {
    IR_UNIFORM_STRIDE = 16
};
/* Does it stand in a buffer of the case? */
static inline bool ir_var_has_buffer(const struct ir_var *v)
{
    return v->kind != VAR_LOCAL && v->kind != VAR_PRIVATE;
}
/* Do structs there have offsets? */
static inline bool ir_var_is_laid_out(const struct ir_var *v, enum env env)
{
    return env == ENV_VK && ir_var_has_buffer(v);
}
/* Bytes of an element, with what lies after it up to the next one. */
uint32_t ir_var_stride(const struct ir_var *v);
/* Numbers in an element of the variable. */
static inline uint32_t ir_var_components(const struct ir_var *v)
{
    return v->n_components > 1 ? v->n_components : 1;
}

struct ir_block;
struct ir_inst;

/* ptr = &var[index]; result = op(ptr, value [, comparator]), all of them vectors where the elements are. */
struct ir_atomic {
    enum op_id op;
    uint32_t var, scope, semantics, unequal;
    struct ir_inst *index, *value, *comparator; /* value NULL for load, increment, decrement */
    bool generic;                               /* by a pointer cast to Generic */
    bool function; /* in a function of its own that is passed the pointer */
};

enum {
    IR_NO_OPERATION = 255,
    IR_MAX_COMPONENTS = 4, /* of what a group operation takes */
    IR_MAX_VECTOR = 16,
    IR_MAX_ARGS = 4
};
/* result = op([scope,] [operation,] value [, second [, third]] [, cluster]). */
struct ir_group {
    enum op_id op;
    uint32_t scope;     /* SpvScope; not for the extended set */
    uint32_t operation; /* SpvGroupOperation, or IR_NO_OPERATION where op has none */
    uint32_t cluster;   /* ClusterSize of ClusteredReduce and of rotate; 0: none */
    enum ir_type type;  /* of a component of the value; the result's is the instruction's own */
    uint32_t n;         /* components of the value: 0 (elect) to 4; a ballot has 4 of i32 */
    struct ir_inst *value[IR_MAX_COMPONENTS];
    struct ir_inst *second; /* id, delta, mask, index, direction, predicate's ... NULL: none */
    struct ir_inst *other
        [IR_MAX_COMPONENTS]; /* WriteInvocationAMD: the value to write; ShuffleDownINTEL and UpINTEL: what comes after or before; else NULL */
    struct ir_inst *ballot;  /* of an operation on subsets: the partition */
    uint32_t pattern[4];     /* swizzles: constants of offset (4) or mask (3) */
    bool function;           /* in a function of its own that is passed value and second */
    bool bare;               /* SPV_AMD_shader_ballot without its OpExtension */
    bool by_amd;             /* OpenCL: an OpGroup* reduction whose types that extension brings */
};

/* How an IR_PLAIN result comes, where it is no single value of the instruction's type. */
enum ir_result {
    RESULT_ONE,
    RESULT_POINTER, /* and another of type `second` through a pointer, read by IR_SECOND */
    RESULT_STRUCT   /* a struct of it and of one of type `second`, both read by IR_EXTRACT */
};
/* What the factors of an integer dot product are: words of four bytes each, the same made vectors of bytes or of
 * two 16-bit integers, or vectors as they come. */
enum ir_dot {
    DOT_PACKED,
    DOT_BYTES,
    DOT_SHORTS,
    DOT_VECTORS
};
/* What an IR_PLAIN may have beside its operands, and an IR_PHI, IR_SECOND or IR_GROUP of max errors; all zero:
 * nothing. */
struct ir_math {
    bool is_decorated;
    uint32_t max_error;       /* literal of FPMaxErrorDecorationINTEL, if is_decorated */
    uint32_t call_error;      /* the same of the call of that function; 0: undecorated */
    uint32_t parameter_error; /* and of its first parameter */
    uint32_t fast_math;       /* mask of FPFastMathMode, 0: undecorated */
    uint32_t rounding;        /* 1 + SpvFPRoundingMode, 0: undecorated */
    bool is_saturated;        /* SaturatedConversion */
    enum ir_dot dot;          /* of an integer dot product */
    bool function;            /* in a function of its own that is passed the operands */
    enum ir_result result;
    enum ir_type second;
};

enum {
    IR_MAX_JOINED = 4,  /* phis where ways converge */
    IR_MAX_WAYS = 24,   /* that converge there */
    IR_MAX_ARMS = 6,    /* of a switch */
    IR_MAX_LITERALS = 3 /* of an arm */
};
/* A block that several ways lead to, and its phis, each of which has a value by every way. */
struct ir_join {
    uint32_t n;
    struct ir_inst *phi[IR_MAX_JOINED]; /* IR_PHI without operands */
    uint32_t label, n_ways;             /* these are the emitter's: its label, and who comes */
    struct {
        uint32_t from;
        struct ir_inst *const *value; /* [n] */
    } way[IR_MAX_WAYS];
};
/* What a construct is told of how it is to be compiled, SelectionControl or LoopControl, with the operands of the
 * bits in their order. Whatever it says is true of the construct. */
struct ir_hint {
    uint32_t mask, n;
    uint32_t operand[4];
    uint32_t n_most;   /* iterations of a loop, at most; 0: it is none, or they are few */
    bool may_be_large; /* when it is unrolled */
};
/* Each arm ends with a way to the switch's end (join), to the next arm's join, or out of a loop around it. */
struct ir_switch {
    uint32_t n_arms;
    struct ir_switch_arm {
        struct ir_block *block;
        bool is_default; /* of one at most; without one other values go to the end */
        uint32_t n_literals;
        uint64_t literal[IR_MAX_LITERALS];
        struct ir_join join; /* where it begins */
        struct ir_inst
            *first[IR_MAX_JOINED]; /* what its phis are for who comes from the selector */
    } arm[IR_MAX_ARMS];
    struct ir_join join;                 /* after it */
    struct ir_inst *past[IR_MAX_JOINED]; /* what its phis are for who goes to no arm */
};
/* Where the test of a loop stands. */
enum ir_test {
    TEST_FIRST, /* before the body: while (condition) { body; step } */
    TEST_LAST,  /* after it: do { body; step } while (condition) */
    TEST_NONE   /* for (;;) { body; step }: it ends by a way from the body to its end alone */
};
/*
 * body[0] ends in any way, or goes on to `next`, with the values `on`. There the instructions of `step` follow.
 * `test` makes the condition, for TEST_LAST after the step. The phis of its head are the instruction's own: arg 0 at
 * first, arg 1 from `next` on.
 */
struct ir_tested_loop {
    enum ir_test test_at;
    bool is_endless; /* TEST_NONE, and nothing leaves it: the end of its block */
    struct ir_block *test, *step;
    struct ir_inst *condition;
    struct ir_join next, end;           /* its continue target, and after it */
    struct ir_inst *on[IR_MAX_JOINED];  /* for the phis of next, by the body's last block */
    struct ir_inst *out[IR_MAX_JOINED]; /* for those of end, where the test fails */
};
/* A function of the module: its parameters, and its body, each way of which ends with IR_RETURN. */
enum {
    IR_MAX_PARAMETERS = 4
};
struct ir_function {
    struct ir_block *body;
    struct ir_inst *parameter[IR_MAX_PARAMETERS];
    uint32_t n_parameters;
    enum ir_type type; /* of what it gives, or IR_VOID */
    uint32_t control;  /* SpvFunctionControl */
    uint32_t id;       /* the emitter's; 0: it is not there yet */
};

/* How an access of an IR_LOAD, IR_STORE, IR_READ or IR_WRITE is written; all come to the same. */
enum ir_spelling {
    SPELLED_PLAIN, /* OpLoad, OpStore */
    SPELLED_COPY, /* OpCopyMemory from or to a variable of the function, which is loaded or was stored */
    SPELLED_SIZED, /* OpCopyMemorySized, OpenCL alone */
    SPELLED_OBJECT /* plain, and OpCopyObject of the value */
};

struct ir_inst {
    enum ir_kind kind;
    enum ir_type type; /* of the result */
    enum ir_spelling spelling;
    uint32_t op, var;
    uint64_t bits;
    struct ir_inst *arg[IR_MAX_ARGS];
    uint32_t n_literals; /* of an IR_PLAIN: words after its operands */
    const uint32_t *literal;
    struct ir_atomic *atomic;
    struct ir_group *group;
    uint32_t n_results;    /* components of its result: 0 or 1 for a scalar */
    struct ir_inst **part; /* of IR_VECTOR, IR_GOTO, IR_CALL */
    struct ir_math math;
    struct ir_block *body[2];
    struct ir_inst *phi;           /* chained by next */
    struct ir_hint *hint;          /* of IR_IF, IR_LOOP, IR_SWITCH, IR_TESTED_LOOP; NULL: none */
    struct ir_switch *arms;        /* of IR_SWITCH */
    struct ir_tested_loop *tested; /* of IR_TESTED_LOOP */
    struct ir_join *join;          /* of IR_GOTO */
    struct ir_function *function;  /* of IR_CALL */
    const struct ir_struct *of_struct; /* what the result is; NULL: numbers */
    bool
        is_laid_out; /* of such a result: with offsets, as in buffers of Vulkan, which makes another type of it */
    const struct ir_path *path; /* of IR_LOAD, IR_STORE, IR_MEMBER, IR_INSERT; NULL: the whole */
    struct ir_inst *next;
    uint32_t id; /* the emitter's; 0: not yet named */
};

struct ir_block {
    struct ir_inst *first, *last;
};

enum {
    IR_MAX_VARS = 24,
    IR_MAX_KERNELS = 2 /* beside the one that runs */
};
/* An entry point more of the module, with the variables of the program, but those of the entry function. */
struct ir_kernel {
    struct ir_block main;
    struct ir_inst *gid, *lid, *wg; /* its own */
    uint32_t local[3];
    const char *name;
    bool is_first;        /* it stands before the one that runs */
    bool has_other_modes; /* not those of the one that runs */
    uint32_t id;          /* the emitter's */
};
enum ir_denorm {
    DENORM_ANY,
    DENORM_PRESERVE,
    DENORM_FLUSH
};
enum ir_round {
    ROUND_ANY,
    ROUND_RTE,
    ROUND_RTZ
};

/* Results on which a max-error decoration means nothing, and decorations that no text allows. */
enum ir_odd {
    ODD_LOAD = 1,
    ODD_CONSTANT = 2,
    ODD_PHI = 4,
    ODD_CALL = 8,
    ODD_ATOMIC = 16,
    ODD_INTEGER = 32,
    ODD_TWICE = 64,    /* a second one on a decorated result */
    ODD_FUNCTION = 128 /* on the entry function and on a type */
};
enum {
    IR_ODD_N = 8
};

/* Modes of one float width: 0 for 16 bits, 1 for 32, 2 for 64. */
struct ir_float_mode {
    bool szinp, mask0;
    enum ir_denorm denorm;
    enum ir_round round;
};

/* Where the module states the size of a work-group. */
enum ir_local_size {
    LOCAL_BY_DISPATCH, /* Vulkan: as LOCAL_BY_MODE */
    LOCAL_BY_MODE,     /* LocalSize */
    LOCAL_BY_IDS,      /* LocalSizeId, of specialization constants */
    LOCAL_BY_CONSTANT, /* Vulkan: a vector of specialization constants is decorated WorkgroupSize */
};

/* Of what the index of a work-group is computed. Where several dispatches run the program, OpenCL's WorkgroupId alone
 * says where it is in one of them. */
enum ir_group_ids {
    GROUP_FROM_ID,     /* WorkgroupId */
    GROUP_FROM_GLOBAL, /* GlobalInvocationId over the size */
    GROUP_FROM_OFFSET, /* OpenCL: WorkgroupId after GlobalOffset over the size */
};

/* Versions of SPIR-V, as in a module's header. */
enum {
    IR_SPIRV_1_0 = 0x10000,
    IR_SPIRV_1_1 = 0x10100,
    IR_SPIRV_1_2 = 0x10200,
    IR_SPIRV_1_3 = 0x10300,
    IR_SPIRV_1_4 = 0x10400,
    IR_SPIRV_1_5 = 0x10500
};

struct ir_program {
    struct arena *a;
    enum env env;
    uint32_t version; /* IR_SPIRV_1_0 and so on */
    uint32_t source;  /* version of OpSource OpenCL_C, 0: none */
    bool local_index; /* OpenCL: lid is the built-in of that name, not computed */
    uint32_t local[3], global[3];
    enum ir_local_size local_form; /* where the size of a work-group stands */
    struct ir_inst *local_spec[3]; /* of LOCAL_BY_IDS and LOCAL_BY_CONSTANT */
    struct ir_inst *local_vector;  /* of these, of LOCAL_BY_CONSTANT */
    uint32_t local_mode;       /* beside it: LocalSize with that in each dimension; 0: no mode */
    uint32_t n_dispatches;     /* that run it; 0 is 1 */
    enum ir_group_ids wg_from; /* how the index of the work-group is found */
    struct ir_var vars[IR_MAX_VARS];
    uint32_t n_vars, n_bufs;
    struct ir_kernel kernels[IR_MAX_KERNELS];
    uint32_t n_kernels;        /* beside the one that runs, which is `main` */
    bool zeros_are_null;       /* values that are zero are OpConstantNull */
    bool vectors_are_constant; /* vectors of constants are such themselves */
    struct ir_block main;
    struct ir_inst *gid, *lid, *wg;
    bool contraction_off; /* ContractionOff, or NoContraction on each arithmetic instruction */
    bool vulkan_memory_model;
    bool
        shares_at_barriers; /* with that model: they make what is exchanged available, else each access does */
    bool buffer_block; /* Vulkan: buffers are of the older form, in storage class Uniform */
    uint32_t
        subgroup_size; /* required; 0: none. OpenCL: an execution mode, Vulkan: of the pipeline */
    bool maximal_reconvergence, subgroup_uniform_flow; /* execution modes, Vulkan */
    unsigned odd; /* enum ir_odd: where max-error decorations stand that have no meaning there */
    uint32_t odd_literal;
    struct ir_float_mode mode[3];
    struct needs needs, allowed;       /* allowed: those that may be added to `needs` */
    uint32_t n_specs;                  /* SpecIds 0 to n_specs - 1 are given */
    struct spec specs[CASE_MAX_SPECS]; /* of them those that the case has a value for, n_values */
    uint32_t n_values;
    bool ok;               /* 0: the arena is full and the program is not whole */
    struct ir_inst *spare; /* handed out when the arena is full */
    struct ir_block *spare_block;
};

/* A program without variables; 0 when the arena is full. */
bool ir_program_init(struct ir_program *p, enum env env, struct arena *a);
uint32_t ir_add_var(struct ir_program *p, struct ir_var v);
/* An entry point more, with an empty body; NULL: there are enough, or the arena is full. */
struct ir_kernel *ir_add_kernel(struct ir_program *p);

/* Instructions are appended to block b. Never NULL: a full arena clears p->ok. */
struct ir_block *ir_block_new(struct ir_program *p);
struct ir_inst *ir_const(struct ir_program *p, enum ir_type type, uint64_t bits);
/* A specialization constant whose value is `bits` in the module, and in the case `value` if has_value. NULL: there
 * are enough. */
struct ir_inst *ir_spec(struct ir_program *p, enum ir_type type, uint64_t bits, bool has_value,
                        uint64_t value);
/* op on constants x, y, z (NULL: none), as OpSpecConstantOp. */
struct ir_inst *ir_spec_op(struct ir_program *p, uint32_t op, enum ir_type type, struct ir_inst *x,
                           struct ir_inst *y, struct ir_inst *z);
/* n constants of one type as a vector, for n of 1 the constant itself. */
struct ir_inst *ir_spec_vector(struct ir_program *p, uint32_t n, struct ir_inst *const *part);
struct ir_inst *ir_plain(struct ir_program *p, struct ir_block *b, uint32_t op, enum ir_type type,
                         struct ir_inst *x, struct ir_inst *y);
/* n values of one type as a vector; for n of 1 the value itself. */
struct ir_inst *ir_vector(struct ir_program *p, struct ir_block *b, uint32_t n,
                          struct ir_inst *const *part);
/* What x stored through its pointer. */
struct ir_inst *ir_second(struct ir_program *p, struct ir_block *b, struct ir_inst *x);
struct ir_inst *ir_load(struct ir_program *p, struct ir_block *b, uint32_t var,
                        struct ir_inst *index);
void ir_store(struct ir_program *p, struct ir_block *b, uint32_t var, struct ir_inst *index,
              struct ir_inst *value);
/* The same of a part of an element that is a struct: of type `type` and n components, or of_struct; path NULL: all of the
 * element. */
struct ir_part {
    enum ir_type type;
    uint32_t n_components;
    const struct ir_struct *of_struct;
};
struct ir_inst *ir_load_part(struct ir_program *p, struct ir_block *b, uint32_t var,
                             struct ir_inst *index, const struct ir_path *path,
                             struct ir_part what);
void ir_store_part(struct ir_program *p, struct ir_block *b, uint32_t var, struct ir_inst *index,
                   const struct ir_path *path, struct ir_inst *value);
/* A part of a struct, one with another part, and one of n_leaves numbers and vectors, as an element of the variable. */
struct ir_inst *ir_member(struct ir_program *p, struct ir_block *b, struct ir_inst *of,
                          const struct ir_path *path, struct ir_part what);
struct ir_inst *ir_insert(struct ir_program *p, struct ir_block *b, struct ir_inst *of,
                          const struct ir_path *path, struct ir_inst *value);
struct ir_inst *ir_struct(struct ir_program *p, struct ir_block *b, uint32_t var, uint32_t n_leaves,
                          struct ir_inst *const *leaf);
struct ir_inst *ir_atomic(struct ir_program *p, struct ir_block *b, const struct ir_atomic *x);
/* x->op's result: of type `type` and n_results components; more than one are read by ir_extract. */
struct ir_inst *ir_group(struct ir_program *p, struct ir_block *b, const struct ir_group *x,
                         enum ir_type type, uint32_t n_results);
struct ir_inst *ir_extract(struct ir_program *p, struct ir_block *b, struct ir_inst *vector,
                           uint32_t component);
/* A built-in of the sub-group as i32: SpvBuiltInSubgroupId, SubgroupLocalInvocationId, SubgroupSize,
 * NumSubgroups, SubgroupMaxSize (OpenCL alone). */
struct ir_inst *ir_subgroup(struct ir_program *p, struct ir_block *b, uint32_t builtin);
/* A built-in of the dispatch as i32, which the program asks for once: component d of it (0 of GlobalLinearId). */
struct ir_inst *ir_told(struct ir_program *p, struct ir_block *b, uint32_t builtin, uint32_t d);
void ir_barrier(struct ir_program *p, struct ir_block *b, uint32_t semantics);
/* What was put after `from` goes to after `to`, which stands before it; NULL: the block was empty then. What is moved
 * must not use what stood between. */
void ir_move(struct ir_block *b, struct ir_inst *from, struct ir_inst *to);
/* One whose memory scope is wider than its work-group. */
void ir_barrier_of(struct ir_program *p, struct ir_block *b, uint32_t semantics, uint32_t scope);
struct ir_inst *ir_if(struct ir_program *p, struct ir_block *b, struct ir_inst *condition);
/* A loop with its counter; body[0] is there and empty. */
struct ir_inst *ir_loop(struct ir_program *p, struct ir_block *b, struct ir_inst *trips);
struct ir_inst *ir_phi(struct ir_program *p, struct ir_inst *of, enum ir_type type,
                       struct ir_inst *x, struct ir_inst *y);
void ir_return(struct ir_program *p, struct ir_block *b);
/* A function's return; value NULL: it gives none. */
void ir_return_value(struct ir_program *p, struct ir_block *b, struct ir_inst *value);
/* Does the block end in a return or a way of its own? */
bool ir_block_ends(const struct ir_block *b);
/* A switch by the integer `selector`, yet without arms. */
struct ir_inst *ir_switch(struct ir_program *p, struct ir_block *b, struct ir_inst *selector);
/* One more arm, empty; below IR_MAX_ARMS of them. */
struct ir_switch_arm *ir_switch_arm(struct ir_program *p, struct ir_inst *of);
/* A loop with a test there; body[0], test and step are there and empty. */
struct ir_inst *ir_tested_loop(struct ir_program *p, struct ir_block *b, enum ir_test test_at);
/* A phi more where ways converge; below IR_MAX_JOINED of them. */
struct ir_inst *ir_join_phi(struct ir_program *p, struct ir_join *j, enum ir_type type);
/* The block's end: to j, with j->n values for its phis. */
void ir_goto(struct ir_program *p, struct ir_block *b, struct ir_join *j,
             struct ir_inst *const *values);
/* A hint more (a bit of SelectionControl or LoopControl, above those before) with its operand, if it has one. */
void ir_add_hint(struct ir_program *p, struct ir_inst *of, uint32_t bit);
void ir_add_hint_of(struct ir_program *p, struct ir_inst *of, uint32_t bit, uint32_t operand);
/* A variable of class Function in the entry point. */
struct ir_inst *ir_variable(struct ir_program *p, enum ir_type type);
struct ir_inst *ir_read(struct ir_program *p, struct ir_block *b, struct ir_inst *pointer);
void ir_write(struct ir_program *p, struct ir_block *b, struct ir_inst *pointer,
              struct ir_inst *value);
/* A function that gives a number of the type, or IR_VOID, with an empty body. */
struct ir_function *ir_function(struct ir_program *p, enum ir_type type);
/* Below IR_MAX_PARAMETERS of them. */
struct ir_inst *ir_parameter(struct ir_program *p, struct ir_function *f, enum ir_type type,
                             bool is_pointer);
struct ir_inst *ir_call(struct ir_program *p, struct ir_block *b, struct ir_function *f,
                        struct ir_inst *const *arguments);

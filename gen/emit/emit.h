/* gen/emit/emit.h -- a SPIR-V module in the making: ids, types, constants, function types and decorations, each
 * declared when it is first asked for and then found again. How many there may be is said below. */
#pragma once

#include "base/spv.h"
#include "gen/ir/ir.h"

enum {
    EMIT_MAX_POINTERS = 192,
    EMIT_CONST_SLOTS = 512,
    EMIT_MAX_INTERFACE = 32,
    EMIT_MAX_BUILTINS = 16,
    EMIT_MAX_SIGNATURES = 256, /* cell groups x (result or none) x operands x (generic or not), and
                                * those of group operations and mathematics by type and components */
    EMIT_MAX_STRUCTS = 128,    /* pairs of types x components, of floats and of integers */
    EMIT_SETS = 4,             /* enum op_set */
    EMIT_MAX_RECORDS = 64,     /* structs of variables, laid out and not, and those in them */
    EMIT_FIRST_SUBGROUP = SpvBuiltInSubgroupSize, /* built-ins of the sub-group are numbered on */
    EMIT_SUBGROUP_BUILTINS = SpvBuiltInSubgroupLocalInvocationId - SpvBuiltInSubgroupSize + 1
};

struct emit_pointer {
    uint32_t storage, pointee, id;
};
struct emit_const {
    uint64_t bits;
    uint32_t type, id; /* type is an enum ir_type */
};
/* A function type: it may be declared once only. */
struct emit_signature {
    uint32_t words[5], n, id;
};
/* struct { members[0]; members[1]; } */
struct emit_struct {
    uint32_t members[2], id;
};
/* A variable of class Input; an interface has one of each built-in. */
struct emit_builtin_var {
    uint32_t builtin, id;
};
/* The type of a struct of variables, and those of its members. */
struct emit_record {
    const struct ir_struct *of;
    bool is_laid_out;
    uint32_t id, field_ids[IR_MAX_FIELDS];
};
/* A part of an element: further indices (ids) of the access chain, and the type that they lead to. */
struct emit_part {
    uint32_t type, n, index[IR_MAX_PATH];
};
/* Where an atomic or a plain access goes: a pointer, and the storage class of it. */
struct emit_address {
    uint32_t pointer, storage;
};

struct emit {
    struct ir_program *p;
    struct spv_words decorations, types, main, functions;
    uint32_t next_id;
    uint32_t label; /* of the block being written */
    uint32_t type_ids[IR_TYPE_N];
    uint32_t null_ids[IR_TYPE_N]; /* OpConstantNull of scalars; 0 until asked for */
    uint32_t vector_ids[IR_TYPE_N][IR_MAX_VECTOR + 1]; /* by number of components */
    struct emit_struct structs[EMIT_MAX_STRUCTS];
    uint32_t n_structs;
    struct emit_record records[EMIT_MAX_RECORDS];
    uint32_t n_records;
    struct emit_pointer pointers[EMIT_MAX_POINTERS];
    uint32_t n_pointers;
    struct emit_const constants[EMIT_CONST_SLOTS];
    uint32_t n_constants;
    struct emit_signature signatures[EMIT_MAX_SIGNATURES];
    uint32_t n_signatures;
    uint32_t var_ids[IR_MAX_VARS];      /* variable or kernel parameter */
    uint32_t var_type_ids[IR_MAX_VARS]; /* of what it points to */
    uint32_t block_ids[IR_MAX_VARS];    /* of the block that its address is of, VAR_PHYSICAL */
    uint32_t entry;
    uint32_t entry_type; /* of each entry point; 0: not yet */
    struct spv_words first,
        others; /* functions of entry points before and after the one that runs */
    struct emit_builtin_var builtins[EMIT_MAX_BUILTINS];
    uint32_t n_builtins;
    uint32_t interface[EMIT_MAX_INTERFACE], n_interface;
    uint32_t subgroup_vars[EMIT_SUBGROUP_BUILTINS]; /* 0 until asked for */
    uint32_t set_ids[EMIT_SETS];                    /* of extended sets; 0: not imported */
    struct spv_words locals;                        /* variables of the entry function */
    uint32_t locals_at; /* where they go in `main`: after its first label */
};

/* Ids are numbered in the order of calls. C leaves open in which order the arguments of a call are
 * evaluated, so no two of them may ask for an id: else a module depended on the compiler. */
uint32_t emit_new_id(struct emit *e);
uint32_t emit_type(struct emit *e, enum ir_type t);
/* The type of n values of type t: a vector, or for n of 1 t itself. */
uint32_t emit_vector(struct emit *e, enum ir_type t, uint32_t n);
/* The id of a struct's type; is_laid_out: with Offset and ArrayStride. */
uint32_t emit_struct_type(struct emit *e, const struct ir_struct *s, bool is_laid_out);
/* That of one of its members. */
uint32_t emit_field_type(struct emit *e, const struct ir_struct *s, bool is_laid_out,
                         uint32_t member);
/* The type of an element of the variable. */
uint32_t emit_element_type(struct emit *e, const struct ir_var *var);
/* Of a part of a struct. */
uint32_t emit_part_type(struct emit *e, const struct ir_struct *s, bool is_laid_out,
                        const struct ir_path *path);
/* The type of an instruction's result. */
uint32_t emit_value_type(struct emit *e, const struct ir_inst *i);
/* The pointer type of that storage class and pointee (a type id). */
uint32_t emit_pointer_type(struct emit *e, uint32_t storage, uint32_t pointee);
uint32_t emit_const(struct emit *e, enum ir_type t, uint64_t bits);
/* Is the id such a constant? Its bits then; one of those that stand twice is not found. */
bool emit_find_const(const struct emit *e, uint32_t id, uint64_t *bits);
/* The id of a value; those met before their definition (by a phi) are named now. */
uint32_t emit_value(struct emit *e, struct ir_inst *i);
/* Put op with a new result id of that type. */
uint32_t emit_result(struct emit *e, struct spv_words *w, uint32_t op, uint32_t type,
                     const uint32_t *args, uint32_t n);
/* Begin a function of its own that returns types[0] and takes those that follow, n in all; the ids
 * of its parameters go to params[1] on. Returns its id. */
uint32_t emit_begin_function(struct emit *e, const uint32_t *types, uint32_t n, uint32_t *params);
/* End it; it returns `result`, or for 0 nothing. */
void emit_end_function(struct emit *e, uint32_t result);
void emit_decorate(struct emit *e, uint32_t target, uint32_t decoration, const uint32_t *literal);
/* The global input variable of that built-in, of that type; it joins the interface when it is first asked for. */
uint32_t emit_builtin(struct emit *e, uint32_t builtin, uint32_t type);
/* Ids of three dimensions: those of a built-in vector, over the size of a work-group, and added to others if there are. */
struct emit_ids {
    uint32_t loaded;
    enum ir_type component; /* of the vector: 64 bits wide in OpenCL, 32 in Vulkan */
    bool is_divided;
    const struct emit_ids *plus;
};
/* Loads the built-in vector. */
struct emit_ids emit_ids(struct emit *e, uint32_t builtin);
/* Id number d, as i32. */
uint32_t emit_id(struct emit *e, const struct emit_ids *ids, uint32_t d);
/* (z * n_y + y) * n_x + x of the ids, as i32. */
uint32_t emit_linear(struct emit *e, const struct emit_ids *ids, const uint32_t n[3]);

/* The id of an extended set, which is imported from now on. */
uint32_t emit_set(struct emit *e, enum op_set set);
/* A max-error decoration where it means nothing, if the program is to have such there. */
void emit_odd(struct emit *e, enum ir_odd site, enum ir_type type, uint32_t id);
/* The module of these parts, *n_words words; NULL: the arena is full, now or when a part was written. */
const uint32_t *emit_join(const struct emit *e, const struct spv_words *const *parts,
                          size_t n_parts, uint32_t *n_words);

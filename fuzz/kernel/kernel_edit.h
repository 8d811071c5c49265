/* fuzz/kernel/kernel_edit.h -- additions to a module: types, constants, buffers and built-in variables that its entry point then has. */
#pragma once

#include "base/spv.h"
#include "base/testcase.h"

enum {
    KERNEL_EDIT_MAX_INTERFACE = 16
};
struct kernel_edit {
    const uint32_t *words; /* of the module as it was */
    uint32_t n_words, version;
    struct spv_index index;
    uint32_t n_ids;
    uint32_t entry; /* the function of the case's entry point; 0: there is none */
    uint32_t n_interface, interface[KERNEL_EDIT_MAX_INTERFACE]; /* variables that are new in it */
    struct spv_words decorations, types;                        /* what is to be declared */
    struct spv_words out; /* the new module, without its header */
};
#define KERNEL_PUT(to, op, ...)                                                                    \
    spv_put((to), (op), (const uint32_t[]){__VA_ARGS__},                                           \
            sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* false: no memory. */
bool kernel_edit_begin(struct kernel_edit *x, const struct testcase *tc, struct arena *a);
uint32_t kernel_edit_new_id(struct kernel_edit *x);
/* The type OpTypeInt (n_bits, signedness), OpTypeFloat (n_bits, 0) or OpTypeVector (type, n), made if the module has none. */
uint32_t kernel_edit_type(struct kernel_edit *x, uint32_t op, uint32_t word2, uint32_t word3);
uint32_t kernel_edit_constant(struct kernel_edit *x, uint32_t type, uint32_t value);
uint32_t kernel_edit_pointer(struct kernel_edit *x, uint32_t storage, uint32_t to);
/* The storage class of buffers of Vulkan in a module of that version. */
uint32_t kernel_edit_storage(const struct kernel_edit *x);
/* A variable of Vulkan, a block of an array of run-time length of these elements, so many bytes apart. */
uint32_t kernel_edit_buffer(struct kernel_edit *x, uint32_t element, uint32_t stride,
                            uint32_t binding);
/* The input variable of a built-in, made of that type if the module has none; *type: its type. */
uint32_t kernel_edit_builtin(struct kernel_edit *x, SpvBuiltIn builtin, uint32_t type_if_new,
                             uint32_t *type);

/* An instruction with one operand (b 0) or two; the id of its result. */
uint32_t kernel_edit_put_op(struct kernel_edit *x, uint32_t type, uint32_t op, uint32_t a,
                            uint32_t b);
/* What the number of an invocation is computed of: the variable of GlobalInvocationId, its type and that of a component, and constants. */
struct kernel_edit_invocation {
    uint32_t u32, ids, vector, component;
    bool is_wide; /* a component has 64 bits */
    uint32_t distance[3];
};
/* Declares it for the dispatch of the case. u32: the type of 32-bit integers without a sign. */
void kernel_edit_invocation(struct kernel_edit *x, const struct testcase *tc, uint32_t u32,
                            struct kernel_edit_invocation *out);
/* Puts the computation; the id of the number, the first dimension fastest. */
uint32_t kernel_edit_put_invocation(struct kernel_edit *x, const struct kernel_edit_invocation *of);

/* Copies an instruction that stands before the first function, after what is to be declared there. The entry point gets its new
 * interface. */
void kernel_edit_copy_declaration(struct kernel_edit *x, const struct spv_inst *in);
/* Puts the types before the first function. */
void kernel_edit_end_declarations(struct kernel_edit *x);
void kernel_edit_copy(struct kernel_edit *x, const struct spv_inst *in);
/* The new module in the arena. RES_LIMIT: it is too large for a case. */
MUST_USE enum res kernel_edit_end(struct kernel_edit *x, struct arena *a, struct testcase *out,
                                  struct err *e);

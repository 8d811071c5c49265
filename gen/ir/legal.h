/* gen/ir/legal.h -- what may be emitted, by the tables of both environments: scopes and memory semantics of an
 * atomic, and the needs (capabilities, extensions) that it brings to a case. */
#pragma once

#include "gen/ir/ir.h"

/* Who can reach a cell of a group. */
enum sharing {
    SHARED_BY_NOBODY,
    SHARED_BY_WORKGROUP,
    SHARED_BY_ALL
};

enum {
    LEGAL_MAX_SCOPES = 6,
    LEGAL_MAX_SEMANTICS = 4
};

/*
 * Scopes that every access of a cell may have, smallest meaning first; returns how many.
 * Each access lies inside the scope instance of the others, and their scopes are identical.
 */
uint32_t legal_get_scopes(enum env env, bool vulkan_memory_model, enum sharing sharing,
                          uint32_t out[LEGAL_MAX_SCOPES]);

/* Needs of using that scope; are they allowed (p->allowed)? The same of others below. */
void legal_add_scope_needs(struct ir_program *p, uint32_t scope);
bool legal_may_scope(const struct ir_program *p, uint32_t scope);

/*
 * Memory semantics of an access: `order` and `classes` are free choices that are mapped to a legal
 * value. order: below LEGAL_ORDERS, 0 is Relaxed; classes: bits 0-2 ask for buffers, work-group
 * memory and images in Vulkan, work-group and global memory in OpenCL; bit 3 for availability and
 * visibility (Vulkan memory model). SA-10865 to -10871; A1.
 */
enum legal_order {
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SEQ_CST
};
enum {
    LEGAL_ORDERS = 5
};
struct legal_semantics {
    uint32_t semantics, unequal; /* unequal: of a compare-exchange, SA-10875 to -10879 */
    enum legal_order order;      /* after mapping */
};
struct legal_semantics legal_get_semantics(struct ir_program *p, const struct ir_atomic *x,
                                           enum legal_order order, unsigned classes);

bool legal_may_order(const struct ir_program *p, enum legal_order order);

/* Needs of types, variables and atomics (A3, A4). */
void legal_add_type_needs(struct ir_program *p, enum ir_type t);
void legal_add_var_needs(struct ir_program *p, const struct ir_var *v);
void legal_add_atomic_needs(struct ir_program *p, const struct ir_atomic *x);
static inline bool legal_may(const struct ir_program *p, enum need_id id)
{
    return needs_has(&p->allowed, id) != 0;
}
/* What the source language of the environment has no words for needs a device that is given modules. */
void legal_need_module(struct ir_program *p);
bool legal_may_module(const struct ir_program *p);
/* The same of an instruction that is in wordless.def. */
void legal_add_op_needs(struct ir_program *p, uint32_t op);
bool legal_may_op(const struct ir_program *p, uint32_t op);
bool legal_may_type(const struct ir_program *p, enum ir_type t);
bool legal_may_var(const struct ir_program *p, const struct ir_var *v);
/* Of an atomic on the variable v, in place of the one that x names. */
bool legal_may_atomic(const struct ir_program *p, const struct ir_var *v,
                      const struct ir_atomic *x);
/* Is there a form of the atomic on vectors of two or four f16? Vulkan's alone; A3. */
bool legal_has_vector_form(enum op_id op);

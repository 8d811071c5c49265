/* gen/ir/legal_group.h -- group operations: where they may stand, on what, and what they need. */
#pragma once

#include "gen/ir/ir.h"

/* How an environment gates an instruction, and what it may work on. */
enum legal_gate {
    GATE_UNIFORM, /* OpGroup*: OpenCL, work-group or sub-group; Vulkan by SPV_AMD_shader_ballot, reductions alone */
    GATE_UNIFORM_KHR, /* SPV_KHR_uniform_group_instructions: OpenCL, work-group */
    GATE_ELECT,
    GATE_VOTE,
    GATE_ARITHMETIC, /* of OpGroupNonUniform*; ClusteredReduce has a gate of its own */
    GATE_BALLOT,
    GATE_SHUFFLE,
    GATE_SHUFFLE_RELATIVE,
    GATE_QUAD,
    GATE_ROTATE,
    GATE_QUAD_VOTE, /* SPV_KHR_quad_control */
    GATE_PARTITION, /* SPV_EXT_shader_subgroup_partitioned; with it ARITHMETIC has operations on subsets */
    GATE_AMD,     /* GroupIAddNonUniformAMD and its like */
    GATE_AMD_SET, /* the extended set of SPV_AMD_shader_ballot */
    GATE_INTEL    /* shuffles of SPV_INTEL_subgroups */
};
enum {
    LEGAL_NO_GATE = -1
};
/* The enum legal_gate of an instruction; LEGAL_NO_GATE where it is no group instruction. */
int legal_get_gate(enum op_id op);
/* Facts of a group instruction: has it a group operation (reduce, a scan)? Does it read a ballot?
 * Components of its value where that is no vector: 0 (elect), 4 (a ballot), else 1. */
bool legal_has_operation(enum op_id op);
bool legal_reads_ballot(enum op_id op);
bool legal_is_partitioned(uint32_t operation); /* works on the subsets of a partition */
uint32_t legal_count_components(enum op_id op);
/* The enum op_types of a type, 0 for IR_VOID. */
unsigned legal_get_type_bit(enum ir_type t);

/*
 * Is x legal by the documents in p's environment and SPIR-V version? Read are p->env,
 * p->version and p->subgroup_size, and of x:
 *   op         a group instruction that has the environment in its row; from SPIR-V 1.3 on where
 *              it is non-uniform
 *   type, n    the type stands in the row; vectors (n of 2 to 4) where the environment has them:
 *              Vulkan for exchange, AllEqual and arithmetic, OpenCL for Broadcast and at sub-group
 *              scope GroupBroadcast, AMD's swizzles and write anywhere. OpenCL also: no bool but
 *              for votes and logical arithmetic, 8 and 16 bits not at work-group scope. n is 0 for
 *              Elect, 4 (of i32) for what reads a ballot, else 1
 *   scope      work-group or sub-group, as the gate says; Vulkan: sub-group. Not read for the set
 *   operation  IR_NO_OPERATION where there is none, Reduce or a scan, ClusteredReduce for
 *              OpGroupNonUniform* arithmetic alone
 *   cluster    a power of two up to CASE_MAX_SUBGROUP and p->subgroup_size if that is required;
 *              needed by ClusteredReduce, free for rotate, else 0. Whether it is at most the size
 *              that the driver chooses nobody knows here
 *   second     if it is not NULL: a constant where it must be one (the id of Broadcast and
 *              QuadBroadcast below SPIR-V 1.5, QuadSwap's direction, which is below 3)
 *   pattern    a swizzle's constants within 0 to 3, or 0 to 31
 * Not checked: AMD's instructions, and in Vulkan OpGroup*, stand in no table of either environment
 * (unadvertised), but for the extended set in Vulkan; control
 * flow (OpGroup* must be reached by all of its scope); what must be uniform.
 */
bool legal_is_group(const struct ir_program *p, const struct ir_group *x);

/* Needs of a group instruction for which legal_is_group holds, of its types (`result`: of its
 * result) and in OpenCL of the version that it is of. x->second decides whether a broadcast is one
 * of a dynamic id. */
void legal_add_group_needs(struct ir_program *p, const struct ir_group *x, enum ir_type result);
/* Are they allowed (p->allowed)? And those of the plainest form of that gate's instructions, of the built-ins, of the
 * size? */
bool legal_may_group(const struct ir_program *p, const struct ir_group *x, enum ir_type result);
bool legal_may_gate(const struct ir_program *p, enum legal_gate gate);
bool legal_may_subgroup(const struct ir_program *p);
bool legal_may_subgroup_size(const struct ir_program *p, uint32_t size);
/* Needs of reading a built-in of the sub-group. */
void legal_add_subgroup_needs(struct ir_program *p);
/* Need of a required sub-group size: 4 to 64, in Vulkan to 128, a power of two. In OpenCL the
 * module has to be of SPIR-V 1.1 or later. */
void legal_add_subgroup_size_need(struct ir_program *p, uint32_t size);

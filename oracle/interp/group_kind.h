/* oracle/interp/group_kind.h -- classifies group instructions by their opcode, from the table group_kind.def. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/ops.h"

/* Instructions of SPV_AMD_shader_ballot, which have no opcodes of their own. */
enum {
    GROUP_AMD_SWIZZLE = OP_NUMBER(OP_SET_amd_ballot, 1),        /* within quads, by four lanes */
    GROUP_AMD_SWIZZLE_MASKED = OP_NUMBER(OP_SET_amd_ballot, 2), /* by three masks */
    GROUP_AMD_WRITE = OP_NUMBER(OP_SET_amd_ballot, 3),
    GROUP_AMD_MBCNT = OP_NUMBER(OP_SET_amd_ballot, 4)
};

/* What sort of answer an instruction gives. */
enum group_kind {
    GROUP_NONE,      /* no group instruction */
    GROUP_ARITH,     /* a reduction or scan: has an operation */
    GROUP_VOTE,      /* All, Any */
    GROUP_ALL_EQUAL, /* AllEqual */
    GROUP_ELECT,
    GROUP_BALLOT,    /* Ballot: predicate to bits */
    GROUP_OF_BALLOT, /* works on a ballot: inverse, extract, count, find */
    GROUP_MOVE,      /* broadcast, shuffle, quad, rotate, AMD's swizzles and write */
    GROUP_MBCNT,
    GROUP_PARTITION /* by a value, into subsets: a ballot of who has the same */
};
enum group_kind group_kind_of(uint32_t op); /* op: OP_NUMBER */

enum {
    GROUP_NO_OPERATION = 255 /* where others have a SpvGroupOperation */
};

/* What an arithmetic group instruction does at each step. */
enum group_step {
    STEP_NONE,
    STEP_ADD,
    STEP_MUL,
    STEP_SMIN,
    STEP_UMIN,
    STEP_SMAX,
    STEP_UMAX,
    STEP_AND,
    STEP_OR,
    STEP_XOR,
    STEP_FLOAT
};
enum group_step group_step_of(uint32_t op);    /* op: OP_NUMBER */
bool group_is_quad_vote(uint32_t op);          /* of the four alone */
bool group_is_partitioned(uint32_t operation); /* of the subsets of a partition */
/* Of those that are, what is done in each subset, as SpvGroupOperation. */
uint32_t group_operation_within(uint32_t operation);
bool group_has_scope(uint32_t op);  /* of the core: does an operand say over whom? */
bool group_is_extreme(uint32_t op); /* a minimum or maximum of floats */

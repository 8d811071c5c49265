/* gen/illegal/illegal.h -- rules of the specifications as rows of illegal.def, each with the one change that breaks
 * it in a legal module. */
#pragma once

#include "base/ops.h"
#include "base/spv.h"
#include "base/testcase.h"

/* The legal modules that rules are broken in; gen/plan/refusal.c makes them. Each has one instruction of what
 * it is named for, and what else a change takes its operands from. */
enum illegal_parent {
    PARENT_ADD16, /* OpAtomicFAddEXT on a buffer, and OpAtomicExchange of i32 */
    PARENT_ADD32,
    PARENT_ADD64,
    PARENT_MINMAX16, /* the same of OpAtomicFMinEXT and OpAtomicFMaxEXT */
    PARENT_MINMAX32,
    PARENT_MINMAX64,
    PARENT_EXCHANGE16, /* OpAtomicExchange of f16 */
    PARENT_COMPARE,    /* OpAtomicFAddEXT, and OpAtomicCompareExchange of i32 */
    PARENT_GENERIC,    /* OpAtomicFAddEXT through a generic pointer */
    PARENT_MAX_ERROR,  /* OpFMul with a max error, OpFAdd without one, OpIMul */
    PARENT_ARITH,      /* the same without the decoration */
    PARENT_AMD_GROUP,  /* the eight of OpGroupFAddNonUniformAMD and so on */
    PARENT_SWIZZLE,    /* SwizzleInvocationsAMD of f32, and so on */
    PARENT_MASKED,
    PARENT_WRITE,
    PARENT_MBCNT,
    PARENT_GROUP,      /* OpGroupFAdd, OpGroupIAdd */
    PARENT_ARITHMETIC, /* OpGroupNonUniformFAdd, OpGroupNonUniformIAdd */
    PARENT_CLUSTERED,  /* the same in clusters */
    PARENT_VECTOR      /* OpAtomicFAddEXT of two f16 on a buffer */
};
enum {
    ILLEGAL_PARENT_N = 20
};
extern const char *const illegal_parent_names[ILLEGAL_PARENT_N]; /* "atomic add f16" */

/* Whether the texts leave a doubt. */
enum illegal_stance {
    STANCE_FIRM,    /* a sentence says "must" */
    STANCE_DISPUTED /* another text, or what everybody does, is against the sentence */
};

/* A type of scalars, or with the number of components in the upper half of vectors. */
enum illegal_type {
    TYPE_OF_I32,
    TYPE_OF_I64,
    TYPE_OF_F16,
    TYPE_OF_F32,
    TYPE_OF_F64,
    TYPE_OF_BOOL,
    TYPE_OF_VOID,
    TYPE_OF_S32 /* signed */
};
#define ILLEGAL_VECTOR(n, type) ((uint32_t)(n) << 16 | (uint32_t)(type))
/* n components of up to 7 bits each, for THING_CONSTANTS. */
#define ILLEGAL_CONSTANTS(n, x, y, z, w)                                                           \
    ((uint32_t)(n) << 28 | (uint32_t)(x) | (uint32_t)(y) << 7 | (uint32_t)(z) << 14 |              \
     (uint32_t)(w) << 21)

/* What a word becomes. Ids of what the module has; what it lacks is declared, which breaks nothing. */
enum illegal_thing {
    THING_NONE,
    THING_LITERAL,     /* the value itself */
    THING_CONSTANT,    /* OpConstant of i32 with that value */
    THING_SPEC,        /* OpSpecConstant of i32 with that value */
    THING_TYPE,        /* the illegal_type */
    THING_ZERO,        /* OpConstantNull of that illegal_type */
    THING_STRUCT,      /* a struct of one i32: the type, */
    THING_STRUCT_ZERO, /* and its OpConstantNull */
    THING_CONSTANTS,   /* a constant vector of i32: ILLEGAL_CONSTANTS */
    THING_RUN_TIME,    /* a vector of so many i32 that are no constants; of 1 a scalar */
    THING_PRIVATE,     /* a variable of class Private of that illegal_type: the pointer */
    THING_FUNCTION,    /* the same of class Function */
    THING_WORKGROUP,   /* the same of class Workgroup */
    THING_POINTER,     /* that of the first atomic of that OP_NUMBER */
    THING_RESULT,      /* the result of the first instruction of that OP_NUMBER */
    THING_LABEL,       /* the first label */
    THING_ENTRY        /* the entry function */
};

/* Operand `at` (1 is the word after the opcode) becomes a thing. */
struct illegal_change {
    uint32_t at;
    enum illegal_thing thing;
    uint32_t value;
};
enum {
    ILLEGAL_MAX_CHANGES = 4
};

enum illegal_kind {
    BREAK_DROP_CAPABILITY, /* `number` */
    BREAK_SWAP_CAPABILITY, /* `number` for `other` */
    BREAK_ADD_CAPABILITY,  /* `number`, and the extension `text` */
    BREAK_DROP_EXTENSION,  /* `text` */
    BREAK_OPERANDS,        /* change[] of the first instruction `number`, an OP_NUMBER */
    BREAK_COPY,            /* change[] of a copy of it that follows it, with a result of its own */
    BREAK_OPCODE,          /* its opcode becomes `other` */
    BREAK_APPEND,          /* it gets change[0] as a further operand */
    BREAK_CUT,             /* it loses its last operand */
    BREAK_DECORATE,        /* change[0] gets a max error, literal `number` */
    BREAK_MEMBER,          /* so does a member of a struct */
    BREAK_LITERAL          /* the literal of the max error that is there becomes `number` */
};
struct illegal_break {
    enum illegal_kind kind;
    uint32_t number, other;
    const char *text;
    struct illegal_change change[ILLEGAL_MAX_CHANGES];
};

struct illegal_rule {
    const char *name;
    enum illegal_parent parent;
    unsigned envs; /* OP_CL, OP_VK */
    enum illegal_stance stance;
    struct illegal_break how;
    const char *document; /* and section */
    const char *text;     /* the sentence, in our words */
};
enum {
    ILLEGAL_N = 0
#define RULE(...) +1
#include "gen/illegal/illegal.def"
};
extern const struct illegal_rule illegal_rules[ILLEGAL_N];

/* Row by name, or -1. The hash of its name, by which tapes name it. */
int illegal_find(const char *name);
uint64_t illegal_get_hash(const struct illegal_rule *rule);
/* The rule of that hash, or else one of those of the environment that the number picks. */
const struct illegal_rule *illegal_pick(enum env env, uint64_t number);

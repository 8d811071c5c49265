/* base/ops.h -- ops.def as an enum and a table. */
#pragma once

#include <stdint.h>

#include "base/testcase.h"

enum op_id {
#define OP(set, name, ...) OP_##set##_##name,
#include "base/ops.def"
};
enum {
    OP_N = 0
#define OP(...) +1
#include "base/ops.def"
};

enum op_types {
    TYPE_F16 = 1,
    TYPE_F32 = 2,
    TYPE_F64 = 4,
    TYPE_I32 = 8,
    TYPE_I64 = 16,
    TYPE_I8 = 32,
    TYPE_I16 = 64,
    TYPE_BOOL = 128
};
/* Sets of instructions: the upper half of a row's number, so that one number names an instruction
 * of any set. */
enum op_set {
    OP_SET_core,
    OP_SET_amd_ballot, /* OpExtInst of SPV_AMD_shader_ballot */
    OP_SET_opencl_std, /* of OpenCL.std */
    OP_SET_glsl450     /* of GLSL.std.450 */
};
#define OP_NUMBER(set, number) ((uint32_t)(set) << 16 | (uint32_t)(number))
enum op_envs {
    OP_CL = 1,
    OP_VK = 2
};
/* OP_CL or OP_VK. */
static inline unsigned op_get_env_bit(enum env env)
{
    return env == ENV_CL ? (unsigned)OP_CL : (unsigned)OP_VK;
}
enum op_identity {
    ID_NONE,
    ID_ZERO,
    ID_ONE,
    ID_ONES,
    ID_ANY_ZERO,
    ID_PLUS_INF,
    ID_MINUS_INF,
    ID_SMAX,
    ID_SMIN,
    ID_UMAX
};

struct op_row {
    const char *name; /* "AtomicFAddEXT", without the prefix Op */
    uint32_t number;  /* OP_NUMBER: of the core set the opcode itself */
    unsigned types;   /* TYPE_* it works on */
    unsigned envs;    /* OP_CL | OP_VK */
    enum op_identity identity;
    const char *clause; /* the token, as text */
    unsigned weight;
};
extern const struct op_row op_rows[OP_N];

/* The row of a number, in constant time, or -1. */
int op_find_number(uint32_t number);
/* Number of a row by name, or -1. */
int op_find_name(const char *name);
/* Is it the name of an atomic instruction? */
bool op_is_atomic(const char *name);

/* base/ops.c -- ops.def as a table. */
#include "base/ops.h"

#include <string.h>

#define F16  (unsigned)TYPE_F16
#define F32  (unsigned)TYPE_F32
#define F64  (unsigned)TYPE_F64
#define I8   (unsigned)TYPE_I8
#define I16  (unsigned)TYPE_I16
#define I32  (unsigned)TYPE_I32
#define I64  (unsigned)TYPE_I64
#define BOOL (unsigned)TYPE_BOOL
#define CL   (unsigned)OP_CL
#define VK   (unsigned)OP_VK
const struct op_row op_rows[OP_N] = {
#define OP(set, name, number, types, envs, identity, clause, weight)                               \
    {#name, OP_NUMBER(OP_SET_##set, number), (types), (envs), ID_##identity, #clause, (weight)},
#include "base/ops.def"
};

int op_find_number(uint32_t number)
{
    switch (number) {
#define OP(set, name, number, ...)                                                                 \
    case OP_NUMBER(OP_SET_##set, number):                                                          \
        return OP_##set##_##name;
#include "base/ops.def"
    default:
        return -1;
    }
}

int op_find_name(const char *name)
{
    for (int i = 0; i < OP_N; i++) {
        if (strcmp(op_rows[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

bool op_is_atomic(const char *name)
{
    return strncmp(name, "Atomic", 6) == 0;
}

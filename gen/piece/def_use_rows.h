/* gen/piece/def_use_rows.h -- def-use pairs as a table, of def_use.def. */
#pragma once

#include "base/ops.h"
#include "base/testcase.h"

/* Conversions stand behind the others. */
enum def {
#define DEF(id, ...)        DEF_##id,
#define CONVERSION(id, ...) DEF_##id,
#include "gen/piece/def_use.def"
#undef DEF
#undef CONVERSION
};
enum use {
#define USE(id, ...)        USE_##id,
#define CONVERSION(id, ...) USE_##id,
#include "gen/piece/def_use.def"
#undef USE
#undef CONVERSION
};
enum {
    DEF_N = 0
#define DEF(...)        +1
#define CONVERSION(...) +1
#include "gen/piece/def_use.def"
#undef DEF
#undef CONVERSION
        ,
    USE_N = 0
#define USE(...)        +1
#define CONVERSION(...) +1
#include "gen/piece/def_use.def"
#undef USE
#undef CONVERSION
        ,
    CONVERSION_N = 0
#define CONVERSION(...) +1
#include "gen/piece/def_use.def"
#undef CONVERSION
        ,
    DEF_USE_N = 0
#define DEF_USE(...)       +1
#define CONVERT_TWICE(...) +1
#include "gen/piece/def_use.def"
#undef DEF_USE
#undef CONVERT_TWICE
        ,
    USE_OP_N = 0
#define USE_OP(...) +1
#include "gen/piece/def_use.def"
#undef USE_OP
        ,
    DEF_FIRST_CONVERSION = DEF_N - CONVERSION_N,
    USE_FIRST_CONVERSION = USE_N - CONVERSION_N
};
static inline bool def_is_conversion(enum def def)
{
    return (int)def >= (int)DEF_FIRST_CONVERSION;
}
static inline bool use_is_conversion(enum use use)
{
    return (int)use >= (int)USE_FIRST_CONVERSION;
}
/* What the other operands of a use are. */
enum def_use_other {
    OTHER_LOADED, /* numbers that are loaded, now and then a constant */
    OTHER_SELF,   /* the value itself */
    OTHER_ZERO,   /* a constant */
    OTHER_POWER,  /* a constant: a power of two, its negative or a neighbour, the least integer */
    OTHER_NAN,    /* mostly a constant */
    OTHER_LARGE,  /* an integer near or beyond the exponents of the type */
    OTHER_ODD,    /* an odd whole number */
    OTHER_NONE    /* there are none */
};
struct def_use_row {
    enum def def;
    enum use use;
    enum def_use_other other;
    uint8_t weight;
};
extern const struct def_use_row def_use_rows[DEF_USE_N];
extern const char *const def_names[DEF_N], *const use_names[USE_N], *const def_use_others[];

struct conversion_row {
    uint32_t op;       /* SpvOp */
    unsigned envs;     /* OP_CL, OP_VK */
    unsigned from, to; /* enum op_types */
};
extern const struct conversion_row conversion_rows[CONVERSION_N];
static inline const struct conversion_row *def_get_conversion(enum def def)
{
    return &conversion_rows[(int)def - (int)DEF_FIRST_CONVERSION];
}
static inline const struct conversion_row *use_get_conversion(enum use use)
{
    return &conversion_rows[(int)use - (int)USE_FIRST_CONVERSION];
}
/* An instruction of a use that is no conversion. */
struct use_op_row {
    enum use use;
    enum op_id op;
};
extern const struct use_op_row use_op_rows[USE_OP_N];

/* The types, enum op_types, of a definition's values and of an instruction's operands in the environment, and those that the
 * value of a pair may have there. 0: it is not possible there. */
unsigned def_use_get_def_types(enum env env, enum def def);
unsigned def_use_get_op_types(enum env env, const struct use_op_row *row);
unsigned def_use_get_types(enum env env, const struct def_use_row *row);

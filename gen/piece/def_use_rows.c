/* gen/piece/def_use_rows.c -- def-use pairs as a table. */
#include "gen/piece/def_use_rows.h"

#include "base/spv.h"

enum { /* unions of enum op_types */
    F32 = TYPE_F32,
    I32 = TYPE_I32,
    I64 = TYPE_I64,
    FLOATS = TYPE_F16 | TYPE_F32 | TYPE_F64,
    INTEGERS = TYPE_I8 | TYPE_I16 | TYPE_I32 | TYPE_I64,
    ALL = FLOATS | INTEGERS,
    CL = OP_CL,
    VK = OP_VK
};
static const unsigned def_types[DEF_FIRST_CONVERSION] = {
#define DEF(id, types, ...) types,
#include "gen/piece/def_use.def"
#undef DEF
};
static const unsigned more_types[USE_FIRST_CONVERSION] = {
#define USE(id, types) types,
#include "gen/piece/def_use.def"
#undef USE
};
const char *const def_names[DEF_N] = {
#define DEF(id, ...)        #id,
#define CONVERSION(id, ...) #id,
#include "gen/piece/def_use.def"
#undef DEF
#undef CONVERSION
};
const char *const use_names[USE_N] = {
#define USE(id, ...)        #id,
#define CONVERSION(id, ...) #id,
#include "gen/piece/def_use.def"
#undef USE
#undef CONVERSION
};
const char *const def_use_others[] = {
    [OTHER_LOADED] = "loaded",  [OTHER_SELF] = "itself", [OTHER_ZERO] = "zero",
    [OTHER_POWER] = "constant", [OTHER_NAN] = "NaN",     [OTHER_LARGE] = "large",
    [OTHER_ODD] = "odd",        [OTHER_NONE] = "-"};
const struct def_use_row def_use_rows[DEF_USE_N] = {
#define DEF_USE(def, use, other, weight) {DEF_##def, USE_##use, OTHER_##other, weight},
#define CONVERT_TWICE(def, use, weight)  {DEF_##def, USE_##use, OTHER_NONE, weight},
#include "gen/piece/def_use.def"
#undef DEF_USE
#undef CONVERT_TWICE
};
const struct conversion_row conversion_rows[CONVERSION_N] = {
#define CONVERSION(id, op, envs, from, to) {SpvOp##op, envs, from, to},
#include "gen/piece/def_use.def"
#undef CONVERSION
};
const struct use_op_row use_op_rows[USE_OP_N] = {
#define USE_OP(use, set, name) {USE_##use, OP_##set##_##name},
#include "gen/piece/def_use.def"
#undef USE_OP
};

unsigned def_use_get_op_types(enum env env, const struct use_op_row *row)
{
    const struct op_row *const op = &op_rows[row->op];
    return op->envs >> env & 1 ? op->types | more_types[row->use] : 0;
}

static unsigned get_use_types(enum env env, enum use use)
{
    if (use_is_conversion(use)) {
        const struct conversion_row *const c = use_get_conversion(use);
        return c->envs >> env & 1 ? c->from : 0;
    }
    unsigned types = 0;
    for (size_t i = 0; i < USE_OP_N; i++) {
        types |= use_op_rows[i].use == use ? def_use_get_op_types(env, &use_op_rows[i]) : 0;
    }
    return types;
}

unsigned def_use_get_def_types(enum env env, enum def def)
{
    if (!def_is_conversion(def)) {
        return def_types[def];
    }
    const struct conversion_row *const c = def_get_conversion(def);
    return c->envs >> env & 1 ? c->to : 0;
}

unsigned def_use_get_types(enum env env, const struct def_use_row *row)
{
    unsigned const types = def_use_get_def_types(env, row->def) & get_use_types(env, row->use);
    return row->other == OTHER_NAN ? types & FLOATS : types;
}

/* gen/illegal/illegal.c -- the rows of illegal.def, by name and by number. */
#include "gen/illegal/illegal.h"

#include <string.h>

/* Members of a struct illegal_break. */
#define DROP_CAPABILITY(capability) .kind = BREAK_DROP_CAPABILITY, .number = (capability)
#define SWAP_CAPABILITY(capability, instead)                                                       \
    .kind = BREAK_SWAP_CAPABILITY, .number = (capability), .other = (instead)
#define ADD_CAPABILITY(capability, extension)                                                      \
    .kind = BREAK_ADD_CAPABILITY, .number = (capability), .text = (extension)
#define DROP_EXTENSION(name) .kind = BREAK_DROP_EXTENSION, .text = (name)
#define OPERAND(op, at, what, number_of)                                                           \
    .kind = BREAK_OPERANDS, .number = (op), .change = {AT(at, what, number_of)}
#define COPY(op, ...) .kind = BREAK_COPY, .number = (op), .change = {__VA_ARGS__}
#define AT(at, what, number_of)                                                                    \
    {                                                                                              \
        (at), THING_##what, (number_of)                                                            \
    }
#define OPCODE(op, instead) .kind = BREAK_OPCODE, .number = (op), .other = (instead)
#define APPEND(op, what, number_of)                                                                \
    .kind = BREAK_APPEND, .number = (op), .change = {AT(1, what, number_of)}
#define CUT(op) .kind = BREAK_CUT, .number = (op)
#define DECORATE(what, number_of)                                                                  \
    .kind = BREAK_DECORATE, .number = FOUR_ULP, .change = {AT(1, what, number_of)}
#define DECORATE_MEMBER        .kind = BREAK_MEMBER, .number = FOUR_ULP, .change = {AT(1, STRUCT, 0)}
#define LITERAL(bits)          .kind = BREAK_LITERAL, .number = (bits)
#define FOUR_ULP               0x40800000 /* 4, a bound that anything keeps */
#define VECTOR(n, type)        ILLEGAL_VECTOR(n, TYPE_OF_##type)
#define CONSTANTS3(x, y, z)    ILLEGAL_CONSTANTS(3, x, y, z, 0)
#define CONSTANTS4(x, y, z, w) ILLEGAL_CONSTANTS(4, x, y, z, w)
#define AMD(number)            OP_NUMBER(OP_SET_amd_ballot, number)
#define CL                     OP_CL
#define VK                     OP_VK

const struct illegal_rule illegal_rules[ILLEGAL_N] = {
#define RULE(id, parent, envs, stance, how, document, text)                                        \
    {#id, PARENT_##parent, envs, STANCE_##stance, {how}, document, text},
#include "gen/illegal/illegal.def"
};

const char *const illegal_parent_names[ILLEGAL_PARENT_N] = {
    [PARENT_ADD16] = "atomic add f16",
    [PARENT_ADD32] = "atomic add f32",
    [PARENT_ADD64] = "atomic add f64",
    [PARENT_MINMAX16] = "atomic min, max f16",
    [PARENT_MINMAX32] = "atomic min, max f32",
    [PARENT_MINMAX64] = "atomic min, max f64",
    [PARENT_EXCHANGE16] = "atomic exchange f16",
    [PARENT_COMPARE] = "atomic add, compare",
    [PARENT_GENERIC] = "generic atomic add",
    [PARENT_MAX_ERROR] = "max error",
    [PARENT_ARITH] = "arithmetic",
    [PARENT_AMD_GROUP] = "AMD group operations",
    [PARENT_SWIZZLE] = "AMD swizzle",
    [PARENT_MASKED] = "AMD masked swizzle",
    [PARENT_WRITE] = "AMD write",
    [PARENT_MBCNT] = "AMD mbcnt",
    [PARENT_GROUP] = "group operations",
    [PARENT_ARITHMETIC] = "non-uniform operations",
    [PARENT_CLUSTERED] = "clustered operations",
    [PARENT_VECTOR] = "atomic add f16 vector",
};

int illegal_find(const char *name)
{
    for (int i = 0; i < ILLEGAL_N; i++) {
        if (strcmp(illegal_rules[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

uint64_t illegal_get_hash(const struct illegal_rule *rule)
{
    return hash_bytes(0, rule->name, strlen(rule->name));
}

const struct illegal_rule *illegal_pick(enum env env, uint64_t number)
{
    unsigned const bit = env == ENV_CL ? OP_CL : OP_VK;
    uint32_t n = 0;
    for (int i = 0; i < ILLEGAL_N; i++) {
        if (illegal_get_hash(&illegal_rules[i]) == number && (illegal_rules[i].envs & bit)) {
            return &illegal_rules[i];
        }
        n += (illegal_rules[i].envs & bit) != 0;
    }
    uint64_t left = number % n;
    const struct illegal_rule *rule = illegal_rules;
    while (!(rule->envs & bit) || left-- > 0) {
        rule++;
    }
    return rule;
}

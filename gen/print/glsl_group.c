/* gen/print/glsl_group.c -- group instructions as the functions of GL_KHR_shader_subgroup_* and GL_AMD_shader_ballot. */
#include "gen/print/glsl_group.h"

#include "base/ops.h"
#include "gen/print/text.h"
#include "gen/view/view.h"

enum form {
    FORM_NONE,
    FORM_PLAIN,
    FORM_ARITHMETIC,
    FORM_BIT_COUNT,
    FORM_SWAP,
    FORM_ROTATE,
    FORM_AMD,
    FORM_AMD_UNIFORM,
    FORM_UNSCOPED
};
enum {
    GLSL_NO_EXTENSION = -1
};
struct group_row {
    uint32_t op;
    enum text_sign sign;
    enum form form;
    const char *name;
    int extension; /* enum glsl_extension */
};
static const struct group_row rows[] = {
#define GROUP(op, sign, clc_form, clc_name, form, name, extension)                                 \
    {op, TEXT_##sign, FORM_##form, name, GLSL_##extension},
#include "gen/print/group.def"
};

/* Words of a group instruction. */
enum {
    AT_TYPE = 1,
    AT_SCOPE = 3,
    AT_FIRST = 4,     /* of the operands, where there is no GroupOperation */
    AT_OPERATION = 4, /* GroupOperation */
    AT_VALUE = 5,     /* after it */
    AT_CLUSTER = 6
};

/* Narrow and wide numbers have an extension for sub-groups, and others for AMD's functions. */
static void need_type(struct printer *p, uint32_t type, bool is_amd)
{
    uint32_t const n_bits = view_count_bits(p->m, type);
    if (view_is_float(p->m, type) && n_bits == 16) {
        glsl_need(p, is_amd ? GLSL_HALF_AMD : GLSL_SUBGROUP_TYPES_FLOAT16);
    } else if (!view_is_float(p->m, type) && n_bits == 8) {
        glsl_need(p, GLSL_SUBGROUP_TYPES_INT8);
    } else if (!view_is_float(p->m, type) && n_bits == 16) {
        glsl_need(p, is_amd ? GLSL_INT16_AMD : GLSL_SUBGROUP_TYPES_INT16);
    } else if (!view_is_float(p->m, type) && n_bits == 64) {
        glsl_need(p, is_amd ? GLSL_INT64_AMD : GLSL_SUBGROUP_TYPES_INT64);
    }
}

static const char *print_value(struct printer *p, uint32_t id, enum text_sign sign)
{
    return sign == TEXT_SIGNED ? text_signed(p, id) : text_value(p, id);
}

static const char *name_scan(struct printer *p, uint32_t operation)
{
    static const struct text_word words[] = {
        {SpvGroupOperationReduce,        ""         },
        {SpvGroupOperationInclusiveScan, "Inclusive"},
        {SpvGroupOperationExclusiveScan, "Exclusive"},
    };
    return text_find_word(p, words, ARRAY_N(words), operation, "this operation of a group");
}

static const char *print_arithmetic(struct printer *p, const struct spv_inst *in,
                                    const struct group_row *row)
{
    const char *const value = print_value(p, in->w[AT_VALUE], row->sign);
    uint32_t const operation = in->w[AT_OPERATION];
    if (operation >= SPV_PARTITIONED_REDUCE_EXT &&
        operation <= SPV_PARTITIONED_EXCLUSIVE_SCAN_EXT && in->n > AT_CLUSTER) {
        glsl_need(p, GLSL_SUBGROUP_PARTITIONED);
        return textf(p, "subgroupPartitioned%s%sNV(%s, %s)",
                     name_scan(p, operation - SPV_PARTITIONED_REDUCE_EXT), row->name, value,
                     text_value(p, in->w[AT_CLUSTER]));
    }
    if (in->n > AT_CLUSTER) {
        glsl_need(p, GLSL_SUBGROUP_CLUSTERED);
        return textf(p, "subgroupClustered%s(%s, %s)", row->name, value,
                     text_value(p, in->w[AT_CLUSTER]));
    }
    return textf(p, "subgroup%s%s(%s)", name_scan(p, in->w[AT_OPERATION]), row->name, value);
}

static const char *print_amd(struct printer *p, const struct spv_inst *in,
                             const struct group_row *row)
{
    const char *const scan = name_scan(p, in->w[AT_OPERATION]);
    if (view_count_bits(p->m, in->w[AT_TYPE]) == 8) {
        return text_fail(p, "a group operation of AMD on 8-bit integers");
    }
    return textf(p, "%sInvocations%s%s%sAMD(%s)", row->name, scan, scan[0] ? "Scan" : "",
                 row->form == FORM_AMD ? "NonUniform" : "",
                 print_value(p, in->w[AT_VALUE], row->sign));
}

/* Returns the call of the group instruction in GLSL, by the form of its row (group.def lists the forms). */
static const char *print_call(struct printer *p, const struct spv_inst *in,
                              const struct group_row *row)
{
    static const char *const swaps[] = {"Horizontal", "Vertical", "Diagonal"}; /* by direction */
    switch (row->form) {
    case FORM_NONE:
        break;
    case FORM_PLAIN:
        return textf(p, "subgroup%s(%s)", row->name, text_list(p, in, AT_FIRST));
    case FORM_ARITHMETIC:
        return print_arithmetic(p, in, row);
    case FORM_BIT_COUNT:
        return textf(p, "subgroupBallot%sBitCount(%s)", name_scan(p, in->w[AT_OPERATION]),
                     text_value(p, in->w[AT_VALUE]));
    case FORM_SWAP: {
        uint64_t const direction = view_get_number(p->m, in->w[AT_FIRST + 1]);
        return direction < ARRAY_N(swaps) ? textf(p, "subgroupQuadSwap%s(%s)", swaps[direction],
                                                  text_value(p, in->w[AT_FIRST]))
                                          : text_fail(p, "a swap in this direction");
    }
    case FORM_ROTATE:
        return textf(p, "subgroup%sRotate(%s)", in->n > AT_CLUSTER ? "Clustered" : "",
                     text_list(p, in, AT_FIRST));
    case FORM_AMD:
    case FORM_AMD_UNIFORM:
        return print_amd(p, in, row);
    case FORM_UNSCOPED: /* the operand stands where others have their scope */
        if (row->extension == GLSL_QUAD_CONTROL) { /* this extension builds upon the votes */
            glsl_need(p, GLSL_SUBGROUP_VOTE);
        }
        return textf(p, "subgroup%s(%s)", row->name, text_value(p, in->w[AT_SCOPE]));
    }
    return "";
}

static const struct group_row *find_row(uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == op && rows[i].form != FORM_NONE) {
            return &rows[i];
        }
    }
    return NULL;
}

/* Of what is compared, counted or moved. */
static uint32_t get_type(struct printer *p, const struct spv_inst *in, const struct group_row *row)
{
    if (row->form == FORM_UNSCOPED) {
        return view_type_of(p->m, in->w[AT_SCOPE]);
    }
    return row->op == SpvOpGroupNonUniformAllEqual ? view_type_of(p->m, in->w[AT_FIRST])
                                                   : in->w[AT_TYPE];
}

static void put_row(struct printer *p, const struct spv_inst *in, const struct group_row *row)
{
    if (row->form != FORM_UNSCOPED && view_get_number(p->m, in->w[AT_SCOPE]) != SpvScopeSubgroup) {
        (void)text_fail(p, "a group instruction of another scope than the sub-group");
        return;
    }
    glsl_need(p, (enum glsl_extension)row->extension);
    need_type(p, get_type(p, in, row), row->form == FORM_AMD || row->form == FORM_AMD_UNIFORM);
    const char *call = print_call(p, in, row);
    if (row->sign == TEXT_SIGNED) {
        call = textf(p, "%s(%s)", text_name(p, in->w[AT_TYPE]), call);
    }
    text_define(p, in, call, true, false);
}

/* ---- the extended set of SPV_AMD_shader_ballot ---- */

enum {
    AT_SET = 3, /* words of OpExtInst */
    AT_NUMBER,
    AT_OPERANDS,
    SWIZZLE = 1,
    SWIZZLE_MASKED,
    WRITE,
    MBCNT
};

static void put_amd(struct printer *p, const struct spv_inst *in)
{
    static const char *const names[] = {"", "swizzleInvocationsAMD", "swizzleInvocationsMaskedAMD",
                                        "writeInvocationAMD", "mbcntAMD"};
    uint32_t const number = in->w[AT_NUMBER];
    if (number < SWIZZLE || number > MBCNT) {
        (void)text_fail(p, "an instruction of this number of AMD's set");
        return;
    }
    if (number != MBCNT && view_count_bits(p->m, in->w[AT_TYPE]) != 32) {
        (void)text_fail(p, "an exchange of AMD's set on other than 32-bit numbers");
        return;
    }
    glsl_need(p, GLSL_BALLOT_AMD);
    glsl_need(p, GLSL_INT64_AMD);
    need_type(p, in->w[AT_TYPE], true);
    text_define(p, in, textf(p, "%s(%s)", names[number], text_list(p, in, AT_OPERANDS)), true,
                false);
}

bool glsl_put_group(struct printer *p, const struct spv_inst *in)
{
    if (in->op == SpvOpExtInst) {
        bool const is_amd =
            in->n > AT_NUMBER && view_is_set(p->m, in->w[AT_SET], "SPV_AMD_shader_ballot");
        if (is_amd) {
            put_amd(p, in);
        }
        return is_amd;
    }
    const struct group_row *const row = find_row(in->op);
    if (row) {
        put_row(p, in, row);
    }
    return row != NULL;
}

/* gen/print/clc_group.c -- group instructions as functions of work-groups and sub-groups. */
#include "gen/print/clc_group.h"

#include <string.h>

#include "gen/view/view.h"

enum form {
    FORM_NONE,
    FORM_UNIFORM,
    FORM_BROADCAST,
    FORM_REDUCTION,
    FORM_WORK_GROUP,
    FORM_PLAIN,
    FORM_SUB_GROUP,
    FORM_BIT_COUNT,
    FORM_ROTATE,
    FORM_INTEL
};
struct group_row {
    uint32_t op;
    enum text_sign sign;
    enum form form;
    const char *name;
};
static const struct group_row rows[] = {
#define GROUP(op, sign, form, name, ...) {op, TEXT_##sign, FORM_##form, name},
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

static const char *name_operation(struct printer *p, uint32_t operation)
{
    static const struct text_word words[] = {
        {SpvGroupOperationReduce,        "reduce"        },
        {SpvGroupOperationInclusiveScan, "scan_inclusive"},
        {SpvGroupOperationExclusiveScan, "scan_exclusive"},
    };
    return text_find_word(p, words, ARRAY_N(words), operation, "this operation of a group");
}

/* Truth values are int here. */
static const char *print_operand(struct printer *p, uint32_t id, enum text_sign sign)
{
    if (view_is_bool(p->m, view_type_of(p->m, id))) {
        return textf(p, "(int)%s", text_operand(p, id));
    }
    return sign == TEXT_SIGNED ? text_signed(p, id) : text_value(p, id);
}

static const char *print_operands(struct printer *p, const struct spv_inst *in, uint32_t first)
{
    const char *text = "";
    for (uint32_t k = first; k < in->n; k++) {
        text = textf(p, "%s%s%s", text, k > first ? ", " : "",
                     print_operand(p, in->w[k], TEXT_UNSIGNED));
    }
    return text;
}

/* The local id of a broadcast, one argument a dimension. */
static const char *print_local_id(struct printer *p, uint32_t id)
{
    uint32_t const n = view_count_components(p->m, view_type_of(p->m, id));
    const char *text = "";
    if (n == 1) {
        return textf(p, ", %s", text_value(p, id));
    }
    for (uint32_t i = 0; i < n; i++) {
        text = textf(p, "%s, %s.s%u", text, text_operand(p, id), i);
    }
    return text;
}

/* Returns the call of the group instruction in OpenCL C, by the form of its row (group.def lists the
 * forms); group is "work_group" or "sub_group". */
static const char *print_call(struct printer *p, const struct spv_inst *in,
                              const struct group_row *row, const char *group)
{
    switch (row->form) {
    case FORM_NONE: /* clc_put_group finds no such row */
        break;
    case FORM_UNIFORM:
        return textf(p, "%s_%s(%s)", group, row->name, print_operands(p, in, AT_FIRST));
    case FORM_BROADCAST:
        return textf(p, "%s_broadcast(%s%s)", group,
                     print_operand(p, in->w[AT_FIRST], TEXT_UNSIGNED),
                     print_local_id(p, in->w[AT_FIRST + 1]));
    case FORM_REDUCTION:
    case FORM_WORK_GROUP:
        return textf(p, "%s_%s_%s(%s)", group, name_operation(p, in->w[AT_OPERATION]), row->name,
                     print_operand(p, in->w[AT_VALUE], row->sign));
    case FORM_PLAIN:
        return textf(p, "sub_group_%s(%s)", row->name, print_operands(p, in, AT_FIRST));
    case FORM_SUB_GROUP:
        if (in->n > AT_CLUSTER) { /* a ClusteredReduce: its size is one operand more */
            return textf(p, "sub_group_clustered_reduce_%s(%s, %s)", row->name,
                         print_operand(p, in->w[AT_VALUE], row->sign),
                         text_value(p, in->w[AT_CLUSTER]));
        }
        return textf(p, "sub_group_non_uniform_%s_%s(%s)", name_operation(p, in->w[AT_OPERATION]),
                     row->name, print_operand(p, in->w[AT_VALUE], row->sign));
    case FORM_BIT_COUNT: {
        uint32_t const operation = in->w[AT_OPERATION];
        const char *const name = operation == SpvGroupOperationReduce          ? "bit_count"
                                 : operation == SpvGroupOperationInclusiveScan ? "inclusive_scan"
                                                                               : "exclusive_scan";
        return textf(p, "sub_group_ballot_%s(%s)", name, text_value(p, in->w[AT_VALUE]));
    }
    case FORM_ROTATE:
        return textf(p, "sub_group_%srotate(%s)", in->n > AT_CLUSTER ? "clustered_" : "",
                     print_operands(p, in, AT_FIRST));
    case FORM_INTEL: /* the first operand stands where others have their scope */
        return textf(p, "intel_sub_group_%s(%s)", row->name, print_operands(p, in, AT_SCOPE));
    }
    return "";
}

/* Functions but the sub-group's broadcast take scalars; those of work-groups no narrow integers. */
static bool is_of_known_type(const struct printer *p, const struct spv_inst *in,
                             const struct group_row *row, bool is_work_group)
{
    uint32_t const type = in->w[AT_TYPE];
    bool const is_broadcast =
        (row->form == FORM_BROADCAST && !is_work_group) || row->form == FORM_INTEL;
    bool const is_ballot = in->op == SpvOpGroupNonUniformBallot;
    bool const is_narrow =
        !view_is_float(p->m, type) && !view_is_bool(p->m, type) && view_count_bits(p->m, type) < 32;
    return (view_count_components(p->m, type) == 1 || is_broadcast || is_ballot) &&
           !(is_work_group && is_narrow);
}

/* Prints a group instruction as a call of a work-group or sub-group function. The scope must be one that
 * the function has, and the type one that it takes: else the text fails. Returns false for an instruction
 * that is not in group.def for OpenCL C. */
bool clc_put_group(struct printer *p, const struct spv_inst *in)
{
    const struct group_row *row = NULL;
    for (size_t i = 0; i < ARRAY_N(rows) && !row; i++) {
        row = rows[i].op == in->op && rows[i].form != FORM_NONE ? &rows[i] : NULL;
    }
    if (!row) {
        return false;
    }
    uint64_t const scope = row->form == FORM_INTEL ? (uint64_t)SpvScopeSubgroup
                                                   : view_get_number(p->m, in->w[AT_SCOPE]);
    bool const is_work_group = scope == SpvScopeWorkgroup;
    /* the forms of work-group functions come first in the enum */
    bool const may_be_work_group = row->form <= FORM_WORK_GROUP;
    bool const may_be_sub_group = row->form != FORM_WORK_GROUP;
    bool const has_function =
        (is_work_group && may_be_work_group) || (scope == SpvScopeSubgroup && may_be_sub_group);
    if (!has_function || !is_of_known_type(p, in, row, is_work_group)) {
        (void)text_fail(p, textf(p, "group instruction %u of this scope and type", in->op));
        return true;
    }
    const char *call = print_call(p, in, row, is_work_group ? "work_group" : "sub_group");
    bool const is_bool = view_is_bool(p->m, in->w[AT_TYPE]);
    if (is_bool) { /* the functions give an int */
        call = textf(p, "%s != 0", call);
    } else if (row->sign == TEXT_SIGNED) {
        call = textf(p, "(%s)%s", text_name(p, in->w[AT_TYPE]), call);
    }
    /* a comparison with 0 needs parentheses; a group operation is not pure, so it stays where it is */
    text_define(p, in, call, !is_bool, false);
    return true;
}

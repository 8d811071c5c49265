/* gen/print/clc_inst.c -- one instruction of a block as OpenCL C: values, memory, calls. */
#include "gen/print/clc_inst.h"

#include <string.h>

#include "base/ops.h"
#include "gen/print/clc_atomic.h"
#include "gen/print/clc_group.h"
#include "gen/print/clc_struct.h"
#include "gen/print/text_inst.h"
#include "gen/view/view.h"

/* ---- conversions ---- */

static bool is_saturated(const struct printer *p, const struct spv_inst *in)
{
    return in->op == SpvOpSatConvertSToU || in->op == SpvOpSatConvertUToS ||
           view_get(p->m, in->w[2])->is_saturated;
}

/* "convert_float2", with the suffixes of saturation and of the result's rounding mode. */
static const char *name_conversion(struct printer *p, const struct spv_inst *in,
                                   enum text_sign sign)
{
    static const char *const suffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    uint32_t const rounding = view_get(p->m, in->w[2])->rounding;
    return textf(p, "convert_%s%s%s", text_type(p, in->w[1], sign),
                 is_saturated(p, in) ? "_sat" : "",
                 rounding > 0 && rounding <= 4 ? suffixes[rounding - 1] : "");
}

static void put_conversion(struct printer *p, const struct spv_inst *in)
{
    bool const from_signed =
        in->op == SpvOpSConvert || in->op == SpvOpConvertSToF || in->op == SpvOpSatConvertSToU;
    bool const to_signed =
        in->op == SpvOpSConvert || in->op == SpvOpConvertFToS || in->op == SpvOpSatConvertUToS;
    bool const is_scalar = view_count_components(p->m, in->w[1]) == 1;
    const char *const name = text_name(p, in->w[1]);
    const char *const x = from_signed ? text_signed(p, in->w[3]) : text_value(p, in->w[3]);
    const char *text = "";
    if (in->op == SpvOpBitcast) {
        text = textf(p, "as_%s(%s)", name, x);
    } else if (in->op == SpvOpUConvert && is_scalar && !is_saturated(p, in)) {
        text = textf(p, "(%s)%s", name, text_operand(p, in->w[3]));
    } else {
        enum text_sign const sign = to_signed ? TEXT_SIGNED : TEXT_UNSIGNED;
        text = textf(p, "%s(%s)", name_conversion(p, in, sign), x);
        text = to_signed ? textf(p, "as_%s(%s)", name, text) : text;
    }
    text_define(p, in, text, true, true);
}

static void put_select(struct printer *p, const struct spv_inst *in)
{
    if (!view_is_bool(p->m, view_type_of(p->m, in->w[3]))) {
        (void)text_fail(p, "a selection by a vector of truth values");
        return;
    }
    bool const is_wide =
        text_is_promoted(p, in->w[1]); /* of two narrow integers `?:` makes an int */
    const char *const text = textf(p, "%s ? %s : %s", text_operand(p, in->w[3]),
                                   text_operand(p, in->w[4]), text_operand(p, in->w[5]));
    text_define(p, in, is_wide ? p->dialect->to_unsigned(p, in->w[1], text) : text, is_wide, true);
}

/* ---- vectors ---- */

static void put_construct(struct printer *p, const struct spv_inst *in)
{
    if (clc_is_aggregate(p, in->w[1])) {
        clc_put_aggregate(p, in);
        return;
    }
    text_define(p, in, p->dialect->vector(p, in->w[1], text_list(p, in, 3)), true, true);
}

/* Built-ins are functions; those of three components of the dimension. */
static const struct {
    uint32_t built_in;
    const char *name;
    bool has_dimension;
} built_ins[] = {
    {SpvBuiltInGlobalInvocationId,        "get_global_id",           true },
    {SpvBuiltInWorkgroupId,               "get_group_id",            true },
    {SpvBuiltInLocalInvocationId,         "get_local_id",            true },
    {SpvBuiltInGlobalOffset,              "get_global_offset",       true },
    {SpvBuiltInGlobalSize,                "get_global_size",         true },
    {SpvBuiltInNumWorkgroups,             "get_num_groups",          true },
    {SpvBuiltInEnqueuedWorkgroupSize,     "get_enqueued_local_size", true },
    {SpvBuiltInWorkgroupSize,             "get_local_size",          true },
    {SpvBuiltInLocalInvocationIndex,      "get_local_linear_id",     false},
    {SpvBuiltInGlobalLinearId,            "get_global_linear_id",    false},
    {SpvBuiltInSubgroupSize,              "get_sub_group_size",      false},
    {SpvBuiltInSubgroupMaxSize,           "get_max_sub_group_size",  false},
    {SpvBuiltInNumSubgroups,              "get_num_sub_groups",      false},
    {SpvBuiltInSubgroupId,                "get_sub_group_id",        false},
    {SpvBuiltInSubgroupLocalInvocationId, "get_sub_group_local_id",  false},
};

/* The function of the id's built-in; NULL: it is of none, or of none such. */
static const char *name_built_in(const struct view_id *id, bool has_dimension)
{
    for (size_t i = 0; i < ARRAY_N(built_ins); i++) {
        if (id->built_in == built_ins[i].built_in + 1 &&
            built_ins[i].has_dimension == has_dimension) {
            return built_ins[i].name;
        }
    }
    return NULL;
}

static void put_extract(struct printer *p, const struct spv_inst *in)
{
    const struct view_id *const of = view_get(p->m, in->w[3]);
    const char *const dimension = name_built_in(of, true);
    if (clc_is_aggregate(p, of->type)) {
        const char *const text =
            clc_print_part(p, of->type, text_operand(p, in->w[3]), in->w + 4, in->n - 4, 0);
        text_define(p, in, text, true, true);
    } else if (in->n != 5 || in->w[4] >= 16) {
        (void)text_fail(p, "a part of a part");
    } else if (dimension) {
        text_define(p, in, textf(p, "%s(%u)", dimension, in->w[4]), true, true);
    } else if (view_get(p->m, of->type)->in.op != SpvOpTypeVector) {
        (void)text_fail(p, "a member of a structure");
    } else {
        text_define(p, in, textf(p, "%s.s%x", text_operand(p, in->w[3]), in->w[4]), true, true);
    }
}

/* ---- memory ---- */

/* A variable of the function or of the work-group: declared, and from now on its own name. */
static void put_variable(struct printer *p, const struct spv_inst *in)
{
    struct view_id *const id = view_get(p->m, in->w[2]);
    const struct spv_inst *const pointer = &view_get(p->m, in->w[1])->in;
    const char *const name = textf(p, "m%u", in->w[2]);
    if (in->n > 4 || pointer->n != 4) {
        (void)text_fail(p, "a variable with an initializer");
        return;
    }
    text_put_variable(p, "%s", text_declare(p, pointer->w[3], name));
    id->text = textf(p, "&%s", name);
    id->element = name;
}

static void put_load(struct printer *p, const struct spv_inst *in)
{
    struct view_id *const pointer = view_get(p->m, in->w[3]);
    if (pointer->built_in == 0) {
        text_define(p, in, text_element(p, in->w[3]), false, false);
        return;
    }
    struct view_id *const result = view_get(p->m, in->w[2]);
    const char *const scalar = name_built_in(pointer, false);
    if (name_built_in(pointer, true)) {
        result->built_in = pointer->built_in; /* its components are called for one by one */
    } else if (scalar) {
        /* some are size_t, where the module has 32 bits */
        text_define(p, in, textf(p, "(%s)%s()", text_name(p, in->w[1]), scalar), true, true);
    } else {
        (void)text_fail(p, "this built-in");
    }
}

static void put_store(struct printer *p, const struct spv_inst *in)
{
    if (clc_put_init(p, in)) {
        return;
    }
    text_put_line(p, "%s = %s;", text_element(p, in->w[1]), text_value(p, in->w[2]));
}

/* Prints an access chain: the text of its id becomes `&element`, where the element is base[index] and then
 * the members and indices that follow (clc_print_part). The base is a parameter or pointer p, of which
 * p[index] is an element (OpPtrAccessChain), a variable that is an array, or another pointer to an array. */
static void put_chain(struct printer *p, const struct spv_inst *in)
{
    /* words 1 to 4: type, result, base, first index; the other indices follow */
    struct view_id *const id = view_get(p->m, in->w[2]);
    const struct view_id *const base = view_get(p->m, in->w[3]);
    if (in->n < 5) {
        (void)text_fail(p, "an access chain without an index");
        return;
    }
    const struct spv_inst *const pointer = &view_get(p->m, base->type)->in;
    uint32_t const pointee = pointer->n == 4 ? pointer->w[3] : 0;
    bool const has_element = in->op == SpvOpPtrAccessChain || in->op == SpvOpInBoundsPtrAccessChain;
    const struct spv_inst *const array = &view_get(p->m, pointee)->in;
    bool const is_array = array->op == SpvOpTypeArray && array->n == 4;
    uint32_t const array_element = is_array ? array->w[2] : 0;
    uint32_t const element_type = has_element ? pointee : array_element;
    const char *const index = text_value(p, in->w[4]);
    if (has_element) {
        id->element = textf(p, "%s[%s]", text_operand(p, in->w[3]), index);
    } else if (base->in.op == SpvOpVariable && view_get(p->m, in->w[3])->element) {
        id->element = textf(p, "%s[%s]", base->element, index);
    } else {
        id->element = textf(p, "(*%s)[%s]", text_operand(p, in->w[3]), index);
    }
    id->element = clc_print_part(p, element_type, id->element, in->w + 5, in->n - 5, in->w[1]);
    text_define(p, in, textf(p, "&%s", id->element), false, true); /* not simple, but pure */
}

/* ---- functions ---- */

/* Names that the set and the language do not share. */
static const char *name_function(const char *name)
{
    static const char *const others[][2] = {
        {"fclamp",      "clamp"},
        {"fmax_common", "max"  },
        {"fmin_common", "min"  },
    };
    for (size_t i = 0; i < ARRAY_N(others); i++) {
        if (strcmp(name, others[i][0]) == 0) {
            return others[i][1];
        }
    }
    return name;
}

/* Is it a function of integers, whose name begins with the sign that it takes them with, if it matters? */
static bool is_of_integers(int row)
{
    return strcmp(op_rows[row].clause, "INT_FUNC") == 0;
}

/* What such a function is called without its sign. */
static const char *name_of_integers(const char *name)
{
    bool const has_sign = (name[0] == 's' || name[0] == 'u') && name[1] == '_';
    return has_sign ? name + 2 : name;
}

/* An operand of such a function, of its own type whatever it is computed in. Of upsample the second has no sign. */
static const char *print_integer_argument(struct printer *p, uint32_t id, const char *name,
                                          uint32_t at)
{
    bool const is_signed =
        name[0] == 's' && name[1] == '_' && !(at > 0 && strcmp(name, "s_upsample") == 0);
    uint32_t const type = view_type_of(p->m, id);
    if (is_signed || view_count_components(p->m, type) > 1) {
        return is_signed ? text_signed(p, id) : text_value(p, id);
    }
    return textf(p, "(%s)%s", text_name(p, type), text_operand(p, id));
}

/* An operand of an extended instruction: where the language wants signed integers it is cast. */
static const char *print_argument(struct printer *p, uint32_t id, bool is_signed)
{
    uint32_t const type = view_type_of(p->m, id);
    const struct spv_inst *const in = &view_get(p->m, type)->in;
    if (in->op == SpvOpTypePointer) {
        bool const is_number = !view_is_float(p->m, in->w[3]);
        return is_number ? textf(p, "(%s)%s", text_type(p, type, TEXT_SIGNED), text_operand(p, id))
                         : text_value(p, id);
    }
    return is_signed && !view_is_float(p->m, type) ? text_signed(p, id) : text_value(p, id);
}

/* Prints an instruction of the extended set OpenCL.std as a call of the function of that name. Arguments
 * and integer results are cast where the function wants signed integers; integers of the text are unsigned. */
static void put_extended(struct printer *p, const struct spv_inst *in)
{
    enum {
        AT_ARGUMENTS = 5 /* word of OpExtInst */
    };
    uint32_t const number = OP_NUMBER(OP_SET_opencl_std, in->w[4]);
    int const row = op_find_number(number);
    if (!view_is_set(p->m, in->w[3], "OpenCL.std")) {
        (void)text_fail(p, "an instruction of another set than OpenCL.std");
        return;
    }
    if (row < 0 || op_rows[row].number != number) {
        (void)text_fail(p, "an extended instruction that is not under test");
        return;
    }
    bool const is_nan = row == OP_opencl_std_nan; /* its operand is a payload without a sign */
    const char *text = "";
    for (uint32_t k = AT_ARGUMENTS; k < in->n; k++) {
        const char *const argument =
            is_of_integers(row)
                ? print_integer_argument(p, in->w[k], op_rows[row].name, k - AT_ARGUMENTS)
                : print_argument(p, in->w[k], !is_nan);
        text = textf(p, "%s%s%s", text, k > AT_ARGUMENTS ? ", " : "", argument);
    }
    const char *const name = is_of_integers(row) ? name_of_integers(op_rows[row].name)
                                                 : name_function(op_rows[row].name);
    text = textf(p, "%s(%s)", name, text);
    if (!view_is_float(p->m, in->w[1])) { /* ilogb gives an int */
        text = textf(p, "as_%s(%s)", text_name(p, in->w[1]), text);
    }
    /* a function that stores through a pointer, its last argument, must stay before the readers of the pointer */
    uint32_t const last_type = view_type_of(p->m, in->w[in->n - 1]);
    bool const is_pure = view_get(p->m, last_type)->in.op != SpvOpTypePointer;
    text_define(p, in, text, true, is_pure);
}

/* ---- barriers ---- */

/* Prints OpControlBarrier as barrier(), work_group_barrier() or sub_group_barrier(), with the fence flags
 * that its memory semantics say. The text fails for scopes that these functions do not have. */
static void put_barrier(struct printer *p, const struct spv_inst *in)
{
    uint64_t const execution = view_get_number(p->m, in->w[1]);
    uint64_t const memory = view_get_number(p->m, in->w[2]);
    uint64_t const semantics = view_get_number(p->m, in->w[3]);
    bool const has_global = semantics & SpvMemorySemanticsCrossWorkgroupMemoryMask;
    bool const has_local = semantics & SpvMemorySemanticsWorkgroupMemoryMask;
    const char *const flags = has_global && has_local ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
                              : has_global            ? "CLK_GLOBAL_MEM_FENCE"
                                                      : "CLK_LOCAL_MEM_FENCE";
    bool const is_sub_group = execution == SpvScopeSubgroup;
    bool const is_wider = memory == SpvScopeDevice && execution == SpvScopeWorkgroup;
    bool const has_memory_scope = memory == SpvScopeWorkgroup || is_wider;
    if (!has_memory_scope || (execution != SpvScopeWorkgroup && !is_sub_group)) {
        (void)text_fail(p, "a barrier of these scopes");
        return;
    }
    if (is_wider) {
        text_put_line(p, "work_group_barrier(%s, memory_scope_device);", flags);
        return;
    }
    /* of one meaning: one is drawn */
    static const char *const names[] = {"barrier", "work_group_barrier"};
    if (is_sub_group) {
        text_put_line(p, "sub_group_barrier(%s, memory_scope_work_group);", flags);
        return;
    }
    text_put_line(p, "%s(%s);", names[text_draw(p, in->w[3], 0, 2)], flags);
}

/* ---- dot products of integers: cl_khr_integer_dot_product ---- */

/* A number of 32 bits as the function takes it. */
static const char *print_accumulator(struct printer *p, uint32_t id, bool is_unsigned)
{
    return is_unsigned ? text_value(p, id) : textf(p, "as_int(%s)", text_value(p, id));
}

/* A vector of four bytes as one of that sign; a packed word as it is. */
static const char *print_factor(struct printer *p, uint32_t id, bool is_signed)
{
    uint32_t const type = view_type_of(p->m, id);
    if (view_count_components(p->m, type) == 1) {
        return text_value(p, id);
    }
    return textf(p, "as_%s(%s)", text_type(p, type, is_signed ? TEXT_SIGNED : TEXT_UNSIGNED),
                 text_value(p, id));
}

/* Prints an integer dot product of four bytes: dot(x, y), or dot_acc_sat(x, y, sum). Factors that are
 * packed into a word have functions of their own, whose names tell the signs of the factors:
 * dot_4x8packed_su_int. Unsigned results need no cast, as integers of the text are unsigned. */
static void put_dot(struct printer *p, const struct spv_inst *in)
{
    enum {
        FIRST = 3 /* word of the first operand */
    };
    bool const is_sum = in->op >= SpvOpSDotAccSat;
    bool const is_unsigned = in->op == SpvOpUDot || in->op == SpvOpUDotAccSat;
    bool const is_mixed = in->op == SpvOpSUDot || in->op == SpvOpSUDotAccSat;
    uint32_t const n_operands = is_sum ? 3 : 2;
    bool const is_packed = in->n == FIRST + n_operands + 1; /* a packed vector format follows */
    uint32_t const type = in->n > FIRST ? view_type_of(p->m, in->w[FIRST]) : 0;
    bool const is_of_bytes =
        is_packed || (view_count_bits(p->m, type) == 8 && view_count_components(p->m, type) == 4);
    if (in->n < FIRST + n_operands || view_count_bits(p->m, in->w[1]) != 32 || !is_of_bytes) {
        (void)text_fail(p, "a dot product of other vectors than four bytes");
        return;
    }
    const char *name = is_sum ? "dot_acc_sat" : "dot";
    if (is_packed) {
        name = textf(p, "%s_4x8packed_%c%c_%s", name, is_unsigned ? 'u' : 's',
                     is_unsigned || is_mixed ? 'u' : 's', is_unsigned ? "uint" : "int");
    }
    const char *text = textf(p, "%s(%s, %s", name, print_factor(p, in->w[FIRST], !is_unsigned),
                             print_factor(p, in->w[FIRST + 1], !is_unsigned && !is_mixed));
    if (is_sum) {
        text = textf(p, "%s, %s", text, print_accumulator(p, in->w[FIRST + 2], is_unsigned));
    }
    text = is_unsigned ? textf(p, "%s)", text) : textf(p, "as_uint(%s))", text);
    text_define(p, in, text, true, true);
}

/* OpPtrCastToGeneric. */
static void put_generic(struct printer *p, const struct spv_inst *in)
{
    text_define(p, in, textf(p, "(%s)%s", text_name(p, in->w[1]), text_operand(p, in->w[3])), true,
                true);
}

static const struct {
    uint32_t op;
    void (*put)(struct printer *p, const struct spv_inst *in);
} rows[] = {
    {SpvOpUConvert,               put_conversion},
    {SpvOpSConvert,               put_conversion},
    {SpvOpConvertFToU,            put_conversion},
    {SpvOpConvertFToS,            put_conversion},
    {SpvOpConvertUToF,            put_conversion},
    {SpvOpConvertSToF,            put_conversion},
    {SpvOpFConvert,               put_conversion},
    {SpvOpSatConvertSToU,         put_conversion},
    {SpvOpSatConvertUToS,         put_conversion},
    {SpvOpBitcast,                put_conversion},
    {SpvOpSelect,                 put_select    },
    {SpvOpCompositeConstruct,     put_construct },
    {SpvOpCompositeExtract,       put_extract   },
    {SpvOpCompositeInsert,        clc_put_insert},
    {SpvOpVariable,               put_variable  },
    {SpvOpLoad,                   put_load      },
    {SpvOpStore,                  put_store     },
    {SpvOpAccessChain,            put_chain     },
    {SpvOpInBoundsAccessChain,    put_chain     },
    {SpvOpPtrAccessChain,         put_chain     },
    {SpvOpInBoundsPtrAccessChain, put_chain     },
    {SpvOpPtrCastToGeneric,       put_generic   },
    {SpvOpControlBarrier,         put_barrier   },
    {SpvOpExtInst,                put_extended  },
    {SpvOpSDot,                   put_dot       },
    {SpvOpUDot,                   put_dot       },
    {SpvOpSUDot,                  put_dot       },
    {SpvOpSDotAccSat,             put_dot       },
    {SpvOpUDotAccSat,             put_dot       },
    {SpvOpSUDotAccSat,            put_dot       },
};

void clc_put_inst(struct printer *p, const struct spv_inst *in)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == in->op) {
            rows[i].put(p, in);
            return;
        }
    }
    if (!text_put_inst(p, in) && !clc_put_atomic(p, in) && !clc_put_group(p, in)) {
        (void)text_fail(p, textf(p, "instruction %u", in->op));
    }
}

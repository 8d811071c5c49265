/* gen/print/clc_inst.c -- one instruction of a block as OpenCL C: values, memory, calls. */
#include "gen/print/clc_inst.h"

#include <string.h>

#include "base/ops.h"
#include "gen/print/clc_atomic.h"
#include "gen/print/clc_group.h"
#include "gen/print/clc_module.h"
#include "gen/print/clc_struct.h"

enum form {
    FORM_BINARY,         /* a + b */
    FORM_WIDE_BINARY,    /* a * b; of narrow integers (ushort)((uint)a * (uint)b) */
    FORM_WIDE_FIRST,     /* a << b; likewise (ushort)((uint)a << b) */
    FORM_SIGNED_BINARY,  /* (uint)((int)a / (int)b) */
    FORM_SIGNED_FIRST,   /* (uint)((int)a >> b) */
    FORM_PREFIX,         /* -a */
    FORM_CALL,           /* dot(a, b) */
    FORM_COMPARE,        /* a < b */
    FORM_SIGNED_COMPARE, /* (int)a < (int)b */
    FORM_NOT_COMPARE,    /* !(a >= b) */
    FORM_TEST,           /* isnan(a) != 0 */
    FORM_NOT_TEST        /* !isnan(a) */
};

struct inst_row {
    uint32_t op;
    enum form form;
    const char *text;
};
static const struct inst_row rows[] = {
#define INST(op, form, text) {SpvOp##op, FORM_##form, text},
#include "gen/print/clc_inst.def"
};

static const struct inst_row *find_row(uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == op) {
            return &rows[i];
        }
    }
    return NULL;
}

/* The operands from word `first` on, by commas. */
static const char *list_operands(struct clc_printer *p, const struct spv_inst *in, uint32_t first)
{
    const char *text = "";
    for (uint32_t k = first; k < in->n; k++) {
        text = arena_printf(p->a, "%s%s%s", text, k > first ? ", " : "", clc_value(p, in->w[k]));
    }
    return text;
}

/* C computes narrow integers as int; the result has its own type again. */
static bool is_widened(const struct clc_printer *p, uint32_t type)
{
    uint32_t const bits = clc_count_bits(p, type); /* 0 of what is no number */
    return bits > 0 && bits < 32 && !clc_is_float(p, type) && clc_count_components(p, type) == 1;
}

/* A vector is never widened, and cannot be cast. */
static const char *narrow(struct clc_printer *p, uint32_t type, const char *text)
{
    if (clc_count_components(p, type) > 1) {
        return arena_printf(p->a, "as_%s(%s)", clc_type(p, type, CLC_UNSIGNED), text);
    }
    return arena_printf(p->a, "(%s)(%s)", clc_type(p, type, CLC_UNSIGNED), text);
}

/* An operand of an operator whose result may not fit an int: a narrow integer as a uint, so that the result wraps. The
 * promotion to int (C99 6.3.1.1) alone would let 65535 * 65535 overflow, which is undefined (6.5). */
static const char *widen(struct clc_printer *p, uint32_t id)
{
    const char *const text = clc_operand(p, id);
    return is_widened(p, clc_type_of(p, id)) ? arena_printf(p->a, "(uint)%s", text) : text;
}

static void put_row(struct clc_printer *p, const struct spv_inst *in, const struct inst_row *row)
{
    uint32_t const type = in->w[1];
    uint32_t const x = in->w[3];
    uint32_t const y = in->n > 4 ? in->w[4] : 0;
    bool const is_compared = row->form >= FORM_COMPARE;
    bool is_simple = false;
    const char *text = "";
    if (is_compared && !clc_is_bool(p, type)) {
        (void)clc_fail(p, "a comparison of vectors");
        return;
    }
    switch (row->form) {
    case FORM_BINARY:
    case FORM_COMPARE:
        text = arena_printf(p->a, "%s %s %s", clc_operand(p, x), row->text, clc_operand(p, y));
        break;
    case FORM_WIDE_BINARY:
        text = arena_printf(p->a, "%s %s %s", widen(p, x), row->text, widen(p, y));
        break;
    case FORM_WIDE_FIRST:
        text = arena_printf(p->a, "%s %s %s", widen(p, x), row->text, clc_operand(p, y));
        break;
    case FORM_SIGNED_BINARY:
    case FORM_SIGNED_COMPARE:
        text = arena_printf(p->a, "%s %s %s", clc_signed(p, x), row->text, clc_signed(p, y));
        break;
    case FORM_SIGNED_FIRST:
        text = arena_printf(p->a, "%s %s %s", clc_signed(p, x), row->text, clc_operand(p, y));
        break;
    case FORM_PREFIX:
        text = arena_printf(p->a, "%s%s", row->text, clc_operand(p, x));
        break;
    case FORM_CALL:
        is_simple = true;
        text = arena_printf(p->a, "%s(%s)", row->text, list_operands(p, in, 3));
        break;
    case FORM_NOT_COMPARE:
        text = arena_printf(p->a, "!(%s %s %s)", clc_operand(p, x), row->text, clc_operand(p, y));
        break;
    case FORM_TEST:
        text = arena_printf(p->a, "%s(%s) != 0", row->text, list_operands(p, in, 3));
        break;
    case FORM_NOT_TEST:
        text = arena_printf(p->a, "!%s(%s)", row->text, list_operands(p, in, 3));
        break;
    }
    bool const is_signed = row->form == FORM_SIGNED_BINARY || row->form == FORM_SIGNED_FIRST;
    if (is_signed || (!is_compared && is_widened(p, type))) {
        text = narrow(p, type, text);
        is_simple = true;
    }
    clc_define(p, in, text, is_simple, true);
}

/* ---- conversions ---- */

/* "convert_float2", with the suffix of the result's rounding mode. */
static const char *name_conversion(struct clc_printer *p, const struct spv_inst *in,
                                   enum clc_sign sign)
{
    static const char *const suffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    uint32_t const rounding = clc_get(&p->m, in->w[2])->rounding;
    return arena_printf(p->a, "convert_%s%s", clc_type(p, in->w[1], sign),
                        rounding > 0 && rounding <= 4 ? suffixes[rounding - 1] : "");
}

static void put_conversion(struct clc_printer *p, const struct spv_inst *in)
{
    uint32_t const x = in->w[3];
    const char *text = "";
    switch (in->op) {
    case SpvOpUConvert:
        text = clc_count_components(p, in->w[1]) == 1
                   ? arena_printf(p->a, "(%s)%s", clc_type(p, in->w[1], CLC_UNSIGNED),
                                  clc_operand(p, x))
                   : arena_printf(p->a, "%s(%s)", name_conversion(p, in, CLC_UNSIGNED),
                                  clc_value(p, x));
        break;
    case SpvOpSConvert:
        text = arena_printf(p->a, "as_%s(%s(%s))", clc_type(p, in->w[1], CLC_UNSIGNED),
                            name_conversion(p, in, CLC_SIGNED), clc_signed(p, x));
        break;
    case SpvOpConvertFToU:
    case SpvOpConvertUToF:
    case SpvOpFConvert:
        text = arena_printf(p->a, "%s(%s)", name_conversion(p, in, CLC_UNSIGNED), clc_value(p, x));
        break;
    case SpvOpConvertFToS:
        text = arena_printf(p->a, "as_%s(%s(%s))", clc_type(p, in->w[1], CLC_UNSIGNED),
                            name_conversion(p, in, CLC_SIGNED), clc_value(p, x));
        break;
    case SpvOpConvertSToF:
        text = arena_printf(p->a, "%s(%s)", name_conversion(p, in, CLC_UNSIGNED), clc_signed(p, x));
        break;
    default: /* SpvOpBitcast */
        text =
            arena_printf(p->a, "as_%s(%s)", clc_type(p, in->w[1], CLC_UNSIGNED), clc_value(p, x));
    }
    clc_define(p, in, text, true, true);
}

static void put_select(struct clc_printer *p, const struct spv_inst *in)
{
    if (!clc_is_bool(p, clc_type_of(p, in->w[3]))) {
        (void)clc_fail(p, "a selection by a vector of truth values");
        return;
    }
    bool const is_wide = is_widened(p, in->w[1]); /* of two narrow integers `?:` makes an int */
    const char *const text = arena_printf(p->a, "%s ? %s : %s", clc_operand(p, in->w[3]),
                                          clc_operand(p, in->w[4]), clc_operand(p, in->w[5]));
    clc_define(p, in, is_wide ? narrow(p, in->w[1], text) : text, is_wide, true);
}

/* ---- vectors ---- */

static void put_construct(struct clc_printer *p, const struct spv_inst *in)
{
    if (clc_is_aggregate(p, in->w[1])) {
        clc_put_aggregate(p, in);
        return;
    }
    clc_define(p, in,
               arena_printf(p->a, "(%s)(%s)", clc_type(p, in->w[1], CLC_UNSIGNED),
                            list_operands(p, in, 3)),
               true, true);
}

/* Built-ins of three components are functions of the dimension. */
static const char *name_of_dimension(uint32_t built_in)
{
    switch (built_in) {
    case SpvBuiltInGlobalInvocationId:
        return "get_global_id";
    case SpvBuiltInWorkgroupId:
        return "get_group_id";
    case SpvBuiltInLocalInvocationId:
        return "get_local_id";
    case SpvBuiltInGlobalOffset:
        return "get_global_offset";
    case SpvBuiltInGlobalSize:
        return "get_global_size";
    case SpvBuiltInNumWorkgroups:
        return "get_num_groups";
    case SpvBuiltInEnqueuedWorkgroupSize:
        return "get_enqueued_local_size";
    case SpvBuiltInWorkgroupSize:
        return "get_local_size";
    default:
        return NULL;
    }
}

static const char *name_of_scalar(uint32_t built_in)
{
    switch (built_in) {
    case SpvBuiltInLocalInvocationIndex:
        return "get_local_linear_id()";
    case SpvBuiltInGlobalLinearId:
        return "get_global_linear_id()";
    case SpvBuiltInSubgroupSize:
        return "get_sub_group_size()";
    case SpvBuiltInSubgroupMaxSize:
        return "get_max_sub_group_size()";
    case SpvBuiltInNumSubgroups:
        return "get_num_sub_groups()";
    case SpvBuiltInSubgroupId:
        return "get_sub_group_id()";
    case SpvBuiltInSubgroupLocalInvocationId:
        return "get_sub_group_local_id()";
    default:
        return NULL;
    }
}

static void put_extract(struct clc_printer *p, const struct spv_inst *in)
{
    const struct clc_id *const of = clc_get(&p->m, in->w[3]);
    const char *const dimension = of->built_in ? name_of_dimension(of->built_in - 1) : NULL;
    if (clc_is_aggregate(p, of->type)) {
        const char *const text =
            clc_print_part(p, of->type, clc_operand(p, in->w[3]), in->w + 4, in->n - 4, 0);
        clc_define(p, in, text, true, true);
    } else if (in->n != 5 || in->w[4] >= 16) {
        (void)clc_fail(p, "a part of a part");
    } else if (dimension) {
        clc_define(p, in, arena_printf(p->a, "%s(%u)", dimension, in->w[4]), true, true);
    } else if (clc_get(&p->m, of->type)->in.op != SpvOpTypeVector) {
        (void)clc_fail(p, "a member of a structure");
    } else {
        clc_define(p, in, arena_printf(p->a, "%s.s%x", clc_operand(p, in->w[3]), in->w[4]), true,
                   true);
    }
}

/* ---- memory ---- */

/* A variable of the function or of the work-group: declared, and from now on its own name. */
static void put_variable(struct clc_printer *p, const struct spv_inst *in)
{
    struct clc_id *const id = clc_get(&p->m, in->w[2]);
    const struct spv_inst *const pointer = &clc_get(&p->m, in->w[1])->in;
    const char *const name = arena_printf(p->a, "m%u", in->w[2]);
    if (in->n > 4 || pointer->n != 4) {
        (void)clc_fail(p, "a variable with an initializer");
        return;
    }
    clc_put_variable(p, clc_declare(p, pointer->w[3], name));
    id->text = arena_printf(p->a, "&%s", name);
    id->element = name;
}

static void put_load(struct clc_printer *p, const struct spv_inst *in)
{
    struct clc_id *const pointer = clc_get(&p->m, in->w[3]);
    if (pointer->built_in == 0) {
        clc_define(p, in, clc_element(p, in->w[3]), false, false);
        return;
    }
    struct clc_id *const result = clc_get(&p->m, in->w[2]);
    const char *const scalar = name_of_scalar(pointer->built_in - 1);
    if (name_of_dimension(pointer->built_in - 1)) {
        result->built_in = pointer->built_in; /* its components are called for one by one */
    } else if (scalar) {
        /* some are size_t, where the module has 32 bits */
        clc_define(p, in, arena_printf(p->a, "(%s)%s", clc_type(p, in->w[1], CLC_UNSIGNED), scalar),
                   true, true);
    } else {
        (void)clc_fail(p, "this built-in");
    }
}

static void put_store(struct clc_printer *p, const struct spv_inst *in)
{
    if (clc_put_init(p, in)) {
        return;
    }
    clc_put_line(p,
                 arena_printf(p->a, "%s = %s;", clc_element(p, in->w[1]), clc_value(p, in->w[2])));
}

static void put_chain(struct clc_printer *p, const struct spv_inst *in)
{
    struct clc_id *const id = clc_get(&p->m, in->w[2]);
    const struct clc_id *const base = clc_get(&p->m, in->w[3]);
    if (in->n < 5) {
        (void)clc_fail(p, "an access chain without an index");
        return;
    }
    const struct spv_inst *const pointer = &clc_get(&p->m, base->type)->in;
    uint32_t const pointee = pointer->n == 4 ? pointer->w[3] : 0;
    bool const has_element = in->op == SpvOpPtrAccessChain || in->op == SpvOpInBoundsPtrAccessChain;
    const struct spv_inst *const array = &clc_get(&p->m, pointee)->in;
    bool const is_array = array->op == SpvOpTypeArray && array->n == 4;
    uint32_t const type = has_element ? pointee : is_array ? array->w[2] : 0;
    const char *const index = clc_value(p, in->w[4]);
    if (has_element) {
        id->element = arena_printf(p->a, "%s[%s]", clc_operand(p, in->w[3]), index);
    } else if (base->in.op == SpvOpVariable && clc_get(&p->m, in->w[3])->element) {
        id->element = arena_printf(p->a, "%s[%s]", base->element, index);
    } else {
        id->element = arena_printf(p->a, "(*%s)[%s]", clc_operand(p, in->w[3]), index);
    }
    id->element = clc_print_part(p, type, id->element, in->w + 5, in->n - 5, in->w[1]);
    clc_define(p, in, arena_printf(p->a, "&%s", id->element), false, true);
}

/* ---- functions ---- */

static void put_call(struct clc_printer *p, const struct spv_inst *in)
{
    const char *const call = arena_printf(p->a, "f%u(%s)", in->w[3], list_operands(p, in, 4));
    if (clc_get(&p->m, in->w[1])->in.op == SpvOpTypeVoid) {
        clc_put_line(p, arena_printf(p->a, "%s;", call));
    } else {
        clc_define(p, in, call, true, false);
    }
}

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
static const char *print_integer_argument(struct clc_printer *p, uint32_t id, const char *name,
                                          uint32_t at)
{
    bool const is_signed =
        name[0] == 's' && name[1] == '_' && !(at > 0 && strcmp(name, "s_upsample") == 0);
    uint32_t const type = clc_type_of(p, id);
    if (is_signed || clc_count_components(p, type) > 1) {
        return is_signed ? clc_signed(p, id) : clc_value(p, id);
    }
    return arena_printf(p->a, "(%s)%s", clc_type(p, type, CLC_UNSIGNED), clc_operand(p, id));
}

/* An operand of an extended instruction: where the language wants signed integers it is cast. */
static const char *print_argument(struct clc_printer *p, uint32_t id, bool is_signed)
{
    uint32_t const type = clc_type_of(p, id);
    const struct spv_inst *const in = &clc_get(&p->m, type)->in;
    if (in->op == SpvOpTypePointer) {
        bool const is_number = !clc_is_float(p, in->w[3]);
        return is_number
                   ? arena_printf(p->a, "(%s)%s", clc_type(p, type, CLC_SIGNED), clc_operand(p, id))
                   : clc_value(p, id);
    }
    return is_signed && !clc_is_float(p, type) ? clc_signed(p, id) : clc_value(p, id);
}

static void put_extended(struct clc_printer *p, const struct spv_inst *in)
{
    uint32_t const number = OP_NUMBER(OP_SET_opencl_std, in->w[4]);
    int const row = op_find_number(number);
    if (row < 0 || op_rows[row].number != number) {
        (void)clc_fail(p, "an extended instruction that is not under test");
        return;
    }
    bool const is_nan = row == OP_opencl_std_nan; /* its operand is a payload without a sign */
    const char *text = "";
    for (uint32_t k = 5; k < in->n; k++) {
        const char *const argument =
            is_of_integers(row) ? print_integer_argument(p, in->w[k], op_rows[row].name, k - 5)
                                : print_argument(p, in->w[k], !is_nan);
        text = arena_printf(p->a, "%s%s%s", text, k > 5 ? ", " : "", argument);
    }
    const char *const name = is_of_integers(row) ? name_of_integers(op_rows[row].name)
                                                 : name_function(op_rows[row].name);
    text = arena_printf(p->a, "%s(%s)", name, text);
    if (!clc_is_float(p, in->w[1])) { /* ilogb gives an int */
        text = arena_printf(p->a, "as_%s(%s)", clc_type(p, in->w[1], CLC_UNSIGNED), text);
    }
    /* one that leaves something behind a pointer comes before who reads that */
    bool const is_pure =
        clc_get(&p->m, clc_type_of(p, in->w[in->n - 1]))->in.op != SpvOpTypePointer;
    clc_define(p, in, text, true, is_pure);
}

static bool is_opencl_std(const struct clc_printer *p, uint32_t set)
{
    const struct spv_inst *const in = &clc_get(&p->m, set)->in;
    return in->op == SpvOpExtInstImport && in->n > 2 && memcmp(in->w + 2, "OpenCL.std", 10) == 0;
}

/* ---- barriers ---- */

static void put_barrier(struct clc_printer *p, const struct spv_inst *in)
{
    uint64_t const execution = clc_get_number(&p->m, in->w[1]);
    uint64_t const memory = clc_get_number(&p->m, in->w[2]);
    uint64_t const semantics = clc_get_number(&p->m, in->w[3]);
    bool const has_global = semantics & SpvMemorySemanticsCrossWorkgroupMemoryMask;
    bool const has_local = semantics & SpvMemorySemanticsWorkgroupMemoryMask;
    const char *const flags = has_global && has_local ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
                              : has_global            ? "CLK_GLOBAL_MEM_FENCE"
                                                      : "CLK_LOCAL_MEM_FENCE";
    bool const is_wider = memory == SpvScopeDevice && execution == SpvScopeWorkgroup;
    if ((memory != SpvScopeWorkgroup && !is_wider) ||
        (execution != SpvScopeWorkgroup && execution != SpvScopeSubgroup)) {
        (void)clc_fail(p, "a barrier of these scopes");
        return;
    }
    if (is_wider) {
        clc_put_line(p, arena_printf(p->a, "work_group_barrier(%s, memory_scope_device);", flags));
        return;
    }
    static const char *const names[] = {"barrier", "work_group_barrier"};
    if (execution == SpvScopeSubgroup) {
        clc_put_line(p,
                     arena_printf(p->a, "sub_group_barrier(%s, memory_scope_work_group);", flags));
        return;
    }
    clc_put_line(p, arena_printf(p->a, "%s(%s);", names[clc_draw(p, in->w[3], 0, 2)], flags));
}

/* ---- dot products of integers: cl_khr_integer_dot_product ---- */

/* A number of 32 bits as the function takes it. */
static const char *print_accumulator(struct clc_printer *p, uint32_t id, bool is_unsigned)
{
    return is_unsigned ? clc_value(p, id) : arena_printf(p->a, "as_int(%s)", clc_value(p, id));
}

/* A vector of four bytes as one of that sign; a packed word as it is. */
static const char *print_factor(struct clc_printer *p, uint32_t id, bool is_signed)
{
    uint32_t const type = clc_type_of(p, id);
    if (clc_count_components(p, type) == 1) {
        return clc_value(p, id);
    }
    return arena_printf(p->a, "as_%s(%s)", clc_type(p, type, is_signed ? CLC_SIGNED : CLC_UNSIGNED),
                        clc_value(p, id));
}

static void put_dot(struct clc_printer *p, const struct spv_inst *in)
{
    enum {
        FIRST = 3 /* word of the first operand */
    };
    bool const is_sum = in->op >= SpvOpSDotAccSat;
    bool const is_unsigned = in->op == SpvOpUDot || in->op == SpvOpUDotAccSat;
    bool const is_mixed = in->op == SpvOpSUDot || in->op == SpvOpSUDotAccSat;
    uint32_t const n = is_sum ? 3 : 2;
    bool const is_packed = in->n == FIRST + n + 1; /* the format is said */
    uint32_t const type = in->n > FIRST ? clc_type_of(p, in->w[FIRST]) : 0;
    if (in->n < FIRST + n || clc_count_bits(p, in->w[1]) != 32 ||
        (!is_packed && (clc_count_bits(p, type) != 8 || clc_count_components(p, type) != 4))) {
        (void)clc_fail(p, "a dot product of other vectors than four bytes");
        return;
    }
    const char *name = is_sum ? "dot_acc_sat" : "dot";
    if (is_packed) {
        name = arena_printf(p->a, "%s_4x8packed_%c%c_%s", name, is_unsigned ? 'u' : 's',
                            is_unsigned || is_mixed ? 'u' : 's', is_unsigned ? "uint" : "int");
    }
    const char *text =
        arena_printf(p->a, "%s(%s, %s", name, print_factor(p, in->w[FIRST], !is_unsigned),
                     print_factor(p, in->w[FIRST + 1], !is_unsigned && !is_mixed));
    if (is_sum) {
        text =
            arena_printf(p->a, "%s, %s", text, print_accumulator(p, in->w[FIRST + 2], is_unsigned));
    }
    text = is_unsigned ? arena_printf(p->a, "%s)", text) : arena_printf(p->a, "as_uint(%s))", text);
    clc_define(p, in, text, true, true);
}

void clc_put_inst(struct clc_printer *p, const struct spv_inst *in)
{
    const struct inst_row *const row = find_row(in->op);
    if (row) {
        put_row(p, in, row);
        return;
    }
    switch (in->op) {
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpConvertFToU:
    case SpvOpConvertFToS:
    case SpvOpConvertUToF:
    case SpvOpConvertSToF:
    case SpvOpFConvert:
    case SpvOpBitcast:
        put_conversion(p, in);
        return;
    case SpvOpSelect:
        put_select(p, in);
        return;
    case SpvOpCompositeConstruct:
        put_construct(p, in);
        return;
    case SpvOpCompositeExtract:
        put_extract(p, in);
        return;
    case SpvOpCompositeInsert:
        clc_put_insert(p, in);
        return;
    case SpvOpVariable:
        put_variable(p, in);
        return;
    case SpvOpLoad:
        put_load(p, in);
        return;
    case SpvOpStore:
        put_store(p, in);
        return;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
        put_chain(p, in);
        return;
    case SpvOpPtrCastToGeneric:
        clc_define(p, in,
                   arena_printf(p->a, "(%s)%s", clc_type(p, in->w[1], CLC_UNSIGNED),
                                clc_operand(p, in->w[3])),
                   true, true);
        return;
    case SpvOpFunctionCall:
        put_call(p, in);
        return;
    case SpvOpControlBarrier:
        put_barrier(p, in);
        return;
    case SpvOpExtInst:
        if (is_opencl_std(p, in->w[3])) {
            put_extended(p, in);
        } else {
            (void)clc_fail(p, "an instruction of another set than OpenCL.std");
        }
        return;
    case SpvOpSDot:
    case SpvOpUDot:
    case SpvOpSUDot:
    case SpvOpSDotAccSat:
    case SpvOpUDotAccSat:
    case SpvOpSUDotAccSat:
        put_dot(p, in);
        return;
    case SpvOpNop:
        return;
    default:
        break;
    }
    if (!clc_put_spelled(p, in) && !clc_put_atomic(p, in) && !clc_put_group(p, in)) {
        (void)clc_fail(p, arena_printf(p->a, "instruction %u", in->op));
    }
}

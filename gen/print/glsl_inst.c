/* gen/print/glsl_inst.c -- one instruction of a block as GLSL: values, conversions, calls. */
#include "gen/print/glsl_inst.h"

#include <string.h>

#include "base/ops.h"
#include "base/spv.h"
#include "gen/print/clc_flow.h"
#include "gen/print/clc_module.h"
#include "gen/print/glsl_atomic.h"
#include "gen/print/glsl_group.h"
#include "gen/print/glsl_memory.h"
#include "gen/print/glsl_text.h"

enum form {
    FORM_BINARY,         /* a + b */
    FORM_SIGNED_BINARY,  /* uint(int(a) / int(b)) */
    FORM_SIGNED_FIRST,   /* uint(int(a) >> b) */
    FORM_PREFIX,         /* -a */
    FORM_CALL,           /* dot(a, b) */
    FORM_COMPARE,        /* a < b, or lessThan(a, b) */
    FORM_SIGNED_COMPARE, /* int(a) < int(b) */
    FORM_NOT_COMPARE,    /* !(a >= b), or not(greaterThanEqual(a, b)) */
    FORM_NOT,            /* !a, or not(a) */
    FORM_LOGICAL,        /* a && b */
    FORM_EITHER,         /* (a < b) ^^ (a > b) */
    FORM_NEITHER         /* !((a < b) ^^ (a > b)) */
};

struct inst_row {
    uint32_t op;
    enum form form;
    const char *text, *vector;
};
static const struct inst_row rows[] = {
#define INST(op, form, text, vector) {SpvOp##op, FORM_##form, text, vector},
#include "gen/print/glsl_inst.def"
};

enum func_form {
    FUNC_CALL,
    FUNC_SCALE,
    FUNC_PART,
    FUNC_PART_INT,
    FUNC_STRUCT,
    FUNC_STRUCT_INT
};
struct func_row {
    int op; /* of ops.def */
    enum func_form form;
    const char *name;
};
static const struct func_row func_rows[] = {
#define FUNC(op, form, name) {OP_glsl450_##op, FUNC_##form, name},
#include "gen/print/glsl_func.def"
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

/* ---- operators ---- */

/* The value as a name or a number, a variable of its own where it is more: glslang makes branches of ?:, && and || whose
 * operands take some computing, and who was together before a branch need not be behind it. */
static const char *name_value(struct clc_printer *p, const struct spv_inst *in, uint32_t k)
{
    const char *const text = clc_value(p, in->w[k]);
    if (!strpbrk(text, " ([")) {
        return text;
    }
    const char *const name = arena_printf(p->a, "t%u_%u", in->w[2], k);
    clc_put_line(p, arena_printf(p->a, "%s %s = %s;",
                                 glsl_type(p, clc_type_of(p, in->w[k]), CLC_UNSIGNED), name, text));
    return name;
}

/* "a < b", or of vectors "lessThan(a, b)". */
static const char *print_comparison(struct clc_printer *p, const struct inst_row *row,
                                    const struct spv_inst *in, const char *a, const char *b)
{
    if (clc_count_components(p, in->w[1]) == 1) {
        return arena_printf(p->a, "%s %s %s", a, row->text, b);
    }
    return row->vector[0] ? arena_printf(p->a, "%s(%s, %s)", row->vector, a, b)
                          : clc_fail(p, "a logical operator on vectors");
}

/* a and b are ordered and differ. */
static const char *print_difference(struct clc_printer *p, const struct spv_inst *in)
{
    if (clc_count_components(p, in->w[1]) > 1) {
        return clc_fail(p, "this comparison of vectors");
    }
    const char *const a = clc_operand(p, in->w[3]);
    const char *const b = clc_operand(p, in->w[4]);
    return arena_printf(p->a, "(%s < %s) ^^ (%s > %s)", a, b, a, b);
}

/* The result has the module's own, unsigned type again. */
static const char *make_unsigned(struct clc_printer *p, uint32_t type, const char *text)
{
    return arena_printf(p->a, "%s(%s)", glsl_type(p, type, CLC_UNSIGNED), text);
}

static void put_row(struct clc_printer *p, const struct spv_inst *in, const struct inst_row *row)
{
    uint32_t const type = in->w[1];
    uint32_t const x = in->w[3];
    uint32_t const y = in->n > 4 ? in->w[4] : 0;
    bool const is_vector = clc_count_components(p, type) > 1;
    bool is_simple = false;
    const char *text = "";
    switch (row->form) {
    case FORM_BINARY:
        text = arena_printf(p->a, "%s %s %s", clc_operand(p, x), row->text, clc_operand(p, y));
        break;
    case FORM_SIGNED_BINARY:
        text = make_unsigned(
            p, type,
            arena_printf(p->a, "%s %s %s", glsl_signed(p, x), row->text, glsl_signed(p, y)));
        is_simple = true;
        break;
    case FORM_SIGNED_FIRST:
        text = make_unsigned(
            p, type,
            arena_printf(p->a, "%s %s %s", glsl_signed(p, x), row->text, clc_operand(p, y)));
        is_simple = true;
        break;
    case FORM_PREFIX:
        text = arena_printf(p->a, "%s%s", row->text, clc_operand(p, x));
        break;
    case FORM_CALL:
        text = arena_printf(p->a, "%s(%s)", row->text, glsl_list(p, in, 3));
        is_simple = true;
        break;
    case FORM_COMPARE:
        text = print_comparison(p, row, in, clc_operand(p, x), clc_operand(p, y));
        break;
    case FORM_SIGNED_COMPARE:
        text = print_comparison(p, row, in, glsl_signed(p, x), glsl_signed(p, y));
        break;
    case FORM_NOT_COMPARE:
        text = arena_printf(p->a, "%s(%s)", is_vector ? "not" : "!",
                            print_comparison(p, row, in, clc_operand(p, x), clc_operand(p, y)));
        break;
    case FORM_NOT:
        text = arena_printf(p->a, "%s(%s)", is_vector ? "not" : "!", clc_value(p, x));
        break;
    case FORM_LOGICAL:
        text = is_vector ? clc_fail(p, "a logical operator on vectors")
                         : arena_printf(p->a, "%s %s %s", name_value(p, in, 3), row->text,
                                        name_value(p, in, 4));
        break;
    case FORM_EITHER:
        text = print_difference(p, in);
        break;
    case FORM_NEITHER:
        text = arena_printf(p->a, "!(%s)", print_difference(p, in));
        break;
    }
    clc_define(p, in, text, is_simple, true);
}

/* ---- conversions ---- */

/* The shape of a type: its bits, and its components. */
static bool is_shape(const struct clc_printer *p, uint32_t type, bool is_float, uint32_t n_bits,
                     uint32_t n)
{
    return clc_is_float(p, type) == is_float && clc_count_bits(p, type) == n_bits &&
           clc_count_components(p, type) == n;
}

/* Bits of one type as another; from and to: of floats or not, bits, components. */
static const struct {
    bool from_float;
    uint32_t from_bits, from_n;
    bool to_float;
    uint32_t to_bits, to_n;
    const char *name;
} casts[] = {
    {true,  16, 2, false, 32, 1, "packFloat2x16"   },
    {false, 32, 1, true,  16, 2, "unpackFloat2x16" },
    {false, 16, 2, false, 32, 1, "packUint2x16"    },
    {false, 32, 1, false, 16, 2, "unpackUint2x16"  },
    {false, 16, 4, false, 64, 1, "packUint4x16"    },
    {false, 64, 1, false, 16, 4, "unpackUint4x16"  },
    {false, 32, 2, false, 64, 1, "packUint2x32"    },
    {false, 64, 1, false, 32, 2, "unpackUint2x32"  },
    {false, 32, 2, true,  64, 1, "packDouble2x32"  },
    {true,  64, 1, false, 32, 2, "unpackDouble2x32"},
};

/* Four 16-bit floats are two words, which have functions each. */
static const char *print_wide_cast(struct clc_printer *p, uint32_t from, uint32_t to, uint32_t id)
{
    const char *const x = clc_operand(p, id);
    if (is_shape(p, from, true, 16, 4) && is_shape(p, to, false, 32, 2)) {
        return arena_printf(p->a, "uvec2(packFloat2x16(%s.xy), packFloat2x16(%s.zw))", x, x);
    }
    if (is_shape(p, from, false, 32, 2) && is_shape(p, to, true, 16, 4)) {
        return arena_printf(p->a, "f16vec4(unpackFloat2x16(%s.x), unpackFloat2x16(%s.y))", x, x);
    }
    return clc_fail(p, "this cast of bits");
}

static const char *print_bitcast(struct clc_printer *p, uint32_t from, uint32_t to, uint32_t id)
{
    static const char *const to_bits[] = {"halfBitsToUint16", "floatBitsToUint",
                                          "doubleBitsToUint64"};
    static const char *const to_float[] = {"uint16BitsToHalf", "uintBitsToFloat",
                                           "uint64BitsToDouble"};
    uint32_t const n_bits = clc_count_bits(p, from);
    uint32_t const row = n_bits / 32;
    const char *const x = clc_value(p, id);
    if (clc_count_components(p, from) == clc_count_components(p, to) &&
        n_bits == clc_count_bits(p, to)) {
        if (clc_is_float(p, from) == clc_is_float(p, to)) {
            return x;
        }
        return arena_printf(p->a, "%s(%s)", (clc_is_float(p, to) ? to_float : to_bits)[row], x);
    }
    for (size_t i = 0; i < ARRAY_N(casts); i++) {
        if (is_shape(p, from, casts[i].from_float, casts[i].from_bits, casts[i].from_n) &&
            is_shape(p, to, casts[i].to_float, casts[i].to_bits, casts[i].to_n)) {
            return arena_printf(p->a, "%s(%s)", casts[i].name, x);
        }
    }
    return print_wide_cast(p, from, to, id);
}

static void put_conversion(struct clc_printer *p, const struct spv_inst *in)
{
    uint32_t const to = in->w[1];
    uint32_t const from = clc_type_of(p, in->w[3]);
    const char *text = "";
    switch (in->op) {
    case SpvOpUConvert:
    case SpvOpConvertFToU:
    case SpvOpConvertUToF:
    case SpvOpFConvert:
        text = make_unsigned(p, to, clc_value(p, in->w[3]));
        break;
    case SpvOpSConvert:
        text = make_unsigned(
            p, to,
            arena_printf(p->a, "%s(%s)", glsl_type(p, to, CLC_SIGNED), glsl_signed(p, in->w[3])));
        break;
    case SpvOpConvertFToS:
        text = make_unsigned(
            p, to,
            arena_printf(p->a, "%s(%s)", glsl_type(p, to, CLC_SIGNED), clc_value(p, in->w[3])));
        break;
    case SpvOpConvertSToF:
        text = make_unsigned(p, to, glsl_signed(p, in->w[3]));
        break;
    default: /* SpvOpBitcast */
        text = print_bitcast(p, from, to, in->w[3]);
    }
    /* a cast to the same type is the operand itself, which may need parentheses */
    clc_define(p, in, text, text != clc_value(p, in->w[3]) || clc_get(&p->m, in->w[3])->is_simple,
               true);
}

static void put_select(struct clc_printer *p, const struct spv_inst *in)
{
    if (clc_count_components(p, clc_type_of(p, in->w[3])) > 1) {
        clc_define(p, in,
                   arena_printf(p->a, "mix(%s, %s, %s)", clc_value(p, in->w[5]),
                                clc_value(p, in->w[4]), clc_value(p, in->w[3])),
                   true, true);
        return;
    }
    clc_define(p, in,
               arena_printf(p->a, "%s ? %s : %s", clc_operand(p, in->w[3]), name_value(p, in, 4),
                            name_value(p, in, 5)),
               false, true);
}

/* a - b * (a / b), which has the sign of a: GLSL leaves % of negative numbers undefined. */
static void put_remainder(struct clc_printer *p, const struct spv_inst *in)
{
    const char *const a = glsl_signed(p, in->w[3]);
    const char *const b = glsl_signed(p, in->w[4]);
    clc_define(p, in,
               make_unsigned(p, in->w[1], arena_printf(p->a, "%s - %s * (%s / %s)", a, b, a, b)),
               true, true);
}

/* ---- vectors ---- */

static void put_construct(struct clc_printer *p, const struct spv_inst *in)
{
    if (clc_get(&p->m, in->w[1])->in.op != SpvOpTypeVector) {
        (void)clc_fail(p, "a structure or an array as a value");
        return;
    }
    clc_define(p, in, glsl_vector(p, in->w[1], glsl_list(p, in, 3)), true, true);
}

static void put_extract(struct clc_printer *p, const struct spv_inst *in)
{
    const struct clc_id *const of = clc_get(&p->m, in->w[3]);
    const struct spv_inst *const type = &clc_get(&p->m, of->type)->in;
    const char *text = clc_operand(p, in->w[3]);
    uint32_t k = 4;
    if (type->op == SpvOpTypeStruct && in->n > k) { /* its members are variables */
        text = arena_printf(p->a, "%s_%u", text, in->w[k++]);
    }
    if (in->n > k + 1 || (in->n > k && in->w[k] >= 4)) {
        (void)clc_fail(p, "a part of a part");
        return;
    }
    if (in->n > k) {
        text = arena_printf(p->a, "%s.%c", text, "xyzw"[in->w[k]]);
    }
    clc_define(p, in, text, true, true);
}

/* ---- functions ---- */

/* A call of a function that takes pointers has a copy of it to itself, in which the parameter is what it points to; an
 * index into an array goes along as a number, a variable of the function itself as one that is copied in and out. */
static void put_copy(struct clc_printer *p, const struct spv_inst *in)
{
    const char *parameters = "", *arguments = "";
    uint32_t offset = clc_get(&p->m, in->w[3])->in.offset;
    uint32_t k = 4;
    struct spv_inst at;
    while (spv_next(p->m.w, p->m.n_words, &offset, &at) && at.op != SpvOpLabel) {
        if (at.op != SpvOpFunctionParameter || k >= in->n) {
            continue;
        }
        struct clc_id *const parameter = clc_get(&p->m, at.w[2]);
        const struct clc_id *const argument = clc_get(&p->m, in->w[k++]);
        const char *type = "uint", *value = argument->index;
        const char *const name = arena_printf(p->a, "p%u", k - 5);
        const struct spv_inst *const pointer = &clc_get(&p->m, at.w[1])->in;
        if (pointer->op == SpvOpTypePointer && pointer->w[2] == SpvStorageClassFunction) {
            type = arena_printf(p->a, "inout %s", glsl_type(p, pointer->w[3], CLC_UNSIGNED));
            value = argument->element;
            parameter->array = parameter->index = NULL;
            parameter->element = name;
        } else if (pointer->op != SpvOpTypePointer) {
            type = glsl_type(p, at.w[1], CLC_UNSIGNED);
            value = clc_value(p, in->w[k - 1]);
            parameter->text = name;
            parameter->is_simple = true;
        } else if (argument->index) {
            parameter->array = argument->array;
            parameter->index = name;
            parameter->element = arena_printf(p->a, "%s[%s]", argument->array, name);
        } else {
            parameter->array = parameter->index = NULL;
            parameter->element = argument->element;
        }
        parameter->is_signed_memory = argument->is_signed_memory;
        if (value) {
            const char *const comma = parameters[0] ? ", " : "";
            parameters = arena_printf(p->a, "%s%s%s %s", parameters, comma, type, name);
            arguments = arena_printf(p->a, "%s%s%s", arguments, comma, value);
        }
    }
    const char *const name = arena_printf(p->a, "f%u_%u", in->w[3], in->w[2]);
    clc_put_copy(
        p, in->w[3],
        arena_printf(p->a, "%s %s(%s)", glsl_type(p, in->w[1], CLC_UNSIGNED), name, parameters));
    const char *const call = arena_printf(p->a, "%s(%s)", name, arguments);
    if (clc_get(&p->m, in->w[1])->in.op == SpvOpTypeVoid) {
        clc_put_line(p, arena_printf(p->a, "%s;", call));
    } else {
        clc_define(p, in, call, true, false);
    }
}

static void put_call(struct clc_printer *p, const struct spv_inst *in)
{
    for (uint32_t k = 4; k < in->n; k++) {
        if (clc_get(&p->m, clc_type_of(p, in->w[k]))->in.op == SpvOpTypePointer) {
            put_copy(p, in);
            return;
        }
    }
    const char *const call = arena_printf(p->a, "f%u(%s)", in->w[3], glsl_list(p, in, 4));
    if (clc_get(&p->m, in->w[1])->in.op == SpvOpTypeVoid) {
        clc_put_line(p, arena_printf(p->a, "%s;", call));
    } else {
        clc_define(p, in, call, true, false);
    }
}

/* ---- GLSL.std.450 ---- */

/* Function with a second result, which goes to a variable: of the module, or a member of the first result's structure,
 * v5_0 and v5_1. Exponents are signed there and unsigned in the module. */
static void put_two_results(struct clc_printer *p, const struct spv_inst *in,
                            const struct func_row *row)
{
    bool const is_struct = row->form == FUNC_STRUCT || row->form == FUNC_STRUCT_INT;
    bool const is_int = row->form == FUNC_PART_INT || row->form == FUNC_STRUCT_INT;
    const struct spv_inst *const type = &clc_get(&p->m, in->w[1])->in;
    struct clc_id *const result = clc_get(&p->m, in->w[2]);
    const char *const name = arena_printf(p->a, "v%u", in->w[2]);
    if (is_struct && (type->op != SpvOpTypeStruct || type->n != 4)) {
        (void)clc_fail(p, "this structure of results");
        return;
    }
    uint32_t const value_type = is_struct ? type->w[2] : in->w[1];
    uint32_t const part_type =
        is_struct ? type->w[3] : clc_get(&p->m, clc_type_of(p, in->w[in->n - 1]))->in.w[3];
    const char *const value = is_struct ? arena_printf(p->a, "%s_0", name) : name;
    const char *const part =
        is_struct ? arena_printf(p->a, "%s_1", name) : clc_element(p, in->w[in->n - 1]);
    const char *const to = is_int ? arena_printf(p->a, "e%u", in->w[2]) : part;
    const char *const precise = result->is_exact ? "precise " : "";
    clc_put_variable(
        p, arena_printf(p->a, "%s%s %s;", precise, glsl_type(p, value_type, CLC_UNSIGNED), value));
    if (is_struct) {
        clc_put_variable(p,
                         arena_printf(p->a, "%s %s;", glsl_type(p, part_type, CLC_UNSIGNED), part));
    }
    if (is_int) {
        clc_put_variable(p, arena_printf(p->a, "%s %s;", glsl_type(p, part_type, CLC_SIGNED), to));
    }
    clc_put_line(
        p, arena_printf(p->a, "%s = %s(%s, %s);", value, row->name, clc_value(p, in->w[5]), to));
    if (is_int) {
        clc_put_line(p, arena_printf(p->a, "%s = %s;", part, make_unsigned(p, part_type, to)));
    }
    result->text = name;
    result->is_simple = true;
}

static void put_extended(struct clc_printer *p, const struct spv_inst *in)
{
    uint32_t const number = OP_NUMBER(OP_SET_glsl450, in->w[4]);
    int const op = op_find_number(number);
    const struct func_row *row = NULL;
    for (size_t i = 0; i < ARRAY_N(func_rows) && !row; i++) {
        row = func_rows[i].op == op ? &func_rows[i] : NULL;
    }
    if (op < 0 || op_rows[op].number != number || !row) {
        (void)clc_fail(p, op >= 0 && op_rows[op].number == number
                              ? op_rows[op].name
                              : "an extended instruction that is not under test");
        return;
    }
    if (row->form != FUNC_CALL && row->form != FUNC_SCALE) {
        put_two_results(p, in, row);
        return;
    }
    const char *text = "";
    for (uint32_t k = 5; k < in->n; k++) {
        bool const is_exponent = row->form == FUNC_SCALE && k + 1 == in->n;
        text = arena_printf(p->a, "%s%s%s", text, k > 5 ? ", " : "",
                            is_exponent ? glsl_signed(p, in->w[k]) : clc_value(p, in->w[k]));
    }
    clc_define(p, in, arena_printf(p->a, "%s(%s)", row->name, text), true, true);
}

static bool is_set(const struct clc_printer *p, uint32_t set, const char *name)
{
    const struct spv_inst *const in = &clc_get(&p->m, set)->in;
    size_t const n = strlen(name) + 1;
    return in->op == SpvOpExtInstImport && (in->n - 2) * sizeof *in->w >= n &&
           memcmp(in->w + 2, name, n) == 0;
}

/* ---- constants ---- */

static bool has_mode_of_results(const struct clc_printer *p, uint32_t n_bits)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(p->m.w, p->m.n_words, &offset, &in) && in.op != SpvOpFunction) {
        bool const is_of_results = in.op == SpvOpExecutionMode && in.n == 4 &&
                                   (in.w[2] == SpvExecutionModeRoundingModeRTE ||
                                    in.w[2] == SpvExecutionModeRoundingModeRTZ ||
                                    in.w[2] == SpvExecutionModeDenormFlushToZero);
        if (is_of_results && in.w[3] == n_bits) {
            return true;
        }
    }
    return false;
}

static bool is_constant(const struct clc_id *id)
{
    return id->in.op >= SpvOpConstantTrue && id->in.op <= SpvOpConstantNull;
}

/* The first operand of what a compiler may compute by itself, all operands being constants, in a module that says how
 * results are rounded or flushed; 0: it is not so. GLSL 4.60, section 4.7.1: the mode cannot be set, so that a compiler need not
 * know of it. */
static uint32_t find_foldable(const struct clc_printer *p, const struct spv_inst *in)
{
    uint32_t first = 0;
    if (in->n < 4 || !clc_is_float(p, in->w[1]) ||
        !has_mode_of_results(p, clc_count_bits(p, in->w[1]))) {
        return 0;
    }
    for (uint32_t k = 3; k < in->n; k++) {
        if (clc_is_value_operand(in, k)) {
            first = first ? first : in->w[k];
            if (!is_constant(clc_get(&p->m, in->w[k]))) {
                return 0;
            }
        }
    }
    return first;
}

static void put_inst(struct clc_printer *p, const struct spv_inst *in);

/* A variable stands for a constant that is not to be computed with. */
void glsl_put_inst(struct clc_printer *p, const struct spv_inst *in)
{
    uint32_t const constant = find_foldable(p, in);
    if (!constant) {
        put_inst(p, in);
        return;
    }
    struct clc_id *const id = clc_get(&p->m, constant);
    const char *const value = clc_value(p, constant);
    bool const was_simple = id->is_simple;
    const char *const name = arena_printf(p->a, "k%u", in->w[2]);
    clc_put_line(
        p, arena_printf(p->a, "%s %s = %s;", glsl_type(p, id->type, CLC_UNSIGNED), name, value));
    id->text = name;
    id->is_simple = true;
    put_inst(p, in);
    id->text = value;
    id->is_simple = was_simple;
}

static void put_inst(struct clc_printer *p, const struct spv_inst *in)
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
    case SpvOpSRem:
        put_remainder(p, in);
        return;
    case SpvOpCompositeConstruct:
        put_construct(p, in);
        return;
    case SpvOpCompositeExtract:
        put_extract(p, in);
        return;
    case SpvOpFunctionCall:
        put_call(p, in);
        return;
    case SpvOpExtInst:
        if (is_set(p, in->w[3], "GLSL.std.450")) {
            put_extended(p, in);
        } else if (!glsl_put_group(p, in)) {
            (void)clc_fail(p, "an instruction of this extended set");
        }
        return;
    case SpvOpNop:
        return;
    default:
        break;
    }
    if (!glsl_put_memory(p, in) && !clc_put_spelled(p, in) && !glsl_put_atomic(p, in) &&
        !glsl_put_group(p, in)) {
        int const op = op_find_number(in->op);
        (void)clc_fail(p, op >= 0 && op_rows[op].number == in->op
                              ? op_rows[op].name
                              : arena_printf(p->a, "instruction %u", in->op));
    }
}

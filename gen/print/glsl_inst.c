/* gen/print/glsl_inst.c -- one instruction of a block as GLSL: values, conversions, calls. */
#include "gen/print/glsl_inst.h"

#include <string.h>

#include "base/ops.h"
#include "gen/print/glsl_atomic.h"
#include "gen/print/glsl_group.h"
#include "gen/print/glsl_memory.h"
#include "gen/print/glsl_text.h"
#include "gen/print/text_flow.h"
#include "gen/print/text_inst.h"
#include "gen/view/view.h"

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

/* ---- conversions ---- */

/* The shape of a type: its bits, and its components. */
static bool is_shape(const struct printer *p, uint32_t type, bool is_float, uint32_t n_bits,
                     uint32_t n)
{
    return view_is_float(p->m, type) == is_float && view_count_bits(p->m, type) == n_bits &&
           view_count_components(p->m, type) == n;
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
static const char *print_wide_cast(struct printer *p, uint32_t from, uint32_t to, uint32_t id)
{
    const char *const x = text_operand(p, id);
    if (is_shape(p, from, true, 16, 4) && is_shape(p, to, false, 32, 2)) {
        return textf(p, "uvec2(packFloat2x16(%s.xy), packFloat2x16(%s.zw))", x, x);
    }
    if (is_shape(p, from, false, 32, 2) && is_shape(p, to, true, 16, 4)) {
        return textf(p, "f16vec4(unpackFloat2x16(%s.x), unpackFloat2x16(%s.y))", x, x);
    }
    return text_fail(p, "this cast of bits");
}

static const char *print_bitcast(struct printer *p, uint32_t from, uint32_t to, uint32_t id)
{
    static const char *const to_bits[] = {"halfBitsToUint16", "floatBitsToUint",
                                          "doubleBitsToUint64"};
    static const char *const to_float[] = {"uint16BitsToHalf", "uintBitsToFloat",
                                           "uint64BitsToDouble"};
    uint32_t const n_bits = view_count_bits(p->m, from);
    uint32_t const row = n_bits / 32;
    const char *const x = text_value(p, id);
    if (view_count_components(p->m, from) == view_count_components(p->m, to) &&
        n_bits == view_count_bits(p->m, to)) {
        if (view_is_float(p->m, from) == view_is_float(p->m, to)) {
            return x;
        }
        return textf(p, "%s(%s)", (view_is_float(p->m, to) ? to_float : to_bits)[row], x);
    }
    for (size_t i = 0; i < ARRAY_N(casts); i++) {
        if (is_shape(p, from, casts[i].from_float, casts[i].from_bits, casts[i].from_n) &&
            is_shape(p, to, casts[i].to_float, casts[i].to_bits, casts[i].to_n)) {
            return textf(p, "%s(%s)", casts[i].name, x);
        }
    }
    return print_wide_cast(p, from, to, id);
}

static void put_conversion(struct printer *p, const struct spv_inst *in)
{
    bool const from_signed = in->op == SpvOpSConvert || in->op == SpvOpConvertSToF;
    bool const to_signed = in->op == SpvOpSConvert || in->op == SpvOpConvertFToS;
    uint32_t const to = in->w[1];
    const char *text = from_signed ? text_signed(p, in->w[3]) : text_value(p, in->w[3]);
    if (in->op == SpvOpBitcast) {
        text = print_bitcast(p, view_type_of(p->m, in->w[3]), to, in->w[3]);
    } else {
        text = to_signed ? textf(p, "%s(%s)", glsl_type(p, to, TEXT_SIGNED), text) : text;
        text = glsl_vector(p, to, text);
    }
    /* a cast to the same type is the operand itself, which may need parentheses */
    text_define(p, in, text, text != text_value(p, in->w[3]) || view_get(p->m, in->w[3])->is_simple,
                true);
}

static void put_select(struct printer *p, const struct spv_inst *in)
{
    if (view_count_components(p->m, view_type_of(p->m, in->w[3])) > 1) {
        text_define(p, in,
                    textf(p, "mix(%s, %s, %s)", text_value(p, in->w[5]), text_value(p, in->w[4]),
                          text_value(p, in->w[3])),
                    true, true);
        return;
    }
    const char *const no = text_name_value(p, in, 5);
    const char *const yes = text_name_value(p, in, 4);
    text_define(p, in, textf(p, "%s ? %s : %s", text_operand(p, in->w[3]), yes, no), false, true);
}

/* a - b * (a / b), which has the sign of a: GLSL leaves % of negative numbers undefined. */
static void put_remainder(struct printer *p, const struct spv_inst *in)
{
    const char *const a = text_signed(p, in->w[3]);
    const char *const b = text_signed(p, in->w[4]);
    text_define(p, in, glsl_vector(p, in->w[1], textf(p, "%s - %s * (%s / %s)", a, b, a, b)), true,
                true);
}

/* ---- vectors ---- */

static void put_construct(struct printer *p, const struct spv_inst *in)
{
    if (view_get(p->m, in->w[1])->in.op != SpvOpTypeVector) {
        (void)text_fail(p, "a structure or an array as a value");
        return;
    }
    text_define(p, in, glsl_vector(p, in->w[1], text_list(p, in, 3)), true, true);
}

static void put_extract(struct printer *p, const struct spv_inst *in)
{
    const struct view_id *const of = view_get(p->m, in->w[3]);
    const struct spv_inst *const type = &view_get(p->m, of->type)->in;
    const char *text = text_operand(p, in->w[3]);
    uint32_t k = 4;
    if (type->op == SpvOpTypeStruct && in->n > k) { /* its members are variables */
        text = textf(p, "%s_%u", text, in->w[k++]);
    }
    if (in->n > k + 1 || (in->n > k && in->w[k] >= 4)) {
        (void)text_fail(p, "a part of a part");
        return;
    }
    if (in->n > k) {
        text = textf(p, "%s.%c", text, "xyzw"[in->w[k]]);
    }
    text_define(p, in, text, true, true);
}

/* ---- functions ---- */

/* Prints a call of a function that has pointer parameters. GLSL has no pointers, so that each call gets a
 * copy of the function in which a pointer parameter stands for the memory that the argument points to. An
 * index into an array is passed as a number, and a variable of Function storage as an inout parameter. The
 * loop goes over parameters and arguments: it says what the parameter's text is in the copy, and what is
 * passed. */
static void put_copy(struct printer *p, const struct spv_inst *in)
{
    enum {
        FIRST_ARGUMENT = 4 /* word of OpFunctionCall */
    };
    const char *parameters = "", *arguments = "";
    uint32_t k = FIRST_ARGUMENT;
    /* the called OpFunction: its parameters follow */
    struct spv_inst at = view_get(p->m, in->w[3])->in;
    while (view_next_parameter(p->m, &at) && k < in->n) {
        struct view_id *const parameter = view_get(p->m, at.w[2]);
        const struct view_id *const argument = view_get(p->m, in->w[k]);
        const char *type = "uint", *value = argument->index;
        const char *const name = textf(p, "p%u", k - FIRST_ARGUMENT);
        const struct spv_inst *const pointer = &view_get(p->m, at.w[1])->in;
        bool const is_pointer = pointer->op == SpvOpTypePointer;
        if (is_pointer && pointer->w[2] == SpvStorageClassFunction) {
            type = textf(p, "inout %s", text_name(p, pointer->w[3]));
            value = argument->element;
            parameter->array = parameter->index = NULL; /* a single variable */
            parameter->element = name;
        } else if (!is_pointer) {
            type = text_name(p, at.w[1]);
            value = text_value(p, in->w[k]);
            parameter->text = name;
            parameter->is_simple = true;
        } else if (argument->index) { /* an element: its index is passed, a uint */
            parameter->array = argument->array;
            parameter->index = name;
            parameter->element = textf(p, "%s[%s]", argument->array, name);
        } else { /* all of a variable: nothing is passed */
            parameter->array = parameter->index = NULL;
            parameter->element = argument->element;
        }
        parameter->is_signed_memory = argument->is_signed_memory;
        if (value) {
            const char *const comma = parameters[0] ? ", " : "";
            parameters = textf(p, "%s%s%s %s", parameters, comma, type, name);
            arguments = textf(p, "%s%s%s", arguments, comma, value);
        }
        k++;
    }
    /* each copy is named by function and call */
    const char *const name = textf(p, "f%u_%u", in->w[3], in->w[2]);
    text_put_copy(p, in->w[3], textf(p, "%s %s(%s)", text_name(p, in->w[1]), name, parameters));
    text_put_called(p, in, textf(p, "%s(%s)", name, arguments));
}

static void put_call(struct printer *p, const struct spv_inst *in)
{
    for (uint32_t k = 4; k < in->n; k++) {
        if (view_get(p->m, view_type_of(p->m, in->w[k]))->in.op == SpvOpTypePointer) {
            put_copy(p, in);
            return;
        }
    }
    (void)text_put_inst(p, in);
}

/* ---- GLSL.std.450 ---- */

/* Prints a function with two results, such as modf or frexp: `v5 = frexp(x, e5);`. The second result is an
 * out parameter. It goes to the variable that the instruction points to, or, where the instruction gives a
 * struct, to a variable of its own: v5_0 and v5_1 are the members. An exponent goes by way of a signed
 * variable e5, as GLSL wants it signed and integers of the text are unsigned. */
static void put_two_results(struct printer *p, const struct spv_inst *in,
                            const struct func_row *row)
{
    bool const is_struct = row->form == FUNC_STRUCT || row->form == FUNC_STRUCT_INT;
    bool const is_int = row->form == FUNC_PART_INT || row->form == FUNC_STRUCT_INT;
    const struct spv_inst *const type = &view_get(p->m, in->w[1])->in;
    struct view_id *const result = view_get(p->m, in->w[2]);
    const char *const name = textf(p, "v%u", in->w[2]);
    if (is_struct && (type->op != SpvOpTypeStruct || type->n != 4)) {
        (void)text_fail(p, "this structure of results");
        return;
    }
    uint32_t const value_type = is_struct ? type->w[2] : in->w[1];
    /* without a struct the last operand is the pointer, and word 3 of its type what it points to */
    uint32_t const part_type =
        is_struct ? type->w[3] : view_get(p->m, view_type_of(p->m, in->w[in->n - 1]))->in.w[3];
    const char *const value = is_struct ? textf(p, "%s_0", name) : name;
    const char *const part = is_struct ? textf(p, "%s_1", name) : text_element(p, in->w[in->n - 1]);
    const char *const out = is_int ? textf(p, "e%u", in->w[2]) : part;
    /* "precise" keeps the compiler from contraction (NoContraction) */
    const char *const precise = result->is_exact ? "precise " : "";
    text_put_variable(p, "%s%s %s;", precise, text_name(p, value_type), value);
    if (is_struct) {
        text_put_variable(p, "%s %s;", text_name(p, part_type), part);
    }
    if (is_int) {
        text_put_variable(p, "%s %s;", glsl_type(p, part_type, TEXT_SIGNED), out);
    }
    text_put_line(p, "%s = %s(%s, %s);", value, row->name, text_value(p, in->w[5]), out);
    if (is_int) {
        text_put_line(p, "%s = %s;", part, glsl_vector(p, part_type, out));
    }
    result->text = name;
    result->is_simple = true;
}

/* Prints an instruction of an extended set: of GLSL.std.450 as a call of the function of that name, with a
 * signed exponent for ldexp (FUNC_SCALE); of AMD's set as a group instruction. */
static void put_extended(struct printer *p, const struct spv_inst *in)
{
    enum {
        AT_ARGUMENTS = 5 /* word of OpExtInst */
    };
    uint32_t const number = OP_NUMBER(OP_SET_glsl450, in->w[4]);
    int const op = op_find_number(number);
    const struct func_row *row = NULL;
    if (!view_is_set(p->m, in->w[3], "GLSL.std.450")) {
        if (!glsl_put_group(p, in)) {
            (void)text_fail(p, "an instruction of this extended set");
        }
        return;
    }
    for (size_t i = 0; i < ARRAY_N(func_rows) && !row; i++) {
        row = func_rows[i].op == op ? &func_rows[i] : NULL;
    }
    bool const is_under_test = op >= 0 && op_rows[op].number == number;
    if (!is_under_test || !row) {
        (void)text_fail(p, is_under_test ? op_rows[op].name
                                         : "an extended instruction that is not under test");
        return;
    }
    if (row->form != FUNC_CALL && row->form != FUNC_SCALE) { /* all other forms have two results */
        put_two_results(p, in, row);
        return;
    }
    const char *text = "";
    for (uint32_t k = AT_ARGUMENTS; k < in->n; k++) {
        bool const is_exponent = row->form == FUNC_SCALE && k + 1 == in->n; /* ldexp(x, exponent) */
        text = textf(p, "%s%s%s", text, k > AT_ARGUMENTS ? ", " : "",
                     is_exponent ? text_signed(p, in->w[k]) : text_value(p, in->w[k]));
    }
    text_define(p, in, textf(p, "%s(%s)", row->name, text), true, true);
}

/* ---- constants ---- */

static bool has_mode_of_results(const struct printer *p, uint32_t n_bits)
{
    struct spv_inst in = {.n = 0};
    while (view_next_global(p->m, &in)) {
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

static bool is_constant(const struct view_id *id)
{
    return id->in.op >= SpvOpConstantTrue && id->in.op <= SpvOpConstantNull;
}

/* The first operand of what a compiler may compute by itself, all operands being constants, in a module that says how
 * results are rounded or flushed; 0: it is not so. GLSL 4.60, section 4.7.1: the mode cannot be set, so that a compiler need not
 * know of it. */
static uint32_t find_foldable(const struct printer *p, const struct spv_inst *in)
{
    uint32_t first = 0;
    if (in->n < 4 || !view_is_float(p->m, in->w[1]) ||
        !has_mode_of_results(p, view_count_bits(p->m, in->w[1]))) {
        return 0;
    }
    for (uint32_t k = 3; k < in->n; k++) {
        if (view_is_value_operand(in, k)) {
            first = first ? first : in->w[k];
            if (!is_constant(view_get(p->m, in->w[k]))) {
                return 0;
            }
        }
    }
    return first;
}

static const struct {
    uint32_t op;
    void (*put)(struct printer *p, const struct spv_inst *in);
} rows[] = {
    {SpvOpUConvert,           put_conversion},
    {SpvOpSConvert,           put_conversion},
    {SpvOpConvertFToU,        put_conversion},
    {SpvOpConvertFToS,        put_conversion},
    {SpvOpConvertUToF,        put_conversion},
    {SpvOpConvertSToF,        put_conversion},
    {SpvOpFConvert,           put_conversion},
    {SpvOpBitcast,            put_conversion},
    {SpvOpSelect,             put_select    },
    {SpvOpSRem,               put_remainder },
    {SpvOpCompositeConstruct, put_construct },
    {SpvOpCompositeExtract,   put_extract   },
    {SpvOpFunctionCall,       put_call      },
    {SpvOpExtInst,            put_extended  },
};

static void put_inst(struct printer *p, const struct spv_inst *in)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == in->op) {
            rows[i].put(p, in);
            return;
        }
    }
    if (!glsl_put_memory(p, in) && !text_put_inst(p, in) && !glsl_put_atomic(p, in) &&
        !glsl_put_group(p, in)) {
        int const op = op_find_number(in->op);
        (void)text_fail(p, op >= 0 && op_rows[op].number == in->op
                               ? op_rows[op].name
                               : textf(p, "instruction %u", in->op));
    }
}

/* A variable stands for a constant that is not to be computed with. */
void glsl_put_inst(struct printer *p, const struct spv_inst *in)
{
    uint32_t const constant = find_foldable(p, in);
    if (!constant) {
        put_inst(p, in);
        return;
    }
    struct view_id *const id = view_get(p->m, constant);
    const char *const value = text_value(p, constant);
    bool const was_simple = id->is_simple;
    const char *const name = textf(p, "k%u", in->w[2]);
    text_put_line(p, "%s %s = %s;", text_name(p, id->type), name, value);
    id->text = name;
    id->is_simple = true;
    put_inst(p, in);
    id->text = value;
    id->is_simple = was_simple;
}

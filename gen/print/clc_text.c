/* gen/print/clc_text.c -- a text in the making: lines, names of types, operands. */
#include "gen/print/clc_text.h"

#include <string.h>

#include "base/format.h"

const char *clc_fail(struct clc_printer *p, const char *what)
{
    if (p->res == RES_OK) {
        p->res = err_set(p->e, RES_LIMIT, "%s has no words for %s",
                         p->dialect ? p->dialect->name : "OpenCL C", what);
    }
    return "";
}

static void put_indented(struct bytes *b, uint32_t depth, const char *text)
{
    for (uint32_t i = 0; i < depth; i++) {
        bytes_put(b, "    ", 4);
    }
    bytes_put(b, text, strlen(text));
    bytes_put(b, "\n", 1);
}

void clc_put_line(struct clc_printer *p, const char *text)
{
    put_indented(&p->lines, p->depth, text);
}

void clc_put_variable(struct clc_printer *p, const char *text)
{
    put_indented(&p->variables, 1, text);
}

uint32_t clc_draw(const struct clc_printer *p, uint32_t id, uint32_t which, uint32_t n)
{
    uint32_t const of[2] = {id, which};
    return (uint32_t)(hash_bytes(p->seed, of, sizeof of) % n);
}

/* ---- types ---- */

uint32_t clc_type_of(const struct clc_printer *p, uint32_t id)
{
    return clc_get(&p->m, id)->type;
}

static const struct spv_inst *scalar_of(const struct clc_printer *p, uint32_t type)
{
    const struct spv_inst *const in = &clc_get(&p->m, type)->in;
    return in->op == SpvOpTypeVector && in->n == 4 ? &clc_get(&p->m, in->w[2])->in : in;
}

uint32_t clc_count_bits(const struct clc_printer *p, uint32_t type)
{
    const struct spv_inst *const in = scalar_of(p, type);
    return (in->op == SpvOpTypeInt || in->op == SpvOpTypeFloat) && in->n > 2 ? in->w[2] : 0;
}

uint32_t clc_count_components(const struct clc_printer *p, uint32_t type)
{
    const struct spv_inst *const in = &clc_get(&p->m, type)->in;
    return in->op == SpvOpTypeVector && in->n == 4 ? in->w[3] : 1;
}

bool clc_is_bool(const struct clc_printer *p, uint32_t type)
{
    return clc_get(&p->m, type)->in.op == SpvOpTypeBool;
}

bool clc_is_float(const struct clc_printer *p, uint32_t type)
{
    return scalar_of(p, type)->op == SpvOpTypeFloat;
}

static const char *scalar_name(struct clc_printer *p, const struct spv_inst *in, enum clc_sign sign)
{
    static const char *const ints[2][4] = {
        {"uchar", "ushort", "uint", "ulong"},
        {"char",  "short",  "int",  "long" }
    };
    static const char *const floats[4] = {"", "half", "float", "double"};
    uint32_t const bits = in->n > 2 ? in->w[2] : 0;
    uint32_t const row = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
    switch (in->op) {
    case SpvOpTypeVoid:
        return "void";
    case SpvOpTypeBool:
        return "bool";
    case SpvOpTypeInt:
        return ints[sign][row];
    case SpvOpTypeFloat: /* with a fourth word it has another encoding: bfloat16 */
        return in->n > 3 ? clc_fail(p, "bfloat16") : floats[row];
    default:
        return clc_fail(p, "a type that is none of numbers, vectors and pointers");
    }
}

static const char *space_name(struct clc_printer *p, uint32_t storage)
{
    switch (storage) {
    case SpvStorageClassCrossWorkgroup:
        return "__global ";
    case SpvStorageClassWorkgroup:
        return "__local ";
    case SpvStorageClassFunction:
        return "__private ";
    case SpvStorageClassUniformConstant:
        return "__constant ";
    case SpvStorageClassGeneric:
        return "";
    default:
        return clc_fail(p, "a pointer of this storage class");
    }
}

const char *clc_type(struct clc_printer *p, uint32_t type, enum clc_sign sign)
{
    const struct spv_inst *const in = &clc_get(&p->m, type)->in;
    if (p->dialect) {
        return p->dialect->type(p, type, sign);
    }
    if (in->op == SpvOpTypePointer && in->n == 4) {
        const char *const space = space_name(p, in->w[2]);
        return arena_printf(p->a, "%s%s *", space, clc_type(p, in->w[3], sign));
    }
    if (in->op == SpvOpTypeVector && in->n == 4) {
        const struct spv_inst *const component = scalar_of(p, type);
        if (component->op == SpvOpTypeBool) {
            return clc_fail(p, "a vector of truth values");
        }
        return arena_printf(p->a, "%s%u", scalar_name(p, component, sign), in->w[3]);
    }
    if (in->op == SpvOpTypeStruct) {
        return arena_printf(p->a, "struct s%u", in->w[1]);
    }
    return scalar_name(p, in, sign);
}

const char *clc_declare(struct clc_printer *p, uint32_t type, const char *name)
{
    const struct spv_inst *const in = &clc_get(&p->m, type)->in;
    if (in->op != SpvOpTypeArray || in->n != 4) {
        return arena_printf(p->a, "%s %s;", clc_type(p, type, CLC_UNSIGNED), name);
    }
    return arena_printf(p->a, "%s %s[%u];", clc_type(p, in->w[2], CLC_UNSIGNED), name,
                        (unsigned)clc_get_number(&p->m, in->w[3]));
}

/* ---- constants ---- */

static const char *suffix_of(uint32_t n_bits)
{
    return n_bits == 16 ? "h" : n_bits == 32 ? "f" : "";
}

/* A finite number: a whole one in decimal where that is short, any other in hexadecimal, both exact. */
static const char *print_finite(struct clc_printer *p, const struct float_format *f,
                                uint64_t magnitude)
{
    enum {
        SHORT_EXPONENT = 10 /* whole numbers up to 2047 */
    };
    unsigned const frac_bits = f->prec_bits - 1;
    unsigned const digits = (frac_bits + 3) / 4;
    uint64_t const frac = magnitude & f->frac;
    bool const is_normal = (magnitude & f->exp) != 0;
    int const exponent = is_normal ? (int)(magnitude >> frac_bits) - f->emax : f->emin;
    const char *const suffix = suffix_of(f->n_bits);
    if (magnitude == 0) {
        return arena_printf(p->a, "0.0%s", suffix);
    }
    bool const is_short = is_normal && exponent >= 0 && exponent <= SHORT_EXPONENT;
    if (is_short && (frac & (f->frac >> exponent)) == 0) {
        uint64_t const whole =
            (frac | (uint64_t)1 << frac_bits) >> (frac_bits - (unsigned)exponent);
        return arena_printf(p->a, "%u.0%s", (unsigned)whole, suffix);
    }
    return arena_printf(p->a, "0x%d.%0*llxp%+d%s", is_normal, (int)digits,
                        (unsigned long long)(frac << (digits * 4 - frac_bits)), exponent, suffix);
}

static const char *print_float(struct clc_printer *p, uint32_t type, uint64_t bits, bool *is_simple)
{
    uint32_t const n_bits = clc_count_bits(p, type);
    const struct float_format *const f = &float_formats[n_bits == 16   ? FMT_F16
                                                        : n_bits == 32 ? FMT_F32
                                                                       : FMT_F64];
    uint64_t const magnitude = bits & ~f->sign & format_mask(f);
    *is_simple = true;
    if (magnitude >= f->exp) { /* infinities and NaN by their bits */
        return arena_printf(p->a, "as_%s((%s)0x%llx)", clc_type(p, type, CLC_UNSIGNED),
                            n_bits == 16   ? "ushort"
                            : n_bits == 32 ? "uint"
                                           : "ulong",
                            (unsigned long long)(bits & format_mask(f)));
    }
    const char *const number = print_finite(p, f, magnitude);
    if (!(bits & f->sign)) {
        return number;
    }
    *is_simple = false;
    return arena_printf(p->a, "-%s", number);
}

static const char *print_integer(struct clc_printer *p, uint32_t type, uint64_t bits)
{
    uint32_t const n_bits = clc_count_bits(p, type);
    if (n_bits == 64) {
        return arena_printf(p->a, "%lluul", (unsigned long long)bits);
    }
    if (n_bits == 32) {
        return arena_printf(p->a, "%uu", (unsigned)bits);
    }
    /* a broken module may have integers of any width: clc_type refuses them */
    unsigned const mask = n_bits < 32 ? (1u << n_bits) - 1 : UINT32_MAX;
    return arena_printf(p->a, "(%s)%u", clc_type(p, type, CLC_UNSIGNED), (unsigned)bits & mask);
}

/* "(uint4)(a, b, c, d)" of the ids in words. */
static const char *print_vector(struct clc_printer *p, uint32_t type, const uint32_t *words,
                                uint32_t n)
{
    const char *text = "";
    for (uint32_t i = 0; i < n; i++) {
        text = arena_printf(p->a, "%s%s%s", text, i ? ", " : "", clc_value(p, words[i]));
    }
    if (p->dialect) {
        return p->dialect->vector(p, type, text);
    }
    return arena_printf(p->a, "(%s)(%s)", clc_type(p, type, CLC_UNSIGNED), text);
}

/* A scalar; what has no literal is zero. */
static void print_number(struct clc_printer *p, struct clc_id *id)
{
    uint64_t const bits = clc_get_number(&p->m, id->in.w[2]);
    if (p->dialect) {
        id->text = p->dialect->number(p, id->type, bits, &id->is_simple);
        return;
    }
    id->text = clc_is_float(p, id->type) ? print_float(p, id->type, bits, &id->is_simple)
                                         : print_integer(p, id->type, bits);
}

static void print_constant(struct clc_printer *p, struct clc_id *id)
{
    const struct spv_inst *const in = &id->in;
    id->is_simple = true;
    switch (in->op) {
    case SpvOpConstantTrue:
        id->text = "true";
        return;
    case SpvOpConstantFalse:
        id->text = "false";
        return;
    case SpvOpConstantComposite:
        id->text = print_vector(p, id->type, in->w + 3, in->n - 3);
        return;
    case SpvOpConstantNull:
        if (clc_is_bool(p, id->type) || clc_count_components(p, id->type) > 1) {
            id->text = clc_is_bool(p, id->type) ? "false" : clc_fail(p, "a vector that is null");
            return;
        }
        print_number(p, id);
        return;
    case SpvOpConstant:
        print_number(p, id);
        return;
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
    case SpvOpSpecConstant:
    case SpvOpSpecConstantComposite:
    case SpvOpSpecConstantOp:
        id->text = clc_fail(p, "a specialization constant");
        return;
    default:
        id->text = clc_fail(p, "this constant or global variable");
    }
}

/* ---- values ---- */

const char *clc_value(struct clc_printer *p, uint32_t id)
{
    struct clc_id *const v = clc_get(&p->m, id);
    if (!v->text && v->block == CLC_NO_BLOCK && v->in.n >= 3) {
        print_constant(p, v);
    }
    return v->text ? v->text : clc_fail(p, "a value that is used before it is defined");
}

const char *clc_operand(struct clc_printer *p, uint32_t id)
{
    const char *const text = clc_value(p, id);
    return clc_get(&p->m, id)->is_simple ? text : arena_printf(p->a, "(%s)", text);
}

const char *clc_signed(struct clc_printer *p, uint32_t id)
{
    uint32_t const type = clc_type_of(p, id);
    const char *const name = clc_type(p, type, CLC_SIGNED);
    return clc_count_components(p, type) > 1
               ? arena_printf(p->a, "as_%s(%s)", name, clc_value(p, id))
               : arena_printf(p->a, "(%s)%s", name, clc_operand(p, id));
}

const char *clc_element(struct clc_printer *p, uint32_t pointer)
{
    const struct clc_id *const id = clc_get(&p->m, pointer);
    return id->element ? id->element : arena_printf(p->a, "*%s", clc_operand(p, pointer));
}

void clc_define(struct clc_printer *p, const struct spv_inst *in, const char *text, bool is_simple,
                bool is_pure)
{
    struct clc_id *const id = clc_get(&p->m, in->w[2]);
    const char *const precise = p->dialect && id->is_exact ? "precise " : "";
    if (is_pure && id->n_uses == 1 && !id->is_far && !precise[0]) {
        id->text = text;
        id->is_simple = is_simple;
        return;
    }
    const char *const name = arena_printf(p->a, "v%u", in->w[2]);
    const char *const type = clc_type(p, id->type, CLC_UNSIGNED);
    const char *const space = type[0] && type[strlen(type) - 1] == '*' ? "" : " ";
    if (id->is_far) {
        clc_put_variable(p, arena_printf(p->a, "%s%s%s%s;", precise, type, space, name));
        clc_put_line(p, arena_printf(p->a, "%s = %s;", name, text));
    } else {
        clc_put_line(p, arena_printf(p->a, "%s%s%s%s = %s;", precise, type, space, name, text));
    }
    id->text = name;
    id->element = NULL;
    id->is_simple = true;
}

bool clc_put_spelled(struct clc_printer *p, const struct spv_inst *in)
{
    switch (in->op) {
    case SpvOpCopyMemory:
    case SpvOpCopyMemorySized:
        clc_put_line(
            p, arena_printf(p->a, "%s = %s;", clc_element(p, in->w[1]), clc_element(p, in->w[2])));
        return true;
    case SpvOpCopyObject:
        clc_define(p, in, clc_operand(p, in->w[3]), true, true);
        return true;
    default:
        return false;
    }
}

/* gen/print/clc_text.c -- names of types, numbers and operands as OpenCL C has them. */
#include "gen/print/clc_text.h"

#include "base/format.h"
#include "gen/view/view.h"

/* ---- types ---- */

static const char *name_scalar(struct printer *p, const struct spv_inst *in, enum text_sign sign)
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
        return in->n > 3 ? text_fail(p, "bfloat16") : floats[row];
    default:
        return text_fail(p, "a type that is none of numbers, vectors and pointers");
    }
}

static const char *name_space(struct printer *p, uint32_t storage)
{
    static const struct text_word words[] = {
        {SpvStorageClassCrossWorkgroup,  "__global "  },
        {SpvStorageClassWorkgroup,       "__local "   },
        {SpvStorageClassFunction,        "__private " },
        {SpvStorageClassUniformConstant, "__constant "},
        {SpvStorageClassGeneric,         ""           },
    };
    return text_find_word(p, words, ARRAY_N(words), storage, "a pointer of this storage class");
}

const char *clc_type(struct printer *p, uint32_t type, enum text_sign sign)
{
    const struct spv_inst *const in = &view_get(p->m, type)->in;
    if (in->op == SpvOpTypePointer && in->n == 4) {
        const char *const space = name_space(p, in->w[2]);
        return textf(p, "%s%s *", space, clc_type(p, in->w[3], sign));
    }
    if (in->op == SpvOpTypeVector && in->n == 4) {
        const struct spv_inst *const component = view_get_scalar(p->m, type);
        if (component->op == SpvOpTypeBool) {
            return text_fail(p, "a vector of truth values");
        }
        return textf(p, "%s%u", name_scalar(p, component, sign), in->w[3]);
    }
    if (in->op == SpvOpTypeStruct) {
        return textf(p, "struct s%u", in->w[1]);
    }
    return name_scalar(p, in, sign);
}

/* ---- constants ---- */

static const char *suffix_of(uint32_t n_bits)
{
    return n_bits == 16 ? "h" : n_bits == 32 ? "f" : "";
}

/* A finite number: a whole one in decimal where that is short, any other in hexadecimal, both exact. */
static const char *print_finite(struct printer *p, const struct float_format *f, uint64_t magnitude)
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
        return textf(p, "0.0%s", suffix);
    }
    bool const is_short = is_normal && exponent >= 0 && exponent <= SHORT_EXPONENT;
    if (is_short && (frac & (f->frac >> exponent)) == 0) {
        uint64_t const whole =
            (frac | (uint64_t)1 << frac_bits) >> (frac_bits - (unsigned)exponent);
        return textf(p, "%u.0%s", (unsigned)whole, suffix);
    }
    return textf(p, "0x%d.%0*llxp%+d%s", is_normal, (int)digits,
                 (unsigned long long)(frac << (digits * 4 - frac_bits)), exponent, suffix);
}

static const char *print_float(struct printer *p, uint32_t type, uint64_t bits, bool *is_simple)
{
    uint32_t const n_bits = view_count_bits(p->m, type);
    const struct float_format *const f = &float_formats[format_of_bits(n_bits)];
    uint64_t const magnitude = bits & ~f->sign & format_mask(f);
    *is_simple = true;
    if (magnitude >= f->exp) { /* infinities and NaN by their bits */
        return textf(p, "as_%s((%s)0x%llx)", text_name(p, type),
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
    return textf(p, "-%s", number);
}

static const char *print_integer(struct printer *p, uint32_t type, uint64_t bits)
{
    uint32_t const n_bits = view_count_bits(p->m, type);
    if (n_bits == 64) {
        return textf(p, "%lluul", (unsigned long long)bits);
    }
    if (n_bits == 32) {
        return textf(p, "%uu", (unsigned)bits);
    }
    /* a broken module may have integers of any width: text_type refuses them */
    unsigned const mask = n_bits < 32 ? (1u << n_bits) - 1 : UINT32_MAX;
    return textf(p, "(%s)%u", text_name(p, type), (unsigned)bits & mask);
}

const char *clc_number(struct printer *p, uint32_t type, uint64_t bits, bool *is_simple)
{
    return view_is_float(p->m, type) ? print_float(p, type, bits, is_simple)
                                     : print_integer(p, type, bits);
}

const char *clc_vector(struct printer *p, uint32_t type, const char *text)
{
    return textf(p, "(%s)(%s)", text_name(p, type), text);
}

/* ---- operands ---- */

const char *clc_signed(struct printer *p, uint32_t id)
{
    uint32_t const type = view_type_of(p->m, id);
    const char *const name = text_type(p, type, TEXT_SIGNED);
    return view_count_components(p->m, type) > 1 ? textf(p, "as_%s(%s)", name, text_value(p, id))
                                                 : textf(p, "(%s)%s", name, text_operand(p, id));
}

/* A vector cannot be cast, but its bits be taken. */
const char *clc_unsigned(struct printer *p, uint32_t type, const char *text)
{
    const char *const name = text_name(p, type);
    return view_count_components(p->m, type) > 1 ? textf(p, "as_%s(%s)", name, text)
                                                 : textf(p, "(%s)(%s)", name, text);
}

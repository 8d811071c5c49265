/* gen/print/glsl_text.c -- names of types, numbers and operands as GLSL has them. */
#include "gen/print/glsl_text.h"

#include "base/format.h"
#include "gen/view/view.h"

void glsl_need(struct printer *p, enum glsl_extension extension)
{
    p->extensions |= UINT64_C(1) << extension;
}

const char *glsl_print_extensions(struct printer *p)
{
    static const char *const names[] = {
#define EXTENSION(id, name) name,
#include "gen/print/glsl_extension.def"
    };
    enum {
        ENABLED_ONE_IN = 4
    };
    const char *text = "";
    for (uint32_t i = 0; i < ARRAY_N(names); i++) {
        if (p->extensions >> i & 1) {
            bool const is_enabled = text_draw(p, i, 0, ENABLED_ONE_IN) == 0;
            text = textf(p, "%s#extension %s : %s\n", text, names[i],
                         is_enabled ? "enable" : "require");
        }
    }
    return text;
}

/* ---- types ---- */

enum {
    MAX_COMPONENTS = 4 /* of a vector of GLSL */
};

static int row_of(uint32_t n_bits)
{
    return n_bits == 8 ? 0 : n_bits == 16 ? 1 : n_bits == 32 ? 2 : 3;
}

static const char *name_scalar(struct printer *p, uint32_t type, enum text_sign sign)
{
    static const char *const ints[2][4] = {
        {"uint8_t", "uint16_t", "uint", "uint64_t"},
        {"int8_t",  "int16_t",  "int",  "int64_t" }
    };
    static const char *const floats[4] = {"", "float16_t", "float", "double"};
    uint32_t const n_bits = view_count_bits(p->m, type);
    return view_is_float(p->m, type) ? floats[row_of(n_bits)] : ints[sign][row_of(n_bits)];
}

static const char *name_vector(struct printer *p, uint32_t type, enum text_sign sign)
{
    static const char *const ints[2][4] = {
        {"u8vec", "u16vec", "uvec", "u64vec"},
        {"i8vec", "i16vec", "ivec", "i64vec"}
    };
    static const char *const floats[4] = {"", "f16vec", "vec", "dvec"};
    uint32_t const n_bits = view_count_bits(p->m, type);
    const char *const stem = n_bits == 0                 ? "bvec"
                             : view_is_float(p->m, type) ? floats[row_of(n_bits)]
                                                         : ints[sign][row_of(n_bits)];
    return textf(p, "%s%u", stem, (unsigned)view_count_components(p->m, type));
}

/* Returns GLSL's name of a type, with that sign where it is of integers: "uint", "f16vec2", "R5" for the
 * reference of pointer type 5. Notes the extension that the name needs (glsl_need). The text fails for
 * structs and other types. */
const char *glsl_type(struct printer *p, uint32_t type, enum text_sign sign)
{
    const struct spv_inst *const in = &view_get(p->m, type)->in;
    uint32_t const n_bits = view_count_bits(p->m, type);
    if (in->op == SpvOpTypeVoid) {
        return "void";
    }
    if (in->op == SpvOpTypeBool) {
        return "bool";
    }
    if (in->op == SpvOpTypePointer && in->w[2] == SpvStorageClassPhysicalStorageBuffer) {
        glsl_need(p, GLSL_REFERENCE);
        return textf(p, "R%u", in->w[1]);
    }
    if (in->op != SpvOpTypeInt && in->op != SpvOpTypeFloat && in->op != SpvOpTypeVector) {
        return text_fail(p, in->op == SpvOpTypeStruct
                                ? "a structure that a function gives back"
                                : "a value that is none of numbers and vectors");
    }
    /* all but i32, f32 and f64 need the extension of explicit types */
    if (n_bits == 8 || n_bits == 16 || (n_bits == 64 && !view_is_float(p->m, type))) {
        glsl_need(p, GLSL_TYPES);
    }
    if (in->op != SpvOpTypeVector) {
        return name_scalar(p, type, sign);
    }
    return view_count_components(p->m, type) <= MAX_COMPONENTS
               ? name_vector(p, type, sign)
               : text_fail(p, "a vector of more than four components");
}

/* ---- constants ---- */

/* Returns the number with that encoding (without its sign) as a decimal constant such as "2.75", if at most
 * MAX_PLACES digits after the point give it exactly. Returns NULL if that takes more digits, or for a
 * subnormal, infinity or NaN. */
static const char *print_decimal(struct printer *p, const struct float_format *f,
                                 uint64_t magnitude, const char *suffix)
{
    enum {
        MAX_EXPONENT = 20,
        MAX_PLACES = 12
    };
    unsigned const frac_bits = f->prec_bits - 1;
    int const exponent = (int)(magnitude >> frac_bits) - f->emax;
    if (magnitude == 0) {
        return textf(p, "0.0%s", suffix);
    }
    bool const is_normal = (magnitude & f->exp) != 0 && magnitude < f->exp;
    if (!is_normal || exponent > MAX_EXPONENT || exponent < -MAX_PLACES) {
        return NULL;
    }
    uint64_t mantissa = (magnitude & f->frac) | (uint64_t)1 << frac_bits;
    int n_places = (int)frac_bits - exponent; /* the number is mantissa / 2^n_places */
    while (n_places > 0 && (mantissa & 1) == 0) {
        mantissa >>= 1;
        n_places--;
    }
    if (n_places > MAX_PLACES) {
        return NULL;
    }
    uint64_t const whole = n_places > 0 ? mantissa >> n_places : mantissa << -n_places;
    uint64_t const fraction_mask = n_places > 0 ? ((uint64_t)1 << n_places) - 1 : 0;
    uint64_t rest = mantissa & fraction_mask; /* rest / 2^n_places is the fraction */
    const char *digits = n_places > 0 ? "" : "0";
    /* a fraction of n bits has n decimal digits, of which the last is a 5 */
    for (int i = 0; i < n_places; i++) {
        rest *= 10;
        digits = textf(p, "%s%u", digits, (unsigned)(rest >> n_places));
        rest &= fraction_mask;
    }
    return textf(p, "%llu.%s%s", (unsigned long long)whole, digits, suffix);
}

/* Any other number, infinities and NaN by its bits. */
static const char *print_bits(struct printer *p, uint32_t n_bits, uint64_t bits)
{
    switch (n_bits) {
    case 16:
        return textf(p, "uint16BitsToHalf(uint16_t(0x%04xu))", (unsigned)bits);
    case 32:
        return textf(p, "uintBitsToFloat(0x%08xu)", (unsigned)bits);
    default:
        return textf(p, "packDouble2x32(uvec2(0x%08xu, 0x%08xu))", (unsigned)(bits & UINT32_MAX),
                     (unsigned)(bits >> 32));
    }
}

static const char *print_float(struct printer *p, uint32_t n_bits, uint64_t bits, bool *is_simple)
{
    const struct float_format *const f = &float_formats[format_of_bits(n_bits)];
    uint64_t const magnitude = bits & ~f->sign & format_mask(f);
    bool const is_quiet = bits >> (f->prec_bits - 2) & 1;
    if (magnitude > f->exp &&
        !is_quiet) { /* GLSL 4.60, section 8.3: what becomes of a NaN is unspecified */
        return text_fail(p, "a constant that is a signalling NaN");
    }
    const char *const suffix = n_bits == 16 ? "hf" : n_bits == 32 ? "f" : "lf";
    const char *const decimal = print_decimal(p, f, magnitude, suffix);
    if (n_bits == 16) {
        glsl_need(p, GLSL_TYPES);
    }
    *is_simple = !decimal || !(bits & f->sign);
    return decimal ? textf(p, "%s%s", *is_simple ? "" : "-", decimal)
                   : print_bits(p, n_bits, bits & format_mask(f));
}

const char *glsl_number(struct printer *p, uint32_t type, uint64_t bits, bool *is_simple)
{
    uint32_t const n_bits = view_count_bits(p->m, type);
    *is_simple = true;
    if (view_is_float(p->m, type)) {
        return print_float(p, n_bits, bits, is_simple);
    }
    if (n_bits == 32) {
        return textf(p, "%uu", (unsigned)bits);
    }
    const char *const name = text_name(p, type);
    return n_bits == 64 ? textf(p, "%lluul", (unsigned long long)bits)
                        : textf(p, "%s(%uu)", name, (unsigned)(bits & ((1u << n_bits) - 1)));
}

const char *glsl_vector(struct printer *p, uint32_t type, const char *text)
{
    return textf(p, "%s(%s)", text_name(p, type), text);
}

const char *glsl_signed(struct printer *p, uint32_t id)
{
    return textf(p, "%s(%s)", glsl_type(p, view_type_of(p->m, id), TEXT_SIGNED), text_value(p, id));
}

/* fuzz/amber/amber_type.c -- data types of Amber. */
#include "fuzz/amber/amber_type.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "fuzz/amber/amber_line.h"
#include "oracle/num/real.h"

/* Scalars, by their name and by the mode of a format's components. */
static const struct {
    const char *name, *mode;
    unsigned n_bits;
    bool is_float, is_signed;
} rows[] = {
    {"int8",    "SINT",   8,  false, true },
    {"uint8",   "UINT",   8,  false, false},
    {"int16",   "SINT",   16, false, true },
    {"uint16",  "UINT",   16, false, false},
    {"int32",   "SINT",   32, false, true },
    {"uint32",  "UINT",   32, false, false},
    {"int64",   "SINT",   64, false, true },
    {"uint64",  "UINT",   64, false, false},
    {"float16", "SFLOAT", 16, true,  true },
    {"float",   "SFLOAT", 32, true,  true },
    {"double",  "SFLOAT", 64, true,  true },
};

static void set_scalar(size_t row, struct amber_type *out)
{
    out->n_bits = rows[row].n_bits;
    out->is_float = rows[row].is_float;
    out->is_signed = rows[row].is_signed;
}

static bool is_digit_of_size(char c)
{
    return c >= '2' && c <= '4';
}

/* "float", "vec3<float>", "mat2x3<float>", n characters. */
static bool read_plain(const char *text, size_t n, struct amber_type *out)
{
    out->n_rows = out->n_columns = 1;
    if (n > 6 && strncmp(text, "vec", 3) == 0 && is_digit_of_size(text[3]) && text[4] == '<') {
        out->n_rows = (uint32_t)(text[3] - '0');
        text += 5;
        n -= 5;
    } else if (n > 8 && strncmp(text, "mat", 3) == 0 && is_digit_of_size(text[3]) &&
               text[4] == 'x' && is_digit_of_size(text[5]) && text[6] == '<') {
        out->n_columns = (uint32_t)(text[3] - '0');
        out->n_rows = (uint32_t)(text[5] - '0');
        text += 7;
        n -= 7;
    }
    if (out->n_rows > 1) {
        if (text[n - 1] != '>') {
            return false;
        }
        n--;
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (strlen(rows[i].name) == n && memcmp(text, rows[i].name, n) == 0) {
            set_scalar(i, out);
            return true;
        }
    }
    return false;
}

/* "R32G32_SFLOAT" */
static bool read_format(const char *text, struct amber_type *out)
{
    static const char names[] = "RGBA";
    unsigned long n_bits = 0;
    out->n_columns = 1;
    for (out->n_rows = 0; out->n_rows < 4 && *text == names[out->n_rows]; out->n_rows++) {
        char *end = NULL;
        unsigned long const n = strtoul(text + 1, &end, 10);
        if (out->n_rows > 0 && n != n_bits) {
            return false;
        }
        n_bits = n;
        text = end;
    }
    for (size_t i = 0; *text == '_' && i < ARRAY_N(rows); i++) {
        if (n_bits == rows[i].n_bits && strcmp(text + 1, rows[i].mode) == 0) {
            set_scalar(i, out);
            return true;
        }
    }
    return false;
}

bool amber_type_read(const char *text, bool is_std140, struct amber_type *out)
{
    size_t const n = strlen(text);
    bool const is_array = n > 2 && strcmp(text + n - 2, "[]") == 0;
    *out = (struct amber_type){.n_rows = 1};
    if (!read_plain(text, is_array ? n - 2 : n, out) && !read_format(text, out)) {
        return false;
    }
    bool const is_wide = out->n_rows == 3 || (is_std140 && (is_array || out->n_columns > 1));
    out->column_bytes = out->n_bits / 8 * (is_wide ? 4 : out->n_rows);
    out->stride = out->n_columns * out->column_bytes;
    return true;
}

uint32_t amber_type_count(const struct amber_type *type)
{
    return type->n_rows * type->n_columns;
}

size_t amber_type_place(const struct amber_type *type, uint32_t i)
{
    uint32_t const n = amber_type_count(type), rest = i % n;
    return (size_t)(i / n) * type->stride + (size_t)(rest / type->n_rows) * type->column_bytes +
           (size_t)(rest % type->n_rows) * (type->n_bits / 8);
}

bool amber_type_find(const struct amber_type *type, uint32_t byte, uint32_t *i)
{
    uint32_t const n_bytes = type->n_bits / 8, rest = byte % type->stride;
    uint32_t const row = rest % type->column_bytes / n_bytes;
    *i = byte / type->stride * amber_type_count(type) + rest / type->column_bytes * type->n_rows +
         row;
    return rest % n_bytes == 0 && row < type->n_rows;
}

uint64_t amber_type_encode_float(const struct amber_type *type, double number)
{
    bool const is_half = type->n_bits == 16;
    double const from = is_half ? (double)(float)number : number;
    uint64_t bits = 0;
    memcpy(&bits, &from, sizeof bits);
    return real_convert(&float_formats[FMT_F64], &float_formats[format_of_bits(type->n_bits)], bits,
                        is_half ? REAL_ZERO : REAL_NEAREST);
}

/* The integer part of a number, or the integer of 64 bits that is nearest to it. */
static uint64_t round_to_integer(double number)
{
    if (number < 0) {
        return number > -0x1p63 ? (uint64_t)(int64_t)number : UINT64_C(1) << 63;
    }
    return number < 0x1p64 ? (uint64_t)number : UINT64_MAX;
}

uint64_t amber_type_encode(const struct amber_type *type, const char *text)
{
    double number = 0;
    if (type->is_float) {
        (void)amber_read_number(text, &number);
        return amber_type_encode_float(type, number);
    }
    char *end = NULL;
    bool const is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    uint64_t bits =
        text[0] == '-' ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, is_hex ? 16 : 10);
    if (*end && amber_read_number(text, &number)) { /* "1.0" */
        bits = round_to_integer(number);
    }
    return bits & UINT64_MAX >> (64 - type->n_bits);
}

double amber_type_decode(const struct amber_type *type, const unsigned char *at)
{
    unsigned const n_bits = type->n_bits;
    uint64_t const bits = load_le(at, n_bits / 8);
    if (type->is_float) {
        const struct float_format *const f = &float_formats[format_of_bits(n_bits)];
        uint64_t const wide = real_convert(f, &float_formats[FMT_F64], bits, REAL_NEAREST);
        double number = 0;
        memcpy(&number, &wide, sizeof number);
        return number;
    }
    bool const is_negative = type->is_signed && bits >> (n_bits - 1);
    return is_negative ? (double)(int64_t)(bits | ~(UINT64_MAX >> (64 - n_bits))) : (double)bits;
}

/* reports/bug/bug_value.c -- bits for people: what they are as a value of their type. */
#include "reports/bug/bug_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/tables/storage.h"

const struct float_format *bug_find_format(const char *type)
{
    for (int i = 0; type && i < FMT_ALL_N; i++) {
        size_t const n = strlen(float_formats[i].name);
        bool const is_it = strncmp(type, float_formats[i].name, n) == 0;
        if (is_it && (!type[n] || type[n] == 'x')) { /* f16x2: of a component */
            return &float_formats[i];
        }
    }
    return NULL;
}

unsigned bug_type_bytes(const char *type)
{
    static const struct {
        const char *name;
        unsigned n_bytes;
    } integers[] = {
        {"i8",  1},
        {"i16", 2},
        {"i64", 8}
    };
    const struct float_format *const f = bug_find_format(type);
    for (size_t i = 0; i < ARRAY_N(integers); i++) {
        if (strcmp(integers[i].name, type) == 0) {
            return integers[i].n_bytes;
        }
    }
    return f ? f->n_bits / 8 : 4;
}

/* The number within "0x3f800000 (1)", with its brackets cut off. */
static const char *get_number(const struct float_format *f, uint64_t bits, struct arena *a)
{
    char text[64];
    const char *const open = strchr(format_to_text(f, bits, text, sizeof text), '(');
    const char *const number = open ? open + 1 : text;
    return arena_printf(a, "%.*s", (int)strcspn(number, ")"), number);
}

const char *bug_show_bits(const struct float_format *f, unsigned n_bytes, uint64_t bits,
                          struct arena *a)
{
    int const n_digits = 2 * (int)n_bytes;
    if (!f) {
        unsigned const n_bits = 8 * n_bytes;
        bool const may_be_negative = n_bits > 0 && n_bits <= 64 && (bits >> (n_bits - 1) & 1);
        if (may_be_negative) { /* nothing tells whether it has a sign */
            int64_t const negative = (int64_t)(bits << (64 - n_bits)) >> (64 - n_bits);
            return arena_printf(a, "0x%0*" PRIx64 " (%" PRIu64 " or %" PRId64 ")", n_digits, bits,
                                bits, negative);
        }
        return arena_printf(a, "0x%0*" PRIx64 " (%" PRIu64 ")", n_digits, bits, bits);
    }
    if (format_is_nan(f, bits)) {
        return arena_printf(a, "0x%0*" PRIx64 " (%s NaN)", n_digits, bits,
                            format_is_snan(f, bits) ? "signalling" : "quiet");
    }
    return arena_printf(a, "0x%0*" PRIx64 " (%s%s)", n_digits, bits, get_number(f, bits, a),
                        format_is_subnormal(f, bits) ? ", subnormal" : "");
}

const char *bug_show_of(const char *op, const struct float_format *f, unsigned n_bytes,
                        uint64_t bits, struct arena *a)
{
    unsigned const n_bits = 8 * n_bytes;
    bool const is_unsigned =
        op[0] == 'u' ? op[1] == '_' : op[0] == 'U' && op[1] >= 'A' && op[1] <= 'Z';
    bool const is_signed =
        op[0] == 's' ? op[1] == '_' : op[0] == 'S' && op[1] >= 'A' && op[1] <= 'Z';
    if (f || n_bits == 0 || n_bits > 64 || !(is_unsigned || is_signed)) {
        return bug_show_bits(f, n_bytes, bits, a);
    }
    int64_t const number = (int64_t)(bits << (64 - n_bits)) >> (64 - n_bits);
    return is_signed
               ? arena_printf(a, "0x%0*" PRIx64 " (%" PRId64 ")", 2 * (int)n_bytes, bits, number)
               : arena_printf(a, "0x%0*" PRIx64 " (%" PRIu64 ")", 2 * (int)n_bytes, bits, bits);
}

const char *bug_show_plain(const struct float_format *f, uint64_t bits, struct arena *a)
{
    if (!f) {
        return arena_printf(a, "%" PRIu64, bits);
    }
    bool const is_positive_zero = format_is_zero(f, bits) && (bits & f->sign) == 0;
    return format_is_nan(f, bits) ? "a NaN" : is_positive_zero ? "+0" : get_number(f, bits, a);
}

bool bug_take_participant(const char **at, struct bug_participant *out)
{
    char *end = NULL;
    *out = (struct bug_participant){0};
    while (**at == ' ') {
        (*at)++;
    }
    out->id = (uint32_t)strtoul(*at, &end, 10);
    if (end == *at || *end != ':') {
        return false;
    }
    do {
        const char *const from = end + 1;
        uint64_t const v = strtoull(from, &end, 16);
        if (end == from) { /* "unknown" */
            return false;
        }
        if (out->n < ARRAY_N(out->value)) {
            out->value[out->n++] = v;
        }
    } while (*end == ',');
    *at = end;
    return true;
}

bool bug_has_nan(const char *participants, enum val_type type)
{
    const struct float_format *const f = bug_find_format(val_type_names[type]);
    const char *at = participants ? participants : "";
    struct bug_participant x;
    while (f && bug_take_participant(&at, &x)) {
        for (uint32_t i = 0; i < x.n; i++) {
            if (format_is_nan(f, x.value[i])) {
                return true;
            }
        }
    }
    return false;
}

/* fuzz/amber/amber_expect.c -- what a script of Amber expects. */
#include "fuzz/amber/amber_expect.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "fuzz/amber/amber_line.h"
#include "fuzz/amber/amber_type.h"

#define EQ_PERCENT 0.000001 /* by which equal floats may differ: kEpsilon of Amber's verifier.cc */

static bool read_comparison(const char *text, enum amber_comparison *out)
{
    static const char *const names[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
    for (uint32_t i = 0; i < ARRAY_N(names); i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (enum amber_comparison)i;
            return true;
        }
    }
    return false;
}

/* TOLERANCE t... from word *at, which goes behind it: the first is kept. "%" stands at the number, or alone. */
static bool read_tolerance(const struct amber_lines *l, uint32_t *at, struct amber_expect *x)
{
    uint32_t n = 0;
    for ((*at)++; *at < l->n_words; (*at)++) {
        char *end = NULL;
        const char *const word = l->word[*at];
        double const number = strtod(word, &end);
        bool const is_alone = strcmp(word, "%") == 0;
        if (!is_alone && (end == word || (*end && strcmp(end, "%") != 0))) {
            break;
        }
        n += !is_alone;
        if (n == 1) {
            x->tolerance = is_alone ? x->tolerance : number;
            x->is_percent = is_alone || *end == '%';
        }
    }
    return n >= 1 && n <= 4;
}

/* IDX n [TOLERANCE t] EQ values */
static enum res read_values(struct amber_lines *l, const struct amber_type *type,
                            struct amber_expect *x)
{
    uint32_t at = 4, first = 0;
    const char **const values = ARENA_NEW(l->a, const char *, l->n_words + 1);
    if (!values || !amber_read_count(amber_line_word(l, 3), &x->byte)) {
        return amber_line_fail(l, "IDX NUMBER is needed");
    }
    bool const is_near = amber_line_is(l, at, "TOLERANCE");
    if (is_near && !read_tolerance(l, &at, x)) {
        return amber_line_fail(l, "TOLERANCE with 1 to 4 numbers is needed");
    }
    if (!read_comparison(amber_line_word(l, at), &x->comparison) ||
        (is_near && x->comparison != AMBER_EQ)) {
        return amber_line_fail(l, is_near ? "EQ is needed after a TOLERANCE"
                                          : "EQ, NE, LT, LE, GT or GE is needed");
    }
    x->comparison = is_near ? AMBER_TOLERANCE : x->comparison;
    if (!amber_type_find(type, x->byte, &first)) {
        return amber_line_fail(l,
                               "IDX with a byte at which a number of the buffer begins is needed");
    }
    for (at++; at < l->n_words; at++) {
        double ignored = 0;
        values[x->n++] = l->word[at];
        if (!amber_read_number(l->word[at], &ignored)) {
            return amber_line_fail_word(l, l->word[at], "a number is needed");
        }
    }
    x->value = values;
    return x->n ? RES_OK : amber_line_fail(l, "a number is needed");
}

enum res amber_expect_read(struct amber_lines *l, const struct amber_buffers *buffers,
                           uint32_t n_runs, struct amber_expects *all)
{
    if (all->n >= AMBER_MAX_EXPECTS) {
        return amber_line_fail(l, "more than 256 EXPECT");
    }
    struct amber_expect *const x = &all->row[all->n++];
    uint32_t const buffer = amber_buffer_find(buffers, amber_line_word(l, 1));
    *x =
        (struct amber_expect){.line = l->line, .buffer = buffer, .other = buffer, .n_runs = n_runs};
    if (buffer == AMBER_MAX_BUFFERS) {
        return amber_line_fail(l, "EXPECT of a buffer that is not there");
    }
    if (amber_line_is(l, 2, "EQ_BUFFER")) {
        x->comparison = AMBER_EQ_BUFFER;
        x->other = amber_buffer_find(buffers, amber_line_word(l, 3));
        return x->other < AMBER_MAX_BUFFERS
                   ? RES_OK
                   : amber_line_fail(l, "EQ_BUFFER of a buffer that is not there");
    }
    return amber_line_is(l, 2, "IDX") ? read_values(l, &buffers->row[buffer].type, x)
                                      : amber_line_fail(l, "IDX or EQ_BUFFER is needed");
}

/* ---- whether it holds ---- */

static bool is_nan(double x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return format_is_nan(&float_formats[FMT_F64], bits) != 0;
}

/* The distance of two numbers. */
static double get_distance(double a, double b)
{
    return a > b ? a - b : b - a;
}

/* Are they at most the tolerance apart? Of NaNs both have to be one; infinities that are equal have no distance. */
static bool is_near(double got, double want, double tolerance, bool is_percent)
{
    if (is_nan(got) || is_nan(want)) {
        return is_nan(got) && is_nan(want);
    }
    return (got >= want && got <= want) ||
           get_distance(got, want) <=
               (is_percent ? get_distance(want, 0) * tolerance / 100 : tolerance);
}

static bool compare_floats(const struct amber_expect *x, double got, double want)
{
    switch (x->comparison) {
    case AMBER_EQ:
        return is_near(got, want, EQ_PERCENT, true);
    case AMBER_NE:
        return !is_near(got, want, EQ_PERCENT, true);
    case AMBER_LT:
        return got < want;
    case AMBER_LE:
        return got <= want;
    case AMBER_GT:
        return got > want;
    case AMBER_GE:
        return got >= want;
    case AMBER_TOLERANCE:
        return is_near(got, want, x->tolerance, x->is_percent);
    case AMBER_EQ_BUFFER:
        break;
    }
    return false;
}

/* Integers of the type, by their bits: -1, 0 or 1 as the first is less, equal or greater. */
static int order(const struct amber_type *type, uint64_t a, uint64_t b)
{
    uint64_t const flip = type->is_signed ? UINT64_C(1) << (type->n_bits - 1) : 0;
    return (a ^ flip) < (b ^ flip) ? -1 : (a ^ flip) > (b ^ flip);
}

static bool compare(const struct amber_expect *x, const struct amber_type *type,
                    const unsigned char *at, const char *text, double *got)
{
    double want = 0;
    *got = amber_type_decode(type, at);
    (void)amber_read_number(text, &want);
    if (type->is_float || x->comparison == AMBER_TOLERANCE) {
        /* of a float16 Amber compares floats */
        bool const is_double = type->n_bits == 64 || !type->is_float;
        return compare_floats(x, *got, is_double ? want : (double)(float)want);
    }
    int const sign = order(type, load_le(at, type->n_bits / 8), amber_type_encode(type, text));
    return compare_floats(x, sign, 0);
}

bool amber_expect_holds(const struct amber_expect *x, const struct amber_buffers *buffers,
                        const unsigned char *const *contents, struct arena *a, const char **why)
{
    const struct amber_buffer *const b = &buffers->row[x->buffer];
    const unsigned char *const content = contents[x->buffer];
    uint32_t first = 0;
    *why = "";
    if (x->comparison == AMBER_EQ_BUFFER) {
        const struct amber_buffer *const other = &buffers->row[x->other];
        const unsigned char *const with = contents[x->other];
        uint32_t i = 0;
        while (i < b->n_bytes && i < other->n_bytes && content[i] == with[i]) {
            i++;
        }
        if (b->n_bytes != other->n_bytes || i < b->n_bytes) {
            *why = arena_printf(a, "%s and %s differ, first at byte %u", b->name, other->name, i);
            return false;
        }
        return true;
    }
    (void)amber_type_find(&b->type, x->byte, &first);
    for (uint32_t i = 0; i < x->n; i++) {
        size_t const at = amber_type_place(&b->type, first + i);
        double got = 0;
        if (at + b->type.n_bits / 8 > b->n_bytes) {
            *why = arena_printf(a, "byte %zu is not in %s", at, b->name);
            return false;
        }
        if (!compare(x, &b->type, content + at, x->value[i], &got)) {
            *why =
                arena_printf(a, "%s has %.9g at byte %zu, not %s", b->name, got, at, x->value[i]);
            return false;
        }
    }
    return true;
}

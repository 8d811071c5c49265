/* fuzz/kernel/kernel_amber.c -- scripts of Amber with a compute pipeline. */
#include "fuzz/kernel/kernel_amber.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/spv.h"
#include "fuzz/kernel/kernel_fill.h"
#include "oracle/num/real.h"

enum {
    MAX_WORDS = 512, /* of a line */
    MAX_BUFFER_BYTES = CASE_MAX_BUF_BYTES
};

struct script_reader {
    const char *path, *text, *end, *p; /* p: the next line */
    uint32_t line;
    uint32_t n_words;
    const char *word[MAX_WORDS];
    struct arena *a;
    struct amber *out;
    bool has_run;
    struct err *e;
};

static enum res fail(struct script_reader *r, const char *what)
{
    return err_set(r->e, RES_FORMAT, "%s:%u: %s", r->path, r->line, what);
}

static const char *get_word(const struct script_reader *r, uint32_t i)
{
    return i < r->n_words ? r->word[i] : "";
}

static bool is_word(const struct script_reader *r, uint32_t i, const char *text)
{
    return strcmp(get_word(r, i), text) == 0;
}

/* Takes the next line apart; a comment begins with #. False: there is none. */
static bool next_line(struct script_reader *r)
{
    r->n_words = 0;
    if (r->p >= r->end) {
        return false;
    }
    const char *const stop = memchr(r->p, '\n', (size_t)(r->end - r->p));
    const char *const line_end = stop ? stop : r->end;
    r->line++;
    for (const char *p = r->p; p < line_end && r->n_words < MAX_WORDS;) {
        while (p < line_end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == ',')) {
            p++;
        }
        const char *const from = p;
        while (p < line_end && *p != ' ' && *p != '\t' && *p != '\r' && *p != ',') {
            p++;
        }
        if (from == p || *from == '#') {
            break;
        }
        r->word[r->n_words++] = arena_printf(r->a, "%.*s", (int)(p - from), from);
    }
    r->p = stop ? stop + 1 : r->end;
    return true;
}

static bool read_number(const char *text, double *out)
{
    char *end = NULL;
    bool const is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    *out = is_hex ? (double)strtoull(text, &end, 0) : strtod(text, &end);
    return end != text && *end == '\0';
}

static bool read_count(const char *text, uint32_t *out)
{
    char *end = NULL;
    unsigned long const n = strtoul(text, &end, 10);
    *out = (uint32_t)n;
    return end != text && *end == '\0' && n <= UINT32_MAX;
}

/* ---- buffers ---- */

static bool read_type(const char *text, struct amber_type *out)
{
    static const struct {
        const char *name;
        unsigned n_bits;
        bool is_float, is_signed;
    } rows[] = {
        {"int8",    8,  false, true },
        {"uint8",   8,  false, false},
        {"int16",   16, false, true },
        {"uint16",  16, false, false},
        {"int32",   32, false, true },
        {"uint32",  32, false, false},
        {"int64",   64, false, true },
        {"uint64",  64, false, false},
        {"float16", 16, true,  true },
        {"float",   32, true,  true },
        {"double",  64, true,  true },
    };
    char scalar[16] = "";
    uint32_t n = 1;
    if (strncmp(text, "vec", 3) == 0 && text[3] >= '2' && text[3] <= '4' && text[4] == '<') {
        size_t const length = strcspn(text + 5, ">");
        n = (uint32_t)(text[3] - '0');
        if (length >= sizeof scalar || text[5 + length] != '>') {
            return false;
        }
        memcpy(scalar, text + 5, length);
        text = scalar;
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (strcmp(text, rows[i].name) == 0) {
            *out = (struct amber_type){
                .scalar = {.n_bits = rows[i].n_bits, .is_float = rows[i].is_float},
                .is_signed = rows[i].is_signed,
                .n_components = n,
                .stride = rows[i].n_bits / 8 * (n == 3 ? 4 : n)
            };
            return true;
        }
    }
    return false;
}

static struct amber_buffer *find_buffer(const struct script_reader *r, const char *name)
{
    for (uint32_t i = 0; i < r->out->n_buffers; i++) {
        if (strcmp(r->out->buffers[i].name, name) == 0) {
            return &r->out->buffers[i];
        }
    }
    return NULL;
}

static uint64_t encode(const struct amber_type *type, const char *text, double number)
{
    if (type->scalar.is_float) {
        return kernel_encode(number, &type->scalar);
    }
    return text[0] == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);
}

static void put(const struct amber_type *type, unsigned char *data, uint32_t i, uint64_t bits)
{
    uint32_t const n_bytes = type->scalar.n_bits / 8;
    store_le(data + (size_t)(i / type->n_components) * type->stride +
                 (size_t)(i % type->n_components) * n_bytes,
             bits, n_bytes);
}

static enum res size_buffer(struct script_reader *r, struct amber_buffer *b, uint32_t n_elements)
{
    uint64_t const n = (uint64_t)n_elements * b->type.stride;
    if (n == 0 || n > MAX_BUFFER_BYTES) {
        return fail(r, "a buffer of 1 byte to 16 MiB is needed");
    }
    b->n_bytes = (uint32_t)((n + 3) / 4 * 4);
    b->data = ARENA_NEW(r->a, unsigned char, b->n_bytes);
    if (!b->data) {
        return err_set(r->e, RES_NOMEM, "%s: no room for buffer %s", r->path, b->name);
    }
    memset(b->data, 0, b->n_bytes);
    return RES_OK;
}

/* SIZE n FILL v, SIZE n SERIES_FROM v INC_BY d */
static enum res read_fill(struct script_reader *r, struct amber_buffer *b, uint32_t at)
{
    uint32_t n = 0;
    double first = 0, step = 0;
    bool const is_series = is_word(r, at + 2, "SERIES_FROM");
    bool const is_fill = is_word(r, at + 2, "FILL");
    if (!read_count(get_word(r, at + 1), &n) || (!is_series && !is_fill) ||
        !read_number(get_word(r, at + 3), &first) ||
        (is_series &&
         (!is_word(r, at + 4, "INC_BY") || !read_number(get_word(r, at + 5), &step)))) {
        return fail(r, "SIZE N FILL NUMBER or SIZE N SERIES_FROM NUMBER INC_BY NUMBER is needed");
    }
    TRY(size_buffer(r, b, n));
    for (uint32_t i = 0; i < n * b->type.n_components; i++) {
        put(&b->type, b->data, i,
            is_fill ? encode(&b->type, get_word(r, at + 3), first)
                    : kernel_encode(first + step * i, &b->type.scalar));
    }
    return RES_OK;
}

/* DATA, numbers, END */
static enum res read_data(struct script_reader *r, struct amber_buffer *b, uint32_t at)
{
    struct {
        uint64_t *bits;
        size_t n,
            room; /* each number but those of this line takes two characters of the text at least */
    } x = {.room = (size_t)(r->end - r->p) / 2 + MAX_WORDS};
    x.bits = ARENA_NEW(r->a, uint64_t, x.room);
    bool has_ended = false;
    if (!x.bits) {
        return err_set(r->e, RES_NOMEM, "%s: no room for data", r->path);
    }
    for (at++; !has_ended; at = 0) {
        for (; at < r->n_words && !has_ended; at++) {
            double number = 0;
            has_ended = is_word(r, at, "END");
            if (!has_ended && !read_number(get_word(r, at), &number)) {
                return fail(r, "a number is needed");
            }
            if (!has_ended && x.n < x.room) {
                x.bits[x.n++] = encode(&b->type, get_word(r, at), number);
            }
        }
        if (!has_ended && !next_line(r)) {
            return fail(r, "DATA without END");
        }
    }
    TRY(size_buffer(r, b, (uint32_t)(x.n + b->type.n_components - 1) / b->type.n_components));
    for (uint32_t i = 0; i < x.n; i++) {
        put(&b->type, b->data, i, x.bits[i]);
    }
    return RES_OK;
}

static enum res read_buffer(struct script_reader *r)
{
    if (r->out->n_buffers >= AMBER_MAX_BUFFERS) {
        return fail(r, "too many buffers");
    }
    struct amber_buffer *const b = &r->out->buffers[r->out->n_buffers];
    *b = (struct amber_buffer){.name = get_word(r, 1)};
    if (!is_word(r, 2, "DATA_TYPE") || !read_type(get_word(r, 3), &b->type)) {
        return fail(r, "BUFFER NAME DATA_TYPE TYPE is needed, of an integer, a float or a vector");
    }
    uint32_t const at = is_word(r, 4, "STD430") ? 5 : 4;
    if (is_word(r, at, "SIZE")) {
        TRY(read_fill(r, b, at));
    } else if (is_word(r, at, "DATA")) {
        TRY(read_data(r, b, at));
    } else {
        return fail(r, "SIZE or DATA is needed");
    }
    r->out->n_buffers++;
    return RES_OK;
}

/* ---- shader and pipeline ---- */

/* The version of SPIR-V that assembly is of, by TARGET_ENV; 0: that is not known. Without it 1.3, in which all that
 * compute shaders of 1.0 have is valid. */
static uint32_t find_version(const struct script_reader *r)
{
    static const struct {
        const char *name;
        uint32_t minor;
    } rows[] = {
        {"spv1.0",    0},
        {"spv1.1",    1},
        {"spv1.2",    2},
        {"spv1.3",    3},
        {"spv1.4",    4},
        {"spv1.5",    5},
        {"spv1.6",    6},
        {"vulkan1.0", 0},
        {"vulkan1.1", 3},
        {"vulkan1.2", 5},
        {"vulkan1.3", 6},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (is_word(r, 4, "TARGET_ENV") && is_word(r, 5, rows[i].name)) {
            return spv_version_word(rows[i].minor);
        }
    }
    return r->n_words > 4 ? 0 : spv_version_word(3);
}

static enum res read_shader(struct script_reader *r)
{
    bool const is_assembly = is_word(r, 3, "SPIRV-ASM");
    uint32_t const first_line = r->line;
    const char *const from = r->p;
    if (!is_word(r, 1, "compute") || (!is_assembly && !is_word(r, 3, "GLSL"))) {
        return fail(r, "a shader of compute in GLSL or SPIRV-ASM is needed");
    }
    r->out->version = find_version(r);
    if (r->out->version == 0) {
        return fail(r, "behind the shader's kind TARGET_ENV with spv1.0 to spv1.6, or vulkan1.0 to "
                       "vulkan1.3, may stand");
    }
    if (r->out->shader) {
        return fail(r, "a second shader: one can be run");
    }
    const char *end = NULL;
    for (;;) {
        end = r->p;
        if (!next_line(r)) {
            return fail(r, "SHADER without END");
        }
        if (r->n_words == 1 && is_word(r, 0, "END")) {
            break;
        }
    }
    size_t const n = (size_t)(end - from);
    char *const text = ARENA_NEW(r->a, char, first_line + n + 1);
    if (!text) {
        return err_set(r->e, RES_NOMEM, "%s: no room for the shader", r->path);
    }
    memset(text, '\n', first_line);
    memcpy(text + first_line, from, n);
    text[first_line + n] = '\0';
    r->out->shader = text;
    r->out->n_shader = first_line + n;
    r->out->is_assembly = is_assembly;
    return RES_OK;
}

/* BIND BUFFER name AS kind [DESCRIPTOR_SET s BINDING b] */
static enum res read_bind(struct script_reader *r)
{
    struct amber_buffer *const b = find_buffer(r, get_word(r, 2));
    bool const is_push = is_word(r, 4, "push_constant");
    bool const is_known = is_push || is_word(r, 4, "storage") || is_word(r, 4, "uniform");
    if (!is_word(r, 1, "BUFFER") || !b || !is_word(r, 3, "AS") || !is_known) {
        return fail(r, "BIND BUFFER NAME AS storage, uniform or push_constant is needed");
    }
    b->is_bound = true;
    b->is_push = is_push;
    if (!is_push && (!is_word(r, 5, "DESCRIPTOR_SET") || !read_count(get_word(r, 6), &b->set) ||
                     !is_word(r, 7, "BINDING") || !read_count(get_word(r, 8), &b->binding))) {
        return fail(r, "DESCRIPTOR_SET NUMBER BINDING NUMBER is needed");
    }
    return RES_OK;
}

/* SPECIALIZE id AS type VALUE number */
static enum res read_specialize(struct script_reader *r, uint32_t at)
{
    struct amber *const out = r->out;
    if (out->n_specs >= CASE_MAX_SPECS ||
        !read_count(get_word(r, at + 1), &out->specs[out->n_specs].id) ||
        !is_word(r, at + 4, "VALUE")) {
        return fail(r, "SPECIALIZE ID AS TYPE VALUE NUMBER is needed");
    }
    out->specs[out->n_specs++].value = get_word(r, at + 5);
    return RES_OK;
}

static enum res read_pipeline(struct script_reader *r)
{
    if (!is_word(r, 1, "compute")) {
        return fail(r, "a pipeline of graphics: compute alone can be run");
    }
    while (next_line(r)) {
        if (r->n_words == 0) {
            continue;
        }
        if (is_word(r, 0, "END")) {
            return RES_OK;
        }
        if (is_word(r, 0, "ATTACH")) {
            for (uint32_t i = 2; i < r->n_words; i++) {
                if (is_word(r, i, "ENTRY_POINT")) {
                    r->out->entry = get_word(r, i + 1);
                } else if (is_word(r, i, "SPECIALIZE")) {
                    TRY(read_specialize(r, i));
                }
            }
        } else if (is_word(r, 0, "SPECIALIZE")) {
            TRY(read_specialize(r, 0));
        } else if (is_word(r, 0, "BIND")) {
            TRY(read_bind(r));
        } else {
            return fail(r, arena_printf(r->a, "%.40s: not known in a pipeline here", r->word[0]));
        }
    }
    return fail(r, "PIPELINE without END");
}

/* ---- what is run and expected ---- */

static enum res read_run(struct script_reader *r)
{
    if (r->has_run) {
        return fail(r, "a second RUN: one can be run");
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (!read_count(get_word(r, 2 + i), &r->out->groups[i]) || r->out->groups[i] == 0) {
            return fail(r, "RUN PIPELINE X Y Z is needed, of work-groups");
        }
    }
    r->has_run = true;
    return RES_OK;
}

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

/* IDX n [TOLERANCE t] EQ values */
static enum res read_values(struct script_reader *r, struct amber_expect *x)
{
    uint32_t at = 4;
    double *const values = ARENA_NEW(r->a, double, r->n_words + 1);
    if (!values || !read_count(get_word(r, 3), &x->byte)) {
        return fail(r, "IDX NUMBER is needed");
    }
    bool const is_near = is_word(r, at, "TOLERANCE");
    if (is_near) {
        char *end = NULL;
        x->tolerance = strtod(get_word(r, at + 1), &end);
        x->is_percent = *end == '%';
        at += 2;
    }
    if (!read_comparison(get_word(r, at), &x->comparison)) {
        return fail(r, "EQ, NE, LT, LE, GT or GE is needed");
    }
    x->comparison = is_near ? AMBER_TOLERANCE : x->comparison;
    for (at++; at < r->n_words; at++) {
        if (!read_number(r->word[at], &values[x->n++])) {
            return fail(r, "a number is needed");
        }
    }
    x->value = values;
    return x->n ? RES_OK : fail(r, "a number is needed");
}

static enum res read_expect(struct script_reader *r)
{
    if (r->out->n_expects >= AMBER_MAX_EXPECTS) {
        return fail(r, "too many EXPECT");
    }
    struct amber_expect *const x = &r->out->expects[r->out->n_expects++];
    const struct amber_buffer *const b = find_buffer(r, get_word(r, 1));
    *x = (struct amber_expect){.line = r->line};
    if (!b) {
        return fail(r, "EXPECT of a buffer that is not there");
    }
    x->buffer = (uint32_t)(b - r->out->buffers);
    if (is_word(r, 2, "EQ_BUFFER")) {
        const struct amber_buffer *const other = find_buffer(r, get_word(r, 3));
        x->comparison = AMBER_EQ_BUFFER;
        x->other = other ? (uint32_t)(other - r->out->buffers) : 0;
        return other ? RES_OK : fail(r, "EQ_BUFFER of a buffer that is not there");
    }
    return is_word(r, 2, "IDX") ? read_values(r, x) : fail(r, "IDX or EQ_BUFFER is needed");
}

static enum res read_command(struct script_reader *r)
{
    static const char *const idle[] = {"DEVICE_FEATURE", "DEVICE_EXTENSION", "INSTANCE_EXTENSION",
                                       "SET"};
    if (is_word(r, 0, "SHADER")) {
        return read_shader(r);
    }
    if (is_word(r, 0, "BUFFER")) {
        return read_buffer(r);
    }
    if (is_word(r, 0, "PIPELINE")) {
        return read_pipeline(r);
    }
    if (is_word(r, 0, "RUN")) {
        return read_run(r);
    }
    if (is_word(r, 0, "EXPECT")) {
        return read_expect(r);
    }
    for (size_t i = 0; i < ARRAY_N(idle); i++) {
        if (is_word(r, 0, idle[i])) {
            return RES_OK;
        }
    }
    return fail(r, arena_printf(r->a, "%.40s: not known here", r->word[0]));
}

enum res kernel_amber_read(const char *path, const char *text, size_t n, struct arena *a,
                           struct amber *out, struct err *e)
{
    struct script_reader *const r = ARENA_NEW(a, struct script_reader, 1);
    if (!r) {
        return err_set(e, RES_NOMEM, "%s: no room for the script", path);
    }
    *r = (struct script_reader){
        .path = path, .text = text, .end = text + n, .p = text, .a = a, .out = out, .e = e};
    memset(out, 0, sizeof *out);
    while (next_line(r)) {
        if (r->n_words > 0) {
            TRY(read_command(r));
        }
    }
    if (!out->shader) {
        return fail(r, "the script has no shader");
    }
    return r->has_run ? RES_OK : fail(r, "the script runs nothing");
}

/* ---- whether it holds ---- */

/* The distance of two numbers. */
static double get_distance(double a, double b)
{
    return a > b ? a - b : b - a;
}

static double decode(const struct amber_type *type, const unsigned char *at)
{
    unsigned const n_bits = type->scalar.n_bits;
    uint64_t const bits = load_le(at, n_bits / 8);
    if (type->scalar.is_float) {
        const struct float_format *const f = &float_formats[format_of_bits(n_bits)];
        uint64_t const wide = real_convert(f, &float_formats[FMT_F64], bits, REAL_NEAREST);
        double number = 0;
        memcpy(&number, &wide, sizeof number);
        return number;
    }
    bool const is_negative = type->is_signed && bits >> (n_bits - 1);
    return is_negative ? (double)(int64_t)(bits | ~(UINT64_MAX >> (64 - n_bits))) : (double)bits;
}

static bool compare(const struct amber_expect *x, double got, double want)
{
    double const limit = x->is_percent ? get_distance(want, 0) * x->tolerance / 100 : x->tolerance;
    switch (x->comparison) {
    case AMBER_EQ:
        return got >= want && got <= want;
    case AMBER_NE:
        return !(got >= want && got <= want);
    case AMBER_LT:
        return got < want;
    case AMBER_LE:
        return got <= want;
    case AMBER_GT:
        return got > want;
    case AMBER_GE:
        return got >= want;
    case AMBER_TOLERANCE:
        return get_distance(got, want) <= limit;
    case AMBER_EQ_BUFFER:
        break;
    }
    return false;
}

bool kernel_amber_holds(const struct amber *script, const struct amber_expect *x,
                        const unsigned char *const *contents, struct arena *a, const char **why)
{
    const struct amber_buffer *const b = &script->buffers[x->buffer];
    const unsigned char *const content = contents[x->buffer] ? contents[x->buffer] : b->data;
    uint32_t const n_bytes = b->type.scalar.n_bits / 8;
    *why = "";
    if (x->comparison == AMBER_EQ_BUFFER) {
        const struct amber_buffer *const other = &script->buffers[x->other];
        const unsigned char *const with = contents[x->other] ? contents[x->other] : other->data;
        if (b->n_bytes != other->n_bytes || memcmp(content, with, b->n_bytes) != 0) {
            *why = arena_printf(a, "%s and %s differ", b->name, other->name);
            return false;
        }
        return true;
    }
    uint32_t at = x->byte;
    for (uint32_t i = 0; i < x->n; i++) {
        if (at > b->n_bytes || b->n_bytes - at < n_bytes) {
            *why = arena_printf(a, "byte %u is not in %s", at, b->name);
            return false;
        }
        double const got = decode(&b->type, content + at);
        if (!compare(x, got, x->value[i])) {
            *why =
                arena_printf(a, "%s has %.9g at byte %u, not %.9g", b->name, got, at, x->value[i]);
            return false;
        }
        at += n_bytes;
        if (b->type.n_components == 3 && (i + 1) % 3 == 0) {
            at += n_bytes; /* a vector of 3 takes the room of 4 */
        }
    }
    return true;
}

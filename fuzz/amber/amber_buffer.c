/* fuzz/amber/amber_buffer.c -- buffers of a script of Amber. */
#include "fuzz/amber/amber_buffer.h"

#include <string.h>

uint32_t amber_buffer_find(const struct amber_buffers *all, const char *name)
{
    for (uint32_t i = 0; i < all->n; i++) {
        if (strcmp(all->row[i].name, name) == 0) {
            return i;
        }
    }
    return AMBER_MAX_BUFFERS;
}

/* Zeros, n elements of them. */
static enum res size_buffer(const struct amber_lines *l, struct amber_buffer *b, uint64_t n)
{
    uint64_t const n_bytes = n * b->type.stride;
    if (n == 0 || n > CASE_MAX_BUF_BYTES || n_bytes > CASE_MAX_BUF_BYTES) {
        return amber_line_fail(l, "a buffer of 1 byte to 16 MiB is needed");
    }
    b->n_bytes = (uint32_t)((n_bytes + 3) / 4 * 4);
    b->data = ARENA_NEW(l->a, unsigned char, b->n_bytes);
    if (!b->data) {
        return err_set(l->e, RES_NOMEM, "%s: no room for buffer %s", l->path, b->name);
    }
    memset(b->data, 0, b->n_bytes);
    return RES_OK;
}

static void put(struct amber_buffer *b, uint32_t i, uint64_t bits)
{
    store_le(b->data + amber_type_place(&b->type, i), bits, b->type.n_bits / 8);
}

/* FILL v, or SERIES_FROM v INC_BY d, of n elements. */
static enum res read_fill(struct amber_lines *l, struct amber_buffer *b, uint32_t at, uint32_t n)
{
    bool const is_series = amber_line_is(l, at, "SERIES_FROM");
    const char *const first = amber_line_word(l, at + 1);
    const char *const step = is_series ? amber_line_word(l, at + 3) : "0";
    double number = 0, increment = 0;
    if (!amber_read_number(first, &number) || !amber_read_number(step, &increment) ||
        (is_series && !amber_line_is(l, at + 2, "INC_BY"))) {
        return amber_line_fail(l, "FILL NUMBER or SERIES_FROM NUMBER INC_BY NUMBER is needed");
    }
    TRY(size_buffer(l, b, n));
    uint64_t integer = amber_type_encode(&b->type, first);
    for (uint32_t i = 0; i < n * amber_type_count(&b->type); i++) {
        put(b, i, b->type.is_float ? amber_type_encode_float(&b->type, number) : integer);
        number += increment;
        integer += amber_type_encode(&b->type, step);
    }
    return RES_OK;
}

/* Numbers up to END, or where `to_end` up to the last line; n_least elements at least. */
static enum res read_data(struct amber_lines *l, struct amber_buffer *b, uint32_t at,
                          uint32_t n_least, bool to_end)
{
    /* each number but those of this line takes two characters of the text at least */
    size_t const room = (size_t)(l->end - l->p) / 2 + AMBER_MAX_WORDS + 1;
    uint64_t *const bits = ARENA_NEW(l->a, uint64_t, room);
    size_t n = 0;
    bool has_ended = false;
    if (!bits) {
        return err_set(l->e, RES_NOMEM, "%s: no room for data", l->path);
    }
    for (; !has_ended; at = 0) {
        if (l->is_cut) {
            return amber_line_fail(l, "more than 4096 words in a line");
        }
        for (; at < l->n_words && !has_ended; at++) {
            double number = 0;
            has_ended = amber_line_is(l, at, "END");
            if (!has_ended && !amber_read_number(l->word[at], &number)) {
                return amber_line_fail_word(l, l->word[at], "a number is needed");
            }
            if (!has_ended && n < room) {
                bits[n++] = amber_type_encode(&b->type, l->word[at]);
            }
        }
        if (!has_ended && !amber_line_next(l)) {
            if (!to_end) {
                return amber_line_fail(l, "DATA without END");
            }
            has_ended = true;
        }
    }
    uint32_t const per_element = amber_type_count(&b->type);
    uint64_t const n_elements = (n + per_element - 1) / per_element;
    TRY(size_buffer(l, b, n_elements > n_least ? n_elements : n_least));
    for (uint32_t i = 0; i < n; i++) {
        put(b, i, bits[i]);
    }
    return RES_OK;
}

/* FILE TEXT name: numbers as of DATA, n elements at least. FILE BINARY name: the bytes, whose number is that of the buffer. */
static enum res read_file(struct amber_lines *l, struct amber_buffer *b, uint32_t at, uint32_t n)
{
    const unsigned char *bytes = NULL;
    size_t n_bytes = 0;
    bool const is_text = amber_line_is(l, at + 1, "TEXT");
    if (!is_text && !amber_line_is(l, at + 1, "BINARY")) {
        return amber_line_fail(l, "FILE TEXT NAME or FILE BINARY NAME is needed");
    }
    TRY(amber_line_read_file(l, amber_line_word(l, at + 2), &bytes, &n_bytes));
    if (is_text) {
        struct amber_lines *const inner = ARENA_NEW(l->a, struct amber_lines, 1);
        if (!inner) {
            return err_set(l->e, RES_NOMEM, "%s: no room for data", l->path);
        }
        *inner =
            (struct amber_lines){.path = arena_printf(l->a, "%s, line %u, its file %s", l->path,
                                                      l->line, amber_line_word(l, at + 2)),
                                 .p = (const char *)bytes,
                                 .end = (const char *)bytes + n_bytes,
                                 .a = l->a,
                                 .e = l->e};
        return read_data(inner, b, 0, n, true);
    }
    if (n_bytes % b->type.stride != 0) {
        return amber_line_fail(l, "FILE BINARY: the file is not whole elements of the type");
    }
    TRY(size_buffer(l, b, n_bytes / b->type.stride));
    memcpy(b->data, bytes, n_bytes);
    return RES_OK;
}

enum res amber_buffer_read(struct amber_lines *l, struct amber_buffers *all)
{
    uint32_t n = 0, height = 0, at = 4;
    if (all->n >= AMBER_MAX_BUFFERS) {
        return amber_line_fail(l, "more than 64 buffers");
    }
    struct amber_buffer *const b = &all->row[all->n];
    *b = (struct amber_buffer){.name = amber_line_word(l, 1)};
    if (amber_line_is(l, 2, "FORMAT")) {
        return amber_line_fail(l, "BUFFER NAME FORMAT: an image, which is not given to a shader "
                                  "here; BUFFER NAME DATA_TYPE TYPE is");
    }
    bool const is_std140 = amber_line_is(l, at, "STD140");
    if (!amber_line_is(l, 2, "DATA_TYPE") ||
        !amber_type_read(amber_line_word(l, 3), is_std140, &b->type)) {
        return amber_line_fail(l, "BUFFER NAME DATA_TYPE TYPE is needed, of an integer, a float, a "
                                  "vector or a matrix, such as uint32, vec4<float>, mat3x3<float>");
    }
    at += is_std140 || amber_line_is(l, at, "STD430");
    if (amber_line_is(l, at, "DATA")) {
        TRY(read_data(l, b, at + 1, 1, false));
        all->n++;
        return RES_OK;
    }
    bool const is_plane = amber_line_is(l, at, "WIDTH") && amber_line_is(l, at + 2, "HEIGHT") &&
                          amber_read_count(amber_line_word(l, at + 3), &height);
    if ((!is_plane && !amber_line_is(l, at, "SIZE")) ||
        !amber_read_count(amber_line_word(l, at + 1), &n)) {
        return amber_line_fail(l, "SIZE NUMBER or DATA is needed");
    }
    if (is_plane && (uint64_t)n * height > CASE_MAX_BUF_BYTES) {
        return amber_line_fail(l, "a buffer of 1 byte to 16 MiB is needed");
    }
    n *= is_plane ? height : 1;
    at += is_plane ? 4 : 2;
    if (amber_line_is(l, at, "FILL") || amber_line_is(l, at, "SERIES_FROM")) {
        TRY(read_fill(l, b, at, n));
    } else if (amber_line_is(l, at, "FILE")) {
        TRY(read_file(l, b, at, n));
    } else {
        return amber_line_fail(
            l, "SIZE NUMBER, then FILL NUMBER, SERIES_FROM NUMBER INC_BY NUMBER, FILE TEXT NAME or "
               "FILE BINARY NAME is needed");
    }
    all->n++;
    return RES_OK;
}

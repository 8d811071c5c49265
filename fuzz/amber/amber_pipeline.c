/* fuzz/amber/amber_pipeline.c -- compute pipelines of a script of Amber. */
#include "fuzz/amber/amber_pipeline.h"

#include <string.h>

#include "fuzz/amber/amber_line.h"
#include "fuzz/amber/amber_type.h"

struct pipeline_reader {
    struct amber_lines *l;
    const struct amber_shaders *shaders;
    const struct amber_buffers *buffers;
    struct amber_pipeline *out;
};

uint32_t amber_pipeline_find(const struct amber_pipelines *all, const char *name)
{
    for (uint32_t i = 0; i < all->n; i++) {
        if (strcmp(all->row[i].name, name) == 0) {
            return i;
        }
    }
    return AMBER_MAX_PIPELINES;
}

/* ---- what is bound ---- */

static bool is_same_place(const struct amber_binding *a, const struct amber_binding *b)
{
    return a->place == b->place && a->set == b->set && a->number == b->number &&
           strcmp(a->name, b->name) == 0;
}

/* A later binding of the same place replaces the one before. */
static enum res add_binding(struct pipeline_reader *r, const struct amber_binding *b)
{
    for (uint32_t i = 0; i < r->out->n_bindings; i++) {
        if (is_same_place(&r->out->bindings[i], b)) {
            r->out->bindings[i] = *b;
            return RES_OK;
        }
    }
    if (r->out->n_bindings >= AMBER_MAX_BINDINGS) {
        return amber_line_fail(r->l, "more than 32 bindings");
    }
    r->out->bindings[r->out->n_bindings++] = *b;
    return RES_OK;
}

/* KERNEL ARG_NAME name, KERNEL ARG_NUMBER n, from word `at`. */
static bool read_argument(const struct amber_lines *l, uint32_t at, struct amber_binding *b)
{
    bool const is_name = amber_line_is(l, at + 1, "ARG_NAME");
    b->place = is_name ? AMBER_AT_NAME : AMBER_AT_NUMBER;
    b->name = is_name ? amber_line_word(l, at + 2) : "";
    return amber_line_is(l, at, "KERNEL") &&
           (is_name ? b->name[0] != '\0'
                    : amber_line_is(l, at + 1, "ARG_NUMBER") &&
                          amber_read_count(amber_line_word(l, at + 2), &b->number));
}

/* SET KERNEL ARG_NAME name AS type value */
static enum res read_value(struct pipeline_reader *r)
{
    struct amber_lines *const l = r->l;
    struct amber_binding b = {.buffer = AMBER_MAX_BUFFERS, .name = ""};
    struct amber_type type;
    double ignored = 0;
    unsigned char *const bytes = ARENA_NEW(l->a, unsigned char, 8);
    if (!bytes) {
        return err_set(l->e, RES_NOMEM, "%s: no room for a value", l->path);
    }
    if (!read_argument(l, 1, &b) || !amber_line_is(l, 4, "AS") ||
        !amber_type_read(amber_line_word(l, 5), false, &type) || amber_type_count(&type) != 1 ||
        l->n_words != 7 || !amber_read_number(amber_line_word(l, 6), &ignored)) {
        return amber_line_fail(l, "SET KERNEL ARG_NAME NAME AS TYPE NUMBER is needed, or "
                                  "ARG_NUMBER, with one number");
    }
    b.n_bytes = type.n_bits / 8;
    store_le(bytes, amber_type_encode(&type, amber_line_word(l, 6)), b.n_bytes);
    b.bytes = bytes;
    return add_binding(r, &b);
}

/* OFFSET n, DESCRIPTOR_OFFSET n, DESCRIPTOR_RANGE n from word `at`: the part of the buffer that is bound. */
static enum res read_part(const struct amber_lines *l, uint32_t at, bool is_dynamic,
                          struct amber_binding *b)
{
    uint64_t offset = 0, n_bytes = b->n_bytes;
    bool has_offset = false;
    for (; at < l->n_words; at += 2) {
        uint32_t n = 0;
        bool const is_offset = is_dynamic && amber_line_is(l, at, "OFFSET");
        bool const is_known = is_offset || amber_line_is(l, at, "DESCRIPTOR_OFFSET") ||
                              amber_line_is(l, at, "DESCRIPTOR_RANGE");
        if (!is_known || !amber_read_count(amber_line_word(l, at + 1), &n)) {
            return amber_line_fail_word(
                l, amber_line_word(l, at),
                "not known here: OFFSET (of a dynamic buffer), "
                "DESCRIPTOR_OFFSET and DESCRIPTOR_RANGE are, with a number");
        }
        has_offset |= is_offset;
        if (amber_line_is(l, at, "DESCRIPTOR_RANGE")) {
            n_bytes = n;
        } else {
            offset += n;
        }
    }
    if (is_dynamic && !has_offset) {
        return amber_line_fail(l, "OFFSET NUMBER is needed of a dynamic buffer");
    }
    if (offset >= b->n_bytes || offset % 4 != 0 || n_bytes == 0) {
        return amber_line_fail(l, "an offset in the buffer is needed, of a multiple of 4 bytes");
    }
    uint64_t const most = b->n_bytes - offset;
    b->offset = (uint32_t)offset;
    b->bytes += offset;
    b->n_bytes = (uint32_t)(n_bytes < most ? n_bytes : most) / 4 * 4;
    return b->n_bytes ? RES_OK : amber_line_fail(l, "a range of 4 bytes at least is needed");
}

/* BIND BUFFER name [AS kind] DESCRIPTOR_SET s BINDING b ..., or KERNEL ... */
static enum res read_bind(struct pipeline_reader *r)
{
    static const struct {
        const char *name;
        bool may_be_written, is_dynamic;
    } kinds[] = {
        {"storage",              true,  false},
        {"storage_dynamic",      true,  true },
        {"storage_texel_buffer", true,  false},
        {"uniform",              false, false},
        {"uniform_dynamic",      false, true },
        {"push_constant",        false, false},
    };
    struct amber_lines *const l = r->l;
    if (!amber_line_is(l, 1, "BUFFER")) {
        return amber_line_fail_word(l, amber_line_word(l, 1),
                                    "not known here: BIND BUFFER is; a case has no arrays of "
                                    "descriptors, and no samplers");
    }
    uint32_t const buffer = amber_buffer_find(r->buffers, amber_line_word(l, 2));
    if (buffer == AMBER_MAX_BUFFERS) {
        return amber_line_fail_word(l, amber_line_word(l, 2), "no BUFFER above has that name");
    }
    struct amber_binding b = {.name = "",
                              .buffer = buffer,
                              .bytes = r->buffers->row[buffer].data,
                              .n_bytes = r->buffers->row[buffer].n_bytes,
                              .may_be_written = true};
    uint32_t const at = amber_line_is(l, 3, "AS") ? 5 : 3;
    size_t kind = 0;
    while (at == 5 && kind < ARRAY_N(kinds) && !amber_line_is(l, 4, kinds[kind].name)) {
        kind++;
    }
    if (kind == ARRAY_N(kinds)) {
        return amber_line_fail_word(l, amber_line_word(l, 4),
                                    "not known here: BIND BUFFER NAME AS storage, storage_dynamic, "
                                    "storage_texel_buffer, uniform, uniform_dynamic and "
                                    "push_constant are");
    }
    b.may_be_written = kinds[kind].may_be_written;
    if (strcmp(kinds[kind].name, "push_constant") == 0) {
        b.place = AMBER_AT_PUSH;
        return add_binding(r, &b);
    }
    if (amber_line_is(l, at, "KERNEL")) {
        return read_argument(l, at, &b)
                   ? add_binding(r, &b)
                   : amber_line_fail(l,
                                     "KERNEL ARG_NAME NAME or KERNEL ARG_NUMBER NUMBER is needed");
    }
    if (at == 3 || !amber_line_is(l, 5, "DESCRIPTOR_SET") ||
        !amber_read_count(amber_line_word(l, 6), &b.set) || !amber_line_is(l, 7, "BINDING") ||
        !amber_read_count(amber_line_word(l, 8), &b.number)) {
        return amber_line_fail(l,
                               "AS KIND DESCRIPTOR_SET NUMBER BINDING NUMBER is needed, or KERNEL "
                               "ARG_NAME NAME");
    }
    TRY(read_part(l, 9, kinds[kind].is_dynamic, &b));
    return add_binding(r, &b);
}

/* ---- the shader ---- */

/* SPECIALIZE id AS type [VALUE] number from word *at, which goes behind it. */
static enum res read_specialize(struct pipeline_reader *r, uint32_t *at)
{
    struct amber_pipeline *const out = r->out;
    struct amber_lines *const l = r->l;
    uint32_t const value = amber_line_is(l, *at + 4, "VALUE") ? *at + 5 : *at + 4;
    double ignored = 0;
    uint32_t id = 0, i = 0;
    if (!amber_read_count(amber_line_word(l, *at + 1), &id) || !amber_line_is(l, *at + 2, "AS") ||
        !amber_read_number(amber_line_word(l, value), &ignored)) {
        return amber_line_fail(l, "SPECIALIZE ID AS TYPE NUMBER is needed");
    }
    while (i < out->n_specs && out->specs[i].id != id) {
        i++;
    }
    if (i == CASE_MAX_SPECS) {
        return amber_line_fail(l, "more than 32 SPECIALIZE");
    }
    out->n_specs = i == out->n_specs ? i + 1 : out->n_specs;
    out->specs[i].id = id;
    out->specs[i].value = amber_line_word(l, value);
    *at = value + 1;
    return RES_OK;
}

/* ATTACH shader [TYPE compute] [ENTRY_POINT name] SPECIALIZE ... */
static enum res read_attach(struct pipeline_reader *r)
{
    struct amber_lines *const l = r->l;
    r->out->shader = amber_shader_find(r->shaders, amber_line_word(l, 1));
    if (r->out->shader == AMBER_MAX_SHADERS) {
        return amber_line_fail_word(l, amber_line_word(l, 1), "no SHADER above has that name");
    }
    for (uint32_t at = 2; at < l->n_words;) {
        if (amber_line_is(l, at, "ENTRY_POINT") && at + 1 < l->n_words) {
            r->out->entry = l->word[at + 1];
            at += 2;
        } else if (amber_line_is(l, at, "TYPE") && amber_line_is(l, at + 1, "compute")) {
            at += 2;
        } else if (amber_line_is(l, at, "SPECIALIZE")) {
            TRY(read_specialize(r, &at));
        } else {
            return amber_line_fail_word(l, l->word[at],
                                        "ENTRY_POINT NAME, TYPE compute or SPECIALIZE is needed");
        }
    }
    return RES_OK;
}

/* The lines up to END; those that `take` is given are not empty. */
static enum res read_block(struct pipeline_reader *r, const char *what,
                           enum res (*take)(struct pipeline_reader *r))
{
    while (amber_line_next(r->l)) {
        if (r->l->n_words > 0 && amber_line_is(r->l, 0, "END")) {
            return RES_OK;
        }
        if (r->l->n_words > 0) {
            TRY(take(r));
        }
    }
    return amber_line_fail(r->l, arena_printf(r->l->a, "%s without END", what));
}

/* A pass of an optimizer, which changes no result. */
static enum res take_pass(struct pipeline_reader *r)
{
    (void)r;
    return RES_OK;
}

/* Options of OpenCL; the others are of clspv alone, and say how arguments are given. */
static enum res take_option(struct pipeline_reader *r)
{
    for (uint32_t i = 0; i < r->l->n_words; i++) {
        const char *const word = r->l->word[i];
        if (strcmp(word, "-work-dim") == 0) {
            return amber_line_fail(r->l,
                                   "-work-dim: a case has as many dimensions as its driver is "
                                   "given, not 3");
        }
        if (strncmp(word, "-D", 2) == 0 ||
            (strncmp(word, "-cl-", 4) == 0 && strncmp(word, "-cl-std=", 8) != 0)) {
            r->out->options = arena_printf(r->l->a, "%s %s", r->out->options, word);
        }
    }
    return RES_OK;
}

static enum res take_subgroup(struct pipeline_reader *r)
{
    struct amber_lines *const l = r->l;
    bool const is_on = amber_line_is(l, 1, "on"), is_off = amber_line_is(l, 1, "off");
    if (amber_line_is(l, 0, "FULLY_POPULATED") && (is_on || is_off)) {
        r->out->has_full_subgroups = is_on;
        return RES_OK;
    }
    if (amber_line_is(l, 0, "VARYING_SIZE") && is_off) {
        return RES_OK;
    }
    uint32_t n = 0;
    if (!amber_line_is(l, 0, "REQUIRED_SIZE") || !amber_read_count(amber_line_word(l, 1), &n) ||
        n == 0 || n > CASE_MAX_SUBGROUP || (n & (n - 1)) != 0) {
        return amber_line_fail_word(l, amber_line_word(l, 0),
                                    "FULLY_POPULATED on or off, VARYING_SIZE off, or REQUIRED_SIZE "
                                    "with a power of two up to 128 is needed");
    }
    r->out->subgroup_size = n;
    return RES_OK;
}

static enum res take_line(struct pipeline_reader *r)
{
    struct amber_lines *const l = r->l;
    uint32_t at = 0;
    if (amber_line_is(l, 0, "ATTACH")) {
        return read_attach(r);
    }
    if (amber_line_is(l, 0, "SPECIALIZE")) {
        return read_specialize(r, &at);
    }
    if (amber_line_is(l, 0, "BIND")) {
        return read_bind(r);
    }
    if (amber_line_is(l, 0, "SET")) {
        return read_value(r);
    }
    if (amber_line_is(l, 0, "SUBGROUP")) {
        return read_block(r, "SUBGROUP", take_subgroup);
    }
    if (amber_line_is(l, 0, "SHADER_OPTIMIZATION")) {
        return read_block(r, "SHADER_OPTIMIZATION", take_pass);
    }
    if (amber_line_is(l, 0, "COMPILE_OPTIONS")) {
        return read_block(r, "COMPILE_OPTIONS", take_option);
    }
    return amber_line_fail_word(l, l->word[0], "not known in a pipeline here");
}

enum res amber_pipeline_read(struct amber_lines *l, const struct amber_shaders *shaders,
                             const struct amber_buffers *buffers, struct amber_pipelines *all)
{
    bool const is_derived = amber_line_is(l, 0, "DERIVE_PIPELINE");
    uint32_t const from =
        is_derived ? amber_pipeline_find(all, amber_line_word(l, 3)) : AMBER_MAX_PIPELINES;
    if (all->n >= AMBER_MAX_PIPELINES) {
        return amber_line_fail(l, "more than 64 pipelines");
    }
    struct amber_pipeline *const out = &all->row[all->n];
    struct pipeline_reader r = {.l = l, .shaders = shaders, .buffers = buffers, .out = out};
    if (is_derived && (!amber_line_is(l, 2, "FROM") || from == AMBER_MAX_PIPELINES)) {
        return amber_line_fail(l, "DERIVE_PIPELINE NAME FROM NAME is needed, of a pipeline above");
    }
    if (!is_derived && !amber_line_is(l, 1, "compute")) {
        return amber_line_fail(l, "a pipeline of graphics: compute alone can be run");
    }
    if (is_derived) {
        *out = all->row[from];
    } else {
        *out = (struct amber_pipeline){.shader = AMBER_MAX_SHADERS, .options = ""};
    }
    out->name = amber_line_word(l, is_derived ? 1 : 2);
    TRY(read_block(&r, "PIPELINE", take_line));
    all->n++;
    return out->shader < AMBER_MAX_SHADERS ? RES_OK
                                           : amber_line_fail(l, "the pipeline has no ATTACH");
}

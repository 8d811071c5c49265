/* fuzz/amber/amber_shader.c -- shaders of a script of Amber. */
#include "fuzz/amber/amber_shader.h"

#include <stdlib.h>
#include <string.h>

#include "base/spv.h"

uint32_t amber_shader_find(const struct amber_shaders *all, const char *name)
{
    for (uint32_t i = 0; i < all->n; i++) {
        if (strcmp(all->row[i].name, name) == 0) {
            return i;
        }
    }
    return AMBER_MAX_SHADERS;
}

/* A path of the virtual files, which may stand in quotation marks. */
static const char *unquote(struct amber_lines *l, const char *name)
{
    size_t const n = strlen(name);
    return n > 2 && name[0] == '"' && name[n - 1] == '"'
               ? arena_printf(l->a, "%.*s", (int)n - 2, name + 1)
               : name;
}

enum res amber_shader_read_virtual(struct amber_lines *l, struct amber_shaders *all)
{
    if (all->n_virtual >= AMBER_MAX_VIRTUAL || l->n_words != 2) {
        return amber_line_fail(l, "VIRTUAL_FILE NAME is needed, 64 at most");
    }
    uint32_t const i = all->n_virtual++;
    all->virtual_file[i].name = unquote(l, amber_line_word(l, 1));
    all->virtual_file[i].line = l->line;
    return amber_line_take_text(l, "VIRTUAL_FILE", &all->virtual_file[i].text,
                                &all->virtual_file[i].n);
}

/* Sets the version of SPIR-V by TARGET_ENV at word *at, which is passed over. False: that is not known. */
static bool read_version(const struct amber_lines *l, uint32_t *at, struct amber_shader *out)
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
    if (!amber_line_is(l, *at, "TARGET_ENV")) {
        return true;
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (amber_line_is(l, *at + 1, rows[i].name)) {
            out->version = spv_version_word(rows[i].minor);
            *at += 2;
            return true;
        }
    }
    return false;
}

/* Sets the text, which follows that line of its file. The #version of GLSL has to come first in it. */
static enum res set_text(const struct amber_lines *l, const char *text, size_t n, uint32_t line,
                         struct amber_shader *out)
{
    size_t n_head = 0, n_blank = 0;
    while (n_blank < n && strchr(" \t\r\n", text[n_blank])) {
        n_blank++;
    }
    if (out->language == AMBER_GLSL && n - n_blank > 8 &&
        memcmp(text + n_blank, "#version", 8) == 0) {
        const char *const stop = memchr(text + n_blank, '\n', n - n_blank);
        n_head = stop ? (size_t)(stop + 1 - text) - n_blank : 0;
    }
    for (size_t i = 0; n_head > 0 && i < n_blank; i++) {
        line += text[i] == '\n';
    }
    size_t const n_rest = n_head ? n - n_blank - n_head : n;
    char *const to = ARENA_NEW(l->a, char, n_head + line + n_rest + 1);
    if (!to) {
        return err_set(l->e, RES_NOMEM, "%s: no room for the shader", l->path);
    }
    memcpy(to, text + n_blank, n_head);
    memset(to + n_head, '\n', line);
    memcpy(to + n_head + line, text + n - n_rest, n_rest);
    out->n = n_head + line + n_rest;
    to[out->n] = '\0';
    out->text = to;
    return RES_OK;
}

/* Sets the words of hexadecimal text. */
static enum res set_hex(const struct amber_lines *l, const char *text, size_t n,
                        struct amber_shader *out)
{
    const char *const all = arena_printf(l->a, "%.*s", (int)n, text);
    unsigned char *const to = ARENA_NEW(l->a, unsigned char, 4 * n + 4);
    if (!to) {
        return err_set(l->e, RES_NOMEM, "%s: no room for the shader", l->path);
    }
    for (const char *p = all + strspn(all, " \t\r\n,"); *p; p += strspn(p, " \t\r\n,")) {
        char *end = NULL;
        unsigned long const word = strtoul(p, &end, 16);
        if (end == p || (*end && !strchr(" \t\r\n,", *end)) || word > UINT32_MAX) {
            return amber_line_fail(l, "SPIRV-HEX: words of 8 hexadecimal digits are needed");
        }
        store_le(to + out->n, word, 4);
        out->n += 4;
        p = end;
    }
    out->text = (const char *)to;
    return RES_OK;
}

/* The words from `at` say where the text is. */
static enum res read_text(struct amber_lines *l, struct amber_shaders *all, uint32_t at,
                          bool is_binary, struct amber_shader *out)
{
    const unsigned char *bytes = NULL;
    const char *text = NULL;
    size_t n = 0;
    uint32_t line = l->line;
    bool const is_hex = out->language == AMBER_SPIRV && !is_binary;
    if (amber_line_is(l, at, "FILE")) {
        const char *const name = amber_line_word(l, at + 1);
        const char *const slash = strrchr(l->path, '/');
        out->path =
            arena_printf(l->a, "%.*s%s", slash ? (int)(slash - l->path) + 1 : 0, l->path, name);
        TRY(amber_line_read_file(l, name, &bytes, &n));
        text = (const char *)bytes;
        line = 0;
    } else if (amber_line_is(l, at, "VIRTUAL_FILE")) {
        const char *const name = unquote(l, amber_line_word(l, at + 1));
        for (uint32_t i = 0; i < all->n_virtual; i++) {
            if (strcmp(all->virtual_file[i].name, name) == 0) {
                text = all->virtual_file[i].text;
                n = all->virtual_file[i].n;
                line = all->virtual_file[i].line;
            }
        }
        if (!text) {
            return amber_line_fail_word(l, name, "no VIRTUAL_FILE above has that name");
        }
    } else if (l->n_words > at) {
        return amber_line_fail(l, "after the shader's kind, TARGET_ENV with spv1.0 to spv1.6 or "
                                  "vulkan1.0 to vulkan1.3 is allowed, then FILE or VIRTUAL_FILE");
    } else {
        TRY(amber_line_take_text(l, "SHADER", &text, &n));
    }
    if (is_binary) {
        out->text = text;
        out->n = n;
        return RES_OK;
    }
    return is_hex ? set_hex(l, text, n, out) : set_text(l, text, n, line, out);
}

enum res amber_shader_read(struct amber_lines *l, struct amber_shaders *all)
{
    static const struct {
        const char *name;
        enum amber_language language;
    } rows[] = {
        {"GLSL",      AMBER_GLSL      },
        {"SPIRV-ASM", AMBER_SPIRV_TEXT},
        {"SPIRV-HEX", AMBER_SPIRV     },
        {"SPIRV-BIN", AMBER_SPIRV     },
        {"OPENCL-C",  AMBER_OPENCL_C  },
    };
    bool const is_binary = amber_line_is(l, 3, "SPIRV-BIN");
    uint32_t at = 4;
    size_t row = 0;
    while (row < ARRAY_N(rows) && !amber_line_is(l, 3, rows[row].name)) {
        row++;
    }
    if ((!amber_line_is(l, 1, "compute") && !amber_line_is(l, 1, "multi")) ||
        row == ARRAY_N(rows) || (is_binary && !amber_line_is(l, 4, "FILE"))) {
        return amber_line_fail(l,
                               "a shader of compute in GLSL, SPIRV-ASM, SPIRV-HEX or OPENCL-C, or "
                               "in SPIRV-BIN FILE NAME, is needed");
    }
    if (all->n >= AMBER_MAX_SHADERS) {
        return amber_line_fail(l, "more than 64 shaders");
    }
    struct amber_shader *const out = &all->row[all->n];
    *out = (struct amber_shader){
        .name = amber_line_word(l, 2), .path = l->path, .language = rows[row].language, .text = ""};
    if (!read_version(l, &at, out)) {
        return amber_line_fail(l, "after the shader's kind, TARGET_ENV with spv1.0 to spv1.6 or "
                                  "vulkan1.0 to vulkan1.3 is allowed");
    }
    TRY(read_text(l, all, at, is_binary, out));
    all->n++;
    return RES_OK;
}

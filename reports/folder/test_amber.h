/* reports/folder/test_amber.h -- for the tests: is a text a script of Amber? Amber itself is in no package of
 * Debian or PyPI; this is the part of its grammar that case.amber uses, as docs/amber_script.md has
 * it: commands, blocks that end with END, names that were declared, numbers that fit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    AMBER_MAX_BUFFERS = 16,
    AMBER_MAX_WORDS = 16,
    AMBER_NAME = 64
};
struct amber_buffer {
    char name[AMBER_NAME];
    unsigned unit; /* bytes of an item */
    int is_float, has_texels;
    uint64_t n_items, n_wanted; /* n_wanted: of an image; 0: any number */
};
/* What was read; error is "" or says the line and what is wrong there. */
struct amber_script {
    char error[256];
    const char *shader; /* its text, within the script */
    size_t n_shader;
    char entry[AMBER_NAME];
    unsigned n_buffers, n_bound, n_runs, n_expects, n_features, n_extensions;
    uint32_t required_size;
    struct amber_buffer buffers[AMBER_MAX_BUFFERS];
};

struct amber_reader {
    struct amber_script *s;
    const char *rest;
    unsigned line, n;
    char text[4096];
    char *word[AMBER_MAX_WORDS];
};

static inline int amber_fail(struct amber_reader *r, const char *what)
{
    if (!r->s->error[0]) {
        (void)snprintf(r->s->error, sizeof r->s->error, "line %u: %s", r->line, what);
    }
    return 0;
}

/* The next line that says something, in words; 0 at the end. */
static inline int amber_next(struct amber_reader *r)
{
    while (*r->rest && !r->s->error[0]) {
        size_t const n = strcspn(r->rest, "\n");
        if (n >= sizeof r->text) {
            return amber_fail(r, "too long");
        }
        memcpy(r->text, r->rest, n);
        r->text[n] = '\0';
        r->rest += n + (r->rest[n] == '\n');
        r->line++;
        r->text[strcspn(r->text, "#")] = '\0';
        r->n = 0;
        for (char *p = strtok(r->text, " \t"); p; p = strtok(NULL, " \t")) {
            if (r->n == AMBER_MAX_WORDS) {
                return amber_fail(r, "too many words");
            }
            r->word[r->n++] = p;
        }
        if (r->n > 0) {
            return 1;
        }
    }
    return 0;
}

static inline int amber_is(const struct amber_reader *r, unsigned i, const char *word)
{
    return i < r->n && strcmp(r->word[i], word) == 0;
}

/* Decimal, or 0x and digits. */
static inline int amber_number(const char *word, uint64_t *out)
{
    char *end = NULL;
    int const is_hex = strncmp(word, "0x", 2) == 0;
    if (word[0] < '0' || word[0] > '9') {
        return 0;
    }
    *out = strtoull(word, &end, is_hex ? 16 : 10);
    return *end == '\0';
}

static inline struct amber_buffer *amber_find(struct amber_reader *r, const char *name)
{
    for (unsigned i = 0; i < r->s->n_buffers; i++) {
        if (strcmp(r->s->buffers[i].name, name) == 0) {
            return &r->s->buffers[i];
        }
    }
    (void)amber_fail(r, "a buffer that was not declared");
    return NULL;
}

/* Of Script::IsKnownFeature, those that a compute kernel may ask for. */
static inline int amber_knows_feature(const char *name)
{
    static const char *const known[] = {"imageCubeArray",
                                        "shaderFloat64",
                                        "shaderInt64",
                                        "shaderInt16",
                                        "shaderStorageImageExtendedFormats",
                                        "VariablePointerFeatures.variablePointers",
                                        "VariablePointerFeatures.variablePointersStorageBuffer",
                                        "Float16Int8Features.shaderFloat16",
                                        "Float16Int8Features.shaderInt8",
                                        "Storage16BitFeatures.storageBuffer16BitAccess",
                                        "Storage8BitFeatures.storageBuffer8BitAccess",
                                        "SubgroupSizeControl.subgroupSizeControl",
                                        "SubgroupSizeControl.computeFullSubgroups",
                                        "VulkanMemoryModelFeatures.vulkanMemoryModel",
                                        "VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope",
                                        ("ShaderSubgroupExtendedTypesFeatures."
                                         "shaderSubgroupExtendedTypes")};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* SHADER compute NAME SPIRV-ASM TARGET_ENV spvN.M, its text, END. */
static inline int amber_shader(struct amber_reader *r)
{
    if (r->n != 6 || !amber_is(r, 1, "compute") || !amber_is(r, 3, "SPIRV-ASM") ||
        !amber_is(r, 4, "TARGET_ENV") || strncmp(r->word[5], "spv1.", 5) != 0) {
        return amber_fail(r, "SHADER");
    }
    r->s->shader = r->rest;
    while (*r->rest) {
        size_t const n = strcspn(r->rest, "\n");
        int const is_end = n == 3 && strncmp(r->rest, "END", 3) == 0;
        if (is_end) {
            r->s->n_shader = (size_t)(r->rest - r->s->shader);
        }
        r->rest += n + (r->rest[n] == '\n');
        r->line++;
        if (is_end) {
            return 1;
        }
    }
    return amber_fail(r, "a shader without END");
}

static inline int amber_value(struct amber_reader *r, const struct amber_buffer *b,
                              const char *word)
{
    uint64_t v = 0;
    char *end = NULL;
    if (b->is_float) {
        (void)strtod(word, &end);
        bool const is_float =
            strchr(word, '.') || !strchr(word, 'e'); /* else an integer and a word */
        return *end == '\0' && is_float ? 1 : amber_fail(r, "not a number");
    }
    if (!amber_number(word, &v) || (b->unit < 8 && v >> (8 * b->unit) != 0)) {
        return amber_fail(r, "not a number of the type");
    }
    return 1;
}

static inline int amber_data(struct amber_reader *r, struct amber_buffer *b)
{
    while (amber_next(r)) {
        if (amber_is(r, 0, "END")) {
            return r->n == 1 && b->n_items > 0 && (!b->n_wanted || b->n_items == b->n_wanted)
                       ? 1
                       : amber_fail(r, "END, or the number of items");
        }
        for (unsigned i = 0; i < r->n; i++) {
            if (!amber_value(r, b, r->word[i])) {
                return 0;
            }
            b->n_items++;
        }
    }
    return amber_fail(r, "a buffer without END");
}

/* The texels of an image by its words DIM_1D WIDTH w, DIM_2D WIDTH w HEIGHT h or DIM_3D WIDTH w HEIGHT h DEPTH d,
 * from the fourth on, DATA after them; 0: they are others. */
static inline uint64_t amber_texels(const struct amber_reader *r)
{
    static const char *const dims[] = {"DIM_1D", "DIM_2D", "DIM_3D"};
    static const char *const sizes[] = {"WIDTH", "HEIGHT", "DEPTH"};
    unsigned const n_dims = r->n >= 8 ? (r->n - 6) / 2 : 0;
    uint64_t n_texels = 1;
    if (n_dims < 1 || n_dims > 3 || r->n % 2 != 0 || !amber_is(r, 4, dims[n_dims - 1])) {
        return 0;
    }
    for (unsigned i = 0; i < n_dims; i++) {
        uint64_t size = 0;
        if (!amber_is(r, 5 + 2 * i, sizes[i]) || !amber_number(r->word[6 + 2 * i], &size)) {
            return 0;
        }
        n_texels *= size;
    }
    return n_texels;
}

/* BUFFER NAME DATA_TYPE TYPE DATA; IMAGE NAME DATA_TYPE TYPE, its sizes, DATA. */
static inline int amber_buffer(struct amber_reader *r, int is_image)
{
    uint64_t const n_texels = is_image ? amber_texels(r) : 0;
    struct amber_buffer *const b = &r->s->buffers[r->s->n_buffers];
    if (r->s->n_buffers == AMBER_MAX_BUFFERS || (!is_image && r->n != 5U) ||
        !amber_is(r, 2, "DATA_TYPE") || !amber_is(r, r->n - 1, "DATA") ||
        (is_image && n_texels == 0)) {
        return amber_fail(r, "BUFFER or IMAGE");
    }
    (void)snprintf(b->name, sizeof b->name, "%s", r->word[1]);
    b->is_float = amber_is(r, 3, "R32_SFLOAT");
    b->has_texels = b->is_float || amber_is(r, 3, "R32_UINT");
    b->unit = b->has_texels || amber_is(r, 3, "uint32") ? 4
              : amber_is(r, 3, "uint64")                ? 8
              : amber_is(r, 3, "uint16")                ? 2
              : amber_is(r, 3, "uint8")                 ? 1
                                                        : 0;
    b->n_wanted = n_texels;
    r->s->n_buffers++;
    return b->unit ? amber_data(r, b) : amber_fail(r, "type");
}

static inline int amber_subgroup(struct amber_reader *r)
{
    while (amber_next(r)) {
        uint64_t v = 0;
        if (amber_is(r, 0, "END")) {
            return 1;
        }
        if (r->n == 2 && amber_is(r, 0, "REQUIRED_SIZE") && amber_number(r->word[1], &v)) {
            r->s->required_size = (uint32_t)v;
        } else if (r->n != 2 || !amber_is(r, 0, "FULLY_POPULATED") ||
                   (!amber_is(r, 1, "on") && !amber_is(r, 1, "off"))) {
            return amber_fail(r, "SUBGROUP");
        }
    }
    return amber_fail(r, "SUBGROUP without END");
}

static inline int amber_bind(struct amber_reader *r)
{
    uint64_t v = 0;
    if (r->n == 5 && amber_is(r, 1, "BUFFER") && amber_find(r, r->word[2]) &&
        amber_is(r, 4, "push_constant")) {
        r->s->n_bound++;
        return 1;
    }
    const struct amber_buffer *const b = r->n == 9 ? amber_find(r, r->word[2]) : NULL;
    bool const is_plain = amber_is(r, 4, "storage") || amber_is(r, 4, "uniform");
    if (!b || !amber_is(r, 1, "BUFFER") || !amber_is(r, 3, "AS") ||
        (!is_plain && !amber_is(r, 4, "storage_image") &&
         !amber_is(r, 4, "storage_texel_buffer")) ||
        (b->has_texels != 0) == is_plain || !amber_is(r, 5, "DESCRIPTOR_SET") ||
        !amber_number(r->word[6], &v) || !amber_is(r, 7, "BINDING") ||
        !amber_number(r->word[8], &v)) {
        return amber_fail(r, "BIND");
    }
    r->s->n_bound++;
    return 1;
}

static inline int amber_pipeline(struct amber_reader *r)
{
    if (r->n != 3 || !amber_is(r, 1, "compute")) {
        return amber_fail(r, "PIPELINE");
    }
    while (amber_next(r)) {
        int ok = 0;
        if (amber_is(r, 0, "END")) {
            return r->s->entry[0] ? 1 : amber_fail(r, "nothing is attached");
        }
        if (amber_is(r, 0, "BIND")) {
            ok = amber_bind(r);
        } else if (amber_is(r, 0, "SUBGROUP") && r->n == 2) {
            ok = amber_subgroup(r);
        } else if (amber_is(r, 0, "ATTACH") && r->n == 4 && amber_is(r, 2, "ENTRY_POINT")) {
            (void)snprintf(r->s->entry, sizeof r->s->entry, "%s", r->word[3]);
            ok = 1;
        }
        if (!ok) {
            return amber_fail(r, "in PIPELINE");
        }
    }
    return amber_fail(r, "PIPELINE without END");
}

/* EXPECT NAME IDX byte COMPARATOR value */
static inline int amber_expect(struct amber_reader *r)
{
    static const char *const comparators[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
    uint64_t at = 0;
    int is_known = 0;
    const struct amber_buffer *const b = r->n == 6 ? amber_find(r, r->word[1]) : NULL;
    for (size_t i = 0; i < sizeof comparators / sizeof comparators[0]; i++) {
        is_known |= amber_is(r, 4, comparators[i]);
    }
    if (!b || !amber_is(r, 2, "IDX") || !amber_number(r->word[3], &at) || !is_known ||
        at % b->unit != 0 || at >= b->n_items * b->unit) {
        return amber_fail(r, "EXPECT");
    }
    r->s->n_expects++;
    return amber_value(r, b, r->word[5]);
}

static inline int amber_command(struct amber_reader *r)
{
    uint64_t v = 0;
    if (amber_is(r, 0, "DEVICE_FEATURE") && r->n == 2) {
        r->s->n_features++;
        return amber_knows_feature(r->word[1]) ? 1 : amber_fail(r, "feature");
    }
    if (amber_is(r, 0, "DEVICE_EXTENSION") && r->n == 2) {
        r->s->n_extensions++;
        return strncmp(r->word[1], "VK_", 3) == 0 ? 1 : amber_fail(r, "extension");
    }
    if (amber_is(r, 0, "SET") && r->n == 4 && amber_is(r, 1, "ENGINE_DATA") &&
        amber_is(r, 2, "fence_timeout_ms")) {
        return amber_number(r->word[3], &v) ? 1 : amber_fail(r, "SET");
    }
    if (amber_is(r, 0, "SHADER")) {
        return amber_shader(r);
    }
    if (amber_is(r, 0, "BUFFER") || amber_is(r, 0, "IMAGE")) {
        return amber_buffer(r, amber_is(r, 0, "IMAGE"));
    }
    if (amber_is(r, 0, "PIPELINE")) {
        return amber_pipeline(r);
    }
    if (amber_is(r, 0, "EXPECT")) {
        return amber_expect(r);
    }
    if (amber_is(r, 0, "RUN") && r->n == 5 && amber_number(r->word[2], &v) &&
        amber_number(r->word[3], &v) && amber_number(r->word[4], &v)) {
        r->s->n_runs++;
        return 1;
    }
    return amber_fail(r, "no command");
}

/* Reads the script; 1 when it is one. */
static inline int amber_read(const char *text, struct amber_script *out)
{
    struct amber_reader r = {.s = out, .rest = text};
    memset(out, 0, sizeof *out);
    if (strncmp(text, "#!amber\n", 8) != 0) {
        return amber_fail(&r, "the first line is not #!amber");
    }
    while (amber_next(&r) && amber_command(&r)) {
    }
    if (!out->error[0] && (!out->shader || out->n_runs == 0 || out->n_bound != out->n_buffers)) {
        (void)amber_fail(&r, "no shader, no RUN, or a buffer that is not bound");
    }
    return !out->error[0];
}

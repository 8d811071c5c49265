/* reports/folder/bug_amber.c -- case.amber: the case as a script of Amber (AmberScript). */
#include "reports/folder/bug_amber.h"

#include <inttypes.h>
#include <string.h>

#include "base/format.h"
#include "base/testcase.h"
#include "reports/bug/bug_title.h"
#include "reports/folder/bug_amber_expect.h"
#include "reports/folder/bug_features.h"
#include "reports/folder/c_text.h"

enum {
    WORDS_PER_LINE = 8,
    HALF_BYTES = 2,
    TEXEL_BYTES = 4
};

static void put_needs(const struct bug *b, FILE *f)
{
    struct bug_needs n;
    bug_get_needs(b, &n);
    for (uint32_t i = 0; i < n.n_extensions; i++) {
        (void)fprintf(f, "DEVICE_EXTENSION %s\n", n.extensions[i]);
    }
    for (uint32_t i = 0; i < n.n_features; i++) {
        if (n.features[i]->amber[0]) {
            (void)fprintf(f, "DEVICE_FEATURE %s\n", n.features[i]->amber);
        } else {
            (void)fprintf(f, "# needed too, Amber has no name for it: %s\n", n.features[i]->name);
        }
    }
    for (uint32_t i = 0; i < n.n_unlisted; i++) {
        (void)fprintf(f, "# used, though the device does not list it: %s\n", n.unlisted[i]->name);
    }
}

/* The text of a shader ends at the first END, wherever that stands, and what follows is a script of
 * its own: names and strings of the module have none, and no line of theirs. */
static void put_disassembly(const char *text, FILE *f)
{
    int is_quoted = 0;
    for (const char *p = text; *p; p++) {
        if (is_quoted && *p == '\\' && (p[1] == '"' || p[1] == '\\')) {
            (void)fprintf(f, "\\%c", *++p);
            continue;
        }
        is_quoted ^= *p == '"';
        if (strncmp(p, "END", 3) == 0) {
            (void)fputs("EnD", f);
            p += 2;
        } else {
            int const is_plain = (*p >= ' ' && *p < 0x7f) || (*p == '\n' && !is_quoted);
            (void)fputc(is_plain ? *p : '_', f);
        }
    }
}

/* One word, whatever the name holds. */
static void put_name(const char *name, FILE *f)
{
    for (const char *p = name; *p; p++) {
        (void)fputc(*p > ' ' && *p < 0x7f ? *p : '_', f);
    }
}

static void put_shader(const struct bug *b, FILE *f)
{
    uint32_t const version = b->tc->n_words > 1 ? b->tc->module[1] : 0x10000;
    (void)fprintf(f, "\nSHADER compute shader SPIRV-ASM TARGET_ENV spv%u.%u\n",
                  version >> 16 & 0xff, version >> 8 & 0xff);
    put_disassembly(b->disassembly ? b->disassembly : "", f);
    (void)fprintf(f, "\nEND\n\n");
}

static void put_data(const struct buf *x, unsigned unit, FILE *f)
{
    for (uint32_t at = 0; at + unit <= x->n_bytes; at += unit) {
        uint64_t const bits = load_le(x->data + at, unit);
        if (!buf_has_texels(x->kind) || buf_kind_rows[x->kind].format == TEXEL_R32UI) {
            (void)fprintf(f, " 0x%0*" PRIx64, (int)(2 * unit), bits);
        } else {
            bug_put_amber_number(unit == 2 ? FMT_F16 : FMT_F32, (uint32_t)bits, f);
        }
        if (at / unit % WORDS_PER_LINE == WORDS_PER_LINE - 1) {
            (void)fprintf(f, "\n");
        }
    }
    (void)fprintf(f, "\nEND\n\n");
}

static const char *name_format(enum buf_kind kind)
{
    enum texel_format const format = buf_kind_rows[kind].format;
    return format == TEXEL_R32UI     ? "R32_UINT"
           : format == TEXEL_RG16F   ? "R16G16_SFLOAT"
           : format == TEXEL_RGBA16F ? "R16G16B16A16_SFLOAT"
                                     : "R32_SFLOAT";
}

/* Put the head of an image, up to its data. Amber knows no layers: an image with such comes as one of as many
 * dimensions, and the shader, which has another, will not run on it. */
static void put_image(const struct buf *x, uint32_t i, FILE *f)
{
    enum texels const texels = buf_kind_rows[x->kind].texels;
    uint32_t const n = buf_get_slices(x);
    bool const has_layers = texels_rows[texels].is_array || texels == TEXELS_CUBE;
    uint32_t const n_dimensions = texels_rows[texels].n_coordinates;
    if (has_layers) {
        (void)fprintf(f, "# Amber has no images of several layers or faces: see host.c.\n");
    }
    (void)fprintf(f, "IMAGE buffer%" PRIu32 " DATA_TYPE %s DIM_%" PRIu32 "D WIDTH %" PRIu32, i,
                  name_format(x->kind), n_dimensions, x->width);
    if (n_dimensions > 1) {
        (void)fprintf(f, " HEIGHT %" PRIu32, texels == TEXELS_1D_ARRAY ? n : x->height);
    }
    if (n_dimensions > 2) {
        (void)fprintf(f, " DEPTH %" PRIu32, n);
    }
    (void)fprintf(f, " DATA\n");
}

/* Put buffer i and its data in Amber's words. Data is written as numbers of the unit that the module uses of
 * it; an image or texel buffer holds floats, of which Amber knows no bits of a NaN. */
static void put_buffer(const struct bug *b, uint32_t i, FILE *f)
{
    const struct buf *const x = &b->tc->bufs[i];
    unsigned const unit = bug_get_amber_unit(b, i);
    if (x->kind == BUF_ADDRESS) {
        (void)fprintf(f, "# Amber binds this buffer, and not its address: see host.c.\n");
    }
    if (!buf_has_texels(x->kind)) {
        (void)fprintf(f, "BUFFER buffer%" PRIu32 " DATA_TYPE uint%u DATA\n", i, 8 * unit);
        put_data(x, unit, f);
        return;
    }
    bool const is_integer = buf_kind_rows[x->kind].format == TEXEL_R32UI;
    if (!is_integer) {
        (void)fprintf(f, "# A NaN here is any NaN, for its bits cannot be written.\n");
    }
    if (buf_is_image(x->kind)) {
        put_image(x, i, f);
    } else {
        (void)fprintf(f, "BUFFER buffer%" PRIu32 " DATA_TYPE %s DATA\n", i, name_format(x->kind));
    }
    bool const is_word = is_integer || buf_kind_rows[x->kind].format == TEXEL_R32F;
    put_data(x, is_word ? TEXEL_BYTES : HALF_BYTES, f);
}

static const char *name_binding(enum buf_kind kind)
{
    if (buf_is_image(kind)) {
        return "storage_image";
    }
    if (kind == BUF_CONSTANT) {
        return "uniform";
    }
    return buf_kind_rows[kind].texels == TEXELS_BUFFER ? "storage_texel_buffer" : "storage";
}

/* Put Amber's pipeline: the shader with what the case requires of its sub-groups, its buffers, and the command that
 * runs it, in work-groups. A specialization constant of type bool is a VkBool32, which has 32 bits. Buffer i is
 * binding i; push constants have no binding. */
static void put_pipeline(const struct testcase *tc, FILE *f)
{
    (void)fprintf(f, "PIPELINE compute pipeline\n  ATTACH shader ENTRY_POINT ");
    put_name(tc->entry, f);
    (void)fprintf(f, "\n");
    for (uint32_t i = 0; i < tc->n_specs; i++) {
        (void)fprintf(f, "    SPECIALIZE %" PRIu32 " AS uint%" PRIu32 " %" PRIu64 "\n",
                      tc->specs[i].id, tc->specs[i].is_bool ? 32 : 8 * tc->specs[i].n_bytes,
                      tc->specs[i].bits);
    }
    if (tc->subgroup_size || tc->full_subgroups) {
        (void)fprintf(f, "  SUBGROUP shader\n    FULLY_POPULATED %s\n",
                      tc->full_subgroups ? "on" : "off");
        if (tc->subgroup_size) {
            (void)fprintf(f, "    REQUIRED_SIZE %" PRIu32 "\n", tc->subgroup_size);
        }
        (void)fprintf(f, "  END\n");
    }
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        if (tc->bufs[i].kind == BUF_PUSH) {
            (void)fprintf(f, "  BIND BUFFER buffer%" PRIu32 " AS push_constant\n", i);
            continue;
        }
        (void)fprintf(f,
                      "  BIND BUFFER buffer%" PRIu32 " AS %s DESCRIPTOR_SET %" PRIu32
                      " BINDING %" PRIu32 "\n",
                      i, name_binding(tc->bufs[i].kind), tc->bufs[i].set, i);
    }
    (void)fprintf(f, "END\n\n");
    if (testcase_count_dispatches(tc) > 1) {
        (void)fprintf(f,
                      "# Amber has no base of a dispatch: one runs all of what %" PRIu32
                      " run, see host.c.\n",
                      tc->n_dispatches);
    }
    (void)fprintf(f, "RUN pipeline %" PRIu32 " %" PRIu32 " %" PRIu32 "\n\n",
                  tc->global[0] / tc->local[0], tc->global[1] / tc->local[1],
                  tc->global[2] / tc->local[2]);
}

void bug_put_amber(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, (size_t)1 << 20);
    (void)fprintf(f, "#!amber\n# ");
    c_text_put_comment(bug_get_title(b, &a), f);
    (void)fprintf(f, "\n");
    put_needs(b, f);
    (void)fprintf(f, "SET ENGINE_DATA fence_timeout_ms 60000\n");
    put_shader(b, f);
    for (uint32_t i = 0; i < b->tc->n_bufs; i++) {
        put_buffer(b, i, f);
    }
    put_pipeline(b->tc, f);
    bug_put_amber_expects(b, f);
    arena_free(&a);
}

/* reports/folder/bug_host.c -- a program of its own that shows the bug. */
#include "reports/folder/bug_host.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/caps.h"
#include "base/testcase.h"
#include "oracle/tables/words.h"
#include "reports/bug/bug_facts.h"
#include "reports/bug/bug_title.h"
#include "reports/folder/bug_features.h"
#include "reports/folder/c_text.h"
#include "reports/folder/host_text.h"

/* Put the lines of one section of a template that are for a case with these flags. In a template "@@ NAME"
 * begins a section; a line after "@x " is for cases with the flag x alone, one after "@X " for those without
 * it. get_flags lists the flags. Its sentences are put in the words of the case's environment. */
static void put_section(const char *const *text, const char *section, const char *flags,
                        enum env env, FILE *f)
{
    struct arena a;
    bool is_in = false;
    arena_init(&a, (size_t)1 << 20);
    for (; *text; text++) {
        const char *line = *text;
        if (strncmp(line, "@@ ", 3) == 0) {
            is_in = strcmp(line + 3, section) == 0;
            continue;
        }
        if (line[0] == '@') {
            bool const has_flag = strchr(flags, tolower(line[1])) != NULL;
            bool const wants_none = isupper(line[1]) != 0;
            if (has_flag == wants_none) {
                continue;
            }
            line += line[2] ? 3 : 2;
        }
        if (is_in) {
            (void)fprintf(f, "%s\n", words_say(env, line, &a));
        }
    }
    arena_free(&a);
}

/* ---- the case ---- */

static void put_head(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    (void)fprintf(f, "/* host.c -- runs %s once and looks at what it leaves in memory.\n *   ",
                  bug_get_file(b));
    c_text_put_comment(bug_get_title(b, &a), f);
    (void)fprintf(
        f,
        "\n *   cc host.c -o host %s && ./host\n"
        " *                   exit status: 1 the bug is there, 0 it is not, 2 it could not be run\n"
        " *   ./host --list   the devices\n"
        " *   ./host NAME     on the first device with NAME in its line of --list\n"
        " * Variables: DEVICE=NAME the same, RUNS, DEADLINE (s)%s */\n"
        "#define _POSIX_C_SOURCE 200809L\n",
        bug_get_libraries(b), b->planted ? ", PROGRAM=module.spv (without the planted fault)" : "");
    arena_free(&a);
}

static void put_includes(const struct bug *b, FILE *f)
{
    if (b->tc->env == ENV_CL) {
        (void)fprintf(f,
                      "#define CL_TARGET_OPENCL_VERSION %d\n"
                      "#define CL_USE_DEPRECATED_OPENCL_1_2_APIS\n"
                      "#include <CL/cl.h>\n",
                      b->tc->n_specs > 0 ? 220 : 210); /* it sets specialization constants */
    }
    (void)fprintf(f, "#include <signal.h>\n#include <stdint.h>\n#include <stdio.h>\n"
                     "#include <stdlib.h>\n#include <string.h>\n#include <sys/wait.h>\n"
                     "#include <unistd.h>\n");
    (void)fprintf(f, "%s\n#include \"expected.h\"\n\n",
                  b->tc->env == ENV_VK ? "#include <vulkan/vulkan.h>\n" : "");
}

static const char *get_descriptor(enum buf_kind kind)
{
    if (buf_is_image(kind)) {
        return "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE";
    }
    if (kind == BUF_CONSTANT) {
        return "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER";
    }
    return buf_kind_rows[kind].texels == TEXELS_BUFFER ? "VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER"
                                                       : "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER";
}

static const char *get_format(enum buf_kind kind)
{
    switch (buf_kind_rows[kind].format) {
    case TEXEL_NONE:
        return "VK_FORMAT_UNDEFINED";
    case TEXEL_R32F:
        return "VK_FORMAT_R32_SFLOAT";
    case TEXEL_R32UI:
        return "VK_FORMAT_R32_UINT";
    case TEXEL_RG16F:
        return "VK_FORMAT_R16G16_SFLOAT";
    case TEXEL_RGBA16F:
        return "VK_FORMAT_R16G16B16A16_SFLOAT";
    }
    return "";
}

/* Put the members `format` to `flags` of a buffer's row (put_buffers), which say how its image is made; zeros for a
 * buffer that is no image. The slices of a 3D image are its depth, those of any other image its layers; a cube has
 * six. */
static void put_image(const struct buf *x, FILE *f)
{
    static const struct {
        const char *type, *view;
        bool is_volume, is_cube;
    } shapes[TEXELS_N] = {
        [TEXELS_1D] = {"1D", "1D",         false, false},
        [TEXELS_2D] = {"2D", "2D",         false, false},
        [TEXELS_3D] = {"3D", "3D",         true,  false},
        [TEXELS_CUBE] = {"2D", "CUBE",       false, true },
        [TEXELS_1D_ARRAY] = {"1D", "1D_ARRAY",   false, false},
        [TEXELS_2D_ARRAY] = {"2D", "2D_ARRAY",   false, false},
        [TEXELS_CUBE_ARRAY] = {"2D", "CUBE_ARRAY", false, true }
    };
    enum texels const texels = buf_kind_rows[x->kind].texels;
    (void)fprintf(f, ", %s", get_format(x->kind));
    if (!buf_is_image(x->kind)) {
        (void)fprintf(f, ", 0, 0, {0, 0, 0}, 0, 0");
        return;
    }
    uint32_t const n = buf_get_slices(x);
    (void)fprintf(f,
                  ",\n     VK_IMAGE_TYPE_%s, VK_IMAGE_VIEW_TYPE_%s, {%" PRIu32 ", %" PRIu32
                  ", %" PRIu32 "}, %" PRIu32 ", %s",
                  shapes[texels].type, shapes[texels].view, x->width, x->height,
                  shapes[texels].is_volume ? n : 1, shapes[texels].is_volume ? 1 : n,
                  shapes[texels].is_cube ? "VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT" : "0");
}

/* Put the number of buffers; of Vulkan how many sets there are up to the last one that a buffer is in, and which buffer has
 * the push constants, if one has. */
static void put_numbers(const struct testcase *tc, FILE *f)
{
    bool const is_vk = tc->env == ENV_VK;
    uint32_t n_sets = 1;
    (void)fprintf(f, "enum { N_BUFFERS = %" PRIu32, tc->n_bufs);
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        n_sets = tc->bufs[i].set >= n_sets ? tc->bufs[i].set + 1 : n_sets;
        if (tc->bufs[i].kind == BUF_PUSH) {
            (void)fprintf(f, ", PUSH_BUFFER = %" PRIu32, i);
        }
    }
    if (is_vk) {
        (void)fprintf(f, ", N_SETS = %" PRIu32, n_sets);
    }
    (void)fprintf(f, " }; /* buffer i is %s */\n",
                  is_vk ? "binding i of its descriptor set" : "argument i of the kernel");
}

/* What some buffer of the case is. */
struct kinds {
    bool has_image, has_texels, has_address, has_uniform, has_push, has_value;
};
static struct kinds find_kinds(const struct testcase *tc)
{
    struct kinds k = {0};
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        enum buf_kind const kind = tc->bufs[i].kind;
        k.has_image |= buf_is_image(kind);
        k.has_texels |= buf_kind_rows[kind].texels == TEXELS_BUFFER;
        k.has_address |= kind == BUF_ADDRESS;
        k.has_uniform |= kind == BUF_CONSTANT;
        k.has_push |= kind == BUF_PUSH;
        k.has_value |= !buf_is_memory(kind);
    }
    return k;
}

/* Put one row of the table of buffers: the members that put_buffers declares. */
static void put_buffer(const struct testcase *tc, uint32_t i, const struct kinds *k, FILE *f)
{
    const struct buf *const x = &tc->bufs[i];
    (void)fprintf(f, "    {\"in-%" PRIu32 ".bin\", %" PRIu32, i, x->n_bytes);
    if (tc->env == ENV_VK) {
        (void)fprintf(f, ", %" PRIu32 ", %s", x->set, get_descriptor(x->kind));
    }
    if (tc->env == ENV_VK && (k->has_image || k->has_texels)) {
        put_image(x, f);
    }
    if (tc->env == ENV_VK ? k->has_address : k->has_value) {
        (void)fprintf(f, ", %d", x->kind == BUF_ADDRESS || x->kind == BUF_VALUE);
    }
    (void)fprintf(f, "},\n");
}

/* Put the table of the case's buffers: the file with its content, its size, and for Vulkan how it is bound.
 * An empty row ends it, as C has no empty arrays. */
static void put_buffers(const struct testcase *tc, FILE *f)
{
    bool const is_vk = tc->env == ENV_VK;
    struct kinds const k = find_kinds(tc);
    put_numbers(tc, f);
    (void)fprintf(f,
                  "static const struct {\n    const char *in; size_t n_bytes;%s\n%s%s"
                  "} buffers[N_BUFFERS + 1] = {\n",
                  is_vk ? " uint32_t set; VkDescriptorType type;" : "",
                  is_vk && (k.has_image || k.has_texels)
                      ? "    VkFormat format; /* of texels */\n"
                        "    VkImageType image; /* and what follows: of an image */\n"
                        "    VkImageViewType view;\n    VkExtent3D extent;\n"
                        "    uint32_t n_layers;\n    VkImageCreateFlags flags;\n"
                      : "",
                  is_vk && k.has_address
                      ? "    int by_address; /* its address is bound, and not itself */\n"
                  : !is_vk && k.has_value ? "    int by_value; /* its bytes are the argument */\n"
                                          : "");
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        put_buffer(tc, i, &k, f);
    }
    (void)fprintf(f, "%s};\n", tc->n_bufs == 0 ? "    {0}\n" : "");
}

/* The table of several dispatches, in work-groups for Vulkan and in work-items for OpenCL. */
static void put_dispatches(const struct testcase *tc, FILE *f)
{
    uint32_t const n = testcase_count_dispatches(tc);
    (void)fprintf(f,
                  "#define N_DISPATCHES %" PRIu32 " /* one after the other */\n"
                  "static const struct { %s; } dispatches[N_DISPATCHES] = {\n",
                  n, tc->env == ENV_VK ? "uint32_t base[3], n[3]" : "size_t offset[3], size[3]");
    for (uint32_t i = 0; i < n; i++) {
        struct dispatch const one = testcase_get_dispatch(tc, i);
        uint32_t unit[3] = {1, 1, 1};
        for (int d = 0; tc->env == ENV_CL && d < 3; d++) {
            unit[d] = tc->local[d];
        }
        (void)fprintf(f,
                      "    {{%" PRIu32 ", %" PRIu32 ", %" PRIu32 "}, {%" PRIu32 ", %" PRIu32
                      ", %" PRIu32 "}},\n",
                      one.base[0] * unit[0], one.base[1] * unit[1], one.base[2] * unit[2],
                      one.n[0] * unit[0], one.n[1] * unit[1], one.n[2] * unit[2]);
    }
    (void)fprintf(f, "};\n");
}

/* Put how much is run: of Vulkan in work-groups, of OpenCL in work-items. */
static void put_sizes(const struct testcase *tc, FILE *f)
{
    bool const is_divided = testcase_count_dispatches(tc) > 1;
    bool const is_vk = tc->env == ENV_VK;
    if (is_divided) {
        put_dispatches(tc, f);
    } else {
        (void)fprintf(f, "static const %s[3] = {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "};%s",
                      is_vk ? "uint32_t n_groups" : "size_t global_size",
                      tc->global[0] / (is_vk ? tc->local[0] : 1),
                      tc->global[1] / (is_vk ? tc->local[1] : 1),
                      tc->global[2] / (is_vk ? tc->local[2] : 1), is_vk ? " " : "\n");
    }
    (void)fprintf(f,
                  is_vk ? "/* workgroups of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " */\n"
                        : "static const size_t local_size[3] = {%" PRIu32 ", %" PRIu32 ", %" PRIu32
                          "};\n",
                  tc->local[0], tc->local[1], tc->local[2]);
}

/* The case's values for specialization constants. */
static void put_specs(const struct testcase *tc, FILE *f)
{
    if (tc->n_specs == 0) {
        return;
    }
    (void)fprintf(f,
                  "#define N_SPECS %" PRIu32 "\n"
                  "static const struct { unsigned id, size; unsigned long long bits; } "
                  "specs[N_SPECS] = { /* by SpecId, little-endian */\n",
                  tc->n_specs);
    for (uint32_t i = 0; i < tc->n_specs; i++) {
        const struct spec *const s = &tc->specs[i];
        bool const is_word = s->is_bool && tc->env == ENV_VK; /* VkBool32 */
        (void)fprintf(f, "    {%" PRIu32 ", %" PRIu32 ", 0x%" PRIx64 "},\n", s->id,
                      is_word ? 4 : s->n_bytes, s->bits);
    }
    (void)fprintf(f, "};\n");
}

/* Put what the host program has to know of the case: device, entry point, options, sizes and buffers. */
static void put_case(const struct bug *b, FILE *f)
{
    const struct testcase *const tc = b->tc;
    char platform[128];
    (void)facts_get(bug_get_facts(b), "platform", platform, sizeof platform);
    (void)fprintf(f, "/* ---- the case ---- */\n#define PROGRAM %s\"%s\"%s\n#define DEVICE  ",
                  b->planted ? "(getenv(\"PROGRAM\") ? getenv(\"PROGRAM\") : " : "",
                  bug_get_file(b), b->planted ? ")" : "");
    c_text_put_literal(platform, f);
    (void)fprintf(f, " /* where the bug was seen; any device with \"\" */\n#define ENTRY   ");
    c_text_put_literal(tc->entry, f);
    (void)fprintf(f, "\n");
    if (tc->env == ENV_CL) {
        (void)fprintf(f, "#define OPTIONS ");
        c_text_put_literal(tc->build_options, f);
        (void)fprintf(f, "\n");
    }
    if (tc->env == ENV_VK && tc->subgroup_size) {
        (void)fprintf(f, "#define SUBGROUP_SIZE %" PRIu32 "\n", tc->subgroup_size);
    }
    put_specs(tc, f);
    put_sizes(tc, f);
    put_buffers(tc, f);
}

enum {
    FLAGS_BYTES = 'z' - 'a' + 2 /* all letters once, and the end */
};

/* Write the letters of the flags that this case has. put_section chooses the lines of the templates by them. */
static void get_flags(const struct bug *b, char flags[FLAGS_BYTES])
{
    size_t n = 0;
    struct kinds const k = find_kinds(b->tc);
    struct bug_needs needs;
    bug_get_needs(b, &needs);
    const struct {
        int is_set;
        char letter;
    } all[] = {
        {k.has_image,                                         'i'}, /* images */
        {k.has_texels,                                        't'}, /* texel buffers */
        {k.has_address,                                       'a'}, /* addresses of buffers */
        {k.has_uniform,                                       'u'}, /* uniform buffers */
        {k.has_push,                                          'p'}, /* push constants */
        {b->tc->subgroup_size != 0,                           's'}, /* a required sub-group size */
        {b->tc->full_subgroups != 0,                          'f'}, /* full sub-groups */
        {bug_get_kind(b) == BUG_MARGINS,                      'm'}, /* bytes beside the buffers */
        {bug_get_kind(b) == BUG_DIES,                         'd'}, /* a run that does not end */
        {b->tc->language != LANGUAGE_SPIRV,                   'c'}, /* source in place of SPIR-V */
        {b->tc->n_specs != 0,                                 'v'}, /* specialization constants */
        {testcase_count_dispatches(b->tc) > 1,                'n'}, /* several dispatches */
        {needs.n_extensions > 0,                              'x'}, /* extensions of the device */
        {k.has_image || testcase_count_dispatches(b->tc) > 1, 'e'}, /* several commands */
        {b->n_expect > 0,                                     'w'}, /* words */
        {bug_get_kind(b) == BUG_ORDER,                        'o'}, /* operations on a location */
        {bug_get_kind(b) == BUG_IDS,                          'g'}, /* ids within sub-groups */
        {k.has_value,                                         'b'}, /* arguments by value */
    };
    for (size_t i = 0; i < ARRAY_N(all); i++) {
        if (all[i].is_set) {
            flags[n++] = all[i].letter;
        }
    }
    flags[n] = '\0';
}

/* Put the function compare() of the host program, which tells whether a run shows the bug, and the functions that it
 * calls. A bug that ends the run or is a refusal leaves nothing to compare; BUG_OUTPUTS compares the outputs as a
 * whole. */
static void put_compare(const struct bug *b, const char *flags, FILE *f)
{
    enum bug_kind const kind = bug_get_kind(b);
    bool const has_words = b->n_expect > 0;
    if (kind == BUG_DIES || kind == BUG_REFUSED || kind == BUG_OUTPUTS) {
        put_section(host_c, kind == BUG_OUTPUTS ? "outputs" : "nothing", flags, b->tc->env, f);
        return;
    }
    const struct {
        bool is_put;
        const char *name;
    } sections[] = {
        {kind == BUG_ORDER || kind == BUG_IDS, "load"   },
        {has_words,                            "words"  },
        {kind == BUG_ORDER,                    "order"  },
        {kind == BUG_IDS,                      "ids"    },
        {kind == BUG_MARGINS,                  "margins"},
        {true,                                 "compare"},
    };
    for (size_t i = 0; i < ARRAY_N(sections); i++) {
        if (sections[i].is_put) {
            put_section(host_c, sections[i].name, flags, b->tc->env, f);
        }
    }
}

/* Put host.c, the program that shows the bug without anything of ours: it is made of sections of the templates and
 * of what is written for the case. Vulkan's template always has margins around its buffers, OpenCL's only for
 * BUG_MARGINS. MARGIN is the size of a page, which also meets any alignment that a buffer may need. */
void bug_put_host(const struct bug *b, FILE *f)
{
    int const is_vk = b->tc->env == ENV_VK;
    char flags[FLAGS_BYTES];
    get_flags(b, flags);
    put_head(b, f);
    put_includes(b, f);
    put_case(b, f);
    (void)fprintf(f, "\n/* ---- what tells that the bug is there ---- */\n");
    put_section(host_c, "common", flags, b->tc->env, f);
    if (is_vk || bug_get_kind(b) == BUG_MARGINS) {
        (void)fprintf(f, "enum { MARGIN = 4096, MARGIN_BYTE = 0xa5 };\n");
    }
    put_compare(b, flags, f);
    (void)fprintf(f, "/* ---- the run ---- */\n");
    if (is_vk) {
        bug_put_features(b, f);
    }
    put_section(is_vk ? host_vk_c : host_ocl_c, "run", flags, b->tc->env, f);
    put_section(host_c, "main", flags, b->tc->env, f);
}

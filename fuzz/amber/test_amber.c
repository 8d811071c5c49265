/* fuzz/amber/test_amber.c -- scripts of Amber: what is read of them, what is refused with its line, what holds, which RUN decides it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "fuzz/amber/amber_script.h"

#define TEST_ARENA_BYTES ((size_t)256 << 20)

struct rig {
    struct arena a;
    struct amber script;
    struct err e;
};

static int set_up(void **state)
{
    struct rig *const r = calloc(1, sizeof *r);
    if (!r) {
        return -1;
    }
    arena_init(&r->a, TEST_ARENA_BYTES);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    arena_free(&r->a);
    free(r);
    return 0;
}

static enum res read_text(struct rig *r, const char *text)
{
    return amber_script_read("x.amber", text, strlen(text), &r->a, &r->script, &r->e);
}

#define HEAD        "#!amber\nSHADER compute s SPIRV-ASM\nOpNop # is kept\nEND\n"
#define PIPE(lines) "PIPELINE compute p\nATTACH s\n" lines "END\n"
#define RUN         "RUN p 2 1 1\n"

static void expect_read(struct rig *r, const char *text)
{
    if (read_text(r, text) != RES_OK) {
        fail_msg("%s", r->e.text);
    }
}

static uint64_t get_word(const struct rig *r, uint32_t buffer, uint32_t byte, unsigned n_bytes)
{
    assert_true(byte + n_bytes <= r->script.buffers.row[buffer].n_bytes);
    return load_le(r->script.buffers.row[buffer].data + byte, n_bytes);
}

/* A vector of 3 has the stride of 4; series, fills and data; the shader's first line is line 3. */
static void a_script_is_read(void **state)
{
    struct rig *const r = *state;
    expect_read(r, HEAD "BUFFER a DATA_TYPE vec3<float> DATA 1 2 3\n4 5 6 END # end\n"
                        "BUFFER b DATA_TYPE int16 SIZE 3 SERIES_FROM -1 INC_BY 2\n"
                        "BUFFER c DATA_TYPE uint32 SIZE 2 FILL 0xffffffff\n"
                        "BUFFER d DATA_TYPE float WIDTH 2 HEIGHT 3 FILL 1.0\n" PIPE(
                            "SPECIALIZE 3 AS uint32 VALUE 7\n"
                            "BIND BUFFER a AS storage DESCRIPTOR_SET 1 BINDING 2\n"
                            "BIND BUFFER c AS push_constant\n") RUN);
    const struct amber_pipeline *const p = &r->script.pipelines.row[0];
    assert_int_equal(r->script.shaders.n, 1);
    assert_string_equal(r->script.shaders.row[0].text, "\n\nOpNop # is kept\n");
    assert_int_equal(r->script.shaders.row[0].language, AMBER_SPIRV_TEXT);
    assert_int_equal(r->script.n_runs, 1);
    assert_int_equal(r->script.runs[0].groups[0], 2);
    assert_int_equal(r->script.buffers.n, 4);
    assert_int_equal(r->script.buffers.row[0].n_bytes, 32);
    assert_int_equal(get_word(r, 0, 16, 4), 0x40800000); /* 4 */
    assert_int_equal(get_word(r, 0, 12, 4), 0);
    assert_int_equal(get_word(r, 1, 0, 2), 0xffff);
    assert_int_equal(get_word(r, 1, 4, 2), 3);
    assert_int_equal(get_word(r, 2, 4, 4), 0xffffffff);
    assert_int_equal(r->script.buffers.row[3].n_bytes, 24);
    assert_int_equal(get_word(r, 3, 20, 4), 0x3f800000);
    assert_int_equal(p->n_bindings, 2);
    assert_int_equal(p->bindings[0].place, AMBER_AT_BINDING);
    assert_int_equal(p->bindings[0].set, 1);
    assert_int_equal(p->bindings[0].number, 2);
    assert_true(p->bindings[0].may_be_written);
    assert_int_equal(p->bindings[1].place, AMBER_AT_PUSH);
    assert_false(p->bindings[1].may_be_written);
    assert_int_equal(p->n_specs, 1);
    assert_int_equal(p->specs[0].id, 3);
    assert_string_equal(p->specs[0].value, "7");
}

/* Where each number of two elements lies, by the rules of std140 and std430 as Amber has them. */
static void numbers_lie_as_their_type_has_it(void **state)
{
    static const struct {
        const char *type;
        uint32_t n_bytes, n,
            last; /* of an element; numbers of it; byte of the last of the second element */
    } rows[] = {
        {"uint8",                1,   1,  1  },
        {"int64",                8,   1,  8  },
        {"vec2<float>",          8,   2,  12 },
        {"vec3<double>",         32,  3,  48 },
        {"vec4<int16>",          8,   4,  14 },
        {"mat2x2<float>",        16,  4,  28 },
        {"mat3x3<float>",        48,  9,  88 },
        {"mat2x3<float>",        32,  6,  56 },
        {"mat3x2<float>",        24,  6,  44 },
        {"mat3x3<float16>",      24,  9,  44 },
        {"mat4x4<double>",       128, 16, 248},
        {"mat2x2<float> STD140", 32,  4,  52 },
        {"mat2x2<float> STD430", 16,  4,  28 },
        {"float[]",              4,   1,  4  },
        {"float[] STD140",       16,  1,  16 },
        {"float STD140",         4,   1,  4  },
        {"vec2<float>[] STD140", 16,  2,  20 },
        {"R32G32B32A32_SFLOAT",  16,  4,  28 },
        {"R32G32_UINT",          8,   2,  12 },
        {"R16_SINT",             2,   1,  2  },
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        expect_read(r,
                    arena_printf(&r->a, HEAD PIPE("") "BUFFER a DATA_TYPE %s SIZE 2 FILL 1\n" RUN,
                                 rows[i].type));
        const struct amber_type *const type = &r->script.buffers.row[0].type;
        uint32_t found = 0;
        if (type->stride != rows[i].n_bytes || amber_type_count(type) != rows[i].n ||
            amber_type_place(type, 2 * rows[i].n - 1) != rows[i].last ||
            !amber_type_find(type, rows[i].last, &found) || found != 2 * rows[i].n - 1) {
            fail_msg("%s: %u bytes, %u numbers, the last at %zu", rows[i].type, type->stride,
                     amber_type_count(type), amber_type_place(type, 2 * rows[i].n - 1));
        }
    }
    expect_read(r, HEAD PIPE("") "BUFFER a DATA_TYPE mat2x3<float> DATA 1 2 3 4 5 6 END\n" RUN);
    assert_int_equal(get_word(r, 0, 8, 4), 0x40400000);  /* 3 */
    assert_int_equal(get_word(r, 0, 12, 4), 0);          /* between the columns */
    assert_int_equal(get_word(r, 0, 16, 4), 0x40800000); /* 4 */
}

/* float16 is cut, as Amber does it; integers have a sign or none; a number with a point is one of an integer type, too. */
static void numbers_are_encoded(void **state)
{
    static const struct {
        const char *type, *number;
        uint64_t bits;
    } rows[] = {
        {"float16", "0.1",                  0x2e66           },
        {"float16", "-0.1",                 0xae66           },
        {"float16", "4.7",                  0x44b3           },
        {"float16", "-0.00259971618652344", 0x9953           },
        {"float16", "65519",                0x7bff           },
        {"float16", "5.9604645e-8",         0x0001           },
        {"float",   "0.1",                  0x3dcccccd       },
        {"int8",    "-1",                   0xff             },
        {"int32",   "2.0",                  2                },
        {"int64",   "-1e30",                UINT64_C(1) << 63},
        {"uint64",  "1e30",                 UINT64_MAX       },
        {"int32",   "-2.5",                 0xfffffffe       },
        {"uint32",  "010",                  10               },
        {"int64",   "-9223372036854775808", UINT64_C(1) << 63},
        {"uint64",  "0xffffffffffffffff",   UINT64_MAX       },
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        expect_read(r, arena_printf(&r->a, HEAD PIPE("") "BUFFER a DATA_TYPE %s DATA %s END\n" RUN,
                                    rows[i].type, rows[i].number));
        unsigned const n_bytes = r->script.buffers.row[0].type.n_bits / 8;
        if (get_word(r, 0, 0, n_bytes) != rows[i].bits) {
            fail_msg("%s %s: 0x%llx", rows[i].type, rows[i].number,
                     (unsigned long long)get_word(r, 0, 0, n_bytes));
        }
    }
}

/* Kinds of shaders, with the version of SPIR-V; #version of GLSL comes first, and each other line has its number. */
static void shaders_are_read(void **state)
{
    struct rig *const r = *state;
    expect_read(r, "#!amber\n"
                   "VIRTUAL_FILE \"v\"\nOpNop\nEND\n"
                   "SHADER compute a SPIRV-ASM TARGET_ENV spv1.5 VIRTUAL_FILE v\n"
                   "SHADER compute b GLSL\n\n#version 310 es\nvoid\nEND\n"
                   "SHADER multi c SPIRV-HEX\n0x07230203 0x00010300\n1,2\nEND\n"
                   "SHADER compute d OPENCL-C\nkernel\nEND # d\n"
                   "BUFFER x DATA_TYPE float SIZE 1 FILL 0\n"
                   "PIPELINE compute p\nATTACH c TYPE compute ENTRY_POINT e \\\n  SPECIALIZE 1 AS "
                   "float 1.5 \\\n SPECIALIZE 2 AS uint32 VALUE 3\nEND\n"
                   "DERIVE_PIPELINE q FROM p\nATTACH d\nSPECIALIZE 1 AS float 2.5\n"
                   "COMPILE_OPTIONS d\n-cluster-pod-kernel-args\n-cl-mad-enable -DN=1\nEND\n"
                   "SHADER_OPTIMIZATION d\n--merge-return\nEND\n"
                   "SUBGROUP d\nFULLY_POPULATED on\nVARYING_SIZE off\nREQUIRED_SIZE 16\nEND\n"
                   "BIND BUFFER x KERNEL ARG_NAME y\nBIND BUFFER x AS storage KERNEL ARG_NUMBER 2\n"
                   "SET KERNEL ARG_NUMBER 1 AS int16 -2\nEND\n"
                   "RUN TIMED_EXECUTION p 1 1 1\nRUN q 1 2 3\n");
    const struct amber_shader *const s = r->script.shaders.row;
    const struct amber_pipeline *const p = &r->script.pipelines.row[0];
    const struct amber_pipeline *const q = &r->script.pipelines.row[1];
    assert_int_equal(r->script.shaders.n, 4);
    assert_string_equal(s[0].text, "\n\nOpNop\n"); /* in line 3 */
    assert_int_equal(s[0].version, 0x00010500);
    assert_string_equal(s[1].text, "#version 310 es\n\n\n\n\n\n\n\nvoid\n"); /* in line 9 */
    assert_int_equal(s[1].version, 0x00010300);
    assert_int_equal(s[2].n, 16);
    assert_int_equal(load_le((const unsigned char *)s[2].text, 4), 0x07230203);
    assert_int_equal(load_le((const unsigned char *)s[2].text + 12, 4), 2);
    assert_int_equal(s[3].language, AMBER_OPENCL_C);
    assert_string_equal(p->entry, "e");
    assert_int_equal(p->shader, 2);
    assert_int_equal(p->n_specs, 2);
    assert_string_equal(p->specs[0].value, "1.5");
    assert_string_equal(p->specs[1].value, "3");
    assert_int_equal(q->shader, 3);
    assert_int_equal(q->n_specs, 2); /* one is replaced */
    assert_string_equal(q->specs[0].value, "2.5");
    assert_string_equal(q->options, " -cl-mad-enable -DN=1");
    assert_int_equal(q->subgroup_size, 16);
    assert_true(q->has_full_subgroups);
    assert_int_equal(p->subgroup_size, 0);
    assert_int_equal(q->n_bindings, 3);
    assert_string_equal(q->bindings[0].name, "y");
    assert_int_equal(q->bindings[1].place, AMBER_AT_NUMBER);
    assert_int_equal(q->bindings[1].number, 2);
    assert_int_equal(q->bindings[2].n_bytes, 2);
    assert_int_equal(load_le(q->bindings[2].bytes, 2), 0xfffe);
    assert_int_equal(r->script.n_runs, 2);
    assert_int_equal(r->script.runs[1].groups[2], 3);
}

/* Assembly without TARGET_ENV. */
static void the_version_follows_the_extension(void **state)
{
    struct rig *const r = *state;
    expect_read(r, "#!amber\nDEVICE_EXTENSION VK_KHR_spirv_1_4\n"
                   "SHADER compute s SPIRV-ASM\nOpNop\nEND\n" PIPE("") RUN);
    assert_int_equal(r->script.shaders.row[0].version, 0x00010400);
    expect_read(r, HEAD PIPE("") RUN);
    assert_int_equal(r->script.shaders.row[0].version, 0x00010300);
}

/* A part of a buffer is bound. */
static void offsets_are_of_the_binding(void **state)
{
    static const struct {
        const char *words;
        uint32_t offset, n_bytes;
        bool may_be_written;
    } rows[] = {
        {"storage DESCRIPTOR_SET 0 BINDING 1",                                         0,  64, true },
        {"storage DESCRIPTOR_SET 0 BINDING 1 DESCRIPTOR_OFFSET 16",                    16, 48, true },
        {"uniform DESCRIPTOR_SET 0 BINDING 1 DESCRIPTOR_OFFSET 16 DESCRIPTOR_RANGE 8", 16, 8,
         false                                                                                      },
        {"storage_dynamic DESCRIPTOR_SET 0 BINDING 1 OFFSET 8",                        8,  56, true },
        {"uniform_dynamic DESCRIPTOR_SET 0 BINDING 1 OFFSET 8 DESCRIPTOR_OFFSET 16 "
         "DESCRIPTOR_RANGE 99",                                               24, 40, false},
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        expect_read(r, arena_printf(&r->a,
                                    HEAD "BUFFER a DATA_TYPE uint32 SIZE 16 SERIES_FROM 0 INC_BY "
                                         "1\n" PIPE("BIND BUFFER a AS %s\n") RUN,
                                    rows[i].words));
        const struct amber_binding *const b = &r->script.pipelines.row[0].bindings[0];
        if (b->offset != rows[i].offset || b->n_bytes != rows[i].n_bytes ||
            b->may_be_written != rows[i].may_be_written ||
            load_le(b->bytes, 4) != rows[i].offset / 4) {
            fail_msg("%s: %u bytes from %u", rows[i].words, b->n_bytes, b->offset);
        }
    }
}

/* Files beside the script: numbers, bytes, a shader. */
static void files_are_read(void **state)
{
    struct rig *const r = *state;
    char folder[] = "/tmp/test-amber-XXXXXX";
    assert_non_null(mkdtemp(folder));
    static const char *const names[] = {"t.txt", "b.bin", "s.comp"};
    static const char *const texts[] = {"1 2 3\n4 5\n", "\1\2\3\4\5\6\7\10", "void\n"};
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        FILE *const f = fopen(arena_printf(&r->a, "%s/%s", folder, names[i]), "wb");
        assert_non_null(f);
        assert_int_equal(fputs(texts[i], f) >= 0, 1);
        assert_int_equal(fclose(f), 0);
    }
    const char *const text = "#!amber\nSHADER compute s GLSL FILE s.comp\n"
                             "BUFFER a DATA_TYPE uint32 SIZE 8 FILE TEXT t.txt\n"
                             "BUFFER b DATA_TYPE uint32 SIZE 1 FILE BINARY b.bin\n" PIPE("") RUN;
    const char *const path = arena_printf(&r->a, "%s/x.amber", folder);
    enum res const res = amber_script_read(path, text, strlen(text), &r->a, &r->script, &r->e);
    enum res const missing = read_text(r, "#!amber\nSHADER compute s GLSL FILE ../s.comp\n");
    struct err const why = r->e;
    enum res const again = amber_script_read(path, text, strlen(text), &r->a, &r->script, &r->e);
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        assert_int_equal(unlink(arena_printf(&r->a, "%s/%s", folder, names[i])), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(res, RES_OK);
    assert_int_equal(again, RES_OK);
    assert_int_equal(missing, RES_FORMAT);
    assert_non_null(strstr(why.text, "x.amber:2: ../s.comp: not read beside the script"));
    assert_string_equal(r->script.shaders.row[0].text, "void\n");
    assert_non_null(strstr(r->script.shaders.row[0].path, "/s.comp"));
    assert_int_equal(r->script.buffers.row[0].n_bytes, 32);
    assert_int_equal(get_word(r, 0, 16, 4), 5);
    assert_int_equal(get_word(r, 0, 20, 4), 0);
    assert_int_equal(r->script.buffers.row[1].n_bytes, 8);
    assert_int_equal(get_word(r, 1, 4, 4), 0x08070605);
}

/* Each with its line. */
static void what_is_not_known_is_told_with_its_line(void **state)
{
#define BUFFER  "BUFFER a DATA_TYPE float SIZE 4 FILL 0\n"
#define BIND_TO "DESCRIPTOR_SET 0 BINDING 0"
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"#!amber\n",                                                                     "x.amber:1: the script has no shader"},
        {HEAD,                                                                            "x.amber:4: the script runs nothing" },
        {HEAD RUN,                                                                        "x.amber:5: p: no PIPELINE above"    },
        {HEAD PIPE("") "RUN p 1 0 1\n",                                                   "x.amber:8: RUN PIPELINE"            },
        {HEAD "SHADER vertex v GLSL\n",                                                   "x.amber:5: a shader of compute"     },
        {HEAD "SHADER compute v HLSL\n",                                                  "x.amber:5: a shader of compute"     },
        {HEAD "SHADER compute v SPIRV-BIN\n",                                             "x.amber:5: a shader of compute"     },
        {HEAD "SHADER compute v GLSL TARGET_ENV spv2.0\n",                                "x.amber:5: after the shader's kind" },
        {HEAD "SHADER compute v GLSL VIRTUAL_FILE w\n",                                   "x.amber:5: w: no VIRTUAL_FILE"      },
        {HEAD "SHADER compute v GLSL\nvoid\n",                                            "x.amber:6: SHADER without END"      },
        {HEAD "SHADER compute v SPIRV-HEX\nx\nEND\n",                                     "x.amber:7: SPIRV-HEX"               },
        {HEAD "PIPELINE graphics p\n",                                                    "x.amber:5: a pipeline of graphics"  },
        {HEAD "PIPELINE compute p\nEND\n",                                                "x.amber:6: the pipeline has no"     },
        {HEAD "DERIVE_PIPELINE q FROM p\n",                                               "x.amber:5: DERIVE_PIPELINE NAME"    },
        {HEAD "BUFFER a DATA_TYPE mat2x5<float> SIZE 1 FILL 0\n",                         "x.amber:5: BUFFER NAME"             },
        {HEAD "BUFFER a DATA_TYPE vec2<float SIZE 1 FILL 0\n",                            "x.amber:5: BUFFER NAME"             },
        {HEAD "BUFFER a DATA_TYPE R8G8B8A8_UNORM SIZE 1 FILL 0\n",                        "x.amber:5: BUFFER NAME"             },
        {HEAD "BUFFER a FORMAT R32_SFLOAT\n",                                             "x.amber:5: BUFFER NAME FORMAT"      },
        {HEAD "BUFFER a DATA_TYPE float SIZE 0 FILL 0\n",                                 "x.amber:5: a buffer of 1 byte"      },
        {HEAD "BUFFER a DATA_TYPE float SIZE 99999999 FILL 0\n",                          "x.amber:5: a buffer of 1 byte"      },
        {HEAD "BUFFER a DATA_TYPE float WIDTH 65536 HEIGHT 65536 FILL 0\n",
         "x.amber:5: a buffer of 1 byte"                                                                                       },
        {HEAD "BUFFER a DATA_TYPE float DATA 1\n",                                        "x.amber:5: DATA without END"        },
        {HEAD "BUFFER a DATA_TYPE float DATA 1\nx\n",                                     "x.amber:6: x: a number is needed"   },
        {HEAD "BUFFER a DATA_TYPE float SIZE 2 FILE TEXT nowhere.txt\n",
         "x.amber:5: nowhere.txt: not read"                                                                                    },
        {HEAD "BUFFER a DATA_TYPE float SIZE 2 FILE PNG a.png\n",                         "x.amber:5: FILE TEXT NAME"          },
        {HEAD "IMAGE a DATA_TYPE float DIM_2D\n",                                         "x.amber:5: IMAGE: not given"        },
        {HEAD PIPE("ATTACH t\n"),                                                         "x.amber:7: t: no SHADER above"      },
        {HEAD PIPE("ATTACH s SPECIALIZE 1 AS uint32\n"),                                  "x.amber:7: SPECIALIZE ID"           },
        {HEAD PIPE("BIND BUFFER q AS storage\n"),                                         "x.amber:7: q: no BUFFER above"      },
        {HEAD BUFFER PIPE("BIND BUFFER a AS color LOCATION 0\n"),                         "x.amber:8: color: not known"        },
        {HEAD BUFFER PIPE("BIND BUFFER_ARRAY a a AS storage " BIND_TO "\n"),
         "x.amber:8: BUFFER_ARRAY: not"                                                                                        },
        {HEAD BUFFER PIPE("BIND BUFFER a AS storage\n"),                                  "x.amber:8: AS KIND"                 },
        {HEAD BUFFER PIPE("BIND BUFFER a AS storage " BIND_TO " OFFSET 4\n"),
         "x.amber:8: OFFSET: not known"                                                                                        },
        {HEAD BUFFER PIPE("BIND BUFFER a AS storage_dynamic " BIND_TO "\n"),
         "x.amber:8: OFFSET NUMBER"                                                                                            },
        {HEAD BUFFER PIPE("BIND BUFFER a AS storage " BIND_TO " DESCRIPTOR_OFFSET 16\n"),
         "x.amber:8: an offset in the buffer"                                                                                  },
        {HEAD BUFFER PIPE("BIND BUFFER a KERNEL ARG 1\n"),                                "x.amber:8: KERNEL ARG_NAME"         },
        {HEAD PIPE("SET KERNEL ARG_NAME x AS vec2<float> 1 2\n"),                         "x.amber:7: SET KERNEL"              },
        {HEAD PIPE("COMPILE_OPTIONS s\n-work-dim\n"),                                     "x.amber:8: -work-dim"               },
        {HEAD PIPE("SUBGROUP s\nREQUIRED_SIZE MAX\n"),                                    "x.amber:8: REQUIRED_SIZE: FULLY"    },
        {HEAD PIPE("SUBGROUP s\nVARYING_SIZE on\n"),                                      "x.amber:8: VARYING_SIZE: FULLY"     },
        {HEAD PIPE("FRAMEBUFFER_SIZE 2 2\n"),                                             "x.amber:7: FRAMEBUFFER_SIZE"        },
        {HEAD "EXPECT q IDX 0 EQ 1\n",                                                    "x.amber:5: EXPECT of a buffer"      },
        {HEAD BUFFER "EXPECT a IDX 2 EQ 1\n",                                             "x.amber:6: IDX with a byte"         },
        {HEAD BUFFER "EXPECT a IDX 0 TOLERANCE 1 NE 1\n",                                 "x.amber:6: EQ is needed"            },
        {HEAD BUFFER "EXPECT a IDX 0 TOLERANCE EQ 1\n",                                   "x.amber:6: TOLERANCE with"          },
        {HEAD BUFFER "EXPECT a IDX 0 0 SIZE 1 1 EQ_RGB 1 1 1\n",                          "x.amber:6: EQ, NE, LT"              },
        {HEAD "REPEAT 2\n",                                                               "x.amber:5: REPEAT"                  },
        {HEAD "CLEAR p\n",                                                                "x.amber:5: CLEAR"                   },
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (read_text(r, rows[i].text) != RES_FORMAT ||
            strncmp(r->e.text, rows[i].message, strlen(rows[i].message)) != 0) {
            fail_msg("%s\n%s", rows[i].text, r->e.text);
        }
    }
}

/* a: 1, 2, 3 and 4, 5, 6 with a hole between; m: columns of 3. */
static void expectations_hold_or_not(void **state)
{
    static const struct {
        const char *text;
        bool holds;
    } rows[] = {
        {"EXPECT a IDX 0 EQ 1 2 3 4 5 6\n",                true },
        {"EXPECT a IDX 0 EQ 1 2 3 4 5 7\n",                false},
        {"EXPECT a IDX 20 EQ 5 6\n",                       true },
        {"EXPECT a IDX 4 NE 3\n",                          true },
        {"EXPECT a IDX 4 NE 2\n",                          false},
        {"EXPECT a IDX 4 LT 3\n",                          true },
        {"EXPECT a IDX 4 LT 2\n",                          false},
        {"EXPECT a IDX 4 LE 2\n",                          true },
        {"EXPECT a IDX 4 GE 2\n",                          true },
        {"EXPECT a IDX 4 GT 2\n",                          false},
        {"EXPECT a IDX 4 TOLERANCE 0.5 EQ 2.5\n",          true },
        {"EXPECT a IDX 4 TOLERANCE 0.25 EQ 2.5\n",         false},
        {"EXPECT a IDX 4 TOLERANCE 25% EQ 2.5\n",          true },
        {"EXPECT a IDX 4 TOLERANCE 10% EQ 2.5\n",          false},
        {"EXPECT a IDX 4 TOLERANCE 25 % 1 EQ 2.5\n",       true },
        {"EXPECT a IDX 4 TOLERANCE 0.25 9 9 9 EQ 2.5\n",   false},
        {"EXPECT a IDX 32 EQ 0\n",                         false},
        {"EXPECT a EQ_BUFFER same\n",                      true },
        {"EXPECT a EQ_BUFFER other\n",                     false},
        {"EXPECT h IDX 0 EQ 1.5 -0.000000059604645\n",     false},
        {"EXPECT h IDX 4 EQ 0.000000059604644775390625\n", true },
        {"EXPECT h IDX 6 EQ -65504\n",                     true },
        {"EXPECT h IDX 0 EQ 1.5\n",                        true },
        {"EXPECT f IDX 0 EQ 4.7\n",                        true }, /* rounded to a float */
        {"EXPECT f IDX 0 NE 4.7\n",                        false},
        {"EXPECT f IDX 0 EQ 4.7000003\n",                  false},
        {"EXPECT f IDX 4 EQ inf\n",                        true },
        {"EXPECT f IDX 8 EQ nan\n",                        true },
        {"EXPECT f IDX 8 EQ 0\n",                          false},
        {"EXPECT f IDX 8 TOLERANCE 1 EQ 0\n",              false},
        {"EXPECT d IDX 0 EQ 1.000000009\n",                true }, /* within 1e-8 of it */
        {"EXPECT d IDX 0 EQ 1.00000002\n",                 false},
        {"EXPECT i IDX 0 EQ -1\n",                         true },
        {"EXPECT i IDX 0 LT 0\n",                          true },
        {"EXPECT i IDX 8 EQ 9007199254740993\n",           true }, /* no double */
        {"EXPECT i IDX 8 EQ 9007199254740992\n",           false},
        {"EXPECT i IDX 8 GT 9007199254740992\n",           true },
        {"EXPECT u IDX 0 EQ -1\n",                         true },
        {"EXPECT u IDX 0 GT 0\n",                          true },
        {"EXPECT m IDX 0 EQ 1 2 3 4 5 6\n",                true },
        {"EXPECT m IDX 16 EQ 4\n",                         true },
        {"EXPECT m IDX 16 EQ 5\n",                         false},
    };
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const unsigned char *contents[AMBER_MAX_BUFFERS] = {NULL};
        const char *why = NULL;
        expect_read(
            r, arena_printf(
                   &r->a,
                   HEAD PIPE("") "BUFFER a DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END\n"
                                 "BUFFER same DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END\n"
                                 "BUFFER other DATA_TYPE vec3<float> DATA 1 2 3 4 5 7 END\n"
                                 "BUFFER h DATA_TYPE float16 DATA 1.5 2 "
                                 "0.000000059604644775390625 -65504 END\n"
                                 "BUFFER f DATA_TYPE float DATA 4.7 inf nan END\n"
                                 "BUFFER d DATA_TYPE double DATA 1 END\n"
                                 "BUFFER i DATA_TYPE int64 DATA -1 9007199254740993 END\n"
                                 "BUFFER u DATA_TYPE uint8 DATA 255 END\n"
                                 "BUFFER m DATA_TYPE mat2x3<float> DATA 1 2 3 4 5 6 END\n%s" RUN,
                   rows[i].text));
        for (uint32_t b = 0; b < r->script.buffers.n; b++) {
            contents[b] = r->script.buffers.row[b].data;
        }
        bool const holds = amber_expect_holds(&r->script.expects.row[0], &r->script.buffers,
                                              contents, &r->a, &why);
        if (holds != rows[i].holds || holds != (why[0] == '\0')) {
            fail_msg("%s%s", rows[i].text, why);
        }
    }
}

/* p writes a, q reads a and writes b, w writes c alone; u only reads. */
static void one_run_decides_or_none(void **state)
{
    static const struct {
        const char *text;
        uint32_t run;
    } rows[] = {
        {"RUN p 1 1 1\nEXPECT a IDX 0 EQ 1\n",               0             },
        {"RUN p 1 1 1\nRUN w 1 1 1\nEXPECT a IDX 0 EQ 1\n",  0             },
        {"RUN p 1 1 1\nRUN w 1 1 1\nEXPECT c IDX 0 EQ 1\n",  1             },
        {"RUN p 1 1 1\nRUN w 1 1 1\nEXPECT c EQ_BUFFER a\n", AMBER_MAX_RUNS},
        {"RUN p 1 1 1\nRUN w 1 1 1\nEXPECT c EQ_BUFFER e\n", 1             },
        {"RUN p 1 1 1\nRUN p 1 1 1\nEXPECT a IDX 0 EQ 1\n",  AMBER_MAX_RUNS},
        {"RUN p 1 1 1\nEXPECT a IDX 0 EQ 1\nRUN p 1 1 1\n",  0             },
        {"RUN p 1 1 1\nRUN q 1 1 1\nEXPECT b IDX 0 EQ 1\n",  AMBER_MAX_RUNS},
        {"RUN q 1 1 1\nRUN p 1 1 1\nEXPECT b IDX 0 EQ 1\n",  0             },
        {"RUN q 1 1 1\nRUN p 1 1 1\nEXPECT a IDX 0 EQ 1\n",  1             },
        {"RUN u 1 1 1\nRUN p 1 1 1\nEXPECT a IDX 0 EQ 1\n",  1             },
        {"RUN w 1 1 1\nRUN p 1 1 1\nEXPECT e IDX 0 EQ 1\n",  0             },
        {"EXPECT a IDX 0 EQ 1\nRUN p 1 1 1\n",               0             },
    };
#define ONE(name)           "BUFFER " name " DATA_TYPE float DATA 0 END\n"
#define AT(buffer, kind, n) "BIND BUFFER " buffer " AS " kind " DESCRIPTOR_SET 0 BINDING " n "\n"
#define NAMED(name, lines)  "PIPELINE compute " name "\nATTACH s\n" lines "END\n"
    struct rig *const r = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        expect_read(r, arena_printf(&r->a,
                                    HEAD ONE("a") ONE("b") ONE("c") ONE("e")
                                        NAMED("p", AT("a", "storage", "0")) NAMED(
                                            "q", AT("a", "uniform", "0") AT("b", "storage", "1"))
                                            NAMED("w", AT("c", "storage", "0"))
                                                NAMED("u", AT("a", "uniform", "0")) "%s",
                                    rows[i].text));
        if (amber_script_find_run(&r->script, 0) != rows[i].run) {
            fail_msg("%s%u", rows[i].text, amber_script_find_run(&r->script, 0));
        }
    }
}

int main(void)
{
#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        WITH_RIG(a_script_is_read),
        WITH_RIG(numbers_lie_as_their_type_has_it),
        WITH_RIG(numbers_are_encoded),
        WITH_RIG(shaders_are_read),
        WITH_RIG(the_version_follows_the_extension),
        WITH_RIG(offsets_are_of_the_binding),
        WITH_RIG(files_are_read),
        WITH_RIG(what_is_not_known_is_told_with_its_line),
        WITH_RIG(expectations_hold_or_not),
        WITH_RIG(one_run_decides_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

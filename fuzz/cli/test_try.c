/* fuzz/cli/test_try.c -- halfulp try as a user starts it: each form of a file to its verdict and exit status, files that
 * are bad in one way each, and modules and workers that attack. */
#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "tests/rig/attack.h"
#include "tests/rig/room_rig.h"
#include "tests/rig/trust_rig.h"

#define TEST_ARENA_BYTES ((size_t)512 << 20)
#define TRY_IT           "timeout 300 \"$B/halfulp\" try " /* 124: it hangs */
enum {
    STATUS_BAD = 2,
    CUT_STEP_BYTES = 3, /* ends of words, and places within them */
    LARGE_ADDITIONS = 208000,
    LARGE_LINE_BYTES = 48,
    NAME_BYTES = 128
};

#define GLSL_HEAD                                                                                  \
    "#version 450\nlayout(local_size_x = 8) in;\n"                                                 \
    "layout(set = 0, binding = 0) buffer A { float a[]; };\n"                                      \
    "layout(set = 0, binding = 1) buffer B { float b[]; };\n"
#define GLSL_MAIN(text) "void main() { uint i = gl_GlobalInvocationID.x; " text " }\n"
#define GLSL_SUM        GLSL_HEAD GLSL_MAIN("b[i] = a[i] + 1.0;")
#define CL(arguments, text)                                                                        \
    "kernel void f(" arguments ") { size_t i = get_global_id(0); " text " }\n"
#define AMBER(shader, pipeline, behind)                                                            \
    "#!amber\nSHADER compute s GLSL\n" shader "END\n"                                              \
    "BUFFER x DATA_TYPE float SIZE 8 SERIES_FROM 1 INC_BY 1\n"                                     \
    "BUFFER y DATA_TYPE float SIZE 8 FILL 0\n" pipeline " p\nATTACH s\n"                           \
    "BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 0\n"                                        \
    "BIND BUFFER y AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\n" behind

/* Two pipelines: p makes y of x, q makes z of what is named. */
#define AMBER_TWO(from, behind)                                                                    \
    "#!amber\nSHADER compute s GLSL\n" GLSL_SUM "END\n"                                            \
    "BUFFER x DATA_TYPE float SIZE 8 SERIES_FROM 1 INC_BY 1\n"                                     \
    "BUFFER v DATA_TYPE float SIZE 8 SERIES_FROM 3 INC_BY 1\n"                                     \
    "BUFFER y DATA_TYPE float SIZE 8 FILL 0\nBUFFER z DATA_TYPE float SIZE 8 FILL 0\n"             \
    "PIPELINE compute p\nATTACH s SPECIALIZE 9 AS uint32 1\n"                                      \
    "BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 0\n"                                        \
    "BIND BUFFER y AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\n"                                   \
    "DERIVE_PIPELINE q FROM p\nBIND BUFFER " from " AS storage DESCRIPTOR_SET 0 BINDING 0\n"       \
    "BIND BUFFER z AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\nRUN p 1 1 1\nRUN q 1 1 1\n" behind

/* Files as text. */
static const struct {
    const char *name, *text;
} texts[] = {
    {"sum.comp",                                                                     GLSL_SUM                                                },
    {"nothing.comp",                                                                 GLSL_HEAD GLSL_MAIN("if (i > 100000u) { b[i] = a[i]; }")},
    {"trip.comp",                                                                    "#version 450\nlayout(local_size_x = 8) in;\n"
                  "layout(set = 0, binding = 0) buffer A { int a[]; };\n"
                  "layout(set = 0, binding = 1) buffer B { int b[]; };\n" GLSL_MAIN(
                      "b[i] = int(float(a[i] >> 8));")                                                                      },
    {"two.cl",
     CL("global float *a",                                                                                                                     "a[i] = a[i] * 2.0f;") "kernel void g(global float *a, global int *n) { "
                                                  "while (n[0] != 7) { a[0] += 1.0f; } }\n"},
    {"ends.cl",
     "kernel void f(global float *a, global int *n) { while (n[0] != 7) { a[0] += 1.0f; } }\n"
     "kernel void g(global float *a, global int *n) { while (n[0] != 7) { a[0] += 1.0f; } }\n"                                                                                                                             },
    {"group.comp",
     "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
     "layout(local_size_x = 8) in;\nlayout(set = 0, binding = 0) buffer A { float a[]; };\n"
     "layout(set = 0, binding = 1) buffer B { float b[]; };\n" GLSL_MAIN(
         "b[i] = subgroupAdd(a[i]);")},
    {"first.comp",
     "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
     "layout(local_size_x = 32) in;\nlayout(set = 0, binding = 0) buffer A { uint a[]; };\n"
     "layout(set = 0, binding = 1) buffer B { uint b[]; };\nshared uint s[32];\n" GLSL_MAIN(
         "uint sum = subgroupAdd(a[i]);\n"
         "if (gl_SubgroupInvocationID == 0) s[gl_SubgroupID] = sum;\nbarrier();\n"
         "if (gl_LocalInvocationIndex == 0) { sum = 0;\n"
         "for (uint k = 0; k < gl_NumSubgroups; k++) sum += s[k];\nb[gl_WorkGroupID.x] = sum; }")                                                                                                                             },
    {"size.comp",
     "#version 450\nlayout(local_size_x_id = 0) in;\nlayout(constant_id = 1) const uint n = 4;\n"
     "layout(set = 0, binding = 0) buffer A { float a[]; };\nshared float "
     "s[gl_WorkGroupSize.x];\n" GLSL_MAIN(
         "s[gl_LocalInvocationIndex] = a[i];\nbarrier();\n"
         "a[i] = s[gl_LocalInvocationIndex ^ (gl_WorkGroupSize.x / 32)] * float(n);")},
    {"side.comp",                                                                              /* 2^-14 is on either side of sin(2^-14), which Vulkan permits to be 2^-11 off */
     "#version 450\nlayout(local_size_x = 32) in;\n"
     "layout(set = 0, binding = 0) buffer A { float a[]; };\n" GLSL_MAIN(
         "float x = i == 3 ? 6.1035e-5 : 1.5;\n"
         "if (sin(x) > 6.1035e-5) a[i] = x + 1.25; else a[i] = x - 1.25;")                                                                                                                             },
    {"scatter.cl",
     CL("global float *a, global int *at, int n","if (i < n) a[at[i]] = a[at[i]] * 2.0f;")},
    {"sum.cl",                                     CL("global float *a, global float *b",                                                                                                "b[i] = a[i] + 1.0f;")},
    {"trip.cl",
     CL("global int *a, global int *b","b[i] = convert_int_sat_rte(convert_float_rtz(a[i]));")},
    {"value.cl",                                                                      CL("global float *b, float x, int n, float4 v, double d, char c",
     "b[i] = x * (float)n + v.y + (float)d + (float)c;")},
    {"group.cl",                                                                              "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n" CL(
                     "global float *a, global float *b",                                                                                                                             "b[i] = sub_group_reduce_add(a[i]);")},
    {"holds.amber",
     AMBER(GLSL_SUM,                                                                                    "PIPELINE compute", "RUN p 1 1 1\nEXPECT y IDX 0 EQ 2 3 4 5\n")},
    {"fails.amber",                        AMBER(GLSL_SUM,"PIPELINE compute", "RUN p 1 1 1\nEXPECT y IDX 0 EQ 2 4\n")},
    {"runs.amber",                                                                  AMBER_TWO("v",                                                                                                                           "EXPECT y IDX 0 EQ 2\nEXPECT z IDX 0 EQ 4 5\n")},
    {"second.amber",                                   AMBER_TWO("v",                                                                                           "EXPECT y IDX 0 EQ 2\nEXPECT z IDX 0 EQ 5\n")},
    {"chain.amber",                                         AMBER_TWO("y",                                                                                                                                                                 "EXPECT y IDX 0 EQ 2\nEXPECT z IDX 0 EQ 3\n")},
    {"alias.amber",                                                                              AMBER_TWO("z",                                                                                                                           "EXPECT y IDX 0 EQ 2\n")},
    {"kernel.amber",                               "#!amber\nSHADER compute s OPENCL-C\nkernel void f(global float *a, global "
                     "float *b, int n) {\n"
                     "size_t i = get_global_id(0) + get_global_size(0) * get_global_id(1); b[i] = "
                     "a[i] * n; }\nEND\n"
                     "BUFFER x DATA_TYPE float SIZE 8 SERIES_FROM 1 INC_BY 1\n"
                     "BUFFER y DATA_TYPE float SIZE 8 FILL 0\nPIPELINE compute p\n"
                     "ATTACH s ENTRY_POINT f SPECIALIZE 0 AS uint32 2 SPECIALIZE 1 AS uint32 2\n"
                     "BIND BUFFER x KERNEL ARG_NAME a\nBIND BUFFER y KERNEL ARG_NUMBER 1\n"
                     "SET KERNEL ARG_NAME n AS int32 -3\nEND\nRUN p 2 1 1\n"
                     "EXPECT y IDX 0 EQ -3 -6 -9 -12 -15 -18 -21 -24\n"},
    {"open.amber",
     "#!amber\nSHADER compute s GLSL\n" GLSL_HEAD GLSL_MAIN(
         "b[i + 100u] = a[i];") "END\n"
                                "BUFFER x DATA_TYPE float SIZE 8 FILL 1\nPIPELINE compute "
                                "p\nATTACH s\n"
                                "BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 1\n"
                                "BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 2\nEND\nRUN p 1 "
                                "1 1\n"},
    {"undefined.amber",                                                                  AMBER(GLSL_HEAD GLSL_MAIN("b[0] = float(i);"),                                                                     "PIPELINE compute",
     "RUN p 1 1 1\nEXPECT y IDX 0 EQ 9\n")},
    {"empty.cl",                                                                              ""                                                                                                                         },
    {"error.cl",                                                      CL("global float *a","a[i] = ;")},
    {"error.comp",        GLSL_HEAD "void main() { x = 1; }\n"                                                                                                   },
    {"error.spvasm",                                             "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpFoo %1\n"                                                                                                                                                     },
    {"none.spvasm","OpCapability Shader\nOpMemoryModel Logical GLSL450\n"},
    {"vertex.spvasm",
     "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %m \"main\"\n"
     "%v = OpTypeVoid\n%f = OpTypeFunction %v\n%m = OpFunction %v None %f\n%l = OpLabel\n"
     "OpReturn\nOpFunctionEnd\n"                                                                                                                            },
    {"vertex.comp",                                                                              "#version 450\nvoid main() { gl_Position = vec4(1); }\n"   },
    {"library.spvasm",
     "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
     "OpMemoryModel Physical64 OpenCL\nOpDecorate %g LinkageAttributes \"g\" Export\n"
     "%f = OpTypeFloat 32\n%t = OpTypeFunction %f %f\n%g = OpFunction %f None %t\n"
     "%x = OpFunctionParameter %f\n%l = OpLabel\nOpReturnValue %x\nOpFunctionEnd\n"                                                                                                                                       },
    {"graphics.amber",                                   AMBER(GLSL_SUM,"PIPELINE graphics", "RUN p 1 1 1\n")},
    {"vertex.amber","#!amber\nSHADER vertex v PASSTHROUGH\n"},
    {"error.amber",                                                         AMBER(GLSL_SUM,                                                                                                                                                                                "PIPELINE compute", "RNU p 1 1 1\n")},
    {"shader.amber",
     AMBER(GLSL_HEAD "void main() { x = 1; }\n","PIPELINE compute", "RUN p 1 1 1\n")},
    {"target.amber","#!amber\nSHADER compute s SPIRV-ASM TARGET_ENV spv2.0\nOpNop\nEND\n"},
    {"words.txt", "neither a program nor a case\n"},
};

/* ---- files ---- */

static void write_bytes(struct room *r, const char *name, const void *p, size_t n)
{
    char path[512];
    struct err e = {RES_OK, ""};
    (void)snprintf(path, sizeof path, "%s/here/%s", r->path, name);
    if (file_write(path, p, n, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

/* The module of the text, of SPIR-V 1.minor; its size in bytes. */
static size_t write_module(struct room *r, const char *name, const char *text, uint32_t minor)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    const uint32_t *words = NULL;
    uint32_t n_words = 0;
    arena_init(&a, TEST_ARENA_BYTES);
    if (spirv_assemble(name, text, strlen(text), &a, &words, &n_words, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    size_t const n_bytes = n_words * sizeof *words;
    unsigned char *const bytes = arena_take(&a, n_bytes);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < n_words; i++) {
        store_le(bytes + 4 * (size_t)i, i == 1 ? spv_version_word(minor) : words[i], 4);
    }
    write_bytes(r, name, bytes, n_bytes);
    arena_free(&a);
    return n_bytes;
}

/* Modules that differ from those of trust_rig.h in a few places. */
static const struct {
    const char *name, *text;
    const char *from[3], *to[3];
    uint32_t minor;
} modules[] = {
    {"shader.spv", shader, {NULL},                                           {NULL},        6},
    {"1.0.spv",
     shader,               {"OpMemoryModel", "%id %in %out", NULL},
     {"OpExtension \"SPV_KHR_storage_buffer_storage_class\"\nOpMemoryModel", "%id", NULL},
     0                                                                                       },
    {"1.3.spv",    shader, {"%id %in %out", NULL},                           {"%id", NULL}, 3},
    {"kernel.spv", kernel, {NULL},                                           {NULL},        2},
    {"export.spv",
     kernel,               {"OpCapability Int8\n", "; decorations\n", NULL},
     {"OpCapability Int8\nOpCapability Linkage\n",
      "OpDecorate %add LinkageAttributes \"helper\" Export\n", NULL},
     2                                                                                       },
    {"import.spv",
     kernel,               {"OpCapability Int8\n", "; decorations\n",
      "%add = OpFunction %uint None %tf\n"
      "%x = OpFunctionParameter %uint\n%al = OpLabel\n"
      "%sum = OpIAdd %uint %x %c1\nOpReturnValue %sum\n"},
     {"OpCapability Int8\nOpCapability Linkage\n",
      "OpDecorate %add LinkageAttributes \"system\" Import\n",
      "%add = OpFunction %uint None %tf\n%x = OpFunctionParameter %uint\n"},
     2                                                                                       },
};

/* 4 MiB: one number and as many additions. */
static void write_large(struct room *r)
{
    static char text[(size_t)LARGE_ADDITIONS * LARGE_LINE_BYTES];
    const char *const end = strstr(shader, "%new = OpIAdd");
    assert_non_null(end);
    size_t n = (size_t)snprintf(text, sizeof text, "%.*s%%x0 = OpIAdd %%uint %%was %%c1\n",
                                (int)(end - shader), shader);
    for (int i = 1; i < LARGE_ADDITIONS; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%%x%d = OpIAdd %%uint %%x%d %%c1\n", i,
                              i - 1);
    }
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "OpStore %%to %%x%d\nOpReturn\nOpFunctionEnd\n", LARGE_ADDITIONS - 1);
    assert_true(n < sizeof text);
    assert_in_range(write_module(r, "large.spv", text, 6), 4000000, 4 << 20);
}

static int set_up_files(void **state)
{
    if (set_up(state) != 0) {
        return -1;
    }
    struct room *const r = *state;
    (void)unsetenv("HALFULP_SANDBOX");
    (void)unsetenv("VK_DRIVER_FILES");
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        write_bytes(r, texts[i].name, texts[i].text, strlen(texts[i].text));
    }
    for (size_t i = 0; i < ARRAY_N(modules); i++) {
        char text[TEXT_BYTES];
        change(text, modules[i].text, modules[i].from, modules[i].to);
        (void)write_module(r, modules[i].name, text, modules[i].minor);
    }
    write_bytes(r, "shader.spvasm", shader, strlen(shader));
    write_large(r);
    return 0;
}

/* Is a program of that name here, or a target that can run? */
static bool has(struct room *r, const char *needed)
{
    char line[512];
    (void)snprintf(line, sizeof line,
                   "[ -z '%s' ] || command -v '%s' || \"$B/halfulp\" devices --targets '%s'",
                   needed, needed, needed);
    return run(r, line) == 0;
}

struct row {
    const char *needs; /* a program or a target; "": nothing */
    const char *words; /* of `halfulp try`, and what is done after it */
    int status;
    const char *said;
};

static void run_rows(struct room *r, const struct row *rows, size_t n)
{
    unsigned n_run = 0;
    for (size_t i = 0; i < n; i++) {
        char line[MAX_COMMAND / 2];
        if (!has(r, rows[i].needs)) {
            print_message("skipped without %s: try %s\n", rows[i].needs, rows[i].words);
            continue;
        }
        (void)snprintf(line, sizeof line, TRY_IT "%s", rows[i].words);
        expect(r, rows[i].status, rows[i].said, line);
        n_run++;
    }
    print_message("%u of %zu rows were run\n", n_run, n);
    assert_true(n_run > n / 3);
}

#define GLSLANG "glslangValidator"
#define CLANG   "llvm-spirv-14"

/* ---- what is judged ---- */

static void each_form_gets_its_verdict(void **state)
{
    static const struct row rows[] = {
        {GLSLANG,     "sum.comp --targets sim-ieee,sim-any",                                       0, "sim-any         ok"                    },
        {"lavapipe",  "sum.comp --targets lavapipe",                                               0, "lavapipe        ok"                    },
        {"",          "large.spv --targets sim-ieee",                                              0, "16 values judged"                      },
        {CLANG,       "sum.cl --targets sim-ieee,sim-any",                                         0, "sim-any         ok"                    },
        {CLANG,       "sum.cl --targets sim-ieee:ARITH_OFF_ULP",                                   1, "wrong"                                 },
        {"",          "shader.spv --targets sim-ieee",                                             0, "16 values judged"                      },
        {"",          "shader.spvasm --targets sim-ieee",                                          0, "16 values judged"                      },
        {"",          "kernel.spv --targets sim-ieee",                                             0, "sim-ieee        ok"                    },
        {"intel-cpu", "kernel.spv --targets intel-cpu",                                            0, "intel-cpu       ok"                    },
        {"lavapipe",  "shader.spv --targets lavapipe",                                             0, "lavapipe        ok"                    },
        {"",          "1.0.spv --targets sim-ieee",                                                0, "16 values judged"                      },
        {"",          "1.3.spv --targets sim-ieee",                                                0, "16 values judged"                      },
        {GLSLANG,     "holds.amber --targets sim-ieee",                                            0, "1 of 1 EXPECT hold"                    },
        {GLSLANG,     "fails.amber --targets sim-ieee",                                            1, "does not hold: "                       },
        {GLSLANG,     "runs.amber --targets sim-ieee",                                             0, "kernel q (RUN of line "                },
        {GLSLANG,     "runs.amber --targets sim-ieee | grep -c '1 of 1 EXPECT hold'",              0, "2"                                     },
        {GLSLANG,     "second.amber --targets sim-ieee",                                           1, "z has 4 at byte 0, not 5"              },
        {GLSLANG,     "second.amber --targets sim-ieee --entry p",                                 0, "1 of 1 EXPECT hold"                    },
        {GLSLANG,     "holds.amber --targets sim-ieee --entry p",                                  0, "1 of 1 EXPECT hold"                    },
        {"lavapipe",  "undefined.amber --trust --targets lavapipe",                                4,
         "does not hold, but the behaviour of the module is undefined: y has "                                                                },
        {GLSLANG,     "runs.amber --targets sim-ieee --json",                                      0, "\"run\":2"                             },
        {GLSLANG,     "chain.amber --targets sim-ieee",                                            4,
         "note: 2 EXPECT were not evaluated, the first in line "                                                                              },
        {GLSLANG,     "alias.amber --targets sim-ieee --entry p",                                  0, "1 of 1 EXPECT hold"                    },
        {GLSLANG,     "alias.amber --targets sim-ieee --entry q",                                  2,
         "buffer z is bound twice to a shader that"                                                                                           },
        {GLSLANG,     "runs.amber --targets sim-ieee --entry w",                                   2, "it runs: p, q"                         },
        {CLANG,       "kernel.amber --targets sim-ieee",                                           0, "1 of 1 EXPECT hold"                    },
        {"",          "shader.spv --targets sim-ieee --json",                                      0, "\"result\":\"ok\""                     },
        {"",          "shader.spv --targets sim-ieee --json | python3 -m json.tool",               0, "\"judged\": 16"                        },
        {GLSLANG,     "sum.comp --targets sim-ieee --html p.html && grep -c '<svg' p.html",        0,
         "sim-ieee        ok"                                                                                                                 },
        {GLSLANG,     "sum.comp --targets sim-ieee -o out && \"$B/halfulp\" check out/sim-ieee-1", 0,
         "0 of 1 runs"                                                                                                                        },
        {GLSLANG,     "sum.comp --targets sim-ieee:ARITH_OFF_ULP",                                 1, "rule "                                 },
        {GLSLANG,     "sum.comp --targets sim-ieee:ARITH_OFF_ULP",                                 1, "first wrong: "                         },
        {GLSLANG,     "nothing.comp --targets sim-ieee",                                           4, "nothing judged"                        },
        {"",          "shader.spv --targets nowhere",                                              2, "no target \"nowhere\""                 },
        {"intel-cpu", "shader.spv --targets intel-cpu",                                            3, "no target could run the case"          },
        {"",          "--help | grep -c 'Exit status'",                                            0, "1"                                     },
        {"",          "",                                                                          2, "one FILE is needed"                    },
        {"",          "shader.spv kernel.spv",                                                     2, "one FILE is needed"                    },
        {CLANG,       "two.cl --targets sim-ieee",                                                 4, "halfulp try: kernel g: two.cl: not run"},
        {CLANG,       "ends.cl --targets sim-ieee",                                                2,
         "halfulp try: ends.cl: none of its 2 kernels could be run"                                                                           },
    };
    run_rows(*state, rows, ARRAY_N(rows));
}

static void a_case_of_ours_is_run_as_it_is(void **state)
{
    struct room *const r = *state;
    expect(r, 0, "", "\"$B/halfulp\" gen --profile atomics --seed 3 -o case");
    expect(r, 0, "sim-ieee        ok", TRY_IT "case --targets sim-ieee");
    expect(r, 0, "sim-any         ok", TRY_IT "case/case.json --targets sim-any");
    expect(r, 0, "sim-any         ok", TRY_IT "case/case.bin --targets sim-any");
}

/* What programs of other people have. */
static void foreign_inputs_get_their_verdict(void **state)
{
    static const struct row rows[] = {
        {CLANG,       "value.cl --targets sim-ieee",                0, "256 values judged, 256 confined"     },
        {"intel-cpu", "value.cl --targets intel-cpu --arg 1=1.5",   0,
         "256 values judged, 256 confined"                                                                   },
        {"",          "export.spv --targets sim-ieee",              0, "sim-ieee        ok"                  },
        {"intel-cpu", "export.spv --targets intel-cpu",             0, "intel-cpu       ok"                  },
        {"",          "import.spv --targets sim-ieee",              2, "system is called, which the module"  },
        {"",          "import.spv --targets sim-ieee --trust",      2, "system is called, which the module"  },
        {GLSLANG,     "group.comp --targets sim-ieee",              0, "32 values judged, 24 confined"       },
        {GLSLANG,     "first.comp --targets sim-ieee --trust",      0,
         "4 values judged, 4 confined, 4 sharp"                                                              },
        {"lavapipe",  "first.comp --targets lavapipe --trust",      0,
         "4 values judged, 4 confined, 4 sharp"                                                              },
        {GLSLANG,     "size.comp --targets sim-ieee",               0, "256 values judged, 250 confined"     },
        {"lavapipe",  "size.comp --targets lavapipe",               0, "256 values judged, 250 confined"     },
        {GLSLANG,     "side.comp --targets sim-ieee",               4, "1 of 128 invocations were not fol"   },
        {"",          "side.comp --targets sim-ieee:ARITH_OFF_ULP", 1, "wrong"                               },
        {CLANG,       "scatter.cl --targets sim-ieee",              0, "256 values judged, 256 confined"     },
        {"intel-cpu", "scatter.cl --targets intel-cpu",             0, "256 values judged, 256 confined"     },
        {CLANG,       "group.cl --targets sim-ieee",                4, "256 values judged, 0 confined"       },
        {GLSLANG,     "trip.comp --targets sim-ieee",               0, "32 values judged, 32 confined, 32 sh"},
        {"lavapipe",  "trip.comp --targets lavapipe",               0, "32 values judged, 32 confined, 32 sh"},
        {CLANG,       "trip.cl --targets sim-ieee",                 0, "256 values judged, 256 confined, 256"},
        {"intel-cpu", "trip.cl --targets intel-cpu",                0, "256 values judged, 256 confined, 256"},
    };
    run_rows(*state, rows, ARRAY_N(rows));
}

/* ---- files that are bad ---- */

/* One line, of printable characters: the command, the file, what is said of it. */
static void expect_refusal(struct room *r, const char *file, const char *said)
{
    char line[MAX_COMMAND / 2], begin[256];
    (void)snprintf(line, sizeof line, TRY_IT "%s --targets sim-ieee", file);
    (void)snprintf(begin, sizeof begin, "halfulp try: %s:", file);
    expect(r, STATUS_BAD, said, line);
    size_t const n = strlen(r->out);
    if (strncmp(r->out, begin, strlen(begin)) != 0 || strchr(r->out, '\n') != r->out + n - 1 ||
        strstr(r->out, "\\x0a")) {
        fail_msg("%s: no sentence that begins with the file: %.2000s", line, r->out);
    }
}

static void a_bad_file_is_one_sentence(void **state)
{
    struct room *const r = *state;
    static const struct {
        const char *needs, *make, *file, *said; /* make: a line of sh that makes it */
    } rows[] = {
        {"",      "",                                                                       "empty.cl",       "the file is empty"                                           },
        {"",      "",                                                                       "missing.spv",    "No such file or directory"                                   },
        {"",      "mkdir -p folder",                                                        "folder",         "holds neither case.json nor case.bin"                        },
        {"",      "[ -p fifo ] || mkfifo fifo",                                             "fifo",           "is a FIFO; a regular file is needed"                         },
        {"",      "",                                                                       "/dev/zero",      "is a device; a regular file is needed"                       },
        {"",      "",                                                                       "words.txt",      "byte 0: neither SPIR-V (binary or text), OpenCL C, GLSL"     },
        {"",      "head -c 5000 /dev/zero >zero",                                           "zero",           "byte 0: neither SPIR-V"                                      },
        {"",      "head -c 90 shader.spv >90.spv",                                          "90.spv",
         "byte 90: a SPIR-V module of 5 to 1048576 whole words"                                                                                                             },
        {"",      "head -c 20 shader.spv >20.spv",                                          "20.spv",
         "no entry point: OpEntryPoint Kernel or GLCompute is needed"                                                                                                       },
        {"",      "head -c 60 shader.spv >60.spv",                                          "60.spv",         "words where"                                                 },
        {"",      "head -c -4 shader.spv >end.spv",                                         "end.spv",
         "the module is cut off before its last function has ended"                                                                                                         },
        {"",      "head -c 4 shader.spv >big.spv && head -c 4194300 /dev/zero >>big.spv",   "big.spv",
         "byte 20: an instruction of 0 words"                                                                                                                               },
        {"",      "head -c 4 shader.spv >more.spv && head -c 4194304 /dev/zero >>more.spv", "more.spv",
         "byte 4194308: a SPIR-V module of 5 to 1048576 whole words"                                                                                                        },
        {"",
         "head -c 12 shader.spv >ids.spv && printf '\\377\\377\\377\\377' >>ids.spv && tail -c +17 "
         "shader.spv >>ids.spv",                                                            "ids.spv",        "byte 12: 4294967295 ids"                                     },
        {"",      "",                                                                       "none.spvasm",    "the module has no entry point"                               },
        {"",      "",                                                                       "library.spvasm", "the module has no entry point"                               },
        {"",      "",                                                                       "vertex.spvasm",  "no kernel or compute shader; entry points: main (of graph"   },
        {"",      "",                                                                       "error.spvasm",   "error.spvasm:3:1: Invalid Opcode name 'OpFoo'"               },
        {"",      "sed 's/%uint %was %c1/%uint %was %v3/' shader.spvasm >type.spvasm",      "type.spvasm",
         "not valid SPIR-V: "                                                                                                                                               },
        {CLANG,   "",                                                                       "error.cl",       "error.cl:1:70: error: expected expression"                   },
        {GLSLANG, "",                                                                       "error.comp",     "error.comp:5: 'x' : undeclared identifier"                   },
        {GLSLANG, "",                                                                       "vertex.comp",    "vertex.comp:2: 'gl_Position' : undeclared identifier"        },
        {"",      "",                                                                       "graphics.amber", "graphics.amber:11: a pipeline of graphics: compute alone"    },
        {"",      "",                                                                       "vertex.amber",   "vertex.amber:2: a shader of compute in GLSL, SPIRV-ASM"      },
        {"",      "",                                                                       "error.amber",    "error.amber:16: RNU: not known here"                         },
        {"",      "",                                                                       "target.amber",   "target.amber:2: after the shader's kind, TARGET_ENV with spv"},
        {GLSLANG, "",                                                                       "open.amber",     "binds nothing to buffer 0"                                   },
        {GLSLANG, "",                                                                       "shader.amber",   "shader.amber:7: 'x' : undeclared identifier"                 },
    };
    unsigned n_run = 0;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (has(r, rows[i].needs)) {
            expect(r, 0, "", rows[i].make[0] ? rows[i].make : "true");
            expect_refusal(r, rows[i].file, rows[i].said);
            n_run++;
        }
    }
    print_message("%u of %zu rows were run\n", n_run, ARRAY_N(rows));
    assert_true(n_run >= 20);
}

static void a_module_may_be_cut_anywhere(void **state)
{
    struct room *const r = *state;
    static const struct {
        const char *file, *text;
    } rows[] = {
        {"shader.spv", shader},
        {"kernel.spv", kernel},
    };
    unsigned n_cut = 0;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        size_t const n = write_module(r, rows[i].file, rows[i].text, i == 0 ? 6 : 2);
        for (size_t cut = 1; cut < n; cut += CUT_STEP_BYTES) {
            char line[256];
            (void)snprintf(line, sizeof line, "head -c %zu %s >cut.spv", cut, rows[i].file);
            expect(r, 0, "", line);
            expect_refusal(r, "cut.spv", "cut.spv: ");
            n_cut++;
        }
    }
    print_message("%u modules were cut\n", n_cut);
    assert_true(n_cut > 300);
}

/* ---- modules that attack ---- */

/* Changes that do no harm in a kernel of the user's own, and why. */
#define OMITTED "what the kernel does not use is left out"
#define SIZED   "buffers are made as large as the kernel needs"
#define GIVEN   "arguments, bindings and sizes are found in the module"
#define UNSAID  "what a function promises is left out"
static const struct {
    const char *name, *why;
} harmless[] = {
    {"a call that leaves the module",                       OMITTED},
    {"an import without the capability",                    OMITTED},
    {"an export, which others would call",                  OMITTED},
    {"a function without a body",                           OMITTED},
    {"a name that a driver takes for one of its own",       OMITTED},
    {"an extended instruction that is not known",           OMITTED},
    {"a set that is not known",                             OMITTED},
    {"a lifetime of a buffer",                              OMITTED},
    {"a copy of more than a value",                         SIZED  },
    {"an index behind the buffer",                          SIZED  },
    {"an index that comes of the number of the invocation", SIZED  },
    {"an argument that is the handle of a buffer",          GIVEN  },
    {"a third argument",                                    GIVEN  },
    {"more invocations than the case says",                 GIVEN  },
    {"another descriptor set",                              GIVEN  },
    {"a binding that there is not",                         GIVEN  },
    {"a function that is said to have no effects",          UNSAID },
    {"another entry point that is said to have no effects", UNSAID },
};

static const char *find_harmless(const char *name)
{
    for (size_t i = 0; i < ARRAY_N(harmless); i++) {
        if (strcmp(harmless[i].name, name) == 0) {
            return harmless[i].why;
        }
    }
    return NULL;
}

/* What came of attacks. */
struct attacked {
    unsigned n, n_refused, n_by_reason;
};

/* Refused before any target is named, or judged where the table says that it does no harm. */
static void attack_by(struct room *r, const char *name, const char *text, const char *reason,
                      struct attacked *x)
{
    const char *const why = find_harmless(name);
    write_bytes(r, "attack.spvasm", text, strlen(text));
    int const status = run(r, TRY_IT "attack.spvasm --targets sim-ieee,sim-any");
    bool const is_judged = strstr(r->out, "sim-ieee ") != NULL;
    bool const is_refused = !is_judged && status == STATUS_BAD && strstr(r->out, "not run");
    if (why ? !is_judged || (status != 0 && status != 4) : !is_refused) {
        fail_msg("%s: status %d, wanted \"%s\": %.2000s", name, status, why ? why : reason, r->out);
    }
    x->n++;
    x->n_refused += is_refused;
    x->n_by_reason += is_refused && strstr(r->out, reason);
}

static void each_attack_is_refused_or_harmless(void **state)
{
    struct room *const r = *state;
    static const struct {
        const char *text;
        const struct module_attack *rows;
        size_t n;
    } tables[] = {
        {kernel, on_kernel, ARRAY_N(on_kernel)},
        {shader, on_shader, ARRAY_N(on_shader)},
    };
    char text[TEXT_BYTES];
    struct attacked x = {.n = 0};
    for (size_t t = 0; t < ARRAY_N(tables); t++) {
        for (size_t i = 0; i < tables[t].n; i++) {
            change(text, tables[t].text, tables[t].rows[i].from, tables[t].rows[i].to);
            attack_by(r, tables[t].rows[i].name, text, tables[t].rows[i].reason, &x);
        }
    }
    for (size_t i = 1; i < ARRAY_N(on_address); i++) { /* row 0 is the control */
        const char *const from[3] = {"OpCapability Shader\n", on_address[i].from, ""};
        const char *const to[3] = {"; Version: 1.3\nOpCapability Shader\n", on_address[i].to, ""};
        change(text, by_address, from, to);
        attack_by(r, on_address[i].to, text, on_address[i].reason, &x);
    }
    print_message("%u attacks: %u refused, %u of them for the reason in the table\n", x.n,
                  x.n_refused, x.n_by_reason);
    assert_in_range(x.n - x.n_refused, ARRAY_N(harmless),
                    ARRAY_N(harmless) + 1); /* one name is in two tables */
    assert_true(x.n_by_reason > x.n_refused / 2);
}

/* ---- drivers that attack ---- */

/* What the attack is aimed at: this process, a file beside the worker's folder, or more memory than any limit. */
static const char *find_words(const char *name, const char *path, struct arena *a)
{
    return strcmp(name, "file") == 0     ? path
           : strcmp(name, "memory") == 0 ? "4398046511104"
                                         : arena_printf(a, "%ld 0", (long)getpid());
}

/* The target "evil" of evil.ini, whose worker does the attack. */
static void plant_worker(struct room *r, const char *tag, const char *name, const char *words)
{
    char text[2048], self[1024];
    ssize_t const n = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(n > 0);
    self[n] = '\0';
    (void)snprintf(text, sizeof text, "#!/bin/sh\nexec '%s' attack %s %s %s\n", self, tag, name,
                   words);
    write_bytes(r, "evil", text, strlen(text));
    (void)snprintf(text, sizeof text, "[evil]\napi = vulkan\nworker = %s/here/evil\n", r->path);
    write_bytes(r, "evil.ini", text, strlen(text));
    expect(r, 0, "", "chmod +x evil");
}

/* The target is told as one that does not start, the next one is run, and nothing is left behind. That the wall stops each
 * attack is asked in test_confine: what a worker wrote before it ended need not be read here. */
static void a_driver_that_attacks_harms_nothing(void **state)
{
    struct room *const r = *state;
    struct arena a;
    bool const has_sandbox = run(r, "bwrap --dev-bind / / --unshare-pid true") == 0;
    arena_init(&a, TEST_ARENA_BYTES);
    const char *const path = arena_printf(&a, "%s/written", r->path);
    for (size_t i = 0; i < ARRAY_N(attacks); i++) {
        const char *const name = attacks[i].name;
        const char *const tag = arena_printf(&a, "tag-try-%ld-%s", (long)getpid(), name);
        plant_worker(r, tag, name, find_words(name, path, &a));
        expect(r, 0, "sim-ieee        ok",
               TRY_IT "shader.spv --targets-file evil.ini --targets evil,sim-ieee");
        if (!strstr(r->out, "evil            not run         evil: does not start")) {
            fail_msg("%s: %.2000s", name, r->out);
        }
        assert_true(!has_sandbox || access(path, F_OK) != 0);
        (void)unlink(path);
        assert_int_equal(attack_count_tagged(tag), 0);
    }
    arena_free(&a);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_gets_its_verdict),
        cmocka_unit_test(a_case_of_ours_is_run_as_it_is),
        cmocka_unit_test(foreign_inputs_get_their_verdict),
        cmocka_unit_test(a_bad_file_is_one_sentence),
        cmocka_unit_test(a_module_may_be_cut_anywhere),
        cmocka_unit_test(each_attack_is_refused_or_harmless),
        cmocka_unit_test(a_driver_that_attacks_harms_nothing),
    };
    if (argc > 3 && strcmp(argv[1], "attack") == 0) {
        return attack_main(argv);
    }
    return cmocka_run_group_tests(tests, set_up_files, tear_down);
}

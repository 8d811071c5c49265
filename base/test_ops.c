/* base/test_ops.c -- ops.def and caps.def against the published SPIR-V grammar. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/base.h"
#include "base/caps.h"
#include "base/ops.h"
#include "base/spv.h"

#define GRAMMARS "/usr/include/spirv/unified1/"
static const char grammar_path[] = GRAMMARS "spirv.core.grammar.json";
static const char amd_path[] = GRAMMARS "extinst.spv-amd-shader-ballot.grammar.json";
static const char opencl_path[] = GRAMMARS "extinst.opencl.std.100.grammar.json";
static const char glsl_path[] = GRAMMARS "extinst.glsl.std.450.grammar.json";

static json_t *load_grammar(const char *path)
{
    json_error_t problem;
    json_t *grammar = json_load_file(path, 0, &problem);
    if (!grammar) {
        fail_msg("%s: %s", path, problem.text);
    }
    return grammar;
}

/* Opcode of a name without the prefix that all of the grammar have, or -1. */
static long find_opcode(const json_t *grammar, const char *prefix, const char *name)
{
    size_t const n_prefix = strlen(prefix);
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(json_object_get(grammar, "instructions"), i, row)
    {
        const char *opname = json_string_value(json_object_get(row, "opname"));
        if (opname && strncmp(opname, prefix, n_prefix) == 0 &&
            strcmp(opname + n_prefix, name) == 0) {
            return (long)json_integer_value(json_object_get(row, "opcode"));
        }
    }
    return -1;
}

/* Opcodes of the core that a grammar of 2023 may lack; by hand from the registry of SPIR-V. */
static const struct {
    const char *name;
    long opcode;
} newer_opcodes[] = {
    {"FmaKHR",                      4427}, /* SPV_KHR_fma */
    {"GroupNonUniformPartitionEXT", 5296}, /* SPV_EXT_shader_subgroup_partitioned; the same of NV */
    {"GroupNonUniformQuadAllKHR",   5110}, /* SPV_KHR_quad_control */
    {"GroupNonUniformQuadAnyKHR",   5111},
};

static long find_newer_opcode(const char *name)
{
    for (size_t i = 0; i < ARRAY_N(newer_opcodes); i++) {
        if (strcmp(newer_opcodes[i].name, name) == 0) {
            return newer_opcodes[i].opcode;
        }
    }
    return -1;
}

/* The upper half of a number is the set, by hand: 0 core, 1 SPV_AMD_shader_ballot, 2 OpenCL.std,
 * 3 GLSL.std.450. */
static void opcodes_are_those_of_the_grammar(void **state)
{
    (void)state;
    json_t *grammars[] = {load_grammar(grammar_path), load_grammar(amd_path),
                          load_grammar(opencl_path), load_grammar(glsl_path)};
    static const char *const prefixes[] = {"Op", "", "", ""};
    size_t n_checked[ARRAY_N(grammars)] = {0};
    for (int i = 0; i < OP_N; i++) {
        uint32_t const set = op_rows[i].number >> 16;
        assert_true(set < ARRAY_N(grammars));
        long want = find_opcode(grammars[set], prefixes[set], op_rows[i].name);
        if (want < 0 && set == 0) {
            want = find_newer_opcode(op_rows[i].name);
        }
        if (want != (long)(op_rows[i].number & 0xffff)) {
            fail_msg("%s: table 0x%x, grammar %ld", op_rows[i].name, op_rows[i].number, want);
        }
        n_checked[set]++;
    }
    assert_int_equal(n_checked[0] + n_checked[1] + n_checked[2] + n_checked[3], OP_N);
    assert_true(n_checked[0] > 90);
    assert_int_equal(n_checked[1], json_array_size(json_object_get(grammars[1], "instructions")));
    assert_int_equal(find_opcode(grammars[0], "Op", "NoSuchInstruction"), -1); /* control */
    assert_int_equal(find_opcode(grammars[1], "", "OpMbcntAMD"), -1);
    for (size_t i = 0; i < ARRAY_N(grammars); i++) {
        json_decref(grammars[i]);
    }
}

/* Compare the rows of an extended set with its grammar: each of its instructions has a row of its name and
 * number, but for the names left out. n_want: how many must have been compared. */
static void check_set(const char *path, uint32_t set, const char *const *left_out, size_t n_out,
                      size_t n_want)
{
    json_t *grammar = load_grammar(path);
    size_t i = 0, n_checked = 0, n_left = 0;
    json_t *row = NULL;
    json_array_foreach(json_object_get(grammar, "instructions"), i, row)
    {
        const char *name = json_string_value(json_object_get(row, "opname"));
        uint32_t const number = (uint32_t)json_integer_value(json_object_get(row, "opcode"));
        int const op = op_find_number(set << 16 | number);
        int is_left_out = 0;
        for (size_t k = 0; k < n_out; k++) {
            is_left_out |= strcmp(name, left_out[k]) == 0;
        }
        n_left += is_left_out != 0;
        if (is_left_out) {
            assert_int_equal(op, -1);
            continue;
        }
        if (op < 0 || strcmp(op_rows[op].name, name) != 0) {
            fail_msg("%s %u has no row", name, number);
        }
        n_checked++;
    }
    assert_int_equal(n_left, n_out);
    assert_int_equal(n_checked, n_want);
    json_decref(grammar);
}

/* All that compute on floats have rows; integers, bits, matrices, packing, interpolation do not. */
static const char *const not_of_opencl[] = {
    "bitselect",    "select",        "vloadn",          "vstoren",      "vload_half",
    "vload_halfn",  "vstore_half",   "vstore_half_r",   "vstore_halfn", "vstore_halfn_r",
    "vloada_halfn", "vstorea_halfn", "vstorea_halfn_r", "shuffle",      "shuffle2",
    "printf",       "prefetch"};
static const char *const not_of_glsl[] = {
    "Determinant",           "MatrixInverse",       "IMix",
    "PackSnorm4x8",          "PackUnorm4x8",        "PackSnorm2x16",
    "PackUnorm2x16",         "PackHalf2x16",        "PackDouble2x32",
    "UnpackSnorm2x16",       "UnpackUnorm2x16",     "UnpackHalf2x16",
    "UnpackSnorm4x8",        "UnpackUnorm4x8",      "UnpackDouble2x32",
    "InterpolateAtCentroid", "InterpolateAtSample", "InterpolateAtOffset"};

static void no_function_is_forgotten(void **state)
{
    (void)state;
    check_set(opencl_path, OP_SET_opencl_std, not_of_opencl, ARRAY_N(not_of_opencl), 145);
    check_set(glsl_path, OP_SET_glsl450, not_of_glsl, ARRAY_N(not_of_glsl), 63);
}

/* Half and native functions are of f32 alone, and each set is of one environment. */
static void sets_have_their_types(void **state)
{
    (void)state;
    size_t n_f32 = 0;
    for (int i = 0; i < OP_N; i++) {
        uint32_t const set = op_rows[i].number >> 16;
        const char *name = op_rows[i].name;
        if (strcmp(op_rows[i].clause, "INT_FUNC") == 0) {
            assert_int_equal(op_rows[i].envs, set == OP_SET_opencl_std ? OP_CL : OP_VK);
            assert_int_equal(op_rows[i].types & (TYPE_F16 | TYPE_F32 | TYPE_F64), 0);
            continue;
        }
        if (set == OP_SET_opencl_std) {
            int const is_f32 = strncmp(name, "half_", 5) == 0 || strncmp(name, "native_", 7) == 0 ||
                               strncmp(name, "fast_", 5) == 0;
            assert_int_equal(op_rows[i].envs, OP_CL);
            assert_int_equal(op_rows[i].types, is_f32 ? TYPE_F32 : TYPE_F16 | TYPE_F32 | TYPE_F64);
            n_f32 += is_f32 != 0;
        } else if (set == OP_SET_glsl450) {
            assert_int_equal(op_rows[i].envs, OP_VK);
        }
    }
    assert_int_equal(n_f32, 14 + 14 + 3);
    /* GLSL.std.450: "16-bit or 32-bit floating-point" for transcendental functions alone. */
    assert_int_equal(op_rows[OP_glsl450_Sin].types, TYPE_F16 | TYPE_F32);
    assert_int_equal(op_rows[OP_glsl450_Sqrt].types, TYPE_F16 | TYPE_F32 | TYPE_F64);
}

/* Every group instruction of the grammar has its row, but for those that the documents of no
 * environment here allow, and decorations. */
static void no_group_instruction_is_forgotten(void **state)
{
    (void)state;
    static const char *const left_out[] = {
        "GroupDecorate",       "GroupMemberDecorate",         "GroupAsyncCopy",
        "GroupWaitEvents",     "GroupReserveReadPipePackets", "GroupReserveWritePipePackets",
        "GroupCommitReadPipe", "GroupCommitWritePipe",        "GroupNonUniformPartitionNV",
    };
    json_t *grammar = load_grammar(grammar_path);
    size_t i = 0;
    size_t n_checked = 0;
    json_t *row = NULL;
    json_array_foreach(json_object_get(grammar, "instructions"), i, row)
    {
        const char *name = json_string_value(json_object_get(row, "opname")) + 2;
        int is_left_out = 0;
        for (size_t k = 0; k < ARRAY_N(left_out); k++) {
            is_left_out |= strcmp(name, left_out[k]) == 0;
        }
        if (strncmp(name, "Group", 5) != 0 || is_left_out) {
            continue;
        }
        if (op_find_name(name) < 0) {
            fail_msg("Op%s has no row", name);
        }
        n_checked++;
    }
    assert_true(n_checked >= 11 + 34 + 1 + 8 + 8); /* core, non-uniform, rotate, uniform, AMD */
    json_decref(grammar);
}

/* The name of the Capability that has this number in the grammar, or NULL. */
static const char *find_capability(const json_t *grammar, uint32_t number)
{
    size_t i = 0;
    json_t *kind = NULL;
    json_array_foreach(json_object_get(grammar, "operand_kinds"), i, kind)
    {
        if (strcmp(json_string_value(json_object_get(kind, "kind")), "Capability") != 0) {
            continue;
        }
        size_t k = 0;
        json_t *row = NULL;
        json_array_foreach(json_object_get(kind, "enumerants"), k, row)
        {
            if (json_integer_value(json_object_get(row, "value")) == (json_int_t)number) {
                return json_string_value(json_object_get(row, "enumerant"));
            }
        }
    }
    return NULL;
}

/* Of extensions that the installed grammar may be older than. */
static bool is_newer_capability(uint32_t capability)
{
    static const uint32_t numbers[] = {SPV_CAP_FLOAT_CONTROLS2,
                                       SPV_CAP_FP_MAX_ERROR_INTEL,
                                       SPV_CAP_ATOMIC_FLOAT16_VECTOR_NV,
                                       SPV_CAP_FMA_KHR,
                                       SPV_CAP_QUAD_CONTROL_KHR,
                                       SPV_CAP_BFLOAT16_TYPE_KHR,
                                       SPV_CAP_ATOMIC_BFLOAT16_ADD_INTEL,
                                       SPV_CAP_ATOMIC_BFLOAT16_MIN_MAX_INTEL,
                                       SPV_CAP_ATOMIC_INT16_CMPXCHG_INTEL,
                                       SPV_CAP_INT16_ATOMICS_INTEL,
                                       SPV_CAP_ATOMIC_BFLOAT16_LOAD_STORE_INTEL};
    for (size_t i = 0; i < ARRAY_N(numbers); i++) {
        if (numbers[i] == capability) {
            return true;
        }
    }
    return false;
}

/* The number of each row's capability is, in the grammar, that of the capability that the row's name stands
 * for. */
static void capabilities_are_those_of_the_grammar(void **state)
{
    (void)state;
    /* What the suffix of a row's name stands for; names by hand from the specifications. */
    static const struct {
        const char *suffix, *capability;
    } wants[] = {
        {"F16_GLOBAL_ADD",      "AtomicFloat16AddEXT"               },
        {"F32_LOCAL_ADD",       "AtomicFloat32AddEXT"               },
        {"F64_BUFFER_ADD",      "AtomicFloat64AddEXT"               },
        {"F16_SHARED_MINMAX",   "AtomicFloat16MinMaxEXT"            },
        {"F32_IMAGE_MINMAX",    "AtomicFloat32MinMaxEXT"            },
        {"F64_LOCAL_MINMAX",    "AtomicFloat64MinMaxEXT"            },
        {"CL_F16",              "Float16"                           },
        {"VK_F64",              "Float64"                           },
        {"CL_GENERIC",          "GenericPointer"                    },
        {"VK_I16",              "Int16"                             },
        {"VK_I64",              "Int64"                             },
        {"CL_I64_ATOMICS",      "Int64Atomics"                      },
        {"I64_BUFFER_ATOMICS",  "Int64Atomics"                      },
        {"16BIT_STORAGE",       "StorageBuffer16BitAccess"          },
        {"8BIT_STORAGE",        "StorageBuffer8BitAccess"           },
        {"16BIT_UNIFORM",       "UniformAndStorageBuffer16BitAccess"},
        {"16BIT_PUSH",          "StoragePushConstant16"             },
        {"8BIT_UNIFORM",        "UniformAndStorageBuffer8BitAccess" },
        {"VARPTR_SB",           "VariablePointersStorageBuffer"     },
        {"TEXEL_BUFFER",        "ImageBuffer"                       },
        {"MEMORY_MODEL",        "VulkanMemoryModel"                 },
        {"MEMORY_MODEL_DEVICE", "VulkanMemoryModelDeviceScope"      },
        {"SCOPE_SUBGROUP",      "GroupNonUniform"                   },
        {"SZINP32",             "SignedZeroInfNanPreserve"          },
        {"DENORM_PRESERVE16",   "DenormPreserve"                    },
        {"DENORM_FLUSH64",      "DenormFlushToZero"                 },
        {"RTE32",               "RoundingModeRTE"                   },
        {"RTZ32",               "RoundingModeRTZ"                   },
        {"CL_I8",               "Int8"                              },
        {"VK_I8",               "Int8"                              },
        {"WG_COLLECTIVES",      "Groups"                            },
        {"CL_SUBGROUPS",        "Groups"                            },
        {"UNIFORM_ARITH",       "GroupUniformArithmeticKHR"         },
        {"SG_BASIC",            "GroupNonUniform"                   },
        {"SG_VOTE",             "GroupNonUniformVote"               },
        {"SG_ARITHMETIC",       "GroupNonUniformArithmetic"         },
        {"SG_BALLOT",           "GroupNonUniformBallot"             },
        {"SG_SHUFFLE",          "GroupNonUniformShuffle"            },
        {"SG_SHUFFLE_RELATIVE", "GroupNonUniformShuffleRelative"    },
        {"SG_INTEL",            "SubgroupShuffleINTEL"              },
        {"SG_CLUSTERED",        "GroupNonUniformClustered"          },
        {"SG_QUAD",             "GroupNonUniformQuad"               },
        {"SG_ROTATE",           "GroupNonUniformRotateKHR"          },
        {"SG_ROTATE_CLUSTERED", "GroupNonUniformRotateKHR"          },
        {"CL_SG_SIZE_16",       "SubgroupDispatch"                  },
        {"AMD_BALLOT",          "Groups"                            },
    };
    json_t *grammar = load_grammar(grammar_path);
    size_t n_checked = 0;
    for (int i = 0; i < NEED_N; i++) {
        const struct cap_row *row = &cap_rows[i];
        const char *name = row->capability ? find_capability(grammar, row->capability) : NULL;
        if (row->capability && !name && !is_newer_capability(row->capability)) {
            fail_msg("%s: no capability has the number %u", row->id, row->capability);
        }
        for (size_t k = 0; name && k < ARRAY_N(wants); k++) {
            size_t const n = strlen(row->id);
            size_t const n_suffix = strlen(wants[k].suffix);
            if (n >= n_suffix && strcmp(row->id + n - n_suffix, wants[k].suffix) == 0) {
                if (strcmp(name, wants[k].capability) != 0) {
                    fail_msg("%s: capability is %s, not %s", row->id, name, wants[k].capability);
                }
                n_checked++;
            }
        }
    }
    assert_true(n_checked >= ARRAY_N(wants) - 2);
    json_decref(grammar);
}

static void rows_are_found(void **state)
{
    (void)state;
    for (int i = 0; i < OP_N; i++) {
        assert_int_equal(op_find_name(op_rows[i].name), i);
        assert_int_equal(op_find_number(op_rows[i].number), i);
        assert_true(op_rows[i].types != 0 && op_rows[i].envs != 0);
        assert_true(strlen(op_rows[i].clause) > 0);
    }
    assert_int_equal(op_find_name("OpFAdd"), -1); /* names are without the prefix */
    assert_int_equal(op_find_number(0), -1);
    assert_int_equal(op_find_number(4), -1); /* of the AMD set alone */
    assert_int_equal(op_find_number(OP_NUMBER(OP_SET_amd_ballot, 4)), OP_amd_ballot_MbcntAMD);
    assert_int_equal(op_find_number(OP_NUMBER(OP_SET_amd_ballot, 5)), -1);
    assert_int_equal(op_find_number(OP_NUMBER(OP_SET_amd_ballot, 227)), -1);
    assert_int_equal(op_rows[OP_core_AtomicFAddEXT].identity, ID_ANY_ZERO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opcodes_are_those_of_the_grammar),
        cmocka_unit_test(no_group_instruction_is_forgotten),
        cmocka_unit_test(no_function_is_forgotten),
        cmocka_unit_test(sets_have_their_types),
        cmocka_unit_test(capabilities_are_those_of_the_grammar),
        cmocka_unit_test(rows_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

static const char grammar_path[] = "/usr/include/spirv/unified1/spirv.core.grammar.json";

static json_t *load_grammar(void)
{
    json_error_t problem;
    json_t *grammar = json_load_file(grammar_path, 0, &problem);
    if (!grammar) {
        fail_msg("%s: %s", grammar_path, problem.text);
    }
    return grammar;
}

/* Opcode of a name without its prefix Op, or -1. */
static long find_opcode(const json_t *grammar, const char *name)
{
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(json_object_get(grammar, "instructions"), i, row)
    {
        const char *opname = json_string_value(json_object_get(row, "opname"));
        if (opname && strncmp(opname, "Op", 2) == 0 && strcmp(opname + 2, name) == 0) {
            return (long)json_integer_value(json_object_get(row, "opcode"));
        }
    }
    return -1;
}

static void opcodes_are_those_of_the_grammar(void **state)
{
    (void)state;
    json_t *grammar = load_grammar();
    size_t n_checked = 0;
    for (int i = 0; i < OP_N; i++) {
        long const want = find_opcode(grammar, op_rows[i].name);
        if (want != (long)op_rows[i].number) {
            fail_msg("Op%s: table %u, grammar %ld", op_rows[i].name, op_rows[i].number, want);
        }
        n_checked++;
    }
    assert_int_equal(n_checked, OP_N);
    assert_true(n_checked > 30);
    assert_int_equal(find_opcode(grammar, "NoSuchInstruction"), -1); /* control */
    json_decref(grammar);
}

/* Is the number that of a Capability, and is the name the one that our row's name promises? */
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

static void capabilities_are_those_of_the_grammar(void **state)
{
    (void)state;
    /* What the suffix of a row's name stands for; names by hand from the specifications. */
    static const struct {
        const char *suffix, *capability;
    } wants[] = {
        {"F16_GLOBAL_ADD",      "AtomicFloat16AddEXT"          },
        {"F32_LOCAL_ADD",       "AtomicFloat32AddEXT"          },
        {"F64_BUFFER_ADD",      "AtomicFloat64AddEXT"          },
        {"F16_SHARED_MINMAX",   "AtomicFloat16MinMaxEXT"       },
        {"F32_IMAGE_MINMAX",    "AtomicFloat32MinMaxEXT"       },
        {"F64_LOCAL_MINMAX",    "AtomicFloat64MinMaxEXT"       },
        {"CL_F16",              "Float16"                      },
        {"VK_F64",              "Float64"                      },
        {"CL_GENERIC",          "GenericPointer"               },
        {"VK_I16",              "Int16"                        },
        {"VK_I64",              "Int64"                        },
        {"CL_I64_ATOMICS",      "Int64Atomics"                 },
        {"I64_BUFFER_ATOMICS",  "Int64Atomics"                 },
        {"16BIT_STORAGE",       "StorageBuffer16BitAccess"     },
        {"VARPTR_SB",           "VariablePointersStorageBuffer"},
        {"TEXEL_BUFFER",        "ImageBuffer"                  },
        {"MEMORY_MODEL",        "VulkanMemoryModel"            },
        {"MEMORY_MODEL_DEVICE", "VulkanMemoryModelDeviceScope" },
        {"SCOPE_SUBGROUP",      "GroupNonUniform"              },
        {"SZINP32",             "SignedZeroInfNanPreserve"     },
        {"DENORM_PRESERVE16",   "DenormPreserve"               },
        {"DENORM_FLUSH64",      "DenormFlushToZero"            },
        {"RTE32",               "RoundingModeRTE"              },
        {"RTZ32",               "RoundingModeRTZ"              },
    };
    json_t *grammar = load_grammar();
    size_t n_checked = 0;
    for (int i = 0; i < NEED_N; i++) {
        const struct cap_row *row = &cap_rows[i];
        const char *name = row->capability ? find_capability(grammar, row->capability) : NULL;
        if (row->capability && !name && row->capability != SPV_CAP_FLOAT_CONTROLS2) {
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
    assert_int_equal(op_rows[OP_core_AtomicFAddEXT].identity, ID_ANY_ZERO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opcodes_are_those_of_the_grammar),
        cmocka_unit_test(capabilities_are_those_of_the_grammar),
        cmocka_unit_test(rows_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

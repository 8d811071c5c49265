/* reports/model/test_support.c -- what a target lists, by facts worked by hand from the documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/base.h"
#include "reports/model/support.h"

/* Facts of devices as they might be. */
#define CL_PLAIN "api=opencl\ncl.il_max=0x10000\ncl.wg_collectives=1\ncl.fatomic32=0x2\n"
#define CL_RICH                                                                                    \
    "api=opencl\ncl.il_max=0x10400\ncl.wg_collectives=1\ncl.max_subgroups=8\ncl.fp64_config=63\n"  \
    "cl.ext=cl_khr_fp16 cl_khr_subgroup_extended_types cl_khr_subgroup_non_uniform_vote "          \
    "cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_ballot cl_khr_subgroup_shuffle\n"
#define VK_PLAIN                                                                                   \
    "api=vulkan\nvk.api=0x402000\nvk.p.subgroupSupportedStages=0x20\n"                             \
    "vk.p.subgroupSupportedOperations=0x7\n"
#define VK_AMD VK_PLAIN "vk.ext=VK_AMD_shader_ballot\n"
#define VK_RICH                                                                                    \
    "api=vulkan\nvk.api=0x403000\nvk.p.subgroupSupportedStages=0x7f\n"                             \
    "vk.p.subgroupSupportedOperations=0xff\nvk.f.shaderFloat16=1\nvk.f.shaderFloat64=1\n"          \
    "vk.f.shaderInt8=1\nvk.f.shaderInt16=1\nvk.f.shaderInt64=1\n"                                  \
    "vk.f.shaderSubgroupExtendedTypes=1\n"

/* Which group instructions a device lists follows from its facts, worked out by hand for poor and rich
 * devices. */
static void group_instructions_are_listed_by_their_own_facts(void **state)
{
    (void)state;
    static const struct {
        const char *facts, *op, *type, *place;
        enum support want;
    } rows[] = {
        {CL_PLAIN,    "GroupFAdd",                     "f32",  "group-reduce",       SUPPORT_YES    },
        {CL_PLAIN,    "GroupFAdd",                     "f32",  "subgroup-reduce",    SUPPORT_NOT    },
        {CL_PLAIN,    "GroupFAdd",                     "f64",  "group-reduce",       SUPPORT_NOT    },
        {CL_PLAIN,    "GroupFAdd",                     "i32",  "group-reduce",       SUPPORT_NEVER  },
        {CL_PLAIN,    "GroupFAdd",                     "f32",  "group",              SUPPORT_NEVER  },
        {CL_PLAIN,    "GroupIAdd",                     "i8",   "group-reduce",       SUPPORT_NEVER  },
        {CL_PLAIN,    "GroupIAdd",                     "i8",   "subgroup-reduce",    SUPPORT_NOT    },
        {CL_PLAIN,    "GroupFMulKHR",                  "f32",  "group-reduce",       SUPPORT_NOT    },
        {CL_PLAIN,    "GroupNonUniformFAdd",           "f32",  "subgroup-reduce",    SUPPORT_NOT    },
        {CL_RICH,     "GroupIAdd",                     "i8",   "subgroup-reduce",    SUPPORT_YES    },
        {CL_RICH,     "GroupAll",                      "bool", "subgroup",           SUPPORT_YES    },
        {CL_RICH,     "GroupNonUniformFAdd",           "f16",  "subgroup-exclusive", SUPPORT_YES    },
        {CL_RICH,     "GroupNonUniformFAdd",           "f16",  "subgroup-clustered", SUPPORT_NOT    },
        {CL_RICH,     "GroupNonUniformFAdd",           "f16",  "group-reduce",       SUPPORT_NEVER  },
        {CL_RICH,     "GroupNonUniformShuffle",        "i8",   "subgroup",           SUPPORT_YES    },
        {CL_RICH,     "GroupNonUniformShuffle",        "bool", "subgroup",           SUPPORT_NEVER  },
        {CL_RICH,     "GroupNonUniformShuffleUp",      "i32",  "subgroup",           SUPPORT_NOT    },
        {CL_RICH,     "GroupNonUniformQuadSwap",       "i32",  "subgroup",           SUPPORT_NEVER  },
        {CL_RICH,     "GroupFAddNonUniformAMD",        "f32",  "subgroup-reduce",    SUPPORT_NOT    },
        {CL_RICH,     "MbcntAMD",                      "i32",  "subgroup",           SUPPORT_NOT    },
        {VK_PLAIN,    "GroupFAdd",                     "f32",  "group-reduce",       SUPPORT_NEVER  },
        {VK_PLAIN,    "GroupNonUniformElect",          "bool", "subgroup",           SUPPORT_YES    },
        {VK_PLAIN,    "GroupNonUniformAllEqual",       "f32",  "subgroup",           SUPPORT_YES    },
        {VK_PLAIN,    "GroupNonUniformAllEqual",       "i64",  "subgroup",           SUPPORT_NOT    },
        {VK_PLAIN,    "GroupNonUniformFAdd",           "f32",  "subgroup-inclusive", SUPPORT_YES    },
        {VK_PLAIN,    "GroupNonUniformFAdd",           "f32",  "subgroup-clustered", SUPPORT_NOT    },
        {VK_PLAIN,    "GroupNonUniformBallot",         "bool", "subgroup",           SUPPORT_NOT    },
        {VK_RICH,     "GroupNonUniformFAdd",           "f64",  "subgroup-clustered", SUPPORT_YES    },
        {VK_RICH,     "GroupNonUniformIMul",           "i16",  "subgroup-reduce",    SUPPORT_YES    },
        {VK_RICH,     "GroupNonUniformBallotBitCount", "i32",  "subgroup-exclusive", SUPPORT_YES    },
        {VK_RICH,     "GroupNonUniformBallotBitCount", "i32",  "subgroup",           SUPPORT_NEVER  },
        {VK_RICH,     "GroupNonUniformQuadSwap",       "bool", "subgroup",           SUPPORT_YES    },
        {VK_RICH,     "GroupNonUniformRotateKHR",      "f32",  "subgroup",           SUPPORT_NOT    },
        {VK_RICH,     "GroupNonUniformLogicalXor",     "bool", "subgroup-clustered", SUPPORT_YES    },
        {VK_RICH,     "SwizzleInvocationsAMD",         "f32",  "subgroup",           SUPPORT_NOT    },
        {VK_AMD,      "SwizzleInvocationsAMD",         "f32",  "subgroup",           SUPPORT_YES    },
        {VK_AMD,      "SwizzleInvocationsAMD",         "f16",  "subgroup",           SUPPORT_NOT    },
        {VK_AMD,      "MbcntAMD",                      "i32",  "subgroup",           SUPPORT_YES    },
        {VK_RICH,     "GroupFAddNonUniformAMD",        "f32",  "group-reduce",       SUPPORT_NEVER  },
        {"",          "GroupNonUniformFAdd",           "f32",  "subgroup-reduce",    SUPPORT_UNKNOWN},
        {"api=sim\n", "GroupFAdd",                     "f32",  "group-reduce",       SUPPORT_UNKNOWN},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        enum support const got = support_of(rows[i].facts, rows[i].op, rows[i].type, rows[i].place);
        if (got != rows[i].want) {
            fail_msg("row %zu: %s %s %s: %d, wanted %d", i, rows[i].op, rows[i].type, rows[i].place,
                     (int)got, (int)rows[i].want);
        }
    }
}

/* A stage mask without compute is no support of compute. */
static void another_stage_is_no_support(void **state)
{
    (void)state;
    assert_int_equal(support_of("api=vulkan\nvk.api=0x402000\nvk.p.subgroupSupportedStages=0x10\n"
                                "vk.p.subgroupSupportedOperations=0x7\n",
                                "GroupNonUniformElect", "bool", "subgroup"),
                     SUPPORT_NOT);
}

static void atomics_are_as_before(void **state)
{
    (void)state;
    assert_int_equal(support_of(CL_PLAIN, "AtomicFAddEXT", "f32", "global"), SUPPORT_YES);
    assert_int_equal(support_of(CL_PLAIN, "AtomicFAddEXT", "f32", "workgroup"), SUPPORT_NOT);
    assert_int_equal(support_of(CL_PLAIN, "AtomicFAddEXT", "f32", "image"), SUPPORT_NEVER);
    assert_false(support_is_group("AtomicFAddEXT"));
    assert_false(support_is_group("FAdd"));
    assert_false(support_is_group("no instruction"));
    assert_true(support_is_group("GroupAll"));
    assert_true(support_is_group("MbcntAMD"));
}

/* Worked by hand from the tables of the instructions, operations (O) and types (T):
 *   All, Any of OpGroup*    2 x 2 scopes                                                4
 *   Broadcast               7 T of the sub-group, 5 of the work-group                  12
 *   other OpGroup*          5 integer x 3 O x (4 + 2) T, 3 float x 3 O x (3 + 3) T    144
 *   uniform arithmetic      3 O x (2 + 3 + 3 x 2 + 3 x 1) T                            42
 *   elect, votes, AllEqual  1 + 2 + 8                                                  11
 *   of the ballot           2 x 8 + 1 + 2 + 3 + 2                                      24
 *   shuffles                4 x 8                                                      32
 *   arithmetic              4 O x (6 x 4 + 4 x 3 + 3 x 4 + 3 x 1)                     204
 *   partitions              8, and 51 of arithmetic on their subsets                   59
 *   quad, rotate            3 x 8, and 2 votes of quads                                26
 *   those of AMD            6 O x (5 x 4 + 3 x 3), 3 x 7 + 1                          196
 *   Intel's shuffles        4 x 5                                                      20 */
static void every_row_is_listed_once(void **state)
{
    (void)state;
    static struct support_row rows[1000];
    uint32_t const n = support_list_groups(rows, ARRAY_N(rows));
    uint32_t n_cl = 0;
    uint32_t n_vk = 0;
    assert_int_equal(n, 4 + 12 + 144 + 42 + 11 + 24 + 32 + 204 + 59 + 26 + 196 + 20);
    assert_int_equal(support_list_groups(NULL, 0), n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            assert_false(strcmp(rows[i].op, rows[k].op) == 0 &&
                         strcmp(rows[i].type, rows[k].type) == 0 &&
                         strcmp(rows[i].storage, rows[k].storage) == 0);
        }
        int const is_cl =
            support_of("api=opencl\n", rows[i].op, rows[i].type, rows[i].storage) != SUPPORT_NEVER;
        int const is_vk =
            support_of("api=vulkan\n", rows[i].op, rows[i].type, rows[i].storage) != SUPPORT_NEVER;
        assert_true(is_cl || is_vk);
        n_cl += (uint32_t)is_cl;
        n_vk += (uint32_t)is_vk;
    }
    /* OpenCL: no quad (18), no partition (59) and no bool in AllEqual, broadcasts, shuffles and rotate (1 + 2 + 4 + 1);
     * Vulkan: of OpGroup* (4 + 12 + 144 + 42) the reductions at the sub-group, 3 O x (5 x 4 + 3 x 3), and AMD's
     * there alone (87 less), nor Intel's shuffles (20) */
    assert_int_equal(n_cl, n - 18 - 59 - 8);
    assert_int_equal(n_vk, n - (202 - 87) - 87 - 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(group_instructions_are_listed_by_their_own_facts),
        cmocka_unit_test(another_stage_is_no_support),
        cmocka_unit_test(atomics_are_as_before),
        cmocka_unit_test(every_row_is_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

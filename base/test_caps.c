/* base/test_caps.c -- the grammar of facts and queries, and the rows of caps.def. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/caps.h"
#include "base/ops.h"

static const char facts[] = "name=a device = b\n"
                            "cl.ext=cl_khr_fp16 cl_khr_int64_base_atomics\n"
                            "cl.fp64_config=63\n"
                            "cl.fatomic32=0x20003\n"
                            "cl.zero=0\n"
                            "cl.empty=\n"
                            "cl.text=yes\n"
                            "cl.big=99999999999999999999\n"
                            "cl.bad=0xg\n"
                            "cl.il_max=0x10200\n"
                            "last=5";

static void facts_are_found_by_whole_key(void **state)
{
    (void)state;
    char buf[64];
    assert_int_equal(facts_get(facts, "name", buf, sizeof buf), 1);
    assert_string_equal(buf, "a device = b");
    assert_int_equal(facts_get(facts, "cl.empty", buf, sizeof buf), 1);
    assert_string_equal(buf, "");
    assert_int_equal(facts_get(facts, "cl.e", buf, sizeof buf), 0);
    assert_string_equal(buf, "");
    assert_int_equal(facts_get(facts, "ame", buf, sizeof buf), 0);
    assert_int_equal(facts_get(facts, "last", buf, sizeof buf), 1);
    assert_string_equal(buf, "5");
    assert_int_equal(facts_get(facts, "name", buf, 4), 1);
    assert_string_equal(buf, "a d");
    assert_int_equal(facts_get(facts, "name", NULL, 0), 1);
    assert_int_equal(facts_get("", "name", buf, sizeof buf), 0);
}

static void numbers_are_decimal_or_hex(void **state)
{
    (void)state;
    assert_int_equal(facts_number(facts, "cl.fp64_config"), 63);
    assert_int_equal(facts_number(facts, "cl.fatomic32"), 0x20003);
    assert_int_equal(facts_number(facts, "last"), 5);
    assert_int_equal(facts_number(facts, "cl.text"), 0);
    assert_int_equal(facts_number(facts, "cl.big"), 0); /* does not fit 64 bits */
    assert_int_equal(facts_number(facts, "cl.bad"), 0);
    assert_int_equal(facts_number(facts, "cl.empty"), 0);
    assert_int_equal(facts_number(facts, "none"), 0);
    assert_true(facts_number("x=18446744073709551615\n", "x") == UINT64_MAX);
    assert_int_equal(facts_number("x=18446744073709551616\n", "x"), 0);
    assert_int_equal(facts_number("x=-1\n", "x"), 0);
}

static void words_are_whole_words(void **state)
{
    (void)state;
    assert_true(facts_has_word(facts, "cl.ext", "cl_khr_fp16"));
    assert_true(facts_has_word(facts, "cl.ext", "cl_khr_int64_base_atomics"));
    assert_false(facts_has_word(facts, "cl.ext", "cl_khr_fp1"));
    assert_false(facts_has_word(facts, "cl.ext", "khr_fp16"));
    assert_false(facts_has_word(facts, "cl.ext", ""));
    assert_false(facts_has_word(facts, "none", "cl_khr_fp16"));
    assert_true(facts_has_word("x=  a   b \n", "x", "b"));
}

/* Each form of a query term, by a need that has it: the need, facts that meet it, facts that don't. */
static void each_form_of_query(void **state)
{
    (void)state;
    static const struct {
        enum need_id need;
        const char *facts;
        int holds;
    } rows[] = {
        {NEED_CL_F16,                "cl.ext=cl_khr_fp16\n",                                             1},
        {NEED_CL_F16,                "cl.ext=cl_khr_fp16x\n",                                            0},
        {NEED_CL_F64,                "cl.fp64_config=63\n",                                              1},
        {NEED_CL_F64,                "cl.fp64_config=0\n",                                               0},
        {NEED_CL_F64,                "cl.fp64_config=0x0\n",                                             0},
        {NEED_CL_F64,                "cl.fp64_config=\n",                                                0},
        {NEED_CL_F64,                "cl.fp64_config=yes\n",                                             1},
        {NEED_CL_F64,                "",                                                                 0},
        {NEED_CL_F32_GLOBAL_ADD,     "cl.fatomic32=0x2\n",                                               1},
        {NEED_CL_F32_GLOBAL_ADD,     "cl.fatomic32=0x5\n",                                               0},
        {NEED_CL_F32_LOCAL_ADD,      "cl.fatomic32=131072\n",                                            1},
        {NEED_CL_IL_1_2,             "cl.il_max=0x10200\n",                                              1},
        {NEED_CL_IL_1_2,             "cl.il_max=0x10100\n",                                              0},
        {NEED_CL_IL_1_2,             "cl.il_max=SPIR-V_1.2\n",                                           0},
        {NEED_CL_SG_SIZE_16,         "cl.subgroup_sizes=8 16 32\n",                                      1},
        {NEED_CL_SG_SIZE_16,         "cl.subgroup_sizes=160 116\n",                                      0},
        {NEED_CL_SG_SIZE_16,         "cl.subgroup_sizes=\n",                                             0},
        {NEED_VK_DENORM_INDEPENDENT, "vk.p.denormBehaviorIndependence=1\n",                              1},
        {NEED_VK_DENORM_INDEPENDENT, "vk.p.denormBehaviorIndependence=2\n",                              0},
        {NEED_CL_I64_ATOMICS,        "cl.ext=cl_khr_int64_base_atomics cl_khr_int64_extended_atomics\n",
         1                                                                                                },
        {NEED_CL_I64_ATOMICS,        "cl.ext=cl_khr_int64_base_atomics\n",                               0},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (facts_meet(rows[i].facts, rows[i].need) != rows[i].holds) {
            fail_msg("row %zu: %s with '%s'", i, cap_rows[rows[i].need].id, rows[i].facts);
        }
    }
}

/* Each size on both sides of both bounds: a query of four terms, of which "<=" is one. */
static void sizes_lie_between_two_bounds(void **state)
{
    (void)state;
    static const struct {
        unsigned control, min, max, stages;
        int holds;
    } rows[] = {
        {1, 8,  32, 0x30, 1},
        {1, 16, 16, 0x20, 1},
        {1, 17, 32, 0x30, 0},
        {1, 32, 64, 0x30, 0},
        {1, 4,  8,  0x30, 0},
        {1, 4,  15, 0x30, 0},
        {1, 8,  32, 0x10, 0}, /* not in compute */
        {0, 8,  32, 0x30, 0},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        arena_init(&a, 4096);
        const char *text = arena_printf(&a,
                                        "vk.f.subgroupSizeControl=%u\nvk.p.minSubgroupSize=%u\n"
                                        "vk.p.maxSubgroupSize=%u\n"
                                        "vk.p.requiredSubgroupSizeStages=%u\n",
                                        rows[i].control, rows[i].min, rows[i].max, rows[i].stages);
        if (facts_meet(text, NEED_VK_SG_SIZE_16) != rows[i].holds) {
            fail_msg("row %zu: %s", i, text);
        }
        arena_free(&a);
    }
    assert_int_equal(facts_meet("", NEED_VK_SG_SIZE_16), 0);
}

/* What a target must list, and what it may have without listing it. */
static void fit_tells_listed_from_unlisted(void **state)
{
    /* SHOWS(FA_GENERIC_BOTH, FA_NOT_SAID) */
    (void)state;
    static const char bfloat[] =
        "cl.spirv_ext=SPV_KHR_bfloat16 SPV_INTEL_16bit_atomics\ncl.spirv_caps=5116 6255\n";
    static const char amd_cl[] = "cl.spirv_ext=SPV_AMD_shader_ballot\ncl.fp64_config=1\n";
    static const char max_error[] =
        "cl.spirv_ext=SPV_INTEL_fp_max_error\nvk.spirv_ext=SPV_INTEL_fp_max_error\n";
    static const char amd_vk[] = "vk.ext=VK_AMD_shader_ballot\n";
    static const struct {
        enum need_id needs[2];
        const char *facts;
        enum fit fit;
    } rows[] = {
        {{NEED_CL_F64, NEED_CL_F64},                       "cl.fp64_config=1\n",     FIT_LISTED  },
        {{NEED_CL_F64, NEED_CL_F64},                       "",                       FIT_NOT     },
        {{NEED_CL_AMD_BALLOT, NEED_CL_AMD_BALLOT},         "",                       FIT_UNLISTED},
        {{NEED_CL_AMD_BALLOT, NEED_CL_F64},                "cl.fp64_config=1\n",     FIT_UNLISTED},
        {{NEED_CL_AMD_BALLOT, NEED_CL_F64},                "",                       FIT_NOT     },
        {{NEED_CL_AMD_BALLOT, NEED_CL_F64},                amd_cl,                   FIT_LISTED  },
        {{NEED_CL_AMD_BARE, NEED_CL_F64},                  amd_cl,                   FIT_UNLISTED},
        {{NEED_VK_AMD_BALLOT, NEED_VK_AMD_BALLOT},         "",                       FIT_UNLISTED},
        {{NEED_VK_AMD_BALLOT, NEED_VK_AMD_BALLOT},         amd_vk,                   FIT_UNLISTED},
        {{NEED_VK_AMD_SET, NEED_VK_AMD_SET},               "",                       FIT_UNLISTED},
        {{NEED_VK_AMD_SET, NEED_VK_AMD_SET},               amd_vk,                   FIT_LISTED  },
        {{NEED_VK_AMD_SET, NEED_VK_AMD_BALLOT},            amd_vk,                   FIT_UNLISTED},
        {{NEED_VK_AMD_BARE, NEED_VK_AMD_BARE},             amd_vk,                   FIT_UNLISTED},
        {{NEED_VK_AMD_BARE, NEED_VK_F64},                  amd_vk,                   FIT_NOT     },
        {{NEED_CL_MAX_ERROR, NEED_CL_F64},                 "cl.fp64_config=1\n",     FIT_UNLISTED},
        {{NEED_CL_MAX_ERROR, NEED_CL_MAX_ERROR},           max_error,                FIT_LISTED  },
        {{NEED_CL_MAX_ERROR, NEED_CL_F64},                 max_error,                FIT_NOT     },
        {{NEED_VK_MAX_ERROR, NEED_VK_MAX_ERROR},           max_error,                FIT_UNLISTED},
        {{NEED_CL_F64_LOCAL_ADD, NEED_CL_F64},
         "cl.fp64_config=1\ncl.fatomic64=0x20000\n",                                 FIT_LISTED  },
        {{NEED_CL_F64_LOCAL_ADD, NEED_CL_F64},
         "cl.fp64_config=1\ncl.fatomic64=0x2\n",                                     FIT_UNLISTED},
        {{NEED_CL_F32_GLOBAL_ADD, NEED_CL_F32_LOCAL_ADD},  "cl.fatomic32=0x20002\n", FIT_LISTED  },
        {{NEED_CL_F32_GLOBAL_ADD, NEED_CL_F32_LOCAL_ADD},  "cl.fatomic32=0x2\n",     FIT_UNLISTED},
        {{NEED_CL_F32_GLOBAL_ADD, NEED_CL_F32_LOCAL_ADD},  "cl.fatomic32=0x20000\n", FIT_UNLISTED},
        {{NEED_CL_F16_GLOBAL_LS, NEED_CL_F16},             "cl.fatomic16=0\n",       FIT_NOT     },
        {{NEED_CL_BF16_ADD, NEED_CL_BF16},                 bfloat,                   FIT_LISTED  },
        {{NEED_CL_BF16_LS, NEED_CL_BF16},                  bfloat,                   FIT_UNLISTED},
        {{NEED_CL_I16_ATOMICS, NEED_CL_I16_CMPXCHG},       "",                       FIT_UNLISTED},
        {{NEED_VK_F16_VECTORS, NEED_VK_F16},               "vk.f.shaderFloat16=1\n", FIT_UNLISTED},
        {{NEED_VK_F16_VECTORS, NEED_VK_RG16F_IMAGE},       "vk.f.shaderFloat16=1\n", FIT_NOT     },
        {{NEED_CL_ROUNDED_DIVIDE, NEED_CL_ROUNDED_DIVIDE}, "cl.fp32_config=0xbf\n",  FIT_LISTED  },
        {{NEED_CL_ROUNDED_DIVIDE, NEED_CL_ROUNDED_DIVIDE}, "cl.fp32_config=0x3f\n",  FIT_NOT     },
    };
    struct needs const none = {{0}};
    assert_int_equal(facts_get_fit("", &none), FIT_LISTED);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct needs n = {{0}};
        needs_add(&n, rows[i].needs[0]);
        needs_add(&n, rows[i].needs[1]);
        if (facts_get_fit(rows[i].facts, &n) != rows[i].fit) {
            fail_msg("row %zu: %s with \"%s\"", i, cap_rows[rows[i].needs[0]].id, rows[i].facts);
        }
    }
}

static void first_unmet_need_is_named(void **state)
{
    (void)state;
    struct needs n = {{0}};
    assert_int_equal(facts_first_unmet("", &n), -1);
    needs_add(&n, NEED_CL_F16);
    needs_add(&n, NEED_CL_F32_GLOBAL_ADD);
    assert_int_equal(facts_first_unmet(facts, &n), -1);
    needs_add(&n, NEED_VK_ROUNDING_INDEPENDENT);
    assert_int_equal(facts_first_unmet(facts, &n), NEED_VK_ROUNDING_INDEPENDENT);
    assert_int_equal(facts_first_unmet("", &n), NEED_CL_F16);
}

/* Every row: found by name, one environment that its name starts with, query terms well formed. */
static void every_row_is_well_formed(void **state)
{
    (void)state;
    size_t n_terms = 0;
    for (int i = 0; i < NEED_N; i++) {
        const struct cap_row *row = &cap_rows[i];
        assert_int_equal(need_find(row->id), i);
        assert_int_equal(row->envs, strncmp(row->id, "CL_", 3) == 0 ? OP_CL : OP_VK);
        for (const char *p = row->query; *p;) {
            size_t const n = strcspn(p, " ");
            size_t const n_key = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789._");
            if (n_key == 0 || n_key > n || (n_key < n && !strchr("&><=~", p[n_key]))) {
                fail_msg("%s: bad term '%s'", row->id, p);
            }
            assert_int_equal(strncmp(p, row->envs == OP_CL ? "cl." : "vk.", 3), 0);
            n_terms++;
            p += n + (p[n] == ' ');
        }
    }
    assert_true(n_terms >= NEED_N);
    assert_int_equal(need_find("NO_SUCH"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_found_by_whole_key),
        cmocka_unit_test(numbers_are_decimal_or_hex),
        cmocka_unit_test(words_are_whole_words),
        cmocka_unit_test(each_form_of_query),
        cmocka_unit_test(sizes_lie_between_two_bounds),
        cmocka_unit_test(fit_tells_listed_from_unlisted),
        cmocka_unit_test(first_unmet_need_is_named),
        cmocka_unit_test(every_row_is_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* reports/model/test_figures.c -- counts, shares and times, and what a target supports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/model/figures.h"
#include "reports/model/support.h"

enum {
    ARENA_BYTES = 16 << 20
};

/* Counts, shares and durations are written as people read them, at their limits too. */
static void figures_read_as_people_write_them(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    assert_string_equal(figures_count(&a, 0), "0");
    assert_string_equal(figures_count(&a, 999), "999");
    assert_string_equal(figures_count(&a, 1000), "1,000");
    assert_string_equal(figures_count(&a, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(figures_share(&a, 0, 0), "-");
    assert_string_equal(figures_share(&a, 5, 0), "-");
    assert_string_equal(figures_share(&a, 0, 5), "0.0%");
    assert_string_equal(figures_share(&a, 5, 5), "100.0%");
    assert_string_equal(figures_share(&a, 1, 3), "33.3%");
    assert_string_equal(figures_share(&a, 1, 1000000), "<0.1%");
    assert_string_equal(figures_share(&a, 999999, 1000000), ">99.9%");
    assert_string_equal(figures_share(&a, UINT64_MAX, UINT64_MAX), "100.0%");
    assert_string_equal(figures_share(&a, UINT64_MAX, 1), ">100%");
    assert_string_equal(figures_duration(&a, 0), "0 ms");
    assert_string_equal(figures_duration(&a, 12999999), "12 ms");
    assert_string_equal(figures_duration(&a, 61234000000), "61.2 s");
    assert_string_equal(figures_duration(&a, 125000000000), "2 min 05 s");
    assert_string_equal(figures_duration(&a, 3723000000000), "1 h 02 min 03 s");
    assert_string_equal(figures_tenths(&a, 1234.56), "1,234.6");
    assert_string_equal(figures_tenths(&a, -1.0), "-");
    assert_int_equal(figures_sum(UINT64_MAX, 1), UINT64_MAX);
    arena_free(&a);
}

/* What the report calls supported follows from the facts, worked out by hand for some rows. */
static void support_follows_the_capability_tables(void **state)
{
    (void)state;
    static const char cl[] = "api=opencl\ncl.ext=cl_khr_fp16\ncl.fatomic16=0x2\n"
                             "cl.fatomic32=0x20004\ncl.fp64_config=0x3f\n";
    static const char vk[] = "api=vulkan\nvk.f.shaderBufferFloat32AtomicAdd=1\n"
                             "vk.f.shaderImageFloat32AtomicMinMax=1\nvk.fmt.r32f_image_atomic=1\n"
                             "vk.f.shaderInt64=1\nvk.f.shaderSharedInt64Atomics=1\n";
    static const char vectors[] = "api=vulkan\nvk.f.shaderFloat16=1\nvk.f."
                                  "shaderFloat16VectorAtomics=1\nvk.fmt.rgba16f_image_atomic=1\n"
                                  "vk.fmt.rg16f_texel_atomic=1\nvk.f."
                                  "shaderStorageImageExtendedFormats=1\n"
                                  "vk.f.bufferDeviceAddress=1\n";
    static const struct {
        const char *facts, *op, *type, *storage;
        enum support want;
    } row[] = {
        {cl,      "AtomicFAddEXT",  "f16",   "global",    SUPPORT_YES    },
        {cl,      "AtomicFAddEXT",  "f16",   "workgroup", SUPPORT_NOT    },
        {cl,      "AtomicFMinEXT",  "f16",   "global",    SUPPORT_NOT    },
        {cl,      "AtomicFMinEXT",  "f32",   "global",    SUPPORT_YES    },
        {cl,      "AtomicFMaxEXT",  "f32",   "generic",   SUPPORT_NOT    }, /* no generic address space */
        {cl,      "AtomicFAddEXT",  "f32",   "workgroup", SUPPORT_YES    },
        {cl,      "AtomicLoad",     "f32",   "global",    SUPPORT_YES    },
        {cl,      "AtomicLoad",     "f64",   "global",    SUPPORT_NOT    }, /* needs 64-bit atomics */
        {cl,      "AtomicIAdd",     "i32",   "global",    SUPPORT_YES    },
        {cl,      "AtomicIAdd",     "i64",   "global",    SUPPORT_NOT    },
        {cl,      "AtomicFAddEXT",  "f32",   "image",     SUPPORT_NEVER  },
        {cl,      "FAdd",           "f64",   "-",         SUPPORT_YES    },
        {vk,      "AtomicFAddEXT",  "f32",   "global",    SUPPORT_YES    },
        {vk,      "AtomicFAddEXT",  "f32",   "workgroup", SUPPORT_NOT    },
        {vk,      "AtomicFMinEXT",  "f32",   "image",     SUPPORT_YES    },
        {vk,      "AtomicFMinEXT",  "f32",   "texel",     SUPPORT_NOT    }, /* no atomic texel buffer */
        {vk,      "AtomicFAddEXT",  "f32",   "generic",   SUPPORT_NEVER  },
        {vk,      "AtomicFAddEXT",  "f16x2", "global",    SUPPORT_NOT    },
        {vectors, "AtomicFAddEXT",  "f16x2", "global",    SUPPORT_YES    },
        {vectors, "AtomicExchange", "f16x4", "workgroup", SUPPORT_YES    },
        {vectors, "AtomicFMinEXT",  "f16x4", "image",     SUPPORT_YES    },
        {vectors, "AtomicFMinEXT",  "f16x2", "image",     SUPPORT_NOT    },
        {vectors, "AtomicFMinEXT",  "f16x2", "texel",     SUPPORT_YES    },
        {vectors, "AtomicFMinEXT",  "f16x4", "texel",     SUPPORT_NOT    },
        {vectors, "AtomicFMinEXT",  "f16x4", "physical",  SUPPORT_YES    },
        {vk,      "AtomicFAddEXT",  "f32",   "physical",  SUPPORT_NOT    }, /* no addresses */
        {cl,      "AtomicFAddEXT",  "f32",   "physical",  SUPPORT_NEVER  },
        {vectors, "AtomicLoad",     "f16x4", "workgroup", SUPPORT_NEVER  },
        {vectors, "AtomicFAddEXT",  "f16",   "global",    SUPPORT_NOT    },
        {cl,      "AtomicFAddEXT",  "f16x2", "global",    SUPPORT_NEVER  },
        {vk,      "AtomicIAdd",     "i64",   "workgroup", SUPPORT_YES    },
        {vk,      "AtomicIAdd",     "i64",   "global",    SUPPORT_NOT    },
        {vk,      "FAdd",           "f64",   "-",         SUPPORT_NOT    },
        {vk,      "FAdd",           "f32",   "-",         SUPPORT_YES    },
        {"",      "FAdd",           "f32",   "-",         SUPPORT_UNKNOWN},
    };
    for (size_t i = 0; i < ARRAY_N(row); i++) {
        if (support_of(row[i].facts, row[i].op, row[i].type, row[i].storage) != row[i].want) {
            fail_msg("row %zu: %s %s %s", i, row[i].op, row[i].type, row[i].storage);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_read_as_people_write_them),
        cmocka_unit_test(support_follows_the_capability_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

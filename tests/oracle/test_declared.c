/* tests/oracle/test_declared.c -- a declaration that the driver has not seen is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/diagnose/declared.h"
#include "tests/rig/expression_rig.h"

#define RTE   "OpExecutionMode %main RoundingModeRTE 32\n"
#define RTZ   "OpExecutionMode %main RoundingModeRTZ 32\n"
#define KEEP  "OpExecutionMode %main DenormPreserve 32\n"
#define FLUSH "OpExecutionMode %main DenormFlushToZero 32\n"
#define SZINP "OpExecutionMode %main SignedZeroInfNanPreserve 32\n"
#define PLAIN "OpDecorate %r NoContraction\n"

static void what_is_ignored_is_named(void **state)
{
    (void)state;
    static const char sum[] = "%r = OpFAdd %f32 %x0 %x1\n";
    static const char fused[] = "%p = OpFMul %f32 %x0 %x0\n%r = OpFAdd %f32 %p %x1\n";
    static const char both[] = "OpDecorate %p NoContraction\n" PLAIN;
    float const x = 1 + 0x1p-12f, square = x * x;
    struct {
        const char *modes, *decorations, *body;
        float in[2];
        uint32_t got;
        const char *want;
    } const rows[] = {
  /* 2^24 + 3 lies between two floats */
        {RTZ,            PLAIN, sum,   {0x1p24f, 3},   bits_of(0x1p24f + 4), "RoundingModeRTZ 32"  },
        {RTZ,            PLAIN, sum,   {0x1p24f, 3},   bits_of(0x1p24f + 2), ""                    },
        {RTZ,            PLAIN, sum,   {0x1p24f, 3},   bits_of(0x1p24f + 6), ""                    },
        {RTE SZINP KEEP, PLAIN, sum,   {0x1p24f, 3},   bits_of(0x1p24f + 2), ""                    },
        {"",             PLAIN, sum,   {0x1p24f, 3},   bits_of(0x1p24f + 6), ""                    },
        {SZINP KEEP,     PLAIN, sum,   {0x1p-140f, 0}, 0,                    "DenormPreserve 32"   },
        {SZINP FLUSH,    PLAIN, sum,   {0x1p-140f, 0}, bits_of(0x1p-140f),   "DenormFlushToZero 32"},
        {SZINP RTE KEEP, both,  fused, {x, -square},   bits_of(0x1p-24f),    "NoContraction"       },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct program const p = {ENV_VK,       rows[i].modes, rows[i].decorations,
                                  rows[i].body, NULL,          NULL};
        struct rig *const r = make_program(&p);
        for (int k = 0; k < 2; k++) {
            r->in[k] = bits_of(rows[i].in[k]);
        }
        r->out_after[0] = rows[i].got;
        (void)judge_rig(r);
        const char *const found = declared_find_ignored(&r->tc, &r->ob, &r->j, &r->a);
        if (strcmp(found, rows[i].want) != 0) {
            fail_msg("row %zu: \"%s\", want \"%s\": %s", i, found, rows[i].want,
                     verdict_rows[r->j.kind].name);
        }
        free_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_ignored_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

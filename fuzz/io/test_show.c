/* fuzz/io/test_show.c -- values of a finding as text: each in its own type, bit for bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/io/show.h"
#include "oracle/judgement/judgement.h"

static void each_operand_is_shown_in_its_type(void **state)
{
    (void)state;
    static const struct {
        enum val_type type, got_type, operand_type[3];
        uint64_t operand[3], got;
        const char *operands, *result;
    } rows[] = {
  /* 2^31 - 1.5, which f32 does not have */
        {VT_F32,
         VT_NONE, {VT_F64, VT_NONE, VT_NONE},
         {0x41dfffffffa00000, 0, 0},
         0x3f800000, "0x41dfffffffa00000 (2147483646.5)",
         "0x3f800000 (1)"             },
        {VT_F16,
         VT_NONE, {VT_F32, VT_NONE, VT_NONE},
         {0x3f800001, 0, 0},
         0x3c00,     "0x3f800001 (1.00000012)",
         "0x3c00 (1)"                 },
        {VT_F32,
         VT_NONE, {VT_F32, VT_I32, VT_NONE},
         {0x3f800000, 5, 0},
         0x3f800000, "0x3f800000 (1), 0x5 (5)",
         "0x3f800000 (1)"             },
        {VT_F32,
         VT_BOOL, {VT_F32, VT_F32, VT_NONE},
         {0x3f800000, 0, 0},
         1,          "0x3f800000 (1), 0x00000000 (0)",
         "0x1 (1)"                    },
 /* with no types of their own the finding's is meant */
        {VT_F32,
         VT_NONE, {VT_NONE, VT_NONE, VT_NONE},
         {0x3f800000, 0, 0},
         1,          "0x3f800000 (1), 0x00000000 (0)",
         "0x00000001 (1.40129846e-45)"},
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct finding f = {.type = rows[i].type,
                            .got_type = rows[i].got_type,
                            .has_got = 1,
                            .got = rows[i].got,
                            .n_operands = strchr(rows[i].operands, ',') ? 2 : 1};
        memcpy(f.operand, rows[i].operand, sizeof f.operand);
        memcpy(f.operand_type, rows[i].operand_type, sizeof f.operand_type);
        assert_string_equal(show_operands(&f, &a), rows[i].operands);
        assert_string_equal(show_got(&f, &a), rows[i].result);
        f.has_got = 0;
        assert_string_equal(show_got(&f, &a), "");
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operand_is_shown_in_its_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

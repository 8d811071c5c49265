/* fuzz/audit/test_audit_search.c -- which inputs an audit tries where it cannot try all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/audit/audit.h"
#include "fuzz/audit/audit_search.h"
#include "fuzz/audit/worst.h"

#define ARENA_BYTES ((size_t)64 << 20)

/* A listed input comes first, before the special values. */
static void listed_inputs_come_first(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    struct audit_row const row = {.func = FUNC_FMA, .fmt = FMT_F32, .n_inputs = 10000};
    struct worst_input inputs[] = {
        {.func = FUNC_FMA, .fmt = FMT_F64, .arg = {9, 9, 9}},
        {.func = FUNC_FMA, .fmt = FMT_F32, .arg = {5, 6, 7}},
        {.func = FUNC_EXP, .fmt = FMT_F32, .arg = {8, 8, 8}},
    };
    struct worst_list const worst = {.n = ARRAY_N(inputs), .inputs = inputs};
    struct audit_search s;
    struct err e;
    uint32_t x[3][5000];
    uint32_t n_cancel = 0;
    assert_int_equal(audit_search_init(&s, &row, 9, &worst, &a, &e), RES_OK);
    audit_search_fill(&s, (void *[]){x[0], x[1], x[2]}, 5000);
    assert_true(x[0][0] == 5 && x[1][0] == 6 && x[2][0] == 7);
    assert_true(x[0][1] != 9 && x[0][1] != 8);
    for (uint32_t i = 3000; i < 5000; i++) { /* drawn: the addend near the product */
        struct func_args const product = {
            .fmt = FMT_F32, .enc = {x[0][i], x[1][i]}
        };
        uint64_t const minus = func_round(FUNC_FMUL, ENV_CL, &product) ^ UINT32_C(0x80000000);
        n_cancel += x[2][i] + UINT64_C(2) >= minus && x[2][i] <= minus + 2;
    }
    assert_true(n_cancel > 100);
    arena_free(&a);
}

/* The same seed gives the same inputs, special values among them; and once it climbs, a search stays near the
 * worst input that was found. */
static void searches_are_reproducible_and_climb(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    struct audit_row const row = {.func = FUNC_EXP, .fmt = FMT_F64, .n_inputs = 1000};
    struct audit_search s[2];
    struct err e;
    uint64_t x[2][500] = {{0}}, next[200];
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(audit_search_init(&s[i], &row, 9, NULL, &a, &e), RES_OK);
        void *const out[] = {x[i]};
        audit_search_fill(&s[i], out, 500);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    int n_nan = 0, n_zero = 0, n_one = 0;
    for (size_t i = 0; i < 500; i++) {
        n_nan += format_is_nan(&float_formats[FMT_F64], x[0][i]);
        n_zero += format_is_zero(&float_formats[FMT_F64], x[0][i]);
        n_one += x[0][i] == UINT64_C(0x3ff0000000000000);
    }
    assert_true(n_nan > 0 && n_zero > 1 && n_one > 0);

    struct sweep_result *const found = ARENA_NEW(&a, struct sweep_result, 1);
    uint64_t const worst = UINT64_C(0x3ff123456789abcd);
    found->above = (struct sweep_worst){
        .error = 0.7, .arg = {worst, 0}
    };
    assert_int_equal(audit_search_is_climbing(&s[0]), 1);
    audit_search_learn(&s[0], found, 1);
    audit_search_fill(&s[0], (void *[]){next}, 200);
    uint32_t n_near = 0;
    for (size_t i = 0; i < 200; i++) {
        uint64_t const magnitude = next[i] & ~(UINT64_C(1) << 63);
        uint64_t const binade = UINT64_C(1) << 52;
        n_near += magnitude + binade >= worst && magnitude <= worst + binade;
    }
    assert_int_equal(n_near, 200);
    arena_free(&a);
}

/* A search goes on near a bound that it almost reached, in steps, as long as each finds more and up to as many inputs again. */
static void a_near_miss_is_searched_further(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    struct audit_row row = {.func = FUNC_EXP, .fmt = FMT_F32, .n_inputs = 8000, .n_forms = 2};
    struct audit_case *const c = &row.found[1];
    struct audit_search s;
    struct err e;
    assert_int_equal(audit_search_init(&s, &row, 9, NULL, &a, &e), RES_OK);
    *c = (struct audit_case){.kind = AUDIT_CASE_LARGEST, .bound_ulp = 3, .ratio = 0.7};
    c->worst.arg[0] = 0x3f800000;
    assert_false(audit_search_go_on(&s, &row)); /* far from the bound */
    c->ratio = 0.9;
    c->kind = AUDIT_CASE_BOUND;
    assert_false(audit_search_go_on(&s, &row)); /* wrong already */
    c->kind = AUDIT_CASE_LARGEST;
    c->bound_ulp = 0.5;
    assert_false(audit_search_go_on(&s, &row)); /* correctly rounded */
    c->bound_ulp = 3;
    assert_int_equal(s.n_end, 8000);
    assert_true(audit_search_go_on(&s, &row));
    assert_int_equal(s.n_end, 9000);
    s.n_made = 8000;
    uint32_t x[100], n_near = 0;
    audit_search_fill(&s, (void *[]){x}, 100);
    for (size_t i = 0; i < ARRAY_N(x); i++) { /* the other sign and one binade are a step too */
        uint32_t const magnitude = x[i] & ~(UINT32_C(1) << 31);
        n_near += magnitude >= 0x3f000000 && magnitude <= 0x40000000;
    }
    assert_int_equal(n_near, ARRAY_N(x));
    assert_false(audit_search_go_on(&s, &row)); /* nothing larger was found */
    for (int i = 0; i < 7; i++) {
        c->ratio += 0.01;
        assert_true(audit_search_go_on(&s, &row));
    }
    c->ratio += 0.01;
    assert_int_equal(s.n_end, 16000);
    assert_false(audit_search_go_on(&s, &row));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_inputs_come_first),
        cmocka_unit_test(searches_are_reproducible_and_climb),
        cmocka_unit_test(a_near_miss_is_searched_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

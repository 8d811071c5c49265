/* oracle/nir/test_nir_trace.c -- what a stored byte is computed of: each line worked by hand. */
#include "oracle/nir/test_nir_rig.h"

/* Invocation i stores i + 1 twice in a loop of three iterations, then 7 * frcp(i + 1), beside values that no one needs. */
static const char text[] = "workgroup_size: 4, 1, 1\n"                                /* 1 */
                           "impl main {\n"                                            /* 2 */
                           "block b0:\n"                                              /* 3 */
                           "32x3 %1 = @load_local_invocation_id\n"                    /* 4 */
                           "32 %2 = load_const (0x0)\n"                               /* 5 */
                           "32 %3 = load_const (0x2)\n"                               /* 6 */
                           "32 %4 = @bindless_resource_ir3 (%3) (desc_set=0)\n"       /* 7 */
                           "32 %5 = load_const (0x1)\n"                               /* 8 */
                           "32 %6 = load_const (0x3)\n"                               /* 9 */
                           "32 %7 = load_const (0x40e00000 = 7.0)\n"                  /* 10 */
                           "32 %20 = mov %1.x\n"                                      /* 11 */
                           "loop {\n"                                                 /* 12 */
                           "block b1:\n"                                              /* 13 */
                           "32 %8 = phi b0: %20, b2: %9\n"                            /* 14 */
                           "32 %10 = phi b0: %2, b2: %11\n"                           /* 15 */
                           "1 %12 = uge %10, %6\n"                                    /* 16 */
                           "if %12 {\n"                                               /* 17 */
                           "block b3:\n"                                              /* 18 */
                           "break\n"                                                  /* 19 */
                           "}\n"                                                      /* 20 */
                           "block b2:\n"                                              /* 21 */
                           "32 %9 = iadd %8, %5\n"                                    /* 22 */
                           "32 %11 = iadd %10, %5\n"                                  /* 23 */
                           "32 %13 = ishl %9, %5\n"                                   /* 24 */
                           "@store_ssbo (%9, %4, %1.x) (wrmask=x, offset_shift=2)\n"  /* 25 */
                           "}\n"                                                      /* 26 */
                           "block b4:\n"                                              /* 27 */
                           "32 %14 = u2f32 %8\n"                                      /* 28 */
                           "32 %15 = frcp %14\n"                                      /* 29 */
                           "32 %16 = fmul %15, %7\n"                                  /* 30 */
                           "32 %17 = fadd %16, %7\n"                                  /* 31 */
                           "@store_ssbo (%16, %4, %1.x) (wrmask=x, offset_shift=2)\n" /* 32 */
                           "}\n";

static void trace(struct nir_rig *r, uint32_t byte, struct nir_trace *out)
{
    nir_rig_make(r, NIR_DRIVER_TURNIP, 4, 4);
    r->q.text = text;
    r->q.n_bytes = strlen(text);
    *out = (struct nir_trace){.buf = 1, .byte = byte};
    (void)nir_trace(&r->q, &r->tc, &r->a, out);
}

static void a_value_is_followed_back(void **state)
{
    static struct nir_rig r;
    struct nir_trace t;
    static const struct {
        uint32_t line;
        uint64_t value;
        bool is_hardware;
    } want[] = {
        {4,  1,          false}, /* the local id of invocation 1 */
        {11, 1,          false},
        {14, 1,          false}, /* before the first iteration, */
        {22, 2,          false},
        {14, 2,          false},
        {22, 3,          false},
        {14, 3,          false},
        {22, 4,          false},
        {14, 4,          false}, /* after the third one */
        {28, 0x40800000, false}, /* 4.0 */
        {29, 0x3e800000, true }, /* 0.25 */
        {30, 0x3fe00000, false}, /* 1.75 */
        {32, 0,          false}
    };
    (void)state;
    trace(&r, 4, &t);
    assert_int_equal(t.n, ARRAY_N(want));
    assert_false(t.is_cut);
    assert_int_equal(t.invocation, 1);
    for (uint32_t i = 0; i < t.n; i++) {
        assert_int_equal(t.lines[i].line, want[i].line);
        assert_int_equal(t.lines[i].is_hardware, want[i].is_hardware);
        if (t.lines[i].n_values > 0) {
            assert_int_equal(t.lines[i].values[0], want[i].value);
        }
    }
    assert_int_equal(t.lines[t.n - 1].n_values, 0);
    arena_free(&r.a);
}

/* A byte that nobody writes, and one that is none. */
static void what_nobody_writes_has_no_trace(void **state)
{
    static const uint32_t bytes[] = {4 * 4, 4 * NIR_RIG_WORDS, UINT32_MAX};
    static struct nir_rig r;
    struct nir_trace t;
    (void)state;
    for (size_t i = 0; i < ARRAY_N(bytes); i++) {
        trace(&r, bytes[i], &t);
        assert_int_equal(t.n, 0);
        arena_free(&r.a);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_followed_back),
        cmocka_unit_test(what_nobody_writes_has_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

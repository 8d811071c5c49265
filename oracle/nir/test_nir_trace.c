/* oracle/nir/test_nir_trace.c -- what a stored byte is computed of: each line worked by hand. */
#include "oracle/nir/test_nir_rig.h"
#include "oracle/nir_text/nir_intrinsic.h"

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

/* Invocation i leaves i + 1 in texel i of an image, buffer 0, or what the texel holds in word i of buffer 1. */
static void texels_are_seen_as_buffers_are(void **state)
{
#define IMAGE                                                                                      \
    "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n"                                            \
    "32x3 %1 = @load_local_invocation_id\n32 %2 = load_const (0x0)\n32 %3 = load_const (0x1)\n"    \
    "32 %4 = @bindless_resource_ir3 (%2) (desc_set=0)\n32 %5 = iadd %1.x, %3\n"                    \
    "32x4 %6 = vec4 %1.x, %2, %2, %2\n"
    static const struct {
        const char *text;
        uint32_t buf, n, lines[4];
    } rows[] = {
        {IMAGE "@bindless_image_store (%4, %6, %2, %5, %2) (image_dim=2D)\n}\n",                         0, 3, {4, 8, 10}  },
        {IMAGE
         "32 %7 = @bindless_image_atomic (%4, %6, %2, %5) (image_dim=2D, atomic_op=iadd)\n}\n", 0,
         3,                                                                                                    {4, 8, 10}  },
        {IMAGE "32 %7 = @bindless_image_load (%4, %6, %2, %2) (image_dim=2D)\n32 %8 = iadd %7, %3\n"
               "32 %9 = @bindless_resource_ir3 (%3) (desc_set=0)\n"
               "@store_ssbo (%8, %9, %1.x) (wrmask=x, offset_shift=2)\n}\n",                    1,
         3,                                                                                                    {10, 11, 13}},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        struct nir_trace t = {.buf = rows[i].buf, .byte = 4};
        nir_rig_make(&r, NIR_DRIVER_TURNIP, 4, 2);
        r.tc.bufs[0].kind = BUF_IMAGE2D_R32UI;
        r.tc.bufs[0].width = r.tc.bufs[0].height = 8;
        r.q.text = rows[i].text;
        r.q.n_bytes = strlen(rows[i].text);
        assert_true(nir_trace(&r.q, &r.tc, &r.a, &t));
        assert_int_equal(t.invocation, 1);
        assert_int_equal(t.n, rows[i].n);
        for (uint32_t k = 0; k < t.n; k++) {
            assert_int_equal(t.lines[k].line, rows[i].lines[k]);
        }
        t = (struct nir_trace){.buf = rows[i].buf,
                               .byte = 8}; /* of an invocation that is not there */
        assert_false(nir_trace(&r.q, &r.tc, &r.a, &t));
        arena_free(&r.a);
    }
}

/* Values come before addresses, behind them, or between their parts. */
static void the_written_operand_is_known(void **state)
{
    static const struct {
        enum nir_intrinsic row;
        uint32_t data;
    } rows[] = {
        {NIR_INTRINSIC_store_ssbo,                 0},
        {NIR_INTRINSIC_store_deref,                1},
        {NIR_INTRINSIC_store_shared_unlock_nv,     0},
        {NIR_INTRINSIC_ssbo_atomic,                2},
        {NIR_INTRINSIC_global_atomic_amd,          1},
        {NIR_INTRINSIC_global_atomic_swap_amd,     2},
        {NIR_INTRINSIC_bindless_image_store,       3},
        {NIR_INTRINSIC_bindless_image_atomic,      3},
        {NIR_INTRINSIC_bindless_image_atomic_swap, 4},
        {NIR_INTRINSIC_sustga_nv,                  3},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        assert_int_equal(nir_intrinsic_get_data(&nir_intrinsic_rows[rows[i].row]), rows[i].data);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_followed_back),
        cmocka_unit_test(what_nobody_writes_has_no_trace),
        cmocka_unit_test(texels_are_seen_as_buffers_are),
        cmocka_unit_test(the_written_operand_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* oracle/nir/test_nir_image.c -- storage images and storage texel buffers: texels by coordinates, in each layout and format,
 * by the descriptors of each driver. Where a texel lies is worked by hand. */
#include "oracle/nir/test_nir_rig.h"

/* Two invocations; %1 is the local id, %2 to %5 are the numbers 0 to 3, %7 the first descriptor of Turnip and %8 the one of
 * the buffer behind it, in which invocation i stores word i. */
#define BEGIN                                                                                      \
    "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n"                                            \
    "32x3 %1 = @load_local_invocation_id\n"                                                        \
    "32 %2 = load_const (0x0)\n32 %3 = load_const (0x1)\n32 %4 = load_const (0x2)\n"               \
    "32 %5 = load_const (0x3)\n"                                                                   \
    "32 %7 = @bindless_resource_ir3 (%2) (desc_set=0)\n"                                           \
    "32 %8 = @bindless_resource_ir3 (%3) (desc_set=0)\n"
#define STORE(v) "@store_ssbo (" v ", %8, %1.x) (wrmask=x, offset_shift=2)\n"
#define END      "}\n"
#define LOAD(to, coord)                                                                            \
    "32x4 " to " = @bindless_image_load (%7, " coord ", %2, %2) (image_array=false, "              \
    "format=r32_uint, access=none, dest_type=uint32)\n"

/* Buffer 0 is of a kind with texels, whose word i is 100 + i; buffer 1 a storage buffer. */
static void make(struct nir_rig *r, enum nir_driver driver, enum buf_kind kind, uint32_t width,
                 uint32_t height, uint32_t n_bytes)
{
    nir_rig_make(r, driver, driver == NIR_DRIVER_TURNIP ? 64 : 32, 2);
    r->tc.bufs[0] = (struct buf){
        .kind = kind, .width = width, .height = height, .n_bytes = n_bytes, .data = r->data[0]};
    for (uint32_t i = 0; i < NIR_RIG_WORDS; i++) {
        store_le(r->data[0] + 4 * i, 100 + i, 4);
    }
}
static void run(struct nir_rig *r, const char *text)
{
    if (!nir_rig_run(r, text)) {
        fail_msg("%s", r->answer.text);
    }
}

/* Coordinates (1, i), with a third one of 2 in what has layers or depth, or else of 9, which no one looks at. */
static void texels_lie_row_by_row_and_slice_by_slice(void **state)
{
    (void)state;
    static const struct {
        enum buf_kind kind;
        uint32_t width, height, n_bytes;
        uint32_t third;
        uint32_t want[2]; /* of invocations 0 and 1 */
    } rows[] = {
        {BUF_TEXEL_R32UI,      0, 0, 4 * 8,      9, {101, 101}          },
        {BUF_IMAGE1D_R32UI,    8, 1, 4 * 8,      9, {101, 101}          },
        {BUF_IMAGE2D_R32UI,    4, 3, 4 * 12,     9, {101, 105}          },
        {BUF_IMAGE3D_R32UI,    4, 2, 4 * 8 * 3,  2, {100 + 17, 100 + 21}},
        {BUF_CUBE_R32UI,       2, 2, 4 * 4 * 6,  2, {100 + 9, 100 + 11} },
        {BUF_ARRAY1D_R32UI,    4, 1, 4 * 4 * 2,  9, {101, 105}          },
        {BUF_ARRAY2D_R32UI,    4, 2, 4 * 8 * 3,  2, {100 + 17, 100 + 21}},
        {BUF_CUBE_ARRAY_R32UI, 1, 1, 4 * 1 * 12, 9, {0, 0}              }, /* x is outside */
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        char text[2048];
        make(&r, NIR_DRIVER_TURNIP, rows[i].kind, rows[i].width, rows[i].height, rows[i].n_bytes);
        (void)snprintf(text, sizeof text, "%s32 %%9 = load_const (0x%x)\n%s", BEGIN,
                       (unsigned)rows[i].third,
                       "32x4 %10 = vec4 %3, %1.x, %9, %2\n" LOAD("%11", "%10") STORE("%11") END);
        run(&r, text);
        for (uint32_t k = 0; k < 2; k++) {
            if (nir_rig_word(&r, 1, k) != rows[i].want[k]) {
                fail_msg("%s: invocation %u: %u, not %u", buf_kind_names[rows[i].kind], k,
                         nir_rig_word(&r, 1, k), rows[i].want[k]);
            }
        }
        arena_free(&r.a);
    }
}

/* Components that a format has not: 0, 0, 1. A 16-bit float widens, and is rounded once when it is stored. */
static void texels_are_converted(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, NIR_DRIVER_TURNIP, BUF_IMAGE2D_RG16F, 4, 4, 64);
    store_le(r.data[0], 0xc0003c00, 4); /* 1, -2 */
    run(&r, BEGIN "32x4 %10 = vec4 %2, %2, %2, %2\n"
                  "32x4 %11 = @bindless_image_load (%7, %10, %2, %2) (image_dim=2D, "
                  "image_array=false, format=r16g16_float, access=none, dest_type=float32)\n"
                  "32x4 %12 = @bindless_image_load (%7, %10, %2, %2) (image_dim=2D, "
                  "image_array=false, format=r16g16_float, access=none, dest_type=float32)\n"
                  "32 %13 = ishl %1.x, %4\n32 %14 = iadd %13, %5\n"
                  "@store_ssbo (%11, %8, %13) (wrmask=xyzw, offset_shift=2)\n"
                  "32x4 %15 = vec4 %1.x, %5, %2, %2\n"
                  "32 %16 = load_const (0x3f801000)\n32 %17 = load_const (0x80000001)\n"
                  "32x4 %18 = vec4 %16, %17, %16, %16\n" /* 1 + 2^-11: a tie; a subnormal */
                  "@bindless_image_store (%7, %15, %2, %18, %2) (image_dim=2D, image_array=false, "
                  "format=r16g16_float, access=none, src_type=float32)\n" END);
    assert_int_equal(nir_rig_word(&r, 1, 0), 0x3f800000);
    assert_int_equal(nir_rig_word(&r, 1, 1), 0xc0000000);
    assert_int_equal(nir_rig_word(&r, 1, 2), 0);
    assert_int_equal(nir_rig_word(&r, 1, 3), 0x3f800000);
    assert_int_equal(nir_rig_word(&r, 0, 12), 0x80003c00);
    assert_int_equal(nir_rig_word(&r, 0, 13), 0x80003c00);
    assert_int_equal(nir_rig_word(&r, 0, 14), 100 + 14);
    arena_free(&r.a);
}

static void outside_an_image_nothing_is(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, NIR_DRIVER_TURNIP, BUF_IMAGE2D_R32UI, 2, 2, 16);
    /* invocation 0 is at (1, 1), invocation 1 at (2, 1): no texel, though there is a word behind row 1 */
    run(&r, BEGIN "32 %9 = iadd %1.x, %3\n32x4 %10 = vec4 %9, %3, %2, %2\n" LOAD("%11", "%10")
                STORE("%11") "32x4 %12 = vec4 %5, %2, %2, %2\n"
                             "@bindless_image_store (%7, %10, %2, %12, %2) (image_dim=2D, "
                             "image_array=false, format=r32_uint, access=none, src_type=uint32)\n"
                             "32 %13 = @bindless_image_atomic (%7, %10, %2, %5) (image_dim=2D, "
                             "image_array=false, format=r32_uint, access=none, atomic_op=iadd)\n"
                             "32 %14 = iadd %1.x, %4\n"
                             "@store_ssbo (%13, %8, %14) (wrmask=x, offset_shift=2)\n" END);
    assert_int_equal(nir_rig_word(&r, 1, 0), 103);
    assert_int_equal(nir_rig_word(&r, 1, 1), 0);
    assert_int_equal(nir_rig_word(&r, 1, 2), 3);
    assert_int_equal(nir_rig_word(&r, 1, 3), 0);
    assert_int_equal(nir_rig_word(&r, 0, 3), 6);
    assert_int_equal(nir_rig_word(&r, 0, 2), 102);
    /* a descriptor of a storage buffer is no image */
    assert_false(nir_rig_run(&r, BEGIN "32x4 %10 = vec4 %2, %2, %2, %2\n"
                                       "32x4 %11 = @bindless_image_load (%8, %10, %2, %2)\n" END));
    assert_int_equal(r.answer.end, NIR_STUCK);
    assert_non_null(strstr(r.answer.text, "no image has the descriptor"));
    arena_free(&r.a);
}

/* NVK has the descriptor of an image in 4 bytes: two images, then a buffer at the next multiple of 16. Its atomics of 32 bits
 * on texels of 64 count halves of texels. */
static void descriptors_of_nvk_are_numbers(void **state)
{
    (void)state;
    static struct nir_rig r;
    static const char text[] =
        "workgroup_size: 2, 1, 1\n"
        "decl_var image INTERP_MODE_NONE restrict r16g16b16a16_float image2D #0 (~0, 0, 2)\n"
        "decl_var ssbo INTERP_MODE_NONE restrict writeonly block #1 (~0, 0, 1)\n"
        "impl main {\nblock b0:\n32 %2 = load_const (0x0)\n32 %3 = load_const (0x1)\n"
        "32 %1 = @load_sysval_nv (base=33)\n"
        "32 %4 = @ldc_nv (%3, %2) (base=32)\n"
        "32x2 %5 = @ldc_nv (%3, %2) (base=16)\n64 %6 = pack_64_2x32 %5\n"
        "16 %7 = load_const (0x3c00)\n16x2 %8 = vec2 %7, %7\n32 %9 = iadd %1, %3\n"
        "32x4 %10 = vec4 %9, %2, %2, %2\n"
        "16x2 %11 = @bindless_image_atomic (%4, %10, %2, %8) (image_dim=2D, image_array=false, "
        "format=r16g16b16a16_float, access=none, atomic_op=xchg)\n"
        "32 %12 = pack_32_2x16 %11\n32 %13 = ishl %1, %14\n64 %15 = u2u64 %13\n"
        "@store_global_nv (%12, %15, %6) (base=0)\n}\n";
    make(&r, NIR_DRIVER_NVK, BUF_IMAGE2D_R32UI, 2, 2, 16);
    r.tc.n_bufs = 3;
    r.tc.bufs[2] = (struct buf){.kind = BUF_IMAGE2D_RGBA16F,
                                .width = 2,
                                .height = 1,
                                .n_bytes = 16,
                                .data = r.data[0] + 64};
    char whole[2048];
    const char *const at = strstr(text, "32 %9 =");
    (void)snprintf(whole, sizeof whole, "%.*s32 %%14 = load_const (0x2)\n%s", (int)(at - text),
                   text, at);
    run(&r, whole);
    assert_int_equal(nir_rig_word(&r, 1, 0), 117); /* the upper half of texel 0 */
    assert_int_equal(nir_rig_word(&r, 1, 1), 118); /* the lower one of texel 1 */
    assert_int_equal(nir_rig_word(&r, 2, 0), 116);
    assert_int_equal(nir_rig_word(&r, 2, 1), 0x3c003c00);
    assert_int_equal(nir_rig_word(&r, 2, 2), 0x3c003c00);
    assert_int_equal(nir_rig_word(&r, 2, 3), 119);
    arena_free(&r.a);
}

/* A program of Kepler for the texel (x, i) of a 2D image, as its compiler makes it. */
#define KEPLER(x)                                                                                  \
    "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n32 %2 = load_const (0x0)\n"                  \
    "32 %3 = load_const (0x1)\n32 %1 = @load_sysval_nv (base=33)\n32 %4 = load_const (" x ")\n"    \
    "32 %5 = @ldc_nv (%3, %2) (base=8)\n32x2 %6 = @suclamp_nv (%4, %5) (flags=64)\n"               \
    "32 %7 = load_const (0x8)\n32 %8 = imul %1, %7\n"                                              \
    "32 %9 = @ldc_nv (%3, %2) (base=16)\n32x2 %10 = @suclamp_nv (%8, %9) (flags=64)\n"             \
    "32 %11 = @ldc_nv (%3, %2) (base=12)\n32 %12 = @imadsp_nv (%10.x, %11, %6.x) (flags=138)\n"    \
    "32x2 %13 = @subfm_nv (%6.x, %10.x, %12) (flags=0)\n1 %14 = ine %13.y, %2\n"                   \
    "32 %15 = @ldc_nv (%3, %2) (base=0)\n32 %16 = @sueau_nv (%12, %13.x, %15)\n"                   \
    "32x2 %17 = vec2 %13.x, %16\n32 %18 = @ldc_nv (%3, %2) (base=4)\n"                             \
    "32x2 %30 = @ldc_nv (%3, %2) (base=32)\n64 %31 = pack_64_2x32 %30\n32 %32 = load_const "       \
    "(0x2)\n32 %33 = ishl %1, %32\n64 %34 = u2u64 %33\n"

/* The image has 20 by 10 texels, so two blocks beside each other and two rows of them: row 8 is in the second one. */
static void kepler_computes_addresses_itself(void **state)
{
    (void)state;
    static struct nir_rig r;
    static unsigned char image[4 * 200];
    static const char load[] = "32 %20 = @suldga_nv (%17, %18, %14) (format=r32_uint, flags=2)\n"
                               "@store_global_nv (%20, %34, %31) (base=0)\n}\n";
    static const char store[] = "32x4 %21 = vec4 %7, %7, %7, %7\n"
                                "@sustga_nv (%17, %18, %14, %21) (flags=2)\n}\n";
    char text[3072];
    make(&r, NIR_DRIVER_KEPLER, BUF_IMAGE2D_R32UI, 20, 10, sizeof image);
    for (uint32_t i = 0; i < 200; i++) {
        store_le(image + 4 * i, 1000 + i, 4);
    }
    r.tc.bufs[0].data = image;
    (void)snprintf(text, sizeof text, "%s%s", KEPLER("0x13"), load);
    run(&r, text);
    assert_int_equal(nir_rig_word(&r, 1, 0), 1019);
    assert_int_equal(nir_rig_word(&r, 1, 1), 1000 + 8 * 20 + 19);
    (void)snprintf(text, sizeof text, "%s%s", KEPLER("0x14"), load); /* outside */
    run(&r, text);
    assert_int_equal(nir_rig_word(&r, 1, 0), 0);
    (void)snprintf(text, sizeof text, "%s%s", KEPLER("0x7"), store);
    run(&r, text);
    for (uint32_t i = 0; i < 200; i++) { /* only the two texels have changed */
        assert_int_equal(nir_rig_word(&r, 0, i), i == 7 || i == 167 ? 8 : 1000 + i);
    }
    struct nir_trace trace = {.buf = 0,
                              .byte = 4 * 167 + 3}; /* written by invocation 1, elsewhere */
    assert_true(nir_trace(&r.q, &r.tc, &r.a, &trace));
    assert_int_equal(trace.invocation, 1);
    trace = (struct nir_trace){.buf = 0, .byte = 4 * 168};
    assert_false(nir_trace(&r.q, &r.tc, &r.a, &trace));
    (void)snprintf(text, sizeof text, "%s%s", KEPLER("0x14"), store);
    run(&r, text);
    assert_memory_equal(r.ob.out[0], image, sizeof image);
    arena_free(&r.a);
}

/* Texel i + 1 of a buffer: the address and the size of a texel are in the descriptor. Addresses are as 8 bits and the rest. */
static void kepler_computes_addresses_in_buffers(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, NIR_DRIVER_KEPLER, BUF_TEXEL_R32UI, 0, 0, 8);
    run(&r, "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n32 %2 = load_const (0x0)\n"
            "32 %3 = load_const (0x1)\n32 %1 = @load_sysval_nv (base=33)\n32 %4 = iadd %1, %3\n"
            "32 %5 = @ldc_nv (%3, %2) (base=8)\n1 %6 = uge %4, %5\n"
            "32 %7 = @ldc_nv (%3, %2) (base=12)\n32 %8 = @ldc_nv (%3, %2) (base=28)\n"
            "32 %9 = imad %4, %7, %8\n32 %10 = @ldc_nv (%3, %2) (base=0)\n"
            "32x2 %11 = vec2 %9, %10\n32 %12 = @ldc_nv (%3, %2) (base=4)\n"
            "32 %20 = @suldga_nv (%11, %12, %6) (format=r32_uint, flags=0)\n"
            "32x2 %30 = @ldc_nv (%3, %2) (base=32)\n64 %31 = pack_64_2x32 %30\n"
            "32 %32 = load_const (0x2)\n32 %33 = ishl %1, %32\n64 %34 = u2u64 %33\n"
            "@store_global_nv (%20, %34, %31) (base=0)\n}\n");
    assert_int_equal(nir_rig_word(&r, 1, 0), 101);
    assert_int_equal(nir_rig_word(&r, 1, 1), 0); /* there are two */
    arena_free(&r.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texels_lie_row_by_row_and_slice_by_slice),
        cmocka_unit_test(texels_are_converted),
        cmocka_unit_test(outside_an_image_nothing_is),
        cmocka_unit_test(descriptors_of_nvk_are_numbers),
        cmocka_unit_test(kepler_computes_addresses_itself),
        cmocka_unit_test(kepler_computes_addresses_in_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

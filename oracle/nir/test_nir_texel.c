/* oracle/nir/test_nir_texel.c -- texels of buffers and images by RADV's descriptors: which bytes, which format, and what is
 * beyond them. */
#include "oracle/nir/test_nir_rig.h"

/* Buffer 0, of one word for each result, and texels in buffer 1. %6 is the descriptor of buffer 0, %7 that of the texels:
 * both kinds of texels come behind buffer 0, an image at a multiple of 32. */
#define BEGIN(texels, n, storage)                                                                  \
    "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n"                                            \
    "32 %0 = load_const (0x0)\n32 %1 = load_const (0x1)\n32 %2 = load_const (0x2)\n"               \
    "32 %3 = load_const (0xffff8000)\n32 %4 = @load_scalar_arg_amd (base=0)\n"                     \
    "64 %5 = pack_64_2x32_split %4, %3\n32x4 %6 = @load_global_amd (%5, %0) (base=" storage ")\n"  \
    "32x" n " %7 = @load_global_amd (%5, %0) (base=" texels ")\n32 %8 = load_const (0x3)\n"        \
    "32 %9 = load_const (0x5)\n32 %49 = undefined\n"
#define IN_BUFFER   BEGIN("16", "4", "0")
#define IN_IMAGE    BEGIN("32", "8", "0")
#define AT(x, y, z) "32x4 %10 = vec4 " x ", " y ", " z ", %49\n"
#define DIM(d)      "image_dim=" d ", image_array=false, format=r32_float"
#define STORE(v)    "@store_ssbo (" v ", %6, %0) (wrmask=x)\n}\n"

static void make(struct nir_rig *r, enum buf_kind kind, uint32_t width, uint32_t height)
{
    nir_rig_make(r, NIR_DRIVER_RADV, 32, 2);
    r->tc.bufs[1].kind = kind;
    r->tc.bufs[1].width = width;
    r->tc.bufs[1].height = height;
    for (uint32_t i = 0; i < NIR_RIG_WORDS; i++) {
        store_le(r->data[1] + 4 * i, 1000 + i, 4);
    }
}
static void run(struct nir_rig *r, const char *text)
{
    if (!nir_rig_run(r, text)) {
        fail_msg("%s", r->answer.text);
    }
}

/* 64 words as images: word number x + width * (y + height * slice) holds 1000 more than that. */
static void coordinates_name_texels(void **state)
{
    (void)state;
    static const struct {
        enum buf_kind kind;
        uint32_t width, height;
        const char *text;
        uint32_t want;
    } rows[] = {
#define LOAD(d) "32 %11 = @bindless_image_load (%7, %10, %0, %0) (" DIM(d) ")\n" STORE("%11")
        {BUF_TEXEL_R32UI,   0,  0,  IN_BUFFER AT("%9", "%49", "%49") LOAD("Buf"), 1005         },
        {BUF_IMAGE1D_R32UI, 64, 1,  IN_IMAGE AT("%9",  "%49", "%49") LOAD("1D"),  1005         },
        {BUF_IMAGE1D_R32UI, 64, 1,  IN_IMAGE AT("%9",  "%0",  "%49") LOAD("2D"),  1005         },
        {BUF_IMAGE2D_R32UI, 8,  8,  IN_IMAGE AT("%9",  "%2",  "%49") LOAD("2D"),  1005 + 16    },
        {BUF_IMAGE3D_R32UI, 4,  4,  IN_IMAGE AT("%1",  "%2",  "%8") LOAD("3D"),   1001 + 8 + 48},
        {BUF_CUBE_R32UI,    2,  2,  IN_IMAGE AT("%1",  "%0",  "%9") LOAD("Cube"), 1001 + 20    },
        {BUF_CUBE_R32UI,    2,  2,  IN_IMAGE AT("%1",  "%0",  "%9") LOAD("2D"),   1001 + 20    },
        {BUF_ARRAY1D_R32UI, 8,  1,  IN_IMAGE AT("%9",  "%2",  "%49") LOAD("1D"),  1005 + 16    },
        {BUF_ARRAY1D_R32UI, 8,  1,  IN_IMAGE AT("%9",  "%0",  "%2") LOAD("2D"),   1005 + 16    },
        {BUF_ARRAY2D_R32UI, 4,  4,  IN_IMAGE AT("%1",  "%2",  "%8") LOAD("2D"),   1001 + 8 + 48},
 /* beyond: 0 */
        {BUF_IMAGE2D_R32UI, 4,  16, IN_IMAGE AT("%9",  "%2",  "%49") LOAD("2D"),  0            },
        {BUF_IMAGE1D_R32UI, 64, 1,  IN_IMAGE AT("%9",  "%1",  "%49") LOAD("2D"),  0            },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        make(&r, rows[i].kind, rows[i].width, rows[i].height);
        r.tc.bufs[1].n_bytes = rows[i].kind == BUF_CUBE_R32UI ? 4 * 24 : 4 * 64;
        if (!nir_rig_run(&r, rows[i].text)) {
            fail_msg("row %zu: %s", i, r.answer.text);
        }
        if (nir_rig_word(&r, 0, 0) != rows[i].want) {
            fail_msg("row %zu: %u, not %u", i, nir_rig_word(&r, 0, 0), rows[i].want);
        }
        arena_free(&r.a);
    }
}

static void texels_of_other_dimensions_are_refused(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, BUF_IMAGE2D_R32UI, 8, 8);
    assert_false(nir_rig_run(&r, IN_IMAGE AT("%9", "%2", "%0") LOAD("3D")));
    assert_int_equal(r.answer.end, NIR_BROKEN);
    assert_false(nir_rig_run(
        &r, IN_IMAGE "32 %11 = @bindless_image_load (%7, %9, %0, %0) (" DIM("2D") ")\n}\n"));
    assert_int_equal(r.answer.end, NIR_BROKEN); /* one coordinate alone */
    r.tc.bufs[1].width = 7;                     /* no whole slices */
    assert_false(nir_rig_run(&r, IN_IMAGE AT("%9", "%2", "%0") LOAD("2D")));
    arena_free(&r.a);
    make(&r, BUF_TEXEL_R32UI, 0, 0); /* the other descriptor is of no texels */
    assert_false(nir_rig_run(
        &r, IN_BUFFER AT("%9", "%0", "%0") "32 %11 = @bindless_image_load (%6, %10, %0, %0) (" DIM(
                "Buf") ")\n" STORE("%11")));
    assert_int_equal(r.answer.end, NIR_UNKNOWN); /* so that no reading of the arguments fits */
    arena_free(&r.a);
}

/* A store of invocation i, both to the same texel, and atomics of both. */
static void texels_are_stored_and_changed(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, BUF_IMAGE2D_R32UI, 8, 8);
    run(&r, IN_IMAGE AT("%9", "%2", "%49") "@bindless_image_store (%7, %10, %0, %8, %0) (" DIM(
                "2D") ", src_type=uint32)\n" STORE("%1"));
    assert_int_equal(nir_rig_word(&r, 1, 21), 3);
    assert_int_equal(nir_rig_word(&r, 1, 20), 1020);
    run(&r,
        IN_IMAGE AT("%9", "%2", "%49") "32 %11 = @bindless_image_atomic (%7, %10, %0, %8) (" DIM(
            "2D") ", atomic_op=iadd)\n" STORE("%11"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 1024);
    assert_int_equal(nir_rig_word(&r, 1, 21), 1027);
    run(&r,
        IN_IMAGE AT("%9", "%2",
                    "%49") "32 %12 = load_const (0x3fd)\n32 %11 = @bindless_image_atomic_swap (%7, "
                           "%10, %0, %12, %8) (" DIM("2D") ", atomic_op=cmpxchg)\n" STORE("%11"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 3); /* 1021 for the first invocation, then 3 */
    assert_int_equal(nir_rig_word(&r, 1, 21), 3);
    /* beyond the image nothing is stored */
    run(&r, IN_IMAGE "32 %12 = load_const (0x8)\n" AT(
                "%12", "%2",
                "%49") "@bindless_image_store (%7, %10, %0, %8, %0) (" DIM("2D") ")\n" STORE("%1"));
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(nir_rig_word(&r, 1, i), 1000 + i);
    }
    arena_free(&r.a);
}

/* 1.5 + 2^-20 as f32 is 1.5 as f16, toward zero also where the next f16 is nearer. */
static void components_have_the_format_of_the_texel(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, BUF_TEXEL_R32F, 0, 0);
    store_le(r.data[1], 0x3fc00fff,
             4); /* a little below 1.5 + 2^-11, half of the step of f16 above 1.5 */
    store_le(r.data[1] + 4, 0x3fc01fff, 4); /* a little below the next f16 */
    run(&r,
        IN_BUFFER AT("%1", "%49", "%49") "16 %11 = @bindless_image_load (%7, %10, %0, %0) (" DIM(
            "Buf") ", dest_type=float16)\n"
                   "32 %12 = u2u32 %11\n" STORE("%12"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 0x3e00);
    run(&r, IN_BUFFER AT("%1", "%49", "%49") "16 %11 = load_const (0x0001)\n"
                                             "@bindless_image_store (%7, %10, %0, %11, %0) (" DIM(
                                                 "Buf") ", src_type=float16)\n" STORE("%1"));
    assert_int_equal(nir_rig_word(&r, 1, 1), 0x33800000); /* 2^-24 */
    run(&r,
        IN_BUFFER AT("%1", "%49", "%49") "32x4 %11 = @bindless_image_load (%7, %10, %0, %0) (" DIM(
            "Buf") ")\n"
                   "32 %12 = iadd %11.y, %11.w\n" STORE("%12"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 0x3f800000); /* 0 and 1 */
    arena_free(&r.a);
    make(&r, BUF_IMAGE1D_RGBA16F, 32, 1);
    store_le(r.data[1] + 8, 0x40003c00, 4);
    store_le(r.data[1] + 12, 0x80000000, 4);
    run(&r,
        IN_IMAGE AT("%1", "%49", "%49") "32x4 %11 = @bindless_image_load (%7, %10, %0, %0) (" DIM(
            "1D") ")\n"
                  "32 %12 = ixor %11.y, %11.w\n" STORE("%12"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 0xc0000000); /* 2 and -0 */
    arena_free(&r.a);
    make(&r, BUF_TEXEL_R32UI, 0,
         0); /* integers are extended by their type, but loads of fewer bits not known */
#define NARROW(type)                                                                               \
    IN_BUFFER AT("%1", "%49", "%49") "16 %11 = load_const (0xfffe)\n@bindless_image_store (%7, "   \
                                     "%10, %0, %11, %0) (" DIM("Buf") ", src_type=" type           \
                                                                      ")\n" STORE("%1")
    run(&r, NARROW("uint16"));
    assert_int_equal(nir_rig_word(&r, 1, 1), 0xfffe);
    run(&r, NARROW("int16"));
    assert_int_equal(nir_rig_word(&r, 1, 1), 0xfffffffe);
    assert_false(nir_rig_run(
        &r,
        IN_BUFFER AT("%1", "%49", "%49") "16 %11 = @bindless_image_load (%7, %10, %0, %0) (" DIM(
            "Buf") ")\n}\n"));
    assert_int_equal(r.answer.end, NIR_UNKNOWN);
    arena_free(&r.a);
}

static void texels_are_named_by_index(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, BUF_TEXEL_R32UI, 0, 0);
#define BY_INDEX(offset, index)                                                                    \
    IN_BUFFER "32 %12 = load_const (0x40)\n32 %11 = @load_buffer_amd (%7, " offset ", %0, " index  \
              ") (base=0, mem_modes=image, dest_type=uint32)\n" STORE("%11")
    run(&r, BY_INDEX("%0", "%9"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 1005);
    run(&r, BY_INDEX("%0", "%12")); /* one behind the last */
    assert_int_equal(nir_rig_word(&r, 0, 0), 0);
    assert_false(nir_rig_run(&r, BY_INDEX("%2", "%9")));
    assert_int_equal(r.answer.end, NIR_UNKNOWN);
    arena_free(&r.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_name_texels),
        cmocka_unit_test(texels_of_other_dimensions_are_refused),
        cmocka_unit_test(texels_are_stored_and_changed),
        cmocka_unit_test(components_have_the_format_of_the_texel),
        cmocka_unit_test(texels_are_named_by_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

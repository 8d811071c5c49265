/* oracle/nir_driver/test_nir_lavapipe.c -- small texts in lavapipe's forms, of Mesa 25.0 and 26.2: descriptors, variables, images, truth
 * values of 32 bits, the modes of floats. What must be stored is worked by hand. */
#include "oracle/nir/test_nir_rig.h"
#include "oracle/nir_text/nir_parse.h"

/* %1 is the local id, %2 to %5 are 0 to 3, %6 twice the id twice: the offset of its word. */
#define BODY                                                                                       \
    "impl main {\n"                                                                                \
    "decl_var  INTERP_MODE_NONE none uvec2[3] #7\n"                                                \
    "decl_var  INTERP_MODE_NONE none struct[2] #8\n"                                               \
    "block b0:\n"                                                                                  \
    "32x3 %1 = @load_local_invocation_id\n"                                                        \
    "32 %2 = load_const (0x0)\n32 %3 = load_const (0x1)\n32 %4 = load_const (0x2)\n"               \
    "32 %5 = load_const (0x3)\n32 %6 = ishl %1.x, %4\n"
#define SIZE(n)    "workgroup_size: " #n ", 1, 1\n"
#define HEAD_26(n) SIZE(n) "api_subgroup_size: 8\nmax_subgroup_size: 8\n" BODY
#define HEAD_25(n) SIZE(n) "subgroup_size: 0\n" BODY
/* %9 is the descriptor of buffer 1. */
#define SET_26(n)                                                                                  \
    HEAD_26(n)                                                                                     \
    "64 %7 = @load_const_buf_base_addr_lvp (%3)\n64 %8 = load_const (0x10)\n"                      \
    "64 %9 = iadd %7, %8\n"
#define SET_25(n) HEAD_25(n) "32x2 %9 = load_const (0x1, 0x1)\n"
#define STORE(v)  "@store_ssbo (" v ", %9, %6) (wrmask=x)\n"
#define END       "}\n"

static void run(struct nir_rig *r, uint32_t local, const char *text)
{
    nir_rig_make(r, NIR_DRIVER_LAVAPIPE, 8, local);
    if (!nir_rig_run(r, text)) {
        fail_msg("%s", r->answer.text);
    }
}
/* The words that invocations store into buffer 1. */
static void expect(uint32_t local, const char *text, const uint32_t *want)
{
    static struct nir_rig r;
    run(&r, local, text);
    for (uint32_t i = 0; i < local; i++) {
        if (nir_rig_word(&r, 1, i) != want[i]) {
            fail_msg("invocation %u stored 0x%x, not 0x%x", i, nir_rig_word(&r, 1, i), want[i]);
        }
    }
    arena_free(&r.a);
}

/* A buffer takes 16 bytes of its set's descriptors and an image 64; or they are counted. */
static void descriptors_have_addresses_or_numbers(void **state)
{
    (void)state;
    static const uint32_t want[2] = {0, 1};
    static struct nir_rig r;
    expect(2, SET_26(2) STORE("%1.x") END, want);
    expect(2, SET_25(2) STORE("%1.x") END, want);
    nir_rig_make(&r, NIR_DRIVER_LAVAPIPE, 8, 2);
    r.tc.bufs[0].kind = BUF_TEXEL_R32UI;
    assert_true(nir_rig_run(&r, SET_25(2) STORE("%1.x") END));
    assert_int_equal(nir_rig_word(&r, 1, 1), 1);
    assert_false(
        nir_rig_run(&r, SET_26(2) STORE("%1.x") END)); /* 16 bytes behind the image's begin */
    assert_int_equal(r.answer.end, NIR_STUCK);
    assert_true(nir_rig_run(
        &r, HEAD_26(2) "64 %7 = @load_const_buf_base_addr_lvp (%3)\n"
                       "64 %8 = load_const (0x40)\n64 %9 = iadd %7, %8\n" STORE("%1.x") END));
    assert_int_equal(nir_rig_word(&r, 1, 1), 1);
    assert_false(nir_rig_run(&r, HEAD_25(2) "32x2 %9 = load_const (0x1, 0x2)\n" STORE("%1.x") END));
    assert_int_equal(r.answer.end, NIR_STUCK);
    arena_free(&r.a);
}

static void a_buffer_may_be_reached_by_its_address_alone(void **state)
{
    (void)state;
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_LAVAPIPE, 8, 2);
    r.tc.bufs[1].kind = BUF_ADDRESS;
    static const char text[] =
        SET_26(2) "64 %10 = @load_ssbo (%9, %2)\n64 %11 = u2u64 %6\n64 %12 = iadd %10, %11\n"
                  "@store_global (%3, %12) (wrmask=x)\n"
                  "32 %13 = @global_atomic (%10, %4) (atomic_op=iadd)\n" END;
    assert_true(nir_rig_run(&r, text));
    assert_int_equal(nir_rig_word(&r, 1, 0), 1 + 2 * 2);
    assert_int_equal(nir_rig_word(&r, 1, 1), 1);
    assert_false(nir_rig_run(&r, SET_26(2) "64 %10 = @load_ssbo (%9, %2)\n64 %11 = iadd %10, %7\n"
                                           "@store_global (%3, %11) (wrmask=x)\n" END));
    assert_int_equal(r.answer.end, NIR_STUCK);
    arena_free(&r.a);
}

static void variables_have_elements(void **state)
{
    (void)state;
    static const uint32_t want[2] = {2 + 5, 3 + 5};
#define VARIABLE                                                                                   \
    SET_26(2)                                                                                      \
    "32 %10 = deref_var &#7 (function_temp uvec2[3])\n"                                            \
    "32 %11 = deref_array &(*%10)[%1.x] (function_temp uvec2)  // &#7[%1.x]\n"
#define DATA "32 %12 = iadd %1.x, %4\n32 %13 = load_const (0x5)\n32x2 %14 = vec2 %12, %13\n"
    expect(2,
           VARIABLE DATA
           "@store_deref (%11, %14) (wrmask=xy, access=none)\n"
           "32 %15 = deref_array &(*%10)[0] (function_temp uvec2)\n"
           "32x2 %16 = @load_deref (%15) (access=none)\n"
           "32x2 %17 = @load_deref (%11) (access=none)\n32 %18 = iadd %17.x, %17.y\n" STORE("%18")
               END,
           want);
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_LAVAPIPE, 8, 2);
    assert_false(nir_rig_run(&r,
                             VARIABLE DATA "32 %15 = deref_array &(*%10)[3] (function_temp "
                                           "uvec2)\n@store_deref (%15, %14) (wrmask=xy)\n" END));
    assert_int_equal(r.answer.end, NIR_STUCK); /* behind the last one */
    assert_false(
        nir_rig_run(&r, SET_26(2) "32 %10 = deref_var &#8 (function_temp struct[2])\n" END));
    assert_int_equal(r.answer.end, NIR_UNKNOWN);
    arena_free(&r.a);
}

/* A texel buffer of R32UI is buffer 0, at the begin of the set's descriptors. */
static void texels_are_within_their_image(void **state)
{
    (void)state;
    static struct nir_rig r;
    static const char text[] =
        HEAD_26(4) "64 %7 = @load_const_buf_base_addr_lvp (%3)\n"
                   "32x4 %10 = vec4 %6, %2, %2, %2\n"
                   "32x4 %11 = vec4 %3, %1.x, %4, %5\n"
                   "@bindless_image_store (%7, %10, %2, %11, %2) (image_dim=Buf, "
                   "image_array=false, format=r32_uint, access=none, src_type=uint32)\n"
                   "32 %12 = @bindless_image_atomic (%7, %10, %2, %4) (image_dim=Buf, "
                   "format=r32_uint, atomic_op=iadd)\n"
                   "32x4 %13 = @bindless_image_load (%7, %10, %2, %2) (image_dim=Buf, "
                   "format=r32_uint, dest_type=uint32)\n"
                   "64 %8 = load_const (0x40)\n64 %9 = iadd %7, %8\n"
                   "32 %14 = iadd %13.x, %13.w\n" STORE("%14") END;
    nir_rig_make(&r, NIR_DRIVER_LAVAPIPE, 8, 4);
    r.tc.bufs[0] = (struct buf){.kind = BUF_TEXEL_R32UI, .n_bytes = 4 * 8, .data = r.data[0]};
    if (!nir_rig_run(&r, text)) {
        fail_msg("%s", r.answer.text);
    }
    for (uint32_t i = 0; i < 8; i++) { /* texels 0 and 4; 8 and 12 are beyond the end */
        assert_int_equal(nir_rig_word(&r, 0, i), i % 4 == 0 ? 3 : 0);
    }
    assert_int_equal(nir_rig_word(&r, 1, 0), 3 + 1); /* the last channel is 1 */
    assert_int_equal(nir_rig_word(&r, 1, 1), 3 + 1);
    assert_int_equal(nir_rig_word(&r, 1, 2), 0);
    /* a storage buffer, push constants and no descriptor at all are no images */
    static const char *const others[] = {"64 %7 = load_const (0x0)\n", "64 %7 = load_const (0x8)\n",
                                         ("64 %8 = @load_const_buf_base_addr_lvp (%3)\n"
                                          "64 %9 = load_const (0x40)\n64 %7 = iadd %8, %9\n")};
    static unsigned char words[16];
    r.tc.n_bufs = 3;
    r.tc.bufs[2] = (struct buf){.kind = BUF_PUSH, .n_bytes = sizeof words, .data = words};
    for (size_t i = 0; i < ARRAY_N(others); i++) {
        char other[1024];
        (void)snprintf(other, sizeof other, "%s%s%s", HEAD_26(4), others[i],
                       "32x4 %10 = vec4 %2, %2, %2, %2\n"
                       "32x4 %13 = @bindless_image_load (%7, %10, %2, %2)\n" END);
        assert_false(nir_rig_run(&r, other));
        assert_int_equal(r.answer.end, NIR_STUCK);
    }
    arena_free(&r.a);
}

static void truth_of_32_bits_has_all_of_them(void **state)
{
    (void)state;
    static const uint32_t all[2] = {0xffffffff, 0xffffffff}, one[2] = {1, 1}, none[2] = {0, 0};
    expect(2, SET_25(2) "32 %10 = ilt32 %1.x, %4\n32 %11 = @vote_all (%10)\n" STORE("%11") END,
           all);
    expect(2, SET_25(2) "32 %10 = ilt32 %1.x, %3\n32 %11 = @vote_all (%10)\n" STORE("%11") END,
           none);
    expect(2,
           SET_26(2) "1 %10 = ilt %1.x, %4\n1 %11 = @vote_all (%10)\n32 %12 = b2i32 %11\n" STORE(
               "%12") END,
           one);
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_LAVAPIPE, 8, 2);
    assert_true(nir_rig_run(&r, SET_25(2) "32 %10 = ilt32 %1.x, %4\n32 %11 = b2i32 %10\n" END));
    assert_false(nir_rig_run(&r, SET_25(2) "8 %10 = u2u8 %1.x\n32 %11 = b2i32 %10\n" END));
    assert_int_equal(r.answer.end, NIR_BROKEN); /* a truth value has 1 or 32 bits */
    arena_free(&r.a);
}

static const struct nir_program *parse(struct arena *a, const char *text)
{
    struct nir_answer answer;
    struct nir_program *const p = ARENA_NEW(a, struct nir_program, 1);
    assert_non_null(p);
    if (!nir_parse(text, strlen(text), a, p, &answer)) {
        fail_msg("%s", answer.text);
    }
    return p;
}

/* 25 has nine bits more below: the same number is another mode. */
static void float_controls_are_read_as_the_release_has_them(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1 << 26);
#define CONTROLS "float_controls_execution_mode: 0x00040e10\n"
    assert_int_equal(parse(&a, CONTROLS HEAD_25(2) END)->header.float_controls, 0x207);
    assert_int_equal(parse(&a, CONTROLS HEAD_26(2) END)->header.float_controls, 0x40e10);
    arena_free(&a);
}

/* 2^-149, its sum with itself and what is opposite to it: 26 flushes sums, and no sign alone. */
static void subnormals_are_flushed_by_26_alone(void **state)
{
    (void)state;
    static const uint32_t kept[1] = {2}, flushed[1] = {0}, opposite[1] = {0x80000001};
#define SUM "32 %10 = fadd %3, %3\n" STORE("%10") END
#define NEG "32 %10 = fneg %3\n" STORE("%10") END
    expect(1, SET_25(1) SUM, kept);
    expect(1, SET_26(1) SUM, flushed);
    expect(1, SET_25(1) NEG, opposite);
    expect(1, SET_26(1) NEG, opposite);
}

/* -0 in each invocation: lavapipe's sums begin with +0, those of others with the first value. */
static void sums_of_a_sub_group_begin_with_zero(void **state)
{
    (void)state;
    static const uint32_t want[2] = {0, 0};
    static struct nir_rig r;
    expect(2,
           SET_26(2) "32 %10 = load_const (0x80000000)\n"
                     "32 %11 = @inclusive_scan (%10) (reduction_op=fadd)\n" STORE("%11") END,
           want);
    nir_rig_make(&r, NIR_DRIVER_TURNIP, 8, 2);
    assert_true(nir_rig_run(
        &r, HEAD_26(2) "32 %9 = @bindless_resource_ir3 (%4) (desc_set=0)\n"
                       "32 %10 = load_const (0x80000000)\n"
                       "32 %11 = @inclusive_scan (%10) (reduction_op=fadd)\n" STORE("%11") END));
    assert_int_equal(nir_rig_word(&r, 1, 1), 0x80000000);
    arena_free(&r.a);
}

/* NaN in each invocation: a scan begins with -Inf, to which it gives way, a reduction with the first value. */
static void largest_values_begin_with_the_identity_in_scans_alone(void **state)
{
    (void)state;
    static const uint32_t scan[2] = {0xff800000, 0xff800000}, whole[2] = {0x7fc00000, 0x7fc00000};
#define LARGEST(name)                                                                              \
    SET_26(2)                                                                                      \
    "32 %10 = load_const (0x7fc00000)\n32 %11 = @" name                                            \
    " (%10) (reduction_op=fmax)\n" STORE("%11") END
    expect(2, LARGEST("inclusive_scan"), scan);
    expect(2, LARGEST("reduce"), whole);
}

static void vectors_are_summed_in_their_order(void **state)
{
    (void)state;
    /* 2^24 + 1 is 2^24, and less 2^24 is 0; the other way round it would be 1 */
    static const uint32_t want[1] = {0}, other[1] = {0x3f800000};
#define PARTS                                                                                      \
    SET_25(1)                                                                                      \
    "32 %10 = load_const (0x4b800000)\n32 %11 = load_const (0xcb800000)\n"                         \
    "32 %12 = load_const (0x3f800000)\n"
    expect(1, PARTS "32x3 %13 = vec3 %10, %12, %11\n32 %14 = fsum3! %13\n" STORE("%14") END, want);
    expect(1, PARTS "32x3 %13 = vec3 %10, %11, %12\n32 %14 = fsum3 %13\n" STORE("%14") END, other);
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_LAVAPIPE, 8, 1);
    assert_false(nir_rig_run(&r, PARTS "32x2 %13 = vec2 %10, %12\n32 %14 = fsum3 %13\n" END));
    assert_int_equal(r.answer.end, NIR_BROKEN);
    arena_free(&r.a);
}

static void a_dispatch_has_a_base(void **state)
{
    (void)state;
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_LAVAPIPE, 8, 2);
    r.tc.global[0] = 8;
    r.tc.n_dispatches = 2;
    assert_true(nir_rig_run(&r, SET_26(2) "32x3 %10 = @load_workgroup_id\n32 %11 = ishl %10.x, %4\n"
                                          "@store_ssbo (%10.x, %9, %11) (wrmask=x)\n" END));
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(nir_rig_word(&r, 1, i), i);
    }
    arena_free(&r.a);
}

/* Of four invocations two execute the shuffle. */
static void values_of_who_does_not_take_part_are_counted(void **state)
{
    (void)state;
    static struct nir_rig r;
#define HALF(k)                                                                                    \
    SET_26(4)                                                                                      \
    "1 %10 = ult %1.x, %4\nif %10 {\nblock b1:\n32 %11 = @shuffle_xor (%1.x, " k ")\n"             \
    "}\nblock b2:\n" END
    run(&r, 4, HALF("%3"));
    assert_int_equal(r.answer.n_inactive, 0);
    arena_free(&r.a);
    run(&r, 4, HALF("%4"));
    assert_int_equal(r.answer.n_inactive, 2);
    arena_free(&r.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_have_addresses_or_numbers),
        cmocka_unit_test(a_buffer_may_be_reached_by_its_address_alone),
        cmocka_unit_test(variables_have_elements),
        cmocka_unit_test(texels_are_within_their_image),
        cmocka_unit_test(truth_of_32_bits_has_all_of_them),
        cmocka_unit_test(float_controls_are_read_as_the_release_has_them),
        cmocka_unit_test(subnormals_are_flushed_by_26_alone),
        cmocka_unit_test(sums_of_a_sub_group_begin_with_zero),
        cmocka_unit_test(largest_values_begin_with_the_identity_in_scans_alone),
        cmocka_unit_test(vectors_are_summed_in_their_order),
        cmocka_unit_test(a_dispatch_has_a_base),
        cmocka_unit_test(values_of_who_does_not_take_part_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

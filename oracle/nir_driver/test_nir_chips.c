/* oracle/nir_driver/test_nir_chips.c -- what each driver hands to its programs: descriptors, addresses, constants, uniforms, logs.
 * What must be stored is worked by hand. */
#include "oracle/nir/test_nir_rig.h"
#include "oracle/nir_text/nir_log.h"

/* Word i of buffer b is 100 * (b + 1) + i. */
static void make(struct nir_rig *r, enum nir_driver driver, uint32_t size)
{
    nir_rig_make(r, driver, size, 2);
    for (uint32_t b = 0; b < NIR_RIG_BUFFERS; b++) {
        for (uint32_t i = 0; i < NIR_RIG_WORDS; i++) {
            store_le(r->data[b] + 4 * i, 100 * (b + 1) + i, 4);
        }
    }
}
static void run(struct nir_rig *r, const char *text)
{
    if (!nir_rig_run(r, text)) {
        fail_msg("%s", r->answer.text);
    }
}
static void expect_end(struct nir_rig *r, const char *text, enum nir_end end, const char *what)
{
    (void)nir_rig_run(r, text);
    if (r->answer.end != end || !strstr(r->answer.text, what)) {
        fail_msg("%s: %s", nir_end_names[r->answer.end], r->answer.text);
    }
}

#define BEGIN                                                                                      \
    "workgroup_size: 2, 1, 1\nscratch: 7\nimpl main {\nblock b0:\n"                                \
    "32x3 %1 = @load_local_invocation_id\n"                                                        \
    "32 %2 = load_const (0x0)\n32 %3 = load_const (0x1)\n32 %4 = load_const (0x2)\n"
#define END "}\n"

/* The descriptor behind buffer 0's is that of buffer 1, or of buffer 0 again with elements of 16 bits. */
static void storage_buffers_have_one_descriptor_or_two(void **state)
{
    (void)state;
    static const struct {
        enum nir_driver driver;
        uint32_t want[2]; /* word 0 of buffers 0 and 1 */
    } rows[] = {
        {NIR_DRIVER_TURNIP,   {1, 200}},
        {NIR_DRIVER_TURNIP32, {100, 1}},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        make(&r, rows[i].driver, 64);
        run(&r, BEGIN "32 %5 = @bindless_resource_ir3 (%3) (desc_set=0)\n"
                      "@store_ssbo (%3, %5, %2) (wrmask=x, offset_shift=2)\n" END);
        assert_int_equal(nir_rig_word(&r, 0, 0), rows[i].want[0]);
        assert_int_equal(nir_rig_word(&r, 1, 0), rows[i].want[1]);
        arena_free(&r.a);
    }
}

/* The buffer of that binding holds nothing but an address; what is there is the content. */
static void a_buffer_is_reached_by_its_address(void **state)
{
    (void)state;
    static struct nir_rig r;
#define ADDRESS                                                                                    \
    BEGIN "32 %5 = @bindless_resource_ir3 (%2) (desc_set=0)\n"                                     \
          "64 %6 = @load_ssbo (%5, %2) (offset_shift=2)\n"
    make(&r, NIR_DRIVER_TURNIP, 64);
    r.tc.bufs[0].kind = BUF_ADDRESS;
    run(&r, ADDRESS "32 %7 = @load_global_offset (%6, %4) (base=4, offset_shift=2)\n"
                    "32 %8 = @global_atomic (%6, %3) (atomic_op=iadd)\n"
                    "32 %9 = @bindless_resource_ir3 (%4) (desc_set=0)\n32 %10 = iadd %1.x, %4\n"
                    "@store_ssbo (%7, %9, %1.x) (wrmask=x, offset_shift=2)\n"
                    "@store_ssbo (%8, %9, %10) (wrmask=x, offset_shift=2)\n" END);
    assert_int_equal(nir_rig_word(&r, 1, 0), 103);
    assert_int_equal(nir_rig_word(&r, 1, 2), 100);
    assert_int_equal(nir_rig_word(&r, 1, 3), 101);
    assert_int_equal(nir_rig_word(&r, 0, 0), 102);
    expect_end(&r,
               ADDRESS "32 %7 = load_const (0x40)\n"
                       "32 %8 = @load_global_offset (%6, %7) (offset_shift=2)\n" END,
               NIR_STUCK, "there is no global memory at 0x100010100");
    expect_end(&r, ADDRESS "@store_ssbo (%3, %5, %2) (wrmask=x, offset_shift=2)\n" END, NIR_STUCK,
               "constant"); /* the address itself */
    arena_free(&r.a);
}

static void push_constants_may_begin_behind_the_shader_s_own(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, NIR_DRIVER_TURNIP32, 64);
    r.tc.bufs[1] = (struct buf){.kind = BUF_PUSH, .n_bytes = 8, .data = r.data[1]};
#define PUSH(base)                                                                                 \
    BEGIN "32 %5 = @bindless_resource_ir3 (%2) (desc_set=0)\n"                                     \
          "32 %6 = @load_const_ir3 (%1.x) (base=" base ")\n"                                       \
          "@store_ssbo (%6, %5, %1.x) (wrmask=x, offset_shift=2)\n" END
    run(&r, PUSH("2016"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 200);
    assert_int_equal(nir_rig_word(&r, 0, 1), 201);
    expect_end(&r, PUSH("2017"), NIR_UNKNOWN,
               "number 2017 of load_const_ir3"); /* of invocation 1 */
    arena_free(&r.a);
}

/* A variable of two times three components, its elements by number and by value, and another one behind it. */
static void variables_are_memory_of_an_invocation(void **state)
{
    (void)state;
    static struct nir_rig r;
#define VARIABLES                                                                                  \
    BEGIN "decl_var INTERP_MODE_NONE none uvec3[2] #0\n"                                           \
          "32 %5 = @bindless_resource_ir3 (%4) (desc_set=0)\n"                                     \
          "32 %6 = deref_var &#0 (function_temp uvec3[2])\n"                                       \
          "32 %7 = deref_array &(*%6)[1] (function_temp uvec3)  // &#0[1]\n"                       \
          "32 %8 = deref_var &{unnamed struct}_flag (function_temp bool)\n"
    make(&r, NIR_DRIVER_TURNIP, 64);
    run(&r,
        VARIABLES "32x3 %10 = vec3 %1.x, %3, %4\n@store_deref (%7, %10) (wrmask=xz, access=none)\n"
                  "1 %11 = load_const (true)\n@store_deref (%8, %11) (wrmask=x)\n"
                  "32 %12 = deref_var &#0 (function_temp uvec3[2])\n"
                  "32 %13 = deref_array &(*%12)[%3 (0x1)] (function_temp uvec3)  // &#0[%3]\n"
                  "32x3 %14 = @load_deref (%13) (access=none)\n1 %15 = @load_deref (%8)\n"
                  "32 %16 = bcsel %15, %14.z, %2\n32 %17 = imad %14.x, %18, %16\n"
                  "32 %19 = iadd %17, %14.y\n" /* y was not written */
                  "@store_ssbo (%19, %5, %1.x) (wrmask=x, offset_shift=2)\n"
                  "32 %18 = load_const (0xa)\n" END);
    assert_int_equal(nir_rig_word(&r, 1, 0), 2);
    assert_int_equal(nir_rig_word(&r, 1, 1), 12);
    expect_end(&r,
               VARIABLES "32 %9 = load_const (0x1000)\n"
                         "32 %10 = deref_array &(*%6)[%9] (function_temp uvec3)\n"
                         "@store_deref (%10, %1) (wrmask=xyz)\n" END,
               NIR_STUCK, "scratch");
    expect_end(&r, BEGIN "32 %6 = deref_var &#0 (function_temp block)\n" END, NIR_UNKNOWN,
               "the type block is not known");
    expect_end(&r, BEGIN "32 %6 = deref_var &#0 (function_temp uint[65536][65536])\n" END,
               NIR_BROKEN, "too many variables");
    expect_end(&r, BEGIN "32 %6 = deref_var &#0 (function_temp uint[\n" END, NIR_BROKEN, "size");
    expect_end(&r, BEGIN "32 %6 = deref_array &(*%1)[0 (function_temp uint)\n" END, NIR_BROKEN,
               "no index");
    arena_free(&r.a);
}

/* Of seven bytes of scratch memory the last word can be loaded as a whole; behind the unit of 16 nothing is. */
static void scratch_memory_has_whole_units(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, NIR_DRIVER_TURNIP, 64);
    run(&r, BEGIN "32 %5 = @bindless_resource_ir3 (%2) (desc_set=0)\n32 %6 = load_const (0x4)\n"
                  "8 %7 = load_const (0x2a)\n@store_scratch (%7, %6) (wrmask=x)\n"
                  "32 %8 = @load_scratch (%6)\n"
                  "@store_ssbo (%8, %5, %1.x) (wrmask=x, offset_shift=2)\n" END);
    assert_int_equal(nir_rig_word(&r, 0, 0), 0x2a);
    expect_end(&r, BEGIN "32 %6 = load_const (0xd)\n@store_scratch (%6, %6) (wrmask=x)\n" END,
               NIR_STUCK, "scratch memory at 0xd");
    arena_free(&r.a);
}

/* Buffer 1, a uniform buffer: its descriptor is an address in chips before Turing, else a handle of units of 16 bytes. */
static void uniform_buffers_of_nvk_differ_by_chip(void **state)
{
    (void)state;
#define NVK                                                                                        \
    "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n32 %2 = load_const (0x0)\n"                  \
    "32 %3 = load_const (0x1)\n32 %1 = @load_sysval_nv (base=33)\n1 %4 = load_const (true)\n"      \
    "32x2 %5 = @ldc_nv (%3, %2) (base=16)\n64 %6 = pack_64_2x32 %5\n"                              \
    "32x2 %7 = @ldc_nv (%3, %2) (base=0)\n64 %8 = pack_64_2x32 %7\n"                               \
    "32 %9 = load_const (0x8)\n"
#define NVK_STORE "@store_global_nv (%10, %2, %8) (base=0)\n}\n"
    static const char by_address[] =
        NVK "32 %10 = @load_global_nv (%9, %6, %4) (base=0)\n" NVK_STORE;
    static const char by_handle[] = NVK "32 %10 = @ldcx_nv (%6, %9) (base=0)\n" NVK_STORE;
    static const struct {
        enum nir_driver driver;
        const char *text;
        enum nir_end end;
    } rows[] = {
        {NIR_DRIVER_NVK,     by_handle,  NIR_ENDED},
        {NIR_DRIVER_NVK,     by_address, NIR_STUCK},
        {NIR_DRIVER_MAXWELL, by_address, NIR_ENDED},
        {NIR_DRIVER_MAXWELL, by_handle,  NIR_STUCK},
        {NIR_DRIVER_KEPLER,  by_address, NIR_ENDED},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        make(&r, rows[i].driver, 32);
        r.tc.bufs[1].kind = BUF_CONSTANT;
        (void)nir_rig_run(&r, rows[i].text);
        if (r.answer.end != rows[i].end) {
            fail_msg("row %zu: %s: %s", i, nir_end_names[r.answer.end], r.answer.text);
        }
        if (r.answer.end == NIR_ENDED) {
            assert_int_equal(nir_rig_word(&r, 0, 0), 202);
        }
        arena_free(&r.a);
    }
}

/* Two sets of one storage buffer each, which constant buffers 1 and 2 are: the one that is written is not the one that is
 * declared to be read only. */
static void constant_buffers_are_told_apart_by_accesses(void **state)
{
    (void)state;
#define DECLARED(first, second)                                                                    \
    "workgroup_size: 2, 1, 1\n"                                                                    \
    "decl_var ssbo INTERP_MODE_NONE restrict " first " block#2 #1 (~0, 0, 0)\n"                    \
    "decl_var ssbo INTERP_MODE_NONE restrict " second " block#2 #3 (~0, 0, 1)\n"                   \
    "impl main {\nblock b0:\n32 %2 = load_const (0x0)\n32 %3 = load_const (0x1)\n"                 \
    "32 %4 = load_const (0x2)\n1 %5 = load_const (true)\n"                                         \
    "32x2 %6 = @ldc_nv (%3, %2) (base=0)\n64 %7 = pack_64_2x32 %6\n64 %8 = u2u64 %4\n"             \
    "64 %9 = ishl %8, %4\n64 %10 = iadd %7, %9\n"                                                  \
    "32x2 %11 = @ldc_nv (%4, %2) (base=0)\n64 %12 = pack_64_2x32_split %11.x, %11.y\n"
#define ACCESSED                                                                                   \
    "32 %13 = @load_global_nv (%2, %12, %5) (base=4)\n"                                            \
    "@store_global_nv (%13, %10, %2) (base=0)\n}\n"
    static struct nir_rig r;
    make(&r, NIR_DRIVER_NVK, 32);
    r.tc.bufs[1].set = 2;
    run(&r, DECLARED("writeonly", "readonly") ACCESSED);
    assert_int_equal(nir_rig_word(&r, 0, 2), 201);
    run(&r, DECLARED("readonly", "writeonly") ACCESSED);
    assert_int_equal(nir_rig_word(&r, 1, 2), 101);
    /* nothing tells: the lower set comes first where both are used as often */
    run(&r, DECLARED("", "") ACCESSED);
    assert_int_equal(nir_rig_word(&r, 0, 2), 201);
    /* constant buffer 1 is not named: what is left of it says nothing, number 2 is the one that may be written */
    run(&r, "workgroup_size: 2, 1, 1\n"
            "decl_var ssbo INTERP_MODE_NONE restrict readonly block #1 (~0, 0, 0)\n"
            "decl_var ssbo INTERP_MODE_NONE restrict writeonly block #3 (~0, 0, 1)\n"
            "impl main {\nblock b0:\n32 %2 = load_const (0x0)\n32 %4 = load_const (0x2)\n"
            "32x2 %6 = @ldc_nv (%4, %2) (base=0)\n64 %7 = pack_64_2x32 %6\n"
            "@store_global_nv (%4, %7, %2) (base=0)\n}\n");
    assert_int_equal(nir_rig_word(&r, 1, 0), 2);
    /* both are written: no set is read only */
    expect_end(&r,
               DECLARED("readonly", "") "@store_global_nv (%2, %10, %2) (base=0)\n"
                                        "@store_global_nv (%2, %12, %2) (base=0)\n}\n",
               NIR_UNKNOWN, "0 choices of sets");
    arena_free(&r.a);
}

/* The sum of the smallest f32 and zero, under the modes of a header: 0 where it is flushed. */
static void chips_flush_by_themselves(void **state)
{
    (void)state;
    static const struct {
        enum nir_driver driver;
        const char *controls;
        uint32_t want;
    } rows[] = {
        {NIR_DRIVER_NVK,        "0x0",  0},
        {NIR_DRIVER_NVK,        "0x2",  1}, /* preserves f32 */
        {NIR_DRIVER_NVK,        "0x5",  0}, /* preserves f16 and f64 alone */
        {NIR_DRIVER_KEPLER,     "0x0",  0},
        {NIR_DRIVER_KEPLER,     "0x2",  1},
        {NIR_DRIVER_TURNIP,     "0x0",  0},
        {NIR_DRIVER_HONEYKRISP, "0x0",  0},
        {NIR_DRIVER_HONEYKRISP, "0x80", 0},
    };
    static const char *const stores[NIR_DRIVER_N] = {
        [NIR_DRIVER_NVK] = "32x2 %7 = @ldc_nv (%3, %2) (base=0)\n64 %8 = pack_64_2x32 %7\n"
                           "@store_global_nv (%6, %8, %2) (base=0)\n",
        [NIR_DRIVER_TURNIP] = "32 %7 = @bindless_resource_ir3 (%2) (desc_set=0)\n"
                              "@store_ssbo (%6, %7, %2) (wrmask=x)\n",
        [NIR_DRIVER_HONEYKRISP] =
            "64 %7 = @load_preamble (base=4)\n"
            "32x2 %8 = @load_constant_agx (%7, %2) (base=0, format=r32_uint)\n"
            "64 %9 = pack_64_2x32 %8\n@store_agx (%6, %9, %2) (base=0, format=r32_uint)\n",
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        char text[2048];
        const char *const store =
            stores[rows[i].driver == NIR_DRIVER_KEPLER ? NIR_DRIVER_NVK : rows[i].driver];
        (void)snprintf(text, sizeof text, "%s%s%s%s}\n",
                       "shader: MESA_SHADER_COMPUTE\nworkgroup_size: 2, 1, 1\n"
                       "float_controls_execution_mode: ",
                       rows[i].controls,
                       "\nimpl main {\nblock b0:\n32 %2 = load_const (0x0)\n"
                       "32 %3 = load_const (0x1)\n32 %6 = fadd %3, %2\n",
                       store);
        make(&r, rows[i].driver, 32);
        r.tc.entry = "main";
        run(&r, text);
        if (nir_rig_word(&r, 0, 0) != rows[i].want) {
            fail_msg("row %zu: 0x%x", i, nir_rig_word(&r, 0, 0));
        }
        arena_free(&r.a);
    }
}

/* Both invocations add to one word: each must find it unlocked. */
static void kepler_locks_words_of_shared_memory(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, NIR_DRIVER_KEPLER, 32);
    run(&r, "workgroup_size: 2, 1, 1\nshared_size: 4\nimpl main {\nblock b0:\n"
            "32 %2 = load_const (0x0)\n32 %3 = load_const (0x1)\n"
            "32 %1 = @load_sysval_nv (base=33)\n"
            "32x2 %4 = @ldc_nv (%3, %2) (base=0)\n64 %5 = pack_64_2x32 %4\n32 %6 = load_const "
            "(0x2)\n32 %7 = ishl %1, %6\n64 %8 = u2u64 %7\n"
            "loop {\nblock b1:\n32x2 %10 = @load_shared_lock_nv (%2) (base=0)\n"
            "1 %11 = ine %10.y, %2\nif %11 {\nblock b2:\n32 %12 = iadd %10.x, %6\n"
            "32 %13 = @store_shared_unlock_nv (%12, %2) (base=0)\n1 %14 = ine %13, %2\n"
            "if %14 {\nblock b3:\nbreak\n}\nblock b4:\n}\nblock b5:\n}\nblock b6:\n"
            "32 %15 = @load_shared (%2) (base=0)\n32 %16 = imad %10.x, %17, %15\n"
            "@store_global_nv (%16, %8, %5) (base=0)\n32 %17 = load_const (0xa)\n}\n");
    assert_int_equal(nir_rig_word(&r, 0, 0), 4); /* it found 0, the other one 2 */
    assert_int_equal(nir_rig_word(&r, 0, 1), 24);
    arena_free(&r.a);
}

/* A log with more than the program of the case. */
#define AGX_MAIN(body)                                                                             \
    "shader: MESA_SHADER_COMPUTE\nworkgroup_size: 2, 1, 1\n"                                       \
    "decl_function main () (entrypoint)\n\nimpl main {\n    preamble @preamble\n    block b0:\n"   \
    "32 %1 = @load_local_invocation_index\n32 %2 = load_const (0x0)\n"                             \
    "32 %3 = load_const (0x1)\n" body "}\n"
#define AGX_PREAMBLE(body)                                                                         \
    "\ndecl_function @preamble ()\n\nimpl @preamble {\n    block b0:\n"                            \
    "64 %1 = @load_preamble (base=0)\n64 %2 = @load_preamble (base=4)\n"                           \
    "32 %3 = load_const (0x0)\n32 %4 = load_const (0x1)\n" body "    block b1:\n}\n"
#define AGX_REST "\nblock0 {\n   3 = device_load u0:u1\n} -> block1\n   0: 0501  load r0\n"

static void a_log_has_the_program_of_the_case(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *main, *preamble; /* how they begin; NULL: there is none */
    } rows[] = {
        {"",                                                                         NULL,        NULL              },
        {"shader: A\nimpl other {\n}\n",                                             NULL,        NULL              },
        {"impl main {\n}\n",                                                         NULL,        NULL              }, /* no header */
        {"shader: A\nimpl main {\n",                                                 NULL,        NULL              }, /* no end */
        {"shader: A\nimpl main {\n}\n",                                              "shader: A", NULL              },
        {"shader: A\nimpl main_too {\n}\n",                                          NULL,        NULL              },
        {"x\nshader: A\nimpl main {\n}\nimpl @preamble {\n}\nx\n",                   "shader: A", "impl @preamble {"},
        {"shader: A\nimpl main {\n}\nshader: B\nimpl x {\n}\nimpl @preamble {\n}\n", "shader: A",
         NULL                                                                                                       },
        {"shader: A\nimpl main {\n}\nshader: B\nimpl main {\n}\n",                   "shader: B", NULL              },
        {"shader: A\nimpl main {\n}\nimpl @preamble {\n",                            "shader: A", NULL              },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct nir_log const log = nir_log_find(rows[i].text, strlen(rows[i].text), "main");
        bool const is_main =
            rows[i].main ? log.main && strncmp(log.main, rows[i].main, strlen(rows[i].main)) == 0
                         : !log.main;
        bool const is_preamble = rows[i].preamble
                                     ? log.preamble && strncmp(log.preamble, rows[i].preamble,
                                                               strlen(rows[i].preamble)) == 0
                                     : !log.preamble;
        if (!is_main || !is_preamble) {
            fail_msg("row %zu", i);
        }
    }
}

/* The preamble takes the address of buffer 0 from the set, push constant 1 and the base of the work-groups from the table. */
static void honeykrisp_runs_its_preamble_first(void **state)
{
    (void)state;
    static struct nir_rig r;
    static const char text[] = "noise\n" AGX_MAIN(
        "64 %4 = @load_preamble (base=40)\n32 %5 = @load_preamble (base=44)\n"
        "32x3 %6 = @load_preamble (base=46)\n32x3 %7 = @load_global_invocation_id\n"
        "32x3 %13 = @load_preamble (base=52)\n1 %14 = @load_preamble (base=58)\n"
        "32 %8 = imad %6.x, %9, %7.x\n32 %10 = iadd %8, %5\n32 %15 = ishl %13.x, %16\n"
        "32 %17 = iadd %10, %15\n32 %18 = bcsel %14, %17, %2\n"
        "@store_agx (%18, %4, %8) (base=0, format=r32_uint, sign_extend=0)\n"
        "32 %9 = load_const (0x2)\n32 %16 = load_const (0x8)\n")
        AGX_PREAMBLE("32x4 %5 = @load_constant_agx (%2, %3) (base=0, format=r32_uint)\n"
                     "64 %6 = pack_64_2x32_split %5.x, %5.y\n@store_preamble (%6) (base=40)\n"
                     "32 %7 = load_const (0x7b)\n" /* 492 / 4: the second push constant */
                     "32 %8 = @load_constant_agx (%1, %7) (base=0, format=r32_uint)\n"
                     "@store_preamble (%8) (base=44)\n32 %9 = load_const (0x5)\n"
                     "32x3 %10 = @load_constant_agx (%1, %9) (base=2, format=r32_uint)\n"
                     "@store_preamble (%10) (base=46)\n32 %11 = load_const (0x9)\n"
                     "32x2 %12 = @load_constant_agx (%1, %11) (base=1, format=r32_uint)\n"
                     "64 %13 = pack_64_2x32_split %12.x, %12.y\n"
                     "32x3 %14 = @load_constant_agx (%13, %3) (base=0, format=r32_uint)\n"
                     "@store_preamble (%14) (base=52)\n1 %15 = load_const (true)\n"
                     "@store_preamble (%15) (base=58)\n") AGX_REST;
    make(&r, NIR_DRIVER_HONEYKRISP, 32);
    r.tc.entry = "main";
    r.tc.global[0] = 8;
    r.tc.n_dispatches = 2; /* of two work-groups each */
    r.tc.bufs[1] = (struct buf){.kind = BUF_PUSH, .n_bytes = 8, .data = r.data[1]};
    run(&r, text);
    for (uint32_t i = 0; i < 8;
         i++) { /* word i: its place in the dispatch, the push constant, two work-groups */
        assert_int_equal(nir_rig_word(&r, 0, i), i + 201 + (2 << 8));
    }
    assert_int_equal(nir_rig_word(&r, 0, 8), 108);
    r.tc.entry = "another";
    expect_end(&r, text, NIR_BROKEN, "the log does not have the program of the case");
    arena_free(&r.a);
}

/* An index counts elements of the format, shifted, and has a sign or not. Where no buffer is, a load gives 0, and a store has
 * no meaning. */
static void honeykrisp_counts_elements(void **state)
{
    (void)state;
    static struct nir_rig r;
#define AGX(body)                                                                                  \
    AGX_MAIN("64 %4 = @load_preamble (base=40)\n" body)                                            \
    AGX_PREAMBLE("32x4 %5 = @load_constant_agx (%2, %3) (base=0, format=r32_uint)\n"               \
                 "64 %6 = pack_64_2x32_split %5.x, %5.y\n@store_preamble (%6) (base=40)\n")
#define AGX_STORE(v) "@store_agx (" v ", %4, %1) (base=0, format=r32_uint, sign_extend=0)\n"
    static const struct {
        const char *text;
        uint32_t want[2];
    } rows[] = {
        {AGX("32 %5 = @load_agx (%4, %3) (base=2, format=r32_uint)\n" AGX_STORE("%5")), {104, 104}},
        {AGX("16 %5 = @load_agx (%4, %3) (base=2, format=r16_uint)\n"
             "32 %6 = u2u32 %5\n" AGX_STORE("%6")),
         {102, 102}                                                                               },
        {AGX("32 %5 = load_const (0xfffffffe)\n64 %6 = load_const (0x10)\n64 %7 = iadd %4, %6\n"
             "32 %8 = @load_agx (%7, %5) (base=0, format=r32_uint, sign_extend=1)\n" AGX_STORE(
                 "%8")),
         {102, 102}                                                                               },
        {AGX("32 %5 = load_const (0xfffffffe)\n"
             "32 %8 = @load_agx (%4, %5) (base=0, format=r32_uint, sign_extend=0)\n" AGX_STORE(
                 "%8")),
         {0, 0}                                                                                   },
        {AGX("32 %5 = load_const (0xa)\n32 %6 = @global_atomic_agx (%4, %5, %3) (atomic_op=iadd, "
             "sign_extend=0)\n" AGX_STORE("%6")),
         {110, 111}                                                                               },
        {AGX("1 %5 = ieq %1, %3\n16 %6 = @quad_ballot_agx (%5)\n32 %7 = u2u32 %6\n" AGX_STORE(
             "%7")),
         {2, 2}                                                                                   },
        {AGX("16 %5 = @load_active_subgroup_invocation_agx\n32 %6 = u2u32 %5\n"
             "16 %7 = @load_active_subgroup_count_agx\n32 %8 = u2u32 %7\n32 %9 = load_const "
             "(0xa)\n32 %10 = imad %6, %9, %8\n" AGX_STORE("%10")),
         {2, 12}                                                                                  },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        make(&r, NIR_DRIVER_HONEYKRISP, 32);
        r.tc.entry = "main";
        run(&r, rows[i].text);
        for (uint32_t k = 0; k < 2; k++) {
            if (nir_rig_word(&r, 0, k) != rows[i].want[k]) {
                fail_msg("row %zu: invocation %u: %u", i, k, nir_rig_word(&r, 0, k));
            }
        }
        arena_free(&r.a);
    }
    make(&r, NIR_DRIVER_HONEYKRISP, 32);
    r.tc.entry = "main";
    expect_end(
        &r, AGX("32 %5 = load_const (0x40)\n@store_agx (%5, %4, %5) (base=0, format=r32_uint)\n"),
        NIR_STUCK, "there is no global memory");
    expect_end(&r, AGX("32 %5 = @load_preamble (base=512)\n"), NIR_STUCK, "uniform memory");
    arena_free(&r.a);
}

/* Set 0 has a texel buffer, whose descriptor has 48 bytes, and then a storage buffer. Texel i comes by a register that holds
 * the descriptor; texel i + 1 is changed at the address that the second half of the descriptor has. */
static void honeykrisp_names_images_by_registers(void **state)
{
    (void)state;
    static struct nir_rig r;
    static const char text[] = AGX_MAIN(
        "64 %4 = @load_preamble (base=40)\n16 %5 = load_const (0x1)\n"
        "32x4 %6 = vec4 %1, %2, %2, %2\n"
        "32 %7 = @image_load (%5, %6, %5, %5) (image_dim=2D, image_array=false, format=r32_uint, "
        "access=none, range_base=36, dest_type=uint32)\n"
        "@store_agx (%7, %4, %1) (base=0, format=r32_uint)\n"
        "64 %8 = @load_preamble (base=44)\n32 %9 = iadd %1, %3\n"
        "32 %10 = @global_atomic_agx (%8, %9, %3) (atomic_op=iadd)\n"
        "32 %11 = @load_preamble (base=48)\n32 %12 = iadd %1, %13\n"
        "@store_agx (%11, %4, %12) (base=0, format=r32_uint)\n32 %13 = load_const (0x2)\n")
        AGX_PREAMBLE("32 %5 = load_const (0xc)\n"
                     "32x4 %6 = @load_constant_agx (%2, %5) (base=0, format=r32_uint)\n"
                     "64 %7 = pack_64_2x32_split %6.x, %6.y\n@store_preamble (%7) (base=40)\n"
                     "32 %8 = @bindless_image_agx (%3) (desc_set=4)\n"
                     "@store_preamble (%8) (base=2, class=image)\n32 %9 = load_const (0x8)\n"
                     "32x3 %10 = @load_constant_agx (%2, %9) (base=0, format=r32_uint)\n"
                     "32 %11 = load_const (0x4)\n32 %12 = ishl %10.x, %11\n"
                     "32 %13 = load_const (0x1c)\n32 %14 = load_const (0xf)\n"
                     "32 %15 = iand %10.y, %14\n32 %16 = extr_agx %10.x, %15, %13, %3\n"
                     "64 %17 = pack_64_2x32_split %12, %16\n@store_preamble (%17) (base=44)\n"
                     "32 %18 = @load_constant_agx (%2, %11) (base=0, format=r32_uint)\n"
                     "@store_preamble (%18) (base=48)\n");
    make(&r, NIR_DRIVER_HONEYKRISP, 32);
    r.tc.entry = "main";
    r.tc.bufs[0] = (struct buf){.kind = BUF_TEXEL_R32UI, .n_bytes = 24, .data = r.data[0]};
    run(&r, text);
    assert_int_equal(nir_rig_word(&r, 1, 0), 100);
    assert_int_equal(nir_rig_word(&r, 1, 1), 101);
    assert_int_equal(nir_rig_word(&r, 1, 2), 6); /* texels */
    assert_int_equal(nir_rig_word(&r, 0, 0), 100);
    assert_int_equal(nir_rig_word(&r, 0, 1), 102);
    assert_int_equal(nir_rig_word(&r, 0, 2), 103);
    r.tc.bufs[0].kind = BUF_ARRAY1D_R32UI; /* how far its layers are apart is not known */
    r.tc.bufs[0].width = 3;
    r.tc.bufs[0].height = 1;
    expect_end(&r, text, NIR_UNKNOWN, "the descriptor of layers is not known");
    arena_free(&r.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storage_buffers_have_one_descriptor_or_two),
        cmocka_unit_test(a_buffer_is_reached_by_its_address),
        cmocka_unit_test(push_constants_may_begin_behind_the_shader_s_own),
        cmocka_unit_test(variables_are_memory_of_an_invocation),
        cmocka_unit_test(scratch_memory_has_whole_units),
        cmocka_unit_test(uniform_buffers_of_nvk_differ_by_chip),
        cmocka_unit_test(constant_buffers_are_told_apart_by_accesses),
        cmocka_unit_test(chips_flush_by_themselves),
        cmocka_unit_test(kepler_locks_words_of_shared_memory),
        cmocka_unit_test(a_log_has_the_program_of_the_case),
        cmocka_unit_test(honeykrisp_runs_its_preamble_first),
        cmocka_unit_test(honeykrisp_counts_elements),
        cmocka_unit_test(honeykrisp_names_images_by_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

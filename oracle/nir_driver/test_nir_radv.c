/* oracle/nir_driver/test_nir_radv.c -- what is RADV's alone: its arguments, where its descriptors lie, texels, addresses. Texts are in
 * the form of 26.2's unless they are said to be older. */
#include "oracle/nir/test_nir_rig.h"
#include "oracle/nir_driver/nir_layout.h"

#include "base/spv.h"

/* A case of one work-group of `local` invocations, whose buffer 0 is a storage buffer of zeros. */
static void make(struct nir_rig *r, uint32_t local)
{
    nir_rig_make(r, NIR_DRIVER_RADV, 32, local);
}
static void run(struct nir_rig *r, const char *text)
{
    if (!nir_rig_run(r, text)) {
        fail_msg("%s", r->answer.text);
    }
}

/* %6 is the descriptor of buffer 0, the first one of set 0, whose pointer is argument `first`. */
#define BEGIN_AT(header, first)                                                                    \
    "workgroup_size: 2, 1, 1\n" header "impl main {\nblock b0:\n"                                  \
    "32 %0 = load_const (0x0)\n32 %1 = load_const (0x1)\n32 %2 = load_const (0x2)\n"               \
    "32 %3 = load_const (0xffff8000)\n32 %4 = @load_scalar_arg_amd (base=" first                   \
    ", arg_num_lsb_zero=2)\n64 %5 = pack_64_2x32_split %4, %3\n"                                   \
    "32x4 %6 = @load_global_amd (%5, %0) (base=0)\n"
#define BEGIN    BEGIN_AT("", "0")
#define STORE(v) "@store_ssbo (" v ", %6, %0) (wrmask=x)\n}\n"
#define ARGUMENT(n, base, bound)                                                                   \
    "32 %" n " = @load_scalar_arg_amd (base=" base ", arg_upper_bound_u32_amd=" bound ")\n"

static void descriptors_of_images_come_first(void **state)
{
    (void)state;
    struct testcase tc = {.n_bufs = 7};
    static const struct {
        enum buf_kind kind;
        uint32_t set, offset;
    } rows[] = {
        {BUF_STORAGE,      0, 64},
        {BUF_IMAGE2D_R32F, 0, 0 },
        {BUF_CONSTANT,     0, 80},
        {BUF_STORAGE,      1, 0 },
        {BUF_PUSH,         0, 0 },
        {BUF_CUBE_R32UI,   0, 32},
        {BUF_TEXEL_R32F,   0, 96},
    };
    for (uint32_t i = 0; i < ARRAY_N(rows); i++) {
        tc.bufs[i] = (struct buf){.kind = rows[i].kind, .set = rows[i].set};
    }
    for (uint32_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].kind != BUF_PUSH) {
            assert_int_equal(nir_layout_offset(&tc, i), rows[i].offset);
            assert_int_equal(nir_layout_find(&tc, rows[i].set, rows[i].offset), i);
        }
    }
    assert_int_equal(nir_layout_bytes(&tc, 0), 112);
    assert_int_equal(nir_layout_bytes(&tc, 1), 16);
    assert_int_equal(nir_layout_bytes(&tc, 2), 0);
    assert_int_equal(nir_layout_find(&tc, 0, 16), CASE_MAX_BUFS); /* within an image's */
    assert_int_equal(nir_layout_find(&tc, 0, 112), CASE_MAX_BUFS);
}

static void descriptors_of_images_come_last_if_the_last_one_is_of_an_image(void **state)
{
    (void)state;
    struct testcase tc = {.n_bufs = 6};
    static const struct {
        enum buf_kind kind;
        uint32_t offset;
    } rows[] = {
        {BUF_STORAGE,      0 },
        {BUF_IMAGE2D_R32F, 64},
        {BUF_CONSTANT,     16},
        {BUF_TEXEL_R32F,   32},
        {BUF_CUBE_R32UI,   96},
        {BUF_PUSH,         0 },
    };
    for (uint32_t i = 0; i < ARRAY_N(rows); i++) {
        tc.bufs[i] = (struct buf){.kind = rows[i].kind};
    }
    for (uint32_t i = 0; i < ARRAY_N(rows) - 1; i++) {
        assert_int_equal(nir_layout_offset(&tc, i), rows[i].offset);
        assert_int_equal(nir_layout_find(&tc, 0, rows[i].offset), i);
    }
    assert_int_equal(nir_layout_bytes(&tc, 0), 128);
    assert_int_equal(nir_layout_find(&tc, 0, 48), CASE_MAX_BUFS); /* no image begins there */
}

/* Set 0 has a buffer that is declared read-only, set 1 one that is written. */
static void a_set_is_known_by_what_is_done_with_it(void **state)
{
    (void)state;
#define DECLARED                                                                                   \
    "decl_var ssbo INTERP_MODE_NONE restrict readonly block #0 (~0, 0, 0)\n"                       \
    "decl_var ssbo INTERP_MODE_NONE restrict writeonly block #1 (~0, 0, 1)\n"
    static struct nir_rig r;
    make(&r, 2);
    r.tc.bufs[1].set = 1;
    /* a single pointer, which is stored by: not the read-only one's */
    run(&r, BEGIN_AT(DECLARED, "0") STORE("%1"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 0);
    assert_int_equal(nir_rig_word(&r, 1, 0), 1);
    /* a pointer that is loaded by is that of set 0 */
    store_le(r.data[0], 7, 4);
    run(&r, BEGIN_AT(DECLARED,
                     "0") "32 %7 = @load_ssbo (%6, %0)\n32 %8 = @load_scalar_arg_amd (base=1, "
                          "arg_num_lsb_zero=2)\n64 %9 = pack_64_2x32_split %8, %3\n"
                          "32x4 %10 = @load_global_amd (%9, %0) (base=0)\n"
                          "@store_ssbo (%7, %10, %0) (wrmask=x)\n}\n");
    assert_int_equal(nir_rig_word(&r, 1, 0), 7);
    /* both declared as neither read nor written: no set is left */
    assert_false(nir_rig_run(
        &r, BEGIN_AT("decl_var ssbo INTERP_MODE_NONE restrict readonly writeonly block #0 (~0, 0, "
                     "0)\n",
                     "0") STORE("%1")));
    assert_int_equal(r.answer.end, NIR_UNKNOWN);
    arena_free(&r.a);
}

/* Chips with an argument before the pointers, and one with a pointer to the number of work-groups. */
static void arguments_before_and_behind_the_pointers_are_told_apart(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, 2);
    r.tc.global[0] = 6;
    run(&r, BEGIN_AT("", "1") ARGUMENT("7", "2", "0") STORE("%7"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 2); /* the last work-group */
    run(&r, BEGIN_AT("", "1") "32x2 %7 = @load_scalar_arg_amd (base=2)\n64 %8 = pack_64_2x32 %7\n"
                              "32 %9 = @load_global_amd (%8, %0) (base=0)\n" STORE("%9"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 3);
    run(&r, BEGIN "32x3 %7 = @load_scalar_arg_amd (base=1)\n" STORE("%7.x"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 3);
    arena_free(&r.a);
}

/* The id within the work-group in one argument, or in one for each component. */
static void local_ids_are_packed_or_apart(void **state)
{
    (void)state;
#define SIZE(x, y, z) "workgroup_size: " #x ", " #y ", " #z "\n"
#define VECTOR(n, base, bound)                                                                     \
    "32 %" n " = @load_vector_arg_amd (base=" base ", arg_upper_bound_u32_amd=" bound ")\n"
#define LOCAL(x, y, z, loads)                                                                      \
    SIZE(x, y, z)                                                                                  \
    "impl main {\nblock b0:\n32 %0 = load_const (0x0)\n32 %3 = load_const (0xffff8000)\n"          \
    "32 %4 = @load_scalar_arg_amd (base=0, arg_num_lsb_zero=2)\n64 %5 = pack_64_2x32_split %4, "   \
    "%3\n32x4 %6 = @load_global_amd (%5, %0) (base=0)\n" loads
    static const struct {
        uint32_t local[3];
        const char *text;
        enum nir_end end;
        uint32_t want; /* of the last invocation */
    } rows[] = {
        {{2, 3, 4}, LOCAL(2, 3, 4,       VECTOR("7",      "3",      "3147777")) STORE("%7"), NIR_ENDED, 3147777          },
        {{2, 3, 4}, LOCAL(2, 3, 4,       VECTOR("7",      "4",      "2")) STORE("%7"),       NIR_ENDED, 2                },
        {{2, 3, 4},
         LOCAL(2,            3, 4,       VECTOR("7",      "4",      "2") VECTOR("8",         "5",       "3")) STORE("%8"),
         NIR_ENDED, 3},
        {{2, 1, 1},        LOCAL(2,               1,        1, VECTOR("7", "4", "1")) STORE("%7"),              NIR_ENDED,                    1                   },
        {{3, 2, 3},        LOCAL(3,               2,        3, VECTOR("7", "4", "2")) STORE("%7"),              NIR_UNKNOWN, 0},
        {{2, 3, 4},        LOCAL(2,               3,        4, VECTOR("7", "4", "9")) STORE("%7"),              NIR_UNKNOWN,                    0                                      },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        make(&r, 2);
        memcpy(r.tc.local, rows[i].local, sizeof r.tc.local);
        memcpy(r.tc.global, rows[i].local, sizeof r.tc.global);
        (void)nir_rig_run(&r, rows[i].text);
        if (r.answer.end != rows[i].end) {
            fail_msg("row %zu: %s: %s", i, nir_end_names[r.answer.end], r.answer.text);
        }
        if (r.answer.end == NIR_ENDED) {
            assert_int_equal(nir_rig_word(&r, 0, 0), rows[i].want);
        }
        arena_free(&r.a);
    }
}

/* A module that loads words of its push constants, an array from byte 0 on: bit N of `words`, and one at an offset that is not constant where has_others. */
static void give_push_constants(struct nir_rig *r, uint32_t words, bool has_others)
{
    enum {
        ID_INT = 1,
        ID_ARRAY,
        ID_BLOCK,
        ID_BLOCK_POINTER,
        ID_PUSH,
        ID_POINTER,
        ID_ZERO,
        ID_VARYING,
        ID_NEXT,
        ID_BOUND = 200,
        N_BYTES = 64
    };
    struct spv_words w;
    uint32_t next = ID_NEXT;
    spv_words_init(&w, &r->a);
#define PUT(op, ...)                                                                               \
    spv_put(&w, op, (const uint32_t[]){__VA_ARGS__},                                               \
            sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
    PUT(SpvMagicNumber, 0);
    w.w[0] = SpvMagicNumber;
    w.w[1] = 0x10300;
    spv_put(&w, 0, NULL, 0);
    spv_put(&w, 0, NULL, 0);
    spv_put(&w, 0, NULL, 0);
    w.w[3] = ID_BOUND;
    PUT(SpvOpMemberDecorate, ID_BLOCK, 0, SpvDecorationOffset, 0);
    PUT(SpvOpDecorate, ID_ARRAY, SpvDecorationArrayStride, 4);
    PUT(SpvOpTypeInt, ID_INT, 32, 0);
    PUT(SpvOpConstant, ID_INT, ID_ZERO, 0);
    PUT(SpvOpTypeArray, ID_ARRAY, ID_INT, ID_ZERO);
    PUT(SpvOpTypeStruct, ID_BLOCK, ID_ARRAY);
    PUT(SpvOpTypePointer, ID_BLOCK_POINTER, SpvStorageClassPushConstant, ID_BLOCK);
    PUT(SpvOpVariable, ID_BLOCK_POINTER, ID_PUSH, SpvStorageClassPushConstant);
    PUT(SpvOpFunction, ID_INT, next, 0, ID_INT);
    next++;
    for (uint32_t i = 0; i < 33; i++) {
        if (i < 32 ? words >> i & 1 : has_others) {
            PUT(SpvOpConstant, ID_INT, next, i);
            PUT(SpvOpAccessChain, ID_POINTER, next + 1, ID_PUSH, ID_ZERO,
                i < 32 ? next : ID_VARYING);
            PUT(SpvOpLoad, ID_INT, next + 2, next + 1);
            PUT(SpvOpReturnValue, next + 2);
            next += 3;
        }
    }
#undef PUT
    unsigned char *const data = arena_take(&r->a, N_BYTES);
    for (uint32_t i = 0; i < N_BYTES / 4; i++) {
        store_le(data + 4 * i, 100 + i, 4);
    }
    r->tc.module = w.w;
    r->tc.n_words = w.n;
    r->tc.n_bufs = 3;
    r->tc.bufs[2] = (struct buf){.kind = BUF_PUSH, .n_bytes = N_BYTES, .data = data};
}

static void push_constants_are_arguments_or_behind_a_pointer(void **state)
{
    (void)state;
#define POINTER(n, base)                                                                           \
    "32 %" n "0 = @load_scalar_arg_amd (base=" base ")\n64 %" n "1 = pack_64_2x32_split %" n       \
    "0, %3\n32 %" n "2 = @load_global_amd (%" n "1, %0) (base=12)\n"
    static const struct {
        uint32_t words;
        bool has_others;
        const char *text;
        enum nir_end end;
        uint32_t want;
    } rows[] = {
  /* words 3 and 5 as arguments 1 and 2, then the work-group's id */
        {0x28,               false,
         BEGIN ARGUMENT("7",                                  "1",              "0") ARGUMENT("8",                                   "2","0") ARGUMENT("9", "3",             "0") STORE("%7"),
         NIR_ENDED, 103},
        {0x28,          false,
         BEGIN ARGUMENT("7",                                    "1",                                                 "0") ARGUMENT("8",                                                                                      "2","0") ARGUMENT("9","3","0") STORE("%8"),
         NIR_ENDED, 105},
        {0x28, false,
         BEGIN ARGUMENT("7",           "1",                                                             "0") ARGUMENT("8",                                                                                                             "2","0") ARGUMENT("9","3","0") STORE("%9"),
         NIR_ENDED, 0},
 /* one of the words was found not to be used: which one is not known */
        {0x28,               false,       BEGIN ARGUMENT("7",              "1","0") ARGUMENT("9","2","0") STORE("%7"),
         NIR_UNKNOWN,0},
 /* neither is used */
        {0x28,               false,     BEGIN ARGUMENT("9", "1", "0") STORE("%9"),                                                                                   NIR_ENDED, 0                                                                                                                                                                                                                                         },
 /* a pointer, and a word as an argument besides */
        {0x20,                  true,
         BEGIN POINTER("1",                         "1") ARGUMENT("8",                   "2",                                                                   "0") ARGUMENT("9","3","0") STORE("%8"),
         NIR_ENDED, 105},
        {0x20,               true,
         BEGIN POINTER("1",                                   "1") ARGUMENT("8",          "2",                                        "0") ARGUMENT("9","3","0") STORE("%12"),
         NIR_ENDED, 103},
        {0,               true,                        BEGIN POINTER("1",                                         "1") ARGUMENT("9",                                       "2",                                                                                                          "0") STORE("%12"),NIR_ENDED,103                                                                                                                                  },
 /* the load that needed the pointer is not left; nor is the word in the next row */
        {0x20, true,                     BEGIN ARGUMENT("8",                                      "1",                                                      "0") ARGUMENT("9",                                                                                                         "2","0") STORE("%8"),NIR_ENDED,
         105},
        {0x20, true, BEGIN POINTER("1",                  "1") ARGUMENT("9",                                  "2","0") STORE("%12"),NIR_ENDED,                          103},
 /* a pointer, but the module has no load that needs one */
        {0x20,               false,        BEGIN POINTER("1",                   "1") ARGUMENT("9",                                                                   "2",                                                                                                                      "0") STORE("%12"),NIR_UNKNOWN,0},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        make(&r, 2);
        give_push_constants(&r, rows[i].words, rows[i].has_others);
        (void)nir_rig_run(&r, rows[i].text);
        if (r.answer.end != rows[i].end) {
            fail_msg("row %zu: %s: %s", i, nir_end_names[r.answer.end], r.answer.text);
        }
        if (r.answer.end == NIR_ENDED) {
            assert_int_equal(nir_rig_word(&r, 0, 0), rows[i].want);
        }
        arena_free(&r.a);
    }
}

/* Thirteen words are arguments beside one set; of fourteen the first eight are, and a pointer has the rest. Where a word of
 * the rest is not loaded, RADV did not count some word, and which ones are arguments is not known. */
static void many_push_constants_are_not_all_arguments(void **state)
{
    (void)state;
    static const struct {
        unsigned n, n_behind;
    } rows[] = {
        {13, 0},
        {14, 6},
        {14, 5}
    };
    for (size_t row = 0; row < ARRAY_N(rows); row++) {
        unsigned const n = rows[row].n;
        static struct nir_rig r;
        char text[4096] = BEGIN;
        unsigned const n_words = n == 13 ? 13 : 8;
        unsigned const first = n == 13 ? 1 : 2;
        make(&r, 2);
        give_push_constants(&r, (1U << n) - 1, false);
        if (n == 14) {
            (void)strcat(text, POINTER("1", "1"));
        }
        for (unsigned i = 0; i < rows[row].n_behind; i++) {
            size_t const used = strlen(text);
            (void)snprintf(text + used, sizeof text - used,
                           "32 %%3%02u = @load_global_amd (%%11, %%0) (base=%u)\n", i, 4 * (8 + i));
        }
        for (unsigned i = 0; i <= n_words; i++) { /* the last one is the id */
            size_t const used = strlen(text);
            (void)snprintf(text + used, sizeof text - used,
                           "32 %%2%02u = @load_scalar_arg_amd (base=%u)\n", i, first + i);
        }
        (void)strcat(text, n == 13 ? STORE("%212") : STORE("%207"));
        (void)nir_rig_run(&r, text);
        if (n == 14 && rows[row].n_behind < 6) {
            assert_int_equal(r.answer.end, NIR_UNKNOWN);
        } else {
            assert_int_equal(r.answer.end, NIR_ENDED);
            assert_int_equal(nir_rig_word(&r, 0, 0), 100 + n_words - 1);
        }
        arena_free(&r.a);
    }
}

/* A text of 25.0: the work-group's id is an intrinsic that counts from the dispatch's base on, and the last argument the number of the
 * sub-group; bits of float controls are other ones. */
static void older_texts_are_read_as_such(void **state)
{
    (void)state;
#define OLD                                                                                        \
    "workgroup_size: 64, 1, 1\nsubgroup_size: 0\nimpl main {\nblock b0:\n"                         \
    "32 %0 = load_const (0x0)\n32 %1 = load_const (0x2)\n32 %2 = load_const (0x14)\n"              \
    "32 %3 = load_const (0xffff8000)\n32 %4 = load_const (0x5)\n"                                  \
    "32 %5 = @load_scalar_arg_amd (base=1)\n64 %6 = pack_64_2x32_split %5, %3\n"                   \
    "32x4 %7 = @load_smem_amd (%6, %0)\n32 %8 = @load_vector_arg_amd (base=4, "                    \
    "arg_upper_bound_u32_amd=63)\n32 %9 = ishl %8, %1\n32x3 %10 = @load_workgroup_id\n"
    static struct nir_rig r;
    make(&r, 64);
    run(&r, OLD "32 %11 = @load_scalar_arg_amd (base=3)\n32 %12 = ubfe %11, %2, %4\n"
                "@store_ssbo (%12, %7, %9) (wrmask=x)\n}\n");
    assert_int_equal(nir_rig_word(&r, 0, 31), 0);
    assert_int_equal(nir_rig_word(&r, 0, 32), 1);
    r.tc.global[0] = 4 * 64;
    r.tc.n_dispatches = 2;
    run(&r, OLD "32 %11 = u2u32! %10.x\n@store_ssbo (%11, %7, %9) (wrmask=x)\n}\n");
    assert_int_equal(nir_rig_word(&r, 0, 0), 3);
    arena_free(&r.a);
}

/* Buffer 1 is reached by its address, which stands in the buffer of its binding. */
static void buffers_are_reached_by_their_address(void **state)
{
    (void)state;
    static struct nir_rig r;
    make(&r, 2);
    r.tc.bufs[1].kind = BUF_ADDRESS;
    store_le(r.data[1] + 8, 40, 4);
#define ADDRESS BEGIN "32x4 %7 = @load_global_amd (%5, %0) (base=16)\n64 %8 = @load_ssbo (%7, %0)\n"
    run(&r, ADDRESS "32 %9 = load_const (0x8)\n"
                    "32 %10 = @global_atomic_amd (%8, %2, %9) (base=0, atomic_op=iadd)\n"
                    "32 %11 = @load_global_amd (%8, %9) (base=0)\n"
                    "@store_global_amd (%11, %8, %9) (base=4, wrmask=x)\n" STORE("%10"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 42); /* the second invocation's */
    assert_int_equal(nir_rig_word(&r, 1, 2), 44);
    assert_int_equal(nir_rig_word(&r, 1, 3), 44);
    run(&r, ADDRESS
        "32 %9 = load_const (0x8)\n32 %10 = load_const (0x28)\n"
        "32 %11 = @global_atomic_swap_amd (%8, %10, %1, %9) (base=0, atomic_op=cmpxchg)\n" STORE(
            "%11"));
    assert_int_equal(nir_rig_word(&r, 0, 0), 1); /* the first one exchanged it */
    assert_int_equal(nir_rig_word(&r, 1, 2), 1);
    /* the address itself is not written, and beyond the buffer is no memory */
    assert_false(nir_rig_run(&r, ADDRESS "@store_ssbo (%1, %7, %0) (wrmask=x)\n}\n"));
    assert_int_equal(r.answer.end, NIR_STUCK);
    assert_false(nir_rig_run(
        &r, ADDRESS "32 %9 = load_const (0x100)\n32 %10 = @load_global_amd (%8, %9)\n}\n"));
    assert_int_equal(r.answer.end, NIR_STUCK);
    arena_free(&r.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_of_images_come_first),
        cmocka_unit_test(descriptors_of_images_come_last_if_the_last_one_is_of_an_image),
        cmocka_unit_test(a_set_is_known_by_what_is_done_with_it),
        cmocka_unit_test(arguments_before_and_behind_the_pointers_are_told_apart),
        cmocka_unit_test(local_ids_are_packed_or_apart),
        cmocka_unit_test(push_constants_are_arguments_or_behind_a_pointer),
        cmocka_unit_test(many_push_constants_are_not_all_arguments),
        cmocka_unit_test(older_texts_are_read_as_such),
        cmocka_unit_test(buffers_are_reached_by_their_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

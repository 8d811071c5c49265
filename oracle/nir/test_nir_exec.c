/* oracle/nir/test_nir_exec.c -- small texts run: flow, lockstep, memory, barriers and the interface of each driver. What each
 * invocation must store is worked by hand. */
#include "oracle/nir/test_nir_rig.h"

/* Texts in the form of Turnip's: %1 is the local id, %3 buffer 0, %8 buffer 1, of which invocation i stores word i. */
#define BEGIN(n)                                                                                   \
    "workgroup_size: " #n ", 1, 1\n"                                                               \
    "shared_size: 256\nscratch: 16\n"                                                              \
    "impl main {\nblock b0:\n"                                                                     \
    "32x3 %1 = @load_local_invocation_id\n"                                                        \
    "32 %2 = load_const (0x0)\n"                                                                   \
    "32 %3 = @bindless_resource_ir3 (%2) (desc_set=0)\n"                                           \
    "32 %4 = load_const (0x2)\n"                                                                   \
    "32 %8 = @bindless_resource_ir3 (%4) (desc_set=0)\n"                                           \
    "32 %5 = load_const (0x1)\n"                                                                   \
    "32 %6 = load_const (0x3)\n"                                                                   \
    "1 %7 = load_const (true)\n"
#define STORE(v) "@store_ssbo (" v ", %8, %1.x) (wrmask=x, offset_shift=2)\n"
#define END      "}\n"

/* Runs a text on `local` invocations in sub-groups of `size`, and wants these words in buffer 1. */
static void expect(const char *text, uint32_t size, uint32_t local, const uint32_t *want)
{
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_TURNIP, size, local);
    if (!nir_rig_run(&r, text)) {
        fail_msg("%s", r.answer.text);
    }
    assert_int_equal(r.ob.status, RUN_DONE);
    assert_int_equal(r.answer.end, NIR_ENDED);
    for (uint32_t i = 0; i < local; i++) {
        if (nir_rig_word(&r, 1, i) != want[i]) {
            fail_msg("invocation %u stored 0x%x, not 0x%x", i, nir_rig_word(&r, 1, i), want[i]);
        }
    }
    arena_free(&r.a);
}

static void both_ways_of_a_branch_meet(void **state)
{
    (void)state;
    static const uint32_t want[4] = {100, 201, 100, 201};
    expect(BEGIN(4) "32 %10 = iand %1.x, %5\n1 %11 = ine %10, %2\n"
                    "32 %12 = load_const (0x64)\n32 %13 = load_const (0xc8)\n"
                    "if %11 {\nblock b1:\n32 %14 = iadd %13, %5\n} else {\nblock b2:\n}\n"
                    "block b3:\n32 %15 = phi b1: %14, b2: %12\n" STORE("%15") END,
           4, 4, want);
}

/* Invocation i leaves in round i. In each round all that are left are active together. */
static void invocations_of_a_loop_wait_for_each_other(void **state)
{
    (void)state;
    static const uint32_t want[4] = {4, 4 + 3, 4 + 3 + 2, 4 + 3 + 2 + 1};
    /* those with an odd index go back by continue, the others from the end of the body */
    expect(BEGIN(4) "loop {\nblock b1:\n"
                    "32 %10 = phi b0: %2, b5: %16, b6: %16\n"
                    "32 %11 = phi b0: %2, b5: %15, b6: %15\n"
                    "32 %12 = @ballot (%7)\n32 %13 = bit_count %12\n"
                    "32 %15 = iadd %11, %13\n32 %16 = iadd %10, %5\n"
                    "1 %17 = ieq %10, %1.x\n"
                    "if %17 {\nblock b2:\nbreak\n} else {\nblock b3:\n}\n"
                    "block b4:\n32 %18 = iand %1.x, %5\n1 %19 = ine %18, %2\n"
                    "if %19 {\nblock b5:\ncontinue\n}\nblock b6:\n}\n"
                    "block b7:\n" STORE("%15") END,
           4, 4, want);
}

/* The same loop as NVK prints it, with the way back at the end of the text: without the convergence barrier those that
 * leave would be alone behind the loop. */
static void a_convergence_barrier_gathers_what_leaves_a_loop(void **state)
{
    (void)state;
    static const uint32_t want[4] = {4, 4, 4, 4}, alone[4] = {1, 1, 1, 1};
#define LOOP(set, sync)                                                                            \
    BEGIN(4)                                                                                       \
    set "goto b1\nblock b1:\n32 %10 = phi b0: %2, b4: %16\n1 %17 = ieq %10, %1.x\n"                \
        "goto b2 if %17 else b3\nblock b2:\n" sync                                                 \
        "32 %12 = @ballot (%7)\n32 %13 = bit_count %12\n" STORE(                                   \
            "%13") "goto b5\n"                                                                     \
                   "block b3:\n32 %16 = iadd %10, %5\ngoto b4\nblock b4:\ngoto b1\nblock "         \
                   "b5:\n" END
    expect(LOOP("32 %9 = @bar_set_nv\n", "@bar_sync_nv (%9, %9)\n"), 4, 4, want);
    expect(LOOP("", ""), 4, 4, alone);
}

static void sub_groups_wait_at_a_barrier(void **state)
{
    (void)state;
    static const uint32_t want[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    expect(BEGIN(8) "32 %10 = ishl %1.x, %4\n32 %11 = load_const (0x7)\n32 %12 = isub %11, %1.x\n"
                    "32 %13 = ishl %12, %4\n"
                    "@store_shared (%1.x, %10) (base=16, wrmask=x)\n"
                    "@barrier (execution_scope=WORKGROUP, memory_scope=WORKGROUP, "
                    "mem_semantics=ACQ|REL, mem_modes=shared)\n"
                    "32 %14 = @load_shared (%13) (base=16)\n" STORE("%14") END,
           2, 8, want);
}

static void invocations_of_a_sub_group_exchange(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t want[8];
    } rows[] = {
        {"32 %10 = @reduce (%1.x) (reduction_op=iadd, cluster_size=2)\n",
         {1, 1, 5, 5, 9, 9, 13, 13}                                                                                  },
        {"32 %11 = iand %1.x, %6\n32 %10 = @inclusive_scan (%11) (reduction_op=iadd)\n",
         {0, 1, 3, 6, 0, 1, 3, 6}                                                                                    },
        {"32 %11 = iand %1.x, %6\n32 %10 = @exclusive_scan (%11) (reduction_op=umin)\n",
         {0xffffffff, 0, 0, 0, 0xffffffff, 0, 0, 0}                                                                  },
        {"32 %10 = @exclusive_scan (%2) (reduction_op=fadd)\n",
         {0x80000000, 0, 0, 0, 0x80000000, 0, 0, 0}                                                                  },
        {"32 %10 = @shuffle_xor (%1.x, %5)\n",                                           {1, 0, 3, 2, 5, 4, 7, 6}    },
        {"32 %10 = @shuffle_up (%1.x, %5)\n",                                            {0, 0, 1, 2, 4, 4, 5, 6}    },
        {"32 %10 = @shuffle_down (%1.x, %5)\n",                                          {1, 2, 3, 3, 5, 6, 7, 7}    },
        {"32 %10 = @shuffle (%1.x, %4)\n",                                               {2, 2, 2, 2, 6, 6, 6, 6}    },
        {"32 %10 = @rotate (%1.x, %5) (cluster_size=2)\n",                               {1, 0, 3, 2, 5, 4, 7, 6}    },
        {"32 %10 = @rotate (%1.x, %5) (cluster_size=0)\n",                               {1, 2, 3, 0, 5, 6, 7, 4}    },
        {"32 %10 = @quad_broadcast (%1.x, %4)\n",                                        {2, 2, 2, 2, 6, 6, 6, 6}    },
        {"32 %10 = @quad_swap_diagonal (%1.x)\n",                                        {3, 2, 1, 0, 7, 6, 5, 4}    },
        {"32 %10 = @masked_swizzle_amd (%1.x) (swizzle_mask=((id & 2) | 1) ^ 2, "
         "fetch_inactive=1)\n",                                                 {3, 3, 1, 1, 7, 7, 5, 5}    },
        {"32 %10 = @quad_swizzle_amd (%1.x) (swizzle_mask=3012, fetch_inactive=1)\n",
         {3, 0, 1, 2, 7, 4, 5, 6}                                                                                    },
        {"32 %10 = @read_first_invocation (%1.x)\n",                                     {0, 0, 0, 0, 4, 4, 4, 4}    },
        {"1 %11 = uge %1.x, %5\n32 %10 = @read_invocation_cond_ir3 (%1.x, %11)\n",
         {1, 1, 1, 1, 4, 4, 4, 4}                                                                                    },
        {"1 %11 = uge %1.x, %5\n1 %12 = @vote_all (%11)\n32 %10 = b2i32 %12\n",
         {0, 0, 0, 0, 1, 1, 1, 1}                                                                                    },
        {"1 %11 = ieq %1.x, %5\n1 %12 = @vote_any (%11)\n32 %10 = b2i32 %12\n",
         {1, 1, 1, 1, 0, 0, 0, 0}                                                                                    },
        {"1 %12 = @vote_ieq (%1.y)\n32 %10 = b2i32 %12\n",                               {1, 1, 1, 1, 1, 1, 1, 1}    },
        {"1 %12 = @elect\n32 %10 = b2i32 %12\n",                                         {1, 0, 0, 0, 1, 0, 0, 0}    },
        {"32 %10 = @last_invocation\n",                                                  {3, 3, 3, 3, 3, 3, 3, 3}    },
        {"1 %11 = uge %1.x, %4\n32x4 %12 = @ballot (%11)\n32 %10 = mov %12.x\n",
         {12, 12, 12, 12, 15, 15, 15, 15}                                                                            },
        {"1 %12 = @inverse_ballot (%6)\n32 %10 = b2i32 %12\n",                           {1, 1, 0, 0, 1, 1, 0, 0}    },
        {"32 %10 = @mbcnt_amd (%6, %5)\n",                                               {1, 2, 3, 3, 1, 2, 3, 3}    },
        {"32 %10 = @ballot_find_msb (%6)\n",                                             {1, 1, 1, 1, 1, 1, 1, 1}    },
        {"32 %10 = @ballot_bit_count_exclusive (%6)\n",                                  {0, 1, 2, 2, 0, 1, 2, 2}    },
        {"32 %11 = iand %1.x, %5\n32 %10 = @write_invocation_amd (%2, %4, %6)\n",
         {0, 0, 0, 2, 0, 0, 0, 2}                                                                                    },
        {"32 %10 = @load_subgroup_id\n",                                                 {0, 0, 0, 0, 1, 1, 1, 1}    },
        {"32 %10 = @load_num_subgroups\n",                                               {2, 2, 2, 2, 2, 2, 2, 2}    },
 /* a half that is not there takes part in nothing */
        {"1 %11 = uge %1.x, %5\nif %11 {\nblock b1:\n32 %12 = @reduce (%1.x) (reduction_op=iadd, "
         "cluster_size=0)\n} else {\nblock b2:\n}\n"
         "block b3:\n32 %10 = phi b1: %12, b2: %2\n",                           {0, 6, 6, 6, 22, 22, 22, 22}},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        char text[2048];
        (void)snprintf(text, sizeof text, "%s%s%s", BEGIN(8), rows[i].text, STORE("%10") END);
        expect(text, 4, 8, rows[i].want);
    }
}

static void vectors_are_put_together_and_taken_apart(void **state)
{
    (void)state;
    static const uint32_t want[2] = {0x30001, 0x30002};
    expect(BEGIN(2) "32 %9 = iadd %1.x, %5\n32x2 %10 = vec2 %9, %6\n64 %11 = pack_64_2x32 "
                    "%10\n16x4 %12 = unpack_64_4x16 %11\n"
                    "16x2 %13 = vec2 %12.x, %12.z\n32 %14 = pack_32_2x16 %13\n8x4 %15 = "
                    "unpack_32_4x8 %14\n"
                    "32 %16 = pack_32_4x8 %15\n16x2 %17 = unpack_32_2x16 %16\n32 %18 = "
                    "pack_32_2x16_split %17.x, %17.y\n" STORE("%18") END,
           2, 2, want);
}

static void memory_is_bounded(void **state)
{
    (void)state;
    /* beyond the end of a buffer, of 64 words: a load gives 0, a store does nothing */
    static const uint32_t zero[2] = {0, 0}, scratch[2] = {0, 1}, atomics[2] = {0, 5};
    expect(
        BEGIN(2) "32 %9 = load_const (0x40)\n@store_ssbo (%6, %8, %9) (wrmask=x, offset_shift=2)\n"
                 "32 %10 = @load_ssbo (%8, %9) (offset_shift=2)\n" STORE("%10") END,
        2, 2, zero);
    expect(BEGIN(2) "@store_scratch (%1.x, %2) (wrmask=x)\n32 %10 = @load_scratch (%2)\n" STORE(
               "%10") END,
           2, 2, scratch);
    /* the lowest invocation first: it finds 0 and leaves 5, to which the next one adds */
    expect(BEGIN(2) "32 %9 = load_const (0x5)\n32 %10 = @ssbo_atomic (%3, %2, %9) (atomic_op=iadd, "
                    "offset_shift=2)\n" STORE("%10") END,
           2, 2, atomics);
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_TURNIP, 2, 2);
    assert_false(nir_rig_run(
        &r, BEGIN(2) "32 %9 = load_const (0x10)\n@store_scratch (%9, %9) (wrmask=x)\n" END));
    assert_int_equal(r.answer.end, NIR_STUCK);
    assert_non_null(strstr(r.answer.text, "there is no scratch memory at 0x10"));
    arena_free(&r.a);
    nir_rig_make(&r, NIR_DRIVER_TURNIP, 2, 2);
    r.tc.bufs[1].kind = BUF_CONSTANT; /* then its descriptor is number 2 still, and the only one */
    assert_false(nir_rig_run(&r, BEGIN(2) STORE("%6") END));
    assert_int_equal(r.answer.end, NIR_STUCK);
    assert_int_equal(r.ob.status, RUN_SKIPPED);
    arena_free(&r.a);
}

static void what_has_no_end_is_stopped(void **state)
{
    (void)state;
    static const char *const texts[] = {
        BEGIN(2) "loop {\nblock b1:\n32 %10 = iadd %2, %5\n}\nblock b2:\n" END,
        BEGIN(2) "loop {\nblock b1:\n}\nblock b2:\n" END,
        BEGIN(2) "goto b1\nblock b1:\ngoto b1\n" END,
    };
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        static struct nir_rig r;
        nir_rig_make(&r, NIR_DRIVER_TURNIP, 2, 2);
        r.q.max_steps = 10000;
        assert_false(nir_rig_run(&r, texts[i]));
        assert_int_equal(r.answer.end, NIR_BUDGET);
        arena_free(&r.a);
    }
}

/* x / 16858 of 16 bits by the final NIR of three drivers. OpSDiv rounds toward zero: 0 for -1. Two of the texts round
 * to minus infinity, which is the driver's fault and what must come out of them. */
static void division_is_what_each_text_says(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        enum nir_driver driver;
        uint32_t size;
        int16_t of_minus_one, of_least;
    } rows[] = {
        {"radv-divide.txt",   NIR_DRIVER_RADV,   32, -1, -2},
        {"turnip-divide.txt", NIR_DRIVER_TURNIP, 64, -1, -2},
        {"nvk-divide.txt",    NIR_DRIVER_NVK,    32, 0,  -1},
    };
    static const int16_t dividends[] = {0, 1, 16857, 16858, 32767, -1, -32768};
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        nir_rig_make(&r, rows[i].driver, rows[i].size, 32);
        for (size_t k = 0; k < ARRAY_N(dividends); k++) {
            store_le(r.data[0] + 2 * k, (uint16_t)dividends[k], 2);
        }
        if (!nir_rig_run(&r, nir_rig_read(&r.a, rows[i].file))) {
            fail_msg("%s: %s", rows[i].file, r.answer.text);
        }
        for (size_t k = 0; k < ARRAY_N(dividends); k++) {
            int16_t const got = (int16_t)load_le(r.ob.out[1] + 2 * k, 2);
            int16_t const want = dividends[k] == -1       ? rows[i].of_minus_one
                                 : dividends[k] == -32768 ? rows[i].of_least
                                                          : (int16_t)(dividends[k] / 16858);
            if (got != want) {
                fail_msg("%s: %d / 16858 is %d, not %d", rows[i].file, dividends[k], got, want);
            }
        }
        assert_int_equal(r.answer.n_hardware, 0);
        assert_true(r.answer.n_instructions > 32 * 10);
        arena_free(&r.a);
    }
}

/* A shader that uses one of two sets must say by what it loads which one that is. */
static void sets_are_told_apart_or_not_at_all(void **state)
{
    (void)state;
#define RADV(base, component)                                                                      \
    "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n"                                            \
    "32 %0 = @load_scalar_arg_amd (base=0)\n32 %1 = load_const (0xffff8000)\n"                     \
    "64 %2 = pack_64_2x32_split %0, %1\n32 %3 = load_const (0x0)\n"                                \
    "32x4 %4 = @load_global_amd (%2, %3) (base=" base ")\n32 %5 = iadd %4." component ", %3\n}\n"
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_RADV, 32, 2);
    r.tc.bufs[1].set = 2; /* one buffer in set 0 and one in set 2 */
    assert_false(nir_rig_run(&r, RADV("0", "x")));
    assert_int_equal(r.answer.end, NIR_UNKNOWN);
    assert_non_null(strstr(r.answer.text, "readings fit"));
    assert_true(
        nir_rig_run(&r, "decl_var ssbo INTERP_MODE_NONE block #0 (~0, 0, 1)\n" RADV("0", "x")));
    r.tc.bufs[1].set = 0; /* two in set 0 */
    assert_true(nir_rig_run(&r, RADV("16", "w")));
    assert_false(nir_rig_run(&r, RADV("32", "x"))); /* beyond both */
    arena_free(&r.a);
}

/* Arguments of RADV: a pointer to descriptors, the number of work-groups, the id's components. */
#define RADV_BEGIN                                                                                 \
    "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n"                                            \
    "32 %0 = @load_scalar_arg_amd (base=0, arg_upper_bound_u32_amd=0)\n"                           \
    "32 %1 = load_const (0xffff8000)\n64 %2 = pack_64_2x32_split %0, %1\n"                         \
    "32 %3 = load_const (0x0)\n32x4 %4 = @load_global_amd (%2, %3) (base=16)\n"                    \
    "32 %8 = load_const (0x2)\n"

/* Two dispatches of two work-groups each: word i of buffer 1 is the number of work-groups of the dispatch and 16 times the
 * id of the work-group that invocation i is in, which counts through both. */
static void dispatches_count_their_own_work_groups(void **state)
{
    (void)state;
    static const char text[] =
        RADV_BEGIN "32x3 %5 = @load_scalar_arg_amd (base=1, arg_upper_bound_u32_amd=0)\n"
                   "32 %6 = @load_scalar_arg_amd (base=2, arg_upper_bound_u32_amd=0)\n"
                   "32 %7 = @load_vector_arg_amd (base=3, arg_upper_bound_u32_amd=1)\n"
                   "32 %9 = imad %6, %8, %7\n32 %10 = ishl %9, %8\n32 %12 = load_const (0x4)\n"
                   "32 %11 = ishl %6, %12\n32 %13 = iadd %11, %5.x\n"
                   "@store_ssbo (%13, %4, %10) (wrmask=x, offset_shift=0)\n}\n";
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_RADV, 32, 2);
    r.tc.global[0] = 8;
    r.tc.n_dispatches = 2;
    if (!nir_rig_run(&r, text)) {
        fail_msg("%s", r.answer.text);
    }
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(nir_rig_word(&r, 1, i), 2 + 16 * (i / 2));
    }
    assert_int_equal(nir_rig_word(&r, 1, 8), 0);
    arena_free(&r.a);
}

/* Of two arguments with the bound of y and z the first is y. A single one is the one that can differ; where both can, and
 * where two arguments have no bound, nothing is guessed. */
static void arguments_are_told_apart_or_not_at_all(void **state)
{
    (void)state;
    enum {
        NONE = -1
    };
    static const struct {
        int bounds[2];    /* of arguments 1 and 2 */
        int shown;        /* the argument that is stored */
        uint32_t x, y, z; /* work-groups */
        enum nir_end end;
        uint32_t want; /* the argument in the last work-group */
    } rows[] = {
        {{0, NONE},      1, 3, 1, 1, NIR_ENDED,   2},
        {{65535, 65535}, 1, 1, 3, 5, NIR_ENDED,   2},
        {{65535, 65535}, 2, 1, 3, 5, NIR_ENDED,   4},
        {{65535, NONE},  1, 2, 3, 1, NIR_ENDED,   2},
        {{65535, NONE},  1, 2, 1, 3, NIR_ENDED,   2},
        {{65535, NONE},  1, 1, 2, 3, NIR_UNKNOWN, 0},
        {{0, 0},         2, 3, 1, 1, NIR_UNKNOWN, 0},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static struct nir_rig r;
        char text[2048] = RADV_BEGIN;
        nir_rig_make(&r, NIR_DRIVER_RADV, 32, 2);
        r.tc.global[0] = 2 * rows[i].x;
        r.tc.global[1] = rows[i].y;
        r.tc.global[2] = rows[i].z;
        for (int k = 0; k < 2 && rows[i].bounds[k] != NONE; k++) {
            size_t const n = strlen(text);
            (void)snprintf(
                text + n, sizeof text - n,
                "32 %%1%d = @load_scalar_arg_amd (base=%d, arg_upper_bound_u32_amd=%d)\n", k + 1,
                k + 1, rows[i].bounds[k]);
        }
        size_t const n = strlen(text);
        (void)snprintf(text + n, sizeof text - n,
                       "@store_ssbo (%%1%d, %%4, %%3) (wrmask=x, offset_shift=0)\n}\n",
                       rows[i].shown);
        (void)nir_rig_run(&r, text);
        if (r.answer.end != rows[i].end) {
            fail_msg("row %zu: %s: %s", i, nir_end_names[r.answer.end], r.answer.text);
        }
        if (r.answer.end == NIR_ENDED) {
            assert_int_equal(nir_rig_word(&r, 1, 0), rows[i].want);
        }
        arena_free(&r.a);
    }
}

static void push_constants_are_where_the_driver_has_them(void **state)
{
    (void)state;
    static const char turnip[] =
        BEGIN(2) "32 %9 = @load_const_ir3 (%1.x) (base=1)\n" STORE("%9") END;
    static const char beyond[] = BEGIN(2) "32 %9 = @load_const_ir3 (%2) (base=4)\n" STORE("%9") END;
    static const char nvk[] =
        "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n32 %0 = load_const (0x0)\n"
        "32 %1 = load_const (0x1)\n32 %2 = @ldc_nv (%0, %0) (base=1796)\n1 %3 = load_const (true)\n"
        "32x2 %4 = @ldc_nv (%1, %0) (base=0)\n64 %5 = pack_64_2x32 %4\n"
        "@store_global_nv (%2, %0, %5) (base=0)\n}\n";
    static struct nir_rig r;
    unsigned char words[16];
    for (uint32_t i = 0; i < 4; i++) {
        store_le(words + 4 * i, 70 + i, 4);
    }
    nir_rig_make(&r, NIR_DRIVER_TURNIP, 2, 2);
    r.tc.n_bufs = 3;
    r.tc.bufs[2] = (struct buf){.kind = BUF_PUSH, .n_bytes = sizeof words, .data = words};
    assert_true(nir_rig_run(&r, turnip));
    assert_int_equal(nir_rig_word(&r, 1, 0), 71);
    assert_int_equal(nir_rig_word(&r, 1, 1), 72);
    assert_memory_equal(r.ob.out[2], words, sizeof words);
    assert_false(nir_rig_run(&r, beyond));
    assert_int_equal(r.answer.end, NIR_UNKNOWN);
    r.q.driver = NIR_DRIVER_NVK;
    r.q.subgroup_size = 32;
    assert_true(nir_rig_run(&r, nvk));
    assert_int_equal(nir_rig_word(&r, 0, 0), 71);
    arena_free(&r.a);
}

/* The sets of NVK's constant buffers: those whose storage buffers are named more often come first. */
static void constant_buffers_are_told_apart_or_not_at_all(void **state)
{
    (void)state;
#define NVK_BEGIN                                                                                  \
    "workgroup_size: 2, 1, 1\nimpl main {\nblock b0:\n32 %0 = load_const (0x0)\n"                  \
    "32 %1 = load_const (0x1)\n32 %2 = load_const (0x2)\n"
#define SECOND "32x2 %4 = @ldc_nv (%1, %0) (base=16)\n32x2 %7 = @ldc_nv (%1, %0) (base=0)\n"
#define OTHER                                                                                      \
    "32x2 %5 = @ldc_nv (%2, %0) (base=0)\n64 %6 = pack_64_2x32 %5\n@store_global_nv (%2, %0, %6) " \
    "(base=0)\n}\n"
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_NVK, 32, 2);
    r.tc.n_bufs = 3;
    r.tc.bufs[2] = r.tc.bufs[1];
    r.tc.bufs[1].set = r.tc.bufs[2].set = 3; /* one in set 0, two in set 3 */
    assert_true(
        nir_rig_run(&r, NVK_BEGIN SECOND OTHER)); /* the first has a second binding: set 3 */
    assert_int_equal(nir_rig_word(&r, 0, 0), 2);
    r.tc.bufs[0].set = 1; /* two sets of one, and one of them alone is used */
    r.tc.n_bufs = 2;
    assert_false(nir_rig_run(&r, NVK_BEGIN "32x2 %4 = @ldc_nv (%1, %0) (base=0)\n}\n"));
    assert_non_null(strstr(r.answer.text, "2 choices of sets"));
    arena_free(&r.a);
}

static void what_does_not_fit_the_case_is_refused(void **state)
{
    (void)state;
    static struct nir_rig r;
    nir_rig_make(&r, NIR_DRIVER_TURNIP, 2, 2);
    assert_false(nir_rig_run(&r, BEGIN(4) END));
    assert_int_equal(r.answer.end, NIR_BROKEN);
    r.q.subgroup_size = 0;
    assert_false(nir_rig_run(&r, BEGIN(2) END)); /* the text does not say it either */
    assert_int_equal(r.answer.end, NIR_UNKNOWN);
    r.q.subgroup_size = 3;
    assert_false(nir_rig_run(&r, BEGIN(2) END));
    r.q.subgroup_size = 2;
    assert_true(nir_rig_run(&r, BEGIN(2) END));
    r.tc.bufs[0].kind = BUF_VALUE; /* OpenCL's */
    assert_false(nir_rig_run(&r, BEGIN(2) END));
    assert_string_equal(r.answer.name, "value");
    arena_free(&r.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_of_a_branch_meet),
        cmocka_unit_test(invocations_of_a_loop_wait_for_each_other),
        cmocka_unit_test(a_convergence_barrier_gathers_what_leaves_a_loop),
        cmocka_unit_test(sub_groups_wait_at_a_barrier),
        cmocka_unit_test(invocations_of_a_sub_group_exchange),
        cmocka_unit_test(vectors_are_put_together_and_taken_apart),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(what_has_no_end_is_stopped),
        cmocka_unit_test(division_is_what_each_text_says),
        cmocka_unit_test(sets_are_told_apart_or_not_at_all),
        cmocka_unit_test(dispatches_count_their_own_work_groups),
        cmocka_unit_test(arguments_are_told_apart_or_not_at_all),
        cmocka_unit_test(push_constants_are_where_the_driver_has_them),
        cmocka_unit_test(constant_buffers_are_told_apart_or_not_at_all),
        cmocka_unit_test(what_does_not_fit_the_case_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

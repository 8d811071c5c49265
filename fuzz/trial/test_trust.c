/* fuzz/trial/test_trust.c -- what may be given to a driver: the generator's own cases, and of others those
 * that the interpreter vouches for. Each way out of a kernel that is known here is tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/kernel_args.h"
#include "fuzz/io/spirv.h"
#include "fuzz/trial/trust.h"
#include "gen/case/gen.h"
#include "gen/print/print.h"
#include "gen/tape/tape_random.h"
#include "oracle/judge/judge.h"
#include "oracle/vouch/vouch.h"
#include "tests/rig/trust_rig.h"

enum {
    N_ITEMS = 8,
    N_BYTES = N_ITEMS * 4
};

/* ---- a case of a text ---- */

struct rig {
    struct arena a;
    struct testcase tc;
};

/* A case of the module that the text is, with two buffers of zeros. */
static void make(struct rig *r, enum env env, const char *text)
{
    struct err e = {RES_OK, ""};
    arena_init(&r->a, (size_t)64 << 20);
    r->tc = (struct testcase){
        .env = env,
        .profile = "atomics",
        .gen_version = GEN_VERSION,
        .entry = "main",
        .build_options = "",
        .local = {4,       1, 1},
        .global = {N_ITEMS, 1, 1},
        .n_bufs = 2
    };
    for (uint32_t i = 0; i < 2; i++) {
        unsigned char *data = arena_take(&r->a, N_BYTES);
        assert_non_null(data);
        memset(data, 0, N_BYTES);
        r->tc.bufs[i] = (struct buf){.n_bytes = N_BYTES, .data = data};
    }
    enum res const res =
        spirv_assemble("case", text, strlen(text), &r->a, &r->tc.module, &r->tc.n_words, &e);
    if (res != RES_OK) {
        fail_msg("%s\n%s", e.text, text);
    }
}

/* ---- the attacks ---- */

/* Each attack changes the good module `control` in a few places, and must be refused for the reason that it
 * names; the control itself must be vouched for. */
static void attack_all(enum env env, const char *control, const struct module_attack *list,
                       size_t n)
{
    struct rig r;
    struct err e = {RES_OK, ""};
    make(&r, env, control);
    if (trust_vouch(&r.tc, &r.a, &e) != RES_OK) {
        fail_msg("the control: %s", e.text);
    }
    arena_free(&r.a);
    for (size_t i = 0; i < n; i++) {
        char text[TEXT_BYTES];
        change(text, control, list[i].from, list[i].to);
        make(&r, env, text);
        e.text[0] = '\0';
        enum res const res = vouch_case(&r.tc, &e);
        if (res == RES_OK || !strstr(e.text, list[i].reason)) {
            fail_msg("%s: %d, \"%s\" without \"%s\"", list[i].name, (int)res, e.text,
                     list[i].reason);
        }
        arena_free(&r.a);
    }
}

static void test_kernels(void **state)
{
    (void)state;
    attack_all(ENV_CL, kernel, on_kernel, ARRAY_N(on_kernel));
}

static void test_shaders(void **state)
{
    (void)state;
    attack_all(ENV_VK, shader, on_shader, ARRAY_N(on_shader));
}

/* What goes with a module: its options, its name, the kinds of its buffers. */
static void test_dispatch(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        int is_fit;
    } rows[] = {
        {"",                                  1},
        {" -cl-mad-enable  -cl-opt-disable ", 1},
        {"-I /tmp",                           0},
        {"-cl-mad-enable -DX",                0},
        {"-cl-mad-enablex",                   0},
        {"-cl-mad",                           0},
        {"-cl-mad-enable\n-I.",               0}
    };
    struct rig r;
    struct err e = {RES_OK, ""};
    make(&r, ENV_CL, kernel);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        r.tc.build_options = rows[i].options;
        assert_int_equal(vouch_case(&r.tc, &e) == RES_OK, rows[i].is_fit);
    }
    r.tc.build_options = "";
    r.tc.global[0] *= 2; /* the same module, more invocations than the buffers are for */
    assert_int_not_equal(vouch_case(&r.tc, &e), RES_OK);
    r.tc.global[0] = r.tc.local[0] = CASE_MAX_ITEMS;
    assert_int_not_equal(vouch_case(&r.tc, &e), RES_OK);
    arena_free(&r.a);
    make(&r, ENV_VK, shader);
    assert_int_equal(vouch_case(&r.tc, &e), RES_OK);
    r.tc.bufs[1].kind = BUF_TEXEL_R32F;
    assert_int_not_equal(vouch_case(&r.tc, &e), RES_OK);
    assert_non_null(strstr(e.text, "another kind"));
    arena_free(&r.a);
}

/* Addresses: one of a buffer of the case is followed, a number is never, nor is an address taken for a number. */
static void test_addresses(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(on_address); i++) {
        struct rig r;
        struct err e = {RES_OK, ""};
        char text[TEXT_BYTES];
        (void)snprintf(text, sizeof text, "%s", by_address);
        replace(text, on_address[i].from, on_address[i].to);
        make(&r, ENV_VK, text);
        r.tc.bufs[1].kind = BUF_ADDRESS;
        enum res const res = vouch_case(&r.tc, &e);
        if ((res == RES_OK) != (on_address[i].reason[0] == '\0') ||
            !strstr(e.text, on_address[i].reason)) {
            fail_msg("%s: %d, %s", on_address[i].to, (int)res, e.text);
        }
        r.tc.bufs[1].kind = BUF_STORAGE; /* then the number there is no address */
        assert_int_not_equal(vouch_case(&r.tc, &e), RES_OK);
        arena_free(&r.a);
    }
}

/* ---- the generator's own ---- */

static void generate(struct rig *r, enum profile profile, enum env env, uint64_t seed,
                     struct tape *tape)
{
    struct err e = {RES_OK, ""};
    struct rng rng = rng_seed(seed);
    arena_init(&r->a, (size_t)256 << 20);
    assert_int_equal(tape_random(tape, &rng, &r->a, &e), RES_OK);
    struct tape reader = *tape;
    assert_int_equal(gen_case(profile, env, &reader, &r->a, &r->tc, NULL, &e), RES_OK);
}

/* Remade from its tape a case is ours; with one bit changed it is not, and illegal ones cannot be vouched
 * for by their class. */
static void test_provenance(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct rig r;
        struct err e = {RES_OK, ""};
        struct tape tape;
        enum trust trust = TRUST_GIVEN;
        generate(&r, PROFILE_ALL, (enum env)(seed % 2), seed, &tape);
        assert_int_equal(trust_case("x", &r.tc, &tape, 0, &trust, &r.a, &e), RES_OK);
        assert_int_equal(trust, TRUST_OURS);
        r.tc.bufs[0].data[0] ^= 1;
        if (trust_case("x", &r.tc, &tape, 0, &trust, &r.a, &e) == RES_OK) {
            assert_int_equal(trust, TRUST_VOUCHED);
        }
        r.tc.build_options = "-I /tmp";
        assert_int_equal(trust_case("a\nb", &r.tc, &tape, 0, &trust, &r.a, &e), RES_USAGE);
        assert_non_null(strstr(e.text, "--trust"));
        assert_null(strchr(e.text, '\n'));
        assert_int_equal(trust_case("x", &r.tc, &tape, 1, &trust, &r.a, &e), RES_OK);
        assert_int_equal(trust, TRUST_GIVEN);
        arena_free(&r.a);
    }
}

/* A kernel whose last argument, behind a buffer, is of a type; what is said of it, "" where a case can give it. */
static const struct {
    const char *types, *what;
} argument_rows[] = {
    {"%t = OpTypePointer CrossWorkgroup %u\n",                 ""                                  },
    {"%t = OpTypePointer UniformConstant %u\n",                ""                                  },
    {"%t = OpTypeBool\n",                                      "a bool by value:"                  },
    {"%o = OpTypeBool\n%t = OpTypeVector %o 4\n",              "a vector of 4 components by value:"},
    {"%t = OpTypeArray %u %four\n",                            "an array by value:"                },
    {"%t = OpTypeStruct %u\n",                                 "a struct by value:"                },
    {"%s = OpTypeStruct %u\n%t = OpTypePointer Function %s\n", "a struct by value:"                },
    {"%t = OpTypePointer Workgroup %u\n",                      "a pointer to local memory:"        },
    {"%t = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n",   "an image or a sampler:"            },
};

static void make_argument(struct rig *r, const char *types)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
                   "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %%main \"main\"\n"
                   "OpName %%x \"scale\"\n%%void = OpTypeVoid\n%%u = OpTypeInt 32 0\n"
                   "%%four = OpConstant %%u 4\n%%p = OpTypePointer CrossWorkgroup %%u\n%s"
                   "%%ft = OpTypeFunction %%void %%p %%t\n%%fx = OpTypeFunction %%u %%u\n"
                   "%%f = OpFunction %%u None %%fx\n%%y = OpFunctionParameter %%u\n" /* no kernel */
                   "%%fl = OpLabel\nOpReturnValue %%y\nOpFunctionEnd\n"
                   "%%main = OpFunction %%void None %%ft\n%%b = OpFunctionParameter %%p\n"
                   "%%x = OpFunctionParameter %%t\n%%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
                   types);
    make(r, ENV_CL, text);
}

/* Such a kernel is not run on anybody's word. */
static void arguments_that_no_buffer_can_be(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(argument_rows); i++) {
        struct rig r;
        struct err e = {RES_OK, ""};
        enum trust trust = TRUST_OURS;
        const char *const what = argument_rows[i].what;
        make_argument(&r, argument_rows[i].types);
        enum res const got = trust_case("case", &r.tc, NULL, 1, &trust, &r.a, &e);
        if (!what[0]) {
            assert_int_equal(got, RES_OK);
            assert_string_equal(kernel_args_find_unsupported(&r.tc, &r.a), "");
        } else {
            assert_int_equal(got, RES_USAGE);
            char want[128];
            (void)snprintf(want, sizeof want, "case: not run: kernel argument 1 (scale) is %s",
                           what);
            if (!strstr(e.text, want)) {
                fail_msg("\"%s\", wanted \"%s\"", e.text, want);
            }
        }
        for (uint32_t n = 0; n < r.tc.n_words; n++) { /* cut anywhere, the words are read */
            struct testcase cut = r.tc;
            cut.n_words = n;
            assert_non_null(kernel_args_find_unsupported(&cut, &r.a));
            assert_non_null(kernel_args_find_misfit(&cut, &r.a));
        }
        r.tc.env = ENV_VK;
        assert_string_equal(kernel_args_find_unsupported(&r.tc, &r.a), "");
        arena_free(&r.a);
    }
}

/* Types of arguments by value, and their sizes as OpenCL C has them: a vector of 3 is as large as one of 4. */
static const struct {
    const char *types;
    uint32_t n_bytes;
} value_rows[] = {
    {"%t = OpTypeInt 8 0\n",                           1  },
    {"%t = OpTypeInt 16 0\n",                          2  },
    {"%t = OpTypeFloat 16\n",                          2  },
    {"%t = OpTypeFloat 32\n",                          4  },
    {"%t = OpTypeInt 64 0\n",                          8  },
    {"%t = OpTypeVector %u 2\n",                       8  },
    {"%t = OpTypeVector %u 3\n",                       16 },
    {"%t = OpTypeVector %u 4\n",                       16 },
    {"%d = OpTypeFloat 64\n%t = OpTypeVector %d 16\n", 128},
};

static void expect_misfit(struct rig *r, const char *want)
{
    struct err e = {RES_OK, ""};
    enum trust trust = TRUST_OURS;
    assert_int_equal(trust_case("case", &r->tc, NULL, 1, &trust, &r->a, &e),
                     want[0] ? RES_USAGE : RES_OK);
    assert_string_equal(kernel_args_find_unsupported(&r->tc, &r->a), "");
    if (!strstr(e.text, want)) {
        fail_msg("\"%s\", wanted \"%s\"", e.text, want);
    }
}

/* A buffer of kind "value" is the argument where its size is the type's, and nothing else is. */
static void arguments_by_value_have_their_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(value_rows); i++) {
        struct rig r;
        char want[128];
        uint32_t const n_bytes = value_rows[i].n_bytes;
        make_argument(&r, value_rows[i].types);
        assert_int_equal(r.tc.n_bufs, 2);
        (void)snprintf(want, sizeof want,
                       "by value: it needs a buffer of kind \"value\" and %u bytes, and", n_bytes);
        expect_misfit(&r, want); /* memory, as yet */
        r.tc.bufs[1].kind = BUF_VALUE;
        r.tc.bufs[1].n_bytes = n_bytes;
        expect_misfit(&r, "");
        r.tc.bufs[1].n_bytes = n_bytes - 1;
        expect_misfit(&r, want);
        r.tc.bufs[1].n_bytes = n_bytes + 1;
        expect_misfit(&r, want);
        r.tc.bufs[1].n_bytes = n_bytes;
        r.tc.bufs[0].kind = BUF_VALUE;
        expect_misfit(&r, "kernel argument 0 is a pointer to global memory: it needs memory, and");
        r.tc.bufs[0].kind = BUF_STORAGE;
        r.tc.n_bufs = 1;
        expect_misfit(&r, "and the case gives it none");
        arena_free(&r.a);
    }
}

/* What came of a run of one says nothing of the driver; that it was refused when it was built, or that the driver died, does. */
static void nobody_is_accused_of_an_argument(void **state)
{
    (void)state;
    static const struct {
        enum run_status status;
        enum run_phase phase;
        enum verdict_kind by_struct, by_pointer;
    } rows[] = {
        {RUN_REJECT, PHASE_RUN,   VERDICT_INCONCLUSIVE, VERDICT_REJECT},
        {RUN_REJECT, PHASE_BUILD, VERDICT_REJECT,       VERDICT_REJECT},
        {RUN_CRASH,  PHASE_RUN,   VERDICT_CRASH,        VERDICT_CRASH },
        {RUN_BUILT,  PHASE_BUILD, VERDICT_BUILT,        VERDICT_BUILT },
        {RUN_DONE,   PHASE_DONE,  VERDICT_INCONCLUSIVE, VERDICT_OK    },
    };
    for (size_t i = 0; i < 2 * ARRAY_N(rows); i++) {
        struct rig r;
        struct judgement g;
        struct err e = {RES_OK, ""};
        bool const is_struct = i % 2 != 0;
        make_argument(&r, is_struct ? "%t = OpTypeStruct %u\n" : argument_rows[0].types);
        struct observation ob = {.status = rows[i / 2].status,
                                 .phase = rows[i / 2].phase,
                                 .driver_code = -51,
                                 .log = "clSetKernelArg: CL_INVALID_ARG_SIZE (-51)",
                                 .signature = "",
                                 .facts = "api=opencl\n",
                                 .n_bufs = rows[i / 2].status == RUN_DONE ? 2 : 0};
        for (uint32_t k = 0; k < ob.n_bufs; k++) {
            ob.out[k] = r.tc.bufs[k].data;
        }
        assert_int_equal(judge_run(&r.tc, &ob, &r.a, &g, &e), RES_OK);
        assert_int_equal(g.kind, is_struct ? rows[i / 2].by_struct : rows[i / 2].by_pointer);
        if (g.kind == VERDICT_INCONCLUSIVE) {
            assert_non_null(strstr(g.note, "kernel argument 1 (scale) is a struct by value"));
            assert_int_equal(g.n_findings, 0);
            assert_true(judgement_is_open(&g));
        }
        arena_free(&r.a);
    }
}

/* Source text is believed only where it is what the module says: one that was changed could be any program. */
static void test_source(void **state)
{
    (void)state;
    uint32_t n = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct rig r;
        struct err e = {RES_OK, ""};
        struct tape tape;
        enum trust trust = TRUST_GIVEN;
        generate(&r, PROFILE_ATOMICS, ENV_CL, seed, &tape);
        if (print_set_language(&r.tc, LANGUAGE_OPENCL_C, &r.a, &e) != RES_OK) {
            arena_free(&r.a); /* the language has no words for it */
            continue;
        }
        assert_int_equal(trust_case("x", &r.tc, &tape, 0, &trust, &r.a, &e), RES_OK);
        assert_int_equal(trust, TRUST_OURS);
        n += trust_case("x", &r.tc, NULL, 0, &trust, &r.a, &e) == RES_OK;
        r.tc.source = arena_printf(&r.a, "%s// and more\n", r.tc.source);
        assert_int_equal(trust_case("x", &r.tc, &tape, 0, &trust, &r.a, &e), RES_USAGE);
        assert_non_null(strstr(e.text, "differs from the text that halfulp prints"));
        arena_free(&r.a);
    }
    assert_true(n > 5); /* and vouched for without the tape */
}

/* What is illegal on purpose is ours as well. */
static void test_illegal(void **state)
{
    (void)state;
    uint32_t n = 0;
    for (uint64_t seed = 1; seed <= 400 && n < 5; seed++) {
        struct rig r;
        struct err e = {RES_OK, ""};
        struct tape tape;
        enum trust trust = TRUST_GIVEN;
        generate(&r, PROFILE_MAXERROR, ENV_CL, seed, &tape);
        if (r.tc.class == CLASS_ILLEGAL) {
            n++;
            assert_int_equal(trust_case("x", &r.tc, &tape, 0, &trust, &r.a, &e), RES_OK);
            assert_int_equal(trust, TRUST_OURS);
        }
        arena_free(&r.a);
    }
    assert_int_equal(n, 5);
}

/* Nearly all of what the generator makes would be vouched for without its tape. */
static void test_generated(void **state)
{
    (void)state;
    uint32_t n = 0, n_vouched = 0;
    for (int profile = 0; profile < PROFILE_DRAWN_N; profile++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct rig r;
            struct err e = {RES_OK, ""};
            struct tape tape;
            generate(&r, (enum profile)profile, (enum env)(seed % 2), 1000 + seed, &tape);
            n++;
            bool const is_vouched = trust_vouch(&r.tc, &r.a, &e) == RES_OK;
            n_vouched += is_vouched;
            if (!is_vouched) {
                print_message("profile %d seed %d: %s\n", profile, (int)seed, e.text);
            }
            arena_free(&r.a);
        }
    }
    print_message("%u of %u generated cases are vouched for\n", (unsigned)n_vouched, (unsigned)n);
    assert_true(n_vouched * 100 >= n * 95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_shaders),
        cmocka_unit_test(test_dispatch),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_provenance),
        cmocka_unit_test(arguments_that_no_buffer_can_be),
        cmocka_unit_test(arguments_by_value_have_their_size),
        cmocka_unit_test(nobody_is_accused_of_an_argument),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_illegal),
        cmocka_unit_test(test_generated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

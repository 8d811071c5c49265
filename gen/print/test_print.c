/* gen/print/test_print.c -- OpenCL C of cases: what is said, how, and what has no words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "gen/case/gen.h"
#include "gen/print/forms.h"
#include "gen/print/print.h"
#include "gen/tape/tape_random.h"
#include "gen/view/view.h"

enum {
    N_CASES = 600, /* per profile */
    N_FORMS = 20000,
    ARENA_BYTES = 64 << 20
};

struct fixture {
    struct arena a;
    struct testcase tc;
    struct err e;
};

static struct fixture *fixture_new(void)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    arena_init(&f->a, ARENA_BYTES);
    return f;
}

static void fixture_free(struct fixture *f)
{
    arena_free(&f->a);
    free(f);
}

static void make(struct fixture *f, enum profile profile, enum env env, struct rng *rng)
{
    struct tape t;
    arena_reset(&f->a);
    assert_int_equal(tape_random(&t, rng, &f->a, NULL), RES_OK);
    assert_int_equal(gen_case(profile, env, &t, &f->a, &f->tc, NULL, &f->e), RES_OK);
}

/* The only things that a generated case may have and the language not. */
static bool is_known_gap(const char *why)
{
    static const char *const gaps[] = {
        "no words for a specialization constant",
        "no words for a comparison of vectors",
        "no words for a selection by a vector of truth values",
        "no words for a vector of truth values", /* what such a selection is by */
        "no words for a structure",
        "no words for instruction 77",  /* VectorExtractDynamic */
        "no words for instruction 78",  /* VectorInsertDynamic */
        "no words for instruction 79",  /* VectorShuffle */
        "no words for instruction 82",  /* CompositeInsert */
        "no words for instruction 139", /* SMod */
        "no words for instruction 149", /* IAddCarry */
        "no words for instruction 15",  /* ISubBorrow, UMulExtended, SMulExtended, Any, All */
        "no words for instruction 140", /* FRem */
        "no words for instruction 141", /* FMod */
        "no words for a dot product of other vectors than four bytes",
        "no words for instruction 500", /* AMD's, 5000 to 5007 */
        "no words for an instruction of another set than OpenCL.std",
        "no words for group instruction ",
        "no words for an atomic on 16 bits",
        "no words for bfloat16",
        "no words for a type that is none of numbers", /* structs, arrays of them */
    };
    for (size_t i = 0; i < ARRAY_N(gaps); i++) {
        if (strstr(why, gaps[i])) {
            return true;
        }
    }
    return false;
}

/* OpenCL C has no atomics on 16 bits but those of half. */
static bool has_small_atomics(const struct testcase *tc)
{
    return needs_has(&tc->needs, NEED_CL_BF16) || needs_has(&tc->needs, NEED_CL_I16_CMPXCHG) ||
           needs_has(&tc->needs, NEED_CL_I16_ATOMICS);
}

static bool has_decoration(const struct testcase *tc, uint32_t decoration)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &offset, &in)) {
        if (in.op == SpvOpDecorate && in.n > 2 && in.w[2] == decoration) {
            return true;
        }
    }
    return false;
}

static bool has_mode(const struct testcase *tc, uint32_t mode)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t entry = 0;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &offset, &in)) {
        entry = view_is_entry(&in, tc->entry) ? in.w[2] : entry;
        if (in.op == SpvOpExecutionMode && in.n > 2 && in.w[1] == entry && in.w[2] == mode) {
            return true;
        }
    }
    return false;
}

/* Braces and parentheses in pairs, and the kernel. */
static void expect_well_formed(const char *text)
{
    int braces = 0, parentheses = 0;
    for (const char *c = text; *c; c++) {
        braces += (*c == '{') - (*c == '}');
        parentheses += (*c == '(') - (*c == ')');
        assert_true(braces >= 0 && parentheses >= 0);
    }
    assert_int_equal(braces, 0);
    assert_int_equal(parentheses, 0);
    assert_non_null(strstr(text, "__kernel "));
    assert_non_null(strstr(text, "void main_kernel("));
}

static void expect_printed(struct fixture *f)
{
    assert_int_equal(f->tc.language, LANGUAGE_OPENCL_C);
    expect_well_formed(f->tc.source);
    assert_false(has_decoration(&f->tc, SPV_DEC_FP_MAX_ERROR_INTEL));
    assert_false(has_decoration(&f->tc, SpvDecorationFPFastMathMode));
    bool const is_off = has_mode(&f->tc, SpvExecutionModeContractionOff);
    assert_true((strstr(f->tc.source, "FP_CONTRACT OFF") != NULL) == is_off);
    assert_true((strstr(f->tc.source, "FP_CONTRACT ON") != NULL) == !is_off);
    assert_true(needs_has(&f->tc.needs, NEED_CL_C_3_0));
    assert_false(needs_has(&f->tc.needs, NEED_CL_IL_1_0));
    assert_int_equal(strncmp(f->tc.build_options, "-cl-std=CL3.0", 13), 0);
}

static void cases_are_printed_or_have_a_known_gap(void **state)
{
    struct fixture *const f = fixture_new();
    struct rng rng = rng_seed(1);
    (void)state;
    for (int profile = 0; profile < PROFILE_DRAWN_N; profile++) {
        uint32_t n_printed = 0;
        for (uint32_t i = 0; i < N_CASES; i++) {
            make(f, (enum profile)profile, ENV_CL, &rng);
            struct testcase const before = f->tc;
            if (print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e) != RES_OK) {
                if (!is_known_gap(f->e.text)) {
                    fail_msg("%s", f->e.text);
                }
                assert_memory_equal(&before, &f->tc, sizeof before);
                continue;
            }
            n_printed++;
            expect_printed(f);
        }
        /* most programs have one or the other of what the language has no words for */
        assert_true(profile == PROFILE_PROGRAMS ? n_printed > 0 : n_printed * 10 > N_CASES * 6);
    }
    fixture_free(f);
}

/* A text of such a module would be a legal one. */
static void broken_rules_are_not_printed(void **state)
{
    struct fixture *const f = fixture_new();
    struct rng rng = rng_seed(3);
    uint32_t n_broken = 0;
    (void)state;
    for (uint32_t i = 0; i < N_CASES; i++) {
        make(f, PROFILE_REFUSALS, ENV_CL, &rng);
        if (f->tc.class == CLASS_ILLEGAL) {
            n_broken++;
            assert_int_equal(print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e),
                             RES_LIMIT);
        }
    }
    assert_true(n_broken > N_CASES / 2);
    fixture_free(f);
}

/* Printing is a function of the case: the reducer and whoever checks a foreign case print it again. */
static void printing_again_changes_nothing(void **state)
{
    struct fixture *const f = fixture_new();
    struct rng rng = rng_seed(2);
    (void)state;
    for (uint32_t i = 0; i < N_CASES; i++) {
        make(f, PROFILE_ALL, ENV_CL, &rng);
        if (print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e) != RES_OK) {
            continue;
        }
        struct testcase again = f->tc;
        assert_int_equal(print_set_language(&again, LANGUAGE_OPENCL_C, &f->a, &f->e), RES_OK);
        assert_string_equal(again.source, f->tc.source);
        assert_string_equal(again.build_options, f->tc.build_options);
        assert_int_equal(again.n_words, f->tc.n_words);
        assert_memory_equal(again.module, f->tc.module, again.n_words * sizeof *again.module);
        assert_memory_equal(&again.needs, &f->tc.needs, sizeof again.needs);
    }
    fixture_free(f);
}

static void the_way_back_is_the_module(void **state)
{
    struct fixture *const f = fixture_new();
    struct rng rng = rng_seed(3);
    uint32_t n_printed = 0;
    (void)state;
    for (uint32_t i = 0; i < N_CASES; i++) {
        make(f, PROFILE_ATOMICS, ENV_CL, &rng);
        if (has_small_atomics(&f->tc)) {
            continue;
        }
        struct testcase const before = f->tc;
        if (print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e) != RES_OK) {
            assert_true(is_known_gap(f->e.text));
            continue;
        }
        n_printed++;
        assert_int_equal(print_set_language(&f->tc, LANGUAGE_SPIRV, &f->a, &f->e), RES_OK);
        assert_string_equal(f->tc.source, "");
        assert_string_equal(f->tc.build_options, before.build_options);
        assert_memory_equal(&f->tc.needs, &before.needs, sizeof before.needs);
        assert_int_equal(f->tc.n_words, before.n_words);
        assert_memory_equal(f->tc.module, before.module, before.n_words * sizeof *before.module);
    }
    assert_true(n_printed > N_CASES / 2);
    fixture_free(f);
}

/* All spellings of an atomic occur, each function in each. */
static void spellings_are_drawn(void **state)
{
    /* SHOWS(FA_VOLATILE) */
    static const char *const wanted[] = {
        "atomic_load((",
        "atomic_load_explicit(",
        "atomic_store((",
        "atomic_store_explicit(",
        "atomic_exchange((",
        "atomic_exchange_explicit(",
        "atomic_fetch_add((",
        "atomic_fetch_add_explicit(",
        "atomic_fetch_sub((",
        "atomic_fetch_sub_explicit(",
        "atomic_fetch_min((",
        "atomic_fetch_min_explicit(",
        "atomic_fetch_max((",
        "atomic_fetch_max_explicit(",
        "atomic_init((",
        "compare_exchange_strong(",
        "compare_exchange_strong_explicit(",
        "(volatile __global atomic_float *)",
        "(__global atomic_float *)",
        "(volatile __local atomic_float *)",
        "(__local atomic_float *)",
        "(volatile atomic_float *)",
        "(atomic_float *)",
        "atomic_half *",
        "atomic_double *",
        "memory_order_relaxed)",
        "memory_scope_work_group)",
        "(memory_order)(memory_order_seq_cst + ",
        "(memory_scope)(memory_scope_device + ",
    };
    bool is_seen[ARRAY_N(wanted)] = {false};
    struct fixture *const f = fixture_new();
    struct rng rng = rng_seed(4);
    (void)state;
    for (uint32_t i = 0; i < 4 * N_CASES; i++) {
        make(f, PROFILE_ATOMICS, ENV_CL, &rng);
        if (has_small_atomics(&f->tc)) {
            continue;
        }
        if (print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e) != RES_OK) {
            assert_true(is_known_gap(f->e.text));
            continue;
        }
        for (size_t k = 0; k < ARRAY_N(wanted); k++) {
            is_seen[k] |= strstr(f->tc.source, wanted[k]) != NULL;
        }
    }
    for (size_t k = 0; k < ARRAY_N(wanted); k++) {
        if (!is_seen[k]) {
            fail_msg("not once in the text: %s", wanted[k]);
        }
    }
    fixture_free(f);
}

/* Each function of the extension, on each type and address space, in each form. */
static void all_forms_are_drawn(void **state)
{
    /* SHOWS(FA_GLOBAL_ADD, FA_LOCAL_ADD, FA_LOADS, FA_ADDS, FA_MINIMA, FA_VOLATILE) */
    struct forms *const forms = calloc(1, sizeof *forms);
    struct fixture *const f = fixture_new();
    struct rng rng = rng_seed(7);
    (void)state;
    assert_non_null(forms);
    for (uint32_t i = 0; i < N_FORMS; i++) {
        make(f, PROFILE_ATOMICS, ENV_CL, &rng);
        if (has_small_atomics(&f->tc)) {
            continue;
        }
        if (print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e) != RES_OK) {
            assert_true(is_known_gap(f->e.text));
            continue;
        }
        forms_add(forms, f->tc.source);
    }
    /* floats: load, store, exchange, add, sub, min, max of three types in three spaces */
    for (uint32_t i = 0; i < 7 * 3 * FORMS_SPACES * FORMS_SPELLINGS; i++) {
        uint32_t const spelling = i % FORMS_SPELLINGS;
        uint32_t const space = i / FORMS_SPELLINGS % FORMS_SPACES;
        uint32_t const type = i / FORMS_SPELLINGS / FORMS_SPACES % 3;
        uint32_t const function = i / FORMS_SPELLINGS / FORMS_SPACES / 3;
        bool const is_rare = space == 2 && spelling == 0; /* generic, and plain */
        if (!is_rare && forms->n[function][type][space][spelling] == 0) {
            fail_msg("function %u, type %u, space %u: not once in form %u", function, type, space,
                     spelling);
        }
    }
    free(forms);
    fixture_free(f);
}

static void a_case_of_vulkan_has_no_words(void **state)
{
    struct fixture *const f = fixture_new();
    struct rng rng = rng_seed(5);
    (void)state;
    make(f, PROFILE_ATOMICS, ENV_VK, &rng);
    assert_int_equal(print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e), RES_LIMIT);
    assert_string_equal(f->e.text, "OpenCL C has no words for a case of vulkan");
    assert_int_equal(f->tc.language, LANGUAGE_SPIRV);
    fixture_free(f);
}

/* Any words of a module, broken ones too, are printed or refused. */
static void broken_modules_are_refused(void **state)
{
    struct fixture *const f = fixture_new();
    struct rng rng = rng_seed(6);
    (void)state;
    for (uint32_t i = 0; i < 4 * N_CASES; i++) {
        make(f, PROFILE_ALL, ENV_CL, &rng);
        uint32_t *const words = arena_copy(&f->a, f->tc.module, f->tc.n_words * sizeof *words);
        assert_non_null(words);
        for (uint32_t k = 0; k < 3; k++) {
            uint64_t const at = rng_below(&rng, f->tc.n_words);
            words[at] = k ? (uint32_t)rng_below(&rng, 64) : (uint32_t)rng_next(&rng);
        }
        f->tc.module = words;
        enum res const r = print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e);
        assert_true(r == RES_OK || r == RES_LIMIT || r == RES_FORMAT);
    }
    fixture_free(f);
}

/* ---- modules by hand ---- */

#define PUT(words, op, ...)                                                                        \
    spv_put(words, SpvOp##op, (uint32_t[]){__VA_ARGS__},                                           \
            sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* A kernel that loads two integers of n_bits, x and y, and stores what `op` makes of them. A selection is of y and x, as
 * x is the smaller one. Its text is in f->tc.source. */
static void print_operation(struct fixture *f, uint32_t op, uint32_t n_bits)
{
    enum {
        MAIN = 1,
        NUMBER,
        UINT,
        INDEX_0,
        INDEX_1,
        VOID,
        POINTER,
        FUNCTION,
        PARAMETER,
        LABEL,
        FIRST,
        SECOND,
        X,
        Y,
        RESULT,
        BOOL,
        IS_LESS,
        N
    };
    struct spv_words w;
    arena_reset(&f->a);
    spv_words_init(&w, &f->a);
    PUT(&w, Capability, SpvCapabilityKernel);
    PUT(&w, MemoryModel, SpvAddressingModelPhysical64, SpvMemoryModelOpenCL);
    spv_put_string(&w, SpvOpEntryPoint, (uint32_t[]){SpvExecutionModelKernel, MAIN}, 2,
                   "main_kernel", NULL, 0);
    PUT(&w, TypeInt, UINT, 32, 0);
    uint32_t const number = n_bits == 32 ? UINT : NUMBER;
    if (n_bits != 32) {
        PUT(&w, TypeInt, NUMBER, n_bits, 0);
    }
    PUT(&w, TypeBool, BOOL);
    PUT(&w, TypeVoid, VOID);
    PUT(&w, TypePointer, POINTER, SpvStorageClassCrossWorkgroup, number);
    PUT(&w, TypeFunction, FUNCTION, VOID, POINTER);
    PUT(&w, Constant, UINT, INDEX_0, 0);
    PUT(&w, Constant, UINT, INDEX_1, 1);
    PUT(&w, Function, VOID, MAIN, 0, FUNCTION);
    PUT(&w, FunctionParameter, POINTER, PARAMETER);
    PUT(&w, Label, LABEL);
    PUT(&w, InBoundsPtrAccessChain, POINTER, FIRST, PARAMETER, INDEX_0);
    PUT(&w, InBoundsPtrAccessChain, POINTER, SECOND, PARAMETER, INDEX_1);
    PUT(&w, Load, number, X, FIRST);
    PUT(&w, Load, number, Y, SECOND);
    if (op == SpvOpSelect) {
        PUT(&w, ULessThan, BOOL, IS_LESS, X, Y);
        PUT(&w, Select, number, RESULT, IS_LESS, Y, X);
    } else {
        uint32_t const n = op == SpvOpNot || op == SpvOpSNegate ? 3 : 4;
        spv_put(&w, op, (uint32_t[]){number, RESULT, X, Y}, n);
    }
    PUT(&w, Store, FIRST, RESULT);
    spv_put(&w, SpvOpReturn, NULL, 0);
    spv_put(&w, SpvOpFunctionEnd, NULL, 0);
    assert_true(w.ok);
    uint32_t *const module = ARENA_NEW(&f->a, uint32_t, w.n + SPV_HEADER_WORDS);
    assert_non_null(module);
    uint32_t const header[SPV_HEADER_WORDS] = {SpvMagicNumber, 0x10000, 0, N, 0};
    memcpy(module, header, sizeof header);
    memcpy(module + SPV_HEADER_WORDS, w.w, w.n * sizeof *w.w);
    f->tc = (struct testcase){.env = ENV_CL,
                              .profile = "atomics",
                              .module = module,
                              .n_words = w.n + SPV_HEADER_WORDS,
                              .source = "",
                              .entry = "main_kernel",
                              .build_options = ""};
    assert_int_equal(print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e), RES_OK);
    expect_well_formed(f->tc.source);
}

/* A kernel's arguments by value are parameters of their type, in their place among the buffers. */
static void values_are_parameters(void **state)
{
    enum {
        MAIN = 1,
        UINT,
        FLOAT,
        HALF,
        INT4,
        VOID,
        POINTER,
        FUNCTION,
        X,
        OUT,
        V,
        H,
        LABEL,
        FIRST,
        BITS,
        SUM,
        N
    };
    static const uint32_t header[SPV_HEADER_WORDS] = {SpvMagicNumber, 0x10000, 0, N, 0};
    (void)state;
    struct fixture *const f = fixture_new();
    struct spv_words w;
    spv_words_init(&w, &f->a);
    PUT(&w, Capability, SpvCapabilityKernel);
    PUT(&w, MemoryModel, SpvAddressingModelPhysical64, SpvMemoryModelOpenCL);
    spv_put_string(&w, SpvOpEntryPoint, (uint32_t[]){SpvExecutionModelKernel, MAIN}, 2,
                   "main_kernel", NULL, 0);
    PUT(&w, TypeInt, UINT, 32, 0);
    PUT(&w, TypeFloat, FLOAT, 32);
    PUT(&w, TypeFloat, HALF, 16);
    PUT(&w, TypeVector, INT4, UINT, 4);
    PUT(&w, TypeVoid, VOID);
    PUT(&w, TypePointer, POINTER, SpvStorageClassCrossWorkgroup, UINT);
    PUT(&w, TypeFunction, FUNCTION, VOID, FLOAT, POINTER, INT4, HALF);
    PUT(&w, Function, VOID, MAIN, 0, FUNCTION);
    PUT(&w, FunctionParameter, FLOAT, X);
    PUT(&w, FunctionParameter, POINTER, OUT);
    PUT(&w, FunctionParameter, INT4, V);
    PUT(&w, FunctionParameter, HALF, H);
    PUT(&w, Label, LABEL);
    PUT(&w, CompositeExtract, UINT, FIRST, V, 2);
    PUT(&w, Bitcast, UINT, BITS, X);
    PUT(&w, IAdd, UINT, SUM, FIRST, BITS);
    PUT(&w, Store, OUT, SUM);
    spv_put(&w, SpvOpReturn, NULL, 0);
    spv_put(&w, SpvOpFunctionEnd, NULL, 0);
    assert_true(w.ok);
    uint32_t *const module = ARENA_NEW(&f->a, uint32_t, w.n + SPV_HEADER_WORDS);
    assert_non_null(module);
    memcpy(module, header, sizeof header);
    memcpy(module + SPV_HEADER_WORDS, w.w, w.n * sizeof *w.w);
    f->tc = (struct testcase){.env = ENV_CL,
                              .profile = "atomics",
                              .module = module,
                              .n_words = w.n + SPV_HEADER_WORDS,
                              .source = "",
                              .entry = "main_kernel",
                              .build_options = ""};
    assert_int_equal(print_set_language(&f->tc, LANGUAGE_OPENCL_C, &f->a, &f->e), RES_OK);
    expect_well_formed(f->tc.source);
    if (!strstr(f->tc.source, "main_kernel(float b0, __global uint *b1, uint4 b2, half b3)")) {
        fail_msg("%s", f->tc.source);
    }
    assert_non_null(strstr(f->tc.source, "b2.s2"));
    assert_non_null(strstr(f->tc.source, "as_uint(b0)"));
    fixture_free(f);
}

/* C99 6.3.1.1: operands narrower than int become ints; 6.5: an int that overflows is undefined. A SPIR-V product and
 * shift keep the low bits of any operands, so neither may be computed in an int that it does not fit. */
static void narrow_integers_overflow_no_int(void **state)
{
    static const struct {
        uint32_t op, n_bits;
        const char *text;
    } wanted[] = {
        {SpvOpIMul,                 16, "(ushort)((uint)v13 * (uint)v14)"  },
        {SpvOpIMul,                 8,  "(uchar)((uint)v13 * (uint)v14)"   },
        {SpvOpIMul,                 32, " = v13 * v14;"                    },
        {SpvOpIMul,                 64, " = v13 * v14;"                    },
        {SpvOpShiftLeftLogical,     16, "(ushort)((uint)v13 << v14)"       },
        {SpvOpShiftLeftLogical,     8,  "(uchar)((uint)v13 << v14)"        },
        {SpvOpShiftLeftLogical,     32, " = v13 << v14;"                   },
 /* these fit an int whatever the operands are */
        {SpvOpIAdd,                 16, "(ushort)(v13 + v14)"              },
        {SpvOpISub,                 16, "(ushort)(v13 - v14)"              },
        {SpvOpSNegate,              16, "(ushort)(-v13)"                   },
        {SpvOpNot,                  16, "(ushort)(~v13)"                   },
        {SpvOpShiftRightArithmetic, 16, "(ushort)((short)v13 >> v14)"      },
        {SpvOpSDiv,                 16, "(ushort)((short)v13 / (short)v14)"},
 /* `?:` of two ushorts is an int, which as_half does not take */
        {SpvOpSelect,               16, "(ushort)((v13 < v14) ? v14 : v13)"},
        {SpvOpSelect,               32, " = (v13 < v14) ? v14 : v13;"      },
    };
    struct fixture *const f = fixture_new();
    (void)state;
    for (size_t i = 0; i < ARRAY_N(wanted); i++) {
        print_operation(f, wanted[i].op, wanted[i].n_bits);
        if (!strstr(f->tc.source, wanted[i].text)) {
            fail_msg("operation %u on %u bits, wanted %s: %s", wanted[i].op, wanted[i].n_bits,
                     wanted[i].text, f->tc.source);
        }
    }
    fixture_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_printed_or_have_a_known_gap),
        cmocka_unit_test(broken_rules_are_not_printed),
        cmocka_unit_test(printing_again_changes_nothing),
        cmocka_unit_test(the_way_back_is_the_module),
        cmocka_unit_test(spellings_are_drawn),
        cmocka_unit_test(all_forms_are_drawn),
        cmocka_unit_test(a_case_of_vulkan_has_no_words),
        cmocka_unit_test(broken_modules_are_refused),
        cmocka_unit_test(narrow_integers_overflow_no_int),
        cmocka_unit_test(values_are_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

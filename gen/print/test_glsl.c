/* gen/print/test_glsl.c -- GLSL of Vulkan cases: what is said, how, and what has no words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spv.h"
#include "gen/case/gen.h"
#include "gen/print/print.h"
#include "gen/tape/tape_random.h"

enum {
    N_CASES = 400, /* per profile */
    ARENA_BYTES = 64 << 20
};

struct fixture {
    struct arena a;
    struct testcase tc;
    struct err e;
};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    if (!f) {
        return -1;
    }
    arena_init(&f->a, ARENA_BYTES);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    arena_free(&f->a);
    free(f);
    return 0;
}

static void make(struct fixture *f, enum profile profile, enum env env, struct rng *rng)
{
    struct tape t;
    arena_reset(&f->a);
    assert_int_equal(tape_random(&t, rng, &f->a, NULL), RES_OK);
    assert_int_equal(gen_case(profile, env, &t, &f->a, &f->tc, NULL, &f->e), RES_OK);
}

/* ---- modules by hand ---- */

/* A module with the main function that `body` puts, over a buffer of `n` floats of n_bits as its elements. */
enum {
    ID_MAIN = 1,
    ID_FLOAT,
    ID_ELEMENT,
    ID_UINT,
    ID_ARRAY,
    ID_BLOCK,
    ID_BLOCK_POINTER,
    ID_BUFFER,
    ID_VOID,
    ID_FUNCTION,
    ID_POINTER,
    ID_INDEX_0,
    ID_INDEX_1,
    ID_VALUE,
    ID_SCALAR,
    ID_LABEL,
    ID_PLACE,
    ID_RESULT,
    ID_SUM,
    ID_N
};

#define PUT(words, op, ...)                                                                        \
    spv_put(words, SpvOp##op, (uint32_t[]){__VA_ARGS__},                                           \
            sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void put_types(struct spv_words *w, uint32_t n_bits, uint32_t n, uint32_t value)
{
    PUT(w, TypeFloat, ID_FLOAT, n_bits);
    if (n > 1) {
        PUT(w, TypeVector, ID_ELEMENT, ID_FLOAT, n);
    }
    uint32_t const element = n > 1 ? ID_ELEMENT : ID_FLOAT;
    PUT(w, TypeInt, ID_UINT, 32, 0);
    PUT(w, TypeRuntimeArray, ID_ARRAY, element);
    PUT(w, TypeStruct, ID_BLOCK, ID_ARRAY);
    PUT(w, TypePointer, ID_BLOCK_POINTER, SpvStorageClassStorageBuffer, ID_BLOCK);
    PUT(w, Variable, ID_BLOCK_POINTER, ID_BUFFER, SpvStorageClassStorageBuffer);
    PUT(w, TypeVoid, ID_VOID);
    PUT(w, TypeFunction, ID_FUNCTION, ID_VOID);
    PUT(w, TypePointer, ID_POINTER, SpvStorageClassStorageBuffer, element);
    PUT(w, Constant, ID_UINT, ID_INDEX_0, 0);
    PUT(w, Constant, ID_UINT, ID_INDEX_1, 1);
    PUT(w, Constant, ID_FLOAT, n > 1 ? ID_SCALAR : ID_VALUE, value);
    if (n > 1) {
        uint32_t words[6] = {ID_ELEMENT, ID_VALUE, ID_SCALAR, ID_SCALAR, ID_SCALAR, ID_SCALAR};
        spv_put(w, SpvOpConstantComposite, words, 2 + n);
    }
}

/* The case whose module these words are, with ids below n_ids. */
static void set_module(struct fixture *f, const struct spv_words *w, uint32_t n_ids)
{
    uint32_t *const module = ARENA_NEW(&f->a, uint32_t, w->n + SPV_HEADER_WORDS);
    assert_non_null(module);
    uint32_t const header[SPV_HEADER_WORDS] = {SpvMagicNumber, 0x10300, 0, n_ids, 0};
    memcpy(module, header, sizeof header);
    memcpy(module + SPV_HEADER_WORDS, w->w, w->n * sizeof *w->w);
    f->tc = (struct testcase){.env = ENV_VK,
                              .profile = "atomics",
                              .module = module,
                              .n_words = w->n + SPV_HEADER_WORDS,
                              .source = "",
                              .entry = "main_kernel",
                              .build_options = ""};
}

/* One atomic on the buffer's second element, whose result goes into a sum if that is asked for. */
static void print_atomic(struct fixture *f, uint32_t op, uint32_t n_bits, uint32_t n,
                         uint32_t value, bool has_sum)
{
    struct spv_words w;
    uint32_t const element = n > 1 ? ID_ELEMENT : ID_FLOAT;
    arena_reset(&f->a);
    spv_words_init(&w, &f->a);
    PUT(&w, Capability, SpvCapabilityShader);
    PUT(&w, MemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    spv_put_string(&w, SpvOpEntryPoint, (uint32_t[]){SpvExecutionModelGLCompute, ID_MAIN}, 2,
                   "main_kernel", NULL, 0);
    PUT(&w, ExecutionMode, ID_MAIN, SpvExecutionModeLocalSize, 4, 1, 1);
    PUT(&w, ExecutionMode, ID_MAIN, SpvExecutionModeRoundingModeRTE, n_bits);
    PUT(&w, Decorate, ID_BUFFER, SpvDecorationDescriptorSet, 0);
    PUT(&w, Decorate, ID_BUFFER, SpvDecorationBinding, 3);
    PUT(&w, Decorate, ID_ARRAY, SpvDecorationArrayStride, n_bits / 8 * n);
    if (has_sum) {
        PUT(&w, Decorate, ID_SUM, SpvDecorationNoContraction);
    }
    put_types(&w, n_bits, n, value);
    PUT(&w, Function, ID_VOID, ID_MAIN, 0, ID_FUNCTION);
    PUT(&w, Label, ID_LABEL);
    PUT(&w, AccessChain, ID_POINTER, ID_PLACE, ID_BUFFER, ID_INDEX_0, ID_INDEX_1);
    spv_put(&w, op, (uint32_t[]){element, ID_RESULT, ID_PLACE, ID_INDEX_1, ID_INDEX_0, ID_VALUE},
            6);
    if (has_sum) {
        PUT(&w, FAdd, element, ID_SUM, ID_RESULT, ID_RESULT);
        PUT(&w, Store, ID_PLACE, ID_SUM);
    }
    spv_put(&w, SpvOpReturn, NULL, 0);
    spv_put(&w, SpvOpFunctionEnd, NULL, 0);
    set_module(f, &w, ID_N);
}

static void expect_text(struct fixture *f, const char *text)
{
    if (!strstr(f->tc.source, text)) {
        fail_msg("\"%s\" is not in:\n%s", text, f->tc.source);
    }
}

/* One of four programs has it enabled, the others require it. */
static void expect_extension(const struct fixture *f, const char *name)
{
    char require[96], enable[96];
    (void)snprintf(require, sizeof require, "#extension %s : require\n", name);
    (void)snprintf(enable, sizeof enable, "#extension %s : enable\n", name);
    if (!strstr(f->tc.source, require) && !strstr(f->tc.source, enable)) {
        fail_msg("no %s in\n%s", name, f->tc.source);
    }
}

static void say(struct fixture *f)
{
    enum res const r = print_set_language(&f->tc, LANGUAGE_GLSL, &f->a, &f->e);
    if (r != RES_OK) {
        fail_msg("%s", f->e.text);
    }
    assert_int_equal(f->tc.language, LANGUAGE_GLSL);
}

/* Each store of the module says that other invocations come there, too, as Vulkan's memory model asks for. */
static void share_stores(struct fixture *f)
{
    struct spv_words w;
    struct spv_inst in;
    uint32_t offset = SPV_HEADER_WORDS;
    spv_words_init(&w, &f->a);
    while (spv_next(f->tc.module, f->tc.n_words, &offset, &in)) {
        uint32_t const operands[] = {in.w[1], in.w[2],
                                     SpvMemoryAccessNonPrivatePointerMask |
                                         SpvMemoryAccessMakePointerAvailableMask,
                                     ID_INDEX_1};
        if (in.op == SpvOpStore) {
            spv_put(&w, in.op, operands, 4);
        } else {
            spv_put(&w, in.op, in.w + 1, in.n - 1);
        }
    }
    set_module(f, &w, ID_N);
}

static void what_is_not_private_is_coherent(void **state)
{
    struct fixture *const f = *state;
    print_atomic(f, SpvOpAtomicFAddEXT, 32, 1, 0x3f800000, true);
    say(f);
    assert_null(strstr(f->tc.source, "coherent"));
    print_atomic(f, SpvOpAtomicFAddEXT, 32, 1, 0x3f800000, true);
    share_stores(f);
    say(f);
    expect_text(f, "workgroupcoherent buffer B8");
    expect_text(f, "GL_KHR_memory_scope_semantics");
}

static void atomics_have_their_extension(void **state)
{
    /* SHOWS(VE_LINE) */
    static const struct {
        uint32_t op, n_bits, n;
        const char *extension, *buffer, *call;
    } rows[] = {
        {SpvOpAtomicFAddEXT,  32, 1, "GL_EXT_shader_atomic_float",      "float d[]",
         "atomicAdd(b8.d[1u], 1.0f"                   },
        {SpvOpAtomicFAddEXT,  64, 1, "GL_EXT_shader_atomic_float",      "double d[]",
         "atomicAdd(b8.d[1u], "                       },
        {SpvOpAtomicFMinEXT,  32, 1, "GL_EXT_shader_atomic_float2",     "float d[]",
         "atomicMin(b8.d[1u], 1.0f"                   },
        {SpvOpAtomicFAddEXT,  16, 1, "GL_EXT_shader_atomic_float2",     "float16_t d[]",
         "atomicAdd(b8.d[1u], 1.0hf"                  },
        {SpvOpAtomicFAddEXT,  16, 2, "GL_NV_shader_atomic_fp16_vector", "f16vec2 d[]",
         "atomicAdd(b8.d[1u], f16vec2(1.0hf, 1.0hf));"},
        {SpvOpAtomicFMinEXT,  16, 4, "GL_NV_shader_atomic_fp16_vector", "f16vec4 d[]",
         "atomicMin(b8.d[1u], f16vec4("               },
        {SpvOpAtomicFMaxEXT,  16, 2, "GL_NV_shader_atomic_fp16_vector", "f16vec2 d[]",
         "atomicMax(b8.d[1u], f16vec2("               },
        {SpvOpAtomicExchange, 16, 4, "GL_NV_shader_atomic_fp16_vector", "f16vec4 d[]",
         "atomicExchange(b8.d[1u], f16vec4("          },
    };
    struct fixture *const f = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        uint32_t const one = rows[i].n_bits == 16 ? 0x3c00 : rows[i].n_bits == 32 ? 0x3f800000 : 0;
        print_atomic(f, rows[i].op, rows[i].n_bits, rows[i].n, one, false);
        say(f);
        expect_text(f, "#version 460\n");
        expect_extension(f, rows[i].extension);
        expect_text(f, "layout(local_size_x = 4, local_size_y = 1, local_size_z = 1) in;");
        expect_text(f, arena_printf(&f->a,
                                    "layout(std430, set = 0, binding = 3) buffer B8 { %s; } b8;",
                                    rows[i].buffer));
        expect_text(f, rows[i].call);
        expect_text(f, "void main()\n{\n");
    }
}

static void values_without_contraction_are_precise(void **state)
{
    struct fixture *const f = *state;
    print_atomic(f, SpvOpAtomicFAddEXT, 32, 1, 0x3f800000, true);
    say(f);
    expect_text(f, "    float v18 = atomicAdd(");
    expect_text(f, "    precise float v19 = v18 + v18;\n");
    expect_text(f, "    b8.d[1u] = v19;\n");
}

static void modes_are_said_by_number(void **state)
{
    struct fixture *const f = *state;
    print_atomic(f, SpvOpAtomicFAddEXT, 32, 1, 0x3f800000, false);
    say(f);
    expect_extension(f, "GL_EXT_spirv_intrinsics");
    expect_text(f, "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = "
                   "[4467], 4462, 32);\n");
}

/* Each constant is exact: few digits, or its bits. */
static void constants_are_exact(void **state)
{
    static const struct {
        uint32_t n_bits, bits;
        const char *text;
    } rows[] = {
        {32, 0x00000000, ", 0.0f"                               },
        {32, 0x80000000, ", -0.0f"                              },
        {32, 0x3f400000, ", 0.75f"                              },
        {32, 0xc0200000, ", -2.5f"                              },
        {32, 0x49800000, ", 1048576.0f"                         },
        {32, 0x3dcccccd, ", uintBitsToFloat(0x3dcccccdu)"       },
        {32, 0x00000001, ", uintBitsToFloat(0x00000001u)"       },
        {32, 0x7f800000, ", uintBitsToFloat(0x7f800000u)"       },
        {32, 0x7fc00001, ", uintBitsToFloat(0x7fc00001u)"       },
        {16, 0x7c00,     ", uint16BitsToHalf(uint16_t(0x7c00u))"},
        {16, 0x7e00,     ", uint16BitsToHalf(uint16_t(0x7e00u))"},
        {16, 0x3555,     ", 0.333251953125hf"                   },
        {16, 0x3c01,     ", 1.0009765625hf"                     },
    };
    struct fixture *const f = *state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        print_atomic(f, SpvOpAtomicExchange, rows[i].n_bits, 1, rows[i].bits, false);
        say(f);
        expect_text(f, rows[i].text);
    }
    print_atomic(f, SpvOpAtomicExchange, 32, 1, 0x7f800001, false);
    assert_int_equal(print_set_language(&f->tc, LANGUAGE_GLSL, &f->a, &f->e), RES_LIMIT);
    assert_non_null(strstr(f->e.text, "GLSL has no words for a constant that is a signalling NaN"));
}

/* ---- addresses ---- */

enum {
    ID_ADDRESS = 2, /* beside ID_MAIN */
    ID_INT,
    ID_PHYSICAL_BLOCK,
    ID_PHYSICAL_POINTER,
    ID_TABLE,
    ID_TABLE_POINTER,
    ID_TABLE_BUFFER,
    ID_NOTHING,
    ID_MAIN_TYPE,
    ID_LOAD_POINTER,
    ID_PLACE_POINTER,
    ID_NUMBER_0,
    ID_NUMBER_1,
    ID_ENTRY,
    ID_READ,
    ID_REACHED,
    ID_CELL,
    ID_WAS,
    ID_NUMBERS,
    ADDRESS_ID_N
};

static void put_address_types(struct spv_words *w, bool by_integer)
{
    PUT(w, TypeInt, ID_INT, 32, 0);
    PUT(w, TypeRuntimeArray, ID_NUMBERS, ID_INT);
    PUT(w, TypeStruct, ID_PHYSICAL_BLOCK, ID_NUMBERS);
    PUT(w, TypePointer, ID_PHYSICAL_POINTER, SpvStorageClassPhysicalStorageBuffer,
        ID_PHYSICAL_BLOCK);
    if (by_integer) {
        PUT(w, TypeInt, ID_ADDRESS, 64, 0);
    }
    uint32_t const address = by_integer ? ID_ADDRESS : ID_PHYSICAL_POINTER;
    PUT(w, TypeStruct, ID_TABLE, address);
    PUT(w, TypePointer, ID_TABLE_POINTER, SpvStorageClassStorageBuffer, ID_TABLE);
    PUT(w, TypePointer, ID_LOAD_POINTER, SpvStorageClassStorageBuffer, address);
    PUT(w, TypePointer, ID_PLACE_POINTER, SpvStorageClassPhysicalStorageBuffer, ID_INT);
    PUT(w, Variable, ID_TABLE_POINTER, ID_TABLE_BUFFER, SpvStorageClassStorageBuffer);
    PUT(w, TypeVoid, ID_NOTHING);
    PUT(w, TypeFunction, ID_MAIN_TYPE, ID_NOTHING);
    PUT(w, Constant, ID_INT, ID_NUMBER_0, 0);
    PUT(w, Constant, ID_INT, ID_NUMBER_1, 1);
}

/* Makes a module whose one atomic is on the second element of a block that is reached by its address: by a pointer
 * that is loaded, or by a loaded integer that becomes one. Its result is stored there. */
static void print_physical(struct fixture *f, uint32_t op, bool by_integer)
{
    struct spv_words w;
    arena_reset(&f->a);
    spv_words_init(&w, &f->a);
    PUT(&w, Capability, SpvCapabilityShader);
    PUT(&w, Capability, SpvCapabilityPhysicalStorageBufferAddresses);
    PUT(&w, MemoryModel, SpvAddressingModelPhysicalStorageBuffer64, SpvMemoryModelGLSL450);
    spv_put_string(&w, SpvOpEntryPoint, (uint32_t[]){SpvExecutionModelGLCompute, ID_MAIN}, 2,
                   "main_kernel", NULL, 0);
    PUT(&w, ExecutionMode, ID_MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
    PUT(&w, Decorate, ID_TABLE_BUFFER, SpvDecorationDescriptorSet, 0);
    PUT(&w, Decorate, ID_TABLE_BUFFER, SpvDecorationBinding, 3);
    PUT(&w, Decorate, ID_NUMBERS, SpvDecorationArrayStride, 4);
    put_address_types(&w, by_integer);
    PUT(&w, Function, ID_NOTHING, ID_MAIN, 0, ID_MAIN_TYPE);
    PUT(&w, Label, ID_ENTRY);
    uint32_t const chain = ADDRESS_ID_N, address = by_integer ? ADDRESS_ID_N + 1 : ID_REACHED;
    PUT(&w, AccessChain, ID_LOAD_POINTER, chain, ID_TABLE_BUFFER, ID_NUMBER_0);
    PUT(&w, Load, by_integer ? ID_ADDRESS : ID_PHYSICAL_POINTER, address, chain);
    if (by_integer) {
        PUT(&w, ConvertUToPtr, ID_PHYSICAL_POINTER, ID_REACHED, address);
    }
    PUT(&w, AccessChain, ID_PLACE_POINTER, ID_CELL, ID_REACHED, ID_NUMBER_0, ID_NUMBER_1);
    spv_put(&w, op, (uint32_t[]){ID_INT, ID_WAS, ID_CELL, ID_NUMBER_1, ID_NUMBER_0, ID_NUMBER_1},
            6);
    PUT(&w, Store, ID_CELL, ID_WAS, SpvMemoryAccessAlignedMask, 4);
    spv_put(&w, SpvOpReturn, NULL, 0);
    spv_put(&w, SpvOpFunctionEnd, NULL, 0);
    set_module(f, &w, ADDRESS_ID_N + 2);
}

/* What the address leads to is declared with the sign that the minimum has: GLSL chooses the function by the type of
 * the place. */
static void signed_minima_reach_signed_blocks(void **state)
{
    static const struct {
        uint32_t op;
        const char *block, *call, *store;
    } rows[] = {
        {SpvOpAtomicSMin, " { int d[]; };\n",  " = uint(atomicMin(", ".d[1u] = int(v19);\n"},
        {SpvOpAtomicSMax, " { int d[]; };\n",  " = uint(atomicMax(", ".d[1u] = int(v19);\n"},
        {SpvOpAtomicUMin, " { uint d[]; };\n", " = atomicMin(",      ".d[1u] = v19;\n"     },
        {SpvOpAtomicIAdd, " { uint d[]; };\n", " = atomicAdd(",      ".d[1u] = v19;\n"     },
    };
    struct fixture *const f = *state;
    for (size_t i = 0; i < 2 * ARRAY_N(rows); i++) {
        print_physical(f, rows[i / 2].op, i % 2 != 0);
        say(f);
        expect_text(f, "buffer_reference");
        expect_text(f, rows[i / 2].block);
        expect_text(f, rows[i / 2].call);
        expect_text(f, rows[i / 2].store);
    }
}

/* ---- generated cases ---- */

/* The only things that a generated case may have and the language not. */
static bool is_known_gap(const char *why)
{
    static const char *const gaps[] = {
        "a constant that is a signalling NaN",
        "a switch on another integer than of 32 bits",
        "signed and unsigned minima or maxima of the same memory",
        "signed minima or maxima on an image",
        "an exchange of AMD's set on other than 32-bit numbers",
        "a group operation of AMD on 8-bit integers",
        "a rule of SPIR-V that is broken",
        "for FRem",
        "for FmaKHR",
        "for SDot",
        "for UDot",
        "for SUDot",
        "this cast of bits",
        "for QuantizeToF16",
        "for NMin",
        "for NMax",
        "for NClamp",
        "a vector of more than four components",
        "a structure that a function gives back",
    };
    for (size_t i = 0; i < ARRAY_N(gaps); i++) {
        if (strstr(why, gaps[i])) {
            return true;
        }
    }
    return false;
}

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
    const char *const entry = strstr(text, "void main()");
    assert_non_null(entry);
    assert_null(strstr(entry + 1, "void main()"));
}

static void cases_are_said(void **state)
{
    static const enum profile profiles[] = {PROFILE_ATOMICS, PROFILE_GROUPS, PROFILE_ARITH,
                                            PROFILE_MAXERROR, PROFILE_PROGRAMS};
    struct fixture *const f = *state;
    for (size_t k = 0; k < ARRAY_N(profiles); k++) {
        struct rng rng = rng_seed(31 + k);
        uint32_t n_said = 0;
        for (int i = 0; i < N_CASES; i++) {
            make(f, profiles[k], ENV_VK, &rng);
            struct testcase again = f->tc;
            if (print_set_language(&f->tc, LANGUAGE_GLSL, &f->a, &f->e) != RES_OK) {
                /* most programs have an integer instruction that the language has no words for */
                if (profiles[k] != PROFILE_PROGRAMS && !is_known_gap(f->e.text)) {
                    fail_msg("profile %d, case %d: %s", (int)k, i, f->e.text);
                }
                continue;
            }
            n_said++;
            expect_well_formed(f->tc.source);
            assert_int_equal(print_set_language(&again, LANGUAGE_GLSL, &f->a, &f->e), RES_OK);
            assert_string_equal(again.source, f->tc.source);
        }
        if (profiles[k] == PROFILE_PROGRAMS ? n_said == 0 : n_said * 3 <= N_CASES) {
            fail_msg("profile %d: %u of %d programs are said", (int)k, n_said, (int)N_CASES);
        }
    }
}

enum {
    N_VECTOR_FUNCTIONS = 4
};

/* What a declaration is of: 1 f16vec2, 2 f16vec4, 0 else. */
static unsigned find_vector(const char *line, const char *end, bool *is_shared)
{
    static const struct {
        const char *text;
        bool is_shared;
        unsigned vector;
    } rows[] = {
        {", rg16f)",        false, 1},
        {", rgba16f)",      false, 2},
        {"shared f16vec2 ", true,  1},
        {"shared f16vec4 ", true,  2},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *const at = strstr(line, rows[i].text);
        if (at && at < end) {
            *is_shared = rows[i].is_shared;
            return rows[i].vector;
        }
    }
    return 0;
}

/* Counts the calls of the four functions on images and shared variables of vectors, by what they are declared as. */
static void count_vector_calls(const char *source, uint32_t count[2][2][N_VECTOR_FUNCTIONS])
{
    static const char *const functions[N_VECTOR_FUNCTIONS] = {"Add", "Min", "Max", "Exchange"};
    for (const char *line = source; *line;) {
        const char *const end = line + strcspn(line, "\n");
        bool is_shared;
        unsigned const vector = find_vector(line, end, &is_shared);
        if (vector > 0) { /* the name is the last word, before ; or [ */
            const char *name = end;
            while (name > line && name[-1] != ' ') {
                name--;
            }
            int const length = (int)strcspn(name, ";[\n");
            for (unsigned k = 0; k < N_VECTOR_FUNCTIONS; k++) {
                char call[64];
                (void)snprintf(call, sizeof call, "%s%s(%.*s%s",
                               is_shared ? " atomic" : "imageAtomic", functions[k], length, name,
                               is_shared ? "[" : ", ");
                count[is_shared][vector - 1][k] += strstr(source, call) != NULL;
            }
        }
        line = *end ? end + 1 : end;
    }
}

/* GL_NV_shader_atomic_fp16_vector has add, minimum, maximum and exchange of both widths for images and texel buffers of
 * formats rg16f and rgba16f, and for shared variables. */
static void vectors_are_said_everywhere(void **state)
{
    /* SHOWS(VE_ADD, VE_MIN, VE_MAX, VE_EXCHANGE, VE_IMAGES) */
    enum {
        MOST_CASES = 60000
    };
    struct fixture *const f = *state;
    struct rng rng = rng_seed(41);
    uint32_t count[2][2][N_VECTOR_FUNCTIONS] = {{{0}}};
    uint32_t n_missing = 1;
    for (int i = 0; i < MOST_CASES && n_missing > 0; i++) {
        make(f, PROFILE_ATOMICS, ENV_VK, &rng);
        if (!needs_has(&f->tc.needs, NEED_VK_F16_VECTORS) ||
            print_set_language(&f->tc, LANGUAGE_GLSL, &f->a, &f->e) != RES_OK) {
            continue;
        }
        count_vector_calls(f->tc.source, count);
        n_missing = 0;
        for (unsigned k = 0; k < 2 * 2 * N_VECTOR_FUNCTIONS; k++) {
            n_missing += count[k / 8][k / 4 % 2][k % 4] == 0;
        }
    }
    for (unsigned k = 0; k < 2 * 2 * N_VECTOR_FUNCTIONS; k++) {
        if (count[k / 8][k / 4 % 2][k % 4] == 0) {
            fail_msg("function %u on %s of f16vec%u is not said", k % 4,
                     k / 8 ? "a shared variable" : "an image", k / 4 % 2 ? 4 : 2);
        }
    }
}

static void opencl_is_not_said(void **state)
{
    struct fixture *const f = *state;
    struct rng rng = rng_seed(5);
    make(f, PROFILE_ATOMICS, ENV_CL, &rng);
    assert_int_equal(print_set_language(&f->tc, LANGUAGE_GLSL, &f->a, &f->e), RES_LIMIT);
    assert_string_equal(f->e.text, "GLSL has no words for a case of opencl");
    assert_int_equal(f->tc.language, LANGUAGE_SPIRV);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_not_private_is_coherent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(atomics_have_their_extension, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_without_contraction_are_precise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modes_are_said_by_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(constants_are_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(signed_minima_reach_signed_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cases_are_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(vectors_are_said_everywhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(opencl_is_not_said, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

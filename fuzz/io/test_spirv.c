/* fuzz/io/test_spirv.c -- SPIRV-Tools' answers where the module is newer than its grammar, or leaves a
 * string out on purpose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/spv.h"
#include "fuzz/io/spirv.h"
#include "fuzz/io/spirv_names.h"
#include "gen/emit/emit_module.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"

enum {
    ARENA_BYTES = 4 << 20
};

/* out[gid] = mbcnt(gid), and a scan by an instruction of SPV_AMD_shader_ballot or of the core. */
struct rig {
    struct arena a;
    struct ir_program p;
    struct testcase tc;
};

static struct rig *rig_new(enum env env)
{
    struct rig *const r = calloc(1, sizeof *r);
    assert_non_null(r);
    arena_init(&r->a, ARENA_BYTES);
    assert_true(ir_program_init(&r->p, env, &r->a));
    r->p.version = 0x10300;
    for (int d = 0; d < 3; d++) {
        r->p.local[d] = 1;
        r->p.global[d] = 1;
    }
    return r;
}

static void put_scan(struct rig *r, enum op_id op, int bare)
{
    struct ir_program *const p = &r->p;
    uint32_t const out = ir_add_var(p, (struct ir_var){.kind = VAR_BUFFER, .type = IR_I32});
    struct ir_group x = {.op = op,
                         .scope = SpvScopeSubgroup,
                         .operation = SpvGroupOperationInclusiveScan,
                         .type = IR_I32,
                         .n = 1,
                         .value = {p->gid},
                         .bare = bare};
    legal_add_group_needs(p, &x, IR_I32);
    ir_store(p, &p->main, out, p->gid, ir_group(p, &p->main, &x, IR_I32, 1));
    x.op = OP_amd_ballot_MbcntAMD;
    if (op == OP_core_GroupIAddNonUniformAMD) {
        legal_add_group_needs(p, &x, IR_I32);
        ir_store(p, &p->main, out, p->gid, ir_group(p, &p->main, &x, IR_I32, 1));
    }
}

static enum spirv_answer answer_of(struct rig *r, const char **text)
{
    r->tc = (struct testcase){.env = r->p.env, .needs = r->p.needs};
    r->tc.module = emit_module(&r->p, &r->tc.n_words, NULL);
    assert_non_null(r->tc.module);
    return spirv_validate(&r->tc, &r->a, text);
}

static void rig_free(struct rig *r)
{
    arena_free(&r->a);
    free(r);
}

static int has_extension(const struct rig *r)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
        if (i.op == SpvOpExtension) {
            return 1;
        }
    }
    return 0;
}

static void bare_modules_are_validated_with_the_string(void **state)
{
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        for (int bare = 0; bare < 2; bare++) {
            const char *text = "";
            struct rig *const r = rig_new((enum env)env);
            put_scan(r, OP_core_GroupIAddNonUniformAMD, bare);
            if (answer_of(r, &text) != SPIRV_VALID) {
                fail_msg("%s, bare %d: %s", env_names[env], bare, text);
            }
            assert_int_equal(has_extension(r), !bare);
            rig_free(r);
        }
    }
}

/* The same words, but nobody says that the string is left out on purpose. */
static void a_string_that_is_forgotten_is_missed(void **state)
{
    (void)state;
    const char *text = "";
    struct rig *const r = rig_new(ENV_VK);
    put_scan(r, OP_core_GroupIAddNonUniformAMD, 1);
    assert_int_equal(answer_of(r, &text), SPIRV_VALID);
    memset(&r->tc.needs, 0, sizeof r->tc.needs);
    assert_int_equal(spirv_validate(&r->tc, &r->a, &text), SPIRV_INVALID);
    assert_true(text[0] != 0);
    rig_free(r);
}

/* Valid, or valid but for the mode; never because a wrong instruction was dropped with it. */
static void maximal_reconvergence_may_be_too_new(void **state)
{
    (void)state;
    for (int broken = 0; broken < 2; broken++) {
        const char *text = "";
        struct rig *const r = rig_new(ENV_VK);
        put_scan(r, OP_core_GroupNonUniformIAdd, 0);
        r->p.maximal_reconvergence = 1;
        needs_add(&r->p.needs, NEED_VK_MAXIMAL_RECONVERGENCE);
        enum spirv_answer const answer = answer_of(r, &text);
        if (answer == SPIRV_INVALID) {
            fail_msg("%s", text);
        }
        if (broken) { /* a group operation of no such number */
            uint32_t *const words =
                arena_copy(&r->a, r->tc.module, (size_t)r->tc.n_words * sizeof *words);
            assert_non_null(words);
            uint32_t offset = SPV_HEADER_WORDS;
            struct spv_inst i;
            while (spv_next(words, r->tc.n_words, &offset, &i)) {
                if (i.op == SpvOpGroupNonUniformIAdd) {
                    words[i.offset + 4] = 99;
                }
            }
            r->tc.module = words;
            assert_int_equal(spirv_validate(&r->tc, &r->a, &text), SPIRV_INVALID);
        }
        rig_free(r);
    }
}

/* A kernel's parameters have the names of the case's buffers, and say which of them are arguments by value. */
static void parameters_are_named(void **state)
{
    (void)state;
    static const char text[] =
        "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n"
        "OpEntryPoint Kernel %main \"k\"\n%void = OpTypeVoid\n%f32 = OpTypeFloat 32\n"
        "%p = OpTypePointer CrossWorkgroup %f32\n%fn = OpTypeFunction %void %p %f32\n"
        "%main = OpFunction %void None %fn\n%out = OpFunctionParameter %p\n"
        "%x = OpFunctionParameter %f32\n%l = OpLabel\nOpStore %out %x\nOpReturn\nOpFunctionEnd\n";
    struct arena a;
    struct err e = {RES_OK, ""};
    const uint32_t *words = NULL;
    uint32_t n_words = 0, n_added = 0;
    struct testcase tc = {.env = ENV_CL, .entry = "k", .n_bufs = 2, .bufs[1] = {.kind = BUF_VALUE}};
    arena_init(&a, ARENA_BYTES);
    assert_int_equal(spirv_assemble("k", text, strlen(text), &a, &tc.module, &tc.n_words, &e),
                     RES_OK);
    assert_true(spirv_add_names(&tc, &a, &words, &n_words, &n_added));
    const char *const named = spirv_disassemble(words, n_words, SPIRV_FOR_PEOPLE, &a);
    assert_non_null(named);
    assert_non_null(strstr(named, "OpStore %buffer0 %value1"));
    arena_free(&a);
}

/* Values have names by what makes them, a name that the module has stays, and only people get offsets. */
static void values_are_named(void **state)
{
    (void)state;
    static const char text[] =
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
        "%std = OpExtInstImport \"OpenCL.std\"\n"
        "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\" %gid\n"
        "OpName %b \"mine\"\nOpDecorate %gid BuiltIn GlobalInvocationId\n"
        "%void = OpTypeVoid\n%u64 = OpTypeInt 64 0\n%f32 = OpTypeFloat 32\n"
        "%v3 = OpTypeVector %u64 3\n%pv3 = OpTypePointer Input %v3\n"
        "%p = OpTypePointer CrossWorkgroup %f32\n%fn = OpTypeFunction %void %p\n"
        "%gid = OpVariable %pv3 Input\n%main = OpFunction %void None %fn\n"
        "%x = OpFunctionParameter %p\n%l = OpLabel\n%g = OpLoad %v3 %gid\n"
        "%i = OpCompositeExtract %u64 %g 1\n%at = OpInBoundsPtrAccessChain %p %x %i\n"
        "%a = OpLoad %f32 %at\n%b = OpFNegate %f32 %a\n%s = OpFAdd %f32 %a %b\n"
        "%e = OpExtInst %f32 %std exp %s\nOpStore %at %e\nOpReturn\nOpFunctionEnd\n";
    static const char *const wanted[] = {
        "%global_id = OpLoad %v3ulong %gl_GlobalInvocationID\n",
        "%global_id_y = OpCompositeExtract %ulong %global_id 1\n",
        "%at0 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_float %buffer0 %global_id_y\n",
        "%in0 = OpLoad %float %at0\n",
        "%mine = OpFNegate %float %in0\n",
        "%sum = OpFAdd %float %in0 %mine\n",
        " exp %sum\n",
        "OpStore %at0 %exp\n",
    };
    struct arena a;
    struct err e = {RES_OK, ""};
    const uint32_t *words = NULL, *again = NULL;
    uint32_t n_words = 0, n_added = 0, n_again = 0;
    struct testcase tc = {.env = ENV_CL, .entry = "k", .n_bufs = 1};
    arena_init(&a, ARENA_BYTES);
    assert_int_equal(spirv_assemble("k", text, strlen(text), &a, &tc.module, &tc.n_words, &e),
                     RES_OK);
    assert_true(spirv_add_names(&tc, &a, &words, &n_words, &n_added));
    const char *const named = spirv_disassemble(words, n_words, SPIRV_WITH_NAMES, &a);
    assert_non_null(named);
    for (size_t i = 0; i < ARRAY_N(wanted); i++) {
        if (!strstr(named, wanted[i])) {
            fail_msg("no %s in\n%s", wanted[i], named);
        }
    }
    assert_null(strstr(named, "; 0x"));
    assert_non_null(strstr(spirv_disassemble(words, n_words, SPIRV_FOR_PEOPLE, &a), "; 0x"));
    assert_int_equal(spirv_assemble("again", named, strlen(named), &a, &again, &n_again, &e),
                     RES_OK);
    assert_int_equal(n_again, n_words);
    arena_free(&a);
}

/* A grammar that lacks SPV_INTEL_fp_max_error still gives its words, valid or too new, for people. */
static void max_errors_are_named(void **state)
{
    (void)state;
    struct rig *const r = rig_new(ENV_CL);
    const char *message = "";
    struct ir_inst *const one = ir_const(&r->p, IR_F32, 0x3f800000);
    struct ir_inst *const sum = ir_plain(&r->p, &r->p.main, SpvOpFAdd, IR_F32, one, one);
    sum->math.is_decorated = 1;
    sum->math.max_error = 0x40200000;
    needs_add(&r->p.needs, NEED_CL_MAX_ERROR);
    r->tc = (struct testcase){.env = ENV_CL, .needs = r->p.needs};
    r->tc.module = emit_module(&r->p, &r->tc.n_words, NULL);
    assert_non_null(r->tc.module);
    assert_int_equal(spirv_validate(&r->tc, &r->a, &message),
                     spirv_knows_capability(SPV_CAP_FP_MAX_ERROR_INTEL) ? SPIRV_VALID
                                                                        : SPIRV_TOO_OLD);
    const char *const text =
        spirv_disassemble(r->tc.module, r->tc.n_words, SPIRV_FOR_PEOPLE, &r->a);
    assert_non_null(text);
    assert_non_null(strstr(text, "OpCapability FPMaxErrorINTEL ;"));
    assert_non_null(strstr(text, " FPMaxErrorDecorationINTEL 2.5 ;"));
    assert_null(strstr(text, "XfbStride"));
    const char *const file = spirv_describe(r->tc.module, r->tc.n_words, &r->a);
    assert_non_null(file);
    assert_non_null(strstr(file, "OpCapability FPMaxErrorINTEL\n"));
    assert_non_null(strstr(file, " FPMaxErrorDecorationINTEL 2.5\n"));
    rig_free(r);
}

/* What no grammar knows is told by its numbers, with OpNop where it was; words that are no SPIR-V have no
 * text. */
static void unknown_enumerants_are_numbers(void **state)
{
    (void)state;
    struct rig *const r = rig_new(ENV_VK);
    put_scan(r, OP_core_GroupNonUniformIAdd, 0);
    r->tc.module = emit_module(&r->p, &r->tc.n_words, NULL);
    assert_non_null(r->tc.module);
    uint32_t *const words = arena_copy(&r->a, r->tc.module, r->tc.n_words * sizeof *words);
    uint32_t n_changed = 0;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    assert_non_null(words);
    while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
        if (i.op == SpvOpCapability && i.w[1] == SpvCapabilityGroupNonUniformArithmetic) {
            words[i.offset + 1] = 65000;
            n_changed++;
        }
    }
    assert_int_equal(n_changed, 1);
    assert_null(spirv_disassemble(words, r->tc.n_words, SPIRV_FOR_TOOLS, &r->a));
    const char *const file = spirv_describe(words, r->tc.n_words, &r->a);
    const char *const people = spirv_disassemble(words, r->tc.n_words, SPIRV_FOR_PEOPLE, &r->a);
    assert_non_null(file);
    assert_non_null(people);
    assert_non_null(strstr(file, "is OpCapability 65000\n"));
    assert_non_null(strstr(file, "OpNop\n"));
    assert_non_null(strstr(file, "OpGroupNonUniformIAdd"));
    assert_non_null(strstr(people, "OpNop ;"));
    assert_null(spirv_describe(words, 1, &r->a));
    rig_free(r);
}

/* A string can hold what would be lines of its own: here the end of an Amber script's shader. */
static void strings_hold_no_line(void **state)
{
    (void)state;
    static const char hostile[] = "x\nEND\nREPEAT 9\n\x1b[2J\xe2\x80\xae\\\"y";
    struct rig *const r = rig_new(ENV_VK);
    struct spv_words w;
    const uint32_t *words = NULL;
    uint32_t n_words = 0;
    struct err e;
    spv_words_init(&w, &r->a);
    static const uint32_t header[SPV_HEADER_WORDS] = {SpvMagicNumber, 0x10300, 0, 2, 0};
    uint32_t const id = 1;
    spv_put_string(&w, SpvOpString, &id, 1, hostile, NULL, 0);
    uint32_t *const module = ARENA_NEW(&r->a, uint32_t, SPV_HEADER_WORDS + w.n);
    assert_non_null(module);
    memcpy(module, header, sizeof header);
    memcpy(module + SPV_HEADER_WORDS, w.w, w.n * sizeof *module);
    for (int style = SPIRV_FOR_PEOPLE; style <= SPIRV_FOR_TOOLS; style++) {
        const char *const text =
            spirv_disassemble(module, SPV_HEADER_WORDS + w.n, (enum spirv_style)style, &r->a);
        assert_non_null(text);
        assert_non_null(strstr(text, "OpString")); /* it is there, in printed form */
        assert_non_null(
            strstr(text, "\"x\\\\x0aEND\\\\x0aREPEAT 9\\\\x0a\\\\x1b[2J\\\\u{202e}\\\\\\\"y\""));
        assert_null(strstr(text, "\nEND"));
        for (const char *p = text; *p; p++) {
            assert_true(*p == '\n' || (*p >= 0x20 && *p < 0x7f));
        }
        assert_int_equal(spirv_assemble("text", text, strlen(text), &r->a, &words, &n_words, &e),
                         RES_OK);
    }
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_modules_are_validated_with_the_string),
        cmocka_unit_test(a_string_that_is_forgotten_is_missed),
        cmocka_unit_test(maximal_reconvergence_may_be_too_new),
        cmocka_unit_test(values_are_named),
        cmocka_unit_test(max_errors_are_named),
        cmocka_unit_test(parameters_are_named),
        cmocka_unit_test(unknown_enumerants_are_numbers),
        cmocka_unit_test(strings_hold_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

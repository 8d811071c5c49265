/* tests/program/test_confined.c -- a verdict that is ok because nothing confines the values says so, and `judge` and `check`
 * end with 4 where no violation was found and not all was decided. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/io/bundle.h"
#include "fuzz/io/spirv.h"
#include "tests/rig/program_rig.h"

enum {
    LANES = 4,
    RESULT = 3, /* word of each invocation, behind its three ids */
    WORDS = 4,
    MAX_SAID = 1 << 16
};
static const char no_ids[] =
    "SubgroupId, SubgroupLocalInvocationId and SubgroupSize are not stored "
    "before the operation";

/* A kernel of one work-group: each invocation stores its ids (or does not), then `body` gives %r. */
static const char head[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Groups\n"
    "OpCapability SubgroupDispatch\n%sOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %%main \"k\" %%gid %%sg %%sl %%ss\n"
    "OpDecorate %%gid BuiltIn GlobalInvocationId\nOpDecorate %%sg BuiltIn SubgroupId\n"
    "OpDecorate %%sl BuiltIn SubgroupLocalInvocationId\nOpDecorate %%ss BuiltIn SubgroupSize\n"
    "%%void = OpTypeVoid\n%%u32 = OpTypeInt 32 0\n%%u64 = OpTypeInt 64 0\n%%f32 = OpTypeFloat 32\n"
    "%%v3 = OpTypeVector %%u64 3\n%%pv3 = OpTypePointer Input %%v3\n%%pid = OpTypePointer Input "
    "%%u32\n"
    "%%pu = OpTypePointer CrossWorkgroup %%u32\n%%fn = OpTypeFunction %%void %%pu\n"
    "%%c1 = OpConstant %%u32 1\n%%c3 = OpConstant %%u32 3\n%%one = OpConstant %%f32 1\n"
    "%%l1 = OpConstant %%u64 1\n%%l2 = OpConstant %%u64 2\n%%l3 = OpConstant %%u64 3\n"
    "%%l4 = OpConstant %%u64 4\n%%gid = OpVariable %%pv3 Input\n%%sg = OpVariable %%pid Input\n"
    "%%sl = OpVariable %%pid Input\n%%ss = OpVariable %%pid Input\n"
    "%%main = OpFunction %%void None %%fn\n%%out = OpFunctionParameter %%pu\n%%entry = OpLabel\n"
    "%%id3 = OpLoad %%v3 %%gid\n%%id = OpCompositeExtract %%u64 %%id3 0\n%%a0 = OpIMul %%u64 %%id "
    "%%l4\n"
    "%%a1 = OpIAdd %%u64 %%a0 %%l1\n%%a2 = OpIAdd %%u64 %%a0 %%l2\n%%a3 = OpIAdd %%u64 %%a0 %%l3\n"
    "%%p0 = OpInBoundsPtrAccessChain %%pu %%out %%a0\n%%p1 = OpInBoundsPtrAccessChain %%pu %%out "
    "%%a1\n"
    "%%p2 = OpInBoundsPtrAccessChain %%pu %%out %%a2\n%%p3 = OpInBoundsPtrAccessChain %%pu %%out "
    "%%a3\n"
    "%s%sOpStore %%p3 %%r\nOpReturn\nOpFunctionEnd\n";
static const char ids[] = "%vg = OpLoad %u32 %sg\nOpStore %p0 %vg\n%vl = OpLoad %u32 %sl\n"
                          "OpStore %p1 %vl\n%vs = OpLoad %u32 %ss\nOpStore %p2 %vs\n";
static const char sum[] = "%r = OpGroupIAdd %u32 %c3 Reduce %c1\n";

struct room {
    char self[1024], program[1024], folder[64], said[MAX_SAID];
    struct arena a;
    struct bundle b;
    uint32_t before[LANES * WORDS], after[LANES * WORDS];
};

static struct room the_room;

/* The kernel, and what one sub-group of four left: ids where they are stored, and the sum 4. */
static void make_case(struct room *r, const char *capabilities, const char *stores,
                      const char *body)
{
    struct err e = {RES_OK, ""};
    const char *const text = arena_printf(&r->a, head, capabilities, stores, body);
    r->b = (struct bundle){
        .tc = {.env = ENV_CL,
               .profile = "test",
               .entry = "k",
               .source = "",
               .build_options = "",
               .local = {LANES, 1, 1},
               .global = {LANES, 1, 1},
               .n_bufs = 1},
        .ob = {.status = RUN_DONE,
               .phase = PHASE_DONE,
               .log = "",
               .signature = "",
               .facts = "api=opencl\n",
               .n_bufs = 1       },
        .has_observation = 1,
        .target = "sim-ieee"
    };
    if (spirv_assemble("kernel", text, strlen(text), &r->a, &r->b.tc.module, &r->b.tc.n_words,
                       &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    memset(r->before, 0, sizeof r->before);
    memset(r->after, 0, sizeof r->after);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        r->after[lane * WORDS + 1] = stores[0] ? lane : 0;
        r->after[lane * WORDS + 2] = stores[0] ? LANES : 0;
        r->after[lane * WORDS + RESULT] = LANES;
    }
    r->b.tc.bufs[0] = (struct buf){.n_bytes = sizeof r->before, .data = (unsigned char *)r->before};
    r->b.ob.out[0] = (unsigned char *)r->after;
}

static int enter(void **state)
{
    (void)snprintf(the_room.folder, sizeof the_room.folder, "/tmp/halfulp-confined-XXXXXX");
    *state = &the_room;
    arena_init(&the_room.a, (size_t)16 << 20);
    return program_find(the_room.self, the_room.program, sizeof the_room.self) &&
                   mkdtemp(the_room.folder) && chdir(the_room.folder) == 0
               ? 0
               : -1;
}

static int leave(void **state)
{
    (void)state;
    char line[128];
    (void)snprintf(line, sizeof line, "rm -rf %s", the_room.folder);
    arena_free(&the_room.a);
    return chdir("/") == 0 && system(line) == 0 ? 0 : -1;
}

static void expect_run(struct room *r, const char *words, int status, const char *want)
{
    int const got = program_wait(program_start_text(r->program, words, "said"));
    (void)program_read("said", r->said, sizeof r->said);
    if (got != status || !strstr(r->said, want)) {
        fail_msg("halfulp %s: status %d, wanted %d and \"%s\"; it said:\n%.2000s", words, got,
                 status, want, r->said);
    }
}

static void write_bundle(struct room *r, const char *name)
{
    struct err e = {RES_OK, ""};
    if (bundle_write(name, &r->b, &r->a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

static void judge_and_check_end_with_4(void **state)
{
    struct room *const r = *state;
    char want[256];
    make_case(r, "", ids, sum);
    write_bundle(r, "known");
    expect_run(r, "judge known", 0, "verdict: ok (every judged value is permitted)");
    expect_run(r, "judge --json known", 0, "\"confinement\": \"\"");
    expect_run(r, "check --trust --targets sim-ieee known", 0, "(worst verdict: ok)");
    r->after[2 * WORDS + RESULT]++;
    write_bundle(r, "wrong");
    expect_run(r, "judge wrong", 1, "verdict: ulp");
    make_case(r, "", "", sum);
    (void)snprintf(want, sizeof want, "ok: 0 of %d values confined: %s", LANES, no_ids);
    write_bundle(r, "open");
    expect_run(r, "judge open", 4, want);
    expect_run(r, "judge --json open", 4, no_ids);
    assert_non_null(strstr(r->said, "\"confined\": 0"));
    assert_non_null(strstr(r->said, "\"open\": true"));
    expect_run(r, "check --trust --targets sim-ieee open", 4, want);
    expect_run(r, "check --trust --json --targets sim-ieee open", 4, want);
    expect_run(r, "check --trust --bisect --targets sim-ieee open", 125, want);
    expect_run(r, "check --trust --bisect --targets sim-ieee known", 0, "worst verdict: ok");
    r->after[2 * WORDS + RESULT]++; /* nobody knows what it is to be */
    write_bundle(r, "open");
    expect_run(r, "judge open", 4, want);
}

/* One invocation of a kernel with a last argument of type %t, behind the case's buffer. */
static void make_argument(struct room *r, const char *type, const char *body)
{
    struct err e = {RES_OK, ""};
    const char *const text = arena_printf(
        &r->a,
        "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n"
        "OpEntryPoint Kernel %%main \"k\"\nOpName %%x \"scale\"\n%%void = OpTypeVoid\n"
        "%%u32 = OpTypeInt 32 0\n%%pu = OpTypePointer CrossWorkgroup %%u32\n%%t = %s\n"
        "%%fn = OpTypeFunction %%void %%pu %%t\n%%main = OpFunction %%void None %%fn\n"
        "%%out = OpFunctionParameter %%pu\n%%x = OpFunctionParameter %%t\n%%l = OpLabel\n"
        "%sOpReturn\nOpFunctionEnd\n",
        type, body);
    make_case(r, "", ids, sum);
    r->b.tc.local[0] = r->b.tc.global[0] = 1;
    memset(r->after, 0, sizeof r->after);
    assert_int_equal(
        spirv_assemble("kernel", text, strlen(text), &r->a, &r->b.tc.module, &r->b.tc.n_words, &e),
        RES_OK);
}

/* A kernel with a struct by value is not run, whoever vouches for it, and the driver that refused it is not accused. */
static void an_argument_that_no_case_has_is_told(void **state)
{
    struct room *const r = *state;
    static const char want[] = "kernel argument 1 (scale) is a struct by value";
    make_argument(r, "OpTypeStruct %u32", "");
    r->b.ob.status = RUN_REJECT;
    r->b.ob.phase = PHASE_RUN;
    r->b.ob.driver_code = -51;
    r->b.ob.n_bufs = 0;
    write_bundle(r, "value");
    expect_run(r, "check --trust --targets sim-ieee value", 2, want);
    expect_run(r, "judge value", 4, want);
    assert_null(strstr(r->said, "MUST_ACCEPT"));
}

/* A float by value is run and judged where the case has its four bytes; without, with more or fewer, the case is wrong. */
static void an_argument_by_value_needs_its_bytes(void **state)
{
    struct room *const r = *state;
    struct testcase *const tc = &r->b.tc;
    static const uint32_t value = 0x40490fdb;
    make_argument(r, "OpTypeFloat 32", "%i = OpBitcast %u32 %x\nOpStore %out %i\n");
    r->after[0] = value;
    write_bundle(r, "none");
    expect_run(r, "check --trust --targets sim-ieee none", 2, "and the case gives it none");
    expect_run(r, "judge none", 2, "kernel argument 1 (scale) is a float of 32 bits by value");
    tc->bufs[tc->n_bufs++] =
        (struct buf){.kind = BUF_VALUE, .n_bytes = 4, .data = arena_copy(&r->a, &value, 4)};
    r->b.ob.n_bufs = tc->n_bufs;
    r->b.ob.out[1] = tc->bufs[1].data;
    write_bundle(r, "four");
    expect_run(r, "check --trust --targets sim-ieee four", 0, "");
    expect_run(r, "judge --json four", 0, "\"verdict\": \"ok\"");
    tc->bufs[1].n_bytes = 2;
    write_bundle(r, "two");
    expect_run(r, "check --trust --targets sim-ieee two", 2, "and the case gives it 2 bytes");
    expect_run(r, "judge two", 2, "needs a buffer of kind \"value\" and 4 bytes");
}

/* An instruction that the interpreter does not know, and a race: the verdict says so, and nothing was decided. */
static void what_is_inconclusive_is_not_ok(void **state)
{
    struct room *const r = *state;
    make_case(r, "OpCapability Addresses\n", ids, "%r = OpSizeOf %u32 %out\n");
    write_bundle(r, "unknown");
    expect_run(r, "judge unknown", 4, "verdict: inconclusive: ");
    make_case(
        r, "", ids,
        "%q = OpInBoundsPtrAccessChain %pu %out %l1\nOpStore %q %vl\n%r = OpIAdd %u32 %c1 %c3\n");
    write_bundle(r, "race");
    expect_run(r, "judge race", 4, "verdict: inconclusive: undefined: a data race (");
    expect_run(r, "check --trust --targets sim-ieee race", 4,
               "(worst verdict: inconclusive: undefined: a data race)");
    expect_run(r, "check --trust --bisect --targets sim-ieee race", 125, "a data race");
}

/* A bundle says of itself that it is legal; a module in which a value is used before it is made is not (SPIR-V 2.16.1). */
static void what_spirv_val_refuses_is_told(void **state)
{
    struct room *const r = *state;
    make_case(r, "", ids, "%r = OpIAdd %u32 %q %c1\n%q = OpIAdd %u32 %c1 %c3\n");
    write_bundle(r, "invalid");
    expect_run(r, "check --trust --targets sim-ieee invalid", 0,
               "0 of 1 runs show ulp (worst verdict: accepts-invalid); class illegal: "
               "spirv-val: ");
    expect_run(r, "check --trust --json --targets sim-ieee invalid", 0, "\"remark\":\"spirv-val: ");
    expect_run(r, "judge invalid", 0, "the class of the case is illegal, not legal: spirv-val: ");
    make_case(r, "", ids, "%q = OpIAdd %u32 %c1 %c3\n%r = OpIAdd %u32 %q %c1\n");
    write_bundle(r, "valid");
    expect_run(r, "check --trust --targets sim-ieee valid", 0, "(worst verdict: ok)\n");
    expect_run(r, "check --trust --json --targets sim-ieee valid", 0, "\"remark\":\"\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judge_and_check_end_with_4),
        cmocka_unit_test(what_is_inconclusive_is_not_ok),
        cmocka_unit_test(an_argument_that_no_case_has_is_told),
        cmocka_unit_test(an_argument_by_value_needs_its_bytes),
        cmocka_unit_test(what_spirv_val_refuses_is_told),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}

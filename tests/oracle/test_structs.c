/* tests/oracle/test_structs.c -- structs in memory: members lie where they are said to, a whole one is all of its members, and
 * bytes beside each other are each its own. */
#include "tests/rig/judge_rig.h"

enum {
    N_ELEMENTS = 3,
    WORDS = 16, /* of an element: 64 bytes, by ArrayStride */
    N_LANES = 4
};

/* struct { u32 a; vec3 b; u32 c; u32 d[2]; u8 e[4]; } with room left between, in cells[]. */
static const char frame[] =
    "OpCapability Shader\nOpCapability Int8\nOpCapability StorageBuffer8BitAccess\n"
    "OpExtension \"SPV_KHR_8bit_storage\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"k\" %%gid\n"
    "OpExecutionMode %%main LocalSize 4 1 1\nOpDecorate %%gid BuiltIn GlobalInvocationId\n"
    "OpDecorate %%au ArrayStride 4\nOpDecorate %%su Block\nOpMemberDecorate %%su 0 Offset 0\n"
    "OpDecorate %%ad ArrayStride 8\nOpDecorate %%ae ArrayStride 1\n"
    "OpDecorate %%as ArrayStride 64\nOpDecorate %%ss Block\nOpMemberDecorate %%ss 0 Offset 0\n"
    "OpMemberDecorate %%s 0 Offset 0\nOpMemberDecorate %%s 1 Offset 16\n"
    "OpMemberDecorate %%s 2 Offset 28\nOpMemberDecorate %%s 3 Offset 32\n"
    "OpMemberDecorate %%s 4 Offset 48\n"
    "OpDecorate %%cells DescriptorSet 0\nOpDecorate %%cells Binding 0\n"
    "OpDecorate %%cells Coherent\n"
    "OpDecorate %%in DescriptorSet 0\nOpDecorate %%in Binding 1\n"
    "OpDecorate %%out DescriptorSet 0\nOpDecorate %%out Binding 2\n"
    "%%void = OpTypeVoid\n%%u32 = OpTypeInt 32 0\n%%u8 = OpTypeInt 8 0\n%%bool = OpTypeBool\n"
    "%%v3 = OpTypeVector %%u32 3\n%%pv3 = OpTypePointer Input %%v3\n"
    "%%c0 = OpConstant %%u32 0\n%%c1 = OpConstant %%u32 1\n%%c2 = OpConstant %%u32 2\n"
    "%%c3 = OpConstant %%u32 3\n%%c4 = OpConstant %%u32 4\n%%c9 = OpConstant %%u32 9\n"
    "%%global = OpConstant %%u32 72\n"
    "%%au = OpTypeRuntimeArray %%u32\n%%su = OpTypeStruct %%au\n"
    "%%psu = OpTypePointer StorageBuffer %%su\n%%pu = OpTypePointer StorageBuffer %%u32\n"
    "%%ad = OpTypeArray %%u32 %%c2\n%%ae = OpTypeArray %%u8 %%c4\n"
    "%%s = OpTypeStruct %%u32 %%v3 %%u32 %%ad %%ae\n"
    "%%as = OpTypeRuntimeArray %%s\n%%ss = OpTypeStruct %%as\n"
    "%%pss = OpTypePointer StorageBuffer %%ss\n%%ps = OpTypePointer StorageBuffer %%s\n"
    "%%pb = OpTypePointer StorageBuffer %%u8\n%%fn = OpTypeFunction %%void\n"
    "%%gid = OpVariable %%pv3 Input\n%%cells = OpVariable %%pss StorageBuffer\n"
    "%%in = OpVariable %%psu StorageBuffer\n%%out = OpVariable %%psu StorageBuffer\n"
    "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%id3 = OpLoad %%v3 %%gid\n"
    "%%id = OpCompositeExtract %%u32 %%id3 0\n"
    "%%pout = OpAccessChain %%pu %%out %%c0 %%id\n%s"
    "OpReturn\nOpFunctionEnd\n";

struct world {
    struct rig *r;
    uint32_t before[N_ELEMENTS * WORDS], after[N_ELEMENTS * WORDS];
};

static struct world make(const char *body, uint32_t n_lanes)
{
    struct world w = {.r = make_rig(ENV_VK, n_lanes)};
    w.r->tc.local[0] = n_lanes;
    assemble(w.r, arena_printf(&w.r->a, frame, body), SPV_ENV_UNIVERSAL_1_3);
    return w;
}

/* Word i holds 100 + i, before and after. */
static void fill(struct world *w)
{
    for (uint32_t i = 0; i < N_ELEMENTS * WORDS; i++) {
        w->before[i] = w->after[i] = 100 + i;
    }
    w->r->tc.bufs[0] =
        (struct buf){.n_bytes = sizeof w->before, .data = (unsigned char *)w->before};
    w->r->ob.out[0] = (unsigned char *)w->after;
}

static void expect(struct world *w, enum verdict_kind want)
{
    enum verdict_kind const got = judge_rig(w->r);
    if (got != want || w->r->j.undefined) {
        fail_msg("%s, want %s: %s", verdict_rows[got].name, verdict_rows[want].name,
                 w->r->j.n_findings ? w->r->j.findings[0].text : w->r->j.note);
    }
}

/* By OpAccessChain, and of the whole struct by OpCompositeExtract. */
static void members_lie_where_they_are_said(void **state)
{
    (void)state;
    COVERS(COPY_EXACT);
    static const struct {
        const char *body;
        uint32_t word;
    } rows[] = {
        {"%p = OpAccessChain %pu %cells %c0 %c0 %c0\n%x = OpLoad %u32 %p\n",                     0             },
        {"%p = OpAccessChain %pu %cells %c0 %c1 %c1 %c2\n%x = OpLoad %u32 %p\n",                 WORDS + 6     },
        {"%p = OpAccessChain %pu %cells %c0 %c0 %c2\n%x = OpLoad %u32 %p\n",                     7             },
        {"%p = OpAccessChain %pu %cells %c0 %c2 %c3 %c1\n%x = OpLoad %u32 %p\n",                 2 * WORDS + 10},
        {"%p = OpAccessChain %ps %cells %c0 %c1\n%w = OpLoad %s %p\n"
         "%x = OpCompositeExtract %u32 %w 1 1\n",                                       WORDS + 5     },
        {"%p = OpAccessChain %ps %cells %c0 %c0\n%w = OpLoad %s %p\n"
         "%x = OpCompositeExtract %u32 %w 3 1\n",                                       10            },
        {"%p = OpAccessChain %ps %cells %c0 %c0\n%w = OpLoad %s %p\n"
         "%i = OpCompositeInsert %s %c9 %w 3 0\n%x = OpCompositeExtract %u32 %i 3 1\n", 10            },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct world w = make("", 1);
        assemble(w.r,
                 arena_printf(&w.r->a, frame,
                              arena_printf(&w.r->a, "%sOpStore %%pout %%x\n", rows[i].body)),
                 SPV_ENV_UNIVERSAL_1_3);
        fill(&w);
        w.r->out_after[0] = 100 + rows[i].word;
        expect(&w, VERDICT_OK);
        w.r->out_after[0]++; /* the next word */
        assert_int_not_equal(judge_rig(w.r), VERDICT_OK);
        free_rig(w.r);
    }
}

/* A struct that is stored as a whole: each member is exact, what lies between them may be anything. */
static void a_whole_struct_is_its_members(void **state)
{
    (void)state;
    static const uint32_t members[] = {0, 4, 5, 6, 7, 8, 10, 12};
    struct world w = make("%p = OpAccessChain %ps %cells %c0 %c0\n%w = OpLoad %s %p\n"
                          "%i = OpCompositeInsert %s %c9 %w 2\n"
                          "%q = OpAccessChain %ps %cells %c0 %c1\nOpStore %q %i\n",
                          1);
    fill(&w);
    for (size_t i = 0; i < ARRAY_N(members); i++) {
        w.after[WORDS + members[i]] = members[i] == 7 ? 9 : w.before[members[i]];
    }
    expect(&w, VERDICT_OK);
    w.after[WORDS + 1] = w.after[WORDS + 9] = 0xdeadbeef;
    expect(&w, VERDICT_OK);
    w.after[2 * WORDS] = 0; /* of another element */
    expect(&w, VERDICT_CORRUPT);
    w.after[2 * WORDS] = w.before[2 * WORDS];
    for (size_t i = 0; i < ARRAY_N(members); i++) {
        uint32_t const was = w.after[WORDS + members[i]];
        w.after[WORDS + members[i]] = 77;
        assert_int_not_equal(judge_rig(w.r), VERDICT_OK);
        w.after[WORDS + members[i]] = was;
    }
    expect(&w, VERDICT_OK);
    free_rig(w.r);
}

/* A member that is stored alone: what lies beside it stays. */
static void beside_a_member_nothing_changes(void **state)
{
    (void)state;
    struct world w = make("%p = OpAccessChain %pu %cells %c0 %c0 %c0\nOpStore %p %c9\n", 1);
    fill(&w);
    w.after[0] = 9;
    expect(&w, VERDICT_OK);
    w.after[1] = 0;
    expect(&w, VERDICT_CORRUPT);
    free_rig(w.r);
}

/* Invocation i stores byte i of one word, and loads what the one before it stored. */
static void bytes_are_each_its_own(void **state)
{
    (void)state;
    COVERS(BARRIER_ORDER);
    struct world w =
        make("%n = OpIAdd %u32 %id %c9\n%b = OpUConvert %u8 %n\n"
             "%p = OpAccessChain %pb %cells %c0 %c1 %c4 %id\nOpStore %p %b\n"
             "OpControlBarrier %c2 %c2 %global\n%m = OpIAdd %u32 %id %c3\n%k = OpUMod %u32 %m %c4\n"
             "%q = OpAccessChain %pb %cells %c0 %c1 %c4 %k\n%y = OpLoad %u8 %q\n"
             "%x = OpUConvert %u32 %y\nOpStore %pout %x\n",
             N_LANES);
    fill(&w);
    for (uint32_t i = 0; i < N_LANES; i++) {
        ((unsigned char *)&w.after[WORDS + 12])[i] = (unsigned char)(9 + i);
        w.r->out_after[i] = 9 + (i + 3) % N_LANES;
    }
    expect(&w, VERDICT_OK);
    w.r->out_after[1] = 0; /* lost to the store of a whole word */
    assert_int_not_equal(judge_rig(w.r), VERDICT_OK);
    w.r->out_after[1] = 9;
    ((unsigned char *)&w.after[WORDS + 12])[2] = 0;
    assert_int_not_equal(judge_rig(w.r), VERDICT_OK);
    free_rig(w.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_lie_where_they_are_said),
        cmocka_unit_test(a_whole_struct_is_its_members),
        cmocka_unit_test(beside_a_member_nothing_changes),
        cmocka_unit_test(bytes_are_each_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

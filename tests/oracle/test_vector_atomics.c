/* tests/oracle/test_vector_atomics.c -- atomics on vectors of 16-bit floats: each component is a location of
 * its own. */
#include "base/ops.h"
#include "tests/rig/judge_rig.h"

/* f16 encodings */
enum {
    H0 = 0,
    H1 = 0x3c00,
    H2 = 0x4000,
    H3 = 0x4200,
    H4 = 0x4400,
    H5 = 0x4500,
    H6 = 0x4600,
    H7 = 0x4700,
    H8 = 0x4800,
    H_MINUS_1 = 0xbc00,
    H_MAX_COMPONENTS = 4,
    H_MAX_INVOCATIONS = 3
};

/* An atomic on element 0 of an array of vectors of n components; each invocation brings numbers of its own and
 * stores what it got. The assembler of the system may be older than the extension, and the judge asks for no
 * capability, so none is declared. */
static const char frame[] =
    "OpCapability Shader\nOpCapability Float16\nOpCapability Int16\n"
    "OpCapability StorageBuffer16BitAccess\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"k\" %%gid\n"
    "OpExecutionMode %%main LocalSize 1 1 1\n"
    "OpDecorate %%gid BuiltIn GlobalInvocationId\n"
    "OpDecorate %%ah ArrayStride 2\nOpDecorate %%av ArrayStride %u\n"
    "OpDecorate %%sh Block\nOpDecorate %%sv Block\nOpMemberDecorate %%sh 0 Offset 0\n"
    "OpMemberDecorate %%sv 0 Offset 0\n"
    "OpDecorate %%cells DescriptorSet 0\nOpDecorate %%cells Binding 0\n"
    "OpDecorate %%in DescriptorSet 0\nOpDecorate %%in Binding 1\n"
    "OpDecorate %%out DescriptorSet 0\nOpDecorate %%out Binding 2\n"
    "%%void = OpTypeVoid\n%%u32 = OpTypeInt 32 0\n%%u16 = OpTypeInt 16 0\n%%f16 = OpTypeFloat 16\n"
    "%%vec = OpTypeVector %%f16 %u\n"
    "%%v3 = OpTypeVector %%u32 3\n%%pv3 = OpTypePointer Input %%v3\n"
    "%%ah = OpTypeRuntimeArray %%u16\n%%av = OpTypeRuntimeArray %%vec\n"
    "%%sh = OpTypeStruct %%ah\n%%sv = OpTypeStruct %%av\n"
    "%%psh = OpTypePointer StorageBuffer %%sh\n%%psv = OpTypePointer StorageBuffer %%sv\n"
    "%%ph = OpTypePointer StorageBuffer %%u16\n%%pv = OpTypePointer StorageBuffer %%vec\n"
    "%%fn = OpTypeFunction %%void\n%%c0 = OpConstant %%u32 0\n%%c1 = OpConstant %%u32 1\n"
    "%%n = OpConstant %%u32 %u\n"
    "%%gid = OpVariable %%pv3 Input\n%%cells = OpVariable %%psv StorageBuffer\n"
    "%%in = OpVariable %%psh StorageBuffer\n%%out = OpVariable %%psh StorageBuffer\n"
    "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%id3 = OpLoad %%v3 %%gid\n"
    "%%id = OpCompositeExtract %%u32 %%id3 0\n%%base = OpIMul %%u32 %%id %%n\n"
    "%%cell = OpAccessChain %%pv %%cells %%c0 %%c0\n";

struct vectors {
    struct rig *rig;
    uint32_t n, n_invocations;
    uint16_t cells[8], in[16], out[16], cells_after[8], out_after[16];
};

static const char *put_component(struct rig *r, const char *text, uint32_t k)
{
    return arena_printf(&r->a, "%s%%k%u = OpConstant %%u32 %u\n", text, k, k);
}

/* The module as text: constants of the components go before the first function. */
static const char *module_text(struct rig *r, const char *op, uint32_t n)
{
    const char *const all = arena_printf(&r->a, frame, 2 * n, n, n);
    const char *const at = strstr(all, "%gid = OpVariable");
    assert_non_null(at);
    const char *text = arena_printf(&r->a, "%.*s", (int)(at - all), all);
    for (uint32_t k = 0; k < n; k++) {
        text = put_component(r, text, k);
    }
    text = arena_printf(&r->a, "%s%s", text, at);
    const char *parts = "";
    for (uint32_t k = 0; k < n; k++) {
        text = arena_printf(&r->a,
                            "%s%%i%u = OpIAdd %%u32 %%base %%k%u\n"
                            "%%pi%u = OpAccessChain %%ph %%in %%c0 %%i%u\n"
                            "%%b%u = OpLoad %%u16 %%pi%u\n%%h%u = OpBitcast %%f16 %%b%u\n",
                            text, k, k, k, k, k, k, k, k);
        parts = arena_printf(&r->a, "%s %%h%u", parts, k);
    }
    text = arena_printf(&r->a,
                        "%s%%v = OpCompositeConstruct %%vec%s\n"
                        "%%r = %s %%vec %%cell %%c1 %%c0 %%v\n",
                        text, parts, op);
    for (uint32_t k = 0; k < n; k++) {
        text = arena_printf(&r->a,
                            "%s%%r%u = OpCompositeExtract %%f16 %%r %u\n"
                            "%%o%u = OpBitcast %%u16 %%r%u\n"
                            "%%po%u = OpAccessChain %%ph %%out %%c0 %%i%u\nOpStore %%po%u %%o%u\n",
                            text, k, k, k, k, k, k, k, k);
    }
    return arena_printf(&r->a, "%sOpReturn\nOpFunctionEnd\n", text);
}

static struct vectors *make_vectors(const char *op, uint32_t n, uint32_t n_invocations)
{
    struct vectors *v = calloc(1, sizeof *v);
    assert_non_null(v);
    struct rig *r = v->rig = make_rig(ENV_VK, n_invocations);
    v->n = n;
    v->n_invocations = n_invocations;
    memset(v->out, 0xa5, sizeof v->out);
    memset(v->out_after, 0xa5, sizeof v->out_after);
    assemble(r, module_text(r, op, n), SPV_ENV_UNIVERSAL_1_3);
    r->tc.bufs[0] = (struct buf){.n_bytes = sizeof v->cells, .data = (unsigned char *)v->cells};
    r->tc.bufs[1] = (struct buf){.n_bytes = sizeof v->in, .data = (unsigned char *)v->in};
    r->tc.bufs[2] = (struct buf){.n_bytes = sizeof v->out, .data = (unsigned char *)v->out};
    r->ob.out[0] = (unsigned char *)v->cells_after;
    r->ob.out[1] = (unsigned char *)v->in;
    r->ob.out[2] = (unsigned char *)v->out_after;
    return v;
}

static void free_vectors(struct vectors *v)
{
    free_rig(v->rig);
    free(v);
}

/* One case: who brings what, and what was observed. */
struct vector_row {
    const char *op;
    uint32_t n, n_invocations;
    uint16_t initial[H_MAX_COMPONENTS];
    uint16_t operand[H_MAX_INVOCATIONS][H_MAX_COMPONENTS];
    uint16_t returned[H_MAX_INVOCATIONS][H_MAX_COMPONENTS];
    uint16_t final[H_MAX_COMPONENTS];
    enum verdict_kind want;
};

static enum verdict_kind judge_vectors(struct vectors *v, const struct vector_row *row)
{
    for (uint32_t k = 0; k < row->n; k++) {
        v->cells[k] = row->initial[k];
        v->cells_after[k] = row->final[k];
        for (uint32_t i = 0; i < row->n_invocations; i++) {
            v->in[i * row->n + k] = row->operand[i][k];
            v->out_after[i * row->n + k] = row->returned[i][k];
        }
    }
    return judge_rig(v->rig);
}

static void check_rows(const struct vector_row *rows, size_t n)
{
    size_t n_checked = 0;
    for (size_t i = 0; i < n; i++) {
        struct vectors *v = make_vectors(rows[i].op, rows[i].n, rows[i].n_invocations);
        enum verdict_kind const got = judge_vectors(v, &rows[i]);
        const struct judgement *j = &v->rig->j;
        if (got != rows[i].want) {
            fail_msg("row %zu: %s: %s, want %s (%s)", i, rows[i].op, verdict_rows[got].name,
                     verdict_rows[rows[i].want].name,
                     j->n_findings ? j->findings[0].text : j->note);
        }
        if (verdict_rows[got].part == PART_VIOLATION) {
            assert_int_equal(j->findings[0].type, rows[i].n == 2 ? VT_F16X2 : VT_F16X4);
            assert_int_equal(j->findings[0].storage, STORAGE_GLOBAL);
            assert_string_equal(op_rows[j->findings[0].op].name, rows[i].op + strlen("Op"));
        }
        free_vectors(v);
        n_checked++;
    }
    assert_true(n_checked > 0);
}

/* One invocation: each component is worked out by itself. */
static void each_component_is_computed(void **state)
{
    /* SHOWS(VE_EACH) */
    (void)state;
    COVERS(FADD_CR);
    COVERS(FMIN_NUMBER);
    COVERS(EXCH_EXACT);
    static const struct vector_row rows[] = {
        {"OpAtomicFAddEXT",  2, 1, {H1, H2}, {{H2, H3}}, {{H1, H2}}, {H3, H5}, VERDICT_OK       },
        {"OpAtomicFAddEXT",  2, 1, {H1, H2}, {{H2, H3}}, {{H1, H2}}, {H4, H4}, VERDICT_ULP      },
        {"OpAtomicFAddEXT",  2, 1, {H1, H2}, {{H2, H3}}, {{H1, H2}}, {H3, H2}, VERDICT_ATOMICITY},
        {"OpAtomicFAddEXT",
         4,                     1,
         {H1, H2, H3, H4},
         {{H1, H1, H1, H4}},
         {{H1, H2, H3, H4}},
         {H2, H3, H4, H8},
         VERDICT_OK                                                                             },
        {"OpAtomicFAddEXT",
         4,                     1,
         {H1, H2, H3, H4},
         {{H1, H1, H1, H4}},
         {{H1, H2, H3, H5}},
         {H2, H3, H4, H8},
         VERDICT_ULP                                                                            },
        {"OpAtomicFMinEXT",  2, 1, {H1, H4}, {{H2, H3}}, {{H1, H4}}, {H1, H3}, VERDICT_OK       },
        {"OpAtomicFMinEXT",  2, 1, {H1, H4}, {{H2, H3}}, {{H1, H4}}, {H2, H3}, VERDICT_ULP      },
        {"OpAtomicFMaxEXT",
         4,                     1,
         {H1, H4, H_MINUS_1, H2},
         {{H2, H3, H_MINUS_1, H3}},
         {{H1, H4, H_MINUS_1, H2}},
         {H2, H4, H_MINUS_1, H3},
         VERDICT_OK                                                                             },
        {"OpAtomicFMaxEXT",
         4,                     1,
         {H1, H4, H_MINUS_1, H2},
         {{H2, H3, H_MINUS_1, H3}},
         {{H1, H4, H_MINUS_1, H2}},
         {H2, H4, H_MINUS_1, H2},
         VERDICT_ULP                                                                            },
        {"OpAtomicExchange",
         4,                     1,
         {H1, H2, H3, H4},
         {{H5, H6, H7, H8}},
         {{H1, H2, H3, H4}},
         {H5, H6, H7, H8},
         VERDICT_OK                                                                             },
 /* the first half alone */
        {"OpAtomicExchange",
         4,                     1,
         {H1, H2, H3, H4},
         {{H5, H6, H7, H8}},
         {{H1, H2, H3, H4}},
         {H5, H6, H3, H4},
         VERDICT_ATOMICITY                                                                      },
        {"OpAtomicExchange", 2, 1, {H1, H2}, {{H5, H6}}, {{H2, H1}}, {H5, H6}, VERDICT_ATOMICITY},
    };
    check_rows(rows, ARRAY_N(rows));
}

/* Several invocations: one order for each component, none between them. */
static void each_component_has_an_order(void **state)
{
    /* SHOWS(VE_EACH_ATOMIC) */
    (void)state;
    COVERS(RMW_CHAIN);
    static const struct vector_row rows[] = {
        {"OpAtomicFAddEXT",
         2, 2,
         {H0, H0},
         {{H1, H1}, {H2, H2}},
         {{H0, H0}, {H1, H1}},
         {H3, H3},
         VERDICT_OK       },
 /* the first component in one order, the second in the other */
        {"OpAtomicFAddEXT",
         2, 2,
         {H0, H0},
         {{H1, H1}, {H2, H2}},
         {{H0, H2}, {H1, H0}},
         {H3, H3},
         VERDICT_OK       },
        {"OpAtomicFAddEXT",
         4, 3,
         {H1, H1, H1, H1},
         {{H1, H1, H1, H1}, {H2, H2, H2, H2}, {H4, H4, H4, H4}},
         {{H1, H7, H5, H3}, {H2, H5, H6, H1}, {H4, H1, H1, H4}},
         {H8, H8, H8, H8},
         VERDICT_OK       },
 /* both saw the same in the second component: one addition works on a stale value */
        {"OpAtomicFAddEXT",
         2, 2,
         {H0, H0},
         {{H1, H1}, {H2, H2}},
         {{H0, H0}, {H1, H0}},
         {H3, H2},
         VERDICT_ATOMICITY},
 /* the second component's last addition is lost */
        {"OpAtomicFAddEXT",
         2, 2,
         {H0, H0},
         {{H1, H1}, {H2, H2}},
         {{H0, H0}, {H1, H1}},
         {H3, H1},
         VERDICT_ATOMICITY},
 /* what one order leaves, in another component's place */
        {"OpAtomicExchange",
         2, 2,
         {H0, H0},
         {{H1, H5}, {H2, H6}},
         {{H0, H0}, {H1, H5}},
         {H2, H6},
         VERDICT_OK       },
        {"OpAtomicExchange",
         2, 2,
         {H0, H0},
         {{H1, H5}, {H2, H6}},
         {{H0, H6}, {H1, H0}},
         {H2, H5},
         VERDICT_OK       },
        {"OpAtomicExchange",
         2, 2,
         {H0, H0},
         {{H1, H5}, {H2, H6}},
         {{H0, H0}, {H5, H1}},
         {H6, H2},
         VERDICT_ATOMICITY},
    };
    check_rows(rows, ARRAY_N(rows));
}

/* Each component is judged and counted, under the type of the vector. */
static void coverage_names_the_vector(void **state)
{
    (void)state;
    struct vector_row row = {
        .op = "OpAtomicFMaxEXT", .n = 4, .n_invocations = 2, .want = VERDICT_OK};
    static const uint16_t h[] = {H1, H2, H3, H4};
    for (uint32_t k = 0; k < 4; k++) {
        row.initial[k] = row.returned[0][k] = h[k];
        row.operand[0][k] = H2;
        row.operand[1][k] = row.final[k] = H5;
        row.returned[1][k] = k == 0 ? H2 : h[k];
    }
    struct vectors *v = make_vectors(row.op, row.n, row.n_invocations);
    assert_int_equal(judge_vectors(v, &row), VERDICT_OK);
    const struct judgement *j = &v->rig->j;
    assert_int_equal(j->n_contended, 4);
    assert_int_equal(j->n_coverage, 1);
    assert_int_equal(j->coverage[0].op, OP_core_AtomicFMaxEXT);
    assert_int_equal(j->coverage[0].type, VT_F16X4);
    assert_int_equal(j->coverage[0].storage, STORAGE_GLOBAL);
    assert_int_equal(j->coverage[0].n, 8);
    assert_int_equal(j->coverage[0].n_sharp, 8);
    free_vectors(v);
}

/* There is no load, no store, and no vector of integers. */
static void other_vectors_are_not_interpreted(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"%r = OpAtomicFAddEXT %vec %cell %c1 %c0 %v\n", "%r = OpAtomicLoad %vec %cell %c1 %c0\n"},
        {"%r = OpAtomicFAddEXT %vec %cell %c1 %c0 %v\n",
         "%r = OpAtomicIAdd %vec %cell %c1 %c0 %v\n"                                             },
        {"%r = OpAtomicFAddEXT %vec %cell %c1 %c0 %v\n",
         "OpAtomicStore %cell %c1 %c0 %v\n%r = OpCopyObject %vec %v\n"                           },
        {"%r = OpAtomicFAddEXT %vec %cell %c1 %c0 %v\n",
         "%r = OpAtomicFMinEXT %v3 %cell %c1 %c0 %id3\n"                                         },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct vectors *v = make_vectors("OpAtomicFAddEXT", 2, 1);
        struct rig *r = v->rig;
        const char *const text = module_text(r, "OpAtomicFAddEXT", 2);
        const char *const at = strstr(text, rows[i][0]);
        assert_non_null(at);
        assemble(r,
                 arena_printf(&r->a, "%.*s%s%s", (int)(at - text), text, rows[i][1],
                              at + strlen(rows[i][0])),
                 SPV_ENV_UNIVERSAL_1_3);
        assert_int_equal(judge_rig(r), VERDICT_INCONCLUSIVE);
        assert_string_equal(r->j.note, "an atomic on something that is no scalar");
        assert_int_equal(r->j.n_findings, 0);
        free_vectors(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_component_is_computed),
        cmocka_unit_test(each_component_has_an_order),
        cmocka_unit_test(coverage_names_the_vector),
        cmocka_unit_test(other_vectors_are_not_interpreted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

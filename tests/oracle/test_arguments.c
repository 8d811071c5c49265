/* tests/oracle/test_arguments.c -- arguments by value: a kernel written by hand, what it must store by the text of OpenCL,
 * and what it must not; the simulated devices and the vouch on the same. */
#include "tests/rig/judge_rig.h"

#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/vouch/vouch.h"

/* kernel(float x, global uint *out, int2 v): item i stores x + x, x, v.x + i and v.y to out[4 * i ...]. */
static const char two_values[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\" %gid\n"
    "OpExecutionMode %main ContractionOff\nOpDecorate %gid BuiltIn GlobalInvocationId\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n%f32 = OpTypeFloat 32\n"
    "%v2 = OpTypeVector %u32 2\n%v3 = OpTypeVector %u64 3\n%pv3 = OpTypePointer Input %v3\n"
    "%pu = OpTypePointer CrossWorkgroup %u32\n%fn = OpTypeFunction %void %f32 %pu %v2\n"
    "%k1 = OpConstant %u64 1\n%k2 = OpConstant %u64 2\n%k3 = OpConstant %u64 3\n"
    "%k4 = OpConstant %u64 4\n%gid = OpVariable %pv3 Input\n"
    "%main = OpFunction %void None %fn\n%x = OpFunctionParameter %f32\n"
    "%out = OpFunctionParameter %pu\n%v = OpFunctionParameter %v2\n%l = OpLabel\n"
    "%id3 = OpLoad %v3 %gid\n%id = OpCompositeExtract %u64 %id3 0\n%low = OpUConvert %u32 %id\n"
    "%at = OpIMul %u64 %id %k4\n%p0 = OpInBoundsPtrAccessChain %pu %out %at\n"
    "%p1 = OpInBoundsPtrAccessChain %pu %p0 %k1\n%p2 = OpInBoundsPtrAccessChain %pu %p0 %k2\n"
    "%p3 = OpInBoundsPtrAccessChain %pu %p0 %k3\n"
    "%sum = OpFAdd %f32 %x %x\n%sumbits = OpBitcast %u32 %sum\n%bits = OpBitcast %u32 %x\n"
    "%first = OpCompositeExtract %u32 %v 0\n%second = OpCompositeExtract %u32 %v 1\n"
    "%moved = OpIAdd %u32 %first %low\nOpStore %p0 %sumbits\nOpStore %p1 %bits\n"
    "OpStore %p2 %moved\nOpStore %p3 %second\nOpReturn\nOpFunctionEnd\n";

enum {
    N_OUT = 8,
    ARGUMENT_X = 0,
    ARGUMENT_OUT,
    ARGUMENT_V,
    N_ARGUMENTS
};

struct values {
    uint32_t x, v[2];
    uint32_t out[N_OUT], after[N_OUT];
};

static struct rig *make_two(struct values *w)
{
    struct rig *const r = make_rig(ENV_CL, 2);
    assemble(r, two_values, SPV_ENV_UNIVERSAL_1_2);
    *w = (struct values){
        .x = 0x3fc00000, .v = {0xfffffff9, 0x12345678}
    };
    memset(w->out, 0xa5, sizeof w->out);
    r->tc.bufs[ARGUMENT_X] =
        (struct buf){.kind = BUF_VALUE, .n_bytes = 4, .data = (unsigned char *)&w->x};
    r->tc.bufs[ARGUMENT_OUT] =
        (struct buf){.n_bytes = sizeof w->out, .data = (unsigned char *)w->out};
    r->tc.bufs[ARGUMENT_V] =
        (struct buf){.kind = BUF_VALUE, .n_bytes = 8, .data = (unsigned char *)w->v};
    for (uint32_t i = 0; i < N_ARGUMENTS; i++) {
        r->ob.out[i] = r->tc.bufs[i].data;
    }
    r->ob.out[ARGUMENT_OUT] = (unsigned char *)w->after;
    return r;
}

/* 1.5 + 1.5 = 3; -7 + i. One invocation's values after the other's. */
static const uint32_t right[N_OUT] = {THREE, 0x3fc00000, 0xfffffff9, 0x12345678,
                                      THREE, 0x3fc00000, 0xfffffffa, 0x12345678};

static void values_are_judged(void **state)
{
    (void)state;
    static const struct {
        uint32_t at, got;
    } wrong[] = {
        {0, THREE + 1 }, /* computed of the float */
        {1, 0x3fc00001}, /* the float itself */
        {2, 0x12345678}, /* the other component */
        {6, 0xfffffff9}, /* as the invocation before has it */
        {3, 0         },
        {7, 0xa5a5a5a5}, /* not stored */
    };
    struct values w;
    struct rig *const r = make_two(&w);
    memcpy(w.after, right, sizeof right);
    assert_int_equal(judge_rig(r), VERDICT_OK);
    assert_int_equal(r->j.n_findings, 0);
    for (size_t i = 0; i < ARRAY_N(wrong); i++) {
        memcpy(w.after, right, sizeof right);
        w.after[wrong[i].at] = wrong[i].got;
        (void)judge_rig(r);
        if (r->j.n_findings != 1) {
            fail_msg("word %u as %08x: %s", wrong[i].at, wrong[i].got,
                     verdict_rows[r->j.kind].name);
        }
    }
    memcpy(w.after, right, sizeof right);
    w.x = ONE; /* another argument: what was right is wrong */
    (void)judge_rig(r);
    assert_true(r->j.n_findings > 0);
    free_rig(r);
}

/* Bytes of another size than the type's, or memory where a value is wanted, are a wrong case, however the run ended. */
static void the_size_is_the_types(void **state)
{
    (void)state;
    static const struct {
        uint32_t argument, n_bytes;
        enum buf_kind kind;
        const char *want;
    } rows[] = {
        {ARGUMENT_X,   2,  BUF_VALUE,    "kernel argument 0 is a float of 32 bits by value: it needs"},
        {ARGUMENT_X,   8,  BUF_VALUE,    "4 bytes, and the case gives it 8 bytes"                    },
        {ARGUMENT_X,   4,  BUF_STORAGE,  "and the case gives it kind \"storage\""                    },
        {ARGUMENT_OUT, 32, BUF_VALUE,    "kernel argument 1 is a pointer to global memory"           },
        {ARGUMENT_V,   4,  BUF_VALUE,    "kernel argument 2 is a vector of 2 components by value"    },
        {ARGUMENT_V,   8,  BUF_CONSTANT, "8 bytes, and the case gives it kind \"constant\""          },
    };
    static const enum run_status ends[] = {RUN_DONE, RUN_REJECT};
    for (size_t i = 0; i < ARRAY_N(rows) * ARRAY_N(ends); i++) {
        struct values w;
        struct rig *const r = make_two(&w);
        struct err e = {0};
        struct buf *const b = &r->tc.bufs[rows[i / 2].argument];
        memcpy(w.after, right, sizeof right);
        r->ob.status = ends[i % 2];
        r->ob.phase = r->ob.status == RUN_DONE ? PHASE_DONE : PHASE_RUN;
        b->kind = rows[i / 2].kind;
        b->n_bytes = rows[i / 2].n_bytes;
        assert_int_equal(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), RES_FORMAT);
        if (!strstr(e.text, rows[i / 2].want)) {
            fail_msg("\"%s\" without \"%s\"", e.text, rows[i / 2].want);
        }
        free_rig(r);
    }
}

/* An honest device of either kind computes what it must; it leaves the arguments as they are. */
static void simulated_devices_take_them(void **state)
{
    (void)state;
    static const enum sim_strategy strategies[] = {SIM_IEEE, SIM_ANY};
    for (size_t i = 0; i < ARRAY_N(strategies); i++) {
        struct values w;
        struct rig *const r = make_two(&w);
        struct err e = {0};
        struct fault_plan const honest = fault_plan_of(FAULT_NONE);
        if (sim_run(
                &r->tc,
                &(struct sim_device){strategies[i], 7, &honest, sim_facts_for(&r->tc, 7, &r->a)},
                &r->a, &r->ob, NULL, &e) != RES_OK) {
            fail_msg("%s", e.text);
        }
        assert_memory_equal(r->ob.out[ARGUMENT_X], &w.x, sizeof w.x);
        assert_memory_equal(r->ob.out[ARGUMENT_OUT], right, sizeof right);
        assert_memory_equal(r->ob.out[ARGUMENT_V], w.v, sizeof w.v);
        assert_int_equal(judge_rig(r), VERDICT_OK);
        free_rig(r);
    }
}

/* kernel(global ushort *out, uchar b, half3 h): out = {b, h.x, h.y, h.z}; a vector of 3 has the bytes of one of 4. */
static const char narrow[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int16\n"
    "OpCapability Int8\nOpCapability Float16\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %main \"k\"\n%void = OpTypeVoid\n%u8 = OpTypeInt 8 0\n"
    "%u16 = OpTypeInt 16 0\n%u64 = OpTypeInt 64 0\n%f16 = OpTypeFloat 16\n"
    "%h3 = OpTypeVector %f16 3\n%ps = OpTypePointer CrossWorkgroup %u16\n"
    "%fn = OpTypeFunction %void %ps %u8 %h3\n%k1 = OpConstant %u64 1\n%k2 = OpConstant %u64 2\n"
    "%k3 = OpConstant %u64 3\n%main = OpFunction %void None %fn\n%out = OpFunctionParameter %ps\n"
    "%b = OpFunctionParameter %u8\n%h = OpFunctionParameter %h3\n%l = OpLabel\n"
    "%p1 = OpInBoundsPtrAccessChain %ps %out %k1\n%p2 = OpInBoundsPtrAccessChain %ps %out %k2\n"
    "%p3 = OpInBoundsPtrAccessChain %ps %out %k3\n%wide = OpUConvert %u16 %b\n"
    "%x = OpCompositeExtract %f16 %h 0\n%y = OpCompositeExtract %f16 %h 1\n"
    "%z = OpCompositeExtract %f16 %h 2\n%xb = OpBitcast %u16 %x\n%yb = OpBitcast %u16 %y\n"
    "%zb = OpBitcast %u16 %z\nOpStore %out %wide\nOpStore %p1 %xb\nOpStore %p2 %yb\n"
    "OpStore %p3 %zb\nOpReturn\nOpFunctionEnd\n";

static void narrow_values_have_their_bytes(void **state)
{
    (void)state;
    static const uint16_t want[] = {200, 0x3c00, 0xc000, 0x7bff}; /* 1, -2, the largest */
    unsigned char byte = 200, half[8] = {0, 0x3c, 0, 0xc0, 0xff, 0x7b, 0x11, 0x22};
    uint16_t out[4] = {0}, after[4];
    struct rig *const r = make_rig(ENV_CL, 1);
    assemble(r, narrow, SPV_ENV_UNIVERSAL_1_2);
    needs_add(&r->tc.needs, NEED_CL_F16);
    r->tc.bufs[0] = (struct buf){.n_bytes = sizeof out, .data = (unsigned char *)out};
    r->tc.bufs[1] = (struct buf){.kind = BUF_VALUE, .n_bytes = 1, .data = &byte};
    r->tc.bufs[2] = (struct buf){.kind = BUF_VALUE, .n_bytes = sizeof half, .data = half};
    r->ob.out[0] = (unsigned char *)after;
    r->ob.out[1] = &byte;
    r->ob.out[2] = half;
    memcpy(after, want, sizeof want);
    assert_int_equal(judge_rig(r), VERDICT_OK);
    after[3] = 0x2211; /* of the padding */
    (void)judge_rig(r);
    assert_int_equal(r->j.n_findings, 1);
    memcpy(after, want, sizeof want);
    after[0] = 0xffc8; /* with the sign that an unsigned char has not */
    (void)judge_rig(r);
    assert_int_equal(r->j.n_findings, 1);
    free_rig(r);
}

/* kernel(global uint *out, T n): out[n] = 1. */
#define INDEXED(type, to_index)                                                                    \
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"                            \
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"k\"\n%void = OpTypeVoid\n"       \
    "%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n" type                                          \
    "%pu = OpTypePointer CrossWorkgroup %u32\n%fn = OpTypeFunction %void %pu %t\n"                 \
    "%c1 = OpConstant %u32 1\n%main = OpFunction %void None %fn\n"                                 \
    "%out = OpFunctionParameter %pu\n%n = OpFunctionParameter %t\n%l = OpLabel\n" to_index         \
    "%p = OpInBoundsPtrAccessChain %pu %out %i\nOpStore %p %c1\nOpReturn\nOpFunctionEnd\n"

/* An integer that is given is known, and so is where it leads to; of a float only the device knows what becomes of it. */
static void what_is_given_is_known(void **state)
{
    (void)state;
    static const char by_int[] = INDEXED("%t = OpTypeInt 16 0\n", "%i = OpUConvert %u64 %n\n");
    static const char by_float[] = INDEXED("%t = OpTypeFloat 32\n", "%i = OpConvertFToU %u64 %n\n");
    static const struct {
        const char *text;
        uint32_t bits, n_bytes;
        const char *want;
    } rows[] = {
        {by_int,   3,          2, ""             },
        {by_int,   4,          2, "out of bounds"},
        {by_float, 0x40400000, 4, "depends on"   },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        unsigned char value[4];
        struct err e = {0};
        struct rig *const r = make_rig(ENV_CL, 1);
        assemble(r, rows[i].text, SPV_ENV_UNIVERSAL_1_2);
        store_le(value, rows[i].bits, 4);
        r->tc.n_bufs = 2;
        r->tc.source = "";
        r->tc.bufs[1] = (struct buf){.kind = BUF_VALUE, .n_bytes = rows[i].n_bytes, .data = value};
        enum res const got = vouch_case(&r->tc, &e);
        if ((got == RES_OK) != !rows[i].want[0] || !strstr(e.text, rows[i].want)) {
            fail_msg("row %zu: %d, \"%s\"", i, (int)got, e.text);
        }
        free_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_judged),
        cmocka_unit_test(the_size_is_the_types),
        cmocka_unit_test(simulated_devices_take_them),
        cmocka_unit_test(narrow_values_have_their_bytes),
        cmocka_unit_test(what_is_given_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

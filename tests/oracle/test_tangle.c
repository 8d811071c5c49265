/* tests/oracle/test_tangle.c -- who may, and who must, execute a group instruction together, by shape. */
#include "oracle/interp/exec_run.h"
#include "oracle/interp/tangle.h"
#include "tests/rig/judge_rig.h"

enum {
    N_LANES = 8,
    MAX_SITES = 32
};

/* One dynamic instance as found: how many stand there, in how many classes of equal paths. */
struct visit {
    uint32_t n, n_classes;
};

struct record {
    struct visit visit[MAX_SITES];
    uint32_t n;
};

static int load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                struct location p, unsigned n_bits, struct val *out)
{
    (void)x, (void)inv, (void)in, (void)p, (void)n_bits;
    *out = (struct val){0};
    return 1;
}

static int store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                 struct location p, unsigned n_bits, struct val v)
{
    (void)x, (void)inv, (void)in, (void)p, (void)n_bits, (void)v;
    return 1;
}

static const struct exec_hooks hooks = {.load = load, .store = store};

static const char frame[] =
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability Int64\nOpCapability Int16\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"k\" %%gid\n"
    "OpExecutionMode %%main LocalSize 8 1 1\nOpDecorate %%gid BuiltIn GlobalInvocationId\n"
    "%%void = OpTypeVoid\n%%bool = OpTypeBool\n%%u32 = OpTypeInt 32 0\n%%v3 = OpTypeVector %%u32 "
    "3\n"
    "%%pv3 = OpTypePointer Input %%v3\n%%fn = OpTypeFunction %%void\n"
    "%%c0 = OpConstant %%u32 0\n%%c1 = OpConstant %%u32 1\n%%c2 = OpConstant %%u32 2\n"
    "%%u64 = OpTypeInt 64 0\n%%u16 = OpTypeInt 16 0\n%%big = OpConstant %%u64 4294967296\n"
    "%%step = OpConstant %%u32 16384\n"
    "%%c3 = OpConstant %%u32 3\n%%c4 = OpConstant %%u32 4\n%%gid = OpVariable %%pv3 Input\n"
    "%%helper = OpFunction %%void None %%fn\n%%hl = OpLabel\n"
    "%%he = OpGroupNonUniformElect %%bool %%c3\nOpReturn\nOpFunctionEnd\n"
    "%%main = OpFunction %%void None %%fn\n%%start = OpLabel\n%%id3 = OpLoad %%v3 %%gid\n"
    "%%id = OpCompositeExtract %%u32 %%id3 0\n%%low4 = OpULessThan %%bool %%id %%c4\n"
    "%%low2 = OpULessThan %%bool %%id %%c2\n%%is3 = OpIEqual %%bool %%id %%c3\n"
    "%%rest = OpUMod %%u32 %%id %%c3\n%%trips = OpIAdd %%u32 %%rest %%c1\n%s"
    "OpReturn\nOpFunctionEnd\n";

#define ELECT(name) "%" name " = OpGroupNonUniformElect %bool %c3\n"
#define IF(cond, inside, merge)                                                                    \
    "OpSelectionMerge %" merge " None\nOpBranchConditional %" cond " %in_" merge " %" merge        \
    "\n%in_" merge " = OpLabel\n" inside "OpBranch %" merge "\n%" merge " = OpLabel\n"
#define IF_RETURN(cond, merge)                                                                     \
    "OpSelectionMerge %" merge " None\nOpBranchConditional %" cond " %in_" merge " %" merge        \
    "\n%in_" merge " = OpLabel\nOpReturn\n%" merge " = OpLabel\n"
#define IF_GO(cond, to, merge)                                                                     \
    "OpSelectionMerge %" merge " None\nOpBranchConditional %" cond " %in_" merge " %" merge        \
    "\n%in_" merge " = OpLabel\nOpBranch %" to "\n%" merge " = OpLabel\n"
#define LOOP(trips, inside)                                                                        \
    "OpBranch %head\n%head = OpLabel\n%i = OpPhi %u32 %c0 %start %i1 %next\n"                      \
    "OpLoopMerge %after %next None\nOpBranch %test\n%test = OpLabel\n"                             \
    "%more = OpULessThan %bool %i %" trips "\nOpBranchConditional %more %body %after\n"            \
    "%body = OpLabel\n" inside "OpBranch %next\n%next = OpLabel\n%i1 = OpIAdd %u32 %i %c1\n"       \
    "OpBranch %head\n%after = OpLabel\n"

/* Run the body on N_LANES invocations in sub-groups of 4. */
static void run(int is_uniform_flow, int is_maximal, const char *body, struct record *out)
{
    struct rig *r = make_rig(ENV_VK, N_LANES);
    struct module m;
    struct exec x;
    struct err e = {0};
    struct invocation *inv = calloc(N_LANES, sizeof *inv);
    assert_non_null(inv);
    r->tc.local[0] = N_LANES;
    assemble(r, arena_printf(&r->a, frame, body), SPV_ENV_UNIVERSAL_1_3);
    assert_int_equal(module_decode(&m, r->tc.module, r->tc.n_words, "k", &r->a, &e), RES_OK);
    m.modes.subgroup_uniform_flow = (uint8_t)is_uniform_flow;
    m.modes.maximal_reconvergence = (uint8_t)is_maximal;
    assert_int_equal(exec_init(&x, &m, &r->tc, &hooks, NULL, &r->a, &e), RES_OK);
    for (int i = 0; i < N_LANES; i++) {
        inv[i].regs = ARENA_NEW(&r->a, struct val, m.n_regs + 1);
        inv[i].func = ARENA_NEW(&r->a, struct val, m.n_func_objects + 1);
    }
    exec_start_group(&x, 0, inv);
    memset(out, 0, sizeof *out);
    enum tangle_step step = TANGLE_GO_ON;
    while (step != TANGLE_DONE) {
        struct tangle_site s;
        for (int i = 0; i < N_LANES; i++) {
            inv[i].subgroup = (uint32_t)i / 4;
            if (inv[i].state == INV_READY && !exec_run(&x, &inv[i], 0)) {
                fail_msg("stopped: %s", x.stop);
            }
        }
        step = tangle_next(&x, inv, N_LANES, &s);
        assert_int_not_equal(step, TANGLE_STOPPED);
        if (step != TANGLE_GROUP) {
            continue;
        }
        struct visit *v = &out->visit[out->n++];
        assert_true(out->n < MAX_SITES);
        v->n = s.n;
        for (uint32_t i = 0; i < s.n; i++) {
            uint32_t k = 0;
            while (!tangle_must(&inv[s.lane[k]], &inv[s.lane[i]])) {
                k++;
            }
            v->n_classes += k == i;
            exec_reg(&x, &inv[s.lane[i]], s.in->result)->bits = i == 0;
        }
        tangle_release(inv, &s);
    }
    free(inv);
    free_rig(r);
}

/* A switch by `selector`, one of the frame's or what stands before: two literals lead to arm a, which falls into
 * arm b; any other to the default. */
#define SWITCH(selector, a, b, other)                                                              \
    "OpSelectionMerge %sm None\nOpSwitch %" selector " %sd 0 %sa 1 %sa 2 %sb\n"                    \
    "%sa = OpLabel\n" a "OpBranch %sb\n%sb = OpLabel\n" b "OpBranch %sm\n"                         \
    "%sd = OpLabel\n" other "OpBranch %sm\n%sm = OpLabel\n"

static void expect(const struct record *got, const struct visit *want, uint32_t n)
{
    for (uint32_t i = 0; got->n != n && i < got->n; i++) {
        print_error("instance %u: %u in %u\n", i, got->visit[i].n, got->visit[i].n_classes);
    }
    if (got->n != n) {
        fail_msg("%u instances, want %u", got->n, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (got->visit[i].n != want[i].n || got->visit[i].n_classes != want[i].n_classes) {
            fail_msg("instance %u: %u invocations in %u classes, want %u in %u", i, got->visit[i].n,
                     got->visit[i].n_classes, want[i].n, want[i].n_classes);
        }
    }
}

static void arm_and_uniform_merge(void **state)
{
    (void)state;
    struct record r;
    static const struct visit want[] = {
        {8, 1},
        {4, 1},
        {8, 1}
    };
    run(0, 0, ELECT("a") IF("low4", ELECT("b"), "m") ELECT("c"), &r);
    expect(&r, want, 3);
}

static void inner_merge_is_open(void **state)
{
    (void)state;
    struct record r;
    static const struct visit want[] = {
        {4, 2},
        {8, 1}
    };
    run(0, 0, IF("low4", IF("low2", "", "n") ELECT("a"), "m") ELECT("b"), &r);
    expect(&r, want, 2);
}

static void modes_close_inner_merges(void **state)
{
    (void)state;
    struct record r;
    static const struct visit want[] = {
        {4, 1},
        {8, 1}
    };
    static const char body[] = IF("low4", IF("low2", "", "n") ELECT("a"), "m") ELECT("b");
    run(0, 1, body, &r);
    expect(&r, want, 2);
    run(1, 0, body, &r); /* the first four are one sub-group */
    expect(&r, want, 2);
    /* ... but a half of a sub-group that splits stays open */
    static const struct visit open[] = {
        {2, 2}
    };
    static const char half[] =
        "%odd = OpIEqual %bool %id %c1\n" IF("low2", IF("odd", "", "n") ELECT("a"), "m");
    run(1, 0, half, &r);
    expect(&r, open, 1);
}

static void early_return(void **state)
{
    (void)state;
    struct record r;
    static const struct visit one[] = {
        {7, 1}
    };
    run(0, 0, IF_RETURN("is3", "m") ELECT("a"), &r);
    expect(&r, one, 1); /* all that are left took the same way */
    static const struct visit two[] = {
        {6, 2}
    };
    run(0, 0, IF("low4", IF_RETURN("low2", "n"), "m") ELECT("a"), &r);
    expect(&r, two, 1); /* two ways lead here, and not all came */
}

static void loops(void **state)
{
    (void)state;
    struct record r;
    /* trips 1 2 3 1 2 3 1 2 */
    static const struct visit want[] = {
        {8, 1},
        {5, 1},
        {2, 1},
        {8, 1}
    };
    run(0, 0, LOOP("trips", ELECT("a")) ELECT("b"), &r);
    expect(&r, want, 4);
}

static void branch_in_a_loop(void **state)
{
    (void)state;
    struct record r;
    /* behind the inner branch: one again in the first trip, where all are there, open later */
    static const struct visit want[] = {
        {4, 1},
        {8, 1},
        {2, 1},
        {5, 2},
        {1, 1},
        {2, 2},
        {8, 1}
    };
    run(0, 0, LOOP("trips", IF("low4", ELECT("a"), "m") ELECT("b")) ELECT("c"), &r);
    expect(&r, want, 7);
}

static void call_sites_are_apart(void **state)
{
    (void)state;
    struct record r;
    static const struct visit want[] = {
        {4, 1},
        {8, 1}
    };
    run(0, 0,
        IF("low4", "%u = OpFunctionCall %void %helper\n",
           "m") "%w = OpFunctionCall %void %helper\n",
        &r);
    expect(&r, want, 2);
}

/* rest is 0 1 2 0 1 2 0 1: who has other selectors may be together, and need not be. */
static void arms_of_a_switch(void **state)
{
    (void)state;
    struct record r;
    static const struct visit want[] = {
        {6, 2},
        {8, 3},
        {8, 1}
    };
    run(0, 0, SWITCH("rest", ELECT("a"), ELECT("b"), "") ELECT("c"), &r);
    expect(&r, want, 3);
    run(0, 1, SWITCH("rest", ELECT("a"), ELECT("b"), "") ELECT("c"), &r);
    expect(&r, want, 3);
}

static void selectors_have_a_width(void **state)
{
    (void)state;
    struct record r;
    static const struct visit want[] = {
        {2, 2},
        {6, 6}
    };
    /* literals of 64 bits are two words: 4 and 6 lie 2^32 further */
    run(0, 0,
        "%wide = OpUConvert %u64 %id\n%far = OpIMul %u64 %wide %big\n"
        "OpSelectionMerge %sm None\nOpSwitch %far %sd 17179869184 %sa 25769803776 %sa 4 %sb\n"
        "%sa = OpLabel\n" ELECT("a") "OpBranch %sm\n%sb = OpLabel\n" ELECT(
            "b") "OpBranch %sm\n"
                 "%sd = OpLabel\n" ELECT("c") "OpBranch %sm\n%sm = OpLabel\n",
        &r);
    expect(&r, want, 2);
    /* of 16 bits what is above does not count: ids 0 to 7, times 0x4000, are 0 to 3 twice over */
    static const struct visit narrow[] = {
        {2, 1},
        {6, 3}
    };
    run(0, 0,
        "%times = OpIMul %u32 %id %step\n%low = OpUConvert %u16 %times\n"
        "OpSelectionMerge %sm None\nOpSwitch %low %sd 16384 %sa\n"
        "%sa = OpLabel\n" ELECT("a") "OpBranch %sm\n"
                                     "%sd = OpLabel\n" ELECT("b") "OpBranch %sm\n%sm = OpLabel\n",
        &r);
    expect(&r, narrow, 2);
}

/* In a loop of 1 2 3 1 2 3 1 2 turns those with an id below 2 leave in the first, and below 4 end that turn. */
static void ways_out_of_a_loop(void **state)
{
    (void)state;
    struct record r;
    run(0, 0,
        LOOP("trips", ELECT("a") IF_GO("low2", "after", "m") IF_GO("low4", "next", "n") ELECT("b"))
            ELECT("c"),
        &r);
    assert_int_equal(r.visit[0].n, 8);
    assert_int_equal(r.visit[1].n, 4); /* ids 4 to 7 */
    assert_int_equal(r.visit[2].n, 4); /* the second turn: ids 2, 4, 5 and 7 */
    assert_int_equal(r.visit[2].n_classes, 2);
    assert_int_equal(r.visit[r.n - 1].n, 8);
    assert_int_equal(r.visit[r.n - 1].n_classes, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arm_and_uniform_merge),
        cmocka_unit_test(inner_merge_is_open),
        cmocka_unit_test(modes_close_inner_merges),
        cmocka_unit_test(early_return),
        cmocka_unit_test(loops),
        cmocka_unit_test(branch_in_a_loop),
        cmocka_unit_test(call_sites_are_apart),
        cmocka_unit_test(arms_of_a_switch),
        cmocka_unit_test(selectors_have_a_width),
        cmocka_unit_test(ways_out_of_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

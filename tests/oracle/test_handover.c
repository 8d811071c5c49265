/* tests/oracle/test_handover.c -- words that invocations hand over to each other by barriers: followed exactly, and where
 * nothing orders them the program has no defined behaviour. */
#include "gen/case/gen.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape_random.h"
#include "oracle/interp/module.h"
#include "oracle/interp/race.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/judge_rig.h"

enum {
    N_LANES = 4,
    N_PROGRAMS = 120, /* of each environment */
    BIG_ARENA = 256 << 20
};

static const char frame[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %%main \"k\" %%gid\nOpExecutionMode %%main LocalSize 4 1 1\n"
    "OpExtension \"SPV_KHR_storage_buffer_storage_class\"\n"
    "OpDecorate %%gid BuiltIn GlobalInvocationId\nOpDecorate %%au ArrayStride 4\n"
    "OpDecorate %%su Block\nOpMemberDecorate %%su 0 Offset 0\n"
    "OpDecorate %%cells DescriptorSet 0\nOpDecorate %%cells Binding 0\nOpDecorate %%cells "
    "Coherent\n"
    "OpDecorate %%in DescriptorSet 0\nOpDecorate %%in Binding 1\n"
    "OpDecorate %%out DescriptorSet 0\nOpDecorate %%out Binding 2\n"
    "%%void = OpTypeVoid\n%%bool = OpTypeBool\n%%u32 = OpTypeInt 32 0\n"
    "%%v3 = OpTypeVector %%u32 3\n%%pv3 = OpTypePointer Input %%v3\n"
    "%%au = OpTypeRuntimeArray %%u32\n%%su = OpTypeStruct %%au\n"
    "%%psu = OpTypePointer StorageBuffer %%su\n%%pu = OpTypePointer StorageBuffer %%u32\n"
    "%%fn = OpTypeFunction %%void\n"
    "%%c0 = OpConstant %%u32 0\n%%c1 = OpConstant %%u32 1\n%%c2 = OpConstant %%u32 2\n"
    "%%c3 = OpConstant %%u32 3\n%%c4 = OpConstant %%u32 4\n"
    "%%local = OpConstant %%u32 264\n%%global = OpConstant %%u32 72\n"
    "%%shares = OpConstant %%u32 24648\n"
    "%%a4 = OpTypeArray %%u32 %%c4\n%%pa4 = OpTypePointer Workgroup %%a4\n"
    "%%ps = OpTypePointer Workgroup %%u32\n%%pf4 = OpTypePointer Function %%a4\n"
    "%%pf = OpTypePointer Function %%u32\n%%v2 = OpTypeVector %%u32 2\n"
    "%%pfv = OpTypePointer Function %%v2\n"
    "%%gid = OpVariable %%pv3 Input\n%%cells = OpVariable %%psu StorageBuffer\n"
    "%%in = OpVariable %%psu StorageBuffer\n%%out = OpVariable %%psu StorageBuffer\n"
    "%%shared = OpVariable %%pa4 Workgroup\n"
    "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n"
    "%%own = OpVariable %%pf4 Function\n%%id3 = OpLoad %%v3 %%gid\n"
    "%%id = OpCompositeExtract %%u32 %%id3 0\n%%next1 = OpIAdd %%u32 %%id %%c1\n"
    "%%next = OpUMod %%u32 %%next1 %%c4\n%%low = OpULessThan %%bool %%id %%c2\n"
    "%%pin = OpAccessChain %%pu %%in %%c0 %%id\n%%v = OpLoad %%u32 %%pin\n"
    "%%pout = OpAccessChain %%pu %%out %%c0 %%id\n%%mine = OpAccessChain %%ps %%shared %%id\n"
    "%%theirs = OpAccessChain %%ps %%shared %%next\n"
    "%%behind = OpAccessChain %%ps %%shared %%next1\n"
    "%%first = OpAccessChain %%ps %%shared %%c0\n"
    "%%cell = OpAccessChain %%pu %%cells %%c0 %%id\n"
    "%%cell2 = OpAccessChain %%pu %%cells %%c0 %%next\n%s"
    "OpReturn\nOpFunctionEnd\n";

#define BARRIER        "OpControlBarrier %c2 %c2 %local\n"
#define GLOBAL_BARRIER "OpControlBarrier %c2 %c2 %global\n"
#define NO_FENCE       "OpControlBarrier %c2 %c2 %c0\n"
#define SCOPED(memory) "OpControlBarrier %c2 " memory " %local\n"
#define ROUND          "OpStore %mine %v\n" BARRIER "%x = OpLoad %u32 %theirs\n"
#define OUT            "OpStore %pout %x\n"
#define FILL                                                                                       \
    "%e0 = OpAccessChain %pf %own %c0\n%e1 = OpAccessChain %pf %own %c1\n"                         \
    "%e2 = OpAccessChain %pf %own %c2\nOpStore %e0 %v\nOpStore %e1 %c1\nOpStore %e2 %c2\n"

/* With that memory model. */
static struct rig *make_in(const char *model, const char *body)
{
    struct rig *r = make_rig(ENV_VK, N_LANES);
    r->tc.local[0] = N_LANES;
    for (uint32_t i = 0; i < N_LANES; i++) {
        r->in[i] = 10 + i;
    }
    const char *const text = arena_printf(&r->a, frame, body);
    const char *const at = strstr(text, "GLSL450");
    assert_non_null(at);
    assemble(r,
             arena_printf(&r->a, "%.*s%s%s", (int)(at - text), text, model, at + strlen("GLSL450")),
             SPV_ENV_UNIVERSAL_1_3);
    return r;
}

static struct rig *make(const char *body)
{
    return make_in("GLSL450", body);
}

/* What lane i stores of the numbers of all: the next one's, times `by`. */
static void set_next(struct rig *r, uint32_t by)
{
    for (uint32_t i = 0; i < N_LANES; i++) {
        r->out_after[i] = by * (10 + (i + 1) % N_LANES);
    }
}

static void expect(struct rig *r, enum verdict_kind want, enum clause_id clause)
{
    enum verdict_kind const got = judge_rig(r);
    if (got != want || r->j.undefined) {
        fail_msg("%s, want %s: %s", verdict_rows[got].name, verdict_rows[want].name,
                 r->j.n_findings ? r->j.findings[0].text : r->j.note);
    }
    if (want != VERDICT_OK) {
        assert_true(r->j.n_findings > 0);
        assert_int_equal(r->j.findings[0].clause, clause);
    }
}

static void what_a_barrier_orders_is_exact(void **state)
{
    (void)state;
    COVERS(BARRIER_ORDER);
    struct rig *r = make(ROUND OUT);
    set_next(r, 1);
    expect(r, VERDICT_OK, CLAUSE_NONE);
    r->out_after[2] = 12; /* its own */
    expect(r, VERDICT_ULP, CLAUSE_BARRIER_ORDER);
    free_rig(r);
}

/* Two rounds: the second load gives what the first one should. */
static void what_is_of_another_time_is_told(void **state)
{
    (void)state;
    COVERS(BARRIER_ORDER);
    struct rig *r = make(ROUND BARRIER "%w = OpIMul %u32 %v %c3\nOpStore %mine %w\n" BARRIER
                                       "%y = OpLoad %u32 %theirs\nOpStore %pout %y\n");
    set_next(r, 3);
    expect(r, VERDICT_OK, CLAUSE_NONE);
    r->out_after[1] = 12;
    expect(r, VERDICT_ORDER, CLAUSE_BARRIER_ORDER);
    free_rig(r);
}

/* By a buffer: what is loaded is exact, and so is what stays there. */
static void buffers_hand_over_too(void **state)
{
    (void)state;
    struct rig *r = make("OpStore %cell %v\n" GLOBAL_BARRIER "%x = OpLoad %u32 %cell2\n" OUT);
    set_next(r, 1);
    memcpy(r->cells_after, r->in, sizeof r->in);
    expect(r, VERDICT_OK, CLAUSE_NONE);
    r->out_after[3] = 99;
    expect(r, VERDICT_ULP, CLAUSE_BARRIER_ORDER);
    set_next(r, 1);
    r->cells_after[3] = 99;
    assert_int_not_equal(judge_rig(r), VERDICT_OK);
    free_rig(r);
}

/* Programs of which nothing can be said; the honest device's values and any others. */
static void what_is_not_ordered_accuses_nobody(void **state)
{
    (void)state;
    static const struct {
        const char *body, *note;
    } rows[] = {
        {"OpStore %mine %v\n%x = OpLoad %u32 %theirs\n" OUT,                                              "undefined"    },
        {"OpStore %mine %v\n" NO_FENCE "%x = OpLoad %u32 %theirs\n" OUT,                                  "a data race"  },
        {"OpStore %mine %v\n" SCOPED("%c3") "%x = OpLoad %u32 %theirs\n" OUT,
         "a data race"                                                                                                   }, /* sub-group */
        {"OpStore %mine %v\n" SCOPED("%c4") "%x = OpLoad %u32 %theirs\n" OUT,
         "a data race"                                                                                                   }, /* invocation */
        {"OpStore %mine %v\n" GLOBAL_BARRIER "%x = OpLoad %u32 %theirs\n" OUT,                            "a data race"  },
        {"OpStore %cell %v\n" BARRIER "%x = OpLoad %u32 %cell2\n" OUT,                                    "a data race"  },
        {ROUND "OpStore %mine %x\n" OUT,                                                                  "a data race"  }, /* stored before it is loaded by all */
        {"OpStore %first %v\n" BARRIER "%x = OpLoad %u32 %first\n" OUT,                                   "a data race"  },
        {"%x = OpLoad %u32 %mine\n" OUT,                                                                  "never stored" },
        {ROUND "%z = OpLoad %u32 %behind\n" OUT,                                                          "out of bounds"},
        {"OpSelectionMerge %m None\nOpBranchConditional %low %yes %no\n%yes = OpLabel\n" BARRIER
         "OpBranch %m\n%no = OpLabel\n" BARRIER "OpBranch %m\n%m = OpLabel\nOpStore %pout %v\n",
         "not all are at the same barrier"                                                                               },
        {FILL "%p = OpAccessChain %pf %own %id\n%x = OpLoad %u32 %p\n" OUT,
         "read before it is written"                                                                                     },
        {FILL "%p = OpAccessChain %pf %own %next1\n%x = OpLoad %u32 %p\n" OUT,                            "undefined"    },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make(rows[i].body);
        enum verdict_kind const got = judge_rig(r);
        if (got != VERDICT_INCONCLUSIVE || !r->j.undefined || !strstr(r->j.note, rows[i].note)) {
            fail_msg("row %zu: %s, %s", i, verdict_rows[got].name, r->j.note);
        }
        free_rig(r);
    }
}

#define STORED(how)     "OpStore %cell %v NonPrivatePointer" how "\n"
#define SEEN(how)       "%x = OpLoad %u32 %cell2 NonPrivatePointer" how "\n" OUT
#define AVAILABLE       "|MakePointerAvailable "
#define VISIBLE         "|MakePointerVisible "
#define SHARING(memory) "OpControlBarrier %c2 " memory " %shares\n"

/* Vulkan, appendix Memory Model, Availability and Visibility: what is made available or visible in a scope is so for that scope:
 * 2 is the work-group, 3 the sub-group, 4 the invocation. */
static void availability_has_a_scope(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum undefined_kind why;
    } rows[] = {
        {STORED(AVAILABLE "%c2") GLOBAL_BARRIER SEEN(VISIBLE "%c2"),                       0                     },
        {STORED(AVAILABLE "%c1") GLOBAL_BARRIER SEEN(VISIBLE "%c1"),                       0                     },
        {STORED(AVAILABLE "%c4") GLOBAL_BARRIER SEEN(VISIBLE "%c2"),                       UNDEFINED_NOT_COHERENT},
        {STORED(AVAILABLE "%c3") GLOBAL_BARRIER SEEN(VISIBLE "%c2"),                       UNDEFINED_NOT_COHERENT},
        {STORED(AVAILABLE "%c2") GLOBAL_BARRIER SEEN(VISIBLE "%c4"),                       UNDEFINED_NOT_COHERENT},
        {STORED("|Aligned 4") GLOBAL_BARRIER SEEN(VISIBLE "%c2"),                          UNDEFINED_NOT_COHERENT},
        {STORED("|Aligned|MakePointerAvailable 4 %c2") GLOBAL_BARRIER SEEN(VISIBLE "%c2"), 0                     },
        {STORED("|Aligned|MakePointerAvailable 4 %c4") GLOBAL_BARRIER SEEN(VISIBLE "%c2"),
         UNDEFINED_NOT_COHERENT                                                                                  },
        {STORED("") SHARING("%c2") SEEN(""),                                               0                     },
        {STORED("") SHARING("%c4") SEEN(""),                                               UNDEFINED_RACE        },
        {STORED("") GLOBAL_BARRIER SEEN(""),                                               UNDEFINED_NOT_COHERENT},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make_in("Vulkan", rows[i].body);
        set_next(r, 1);
        memcpy(r->cells_after, r->in, sizeof r->in);
        enum verdict_kind const right = judge_rig(r);
        enum undefined_kind const why = r->j.undefined;
        r->out_after[3] = 99;
        enum verdict_kind const wrong = judge_rig(r);
        bool const is_defined = rows[i].why == 0;
        if (why != rows[i].why || right != (is_defined ? VERDICT_OK : VERDICT_INCONCLUSIVE) ||
            wrong != (is_defined ? VERDICT_ULP : VERDICT_INCONCLUSIVE)) {
            fail_msg("row %zu: %s, %s, %s", i, verdict_rows[right].name, verdict_rows[wrong].name,
                     r->j.note);
        }
        free_rig(r);
    }
}

/* A loop of `n` iterations, number %i, of which each has `body` in it, with merge instructions or, as OpenCL may have it, none. */
#define LOOP(merge, n, body)                                                                       \
    "OpBranch %h\n%h = OpLabel\n%i = OpPhi %u32 %c0 %entry %j %k\n" merge                          \
    "OpBranch %b\n%b = OpLabel\n" body "OpBranch %k\n%k = OpLabel\n%j = OpIAdd %u32 %i %c1\n"      \
    "%more = OpULessThan %bool %j " n "\nOpBranchConditional %more %h %e\n%e = OpLabel\n"
#define MERGED(n, body) LOOP("OpLoopMerge %e %k None\n", n, body)
#define BARE(n, body)   LOOP("", n, body)
#define IF(condition, body)                                                                        \
    condition "OpBranchConditional %do %yes %m\n%yes = OpLabel\n" body "OpBranch %m\n%m = "        \
              "OpLabel\n"
#define KEPT         "OpStore %pout %v\n"
#define IN_FIRST     "%do = OpIEqual %bool %i %c0\n"
#define LOW_IN_FIRST "%early = OpIEqual %bool %i %c0\n%do = OpLogicalEqual %bool %early %low\n"

/* S 2.2.5 Dynamic Instance, OpControlBarrier: all of a work-group must come to the same dynamic instance of a barrier. The low
 * half passes it in the first of two iterations, the others in the second; or all do in the same. */
static void a_barrier_is_passed_in_one_iteration(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool is_one;
    } rows[] = {
        {MERGED("%c2",      "OpSelectionMerge %m None\n" IF(LOW_IN_FIRST, BARRIER)) KEPT, false},
        {BARE("%c2",                 IF(LOW_IN_FIRST,                                                    BARRIER)) KEPT,                                   false},
        {BARE("%c2",            IF(IN_FIRST,                                                        BARRIER)) KEPT,                           true},
        {MERGED("%c2",   BARRIER) KEPT,true},
        {BARE("%c2",  BARRIER) KEPT,                                                       true                                                                                             },
        {MERGED("%next1",   "") BARRIER KEPT,true},
        {BARE("%next1","") BARRIER KEPT,                                                   true                                                                                                                                                           },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make(rows[i].body);
        for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
            memcpy(r->out_after, r->in, sizeof r->in);
            r->out_after[1] += (uint32_t)is_wrong;
            enum verdict_kind const got = judge_rig(r);
            enum verdict_kind const exact = is_wrong ? VERDICT_ULP : VERDICT_OK;
            bool const is_other = r->j.undefined == UNDEFINED_BARRIER_OTHER;
            if (got != (rows[i].is_one ? exact : VERDICT_INCONCLUSIVE) ||
                is_other == rows[i].is_one) {
                fail_msg("row %zu: %s, %s", i, verdict_rows[got].name, r->j.note);
            }
        }
        free_rig(r);
    }
}

#define SCALAR "%var = OpVariable %pf Function\n"
#define VECTOR "%var = OpVariable %pfv Function\n%e0 = OpAccessChain %pf %var %c0\n"
#define SECOND "%e1 = OpAccessChain %pf %var %c1\n"
#define LOADED "%x = OpLoad %u32 %var\n"
#define PART   "%w = OpLoad %v2 %var\n%x = OpCompositeExtract %u32 %w 0\n"

/* S, OpVariable: without an initializer what it holds is undefined. Of a vector that is stored by component what was stored is
 * exact, the rest is any value. */
static void numbers_of_the_function_are_set_before_they_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool is_set;
    } rows[] = {
        {SCALAR LOADED OUT,                                                         false},
        {SCALAR "OpStore %var %v\n" LOADED OUT,                                     true },
        {"%var = OpVariable %pf Function %c1\n" LOADED "%y = OpIAdd %u32 %x %v\n"
         "%z = OpISub %u32 %y %c1\nOpStore %pout %z\n",                    true },
        {VECTOR PART OUT,                                                           false},
        {VECTOR "%x = OpLoad %u32 %e0\n" OUT,                                       false},
        {VECTOR SECOND "OpStore %e0 %v\n%x = OpLoad %u32 %e1\n" OUT,                false},
        {VECTOR "OpStore %e0 %v\n" PART OUT,                                        true },
        {VECTOR "OpStore %e0 %v\n%x = OpLoad %u32 %e0\n" OUT,                       true },
        {SCALAR "OpSelectionMerge %m None\nOpBranchConditional %low %yes %m\n%yes = OpLabel\n"
                "OpStore %var %v\nOpBranch %m\n%m = OpLabel\n" LOADED OUT,
         false                                                                           },
        {SCALAR "OpStore %var %v\nOpLifetimeStart %var 0\n" LOADED OUT,             false},
        {SCALAR "OpLifetimeStart %var 0\nOpNop\nOpStore %var %v\nOpNoLine\n" LOADED
                "OpLifetimeStop %var 0\n" OUT,
         true                                                                            },
        {VECTOR "OpStore %e0 %v\nOpLifetimeStart %var 0\n" PART OUT,                false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct rig *r = make(rows[i].body);
        for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
            memcpy(r->out_after, r->in, sizeof r->in);
            r->out_after[1] += (uint32_t)is_wrong;
            enum verdict_kind const got = judge_rig(r);
            enum verdict_kind const exact = is_wrong ? VERDICT_ULP : VERDICT_OK;
            bool const is_left = r->j.undefined == UNDEFINED_UNSET_VARIABLE;
            if (got != (rows[i].is_set ? exact : VERDICT_INCONCLUSIVE) ||
                is_left == rows[i].is_set) {
                fail_msg("row %zu: %s, %s", i, verdict_rows[got].name, r->j.note);
            }
        }
        free_rig(r);
    }
}

/* S, OpPtrAccessChain: Element goes on in the array that the base points into; behind it is nothing. */
static void pointers_go_on_in_arrays_of_the_function(void **state)
{
    (void)state;
    static const struct {
        const char *base, *element;
        enum undefined_kind why;
        bool is_followed;
    } rows[] = {
        {"%e0", "%c1",   UNDEFINED_NONE,           true },
        {"%e2", "%less", UNDEFINED_NONE,           true },
        {"%e0", "%c2",   UNDEFINED_UNSET_VARIABLE, false},
        {"%e0", "%c4",   UNDEFINED_NONE,           false},
        {"%e1", "%c4",   UNDEFINED_OUT_OF_BOUNDS,  false},
        {"%e0", "%less", UNDEFINED_OUT_OF_BOUNDS,  false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        arena_init(&a, 1 << 16);
        struct rig *r = make(arena_printf(
            &a,
            "%%e0 = OpAccessChain %%pf %%own %%c0\n%%e1 = OpAccessChain %%pf %%own %%c1\n"
            "%%e2 = OpAccessChain %%pf %%own %%c2\nOpStore %%e0 %%c3\nOpStore %%e1 %%v\n"
            "%%less = OpISub %%u32 %%c0 %%c1\n%%p = OpPtrAccessChain %%pf %s %s\n"
            "%%x = OpLoad %%u32 %%p\n%s",
            rows[i].base, rows[i].element, OUT));
        for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
            memcpy(r->out_after, r->in, sizeof r->in);
            r->out_after[1] += (uint32_t)is_wrong;
            enum verdict_kind const got = judge_rig(r);
            enum verdict_kind const exact = is_wrong ? VERDICT_ULP : VERDICT_OK;
            if (got != (rows[i].is_followed ? exact : VERDICT_INCONCLUSIVE) ||
                r->j.undefined != rows[i].why) {
                fail_msg("row %zu: %s, %s", i, verdict_rows[got].name, r->j.note);
            }
        }
        free_rig(r);
        arena_free(&a);
    }
}

/* S, OpArrayLength: "(size of the buffer - offset of the array) / stride"; the arrays here are of words from the start on. */
static void the_length_of_a_buffer_is_known(void **state)
{
    (void)state;
    struct rig *r = make("%x = OpArrayLength %u32 %in 0\n" OUT);
    for (uint32_t lane = 0; lane < N_LANES; lane++) {
        r->out_after[lane] = 10;
    }
    r->tc.bufs[1].n_bytes = 40;
    expect(r, VERDICT_OK, CLAUSE_NONE);
    r->out_after[3] = 11;
    assert_int_equal(judge_rig(r), VERDICT_ULP);
    free_rig(r);
}

/* An array of the function is indexed by what is known when it runs alone. */
static void arrays_of_the_function_are_exact(void **state)
{
    (void)state;
    struct rig *r = make(FILL "%e3 = OpAccessChain %pf %own %c3\nOpStore %e3 %c3\n"
                              "%p = OpAccessChain %pf %own %next\nOpStore %p %c4\n"
                              "%q = OpAccessChain %pf %own %id\n%x = OpLoad %u32 %q\n" OUT);
    uint32_t const right[N_LANES] = {10, 1, 2, 3};
    memcpy(r->out_after, right, sizeof right);
    expect(r, VERDICT_OK, CLAUSE_NONE);
    r->out_after[1] = 4;
    assert_int_equal(judge_rig(r), VERDICT_ULP);
    free_rig(r);
}

/* Invocations that were lost hand over nothing: that is one bug, and what others make of it is no other. */
static void what_the_lost_should_have_stored_is_open(void **state)
{
    (void)state;
    COVERS(EVERY_LANE);
    struct rig *r = make("OpStore %pout %v\n" ROUND "OpStore %cell %x\n");
    for (uint32_t i = 0; i < N_LANES; i++) {
        r->out_after[i] = r->in[i];
        r->cells_after[i] = 10 + (i + 1) % N_LANES;
    }
    expect(r, VERDICT_OK, CLAUSE_NONE);
    r->out_after[1] = r->out[1]; /* it did nothing */
    r->cells_after[0] = 77;
    r->cells_after[1] = r->cells[1];
    assert_int_equal(judge_rig(r), VERDICT_MASK);
    for (uint32_t i = 0; i < r->j.n_findings; i++) {
        assert_int_equal(r->j.findings[i].clause, CLAUSE_EVERY_LANE);
    }
    free_rig(r);
}

/* The rules of race.h by hand: who, of which group, after how many barriers, w(rites), a(tomically), in which
 * dispatch. */
static void races_by_hand(void **state)
{
    (void)state;
    static const struct {
        struct race_access seen[4];
        uint32_t n;
        bool is_free; /* the last one; those before it are */
    } rows[] = {
        {{{0, 0, 0, true, false, 0}, {0, 0, 0, false, false, 0}},                             2, true },
        {{{0, 0, 0, true, false, 0}, {1, 0, 0, false, false, 0}},                             2, false},
        {{{0, 0, 0, true, false, 0}, {1, 0, 1, false, false, 0}},                             2, true },
        {{{0, 0, 0, true, false, 0}, {1, 1, 1, false, false, 0}},                             2, false},
        {{{0, 0, 0, false, false, 0}, {1, 0, 0, false, false, 0}},                            2, true },
        {{{0, 0, 0, false, false, 0}, {1, 0, 0, false, false, 0}, {0, 0, 0, true, false, 0}},
         3,                                                                                      false},
        {{{0, 0, 0, false, false, 0}, {1, 0, 0, false, false, 0}, {0, 0, 1, true, false, 0}},
         3,                                                                                      true },
        {{{0, 0, 0, true, true, 0}, {1, 0, 0, true, true, 0}},                                2, true },
        {{{0, 0, 0, true, true, 0}, {1, 1, 0, true, true, 0}},                                2, true },
        {{{0, 0, 0, true, true, 0}, {1, 0, 0, true, true, 0}, {1, 0, 0, false, false, 0}},
         3,                                                                                      false},
        {{{0, 0, 0, true, true, 0}, {1, 0, 0, true, true, 0}, {1, 0, 1, false, false, 0}},    3, true },
        {{{0, 0, 0, true, true, 0}, {1, 1, 0, true, true, 0}, {1, 1, 1, false, false, 0}},
         3,                                                                                      false},
        {{{0, 0, 0, true, false, 0},
          {1, 0, 1, true, true, 0},
          {2, 0, 1, true, true, 0},
          {0, 0, 2, false, false, 0}},
         4,                                                                                      true },
        {{{0, 0, 0, true, false, 0}, {1, 1, 0, false, false, 1}},                             2, true },
        {{{0, 0, 0, false, false, 0}, {1, 1, 0, false, false, 0}, {2, 2, 0, true, false, 1}},
         3,                                                                                      true },
 /* a plain store, an atomic of the same invocation, and one of another's: with nothing, then a barrier between */
        {{{0, 0, 0, true, false, 0}, {0, 0, 0, true, true, 0}, {1, 0, 0, true, true, 0}},     3, false},
        {{{0, 0, 0, true, false, 0}, {0, 0, 0, true, true, 0}, {1, 0, 1, true, true, 0}},     3, true },
        {{{0, 0, 0, true, false, 0}, {0, 0, 1, true, true, 0}, {1, 0, 1, true, true, 0}},     3, true },
        {{{0, 0, 0, true, true, 0}, {0, 0, 0, true, true, 0}, {1, 0, 0, true, true, 0}},      3, true },
        {{{0, 0, 0, true, false, 0}, {0, 0, 0, true, true, 0}, {0, 0, 0, true, true, 0}},     3, true },
        {{{0, 0, 0, false, false, 0}, {0, 0, 0, true, true, 0}, {1, 0, 0, true, true, 0}},
         3,                                                                                      false},
        {{{0, 0, 0, true, false, 0}, {1, 0, 1, true, true, 0}, {2, 1, 0, true, true, 0}},     3, false},
        {{{0, 0, 0, true, false, 0}, {1, 0, 1, true, true, 0}, {2, 1, 0, true, true, 1}},     3, true },
        {{{0, 0, 0, true, true, 0}, {1, 1, 0, true, false, 1}, {2, 2, 0, false, false, 1}},
         3,                                                                                      false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct race_word w = {.write = {.has = false}};
        for (uint32_t k = 0; k < rows[i].n; k++) {
            bool const want = k + 1 < rows[i].n || rows[i].is_free;
            if (race_see(&w, &rows[i].seen[k]) != want) {
                fail_msg("row %zu, access %u", i, k);
            }
        }
    }
}

static bool has_shared_load(const struct testcase *tc, struct arena *a)
{
    struct module *m = ARENA_NEW(a, struct module, 1);
    struct err e = {0};
    assert_non_null(m);
    assert_int_equal(module_decode(m, tc->module, tc->n_words, tc->entry, a, &e), RES_OK);
    bool is_any = false;
    for (uint32_t i = 0; i < m->n_code; i++) {
        uint32_t const pointer =
            m->code[i].op == SpvOpLoad ? module_get_operand(m, &m->code[i], MOD_OPERAND) : 0;
        is_any |= pointer && m->ids[m->ids[pointer].type].t.storage == SpvStorageClassWorkgroup;
    }
    return is_any;
}

/* Whatever the tape, a program is free of races, and an honest device is not accused. */
static void generated_programs_are_ordered(void **state)
{
    (void)state;
    struct arena a;
    uint32_t n_shared = 0;
    arena_init(&a, BIG_ARENA);
    for (uint32_t i = 0; i < N_PROGRAMS * ENV_N; i++) {
        struct err e = {0};
        struct tape t;
        struct testcase tc;
        struct observation ob;
        struct judgement j;
        struct rng rng = rng_seed(1000 + i);
        struct fault_plan const honest = fault_plan_of(FAULT_NONE);
        arena_reset(&a);
        assert_int_equal(tape_random(&t, &rng, &a, &e), RES_OK);
        assert_int_equal(gen_case(PROFILE_PROGRAMS, (enum env)(i % ENV_N), &t, &a, &tc, NULL, &e),
                         RES_OK);
        enum res const res =
            sim_run(&tc,
                    &(struct sim_device){(enum sim_strategy)(i / ENV_N % SIM_STRATEGY_N), i,
                                         &honest, sim_facts_for(&tc, i, &a)},
                    &a, &ob, NULL, &e);
        if (res == RES_LIMIT) {
            continue;
        }
        assert_int_equal(res, RES_OK);
        assert_int_equal(judge_run(&tc, &ob, &a, &j, &e), RES_OK);
        if (j.undefined || verdict_rows[j.kind].part == PART_VIOLATION) {
            fail_msg("seed %u %s: %s", 1000 + i, env_names[i % ENV_N],
                     j.n_findings ? j.findings[0].text : j.note);
        }
        n_shared += has_shared_load(&tc, &a);
    }
    arena_free(&a);
    assert_true(n_shared * 4 > N_PROGRAMS * ENV_N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_barrier_orders_is_exact),
        cmocka_unit_test(what_is_of_another_time_is_told),
        cmocka_unit_test(buffers_hand_over_too),
        cmocka_unit_test(what_is_not_ordered_accuses_nobody),
        cmocka_unit_test(availability_has_a_scope),
        cmocka_unit_test(a_barrier_is_passed_in_one_iteration),
        cmocka_unit_test(pointers_go_on_in_arrays_of_the_function),
        cmocka_unit_test(the_length_of_a_buffer_is_known),
        cmocka_unit_test(arrays_of_the_function_are_exact),
        cmocka_unit_test(numbers_of_the_function_are_set_before_they_are_read),
        cmocka_unit_test(what_the_lost_should_have_stored_is_open),
        cmocka_unit_test(races_by_hand),
        cmocka_unit_test(generated_programs_are_ordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

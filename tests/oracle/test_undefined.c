/* tests/oracle/test_undefined.c -- programs without defined behaviour, of which nothing is judged, beside those that have it. */
#include "tests/rig/expression_rig.h"

#define AS_FLOAT "%r = OpBitcast %f32 %n\n"
#define LEAST    0x80000000U

/* On these operands the program is undefined (`why`), or %n is `want` and nothing else. */
struct edge {
    enum env env;
    const char *decorations, *body;
    uint32_t a, b;
    enum undefined_kind why; /* 0: it is defined */
    uint32_t want;
};

static enum verdict_kind judge_of(struct rig *r, uint32_t got)
{
    r->out_after[0] = got;
    return judge_rig(r);
}

static struct rig *make_edge(const struct edge *e)
{
    struct program const p = {
        .env = e->env, .modes = "", .decorations = e->decorations, .body = e->body};
    struct rig *const r = make_program(&p);
    r->in[0] = e->a;
    r->in[1] = e->b;
    return r;
}

static void expect_edges(const struct edge *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct rig *const r = make_edge(&rows[i]);
        enum verdict_kind const right = judge_of(r, rows[i].want);
        enum undefined_kind const why = r->j.undefined;
        const char *const note = r->j.note;
        enum verdict_kind const wrong = judge_of(r, rows[i].want ^ 0x40);
        bool const is_as_it_should =
            rows[i].why ? right == VERDICT_INCONCLUSIVE && wrong == VERDICT_INCONCLUSIVE &&
                              strcmp(note, undefined_texts[rows[i].why]) == 0
                        : right == VERDICT_OK && wrong == VERDICT_ULP;
        if (!is_as_it_should || why != rows[i].why) {
            fail_msg("row %zu: %sof %08x and %08x: %s, %s: %s", i, rows[i].body, rows[i].a,
                     rows[i].b, verdict_rows[right].name, verdict_rows[wrong].name, note);
        }
        free_rig(r);
    }
}

/* S, OpUDiv to OpSMod: "behavior is undefined if Operand 2 is 0", and if the quotient overflows. */
static void divisions(void **state)
{
    (void)state;
    static const struct edge rows[] = {
        {ENV_CL, "", "%n = OpUDiv %u32 %i0 %i1\n" AS_FLOAT, 7,         0,          UNDEFINED_DIVISION, 7        },
        {ENV_VK, "", "%n = OpUDiv %u32 %i0 %i1\n" AS_FLOAT, 7,         0,          UNDEFINED_DIVISION, 7        },
        {ENV_VK, "", "%n = OpUDiv %u32 %i0 %i1\n" AS_FLOAT, 7,         1,          0,                  7        },
        {ENV_CL, "", "%n = OpUDiv %u32 %i0 %i1\n" AS_FLOAT, LEAST,     UINT32_MAX, 0,                  0        },
        {ENV_CL, "", "%n = OpUMod %u32 %i0 %i1\n" AS_FLOAT, 7,         0,          UNDEFINED_DIVISION, 7        },
        {ENV_CL, "", "%n = OpUMod %u32 %i0 %i1\n" AS_FLOAT, LEAST,     UINT32_MAX, 0,                  LEAST    },
        {ENV_CL, "", "%n = OpSDiv %u32 %i0 %i1\n" AS_FLOAT, 7,         0,          UNDEFINED_DIVISION, 7        },
        {ENV_VK, "", "%n = OpSDiv %u32 %i0 %i1\n" AS_FLOAT, LEAST,     UINT32_MAX, UNDEFINED_DIVISION,
         LEAST                                                                                                  },
        {ENV_VK, "", "%n = OpSDiv %u32 %i0 %i1\n" AS_FLOAT, LEAST + 1, UINT32_MAX, 0,                  LEAST - 1},
        {ENV_CL, "", "%n = OpSDiv %u32 %i0 %i1\n" AS_FLOAT, LEAST,     1,          0,                  LEAST    },
        {ENV_CL, "", "%n = OpSRem %u32 %i0 %i1\n" AS_FLOAT, LEAST,     UINT32_MAX, UNDEFINED_DIVISION,
         0                                                                                                      },
        {ENV_CL, "", "%n = OpSRem %u32 %i0 %i1\n" AS_FLOAT, LEAST + 1, UINT32_MAX, 0,                  0        },
        {ENV_VK, "", "%n = OpSRem %u32 %i0 %i1\n" AS_FLOAT, 7,         0,          UNDEFINED_DIVISION, 0        },
        {ENV_CL, "", "%n = OpSMod %u32 %i0 %i1\n" AS_FLOAT, 7,         0,          UNDEFINED_DIVISION, 0        },
        {ENV_CL, "", "%n = OpSMod %u32 %i0 %i1\n" AS_FLOAT, 7,         UINT32_MAX, 0,                  0        },
    };
    expect_edges(rows, ARRAY_N(rows));
}

#define SIGNED   "OpDecorate %n NoSignedWrap\n"
#define UNSIGNED "OpDecorate %n NoUnsignedWrap\n"

/* SPV_KHR_no_integer_wrap_decoration: "if the instruction decorated ... does overflow or underflow, the behavior is undefined". */
static void decorated_not_to_wrap(void **state)
{
    (void)state;
    static const struct edge rows[] = {
        {ENV_CL, SIGNED,   "%n = OpIAdd %u32 %i0 %i1\n" AS_FLOAT,             LEAST - 1,  1,     UNDEFINED_WRAP,
         LEAST                                                                                                             },
        {ENV_CL, "",       "%n = OpIAdd %u32 %i0 %i1\n" AS_FLOAT,             LEAST - 1,  1,     0,              LEAST     },
        {ENV_VK, SIGNED,   "%n = OpIAdd %u32 %i0 %i1\n" AS_FLOAT,             LEAST - 2,  1,     0,              LEAST - 1 },
        {ENV_VK, UNSIGNED, "%n = OpIAdd %u32 %i0 %i1\n" AS_FLOAT,             LEAST - 1,  1,     0,              LEAST     },
        {ENV_VK, UNSIGNED, "%n = OpIAdd %u32 %i0 %i1\n" AS_FLOAT,             UINT32_MAX, 1,     UNDEFINED_WRAP, 0         },
        {ENV_VK, SIGNED,   "%n = OpIAdd %u32 %i0 %i1\n" AS_FLOAT,             UINT32_MAX, 1,     0,              0         },
        {ENV_CL, UNSIGNED, "%n = OpISub %u32 %i0 %i1\n" AS_FLOAT,             1,          2,     UNDEFINED_WRAP, UINT32_MAX},
        {ENV_CL, SIGNED,   "%n = OpISub %u32 %i0 %i1\n" AS_FLOAT,             1,          2,     0,              UINT32_MAX},
        {ENV_CL, SIGNED,   "%n = OpISub %u32 %i0 %i1\n" AS_FLOAT,             LEAST,      1,     UNDEFINED_WRAP, 0         },
        {ENV_CL, SIGNED,   "%n = OpIMul %u32 %i0 %i1\n" AS_FLOAT,             65536,      32768, UNDEFINED_WRAP,
         LEAST                                                                                                             },
        {ENV_CL, UNSIGNED, "%n = OpIMul %u32 %i0 %i1\n" AS_FLOAT,             65536,      32768, 0,              LEAST     },
        {ENV_CL, UNSIGNED, "%n = OpIMul %u32 %i0 %i1\n" AS_FLOAT,             65536,      65536, UNDEFINED_WRAP, 0         },
        {ENV_CL, SIGNED,   "%n = OpShiftLeftLogical %u32 %i0 %i1\n" AS_FLOAT, 1,          31,    UNDEFINED_WRAP,
         LEAST                                                                                                             },
        {ENV_CL, UNSIGNED, "%n = OpShiftLeftLogical %u32 %i0 %i1\n" AS_FLOAT, 1,          31,    0,              LEAST     },
        {ENV_CL, UNSIGNED, "%n = OpShiftLeftLogical %u32 %i0 %i1\n" AS_FLOAT, 3,          31,    UNDEFINED_WRAP,
         LEAST                                                                                                             },
        {ENV_CL, SIGNED,   "%n = OpSNegate %u32 %i0\n" AS_FLOAT,              LEAST,      0,     UNDEFINED_WRAP, LEAST     },
        {ENV_CL, SIGNED,   "%n = OpSNegate %u32 %i0\n" AS_FLOAT,              LEAST + 1,  0,     0,              LEAST - 1 },
        {ENV_CL, SIGNED,   "%n = OpExtInst %u32 %gl s_abs %i0\n" AS_FLOAT,    LEAST,      0,     UNDEFINED_WRAP,
         LEAST                                                                                                             },
        {ENV_CL, SIGNED,   "%n = OpExtInst %u32 %gl s_abs %i0\n" AS_FLOAT,    LEAST + 1,  0,     0,
         LEAST - 1                                                                                                         },
    };
    expect_edges(rows, ARRAY_N(rows));
}

#define IF_ZERO(dead)                                                                              \
    "%n = OpBitwiseOr %u32 %i0 %c0\n" AS_FLOAT "%z = OpIEqual %bool %i1 %c0\n"                     \
    "OpSelectionMerge %m None\nOpBranchConditional %z %dead %m\n%dead = OpLabel\n" dead            \
    "%m = OpLabel\n"

/* What is reached behind a value takes that away too; what is not reached takes nothing. */
static void what_is_reached(void **state)
{
    (void)state;
    static const char dead[] = IF_ZERO("OpUnreachable\n");
    static const char divides[] = IF_ZERO("%q = OpUDiv %u32 %i0 %i1\nOpBranch %m\n");
    static const struct edge rows[] = {
        {ENV_VK, "", dead,    7, 0, UNDEFINED_UNREACHABLE, 7},
        {ENV_CL, "", dead,    7, 0, UNDEFINED_UNREACHABLE, 7},
        {ENV_VK, "", dead,    7, 1, 0,                     7},
        {ENV_VK, "", divides, 7, 0, UNDEFINED_DIVISION,    7},
        {ENV_CL, "", divides, 7, 1, 0,                     7},
    };
    expect_edges(rows, ARRAY_N(rows));
}

#define EXTRACTED                                                                                  \
    "%x = OpBitcast %f32 %i0\n%w = OpCompositeConstruct %v2 %x %x\n"                               \
    "%e = OpVectorExtractDynamic %f32 %w %i1\n%n = OpBitcast %u32 %e\n" AS_FLOAT
#define INSERTED                                                                                   \
    "%x = OpBitcast %f32 %i0\n%w = OpCompositeConstruct %v2 %x %x\n"                               \
    "%u = OpVectorInsertDynamic %v2 %w %x %i1\n%e = OpCompositeExtract %f32 %u 0\n"                \
    "%n = OpBitcast %u32 %e\n" AS_FLOAT
enum {
    SEVEN = 0x40e00000
};

/* S, OpVectorExtractDynamic and OpVectorInsertDynamic: the behavior is undefined if the vector has no component Index. */
static void components_that_are_not_there(void **state)
{
    (void)state;
    static const struct edge rows[] = {
        {ENV_CL, "", EXTRACTED, SEVEN, 1,          0,                   SEVEN},
        {ENV_CL, "", EXTRACTED, SEVEN, 2,          UNDEFINED_COMPONENT, SEVEN},
        {ENV_VK, "", EXTRACTED, SEVEN, UINT32_MAX, UNDEFINED_COMPONENT, SEVEN},
        {ENV_VK, "", INSERTED,  SEVEN, 1,          0,                   SEVEN},
        {ENV_CL, "", INSERTED,  SEVEN, 0,          0,                   SEVEN},
        {ENV_VK, "", INSERTED,  SEVEN, 2,          UNDEFINED_COMPONENT, SEVEN},
        {ENV_CL, "", INSERTED,  SEVEN, UINT32_MAX, UNDEFINED_COMPONENT, SEVEN},
    };
    expect_edges(rows, ARRAY_N(rows));
}

#define AT(base) "%at = OpPtrAccessChain %pu " base " %i1\n%n = OpLoad %u32 %at\n" AS_FLOAT

/* S, OpPtrAccessChain: Element is treated as signed. The buffer has four words. */
static void pointers_go_back(void **state)
{
    (void)state;
    static const struct edge rows[] = {
        {ENV_CL, "", AT("%pin1"), 7, UINT32_MAX,     0,                       7},
        {ENV_CL, "", AT("%pin0"), 7, UINT32_MAX,     UNDEFINED_OUT_OF_BOUNDS, 7},
        {ENV_CL, "", AT("%pin1"), 7, UINT32_MAX - 1, UNDEFINED_OUT_OF_BOUNDS, 7},
        {ENV_CL, "", AT("%pin0"), 7, 3,              0,                       0},
        {ENV_CL, "", AT("%pin0"), 7, 4,              UNDEFINED_OUT_OF_BOUNDS, 0},
        {ENV_CL, "", AT("%pin0"), 7, 0x40000000,     UNDEFINED_OUT_OF_BOUNDS, 0},
    };
    expect_edges(rows, ARRAY_N(rows));
}

#define OF_ATOMIC                                                                                  \
    "%f = OpAtomicFAddEXT %f32 %cell %c1 %c0 %x0\n%fi = OpBitcast %u32 %f\n"                       \
    "%n = OpUDiv %u32 %i0 %fi\n" AS_FLOAT

/* A driver may do anything in a run of an undefined program. What it does before, while it builds the module, is judged, and so
 * is the end of a run of which nobody knows that it divides by zero, as the divisor was found by an atomic. */
static void how_an_undefined_run_ends(void **state)
{
    (void)state;
    static const char plain[] = "%n = OpUDiv %u32 %i0 %i1\n" AS_FLOAT;
    static const struct {
        const char *body;
        enum run_status status;
        enum run_phase phase;
        uint32_t divisor;
        enum verdict_kind want;
    } rows[] = {
        {plain,     RUN_CRASH,       PHASE_RUN,   0, VERDICT_INCONCLUSIVE},
        {plain,     RUN_CRASH,       PHASE_RUN,   1, VERDICT_CRASH       },
        {plain,     RUN_CRASH,       PHASE_BUILD, 0, VERDICT_CRASH       },
        {plain,     RUN_CRASH,       PHASE_DONE,  0, VERDICT_INCONCLUSIVE},
        {plain,     RUN_HANG,        PHASE_RUN,   0, VERDICT_INCONCLUSIVE},
        {plain,     RUN_HANG,        PHASE_RUN,   1, VERDICT_HANG        },
        {plain,     RUN_EXIT,        PHASE_RUN,   0, VERDICT_INCONCLUSIVE},
        {plain,     RUN_DEVICE_LOST, PHASE_RUN,   0, VERDICT_INCONCLUSIVE},
        {plain,     RUN_DEVICE_LOST, PHASE_RUN,   1, VERDICT_DEVICE_LOST },
        {OF_ATOMIC, RUN_CRASH,       PHASE_RUN,   0, VERDICT_CRASH       },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct edge const e = {ENV_VK, "", rows[i].body, 7, rows[i].divisor, 0, 0};
        struct rig *const r = make_edge(&e);
        r->ob.status = rows[i].status;
        r->ob.phase = rows[i].phase;
        r->ob.n_bufs = 0;
        memset(r->ob.out, 0, sizeof r->ob.out);
        enum verdict_kind const got = judge_rig(r);
        bool const is_undefined = rows[i].want == VERDICT_INCONCLUSIVE;
        if (got != rows[i].want || (r->j.undefined == UNDEFINED_DIVISION) != is_undefined) {
            fail_msg("row %zu: %s: %s", i, verdict_rows[got].name, r->j.note);
        }
        if (is_undefined) {
            assert_string_equal(r->j.note, undefined_texts[UNDEFINED_DIVISION]);
        } else {
            assert_int_equal(r->j.findings[0].clause, CLAUSE_MUST_RUN);
        }
        free_rig(r);
    }
}

/* A program that does not end within the steps that are followed is not said to have to: with 0 the loop goes on for ever. */
static void how_a_run_without_an_end_ends(void **state)
{
    (void)state;
    static const char body[] =
        "%n = OpBitwiseOr %u32 %i0 %c0\n" AS_FLOAT
        "OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %ct None\nOpBranch %t\n%t = OpLabel\n"
        "%z = OpIEqual %bool %i1 %c0\nOpBranchConditional %z %ct %m\n"
        "%ct = OpLabel\nOpBranch %h\n%m = OpLabel\n";
    static const enum run_status statuses[] = {RUN_CRASH, RUN_HANG};
    for (size_t i = 0; i < 2 * ARRAY_N(statuses); i++) {
        bool const ends = i % 2 != 0;
        struct edge const e = {ENV_CL, "", body, 7, ends, 0, 0};
        struct rig *const r = make_edge(&e);
        r->ob.status = statuses[i / 2];
        r->ob.phase = PHASE_RUN;
        enum verdict_kind const got = judge_rig(r);
        if ((got == VERDICT_INCONCLUSIVE) == ends) {
            fail_msg("row %zu: %s: %s", i, verdict_rows[got].name, r->j.note);
        }
        assert_int_equal(r->j.n_findings, ends);
        free_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divisions),
        cmocka_unit_test(decorated_not_to_wrap),
        cmocka_unit_test(what_is_reached),
        cmocka_unit_test(components_that_are_not_there),
        cmocka_unit_test(pointers_go_back),
        cmocka_unit_test(how_an_undefined_run_ends),
        cmocka_unit_test(how_a_run_without_an_end_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

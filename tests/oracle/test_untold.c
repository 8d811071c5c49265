/* tests/oracle/test_untold.c -- sub-groups of a module that does not store who forms them: what follows all the same is
 * judged, and nothing else. */
#include "tests/rig/groups_rig.h"

/* The module without the stores of its ids, which are the first three. */
static struct groups_rig *make_untold(enum env env, uint32_t n, uint32_t local, const char *modes,
                                      const char *body)
{
    enum {
        HEADER = 5,
        OP_STORE = 62,
        N_IDS = 3
    };
    struct groups_rig *const g = make_groups(env, n, local, "", modes, body);
    struct testcase *const tc = &g->r->tc;
    uint32_t *const words = ARENA_NEW(&g->r->a, uint32_t, tc->n_words);
    uint32_t n_words = HEADER, n_stores = 0;
    assert_non_null(words);
    memcpy(words, tc->module, HEADER * sizeof *words);
    for (uint32_t i = HEADER; i < tc->n_words; i += tc->module[i] >> 16) {
        uint32_t const n_of = tc->module[i] >> 16;
        bool const is_store = (tc->module[i] & 0xffff) == OP_STORE;
        if (is_store && n_stores++ < N_IDS) {
            continue;
        }
        memcpy(&words[n_words], &tc->module[i], n_of * sizeof *words);
        n_words += n_of;
    }
    tc->module = words;
    tc->n_words = n_words;
    for (uint32_t lane = 0; lane < n; lane++) {
        for (uint32_t k = 0; k < FIRST_RESULT; k++) {
            *slot(g, lane, k) = (uint32_t)UNTOUCHED;
        }
    }
    return g;
}

/* A result of eight invocations, whose operand is x, and of one another. */
struct result {
    const char *body; /* stores to %p3 */
    uint32_t x, other, other_lane;
    uint32_t lane, right, wrong; /* is wrong of this one */
    enum clause_id clause;       /* NONE: any value passes */
};

#define U32(op)  "%r = " op " %u32 %c3 Reduce %x\nOpStore %p3 %r\n"
#define SCAN(op) "%r = " op " %u32 %c3 InclusiveScan %x\nOpStore %p3 %r\n"
#define BOOL(op)                                                                                   \
    "%b = OpINotEqual %bool %x %c0\n%v = " op " %bool %c3 %b\n%r = OpSelect %u32 %v %c1 %c0\n"     \
    "OpStore %p3 %r\n"
#define MOVE(op)      "%r = " op "\nOpStore %p3 %r\n"
#define FLOAT(op)     "%f = " op " %f32 %c3 Reduce %fx\n%r = OpBitcast %u32 %f\nOpStore %p3 %r\n"
#define EXCLUSIVE(op) "%r = " op " %u32 %c3 ExclusiveScan %x\nOpStore %p3 %r\n"

/* All invocations get what is right on some composition, and one then what is wrong on each. Where nothing follows, that
 * passes as well. */
static void judge_results(enum env env, const char *modes, bool is_full, const struct result *all,
                          size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct result *const e = &all[i];
        struct groups_rig *g = make_untold(env, 8, 8, modes, e->body);
        g->r->tc.full_subgroups = is_full;
        g->r->tc.subgroup_size = is_full ? 8 : 0;
        for (uint32_t lane = 0; lane < 8; lane++) {
            g->in[lane * IN_WORDS] = lane == e->other_lane ? e->other : e->x;
            *slot(g, lane, FIRST_RESULT) = e->right;
        }
        if (e->clause == CLAUSE_NONE) {
            expect_ok(g, e->body);
            *slot(g, e->lane, FIRST_RESULT) = e->wrong;
            expect_ok(g, e->body);
        } else {
            expect_ok(g, e->body);
            enum verdict_kind const kind = VERDICT_ULP;
            *slot(g, e->lane, FIRST_RESULT) = e->wrong;
            expect_verdict(g, e->body, kind, e->clause);
        }
        free_groups(g);
    }
}

static void what_follows_of_all(void **state)
{
    (void)state;
    COVERS(GROUP_INTEGER);
    COVERS(GROUP_VOTE);
    COVERS(GROUP_EXCHANGE);
    COVERS(GROUP_MINMAX_NAN);
    COVERS(GROUP_ALL_EQUAL);
    static const struct result rows[] = {
  /* uniform operands */
        {U32("OpGroupNonUniformUMin"),                        7,    7,    4, 2, 7,   6,          CLAUSE_GROUP_INTEGER   },
        {SCAN("OpGroupNonUniformSMax"),                       7,    7,    4, 2, 7,   8,          CLAUSE_GROUP_INTEGER   },
        {U32("OpGroupNonUniformBitwiseAnd"),                  6,    6,    4, 0, 6,   2,          CLAUSE_GROUP_INTEGER   },
        {BOOL("OpGroupNonUniformAll"),                        1,    1,    4, 0, 1,   0,          CLAUSE_GROUP_VOTE      },
        {BOOL("OpGroupNonUniformAny"),                        0,    0,    4, 5, 0,   1,          CLAUSE_GROUP_VOTE      },
        {BOOL("OpGroupNonUniformAllEqual"),                   0,    0,    4, 5, 1,   0,          CLAUSE_GROUP_ALL_EQUAL },
        {MOVE("OpGroupNonUniformBroadcastFirst %u32 %c3 %x"), 9,    9,    4, 7, 9,   8,
         CLAUSE_GROUP_EXCHANGE                                                                                          },
        {FLOAT("OpGroupNonUniformFMin"),                      ONE,  ONE,  4, 3, ONE, TWO,        CLAUSE_GROUP_MINMAX_NAN},
 /* how many there are is not known */
        {U32("OpGroupNonUniformIAdd"),                        7,    7,    4, 2, 28,  99,         CLAUSE_NONE            },
        {U32("OpGroupNonUniformBitwiseXor"),                  7,    7,    4, 2, 0,   99,         CLAUSE_NONE            },
        {EXCLUSIVE("OpGroupNonUniformUMin"),                  7,    7,    4, 2, 7,   0xffffffff, CLAUSE_NONE            },
 /* no rule of zeros and NaNs is taken to say more than it does */
        {FLOAT("OpGroupNonUniformFMin"),                      0,    0,    4, 3, 0,   MINUS_ZERO, CLAUSE_NONE            },
        {FLOAT("OpGroupNonUniformFMin"),                      QNAN, QNAN, 4, 3, ONE, TWO,        CLAUSE_NONE            },
 /* a source that may be nobody; in Vulkan a sub-group need not have an id 0 */
        {MOVE("OpGroupNonUniformShuffleXor %u32 %c3 %x %c1"), 9,    9,    4, 7, 9,   8,          CLAUSE_NONE            },
        {MOVE("OpGroupNonUniformBroadcast %u32 %c3 %x %c0"),  9,    9,    4, 7, 9,   8,          CLAUSE_NONE            },
 /* the least value of all, whoever takes part; another need not be with it */
        {U32("OpGroupNonUniformUMin"),                        1,    0,    4, 4, 0,   1,          CLAUSE_GROUP_INTEGER   },
        {U32("OpGroupNonUniformUMin"),                        5,    3,    4, 4, 3,   5,          CLAUSE_GROUP_INTEGER   },
        {U32("OpGroupNonUniformUMin"),                        5,    3,    4, 0, 3,   5,          CLAUSE_NONE            },
        {BOOL("OpGroupNonUniformAll"),                        1,    0,    2, 2, 0,   1,          CLAUSE_GROUP_VOTE      },
        {BOOL("OpGroupNonUniformAll"),                        1,    0,    2, 3, 0,   1,          CLAUSE_NONE            },
 /* with itself */
        {MOVE("OpGroupNonUniformShuffleXor %u32 %c3 %x %c0"), 9,    9,    4, 7, 9,   8,
         CLAUSE_GROUP_EXCHANGE                                                                                          },
    };
    judge_results(ENV_VK, "", false, rows, ARRAY_N(rows));
}

/* With the size of the work-group required of full sub-groups there is one alone; else there may be several, of which some
 * are filled in part. */
static void a_work_group_that_is_one_sub_group(void **state)
{
    (void)state;
    static const struct result full[] = {
        {U32("OpGroupNonUniformIAdd"),  4, 8, 4, 2, 36, 28, CLAUSE_GROUP_INTEGER},
        {U32("OpGroupNonUniformUMin"),  5, 3, 4, 0, 3,  5,  CLAUSE_GROUP_INTEGER},
        {BOOL("OpGroupNonUniformAll"),  1, 0, 2, 3, 0,  1,  CLAUSE_GROUP_VOTE   },
 /* the order of the ids is not known */
        {SCAN("OpGroupNonUniformIAdd"), 4, 8, 4, 2, 36, 28, CLAUSE_NONE         },
    };
    static const struct result open[] = {
        {U32("OpGroupNonUniformIAdd"), 4, 8, 4, 2, 36, 28, CLAUSE_NONE},
        {BOOL("OpGroupNonUniformAll"), 1, 0, 2, 3, 0,  1,  CLAUSE_NONE},
    };
    judge_results(ENV_VK, "", true, full, ARRAY_N(full));
    judge_results(ENV_VK, "", false, open, ARRAY_N(open));
    judge_results(ENV_CL, "OpExecutionMode %main SubgroupSize 8\n", false, full, ARRAY_N(full));
    judge_results(ENV_CL, "OpExecutionMode %main SubgroupSize 16\n", false, full, ARRAY_N(full));
    judge_results(ENV_CL, "OpExecutionMode %main SubgroupSize 4\n", false, open, ARRAY_N(open));
    judge_results(ENV_CL, "", false, open, ARRAY_N(open));
}

/* A kernel's sub-groups number their members from 0, and a group instruction of the core that all come to has all. */
static void kernels(void **state)
{
    (void)state;
    static const struct result rows[] = {
        {MOVE("OpGroupBroadcast %u32 %c3 %x %c0"), 9, 9, 4, 7, 9, 8, CLAUSE_GROUP_EXCHANGE},
        {MOVE("OpGroupBroadcast %u32 %c3 %x %c1"), 9, 9, 4, 7, 9, 8, CLAUSE_NONE          },
        {BOOL("OpGroupAll"),                       1, 1, 4, 0, 1, 0, CLAUSE_GROUP_VOTE    },
        {U32("OpGroupUMax"),                       1, 9, 2, 2, 9, 1, CLAUSE_GROUP_INTEGER },
        {U32("OpGroupIAdd"),                       1, 1, 4, 0, 4, 3, CLAUSE_NONE          },
    };
    judge_results(ENV_CL, "", false, rows, ARRAY_N(rows));
}

/* Ids that contradict themselves are told, and nothing is built on them. */
static void ids_that_contradict_themselves(void **state)
{
    (void)state;
    struct groups_rig *g = make_groups(ENV_VK, 8, 8, "", "", U32("OpGroupNonUniformUMin"));
    for (uint32_t lane = 0; lane < 8; lane++) {
        g->in[lane * IN_WORDS] = 7;
        *slot(g, lane, FIRST_RESULT) = 7;
    }
    *slot(g, 1, 1) = 0;
    *slot(g, 2, FIRST_RESULT) = 6;
    expect_verdict(g, "two of one id", VERDICT_MASK, CLAUSE_SUBGROUP_IDS);
    assert_int_equal(g->r->j.n_found, 1);
    free_groups(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_follows_of_all),
        cmocka_unit_test(a_work_group_that_is_one_sub_group),
        cmocka_unit_test(kernels),
        cmocka_unit_test(ids_that_contradict_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

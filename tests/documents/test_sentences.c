/* tests/documents/test_sentences.c -- each sentence of the specifications is exercised by what its row says, and docs/seeds.md
 * tells so; WRITE=1 writes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "gen/case/gen.h"
#include "gen/illegal/illegal.h"
#include "gen/tape/tape_random.h"
#include "oracle/fault/faults.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/tables/storage.h"

/* ---- the table ---- */

enum document {
    DOC_MIN_MAX,
    DOC_FLOAT_ATOMICS,
    DOC_MAX_ERROR,
    DOC_BALLOT,
    DOC_VECTORS,
    DOC_N
};
static const char *const documents[DOC_N] = {
    "SPV_EXT_shader_atomic_float_min_max", "cl_ext_float_atomics", "SPV_INTEL_fp_max_error",
    "SPV_AMD_shader_ballot", "GL_NV_shader_atomic_fp16_vector"};
enum evidence_kind {
    EVIDENCE_END,
    EVIDENCE_RUN,
    EVIDENCE_CAUGHT,
    EVIDENCE_LEGAL,
    EVIDENCE_CLAUSE,
    EVIDENCE_NEED,
    EVIDENCE_REFUSED,
    EVIDENCE_TEST,
    EVIDENCE_NONE
};
enum {
    MAX_EVIDENCE = 4,
    ANYTHING = -1,
    VT_ANY = ANYTHING,
    STORAGE_ANY = ANYTHING
};
struct evidence {
    enum evidence_kind kind;
    const char *name; /* of the row or test; the reason of NONE */
    const char *file; /* of a test */
    int row;          /* in the table of its kind */
    int profile, env, type, storage;
};
struct sentence {
    enum document document;
    const char *place, *says;
    struct evidence by[MAX_EVIDENCE + 1];
};

#define RUN(of_profile, of_env, op, of_type, of_storage)                                           \
    {                                                                                              \
        .kind = EVIDENCE_RUN, .name = #op, .row = OP_##op, .profile = PROFILE_##of_profile,        \
        .env = ENV_##of_env, .type = VT_##of_type, .storage = STORAGE_##of_storage                 \
    }
#define CAUGHT(fault)                                                                              \
    {                                                                                              \
        .kind = EVIDENCE_CAUGHT, .name = #fault, .row = FAULT_##fault                              \
    }
#define LEGAL(fault)                                                                               \
    {                                                                                              \
        .kind = EVIDENCE_LEGAL, .name = #fault, .row = FAULT_##fault                               \
    }
#define CLAUSE(id)                                                                                 \
    {                                                                                              \
        .kind = EVIDENCE_CLAUSE, .name = #id, .row = CLAUSE_##id                                   \
    }
#define NEED(id)                                                                                   \
    {                                                                                              \
        .kind = EVIDENCE_NEED, .name = #id, .row = NEED_##id                                       \
    }
#define REFUSED(rule)                                                                              \
    {                                                                                              \
        .kind = EVIDENCE_REFUSED, .name = #rule                                                    \
    }
#define TEST(path, function)                                                                       \
    {                                                                                              \
        .kind = EVIDENCE_TEST, .name = #function, .file = path                                     \
    }
#define NONE(reason)                                                                               \
    {                                                                                              \
        .kind = EVIDENCE_NONE, .name = reason                                                      \
    }
#define SENTENCE(document, place, says, ...) {DOC_##document, place, says, {__VA_ARGS__}},
static const struct sentence sentences[] = {
#include "tests/documents/sentences.def"
};

/* ---- what random cases have ---- */

enum {
    MOST_CASES = 5000, /* of a profile and environment; far fewer are needed */
    PAGE_BYTES = 1 << 16
};
/* [profile][environment]: bit of a type and a storage, by instruction */
struct seen {
    uint64_t storages[PROFILE_N][ENV_N][OP_N][VT_N];
};

static void note_coverage(struct seen *s, const struct testcase *tc, int profile,
                          const struct judgement *g)
{
    for (uint32_t i = 0; i < g->n_coverage; i++) {
        const struct coverage *row = &g->coverage[i];
        s->storages[profile][tc->env][row->op][row->type] |= UINT64_C(1) << row->storage;
    }
}

/* Run a random case on the simulated device, and note what of it was judged. */
static void try_case(struct seen *s, enum profile profile, enum env env, uint64_t seed,
                     struct arena *a)
{
    const struct fault_plan honest = fault_plan_of(FAULT_NONE);
    struct err e = {RES_OK, ""};
    struct rng rng = rng_seed(seed);
    struct tape tape;
    struct testcase tc;
    struct observation ob;
    struct judgement g;
    enum fault_outcome outcome;
    uint32_t site;
    arena_reset(a);
    assert_int_equal(tape_random(&tape, &rng, a, &e), RES_OK);
    assert_int_equal(gen_case(profile, env, &tape, a, &tc, NULL, &e), RES_OK);
    const char *facts = sim_facts(env, seed, a);
    if (sim_run(&tc, SIM_IEEE, seed, &honest, facts, a, &ob, &outcome, &site, &e) != RES_OK) {
        return;
    }
    assert_int_equal(judge_run(&tc, &ob, a, &g, &e), RES_OK);
    note_coverage(s, &tc, (int)profile, &g);
}

static bool is_seen(const struct seen *s, const struct evidence *by)
{
    for (int type = 0; type < VT_N; type++) {
        uint64_t const storages = s->storages[by->profile][by->env][by->row][type];
        bool const is_type = by->type == ANYTHING || by->type == type;
        if (is_type && (by->storage == ANYTHING ? storages != 0 : storages >> by->storage & 1)) {
            return true;
        }
    }
    return false;
}

static const char *describe_run(const struct evidence *by, struct arena *a)
{
    const char *type = by->type == ANYTHING ? "" : val_type_names[by->type];
    const char *storage = by->storage == ANYTHING ? "" : storage_names[by->storage];
    return arena_printf(a, "%s%s%s%s%s in `--profile %s`, %s", op_rows[by->row].name,
                        type[0] ? " " : "", type, storage[0] ? " " : "", storage,
                        profile_names[by->profile], env_names[by->env]);
}

/* Is a row still without the cases of that profile and environment that it claims? */
static bool is_missing(const struct seen *s, int profile, int env)
{
    for (size_t i = 0; i < ARRAY_N(sentences); i++) {
        for (const struct evidence *by = sentences[i].by; by->kind != EVIDENCE_END; by++) {
            if (by->kind == EVIDENCE_RUN && by->profile == profile && by->env == env &&
                !is_seen(s, by)) {
                return true;
            }
        }
    }
    return false;
}

static void random_cases_have_what_is_claimed(void **state)
{
    (void)state;
    struct arena a;
    struct seen *s = calloc(1, sizeof *s);
    int n_missing = 0;
    assert_non_null(s);
    arena_init(&a, (size_t)256 << 20);
    for (int i = 0; i < PROFILE_N * ENV_N; i++) {
        int const profile = i / ENV_N, env = i % ENV_N;
        for (uint64_t seed = 1; seed <= MOST_CASES && is_missing(s, profile, env); seed++) {
            try_case(s, (enum profile)profile, (enum env)env, seed, &a);
        }
    }
    for (size_t i = 0; i < ARRAY_N(sentences); i++) {
        for (const struct evidence *by = sentences[i].by; by->kind != EVIDENCE_END; by++) {
            if (by->kind == EVIDENCE_RUN && !is_seen(s, by)) {
                printf("%s, %s: no case has %s\n", documents[sentences[i].document],
                       sentences[i].place, describe_run(by, &a));
                n_missing++;
            }
        }
    }
    assert_int_equal(n_missing, 0);
    arena_free(&a);
    free(s);
}

/* ---- what is there by name ---- */

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, PAGE_BYTES * 4);
    assert_non_null(text);
    if (f) {
        text[fread(text, 1, PAGE_BYTES * 4 - 1, f)] = '\0';
        (void)fclose(f);
    }
    return text;
}

/* Is the function one of the tests that the file runs? */
static bool has_test(const struct evidence *by)
{
    char call[128];
    char *text = read_text(by->file);
    (void)snprintf(call, sizeof call, "(%s)", by->name);
    bool const is_run = strstr(text, call) != NULL;
    (void)snprintf(call, sizeof call, "(%s,", by->name); /* with a set-up */
    bool const is_run_so = strstr(text, call) != NULL;
    free(text);
    return is_run || is_run_so;
}

static void check_evidence(const struct sentence *s, const struct evidence *by)
{
    bool is_there = by->name[0] != '\0';
    if (by->kind == EVIDENCE_TEST) {
        is_there = has_test(by);
    } else if (by->kind == EVIDENCE_REFUSED) {
        is_there = illegal_find(by->name) >= 0;
    } else if (by->kind == EVIDENCE_CAUGHT) {
        is_there = verdict_rows[fault_rows[by->row].expect].part == PART_VIOLATION;
    } else if (by->kind == EVIDENCE_LEGAL) {
        is_there = fault_rows[by->row].expect == VERDICT_OK;
    }
    if (!is_there) {
        fail_msg("%s, %s (\"%s\"): %s is not what the row says", documents[s->document], s->place,
                 s->says, by->name);
    }
}

static void evidence_is_there(void **state)
{
    (void)state;
    int n[DOC_N] = {0};
    for (size_t i = 0; i < ARRAY_N(sentences); i++) {
        n[sentences[i].document]++;
        assert_int_not_equal(sentences[i].by[0].kind, EVIDENCE_END);
        for (const struct evidence *by = sentences[i].by; by->kind != EVIDENCE_END; by++) {
            check_evidence(&sentences[i], by);
        }
    }
    for (int i = 0; i < DOC_N; i++) {
        assert_true(n[i] > 0);
    }
}

/* ---- the page ---- */

static const char *describe(const struct evidence *by, struct arena *a)
{
    switch (by->kind) {
    case EVIDENCE_RUN:
        return describe_run(by, a);
    case EVIDENCE_CAUGHT:
        return arena_printf(a, "`selftest --fault %s`: caught", by->name);
    case EVIDENCE_LEGAL:
        return arena_printf(a, "`selftest --fault %s`: permitted", by->name);
    case EVIDENCE_CLAUSE:
        return arena_printf(a, "clause %s", by->name);
    case EVIDENCE_NEED:
        return arena_printf(a, "need %s", by->name);
    case EVIDENCE_REFUSED:
        return arena_printf(a, "`refusals`: %s", by->name);
    case EVIDENCE_TEST:
        return arena_printf(a, "%s: %s", by->file, by->name);
    case EVIDENCE_NONE:
    case EVIDENCE_END:
    default:
        return arena_printf(a, "not tested: %s", by->name);
    }
}

static const char *write_page(struct arena *a)
{
    const char *page =
        "# The five specifications, sentence by sentence\n\n"
        "What a device or a compiler can keep or break, in our words, and what exercises it: "
        "random cases\n"
        "(instruction, type and storage; `halfulp run --profile NAME` on any target, `halfulp "
        "report` counts them),\n"
        "planted faults (`halfulp selftest`), clauses of the judge (docs/clauses.md), needs "
        "(base/caps.def: only devices\n"
        "that list one get its cases, all others with `--unadvertised`), modules that break a rule "
        "(`halfulp refusals`),\n"
        "and tests. Written by\n"
        "`WRITE=1 build/opt/tests/test_sentences` from tests/documents/sentences.def, whose test "
        "checks each "
        "row.\n";
    for (int d = 0; d < DOC_N; d++) {
        page = arena_printf(a, "%s\n## %s\n\n| where | what | shown by |\n| --- | --- | --- |\n",
                            page, documents[d]);
        for (size_t i = 0; i < ARRAY_N(sentences); i++) {
            const struct sentence *s = &sentences[i];
            if ((int)s->document != d) {
                continue;
            }
            page = arena_printf(a, "%s| %s | %s |", page, s->place, s->says);
            for (const struct evidence *by = s->by; by->kind != EVIDENCE_END; by++) {
                page = arena_printf(a, "%s%s %s", page, by == s->by ? "" : ";", describe(by, a));
            }
            page = arena_printf(a, "%s |\n", page);
        }
    }
    return page;
}

static void the_page_is_that_of_the_table(void **state)
{
    (void)state;
    static const char path[] = "docs/seeds.md";
    struct arena a;
    arena_init(&a, (size_t)64 << 20);
    const char *page = write_page(&a);
    if (getenv("WRITE")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        assert_true(fputs(page, f) >= 0);
        assert_int_equal(fclose(f), 0);
    }
    char *text = read_text(path);
    if (strcmp(text, page) != 0) {
        fail_msg("%s is not what tests/documents/sentences.def says: WRITE=1 "
                 "build/opt/tests/test_sentences "
                 "writes it",
                 path);
    }
    free(text);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_is_there),
        cmocka_unit_test(the_page_is_that_of_the_table),
        cmocka_unit_test(random_cases_have_what_is_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

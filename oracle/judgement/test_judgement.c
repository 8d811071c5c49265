/* oracle/judgement/test_judgement.c -- signatures of runs that did not end well: text, core and family. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/judge/judge.h"
#include "oracle/judge_state/judge_report.h"

#define FRAMES "libfoo.so:0a1b2c3d4e5f6071+0x12;libfoo.so+_ZN3fooEv;libbar.so:0x34;libc.so.6+x"
#define CORE   "libfoo.so:0a1b2c3d4e5f6071+0x12;libfoo.so+_ZN3fooEv;libbar.so:0x34"

static const struct {
    enum run_status status;
    enum verdict_kind kind;
    enum clause_id clause;
    const char *line, *log;
    const char *core, *family;
} rows[] = {
    {RUN_CRASH,  VERDICT_CRASH,      CLAUSE_MUST_RUN,       "pass 'X86 p' " FRAMES,            "",
     "crash MUST_RUN build 11 pass 'X86 p' " CORE,
     "crash MUST_RUN build 11 pass 'X86 p' libfoo.so:#+#;libfoo.so+_Z#"           },
    {RUN_CRASH,  VERDICT_CRASH,      CLAUSE_MUST_RUN,       "\"LLVM ERROR: t 12; u\" " FRAMES, "",
     "crash MUST_RUN build 11 \"LLVM ERROR: t #; u\" " CORE,
     "crash MUST_RUN build 11 \"LLVM ERROR: t #; u\" libfoo.so:#+#;libfoo.so+_Z#" },
    {RUN_CRASH,  VERDICT_CRASH,      CLAUSE_ND_RANGE,       "pass 'p' " FRAMES,                "", "crash ND_RANGE build 11",
     "crash ND_RANGE build 11"                                                    },
    {RUN_CRASH,  VERDICT_DIVERGENCE, CLAUSE_MAX_ERROR_LIST, "pass 'X86 p' " FRAMES,            "",
     "divergence MAX_ERROR_LIST build 11 pass 'X86 p' " CORE,
     "divergence MAX_ERROR_LIST build 11 pass 'X86 p' libfoo.so:#+#;libfoo.so+_Z#"},
    {RUN_REJECT, VERDICT_REJECT,     CLAUSE_MUST_ACCEPT,    "",
     "Symbols not found: [ _Z10atomic_addPU3AS1VDhDh ]",                                           "reject MUST_ACCEPT build 11 symbol missing: atomic_add half global",
     "reject MUST_ACCEPT build 11 symbol missing: atomic_add half global"         },
    {RUN_REJECT, VERDICT_DIVERGENCE, CLAUSE_HOLE_CL_FLOAT,  "",
     "Symbols not found: [ _Z10atomic_addPU3AS1VDhDh ]",                                           "divergence HOLE_CL_FLOAT build 11 symbol missing: atomic_add half global",
     "divergence HOLE_CL_FLOAT build 11 symbol missing: atomic_add half global"   },
    {RUN_HANG,   VERDICT_HANG,       CLAUSE_MUST_RUN,       "",                                "", "hang MUST_RUN build 11",
     "hang MUST_RUN build 11"                                                     },
};

static void each_end_has_its_core(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct finding const f = {
            .kind = rows[i].kind, .clause = rows[i].clause, .op = -1, .op2 = -1};
        struct observation const ob = {.status = rows[i].status,
                                       .phase = PHASE_BUILD,
                                       .driver_code = 11,
                                       .signature = rows[i].line,
                                       .log = rows[i].log};
        struct signature const s = signature_of(&f, &ob, &a);
        assert_true(s.is_of_run);
        assert_string_equal(s.core, rows[i].core);
        assert_string_equal(s.family, rows[i].family);
        assert_string_equal(s.op, "");
        assert_true(strncmp(s.text, s.core, strlen(s.core)) == 0); /* a text begins with its core */
        assert_true(finding_has_core(&f, &ob, rows[i].core, &a));
        assert_true(signature_fits(s.text, s.core) || strcmp(s.text + strlen(s.core), " ") == 0);
        assert_string_equal(signature_parse(s.text, &a).core, s.core); /* as a journal has it */
        assert_string_equal(signature_parse(s.core, &a).core, s.core);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(s.core, rows[k].core);
        }
    }
    arena_free(&a);
}

/* A value that is a divergence alone is none of these: no instruction has the name of a phase. */
static void values_stay_values(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 1 << 16);
    struct signature const s =
        signature_parse("divergence FMIN_NAN AtomicFMinEXT f32 global qnan,normal high", &a);
    assert_false(s.is_of_run);
    assert_string_equal(s.core, "divergence FMIN_NAN AtomicFMinEXT f32 global");
    arena_free(&a);
}

/* The finding of a refusal says which function is missing and what advertises it. */
static void a_refusal_names_what_is_advertised(void **state)
{
    (void)state;
    static const uint32_t words[8];
    struct testcase const tc = {
        .module = words,
        .n_words = ARRAY_N(words),
        .build_options = "",
        .entry = "",
        .local = {1, 1, 1},
        .global = {1, 1, 1}
    };
    struct observation const ob = {.status = RUN_REJECT,
                                   .phase = PHASE_BUILD,
                                   .driver_code = -11,
                                   .log = "Symbols not found: [ _Z10atomic_addPU3AS1VDhDh ]",
                                   .signature = "",
                                   .facts = ""};
    struct judgement g;
    struct arena a;
    struct err e;
    arena_init(&a, (size_t)1 << 26);
    assert_int_equal(judge_run(&tc, &ob, &a, &g, &e), RES_OK);
    assert_int_equal(g.kind, VERDICT_REJECT);
    assert_string_equal(
        g.findings[0].text,
        "reject while the driver was to build, code -11: _Z10atomic_addPU3AS1VDhDh is missing, "
        "advertised by the add bits of cl_ext_float_atomics, cl_khr_fp16");
    arena_free(&a);
}

/* Both sides of a half, and what a verdict without a violation leaves open. */
static void few_confined_values_are_told(void **state)
{
    (void)state;
    static const struct {
        enum verdict_kind kind;
        uint32_t n_judged, n_anything, n_told, n_inconclusive;
        const char *note, *said;
        bool is_open;
    } cases[] = {
        {VERDICT_OK,           0, 0, 0, 0, "",  "ok",                                         false},
        {VERDICT_OK,           8, 0, 0, 0, "",  "ok",                                         false},
        {VERDICT_OK,           8, 4, 9, 0, "",  "ok",                                         false},
        {VERDICT_OK,           8, 5, 0, 0, "",  "ok: 3 of 8 values confined: C",              false},
        {VERDICT_OK,           8, 7, 0, 0, "",  "ok: 1 of 8 values confined: C",              false},
        {VERDICT_OK,           8, 8, 0, 0, "",  "ok: 0 of 8 values confined: C",              true },
        {VERDICT_OK,           0, 0, 3, 0, "",  "ok: 0 of 3 values confined: D",              true },
        {VERDICT_BUILT,        0, 0, 0, 0, "",  "built",                                      false},
        {VERDICT_BOUNDED,      4, 4, 0, 0, "",  "bounded: 0 of 4 values confined: C",         true },
        {VERDICT_INCONCLUSIVE, 9, 0, 0, 1, "n", "inconclusive: n",                            true },
        {VERDICT_INCONCLUSIVE, 9, 9, 0, 1, "n", "inconclusive: n; 0 of 9 values confined: C", true },
        {VERDICT_DIVERGENCE,   9, 0, 0, 0, "n", "divergence",                                 false},
        {VERDICT_DIVERGENCE,   9, 0, 0, 1, "n", "divergence",                                 true },
        {VERDICT_ULP,          9, 9, 0, 0, "",  "ulp: 0 of 9 values confined: C",             true },
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct judgement g = {.kind = cases[i].kind,
                              .n_judged = cases[i].n_judged,
                              .n_anything = cases[i].n_anything,
                              .n_told = cases[i].n_told,
                              .n_inconclusive = cases[i].n_inconclusive,
                              .note = cases[i].note};
        g.n_unconfined[UNCONFINED_ANYTHING] = cases[i].n_anything > 2 ? 2 : cases[i].n_anything;
        g.n_unconfined[UNCONFINED_UNCERTAIN] =
            cases[i].n_anything > 2 ? cases[i].n_anything - 2 : 0;
        const char *want = cases[i].said;
        size_t const n = strlen(want);
        if (n > 0 && (want[n - 1] == 'C' || want[n - 1] == 'D')) { /* the most frequent reason */
            want = arena_printf(
                &a, "%.*s%s", (int)n - 1, want,
                unconfined_texts[want[n - 1] == 'D' ? UNCONFINED_DEVICE : UNCONFINED_UNCERTAIN]);
        }
        assert_string_equal(judgement_describe(&g, &a), want);
        assert_int_equal(judgement_is_open(&g), cases[i].is_open);
    }
    arena_free(&a);
}

/* ---- which findings are kept ---- */

struct kept {
    struct judge j;
    struct judgement out;
};

/* Each finding has its number as offset. */
static void find(struct kept *k, enum grade grade, uint32_t number, bool is_kept)
{
    struct finding *const f = judge_finding(&k->j, VERDICT_ULP, CLAUSE_ARITH_CR, grade);
    assert_int_equal(f != NULL, is_kept);
    if (f) {
        f->offset = number;
    }
}

/* A judgement that is full of divergences drops the last of them for a violation; one of violations drops none, and a
 * divergence finds no room. What is dropped is counted all the same. */
static void violations_are_kept_before_divergences(void **state)
{
    (void)state;
    static const struct {
        uint32_t n_first; /* violations, then divergences up to the limit */
        uint32_t n_further;
    } kept_rows[] = {
        {0,                      1                     },
        {0,                      JUDGE_MAX_FINDINGS    },
        {0,                      JUDGE_MAX_FINDINGS + 2},
        {3,                      2                     },
        {JUDGE_MAX_FINDINGS - 1, 1                     },
        {JUDGE_MAX_FINDINGS - 1, 3                     },
        {JUDGE_MAX_FINDINGS,     1                     },
    };
    for (size_t i = 0; i < ARRAY_N(kept_rows); i++) {
        static const struct kept none;
        struct kept k = none;
        k.j.out = &k.out;
        uint32_t const n_first = kept_rows[i].n_first, n_further = kept_rows[i].n_further;
        uint32_t const n_room = JUDGE_MAX_FINDINGS - n_first;
        for (uint32_t n = 0; n < JUDGE_MAX_FINDINGS; n++) {
            find(&k, n < n_first ? GRADE_VIOLATION : GRADE_DIVERGENCE, n, true);
        }
        find(&k, GRADE_DIVERGENCE, 99, false);
        for (uint32_t n = 0; n < n_further; n++) {
            find(&k, GRADE_VIOLATION, 100 + n, n < n_room);
        }
        uint32_t const n_new = n_further < n_room ? n_further : n_room;
        assert_int_equal(k.out.n_findings, JUDGE_MAX_FINDINGS);
        assert_int_equal(k.out.n_found, JUDGE_MAX_FINDINGS + 1 + n_further);
        assert_int_equal(k.out.kind, VERDICT_ULP);
        for (uint32_t n = 0; n < JUDGE_MAX_FINDINGS; n++) { /* in the order in which they came */
            uint32_t const n_old = JUDGE_MAX_FINDINGS - n_new;
            const struct finding *const f = &k.out.findings[n];
            assert_int_equal(f->offset, n < n_old ? n : 100 + n - n_old);
            assert_int_equal(f->kind, n < n_first || n >= n_old ? VERDICT_ULP : VERDICT_DIVERGENCE);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(violations_are_kept_before_divergences),
        cmocka_unit_test(few_confined_values_are_told),
        cmocka_unit_test(each_end_has_its_core),
        cmocka_unit_test(values_stay_values),
        cmocka_unit_test(a_refusal_names_what_is_advertised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

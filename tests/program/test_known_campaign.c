/* tests/program/test_known_campaign.c -- a campaign judged again with known bugs: what its kept cases must say until a finding
 * is taken for one of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/io/db.h"
#include "fuzz/io/spirv.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/known/known_campaign.h"
#include "oracle/judge/judge.h"

enum {
    N_LANES = 20,
    MAX_RUNS = 3,
    ONE = 0x3f800000,
    THREE = 0x40400000,
    EXP_OF_ONE = 0x402df854
};
_Static_assert((int)N_LANES > (int)JUDGE_MAX_FINDINGS, "a judgement that is full");
_Static_assert((int)JUDGE_MAX_FINDINGS == 16, "FIRST_15 and one more fill a judgement");
#define FACTS "cl.fp32_config=0x3f\ncl.fp64_config=0x3f\n"
static const char known_list[] = "t\t*\tknown SINPI_OF_ODD\tMATH_SPECIAL\tnote\n";
static const char known_name[] = "SINPI_OF_ODD";

/* Lanes whose results are wrong. */
struct lanes {
    uint32_t sinpi, exp;
};
#define FIRST_15 0x7fffU
#define FIRST_16 0xffffU
#define FIRST_19 0x7ffffU
#define ALL      0xfffffU
#define LAST     0x80000U

/* A run whose findings are those of `told`, and whose case is kept with the observation of `seen`. */
struct put {
    struct lanes told, seen;
    bool is_dropped; /* the case is not kept */
};
static const struct story {
    const char *what;
    struct put runs[MAX_RUNS];
    uint32_t n_runs, n_asked;
    const char *name;
} stories[] = {
    {"it is explained",                                            {{{1, 0}, {1, 0}, false}}, 1, 1, known_name},
    {"nothing explains it",                                        {{{0, 1}, {0, 1}, false}}, 1, 1, NULL      },
    {"nothing explains it, beside what is known",                  {{{0, 1}, {1, 1}, false}}, 1, 1, NULL      },
    {"its case is not kept",                                       {{{1, 0}, {1, 0}, true}},  1, 0, NULL      },
    {"one of its cases is not kept",
     {{{1, 0}, {1, 0}, true}, {{1, 0}, {1, 0}, false}},
     2,                                                                                          1,
     known_name                                                                                               },
    {"its case does not show it now",                              {{{1, 0}, {0, 0}, false}}, 1, 1, NULL      },
    {"one of its cases does not show it now",
     {{{1, 0}, {0, 0}, false}, {{1, 0}, {1, 0}, false}},
     2,                                                                                          2,
     known_name                                                                                               },
    {"with it the judgement has as many as are kept, and no more",
     {{{1, 0}, {1, FIRST_15}, false}},
     1,                                                                                          1,
     known_name                                                                                               },
    {"with it the judgement has one more than are kept",
     {{{1, 0}, {1, FIRST_16}, false}},
     1,                                                                                          1,
     NULL                                                                                                     },
    {"it stands behind as many as are kept, and stays",
     {{{0, LAST}, {FIRST_19, LAST}, false}},
     1,                                                                                          1,
     NULL                                                                                                     },
    {"it stands behind as many as are kept, and goes with them",
     {{{0, LAST}, {ALL, 0}, false}},
     1,                                                                                          1,
     known_name                                                                                               },
    {"it stands behind as many as are kept, which stay",
     {{{LAST, 0}, {LAST, FIRST_19}, false}},
     1,                                                                                          1,
     NULL                                                                                                     },
    {"which stay in one case; another tells",
     {{{LAST, 0}, {LAST, FIRST_19}, false}, {{1, 0}, {1, 0}, false}},
     2,                                                                                          2,
     known_name                                                                                               },
};

struct scene {
    struct arena a;
    struct testcase tc;
    struct observation ob;
    char folder[256];
    uint32_t in[N_LANES], zero[N_LANES], sinpied[N_LANES], exped[N_LANES];
    struct journal *j;
    int64_t target;
};

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

static void remove_folder(const char *folder)
{
    char command[600];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* Each invocation stores what sinpi and exp give of 1. */
static const char text[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "%cl = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %main \"k\" %gid\nOpExecutionMode %main ContractionOff\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\n"
    "%void = OpTypeVoid\n%u64 = OpTypeInt 64 0\n%f32 = OpTypeFloat 32\n"
    "%v3 = OpTypeVector %u64 3\n%pv3 = OpTypePointer Input %v3\n"
    "%pf = OpTypePointer CrossWorkgroup %f32\n%fn = OpTypeFunction %void %pf %pf %pf\n"
    "%gid = OpVariable %pv3 Input\n%main = OpFunction %void None %fn\n"
    "%one = OpFunctionParameter %pf\n%in = OpFunctionParameter %pf\n"
    "%two = OpFunctionParameter %pf\n%entry = OpLabel\n%id3 = OpLoad %v3 %gid\n"
    "%id = OpCompositeExtract %u64 %id3 0\n%pin = OpInBoundsPtrAccessChain %pf %in %id\n"
    "%x = OpLoad %f32 %pin\n%n = OpExtInst %f32 %cl sinpi %x\n"
    "%pn = OpInBoundsPtrAccessChain %pf %one %id\nOpStore %pn %n\n"
    "%e = OpExtInst %f32 %cl exp %x\n%pe = OpInBoundsPtrAccessChain %pf %two %id\n"
    "OpStore %pe %e\nOpReturn\nOpFunctionEnd\n";

static void make_case(struct scene *s)
{
    struct err e = {RES_OK, ""};
    uint32_t *const before[] = {s->zero, s->in, s->zero};
    uint32_t *const after[] = {s->sinpied, s->in, s->exped};
    arena_init(&s->a, (size_t)64 << 20);
    s->tc = (struct testcase){
        .env = ENV_CL,
        .profile = "arith",
        .source = "",
        .entry = "k",
        .build_options = "",
        .local = {1,       1, 1},
        .global = {N_LANES, 1, 1},
        .n_bufs = 3
    };
    s->ob = (struct observation){.status = RUN_DONE,
                                 .phase = PHASE_DONE,
                                 .log = "",
                                 .signature = "",
                                 .n_bufs = 3,
                                 .facts = FACTS};
    must(spirv_assemble("case", text, sizeof text - 1, &s->a, &s->tc.module, &s->tc.n_words, &e),
         &e);
    for (uint32_t i = 0; i < 3; i++) {
        s->tc.bufs[i] = (struct buf){.n_bytes = sizeof s->in, .data = (unsigned char *)before[i]};
        s->ob.out[i] = (unsigned char *)after[i];
    }
    for (uint32_t i = 0; i < N_LANES; i++) {
        s->in[i] = ONE;
    }
}

static void set_lanes(struct scene *s, struct lanes wrong)
{
    for (uint32_t i = 0; i < N_LANES; i++) {
        s->sinpied[i] = wrong.sinpi >> i & 1 ? 0x80000000U : 0;
        s->exped[i] = wrong.exp >> i & 1 ? THREE : EXP_OF_ONE;
    }
}

static void put_run(struct scene *s, const struct put *put, uint64_t index)
{
    struct err e = {RES_OK, ""};
    int64_t run = 0;
    set_lanes(s, put->told);
    struct judgement *const g = ARENA_NEW(&s->a, struct judgement, 1);
    assert_non_null(g);
    must(judge_run(&s->tc, &s->ob, &s->a, g, &e), &e);
    assert_int_equal(g->n_findings, 1);
    set_lanes(s, put->seen);
    struct run_record const record = {&s->tc, &s->ob, g, ""};
    must(journal_begin_run(s->j, s->target, index, "tape", 4, &run, &e), &e);
    must(journal_end_run(s->j, run, &record, &s->a, &e), &e);
    must(journal_flush(s->j, &e), &e);
    if (put->is_dropped) {
        must(db_do(journal_get_db(s->j), &e, "DELETE FROM kept WHERE case_index = ?", "u", index),
             &e);
    }
}

/* A campaign of these runs, and the list of what is known. */
static struct scene *open_scene(const struct put *runs, uint32_t n_runs,
                                struct expected_failures *k)
{
    struct scene *const s = calloc(1, sizeof *s);
    struct err e = {RES_OK, ""};
    struct campaign_plan const plan = {.profile = "arith",
                                       .seed = 1,
                                       .gen_version = 1,
                                       .max_cases = MAX_RUNS,
                                       .max_ns = 0,
                                       .targets = "t",
                                       .shard = SHARD_NONE};
    const char *const base = getenv("TMPDIR");
    assert_non_null(s);
    (void)snprintf(s->folder, sizeof s->folder, "%s/test-known-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(s->folder));
    make_case(s);
    struct arena *const a = &s->a;
    const char *const list = arena_printf(a, "%s/known.tsv", s->folder);
    FILE *const f = fopen(list, "w");
    assert_non_null(f);
    assert_true(fputs(known_list, f) >= 0);
    assert_int_equal(fclose(f), 0);
    must(expected_failures_read(k, list, "2026-01-01", a, &e), &e);
    must(journal_open(&s->j, s->folder, &plan, &e), &e);
    must(journal_put_target(s->j, "t", FACTS, &s->target, &e), &e);
    for (uint32_t i = 0; i < n_runs; i++) {
        put_run(s, &runs[i], i);
    }
    return s;
}

static void close_scene(struct scene *s)
{
    journal_close(s->j);
    remove_folder(s->folder);
    arena_free(&s->a);
    free(s);
}

static void check(const struct story *row)
{
    struct err e = {RES_OK, ""};
    struct expected_failures k;
    struct campaign c;
    uint32_t n_asked = 0;
    struct scene *const s = open_scene(row->runs, row->n_runs, &k);
    must(journal_load(s->j, &s->a, &c, &e), &e);
    must(known_campaign_explain(&k, s->j, &c, &n_asked, &s->a, &e), &e);
    assert_int_equal(c.n_findings, 1);
    const char *const name = c.findings[0].known_as;
    if (n_asked != row->n_asked || !name != !row->name || (name && strcmp(name, row->name) != 0)) {
        fail_msg("%s: %s, %u cases judged: %s", row->what, name ? name : "no name", n_asked,
                 c.findings[0].signature);
    }
    close_scene(s);
}

/* A bucket whose kept case breaks rules for another reason as well, made smaller: by its smallest case it is known, or is not. */
static void the_smallest_case_says_what_is_known(void **state)
{
    static const struct {
        struct put run;
        struct lanes smallest;
        const char *name;
    } rows[] = {
        {{{1, 0}, {1, FIRST_16}, false}, {1, 0}, known_name},
        {{{1, 0}, {1, FIRST_16}, false}, {0, 0}, NULL      },
        {{{0, 1}, {1, 1}, false},        {0, 1}, NULL      },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct err e = {RES_OK, ""};
        struct expected_failures k;
        struct campaign c;
        uint32_t n = 0;
        struct scene *const s = open_scene(&rows[i].run, 1, &k);
        struct campaign_triage const t = {
            .smallest = "", .variant = "", .cause = "", .bug = "", .first_wrong = ""};
        must(journal_load(s->j, &s->a, &c, &e), &e);
        must(known_campaign_explain(&k, s->j, &c, &n, &s->a, &e), &e);
        assert_null(c.findings[0].known_as);
        must(known_campaign_explain_smallest(&k, s->j, &c, &n, &s->a, &e), &e);
        assert_null(c.findings[0].known_as); /* not looked into yet */
        set_lanes(s, rows[i].smallest);
        must(journal_put_triage(s->j, c.findings[0].id, &t, &s->tc, &s->ob, &s->a, &e), &e);
        must(journal_load(s->j, &s->a, &c, &e), &e);
        must(known_campaign_explain_smallest(&k, s->j, &c, &n, &s->a, &e), &e);
        assert_int_equal(n, rows[i].name != NULL);
        const char *const name = c.findings[0].known_as;
        if (!name != !rows[i].name || (name && strcmp(name, rows[i].name) != 0)) {
            fail_msg("row %zu: %s", i, name ? name : "no name");
        }
        close_scene(s);
    }
}

static void kept_cases_say_what_is_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(stories); i++) {
        check(&stories[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept_cases_say_what_is_known),
                                       cmocka_unit_test(the_smallest_case_says_what_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/program/test_known_campaign.c -- a campaign judged again with known bugs: what its kept cases must say until a finding
 * is taken for one of them. */
#include <stdio.h>
#include <unistd.h>

#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/known/known_campaign.h"
#include "tests/rig/judge_rig.h"

enum {
    N_LANES = 20,
    MAX_RUNS = 3,
    EXP_OF_ONE = 0x402df854
};
_Static_assert(N_LANES > JUDGE_MAX_FINDINGS, "a judgement that is full");
#define FACTS "cl.fp32_config=0x3f\ncl.fp64_config=0x3f\n"
static const char known_list[] = "t\t*\tknown NORMALIZE_OPEN\tMATH_ULP\tnote\n";
static const char known_name[] = "NORMALIZE_OPEN";

/* Lanes whose results are wrong. */
struct lanes {
    uint32_t normalize, exp;
};
#define FIRST_19 0x7ffffU
#define ALL      0xfffffU
#define LAST     0x80000U

/* A run whose findings are those of `told`, and whose case is kept with the observation of `seen`. */
struct put {
    struct lanes told, seen;
    bool is_dropped; /* the case is not kept */
};
static const struct row {
    const char *what;
    struct put runs[MAX_RUNS];
    uint32_t n_runs, n_asked;
    const char *name;
} rows[] = {
    {"it is explained",                                          {{{1, 0}, {1, 0}, false}}, 1, 1, known_name},
    {"nothing explains it",                                      {{{0, 1}, {0, 1}, false}}, 1, 1, NULL      },
    {"nothing explains it, beside what is known",                {{{0, 1}, {1, 1}, false}}, 1, 1, NULL      },
    {"its case is not kept",                                     {{{1, 0}, {1, 0}, true}},  1, 0, NULL      },
    {"one of its cases is not kept",
     {{{1, 0}, {1, 0}, true}, {{1, 0}, {1, 0}, false}},
     2,                                                                                        1,
     known_name                                                                                             },
    {"its case does not show it now",                            {{{1, 0}, {0, 0}, false}}, 1, 1, NULL      },
    {"one of its cases does not show it now",
     {{{1, 0}, {0, 0}, false}, {{1, 0}, {1, 0}, false}},
     2,                                                                                        2,
     known_name                                                                                             },
    {"it stands behind as many as are kept, and stays",
     {{{0, LAST}, {FIRST_19, LAST}, false}},
     1,                                                                                        1,
     NULL                                                                                                   },
    {"it stands behind as many as are kept, and goes with them",
     {{{LAST, 0}, {ALL, 0}, false}},
     1,                                                                                        1,
     known_name                                                                                             },
    {"it stands behind as many as are kept, which stay",
     {{{LAST, 0}, {LAST, FIRST_19}, false}},
     1,                                                                                        1,
     NULL                                                                                                   },
    {"which stay in one case; another tells",
     {{{LAST, 0}, {LAST, FIRST_19}, false}, {{1, 0}, {1, 0}, false}},
     2,                                                                                        2,
     known_name                                                                                             },
};

struct scene {
    struct rig *r;
    char folder[256];
    uint32_t in[N_LANES], zero[N_LANES], normalized[N_LANES], exped[N_LANES];
    struct journal *j;
    int64_t target;
};

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

static void run_shell(const char *fmt, const char *folder)
{
    char command[600];
    (void)snprintf(command, sizeof command, fmt, folder);
    assert_int_equal(system(command), 0);
}

/* Each invocation stores what normalize and exp give of 1. */
static void make_case(struct scene *s)
{
    s->r = make_rig(ENV_CL, N_LANES);
    const char *const at = strstr(cl_frame, "OpMemoryModel");
    assert_non_null(at);
    assemble(s->r,
             arena_printf(&s->r->a, "%.*s%%cl = OpExtInstImport \"OpenCL.std\"\n%s%s%s",
                          (int)(at - cl_frame), cl_frame, at,
                          "%n = OpExtInst %f32 %cl normalize %v\n"
                          "%pn = OpInBoundsPtrAccessChain %pf %cells %id\nOpStore %pn %n\n"
                          "%r = OpExtInst %f32 %cl exp %v\n",
                          cl_tail),
             SPV_ENV_UNIVERSAL_1_3);
    uint32_t *const before[] = {s->zero, s->in, s->zero};
    uint32_t *const after[] = {s->normalized, s->in, s->exped};
    for (uint32_t i = 0; i < 3; i++) {
        s->r->tc.bufs[i] =
            (struct buf){.n_bytes = sizeof s->in, .data = (unsigned char *)before[i]};
        s->r->ob.out[i] = (unsigned char *)after[i];
    }
    s->r->ob.facts = FACTS;
    for (uint32_t i = 0; i < N_LANES; i++) {
        s->in[i] = ONE;
    }
}

static void set_lanes(struct scene *s, struct lanes wrong)
{
    for (uint32_t i = 0; i < N_LANES; i++) {
        s->normalized[i] = wrong.normalize >> i & 1 ? TWO : ONE;
        s->exped[i] = wrong.exp >> i & 1 ? THREE : EXP_OF_ONE;
    }
}

static void put_run(struct scene *s, const struct put *put, uint64_t index)
{
    struct err e = {RES_OK, ""};
    int64_t run = 0;
    set_lanes(s, put->told);
    (void)judge_rig(s->r);
    assert_int_equal(s->r->j.n_findings, 1);
    set_lanes(s, put->seen);
    struct run_record const record = {&s->r->tc, &s->r->ob, &s->r->j, ""};
    must(journal_begin_run(s->j, s->target, index, "tape", 4, &run, &e), &e);
    must(journal_end_run(s->j, run, &record, &s->r->a, &e), &e);
    must(journal_flush(s->j, &e), &e);
    if (put->is_dropped) {
        must(db_do(journal_get_db(s->j), &e, "DELETE FROM kept WHERE case_index = ?", "u", index),
             &e);
    }
}

static void check(const struct row *row)
{
    struct scene *const s = calloc(1, sizeof *s);
    struct err e = {RES_OK, ""};
    struct expected_failures k;
    struct campaign c;
    uint32_t n_asked = 0;
    struct campaign_plan const plan = {"arith", 1, 1, MAX_RUNS, 0, "t"};
    const char *const base = getenv("TMPDIR");
    assert_non_null(s);
    (void)snprintf(s->folder, sizeof s->folder, "%s/test-known-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(s->folder));
    make_case(s);
    struct arena *const a = &s->r->a;
    const char *const list = arena_printf(a, "%s/known.tsv", s->folder);
    FILE *const f = fopen(list, "w");
    assert_non_null(f);
    assert_true(fputs(known_list, f) >= 0);
    assert_int_equal(fclose(f), 0);
    must(expected_failures_read(&k, list, "2026-01-01", a, &e), &e);
    must(journal_open(&s->j, s->folder, &plan, &e), &e);
    must(journal_put_target(s->j, "t", FACTS, &s->target, &e), &e);
    for (uint32_t i = 0; i < row->n_runs; i++) {
        put_run(s, &row->runs[i], i);
    }
    must(journal_load(s->j, a, &c, &e), &e);
    must(known_campaign_explain(&k, s->j, &c, &n_asked, a, &e), &e);
    assert_int_equal(c.n_findings, 1);
    const char *const name = c.findings[0].known_as;
    if (n_asked != row->n_asked || !name != !row->name || (name && strcmp(name, row->name) != 0)) {
        fail_msg("%s: %s, %u cases judged: %s", row->what, name ? name : "no name", n_asked,
                 c.findings[0].signature);
    }
    journal_close(s->j);
    run_shell("rm -rf '%s'", s->folder);
    free_rig(s->r);
    free(s);
}

static void kept_cases_say_what_is_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        check(&rows[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept_cases_say_what_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/oracle/test_unadvertised.c -- cases of what a target does not list: not drawn unless asked for, and
 * then accepted, rejected, crashed and wrong told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/step.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/pool/handle.h"
#include "fuzz/wire/wire.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

enum {
    N_CASES = 400,
    SEED = 11
};
#define TEST_ARENA_BYTES ((size_t)1 << 30)

static char self_path[4096];
static char folder[256];

/* ---- the worker: the simulator as a device that does not list all: not the AMD instructions ---- */

static const char *make_facts(struct arena *a)
{
    return arena_printf(a,
                        "device=fake\ncl.spirv_ext=SPV_KHR_subgroup_rotate SPV_KHR_bfloat16 "
                        "SPV_INTEL_16bit_atomics\n%s",
                        sim_facts(ENV_CL, 1, a)); /* the first line of a key counts */
}

/* What the worker does with a case that uses what it does not list. */
static enum unlisted_outcome choose_outcome(const struct testcase *tc)
{
    return (enum unlisted_outcome)(hash_bytes(0, &tc->tape_hash, 8) % UNLISTED_N);
}

/* An honest run; 0 where the interpreter cannot follow, so that nothing can be said of it. */
static int run_honestly(const struct testcase *tc, const char *facts, struct arena *a,
                        struct observation *ob)
{
    struct err e;
    struct fault_plan const honest = fault_plan_of(FAULT_NONE);
    return sim_run(tc, &(struct sim_device){SIM_IEEE, 1, &honest, facts}, a, ob, NULL, &e) ==
           RES_OK;
}

static int answer(const struct testcase *tc, const char *facts, struct arena *a)
{
    struct observation ob = {.log = "", .signature = ""};
    struct err e;
    int const chosen = tc->class == CLASS_UNADVERTISED ? (int)choose_outcome(tc) : -1;
    if (chosen == UNLISTED_CRASHED) {
        (void)raise(SIGSEGV);
    } else if (chosen == UNLISTED_REJECTED) {
        ob.status = RUN_REJECT;
        ob.phase = PHASE_BUILD;
    } else if (!run_honestly(tc, facts, a, &ob)) {
        ob = (struct observation){.status = RUN_SKIPPED, .log = "", .signature = ""};
    } else if (chosen == UNLISTED_WRONG) {
        ob.guard_hits = 1;
    }
    ob.facts = "";
    size_t n = 0;
    const unsigned char *p = observation_encode(tc, &ob, a, &n);
    return p && wire_write(STDOUT_FILENO, WIRE_RESULT, p, n, &e) == RES_OK;
}

static int worker_main(void)
{
    struct arena keep;
    struct arena a;
    struct err e;
    arena_init(&keep, TEST_ARENA_BYTES);
    arena_init(&a, TEST_ARENA_BYTES);
    const char *facts = make_facts(&keep);
    int is_good = wire_write(STDOUT_FILENO, WIRE_HELLO, facts, strlen(facts), &e) == RES_OK;
    while (is_good) {
        enum wire_kind kind = WIRE_ERROR;
        const unsigned char *payload = NULL;
        size_t n = 0;
        struct testcase tc;
        arena_reset(&a);
        is_good = wire_read(STDIN_FILENO, &a, &kind, &payload, &n, &e) == RES_OK;
        if (!payload) {
            break;
        }
        is_good =
            is_good && testcase_decode(&tc, &a, payload, n, &e) == RES_OK && answer(&tc, facts, &a);
    }
    arena_free(&a);
    arena_free(&keep);
    return !is_good;
}

/* ---- the campaign ---- */

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof(folder), "%s/test-unadvertised-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir) {
        (void)closedir(dir);
    }
    return rmdir(folder);
}

/* May the judge call wrong what the worker wrote outside of a buffer? Not if the behaviour of the case may be undefined. */
static bool is_confined(const struct testcase *tc, struct observation *ob, const char *facts,
                        struct arena *a)
{
    struct err e;
    struct judgement *const g = ARENA_NEW(a, struct judgement, 1);
    assert_non_null(g);
    ob->facts = facts;
    ob->guard_hits = 1;
    assert_int_equal(judge_run(tc, ob, a, g, &e), RES_OK);
    return verdict_rows[g->kind].part == PART_VIOLATION;
}

/* What is to come of the first N_CASES cases, by their needs and the worker's choice. */
struct expectation {
    uint64_t n_legal, n_unlisted[UNLISTED_N];
};

static void count_expected(const struct target *t, int unadvertised, struct arena *a,
                           struct expectation *x)
{
    memset(x, 0, sizeof(*x));
    const char *facts = make_facts(a);
    struct needs const allowed = step_get_allowed(t, facts, unadvertised);
    for (uint64_t i = 0; i < N_CASES; i++) {
        struct testcase tc;
        struct tape tape;
        struct observation ob;
        struct err e;
        struct sched_case const of = {PROFILE_GROUPS, SEED, i, ENV_CL, &allowed};
        assert_int_equal(sched_make_allowed(&of, a, &tc, &tape, &e), RES_OK);
        if (facts_get_fit(facts, &tc.needs) == FIT_LISTED) {
            x->n_legal++;
            continue;
        }
        enum unlisted_outcome const k = choose_outcome(&tc);
        bool const is_run = k == UNLISTED_ACCEPTED || k == UNLISTED_WRONG;
        if (!is_run) {
            x->n_unlisted[k]++;
        } else if (run_honestly(&tc, facts, a, &ob)) {
            x->n_unlisted[is_confined(&tc, &ob, facts, a) ? k : UNLISTED_ACCEPTED]++;
        }
    }
}

static void run_campaign(const struct target *t, uint64_t n_cases, int unadvertised,
                         struct arena *a, struct sched_summary *summary, struct campaign *out)
{
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    struct campaign_plan const plan = {.profile = "groups",
                                       .seed = SEED,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = n_cases,
                                       .max_ns = 0,
                                       .targets = "fake",
                                       .shard = SHARD_NONE};
    assert_non_null(list);
    list->n = 1;
    list->t[0] = *t;
    struct sched_options const o = {.targets = list,
                                    .profile = PROFILE_GROUPS,
                                    .seed = SEED,
                                    .max_cases = n_cases,
                                    .n_workers = 1,
                                    .unadvertised = unadvertised};
    if (journal_open(&j, folder, &plan, &e) != RES_OK || sched_run(&o, j, summary, &e) != RES_OK ||
        journal_load(j, a, out, &e) != RES_OK) {
        fail_msg("seed %d: %s", SEED, e.text);
    }
    journal_close(j);
}

static struct target make_target(void)
{
    return (struct target){.name = "fake",
                           .env = ENV_CL,
                           .loader = "",
                           .device = "",
                           .worker = self_path,
                           .hello_ns = UINT64_C(20000000000),
                           .case_ns = UINT64_C(20000000000),
                           .origin = "test"};
}

/* How many runs of the campaign are violations of a target that must run them. */
static uint64_t count_violations(const struct campaign *c)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->n_findings; i++) {
        print_message("%s: %s\n", c->findings[i].class, c->findings[i].signature);
    }
    for (int v = 0; v < VERDICT_N; v++) {
        n += verdict_rows[v].part == PART_VIOLATION ? c->targets[0].n_verdict[v] : 0;
    }
    return n;
}

/* Cases are drawn for what the target lists, so that none is skipped for the AMD instructions; a few are because the
 * interpreter cannot follow them. */
static void not_drawn_unless_asked_for(void **state)
{
    /* SHOWS(FA_NOT_SAID) */
    (void)state;
    struct arena a;
    struct sched_summary summary;
    struct campaign c;
    struct expectation x;
    struct target const t = make_target();
    arena_init(&a, TEST_ARENA_BYTES);
    count_expected(&t, 0, &a, &x);
    assert_int_equal(x.n_legal, N_CASES);
    run_campaign(&t, N_CASES, 0, &a, &summary, &c);
    assert_int_equal(summary.n_runs, N_CASES);
    assert_int_equal(count_violations(&c), 0);
    assert_int_equal(c.targets[0].n_skipped, 0);
    for (int k = 0; k < UNLISTED_N; k++) {
        assert_int_equal(summary.n_unlisted[k], 0);
    }
    arena_free(&a);
}

static void check_outcomes(const struct target *t, int unadvertised)
{
    struct arena a;
    struct sched_summary summary;
    struct campaign c;
    struct expectation x;
    arena_init(&a, TEST_ARENA_BYTES);
    count_expected(t, unadvertised, &a, &x);
    run_campaign(t, N_CASES, unadvertised, &a, &summary, &c);
    assert_int_equal(summary.n_runs, N_CASES);
    assert_int_equal(c.targets[0].n_skipped, 0);
    assert_int_equal(count_violations(&c), 0); /* of legal cases; the worker is honest in them */
    for (int k = 0; k < UNLISTED_N; k++) {
        print_message("%s: %d, %d expected\n", unlisted_names[k], (int)summary.n_unlisted[k],
                      (int)x.n_unlisted[k]);
    }
    for (int k = 0; k < UNLISTED_N; k++) {
        assert_int_equal(summary.n_unlisted[k], x.n_unlisted[k]);
        assert_true(x.n_unlisted[k] > 0); /* else this checks nothing */
    }
    assert_int_equal(summary.n_violations > 0, 1);
    arena_free(&a);
}

static void four_outcomes_are_told_apart(void **state)
{
    /* SHOWS(FA_NOT_SAID) */
    (void)state;
    struct target const t = make_target();
    check_outcomes(&t, 1);
}

static void a_target_may_ask_for_them(void **state)
{
    (void)state;
    struct target t = make_target();
    t.unadvertised = 1;
    check_outcomes(&t, 0);
}

/* Each status of a run, and a violation or none. */
static void each_run_has_its_outcome(void **state)
{
    (void)state;
    static const struct {
        enum run_status status;
        enum verdict_kind kind;
        int outcome;
    } rows[] = {
        {RUN_DONE,        VERDICT_OK,           UNLISTED_ACCEPTED},
        {RUN_DONE,        VERDICT_DIVERGENCE,   UNLISTED_ACCEPTED},
        {RUN_DONE,        VERDICT_INCONCLUSIVE, UNLISTED_ACCEPTED},
        {RUN_DONE,        VERDICT_ULP,          UNLISTED_WRONG   },
        {RUN_DONE,        VERDICT_CORRUPT,      UNLISTED_WRONG   },
        {RUN_REJECT,      VERDICT_OK,           UNLISTED_REJECTED},
        {RUN_CRASH,       VERDICT_CRASH,        UNLISTED_CRASHED },
        {RUN_HANG,        VERDICT_HANG,         UNLISTED_CRASHED },
        {RUN_EXIT,        VERDICT_EXIT,         UNLISTED_CRASHED },
        {RUN_DEVICE_LOST, VERDICT_DEVICE_LOST,  UNLISTED_CRASHED },
        {RUN_HARNESS,     VERDICT_INCONCLUSIVE, -1               },
        {RUN_SKIPPED,     VERDICT_INCONCLUSIVE, -1               },
        {RUN_BUILT,       VERDICT_BUILT,        UNLISTED_ACCEPTED},
    };
    unsigned seen = 0;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct observation const ob = {.status = rows[i].status};
        struct judgement const g = {.kind = rows[i].kind};
        assert_int_equal(unlisted_of(&ob, &g), rows[i].outcome);
        seen |= 1u << rows[i].status;
    }
    assert_int_equal(seen, (1u << RUN_STATUS_N) - 1);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return worker_main();
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof(self_path) - 1);
    self_path[n > 0 ? n : 0] = '\0';
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_has_its_outcome),
        WITH_FOLDER(not_drawn_unless_asked_for),
        WITH_FOLDER(four_outcomes_are_told_apart),
        WITH_FOLDER(a_target_may_ask_for_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

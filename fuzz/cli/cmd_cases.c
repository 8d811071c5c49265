/* fuzz/cli/cmd_cases.c -- halfulp cases: generated cases as a gtest suite, for deqp-runner and similar programs. */
#include "fuzz/cli/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/campaign/step.h"
#include "fuzz/cli/cli.h"
#include "fuzz/gtest/gtest_filter.h"
#include "fuzz/gtest/gtest_lists.h"
#include "fuzz/gtest/gtest_suite.h"
#include "fuzz/io/show.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child_time.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "gen/case/sample_devices.h"
#include "gen/print/print.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

#define CASES_ARENA_BYTES ((size_t)64 << 20)
#define MS_NS             UINT64_C(1000000)

struct options {
    struct gtest_suite suite;
    const char *target, *ini, *filter;
    const struct sample_device *device;
    struct needs listed; /* by that device */
    struct gtest_list_files lists;
    int has_env, is_list, goes_on;
};

static const struct cli_option option_rows[] = {
    CLI_ROW("target", "NAME", "name of the target", CLI_PUT(CLI_TEXT, target)),
    CLI_TARGETS_FILE(ini),
    CLI_ROW("profile", "NAME", "profile of the cases (default: all)",
            CLI_PUT(CLI_PROFILE, suite.profile)),
    CLI_ROW("env", "NAME", "API of the cases: opencl or vulkan (default: the API of the target)",
            CLI_PUT(CLI_ENV, suite.env), CLI_GIVEN(has_env)),
    CLI_ROW("seed", "N", "first seed of the cases (default: 1)", CLI_PUT(CLI_U64, suite.seed),
            CLI_WITHIN(0, UINT64_MAX / 2)),
    CLI_ROW("seeds", "N", "number of seeds (default: 1)", CLI_PUT(CLI_U64, suite.n_seeds),
            CLI_WITHIN(1, 100000)),
    CLI_ROW("cases", "N", "number of cases of each seed (default: 500)",
            CLI_PUT(CLI_U64, suite.n_cases), CLI_WITHIN(1, 100000)),
    CLI_ROW("device", "NAME",
            "use only features of this made-up device, so that fewer cases are skipped: words, "
            "no-subgroups, phone, embedded, all-vulkan or all-opencl",
            CLI_PUT(CLI_DEVICE, device)),
    CLI_ROW("gtest_list_tests", NULL, "print the names of the tests, and run none",
            CLI_PUT(CLI_FLAG, is_list)),
    CLI_ROW("gtest_filter", "LIST",
            "run only these tests: POSITIVE[-NEGATIVE], each with patterns between colons",
            CLI_PUT(CLI_TEXT, filter)),
    CLI_ROW("fails", "FILE", "tests that are expected to fail: lines NAME,Fail or NAME,Crash",
            CLI_PUT(CLI_TEXT, lists.fails)),
    CLI_ROW("flakes", "FILE", "regular expressions of tests whose failures are ignored",
            CLI_PUT(CLI_TEXT, lists.flakes)),
    CLI_ROW("skips", "FILE", "regular expressions of tests that are not run",
            CLI_PUT(CLI_TEXT, lists.skips)),
    CLI_ROW("keep-going", NULL,
            "report a crash of the driver as a failure, and continue with the next test",
            CLI_PUT(CLI_FLAG, goes_on)),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_cases_help = {
    "cases", "[OPTION]... --target NAME",
    "Run generated cases as a gtest suite, for deqp-runner and similar programs.",
    "Examples:\n"
    "  halfulp cases --target lavapipe --profile atomics --gtest_list_tests\n"
    "  halfulp cases --target lavapipe --gtest_filter='halfulp.vulkan.all.1.1?:*.7'\n"
    "\n"
    "The name of a test is halfulp.API.PROFILE.SEED.INDEX. Each case runs in a driver process of "
    "its own. A test\n"
    "that needs a feature which the device does not report is skipped. If the driver crashes, "
    "ends the process\n"
    "or loses the device, halfulp prints no result for the test and ends, which is how gtest "
    "programs crash.\n"
    "With --fails, a test of this list that passes is a failure. docs/runners.md has examples for "
    "CI systems.\n"
    "Exit status: 0 no test failed; 1 a test failed or the driver crashed; 2 wrong usage; 3 the "
    "target does not\n"
    "start.\n",
    option_rows};

/* Tests that were chosen, and what became of them. */
struct results {
    struct gtest_lists *lists;
    const char **failed, **skipped; /* names */
    uint64_t n_failed, n_skipped, n_passed;
    bool is_over; /* a crash, after which no test is run */
};

/* The result of one test, and the reason for it. */
struct outcome {
    enum gtest_result result;
    const char *text; /* of lines, or "" */
};

/* The foreign text of a test. Runners look for words in brackets, so that none may stand in it. */
static void put_text(const char *text)
{
    for (size_t i = 0; text[i]; i++) {
        char const c = text[i] == '[' ? '(' : text[i] == ']' ? ')' : text[i];
        if (c == '\n') {
            (void)putchar(c);
        } else {
            printable_put(stdout, &c, 1);
        }
    }
}

/* The judgement of a run, as text in the arena. */
static const char *describe(const struct run *r, const struct judgement *g, struct arena *a)
{
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    if (!f) {
        return "";
    }
    show_judgement(&r->tc, &r->ob, g, a, f);
    (void)fclose(f);
    const char *const copy = arena_printf(a, "%s", text ? text : "");
    free(text);
    return copy ? copy : "";
}

/* Run the case of r->tc on the target. A simulated device plays one that lists all of its needs. */
static enum res run_case(const struct target *t, struct run *r, uint64_t seed, uint64_t index,
                         struct err *e)
{
    if (t->kind == TARGET_WORKER) {
        return handle_run_once(t, r, e);
    }
    struct rng rng = rng_seed(seed ^ index); /* as a campaign runs this case */
    step_run_sim(t, rng_next(&rng), r);
    return RES_OK;
}

/* Is the case one that this target of these facts cannot run? Then *why says which feature is missing. */
static bool cannot_run(const struct target *t, const char *facts, const struct testcase *tc,
                       const char **why, struct arena *a)
{
    if (t->kind == TARGET_SIM || facts_get_fit(facts, &tc->needs) == FIT_LISTED) {
        return false;
    }
    int const need = facts_first_unmet(facts, &tc->needs);
    *why = arena_printf(a, "the device does not report %s\n",
                        need < 0 ? "a feature of the case" : cap_rows[need].id);
    return true;
}

/* Make and run test (seed, index), and judge it. */
static enum res run_test(const struct options *opt, const struct target *t, const char *facts,
                         uint64_t seed, uint64_t index, struct run *r, struct outcome *out,
                         struct err *e)
{
    struct judgement g;
    arena_reset(&r->arena);
    *out = (struct outcome){GTEST_SKIP, ""};
    TRY(gtest_suite_make_case(&opt->suite, seed, index, &r->arena, &r->tc, e));
    if (cannot_run(t, facts, &r->tc, &out->text, &r->arena)) {
        return RES_OK;
    }
    enum res const printed = print_set_language(&r->tc, t->language, &r->arena, e);
    if (printed == RES_LIMIT) {
        out->text = "the language has no words for this case\n";
        return RES_OK;
    }
    TRY(printed);
    if (cannot_run(t, facts, &r->tc, &out->text, &r->arena)) { /* its text may need more */
        return RES_OK;
    }
    TRY(run_case(t, r, seed, index, e));
    TRY(judge_run(&r->tc, &r->ob, &r->arena, &g, e));
    out->result = gtest_get_result(g.kind);
    out->text = out->result != GTEST_PASS ? describe(r, &g, &r->arena) : "";
    return RES_OK;
}

/* What the lists make of the outcome: a failure that they expect passes, a pass that they do not expect fails. */
static void apply_lists(const struct results *x, const char *name, struct outcome *o)
{
    enum gtest_result const expected = gtest_lists_get_expected(x->lists, name);
    bool const is_bad = o->result == GTEST_FAIL || o->result == GTEST_CRASH;
    if (is_bad && (o->result == expected || gtest_lists_is_flake(x->lists, name))) {
        (void)puts(o->result == expected ? "expected by --fails:" : "a flake by --flakes:");
        o->result = GTEST_PASS;
    } else if (o->result == GTEST_PASS && expected != GTEST_PASS) {
        o->text = "the test passes, but --fails expects a failure\n";
        o->result = GTEST_FAIL;
    }
}

/* One test with its lines. A crash has no last line, unless a list or --keep-going says that it counts as something else. */
static enum res do_test(const struct options *opt, const struct target *t, const char *facts,
                        uint64_t seed, uint64_t index, const char *name, struct run *r,
                        struct results *x, struct err *e)
{
    struct outcome o = {GTEST_SKIP, "skipped by --skips\n"};
    uint64_t const begun = child_now_ns();
    printf("[ RUN      ] %s\n", name);
    (void)fflush(stdout);
    if (!gtest_lists_is_skip(x->lists, name)) {
        TRY(run_test(opt, t, facts, seed, index, r, &o, e));
        apply_lists(x, name, &o);
    }
    put_text(o.text);
    if (o.result == GTEST_CRASH && !opt->goes_on) {
        x->is_over = true;
        x->failed[x->n_failed++] = name;
        (void)fflush(stdout);
        return RES_OK;
    }
    static const char *const words[] = {[GTEST_PASS] = "[       OK ]",
                                        [GTEST_FAIL] = "[  FAILED  ]",
                                        [GTEST_CRASH] = "[  FAILED  ]",
                                        [GTEST_SKIP] = "[  SKIPPED ]"};
    printf("%s %s (%" PRIu64 " ms)\n", words[o.result], name, (child_now_ns() - begun) / MS_NS);
    (void)fflush(stdout);
    if (o.result == GTEST_PASS) {
        x->n_passed++;
    } else if (o.result == GTEST_SKIP) {
        x->skipped[x->n_skipped++] = name;
    } else {
        x->failed[x->n_failed++] = name;
    }
    return RES_OK;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* The lines at the end of a gtest program. */
static void print_end(const struct results *x)
{
    printf("[  PASSED  ] %" PRIu64 " test%s.\n", x->n_passed, plural(x->n_passed));
    const struct {
        const char *word, **names;
        uint64_t n;
    } rows[] = {
        {"[  SKIPPED ]", x->skipped, x->n_skipped},
        {"[  FAILED  ]", x->failed,  x->n_failed }
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].n) {
            printf("%s %" PRIu64 " test%s, listed below:\n", rows[i].word, rows[i].n,
                   plural(rows[i].n));
        }
        for (uint64_t k = 0; k < rows[i].n; k++) {
            printf("%s %s\n", rows[i].word, rows[i].names[k]);
        }
    }
}

/* The chosen tests of one seed: names[index], NULL for one that is not chosen. Their number. */
static uint64_t choose(const struct options *opt, uint64_t seed, const char **names,
                       struct arena *a)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < opt->suite.n_cases; i++) {
        const char *const name = gtest_suite_name_case(&opt->suite, seed, i, a);
        names[i] = gtest_filter_chooses(opt->filter, name) ? name : NULL;
        n += names[i] != NULL;
    }
    return n;
}

static void list_tests(const struct options *opt, const char **names, struct arena *a)
{
    for (uint64_t k = 0; k < opt->suite.n_seeds; k++) {
        uint64_t const seed = opt->suite.seed + k;
        struct arena_mark const mark = arena_get_mark(a);
        if (choose(opt, seed, names, a) > 0) {
            printf("%s.\n", gtest_suite_name_group(&opt->suite, seed, a));
        }
        for (uint64_t i = 0; i < opt->suite.n_cases; i++) {
            if (names[i]) {
                printf("  %" PRIu64 "\n", i);
            }
        }
        arena_release(a, mark);
    }
}

/* All chosen tests of one seed, as one test suite of gtest. */
static enum res run_seed(const struct options *opt, const struct target *t, const char *facts,
                         uint64_t seed, struct run *r, struct results *x, struct arena *a,
                         struct err *e)
{
    const char **const names = ARENA_NEW(a, const char *, opt->suite.n_cases);
    uint64_t const begun = child_now_ns();
    uint64_t const n = names ? choose(opt, seed, names, a) : 0;
    const char *const group = gtest_suite_name_group(&opt->suite, seed, a);
    if (!names || a->is_full) {
        return err_set(e, RES_NOMEM, "no memory for the names of tests");
    }
    if (n == 0) {
        return RES_OK;
    }
    printf("[----------] %" PRIu64 " test%s from %s\n", n, plural(n), group);
    for (uint64_t i = 0; i < opt->suite.n_cases && !x->is_over; i++) {
        if (names[i]) {
            TRY(do_test(opt, t, facts, seed, i, names[i], r, x, e));
        }
    }
    if (!x->is_over) {
        printf("[----------] %" PRIu64 " test%s from %s (%" PRIu64 " ms total)\n\n", n, plural(n),
               group, (child_now_ns() - begun) / MS_NS);
    }
    return RES_OK;
}

static enum res run_all(const struct options *opt, const struct target *t, struct run *r,
                        struct results *x, struct arena *a, struct err *e)
{
    const char *facts = "";
    uint64_t const n_most = opt->suite.n_seeds * opt->suite.n_cases;
    x->failed = ARENA_NEW(a, const char *, n_most);
    x->skipped = ARENA_NEW(a, const char *, n_most);
    if (!x->failed || !x->skipped) {
        return err_set(e, RES_NOMEM, "no memory for %" PRIu64 " tests", n_most);
    }
    TRY(gtest_lists_read(&x->lists, &opt->lists, a, e));
    TRY(t->kind == TARGET_WORKER ? handle_get_facts(t, a, &facts, e) : RES_OK);
    for (uint64_t k = 0; k < opt->suite.n_seeds && !x->is_over; k++) {
        TRY(run_seed(opt, t, facts, opt->suite.seed + k, r, x, a, e));
    }
    if (x->is_over) {
        (void)cli_complain(&cmd_cases_help, "%s: the driver died; no further test is run",
                           x->failed[x->n_failed - 1]);
    } else {
        print_end(x);
    }
    return RES_OK;
}

/* The one target that is named; its API is that of the cases, unless it runs both. */
static enum cli_status choose_target(struct options *opt, struct target_list *list, struct arena *a)
{
    struct err e;
    struct target_list *const found = ARENA_NEW(a, struct target_list, 1);
    if (!found || targets_find(found, opt->ini, a, &e) != RES_OK ||
        targets_select(found, opt->target, list, a, &e) != RES_OK) {
        return found ? cli_fail_input(&cmd_cases_help, &e) : STATUS_HARNESS;
    }
    const struct target *const t = &list->t[0];
    if (list->n != 1) {
        return cli_complain(&cmd_cases_help, "--target: one target is needed");
    }
    if (opt->has_env && !t->alternates && opt->suite.env != t->env) {
        return cli_complain(&cmd_cases_help, "--env %s: %s is a target for %s",
                            env_names[opt->suite.env], t->name, env_names[t->env]);
    }
    opt->suite.env = opt->has_env ? opt->suite.env : t->env;
    return STATUS_OK;
}

static enum cli_status run_tests(struct options *opt, const struct target *t, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct results x = {.n_failed = 0};
    struct run *const r = ARENA_NEW(a, struct run, 1);
    if (!r) {
        return STATUS_HARNESS;
    }
    *r = (struct run){.index = 0};
    arena_init(&r->arena, HANDLE_RUN_BYTES);
    enum res const result = run_all(opt, t, r, &x, a, &e);
    gtest_lists_free(x.lists);
    arena_free(&r->arena);
    if (result != RES_OK) {
        return cli_fail(&cmd_cases_help, &e);
    }
    return x.n_failed ? STATUS_FINDINGS : STATUS_OK;
}

static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct options *const opt = options;
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    enum cli_status status = STATUS_OK;
    if (!cli_refuse_words(c)) {
        return c->status;
    }
    if (!opt->target && !opt->is_list) {
        return cli_complain(c->command, "--target is needed");
    }
    if (!list) {
        return STATUS_HARNESS;
    }
    if (opt->target) {
        status = choose_target(opt, list, a);
    }
    if (opt->device && !opt->target && !opt->has_env) {
        opt->suite.env = opt->device->env;
    }
    if (opt->device && status == STATUS_OK && opt->device->env != opt->suite.env) {
        return cli_complain(c->command, "--device %s is for %s, and the cases are for %s",
                            opt->device->name, env_names[opt->device->env],
                            env_names[opt->suite.env]);
    }
    if (opt->device) {
        opt->listed = sample_device_get_needs(opt->device);
        opt->suite.allowed = &opt->listed;
    }
    if (status == STATUS_OK && opt->is_list) {
        const char **const names = ARENA_NEW(a, const char *, opt->suite.n_cases);
        if (!names) {
            return STATUS_HARNESS;
        }
        list_tests(opt, names, a);
    } else if (status == STATUS_OK) {
        status = run_tests(opt, &list->t[0], a);
    }
    return status;
}

static const struct options defaults = {
    .suite = {.env = ENV_VK, .profile = PROFILE_ALL, .seed = 1, .n_seeds = 1, .n_cases = 500},
    .filter = ""
};
const struct cli_entry cmd_cases = {&cmd_cases_help, &defaults, sizeof defaults, CASES_ARENA_BYTES,
                                    run};

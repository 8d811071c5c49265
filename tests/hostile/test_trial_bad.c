/* tests/hostile/test_trial_bad.c -- trials and reductions on workers that misbehave: whatever a worker does, an
 * answer comes, and it is of the candidate that it names. */
#define _GNU_SOURCE /* fopencookie: a progress line that acts */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/sched_case.h"
#include "fuzz/process/progress.h"
#include "fuzz/reduce/reduce.h"
#include "fuzz/reduce/shrink_sweep.h"
#include "fuzz/trial/trial_count.h"
#include "tests/rig/fake_worker.h"

enum {
    SEED = 5,
    MAX_CASES = 200,
    N_COUNTED = 60
};
#define SHORT_NS UINT64_C(2000000000) /* for two workers fewer hangs than a whole search takes */
#define HANG_NS  UINT64_C(300000000)

static char self_path[4096];

struct rig {
    struct arena a;
    struct target target;
    struct reduce_subject s;
    struct finding finding;
    struct progress *progress; /* of reductions; NULL: none */
};

static void set_up(struct rig *r, const char *mode, const char *more)
{
    memset(r, 0, sizeof *r);
    arena_init(&r->a, (size_t)1 << 30);
    r->target = (struct target){
        .name = mode,
        .env = ENV_CL,
        .loader = "",
        .device = "",
        .worker = self_path,
        .env_vars = {arena_printf(&r->a, "FAKE=%s", mode), "FAKE_FAULT=SUM_OFF_ULP", more, NULL},
        .hello_ns = UINT64_C(20000000000),
        .case_ns = UINT64_C(20000000000),
        .origin = "test"
    };
}

/* The first case of at least n_words that is chosen for the bad behaviour and shows any violation. */
static void find_subject(struct rig *r, uint32_t n_words)
{
    struct trials *t = NULL;
    struct err e;
    struct trial_wanted const any = {.n_runs = 10, .n_needed = 1};
    assert_int_equal(trials_open(&t, &r->target, 1, &e), RES_OK);
    for (uint64_t i = 0; i < MAX_CASES; i++) {
        struct tape tape;
        uint32_t first = 1;
        assert_int_equal(
            sched_make_case(PROFILE_ATOMICS, SEED, i, ENV_CL, &r->a, &r->s.tc, &tape, &e), RES_OK);
        if (!fake_is_chosen(&r->s.tc, 0) || r->s.tc.n_words < n_words ||
            shrink_count(&r->s.tc) > 150) {
            continue;
        }
        const struct testcase *tc = &r->s.tc;
        if (trials_find_first(t, &any, &(struct trial_candidates){&tc, 1}, &r->a, &first, &r->s.ob,
                              &r->finding, &e) != RES_OK) {
            fail_msg("%s: %s", r->target.name, e.text);
        }
        if (first == 0) {
            r->s.wanted =
                (struct trial_wanted){.core = signature_of(&r->finding, &r->s.ob, &r->a).core,
                                      .n_runs = 1,
                                      .n_needed = 1};
            trials_close(t);
            return;
        }
    }
    fail_msg("%s: no finding in %d cases", r->target.name, MAX_CASES);
}

/* For so long, 0: to the end. */
static void reduce(struct rig *r, uint64_t max_ns, struct reduce_result *out)
{
    struct err e;
    struct reduce_options const o = {
        .target = &r->target, .n_workers = 3, .max_ns = max_ns, .progress = r->progress};
    if (reduce_run(&r->s, &o, &r->a, out, &e) != RES_OK) {
        fail_msg("%s: %s", r->target.name, e.text);
    }
    print_message("%s: %u -> %u, %u of %u kept, %.1f s%s\n", r->s.wanted.core, out->n_before,
                  out->n_after, out->n_accepted, out->n_tried, (double)out->wall_ns / 1e9,
                  out->was_cut ? ", cut" : "");
    const char *const core = signature_of(&out->finding, &out->ob, &r->a).core;
    assert_non_null(core);
    assert_string_equal(core, r->s.wanted.core);
    assert_int_equal(out->n_after, shrink_count(&out->tc));
}

/* What is kept is another case, and one with no more instructions: a smaller dispatch may have as many. */
static void check_best(struct rig *r, const struct reduce_result *out)
{
    size_t n[2];
    const unsigned char *const before = testcase_encode(&r->s.tc, &r->a, &n[0]);
    const unsigned char *const after = testcase_encode(&out->tc, &r->a, &n[1]);
    assert_true(before && after);
    int const is_other = n[0] != n[1] || memcmp(before, after, n[0]) != 0;
    assert_int_equal(is_other, out->n_accepted > 0);
    assert_true(out->n_after <= out->n_before);
}

/* Each way to die keeps its verdict down to an empty kernel. */
static void a_death_is_made_small(void **state)
{
    static const struct {
        const char *mode;
        enum verdict_kind kind;
    } modes[] = {
        {"crash",       VERDICT_CRASH      },
        {"exit",        VERDICT_EXIT       },
        {"lost",        VERDICT_DEVICE_LOST},
        {"reply-crash", VERDICT_CRASH      },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(modes); i++) {
        struct rig r;
        struct reduce_result out;
        set_up(&r, modes[i].mode, NULL);
        find_subject(&r, 0);
        reduce(&r, 0, &out);
        assert_int_equal(out.finding.kind, modes[i].kind);
        assert_true(out.n_after <= 1 && !out.was_cut);
        assert_true(out.n_after < out.n_before);
        arena_free(&r.a);
    }
}

/* Two bugs that show alike but for what the driver says: a reduction ends where the second would begin, and what it
 * gives shows the first. */
static void no_reduction_slips(void **state)
{
    static const struct {
        const char *mode, *said;
    } modes[] = {
        {"passes",  "pass 'vplan-vec'"                                   },
        {"asserts", "\"fold.c:12: fold: Assertion `n > 0' failed.\""     },
        {"missing", "build 0 symbol missing: atomic_min_max float global"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_N(modes); i++) {
        struct rig r;
        struct reduce_result out;
        set_up(&r, modes[i].mode, NULL);
        find_subject(&r, FAKE_MANY_WORDS);
        if (!strstr(r.s.wanted.core, modes[i].said)) {
            fail_msg("\"%s\" without \"%s\"", r.s.wanted.core, modes[i].said);
        }
        reduce(&r, 0, &out); /* that the core is the same is asked there */
        print_message("%s: %u -> %u words\n", modes[i].mode, r.s.tc.n_words, out.tc.n_words);
        assert_in_range(out.tc.n_words, FAKE_MANY_WORDS, r.s.tc.n_words - 1);
        arena_free(&r.a);
    }
}

/* Each candidate that hangs takes the whole deadline of a case: the time ends it, the best stays. */
static void a_hang_ends_by_the_time(void **state)
{
    (void)state;
    struct rig r;
    struct reduce_result out;
    set_up(&r, "hang", NULL);
    r.target.case_ns = HANG_NS;
    find_subject(&r, 0);
    reduce(&r, SHORT_NS, &out);
    assert_int_equal(out.finding.kind, VERDICT_HANG);
    assert_true(out.was_cut);
    check_best(&r, &out);
    arena_free(&r.a);
}

/* Killed from outside now and then, it costs candidates and nothing else. */
static void a_killed_worker_costs_its_candidate(void **state)
{
    (void)state;
    struct rig r;
    struct reduce_result out;
    set_up(&r, "killed", NULL);
    find_subject(&r, 0);
    while (strncmp(r.s.wanted.core, "crash", 5) == 0) { /* the kill was found, not the fault */
        find_subject(&r, 0);
    }
    r.s.wanted.n_runs = 3; /* or the first run may be the one that is killed */
    reduce(&r, 0, &out);
    assert_true(2 * out.n_after < out.n_before);
    arena_free(&r.a);
}

/* A target that does not start any more ends the search with what it has. */
static void a_target_that_leaves_ends_the_search(void **state)
{
    (void)state;
    struct rig r;
    struct reduce_result out;
    char path[512];
    const char *base = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%.400s/test-trial-%ld-gone", base ? base : "/tmp",
                   (long)getpid());
    set_up(&r, "leaving", "");
    r.target.env_vars[2] = arena_printf(&r.a, "FAKE_GONE=%s", path);
    find_subject(&r, 0);
    (void)unlink(path);
    reduce(&r, 0, &out);
    assert_int_equal(access(path, F_OK), 0);
    (void)unlink(path);
    assert_true(out.was_cut);
    assert_true(out.n_accepted <= 30); /* each needs an answer, and 3 workers give 10 each */
    assert_true(out.n_after < out.n_before);
    arena_free(&r.a);
}

/* A target that never starts is an error, and says so. */
static void a_mute_target_is_an_error(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    struct reduce_result out;
    set_up(&r, "fault", NULL);
    find_subject(&r, 0);
    r.target.env_vars[0] = "FAKE=mute";
    struct reduce_options const o = {.target = &r.target, .n_workers = 2};
    assert_int_equal(reduce_run(&r.s, &o, &r.a, &out, &e), RES_IO);
    assert_non_null(strstr(e.text, "no device of that name"));
    arena_free(&r.a);
}

/* Of several candidates that show it at once the observation is the first one's. */
static void the_observation_is_of_the_first(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    struct trials *t = NULL;
    struct testcase tc[4];
    const struct testcase *candidates[4];
    unsigned char sixteen[16] = {0};
    set_up(&r, "fault", NULL);
    find_subject(&r, 0);
    for (uint32_t i = 0; i < 4; i++) { /* alike but for buffers behind those in use */
        tc[i] = r.s.tc;
        for (uint32_t k = 0; k <= i; k++) {
            struct buf *b = &tc[i].bufs[tc[i].n_bufs++];
            *b = (struct buf){.kind = BUF_STORAGE, .n_bytes = 16, .data = sixteen};
        }
        candidates[i] = &tc[i];
    }
    assert_int_equal(trials_open(&t, &r.target, 4, &e), RES_OK);
    for (int round = 0; round < 20; round++) {
        struct observation ob;
        uint32_t first = 4;
        if (trials_find_first(t, &r.s.wanted, &(struct trial_candidates){candidates, 4}, &r.a,
                              &first, &ob, NULL, &e) != RES_OK) {
            fail_msg("%s", e.text);
        }
        assert_int_equal(first, 0);
        assert_int_equal(ob.n_bufs, tc[0].n_bufs);
    }
    trials_close(t);
    arena_free(&r.a);
}

/* Three runs of ten: the smaller case shows it about as often. */
static void a_flaky_bug_keeps_its_share(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    struct reduce_result out;
    struct trial_count before, after;
    set_up(&r, "flaky", NULL);
    find_subject(&r, 0);
    assert_int_equal(trials_count(&r.target, &r.s.wanted, &r.s.tc, N_COUNTED, 0, &before, &e),
                     RES_OK);
    assert_true(before.n_shown > 0 && before.n_shown < N_COUNTED);
    trial_set_share(&r.s.wanted, (double)before.n_shown / N_COUNTED);
    reduce(&r, 0, &out);
    assert_int_equal(trials_count(&r.target, &r.s.wanted, &out.tc, N_COUNTED, 0, &after, &e),
                     RES_OK);
    print_message("flaky: %u of %d runs, reduced %u\n", before.n_shown, N_COUNTED, after.n_shown);
    assert_true(2 * out.n_after < out.n_before);
    assert_true(3 * after.n_shown > before.n_shown);
    arena_free(&r.a);
}

/* A line of progress that tells of candidates kept, the start and one more: time for the signal. */
static ssize_t signal_when_kept(void *cookie, const char *text, size_t n)
{
    int *const is_sent = cookie;
    static const char kept[] = " kept of ";
    const char *at = memmem(text, n, kept, sizeof kept - 1);
    while (at && at > text && isdigit((unsigned char)at[-1])) {
        at--;
    }
    if (at && !*is_sent && strtoul(at, NULL, 10) > 0) {
        *is_sent = 1;
        (void)kill(getpid(), SIGTERM);
    }
    return (ssize_t)n;
}

/* A signal that is blocked and waits ends it with the best so far. */
static void a_signal_leaves_the_best(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    struct reduce_result out;
    sigset_t mask, old;
    struct timespec const none = {0, 0};
    int is_sent = 0;
    set_up(&r, "hang", NULL);
    r.target.case_ns = HANG_NS;
    FILE *const f = fopencookie(&is_sent, "w", (cookie_io_functions_t){.write = signal_when_kept});
    struct progress progress;
    assert_non_null(f);
    progress_open(&progress, f);
    progress.is_terminal = true; /* it does not wait a minute */
    r.progress = &progress;
    find_subject(&r, 0);
    (void)sigemptyset(&mask);
    (void)sigaddset(&mask, SIGTERM);
    assert_int_equal(sigprocmask(SIG_BLOCK, &mask, &old), 0);
    reduce(&r, 0, &out);
    assert_true(is_sent && out.was_cut && out.n_accepted > 0);
    check_best(&r, &out);
    struct reduce_options const o = {.target = &r.target, .n_workers = 1};
    assert_int_equal(reduce_run(&r.s, &o, &r.a, &out, &e), RES_LIMIT); /* it still waits */
    assert_int_equal(sigtimedwait(&mask, NULL, &none), SIGTERM);
    assert_int_equal(sigprocmask(SIG_SETMASK, &old, NULL), 0);
    (void)fclose(f);
    arena_free(&r.a);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof self_path - 1);
    self_path[n > 0 ? n : 0] = 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_death_is_made_small),
        cmocka_unit_test(no_reduction_slips),
        cmocka_unit_test(a_hang_ends_by_the_time),
        cmocka_unit_test(a_killed_worker_costs_its_candidate),
        cmocka_unit_test(a_target_that_leaves_ends_the_search),
        cmocka_unit_test(a_mute_target_is_an_error),
        cmocka_unit_test(the_observation_is_of_the_first),
        cmocka_unit_test(a_flaky_bug_keeps_its_share),
        cmocka_unit_test(a_signal_leaves_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

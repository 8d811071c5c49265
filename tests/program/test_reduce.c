/* tests/program/test_reduce.c -- findings of planted faults made small, each with its bug. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/spirv.h"
#include "fuzz/process/child_time.h"
#include "fuzz/reduce/reduce_peer.h"
#include "fuzz/reduce/shrink.h"
#include "fuzz/reduce/shrink_sweep.h"
#include "fuzz/targets/targets_sim.h"
#include "oracle/fault/faults_bug.h"
#include "oracle/fault/faults_group_bug.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/fault_rig.h"
#include "tests/rig/folder_rig.h"
#include "tests/rig/patience.h"

#define SHORT_NS UINT64_C(1000000000)
enum {
    PEER_EACH = 3, /* of some_faults */
    SEED = 12,
    MAX_CASES = 4000, /* that may pass before the first finding */
    MEDIAN_INSTRUCTIONS = 12
};

/* In the fast run. */
static const char *const some_faults[] = {
    "SUM_OFF_ULP",  "NAN_WINS_MIN",        "LOST_UPDATE",    "STORE_LOST",
    "MATH_OFF_TEN", "BROADCAST_OF_LANE_0", "ARITH_OFF_ULP",  "BALLOT_BEYOND",
    "LANE_OMITTED", "MATH_ZERO_SIGN",      "CMPXCHG_ALWAYS",
};

struct rig {
    struct arena a, found, reduced;
    struct target target;
    struct reduce_subject subject;
    const char *signature;
};

struct row {
    const char *fault;
    uint32_t n_before, n_after;
    double seconds;
};

static void init_rig(struct rig *r)
{
    static const struct rig none;
    *r = none;
    arena_init(&r->a, (size_t)1 << 20);
    arena_init(&r->found, (size_t)512 << 20);
    arena_init(&r->reduced, (size_t)512 << 20);
}
static void free_rig(struct rig *r)
{
    arena_free(&r->reduced);
    arena_free(&r->found);
    arena_free(&r->a);
}

/* Does a case show what is wanted on the rig's target, in a trial of its own? */
static int shows(struct rig *r, const struct trial_wanted *w, const struct testcase *tc,
                 struct arena *a, struct observation *ob, struct finding *f)
{
    struct trials *t = NULL;
    struct err e;
    uint32_t first = 1;
    assert_int_equal(trials_open(&t, &r->target, 1, &e), RES_OK);
    enum res const res =
        trials_find_first(t, w, &(struct trial_candidates){&tc, 1}, a, &first, ob, f, &e);
    trials_close(t);
    if (res != RES_OK) {
        fail_msg("%s: %s", r->target.name, e.text);
    }
    return first == 0;
}

/* The first case of the seed that shows any violation; it becomes the subject. */
static void find_finding(struct rig *r, int fault)
{
    struct err e;
    enum profile const profile = profile_of_fault((enum fault_id)fault);
    for (uint64_t i = 0; i < MAX_CASES; i++) {
        struct reduce_subject s = {.has_tape = 1, .profile = profile};
        struct finding f;
        arena_reset(&r->found);
        assert_int_equal(
            sched_make_case(profile, SEED, i, (enum env)(i % ENV_N), &r->found, &s.tc, &s.tape, &e),
            RES_OK);
        if (!sim_can_plant(&s.tc, (enum fault_id)fault, &r->found)) {
            continue;
        }
        s.wanted = (struct trial_wanted){
            .facts = sim_facts_for(&s.tc, i, &r->found), .n_runs = 1, .n_needed = 1};
        if (shows(r, &s.wanted, &s.tc, &r->found, &s.ob, &f)) {
            r->signature = signature_of(&f, &s.ob, &r->found).text;
            s.wanted.core = signature_parse(r->signature, &r->found).core;
            assert_non_null(s.wanted.core);
            r->subject = s;
            return;
        }
    }
    fail_msg("%s, seed %d: no finding in %d cases", r->target.name, SEED, MAX_CASES);
}

static void check_result(struct rig *r, const struct reduce_result *out)
{
    const char *message = "";
    if (spirv_validate(&out->tc, &r->reduced, &message) == SPIRV_INVALID) {
        fail_msg("%s: reduced to an invalid module: %s", r->target.name, message);
    }
    if (!shows(r, &r->subject.wanted, &out->tc, &r->reduced, NULL, NULL)) {
        fail_msg("%s: the reduced case does not show \"%s\"", r->target.name,
                 r->subject.wanted.core);
    }
    const char *const core = signature_of(&out->finding, &out->ob, &r->reduced).core;
    assert_non_null(core);
    assert_string_equal(core, r->subject.wanted.core);
    assert_int_equal(out->n_before, shrink_count(&r->subject.tc));
    assert_int_equal(out->n_after, shrink_count(&out->tc));
    assert_true(out->n_after <= out->n_before);
    assert_true(out->tc.n_words <= r->subject.tc.n_words);
}

static void find_fault(struct rig *r, int fault)
{
    struct err e;
    arena_reset(&r->a);
    arena_reset(&r->reduced);
    if (targets_make_sim(arena_printf(&r->a, "sim-ieee:%s", fault_rows[fault].id), &r->target,
                         &r->a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    find_finding(r, fault);
}

static struct row reduce_fault(struct rig *r, int fault)
{
    struct err e;
    struct reduce_result out;
    struct reduce_options const o = {.target = &r->target, .n_workers = 1};
    find_fault(r, fault);
    if (reduce_run(&r->subject, &o, &r->reduced, &out, &e) != RES_OK) {
        fail_msg("%s: %s", r->target.name, e.text);
    }
    check_result(r, &out);
    double const seconds = (double)out.wall_ns / 1e9;
    print_message("%-24s %-8s %4u -> %3u  %5u tried  %6.1f s%s  %s\n", fault_rows[fault].id,
                  env_names[out.tc.env], out.n_before, out.n_after, out.n_tried, seconds,
                  out.was_cut ? " (cut)" : "", r->signature);
    return (struct row){fault_rows[fault].id, out.n_before, out.n_after, seconds};
}

static int by_instructions(const void *x, const void *y)
{
    uint32_t const a = ((const struct row *)x)->n_after, b = ((const struct row *)y)->n_after;
    return a < b ? -1 : a > b;
}
static int by_seconds(const void *x, const void *y)
{
    double const a = ((const struct row *)x)->seconds, b = ((const struct row *)y)->seconds;
    return a < b ? -1 : a > b;
}

/* Is it in this run? With HALFULP_FAULT=NAME only that one, with HALFULP_SLOW=1 each violation but models of drivers' bugs: a
 * model needs operands or control flow that few cases have. */
static bool is_of_the_run(enum fault_id fault)
{
    const char *const only = getenv("HALFULP_FAULT"), *const id = fault_rows[fault].id;
    if (verdict_rows[fault_rows[fault].expect].part != PART_VIOLATION) {
        return false;
    }
    if (only) {
        return strcmp(only, id) == 0;
    }
    if (getenv("HALFULP_SLOW")) {
        return !fault_is_bug(fault) && !fault_is_group_bug(fault) && !fault_is_of_flow(fault);
    }
    for (size_t i = 0; i < ARRAY_N(some_faults); i++) {
        if (strcmp(some_faults[i], id) == 0) {
            return true;
        }
    }
    return false;
}

static void a_planted_fault_is_made_small(void **state)
{
    (void)state;
    struct rig r;
    struct row rows[FAULT_N] = {{0}};
    uint32_t n = 0;
    init_rig(&r);
    for (int f = 0; f < FAULT_N; f++) {
        if (is_of_the_run((enum fault_id)f)) {
            rows[n++] = reduce_fault(&r, f);
        }
    }
    assert_true(n >= ARRAY_N(some_faults) || (n == 1 && getenv("HALFULP_FAULT")));
    qsort(rows, n, sizeof rows[0], by_seconds);
    print_message("%u faults: median %.1f s, slowest %.1f s (%s)\n", n, rows[n / 2].seconds,
                  rows[n - 1].seconds, rows[n - 1].fault);
    qsort(rows, n, sizeof rows[0], by_instructions);
    print_message("median %u instructions, largest %u (%s)\n", rows[n / 2].n_after,
                  rows[n - 1].n_after, rows[n - 1].fault);
    assert_true(n == 1 || rows[n / 2].n_after <= MEDIAN_INSTRUCTIONS);
    free_rig(&r);
}

/* The program where the peer looks for it, beside this one; a folder of temporary files whose name a
 * shell takes apart where it is not quoted; and the folder of what is taken for spirv-reduce. */
struct place {
    char program[4096], folder[512], peer[512];
    const char *old, *old_path;
};

/* Scripts that are found in place of spirv-reduce. The real one is given a number of steps, which is the
 * same work on any machine. killed_peer dies before it says that it is done, and leaves the same files as
 * one whose time has passed. */
#define REAL_PEER "PATH=${PATH#*:} && spirv-reduce --step-limit="
static const char killed_peer[] = "#!/bin/sh\n" REAL_PEER "20 \"$@\"\nkill -KILL $$\n";
static const char short_peer[] = "#!/bin/sh\n" REAL_PEER "400 \"$@\"\n";
static const char hung_peer[] = "#!/bin/sh\nexec sleep 1000000\n";

static void put_peer(struct place *p, const char *script)
{
    char name[600], path[8192];
    struct err e;
    folder_make(p->peer, sizeof p->peer, "peer");
    (void)snprintf(name, sizeof name, "%s/spirv-reduce", p->peer);
    assert_int_equal(file_write(name, script, strlen(script), &e), RES_OK);
    assert_int_equal(chmod(name, 0700), 0);
    p->old_path = getenv("PATH");
    (void)snprintf(path, sizeof path, "%s:%s", p->peer, p->old_path);
    assert_int_equal(setenv("PATH", path, 1), 0);
}

static int set_up_peer(struct place *p, const char *script)
{
    char self[4000] = "";
    if (system("command -v spirv-reduce >/dev/null 2>&1") != 0) {
        return 0;
    }
    put_peer(p, script);
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    *strrchr(self, '/') = 0;
    (void)snprintf(p->program, sizeof p->program, "%s/halfulp", self);
    (void)unlink(p->program);
    p->old = getenv("TMPDIR");
    (void)snprintf(p->folder, sizeof p->folder, "%.400s/it's a $HOME \"%%s\" ;x-XXXXXX",
                   p->old ? p->old : "/tmp");
    return symlink("../halfulp", p->program) == 0 && mkdtemp(p->folder) != NULL &&
           setenv("TMPDIR", p->folder, 1) == 0;
}

static void tear_down_peer(struct place *p)
{
    if (p->old) {
        (void)setenv("TMPDIR", p->old, 1);
    } else {
        (void)unsetenv("TMPDIR");
    }
    (void)setenv("PATH", p->old_path, 1);
    (void)unlink(p->program);
    folder_remove(p->peer);
    assert_int_equal(rmdir(p->folder), 0); /* nothing is left behind */
}

/* What the peer makes of a case that the rig's target shows; 0: nothing. */
static int try_peer(struct rig *r, const struct testcase *tc, const struct observation *ob,
                    uint64_t max_ns, struct testcase *out)
{
    struct reduce_options const o = {.target = &r->target, .n_workers = 1};
    const char *message = "";
    int const made = reduce_try_peer(&o, &r->subject.wanted, tc, ob, max_ns, &r->reduced, out);
    if (made) {
        assert_true(spirv_validate(out, &r->reduced, &message) != SPIRV_INVALID);
        if (!shows(r, &r->subject.wanted, out, &r->reduced, NULL, NULL)) {
            fail_msg("%s: what the peer made does not show it", r->target.name);
        }
    }
    return made;
}

/* A subject for this peer, or the test is skipped. */
static void begin_with_peer(struct rig *r, struct place *p, const char *script)
{
    if (!set_up_peer(p, script)) {
        print_message("skipped: no spirv-reduce\n");
        skip();
    }
    init_rig(r);
    find_fault(r, fault_find("SUM_OFF_ULP"));
    assert_non_null(strchr(r->subject.wanted.core, ' '));
}

/* The real spirv-reduce, asking the real program; killed in the middle it leaves its best. */
static void the_peer_works(void **state)
{
    (void)state;
    struct rig r;
    struct place p = {.old = NULL};
    struct testcase out;
    begin_with_peer(&r, &p, killed_peer);
    uint32_t const n_before = shrink_count(&r.subject.tc);
    assert_true(try_peer(&r, &r.subject.tc, &r.subject.ob, PATIENCE_NS, &out));
    uint32_t const n_after = shrink_count(&out);
    print_message("spirv-reduce, killed after some steps: %u -> %u\n", n_before, n_after);
    assert_true(n_after < n_before);
    free_rig(&r);
    tear_down_peer(&p);
}

/* One that makes nothing and never ends is ended by the time. */
static void a_peer_that_hangs_is_ended(void **state)
{
    (void)state;
    struct rig r;
    struct place p = {.old = NULL};
    struct testcase out;
    begin_with_peer(&r, &p, hung_peer);
    uint64_t const begun_ns = child_now_ns();
    assert_false(try_peer(&r, &r.subject.tc, &r.subject.ob, SHORT_NS, &out));
    assert_true(child_now_ns() - begun_ns >= SHORT_NS); /* it was waited for */
    assert_int_equal(shrink_count(&out), shrink_count(&r.subject.tc));
    free_rig(&r);
    tear_down_peer(&p);
}

/* Who makes smaller cases: the passes alone, spirv-reduce alone, or the one after the other. */
static void the_peer_is_compared(void **state)
{
    (void)state;
    struct rig r;
    struct place p = {.old = NULL};
    uint32_t n_ours = 0, n_peers = 0, n_both = 0;
    if (!getenv("HALFULP_SLOW") || !set_up_peer(&p, short_peer)) {
        print_message("skipped: HALFULP_SLOW is not set, or no spirv-reduce\n");
        skip();
    }
    init_rig(&r);
    for (size_t i = 0; i < ARRAY_N(some_faults); i += PEER_EACH) {
        struct err e;
        struct testcase alone, after;
        struct reduce_result out;
        find_fault(&r, fault_find(some_faults[i]));
        arena_reset(&r.reduced);
        struct reduce_options const o = {.target = &r.target, .n_workers = 1};
        assert_int_equal(reduce_run(&r.subject, &o, &r.reduced, &out, &e), RES_OK);
        struct timespec t[2];
        (void)clock_gettime(CLOCK_MONOTONIC, &t[0]);
        int const made = try_peer(&r, &r.subject.tc, &r.subject.ob, PATIENCE_NS, &alone);
        (void)clock_gettime(CLOCK_MONOTONIC, &t[1]);
        int const went_on = try_peer(&r, &out.tc, &out.ob, PATIENCE_NS, &after);
        uint32_t const n_alone = shrink_count(made ? &alone : &r.subject.tc);
        uint32_t const n_after = went_on ? shrink_count(&after) : out.n_after;
        print_message("%-24s %4u: ours %3u in %5.1f s, spirv-reduce %4u in %5.1f s, both %3u\n",
                      some_faults[i], out.n_before, out.n_after, (double)out.wall_ns / 1e9, n_alone,
                      (double)(t[1].tv_sec - t[0].tv_sec) +
                          (double)(t[1].tv_nsec - t[0].tv_nsec) / 1e9,
                      n_after);
        n_ours += out.n_after < n_alone;
        n_peers += n_alone < out.n_after;
        n_both += n_after < out.n_after && n_after < n_alone;
    }
    print_message("smaller: ours %u, spirv-reduce %u; by both smaller than by either: %u\n", n_ours,
                  n_peers, n_both);
    assert_true(n_ours > n_peers);
    free_rig(&r);
    tear_down_peer(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_fault_is_made_small),
        cmocka_unit_test(the_peer_works),
        cmocka_unit_test(a_peer_that_hangs_is_ended),
        cmocka_unit_test(the_peer_is_compared),
    };
    cmocka_set_test_filter(getenv("ONLY"));
    cmocka_set_skip_filter(getenv("HALFULP_SLOW") ? NULL : "the_peer_is_compared");
    return cmocka_run_group_tests(tests, NULL, NULL);
}

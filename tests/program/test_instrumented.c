/* tests/program/test_instrumented.c -- a driver with AFL++'s instrumentation, in its worker: what it reached
 * is seen in the shared map. Skipped where scripts/instrumented.sh has not built one. */
#define _XOPEN_SOURCE 700 /* shmget: afl-fuzz hands its map on as a System V segment */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include <cmocka.h>

#include "fuzz/campaign/sched_case.h"
#include "fuzz/guided/edges.h"
#include "fuzz/pool/handle.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "fuzz/targets/targets_sim.h"

enum {
    N_ROUNDS = 3, /* of the same case, behind one that warms the driver up */
    MIN_EDGES = 5000,
    SEED = 7,
    MAX_TRIES = 200,
    MANY_WORDS = 3000, /* of a module that is not small */
    MIN_STABLE_PERCENT = 90
};
static const size_t run_limit_bytes = (size_t)64 << 20;

struct rig {
    struct arena a;
    const struct target *target;
    uint32_t n_edges;
    int segment;
    unsigned char *map, *seen, *again; /* n_edges each */
    struct worker_handle slot;
    struct run run;
};

/* The target with its map; 0 with the reason where there is none. */
static int set_up_for(struct rig *r, const char *name)
{
#ifdef __SANITIZE_ADDRESS__
    (void)r;
    (void)name;
    print_message("skipped: a driver that is loaded first cannot come before AddressSanitizer\n");
    return 0;
#else
    struct err e;
    char worker[1024], number[32];
    memset(r, 0, sizeof(*r));
    arena_init(&r->a, (size_t)64 << 20);
    ssize_t const n = readlink("/proc/self/exe", worker, sizeof(worker) - 32);
    assert_true(n > 0);
    worker[n] = 0;
    for (int i = 0; i < 2; i++) { /* BUILD/tests/test_instrumented */
        *strrchr(worker, '/') = 0;
    }
    (void)strcat(worker, "/halfulp-worker");
    (void)setenv("HALFULP_WORKER", worker, 1);
    struct target_list *all = ARENA_NEW(&r->a, struct target_list, 1);
    struct target_list *list = ARENA_NEW(&r->a, struct target_list, 1);
    assert_int_equal(targets_find(all, NULL, &r->a, &e), RES_OK);
    if (targets_choose(all, name, list, &r->a, &e) != RES_OK) {
        print_message("skipped: %s\n", e.text);
        arena_free(&r->a);
        return 0;
    }
    r->target = &list->t[0];
    assert_int_equal(handle_get_edges(r->target, &r->n_edges, &e), RES_OK);
    if (r->n_edges < MIN_EDGES) {
        fail_msg("%u edges", (unsigned)r->n_edges);
    }
    r->segment = shmget(IPC_PRIVATE, r->n_edges + 64, IPC_CREAT | 0600);
    assert_true(r->segment >= 0);
    r->map = shmat(r->segment, NULL, 0);
    assert_true((intptr_t)r->map != -1);
    (void)shmctl(r->segment, IPC_RMID, NULL); /* gone with the last process that has it */
    (void)snprintf(number, sizeof(number), "%d", r->segment);
    (void)setenv("__AFL_SHM_ID", number, 1);
    (void)snprintf(number, sizeof(number), "%u", (unsigned)r->n_edges + 64);
    (void)setenv("AFL_MAP_SIZE", number, 1);
    r->seen = ARENA_NEW(&r->a, unsigned char, r->n_edges);
    r->again = ARENA_NEW(&r->a, unsigned char, r->n_edges);
    handle_init(&r->slot, r->target);
    arena_init(&r->run.arena, run_limit_bytes);
    return 1;
#endif
}

static int set_up(struct rig *r)
{
    return set_up_for(r, "lavapipe-afl");
}

static void tear_down(struct rig *r)
{
    handle_free(&r->slot);
    arena_free(&r->run.arena);
    (void)shmdt(r->map);
    (void)unsetenv("__AFL_SHM_ID");
    (void)unsetenv("AFL_MAP_SIZE");
    arena_free(&r->a);
}

static void make_small_for(struct rig *r, enum env env)
{
    struct err e;
    struct tape const empty = {.data = (const unsigned char *)""};
    arena_reset(&r->run.arena);
    assert_int_equal(gen_case(PROFILE_ATOMICS, env, &empty, &r->run.arena, &r->run.tc, NULL, &e),
                     RES_OK);
}

static void make_small(struct rig *r)
{
    make_small_for(r, ENV_VK);
}

/* A case with a module of many words that the target lists. */
static void make_large(struct rig *r)
{
    struct err e;
    for (uint64_t i = 0; i < MAX_TRIES; i++) {
        struct tape tape;
        arena_reset(&r->run.arena);
        assert_int_equal(
            sched_make_case(PROFILE_ALL, SEED, i, ENV_VK, &r->run.arena, &r->run.tc, &tape, &e),
            RES_OK);
        if (r->run.tc.n_words >= MANY_WORDS &&
            facts_get_fit(r->slot.facts, &r->run.tc.needs) == FIT_LISTED) {
            return;
        }
    }
    fail_msg("no large case in %d", (int)MAX_TRIES);
}

static void start(struct rig *r)
{
    struct err e;
    assert_int_equal(handle_start(&r->slot, &e), RES_OK);
    if (handle_wait(&r->slot) != HANDLE_EVENT_HELLO) {
        fail_msg("%s", r->slot.message);
    }
}

/* The run's case, and what it reached as 0 or 1 in `out`; how many edges. */
static uint32_t reach(struct rig *r, unsigned char *out)
{
    struct err e;
    uint32_t n = 0;
    memset(r->map, 0, r->n_edges);
    assert_int_equal(handle_submit(&r->slot, &r->run, &e), RES_OK);
    assert_int_equal(handle_wait(&r->slot), HANDLE_EVENT_REPLY);
    for (uint32_t i = 0; i < r->n_edges; i++) {
        out[i] = r->map[i] != 0;
        n += out[i];
    }
    while (handle_take_done(&r->slot)) {
    }
    return n;
}

static uint32_t count_common(const struct rig *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_edges; i++) {
        n += r->seen[i] && r->again[i];
    }
    return n;
}

static void modules_differ_and_one_does_not(void **state)
{
    (void)state;
    struct rig r;
    if (!set_up(&r)) {
        skip();
    }
    start(&r);
    make_small(&r);
    (void)reach(&r, r.seen);
    uint32_t const n_small = reach(&r, r.seen);
    uint32_t n_least = 100;
    for (int i = 0; i < N_ROUNDS; i++) {
        uint32_t const n = reach(&r, r.again);
        uint32_t const n_any = n_small + n - count_common(&r);
        uint32_t const percent = 100 * count_common(&r) / n_any;
        n_least = percent < n_least ? percent : n_least;
    }
    print_message("the same module: %u edges, %u%% of them each time\n", (unsigned)n_small,
                  (unsigned)n_least);
    assert_true(n_least >= MIN_STABLE_PERCENT);
    make_large(&r);
    uint32_t const n_large = reach(&r, r.again);
    uint32_t const n_common = count_common(&r);
    print_message("a large module: %u edges, %u of them new\n", (unsigned)n_large,
                  (unsigned)(n_large - n_common));
    assert_int_equal(r.run.ob.status, RUN_DONE);
    assert_true(n_large > n_small && n_common > 0);
    tear_down(&r);
}

/* PoCL reads a module by a program of its own, which must not have the driver loaded, and compiles it at
 * the first dispatch: a build alone reaches little. */
static void pocl_compiles_late(void **state)
{
    (void)state;
    struct rig r;
    if (!set_up_for(&r, "pocl-afl")) {
        skip();
    }
    start(&r);
    make_small_for(&r, ENV_CL);
    r.run.is_build_only = 1;
    (void)reach(&r, r.seen);
    uint32_t const n_built = reach(&r, r.seen);
    assert_int_equal(r.run.ob.status, RUN_BUILT);
    r.run.is_build_only = 0;
    (void)reach(&r, r.again);
    uint32_t const n = reach(&r, r.again);
    print_message("built: %u edges, run: %u\n", (unsigned)n_built, (unsigned)n);
    assert_int_equal(r.run.ob.status, RUN_DONE);
    assert_true(n_built > 0 && r.target->compiles_late && n > 2 * n_built);
    tear_down(&r);
}

/* A module without the entry point that the pipeline names gets as far as the reader. */
static void a_refused_module_reaches_less(void **state)
{
    (void)state;
    struct rig r;
    if (!set_up(&r)) {
        skip();
    }
    start(&r);
    make_small(&r);
    (void)reach(&r, r.seen);
    uint32_t const n_small = reach(&r, r.seen);
    assert_int_equal(r.run.ob.status, RUN_DONE);
    r.run.tc.n_words = 5; /* the header alone */
    uint32_t const n = reach(&r, r.again);
    print_message("refused (%s): %u edges of %u\n", run_status_names[r.run.ob.status], (unsigned)n,
                  (unsigned)n_small);
    assert_int_not_equal(r.run.ob.status, RUN_DONE);
    assert_true(n > 0 && n < n_small);
    tear_down(&r);
}

/* What is built alone reaches what reads the module and lowers it, and not what makes machine code of it; a
 * whole run of it afterwards is as good as ever. */
static void a_build_alone_reaches_less(void **state)
{
    (void)state;
    struct rig r;
    if (!set_up(&r)) {
        skip();
    }
    start(&r);
    make_large(&r);
    (void)reach(&r, r.seen);
    uint32_t const n_whole = reach(&r, r.seen);
    assert_int_equal(r.run.ob.status, RUN_DONE);
    uint64_t const whole_ns = r.run.ob.build_ns + r.run.ob.run_ns;
    r.run.is_build_only = 1;
    uint32_t const n = reach(&r, r.again);
    uint32_t const n_common = count_common(&r);
    print_message("built alone: %u edges of %u, in %.1f ms of %.1f\n", (unsigned)n,
                  (unsigned)n_whole, (double)r.run.ob.build_ns / 1e6, (double)whole_ns / 1e6);
    assert_int_equal(r.run.ob.status, RUN_BUILT);
    assert_int_equal(r.run.ob.phase, PHASE_BUILD);
    assert_int_equal(r.run.ob.n_bufs, 0);
    assert_true(n < n_whole && n > n_whole / 4);
    assert_true(100 * n_common >= MIN_STABLE_PERCENT * n);
    r.run.is_build_only = 0;
    (void)reach(&r, r.again);
    assert_int_equal(r.run.ob.status, RUN_DONE);
    assert_true(100 * count_common(&r) >= MIN_STABLE_PERCENT * n_whole);
    tear_down(&r);
}

static void it_ends_when_its_input_closes(void **state)
{
    (void)state;
    struct rig r;
    if (!set_up(&r)) {
        skip();
    }
    start(&r);
    make_small(&r);
    (void)reach(&r, r.seen);
    handle_close(&r.slot);
    assert_int_equal(handle_wait(&r.slot), HANDLE_EVENT_ENDED);
    assert_int_equal(r.slot.state, HANDLE_DOWN);
    tear_down(&r);
}

/* As in `halfulp run`: nobody shares a map, and the driver is one like any other. */
static void it_runs_without_a_map(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    if (!set_up(&r)) {
        skip();
    }
    (void)unsetenv("__AFL_SHM_ID");
    (void)unsetenv("AFL_MAP_SIZE");
    memset(r.map, 0, r.n_edges);
    make_small(&r);
    if (handle_run_once(r.target, &r.run, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    assert_int_equal(r.run.ob.status, RUN_DONE);
    for (uint32_t i = 0; i < r.n_edges; i++) {
        assert_int_equal(r.map[i], 0);
    }
    tear_down(&r);
}

static void only_who_names_it_gets_it(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    if (!set_up(&r)) {
        skip();
    }
    struct target_list *all = ARENA_NEW(&r.a, struct target_list, 1);
    struct target_list *list = ARENA_NEW(&r.a, struct target_list, 1);
    assert_int_equal(targets_find(all, NULL, &r.a, &e), RES_OK);
    assert_int_equal(targets_select(all, NULL, list, &r.a, &e), RES_OK);
    for (uint32_t i = 0; i < list->n; i++) {
        assert_null(strstr(list->t[i].name, "-afl"));
    }
    uint32_t n = 1;
    struct target sim;
    assert_int_equal(targets_make_sim("sim-any", &sim, &r.a, &e), RES_OK);
    assert_int_equal(handle_get_edges(&sim, &n, &e), RES_OK);
    assert_int_equal(n, 0);
    tear_down(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_differ_and_one_does_not),
        cmocka_unit_test(a_refused_module_reaches_less),
        cmocka_unit_test(pocl_compiles_late),
        cmocka_unit_test(a_build_alone_reaches_less),
        cmocka_unit_test(it_ends_when_its_input_closes),
        cmocka_unit_test(it_runs_without_a_map),
        cmocka_unit_test(only_who_names_it_gets_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

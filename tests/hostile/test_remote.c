/* tests/hostile/test_remote.c -- workers behind a launcher that leaves this machine: what their driver did is told as if
 * it were here, and a connection that is lost is nobody's finding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/pool/handle.h"
#include "fuzz/wire/guard.h"
#include "tests/rig/fake_worker.h"

enum {
    SEED = 11,
    MAX_CASES = 200,
    N_MODES_MIN = 8,
    N_CASES = 40,
    ROOM_BYTES = 500,
    END_MS = 60000
};
#define PATIENT_NS UINT64_C(60000000000)
#define HANG_NS    UINT64_C(300000000)

static char self_path[4096];
static char folder[] = "/tmp/halfulp-remote-XXXXXX";

/* Passes on what both sides say, as ssh does, with a shell at the other end that reads each word once more. */
static const char *const honest[] = {"sh", "-c", "eval \"exec $*\"", "--", NULL};
/* Each time more of what the worker says comes through before the connection is lost, until it holds: $0 counts. */
static const char cut_script[] =
    "echo >>\"$0\"; n=$(wc -l <\"$0\"); "
    "[ $n -gt \"$1\" ] && { shift; exec \"$@\"; }; shift; "
    "\"$@\" | dd bs=1 count=$((n * 5000 - 4900)) 2>/dev/null; exit 255";

static struct target make_target(const char *mode, uint64_t case_ns, struct arena *a)
{
    return (struct target){
        .name = mode,
        .env = ENV_CL,
        .loader = "",
        .device = "a $HOME 'quoted' \"name\" (R)",
        .worker = self_path,
        .env_vars = {arena_printf(a, "FAKE=%s", mode), "FAKE_FAULT=SUM_OFF_ULP", NULL},
        .hello_ns = PATIENT_NS,
        .case_ns = case_ns,
        .origin = "test"
    };
}

static void add_launcher(struct target *t, const char *const *words)
{
    for (size_t i = 0; words[i]; i++) {
        t->launcher[i] = words[i];
    }
    t->trust = CHILD_FREE;
}

/* A case that gets the bad behaviour. */
static void find_case(struct run *r, struct arena *a)
{
    uint64_t const good = fake_good_hash(ENV_CL, a);
    for (uint64_t i = 0; i < MAX_CASES; i++) {
        struct tape tape;
        struct err e;
        assert_int_equal(sched_make_case(PROFILE_ATOMICS, SEED, i, ENV_CL, a, &r->tc, &tape, &e),
                         RES_OK);
        if (fake_is_chosen(&r->tc, good)) {
            return;
        }
    }
    fail_msg("seed %d: no case is chosen", SEED);
}

static void run_once(const struct target *t, struct run *r, struct arena *a)
{
    struct err e = {RES_OK, ""};
    memset(r, 0, sizeof *r);
    arena_init(&r->arena, (size_t)256 << 20);
    find_case(r, a);
    if (handle_run_once(t, r, &e) != RES_OK) {
        fail_msg("%s: %s", t->name, e.text);
    }
}

/* A target's own end, of whatever kind, is the same here and there. */
static void an_end_is_told_from_afar(void **state)
{
    static const struct {
        const char *mode;
        enum run_status status;
    } rows[] = {
        {"honest",      RUN_DONE       },
        {"fault",       RUN_DONE       },
        {"crash",       RUN_CRASH      },
        {"abort",       RUN_CRASH      },
        {"exit",        RUN_EXIT       },
        {"hang",        RUN_HANG       },
        {"error",       RUN_HARNESS    },
        {"garbage",     RUN_HARNESS    },
        {"lost",        RUN_DEVICE_LOST},
        {"reply-crash", RUN_CRASH      },
        {"end-crash",   RUN_CRASH      }
    };
    struct arena a;
    size_t n = 0;
    (void)state;
    arena_init(&a, (size_t)1 << 30);
    for (; n < ARRAY_N(rows); n++) {
        struct run here, there;
        struct target near =
            make_target(rows[n].mode, rows[n].status == RUN_HANG ? HANG_NS : PATIENT_NS, &a);
        struct target far = near;
        add_launcher(&far, honest);
        run_once(&near, &here, &a);
        run_once(&far, &there, &a);
        if (here.ob.status != rows[n].status || there.ob.status != rows[n].status) {
            fail_msg("%s: %s here, %s there: %s", rows[n].mode, run_status_names[here.ob.status],
                     run_status_names[there.ob.status], there.ob.log);
        }
        assert_int_equal(here.ob.driver_code, there.ob.driver_code);
        assert_string_equal(here.ob.signature, there.ob.signature);
        assert_int_equal(here.ob.n_bufs, there.ob.n_bufs);
        for (uint32_t i = 0; i < here.ob.n_bufs; i++) {
            assert_memory_equal(here.ob.out[i], there.ob.out[i], here.tc.bufs[i].n_bytes);
        }
        arena_free(&here.arena);
        arena_free(&there.arena);
    }
    assert_true(n >= N_MODES_MIN);
    arena_free(&a);
}

/* What the worker was at when it died, by the byte that it left; of none, or of one that is no phase, the start. */
static void a_phase_is_told_from_afar(void **state)
{
    static const struct {
        const char *mode, *byte;
        enum run_phase phase;
        bool is_build_only;
    } rows[] = {
        {"crash",       "FAKE_PHASE=2",  PHASE_BUILD, false},
        {"crash",       "FAKE_PHASE=3",  PHASE_RUN,   false},
        {"abort",       "FAKE_PHASE=4",  PHASE_READ,  false},
        {"exit",        "FAKE_PHASE=3",  PHASE_RUN,   false},
        {"hang",        "FAKE_PHASE=2",  PHASE_BUILD, false},
        {"crash",       "FAKE_PHASE=0",  PHASE_START, false},
        {"crash",       "FAKE_PHASE=77", PHASE_START, false},
        {"crash",       "FAKE_PHASE=1",  PHASE_BUILD, true },
        {"reply-crash", "FAKE_PHASE=2",  PHASE_DONE,  false}, /* it had answered */
    };
    struct arena a;
    (void)state;
    arena_init(&a, (size_t)1 << 30);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct run here, there;
        bool const is_hang = strcmp(rows[i].mode, "hang") == 0;
        struct target near = make_target(rows[i].mode, is_hang ? HANG_NS : PATIENT_NS, &a);
        near.env_vars[2] = rows[i].byte;
        near.values = rows[i].is_build_only ? VALUES_NONE : VALUES_DEVICE;
        struct target far = near;
        add_launcher(&far, honest);
        run_once(&near, &here, &a);
        run_once(&far, &there, &a);
        /* a guard tells of an end, and one that hangs is ended from here */
        enum run_phase const told = is_hang ? PHASE_START : rows[i].phase;
        if (here.ob.phase != rows[i].phase || there.ob.phase != told) {
            fail_msg("%s %s: %s here, %s there", rows[i].mode, rows[i].byte,
                     run_phase_names[here.ob.phase], run_phase_names[there.ob.phase]);
        }
        arena_free(&here.arena);
        arena_free(&there.arena);
    }
    arena_free(&a);
}

/* A launcher that loses the first n connections. */
static struct target make_cut(const char *mode, const char *n, struct arena *a)
{
    static unsigned const n_files = 1 << 20;
    struct target t = make_target(mode, PATIENT_NS, a);
    const char *const words[] = {
        "sh",
        "-c",
        cut_script,
        arena_printf(a, "%s/%s-%s-%u", folder, mode, n, (unsigned)a->used_bytes % n_files),
        n,
        NULL};
    add_launcher(&t, words);
    return t;
}

/* Whether it is lost before a hello, within it or within an answer: the case is run again, and what its driver did
 * is not mistaken for what the network did. */
static void a_lost_connection_is_no_finding(void **state)
{
    static const struct {
        const char *mode;
        enum run_status status;
    } rows[] = {
        {"honest", RUN_DONE },
        {"crash",  RUN_CRASH},
        {"exit",   RUN_EXIT }
    };
    struct arena a;
    (void)state;
    arena_init(&a, (size_t)1 << 30);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct run r;
        struct worker_handle s;
        struct err e = {RES_OK, ""};
        struct target const t = make_cut(rows[i].mode, "2", &a);
        memset(&r, 0, sizeof r);
        arena_init(&r.arena, (size_t)256 << 20);
        find_case(&r, &a);
        handle_init(&s, &t);
        enum res started = RES_IO;
        for (int k = 0; k < HANDLE_MAX_LOST && started != RES_OK; k++) {
            started = handle_start_and_wait(&s, &e);
        }
        assert_int_equal(started, RES_OK);
        assert_int_equal(handle_submit(&s, &r, &e), RES_OK);
        while (s.state != HANDLE_DOWN || s.flight) {
            if (s.state == HANDLE_DOWN) {
                assert_int_equal(handle_start_and_wait(&s, &e), RES_OK);
                assert_int_equal(handle_submit(&s, &r, &e), RES_OK);
            } else if (s.state == HANDLE_IDLE && !s.flight) {
                handle_close(&s);
            }
            (void)handle_wait(&s);
        }
        assert_ptr_equal(handle_take_done(&s), &r);
        if (r.ob.status != rows[i].status) {
            fail_msg("%s: %s: %s", rows[i].mode, run_status_names[r.ob.status], r.ob.log);
        }
        handle_free(&s);
        arena_free(&r.arena);
    }
    arena_free(&a);
}

static void is_given_up_without_a_hello(struct run *r, struct arena *a)
{
    static const char *const gone[] = {"sh", "-c", "echo no route to host >&2; exit 255", NULL};
    struct err e = {RES_OK, ""};
    struct target t = make_target("honest", PATIENT_NS, a);
    add_launcher(&t, gone);
    memset(r, 0, sizeof *r);
    arena_init(&r->arena, (size_t)256 << 20);
    find_case(r, a);
    assert_int_equal(handle_run_once(&t, r, &e), RES_IO);
    assert_non_null(strstr(e.text, "connection lost: no route to host"));
    arena_free(&r->arena);
}

/* With no answer ever: the case ends without a verdict, then the target is given up. */
static void one_that_is_always_lost_is_given_up(void **state)
{
    struct arena a;
    struct run r;
    const char *facts = "";
    struct err e = {RES_OK, ""};
    (void)state;
    arena_init(&a, (size_t)1 << 30);
    is_given_up_without_a_hello(&r, &a);
    struct target t = make_target("honest", PATIENT_NS, &a);
    assert_int_equal(handle_get_facts(&t, &a, &facts, &e), RES_OK);
    /* the hello comes through, with some signs of life, and not the whole answer */
    size_t const n_passed = strlen(facts) + ROOM_BYTES;
    const char *const script =
        arena_printf(&a, "\"$@\" | dd bs=1 count=%u 2>/dev/null; exit 255", (unsigned)n_passed);
    const char *const words[] = {"sh", "-c", script, "--", NULL};
    add_launcher(&t, words);
    run_once(&t, &r, &a);
    uint32_t n_answer = 0;
    for (uint32_t i = 0; i < r.tc.n_bufs; i++) {
        n_answer += r.tc.bufs[i].n_bytes;
    }
    assert_true(n_answer > 2 * ROOM_BYTES);
    assert_int_equal(r.ob.status, RUN_HARNESS);
    assert_non_null(strstr(r.ob.log, "connection lost 3 times"));
    arena_free(&r.arena);
    arena_free(&a);
}

/* Every second connection is lost, somewhere. */
static const char flaky_script[] =
    "echo >>\"$0\"; n=$(wc -l <\"$0\"); [ $((n % 2)) -eq 0 ] && exec \"$@\"; "
    "\"$@\" | dd bs=1 count=$((n * 7919 % 60000 + 20000)) 2>/dev/null; exit 255";

/* A campaign on the driver that is here, and on the same behind such connections. */
static void run_both(const char *mode, struct campaign *out, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    struct sched_summary summary;
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    const char *const at = arena_printf(a, "%s/campaign-%s", folder, mode);
    const char *const words[] = {"sh", "-c", flaky_script,
                                 arena_printf(a, "%s/starts-%s", folder, mode), NULL};
    struct campaign_plan const plan = {.profile = "atomics",
                                       .seed = SEED,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = N_CASES,
                                       .max_ns = 0,
                                       .targets = "both",
                                       .shard = SHARD_NONE};
    struct sched_options const o = {.targets = list,
                                    .profile = PROFILE_ATOMICS,
                                    .seed = SEED,
                                    .max_cases = N_CASES,
                                    .n_workers = 1};
    assert_non_null(list);
    list->t[0] = make_target(mode, PATIENT_NS, a);
    list->t[0].name = "near";
    list->t[1] = make_target(mode, PATIENT_NS, a);
    list->t[1].name = "far";
    add_launcher(&list->t[1], words);
    list->n = 2;
    if (journal_open(&j, at, &plan, &e) != RES_OK || sched_run(&o, j, &summary, &e) != RES_OK ||
        journal_load(j, a, out, &e) != RES_OK) {
        fail_msg("seed %d: %s", SEED, e.text);
    }
    assert_int_equal(summary.n_dead, 0);
    journal_close(j);
}

/* What a campaign says of a driver does not depend on how often its connections are lost: no case more, no case less. */
static void a_campaign_over_bad_connections_finds_the_same(void **state)
{
    static const char *const modes[] = {"honest", "crash"};
    struct arena a;
    (void)state;
    arena_init(&a, (size_t)1 << 30);
    for (size_t i = 0; i < ARRAY_N(modes); i++) {
        struct campaign c;
        run_both(modes[i], &c, &a);
        assert_int_equal(c.n_targets, 2);
        assert_int_equal(c.targets[0].n_runs, N_CASES);
        for (int v = 0; v < VERDICT_N; v++) {
            assert_int_equal(c.targets[0].n_verdict[v], c.targets[1].n_verdict[v]);
        }
        bool const has_crash = c.targets[1].n_verdict[VERDICT_CRASH] > 0;
        assert_int_equal(has_crash, strcmp(modes[i], "crash") == 0);
    }
    arena_free(&a);
}

/* Both ends of the connection are closed while the driver hangs: nothing stays behind. */
static void nothing_outlives_the_connection(void **state)
{
    struct arena a;
    struct run r;
    int to[2], from[2], error[2];
    unsigned char head[WIRE_HEADER_BYTES];
    struct err e;
    size_t n = 0;
    (void)state;
    arena_init(&a, (size_t)1 << 30);
    memset(&r, 0, sizeof r);
    find_case(&r, &a);
    assert_int_equal(pipe(to) | pipe(from) | pipe(error), 0);
    pid_t const pid = fork();
    if (pid == 0) {
        (void)dup2(to[0], STDIN_FILENO);
        (void)dup2(from[1], STDOUT_FILENO);
        (void)dup2(error[1], STDERR_FILENO);
        for (int fd = STDERR_FILENO + 1; fd < 64; fd++) {
            (void)close(fd);
        }
        (void)execl(self_path, self_path, "--guard", "--env", "FAKE=hang", "--api", "opencl",
                    (char *)NULL);
        _exit(1);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    (void)close(error[1]);
    enum wire_kind kind = WIRE_ALIVE;
    const unsigned char *payload = head;
    while (kind == WIRE_ALIVE) {
        assert_int_equal(wire_read(from[0], &a, &kind, &payload, &n, &e), RES_OK);
        assert_non_null(payload);
    }
    assert_int_equal(kind, WIRE_HELLO);
    const unsigned char *const bytes = testcase_encode(&r.tc, &a, &n);
    assert_int_equal(wire_write(to[1], WIRE_CASE, bytes, n, &e), RES_OK);
    (void)close(to[1]);
    (void)close(from[0]);
    struct pollfd fd = {.fd = error[0], .events = POLLIN};
    char log[256];
    ssize_t got = 1;
    while (got > 0) { /* until the guard and its worker are gone */
        assert_int_equal(poll(&fd, 1, END_MS), 1);
        got = read(error[0], log, sizeof log);
    }
    assert_int_equal(got, 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    (void)close(error[0]);
    arena_free(&a);
}

static int remove_files(void **state)
{
    char command[sizeof folder + 16];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(int argc, char **argv)
{
    if (guard_is_asked(argc, argv)) {
        return guard_run(argc, argv);
    }
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof self_path - 1);
    self_path[n > 0 ? n : 0] = 0;
    if (!mkdtemp(folder)) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_is_told_from_afar),
        cmocka_unit_test(a_phase_is_told_from_afar),
        cmocka_unit_test(a_lost_connection_is_no_finding),
        cmocka_unit_test(one_that_is_always_lost_is_given_up),
        cmocka_unit_test(a_campaign_over_bad_connections_finds_the_same),
        cmocka_unit_test(nothing_outlives_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}

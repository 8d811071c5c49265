/* tests/hostile/test_owner.c -- one folder, one process that writes it: two that begin at once, owners that are
 * killed, readers beside an owner, and locks that somebody else put there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>

#include "base/file.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/journal/owner.h"
#include "tests/rig/folder_rig.h"
#include "tests/rig/patience.h"
#include "tests/rig/program_rig.h"

enum {
    N_ROUNDS = 12,
    N_SLOW_ROUNDS = 200,
    TEXT_BYTES = 8192,
    STATUS_OWNED = 2,
    AWAIT_MS = 5
};
static char self_path[4096], program[4096];

struct rig {
    struct arena a;
    char folder[256];
    const char *campaign, *said[2];
    char text[TEXT_BYTES];
};

static int set_up(void **state)
{
    static struct rig r;
    memset(&r, 0, sizeof r);
    arena_init(&r.a, (size_t)256 << 20);
    folder_make(r.folder, sizeof r.folder, "owner");
    r.campaign = arena_printf(&r.a, "%s/c", r.folder);
    for (int i = 0; i < 2; i++) {
        r.said[i] = arena_printf(&r.a, "%s/said-%d", r.folder, i);
    }
    *state = &r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    folder_remove(r->folder);
    arena_free(&r->a);
    return 0;
}

static pid_t start_run(struct rig *r, const char *n_cases, int is_resume, int i)
{
    return program_start_text(program,
                              arena_printf(&r->a,
                                           "run -q --targets sim-any --cases %s --profile atomics"
                                           " --seed 7 -o %s%s",
                                           n_cases, r->campaign, is_resume ? " --resume" : ""),
                              r->said[i]);
}

static void expect_text(struct rig *r, int i, const char *wanted)
{
    (void)program_read(r->said[i], r->text, sizeof r->text);
    if (!strstr(r->text, wanted)) {
        fail_msg("\"%s\" is not in: %s", wanted, r->text);
    }
}

static uint64_t count_runs(struct rig *r)
{
    struct journal *j = NULL;
    struct campaign c;
    struct err e = {RES_OK, ""};
    if (journal_open(&j, r->campaign, NULL, &e) != RES_OK ||
        journal_load(j, &r->a, &c, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    uint64_t const n = c.targets[0].n_runs;
    journal_close(j);
    arena_reset(&r->a);
    return n;
}

/* Paths are in the arena as well. */
static void keep_paths(struct rig *r)
{
    r->campaign = arena_printf(&r->a, "%s/c", r->folder);
    for (int i = 0; i < 2; i++) {
        r->said[i] = arena_printf(&r->a, "%s/said-%d", r->folder, i);
    }
}

/* Each process takes a new folder or one where a campaign is to go on: one of them does. */
static void of_two_at_once_one_wins(void **state)
{
    struct rig *const r = *state;
    int n_told_who = 0;
    int const n_rounds = getenv("HALFULP_SLOW") ? N_SLOW_ROUNDS : N_ROUNDS;
    for (int round = 0; round < n_rounds; round++) {
        int const is_resume = round % 2;
        uint64_t const n_before = is_resume ? count_runs(r) : 0;
        keep_paths(r);
        if (!is_resume) {
            folder_remove(r->campaign);
        }
        const char *const n_cases = is_resume ? "40" : "20";
        pid_t const pid[2] = {start_run(r, n_cases, is_resume, 0),
                              start_run(r, n_cases, is_resume, 1)};
        int const status[2] = {program_wait(pid[0]), program_wait(pid[1])};
        int const winner = status[0] == 0 ? 0 : 1;
        int const loser = 1 - winner;
        (void)program_read(r->said[loser], r->text, sizeof r->text);
        assert_int_equal(status[winner], 0);
        /* The one that came when the other had ended finds a campaign, or goes on with it. */
        const char *const who = arena_printf(&r->a, ": process %ld ", (long)pid[winner]);
        int const is_told = strstr(r->text, who) && strstr(r->text, "runs this campaign");
        if (status[loser] != 0 || !is_resume) {
            assert_int_equal(status[loser], STATUS_OWNED);
            assert_true(is_told || strstr(r->text, "holds a campaign already"));
        }
        n_told_who += is_told;
        assert_int_equal(count_runs(r), is_resume ? 40 : 20);
        keep_paths(r);
        assert_true(n_before == 0 || n_before == 20);
    }
    print_message("%d rounds, %d told who has it\n", n_rounds, n_told_who);
    assert_true(n_told_who > 0);
}

/* Until it is said in FOLDER/lock who has it. */
static void await_owner(struct rig *r, pid_t pid)
{
    const char *const path = arena_printf(&r->a, "%s/lock", r->campaign);
    const char *const journal = arena_printf(&r->a, "%s/journal.sqlite", r->campaign);
    const char *const wanted = arena_printf(&r->a, "process %ld on ", (long)pid);
    for (int i = 0; i < PATIENCE_MS / AWAIT_MS; i++) {
        if (strstr(program_read(path, r->text, sizeof r->text), wanted) &&
            access(journal, F_OK) == 0) {
            return;
        }
        (void)poll(NULL, 0, AWAIT_MS);
    }
    fail_msg("%s: not there", path);
}

static void an_owner_that_is_killed_owns_nothing(void **state)
{
    struct rig *const r = *state;
    for (int i = 0; i < 5; i++) {
        pid_t const pid = start_run(r, "1000000", i > 0, 0);
        await_owner(r, pid);
        assert_int_equal(program_wait(start_run(r, "10", 1, 1)), STATUS_OWNED);
        expect_text(r, 1, arena_printf(&r->a, "process %ld on ", (long)pid));
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(program_wait(pid), -SIGKILL);
    }
    uint64_t const n = count_runs(r);
    keep_paths(r);
    const char *const n_cases = arena_printf(&r->a, "%llu", (unsigned long long)n + 5);
    assert_int_equal(program_wait(start_run(r, n_cases, 1, 0)), 0);
    assert_int_equal(count_runs(r), n + 5);
}

static int run_text(struct rig *r, const char *text)
{
    return program_wait(program_start_text(program, text, r->said[0]));
}

/* This process is the owner: those that write are refused, those that read are not. */
static void readers_go_on_and_writers_do_not(void **state)
{
    struct rig *const r = *state;
    struct err e = {RES_OK, ""};
    const char *const c = r->campaign;
    const char *const ini = arena_printf(&r->a, "%s/t.ini", r->folder);
    const char *const bundle = arena_printf(&r->a, "%s/b", r->folder);
    static const char text[] = "[fake]\napi = opencl\nworker = /nowhere\n";
    assert_int_equal(file_write(ini, text, strlen(text), &e), RES_OK);
    assert_int_equal(program_wait(start_run(r, "5", 0, 0)), 0);
    const char *const writers[] = {
        arena_printf(&r->a, "run -q --resume -o %s", c),
        arena_printf(&r->a, "run -q --targets sim-any -o %s", c),
        arena_printf(&r->a, "fuzz -q --resume -o %s", c),
        arena_printf(&r->a, "report %s", c),
        arena_printf(&r->a, "audit --targets-file %s --target fake -o %s", ini, c),
        arena_printf(&r->a, "reduce -q --core x --target sim-any -o %s %s", c, bundle),
    };
    const char *const readers[] = {
        arena_printf(&r->a, "report --no-triage %s", c),
        arena_printf(&r->a, "report --format json %s", c),
        arena_printf(&r->a, "check --targets sim-any %s", bundle),
    };
    const char *const make_bundle =
        arena_printf(&r->a, "gen --seed 1 --index 1 --profile atomics --env opencl -o %s", bundle);
    assert_int_equal(run_text(r, make_bundle), 0);
    assert_int_equal(run_text(r, writers[3]), 0); /* the control */
    assert_int_equal(owner_take(c, &e), RES_OK);
    assert_int_equal(owner_take(c, &e), RES_OK); /* once more is once */
    for (size_t i = 0; i < ARRAY_N(writers); i++) {
        int const status = run_text(r, writers[i]);
        if (status == 3 && strncmp(writers[i], "fuzz", 4) == 0) {
            expect_text(r, 0, "afl"); /* AFL++ is not here */
            continue;
        }
        expect_text(r, 0, arena_printf(&r->a, "%s: process %ld on ", c, (long)getpid()));
        assert_int_equal(status, STATUS_OWNED);
    }
    for (size_t i = 0; i < ARRAY_N(readers); i++) {
        if (run_text(r, readers[i]) != 0) {
            fail_msg("%s: %s", readers[i], program_read(r->said[0], r->text, sizeof r->text));
        }
    }
}

/* --- what somebody else put where the lock is to be --- */

static void put_link(struct rig *r, const char *lock, const char *victim)
{
    (void)r;
    assert_int_equal(symlink(victim, lock), 0);
}

static void put_second_name(struct rig *r, const char *lock, const char *victim)
{
    (void)r;
    assert_int_equal(link(victim, lock), 0);
}

static void put_pipe(struct rig *r, const char *lock, const char *victim)
{
    (void)r;
    (void)victim;
    assert_int_equal(mkfifo(lock, 0666), 0);
}

static void put_folder(struct rig *r, const char *lock, const char *victim)
{
    (void)r;
    (void)victim;
    assert_int_equal(mkdir(lock, 0777), 0);
}

static void put_text(struct rig *r, const char *lock, const char *victim)
{
    struct err e;
    (void)r;
    (void)victim;
    assert_int_equal(file_write(lock, "my only copy\n", 13, &e), RES_OK);
}

static void a_planted_lock_is_left_alone(void **state)
{
    struct rig *const r = *state;
    void (*const plant[])(struct rig *, const char *, const char *) = {
        put_link, put_second_name, put_pipe, put_folder, put_text};
    const char *const lock = arena_printf(&r->a, "%s/lock", r->campaign);
    const char *const victim = arena_printf(&r->a, "%s/victim", r->folder);
    struct err e;
    for (size_t i = 0; i < ARRAY_N(plant); i++) {
        folder_remove(r->campaign);
        assert_int_equal(mkdir(r->campaign, 0777), 0);
        assert_int_equal(file_write(victim, "precious", 8, &e), RES_OK);
        plant[i](r, lock, victim);
        assert_int_equal(program_wait(start_run(r, "5", 0, 0)), STATUS_OWNED);
        expect_text(r, 0, "lock: not a lock of this program");
        assert_string_equal(program_read(victim, r->text, sizeof r->text), "precious");
    }
    assert_string_equal(program_read(lock, r->text, sizeof r->text), "my only copy\n");
    assert_int_equal(unlink(lock), 0);
    assert_int_equal(program_wait(start_run(r, "5", 0, 0)), 0);
}

/* What an earlier owner left says nothing about now, and terminals are not written to. */
static void an_old_lock_is_taken_over(void **state)
{
    struct rig *const r = *state;
    struct err e;
    static const char old[] = "process 1 on \x1b[2Jelsewhere\n";
    const char *const lock = arena_printf(&r->a, "%s/lock", r->campaign);
    assert_int_equal(mkdir(r->campaign, 0777), 0);
    assert_int_equal(file_write(lock, old, sizeof old - 1, &e), RES_OK);
    assert_int_equal(program_wait(start_run(r, "5", 0, 0)), 0);
    assert_null(strstr(program_read(lock, r->text, sizeof r->text), "elsewhere"));
    assert_int_equal(owner_take(r->campaign, &e), RES_OK);
    /* the system's word goes before the file's */
    assert_int_equal(file_write(arena_printf(&r->a, "%s.other", lock), old, 1, &e), RES_OK);
    int const fd = open(lock, O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_true(fd >= 0 && ftruncate(fd, 0) == 0);
    assert_int_equal(write(fd, old, sizeof old - 1), sizeof old - 1);
    assert_int_equal(program_wait(start_run(r, "5", 1, 0)), STATUS_OWNED);
    expect_text(r, 0, arena_printf(&r->a, "process %ld runs this campaign", (long)getpid()));
    assert_null(strchr(r->text, 0x1b));
    (void)close(fd);
}

int main(void)
{
    if (!program_find(self_path, program, sizeof program)) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_two_at_once_one_wins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_owner_that_is_killed_owns_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(readers_go_on_and_writers_do_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_planted_lock_is_left_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_old_lock_is_taken_over, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/hostile/test_confine.c -- workers that attack what is around them, in the sandbox and without it, as the
 * user who runs the test and, for root, as an ordinary one. Each attack prints "done" or "refused", and
 * each that the walls stop is first shown to work without them. */
#define _GNU_SOURCE /* unshare, setgroups */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>

#include "fuzz/audit/audit_memory.h"
#include "fuzz/campaign/tally.h"
#include "fuzz/guided/edges.h"
#include "fuzz/process/child.h"
#include "fuzz/process/confine.h"
#include "fuzz/process/sandbox.h"
#include "tests/rig/attack.h"
#include "tests/rig/patience.h"

enum {
    MAX_WORDS = 80,
    NOBODY = 65534
};

static char self_path[4096];
static char folder[256];
static char program_memory[] = "sound"; /* what /proc/PID/mem could change */

struct rig {
    struct arena a;
    int has_sandbox;
    int listener, port, abstract;
    char name[64]; /* of the abstract socket */
};

static int make_rig(void **state)
{
    static struct rig r;
    struct err e;
    const char *base = getenv("TMPDIR");
    memset(&r, 0, sizeof r);
    arena_init(&r.a, (size_t)64 << 20);
    (void)snprintf(folder, sizeof folder, "%s/test-confine-XXXXXX", base ? base : "/tmp");
    struct sockaddr_in in = {.sin_family = AF_INET};
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t n = sizeof in;
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    int const n_name = snprintf(r.name, sizeof r.name, "halfulp-test-%ld", (long)getpid());
    memcpy(un.sun_path + 1, r.name, (size_t)n_name);
    r.listener = socket(AF_INET, SOCK_STREAM, 0);
    r.abstract = socket(AF_UNIX, SOCK_STREAM, 0);
    int const ok =
        mkdtemp(folder) && bind(r.listener, (const struct sockaddr *)&in, sizeof in) == 0 &&
        listen(r.listener, 4) == 0 && getsockname(r.listener, (struct sockaddr *)&in, &n) == 0 &&
        bind(r.abstract, (const struct sockaddr *)&un,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n_name)) == 0 &&
        listen(r.abstract, 4) == 0 && sandbox_find(&r.has_sandbox, &r.a, &e) == RES_OK;
    r.port = ntohs(in.sin_port);
    *state = &r;
    return ok ? 0 : -1;
}

static int remove_rig(void **state)
{
    struct rig *r = *state;
    (void)close(r->listener);
    (void)close(r->abstract);
    arena_free(&r->a);
    return rmdir(folder);
}

enum wall {
    WALL_NONE,  /* the control: nothing is confined */
    WALL_USUAL, /* what every worker gets */
    WALL_SANDBOX,
    WALL_N
};
static const char *const wall_names[WALL_N] = {"free", "confined", "sandbox"};

/* What an attack printed, or what child_read_all says of how it ended. */
static const char *attack(struct rig *r, enum wall wall, int memory_fd, const char *tag,
                          const char *const *words)
{
    const char *argv[MAX_WORDS];
    const char *text = "";
    struct err e = {RES_OK, ""};
    size_t n = wall == WALL_SANDBOX ? sandbox_put(argv) : 0;
    if (wall == WALL_SANDBOX) {
        argv[n++] = "--";
    }
    argv[n++] = self_path;
    argv[n++] = "attack";
    argv[n++] = tag;
    for (size_t i = 0; words[i]; i++) {
        argv[n++] = words[i];
    }
    argv[n] = NULL;
    struct child_spec const spec = {.argv = argv,
                                    .trust = wall == WALL_NONE ? CHILD_FREE : CHILD_CONFINED,
                                    .is_launched = wall == WALL_SANDBOX,
                                    .memory_fd = memory_fd};
    enum res const res = child_read_all(&spec, PATIENCE_NS, &r->a, &text, &e);
    return res == RES_OK ? text : arena_printf(&r->a, "ended: %s", e.text);
}

static int is_done(const char *text)
{
    return strncmp(text, "done", 4) == 0;
}

/* Does a wall stop the attack? */
enum {
    GOES,
    STOPPED,
    EITHER /* no wall of ours does, but the system may */
};
struct row {
    const char *name;
    int stopped[WALL_N];
};

static const struct row rows[] = {
    {"own-file",  {GOES, GOES, GOES}       },
    {"ptrace",    {EITHER, EITHER, STOPPED}},
    {"mem",       {EITHER, EITHER, STOPPED}},
    {"signal",    {GOES, GOES, STOPPED}    },
    {"inet",      {GOES, GOES, STOPPED}    },
    {"abstract",  {GOES, GOES, STOPPED}    },
    {"file",      {GOES, GOES, STOPPED}    },
    {"memory",    {GOES, STOPPED, STOPPED} },
    {"big-file",  {GOES, STOPPED, STOPPED} },
    {"processes", {GOES, STOPPED, STOPPED} },
};

static int is_left_out(const struct rig *r, const char *name, enum wall wall)
{
#if defined(__SANITIZE_ADDRESS__)
    if (strcmp(name, "memory") == 0) {
        return 1; /* a sanitizer reserves more than any limit */
    }
#endif
    /* ten thousand processes, without a limit, are for nobody's machine */
    return (strcmp(name, "processes") == 0 && wall == WALL_NONE) ||
           (wall == WALL_SANDBOX && !r->has_sandbox) ||
           (strcmp(name, "big-file") == 0 && wall == WALL_NONE) ||
           (strcmp(name, "own-file") == 0 && wall == WALL_NONE);
}

static void run_row(struct rig *r, const struct row *row, enum wall wall)
{
    uint64_t const least = 2 * confine_get_memory();
    const char *tag = arena_printf(&r->a, "tag-%ld-%s", (long)getpid(), row->name);
    const char *pid = arena_printf(&r->a, "%ld", (long)getpid());
    const char *address =
        arena_printf(&r->a, "%llx", (unsigned long long)(uintptr_t)program_memory);
    const char *words[4] = {row->name, pid, address, NULL};
    const char *path = arena_printf(&r->a, "%s/written", folder);
    words[1] =
        strcmp(row->name, "inet") == 0       ? arena_printf(&r->a, "%d", r->port)
        : strcmp(row->name, "abstract") == 0 ? r->name
        : strcmp(row->name, "file") == 0     ? path
        : strcmp(row->name, "memory") == 0
            ? arena_printf(
                  &r->a, "%llu",
                  (unsigned long long)(least > ATTACK_MEMORY_BYTES ? least : ATTACK_MEMORY_BYTES))
            : pid;
    const char *text = attack(r, wall, 0, tag, words);
    print_message("%-8s %-10s %-9s %.*s\n", geteuid() == 0 ? "root" : "user", row->name,
                  wall_names[wall], (int)strcspn(text, "\n"), text);
    if (row->stopped[wall] != EITHER && is_done(text) != (row->stopped[wall] == GOES)) {
        fail_msg("%s, %s: %s", row->name, wall_names[wall], text);
    }
    assert_int_equal(access(path, F_OK) == 0, strcmp(row->name, "file") == 0 && is_done(text));
    (void)unlink(path);
    int const is_hit = strcmp(row->name, "mem") == 0 && is_done(text);
    assert_string_equal(program_memory, is_hit ? "owned" : "sound");
    memcpy(program_memory, "sound", sizeof program_memory);
    assert_int_equal(attack_count_tagged(tag), 0);
}

static void walls_stop_what_they_promise(void **state)
{
    struct rig *r = *state;
    unsigned n_run = 0;
    if (!r->has_sandbox) {
        print_message("skipped: the sandbox, for bubblewrap does not work here\n");
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        for (int wall = 0; wall < WALL_N; wall++) {
            if (!is_left_out(r, rows[i].name, (enum wall)wall)) {
                run_row(r, &rows[i], (enum wall)wall);
                n_run++;
            }
        }
    }
    assert_true(n_run >= 14);
}

/* Its session, parent and folder are others', its descriptors closed: it is killed all the same. */
static void a_grandchild_does_not_stay(void **state)
{
    struct rig *r = *state;
    static const char *const words[] = {"stay", NULL};
    for (int wall = WALL_NONE; wall < WALL_N; wall++) {
        const char *tag = arena_printf(&r->a, "tag-%ld-stay-%d", (long)getpid(), wall);
        if (wall == WALL_SANDBOX && !r->has_sandbox) {
            continue;
        }
        assert_true(is_done(attack(r, (enum wall)wall, 0, tag, words)));
        assert_int_equal(attack_count_tagged(tag), 0);
    }
}

static void it_gets_what_it_needs_and_no_more(void **state)
{
    struct rig *r = *state;
    static const char *const words[] = {"list", NULL};
    static const char *const names[] = {"SECRET_TOKEN", "LD_LIBRARY_PATH", "SSH_AUTH_SOCK"};
    int const open_here = open("/dev/null", O_RDONLY); /* not to be inherited */
    assert_true(open_here >= 0);
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        assert_int_equal(setenv(names[i], "/x", 1), 0);
    }
    assert_int_equal(setenv("VK_TEST_VARIABLE", "y", 1), 0);
    for (int wall = WALL_NONE; wall < WALL_N; wall++) {
        if (wall == WALL_SANDBOX && !r->has_sandbox) {
            continue;
        }
        const char *text = attack(r, (enum wall)wall, 0, "tag", words);
        for (size_t i = 0; i < ARRAY_N(names); i++) {
            const char *line = arena_printf(&r->a, "\nenv:%s=", names[i]);
            assert_int_equal(strstr(text, line) != NULL, wall == WALL_NONE);
        }
        assert_non_null(strstr(text, "\nenv:VK_TEST_VARIABLE=y\n"));
        assert_non_null(strstr(text, "\nenv:PATH="));
        assert_non_null(strstr(text, "tty:no"));
        assert_null(strstr(text, arena_printf(&r->a, "\nfd:%d\n", open_here)));
        if (wall != WALL_NONE) {
            assert_non_null(strstr(text, "NoNewPrivs:\t1"));
            const char *cwd = arena_printf(&r->a, "%.*s", (int)strcspn(text + 4, "\n"), text + 4);
            assert_non_null(strstr(cwd, "/halfulp-worker-"));
            assert_non_null(strstr(text, arena_printf(&r->a, "\nenv:HOME=%s\n", cwd)));
            assert_non_null(strstr(text, arena_printf(&r->a, "\nenv:TMPDIR=%s\n", cwd)));
            assert_int_not_equal(access(cwd, F_OK), 0); /* it is gone with the worker */
        }
    }
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        (void)unsetenv(names[i]);
    }
    (void)close(open_here);
}

/* A pipe at its old name made the program wait for ever, a flood in the file filled its memory. */
static void the_crash_line_is_read_from_our_own_file(void **state)
{
    struct rig *r = *state;
    const char *const argv[] = {self_path, "attack", "tag", "crash-file", NULL};
    struct child_spec const spec = {.argv = argv};
    struct child c;
    struct child_end end;
    struct err e;
    assert_int_equal(child_start(&c, &spec, &e), RES_OK);
    child_close_input(&c);
    child_finish(&c, PATIENCE_NS, &r->a, &end);
    assert_int_equal(end.was_killed, 0);
    assert_int_equal(end.exit_status, 0);
    assert_in_range(strlen(end.crash_line), 1, 4096);
}

static void shared_memory_cannot_be_shortened(void **state)
{
    struct rig *r = *state;
    int const fd = audit_open_memory();
    int const plain = (int)memfd_create("control", 0);
    assert_true(fd > 2 && plain > 2);
    unsigned char *p = audit_map_memory(fd, 1 << 20);
    assert_non_null(p);
    assert_int_equal(ftruncate(plain, 1 << 20), 0);
    const char *const words[] = {"truncate", arena_printf(&r->a, "%d", fd), NULL};
    const char *const control[] = {"truncate", arena_printf(&r->a, "%d", plain), NULL};
    assert_true(is_done(attack(r, WALL_USUAL, plain, "tag", control)));
    const char *text = attack(r, WALL_USUAL, fd, "tag", words);
    assert_int_equal(strncmp(text, "refused", 7), 0);
    p[(1 << 20) - 1] = 1; /* SIGBUS, where it was cut off */
    audit_unmap_memory(p, 1 << 20);
    p = audit_map_memory(fd, 2 << 20); /* it may still grow */
    assert_non_null(p);
    p[(2 << 20) - 1] = 1;
    audit_unmap_memory(p, 2 << 20);
    (void)close(fd);
    (void)close(plain);
}

static int write_word(const char *path, const char *word)
{
    int const fd = open(path, O_WRONLY);
    int const ok = fd >= 0 && write(fd, word, strlen(word)) == (ssize_t)strlen(word);
    (void)close(fd);
    return ok;
}

/* A file system of our own at the test's folder, of which nobody else knows. */
static int mount_own(const char *size)
{
    char users[64], groups[64];
    (void)snprintf(users, sizeof users, "0 %ld 1", (long)geteuid());
    (void)snprintf(groups, sizeof groups, "0 %ld 1", (long)getegid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
           write_word("/proc/self/setgroups", "deny") && write_word("/proc/self/uid_map", users) &&
           write_word("/proc/self/gid_map", groups) &&
           mount("tmpfs", folder, "tmpfs", 0, size) == 0;
}

/* In a process of its own, on a file system of `size`: 0: counted; 1: an error that names the file; other:
 * neither; 77: no such file system can be made here. */
static int count_on_disk(const char *size)
{
    struct edges g;
    struct tally *t = NULL;
    struct err e = {RES_OK, ""};
    struct err e2 = {RES_OK, ""};
    char path[300];
    if (!mount_own(size)) {
        return 77;
    }
    (void)snprintf(path, sizeof path, "%s/tally", folder);
    enum res const r = edges_open(&g, folder, 1 << 20, 0, &e);
    enum res const r2 = tally_open(&t, path, &e2);
    if (r == RES_OK && r2 == RES_OK) {
        unsigned char map[1 << 20];
        memset(map, 1, sizeof map);
        return edges_note(&g, map, 0) == 1 << 20 ? 0 : 2;
    }
    return r == RES_IO && r2 == RES_IO && strstr(e.text, "edges.map: No space left") &&
                   strstr(e2.text, "tally: No space left")
               ? 1
               : 3;
}

static void a_full_disk_is_an_error_and_no_signal(void **state)
{
    (void)state;
    static const char *const sizes[] = {"size=256m", "size=16k"};
    for (int i = 0; i < 2; i++) {
        int status = 0;
        pid_t const pid = fork();
        if (pid == 0) {
            _exit(count_on_disk(sizes[i]));
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == 77) {
            print_message("skipped: no file system can be made here\n");
            skip();
        }
        assert_int_equal(WEXITSTATUS(status), i);
    }
}

static void launchers_that_leave_are_known(void **state)
{
    (void)state;
    assert_true(confine_leaves("ssh"));
    assert_true(confine_leaves("/usr/bin/srun"));
    assert_false(confine_leaves("bwrap"));
    assert_false(confine_leaves("/opt/ssh/taskset"));
}

/* Root alone can make itself somebody else: all of it again, by a process that did. */
static void an_ordinary_user_gets_the_same(void **state)
{
    (void)state;
    int status = 0;
    if (geteuid() != 0) {
        print_message("skipped: this is an ordinary user\n");
        skip();
    }
    pid_t const pid = fork();
    if (pid == 0) {
        if (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0 ||
            access(self_path, X_OK) != 0) {
            _exit(77);
        }
        (void)execl(self_path, self_path, (char *)NULL);
        _exit(78);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        print_message("skipped: this program is not to be run by others\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "attack") == 0) {
        return attack_main(argv);
    }
    if (readlink("/proc/self/exe", self_path, sizeof self_path - 1) <= 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_stop_what_they_promise),
        cmocka_unit_test(a_grandchild_does_not_stay),
        cmocka_unit_test(it_gets_what_it_needs_and_no_more),
        cmocka_unit_test(the_crash_line_is_read_from_our_own_file),
        cmocka_unit_test(shared_memory_cannot_be_shortened),
        cmocka_unit_test(a_full_disk_is_an_error_and_no_signal),
        cmocka_unit_test(launchers_that_leave_are_known),
        cmocka_unit_test(an_ordinary_user_gets_the_same),
    };
    return cmocka_run_group_tests(tests, make_rig, remove_rig);
}

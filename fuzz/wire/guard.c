/* fuzz/wire/guard.c -- the process beside a worker on another machine: passes on messages, tells the worker's end. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz/wire/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/testcase.h"
#include "fuzz/wire/wire.h"

enum {
    GUARD_MAX_WORDS = 128,
    GUARD_MAX_PATH = 512,
    GUARD_STEP_BYTES = 1 << 16,
    GUARD_CRASH_BYTES = 4096,
    GUARD_ALIVE_MS = 1000,
    GUARD_GRACE_MS = 20000, /* for a worker whose input has ended */
    GUARD_KILL_MS =
        500, /* who ends a whole step kills the worker first: then this one has no time to tell */
    GUARD_EXEC_FAILED = 127,
    GUARD_MAX_DEPTH = 16,
    GUARD_MS_NS = 1000000
};
#define GUARD_ARENA_BYTES ((size_t)512 << 20)

/* What is on its way to the worker, and which messages that is. */
struct inflow {
    unsigned char bytes[GUARD_STEP_BYTES];
    size_t n, pos;
    unsigned char head[WIRE_HEADER_BYTES]; /* of the last message that was begun */
    size_t n_head, n_left; /* bytes of its header that are known; of its payload that are to come */
    uint32_t n_begun;
    uint64_t n_written, last_start; /* bytes; those before the last message */
};

struct guard {
    int in, out;         /* the connection */
    int to, from, crash; /* the worker; -1: closed */
    int signals;
    pid_t pid;
    char folder[GUARD_MAX_PATH];
    struct inflow inflow;
    struct arena a; /* of the message that comes from the worker */
    unsigned char head[WIRE_HEADER_BYTES];
    size_t n_head;
    unsigned char *payload; /* NULL: the header is not whole */
    size_t n_payload, n_got;
    enum wire_kind kind;
    bool is_told; /* to end, by a signal */
    bool is_lost; /* nobody hears it any more, or what the worker says is no message */
    bool is_over; /* the input has ended */
    bool has_ended;
    int wait_status;
    uint64_t end_ms; /* of the worker's time, where is_over */
};

bool guard_is_asked(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "--guard") == 0;
}

static uint64_t get_now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / GUARD_MS_NS;
}

/* ---- the worker's words, variables and folder ---- */

/* The word as it was, with the folder for each "{own}" and "{tmp}". */
static const char *read_word(char *word, const char *folder, struct arena *a)
{
    const char *out = "";
    wire_unquote_word(word);
    for (const char *at = word; *at;) {
        bool const is_mark = strncmp(at, "{own}", 5) == 0 || strncmp(at, "{tmp}", 5) == 0;
        size_t const n_plain = is_mark ? 0 : 1 + strcspn(at + 1, "{");
        out = is_mark ? arena_printf(a, "%s%s", out, folder)
                      : arena_printf(a, "%s%.*s", out, (int)n_plain, at);
        at += is_mark ? 5 : n_plain;
    }
    return out;
}

static void set_variable(const char *pair, struct arena *a)
{
    const char *const equals = strchr(pair, '=');
    if (equals) {
        (void)setenv(arena_printf(a, "%.*s", (int)(equals - pair), pair), equals + 1, 1);
    }
}

static void set_caches(const char *folder, struct arena *a)
{
    static const char *const variables[][2] = {
#define VARIABLE(name, value) {name, value},
#include "fuzz/wire/caches.def"
    };
    for (size_t i = 0; i < ARRAY_N(variables); i++) {
        char value[GUARD_MAX_PATH];
        (void)snprintf(value, sizeof value, "%s", variables[i][1]);
        (void)setenv(variables[i][0], read_word(value, folder, a), 1);
    }
}

/* Variables are set, the other words put into argv, NULL at its end. false: too many. */
static bool take_words(int argc, char **argv, const char *folder, struct arena *a,
                       const char *words[GUARD_MAX_WORDS])
{
    int n = 0;
    words[n++] = argv[0];
    for (int i = 2; i < argc; i++) {
        const char *const word = read_word(argv[i], folder, a);
        if (strcmp(word, "--env") == 0 && i + 1 < argc) {
            set_variable(read_word(argv[++i], folder, a), a);
        } else if (n + 1 < GUARD_MAX_WORDS) {
            words[n++] = word;
        } else {
            return false;
        }
    }
    words[n] = NULL;
    return true;
}

static bool has_word(int argc, char **argv, const char *word)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* This program again, by the words of the guard's command line. It returns where that is not possible. */
static void become_worker(int argc, char **argv, const char *folder, struct arena *a)
{
    const char *words[GUARD_MAX_WORDS];
    if (!take_words(argc, argv, folder, a, words)) {
        (void)fprintf(stderr, "halfulp-worker: more than %d words\n", GUARD_MAX_WORDS);
        return;
    }
    char *list[GUARD_MAX_WORDS];
    memcpy(list, words, sizeof list); /* execv changes none of them */
    (void)execv("/proc/self/exe", list);
    (void)execvp(argv[0], list);
    (void)fprintf(stderr, "halfulp-worker: %s: %s\n", argv[0], strerror(errno));
}

static bool make_folder(struct guard *g)
{
    const char *const base = getenv("TMPDIR");
    int const n = snprintf(g->folder, sizeof g->folder, "%s/halfulp-guard-XXXXXX",
                           base && base[0] == '/' ? base : "/tmp");
    if (n < 0 || (size_t)n >= sizeof g->folder || !mkdtemp(g->folder)) {
        (void)fprintf(stderr, "halfulp-worker: %s: %s\n", g->folder, strerror(errno));
        g->folder[0] = '\0';
        return false;
    }
    return true;
}

/* With all that is in it; links are not followed. */
static void remove_folder(int parent, const char *name, int depth)
{
    int const fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry = NULL;
    while (dir && depth < GUARD_MAX_DEPTH && (entry = readdir(dir)) != NULL) {
        bool const is_link = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (!is_link && unlinkat(dirfd(dir), entry->d_name, 0) != 0) {
            remove_folder(dirfd(dir), entry->d_name, depth + 1);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

/* ---- start ---- */

/* In the new process. */
static void become(const struct guard *g, const int in[2], const int out[2], int argc, char **argv)
{
    struct arena a;
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)setsid(); /* a group to be killed as one */
    if (dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0 ||
        dup2(g->crash, WIRE_CRASH_FD) < 0 || chdir(g->folder) != 0) {
        _exit(GUARD_EXEC_FAILED);
    }
    arena_init(&a, GUARD_ARENA_BYTES);
    set_caches(g->folder, &a);
    become_worker(argc, argv, g->folder, &a);
    _exit(GUARD_EXEC_FAILED);
}

static void close_one(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

static void set_blocking(int fd, bool is_blocking)
{
    int const flags = fcntl(fd, F_GETFL);
    (void)fcntl(fd, F_SETFL, is_blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

static bool open_signals(struct guard *g)
{
    static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    sigset_t mask;
    (void)sigemptyset(&mask);
    for (size_t i = 0; i < ARRAY_N(numbers); i++) {
        (void)sigaddset(&mask, numbers[i]);
    }
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigprocmask(SIG_BLOCK, &mask, NULL);
    g->signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
    return g->signals >= 0;
}

/* Away from the standard descriptors, and closed in each new program. */
static int move_up(int fd)
{
    int const up = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)close(fd);
    return up;
}

/* Start the worker between two pipes, for its input and its output. False: the system refuses,
 * and standard error says why. */
static bool start_worker(struct guard *g, int argc, char **argv)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    bool ok = open_signals(g) && pipe(in) == 0 && pipe(out) == 0;
    for (int i = 0; i < 2 && ok; i++) {
        /* away from the standard descriptors, which become() replaces */
        in[i] = move_up(in[i]);
        out[i] = move_up(out[i]);
    }
    g->crash = memfd_create("halfulp-crash", MFD_CLOEXEC);
    ok = ok && in[1] >= 0 && out[1] >= 0 && g->crash >= 0;
    g->pid = ok ? fork() : -1;
    if (g->pid == 0) {
        become(g, in, out, argc, argv);
    }
    if (g->pid < 0) {
        (void)fprintf(stderr, "halfulp-worker: cannot start: %s\n", strerror(errno));
    }
    close_one(&in[0]);
    close_one(&out[1]);
    g->to = in[1];
    g->from = out[0];
    if (g->pid > 0) {
        set_blocking(g->to, false);
        set_blocking(g->from, false);
        set_blocking(g->out, true);
    }
    return g->pid > 0;
}

/* ---- to the worker ---- */

/* Which messages these n bytes belong to, which the pipe to the worker has taken. */
static void count_bytes(struct inflow *f, const unsigned char *p, size_t n)
{
    while (n > 0) {
        bool const in_payload = f->n_head == WIRE_HEADER_BYTES && f->n_left > 0;
        if (!in_payload && f->n_head == WIRE_HEADER_BYTES) {
            f->n_head = 0;
        }
        size_t const n_wanted = in_payload ? f->n_left : WIRE_HEADER_BYTES - f->n_head;
        size_t const n_now = n < n_wanted ? n : n_wanted;
        if (in_payload) {
            f->n_left -= n_now;
        } else {
            f->n_begun += f->n_head == 0;
            f->last_start = f->n_head == 0 ? f->n_written : f->last_start;
            memcpy(f->head + f->n_head, p, n_now);
            f->n_head += n_now;
            f->n_left = f->n_head == WIRE_HEADER_BYTES ? (size_t)load_le(f->head, 4) : 0;
        }
        f->n_written += n_now;
        p += n_now;
        n -= n_now;
    }
}

/* What its pipe takes now. */
static void push(struct guard *g)
{
    struct inflow *const f = &g->inflow;
    while (g->to >= 0 && f->pos < f->n) {
        ssize_t const n = write(g->to, f->bytes + f->pos, f->n - f->pos);
        if (n < 0 && errno != EAGAIN && errno != EINTR) {
            f->pos = f->n; /* it is gone, or has closed its input: its end will tell */
            return;
        }
        if (n < 0) {
            return;
        }
        count_bytes(f, f->bytes + f->pos, (size_t)n);
        f->pos += (size_t)n;
    }
    if (g->is_over && f->pos == f->n) {
        close_one(&g->to);
    }
}

static void take_input(struct guard *g)
{
    struct inflow *const f = &g->inflow;
    ssize_t const n = read(g->in, f->bytes, sizeof f->bytes);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    f->pos = 0;
    f->n = n > 0 ? (size_t)n : 0;
    if (n <= 0) {
        g->is_over = true;
        g->end_ms = get_now_ms() + GUARD_GRACE_MS;
    }
    push(g);
}

/* Of how many messages has the worker read any byte? */
static uint32_t count_taken(const struct guard *g)
{
    int n_unread = 0;
    const struct inflow *const f = &g->inflow;
    if (f->n_begun == 0 || g->to < 0 || ioctl(g->to, FIONREAD, &n_unread) != 0) {
        return f->n_begun;
    }
    bool const took_last = f->n_written - (uint64_t)n_unread > f->last_start;
    return took_last ? f->n_begun : f->n_begun - 1;
}

/* ---- from the worker ---- */

static void send_message(struct guard *g, enum wire_kind kind, const void *p, size_t n)
{
    struct err ignored;
    g->is_lost |= !g->is_lost && wire_write(g->out, kind, p, n, &ignored) != RES_OK;
}

/* The header is whole. One that is none goes on as it is: the other end then knows what to think of it. */
static void begin_payload(struct guard *g)
{
    struct err ignored;
    arena_reset(&g->a);
    bool const is_header = wire_get_header(g->head, &g->kind, &g->n_payload, &ignored) == RES_OK;
    g->payload = is_header ? arena_take(&g->a, g->n_payload + 1) : NULL;
    g->n_got = 0;
    if (!g->payload) {
        (void)!write(g->out, g->head, sizeof g->head);
        close_one(&g->from);
    }
}

/* Read all that has arrived from the worker, and pass on each complete message. */
static void take_output(struct guard *g)
{
    while (g->from >= 0 && !g->is_lost) {
        bool const in_head = g->n_head < WIRE_HEADER_BYTES;
        unsigned char *const to = in_head ? g->head + g->n_head : g->payload + g->n_got;
        size_t const n_wanted = in_head ? WIRE_HEADER_BYTES - g->n_head : g->n_payload - g->n_got;
        ssize_t const n = read(g->from, to, n_wanted);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        if (n <= 0) {
            close_one(&g->from);
            return;
        }
        *(in_head ? &g->n_head : &g->n_got) += (size_t)n;
        if (in_head && g->n_head == WIRE_HEADER_BYTES) {
            begin_payload(g);
        }
        if (g->payload && g->n_head == WIRE_HEADER_BYTES && g->n_got == g->n_payload) {
            send_message(g, g->kind, g->payload, g->n_payload);
            g->n_head = 0;
            g->payload = NULL;
        }
    }
}

/* ---- until the end ---- */

static void take_signals(struct guard *g)
{
    struct signalfd_siginfo info;
    while (read(g->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        g->is_told |= info.ssi_signo != SIGCHLD;
    }
    g->has_ended |= waitpid(g->pid, &g->wait_status, WNOHANG) == g->pid;
}

/* Wait until something can be done, but not past the next sign of life. */
static void wait_for_some(struct guard *g, uint64_t alive_ms)
{
    uint64_t const now_ms = get_now_ms();
    bool const has_input = g->inflow.pos < g->inflow.n;
    struct pollfd fds[] = {
        {.fd = g->signals,                           .events = POLLIN },
        {.fd = has_input || g->is_over ? -1 : g->in, .events = POLLIN },
        {.fd = has_input ? g->to : -1,               .events = POLLOUT},
        {.fd = g->from,                              .events = POLLIN },
        {.fd = g->out,                               .events = 0      }  /* closed at the other end? */
    };
    (void)poll(fds, ARRAY_N(fds), alive_ms > now_ms ? (int)(alive_ms - now_ms) : 0);
    g->is_lost |= (fds[4].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
    take_signals(g);
    if (fds[1].revents) {
        take_input(g);
    }
    push(g);
    take_output(g);
}

/* True: the worker ended by itself. */
static bool serve(struct guard *g)
{
    uint64_t alive_ms = 0;
    while (!g->has_ended && !g->is_told && !g->is_lost) {
        uint64_t const now_ms = get_now_ms();
        if (g->is_over && now_ms >= g->end_ms) {
            return false;
        }
        if (now_ms >= alive_ms) {
            send_message(g, WIRE_ALIVE, "", 0);
            alive_ms = now_ms + GUARD_ALIVE_MS;
        }
        wait_for_some(g, alive_ms);
    }
    return g->has_ended && !g->is_told && !g->is_lost;
}

static void read_crash_line(const struct guard *g, char text[GUARD_CRASH_BYTES])
{
    ssize_t const n = pread(g->crash, text, GUARD_CRASH_BYTES - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static uint32_t read_phase(const struct guard *g)
{
    unsigned char byte = 0;
    bool const is_there = pread(g->crash, &byte, 1, WIRE_PHASE_AT) == 1;
    return is_there && byte <= RUN_PHASE_N ? byte : 0;
}

/* Was it somebody who wanted it to end, rather than its driver? */
static bool was_told(int number)
{
    return number == SIGTERM || number == SIGINT || number == SIGHUP;
}

/* Tell the scheduler how the worker ended, after what it still wrote: its signal or exit status,
 * the line of its crash, its phase, and how many messages it took. Nothing is told if it was ended
 * on request, as that says nothing of the driver. After SIGKILL the guard waits for a while: if it
 * is told to end too, the kill was part of ending the whole job. */
static void tell_end(struct guard *g)
{
    char text[GUARD_CRASH_BYTES];
    size_t n = 0;
    take_output(g);
    read_crash_line(g, text);
    bool const is_signal = WIFSIGNALED(g->wait_status);
    struct wire_end const end = {.signal = is_signal ? WTERMSIG(g->wait_status) : 0,
                                 .exit_status = is_signal ? 0 : WEXITSTATUS(g->wait_status),
                                 .n_taken = count_taken(g),
                                 .crash_line = text,
                                 .phase = read_phase(g)};
    if (was_told(end.signal)) {
        return;
    }
    if (end.signal == SIGKILL) {
        (void)poll(NULL, 0, GUARD_KILL_MS);
        take_signals(g);
    }
    arena_reset(&g->a);
    const unsigned char *const p = wire_encode_end(&end, &g->a, &n);
    if (p && !g->is_told) {
        send_message(g, WIRE_END, p, n);
    }
}

/* All that the worker has begun goes with it. */
static void end_worker(struct guard *g)
{
    (void)kill(-g->pid, SIGKILL);
    if (!g->has_ended) {
        (void)kill(g->pid, SIGKILL);
        (void)waitpid(g->pid, &g->wait_status, 0);
    }
}

int guard_run(int argc, char **argv)
{
    struct guard g;
    memset(&g, 0, sizeof g);
    g.out = STDOUT_FILENO;
    g.to = g.from = g.crash = g.signals = -1;
    arena_init(&g.a, GUARD_ARENA_BYTES);
    if (has_word(argc, argv, "--list")) {
        become_worker(argc, argv, "/tmp", &g.a);
        return GUARD_EXEC_FAILED;
    }
    bool const is_started = make_folder(&g) && start_worker(&g, argc, argv);
    if (is_started) {
        if (serve(&g)) {
            tell_end(&g);
        }
        end_worker(&g);
    }
    if (g.folder[0]) {
        remove_folder(AT_FDCWD, g.folder, 0);
    }
    arena_free(&g.a);
    return is_started && (g.has_ended || g.is_over) ? 0 : WIRE_EXIT_HARNESS;
}

/* fuzz/child.c -- one worker process: start, talk without waiting, kill, and what its end means. */
#include "fuzz/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

enum {
    CHILD_MAX_DEPTH = 16,
    CHILD_MAX_WORD = 4096,
    CHILD_EXEC_FAILED = 127,
    CHILD_REAP_MS = 5,
    CHILD_MAX_SIGNAL = 31,
    CHILD_AFL_FD = 198, /* and the next: FORKSRV_FD of AFL++'s config.h */
    CHILD_LIST_MS = 100
};

uint64_t child_now_ns(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t child_cpu_ns(pid_t pid)
{
    clockid_t clock = 0;
    struct timespec t = {0, 0};
    if (pid == 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) {
        return 0;
    }
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t child_get_stalled_ns(void)
{
    unsigned long long stalled_us = 0;
    FILE *f = fopen("/proc/pressure/cpu", "r");
    if (f) {
        if (fscanf(f, "some %*s %*s %*s total=%llu", &stalled_us) != 1) {
            stalled_us = 0;
        }
        (void)fclose(f);
    }
    return stalled_us * 1000;
}

int child_is_asked_to_stop(void)
{
    sigset_t waiting;
    return sigpending(&waiting) == 0 &&
           (sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1);
}

/* Remove a folder with all in it; links are not followed. */
static void remove_below(int parent, const char *name, int depth)
{
    int const fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir && fd >= 0) {
        (void)close(fd);
    }
    struct dirent *entry = NULL;
    while (dir && depth < CHILD_MAX_DEPTH && (entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        if (unlinkat(dirfd(dir), entry->d_name, 0) != 0) {
            remove_below(dirfd(dir), entry->d_name, depth + 1);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

static const char folder_prefix[] = "halfulp-worker-";

static const char *get_base(void)
{
    const char *base = getenv("TMPDIR");
    return base && base[0] == '/' ? base : "/tmp";
}

static enum res make_folder(struct child *c, struct err *e)
{
    int const n = snprintf(c->folder, sizeof(c->folder), "%s/%s%ld-XXXXXX", get_base(),
                           folder_prefix, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof(c->folder)) {
        c->folder[0] = '\0';
        return err_set(e, RES_LIMIT, "TMPDIR: longer than %d bytes", CHILD_MAX_PATH);
    }
    if (!mkdtemp(c->folder)) {
        enum res const r = err_set(e, RES_IO, "%s: %s", c->folder, strerror(errno));
        c->folder[0] = '\0';
        return r;
    }
    return RES_OK;
}

void child_sweep(void)
{
    DIR *dir = opendir(get_base());
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        size_t const n = sizeof(folder_prefix) - 1;
        char *end = NULL;
        if (strncmp(entry->d_name, folder_prefix, n) != 0) {
            continue;
        }
        long const pid = strtol(entry->d_name + n, &end, 10);
        struct stat s;
        if (pid > 0 && *end == '-' && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
            fstatat(dirfd(dir), entry->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(s.st_mode) && s.st_uid == getuid()) {
            remove_below(dirfd(dir), entry->d_name, 0);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
}

/* The process's own folder as seen from outside and by the worker. */
struct places {
    const char *own, *tmp;
};

/* A copy of `word` with each "{own}" and "{tmp}" replaced, or NULL when it is too long. */
static char *fill_word(const char *word, const struct places *p, struct arena *a)
{
    char buf[CHILD_MAX_WORD];
    size_t n = 0;
    while (*word) {
        const char *add = strncmp(word, "{own}", 5) == 0   ? p->own
                          : strncmp(word, "{tmp}", 5) == 0 ? p->tmp
                                                           : NULL;
        size_t const n_add = add ? strlen(add) : 1;
        if (n + n_add >= sizeof(buf)) {
            return NULL;
        }
        memcpy(buf + n, add ? add : word, n_add);
        n += n_add;
        word += add ? 5 : 1;
    }
    return arena_copy(a, buf, n);
}

/* In the new process: never returns. */
static void become(const int fds[3], char *const argv[], char *const env[])
{
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    for (int i = 0; i < 3; i++) {
        if (dup2(fds[i], i) < 0) {
            _exit(CHILD_EXEC_FAILED);
        }
    }
    /* With AFL++'s pipes an instrumented worker would take itself for what afl-fuzz talks to, and any
     * worker would hide the end of the one that is. */
    (void)fcntl(CHILD_AFL_FD, F_SETFD, FD_CLOEXEC);
    (void)fcntl(CHILD_AFL_FD + 1, F_SETFD, FD_CLOEXEC);
    (void)unsetenv("AFL_DISABLE_LLVM_INSTRUMENTATION"); /* later versions set it for our children */
    for (int i = 0; env[i]; i++) {
        char *equals = strchr(env[i], '=');
        if (equals) {
            *equals = '\0';
            (void)setenv(env[i], equals + 1, 1);
        }
    }
    (void)execvp(argv[0], argv);
    (void)dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
    _exit(CHILD_EXEC_FAILED);
}

struct pipes {
    int to[2], from[2], error[2];
};

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0) {
            (void)close(pair[i]);
            pair[i] = -1;
        }
    }
}

int child_make_pipe(int pair[2])
{
    int raw[2] = {-1, -1};
    if (pipe(raw) != 0) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        pair[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, 10);
        (void)close(raw[i]);
    }
    return pair[0] >= 0 && pair[1] >= 0;
}

static void set_nonblocking(int fd)
{
    int const flags = fcntl(fd, F_GETFL);
    (void)fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

static const char *const caches_off[] = {
    "MESA_SHADER_CACHE_DISABLE=true",
    "MESA_GLSL_CACHE_DISABLE=true",
    "POCL_KERNEL_CACHE=0",
    "NEO_CACHE_PERSISTENT=0",
    "CL_CACHE_DISABLE=1",
    "__GL_SHADER_DISK_CACHE=0",
    "CUDA_CACHE_DISABLE=1",
    "HOME={tmp}",
    "TMPDIR={tmp}",
    "XDG_CACHE_HOME={tmp}",
    "XDG_RUNTIME_DIR={tmp}",
#if defined(__SANITIZE_ADDRESS__)
    /* A driver's leaks are its own, and its signals must be seen as such. */
    "ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:"
    "handle_sigill=0",
#endif
};

struct words {
    char *argv[CHILD_MAX_ARGS], *env[CHILD_MAX_ENV];
};

static enum res fill_words(const struct child_spec *spec, const struct places *p, struct arena *a,
                           struct words *out, struct err *e)
{
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; spec->argv[i]; i++) {
        char *word = i + 1 < CHILD_MAX_ARGS ? fill_word(spec->argv[i], p, a) : NULL;
        if (!word) {
            return err_set(e, RES_LIMIT, "command of %s: too long", spec->argv[0]);
        }
        out->argv[i] = word;
    }
    size_t n = 0;
    for (; n < ARRAY_N(caches_off); n++) {
        out->env[n] = fill_word(caches_off[n], p, a);
    }
    for (size_t i = 0; spec->env && spec->env[i]; i++) {
        char *word = n + 1 < CHILD_MAX_ENV ? fill_word(spec->env[i], p, a) : NULL;
        if (!word) {
            return err_set(e, RES_LIMIT, "environment of %s: too long", spec->argv[0]);
        }
        out->env[n++] = word;
    }
    return RES_OK;
}

static enum res start_process(struct child *c, const struct child_spec *spec, struct arena *a,
                              struct pipes *p, struct err *e)
{
    struct words words;
    enum res r = make_folder(c, e);
    struct places const places = {c->folder, spec->inner_tmp ? spec->inner_tmp : c->folder};
    r = r == RES_OK ? fill_words(spec, &places, a, &words, e) : r;
    if (r != RES_OK) {
        return r;
    }
    if (!child_make_pipe(p->to) || !child_make_pipe(p->from) || !child_make_pipe(p->error)) {
        return err_set(e, RES_IO, "pipe: %s", strerror(errno));
    }
    pid_t const pid = fork();
    if (pid < 0) {
        return err_set(e, RES_IO, "fork: %s", strerror(errno));
    }
    if (pid == 0) {
        int const fds[3] = {p->to[0], p->from[1], p->error[1]};
        become(fds, words.argv, words.env);
    }
    (void)setpgid(pid, pid); /* also here: whoever is first */
    c->pid = pid;
    return RES_OK;
}

enum res child_start(struct child *c, const struct child_spec *spec, struct err *e)
{
    memset(c, 0, sizeof(*c));
    struct pipes p = {
        {-1, -1},
        {-1, -1},
        {-1, -1}
    };
    struct arena a;
    (void)signal(SIGPIPE, SIG_IGN); /* it may end while it is written to */
    arena_init(&a, (size_t)4 << 20);
    enum res const r = start_process(c, spec, &a, &p, e);
    arena_free(&a);
    if (r != RES_OK) {
        close_pair(p.to);
        close_pair(p.from);
        close_pair(p.error);
        if (c->folder[0]) {
            remove_below(AT_FDCWD, c->folder, 0);
        }
        memset(c, 0, sizeof(*c));
        return r;
    }
    (void)close(p.to[0]);
    (void)close(p.from[1]);
    (void)close(p.error[1]);
    c->is_launched = spec->is_launched;
    c->to = p.to[1];
    c->from = p.from[0];
    c->error = p.error[0];
    set_nonblocking(c->to);
    set_nonblocking(c->from);
    set_nonblocking(c->error);
    return RES_OK;
}

void child_send(struct child *c, enum wire_kind kind, const void *p, size_t n)
{
    wire_put_header(c->head_out, kind, n);
    c->out = p;
    c->n_out = n;
    c->out_pos = 0;
    c->head_out_pos = 0;
    c->is_sending = 1;
}

int child_has_output(const struct child *c)
{
    return c->is_sending && c->to >= 0;
}

static void push(struct child *c)
{
    while (child_has_output(c)) {
        int const in_head = c->head_out_pos < WIRE_HEADER_BYTES;
        const unsigned char *p = in_head ? c->head_out + c->head_out_pos : c->out + c->out_pos;
        size_t const n = in_head ? WIRE_HEADER_BYTES - c->head_out_pos : c->n_out - c->out_pos;
        ssize_t const done = n ? write(c->to, p, n) : 0;
        if (done < 0) {
            /* EPIPE: its end shows on the other pipes */
            c->is_sending = errno == EAGAIN || errno == EINTR;
            return;
        }
        *(in_head ? &c->head_out_pos : &c->out_pos) += (size_t)done;
        c->is_sending = in_head || c->out_pos < c->n_out;
    }
}

static void drain_log(struct child *c)
{
    char buf[1024];
    ssize_t n = -1;
    while (c->error >= 0 && (n = read(c->error, buf, sizeof(buf))) > 0) {
        size_t const n_new = (size_t)n;
        if (c->n_log + n_new > CHILD_LOG_BYTES) {
            size_t const drop = c->n_log + n_new - CHILD_LOG_BYTES;
            memmove(c->log, c->log + drop, c->n_log - drop);
            c->n_log -= drop;
        }
        memcpy(c->log + c->n_log, buf, n_new);
        c->n_log += n_new;
        c->log[c->n_log] = '\0';
    }
    if (c->error >= 0 && n == 0) {
        (void)close(c->error);
        c->error = -1;
    }
}

/* Bytes into p; what read() said: 0 means that the output ended. */
static ssize_t pull(struct child *c, unsigned char *p, size_t n)
{
    ssize_t const got = read(c->from, p, n);
    if (got < 0 && errno != EAGAIN && errno != EINTR) {
        return 0;
    }
    return got;
}

static enum child_event pull_message(struct child *c, struct arena *a)
{
    for (;;) {
        int const in_head = c->head_in_n < WIRE_HEADER_BYTES;
        unsigned char *p = in_head ? c->head_in + c->head_in_n : c->in + c->in_pos;
        size_t const n = in_head ? WIRE_HEADER_BYTES - c->head_in_n : c->n_in - c->in_pos;
        ssize_t const got = n ? pull(c, p, n) : 1;
        if (got < 0) {
            return CHILD_NOTHING;
        }
        if (got == 0) {
            c->is_closed = 1;
            return CHILD_GONE;
        }
        if (in_head) {
            c->head_in_n += (size_t)got;
            struct err ignored;
            if (c->head_in_n < WIRE_HEADER_BYTES) {
                continue;
            }
            if (wire_get_header(c->head_in, &c->kind, &c->n_in, &ignored) != RES_OK) {
                return CHILD_BROKEN;
            }
            c->in = arena_take(a, c->n_in + 1);
            c->in_pos = 0;
            if (!c->in) {
                return CHILD_BROKEN;
            }
        } else {
            c->in_pos += n ? (size_t)got : 0;
        }
        if (c->head_in_n == WIRE_HEADER_BYTES && c->in_pos == c->n_in) {
            c->head_in_n = 0;
            return CHILD_MESSAGE;
        }
    }
}

enum child_event child_pump(struct child *c, struct arena *a)
{
    push(c);
    drain_log(c);
    if (c->is_closed) {
        return CHILD_GONE;
    }
    enum child_event event = pull_message(c, a);
    if (event == CHILD_MESSAGE && c->kind == WIRE_ERROR) {
        (void)snprintf(c->error_text, sizeof(c->error_text), "%s", (const char *)c->in);
        c->has_error = 1;
        event = CHILD_NOTHING;
    }
    return event;
}

int child_took_nothing(const struct child *c)
{
    int n = 0;
    size_t const sent = c->head_out_pos + c->out_pos;
    return c->to >= 0 && ioctl(c->to, FIONREAD, &n) == 0 && n >= 0 && (size_t)n >= sent;
}

void child_close_input(struct child *c)
{
    if (c->to >= 0) {
        (void)close(c->to);
        c->to = -1;
    }
    c->is_sending = 0;
}

static int reap(struct child *c)
{
    if (!c->is_reaped && waitpid(c->pid, &c->wait_status, WNOHANG) == c->pid) {
        c->is_reaped = 1;
    }
    return c->is_reaped;
}

int child_has_ended(struct child *c)
{
    return reap(c);
}

static const char *read_crash_line(const struct child *c, struct arena *a)
{
    const char *path = arena_printf(a, "%s/crash", c->folder);
    const unsigned char *text = NULL;
    size_t n = 0;
    struct err ignored;
    if (file_read(path, 1 << 16, a, &text, &n, &ignored) != RES_OK) {
        return "";
    }
    const unsigned char *newline = memchr(text, '\n', n); /* of a second thread's crash the rest */
    const char *line = arena_copy(a, text, newline ? (size_t)(newline - text) : n);
    return line ? line : "";
}

void child_finish(struct child *c, uint64_t grace_ns, struct arena *a, struct child_end *out)
{
    memset(out, 0, sizeof(*out));
    uint64_t const until = child_now_ns() + grace_ns;
    while (!reap(c) && child_now_ns() < until) {
        drain_log(c);
        (void)poll(NULL, 0, CHILD_REAP_MS);
    }
    out->was_killed = !c->is_reaped;
    (void)kill(-c->pid, SIGKILL); /* also what it left behind in its group */
    while (!c->is_reaped) {
        pid_t const got = waitpid(c->pid, &c->wait_status, 0);
        c->is_reaped = got == c->pid || (got < 0 && errno != EINTR);
    }
    drain_log(c);
    if (WIFSIGNALED(c->wait_status)) {
        out->signal = WTERMSIG(c->wait_status);
    } else {
        int const status = WEXITSTATUS(c->wait_status);
        int const is_told = c->is_launched && status > 128 && status <= 128 + CHILD_MAX_SIGNAL;
        out->signal = is_told ? status - 128 : 0;
        out->exit_status = status;
    }
    out->log = arena_copy(a, c->log, c->n_log);
    out->crash_line = read_crash_line(c, a);
    out->log = out->log ? out->log : "";
    child_close_input(c);
    (void)close(c->from);
    if (c->error >= 0) {
        (void)close(c->error);
    }
    remove_below(AT_FDCWD, c->folder, 0);
    memset(c, 0, sizeof(*c));
}

void child_observe_end(const struct child_end *end, int is_late, int has_error,
                       const char *error_text, struct observation *ob)
{
    ob->n_bufs = 0;
    ob->log = end->log;
    ob->signature = "";
    ob->driver_code = 0;
    if (end->was_killed) {
        ob->status = is_late ? RUN_HANG : RUN_HARNESS;
    } else if (end->signal == SIGXCPU) {
        ob->status = RUN_HANG;
    } else if (end->signal) {
        ob->status = RUN_CRASH;
        ob->driver_code = end->signal;
        ob->signature = end->crash_line;
    } else if (has_error &&
               (end->exit_status == WIRE_EXIT_HARNESS || end->exit_status == WIRE_EXIT_NO_DEVICE)) {
        ob->status = RUN_HARNESS;
        ob->log = error_text;
    } else {
        ob->status = RUN_EXIT;
        ob->driver_code = end->exit_status;
    }
}

enum res child_read_all(const struct child_spec *spec, uint64_t deadline_ns, struct arena *a,
                        const char **text, struct err *e)
{
    struct child c;
    struct bytes b;
    struct child_end end;
    *text = "";
    enum res const r = child_start(&c, spec, e);
    if (r != RES_OK) {
        return r;
    }
    bytes_init(&b, a);
    child_close_input(&c);
    uint64_t const until = child_now_ns() + deadline_ns;
    ssize_t n = 1;
    while (n != 0 && child_now_ns() < until && !child_is_asked_to_stop()) {
        unsigned char buf[4096];
        struct pollfd fds[2] = {
            {.fd = c.from,  .events = POLLIN},
            {.fd = c.error, .events = POLLIN}
        };
        (void)poll(fds, 2, CHILD_LIST_MS);
        drain_log(&c);
        n = pull(&c, buf, sizeof(buf));
        if (n > 0) {
            bytes_put(&b, buf, (size_t)n);
        }
    }
    child_finish(&c, n == 0 ? CHILD_GRACE_NS : 0, a, &end);
    char *copy = b.ok ? arena_copy(a, b.p, b.n) : NULL;
    if (end.was_killed || end.signal || end.exit_status || !copy) {
        return err_set(e, RES_IO, "%s: %s%.300s", spec->argv[0],
                       end.was_killed ? "does not end: " : "", end.log);
    }
    *text = copy;
    return RES_OK;
}

/* fuzz/process/child.c -- one worker process: start, talk without waiting, kill, and what its end means. */
#define _GNU_SOURCE /* memfd_create, close_range */
#include "fuzz/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/process/child_folder.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/confine.h"
#include "fuzz/process/last_words.h"

enum {
    CHILD_MAX_WORD = 4096,
    CHILD_EXEC_FAILED = 127,
    CHILD_REAP_MS = 5,
    CHILD_MAX_SIGNAL = 31,
    CHILD_LOG_STEP_BYTES = 1 << 16,
    CHILD_STEP_BYTES = 4 << 20,
    CHILD_STRAY_ROUNDS = 200, /* of CHILD_REAP_MS */
    /* Somebody killed it: the system, which is short of memory, or whoever kills all processes of a job, us next. Then
     * nobody is to write down that a driver crashed. */
    CHILD_DOOM_MS = 500,
    CHILD_LIST_MS = 100, /* how long child_read_all waits for more before it looks at the time */
    CHILD_LEAST_PIPE_FD = 10 /* above the standard descriptors, see child_make_pipe */
};
#define CHILD_COUNT_NS   UINT64_C(100000000)
#define CHILD_RECOUNT_NS UINT64_C(900000000)
/* The kernel lets a killed process go at once, but for one that waits within a device's driver. */
#define CHILD_KILL_NS UINT64_C(5000000000)

#if defined(__SANITIZE_ADDRESS__)
#define CHILD_IS_SANITIZED 1 /* it reserves terabytes */
#else
#define CHILD_IS_SANITIZED 0
#endif

/* The process's own folder as seen from outside and by the worker. */
struct folders {
    const char *own, *tmp;
};

enum {
    CHILD_MARK_BYTES = 5 /* of "{own}" and of "{tmp}" */
};

/* What stands for the mark at the start of `word`; NULL: there is none. */
static const char *replace_mark(const char *word, const struct folders *p)
{
    if (strncmp(word, "{own}", CHILD_MARK_BYTES) == 0) {
        return p->own;
    }
    return strncmp(word, "{tmp}", CHILD_MARK_BYTES) == 0 ? p->tmp : NULL;
}

/* A copy of `word` with each "{own}" and "{tmp}" replaced, or NULL when it is too long. */
static char *fill_word(const char *word, const struct folders *p, struct arena *a)
{
    char buf[CHILD_MAX_WORD];
    size_t n = 0;
    while (*word) {
        const char *const folder = replace_mark(word, p);
        size_t const n_add = folder ? strlen(folder) : 1;
        if (n + n_add >= sizeof(buf)) {
            return NULL;
        }
        memcpy(buf + n, folder ? folder : word, n_add);
        n += n_add;
        word += folder ? CHILD_MARK_BYTES : 1;
    }
    return arena_copy(a, buf, n);
}

/* What a new process becomes. */
struct words {
    char *argv[CHILD_MAX_ARGS], *env[CHILD_MAX_ENV];
    const struct child_spec *spec;
    const char *folder;
    pid_t parent;
};

static void set_variables(char *const env[], int is_sandboxed)
{
    for (int i = 0; env[i]; i++) {
        char *equals = strchr(env[i], '=');
        if (equals && !(is_sandboxed && strncmp(env[i], "LD_", 3) == 0)) {
            *equals = '\0';
            (void)setenv(env[i], equals + 1, 1);
        }
    }
}

/* In the new process: leave it the standard three descriptors, that of the crash line, and a stream's memory. */
static void install_descriptors(const int fds[4], int memory_fd)
{
    static const int places[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, WIRE_CRASH_FD};
    for (int i = 0; i < 4; i++) {
        if (dup2(fds[i], places[i]) < 0) {
            _exit(CHILD_EXEC_FAILED);
        }
    }
    /* Nothing else of ours is inherited. With AFL++'s pipes an instrumented worker would take itself for
     * what afl-fuzz talks to, and any worker would hide the end of the one that is. */
    (void)close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    (void)fcntl(WIRE_CRASH_FD, F_SETFD, 0);
    if (memory_fd > 0) {
        (void)fcntl(memory_fd, F_SETFD, 0);
    }
}

/* In the new process: set up its session, signals, descriptors, environment and limits, then
 * become the command. It never returns. */
static void become(const int fds[4], const struct words *w)
{
    int const is_confined = w->spec->trust == CHILD_CONFINED;
    (void)setsid(); /* a group to be killed as one, and no terminal */
    /* The process dies with its parent, and ends now if the parent died since the fork. In a sandbox bwrap requests the
     * signal of the parent's death itself, once the process that it starts no longer waits for it. */
    if (!w->spec->is_sandboxed && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != w->parent) {
        _exit(CHILD_EXEC_FAILED);
    }
    /* Blocked and ignored signals would stay so after execvp, and a program expects the defaults. */
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    /* Who ends a job sends SIGTERM to all its processes. A worker killed by that would look like a driver's crash, so
     * it is ignored: the parent ends its children itself. */
    (void)signal(SIGTERM, SIG_IGN);
    install_descriptors(fds, w->spec->memory_fd);
    if (is_confined) {
        confine_environment(w->spec->is_instrumented);
    }
    (void)unsetenv("AFL_DISABLE_LLVM_INSTRUMENTATION"); /* later versions of AFL++ set it */
    set_variables(w->env, w->spec->is_sandboxed);
    if (is_confined) {
        /* No limit of memory for an instrumented driver, and none for a sanitizer, which reserves more than there is. */
        confine_limits(!w->spec->is_instrumented && !CHILD_IS_SANITIZED,
                       w->spec->file_bytes ? w->spec->file_bytes : CONFINE_FILE_BYTES);
        if (chdir(w->folder) != 0) {
            _exit(CHILD_EXEC_FAILED);
        }
    }
    (void)execvp(w->argv[0], w->argv);
    (void)dprintf(STDERR_FILENO, "%s: %s\n", w->argv[0], strerror(errno));
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
        pair[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, CHILD_LEAST_PIPE_FD);
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
    CONFINE_MARK "={own}",
#define VARIABLE(name, value) name "=" value,
#include "fuzz/wire/caches.def"
#if defined(__SANITIZE_ADDRESS__)
    /* A driver's leaks are its own, and its signals must be seen as such. */
    "ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:"
    "handle_sigill=0",
#endif
};

/* Fill in the command line and the environment of a new process. "{own}" and "{tmp}" in a word
 * become the folders of `p`. The variables that switch caches off come first, so the target's own
 * variables, which follow, override them. RES_LIMIT: there are too many words, or no memory. */
static enum res fill_words(const struct child_spec *spec, const struct folders *p, struct arena *a,
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
        /* A confined process runs in its own folder, so relative paths are made absolute. */
        const char *const variable =
            spec->trust == CHILD_CONFINED ? confine_name_in_full(spec->env[i], a) : spec->env[i];
        char *const filled = n + 1 < CHILD_MAX_ENV ? fill_word(variable, p, a) : NULL;
        if (!filled) {
            return err_set(e, RES_LIMIT, "environment of %s: too long", spec->argv[0]);
        }
        out->env[n++] = filled;
    }
    return RES_OK;
}

/* Make a new process, and before it its folder, its pipes, and the file for the line that it
 * writes if it crashes. What was made before an error stays in *c and *p, for undo_start. */
static enum res start_process(struct child *c, const struct child_spec *spec, struct arena *a,
                              struct pipes *p, struct err *e)
{
    struct words words;
    TRY(child_folder_make(c->folder, sizeof(c->folder), e));
    struct folders const folders = {c->folder, spec->inner_tmp ? spec->inner_tmp : c->folder};
    TRY(fill_words(spec, &folders, a, &words, e));
    if (!child_make_pipe(p->to) || !child_make_pipe(p->from) || !child_make_pipe(p->error)) {
        return err_set(e, RES_IO, "pipe: %s", strerror(errno));
    }
    c->crash = memfd_create("halfulp-crash", MFD_CLOEXEC);
    if (c->crash < 0) {
        return err_set(e, RES_IO, "memory for a crash's frames: %s", strerror(errno));
    }
    words.spec = spec;
    words.folder = c->folder;
    words.parent = getpid();
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans of a worker become our children */
    c->n_tasks = confine_count_tasks();
    pid_t const pid = fork();
    if (pid < 0) {
        return err_set(e, RES_IO, "fork: %s", strerror(errno));
    }
    if (pid == 0) {
        /* the child's ends, in the order of install_descriptors: input, output, log, file of the crash */
        int const fds[4] = {p->to[0], p->from[1], p->error[1], c->crash};
        become(fds, &words);
    }
    c->pid = pid;
    return RES_OK;
}

/* A start that failed leaves neither descriptors nor a folder behind. */
static void undo_start(struct child *c, struct pipes *p)
{
    close_pair(p->to);
    close_pair(p->from);
    close_pair(p->error);
    if (c->crash >= 0) {
        (void)close(c->crash);
    }
    if (c->folder[0]) {
        child_folder_remove(c->folder);
    }
    memset(c, 0, sizeof(*c));
}

/* Start a process of ours that is talked to by messages. It has two pipes for messages and one
 * for its log, all read and written without waiting. Nothing is left behind after an error. */
enum res child_start(struct child *c, const struct child_spec *spec, struct err *e)
{
    memset(c, 0, sizeof(*c));
    c->crash = -1;
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
        undo_start(c, &p);
        return r;
    }
    (void)close(p.to[0]);
    (void)close(p.from[1]);
    (void)close(p.error[1]);
    c->is_launched = spec->is_launched;
    c->is_guarded = spec->is_guarded;
    c->heard_ns = child_now_ns();
    c->trust = spec->trust;
    c->to = p.to[1];
    c->from = p.from[0];
    c->error = p.error[0];
    set_nonblocking(c->to);
    set_nonblocking(c->from);
    set_nonblocking(c->error);
    return RES_OK;
}

int child_has_output(const struct child *c)
{
    return c->is_sending && c->to >= 0;
}

/* Write what is left of the message, header first, as far as the pipe takes it now. */
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

void child_send(struct child *c, enum wire_kind kind, const void *p, size_t n)
{
    wire_put_header(c->head_out, kind, n);
    c->out = p;
    c->n_out = n;
    c->out_pos = 0;
    c->head_out_pos = 0;
    c->is_sending = 1;
    c->n_sent++;
    push(c);
}

enum {
    CHILD_READ_BYTES = 1024
};
_Static_assert((int)CHILD_READ_BYTES <= (int)CHILD_LOG_BYTES,
               "what is read at once fits into the log");

/* Append to the log, which keeps the last CHILD_LOG_BYTES. */
static void append_log(struct child *c, const char *text, size_t n)
{
    if (c->n_log + n > CHILD_LOG_BYTES) {
        size_t const drop = c->n_log + n - CHILD_LOG_BYTES;
        memmove(c->log, c->log + drop, c->n_log - drop);
        c->n_log -= drop;
    }
    memcpy(c->log + c->n_log, text, n);
    c->n_log += n;
    c->n_logged += n;
    c->log[c->n_log] = '\0';
}

/* Read what it printed. A flood is not waited for: the rest comes in the next step. */
static void drain_log(struct child *c)
{
    char buf[CHILD_READ_BYTES];
    for (size_t n_step = 0; c->error >= 0 && n_step < CHILD_LOG_STEP_BYTES;) {
        ssize_t const n = read(c->error, buf, sizeof(buf));
        if (n < 0) {
            return;
        }
        if (n == 0) { /* its end */
            (void)close(c->error);
            c->error = -1;
            return;
        }
        append_log(c, buf, (size_t)n);
        n_step += (size_t)n;
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

/* The header is whole: make room for the payload that it tells of. */
static bool begin_payload(struct child *c, struct arena *a)
{
    struct err ignored;
    if (wire_get_header(c->head_in, &c->kind, &c->n_in, &ignored) != RES_OK) {
        return false;
    }
    c->in = arena_take(a, c->n_in + 1);
    c->in_pos = 0;
    return c->in != NULL;
}

/* Read what has arrived of the current message: first its header, then its payload. At most
 * CHILD_STEP_BYTES are read in one call, so that a flood from one process does not keep the others
 * waiting. CHILD_NOTHING: the message is not complete yet. */
static enum child_event pull_message(struct child *c, struct arena *a)
{
    for (size_t n_step = 0; n_step < CHILD_STEP_BYTES;) {
        bool const in_head = c->head_in_n < WIRE_HEADER_BYTES;
        unsigned char *const to = in_head ? c->head_in + c->head_in_n : c->in + c->in_pos;
        size_t const n_left = in_head ? WIRE_HEADER_BYTES - c->head_in_n : c->n_in - c->in_pos;
        ssize_t const got = pull(c, to, n_left);
        if (got < 0) { /* nothing is there now */
            return CHILD_NOTHING;
        }
        if (got == 0) { /* the pipe's other end is closed */
            c->is_closed = 1;
            return CHILD_GONE;
        }
        n_step += (size_t)got;
        c->heard_ns = child_now_ns();
        *(in_head ? &c->head_in_n : &c->in_pos) += (size_t)got;
        bool const is_head_whole = in_head && c->head_in_n == WIRE_HEADER_BYTES;
        if (is_head_whole && !begin_payload(c, a)) {
            return CHILD_BROKEN;
        }
        /* A message with an empty payload is complete with its header. */
        if (c->head_in_n == WIRE_HEADER_BYTES && c->in_pos == c->n_in) {
            c->head_in_n = 0;
            return CHILD_MESSAGE;
        }
    }
    return CHILD_NOTHING;
}

/* Has it more processes than it may? Looked at now and then, and only where the machine has so many more
 * than at its start: root is exempt from the system's own limit. */
static int is_swarm(struct child *c)
{
    uint64_t const now_ns = child_now_ns();
    if (c->trust != CHILD_CONFINED || now_ns < c->counted_ns + CHILD_COUNT_NS) {
        return 0;
    }
    c->counted_ns = now_ns;
    uint32_t const most = confine_get_processes();
    if (confine_count_tasks() <= c->n_tasks + most) {
        return 0;
    }
    c->counted_ns += CHILD_RECOUNT_NS; /* they may be others': to look at all takes its time */
    return confine_count_strays(c->pid, c->folder, 0) > most;
}

/* Its last words, which are kept in error_text. A second time they break the protocol. */
static enum child_event take_error(struct child *c)
{
    if (c->has_error) {
        return CHILD_BROKEN;
    }
    (void)snprintf(c->error_text, sizeof(c->error_text), "%s", (const char *)c->in);
    c->has_error = 1;
    return CHILD_NOTHING;
}

/* What its guard says of how the worker ended, the last of all. */
static enum child_event take_end(struct child *c, struct arena *a)
{
    struct err ignored;
    if (wire_decode_end(&c->told, a, c->in, c->n_in, &ignored) != RES_OK) {
        return CHILD_BROKEN;
    }
    (void)snprintf(c->told_line, sizeof(c->told_line), "%s", c->told.crash_line);
    c->told.crash_line = c->told_line;
    c->has_told = 1;
    c->is_closed = 1;
    return CHILD_GONE;
}

/* A message that is for this file alone is no event. */
static enum child_event sort_message(struct child *c, struct arena *a)
{
    bool const is_of_guard = c->kind == WIRE_ALIVE || c->kind == WIRE_END;
    if (is_of_guard && !c->is_guarded) {
        return CHILD_BROKEN;
    }
    if (is_of_guard) {
        return c->kind == WIRE_END ? take_end(c, a) : CHILD_NOTHING;
    }
    return c->kind == WIRE_ERROR ? take_error(c) : CHILD_MESSAGE;
}

/* Do what can be done without waiting for a process: send what is queued, take its log and what comes of its
 * next message. CHILD_BROKEN: it breaks the protocol, or has started far too many processes (is_swarm). An
 * error message is kept in error_text and is no event; a second one breaks the protocol. */
enum child_event child_pump(struct child *c, struct arena *a)
{
    push(c);
    drain_log(c);
    if (is_swarm(c)) {
        c->is_swarm = 1;
        return CHILD_BROKEN;
    }
    if (c->is_closed) {
        return CHILD_GONE;
    }
    enum child_event const event = pull_message(c, a);
    return event == CHILD_MESSAGE ? sort_message(c, a) : event;
}

int child_is_reading(const struct child *c)
{
    int n = 0;
    return !c->is_closed && ioctl(c->from, FIONREAD, &n) == 0 && n > 0;
}

int child_took_nothing(const struct child *c)
{
    int n = 0;
    if (c->has_told) {
        return c->told.n_taken < c->n_sent;
    }
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

/* Has the process ended? It is not reaped yet, so that no other process gets its number. */
static int notice_end(struct child *c)
{
    siginfo_t info = {.si_pid = 0};
    if (!c->has_ended && waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
        c->has_ended = info.si_pid == c->pid;
    }
    return c->has_ended;
}

int child_has_ended(struct child *c)
{
    return notice_end(c);
}

static void wait_until(struct child *c, uint64_t until_ns)
{
    while (!notice_end(c) && child_now_ns() < until_ns) {
        drain_log(c);
        (void)poll(NULL, 0, CHILD_REAP_MS);
    }
}

/* Kill what is left of it, wherever that went, and reap it. A process that the kernel does not let go
 * is left behind. */
static void end_processes(struct child *c)
{
    (void)kill(-c->pid, SIGKILL); /* also what it left behind in its group */
    (void)kill(c->pid, SIGKILL);  /* it may not have a group yet */
    wait_until(c, child_now_ns() + CHILD_KILL_NS);
    for (int i = 0; i < CHILD_STRAY_ROUNDS && confine_count_strays(c->pid, c->folder, 1) > 0; i++) {
        (void)poll(NULL, 0, CHILD_REAP_MS);
    }
    if (waitpid(c->pid, &c->wait_status, WNOHANG) != c->pid) {
        c->wait_status = SIGKILL;
    }
}

/* The line in the file of the parent's making: nothing there can make a read wait. */
static const char *read_crash_line(const struct child *c, struct arena *a)
{
    char text[CHILD_LINE_BYTES];
    if (c->has_told) {
        return arena_printf(a, "%s", c->told_line);
    }
    ssize_t const n = pread(c->crash, text, sizeof(text), 0);
    if (n <= 0) {
        return "";
    }
    const char *newline = memchr(text, '\n', (size_t)n); /* of a second thread's crash the rest */
    const char *line = arena_copy(a, text, newline ? (size_t)(newline - text) : (size_t)n);
    return line ? line : "";
}

/* What the worker was at. The byte may be anything: the driver could write it. */
static void read_phase(const struct child *c, struct child_end *out)
{
    unsigned char byte = 0;
    if (c->has_told) {
        byte = (unsigned char)c->told.phase;
    } else if (pread(c->crash, &byte, 1, WIRE_PHASE_AT) != 1) {
        byte = 0;
    }
    out->has_phase = byte >= 1 && byte <= RUN_PHASE_N;
    out->phase = out->has_phase ? (enum run_phase)(byte - 1) : PHASE_START;
}

/* A crash's line as oracle/cause/crash_words.h has it: many give up in the same place for different reasons, and
 * many passes call the same functions. */
static const char *print_crash(const struct child_end *end, struct arena *a)
{
    const char *const pass = end->signal ? last_words_find_pass(end->log, a) : "";
    const char *const reason = last_words_find_of(end->log, end->signal, a);
    const char *line = end->crash_line;
    if (reason[0]) {
        line = arena_printf(a, "\"%s\"%s%s", reason, line[0] ? " " : "", line);
    }
    if (pass[0]) {
        line = arena_printf(a, "pass '%s'%s%s", pass, line[0] ? " " : "", line);
    }
    return line;
}

/* How it ended: its signal or its exit status. A launcher tells by 128 + n that what it began died of signal n, a guard
 * tells all of its worker; of one that is silent nothing is known. */
static void read_status(const struct child *c, struct child_end *out)
{
    if (c->has_told) {
        out->was_killed = 0;
        out->signal = c->told.signal;
        out->exit_status = c->told.exit_status;
        return;
    }
    out->is_lost =
        c->is_guarded && (!out->was_killed || child_now_ns() - c->heard_ns > CHILD_SILENCE_NS);
    if (WIFSIGNALED(c->wait_status)) {
        out->signal = WTERMSIG(c->wait_status);
        return;
    }
    int const status = WEXITSTATUS(c->wait_status);
    bool const tells_signal = c->is_launched && status > 128 && status <= 128 + CHILD_MAX_SIGNAL;
    out->signal = tells_signal ? status - 128 : 0;
    out->exit_status = status;
}

const char *child_get_log_since(struct child *c, uint64_t n_logged)
{
    drain_log(c);
    uint64_t const n_new = c->n_logged - n_logged;
    return c->log + (n_new < c->n_log ? c->n_log - (size_t)n_new : 0);
}

/* End a process and say in *out how it ended. It gets grace_ns to end by itself; then it and all
 * that it started are killed. Its log, the frames of a crash and the reason of an abort are read
 * before its folder is removed. Afterwards *c is all zero, as if it was never started. */
void child_finish(struct child *c, uint64_t grace_ns, struct arena *a, struct child_end *out)
{
    memset(out, 0, sizeof(*out));
    wait_until(c, child_now_ns() + grace_ns);
    out->was_killed = !notice_end(c); /* it has not ended by itself */
    out->is_swarm = c->is_swarm;
    end_processes(c);
    read_status(c, out);
    bool const is_foreign_kill = !out->was_killed && !out->is_swarm && out->signal == SIGKILL;
    if (is_foreign_kill) { /* we may be killed next: then nobody records that the driver crashed */
        (void)poll(NULL, 0, CHILD_DOOM_MS);
    }
    /* Two calls read all that a pipe can hold. A loop could go on for ever if a stray process still writes. */
    drain_log(c);
    drain_log(c);
    out->log = arena_copy(a, c->log, c->n_log);
    out->log = out->log ? out->log : "";
    out->crash_line = read_crash_line(c, a);
    out->crash_line = print_crash(out, a); /* with the reason and the pass that its log names */
    read_phase(c, out);
    child_close_input(c);
    (void)close(c->from);
    (void)close(c->crash);
    if (c->error >= 0) {
        (void)close(c->error);
    }
    child_folder_remove(c->folder);
    memset(c, 0, sizeof(*c));
}

/* Turn the end of a worker into the status of the run that the worker was to do. is_late: the deadline had
 * passed. These ends are the harness's doing (RUN_HARNESS) and not the driver's: a lost connection, a kill before
 * the deadline, and an error that the worker reports with one of its own exit statuses. */
void child_observe_end(const struct child_end *end, int is_late, int has_error,
                       const char *error_text, struct observation *ob)
{
    ob->n_bufs = 0;
    ob->log = end->log;
    ob->signature = "";
    ob->driver_code = 0;
    bool const is_own_exit =
        end->exit_status == WIRE_EXIT_HARNESS || end->exit_status == WIRE_EXIT_NO_DEVICE;
    if (end->is_lost) {
        ob->status = RUN_HARNESS;
    } else if (end->is_swarm) { /* it was killed for that, whatever its driver was at */
        ob->status = RUN_CRASH;
        ob->driver_code = SIGKILL;
        ob->signature = "too many processes";
    } else if (end->was_killed) {
        ob->status = is_late ? RUN_HANG : RUN_HARNESS;
    } else if (end->signal == SIGXCPU) { /* the worker's limit of processor time */
        ob->status = RUN_HANG;
    } else if (end->signal) {
        ob->status = RUN_CRASH;
        ob->driver_code = end->signal;
        ob->signature = end->crash_line;
    } else if (has_error && is_own_exit) {
        ob->status = RUN_HARNESS;
        ob->log = error_text;
    } else {
        ob->status = RUN_EXIT;
        ob->driver_code = end->exit_status;
    }
}

/* Collect what a process prints until its output ends: true. False: the time is up first, a stop is asked
 * for, or it has started far too many processes. */
static bool read_to_end(struct child *c, uint64_t until_ns, struct bytes *b)
{
    while (child_now_ns() < until_ns && !child_is_asked_to_stop() && !c->is_swarm) {
        unsigned char buf[4096];
        struct pollfd fds[2] = {
            {.fd = c->from,  .events = POLLIN},
            {.fd = c->error, .events = POLLIN}
        };
        (void)poll(fds, 2, CHILD_LIST_MS);
        drain_log(c);
        c->is_swarm = is_swarm(c);
        ssize_t const n = pull(c, buf, sizeof(buf));
        if (n == 0) {
            return true;
        }
        if (n > 0) {
            bytes_put(b, buf, (size_t)n);
        }
    }
    return false;
}

/* Write what its input takes now, and end that where all is written. */
static void feed(struct child *c, const unsigned char *in, size_t n_in, size_t *n_fed)
{
    ssize_t const done = c->to >= 0 && *n_fed < n_in ? write(c->to, in + *n_fed, n_in - *n_fed) : 0;
    *n_fed += done > 0 ? (size_t)done : 0;
    if (*n_fed == n_in || (done < 0 && errno != EAGAIN && errno != EINTR)) {
        child_close_input(c);
    }
}

enum res child_convert(const struct child_spec *spec, const void *in, size_t n_in,
                       uint64_t deadline_ns, struct arena *a, struct child_output *out,
                       struct err *e)
{
    struct child c;
    size_t n_fed = 0;
    TRY(child_start(&c, spec, e));
    uint64_t const until_ns = child_now_ns() + deadline_ns;
    bytes_init(&out->bytes, a);
    for (feed(&c, in, n_in, &n_fed); c.to >= 0 && child_now_ns() < until_ns;
         feed(&c, in, n_in, &n_fed)) {
        struct pollfd to = {.fd = c.to, .events = POLLOUT};
        (void)poll(&to, 1, CHILD_LIST_MS);
        drain_log(&c);
    }
    bool const is_whole = read_to_end(&c, until_ns, &out->bytes);
    out->is_late = !is_whole && child_now_ns() >= until_ns;
    child_finish(&c, is_whole ? CHILD_GRACE_NS : 0, a, &out->end);
    return out->bytes.ok ? RES_OK
                         : err_set(e, RES_NOMEM, "%s: no room for its output", spec->argv[0]);
}

/* Run a command and give all that it prints, in the arena. RES_IO, with the end of its log: the
 * command fails, does not end before the deadline, or starts far too many processes. */
enum res child_read_all(const struct child_spec *spec, uint64_t deadline_ns, struct arena *a,
                        const char **text, struct err *e)
{
    struct child c;
    struct bytes b;
    struct child_end end;
    *text = "";
    TRY(child_start(&c, spec, e));
    bytes_init(&b, a);
    child_close_input(&c);
    bool const is_whole = read_to_end(&c, child_now_ns() + deadline_ns, &b);
    child_finish(&c, is_whole ? CHILD_GRACE_NS : 0, a, &end);
    char *copy = b.ok ? arena_copy(a, b.p, b.n) : NULL;
    bool const is_success = !end.was_killed && !end.signal && !end.exit_status;
    if (is_success && copy) { /* NULL: no room, which is RES_IO as well */
        *text = copy;
        return RES_OK;
    }
    const char *reason = "";
    if (end.is_swarm) {
        reason = "too many processes: ";
    } else if (end.was_killed) {
        reason = "does not end: ";
    }
    return err_set(e, RES_IO, "%s: %s%.300s", spec->argv[0], reason, end.log);
}

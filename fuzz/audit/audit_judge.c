/* fuzz/audit/audit_judge.c -- processes that judge the blocks of a row; no driver is in any of them. */
#include "fuzz/audit/audit_judge.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/audit/audit_memory.h"
#include "fuzz/process/child.h"
#include "fuzz/process/child_time.h"
#include "oracle/sweep/sweep_order.h"
#include "oracle/sweep/sweep_state.h"

enum {
    JUDGE_PIECE = 1 << 16, /* inputs that are counted and judged at a time: a second-level cache */
    JUDGE_MAX_OUT = 2,     /* orders: one in work, one that waits */
    JUDGE_COUNTED_BYTES = 4, /* of the widest input that is counted: of f64 never all are tried */
    JUDGE_EXIT_PIPE = 3
};
#define JUDGE_ARENA_BYTES ((size_t)4 << 20)

/* One judge's inside. */
struct judging {
    struct sweep *sweep;
    const struct audit_shared *shared;
    void *counted; /* room for JUDGE_PIECE inputs */
};

static void put_item(void *p, uint32_t item_bytes, uint32_t i, uint64_t v)
{
    store_le((unsigned char *)p + (size_t)i * item_bytes, v, item_bytes);
}

/* Two neighbouring inputs whose results are not next to each other in memory, or were judged in two
 * pieces: their order alone. */
static void judge_order(const struct judging *b, const uint64_t x[2],
                        const uint64_t (*results)[SWEEP_MAX_FORMS])
{
    uint32_t const size = b->shared->stream->item_bytes;
    uint64_t inputs[2] = {0, 0}, pairs[SWEEP_MAX_FORMS][2];
    const void *got[SWEEP_MAX_FORMS];
    for (uint32_t k = 0; k < 2; k++) {
        put_item(inputs, size, k, x[k]);
    }
    for (uint32_t form = 0; form < b->sweep->n_forms; form++) {
        put_item(pairs[form], size, 0, results[0][form]);
        put_item(pairs[form], size, 1, results[1][form]);
        got[form] = pairs[form];
    }
    struct sweep_block const two = {inputs, NULL, got, 2, NULL};
    sweep_count_breaks(b->sweep, &two, EVALUATOR_BASE);
}

static const unsigned char *get_result(const struct judging *b, uint32_t slot, uint32_t form,
                                       uint32_t i)
{
    const struct stream *const s = b->shared->stream;
    return b->shared->ring + stream_get_place(s, slot, s->n_inputs + form) +
           (size_t)i * s->item_bytes;
}

/* The pair at the seam before item i of the block. */
static void judge_seam(const struct judging *b, const struct audit_order *o, uint32_t i)
{
    uint64_t results[2][SWEEP_MAX_FORMS] = {{0}};
    uint32_t const size = b->shared->stream->item_bytes;
    uint64_t const x[2] = {i ? o->base + i - 1 : o->before_x, o->base + i};
    for (uint32_t form = 0; form < b->sweep->n_forms; form++) {
        results[0][form] = i ? load_le(get_result(b, o->slot, form, i - 1), size) : o->before[form];
        results[1][form] = load_le(get_result(b, o->slot, form, i), size);
    }
    judge_order(b, x, (const uint64_t(*)[SWEEP_MAX_FORMS])results);
}

/* Judge n results of the block that the order `o` names, from its item `first` on. With inputs in memory (a
 * search) each result is compared with that of its own input. Without, every number of the type is tried:
 * item i has the encoding base + i, and results of neighbours are compared too, so that a function that must
 * not fall is seen to fall; judge_seam does that across the start of the piece. */
static void judge_piece(const struct judging *b, const struct audit_order *o, uint32_t first,
                        uint32_t n)
{
    const struct stream *const s = b->shared->stream;
    const void *got[SWEEP_MAX_FORMS] = {NULL};
    for (uint32_t form = 0; form < b->sweep->n_forms; form++) {
        got[form] = get_result(b, o->slot, form, first);
    }
    if (!b->shared->inputs) {
        if (first > 0 || o->has_before) {
            judge_seam(b, o, first);
        }
        sweep_run(b->sweep, o->base + first, b->counted, got, n);
        return;
    }
    const void *args[SWEEP_ARGS] = {NULL};
    for (uint32_t i = 0; i < s->n_inputs; i++) {
        args[i] =
            b->shared->inputs + stream_get_place(s, o->slot, i) + (size_t)first * s->item_bytes;
    }
    sweep_block_many(b->sweep, args, got, n);
}

/* What a judge's process does and never returns from: read an order from `in`, judge its block piece by
 * piece, answer on `out` with the time that took, until the end of input. It exits with 0, or with
 * JUDGE_EXIT_PIPE where a pipe gave or took only a part of a message. */
static _Noreturn void be_judge(const struct judging *b, int in, int out)
{
    struct audit_order o;
    for (;;) {
        ssize_t const n = read(in, &o, sizeof o);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n != (ssize_t)sizeof o) {
            _exit(n == 0 ? 0 : JUDGE_EXIT_PIPE);
        }
        uint64_t const start_ns = child_used_cpu_ns(RUSAGE_SELF);
        for (uint32_t first = 0; first < o.n; first += JUDGE_PIECE) {
            uint32_t const left = o.n - first;
            judge_piece(b, &o, first, left < JUDGE_PIECE ? left : JUDGE_PIECE);
        }
        struct audit_answer const answer = {o.slot, o.n, child_used_cpu_ns(RUSAGE_SELF) - start_ns};
        if (write(out, &answer, sizeof answer) != (ssize_t)sizeof answer) {
            _exit(JUDGE_EXIT_PIPE);
        }
    }
}

static void close_fd(int fd)
{
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* In a new judge: let go of what is not its own, so that ends of pipes are seen. */
static void leave_others(const struct audit_judges *j, const struct audit_shared *shared)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (uint32_t i = 0; i < j->n; i++) {
        close_fd(j->judge[i].to);
        close_fd(j->judge[i].from);
    }
    if (shared->worker->state != HANDLE_DOWN) {
        close_fd(shared->worker->child.to);
        close_fd(shared->worker->child.from);
        close_fd(shared->worker->child.error);
    }
}

/* In the process of a new judge, with its ends of the pipes alone. */
static _Noreturn void become_judge(const struct audit_judges *j, const struct audit_shared *shared,
                                   struct sweep *sweep, const int order[2], const int answer[2])
{
    struct arena a;
    leave_others(j, shared);
    (void)close(order[1]);
    (void)close(answer[0]);
    arena_init(&a, JUDGE_ARENA_BYTES);
    void *const counted = arena_take(&a, (size_t)JUDGE_PIECE * JUDGE_COUNTED_BYTES);
    struct judging const b = {sweep, shared, counted};
    be_judge(&b, order[0], answer[1]);
}

/* Start one more judge: a process with a pipe for orders and one for answers. It leaves its results in
 * *sweep, which is memory that both share. Answers are read without waiting, as the parent has a driver to
 * feed. */
static enum res start_one(struct audit_judges *j, const struct audit_shared *shared,
                          struct sweep *sweep, struct err *e)
{
    int order[2] = {-1, -1}, answer[2] = {-1, -1};
    if (!child_make_pipe(order) || !child_make_pipe(answer)) {
        return err_set(e, RES_IO, "pipes of a judge: %s", strerror(errno));
    }
    pid_t const pid = fork();
    if (pid < 0) {
        return err_set(e, RES_IO, "fork of a judge: %s", strerror(errno));
    }
    if (pid == 0) {
        become_judge(j, shared, sweep, order, answer);
    }
    (void)close(order[0]);
    (void)close(answer[1]);
    (void)fcntl(answer[0], F_SETFL, O_NONBLOCK);
    j->judge[j->n++] =
        (struct audit_judge){.pid = pid, .to = order[1], .from = answer[0], .sweep = sweep};
    return RES_OK;
}

enum res audit_judges_start(struct audit_judges *j, uint32_t n, const struct sweep *start,
                            const struct audit_shared *shared, struct err *e)
{
    *j = (struct audit_judges){.n_bytes = n * sizeof(struct sweep)};
    j->memory = audit_take_memory(j->n_bytes);
    if (!j->memory) {
        return err_set(e, RES_IO, "memory of %u judges: %s", n, strerror(errno));
    }
    enum res r = RES_OK;
    for (uint32_t i = 0; i < n && r == RES_OK; i++) {
        struct sweep *const s = (struct sweep *)j->memory + i;
        *s = *start;
        r = start_one(j, shared, s, e);
    }
    return r;
}

struct audit_judge *audit_judges_find(struct audit_judges *j)
{
    struct audit_judge *best = NULL;
    for (uint32_t i = 0; i < j->n; i++) {
        if (j->judge[i].n_out < (best ? best->n_out : JUDGE_MAX_OUT)) {
            best = &j->judge[i];
        }
    }
    return best;
}

enum res audit_judge_send(struct audit_judge *j, const struct audit_order *o, struct err *e)
{
    if (write(j->to, o, sizeof *o) != (ssize_t)sizeof *o) {
        return err_set(e, RES_INTERNAL, "a judge takes no order: %s", strerror(errno));
    }
    j->n_out++;
    return RES_OK;
}

int audit_judge_receive(struct audit_judge *j, struct audit_answer *out)
{
    ssize_t const n = read(j->from, out, sizeof *out);
    if (n == (ssize_t)sizeof *out) {
        j->n_out--;
        return 1;
    }
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

void audit_judges_merge(const struct audit_judges *j, uint32_t form, struct sweep_result *to)
{
    for (uint32_t i = 0; i < j->n; i++) {
        sweep_merge(to, &j->judge[i].sweep->result[form]);
    }
}

void audit_judges_stop(struct audit_judges *j)
{
    for (uint32_t i = 0; i < j->n; i++) {
        close_fd(j->judge[i].to);
        close_fd(j->judge[i].from);
        if (j->judge[i].n_out > 0) {
            (void)kill(j->judge[i].pid, SIGKILL);
        }
    }
    for (uint32_t i = 0; i < j->n; i++) {
        while (waitpid(j->judge[i].pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    audit_unmap_memory(j->memory, j->n_bytes);
    *j = (struct audit_judges){0};
}

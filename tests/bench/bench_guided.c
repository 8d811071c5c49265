/* tests/bench/bench_guided.c -- what an execution of a guided campaign costs beside its case: the same tapes
 * generated, simulated and judged by themselves, and with the map, the tally and the journal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/runner.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/step.h"
#include "fuzz/guided/guided.h"
#include "fuzz/journal/journal.h"
#include "fuzz/process/child_time.h"
#include "fuzz/targets/targets_sim.h"

enum {
    BENCH_TAPES = 300,
    BENCH_TURNS = 3, /* of each way, by turns */
    BENCH_SEED = 1
};
#define BENCH_ARENA_BYTES ((size_t)512 << 20)

struct bench {
    struct arena a;
    struct run run;
    struct target target;
    struct guided *g;
    const char *folder;
    unsigned char *map;
    struct {
        const unsigned char *p;
        size_t n;
    } inputs[BENCH_TAPES];
};

static enum res make_inputs(struct bench *b, struct err *e)
{
    enum res r = RES_OK;
    const char *path = arena_printf(&b->a, "%s/input", b->folder);
    for (uint64_t i = 0; i < BENCH_TAPES && r == RES_OK; i++) {
        struct tape tape;
        r = sched_make_tape(BENCH_SEED, i, &b->a, &tape, e);
        r = r == RES_OK ? tape_save_file(&tape, path, "atomics", e) : r;
        r = r == RES_OK
                ? file_read(path, (size_t)1 << 20, &b->a, &b->inputs[i].p, &b->inputs[i].n, e)
                : r;
    }
    return r;
}

static enum res run_bare(struct bench *b, const void *input, size_t n, struct err *e)
{
    struct tape tape;
    const char *profile = "";
    struct judgement g;
    struct run *r = &b->run;
    arena_reset(&r->arena);
    step_begin(r);
    enum res res = tape_parse(&tape, "input", input, n, &profile, &r->arena, e);
    if (res == RES_OK) {
        res = gen_case((enum profile)profile_find(profile), gen_get_env(&tape), &tape, &r->arena,
                       &r->tc, &r->info, e);
    }
    if (res == RES_OK) {
        step_run_sim(&b->target, r->tc.tape_hash, r);
        res = judge_run(&r->tc, &r->ob, &r->arena, &g, e);
    }
    return res;
}

static enum res run_guided(struct bench *b, const void *input, size_t n, struct err *e)
{
    int is_new = 0;
    memset(b->map, 0, GUIDED_CELLS);
    return guided_execute(b->g, input, n, b->map, &is_new, e);
}

/* Seconds for all inputs. */
static enum res time_all(struct bench *b,
                         enum res (*one)(struct bench *, const void *, size_t, struct err *),
                         double *seconds, struct err *e)
{
    enum res r = RES_OK;
    double const start = (double)child_cpu_ns(getpid()) / 1e9;
    for (int i = 0; i < BENCH_TAPES && r == RES_OK; i++) {
        r = one(b, b->inputs[i].p, b->inputs[i].n, e);
    }
    *seconds += (double)child_cpu_ns(getpid()) / 1e9 - start;
    return r;
}

/* Compare, on the same tapes, the speed of guided_execute with that of generating, simulating and judging
 * alone, by turns so that both see the same machine. */
static enum res bench(struct bench *b, struct err *e)
{
    struct journal *j = NULL;
    double bare = 0;
    double guided = 0;
    struct campaign_plan const plan = {.profile = "atomics",
                                       .seed = BENCH_SEED,
                                       .gen_version = GEN_VERSION,
                                       .targets = "sim-ieee"};
    struct guided_options const o = {.target = &b->target, .folder = b->folder};
    enum res r = targets_make_sim("sim-ieee", &b->target, &b->a, e);
    r = r == RES_OK ? journal_open(&j, b->folder, &plan, e) : r;
    journal_close(j);
    r = r == RES_OK && mkdir(arena_printf(&b->a, "%s/instances", b->folder), 0777) != 0
            ? err_set(e, RES_IO, "%s/instances: cannot be made", b->folder)
            : r;
    r = r == RES_OK ? make_inputs(b, e) : r;
    r = r == RES_OK ? guided_open(&b->g, &o, e) : r;
    for (int i = 0; i < BENCH_TURNS && r == RES_OK; i++) {
        r = time_all(b, run_bare, &bare, e);
        r = r == RES_OK ? time_all(b, run_guided, &guided, e) : r;
    }
    guided_close(b->g);
    if (r == RES_OK) {
        double const n = BENCH_TAPES * BENCH_TURNS;
        (void)printf("guided_bare\t%.0f\tcases/s\n", n / bare);
        (void)printf("guided_execute\t%.0f\tcases/s\n", n / guided);
        (void)printf("guided_execute_share\t%.3f\tof generating, simulating and judging alone\n",
                     bare / guided);
    }
    return r;
}

/* Run the bench in a folder of its own, and remove that. Exit status 3: trouble. */
int main(void)
{
    struct bench *b = calloc(1, sizeof *b);
    struct err e = {RES_OK, ""};
    char folder[] = "/tmp/bench-guided-XXXXXX";
    if (!b || !mkdtemp(folder)) {
        (void)fprintf(stderr, "bench_guided: no folder\n");
        free(b);
        return 3;
    }
    arena_init(&b->a, BENCH_ARENA_BYTES);
    arena_init(&b->run.arena, HANDLE_RUN_BYTES);
    b->folder = folder;
    b->map = ARENA_NEW(&b->a, unsigned char, GUIDED_CELLS);
    enum res const r = b->map ? bench(b, &e) : RES_NOMEM;
    if (r != RES_OK) {
        (void)fprintf(stderr, "bench_guided: %s\n", e.text);
    }
    static const char *const left[] = {"journal.sqlite", "instances/00.tally", "input",
                                       "instances"};
    for (size_t i = 0; i < ARRAY_N(left); i++) {
        (void)remove(arena_printf(&b->a, "%s/%s", folder, left[i]));
    }
    (void)remove(folder);
    arena_free(&b->run.arena);
    arena_free(&b->a);
    free(b);
    return r == RES_OK ? 0 : 3;
}

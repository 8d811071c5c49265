/* tests/rig/guided_rig.h -- a guided campaign of one instance, driven by hand. Included once. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/seeds.h"
#include "fuzz/campaign/tally.h"
#include "fuzz/guided/guided.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/targets/targets_sim.h"
#include "tests/rig/fake_worker.h"
#include "tests/rig/folder_rig.h"

enum {
    SEED = 14,
    MAX_TAPES = 400,
    N_MORE = 8,
    MANY = 120 /* tapes, of which some reach the same edge */
};

static char self_path[4096];

struct rig {
    struct arena a, input_arena;
    char folder[256];
    struct target target;
    struct guided_options options;
    struct guided *g;
    unsigned char *map;
    int is_new;
    const char *log;                  /* of the fake worker, NULL: it keeps none */
    long log_read;                    /* bytes of it that were looked at */
    unsigned char *edges;             /* FAKE_N_EDGES that it shares, or NULL */
    unsigned char seen[FAKE_N_EDGES]; /* in any execution so far */
};

static inline void open_rig(struct rig *r)
{
    struct err e;
    r->options = (struct guided_options){.target = &r->target,
                                         .folder = r->folder,
                                         .instance = 3,
                                         .edges = r->edges,
                                         .n_edges = r->edges ? FAKE_N_EDGES : 0};
    if (guided_open(&r->g, &r->options, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

static inline void set_up(struct rig *r)
{
    struct err e;
    struct journal *j = NULL;
    memset(r, 0, sizeof *r);
    arena_init(&r->a, (size_t)64 << 20);
    arena_init(&r->input_arena, (size_t)16 << 20);
    folder_make(r->folder, sizeof r->folder, "guided");
    r->map = ARENA_NEW(&r->a, unsigned char, GUIDED_CELLS);
    struct campaign_plan const plan = {
        .profile = "atomics", .seed = SEED, .gen_version = GEN_VERSION, .targets = "x"};
    assert_int_equal(journal_open(&j, r->folder, &plan, &e), RES_OK);
    journal_close(j);
    assert_int_equal(file_make_path(arena_printf(&r->a, "%s/instances", r->folder), &e), RES_OK);
    assert_int_equal(file_make_path(arena_printf(&r->a, "%s/seeds", r->folder), &e), RES_OK);
}

static inline void set_up_sim(struct rig *r, const char *name)
{
    struct err e;
    set_up(r);
    assert_int_equal(targets_make_sim(name, &r->target, &r->a, &e), RES_OK);
    open_rig(r);
}

/* This program is the worker. */
static inline void make_worker(struct rig *r, const char *mode)
{
    set_up(r);
    r->target = (struct target){
        .name = "fake",
        .env = ENV_CL,
        .loader = "",
        .device = "",
        .worker = self_path,
        .env_vars = {arena_printf(&r->a, "FAKE=%s", mode), NULL},
        .hello_ns = UINT64_C(20000000000),
        .case_ns = UINT64_C(1000000000) * (strcmp(mode, "hang") == 0 ? 2 : 20),
        .origin = "test"
    };
}

static inline void set_up_worker(struct rig *r, const char *mode)
{
    make_worker(r, mode);
    open_rig(r);
}

/* The same with instrumentation: its edges are shared, and it writes down what it is asked for. */
static inline void set_up_edges(struct rig *r, const char *mode)
{
    make_worker(r, mode);
    const char *path = arena_printf(&r->a, "%s/fake.edges", r->folder);
    r->log = arena_printf(&r->a, "%s/fake.log", r->folder);
    int const fd = open(path, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0 && ftruncate(fd, FAKE_N_EDGES) == 0);
    r->edges = mmap(NULL, FAKE_N_EDGES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(r->edges != MAP_FAILED);
    (void)close(fd);
    r->target.env_vars[1] = arena_printf(&r->a, "FAKE_EDGES=%s", path);
    r->target.env_vars[2] = arena_printf(&r->a, "FAKE_LOG=%s", r->log);
    open_rig(r);
}

static inline void tear_down(struct rig *r)
{
    guided_close(r->g);
    if (r->edges) {
        (void)munmap(r->edges, FAKE_N_EDGES);
    }
    arena_free(&r->a);
    arena_free(&r->input_arena);
    folder_remove(r->folder);
}

/* The bytes of an input: random tape `i` as a file. */
static inline const unsigned char *make_input(struct rig *r, uint64_t i, size_t *n)
{
    struct err e;
    struct tape tape;
    const unsigned char *p = NULL;
    arena_reset(&r->input_arena);
    const char *path = arena_printf(&r->input_arena, "%s/input", r->folder);
    assert_int_equal(sched_make_tape(SEED, i, &r->input_arena, &tape, &e), RES_OK);
    assert_int_equal(tape_save_file(&tape, path, "atomics", &e), RES_OK);
    assert_int_equal(file_read(path, 1 << 20, &r->input_arena, &p, n, &e), RES_OK);
    return p;
}

static inline enum res execute(struct rig *r, const void *input, size_t n, struct err *e)
{
    memset(r->map, 0, GUIDED_CELLS);
    return guided_execute(r->g, input, n, r->map, &r->is_new, e);
}

static inline void execute_tape(struct rig *r, uint64_t i)
{
    struct err e;
    size_t n = 0;
    const unsigned char *input = make_input(r, i, &n);
    if (execute(r, input, n, &e) != RES_OK) {
        fail_msg("tape %d: %s", (int)i, e.text);
    }
}

static inline int has_state(const struct rig *r, enum guided_state s)
{
    return r->map[GUIDED_CELLS - (size_t)s];
}

static inline struct tally_figures figures(struct rig *r)
{
    struct err e;
    struct tally *t = NULL;
    assert_int_equal(tally_open(&t, guided_tally_path(r->folder, 3, &r->a), &e), RES_OK);
    struct tally_figures const f = *tally_get(t);
    tally_close(t);
    return f;
}

/* What the journal holds when the instance is closed. */
static inline void load(struct rig *r, struct campaign *out)
{
    struct err e;
    struct journal *j = NULL;
    guided_close(r->g);
    r->g = NULL;
    assert_int_equal(journal_open(&j, r->folder, NULL, &e), RES_OK);
    assert_int_equal(journal_load(j, &r->a, out, &e), RES_OK);
    journal_close(j);
    assert_int_equal(out->n_targets, 1);
}

static inline uint64_t count_verdict(const struct campaign *c, enum verdict_kind kind)
{
    return c->targets[0].n_verdict[kind];
}

/* First tape from `from` on whose execution finds something new. */
static inline uint64_t find_new(struct rig *r, uint64_t from)
{
    for (uint64_t i = from; i < MAX_TAPES; i++) {
        execute_tape(r, i);
        if (r->is_new) {
            return i;
        }
    }
    fail_msg("no tape shows the fault");
    return 0;
}

/* tests/prove/prove_nir_lavapipe.c -- the interpreter of NIR gives what lavapipe gives: the NIR that lavapipe prints when a case
 * is dispatched is interpreted, and each byte of its buffers compared with that of the run. prove_nir_lavapipe FOLDER [N]: N cases
 * (10000) of each release in FOLDER/nir_lavapipe.tsv, a line for each case; those that are missing are added, so that a run
 * resumes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/step.h"
#include "fuzz/pool/handle.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "oracle/nir/nir.h"

enum {
    LAVAPIPE_SEED = 20261127,
    N_CASES = 10000,
    MAX_LINES = 65536,
    SUBGROUP_SIZE = 8, /* of both releases, with 256 bits */
    RUNS = 2,
    MAX_SHOWN = 3 /* differing words of a case that are printed */
};
static const char *const releases[] = {"lavapipe-26", "lavapipe-25"};
/* Where the worker of a proof writes what its driver says, in its own folder. */
#define SAYS "exec \"$0\" \"$@\" 2>>{tmp}/said"
static const uint64_t said_bytes = UINT64_C(1) << 28; /* of that file */

struct proof {
    struct target target;
    struct worker_handle handle;
    struct arena keep, work;
    struct run runs[RUNS];
    FILE *lines;
    bool (*is_there)[N_CASES];
    const char *shown; /* where texts of cases that differ are kept; NULL: nowhere */
};

/* What came of a case. */
enum came {
    CAME_EQUAL,
    CAME_DIFFERENT,
    CAME_UNKNOWN, /* the interpreter does not run it */
    CAME_SKIPPED  /* the driver does not run it */
};
static const char *const came_names[] = {"equal", "different", "unknown", "skipped"};

/* Starts a target's worker so that what its driver prints goes to a file. */
static void make_target(struct proof *p, const struct target *t)
{
    static const char *const words[] = {"sh", "-c", SAYS};
    size_t n = 0, k = 0;
    p->target = *t;
    while (p->target.launcher[n]) {
        n++;
    }
    for (size_t i = 0; i < ARRAY_N(words) && n < TARGET_MAX_LAUNCHER; i++) {
        p->target.launcher[n++] = words[i];
    }
    while (p->target.env_vars[k]) {
        k++;
    }
    if (k + 1 < TARGET_MAX_ENV) {
        p->target.env_vars[k++] = "LP_DEBUG=cs";
        p->target.env_vars[k] = "MESA_SHADER_CACHE_DISABLE=true";
    }
    p->target.file_bytes = said_bytes;
}

/* What the driver said since the last time, in the arena; NULL: nothing. */
static const char *take_said(struct proof *p, size_t *n)
{
    char path[CHILD_MAX_PATH + 16];
    (void)snprintf(path, sizeof path, "%s/said", p->handle.child.folder);
    FILE *const f = fopen(path, "rb");
    char *text = NULL;
    *n = 0;
    if (f && fseek(f, 0, SEEK_END) == 0) {
        long const size = ftell(f);
        text = size > 0 ? arena_take(&p->work, (size_t)size + 1) : NULL;
        rewind(f);
        *n = text ? fread(text, 1, (size_t)size, f) : 0;
    }
    if (f) {
        (void)fclose(f);
        if (truncate(path, 0) != 0) {
            text = NULL;
        }
    }
    return text;
}

/* The last program in what was said: the driver prints each that it makes, and then more of it. */
static const char *find_program(const char *said, size_t *n)
{
    static const char begin[] = "shader: MESA_SHADER_COMPUTE";
    const char *found = NULL;
    for (const char *s = said ? strstr(said, begin) : NULL; s; s = strstr(s + 1, begin)) {
        found = s;
    }
    const char *const end = found ? strstr(found, "\n}\n") : NULL;
    *n = end ? (size_t)(end - found) + strlen("\n}\n") : found ? strlen(found) : 0;
    return found;
}

static enum res run_case(struct proof *p, struct run *r, struct err *e)
{
    handle_drop_done(&p->handle);
    do {
        if (p->handle.state == HANDLE_DOWN) {
            TRY(handle_start_and_wait(&p->handle, e));
        }
        TRY(handle_submit(&p->handle, r, e));
        (void)handle_wait(&p->handle);
        handle_drop_done(&p->handle);
    } while (p->handle.flight == r); /* it took nothing of it */
    return RES_OK;
}

/* Bytes of all buffers that differ; the first ones are printed. */
static uint64_t count_different(const struct proof *p, const struct run *r,
                                const struct observation *ours, uint64_t *n_bytes)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < r->tc.n_bufs; i++) {
        for (uint32_t k = 0; k < r->tc.bufs[i].n_bytes; k += 4) {
            uint64_t const a = load_le(ours->out[i] + k, 4), b = load_le(r->ob.out[i] + k, 4);
            *n_bytes += 4;
            if (a != b && n++ < MAX_SHOWN) {
                printf("%s %" PRIu64 ": buffer %u, word %u: 0x%08" PRIx64 ", lavapipe 0x%08" PRIx64
                       "\n",
                       p->target.name, r->index, i, k / 4, a, b);
            }
        }
    }
    return n;
}

static void keep_text(const struct proof *p, uint64_t index, const char *text, size_t n)
{
    char path[512];
    FILE *f = NULL;
    if (p->shown) {
        (void)snprintf(path, sizeof path, "%s/%s-%" PRIu64 ".nir", p->shown, p->target.name, index);
        f = fopen(path, "wb");
    }
    if (f) {
        (void)fwrite(text, 1, n, f);
        (void)fclose(f);
    }
}

static enum res try_case(struct proof *p, uint64_t index, struct err *e)
{
    struct run *const r = &p->runs[index % RUNS];
    struct tape tape;
    struct observation ours;
    struct nir_answer answer = {.text = ""};
    enum came came = CAME_SKIPPED;
    uint64_t n_bytes = 0, n_different = 0;
    size_t n_said = 0, n_text = 0;
    arena_reset(&r->arena);
    arena_reset(&p->work);
    step_begin(r);
    r->index = index;
    TRY(sched_make_case(PROFILE_ALL, LAVAPIPE_SEED, index, ENV_VK, &r->arena, &r->tc, &tape, e));
    if (p->handle.state == HANDLE_DOWN) {
        TRY(handle_start_and_wait(&p->handle, e));
    }
    if (facts_get_fit(p->handle.facts, &r->tc.needs) == FIT_LISTED) {
        TRY(run_case(p, r, e));
    }
    if (r->ob.status == RUN_DONE && r->ob.n_bufs == r->tc.n_bufs) {
        const char *const text = find_program(take_said(p, &n_said), &n_text);
        struct nir_request const q = {.text = text ? text : "",
                                      .n_bytes = n_text,
                                      .driver = NIR_DRIVER_LAVAPIPE,
                                      .subgroup_size = SUBGROUP_SIZE};
        bool const is_run = nir_run(&q, &r->tc, &p->work, &ours, &answer);
        n_different = is_run ? count_different(p, r, &ours, &n_bytes) : 0;
        came = !is_run ? CAME_UNKNOWN : n_different ? CAME_DIFFERENT : CAME_EQUAL;
        if (came != CAME_EQUAL) {
            keep_text(p, index, q.text, n_text);
        }
    }
    if (step_is_trouble(&r->ob)) {
        (void)handle_kill(&p->handle);
        handle_drop_done(&p->handle);
    }
    (void)fprintf(p->lines, "%s\t%" PRIu64 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\n", p->target.name,
                  index, came_names[came], n_bytes / 4, n_different, answer.text);
    (void)fflush(p->lines);
    return RES_OK;
}

static void read_lines(FILE *f, bool (*is_there)[N_CASES])
{
    char line[512], name[32];
    uint64_t index = 0;
    while (fgets(line, sizeof line, f)) {
        for (size_t i = 0; i < ARRAY_N(releases); i++) {
            if (sscanf(line, "%31[^\t]\t%" SCNu64, name, &index) == 2 && index < N_CASES &&
                strcmp(name, releases[i]) == 0) {
                is_there[i][index] = true;
            }
        }
    }
}

static enum res prove(struct proof *p, const struct target *t, const bool *is_there, uint64_t n,
                      struct err *e)
{
    make_target(p, t);
    handle_init(&p->handle, &p->target);
    for (uint64_t i = 0; i < n; i++) {
        enum res const res = is_there[i] ? RES_OK : try_case(p, i, e);
        if (res == RES_NOMEM) {
            printf("%s %" PRIu64 ": %s\n", t->name, i, e->text);
        } else if (res != RES_OK) {
            return res;
        }
    }
    handle_free(&p->handle);
    return RES_OK;
}

int main(int argc, char **argv)
{
    static struct target_list list;
    static bool is_there[ARRAY_N(releases)][N_CASES];
    static struct proof p;
    struct err e = {RES_OK, ""};
    char path[512];
    if (argc < 2 || argc > 4) {
        (void)fprintf(stderr, "usage: prove_nir_lavapipe FOLDER [CASES [TEXTS]]\n");
        return 2;
    }
    uint64_t const n = argc > 2 ? strtoull(argv[2], NULL, 10) : N_CASES;
    p.shown = argc > 3 ? argv[3] : NULL;
    (void)snprintf(path, sizeof path, "%s/nir_lavapipe.tsv", argv[1]);
    p.lines = fopen(path, "a+");
    arena_init(&p.keep, (size_t)64 << 20);
    arena_init(&p.work, (size_t)1 << 30);
    for (size_t i = 0; i < RUNS; i++) {
        arena_init(&p.runs[i].arena, HANDLE_RUN_BYTES);
    }
    if (!p.lines || targets_find(&list, NULL, &p.keep, &e) != RES_OK) {
        (void)fprintf(stderr, "prove: %s: %s\n", path, e.text);
        return 3;
    }
    rewind(p.lines);
    read_lines(p.lines, is_there);
    for (size_t i = 0; i < ARRAY_N(releases); i++) {
        for (uint32_t k = 0; k < list.n; k++) {
            bool const is_one = strcmp(list.t[k].name, releases[i]) == 0;
            if (is_one && prove(&p, &list.t[k], is_there[i], n < N_CASES ? n : N_CASES, &e) != RES_OK) {
                (void)fprintf(stderr, "prove: %s\n", e.text);
                return 3;
            }
        }
    }
    return fclose(p.lines) == 0 ? 0 : 1;
}

/* tests/prove/prove_triggers.c -- for each row of corpora/triggers/triggers.tsv a tape of a case that has the row's
 * shape: what is not there yet is looked for among random tapes, and written. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "fuzz/io/bundle.h"
#include "fuzz/known/columns.h"
#include "fuzz/known/pattern.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"

static const char folder[] = "corpora/triggers";
enum {
    N_COLUMNS = 8,
    NAME = 0,
    SHAPE = 3,
    MAX_ROWS = 200,
    MAX_TEXT = 1 << 16,
    MAX_PATH = 512,
    N_TAPES = 400000
};
static const uint64_t seed_of_search = 20261126;

/* A row that has no tape yet. */
struct wanted {
    const char *name, *text;
    struct pattern shape;
    enum env env;
    bool is_found;
    unsigned best; /* links found at most */
};
struct list {
    struct wanted row[MAX_ROWS];
    uint32_t n;
};

static const char *path_of(char *path, const char *name, const char *file)
{
    (void)snprintf(path, MAX_PATH, "%s/%s/%s", folder, name, file);
    return path;
}

/* One row: its shape, and the environment of its own case. */
static enum res read_row(struct list *l, const char *const *column, struct arena *a, struct err *e)
{
    char path[MAX_PATH];
    struct wanted *const w = &l->row[l->n];
    struct bundle b;
    FILE *const f = fopen(path_of(path, column[NAME], "tape.bin"), "rb");
    if (f) {
        (void)fclose(f);
        return RES_OK;
    }
    (void)snprintf(path, sizeof path, "%s/%s", folder, column[NAME]);
    TRY(bundle_read(path, a, &b, e));
    TRY(pattern_parse(&w->shape, column[SHAPE], a, e));
    w->name = column[NAME];
    w->text = column[SHAPE];
    w->env = b.tc.env;
    l->n++;
    return RES_OK;
}

static enum res read_list(struct list *l, struct arena *a, struct err *e)
{
    const unsigned char *bytes = NULL;
    size_t n = 0;
    char path[MAX_PATH];
    (void)snprintf(path, sizeof path, "%s/triggers.tsv", folder);
    TRY(file_read(path, MAX_TEXT, a, &bytes, &n, e));
    char *rest = arena_copy(a, bytes, n);
    const char *column[N_COLUMNS];
    if (!rest || !strtok_r(rest, "\n", &rest)) {
        return err_set(e, RES_FORMAT, "%s: empty", path);
    }
    for (char *line; l->n < MAX_ROWS && (line = strtok_r(NULL, "\n", &rest)) != NULL;) {
        if (columns_split(line, column, N_COLUMNS) != N_COLUMNS) {
            return err_set(e, RES_FORMAT, "%s: not %d columns: %s", path, N_COLUMNS, line);
        }
        TRY(read_row(l, column, a, e));
    }
    return RES_OK;
}

/* The rows of that environment whose shape the case of the tape has. */
static enum res try_tape(struct list *l, enum profile profile, enum env env, const struct tape *t,
                         struct arena *a, struct err *e)
{
    struct testcase tc;
    char path[MAX_PATH];
    TRY(gen_case(profile, env, t, a, &tc, NULL, e));
    const struct pattern_module *const m = pattern_read(tc.module, tc.n_words, a);
    if (!m) {
        return err_set(e, RES_NOMEM, "no memory for a module");
    }
    for (uint32_t i = 0; i < l->n; i++) {
        struct wanted *const w = &l->row[i];
        unsigned const n = w->env == env && !w->is_found ? pattern_find(&w->shape, m) : 0;
        w->best = n > w->best ? n : w->best;
        if (n < w->shape.n || n == 0) {
            continue;
        }
        w->is_found = true;
        TRY(tape_save_file(t, path_of(path, w->name, "tape.bin"), profile_names[profile], e));
        printf("%s\n", w->name);
        (void)fflush(stdout);
    }
    return RES_OK;
}

static enum res search(struct list *l, struct err *e)
{
    static const enum profile profiles[] = {PROFILE_PROGRAMS, PROFILE_PROGRAMS, PROFILE_ATOMICS,
                                            PROFILE_GROUPS,   PROFILE_ALL,      PROFILE_MAXERROR};
    struct rng root = rng_seed(seed_of_search);
    struct arena a;
    enum res r = RES_OK;
    arena_init(&a, (size_t)256 << 20);
    for (uint64_t i = 0; i < N_TAPES && r == RES_OK; i++) {
        struct rng rng = rng_fork(&root, i);
        struct tape t;
        arena_reset(&a);
        r = tape_random(&t, &rng, &a, e);
        for (int env = 0; env < ENV_N && r == RES_OK; env++) {
            r = try_tape(l, profiles[i % ARRAY_N(profiles)], (enum env)env, &t, &a, e);
        }
    }
    arena_free(&a);
    return r;
}

/* prove_triggers FOLDER: the folder is not used, as tapes stand beside their triggers. Exit status 0: each shape
 * has a tape. */
int main(void)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    uint32_t n_missing = 0;
    arena_init(&a, (size_t)256 << 20);
    struct list *const l = ARENA_NEW(&a, struct list, 1);
    if (!l || read_list(l, &a, &e) != RES_OK || search(l, &e) != RES_OK) {
        (void)fprintf(stderr, "prove: %s\n", e.text);
        return 3;
    }
    for (uint32_t i = 0; i < l->n; i++) {
        if (!l->row[i].is_found) {
            printf("not drawn: %s: %s (%u of %u)\n", l->row[i].name, l->row[i].text, l->row[i].best,
                   l->row[i].shape.n);
            n_missing++;
        }
    }
    arena_free(&a);
    return n_missing > 0;
}

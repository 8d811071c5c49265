/* fuzz/campaign/seeds.c -- the inputs that a guided campaign begins with, in a folder of its own. */
#include "fuzz/campaign/seeds.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/bundle.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"

enum {
    SEEDS_MAX_BYTES = 1 << 20,
    SEEDS_RANDOM = 8
};
#define SEEDS_ARENA_BYTES ((size_t)64 << 20)

/* The end of a seed's file name. */
enum {
    NAME_BYTES = 32
};
static void put_end(char end[NAME_BYTES], const void *input, size_t n)
{
    (void)snprintf(end, NAME_BYTES, "-%016" PRIx64 ".tape", hash_bytes(n, input, n));
}

int seeds_have(const char *folder, const void *input, size_t n)
{
    char end[NAME_BYTES];
    struct arena a;
    arena_init(&a, 1 << 16);
    DIR *const dir = opendir(arena_printf(&a, "%s/seeds", folder));
    const struct dirent *entry = NULL;
    int is_there = 0;
    put_end(end, input, n);
    while (dir && !is_there && (entry = readdir(dir)) != NULL) {
        size_t const length = strlen(entry->d_name);
        is_there = length > strlen(end) && strcmp(entry->d_name + length - strlen(end), end) == 0;
    }
    if (dir) {
        (void)closedir(dir);
    }
    arena_free(&a);
    return is_there;
}

/* Do cases of a campaign of that profile have this one? */
static bool fits(enum profile campaign, const char *name)
{
    enum profile const own = (enum profile)profile_find(name);
    bool is_its = own == campaign;
    for (uint64_t turn = 0; turn < SCHED_TURNS && !is_its; turn++) {
        is_its = own == sched_pick_profile(campaign, turn);
    }
    return is_its;
}

/* Into the folder, as the next one. */
static enum res put(const struct seeds_options *o, const struct seeds_figures *f, const void *p,
                    size_t n, struct arena *a, struct err *e)
{
    char end[NAME_BYTES];
    put_end(end, p, n);
    const char *path =
        arena_printf(a, "%s/seeds/%06" PRIu32 "%s", o->folder, f->n_taken + f->n_random, end);
    return path[0] ? file_write(path, p, n, e) : err_set(e, RES_NOMEM, "no memory for a seed");
}

static enum res take_file(const struct seeds_options *o, const char *path,
                          struct seeds_figures *out, struct arena *a, struct err *e)
{
    const unsigned char *p = NULL;
    size_t n = 0;
    struct tape tape;
    const char *profile = "";
    struct err unfit;
    if (file_read(path, SEEDS_MAX_BYTES, a, &p, &n, &unfit) != RES_OK ||
        tape_parse(&tape, path, p, n, &profile, a, &unfit) != RES_OK ||
        !fits(o->profile, profile)) {
        out->n_unfit++;
        return RES_OK;
    }
    out->n_taken++;
    return put(o, out, p, n, a, e);
}

static enum res take_folder(const struct seeds_options *o, struct seeds_figures *out,
                            struct arena *a, struct err *e)
{
    struct dirent **entry = NULL;
    int const n = scandir(o->corpus, &entry, NULL, alphasort);
    if (n < 0) {
        return err_set(e, RES_USAGE, "%s: %s", o->corpus, strerror(errno));
    }
    enum res r = RES_OK;
    for (int i = 0; i < n; i++) {
        if (r == RES_OK && entry[i]->d_name[0] != '.') {
            arena_reset(a);
            r = take_file(o, arena_printf(a, "%s/%s", o->corpus, entry[i]->d_name), out, a, e);
        }
        free(entry[i]);
    }
    free(entry);
    return r;
}

static enum res put_random(const struct seeds_options *o, uint64_t index, const char *path,
                           struct seeds_figures *out, struct arena *a, struct err *e)
{
    struct tape tape;
    const unsigned char *p = NULL;
    size_t n = 0;
    const char *const profile = profile_names[sched_pick_profile(o->profile, index)];
    TRY(sched_make_tape(o->seed, index, a, &tape, e));
    TRY(tape_save_file(&tape, path, profile, e));
    TRY(file_read(path, SEEDS_MAX_BYTES, a, &p, &n, e));
    return put(o, out, p, n, a, e);
}

static enum res make_random(const struct seeds_options *o, struct seeds_figures *out,
                            struct arena *a, struct err *e)
{
    enum res r = RES_OK;
    for (uint64_t i = 0; i < SEEDS_RANDOM && r == RES_OK; i++) {
        arena_reset(a);
        const char *path = arena_printf(a, "%s/seed.new", o->folder);
        r = put_random(o, i, path, out, a, e);
        (void)remove(path);
        out->n_random++;
    }
    return r;
}

enum res seeds_make(const struct seeds_options *o, struct seeds_figures *out, struct err *e)
{
    struct arena a;
    arena_init(&a, SEEDS_ARENA_BYTES);
    memset(out, 0, sizeof(*out));
    const char *folder = arena_printf(&a, "%s/seeds", o->folder);
    enum res r = file_make_folder(folder, e);
    if (r == RES_OK && o->corpus) {
        r = take_folder(o, out, &a, e);
    }
    if (r == RES_OK && out->n_taken == 0) {
        r = make_random(o, out, &a, e);
    }
    arena_free(&a);
    return r;
}

/* fuzz/seeds.c -- the inputs that a guided campaign begins with, in a folder of its own. */
#include "fuzz/seeds.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/bundle.h"
#include "fuzz/sched.h"

enum {
    SEEDS_MAX_BYTES = 1 << 20,
    SEEDS_RANDOM = 8
};
#define SEEDS_ARENA_BYTES ((size_t)64 << 20)

const char *seeds_path(const char *folder, const void *input, size_t n, struct arena *a)
{
    return arena_printf(a, "%s/seeds/%016" PRIx64 ".tape", folder, hash_bytes(n, input, n));
}

/* Do cases of a campaign of that profile have this one? */
static int fits(enum profile campaign, const char *name)
{
    enum profile const own = (enum profile)profile_find(name);
    return own == campaign ||
           (campaign == PROFILE_ALL && (own == PROFILE_ATOMICS || own == PROFILE_GROUPS));
}

/* Into the folder under the name of its content. */
static enum res put(const struct seeds_options *o, const void *p, size_t n, struct arena *a,
                    struct err *e)
{
    const char *path = seeds_path(o->folder, p, n, a);
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
    return put(o, p, n, a, e);
}

static enum res take_folder(const struct seeds_options *o, struct seeds_figures *out,
                            struct arena *a, struct err *e)
{
    DIR *dir = opendir(o->corpus);
    if (!dir) {
        return err_set(e, RES_USAGE, "%s: %s", o->corpus, strerror(errno));
    }
    enum res r = RES_OK;
    struct dirent *entry = NULL;
    while (r == RES_OK && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.') {
            arena_reset(a);
            r = take_file(o, arena_printf(a, "%s/%s", o->corpus, entry->d_name), out, a, e);
        }
    }
    (void)closedir(dir);
    return r;
}

static enum res make_random(const struct seeds_options *o, struct seeds_figures *out,
                            struct arena *a, struct err *e)
{
    enum res r = RES_OK;
    for (uint64_t i = 0; i < SEEDS_RANDOM && r == RES_OK; i++) {
        struct tape tape;
        const unsigned char *p = NULL;
        size_t n = 0;
        arena_reset(a);
        const char *path = arena_printf(a, "%s/seed.new", o->folder);
        r = sched_make_tape(o->seed, i, a, &tape, e);
        r = r == RES_OK
                ? tape_save_file(&tape, path, profile_names[sched_pick_profile(o->profile, i)], e)
                : r;
        r = r == RES_OK ? file_read(path, SEEDS_MAX_BYTES, a, &p, &n, e) : r;
        r = r == RES_OK ? put(o, p, n, a, e) : r;
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
    enum res r = bundle_make_folder(folder, e);
    r = r == RES_OK && o->corpus ? take_folder(o, out, &a, e) : r;
    r = r == RES_OK && out->n_taken == 0 ? make_random(o, out, &a, e) : r;
    arena_free(&a);
    return r;
}

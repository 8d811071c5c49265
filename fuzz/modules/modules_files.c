/* fuzz/modules/modules_files.c -- the files of a folder in a fixed order, and a hash by which a change of it shows. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "fuzz/modules/modules_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum {
    MAX_DEPTH = 16,
    HASHED_BYTES = 64 << 20 /* of a larger file the name alone is hashed; no kernel is so large */
};

/* Add the files of one folder, which is `below` the first, and of the folders in it. */
static enum res add_folder(struct modules_files *x, const char *below, int depth, struct arena *a,
                           struct err *e)
{
    enum res r = RES_OK;
    const struct dirent *entry = NULL;
    DIR *const dir = opendir(arena_printf(a, "%s/%s", x->folder, below));
    while (dir && r == RES_OK && (entry = readdir(dir)) != NULL) {
        struct stat is, of;
        const char *const name = arena_printf(a, "%s%s", below, entry->d_name);
        const char *const path = arena_printf(a, "%s/%s", x->folder, name);
        if (entry->d_name[0] == '.' || lstat(path, &is) != 0 || stat(path, &of) != 0) {
            continue;
        }
        if (S_ISDIR(is.st_mode) && depth < MAX_DEPTH) {
            r = add_folder(x, arena_printf(a, "%s/", name), depth + 1, a, e);
        } else if (S_ISREG(of.st_mode) && x->n == MODULES_MAX_FILES) {
            r = err_set(e, RES_LIMIT, "%s: more than %d files", x->folder, MODULES_MAX_FILES);
        } else if (S_ISREG(of.st_mode)) {
            x->names[x->n++] = name;
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    return r;
}

static int compare_names(const void *p, const void *q)
{
    return strcmp(*(const char *const *)p, *(const char *const *)q);
}

/* A file that cannot be read counts as empty: whoever opens it says why. */
static uint64_t hash_files(const struct modules_files *x)
{
    struct arena scratch;
    uint64_t h = 0;
    arena_init(&scratch, (size_t)HASHED_BYTES + FILE_MAX_PATH * 2);
    for (uint32_t i = 0; i < x->n; i++) {
        struct err ignored;
        const unsigned char *bytes = NULL;
        size_t n = 0;
        arena_reset(&scratch);
        h = hash_bytes(h, x->names[i], strlen(x->names[i]) + 1);
        if (file_read(arena_printf(&scratch, "%s/%s", x->folder, x->names[i]), HASHED_BYTES - 1,
                      &scratch, &bytes, &n, &ignored) == RES_OK) {
            h = hash_bytes(h, bytes, n);
        }
    }
    arena_free(&scratch);
    return h;
}

enum res modules_files_list(const char *folder, struct arena *a, struct modules_files *out,
                            struct err *e)
{
    struct stat st;
    char *const whole = realpath(folder, NULL);
    *out = (struct modules_files){.folder = whole ? arena_printf(a, "%s", whole) : folder};
    free(whole);
    if (!whole || stat(out->folder, &st) != 0) {
        return err_set(e, RES_USAGE, "%s: %s", folder, strerror(errno));
    }
    if (!S_ISDIR(st.st_mode)) {
        return err_set(e, RES_USAGE, "%s: is not a folder", folder);
    }
    if (access(out->folder, R_OK | X_OK) != 0) {
        return err_set(e, RES_USAGE, "%s: %s", folder, strerror(errno));
    }
    out->names = ARENA_NEW(a, const char *, MODULES_MAX_FILES);
    if (!out->names) {
        return err_set(e, RES_NOMEM, "%s: no memory for the names of its files", folder);
    }
    TRY(add_folder(out, "", 0, a, e));
    if (a->is_full) {
        return err_set(e, RES_NOMEM, "%s: no memory for the names of its files", folder);
    }
    if (out->n == 0) {
        return err_set(e, RES_USAGE, "%s: has no files", folder);
    }
    qsort(out->names, out->n, sizeof out->names[0], compare_names);
    out->hash = hash_files(out);
    return RES_OK;
}

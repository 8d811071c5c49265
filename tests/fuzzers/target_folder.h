/* tests/fuzzers/target_folder.h -- a folder that lives as long as one input, for parsers that read files. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzzers/target.h"

struct target_folder {
    char path[256];
};

/* A new, empty folder below TMPDIR (best in memory) or /tmp; aborts where there can be none. */
static inline void target_folder_make(struct target_folder *f)
{
    const char *const base = getenv("TMPDIR");
    int const n = snprintf(f->path, sizeof f->path, "%s/halfulp-target-XXXXXX",
                           base && base[0] == '/' ? base : "/tmp");
    target_require(n > 0 && (size_t)n < sizeof f->path && mkdtemp(f->path) != NULL);
}

/* A file in it. */
static inline void target_folder_put(const struct target_folder *f, const char *name, const void *p,
                                     size_t n_bytes)
{
    char path[sizeof f->path + 64];
    int const n = snprintf(path, sizeof path, "%s/%s", f->path, name);
    target_require(n > 0 && (size_t)n < sizeof path);
    int const fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    target_require(fd >= 0 && write(fd, p, n_bytes) == (ssize_t)n_bytes && close(fd) == 0);
}

/* Remove it with the files in it; there are no folders. */
static inline void target_folder_remove(const struct target_folder *f)
{
    DIR *const dir = opendir(f->path);
    struct dirent *entry = NULL;
    target_require(dir != NULL);
    while ((entry = readdir(dir)) != NULL) {
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    (void)closedir(dir);
    target_require(rmdir(f->path) == 0);
}

/* An error about what lies in the folder names it. */
static inline int target_folder_is_ok(const struct target_folder *f, enum res r,
                                      const struct err *e)
{
    int const ok = target_is_ok(r, e);
    target_require(ok || r == RES_NOMEM || strstr(e->text, f->path) != NULL);
    return ok;
}

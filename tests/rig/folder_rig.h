/* tests/rig/folder_rig.h -- a folder of a test's own, and what it needs with it. Included once. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void folder_make(char *path, size_t n, const char *name)
{
    const char *base = getenv("TMPDIR");
    (void)snprintf(path, n, "%s/test-%s-XXXXXX", base ? base : "/tmp", name);
    assert_non_null(mkdtemp(path));
}

static inline void folder_clear(int parent, const char *name)
{
    int const fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlinkat(dirfd(dir), entry->d_name, 0) != 0) {
            folder_clear(dirfd(dir), entry->d_name);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

/* With all that is in it; links are not followed. */
static inline void folder_remove(const char *path)
{
    folder_clear(AT_FDCWD, path);
}

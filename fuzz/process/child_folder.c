/* fuzz/process/child_folder.c -- the folder that a worker has for itself: made, removed, swept. */
#include "fuzz/process/child_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHILD_MAX_DEPTH = 16
};

static DIR *open_folder(int parent, const char *name)
{
    int const fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    DIR *const dir = fdopendir(fd);
    if (!dir) {
        (void)close(fd);
    }
    return dir;
}

/* Remove a folder with all in it; links are not followed, and what is deeper than CHILD_MAX_DEPTH stays. */
static void remove_below(int parent, const char *name, int depth)
{
    DIR *const dir = open_folder(parent, name);
    struct dirent *entry = NULL;
    while (dir && depth < CHILD_MAX_DEPTH && (entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        if (unlinkat(dirfd(dir), entry->d_name, 0) != 0) { /* a folder */
            remove_below(dirfd(dir), entry->d_name, depth + 1);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

static const char folder_prefix[] = "halfulp-worker-";

static const char *get_base(void)
{
    const char *base = getenv("TMPDIR");
    return base && base[0] == '/' ? base : "/tmp";
}

enum res child_folder_make(char *path, size_t n_path, struct err *e)
{
    int const n =
        snprintf(path, n_path, "%s/%s%ld-XXXXXX", get_base(), folder_prefix, (long)getpid());
    if (n < 0 || (size_t)n >= n_path) {
        path[0] = '\0';
        return err_set(e, RES_LIMIT, "TMPDIR: longer than %zu bytes", n_path);
    }
    if (!mkdtemp(path)) {
        enum res const r = err_set(e, RES_IO, "%s: %s", path, strerror(errno));
        path[0] = '\0';
        return r;
    }
    return RES_OK;
}

void child_folder_remove(const char *path)
{
    remove_below(AT_FDCWD, path, 0);
}

/* Was the folder of that name made by a process of ours, and has that process ended? */
static bool is_abandoned(int parent, const char *name)
{
    size_t const n = sizeof(folder_prefix) - 1;
    if (strncmp(name, folder_prefix, n) != 0) {
        return false;
    }
    char *end = NULL;
    long const pid = strtol(name + n, &end, 10);
    if (pid <= 0 || *end != '-') {
        return false;
    }
    bool const has_ended = kill((pid_t)pid, 0) != 0 && errno == ESRCH;
    struct stat s;
    return has_ended && fstatat(parent, name, &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(s.st_mode) &&
           s.st_uid == getuid();
}

void child_sweep(void)
{
    DIR *dir = opendir(get_base());
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        if (is_abandoned(dirfd(dir), entry->d_name)) {
            remove_below(dirfd(dir), entry->d_name, 0);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
}

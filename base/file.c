/* base/file.c -- files and folders: read within a size; written under a fresh name, then renamed. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_TRIES = 100, /* names that others have already */
    MAX_DEPTH = 100, /* of folders that are removed: each holds a descriptor */
    READ_BYTES = 16384
};

static const char *name_kind(mode_t mode)
{
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a FIFO"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISLNK(mode)  ? "a link"
                            : "a device";
}

/* ---- read ---- */

/* The rest of an open regular file into b, with a NUL behind it that b->n counts. The file may grow while it
 * is read: n_expected is a guess of its length and no more; RES_LIMIT where it turns out longer than
 * limit_bytes. */
static enum res read_all(int fd, const char *path, size_t n_expected, size_t limit_bytes,
                         struct bytes *b, struct err *e)
{
    unsigned char block[READ_BYTES];
    ssize_t n = 0;
    b->p = arena_take(b->a, n_expected + 1); /* and the NUL */
    b->cap = b->p ? n_expected + 1 : 0;
    while (b->ok && b->n <= limit_bytes && (n = read(fd, block, sizeof block)) != 0) {
        if (n < 0 && errno != EINTR) {
            return err_set(e, RES_IO, "%s: read stopped at byte %zu: %s", path, b->n,
                           strerror(errno));
        }
        bytes_put(b, block, n > 0 ? (size_t)n : 0);
    }
    if (b->ok && b->n > limit_bytes) {
        return err_set(e, RES_LIMIT, "%s: longer than %zu bytes", path, limit_bytes);
    }
    bytes_put(b, "", 1); /* so that text ends */
    return b->ok ? RES_OK
                 : err_set(e, RES_NOMEM, "%s: arena full at %zu bytes", path, b->a->used_bytes);
}

/* What a failed open comes to. Links are refused where they are not followed. */
static enum res refuse_open(const char *path, int why, struct err *e)
{
    switch (why) {
    case ELOOP:
        return err_set(e, RES_FORMAT, "%s: is a link; a regular file is needed", path);
    case ENXIO: /* nothing else is a file that is there and cannot be opened */
        return err_set(e, RES_FORMAT, "%s: is a socket; a regular file is needed", path);
    default:
        return err_set(e, RES_IO, "%s: %s", path, strerror(why));
    }
}

/* A descriptor of a regular file, or -1 after it was closed and the message set. */
static enum res check_open(const char *path, int *fd, struct stat *s, struct err *e)
{
    if (*fd < 0) {
        return refuse_open(path, errno, e);
    }
    enum res r = RES_OK;
    if (fstat(*fd, s) != 0) {
        r = err_set(e, RES_IO, "%s: %s", path, strerror(errno));
    } else if (!S_ISREG(s->st_mode)) {
        r = err_set(e, RES_FORMAT, "%s: is %s; a regular file is needed", path,
                    name_kind(s->st_mode));
    }
    if (r != RES_OK) {
        (void)close(*fd);
        *fd = -1;
    }
    return r;
}

enum {
    READ_FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
};

enum res file_open(const char *path, int *fd, struct err *e)
{
    struct stat s;
    *fd = open(path, READ_FLAGS);
    return check_open(path, fd, &s, e);
}

/* The whole of a file that was opened with READ_FLAGS; closes it. */
static enum res read_open(int fd, const char *path, size_t limit_bytes, struct arena *a,
                          const unsigned char **out, size_t *out_n, struct err *e)
{
    struct stat s;
    struct bytes b;
    TRY(check_open(path, &fd, &s, e));
    bytes_init(&b, a);
    enum res r = (uintmax_t)s.st_size > limit_bytes
                     ? err_set(e, RES_LIMIT, "%s: longer than %zu bytes", path, limit_bytes)
                     : read_all(fd, path, (size_t)s.st_size, limit_bytes, &b, e);
    (void)close(fd);
    if (r == RES_OK) {
        *out = b.p;
        *out_n = b.n - 1;
    }
    return r;
}

enum res file_read(const char *path, size_t limit_bytes, struct arena *a, const unsigned char **out,
                   size_t *out_n, struct err *e)
{
    return read_open(open(path, READ_FLAGS), path, limit_bytes, a, out, out_n, e);
}

/* Open the file, one name of the path after the other, each below the folder before: no link is followed, and
 * none is "..". Returns the descriptor, or -1 and errno of what failed. */
static int open_below(const char *folder, const char *name)
{
    char part[FILE_MAX_PATH];
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (at >= 0) {
        size_t const n = strcspn(name, "/");
        int const is_last = name[n] == '\0';
        int next = -1;
        (void)snprintf(part, sizeof part, "%.*s", (int)n, name);
        if (n == 0 || strcmp(part, "..") == 0) {
            errno = ENOENT;
        } else {
            next = openat(at, part,
                          O_NOFOLLOW | (is_last ? READ_FLAGS : O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        }
        int const saved = errno;
        (void)close(at);
        errno = saved;
        if (is_last || next < 0) {
            return next;
        }
        at = next;
        name += n + 1;
    }
    return -1;
}

enum res file_read_below(const char *folder, const char *name, size_t limit_bytes, struct arena *a,
                         const unsigned char **out, size_t *out_n, struct err *e)
{
    int const fd = open_below(folder, name);
    int const saved = errno;
    const char *const path = arena_printf(a, "%s/%s", folder, name);
    errno = saved;
    return read_open(fd, path, limit_bytes, a, out, out_n, e);
}

/* ---- fresh names ---- */

/* The folder part of a path, with its slash; "" for a name alone. What ends in slashes is a folder that
 * is named so: they do not count. */
static int get_folder_length(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    while (n > 0 && path[n - 1] != '/') {
        n--;
    }
    return (int)n;
}

/* Names that nobody else has: of the time and the process. That they are fresh, O_EXCL and mkdir say. */
static struct rng seed_names(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return rng_seed((uint64_t)t.tv_nsec ^ (uint64_t)t.tv_sec << 30 ^ (uint64_t)getpid() << 40);
}

/* A name beside `path`. */
static enum res put_name(char out[FILE_MAX_PATH], const char *path, struct rng *rng, struct err *e)
{
    int const n = snprintf(out, FILE_MAX_PATH, "%.*s.halfulp-%016" PRIx64, get_folder_length(path),
                           path, rng_next(rng));
    return n > 0 && n < FILE_MAX_PATH && strlen(path) < FILE_MAX_PATH
               ? RES_OK
               : err_set(e, RES_LIMIT, "path of %zu bytes is too long", strlen(path));
}

/* ---- write ---- */

/* May a file of that name be made, or one take its place? */
static enum res check_place(const char *path, struct err *e)
{
    struct stat s;
    if (!path[0]) {
        return err_set(e, RES_USAGE, "a file without a name");
    }
    if (strncmp(path, "/dev/", 5) == 0) {
        return err_set(e, RES_USAGE, "%s: no file is made below /dev", path);
    }
    /* A link to a file is replaced; one to a device is what somebody wanted to write to. */
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode)) {
        return err_set(e, RES_USAGE, "%s: is %s; a file or a new name is needed", path,
                       name_kind(s.st_mode));
    }
    return RES_OK;
}

/* A new file beside `path`, of a name that nobody has. */
static enum res open_fresh(char fresh[FILE_MAX_PATH], const char *path, int *fd, struct err *e)
{
    struct rng rng = seed_names();
    for (int i = 0; i < MAX_TRIES; i++) {
        TRY(put_name(fresh, path, &rng, e));
        *fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (*fd >= 0) {
            return RES_OK;
        }
        if (errno != EEXIST) {
            return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
        }
    }
    return err_set(e, RES_IO, "%s: no fresh name beside it", path);
}

enum res file_begin(struct file_writer *w, const char *path, struct err *e)
{
    int fd = -1;
    w->f = NULL;
    w->path[0] = w->fresh[0] = '\0';
    TRY(check_place(path, e));
    TRY(open_fresh(w->fresh, path, &fd, e));
    (void)snprintf(w->path, sizeof w->path, "%s", path);
    w->f = fdopen(fd, "w");
    if (!w->f) {
        enum res const r = err_set(e, RES_IO, "%s: %s", path, strerror(errno));
        (void)close(fd);
        (void)unlink(w->fresh);
        return r;
    }
    return RES_OK;
}

/* What the end of a file came to, so that errno is still that of the first thing that failed. */
static enum res close_file(struct file_writer *w, int is_synced, enum res so_far, struct err *e)
{
    if (ferror(w->f)) {
        (void)fputc(0, w->f); /* the reason is gone: that of one more try */
    }
    errno = 0;
    int is_bad = fflush(w->f) != 0 || ferror(w->f) || (is_synced && fsync(fileno(w->f)) != 0);
    int saved = errno;
    if (fclose(w->f) != 0 && !is_bad) {
        is_bad = 1;
        saved = errno;
    }
    w->f = NULL;
    if (is_bad && (so_far == RES_OK || so_far == RES_IO)) {
        return err_set(e, RES_IO, "%s: writing stopped: %s", w->path,
                       saved ? strerror(saved) : "not all of it could be written");
    }
    return so_far;
}

static enum res end_file(struct file_writer *w, int is_synced, enum res so_far, struct err *e)
{
    enum res r = close_file(w, is_synced, so_far, e);
    if (r == RES_OK && rename(w->fresh, w->path) != 0) {
        r = err_set(e, RES_IO, "%s: rename: %s", w->path, strerror(errno));
    }
    if (r != RES_OK) {
        (void)unlink(w->fresh);
    }
    return r;
}

enum res file_end(struct file_writer *w, enum res so_far, struct err *e)
{
    return end_file(w, 0, so_far, e);
}

enum res file_write(const char *path, const void *p, size_t n_bytes, struct err *e)
{
    struct file_writer w;
    enum res r = file_begin(&w, path, e);
    if (r != RES_OK) {
        return r;
    }
    if (n_bytes > 0 && fwrite(p, 1, n_bytes, w.f) != n_bytes) {
        r = err_set(e, RES_IO, "%s: write of %zu bytes failed: %s", path, n_bytes, strerror(errno));
    }
    return end_file(&w, 1, r, e);
}

enum res file_open_kept(const char *path, int flags, int *fd, struct err *e)
{
    struct stat s;
    *fd =
        open(path, flags | O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    return check_open(path, fd, &s, e);
}

/* ---- folders ---- */

enum res file_make_folder(const char *path, struct err *e)
{
    struct stat s;
    if (mkdir(path, 0777) == 0) {
        return RES_OK;
    }
    int const saved = errno;
    if (saved != EEXIST || lstat(path, &s) != 0) {
        return err_set(e, RES_IO, "%s: %s", path, strerror(saved));
    }
    return S_ISDIR(s.st_mode) ? RES_OK
                              : err_set(e, RES_FORMAT, "%s: is %s; a folder is needed", path,
                                        S_ISREG(s.st_mode) ? "a file" : name_kind(s.st_mode));
}

/* Make a folder and those above it that are missing, as mkdir -p does. What exists already must be a folder
 * in the end. */
enum res file_make_path(const char *path, struct err *e)
{
    char part[FILE_MAX_PATH];
    size_t const n = strlen(path);
    if (n == 0 || n >= sizeof(part)) {
        return err_set(e, RES_USAGE, "folder \"%.60s\": a name of 1 to %d bytes is needed", path,
                       FILE_MAX_PATH - 1);
    }
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0') { /* within a name: the folder is not whole yet */
            continue;
        }
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return err_set(e, RES_IO, "%s: %s", part, strerror(errno));
        }
    }
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode)) {
        return err_set(e, RES_IO, "%s: not a folder", path);
    }
    return RES_OK;
}

/* Remove `name` of the open folder `parent`, with all that is in it. 0: it is gone, or never was there; else
 * -1 and errno. It is first unlinked as if it were no folder, so that a link is never followed; only what
 * that refuses as a folder is opened and emptied. `depth` bounds the recursion. */
static int remove_below(int parent, const char *name, int depth)
{
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) {
        return 0;
    }
    if (errno != EISDIR && errno != EPERM) { /* POSIX has EPERM for a folder */
        return -1;
    }
    int const fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const dir = fd >= 0 && depth < MAX_DEPTH ? fdopendir(fd) : NULL;
    if (!dir) {
        int const saved = fd >= 0 && depth == MAX_DEPTH ? ELOOP : errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        errno = saved;
        return -1;
    }
    const struct dirent *entry = NULL;
    int bad = 0;
    while (!bad && (entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            bad = remove_below(dirfd(dir), entry->d_name, depth + 1);
        }
    }
    int const saved = errno;
    (void)closedir(dir);
    errno = saved;
    return bad ? bad : unlinkat(parent, name, AT_REMOVEDIR);
}

enum res file_remove(const char *path, struct err *e)
{
    return remove_below(AT_FDCWD, path, 0) == 0
               ? RES_OK
               : err_set(e, RES_IO, "%s: cannot be removed: %s", path, strerror(errno));
}

enum res file_begin_folder(struct file_folder *w, const char *path, struct err *e)
{
    struct rng rng = seed_names();
    w->path[0] = '\0';
    for (int i = 0; i < MAX_TRIES; i++) {
        TRY(put_name(w->fresh, path, &rng, e));
        if (mkdir(w->fresh, 0777) == 0) {
            (void)snprintf(w->path, sizeof w->path, "%s", path);
            return RES_OK;
        }
        if (errno != EEXIST) {
            return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
        }
    }
    return err_set(e, RES_IO, "%s: no fresh name beside it", path);
}

/* Names in the message as they would have been. */
static void rename_in_text(const struct file_folder *w, struct err *e)
{
    char *const at = e ? strstr(e->text, w->fresh) : NULL;
    if (at) {
        char rest[sizeof e->text];
        (void)snprintf(rest, sizeof rest, "%s", at + strlen(w->fresh));
        (void)snprintf(at, sizeof e->text - (size_t)(at - e->text), "%s%s", w->path, rest);
    }
}

/* Put the finished folder w->fresh in the place of w->path. What lies there is renamed first and removed only
 * once the new folder has its name; if that rename fails, the old one gets its name back. */
static enum res replace(struct file_folder *w, struct err *e)
{
    char old[FILE_MAX_PATH];
    struct rng rng = seed_names();
    struct stat s;
    enum res r = put_name(old, w->path, &rng, e);
    if (r != RES_OK) {
        return r;
    }
    int const is_there = lstat(w->path, &s) == 0;
    if (is_there && rename(w->path, old) != 0) {
        return err_set(e, RES_IO, "%s: cannot be replaced: %s", w->path, strerror(errno));
    }
    if (rename(w->fresh, w->path) != 0) {
        r = err_set(e, RES_IO, "%s: %s", w->path, strerror(errno));
        if (is_there) {
            (void)rename(old, w->path);
        }
        return r;
    }
    return is_there ? file_remove(old, e) : RES_OK;
}

enum res file_end_folder(struct file_folder *w, enum res so_far, struct err *e)
{
    enum res const r = so_far == RES_OK ? replace(w, e) : so_far;
    if (r != RES_OK) {
        struct err ignored; /* what went wrong before is what is told */
        (void)!file_remove(w->fresh, &ignored);
        rename_in_text(w, e);
    }
    return r;
}

enum res file_rename(const char *from, const char *to, struct err *e)
{
    return rename(from, to) == 0 ? RES_OK : err_set(e, RES_IO, "%s: %s", to, strerror(errno));
}

/* ---- a folder that a failure must not leave ---- */

void file_note_made(struct file_made *m, const char *path)
{
    struct stat s;
    size_t const n = strlen(path);
    *m = (struct file_made){.n_there = 0};
    if (n >= sizeof m->path || lstat(path, &s) == 0) {
        return;
    }
    for (size_t i = 1; i < n; i++) {
        memcpy(m->path, path, i);
        m->path[i] = '\0';
        if (path[i] == '/' && stat(m->path, &s) == 0) {
            m->n_there = i;
        }
    }
    memcpy(m->path, path, n + 1);
}

void file_keep_made(struct file_made *m)
{
    m->path[0] = '\0';
}

void file_drop_made(struct file_made *m)
{
    struct err ignored;
    if (!m->path[0] || file_remove(m->path, &ignored) != RES_OK) {
        return;
    }
    for (char *slash = strrchr(m->path, '/'); slash && (size_t)(slash - m->path) > m->n_there;
         slash = strrchr(m->path, '/')) {
        *slash = '\0';
        if (rmdir(m->path) != 0 && errno != ENOENT) {
            break;
        }
    }
    file_keep_made(m);
}

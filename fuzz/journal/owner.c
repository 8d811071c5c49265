/* fuzz/journal/owner.c -- one folder, one process that writes it: a lock that dies with its process. */
#include "fuzz/journal/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OWNER_MAX_BYTES = 256, /* of the file */
    OWNER_ROUNDS = 3       /* an owner may end between our two questions */
};
static const char words[] = "process ";

static enum res complain(const char *path, struct err *e)
{
    return err_set(e, RES_IO, "%s: %s", path, strerror(errno));
}

/* What the file says, one line without its end; "" where it says nothing. RES_USAGE: somebody else's file,
 * which must not be written. */
static enum res read_owner(int fd, const char *path, char text[OWNER_MAX_BYTES], struct err *e)
{
    struct stat s;
    if (fstat(fd, &s) != 0) {
        return complain(path, e);
    }
    ssize_t const n = S_ISREG(s.st_mode) ? pread(fd, text, OWNER_MAX_BYTES - 1, 0) : 0;
    text[n > 0 ? n : 0] = '\0';
    if (!S_ISREG(s.st_mode) || s.st_nlink > 1 || s.st_size >= OWNER_MAX_BYTES || n < 0 ||
        (n > 0 && strncmp(text, words, sizeof words - 1) != 0)) {
        return err_set(e, RES_USAGE, "%s: not a lock of this program; move it away", path);
    }
    text[strcspn(text, "\n")] = '\0';
    return RES_OK;
}

static int set_lock(int fd, int command, struct flock *l)
{
    /* A lock of the process, not of the descriptor: children that the owner leaves do not keep it. */
    *l = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, command, l);
}

static enum res write_owner(int fd, const char *path, struct err *e)
{
    char text[OWNER_MAX_BYTES];
    char host[OWNER_MAX_BYTES / 2] = "";
    if (gethostname(host, sizeof host - 1) != 0) {
        host[0] = '\0';
    }
    int const n =
        snprintf(text, sizeof text, "%s%ld on %s\n", words, (long)getpid(), host[0] ? host : "?");
    return ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) == n ? RES_OK
                                                                        : complain(path, e);
}

/* The lock is another's: whose, by the file, or by the system where it was not yet written. */
static enum res name_owner(int fd, const char *folder, const char *path, int *is_free,
                           struct err *e)
{
    char text[OWNER_MAX_BYTES];
    struct flock l;
    *is_free = set_lock(fd, F_GETLK, &l) == 0 && l.l_type == F_UNLCK;
    if (*is_free) {
        return RES_OK;
    }
    TRY(read_owner(fd, path, text, e));
    bool const is_older = text[0] == '\0' || (l.l_pid > 0 && strtol(text + sizeof words - 1, NULL,
                                                                    10) != (long)l.l_pid);
    return is_older
               ? err_set(e, RES_USAGE, "%s: %s%ld runs this campaign", folder, words, (long)l.l_pid)
               : err_set(e, RES_USAGE, "%s: %s runs this campaign", folder, text);
}

/* Open the lock file, or make it. */
static enum res open_lock(const char *path, int *fd, struct err *e)
{
    *fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (*fd >= 0) {
        return RES_OK;
    }
    bool const is_no_file = errno == ELOOP || errno == EISDIR;
    return is_no_file ? err_set(e, RES_USAGE, "%s: not a lock of this program; move it away", path)
                      : complain(path, e);
}

/* Take the lock and write who has it. Where another has it, ask who: one that ended meanwhile leaves it free, so
 * that it is tried again. */
enum res owner_take(const char *folder, struct err *e)
{
    char path[4096], text[OWNER_MAX_BYTES];
    struct flock l;
    int fd = -1;
    int const n = snprintf(path, sizeof path, "%s/lock", folder);
    if (n < 0 || (size_t)n >= sizeof path) {
        return err_set(e, RES_LIMIT, "%.60s...: folder name too long", folder);
    }
    TRY(open_lock(path, &fd, e));
    enum res r = read_owner(fd, path, text, e);
    int is_free = 1;
    for (int round = 0; r == RES_OK && is_free && round < OWNER_ROUNDS; round++) {
        if (set_lock(fd, F_SETLK, &l) == 0) {
            return write_owner(fd, path, e); /* the descriptor stays open, and with it the lock */
        }
        r = errno == EACCES || errno == EAGAIN ? name_owner(fd, folder, path, &is_free, e)
                                               : complain(path, e);
    }
    (void)close(fd);
    return r != RES_OK ? r
                       : err_set(e, RES_USAGE, "%s: another process runs this campaign", folder);
}

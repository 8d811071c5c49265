/* fuzz/process/surroundings.c -- what a process of ours needs around it: descriptors, /proc, standard output. */
#include "fuzz/process/surroundings.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "fuzz/process/place.h"

enum {
    FILES_OF_OWN = 48,    /* journal, reports, folders that are read */
    FILES_PER_WORKER = 10 /* its pipes, and while it is started both ends of them */
};

/* A number that is free would be that of the next file that is opened. What stands in for it cannot be
 * used: nothing that is printed is lost in silence. */
static void hold_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
        }
    }
}

static void take_signal(int number)
{
    (void)number;
}

enum res surroundings_need_files(uint64_t n_workers, struct err *e)
{
    struct rlimit now;
    rlim_t const need = (rlim_t)(FILES_OF_OWN + n_workers * FILES_PER_WORKER);
    if (getrlimit(RLIMIT_NOFILE, &now) != 0 || now.rlim_cur >= need) {
        return RES_OK;
    }
    if (now.rlim_max >= need) {
        now.rlim_cur = need;
        if (setrlimit(RLIMIT_NOFILE, &now) == 0) {
            return RES_OK;
        }
    }
    return err_set(e, RES_IO,
                   "ulimit -n: %" PRIu64 " open files are needed (workers: %" PRIu64 "), %" PRIu64
                   " are allowed",
                   (uint64_t)need, n_workers, (uint64_t)now.rlim_max);
}

enum res surroundings_prepare(struct err *e)
{
    /* A handler and not SIG_IGN, which the workers would inherit. */
    struct sigaction const too_long = {.sa_handler = take_signal};
    hold_standard_files();
    (void)sigaction(SIGXFSZ, &too_long, NULL);
    TRY(place_check(e));
    place_add_tools();
    return surroundings_need_files(1, e);
}

enum res surroundings_end(struct err *e)
{
    int const is_bad = ferror(stdout);
    errno = 0;
    if (is_bad) { /* the reason is gone: that of one more try */
        (void)fputc('\n', stdout);
    }
    if (fflush(stdout) == 0 && !is_bad) {
        return RES_OK;
    }
    return err_set(e, RES_IO, "standard output: %s",
                   errno ? strerror(errno) : "not all of it could be written");
}

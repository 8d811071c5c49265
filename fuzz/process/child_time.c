/* fuzz/process/child_time.c -- clocks by which workers are watched, and the wish to stop. */
#include "fuzz/process/child_time.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>

uint64_t child_now_ns(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t child_cpu_ns(pid_t pid)
{
    clockid_t clock = 0;
    struct timespec t = {0, 0};
    if (pid == 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) {
        return 0;
    }
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t child_used_cpu_ns(int who)
{
    struct rusage u;
    if (getrusage(who, &u) != 0) {
        return 0;
    }
    return ((uint64_t)u.ru_utime.tv_sec + (uint64_t)u.ru_stime.tv_sec) * UINT64_C(1000000000) +
           ((uint64_t)u.ru_utime.tv_usec + (uint64_t)u.ru_stime.tv_usec) * 1000u;
}

void child_reap_orphans(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
}

uint64_t child_get_stalled_ns(void)
{
    unsigned long long stalled_us = 0;
    FILE *f = fopen("/proc/pressure/cpu", "r");
    if (f) {
        if (fscanf(f, "some %*s %*s %*s total=%llu", &stalled_us) != 1) {
            stalled_us = 0;
        }
        (void)fclose(f);
    }
    return stalled_us * 1000;
}

int child_is_asked_to_stop(void)
{
    sigset_t waiting;
    return sigpending(&waiting) == 0 &&
           (sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1);
}

static sigset_t get_stop(void)
{
    sigset_t mask;
    (void)sigemptyset(&mask);
    (void)sigaddset(&mask, SIGINT);
    (void)sigaddset(&mask, SIGTERM);
    return mask;
}

void child_hold_stop(sigset_t *old)
{
    sigset_t const mask = get_stop();
    (void)sigprocmask(SIG_BLOCK, &mask, old);
}

void child_release_stop(const sigset_t *old)
{
    struct timespec const none = {0, 0};
    sigset_t const mask = get_stop();
    while (sigtimedwait(&mask, NULL, &none) > 0) {
    }
    (void)sigprocmask(SIG_SETMASK, old, NULL);
}

enum res child_open_signals(int *signal_fd, sigset_t *old, struct err *e)
{
    sigset_t mask;
    (void)sigemptyset(&mask);
    (void)sigaddset(&mask, SIGINT);
    (void)sigaddset(&mask, SIGTERM);
    (void)sigaddset(&mask, SIGCHLD);
    if (sigprocmask(SIG_BLOCK, &mask, old) != 0) {
        return err_set(e, RES_IO, "signals: %s", strerror(errno));
    }
    *signal_fd = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
    return *signal_fd >= 0 ? RES_OK : err_set(e, RES_IO, "signalfd: %s", strerror(errno));
}

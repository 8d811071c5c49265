/* tests/rig/bad_mode.h -- how the misbehaving drivers of the tests misbehave, by environment:
 *   HALFULP_BAD       one of the names below; absent or unknown: behave
 *   HALFULP_BAD_SKIP  number of builds that go well first (a canary, say); 0 by default
 *   HALFULP_BAD_GO    what is to happen after the answer waits for this file; 200 ms by default
 * Everything below happens in each case after those. */
#pragma once

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAD_MODES(M)                                                                               \
    M(NONE, "none")                                                                                \
    M(SEGFAULT_BUILD, "segfault-build")       /* SIGSEGV while building */                         \
    M(SEGFAULT_RUN, "segfault-run")           /* SIGSEGV while running */                          \
    M(SEGFAULT_PASS, "segfault-pass")         /* the same, and a handler tells the pass */         \
    M(SEGFAULT_LLVM, "segfault-llvm")         /* the same, where somebody asks as one asks LLVM */ \
    M(SEGFAULT_STUCK, "segfault-stuck")       /* the same, and the handler never ends */           \
    M(SEGFAULT_GOES_ON, "segfault-goes-on")   /* the same, and the handler leaves the crash */     \
    M(SEGFAULT_LOST, "segfault-lost")         /* the same, and there is no stack any more */       \
    M(ABORT, "abort")                         /* abort() while building */                         \
    M(EXIT0, "exit0")                         /* exit(0) while running */                          \
    M(HANG_BUILD, "hang-build")               /* sleeps for ever while building */                 \
    M(HANG_RUN, "hang-run")                   /* spins for ever while running */                   \
    M(ERROR_BUILD, "error-build")             /* an error code from the build */                   \
    M(ERROR_RUN, "error-run")                 /* an error code from the run */                     \
    M(LOST, "lost")                           /* the code for a lost device from the run */        \
    M(OOB, "oob")                             /* writes 4 bytes right behind buffer 0 */           \
    M(FLIP, "flip")                           /* flips one bit of the first byte that changed */   \
    M(FLIP_SOME, "flip-some")                 /* the same in three cases of ten, by chance */      \
    M(LIE, "lie")                             /* says it has run, and has not */                   \
    M(ANSWER_THEN_CRASH, "answer-then-crash") /* SIGSEGV some time after the answer */             \
    M(CRASH_AT_EXIT, "crash-at-exit")         /* SIGSEGV when the process ends */                  \
    M(PRINT, "print")                         /* writes to standard output, reads standard input */

enum bad_mode {
#define M(id, name) BAD_##id,
    BAD_MODES(M)
#undef M
};

static inline enum bad_mode bad_read_mode(void)
{
    static const char *const names[] = {
#define M(id, name) name,
        BAD_MODES(M)
#undef M
    };
    const char *const text = getenv("HALFULP_BAD");
    for (unsigned i = 0; text && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            return (enum bad_mode)i;
        }
    }
    return BAD_NONE;
}

/* Three of ten, by the process and the number of the build. */
static inline int bad_is_some(unsigned long n_builds)
{
    uint64_t x = ((uint64_t)getpid() << 32) + n_builds;
    for (int i = 0; i < 3; i++) { /* the finalizer of MurmurHash3 */
        x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    }
    return (x >> 33) % 10 < 3;
}

/* Of the n-th build, from 0, and the run after it. */
static inline enum bad_mode bad_get_mode(unsigned long n_builds)
{
    const char *const skip = getenv("HALFULP_BAD_SKIP");
    enum bad_mode const mode =
        n_builds < (skip ? strtoul(skip, NULL, 10) : 0) ? BAD_NONE : bad_read_mode();
    return mode != BAD_FLIP_SOME ? mode : bad_is_some(n_builds) ? BAD_FLIP : BAD_NONE;
}

/* Visible, so that the frames of the crash have a name. */
void bad_segfault(void);
__attribute__((noinline)) void bad_segfault(void)
{
    volatile uintptr_t const nowhere = 8; /* volatile: no compiler may know that it is a mistake */
    *(volatile int *)nowhere = 1;
}

/* A driver's own handlers of a crash: what LLVM's prints, one that waits for what never comes, and one that goes on as if
 * nothing had been. */
static inline void bad_tell_pass(int number)
{
    static const char text[] = "Stack dump:\n"
                               "0.\tRunning pass \"bad-outer\" on module \"main\"\n"
                               "1.\tRunning pass 'Bad Inner Pass' on function '@main'\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
}

/* Only in the mode in which the driver is an LLVM that does not tell by itself. */
void LLVMEnablePrettyStackTrace(void);
void LLVMEnablePrettyStackTrace(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = bad_tell_pass;
    (void)sigemptyset(&action.sa_mask);
    if (bad_read_mode() == BAD_SEGFAULT_LLVM) {
        (void)sigaction(SIGSEGV, &action, NULL);
    }
}

static inline void bad_wait(int number)
{
    (void)number;
    for (;;) {
        (void)pause();
    }
}

static inline sigjmp_buf *bad_way_out(void)
{
    static sigjmp_buf way_out;
    return &way_out;
}

static inline void bad_go_on(int number)
{
    siglongjmp(*bad_way_out(), number);
}

static inline void bad_segfault_handled(void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGSEGV, &action, NULL);
    if (sigsetjmp(*bad_way_out(), 1) == 0) {
        bad_segfault();
    }
}

static inline void *bad_segfault_later(void *unused)
{
    const char *const go = getenv("HALFULP_BAD_GO");
    struct timespec const wait = {.tv_nsec = go ? 10000000 : 200000000};
    do {
        (void)nanosleep(&wait, NULL);
    } while (go && access(go, F_OK) != 0);
    bad_segfault();
    return unused;
}

static inline void bad_sleep_forever(void)
{
    for (;;) {
        (void)pause();
    }
}

/* Computes all the time, but for pauses that leave the processor to others: a test waits for seconds until it is killed. */
static inline void bad_spin_forever(void)
{
    struct timespec const pause = {.tv_nsec = 5000000};
    volatile unsigned n = 0;
    for (;;) {
        n = n + 1;
        if (n % 100000 == 0) {
            (void)nanosleep(&pause, NULL);
        }
    }
}

static inline void bad_print(void)
{
    char byte = 0;
    (void)!write(STDOUT_FILENO, "a driver prints\n", 16);
    (void)!read(STDIN_FILENO, &byte, 1);
}

/* As one that runs on behind its end, into what is no code of its own. */
void bad_lose_stack(void);
__attribute__((noinline)) void bad_lose_stack(void)
{
#if defined(__x86_64__)
    __asm__ volatile("mov $64, %%rbp\n\tmov $64, %%rsp\n\tpush %%rbp" ::: "memory");
#else
    bad_segfault();
#endif
}

/* What happens at the start of a build, and at the start of a run. */
static inline void bad_strike_build(enum bad_mode mode)
{
    if (mode == BAD_SEGFAULT_BUILD || mode == BAD_SEGFAULT_LLVM) {
        bad_segfault();
    } else if (mode == BAD_SEGFAULT_PASS) {
        bad_segfault_handled(bad_tell_pass);
    } else if (mode == BAD_SEGFAULT_STUCK) {
        bad_segfault_handled(bad_wait);
    } else if (mode == BAD_SEGFAULT_GOES_ON) {
        bad_segfault_handled(bad_go_on);
    } else if (mode == BAD_SEGFAULT_LOST) {
        bad_lose_stack();
    } else if (mode == BAD_ABORT) {
        abort();
    } else if (mode == BAD_HANG_BUILD) {
        bad_sleep_forever();
    } else if (mode == BAD_CRASH_AT_EXIT) {
        (void)atexit(bad_segfault);
    } else if (mode == BAD_PRINT) {
        bad_print();
    }
}

static inline void bad_strike_run(enum bad_mode mode)
{
    if (mode == BAD_SEGFAULT_RUN) {
        bad_segfault();
    } else if (mode == BAD_EXIT0) {
        exit(0);
    } else if (mode == BAD_HANG_RUN) {
        bad_spin_forever();
    }
}

/* What happens when a result has been handed over. */
static inline void bad_strike_answer(enum bad_mode mode)
{
    pthread_t thread;
    if (mode == BAD_ANSWER_THEN_CRASH) {
        (void)pthread_create(&thread, NULL, bad_segfault_later, NULL);
    }
}

/* Flip the lowest bit of the first byte in which `now` differs from `before`. */
static inline int bad_flip(unsigned char *now, const unsigned char *before, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        if (now[i] != before[i]) {
            now[i] ^= 1;
            return 1;
        }
    }
    return 0;
}

/* tests/rig/program_rig.h -- the program of this build, started with words, what it says, and what it took.
 * Included once, after cmocka.h. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PROGRAM_MAX_WORDS = 32
};
/* Seconds of CPU time after which a program that is started is ended by SIGXCPU; 0: never. */
static unsigned program_cpu_s;

/* This test's own file, and the program beside it: B/tests/test_x and B/halfulp. 0 on error. */
static inline int program_find(char *self, char *program, size_t n_bytes)
{
    ssize_t const n = readlink("/proc/self/exe", self, n_bytes - 1);
    if (n <= 0) {
        return 0;
    }
    self[n] = '\0';
    (void)snprintf(program, n_bytes, "%s", self);
    for (int i = 0; i < 2; i++) {
        char *const slash = strrchr(program, '/');
        if (!slash) {
            return 0;
        }
        *slash = '\0';
    }
    size_t const used = strlen(program);
    return snprintf(program + used, n_bytes - used, "/halfulp") > 0;
}

/* Start it with words, NULL at the end; all it says goes to the file `said`. */
static inline pid_t program_start(const char *program, const char *const *words, const char *said)
{
    pid_t const pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char *argv[PROGRAM_MAX_WORDS + 2] = {(char *)(uintptr_t)program};
        for (int i = 0; i < PROGRAM_MAX_WORDS && words[i]; i++) {
            argv[i + 1] = (char *)(uintptr_t)words[i];
        }
        int const in = open("/dev/null", O_RDONLY);
        int const out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) {
            _exit(126);
        }
        struct rlimit const cpu = {program_cpu_s, program_cpu_s + 1};
        if (program_cpu_s != 0 && setrlimit(RLIMIT_CPU, &cpu) != 0) {
            _exit(125);
        }
        (void)execv(program, argv);
        _exit(127);
    }
    return pid;
}

/* The same with the words in one text, blanks between, none within. */
static inline pid_t program_start_text(const char *program, const char *text, const char *said)
{
    const char *words[PROGRAM_MAX_WORDS + 1] = {NULL};
    char copy[4096];
    char *rest = NULL;
    int n = 0;
    assert_true(strlen(text) < sizeof copy);
    (void)snprintf(copy, sizeof copy, "%s", text);
    for (char *w = strtok_r(copy, " ", &rest); w && n < PROGRAM_MAX_WORDS;
         w = strtok_r(NULL, " ", &rest)) {
        words[n++] = w;
    }
    return program_start(program, words, said);
}

/* Exit status, or -signal. */
static inline int program_wait(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* What a file holds, cut where the room ends; "" where there is none. */
static inline const char *program_read(const char *path, char *text, size_t n_bytes)
{
    FILE *const f = fopen(path, "rb");
    size_t const n = f ? fread(text, 1, n_bytes - 1, f) : 0;
    text[n] = '\0';
    if (f) {
        (void)fclose(f);
    }
    return text;
}

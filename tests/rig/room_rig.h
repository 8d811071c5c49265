/* tests/rig/room_rig.h -- lines of sh around a copy of the program in a folder of the test's own. Included once. */
#pragma once

#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/rig/folder_rig.h"

enum {
    MAX_OUTPUT = 1 << 16,
    MAX_COMMAND = 4096
};

/* A folder with a copy of the program, beside which nothing is, and a folder to stand in. */
struct room {
    char path[256], build[2048];
    char out[MAX_OUTPUT];
    int status;
};

static void read_output(struct room *r)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/out", r->path);
    FILE *const f = fopen(path, "r");
    size_t const n = f ? fread(r->out, 1, sizeof r->out - 1, f) : 0;
    r->out[n] = '\0';
    if (f) {
        (void)fclose(f);
    }
}

/* A line of sh in which $R is the folder, $H the copy of the program, $B the build; its exit status. */
static int run(struct room *r, const char *line)
{
    char command[MAX_COMMAND];
    int const n = snprintf(command, sizeof command,
                           "R='%s' B='%s' H='%s/bin/halfulp'; cd \"$R/here\" && { %s\n} "
                           ">\"$R/out\" 2>&1",
                           r->path, r->build, r->path, line);
    assert_true(n > 0 && n < (int)sizeof command);
    int const status = system(command);
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    read_output(r);
    return r->status;
}

static void expect(struct room *r, int status, const char *said, const char *line)
{
    if (run(r, line) != status || !strstr(r->out, said)) {
        fail_msg("%s\nstatus %d, wanted %d and \"%s\"; it said:\n%.3000s", line, r->status, status,
                 said, r->out);
    }
}

static int set_up(void **state)
{
    struct room *const r = calloc(1, sizeof *r);
    assert_non_null(r);
    ssize_t const n = readlink("/proc/self/exe", r->build, sizeof r->build - 1);
    assert_true(n > 0);
    for (int i = 0; i < 2; i++) { /* BUILD/tests/test_x */
        *strrchr(r->build, '/') = '\0';
    }
    folder_make(r->path, sizeof r->path, "room");
    char here[512];
    (void)snprintf(here, sizeof here, "%s/here", r->path);
    assert_int_equal(mkdir(here, 0777), 0);
    (void)unsetenv("HALFULP_DRIVERS");
    (void)unsetenv("HALFULP_WORKER");
    (void)unsetenv("XDG_CONFIG_HOME");
    (void)setenv("HOME", "/nonexistent", 1);
    (void)setenv("VK_DRIVER_FILES", "/nonexistent", 1); /* no driver of the machine's own */
    (void)setenv("HALFULP_SANDBOX", "no",
                 1); /* what is planted leaves a file where it is run: not by walls */
    expect(r, 0, "", "mkdir ../bin && cp \"$B/halfulp\" \"$B/halfulp-worker\" ../bin");
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct room *const r = *state;
    folder_remove(r->path);
    free(r);
    return 0;
}

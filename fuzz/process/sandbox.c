/* fuzz/process/sandbox.c -- the sandbox of a worker: the words of bubblewrap, and whether it works here. */
#include "fuzz/process/sandbox.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/process/child.h"

#define SANDBOX_TRY_NS UINT64_C(10000000000)

/* Of the session of the worker's first process, by which all within are found, it stays. */
static const char *const isolation[] = {"--unshare-pid",        "--unshare-net",    "--unshare-ipc",
                                        "--unshare-uts",        "--cap-drop",       "ALL",
                                        "--unshare-cgroup-try", "--die-with-parent"};

size_t sandbox_put_isolation(const char **argv)
{
    for (size_t i = 0; i < ARRAY_N(isolation); i++) {
        argv[i] = isolation[i];
    }
    return ARRAY_N(isolation);
}

size_t sandbox_put(const char **argv)
{
    /* A socket can be connected to on a file system that is read-only: /run, where those of services
     * are, is empty, and so are abstract ones, which belong to the net. */
    static const char *const words[] = {
        "bwrap",   "--ro-bind", "/",       "/",        "--dev",  "/dev",    "--remount-ro", "/dev",
        "--size",  "268435456", "--tmpfs", "/dev/shm", "--proc", "/proc",   "--size",       "65536",
        "--tmpfs", "/run",      "--bind",  "{own}",    "{own}",  "--chdir", "{own}"};
    size_t n = 0;
    for (; n < ARRAY_N(words); n++) {
        argv[n] = words[n];
    }
    return n + sandbox_put_isolation(argv + n);
}

/* Find out whether workers can be put into a sandbox. HALFULP_SANDBOX is "yes" (the sandbox must
 * work, else RES_USAGE), "no", or not set; then the sandbox is used if it works. */
enum res sandbox_find(int *has_sandbox, struct arena *a, struct err *e)
{
    const char *const asked = getenv("HALFULP_SANDBOX");
    bool const is_required = asked && strcmp(asked, "yes") == 0;
    const char *argv[SANDBOX_WORDS + 4]; /* of sandbox_put, and those below */
    const char *text = "";
    struct err why;
    *has_sandbox = 0;
    if (asked && strcmp(asked, "no") == 0) {
        return RES_OK;
    }
    if (asked && asked[0] && !is_required) {
        return err_set(e, RES_USAGE, "sandbox: \"%.40s\" is neither yes nor no", asked);
    }
    size_t n = sandbox_put(argv);
    argv[n++] = "--";
    argv[n++] = "true";
    argv[n] = NULL;
    /* The sandbox works if the command `true` can be run in it. */
    struct child_spec const spec = {.argv = argv};
    *has_sandbox = child_read_all(&spec, SANDBOX_TRY_NS, a, &text, &why) == RES_OK;
    if (is_required && !*has_sandbox) {
        return err_set(e, RES_USAGE, "sandbox: bubblewrap does not work here: %.*s",
                       (int)strcspn(why.text, "\n"), why.text);
    }
    return RES_OK;
}

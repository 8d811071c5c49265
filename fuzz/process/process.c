/* fuzz/process/process.c -- /proc/PID/stat. */
#include "fuzz/process/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* proc(5), from the state on; numbers are those of its list. */
enum {
    FIELD_PARENT = 4,
    FIELD_SESSION = 6,
    FIELD_UTIME = 14,
    FIELD_CSTIME = 17
};

/* Read name, state, parent, session and CPU time of a process from /proc/PID/stat. The CPU time is in ticks, and
 * includes that of its children that have ended. False: there is no such process, or it cannot be read. */
bool process_read(pid_t pid, struct process *out)
{
    char path[64], text[1024]; /* what stands behind FIELD_CSTIME may be cut */
    *out = (struct process){.parent = 0};
    (void)snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
    int const fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t const n = read(fd, text, sizeof(text) - 1);
    (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    /* "PID (NAME) STATE PARENT ...": the name may hold any character, also a bracket. So its end is the last bracket. */
    const char *const name = strchr(text, '(');
    char *const end = strrchr(text, ')');
    if (!name || !end || end < name) {
        return false;
    }
    (void)snprintf(out->name, sizeof(out->name), "%.*s", (int)(end - name - 1), name + 1);
    char *at = end + 1;
    at += strspn(at, " ");
    out->state = *at;
    at += strcspn(at, " ");
    for (int field = FIELD_PARENT; field <= FIELD_CSTIME; field++) {
        long long const value = strtoll(at, &at, 10); /* goes on behind the number */
        if (field == FIELD_PARENT) {
            out->parent = (pid_t)value;
        } else if (field == FIELD_SESSION) {
            out->session = (pid_t)value;
        } else if (field >= FIELD_UTIME) { /* utime, stime, cutime, cstime */
            out->ticks += (uint64_t)value;
        }
    }
    return true;
}

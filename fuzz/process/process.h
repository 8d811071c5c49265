/* fuzz/process/process.h -- what the system says of a process: /proc/PID/stat. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
    char name[32];
    char state; /* 'Z': it has ended and was not waited for */
    pid_t parent;
    pid_t session;
    uint64_t ticks; /* of processor time, with that of children that were waited for */
};

/* false: it is gone. */
bool process_read(pid_t pid, struct process *out);

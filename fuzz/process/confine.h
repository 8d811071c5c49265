/* fuzz/process/confine.h -- what a worker gets of its surroundings: environment and limits. */
#pragma once

#include <sys/types.h>

#include "base/base.h"

/* Of files that a worker writes; of its processes beyond those of the machine at its start, to which 16
 * are added for each core. */
#define CONFINE_FILE_BYTES (UINT64_C(1) << 30)
enum {
    CONFINE_PROCESSES = 1024
};

/* Memory that one process may have: three quarters of the machine's, at least 2 GiB. */
uint64_t confine_get_memory(void);
/* How many processes a worker may have. */
uint32_t confine_get_processes(void);
/* Threads and processes of the machine; 0 where /proc does not tell. */
uint32_t confine_count_tasks(void);

/* In a new process, before it becomes another program: keep of the environment what a driver or its
 * loader may need (also_afl: and AFL++'s map), give up new privileges, take on the limits. has_data_limit 0:
 * all but that of memory, for a sanitizer reserves more than any machine has. file_bytes: of the largest file. */
void confine_environment(int also_afl);
void confine_limits(int has_data_limit, uint64_t file_bytes);

/* "NAME=PATH:PATH" with each path that is here, and is named from the current folder by more than a word, named
 * in full: the worker stands elsewhere. In the arena. */
const char *confine_name_in_full(const char *variable, struct arena *a);

/* Does a program of this name start what follows it on another machine, or through a service of this
 * one? Such a worker is beyond our limits, and its launcher needs its environment. */
int confine_leaves(const char *launcher);
/* Are there device nodes of an accelerator? The sandbox has none. */
int confine_has_devices(void);

/* Processes that stem from the worker `pid`, besides itself: of its session (0: not
 * known), or with the variable
 * CONFINE_MARK=folder in their environment. Kills each if is_to_kill; zombies that are this process's own
 * children are reaped and not counted. */
#define CONFINE_MARK "HALFULP_WORKER_FOLDER"
uint32_t confine_count_strays(pid_t pid, const char *folder, int is_to_kill);

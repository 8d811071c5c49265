/* fuzz/process/child_time.h -- clocks by which workers are watched, and the wish to stop. */
#pragma once

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/base.h"

uint64_t child_now_ns(void); /* monotonic */
/* CPU time of a process that is there, without its children; 0: there is none. */
uint64_t child_cpu_ns(pid_t pid);
/* CPU time of this process or of its children that were waited for (RUSAGE_SELF, RUSAGE_CHILDREN of sys/resource.h). */
uint64_t child_used_cpu_ns(int who);
/* Wait for each child that has ended, whoever it was: a worker that was killed may leave processes, whose time counts only
 * then. Not while a worker lives, whose end is to be told by its own child. */
void child_reap_orphans(void);
/* Time in which some process of this machine was ready and had no CPU, since it was started; 0 where
 * the kernel does not tell. */
uint64_t child_get_stalled_ns(void);
/* Is a SIGINT or SIGTERM waiting that the caller has blocked? */
int child_is_asked_to_stop(void);
/* Let these two wait until they are asked for, and then as they were, *old, without those that waited. */
void child_hold_stop(sigset_t *old);
void child_release_stop(const sigset_t *old);
/* Block SIGINT, SIGTERM and SIGCHLD, and give a file by which they are read instead; *old is the mask before. */
MUST_USE enum res child_open_signals(int *signal_fd, sigset_t *old, struct err *e);

/* fuzz/wire/guard.h -- the process beside a worker on another machine: how that one ended, and no end of its connection
 * that is mistaken for one of its driver. */
#pragma once

#include <stdbool.h>

/*
 * A launcher such as ssh or srun may end at any moment, and tells no more than an exit status: of the driver, of the
 * network, of a batch system. So it begins not the worker but a guard, which
 *   - starts the worker beside it, in a folder of its own with the variables of fuzz/wire/caches.def;
 *   - passes on messages, those of the worker only when they are whole;
 *   - says each second that it is there (WIRE_ALIVE): a driver that hangs is told from a connection that does;
 *   - says how the worker ended (WIRE_END) and ends with 0. Without that message the connection was lost, which is
 *     nobody's fault. A worker that somebody told to end (SIGTERM, SIGINT, SIGHUP), as batch systems do, counts as lost too;
 *   - ends the worker when its input ends or its output is closed: nothing outlives the connection for long.
 * It runs as the worker's program does, by the words behind "--guard" (fuzz/wire/wire.h); "{own}" and "{tmp}" in a
 * word stand for the folder. With "--list" among them it becomes the worker.
 */
bool guard_is_asked(int argc, char **argv);
/* The exit status for main: 0 where the end was told or the input was over. */
int guard_run(int argc, char **argv);

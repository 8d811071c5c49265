/* fuzz/process/child_end.c -- what the end of a worker means for the case that it had. */
#include <signal.h>

#include "fuzz/process/child.h"

void child_observe_end(const struct child_end *end, int is_late, int has_error,
                       const char *error_text, struct observation *ob)
{
    ob->n_bufs = 0;
    ob->log = end->log;
    ob->signature = "";
    ob->driver_code = 0;
    if (end->is_swarm) {
        ob->status = RUN_CRASH;
        ob->driver_code = SIGKILL;
        ob->signature = "too many processes";
    } else if (end->was_killed) {
        ob->status = is_late ? RUN_HANG : RUN_HARNESS;
    } else if (end->signal == SIGXCPU) {
        ob->status = RUN_HANG;
    } else if (end->signal) {
        ob->status = RUN_CRASH;
        ob->driver_code = end->signal;
        ob->signature = end->crash_line;
    } else if (has_error &&
               (end->exit_status == WIRE_EXIT_HARNESS || end->exit_status == WIRE_EXIT_NO_DEVICE)) {
        ob->status = RUN_HARNESS;
        ob->log = error_text;
    } else {
        ob->status = RUN_EXIT;
        ob->driver_code = end->exit_status;
    }
}

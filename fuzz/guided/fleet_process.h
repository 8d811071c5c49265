/* fuzz/guided/fleet_process.h -- the processes of a fleet: AFL++ started, ended, and nothing left of it. */
#pragma once

#include <sys/types.h>

#include "fuzz/campaign/tally.h"
#include "fuzz/guided/fleet.h"

/* One instance of AFL++. */
struct instance {
    const struct target *target;
    uint32_t number;
    const char *name, *log; /* "main", "s01"; the file with what it says */
    uint32_t n_edges;
    pid_t pid; /* 0: none */
    uint64_t start_ns;
    uint64_t cpu_ns,
        cpu_before_ns; /* of AFL++ itself: of this process, when it was looked at last; before it */
    uint32_t n_short;  /* times in a row that it ended by itself soon after its start */
    int is_over;       /* not to be started again */
    int is_dead;       /* as it ended by itself too often, or its target is given up */
    int64_t target_id;
    struct tally *tally;
};

/* Start AFL++ for an instance. signals: what the caller has blocked. RES_IO. */
MUST_USE enum res fleet_start(const struct fleet_options *o, const struct fleet_programs *p,
                              struct instance *x, struct arena *a, struct err *e);
/* End AFL++ and what it started, all instances at once, and reap them. Whatever they left behind is
 * killed: the caller is their reaper. */
void fleet_end_all(struct instance *x, uint32_t n);
/* The last thing that AFL++ complained about, from its log; "" for nothing. In the arena. */
const char *fleet_read_complaint(const char *log, struct arena *a);
/* Files in the queue of an instance. */
uint64_t fleet_count_queue(const char *folder, const struct instance *x, struct arena *a);

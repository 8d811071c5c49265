/* fuzz/guided/fleet.h -- several instances of AFL++ on one campaign: started, watched, ended together. */
#pragma once

#include "fuzz/journal/journal.h"
#include "fuzz/targets/targets.h"
#include "gen/case/gen.h"

struct progress; /* fuzz/process/progress.h */

struct fleet_options {
    const struct target_list *targets;
    const char *folder; /* of the campaign, with its seeds: fuzz/campaign/seeds.h */
    const char *ini;    /* the user's targets, or NULL */
    enum profile profile;
    uint64_t seed;
    struct shard shard; /* which of the campaign's it is; each has random numbers of its own */
    uint64_t max_cases; /* that ran, per target and over all sessions; 0 = no limit */
    uint64_t max_ns;    /* of this session; 0 = no limit */
    uint32_t n_jobs;    /* instances; each target has at least one */
    int unadvertised;
    int stop_at_first;         /* end with the first violation of a new signature */
    struct progress *progress; /* NULL: none */
};

struct fleet_summary {
    uint32_t n_instances, n_dead; /* dead: ended by themselves again and again */
    uint64_t n_executions, n_cases, n_built, n_bad, n_trouble, n_cells; /* over all sessions */
    uint64_t n_queue; /* inputs that AFL++ keeps */
    uint64_t wall_ns;
    uint64_t harness_cpu_ns, worker_cpu_ns,
        afl_cpu_ns;  /* of this session: halfulp-afl, drivers, AFL++ */
    int was_stopped; /* by a signal */
};

/* Files that a fleet needs beside the journal: programs are found before a campaign is begun. RES_IO
 * says which is missing and what has it. Strings in the arena. */
struct fleet_programs {
    const char *afl_fuzz, *target, *mutator;
};
MUST_USE enum res fleet_find_programs(struct fleet_programs *out, struct arena *a, struct err *e);

/*
 * Run until the time or the cases are over or a signal comes; no process of it is left. Instance i works
 * on target i modulo their number; the first is AFL++'s main one. In the folder: afl/NAME is what AFL++
 * keeps (its queue, its crashes), instances/ what is counted and said; an instance that has a queue goes
 * on with it. RES_USAGE: another fleet works in the folder.
 */
MUST_USE enum res fleet_run(const struct fleet_options *o, const struct fleet_programs *p,
                            struct journal *j, struct fleet_summary *out, struct err *e);

/* fuzz/campaign/runner.h -- one target's way through the campaign: its cases in order, its workers. */
#pragma once

#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/step.h"
#include "fuzz/pool/handle.h"

/* A worker and the case prepared for it. */
struct runner_worker {
    struct worker_handle handle;
    struct run *prepared;
    struct canary canary;
    bool is_canary_out; /* with the worker, or not looked at */
};

struct case_groups; /* fuzz/campaign/case_groups.h */

struct target_runner {
    const struct target *target;
    const struct sched_options *options;
    struct journal *journal;
    struct corpus *corpus; /* of all runners */
    int64_t id;
    struct arena arena;               /* facts */
    const char *facts;                /* "" before the first hello */
    struct needs listed;              /* by the facts */
    struct needs allowed;             /* that its cases may have */
    const struct case_groups *groups; /* that cases are drawn for; NULL: not known yet */
    struct known_bugs known;          /* of a target of those facts */
    uint64_t next_index;
    uint64_t n_begun, n_runs, n_skipped, n_violations, n_judged; /* n_runs: all sessions */
    uint64_t n_session;
    uint64_t n_unlisted[UNLISTED_N]; /* in this process: cases of class unadvertised */
    uint32_t n_skipped_row;
    bool is_exhausted; /* no further case is wanted */
    bool is_dead;      /* does not start */
    struct canary_record canaries;
    uint32_t n_workers;
    struct runner_worker *workers;
};

/* Put the target into the journal and find where to go on. */
MUST_USE enum res runner_open(struct target_runner *runner, const struct target *t,
                              const struct sched_options *o, struct corpus *c, struct journal *j,
                              struct arena *a, struct err *e);
void runner_close(struct target_runner *runner); /* kills what still runs */
/* One step of one worker, without waiting. is_draining: begin nothing, let workers end. */
MUST_USE enum res runner_step(struct target_runner *runner, struct runner_worker *w,
                              bool is_draining, struct err *e);
/* Give up the case in flight: it is run again on resume. What is held is judged. */
MUST_USE enum res runner_give_up(struct target_runner *runner, struct runner_worker *w,
                                 struct err *e);
/* A case of a sim target from its generation to its verdict. */
MUST_USE enum res runner_step_sim(struct target_runner *runner, struct err *e);
/* Is there nothing under way and nothing more to begin? */
bool runner_is_over(const struct target_runner *runner, bool is_draining);

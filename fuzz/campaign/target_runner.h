/* fuzz/campaign/target_runner.h -- one target's way through the campaign: its cases in order, its workers. */
#pragma once

#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/pool/worker_handle.h"

/* Cases after which a worker is replaced, and after which the known-good case is run. */
enum {
    RUNNER_RECYCLE_CASES = 500,
    RUNNER_CANARY_CASES = 100,
    RUNNER_MAX_LOST = 3,
    RUNNER_RUNS = 3
};
/* A target that meets the needs of none of so many cases in a row is done. */
enum {
    RUNNER_MAX_SKIPPED = 20000
};
/* One case is judged at a time: with what the rest takes this keeps the process below 300 MiB. A case
 * that needs more is inconclusive. */
#define RUNNER_ARENA_BYTES ((size_t)192 << 20)
#define RUNNER_KEEP_BYTES  ((size_t)4 << 20)

/* A worker's place: its process, the case prepared for it, the memory of the cases under way. */
struct runner_worker {
    struct worker_handle slot;
    struct run *prepared;
    struct run runs[RUNNER_RUNS];
    int is_used[RUNNER_RUNS];
    struct run canary;
    int is_canary_used, wants_canary;
    uint32_t n_since_canary, n_lost;
};

struct target_runner {
    const struct target *target;
    const struct sched_options *options;
    struct journal *journal;
    struct corpus *corpus; /* of all runners */
    int64_t id;
    struct arena arena; /* facts */
    const char *facts;  /* "" before the first hello */
    uint64_t next_index;
    uint64_t n_begun, n_runs, n_skipped, n_violations, n_judged; /* n_runs: all sessions */
    uint64_t n_session;
    uint64_t n_unlisted[UNLISTED_N]; /* in this process: cases of class unadvertised */
    uint32_t n_skipped_row;
    int is_exhausted; /* no further case is wanted */
    int is_dead;      /* does not start */
    int had_good_canary, has_no_canary;
    uint32_t n_bad_canaries, n_bad_row, n_restarts;
    uint32_t n_workers;
    struct runner_worker *workers;
};

/* Put the target into the journal and find where to go on. */
MUST_USE enum res runner_open(struct target_runner *l, const struct target *t,
                              const struct sched_options *o, struct corpus *c, struct journal *j,
                              struct arena *a, struct err *e);
void runner_close(struct target_runner *l); /* kills what still runs */
/* One step of one place, without waiting. is_draining: begin nothing, let workers end. */
MUST_USE enum res runner_step(struct target_runner *l, struct runner_worker *p, uint64_t now_ns,
                              int is_draining, struct err *e);
/* Give up the case in flight: it is run again on resume. What is held is judged. */
MUST_USE enum res runner_give_up(struct target_runner *l, struct runner_worker *p, struct err *e);
/* A case of a sim target from its generation to its verdict. */
MUST_USE enum res runner_step_sim(struct target_runner *l, struct err *e);
/* Is there nothing under way and nothing more to begin? */
int runner_is_over(const struct target_runner *l, int is_draining);

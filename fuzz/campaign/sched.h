/* fuzz/campaign/sched.h -- the campaign's loop: every target always busy, every run in the journal. */
#pragma once

#include "fuzz/campaign/corpus.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/journal.h"
#include "fuzz/targets/targets.h"
#include "gen/case/gen.h"
#include "oracle/judgement/unlisted.h"

enum {
    SCHED_MAX_WORKERS = 16
};

struct case_source;       /* fuzz/campaign/case_source.h */
struct expected_failures; /* fuzz/known/expected_failures.h */
struct progress;          /* fuzz/process/progress.h */
struct sample_device;     /* gen/case/sample_devices.h */

struct sched_options {
    const struct target_list *targets;
    enum profile profile;
    uint64_t seed;
    struct shard shard; /* the case indices that are run here */
    uint64_t max_cases; /* that ran, per target; of a shard: indices below; 0 = no limit */
    uint64_t max_ns;    /* of this session; 0 = no limit */
    uint32_t n_workers; /* per target, 1 to SCHED_MAX_WORKERS */
    struct expected_failures *known;  /* of which the models explain findings; NULL: none */
    int unadvertised;                 /* run also FIT_UNLISTED cases, on every target */
    uint32_t mutate_percent;          /* share of mutated cases: fuzz/campaign/corpus.h */
    const char *import;               /* folder of tapes to begin with; NULL: none */
    const char *exports;              /* folder for the corpus; NULL: none */
    int is_json;                      /* events on standard output, one line each */
    struct progress *progress;        /* for people; NULL: none */
    const struct case_source *source; /* of the cases; NULL: they are generated */
    const struct sample_device
        *device; /* whose cases are drawn, for all targets; NULL: by what these list */
};

/* What the session came to, beyond the journal. */
struct sched_summary {
    uint64_t n_runs, n_violations, n_judged; /* unadvertised cases included */
    uint64_t n_unlisted[UNLISTED_N];         /* of all targets */
    uint64_t wall_ns;
    struct corpus_figures corpus;
    int was_stopped; /* by SIGINT or SIGTERM */
    uint32_t n_dead; /* targets that do not start or stopped starting */
};

/*
 * Run until the time or the cases are over or a signal comes; the journal then holds all. Takes
 * SIGINT, SIGTERM and SIGCHLD by a descriptor while it runs. A target that does not start is an
 * event, not an error. The tape of case i is the same on every target, fuzz/campaign/corpus.h says which: where
 * nothing is mutated or imported that of sched_make_fresh.
 */
MUST_USE enum res sched_run(const struct sched_options *o, struct journal *j,
                            struct sched_summary *out, struct err *e);

/* fuzz/sched.h -- the campaign's loop: every target always busy, every run in the journal. */
#ifndef HALFULP_FUZZ_SCHED_H
#define HALFULP_FUZZ_SCHED_H

#include "fuzz/corpus.h"
#include "fuzz/journal.h"
#include "fuzz/targets.h"
#include "gen/gen.h"

enum {
    SCHED_MAX_WORKERS = 16
};

struct sched_options {
    const struct target_list *targets;
    enum profile profile;
    uint64_t seed;
    uint64_t max_cases;      /* that ran, per target; 0 = no limit */
    uint64_t max_ns;         /* of this session; 0 = no limit */
    uint32_t n_workers;      /* per target, 1 to SCHED_MAX_WORKERS */
    int unadvertised;        /* run also FIT_UNLISTED cases, on every target */
    uint32_t mutate_percent; /* share of mutated cases: fuzz/corpus.h */
    const char *import;      /* folder of tapes to begin with; NULL: none */
    const char *exports;     /* folder for the corpus; NULL: none */
    int is_json;             /* events on standard output, one line each */
    int is_quiet;            /* no progress on standard error */
};

/* What a target makes of a case that uses what it does not list. */
enum unlisted_outcome {
    UNLISTED_ACCEPTED, /* it ran, and no violation was found */
    UNLISTED_REJECTED, /* refused, as it may be */
    UNLISTED_CRASHED,  /* died, hung, ended, or lost the device */
    UNLISTED_WRONG /* it ran, and the result is a violation of the instruction's specification */
};
enum {
    UNLISTED_N = 4
};
extern const char *const unlisted_names[UNLISTED_N]; /* "accepted", ... */
/* Which of these a run of class `unadvertised` came to; -1 where it was not run at all. */
int sched_get_unlisted(const struct observation *ob, const struct judgement *g);

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
 * event, not an error. The tape of case i is the same on every target, fuzz/corpus.h says which: where
 * nothing is mutated or imported that of sched_make_tape.
 */
MUST_USE enum res sched_run(const struct sched_options *o, struct journal *j,
                            struct sched_summary *out, struct err *e);

/* Profile of case `index` of a campaign: with PROFILE_ALL atomics alone, groups alone and both in one
 * case take turns. */
enum profile sched_pick_profile(enum profile profile, uint64_t index);
/* The fresh random tape of (seed, index). */
MUST_USE enum res sched_make_tape(uint64_t seed, uint64_t index, struct arena *a, struct tape *tape,
                                  struct err *e);
/* The case of the fresh tape of (seed, index) of a campaign of that profile, for an environment, in the arena; the
 * tape's bytes too. tc->profile is the case's own. */
MUST_USE enum res sched_make_case(enum profile profile, uint64_t seed, uint64_t index, enum env env,
                                  struct arena *a, struct testcase *tc, struct tape *tape,
                                  struct err *e);

#endif

/* fuzz/trial/trial.h -- does a case still show the same bug on a target? Asked by the reducer, for reruns,
 * variants and the table of targets. */
#pragma once

#include "fuzz/targets/targets.h"
#include "oracle/judge/judge.h"

enum {
    TRIAL_MAX_WORKERS = 16
};

/* What is looked for: a finding of the same bug core (struct signature), whatever else is found. */
struct trial_wanted {
    const char *core; /* of the signature; NULL: any violation */
    const struct testcase
        *as;           /* the case by which a run is judged, of the same buffers; NULL: its own */
    const char *facts; /* of the device that a simulated target plays; NULL: others in each run */
    uint32_t n_runs; /* a candidate shows it when at least n_needed of n_runs runs do; a run that */
    uint32_t n_needed; /* can no longer change the answer is left out */
    int is_foreign; /* somebody else made what candidates are made of: one that this program cannot vouch
                     * for (fuzz/trial/trust.h) is not run and shows nothing */
    bool
        must_be_defined; /* a candidate without defined behaviour (oracle/sim/sim_undefined.h) shows nothing, however its
                           * run ended */
    uint64_t
        until_ns; /* trials_count begins no run but its first behind that time (child_now_ns), nor after
                        * child_is_asked_to_stop; 0: it does all */
};
/* Is that time over, or is the caller to stop? */
bool trial_is_over(const struct trial_wanted *w);
/* Let n_runs and n_needed suit a case that shows it in this share of its runs, > 0: one that does so
 * as often mostly passes, one that does so in a third of that mostly not. */
void trial_set_share(struct trial_wanted *w, double share);

/* The finding that is looked for, or NULL. */
const struct finding *trial_find_wanted(const struct trial_wanted *w, const struct observation *ob,
                                        const struct judgement *g, struct arena *a);

/* Workers of one target, kept between trials; a simulated target works in this process. */
struct trials;
MUST_USE enum res trials_open(struct trials **out, const struct target *t, uint32_t n_workers,
                              struct err *e);
void trials_close(struct trials *t); /* kills what still runs; NULL is fine */
/* No question goes on after that time (child_now_ns; 0: none), nor after child_is_asked_to_stop. */
void trials_set_deadline(struct trials *t, uint64_t deadline_ns);
/* "" before the first run of a worker. */
const char *trials_get_facts(const struct trials *t);

/* Cases to be tried. */
struct trial_candidates {
    const struct testcase *const *tc; /* [n] */
    uint32_t n;
};
/*
 * Try the candidates at once, as many in parallel as there are workers. *out_first: the lowest index
 * that shows what is wanted, or their number. Those behind it may not have been run. On success `ob` and
 * `finding` (both may be NULL) are of the last run that showed it, in `a`. A candidate that the
 * target cannot run, that the oracle cannot judge, or that is not valid SPIR-V shows nothing; the
 * driver's death is an observation like any other. RES_IO: the target does not start (any more).
 * RES_LIMIT: the deadline passed, or the caller is to stop.
 */
MUST_USE enum res trials_find_first(struct trials *t, const struct trial_wanted *w,
                                    const struct trial_candidates *candidates, struct arena *a,
                                    uint32_t *out_first, struct observation *ob,
                                    struct finding *finding, struct err *e);

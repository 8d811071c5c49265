/* fuzz/reduce/reduce.h -- a smaller case that shows the same bug. */
#pragma once

#include "fuzz/journal/journal.h"
#include "fuzz/trial/trial.h"
#include "gen/case/gen.h"

/* What is to be made smaller. The tape comes first where there is one: whole nodes, then records. */
struct reduce_subject {
    struct testcase tc;
    struct observation ob;
    int has_tape;
    struct tape tape;
    enum profile profile;       /* of the tape */
    struct trial_wanted wanted; /* shown by tc on the target */
};

struct progress; /* fuzz/process/progress.h */

struct reduce_options {
    const struct target *target;
    uint32_t n_workers;
    uint64_t max_ns;           /* wall time; 0 = no limit */
    const char *state;         /* folder that holds the best so far: resumed from; NULL: none */
    int tries_spirv_reduce;    /* the peer, where the program is there; the smaller is kept */
    int is_trusted;            /* what that folder holds, though nobody can vouch for it */
    struct progress *progress; /* NULL: none */
};

/* What came of it. Everything in the caller's arena. */
struct reduce_result {
    struct testcase tc;
    struct observation ob;
    struct finding finding;       /* the one wanted, of ob */
    uint32_t n_before, n_after;   /* shrink_count */
    uint32_t n_tried, n_accepted; /* candidates */
    uint64_t wall_ns;
    int was_cut;          /* by the time, a signal, or the target's end: could be smaller */
    const char *smallest; /* who made the smallest: "tape", "halfulp", "spirv-reduce" */
};

/* A finding of a campaign of generator version gen_version: its case and observation, and its tape
 * where this generator made it and the journal keeps it. s->wanted is left as it is. */
MUST_USE enum res reduce_load_finding(struct journal *j, uint32_t gen_version, int64_t finding_id,
                                      uint64_t case_index, struct arena *a,
                                      struct reduce_subject *s, struct err *e);

/* RES_USAGE: the subject does not show what is wanted at all. RES_IO: the target does not start, or
 * the folder of the state cannot be written. RES_LIMIT: the time passed, or a signal waited, before
 * the subject was seen to show it (afterwards they end the search: was_cut). The result is never larger than the subject and was seen to show the bug. */
MUST_USE enum res reduce_run(const struct reduce_subject *s, const struct reduce_options *o,
                             struct arena *a, struct reduce_result *out, struct err *e);

/* fuzz/journal/campaign_standing.h -- how the buckets of a campaign stand, which the journal does not know: to an earlier
 * campaign, to a list of what is expected, to what people wrote down, and to earlier nights. Others mark it in the
 * campaign; here is what they mark, and what follows of it. */
#pragma once

#include "base/base.h"

struct campaign;
struct campaign_finding;

/* How a bucket of violations stands to an earlier campaign: fuzz/triage/baseline.h. The last four are of
 * buckets that only the earlier one has. */
enum baseline_state {
    BASELINE_NONE, /* not compared */
    BASELINE_NEW,
    BASELINE_THERE,   /* in both */
    BASELINE_FIXED,   /* its case, run again, does not show it */
    BASELINE_REMAINS, /* its case, run again, still shows it */
    BASELINE_FLAKY,   /* its case does not show it now, and did not always show it before */
    BASELINE_UNKNOWN  /* its case could not be run again to its end */
};
enum {
    BASELINE_N = 7
};
extern const char *const baseline_names[BASELINE_N]; /* "", "new", "still there", "fixed", ... */
/* A bucket that only the earlier campaign has. */
struct campaign_gone {
    const char *target, *verdict, *clause, *signature, *core, *family;
    enum baseline_state state;
    uint32_t n_runs, n_shown; /* of its case, run again */
    const char *why;          /* what came of that, one sentence */
};
/* A row of a list of findings that are expected: fuzz/known/expected_failures.h. */
struct expected_failure {
    const char *targets, *versions, *signature, *clause, *note;
    const char *expires; /* the last day, "YYYY-MM-DD"; "": none */
    int line;
    int is_expired;  /* it stands for nothing any more */
    uint32_t n_seen; /* findings that it fits; 0: unused */
    uint32_t n_also; /* additional signatures */
    const char *const *also;
};
/* A row of the list in which people write down how a bug stands: fuzz/known/bug_states.h. */
enum bug_state_kind {
    BUG_STATE_OPEN,
    BUG_STATE_FIXED,     /* in the version `detail` and later ones */
    BUG_STATE_DUPLICATE, /* of `detail` */
    BUG_STATE_NOT_SEEN,  /* looked for, and not met any more */
    BUG_STATE_INVALID    /* no bug of the driver */
};
enum {
    BUG_STATE_N = 5
};
extern const char
    *const bug_state_names[BUG_STATE_N]; /* "open", "fixed in", "duplicate of", "not seen", ... */
struct bug_state {
    const char *targets, *signature, *detail, *note;
    enum bug_state_kind kind;
    int line;
    uint32_t n_seen; /* buckets of the campaign that it fits */
};
/* A night of a history: fuzz/known/history.h. */
struct campaign_night {
    const char *name; /* when its campaign was started, "2026-11-25 16:30:00 UTC" */
    uint32_t n_new, n_open,
        n_fixed; /* bugs: met first, all that were met (the new ones too), gone */
};

/*
 * Does this finding name a bucket of violations that nobody knew of? One that no row expects, that its state does not
 * set aside, and that neither the baseline nor an earlier night has; one that is back is new.
 */
bool campaign_is_new(const struct campaign *c, const struct campaign_finding *f);
/* Does its state set the bucket aside: fixed in a later version, a duplicate, no bug? */
bool campaign_is_closed(const struct campaign_finding *f);

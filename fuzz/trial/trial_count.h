/* fuzz/trial/trial_count.h -- how often a case shows a bug, each run in a fresh worker. */
#pragma once

#include "fuzz/trial/trial.h"

/* How often a case shows it. */
struct trial_count {
    uint32_t n_runs, n_shown;
    enum verdict_kind worst; /* of all runs */
    uint32_t n_worst;
};
/* RES_FORMAT, RES_LIMIT: it is not run, for w->is_foreign and it cannot be vouched for. Otherwise
 * run tc n_runs times, or fewer by w->until_ns, each in a fresh worker. n_load: so many processes are busy meanwhile, for a
 * loaded machine, as far as they go with these runs; 0: one run after the other. RES_LIMIT also: a signal
 * came meanwhile, which ends many at once. */
MUST_USE enum res trials_count(const struct target *t, const struct trial_wanted *w,
                               const struct testcase *tc, uint32_t n_runs, uint32_t n_load,
                               struct trial_count *out, struct err *e);

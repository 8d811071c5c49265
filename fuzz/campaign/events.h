/* fuzz/campaign/events.h -- what a campaign tells while it runs: lines for people, or JSON, one per event. */
#pragma once

#include "fuzz/campaign/campaign_count.h"
#include "fuzz/campaign/runner.h"
#include "fuzz/targets/targets.h"
#include "oracle/judge/judge.h"

/* What a target did: a worker said hello for the first time, or was replaced after trouble. */
void events_put_target(const struct target_runner *l, const char *what, const char *text);
/* The same of one that is of no more use in this campaign: it does not start, or is given up. */
void events_put_loss(const struct target_runner *l, const char *what, const char *text);
void events_put_finding(const struct target_runner *l, const struct run *r, const struct finding *f,
                        const char *signature);
/* What was told, for rates and for "last new 40 min ago". */
struct events {
    uint64_t json_runs[TARGETS_MAX], json_ns;   /* runs of the session when it was told as JSON, */
    uint64_t shown_runs[TARGETS_MAX], shown_ns; /* and for people */
    struct campaign_counter count;
};
void events_begin(struct events *v, const struct sched_options *o, struct journal *j);
/* Once a second: how far it is. left_ns: of the campaign's time, 0 = it has no limit. */
void events_put_progress(struct events *v, const struct sched_options *o,
                         const struct target_runner *runners, uint32_t n_runners, uint64_t left_ns);

/* fuzz/campaign/events.h -- what a campaign tells while it runs: lines for people, or JSON, one per event. */
#pragma once

#include "fuzz/campaign/target_runner.h"
#include "oracle/judge/judge.h"

/* A worker said hello for the first time, does not start, or was replaced after trouble. */
void events_put_target(const struct target_runner *l, const char *what, const char *text);
void events_put_finding(const struct target_runner *l, const struct run *r, const struct finding *f,
                        const char *signature);
/* Once a second: rates since `before_runs` (one per runner), time left (0 = no limit). */
void events_put_progress(const struct sched_options *o, const struct target_runner *runners,
                         uint32_t n_runners, const uint64_t *before_runs, uint64_t interval_ns,
                         uint64_t left_ns);

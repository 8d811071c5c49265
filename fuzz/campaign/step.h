/* fuzz/campaign/step.h -- what is done with one run, by whatever loop drives it: runners of a campaign, AFL++. */
#pragma once

#include "fuzz/journal/journal.h"
#include "fuzz/pool/worker_handle.h"

/* Before anything is known of a run: no observation, its strings empty. Keeps the arena as it is. */
void step_begin(struct run *r);
/* What is known of a target before any worker said hello: of a simulated one all of it, else "". */
const char *step_first_facts(const struct target *t, struct arena *a);
/* Is the case of `r` for a target of those facts? Its class says then whether the target lists all that it
 * uses; what it does not list is wanted with `unadvertised` only. A simulated target takes each, a
 * compiler without a device none in which work-groups wait for each other. */
int step_is_wanted(const struct target *t, const char *facts, int unadvertised, struct run *r);
/* The case on a simulated target: observation and facts in the run's arena. A module that the
 * simulator cannot follow is RUN_HARNESS with its reason. */
void step_run_sim(const struct target *t, uint64_t seed, struct run *r);
/* The verdict, and in map (FEATURE_CELLS bytes, or NULL) what the run showed: oracle/feature/feature.h. An
 * oracle that cannot do its part gives no verdict: inconclusive, and the note says why. */
void step_judge(struct run *r, unsigned char *map, struct judgement *g);
/* The end of a begun run into the journal, with the disassembly where something was found. */
MUST_USE enum res step_end_run(struct journal *j, struct run *r, const struct judgement *g,
                               struct err *e);
/* Does the worker have to be replaced after this run? */
int step_is_trouble(const struct observation *ob);

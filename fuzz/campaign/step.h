/* fuzz/campaign/step.h -- what is done with one run, by whatever loop drives it: runners of a campaign, AFL++. */
#pragma once

#include "fuzz/journal/journal.h"
#include "fuzz/known/known_bugs.h"
#include "fuzz/pool/handle.h"

enum {
    STEP_RECYCLE_CASES = 500 /* after which a worker is replaced */
};

/* Before anything is known of a run: no observation, its strings empty. Keeps the arena as it is. */
void step_begin(struct run *r);
/* Give the buffers of a case that was made to be built alone what they hold before a run. */
void step_fill(struct run *r);
/* What is known of a target before any worker said hello: of a simulated one all of it, else "". */
const char *step_first_facts(const struct target *t, struct arena *a);
/* Is the case of `r` for a target of those facts, of which `listed` is step_list_needs? Its class says then whether the target lists all that it
 * uses; what it does not list is wanted with `unadvertised` only. A simulated target takes each, a
 * compiler without a device none in which work-groups wait for each other. */
bool step_is_wanted(const struct target *t, const struct needs *listed, const char *facts,
                    int unadvertised, struct run *r);
/* Shapes of cases that it never wants, whatever they need: for gen_plan. */
struct shape_set step_get_unwanted(const struct target *t);
/* Those needs that facts list each by itself: what needs no others need not be looked for in the facts. */
struct needs step_list_needs(const char *facts);
/* The needs that cases drawn for the target may have: those that its facts list and its language can express; with
 * `unadvertised` also those that it may have without listing them. A simulated target has every need that its language can
 * express. Needs of the other environment are always in the set. */
struct needs step_get_allowed(const struct target *t, const char *facts, bool unadvertised);
/* The case on a simulated target: observation and facts in the run's arena. A module that the
 * simulator cannot follow is RUN_HARNESS with its reason. */
void step_run_sim(const struct target *t, uint64_t seed, struct run *r);
/* The verdict, and in map (FEATURE_CELLS bytes, or NULL) what the run showed: oracle/feature/feature.h. An
 * oracle that cannot do its part gives no verdict: inconclusive, and the note says why. */
void step_judge(struct run *r, unsigned char *map, struct judgement *g);
/* Findings that bugs of `known` explain are told as theirs (fuzz/known/known_bugs.h). */
void step_explain(const struct known_bugs *known, struct run *r, struct judgement *g);
/* The end of a begun run into the journal, with the disassembly where something was found. */
MUST_USE enum res step_end_run(struct journal *j, struct run *r, const struct judgement *g,
                               struct err *e);
/* Does the worker have to be replaced after this run? */
bool step_is_trouble(const struct observation *ob);

/* A fixed good case that a worker is given at its start and every so many cases: is it still sane? */
struct canary {
    struct run run;
    bool is_wanted;
    uint32_t n_since; /* cases since the last one */
};
/* What became of it on a target so far. */
struct canary_record {
    bool is_absent; /* the target does not list it, or it was never good */
    bool had_good;
    uint32_t n_bad_row;
};
enum canary_verdict {
    CANARY_GOOD,
    CANARY_ABSENT,   /* not good, and never was on this target: it says nothing */
    CANARY_BAD,      /* the worker is to be replaced */
    CANARY_BAD_AGAIN /* the same, so often in a row that the target is to be given up */
};
/* The case into the canary's run, no longer wanted. *is_listed: the target of those facts lists all it
 * needs. */
MUST_USE enum res step_make_canary(struct canary *c, enum profile profile, const struct target *t,
                                   const char *facts, bool *is_listed, struct err *e);
void step_count_canary_case(struct canary *c); /* one of the campaign, given to the worker */
enum canary_verdict step_take_canary_verdict(struct canary_record *record, enum verdict_kind kind);

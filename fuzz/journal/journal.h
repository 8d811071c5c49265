/* fuzz/journal/journal.h -- the campaign's memory: SQLite in WAL mode, one file per campaign folder. */
#pragma once

#include "base/testcase.h"
#include "oracle/judge/judge.h"

struct journal; /* an open journal file */

/* Whole cases kept per bucket and target; the rest of a bucket is kept as findings, and of a
 * divergence as a count. */
enum {
    JOURNAL_KEEP_VIOLATIONS = 64,
    JOURNAL_KEEP_DIVERGENCES = 8
};
enum {
    JOURNAL_MAX_TARGETS = 64
};
/* Case indices from here on are given out by other programs than `halfulp run`. */
#define JOURNAL_OWN_CASES (UINT64_C(1) << 40)

/* What a campaign was started with; kept so that --resume goes on with the same. */
struct campaign_plan {
    const char *profile;
    uint64_t seed;
    uint32_t gen_version;
    uint64_t max_cases;  /* per target; 0 = no limit */
    uint64_t max_ns;     /* wall time; 0 = no limit */
    const char *targets; /* names, space separated */
};

/* Open PATH (a folder) /journal.sqlite, creating both if `plan` is given and none is there;
 * RES_FORMAT names the file and what is wrong (not a journal, other schema version, damaged). */
MUST_USE enum res journal_open(struct journal **out, const char *folder,
                               const struct campaign_plan *plan, struct err *e);
/* The same for one more process of a campaign that is open elsewhere: no look at the whole file. */
MUST_USE enum res journal_join(struct journal **out, const char *folder, struct err *e);
void journal_close(struct journal *j);
MUST_USE enum res journal_get_plan(struct journal *j, struct arena *a, struct campaign_plan *out,
                                   struct err *e);

/* Target by name: inserted or its facts updated; its row id. */
MUST_USE enum res journal_put_target(struct journal *j, const char *name, const char *facts,
                                     int64_t *id, struct err *e);
/* Written before the case is submitted. case_index numbers the campaign's cases from 0; the tape is
 * stored once per index. Returns the run's row id. A run that never ends is found by
 * journal_next_case as one in flight at the kill and is run again. The profile of the case itself,
 * which a campaign of profile "all" draws case by case, is stored when the run ends. */
MUST_USE enum res journal_begin_run(struct journal *j, int64_t target_id, uint64_t case_index,
                                    const void *tape, size_t n_tape, int64_t *run_id,
                                    struct err *e);
/* Verdict and counts; for a violation or divergence also the whole case and observation, the
 * disassembly of the module, and one row per finding with its signature: one transaction. A case of
 * class unadvertised is counted apart, by each feature that the target's facts lack. */
struct run_record {
    const struct testcase *tc;
    const struct observation *ob;
    const struct judgement *judgement;
    const char *disassembly; /* NULL when nothing was found */
};
MUST_USE enum res journal_end_run(struct journal *j, int64_t run_id, const struct run_record *r,
                                  struct arena *scratch, struct err *e);
/* Lowest case index from which this target has an index without an ended run: where to go on. */
MUST_USE enum res journal_next_case(struct journal *j, int64_t target_id, uint64_t *index,
                                    struct err *e);
/* A case that the target cannot run: its needs are not met. The coverage of `judgement` (NULL: none)
 * counts as not supported. */
MUST_USE enum res journal_skip_case(struct journal *j, int64_t target_id, uint64_t case_index,
                                    const struct judgement *judgement, struct err *e);
/* 1 when the target has an ended or skipped run at this index, 0 when not, also on error. */
int journal_is_done(struct journal *j, int64_t target_id, uint64_t case_index);
/* Ended runs of a target (skipped ones not counted), over all sessions. */
MUST_USE enum res journal_count_runs(struct journal *j, int64_t target_id, uint64_t *n,
                                     struct err *e);
/* Runs are collected in a transaction that a finding ends at once; this ends it too. What was not
 * flushed at a kill is run again. */
MUST_USE enum res journal_flush(struct journal *j, struct err *e);
/* Buckets of one verdict over all targets, for progress; 0 on error. */
uint64_t journal_count_buckets(struct journal *j, const char *verdict);
/* Runs begun or ended since the last flush. */
uint32_t journal_get_pending(const struct journal *j);
/* Beyond this size of the file, cases without a finding leave only counts. */
void journal_set_disk_cap(struct journal *j, uint64_t n_bytes);
/* Seconds and harness CPU of this session, summed over sessions. */
MUST_USE enum res journal_add_time(struct journal *j, uint64_t wall_ns, uint64_t harness_cpu_ns,
                                   uint64_t worker_cpu_ns, struct err *e);

/* Runs of one profile. */
struct campaign_profile {
    const char *name;
    uint64_t n_runs;
};
enum {
    JOURNAL_MAX_PROFILES = 16
};
/* The whole campaign for a report. All strings are foreign text, in the arena. */
struct campaign_target {
    int64_t id;
    const char *name, *facts;
    uint64_t n_runs, n_skipped;    /* skipped: needs not met */
    uint64_t n_unadvertised;       /* of n_runs: cases of what the target does not list */
    uint64_t n_verdict[VERDICT_N]; /* of the other runs */
    uint64_t n_judged, n_sharp, n_anything, n_inconclusive, n_bounded;
    uint64_t n_contended, n_interleaved, n_ordered;
    uint64_t n_reductions;         /* float sums and products over groups that were judged */
    uint64_t n_reductions_bounded; /* of these, by their proven bound alone */
    uint64_t n_partial;            /* group instructions judged under a partial mask */
    double cases_per_s;
    uint32_t n_profiles;
    struct campaign_profile profiles[JOURNAL_MAX_PROFILES]; /* of n_runs */
};
/* What came of cases that use a feature which the target does not list: one of four for each run. */
struct campaign_feature {
    int64_t target_id;
    const char
        *feature; /* row of caps.def; a case counts for each that it needs and is not listed */
    uint64_t n_accepted, n_rejected, n_crashed, n_wrong; /* enum unlisted_outcome of fuzz/journal/unlisted.h */
};
/* What is known of a bucket beyond its first finding: fuzz/triage/triage.h. Strings in the arena. */
struct campaign_triage {
    uint32_t n_runs, n_shown;               /* in fresh workers */
    uint32_t n_loaded_runs, n_loaded_shown; /* the same on a loaded machine */
    int is_flaky;                           /* not shown by all of them */
    uint32_t n_before, n_after;             /* instructions beyond the frame of an empty kernel */
    const char *smallest;                   /* who made the smallest case */
    const char *twin;   /* the smallest change that passes, one sentence, or "" */
    const char *matrix; /* a line per target: name, verdict, shown, runs; separated by tabs */
    uint64_t wall_ns;
};
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
/* A row of a list of findings that are expected: fuzz/triage/known.h. */
struct known_row {
    const char *target, *version, *signature, *clause, *note;
    const char *expires; /* the last day, "YYYY-MM-DD"; "": none */
    int line;
    int is_expired;  /* it stands for nothing any more */
    uint32_t n_seen; /* findings that it fits; 0: unused */
};
struct campaign_finding {
    int64_t id, target_id;
    uint64_t case_index;
    const char *verdict, *clause; /* names: verdict.def, clause.def ids */
    const char *class;            /* of the case: "legal", "unadvertised" */
    const char *signature, *op, *type, *storage, *permitted, *got, *operands, *text;
    const char *instruction; /* the disassembled instruction */
    const char *log, *crash_signature;
    const char *replay;   /* the command that replays it */
    uint64_t n_in_bucket; /* findings of this target, class and signature */
    uint32_t bucket;      /* place in campaign.findings of the one that names its bucket */
    uint64_t n_all;       /* of that one: findings of the bucket; of others 0 */
    const char *core;     /* bucket_core */
    const char *family;   /* bucket_family */
    const struct campaign_triage *triage; /* NULL: not looked into */
    enum baseline_state baseline;         /* of the bucket; set by baseline_compare */
    const struct known_row *expected;     /* NULL: by no row; set by known_mark */
};
struct journal_light {
    int64_t id;
    uint64_t case_index, n_bytes; /* of the case as it is kept */
};
struct campaign_coverage {
    int64_t target_id;
    const char *op, *type;
    const char *storage; /* storage class, or scope and operation: oracle/judge/judge.h */
    const char *outcome; /* "run", "not supported", "rejected"; "unadvertised", "refused": run or
                          * rejected in a case of what the target does not list */
    uint64_t n, n_sharp, n_anything, n_bounded, n_divergent;
};
struct campaign_cross { /* same case, values that differ though both permitted */
    const char *op, *target_a, *target_b;
    uint64_t n_cases, example_case; /* the first case */
    const char *replay;             /* the command that runs that case on both */
};
struct campaign {
    struct campaign_plan plan;
    const char *folder, *started, *generator, *mpfr_version;
    uint64_t wall_ns, harness_cpu_ns, worker_cpu_ns;
    uint64_t n_cases; /* one that `halfulp run` gave to all targets counts once */
    uint32_t n_targets, n_findings, n_coverage, n_cross, n_features;
    struct campaign_target *targets;
    struct campaign_finding *findings; /* one per signature, class and target: the first of each */
    struct campaign_coverage *coverage;
    struct campaign_cross *cross; /* by instruction, then targets */
    struct campaign_feature *features;
    const char *baseline; /* the earlier campaign; NULL: compared with none */
    uint32_t n_gone;
    struct campaign_gone *gone;
    const char *expected; /* the file of rows; NULL: none */
    uint32_t n_rows;
    const struct known_row *rows;
};
/* The target with that row id, or NULL. */
const struct campaign_target *campaign_find_target(const struct campaign *c, int64_t id);
/* A violation, in a case that the target claims to support. */
int campaign_is_violation(const struct campaign_finding *f);
MUST_USE enum res journal_load(struct journal *j, struct arena *a, struct campaign *out,
                               struct err *e);
/* Of all findings with this one's target, class and signature the one whose kept case is the smallest.
 * RES_USAGE: none was kept with its case. */
MUST_USE enum res journal_find_lightest(struct journal *j, int64_t finding_id,
                                        struct journal_light *out, struct err *e);
/* A finding's case and observation, to replay or judge again. RES_USAGE: no such finding, or its
 * bucket was so full that only the finding itself was kept. */
MUST_USE enum res journal_get_case(struct journal *j, int64_t finding_id, struct arena *a,
                                   struct testcase *tc, struct observation *ob, struct err *e);
/* Which target and verdict a finding is of. RES_USAGE: no such finding. */
struct journal_finding {
    const char *target, *verdict, *signature;
    uint64_t case_index;
};
MUST_USE enum res journal_get_finding(struct journal *j, int64_t finding_id, struct arena *a,
                                      struct journal_finding *out, struct err *e);
/* What was found out about the bucket of a finding, with its smallest case; replaces what is there. */
MUST_USE enum res journal_put_triage(struct journal *j, int64_t finding_id,
                                     const struct campaign_triage *t, const struct testcase *tc,
                                     const struct observation *ob, struct arena *scratch,
                                     struct err *e);
/* Its smallest case and the observation. RES_USAGE: there is none. */
MUST_USE enum res journal_get_smallest(struct journal *j, int64_t finding_id, struct arena *a,
                                       struct testcase *tc, struct observation *ob, struct err *e);
/* The tape of a case. RES_USAGE: it is not kept. */
MUST_USE enum res journal_get_tape(struct journal *j, uint64_t case_index, struct arena *a,
                                   const unsigned char **tape, size_t *n, struct err *e);
/* Wall time of all sessions so far. */
MUST_USE enum res journal_sum_wall(struct journal *j, uint64_t *wall_ns, struct err *e);
/* A word about the campaign under a key: "mpfr_version". */
MUST_USE enum res journal_put_note(struct journal *j, const char *key, const char *value,
                                   struct err *e);
const char *journal_get_note(struct journal *j, const char *key, struct arena *a); /* "": none */

/* fuzz/journal/campaign_data.h -- a campaign as plain data: what journal_load reads out of a journal. */
#pragma once

#include "fuzz/journal/campaign_standing.h"
#include "fuzz/journal/journal.h"

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
    uint64_t n_unconfined; /* runs of listed cases: less than half of the values were confined */
    uint64_t n_slow;       /* builds that took long: fuzz/journal/journal_remark.h */
    double cases_per_s;
    uint32_t n_profiles;
    struct campaign_profile profiles[JOURNAL_MAX_PROFILES]; /* of n_runs */
};
/* What came of cases that use a feature which the target does not list: one of four for each run. */
struct campaign_feature {
    int64_t target_id;
    const char *feature; /* row of caps.def that a case needs and the target does not list */
    uint64_t n_accepted, n_rejected, n_crashed,
        n_wrong; /* enum unlisted_outcome of oracle/judgement/unlisted.h */
};
/* Verdicts of rows without a run. */
#define MATRIX_NO_TIME     "no time left"
#define MATRIX_NOT_LISTED  "does not list it"
#define MATRIX_NOT_STARTED "does not start"
/* A bucket's smallest case on one of the targets that were at hand. */
struct matrix_row {
    const char *target, *verdict; /* the worst of the runs, or why there is none */
    const char *with; /* a switch of the driver's compiler (fuzz/targets/switches.def), or "" */
    uint32_t n_shown, n_runs;
    const char *version; /* what the target's driver calls its own, "Mesa 25.0.7-2", or "" */
};
/* What triage found out about a bucket (fuzz/triage/triage.h). Strings in the arena. */
struct campaign_triage {
    uint32_t n_runs, n_shown;               /* in fresh workers */
    uint32_t n_loaded_runs, n_loaded_shown; /* the same on a loaded machine */
    uint32_t n_alike;                       /* of n_runs: ended by the same verdict, which another
                                             * bug may have; 0: not known */
    int is_flaky;                           /* not shown by all of them */
    int is_cut;                 /* the time ended first: what is missing was not looked for */
    uint32_t n_before, n_after; /* instructions beyond the frame of an empty kernel */
    const char *smallest;       /* who made the smallest case */
    const char *variant;        /* the smallest change that passes, one sentence, or "" */
    const char *cause; /* which faults would give what was seen, best first, a line each; or "" */
    const char *bug;   /* that of them which explains all: "LOST_UPDATE:AtomicExchange"; or "" */
    const char *first_wrong; /* core of what goes wrong before this value; or "": itself */
    uint32_t n_matrix;
    const struct matrix_row *matrix;
    uint64_t wall_ns;
};
struct campaign_finding {
    int64_t id, target_id;
    uint64_t case_index;
    const char *verdict, *clause; /* names: verdict.def, clause.def ids */
    const char *class;            /* of the case: "legal", "unadvertised" */
    const char *signature, *op, *type, *storage, *permitted, *got, *operands, *text;
    const char *instruction; /* the disassembled instruction */
    const char *log, *crash_signature;
    const char *replay;            /* the command that replays it */
    uint64_t n_in_bucket;          /* findings of this target, class and signature */
    uint32_t bucket;               /* index in campaign.findings of the one that names its bucket */
    uint64_t n_all;                /* of that one: findings of the bucket; of others 0 */
    uint64_t n_cases;              /* of that one: cases that show the bucket; 0: not counted */
    const char *title;             /* of that one: "llvmpipe: ..."; NULL: its case does not tell */
    const char *since;             /* of that one: the first night that has it; NULL: no history */
    const struct bug_state *state; /* of that one; NULL: none is written down */
    int is_back;                   /* its state says that it is gone, and here it is */
    const char *core;              /* of struct signature */
    const char *family;            /* the same */
    const struct campaign_triage *triage;    /* NULL: not looked into */
    enum baseline_state baseline;            /* of the bucket; set by baseline_compare */
    const struct expected_failure *expected; /* NULL: by no row; set by expected_failures_mark */
    const char *
        kernel; /* "FILE, kernel NAME" of a case of the user's own kernels, before it was changed; or "" */
    const char *known_as; /* the bug that is known to give it; NULL: by its signature alone */
};
/* A case whose build took long, which no clause forbids. */
struct campaign_slow_build {
    int64_t target_id;
    uint64_t case_index, build_ns, n_words;
    const char *replay; /* the command that builds it again */
};
/* Runs that gave no values, by the reason. */
struct campaign_unexecuted {
    int64_t target_id;
    const char *
        reason; /* what the log of RUN_SKIPPED says, without numbers: "the intrinsic demote is not known" */
    uint64_t n;
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
struct
    campaign_language { /* same case and driver, as a module and as source text: other verdicts */
    const char *target, *source_target, *verdict, *source_verdict;
    uint64_t n_cases, example_case; /* the first case */
};
/* A statistic of a target's compiler over the cases that an earlier campaign has too. */
struct campaign_statistic {
    const char *target, *old_target, *name;
    int is_time; /* of a build: as loaded as the machine was, so that no case counts as worse */
    uint64_t n_cases;       /* that both have */
    uint64_t before, after; /* sums over them; of a time medians */
    uint64_t n_worse;       /* cases that became worse by more than the chosen share */
    uint64_t worst_case, worst_before, worst_after; /* of these that which changed most */
    const char *replay; /* the command that builds it again; NULL: n_worse is 0 */
};
struct campaign {
    struct campaign_plan plan;
    const char *folder, *started, *generator, *mpfr_version;
    uint32_t n_shards;   /* of a merged one: parts of the campaign; 0: it is none */
    const char *missing; /* which of these are not there, one sentence; "": none is missing */
    uint64_t wall_ns, harness_cpu_ns, worker_cpu_ns;
    uint64_t n_cases; /* one that `halfulp run` gave to all targets counts once */
    uint32_t n_targets, n_findings, n_coverage, n_cross, n_languages, n_features, n_slow,
        n_unexecuted;
    struct campaign_target *targets;
    struct campaign_finding *findings; /* one per signature, class and target: the first of each */
    struct campaign_coverage *coverage;
    struct campaign_cross *cross;        /* by instruction, then targets */
    struct campaign_language *languages; /* by target, then the most frequent first */
    uint64_t n_in_both; /* runs of a case on a driver in both languages, also with one verdict */
    struct campaign_feature *features;
    struct campaign_slow_build *slow;       /* the slowest of all targets, the slowest first */
    struct campaign_unexecuted *unexecuted; /* by target, then the most frequent first */
    const char *baseline;                   /* the earlier campaign; NULL: compared with none */
    const char *
        report_command; /* that reports on it with the options that were given; NULL: without any */
    const char *
        check_options; /* that "halfulp check" is to be given for it, " --targets-file x"; NULL: none */
    uint32_t n_gone;
    struct campaign_gone *gone;
    uint32_t n_statistics; /* by target, then name; 0 also without an earlier campaign */
    struct campaign_statistic *statistics;
    uint32_t worse_percent; /* the chosen share */
    const char *expected;   /* the file of rows; NULL: none */
    uint32_t n_rows;
    const struct expected_failure *rows;
    const char *states; /* the file of states; NULL: none */
    uint32_t n_states;
    const struct bug_state *state_rows;
    uint32_t n_nights; /* of the history, the oldest first, this campaign's too; 0: there is none */
    const struct campaign_night *nights;
};
/* The target with that row id, or NULL. */
const struct campaign_target *campaign_find_target(const struct campaign *c, int64_t id);
/* The kernel that a case of a campaign of the user's own kernels is of, "FILE, kernel NAME"; "": the campaign is another. */
const char *campaign_name_kernel(const struct campaign_plan *p, uint64_t case_index,
                                 struct arena *a);
/* A violation, in a case that the target claims to support. */
int campaign_is_violation(const struct campaign_finding *f);
/* What a bug does to who uses the driver, "medium: wrong values"; the greatest rank is the worst. */
struct campaign_harm {
    int rank;
    const char *text;
};
struct campaign_harm campaign_get_harm(const struct campaign_finding *f);
/* The order of bugs wherever they are listed, by the findings that name them, as qsort takes it: the worst first, then those that
 * more cases show; then by target and family, the older first. */
int campaign_compare_bugs(const struct campaign_finding *x, const struct campaign_finding *y);
/* Have the commands that run its findings again take these options too, " --targets-file x". */
void campaign_keep_options(struct campaign *c, const char *options, struct arena *a);
/* Does the case pass there: is it judged, and the bug not seen? */
bool campaign_row_passes(const struct matrix_row *row);
/* Does it end there as this verdict of the bug has it, such as by a crash, but never by the same bug? */
bool campaign_row_is_another(const struct matrix_row *row, const char *verdict);
/* A line per target and switch: name, verdict, shown, runs, switch, version, separated by tabs. */
const char *campaign_print_matrix(const struct campaign_triage *t, struct arena *a);

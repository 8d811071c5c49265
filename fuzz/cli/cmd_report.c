/* fuzz/cli/cmd_report.c -- halfulp report: triage of a campaign, a folder per bug, pages and files. */
#include "fuzz/cli/cmd_report.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/printable.h"
#include "fuzz/campaign/sched.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cli_finding.h"
#include "fuzz/cli/cmd_report_bugs.h"
#include "fuzz/cli/commands.h"
#include "fuzz/gtest/gtest_expect.h"
#include "fuzz/io/bundle.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_cases.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/journal/owner.h"
#include "fuzz/known/bug_states.h"
#include "fuzz/known/expected_failures.h"
#include "fuzz/known/history.h"
#include "fuzz/known/known_campaign.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"
#include "fuzz/reduce/reduce.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "fuzz/targets/targets_sim.h"
#include "fuzz/triage/baseline.h"
#include "fuzz/triage/triage.h"
#include "fuzz/triage/triage_share.h"
#include "reports/write/report.h"

#define NO_LIST         "none" /* of --suppress */
#define CMD_ARENA_BYTES ((size_t)512 << 20)
#define SECOND_NS       UINT64_C(1000000000)

struct options {
    int has_format;
    enum report_format format;
    const char *output, *folder, *into, *ini, *baseline, *suppress, *states, *history,
        *expectations;
    uint64_t bundle; /* 0 = none */
    uint64_t triage_ns, reduce_ns, n_workers, worse_percent;
    int no_triage, redo, is_trusted, is_quiet, is_triage_only;
    struct shard shard; /* of the bugs; {0, 0}: all */
    struct progress *progress;
    struct file_made
        *made; /* gets the folder that is to be written, if it is another than the campaign's */
    const char *again;                          /* the command line */
    const char *report_command, *check_options; /* as the campaign has them */
    const char *again_elsewhere;                /* the same with --into */
};

static bool take_format(const struct cli *c, void *options)
{
    struct options *const opt = options;
    for (int i = 0; i < REPORT_FORMAT_N; i++) {
        if (strcmp(c->value, report_format_names[i]) == 0) {
            opt->format = (enum report_format)i;
            opt->has_format = 1;
            return true;
        }
    }
    (void)cli_complain(c->command,
                       "--format \"%.40s\": text, html, trust, json, markdown, sarif or junit is "
                       "needed",
                       c->value);
    return false;
}

static const struct cli_option option_rows[] = {
    CLI_ROW("format", "NAME",
            "write only this format: text, html, trust, json, markdown, sarif or junit",
            .type = CLI_OWN, .take = take_format),
    CLI_ROW("output", "PATH",
            "file for --format (default: standard output), or folder for --bundle or --triage-only",
            CLI_PUT(CLI_TEXT, output), .letter = 'o'),
    CLI_ROW("into", "FOLDER",
            "write everything to FOLDER and leave the campaign's folder unchanged",
            CLI_PUT(CLI_TEXT, into)),
    CLI_ROW("bundle", "ID",
            "write the case and the observed results of finding ID to the folder of -o",
            CLI_PUT(CLI_U64, bundle), CLI_WITHIN(1, INT64_MAX)),
    CLI_ROW("baseline", "OLD",
            "compare with an earlier campaign; OLD is its folder or its report.json",
            CLI_PUT(CLI_TEXT, baseline)),
    CLI_ROW("worse", "PERCENT",
            "with --baseline: list the cases whose compiled code became worse by more than PERCENT "
            "(default: 20)",
            CLI_PUT(CLI_U64, worse_percent), CLI_WITHIN(0, 1000000)),
    CLI_ROW("suppress", "FILE",
            "list of known bugs, which the report shows separately; the word none: use no list "
            "(default: the list of run --known)",
            CLI_PUT(CLI_TEXT, suppress)),
    CLI_ROW("states", "FILE",
            "list of the states that people assigned to bugs, such as \"fixed in VERSION\"",
            CLI_PUT(CLI_TEXT, states)),
    CLI_ROW("history", "FILE",
            "list of the bugs of earlier campaigns; halfulp adds the bugs of this campaign to FILE",
            CLI_PUT(CLI_TEXT, history)),
    CLI_ROW("expectations", "NAME",
            "also write NAME-fails.txt, NAME-flakes.txt and NAME-skips.txt for deqp-runner and "
            "\"halfulp cases\"",
            CLI_PUT(CLI_TEXT, expectations)),
    CLI_ROW("no-triage", NULL, "report the findings without running or reducing their cases",
            CLI_PUT(CLI_FLAG, no_triage)),
    CLI_ROW("triage-only", NULL,
            "only analyse the bugs: write the results to the folder of -o, and write no report",
            CLI_PUT(CLI_FLAG, is_triage_only)),
    CLI_ROW("shard", "I/N",
            "with --triage-only: analyse only every N-th bug, starting with the I-th",
            CLI_PUT(CLI_SHARD, shard)),
    CLI_ROW("redo", NULL, "also analyse known bugs, and repeat the analysis of earlier bugs",
            CLI_PUT(CLI_FLAG, redo)),
    CLI_ROW("triage-time", "TIME", "time limit for analysing all bugs (default: 10m)",
            CLI_PUT(CLI_TIME, triage_ns)),
    CLI_ROW("reduce-time", "TIME", "time limit for reducing one case (default: 1m)",
            CLI_PUT(CLI_TIME, reduce_ns)),
    CLI_ROW("workers", "N", "number of reduced cases to try in parallel (default: 2)",
            CLI_PUT(CLI_U64, n_workers), CLI_WITHIN(1, SCHED_MAX_WORKERS)),
    CLI_ROW("trust", NULL, "run cases even if halfulp cannot show that they are harmless",
            CLI_PUT(CLI_FLAG, is_trusted)),
    CLI_QUIET(is_quiet),
    CLI_TARGETS_FILE(ini),
    CLI_SANDBOX,
    {.name = NULL},
};
static const struct cli_command cmd_report_help = {
    "report", "[OPTION]... FOLDER",
    "Analyse the findings of a campaign, and write the reports and a folder for each bug.",
    "Examples:\n"
    "  halfulp report first\n"
    "  halfulp report --no-triage first\n"
    "  halfulp report --baseline last-night --suppress corpora/known.tsv tonight\n"
    "\n"
    "Findings with the same cause are one bug. For each new bug, halfulp runs the case again, "
    "reduces the\n"
    "case, and runs the reduced case on the other targets. FOLDER/bugs contains a folder for each "
    "bug, which\n"
    "can be attached to a bug report. The campaign keeps the results, and a second call does not "
    "repeat the\n"
    "analysis.\n"
    "\n"
    "--baseline: If this campaign lacks a bug of OLD, halfulp runs the case of the bug again. The "
    "bug is fixed\n"
    "  if its case failed in every earlier run and passes now. With --no-triage, halfulp runs no "
    "case and\n"
    "  calls no bug fixed.\n"
    "  halfulp also compares what the compilers report about the cases that both campaigns have, "
    "such as\n"
    "  registers, spills and code size. This comparison does not change the exit status.\n"
    "--suppress: A row has the columns target, version, signature, clause, note and, optionally, "
    "the last day\n"
    "  on which the row is valid (YYYY-MM-DD). Tabs separate the columns. If a bug matches a row, "
    "halfulp\n"
    "  analyses it only with --redo.\n"
    "--states: A row has the columns target, signature, state and note. Tabs separate the columns. "
    "The state\n"
    "  is open, fixed in VERSION, duplicate of BUG, not seen or invalid. A bug with a row is not "
    "new, with one\n"
    "  exception: a bug whose state is fixed or not seen is new if it occurs again.\n"
    "--history: A bug of an earlier campaign is not new.\n"
    "--triage-only: With --shard 2/4 -o PART, each of four machines analyses a quarter of the "
    "bugs. Then\n"
    "  \"halfulp merge OUT FOLDER PART...\" adds the results to a copy of the campaign, and "
    "\"halfulp report OUT\"\n"
    "  shows them.\n"
    "\n"
    "If halfulp did not generate a case, it runs the case only if it can show that the case is "
    "harmless, or\n"
    "with --trust.\n"
    "Exit status: 0 no new bugs; 1 new bugs; 2 bad input, or a case was not run because --trust "
    "was not\n"
    "given; 3 halfulp or its environment failed. A bug is not new if it is suppressed, or if "
    "--baseline,\n"
    "--states or --history contains it.\n",
    option_rows};

static enum res write_report(const struct campaign *c, enum report_format format, const char *path,
                             struct err *e)
{
    struct file_writer w;
    if (!path) {
        return report_write(format, c, stdout, e); /* main looks whether all of it was written */
    }
    TRY(file_begin(&w, path, e));
    return file_end(&w, report_write(format, c, w.f, e), e);
}

enum res cmd_report_write_files(const struct campaign *c, struct arena *a, struct err *e)
{
    enum res r = RES_OK;
    for (int i = 0; i < REPORT_FORMAT_N && r == RES_OK; i++) {
        r = write_report(c, (enum report_format)i,
                         arena_printf(a, "%s/%s", c->folder, report_file_names[i]), e);
    }
    return r;
}

enum res cmd_report_describe(struct journal *j, struct campaign *c, struct arena *a, struct err *e)
{
    cmd_report_bugs_set_titles(j, c, a);
    return journal_count_cases(j, c, a, e);
}

/* The same, with the commands that keep the options of this one. */
static enum res describe(const struct options *opt, struct journal *j, struct campaign *c,
                         struct arena *a, struct err *e)
{
    TRY(cmd_report_describe(j, c, a, e));
    campaign_keep_options(c, opt->check_options, a);
    c->report_command = opt->report_command;
    return RES_OK;
}

static enum res write_bundle(struct journal *j, const struct options *opt, struct arena *a,
                             struct err *e)
{
    struct reduce_subject s = {.has_tape = 0};
    struct journal_finding f;
    TRY(cli_get_finding(j, (int64_t)opt->bundle, &f, &s, a, e));
    struct bundle const b = {.tc = s.tc,
                             .ob = s.ob,
                             .has_observation = 1,
                             .target = f.target,
                             .tape = s.has_tape ? &s.tape : NULL};
    TRY(bundle_write(opt->output, &b, a, e));
    const char *const folder = printable_quote(a, opt->output);
    printable_print(
        stdout,
        "%s: written; \"halfulp check %s%s\" runs it again, \"halfulp judge %s\" judges it\n",
        opt->output, folder, opt->check_options, folder);
    return RES_OK;
}

/* A driver that is here, with the fault that the campaign planted in it; nothing where it is not here. */
static enum res add_planted(const char *name, struct target_list *out, struct arena *a,
                            struct err *e)
{
    struct err ignored;
    struct target_list *const one = ARENA_NEW(a, struct target_list, 1);
    if (!one) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    if (targets_choose(out, name, one, a, &ignored) == RES_OK && one->n == 1 &&
        out->n < TARGETS_MAX) {
        out->t[out->n++] = one->t[0];
    }
    return RES_OK;
}

/* Has the campaign a target that is not made by name and not in the list? */
static bool lacks_target(const struct campaign *c, const struct target_list *list, struct arena *a)
{
    for (uint32_t i = 0; i < c->n_targets; i++) {
        const char *const name = c->targets[i].name;
        /* a planted fault stands behind the driver's name */
        const char *const driver = arena_printf(a, "%.*s", (int)strcspn(name, ":"), name);
        if (strncmp(name, "sim-", 4) != 0 && !targets_find_name(list, driver)) {
            return true;
        }
    }
    return false;
}

/* The targets that are here, and those of the campaign that are made by name. */
static enum res find_targets(const struct options *opt, const struct campaign *c,
                             struct target_list *out, struct arena *a, struct err *e)
{
    enum res r = targets_find(out, opt->ini, a, e);
    if (r == RES_OK && lacks_target(c, out, a)) {
        targets_add_native(out, a);
    }
    for (uint32_t i = 0; i < c->n_targets && r == RES_OK; i++) {
        const char *const name = c->targets[i].name;
        if (strncmp(name, "sim-", 4) == 0 && out->n < TARGETS_MAX) {
            r = targets_make_sim(name, &out->t[out->n], a, e);
            out->n += r == RES_OK;
        } else if (strchr(name, ':')) {
            r = add_planted(name, out, a, e);
        }
    }
    return r;
}

static enum res triage(const struct options *opt, struct journal *j, const struct campaign *c,
                       struct triage_figures *figures, struct arena *a, struct err *e)
{
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    struct triage_options const o = {.targets = list,
                                     .max_ns = opt->triage_ns,
                                     .reduce_ns = opt->reduce_ns,
                                     .n_workers = (uint32_t)opt->n_workers,
                                     .is_trusted = opt->is_trusted,
                                     .redo = opt->redo,
                                     .progress = opt->progress};
    TRY(list ? find_targets(opt, c, list, a, e)
             : err_set(e, RES_NOMEM, "no memory for the targets"));
    sigset_t old;
    /* SIGINT and SIGTERM end the search, and the report tells what was found out until then. */
    child_hold_stop(&old);
    enum res const r = triage_run(j, c, &o, figures, e);
    child_release_stop(&old);
    return r;
}

/* Known bugs that were not looked into, and that it took longer than it should, as a last step is not cut short. */
static void print_rest(const struct options *opt, const struct triage_figures *t)
{
    if (t->n_known) {
        printable_print(stdout,
                        "%" PRIu32
                        " known bug%s not analysed; to analyse known bugs as well: %s --redo\n",
                        t->n_known, t->n_known == 1 ? " was" : "s were", opt->again);
    }
    if (t->wall_ns >= opt->triage_ns + SECOND_NS) {
        char took[PROGRESS_TIME_BYTES], of[PROGRESS_TIME_BYTES];
        printable_print(stdout, "the analysis of the bugs lasted %s, the limit was %s\n",
                        progress_time(took, t->wall_ns), progress_time(of, opt->triage_ns));
    }
}

/* Print how many bugs were not looked into, or not to the end, why, and the command that goes on. Only for lack of
 * time (n_late, n_cut) does going on help. */
static void print_left(const struct options *opt, const struct triage_figures *t)
{
    if (t->n == t->n_done) {
        return;
    }
    printable_print(stdout, "looked into %" PRIu32 " of %" PRIu32 " bugs", t->n_done, t->n);
    const struct {
        uint32_t n;
        const char *why;
    } rows[] = {
        {t->n_cut,     "incomplete (time limit)"                                             },
        {t->n_late,    "not started (time limit)"                                            },
        {t->n_absent,  "skipped (the driver is missing)"                                     },
        {t->n_refused, "skipped (halfulp cannot show that the case is harmless; see --trust)"},
        {t->n_failed,  "failed (the case was not kept or could not be run)"                  },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].n) {
            printable_print(stdout, "; %" PRIu32 " %s", rows[i].n, rows[i].why);
        }
    }
    (void)putchar('\n');
    if (t->n_late + t->n_cut) {
        printable_print(stdout, "to continue%s: %s\n",
                        t->n_done ? "" : " (use a longer --triage-time)", opt->again);
    }
}

/* The files that the options name. */
struct lists {
    struct expected_failures known;
    struct bug_states states;
    struct history history;
};

/* What is expected, how bugs stand, earlier nights and an earlier campaign; before anything that takes time. */
static enum res read_files(const struct options *opt, struct lists *out, struct arena *a,
                           struct err *e)
{
    char today[EXPECTED_DATE_BYTES];
    *out = (struct lists){.known = {.n = 0}};
    if (opt->baseline && access(opt->baseline, R_OK) != 0) {
        return err_set(e, RES_USAGE, "--baseline: %s: %s", opt->baseline, strerror(errno));
    }
    expected_failures_get_today(today);
    TRY(opt->suppress ? expected_failures_read(&out->known, opt->suppress, today, a, e) : RES_OK);
    TRY(opt->states ? bug_states_read(&out->states, opt->states, a, e) : RES_OK);
    return opt->history ? history_read(&out->history, opt->history, a, e) : RES_OK;
}

/* How the bugs stand, when all else is known of them. */
static enum res mark_states(const struct options *opt, struct lists *lists, struct campaign *c,
                            struct arena *a, struct err *e)
{
    if (opt->states) {
        bug_states_mark(&lists->states, c);
    }
    return opt->history ? history_mark(&lists->history, c, a, e) : RES_OK;
}

/* What was made smaller may be a known bug alone. */
static enum res mark_smallest(const struct options *opt, struct journal *j,
                              struct expected_failures *known, struct campaign *c, struct arena *a,
                              struct err *e)
{
    uint32_t n = 0;
    if (!opt->suppress) {
        return RES_OK;
    }
    TRY(known_campaign_explain_smallest(known, j, c, &n, a, e));
    if (n == 0) {
        return RES_OK;
    }
    progress_say(opt->progress,
                 "report: %" PRIu32 " bugs match the list of known bugs by their reduced case", n);
    return expected_failures_mark(known, c, a, e);
}

/* Of a campaign that was run without its known bugs the findings are judged again with them; then rows are looked for. */
static enum res mark(const struct options *opt, struct journal *j, struct expected_failures *known,
                     struct campaign *c, struct arena *a, struct err *e)
{
    uint32_t n = 0;
    if (!opt->suppress) {
        return RES_OK;
    }
    TRY(known_campaign_explain(known, j, c, &n, a, e));
    if (n) {
        progress_say(opt->progress,
                     "report: %" PRIu32 " cases were judged again with the bug models of %s", n,
                     opt->suppress);
    }
    TRY(expected_failures_mark(known, c, a, e));
    return mark_smallest(opt, j, known, c, a, e);
}

/* Loaded anew it has the same findings: what they are known as was found out already. */
static enum res mark_again(const struct options *opt, struct journal *j,
                           const struct campaign *before, struct expected_failures *known,
                           struct campaign *c, struct arena *a, struct err *e)
{
    for (uint32_t i = 0; i < c->n_findings && i < before->n_findings; i++) {
        bool const is_same = c->findings[i].id == before->findings[i].id;
        c->findings[i].known_as = is_same ? before->findings[i].known_as : NULL;
    }
    TRY(opt->suppress ? expected_failures_mark(known, c, a, e) : RES_OK);
    return mark_smallest(opt, j, known, c, a, e);
}

/* The loaded campaign against an earlier one. */
static enum res compare(const struct options *opt, struct journal *j, struct campaign *c,
                        uint32_t *n_refused, struct arena *a, struct err *e)
{
    struct target_list *list = ARENA_NEW(a, struct target_list, 1);
    struct baseline_options const o = {.targets = opt->no_triage ? NULL : list,
                                       .max_ns = opt->triage_ns,
                                       .progress = opt->progress,
                                       .journal = j,
                                       .worse_percent = (uint32_t)opt->worse_percent,
                                       .is_trusted = opt->is_trusted,
                                       .n_refused = n_refused};
    if (!opt->baseline) {
        return RES_OK;
    }
    TRY(list ? find_targets(opt, c, list, a, e)
             : err_set(e, RES_NOMEM, "no memory for the targets"));
    return baseline_compare(c, opt->baseline, &o, a, e);
}

/* Is there a bug that is new, or without an earlier campaign, a history and a list of states any that no row expects? */
static int has_news(const struct campaign *c)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        if (campaign_is_new(c, &c->findings[i])) {
            return 1;
        }
    }
    return 0;
}

/* Look into the findings; the campaign is loaded anew with what came of it. */
static enum res triage_and_load(const struct options *opt, struct journal *j,
                                struct expected_failures *known, struct campaign *c,
                                struct triage_figures *figures, struct arena *a, struct err *e)
{
    struct campaign const before = *c;
    TRY(owner_take(opt->folder, e)); /* this writes the campaign; all else only reads it */
    TRY(triage(opt, j, c, figures, a, e));
    file_keep_made(opt->made);
    TRY(journal_load(j, a, c, e));
    return mark_again(opt, j, &before, known, c, a, e);
}

/* Print "findings: 2 new, 1 fixed, 3 still there", of bugs that nothing sets aside. A number that is 0 is left out,
 * except "new" and, where there is an earlier report to compare with, "fixed". */
static void print_news(const struct campaign *c)
{
    uint32_t n[BASELINE_N] = {0};
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *const f = &c->findings[i];
        bool const is_listed = /* one finding of each bucket, that which names it: bucket == i */
            campaign_is_violation(f) && f->bucket == i && !f->expected && !campaign_is_closed(f);
        if (is_listed) {
            n[campaign_is_new(c, f) ? BASELINE_NEW : BASELINE_THERE]++;
        }
    }
    for (uint32_t i = 0; i < c->n_gone; i++) {
        n[c->gone[i].state]++;
    }
    static const struct {
        enum baseline_state state;
        const char *text;
    } rows[] = {
        {BASELINE_FIXED,   "fixed"                                                },
        {BASELINE_THERE,   "still there"                                          },
        {BASELINE_REMAINS, "not seen, but still there"                            },
        {BASELINE_FLAKY,   "flaky and not seen"                                   },
        {BASELINE_UNKNOWN, "not seen, and running their case again gave no result"},
    };
    printable_print(stdout, "findings: %" PRIu32 " new", n[BASELINE_NEW]);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (n[rows[i].state] || (c->baseline && rows[i].state == BASELINE_FIXED)) {
            printable_print(stdout, ", %" PRIu32 " %s", n[rows[i].state], rows[i].text);
        }
    }
    (void)putchar('\n');
}

/* Statistics of which cases became worse, a line each. */
static void print_worse(const struct campaign *c)
{
    for (uint32_t i = 0; i < c->n_statistics; i++) {
        const struct campaign_statistic *const x = &c->statistics[i];
        if (x->n_worse > 0) {
            printable_print(stdout,
                            "worse: %s: %s: %" PRIu64 " of %" PRIu64 " cases by more than %" PRIu32
                            "%%, sum %" PRIu64 " -> %" PRIu64 "; case %" PRIu64 ": %" PRIu64
                            " -> %" PRIu64 "\n",
                            x->target, x->name, x->n_worse, x->n_cases, c->worse_percent, x->before,
                            x->after, x->worst_case, x->worst_before, x->worst_after);
        }
    }
}

/* Where all of it is. */
static void print_paths(const struct options *opt, uint32_t n_bugs, const char *bugs)
{
    printable_print(stdout, "\nreport: %s/%s, %s/%s; as text: %s/%s\n", opt->folder,
                    report_file_names[REPORT_HTML], opt->folder, report_file_names[REPORT_TRUST],
                    opt->folder, report_file_names[REPORT_TEXT]);
    if (n_bugs) {
        printable_print(stdout, "bugs: %" PRIu32 " folder%s in %s\n", n_bugs,
                        n_bugs == 1 ? "" : "s", bugs);
    }
}

/* With --expectations: the lists of deqp-runner, and on standard error how many tests stand in them. */
static enum res write_expectations(const struct options *opt, struct journal *j,
                                   const struct campaign *c, struct arena *a, struct err *e)
{
    struct gtest_expect_figures n;
    if (!opt->expectations) {
        return RES_OK;
    }
    TRY(gtest_expect_write(j, c, opt->expectations, &n, a, e));
    progress_clear(opt->progress);
    printable_print(stderr,
                    "expectations: %" PRIu32 " fails, %" PRIu32 " flakes, %" PRIu32
                    " skips, in %s-*.txt",
                    n.n_fails, n.n_flakes, n.n_skips, opt->expectations);
    printable_print(stderr,
                    n.n_unnamed ? "; %" PRIu32 " cases were made by changing another one, "
                                  "and have no name\n"
                                : "\n",
                    n.n_unnamed);
    return RES_OK;
}

/* Do all that a report without options is: look into the new buckets (triage), compare with an earlier report
 * if one is named, write a folder for each bug and the report in all formats, and print its first screen. *n_refused
 * counts the cases that were not run, as they come from elsewhere and nobody vouches for them. */
static enum res report_all(const struct options *opt, struct journal *j, struct lists *lists,
                           struct campaign *c, uint32_t *n_refused, struct arena *a, struct err *e)
{
    struct triage_figures figures = {.n = 0};
    uint32_t n_bugs = 0;
    if (access(opt->folder, W_OK) != 0) {
        return err_set(e, RES_USAGE, "%s: %s; to write to another folder: %s", opt->folder,
                       strerror(errno), opt->again_elsewhere);
    }
    TRY(mark(opt, j, &lists->known, c, a, e));
    struct campaign const before = *c; /* its findings say what triage had found out before */
    if (!opt->no_triage) {
        TRY(triage_and_load(opt, j, &lists->known, c, &figures, a, e));
        *n_refused += figures.n_refused;
    }
    TRY(compare(opt, j, c, n_refused, a, e));
    TRY(mark_states(opt, lists, c, a, e));
    progress_clear(opt->progress);
    TRY(describe(opt, j, c, a, e));
    const char *bugs = arena_printf(a, "%s/bugs", opt->folder);
    struct bugs_options const o = {
        .folder = bugs, .is_trusted = opt->is_trusted, .before = opt->no_triage ? NULL : &before};
    TRY(cmd_report_bugs_write(j, c, &o, &n_bugs, n_refused, e));
    TRY(cmd_report_write_files(c, a, e));
    TRY(opt->history ? history_write(&lists->history, c, a, e) : RES_OK);
    TRY(report_write_summary(c, stdout, e));
    print_paths(opt, n_bugs, bugs);
    print_left(opt, &figures);
    print_rest(opt, &figures);
    print_worse(c);
    print_news(c);
    return write_expectations(opt, j, c, a, e);
}

/* One report alone, as the options say; the history stays as it is. */
static enum res report_one(const struct options *opt, struct journal *j, struct lists *lists,
                           struct campaign *c, uint32_t *n_refused, struct arena *a, struct err *e)
{
    TRY(mark(opt, j, &lists->known, c, a, e));
    TRY(compare(opt, j, c, n_refused, a, e));
    TRY(mark_states(opt, lists, c, a, e));
    TRY(describe(opt, j, c, a, e));
    TRY(write_expectations(opt, j, c, a, e));
    return write_report(c, opt->format, opt->output, e);
}

/* Write the report of an open campaign: the one format that was asked for, or all. Status: findings where the
 * report has a violation that is new. */
static enum cli_status report(const struct options *opt, struct journal *j, struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct lists lists;
    struct campaign c;
    uint32_t n_refused = 0;
    if (read_files(opt, &lists, a, &e) != RES_OK) {
        return cli_fail_input(&cmd_report_help, &e);
    }
    enum res r = journal_load(j, a, &c, &e);
    if (r == RES_OK) {
        r = opt->has_format || opt->output ? report_one(opt, j, &lists, &c, &n_refused, a, &e)
                                           : report_all(opt, j, &lists, &c, &n_refused, a, &e);
    }
    if (r != RES_OK) {
        return cli_fail(&cmd_report_help, &e);
    }
    file_keep_made(opt->made);
    if (n_refused) {
        return STATUS_USAGE;
    }
    return has_news(&c) ? STATUS_FINDINGS : STATUS_OK;
}

/* ---- the bugs of a shard alone ---- */

/* The shard's journal, with the buckets that it is dealt; one of an earlier call goes on. */
static enum res open_share(const struct options *opt, struct journal *j, struct lists *lists,
                           struct journal **share, struct arena *a, struct err *e)
{
    struct shard const whole = {.index = 0, .n = 1};
    struct shard const shard = opt->shard.n ? opt->shard : whole;
    const char *const path = arena_printf(a, "%s/journal.sqlite", opt->output);
    TRY(file_make_path(opt->output, e));
    TRY(owner_take(opt->output, e));
    if (access(path, F_OK) != 0) {
        struct campaign c;
        uint32_t n = 0;
        TRY(journal_load(j, a, &c, e));
        TRY(mark(opt, j, &lists->known, &c, a, e));
        TRY(triage_share_make(j, &c, opt->redo != 0, shard, opt->output, &n, e));
    }
    TRY(journal_open(share, opt->output, NULL, e));
    return triage_share_check(*share, j, shard, e);
}

/* Look into the buckets of the shard, and keep that in its own journal. */
static enum res triage_share(struct options *opt, struct journal *j, uint32_t *n_refused,
                             struct arena *a, struct err *e)
{
    struct lists lists;
    struct campaign c;
    struct journal *share = NULL;
    struct triage_figures figures = {.n = 0};
    TRY(read_files(opt, &lists, a, e));
    enum res r = open_share(opt, j, &lists, &share, a, e);
    r = r == RES_OK ? journal_load(share, a, &c, e) : r;
    r = r == RES_OK ? mark(opt, share, &lists.known, &c, a, e) : r;
    if (r == RES_OK) {
        r = triage(opt, share, &c, &figures, a, e);
        if (r == RES_OK || figures.n_done > 0) {
            file_keep_made(opt->made);
        }
    }
    journal_close(share);
    progress_clear(opt->progress);
    TRY(r);
    *n_refused = figures.n_refused;
    printable_print(stdout, "%s: looked into %" PRIu32 " of %" PRIu32 " bugs of this shard\n",
                    opt->output, figures.n_done, figures.n);
    print_left(opt, &figures);
    return RES_OK;
}

static enum cli_status run_share(struct options *opt, struct journal *j, struct arena *a)
{
    struct err e = {RES_OK, ""};
    uint32_t n_refused = 0;
    enum res const r = triage_share(opt, j, &n_refused, a, &e);
    if (r != RES_OK) {
        return r == RES_USAGE ? cli_fail_input(&cmd_report_help, &e)
                              : cli_fail(&cmd_report_help, &e);
    }
    return n_refused ? STATUS_USAGE : STATUS_OK;
}

/* Is the journal of the folder that of this campaign? */
static enum res check_same(struct journal *j, const char *folder, struct arena *a, struct err *e)
{
    static const char *const keys[] = {"started", "seed", "profile"};
    struct journal *other = NULL;
    enum res r = journal_open(&other, folder, NULL, e);
    for (size_t i = 0; i < ARRAY_N(keys) && r == RES_OK; i++) {
        if (strcmp(journal_get_note(j, keys[i], a), journal_get_note(other, keys[i], a)) != 0) {
            r = err_set(e, RES_USAGE, "--into %s: contains another campaign", folder);
        }
    }
    journal_close(other);
    return r;
}

/* The campaign's journal. */
static enum res open_journal(struct options *opt, struct journal **j, struct err *e)
{
    return opt->is_triage_only /* many at once may look into it */
               ? journal_open_still(j, opt->folder, e)
               : journal_open(j, opt->folder, NULL, e);
}

/* With --into: in place of the open journal its copy there, which an earlier call may have made. */
static enum res open_copy(struct options *opt, struct journal **j, struct arena *a, struct err *e)
{
    if (!opt->into) {
        return RES_OK;
    }
    TRY(file_make_path(opt->into, e));
    bool const is_there = access(arena_printf(a, "%s/journal.sqlite", opt->into), F_OK) == 0;
    enum res const r = is_there ? check_same(*j, opt->into, a, e) : journal_copy(*j, opt->into, e);
    journal_close(*j);
    *j = NULL;
    opt->folder = opt->into;
    return r == RES_OK ? journal_open(j, opt->folder, NULL, e) : r;
}

/* What the commands that are printed keep of this one. */
static void keep_options(struct options *opt, const struct cli *c, struct arena *a)
{
    static const struct cli_kept of_check[] = {
        {"targets-file", NULL},
        {"trust",        NULL},
        {"sandbox",      NULL},
        {NULL,           NULL}
    };
    static const struct cli_kept of_report[] = {
        {"into",         NULL},
        {"baseline",     NULL},
        {"suppress",     NULL},
        {"states",       NULL},
        {"history",      NULL},
        {"triage-time",  NULL},
        {"workers",      NULL},
        {"trust",        NULL},
        {"reduce-time",  NULL},
        {"sandbox",      NULL},
        {"quiet",        NULL},
        {"targets-file", NULL},
        {NULL,           NULL}
    };
    opt->check_options = cli_say_kept(c, of_check, a);
    opt->report_command = arena_printf(a, "halfulp report%s %s", cli_say_kept(c, of_report, a),
                                       printable_quote(a, c->words[0]));
}

/* The folder that the command will make, if any. */
static void note_made(struct options *opt, struct cli *c)
{
    const char *const path = opt->into                            ? opt->into
                             : opt->is_triage_only || opt->bundle ? opt->output
                                                                  : NULL;
    opt->made = &c->made;
    if (path) {
        file_note_made(opt->made, path);
    }
}

/* A campaign that was run with a list of known bugs is reported with that list, unless --suppress names another, or none. */
static void choose_list(struct options *opt, struct journal *j, struct arena *a)
{
    if (!opt->suppress) {
        opt->suppress = known_campaign_get_note(j, a);
    } else if (strcmp(opt->suppress, NO_LIST) == 0) {
        opt->suppress = NULL;
    }
}

/* Runs `report` on the campaign folder that is named. Instead of a report, --bundle writes one finding as a bundle,
 * and --triage-only looks into a share of the bugs for other machines to merge (run_share). */
static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    struct options *opt = options;
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    enum cli_status status = STATUS_OK;
    if (c->n_words != 1) {
        return cli_complain(c->command, "one campaign folder is needed, %d are given", c->n_words);
    }
    if (opt->bundle && !opt->output) {
        return cli_complain(c->command, "--bundle: needs -o FOLDER to write to");
    }
    if (opt->is_triage_only && (!opt->output || opt->into || opt->has_format || opt->bundle)) {
        return cli_complain(c->command,
                            "--triage-only: needs -o FOLDER, and no --into, --format or --bundle");
    }
    if (opt->shard.n && !opt->is_triage_only) {
        return cli_complain(c->command, "--shard: only with --triage-only");
    }
    struct progress progress;
    progress_open(&progress, stderr);
    opt->progress = opt->is_quiet ? NULL : &progress;
    keep_options(opt, c, a);
    opt->again = cli_say_again(c, a);
    opt->again_elsewhere = arena_printf(a, "%s --into OTHER", opt->again);
    opt->folder = c->words[0];
    note_made(opt, c);
    if (open_journal(opt, &j, &e) != RES_OK) {
        progress_clear(&progress);
        return cli_fail_input(c->command, &e);
    }
    choose_list(opt, j, a);
    if (open_copy(opt, &j, a, &e) != RES_OK) {
        status = cli_fail(c->command, &e);
    } else if (opt->is_triage_only) {
        status = run_share(opt, j, a);
    } else if (!opt->bundle) {
        status = report(opt, j, a);
    } else if (write_bundle(j, opt, a, &e) != RES_OK) {
        status = cli_fail(c->command, &e);
    }
    progress_clear(&progress);
    journal_close(j);
    return status;
}

static const struct options defaults = {
    .triage_ns = 600 * SECOND_NS, .reduce_ns = 60 * SECOND_NS, .n_workers = 2, .worse_percent = 20};
const struct cli_entry cmd_report = {&cmd_report_help, &defaults, sizeof defaults, CMD_ARENA_BYTES,
                                     run};

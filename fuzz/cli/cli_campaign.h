/* fuzz/cli/cli_campaign.h -- what the commands that run campaigns share. */
#pragma once

#include "fuzz/campaign/campaign.h"
#include "fuzz/cli/cli.h"

/* The first rows of the commands that run campaigns, into `campaign` of their options. */
#define CLI_CAMPAIGN(seed_help, folder_help)                                                       \
    CLI_ROW("for", "TIME", "run for this time, such as 60s, 10m or 1h30m (default: until Ctrl-C)", \
            CLI_PUT(CLI_TIME, campaign.max_ns), CLI_GIVEN(campaign.has_for)),                      \
        CLI_ROW("cases", "N", "number of cases to run on each target",                             \
                CLI_PUT(CLI_U64, campaign.max_cases), CLI_WITHIN(1, INT64_MAX),                    \
                CLI_GIVEN(campaign.has_cases)),                                                    \
        CLI_ROW("targets", "LIST",                                                                 \
                "names of targets, such as lavapipe,intel-cpu (default: all targets found)",       \
                CLI_PUT(CLI_TEXT, campaign.targets)),                                              \
        CLI_TARGETS_FILE(campaign.ini),                                                            \
        CLI_ROW("profile", "NAME",                                                                 \
                "content of the cases: atomics, groups, arith, maxerror, programs, refusals or "   \
                "all (default: all)",                                                              \
                CLI_PUT(CLI_PROFILE, campaign.profile), CLI_GIVEN(campaign.has_profile)),          \
        CLI_ROW("seed", "N", seed_help, CLI_PUT(CLI_U64, campaign.seed),                           \
                CLI_WITHIN(0, UINT64_MAX), CLI_GIVEN(campaign.has_seed)),                          \
        CLI_ROW("shard", "I/N",                                                                    \
                "run only part I of N parts of the campaign (requires --seed); \"halfulp merge\" " \
                "joins the parts",                                                                 \
                CLI_PUT(CLI_SHARD, campaign.shard), CLI_GIVEN(campaign.has_shard)),                \
        CLI_ROW("output", "FOLDER", folder_help, CLI_PUT(CLI_TEXT, campaign.folder),               \
                .letter = 'o'),                                                                    \
        CLI_ROW("resume", NULL, "continue the campaign in FOLDER",                                 \
                CLI_PUT(CLI_FLAG, campaign.is_resume))

/* Begin or resume it, on the targets that were chosen; its journal is open then. */
MUST_USE enum res cli_open_campaign(struct campaign_options *o, const struct target_list **list,
                                    struct arena *a, struct journal **j, struct err *e);
/* Whether anything was found; STATUS_HARNESS after a message where nothing was run; STATUS_INCOMPLETE of a shard that
 * was stopped, so that whoever started it can tell that it is to be gone on with. */
enum cli_status cli_conclude(const struct cli_command *c, const struct campaign_options *o,
                             const struct campaign_sums *sums, bool was_stopped);
/* After the session, whatever it came to: a campaign in which cases were run stays. */
void cli_keep_campaign(struct campaign_options *o, struct journal *j, struct arena *a);
/* Have the commands that are printed for the campaign keep the options of this command line: that of its report
 * (campaign->report_command), and those that run findings again. */
void cli_keep_options(const struct cli *c, struct campaign *campaign, struct arena *a);
/* What was not looked into, and the commands that go on: another session, and triage. */
void cli_print_next(const struct cli *c, const struct campaign *campaign, bool was_stopped,
                    FILE *f);
/* At its end, when it is described (cmd_report_describe): write its reports and say where they are. A shard that was
 * stopped gets none, as it has only seconds, nor does a campaign without a case. */
MUST_USE enum res cli_report_campaign(const struct campaign *campaign, enum cli_status status,
                                      bool is_json, struct arena *a, struct err *e);

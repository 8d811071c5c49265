/* fuzz/cli/cli_campaign.c -- what the commands that run campaigns share. */
#include "fuzz/cli/cli_campaign.h"

#include <inttypes.h>

#include "base/file.h"
#include "base/printable.h"
#include "fuzz/campaign/campaign_count.h"
#include "fuzz/cli/cmd_report.h"
#include "fuzz/io/json.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "oracle/num/mp.h"

#define NEXT_ARENA_BYTES ((size_t)1 << 20)

enum res cli_open_campaign(struct campaign_options *o, const struct target_list **list,
                           struct arena *a, struct journal **j, struct err *e)
{
    struct target_list *const chosen = ARENA_NEW(a, struct target_list, 1);
    if (!chosen) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    *list = chosen;
    TRY(campaign_open(o, chosen, a, j, e));
    return journal_put_note(*j, "mpfr_version", mp_get_version(), e);
}

void cli_keep_campaign(struct campaign_options *o, struct journal *j, struct arena *a)
{
    struct campaign c;
    struct err ignored;
    if (journal_load(j, a, &c, &ignored) != RES_OK || campaign_sum(&c).n_runs > 0) {
        file_keep_made(o->made);
    }
}

enum cli_status cli_conclude(const struct cli_command *c, const struct campaign_options *o,
                             const struct campaign_sums *sums, bool was_stopped)
{
    if (was_stopped && o->shard.n > 0) {
        return STATUS_INCOMPLETE;
    }
    /* of more shards than cases some have none */
    bool const has_none = o->max_cases && shard_count(o->shard, o->max_cases) == 0;
    if (sums->n_runs == 0 && !was_stopped && !has_none) {
        (void)cli_complain(c, "no case was run");
        return STATUS_HARNESS;
    }
    return sums->n_found ? STATUS_FINDINGS : STATUS_OK;
}

/* Options of run and fuzz that the next command takes too. */
static const struct cli_kept of_check[] = {
    {"targets-file", NULL},
    {"trust",        NULL},
    {"sandbox",      NULL},
    {NULL,           NULL}
};
static const struct cli_kept of_report[] = {
    {"targets-file", NULL      },
    {"known",        "suppress"},
    {"trust",        NULL      },
    {"sandbox",      NULL      },
    {NULL,           NULL      }
};
static const struct cli_kept of_session[] = {
    {"targets-file",   NULL},
    {"known",          NULL},
    {"corpus-modules", NULL},
    {"corpus",         NULL},
    {"workers",        NULL},
    {"jobs",           NULL},
    {"unadvertised",   NULL},
    {"mutate",         NULL},
    {"disk-cap",       NULL},
    {"trust",          NULL},
    {"sandbox",        NULL},
    {"json",           NULL},
    {"quiet",          NULL},
    {"stop-at-first",  NULL},
    {NULL,             NULL}
};

void cli_keep_options(const struct cli *c, struct campaign *campaign, struct arena *a)
{
    campaign_keep_options(campaign, cli_say_kept(c, of_check, a), a);
    campaign->report_command = arena_printf(a, "halfulp report%s %s", cli_say_kept(c, of_report, a),
                                            printable_quote(a, campaign->folder));
}

void cli_print_next(const struct cli *c, const struct campaign *campaign, bool was_stopped, FILE *f)
{
    struct arena a;
    uint32_t const n = campaign_count_bugs(campaign).n_open;
    arena_init(&a, NEXT_ARENA_BYTES);
    if (n) {
        printable_print(f, "%" PRIu32 " new bug%s not analysed yet; to analyse: %s\n", n,
                        n == 1 ? " is" : "s are", campaign->report_command);
    }
    if (was_stopped) {
        printable_print(f, "stopped; to continue: halfulp %s --resume%s %s\n", c->command->name,
                        cli_say_kept(c, of_session, &a), printable_quote(&a, campaign->folder));
    }
    arena_free(&a);
}

/* The last event of a campaign that tells all as JSON. */
static enum res print_end(const struct campaign *campaign, enum cli_status status, struct arena *a,
                          struct err *e)
{
    struct campaign_bugs const bugs = campaign_count_bugs(campaign);
    struct json *event = json_new_object();
    json_put_text(event, "event", "end");
    json_put_number(event, "status", (uint64_t)status);
    json_put_number(event, "bugs", (uint64_t)bugs.n_new + bugs.n_known);
    json_put_number(event, "known", bugs.n_known);
    json_put_text(event, "report", arena_printf(a, "%s/report.html", campaign->folder));
    enum res const r = json_print(event, JSON_LINE, stdout, e);
    json_free(event);
    return r;
}

enum res cli_report_campaign(const struct campaign *campaign, enum cli_status status, bool is_json,
                             struct arena *a, struct err *e)
{
    if (status == STATUS_INCOMPLETE ||
        (status == STATUS_HARNESS && campaign_sum(campaign).n_runs == 0)) {
        return RES_OK;
    }
    TRY(cmd_report_write_files(campaign, a, e));
    if (is_json) {
        return print_end(campaign, status, a, e);
    }
    printable_print(stdout, "report: %s/report.html\n", campaign->folder);
    return RES_OK;
}

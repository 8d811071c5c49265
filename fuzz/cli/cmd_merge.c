/* fuzz/cli/cmd_merge.c -- halfulp merge: what the shards of a campaign found, as one campaign. */
#include "fuzz/cli/commands.h"

#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "fuzz/cli/cli.h"
#include "fuzz/cli/cmd_audit_merged.h"
#include "fuzz/merge/merge.h"

struct options {
    int is_quiet;
};

static const struct cli_option option_rows[] = {
    CLI_ROW("quiet", NULL, "print only errors", CLI_PUT(CLI_FLAG, is_quiet), .letter = 'q'),
    {.name = NULL},
};
static const struct cli_command cmd_merge_help = {
    "merge", "[OPTION]... OUT FOLDER...",
    "Join the shards of a campaign or an audit into one folder.",
    "A shard is one part of a campaign, such as the part that \"halfulp run --shard 2/4 --seed N\" "
    "runs. The\n"
    "order of the folders does not matter. A merged folder can be merged again. If OUT is the "
    "result of an\n"
    "earlier merge, halfulp adds the new shards to it. If two folders contain the same shard, "
    "halfulp uses\n"
    "the one with more progress. halfulp does not change the input folders. \"halfulp report OUT\" "
    "reports the\n"
    "merged campaign.\n"
    "Exit status: 0 the folders were merged (with or without findings); 2 the folders belong to "
    "different\n"
    "campaigns or are damaged; 3 OUT could not be written.\n",
    option_rows};

#define MERGE_ARENA_BYTES ((size_t)64 << 20)

static void print_summary(const struct merge_summary *s, const char *folder)
{
    printable_print(stdout,
                    "%s: %" PRIu32 " of %" PRIu32 " shards, from %" PRIu32 " folder%s%s%s\n",
                    folder, s->n_parts, s->n_shards, s->n_folders, s->n_folders == 1 ? "" : "s",
                    s->missing[0] ? ". " : "", s->missing);
}

/* Runs `merge`: the first word is the folder to make, the others are the folders to merge. The merge finds out what
 * they hold. For audits this command also writes the merged pages; for campaigns `report` does so. */
static enum cli_status run(struct cli *c, void *options, struct arena *a)
{
    const struct options *const opt = options;
    struct err e = {RES_OK, ""};
    struct merge_summary summary;
    if (c->n_words < 2) {
        return cli_complain(c->command, "the folder OUT and the folders to merge are needed");
    }
    const char **const in = ARENA_NEW(a, const char *, c->n_words);
    if (!in) {
        return cli_complain(c->command, "no memory for %d folders", c->n_words);
    }
    for (int i = 1; i < c->n_words; i++) {
        in[i - 1] = c->words[i];
    }
    struct merge_words const words = {.out = c->words[0], .in = in, .n = (uint32_t)c->n_words - 1};
    enum res r = merge_folders(&words, a, &summary, &e);
    if (r == RES_OK && strcmp(summary.kind, "audit") == 0) {
        r = cmd_audit_merged_write(words.out, &e);
    }
    if (r != RES_OK) {
        return cli_fail(c->command, &e);
    }
    if (!opt->is_quiet) {
        print_summary(&summary, c->words[0]);
    }
    return STATUS_OK;
}

static const struct options defaults = {.is_quiet = 0};
const struct cli_entry cmd_merge = {&cmd_merge_help, &defaults, sizeof defaults, MERGE_ARENA_BYTES,
                                    run};

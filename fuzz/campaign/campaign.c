/* fuzz/campaign/campaign.c -- what the commands that run campaigns share: begin or go on, and tell what came. */
#include "fuzz/campaign/campaign.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/printable.h"
#include "fuzz/campaign/campaign_count.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/journal/journal_shards.h"
#include "fuzz/journal/owner.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "gen/tape/profile.h"
#include "oracle/tables/tables.h"

enum {
    NAME_COLUMNS = 14, /* at least */
    MAX_PRINTED = 20   /* findings: a log is read by people */
};

/* Of a campaign that is gone on with: what the words say must be what it was begun with. */
static enum res check_plan(const struct campaign_options *options, const struct campaign_plan *plan,
                           struct err *e)
{
    if ((options->has_seed && options->seed != plan->seed) ||
        (options->has_profile && strcmp(profile_names[options->profile], plan->profile) != 0)) {
        return err_set(e, RES_USAGE, "%s: its campaign has seed %" PRIu64 " and profile %s",
                       options->folder, plan->seed, plan->profile);
    }
    if (options->has_shard &&
        (options->shard.n != plan->shard.n || options->shard.index != plan->shard.index)) {
        char text[SHARD_TEXT_BYTES];
        return err_set(e, RES_USAGE, plan->shard.n ? "%s: is shard %s" : "%s: is no shard%s",
                       options->folder, shard_print(plan->shard, text));
    }
    return RES_OK;
}

/* Complete the options of a resumed campaign from the plan that its journal holds. Seed, profile and shard decide
 * what the cases are, so they come from the plan alone. Targets, number of cases and duration can be given anew; what
 * the user did not give comes from the plan. The time of earlier sessions counts towards the duration. */
static enum res take_plan(struct campaign_options *options, struct journal *j, struct arena *a,
                          struct err *e)
{
    struct campaign_plan plan;
    uint64_t wall_ns = 0;
    if (journal_count_shards(j) > 0) {
        return err_set(
            e, RES_USAGE,
            "%s: is a merged campaign; continue its shards in their own folders and merge again",
            options->folder);
    }
    TRY(journal_get_plan(j, a, &plan, e));
    TRY(journal_sum_wall(j, &wall_ns, e));
    int const profile = profile_find(plan.profile);
    if (profile < 0 || plan.gen_version != GEN_VERSION) {
        return err_set(e, RES_FORMAT,
                       "%s: made with profile \"%.40s\" of generator %" PRIu32
                       ", this program has generator %d",
                       options->folder, plan.profile, plan.gen_version, GEN_VERSION);
    }
    TRY(check_plan(options, &plan, e));
    options->seed = plan.seed;
    options->shard = plan.shard;
    options->profile = (enum profile)profile;
    options->modules = (struct campaign_modules){plan.modules, plan.modules_options,
                                                 plan.modules_hash, plan.modules_list};
    options->targets = options->targets ? options->targets : plan.targets;
    if (!options->has_cases) {
        options->max_cases = plan.max_cases;
    }
    if (!options->has_for && plan.max_ns) {
        /* 0 would mean no limit; so 1 ns stands for a duration that is already used up */
        options->max_ns = plan.max_ns > wall_ns ? plan.max_ns - wall_ns : 1;
    }
    return RES_OK;
}

static enum res choose_targets(const struct campaign_options *options, struct target_list *list,
                               struct arena *a, struct err *e)
{
    struct target_list *found = ARENA_NEW(a, struct target_list, 1);
    if (!found) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    TRY(targets_find(found, options->ini, a, e));
    TRY(targets_select(found, options->targets, list, a, e));
    if (list->n == 0) {
        return err_set(e, RES_IO,
                       "no driver was found: \"halfulp devices\" prints how to get some");
    }
    return RES_OK;
}

static const char *join_names(const struct target_list *list, struct arena *a)
{
    const char *names = "";
    for (uint32_t i = 0; i < list->n; i++) {
        names = arena_printf(a, "%s%s%s", names, i ? " " : "", list->t[i].name);
    }
    return names;
}

static enum res resume(struct campaign_options *options, struct target_list *list, struct arena *a,
                       struct journal **j, struct err *e)
{
    if (!options->folder) {
        return err_set(e, RES_USAGE, "--resume: which folder? give it with -o");
    }
    const char *path = arena_printf(a, "%s/journal.sqlite", options->folder);
    if (access(path, F_OK) != 0) {
        return err_set(e, RES_USAGE, "%s: %s", path, strerror(errno));
    }
    TRY(owner_take(options->folder, e));
    TRY(journal_open(j, options->folder, NULL, e));
    TRY(take_plan(options, *j, a, e));
    return choose_targets(options, list, a, e);
}

/* The folder is this process's, and nobody's campaign is in it. */
static enum res take_folder(const char *folder, struct arena *a, struct err *e)
{
    enum res const r = owner_take(folder, e);
    if (r != RES_OK || access(arena_printf(a, "%s/journal.sqlite", folder), F_OK) != 0) {
        return r;
    }
    return err_set(e, RES_USAGE, "%s: already holds a campaign; --resume continues it", folder);
}

/* Open the journal of a new campaign, or of one to be resumed. Before that, the options of a new campaign are
 * completed: the seed comes from the clock, the folder's name from the prefix and the seed, and the targets are chosen
 * from those found. take_folder locks the folder, or says that another process has it. */
enum res campaign_open(struct campaign_options *options, struct target_list *list, struct arena *a,
                       struct journal **j, struct err *e)
{
    if (options->is_resume) {
        return resume(options, list, a, j, e);
    }
    if (options->has_shard && !options->has_seed) {
        return err_set(e, RES_USAGE, "--shard needs --seed: all shards must have the same seed");
    }
    if (!options->has_seed) {
        struct timespec t = {0, 0};
        (void)clock_gettime(CLOCK_REALTIME, &t);
        options->seed = (uint64_t)t.tv_sec;
    }
    if (!options->folder) {
        options->folder = arena_printf(a, "%s-%" PRIu64, options->prefix, options->seed);
        if (options->has_shard) {
            options->folder = arena_printf(a, "%s-%" PRIu32 "-of-%" PRIu32, options->folder,
                                           options->shard.index + 1, options->shard.n);
        }
    }
    if (access(arena_printf(a, "%s/journal.sqlite", options->folder), F_OK) == 0) {
        TRY(take_folder(options->folder, a, e)); /* before drivers are looked for */
    }
    TRY(choose_targets(options, list, a, e));
    if (options->made) {
        file_note_made(options->made, options->folder);
    }
    TRY(file_make_path(options->folder, e));
    TRY(take_folder(options->folder, a, e));
    struct campaign_plan const plan = {.profile = profile_names[options->profile],
                                       .seed = options->seed,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = options->max_cases,
                                       .max_ns = options->max_ns,
                                       .targets = join_names(list, a),
                                       .shard = options->shard,
                                       .modules = options->modules.folder,
                                       .modules_options = options->modules.options,
                                       .modules_hash = options->modules.hash,
                                       .modules_list = options->modules.list};
    return journal_open(j, options->folder, &plan, e);
}

static uint64_t count_violations(const struct campaign_target *t)
{
    uint64_t n = 0;
    for (int v = 0; v < VERDICT_N; v++) {
        n += verdict_rows[v].part == PART_VIOLATION ? t->n_verdict[v] : 0;
    }
    return n;
}

struct campaign_sums campaign_sum(const struct campaign *c)
{
    struct campaign_sums sum = {0, 0, 0};
    for (uint32_t i = 0; i < c->n_targets; i++) {
        sum.n_runs += c->targets[i].n_runs;
        sum.n_judged += c->targets[i].n_judged;
        sum.n_found += count_violations(&c->targets[i]);
    }
    return sum;
}

static void print_features(const struct campaign *c, FILE *f)
{
    for (uint32_t i = 0; i < c->n_features; i++) {
        const struct campaign_feature *x = &c->features[i];
        const struct campaign_target *t = campaign_find_target(c, x->target_id);
        (void)fputs(i ? "" : "not listed:\n", f);
        printable_print(f,
                        "  %s does not list %s: accepted %" PRIu64 ", rejected %" PRIu64
                        ", crashed %" PRIu64 ", wrong value %" PRIu64 "\n",
                        t ? t->name : "?", x->feature, x->n_accepted, x->n_rejected, x->n_crashed,
                        x->n_wrong);
    }
}

/* Print for each target what the counts of verdicts do not tell: how many runs decided little (inconclusive, or
 * with few values confined), and how many builds took long. c->slow has the slowest builds of all targets, the slowest
 * first, so the first row of a target is its slowest build. */
static void print_remarks(const struct campaign *c, FILE *f)
{
    for (uint32_t i = 0; i < c->n_targets; i++) {
        const struct campaign_target *const t = &c->targets[i];
        uint64_t const n_open = t->n_verdict[VERDICT_INCONCLUSIVE];
        if (n_open > 0 || t->n_unconfined > 0) {
            printable_print(f,
                            "%s: %" PRIu64 " runs inconclusive, %" PRIu64
                            " with less than half of their values confined\n",
                            t->name, n_open, t->n_unconfined);
        }
    }
    for (uint32_t i = 0; i < c->n_unexecuted; i++) {
        const struct campaign_unexecuted *const x = &c->unexecuted[i];
        const struct campaign_target *const t = campaign_find_target(c, x->target_id);
        bool const is_first = i == 0 || c->unexecuted[i - 1].target_id != x->target_id;
        if (t && is_first) {
            printable_print(
                f, "%s: the most frequent reason for missing values, in %" PRIu64 " runs: %s\n",
                t->name, x->n, x->reason);
        }
    }
    for (uint32_t i = 0; i < c->n_slow; i++) {
        const struct campaign_slow_build *const build = &c->slow[i];
        const struct campaign_target *const t = campaign_find_target(c, build->target_id);
        bool is_slowest = true; /* of its target */
        for (uint32_t k = 0; k < i; k++) {
            is_slowest &= c->slow[k].target_id != build->target_id;
        }
        if (t && is_slowest) {
            printable_print(
                f,
                "%s: %" PRIu64 " slow builds, the slowest %.1f s of CPU time for %" PRIu64
                " words; %s\n",
                t->name, t->n_slow, (double)build->build_ns / 1e9, build->n_words, build->replay);
        }
    }
}

static void put_name(const char *name, size_t n_columns, FILE *f)
{
    printable_print(f, "%s", name);
    for (size_t n = printable_columns(name); n < n_columns; n++) {
        (void)fputc(' ', f);
    }
}

/* A bug by its title, or by its signature where it has none, and how often it was met; then how to see it again. */
static void print_bug(const char *target, const struct campaign_finding *x, FILE *f)
{
    uint64_t const n = x->n_cases ? x->n_cases : x->n_all;
    bool const is_of_kernel = x->kernel && x->kernel[0];
    printable_print(f, "  #%" PRId64 " %s%s; %s; %s, %s %" PRIu64 " %s%s%s; %s\n", x->id,
                    x->expected ? "known: " : "", x->title ? x->title : x->signature,
                    campaign_get_harm(x).text, target, x->n_cases ? "in" : "met", n,
                    x->n_cases ? n == 1 ? "case" : "cases"
                    : n == 1   ? "time"
                               : "times",
                    is_of_kernel ? ", such as " : "", is_of_kernel ? x->kernel : "", x->replay);
}

/* New ones first. */
static int compare_bugs(const void *x, const void *y)
{
    const struct campaign_finding *const a = *(const struct campaign_finding *const *)x;
    const struct campaign_finding *const b = *(const struct campaign_finding *const *)y;
    if (!a->expected != !b->expected) {
        return a->expected ? 1 : -1;
    }
    return campaign_compare_bugs(a, b);
}

/* The bugs in the order of the report. */
static void print_bugs(const struct campaign *c, FILE *f)
{
    const struct campaign_finding **const bugs = calloc(c->n_findings + 1, sizeof *bugs);
    uint32_t n = 0;
    for (uint32_t i = 0; bugs && i < c->n_findings; i++) {
        if (campaign_names_bug(c, i)) {
            bugs[n++] = &c->findings[i];
        }
    }
    if (n > 0) {
        qsort(bugs, n, sizeof *bugs, compare_bugs);
        (void)fputs("bugs:\n", f);
    }
    for (uint32_t i = 0; i < n && i < MAX_PRINTED; i++) {
        print_bug(campaign_find_target(c, bugs[i]->target_id)->name, bugs[i], f);
    }
    if (n > MAX_PRINTED) {
        printable_print(f, "  and %" PRIu32 " more; the report has them all\n", n - MAX_PRINTED);
    }
    free(bugs);
}

/* Print a campaign as text: a line of counts for each target, then each bucket of findings that
 * are violations, with the command that replays it. Permitted differences (divergences) and the
 * harness's own trouble are not listed here. */
void campaign_print(const struct campaign *c, FILE *f)
{
    size_t n_widest = NAME_COLUMNS;
    for (uint32_t i = 0; i < c->n_targets; i++) {
        size_t const n_name = strlen(c->targets[i].name);
        n_widest = n_name > n_widest ? n_name : n_widest;
    }
    put_name("target", n_widest, f);
    printable_print(f, " %10s %10s %12s %9s %8s\n", "cases", "skipped", "judged", "findings",
                    "cases/s");
    for (uint32_t i = 0; i < c->n_targets; i++) {
        const struct campaign_target *t = &c->targets[i];
        put_name(t->name, n_widest, f);
        printable_print(f, " %10" PRIu64 " %10" PRIu64 " %12" PRIu64 " %9" PRIu64 " %8.1f\n",
                        t->n_runs, t->n_skipped, t->n_judged, count_violations(t), t->cases_per_s);
    }
    print_bugs(c, f);
    print_remarks(c, f);
    print_features(c, f);
}

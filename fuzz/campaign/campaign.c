/* fuzz/campaign/campaign.c -- what the commands that run campaigns share: begin or go on, and tell what came. */
#include "fuzz/campaign/campaign.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/printable.h"
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
static enum res check_plan(const struct campaign_options *w, const struct campaign_plan *plan,
                           struct err *e)
{
    if ((w->has_seed && w->seed != plan->seed) ||
        (w->has_profile && strcmp(profile_names[w->profile], plan->profile) != 0)) {
        return err_set(e, RES_USAGE, "%s: its campaign has seed %" PRIu64 " and profile %s",
                       w->folder, plan->seed, plan->profile);
    }
    if (w->has_shard && (w->shard.n != plan->shard.n || w->shard.index != plan->shard.index)) {
        char text[SHARD_TEXT_BYTES];
        return err_set(e, RES_USAGE, plan->shard.n ? "%s: is shard %s" : "%s: is no shard%s",
                       w->folder, shard_print(plan->shard, text));
    }
    return RES_OK;
}

/* Complete the options of a resumed campaign from the plan that its journal holds. Seed, profile and shard may
 * not be given anew, as they decide what the cases are; targets, cases and time may, and what is not given stays
 * as planned. The time of earlier sessions counts. */
static enum res take_plan(struct campaign_options *w, struct journal *j, struct arena *a,
                          struct err *e)
{
    struct campaign_plan plan;
    uint64_t wall_ns = 0;
    if (journal_count_shards(j) > 0) {
        return err_set(e, RES_USAGE,
                       "%s: is merged; a shard goes on in its own folder, and is merged again",
                       w->folder);
    }
    TRY(journal_get_plan(j, a, &plan, e));
    TRY(journal_sum_wall(j, &wall_ns, e));
    int const profile = profile_find(plan.profile);
    if (profile < 0 || plan.gen_version != GEN_VERSION) {
        return err_set(e, RES_FORMAT,
                       "%s: made with profile \"%.40s\" of generator %" PRIu32
                       ", this program has generator %d",
                       w->folder, plan.profile, plan.gen_version, GEN_VERSION);
    }
    TRY(check_plan(w, &plan, e));
    w->seed = plan.seed;
    w->shard = plan.shard;
    w->profile = (enum profile)profile;
    w->targets = w->targets ? w->targets : plan.targets;
    if (!w->has_cases) {
        w->max_cases = plan.max_cases;
    }
    if (!w->has_for && plan.max_ns) {
        /* 1 ns when the time is over already: only what is held open is closed */
        w->max_ns = plan.max_ns > wall_ns ? plan.max_ns - wall_ns : 1;
    }
    return RES_OK;
}

static enum res choose_targets(const struct campaign_options *w, struct target_list *list,
                               struct arena *a, struct err *e)
{
    struct target_list *found = ARENA_NEW(a, struct target_list, 1);
    if (!found) {
        return err_set(e, RES_NOMEM, "no memory for the targets");
    }
    TRY(targets_find(found, w->ini, a, e));
    TRY(targets_select(found, w->targets, list, a, e));
    if (list->n == 0) {
        return err_set(e, RES_IO, "no driver is here: \"halfulp devices\" says how to get some");
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

static enum res resume(struct campaign_options *w, struct target_list *list, struct arena *a,
                       struct journal **j, struct err *e)
{
    if (!w->folder) {
        return err_set(e, RES_USAGE, "--resume: which folder? give it with -o");
    }
    const char *path = arena_printf(a, "%s/journal.sqlite", w->folder);
    if (access(path, F_OK) != 0) {
        return err_set(e, RES_USAGE, "%s: %s", path, strerror(errno));
    }
    TRY(owner_take(w->folder, e));
    TRY(journal_open(j, w->folder, NULL, e));
    TRY(take_plan(w, *j, a, e));
    return choose_targets(w, list, a, e);
}

/* The folder is this process's, and nobody's campaign is in it. */
static enum res take_folder(const char *folder, struct arena *a, struct err *e)
{
    enum res const r = owner_take(folder, e);
    if (r != RES_OK || access(arena_printf(a, "%s/journal.sqlite", folder), F_OK) != 0) {
        return r;
    }
    return err_set(e, RES_USAGE, "%s: holds a campaign already; --resume goes on with it", folder);
}

/* Open the journal of a new campaign, or of one to be resumed, after the options are complete: seed from the
 * clock, folder after the prefix and the seed, targets chosen from those found. take_folder locks the folder,
 * or says that another process has it. */
enum res campaign_open(struct campaign_options *w, struct target_list *list, struct arena *a,
                       struct journal **j, struct err *e)
{
    if (w->is_resume) {
        return resume(w, list, a, j, e);
    }
    if (w->has_shard && !w->has_seed) {
        return err_set(e, RES_USAGE,
                       "--shard needs --seed: shards of several seeds are no campaign");
    }
    if (!w->has_seed) {
        struct timespec t = {0, 0};
        (void)clock_gettime(CLOCK_REALTIME, &t);
        w->seed = (uint64_t)t.tv_sec;
    }
    if (!w->folder) {
        w->folder = arena_printf(a, "%s-%" PRIu64, w->prefix, w->seed);
        if (w->has_shard) {
            w->folder = arena_printf(a, "%s-%" PRIu32 "-of-%" PRIu32, w->folder, w->shard.index + 1,
                                     w->shard.n);
        }
    }
    if (access(arena_printf(a, "%s/journal.sqlite", w->folder), F_OK) == 0) {
        TRY(take_folder(w->folder, a, e)); /* before drivers are looked for */
    }
    TRY(choose_targets(w, list, a, e));
    TRY(file_make_path(w->folder, e));
    TRY(take_folder(w->folder, a, e));
    struct campaign_plan const plan = {.profile = profile_names[w->profile],
                                       .seed = w->seed,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = w->max_cases,
                                       .max_ns = w->max_ns,
                                       .targets = join_names(list, a),
                                       .shard = w->shard};
    return journal_open(j, w->folder, &plan, e);
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

/* What the counts of verdicts do not tell: runs of which little was decided, and builds that took long. */
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
    for (uint32_t i = 0; i < c->n_slow; i++) {
        const struct campaign_slow_build *const x = &c->slow[i];
        const struct campaign_target *const t = campaign_find_target(c, x->target_id);
        bool is_first = true; /* of its target: the slowest */
        for (uint32_t k = 0; k < i; k++) {
            is_first &= c->slow[k].target_id != x->target_id;
        }
        if (t && is_first) {
            printable_print(f,
                            "%s: %" PRIu64
                            " slow builds, the slowest %.1f s of CPU time for %" PRIu64
                            " words; %s\n",
                            t->name, t->n_slow, (double)x->build_ns / 1e9, x->n_words, x->replay);
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
    printable_print(f, "  #%" PRId64 " %s: %s, %s %" PRIu64 " %s; %s\n", x->id, target,
                    x->title ? x->title : x->signature, x->n_cases ? "in" : "met", n,
                    x->n_cases ? n == 1 ? "case" : "cases"
                    : n == 1   ? "time"
                               : "times",
                    x->replay);
}

/* Print a campaign as text: a line of counts per target, then each bucket of findings that are violations,
 * with how to replay it. What is a permitted difference (a divergence) or the harness's own trouble is not
 * listed here. */
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
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_findings; i++) {
        const struct campaign_finding *found = &c->findings[i];
        const struct campaign_target *t = campaign_find_target(c, found->target_id);
        if (!t || !campaign_is_violation(found) || found->bucket != i) {
            continue;
        }
        (void)fputs(n == 0 ? "bugs:\n" : "", f);
        if (n++ < MAX_PRINTED) {
            print_bug(t->name, found, f);
        }
    }
    if (n > MAX_PRINTED) {
        printable_print(f, "  and %" PRIu32 " more; the report has them all\n", n - MAX_PRINTED);
    }
    print_remarks(c, f);
    print_features(c, f);
}

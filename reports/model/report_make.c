/* reports/model/report_make.c -- a report worked out from its campaign; headline, figures, campaign are made here. */
#include "reports/model/report_make.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/printable.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "oracle/tables/tables.h"
#include "reports/model/fact_list.h"
#include "reports/model/figures.h"
#include "reports/model/report_bugs.h"
#include "reports/model/report_findings.h"
#include "reports/model/report_tables.h"

/* ---- how the campaign stands to an earlier one and to what is expected ---- */

/* How the buckets stand to the earlier campaign, "2 new, 3 still there": those of now, each counted by its
 * head, and those that are gone. "": there is no earlier campaign. */
static const char *make_change(const struct report_view *v, struct arena *a)
{
    uint32_t n[BASELINE_N] = {0};
    const char *text = "";
    if (!v->c->baseline) {
        return "";
    }
    for (uint32_t i = 0; i < v->n_findings; i++) {
        n[v->findings[i].raw->baseline] += v->findings[i].head == i;
    }
    for (uint32_t i = 0; i < v->c->n_gone; i++) {
        n[v->c->gone[i].state]++;
    }
    for (int i = BASELINE_NEW; i < BASELINE_N; i++) {
        if (n[i]) {
            text = arena_printf(a, "%s%s%" PRIu32 " %s", text, text[0] ? ", " : "", n[i],
                                baseline_names[i]);
        }
    }
    return text[0] ? text : "no violation in either";
}

static enum report_tone tone_of(enum baseline_state state)
{
    return state == BASELINE_FIXED ? TONE_GOOD : state == BASELINE_REMAINS ? TONE_BAD : TONE_MUTED;
}

static const char *gone_text(const struct campaign_gone *g, struct arena *a)
{
    return arena_printf(a, "%s: %s; %s", g->target, g->signature, g->why);
}

static bool has_word(const char *list, const char *word)
{
    size_t const n = strlen(word);
    bool is_there = false;
    for (const char *at = list; *at && !is_there; at += at[0] == ',') {
        is_there = strcspn(at, ",") == n && strncmp(at, word, n) == 0;
        at += strcspn(at, ",");
    }
    return is_there;
}

/* Of names with commas between, is one a target of the campaign? */
static int is_tested(const struct campaign *c, const char *targets)
{
    for (uint32_t i = 0; i < c->n_targets; i++) {
        const char *const name = c->targets[i].name;
        if (name && has_word(targets, name)) {
            return 1;
        }
    }
    return 0;
}

/* How a row of expected findings stands. */
static const char *row_state(const struct campaign *c, const struct expected_failure *row)
{
    if (row->is_expired) {
        return row->n_seen ? "expired, and found" : "expired, not found";
    }
    if (row->n_seen) {
        return "used";
    }
    return is_tested(c, row->targets) ? "unused" : "unused, its target was not tested";
}

static const char *row_text(const struct campaign *c, const struct expected_failure *row,
                            struct arena *a)
{
    return arena_printf(a, "%s:%d: %s %s%s%s: %s", c->expected, row->line, row->targets,
                        row->signature, row->expires[0] ? ", until " : "", row->expires, row->note);
}

/* Make what is shown of the comparison with an earlier campaign (v->change, v->gone) and of the list of
 * expected failures (v->rows). It needs the findings. 0: the arena is full. */
static int make_baseline(struct report_view *v, struct arena *a)
{
    const struct campaign *const c = v->c;
    struct report_fact *const gone = ARENA_NEW(a, struct report_fact, (size_t)c->n_gone + 1);
    struct report_fact *const rows = ARENA_NEW(a, struct report_fact, (size_t)c->n_rows + 1);
    v->change = make_change(v, a);
    for (uint32_t i = 0; gone && i < c->n_gone; i++) {
        gone[i] = (struct report_fact){.label = baseline_names[c->gone[i].state],
                                       .text = gone_text(&c->gone[i], a),
                                       .look = LOOK_TEXT,
                                       .tone = tone_of(c->gone[i].state)};
    }
    for (uint32_t i = 0; rows && i < c->n_rows; i++) {
        const struct expected_failure *const row = &c->rows[i];
        rows[i] =
            (struct report_fact){.label = row_state(c, row),
                                 .text = row_text(c, row, a),
                                 .look = LOOK_TEXT,
                                 .tone = row->n_seen && !row->is_expired ? TONE_PLAIN : TONE_INFO};
    }
    v->gone = (struct report_facts){.n = gone ? c->n_gone : 0, .fact = gone};
    v->rows = (struct report_facts){.n = rows ? c->n_rows : 0, .fact = rows};
    return gone && rows && v->change;
}

/* ---- the headline and the figures ---- */

/* Sums over the targets of a campaign. */
struct totals {
    uint64_t n_runs, n_unadvertised, n_violating, n_inconclusive, n_unconfined, n_slow, n_judged,
        n_sharp;
    uint32_t n_bad_targets;
};

/* Add up the targets' counts. Runs of cases that a target does not list are counted apart, as nothing obliges
 * it there. */
static struct totals totals_of(const struct report_view *v)
{
    struct totals sum = {0};
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const t = &v->c->targets[i];
        uint64_t n_bad = 0;
        for (int k = 0; k < VERDICT_N; k++) {
            if (verdict_rows[k].part == PART_VIOLATION) {
                n_bad = figures_sum(n_bad, t->n_verdict[k]);
            }
        }
        uint64_t const n_own = t->n_runs > t->n_unadvertised ? t->n_runs - t->n_unadvertised : 0;
        sum.n_runs = figures_sum(sum.n_runs, n_own);
        sum.n_unadvertised = figures_sum(sum.n_unadvertised, t->n_unadvertised);
        sum.n_violating = figures_sum(sum.n_violating, n_bad);
        sum.n_bad_targets += n_bad > 0;
        sum.n_inconclusive = figures_sum(sum.n_inconclusive, t->n_verdict[VERDICT_INCONCLUSIVE]);
        sum.n_unconfined = figures_sum(sum.n_unconfined, t->n_unconfined);
        sum.n_slow = figures_sum(sum.n_slow, t->n_slow);
        sum.n_judged = figures_sum(sum.n_judged, t->n_judged);
        sum.n_sharp = figures_sum(sum.n_sharp, t->n_sharp);
    }
    return sum;
}

static const char *targets_word(uint32_t n)
{
    return n == 1 ? "target" : "targets";
}

/* "1 high, 5 medium": how bad the new ones are. */
static const char *count_grades(const struct report_view *v, struct arena *a)
{
    static const char *const grades[] = {"high", "medium", "low", "unknown"};
    const char *text = "";
    for (size_t k = 0; k < ARRAY_N(grades); k++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < v->n_shelf[SHELF_NEW]; i++) {
            n += strncmp(v->bugs[i].harm, grades[k], strlen(grades[k])) == 0;
        }
        text = n ? arena_printf(a, "%s%s%" PRIu32 " %s", text, text[0] ? ", " : "", n, grades[k])
                 : text;
    }
    return text;
}

/* "2 new bugs (1 high, 1 low), 1 open, 5 known.", what is 0 left out but the first. */
static const char *count_bugs(const struct report_view *v, struct arena *a)
{
    uint32_t const n_new = v->n_shelf[SHELF_NEW];
    const char *text =
        n_new == 0 ? "No new bug"
                   : arena_printf(a, "%" PRIu32 " new %s", n_new, n_new == 1 ? "bug" : "bugs");
    text = n_new < 2 ? text : arena_printf(a, "%s (%s)", text, count_grades(v, a));
    static const char *const words[REPORT_SHELF_N] = {
        [SHELF_OPEN] = "open", [SHELF_ASIDE] = "known"};
    for (int i = SHELF_OPEN; i < REPORT_SHELF_N; i++) {
        text = v->n_shelf[i] == 0
                   ? text
                   : arena_printf(a, "%s, %" PRIu32 " %s", text, v->n_shelf[i], words[i]);
    }
    return arena_printf(a, "%s.", text);
}

/* The line at the top: what came out of the campaign. *tone is good only where something was run and
 * nothing is wrong but what is known. */
static const char *make_headline(const struct report_view *v, const struct totals *sum,
                                 struct arena *a, enum report_tone *tone)
{
    uint32_t const n_targets = v->c->n_targets;
    const char *const runs = figures_count(a, sum->n_runs);
    *tone = TONE_BAD;
    if (n_targets == 0) {
        return "No target was tested: this campaign shows nothing.";
    }
    if (sum->n_runs == 0) {
        return sum->n_unadvertised == 0
                   ? "No case was run: this campaign shows nothing."
                   : arena_printf(a, "All %s runs had features that the targets do not list.",
                                  figures_count(a, sum->n_unadvertised));
    }
    if (v->n_bugs == 0 && sum->n_violating > 0) {
        return arena_printf(a, "%s runs broke a rule, and no finding of them is kept.",
                            figures_count(a, sum->n_violating));
    }
    *tone = v->n_shelf[SHELF_NEW] + v->n_shelf[SHELF_OPEN] > 0 ? TONE_BAD : TONE_GOOD;
    return v->n_bugs > 0 ? count_bugs(v, a)
                         : arena_printf(a, "No bug in %s runs on %" PRIu32 " %s.", runs, n_targets,
                                        targets_word(n_targets));
}

/* What was run, and in how much of it a rule was broken. */
static const char *describe_campaign(const struct report_view *v, const struct totals *sum,
                                     struct arena *a)
{
    const struct campaign *const c = v->c;
    const char *names = "";
    enum {
        MAX_NAMES = 4
    };
    for (uint32_t i = 0; i < c->n_targets && i < MAX_NAMES; i++) {
        names = arena_printf(a, "%s%s%s", names, i ? ", " : "",
                             c->targets[i].name ? c->targets[i].name : "?");
    }
    return arena_printf(a, "%s runs on %s%s in %s; %s of them broke a rule of a specification.",
                        figures_count(a, sum->n_runs), names,
                        c->n_targets > MAX_NAMES ? ", ..." : "", figures_duration(a, c->wall_ns),
                        figures_count(a, sum->n_violating));
}

/* The campaign's folder as a word of a command, with "#12" after it or "". */
static const char *quote_folder(const struct report_view *v, const char *number, struct arena *a)
{
    return printable_quote(a, arena_printf(a, "%s%s", v->c->folder ? v->c->folder : ".", number));
}

/* What to do next, and the command for it: triage the new bugs that have no folder yet (n_bare), or check the worst
 * new bug again. The new bugs come first in v->bugs, the worst of them first. */
static void add_next(struct fact_list *b, const struct report_view *v, struct arena *a)
{
    const struct report_bug *worst = v->n_shelf[SHELF_NEW] ? &v->bugs[0] : NULL;
    uint32_t n_bare = 0;
    for (uint32_t i = 0; i < v->n_shelf[SHELF_NEW]; i++) {
        n_bare += v->bugs[i].folder == NULL;
    }
    if (!worst) {
        fact_list_add_text(b, "next",
                           v->n_shelf[SHELF_OPEN]
                               ? "Nothing new to report; the open bugs are still there."
                               : "Nothing new to report.");
    } else if (n_bare > 0) {
        fact_list_add_text(
            b, "next",
            arena_printf(a,
                         "%" PRIu32 " of the new bugs %s not looked into yet. Have %s "
                         "run again, made smaller and described:",
                         n_bare, n_bare == 1 ? "is" : "are", n_bare == 1 ? "it" : "them"));
        fact_list_add(b, "command",
                      v->c->report_command
                          ? v->c->report_command
                          : arena_printf(a, "halfulp report %s", quote_folder(v, "", a)),
                      LOOK_CODE, TONE_PLAIN);
    } else {
        fact_list_add_text(
            b, "next",
            "File each new bug with its driver: the folder's report.md is the text, the "
            "folder the attachment. To see the worst once more:");
        fact_list_add(b, "command",
                      arena_printf(a, "halfulp check%s %s",
                                   v->c->check_options ? v->c->check_options : "",
                                   quote_folder(v, worst->number, a)),
                      LOOK_CODE, TONE_PLAIN);
    }
}

/* Make the sentences to be read first. 0: the arena is full. */
static int make_summary(struct report_view *v, const struct totals *sum, struct arena *a)
{
    struct fact_list b;
    if (!fact_list_open(&b, a)) {
        return 0;
    }
    if (sum->n_runs > 0) {
        fact_list_add_text(&b, "campaign", describe_campaign(v, sum, a));
        fact_list_add_text(&b, "against the baseline", v->change);
    }
    if (v->n_shelf[SHELF_NEW] > 0) {
        fact_list_add_text(&b, "worst",
                           arena_printf(a, "The worst%s: %s, %s (%s; in %s).",
                                        v->n_shelf[SHELF_NEW] > 1 ? "" : " and only one",
                                        v->bugs[0].number, v->bugs[0].title, v->bugs[0].harm,
                                        v->bugs[0].cases));
    }
    if (v->n_bugs > 0) {
        add_next(&b, v, a);
    }
    v->summary = fact_list_close(&b);
    return 1;
}

/* The nights of the history, with what each had. 0: the arena is full. */
static int make_nights(struct report_view *v, struct arena *a)
{
    const struct campaign *const c = v->c;
    struct report_fact *const fact = ARENA_NEW(a, struct report_fact, (size_t)c->n_nights + 1);
    for (uint32_t i = 0; fact && i < c->n_nights; i++) {
        const struct campaign_night *const n = &c->nights[i];
        fact[i] = (struct report_fact){
            .label = n->name,
            .text = arena_printf(a, "%" PRIu32 " new, %" PRIu32 " open, %" PRIu32 " fixed",
                                 n->n_new, n->n_open, n->n_fixed),
            .look = LOOK_TEXT};
    }
    v->nights = (struct report_facts){.n = fact ? c->n_nights : 0, .fact = fact};
    return fact != NULL;
}

/* Rows of the list of states that nothing of this campaign fits. 0: the arena is full. */
static int make_states(struct report_view *v, struct arena *a)
{
    const struct campaign *const c = v->c;
    struct report_fact *const fact = ARENA_NEW(a, struct report_fact, (size_t)c->n_states + 1);
    for (uint32_t i = 0; fact && i < c->n_states; i++) {
        const struct bug_state *const s = &c->state_rows[i];
        if (s->n_seen == 0) {
            fact[v->states.n++] = (struct report_fact){
                .label = arena_printf(a, "%s%s%s", bug_state_names[s->kind],
                                      s->detail[0] ? " " : "", s->detail),
                .text = arena_printf(a, "%s:%d: %s: %s: %s", c->states, s->line, s->targets,
                                     s->signature, s->note),
                .look = LOOK_TEXT};
        }
    }
    v->states.fact = fact;
    return fact != NULL;
}

/* Make the figures at the top, a label and a number each, as v->numbers. Rows that are mostly 0 are left out
 * where they are. 0: the arena is full. */
static int make_numbers(struct report_view *v, const struct totals *sum, struct arena *a)
{
    struct fact_list b;
    if (!fact_list_open(&b, a)) {
        return 0;
    }
    uint32_t const n_bad = v->n_buckets[GROUP_VIOLATION];
    uint32_t const n_flaky = v->n_buckets[GROUP_FLAKY];
    uint32_t const n_divergent = v->n_buckets[GROUP_DIVERGENCE];
    fact_list_add(&b, "bugs", figures_count(a, n_bad), LOOK_TEXT, n_bad ? TONE_BAD : TONE_GOOD);
    if (n_flaky > 0) {
        fact_list_add(&b, "bugs that not every run shows", figures_count(a, n_flaky), LOOK_TEXT,
                      TONE_BAD);
    }
    if (v->n_buckets[GROUP_SUPPRESSED] > 0) {
        fact_list_add(&b, "known bugs, set aside", figures_count(a, v->n_buckets[GROUP_SUPPRESSED]),
                      LOOK_TEXT, TONE_MUTED);
    }
    fact_list_add(&b, "against the baseline", v->change, LOOK_TEXT, TONE_INFO);
    fact_list_add(&b, "kinds of divergence", figures_count(a, n_divergent), LOOK_TEXT,
                  n_divergent ? TONE_INFO : TONE_PLAIN);
    fact_list_add_text(&b, "inconclusive runs", figures_share(a, sum->n_inconclusive, sum->n_runs));
    if (sum->n_unconfined > 0) {
        fact_list_add(&b, "runs with less than half of their values confined",
                      figures_share(a, sum->n_unconfined, sum->n_runs), LOOK_TEXT, TONE_INFO);
    }
    if (sum->n_slow > 0) {
        fact_list_add(&b, "slow builds, which no rule forbids", figures_count(a, sum->n_slow),
                      LOOK_TEXT, TONE_INFO);
    }
    fact_list_add_text(&b, "cases, those that no target can run among them",
                       figures_count(a, v->c->n_cases));
    fact_list_add_text(&b, "runs", figures_count(a, sum->n_runs));
    if (sum->n_unadvertised > 0) {
        fact_list_add(&b, "runs of what is not listed", figures_count(a, sum->n_unadvertised),
                      LOOK_TEXT, TONE_INFO);
    }
    fact_list_add_text(&b, "values judged", figures_count(a, sum->n_judged));
    fact_list_add_text(&b, "of these with at most 4 permitted values",
                       figures_share(a, sum->n_sharp, sum->n_judged));
    fact_list_add_text(&b, "wall time", figures_duration(a, v->c->wall_ns));
    v->numbers = fact_list_close(&b);
    return 1;
}

/* Make the facts of the campaign itself: what made the cases, how long it took, where it lies. 0: the arena
 * is full. */
static int make_campaign(struct report_view *v, struct arena *a)
{
    const struct campaign *const c = v->c;
    struct fact_list b;
    if (!fact_list_open(&b, a)) {
        return 0;
    }
    if (c->plan.modules && c->plan.modules[0]) {
        fact_list_add_text(&b, "kernels of the folder", c->plan.modules);
    } else {
        fact_list_add_text(&b, "profile", c->plan.profile);
    }
    fact_list_add_text(&b, "seed", arena_printf(a, "%" PRIu64, c->plan.seed));
    fact_list_add_text(&b, "generator version", arena_printf(a, "%" PRIu32, c->plan.gen_version));
    fact_list_add_text(&b, "made by", c->generator);
    fact_list_add_text(&b, "MPFR version", c->mpfr_version);
    fact_list_add_text(&b, "started", c->started);
    fact_list_add_text(&b, "wall time", figures_duration(a, c->wall_ns));
    fact_list_add_text(&b, "targets asked for", c->plan.targets);
    if (c->n_shards) {
        fact_list_add_text(&b, "merged from",
                           arena_printf(a, "%" PRIu32 " shards. %s", c->n_shards, c->missing));
    }
    fact_list_add_text(&b, "cases, those that no target can run among them",
                       figures_count(a, c->n_cases));
    if (c->plan.max_cases) {
        fact_list_add_text(&b, "limit of cases", figures_count(a, c->plan.max_cases));
    }
    if (c->plan.max_ns) {
        fact_list_add_text(&b, "limit of time", figures_duration(a, c->plan.max_ns));
    }
    fact_list_add(&b, "harness CPU",
                  arena_printf(a, "%s, %s of all CPU time; the drivers' workers %s",
                               figures_duration(a, c->harness_cpu_ns),
                               figures_share(a, c->harness_cpu_ns,
                                             figures_sum(c->harness_cpu_ns, c->worker_cpu_ns)),
                               figures_duration(a, c->worker_cpu_ns)),
                  LOOK_TEXT, TONE_PLAIN);
    fact_list_add(&b, "folder", c->folder, LOOK_CODE, TONE_PLAIN);
    fact_list_add(&b, "compared with", c->baseline, LOOK_CODE, TONE_PLAIN);
    fact_list_add(&b, "expected findings", c->expected, LOOK_CODE, TONE_PLAIN);
    v->campaign = fact_list_close(&b);
    return 1;
}

static const char *part_text(enum verdict_part part)
{
    switch (part) {
    case PART_OK:
        return "fine";
    case PART_INFO:
        return "information, no violation";
    case PART_VIOLATION:
        return "violation";
    }
    assert(0 && "verdict_part out of range");
    return "";
}

static int make_verdicts(struct report_view *v, struct arena *a)
{
    static const enum report_tone tone[] = {
        [PART_OK] = TONE_GOOD, [PART_INFO] = TONE_INFO, [PART_VIOLATION] = TONE_BAD};
    struct fact_list b;
    if (!fact_list_open(&b, a)) {
        return 0;
    }
    for (int k = 0; k < VERDICT_N && b.n < FACTS_MAX; k++) {
        const struct verdict_row *const row = &verdict_rows[k];
        fact_list_add(&b, row->name, arena_printf(a, "%s (%s)", row->text, part_text(row->part)),
                      LOOK_TEXT, tone[row->part]);
    }
    v->verdicts = fact_list_close(&b);
    return 1;
}

/* The needs of caps.def that the facts meet (meets 1) or lack (meets 0), of the target's own API. */
static const char *list_needs(const char *facts, int meets, struct arena *a)
{
    char api[16];
    const char *list = "";
    (void)facts_get(facts, "api", api, sizeof(api));
    bool const is_opencl = strcmp(api, "opencl") == 0, is_vulkan = strcmp(api, "vulkan") == 0;
    unsigned const env = is_opencl ? OP_CL : is_vulkan ? OP_VK : 0;
    for (int i = 0; i < NEED_N; i++) {
        if ((cap_rows[i].envs & env) && !facts_meet(facts, (enum need_id)i) == !meets) {
            list = arena_printf(a, "%s%s%s", list, list[0] ? " " : "", cap_rows[i].id);
        }
    }
    return list;
}

static const char *list_profiles(const struct campaign_target *t, struct arena *a)
{
    const char *list = "";
    for (uint32_t i = 0; i < t->n_profiles && i < JOURNAL_MAX_PROFILES; i++) {
        list = arena_printf(a, "%s%s%s %s", list, i ? ", " : "", t->profiles[i].name,
                            figures_count(a, t->profiles[i].n_runs));
    }
    return list;
}

static int make_details(struct report_view *v, struct arena *a)
{
    v->details = ARENA_NEW(a, struct report_facts, v->c->n_targets);
    for (uint32_t i = 0; v->details && i < v->c->n_targets; i++) {
        struct fact_list b;
        if (!fact_list_open(&b, a)) {
            return 0;
        }
        const char *const facts = v->c->targets[i].facts ? v->c->targets[i].facts : "";
        fact_list_add_text(&b, "runs by profile", list_profiles(&v->c->targets[i], a));
        fact_list_add_text(&b, "meets", list_needs(facts, 1, a));
        fact_list_add(&b, "lacks", list_needs(facts, 0, a), LOOK_TEXT, TONE_MUTED);
        fact_list_add(&b, "all that it says of itself", facts, LOOK_BLOCK, TONE_PLAIN);
        v->details[i] = fact_list_close(&b);
    }
    return v->details != NULL;
}

static int make_all(struct report_view *v, struct arena *a)
{
    if (!report_findings_make(v, a) || !make_baseline(v, a) || !report_bugs_make(v, a) ||
        !make_states(v, a) || !make_nights(v, a)) {
        return 0;
    }
    struct totals const sum = totals_of(v);
    v->headline = make_headline(v, &sum, a, &v->tone);
    if (v->c->missing && v->c->missing[0]) {
        v->headline = arena_printf(a, "%s %s", v->headline, v->c->missing);
    }
    return make_summary(v, &sum, a) && make_numbers(v, &sum, a) && make_campaign(v, a) &&
           make_verdicts(v, a) && make_details(v, a) && report_tables_make(v, a);
}

enum res report_view_make(struct report_view *out, const struct campaign *c, struct arena *a,
                          struct err *e)
{
    *out = (struct report_view){.c = c};
    return make_all(out, a)
               ? RES_OK
               : err_set(e, RES_LIMIT, "report: %zu bytes are not enough for %" PRIu32 " findings",
                         a->limit_bytes, c->n_findings);
}

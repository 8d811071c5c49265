/* reports/model/report_tables.c -- the tables of a report, worked out from the campaign. */
#include "reports/model/report_tables.h"

#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "oracle/tables/tables.h"
#include "reports/model/figures.h"
#include "reports/model/max_error.h"
#include "reports/model/report_coverage.h"
#include "reports/model/report_cross.h"
#include "reports/model/report_groups.h"
#include "reports/model/report_index.h"
#include "reports/model/table.h"

/* Room for one value of a fact, as shown in a table. */
enum {
    FACT_BYTES = 160
};

/* ---- verdicts ---- */

static enum report_tone verdict_tone(int kind, uint64_t n)
{
    if (n == 0) {
        return TONE_MUTED;
    }
    return verdict_rows[kind].part == PART_VIOLATION ? TONE_BAD
           : verdict_rows[kind].part == PART_INFO    ? TONE_INFO
                                                     : TONE_GOOD;
}

/* The lines below the verdicts. */
static void put_other_runs(struct report_table *t, uint32_t i, const struct campaign_target *target,
                           struct arena *a)
{
    const struct {
        const char *name, *remark;
        uint64_t n;
        enum report_tone tone;
    } rows[] = {
        {"all runs",      "cases that were run here",                      target->n_runs,         TONE_PLAIN},
        {"unadvertised",
         "of these, cases that need what the target does not list; their verdicts "
         "are not counted above",                                          target->n_unadvertised, TONE_MUTED},
        {"skipped cases", "cases that need what the target does not list", target->n_skipped,
         TONE_MUTED                                                                                          },
    };
    for (uint32_t k = 0; k < ARRAY_N(rows); k++) {
        table_set_cell(t, VERDICT_N + k, 0, rows[k].name, rows[k].tone);
        table_set_cell(t, VERDICT_N + k, 2 + i, figures_count(a, rows[k].n), rows[k].tone);
        t->remarks[VERDICT_N + k] = rows[k].remark;
    }
}

static int make_verdicts(struct report_view *v, struct arena *a)
{
    static const char *const part_names[] = {
        [PART_OK] = "fine", [PART_INFO] = "information", [PART_VIOLATION] = "violation"};
    struct report_table *const t = &v->tables[TABLE_VERDICTS];
    *t = (struct report_table){
        .id = "verdicts",
        .title = "Verdicts",
        .note = "Runs by verdict: a run is one case on one target and has the worst verdict of its "
                "values.",
        .empty = "No target was tested.",
        .n_keys = 2};
    if (!table_open(t, a, 2 + v->c->n_targets, v->c->n_targets ? VERDICT_N + 3 : 0)) {
        return 0;
    }
    t->columns[0].title = "verdict";
    t->columns[1] = (struct report_column){"part", ALIGN_TEXT, .is_choice = 1};
    t->remarks = ARENA_NEW(a, const char *, t->n_rows);
    t->remarks_title = "meaning";
    if (!t->remarks) {
        return 0;
    }
    for (uint32_t k = 0; k < VERDICT_N && t->n_rows; k++) {
        table_set_cell(t, k, 0, verdict_rows[k].name, TONE_PLAIN);
        table_set_cell(t, k, 1, part_names[verdict_rows[k].part], TONE_MUTED);
        t->remarks[k] = verdict_rows[k].text;
    }
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        t->columns[2 + i] = (struct report_column){target->name, ALIGN_NUMBER, 0};
        for (uint32_t k = 0; k < VERDICT_N; k++) {
            table_set_cell(t, k, 2 + i, figures_count(a, target->n_verdict[k]),
                           verdict_tone((int)k, target->n_verdict[k]));
        }
        put_other_runs(t, i, target, a);
    }
    return 1;
}

/* ---- targets ---- */

/* The first of up to three keys that the facts have. */
static const char *find_fact(const char *facts, const char *const keys[3], struct arena *a)
{
    char buf[FACT_BYTES];
    for (int i = 0; i < 3 && keys[i]; i++) {
        if (facts && facts_get(facts, keys[i], buf, sizeof(buf)) && buf[0]) {
            return arena_printf(a, "%s", buf);
        }
    }
    return "-";
}

static int make_targets(struct report_view *v, struct arena *a)
{
    static const struct {
        const char *title;
        const char *keys[3];
    } column[] = {
        {"device",  {"device", "cl.device", "vk.device"}},
        {"driver",  {"driver", "cl.driver", "vk.driver"}},
        {"version", {"version", "cl.version", "vk.api"} },
    };
    struct report_table *const t = &v->tables[TABLE_TARGETS];
    uint32_t const n_facts = ARRAY_N(column);
    *t = (struct report_table){
        .id = "targets",
        .title = "Targets",
        .note = "Each driver in its own words; all that it says of itself stands below the table.",
        .empty = "No target was tested.",
        .n_keys = 1};
    if (!table_open(t, a, 1 + n_facts + 4, v->c->n_targets)) {
        return 0;
    }
    t->columns[0].title = "target";
    for (uint32_t k = 0; k < n_facts; k++) {
        t->columns[1 + k].title = column[k].title;
    }
    t->columns[1 + n_facts].title = "max-error decorations";
    t->columns[2 + n_facts] = (struct report_column){"runs", ALIGN_NUMBER, 0};
    t->columns[3 + n_facts] = (struct report_column){"skipped", ALIGN_NUMBER, 0};
    t->columns[4 + n_facts] = (struct report_column){"cases/s", ALIGN_NUMBER, 0};
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        table_set_cell(t, i, 0, target->name, TONE_PLAIN);
        for (uint32_t k = 0; k < n_facts; k++) {
            table_set_cell(t, i, 1 + k, find_fact(target->facts, column[k].keys, a), TONE_PLAIN);
        }
        table_set_cell(t, i, 1 + n_facts, max_error_texts[max_error_of(v->c, i)], TONE_PLAIN);
        table_set_count(t, a, i, 2 + n_facts, target->n_runs);
        table_set_count(t, a, i, 3 + n_facts, target->n_skipped);
        table_set_cell(t, i, 4 + n_facts, figures_tenths(a, target->cases_per_s), TONE_PLAIN);
    }
    return 1;
}

/* ---- budgets, contention, what is not listed ---- */

static int make_budgets(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target",       "judged",
                                         "sharp",        "anything",
                                         "inconclusive", "inconclusive runs",
                                         "bounded",      "bounded per contended cell"};
    struct report_table *const t = &v->tables[TABLE_BUDGETS];
    *t = (struct report_table){
        .id = "budgets",
        .title = "How sharply it was judged",
        .note = "A judge that permits everything finds nothing: these are the budgets that it must "
                "keep. Sharp at least 95% of judged values, anything under 2%, inconclusive under "
                "1% of runs, bounded under 10% of contended cells.",
        .empty = "No target was tested.",
        .n_keys = 1};
    if (!table_open(t, a, ARRAY_N(titles), v->c->n_targets)) {
        return 0;
    }
    table_set_columns(t, titles, 1);
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        table_set_cell(t, i, 0, target->name, TONE_PLAIN);
        table_set_count(t, a, i, 1, target->n_judged);
        table_set_cell(t, i, 2, figures_share(a, target->n_sharp, target->n_judged), TONE_PLAIN);
        table_set_cell(t, i, 3, figures_share(a, target->n_anything, target->n_judged), TONE_PLAIN);
        table_set_count(t, a, i, 4, target->n_inconclusive);
        table_set_cell(t, i, 5,
                       figures_share(a, target->n_verdict[VERDICT_INCONCLUSIVE], target->n_runs),
                       TONE_PLAIN);
        table_set_count(t, a, i, 6, target->n_bounded);
        table_set_cell(t, i, 7, figures_share(a, target->n_bounded, target->n_contended),
                       TONE_PLAIN);
    }
    return 1;
}

static int make_contention(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target", "contended cells", "with a full order",
                                         "interleaved", "share interleaved"};
    struct report_table *const t = &v->tables[TABLE_CONTENTION];
    *t = (struct report_table){
        .id = "contention",
        .title = "Contention",
        .note = "A cell is interleaved when the order that explains it switches between "
                "work-groups more often than there are groups: proof that they really ran against "
                "each other. The share is of all contended cells.",
        .empty = "No target was tested.",
        .n_keys = 1};
    if (!table_open(t, a, ARRAY_N(titles), v->c->n_targets)) {
        return 0;
    }
    table_set_columns(t, titles, 1);
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        table_set_cell(t, i, 0, target->name, TONE_PLAIN);
        table_set_count(t, a, i, 1, target->n_contended);
        table_set_count(t, a, i, 2, target->n_ordered);
        table_set_count(t, a, i, 3, target->n_interleaved);
        table_set_cell(t, i, 4, figures_share(a, target->n_interleaved, target->n_contended),
                       TONE_PLAIN);
    }
    return 1;
}

static int make_unadvertised(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target",   "feature", "accepted",
                                         "rejected", "crashed", "wrong value"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_UNADVERTISED];
    *t = (struct report_table){
        .id = "unadvertised",
        .title = "Run although not listed",
        .note = "Cases of features that the target does not list, run because that was asked for "
                "(--unadvertised). Nothing obliges the target: these are no violations and are in "
                "no other count of verdicts. A case counts for each feature that it needs and that "
                "is not listed; crashed stands also for a hang, an exit and a lost device.",
        .empty = "Every case kept to what its target lists.",
        .n_keys = 2};
    if (!table_open(t, a, ARRAY_N(titles), c->n_features)) {
        return 0;
    }
    table_set_columns(t, titles, 2);
    t->columns[0].is_choice = t->columns[1].is_choice = 1;
    for (uint32_t i = 0; i < c->n_features; i++) {
        const struct campaign_feature *const f = &c->features[i];
        const struct campaign_target *const target = report_find_target(c, f->target_id, NULL);
        table_set_cell(t, i, 0, target ? target->name : "?", TONE_PLAIN);
        table_set_cell(t, i, 1, f->feature, TONE_PLAIN);
        table_set_count(t, a, i, 2, f->n_accepted);
        table_set_count(t, a, i, 3, f->n_rejected);
        table_set_cell(t, i, 4, figures_count(a, f->n_crashed),
                       f->n_crashed ? TONE_INFO : TONE_MUTED);
        table_set_cell(t, i, 5, figures_count(a, f->n_wrong), f->n_wrong ? TONE_INFO : TONE_MUTED);
    }
    return 1;
}

int report_tables_make(struct report_view *v, struct arena *a)
{
    return report_index_make(v, a) && make_verdicts(v, a) && make_targets(v, a) &&
           report_coverage_make(v, a) && report_groups_make(v, a) && make_budgets(v, a) &&
           make_contention(v, a) && make_unadvertised(v, a) && report_cross_make(v, a);
}

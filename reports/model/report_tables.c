/* reports/model/report_tables.c -- the tables of a report, worked out from the campaign. */
#include "reports/model/report_tables.h"

#include <inttypes.h>
#include <string.h>

#include "base/caps.h"
#include "fuzz/journal/campaign_data.h"
#include "oracle/tables/tables.h"
#include "reports/model/figures.h"
#include "reports/model/max_error.h"
#include "reports/model/report_coverage.h"
#include "reports/model/report_groups.h"
#include "reports/model/table.h"

/* Room for one value of a fact, as shown in a table. */
enum {
    FACT_BYTES = 160
};

/* ---- findings: a line per bucket, a line per signature ---- */

/* A signature after its first word, which is the verdict. */
static const char *tail_of(const char *signature)
{
    const char *const space = signature ? strchr(signature, ' ') : NULL;
    return space ? space + 1 : signature;
}

/* What a row begins with. The bugs are on the first page, all else on the second, which this table is on. */
static struct report_cell *put_names(struct report_cell *cell, const struct report_view *v,
                                     uint32_t i, struct arena *a)
{
    const struct report_finding *const x = &v->findings[i];
    bool const is_bug =
        x->group == GROUP_VIOLATION || x->group == GROUP_FLAKY || x->group == GROUP_SUPPRESSED;
    (void)table_put_text(cell, arena_printf(a, "#%" PRId64, x->raw->id));
    cell->link = arena_printf(a, "%s#finding-%" PRId64, is_bug ? REPORT_PAGE : "", x->raw->id);
    cell = table_put(cell + 1, x->raw->verdict, report_groups[x->group].tone);
    return table_put_text(cell, x->target ? x->target->name : "?");
}

/* Make the table of all findings, a row for each signature on each target. "bug" is the number of the finding that names its
 * bucket. 0: the arena is full. */
static int make_index(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"no.",        "verdict", "target",   "findings",
                                         "first case", "bug",     "signature"};
    enum {
        VERDICT_COLUMN = 1,
        TARGET_COLUMN = 2,
        N_TEXTS = 3, /* columns of texts, before those of numbers */
        SIGNATURE_COLUMN = 6
    };
    struct report_table *const t = &v->tables[TABLE_INDEX];
    *t = (struct report_table){
        .id = "findings",
        .title = "Findings",
        .note = "One row per signature and target, violations first. A signature is a clause, an "
                "instruction, a type, a storage class (or a scope and an operation) and a class of "
                "operands. For a crash, a signature is the place where the driver stopped and its "
                "message. bug: the finding that represents the bug.",
        .empty = "Nothing was found.",
        .n_keys = 1};
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), N_TEXTS, v->n_findings)) {
        return 0;
    }
    t->columns[SIGNATURE_COLUMN].align = ALIGN_TEXT;
    t->columns[VERDICT_COLUMN].is_choice = t->columns[TARGET_COLUMN].is_choice = 1;
    for (uint32_t i = 0; i < v->n_findings; i++) {
        const struct report_finding *const f = &v->findings[i];
        struct report_cell *cell = put_names(table_get_row(t, i), v, i, a);
        cell = table_put_count(cell, f->raw->n_in_bucket, a);
        cell = table_put_text(cell, arena_printf(a, "%" PRIu64, f->raw->case_index));
        cell = table_put_text(cell, arena_printf(a, "#%" PRId64, v->findings[f->head].raw->id));
        (void)table_put_text(cell, tail_of(f->raw->signature));
    }
    return 1;
}

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

enum {
    N_VERDICT_KEYS = 2, /* the first columns: verdict and part */
    N_OTHER_RUNS = 3
};

/* Fill the rows below the verdicts, in the column of target i: all runs, those of cases that it does not
 * list, and cases that it could not run. */
static void put_other_runs(struct report_table *t, uint32_t i, const struct campaign_target *target,
                           struct arena *a)
{
    const struct {
        const char *name, *remark;
        uint64_t n;
        enum report_tone tone;
    } rows[N_OTHER_RUNS] = {
        {"all runs",      "cases that were run here",                      target->n_runs,         TONE_PLAIN},
        {"unadvertised",
         "of these, cases that need what the target does not list; their verdicts "
         "are not counted above",                                          target->n_unadvertised, TONE_MUTED},
        {"skipped cases", "cases that need what the target does not list", target->n_skipped,
         TONE_MUTED                                                                                          },
    };
    for (uint32_t k = 0; k < ARRAY_N(rows); k++) {
        table_set_cell(t, VERDICT_N + k, 0, rows[k].name, rows[k].tone);
        table_set_cell(t, VERDICT_N + k, N_VERDICT_KEYS + i, figures_count(a, rows[k].n),
                       rows[k].tone);
        t->remarks[VERDICT_N + k] = rows[k].remark;
    }
}

/* Make the table of verdicts: a row for each kind, then those of put_other_runs; two key columns, then one
 * for each target. 0: the arena is full. */
static int make_verdicts(struct report_view *v, struct arena *a)
{
    static const char *const part_names[] = {
        [PART_OK] = "fine", [PART_INFO] = "information", [PART_VIOLATION] = "violation"};
    struct report_table *const t = &v->tables[TABLE_VERDICTS];
    *t = (struct report_table){.id = "verdicts",
                               .title = "Verdicts",
                               .note = "Runs by verdict. A run is one case on one target. Its "
                                       "verdict is the worst verdict of its "
                                       "values.",
                               .empty = "No target was tested.",
                               .n_keys = 2};
    uint32_t const n_rows = v->c->n_targets ? VERDICT_N + N_OTHER_RUNS : 0;
    if (!table_open(t, a, N_VERDICT_KEYS + v->c->n_targets, n_rows)) {
        return 0;
    }
    t->columns[0].title = "verdict";
    t->columns[1] = (struct report_column){"part", ALIGN_TEXT, .is_choice = 1};
    if (!table_open_remarks(t, a, "meaning")) {
        return 0;
    }
    for (uint32_t k = 0; k < VERDICT_N && t->n_rows; k++) {
        table_set_cell(t, k, 0, verdict_rows[k].name, TONE_PLAIN);
        table_set_cell(t, k, 1, part_names[verdict_rows[k].part], TONE_MUTED);
        t->remarks[k] = verdict_rows[k].text;
    }
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        t->columns[N_VERDICT_KEYS + i] = (struct report_column){target->name, ALIGN_NUMBER, 0};
        for (uint32_t k = 0; k < VERDICT_N; k++) {
            table_set_cell(t, k, N_VERDICT_KEYS + i, figures_count(a, target->n_verdict[k]),
                           verdict_tone((int)k, target->n_verdict[k]));
        }
        put_other_runs(t, i, target, a);
    }
    return 1;
}

/* ---- targets ---- */

/* The value of the first of three keys that the facts have. */
static const char *find_fact(const char *facts, const char *const keys[3], struct arena *a)
{
    char buf[FACT_BYTES];
    for (int i = 0; i < 3; i++) {
        if (facts && facts_get(facts, keys[i], buf, sizeof(buf)) && buf[0]) {
            return arena_printf(a, "%s", buf);
        }
    }
    return "-";
}

/* What gives the values of a target (fuzz/targets/targets.h). Campaigns of before there was a choice have
 * target.build_only. */
static const char *name_values(const char *facts)
{
    enum {
        VALUE_BYTES = 16
    };
    char value[VALUE_BYTES] = "";
    if (!facts || !facts_get(facts, "target.values", value, sizeof value)) {
        return facts && facts_number(facts, "target.build_only") ? "none" : "device";
    }
    return strcmp(value, "nir") == 0 ? "final NIR" : "none";
}

/* Make the table of targets, with what tells one driver from another. A fact may stand under one of three
 * keys, the API's own after the common one. 0: the arena is full. */
static int make_targets(struct report_view *v, struct arena *a)
{
    static const struct report_column columns[] = {
        {"target",                ALIGN_TEXT,   0},
        {"device",                ALIGN_TEXT,   0},
        {"driver",                ALIGN_TEXT,   0},
        {"version",               ALIGN_TEXT,   0},
        {"values",                ALIGN_TEXT,   0},
        {"max-error decorations", ALIGN_TEXT,   0},
        {"runs",                  ALIGN_NUMBER, 0},
        {"skipped",               ALIGN_NUMBER, 0},
        {"cases/s",               ALIGN_NUMBER, 0},
    };
    static const char *const fact_keys[][3] = {
        {"device",  "cl.device",  "vk.device"},
        {"driver",  "cl.driver",  "vk.driver"},
        {"version", "cl.version", "vk.api"   },
    };
    struct report_table *const t = &v->tables[TABLE_TARGETS];
    *t = (struct report_table){
        .id = "targets",
        .title = "Targets",
        .note = "The properties that each driver reports. The complete list is below the table.",
        .empty = "No target was tested.",
        .n_keys = 1};
    if (!table_begin(t, a, columns, ARRAY_N(columns), v->c->n_targets)) {
        return 0;
    }
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        struct report_cell *cell = table_put_text(table_add_row(t), target->name);
        for (uint32_t k = 0; k < ARRAY_N(fact_keys); k++) {
            cell = table_put_text(cell, find_fact(target->facts, fact_keys[k], a));
        }
        cell = table_put_text(cell, name_values(target->facts));
        cell = table_put_text(cell, max_error_texts[max_error_of(v->c, i)]);
        cell = table_put_count(cell, target->n_runs, a);
        cell = table_put_count(cell, target->n_skipped, a);
        (void)table_put_text(cell, figures_tenths(a, target->cases_per_s));
    }
    return 1;
}

/* ---- budgets, contention, what is not listed ---- */

/* Make the table of how sharply each target was judged, against the budgets that its note names. 0: the arena
 * is full. */
static int make_budgets(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target",
                                         "judged",
                                         "sharp",
                                         "anything",
                                         "inconclusive",
                                         "inconclusive runs",
                                         "bounded",
                                         "bounded per contended cell",
                                         "runs with few rules"};
    struct report_table *const t = &v->tables[TABLE_BUDGETS];
    *t = (struct report_table){
        .id = "budgets",
        .title = "How sharply it was judged",
        .note =
            "A judge that permits everything finds nothing. sharp: values with at most 4 permitted "
            "encodings (goal: at least 95%). anything: values that no rule restricts (goal: under "
            "2%). inconclusive: runs without a verdict (goal: under 1%). bounded per contended "
            "cell: contended memory locations for which only a bound could be checked (goal: under "
            "10%). runs with few rules: runs with rules for less than half of their judged values "
            "are "
            "; a verdict of ok proves little for such a run.",
        .empty = "No target was tested.",
        .n_keys = 1};
    /* The first column holds text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 1, v->c->n_targets)) {
        return 0;
    }
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        struct report_cell *cell = table_put_text(table_get_row(t, i), target->name);
        cell = table_put_count(cell, target->n_judged, a);
        cell = table_put_share(cell, target->n_sharp, target->n_judged, a);
        cell = table_put_share(cell, target->n_anything, target->n_judged, a);
        cell = table_put_count(cell, target->n_inconclusive, a);
        cell = table_put_share(cell, target->n_verdict[VERDICT_INCONCLUSIVE], target->n_runs, a);
        cell = table_put_count(cell, target->n_bounded, a);
        cell = table_put_share(cell, target->n_bounded, target->n_contended, a);
        (void)table_put_share(cell, target->n_unconfined, target->n_runs, a);
    }
    return 1;
}

/* Make the table of runs that gave no values, by the reason. 0: the arena is full. */
static int make_unexecuted(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target", "runs"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_UNEXECUTED];
    *t = (struct report_table){
        .id = "without-values",
        .title = "Runs without values",
        .note = "These runs are inconclusive: the case was only built, or could not be run "
                "unchanged, so that its values are unknown. # stands for a number.",
        .empty = "No run: each one gave values or ended with a verdict of the other tables.",
        .n_keys = 1};
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 1, c->n_unexecuted) ||
        !table_open_remarks(t, a, "reason")) {
        return 0;
    }
    for (uint32_t i = 0; i < c->n_unexecuted; i++) {
        const struct campaign_unexecuted *const x = &c->unexecuted[i];
        const struct campaign_target *const target = report_find_target(c, x->target_id, NULL);
        struct report_cell *cell = table_put_text(table_get_row(t, i), target ? target->name : "?");
        (void)table_put_count(cell, x->n, a);
        t->remarks[i] = x->reason;
    }
    return 1;
}

/* Make the table of builds that took long: information, as no clause bounds their time. 0: the arena is full. */
static int make_slow(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target", "case", "seconds", "words"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_SLOW];
    *t = (struct report_table){
        .id = "slow-builds",
        .title = "Slow builds",
        .note = "Cases of targets without a device whose build needed more than 2 s of CPU time "
                "plus 2 ms per word of the module. This is not a violation, as no clause limits "
                "the time. The slowest 16 of each target are kept.",
        .empty = "No build was slow.",
        .n_keys = 2};
    /* The first 2 columns hold text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 2, c->n_slow)) {
        return 0;
    }
    if (!table_open_remarks(t, a, "replay")) {
        return 0;
    }
    for (uint32_t i = 0; i < c->n_slow; i++) {
        const struct campaign_slow_build *const x = &c->slow[i];
        const struct campaign_target *const target = report_find_target(c, x->target_id, NULL);
        struct report_cell *cell = table_put_text(table_get_row(t, i), target ? target->name : "?");
        cell = table_put_text(cell, arena_printf(a, "%" PRIu64, x->case_index));
        cell = table_put_text(cell, figures_tenths(a, (double)x->build_ns / 1e9));
        (void)table_put_count(cell, x->n_words, a);
        t->remarks[i] = x->replay ? x->replay : "";
    }
    return 1;
}

/* A number that a compiler reported; a time in milliseconds. */
static struct report_cell *put_statistic(struct report_cell *cell,
                                         const struct campaign_statistic *x, uint64_t value,
                                         struct arena *a)
{
    return x->is_time ? table_put_text(cell, arena_printf(a, "%.2f ms", (double)value / 1e6))
                      : table_put_count(cell, value, a);
}

/* Make the table of what compilers report about the cases that an earlier campaign has too. 0: the arena is full. */
static int make_statistics(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target", "statistic",   "cases",      "before",
                                         "after",  "cases worse", "worst case", "change"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_STATISTICS];
    *t = (struct report_table){
        .id = "statistics",
        .title = "What became worse",
        .note = arena_printf(a,
                             "What the compilers report about the cases that are the same in both "
                             "campaigns: sums over these cases. A case is worse if its number "
                             "changed for the worse by more than %" PRIu32 "%%. The worst case is "
                             "the one with the largest change among these. The build time is a "
                             "median of CPU times. It depends on the load of the machine, so no "
                             "case counts as worse for it.",
                             c->worse_percent),
        .empty = "No statistic was compared: there is no earlier campaign, or the two campaigns "
                 "have no case in common with statistics.",
        .n_keys = 2};
    /* The first 2 columns hold text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 2, c->n_statistics) ||
        !table_open_remarks(t, a, "replay")) {
        return 0;
    }
    for (uint32_t i = 0; i < c->n_statistics; i++) {
        const struct campaign_statistic *const x = &c->statistics[i];
        struct report_cell *cell = table_put_text(table_get_row(t, i), x->target);
        cell = table_put_text(cell, x->name);
        cell = table_put_count(cell, x->n_cases, a);
        cell = put_statistic(cell, x, x->before, a);
        cell = put_statistic(cell, x, x->after, a);
        cell = table_put_count(cell, x->n_worse, a);
        cell = table_put_text(cell, x->n_worse ? arena_printf(a, "%" PRIu64, x->worst_case) : "");
        (void)table_put_text(cell, x->n_worse ? arena_printf(a, "%" PRIu64 " to %" PRIu64,
                                                             x->worst_before, x->worst_after)
                                              : "");
        t->remarks[i] = x->replay ? x->replay : "";
    }
    return 1;
}

/* Make the table of contended cells, memory locations that several invocations change: how many an order
 * explains, and in how many the work-groups really ran against each other. 0: the arena is full. */
static int make_contention(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target", "contended cells", "with a full order",
                                         "interleaved", "share interleaved"};
    struct report_table *const t = &v->tables[TABLE_CONTENTION];
    *t = (struct report_table){
        .id = "contention",
        .title = "Contention",
        .note =
            "A contended cell is a memory location that several work-items change. A cell is "
            "interleaved if the order that explains its values switches between work-groups more "
            "often than there are groups. This proves that the groups ran at the same time.",
        .empty = "No target was tested.",
        .n_keys = 1};
    /* The first column holds text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 1, v->c->n_targets)) {
        return 0;
    }
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        struct report_cell *cell = table_put_text(table_get_row(t, i), target->name);
        cell = table_put_count(cell, target->n_contended, a);
        cell = table_put_count(cell, target->n_ordered, a);
        cell = table_put_count(cell, target->n_interleaved, a);
        (void)table_put_share(cell, target->n_interleaved, target->n_contended, a);
    }
    return 1;
}

/* Make the table of features that a target does not list but was given: what became of the cases, by target
 * and feature. 0: the arena is full. */
static int make_unadvertised(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"target",   "feature", "accepted",
                                         "rejected", "crashed", "wrong value"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_UNADVERTISED];
    *t = (struct report_table){
        .id = "unadvertised",
        .title = "Run although the target does not list the feature",
        .note =
            "Cases with features that the target does not list, which --unadvertised runs. They "
            "are not violations, and no other table counts them. A case counts for each of its "
            "features that is not listed. crashed includes hangs, exits and lost devices.",
        .empty = "Every case had only features that its target lists.",
        .n_keys = 2};
    /* The first 2 columns hold text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 2, c->n_features)) {
        return 0;
    }
    t->columns[0].is_choice = t->columns[1].is_choice = 1;
    for (uint32_t i = 0; i < c->n_features; i++) {
        const struct campaign_feature *const f = &c->features[i];
        const struct campaign_target *const target = report_find_target(c, f->target_id, NULL);
        struct report_cell *cell = table_put_text(table_get_row(t, i), target ? target->name : "?");
        cell = table_put_text(cell, f->feature);
        cell = table_put_count(cell, f->n_accepted, a);
        cell = table_put_count(cell, f->n_rejected, a);
        cell = table_put_noted(cell, f->n_crashed, TONE_INFO, a);
        (void)table_put_noted(cell, f->n_wrong, TONE_INFO, a);
    }
    return 1;
}

/* ---- what no clause forbids: divergences by clause, and values that differ between targets ---- */

static struct report_clause *take_line(struct report_clause *lines, uint32_t *n, const char *id)
{
    uint32_t i = 0;
    while (i < *n && strcmp(lines[i].id, id) != 0) {
        i++;
    }
    if (i == *n) {
        lines[(*n)++].id = id;
    }
    return &lines[i];
}

/* Count the divergences of each clause into v->clauses, in the order in which the clauses are first seen.
 * n_kinds counts findings (a signature on a target each), n_all and n[] how often they came. 0: the arena is
 * full. */
static int count_clauses(struct report_view *v, struct arena *a)
{
    v->clauses = ARENA_NEW(a, struct report_clause, v->n_findings);
    if (!v->clauses) {
        return 0;
    }
    for (uint32_t i = 0; i < v->n_findings; i++) {
        const struct campaign_finding *const f = v->findings[i].raw;
        uint32_t target = 0;
        if (v->findings[i].group != GROUP_DIVERGENCE ||
            !report_find_target(v->c, f->target_id, &target)) {
            continue;
        }
        struct report_clause *const line =
            take_line(v->clauses, &v->n_clauses, f->clause ? f->clause : "");
        line->n = line->n ? line->n : ARENA_NEW(a, uint64_t, v->c->n_targets);
        if (!line->n) {
            return 0;
        }
        line->n_kinds++;
        line->n_all = figures_sum(line->n_all, f->n_in_bucket);
        line->n[target] = figures_sum(line->n[target], f->n_in_bucket);
    }
    return 1;
}

/* Make the table of divergences: a row for each clause, with a column for each target after the first three.
 * 0: the arena is full. */
static int make_clauses(struct report_view *v, struct arena *a)
{
    enum {
        N_FIRST = 3 /* clause, kinds, all */
    };
    uint32_t const n_targets = v->c->n_targets;
    struct report_table *const t = &v->tables[TABLE_CLAUSES];
    *t = (struct report_table){
        .id = "clauses",
        .title = "Divergences by clause",
        .note =
            "How often each target gave an unusual result that no clause forbids. A kind is one "
            "signature on one target.",
        .empty = "No divergence was seen.",
        .n_keys = 1};
    if (!count_clauses(v, a) || !table_open(t, a, N_FIRST + n_targets, v->n_clauses)) {
        return 0;
    }
    if (!table_open_remarks(t, a, "meaning")) {
        return 0;
    }
    t->columns[0].title = "clause";
    t->columns[1] = (struct report_column){"kinds", ALIGN_NUMBER, 0};
    t->columns[2] = (struct report_column){"all", ALIGN_NUMBER, 0};
    for (uint32_t k = 0; k < n_targets; k++) {
        t->columns[N_FIRST + k] = (struct report_column){v->c->targets[k].name, ALIGN_NUMBER, 0};
    }
    for (uint32_t i = 0; i < v->n_clauses; i++) {
        int const clause = clause_find(v->clauses[i].id);
        struct report_cell *cell = table_put_text(table_get_row(t, i), v->clauses[i].id);
        cell = table_put_count(cell, v->clauses[i].n_kinds, a);
        cell = table_put_count(cell, v->clauses[i].n_all, a);
        for (uint32_t k = 0; k < n_targets; k++) {
            cell = table_put_count(cell, v->clauses[i].n[k], a);
        }
        t->remarks[i] = clause < 0 ? "" : clause_rows[clause].text;
    }
    return 1;
}

/* Make the table of instructions of which two targets gave different values for the same case, with the
 * command that shows the first such case. 0: the arena is full. */
static int make_cross(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"instruction", "target", "other target", "cases",
                                         "first case"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_CROSS];
    *t = (struct report_table){
        .id = "cross",
        .title = "Between targets",
        .note = "The same case gave different values on two targets, and both values are permitted "
                "or undefined. This is not a violation, but portable code must expect it. For "
                "example, targets with sub-groups of different sizes may differ, because their "
                "sub-groups contain different invocations. The command generates the first such "
                "case again and runs it on both targets.",
        .empty = "No such difference was seen, or only one target ran.",
        .n_keys = 1};
    /* The first 3 columns hold text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 3, c->n_cross)) {
        return 0;
    }
    t->columns[1].is_choice = t->columns[2].is_choice = 1;
    if (!table_open_remarks(t, a, "replay")) {
        return 0;
    }
    for (uint32_t i = 0; i < c->n_cross; i++) {
        struct report_cell *cell = table_put_text(table_get_row(t, i), c->cross[i].op);
        cell = table_put_text(cell, c->cross[i].target_a);
        cell = table_put_text(cell, c->cross[i].target_b);
        cell = table_put_count(cell, c->cross[i].n_cases, a);
        (void)table_put_text(cell, arena_printf(a, "%" PRIu64, c->cross[i].example_case));
        t->remarks[i] = c->cross[i].replay ? c->cross[i].replay : "";
    }
    return 1;
}

/* Make the table of pairs of verdicts that a driver gave to the same program as a module and from source,
 * where they differ. 0: the arena is full. */
static int make_languages(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"driver", "as a module", "from source", "cases",
                                         "first case"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_LANGUAGES];
    *t = (struct report_table){
        .id = "languages",
        .title = "From source and as a module",
        .note = arena_printf(
            a,
            "The same program was given to one driver as SPIR-V and as OpenCL C, %" PRIu64
            " times in all. The table shows where the verdicts differ. If only the source text "
            "gives a wrong result, the bug is probably in the OpenCL C front end. If only the "
            "module does, it is probably in the SPIR-V front end.",
            c->n_in_both),
        .empty = "No program had different verdicts, or no driver was given both.",
        .n_keys = 3};
    /* The first 3 columns hold text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 3, c->n_languages)) {
        return 0;
    }
    t->columns[0].is_choice = 1;
    for (uint32_t i = 0; i < c->n_languages; i++) {
        const struct campaign_language *const x = &c->languages[i];
        struct report_cell *cell = table_put_text(table_get_row(t, i), x->target);
        cell = table_put_text(cell, x->verdict);
        cell = table_put_text(cell, x->source_verdict);
        cell = table_put_count(cell, x->n_cases, a);
        (void)table_put_text(cell, arena_printf(a, "%" PRIu64, x->example_case));
    }
    return 1;
}

int report_tables_make(struct report_view *v, struct arena *a)
{
    return make_index(v, a) && make_verdicts(v, a) && make_targets(v, a) &&
           report_coverage_make(v, a) && report_groups_make(v, a) && make_budgets(v, a) &&
           make_unexecuted(v, a) && make_slow(v, a) && make_statistics(v, a) &&
           make_contention(v, a) && make_unadvertised(v, a) && make_clauses(v, a) &&
           make_cross(v, a) && make_languages(v, a);
}

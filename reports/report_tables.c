/* reports/report_tables.c -- the tables of a report, worked out from the campaign. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "oracle/tables.h"
#include "reports/figures.h"
#include "reports/report_view.h"
#include "reports/support.h"

/* Room for one value of a fact, as shown in a table. */
enum {
    FACT_BYTES = 160
};

/* Texts of the table besides its cells: what stands in `t` already is kept. 0 when out of room. */
static int table_open(struct report_table *t, struct arena *a, uint32_t n_columns, uint32_t n_rows)
{
    static const struct report_cell blank = {"", TONE_PLAIN};
    t->n_columns = n_columns;
    t->n_rows = n_rows;
    t->columns = ARENA_NEW(a, struct report_column, n_columns);
    t->cells = ARENA_NEW(a, struct report_cell, (size_t)n_columns * n_rows);
    if (!t->columns || !t->cells) {
        return 0;
    }
    for (size_t i = 0; i < (size_t)n_columns * n_rows; i++) {
        t->cells[i] = blank;
    }
    for (uint32_t i = 0; i < n_columns; i++) {
        t->columns[i].title = "";
    }
    return 1;
}

static void fill_columns(struct report_table *t, const char *const *titles, uint32_t n_text)
{
    for (uint32_t i = 0; i < t->n_columns; i++) {
        t->columns[i] = (struct report_column){titles[i], i < n_text ? ALIGN_TEXT : ALIGN_NUMBER};
    }
}

static void fill_cell(struct report_table *t, uint32_t row, uint32_t column, const char *text,
                      enum report_tone tone)
{
    t->cells[(size_t)row * t->n_columns + column] = (struct report_cell){text ? text : "", tone};
}

static void fill_count(struct report_table *t, struct arena *a, uint32_t row, uint32_t column,
                       uint64_t n)
{
    fill_cell(t, row, column, figures_count(a, n), n ? TONE_PLAIN : TONE_MUTED);
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
    if (!table_open(t, a, 2 + v->c->n_targets, v->c->n_targets ? VERDICT_N + 2 : 0)) {
        return 0;
    }
    t->columns[0].title = "verdict";
    t->columns[1].title = "part";
    t->remarks = ARENA_NEW(a, const char *, t->n_rows);
    if (!t->remarks) {
        return 0;
    }
    for (uint32_t k = 0; k < VERDICT_N && t->n_rows; k++) {
        fill_cell(t, k, 0, verdict_rows[k].name, TONE_PLAIN);
        fill_cell(t, k, 1, part_names[verdict_rows[k].part], TONE_MUTED);
        t->remarks[k] = verdict_rows[k].text;
    }
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        t->columns[2 + i] = (struct report_column){target->name, ALIGN_NUMBER};
        for (uint32_t k = 0; k < VERDICT_N; k++) {
            fill_cell(t, k, 2 + i, figures_count(a, target->n_verdict[k]),
                      verdict_tone((int)k, target->n_verdict[k]));
        }
        fill_cell(t, VERDICT_N, 0, "all runs", TONE_PLAIN);
        fill_count(t, a, VERDICT_N, 2 + i, target->n_runs);
        fill_cell(t, VERDICT_N + 1, 0, "skipped cases", TONE_MUTED);
        fill_cell(t, VERDICT_N + 1, 2 + i, figures_count(a, target->n_skipped), TONE_MUTED);
        t->remarks[VERDICT_N] = "cases that were run here";
        t->remarks[VERDICT_N + 1] = "cases that need what the target does not list";
    }
    return 1;
}

/* ---- index of findings ---- */

/* A signature behind its first word, which is the verdict. */
static const char *tail_of(const char *signature)
{
    const char *const space = signature ? strchr(signature, ' ') : NULL;
    return space ? space + 1 : signature;
}

static int make_index(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"no.",      "verdict",    "target",
                                         "findings", "first case", "signature"};
    struct report_table *const t = &v->tables[TABLE_INDEX];
    *t = (struct report_table){
        .id = "findings",
        .title = "Findings",
        .note = "One row per bucket (findings with the same signature) and target, violations "
                "first. A signature is clause, instruction, type, storage and class of operands; "
                "or where the driver stopped, and what it said.",
        .empty = "Nothing was found.",
        .n_keys = 1};
    if (!table_open(t, a, ARRAY_N(titles), v->n_findings)) {
        return 0;
    }
    fill_columns(t, titles, 3);
    t->columns[5].align = ALIGN_TEXT;
    for (uint32_t i = 0; i < v->n_findings; i++) {
        const struct report_finding *const f = &v->findings[i];
        fill_cell(t, i, 0, arena_printf(a, "%" PRIu32, i + 1), TONE_PLAIN);
        fill_cell(t, i, 1, f->raw->verdict, report_groups[f->group].tone);
        fill_cell(t, i, 2, f->target ? f->target->name : "?", TONE_PLAIN);
        fill_count(t, a, i, 3, f->raw->n_in_bucket);
        fill_cell(t, i, 4, arena_printf(a, "%" PRIu64, f->raw->case_index), TONE_PLAIN);
        fill_cell(t, i, 5, tail_of(f->raw->signature), TONE_PLAIN);
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
    if (!table_open(t, a, 1 + n_facts + 3, v->c->n_targets)) {
        return 0;
    }
    t->columns[0].title = "target";
    for (uint32_t k = 0; k < n_facts; k++) {
        t->columns[1 + k].title = column[k].title;
    }
    t->columns[1 + n_facts] = (struct report_column){"runs", ALIGN_NUMBER};
    t->columns[2 + n_facts] = (struct report_column){"skipped", ALIGN_NUMBER};
    t->columns[3 + n_facts] = (struct report_column){"cases/s", ALIGN_NUMBER};
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        fill_cell(t, i, 0, target->name, TONE_PLAIN);
        for (uint32_t k = 0; k < n_facts; k++) {
            fill_cell(t, i, 1 + k, find_fact(target->facts, column[k].keys, a), TONE_PLAIN);
        }
        fill_count(t, a, i, 1 + n_facts, target->n_runs);
        fill_count(t, a, i, 2 + n_facts, target->n_skipped);
        fill_cell(t, i, 3 + n_facts, figures_tenths(a, target->cases_per_s), TONE_PLAIN);
    }
    return 1;
}

/* ---- coverage and sharpness ---- */

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

/* In the order of ops.def; what that lacks comes last. */
static int compare_ops(const char *x, const char *y)
{
    int const i = op_find_name(or_empty(x)), j = op_find_name(or_empty(y));
    if (i != j) {
        return i < 0 ? 1 : j < 0 ? -1 : i < j ? -1 : 1;
    }
    return strcmp(or_empty(x), or_empty(y));
}

static int compare_rows(const struct campaign_coverage *x, const struct campaign_coverage *y)
{
    int d = compare_ops(x->op, y->op);
    d = d ? d : strcmp(or_empty(x->type), or_empty(y->type));
    return d ? d : strcmp(or_empty(x->storage), or_empty(y->storage));
}

static int compare_coverage(const void *p, const void *q)
{
    const struct campaign_coverage *const x = *(const struct campaign_coverage *const *)p;
    const struct campaign_coverage *const y = *(const struct campaign_coverage *const *)q;
    int const d = compare_rows(x, y);
    return d ? d : strcmp(or_empty(x->outcome), or_empty(y->outcome));
}

/* Coverage in order. What ought to be reached has a row of no target, so that a gap shows. */
struct sorted_coverage {
    uint32_t n;
    const struct campaign_coverage **row; /* NULL when the arena is full */
};

static struct sorted_coverage sort_coverage(const struct campaign *c, struct arena *a)
{
    uint32_t const n_expected = c->n_targets ? SUPPORT_ROW_N : 0;
    struct sorted_coverage s = {.n = c->n_coverage + n_expected};
    struct campaign_coverage *const expected = ARENA_NEW(a, struct campaign_coverage, n_expected);
    s.row = ARENA_NEW(a, const struct campaign_coverage *, s.n);
    if (!s.row || !expected) {
        return (struct sorted_coverage){.n = 0};
    }
    for (uint32_t i = 0; i < c->n_coverage; i++) {
        s.row[i] = &c->coverage[i];
    }
    for (uint32_t i = 0; i < n_expected; i++) {
        struct support_row const row = support_get_row(i);
        expected[i] = (struct campaign_coverage){
            .target_id = -1, .op = row.op, .type = row.type, .storage = row.storage, .outcome = ""};
        s.row[c->n_coverage + i] = &expected[i];
    }
    qsort(s.row, s.n, sizeof(s.row[0]), compare_coverage);
    return s;
}

/* A cell that no run filled. */
static struct report_cell blank_cell(const struct campaign_target *t,
                                     const struct campaign_coverage *row)
{
    switch (support_of(or_empty(t->facts), or_empty(row->op), or_empty(row->type),
                       or_empty(row->storage))) {
    case SUPPORT_UNKNOWN:
    case SUPPORT_NEVER:
        return (struct report_cell){"-", TONE_MUTED};
    case SUPPORT_NOT:
        return (struct report_cell){"not supported", TONE_MUTED};
    case SUPPORT_YES:
        return (struct report_cell){"not reached", TONE_INFO};
    }
    assert(0 && "support out of range");
    return (struct report_cell){"", TONE_PLAIN};
}

static uint32_t count_distinct(const struct sorted_coverage *s,
                               int (*compare)(const struct campaign_coverage *,
                                              const struct campaign_coverage *))
{
    uint32_t n_rows = s->n > 0;
    for (uint32_t i = 1; i < s->n; i++) {
        n_rows += compare(s->row[i - 1], s->row[i]) != 0;
    }
    return n_rows;
}

static int compare_row_ops(const struct campaign_coverage *x, const struct campaign_coverage *y)
{
    return compare_ops(x->op, y->op);
}

static void add_outcome(struct report_cell *cell, const struct campaign_coverage *row,
                        struct arena *a)
{
    const char *text = row->outcome;
    enum report_tone tone = TONE_MUTED;
    if (text && strcmp(text, "run") == 0) {
        text = arena_printf(a, "%s (%s)", figures_count(a, row->n),
                            figures_share(a, row->n_sharp, row->n));
        tone = TONE_PLAIN;
    } else if (text && strcmp(text, "rejected") == 0) {
        text = arena_printf(a, "rejected %s", figures_count(a, row->n));
        tone = TONE_BAD;
    }
    if (cell->tone == TONE_MUTED || cell->tone == TONE_INFO) { /* no run so far */
        *cell = (struct report_cell){or_empty(text), tone};
    } else {
        cell->text = arena_printf(a, "%s, %s", cell->text, or_empty(text));
        cell->tone = tone == TONE_BAD ? TONE_BAD : cell->tone;
    }
}

static int make_coverage(struct report_view *v, const struct sorted_coverage *s, struct arena *a)
{
    static const char *const titles[] = {"instruction", "type", "storage"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_COVERAGE];
    *t = (struct report_table){
        .id = "coverage",
        .title = "Coverage",
        .note = "Values judged and, in brackets, the share judged sharply (at most 4 permitted "
                "encodings, all NaNs counted as one). \"not supported\": the target does not list "
                "it. \"rejected\": it lists it and refused. \"not reached\": it lists it, and no "
                "case came there. \"-\": its API has no such thing.",
        .empty = "No value was judged.",
        .n_keys = 3};
    if (!table_open(t, a, 3 + c->n_targets, count_distinct(s, compare_rows))) {
        return 0;
    }
    for (uint32_t i = 0; i < 3; i++) {
        t->columns[i].title = titles[i];
    }
    for (uint32_t i = 0; i < c->n_targets; i++) {
        t->columns[3 + i] = (struct report_column){c->targets[i].name, ALIGN_NUMBER};
    }
    uint32_t row = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        row += i > 0 && compare_rows(s->row[i - 1], s->row[i]) != 0;
        if (i == 0 || compare_rows(s->row[i - 1], s->row[i]) != 0) {
            fill_cell(t, row, 0, s->row[i]->op, TONE_PLAIN);
            fill_cell(t, row, 1, s->row[i]->type, TONE_PLAIN);
            fill_cell(t, row, 2, s->row[i]->storage, TONE_PLAIN);
            for (uint32_t k = 0; k < c->n_targets; k++) {
                t->cells[(size_t)row * t->n_columns + 3 + k] =
                    blank_cell(&c->targets[k], s->row[i]);
            }
        }
        uint32_t target = 0;
        if (report_find_target(c, s->row[i]->target_id, &target)) {
            add_outcome(&t->cells[(size_t)row * t->n_columns + 3 + target], s->row[i], a);
        }
    }
    return 1;
}

/* Fill row `row` from the sums of one instruction. */
static void put_sharpness(struct report_table *t, struct arena *a, uint32_t row,
                          const struct campaign_coverage *sum)
{
    fill_cell(t, row, 0, sum->op, TONE_PLAIN);
    fill_count(t, a, row, 1, sum->n);
    fill_cell(t, row, 2, figures_share(a, sum->n_sharp, sum->n), TONE_PLAIN);
    fill_cell(t, row, 3, figures_share(a, sum->n_anything, sum->n),
              sum->n_anything ? TONE_INFO : TONE_MUTED);
    fill_count(t, a, row, 4, sum->n_bounded);
    fill_count(t, a, row, 5, sum->n_divergent);
}

static int make_sharpness(struct report_view *v, const struct sorted_coverage *s, struct arena *a)
{
    static const char *const titles[] = {"instruction", "judged",  "sharp",
                                         "anything",    "bounded", "divergent"};
    struct report_table *const t = &v->tables[TABLE_SHARPNESS];
    *t = (struct report_table){
        .id = "sharpness",
        .title = "Sharpness per instruction",
        .note = "Over all types, storage classes and targets. sharp: values whose permitted set "
                "had at most 4 encodings, all NaNs counted as one. anything: values that no rule "
                "confines. bounded: only a bound could be checked.",
        .empty = "No value was judged.",
        .n_keys = 1};
    if (!table_open(t, a, ARRAY_N(titles), count_distinct(s, compare_row_ops))) {
        return 0;
    }
    fill_columns(t, titles, 1);
    uint32_t row = 0;
    struct campaign_coverage sum = {0};
    for (uint32_t i = 0; i < s->n; i++) {
        if (i > 0 && compare_ops(s->row[i - 1]->op, s->row[i]->op) != 0) {
            row++;
            sum = (struct campaign_coverage){0};
        }
        sum.op = s->row[i]->op;
        if (strcmp(or_empty(s->row[i]->outcome), "run") == 0) {
            sum.n += s->row[i]->n;
            sum.n_sharp += s->row[i]->n_sharp;
            sum.n_anything += s->row[i]->n_anything;
            sum.n_bounded += s->row[i]->n_bounded;
            sum.n_divergent += s->row[i]->n_divergent;
        }
        put_sharpness(t, a, row, &sum);
    }
    return 1;
}

/* ---- budgets, contention, cross-target ---- */

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
    fill_columns(t, titles, 1);
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        fill_cell(t, i, 0, target->name, TONE_PLAIN);
        fill_count(t, a, i, 1, target->n_judged);
        fill_cell(t, i, 2, figures_share(a, target->n_sharp, target->n_judged), TONE_PLAIN);
        fill_cell(t, i, 3, figures_share(a, target->n_anything, target->n_judged), TONE_PLAIN);
        fill_count(t, a, i, 4, target->n_inconclusive);
        fill_cell(t, i, 5,
                  figures_share(a, target->n_verdict[VERDICT_INCONCLUSIVE], target->n_runs),
                  TONE_PLAIN);
        fill_count(t, a, i, 6, target->n_bounded);
        fill_cell(t, i, 7, figures_share(a, target->n_bounded, target->n_contended), TONE_PLAIN);
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
    fill_columns(t, titles, 1);
    for (uint32_t i = 0; i < v->c->n_targets; i++) {
        const struct campaign_target *const target = &v->c->targets[i];
        fill_cell(t, i, 0, target->name, TONE_PLAIN);
        fill_count(t, a, i, 1, target->n_contended);
        fill_count(t, a, i, 2, target->n_ordered);
        fill_count(t, a, i, 3, target->n_interleaved);
        fill_cell(t, i, 4, figures_share(a, target->n_interleaved, target->n_contended),
                  TONE_PLAIN);
    }
    return 1;
}

static int make_cross(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"instruction", "target", "other target", "cases",
                                         "example case"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_CROSS];
    *t = (struct report_table){
        .id = "cross",
        .title = "Between targets",
        .note = "The same case gave different values on two targets although each is permitted, or "
                "undefined. No violation: what portable code must be ready for.",
        .empty = "No such difference was seen, or only one target ran.",
        .n_keys = 1};
    if (!table_open(t, a, ARRAY_N(titles), c->n_cross)) {
        return 0;
    }
    fill_columns(t, titles, 3);
    for (uint32_t i = 0; i < c->n_cross; i++) {
        fill_cell(t, i, 0, c->cross[i].op, TONE_PLAIN);
        fill_cell(t, i, 1, c->cross[i].target_a, TONE_PLAIN);
        fill_cell(t, i, 2, c->cross[i].target_b, TONE_PLAIN);
        fill_count(t, a, i, 3, c->cross[i].n_cases);
        fill_cell(t, i, 4, arena_printf(a, "%" PRIu64, c->cross[i].example_case), TONE_PLAIN);
    }
    return 1;
}

int report_tables_make(struct report_view *v, struct arena *a)
{
    struct sorted_coverage const s = sort_coverage(v->c, a);
    return s.row && make_verdicts(v, a) && make_index(v, a) && make_targets(v, a) &&
           make_coverage(v, &s, a) && make_sharpness(v, &s, a) && make_budgets(v, a) &&
           make_contention(v, a) && make_cross(v, a);
}

/* reports/model/report_cross.c -- what no clause forbids: divergences by clause, and values that differ
 * between targets. */
#include "reports/model/report_cross.h"

#include <inttypes.h>
#include <string.h>

#include "oracle/tables/tables.h"
#include "reports/model/figures.h"
#include "reports/model/table.h"

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

/* Lines in the order of the findings: the clause first seen first. */
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

static int make_clauses(struct report_view *v, struct arena *a)
{
    uint32_t const n_targets = v->c->n_targets;
    struct report_table *const t = &v->tables[TABLE_CLAUSES];
    *t = (struct report_table){
        .id = "clauses",
        .title = "Divergences by clause",
        .note = "How often each target was outside the natural reading of an instruction where no "
                "clause forbids it. A kind is one signature on one target.",
        .empty = "No divergence was seen.",
        .n_keys = 1};
    if (!count_clauses(v, a) || !table_open(t, a, 3 + n_targets, v->n_clauses)) {
        return 0;
    }
    t->remarks = ARENA_NEW(a, const char *, v->n_clauses);
    t->remarks_title = "meaning";
    if (!t->remarks) {
        return 0;
    }
    t->columns[0].title = "clause";
    t->columns[1] = (struct report_column){"kinds", ALIGN_NUMBER, 0};
    t->columns[2] = (struct report_column){"all", ALIGN_NUMBER, 0};
    for (uint32_t k = 0; k < n_targets; k++) {
        t->columns[3 + k] = (struct report_column){v->c->targets[k].name, ALIGN_NUMBER, 0};
    }
    for (uint32_t i = 0; i < v->n_clauses; i++) {
        int const clause = clause_find(v->clauses[i].id);
        table_set_cell(t, i, 0, v->clauses[i].id, TONE_PLAIN);
        table_set_count(t, a, i, 1, v->clauses[i].n_kinds);
        table_set_count(t, a, i, 2, v->clauses[i].n_all);
        for (uint32_t k = 0; k < n_targets; k++) {
            table_set_count(t, a, i, 3 + k, v->clauses[i].n[k]);
        }
        t->remarks[i] = clause < 0 ? "" : clause_rows[clause].text;
    }
    return 1;
}

static int make_cross(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"instruction", "target", "other target", "cases",
                                         "first case"};
    const struct campaign *const c = v->c;
    struct report_table *const t = &v->tables[TABLE_CROSS];
    *t = (struct report_table){
        .id = "cross",
        .title = "Between targets",
        .note =
            "The same case gave different values on two targets although each is permitted, or "
            "undefined. No violation: what portable code must be ready for. Sub-groups of "
            "another size hold other invocations: their results differ as they may. The command "
            "makes the first such case again and runs it on both.",
        .empty = "No such difference was seen, or only one target ran.",
        .n_keys = 1};
    if (!table_open(t, a, ARRAY_N(titles), c->n_cross)) {
        return 0;
    }
    table_set_columns(t, titles, 3);
    t->columns[1].is_choice = t->columns[2].is_choice = 1;
    t->remarks = ARENA_NEW(a, const char *, c->n_cross);
    t->remarks_title = "replay";
    if (!t->remarks) {
        return 0;
    }
    for (uint32_t i = 0; i < c->n_cross; i++) {
        table_set_cell(t, i, 0, c->cross[i].op, TONE_PLAIN);
        table_set_cell(t, i, 1, c->cross[i].target_a, TONE_PLAIN);
        table_set_cell(t, i, 2, c->cross[i].target_b, TONE_PLAIN);
        table_set_count(t, a, i, 3, c->cross[i].n_cases);
        table_set_cell(t, i, 4, arena_printf(a, "%" PRIu64, c->cross[i].example_case), TONE_PLAIN);
        t->remarks[i] = c->cross[i].replay ? c->cross[i].replay : "";
    }
    return 1;
}

int report_cross_make(struct report_view *v, struct arena *a)
{
    return make_clauses(v, a) && make_cross(v, a);
}

/* reports/model/report_index.c -- the tables of findings: a line per bucket, a line per signature. */
#include "reports/model/report_index.h"

#include <inttypes.h>
#include <string.h>

#include "reports/model/table.h"

/* A signature behind its first word, which is the verdict. */
static const char *tail_of(const char *signature)
{
    const char *const space = signature ? strchr(signature, ' ') : NULL;
    return space ? space + 1 : signature;
}

/* "10/10"; "-" without runs. */
static const char *share_of(uint32_t n_shown, uint32_t n_runs, struct arena *a)
{
    return n_runs == 0 ? "-" : arena_printf(a, "%" PRIu32 "/%" PRIu32, n_shown, n_runs);
}

/* What both tables begin with. */
static void put_names(struct report_table *t, uint32_t row, const struct report_view *v, uint32_t i,
                      struct arena *a)
{
    const struct report_finding *const x = &v->findings[i];
    table_set_cell(t, row, 0, arena_printf(a, "%" PRIu32, i + 1), TONE_PLAIN);
    table_set_cell(t, row, 1, x->raw->verdict, report_groups[x->group].tone);
    table_set_cell(t, row, 2, x->target ? x->target->name : "?", TONE_PLAIN);
}

/* Columns of TABLE_BUGS behind the names; the state only where there is an earlier campaign. */
enum bug_column {
    BUG_STATE = 3,
    BUG_CASES,
    BUG_SHOWN,
    BUG_LOADED,
    BUG_BEFORE,
    BUG_AFTER,
    BUG_SIGNATURE,
    BUG_COLUMN_N
};

static void put_bug(struct report_table *t, uint32_t row, const struct report_finding *x,
                    struct arena *a)
{
    const struct campaign_triage *const f = x->raw->triage;
    uint32_t const left = BUG_COLUMN_N - t->n_columns; /* out of the columns */
    if (left == 0) {
        table_set_cell(t, row, BUG_STATE, baseline_names[x->raw->baseline],
                       x->raw->baseline == BASELINE_NEW ? TONE_BAD : TONE_PLAIN);
    }
    table_set_count(t, a, row, BUG_CASES - left, x->n_all);
    if (f) {
        enum report_tone const tone = f->is_flaky ? TONE_INFO : TONE_PLAIN;
        const char *const before = arena_printf(a, "%" PRIu32, f->n_before);
        const char *const after = arena_printf(a, "%" PRIu32, f->n_after);
        table_set_cell(t, row, BUG_SHOWN - left, share_of(f->n_shown, f->n_runs, a), tone);
        table_set_cell(t, row, BUG_LOADED - left, share_of(f->n_loaded_shown, f->n_loaded_runs, a),
                       tone);
        table_set_cell(t, row, BUG_BEFORE - left, f->n_before ? before : "-", TONE_PLAIN);
        table_set_cell(t, row, BUG_AFTER - left, f->n_before ? after : "-", TONE_PLAIN);
    }
    for (uint32_t k = BUG_SHOWN - left; !f && k < BUG_SIGNATURE - left; k++) {
        table_set_cell(t, row, k, "-", TONE_MUTED); /* not looked into */
    }
    table_set_cell(t, row, BUG_SIGNATURE - left, report_get_name(tail_of(x->raw->signature), a),
                   TONE_PLAIN);
}

static int make_bugs(struct report_view *v, struct arena *a)
{
    static const struct report_column columns[BUG_COLUMN_N] = {
        {"no.",                        ALIGN_TEXT,   0},
        {"verdict",                    ALIGN_TEXT,   1},
        {"target",                     ALIGN_TEXT,   1},
        [BUG_STATE] = {"state",                      ALIGN_TEXT,   1},
        [BUG_CASES] = {"cases",                      ALIGN_NUMBER, 0},
        [BUG_SHOWN] = {"shown",                      ALIGN_NUMBER, 0},
        [BUG_LOADED] = {"loaded",                     ALIGN_NUMBER, 0},
        [BUG_BEFORE] = {"before",                     ALIGN_NUMBER, 0},
        [BUG_AFTER] = {"instructions",               ALIGN_NUMBER, 0},
        [BUG_SIGNATURE] = {"clause, instruction, where", ALIGN_TEXT,   0},
    };
    struct report_table *const t = &v->tables[TABLE_BUGS];
    *t = (struct report_table){
        .id = "bugs",
        .title = "Bugs",
        .note = "One row per bucket of violations: signatures with one cause, by the plainest of "
                "them. shown, loaded: runs of the first case in fresh workers, alone and on a "
                "loaded machine. before, instructions: those of the first case and of the "
                "smallest one that shows the same.",
        .empty = "No violation was found.",
        .n_keys = 1,
        .has_links = 1};
    uint32_t const left = v->c->baseline ? 0 : 1;
    uint32_t row = 0;
    if (!table_open(t, a, BUG_COLUMN_N - left,
                    v->n_buckets[GROUP_VIOLATION] + v->n_buckets[GROUP_FLAKY])) {
        return 0;
    }
    for (uint32_t i = 0; i < t->n_columns; i++) {
        t->columns[i] = columns[i < BUG_STATE ? i : i + left];
    }
    for (uint32_t i = 0; i < v->n_findings; i++) {
        const struct report_finding *const x = &v->findings[i];
        if (x->head == i && (x->group == GROUP_VIOLATION || x->group == GROUP_FLAKY)) {
            put_names(t, row, v, i, a);
            put_bug(t, row++, x, a);
        }
    }
    return 1;
}

static int make_index(struct report_view *v, struct arena *a)
{
    static const char *const titles[] = {"no.",        "verdict", "target",   "findings",
                                         "first case", "bucket",  "signature"};
    struct report_table *const t = &v->tables[TABLE_INDEX];
    *t = (struct report_table){
        .id = "findings",
        .title = "Findings",
        .note = "One row per signature and target, violations first. A signature is clause, "
                "instruction, type, storage (or scope and operation) and class of operands; "
                "or where the driver stopped, and what it said. bucket: the finding that names it.",
        .empty = "Nothing was found.",
        .n_keys = 1,
        .has_links = 1};
    if (!table_open(t, a, ARRAY_N(titles), v->n_findings)) {
        return 0;
    }
    table_set_columns(t, titles, 3);
    t->columns[6].align = ALIGN_TEXT;
    t->columns[1].is_choice = t->columns[2].is_choice = 1;
    for (uint32_t i = 0; i < v->n_findings; i++) {
        const struct report_finding *const f = &v->findings[i];
        put_names(t, i, v, i, a);
        table_set_count(t, a, i, 3, f->raw->n_in_bucket);
        table_set_cell(t, i, 4, arena_printf(a, "%" PRIu64, f->raw->case_index), TONE_PLAIN);
        table_set_cell(t, i, 5, arena_printf(a, "%" PRIu32, f->head + 1), TONE_PLAIN);
        table_set_cell(t, i, 6, tail_of(f->raw->signature), TONE_PLAIN);
    }
    return 1;
}

int report_index_make(struct report_view *v, struct arena *a)
{
    return make_bugs(v, a) && make_index(v, a);
}

/* reports/model/report_baseline.c -- how a campaign stands to an earlier one and to what is expected. */
#include "reports/model/report_baseline.h"

#include <inttypes.h>
#include <string.h>

#include "fuzz/journal/journal_load.h"

/* Buckets by state; of what is gone too. */
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

static int is_tested(const struct campaign *c, const char *target)
{
    for (uint32_t i = 0; i < c->n_targets; i++) {
        if (c->targets[i].name && strcmp(c->targets[i].name, target) == 0) {
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
    return is_tested(c, row->target) ? "unused" : "unused, its target was not tested";
}

static const char *row_text(const struct campaign *c, const struct expected_failure *row,
                            struct arena *a)
{
    return arena_printf(a, "%s:%d: %s %s%s%s: %s", c->expected, row->line, row->target,
                        row->signature, row->expires[0] ? ", until " : "", row->expires, row->note);
}

int report_baseline_make(struct report_view *v, struct arena *a)
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

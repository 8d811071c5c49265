/* reports/write/html_plots.c -- bar charts as SVG: as wide as the page is, letters of a size that stays. */
#include "reports/write/html_plots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/model/figures.h"
#include "reports/model/report_view.h"

enum {
    PLOT_MAX_BARS = 16,
    PLOT_STEP = 34, /* pixels from bar to bar */
    PLOT_LABEL_BYTES = 48,
    SHARE_WHOLE = 10000 /* length of a share of 1 */
};

struct bar {
    const char *label; /* foreign */
    const char *value;
    uint64_t n, n_inner; /* length, and the part of it that is drawn in full */
    double order;        /* the largest come first */
    enum report_tone tone;
};
struct plot {
    const char *id, *title, *note;
    uint64_t n_whole; /* of the longest bar there may be */
    uint32_t n;
    struct bar *bar;
};

static int compare_bars(const void *p, const void *q)
{
    const struct bar *const x = p, *const y = q;
    int const d = (x->order < y->order) - (x->order > y->order);
    return d ? d : strcmp(x->label, y->label);
}

/* "37.5%" of the width; no locale. */
static void put_rect(const struct page *p, uint64_t n, uint64_t n_whole, uint32_t y,
                     const char *class)
{
    double const share = n_whole ? (double)n / (double)n_whole : 0.0;
    unsigned const tenths = (unsigned)(1000.0 * (share < 1.0 ? share : 1.0) + 0.5);
    (void)fprintf(p->f,
                  "<rect class=\"%s\" x=\"0\" y=\"%" PRIu32 "\" width=\"%u.%u%%\" height=\"8\"/>",
                  class, y, tenths / 10, tenths % 10);
}

static void put_bar(const struct page *p, const struct plot *t, uint32_t i)
{
    const struct bar *const b = &t->bar[i];
    uint32_t const y = PLOT_STEP * i;
    (void)fprintf(p->f, "<text x=\"0\" y=\"%" PRIu32 "\">", y + 13);
    html_put_text(p, b->label, PLOT_LABEL_BYTES);
    (void)fprintf(p->f, "</text><text class=\"value\" x=\"100%%\" y=\"%" PRIu32 "\">", y + 13);
    html_put_text(p, b->value, PLOT_LABEL_BYTES);
    html_put(p, "</text>");
    put_rect(p, 1, 1, y + 19, "back");
    put_rect(p, b->n, t->n_whole, y + 19, "outer");
    put_rect(p, b->n_inner, t->n_whole, y + 19, html_tone_class[b->tone]);
    html_put(p, "\n");
}

/* Put a picture of bars, the one with the greatest `order` first, at most PLOT_MAX_BARS of them; nothing
 * where there is none. */
static void put_plot(const struct page *p, struct plot *t)
{
    uint32_t const n_shown = t->n < PLOT_MAX_BARS ? t->n : PLOT_MAX_BARS;
    if (t->n == 0) {
        return;
    }
    qsort(t->bar, t->n, sizeof t->bar[0], compare_bars);
    (void)fprintf(p->f, "<figure><figcaption id=\"%s\"><b>%s</b> %s", t->id, t->title, t->note);
    if (n_shown < t->n) {
        (void)fprintf(p->f, " The first %" PRIu32 " of %" PRIu32 ".", n_shown, t->n);
    }
    (void)fprintf(p->f,
                  "</figcaption>\n<svg role=\"img\" aria-labelledby=\"%s\" width=\"100%%\" "
                  "height=\"%" PRIu32 "\">\n",
                  t->id, PLOT_STEP * n_shown);
    for (uint32_t i = 0; i < n_shown; i++) {
        put_bar(p, t, i);
    }
    html_put(p, "</svg></figure>\n");
}

static const char *or_unknown(const char *text)
{
    return text && text[0] ? text : "?";
}

/* The bar of that label and tone; a new one of length 0 where there is none yet. */
static struct bar *take_bar(struct plot *t, const char *label, enum report_tone tone)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (strcmp(t->bar[i].label, label) == 0 && t->bar[i].tone == tone) {
            return &t->bar[i];
        }
    }
    t->bar[t->n] = (struct bar){.label = label, .tone = tone};
    return &t->bar[t->n++];
}

/* ---- findings by clause and target ---- */

/* Put a picture with a bar for each clause and target with findings, as long as they are many; t.n_whole is
 * what the whole width stands for. */
static void plot_clauses(const struct page *p)
{
    struct plot t = {.id = "plot-clauses",
                     .title = "Findings by clause and target",
                     .note = "Violations in red, divergences in amber.",
                     .bar = ARENA_NEW(p->a, struct bar, (size_t)p->v->n_findings + 1)};
    for (uint32_t i = 0; t.bar && i < p->v->n_findings; i++) {
        const struct report_finding *const x = &p->v->findings[i];
        bool const is_bug = x->group == GROUP_VIOLATION || x->group == GROUP_FLAKY;
        if (is_bug || x->group == GROUP_DIVERGENCE) {
            const char *const target = x->target ? or_unknown(x->target->name) : "?";
            const char *const label =
                arena_printf(p->a, "%s, %s", or_unknown(x->raw->clause), target);
            struct bar *const bar = take_bar(&t, label, report_groups[x->group].tone);
            bar->n = figures_sum(bar->n, x->raw->n_in_bucket);
        }
    }
    for (uint32_t k = 0; k < t.n; k++) {
        struct bar *const b = &t.bar[k];
        b->n_inner = b->n;
        b->value = figures_count(p->a, b->n);
        b->order = (double)b->n;
        t.n_whole = b->n > t.n_whole ? b->n : t.n_whole;
    }
    put_plot(p, &t);
}

/* ---- values judged, and how sharply ---- */

static void plot_targets(const struct page *p)
{
    const struct campaign *const c = p->v->c;
    struct plot t = {.id = "plot-targets",
                     .title = "Values judged by target",
                     .note = "The solid part is the values that were judged sharply.",
                     .bar = ARENA_NEW(p->a, struct bar, (size_t)c->n_targets + 1)};
    for (uint32_t i = 0; t.bar && i < c->n_targets; i++) {
        const struct campaign_target *const x = &c->targets[i];
        t.bar[t.n++] = (struct bar){.label = or_unknown(x->name),
                                    .value = figures_count(p->a, x->n_judged),
                                    .n = x->n_judged,
                                    .n_inner = x->n_sharp,
                                    .order = (double)x->n_judged,
                                    .tone = TONE_PLAIN};
        t.n_whole = x->n_judged > t.n_whole ? x->n_judged : t.n_whole;
    }
    put_plot(p, &t);
}

/* Put a picture with a bar for each instruction: the share of its values judged sharply. n and n_inner first
 * count values and sharp ones; then they become lengths, all of n_whole, so that every share is drawn on the
 * same scale. */
static void plot_sharpness(const struct page *p)
{
    const struct campaign *const c = p->v->c;
    struct plot t = {
        .id = "plot-sharpness",
        .title = "Sharpness by instruction",
        .note = "The share of the values judged sharply; instructions with the most values first.",
        .n_whole = SHARE_WHOLE,
        .bar = ARENA_NEW(p->a, struct bar, (size_t)c->n_coverage + 1)};
    for (uint32_t i = 0; t.bar && i < c->n_coverage; i++) {
        const struct campaign_coverage *const x = &c->coverage[i];
        bool const is_run = x->outcome && strcmp(x->outcome, "run") == 0;
        if (is_run && x->n > 0) {
            struct bar *const b = take_bar(&t, or_unknown(x->op), TONE_PLAIN);
            b->n = figures_sum(b->n, x->n);
            b->n_inner = figures_sum(b->n_inner, x->n_sharp);
        }
    }
    for (uint32_t k = 0; k < t.n; k++) {
        struct bar *const b = &t.bar[k];
        double const share = (double)b->n_inner / (double)b->n;
        b->value = figures_share(p->a, b->n_inner, b->n);
        b->order = (double)b->n;
        b->n = t.n_whole;
        b->n_inner = (uint64_t)(SHARE_WHOLE * (share < 1.0 ? share : 1.0));
    }
    put_plot(p, &t);
}

void html_put_plots(const struct page *p)
{
    html_put(p, "<h2 id=\"plots\">In pictures</h2>\n<div class=\"plots\">\n");
    plot_clauses(p);
    plot_targets(p);
    plot_sharpness(p);
    html_put(p, "</div>\n");
}

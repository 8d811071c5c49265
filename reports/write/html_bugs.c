/* reports/write/html_bugs.c -- the page's first screen: what came out, a row per bug, and how it goes over nights. */
#include "reports/write/html_bugs.h"

#include <inttypes.h>
#include <string.h>

#include "fuzz/journal/campaign_data.h"
#include "reports/model/report_view.h"

void html_put_summary(const struct page *p)
{
    for (uint32_t i = 0; i < p->v->summary.n; i++) {
        const struct report_fact *const x = &p->v->summary.fact[i];
        bool const is_code = x->look == LOOK_CODE;
        html_put(p, is_code ? "<pre class=\"command\" tabindex=\"0\">" : "<p class=\"lead\">");
        html_put_text(p, x->text, HTML_LINE_BYTES);
        html_put(p, is_code ? "</pre>\n" : "</p>\n");
    }
}

/* ---- a row per bug ---- */

static void put_value(const struct page *p, const char *label, const char *text, const char *class)
{
    (void)fprintf(p->f, "<td class=\"%s\" data-label=\"%s\">", class, label);
    html_put_text(p, text[0] ? text : "-", HTML_CELL_BYTES);
    html_put(p, "</td>");
}

static void put_folder(const struct page *p, const struct report_bug *b)
{
    html_put(p, "<td data-label=\"to send\">");
    if (b->folder) { /* of plain letters: bug_name */
        (void)fprintf(p->f, "<a href=\"%s/\">folder</a>, <a href=\"%s/report.md\">report.md</a>",
                      b->folder, b->folder);
    } else {
        html_put(p, "-");
    }
    html_put(p, "</td>");
}

/* The word before the colon is how bad it is. */
static const char *class_of_harm(const struct report_bug *b)
{
    return b->shelf == SHELF_ASIDE ? "muted" : strncmp(b->harm, "high", 4) == 0 ? "bad" : "plain";
}

/* Put the row of a bug: number and title, a link to the finding that names it, then its harm, state and counts. */
static void put_row(const struct page *p, const struct report_bug *b)
{
    int64_t const id = p->v->findings[b->at].raw->id;
    (void)fprintf(p->f,
                  "<tr><th scope=\"row\"><span class=\"serial\">%s</span> "
                  "<a href=\"#finding-%" PRId64 "\">",
                  b->number, id);
    html_put_text(p, b->title, HTML_CELL_BYTES);
    html_put(p, "</a>");
    if (b->remark[0]) {
        html_put(p, "<span class=\"remark\">");
        html_put_text(p, b->remark, HTML_CELL_BYTES);
        html_put(p, "</span>");
    }
    html_put(p, "</th>");
    put_value(p, "how bad", b->harm, class_of_harm(b));
    put_value(p, "target", b->targets, "plain");
    put_value(p, "state", b->state, b->shelf == SHELF_NEW ? "bad" : "plain");
    put_value(p, "since", b->since, "plain date");
    put_value(p, "seen in", b->cases, "plain");
    put_value(p, "reproduced in", b->shown, "plain");
    put_value(p, "size", b->size, "plain");
    put_folder(p, b);
    html_put(p, "</tr>\n");
}

static void put_rows(const struct page *p, enum report_shelf shelf)
{
    static const char *const titles[] = {"bug",     "how bad",       "target", "state",  "since",
                                         "seen in", "reproduced in", "size",   "to send"};
    (void)fprintf(p->f, "<div class=\"list\"><table class=\"bugs\" aria-label=\"%s\">\n<thead><tr>",
                  report_shelves[shelf].title);
    for (size_t i = 0; i < ARRAY_N(titles); i++) {
        (void)fprintf(p->f, "<th scope=\"col\">%s</th>", titles[i]);
    }
    html_put(p, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < p->v->n_bugs; i++) {
        if (p->v->bugs[i].shelf == shelf) {
            put_row(p, &p->v->bugs[i]);
        }
    }
    html_put(p, "</tbody>\n</table></div>\n");
}

void html_put_shelf(const struct page *p, enum report_shelf shelf)
{
    const struct report_shelf_row *const row = &report_shelves[shelf];
    uint32_t const n = p->v->n_shelf[shelf];
    if (n == 0) {
        return;
    }
    if (shelf == SHELF_ASIDE) {
        (void)fprintf(p->f, "<details id=\"%s\"><summary>%s: %" PRIu32 "</summary>\n", row->id,
                      row->title, n);
        put_rows(p, shelf);
        html_put(p, "</details>\n");
        return;
    }
    (void)fprintf(p->f, "<h2 id=\"%s\">%s</h2>\n", row->id, row->title);
    put_rows(p, shelf);
}

/* ---- nights ---- */

enum {
    TREND_NIGHTS = 60,  /* that are drawn, the last ones */
    TREND_HEIGHT = 72,  /* pixels of the highest bar */
    TREND_COLUMNS = 12, /* that have room for a label each, and at least so many */
    TREND_DATE = 10,    /* bytes of a night's name that are its day, */
    TREND_YEAR = 5      /* and of these the year's */
};

/* A bar from the bottom, of a column of the whole width. */
static void put_bar(const struct page *p, const char *class, uint32_t at, uint32_t n_columns,
                    uint32_t n, uint32_t n_max)
{
    uint32_t const height = n == 0 ? 0 : 1 + (uint32_t)((uint64_t)n * (TREND_HEIGHT - 1) / n_max);
    uint32_t const width = 1000 / n_columns; /* tenths of a percent */
    uint32_t const x = 1000 * at / n_columns, drawn = width > 60 ? 60 : width - width / 5;
    (void)fprintf(p->f,
                  "<rect class=\"%s\" x=\"%" PRIu32 ".%" PRIu32 "%%\" y=\"%" PRIu32
                  "\" width=\"%" PRIu32 ".%" PRIu32 "%%\" height=\"%" PRIu32 "\"/>",
                  class, x / 10, x % 10, TREND_HEIGHT - height, drawn / 10, drawn % 10, height);
}

static void put_bars(const struct page *p, uint32_t first)
{
    const struct campaign *const c = p->v->c;
    uint32_t const n_nights = c->n_nights - first;
    uint32_t const n = n_nights < TREND_COLUMNS ? TREND_COLUMNS : n_nights;
    uint32_t n_max = 1;
    for (uint32_t i = first; i < c->n_nights; i++) {
        n_max = c->nights[i].n_open > n_max ? c->nights[i].n_open : n_max;
    }
    for (uint32_t i = first; i < c->n_nights; i++) {
        const struct campaign_night *const x = &c->nights[i];
        html_put(p, "<g><title>");
        html_put_text(p, p->v->nights.fact[i].label, HTML_CELL_BYTES);
        html_put(p, ": ");
        html_put_text(p, p->v->nights.fact[i].text, HTML_CELL_BYTES);
        html_put(p, "</title>");
        put_bar(p, "open", i - first, n, x->n_open, n_max);
        put_bar(p, "bad", i - first, n, x->n_new, n_max);
        html_put(p, "</g>\n");
    }
}

/* A part of a night's name below the bars. */
static void put_day(const struct page *p, const char *class, uint32_t tenths, const char *day)
{
    (void)fprintf(p->f, "<text class=\"%s\" x=\"%" PRIu32 ".%" PRIu32 "%%\" y=\"%d\">", class,
                  tenths / 10, tenths % 10, TREND_HEIGHT + 18);
    html_put_text(p, day, HTML_CELL_BYTES);
    html_put(p, "</text>\n");
}

/* The day of each night, "11-25", while they are few; else whole dates at both ends. */
static void put_days(const struct page *p, uint32_t first)
{
    const struct campaign *const c = p->v->c;
    uint32_t const n = c->n_nights - first;
    for (uint32_t i = 0; n <= TREND_COLUMNS && i < n; i++) {
        const char *const name = c->nights[first + i].name;
        bool const is_date = strlen(name) >= TREND_DATE;
        put_day(p, "value first", 1000 * i / TREND_COLUMNS,
                is_date ? arena_printf(p->a, "%.*s", TREND_DATE - TREND_YEAR, name + TREND_YEAR)
                        : name);
    }
    if (n > TREND_COLUMNS) {
        put_day(p, "value first", 0, arena_printf(p->a, "%.*s", TREND_DATE, c->nights[first].name));
        put_day(p, "value", 1000,
                arena_printf(p->a, "%.*s", TREND_DATE, c->nights[c->n_nights - 1].name));
    }
}

void html_put_trend(const struct page *p)
{
    const struct campaign *const c = p->v->c;
    uint32_t const first = c->n_nights > TREND_NIGHTS ? c->n_nights - TREND_NIGHTS : 0;
    if (c->n_nights < 2) {
        return;
    }
    html_put(p,
             "<h2 id=\"nights\">Night after night</h2>\n<figure class=\"trend\">"
             "<figcaption id=\"trend\">Open bugs of each night. The new bugs among them are red. "
             "This campaign: ");
    html_put_text(p, p->v->nights.fact[c->n_nights - 1].text, HTML_CELL_BYTES);
    (void)fprintf(p->f,
                  ".</figcaption>\n<svg role=\"img\" aria-labelledby=\"trend\" width=\"100%%\" "
                  "height=\"%d\">\n",
                  TREND_HEIGHT + 24);
    put_bars(p, first);
    put_days(p, first);
    html_put(p, "</svg></figure>\n<details><summary>As numbers</summary>\n");
    html_put_facts(p, &p->v->nights, 0, p->v->nights.n);
    html_put(p, "</details>\n");
}

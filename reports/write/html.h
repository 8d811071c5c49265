/* reports/write/html.h -- pieces of the page: text that is cut, lists of facts, tables, findings, plots. */
#pragma once

#include <stdio.h>

#include "reports/model/report_view.h"

/* A page under construction. All but `html_put` take foreign text, which report_put_text lets in as
 * text; attributes hold nothing but numbers and names of ours. */
struct page {
    const struct report_view *v; /* of a campaign; NULL: the page is of something else */
    struct arena *a;
    FILE *f;
};

/* What is longer is cut, and the page says so: a driver's log may have any size. */
enum {
    HTML_CELL_BYTES = 320,
    HTML_LINE_BYTES = 4096,
    HTML_BLOCK_BYTES = 64 << 10
};

/* Class of a tone in the style sheet. */
extern const char *const html_tone_class[REPORT_TONE_N];

/* Markup of ours, as it is. */
void html_put(const struct page *p, const char *markup);
/* Up to max_bytes of a text. */
void html_put_text(const struct page *p, const char *text, size_t max_bytes);
/* The frame: html_open_page, html_put_section per section that is there, html_open_main, what the page
 * has to tell, html_close_page. */
struct page_head {
    const char *what;                   /* "report", "audit" */
    const char *title, *headline;       /* foreign */
    enum report_tone tone;              /* of the headline */
    const struct report_facts *numbers; /* below it; NULL: none */
    void (*lead)(const struct page *p); /* what stands below it besides; NULL: nothing */
    const char *const *style; /* lines after those of page.css, NULL after the last; NULL: none */
    bool has_script;          /* page.js, which sorts and filters tables */
};
void html_open_page(const struct page *p, const struct page_head *head);
void html_put_section(const struct page *p, const char *id, const char *title);
/* The same for another page beside this one. */
void html_put_page(const struct page *p, const char *file, const char *title);
void html_open_main(const struct page *p);
void html_close_page(const struct page *p, const struct page_head *head, const char *footer);
/* A text of many lines that opens on request. */
void html_put_block(const struct page *p, const char *label, const char *text);
/* The facts first..last-1: lines as a list of terms, then the blocks, folded. */
void html_put_facts(const struct page *p, const struct report_facts *facts, uint32_t first,
                    uint32_t last);
/* Head and rows within a box that scrolls; `label` is the id of what names it, NULL: its title. */
void html_put_grid(const struct page *p, const struct report_table *t, const char *label);
/* A section: heading, note, rows. */
void html_put_table(const struct page *p, const struct report_table *t);
/* A table that opens on request: its title and its sums. */
void html_put_folded_table(const struct page *p, const struct report_table *t);

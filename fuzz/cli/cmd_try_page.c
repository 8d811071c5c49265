/* fuzz/cli/cmd_try_page.c -- the page of halfulp try --html. */
#include "fuzz/cli/cmd_try_page.h"

#include <inttypes.h>

#include "fuzz/io/show.h"
#include "oracle/reference/reference.h"
#include "reports/write/html.h"

#define PAGE_ARENA_BYTES ((size_t)2 << 30)
enum {
    PLOT_WIDTH = 720,
    PLOT_HEIGHT = 200,
    PLOT_LEFT = 70,
    MAX_POINTS = 4000 /* of a buffer; of more every n-th element, and the worst, are drawn */
};

static const struct page_head head = {.what = "errors",
                                      .title = "a kernel",
                                      .headline = "Errors against arithmetic that does not round",
                                      .tone = TONE_PLAIN};

enum res try_page_open(struct try_page *page, const char *file, const char *path, struct err *e)
{
    TRY(file_begin(&page->w, file, e));
    struct page const p = {.f = page->w.f};
    page->is_open = true;
    html_open_page(&p, &head);
    html_open_main(&p);
    html_put(&p, "<p>");
    html_put_text(&p, path, HTML_LINE_BYTES);
    html_put(&p, "</p>\n");
    return RES_OK;
}

/* Elements from left to right, errors from the bottom up. What is permitted, where that is known, is a line. */
static void put_plot(const struct page *p, const struct reference_buffer *b)
{
    uint32_t const step = b->n / MAX_POINTS + 1;
    double most = b->max_ulps > 1 ? b->max_ulps : 1;
    double const width = PLOT_WIDTH - PLOT_LEFT, height = PLOT_HEIGHT;
    (void)fprintf(p->f,
                  "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"errors in ulps\">\n"
                  "<g stroke=\"currentColor\"><path d=\"M%d 0V%dH%d\" fill=\"none\"/></g>\n"
                  "<g fill=\"currentColor\" font-size=\"12\"><text x=\"0\" y=\"12\">%.3g ulp</text>"
                  "<text x=\"0\" y=\"%d\">0</text><text x=\"%d\" y=\"%d\">element %" PRIu32
                  " of %" PRIu32 "</text></g>\n<g fill=\"#2f7ed8\">\n",
                  PLOT_WIDTH, PLOT_HEIGHT + 20, PLOT_LEFT, PLOT_HEIGHT, PLOT_WIDTH, most,
                  PLOT_HEIGHT, PLOT_WIDTH - 150, PLOT_HEIGHT + 16, b->n, b->n);
    for (uint32_t i = 0; i < b->n; i++) {
        const struct reference_value *const v = &b->value[i];
        bool const is_worst = v->byte == b->worst_byte;
        if ((i % step == 0 || is_worst) && v->ulps <= most) {
            (void)fprintf(p->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>\n",
                          PLOT_LEFT + width * i / b->n, height - height * v->ulps / most,
                          is_worst ? "4" : "1.5");
        }
    }
    html_put(p, "</g>\n<g fill=\"#d0671b\">\n");
    for (uint32_t i = 0; i < b->n; i += step) {
        const struct reference_value *const v = &b->value[i];
        if (v->is_permitted_known && v->permitted_ulps <= most) {
            (void)fprintf(p->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1\"/>\n",
                          PLOT_LEFT + width * i / b->n, height - height * v->permitted_ulps / most);
        }
    }
    html_put(p, "</g>\n</svg>\n<p>Blue: the error of an element. Orange: what is permitted there, "
                "where that lies within the plot.</p>\n");
}

static void put_buffer(const struct page *p, const struct kernel *k,
                       const struct reference_buffer *b, uint32_t i)
{
    bool const is_known = i < k->shape.n_bufs;
    (void)fprintf(p->f, "<h3>buffer %" PRIu32 " ", is_known ? k->shape.bufs[i].number : i);
    html_put_text(p, is_known ? k->shape.bufs[i].name : "", HTML_CELL_BYTES);
    (void)fprintf(p->f,
                  "</h3>\n<p>%" PRIu32 " floats: largest error %.3g ulp at byte %" PRIu32
                  ", mean %.3g ulp; %" PRIu32 " NaNs, %" PRIu32 " infinities, %" PRIu32
                  " subnormals; of %" PRIu32 " more no exact value is known.</p>\n",
                  b->n, b->max_ulps, b->worst_byte, b->mean_ulps, b->n_nan, b->n_infinite,
                  b->n_subnormal, b->n_unknown);
    if (b->n > 0) {
        put_plot(p, b);
    }
}

void try_page_put(struct try_page *page, const struct kernel *k, const struct try_result *x,
                  const char *disassembly)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    struct page const p = {.f = page->w.f};
    arena_init(&a, PAGE_ARENA_BYTES);
    struct reference *const r = ARENA_NEW(&a, struct reference, 1);
    enum res const res = r ? reference_compute(&x->tc, &x->ob, &a, r, &e)
                           : err_set(&e, RES_NOMEM, "no memory for a report");
    html_put(&p, "<section>\n<h2>");
    html_put_text(&p, x->target->name, HTML_CELL_BYTES);
    html_put(&p, "</h2>\n<p>");
    html_put_text(&p, e.text, HTML_LINE_BYTES);
    if (res == RES_OK && r->worst_offset) {
        html_put(&p, "Most by the rounding of <code>");
        html_put_text(&p, show_instruction(disassembly, r->worst_offset, &a), HTML_LINE_BYTES);
        (void)fprintf(p.f, "</code> (%.0f%% of all).", 100 * r->worst_share);
    }
    html_put(&p, "</p>\n");
    for (uint32_t i = 0; res == RES_OK && i < x->tc.n_bufs; i++) {
        if (r->buf[i].n + r->buf[i].n_unknown > 0) {
            put_buffer(&p, k, &r->buf[i], i);
        }
    }
    html_put(&p, "</section>\n");
    arena_free(&a);
}

enum res try_page_close(struct try_page *page, enum res so_far, struct err *e)
{
    struct page const p = {.f = page->w.f};
    if (!page->is_open) {
        return so_far;
    }
    html_close_page(&p, &head,
                    "Exact values are numbers of 256 bits, rounded after each operation: an "
                    "estimate, which no verdict depends on.");
    return file_end(&page->w, so_far, e);
}

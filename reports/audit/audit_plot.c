/* reports/audit/audit_plot.c -- plots of a row of an audit as SVG: curves of its forms, axes and a legend. */
#include "reports/audit/audit_plot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"

/* Sizes are in units of the plot's own, which is as wide as the page has room. */
enum {
    PLOT_WIDTH = 420,
    PLOT_LEFT = 62, /* of the frame that the curves lie in */
    PLOT_RIGHT = 412,
    PLOT_HEIGHT = 170,
    PLOT_BELOW = 42,   /* for the labels of the x axis */
    LEGEND_LINE = 18,  /* a line for each curve above the frame */
    LEGEND_SAMPLE = 30 /* of the curve's line */
};
enum {
    MAX_CURVES = 6, /* forms with the same results share one */
    SLICE_BITS = 9,
    SLICE_HALF = SWEEP_PLOT / 2,
    MIN_LAST_BIN = 24, /* of a histogram the x axis reaches at least to here: 2 ulps */
    SAME_PARTS = 10000 /* one result of so many may be in the bin beside */
};
static const double same_ulps = 1e-5;
static const double linear_ulps = 16; /* larger errors: a logarithmic axis */

/* Dark enough on white and light enough on black; the dashes differ as well. */
static const struct {
    const char *colour, *dashes;
} looks[MAX_CURVES] = {
    {"#2f7ed8", "none"   },
    {"#d0671b", "6 3"    },
    {"#2a9a57", "8 3 2 3"},
    {"#a65fd0", "2 3"    },
    {"#d64550", "10 4"   },
    {"#1d95a5", "4 2 4 5"}
};

struct curves {
    uint32_t n, n_left_out;            /* curves; forms that have none */
    uint32_t first[MAX_CURVES];        /* the first form of each, whose results are drawn */
    uint32_t of_form[SWEEP_MAX_FORMS]; /* curve, or MAX_CURVES */
};

/* Not bit for bit: errors outside a bound are worked out anew, the others are the filter's. */
static bool is_same_curve(const struct sweep_result *r, const struct sweep_result *other)
{
    for (uint32_t i = 0; i < SWEEP_PLOT; i++) {
        double const x = fabs(r->plot[i].error);
        double const y = fabs(other->plot[i].error);
        if (!(fabs(x - y) <= same_ulps * (1 + x))) {
            return false;
        }
    }
    for (uint32_t i = 0; i < SWEEP_BINS; i++) {
        uint64_t const n = r->histogram[i], n_other = other->histogram[i];
        uint64_t const n_apart = n > n_other ? n - n_other : n_other - n;
        if (n_apart > r->n / SAME_PARTS) {
            return false;
        }
    }
    return true;
}

/* Choose the curves of a row's plots: one for each form with results, but a single one for all forms whose
 * results are alike. c.of_form[i] is the curve of form i, MAX_CURVES where it has none: no results, or too
 * many curves. */
static struct curves get_curves(const struct audit_row *row)
{
    struct curves c = {.n = 0};
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct sweep_result *const r = &row->result[i];
        uint32_t k = 0;
        c.of_form[i] = MAX_CURVES;
        if (row->form[i].is_refused || r->n == 0) {
            continue;
        }
        for (; k < c.n; k++) {
            if (is_same_curve(r, &row->result[c.first[k]])) {
                break;
            }
        }
        if (k == MAX_CURVES) { /* it is like none, and there is no room for one more */
            c.n_left_out++;
            continue;
        }
        if (k == c.n) {
            c.first[c.n++] = i;
        }
        c.of_form[i] = k;
    }
    return c;
}

/* ---- axes and curves ---- */

struct axis {
    double first, last; /* values at its ends */
    double from, to;    /* where these are */
    bool is_logarithmic;
};

static double get_place(const struct axis *a, double value)
{
    double const kept = fmin(fmax(value, a->first), a->last);
    double const part = a->is_logarithmic ? log(kept / a->first) / log(a->last / a->first)
                                          : (kept - a->first) / (a->last - a->first);
    return a->from + part * (a->to - a->from);
}

struct plot {
    const struct page *p;
    struct axis x, y;
    bool is_drawing; /* the curve under way goes on where it is */
};

/* A level piece of a curve from x0 to x1; where the last one ended at x0 the two are joined. */
static void put_step(struct plot *t, double x0, double x1, double y)
{
    (void)fprintf(t->p->f, "%s%.1f %.1fH%.1f", t->is_drawing ? "L" : "M", get_place(&t->x, x0),
                  get_place(&t->y, y), get_place(&t->x, x1));
    t->is_drawing = true;
}

/* The next step begins a piece of its own, which leaves a gap. */
static void lift_pen(struct plot *t)
{
    t->is_drawing = false;
}

static void open_curve(struct plot *t, uint32_t k)
{
    lift_pen(t);
    (void)fprintf(t->p->f, "<path stroke=\"%s\" stroke-dasharray=\"%s\" d=\"M0 0", looks[k].colour,
                  looks[k].dashes);
}

static void close_curve(const struct plot *t)
{
    html_put(t->p, "\"/>\n");
}

/* A line through the frame with its label; `label` is ours. */
static void put_x_mark(const struct plot *t, double value, const char *label)
{
    double const x = get_place(&t->x, value);
    if (value >= t->x.first && value <= t->x.last) {
        (void)fprintf(t->p->f,
                      "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/><text text-anchor=\"middle\" "
                      "x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                      x, t->y.from, t->y.to, x, t->y.from + 16, label);
    }
}

static void put_y_mark(const struct plot *t, double value)
{
    double const y = get_place(&t->y, value);
    (void)fprintf(t->p->f,
                  "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text text-anchor=\"end\" x=\"%d\" "
                  "y=\"%.1f\">%g</text>\n",
                  PLOT_LEFT, y, PLOT_RIGHT, PLOT_LEFT - 5, y + 4, value);
}

/* Whole powers of ten, at most some eight of them, or multiples of 1, 2 or 5 such. */
static void put_y_marks(const struct plot *t)
{
    if (t->y.is_logarithmic) {
        int const low = (int)ceil(log10(t->y.first)), high = (int)floor(log10(t->y.last));
        for (int e = low; e <= high; e += 1 + (high - low) / 8) {
            put_y_mark(t, pow(10, e));
        }
        return;
    }
    double step = pow(10, floor(log10(t->y.last)));
    step *= t->y.last / step < 2 ? 0.2 : t->y.last / step < 5 ? 0.5 : 1;
    for (double value = 0; value <= t->y.last * 1.001; value += step) {
        put_y_mark(t, value);
    }
}

/* ---- both plots ---- */

enum {
    PLOT_ABOVE = 8,     /* between legend and frame */
    SAMPLE_MIDDLE = 10, /* below the upper edge of a line of the legend: its sample, */
    LEGEND_TEXT = 14,   /* and the foot of its letters */
    LEGEND_GAP = 6,     /* between the two */
    LEGEND_BYTES = 34
};

/* Begin a picture and draw its legend: for each curve a sample of its line, the name of its first form, and
 * how many others share it. The axes begin below that; the caller sets what they reach from and to. */
static struct plot open_plot(const struct page *p, const struct audit_row *row,
                             const struct curves *c, const char *name)
{
    int const top = PLOT_ABOVE + LEGEND_LINE * (int)c->n;
    struct plot const t = {
        .p = p,
        .x = {.from = PLOT_LEFT,         .to = PLOT_RIGHT},
        .y = {.from = top + PLOT_HEIGHT, .to = top       }
    };
    (void)fprintf(p->f, "<figure><svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %d\">\n",
                  name, PLOT_WIDTH, top + PLOT_HEIGHT + PLOT_BELOW);
    for (uint32_t k = 0; k < c->n; k++) {
        const char *const first = row->form[c->first[k]].name;
        uint32_t n_others = 0;
        for (uint32_t i = c->first[k] + 1; i < row->n_forms; i++) {
            n_others += c->of_form[i] == k;
        }
        (void)fprintf(p->f,
                      "<path stroke=\"%s\" stroke-dasharray=\"%s\" d=\"M%d %" PRIu32
                      "h%d\"/><text x=\"%d\" y=\"%" PRIu32 "\">",
                      looks[k].colour, looks[k].dashes, PLOT_LEFT, LEGEND_LINE * k + SAMPLE_MIDDLE,
                      LEGEND_SAMPLE, PLOT_LEFT + LEGEND_SAMPLE + LEGEND_GAP,
                      LEGEND_LINE * k + LEGEND_TEXT);
        html_put_text(p, first, LEGEND_BYTES);
        if (n_others > 0) {
            (void)fprintf(p->f, " and %" PRIu32 " more", n_others);
        }
        html_put(p, "</text>\n");
    }
    return t;
}

static void close_plot(const struct plot *t, const char *x_name, const char *y_name,
                       const char *caption)
{
    (void)fprintf(
        t->p->f,
        "<path class=\"axes\" d=\"M%d %.1fV%.1fH%d\"/><text text-anchor=\"middle\" x=\"%d\" "
        "y=\"%.1f\">%s</text><text text-anchor=\"middle\" transform=\"translate(12 %.1f) "
        "rotate(-90)\">%s</text></svg>\n<figcaption>%s</figcaption></figure>\n",
        PLOT_LEFT, t->y.to, t->y.from, PLOT_RIGHT, (PLOT_LEFT + PLOT_RIGHT) / 2, t->y.from + 34,
        x_name, (t->y.from + t->y.to) / 2, y_name, caption);
}

/* Errors by slice in the order of the inputs: negative ones from far to near, then the others. */
static void get_slices(const struct audit_row *row, const struct sweep_result *r,
                       double y[SWEEP_PLOT])
{
    memset(y, 0, sizeof(double) * SWEEP_PLOT);
    for (uint32_t i = 0; i < SWEEP_PLOT; i++) {
        double const error = fabs(r->plot[i].error);
        uint64_t const slice = r->plot[i].arg[0] >> (float_formats[row->fmt].n_bits - SLICE_BITS);
        uint64_t const at = (slice < SLICE_HALF ? SLICE_HALF + slice : SWEEP_PLOT - 1 - slice);
        if (slice < SWEEP_PLOT && isfinite(error) && error > y[at]) {
            y[at] = error;
        }
    }
}

/* The position of 2^exponent in the order of encodings, in slices. */
static double get_slice_of(const struct float_format *fmt, int exponent)
{
    uint64_t const enc = (uint64_t)(exponent - fmt->emin + 1) << (fmt->prec_bits - 1);
    return (double)enc / (double)(UINT64_C(1) << (fmt->n_bits - SLICE_BITS));
}

static void put_input_marks(const struct plot *t, const struct float_format *fmt)
{
    int const far = fmt->emax >= 1000 ? 512 : fmt->emax >= 100 ? 64 : 8;
    put_x_mark(t, 0, "0");
    for (int e = -far; e <= far; e += far) {
        double const x = get_slice_of(fmt, e);
        const char *const text = e == 0 ? "1" : arena_printf(t->p->a, "2^%d", e);
        put_x_mark(t, x, text);
        put_x_mark(t, -x, arena_printf(t->p->a, "-%s", text));
    }
}

/* Put the plot of largest errors: a step for each slice of the inputs (equal parts of the encodings, in their
 * order), as high as the largest error in it. A slice without an error leaves a gap: what it holds is special, or
 * exact. Large errors make the axis logarithmic. The x axis counts slices from +0 and ends at infinity; negative
 * inputs mirror it. y[SLICE_HALF] is the slice of +0, as get_slices orders them. */
static void put_errors(const struct page *p, const struct audit_row *row, const struct curves *c)
{
    const struct float_format *const fmt = &float_formats[row->fmt];
    const struct func_row *const func = &func_rows[row->func];
    double y[MAX_CURVES][SWEEP_PLOT];
    double largest = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        get_slices(row, &row->result[c->first[k]], y[k]);
        for (int i = 0; i < SWEEP_PLOT; i++) {
            largest = fmax(largest, y[k][i]);
        }
    }
    struct plot t = open_plot(p, row, c, "Largest error against input");
    t.x.last = get_slice_of(fmt, fmt->emax + 1); /* infinity: one exponent above emax */
    t.x.first = -t.x.last;
    t.y.is_logarithmic = largest > linear_ulps;
    t.y.first = t.y.is_logarithmic ? 0.1 : 0;    /* ulp; a logarithm has no 0 */
    t.y.last = largest > 0 ? 1.05 * largest : 1; /* a little room above */
    put_input_marks(&t, fmt);
    put_y_marks(&t);
    for (uint32_t k = 0; k < c->n; k++) {
        open_curve(&t, k);
        for (int i = 0; i < SWEEP_PLOT; i++) {
            if (y[k][i] > 0) {
                put_step(&t, i - SLICE_HALF, i - SLICE_HALF + 1, y[k][i]);
            } else {
                lift_pen(&t);
            }
        }
        close_curve(&t);
    }
    close_plot(
        &t, func->n_args > 1 || func->has_int ? "first argument" : "input", "ulp",
        "Largest |error| of each slice of the inputs, in the order of their encodings. Gaps: "
        "exact, or special values.");
}

/* Lower edge of a bin; bin 0 is drawn as one octave, the last and what is after it likewise. */
static double get_edge(uint32_t i)
{
    if (i == 0) {
        return sweep_bin_edge(1) / 2;
    }
    return i < SWEEP_BINS ? sweep_bin_edge(i) : 2 * sweep_bin_edge(SWEEP_BINS - 1);
}

/* Part of the results of a form in a bin, in percent. */
static double get_share(const struct sweep_result *r, uint32_t bin)
{
    return 100 * (double)r->histogram[bin] / (r->n_numbers > 0 ? (double)r->n_numbers : 1);
}

/* Put the histogram: a step for each bin of |error|, as high as its share of the results, and a gap where a
 * bin is empty. The x axis ends after the last bin that any curve fills, but shows at least MIN_LAST_BIN of
 * them; the y axis, in percent and logarithmic as the x axis, begins below the smallest share. */
static void put_histogram(const struct page *p, const struct audit_row *row, const struct curves *c)
{
    static const struct {
        double ulps;
        const char *text;
    } marks[] = {
        {1.0 / 32, "1/32"},
        {1.0 / 8,  "1/8" },
        {0.5,      "1/2" },
        {2,        "2"   },
        {8,        "8"   },
        {32,       "32"  },
        {128,      "128" },
        {512,      "512" },
    };
    uint32_t last = MIN_LAST_BIN;
    double lowest = 100; /* percent */
    for (uint32_t k = 0; k < c->n; k++) {
        const struct sweep_result *const r = &row->result[c->first[k]];
        for (uint32_t i = 0; i < SWEEP_BINS; i++) {
            if (r->histogram[i] > 0) {
                last = i > last ? i : last;
                lowest = fmin(lowest, get_share(r, i));
            }
        }
    }
    struct plot t = open_plot(p, row, c, "Histogram of the errors");
    t.x.is_logarithmic = t.y.is_logarithmic = true;
    t.x.first = get_edge(0);
    t.x.last = get_edge(last + 1);
    t.y.first = lowest / 3; /* so that the smallest share is a step, and not a line on the axis */
    t.y.last = 200;         /* room above 100 % */
    for (size_t i = 0; i < ARRAY_N(marks); i++) {
        put_x_mark(&t, marks[i].ulps, marks[i].text);
    }
    put_y_marks(&t);
    for (uint32_t k = 0; k < c->n; k++) {
        const struct sweep_result *const r = &row->result[c->first[k]];
        open_curve(&t, k);
        for (uint32_t i = 0; i < SWEEP_BINS; i++) {
            if (r->histogram[i] > 0) {
                put_step(&t, get_edge(i), get_edge(i + 1), get_share(r, i));
            } else {
                lift_pen(&t);
            }
        }
        close_curve(&t);
    }
    close_plot(&t, "error, ulp", "% of results",
               "Share of the results by |error|; both axes logarithmic.");
}

/* The forms that curve k stands for, where it is more than one. */
static void put_shared(const struct page *p, const struct audit_row *row, const struct curves *c,
                       uint32_t k)
{
    const char *names = "";
    uint32_t n = 0;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        if (c->of_form[i] == k) {
            const char *const name = row->form[i].name ? row->form[i].name : "";
            names = arena_printf(p->a, "%s%s%s", names, n++ > 0 ? ", " : "", name);
        }
    }
    if (n > 1) {
        html_put(p, "<p class=\"note\">The same errors everywhere: ");
        html_put_text(p, names, HTML_LINE_BYTES);
        html_put(p, ".</p>\n");
    }
}

void audit_put_plots(const struct page *p, const struct audit_row *row)
{
    struct curves const c = get_curves(row);
    if (c.n == 0) {
        return;
    }
    html_put(p, "<div class=\"plots\">\n");
    put_errors(p, row, &c);
    put_histogram(p, row, &c);
    html_put(p, "</div>\n");
    for (uint32_t k = 0; k < c.n; k++) {
        put_shared(p, row, &c, k);
    }
    if (c.n_left_out > 0) {
        (void)fprintf(p->f, "<p class=\"note\">Forms that are not drawn: %" PRIu32 ".</p>\n",
                      c.n_left_out);
    }
}

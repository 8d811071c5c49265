/* reports/audit/audit_plot.h -- plots of an audit as SVG, by gnuplot in a process of its own. */
#pragma once

#include "base/audit_result.h"

enum audit_plot_kind {
    PLOT_ERROR,    /* largest |error| per slice of the inputs */
    PLOT_HISTOGRAM /* share of the results by |error| */
};
enum {
    PLOT_KIND_N = 2,
    PLOT_CURVES = 6 /* drawn at most; forms with the same results share one */
};

struct audit_curves {
    uint32_t n, n_left_out;            /* curves; forms that have none */
    uint32_t first[PLOT_CURVES];       /* a form of each */
    uint32_t of_form[SWEEP_MAX_FORMS]; /* curve, or PLOT_CURVES */
};
/* Which forms share a curve: those with the same errors everywhere. */
struct audit_curves audit_get_curves(const struct audit_row *row);

struct audit_plots {
    const char *(
        *svg)[PLOT_KIND_N]; /* per row; NULL: none. From "viewBox=" to the end of "</svg>" */
    const char *problem;    /* why plots are missing; "" */
};
/* All plots of an audit. Without gnuplot, or past its time, they are missing: that is no error. */
MUST_USE enum res audit_make_plots(const struct audit *x, struct arena *a, struct audit_plots *out,
                                   struct err *e);

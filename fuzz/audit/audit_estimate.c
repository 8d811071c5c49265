/* fuzz/audit/audit_estimate.c -- how long an audit takes, by what has been measured of it. */
#include "fuzz/audit/audit_estimate.h"

#include <inttypes.h>
#include <string.h>

#include "fuzz/process/progress.h"

/* Inputs done, and the time that they took. */
struct pace {
    uint64_t n;
    double seconds;
};

static bool are_alike(const struct audit_row *a, const struct audit_row *b)
{
    const char *const of_a = a->evaluator ? a->evaluator : "";
    const char *const of_b = b->evaluator ? b->evaluator : "";
    return a->depth == b->depth && a->fmt == b->fmt && strcmp(of_a, of_b) == 0;
}

static struct pace get_pace(const struct audit *x, uint32_t i, const struct audit_live *live)
{
    return i == live->row ? (struct pace){live->n_paced, live->paced_s}
                          : (struct pace){x->rows[i].n_done, x->rows[i].seconds};
}

/* Of the row itself, else of those like it. */
static struct pace find_pace(const struct audit *x, uint32_t i, const struct audit_live *live)
{
    struct pace const own = get_pace(x, i, live);
    struct pace sum = {0, 0};
    if (own.n > 0) {
        return own;
    }
    for (uint32_t k = 0; k < x->n_rows; k++) {
        if (are_alike(&x->rows[i], &x->rows[k])) {
            struct pace const one = get_pace(x, k, live);
            sum.n += one.n;
            sum.seconds += one.n ? one.seconds : 0;
        }
    }
    return sum;
}

/* Of the rest of a row; negative: not known. */
static double find_left(const struct audit *x, uint32_t i, const struct audit_live *live)
{
    const struct audit_row *const row = &x->rows[i];
    uint64_t const n_done = i == live->row ? live->n_done : row->n_done;
    if (n_done >= row->n_inputs) {
        return 0;
    }
    struct pace const pace = find_pace(x, i, live);
    return pace.n == 0 ? -1 : pace.seconds / (double)pace.n * (double)(row->n_inputs - n_done);
}

double audit_estimate_left(const struct audit *x, uint32_t row)
{
    struct audit_live const none = {.row = x->n_rows};
    return find_left(x, row, &none);
}

struct audit_estimate audit_estimate_time(const struct audit *x, const struct audit_live *live)
{
    struct audit_estimate t = {.n_unknown = 0};
    for (uint32_t i = 0; i < x->n_rows; i++) {
        double const left_s = find_left(x, i, live);
        t.done_s += i == live->row ? live->seconds : x->rows[i].seconds;
        t.n_unknown += left_s < 0;
        t.left_s += left_s < 0 ? 0 : left_s;
    }
    return t;
}

const char *audit_estimate_text(const struct audit_estimate *t, struct arena *a)
{
    static const double most_s = 1e9; /* 30 years */
    char time[PROGRESS_TIME_BYTES];
    double const all_s = t->done_s + t->left_s;
    if (!(t->left_s > 0)) {
        return "";
    }
    uint64_t const ns = (uint64_t)((all_s < most_s ? all_s : most_s) * 1e9);
    if (t->n_unknown == 0) {
        return arena_printf(a, "about %s in all", progress_time(time, ns));
    }
    return arena_printf(a, "at least %s in all (%" PRIu32 " row%s unknown)",
                        progress_time(time, ns), t->n_unknown, t->n_unknown == 1 ? "" : "s");
}

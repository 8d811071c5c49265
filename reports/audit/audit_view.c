/* reports/audit/audit_view.c -- what the writers of an audit share: states, figures, texts, files. */
#include "reports/audit/audit_view.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/caps.h"
#include "base/format.h"
#include "base/func_row.h"
#include "reports/model/figures.h"

const struct audit_state_row audit_states[AUDIT_STATE_N] = {
    [AUDIT_KEPT] = {"kept",       TONE_GOOD,  "\xe2\x9c\x93 kept"        },
    [AUDIT_NONE_FOUND] = {"none found", TONE_GOOD,  "\xe2\x9c\x93 none found"  },
    [AUDIT_FREE] = {"no bound",   TONE_MUTED, "no bound"                 },
    [AUDIT_EMPTY] = {"not run",    TONE_MUTED, "not run"                  },
    [AUDIT_REFUSED] = {"refused",    TONE_INFO,  "\xe2\x80\x93 refused"     },
    [AUDIT_INCOMPLETE] = {"incomplete", TONE_INFO,  "\xe2\x80\xa6 incomplete"  },
    [AUDIT_KEPT_IF] = {"kept if CR", TONE_INFO,  "\xe2\x9c\x93 kept if CR"  },
    [AUDIT_COULD_BREAK] = {"may break",  TONE_INFO,  "? may break"              },
    [AUDIT_WRONG_IF] = {"bad if CR",  TONE_BAD,   "\xe2\x9c\x97 wrong if CR" },
    [AUDIT_WRONG] = {"WRONG",      TONE_BAD,   "\xe2\x9c\x97 wrong values"},
    [AUDIT_BROKEN] = {"BROKEN",     TONE_BAD,   "\xe2\x9c\x97 broken"      },
};

/* Was each argument that the function has tried? A row of a search has some of them, one of a shard its part. */
static bool has_every_argument(const struct audit_row *row)
{
    return row->depth == AUDIT_EXHAUSTIVE && row->first == 0 &&
           row->n_inputs >= UINT64_C(1) << float_formats[row->fmt].n_bits;
}

enum audit_state audit_get_state(const struct audit_row *row, uint32_t form)
{
    const struct sweep_result *const r = &row->result[form];
    const struct audit_bound *const b = &row->bound[form];
    if (row->form[form].is_refused) {
        return AUDIT_REFUSED;
    }
    if (r->n == 0) {
        return AUDIT_EMPTY;
    }
    enum audit_hardware const hardware = row->form[form].hardware;
    if (r->n_broken > 0 || r->n_special > 0 || r->n_zero_sign > 0) {
        return hardware > HARDWARE_ROUNDED    ? AUDIT_COULD_BREAK
               : hardware == HARDWARE_ROUNDED ? AUDIT_WRONG_IF
               : r->n_broken > 0              ? AUDIT_BROKEN
                                              : AUDIT_WRONG;
    }
    if (!audit_is_finished(row) || r->n_undecided > 0) {
        return AUDIT_INCOMPLETE;
    }
    if (!b->has_bound || b->bound.anything) {
        return AUDIT_FREE;
    }
    if (!has_every_argument(row) || hardware > HARDWARE_ROUNDED) {
        return AUDIT_NONE_FOUND;
    }
    return hardware == HARDWARE_ROUNDED ? AUDIT_KEPT_IF : AUDIT_KEPT;
}

enum audit_state audit_get_worst_state(const struct audit_row *row)
{
    enum audit_state worst = row->n_forms > 0 ? AUDIT_KEPT : AUDIT_EMPTY;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        enum audit_state const state = audit_get_state(row, i);
        worst = state > worst ? state : worst;
    }
    return worst;
}

int audit_is_finished(const struct audit_row *row)
{
    return row->n_done >= row->n_inputs && row->n_skipped == 0;
}

const char *audit_describe_inputs(const struct audit_row *row, struct arena *a)
{
    uint64_t n = row->n_inputs;
    for (uint32_t i = 0; i < row->n_forms; i++) {
        n = row->result[i].n > n ? row->result[i].n : n;
    }
    if (row->depth == AUDIT_EXHAUSTIVE) {
        return arena_printf(a, "all %s inputs", figures_count(a, row->n_inputs));
    }
    const char *const more = n > row->n_inputs
                                 ? arena_printf(a, ", %s of them near the largest error",
                                                figures_count(a, n - row->n_inputs))
                                 : "";
    return arena_printf(a, "search, %s inputs%s", figures_count(a, n), more);
}

static int has_problem(const struct audit_row *row)
{
    return row->problem && row->problem[0];
}

/* Add up an audit. Counts of results are added by figures_sum, which stops at the largest number, as a file
 * may hold any. */
struct audit_sum audit_get_sum(const struct audit *x)
{
    struct audit_sum sum = {.n_forms = 0};
    for (uint32_t i = 0; i < x->n_rows; i++) {
        const struct audit_row *const row = &x->rows[i];
        sum.n_inputs = figures_sum(sum.n_inputs, row->n_done);
        sum.n_unfinished += !audit_is_finished(row);
        sum.n_problems += (uint64_t)has_problem(row);
        sum.seconds += row->seconds;
        for (uint32_t k = 0; k < row->n_forms; k++) {
            const struct sweep_result *const r = &row->result[k];
            sum.n_forms++;
            sum.n_state[audit_get_state(row, k)]++;
            sum.n_judged = figures_sum(sum.n_judged, r->n);
            if (row->form[k].hardware > HARDWARE_ROUNDED) {
                continue;
            }
            sum.n_broken = figures_sum(sum.n_broken, r->n_broken);
            sum.n_special = figures_sum(sum.n_special, r->n_special);
            sum.n_zero_sign = figures_sum(sum.n_zero_sign, r->n_zero_sign);
            sum.n_breaks = figures_sum(sum.n_breaks, r->n_breaks);
            sum.n_undecided = figures_sum(sum.n_undecided, r->n_undecided);
        }
    }
    return sum;
}

const char *audit_describe_kept(const struct audit_sum *s, struct arena *a)
{
    uint64_t const n_kept = s->n_state[AUDIT_KEPT], n_none = s->n_state[AUDIT_NONE_FOUND];
    uint64_t const n_if = s->n_state[AUDIT_KEPT_IF];
    if (n_none + n_if == 0) {
        return arena_printf(a, "All %" PRIu64 " bounds are kept", n_kept);
    }
    const char *const if_text =
        n_if ? arena_printf(a, ", %" PRIu64 " if the hardware rounds correctly", n_if) : "";
    return arena_printf(a,
                        "No violation found of %" PRIu64 " bounds (%" PRIu64
                        " kept for every argument%s, %" PRIu64 " by search)",
                        n_kept + n_none + n_if, n_kept, if_text, n_none);
}

enum audit_outcome audit_get_outcome(const struct audit *x)
{
    struct audit_sum const s = audit_get_sum(x);
    if (s.n_state[AUDIT_BROKEN] + s.n_state[AUDIT_WRONG] + s.n_state[AUDIT_WRONG_IF] > 0) {
        return AUDIT_SOME_WRONG;
    }
    bool const is_missing = x->was_stopped || x->was_spent || s.n_unfinished > 0 ||
                            s.n_state[AUDIT_INCOMPLETE] + s.n_state[AUDIT_EMPTY] > 0;
    return is_missing ? AUDIT_SOME_MISSING : AUDIT_ALL_KEPT;
}

const char *audit_short_count(struct arena *a, uint64_t n)
{
    unsigned exponent = 0;
    uint64_t head = n;
    if (n < 100000) {
        return arena_printf(a, "%" PRIu64, n);
    }
    for (; head >= 100; head /= 10) {
        exponent++;
    }
    return arena_printf(a, "%" PRIu64 ".%" PRIu64 "e%u", head / 10, head % 10, exponent + 1);
}

const char *audit_share_text(struct arena *a, uint64_t part, uint64_t whole)
{
    if (whole == 0) {
        return "-";
    }
    double const share = 100.0 * (double)part / (double)whole;
    if (part >= whole) {
        return "100%";
    }
    if (share >= 99.995) {
        return ">99.99%";
    }
    return part > 0 && share < 0.005 ? "<0.01%" : arena_printf(a, "%.2f%%", share);
}

const char *audit_error_text(struct arena *a, double error, int digits)
{
    if (!isfinite(error)) {
        return error > 0 ? "+inf" : error < 0 ? "-inf" : "nan";
    }
    if (!(error < 0) && !(error > 0)) {
        return "0";
    }
    return arena_printf(a, "%+.*g", digits, error);
}

const char *audit_time_text(struct arena *a, double seconds)
{
    bool const is_time = seconds >= 0 && seconds < 1e9;
    return is_time ? figures_duration(a, (uint64_t)(seconds * 1e9)) : "-";
}

double audit_get_mean(const struct sweep_result *r)
{
    return r->n_numbers > 0 ? r->sum_error / (double)r->n_numbers : 0;
}

const char *audit_figure_text(struct arena *a, double x, int digits)
{
    return x > 0 ? arena_printf(a, "%.*g", digits, x) : "";
}

const char *audit_ratio_text(struct arena *a, const struct audit_case *c)
{
    if (!(c->ratio > 0)) {
        return "";
    }
    return arena_printf(a, c->ratio > 1 ? "%.4g times the bound" : "%.4g of the bound", c->ratio);
}

const char *audit_attained_text(struct arena *a, const struct audit_row *row, uint32_t form)
{
    const struct audit_case *const c = &row->found[form];
    double const error = fabs(c->worst.error);
    if (c->kind != AUDIT_CASE_LARGEST || !(error > 0)) {
        return "";
    }
    const char *const bound =
        c->ratio > 0 ? arena_printf(a, " of %s", audit_figure_text(a, c->bound_ulp, 4)) : "";
    return arena_printf(a, "%s%s ulp at %s", audit_figure_text(a, error, 4), bound,
                        audit_args_text(a, row, c->worst.arg, AUDIT_HEX_AND_DECIMAL));
}

static bool is_violation(const struct audit_case *c)
{
    return c->kind == AUDIT_CASE_BOUND || c->kind == AUDIT_CASE_SPECIAL ||
           c->kind == AUDIT_CASE_ZERO;
}

bool audit_is_wrong(const struct audit_row *row, uint32_t form)
{
    return is_violation(&row->found[form]) && row->form[form].hardware <= HARDWARE_ROUNDED;
}

bool audit_is_certainly_wrong(const struct audit_row *row, uint32_t form)
{
    return is_violation(&row->found[form]) && row->form[form].hardware == HARDWARE_NONE;
}

/* ---- of math libraries ---- */

bool audit_is_of_library(const struct audit_form *form)
{
    return form->operations && form->operations[0] && form->hardware <= HARDWARE_ROUNDED;
}

bool audit_is_own(const struct audit_form *form)
{
    return audit_is_of_library(form) && form->hardware == HARDWARE_NONE;
}

bool audit_has_own_result(const struct audit_row *row, uint32_t form)
{
    return audit_is_own(&row->form[form]) && row->result[form].n > 0;
}

bool audit_has_modelled_result(const struct audit_row *row, uint32_t form)
{
    return audit_is_of_library(&row->form[form]) && !audit_is_own(&row->form[form]) &&
           row->result[form].n > 0;
}

bool audit_is_certified(const struct audit_row *row, uint32_t form)
{
    return audit_is_own(&row->form[form]) && has_every_argument(row) && audit_is_finished(row) &&
           row->result[form].n > 0 && row->result[form].n_undecided == 0;
}

static double get_error(const struct sweep_result *r)
{
    return fabs(audit_get_largest(r)->error);
}

const char *audit_hardware_text(struct arena *a, const struct audit_row *row, uint32_t form)
{
    const struct audit_form *const f = &row->form[form];
    if (!audit_is_of_library(f) || f->hardware != HARDWARE_ROUNDED) {
        return "";
    }
    bool const is_many = strchr(f->operations, ',') != NULL;
    return arena_printf(
        a, "%.5g ulp if %s %s correctly; at least %.5g ulp if %s within %s (%s at %s)",
        get_error(&row->result[form]), f->operations, is_many ? "round" : "rounds",
        fabs(f->erring_worst.error), is_many ? "they err" : "it errs",
        is_many ? "their bounds" : "its bound", audit_hardware_names[f->erring_hardware],
        audit_args_text(a, row, f->erring_worst.arg, AUDIT_HEX));
}

const char *audit_documented_text(struct arena *a, const struct audit_form *form)
{
    return form->has_documented ? arena_printf(a, "%.4g", form->documented) : "";
}

static const char exceeded[] = "EXCEEDED";

const char *audit_documented_state(const struct audit_row *row, uint32_t form)
{
    static const double half = 0.5; /* what rounding the exact value may add to a distance */
    const struct audit_form *const f = &row->form[form];
    double const error = get_error(&row->result[form]);
    if (!f->has_documented || !audit_is_of_library(f) || row->result[form].n == 0) {
        return "";
    }
    if (error > f->documented) {
        return error > f->documented + half ? exceeded : "kept +0.5";
    }
    return has_every_argument(row) && audit_is_finished(row) ? "kept" : "none found";
}

bool audit_is_exceeded(const struct audit_row *row, uint32_t form)
{
    return audit_documented_state(row, form) == exceeded;
}

uint64_t audit_count_beyond(const struct audit_row *row, uint32_t form)
{
    static const double half = 0.5;
    const struct sweep_result *const r = &row->result[form];
    uint64_t n = 0;
    for (uint32_t i = 0; i < SWEEP_BINS; i++) {
        /* edges are lowered by less than a millionth of themselves; errors of the bound itself are not beyond it */
        bool const is_beyond =
            sweep_bin_edge(i) > row->form[form].documented * (1 + 0x1p-20) + half;
        n += is_beyond && row->form[form].has_documented ? r->histogram[i] : 0;
    }
    return n;
}

const char *audit_exact_text(const struct audit_case *c)
{
    return c->exact ? c->exact : "";
}

const char *audit_get_version(const struct audit *x, struct arena *a)
{
    char text[128];
    (void)facts_get(x->facts ? x->facts : "", "driver", text, sizeof text);
    return arena_printf(a, "%s", text);
}

int audit_has_formula(const struct audit_bound *b)
{
    return b->rule && b->rule[0];
}

/* In the words of the table of bounds. */
static const char *rule_text(struct arena *a, const struct audit_bound *b)
{
    const char *const note = b->rule;
    const char *const ulps =
        b->bound.ulp > 0 && !strstr(note, "ulp") ? arena_printf(a, "%.6g ulp", b->bound.ulp) : "";
    const char *const absolute =
        b->bound.absolute > 0 ? arena_printf(a, "%.3g ", b->bound.absolute) : "";
    return arena_printf(a, "%s%s%s%s%s", absolute, ulps, ulps[0] ? ", " : "", note,
                        b->scale > 1 ? ", as of 32 bits" : "");
}

const char *audit_bound_text(struct arena *a, const struct audit_bound *b)
{
    if (!b->has_bound || b->bound.anything) {
        return "none";
    }
    if (audit_has_formula(b)) {
        return rule_text(a, b);
    }
    if (b->bound.ulp > 0 && b->bound.absolute > 0) {
        return arena_printf(a, "%.6g ulp or %.3g", b->bound.ulp, b->bound.absolute);
    }
    if (b->bound.absolute > 0) {
        return arena_printf(a, "%.3g absolute", b->bound.absolute);
    }
    return b->bound.ulp > 0 ? arena_printf(a, "%.6g ulp", b->bound.ulp) : "correctly rounded";
}

const char *audit_enc_text(struct arena *a, enum fmt_id fmt, uint64_t enc, enum audit_values v)
{
    const struct float_format *const f = &float_formats[fmt];
    char buf[64];
    switch (v) {
    case AUDIT_HEX:
        return arena_printf(a, "0x%0*" PRIx64, (int)(f->n_bits / 4), enc & format_mask(f));
    case AUDIT_HEX_AND_DECIMAL:
        return arena_printf(a, "%s", format_to_text(f, enc, buf, sizeof buf));
    }
    assert(0 && "audit_values out of range");
    return "";
}

const char *audit_args_text(struct arena *a, const struct audit_row *row, const uint64_t *arg,
                            enum audit_values values)
{
    const struct func_row *const f = &func_rows[row->func];
    const char *text = audit_enc_text(a, row->fmt, arg[0], values);
    for (unsigned i = 1; i < f->n_args; i++) {
        text = arena_printf(a, "%s, %s", text, audit_enc_text(a, row->fmt, arg[i], values));
    }
    if (f->has_int) {
        text =
            arena_printf(a, "%s, %" PRId64, text, (int64_t)(int32_t)(arg[f->n_args] & UINT32_MAX));
    }
    return text;
}

const char *audit_cut(struct arena *a, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    if (n <= AUDIT_LOG_BYTES) {
        return text ? text : "";
    }
    size_t const n_all = n;
    n = AUDIT_LOG_BYTES;
    while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) {
        n--; /* not within a character */
    }
    return arena_printf(a, "%.*s\n(%zu more bytes are left out)\n", (int)n, text, n_all - n);
}

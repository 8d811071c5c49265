/* reports/audit/audit_view.h -- what the writers of an audit share: states, figures, texts, files. */
#pragma once

#include "base/audit_result.h"
#include "reports/model/report_view.h"

/* What came of one form of a row; the worst that applies. */
enum audit_state {
    AUDIT_KEPT,       /* every argument was tried and decided */
    AUDIT_NONE_FOUND, /* no violation among those that a search, or a shard, has tried */
    AUDIT_KEPT_IF, /* as AUDIT_KEPT, if hardware instructions round correctly (enum audit_hardware) */
    AUDIT_FREE,    /* no bound to keep */
    AUDIT_EMPTY,   /* not run */
    AUDIT_REFUSED,     /* not compiled */
    AUDIT_INCOMPLETE,  /* nothing wrong so far, but not all of it was tried and decided */
    AUDIT_COULD_BREAK, /* a violation where hardware instructions err within their bounds */
    AUDIT_WRONG_IF,    /* a violation if hardware instructions round correctly */
    AUDIT_WRONG,       /* within the bound, but special values or signs of zeros are wrong */
    AUDIT_BROKEN       /* outside the bound */
};
enum {
    AUDIT_STATE_N = 11
};
struct audit_state_row {
    const char *word; /* "kept", "incomplete", "BROKEN" */
    enum report_tone tone;
    const char *badge; /* with a sign, so that colour is not needed */
};
extern const struct audit_state_row audit_states[AUDIT_STATE_N];
enum audit_state audit_get_state(const struct audit_row *row, uint32_t form);
/* The gravest among its forms; and has it run to its end, nothing skipped? */
enum audit_state audit_get_worst_state(const struct audit_row *row);
int audit_is_finished(const struct audit_row *row);
/* "all 65,536 inputs", "search, 100,000 inputs", "search, 112,500 inputs, 12,500 of them near the largest error": a search
 * goes on where it is near a bound. */
const char *audit_describe_inputs(const struct audit_row *row, struct arena *a);

struct audit_sum {
    uint64_t n_forms, n_inputs, n_judged; /* n_judged: inputs x forms */
    uint64_t n_state[AUDIT_STATE_N];      /* forms */
    uint64_t n_broken, n_special, n_zero_sign, n_breaks, n_undecided;
    uint64_t n_unfinished, n_problems; /* rows */
    double seconds;
};
/* Results of forms in which the hardware errs are in n_forms, n_judged and n_state alone. */
/* "All 5 bounds are kept", or how many are and in how many a search has found no violation. */
const char *audit_describe_kept(const struct audit_sum *s, struct arena *a);
struct audit_sum audit_get_sum(const struct audit *x);
/* What the whole of it comes to: a wrong result is one even if not all was tried; else it is incomplete if a form is, or
 * was not run, or a row is not at its end. */
enum audit_outcome {
    AUDIT_ALL_KEPT, /* or none found */
    AUDIT_SOME_WRONG,
    AUDIT_SOME_MISSING
};
enum audit_outcome audit_get_outcome(const struct audit *x);

/* Figures, in the arena: "4.3e9" from 7 digits on; "97.31%", never 100% nor 0% by
 * rounding alone; an error of `digits` digits, with a sign; a time. */
const char *audit_short_count(struct arena *a, uint64_t n);
const char *audit_share_text(struct arena *a, uint64_t part, uint64_t whole);
const char *audit_error_text(struct arena *a, double error, int digits);
const char *audit_time_text(struct arena *a, double seconds);
/* Mean of |error|; 0 without numbers. */
double audit_get_mean(const struct sweep_result *r);
/* "4 ulp", "4 ulp or 0.00049", "correctly rounded", "none". */
const char *audit_bound_text(struct arena *a, const struct audit_bound *b);
/* Does the bound depend on the arguments, or is it inherited: words rather than a number? */
int audit_has_formula(const struct audit_bound *b);
/* Arguments in hex, "0x3f800000" or two with a comma; with_values: the decimal number after. */
enum audit_values {
    AUDIT_HEX,
    AUDIT_HEX_AND_DECIMAL
};
const char *audit_args_text(struct arena *a, const struct audit_row *row, const uint64_t *arg,
                            enum audit_values values);
const char *audit_enc_text(struct arena *a, enum fmt_id fmt, uint64_t enc, enum audit_values v);

/* A number of ulps or a ratio, "0.8" or, where it is 0 and so not known, "". */
const char *audit_figure_text(struct arena *a, double x, int digits);
/* "1.5 times the bound", "0.31 of the bound"; "" where there is no such number. */
const char *audit_ratio_text(struct arena *a, const struct audit_case *c);
/* Where the error of a form without wrong results is the largest by its bound: "3.24 of 4.28 ulp at 0x3f23d460"; where it has
 * no bound in ulps, where it is the largest at all: "1772 ulp at 0x3f23d460". "": it has wrong results, or no error. */
const char *audit_attained_text(struct arena *a, const struct audit_row *row, uint32_t form);
/* Is the form wrong: outside its bound, or with a wrong special value or zero? Not where that takes errors of the hardware. */
bool audit_is_wrong(const struct audit_row *row, uint32_t form);
/* The same of a form in which the hardware has no part. */
bool audit_is_certainly_wrong(const struct audit_row *row, uint32_t form);

/* ---- of math libraries ---- */

/* Has the library this form by itself, not as one more behaviour of the hardware? And without any hardware instruction? */
bool audit_is_of_library(const struct audit_form *form);
bool audit_is_own(const struct audit_form *form);
/* The same of a form that was tried: a form of its own, and one more behaviour of the hardware. */
bool audit_has_own_result(const struct audit_row *row, uint32_t form);
bool audit_has_modelled_result(const struct audit_row *row, uint32_t form);
/* Was each argument of such a form tried and decided? */
bool audit_is_certified(const struct audit_row *row, uint32_t form);
/* "1.42 ulp if v_exp_f32 rounds correctly; at least 4.5 ulp if it errs within its bound, at 0x..."; "": it has none. */
const char *audit_hardware_text(struct arena *a, const struct audit_row *row, uint32_t form);
/* The bound that the vendor documents against the largest error: "kept", "none found", "kept +0.5" (beyond it by at most
 * half an ulp, which is within the bound where the vendor counts from the rounded value), "EXCEEDED"; "": there is none, or the hardware errs. */
const char *audit_documented_text(struct arena *a, const struct audit_form *form); /* "1", "" */
const char *audit_documented_state(const struct audit_row *row, uint32_t form);
bool audit_is_exceeded(const struct audit_row *row, uint32_t form);
/* How many results are beyond it by more than half an ulp, at least. */
uint64_t audit_count_beyond(const struct audit_row *row, uint32_t form);
/* Its exact value, never NULL. */
const char *audit_exact_text(const struct audit_case *c);
/* What the driver calls its version, "Mesa 22.3.6 (LLVM 15.0.6)"; "" where it says none. */
const char *audit_get_version(const struct audit *x, struct arena *a);

/* Foreign text (NULL: ""), cut with a word about it past AUDIT_LOG_BYTES: not printable yet. */
enum {
    AUDIT_LOG_BYTES = 64 << 10
};
const char *audit_cut(struct arena *a, const char *text);

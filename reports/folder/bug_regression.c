/* reports/folder/bug_regression.c -- what triage found out: how small the case has become, what makes it pass, and which drivers
 * show it. */
#include "reports/folder/bug_regression.h"

#include <inttypes.h>
#include <string.h>

#include "base/testcase.h"
#include "fuzz/journal/campaign_data.h"
#include "oracle/tables/tables.h"
#include "reports/bug/bug_facts.h"
#include "reports/bug/bug_module.h"
#include "reports/model/markdown.h"

/* What a switch of the driver's compiler makes of the bug. */
enum switch_outcome {
    SWITCH_PASSES,
    SWITCH_SHOWS,
    SWITCH_ELSEWHERE, /* the same verdict, another bug */
    SWITCH_OPEN
};

/* Is it the change that leaves one work-item? */
static bool is_about_one(const char *variant)
{
    return variant && (strcmp(variant, "with one work-item") == 0 ||
                       strcmp(variant, "with one invocation") == 0);
}

/* Put what triage found out besides: a fault that would explain what is wrong, what goes wrong before it, the
 * smallest change that makes the case pass, and how small the case has become, by whom. */
void bug_put_reduction(const struct bug *b, struct arena *a, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    struct bug_cause const cause = bug_find_cause(t->cause, a);
    if (cause.sentence[0] && cause.is_whole) {
        (void)fprintf(f, "### What would explain it\n\nAll wrong values of this kernel are as if ");
        markdown_put_text(cause.sentence, f);
        (void)fprintf(f, ". This is a hypothesis.\n\n");
    }
    if (bug_is_given(t->first_wrong)) {
        (void)fprintf(f, "### What goes wrong first\n\nA second run stored every intermediate "
                         "value. The first wrong one: ");
        markdown_put_text(t->first_wrong, f);
        (void)fprintf(f, "\n\n");
    }
    (void)fprintf(f, "### What makes it pass\n\n");
    bool const is_uneven =
        strcmp(b->finding->clause, "ND_RANGE") == 0; /* another size has no remainder */
    if (is_about_one(t->variant) && !is_uneven) {
        (void)fprintf(f, "The bug needs more than one work-item: the same kernel passes with "
                         "one.\n\n");
    } else if (bug_is_given(t->variant)) {
        (void)fprintf(f, "The same kernel passes ");
        markdown_put_text(t->variant, f);
        (void)fprintf(f, ".\n\n");
    } else if (t->is_cut) {
        (void)fprintf(f, "Not known: the time ended before all changes were tried.\n\n");
    } else if (t->n_shown + t->n_loaded_shown == 0) {
        (void)fprintf(f, "No change was tried, as the bug did not show again.\n\n");
    } else if (bug_is_given(b->tried)) {
        (void)fprintf(f, "Nothing that was tried: ");
        markdown_put_text(b->tried, f);
        (void)fprintf(f, ".\n\n");
    } else {
        (void)fprintf(f, "Nothing: none of the changes that halfulp tries applies to this "
                         "kernel.\n\n");
    }
    if (t->n_before > 0 && t->n_after >= t->n_before) {
        (void)fprintf(f,
                      "The kernel could not be reduced. It has %" PRIu32
                      " instructions more than an empty kernel.\n\n",
                      t->n_before);
    } else if (t->n_before > 0) {
        (void)fprintf(f,
                      "The kernel was reduced from %" PRIu32 " to %" PRIu32
                      " instructions, not counting those of an empty kernel",
                      t->n_before, t->n_after);
        if (bug_is_given(t->smallest)) {
            (void)fprintf(f, ", by ");
            markdown_put_text(t->smallest, f);
        }
        (void)fprintf(f, ".\n\n");
    }
}

/* Put the switches of the compiler with which the case has an outcome, as a sentence: "It passes with `A`, `B`."; nothing
 * where there are none. */
static void put_switches_of(const struct campaign_triage *t, const char *verdict,
                            enum switch_outcome outcome, const char *sentence, FILE *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        enum switch_outcome const own = campaign_row_passes(row)                ? SWITCH_PASSES
                                        : row->n_shown > 0                      ? SWITCH_SHOWS
                                        : campaign_row_is_another(row, verdict) ? SWITCH_ELSEWHERE
                                                                                : SWITCH_OPEN;
        if (row->with[0] && own == outcome) {
            (void)fprintf(f, "%s`%s`", n++ == 0 ? sentence : ", ", row->with);
        }
    }
    (void)fprintf(f, n > 0 ? ".\n" : "");
}

/* Put what each switch of the driver's compiler changes. */
static void put_switches(const struct campaign_triage *t, const char *verdict, FILE *f)
{
    bool const is_crash = strcmp(verdict, verdict_rows[VERDICT_CRASH].name) == 0;
    uint32_t n_tried = 0;
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        n_tried += t->matrix[i].with[0] != 0;
    }
    put_switches_of(t, verdict, SWITCH_PASSES, "The kernel passes with ", f);
    put_switches_of(t, verdict, SWITCH_SHOWS, "The bug is still there with ", f);
    put_switches_of(t, verdict, SWITCH_ELSEWHERE,
                    is_crash ? "The driver crashes elsewhere with " : "Another bug shows with ", f);
    if (n_tried > 0) {
        (void)fprintf(f, "%s\n", t->is_cut ? "There was no time for further switches.\n" : "");
    }
}

/* Is there a row of a run? */
static bool is_run_elsewhere(const struct campaign_triage *t)
{
    bool is_any = false;
    for (uint32_t i = 0; t && i < t->n_matrix; i++) {
        is_any |= t->matrix[i].n_runs > 0;
    }
    return is_any;
}

static bool fails_to_build(const char *verdict)
{
    return strcmp(verdict, verdict_rows[VERDICT_CRASH].name) == 0 ||
           strcmp(verdict, verdict_rows[VERDICT_REJECT].name) == 0;
}

/* The outcome of the case there. */
static const char *describe_row(const struct matrix_row *row, const char *verdict, struct arena *a)
{
    bool const is_alike = campaign_row_is_another(row, verdict);
    bool const is_open = strcmp(row->verdict, verdict_rows[VERDICT_INCONCLUSIVE].name) == 0;
    bool const fails_both = fails_to_build(verdict) && fails_to_build(row->verdict);
    return row->n_shown > 0           ? "this bug"
           : is_open                  ? "inconclusive"
           : campaign_row_passes(row) ? "passes"
           : is_alike                 ? arena_printf(a, "another %s", verdict)
           : fails_both               ? arena_printf(a, "fails too (%s)", row->verdict)
                                      : arena_printf(a, "another bug (%s)", row->verdict);
}

/* Put what a row that passes does not tell: a compiler that computes an instruction of constants does not show what the
 * instruction gives when it runs. */
static void put_folding(const struct bug *b, struct arena *a, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    uint32_t n_passed = 0;
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        n_passed += campaign_row_passes(&t->matrix[i]) &&
                    strcmp(t->matrix[i].verdict, verdict_rows[VERDICT_BUILT].name) != 0;
    }
    if (n_passed > 0 && b->ob->status == RUN_DONE &&
        bug_is_of_constants(b->tc, b->finding->op, a)) {
        (void)fprintf(f, "\nAll operands of ");
        markdown_put_text(b->finding->op, f);
        (void)fprintf(
            f, " are constants here. A compiler may compute the instruction itself, and such a "
               "driver passes. It may still have the bug where the operands are loaded.\n");
    }
}

/* "a, b" */
static const char *add_name(const char *all, const char *name, struct arena *a)
{
    return arena_printf(a, "%s%s%s", all, all[0] ? ", " : "", name);
}

static void put_names(const char *what, const char *names, FILE *f)
{
    if (names[0]) {
        (void)fprintf(f, "\n%s: ", what);
        markdown_put_text(names, f);
        (void)fprintf(f, ".\n");
    }
}

/* Put what the same case does on every other target that was at hand, which shows since which version the bug is
 * there, and with switches, which show where in the compiler. Rows without runs and those of compilers alone, which
 * run nothing, are not in the table: sentences below it name them. */
void bug_put_regression(const struct bug *b, struct arena *a, FILE *f)
{
    const struct campaign_triage *const t = b->finding->triage;
    const char *const verdict = b->finding->verdict ? b->finding->verdict : "";
    (void)fprintf(f, "## Regression\n\n");
    if (!is_run_elsewhere(t)) {
        (void)fprintf(f, "Not known: the kernel was run on no other driver.\n\n");
        return;
    }
    put_switches(t, verdict, f);
    (void)fprintf(f,
                  "The same kernel on each driver that was at hand (`target` is halfulp's name of "
                  "it):\n\n"
                  "| target | driver | result | shows the bug in |\n| --- | --- | --- | --- |\n");
    uint32_t n_no_time = 0;
    const char *built = "", *not_listed = "", *not_run = "", *not_started = "";
    for (uint32_t i = 0; i < t->n_matrix; i++) {
        const struct matrix_row *const row = &t->matrix[i];
        if (row->with[0]) { /* put_switches has these */
            continue;
        }
        if (row->n_runs == 0) {
            bool const is_late = strcmp(row->verdict, MATRIX_NO_TIME) == 0;
            bool const is_unlisted = strcmp(row->verdict, MATRIX_NOT_LISTED) == 0;
            n_no_time += is_late;
            not_listed = is_unlisted ? add_name(not_listed, row->target, a) : not_listed;
            bool const is_dead = strcmp(row->verdict, MATRIX_NOT_STARTED) == 0;
            not_started = is_dead ? add_name(not_started, row->target, a) : not_started;
            not_run =
                is_unlisted || is_late || is_dead ? not_run : add_name(not_run, row->target, a);
            continue;
        }
        bool const is_built = strcmp(row->verdict, verdict_rows[VERDICT_BUILT].name) == 0;
        if (is_built && !fails_to_build(verdict)) { /* of a refusal it is an answer */
            built = add_name(built, row->target, a);
            continue;
        }
        (void)fprintf(f, "| ");
        markdown_put_text(row->target, f);
        (void)fprintf(f, " | ");
        markdown_put_text(row->version, f);
        (void)fprintf(f, " | ");
        markdown_put_text(describe_row(row, verdict, a), f);
        (void)fprintf(f, " | %" PRIu32 " of %" PRIu32 " runs |\n", row->n_shown, row->n_runs);
    }
    put_names("Compilers without a device accept the kernel, and give no values", built, f);
    put_names("Targets that do not list what the kernel needs", not_listed, f);
    put_names("Targets that could not be started", not_started, f);
    put_names("Targets that cannot run the kernel", not_run, f);
    if (n_no_time > 0) {
        (void)fprintf(f, "\nThere was no time for %" PRIu32 " more.\n", n_no_time);
    }
    put_folding(b, a, f);
    (void)fprintf(f, "\n");
}

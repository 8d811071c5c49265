/* reports/model/report_findings.c -- the findings of a report: in order, by bucket, with their facts. */
#include "reports/model/report_findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_standing.h"
#include "fuzz/journal/journal_cross.h"
#include "oracle/tables/tables.h"
#include "oracle/tables/words.h"
#include "reports/model/bug_name.h"
#include "reports/model/fact_list.h"
#include "reports/model/figures.h"
#include "reports/model/table.h"
#include "reports/model/version_history.h"

/* "-" is how tables name "none". */
static const char *or_nothing(const char *text)
{
    return text && strcmp(text, "-") != 0 ? text : "";
}

/* ---- what the triage found out ---- */

/* A text with the words of the environment that the finding's case is of. */
static const char *say(const struct report_finding *x, const char *text, struct arena *a)
{
    const char *const env = x->target ? journal_find_env(x->target, x->raw->case_index) : "";
    return words_say(strcmp(env, env_names[ENV_VK]) == 0 ? ENV_VK : ENV_CL, text ? text : "", a);
}

static const char *size_of(const struct report_finding *x, struct arena *a)
{
    const struct campaign_triage *const t = x->raw->triage;
    return t->n_before == 0
               ? ""
               : arena_printf(a, "from %" PRIu32 " to %" PRIu32 " %s, by %s", t->n_before,
                              t->n_after, say(x, "instructions more than an empty kernel has", a),
                              t->smallest ? t->smallest : "");
}

static void add_triage(struct fact_list *b, const struct report_finding *x, struct arena *a)
{
    const struct campaign_triage *const t = x->raw->triage;
    fact_list_add(b, "reproduced", report_reliability(t, a), LOOK_TEXT,
                  t->is_flaky ? TONE_INFO : TONE_PLAIN);
    fact_list_add_text(b, "explained by", say(x, t->cause, a));
    fact_list_add_text(b, "what goes wrong before this value", t->first_wrong);
    fact_list_add_text(b, "reduced", size_of(x, a));
    fact_list_add_text(
        b, "passes",
        t->variant && t->variant[0] ? arena_printf(a, "when run %s", say(x, t->variant, a))
        : t->is_cut                 ? "not known: the time was over before all changes were tried"
        : t->n_shown + t->n_loaded_shown == 0 ? "not known: it did not show again"
                                              : "with none of the small changes that were tried");
}

static enum report_tone tone_of(const char *verdict)
{
    int const kind = verdict_find(verdict);
    if (kind < 0) {
        return TONE_MUTED; /* it could not be run there */
    }
    return verdict_rows[kind].part == PART_VIOLATION ? TONE_BAD
           : verdict_rows[kind].part == PART_OK      ? TONE_GOOD
                                                     : TONE_INFO;
}

/* Make the table of what became of a finding's smallest case on each target, from triage. The case may end in
 * another bug of the same verdict, such as another crash: the cell says so. 0: the arena is full. */
static int make_where(struct report_table *t, const struct campaign_triage *triage,
                      const char *target, const char *verdict, struct arena *a)
{
    static const char *const titles[] = {"target", "version", "with", "verdict", "shown", "runs"};
    *t = (struct report_table){.id = "",
                               .title = "The same case on every target that was at hand, and with "
                                        "switches of the driver's compiler",
                               .note = version_history(triage, target, a),
                               .empty = "",
                               .n_keys = 1};
    /* The first 4 columns hold text, the others numbers. */
    if (!table_open_titled(t, a, titles, ARRAY_N(titles), 4, triage->n_matrix)) {
        return 0;
    }
    for (uint32_t i = 0; i < t->n_rows; i++) {
        const struct matrix_row *const row = &triage->matrix[i];
        bool const is_another = verdict && campaign_row_is_another(row, verdict);
        struct report_cell *cell = table_put_text(table_get_row(t, i), row->target);
        cell = table_put_text(cell, row->version);
        cell = table_put_text(cell, row->with);
        cell =
            table_put(cell, is_another ? arena_printf(a, "another %s", row->verdict) : row->verdict,
                      tone_of(row->verdict));
        cell = table_put_text(cell, arena_printf(a, "%" PRIu32, row->n_shown));
        (void)table_put_text(cell, arena_printf(a, "%" PRIu32, row->n_runs));
    }
    return 1;
}

/* ---- facts ---- */

/* "255 wrong values in 12 cases, the first in case 7; with 3 other signatures of its bug 1,205" */
static const char *seen_text(const struct report_finding *x, struct arena *a)
{
    const struct campaign_finding *const f = x->raw;
    const char *const own = arena_printf(
        a, "%s %s of this signature; first in case %" PRIu64, figures_count(a, f->n_in_bucket),
        f->n_in_bucket == 1 ? "finding" : "findings", f->case_index);
    const char *const all =
        x->n_members < 2 ? own
                         : arena_printf(a, "%s; %s with the %" PRIu32 " other %s of this bug", own,
                                        figures_count(a, x->n_all), x->n_members - 1,
                                        x->n_members == 2 ? "signature" : "signatures");
    return f->n_cases == 0 ? all
                           : arena_printf(a, "%s, in %s %s", all, figures_count(a, f->n_cases),
                                          f->n_cases == 1 ? "case" : "cases");
}

/* A command that writes the bug down in a list of states, as open; "": it is no bug's. */
static const char *make_row_command(const struct report_finding *x, struct arena *a)
{
    bool const is_bug = x->group == GROUP_VIOLATION || x->group == GROUP_FLAKY;
    if (!is_bug || x->n_members == 0 || !x->target || !x->target->name || !x->raw->core) {
        return "";
    }
    return arena_printf(a, "printf '%%s\\t%%s\\topen\\t\\n' %s %s >>states.tsv",
                        printable_quote(a, x->target->name), printable_quote(a, x->raw->core));
}

static const char *expected_text(const struct expected_failure *row, struct arena *a)
{
    if (!row) {
        return "";
    }
    if (!row->expires[0]) {
        return arena_printf(a, "line %d: %s", row->line, row->note);
    }
    return arena_printf(a, "line %d, until %s: %s", row->line, row->expires, row->note);
}

/* Add the facts of a finding that are shown at once: what, where, how surely, and by which rule. make_facts
 * adds what is folded away. */
static void add_brief(struct fact_list *b, const struct report_finding *x, struct arena *a)
{
    const struct campaign_finding *const f = x->raw;
    int const clause = clause_find(f->clause ? f->clause : "");
    int const kind = verdict_find(f->verdict ? f->verdict : "");
    fact_list_add_text(b, "found", say(x, f->text, a));
    fact_list_add(b, "verdict",
                  kind < 0 ? f->verdict
                           : arena_printf(a, "%s: %s", verdict_rows[kind].name,
                                          say(x, verdict_rows[kind].text, a)),
                  LOOK_TEXT, report_groups[x->group].tone);
    fact_list_add_text(b, "target", x->target ? x->target->name : "not in the journal");
    fact_list_add(b, "against the baseline", baseline_names[f->baseline], LOOK_TEXT,
                  f->baseline == BASELINE_NEW ? TONE_BAD : TONE_PLAIN);
    fact_list_add(b, "known", expected_text(f->expected, a), LOOK_TEXT, TONE_MUTED);
    if (f->triage) {
        add_triage(b, x, a);
    }
    fact_list_add(b, "operands", f->operands, LOOK_CODE, TONE_PLAIN);
    fact_list_add(b, "result", f->got, LOOK_CODE, report_groups[x->group].tone);
    fact_list_add(b, "permitted", f->permitted, LOOK_CODE, TONE_PLAIN);
    if (clause >= 0) {
        fact_list_add_text(b, "rule", x->rule);
        fact_list_add_text(
            b, "clause",
            arena_printf(a, "%s [%s]", clause_rows[clause].code, clause_rows[clause].id));
    } else {
        fact_list_add_text(b, "clause", f->clause);
    }
}

/* Make the facts of a finding, the brief ones first, x->n_brief of them. 0: the arena is full. */
static int make_facts(struct report_finding *x, struct arena *a)
{
    const struct campaign_finding *const f = x->raw;
    int const clause = clause_find(f->clause ? f->clause : "");
    struct fact_list b;
    x->rule = clause < 0 ? "" : say(x, clause_rows[clause].text, a);
    if (!fact_list_open(&b, a)) {
        return 0;
    }
    add_brief(&b, x, a);
    x->n_brief = b.n;
    fact_list_add(&b, "signature", f->signature, LOOK_CODE, TONE_PLAIN);
    fact_list_add(&b, "instruction", or_nothing(f->instruction), LOOK_CODE, TONE_PLAIN);
    fact_list_add_text(&b, "type", or_nothing(f->type));
    fact_list_add_text(&b, "storage, or scope and operation", or_nothing(f->storage));
    if (f->kernel && f->kernel[0]) {
        fact_list_add_text(&b, "kernel of the case", f->kernel);
    }
    fact_list_add_text(&b, "class of the case", or_nothing(f->class));
    fact_list_add_text(&b, "seen", seen_text(x, a));
    fact_list_add(&b, "to run it again", f->replay, LOOK_CODE, TONE_PLAIN);
    fact_list_add(&b, "to write it down as open", make_row_command(x, a), LOOK_CODE, TONE_PLAIN);
    fact_list_add(&b, "crash frames", f->crash_signature, LOOK_BLOCK, TONE_PLAIN);
    fact_list_add(&b, "log", f->log, LOOK_BLOCK, TONE_PLAIN);
    x->facts = fact_list_close(&b);
    return 1;
}

/* ---- order and buckets ---- */

/* The finding that names the bucket of `f`: itself where the campaign names none that can be. */
static const struct campaign_finding *head_of(const struct campaign *c,
                                              const struct campaign_finding *f)
{
    const struct campaign_finding *const head =
        f->bucket < c->n_findings ? &c->findings[f->bucket] : f;
    int const is_head = head->bucket == f->bucket && head == &c->findings[f->bucket];
    return is_head && head->target_id == f->target_id && report_group_of(head) == report_group_of(f)
               ? head
               : f;
}

static enum report_group group_of(const struct campaign_finding *head)
{
    enum report_group const g = report_group_of(head);
    if (g == GROUP_VIOLATION && (head->expected || campaign_is_closed(head))) {
        return GROUP_SUPPRESSED;
    }
    return g == GROUP_VIOLATION && head->triage && head->triage->is_flaky ? GROUP_FLAKY : g;
}

/* A finding with what it is sorted by. */
struct sorted_finding {
    enum report_group group;
    const struct campaign_finding *raw, *head;
};

static int compare_numbers(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

/* The order of findings in a report: by group, then by bug (campaign_compare_bugs), and in a bucket the finding that names it (head)
 * before the others. */
static int compare_findings(const void *p, const void *q)
{
    const struct sorted_finding *const x = p, *const y = q;
    int const differences[] = {
        compare_numbers(x->group, y->group),       campaign_compare_bugs(x->head, y->head),
        (x->head > y->head) - (x->head < y->head), (y->raw == y->head) - (x->raw == x->head),
        compare_numbers(x->raw->id, y->raw->id),
    };
    for (size_t i = 0; i < ARRAY_N(differences); i++) {
        if (differences[i] != 0) {
            return differences[i];
        }
    }
    return 0;
}

static struct sorted_finding *sort_findings(const struct campaign *c, struct arena *a)
{
    struct sorted_finding *const at =
        ARENA_NEW(a, struct sorted_finding, (size_t)c->n_findings + 1);
    for (uint32_t i = 0; at && i < c->n_findings; i++) {
        const struct campaign_finding *const head = head_of(c, &c->findings[i]);
        at[i] =
            (struct sorted_finding){.group = group_of(head), .raw = &c->findings[i], .head = head};
    }
    if (at) {
        qsort(at, c->n_findings, sizeof at[0], compare_findings);
    }
    return at;
}

/* What only the first of a bucket has. */
static int make_head(struct report_view *v, struct report_finding *x, struct arena *a)
{
    const struct campaign_triage *const t = x->raw->triage;
    v->n_buckets[x->group]++;
    if (!t) {
        return 1;
    }
    x->folder =
        arena_printf(a, "bugs/%s", bug_name(x->target ? x->target->name : "unknown", x->raw, a));
    return make_where(&x->where, t, x->target ? x->target->name : "", x->raw->verdict, a);
}

/* Make v->findings in the order of the report, with facts and tables. As the members of a bucket follow its
 * head, the finding that names it, each takes the head of the one before. 0: the arena is full. */
int report_findings_make(struct report_view *v, struct arena *a)
{
    const struct campaign *const c = v->c;
    struct sorted_finding *const at = sort_findings(c, a);
    v->n_findings = c->n_findings;
    v->findings = ARENA_NEW(a, struct report_finding, (size_t)c->n_findings + 1);
    if (!at || !v->findings) {
        return 0;
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        struct report_finding *const x = &v->findings[i];
        int const is_head = at[i].raw == at[i].head;
        *x = (struct report_finding){.group = at[i].group,
                                     .raw = at[i].raw,
                                     .target = report_find_target(c, at[i].raw->target_id, NULL),
                                     .head = is_head ? i : v->findings[i - 1].head};
        struct report_finding *const head = &v->findings[x->head];
        head->n_members++;
        head->n_all = figures_sum(head->n_all, x->raw->n_in_bucket);
        if (is_head && !make_head(v, x, a)) {
            return 0;
        }
    }
    for (uint32_t i = 0; i < c->n_findings; i++) {
        if (!make_facts(&v->findings[i], a)) {
            return 0;
        }
    }
    return 1;
}

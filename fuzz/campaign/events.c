/* fuzz/campaign/events.c -- what a campaign tells while it runs: lines for people, or JSON. */
#include "fuzz/campaign/events.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/printable.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/io/json.h"
#include "fuzz/journal/journal.h"
#include "oracle/tables/tables.h"

#define SECOND_NS UINT64_C(1000000000)

/* Consumes the object. A reader that went away shows at the campaign's end, not here. */
static void print_event(struct json *event)
{
    struct err ignored;
    (void)!json_print(event, JSON_LINE, stdout, &ignored);
    json_free(event);
}

void events_put_target(const struct target_runner *l, const char *what, const char *text)
{
    if (l->options->is_json) {
        struct json *event = json_new_object();
        json_put_text(event, "event", "target");
        json_put_text(event, "target", l->target->name);
        json_put_text(event, "what", what);
        json_put_text(event, "text", text);
        print_event(event);
    }
    if (!l->options->is_quiet) {
        printable_print(stderr, "%s: %s%s%.400s\n", l->target->name, what, text[0] ? ": " : "",
                        text);
    }
}

void events_put_finding(const struct target_runner *l, const struct run *r, const struct finding *f,
                        const char *signature)
{
    if (!l->options->is_json) {
        return;
    }
    struct json *event = json_new_object();
    json_put_text(event, "event", "finding");
    json_put_text(event, "target", l->target->name);
    json_put_number(event, "case", r->index);
    json_put_text(event, "verdict", verdict_rows[f->kind].name);
    json_put_bool(event, "violation", verdict_rows[f->kind].part == PART_VIOLATION);
    json_put_text(event, "clause", clause_rows[f->clause].id);
    json_put_text(event, "signature", signature);
    json_put_text(event, "text", f->text);
    print_event(event);
}

/* Print one line of JSON that says how far the campaign is: {"event":"progress", counts, "targets":[...]}.
 * before_runs[i]: runs of target i in this session when the last line was printed, `seconds` ago; from these
 * come the rates. left_ns 0: the campaign has no end in time. */
static void put_json_progress(const struct target_runner *runners, uint32_t n_runners,
                              const uint64_t *before_runs, double seconds, uint64_t left_ns,
                              uint64_t n_violations)
{
    struct json *event = json_new_object();
    json_put_text(event, "event", "progress");
    json_put_number(event, "findings", n_violations);
    if (n_runners) {
        struct corpus_figures const figures = corpus_get_figures(runners[0].corpus);
        json_put_number(event, "features", figures.n_cells);
        json_put_number(event, "tapes", figures.n_tapes);
        json_put_number(event, "mutated", figures.n_mutated);
    }
    if (left_ns) {
        json_put_number(event, "left_s", left_ns / SECOND_NS);
    }
    struct json *list = json_new_array();
    for (uint32_t i = 0; i < n_runners; i++) {
        struct json *row = json_new_object();
        json_put_text(row, "target", runners[i].target->name);
        json_put_number(row, "cases", runners[i].n_runs);
        json_put_number(row, "skipped", runners[i].n_skipped);
        json_put_real(row, "cases_per_s",
                      (double)(runners[i].n_session - before_runs[i]) / seconds);
        json_put_number(row, "findings", runners[i].n_violations);
        json_push(list, row);
    }
    json_put(event, "targets", list);
    print_event(event);
}

static uint64_t count_buckets(struct journal *j)
{
    uint64_t n = 0;
    for (int v = 0; v < VERDICT_N; v++) {
        if (verdict_rows[v].part == PART_VIOLATION) {
            n += journal_count_buckets(j, verdict_rows[v].name);
        }
    }
    return n;
}

/* The same for people, on standard error: "NAME 500 (40/s), NAME 20 (2/s); 3 findings in 2 buckets; 900
 * features; 50 s left". before_runs[i]: runs of target i in this session when the last line was printed,
 * `seconds` ago. */
static void print_progress(const struct target_runner *runners, uint32_t n_runners,
                           const uint64_t *before_runs, double seconds, uint64_t left_ns,
                           uint64_t n_violations)
{
    uint64_t const n_buckets = n_runners ? count_buckets(runners[0].journal) : 0;
    for (uint32_t i = 0; i < n_runners; i++) {
        printable_print(stderr, "%s%s %" PRIu64 " (%.0f/s)", i ? ", " : "", runners[i].target->name,
                        runners[i].n_runs,
                        (double)(runners[i].n_session - before_runs[i]) / seconds);
    }
    printable_print(stderr, "; %" PRIu64 " findings in %" PRIu64 " buckets", n_violations,
                    n_buckets);
    if (n_runners) {
        printable_print(stderr, "; %" PRIu32 " features",
                        corpus_get_figures(runners[0].corpus).n_cells);
    }
    if (left_ns) {
        printable_print(stderr, "; %" PRIu64 " s left", left_ns / SECOND_NS);
    }
    (void)fputc('\n', stderr);
}

void events_put_progress(const struct sched_options *o, const struct target_runner *runners,
                         uint32_t n_runners, const uint64_t *before_runs, uint64_t interval_ns,
                         uint64_t left_ns)
{
    double const seconds = (double)interval_ns / 1e9;
    uint64_t n_violations = 0;
    for (uint32_t i = 0; i < n_runners; i++) {
        n_violations += runners[i].n_violations;
    }
    if (o->is_json) {
        put_json_progress(runners, n_runners, before_runs, seconds, left_ns, n_violations);
    }
    if (!o->is_quiet) {
        print_progress(runners, n_runners, before_runs, seconds, left_ns, n_violations);
    }
}

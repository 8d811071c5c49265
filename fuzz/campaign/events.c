/* fuzz/campaign/events.c -- what a campaign reports while it runs: lines for people, or JSON. */
#include "fuzz/campaign/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/campaign/corpus.h"
#include "fuzz/io/json.h"
#include "fuzz/journal/journal.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"
#include "oracle/tables/tables.h"

#define SECOND_NS UINT64_C(1000000000)
enum {
    TEXT_BYTES = 64,  /* of one part of a line */
    EACH_BYTES = 1024 /* of that with all targets */
};

/* Consumes the object. A reader that went away shows at the campaign's end, not here. */
static void print_event(struct json *event)
{
    struct err ignored;
    (void)!json_print(event, JSON_LINE, stdout, &ignored);
    json_free(event);
}

static void put_target_json(const struct target_runner *l, const char *what, const char *text)
{
    if (l->options->is_json) {
        struct json *event = json_new_object();
        json_put_text(event, "event", "target");
        json_put_text(event, "target", l->target->name);
        json_put_text(event, "what", what);
        json_put_text(event, "text", text);
        print_event(event);
    }
}

void events_put_target(const struct target_runner *l, const char *what, const char *text)
{
    put_target_json(l, what, text);
    progress_say(l->options->progress, "%s: %s%s%.400s", l->target->name, what, text[0] ? ": " : "",
                 text);
}

void events_put_loss(const struct target_runner *l, const char *what, const char *text)
{
    put_target_json(l, what, text);
    progress_warn(l->options->progress, "%s: %s%s%.400s", l->target->name, what,
                  text[0] ? ": " : "", text);
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

/* Print one line of JSON that says how far the campaign is: {"event":"progress", counts, "targets":[...]}. Rates
 * are those since the last such line. left_ns is 0 if the campaign has no end in time. */
static void put_json_progress(struct events *v, const struct target_runner *runners,
                              uint32_t n_runners, uint64_t left_ns, uint64_t n_violations)
{
    uint64_t const now = child_now_ns();
    double const seconds = (double)(now - v->json_ns) / 1e9;
    struct json *event = json_new_object();
    json_put_text(event, "event", "progress");
    json_put_number(event, "findings", n_violations);
    json_put_number(event, "bugs", v->count.n_bugs);
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
        const struct target_runner *const runner = &runners[i];
        uint64_t const n_since = runner->n_session - v->json_runs[i]; /* runs since the last line */
        struct json *row = json_new_object();
        json_put_text(row, "target", runner->target->name);
        json_put_number(row, "cases", runner->n_runs);
        json_put_number(row, "skipped", runner->n_skipped);
        json_put_real(row, "cases_per_s", (double)n_since / seconds);
        v->json_runs[i] = runner->n_session;
        json_put_number(row, "findings", runner->n_violations);
        json_push(list, row);
    }
    json_put(event, "targets", list);
    print_event(event);
    v->json_ns = now;
}

/* "3 bugs", and "last new 40 min ago". */
static void put_news(const struct events *v, char bugs[TEXT_BYTES], char news[TEXT_BYTES])
{
    char ago[PROGRESS_TIME_BYTES];
    (void)snprintf(bugs, TEXT_BYTES, "%" PRIu64 " bug%s", v->count.n_bugs,
                   v->count.n_bugs == 1 ? "" : "s");
    if (v->count.new_ns) {
        (void)snprintf(news, TEXT_BYTES, "last new %s ago",
                       progress_time(ago, child_now_ns() - v->count.new_ns));
    } else {
        (void)snprintf(news, TEXT_BYTES, "none new yet");
    }
}

/* Of each target: "NAME 500 (40/s), NAME 20 (2/s)"; and how many in all. */
static void put_rates(struct events *v, const struct target_runner *runners, uint32_t n_runners,
                      char *each, size_t n_bytes, char sum[TEXT_BYTES])
{
    uint64_t const now = child_now_ns();
    double const seconds = (double)(now - v->shown_ns) / 1e9;
    uint64_t n_all = 0, n_new = 0;
    each[0] = '\0';
    for (uint32_t i = 0; i < n_runners; i++) {
        uint64_t const n = runners[i].n_session - v->shown_runs[i];
        size_t const used = strlen(each);
        (void)snprintf(each + used, n_bytes - used, "%s%s %" PRIu64 " (%.0f/s)", i ? ", " : "",
                       runners[i].target->name, runners[i].n_runs, (double)n / seconds);
        n_all += runners[i].n_runs;
        n_new += n;
        v->shown_runs[i] = runners[i].n_session;
    }
    v->shown_ns = now;
    (void)snprintf(sum, TEXT_BYTES, "%" PRIu64 " cases (%.0f/s)", n_all, (double)n_new / seconds);
}

/* The same for people: "12 min left; 3 bugs; last new 40 s ago; 520 cases (42/s); 900 features; NAME 500
 * (40/s), NAME 20 (2/s)". */
static void show_progress(struct events *v, const struct sched_options *o,
                          const struct target_runner *runners, uint32_t n_runners, uint64_t left_ns)
{
    char time[PROGRESS_TIME_BYTES], left[TEXT_BYTES], bugs[TEXT_BYTES], news[TEXT_BYTES];
    char sum[TEXT_BYTES], features[TEXT_BYTES], each[EACH_BYTES];
    if (!progress_is_due(o->progress)) {
        return;
    }
    uint64_t const ns = left_ns ? left_ns : child_now_ns() - o->progress->begun_ns;
    (void)snprintf(left, sizeof left, "%s%s", progress_time(time, ns), left_ns ? " left" : "");
    put_news(v, bugs, news);
    put_rates(v, runners, n_runners, each, sizeof each, sum);
    (void)snprintf(features, sizeof features, "%" PRIu32 " features",
                   n_runners ? corpus_get_figures(runners[0].corpus).n_cells : 0);
    const char *const parts[] = {left, bugs, news, sum, features, n_runners > 1 ? each : ""};
    progress_show(o->progress, parts, ARRAY_N(parts));
}

/* Is there somebody to tell? To count bugs loads the journal, so a quiet campaign does not count them. */
static bool is_told(const struct sched_options *o)
{
    return o->is_json || o->progress;
}

void events_begin(struct events *v, const struct sched_options *o, struct journal *j)
{
    uint64_t const now = child_now_ns();
    *v = (struct events){.json_ns = now, .shown_ns = now};
    if (is_told(o)) {
        campaign_count_again(&v->count, j, o->known);
    }
}

void events_put_progress(struct events *v, const struct sched_options *o,
                         const struct target_runner *runners, uint32_t n_runners, uint64_t left_ns)
{
    uint64_t n_violations = 0;
    if (n_runners && is_told(o)) {
        campaign_count_again(&v->count, runners[0].journal, o->known);
    }
    for (uint32_t i = 0; i < n_runners; i++) {
        n_violations += runners[i].n_violations;
    }
    if (o->is_json) {
        put_json_progress(v, runners, n_runners, left_ns, n_violations);
    }
    show_progress(v, o, runners, n_runners, left_ns);
}

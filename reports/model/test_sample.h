/* reports/model/test_sample.h -- for the tests: a campaign with one row of everything, and its report. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "reports/write/report.h"

/* A campaign with one row of everything, each number another prime-like one. */
struct sample {
    struct campaign c;
    struct campaign_target targets[2];
    struct campaign_finding findings[3];
    struct campaign_coverage coverage[3];
    struct campaign_cross cross[1];
    struct campaign_feature features[1];
};

static inline void sample_fill_finding(struct campaign_finding *f, int64_t id, const char *verdict,
                                       const char *text)
{
    *f = (struct campaign_finding){
        .id = id,
        .target_id = id % 2 + 1,
        .case_index = 700003,
        .verdict = verdict,
        .clause = text,
        .class = text,
        .signature = text,
        .op = text,
        .type = text,
        .storage = text,
        .permitted = text,
        .got = text,
        .operands = text,
        .text = text,
        .instruction = text,
        .log = text,
        .crash_signature = text,
        .replay = text,
        .n_in_bucket = 90001,
    };
}

/* Every foreign field is `text`. */
static inline void make_sample(struct sample *s, const char *text)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 2; i++) {
        s->targets[i] = (struct campaign_target){
            .id = i + 1,
            .name = text,
            .facts = text,
            .n_runs = 81001,
            .n_skipped = 82003,
            .n_judged = 8300007,
            .n_sharp = 8100007,
            .n_anything = 83009,
            .n_inconclusive = 84011,
            .n_bounded = 85009,
            .n_contended = 86011,
            .n_interleaved = 43013,
            .n_ordered = 60017,
            .n_reductions = 87011,
            .n_reductions_bounded = 8701,
            .n_partial = 88001,
            .n_unadvertised = 4021,
            .cases_per_s = 123.5,
            .n_profiles = 1,
            .profiles = {{.name = text, .n_runs = 80777}},
        };
        s->targets[i].n_verdict[VERDICT_OK] = 80021;
        s->targets[i].n_verdict[VERDICT_ULP] = 980;
    }
    sample_fill_finding(&s->findings[0], 3, "inconclusive", text);
    sample_fill_finding(&s->findings[1], 4, "divergence", text);
    sample_fill_finding(&s->findings[2], 5, "ulp", text);
    for (int i = 0; i < 3; i++) {
        static const char *const outcome[] = {"run", "not supported", "rejected"};
        s->coverage[i] = (struct campaign_coverage){.target_id = 1 + i % 2,
                                                    .op = text,
                                                    .type = text,
                                                    .storage = text,
                                                    .outcome = outcome[i],
                                                    .n = 770001,
                                                    .n_sharp = 760001,
                                                    .n_anything = 3};
    }
    s->cross[0] = (struct campaign_cross){.op = text,
                                          .target_a = text,
                                          .target_b = text,
                                          .n_cases = 55001,
                                          .example_case = 55003,
                                          .replay = text};
    s->features[0] = (struct campaign_feature){.target_id = 2,
                                               .feature = text,
                                               .n_accepted = 61001,
                                               .n_rejected = 62003,
                                               .n_crashed = 63029,
                                               .n_wrong = 64007};
    s->c = (struct campaign){
        .plan = {.profile = text, .seed = UINT64_MAX, .gen_version = 7, .targets = text},
        .folder = text,
        .started = text,
        .generator = text,
        .mpfr_version = text,
        .wall_ns = 61234000000,
        .harness_cpu_ns = 1000000000,
        .worker_cpu_ns = 9000000000,
        .n_cases = 99991,
        .n_targets = 2,
        .n_findings = 3,
        .n_coverage = 3,
        .n_cross = 1,
        .n_features = 1,
        .features = s->features,
        .targets = s->targets,
        .findings = s->findings,
        .coverage = s->coverage,
        .cross = s->cross,
    };
}

static inline size_t count_text(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, part)) != NULL; p += strlen(part)) {
        n++;
    }
    return n;
}

/* The report as a string of malloc. */
static inline char *write_report(enum report_format format, const struct campaign *c)
{
    char *text = NULL;
    size_t n = 0;
    struct err e = {.text = ""};
    FILE *const f = open_memstream(&text, &n);
    assert_non_null(f);
    if (report_write(format, c, f, &e) != RES_OK) {
        fail_msg("%s: %s", report_format_names[format], e.text);
    }
    (void)fclose(f);
    assert_true(n > 0 && strlen(text) == n); /* no NUL inside */
    return text;
}

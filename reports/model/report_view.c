/* reports/model/report_view.c -- what a report shows: its parts, and how they are named. */
#include "reports/model/report_view.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/testcase.h"
#include "oracle/tables/tables.h"

/* What stands below the title of each group. */
static const char violation_note[] =
    "A rule of a specification forbids the observed behaviour. Each violation names its rule.";
static const char flaky_note[] = "Violations that some runs of the same case did not show.";
static const char suppressed_note[] = "Each of these matches a row of the list of known bugs.";
static const char divergence_note[] =
    "These results are unusual, but no rule forbids them on this target. They are not bugs.";
static const char unadvertised_note[] = "These cases ran because of --unadvertised. The target "
                                        "does not claim to support their features.";
static const char info_note[] =
    "These runs prove no bug: a budget ran out, only a bound could be checked, the program is "
    "undefined, or the driver ran a case that it may refuse.";

const struct report_group_row report_groups[REPORT_GROUP_N] = {
    [GROUP_VIOLATION] = {"violations",  "Violations",                                     violation_note,    "violation",   TONE_BAD },
    [GROUP_FLAKY] = {"flaky",       "Flaky violations",                               flaky_note,        "flaky",       TONE_BAD },
    [GROUP_SUPPRESSED] = {"suppressed",  "Known violations",                               suppressed_note,   "suppressed",
                         TONE_MUTED                                                                                                  },
    [GROUP_DIVERGENCE] = {"divergences", "Divergences",                                    divergence_note,   "divergence",  TONE_INFO},
    [GROUP_UNADVERTISED] = {"unlisted",
                         "Findings in cases with features that the target does not list", unadvertised_note, "not listed",  TONE_INFO},
    [GROUP_INFO] = {"undecided",   "Inconclusive and other information",             info_note,         "information",
                         TONE_MUTED                                                                                                  },
};

const struct campaign_target *report_find_target(const struct campaign *c, int64_t id,
                                                 uint32_t *out_index)
{
    for (uint32_t i = 0; i < c->n_targets; i++) {
        if (c->targets[i].id == id) {
            if (out_index) {
                *out_index = i;
            }
            return &c->targets[i];
        }
    }
    return NULL;
}

enum report_group report_group_of(const struct campaign_finding *f)
{
    int const kind = verdict_find(f->verdict ? f->verdict : "");
    if (f->class && strcmp(f->class, case_class_names[CLASS_UNADVERTISED]) == 0) {
        return GROUP_UNADVERTISED;
    }
    if (kind < 0) {
        return GROUP_VIOLATION;
    }
    switch (verdict_rows[kind].part) {
    case PART_VIOLATION:
        return GROUP_VIOLATION;
    case PART_OK:
    case PART_INFO:
        return kind == VERDICT_DIVERGENCE ? GROUP_DIVERGENCE : GROUP_INFO;
    }
    assert(0 && "verdict_part out of range");
    return GROUP_VIOLATION;
}

const char *report_get_name(const char *signature, struct arena *a)
{
    const char *name = "";
    for (const char *p = signature ? signature : ""; *p;) {
        size_t const n = strcspn(p, " ");
        if (n > 0 && !(n == 1 && p[0] == '-')) {
            name = arena_printf(a, "%s%s%.*s", name, name[0] ? " " : "", (int)n, p);
        }
        p += n + (p[n] == ' ');
    }
    return name;
}

const char *report_reliability(const struct campaign_triage *t, struct arena *a)
{
    if (!t) {
        return "not run again";
    }
    const char *const alone =
        arena_printf(a, "%" PRIu32 " of %" PRIu32 " runs in fresh workers", t->n_shown, t->n_runs);
    return t->n_loaded_runs == 0
               ? alone
               : arena_printf(a, "%s, %" PRIu32 " of %" PRIu32 " on a loaded machine", alone,
                              t->n_loaded_shown, t->n_loaded_runs);
}

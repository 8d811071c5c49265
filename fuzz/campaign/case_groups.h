/* fuzz/campaign/case_groups.h -- groups of targets that list much the same: each case of a campaign is drawn for one
 * group, among the needs that all of its targets list. */
#pragma once

#include "base/testcase.h"
#include "fuzz/targets/targets.h"

/*
 * Targets are put into groups in their order. A target joins the first group of its API in which the needs that all targets
 * list, this target among them, are at least SHARED_PERCENT of the needs that each target lists. A target that can join no
 * group begins a new one. A hash of its index deals a case to a group, CASE_GROUPS_TURN cases in a row to the same group, so
 * that shards and a resumed campaign agree. The journal has the groups as text, a line for each: names of targets, a tab, the
 * needs of their API that a case must not have.
 */
enum {
    CASE_GROUPS_SHARED_PERCENT = 90,
    CASE_GROUPS_LENT = 4, /* one in so many cases of another group is also run */
    CASE_GROUPS_TURN =
        16 /* cases in a row that are of one group: as many as profiles take turns in (sched_case.h) */
};
#define CASE_GROUPS_NOTE "case_groups" /* of the journal */

struct case_group {
    struct needs allowed;
    enum env env;
    uint32_t n_targets;
    const char *targets[TARGETS_MAX];
};
struct case_groups {
    uint32_t n; /* 0: all cases are for all, and all needs are allowed */
    struct case_group group[TARGETS_MAX];
};
/* What is known of a target. */
struct case_groups_target {
    const char *name;
    enum env env;
    struct needs allowed;
};
void case_groups_make(struct case_groups *out, const struct case_groups_target *t, uint32_t n);
/* The group of case `index`; NULL: there are no groups. */
const struct case_group *case_groups_find(const struct case_groups *g, uint64_t index);
/* The API that case `index` is drawn for: that of its group; without groups both by turns, as of simulated targets. */
enum env case_groups_get_env(const struct case_groups *g, uint64_t index);
/* Should the target, which lists `allowed`, run case `index`? Yes, if the case was drawn for the target's group, or if there
 * are no groups. Yes for one in CASE_GROUPS_LENT cases of other groups, if the target lists every need of that group: these
 * cases compare targets of two groups. A target without a group (a simulated one that is given modules, or one that started
 * after the groups were made) runs all cases. */
bool case_groups_is_for(const struct case_groups *g, uint64_t index, const char *target,
                        const struct needs *allowed);
/* How many needs of its API the cases of a group may have, or may not have. */
uint32_t case_groups_count(const struct case_group *g, bool is_allowed);
/* As text in the arena, and back. The text is cut where a->is_full is set. RES_FORMAT: it is no such text. */
const char *case_groups_print(const struct case_groups *g, struct arena *a);
MUST_USE enum res case_groups_parse(struct case_groups *out, const char *text, struct arena *a,
                                    struct err *e);

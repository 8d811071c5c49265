/* fuzz/campaign/case_groups.h -- groups of targets that list much the same: each case of a campaign is drawn for one
 * group, among the needs that all of its targets list. */
#pragma once

#include "base/testcase.h"
#include "fuzz/targets/targets.h"

/*
 * Targets are put into groups in their order: into the first group of their API in which what all list together, with
 * them, is at least SHARED_PERCENT of what each of them lists by itself, else into a new one. Cases are dealt to the groups
 * by a hash of their index, CASE_GROUPS_TURN in a row, so that shards and a resumed campaign agree. The groups stand in the journal as text, a line
 * each: names of targets, a tab, the needs of their API that a case must not have.
 */
enum {
    CASE_GROUPS_SHARED_PERCENT = 90,
    CASE_GROUPS_LENT = 4,
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
/* Is case `index` for that target, which lists `allowed`? So it is where its group is the target's, and one in
 * CASE_GROUPS_LENT of others where the target lists all that cases of the group may have: results of targets of two groups
 * are compared by these. A simulated target that is given modules and one that was not there when groups were made are in no group: they are
 * given all cases. */
bool case_groups_is_for(const struct case_groups *g, uint64_t index, const char *target,
                        const struct needs *allowed);
/* How many needs of its API the cases of a group may have, or may not have. */
uint32_t case_groups_count(const struct case_group *g, bool is_allowed);
/* As text, and back. RES_FORMAT: it is no such text. */
const char *case_groups_print(const struct case_groups *g, struct arena *a);
MUST_USE enum res case_groups_parse(struct case_groups *out, const char *text, struct arena *a,
                                    struct err *e);

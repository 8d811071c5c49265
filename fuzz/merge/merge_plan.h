/* fuzz/merge/merge_plan.h -- which part of a campaign is taken from which journal, and whether they fit together. */
#pragma once

#include "fuzz/journal/journal.h"

/* A part as a journal has it. */
struct merge_part {
    uint32_t in; /* 1 + the place of its journal in merge_plan.in; 0: no journal has it */
    uint64_t n_done, wall_ns;
    const char *started; /* when it was begun */
};
/* A target of the result; its id is its place, from 1, by name. */
struct merge_target {
    const char *name, *facts; /* facts: "" where no worker of it ever started */
    const char *folder;       /* whose facts these are */
};
struct merge_plan {
    const char *const *in; /* folders */
    uint32_t n;
    struct arena *arena;
    struct campaign_plan campaign; /* of all; max_cases and max_ns: the largest */
    const char *mutate;            /* the notes that all have alike */
    const char *layout;
    const char *groups;       /* of targets that cases are drawn for */
    const char *first;        /* the folder whose these are */
    uint32_t n_shards;        /* at least 1 */
    struct merge_part *parts; /* [n_shards] */
    uint32_t n_targets;
    struct merge_target targets[JOURNAL_MAX_TARGETS];
};
/* Look at each folder: `in`, n, arena are the caller's. Each journal is looked at as a whole, as journal_open does.
 * RES_USAGE, RES_FORMAT as merge_folders. */
MUST_USE enum res merge_plan_make(struct merge_plan *p, struct err *e);
/* Does the result take any part, or this one, from that folder? */
bool merge_plan_takes_any(const struct merge_plan *p, uint32_t in);
bool merge_plan_takes(const struct merge_plan *p, uint32_t in, uint64_t case_index);
/* The id of a target in the result; 0: it has none of that name. */
uint32_t merge_plan_find_target(const struct merge_plan *p, const char *name);

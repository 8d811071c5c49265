/* fuzz/campaign/campaign.h -- what the commands that run campaigns share: begin or go on, and tell what came. */
#pragma once

#include <stdio.h>

#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal.h"
#include "fuzz/targets/targets.h"
#include "gen/case/gen.h"

/* What the plan says of the cases of a campaign of the user's own kernels (struct campaign_plan). folder NULL or "": cases are generated. */
struct campaign_modules {
    const char *folder, *options, *hash, *list;
};
/* What the command line said, and after campaign_open what is to be done. */
struct campaign_options {
    const char *folder; /* NULL: named after the seed */
    const char *
        prefix; /* of such a name: "halfulp-run" gives halfulp-run-SEED, or halfulp-run-SEED-2-of-4 */
    const char *targets; /* names with commas between; NULL: all that are here */
    const char *ini;     /* the user's targets, or NULL */
    enum profile profile;
    uint64_t seed, max_cases, max_ns; /* 0: no limit */
    struct shard shard;
    struct campaign_modules modules; /* of a campaign that goes on: as it was begun */
    struct file_made *made;          /* gets the folder of a new campaign; NULL: nobody asks */
    int has_seed, has_cases, has_for, has_profile, has_shard, is_resume;
};

/*
 * Begin a campaign in its folder, or go on with the one that is there: then what the words leave open is
 * as it was begun, and of its time what is left (1 ns: nothing). The targets into list. The folder is this
 * process's until it ends (fuzz/journal/owner.h). RES_USAGE: it is another's, or holds a campaign already, or none,
 * or one of another seed, profile or shard; a shard is begun without a seed. RES_IO: no target is here.
 */
MUST_USE enum res campaign_open(struct campaign_options *options, struct target_list *list,
                                struct arena *a, struct journal **j, struct err *e);
/* Runs with a violation, runs, judged values, over all targets. */
struct campaign_sums {
    uint64_t n_found, n_runs, n_judged;
};
struct campaign_sums campaign_sum(const struct campaign *c);
/* A line per target, per bucket of violations, and per feature that a target does not list. */
void campaign_print(const struct campaign *c, FILE *f);

/* fuzz/cli/cmd_report_bugs.h -- a folder for each bug of a report. */
#pragma once

#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal.h"

struct bugs_options {
    const char *folder; /* the folders go below it */
    int is_trusted;     /* write also cases that this program neither made nor can vouch for */
    const struct campaign *before; /* the campaign before it was looked into just now, so that what
                                    * this process reduced need not be asked for again; or NULL */
};

/* A folder for each bucket of violations that was looked into; *n is their
 * number. It holds a program that whoever gets it runs: a case that may not be run here
 * (fuzz/trial/trust.h) gets none, and *n_refused grows. One that cannot be made is told on standard error,
 * the others are made. */
MUST_USE enum res cmd_report_bugs_write(struct journal *j, const struct campaign *c,
                                        const struct bugs_options *o, uint32_t *n,
                                        uint32_t *n_refused, struct err *e);
/* Set the title of each finding that names a bucket of violations, the one that its folder has; in `a`. NULL stays where
 * its case is not kept or cannot be judged, and after the first 512. Nothing is run. */
void cmd_report_bugs_set_titles(struct journal *j, struct campaign *c, struct arena *a);

/* A case that was run outside of a campaign. */
struct bugs_case {
    const char *target, *generator; /* "intel-cpu", "halfulp 1, generator 7, MPFR 4.2.0" */
    const char *figures;            /* struct bug */
    const struct testcase *tc;
    const struct observation *ob;
    int64_t number; /* at the end of the folder's name */
};
/* Judge it, and write the folder of the first violation that it shows below `folder`. *path: its name, in `a`; NULL: it
 * shows none, and nothing is written. */
MUST_USE enum res cmd_report_bugs_write_case(const char *folder, const struct bugs_case *c,
                                             const char **path, struct arena *a, struct err *e);

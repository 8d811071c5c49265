/* fuzz/known/expected_failures.h -- findings that are expected: corpora/known.tsv, `report --suppress`. */
#pragma once

#include "fuzz/journal/journal_load.h"
#include "fuzz/known/known_bugs.h"

enum {
    EXPECTED_MAX_ROWS = 4096,
    EXPECTED_DATE_BYTES = 11 /* "YYYY-MM-DD" and its NUL */
};

/* target, version, signature, clause, note, and if it is to end the last day, separated by tabs; "#"
 * starts a comment line. A row of target NAME holds for NAME-c, the same driver given source text, and for
 * NAME:REWRITE, the same with a planted fault, too. version is text that the target's facts contain, or "*"; a signature that
 * ends in "*" stands for all that begin like it; clause is an id of clause.def.
 * A signature "known FAULT:instruction:type:storage" is a bug as a model: a row of faults.def and where the driver has it
 * (targets_read_plan). What it explains, of whatever clause, is its finding, and nothing else is. */
struct expected_failures {
    const char *path;
    uint32_t n;
    struct expected_failure *rows;
};

/* `today` is "YYYY-MM-DD": a row whose last day is before it is expired. RES_FORMAT names file and
 * line. */
MUST_USE enum res expected_failures_read(struct expected_failures *out, const char *path,
                                         const char *today, struct arena *a, struct err *e);
/* The row of a finding of a target with these facts, or NULL; counts it as seen. An expired row is
 * counted and never given. */
const struct expected_failure *expected_failures_find(struct expected_failures *k,
                                                      const char *target, const char *facts,
                                                      const char *signature, const char *clause);
/* The bugs of rows that are models, of a target with these facts. */
MUST_USE enum res expected_failures_list_bugs(const struct expected_failures *k, const char *target,
                                              const char *facts, struct known_bugs *out,
                                              struct arena *a, struct err *e);
/* Mark the findings of a campaign that rows fit, each by its own signature or by the one that names
 * its bucket, counting the rows anew. `c` borrows the rows. */
void expected_failures_mark(struct expected_failures *k, struct campaign *c);
/* Today by the clock, in UTC. */
void expected_failures_get_today(char out[EXPECTED_DATE_BYTES]);

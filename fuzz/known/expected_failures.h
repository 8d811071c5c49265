/* fuzz/known/expected_failures.h -- findings that are expected: corpora/known.tsv, `report --suppress`. */
#pragma once

#include "fuzz/journal/campaign_data.h"
#include "fuzz/known/known_bugs.h"

enum {
    EXPECTED_MAX_ROWS = 4096,
    EXPECTED_DATE_BYTES = 11 /* "YYYY-MM-DD" and its NUL */
};

/*
 * A row is a bug: targets, versions, signature, clause, note, and if it is to end the last day, separated by tabs; "#"
 * starts a comment line. targets are names with commas between; one of NAME holds for NAME-c too, the same driver given
 * source text, for NAME:REWRITE, the same with a planted fault, and for a target that its section says is like NAME. versions is a range (version_range.h); clause is the id of clause.def that the driver breaks.
 * A signature "known FAULT:instruction:type:storage" is a bug as a model: a row of faults.def or bugs.def and where the
 * driver has it (targets_read_plan). What it explains, of whatever clause, is its finding, and nothing else is. Any
 * other signature stands for all of its core, or with a condition behind it, "... where branch Group*" (known_shape.h), for what a
 * case has that fulfils it.
 * A line that begins with a tab is a further signature of the row before it: the same bug, seen in another way. Models of
 * one row have one name in findings, that of the first.
 */
struct expected_failures {
    const char *path;
    uint32_t n;
    struct expected_failure *rows;
};

/* `today` is "YYYY-MM-DD": a row whose last day is before it is expired. RES_FORMAT names file and
 * line. */
MUST_USE enum res expected_failures_read(struct expected_failures *out, const char *path,
                                         const char *today, struct arena *a, struct err *e);
/* Is the row about the target? NULL: of any version. */
bool expected_failures_is_about(const struct expected_failure *row, const char *target,
                                const char *facts);
/* The row of a finding of a target with these facts, or NULL; counts it as seen. An expired row is
 * counted and never given. */
const struct expected_failure *expected_failures_find(struct expected_failures *k,
                                                      const char *target, const char *facts,
                                                      const char *signature);
/* The bugs of rows that are models, of a target with these facts. */
MUST_USE enum res expected_failures_list_bugs(const struct expected_failures *k, const char *target,
                                              const char *facts, struct known_bugs *out,
                                              struct arena *a, struct err *e);
/* Mark the findings of a campaign that rows fit, each by its own signature or by what it is known as, counting the
 * rows anew. Those of one row become one bucket, and no other finding goes with them. `c` borrows the rows. */
MUST_USE enum res expected_failures_mark(struct expected_failures *k, struct campaign *c,
                                         struct arena *a, struct err *e);
/* Today by the clock, in UTC. */
void expected_failures_get_today(char out[EXPECTED_DATE_BYTES]);

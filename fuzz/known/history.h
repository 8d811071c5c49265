/* fuzz/known/history.h -- bugs over nights, as a file that each report goes on with: `report --history`. */
#pragma once

#include "fuzz/journal/campaign_data.h"

/*
 * A line is night, state, target, core of the signature, title, separated by tabs; "#" starts a comment. A night is the
 * time at which its campaign was started. Its first line has the state "night" and "-" for the rest, so that one without
 * a bug is there too. States of bugs are new, open (also met on an earlier night, or of a bug that is known), and fixed
 * (met on an earlier night, and its case, run again, passes). What a list of expected findings or a state sets aside is
 * "aside", and no part of the trend. Lines of one night are together, nights in order of time.
 */
struct history {
    const char *path;
    uint32_t n;
    struct history_line *lines;
};
struct history_line {
    const char *night, *state, *target, *core, *title;
};
/* A file that is not there yet is a history without nights. RES_FORMAT names file and line. */
MUST_USE enum res history_read(struct history *out, const char *path, struct arena *a,
                               struct err *e);
/* What the nights before the campaign had: sets `since` of each finding that names a bucket of violations, and the
 * campaign's nights with its own as the last one. After baseline, list of expected findings and states. */
MUST_USE enum res history_mark(const struct history *h, struct campaign *c, struct arena *a,
                               struct err *e);
/* The file anew with the campaign's night, in place of what it had of that. */
MUST_USE enum res history_write(const struct history *h, const struct campaign *c, struct arena *a,
                                struct err *e);

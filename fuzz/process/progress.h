/* fuzz/process/progress.h -- how far a long command is: a line drawn anew in its place on a terminal, one line a minute
 * in a log. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/base.h"

enum {
    PROGRESS_MAX_PARTS = 12,
    PROGRESS_TIME_BYTES = 32
};

/* One command's. All calls take NULL for a command that shall be quiet. */
struct progress {
    FILE *f;
    bool is_terminal;            /* that can draw a line anew: TERM is set and not "dumb" */
    bool is_drawn;               /* a line stands there, without its end */
    uint64_t begun_ns, shown_ns; /* shown_ns 0: nothing yet */
    uint32_t n_said, n_left_out; /* of progress_say in a log; left out since the last line */
    /* Stands before each line, "" for none: "bucket 7 of 20", and until when that will take, "about" or "at most". */
    const char *context, *context_word; /* borrowed */
    uint64_t context_end_ns;
};

void progress_open(struct progress *p, FILE *f);
/* Take the line away: what follows is printed by others. */
void progress_clear(struct progress *p);
/* Would progress_show print now? For callers whose figures take time. */
bool progress_is_due(const struct progress *p);
/*
 * How far it is, in n parts (at most PROGRESS_MAX_PARTS), the one that matters most first; "" parts are none. They are
 * joined by "; ". On a terminal those that do not fit the width are left out, at most four times a second; in a log the
 * line is whole, and comes once a minute.
 */
void progress_show(struct progress *p, const char *const *parts, size_t n);
/* A line that stays: an event. A log gets so many that it grows by no more than 100 lines an hour, the minutes' included;
 * how many are left out then is told by the next of these. One by progress_warn comes in any case. */
void progress_say(struct progress *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void progress_warn(struct progress *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* progress_say of parts as in progress_show: on a terminal those that do not fit its width are left out. */
void progress_say_parts(struct progress *p, const char *const *parts, size_t n);

/* A length of time as one would say it: "35 s", "12 min", "2 h 5 min", "3 d 4 h". Returns out. */
const char *progress_time(char out[PROGRESS_TIME_BYTES], uint64_t ns);

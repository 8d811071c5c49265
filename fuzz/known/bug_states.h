/* fuzz/known/bug_states.h -- how bugs stand, as people write it down: `report --states`. */
#pragma once

#include "fuzz/journal/campaign_data.h"

enum {
    BUG_STATES_MAX_ROWS = 4096
};

/*
 * A row is a bug: target, signature, state, note, separated by tabs; an empty line or one that begins with "#" says
 * nothing. target is as in a list of known bugs (expected_failures.h): names with commas between. A signature stands for
 * all of its core. The state is one of
 *   open               somebody has it in hand
 *   fixed in VERSION   gone from that version of the driver on: of an older one it is set aside, of that one or a newer
 *                      one it is back, and new again; so too where the driver does not tell its version
 *   duplicate of BUG   set aside, as BUG (any text) stands for it
 *   not seen           not met any more: where it is met it is back, and new again
 *   invalid            no bug of the driver: set aside
 */
struct bug_states {
    const char *path;
    uint32_t n;
    struct bug_state *rows;
};
/* RES_FORMAT names file and line, and says what would be right. */
MUST_USE enum res bug_states_read(struct bug_states *out, const char *path, struct arena *a,
                                  struct err *e);
/* Set state and is_back of each finding that names a bucket of violations, by the first row that fits, and count these.
 * `c` borrows the rows. */
void bug_states_mark(struct bug_states *s, struct campaign *c);

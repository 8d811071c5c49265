/* gen/tape/tape_needs.h -- the needs that the case of a tape may have, in the head of the tape's root: with them a tape
 * is a whole case by itself. */
#pragma once

#include "base/caps.h"
#include "gen/tape/tape.h"

/*
 * Records 1 to NEED_WORDS of the root's head have a bit for each need that is forbidden, in the order of caps.def; so a
 * tape of zeros allows all. No mutation and no reduction changes them. Bits mean another need where rows of caps.def come
 * or move: GEN_VERSION goes up then.
 */
enum {
    TAPE_NEEDS_AT = 1
};
_Static_assert(TAPE_NEEDS_AT + NEED_WORDS <= TAPE_HEAD_RECORDS, "the needs are in the root's head");

/* The allowed ones. */
struct needs tape_get_allowed(const struct tape *t);
/* *t becomes a copy of itself in the arena that allows those. RES_NOMEM. */
MUST_USE enum res tape_set_allowed(struct tape *t, const struct needs *allowed, struct arena *a,
                                   struct err *e);

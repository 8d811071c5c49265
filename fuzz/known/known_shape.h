/* fuzz/known/known_shape.h -- which cases a row of a list is about, by what they look like. */
#pragma once

#include "base/testcase.h"
#include "fuzz/known/pattern.h"

/*
 * A signature of a list may end in " where CONDITION": the row is then about findings of that signature in such cases alone.
 * CONDITION is words about the dispatch, then a pattern of the module (fuzz/known/pattern.h), either may be missing:
 *   uneven   the last work-groups are smaller than the others
 *   rows     a work-group has more than one row of invocations
 *   single   a work-group is one invocation
 *   sized    a sub-group size is required
 *   cut      the invocations of a work-group do not fill its sub-groups, of the required size or of 8
 * "mask EVERY_LANE - - - where branch Group*", "crash MUST_RUN run 7 code where sized".
 */
struct known_shape {
    const char *signature; /* what is before " where " */
    unsigned dispatch;     /* a bit for each word about the dispatch */
    struct pattern pattern;
};
/* Has the signature of a list a condition? */
bool known_shape_is(const char *signature);
/* Takes such a signature apart. RES_FORMAT names the word that is none. */
MUST_USE enum res known_shape_parse(const char *signature, struct known_shape *out, struct arena *a,
                                    struct err *e);
/* Does the condition hold of the case? */
bool known_shape_holds(const struct known_shape *s, const struct testcase *tc, struct arena *a);

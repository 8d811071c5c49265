/* fuzz/known/known_bugs.h -- bugs of a driver that are known as models: which findings are theirs, and which are new. */
#pragma once

#include "fuzz/known/known_shape.h"
#include "oracle/fault/faults.h"
#include "oracle/judgement/judgement.h"

/* What a driver does wrong, as a change of what is permitted, or as a signature in cases that look like something. */
struct known_bug {
    const char *
        name; /* "MINMAX_SWAPPED:AtomicFMinEXT:f32", as a finding names it; of a shape its signature with the condition */
    struct fault_plan plan;
    const struct known_shape *shape; /* NULL: a model, by its plan; else that alone */
};
struct known_bugs {
    uint32_t n;
    struct known_bug *bug;
};

/*
 * Judge a run with findings again, with what the bugs give permitted as well. What is found then is new; of each bug
 * that was needed one finding stays, named after it, the first that it explains. So nothing that follows from a
 * known bug is new, and nothing that no bug gives is taken for known. A value that is wrong with and without them is
 * found as without. *g, of judge_run, is changed in place, its
 * new strings in the arena. Where the run cannot be judged to its end with all of them, it is with those that explain
 * something by themselves; where not even so, it stays as it is. Then each finding that is left, also of a run that ended badly,
 * gets the name of the first shape whose signature it has, if the case is such a one.
 */
void known_bugs_explain(const struct known_bugs *known, const struct testcase *tc,
                        const struct observation *ob, struct judgement *g, struct arena *a);

/* oracle/explain/explain_note.h -- notes on results that a fault may have changed and that cannot be widened: bools
 * and integers, which control flow and indices depend on, and results of groups. The interpretation goes on with the
 * right value; when the result is observed, its note says whether the fault gives what was observed. */
#pragma once

#include "oracle/explain/hypothesis.h"

/* A component of a result that the fault may have changed, in one invocation. */
struct explain_note {
    uint32_t invocation, component;
    struct added added;
    struct explain_group
        *group; /* of a group instruction: says what the fault gives; else NULL, and `added` does */
    uint32_t participant;
    bool is_counted;
    struct explain_note *next;
};

/* Notes that the component, of which `right` is permitted, may also be one of n values of `bits`. false: the arena is full. */
bool explain_note_values(struct hypothesis *s, struct exec *x, uint32_t id, uint32_t invocation,
                         uint32_t component, struct val right, const uint64_t *bits, uint32_t n);
/* The newest note of the component; NULL: there is none. */
struct explain_note *explain_find_note(const struct hypothesis *s, uint32_t id, uint32_t invocation,
                                       uint32_t component);
/* The component of the note was observed to be `got`; is_permitted: that is right. Counts. true: the fault gives it. */
bool explain_see_note(struct hypothesis *s, struct exec *x, struct explain_note *note, uint64_t got,
                      bool is_permitted);
/* The run is judged: completes the counts of all hypotheses of the chain. */
void explain_finish(struct hypothesis *s);

/* oracle/explain/explain_note.h -- values that go on as if they were right, until it is seen what they were. */
#pragma once

#include "oracle/explain/hypothesis.h"

/* A component of a result that the fault may have changed, where its value goes on as if it were right: a
 * truth value or an integer steers what is done. Looked up once it is seen what it was. */
struct explain_note {
    uint32_t invocation, component;
    struct added added;
    struct explain_group *group; /* of a group instruction, instead; else NULL */
    uint32_t participant;
    bool is_counted;
    struct explain_note *next;
};

/* Notes that the component may also be n values of `bits`, where `right` is permitted. false: arena full. */
bool explain_note_values(struct hypothesis *s, struct exec *x, uint32_t id, uint32_t invocation,
                         uint32_t component, struct val right, const uint64_t *bits, uint32_t n);
/* The newest note of the component; NULL: there is none. */
struct explain_note *explain_find_note(const struct hypothesis *s, uint32_t id, uint32_t invocation,
                                       uint32_t component);
/* A component that has a note was seen to be `got`, which is permitted or not. Counts. true: the fault gives
 * it. */
bool explain_see_note(struct hypothesis *s, struct exec *x, struct explain_note *note, uint64_t got,
                      bool is_permitted);
/* The run is judged: counts what is counted as a whole. */
void explain_finish(struct hypothesis *s);

/* oracle/explain/explain_note.c -- notes on results that a fault may have changed and that cannot be widened. */
#include "oracle/explain/explain_note.h"

#include "oracle/explain/explain_group.h"
#include "oracle/fault/faults_atomic.h"
#include "oracle/interp/exec.h"

bool explain_note_values(struct hypothesis *s, struct exec *x, uint32_t id, uint32_t invocation,
                         uint32_t component, struct val right, const uint64_t *bits, uint32_t n)
{
    struct explain_note *note = ARENA_NEW(x->a, struct explain_note, 1);
    if (!note) {
        return exec_stop(x, "arena full");
    }
    *note = (struct explain_note){
        .invocation = invocation, .component = component, .next = s->notes[id]};
    hypothesis_list_added(s, x, right, bits, n, &note->added);
    s->notes[id] = note;
    return true;
}

struct explain_note *explain_find_note(const struct hypothesis *s, uint32_t id, uint32_t invocation,
                                       uint32_t component)
{
    struct explain_note *note = s->notes[id];
    while (note && (note->invocation != invocation || note->component != component)) {
        note = note->next;
    }
    return note;
}

bool explain_see_note(struct hypothesis *s, struct exec *x, struct explain_note *note, uint64_t got,
                      bool is_permitted)
{
    if (note->group) {
        return explain_group_see(s, x, note->group, note->participant, note->component, got,
                                 is_permitted);
    }
    bool const is_added = added_has(&note->added, got);
    if (!note->is_counted && note->added.n > 0) {
        s->n_sites++;
        s->n_kept += is_permitted && !is_added;
        s->n_taken += !is_permitted && is_added;
        s->n_free += !is_permitted && is_added ? hypothesis_count_bits(note->added.n) : 0;
    }
    note->is_counted = true;
    return is_added;
}

void explain_finish(struct hypothesis *s)
{
    for (; s; s = s->next) {
        /* no stray write was observed, so that the writes may be lost by another cause as well */
        if (fault_goes_astray(s->plan.id) && !s->is_hit) {
            s->n_free += HYPOTHESIS_OPEN_BITS * s->n_taken;
        }
        for (const struct explain_group *g = s->groups; g; g = explain_group_next(g)) {
            explain_group_count(s, g);
        }
    }
}

/* oracle/suspect/suspect_note.c -- values that go on as if they were right, until it is seen what they were. */
#include "oracle/suspect/suspect_note.h"

#include "oracle/fault/faults_atomic.h"
#include "oracle/interp/exec.h"
#include "oracle/suspect/suspect_group.h"

bool suspect_note_values(struct suspicion *s, struct exec *x, uint32_t id, uint32_t invocation,
                         uint32_t component, struct val right, const uint64_t *bits, uint32_t n)
{
    struct suspect_note *note = ARENA_NEW(x->a, struct suspect_note, 1);
    if (!note) {
        return exec_stop(x, "arena full");
    }
    *note = (struct suspect_note){
        .invocation = invocation, .component = component, .next = s->notes[id]};
    suspect_take_further(s, x, right, bits, n, &note->further);
    s->notes[id] = note;
    return true;
}

struct suspect_note *suspect_find_note(const struct suspicion *s, uint32_t id, uint32_t invocation,
                                       uint32_t component)
{
    struct suspect_note *note = s->notes[id];
    while (note && (note->invocation != invocation || note->component != component)) {
        note = note->next;
    }
    return note;
}

bool suspect_see(struct suspicion *s, struct exec *x, struct suspect_note *note, uint64_t got,
                 bool is_permitted)
{
    if (note->group) {
        return suspect_group_see(s, x, note->group, note->participant, note->component, got,
                                 is_permitted);
    }
    bool const is_further = further_has(&note->further, got);
    if (!note->is_counted && note->further.n > 0) {
        s->n_sites++;
        s->n_kept += is_permitted && !is_further;
        s->n_taken += !is_permitted && is_further;
        s->n_free += !is_permitted && is_further ? suspect_count_bits(note->further.n) : 0;
    }
    note->is_counted = true;
    return is_further;
}

void suspect_finish(struct suspicion *s)
{
    for (; s; s = s->next) {
        /* nothing shows where the writes went: they may as well be lost */
        if (fault_goes_astray(s->plan.id) && !s->is_hit) {
            s->n_free += SUSPECT_OPEN_BITS * s->n_taken;
        }
        for (const struct suspect_group *g = s->groups; g; g = suspect_group_next(g)) {
            suspect_group_count(s, g);
        }
    }
}

/* oracle/modorder/mo_job.c -- an order problem in the form that all stages work on. */
#include "oracle/modorder/mo_job.h"

#include <stdlib.h>

#include "base/format.h"

bool mo_take_arrays(struct arena *a, size_t n, uint32_t **const *array, size_t n_arrays)
{
    for (size_t i = 0; i < n_arrays; i++) {
        *array[i] = ARENA_NEW(a, uint32_t, n);
        if (!*array[i]) {
            return false;
        }
    }
    return true;
}

bool mo_numbering_make(struct mo_numbering *t, struct arena *a, uint32_t n_most)
{
    uint64_t n_slots = 16;
    while (n_slots < 2 * (uint64_t)n_most) {
        n_slots *= 2;
    }
    *t = (struct mo_numbering){.key = ARENA_NEW(a, uint64_t, (size_t)n_most + 1),
                               .slot = ARENA_NEW(a, uint32_t, n_slots),
                               .mask = n_slots - 1};
    return t->key && t->slot;
}

/* The slot that holds the key, or the empty one where it belongs. */
static uint32_t *find_slot(const struct mo_numbering *t, uint64_t key)
{
    uint64_t const product = key * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t i = product ^ product >> 29;
    while (t->slot[i & t->mask] != 0 && t->key[t->slot[i & t->mask] - 1] != key) {
        i++;
    }
    return &t->slot[i & t->mask];
}

uint32_t mo_numbering_find(const struct mo_numbering *t, uint64_t key)
{
    uint32_t const slot = *find_slot(t, key);
    return slot == 0 ? MO_NONE : slot - 1;
}

uint32_t mo_numbering_add(struct mo_numbering *t, uint64_t key)
{
    uint32_t *const slot = find_slot(t, key);
    if (*slot == 0) {
        t->key[t->n] = key;
        *slot = ++t->n;
    }
    return *slot - 1;
}

/* Links the events of each invocation in program order, as a queue: j->queue has the first event of each invocation, j->next
 * the event that follows each event, j->n_after the number of events that follow it. false: the arena is full. */
static bool make_queues(struct mo_job *j)
{
    uint32_t *queue_of = NULL; /* per event */
    uint32_t **const arrays[] = {&queue_of, &j->queue, &j->next, &j->n_after};
    struct mo_numbering invocations;
    if (!mo_take_arrays(j->a, (size_t)j->n + 1, arrays, ARRAY_N(arrays)) ||
        !mo_numbering_make(&invocations, j->a, j->n)) {
        return false;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        queue_of[i] = mo_numbering_add(&invocations, j->events[i].invocation);
        j->queue[queue_of[i]] = MO_NONE;
    }
    for (uint32_t i = j->n; i-- > 0;) {
        uint32_t const next = j->queue[queue_of[i]];
        j->next[i] = next;
        j->n_after[i] = next == MO_NONE ? 0 : j->n_after[next] + 1;
        j->queue[queue_of[i]] = i;
    }
    j->n_queues = invocations.n;
    return true;
}

static bool count_groups(struct mo_job *j)
{
    struct mo_numbering groups;
    if (!mo_numbering_make(&groups, j->a, j->n)) {
        return false;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        (void)mo_numbering_add(&groups, j->events[i].group);
    }
    j->n_groups = groups.n;
    return true;
}

static int by_value(const void *x, const void *y)
{
    uint32_t const a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* Numbers the phases (the parts between barriers) 0, 1, 2... without the gaps that the problem's own numbers may
 * have: sorts them, drops duplicates, and looks each up. Without barriers there is one phase, and j->phase stays
 * NULL. false: the arena is full. */
static bool make_phases(struct mo_job *j)
{
    j->n_phases = 1;
    if (!j->p->has_phases || j->n == 0) {
        return true;
    }
    uint32_t *sorted = ARENA_NEW(j->a, uint32_t, j->n);
    j->phase = ARENA_NEW(j->a, uint32_t, j->n);
    if (!sorted || !j->phase) {
        return false;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        sorted[i] = j->events[i].phase;
    }
    qsort(sorted, j->n, sizeof *sorted, by_value);
    uint32_t n_distinct = 1;
    for (uint32_t i = 1; i < j->n; i++) {
        if (sorted[i] != sorted[n_distinct - 1]) {
            sorted[n_distinct++] = sorted[i];
        }
    }
    for (uint32_t i = 0; i < j->n; i++) {
        const uint32_t *at =
            bsearch(&j->events[i].phase, sorted, n_distinct, sizeof *sorted, by_value);
        j->phase[i] = (uint32_t)(at - sorted);
    }
    j->n_phases = n_distinct;
    return true;
}

static uint64_t without_sign_of_zero(const struct float_format *f, uint64_t enc)
{
    return format_is_zero(f, enc) ? 0 : enc;
}

bool mo_job_ignore_zero_signs(struct mo_job *j)
{
    struct mo_event *copy = arena_copy(j->a, j->events, sizeof *copy * j->n);
    if (!copy) {
        return false;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        copy[i].original = without_sign_of_zero(j->format, copy[i].original);
        copy[i].operand = without_sign_of_zero(j->format, copy[i].operand);
    }
    j->events = copy;
    j->initial = without_sign_of_zero(j->format, j->initial);
    j->final = without_sign_of_zero(j->format, j->final);
    j->zero_blind = true;
    return true;
}

/* RES_NOMEM: the arena is full. */
enum res mo_job_make(const struct mo_problem *p, struct arena *a, struct mo_job *j, struct err *e)
{
    *j = (struct mo_job){.p = p,
                         .events = p->events,
                         .n = p->n_events,
                         .a = a,
                         .initial = p->initial,
                         .final = p->final};
    bool has_events = true;
    if (p->is_float) {
        j->format = &float_formats[p->fmt];
        j->sees_flush = p->rules.flush_in == FLUSH_MAY || p->rules.flush_out != FLUSH_NEVER;
        has_events = !p->rules.zero_sign_free || mo_job_ignore_zero_signs(j);
    }
    if (!has_events || !make_queues(j) || !make_phases(j) || !count_groups(j)) {
        return err_set(e, RES_NOMEM, "chain of %u events: arena full", p->n_events);
    }
    for (uint32_t i = 0; i < j->n; i++) {
        j->n_unknown += j->events[i].op != MO_LOAD && !j->events[i].knows_original;
        j->n_no_operand += j->events[i].op != MO_LOAD && !j->events[i].knows_operand;
    }
    return RES_OK;
}

/* oracle/modorder/mo_job.c -- the problem made ready. */
#include "oracle/modorder/mo_job.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

/* Dense numbers, in order of appearance, of one 32-bit member of the events. */
static enum res number(const struct mo_problem *p, size_t offset, struct arena *a, uint32_t *id,
                       uint32_t *n_ids)
{
    uint64_t n_slots = 16;
    while (n_slots < 2 * (uint64_t)p->n_events) {
        n_slots *= 2;
    }
    uint32_t *key = ARENA_NEW(a, uint32_t, n_slots);
    uint32_t *slot = ARENA_NEW(a, uint32_t, n_slots); /* number + 1 */
    if (!key || !slot) {
        return RES_NOMEM;
    }
    *n_ids = 0;
    for (uint32_t i = 0; i < p->n_events; i++) {
        uint32_t v;
        memcpy(&v, (const char *)&p->events[i] + offset, sizeof v);
        uint64_t k = (uint64_t)v * UINT64_C(0x9e3779b97f4a7c15) >> 20;
        while (slot[k & (n_slots - 1)] != 0 && key[k & (n_slots - 1)] != v) {
            k++;
        }
        k &= n_slots - 1;
        if (slot[k] == 0) {
            slot[k] = ++*n_ids;
            key[k] = v;
        }
        if (id) {
            id[i] = slot[k] - 1;
        }
    }
    return RES_OK;
}

static int make_queues(struct mo_job *j)
{
    uint32_t *id = ARENA_NEW(j->a, uint32_t, j->n + 1);
    j->queue = ARENA_NEW(j->a, uint32_t, j->n + 1);
    j->next = ARENA_NEW(j->a, uint32_t, j->n + 1);
    j->n_after = ARENA_NEW(j->a, uint32_t, j->n + 1);
    if (!id || !j->queue || !j->next || !j->n_after ||
        number(j->p, offsetof(struct mo_event, invocation), j->a, id, &j->n_queues)) {
        return 0;
    }
    for (uint32_t q = 0; q < j->n_queues; q++) {
        j->queue[q] = MO_NONE;
    }
    for (uint32_t i = j->n; i > 0; i--) {
        uint32_t const next = j->queue[id[i - 1]];
        j->next[i - 1] = next;
        j->n_after[i - 1] = next == MO_NONE ? 0 : j->n_after[next] + 1;
        j->queue[id[i - 1]] = i - 1;
    }
    return 1;
}

static int by_value(const void *x, const void *y)
{
    uint32_t const a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* Phases as 0, 1, 2...: their own numbers may have gaps. */
static int make_phases(struct mo_job *j)
{
    j->n_phases = 1;
    if (!j->p->has_phases || j->n == 0) {
        return 1;
    }
    uint32_t *all = ARENA_NEW(j->a, uint32_t, j->n);
    j->phase = ARENA_NEW(j->a, uint32_t, j->n);
    if (!all || !j->phase) {
        return 0;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        all[i] = j->events[i].phase;
    }
    qsort(all, j->n, sizeof *all, by_value);
    uint32_t n = 1;
    for (uint32_t i = 1; i < j->n; i++) {
        if (all[i] != all[n - 1]) {
            all[n++] = all[i];
        }
    }
    for (uint32_t i = 0; i < j->n; i++) {
        const uint32_t *at = bsearch(&j->events[i].phase, all, n, sizeof *all, by_value);
        j->phase[i] = (uint32_t)(at - all);
    }
    j->n_phases = n;
    return 1;
}

static uint64_t without_sign_of_zero(const struct float_format *f, uint64_t enc)
{
    return format_is_zero(f, enc) ? 0 : enc;
}

static int make_zeros_equal(struct mo_job *j)
{
    struct mo_event *copy = arena_copy(j->a, j->events, sizeof *copy * j->n);
    if (!copy) {
        return 0;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        copy[i].original = without_sign_of_zero(j->format, copy[i].original);
        copy[i].operand = without_sign_of_zero(j->format, copy[i].operand);
    }
    j->events = copy;
    j->initial = without_sign_of_zero(j->format, j->initial);
    j->final = without_sign_of_zero(j->format, j->final);
    j->zero_blind = 1;
    return 1;
}

enum res mo_job_make(const struct mo_problem *p, struct arena *a, struct mo_job *j, struct err *e)
{
    *j = (struct mo_job){.p = p,
                         .events = p->events,
                         .n = p->n_events,
                         .a = a,
                         .initial = p->initial,
                         .final = p->final};
    int is_made = 1;
    if (p->is_float) {
        j->format = &float_formats[p->fmt];
        j->sees_flush = p->rules.flush_in == FLUSH_MAY || p->rules.flush_out != FLUSH_NEVER;
        is_made = !p->rules.zero_sign_free || make_zeros_equal(j);
    }
    if (!is_made || !make_queues(j) || !make_phases(j) ||
        number(p, offsetof(struct mo_event, group), a, NULL, &j->n_groups)) {
        return err_set(e, RES_NOMEM, "chain of %u events: arena full", p->n_events);
    }
    for (uint32_t i = 0; i < j->n; i++) {
        j->n_unknown += j->events[i].op != MO_LOAD && !j->events[i].knows_original;
        j->n_no_operand += j->events[i].op != MO_LOAD && !j->events[i].knows_operand;
    }
    return RES_OK;
}

/* oracle/nir/nir_trace.c -- records what an invocation executes, and keeps what a value is computed of. */
#include "oracle/nir/nir_trace.h"

#include <string.h>

#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_op.h"

static uint32_t get_index(const struct nir_step *s)
{
    return (uint32_t)(s->in - s->m->p->instructions);
}

static bool is_writer(const struct nir_watch *w, const struct nir_step *s, uint32_t lane)
{
    return w->is_recording && !w->is_over && s->g->number == w->subgroup && lane == w->lane &&
           memcmp(s->m->group, w->group, sizeof w->group) == 0;
}

/* Records what an instruction gave to the writer. */
static void record(struct nir_watch *w, const struct nir_step *s, uint32_t source)
{
    if (w->n_events == NIR_TRACE_MAX_EVENTS) {
        w->is_over = true;
        w->n_events = 0;
        return;
    }
    struct nir_trace_event *const event = &w->events[w->n_events++];
    *event = (struct nir_trace_event){.instruction = get_index(s), .source = source};
    if (s->in->value == NIR_NO_VALUE) {
        return;
    }
    for (uint32_t c = 0; c < nir_step_result(s)->n_components && c < ARRAY_N(event->values); c++) {
        event->values[c] = nir_step_out(s, c)[w->lane];
    }
}

void nir_watch_step(struct nir_watch *w, const struct nir_step *s)
{
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        if (is_writer(w, s, s->g->active[i])) {
            record(w, s, 0);
        }
    }
}

void nir_watch_phi(struct nir_watch *w, const struct nir_step *s, uint32_t lane, uint32_t source)
{
    if (is_writer(w, s, lane)) {
        record(w, s, source);
    }
}

void nir_watch_write(struct nir_watch *w, const struct nir_step *s, uint32_t lane,
                     const unsigned char *bytes, uint32_t n)
{
    if (w->byte < bytes || w->byte >= bytes + n) {
        return;
    }
    if (w->is_recording) { /* the last write is where the record ends */
        w->n_writes_left -= w->n_writes_left > 0;
        if (w->n_writes_left == 0 && !w->is_over) {
            record(w, s, 0);
            w->is_over = true;
        }
        return;
    }
    w->has_writer = true;
    w->n_writes++;
    w->subgroup = s->g->number;
    w->lane = lane;
    w->invocation = s->g->number * s->m->size + lane;
    w->instruction = get_index(s);
    memcpy(w->group, s->m->group, sizeof w->group);
}

bool nir_watch_begin_record(struct nir_watch *w, struct arena *a)
{
    w->events = w->has_writer ? ARENA_NEW(a, struct nir_trace_event, NIR_TRACE_MAX_EVENTS) : NULL;
    w->is_recording = true;
    w->n_writes_left = w->n_writes;
    return w->events != NULL;
}

/* Marks what an instruction computes its value of. Where a load gets its value from, no instruction here says. */
static void mark_sources(const struct nir_program *p, const struct nir_trace_event *event,
                         bool *is_needed)
{
    const struct nir_instruction *const in = &p->instructions[event->instruction];
    if (in->kind == NIR_PHI) {
        is_needed[event->source] = true;
        return;
    }
    bool const is_load =
        in->kind == NIR_CALL && nir_intrinsic_is_load(&nir_intrinsic_rows[in->row]);
    for (uint32_t i = 0; i < in->n_sources && !is_load; i++) {
        is_needed[p->sources[in->first + i].value] = true;
    }
}

/* Of the write itself the value alone. */
static void mark_written(const struct nir_program *p, const struct nir_instruction *in,
                         bool *is_needed)
{
    if (in->kind == NIR_CALL && in->n_sources > 0) {
        uint32_t const data = nir_intrinsic_get_data(&nir_intrinsic_rows[in->row]);
        is_needed[p->sources[in->first + data].value] = true;
    }
}

static struct nir_trace_line get_line(const struct nir_program *p,
                                      const struct nir_trace_event *event)
{
    const struct nir_instruction *const in = &p->instructions[event->instruction];
    struct nir_trace_line out = {.line = in->line};
    if (in->kind == NIR_ALU) {
        out.is_hardware = nir_op_rows[in->row].is_hardware;
        out.name = in->row;
    }
    if (in->value != NIR_NO_VALUE) {
        const struct nir_value *const v = &p->values[in->value];
        out.n_bits = v->n_bits;
        out.n_values = v->n_components < ARRAY_N(out.values) ? v->n_components : 4;
        memcpy(out.values, event->values, sizeof out.values);
    }
    return out;
}

void nir_watch_get_trace(const struct nir_watch *w, const struct nir_program *p, struct arena *a,
                         struct nir_trace *out)
{
    bool *const is_needed = ARENA_NEW(a, bool, p->n_values + 1);
    if (!is_needed || w->n_events == 0) {
        return;
    }
    memset(is_needed, 0, (size_t)p->n_values + 1);
    out->invocation = w->invocation;
    memcpy(out->group, w->group, sizeof out->group);
    uint32_t first = NIR_TRACE_MAX_LINES; /* lines are put in from the end */
    mark_written(p, &p->instructions[w->events[w->n_events - 1].instruction], is_needed);
    out->lines[--first] = get_line(p, &w->events[w->n_events - 1]);
    for (uint32_t i = w->n_events - 1; i-- > 0;) {
        const struct nir_trace_event *const event = &w->events[i];
        uint32_t const value = p->instructions[event->instruction].value;
        if (value == NIR_NO_VALUE || !is_needed[value]) {
            continue;
        }
        is_needed[value] = false;
        mark_sources(p, event, is_needed);
        out->is_cut = first == 0;
        if (out->is_cut) {
            break;
        }
        out->lines[--first] = get_line(p, event);
    }
    out->n = NIR_TRACE_MAX_LINES - first;
    memmove(out->lines, out->lines + first, out->n * sizeof out->lines[0]);
}

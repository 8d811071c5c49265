/* oracle/modorder/mo_search.c -- exhaustive search for an order, within a budget. */
#include "oracle/modorder/mo_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "oracle/modorder/mo_job.h"
#include "oracle/modorder/mo_step.h"

enum {
    SEARCH_MEMO = 1 << 18, /* positions remembered: 2 MiB */
    SEARCH_POOL = 1 << 18  /* candidates waiting */
};

/* One way on from a position: an event and the value it leaves. */
struct candidate {
    uint32_t event;
    uint32_t score;  /* low is tried first */
    uint32_t vertex; /* of the value left, or MO_NONE */
    struct mo_state after;
};

struct frame {
    uint32_t first, next, end; /* candidates of this position in the pool */
    uint32_t event;            /* taken to get here */
    uint32_t vertex;           /* of the state, or MO_NONE */
    struct mo_state state;
};

struct search {
    const struct mo_job *j;
    const struct mo_graph *g;
    enum search_keeps keeps;
    uint32_t n_queues;
    uint32_t *at;       /* per queue: its next event, or MO_NONE */
    uint32_t *queue_of; /* per event */
    uint32_t *class;    /* per event: equal for equal rests of a queue */
    uint32_t *stamp;    /* per class: last position that tried it */
    uint32_t n_stamps;
    uint32_t *n_tails;       /* per vertex: events left that saw it */
    uint32_t *n_heads;       /* per vertex: events left that leave it and nothing else */
    uint32_t n_wild_left;    /* events left that may leave this or that */
    uint32_t *ready;         /* per vertex, and one more for events that saw nothing: list of events
                           * that stand first in a queue, + 1 */
    uint32_t *up, *down;     /* per event: its neighbours in that list, + 1 */
    const uint8_t *last_way; /* per event: leave its vertex by it last; or NULL */
    int is_quick;            /* no symmetry: what makes the first try cheap */
    uint32_t try_number;
    uint32_t *phase_left; /* per phase */
    uint32_t n_left, n_unknown_left;
    uint64_t position; /* hash of the multiset of rests of queues */
    uint64_t *memo;
    uint64_t memo_mask;
    uint32_t n_memo;
    struct candidate *pool;
    uint32_t n_pool, max_pool;
    struct frame *frame;
    uint32_t depth;
    int64_t work;
    int is_cut; /* something was left out: "none" is not proven */
};

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = ((h ^ v) + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 32) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 29;
}

static uint32_t next_of(const struct search *s, uint32_t event)
{
    uint32_t i = s->keeps == KEEPS_NOTHING ? MO_NONE : s->j->next[event];
    while (i != MO_NONE && mo_is_idle(&s->j->events[i])) {
        i = s->j->next[i];
    }
    return i;
}

static uint32_t phase_of(const struct search *s, uint32_t event)
{
    return s->keeps == KEEPS_ALL && s->j->phase ? s->j->phase[event] : 0;
}

/* Rests of queues that look alike are interchangeable: trying one of them is enough. Classes are
 * numbered through a 64-bit hash; two rests that collide would need 2^32 events. */
static int make_classes(struct search *s)
{
    const struct mo_job *j = s->j;
    uint64_t n_slots = 16;
    for (uint32_t i = 0; s->is_quick && i < j->n; i++) {
        s->class[i] = i;
    }
    if (s->is_quick) {
        return 1;
    }
    while (n_slots < 2 * (uint64_t)j->n) {
        n_slots *= 2;
    }
    uint64_t *hash = ARENA_NEW(j->a, uint64_t, j->n + 1);
    uint64_t *key = ARENA_NEW(j->a, uint64_t, n_slots);
    uint32_t *class_at = ARENA_NEW(j->a, uint32_t, n_slots);
    if (!hash || !key || !class_at) {
        return 0;
    }
    uint32_t n_classes = 0;
    for (uint32_t i = j->n; i > 0; i--) {
        const struct mo_event *e = &j->events[i - 1];
        uint32_t const next = next_of(s, i - 1);
        uint64_t h = next == MO_NONE ? 0 : hash[next];
        h = mix(h, (uint64_t)e->op << 2 | (uint64_t)e->knows_original << 1 | e->knows_operand);
        h = mix(h, e->operand);
        h = mix(h, e->knows_original ? e->original : 1);
        h = mix(h, e->op == MO_CMPXCHG ? e->comparator : 2);
        h = mix(h, phase_of(s, i - 1)) | 1;
        hash[i - 1] = h;
        uint64_t k = h >> 7;
        while (key[k & (n_slots - 1)] != 0 && key[k & (n_slots - 1)] != h) {
            k++;
        }
        if (key[k & (n_slots - 1)] == 0) {
            key[k & (n_slots - 1)] = h;
            class_at[k & (n_slots - 1)] = n_classes++;
        }
        s->class[i - 1] = class_at[k & (n_slots - 1)];
    }
    return 1;
}

static uint32_t *list_of(const struct search *s, uint32_t event)
{
    uint32_t const tail = s->g->tail[event];
    return &s->ready[tail == MO_NONE ? s->g->n_vertices : tail];
}

/* `event` now stands first in its queue. */
static void enter(struct search *s, uint32_t queue, uint32_t event)
{
    s->at[queue] = event;
    if (event == MO_NONE) {
        return;
    }
    uint32_t *const list = list_of(s, event);
    s->position += mix(7, s->class[event]);
    s->up[event] = 0;
    s->down[event] = *list;
    if (*list != 0) {
        s->up[*list - 1] = event + 1;
    }
    *list = event + 1;
}

static void leave(struct search *s, uint32_t event)
{
    if (event == MO_NONE) {
        return;
    }
    s->position -= mix(7, s->class[event]);
    if (s->up[event] != 0) {
        s->down[s->up[event] - 1] = s->down[event];
    } else {
        *list_of(s, event) = s->down[event];
    }
    if (s->down[event] != 0) {
        s->up[s->down[event] - 1] = s->up[event];
    }
}

/* Count an event as one of those left, or (UINT32_MAX, which wraps to minus one) as gone. */
static void count(struct search *s, uint32_t event, uint32_t one)
{
    const struct mo_graph *g = s->g;
    s->n_left += one;
    s->phase_left[phase_of(s, event)] += one;
    if (g->tail[event] != MO_NONE) {
        s->n_tails[g->tail[event]] += one;
    } else {
        s->n_unknown_left += one;
    }
    int const is_chosen = !g->is_multi[event] || (s->is_quick && g->tail[event] != MO_NONE);
    if (is_chosen && g->head[event] != MO_NONE) {
        s->n_heads[g->head[event]] += one;
    } else if (g->is_multi[event] || g->tail[event] == MO_NONE ||
               !s->j->events[event].knows_operand) {
        s->n_wild_left += one;
    }
}

static int search_make(struct search *s)
{
    const struct mo_job *j = s->j;
    s->at = ARENA_NEW(j->a, uint32_t, j->n + 1);
    s->queue_of = ARENA_NEW(j->a, uint32_t, j->n + 1);
    s->class = ARENA_NEW(j->a, uint32_t, j->n + 1);
    s->stamp = ARENA_NEW(j->a, uint32_t, j->n + 1);
    s->n_tails = ARENA_NEW(j->a, uint32_t, s->g->n_vertices + 1);
    s->n_heads = ARENA_NEW(j->a, uint32_t, s->g->n_vertices + 1);
    s->ready = ARENA_NEW(j->a, uint32_t, s->g->n_vertices + 1);
    s->up = ARENA_NEW(j->a, uint32_t, j->n + 1);
    s->down = ARENA_NEW(j->a, uint32_t, j->n + 1);
    s->phase_left = ARENA_NEW(j->a, uint32_t, j->n_phases + 1);
    s->memo_mask = 1023;
    s->memo = ARENA_NEW(j->a, uint64_t, s->memo_mask + 1);
    s->max_pool = 256;
    s->pool = ARENA_NEW(j->a, struct candidate, s->max_pool);
    s->frame = ARENA_NEW(j->a, struct frame, j->n + 2);
    if (!s->at || !s->queue_of || !s->class || !s->stamp || !s->n_tails || !s->n_heads ||
        !s->ready || !s->up || !s->down || !s->phase_left || !s->memo || !s->pool || !s->frame ||
        !make_classes(s)) {
        return 0;
    }
    uint32_t const n = s->keeps == KEEPS_NOTHING ? j->n : j->n_queues;
    for (uint32_t q = 0; q < n; q++) {
        uint32_t i = s->keeps == KEEPS_NOTHING ? q : j->queue[q];
        if (mo_is_idle(&j->events[i])) {
            i = next_of(s, i);
        }
        if (i == MO_NONE) {
            continue;
        }
        enter(s, s->n_queues, i);
        for (; i != MO_NONE; i = next_of(s, i)) {
            s->queue_of[i] = s->n_queues;
            count(s, i, 1);
        }
        s->n_queues++;
    }
    return 1;
}

static void grow_memo(struct search *s)
{
    uint64_t const mask = 4 * (s->memo_mask + 1) - 1;
    uint64_t *more = mask < SEARCH_MEMO ? ARENA_NEW(s->j->a, uint64_t, mask + 1) : NULL;
    for (uint64_t i = 0; more && i <= s->memo_mask; i++) {
        uint64_t k = s->memo[i];
        while (s->memo[i] != 0 && more[k & mask] != 0) {
            k++;
        }
        if (s->memo[i] != 0) {
            more[k & mask] = s->memo[i];
        }
    }
    if (more) {
        s->memo = more;
        s->memo_mask = mask;
    }
}

/* Was this position seen before? Then it failed. When the memory is full it forgets nothing, and
 * new positions are searched as often as they come. */
static int is_known(struct search *s, struct mo_state v)
{
    uint64_t const h = mix(mix(s->position, v.bits), (uint64_t)v.kind) | 1;
    if (2 * (uint64_t)s->n_memo > s->memo_mask) {
        grow_memo(s);
    }
    uint64_t i = h;
    for (; s->memo[i & s->memo_mask] != 0; i++) {
        if (s->memo[i & s->memo_mask] == h) {
            return 1;
        }
    }
    if (2 * (uint64_t)s->n_memo <= s->memo_mask) {
        s->memo[i & s->memo_mask] = h;
        s->n_memo++;
    }
    return 0;
}

/* Room for one more candidate? */
static int has_room(struct search *s)
{
    if (s->n_pool < s->max_pool) {
        return 1;
    }
    uint32_t const wide = 4 * s->max_pool;
    struct candidate *more =
        wide <= SEARCH_POOL ? ARENA_NEW(s->j->a, struct candidate, wide) : NULL;
    if (!more) {
        s->is_cut = 1;
        return 0;
    }
    memcpy(more, s->pool, sizeof *more * s->n_pool);
    s->pool = more;
    s->max_pool = wide;
    return 1;
}

static uint32_t current_phase(const struct search *s)
{
    uint32_t p = 0;
    while (p + 1 < s->j->n_phases && s->phase_left[p] == 0) {
        p++;
    }
    return p;
}

static uint32_t vertex_of(const struct search *s, struct mo_state v)
{
    return v.kind == STATE_VALUE ? mo_graph_find(s->g, v.bits) : MO_NONE;
}

/* Can v be seen as something else than itself? */
static int has_alias(const struct search *s, struct mo_state v)
{
    const struct float_format *f = s->j->format;
    return v.kind != STATE_VALUE ||
           (s->j->p->is_float &&
            (format_is_snan(f, v.bits) || (s->j->sees_flush && format_is_subnormal(f, v.bits))));
}

/* Nothing but what saw v can follow v: if nobody did, v is a dead end. */
static int is_dead_end(const struct search *s, struct mo_state v, uint32_t vertex, uint32_t event)
{
    if (s->n_left <= 1 || has_alias(s, v) || s->n_unknown_left > (s->g->tail[event] == MO_NONE)) {
        return 0;
    }
    return vertex == MO_NONE || s->n_tails[vertex] <= (s->g->tail[event] == vertex);
}

/* Leaving f's value by `event`: others that saw it need it left again, once each. */
static int is_abandoning(const struct search *s, const struct frame *f, uint32_t event,
                         uint32_t vertex)
{
    if (f->vertex == MO_NONE || s->g->has_flushed || has_alias(s, f->state)) {
        return 0;
    }
    uint32_t const n_tails = s->n_tails[f->vertex] - (s->g->tail[event] == f->vertex);
    /* Staying uses up one of the heads, or is free when it was seen to stay. */
    uint32_t const n_more = vertex == f->vertex && s->g->tail[event] != MO_NONE;
    return n_tails > s->n_heads[f->vertex] + s->n_wild_left + n_more;
}

static uint32_t score_of(const struct search *s, uint32_t event, struct mo_state before,
                         struct mo_state after, uint32_t vertex)
{
    uint32_t after_it = s->j->n_after[event];
    if (s->try_number > 0) {
        after_it += (uint32_t)(mix(s->try_number, event) >> 40) % (1 + s->try_number);
    }
    uint32_t const longest = after_it < 0xffff ? 0xffff - after_it : 0;
    if (s->g->tail[event] != MO_NONE) {
        return longest + (s->last_way && s->last_way[event] ? 0x10000 : 0);
    }
    int const is_awaited = vertex != MO_NONE && s->ready[vertex] != 0;
    int const is_still = after.kind == before.kind && after.bits == before.bits;
    return longest + (is_awaited ? 0x20000 : is_still ? 0x30000 : 0x40000);
}

static int by_score(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    if (a->score != b->score) {
        return a->score < b->score ? -1 : 1;
    }
    if (a->event != b->event) {
        return a->event < b->event ? -1 : 1;
    }
    return (a->after.bits > b->after.bits) - (a->after.bits < b->after.bits);
}

/* Of several heads, the one that the matching chose. */
static void keep_choice(struct search *s, uint64_t bits, struct mo_heads *h)
{
    for (uint32_t k = 0; k < h->n; k++) {
        int const is_nan = h->s[k].kind == STATE_NAN && format_is_nan(s->j->format, bits);
        if (is_nan || (h->s[k].kind == STATE_VALUE && h->s[k].bits == bits)) {
            s->is_cut |= h->n > 1;
            h->s[0] = is_nan ? mo_choose_nan(s->j, h->s[k], bits) : mo_value(bits);
            h->n = 1;
            return;
        }
    }
}

static void add_way(struct search *s, const struct frame *f, uint32_t event, struct mo_state after,
                    uint32_t vertex)
{
    if (!is_dead_end(s, after, vertex, event) && !is_abandoning(s, f, event, vertex) &&
        has_room(s)) {
        uint32_t const score = score_of(s, event, f->state, after, vertex);
        s->pool[s->n_pool++] = (struct candidate){event, score, vertex, after};
    }
}

/* May e also happen where its original is not just what the location holds, and then matter? A load
 * matters where it tells that some NaN is a signalling one. */
static int may_fit_elsewhere(const struct search *s, const struct mo_event *e)
{
    const struct float_format *f = s->j->format;
    if (!s->j->p->is_float) {
        return 0;
    }
    return (s->g->has_flushed && mo_is_float_op(e->op) && format_is_zero(f, e->original)) ||
           (format_is_nan(f, e->original) && (e->op != MO_LOAD || format_is_snan(f, e->original)));
}

/* Add the ways on by one event. 1: it is seen to change nothing, and may as well come now (in any
 * order that begins here it can be moved to the front). */
static int add_event(struct search *s, struct frame *f, uint32_t event)
{
    const struct mo_event *e = &s->j->events[event];
    uint32_t const head = s->g->head[event];
    struct mo_state seen;
    struct mo_heads h = {.n = 1, .is_complete = 1};
    if (!mo_see(s->j, e, f->state, &seen)) {
        return 0;
    }
    int const is_plain =
        f->state.kind == STATE_VALUE && e->knows_original && f->state.bits == e->original;
    if (is_plain && !s->g->is_multi[event] && head != MO_NONE) {
        h.s[0] = mo_value(s->g->value[head]);
    } else {
        mo_step(s->j, e, seen, &h);
    }
    s->is_cut |= !h.is_complete;
    if (s->is_quick && is_plain && s->g->is_multi[event] && head != MO_NONE) {
        keep_choice(s, s->g->value[head], &h);
    }
    if (is_plain && h.n == 1 && h.is_complete && h.s[0].kind == STATE_VALUE &&
        h.s[0].bits == f->state.bits && !may_fit_elsewhere(s, e)) {
        s->n_pool = f->first;
        s->pool[s->n_pool++] = (struct candidate){event, 0, f->vertex, h.s[0]};
        return 1;
    }
    for (uint32_t k = 0; k < h.n; k++) {
        int const is_head =
            head != MO_NONE && h.s[k].kind == STATE_VALUE && h.s[k].bits == s->g->value[head];
        add_way(s, f, event, h.s[k], is_head ? head : vertex_of(s, h.s[k]));
    }
    return 0;
}

/* One event of a list; 1: no need to look at others. */
static int look_at(struct search *s, struct frame *f, uint32_t event, uint32_t phase)
{
    s->work--;
    if (event == MO_NONE || phase_of(s, event) > phase ||
        s->stamp[s->class[event]] == s->n_stamps) {
        return 0;
    }
    s->stamp[s->class[event]] = s->n_stamps;
    return add_event(s, f, event);
}

static void collect(struct search *s, struct frame *f)
{
    uint32_t const phase = current_phase(s);
    s->n_stamps++;
    if (has_alias(s, f->state)) {
        for (uint32_t q = 0; q < s->n_queues; q++) {
            if (look_at(s, f, s->at[q], phase)) {
                return;
            }
        }
        return;
    }
    uint32_t i = f->vertex == MO_NONE ? 0 : s->ready[f->vertex];
    for (; i != 0; i = s->down[i - 1]) {
        if (look_at(s, f, i - 1, phase)) {
            return;
        }
    }
    for (i = s->ready[s->g->n_vertices]; i != 0; i = s->down[i - 1]) {
        (void)look_at(s, f, i - 1, phase);
    }
}

/* Positions with one way on are not remembered: they cost nothing to pass again. */
static void expand(struct search *s, struct frame *f)
{
    f->first = f->next = f->end = s->n_pool;
    if (!has_room(s)) {
        return;
    }
    collect(s, f);
    f->end = s->n_pool;
    if (f->end - f->first < 2) {
        return;
    }
    if (is_known(s, f->state)) {
        s->n_pool = f->end = f->first;
        return;
    }
    qsort(s->pool + f->first, f->end - f->first, sizeof *s->pool, by_score);
}

/* Take an event off its queue, or (`is_undo`) put it back. */
static void apply(struct search *s, uint32_t event, int is_undo)
{
    uint32_t const queue = s->queue_of[event];
    uint32_t const next = next_of(s, event);
    leave(s, is_undo ? next : event);
    enter(s, queue, is_undo ? event : next);
    count(s, event, is_undo ? 1 : UINT32_MAX);
}

static int is_goal(const struct search *s)
{
    const struct mo_problem *p = s->j->p;
    return s->n_left == 0 &&
           (!p->knows_final || mo_ends_at(s->j, s->frame[s->depth].state, s->j->final));
}

static enum search_answer run_from(struct search *s, struct mo_state start)
{
    s->depth = 0;
    s->frame[0] = (struct frame){.event = MO_NONE, .state = start, .vertex = vertex_of(s, start)};
    s->n_pool = 0;
    if (is_goal(s)) {
        return SEARCH_FOUND;
    }
    expand(s, &s->frame[0]);
    for (;;) {
        struct frame *f = &s->frame[s->depth];
        if (s->work < 0) {
            return SEARCH_OUT;
        }
        if (f->next == f->end) {
            if (s->depth == 0) {
                return s->is_cut ? SEARCH_OUT : SEARCH_NONE;
            }
            s->n_pool = f->first;
            apply(s, f->event, 1);
            s->depth--;
            continue;
        }
        struct candidate const c = s->pool[f->next++];
        apply(s, c.event, 0);
        s->depth++;
        s->frame[s->depth] = (struct frame){.event = c.event, .state = c.after, .vertex = c.vertex};
        if (is_goal(s)) {
            return SEARCH_FOUND;
        }
        expand(s, &s->frame[s->depth]);
    }
}

/* Where an unknown initial value must have been, if the degrees tell: what was seen, but never
 * left. A short search takes the matching's word for it. */
static struct mo_state first_state(const struct search *s)
{
    const struct mo_graph *g = s->g;
    for (uint32_t v = 0; v < g->n_vertices && (s->is_quick || s->n_wild_left == 0); v++) {
        if (g->need[v] > 0 && !g->has_flushed) {
            return mo_value(g->value[v]);
        }
    }
    return (struct mo_state){0, STATE_ANY};
}

enum res mo_search(const struct mo_job *j, const struct mo_graph *g,
                   const struct search_limits *lim, enum search_answer *answer, struct mo_order *o,
                   struct err *e)
{
    struct search s = {.j = j,
                       .g = g,
                       .keeps = lim->keeps,
                       .work = lim->work,
                       .is_quick = lim->is_quick,
                       .last_way = lim->last_way,
                       .try_number = lim->try_number};
    struct mo_state start = mo_value(j->initial);
    *o = (struct mo_order){.blocked = MO_NONE};
    if (!search_make(&s)) {
        return err_set(e, RES_NOMEM, "chain search over %u events: arena full", j->n);
    }
    if (!j->p->knows_initial) {
        start = first_state(&s);
    }
    *answer = run_from(&s, start);
    if (*answer != SEARCH_FOUND) {
        return RES_OK;
    }
    o->event = ARENA_NEW(j->a, uint32_t, s.depth + 1);
    if (!o->event) {
        return err_set(e, RES_NOMEM, "chain search over %u events: arena full", j->n);
    }
    for (uint32_t d = 1; d <= s.depth; d++) {
        o->event[o->n++] = s.frame[d].event;
    }
    o->is_found = 1;
    o->stopped = s.frame[s.depth].state;
    return RES_OK;
}

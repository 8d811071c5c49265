/* oracle/modorder/mo_graph.c -- the multigraph of a location: vertices, edges, a matching for edges with a choice,
 * and Euler's conditions. */
#include "oracle/modorder/mo_graph.h"

#include <string.h>

#include "oracle/modorder/mo_step.h"

enum {
    MATCH_WORK = 4000000, /* edges looked at by the matching */
    JOIN_WORK = 40000     /* pairs of events looked at when parts are joined */
};

/* An event that may leave one of several values, or a value that nothing sees. */
struct multi {
    uint32_t event;
    uint32_t first, n;  /* its candidate vertices */
    uint32_t chosen;    /* vertex or MO_NONE */
    bool is_optional;   /* may leave the location as it was */
    uint32_t came_from; /* the vertex from which the augmenting search reached the event */
};

struct list {
    uint32_t *item;
    uint32_t n, max;
};

struct build {
    const struct mo_job *j;
    struct mo_graph *g;
    struct multi *multi;
    uint32_t n_multi, max_multi;
    struct list candidates; /* vertices, of one struct multi after the other */
    struct list nans;       /* vertices that are NaN */
    uint32_t n_free_heads;  /* events that may leave any value */
    bool
        is_lossy; /* a candidate may be missing, or the matching may not be maximum: GRAPH_NONE is not proven */
    bool
        is_merged; /* a value may be several vertices, or the reverse: GRAPH_EXISTS is not proven */
    bool has_tiny, has_zero; /* a subnormal is left; a zero is seen by an addition, min or max */
    uint32_t *parent;        /* per vertex: union-find of connected parts */
    bool is_full;            /* the arena was */
};

/* Makes a vertex for each value that was seen, and for the initial and the final value. Counts in g->need how often
 * events must leave each value: once for each event that saw it, once for the final value, minus once for the initial
 * value. What the events leave is subtracted later. false: the arena is full. */
static bool make_vertices(struct build *b)
{
    const struct mo_job *j = b->j;
    struct mo_graph *g = b->g;
    uint32_t const n_most = j->n + 2;
    uint32_t **const arrays[] = {&g->tail, &g->head, &b->parent};
    g->is_multi = ARENA_NEW(j->a, uint8_t, n_most);
    g->need = ARENA_NEW(j->a, int32_t, n_most);
    if (!g->is_multi || !g->need || !mo_numbering_make(&g->vertices, j->a, n_most) ||
        !mo_take_arrays(j->a, n_most, arrays, ARRAY_N(arrays))) {
        return false;
    }
    g->start = j->p->knows_initial ? mo_numbering_add(&g->vertices, j->initial) : MO_NONE;
    g->end = j->p->knows_final ? mo_numbering_add(&g->vertices, j->final) : MO_NONE;
    for (uint32_t i = 0; i < j->n; i++) {
        const struct mo_event *e = &j->events[i];
        g->tail[i] = g->head[i] = MO_NONE;
        if (e->knows_original) {
            g->tail[i] = mo_numbering_add(&g->vertices, e->original);
            g->need[g->tail[i]]++;
        }
    }
    if (g->end != MO_NONE) {
        g->need[g->end]++;
    }
    if (g->start != MO_NONE) {
        g->need[g->start]--;
    }
    g->n_vertices = g->vertices.n;
    g->value = g->vertices.key;
    return true;
}

/* Makes room for an additional item in an array of the arena; the old array is abandoned. */
static void *grow(struct build *b, void *items, uint32_t n, uint32_t *max, size_t size)
{
    if (n < *max) {
        return items;
    }
    uint32_t const new_max = *max ? *max * 2 : 256;
    void *more = arena_take(b->j->a, size * new_max);
    if (!more) {
        b->is_full = true;
        return items;
    }
    if (n) {
        memcpy(more, items, size * n);
    }
    *max = new_max;
    return more;
}

static void push(struct build *b, struct list *l, uint32_t item)
{
    l->item = grow(b, l->item, l->n, &l->max, sizeof *l->item);
    if (!b->is_full) {
        l->item[l->n++] = item;
    }
}

static void find_nans(struct build *b)
{
    for (uint32_t v = 0; b->j->p->is_float && v < b->g->n_vertices; v++) {
        if (format_is_nan(b->j->format, b->g->value[v])) {
            push(b, &b->nans, v);
        }
    }
}

static bool has_candidate(const struct build *b, const struct multi *m, uint32_t vertex)
{
    for (uint32_t k = 0; k < m->n; k++) {
        if (b->candidates.item[m->first + k] == vertex) {
            return true;
        }
    }
    return false;
}

static void add_candidate(struct build *b, struct multi *m, uint32_t vertex)
{
    if (vertex != MO_NONE && !has_candidate(b, m, vertex)) {
        push(b, &b->candidates, vertex);
        m->n += !b->is_full;
    }
}

/* Adds as candidates all vertices as which a state may be seen. */
static void add_state(struct build *b, struct multi *m, struct mo_state s)
{
    if (s.kind == STATE_VALUE) {
        uint64_t readings[MO_MAX_READINGS];
        uint32_t const n = mo_list_readings(b->j, s.bits, readings);
        for (uint32_t i = 0; i < n; i++) {
            add_candidate(b, m, mo_graph_find(b->g, readings[i]));
        }
        b->is_merged |= n > 1;
        return;
    }
    for (uint32_t i = 0; i < b->nans.n; i++) {
        add_candidate(b, m, b->nans.item[i]);
    }
}

static struct multi *add_multi(struct build *b, uint32_t event, bool is_optional)
{
    b->multi = grow(b, b->multi, b->n_multi, &b->max_multi, sizeof(struct multi));
    if (b->is_full) {
        return NULL;
    }
    struct multi *m = &b->multi[b->n_multi++];
    *m = (struct multi){
        .event = event, .first = b->candidates.n, .chosen = MO_NONE, .is_optional = is_optional};
    b->g->is_multi[event] = 1;
    return m;
}

/* The event leaves this value and no other. */
static void set_head(struct build *b, uint32_t event, uint64_t bits)
{
    uint32_t const head = mo_graph_find(b->g, bits);
    b->g->head[event] = head;
    if (head != MO_NONE) {
        b->g->need[head]--;
    }
}

/* Where originals may be returned flushed: notes whether there is a zero that may have been a subnormal, and a
 * subnormal. */
static void look_for_flush(struct build *b, const struct mo_event *e, const struct mo_heads *left)
{
    const struct float_format *f = b->j->format;
    if (!b->j->sees_flush) {
        return;
    }
    b->has_zero |= mo_is_float_op(e->op) && e->knows_original && format_is_zero(f, e->original);
    for (uint32_t k = 0; k < left->n; k++) {
        b->has_tiny |= left->s[k].kind != STATE_VALUE || format_is_subnormal(f, left->s[k].bits);
    }
}

static void add_states(struct build *b, struct multi *m, const struct mo_heads *left)
{
    for (uint32_t k = 0; k < left->n; k++) {
        add_state(b, m, left->s[k]);
    }
}

/* Adds the edge of an event whose original was observed. Its head is one value; or any value (a free head); or one of
 * several candidates, among which a matching chooses later (struct multi). */
static void add_known(struct build *b, uint32_t i)
{
    const struct mo_job *j = b->j;
    const struct mo_event *e = &j->events[i];
    struct mo_heads left;
    mo_step(j, e, mo_value(e->original), &left);
    look_for_flush(b, e, &left);
    bool const is_quiet_nan = j->p->is_float && format_is_nan(j->format, e->original) &&
                              !format_is_snan(j->format, e->original);
    bool const is_one_value = left.n == 1 && left.is_complete && left.s[0].kind == STATE_VALUE &&
                              !mo_has_readings(j, left.s[0].bits);
    if (is_one_value && !is_quiet_nan) {
        set_head(b, i, left.s[0].bits);
        b->g->n_lost += b->g->head[i] == MO_NONE; /* nothing sees the value */
        return;
    }
    if (left.s[0].kind == STATE_ANY) { /* a free head */
        b->g->is_multi[i] = 1;
        b->n_free_heads++;
        return;
    }
    struct multi *m = add_multi(b, i, false);
    if (!m) {
        return;
    }
    add_states(b, m, &left);
    b->is_lossy |= !left.is_complete; /* a state may be missing: "no order" is then not proven */
    /* The original may have been a signalling NaN in memory, read as its quiet form, so the event may have worked on
     * either. A NaN with no other bit of payload has no signalling form: without the quiet bit it would be an
     * infinity. */
    bool const may_be_signalling =
        is_quiet_nan && (e->original & j->format->frac) != j->format->quiet;
    if (may_be_signalling) {
        struct mo_heads left_of_signalling;
        mo_step(j, e, mo_value(e->original & ~j->format->quiet), &left_of_signalling);
        add_states(b, m, &left_of_signalling);
        b->is_merged = true; /* one vertex stands for two values: "an order exists" is not proven */
    }
}

static bool is_integer_extreme(enum mo_op op)
{
    return op == MO_SMIN || op == MO_UMIN || op == MO_SMAX || op == MO_UMAX;
}

/*
 * Adds the edge of an event whose original was not observed, so that it has no tail. Its head is:
 *   of a load: none, as it has no edge
 *   of a store or exchange: its operand; candidates, if the operand may be read as several values
 *   of a compare-exchange, an integer minimum or maximum: its operand, or the location is unchanged: an optional candidate
 *   of any other event, and where the operand is not known: any value, a free head. FMin and FMax are among these, as they may
 *   leave a zero of either sign, some NaN, or a flushed operand
 */
static void add_unknown(struct build *b, uint32_t i)
{
    const struct mo_event *e = &b->j->events[i];
    /* what the event may leave: a sum of an unknown original may be a subnormal; any other operation leaves its operand, or
     * what was there, which is counted where it was left */
    b->has_tiny |=
        b->j->sees_flush && (e->op == MO_FADD || format_is_subnormal(b->j->format, e->operand));
    bool const is_write = e->op == MO_STORE || e->op == MO_EXCHANGE;
    bool const keeps_or_writes = e->op == MO_CMPXCHG || is_integer_extreme(e->op);
    if (e->op == MO_LOAD) {
        return;
    }
    if (!e->knows_operand || (!is_write && !keeps_or_writes)) {
        b->n_free_heads++;
        return;
    }
    if (is_write && !mo_has_readings(b->j, e->operand)) {
        set_head(b, i, e->operand);
        return;
    }
    struct multi *m = add_multi(b, i, keeps_or_writes);
    if (m && is_write) {
        add_state(b, m, mo_value(e->operand));
    } else if (m) {
        add_candidate(b, m, mo_graph_find(b->g, e->operand));
    }
}

/* The events by candidate vertex, for the augmenting paths: those of vertex v are multi[first[v]] to multi[first[v +
 * 1] - 1]. */
struct reverse {
    uint32_t *first; /* [n_vertices + 1] */
    uint32_t *multi; /* numbers of struct multi */
    uint32_t *queue; /* vertices of one search */
    uint32_t *via;   /* per vertex: multi it was reached by; MO_NONE for the root */
    uint32_t *stamp;
};

/* Lists for each vertex the events that have it as a candidate, by a counting sort. false: the arena is full. */
static bool make_reverse(struct build *b, struct reverse *r)
{
    uint32_t const n = b->g->n_vertices;
    uint32_t *next_free = NULL;
    uint32_t **const arrays[] = {&r->first, &r->queue, &r->via, &r->stamp, &next_free};
    r->multi = ARENA_NEW(b->j->a, uint32_t, b->candidates.n + 1);
    if (!r->multi || !mo_take_arrays(b->j->a, (size_t)n + 2, arrays, ARRAY_N(arrays))) {
        return false;
    }
    for (uint32_t k = 0; k < b->candidates.n; k++) {
        r->first[b->candidates.item[k] + 1]++;
    }
    for (uint32_t v = 0; v < n; v++) {
        r->first[v + 1] += r->first[v];
    }
    memcpy(next_free, r->first, sizeof(uint32_t) * n);
    for (uint32_t m = 0; m < b->n_multi; m++) {
        for (uint32_t k = 0; k < b->multi[m].n; k++) {
            uint32_t const vertex = b->candidates.item[b->multi[m].first + k];
            r->multi[next_free[vertex]++] = m;
        }
    }
    return true;
}

static void choose(struct build *b, struct multi *m, uint32_t vertex)
{
    if (m->chosen != MO_NONE) {
        b->g->need[m->chosen]++;
    }
    m->chosen = vertex;
    if (vertex != MO_NONE) {
        b->g->need[vertex]--;
    }
}

/* Each event chooses the candidate with the greatest need. */
static void match_greedily(struct build *b)
{
    for (uint32_t i = 0; i < b->n_multi; i++) {
        struct multi *m = &b->multi[i];
        uint32_t best = MO_NONE;
        int32_t most = 0;
        for (uint32_t k = 0; k < m->n; k++) {
            uint32_t const v = b->candidates.item[m->first + k];
            if (b->g->need[v] > most) {
                most = b->g->need[v];
                best = v;
            }
        }
        choose(b, m, best);
    }
}

/* m chooses `vertex`; the event by which the search reached that vertex chooses the vertex from which the search
 * reached the event, and so on to the root of the search. */
static void shift_choices(struct build *b, const struct reverse *r, struct multi *m,
                          uint32_t vertex)
{
    choose(b, m, vertex);
    while (r->via[vertex] != MO_NONE) {
        struct multi *back = &b->multi[r->via[vertex]];
        vertex = back->came_from;
        choose(b, back, vertex);
    }
}

/* Looks for an additional event to leave `root`, a vertex in need (seen more often than left): a breadth-first search
 * for an event that may leave it and has no choice yet, or whose chosen vertex is left too often. The events on the
 * path take over each other's choices, so that no other vertex loses one. true: found, and the need of `root` went down by
 * one. `stamp` marks the vertices of this search (is_new: not yet reached in it). *work is the budget; the events of `root`
 * itself are looked at even if it is spent. */
static bool augment(struct build *b, struct reverse *r, uint32_t root, uint32_t stamp,
                    int64_t *work)
{
    uint32_t n_queue = 0;
    r->queue[n_queue++] = root;
    r->stamp[root] = stamp;
    r->via[root] = MO_NONE;
    for (uint32_t q = 0; q < n_queue && (q == 0 || *work >= 0); q++) {
        uint32_t const vertex = r->queue[q];
        for (uint32_t k = r->first[vertex]; k < r->first[vertex + 1]; k++) {
            struct multi *m = &b->multi[r->multi[k]];
            uint32_t const chosen = m->chosen;
            bool const is_new = chosen != MO_NONE && chosen != vertex && r->stamp[chosen] != stamp;
            bool const is_spare = chosen == MO_NONE || (is_new && b->g->need[chosen] < 0);
            (*work)--;
            if (is_spare) {
                shift_choices(b, r, m, vertex);
                return true;
            }
            if (is_new) {
                r->stamp[chosen] = stamp;
                r->via[chosen] = r->multi[k];
                m->came_from = vertex;
                r->queue[n_queue++] = chosen;
            }
        }
    }
    return false;
}

/* Chooses for each event that may leave one of several values which one it leaves, so that as few vertices as
 * possible stay in need: a maximum bipartite matching by augmenting paths, from a greedy start. If the budget is
 * spent, the matching may not be maximum (is_lossy). false: the arena is full. */
static bool match(struct build *b, struct reverse *r)
{
    match_greedily(b);
    if (!make_reverse(b, r)) {
        return false;
    }
    int64_t work = MATCH_WORK;
    uint32_t stamp = 0;
    for (uint32_t v = 0; v < b->g->n_vertices; v++) {
        while (b->g->need[v] > 0 && work >= 0 && augment(b, r, v, ++stamp, &work)) {
        }
    }
    b->is_lossy |= work < 0;
    for (uint32_t i = 0; i < b->n_multi; i++) {
        struct multi *m = &b->multi[i];
        /* it must leave some value, though none is needed */
        if (m->chosen == MO_NONE && !m->is_optional && m->n > 0) {
            choose(b, m, b->candidates.item[m->first]);
        }
        b->g->head[m->event] = m->chosen;
        b->g->n_lost += m->chosen == MO_NONE && !m->is_optional;
    }
    return true;
}

/* --- are all edges connected? A union-find of vertices --- */

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static void join(uint32_t *parent, uint32_t v, uint32_t w)
{
    if (v != MO_NONE && w != MO_NONE) {
        parent[root_of(parent, v)] = root_of(parent, w);
    }
}

/* The vertex to which all edges must be connected: the start, the end, or a value that was seen. */
static uint32_t find_anchor(const struct build *b)
{
    const struct mo_graph *g = b->g;
    uint32_t anchor = g->start != MO_NONE ? g->start : g->end;
    for (uint32_t i = 0; i < b->j->n && anchor == MO_NONE; i++) {
        anchor = g->tail[i];
    }
    return anchor;
}

/* The tail of an event; the anchor for an event without a tail, which may come from any vertex. */
static uint32_t tail_or(const struct build *b, uint32_t event, uint32_t anchor)
{
    return b->g->tail[event] != MO_NONE ? b->g->tail[event] : anchor;
}

static void join_edges(struct build *b, uint32_t anchor)
{
    for (uint32_t v = 0; v < b->g->n_vertices; v++) {
        b->parent[v] = v;
    }
    for (uint32_t i = 0; i < b->j->n; i++) {
        join(b->parent, tail_or(b, i, anchor), b->g->head[i]);
    }
}

/* Joins by all candidates: what is not connected then is not connected in any choice. */
static void join_candidates(struct build *b, uint32_t anchor)
{
    for (uint32_t i = 0; i < b->n_multi; i++) {
        const struct multi *m = &b->multi[i];
        for (uint32_t k = 0; k < m->n; k++) {
            join(b->parent, tail_or(b, m->event, anchor), b->candidates.item[m->first + k]);
        }
    }
}

/* An event whose tail is not connected to the anchor; MO_NONE: all are connected. If only the final value is not
 * connected, no event is, and the first one stands for it. */
static uint32_t find_stray(struct build *b, uint32_t anchor)
{
    const struct mo_graph *g = b->g;
    for (uint32_t i = 0; i < b->j->n; i++) {
        if (g->tail[i] != MO_NONE && root_of(b->parent, g->tail[i]) != root_of(b->parent, anchor)) {
            return i;
        }
    }
    bool const is_end_apart =
        g->end != MO_NONE && root_of(b->parent, g->end) != root_of(b->parent, anchor);
    return is_end_apart && b->j->n ? 0 : MO_NONE;
}

/* Another event that chose `vertex`, and that may leave the value that m chose. */
static struct multi *find_partner(const struct build *b, const struct reverse *r,
                                  const struct multi *m, uint32_t vertex, int64_t *work)
{
    for (uint32_t k = r->first[vertex]; k < r->first[vertex + 1] && *work > 0; k++) {
        struct multi *other = &b->multi[r->multi[k]];
        (*work)--;
        if (other->chosen == vertex && has_candidate(b, other, m->chosen)) {
            return other;
        }
    }
    return NULL;
}

/*
 * Connects parts of the graph. Two events of different parts, each of which may leave what the other chose, exchange
 * their choices: the parts are then connected, and each vertex keeps its number of edges.
 */
static void join_parts(struct build *b, const struct reverse *r)
{
    int64_t work = JOIN_WORK;
    for (uint32_t i = 0; i < b->n_multi; i++) {
        struct multi *m = &b->multi[i];
        for (uint32_t k = 0; k < m->n && m->chosen != MO_NONE; k++) {
            uint32_t const wanted = b->candidates.item[m->first + k];
            if (root_of(b->parent, wanted) == root_of(b->parent, m->chosen)) {
                continue;
            }
            struct multi *partner = find_partner(b, r, m, wanted, &work);
            if (partner) {
                join(b->parent, wanted, m->chosen);
                partner->chosen = m->chosen;
                m->chosen = wanted;
                b->g->head[m->event] = m->chosen;
                b->g->head[partner->event] = partner->chosen;
            }
        }
    }
}

/* How many additional times values would have to be left, after the matching. */
static int64_t count_unfilled(const struct mo_graph *g)
{
    int64_t n_unfilled = 0;
    for (uint32_t v = 0; v < g->n_vertices; v++) {
        n_unfilled += g->need[v] > 0 ? g->need[v] : 0;
    }
    return n_unfilled;
}

/*
 * Sets g->answer by Euler's conditions: each value is left as often as it is seen, start and end counted, and all
 * edges are connected. Each condition is necessary, so a failed one proves GRAPH_NONE, unless the graph is_lossy.
 * Together they prove GRAPH_EXISTS if all originals are known and vertices are values one to one (not is_merged).
 * `reverse` is of the matching; it is used only if events have a choice.
 */
static void decide(struct build *b, const struct reverse *reverse)
{
    struct mo_graph *g = b->g;
    enum graph_answer const disproved = b->is_lossy ? GRAPH_MAYBE : GRAPH_NONE;
    g->stray = MO_NONE;
    g->answer = GRAPH_MAYBE;
    /* Degrees. An event that may leave any value fills one need, and so does an unknown initial value. */
    int64_t const n_fillers = (int64_t)b->n_free_heads + (g->start == MO_NONE);
    if (count_unfilled(g) > n_fillers) {
        g->answer = disproved;
        return;
    }
    /* Connection proves nothing where an event with a free head may lead from any part to any other. Nor where the path may
     * begin at an unknown value with an event without a tail: then no vertex is known to be on the path. With a known
     * start an event without a tail comes from a vertex that is connected with the start (tail_or). */
    bool const is_anchored = g->start != MO_NONE || b->j->n_unknown == 0;
    if (b->n_free_heads > 0 || !is_anchored) {
        return;
    }
    /* Connection, by the edges as the matching chose them. */
    uint32_t const anchor = find_anchor(b);
    join_edges(b, anchor);
    g->stray = find_stray(b, anchor);
    if (g->stray != MO_NONE && b->n_multi > 0) {
        join_parts(b, reverse);
        /* from scratch: an exchange of choices also removes edges, which a union-find cannot */
        join_edges(b, anchor);
        g->stray = find_stray(b, anchor);
    }
    if (g->stray == MO_NONE) {
        bool const is_sure = !b->is_merged && !b->is_lossy && b->j->n_unknown == 0;
        g->answer = is_sure ? GRAPH_EXISTS : GRAPH_MAYBE;
        return;
    }
    /* Connection, by all edges that any choice may give. A stray is kept also with GRAPH_MAYBE: it is a suspect if a
     * search proves that there is no order. */
    join_candidates(b, anchor);
    g->stray = find_stray(b, anchor);
    if (g->stray != MO_NONE) {
        g->answer = disproved;
    }
}

/* First the vertices, then the edges, then the matching for edges with a choice, then the answer. RES_NOMEM: the
 * arena is full. */
enum res mo_graph_make(const struct mo_job *j, struct mo_graph *g, struct err *e)
{
    struct build b = {.j = j, .g = g};
    struct reverse r = {.first = NULL};
    memset(g, 0, sizeof *g);
    if (!make_vertices(&b)) {
        return err_set(e, RES_NOMEM, "chain graph of %u events: arena full", j->n);
    }
    find_nans(&b);
    /* where originals may be returned flushed: is the initial value a subnormal, or may an unknown value be one? */
    b.has_tiny = j->sees_flush && (j->n_no_operand || !j->p->knows_initial ||
                                   format_is_subnormal(j->format, j->initial));
    for (uint32_t i = 0; i < j->n && !b.is_full; i++) {
        if (j->events[i].knows_original) {
            add_known(&b, i);
        } else {
            add_unknown(&b, i);
        }
    }
    if (b.is_full || (b.n_multi && !match(&b, &r))) {
        return err_set(e, RES_NOMEM, "chain graph of %u events: arena full", j->n);
    }
    /* a signalling initial value may be seen as its quiet form: two vertices for one value */
    b.is_lossy |= j->p->is_float && j->p->knows_initial && format_is_snan(j->format, j->initial) &&
                  mo_graph_find(g, j->initial | j->format->quiet) != MO_NONE;
    g->has_flushed = b.has_tiny && b.has_zero;
    /* a flushed original has the vertex of zero, though memory held another value */
    b.is_lossy |= g->has_flushed;
    decide(&b, &r);
    return RES_OK;
}

/* oracle/modorder/mo_graph.c -- edges from the value seen to the value left: degrees and connection. */
#include "oracle/modorder/mo_graph.h"

#include <assert.h>
#include <string.h>

#include "base/format.h"
#include "oracle/modorder/mo_step.h"

enum {
    MATCH_WORK = 4000000, /* edges looked at by the matching */
    JOIN_WORK = 40000     /* pairs looked at when parts are joined */
};

/* An event with several possible heads, or one that need not have any. */
struct multi {
    uint32_t event;
    uint32_t first, n;  /* its candidate vertices in cand[] */
    uint32_t chosen;    /* vertex or MO_NONE */
    int is_optional;    /* may leave the location as it was */
    uint32_t came_from; /* of the augmenting search */
};

struct build {
    const struct mo_job *j;
    struct mo_graph *g;
    struct multi *multi;
    uint32_t n_multi, max_multi;
    uint32_t *cand, n_cand, max_cand;
    uint32_t *nan, n_nan;   /* vertices that are NaN */
    uint32_t n_free_heads;  /* events that may leave anything */
    int is_lossy;           /* tails are not sure: "none" is not proven */
    int is_merged;          /* "exists" is not proven */
    int has_tiny, has_zero; /* a subnormal is left; a zero is seen by an addition, min or max */
    uint32_t *parent;       /* union-find */
    int is_full;            /* the arena was */
};

static uint64_t hash_value(uint64_t v)
{
    v *= UINT64_C(0x9e3779b97f4a7c15);
    return v ^ v >> 29;
}

uint32_t mo_graph_find(const struct mo_graph *g, uint64_t bits)
{
    for (uint64_t i = hash_value(bits);; i++) {
        uint32_t const at = g->table[i & g->table_mask];
        if (at == 0) {
            return MO_NONE;
        }
        if (g->value[at - 1] == bits) {
            return at - 1;
        }
    }
}

static uint32_t intern(struct mo_graph *g, uint64_t bits)
{
    for (uint64_t i = hash_value(bits);; i++) {
        uint32_t *const at = &g->table[i & g->table_mask];
        if (*at == 0) {
            g->value[g->n_vertices] = bits;
            *at = ++g->n_vertices;
            return g->n_vertices - 1;
        }
        if (g->value[*at - 1] == bits) {
            return *at - 1;
        }
    }
}

static int make_vertices(struct build *b)
{
    const struct mo_job *j = b->j;
    struct mo_graph *g = b->g;
    uint64_t n_slots = 16;
    while (n_slots < 2 * ((uint64_t)j->n + 2)) {
        n_slots *= 2;
    }
    g->table = ARENA_NEW(j->a, uint32_t, n_slots);
    g->value = ARENA_NEW(j->a, uint64_t, j->n + 2);
    g->tail = ARENA_NEW(j->a, uint32_t, j->n + 1);
    g->head = ARENA_NEW(j->a, uint32_t, j->n + 1);
    g->is_multi = ARENA_NEW(j->a, uint8_t, j->n + 1);
    g->need = ARENA_NEW(j->a, int32_t, j->n + 2);
    b->parent = ARENA_NEW(j->a, uint32_t, j->n + 2);
    if (!g->table || !g->value || !g->tail || !g->head || !g->is_multi || !g->need || !b->parent) {
        return 0;
    }
    g->table_mask = n_slots - 1;
    g->start = j->p->knows_initial ? intern(g, j->initial) : MO_NONE;
    g->end = j->p->knows_final ? intern(g, j->final) : MO_NONE;
    for (uint32_t i = 0; i < j->n; i++) {
        const struct mo_event *e = &j->events[i];
        g->tail[i] = e->knows_original ? intern(g, e->original) : MO_NONE;
        g->head[i] = MO_NONE;
        if (g->tail[i] != MO_NONE) {
            g->need[g->tail[i]]++;
        }
    }
    if (g->end != MO_NONE) {
        g->need[g->end]++;
    }
    if (g->start != MO_NONE) {
        g->need[g->start]--;
    }
    return 1;
}

static void find_nans(struct build *b)
{
    struct mo_graph *g = b->g;
    if (!b->j->p->is_float) {
        return;
    }
    uint32_t n = 0;
    for (uint32_t v = 0; v < g->n_vertices; v++) {
        n += (uint32_t)format_is_nan(b->j->format, g->value[v]);
    }
    b->nan = n ? ARENA_NEW(b->j->a, uint32_t, n) : NULL;
    if (n && !b->nan) {
        b->is_full = 1;
        return;
    }
    for (uint32_t v = 0; n && v < g->n_vertices; v++) {
        if (format_is_nan(b->j->format, g->value[v])) {
            b->nan[b->n_nan++] = v;
        }
    }
}

/* Room for one more item in an array of the arena; the old one is left behind. */
static void *grow(struct build *b, void *items, uint32_t n, uint32_t *max, size_t size)
{
    if (n < *max) {
        return items;
    }
    uint32_t const wide = *max ? *max * 2 : 256;
    void *more = arena_take(b->j->a, size * wide);
    if (!more) {
        b->is_full = 1;
        return items;
    }
    if (n) {
        memcpy(more, items, size * n);
    }
    *max = wide;
    return more;
}

static int has_candidate(const struct build *b, const struct multi *m, uint32_t vertex)
{
    for (uint32_t k = 0; k < m->n; k++) {
        if (b->cand[m->first + k] == vertex) {
            return 1;
        }
    }
    return 0;
}

static void add_candidate(struct build *b, struct multi *m, uint32_t vertex)
{
    if (vertex == MO_NONE || has_candidate(b, m, vertex)) {
        return;
    }
    b->cand = grow(b, b->cand, b->n_cand, &b->max_cand, sizeof(uint32_t));
    if (!b->is_full) {
        b->cand[b->n_cand++] = vertex;
        m->n++;
    }
}

/* A value may be seen as it is; a signalling NaN also quiet, a subnormal also as a zero where it
 * may be flushed. */
static void add_head(struct build *b, struct multi *m, struct mo_state s)
{
    const struct mo_graph *g = b->g;
    if (s.kind == STATE_VALUE) {
        add_candidate(b, m, mo_graph_find(g, s.bits));
        if (b->j->p->is_float && format_is_snan(b->j->format, s.bits)) {
            add_candidate(b, m, mo_graph_find(g, s.bits | b->j->format->quiet));
            b->is_merged = 1;
        }
        if (b->j->sees_flush && format_is_subnormal(b->j->format, s.bits)) {
            add_candidate(b, m, mo_graph_find(g, 0));
            add_candidate(b, m, mo_graph_find(g, b->j->format->sign));
            b->is_merged = 1;
        }
        return;
    }
    for (uint32_t i = 0; i < b->n_nan; i++) {
        add_candidate(b, m, b->nan[i]);
    }
}

static struct multi *add_multi(struct build *b, uint32_t event, int is_optional)
{
    b->multi = grow(b, b->multi, b->n_multi, &b->max_multi, sizeof(struct multi));
    if (b->is_full) {
        return NULL;
    }
    struct multi *m = &b->multi[b->n_multi++];
    *m = (struct multi){
        .event = event, .first = b->n_cand, .chosen = MO_NONE, .is_optional = is_optional};
    b->g->is_multi[event] = 1;
    return m;
}

/* Is a head sure to be seen as one vertex? Then it is taken at once. */
static int is_single(const struct build *b, const struct mo_heads *h)
{
    return h->n == 1 && h->is_complete && h->s[0].kind == STATE_VALUE &&
           !(b->j->p->is_float && format_is_snan(b->j->format, h->s[0].bits)) &&
           !(b->j->sees_flush && format_is_subnormal(b->j->format, h->s[0].bits));
}

/* Where originals may come back flushed: is there a zero that may have been something else? */
static void note_flush(struct build *b, const struct mo_event *e, const struct mo_heads *h)
{
    const struct float_format *f = b->j->format;
    if (!b->j->sees_flush) {
        return;
    }
    b->has_zero |= mo_is_float_op(e->op) && e->knows_original && format_is_zero(f, e->original);
    for (uint32_t k = 0; k < h->n; k++) {
        b->has_tiny |= h->s[k].kind != STATE_VALUE || format_is_subnormal(f, h->s[k].bits);
    }
}

static void place_known(struct build *b, uint32_t i)
{
    const struct mo_event *e = &b->j->events[i];
    struct mo_graph *g = b->g;
    struct mo_heads h;
    mo_step(b->j, e, mo_value(e->original), &h);
    note_flush(b, e, &h);
    int const is_quiet_nan = b->j->p->is_float && format_is_nan(b->j->format, e->original) &&
                             !format_is_snan(b->j->format, e->original);
    if (is_single(b, &h) && !is_quiet_nan) {
        g->head[i] = mo_graph_find(g, h.s[0].bits);
        if (g->head[i] != MO_NONE) {
            g->need[g->head[i]]--;
        } else {
            g->n_lost++;
        }
        return;
    }
    struct multi *m = add_multi(b, i, 0);
    for (uint32_t k = 0; m && k < h.n; k++) {
        if (h.s[k].kind == STATE_ANY) {
            b->n_free_heads++;
            b->n_multi--;
            return;
        }
        add_head(b, m, h.s[k]);
    }
    b->is_lossy |= !h.is_complete;
    /* What was seen quiet may have been signalling, and then more may be left. */
    if (m && is_quiet_nan && (e->original & b->j->format->frac) != b->j->format->quiet) {
        mo_step(b->j, e, mo_value(e->original & ~b->j->format->quiet), &h);
        for (uint32_t k = 0; k < h.n; k++) {
            add_head(b, m, h.s[k]);
        }
        b->is_merged = 1;
    }
}

static void place_unknown(struct build *b, uint32_t i)
{
    const struct mo_event *e = &b->j->events[i];
    b->has_tiny |=
        b->j->sees_flush && (e->op == MO_FADD || format_is_subnormal(b->j->format, e->operand));
    switch (e->op) {
    case MO_LOAD:
        return;
    case MO_STORE:
    case MO_EXCHANGE:
        if (!e->knows_operand) {
            b->n_free_heads++;
            return;
        }
        if ((b->j->p->is_float && format_is_snan(b->j->format, e->operand)) ||
            (b->j->sees_flush && format_is_subnormal(b->j->format, e->operand))) {
            struct multi *m = add_multi(b, i, 0);
            if (m) {
                add_head(b, m, mo_value(e->operand));
            }
            return;
        }
        b->g->head[i] = mo_graph_find(b->g, e->operand);
        if (b->g->head[i] != MO_NONE) {
            b->g->need[b->g->head[i]]--;
        }
        return;
    case MO_CMPXCHG:
    case MO_SMIN:
    case MO_UMIN:
    case MO_SMAX:
    case MO_UMAX:
        if (e->knows_operand) {
            struct multi *m = add_multi(b, i, 1);
            if (m) {
                add_candidate(b, m, mo_graph_find(b->g, e->operand));
            }
            return;
        }
        b->n_free_heads++;
        return;
    case MO_FMIN: /* zeros, NaNs and flushed operands make its head any of several: free */
    case MO_FMAX:
    case MO_FADD:
    case MO_IADD:
    case MO_ISUB:
    case MO_AND:
    case MO_OR:
    case MO_XOR:
        b->n_free_heads++;
        return;
    }
    assert(0 && "chain_op out of range");
}

/* Events by candidate vertex, for the way back of the matching. */
struct reverse {
    uint32_t *first; /* n_vertices + 1 */
    uint32_t *multi;
    uint32_t *queue; /* vertices of one search */
    uint32_t *via;   /* per vertex: multi it was reached by, + 1; MO_NONE for the root */
    uint32_t *stamp;
};

static int make_reverse(struct build *b, struct reverse *r)
{
    uint32_t const n = b->g->n_vertices;
    r->first = ARENA_NEW(b->j->a, uint32_t, n + 2);
    r->multi = ARENA_NEW(b->j->a, uint32_t, b->n_cand + 1);
    r->queue = ARENA_NEW(b->j->a, uint32_t, n + 1);
    r->via = ARENA_NEW(b->j->a, uint32_t, n + 1);
    r->stamp = ARENA_NEW(b->j->a, uint32_t, n + 1);
    if (!r->first || !r->multi || !r->queue || !r->via || !r->stamp) {
        return 0;
    }
    for (uint32_t k = 0; k < b->n_cand; k++) {
        r->first[b->cand[k] + 1]++;
    }
    uint32_t sum = 0;
    for (uint32_t v = 0; v <= n; v++) {
        sum += r->first[v];
        r->first[v] = sum;
    }
    uint32_t *at = ARENA_NEW(b->j->a, uint32_t, n + 1);
    if (!at) {
        return 0;
    }
    memcpy(at, r->first, sizeof(uint32_t) * n);
    for (uint32_t m = 0; m < b->n_multi; m++) {
        for (uint32_t k = 0; k < b->multi[m].n; k++) {
            r->multi[at[b->cand[b->multi[m].first + k]]++] = m;
        }
    }
    return 1;
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

static void match_greedily(struct build *b)
{
    for (uint32_t i = 0; i < b->n_multi; i++) {
        struct multi *m = &b->multi[i];
        uint32_t best = MO_NONE;
        int32_t most = 0;
        for (uint32_t k = 0; k < m->n; k++) {
            uint32_t const v = b->cand[m->first + k];
            if (b->g->need[v] > most) {
                most = b->g->need[v];
                best = v;
            }
        }
        choose(b, m, best);
    }
}

/* Shift choices along a path that ends at v: 1 when v's need went down by one. */
static int augment(struct build *b, struct reverse *r, uint32_t root, uint32_t stamp, int64_t *work)
{
    uint32_t n_queue = 0;
    r->queue[n_queue++] = root;
    r->stamp[root] = stamp;
    r->via[root] = MO_NONE;
    for (uint32_t q = 0; q < n_queue; q++) {
        uint32_t const v = r->queue[q];
        for (uint32_t k = r->first[v]; k < r->first[v + 1]; k++) {
            struct multi *m = &b->multi[r->multi[k]];
            uint32_t const u = m->chosen;
            (*work)--;
            if (u == v || (u != MO_NONE && r->stamp[u] == stamp)) {
                continue;
            }
            if (u != MO_NONE && b->g->need[u] >= 0) {
                r->stamp[u] = stamp;
                r->via[u] = r->multi[k];
                m->came_from = v;
                r->queue[n_queue++] = u;
                continue;
            }
            uint32_t to = v;
            choose(b, m, to);
            while (r->via[to] != MO_NONE) {
                struct multi *back = &b->multi[r->via[to]];
                to = back->came_from;
                choose(b, back, to);
            }
            return 1;
        }
        if (*work < 0) {
            return 0;
        }
    }
    return 0;
}

static int match(struct build *b, struct reverse *r)
{
    match_greedily(b);
    if (!make_reverse(b, r)) {
        return 0;
    }
    int64_t work = MATCH_WORK;
    uint32_t stamp = 0;
    for (uint32_t v = 0; v < b->g->n_vertices; v++) {
        while (b->g->need[v] > 0 && work >= 0) {
            if (!augment(b, r, v, ++stamp, &work)) {
                break;
            }
        }
    }
    b->is_lossy |= work < 0;
    for (uint32_t i = 0; i < b->n_multi; i++) {
        struct multi *m = &b->multi[i];
        if (m->chosen == MO_NONE && !m->is_optional && m->n > 0) {
            choose(b, m, b->cand[m->first]);
        }
        b->g->head[m->event] = m->chosen;
        b->g->n_lost += m->chosen == MO_NONE && !m->is_optional;
    }
    return 1;
}

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

/* An event outside the part that holds the start, or MO_NONE when all hang together. */
static uint32_t find_stray(struct build *b, int is_hopeful)
{
    struct mo_graph *g = b->g;
    uint32_t anchor = g->start != MO_NONE ? g->start : g->end;
    for (uint32_t v = 0; v < g->n_vertices; v++) {
        b->parent[v] = v;
    }
    for (uint32_t i = 0; i < b->j->n; i++) {
        if (g->tail[i] != MO_NONE) {
            anchor = anchor == MO_NONE ? g->tail[i] : anchor;
            join(b->parent, g->tail[i], g->head[i]);
        } else {
            join(b->parent, anchor, g->head[i]);
        }
    }
    for (uint32_t i = 0; is_hopeful && i < b->n_multi; i++) {
        uint32_t const tail = g->tail[b->multi[i].event];
        for (uint32_t k = 0; k < b->multi[i].n; k++) {
            join(b->parent, tail != MO_NONE ? tail : anchor, b->cand[b->multi[i].first + k]);
        }
    }
    for (uint32_t i = 0; i < b->j->n; i++) {
        if (g->tail[i] != MO_NONE && root_of(b->parent, g->tail[i]) != root_of(b->parent, anchor)) {
            return i;
        }
    }
    if (g->end != MO_NONE && root_of(b->parent, g->end) != root_of(b->parent, anchor)) {
        return b->j->n ? 0 : MO_NONE;
    }
    return MO_NONE;
}

/* Another event that chose `vertex` and may take m's choice instead. */
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

/* Two events of different parts that exchange their choices make one part of the two, and leave
 * the degrees as they are. */
static void join_parts(struct build *b, const struct reverse *r)
{
    int64_t work = JOIN_WORK;
    for (uint32_t i = 0; i < b->n_multi; i++) {
        struct multi *m = &b->multi[i];
        for (uint32_t k = 0; k < m->n && m->chosen != MO_NONE; k++) {
            uint32_t const v = b->cand[m->first + k];
            if (root_of(b->parent, v) == root_of(b->parent, m->chosen)) {
                continue;
            }
            struct multi *other = find_partner(b, r, m, v, &work);
            if (other) {
                join(b->parent, v, m->chosen);
                other->chosen = m->chosen;
                m->chosen = v;
                b->g->head[m->event] = m->chosen;
                b->g->head[other->event] = other->chosen;
            }
        }
    }
}

static void decide(struct build *b, const struct reverse *r)
{
    struct mo_graph *g = b->g;
    int64_t n_unfilled = 0;
    for (uint32_t v = 0; v < g->n_vertices; v++) {
        n_unfilled += g->need[v] > 0 ? g->need[v] : 0;
    }
    g->stray = MO_NONE;
    int64_t const slack = (int64_t)b->n_free_heads + (g->start == MO_NONE);
    if (n_unfilled > slack) {
        g->answer = b->is_lossy ? GRAPH_MAYBE : GRAPH_NONE;
        return;
    }
    g->answer = GRAPH_MAYBE;
    if (b->n_free_heads || (g->start == MO_NONE && b->j->n_unknown > 0)) {
        return; /* any part may be entered from anywhere */
    }
    g->stray = find_stray(b, 0);
    if (g->stray != MO_NONE && b->n_multi > 0) {
        join_parts(b, r);
        g->stray = find_stray(b, 0);
    }
    int const is_sure = !b->is_merged && !b->is_lossy && b->j->n_unknown == 0;
    if (g->stray == MO_NONE) {
        g->answer = is_sure ? GRAPH_EXISTS : GRAPH_MAYBE;
        return;
    }
    g->stray = b->n_multi ? find_stray(b, 1) : g->stray;
    if (g->stray != MO_NONE && !b->is_lossy) {
        g->answer = GRAPH_NONE;
    }
}

enum res mo_graph_make(const struct mo_job *j, struct mo_graph *g, struct err *e)
{
    struct build b = {.j = j, .g = g};
    struct reverse r = {.first = NULL};
    memset(g, 0, sizeof *g);
    if (!make_vertices(&b)) {
        return err_set(e, RES_NOMEM, "chain graph of %u events: arena full", j->n);
    }
    find_nans(&b);
    b.has_tiny = j->sees_flush && (j->n_no_operand || !j->p->knows_initial ||
                                   format_is_subnormal(j->format, j->initial));
    for (uint32_t i = 0; i < j->n && !b.is_full; i++) {
        if (j->events[i].knows_original) {
            place_known(&b, i);
        } else {
            place_unknown(&b, i);
        }
    }
    if (b.is_full || (b.n_multi && !match(&b, &r))) {
        return err_set(e, RES_NOMEM, "chain graph of %u events: arena full", j->n);
    }
    /* A signalling initial value may be seen quiet: two vertices for one value. */
    b.is_lossy |= j->p->is_float && j->p->knows_initial && format_is_snan(j->format, j->initial) &&
                  mo_graph_find(g, j->initial | j->format->quiet) != MO_NONE;
    g->has_flushed = b.has_tiny && b.has_zero;
    b.is_lossy |= g->has_flushed;
    decide(&b, &r);
    return RES_OK;
}

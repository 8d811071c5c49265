/* oracle/explain/explain_order.c -- an order of a location's atomics on a device that is taken to have a fault. */
#include "oracle/explain/explain_order.h"

#include "base/format.h"
#include "oracle/modorder/mo.h"
#include "oracle/modorder/mo_dfs.h"
#include "oracle/modorder/mo_job.h"
#include "oracle/modorder/mo_step.h"

enum {
    WORK = 200000, /* events looked at in one search */
    MAX_WAYS = 4,  /* values that one event may leave, by the fault or without it */
    MAX_HONEST = 2 /* right values of which a wrong one is made */
};

/* The state of the location: its value, and what its last update found and by which invocation (for faults that look
 * back). */
struct holding {
    struct mo_state value;
    bool has_last;
    uint64_t before;
    uint32_t last_by; /* invocation */
};
/* An alternative of the search (struct mo_way): what its location then holds is `after`, `before`, `number` (last_by),
 * and these flags. */
enum way_flags {
    WAY_HAS_LAST = 1,
    WAY_IS_FAULTY = 2,
    WAY_COULD_FAIL = 4 /* the fault would change something, and does not */
};
struct search {
    enum fault_id fault;
    bool is_everywhere;
    const struct mo_job *j;
    struct fault_site *const *site;
    uint32_t *at; /* per queue: next event, or MO_NONE */
    uint32_t *queue_of;
    uint32_t *phase_left;
    uint32_t n_left;
    /* By value: its number, and how many remaining events must see it. */
    struct mo_numbering seen;
    uint32_t *n_waiting;
    uint32_t n_blind; /* remaining events that may see any value */
    uint64_t position;
    struct mo_dfs dfs;
};

/* ---- one event ---- */

static uint64_t bits_of(const struct mo_job *j, struct mo_state v)
{
    return v.kind == STATE_NAN ? j->format->exp | (v.bits ? 1 : j->format->quiet) : v.bits;
}

static struct mo_state state_of(const struct mo_job *j, uint64_t bits)
{
    if (j->format && format_is_nan(j->format, bits)) {
        return (struct mo_state){format_is_snan(j->format, bits) != 0, STATE_NAN};
    }
    return mo_value(j->zero_blind && format_is_zero(j->format, bits) ? 0 : bits);
}

static bool holds(const struct mo_heads *heads, struct mo_state v)
{
    for (uint32_t i = 0; i < heads->n; i++) {
        if (heads->s[i].kind == v.kind && (v.kind != STATE_VALUE || heads->s[i].bits == v.bits)) {
            return true;
        }
    }
    return false;
}

/* What the fault makes of an event that finds `found` (exact, or some NaN) and without the fault would leave `left`, into
 * *effect. h: the location before. false: the fault changes nothing, or the result is permitted anyway. */
static bool apply(const struct search *s, uint32_t event, const struct holding *h,
                  struct mo_state found, struct mo_state left, struct fault_effect *effect)
{
    const struct mo_event *e = &s->j->events[event];
    struct fault_site site = *s->site[event];
    struct mo_heads heads, others;
    site.original = bits_of(s->j, found);
    /* a fault that looks back needs an update by another invocation that has changed the value */
    site.has_before = h->has_last && h->last_by != e->invocation && h->before != site.original;
    site.before = h->before;
    *effect = (struct fault_effect){
        .writes = e->op != MO_LOAD, .returned = site.original, .value = bits_of(s->j, left)};
    if (!fault_fits(s->fault, &site)) {
        return false;
    }
    mo_step(s->j, e, found, &heads);
    struct fault_site wrong = site;
    if (fault_computes_otherwise(s->fault, &wrong)) { /* from another original or operand */
        struct mo_event other = *e;
        other.operand = wrong.operand;
        mo_step(s->j, &other, state_of(s->j, wrong.original), &others);
        if (others.n == 0) {
            return false;
        }
        effect->value = bits_of(s->j, others.s[0]); /* one result is enough to show the fault */
    }
    bool const is_changed = fault_change(s->fault, &site, effect);
    bool const is_permitted =
        fault_changes_value(s->fault) && holds(&heads, state_of(s->j, effect->value));
    return is_changed && !is_permitted;
}

/* Does the effect change the event's own location? A stray write goes to the next element, or to another layer. */
static bool writes_here(const struct fault_effect *effect)
{
    return effect->writes && !effect->to_next && !effect->to_first_layer;
}

/* What the fault makes of event i, as e describes it, where the location holds exactly the original that e returned.
 * Of several permitted results the first stands for all: a wrong result is made of it. false: the fault changes
 * nothing, or the result depends on an operand that is not known. */
static bool apply_to_original(const struct search *s, uint32_t i, const struct mo_event *e,
                              struct fault_effect *effect)
{
    struct holding const h = {.value = mo_value(e->original)};
    struct mo_heads heads;
    mo_step(s->j, e, h.value, &heads);
    return heads.n > 0 && heads.s[0].kind != STATE_ANY &&
           apply(s, i, &h, h.value, heads.s[0], effect);
}

static struct holding leave(const struct search *s, uint32_t event, const struct holding *h,
                            struct mo_state found, bool writes, struct mo_state left)
{
    if (!writes) {
        struct holding same = *h;
        same.value = found;
        return same;
    }
    return (struct holding){.value = left,
                            .has_last = found.kind != STATE_ANY,
                            .before = bits_of(s->j, found),
                            .last_by = s->j->events[event].invocation};
}

/* Is the value that the faulty event returns the observed original? *found: what the location then held. */
static bool returns(const struct search *s, uint32_t event, const struct fault_effect *effect,
                    struct mo_state found)
{
    const struct mo_event *e = &s->j->events[event];
    struct mo_state ignored;
    return effect->returned == bits_of(s->j, found) ||
           mo_see(s->j, e, state_of(s->j, effect->returned), &ignored);
}

/* The score of an alternative, low first: events with a known original, then events that the fault changes, then events
 * with many events after them. */
static uint32_t score_of(const struct search *s, uint32_t event, bool is_faulty)
{
    enum {
        AFTER = 0xffff
    };
    uint32_t const n_after = s->j->n_after[event];
    return (s->j->events[event].knows_original ? 0 : 4U * AFTER) + (is_faulty ? 0 : 2U * AFTER) +
           (n_after < AFTER ? AFTER - n_after : 0);
}

/* Is the state v, which `event` leaves, a dead end: must all remaining events see another value? */
static bool is_dead_end(const struct search *s, struct mo_state v, uint32_t event)
{
    if (s->n_left <= 1 || s->n_blind > 0 || v.kind != STATE_VALUE ||
        mo_has_readings(s->j, v.bits)) {
        return false;
    }
    uint32_t const number = mo_numbering_find(&s->seen, v.bits);
    const struct mo_event *e = &s->j->events[event];
    bool const is_own = e->knows_original && e->original == v.bits;
    return number == MO_NONE || s->n_waiting[number] <= (is_own ? 1 : 0);
}

static struct holding held_at(const struct mo_way *at)
{
    return (struct holding){.value = at->after,
                            .has_last = (at->flags & WAY_HAS_LAST) != 0,
                            .before = at->before,
                            .last_by = at->number};
}

static void add_way(struct search *s, uint32_t event, const struct holding *after, unsigned flags)
{
    if (!is_dead_end(s, after->value, event)) {
        mo_dfs_add(&s->dfs, (struct mo_way){.event = event,
                                            .score = score_of(s, event, flags & WAY_IS_FAULTY),
                                            .after = after->value,
                                            .number = after->last_by,
                                            .flags = flags | (after->has_last ? WAY_HAS_LAST : 0),
                                            .before = after->before});
    }
}

/* Adds the alternatives in which the fault acts at the event, which finds `found` and without the fault leaves one of
 * `heads`; is_seen: without the fault the event may return its original here. true: the fault would act there. */
static bool add_faulty(struct search *s, uint32_t event, const struct holding *h,
                       struct mo_state found, bool is_seen, const struct mo_heads *heads)
{
    bool could_fail = false;
    for (uint32_t k = 0;
         s->site[event] && found.kind != STATE_ANY && k < heads->n && k < MAX_HONEST; k++) {
        struct fault_effect effect;
        if (!apply(s, event, h, found, heads->s[k], &effect)) {
            continue;
        }
        could_fail = true;
        bool const fits =
            effect.returned == bits_of(s->j, found) ? is_seen : returns(s, event, &effect, found);
        if (fits) {
            struct holding const after =
                leave(s, event, h, found, writes_here(&effect), state_of(s->j, effect.value));
            add_way(s, event, &after, WAY_IS_FAULTY);
        }
    }
    return could_fail;
}

/* Does the event see exactly the state h and leave it unchanged, by its only alternative? Then it may come at once:
 * all other events still see what they saw. A write leaves its trace in h even so, where the fault looks back at the
 * last update. */
static bool changes_nothing(const struct search *s, const struct mo_event *e,
                            const struct holding *h, const struct mo_way *only)
{
    bool const sees_state =
        e->knows_original && h->value.kind == STATE_VALUE && h->value.bits == e->original;
    bool const keeps_state = only->after.kind == STATE_VALUE && only->after.bits == h->value.bits;
    bool const leaves_trace = e->op != MO_LOAD && fault_looks_back(s->fault);
    return sees_state && keeps_state && !leaves_trace;
}

/* Adds the alternatives in which `event` comes next, in the state h: those with the fault, and those without it,
 * unless the fault acts wherever it can (is_everywhere) and can act here. true: the one alternative that was added
 * changes nothing, and no other event need be tried. */
static bool look_at(struct search *s, const struct holding *h, uint32_t event)
{
    const struct mo_event *e = &s->j->events[event];
    struct mo_state found = h->value; /* made more precise by what the event returned */
    bool const is_seen = mo_see(s->j, e, h->value, &found);
    struct mo_heads heads;
    uint32_t const first = s->dfs.n_pool;
    s->dfs.work--;
    mo_step(s->j, e, found, &heads);
    bool const could_fail = add_faulty(s, event, h, found, is_seen, &heads);
    bool const is_honest = is_seen && !(could_fail && s->is_everywhere);
    for (uint32_t k = 0; is_honest && k < heads.n && k < MAX_WAYS; k++) {
        struct holding const after = leave(s, event, h, found, e->op != MO_LOAD, heads.s[k]);
        add_way(s, event, &after, could_fail ? WAY_COULD_FAIL : 0);
    }
    return s->dfs.n_pool == first + 1 && changes_nothing(s, e, h, &s->dfs.pool[first]);
}

/* ---- the search ---- */

static uint32_t next_of(const struct mo_job *j, uint32_t event)
{
    uint32_t i = j->next[event];
    while (i != MO_NONE && mo_is_idle(&j->events[i])) {
        i = j->next[i];
    }
    return i;
}

/* Counts an event as a remaining one (one = 1), or as taken (one = UINT32_MAX, which wraps to -1). */
static void count(struct search *s, uint32_t event, uint32_t one)
{
    const struct mo_event *e = &s->j->events[event];
    s->n_left += one;
    s->phase_left[mo_phase_of(s->j, event)] += one;
    /* an event that the fault may let see another value than that of the location may see any value, too */
    bool const is_sure = e->knows_original && !(s->site[event] && fault_looks_back(s->fault)) &&
                         s->fault != FAULT_EXCHANGE_RETURNS_VALUE && s->fault != FAULT_ADDRESS_CUT;
    if (is_sure) {
        s->n_waiting[mo_numbering_find(&s->seen, e->original)] += one;
    } else {
        s->n_blind += one;
    }
}

static void take(void *user, uint32_t event)
{
    struct search *const s = user;
    uint32_t const q = s->queue_of[event], next = next_of(s->j, event);
    s->position += (next == MO_NONE ? 0 : mo_mix(q, next)) - mo_mix(q, event);
    s->at[q] = next;
    count(s, event, UINT32_MAX);
}

static void put_back(void *user, uint32_t event)
{
    struct search *const s = user;
    uint32_t const q = s->queue_of[event], next = next_of(s->j, event);
    s->position -= (next == MO_NONE ? 0 : mo_mix(q, next)) - mo_mix(q, event);
    s->at[q] = event;
    count(s, event, 1);
}

static uint64_t hash(const void *user, const struct mo_way *at)
{
    const struct search *const s = user;
    uint64_t const position = mo_mix(mo_mix(s->position, at->after.bits), (uint64_t)at->after.kind);
    return fault_looks_back(s->fault) ? mo_mix(mo_mix(position, at->before), at->number) : position;
}

static void list(struct mo_dfs *d, const struct mo_way *at)
{
    struct search *const s = d->user;
    struct holding const h = held_at(at);
    uint32_t phase = 0;
    while (phase + 1 < s->j->n_phases && s->phase_left[phase] == 0) {
        phase++;
    }
    for (uint32_t q = 0; q < s->j->n_queues && d->work >= 0; q++) {
        uint32_t const event = s->at[q];
        if (event != MO_NONE && mo_phase_of(s->j, event) <= phase && look_at(s, &h, event)) {
            mo_dfs_add_only(d, d->pool[d->n_pool - 1]);
            return;
        }
    }
}

static bool is_goal(const void *user, const struct mo_way *at)
{
    const struct search *const s = user;
    const struct mo_problem *p = s->j->p;
    return s->n_left == 0 && (!p->knows_final || mo_ends_at(s->j, at->after, s->j->final));
}

static const struct mo_dfs_caller caller = {
    .list = list, .take = take, .put_back = put_back, .hash = hash, .is_goal = is_goal};

static bool make(struct search *s)
{
    const struct mo_job *j = s->j;
    uint32_t **const arrays[] = {&s->at, &s->queue_of, &s->phase_left, &s->n_waiting};
    s->dfs = (struct mo_dfs){.caller = &caller, .user = s, .a = j->a, .work = WORK};
    if (!mo_dfs_make(&s->dfs, j->n) || !mo_numbering_make(&s->seen, j->a, j->n + 1) ||
        !mo_take_arrays(j->a, (size_t)j->n + j->n_phases + 2, arrays, ARRAY_N(arrays))) {
        return false;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        (void)mo_numbering_add(&s->seen, j->events[i].original);
    }
    for (uint32_t q = 0; q < j->n_queues; q++) {
        uint32_t i = j->queue[q];
        i = mo_is_idle(&j->events[i]) ? next_of(j, i) : i;
        s->at[q] = i;
        s->position += i == MO_NONE ? 0 : mo_mix(q, i);
        for (; i != MO_NONE; i = next_of(j, i)) {
            s->queue_of[i] = q;
            count(s, i, 1);
        }
    }
    return true;
}

/* Searches for an order in which the fault acts wherever it can (is_everywhere), or at any of its sites. */
static enum res try_one(enum fault_id fault, const struct mo_job *j, struct fault_site *const *site,
                        bool is_everywhere, struct explain_order *out, struct err *e)
{
    struct search s = {.fault = fault, .is_everywhere = is_everywhere, .j = j, .site = site};
    *out = (struct explain_order){.is_found = false};
    if (!make(&s)) {
        return err_set(e, RES_NOMEM, "order of %u events: arena full", j->n);
    }
    struct mo_state const start =
        j->p->knows_initial ? mo_value(j->initial) : (struct mo_state){0, STATE_ANY};
    enum search_answer const answer =
        mo_dfs_run(&s.dfs, (struct mo_way){.event = MO_NONE, .after = start});
    out->is_found = answer == SEARCH_FOUND;
    out->is_proven = answer != SEARCH_OUT;
    for (uint32_t d = 1; out->is_found && d <= s.dfs.depth; d++) {
        unsigned const flags = mo_dfs_taken(&s.dfs, d)->flags;
        out->n_taken += (flags & WAY_IS_FAULTY) != 0;
        out->n_kept += (flags & WAY_COULD_FAIL) != 0;
    }
    return RES_OK;
}

/* ---- the same problem with what the fault does in place of the operations ---- */

/* Does the fault prevent event i from writing to its location, whatever the location holds? It is asked of an example
 * in which the location holds 1 and becomes 0. A fault that also changes what is returned is left out, as no original
 * was observed; but of a cut address it is known that nothing is written. */
static bool never_writes(const struct search *s, uint32_t i)
{
    enum {
        HELD = 1,
        LEFT = 0
    };
    struct fault_site site = *s->site[i];
    struct fault_effect effect = {.writes = true, .value = LEFT, .returned = HELD};
    site.original = HELD;
    return fault_fits(s->fault, &site) && fault_change(s->fault, &site, &effect) &&
           (effect.returned == HELD || s->fault == FAULT_ADDRESS_CUT) && !writes_here(&effect);
}

/* Does the fault let event i return a value that does not depend on the location, and was that value observed? */
static bool returns_other(const struct search *s, uint32_t i, const struct mo_event *e)
{
    struct fault_site const *const site = s->site[i];
    if (!e->knows_original || !fault_fits(s->fault, site)) {
        return false;
    }
    return (s->fault == FAULT_EXCHANGE_RETURNS_VALUE && e->original == e->operand) ||
           (s->fault == FAULT_ADDRESS_CUT && e->original == 0);
}

/* Rewrites e, a copy of event i, into the operation that a device without the fault would have to execute to behave as the
 * fault does: a load where the location stays as it is, else an exchange. A load without an original constrains nothing.
 * true: e is rewritten; false: the fault does not act at the event, or its effect depends on what the location held. */
static bool transform(const struct search *s, uint32_t i, struct mo_event *e)
{
    if (returns_other(s, i, e)) { /* what it returned says nothing of the location */
        e->knows_original = 0;
        bool const is_cut = s->fault == FAULT_ADDRESS_CUT; /* then nothing is written either */
        e->op = is_cut ? MO_LOAD : e->op;
        return true;
    }
    if (!e->knows_original) {
        bool const is_lost = e->op != MO_LOAD && never_writes(s, i);
        e->op = is_lost ? MO_LOAD : e->op;
        return is_lost;
    }
    struct fault_effect effect;
    /* if the fault changes what is returned, the location did not hold the observed original */
    if (!apply_to_original(s, i, e, &effect) || effect.returned != e->original) {
        return false;
    }
    e->has_range = 0; /* the operand that could be contracted is replaced */
    /* the same operation on another operand: mo_check knows its roundings */
    if (s->fault == FAULT_COMPONENT_OF_OTHER) {
        e->operand = s->site[i]->other_operand;
        return true;
    }
    e->op = writes_here(&effect) ? MO_EXCHANGE : MO_LOAD;
    e->operand = effect.value;
    e->knows_operand = 1;
    return true;
}

/* Asks mo_check for an order of the events as the fault changes them (transform). It is not asked where the effect of
 * the fault depends on the event before (fault_looks_back), or where the fault changes no event. */
static enum res try_transformed(enum fault_id fault, const struct mo_job *j,
                                struct fault_site *const *site, struct explain_order *out,
                                struct err *e)
{
    struct search const s = {.fault = fault, .j = j, .site = site};
    struct mo_problem changed = *j->p;
    struct mo_answer answer;
    struct mo_event *events = arena_copy(j->a, j->p->events, sizeof *events * j->n);
    *out = (struct explain_order){.is_found = false};
    if (!events) {
        return err_set(e, RES_NOMEM, "order of %u events: arena full", j->n);
    }
    for (uint32_t i = 0; i < j->n; i++) {
        out->n_taken += site[i] && transform(&s, i, &events[i]);
    }
    if (fault_looks_back(fault) || out->n_taken == 0) {
        return RES_OK;
    }
    changed.events = events;
    TRY(mo_check(&changed, j->a, &answer, e));
    out->is_found = answer.kind == VERDICT_OK;
    out->n_taken = out->is_found ? out->n_taken : 0;
    return RES_OK;
}

/* ---- locations of which only the final value was observed ---- */

/* Are the initial value, the final value and all operands known, and no original? */
static bool is_blind(const struct mo_job *j)
{
    bool is_final_only = j->p->knows_initial && j->p->knows_final;
    for (uint32_t i = 0; i < j->n && is_final_only; i++) {
        is_final_only = !j->events[i].knows_original &&
                        (j->events[i].knows_operand || j->events[i].op == MO_LOAD);
    }
    return is_final_only;
}

/* Applies one event to the state h, with the fault if it acts there. */
static void happen(const struct search *s, uint32_t event, struct rng *rng, struct holding *h,
                   uint32_t *n_taken)
{
    struct mo_heads heads;
    struct fault_effect effect;
    mo_step(s->j, &s->j->events[event], h->value, &heads);
    struct mo_state const left = heads.s[heads.n ? rng_below(rng, heads.n) : 0];
    if (s->site[event] && apply(s, event, h, h->value, left, &effect)) {
        *h = leave(s, event, h, h->value, writes_here(&effect), state_of(s->j, effect.value));
        ++*n_taken;
    } else {
        *h = leave(s, event, h, h->value, s->j->events[event].op != MO_LOAD, left);
    }
}

/* Applies all events in a random order that keeps program order and phases. */
static void run_drawn(struct search *s, struct rng *rng, struct holding *h, uint32_t *n_taken)
{
    *h = (struct holding){.value = mo_value(s->j->initial)};
    *n_taken = 0;
    for (uint32_t n = s->n_left; n > 0 && h->value.kind == STATE_VALUE; n--) {
        uint32_t phase = 0, q = (uint32_t)rng_below(rng, s->j->n_queues);
        while (phase + 1 < s->j->n_phases && s->phase_left[phase] == 0) {
            phase++;
        }
        while (s->at[q] == MO_NONE || mo_phase_of(s->j, s->at[q]) > phase) {
            q = (q + 1) % s->j->n_queues;
        }
        uint32_t const event = s->at[q];
        happen(s, event, rng, h, n_taken);
        take(s, event);
    }
}

/* A key that orders values as numbers. */
static int64_t key_of(const struct mo_job *j, uint64_t bits)
{
    return j->format ? format_to_key(j->format, bits) : (int64_t)bits;
}

/* Draws random orders, with the fault wherever it can act: is the final value between the least and the greatest of
 * their final values? Then it is estimated that some order gives it. Nothing is found where an order ends at no one
 * value, or where the fault does not act in it. out->n_taken is that of the last order; out->n_free: which of the
 * values between was given. */
static enum res try_drawn(enum fault_id fault, const struct mo_job *j,
                          struct fault_site *const *site, struct explain_order *out, struct err *e)
{
    enum {
        N_DRAWN = 48 /* orders */
    };
    struct rng rng = rng_seed(j->n); /* the same orders in each run of the judgement */
    int64_t low = INT64_MAX, high = INT64_MIN;
    uint32_t n_taken = 0;
    *out = (struct explain_order){.is_found = false};
    for (int i = 0; i < N_DRAWN; i++) {
        struct arena_mark const mark = arena_get_mark(j->a);
        struct search s = {.fault = fault, .is_everywhere = true, .j = j, .site = site};
        struct holding h;
        if (!make(&s)) {
            return err_set(e, RES_NOMEM, "order of %u events: arena full", j->n);
        }
        run_drawn(&s, &rng, &h, &n_taken);
        arena_release(j->a, mark);
        if (h.value.kind != STATE_VALUE || n_taken == 0) {
            return RES_OK;
        }
        int64_t const key = key_of(j, h.value.bits);
        low = key < low ? key : low;
        high = key > high ? key : high;
    }
    int64_t const final = key_of(j, j->final);
    uint64_t const width = (uint64_t)high - (uint64_t)low;
    out->is_found = low <= final && final <= high;
    if (out->is_found) {
        out->n_taken = n_taken;
        out->n_free = hypothesis_count_bits(width < UINT32_MAX ? (uint32_t)width + 1 : UINT32_MAX);
    }
    return RES_OK;
}

/* Tries the methods in turn: the transformed problem; random orders, where only the final value was observed; else
 * the search, with the fault everywhere, then at any of its sites. */
static enum res find(enum fault_id fault, const struct mo_problem *p,
                     struct fault_site *const *site, struct arena *a, struct explain_order *out,
                     struct err *e)
{
    struct mo_job j;
    TRY(mo_job_make(p, a, &j, e));
    j.policy = POLICY_FULL;
    TRY(try_transformed(fault, &j, site, out, e));
    if (!out->is_found && is_blind(&j)) {
        return try_drawn(fault, &j, site, out, e);
    }
    if (out->is_found) {
        return RES_OK;
    }
    TRY(try_one(fault, &j, site, true, out, e));
    return out->is_found ? RES_OK : try_one(fault, &j, site, false, out, e);
}

/* The arena is released afterwards: a run makes thousands of searches. */
enum res explain_order_find(enum fault_id fault, const struct mo_problem *p,
                            struct fault_site *const *site, struct arena *a,
                            struct explain_order *out, struct err *e)
{
    struct arena_mark const mark = arena_get_mark(a);
    enum res const r = find(fault, p, site, a, out, e);
    arena_release(a, mark);
    return r;
}

/* Counts into *out the events with an observed original that the fault would change. If there are none, an event without an
 * original, or one whose effect depends on the event before, may have shown the fault all the same: of a location with few
 * events a search asks whether an order exists with the fault wherever it can act. If it proves that none does, the
 * fault would have shown, and one event is counted. */
static enum res count_sites(enum fault_id fault, const struct mo_problem *p,
                            struct fault_site *const *site, struct arena *a, uint32_t *out,
                            struct err *e)
{
    enum {
        MAX_EVENTS = 64 /* of a location that is searched */
    };
    struct mo_job j;
    struct explain_order order;
    bool has_blind = false, has_site = false;
    *out = 0;
    TRY(mo_job_make(p, a, &j, e));
    j.policy = POLICY_FULL;
    struct search const s = {.fault = fault, .j = &j, .site = site};
    for (uint32_t i = 0; i < j.n; i++) {
        struct fault_effect ignored;
        has_site |= site[i] != NULL;
        has_blind |= site[i] && !j.events[i].knows_original;
        *out += site[i] && j.events[i].knows_original &&
                apply_to_original(&s, i, &j.events[i], &ignored);
    }
    bool const is_searched = has_blind || (has_site && fault_looks_back(fault));
    if (*out > 0 || !is_searched || j.n > MAX_EVENTS) {
        return RES_OK;
    }
    TRY(try_one(fault, &j, site, true, &order, e));
    *out = !order.is_found && order.is_proven;
    return RES_OK;
}

enum res explain_order_count(enum fault_id fault, const struct mo_problem *p,
                             struct fault_site *const *site, struct arena *a, uint32_t *out,
                             struct err *e)
{
    struct arena_mark const mark = arena_get_mark(a);
    enum res const r = count_sites(fault, p, site, a, out, e);
    arena_release(a, mark);
    return r;
}

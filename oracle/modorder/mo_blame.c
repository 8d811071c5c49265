/* oracle/modorder/mo_blame.c -- what is wrong where no order explains the originals. */
#include "oracle/modorder/mo_blame.h"

#include "base/format.h"
#include "oracle/modorder/mo_job.h"
#include "oracle/modorder/mo_step.h"

enum {
    BLAME_MAX_ENDS = MO_MAX_SUSPECTS, /* events of each kind that may become suspects */
    BLAME_MAX_LEAVERS = 64            /* events that are diagnosed to find the most specific one */
};

/* The ends of broken steps: values that were left and not seen next, and values that were seen and not left before. */
struct ends {
    uint32_t n_left, n_seen;            /* number of values of each kind */
    uint32_t leaver[BLAME_MAX_LEAVERS]; /* events that may have left a value that was not seen */
    uint32_t n_leavers;                 /* next; several for each such value */
    uint32_t seen[BLAME_MAX_ENDS];      /* vertices of values that nothing left */
    uint32_t
        seer[BLAME_MAX_ENDS]; /* an event that saw that value; MO_NONE: it is the final value */
};

/* Counts the values of both kinds, and lists the vertices that were seen more often than left. */
static void find_broken_vertices(const struct mo_graph *g, struct ends *x)
{
    x->n_left = g->n_lost;
    for (uint32_t v = 0; v < g->n_vertices; v++) {
        int32_t const need = g->need[v];
        x->n_left += need < 0 ? (uint32_t)-need : 0;
        for (int32_t k = 0; k < need; k++, x->n_seen++) {
            if (x->n_seen < BLAME_MAX_ENDS) {
                x->seen[x->n_seen] = v;
                x->seer[x->n_seen] = MO_NONE;
            }
        }
    }
}

/* Finds the events at the ends of the broken steps. */
static void find_ends(const struct mo_job *j, const struct mo_graph *g, struct ends *x)
{
    *x = (struct ends){0};
    find_broken_vertices(g, x);
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t const head = g->head[i];
        /* it left a value that nothing saw, or one that was left more often than seen */
        bool const is_leaver = head == MO_NONE ? g->tail[i] != MO_NONE : g->need[head] < 0;
        if (is_leaver && !mo_is_idle(&j->events[i]) && x->n_leavers < BLAME_MAX_LEAVERS) {
            x->leaver[x->n_leavers++] = i;
        }
        for (uint32_t k = 0; k < x->n_seen && k < BLAME_MAX_ENDS; k++) {
            if (x->seer[k] == MO_NONE && x->seen[k] == g->tail[i]) {
                x->seer[k] = i;
                break;
            }
        }
    }
}

/* Was the value of the vertex seen although no event brought it, as each event that left it had found it? */
static bool comes_of_nothing(const struct mo_job *j, const struct mo_graph *g, uint32_t vertex)
{
    if (vertex == MO_NONE || vertex == g->start || g->need[vertex] <= 0) {
        return false;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        if (g->head[i] == vertex && g->tail[i] != vertex) {
            return false;
        }
    }
    return true;
}

/* An event whose mistake its own values do not show. Its operand was seen, and no event brought that value. An exchange
 * that found its operand may have returned the operand in place of the original. A compare-exchange that must not store may
 * have stored, if the value that it found was not seen next. MO_NONE: there is none. */
static uint32_t find_hidden(const struct mo_job *j, const struct mo_graph *g)
{
    for (uint32_t i = 0; i < j->n; i++) {
        const struct mo_event *const e = &j->events[i];
        bool const is_own = e->op == MO_EXCHANGE && e->original == e->operand;
        bool const is_refused = e->op == MO_CMPXCHG && e->original != e->comparator &&
                                (g->head[i] == MO_NONE || g->need[g->head[i]] < 0);
        if ((is_own || is_refused) && e->knows_original && e->knows_operand &&
            comes_of_nothing(j, g, mo_graph_find(g, e->operand))) {
            return i;
        }
    }
    return MO_NONE;
}

/* A value of the location as the finding's text has it. */
static const char *show_value(const struct mo_job *j, uint64_t bits)
{
    char text[64];
    return j->p->is_float
               ? arena_printf(j->a, "%s", format_to_text(j->format, bits, text, sizeof text))
               : arena_printf(j->a, "0x%llx", (unsigned long long)bits);
}

/* What an event leaves of the value `from`: its only permitted value, or the first one; some NaN as the default NaN. */
static uint64_t get_value_left(const struct mo_job *j, uint32_t event, uint64_t from)
{
    struct mo_heads h;
    mo_step(j, &j->events[event], mo_value(from), &h);
    return h.s[0].kind == STATE_NAN ? j->format->exp | j->format->quiet : h.s[0].bits;
}

struct diagnosis {
    enum verdict_kind kind;
    enum clause_id clause;
    const char *what;
    int weight; /* the more specific the diagnosis, the greater */
};

/* The clause for the location's format: sums of bfloat16 have a clause of their own. */
static enum clause_id clause_for(const struct mo_job *j, enum clause_id clause)
{
    bool const is_bfloat = j->p->is_float && j->p->fmt == FMT_BF16;
    return is_bfloat && clause == CLAUSE_FADD_CR ? CLAUSE_FADD_BF16 : clause;
}

/* Diagnoses a broken step: event i, by its original and operand, leaves the value `left`, but the value `next` was
 * seen next. The tests go from the special to the general, and the more special one has the greater weight
 * (blame_step). next == left comes of an event that may leave several values, of which get_value_left takes the first: then
 * nothing was lost or came twice. */
static struct diagnosis diagnose_step(const struct mo_job *j, uint32_t i, uint64_t left,
                                      uint64_t next)
{
    const struct mo_event *e = &j->events[i];
    const struct float_format *f = j->format;
    bool const is_float_op = mo_is_float_op(e->op);
    bool const has_nan = is_float_op && (format_is_nan(f, next) || format_is_nan(f, e->original) ||
                                         format_is_nan(f, e->operand));
    enum clause_id const rule =
        clause_for(j, e->op == MO_FADD ? CLAUSE_FADD_CR : CLAUSE_FMIN_NUMBER);
    if (has_nan) {
        /* of an addition the rule is that of sums: a NaN gives a NaN */
        return (struct diagnosis){VERDICT_NAN_RULE, e->op == MO_FADD ? rule : CLAUSE_FMIN_NAN,
                                  "a NaN decided wrongly", 5};
    }
    if (is_float_op && format_is_zero(f, left) && format_is_zero(f, next)) {
        return (struct diagnosis){VERDICT_ZERO_SIGN, rule, "a zero has the wrong sign", 5};
    }
    if (next == e->original && next != left) {
        return (struct diagnosis){VERDICT_ATOMICITY, CLAUSE_RMW_CHAIN, "the update was lost", 4};
    }
    if (next == get_value_left(j, i, left) && next != left) {
        return (struct diagnosis){VERDICT_ATOMICITY, CLAUSE_RMW_CHAIN, "the update came twice", 3};
    }
    if (is_float_op) {
        return (struct diagnosis){VERDICT_ULP, rule, "the value is wrong", 2};
    }
    return (struct diagnosis){VERDICT_ATOMICITY, CLAUSE_RMW_CHAIN, "the next value is another", 1};
}

/* Adds a suspect, unless it is there, is MO_NONE, or MO_MAX_SUSPECTS are there. */
static void add_suspect(struct mo_answer *out, uint32_t event)
{
    for (uint32_t i = 0; i < out->n_suspects; i++) {
        if (out->suspect[i] == event) {
            return;
        }
    }
    if (event != MO_NONE && out->n_suspects < MO_MAX_SUSPECTS) {
        out->suspect[out->n_suspects++] = event;
    }
}

/* A finding needs a suspect: takes the first event if there is none. */
static void ensure_suspect(struct mo_answer *out)
{
    if (out->n_suspects == 0) {
        add_suspect(out, 0);
    }
}

/* Exactly one step is broken. Of the events that may have left the value that was not seen next (x->leaver), the one
 * with the most specific diagnosis is named. x->seer[0] is the event that saw another value instead; MO_NONE: that
 * value is the final one. *out stays unchanged if no such event has a known original and operand. */
static void blame_step(const struct mo_job *j, const struct mo_graph *g, const struct ends *x,
                       struct mo_answer *out)
{
    uint64_t const next = g->value[x->seen[0]];
    struct diagnosis best = {.weight = 0};
    uint32_t culprit = MO_NONE;
    for (uint32_t k = 0; k < x->n_leavers; k++) {
        uint32_t const i = x->leaver[k];
        const struct mo_event *e = &j->events[i];
        if (!e->knows_original || !e->knows_operand) { /* what it left is not known */
            continue;
        }
        uint64_t const left = get_value_left(j, i, e->original);
        struct diagnosis const d = diagnose_step(j, i, left, next);
        if (d.weight > best.weight) {
            best = d;
            culprit = i;
            out->expected = left;
        }
    }
    if (best.weight == 0) {
        return;
    }
    out->kind = best.kind;
    out->clause = best.clause;
    add_suspect(out, culprit);
    add_suspect(out, find_hidden(j, g));
    add_suspect(out, x->seer[0]);
    out->has_values = 1;
    out->got = next;
    out->text = arena_printf(
        j->a,
        "the operation of invocation %u found %s, and with operand %s it leaves %s, but %s is %s: "
        "%s",
        j->events[culprit].invocation, show_value(j, j->events[culprit].original),
        show_value(j, j->events[culprit].operand), show_value(j, out->expected),
        show_value(j, next), x->seer[0] == MO_NONE ? "the final value" : "found next", best.what);
}

/* How many encodings lie between two values of the location. */
static uint64_t get_distance(const struct mo_job *j, uint64_t x, uint64_t y)
{
    int64_t const a = j->p->is_float ? format_to_key(j->format, x) : (int64_t)x;
    int64_t const b = j->p->is_float ? format_to_key(j->format, y) : (int64_t)y;
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* The value nearest to what the operation leaves, among those that were found and never left. */
static uint64_t find_nearest(const struct mo_job *j, const struct mo_graph *g, const struct ends *x,
                             uint64_t left)
{
    uint64_t best = g->value[x->seen[0]];
    for (uint32_t k = 1; k < x->n_seen && k < BLAME_MAX_ENDS; k++) {
        uint64_t const value = g->value[x->seen[k]];
        best = get_distance(j, value, left) < get_distance(j, best, left) ? value : best;
    }
    return best;
}

/* Does one know what the event left? Not of one whose operand is undefined. */
static bool is_left_known(const struct mo_job *j, uint32_t event)
{
    const struct mo_event *const e = &j->events[event];
    struct mo_heads h;
    if (!e->knows_original || !e->knows_operand) {
        return false;
    }
    mo_step(j, e, mo_value(e->original), &h);
    return h.s[0].kind != STATE_ANY;
}

/* The event whose broken step is easiest to follow: it left a value that was not seen next, and that value is nearest to one
 * that was seen and not left. MO_NONE: there is none, or nothing was seen that nothing left. */
static uint32_t find_clearest(const struct mo_job *j, const struct mo_graph *g,
                              const struct ends *x)
{
    uint32_t best = MO_NONE;
    uint64_t least = UINT64_MAX;
    for (uint32_t k = 0; x->n_seen > 0 && k < x->n_leavers; k++) {
        uint32_t const i = x->leaver[k];
        if (!is_left_known(j, i)) {
            continue;
        }
        uint64_t const left = get_value_left(j, i, j->events[i].original);
        uint64_t const distance = get_distance(j, find_nearest(j, g, x, left), left);
        best = best == MO_NONE || distance < least ? i : best;
        least = best == i ? distance : least;
    }
    return best;
}

/* Several steps are broken, or the graph is not connected. Suspects are, in this order: the clearest of the events that left
 * a value that was not seen next (x->leaver), an event whose mistake is hidden (find_hidden), the first leaver, the events
 * that saw a value that nothing left (x->seer), more leavers, and an event of a part of the graph that cannot be reached
 * (g->stray). The values of the first suspect are shown if they are known. If nothing was seen that nothing left (x->n_seen
 * is 0), the degrees are right, and the text is that of a part that cannot be reached. */
static void blame_many(const struct mo_job *j, const struct mo_graph *g, const struct ends *x,
                       struct mo_answer *out)
{
    out->kind = VERDICT_ATOMICITY;
    out->clause = CLAUSE_RMW_CHAIN;
    uint32_t const known = find_clearest(j, g, x);
    add_suspect(out, known);
    add_suspect(out, find_hidden(j, g));
    add_suspect(out, x->n_leavers ? x->leaver[0] : MO_NONE);
    for (uint32_t k = 0; k < x->n_seen && k < BLAME_MAX_ENDS; k++) {
        add_suspect(out, x->seer[k]);
    }
    for (uint32_t k = 1; k < x->n_leavers && k < BLAME_MAX_ENDS; k++) {
        add_suspect(out, x->leaver[k]);
    }
    add_suspect(out, g->stray);
    ensure_suspect(out);
    uint32_t const i = out->suspect[0];
    if (known != MO_NONE) {
        out->has_values = 1;
        out->expected = get_value_left(j, i, j->events[i].original);
        out->got = find_nearest(j, g, x, out->expected);
    }
    if (x->n_seen == 0) {
        out->text =
            arena_printf(j->a, "no order reaches the operation of invocation %u, which found %s",
                         j->events[i].invocation, show_value(j, j->events[i].original));
        return;
    }
    const char *const counts =
        arena_printf(j->a, "%u values were left and never found, and %u were found and never left",
                     x->n_left, x->n_seen);
    uint64_t const distance = get_distance(j, out->got, out->expected);
    out->text =
        out->has_values
            ? arena_printf(
                  j->a,
                  "the operation of invocation %u found %s, and with operand %s it leaves %s, "
                  "which no operation found; the nearest value that was found and never left is "
                  "%s, %llu encoding%s away; %s",
                  j->events[i].invocation, show_value(j, j->events[i].original),
                  show_value(j, j->events[i].operand), show_value(j, out->expected),
                  show_value(j, out->got), (unsigned long long)distance, distance == 1 ? "" : "s",
                  counts)
            : counts;
}

/* A mistake that a device may make in every operation. */
struct wrong {
    enum mo_policy policy;
    enum verdict_kind kind;
    enum clause_id clause;
    const char *text;
};
static const struct wrong mistakes[] = {
    {POLICY_WRONG_NAN,      VERDICT_NAN_RULE,  CLAUSE_FMIN_NAN,        "a NaN wins"            },
    {POLICY_WRONG_ZERO,     VERDICT_ZERO_SIGN, CLAUSE_FADD_CR,         "zeros lose their sign" },
    {POLICY_WRONG_SWAP,     VERDICT_ULP,       CLAUSE_FMIN_NUMBER,     "min is max"            },
    {POLICY_WRONG_TRUNCATE, VERDICT_ULP,       CLAUSE_FADD_CR,         "sums are truncated"    },
    {POLICY_WRONG_FLUSH,    VERDICT_ULP,       CLAUSE_DENORM_PRESERVE, "subnormals are flushed"},
    {POLICY_WRONG_SATURATE, VERDICT_ULP,       CLAUSE_FADD_CR,         "infinity is cut"       },
};

/* Adds as suspects all events that leave another value with the mistake (`wrong`: the same events under the policy of
 * the mistake) than by the rules (`right`). The values of the first one are shown. */
static void add_changed_suspects(const struct mo_job *right, const struct mo_job *wrong,
                                 struct mo_answer *out)
{
    for (uint32_t i = 0; i < right->n && out->n_suspects < MO_MAX_SUSPECTS; i++) {
        const struct mo_event *e = &right->events[i];
        if (!e->knows_original || !mo_is_float_op(e->op) || !e->knows_operand) {
            continue;
        }
        uint64_t const expected = get_value_left(right, i, e->original);
        uint64_t const got = get_value_left(wrong, i, e->original);
        if (expected == got) {
            continue;
        }
        if (!out->has_values) {
            out->has_values = 1;
            out->expected = expected;
            out->got = got;
        }
        add_suspect(out, i);
    }
}

/* Does an order exist if the device makes the mistake w each time? Then *out says so; else *out stays unchanged. */
static enum res try_mistake(const struct mo_job *j, const struct wrong *w, struct mo_answer *out,
                            struct err *e)
{
    struct mo_job wrong = *j;
    struct mo_graph g;
    wrong.policy = w->policy;
    wrong.sees_flush = false;
    if (w->policy == POLICY_WRONG_ZERO && !mo_job_ignore_zero_signs(&wrong)) {
        return err_set(e, RES_NOMEM, "blame over %u events: arena full", j->n);
    }
    enum res const r = mo_graph_make(&wrong, &g, e);
    if (r != RES_OK || g.answer != GRAPH_EXISTS) {
        return r;
    }
    out->kind = w->kind;
    out->clause = clause_for(j, w->clause);
    add_changed_suspects(j, &wrong, out);
    ensure_suspect(out);
    out->text =
        arena_printf(j->a, "an order exists only if %s (operation %u)", w->text, out->suspect[0]);
    return RES_OK;
}

/* Names the first mistake under which an order exists, if there is one. */
static enum res blame_mistake(const struct mo_job *j, struct mo_answer *out, struct err *e)
{
    bool has_float_op = false;
    for (uint32_t i = 0; i < j->n; i++) {
        has_float_op |= mo_is_float_op(j->events[i].op);
    }
    for (size_t k = 0; has_float_op && k < ARRAY_N(mistakes) && out->kind == VERDICT_OK; k++) {
        TRY(try_mistake(j, &mistakes[k], out, e));
    }
    return RES_OK;
}

/* Tries the diagnoses from the most precise on; out->kind is VERDICT_OK until one of them applies. */
static enum res blame(const struct mo_job *j, const struct mo_graph *g, struct mo_answer *out,
                      struct err *e)
{
    struct ends x;
    find_ends(j, g, &x);
    if (x.n_left == 1 && x.n_seen == 1) {
        blame_step(j, g, &x, out);
    }
    if (out->kind == VERDICT_OK) {
        TRY(blame_mistake(j, out, e));
    }
    if (out->kind == VERDICT_OK) {
        blame_many(j, g, &x, out);
    }
    return RES_OK;
}

enum res mo_blame(const struct mo_job *j, const struct mo_graph *g, struct mo_answer *out,
                  struct err *e)
{
    struct mo_job plain = *j;
    plain.policy = POLICY_PLAIN;
    return blame(&plain, g, out, e);
}

/* The final value is impossible: either exactly one other value is possible (s->is_exact), or it lies outside the
 * bound of any order of the additions. No one event is to blame; the suspect is the last event that is not idle (else
 * the first event). */
void mo_blame_sum(const struct mo_job *j, const struct mo_sum *s, struct mo_answer *out)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        last = mo_is_idle(&j->events[i]) ? last : i;
    }
    out->n_suspects = 0;
    add_suspect(out, last);
    out->has_values = s->is_exact;
    out->is_of_final = s->is_exact;
    out->expected = s->expected;
    out->got = j->final;
    if (s->is_exact) {
        out->kind = VERDICT_ATOMICITY;
        out->clause = CLAUSE_RMW_CHAIN;
        out->text =
            arena_printf(j->a, "every order of the %u operations ends at 0x%llx, not 0x%llx", j->n,
                         (unsigned long long)s->expected, (unsigned long long)j->final);
        return;
    }
    out->kind = VERDICT_ULP;
    out->clause = clause_for(j, CLAUSE_FADD_CR);
    out->text = arena_printf(
        j->a, "no order of the %u additions ends at 0x%llx: it is outside the bound of any order",
        j->n, (unsigned long long)j->final);
}

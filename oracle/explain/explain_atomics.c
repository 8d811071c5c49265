/* oracle/explain/explain_atomics.c -- atomics of a device that is taken to have a fault. The accesses at which the fault may
 * act are kept; if a location has no order of its accesses, an order with the fault is searched (explain_order.h). */
#include "oracle/explain/explain_policy.h"

#include "oracle/explain/explain_order.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_access.h"
#include "oracle/fault/faults_atomic.h"
#include "oracle/fault/faults_site.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"

/* An access by an atomic at which the fault may act. */
struct explain_access {
    uint32_t event; /* its number */
    struct location location;
    struct fault_site site; /* complete_site adds what is known after the interpretation */
};

enum {
    ASTRAY_BITS = 16 /* bits that count as undetermined where a stray write explains a value */
};

/* The first hypothesis from s on that is of a fault of atomics; NULL: none is. */
static struct hypothesis *next_of_atomics(struct hypothesis *s)
{
    while (s && (fault_is_of_groups(s->plan.id) || fault_is_of_math(s->plan.id) ||
                 fault_is_of_flow(s->plan.id) || fault_is_of_memory(s->plan.id))) {
        s = s->next;
    }
    return s;
}

/* Marks the instructions at which the faults may act as contended, so that their locations are judged by the order of
 * all accesses. */
static void mark_contended(struct judge *j, struct hypothesis *all)
{
    struct hypothesis *s = next_of_atomics(all);
    for (; s; s = next_of_atomics(s->next)) {
        for (uint32_t i = 0; i < j->m.n_code; i++) {
            const struct mod_inst *in = &j->m.code[i];
            j->memory.contended[i] |=
                in->part == PART_ATOMIC &&
                (fault_goes_astray(s->plan.id) || fault_is_planned(&s->plan, &j->m, in));
        }
    }
}

/* Keeps the access by component c of an atomic, which is the last event. */
static void keep_access(struct judge *j, struct hypothesis *s, const struct invocation *inv,
                        const struct mod_inst *in, struct location p, uint32_t c)
{
    struct explain_access *all =
        arena_grow(j->a, s->accesses, s->n_accesses, &s->cap_accesses, sizeof *all);
    if (!all) {
        (void)exec_stop(&j->x, "arena full");
        return;
    }
    s->accesses = all;
    uint32_t const type = static_value_type(&j->m, in);
    int const fmt = module_get_format(&j->m, type);
    struct explain_access *access = &all[s->n_accesses++];
    *access = (struct explain_access){
        .event = j->memory.n_events - 1,
        .location = p,
        .site = {.is_float = fmt >= 0,
                 .fmt = (enum fmt_id)(fmt < 0 ? 0 : fmt),
                 .n_bits = j->m.ids[type].t.bits,
                 .component = c,
                 .n_components = j->m.ids[type].t.n}
    };
    fault_describe_access(&j->x, &j->rules, inv, in, p, &access->site);
}

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    struct hypothesis *s = next_of_atomics(state);
    for (; s && site->kind == SITE_ATOMIC; s = next_of_atomics(s->next)) {
        if (fault_is_planned(&s->plan, &j->m, site->in)) {
            keep_access(j, s, site->inv, site->in, site->location, site->component);
        }
    }
}

/* The kept access of an event, by bisection. NULL: the fault does not act at the event. */
static struct explain_access *find_access(const struct hypothesis *s, uint32_t event)
{
    uint32_t low = 0, high = s->n_accesses;
    while (low < high) {
        uint32_t const at = low + (high - low) / 2;
        if (s->accesses[at].event < event) {
            low = at + 1;
        } else {
            high = at;
        }
    }
    return low < s->n_accesses && s->accesses[low].event == event ? &s->accesses[low] : NULL;
}

/* Is the element after the accessed one in the same buffer, and does nothing access it? */
static bool is_next_free(const struct judge *j, const struct explain_access *access)
{
    uint32_t const n_bytes = access->site.n_bits / 8;
    bool is_free = access->site.has_neighbour && access->location.space == SPACE_BUFFER;
    for (uint32_t i = 0; is_free && i < n_bytes; i++) {
        is_free =
            j->memory.touch[access->location.object][access->location.offset + n_bytes + i] == 0;
    }
    return is_free;
}

/* The site of an event, with its operands as they are now known. NULL: the fault does not act there, or the operand
 * is not known. */
static struct fault_site *complete_site(const struct judge *j, const struct hypothesis *s,
                                        const struct mo_event *e)
{
    struct explain_access *access = find_access(s, e->tag);
    if (!access || (!e->knows_operand && e->op != MO_LOAD)) {
        return NULL;
    }
    struct fault_site *site = &access->site;
    uint32_t const next = site->component + 1 < site->n_components ? site->component + 1 : 0;
    const struct event *sibling = &j->memory.events[e->tag - site->component + next];
    site->operand = e->operand;
    site->other_operand = explain_known_bits(&j->x, sibling->operand);
    site->free_neighbour = is_next_free(j, access);
    return site;
}

/* The distance in bytes from an access to the stray write of the fault. */
static int64_t find_offset(enum fault_id id, const struct fault_site *site)
{
    return id == FAULT_LAYER_IGNORED ? -(int64_t)site->back_bytes : (int64_t)site->n_bits / 8;
}

/* Does a stray write of the fault overlap the n bytes at p? group: of work-group memory its work-group. */
static bool is_hit(const struct judge *j, const struct hypothesis *s, struct location p,
                   uint32_t group, uint32_t n)
{
    bool is_found = false;
    for (uint32_t i = 0; fault_goes_astray(s->plan.id) && i < s->n_accesses && !is_found; i++) {
        struct explain_access *const a = &s->accesses[i];
        a->site.free_neighbour = is_next_free(j, a);
        if (!fault_fits(s->plan.id, &a->site)) {
            continue;
        }
        int64_t const to = (int64_t)a->location.offset + find_offset(s->plan.id, &a->site);
        bool const is_of_group =
            p.space != SPACE_WORKGROUP || j->memory.events[a->event].group == group;
        is_found = is_of_group && a->location.space == p.space && a->location.object == p.object &&
                   to < (int64_t)p.offset + n &&
                   (int64_t)p.offset < to + (int64_t)a->site.n_bits / 8;
    }
    return is_found;
}

/* Asks one hypothesis about the order of a cell. If the order is not broken, counts the events at which the fault
 * could have changed something and did not (not of a fault that changes only another location, where it would show).
 * If it is broken, searches an order with the fault; if there is none, a stray write from another location may explain
 * it: then the value that it left is taken as undetermined (ASTRAY_BITS). */
static enum res explain_cell(struct judge *j, struct hypothesis *s, const struct cell *c,
                             const struct mo_problem *p, bool is_broken, bool *is_explained,
                             struct err *e)
{
    struct explain_order order;
    /* [n_events] the site of each event; NULL: the fault does not act there */
    struct fault_site **site = ARENA_NEW(j->a, struct fault_site *, p->n_events + 1);
    if (!site) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location", p->n_events);
    }
    for (uint32_t i = 0; i < p->n_events; i++) {
        site[i] = complete_site(j, s, &p->events[i]);
    }
    if (!is_broken) {
        uint32_t n;
        if (s->plan.id == FAULT_NEIGHBOUR_OVERWRITTEN) {
            return RES_OK;
        }
        TRY(explain_order_count(s->plan.id, p, site, j->a, &n, e));
        s->n_sites += n;
        s->n_kept += n;
        return RES_OK;
    }
    TRY(explain_order_find(s->plan.id, p, site, j->a, &order, e));
    s->n_sites += order.n_taken + order.n_kept;
    s->n_taken += order.n_taken;
    s->n_kept += order.n_kept;
    /* a stray write leaves open where it went, which counts as one bit */
    s->n_free += order.n_free + (order.is_found && fault_goes_astray(s->plan.id));
    *is_explained = order.is_found;
    if (!order.is_found && is_hit(j, s, c->location, c->group, c->n_bits / 8)) {
        *is_explained = true;
        s->is_hit = true;
        s->n_sites++;
        s->n_taken++;
        s->n_free += ASTRAY_BITS;
    }
    return RES_OK;
}

static enum res on_order(void *state, struct judge *j, const struct cell *c,
                         const struct mo_problem *p, bool is_broken, bool *is_explained,
                         struct err *e)
{
    struct hypothesis *s = next_of_atomics(state);
    *is_explained = false;
    for (; s && !*is_explained; s = next_of_atomics(s->next)) {
        TRY(explain_cell(j, s, c, p, is_broken, is_explained, e));
    }
    return RES_OK;
}

/* May a stray write of the fault have changed byte i of buffer b? FAULT_NEIGHBOUR_OVERWRITTEN inverts the byte;
 * another fault leaves any value. */
static bool may_have_written(struct judge *j, struct hypothesis *s, uint32_t b, uint32_t i)
{
    struct location const p = {.space = SPACE_BUFFER, .object = b, .offset = i};
    if (!is_hit(j, s, p, 0, 1)) {
        return false;
    }
    uint8_t const was = j->input.tc->bufs[b].data[i], got = j->input.ob->out[b][i];
    bool const is_inverted = s->plan.id == FAULT_NEIGHBOUR_OVERWRITTEN;
    s->is_hit = true;
    s->n_sites++;
    s->n_taken++;
    s->n_free += is_inverted ? 0 : ASTRAY_BITS;
    return !is_inverted || (was ^ got) == UINT8_MAX;
}

static bool on_byte(void *state, struct judge *j, uint32_t buf, uint32_t at)
{
    struct hypothesis *s = next_of_atomics(state);
    while (s && !may_have_written(j, s, buf, at)) {
        s = next_of_atomics(s->next);
    }
    return s != NULL;
}

bool explain_atomics_make(struct judge *j, struct explain_context *context,
                          struct judge_policy *out)
{
    mark_contended(j, context->all);
    *out = (struct judge_policy){
        .state = context->all, .site = on_site, .order = on_order, .byte = on_byte};
    return next_of_atomics(context->all) != NULL;
}

/* oracle/sim/sim.c -- a target inside the process: a random legal schedule over real bytes. All invocations of a
 * dispatch run interleaved in short bursts; loads, stores and atomics act on the buffers at once. */
#include "oracle/sim/sim.h"

#include <string.h>

#include "base/local_size.h"
#include "base/ops.h"
#include "base/spv.h"
#include "oracle/fault/faults_access.h"
#include "oracle/fault/faults_atomic.h"
#include "oracle/fault/faults_math.h"
#include "oracle/fault/faults_site.h"
#include "oracle/host/host.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_run.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/interp/tangle.h"
#include "oracle/math/rules.h"
#include "oracle/num/set.h"
#include "oracle/sim/sim_flow.h"
#include "oracle/sim/sim_group.h"
#include "oracle/sim/sim_hard.h"
#include "oracle/sim/sim_layout.h"
#include "oracle/sim/sim_math.h"
#include "oracle/sim/sim_memory.h"
#include "oracle/sim/sim_plant.h"
#include "oracle/sim/sim_state.h"
#include "oracle/tables/tables.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"

enum {
    MAX_BURST = 3
}; /* atomics an invocation does before another may run */
const char *const sim_strategy_names[SIM_STRATEGY_N] = {"any", "ieee"};

static unsigned char *get_bytes(struct sim *s, const struct invocation *inv, struct location p)
{
    return sim_get_bytes(s, inv->group_index, p);
}

static void mark(struct sim *s, struct location p, unsigned n_bits)
{
    for (unsigned i = 0; p.space == SPACE_BUFFER && i < n_bits / 8; i++) {
        s->touched[p.object][p.offset + i] = 1;
    }
}

static uint64_t choice(const struct sim *s, const struct invocation *inv, const struct mod_inst *in)
{
    uint64_t const key[3] = {inv->global_index, in->offset, inv->n_steps};
    return hash_bytes(s->seed, key, sizeof key);
}

static int hook_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                     struct location p, uint32_t type, struct val *out)
{
    struct sim *s = x->user;
    unsigned const n_bits = s->m.ids[type].t.bits;
    mark(s, p, n_bits);
    *out = (struct val){.bits = load_le(get_bytes(s, inv, p), n_bits / 8)};
    return !s->memory || sim_memory_load(s, inv, in, p, n_bits, &out->bits);
}

static int hook_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p, uint32_t type, struct val v)
{
    struct sim *s = x->user;
    unsigned const n_bits = s->m.ids[type].t.bits;
    if (sim_flow_is_stopped(s, inv)) {
        return 1;
    }
    mark(s, p, n_bits);
    if (sim_flow_loses_store(s, inv, in, load_le(get_bytes(s, inv, p), n_bits / 8) != v.bits)) {
        return 1;
    }
    if (s->memory) {
        return sim_memory_store(s, inv, in, p, n_bits, v.bits);
    }
    store_le(get_bytes(s, inv, p), v.bits, n_bits / 8);
    return 1;
}

static void hook_pad(struct exec *x, struct location p, uint32_t n_bytes)
{
    struct sim *s = x->user;
    (void)n_bytes;
    if (s->memory) {
        sim_memory_see_whole(s, p);
    }
}

static bool hook_own(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                     uint32_t *n_slots, struct location *p)
{
    struct sim *s = x->user;
    return !s->memory || sim_memory_own(s, inv, in, n_slots, p);
}

static int hook_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct sim *s = x->user;
    inv->n_steps++;
    return sim_run_math(s, inv, in, choice(s, inv, in));
}

/* Returns what an atomic without float arithmetic stores into a location of n_bits that held `original`. */
static uint64_t integer_value(const struct mod_inst *in, unsigned n_bits, uint64_t original,
                              uint64_t operand, uint64_t comparator)
{
    uint64_t const mask = n_bits == 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
    uint64_t const top = UINT64_C(1) << (n_bits - 1);
    switch (in->op) {
    case SpvOpAtomicIIncrement:
        return (original + 1) & mask;
    case SpvOpAtomicIDecrement:
        return (original - 1) & mask;
    case SpvOpAtomicIAdd:
        return (original + operand) & mask;
    case SpvOpAtomicISub:
        return (original - operand) & mask;
    case SpvOpAtomicSMin: /* flipping the top bit turns signed order into unsigned */
        return (original ^ top) < (operand ^ top) ? original : operand;
    case SpvOpAtomicSMax:
        return (original ^ top) < (operand ^ top) ? operand : original;
    case SpvOpAtomicUMin:
        return original < operand ? original : operand;
    case SpvOpAtomicUMax:
        return original < operand ? operand : original;
    case SpvOpAtomicAnd:
        return original & operand;
    case SpvOpAtomicOr:
        return original | operand;
    case SpvOpAtomicXor:
        return original ^ operand;
    case SpvOpAtomicCompareExchange:
        return original == comparator ? operand : original;
    default: /* store, exchange */
        return operand;
    }
}

/* Returns the number, from 1, of the work-group that owns the memory location; 0: all work-groups share it. */
static uint32_t owner_of(const struct invocation *inv, struct location p)
{
    return p.space == SPACE_WORKGROUP ? inv->group_index + 1 : 0;
}

static struct recent *find_recent(struct sim *s, const struct invocation *inv, struct location p)
{
    uint64_t const owner = owner_of(inv, p);
    return &s->recent[(location_pack(p) * 31 + owner * 7 + p.offset / 4) % SIM_N_RECENT];
}

/* Does nothing access the element after this one? */
static bool is_next_free(const struct sim *s, struct location p, uint32_t n_bytes)
{
    for (uint32_t i = 0; i < n_bytes; i++) {
        if (s->touched[p.object][p.offset + n_bytes + i]) {
            return false;
        }
    }
    return true;
}

/* Completes the site of an atomic, of which the caller has set type and values, with what faults look at: the
 * instruction, the invocation, the last update of the location by another (site->before is what it held
 * before that), and the element after it. */
static void describe_site(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                          struct location p, struct fault_site *site)
{
    const struct recent *r = find_recent(s, inv, p);
    bool const is_recent = memcmp(&r->location, &p, sizeof p) == 0 && r->group == owner_of(inv, p);
    fault_describe_access(&s->x, &s->rules, inv, in, p, site);
    site->has_before =
        is_recent && r->invocation != inv->global_index && r->before != site->original;
    site->is_after_other_group = site->has_before && r->by_group != inv->group_index;
    site->before = r->before;
    site->free_neighbour =
        site->has_neighbour && p.space == SPACE_BUFFER && is_next_free(s, p, site->n_bits / 8);
}

/* What the oracle permits a float add, min or max to leave. The caller empties the pool. */
static struct val get_permitted(struct sim *s, const struct mod_inst *in,
                                const struct fault_site *site)
{
    struct rules const r = ruleset_get(&s->rules, RULE_ATOMIC, site->fmt, &s->m.ids[in->result]);
    return value_atomic(&s->x, in->op, site->fmt, &r, (struct val){.bits = site->original},
                        (struct val){.bits = site->operand});
}

/* Returns the new value of the location on a device without a fault. */
static uint64_t new_value(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                          const struct fault_site *site, uint64_t comparator)
{
    bool const is_arithmetic = in->op == SpvOpAtomicFAddEXT || in->op == SpvOpAtomicFMinEXT ||
                               in->op == SpvOpAtomicFMaxEXT;
    if (!is_arithmetic) {
        return integer_value(in, site->n_bits, site->original, site->operand, comparator);
    }
    if (s->strategy == SIM_IEEE) {
        return host_atomic(&s->modes, in->op, site->fmt, site->original, site->operand);
    }
    uint64_t const bits =
        sim_choose(s, get_permitted(s, in, site), site->n_bits, choice(s, inv, in));
    exec_empty_pool(&s->x);
    return bits;
}

/* Would `value` be permitted, or its absence be no violation, at this site? */
static bool is_permitted(struct sim *s, const struct mod_inst *in, const struct fault_site *site,
                         uint64_t value)
{
    struct val const v = get_permitted(s, in, site);
    const struct abstract *b = exec_get_abstract(&s->x, v);
    bool is_in = v.bits == value;
    if (b) {
        const struct set *set = abstract_get_set(b);
        bool const is_member = abstract_is_one(b) ? b->bits == value : !set || set_has(set, value);
        is_in = is_member || value_get_grade(&s->x, v) != GRADE_VIOLATION;
    }
    exec_empty_pool(&s->x);
    return is_in;
}

/* Changes the correct effect to what the planted fault does, if the result is what the fault's row
 * expects: a violation, or a legal oddity. Returns false where the fault cannot act. A weak site
 * is one where the fault would act but be judged otherwise (no clause binds the instruction, or
 * the changed value is permitted); these are counted. */
static bool change_effect(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                          const struct fault_site *site, struct fault_effect *effect)
{
    enum verdict_kind const expect = fault_rows[s->fault].expect;
    if (site->is_hole && verdict_rows[expect].part == PART_VIOLATION) {
        s->n_weak_sites++;
        return false;
    }
    struct fault_site wrong = *site;
    if (fault_computes_otherwise(s->fault, &wrong)) {
        effect->value = new_value(s, inv, in, &wrong, 0);
    }
    if (!fault_change(s->fault, site, effect)) {
        return false;
    }
    bool const is_legal = expect == VERDICT_OK;
    bool const is_asked = !(is_legal && s->plan.unasked);
    if (fault_changes_value(s->fault) && is_asked &&
        is_permitted(s, in, site, effect->value) != is_legal) {
        s->n_weak_sites++;
        return false;
    }
    return true;
}

/* Does the fault act at this site? A systematic fault acts from its first site on at every site of
 * that instruction. */
static bool acts_here(struct sim *s, uint32_t code)
{
    bool const is_site = sim_is_site(s);
    if (!fault_is_systematic(s->fault) || s->plan.everywhere) {
        return is_site;
    }
    if (is_site) {
        s->fault_code = code;
    }
    return s->fault_code == code && (s->applied || is_site);
}

/* Does the changed effect return another value, or leave other bytes in memory? */
static bool is_other_effect(const struct fault_site *site, const struct fault_effect *effect,
                            const struct fault_effect *changed)
{
    uint64_t const is = effect->writes ? effect->value : site->original;
    uint64_t const becomes = changed->writes ? changed->value : site->original;
    return is != becomes || effect->returned != changed->returned || changed->to_next ||
           changed->to_first_layer || changed->spills || changed->parts != effect->parts;
}

/* Let the planted fault act on the effect if this is its site. */
static void plant(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                  struct location p, struct fault_site *site, struct fault_effect *effect)
{
    struct fault_effect changed = *effect;
    uint32_t const code = (uint32_t)(in - s->m.code);
    if (s->fault == FAULT_NONE || fault_is_of_groups(s->fault) || fault_is_of_math(s->fault) ||
        fault_is_of_flow(s->fault) || fault_is_of_memory(s->fault) ||
        !fault_is_planned(&s->plan, &s->m, in)) {
        return;
    }
    describe_site(s, inv, in, p, site);
    if (!fault_fits(s->fault, site)) {
        return;
    }
    sim_note_there(s);
    if (sim_hard_atomic(s, inv, in, site, effect->value) &&
        change_effect(s, inv, in, site, &changed) && acts_here(s, code)) {
        sim_note_acted(s, code, is_other_effect(site, effect, &changed));
        *effect = changed;
    }
}

/* The bits of component c of an operand; false and x.stop: it is missing or of another type. */
static bool take(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                 uint32_t word, uint32_t c, uint64_t *out)
{
    uint32_t const id = word < in->n ? in->w[word] : 0;
    bool const is_right = in->op == SpvOpAtomicStore || exec_has_type(&s->x, id, in->type);
    if (!is_right || id >= s->m.n_ids || s->m.ids[id].n_slots <= c) {
        s->x.stop = "an atomic without its operand";
        return false;
    }
    *out = exec_reg(&s->x, inv, id)[c].bits;
    return true;
}

static bool take_operands(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                          struct fault_site *site, uint64_t *comparator)
{
    uint32_t const c = site->component;
    uint32_t const next = c + 1 < site->n_components ? c + 1 : 0;
    switch (in->op) {
    case SpvOpAtomicLoad:
    case SpvOpAtomicIIncrement:
    case SpvOpAtomicIDecrement:
        return true;
    case SpvOpAtomicStore:
        return take(s, inv, in, 4, c, &site->operand);
    case SpvOpAtomicCompareExchange:
        return take(s, inv, in, 7, c, &site->operand) && take(s, inv, in, 8, c, comparator);
    default:
        return take(s, inv, in, 6, c, &site->operand) &&
               take(s, inv, in, 6, next, &site->other_operand);
    }
}

/* Write what the device writes, and remember what was there. */
static void write_effect(struct sim *s, const struct invocation *inv, struct location p,
                         const struct fault_site *site, const struct fault_effect *effect)
{
    unsigned char *at = get_bytes(s, inv, p);
    uint32_t const n_bytes = site->n_bits / 8;
    unsigned char *const layer = effect->to_first_layer ? at - site->back_bytes : at;
    store_le(layer + (effect->to_next ? n_bytes : 0), effect->value, n_bytes);
    if (effect->spills) {
        store_le(at + n_bytes, ~load_le(at + n_bytes, n_bytes), n_bytes);
    }
    *find_recent(s, inv, p) = (struct recent){.location = p,
                                              .group = owner_of(inv, p),
                                              .invocation = inv->global_index,
                                              .by_group = inv->group_index,
                                              .before = site->original};
}

/* May others come between this component and the next one? Nothing orders them. */
static bool is_parted(const struct sim *s, const struct invocation *inv, const struct mod_inst *in)
{
    enum {
        PARTED_OF = 4
    };
    uint64_t const key[2] = {choice(s, inv, in), 1};
    return hash_bytes(s->seed, key, sizeof key) % PARTED_OF == 0;
}

/* Executes one component of an atomic on the device's memory at p: computes the correct effect,
 * lets the planted faults change it, then writes. *parts: another invocation may act before the
 * next component. Returns 0 with x->stop set where an operand is missing. */
static int run_component(struct sim *s, struct invocation *inv, const struct mod_inst *in,
                         struct location p, struct fault_site *site, bool *parts)
{
    bool const is_load = in->op == SpvOpAtomicLoad;
    uint64_t comparator = 0;
    if (!take_operands(s, inv, in, site, &comparator)) {
        return 0;
    }
    inv->n_steps++;
    site->original = load_le(get_bytes(s, inv, p), site->n_bits / 8);
    struct fault_effect effect = {.writes = !is_load, .returned = site->original};
    effect.value = is_load ? site->original : new_value(s, inv, in, site, comparator);
    effect.parts = site->component + 1 < site->n_components && is_parted(s, inv, in);
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        sim_take_plan(s, plan);
        plant(s, inv, in, p, site, &effect);
    }
    if (effect.writes) {
        write_effect(s, inv, p, site, &effect);
    }
    mark(s, p, site->n_bits); /* the bytes are touched, which later runs know */
    if (s->memory) {
        sim_memory_see_atomic(s, p);
    }
    if (in->result) {
        exec_reg(&s->x, inv, in->result)[site->component] = (struct val){.bits = effect.returned};
    }
    *parts = effect.parts;
    return 1;
}

/* The invocation does nothing more: what it would have found are zeros, which nobody will see. */
static void skip_atomic(struct sim *s, const struct invocation *inv, const struct mod_inst *in)
{
    for (uint32_t c = 0; in->result && c < s->m.ids[in->result].n_slots; c++) {
        exec_reg(&s->x, inv, in->result)[c] = (struct val){.bits = 0};
    }
    s->n_done[inv->global_index] = 0;
}

/* Executes one atomic, of a vector one component after the other. Where another invocation may act
 * between two components, the invocation stays at the instruction and continues later (n_done).
 * Returns 0 with x->stop set where the type is wrong or an operand is missing. */
static int hook_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       struct location p)
{
    struct sim *s = x->user;
    uint32_t *const n_done = &s->n_done[inv->global_index];
    uint32_t const type = static_value_type(&s->m, in);
    const struct mod_type *t = &s->m.ids[type].t;
    int const fmt = module_get_format(&s->m, type);
    /* load, store and exchange have the lowest opcodes and take either type, float arithmetic the highest */
    bool const is_arithmetic = in->op >= SpvOpAtomicFMinEXT;
    bool parts = false;
    if (is_arithmetic != (fmt >= 0) && in->op > SpvOpAtomicExchange) {
        x->stop = "an atomic on the wrong type";
        return 0;
    }
    if (sim_flow_is_stopped(s, inv)) {
        skip_atomic(s, inv, in);
        return 1;
    }
    while (*n_done < t->n && !parts) {
        struct fault_site site = {.is_float = fmt >= 0,
                                  .fmt = (enum fmt_id)(fmt < 0 ? 0 : fmt),
                                  .n_bits = t->bits,
                                  .component = *n_done,
                                  .n_components = t->n};
        struct location part = p;
        part.offset += *n_done * (t->bits / 8);
        if (!run_component(s, inv, in, part, &site, &parts)) {
            return 0;
        }
        ++*n_done;
    }
    if (*n_done < t->n) { /* the instruction is executed again, from this component on */
        inv->pc--;
    } else {
        *n_done = 0;
    }
    return 1;
}

static int hook_propagate(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    return sim_propagate(x->user, inv, in, choice(x->user, inv, in));
}

static const struct exec_hooks sim_hooks = {.load = hook_load,
                                            .store = hook_store,
                                            .pad = hook_pad,
                                            .own = hook_own,
                                            .atomic = hook_atomic,
                                            .arith = hook_arith,
                                            .builtin = sim_builtin,
                                            .propagate = hook_propagate,
                                            .number = sim_plant_number,
                                            .enter = sim_flow_enter,
                                            .way = sim_flow_way};

/* Invocations of all groups, and how many of each group are ready. */
struct schedule {
    struct invocation *inv;
    uint32_t *n, *n_ready; /* per group; where they begin is in struct sim */
    uint32_t *live;        /* groups of the dispatch with a ready invocation */
    uint32_t n_live;
};

/* Allocates and starts all invocations of all work-groups, and assigns each a lane of a sub-group.
 * Invocations of one dispatch run interleaved. Where an array may have no element one more is taken (+ 1), because
 * NULL means a full arena. Returns false where the arena is full. */
static bool make_schedule(struct sim *s, struct schedule *q)
{
    uint32_t const n_items = s->x.n_items, n_groups = s->x.n_groups;
    struct val *regs = ARENA_NEW(s->x.a, struct val, (size_t)n_items * (s->m.n_regs + 1));
    struct val *func = ARENA_NEW(s->x.a, struct val, (size_t)n_items * (s->m.n_func_objects + 1));
    q->inv = ARENA_NEW(s->x.a, struct invocation, n_items);
    s->first = ARENA_NEW(s->x.a, uint32_t, n_groups);
    q->n = ARENA_NEW(s->x.a, uint32_t, n_groups);
    q->n_ready = ARENA_NEW(s->x.a, uint32_t, n_groups);
    q->live = ARENA_NEW(s->x.a, uint32_t, n_groups);
    s->n_done = ARENA_NEW(s->x.a, uint32_t, n_items);
    s->positions = ARENA_NEW(s->x.a, struct lane_position, n_items);
    s->wg = ARENA_NEW(s->x.a, unsigned char, (size_t)n_groups * s->m.wg_bytes + 1);
    if (!regs || !func || !q->inv || !s->first || !q->n || !q->n_ready || !q->live || !s->wg ||
        !s->positions || !s->n_done) {
        return false;
    }
    uint32_t item = 0;
    for (uint32_t i = 0; i < n_groups; i++) {
        s->first[i] = item;
        q->n[i] = q->n_ready[i] = exec_group_items(&s->x, i);
        for (uint32_t k = 0; k < q->n[i]; k++, item++) {
            q->inv[item].regs = regs + (size_t)item * s->m.n_regs;
            q->inv[item].func = func + (size_t)item * s->m.n_func_objects;
        }
        exec_start_group(&s->x, i, &q->inv[s->first[i]]);
        sim_layout_place(s, i, &q->inv[s->first[i]], q->n[i]);
    }
    return true;
}

/* Makes the work-groups of dispatch d runnable; those of all dispatches at once where the planted
 * fault overlaps them. */
static void start_dispatch(struct sim *s, struct schedule *q, uint32_t d)
{
    for (uint32_t g = 0; g < s->x.n_groups; g++) {
        bool const is_lost = s->loses_last && exec_find_dispatch(&s->x, g) + 1 == s->x.n_dispatches;
        if ((s->overlaps || exec_find_dispatch(&s->x, g) == d) && !is_lost) {
            q->live[q->n_live++] = g;
        }
    }
}

/* A fault of dispatches acts. */
static void plant_dispatch(struct sim *s, enum fault_id fault)
{
    s->loses_last |= fault == FAULT_DISPATCH_LOST;
    s->overlaps |= fault == FAULT_DISPATCHES_OVERLAP;
    s->x.ignores_base |= fault == FAULT_DISPATCH_BASE_UNTOLD;
    for (uint32_t i = 0; fault == FAULT_DISPATCH_AT_ZERO && i < s->x.n_dispatches; i++) {
        memset(s->x.dispatches[i].base, 0, sizeof s->x.dispatches[i].base);
    }
}

/* Returns the case with the work-group size that the module states without specialization. NULL: the module states
 * no other size, or a larger one, for which there is no memory, or the arena is full. */
static const struct testcase *make_unspecialized(const struct sim *s)
{
    struct testcase *const out = arena_copy(s->x.a, s->tc, sizeof *out);
    struct local_size stated = {.is_known = false};
    bool is_smaller = false;
    if (out) {
        out->n_specs = 0;
        stated = local_size_find(out);
    }
    for (int d = 0; stated.is_known && d < 3; d++) {
        uint32_t const n_groups = s->tc->global[d] / s->tc->local[d];
        if (stated.size[d] > s->tc->local[d] || stated.size[d] == 0) {
            return NULL;
        }
        is_smaller |= stated.size[d] < s->tc->local[d];
        out->local[d] = stated.size[d];
        out->global[d] = stated.size[d] * n_groups;
    }
    return is_smaller ? out : NULL;
}

/* Lets the planted faults of dispatches act. */
static void plant_dispatches(struct sim *s)
{
    s->loses_last = s->overlaps = false;
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        bool const is_it = plan->id != FAULT_NONE && fault_is_of_dispatches(plan->id);
        bool const is_of_size = plan->id == FAULT_SIZE_UNSPECIALIZED;
        const struct testcase *const small = is_of_size ? make_unspecialized(s) : NULL;
        sim_take_plan(s, plan);
        if (!is_it || (is_of_size ? !small : s->x.n_dispatches < 2)) {
            continue;
        }
        sim_note_there(s);
        if (!sim_is_site(s)) {
            continue;
        }
        sim_note_acted(s, UINT32_MAX, true);
        plant_dispatch(s, plan->id);
        if (small) {
            s->x.tc = small;
            s->x.n_items = testcase_get_items(small);
        }
    }
}

/* Lets the work-group g continue if none of its invocations is ready: executes the group
 * instruction, or passes the barrier or merge block, that they wait at. */
static void unblock(struct sim *s, struct schedule *q, uint32_t g)
{
    struct invocation *inv = &q->inv[s->first[g]];
    struct tangle_site site;
    enum tangle_step step = TANGLE_GO_ON;
    while (q->n_ready[g] == 0 && step != TANGLE_DONE && !s->x.stop) {
        step = tangle_next(&s->x, inv, q->n[g], &site);
        if (step == TANGLE_GROUP && sim_run_site(s, inv, q->n[g], &site)) {
            tangle_release(inv, &site);
        }
        for (uint32_t i = 0; i < q->n[g]; i++) {
            q->n_ready[g] += inv[i].state == INV_READY;
        }
    }
}

/* One burst of one ready invocation of group g, chosen at random. */
static bool run_burst(struct sim *s, struct schedule *q, uint32_t g, struct rng *r)
{
    struct invocation *inv = &q->inv[s->first[g]];
    uint32_t k = (uint32_t)rng_below(r, q->n[g]);
    while (inv[k].state != INV_READY) {
        k = (k + 1) % q->n[g];
    }
    if (!exec_run(&s->x, &inv[k], 1 + (uint32_t)rng_below(r, MAX_BURST))) {
        return false;
    }
    q->n_ready[g] -= inv[k].state != INV_READY;
    unblock(s, q, g);
    return s->x.stop == NULL;
}

static enum res run_schedule(struct sim *s, struct err *e)
{
    struct schedule q = {0};
    struct rng r = rng_seed(s->seed);
    plant_dispatches(s);
    if (!make_schedule(s, &q)) {
        return err_set(e, RES_NOMEM, "sim: arena full at %zu bytes", s->x.a->used_bytes);
    }
    for (uint32_t d = 0; d < (s->overlaps ? 1 : s->x.n_dispatches); d++) {
        start_dispatch(s, &q, d);
        while (q.n_live && !s->x.stop) {
            uint32_t const i = (uint32_t)rng_below(&r, q.n_live);
            if (run_burst(s, &q, q.live[i], &r) && q.n_ready[q.live[i]] == 0) {
                q.live[i] = q.live[--q.n_live];
            }
        }
    }
    if (s->x.stop) {
        return err_set(e, RES_LIMIT, "sim: %s", s->x.stop);
    }
    return RES_OK;
}

/* Fills the buffers with the case's bytes. The marks of touched bytes remain from one run to the next. */
static bool reset_buffers(struct sim *s, struct arena *a)
{
    for (uint32_t b = 0; b < s->tc->n_bufs; b++) {
        uint32_t const n = s->tc->bufs[b].n_bytes;
        s->buf[b] = arena_copy(a, s->tc->bufs[b].data, n);
        if (!s->touched[b]) {
            s->touched[b] = ARENA_NEW(a, unsigned char, n);
        }
        if (!s->buf[b] || !s->touched[b]) {
            return false;
        }
    }
    return true;
}

/* Is the fault among those that are planted? */
static bool has_fault(const struct sim *s, enum fault_id fault)
{
    bool has_it = false;
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        has_it |= plan->id == fault;
    }
    return has_it;
}

/* Executes one run over fresh buffers. The fault acts at the eligible site with number `at`. */
static enum res run_once(struct sim *s, struct arena *a, uint64_t at, struct err *e)
{
    TRY(exec_init(&s->x, &s->m, s->tc, &sim_hooks, s, a, e));
    for (uint32_t i = 0; i < SIM_N_RECENT; i++) {
        s->recent[i] = (struct recent){.invocation = UINT32_MAX};
    }
    if (!reset_buffers(s, a)) {
        return err_set(e, RES_NOMEM, "sim: arena full at %zu bytes", a->used_bytes);
    }
    sim_flow_begin(s);
    sim_memory_begin(s);
    s->n_sites = s->n_weak_sites = s->n_there = s->n_differs = 0;
    s->n_parts = 0;
    s->leftover = has_fault(s, FAULT_LEFTOVER_SCRATCH)
                      ? ARENA_NEW(a, struct leftover, s->m.n_code + 1)
                      : NULL;
    s->applied = 0;
    s->fault_code = UINT32_MAX;
    s->at = at;
    TRY(run_schedule(s, e));
    sim_memory_end(s);
    return RES_OK;
}

/* Rounding and flushing of the host, as the rules of the case ask. */
static void set_modes(struct sim *s)
{
    for (int f = 0; f < FMT_ALL_N; f++) {
        struct rules const r = ruleset_get(&s->rules, RULE_ARITH, (enum fmt_id)f, &s->m.ids[0]);
        s->modes.toward_zero[f] = r.fp.rounding == ROUND_RTZ;
        s->modes.flush[f] = r.fp.flush_out == FLUSH_MUST;
    }
}

/* Does any buffer differ from the clean run's? */
static bool is_changed(const struct sim *s, unsigned char *const *clean)
{
    bool differs = false;
    for (uint32_t b = 0; b < s->tc->n_bufs; b++) {
        differs |= memcmp(clean[b], s->buf[b], s->tc->bufs[b].n_bytes) != 0;
    }
    return differs;
}

/* Runs the case with a planted fault. Clean runs count the sites where it can act; a last run acts
 * at one of them, drawn by the seed. outcome->fault becomes ABSENT where there is no site; APPLIED where
 * some buffer differs from the clean run, and outcome->site is the instruction's word; REFUSED where the
 * fault would be permitted at every site (weak sites), or where no observable byte changed. */
static enum res run_with_fault(struct sim *s, struct arena *a, struct sim_outcome *outcome,
                               struct err *e)
{
    unsigned char *clean[CASE_MAX_BUFS];
    /* faults of atomics and groups depend on which bytes are touched, which the first of two runs records */
    bool is_math = true;
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        is_math &= fault_is_of_math(plan->id);
    }
    int const n_clean_runs = is_math ? 1 : 2;
    for (int i = 0; i < n_clean_runs; i++) {
        TRY(run_once(s, a, UINT64_MAX /* a site that does not exist */, e));
        sim_flow_settle(s);
        sim_memory_settle(s);
    }
    memcpy(clean, s->buf, sizeof clean);
    outcome->fault = s->n_weak_sites ? FAULT_REFUSED : FAULT_ABSENT;
    outcome->n_there = s->n_there;
    outcome->n_sites = s->n_sites;
    if (s->n_sites == 0) {
        return RES_OK;
    }
    struct rng pick = rng_seed(s->seed + s->fault + 1); /* each fault draws its own site */
    TRY(run_once(s, a, rng_below(&pick, s->n_sites), e));
    outcome->fault = FAULT_REFUSED;
    bool const has_changed = is_changed(s, clean);
    /* a fault of dispatches is at no instruction: what differs is some buffer, or nothing */
    outcome->n_differs = fault_is_of_dispatches(s->fault) && !has_changed ? 0 : s->n_differs;
    if (has_changed) {
        outcome->fault = FAULT_APPLIED;
        /* a fault of control flow acts at no single instruction */
        outcome->site = s->fault_code < s->m.n_code ? s->m.code[s->fault_code].offset : 0;
    }
    return RES_OK;
}

/* The name of the first other entry point; NULL: there is none. */
static const char *find_other_entry(const struct testcase *tc)
{
    enum {
        NAME = 3 /* word */
    };
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &at, &in) && in.op != SpvOpFunction) {
        const char *const name = (const char *)(in.w + NAME);
        if (in.op == SpvOpEntryPoint && in.n > NAME && strcmp(name, tc->entry) != 0) {
            return name;
        }
    }
    return NULL;
}

/* Runs the entry point of the case, then another one in its place (the fault WRONG_ENTRY).
 * *outcome as in run_with_fault. */
static enum res run_other_entry(struct sim *s, struct arena *a, struct sim_outcome *outcome,
                                struct err *e)
{
    const char *const name = find_other_entry(s->tc);
    unsigned char *clean[CASE_MAX_BUFS];
    TRY(run_once(s, a, UINT64_MAX, e));
    outcome->fault = FAULT_ABSENT;
    if (!name) {
        return RES_OK;
    }
    outcome->n_there = outcome->n_sites = outcome->n_differs = 1;
    struct testcase *const other = arena_copy(a, s->tc, sizeof *other);
    if (!other) {
        return err_set(e, RES_NOMEM, "sim: arena full at %zu bytes", a->used_bytes);
    }
    other->entry = name;
    memcpy(clean, s->buf, sizeof clean);
    s->tc = other;
    TRY(module_decode_case(&s->m, other, a, e));
    TRY(run_once(s, a, UINT64_MAX, e));
    outcome->fault = is_changed(s, clean) ? FAULT_APPLIED : FAULT_REFUSED;
    return RES_OK;
}

void sim_plan_at(const struct testcase *tc, uint32_t word, struct fault_plan *plan, struct arena *a)
{
    struct module *m = ARENA_NEW(a, struct module, 1);
    struct err e;
    plan->everywhere = 1;
    if (!m || module_decode_case(m, tc, a, &e) != RES_OK) {
        return;
    }
    for (uint32_t i = 0; i < m->n_code; i++) {
        if (m->code[i].offset == word) {
            plan->op = op_find_number(m->code[i].op);
            plan->type = (int)static_type(m, &m->code[i]);
        }
    }
}

int sim_can_plant(const struct testcase *tc, enum fault_id fault, struct arena *a)
{
    struct module *m = ARENA_NEW(a, struct module, 1);
    struct err e;
    if (!m || !fault_is_of_math(fault) || module_decode_case(m, tc, a, &e) != RES_OK) {
        return 1;
    }
    for (uint32_t i = 0; i < m->n_code; i++) {
        if (fault_fits_math(fault, tc->env, m, &m->code[i]) ||
            sim_may_plant_decoration(m, &m->code[i], fault)) {
            return 1;
        }
    }
    return 0;
}

static enum res run(struct sim *s, const char *facts, struct arena *a, struct sim_outcome *outcome,
                    struct err *e)
{
    const struct testcase *tc = s->tc;
    TRY(module_decode_case(&s->m, tc, a, e));
    ruleset_init(&s->rules, &s->m, tc, facts);
    set_modes(s);
    if (!sim_flow_make(s, a) || !sim_memory_make(s, a)) {
        return err_set(e, RES_NOMEM, "sim: arena full at %zu bytes", a->used_bytes);
    }
    s->subgroup_size = sim_get_subgroup_size(&s->m, tc, facts);
    if (has_fault(s, FAULT_WRONG_ENTRY)) {
        return run_other_entry(s, a, outcome, e);
    }
    return s->fault == FAULT_NONE ? run_once(s, a, UINT64_MAX, e)
                                  : run_with_fault(s, a, outcome, e);
}

/* Runs the case on the simulated device with the faults of its plan. *ob becomes the observation; *outcome tells whether
 * the fault acted, and at which word. */
enum res sim_run(const struct testcase *tc, const struct sim_device *device, struct arena *a,
                 struct observation *ob, struct sim_outcome *outcome, struct err *e)
{
    struct sim *s = ARENA_NEW(a, struct sim, 1);
    struct sim_outcome ended = {.fault = FAULT_ABSENT};
    *ob = (struct observation){.status = RUN_DONE,
                               .phase = PHASE_DONE,
                               .log = "",
                               .signature = "",
                               .facts = device->facts,
                               .n_bufs = tc->n_bufs};
    if (!s) {
        return err_set(e, RES_NOMEM, "sim: arena full at %zu bytes", a->used_bytes);
    }
    s->tc = tc;
    s->strategy = device->strategy;
    s->seed = device->seed;
    s->plans = device->plan;
    sim_take_plan(s, device->plan);
    enum res const r = run(s, device->facts, a, &ended, e);
    for (uint32_t b = 0; b < tc->n_bufs; b++) {
        ob->out[b] = s->buf[b];
    }
    ended.conversions = s->conversions;
    ended.undefined = s->x.undefined;
    if (outcome) { /* NULL: it is not asked for */
        *outcome = ended;
    }
    return r;
}

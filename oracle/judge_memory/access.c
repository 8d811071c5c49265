/* oracle/judge_memory/access.c -- locations and their atomics while the judge interprets a dispatch. */
#include "oracle/judge_memory/access.h"

#include <string.h>

#include "base/testcase.h"
#include "oracle/interp/availability.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/interp/race.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_groups/subgroup.h"
#include "oracle/judge_state/policy.h"
#include "oracle/judge_values/blame.h"
#include "oracle/judge_values/compare.h"
#include "oracle/judge_values/probe.h"
#include "oracle/math/rules.h"
#include "oracle/modorder/mo_atomic.h"
#include "oracle/modorder/mo_step.h"
#include "oracle/tables/tables.h"
#include "oracle/value/expression.h"
#include "oracle/value/expression_hull.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"

static uint32_t hash_location(const struct judge *j, struct location p, uint32_t group)
{
    uint64_t h = location_pack(p) + (uint64_t)group * 0x9e3779b97f4a7c15U;
    h ^= h >> 31;
    h *= 0xbf58476d1ce4e5b9U;
    return (uint32_t)(h >> 32) & (j->memory.n_buckets - 1);
}

void access_reset(struct judge *j)
{
    enum {
        N_BUCKETS = 4096
    };
    j->memory.n_cells = j->memory.n_events = 0;
    j->memory.restart = j->memory.is_shared = 0;
    if (!j->memory.buckets) {
        j->memory.n_buckets = N_BUCKETS;
        j->memory.buckets = ARENA_NEW(j->a, uint32_t, N_BUCKETS);
        if (!j->memory.buckets) {
            (void)exec_stop(&j->x, "arena full");
            return;
        }
    }
    memset(j->memory.buckets, 0, sizeof *j->memory.buckets * j->memory.n_buckets);
}

/* The cell (location) at p, made if it is new, and then owned by this invocation. Work-group memory is
 * another cell in each work-group. A cell of a buffer begins with what the case put there, one of
 * work-group memory with nothing known. NULL: the arena is full, or x->stop, as the location is accessed
 * by two types. */
static struct cell *get_cell(struct judge *j, const struct invocation *inv, struct location p,
                             unsigned n_bits, int fmt)
{
    uint32_t const group = p.space == SPACE_WORKGROUP ? inv->group_index : 0;
    uint32_t const at = hash_location(j, p, group);
    struct judge_memory *memory = &j->memory;
    for (uint32_t i = memory->buckets[at]; i; i = memory->cells[i - 1].next) {
        struct cell *c = &memory->cells[i - 1];
        bool const is_it = c->location.offset == p.offset && c->location.object == p.object &&
                           c->location.space == p.space && c->group == group;
        if (is_it && (c->n_bits != n_bits || c->is_float != (fmt >= 0))) {
            (void)exec_stop(&j->x, "a location accessed by two types");
            return NULL;
        }
        if (is_it) {
            return c;
        }
    }
    struct cell *cells =
        arena_grow(j->a, memory->cells, memory->n_cells, &memory->cap_cells, sizeof *cells);
    if (!cells) {
        return NULL;
    }
    memory->cells = cells;
    struct cell *c = &memory->cells[memory->n_cells];
    *c = (struct cell){.location = p,
                       .group = group,
                       .owner = inv->global_index,
                       .dispatch = inv->dispatch,
                       .owner_in_dispatch = inv->global_index,
                       .is_float = fmt >= 0,
                       .fmt = (uint8_t)(fmt < 0 ? 0 : fmt),
                       .n_bits = (uint8_t)n_bits,
                       .next = memory->buckets[at]};
    memory->buckets[at] = ++memory->n_cells;
    if (p.space == SPACE_BUFFER) {
        c->has_initial = 1;
        c->initial = load_le(j->input.tc->bufs[p.object].data + p.offset, n_bits / 8);
        c->cur = (struct val){.bits = c->initial};
    } else {
        c->cur = exec_new_abstract(&j->x);
    }
    return c;
}

/* Kind of memory that the location is of, for the barriers that order it. */
static enum exec_phase find_phase(const struct judge *j, struct location p)
{
    if (p.space == SPACE_WORKGROUP) {
        return PHASE_WORKGROUP;
    }
    return buf_kind_rows[j->input.tc->bufs[p.object].kind].texels == TEXELS_NONE ? PHASE_BUFFER
                                                                                 : PHASE_IMAGE;
}

/* Adds one more access by `inv` at the end of the cell's list; the caller fills in the operation. Lists are
 * chained by indices plus 1, as the array may move. NULL: the arena is full. */
static struct event *add_event(struct judge *j, struct cell *c, const struct invocation *inv,
                               const struct mod_inst *in)
{
    struct judge_memory *memory = &j->memory;
    struct event *events =
        arena_grow(j->a, memory->events, memory->n_events, &memory->cap_events, sizeof *events);
    if (!events) {
        return NULL;
    }
    memory->events = events;
    struct event *e = &memory->events[memory->n_events++];
    *e = (struct event){.invocation = inv->global_index,
                        .group = inv->group_index,
                        .phase = inv->phase[find_phase(j, c->location)],
                        .dispatch = inv->dispatch,
                        .code = (uint32_t)(in - j->m.code),
                        .cell = (uint32_t)(c - memory->cells),
                        .version = ++c->version,
                        .seen_buf = NOT_SEEN};
    uint32_t const number = memory->n_events; /* 1 + index */
    if (c->last) {
        memory->events[c->last - 1].next = number;
    } else {
        c->first = number;
    }
    c->last = number;
    c->n_events++;
    return e;
}

/* Under which kind of storage an access at p by `in` is counted: GENERIC if its pointer is generic, whatever
 * it points to, else that of the memory itself. */
static enum storage find_storage(const struct judge *j, const struct mod_inst *in,
                                 struct location p)
{
    bool const is_store = in->op == SpvOpAtomicStore || in->op == SpvOpStore;
    uint32_t const pointer = in->w[is_store ? MOD_STORE_POINTER : MOD_OPERAND];
    if ((p.space == SPACE_WORKGROUP || p.space == SPACE_BUFFER) &&
        j->m.ids[j->m.ids[pointer].type].t.storage == SpvStorageClassGeneric) {
        return STORAGE_GENERIC;
    }
    if (p.space == SPACE_WORKGROUP) {
        return STORAGE_WORKGROUP;
    }
    switch (buf_kind_rows[j->input.tc->bufs[p.object].kind].texels) {
    case TEXELS_NONE:
        return j->input.tc->bufs[p.object].kind == BUF_ADDRESS ? STORAGE_PHYSICAL : STORAGE_GLOBAL;
    case TEXELS_BUFFER:
        return STORAGE_TEXEL;
    case TEXELS_1D:
    case TEXELS_2D:
    case TEXELS_3D:
    case TEXELS_CUBE:
    case TEXELS_1D_ARRAY:
    case TEXELS_2D_ARRAY:
    case TEXELS_CUBE_ARRAY:
        return STORAGE_IMAGE;
    }
    return STORAGE_NONE;
}

/* ---- locations that invocations hand over to each other by barriers ---- */

static unsigned char *get_use(struct judge *j, struct location p)
{
    return p.space == SPACE_WORKGROUP ? &j->memory.group_use[p.object]
                                      : &j->memory.buffer_use[p.object];
}

/* Is what the cell holds followed whoever comes to it? Where no atomic does, barriers order all accesses, or the program
 * has no defined behaviour. */
static bool is_ordered(struct judge *j, const struct cell *c)
{
    unsigned const use = *get_use(j, c->location);
    return !(use & USE_ATOMIC) && (c->location.space == SPACE_WORKGROUP || (use & USE_EXCHANGED));
}

/* Takes note of what is done to an object. Where it turns out to be used in another way than it was taken for, all begins
 * again. */
static void note_use(struct judge *j, struct location p, unsigned use)
{
    unsigned char *const of = get_use(j, p);
    unsigned const added = use & ~(unsigned)*of;
    *of |= (unsigned char)use;
    j->memory.restart |= (added & USE_EXCHANGED) != 0;
    j->memory.restart |= (added & USE_ATOMIC) && (*of & USE_SEVERAL);
}

/* Is the plain access there visible to others, once a barrier orders it? Of buffers in Vulkan by their decoration, under
 * Vulkan's memory model, which has no such decoration, by the access's own operands. */
static bool is_visible(const struct judge *j, struct location p, const struct mod_inst *in)
{
    if (j->m.is_vulkan_model) {
        return availability_is_shared(&j->m, in);
    }
    return p.space != SPACE_BUFFER || j->input.tc->env != ENV_VK || (j->m.coherent >> p.object & 1);
}

/* The access e to the cell must be ordered with all that it could meet there, and what is loaded written before. */
static void see_order(struct judge *j, struct cell *c, const struct event *e)
{
    bool const is_plain = judge_get_inst(j, e)->part != PART_ATOMIC;
    struct race_access const now = {.invocation = e->invocation,
                                    .group = e->group,
                                    .epoch = e->phase,
                                    .is_write = e->op != MO_LOAD,
                                    .is_atomic = !is_plain,
                                    .dispatch = e->dispatch};
    if (c->owner != e->invocation) {
        note_use(j, c->location, USE_SEVERAL);
    }
    if (c->dispatch != e->dispatch) { /* the end of a dispatch makes all visible */
        c->dispatch = e->dispatch;
        c->owner_in_dispatch = e->invocation;
        c->is_of_several = c->has_private = false;
    }
    c->is_of_several |= c->owner_in_dispatch != e->invocation;
    c->has_private |= is_plain && !is_visible(j, c->location, judge_get_inst(j, e));
    if (c->is_of_several && c->has_private) {
        (void)exec_stop_undefined(&j->x, UNDEFINED_NOT_COHERENT);
    }
    if (!race_see(&c->race, &now)) {
        (void)exec_stop_undefined(&j->x, UNDEFINED_RACE);
    }
    if (is_plain && e->op == MO_LOAD && !c->is_written && !c->has_initial) {
        (void)exec_stop_undefined(&j->x, UNDEFINED_UNSET_MEMORY);
    }
    c->is_written |= now.is_write;
}

/* Does the access load what another invocation stored, where some of them were lost? */
static bool is_opened(const struct judge *j, const struct cell *c, const struct event *e)
{
    const struct race_kind *const write = &c->race.write;
    return j->memory.is_open && c->is_ordered && e->op == MO_LOAD && write->has &&
           write->last.invocation != e->invocation;
}

/* Is it known what a cell holds that is handed over? */
static bool is_fixed(const struct judge *j, const struct cell *c)
{
    uint64_t held;
    return c->is_ordered && exec_known(&j->x, c->cur, &held);
}

static bool is_copy(enum mo_op op)
{
    return op == MO_LOAD || op == MO_STORE || op == MO_EXCHANGE;
}

/* Rules of a float access. */
static struct rules get_rules(const struct judge *j, const struct cell *c, const struct event *e)
{
    const struct mod_inst *const in = judge_get_inst(j, e);
    enum rule_class const copied =
        in->part != PART_ATOMIC && c->is_ordered ? RULE_MOVE : RULE_MOVE_ATOMIC;
    return ruleset_get(&j->rules, is_copy(e->op) ? copied : RULE_ATOMIC, (enum fmt_id)c->fmt,
                       &j->m.ids[in->result]);
}

/* The bits of a float zero whose sign is no violation, which integers carry on. */
static struct val keep_zero(struct judge *j, struct val operand, uint64_t bits)
{
    const struct abstract *const b = exec_get_unobserved(&j->x, operand);
    if (!b || b->grade_zero == GRADE_VIOLATION) {
        return (struct val){.bits = bits};
    }
    uint8_t const grade = b->grade_zero, clause = b->clause_out;
    struct val const out = exec_new_abstract(&j->x);
    j->x.pool[out.abs] = (struct abstract){
        .kind = ABSTRACT_ONE, .bits = bits, .grade_zero = grade, .clause_out = clause};
    return out;
}

/* The operand of a minimum or maximum, which is no part of an expression: with all that it may be where the
 * instructions behind it are evaluated as one. */
static struct val take_hull(struct judge *j, enum fmt_id fmt, struct val operand)
{
    const struct abstract *const b = exec_get_unobserved(&j->x, operand);
    struct set hull;
    if (!b || b->freedom == 0 || !expression_enclose(&j->x, &j->rules, operand, fmt, &hull)) {
        return operand;
    }
    struct rules const r = {.outside = (enum grade)b->grade,
                            .outside_clause = (enum clause_id)b->clause_out};
    return value_from_set(&j->x, &hull, &r, (enum clause_id)b->clause, 0, GRADE_VIOLATION);
}

/* What a float addition, minimum or maximum leaves, with a record of how it was made. */
static struct val get_new_float(struct judge *j, const struct cell *c, const struct event *e,
                                struct val original)
{
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    bool const is_sum = e->op == MO_FADD;
    struct val const arg[2] = {original, is_sum ? e->operand : take_hull(j, fmt, e->operand)};
    struct rules r = get_rules(j, c, e);
    r.freedom = is_sum ? r.freedom : 0;
    struct expression const made = {.code = e->code,
                                    .fmt = c->fmt,
                                    .freedom = (uint8_t)r.freedom,
                                    .n_args = ARRAY_N(arg),
                                    .arg = arg};
    struct val const v = value_atomic(&j->x, judge_get_inst(j, e)->op, fmt, &r, original, arg[1]);
    return r.freedom ? expression_record(&j->x, v, &made) : v;
}

/* What the access e leaves in its private cell when it found `original` there. Floats go by the rules of
 * their instruction; an integer is computed if all it needs is known, else it may be anything. */
static struct val get_new_value(struct judge *j, const struct cell *c, const struct event *e,
                                struct val original)
{
    if (e->op == MO_LOAD) {
        return original;
    }
    if (c->is_float && is_copy(e->op)) {
        struct rules const r = get_rules(j, c, e);
        return value_copy(&j->x, (enum fmt_id)c->fmt, &r, e->operand,
                          value_get_clause(judge_get_inst(j, e)->op));
    }
    if (c->is_float) {
        return get_new_float(j, c, e, original);
    }
    uint64_t o = 0, v, comparator = 0;
    bool const needs_original = e->op != MO_STORE && e->op != MO_EXCHANGE;
    bool const needs_comparator = e->op == MO_CMPXCHG;
    if (!exec_known(&j->x, e->operand, &v) ||
        (needs_original && !exec_known(&j->x, original, &o)) ||
        (needs_comparator && !exec_known(&j->x, e->comparator, &comparator))) {
        return exec_new_abstract(&j->x);
    }
    uint64_t const left = mo_step_integer(e->op, c->n_bits, o, v, comparator);
    return is_copy(e->op) ? keep_zero(j, e->operand, left) : (struct val){.bits = left};
}

/* The value that an access returns. It is an entry of the pool of its own, which names the access, so that an
 * observation of the value finds it. In a contended cell it may be anything until it is observed (the order
 * of all accesses judges it at the end); else it is what the cell holds, as the instruction may read it. */
static struct val link_result(struct judge *j, const struct cell *c, uint32_t event,
                              struct val original)
{
    struct val v = original;
    struct event *e = &j->memory.events[event];
    bool const is_plain = c->is_ordered && judge_get_inst(j, e)->part != PART_ATOMIC;
    bool const is_others = c->race.write.has && c->race.write.last.invocation != e->invocation;
    enum clause_id const copied = is_others ? CLAUSE_BARRIER_ORDER : CLAUSE_COPY_EXACT;
    enum clause_id const clause = is_plain ? copied : value_get_clause(judge_get_inst(j, e)->op);
    if (c->is_float && !c->contended) {
        struct rules const r = get_rules(j, c, e);
        v = value_copy(&j->x, (enum fmt_id)c->fmt, &r, original, clause);
    }
    struct val out = exec_new_abstract(&j->x);
    struct abstract *to = &j->x.pool[out.abs];
    const struct abstract *from = exec_get_abstract(&j->x, v);
    out.made_by = c->contended ? 0 : v.made_by;
    if (c->contended) {
        to->clause = CLAUSE_RMW_CHAIN;
    } else if (from && !from->is_observed) {
        *to = *from;
        to->clause = is_plain && abstract_is_one(from) ? (uint8_t)clause : to->clause;
    } else {
        *to = (struct abstract){
            .kind = ABSTRACT_ONE, .bits = from ? from->bits : v.bits, .clause = (uint8_t)clause};
    }
    to->event = event + 1;
    return out;
}

/* Several invocations turn out to share a cell: its instructions are contended from now on, and
 * the dispatch is interpreted again, since values that were taken as private may be wrong. */
static void mark_contended(struct judge_memory *memory, const struct cell *c)
{
    const struct event *e = memory_first(memory, c);
    for (; e; e = memory_next(memory, e)) {
        unsigned char *mark = &memory->contended[e->code];
        memory->restart |= !*mark;
        *mark = 1;
    }
}

/* What all accesses of locations share: adds an event (`what` has its operation and operands) to the cell at
 * p, and puts its result, if it has one, into *result. The cell is contended once an invocation other than
 * its owner comes to it, or an instruction that touched a contended cell before; the value of a private cell
 * is followed here, that of a contended one is judged at the end. 0 and x->stop: it cannot go on. */
static int access_cell(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                       struct location p, const struct event *what, unsigned n_bits, int fmt,
                       struct val *result)
{
    struct cell *c = get_cell(j, inv, p, n_bits, fmt);
    struct event *e = c ? add_event(j, c, inv, in) : NULL;
    if (!e) {
        return exec_stop(&j->x, "arena full");
    }
    e->op = what->op;
    e->operand = what->operand;
    e->comparator = what->comparator;
    e->storage = (uint8_t)find_storage(j, in, p);
    bool const was_contended = c->contended;
    bool const is_marked = j->memory.contended[e->code];
    note_use(j, p, in->part == PART_ATOMIC ? USE_ATOMIC : 0);
    see_order(j, c, e);
    c->is_ordered = is_ordered(j, c);
    c->contended |= !c->is_ordered && (is_marked || c->owner != inv->global_index);
    if (c->contended && (!was_contended || !is_marked)) {
        mark_contended(&j->memory, c);
    }
    policy_tell(j, (struct policy_site){
                       .kind = SITE_ACCESS, .inv = inv, .in = in, .location = p, .cell = c});
    if (is_opened(j, c, e)) {
        c->cur = exec_new_abstract(&j->x);
        j->x.pool[c->cur.abs].grade = GRADE_VIOLATION; /* anything, but not nothing */
    }
    struct val const original = c->cur;
    if (result) {
        *result = link_result(j, c, (uint32_t)(e - j->memory.events), original);
    }
    if (!c->contended) {
        /* where no clause permits a load, what it gives says nothing of the location; nor does what one invocation
         * makes of a word that all load */
        bool const keeps = e->op == MO_LOAD && result && !judge_is_hole(j, e) && !is_fixed(j, c);
        c->cur = keeps ? *result : get_new_value(j, c, e, original);
    }
    return j->x.stop == NULL;
}

/* Component c of the operand at that word. */
static int take_value(struct judge *j, const struct invocation *inv, const struct mod_inst *in,
                      uint32_t word, uint32_t c, struct val *out)
{
    uint32_t const id = module_get_operand(&j->m, in, word);
    bool const is_right = in->op == SpvOpAtomicStore || exec_has_type(&j->x, id, in->type);
    if (!is_right || j->m.ids[id].n_slots <= c) {
        return exec_stop(&j->x, "an atomic without its operand");
    }
    *out = exec_reg(&j->x, inv, id)[c];
    return 1;
}

/* Mark the bytes of a buffer access. Where kinds of access mix that are not to be in a buffer of inputs or of probes, it is
 * one in which values are exchanged: all begins again. */
static int touch(struct judge *j, struct location p, unsigned n_bits, enum touch how,
                 unsigned mixes)
{
    if (p.space != SPACE_BUFFER) {
        return 1;
    }
    bool const is_exchanged = *get_use(j, p) & USE_EXCHANGED;
    for (unsigned i = 0; i < n_bits / 8; i++) {
        unsigned char *t = &j->memory.touch[p.object][p.offset + i];
        if ((*t & ~(mixes | TOUCH_PADDED)) && !is_exchanged) {
            j->memory.is_shared = 1;
            note_use(j, p, USE_EXCHANGED);
        }
        *t |= (unsigned char)how;
    }
    return 1;
}

/* Is a plain access at p one to a location that may change, else one to an input or of a probe? */
static bool is_of_cell(struct judge *j, struct location p)
{
    return p.space == SPACE_WORKGROUP || (*get_use(j, p) & USE_EXCHANGED);
}

/* Interprets component c of an atomic instruction, which is at p: checks its operands and its type, and adds
 * it to the location's accesses. */
static int access_component(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                            const struct mo_atomic *row, struct location p, uint32_t c)
{
    struct event what = {.op = row->operation,
                         .operand = {.bits = 1}}; /* of increments, decrements */
    if ((row->value && !take_value(j, inv, in, row->value, c, &what.operand)) ||
        (row->comparator && !take_value(j, inv, in, row->comparator, c, &what.comparator))) {
        return 0;
    }
    uint32_t const type = static_value_type(&j->m, in);
    unsigned const n_bits = j->m.ids[type].t.bits;
    int const fmt = module_get_format(&j->m, type);
    /* copies work on either type */
    bool const wants_float = what.op == MO_FADD || what.op == MO_FMIN || what.op == MO_FMAX;
    if (!is_copy(what.op) && (fmt >= 0) != wants_float) {
        return exec_stop(&j->x, "an atomic on the wrong type");
    }
    if (!touch(j, p, n_bits, TOUCH_ATOMIC, TOUCH_ATOMIC)) {
        return 0;
    }
    struct val *result = in->result ? exec_reg(&j->x, inv, in->result) + c : NULL;
    if (!access_cell(j, inv, in, p, &what, n_bits, fmt, result)) {
        return 0;
    }
    policy_tell(j, (struct policy_site){
                       .kind = SITE_ATOMIC, .inv = inv, .in = in, .location = p, .component = c});
    return j->x.stop == NULL;
}

/* Interprets an atomic instruction at p. Of a vector each component is a location of its own, and its update
 * an access of its own: nothing holds for several of them together (semantics B3). 0 and x->stop: it is not
 * interpreted, or p was accessed in a way that must not mix with atomics. */
int access_atomic(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                  struct location p)
{
    const struct mo_atomic *row = mo_find_atomic(in->op);
    const struct mod_type *t = &j->m.ids[static_value_type(&j->m, in)].t;
    if (!row) {
        return exec_stop(&j->x, "an atomic that is not interpreted");
    }
    for (uint32_t c = 0; c < t->n; c++, p.offset += t->bits / 8) {
        if (!access_component(j, inv, in, row, p, c)) {
            return 0;
        }
    }
    return 1;
}

int access_load(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                struct location p, uint32_t type, struct val *out)
{
    unsigned const n_bits = j->m.ids[type].t.bits;
    int const fmt = module_get_format(&j->m, type);
    if (!touch(j, p, n_bits, TOUCH_LOADED, TOUCH_LOADED)) {
        return 0;
    }
    if (is_of_cell(j, p)) {
        struct event const what = {.op = MO_LOAD};
        return access_cell(j, inv, in, p, &what, n_bits, fmt, out);
    }
    *out = (struct val){.bits = load_le(j->input.tc->bufs[p.object].data + p.offset, n_bits / 8)};
    if (fmt >= 0) {
        struct rules const r =
            ruleset_get(&j->rules, RULE_MOVE, (enum fmt_id)fmt, &j->m.ids[in->result]);
        *out = value_copy(&j->x, (enum fmt_id)fmt, &r, *out, CLAUSE_COPY_EXACT);
    }
    return j->x.stop == NULL;
}

/* What an undefined result gives is not one value: each use may see another, so an observation of
 * one binds none of the others. */
static int is_unstable(const struct abstract *b)
{
    return (b->grade == GRADE_UNDEFINED && b->event == 0) || b->clause_out == CLAUSE_DIV_ZERO;
}

/* Did a load that no clause permits give something that the location does not hold? */
static bool is_wrong_about_location(const struct judge *j, const struct cell *c,
                                    const struct event *e, uint64_t got)
{
    uint64_t expected;
    return e->op == MO_LOAD && judge_is_hole(j, e) && exec_known(&j->x, c->cur, &expected) &&
           expected != got && blame_is_right_in_the_end(j, e, expected);
}

/* The access e was seen to return `got`. */
static void bind_original(struct judge *j, struct event *e, uint64_t got)
{
    struct cell *c = &j->memory.cells[e->cell];
    e->knows_original = 1;
    e->original = got;
    if (!c->contended && c->version == e->version && !is_fixed(j, c) &&
        !is_wrong_about_location(j, c, e, got)) {
        c->cur = get_new_value(j, c, e, (struct val){.bits = got});
    }
}

/* Does a word that holds what it held before the dispatch show that nothing was stored there? Not where that is zero,
 * which a buffer nobody filled holds and an instruction may give: then zero is the value that was observed. */
static bool is_untouched_word(uint64_t before, uint64_t got)
{
    return got == before && before != 0;
}

/* A store of v, id `object`, to a buffer is a probe: what the buffer holds after the dispatch is what the
 * device had for v. It is judged here, unless v is the original of a contended atomic (what the atomic
 * found), which the order of all accesses of its location judges at the end. From then on v is what was
 * observed. */
static void see_stored(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                       uint32_t object, struct location p, unsigned n_bits, struct val v)
{
    uint64_t const got = load_le(j->input.ob->out[p.object] + p.offset, n_bits / 8);
    const struct mod_inst *root = probe_find_root(j, object);
    struct abstract *b = v.abs ? &j->x.pool[v.abs] : NULL;
    struct event *e = b && b->event ? &j->memory.events[b->event - 1] : NULL;
    uint64_t const before = load_le(j->input.tc->bufs[p.object].data + p.offset, n_bits / 8);
    if (b && !e && root && root->op == SpvOpLoad && n_bits == 32) {
        subgroup_see(j, inv, v, p);
    }
    bool const is_of_contended = e && j->memory.cells[e->cell].contended;
    bool const is_untouched = is_untouched_word(before, got);
    j->memory.n_probed[inv->dispatch]++;
    j->memory.n_kept[inv->dispatch] += got == before;
    policy_tell(j, (struct policy_site){.kind = SITE_PROBE,
                                        .inv = inv,
                                        .in = in,
                                        .location = p,
                                        .n_bits = n_bits,
                                        .is_unchanged = got == before,
                                        .value = v});
    if (is_of_contended &&
        is_untouched) { /* perhaps never written: no original that the chain may use */
        e->is_untouched = 1;
        return;
    }
    bool const is_decorated = root && module_is_decorated_float(&j->m, root);
    if (e && root && root->op == SpvOpCompositeExtract &&
        !is_decorated) { /* of a vector that an atomic found */
        root = judge_get_inst(j, e);
    }
    if (!is_of_contended) {
        struct observed const o = {.in = root ? root : in,
                                   .inv = inv,
                                   .e = e,
                                   .got = got,
                                   .is_untouched = is_untouched,
                                   .object = object,
                                   .location = p,
                                   .n_bits = n_bits};
        if (!judge_value(j, &o, v)) {
            return;
        }
        if (got != before) {
            judge_note_stored(j, inv);
        }
        /* a wrong value was reported once: what is computed from it shall not be reported again */
        if (v.abs == 0 && got != v.bits && !is_untouched) {
            probe_rebind(j, inv, object, got);
        }
    }
    b = v.abs ? &j->x.pool[v.abs] : NULL; /* the pool may have moved */
    if (b && !b->is_observed && !is_unstable(b)) {
        b->bits = got;
        b->is_observed = true;
        if (e) {
            bind_original(j, e, got);
            bool const is_as_found = root == judge_get_inst(j, e) && object != 0 &&
                                     n_bits == j->memory.cells[e->cell].n_bits;
            e->seen_buf = is_as_found ? p.object : NOT_SEEN;
            e->seen_byte = p.offset;
        }
    }
}

void access_pad(struct judge *j, struct location p, uint32_t n_bytes)
{
    uint32_t const limit = p.space == SPACE_BUFFER ? j->input.tc->bufs[p.object].n_bytes : 0;
    for (uint32_t i = p.offset; i < limit && i < p.offset + n_bytes; i++) {
        j->memory.touch[p.object][i] |= TOUCH_PADDED;
    }
}

int access_store(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                 struct location p, uint32_t type, struct val v)
{
    uint32_t const object = in->w[MOD_STORE_OBJECT];
    unsigned const n_bits = j->m.ids[type].t.bits;
    if (!touch(j, p, n_bits, TOUCH_STORED, 0)) {
        return 0;
    }
    if (is_of_cell(j, p)) {
        struct event const what = {.op = MO_STORE, .operand = v};
        int const fmt = module_get_format(&j->m, type);
        return access_cell(j, inv, in, p, &what, n_bits, fmt, NULL);
    }
    if (j->memory.restart || j->is_blind) {
        return 1; /* values may be wrong: only find what else is shared */
    }
    see_stored(j, inv, in, object, p, n_bits, v);
    return j->x.stop == NULL;
}

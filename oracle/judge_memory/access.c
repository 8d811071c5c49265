/* oracle/judge_memory/access.c -- each access to memory, at the moment at which the interpreter executes it.
 *
 * An access to a memory location that atomics or several invocations use becomes an event of the location's cell.
 * What a private cell holds is followed here. The values of a contended cell are judged after the dispatch
 * (finish.c). A plain store to a buffer is a probe: the word that the buffer holds after the dispatch is the observed
 * value, which is judged here (judge_probe). */
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

/* The cell of the memory location p; NULL: there is none. Each work-group has its own work-group memory. */
static struct cell *find_cell(const struct judge *j, struct location p, uint32_t group)
{
    const struct judge_memory *const memory = &j->memory;
    uint32_t i = memory->buckets[hash_location(j, p, group)];
    while (i && !cell_is_of(&memory->cells[i - 1], p, group)) {
        i = memory->cells[i - 1].next;
    }
    return i ? &memory->cells[i - 1] : NULL;
}

/* Does a cell with some of the bytes of p begin elsewhere? So it may be where pointers are cast. */
static bool has_overlap(const struct judge *j, struct location p, uint32_t group, unsigned n_bits)
{
    enum {
        MAX_BYTES = 8 /* of a cell */
    };
    uint32_t const first = p.offset < MAX_BYTES ? 0 : p.offset - MAX_BYTES + 1;
    uint32_t const end = p.offset + n_bits / 8;
    for (uint32_t at = first; j->m.has_casts && at < end; at++) {
        struct location const other = {.space = p.space, .object = p.object, .offset = at};
        const struct cell *const c = at != p.offset ? find_cell(j, other, group) : NULL;
        if (c && at + c->n_bits / 8 > (at < p.offset ? p.offset : at)) {
            return true;
        }
    }
    return false;
}

/* The cell of the memory location p, found by its hash. A new cell is made where there is none; the invocation `inv`
 * then owns the cell. A new cell of a buffer holds the input of the case; a new cell of work-group memory holds an
 * unknown value. NULL: the arena is full, or (x->stop is set) the location is accessed with two types, of which a cell
 * follows only one. */
static struct cell *get_cell(struct judge *j, const struct invocation *inv, struct location p,
                             unsigned n_bits, int fmt)
{
    uint32_t const group = p.space == SPACE_WORKGROUP ? inv->group_index : 0;
    struct judge_memory *memory = &j->memory;
    struct cell *c = find_cell(j, p, group);
    if (c && c->n_bits == n_bits && c->is_float == (fmt >= 0)) {
        return c;
    }
    if (c || has_overlap(j, p, group, n_bits)) {
        (void)exec_stop(&j->x, "a location accessed by two types");
        return NULL;
    }
    struct cell *cells =
        arena_grow(j->a, memory->cells, memory->n_cells, &memory->cap_cells, sizeof *cells);
    if (!cells) {
        return NULL;
    }
    memory->cells = cells;
    uint32_t const at = hash_location(j, p, group);
    c = &memory->cells[memory->n_cells];
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

/* Which counter of barriers orders accesses to the location p: a barrier's semantics name storage classes. */
static enum exec_phase get_phase_kind(const struct judge *j, struct location p)
{
    if (p.space == SPACE_WORKGROUP) {
        return PHASE_WORKGROUP;
    }
    return buf_has_texels(j->input.tc->bufs[p.object].kind) ? PHASE_IMAGE : PHASE_BUFFER;
}

/* Appends an access by `inv` to the cell's list of events. The caller fills in the operation. The events of a cell
 * form a linked list of indices plus 1, because the array may move when it grows. NULL: the arena is full. */
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
                        .phase = inv->phase[get_phase_kind(j, c->location)],
                        .dispatch = inv->dispatch,
                        .code = (uint32_t)(in - j->m.code),
                        .cell = (uint32_t)(c - memory->cells),
                        .version = ++c->version,
                        .probe_buf = NO_PROBE};
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

/* The kind of storage under which the coverage table counts an access at p by `in`: GENERIC if the pointer has the
 * storage class Generic, whatever memory it points to; else the kind of the memory itself. */
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
    case TEXELS_NONE: /* BUF_ADDRESS: reached by its address, without a binding */
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

/* ---- memory locations through which invocations exchange values, ordered by barriers ---- */

/* What is known so far of how the variable or buffer at p is used: bits of enum object_use. */
static unsigned char *get_use(struct judge *j, struct location p)
{
    return p.space == SPACE_WORKGROUP ? &j->memory.group_use[p.object]
                                      : &j->memory.buffer_use[p.object];
}

/* Is the value of the cell followed through the accesses of all invocations? So it is where no atomic accesses the
 * object: then barriers order all accesses, or the program has a data race and no defined behaviour. */
static bool is_ordered(struct judge *j, const struct cell *c)
{
    unsigned const use = *get_use(j, c->location);
    return !(use & USE_ATOMIC) && (c->location.space == SPACE_WORKGROUP || (use & USE_EXCHANGED));
}

/* Records a use of the object at p. The interpretation of the dispatch restarts where this use contradicts what was assumed
 * so far: that nobody reads back what is stored in a buffer, or that no atomic accesses what several invocations access. */
static void note_use(struct judge *j, struct location p, unsigned use)
{
    unsigned char *const known = get_use(j, p);
    unsigned const added = use & ~(unsigned)*known;
    *known |= (unsigned char)use;
    j->memory.restart |= (added & USE_EXCHANGED) != 0;
    j->memory.restart |= (added & USE_ATOMIC) && (*known & USE_SEVERAL);
}

/* Does a barrier make the plain access `in` at p visible to other invocations? Work-group memory and all memory of
 * OpenCL: yes. A buffer of Vulkan: if it is decorated Coherent, or, under the Vulkan memory model, if the operands of
 * the access say so. */
static bool is_visible(const struct judge *j, struct location p, const struct mod_inst *in)
{
    if (j->m.is_vulkan_model) {
        return availability_is_shared(&j->m, in);
    }
    return p.space != SPACE_BUFFER || j->input.tc->env != ENV_VK || (j->m.coherent >> p.object & 1);
}

/* Records the access e to the cell, and checks it against the rules of the memory model. The program has no defined
 * behaviour if e races with an earlier access; if several invocations access the cell in a dispatch, and one of the plain
 * accesses, a load or a store, is not visible to others; or if a plain load finds memory that nobody has written. An atomic
 * that finds such memory returns what is there, which the order of all accesses takes as unknown. */
static void check_order(struct judge *j, struct cell *c, const struct event *e)
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
    if (c->dispatch != e->dispatch) { /* the end of a dispatch makes all its writes visible */
        c->dispatch = e->dispatch;
        c->owner_in_dispatch = e->invocation;
        c->is_of_several = c->has_invisible = false;
    }
    c->is_of_several |= c->owner_in_dispatch != e->invocation;
    /* one plain access that is not visible to others is enough, whichever of them it is */
    c->has_invisible |= is_plain && !is_visible(j, c->location, judge_get_inst(j, e));
    if (c->is_of_several && c->has_invisible) {
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

/* Does the access load what another invocation stored, while some invocations have not stored what they should? Then
 * the load may give anything: the missing store is reported, not what follows from it. */
static bool may_load_anything(const struct judge *j, const struct cell *c, const struct event *e)
{
    const struct race_kind *const write = &c->race.write;
    return j->memory.is_unconstrained && c->is_ordered && e->op == MO_LOAD && write->has &&
           write->last.invocation != e->invocation;
}

/* Is the value known that a cell holds whose accesses are ordered by barriers? */
static bool is_known_ordered(const struct judge *j, const struct cell *c)
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

/* The value that an integer copy leaves: `bits`. Where the copied operand is a float zero whose sign no clause fixes,
 * the copy keeps the grade and the clause of that sign, so that the other zero is no violation in the integer location
 * either. */
static struct val keep_zero_grade(struct judge *j, struct val operand, uint64_t bits)
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

/* The operand of a floating-point minimum or maximum. The instructions that compute the operand may be contracted or
 * rearranged (CLAUSE_ARITH_CONTRACT, CLAUSE_ARITH_REASSOC); the minimum itself is no part of that expression. So the
 * operand is the set of all values that the expression may give. */
static struct val take_operand_range(struct judge *j, enum fmt_id fmt, struct val operand)
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

/* The value that a float addition, minimum or maximum leaves. An addition may be contracted with the instructions
 * that compute its operand, so its result carries a record of the expression. */
static struct val get_new_float(struct judge *j, const struct cell *c, const struct event *e,
                                struct val held)
{
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    bool const is_sum = e->op == MO_FADD;
    struct val const arg[2] = {held, is_sum ? e->operand : take_operand_range(j, fmt, e->operand)};
    struct rules r = get_rules(j, c, e);
    r.freedom = is_sum ? r.freedom : 0;
    struct expression const made = {.code = e->code,
                                    .fmt = c->fmt,
                                    .freedom = (uint8_t)r.freedom,
                                    .n_args = ARRAY_N(arg),
                                    .arg = arg};
    struct val const v = value_atomic(&j->x, judge_get_inst(j, e)->op, fmt, &r, held, arg[1]);
    return r.freedom ? expression_record(&j->x, v, &made) : v;
}

/* The value that the access e leaves in its private cell, which held `held` before. The value of a float follows
 * the rules of the instruction. An integer is computed if all inputs are known; otherwise it may be anything. */
static struct val get_new_value(struct judge *j, const struct cell *c, const struct event *e,
                                struct val held)
{
    if (e->op == MO_LOAD) {
        return held;
    }
    if (c->is_float && is_copy(e->op)) {
        struct rules const r = get_rules(j, c, e);
        return value_copy(&j->x, (enum fmt_id)c->fmt, &r, e->operand,
                          value_get_clause(judge_get_inst(j, e)->op));
    }
    if (c->is_float) {
        return get_new_float(j, c, e, held);
    }
    /* an input that the operation does not need stays 0 */
    uint64_t old = 0, operand, comparator = 0;
    bool const needs_held = e->op != MO_STORE && e->op != MO_EXCHANGE;
    bool const needs_comparator = e->op == MO_CMPXCHG;
    if (!exec_known(&j->x, e->operand, &operand) ||
        (needs_held && !exec_known(&j->x, held, &old)) ||
        (needs_comparator && !exec_known(&j->x, e->comparator, &comparator))) {
        return exec_new_abstract(&j->x);
    }
    uint64_t const left = mo_step_integer(e->op, c->n_bits, old, operand, comparator);
    return is_copy(e->op) ? keep_zero_grade(j, e->operand, left) : (struct val){.bits = left};
}

/* The clause by which the result of the access e is judged. An atomic, and an access to a cell that barriers do not order,
 * has the clause of its instruction. A plain load of an ordered cell (is_plain) is judged by BARRIER_ORDER if another
 * invocation wrote the location last, else by COPY_EXACT. */
static enum clause_id get_clause(const struct judge *j, const struct cell *c, const struct event *e,
                                 bool is_plain)
{
    const struct race_kind *const write = &c->race.write;
    if (!is_plain) {
        return value_get_clause(judge_get_inst(j, e)->op);
    }
    return write->has && write->last.invocation != e->invocation ? CLAUSE_BARRIER_ORDER
                                                                 : CLAUSE_COPY_EXACT;
}

/* The value that an access to a contended cell returns: anything until it is observed. The order of all accesses judges it
 * after the dispatch (CLAUSE_RMW_CHAIN). */
static struct val make_contended_result(struct judge *j)
{
    struct val const out = exec_new_abstract(&j->x);
    j->x.pool[out.abs].clause = CLAUSE_RMW_CHAIN;
    return out;
}

/* The value that an access to a private cell returns: what the cell held, as the instruction may read it. */
static struct val make_private_result(struct judge *j, const struct cell *c, const struct event *e,
                                      struct val held)
{
    /* only in an ordered cell can another invocation have stored what a plain load returns (get_clause) */
    bool const is_plain = c->is_ordered && judge_get_inst(j, e)->part != PART_ATOMIC;
    enum clause_id const clause = get_clause(j, c, e, is_plain);
    struct val v = held;
    if (c->is_float) {
        struct rules const r = get_rules(j, c, e);
        v = value_copy(&j->x, (enum fmt_id)c->fmt, &r, held, clause);
    }
    struct val out = exec_new_abstract(&j->x);
    struct abstract *const to = &j->x.pool[out.abs];
    const struct abstract *const from = exec_get_abstract(&j->x, v);
    out.made_by = v.made_by;
    if (!from || from->is_observed) { /* these bits alone: another result is a wrong access */
        *to = (struct abstract){
            .kind = ABSTRACT_ONE, .bits = from ? from->bits : v.bits, .clause = (uint8_t)clause};
        return out;
    }
    *to = *from;
    /* A plain load of one possible value that gives another one has broken the copy. Where several values are possible, a
     * value outside of them may as well come of the instruction that computed them: its clause is kept. */
    if (is_plain && abstract_is_one(from)) {
        to->clause = (uint8_t)clause;
    }
    return out;
}

/* The value that an access returns, in a cell that held `held` before: a new entry of the pool that names the access, so
 * that an observation of the value finds its access. */
static struct val make_result(struct judge *j, const struct cell *c, uint32_t event,
                              struct val held)
{
    struct val const out = c->contended ? make_contended_result(j)
                                        : make_private_result(j, c, &j->memory.events[event], held);
    j->x.pool[out.abs].event = event + 1;
    return out;
}

/* Several invocations share the cell. Marks the instructions that access it as contended, and restarts the
 * interpretation of the dispatch, because values that were followed as private may be wrong. */
static void mark_contended(struct judge_memory *memory, const struct cell *c)
{
    const struct event *e = memory_first(memory, c);
    for (; e; e = memory_next(memory, e)) {
        unsigned char *mark = &memory->contended[e->code];
        memory->restart |= !*mark;
        *mark = 1;
    }
}

/* Should the value that a load returned replace what its private cell holds? So that an observation of the loaded
 * value binds the cell. Not for a load that no clause permits (judge_is_hole), nor in a cell that several invocations
 * load and whose value is known: there one invocation's wrong result says nothing of the location. */
static bool binds_cell(const struct judge *j, const struct cell *c, const struct event *e)
{
    return e->op == MO_LOAD && !judge_is_hole(j, e) && !is_known_ordered(j, c);
}

/* Executes one access: adds an event with the operation and operands of `what` to the cell at p, and stores its
 * result, if any, in *result. The cell becomes contended when an invocation other than its owner accesses it, or an
 * instruction that is known to access contended cells. The value of a private cell is followed here. 0 and x->stop:
 * the interpretation cannot go on. The steps stand in their order: how the object is used decides whether barriers order
 * its accesses, that decides whether the cell is contended, and the policy sees the cell before the access changes it. */
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
    bool const is_marked = j->memory.contended[e->code]; /* by this attempt or an earlier one */
    note_use(j, p, in->part == PART_ATOMIC ? USE_ATOMIC : 0);
    check_order(j, c, e);
    c->is_ordered = is_ordered(j, c);
    c->contended |= !c->is_ordered && (is_marked || c->owner != inv->global_index);
    if (c->contended && (!was_contended || !is_marked)) { /* else all its instructions are marked */
        mark_contended(&j->memory, c);
    }
    policy_tell(
        j->policy, j,
        &(struct policy_site){.kind = SITE_ACCESS, .inv = inv, .in = in, .location = p, .cell = c});
    if (may_load_anything(j, c, e)) {
        c->cur = exec_new_abstract(&j->x);
        /* a new entry is undefined, so that each use may see another value; this one is any value, but the same for all */
        j->x.pool[c->cur.abs].grade = GRADE_VIOLATION;
    }
    struct val const held = c->cur;
    if (result) {
        *result = make_result(j, c, (uint32_t)(e - j->memory.events), held);
    }
    if (!c->contended) {
        bool const takes_result = result && binds_cell(j, c, e);
        c->cur = takes_result ? *result : get_new_value(j, c, e, held);
    }
    return j->x.stop == NULL;
}

/* Component c of the operand at that word of the instruction. 0 and x->stop: the operand does not fit the instruction. */
static int take_value(struct judge *j, const struct invocation *inv, const struct mod_inst *in,
                      uint32_t word, uint32_t c, struct val *out)
{
    uint32_t const id = module_get_operand(&j->m, in, word);
    bool const has_type = in->op == SpvOpAtomicStore || exec_has_type(&j->x, id, in->type);
    if (!has_type || j->m.ids[id].n_slots <= c) {
        return exec_stop(&j->x, "an atomic without its operand");
    }
    *out = exec_reg(&j->x, inv, id)[c];
    return 1;
}

/* Marks the bytes of a buffer access with `how`. A buffer of inputs is only loaded, a buffer of probes only stored,
 * each byte once. Where a byte has marks other than `mixes`, invocations exchange values through the buffer, and the
 * interpretation restarts with that known. */
static void mark_touched(struct judge *j, struct location p, unsigned n_bits, enum touch how,
                         unsigned mixes)
{
    if (p.space != SPACE_BUFFER) {
        return;
    }
    bool const is_exchanged = *get_use(j, p) & USE_EXCHANGED;
    for (unsigned i = 0; i < n_bits / 8; i++) {
        unsigned char *mark = &j->memory.touch[p.object][p.offset + i];
        if ((*mark & ~(mixes | TOUCH_PADDED)) && !is_exchanged) {
            j->memory.is_shared = 1;
            note_use(j, p, USE_EXCHANGED);
        }
        *mark |= (unsigned char)how;
    }
}

/* Does a plain access at p access a location whose value may change during the dispatch? Else it loads an input or
 * stores a probe. */
static bool is_of_cell(struct judge *j, struct location p)
{
    return p.space == SPACE_WORKGROUP || (*get_use(j, p) & USE_EXCHANGED);
}

/* Executes component c of an atomic instruction at p: checks its operands and its type, then executes the access. */
static int access_component(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                            const struct mo_atomic *row, struct location p, uint32_t c)
{
    /* increments and decrements have no operand: they add or subtract 1. A load does not look at it. */
    struct event what = {.op = row->operation, .operand = {.bits = 1}};
    if ((row->value && !take_value(j, inv, in, row->value, c, &what.operand)) ||
        (row->comparator && !take_value(j, inv, in, row->comparator, c, &what.comparator))) {
        return 0;
    }
    uint32_t const type = static_value_type(&j->m, in);
    unsigned const n_bits = j->m.ids[type].t.bits;
    int const fmt = module_get_format(&j->m, type);
    bool const wants_float = what.op == MO_FADD || what.op == MO_FMIN || what.op == MO_FMAX;
    bool const is_right_type = is_copy(what.op) || (fmt >= 0) == wants_float;
    if (!is_right_type) {
        return exec_stop(&j->x, "an atomic on the wrong type");
    }
    mark_touched(j, p, n_bits, TOUCH_ATOMIC, TOUCH_ATOMIC);
    struct val *result = in->result ? exec_reg(&j->x, inv, in->result) + c : NULL;
    if (!access_cell(j, inv, in, p, &what, n_bits, fmt, result)) {
        return 0;
    }
    policy_tell(j->policy, j,
                &(struct policy_site){
                    .kind = SITE_ATOMIC, .inv = inv, .in = in, .location = p, .component = c});
    return j->x.stop == NULL;
}

/* Executes an atomic instruction at p. Each component of a vector is a memory location of its own, with an access of
 * its own: SPV_NV_shader_atomic_fp16_vector guarantees atomicity per component only. 0 and x->stop: the instruction
 * is not interpreted, or p was accessed in a way that must not mix with atomics. */
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
    mark_touched(j, p, n_bits, TOUCH_LOADED, TOUCH_LOADED);
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

/* An undefined result is not one value: each use of it may give another value. So an observation of one use does not
 * bind the other uses. */
static int is_unstable(const struct abstract *b)
{
    return (b->grade == GRADE_UNDEFINED && b->event == 0) || b->clause_out == CLAUSE_DIV_ZERO;
}

/* Did a load that no clause permits return a value other than what the location holds? */
static bool is_wrong_about_location(const struct judge *j, const struct cell *c,
                                    const struct event *e, uint64_t got)
{
    uint64_t expected;
    return e->op == MO_LOAD && judge_is_hole(j, e) && exec_known(&j->x, c->cur, &expected) &&
           expected != got && blame_is_right_in_the_end(j, e, expected);
}

/* The access e was observed to return `got`. From then on its private cell holds what e leaves after `got`. */
static void bind_original(struct judge *j, struct event *e, uint64_t got)
{
    struct cell *c = &j->memory.cells[e->cell];
    e->knows_original = 1;
    e->original = got;
    if (!c->contended && c->version == e->version && !is_known_ordered(j, c) &&
        !is_wrong_about_location(j, c, e, got)) {
        c->cur = get_new_value(j, c, e, (struct val){.bits = got});
    }
}

/* May the probe never have been stored, because its word still holds its value of before the dispatch? Zero is taken
 * as an observed value: a buffer that the case does not fill holds zeros, and many instructions give zero. */
static bool is_untouched_word(uint64_t before, uint64_t got)
{
    return got == before && before != 0;
}

/* The instruction that a finding about the stored id `object` names: the one that computed it; for a component that
 * is extracted from the vector that an atomic (e) returned, the atomic itself. NULL: the id is no result. */
static const struct mod_inst *find_named(const struct judge *j, const struct event *e,
                                         uint32_t object)
{
    const struct mod_inst *const root = probe_find_root(j, object);
    bool const is_of_vector =
        e && root && root->op == SpvOpCompositeExtract && !module_is_decorated_float(&j->m, root);
    return is_of_vector ? judge_get_inst(j, e) : root;
}

/* The observed bits `got` of the stored word become the value of v, so that all that is computed from v is judged by
 * them. named: the instruction that computed v. */
static void bind_probe(struct judge *j, const struct observed *o, const struct mod_inst *named,
                       struct event *e, struct val v)
{
    struct abstract *const b = v.abs ? &j->x.pool[v.abs] : NULL;
    if (!b || b->is_observed || is_unstable(b)) {
        return;
    }
    b->bits = o->got;
    b->is_observed = true;
    if (e) {
        bind_original(j, e, o->got);
        bool const is_as_found = named == judge_get_inst(j, e) && o->object != 0 &&
                                 o->n_bits == j->memory.cells[e->cell].n_bits;
        e->probe_buf = is_as_found ? o->location.object : NO_PROBE;
        e->probe_byte = o->location.offset;
    }
}

/* Judges a probe: `in` stores v, the id `object`, to p in a buffer, and the word there after the dispatch is the value that
 * the device had for v. judge_value compares the two here, unless v is the original that a contended atomic returned: the
 * order of all accesses of that location judges the original after the dispatch. From then on v has the observed value. */
static void judge_probe(struct judge *j, struct invocation *inv, const struct mod_inst *in,
                        uint32_t object, struct location p, unsigned n_bits, struct val v)
{
    uint64_t const got = load_le(j->input.ob->out[p.object] + p.offset, n_bits / 8);
    uint64_t const before = load_le(j->input.tc->bufs[p.object].data + p.offset, n_bits / 8);
    const struct abstract *const b = v.abs ? &j->x.pool[v.abs] : NULL;
    struct event *e = b && b->event ? &j->memory.events[b->event - 1] : NULL;
    const struct mod_inst *const named = find_named(j, e, object);
    bool const is_of_contended = e && j->memory.cells[e->cell].contended;
    bool const is_untouched = is_untouched_word(before, got);
    bool const may_be_id = b && !e && named && named->op == SpvOpLoad && n_bits == 32;
    if (may_be_id) { /* of a sub-group, loaded from a built-in: its word lets a bundle check it */
        subgroup_note_probe(j, inv, v, p);
    }
    j->memory.n_probed[inv->dispatch]++;
    j->memory.n_kept[inv->dispatch] += got == before;
    policy_tell(j->policy, j,
                &(struct policy_site){.kind = SITE_PROBE,
                                      .inv = inv,
                                      .in = in,
                                      .location = p,
                                      .n_bits = n_bits,
                                      .is_unchanged = got == before,
                                      .value = v});
    struct observed const o = {.in = named ? named : in,
                               .inv = inv,
                               .e = e,
                               .got = got,
                               .is_untouched = is_untouched,
                               .object = object,
                               .location = p,
                               .n_bits = n_bits};
    if (is_of_contended && is_untouched) { /* perhaps never stored, so no original is known */
        e->is_untouched = 1;
        return;
    }
    if (!is_of_contended) {
        if (!judge_value(j, &o, v)) { /* nothing was observed of v, so that nothing is bound */
            return;
        }
        if (got != before) {
            judge_note_stored(j, inv);
        }
        /* A wrong value was reported once: what is computed from it shall not be reported again. A known v has no entry of the
         * pool that bind_probe could bind (v.abs is 0), so its registers are changed. A word that still has its old content
         * is no observation of another value: judge_value lets it pass only where no clause fixes what v is. */
        if (v.abs == 0 && got != v.bits && !is_untouched) {
            probe_rebind(j, inv, object, got);
        }
    }
    bind_probe(j, &o, named, e, v);
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
    mark_touched(j, p, n_bits, TOUCH_STORED, 0);
    if (is_of_cell(j, p)) {
        struct event const what = {.op = MO_STORE, .operand = v};
        int const fmt = module_get_format(&j->m, type);
        return access_cell(j, inv, in, p, &what, n_bits, fmt, NULL);
    }
    if (j->memory.restart || j->is_blind) {
        return 1; /* values may be wrong: this attempt only finds what else is shared */
    }
    judge_probe(j, inv, in, object, p, n_bits, v);
    return j->x.stop == NULL;
}

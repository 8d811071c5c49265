/* oracle/sim/sim_memory.c -- faults of plain loads and stores on the simulated device. */
#include "oracle/sim/sim_memory.h"

#include <string.h>

#include "base/testcase.h"
#include "oracle/fault/faults.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/interp/module_part.h"

/* The last plain store to a location, by whom and when. */
struct written {
    struct location location;
    uint32_t owner, invocation, local,
        epoch; /* owner: work-group whose memory it is, from 1; 0: a buffer's */
    uint64_t before;
    bool is_there;
};
/* A store that has not happened yet. */
struct pending {
    struct location location;
    uint32_t group, invocation, epoch;
    unsigned n_bits;
    uint64_t bits;
};
enum {
    N_WRITTEN = 4096,
    USED_STORED = 1,
    USED_LOADED = 2,
    USED_BY_ATOMICS = 4
};
struct sim_memory {
    struct written *written; /* [N_WRITTEN], by the hash of the location */
    struct pending *pending;
    uint32_t n_pending, cap_pending;
    /* Of buffers and of work-group variables, by all runs so far. */
    unsigned char buffer_use[CASE_MAX_BUFS], group_use[MOD_MAX_WG_OBJECTS];
    bool is_settled;
    uint32_t hasty, epoch; /* ORDER_NOT_AWAITED: the invocation, and the barriers it had passed */
    struct location whole; /* of the struct that is being stored as a whole */
};

bool sim_memory_make(struct sim *s, struct arena *a)
{
    bool is_asked = false;
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        is_asked |= plan->id != FAULT_NONE && fault_is_of_memory(plan->id);
    }
    if (!is_asked) {
        return true;
    }
    struct sim_memory *const m = ARENA_NEW(a, struct sim_memory, 1);
    s->memory = m;
    if (m) {
        m->written = ARENA_NEW(a, struct written, N_WRITTEN);
    }
    return m && m->written;
}

void sim_memory_begin(struct sim *s)
{
    if (s->memory) {
        memset(s->memory->written, 0, sizeof *s->memory->written * N_WRITTEN);
        s->memory->n_pending = 0;
        s->memory->hasty = UINT32_MAX;
    }
}

void sim_memory_settle(struct sim *s)
{
    if (s->memory) {
        s->memory->is_settled = true;
    }
}

/* Returns how many barriers that order the memory location the invocation has passed. */
static uint32_t get_epoch(const struct invocation *inv, struct location p)
{
    return inv->phase[p.space == SPACE_WORKGROUP ? PHASE_WORKGROUP : PHASE_BUFFER];
}

static uint32_t get_owner(const struct invocation *inv, struct location p)
{
    return p.space == SPACE_WORKGROUP ? inv->group_index + 1 : 0;
}

static unsigned char *get_use(const struct sim *s, struct location p)
{
    return p.space == SPACE_BUFFER ? &s->memory->buffer_use[p.object]
                                   : &s->memory->group_use[p.object];
}

/* Is the memory location in an object by which invocations exchange data: loaded from, stored to,
 * and not accessed by atomics? */
static bool is_shared(const struct sim *s, struct location p)
{
    return s->memory->is_settled && *get_use(s, p) == (USED_STORED | USED_LOADED);
}

static void note_use(struct sim *s, struct location p, unsigned char use)
{
    *get_use(s, p) |= use;
}

void sim_memory_see_atomic(struct sim *s, struct location p)
{
    note_use(s, p, USED_BY_ATOMICS);
}

static struct written *find_written(struct sim *s, const struct invocation *inv, struct location p)
{
    uint64_t const key[2] = {location_pack(p), get_owner(inv, p)};
    return &s->memory->written[hash_bytes(0, key, sizeof key) % N_WRITTEN];
}

static bool is_of(const struct written *w, const struct invocation *inv, struct location p)
{
    return w->is_there && memcmp(&w->location, &p, sizeof p) == 0 && w->owner == get_owner(inv, p);
}

/* Is there an element after the memory location in its object? */
static bool has_next(const struct sim *s, struct location p, unsigned n_bits)
{
    uint32_t const limit =
        p.space == SPACE_BUFFER ? s->tc->bufs[p.object].n_bytes : s->m.wg_size[p.object];
    return p.offset + 2 * (n_bits / 8) <= limit;
}

/* Does the planted fault act here: is it this fault, and the site that was drawn? Whether anything differs is counted where
 * the value is known. */
static bool acts(struct sim *s, enum fault_id fault)
{
    if (s->fault != fault) {
        return false;
    }
    sim_note_there(s);
    if (!sim_is_site(s)) {
        return false;
    }
    sim_note_acted(s, UINT32_MAX, false);
    return true;
}

/* Performs the delayed plain stores of the work-group after which it has passed two barriers. */
static void settle_pending(struct sim *s, const struct invocation *inv)
{
    struct sim_memory *const m = s->memory;
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_pending; i++) {
        struct pending const one = m->pending[i];
        if (one.group == inv->group_index && get_epoch(inv, one.location) > one.epoch + 1) {
            store_le(sim_get_bytes(s, one.group, one.location), one.bits, one.n_bits / 8);
        } else {
            m->pending[n++] = one;
        }
    }
    m->n_pending = n;
}

void sim_memory_end(struct sim *s)
{
    for (uint32_t i = 0; s->memory && i < s->memory->n_pending; i++) {
        const struct pending *const one = &s->memory->pending[i];
        store_le(sim_get_bytes(s, one->group, one->location), one->bits, one->n_bits / 8);
    }
}

/* Is a store to the location delayed? *at: which one. */
static bool find_pending(const struct sim *s, const struct invocation *inv, struct location p,
                         uint32_t *at)
{
    const struct sim_memory *const m = s->memory;
    for (*at = 0; *at < m->n_pending; ++*at) {
        const struct pending *const one = &m->pending[*at];
        if (memcmp(&one->location, &p, sizeof p) == 0 &&
            (p.space == SPACE_BUFFER || one->group == inv->group_index)) {
            return true;
        }
    }
    return false;
}

static int hold(struct sim *s, const struct invocation *inv, struct location p, unsigned n_bits,
                uint64_t bits)
{
    struct sim_memory *const m = s->memory;
    struct pending *all =
        arena_grow(s->x.a, m->pending, m->n_pending, &m->cap_pending, sizeof *all);
    if (!all) {
        return exec_stop(&s->x, "arena full");
    }
    m->pending = all;
    all[m->n_pending++] =
        (struct pending){p, inv->group_index, inv->global_index, get_epoch(inv, p), n_bits, bits};
    return 1;
}

void sim_memory_see_whole(struct sim *s, struct location p)
{
    s->memory->whole = p;
}

/* What becomes of a store by the planted fault. */
struct stored {
    struct location location;
    unsigned n_bits;
    uint64_t bits;
    bool is_lost, is_held;
};

/* The word that a narrow number is in becomes the number and zeros beside it. */
static void widen_store(const struct sim *s, struct stored *out)
{
    enum {
        WORD = 4 /* bytes */
    };
    uint32_t const limit = out->location.space == SPACE_BUFFER
                               ? s->tc->bufs[out->location.object].n_bytes
                               : s->m.wg_size[out->location.object];
    uint32_t const first = out->location.offset / WORD * WORD;
    if (first + WORD <= limit) {
        out->bits <<= 8 * (out->location.offset - first);
        out->location.offset = first;
        out->n_bits = 8 * WORD;
    }
}

/* Is it a scalar of the last member of a struct that is stored as a whole? */
static bool is_of_last(const struct sim *s, const struct mod_inst *in, struct location p)
{
    uint32_t const object = module_get_operand(&s->m, in, MOD_STORE_OBJECT);
    const struct mod_type *const t = &s->m.ids[s->m.ids[object].type].t;
    return t->kind == TK_STRUCT && t->n_members > 1 &&
           p.offset >= s->memory->whole.offset + t->offsets[t->n_members - 1];
}

/* Returns what the planted fault makes of a store: another location, width or value, a lost store,
 * or a delayed one. */
static struct stored change_store(struct sim *s, const struct mod_inst *in, struct location p,
                                  unsigned n_bits, uint64_t bits)
{
    struct stored out = {.location = p, .n_bits = n_bits, .bits = bits};
    out.is_lost = acts(s, FAULT_MEMORY_STORE_LOST);
    if (n_bits < 32 && acts(s, FAULT_MEMORY_NARROW_WIDE)) {
        widen_store(s, &out);
    }
    if (is_of_last(s, in, p) && acts(s, FAULT_MEMORY_STRUCT_CUT)) {
        out.is_lost = true;
    }
    out.is_held = acts(s, FAULT_ORDER_STORE_LATE);
    if (has_next(s, p, n_bits) && acts(s, FAULT_MEMORY_STORE_NEXT)) {
        out.location.offset += n_bits / 8;
    }
    if (n_bits > 8 && acts(s, FAULT_MEMORY_HALF_STORED)) {
        out.n_bits = n_bits / 2;
    }
    return out;
}

/* Does the changed store leave other bytes than the store of `bits` at p? */
static bool is_other_store(struct sim *s, const struct invocation *inv, struct location p,
                           unsigned n_bits, uint64_t bits, const struct stored *to)
{
    uint64_t const before = load_le(sim_get_bytes(s, inv->group_index, p), n_bits / 8);
    uint64_t const there =
        load_le(sim_get_bytes(s, inv->group_index, to->location), to->n_bits / 8);
    if (to->is_lost || to->is_held) {
        return before != bits;
    }
    if (to->n_bits > n_bits) { /* a word whose other bytes become zeros */
        uint64_t const own = ((UINT64_C(1) << n_bits) - 1) << 8 * (p.offset - to->location.offset);
        return (there & ~own) != 0;
    }
    if (to->n_bits < n_bits) {
        return (before ^ bits) >> to->n_bits != 0;
    }
    bool const is_moved = memcmp(&to->location, &p, sizeof p) != 0;
    return is_moved && (before != bits || there != bits);
}

/* Stores `bits` at p by a plain store, changed by the planted faults of memory: the store may be lost, delayed, go
 * to another location or have another width. The store is recorded for faults that read stale values. Returns 0 with
 * x.stop set where there is no memory to delay it. */
int sim_memory_store(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                     struct location p, unsigned n_bits, uint64_t bits)
{
    struct stored to = {.location = p, .n_bits = n_bits, .bits = bits};
    uint32_t at;
    note_use(s, p, USED_STORED);
    settle_pending(s, inv); /* performs the stores delayed past two barriers */
    for (const struct fault_plan *plan = s->plans; plan && is_shared(s, p); plan = plan->next) {
        sim_take_plan(s, plan);
        if (fault_is_of_memory(plan->id)) { /* of several faults the last decides */
            to = change_store(s, in, p, n_bits, bits);
            s->n_differs += is_other_store(s, inv, p, n_bits, bits, &to);
        }
    }
    /* a delayed store to p is overwritten now: the last entry replaces it */
    if (find_pending(s, inv, p, &at)) {
        s->memory->pending[at] = s->memory->pending[--s->memory->n_pending];
    }
    /* recorded even if the store is lost, delayed or misdirected: other faults go by what the program stores */
    *find_written(s, inv, p) =
        (struct written){.location = p,
                         .owner = get_owner(inv, p),
                         .invocation = inv->global_index,
                         .local = inv->local_index,
                         .epoch = get_epoch(inv, p),
                         .before = load_le(sim_get_bytes(s, inv->group_index, p), n_bits / 8),
                         .is_there = true};
    if (to.is_held) {
        return hold(s, inv, p, n_bits, bits);
    }
    if (!to.is_lost) {
        store_le(sim_get_bytes(s, inv->group_index, to.location), to.bits, to.n_bits / 8);
    }
    return 1;
}

/* Does the invocation not wait for those after it? It does so from the first load that would show
 * it up to the next barrier. */
static bool is_hasty(struct sim *s, const struct invocation *inv, struct location p)
{
    struct sim_memory *const m = s->memory;
    if ((s->plan.everywhere || m->hasty == UINT32_MAX) && acts(s, FAULT_ORDER_NOT_AWAITED)) {
        m->hasty = inv->global_index;
        m->epoch = get_epoch(inv, p);
    }
    return m->hasty == inv->global_index && m->epoch == get_epoch(inv, p);
}

/* Returns the distance in bytes to the same member of the next struct in the array that is
 * accessed; 0: the access is to no struct, or there is no next one. */
static uint32_t get_struct_step(const struct sim *s, const struct mod_inst *in, struct location p,
                                unsigned n_bits)
{
    const struct mod_inst *const chain =
        module_get_definition(&s->m, module_get_operand(&s->m, in, MOD_OPERAND));
    uint32_t const base =
        chain && chain->part == PART_CHAIN ? module_get_operand(&s->m, chain, MOD_OPERAND) : 0;
    uint32_t type = base ? s->m.ids[s->m.ids[base].type].t.elem : 0;
    const struct mod_type *t = &s->m.ids[type].t;
    if (t->kind == TK_STRUCT && t->n_members == 1) { /* a block */
        type = t->members[0];
        t = &s->m.ids[type].t;
    }
    uint32_t const element = t->kind == TK_ARRAY ? t->elem : type;
    uint32_t const limit =
        p.space == SPACE_BUFFER ? s->tc->bufs[p.object].n_bytes : s->m.wg_size[p.object];
    uint32_t const stride = t->kind == TK_ARRAY ? s->m.ids[type].stride : 0;
    uint32_t const step = stride ? stride : module_get_type_bytes(&s->m, element);
    bool const is_struct = s->m.ids[element].t.kind == TK_STRUCT;
    return is_struct && p.offset + step + n_bits / 8 <= limit ? step : 0;
}

/* Changes what is loaded from shared memory under the fault: the next element or struct, or the
 * value before the last store of another invocation. */
static void change_load(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                        struct location p, unsigned n_bits, uint64_t *bits)
{
    uint32_t const step = get_struct_step(s, in, p, n_bits);
    if (step && acts(s, FAULT_MEMORY_STRUCT_NEXT)) {
        p.offset += step;
        *bits = load_le(sim_get_bytes(s, inv->group_index, p), n_bits / 8);
    }
    const struct written *const w = find_written(s, inv, p);
    bool const is_others = is_of(w, inv, p) && w->invocation != inv->global_index &&
                           w->before != *bits && w->epoch < get_epoch(inv, p);
    if (has_next(s, p, n_bits) && acts(s, FAULT_MEMORY_LOAD_NEXT)) {
        p.offset += n_bits / 8;
        *bits = load_le(sim_get_bytes(s, inv->group_index, p), n_bits / 8);
    }
    if (is_others && acts(s, FAULT_ORDER_LOAD_EARLY)) {
        *bits = w->before;
    }
    bool const is_after = is_others && w->local > inv->local_index;
    if (is_after && s->fault == FAULT_ORDER_NOT_AWAITED && is_hasty(s, inv, p)) {
        *bits = w->before;
    }
}

/* Bytes before the first push constant of the module. */
static uint32_t find_push_offset(const struct module *m)
{
    for (uint32_t i = 0; i < m->n_ids; i++) {
        const struct mod_type *const pointer = &m->ids[m->ids[i].type].t;
        if ((m->ids[i].flags & ID_VARIABLE) && pointer->storage == SpvStorageClassPushConstant) {
            return m->ids[pointer->elem].t.offsets[0];
        }
    }
    return 0;
}

/* Returns what the first storage buffer of set 0 holds at the same offset; 0 where there is none
 * or it is too small. */
static uint64_t load_from_first(struct sim *s, const struct invocation *inv, struct location p,
                                unsigned n_bits)
{
    for (uint32_t i = 0; i < s->tc->n_bufs; i++) {
        const struct buf *const b = &s->tc->bufs[i];
        struct location const there = {.space = SPACE_BUFFER, .object = i, .offset = p.offset};
        if (b->set == 0 && b->kind == BUF_STORAGE) {
            return p.offset + n_bits / 8 <= b->n_bytes
                       ? load_le(sim_get_bytes(s, inv->group_index, there), n_bits / 8)
                       : 0;
        }
    }
    return 0;
}

/* Changes what is loaded from read-only memory or through descriptor sets, under the faults that are about these. */
static void change_input(struct sim *s, const struct invocation *inv, struct location p,
                         unsigned n_bits, uint64_t *bits)
{
    enum {
        /* of a constant buffer by FAULT_CONSTANT_CUT, which reads zeros after them */
        KEPT_BYTES = 32
    };
    const struct buf *const b = p.space == SPACE_BUFFER ? &s->tc->bufs[p.object] : NULL;
    bool const is_constant = b && buf_is_constant(b->kind);
    /* bytes of push constants before the first one that the module declares */
    uint32_t const before =
        s->fault == FAULT_PUSH_FROM_START && b && b->kind == BUF_PUSH ? find_push_offset(&s->m) : 0;
    if (is_constant && has_next(s, p, n_bits) && acts(s, FAULT_CONSTANT_LOAD_NEXT)) {
        p.offset += n_bits / 8;
        *bits = load_le(sim_get_bytes(s, inv->group_index, p), n_bits / 8);
    }
    if (is_constant && p.offset >= KEPT_BYTES && acts(s, FAULT_CONSTANT_CUT)) {
        *bits = 0;
    }
    if (before > 0 && acts(s, FAULT_PUSH_FROM_START)) {
        p.offset -= before;
        *bits = load_le(sim_get_bytes(s, inv->group_index, p), n_bits / 8);
    }
    if (b && b->set != 0 && acts(s, FAULT_SET_IGNORED)) {
        *bits = load_from_first(s, inv, p, n_bits);
    }
}

/* Loads from p by a plain load, changed by the planted faults of memory. *bits is what a device
 * without a fault returns. */
int sim_memory_load(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                    struct location p, unsigned n_bits, uint64_t *bits)
{
    uint32_t at;
    note_use(s, p, USED_LOADED);
    settle_pending(s, inv);
    if (find_pending(s, inv, p, &at)) { /* its own invocation sees it */
        const struct pending *const one = &s->memory->pending[at];
        *bits = one->invocation == inv->global_index ? one->bits : *bits;
        return 1;
    }
    uint64_t const right = load_le(sim_get_bytes(s, inv->group_index, p), n_bits / 8);
    *bits = right;
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        sim_take_plan(s, plan);
        if (fault_is_of_memory(plan->id) && is_shared(s, p)) {
            change_load(s, inv, in, p, n_bits, bits);
        } else if (fault_is_of_memory(plan->id)) {
            change_input(s, inv, p, n_bits, bits);
        }
    }
    s->n_differs += *bits != right;
    return 1;
}

/* ---- arrays of the function ---- */

/* What an access to an array or struct of the function is to. */
struct own_part {
    uint32_t variable; /* its type */
    uint32_t element;  /* scalars of an element, if it is an array */
};

static struct own_part find_own(const struct sim *s, uint32_t pointer)
{
    const struct mod_inst *const chain = module_get_definition(&s->m, pointer);
    uint32_t const base = chain ? module_get_operand(&s->m, chain, MOD_OPERAND) : 0;
    uint32_t const type = base ? s->m.ids[s->m.ids[base].type].t.elem : 0;
    return (struct own_part){.variable = type,
                             .element = module_count_scalars(&s->m, s->m.ids[type].t.elem)};
}

/* Does an element follow that of which n_slots scalars are accessed? */
static bool has_next_own(const struct sim *s, const struct own_part *own, uint32_t n_slots,
                         struct location p)
{
    return own->element != 0 &&
           p.offset + own->element + n_slots <= module_count_scalars(&s->m, own->variable);
}

/* The type of scalar `slot` of a value of the type; 0: there is none. */
static uint32_t get_scalar_type(const struct module *m, uint32_t type, uint32_t slot)
{
    while (slot < module_count_scalars(m, type)) {
        const struct mod_type *const t = &m->ids[type].t;
        if (t->kind == TK_INT || t->kind == TK_FLOAT) {
            return type;
        }
        uint32_t const one = t->kind == TK_STRUCT ? 0 : module_count_scalars(m, t->elem);
        uint32_t part = t->kind == TK_STRUCT ? 0 : slot / one, at = part * one;
        while (t->kind == TK_STRUCT && at + module_count_scalars(m, t->members[part]) <= slot) {
            at += module_count_scalars(m, t->members[part++]);
        }
        slot -= at;
        type = t->kind == TK_STRUCT ? t->members[part] : t->elem;
    }
    return 0;
}

/* Are the next n_slots scalars, within the same array element, of the same types as those accessed? */
static bool has_next_member(const struct sim *s, const struct own_part *own, uint32_t n_slots,
                            struct location p)
{
    uint32_t const in_element = own->element ? p.offset % own->element : 0;
    if (own->element == 0 || s->m.ids[s->m.ids[own->variable].t.elem].t.kind != TK_STRUCT ||
        in_element + 2 * n_slots > own->element) {
        return false;
    }
    for (uint32_t i = 0; i < n_slots; i++) {
        if (get_scalar_type(&s->m, own->variable, p.offset + i) !=
            get_scalar_type(&s->m, own->variable, p.offset + n_slots + i)) {
            return false;
        }
    }
    return true;
}

/* Returns the number of scalars of a struct that is stored as a whole, without its last member; 0:
 * it is no struct. */
static uint32_t count_but_last(const struct sim *s, const struct mod_inst *in)
{
    uint32_t const object = module_get_operand(&s->m, in, MOD_STORE_OBJECT);
    const struct mod_type *const t = &s->m.ids[s->m.ids[object].type].t;
    bool const is_struct = in->op == SpvOpStore && t->kind == TK_STRUCT;
    uint32_t n = 0;
    for (uint32_t i = 0; is_struct && i + 1 < t->n_members; i++) {
        n += module_count_scalars(&s->m, t->members[i]);
    }
    return n;
}

/* Does an access that the fault changed, which was to n_slots scalars at p, load or leave other values? */
static bool is_other_own(const struct sim *s, const struct invocation *inv,
                         const struct mod_inst *in, struct location p, uint32_t n_slots,
                         struct location to, uint32_t n_left)
{
    if (p.space != SPACE_FUNCTION ||
        (uint64_t)to.object + to.offset + n_slots > s->m.n_func_objects) {
        return to.offset != p.offset; /* a table of constants, or out of bounds */
    }
    const struct val *const before = &inv->func[p.object + p.offset];
    const struct val *const there = &inv->func[to.object + to.offset];
    const struct val *const stored =
        in->op == SpvOpStore ? exec_reg(&s->x, inv, module_get_operand(&s->m, in, MOD_STORE_OBJECT))
                             : NULL;
    bool differs = false;
    for (uint32_t i = 0; i < n_slots && !differs; i++) {
        differs = stored == NULL ? before[i].bits != there[i].bits
                  : i >= n_left  ? before[i].bits != stored[i].bits
                  : before != there
                      ? before[i].bits != stored[i].bits || there[i].bits != stored[i].bits
                      : false;
    }
    return differs;
}

/* Lets the planted faults act on an access of *n_slots scalars to an array or struct of the
 * function. Returns false where a store is lost. */
bool sim_memory_own(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                    uint32_t *n_slots, struct location *p)
{
    bool const is_store = in->op == SpvOpStore;
    uint32_t const pointer =
        module_get_operand(&s->m, in, is_store ? MOD_STORE_POINTER : MOD_OPERAND);
    struct own_part const own = find_own(s, pointer);
    uint32_t const n_cut = count_but_last(s, in), n_all = *n_slots;
    struct location const at = *p;
    bool is_lost = false;
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        sim_take_plan(s, plan);
        is_lost |= is_store && acts(s, FAULT_OWN_STORE_LOST);
        if (has_next_own(s, &own, *n_slots, *p) &&
            acts(s, is_store ? FAULT_OWN_STORE_NEXT : FAULT_OWN_LOAD_NEXT)) {
            p->offset += own.element;
        }
        if (!is_store && has_next_member(s, &own, *n_slots, *p) && acts(s, FAULT_OWN_MEMBER_NEXT)) {
            p->offset += *n_slots;
        }
        if (n_cut > 0 && acts(s, FAULT_OWN_STRUCT_CUT)) {
            *n_slots = n_cut;
        }
    }
    s->n_differs += is_other_own(s, inv, in, at, n_all, *p, is_lost ? 0 : *n_slots);
    return !is_lost;
}

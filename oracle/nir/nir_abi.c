/* oracle/nir/nir_abi.c -- arguments, ids and descriptors of each driver. */
#include "oracle/nir/nir_abi.h"

#include <string.h>

#include "oracle/nir/nir_op.h"
#include "oracle/nir/nir_sets.h"

const char *const nir_driver_names[NIR_DRIVER_N] = {[NIR_DRIVER_RADV] = "radv",
                                                    [NIR_DRIVER_RADV12] = "radv12",
                                                    [NIR_DRIVER_TURNIP] = "turnip",
                                                    [NIR_DRIVER_NVK] = "nvk",
                                                    [NIR_DRIVER_LAVAPIPE] = "lavapipe"};

int nir_driver_find(const char *name)
{
    for (int i = 0; i < NIR_DRIVER_N; i++) {
        if (strcmp(nir_driver_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Buffer i begins at (i + 1) << 32, a little behind it: offsets before its begin are of no buffer. The descriptors of
 * sets are where RADV has them, in the 4 GiB whose upper half is SET_HIGH. */
enum {
    BUFFER_SHIFT = 32,
    BUFFER_BEGIN = 0x10000,
    SET_STEP = 0x10000,
    DESCRIPTOR_BYTES = 16
};
#define SET_HIGH UINT64_C(0xffff8000)
#define SET_BASE (SET_HIGH << 32)

static uint64_t get_buffer_address(uint32_t buffer)
{
    return ((uint64_t)buffer + 1) << BUFFER_SHIFT | BUFFER_BEGIN;
}

/* NVK's handle of a uniform buffer: the address and the size, both in units of 16 bytes; the address has 45 bits. */
enum {
    HANDLE_ADDRESS_BITS = 45,
    HANDLE_UNIT_SHIFT = 4
};
static uint64_t make_handle(uint64_t address, uint32_t n_bytes)
{
    uint64_t const n_units =
        ((uint64_t)n_bytes + (1U << HANDLE_UNIT_SHIFT) - 1) >> HANDLE_UNIT_SHIFT;
    return address >> HANDLE_UNIT_SHIFT | n_units << HANDLE_ADDRESS_BITS;
}

/* The memory that holds the address of a buffer which is reached by it alone. False: no memory. */
static bool put_address(struct nir_abi *abi, uint32_t buffer, struct arena *a)
{
    enum {
        ADDRESS_BYTES = 8
    };
    struct nir_region *const r = &abi->addresses[buffer];
    if (abi->tc->bufs[buffer].kind == BUF_ADDRESS) {
        *r = (struct nir_region){.n_bytes = ADDRESS_BYTES, .bytes = arena_take(a, ADDRESS_BYTES)};
        if (!r->bytes) {
            return false;
        }
        store_le(r->bytes, abi->buffers[buffer].address, ADDRESS_BYTES);
    }
    return true;
}

/* Lavapipe's descriptors, of which the number of the buffer stands in for the content: a buffer takes DESCRIPTOR_BYTES, an image IMAGE_BYTES, and one is behind the other (26.2); or a
 * descriptor has a number in its set (25.0). */
static void put_of_lavapipe(struct nir_abi *abi, uint32_t buffer, uint32_t *n_bytes,
                            uint32_t *n_descriptors)
{
    enum {
        IMAGE_BYTES = 64
    };
    const struct buf *const b = &abi->tc->bufs[buffer];
    bool const is_image = buf_kind_rows[b->kind].texels != TEXELS_NONE;
    store_le(abi->sets[b->set].bytes + n_bytes[b->set], (uint64_t)buffer + 1, 8);
    n_bytes[b->set] += is_image ? IMAGE_BYTES : DESCRIPTOR_BYTES;
    abi->numbered[b->set][n_descriptors[b->set]++] = (uint8_t)buffer;
}

/* The descriptor of a buffer as the next one of its set: RADV's are the address, the size and flags, which no program
 * looks at; NVK's the address and the size, or a handle. Turnip's are no memory: a storage buffer has two of them, of
 * 32-bit and of 16-bit elements, a uniform buffer one. */
static void put_descriptor(struct nir_abi *abi, uint32_t buffer, uint32_t *n_bindings,
                           uint32_t *n_descriptors)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    uint64_t const address = abi->buffers[buffer].address;
    unsigned char *const to = abi->sets[b->set].bytes + DESCRIPTOR_BYTES * n_bindings[b->set]++;
    bool const has_handle = abi->driver == NIR_DRIVER_NVK && b->kind == BUF_CONSTANT;
    store_le(to, has_handle ? make_handle(address, b->n_bytes) : address, 8);
    store_le(to + 8, b->n_bytes, 4);
    for (unsigned i = b->kind == BUF_CONSTANT; i < 2; i++) {
        abi->numbered[b->set][n_descriptors[b->set]++] = (uint8_t)buffer;
    }
}

/* NVK's root table. ROOT_BASE: what the work-groups' ids begin with, and ROOT_GROUPS: how many there are, 4 bytes for each
 * dimension, both of a dispatch. ROOT_SETS: the address and the size of each set, in 16 bytes. ROOT_PUSH: the push
 * constants. */
enum {
    ROOT_BASE = 0,
    ROOT_GROUPS = 12,
    ROOT_SETS = 56,
    ROOT_SET_BYTES = 16,
    ROOT_PUSH = 1792
};

void nir_abi_begin(struct nir_abi *abi, const struct dispatch *dispatch)
{
    for (unsigned c = 0; c < 3; c++) {
        store_le(abi->root.bytes + ROOT_BASE + 4 * c, dispatch->base[c], 4);
        store_le(abi->root.bytes + ROOT_GROUPS + 4 * c, dispatch->n[c], 4);
    }
}

/* Push constants are no buffer with a descriptor. Those of RADV are arguments that do not say which ones they are. */
static bool put_push_constants(struct nir_abi *abi, uint32_t buffer, struct nir_answer *answer)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    bool const is_radv = abi->driver == NIR_DRIVER_RADV || abi->driver == NIR_DRIVER_RADV12;
    if (is_radv || b->n_bytes > CASE_MAX_PUSH_BYTES) {
        return nir_stop_unknown(answer, 0, "kind of buffer", "push", strlen("push"));
    }
    abi->push = abi->buffers[buffer];
    memcpy(abi->root.bytes + ROOT_PUSH, b->data, b->n_bytes);
    return true;
}

static bool make_memory(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    const struct testcase *const tc = abi->tc;
    uint32_t n_bindings[CASE_MAX_SETS] = {0}, n_descriptors[CASE_MAX_SETS] = {0};
    memset(abi->numbered, NIR_NO_BUFFER, sizeof abi->numbered);
    abi->root =
        (struct nir_region){.n_bytes = NIR_ROOT_BYTES, .bytes = arena_take(a, NIR_ROOT_BYTES)};
    if (!abi->root.bytes) {
        return nir_stop_memory(answer, 0);
    }
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        const struct buf *const b = &tc->bufs[i];
        bool const is_other =
            abi->driver == NIR_DRIVER_LAVAPIPE && b->kind != BUF_PUSH && b->kind != BUF_VALUE;
        bool const has_set = b->kind == BUF_STORAGE || b->kind == BUF_CONSTANT || is_other;
        if ((!has_set && b->kind != BUF_PUSH) || b->set >= CASE_MAX_SETS) {
            const char *const name = buf_kind_names[b->kind];
            return nir_stop_unknown(answer, 0, "kind of buffer", name, strlen(name));
        }
        abi->buffers[i] = (struct nir_region){.address = get_buffer_address(i),
                                              .n_bytes = b->n_bytes,
                                              .is_written = !buf_is_constant(b->kind),
                                              .bytes = arena_copy(a, b->data, b->n_bytes)};
        if (!abi->buffers[i].bytes) {
            return nir_stop_memory(answer, 0);
        }
        if (!has_set) {
            if (!put_push_constants(abi, i, answer)) {
                return false;
            }
            continue;
        }
        struct nir_region *const set = &abi->sets[b->set];
        if (!set->bytes) {
            *set = (struct nir_region){.address = SET_BASE + (uint64_t)SET_STEP * (b->set + 1),
                                       .n_bytes = NIR_SET_BYTES,
                                       .bytes = arena_take(a, NIR_SET_BYTES)};
        }
        if (!set->bytes) {
            return nir_stop_memory(answer, 0);
        }
        if (abi->driver == NIR_DRIVER_LAVAPIPE) {
            if (!put_address(abi, i, a)) {
                return nir_stop_memory(answer, 0);
            }
            put_of_lavapipe(abi, i, n_bindings, n_descriptors);
            continue;
        }
        put_descriptor(abi, i, n_bindings, n_descriptors);
        store_le(abi->root.bytes + ROOT_SETS + ROOT_SET_BYTES * b->set, set->address, 8);
    }
    return true;
}

/* The only value of a source that is a constant; false: it is none. */
static bool is_constant(const struct nir_program *p, const struct nir_source *s, uint64_t value)
{
    const struct nir_value *const v = &p->values[s->value];
    return v->is_constant && p->constants[v->offset + nir_source_component(s, 0)] == value;
}

/* Arguments that some instruction loads, before it is known what they are. */
struct loaded {
    bool is_loaded[NIR_MAX_ARGUMENTS];
    bool is_pointer[NIR_MAX_ARGUMENTS];  /* becomes the lower half of an address of descriptors */
    bool is_vector[NIR_MAX_ARGUMENTS];   /* has three components */
    int64_t bound[NIR_MAX_ARGUMENTS];    /* its arg_upper_bound_u32_amd; 0: none is given */
    uint32_t n_bytes[NIR_MAX_ARGUMENTS]; /* of a pointer: how far behind it descriptors are used */
    uint8_t *
        origin; /* by value: 1 + the argument that it is, or is the address of, or was loaded by; else 0 */
    uint32_t *base; /* by value that was loaded: how far behind the pointer */
};

/* The instruction reads component c of a value: of what was loaded by a pointer these bytes are used. */
static void see_use(struct loaded *l, const struct nir_source *s, uint32_t c)
{
    uint8_t const origin = l->origin[s->value];
    uint32_t const base = l->base[s->value];
    if (origin && base != UINT32_MAX) {
        uint32_t const end = base + 4 * (nir_source_component(s, c) + 1);
        l->n_bytes[origin - 1] = l->n_bytes[origin - 1] < end ? end : l->n_bytes[origin - 1];
    }
}

/* What one instruction says of arguments; instructions come in the order of the text. */
static bool see_instruction(const struct nir_program *p, const struct nir_instruction *in,
                            struct loaded *l, struct nir_answer *answer)
{
    const struct nir_source *const s = &p->sources[in->first];
    if (in->kind == NIR_CALL && in->row == NIR_INTRINSIC_load_scalar_arg_amd) {
        int64_t const number = in->index[NIR_INDEX_base];
        if (number < 0 || number >= NIR_MAX_ARGUMENTS) {
            return nir_stop(answer, NIR_BROKEN, in->line, "a shader has no such argument");
        }
        l->is_loaded[number] = true;
        l->is_vector[number] = p->values[in->value].n_components == 3;
        l->bound[number] = in->index[NIR_INDEX_arg_upper_bound_u32_amd];
        l->origin[in->value] = (uint8_t)(number + 1);
        l->base[in->value] = UINT32_MAX;
        return true;
    }
    if (in->kind == NIR_ALU && in->row == NIR_OP_pack_64_2x32_split && l->origin[s[0].value] &&
        is_constant(p, &s[1], SET_HIGH)) {
        l->is_pointer[l->origin[s[0].value] - 1] = true;
        l->origin[in->value] = l->origin[s[0].value];
        l->base[in->value] = UINT32_MAX;
        return true;
    }
    bool const is_load = in->kind == NIR_CALL && (in->row == NIR_INTRINSIC_load_global_amd ||
                                                  in->row == NIR_INTRINSIC_load_smem_amd);
    if (is_load && l->origin[s[0].value] && is_constant(p, &s[1], 0)) {
        l->origin[in->value] = l->origin[s[0].value];
        l->base[in->value] = (uint32_t)in->index[NIR_INDEX_base] & (NIR_SET_BYTES - 1);
        return true;
    }
    for (uint32_t i = 0; in->kind != NIR_PHI && i < in->n_sources; i++) {
        bool const is_each = in->kind == NIR_ALU && nir_op_rows[in->row].shape == NIR_EACH;
        uint32_t const n = is_each                ? p->values[in->value].n_components
                           : s[i].n               ? s[i].n
                           : in->kind == NIR_CALL ? p->values[s[i].value].n_components
                                                  : 1;
        for (uint32_t c = 0; c < n; c++) {
            see_use(l, &s[i], c);
        }
    }
    return true;
}

/* The pointers are those of the sets that the shader uses. */
static bool name_pointers(struct nir_abi *abi, const struct nir_program *p, const struct loaded *l,
                          struct nir_answer *answer)
{
    uint32_t sets[CASE_MAX_SETS], n_bytes[NIR_MAX_ARGUMENTS], n = 0;
    for (uint32_t i = 0; i < NIR_MAX_ARGUMENTS; i++) {
        if (l->is_pointer[i]) {
            n_bytes[n++] = l->n_bytes[i];
        }
    }
    if (n == 0) {
        return true;
    }
    if (!nir_sets_of_pointers(abi->tc, p, n_bytes, n, sets, answer)) {
        return false;
    }
    n = 0;
    for (uint32_t i = 0; i < NIR_MAX_ARGUMENTS; i++) {
        if (l->is_pointer[i]) {
            abi->arguments[i] = (struct nir_argument){NIR_ARGUMENT_SET, sets[n++]};
        }
    }
    return true;
}

/* The other arguments: one with three components is how many work-groups there are. Those with one are components of the
 * work-group's id, ascending. That of x has no bound, since Vulkan's smallest limit of it does not fit; those of y and z
 * have that of 65535. Of a single one of these it is the one that differs between work-groups; if neither does, both are
 * 0. */
static bool name_components(struct nir_abi *abi, const struct loaded *l, struct nir_answer *answer)
{
    uint32_t n_groups[3], n_bounded = 0, n_free = 0, n_seen = 0;
    for (unsigned c = 0; c < 3; c++) {
        n_groups[c] = abi->tc->global[c] / abi->tc->local[c];
    }
    for (uint32_t i = 0; i < NIR_MAX_ARGUMENTS; i++) {
        bool const is_component = l->is_loaded[i] && !l->is_pointer[i] && !l->is_vector[i];
        n_bounded += is_component && l->bound[i] != 0;
        n_free += is_component && l->bound[i] == 0;
    }
    bool const is_ambiguous = n_bounded == 1 && n_groups[1] > 1 && n_groups[2] > 1;
    if (n_free > 1 || n_bounded > 2 || is_ambiguous) {
        return nir_stop(answer, NIR_UNKNOWN, 0,
                        "it is not known what the arguments of the shader are: %u are without a "
                        "bound and %u with one",
                        n_free, n_bounded);
    }
    for (uint32_t i = 0; i < NIR_MAX_ARGUMENTS; i++) {
        if (!l->is_loaded[i] || l->is_pointer[i]) {
            continue;
        }
        if (l->is_vector[i]) {
            abi->arguments[i] = (struct nir_argument){NIR_ARGUMENT_N_GROUPS, 0};
            continue;
        }
        uint32_t c = 0;
        if (l->bound[i] != 0) {
            c = n_bounded == 2 ? ++n_seen : n_groups[2] > 1 ? 2 : 1;
        }
        abi->arguments[i] = (struct nir_argument){NIR_ARGUMENT_GROUP, c};
    }
    return true;
}

bool nir_abi_make(struct nir_abi *abi, enum nir_driver driver, uint32_t subgroup_size,
                  const struct testcase *tc, const struct nir_program *p, struct arena *a,
                  struct nir_answer *answer)
{
    struct loaded l = {.is_loaded = {false}};
    *abi = (struct nir_abi){.driver = driver, .subgroup_size = subgroup_size, .tc = tc};
    if (!make_memory(abi, a, answer)) {
        return false;
    }
    if (driver == NIR_DRIVER_LAVAPIPE) {
        return true;
    }
    if (driver == NIR_DRIVER_NVK) {
        return nir_sets_of_constants(tc, p, abi->constants, answer);
    }
    l.origin = arena_take(a, p->n_values + 1);
    l.base = ARENA_NEW(a, uint32_t, p->n_values + 1);
    if (!l.origin || !l.base) {
        return nir_stop_memory(answer, 0);
    }
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        if (!see_instruction(p, &p->instructions[i], &l, answer)) {
            return false;
        }
    }
    return name_pointers(abi, p, &l, answer) && name_components(abi, &l, answer);
}

/* Component c of the id within the work-group. */
static uint32_t get_local(const struct nir_abi *abi, const struct nir_place *place, uint32_t c)
{
    const uint32_t *const size = abi->tc->local;
    uint32_t const i = place->local_index;
    return c == 0 ? i % size[0] : c == 1 ? i / size[0] % size[1] : i / size[0] / size[1];
}

static bool get_argument(const struct nir_abi *abi, const struct nir_place *place, int64_t number,
                         uint32_t c, uint64_t *out)
{
    if (number < 0 || number >= NIR_MAX_ARGUMENTS) {
        return false;
    }
    struct nir_argument const argument = abi->arguments[number];
    switch (argument.kind) {
    case NIR_ARGUMENT_NONE:
        return false;
    case NIR_ARGUMENT_SET:
        *out = abi->sets[argument.number].address & UINT32_MAX;
        return true;
    case NIR_ARGUMENT_N_GROUPS:
        *out = place->dispatch->n[c];
        return true;
    case NIR_ARGUMENT_GROUP:
        *out = place->dispatch->base[argument.number] + place->group[argument.number];
        return true;
    }
    return false;
}

/* Registers of gfx12 that hold ids; the number of the sub-group stands in bits 29:25 of number 8. */
static bool get_trap_register(const struct nir_place *place, int64_t number, uint64_t *out)
{
    uint64_t group[3];
    for (unsigned c = 0; c < 3; c++) {
        group[c] = place->dispatch->base[c] + place->group[c];
    }
    switch (number) {
    case 7:
        *out = (group[1] & 0xffff) | group[2] << 16;
        return true;
    case 8:
        *out = (uint64_t)(place->subgroup & 31) << 25;
        return true;
    case 9:
        *out = group[0];
        return true;
    default:
        return false;
    }
}

/* Special registers of NVIDIA's. */
static bool get_system_value(const struct nir_abi *abi, const struct nir_place *place,
                             int64_t number, uint64_t *out)
{
    uint64_t const own = UINT64_C(1) << (place->lane & 31);
    switch (number) {
    case 0:
        *out = place->lane;
        return true;
    case 33:
    case 34:
    case 35:
        *out = get_local(abi, place, (uint32_t)(number - 33));
        return true;
    case 37:
    case 38:
    case 39:
        *out = place->group[number - 37];
        return true;
    case 56: /* lanes equal to the own one, below it, and both */
        *out = own;
        return true;
    case 57:
        *out = own - 1;
        return true;
    case 58:
        *out = own | (own - 1);
        return true;
    default:
        return false;
    }
}

bool nir_abi_get_id(const struct nir_abi *abi, const struct nir_place *place, enum nir_id_form form,
                    const int64_t *index, uint64_t operand, uint32_t c, uint64_t *out)
{
    uint32_t const size = abi->subgroup_size;
    bool const is_vector = c < 3;
    *out = 0;
    switch (form) {
    case NIR_ID_SCALAR_ARGUMENT:
        return is_vector && get_argument(abi, place, index[NIR_INDEX_base], c, out);
    case NIR_ID_SUBGROUP_ARGUMENT:
        *out = (uint64_t)(place->subgroup & 31) << 20;
        return true;
    case NIR_ID_VECTOR_ARGUMENT:
        *out = get_local(abi, place, 0) | get_local(abi, place, 1) << 10 |
               get_local(abi, place, 2) << 20;
        return true;
    case NIR_ID_TRAP_REGISTER:
        return get_trap_register(place, index[NIR_INDEX_base], out);
    case NIR_ID_SYSTEM_VALUE:
        return get_system_value(abi, place, index[NIR_INDEX_base], out);
    case NIR_ID_GROUP: /* lavapipe's begin with the base of the dispatch */
        *out = !is_vector ? 0
               : abi->driver == NIR_DRIVER_LAVAPIPE
                   ? (uint64_t)place->dispatch->base[c] + place->group[c]
                   : place->group[c];
        return is_vector;
    case NIR_ID_GROUP_BASE:
        *out = is_vector ? place->dispatch->base[c] : 0;
        return is_vector;
    case NIR_ID_N_GROUPS:
        *out = is_vector ? place->dispatch->n[c] : 0;
        return is_vector;
    case NIR_ID_LOCAL:
        *out = is_vector ? get_local(abi, place, c) : 0;
        return is_vector;
    case NIR_ID_LOCAL_INDEX:
        *out = place->local_index;
        return true;
    case NIR_ID_GLOBAL:
        *out = is_vector ? (place->dispatch->base[c] + place->group[c]) * abi->tc->local[c] +
                               get_local(abi, place, c)
                         : 0;
        return is_vector;
    case NIR_ID_ZERO:
        return true;
    case NIR_ID_LANE:
        *out = place->lane;
        return true;
    case NIR_ID_SUBGROUP_SIZE:
        *out = size;
        return true;
    case NIR_ID_SUBGROUP:
        *out = place->subgroup;
        return true;
    case NIR_ID_N_SUBGROUPS:
        *out = (place->n_in_group + size - 1) / size;
        return true;
    case NIR_ID_SUBGROUP_SHIFT:
        *out = (uint64_t)__builtin_ctz(size);
        return true;
    case NIR_ID_RESOURCE:
        *out = (operand & 0xffff) | (uint64_t)(index[NIR_INDEX_desc_set] & 0xff) << 16;
        return true;
    case NIR_ID_SET: /* number 0 is that of the push constants */
        *out = operand >= 1 && operand <= CASE_MAX_SETS ? abi->sets[operand - 1].address : 0;
        return operand <= CASE_MAX_SETS;
    case NIR_ID_PUSH_CONSTANT: {
        uint64_t const at = ((operand + (uint64_t)index[NIR_INDEX_base]) & UINT32_MAX) + c;
        bool const is_inside = at < abi->push.n_bytes / 4;
        *out = is_inside ? load_le(abi->push.bytes + 4 * at, 4) : 0;
        return is_inside;
    }
    }
    return false;
}

static bool holds(const struct nir_region *r, uint64_t address, uint32_t n)
{
    return address >= r->address && address - r->address <= r->n_bytes &&
           n <= r->n_bytes - (address - r->address);
}

const struct nir_region *nir_abi_find(const struct nir_abi *abi, uint64_t address, uint32_t n)
{
    uint64_t const number = address >> BUFFER_SHIFT;
    if (number >= 1 && number <= abi->tc->n_bufs) {
        const struct nir_region *const r = &abi->buffers[number - 1];
        return holds(r, address, n) ? r : NULL;
    }
    for (unsigned set = 0; set < CASE_MAX_SETS; set++) {
        if (abi->sets[set].n_bytes && holds(&abi->sets[set], address, n)) {
            return &abi->sets[set];
        }
    }
    return NULL;
}

/* The region whose first byte has that address; NULL: there is none. */
static const struct nir_region *find_start(const struct nir_abi *abi, uint64_t address)
{
    const struct nir_region *const r = nir_abi_find(abi, address, 1);
    return r && r->address == address ? r : NULL;
}

const struct nir_region *nir_abi_find_handle(const struct nir_abi *abi, uint64_t handle)
{
    return find_start(abi, (handle & nir_mask(HANDLE_ADDRESS_BITS)) << HANDLE_UNIT_SHIFT);
}

/* A buffer of the case; of one that is reached by its address the memory that holds this. */
static const struct nir_region *find_buffer(const struct nir_abi *abi, uint64_t buffer)
{
    if (buffer >= abi->tc->n_bufs) {
        return NULL;
    }
    bool const is_address = abi->tc->bufs[buffer].kind == BUF_ADDRESS;
    return is_address ? &abi->addresses[buffer] : &abi->buffers[buffer];
}

/* By the numbers of a set and of a descriptor in it; NULL: there is none. */
static const struct nir_region *find_numbered(const struct nir_abi *abi, uint64_t set,
                                              uint64_t number)
{
    bool const is_there = set < CASE_MAX_SETS && number < NIR_MAX_DESCRIPTORS &&
                          abi->numbered[set][number] != NIR_NO_BUFFER;
    return is_there ? find_buffer(abi, abi->numbered[set][number]) : NULL;
}

/* By the address of a descriptor (26.2), or by the number of a set, from 1 on, and that of a descriptor in it (25.0). */
static const struct nir_region *find_of_lavapipe(const struct nir_abi *abi, const uint64_t *words,
                                                 uint32_t n_words)
{
    uint64_t const address = words[0];
    if (n_words > 1) {
        return find_numbered(abi, words[0] - 1, words[1]);
    }
    if (address == 0) {
        return abi->push.n_bytes ? &abi->push : NULL;
    }
    const struct nir_region *const r = nir_abi_find(abi, address, DESCRIPTOR_BYTES);
    uint64_t const at = r ? address - r->address : 0;
    bool const is_set = r && r->address >= SET_BASE && at % DESCRIPTOR_BYTES == 0;
    return is_set ? find_buffer(abi, load_le(r->bytes + at, 8) - 1) : NULL;
}

const struct nir_region *nir_abi_find_descriptor(const struct nir_abi *abi, const uint64_t *words,
                                                 uint32_t n_words)
{
    if (abi->driver == NIR_DRIVER_TURNIP) {
        uint64_t const set = words[0] >> 16, number = words[0] & 0xffff;
        return find_numbered(abi, set, number);
    }
    if (abi->driver == NIR_DRIVER_LAVAPIPE) {
        return find_of_lavapipe(abi, words, n_words);
    }
    if (n_words < 4) {
        return NULL;
    }
    const struct nir_region *const r = find_start(abi, words[0] | (words[1] & 0xffff) << 32);
    return r && r->n_bytes == words[2] ? r : NULL;
}

const struct nir_region *nir_abi_find_constant(const struct nir_abi *abi, uint64_t k)
{
    if (k == 0) {
        return &abi->root;
    }
    uint32_t const set = k <= CASE_MAX_SETS ? abi->constants[k - 1] : CASE_MAX_SETS;
    return set < CASE_MAX_SETS ? &abi->sets[set] : NULL;
}

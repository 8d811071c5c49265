/* oracle/nir/nir_abi.c -- arguments, ids and descriptors of each driver. */
#include "oracle/nir/nir_abi.h"

#include <string.h>

#include "oracle/nir/nir_layout.h"
#include "oracle/nir/nir_op.h"
#include "oracle/nir/nir_sets.h"

const char *const nir_driver_names[NIR_DRIVER_N] = {[NIR_DRIVER_RADV] = "radv",
                                                    [NIR_DRIVER_RADV12] = "radv12",
                                                    [NIR_DRIVER_TURNIP] = "turnip",
                                                    [NIR_DRIVER_NVK] = "nvk"};

int nir_driver_find(const char *name)
{
    for (int i = 0; i < NIR_DRIVER_N; i++) {
        if (strcmp(nir_driver_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Region number i begins at (i + 1) << 32, a little behind it: offsets before its begin are of no region. The buffers
 * of the case come first, then those that hold an address, then the number of work-groups, and the push constants. The
 * descriptors of sets are where RADV has them, in the 4 GiB whose upper half is NIR_ARGUMENT_HIGH; so are the push constants. */
enum {
    BUFFER_SHIFT = 32,
    BUFFER_BEGIN = 0x10000,
    SET_STEP = 0x10000,
    FIRST_ADDRESS = CASE_MAX_BUFS,
    N_GROUPS_REGION = 2 * CASE_MAX_BUFS
};
#define SET_BASE (NIR_ARGUMENT_HIGH << 32)

static uint64_t get_region_address(uint32_t number)
{
    return ((uint64_t)number + 1) << BUFFER_SHIFT | BUFFER_BEGIN;
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

/* The memory that a descriptor names: of a BUF_ADDRESS that of its address. */
static const struct nir_region *get_bound(const struct nir_abi *abi, uint32_t buffer)
{
    return abi->addresses[buffer].n_bytes ? &abi->addresses[buffer] : &abi->buffers[buffer];
}

static bool is_radv(const struct nir_abi *abi)
{
    return abi->driver == NIR_DRIVER_RADV || abi->driver == NIR_DRIVER_RADV12;
}

/* RADV's descriptor: of a buffer the address, the size and flags, which no program looks at; of texels in a buffer also
 * the size of each, in the bits above the address, and how many there are; of an image the address in units of 256 bytes,
 * and other things, which are left 0. */
static void put_radv_descriptor(struct nir_abi *abi, uint32_t buffer)
{
    enum {
        STRIDE_SHIFT = 48,
        UNIT_SHIFT = 8
    };
    const struct buf *const b = &abi->tc->bufs[buffer];
    const struct nir_region *const r = get_bound(abi, buffer);
    unsigned char *const to = abi->sets[b->set].bytes + nir_layout_offset(abi->tc, buffer);
    uint32_t const stride =
        buf_kind_rows[b->kind].texels == TEXELS_BUFFER ? buf_texel_bytes(b->kind) : 0;
    if (buf_is_image(b->kind)) {
        store_le(to, r->address >> UNIT_SHIFT, 8);
        return;
    }
    store_le(to, r->address | (uint64_t)stride << STRIDE_SHIFT, 8);
    store_le(to + 8, stride ? r->n_bytes / stride : r->n_bytes, 4);
}

/* The descriptor of a buffer as the next one of its set: NVK's are the address and the size, or a handle. Turnip's are no
 * memory: a storage buffer has two of them, of 32-bit and of 16-bit elements, a uniform buffer one. */
static void put_descriptor(struct nir_abi *abi, uint32_t buffer, uint32_t *n_bindings,
                           uint32_t *n_descriptors)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    uint64_t const address = get_bound(abi, buffer)->address;
    if (is_radv(abi)) {
        put_radv_descriptor(abi, buffer);
        return;
    }
    unsigned char *const to = abi->sets[b->set].bytes + NIR_DESCRIPTOR_BYTES * n_bindings[b->set]++;
    bool const has_handle = abi->driver == NIR_DRIVER_NVK && b->kind == BUF_CONSTANT;
    store_le(to, has_handle ? make_handle(address, b->n_bytes) : address, 8);
    store_le(to + 8, get_bound(abi, buffer)->n_bytes, 4);
    for (unsigned i = b->kind == BUF_CONSTANT; i < 2; i++) {
        abi->turnip[b->set][n_descriptors[b->set]++] = (uint8_t)buffer;
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
        store_le(abi->n_groups.bytes + 4 * c, dispatch->n[c], 4);
    }
}

/* Push constants are no buffer with a descriptor. */
static bool put_push_constants(struct nir_abi *abi, uint32_t buffer, struct nir_answer *answer)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    if (b->n_bytes > CASE_MAX_PUSH_BYTES) {
        return nir_stop_unknown(answer, 0, "kind of buffer", "push", strlen("push"));
    }
    abi->push = abi->buffers[buffer];
    if (is_radv(abi)) { /* behind the sets */
        abi->push.address = SET_BASE + (uint64_t)SET_STEP * (CASE_MAX_SETS + 1);
    }
    memcpy(abi->root.bytes + ROOT_PUSH, b->data, b->n_bytes);
    return true;
}

/* Is it a kind of buffer that the driver's texts are run with? */
static bool is_known_kind(const struct nir_abi *abi, enum buf_kind kind)
{
    return kind == BUF_STORAGE || kind == BUF_CONSTANT || kind == BUF_PUSH ||
           (is_radv(abi) && kind != BUF_VALUE);
}

/* A copy of a buffer of the case, and of a BUF_ADDRESS another one that holds its address. */
static bool copy_buffer(struct nir_abi *abi, uint32_t i, struct arena *a)
{
    const struct buf *const b = &abi->tc->bufs[i];
    abi->buffers[i] = (struct nir_region){.address = get_region_address(i),
                                          .n_bytes = b->n_bytes,
                                          .is_written = !buf_is_constant(b->kind),
                                          .bytes = arena_copy(a, b->data, b->n_bytes)};
    if (b->kind == BUF_ADDRESS) {
        abi->addresses[i] = (struct nir_region){.address = get_region_address(FIRST_ADDRESS + i),
                                                .n_bytes = 8,
                                                .bytes = arena_take(a, 8)};
        if (abi->addresses[i].bytes) {
            store_le(abi->addresses[i].bytes, abi->buffers[i].address, 8);
        }
    }
    return abi->buffers[i].bytes && (b->kind != BUF_ADDRESS || abi->addresses[i].bytes);
}

static bool make_memory(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    const struct testcase *const tc = abi->tc;
    uint32_t n_bindings[CASE_MAX_SETS] = {0}, n_descriptors[CASE_MAX_SETS] = {0};
    memset(abi->turnip, NIR_NO_BUFFER, sizeof abi->turnip);
    abi->root =
        (struct nir_region){.n_bytes = NIR_ROOT_BYTES, .bytes = arena_take(a, NIR_ROOT_BYTES)};
    abi->n_groups = (struct nir_region){
        .address = get_region_address(N_GROUPS_REGION), .n_bytes = 12, .bytes = arena_take(a, 12)};
    if (!abi->root.bytes || !abi->n_groups.bytes) {
        return nir_stop_memory(answer, 0);
    }
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        const struct buf *const b = &tc->bufs[i];
        if (!is_known_kind(abi, b->kind) || b->set >= CASE_MAX_SETS) {
            const char *const name = buf_kind_names[b->kind];
            return nir_stop_unknown(answer, 0, "kind of buffer", name, strlen(name));
        }
        if (!copy_buffer(abi, i, a)) {
            return nir_stop_memory(answer, 0);
        }
        if (!nir_layout_has(b->kind)) {
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
        put_descriptor(abi, i, n_bindings, n_descriptors);
        store_le(abi->root.bytes + ROOT_SETS + ROOT_SET_BYTES * b->set, set->address, 8);
    }
    return true;
}

bool nir_abi_make(struct nir_abi *abi, enum nir_driver driver, uint32_t subgroup_size,
                  const struct testcase *tc, const struct nir_program *p, struct arena *a,
                  struct nir_answer *answer)
{
    *abi = (struct nir_abi){.driver = driver, .subgroup_size = subgroup_size, .tc = tc};
    if (!make_memory(abi, a, answer)) {
        return false;
    }
    if (driver == NIR_DRIVER_NVK) {
        return nir_sets_of_constants(tc, p, abi->constants, answer);
    }
    return !is_radv(abi) ||
           nir_arguments_find(tc, p, driver == NIR_DRIVER_RADV, a, abi->arguments, answer);
}

/* Component c of the id within the work-group. */
static uint32_t get_local(const struct nir_abi *abi, const struct nir_place *place, uint32_t c)
{
    const uint32_t *const size = abi->tc->local;
    uint32_t const i = place->local_index;
    return c == 0 ? i % size[0] : c == 1 ? i / size[0] % size[1] : i / size[0] / size[1];
}

/* See NIR_ID_SUBGROUP_ARGUMENT. */
static uint64_t get_subgroup_argument(const struct nir_abi *abi, const struct nir_place *place)
{
    uint64_t const n = (place->n_in_group + abi->subgroup_size - 1) / abi->subgroup_size;
    return (place->subgroup & 31) << 20 | (place->subgroup & 63) << 6 | (n & 63);
}

static bool get_argument(const struct nir_abi *abi, const struct nir_place *place, int64_t number,
                         uint32_t c, uint64_t *out)
{
    if (number < 0 || number >= NIR_MAX_ARGUMENTS) {
        return false;
    }
    struct nir_argument const argument = abi->arguments[number];
    *out = 0;
    switch (argument.kind) {
    case NIR_ARGUMENT_NONE:
        return false;
    case NIR_ARGUMENT_SET:
        *out = abi->sets[argument.number].address & UINT32_MAX;
        return true;
    case NIR_ARGUMENT_PUSH:
        *out = abi->push.address & UINT32_MAX;
        return true;
    case NIR_ARGUMENT_WORD:
        if (4 * argument.number + 4 <= abi->push.n_bytes) {
            *out = load_le(abi->push.bytes + 4 * (size_t)argument.number, 4);
        }
        return true;
    case NIR_ARGUMENT_N_GROUPS:
        *out = place->dispatch->n[c];
        return true;
    case NIR_ARGUMENT_N_GROUPS_ADDRESS:
        *out = abi->n_groups.address >> 32 * (c & 1);
        return true;
    case NIR_ARGUMENT_GROUP:
        *out = place->dispatch->base[argument.number] + place->group[argument.number];
        return true;
    case NIR_ARGUMENT_SUBGROUP:
        *out = get_subgroup_argument(abi, place);
        return true;
    case NIR_ARGUMENT_LOCAL:
        *out = get_local(abi, place, argument.number);
        return true;
    case NIR_ARGUMENT_LOCAL_PACKED:
        *out = get_local(abi, place, 0) | get_local(abi, place, 1) << 10 |
               get_local(abi, place, 2) << 20;
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
    case NIR_ID_ARGUMENT:
        return is_vector && get_argument(abi, place, index[NIR_INDEX_base], c, out);
    case NIR_ID_SUBGROUP_ARGUMENT:
        *out = get_subgroup_argument(abi, place);
        return true;
    case NIR_ID_TRAP_REGISTER:
        return get_trap_register(place, index[NIR_INDEX_base], out);
    case NIR_ID_SYSTEM_VALUE:
        return get_system_value(abi, place, index[NIR_INDEX_base], out);
    case NIR_ID_GROUP: /* of RADV from the dispatch's base on */
        *out = is_vector ? place->group[c] + (is_radv(abi) ? place->dispatch->base[c] : 0) : 0;
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
    uint64_t const number = (address >> BUFFER_SHIFT) - 1; /* wraps where there is none */
    if (number <= N_GROUPS_REGION) {
        const struct nir_region *const r = number < FIRST_ADDRESS ? &abi->buffers[number]
                                           : number < N_GROUPS_REGION
                                               ? &abi->addresses[number - FIRST_ADDRESS]
                                               : &abi->n_groups;
        return r->n_bytes && holds(r, address, n) ? r : NULL;
    }
    for (unsigned set = 0; set < CASE_MAX_SETS; set++) {
        if (abi->sets[set].n_bytes && holds(&abi->sets[set], address, n)) {
            return &abi->sets[set];
        }
    }
    return abi->push.n_bytes && holds(&abi->push, address, n) ? &abi->push : NULL;
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

const struct nir_region *nir_abi_find_descriptor(const struct nir_abi *abi, const uint64_t *words,
                                                 uint32_t n_words)
{
    if (abi->driver == NIR_DRIVER_TURNIP) {
        uint64_t const set = words[0] >> 16, number = words[0] & 0xffff;
        if (set >= CASE_MAX_SETS || number >= NIR_MAX_DESCRIPTORS ||
            abi->turnip[set][number] == NIR_NO_BUFFER) {
            return NULL;
        }
        return &abi->buffers[abi->turnip[set][number]];
    }
    if (n_words < 4) {
        return NULL;
    }
    const struct nir_region *const r = find_start(abi, words[0] | (words[1] & 0xffff) << 32);
    return r && r->n_bytes == words[2] ? r : NULL;
}

uint32_t nir_abi_find_texels(const struct nir_abi *abi, const uint64_t *words, uint32_t n_words)
{
    uint64_t const low = words[0] | words[1] << 32;
    for (uint32_t i = 0; n_words >= 4 && i < abi->tc->n_bufs; i++) {
        enum buf_kind const kind = abi->tc->bufs[i].kind;
        uint64_t const address =
            buf_is_image(kind) ? (low & nir_mask(40)) << 8 : low & nir_mask(48);
        bool const is_texels = buf_kind_rows[kind].texels != TEXELS_NONE;
        bool const is_form = n_words == (buf_is_image(kind) ? 8U : 4U);
        if (is_texels && is_form && abi->buffers[i].address == address) {
            return i;
        }
    }
    return CASE_MAX_BUFS;
}

const struct nir_region *nir_abi_find_constant(const struct nir_abi *abi, uint64_t k)
{
    if (k == 0) {
        return &abi->root;
    }
    uint32_t const set = k <= CASE_MAX_SETS ? abi->constants[k - 1] : CASE_MAX_SETS;
    return set < CASE_MAX_SETS ? &abi->sets[set] : NULL;
}

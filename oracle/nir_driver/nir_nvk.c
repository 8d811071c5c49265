/* oracle/nir_driver/nir_nvk.c -- NVK's table of the dispatch, descriptors, and special registers. */
#include "oracle/nir_driver/nir_nvk.h"

#include <string.h>

#include "base/testcase.h"
#include "oracle/nir_driver/nir_constants.h"
#include "oracle/nir_driver/nir_places.h"
#include "oracle/nir_driver/nir_region.h"
#include "oracle/nir_driver/nir_surface.h"
#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_op.h"

/* The table. ROOT_BASE: what the work-groups' ids begin with, and ROOT_GROUPS: how many there are, 4 bytes for each
 * dimension, both of a dispatch. ROOT_SETS: the address and the size of each set, in 16 bytes. ROOT_PUSH: the push
 * constants. */
enum {
    ROOT_BYTES = 2048,
    ROOT_BASE = 0,
    ROOT_GROUPS = 12,
    ROOT_SETS = 56,
    ROOT_SET_BYTES = 16,
    ROOT_PUSH = 1792,
    NUMBER_BYTES = 4 /* of the descriptor of an image */
};
/* The handle of a uniform buffer: the address and the size, both in units of 16 bytes; the address has 45 bits. */
enum {
    HANDLE_ADDRESS_BITS = 45,
    HANDLE_UNIT_SHIFT = 4
};
static uint64_t make_handle(const struct nir_region *r)
{
    uint64_t const n_units =
        ((uint64_t)r->n_bytes + (1U << HANDLE_UNIT_SHIFT) - 1) >> HANDLE_UNIT_SHIFT;
    return r->address >> HANDLE_UNIT_SHIFT | n_units << HANDLE_ADDRESS_BITS;
}

/* The descriptor of a buffer: the address and the size, or the handle of a uniform buffer where the chip has one; of an image
 * a number, or the words that its programs compute addresses with. */
static void put_descriptor(struct nir_abi *abi, uint32_t buffer, bool has_handles)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    const struct nir_region *const r = nir_region_get_described(abi, buffer);
    unsigned char *const to = abi->sets[b->set].bytes + abi->places[buffer];
    bool const has_texels = buf_has_texels(b->kind);
    if (has_texels && abi->rules->has_surfaces) {
        nir_surface_put(abi, buffer, to);
    } else if (has_texels) {
        store_le(to, buffer + 1, NUMBER_BYTES);
    } else if (b->kind == BUF_CONSTANT && has_handles) {
        store_le(to, make_handle(r), 8);
    } else {
        store_le(to, r->address, 8);
        store_le(to + 8, r->n_bytes, 4);
    }
}

static bool put_all(struct nir_abi *abi, bool has_handles, struct arena *a,
                    struct nir_answer *answer)
{
    if (!nir_region_make_root(abi, ROOT_BYTES, a, answer)) {
        return false;
    }
    nir_places_make(abi);
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        enum buf_kind const kind = abi->tc->bufs[i].kind;
        bool const has_texels = buf_has_texels(kind);
        if (has_texels && abi->rules->has_surfaces && !nir_surface_make(abi, i, a)) {
            return nir_stop_memory(answer, 0);
        }
        if (kind != BUF_PUSH) {
            put_descriptor(abi, i, has_handles);
        }
    }
    for (uint32_t set = 0; set < CASE_MAX_SETS; set++) {
        store_le(abi->root.bytes + ROOT_SETS + ROOT_SET_BYTES * set, abi->sets[set].address, 8);
    }
    if (abi->push.n_bytes) {
        memcpy(abi->root.bytes + ROOT_PUSH, abi->push.bytes, abi->push.n_bytes);
    }
    return true;
}
static bool put(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    return put_all(abi, false, a, answer);
}
static bool put_with_handles(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    return put_all(abi, true, a, answer);
}

static void begin(struct nir_abi *abi, const struct dispatch *dispatch)
{
    for (unsigned c = 0; c < 3; c++) {
        store_le(abi->root.bytes + ROOT_BASE + 4 * c, dispatch->base[c], 4);
        store_le(abi->root.bytes + ROOT_GROUPS + 4 * c, dispatch->n[c], 4);
    }
}

/* Special registers. */
static bool get_id(const struct nir_abi *abi, const struct nir_place *place, struct nir_id id,
                   uint64_t *out)
{
    uint64_t const own = UINT64_C(1) << (place->lane & 31);
    int64_t const number = id.index[NIR_INDEX_base];
    (void)abi;
    if (id.form != NIR_ID_SYSTEM_VALUE) {
        return false;
    }
    switch (number) {
    case 0:
        *out = place->lane;
        return true;
    case 33:
    case 34:
    case 35:
        *out = place->local[number - 33];
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

static const struct nir_region *find_buffer(const struct nir_abi *abi, const uint64_t *words,
                                            uint32_t n_words)
{
    (void)abi;
    (void)words;
    (void)n_words;
    return NULL; /* all accesses are by address, or to constant buffers */
}

static uint32_t find_image(const struct nir_abi *abi, const uint64_t *words, uint32_t n_words)
{
    bool const is_number = n_words && words[0] >= 1 && words[0] <= abi->tc->n_bufs;
    return is_number ? (uint32_t)words[0] - 1 : NIR_NO_BUFFER;
}

/* Constant buffer number k: the root table, then sets; or a uniform buffer by its handle. */
static const struct nir_region *find_constant(const struct nir_abi *abi, enum nir_space space,
                                              uint64_t name)
{
    if (space == NIR_SPACE_HANDLE_NV) {
        return nir_region_find_start(abi, (name & nir_mask(HANDLE_ADDRESS_BITS))
                                              << HANDLE_UNIT_SHIFT);
    }
    if (name == 0) {
        return &abi->root;
    }
    uint32_t const set = name <= CASE_MAX_SETS ? abi->constants[name - 1] : CASE_MAX_SETS;
    return set < CASE_MAX_SETS ? &abi->sets[set] : NULL;
}

/* The chip flushes where a program asks for nothing. */
static void set_modes(const struct nir_header *h, struct nir_modes *modes)
{
    enum {
        PRESERVES_F32 = 2
    };
    modes->flush[FMT_F32] = modes->flush[FMT_F32] || !(h->float_controls & PRESERVES_F32);
}

#define RULES                                                                                      \
    .read = nir_constants_choose, .begin = begin, .get_id = get_id, .find_buffer = find_buffer,    \
    .find_image = find_image, .find_constant = find_constant, .set_modes = set_modes
const struct nir_rules nir_nvk = {RULES, .put = put_with_handles, .image_bytes = NUMBER_BYTES};
const struct nir_rules nir_maxwell = {RULES, .put = put, .image_bytes = NUMBER_BYTES};
const struct nir_rules nir_kepler = {RULES, .put = put, .has_surfaces = true,
                                     .image_bytes = NIR_SURFACE_BYTES};

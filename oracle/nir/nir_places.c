/* oracle/nir/nir_places.c -- descriptors in memory. */
#include "oracle/nir/nir_places.h"

#include "oracle/nir/nir_op.h"
#include "oracle/nir/nir_surface.h"

enum {
    BUFFER_BYTES = 16,       /* the address and the size, or a handle */
    IMAGE_BYTES = 4,         /* NVK: a number */
    HONEYKRISP_IMAGE_BYTES = 48
};

uint32_t nir_places_size(enum nir_driver driver, enum buf_kind kind)
{
    if (buf_kind_rows[kind].texels == TEXELS_NONE) {
        return BUFFER_BYTES;
    }
    return driver == NIR_DRIVER_KEPLER       ? NIR_SURFACE_BYTES
           : driver == NIR_DRIVER_HONEYKRISP ? HONEYKRISP_IMAGE_BYTES
                                             : IMAGE_BYTES;
}

void nir_places_make(struct nir_abi *abi)
{
    uint32_t n_bytes[CASE_MAX_SETS] = {0};
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        const struct buf *const b = &abi->tc->bufs[i];
        if (b->kind == BUF_PUSH || b->set >= CASE_MAX_SETS) {
            continue;
        }
        uint32_t const size = nir_places_size(abi->driver, b->kind);
        uint32_t const alignment = size < BUFFER_BYTES ? size : BUFFER_BYTES;
        abi->places[i] = (n_bytes[b->set] + alignment - 1) & ~(alignment - 1);
        n_bytes[b->set] = abi->places[i] + size;
    }
}

/* NVK's handle of a uniform buffer: the address and the size, both in units of 16 bytes; the address has 45 bits. */
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

const struct nir_region *nir_places_find_handle(const struct nir_abi *abi, uint64_t handle)
{
    uint64_t const address = (handle & nir_mask(HANDLE_ADDRESS_BITS)) << HANDLE_UNIT_SHIFT;
    const struct nir_region *const r = nir_abi_find(abi, address, 1);
    return r && r->address == address ? r : NULL;
}

void nir_places_put(struct nir_abi *abi, uint32_t buffer, const struct nir_region *r)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    unsigned char *const to = abi->sets[b->set].bytes + abi->places[buffer];
    bool const has_texels = buf_kind_rows[b->kind].texels != TEXELS_NONE;
    if (has_texels && abi->driver == NIR_DRIVER_KEPLER) {
        nir_surface_put(abi, buffer, to);
    } else if (has_texels) {
        store_le(to, buffer + 1, IMAGE_BYTES);
    } else if (b->kind == BUF_CONSTANT && abi->driver == NIR_DRIVER_NVK) {
        store_le(to, make_handle(r), 8);
    } else {
        store_le(to, r->address, 8);
        store_le(to + 8, r->n_bytes, 4);
    }
}

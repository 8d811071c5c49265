/* oracle/nir_driver/nir_places.c -- descriptors one behind the other. */
#include "oracle/nir_driver/nir_places.h"

#include "base/testcase.h"
#include "oracle/nir_driver/nir_rules.h"

enum {
    BUFFER_BYTES = 16 /* the address and the size, or a handle */
};

uint32_t nir_places_size(const struct nir_abi *abi, enum buf_kind kind)
{
    return buf_has_texels(kind) ? abi->rules->image_bytes : BUFFER_BYTES;
}

void nir_places_make(struct nir_abi *abi)
{
    uint32_t n_bytes[CASE_MAX_SETS] = {0};
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        const struct buf *const b = &abi->tc->bufs[i];
        if (b->kind == BUF_PUSH) {
            continue;
        }
        uint32_t const size = nir_places_size(abi, b->kind);
        uint32_t const alignment = size < BUFFER_BYTES ? size : BUFFER_BYTES;
        abi->places[i] = (n_bytes[b->set] + alignment - 1) & ~(alignment - 1);
        n_bytes[b->set] = abi->places[i] + size;
    }
}

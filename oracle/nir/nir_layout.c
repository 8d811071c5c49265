/* oracle/nir/nir_layout.c -- sums over the descriptors that come before. */
#include "oracle/nir/nir_layout.h"

static uint32_t get_bytes(enum buf_kind kind)
{
    return buf_is_image(kind) ? NIR_IMAGE_DESCRIPTOR_BYTES : NIR_DESCRIPTOR_BYTES;
}

uint32_t nir_layout_offset(const struct testcase *tc, uint32_t buffer)
{
    const struct buf *const b = &tc->bufs[buffer];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        const struct buf *const other = &tc->bufs[i];
        bool const is_same = buf_is_image(other->kind) == buf_is_image(b->kind);
        bool const is_before = is_same ? i < buffer : buf_is_image(other->kind);
        if (other->set == b->set && nir_layout_has(other->kind) && is_before) {
            sum += get_bytes(other->kind);
        }
    }
    return sum;
}

uint32_t nir_layout_bytes(const struct testcase *tc, uint32_t set)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        const struct buf *const b = &tc->bufs[i];
        sum += b->set == set && nir_layout_has(b->kind) ? get_bytes(b->kind) : 0;
    }
    return sum;
}

uint32_t nir_layout_find(const struct testcase *tc, uint32_t set, uint32_t offset)
{
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        const struct buf *const b = &tc->bufs[i];
        if (b->set == set && nir_layout_has(b->kind) && nir_layout_offset(tc, i) == offset) {
            return i;
        }
    }
    return CASE_MAX_BUFS;
}

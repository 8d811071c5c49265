/* oracle/nir_driver/nir_layout.c -- sums over the descriptors that come before. */
#include "oracle/nir_driver/nir_layout.h"

/* Bytes of the descriptors of a set, of images or of all else, whose bindings are below `end`. */
static uint32_t sum(const struct testcase *tc, uint32_t set, bool are_images, uint32_t end)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tc->n_bufs && i < end; i++) {
        const struct buf *const b = &tc->bufs[i];
        n += b->set == set && nir_layout_has(b->kind) && buf_is_image(b->kind) == are_images;
    }
    return n * (are_images ? NIR_IMAGE_DESCRIPTOR_BYTES : NIR_DESCRIPTOR_BYTES);
}

/* Is the last binding of a set an image? */
static bool ends_with_image(const struct testcase *tc, uint32_t set)
{
    bool is_image = false;
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        const struct buf *const b = &tc->bufs[i];
        is_image = b->set == set && nir_layout_has(b->kind) ? buf_is_image(b->kind) : is_image;
    }
    return is_image;
}

/* Where those begin that come second: images do at a multiple of their size. */
static uint32_t get_second(const struct testcase *tc, uint32_t set)
{
    bool const are_images_last = ends_with_image(tc, set);
    uint32_t const first = sum(tc, set, !are_images_last, tc->n_bufs);
    return (first + NIR_IMAGE_DESCRIPTOR_BYTES - 1) & ~(NIR_IMAGE_DESCRIPTOR_BYTES - 1U);
}

uint32_t nir_layout_offset(const struct testcase *tc, uint32_t buffer)
{
    const struct buf *const b = &tc->bufs[buffer];
    bool const is_image = buf_is_image(b->kind);
    bool const is_second = is_image == ends_with_image(tc, b->set);
    return (is_second ? get_second(tc, b->set) : 0) + sum(tc, b->set, is_image, buffer);
}

uint32_t nir_layout_bytes(const struct testcase *tc, uint32_t set)
{
    return get_second(tc, set) + sum(tc, set, ends_with_image(tc, set), tc->n_bufs);
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

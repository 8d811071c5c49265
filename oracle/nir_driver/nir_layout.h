/* oracle/nir_driver/nir_layout.h -- where the descriptors of a set lie in RADV's memory: those of images, 32 bytes each and at a
 * multiple of that, come before all others, 16 bytes each; but if the last binding is an image they come behind. Images, and
 * the others, lie in the order of their bindings. */
#pragma once

#include "base/testcase.h"

enum {
    NIR_DESCRIPTOR_BYTES = 16,
    NIR_IMAGE_DESCRIPTOR_BYTES = 32
};
/* Has a buffer of that kind a descriptor? */
static inline bool nir_layout_has(enum buf_kind kind)
{
    return kind != BUF_PUSH && kind != BUF_VALUE;
}
/* The first byte of a buffer's descriptor in its set. */
uint32_t nir_layout_offset(const struct testcase *tc, uint32_t buffer);
/* How many bytes the descriptors of a set have; 0: there is no such set. */
uint32_t nir_layout_bytes(const struct testcase *tc, uint32_t set);
/* The buffer whose descriptor begins there; CASE_MAX_BUFS: none. */
uint32_t nir_layout_find(const struct testcase *tc, uint32_t set, uint32_t offset);

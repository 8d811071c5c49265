/* oracle/nir_driver/nir_surface.c -- the block-linear layout of Kepler, and the instructions that compute addresses in it.
 *
 * The address of a texel, in bytes: slices one behind the other; in a slice the blocks row by row; in a block, of 64 bytes by 8
 * rows, with byte x and row y of it, the bits from the lowest on are x0 to x3, y0, y1, x4, y2, x5. */
#include "oracle/nir_driver/nir_surface.h"

#include <string.h>

#include "oracle/nir_driver/nir_abi.h"
#include "oracle/nir_driver/nir_rules.h"

/* Words of a descriptor. */
enum {
    WORD_ADDRESS,
    WORD_FORMAT,
    WORD_CLAMP_X, /* of a buffer the number of texels */
    WORD_PITCH,   /* blocks of a row; of a buffer the bytes of a texel */
    WORD_CLAMP_Y,
    WORD_SLICE, /* units of a slice */
    WORD_CLAMP_Z,
    WORD_LOW /* of a buffer what is left of its address */
};

/* An image's sizes in blocks. */
struct sizes {
    uint32_t width, height, slices; /* texels */
    uint32_t pitch, rows;           /* blocks */
};
static bool get_sizes(const struct buf *b, struct sizes *out)
{
    out->slices = buf_get_slices(b);
    out->width = b->width;
    out->height = b->height;
    out->pitch = (uint32_t)((((uint64_t)b->width << NIR_SURFACE_TEXEL_SHIFT) +
                             (1U << NIR_SURFACE_WIDTH_SHIFT) - 1) >>
                            NIR_SURFACE_WIDTH_SHIFT);
    out->rows = (b->height + (1U << NIR_SURFACE_HEIGHT_SHIFT) - 1) >> NIR_SURFACE_HEIGHT_SHIFT;
    return out->slices != 0 && b->n_bytes <= CASE_MAX_BUF_BYTES &&
           buf_texel_bytes(b->kind) == 1U << NIR_SURFACE_TEXEL_SHIFT;
}

uint32_t nir_surface_swizzle(uint32_t x, uint32_t y)
{
    return (x & 15) | (y & 3) << 4 | (x >> 4 & 1) << 6 | (y >> 2 & 1) << 7 | (x >> 5 & 1) << 8;
}

/* The byte at which texel (x, y) of a slice begins. */
static size_t get_offset(const struct sizes *s, uint32_t x, uint32_t y, uint32_t slice)
{
    uint32_t const byte = x << NIR_SURFACE_TEXEL_SHIFT;
    size_t const row = (size_t)slice * s->rows + (y >> NIR_SURFACE_HEIGHT_SHIFT);
    size_t const block = row * s->pitch + (byte >> NIR_SURFACE_WIDTH_SHIFT);
    return (block << NIR_SURFACE_BLOCK_SHIFT) + nir_surface_swizzle(byte, y);
}

/* Copies all texels from one order to the other. */
static void copy_texels(const struct sizes *s, unsigned char *blocks, unsigned char *plain,
                        bool is_to_blocks)
{
    enum {
        TEXEL = 1 << NIR_SURFACE_TEXEL_SHIFT
    };
    for (uint32_t slice = 0; slice < s->slices; slice++) {
        for (uint32_t y = 0; y < s->height; y++) {
            for (uint32_t x = 0; x < s->width; x++, plain += TEXEL) {
                unsigned char *const at = blocks + get_offset(s, x, y, slice);
                memcpy(is_to_blocks ? at : plain, is_to_blocks ? plain : at, TEXEL);
            }
        }
    }
}

bool nir_surface_make(struct nir_abi *abi, uint32_t buffer, struct arena *a)
{
    struct nir_region *const r = &abi->buffers[buffer];
    const struct buf *const b = &abi->tc->bufs[buffer];
    struct sizes s;
    if (!buf_is_image(b->kind)) {
        return true;
    }
    if (!get_sizes(b, &s)) {
        return false;
    }
    uint64_t const n_bytes = (uint64_t)s.pitch * s.rows * s.slices << NIR_SURFACE_BLOCK_SHIFT;
    unsigned char *const blocks = n_bytes <= UINT32_MAX ? arena_take(a, (size_t)n_bytes) : NULL;
    if (!blocks) {
        return false;
    }
    copy_texels(&s, blocks, r->bytes, true);
    r->bytes = blocks;
    r->n_bytes = (uint32_t)n_bytes;
    return true;
}

const unsigned char *nir_surface_get_content(const struct nir_abi *abi, uint32_t buffer,
                                             struct arena *a)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    struct sizes s;
    if (!abi->rules->has_surfaces || !buf_is_image(b->kind) || !get_sizes(b, &s)) {
        return abi->buffers[buffer].bytes;
    }
    unsigned char *const plain = arena_take(a, b->n_bytes);
    if (plain) {
        copy_texels(&s, abi->buffers[buffer].bytes, plain, false);
    }
    return plain;
}

const unsigned char *nir_surface_find_byte(const struct nir_abi *abi, uint32_t buffer,
                                           uint32_t byte)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    struct sizes s;
    if (!abi->rules->has_surfaces || !buf_is_image(b->kind) || !get_sizes(b, &s)) {
        return abi->buffers[buffer].bytes + byte;
    }
    uint32_t const texel = byte >> NIR_SURFACE_TEXEL_SHIFT, row = texel / s.width;
    size_t const offset = get_offset(&s, texel % s.width, row % s.height, row / s.height);
    return abi->buffers[buffer].bytes + offset + (byte & ((1U << NIR_SURFACE_TEXEL_SHIFT) - 1));
}

/* The highest coordinate, and how it is taken apart: `shift` bits are in the block, where it counts 1 << `unit` bytes. */
static uint32_t make_clamp(uint32_t n, uint32_t shift, uint32_t unit)
{
    return ((n - 1) & 0xfffff) | shift << 22 | unit << 26;
}

void nir_surface_put(const struct nir_abi *abi, uint32_t buffer, unsigned char *to)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    uint64_t const address = abi->buffers[buffer].address;
    uint32_t w[NIR_SURFACE_BYTES / 4] = {0};
    struct sizes s;
    w[WORD_ADDRESS] = (uint32_t)(address >> NIR_SURFACE_UNIT_SHIFT);
    w[WORD_FORMAT] = NIR_SURFACE_TEXEL_SHIFT << 16;
    if (!buf_is_image(b->kind)) {
        w[WORD_CLAMP_X] = b->n_bytes / buf_texel_bytes(b->kind);
        w[WORD_PITCH] = buf_texel_bytes(b->kind);
        w[WORD_LOW] = (uint32_t)address & 0xff;
    } else if (get_sizes(b, &s)) {
        w[WORD_CLAMP_X] = make_clamp(s.width, NIR_SURFACE_WIDTH_SHIFT - NIR_SURFACE_TEXEL_SHIFT,
                                     NIR_SURFACE_TEXEL_SHIFT);
        w[WORD_CLAMP_Y] = make_clamp(s.height, NIR_SURFACE_HEIGHT_SHIFT, 0);
        w[WORD_CLAMP_Z] = make_clamp(s.slices, 0, 0);
        w[WORD_PITCH] = s.pitch;
        w[WORD_SLICE] = s.pitch * s.rows << (NIR_SURFACE_BLOCK_SHIFT - NIR_SURFACE_UNIT_SHIFT);
    }
    for (uint32_t i = 0; i < ARRAY_N(w); i++) {
        store_le(to + 4 * i, w[i], 4);
    }
}

/* oracle/nir/nir_surface.c -- the block-linear layout of Kepler, and the instructions that compute addresses in it.
 *
 * The address of a texel, in bytes: slices one behind the other; in a slice the blocks row by row; in a block, of 64 bytes by 8
 * rows, with byte x and row y of it, the bits from the lowest on are x0 to x3, y0, y1, x4, y2, x5. A result of the first
 * instruction holds the block in bits 15:0, x in bytes or y in bits 23:16, and "outside" in bit 31. The second one puts the
 * nine bits together, the third one takes the highest of them and the block's number. */
#include "oracle/nir/nir_surface.h"

#include <string.h>

#include "oracle/nir/nir_memory.h"
#include "oracle/nir/nir_op.h"

enum {
    BLOCK_WIDTH_SHIFT = 6, /* bytes */
    BLOCK_HEIGHT_SHIFT = 3,
    BLOCK_SHIFT = BLOCK_WIDTH_SHIFT + BLOCK_HEIGHT_SHIFT,
    UNIT_SHIFT = 8, /* addresses of images are in 256 bytes */
    TEXEL_SHIFT = 2 /* the formats that this chip offers have 4 bytes */
};
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
    out->pitch = (uint32_t)((((uint64_t)b->width << TEXEL_SHIFT) + (1U << BLOCK_WIDTH_SHIFT) - 1) >>
                            BLOCK_WIDTH_SHIFT);
    out->rows = (b->height + (1U << BLOCK_HEIGHT_SHIFT) - 1) >> BLOCK_HEIGHT_SHIFT;
    return out->slices != 0 && b->n_bytes <= CASE_MAX_BUF_BYTES &&
           buf_texel_bytes(b->kind) == 1U << TEXEL_SHIFT;
}

/* Where in a block byte x of row y lies. */
static uint32_t swizzle(uint32_t x, uint32_t y)
{
    return (x & 15) | (y & 3) << 4 | (x >> 4 & 1) << 6 | (y >> 2 & 1) << 7 | (x >> 5 & 1) << 8;
}

/* The byte at which texel (x, y) of a slice begins. */
static size_t get_offset(const struct sizes *s, uint32_t x, uint32_t y, uint32_t slice)
{
    uint32_t const byte = x << TEXEL_SHIFT;
    size_t const row = (size_t)slice * s->rows + (y >> BLOCK_HEIGHT_SHIFT);
    size_t const block = row * s->pitch + (byte >> BLOCK_WIDTH_SHIFT);
    return (block << BLOCK_SHIFT) + swizzle(byte, y);
}

/* Copies all texels from one order to the other. */
static void copy_texels(const struct sizes *s, unsigned char *blocks, unsigned char *plain,
                        bool is_to_blocks)
{
    enum {
        TEXEL = 1 << TEXEL_SHIFT
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
    uint64_t const n_bytes = (uint64_t)s.pitch * s.rows * s.slices << BLOCK_SHIFT;
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
    if (abi->driver != NIR_DRIVER_KEPLER || !buf_is_image(b->kind) || !get_sizes(b, &s)) {
        return abi->buffers[buffer].bytes;
    }
    unsigned char *const plain = arena_take(a, b->n_bytes);
    if (plain) {
        copy_texels(&s, abi->buffers[buffer].bytes, plain, false);
    }
    return plain;
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
    w[WORD_ADDRESS] = (uint32_t)(address >> UNIT_SHIFT);
    w[WORD_FORMAT] = TEXEL_SHIFT << 16;
    if (!buf_is_image(b->kind)) {
        w[WORD_CLAMP_X] = b->n_bytes / buf_texel_bytes(b->kind);
        w[WORD_PITCH] = buf_texel_bytes(b->kind);
        w[WORD_LOW] = (uint32_t)address & 0xff;
    } else if (get_sizes(b, &s)) {
        w[WORD_CLAMP_X] = make_clamp(s.width, BLOCK_WIDTH_SHIFT - TEXEL_SHIFT, TEXEL_SHIFT);
        w[WORD_CLAMP_Y] = make_clamp(s.height, BLOCK_HEIGHT_SHIFT, 0);
        w[WORD_CLAMP_Z] = make_clamp(s.slices, 0, 0);
        w[WORD_PITCH] = s.pitch;
        w[WORD_SLICE] = s.pitch * s.rows << (BLOCK_SHIFT - UNIT_SHIFT);
    }
    for (uint32_t i = 0; i < ARRAY_N(w); i++) {
        store_le(to + 4 * i, w[i], 4);
    }
}

static uint32_t get_bits(uint64_t v, unsigned first, unsigned n)
{
    return (uint32_t)(v >> first & nir_mask(n));
}

/* flags: bits 1:0 are 1 for a coordinate that is clamped alone, else the descriptor tells, or it is one of blocks; bit 6
 * is clear together with the former. */
static uint32_t clamp(uint32_t flags, uint64_t v, uint64_t params, bool *is_outside)
{
    bool const is_alone = (flags & 3) == 1;
    uint32_t const highest = is_alone ? (uint32_t)params : get_bits(params, 0, 20);
    uint32_t const kept = v > highest ? highest : (uint32_t)v;
    *is_outside = v > highest;
    if (is_alone) {
        return kept;
    }
    uint32_t const block = get_bits(kept >> get_bits(params, 22, 4), 0, 16);
    uint32_t const within = get_bits((uint64_t)kept << get_bits(params, 26, 3), 0, 8);
    return block | within << 16 | (uint32_t)*is_outside << 31;
}

static uint32_t merge(uint64_t x, uint64_t y, uint64_t z, bool has_z, bool *is_outside)
{
    *is_outside = (get_bits(x, 31, 1) | get_bits(y, 31, 1) | (get_bits(z, 31, 1) & has_z)) != 0;
    return swizzle(get_bits(x, 16, BLOCK_WIDTH_SHIFT), get_bits(y, 16, BLOCK_HEIGHT_SHIFT));
}

static uint32_t get_address(uint64_t block, uint64_t merged, uint64_t base)
{
    uint64_t const shift = BLOCK_SHIFT - UNIT_SHIFT;
    return (uint32_t)(base + (((block << shift) | get_bits(merged, UNIT_SHIFT, (unsigned)shift)) &
                              0x7ffffff));
}

/* A factor or the summand: all of it, its lower 24 bits, its lower or its upper half. */
static uint64_t take_part(uint64_t v, uint32_t part)
{
    return part == 0   ? v & UINT32_MAX
           : part == 1 ? get_bits(v, 0, 24)
           : part == 2 ? get_bits(v, 0, 16)
                       : get_bits(v, 16, 16);
}

static uint64_t multiply_add(uint32_t flags, uint64_t a, uint64_t b, uint64_t c)
{
    return take_part(a, flags & 7) * take_part(b, flags >> 3 & 7) + take_part(c, flags >> 6 & 3);
}

/* The memory of the texel at an address: its two parts are components of the first operand. */
static bool find_texel(const struct nir_step *s, uint32_t lane, const struct nir_region **r,
                       uint64_t *offset)
{
    bool const is_sum =
        (s->in->index[NIR_INDEX_flags] & 2) == 0; /* else the first one has 8 bits */
    if (nir_step_components(s, 0) < 2) {
        return nir_stop(s->m->answer, NIR_BROKEN, s->in->line, "an address has one part only");
    }
    uint64_t const low = nir_step_source(s, 0, 0)[lane], high = nir_step_source(s, 0, 1)[lane];
    uint64_t const address = (high << UNIT_SHIFT) + (is_sum ? low : low & nir_mask(UNIT_SHIFT));
    *r = nir_abi_find(s->m->abi, address, 1U << TEXEL_SHIFT);
    if (!*r) {
        return nir_stop(s->m->answer, NIR_STUCK, s->in->line, "no texel has the address 0x%llx",
                        (unsigned long long)address);
    }
    *offset = address - (*r)->address;
    return true;
}

/* A load or a store of one texel, which the last operand but the texel may forbid. */
static bool access_texel(const struct nir_step *s, uint32_t lane)
{
    bool const is_load = s->row->form == NIR_SURFACE_LOAD;
    bool const is_outside = nir_step_source(s, 2, 0)[lane] != 0;
    const struct nir_region *r = NULL;
    uint64_t offset = 0;
    if (!is_outside && !find_texel(s, lane, &r, &offset)) {
        return false;
    }
    for (uint32_t c = 0; is_load && c < nir_step_result(s)->n_components; c++) {
        bool const is_there = r && c == 0;
        nir_step_out(s, c)[lane] = is_there ? load_le(r->bytes + offset, 1U << TEXEL_SHIFT) &
                                                  nir_mask(nir_step_result(s)->n_bits)
                                            : 0;
    }
    if (!is_load && r && !r->is_written) {
        return nir_stop(s->m->answer, NIR_STUCK, s->in->line,
                        "a texel is written that is constant");
    }
    if (!is_load && r) {
        store_le(r->bytes + offset, nir_step_source(s, 3, 0)[lane], 1U << TEXEL_SHIFT);
    }
    return true;
}

bool nir_run_surface(const struct nir_step *s)
{
    enum nir_surface_form const form = (enum nir_surface_form)s->row->form;
    uint32_t const flags = (uint32_t)s->in->index[NIR_INDEX_flags];
    bool const has_flag = form == NIR_SURFACE_CLAMP || form == NIR_SURFACE_MERGE;
    if (has_flag && nir_step_result(s)->n_components != 2) {
        return nir_stop(s->m->answer, NIR_BROKEN, s->in->line, "the result is not a pair");
    }
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        bool is_outside = false;
        uint64_t v[3] = {0}, out = 0;
        for (uint32_t k = 0; k < ARRAY_N(v) && k < s->row->n_sources; k++) {
            v[k] = nir_step_source(s, k, 0)[lane];
        }
        switch (form) {
        case NIR_SURFACE_LOAD:
        case NIR_SURFACE_STORE:
            if (!access_texel(s, lane)) {
                return false;
            }
            continue;
        case NIR_SURFACE_CLAMP:
            out = clamp(flags, v[0], v[1], &is_outside);
            break;
        case NIR_SURFACE_MERGE:
            out = merge(v[0], v[1], v[2], flags != 0, &is_outside);
            break;
        case NIR_SURFACE_ADDRESS:
            out = get_address(v[0], v[1], v[2]);
            break;
        case NIR_SURFACE_MULTIPLY_ADD:
            out = multiply_add(flags, v[0], v[1], v[2]);
            break;
        }
        nir_step_out(s, 0)[lane] = out & nir_mask(nir_step_result(s)->n_bits);
        if (has_flag) {
            nir_step_out(s, 1)[lane] = is_outside;
        }
    }
    return true;
}

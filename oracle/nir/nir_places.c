/* oracle/nir/nir_places.c -- descriptors in memory. */
#include "oracle/nir/nir_places.h"

#include "base/testcase.h"
#include "oracle/nir/nir_op.h"
#include "oracle/nir/nir_surface.h"

enum {
    BUFFER_BYTES = 16, /* the address and the size, or a handle */
    IMAGE_BYTES = 4,   /* NVK: a number */
    HONEYKRISP_IMAGE_BYTES = 48,
    UNITS_OF_ADDRESS = 4 /* of 16 bits, which uniforms count in: that of set 0 is the second one */
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

uint64_t nir_places_get_address(uint64_t handle)
{
    return (handle & nir_mask(HANDLE_ADDRESS_BITS)) << HANDLE_UNIT_SHIFT;
}

/* Puts n bits into words of 32 bits each, from bit `first` on. */
static void put_bits(uint32_t *words, unsigned first, unsigned n, uint64_t v)
{
    for (unsigned i = 0; i < n; i++) {
        words[(first + i) / 32] |= (uint32_t)(v >> i & 1) << (first + i) % 32;
    }
}

/* Honeykrisp's descriptor of an image without layers or of a texel buffer: what reads take, and in its second half what
 * writes and atomics take. Fields are where programs read them. The content lies row by row, which is tiles of one texel. */
static void put_image(const struct buf *b, const struct nir_region *r, unsigned char *to)
{
    enum {
        WRITE = 192,                     /* first bit of the second half */
        WIDTH = 28,                      /* less one; 14 bits, as the next one */
        HEIGHT = 42,                     /* likewise */
        ADDRESS = 66,                    /* over 16; 36 bits */
        N_TEXELS = 128,                  /* of a texel buffer; 32 bits */
        WRITE_WIDTH = WRITE + 24,        /* as above */
        WRITE_HEIGHT = WRITE_WIDTH + 14, /* likewise */
        WRITE_ADDRESS = WRITE + 64
    };
    uint32_t words[HONEYKRISP_IMAGE_BYTES / 4] = {0};
    bool const is_image = buf_is_image(b->kind);
    uint32_t const width = is_image ? b->width - 1 : 0, height = is_image ? b->height - 1 : 0;
    put_bits(words, WIDTH, 14, width);
    put_bits(words, HEIGHT, 14, height);
    put_bits(words, ADDRESS, 36, r->address >> 4);
    put_bits(words, WRITE_WIDTH, 14, width);
    put_bits(words, WRITE_HEIGHT, 14, height);
    put_bits(words, WRITE_ADDRESS, 36, r->address >> 4);
    if (!is_image) {
        put_bits(words, N_TEXELS, 32, b->n_bytes / buf_texel_bytes(b->kind));
    }
    for (uint32_t i = 0; i < ARRAY_N(words); i++) {
        store_le(to + 4 * i, words[i], 4);
    }
}

void nir_places_put(struct nir_abi *abi, uint32_t buffer, const struct nir_region *r)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    unsigned char *const to = abi->sets[b->set].bytes + abi->places[buffer];
    bool const has_texels = buf_kind_rows[b->kind].texels != TEXELS_NONE;
    if (has_texels && abi->driver == NIR_DRIVER_KEPLER) {
        nir_surface_put(abi, buffer, to);
    } else if (has_texels && abi->driver == NIR_DRIVER_HONEYKRISP) {
        put_image(b, r, to);
    } else if (has_texels) {
        store_le(to, buffer + 1, IMAGE_BYTES);
    } else if (b->kind == BUF_CONSTANT && abi->driver == NIR_DRIVER_NVK) {
        store_le(to, make_handle(r), 8);
    } else {
        store_le(to, r->address, 8);
        store_le(to + 8, r->n_bytes, 4);
    }
}

/* The image or texel buffer whose descriptor has these bytes of a set. */
static uint32_t find_place(const struct nir_abi *abi, uint64_t set, uint64_t offset)
{
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        const struct buf *const b = &abi->tc->bufs[i];
        bool const is_here = b->set == set && buf_kind_rows[b->kind].texels != TEXELS_NONE &&
                             offset >= abi->places[i] &&
                             offset - abi->places[i] < HONEYKRISP_IMAGE_BYTES;
        if (is_here) {
            return i;
        }
    }
    return NIR_NO_BUFFER;
}

uint32_t nir_places_find_image(const struct nir_abi *abi, uint64_t word)
{
    uint64_t const unit = word >> 16;
    if (abi->driver == NIR_DRIVER_HONEYKRISP) {
        return unit >= UNITS_OF_ADDRESS
                   ? find_place(abi, unit / UNITS_OF_ADDRESS - 1, word & 0xffff)
                   : NIR_NO_BUFFER;
    }
    return word >= 1 && word <= abi->tc->n_bufs ? (uint32_t)word - 1 : NIR_NO_BUFFER;
}

bool nir_places_is_unknown(const struct nir_abi *abi, const struct nir_region *r, uint64_t offset)
{
    for (uint32_t set = 0; set < CASE_MAX_SETS; set++) {
        uint32_t const i = r == &abi->sets[set] ? find_place(abi, set, offset) : NIR_NO_BUFFER;
        if (i != NIR_NO_BUFFER) {
            const struct texels_row *const row =
                &texels_rows[buf_kind_rows[abi->tc->bufs[i].kind].texels];
            return row->n_coordinates > 2 || row->is_array;
        }
    }
    return false;
}

/* oracle/nir_driver/nir_honeykrisp.c -- Honeykrisp's table of the dispatch, uniform registers, and descriptors. */
#include "oracle/nir_driver/nir_honeykrisp.h"

#include <string.h>

#include "base/testcase.h"
#include "oracle/nir_driver/nir_places.h"
#include "oracle/nir_driver/nir_region.h"
#include "oracle/nir_text/nir_answer.h"

/* The table. TABLE_GROUPS: the address of the numbers of work-groups, for which the table has free room; TABLE_BASE: what
 * their ids begin with, 4 bytes for each dimension. The addresses of the table itself and of the sets are the first uniforms,
 * 8 bytes each. */
enum {
    TABLE_BYTES = 2048,
    TABLE_GROUPS = 72,
    TABLE_BASE = 80,
    TABLE_PUSH = 488,
    TABLE_ROOM = 1024,
    UNIFORM_BYTES = 1024,
    UNITS_OF_ADDRESS = 4, /* of 16 bits, which uniforms count in: that of set 0 is the second one */
    IMAGE_BYTES = 48,
    ROW_SHIFT = 14
};

/* Puts n bits into words of 32 bits each, from bit `first` on. */
static void put_bits(uint32_t *words, unsigned first, unsigned n, uint64_t v)
{
    for (unsigned i = 0; i < n; i++) {
        words[(first + i) / 32] |= (uint32_t)(v >> i & 1) << (first + i) % 32;
    }
}

/* The descriptor of an image without layers or of a texel buffer: what reads take, and in its second half what writes and
 * atomics take. Fields are where programs read them. The content lies row by row, which is tiles of one texel. */
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
    uint32_t words[IMAGE_BYTES / 4] = {0};
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

static void put_descriptor(struct nir_abi *abi, uint32_t buffer)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    const struct nir_region *const r = nir_region_get_described(abi, buffer);
    unsigned char *const to = abi->sets[b->set].bytes + abi->places[buffer];
    if (buf_has_texels(b->kind)) {
        put_image(b, r, to);
    } else {
        store_le(to, r->address, 8);
        store_le(to + 8, r->n_bytes, 4);
    }
}

static bool put(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    if (!nir_region_make_root(abi, TABLE_BYTES, a, answer)) {
        return false;
    }
    abi->uniforms =
        (struct nir_region){.n_bytes = UNIFORM_BYTES, .bytes = arena_take(a, UNIFORM_BYTES)};
    if (!abi->uniforms.bytes) {
        return nir_stop_memory(answer, 0);
    }
    nir_places_make(abi);
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        if (abi->tc->bufs[i].kind != BUF_PUSH) {
            put_descriptor(abi, i);
        }
    }
    if (abi->push.n_bytes) {
        memcpy(abi->root.bytes + TABLE_PUSH, abi->push.bytes, abi->push.n_bytes);
    }
    return true;
}

static void begin(struct nir_abi *abi, const struct dispatch *dispatch)
{
    for (unsigned c = 0; c < 3; c++) {
        store_le(abi->root.bytes + TABLE_BASE + 4 * c, dispatch->base[c], 4);
        store_le(abi->root.bytes + TABLE_ROOM + 4 * c, dispatch->n[c], 4);
    }
    store_le(abi->root.bytes + TABLE_GROUPS, abi->root.address + TABLE_ROOM, 8);
    store_le(abi->uniforms.bytes, abi->root.address, 8);
    for (uint32_t set = 0; set < CASE_MAX_SETS; set++) {
        store_le(abi->uniforms.bytes + 8 * (set + 1), abi->sets[set].address, 8);
    }
}

static const struct nir_region *find_buffer(const struct nir_abi *abi, const uint64_t *words,
                                            uint32_t n_words)
{
    (void)abi;
    (void)words;
    (void)n_words;
    return NULL; /* all accesses are by address */
}

/* The image or texel buffer whose descriptor has these bytes of a set. */
static uint32_t find_place(const struct nir_abi *abi, uint64_t set, uint64_t offset)
{
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        const struct buf *const b = &abi->tc->bufs[i];
        bool const is_here = b->set == set && buf_has_texels(b->kind) && offset >= abi->places[i] &&
                             offset - abi->places[i] < IMAGE_BYTES;
        if (is_here) {
            return i;
        }
    }
    return NIR_NO_BUFFER;
}

/* The word is the number of the uniform that is the address of the set, and behind that, in 16 bits, an offset there. */
static uint32_t find_image(const struct nir_abi *abi, const uint64_t *words, uint32_t n_words)
{
    uint64_t const unit = n_words ? words[0] >> 16 : 0;
    return unit >= UNITS_OF_ADDRESS
               ? find_place(abi, unit / UNITS_OF_ADDRESS - 1, words[0] & 0xffff)
               : NIR_NO_BUFFER;
}

/* Where the descriptor of an image with depth or layers says how far slices are apart is not known, so a program that
 * computes addresses of texels itself cannot be run. */
static bool is_hidden(const struct nir_abi *abi, const struct nir_region *r, uint64_t offset)
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

/* The chip flushes always. */
static void set_modes(const struct nir_header *h, struct nir_modes *modes)
{
    (void)h;
    modes->flush[FMT_F32] = true;
}

const struct nir_rules nir_honeykrisp = {.put = put,
                                         .begin = begin,
                                         .find_buffer = find_buffer,
                                         .find_image = find_image,
                                         .is_hidden = is_hidden,
                                         .set_modes = set_modes,
                                         .is_log = true,
                                         .lacks_base_globally = true,
                                         .loads_zero = true,
                                         .row_shift = ROW_SHIFT,
                                         .image_bytes = IMAGE_BYTES};

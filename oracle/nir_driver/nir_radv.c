/* oracle/nir_driver/nir_radv.c -- RADV's descriptors, arguments and registers. */
#include "oracle/nir_driver/nir_radv.h"

#include "base/testcase.h"
#include "oracle/nir_driver/nir_arguments.h"
#include "oracle/nir_driver/nir_layout.h"
#include "oracle/nir_driver/nir_region.h"
#include "oracle/nir_text/nir_op.h"

enum {
    STRIDE_SHIFT = 48,    /* of a texel in a buffer, above the address */
    IMAGE_UNIT_SHIFT = 8, /* of the address of an image, which has 40 bits */
    IMAGE_ADDRESS_BITS = 40,
    IMAGE_WORDS = 8,
    BUFFER_WORDS = 4
};

/* Of a buffer the address, the size and flags, which no program looks at; of texels in a buffer also the size of each, and how
 * many there are; of an image the address, and other things, which are left 0. */
static void put_descriptor(struct nir_abi *abi, uint32_t buffer)
{
    const struct buf *const b = &abi->tc->bufs[buffer];
    const struct nir_region *const r = nir_region_get_described(abi, buffer);
    unsigned char *const to = abi->sets[b->set].bytes + nir_layout_offset(abi->tc, buffer);
    uint32_t const stride =
        buf_kind_rows[b->kind].texels == TEXELS_BUFFER ? buf_texel_bytes(b->kind) : 0;
    if (buf_is_image(b->kind)) {
        store_le(to, r->address >> IMAGE_UNIT_SHIFT, 8);
        return;
    }
    store_le(to, r->address | (uint64_t)stride << STRIDE_SHIFT, 8);
    store_le(to + 8, stride ? r->n_bytes / stride : r->n_bytes, 4);
}

static bool put(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        if (nir_layout_has(abi->tc->bufs[i].kind)) {
            put_descriptor(abi, i);
        }
    }
    return nir_region_make_root(abi, 3 * sizeof(uint32_t), a, answer);
}

static bool read(struct nir_abi *abi, const struct nir_program *p, struct arena *a,
                 struct nir_answer *answer)
{
    return nir_arguments_find(abi->tc, p, true, a, abi->arguments, answer);
}
static bool read12(struct nir_abi *abi, const struct nir_program *p, struct arena *a,
                   struct nir_answer *answer)
{
    return nir_arguments_find(abi->tc, p, false, a, abi->arguments, answer);
}

static void begin(struct nir_abi *abi, const struct dispatch *dispatch)
{
    for (unsigned c = 0; c < 3; c++) {
        store_le(abi->root.bytes + 4 * c, dispatch->n[c], 4);
    }
}

/* See NIR_ID_SUBGROUP_ARGUMENT. */
static uint64_t get_subgroup(const struct nir_abi *abi, const struct nir_place *place)
{
    uint64_t const n = (place->n_in_group + abi->subgroup_size - 1) / abi->subgroup_size;
    return (place->subgroup & 31) << 20 | (place->subgroup & 63) << 6 | (n & 63);
}

static bool get_argument(const struct nir_abi *abi, const struct nir_place *place, int64_t number,
                         uint32_t c, uint64_t *out)
{
    if (number < 0 || number >= NIR_MAX_ARGUMENTS || c >= 3) {
        return false;
    }
    struct nir_argument const argument = abi->arguments[number];
    switch (argument.kind) {
    case NIR_ARGUMENT_NONE:
        return false;
    case NIR_ARGUMENT_SET:
        *out = abi->sets[argument.number].address & UINT32_MAX;
        return true;
    case NIR_ARGUMENT_PUSH:
        *out = abi->push.address & UINT32_MAX;
        return true;
    case NIR_ARGUMENT_WORD:
        if (4 * argument.number + 4 <= abi->push.n_bytes) {
            *out = load_le(abi->push.bytes + 4 * (size_t)argument.number, 4);
        }
        return true;
    case NIR_ARGUMENT_N_GROUPS:
        *out = place->dispatch->n[c];
        return true;
    case NIR_ARGUMENT_N_GROUPS_ADDRESS:
        *out = abi->root.address >> 32 * (c & 1);
        return true;
    case NIR_ARGUMENT_GROUP:
        *out = place->dispatch->base[argument.number] + place->group[argument.number];
        return true;
    case NIR_ARGUMENT_SUBGROUP:
        *out = get_subgroup(abi, place);
        return true;
    case NIR_ARGUMENT_LOCAL:
        *out = place->local[argument.number];
        return true;
    case NIR_ARGUMENT_LOCAL_PACKED:
        *out = place->local[0] | place->local[1] << 10 | place->local[2] << 20;
        return true;
    }
    return false;
}

/* Registers of gfx12 that hold ids; the number of the sub-group stands in bits 29:25 of number 8. */
static bool get_trap_register(const struct nir_place *place, int64_t number, uint64_t *out)
{
    uint64_t group[3];
    for (unsigned c = 0; c < 3; c++) {
        group[c] = place->dispatch->base[c] + place->group[c];
    }
    switch (number) {
    case 7:
        *out = (group[1] & 0xffff) | group[2] << 16;
        return true;
    case 8:
        *out = (uint64_t)(place->subgroup & 31) << 25;
        return true;
    case 9:
        *out = group[0];
        return true;
    default:
        return false;
    }
}

static bool get_id(const struct nir_abi *abi, const struct nir_place *place, struct nir_id id,
                   uint64_t *out)
{
    if (id.form == NIR_ID_ARGUMENT) {
        return get_argument(abi, place, id.index[NIR_INDEX_base], id.c, out);
    }
    if (id.form == NIR_ID_TRAP_REGISTER) {
        return get_trap_register(place, id.index[NIR_INDEX_base], out);
    }
    if (id.form == NIR_ID_SUBGROUP_ARGUMENT) {
        *out = get_subgroup(abi, place);
        return true;
    }
    return false;
}

static const struct nir_region *find_buffer(const struct nir_abi *abi, const uint64_t *words,
                                            uint32_t n_words)
{
    if (n_words < BUFFER_WORDS) {
        return NULL;
    }
    const struct nir_region *const r =
        nir_region_find_start(abi, words[0] | (words[1] & 0xffff) << 32);
    return r && r->n_bytes == words[2] ? r : NULL;
}

static uint32_t find_image(const struct nir_abi *abi, const uint64_t *words, uint32_t n_words)
{
    uint64_t const low = n_words >= BUFFER_WORDS ? words[0] | words[1] << 32 : 0;
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        bool const is_image = buf_is_image(abi->tc->bufs[i].kind);
        uint64_t const address = is_image ? (low & nir_mask(IMAGE_ADDRESS_BITS)) << IMAGE_UNIT_SHIFT
                                          : low & nir_mask(STRIDE_SHIFT);
        bool const is_form = n_words == (is_image ? IMAGE_WORDS : BUFFER_WORDS);
        if (is_form && abi->buffers[i].address == address) {
            return i;
        }
    }
    return NIR_NO_BUFFER;
}

#define RULES                                                                                      \
    .put = put, .begin = begin, .get_id = get_id, .find_buffer = find_buffer,                      \
    .find_image = find_image, .has_base_in_group = true, .stores_toward_zero = true
const struct nir_rules nir_radv = {RULES, .read = read};
const struct nir_rules nir_radv12 = {RULES, .read = read12};

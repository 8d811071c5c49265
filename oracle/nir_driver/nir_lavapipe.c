/* oracle/nir_driver/nir_lavapipe.c -- lavapipe's descriptors. In 26.2 they have addresses: a buffer takes 16 bytes, an image 64, and
 * one is behind the other. In 25.0 they have numbers in their set. The number of the buffer stands in for the content. */
#include "oracle/nir_driver/nir_lavapipe.h"

#include "base/testcase.h"
#include "oracle/nir_driver/nir_region.h"

enum {
    BUFFER_BYTES = 16,
    IMAGE_BYTES = 64
};

static bool put(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    uint32_t n_bytes[CASE_MAX_SETS] = {0}, n[CASE_MAX_SETS] = {0};
    (void)a;
    (void)answer;
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        const struct buf *const b = &abi->tc->bufs[i];
        if (b->kind != BUF_PUSH) {
            store_le(abi->sets[b->set].bytes + n_bytes[b->set], (uint64_t)i + 1, 8);
            n_bytes[b->set] += buf_has_texels(b->kind) ? IMAGE_BYTES : BUFFER_BYTES;
            abi->numbered[b->set][n[b->set]++] = (uint8_t)i;
        }
    }
    return true;
}

/* Set number 0 is that of the push constants. */
static bool get_id(const struct nir_abi *abi, const struct nir_place *place, struct nir_id id,
                   uint64_t *out)
{
    (void)place;
    if (id.form != NIR_ID_SET || id.operand > CASE_MAX_SETS) {
        return false;
    }
    *out = id.operand ? abi->sets[id.operand - 1].address : 0;
    return true;
}

/* By the address of a descriptor, or by the number of a set, from 1 on, and that of a descriptor in it. */
static uint32_t find_image(const struct nir_abi *abi, const uint64_t *words, uint32_t n_words)
{
    uint64_t const address = words[0];
    if (n_words > 1) {
        bool const is_there =
            address >= 1 && address <= CASE_MAX_SETS && words[1] < NIR_MAX_DESCRIPTORS;
        return is_there ? abi->numbered[address - 1][words[1]] : NIR_NO_BUFFER;
    }
    for (uint32_t set = 0; set < CASE_MAX_SETS; set++) {
        const struct nir_region *const r = &abi->sets[set];
        bool const is_in = r->n_bytes && address >= r->address &&
                           address - r->address <= r->n_bytes - BUFFER_BYTES;
        if (is_in && (address - r->address) % BUFFER_BYTES == 0) {
            uint64_t const number = load_le(r->bytes + (address - r->address), 8);
            return number >= 1 && number <= abi->tc->n_bufs ? (uint32_t)number - 1 : NIR_NO_BUFFER;
        }
    }
    return NIR_NO_BUFFER;
}

static const struct nir_region *find_buffer(const struct nir_abi *abi, const uint64_t *words,
                                            uint32_t n_words)
{
    if (n_words == 1 && words[0] == 0) {
        return abi->push.n_bytes ? &abi->push : NULL;
    }
    uint32_t const buffer = find_image(abi, words, n_words);
    return buffer != NIR_NO_BUFFER ? nir_region_get_described(abi, buffer) : NULL;
}

/* So 26 sets the processor. Signs are changed by bits. */
static void set_modes(const struct nir_header *h, struct nir_modes *modes)
{
    modes->flush[FMT_F32] = modes->flush[FMT_F64] = !h->is_old;
    modes->weak_apart[FMT_F16] = true;
    for (unsigned fmt = 0; fmt < FMT_N; fmt++) {
        modes->flush_signs[fmt] = false;
    }
}

const struct nir_rules nir_lavapipe = {.put = put,
                                       .get_id = get_id,
                                       .find_buffer = find_buffer,
                                       .find_image = find_image,
                                       .set_modes = set_modes,
                                       .has_base_in_group = true,
                                       .begins_with_identity = true};

/* oracle/nir_driver/nir_turnip.c -- numbers of descriptors, and push constants. */
#include "oracle/nir_driver/nir_turnip.h"

#include "oracle/nir_driver/nir_region.h"

/* Gives each buffer the next numbers of its set: a storage buffer has two of them, of 32-bit and of 16-bit elements, where
 * the chip has both; all others have one. */
static bool number(struct nir_abi *abi, uint8_t n_of_storage)
{
    uint32_t n[CASE_MAX_SETS] = {0};
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        const struct buf *const b = &abi->tc->bufs[i];
        bool const is_storage = b->kind == BUF_STORAGE || b->kind == BUF_ADDRESS;
        uint32_t const n_numbers = b->kind == BUF_PUSH ? 0 : is_storage ? n_of_storage : 1;
        for (uint32_t k = 0; k < n_numbers; k++) {
            abi->numbered[b->set][n[b->set]++] = (uint8_t)i;
        }
    }
    return true;
}
static bool put(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    (void)a;
    (void)answer;
    return number(abi, 2);
}
static bool put32(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    (void)a;
    (void)answer;
    return number(abi, 1);
}

/* Word number operand + `base` of the push constants, which are either first of all constants or begin with this word, where
 * those begin that all stages share. */
static bool get_id(const struct nir_abi *abi, const struct nir_place *place, struct nir_id id,
                   uint64_t *out)
{
    enum {
        SHARED_CONSTANTS = 2016
    };
    (void)place;
    if (id.form != NIR_ID_PUSH_CONSTANT) {
        return false;
    }
    uint64_t const base = (uint64_t)id.index[NIR_INDEX_base];
    uint64_t const own = base >= SHARED_CONSTANTS ? base - SHARED_CONSTANTS : base;
    uint64_t const at = ((id.operand + own) & UINT32_MAX) + id.c;
    bool const is_inside = at < abi->push.n_bytes / 4;
    *out = is_inside ? load_le(abi->push.bytes + 4 * at, 4) : 0;
    return is_inside;
}

static uint32_t find_image(const struct nir_abi *abi, const uint64_t *words, uint32_t n_words)
{
    uint64_t const set = words[0] >> 16, k = words[0] & 0xffff;
    bool const is_there = n_words && set < CASE_MAX_SETS && k < NIR_MAX_DESCRIPTORS;
    return is_there ? abi->numbered[set][k] : NIR_NO_BUFFER;
}

static const struct nir_region *find_buffer(const struct nir_abi *abi, const uint64_t *words,
                                            uint32_t n_words)
{
    uint32_t const buffer = find_image(abi, words, n_words);
    return buffer != NIR_NO_BUFFER ? nir_region_get_described(abi, buffer) : NULL;
}

/* Its devices do not offer to preserve there. */
static void set_modes(const struct nir_header *h, struct nir_modes *modes)
{
    (void)h;
    modes->flush[FMT_F16] = modes->flush[FMT_F32] = true;
}

#define RULES                                                                                      \
    .get_id = get_id, .find_buffer = find_buffer, .find_image = find_image, .set_modes = set_modes
const struct nir_rules nir_turnip = {RULES, .put = put};
const struct nir_rules nir_turnip32 = {RULES, .put = put32};

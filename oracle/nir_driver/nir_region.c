/* oracle/nir_driver/nir_region.c -- where memory lies.
 *
 * Buffer i begins at (i + 1) << 32, a little behind it: offsets before its begin are of no buffer. Sets, push constants and the
 * table of the dispatch are where RADV has sets, in the 4 GiB whose upper half is NIR_REGION_HIGH. */
#include "oracle/nir_driver/nir_region.h"

#include <string.h>

#include "base/testcase.h"
#include "oracle/nir_text/nir_answer.h"

enum {
    BUFFER_SHIFT = 32,
    BUFFER_BEGIN = 0x10000,
    CELL_BEGIN = 0x8000, /* of the memory that holds the buffer's address, if the kind is ADDRESS */
    SET_STEP = 0x10000,
    PUSH_BEGIN = SET_STEP * (CASE_MAX_SETS + 1), /* behind the sets */
    ROOT_BEGIN = 0x100000
};
#define BASE (NIR_REGION_HIGH << 32)

static uint64_t get_begin(uint32_t buffer)
{
    return ((uint64_t)buffer + 1) << BUFFER_SHIFT;
}

static bool make_cell(struct nir_abi *abi, uint32_t i, struct arena *a)
{
    struct nir_region *const r = &abi->cells[i];
    *r = (struct nir_region){.address = get_begin(i) | CELL_BEGIN,
                             .n_bytes = sizeof(uint64_t),
                             .bytes = arena_take(a, sizeof(uint64_t))};
    if (r->bytes) {
        store_le(r->bytes, abi->buffers[i].address, sizeof(uint64_t));
    }
    return r->bytes != NULL;
}

/* The memory of the descriptors of a set, unless it is there; false: there is no room. */
static bool make_set(struct nir_abi *abi, uint32_t number, struct arena *a)
{
    struct nir_region *const set = &abi->sets[number];
    if (!set->bytes) {
        *set = (struct nir_region){.address = BASE + (uint64_t)SET_STEP * (number + 1),
                                   .n_bytes = NIR_SET_BYTES,
                                   .bytes = arena_take(a, NIR_SET_BYTES)};
    }
    return set->bytes != NULL;
}

static bool make_buffer(struct nir_abi *abi, uint32_t i, struct arena *a, struct nir_answer *answer)
{
    const struct buf *const b = &abi->tc->bufs[i];
    bool const is_push = b->kind == BUF_PUSH;
    if (b->kind == BUF_VALUE || b->set >= CASE_MAX_SETS ||
        (is_push && b->n_bytes > CASE_MAX_PUSH_BYTES)) {
        const char *const name = buf_kind_names[b->kind];
        return nir_stop_unknown(answer, 0, "kind of buffer", name, strlen(name));
    }
    struct nir_region *const r = &abi->buffers[i];
    *r = (struct nir_region){.address = get_begin(i) | BUFFER_BEGIN,
                             .n_bytes = b->n_bytes,
                             .is_written = !buf_is_constant(b->kind),
                             .bytes = arena_copy(a, b->data, b->n_bytes)};
    if (!r->bytes || (b->kind == BUF_ADDRESS && !make_cell(abi, i, a)) ||
        (!is_push && !make_set(abi, b->set, a))) {
        return nir_stop_memory(answer, 0);
    }
    if (is_push) {
        abi->push = *r;
        abi->push.address = BASE + PUSH_BEGIN;
    }
    return true;
}

bool nir_region_make(struct nir_abi *abi, struct arena *a, struct nir_answer *answer)
{
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        if (!make_buffer(abi, i, a, answer)) {
            return false;
        }
    }
    return true;
}

bool nir_region_make_root(struct nir_abi *abi, uint32_t n, struct arena *a,
                          struct nir_answer *answer)
{
    abi->root =
        (struct nir_region){.address = BASE + ROOT_BEGIN, .n_bytes = n, .bytes = arena_take(a, n)};
    return abi->root.bytes != NULL || nir_stop_memory(answer, 0);
}

static bool holds(const struct nir_region *r, uint64_t address, uint32_t n)
{
    return r->n_bytes && address >= r->address && address - r->address <= r->n_bytes &&
           n <= r->n_bytes - (address - r->address);
}

const struct nir_region *nir_region_find(const struct nir_abi *abi, uint64_t address, uint32_t n)
{
    uint64_t const number = address >> BUFFER_SHIFT;
    if (number >= 1 && number <= abi->tc->n_bufs) {
        const struct nir_region *const r = &abi->buffers[number - 1];
        const struct nir_region *const cell = &abi->cells[number - 1];
        return holds(r, address, n) ? r : holds(cell, address, n) ? cell : NULL;
    }
    for (unsigned set = 0; set < CASE_MAX_SETS; set++) {
        if (holds(&abi->sets[set], address, n)) {
            return &abi->sets[set];
        }
    }
    return holds(&abi->push, address, n)   ? &abi->push
           : holds(&abi->root, address, n) ? &abi->root
                                           : NULL;
}

const struct nir_region *nir_region_find_start(const struct nir_abi *abi, uint64_t address)
{
    const struct nir_region *const r = nir_region_find(abi, address, 1);
    return r && r->address == address ? r : NULL;
}

const struct nir_region *nir_region_get_described(const struct nir_abi *abi, uint32_t buffer)
{
    return abi->cells[buffer].n_bytes ? &abi->cells[buffer] : &abi->buffers[buffer];
}

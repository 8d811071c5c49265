/* oracle/nir/nir_kepler.c -- addresses of texels, and accesses there. A result of NIR_KEPLER_CLAMP holds the block in bits
 * 15:0, the byte or the row in it in bits 23:16, and "outside" in bit 31. NIR_KEPLER_MERGE puts the nine bits of the place
 * in a block together, NIR_KEPLER_ADDRESS takes the highest of them and the block's number. */
#include "oracle/nir/nir_kepler.h"

#include "oracle/nir/nir_trace.h"
#include "oracle/nir_driver/nir_abi.h"
#include "oracle/nir_driver/nir_region.h"
#include "oracle/nir_driver/nir_surface.h"
#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_op.h"

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
    return nir_surface_swizzle(get_bits(x, 16, NIR_SURFACE_WIDTH_SHIFT),
                               get_bits(y, 16, NIR_SURFACE_HEIGHT_SHIFT));
}

static uint32_t get_address(uint64_t block, uint64_t merged, uint64_t base)
{
    uint64_t const shift = NIR_SURFACE_BLOCK_SHIFT - NIR_SURFACE_UNIT_SHIFT;
    return (uint32_t)(base + (((block << shift) |
                               get_bits(merged, NIR_SURFACE_UNIT_SHIFT, (unsigned)shift)) &
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
    uint64_t const address =
        (high << NIR_SURFACE_UNIT_SHIFT) + (is_sum ? low : low & nir_mask(NIR_SURFACE_UNIT_SHIFT));
    *r = nir_region_find(s->m->abi, address, 1U << NIR_SURFACE_TEXEL_SHIFT);
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
    bool const is_load = s->row->form == NIR_KEPLER_LOAD;
    bool const is_outside = nir_step_source(s, 2, 0)[lane] != 0;
    const struct nir_region *r = NULL;
    uint64_t offset = 0;
    if (!is_outside && !find_texel(s, lane, &r, &offset)) {
        return false;
    }
    for (uint32_t c = 0; is_load && c < nir_step_result(s)->n_components; c++) {
        bool const is_there = r && c == 0;
        nir_step_out(s, c)[lane] = is_there
                                       ? load_le(r->bytes + offset, 1U << NIR_SURFACE_TEXEL_SHIFT) &
                                             nir_mask(nir_step_result(s)->n_bits)
                                       : 0;
    }
    if (!is_load && r && !r->is_written) {
        return nir_stop(s->m->answer, NIR_STUCK, s->in->line,
                        "a texel is written that is constant");
    }
    if (!is_load && r) {
        store_le(r->bytes + offset, nir_step_source(s, 3, 0)[lane], 1U << NIR_SURFACE_TEXEL_SHIFT);
        nir_see_write(s, lane, r->bytes + offset, 1U << NIR_SURFACE_TEXEL_SHIFT);
    }
    return true;
}

bool nir_run_kepler(const struct nir_step *s)
{
    enum nir_kepler_form const form = (enum nir_kepler_form)s->row->form;
    uint32_t const flags = (uint32_t)s->in->index[NIR_INDEX_flags];
    bool const has_flag = form == NIR_KEPLER_CLAMP || form == NIR_KEPLER_MERGE;
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
        case NIR_KEPLER_LOAD:
        case NIR_KEPLER_STORE:
            if (!access_texel(s, lane)) {
                return false;
            }
            continue;
        case NIR_KEPLER_CLAMP:
            out = clamp(flags, v[0], v[1], &is_outside);
            break;
        case NIR_KEPLER_MERGE:
            out = merge(v[0], v[1], v[2], flags != 0, &is_outside);
            break;
        case NIR_KEPLER_ADDRESS:
            out = get_address(v[0], v[1], v[2]);
            break;
        case NIR_KEPLER_MULTIPLY_ADD:
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

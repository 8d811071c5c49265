/* oracle/nir/nir_image.c -- where a texel lies, and what is done with it. */
#include "oracle/nir/nir_image.h"

#include "oracle/nir/nir_abi.h"
#include "oracle/nir/nir_answer.h"
#include "oracle/nir/nir_intrinsic.h"
#include "oracle/nir/nir_memory.h"

enum {
    COORDINATES = 1, /* numbers of operands */
    DATA = 3,
    HALF_BYTES = 2,
    MAX_CHANNELS = 4
};
static const uint64_t one_f32 = 0x3f800000;

/* An image as the case has it. */
struct image {
    unsigned char *bytes;
    uint32_t n_coordinates, extents[TEXELS_MAX_COORDINATES];
    uint32_t texel_bytes;
    enum texel_format format;
};

static bool find_image(const struct nir_step *s, uint32_t lane, struct image *out)
{
    const struct nir_abi *const abi = s->m->abi;
    uint64_t words[2] = {0};
    uint32_t const n = nir_step_components(s, 0);
    for (uint32_t c = 0; c < n && c < ARRAY_N(words); c++) {
        words[c] = nir_step_source(s, 0, c)[lane];
    }
    const struct nir_region *const r = nir_abi_find_descriptor(abi, words, n);
    const struct buf *b = NULL;
    for (uint32_t i = 0; i < abi->tc->n_bufs; i++) {
        b = r == &abi->buffers[i] ? &abi->tc->bufs[i] : b;
    }
    if (!b || buf_kind_rows[b->kind].texels == TEXELS_NONE) {
        return nir_stop(s->m->answer, NIR_STUCK, s->in->line, "%s: no image has the descriptor",
                        s->row->name);
    }
    *out = (struct image){.bytes = r->bytes,
                          .texel_bytes = buf_texel_bytes(b->kind),
                          .format = buf_kind_rows[b->kind].format};
    out->n_coordinates = buf_get_extents(b, out->extents);
    if (nir_step_components(s, s->row->form == NIR_IMAGE_SIZE ? 0 : COORDINATES) <
        (s->row->form == NIR_IMAGE_SIZE ? 0 : out->n_coordinates)) {
        return nir_stop(s->m->answer, NIR_BROKEN, s->in->line, "%s: too few coordinates",
                        s->row->name);
    }
    return true;
}

/* The bytes of the texel at an invocation's coordinates; NULL: there is none. */
static unsigned char *find_texel(const struct nir_step *s, uint32_t lane, const struct image *m)
{
    uint64_t at = 0;
    for (uint32_t c = m->n_coordinates; c-- > 0;) {
        uint64_t const k = nir_step_source(s, COORDINATES, c)[lane] & UINT32_MAX;
        if (k >= m->extents[c]) {
            return NULL;
        }
        at = at * m->extents[c] + k;
    }
    return m->bytes + at * m->texel_bytes;
}

static bool has_halves(const struct image *m)
{
    return m->format == TEXEL_RG16F || m->format == TEXEL_RGBA16F;
}

/* Channel c of a texel: those that the format lacks are 0, and the last one 1. */
static uint64_t get_channel(const struct nir_step *s, const struct image *m,
                            const unsigned char *texel, uint32_t c)
{
    uint32_t const n = has_halves(m) ? m->texel_bytes / HALF_BYTES : 1;
    if (c >= n) {
        return c < MAX_CHANNELS - 1 ? 0 : m->format == TEXEL_R32UI ? 1 : one_f32;
    }
    return has_halves(m) ? nir_float_convert(&s->m->modes, 32, 16,
                                             load_le(texel + (size_t)c * HALF_BYTES, HALF_BYTES))
                         : load_le(texel, 4);
}

static void load(const struct nir_step *s, const struct image *m, uint32_t lane)
{
    const unsigned char *const texel = find_texel(s, lane, m);
    for (uint32_t c = 0; c < nir_step_result(s)->n_components; c++) {
        nir_step_out(s, c)[lane] = texel && c < MAX_CHANNELS ? get_channel(s, m, texel, c) : 0;
    }
}

static void store(const struct nir_step *s, const struct image *m, uint32_t lane)
{
    unsigned char *const texel = find_texel(s, lane, m);
    uint32_t const n = has_halves(m) ? m->texel_bytes / HALF_BYTES : 1;
    for (uint32_t c = 0; texel && c < n && c < nir_step_components(s, DATA); c++) {
        uint64_t const v = nir_step_source(s, DATA, c)[lane];
        if (has_halves(m)) {
            uint64_t const half = nir_float_convert(&s->m->modes, 16, 32, v);
            store_le(texel + (size_t)c * HALF_BYTES, half, HALF_BYTES);
        } else {
            store_le(texel, v, 4);
        }
    }
}

static bool combine(const struct nir_step *s, const struct image *m, uint32_t lane)
{
    unsigned char *const texel = find_texel(s, lane, m);
    uint32_t const last = s->row->n_sources - 1;
    uint64_t const old = texel ? load_le(texel, 4) : 0;
    uint64_t left = 0;
    if (has_halves(m)) {
        return nir_stop(s->m->answer, NIR_BROKEN, s->in->line, "%s: texels of several channels",
                        s->row->name);
    }
    if (!nir_compute_atomic(s, old, nir_step_source(s, DATA, 0)[lane],
                            nir_step_source(s, last, 0)[lane], &left)) {
        return false;
    }
    if (texel) {
        store_le(texel, left, 4);
    }
    nir_step_out(s, 0)[lane] = old;
    return true;
}

bool nir_run_image(const struct nir_step *s)
{
    bool const has_data = s->row->form != NIR_IMAGE_SIZE && s->row->form != NIR_IMAGE_LOAD;
    unsigned const n_bits = has_data ? nir_step_bits(s, DATA) : nir_step_result(s)->n_bits;
    if (n_bits != 32) {
        return nir_stop(s->m->answer, NIR_UNKNOWN, s->in->line, "%s of %u bits is not known",
                        s->row->name, n_bits);
    }
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        struct image m;
        if (!find_image(s, lane, &m)) {
            return false;
        }
        switch ((enum nir_image_form)s->row->form) {
        case NIR_IMAGE_LOAD:
            load(s, &m, lane);
            break;
        case NIR_IMAGE_STORE:
            store(s, &m, lane);
            break;
        case NIR_IMAGE_ATOMIC:
            if (!combine(s, &m, lane)) {
                return false;
            }
            break;
        case NIR_IMAGE_SIZE:
            for (uint32_t c = 0; c < nir_step_result(s)->n_components; c++) {
                nir_step_out(s, c)[lane] = c < m.n_coordinates ? m.extents[c] : 0;
            }
            break;
        }
    }
    return true;
}

/* oracle/nir/nir_texel.c -- coordinates to bytes, and components to the format of a texel. */
#include "oracle/nir/nir_texel.h"

#include <string.h>

#include "oracle/nir/nir_abi.h"
#include "oracle/nir/nir_answer.h"
#include "oracle/nir/nir_float.h"
#include "oracle/nir/nir_op.h"
#include "oracle/nir/nir_word.h"

/* How far each coordinate goes. */
struct extents {
    enum texels texels;
    uint32_t n;
    uint32_t to[TEXELS_MAX_COORDINATES];
};

/* How many coordinates an access has of which the first ones are the texel's, by the dimensions that it names; 0: the buffer
 * has others. *gap is the coordinate that the texels have not, and that must be 0: RADV on gfx9 makes images of one
 * dimension ones of two; n: there is none. Faces of a cube are layers. */
static uint32_t count_coordinates(int64_t dim, enum texels texels, uint32_t *gap)
{
    uint32_t const n = texels_rows[texels].n_coordinates;
    bool const is_1d = texels == TEXELS_1D || texels == TEXELS_1D_ARRAY;
    bool const is_flat = texels == TEXELS_2D || texels == TEXELS_2D_ARRAY;
    bool const is_cube = texels == TEXELS_CUBE || texels == TEXELS_CUBE_ARRAY;
    *gap = n;
    switch (dim) {
    case NIR_WORD_Buf:
        return texels == TEXELS_BUFFER ? n : 0;
    case NIR_WORD_1D:
        return is_1d ? n : 0;
    case NIR_WORD_2D:
        *gap = is_1d ? 1 : n;
        return is_1d ? n + 1 : is_flat || is_cube ? n : 0;
    case NIR_WORD_3D:
        return texels == TEXELS_3D ? n : 0;
    case NIR_WORD_Cube:
        return is_cube ? n : 0;
    default:
        return 0;
    }
}

/* The index of a texel in a buffer of texels, by an access that names bytes behind it, too: of them there must be none. */
static bool find_by_index(const struct nir_step *s, uint32_t lane, const uint32_t *extents,
                          uint64_t *index)
{
    enum {
        OFFSET = 1, /* operands */
        SCALAR_OFFSET = 2,
        INDEX = 3
    };
    uint64_t const offset = nir_step_source(s, OFFSET, 0)[lane] +
                            nir_step_source(s, SCALAR_OFFSET, 0)[lane] +
                            (uint64_t)s->in->index[NIR_INDEX_base];
    *index = nir_step_source(s, INDEX, 0)[lane];
    if (offset != 0) {
        return nir_stop(s->m->answer, NIR_UNKNOWN, s->in->line,
                        "%s: an offset behind a texel is not known", s->row->name);
    }
    *index = *index < extents[0] ? *index : UINT64_MAX;
    return true;
}

/* The index of the texel at coordinates, which are operand `at`; UINT64_MAX: it is beyond the extents. */
static bool find_by_coordinates(const struct nir_step *s, uint32_t lane, uint32_t at,
                                const struct extents *x, uint64_t *index)
{
    uint32_t gap = 0, dimension = 0;
    uint32_t const n = count_coordinates(s->in->index[NIR_INDEX_image_dim], x->texels, &gap);
    uint64_t step = 1;
    bool is_inside = true;
    *index = 0;
    if (n == 0 || x->n == 0 || nir_step_components(s, at) < n) {
        return nir_stop(s->m->answer, NIR_BROKEN, s->in->line,
                        "%s: the texels have other dimensions", s->row->name);
    }
    for (uint32_t c = 0; c < n; c++) {
        uint64_t const coordinate = nir_step_source(s, at, c)[lane];
        if (c == gap) {
            is_inside = is_inside && coordinate == 0;
            continue;
        }
        is_inside = is_inside && coordinate < x->to[dimension];
        *index += coordinate * step;
        step *= x->to[dimension++];
    }
    *index = is_inside ? *index : UINT64_MAX;
    return true;
}

bool nir_texel_find(const struct nir_step *s, uint32_t lane, uint32_t first, struct nir_texel *out)
{
    const struct nir_abi *const abi = s->m->abi;
    uint64_t words[8] = {0}, index = 0;
    uint32_t const n_words = nir_step_components(s, first);
    for (uint32_t c = 0; c < n_words && c < ARRAY_N(words); c++) {
        words[c] = nir_step_source(s, first, c)[lane];
    }
    uint32_t const buffer = nir_abi_find_texels(abi, words, n_words);
    if (buffer == CASE_MAX_BUFS) {
        return nir_stop(s->m->answer, NIR_STUCK, s->in->line,
                        "%s: no texels have the descriptor 0x%llx", s->row->name,
                        (unsigned long long)words[0]);
    }
    const struct buf *const b = &abi->tc->bufs[buffer];
    struct extents x = {.texels = buf_kind_rows[b->kind].texels};
    x.n = buf_get_extents(b, x.to);
    if (s->row->run == NIR_RUN_load_texel && s->row->form == NIR_TEXEL_INDEX
            ? !find_by_index(s, lane, x.to, &index)
            : !find_by_coordinates(s, lane, first + 1, &x, &index)) {
        return false;
    }
    out->n_bytes = buf_texel_bytes(b->kind);
    out->format = buf_kind_rows[b->kind].format;
    out->bytes = index != UINT64_MAX ? abi->buffers[buffer].bytes + index * out->n_bytes : NULL;
    return true;
}

/* Components of a format, the bits of each, and whether these are floats. */
struct layout {
    uint32_t n;
    unsigned n_bits;
    bool is_float;
};
static struct layout get_layout(enum texel_format format)
{
    switch (format) {
    case TEXEL_R32F:
        return (struct layout){1, 32, true};
    case TEXEL_R32UI:
        return (struct layout){1, 32, false};
    case TEXEL_RG16F:
        return (struct layout){2, 16, true};
    case TEXEL_RGBA16F:
        return (struct layout){4, 16, true};
    case TEXEL_NONE:
        break;
    }
    return (struct layout){0, 0, false};
}

/* A component of from_bits as one of to_bits. */
static uint64_t convert(bool is_float, unsigned from_bits, unsigned to_bits, uint64_t value)
{
    static const struct nir_modes kept = {{false}, {false}}; /* subnormals stay what they are */
    if (!is_float || from_bits == to_bits) {
        return value & nir_mask(to_bits);
    }
    return nir_float_convert_toward(&kept, to_bits, from_bits, value, true);
}

/* Is it a width that components of a format are accessed in? Loads of integers of fewer bits are not known here. */
static bool check_width(const struct nir_step *s, struct layout layout, unsigned n_bits)
{
    bool const is_narrow = layout.is_float || s->row->run == NIR_RUN_store_texel;
    bool const is_right = n_bits == layout.n_bits || n_bits == 32 || (is_narrow && n_bits == 16);
    return is_right || nir_stop(s->m->answer, NIR_UNKNOWN, s->in->line,
                                "%s: components of %u bits are not known", s->row->name, n_bits);
}

bool nir_run_load_texel(const struct nir_step *s)
{
    const struct nir_value *const v = nir_step_result(s);
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        struct nir_texel t;
        if (!nir_texel_find(s, lane, 0, &t)) {
            return false;
        }
        struct layout const layout = get_layout(t.format);
        if (!check_width(s, layout, v->n_bits)) {
            return false;
        }
        for (uint32_t c = 0; c < v->n_components; c++) {
            uint64_t const one = layout.is_float ? UINT64_C(0x3f800000) : 1;
            uint64_t value = 0;
            if (t.bytes && c < layout.n) {
                uint32_t const n_bytes = layout.n_bits / 8;
                value = convert(layout.is_float, layout.n_bits, v->n_bits,
                                load_le(t.bytes + (size_t)c * n_bytes, n_bytes));
            } else if (t.bytes && c == 3) { /* components that a format has not are 0, 0 and 1 */
                value = convert(layout.is_float, 32, v->n_bits, one);
            }
            nir_step_out(s, c)[lane] = value;
        }
    }
    return true;
}

bool nir_run_store_texel(const struct nir_step *s)
{
    enum {
        DATA = 3 /* operand: behind descriptor, coordinates, sample */
    };
    bool const is_signed = s->in->index[NIR_INDEX_src_type] == NIR_WORD_int16;
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        unsigned const n_bits = nir_step_bits(s, DATA);
        struct nir_texel t;
        if (!nir_texel_find(s, lane, 0, &t)) {
            return false;
        }
        struct layout const layout = get_layout(t.format);
        uint32_t const n_bytes = layout.n_bits / 8;
        if (!check_width(s, layout, n_bits)) {
            return false;
        }
        for (uint32_t c = 0; t.bytes && c < layout.n && c < nir_step_components(s, DATA); c++) {
            uint64_t const value = nir_step_source(s, DATA, c)[lane];
            uint64_t const whole = is_signed ? (uint64_t)nir_sign_extend(value, n_bits) : value;
            store_le(t.bytes + (size_t)c * n_bytes,
                     convert(layout.is_float, n_bits, layout.n_bits, whole), n_bytes);
        }
    }
    return true;
}

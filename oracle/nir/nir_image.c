/* oracle/nir/nir_image.c -- which texel an invocation means, and what is done with it. */
#include "oracle/nir/nir_image.h"

#include <string.h>

#include "base/format.h"
#include "base/testcase.h"
#include "oracle/nir/nir_memory.h"
#include "oracle/nir/nir_trace.h"
#include "oracle/nir_driver/nir_abi.h"
#include "oracle/nir_driver/nir_rules.h"
#include "oracle/nir_text/nir_answer.h"
#include "oracle/nir_text/nir_float.h"
#include "oracle/nir_text/nir_intrinsic.h"
#include "oracle/nir_text/nir_op.h"
#include "oracle/nir_text/nir_word.h"

enum { /* operands */
    DESCRIPTOR,
    COORDINATES,
    SAMPLE,
    DATA, /* of a store, or the first of an atomic */
    OFFSET = 1,
    SCALAR_OFFSET = 2,
    INDEX = 3
};

/* The format of a texel. */
struct format {
    unsigned n_bits; /* of a component */
    uint32_t n;      /* components */
    bool is_float;
};
static struct format get_format(enum buf_kind kind)
{
    switch (buf_kind_rows[kind].format) {
    case TEXEL_RG16F:
        return (struct format){16, 2, true};
    case TEXEL_RGBA16F:
        return (struct format){16, 4, true};
    case TEXEL_R32UI:
        return (struct format){32, 1, false};
    case TEXEL_R32F:
    case TEXEL_NONE:
        break;
    }
    return (struct format){32, 1, true};
}

/* What an invocation accesses. */
struct texel {
    uint32_t buffer;
    struct format format;
    uint32_t n_bytes;     /* of an element: a texel, or the data of an atomic that are smaller */
    uint32_t scale;       /* elements in a texel: so often the first coordinate counts it */
    unsigned char *bytes; /* NULL: outside */
};

/* A component from one width to another. */
static uint64_t convert(const struct nir_step *s, bool is_float, unsigned from, unsigned to,
                        uint64_t v)
{
    static const struct nir_modes kept = {.flush = {false}}; /* subnormals stay what they are */
    bool const is_conversion = is_float && from != to && nir_is_float_width(to);
    bool const toward_zero = s->m->abi->rules->stores_toward_zero;
    return is_conversion ? nir_float_convert_toward(&kept, to, from, v, toward_zero)
                         : v & nir_mask(to);
}

/* Is it a width that components of the texel are accessed in? What a load of integers gives that has fewer bits is not known. */
static bool check_width(const struct nir_step *s, struct format f, unsigned n_bits)
{
    bool const may_be_narrow = f.is_float || !s->row->has_value;
    bool const is_right = n_bits == f.n_bits || n_bits == 32 || (may_be_narrow && n_bits == 16);
    return is_right || nir_stop(s->m->answer, NIR_UNKNOWN, s->in->line,
                                "%s: components of %u bits are not known", s->row->name, n_bits);
}

/* How many coordinates an access has of which the first ones are the texel's, by the dimensions that it names; 0: the buffer
 * has others. *gap is the coordinate that the texels have not, and that must be 0: some drivers make images of one dimension
 * ones of two; n: there is none. Faces of a cube are layers. */
static uint32_t count_coordinates(int64_t dim, enum texels texels, uint32_t *gap)
{
    uint32_t const n = texels_rows[texels].n_coordinates;
    bool const is_1d = texels == TEXELS_1D || texels == TEXELS_1D_ARRAY;
    bool const is_flat = texels == TEXELS_2D || texels == TEXELS_2D_ARRAY;
    bool const is_cube = texels == TEXELS_CUBE || texels == TEXELS_CUBE_ARRAY;
    *gap = n;
    switch (dim) {
    case NIR_WORD_none: /* it names none */
        return n;
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

/* The index of a texel in a buffer, by an access that names bytes behind it, too: of them there must be none. */
static bool find_by_index(const struct nir_step *s, uint32_t lane, uint64_t *index)
{
    uint64_t const offset = nir_step_source(s, OFFSET, 0)[lane] +
                            nir_step_source(s, SCALAR_OFFSET, 0)[lane] +
                            (uint64_t)s->in->index[NIR_INDEX_base];
    *index = nir_step_source(s, INDEX, 0)[lane];
    return offset == 0 || nir_stop(s->m->answer, NIR_UNKNOWN, s->in->line,
                                   "%s: an offset behind a texel is not known", s->row->name);
}

/* The index of the element at coordinates, of which the first one goes up to extents[0]; UINT64_MAX: outside. */
static bool find_by_coordinates(const struct nir_step *s, uint32_t lane, const struct texel *t,
                                const uint32_t *extents, uint64_t *index)
{
    const struct buf *const b = &s->m->abi->tc->bufs[t->buffer];
    enum texels const texels = buf_kind_rows[b->kind].texels;
    uint8_t const row_shift = texels == TEXELS_BUFFER ? s->m->abi->rules->row_shift : 0;
    int64_t const dim = row_shift ? NIR_WORD_none : s->in->index[NIR_INDEX_image_dim];
    uint32_t gap = 0, dimension = 0;
    uint32_t const n = count_coordinates(dim, texels, &gap);
    uint64_t step = 1;
    bool is_inside = true;
    if (n == 0 || nir_step_components(s, COORDINATES) < n) {
        return nir_stop(s->m->answer, NIR_BROKEN, s->in->line,
                        "%s: the texels have other dimensions", s->row->name);
    }
    *index = 0;
    for (uint32_t c = 0; c < n; c++) {
        uint64_t const own = nir_step_source(s, COORDINATES, c)[lane];
        bool const has_row = row_shift && nir_step_components(s, COORDINATES) > 1;
        uint64_t const coordinate =
            has_row ? own + (nir_step_source(s, COORDINATES, 1)[lane] << row_shift) : own;
        if (c == gap) {
            is_inside = is_inside && coordinate == 0;
            continue;
        }
        is_inside = is_inside && coordinate < extents[dimension];
        *index += coordinate * step;
        step *= extents[dimension++];
    }
    *index = is_inside ? *index : UINT64_MAX;
    return true;
}

/* Where the texel of an invocation is: t->bytes. */
static bool find_texel(const struct nir_step *s, uint32_t lane, struct texel *t)
{
    const struct nir_abi *const abi = s->m->abi;
    const struct buf *const b = &abi->tc->bufs[t->buffer];
    uint32_t extents[TEXELS_MAX_COORDINATES] = {0};
    uint64_t index = 0;
    if (buf_get_extents(b, extents) == 0) {
        return nir_stop(s->m->answer, NIR_BROKEN, s->in->line, "%s: an image has no whole slices",
                        s->row->name);
    }
    extents[0] *= t->scale;
    if (s->row->form == NIR_IMAGE_INDEX_LOAD ? !find_by_index(s, lane, &index)
                                             : !find_by_coordinates(s, lane, t, extents, &index)) {
        return false;
    }
    bool const is_inside = index < abi->buffers[t->buffer].n_bytes / t->n_bytes;
    t->bytes = is_inside ? abi->buffers[t->buffer].bytes + index * t->n_bytes : NULL;
    return true;
}

static bool load(const struct nir_step *s, const struct texel *t, uint32_t lane)
{
    const struct nir_value *const v = nir_step_result(s);
    struct format const f = t->format;
    if (!check_width(s, f, v->n_bits)) {
        return false;
    }
    for (uint32_t c = 0; c < v->n_components; c++) {
        uint64_t out = 0; /* components that a format has not are 0, 0 and 1 */
        if (t->bytes && c < f.n) {
            out = load_le(t->bytes + (size_t)c * f.n_bits / 8, f.n_bits / 8);
            out = convert(s, f.is_float, f.n_bits, v->n_bits, out);
        } else if (t->bytes && c == 3) {
            out = f.is_float ? format_one(&float_formats[format_of_bits(v->n_bits)]) : 1;
        }
        nir_step_out(s, c)[lane] = out & nir_mask(v->n_bits);
    }
    return true;
}

static bool store(const struct nir_step *s, const struct texel *t, uint32_t lane)
{
    struct format const f = t->format;
    unsigned const n_bits = nir_step_bits(s, DATA);
    bool const is_signed = s->in->index[NIR_INDEX_src_type] == NIR_WORD_int16;
    if (!check_width(s, f, n_bits)) {
        return false;
    }
    for (uint32_t c = 0; t->bytes && c < f.n && c < nir_step_components(s, DATA); c++) {
        unsigned char *const at = t->bytes + (size_t)c * f.n_bits / 8;
        uint64_t const v = nir_step_source(s, DATA, c)[lane];
        uint64_t const whole = is_signed ? (uint64_t)nir_sign_extend(v, n_bits) : v;
        store_le(at, convert(s, f.is_float, n_bits, f.n_bits, whole), f.n_bits / 8);
        nir_see_write(s, lane, at, f.n_bits / 8);
    }
    return true;
}

static bool run_atomic(const struct nir_step *s, const struct texel *t, uint32_t lane)
{
    const struct nir_value *const v = nir_step_result(s);
    uint32_t const n_bytes = v->n_bits / 8;
    for (uint32_t c = 0; c < v->n_components; c++) {
        unsigned char *const at = t->bytes ? t->bytes + (size_t)c * n_bytes : NULL;
        uint64_t const old = at ? load_le(at, n_bytes) : 0;
        uint64_t left = 0;
        if (!nir_memory_combine(s, c, lane, old, &left)) {
            return false;
        }
        if (at) {
            store_le(at, left, n_bytes);
            nir_see_write(s, lane, at, n_bytes);
        }
        nir_step_out(s, c)[lane] = old;
    }
    return true;
}

/* How often the data of an atomic fit a texel: once or more. 0: they do not, and the answer says so. */
static uint32_t get_scale(const struct nir_step *s, struct format f)
{
    const struct nir_value *const v = nir_step_result(s);
    uint32_t const last = s->row->n_sources - 1;
    uint32_t const n_bits = v->n_bits * v->n_components, n_texel_bits = f.n_bits * f.n;
    bool const has_data = nir_step_components(s, last) >= v->n_components &&
                          nir_step_components(s, last - 1) >= (last > 3 ? v->n_components : 1U) &&
                          nir_step_bits(s, last) == v->n_bits;
    if (v->n_bits < 8 || n_bits > n_texel_bits || n_texel_bits % n_bits != 0 || !has_data) {
        (void)nir_stop(s->m->answer, NIR_BROKEN, s->in->line,
                       "the data of an atomic do not fit the image's texels");
        return 0;
    }
    return n_texel_bits / n_bits;
}

/* The image that an invocation names; NIR_NO_BUFFER, and the answer says so: there is none. */
static uint32_t find_image(const struct nir_step *s, uint32_t lane)
{
    enum {
        MAX_WORDS = 8
    };
    bool const is_state =
        s->row->form == NIR_IMAGE_STATE_LOAD || s->row->form == NIR_IMAGE_STATE_STORE;
    uint64_t words[MAX_WORDS] = {0};
    uint32_t const n_words = nir_step_components(s, DESCRIPTOR);
    for (uint32_t n = 0; n < n_words && n < MAX_WORDS; n++) {
        words[n] = nir_step_source(s, DESCRIPTOR, n)[lane];
    }
    if (is_state) {
        words[0] = words[0] < NIR_MAX_STATES ? s->m->abi->states[words[0]] : 0;
    }
    uint32_t const buffer = nir_abi_find_image(s->m->abi, words, n_words);
    if (buffer == NIR_NO_BUFFER) {
        (void)nir_stop(s->m->answer, NIR_STUCK, s->in->line,
                       "%s: no image has the descriptor 0x%llx", s->row->name,
                       (unsigned long long)words[0]);
    }
    return buffer;
}

/* How far each coordinate of the image goes. */
static void give_size(const struct nir_step *s, const struct buf *b, uint32_t lane)
{
    uint32_t extents[TEXELS_MAX_COORDINATES] = {0};
    uint32_t const n = buf_get_extents(b, extents);
    for (uint32_t c = 0; c < nir_step_result(s)->n_components; c++) {
        nir_step_out(s, c)[lane] = c < n ? extents[c] & nir_mask(nir_step_result(s)->n_bits) : 0;
    }
}

bool nir_run_image(const struct nir_step *s)
{
    bool const is_atomic = s->row->form == NIR_IMAGE_ATOMIC;
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        struct texel t = {.buffer = find_image(s, lane)};
        if (t.buffer == NIR_NO_BUFFER) {
            return false;
        }
        enum buf_kind const kind = s->m->abi->tc->bufs[t.buffer].kind;
        if (s->row->form == NIR_IMAGE_SIZE) {
            give_size(s, &s->m->abi->tc->bufs[t.buffer], lane);
            continue;
        }
        t.format = get_format(kind);
        t.scale = is_atomic ? get_scale(s, t.format) : 1;
        t.n_bytes = t.scale ? buf_texel_bytes(kind) / t.scale : 0;
        if (t.scale == 0 || !find_texel(s, lane, &t) ||
            !(is_atomic           ? run_atomic(s, &t, lane)
              : s->row->has_value ? load(s, &t, lane)
                                  : store(s, &t, lane))) {
            return false;
        }
    }
    return true;
}

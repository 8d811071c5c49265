/* oracle/nir/nir_image.c -- texels by coordinates. */
#include "oracle/nir/nir_image.h"

#include <string.h>

#include "base/testcase.h"
#include "oracle/nir/nir_abi.h"
#include "oracle/nir/nir_answer.h"
#include "oracle/nir/nir_float.h"
#include "oracle/nir/nir_intrinsic.h"
#include "oracle/nir/nir_memory.h"
#include "oracle/nir/nir_op.h"
#include "oracle/nir/nir_word.h"

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

/* A component from one width to another. */
static uint64_t convert(bool is_float, unsigned from, unsigned to, uint64_t v)
{
    struct nir_modes const plain = {.flush = {false}};
    bool const is_conversion = is_float && from != to && nir_is_float_width(to);
    return is_conversion ? nir_float_convert(&plain, to, from, v) : v & nir_mask(to);
}

/* Coordinate c of an invocation. */
static uint64_t get_coordinate(const struct nir_step *s, uint32_t buffer, uint32_t c, uint32_t lane)
{
    enum {
        ROW_SHIFT = 14
    };
    const struct nir_abi *const abi = s->m->abi;
    bool const has_rows =
        abi->driver == NIR_DRIVER_HONEYKRISP && !buf_is_image(abi->tc->bufs[buffer].kind);
    uint64_t const own = nir_step_source(s, 1, c)[lane];
    bool const has_second = has_rows && nir_step_components(s, 1) > 1;
    return has_second ? own + (nir_step_source(s, 1, 1)[lane] << ROW_SHIFT) : own;
}

/* Where the texel of an invocation is: elements of n_bytes, of which the first coordinate counts `scale` for each texel.
 * NULL: outside. */
static unsigned char *find_texel(const struct nir_step *s, uint32_t buffer, uint32_t lane,
                                 uint32_t n_bytes, uint32_t scale)
{
    const struct nir_abi *const abi = s->m->abi;
    uint32_t extents[TEXELS_MAX_COORDINATES] = {0};
    uint32_t const n = buf_get_extents(&abi->tc->bufs[buffer], extents);
    uint64_t at = 0;
    extents[0] *= scale;
    if (n == 0 || nir_step_components(s, 1) < n) {
        return NULL;
    }
    for (uint32_t c = n; c-- > 0;) {
        uint64_t const coordinate = get_coordinate(s, buffer, c, lane);
        if (coordinate >= extents[c]) {
            return NULL;
        }
        at = at * extents[c] + coordinate;
    }
    bool const is_inside = (at + 1) * n_bytes <= abi->buffers[buffer].n_bytes;
    return is_inside ? abi->buffers[buffer].bytes + at * n_bytes : NULL;
}

static void load(const struct nir_step *s, const unsigned char *at, struct format f, uint32_t lane)
{
    const struct nir_value *const v = nir_step_result(s);
    uint64_t const one_of_float = v->n_bits == 16 ? 0x3c00 : 0x3f800000;
    for (uint32_t c = 0; c < v->n_components; c++) {
        uint64_t out = c == 3 ? (f.is_float ? one_of_float : 1) : 0;
        if (c < f.n || !at) {
            out = at ? load_le(at + c * f.n_bits / 8, f.n_bits / 8) : 0;
            out = convert(f.is_float, f.n_bits, v->n_bits, out);
        }
        nir_step_out(s, c)[lane] = out & nir_mask(v->n_bits);
    }
}

static void store(const struct nir_step *s, unsigned char *at, struct format f, uint32_t lane)
{
    for (uint32_t c = 0; c < f.n && c < nir_step_components(s, 3); c++) {
        uint64_t const v = nir_step_source(s, 3, c)[lane];
        store_le(at + c * f.n_bits / 8, convert(f.is_float, nir_step_bits(s, 3), f.n_bits, v),
                 f.n_bits / 8);
    }
}

static bool run_atomic(const struct nir_step *s, unsigned char *at, uint32_t lane)
{
    const struct nir_value *const v = nir_step_result(s);
    uint32_t const n_bytes = v->n_bits / 8;
    for (uint32_t c = 0; c < v->n_components; c++) {
        uint64_t const old = at ? load_le(at + c * n_bytes, n_bytes) : 0;
        uint64_t left = 0;
        if (!nir_memory_combine(s, c, lane, old, &left)) {
            return false;
        }
        if (at) {
            store_le(at + c * n_bytes, left, n_bytes);
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
    uint32_t n = 0;
    for (; n < nir_step_components(s, 0) && n < MAX_WORDS; n++) {
        words[n] = nir_step_source(s, 0, n)[lane];
    }
    if (is_state) {
        words[0] = words[0] < NIR_MAX_STATES ? s->m->abi->states[words[0]] : 0;
    }
    uint32_t const buffer = nir_abi_find_image(s->m->abi, words, n);
    if (buffer == NIR_NO_BUFFER) {
        (void)nir_stop(s->m->answer, NIR_STUCK, s->in->line,
                       "%s: no image has the descriptor 0x%llx", s->row->name,
                       (unsigned long long)words[0]);
    }
    return buffer;
}

bool nir_run_image(const struct nir_step *s)
{
    bool const is_atomic = s->row->form == NIR_IMAGE_ATOMIC;
    bool const is_load = s->row->form == NIR_IMAGE_LOAD || s->row->form == NIR_IMAGE_STATE_LOAD;
    for (uint32_t i = 0; i < s->g->n_active; i++) {
        uint32_t const lane = s->g->active[i];
        uint32_t const buffer = find_image(s, lane);
        if (buffer == NIR_NO_BUFFER) {
            return false;
        }
        enum buf_kind const kind = s->m->abi->tc->bufs[buffer].kind;
        struct format const f = get_format(kind);
        uint32_t const scale = is_atomic ? get_scale(s, f) : 1;
        if (scale == 0) {
            return false;
        }
        unsigned char *const at = find_texel(s, buffer, lane, buf_texel_bytes(kind) / scale, scale);
        if (is_load) {
            load(s, at, f, lane);
        } else if (is_atomic) {
            if (!run_atomic(s, at, lane)) {
                return false;
            }
        } else if (at) {
            store(s, at, f, lane);
        }
    }
    return true;
}

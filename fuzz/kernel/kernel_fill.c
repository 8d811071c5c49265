/* fuzz/kernel/kernel_fill.c -- what buffers hold before a kernel runs. */
#include "fuzz/kernel/kernel_fill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "fuzz/kernel/kernel_type.h"
#include "gen/inputs/inputs.h"
#include "oracle/num/real.h"

enum {
    NPY_HEAD_BYTES = 10
};

/* Behind the header of a .npy file (NumPy Enhancement Proposal 1): magic, version, length of a text. */
static void skip_npy(struct kernel_wish *w)
{
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (w->n_bytes < NPY_HEAD_BYTES || memcmp(w->bytes, magic, sizeof magic) != 0) {
        return;
    }
    size_t const n = w->bytes[6] == 1 ? NPY_HEAD_BYTES + (size_t)load_le(w->bytes + 8, 2)
                                      : NPY_HEAD_BYTES + 2 + (size_t)load_le(w->bytes + 8, 4);
    if (n <= w->n_bytes) {
        w->bytes += n;
        w->n_bytes -= n;
    }
}

enum res kernel_wish_read(const char *text, struct arena *a, struct kernel_wish *out, struct err *e)
{
    static const struct {
        const char *name;
        enum kernel_content content;
    } names[] = {
        {"drawn",  KERNEL_CONTENT_DRAWN },
        {"hard",   KERNEL_CONTENT_HARD  },
        {"random", KERNEL_CONTENT_RANDOM},
        {"ramp",   KERNEL_CONTENT_RAMP  },
        {"zeros",  KERNEL_CONTENT_ZEROS },
    };
    char *end = NULL;
    *out = (struct kernel_wish){.is_given = true, .content = KERNEL_CONTENT_FILE, .path = text};
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (strcmp(text, names[i].name) == 0) {
            out->content = names[i].content;
            return RES_OK;
        }
    }
    errno = 0;
    out->number = strtod(text, &end);
    if (end != text && *end == '\0' && errno == 0) {
        out->content = KERNEL_CONTENT_NUMBER;
        return RES_OK;
    }
    enum res const r = file_read(text, CASE_MAX_BUF_BYTES, a, &out->bytes, &out->n_bytes, e);
    if (r != RES_OK) {
        e->code = r == RES_IO ? RES_USAGE : r;
        return e->code;
    }
    skip_npy(out);
    return RES_OK;
}

struct filler {
    const struct kernel_wish *wish;
    struct input floats, integers;
    uint32_t n_elements, n_seen, n_integers; /* the last two: so far */
    bool is_float_bits;
    struct rng rng;
    unsigned char *to;
};

uint64_t kernel_encode(double number, const struct kernel_scalar *s)
{
    uint64_t bits = 0;
    if (!s->is_float) {
        return number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
    }
    enum fmt_id const fmt = s->is_bfloat ? FMT_BF16 : format_of_bits(s->n_bits);
    memcpy(&bits, &number, sizeof bits);
    return real_convert(&float_formats[FMT_F64], &float_formats[fmt], bits, REAL_NEAREST);
}

static enum ir_type find_type(const struct kernel_scalar *s)
{
    switch (s->n_bits) {
    case 8:
        return IR_I8;
    case 16:
        return s->is_bfloat ? IR_BF16 : s->is_float ? IR_F16 : IR_I16;
    case 32:
        return s->is_float ? IR_F32 : IR_I32;
    default:
        return s->is_float ? IR_F64 : IR_I64;
    }
}

/* A drawn number: of floats of a class, of integers one that may be an index. */
static uint64_t draw(struct filler *f, const struct kernel_scalar *s)
{
    bool const is_hard = f->wish->content == KERNEL_CONTENT_HARD;
    bool const is_any = is_hard || (f->wish->content == KERNEL_CONTENT_WIDE && f->n_seen % 2 != 0);
    if (!s->is_float && !is_any) {
        return rng_next(&f->rng) % (f->n_elements ? f->n_elements : 1);
    }
    struct input in = s->is_float ? f->floats : f->integers;
    in.type = find_type(s);
    return inputs_get_value(&in, f->n_seen);
}

static void see(void *of, const struct kernel_scalar *scalar)
{
    struct filler *const f = of;
    struct kernel_scalar as_read = *scalar;
    as_read.is_float |= f->is_float_bits && scalar->n_bits >= 16;
    const struct kernel_scalar *const s = &as_read;
    uint64_t bits = 0;
    switch (f->wish->content) {
    case KERNEL_CONTENT_DRAWN:
    case KERNEL_CONTENT_WIDE:
    case KERNEL_CONTENT_HARD:
        bits = draw(f, s);
        break;
    case KERNEL_CONTENT_RANDOM:
        bits = rng_next(&f->rng);
        break;
    case KERNEL_CONTENT_RAMP:
        bits = kernel_encode((double)f->n_seen, s);
        break;
    case KERNEL_CONTENT_ASCENDING:
        bits = s->is_float ? draw(f, s) : f->n_integers % (f->n_elements ? f->n_elements : 1);
        break;
    case KERNEL_CONTENT_EQUAL:
        bits = s->is_float ? draw(f, s) : kernel_encode(f->wish->number, s);
        break;
    case KERNEL_CONTENT_NUMBER:
        bits = kernel_encode(f->wish->number, s);
        break;
    case KERNEL_CONTENT_ZEROS:
    case KERNEL_CONTENT_FILE:
        break;
    }
    f->n_seen++;
    f->n_integers += !s->is_float;
    store_le(f->to + s->byte, bits, s->n_bits / 8);
}

void kernel_fill(const struct kernel_types *types, const struct kernel_buffer *b,
                 const struct kernel_wish *wish, uint32_t n_elements, uint64_t seed,
                 unsigned char *to, uint32_t n_bytes)
{
    bool const is_hard = wish->is_hard || wish->content == KERNEL_CONTENT_HARD;
    struct filler f = {
        .wish = wish,
        .floats = {.class = is_hard          ? INPUT_MIXED
                            : wish->is_plain ? INPUT_NORMAL
                                             : INPUT_RARE,
                   .seed = seed,
                   .plain = wish->is_plain},
        .integers = {.class = INPUT_MIXED,                                                         .seed = seed},
        .n_elements = n_elements,
        .is_float_bits = b->is_float_bits,
        .rng = rng_seed(seed),
        .to = to
    };
    memset(to, 0, n_bytes);
    if (wish->content == KERNEL_CONTENT_FILE) {
        memcpy(to, wish->bytes, wish->n_bytes < n_bytes ? wish->n_bytes : n_bytes);
        return;
    }
    kernel_type_visit(types, b->type, n_bytes, see, &f);
}

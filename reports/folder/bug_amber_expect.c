/* reports/folder/bug_amber_expect.c -- what a script of Amber says of the results. EXPECT compares one number of a buffer with
 * another one by EQ, NE, LT, LE, GT or GE, and all of them have to hold. Integers are compared exactly. */
#include "reports/folder/bug_amber_expect.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/testcase.h"
#include "reports/bug/bug_bits.h"
#include "reports/bug/bug_facts.h"
#include "reports/bug/bug_order.h"
#include "reports/folder/bug_amber.h"
#include "reports/folder/c_text.h"

enum {
    SHADER_BYTES = 4,
    MOST_BYTES = 8
};

/* ---- numbers ---- */

/* Of the smallest word in question, so that EXPECT can name it, and of four bytes where there is none; of eight where all of
 * them are. */
unsigned bug_get_amber_unit(const struct bug *b, uint32_t buf)
{
    unsigned unit = MOST_BYTES;
    bool is_whole = buf < b->tc->n_bufs && b->tc->bufs[buf].n_bytes % MOST_BYTES == 0,
         is_any = false;
    for (uint32_t i = 0; i < b->n_expect; i++) {
        const struct expect *const x = &b->expect[i];
        if (x->buf == buf) {
            unit = x->n_bytes < unit ? x->n_bytes : unit;
            is_whole &= x->byte % MOST_BYTES == 0;
            is_any = true;
        }
    }
    if (b->order && b->order->knows_final && b->order->buf == buf) {
        unit = b->order->n_bytes < unit ? b->order->n_bytes : unit;
        is_any = true;
    }
    return is_any && (unit < MOST_BYTES || is_whole) ? unit : SHADER_BYTES;
}

/* The value of a finite encoding of 16 or 32 bits. */
static double get_number(const struct float_format *f, uint32_t bits)
{
    int const field = (int)((bits & f->exp) >> (f->prec_bits - 1));
    uint64_t const sig = (bits & f->frac) | (field ? f->frac + 1 : 0);
    double const v = ldexp((double)sig, (field ? field : 1) + f->emin - (int)f->prec_bits);
    return bits & f->sign ? -v : v;
}

void bug_put_amber_number(enum fmt_id fmt, uint32_t bits, FILE *f)
{
    const struct float_format *const format = &float_formats[fmt];
    char text[32];
    if (format_is_nan(format, bits)) {
        (void)fprintf(f, " NaN");
    } else if ((bits & ~format->sign) == format->exp) {
        (void)fprintf(f, " %s3.5e+38", bits & format->sign ? "-" : ""); /* beyond the largest */
    } else {
        (void)snprintf(text, sizeof text, "%.9g", get_number(format, bits));
        /* A number is a float to Amber only with a point in it. */
        size_t const n = strcspn(text, "e");
        bool const has_point = strchr(text, '.') || (!text[n] && (bits & ~format->sign));
        (void)fprintf(f, " %.*s%s%s", (int)n, text, has_point ? "" : ".0", text + n);
    }
}

/* ---- words ---- */

/* Is the buffer one of floats to Amber, whose bits EXPECT does not see? */
static bool is_of_floats(const struct buf *x)
{
    return buf_has_texels(x->kind) && buf_kind_rows[x->kind].format != TEXEL_R32UI;
}

/* EXPECT buffer1 IDX 8 */
static void put_start(uint32_t buf, uint32_t byte, FILE *f)
{
    (void)fprintf(f, "EXPECT buffer%" PRIu32 " IDX %" PRIu32, buf, byte);
}

static void put_integer(uint32_t buf, uint32_t byte, const char *comparator, uint64_t v, FILE *f)
{
    put_start(buf, byte, f);
    (void)fprintf(f, " %s %" PRIu64 "\n", comparator, v);
}

/* Can EXPECT tell the word in the units that its buffer is written in? */
enum telling {
    TELLS_NOTHING,
    TELLS_SOME, /* that it is not what it was with the bug, and lies between the ends */
    TELLS_ALL
};

static enum telling tell_word(const struct bug *b, const struct expect *x)
{
    struct bug_bits const bits = bug_get_bits(x);
    const struct buf *const buf = &b->tc->bufs[x->buf];
    bool const is_one = bits.n == 1 && bits.r[0].low == bits.r[0].high;
    uint64_t ignored = 0;
    if (is_of_floats(buf)) {
        bool const is_zero = is_one && (bits.r[0].low & 0x7fffffff) == 0; /* either one to Amber */
        return x->n_bytes == SHADER_BYTES && is_one && !is_zero &&
                       buf_kind_rows[buf->kind].format == TEXEL_R32F
                   ? TELLS_ALL
                   : TELLS_NOTHING;
    }
    if (is_one) {
        return TELLS_ALL;
    }
    if (bits.n == 0 || x->n_bytes != bug_get_amber_unit(b, x->buf)) {
        return TELLS_NOTHING;
    }
    return bits.n == 1 ? TELLS_ALL : bug_get_word(b, x, &ignored) ? TELLS_SOME : TELLS_NOTHING;
}

/* One number is permitted in a buffer of floats: EQ would take its neighbours too, and NaN passes both bounds. */
static void put_float(const struct expect *x, uint32_t bits, FILE *f)
{
    static const char *const bounds[] = {"GE", "LE"};
    bool const is_nan = format_is_nan(&float_formats[FMT_F32], bits);
    for (size_t i = 0; i < ARRAY_N(bounds) && !is_nan; i++) {
        put_start(x->buf, x->byte, f);
        (void)fprintf(f, " %s", bounds[i]);
        bug_put_amber_number(FMT_F32, bits, f);
        (void)fprintf(f, "\n");
    }
    put_start(x->buf, x->byte, f);
    (void)fprintf(f, " %s NaN\n", is_nan ? "EQ" : "NE");
}

/* A word that may be one number, which may be longer than a unit. */
static void put_one(const struct bug *b, const struct expect *x, uint64_t bits, FILE *f)
{
    unsigned const unit = bug_get_amber_unit(b, x->buf);
    for (unsigned at = 0; at < x->n_bytes; at += unit) {
        put_integer(x->buf, x->byte + at, "EQ", bits >> 8 * at & (UINT64_MAX >> (64 - 8 * unit)),
                    f);
    }
}

/* Put what Amber shall expect of one word. */
static void put_word(const struct bug *b, const struct expect *x, struct arena *a, FILE *f)
{
    struct bug_bits const bits = bug_get_bits(x);
    enum telling const tells = tell_word(b, x);
    uint64_t got = 0;
    if (tells != TELLS_ALL) {
        (void)fprintf(f, "# buffer%" PRIu32 ", byte %" PRIu32 " may be ", x->buf, x->byte);
        c_text_put_comment(bug_get_permitted(b, x, a), f);
        (void)fprintf(f, tells == TELLS_NOTHING ? ": see host.c\n" : "; Amber tests a part:\n");
    }
    if (tells == TELLS_NOTHING) {
        return;
    }
    uint64_t const low = bits.r[0].low, high = bits.r[bits.n - 1].high;
    if (is_of_floats(&b->tc->bufs[x->buf])) {
        put_float(x, (uint32_t)low, f);
    } else if (low == high) {
        put_one(b, x, low, f);
    } else {
        if (low > 0) {
            put_integer(x->buf, x->byte, "GE", low, f);
        }
        if (high < bug_get_most_bits(x)) {
            put_integer(x->buf, x->byte, "LE", high, f);
        }
        if (tells == TELLS_SOME && bug_get_word(b, x, &got)) {
            put_integer(x->buf, x->byte, "NE", got, f);
        }
    }
}

/* ---- the whole ---- */

/* Does the run of Amber give what that of the case gives? It has no base of a dispatch, no layers of an image, and no
 * addresses. */
static bool is_run_by_amber(const struct testcase *tc)
{
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        enum texels const texels = buf_kind_rows[tc->bufs[i].kind].texels;
        bool const has_layers = buf_is_image(tc->bufs[i].kind) &&
                                (texels_rows[texels].is_array || texels == TEXELS_CUBE);
        if (tc->bufs[i].kind == BUF_ADDRESS || has_layers) {
            return false;
        }
    }
    return testcase_count_dispatches(tc) == 1;
}

/* What the operations of an order leave in the end, which Amber sees; false: that is not known or was not wrong. */
static bool find_final(const struct bug *b, uint64_t *final)
{
    const struct expect_order *const o = b->order;
    uint64_t got = 0;
    struct expect x = {.n_bytes = SHADER_BYTES};
    if (!o || !o->knows_final || o->buf >= b->tc->n_bufs || !bug_find_final(o, final)) {
        return false;
    }
    x = (struct expect){.buf = o->buf, .byte = o->byte, .n_bytes = o->n_bytes};
    return !is_of_floats(&b->tc->bufs[o->buf]) && bug_get_word(b, &x, &got) && got != *final &&
           bug_get_amber_unit(b, o->buf) == o->n_bytes;
}

bool bug_amber_tells(const struct bug *b)
{
    enum bug_kind const kind = bug_get_kind(b);
    uint64_t ignored = 0;
    if (!is_run_by_amber(b->tc)) {
        return false;
    }
    for (uint32_t i = 0; (kind == BUG_WORDS || kind == BUG_MARGINS) && i < b->n_expect; i++) {
        if (b->expect[i].buf < b->tc->n_bufs && tell_word(b, &b->expect[i]) != TELLS_NOTHING) {
            return true;
        }
    }
    return kind == BUG_DIES || kind == BUG_REFUSED ||
           (kind == BUG_ORDER && find_final(b, &ignored));
}

static void put_words(const struct bug *b, FILE *f)
{
    struct arena a;
    arena_init(&a, (size_t)4 << 20);
    for (uint32_t i = 0; i < b->n_expect; i++) {
        if (b->expect[i].buf < b->tc->n_bufs) {
            put_word(b, &b->expect[i], &a, f);
            arena_reset(&a);
        }
    }
    arena_free(&a);
}

void bug_put_amber_expects(const struct bug *b, FILE *f)
{
    uint64_t final = 0;
    switch (bug_get_kind(b)) {
    case BUG_WORDS:
        put_words(b, f);
        return;
    case BUG_ORDER:
        if (find_final(b, &final)) {
            (void)fprintf(f, "# What all operations on the location leave, in whatever order:\n");
            put_integer(b->order->buf, b->order->byte, "EQ", final, f);
            return;
        }
        (void)fprintf(f, "# No one word tells of this bug: see host.c and halfulp check.\n");
        return;
    case BUG_IDS:
    case BUG_OUTPUTS:
        (void)fprintf(f, "# No one word tells of this bug: see host.c and halfulp check.\n");
        return;
    case BUG_MARGINS:
        (void)fprintf(f,
                      "# Bytes outside of the buffers change, which Amber does not see: host.c.\n");
        put_words(b, f);
        return;
    case BUG_DIES:
    case BUG_REFUSED:
        (void)fprintf(f, "# RUN does not come to its end.\n");
        return;
    }
}

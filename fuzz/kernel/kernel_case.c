/* fuzz/kernel/kernel_case.c -- a case of a kernel. */
#include "fuzz/kernel/kernel_case.h"

#include <string.h>

#include "fuzz/kernel/kernel_clean.h"
#include "fuzz/trial/foreign.h"
#include "oracle/vouch/vouch.h"

enum {
    GROUPS = 4,       /* work-groups of a dispatch whose size is open */
    CL_LOCAL_1D = 64, /* work-items of a work-group that is open */
    CL_LOCAL_2D = 8,
    MAX_FACTOR = 1 << 12 /* elements of a buffer for each invocation */
};

/* Each buffer's name, by OpName of the module as it was built. */
static void name_buffers(struct kernel *k, struct arena *a)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(k->built.words, k->built.n_words, &offset, &in) && in.op != SpvOpFunction) {
        for (uint32_t i = 0; in.op == SpvOpName && i < k->shape.n_bufs; i++) {
            if (k->shape.bufs[i].id == spv_get_word(&in, 1)) {
                k->shape.bufs[i].name = kernel_read_string(&in, 2, a);
            }
        }
    }
}

enum res kernel_open(const char *path, const struct kernel_wishes *w, struct arena *a,
                     struct kernel *out, struct err *e)
{
    *out = (struct kernel){.path = path, .unvouched = ""};
    TRY(kernel_build(path, w->compiler_options, a, &out->built, e));
    TRY(kernel_clean(path, out->built.env, out->built.words, out->built.n_words, a, &out->words,
                     &out->n_words, e));
    TRY(kernel_shape_read(path, out->built.env, out->words, out->n_words, w->entry, a, &out->types,
                          &out->shape, e));
    name_buffers(out, a);
    return RES_OK;
}

/* The work-group and the dispatch: as wished, as the module states, or usual ones. A dispatch is whole work-groups. */
static enum res set_dispatch(const struct kernel *k, const struct kernel_wishes *w,
                             struct testcase *tc, struct err *e)
{
    uint32_t const usual = k->shape.n_dims > 1 ? CL_LOCAL_2D : CL_LOCAL_1D;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t const stated = k->shape.local[i];
        uint32_t const open = k->shape.env == ENV_CL && i < k->shape.n_dims && i < 2 ? usual : 1;
        if (stated && w->local[i] && stated != w->local[i]) {
            return err_set(e, RES_USAGE, "%s: --local: the module states %u x %u x %u", k->path,
                           k->shape.local[0], k->shape.local[1], k->shape.local[2]);
        }
        tc->local[i] = stated ? stated : w->local[i] ? w->local[i] : open;
        uint32_t const groups = i < k->shape.n_dims ? (k->shape.n_dims > 1 ? 2 : GROUPS) : 1;
        uint32_t const n = w->size[i] ? w->size[i] : tc->local[i] * (w->size[0] ? 1 : groups);
        tc->global[i] = (n + tc->local[i] - 1) / tc->local[i] * tc->local[i];
    }
    if (testcase_get_items(tc) > CASE_MAX_ITEMS) {
        return err_set(e, RES_USAGE, "%s: more than %d invocations", k->path, CASE_MAX_ITEMS);
    }
    return RES_OK;
}

/* Bytes of buffer i where each invocation has `factor` elements. */
static uint64_t get_bytes(const struct kernel *k, const struct kernel_wishes *w,
                          const struct testcase *tc, uint32_t i, uint32_t factor)
{
    const struct kernel_buffer *const b = &k->shape.bufs[i];
    uint64_t const n_items = (uint64_t)tc->global[0] * tc->global[1] * tc->global[2];
    uint64_t n = b->fixed_bytes;
    if (w->bufs[i].content == KERNEL_CONTENT_FILE && w->bufs[i].is_given) {
        n = w->bufs[i].n_bytes;
    } else if (b->element_bytes) {
        n += b->element_bytes * n_items * factor;
    }
    return b->kind == BUF_VALUE ? n : (n + 3) / 4 * 4;
}

/* Sizes of an image that has a texel for each invocation of the first dimensions, and its bytes. */
static uint64_t set_image(struct buf *b, const struct testcase *tc)
{
    const struct texels_row *const row = &texels_rows[buf_kind_rows[b->kind].texels];
    bool const is_cube = row->dim == SpvDimCube;
    b->width = tc->global[0];
    b->height = row->dim == SpvDim1D ? 1 : is_cube ? b->width : tc->global[1];
    uint32_t const slices = is_cube ? CUBE_FACES : row->is_array || row->dim == SpvDim3D ? 4 : 1;
    return (uint64_t)b->width * b->height * slices * buf_texel_bytes(b->kind);
}

static enum res set_buffers(const struct kernel *k, const struct kernel_wishes *w, uint64_t seed,
                            uint32_t factor, struct arena *a, struct testcase *tc, struct err *e)
{
    static const struct kernel_wish hard = {.content = KERNEL_CONTENT_HARD};
    static const struct kernel_wish drawn = {.content = KERNEL_CONTENT_DRAWN};
    struct kernel_wish const size = {.content = KERNEL_CONTENT_NUMBER,
                                     .number = (double)testcase_get_items(tc)};
    tc->n_bufs = k->shape.n_bufs;
    for (uint32_t i = 0; i < k->shape.n_bufs; i++) {
        const struct kernel_buffer *const from = &k->shape.bufs[i];
        struct buf *const b = &tc->bufs[i];
        *b = (struct buf){.kind = from->kind, .set = from->set};
        uint64_t n = buf_is_image(b->kind) ? set_image(b, tc) : get_bytes(k, w, tc, i, factor);
        if (buf_kind_rows[b->kind].texels == TEXELS_BUFFER) {
            n = (uint64_t)testcase_get_items(tc) * buf_texel_bytes(b->kind);
        }
        uint64_t const most = from->kind == BUF_CONSTANT ? CASE_MAX_CONSTANT_BYTES
                              : from->kind == BUF_PUSH   ? CASE_MAX_PUSH_BYTES
                                                         : CASE_MAX_BUF_BYTES;
        n = from->kind == BUF_CONSTANT && n > most ? most : n;
        if (n == 0 || n > most) {
            return err_set(e, RES_USAGE, "%s: buffer %u (%s) of %llu bytes: 1 to %llu may be",
                           k->path, i, from->name, (unsigned long long)n, (unsigned long long)most);
        }
        b->n_bytes = (uint32_t)n;
        b->data = arena_take(a, b->n_bytes + 1);
        if (!b->data) {
            return err_set(e, RES_NOMEM, "%s: no room for buffer %u", k->path, i);
        }
        bool const is_count = from->kind == BUF_VALUE;
        const struct kernel_wish *const open = w->is_hard ? &hard : is_count ? &size : &drawn;
        kernel_fill(&k->types, from, w->bufs[i].is_given ? &w->bufs[i] : open,
                    testcase_get_items(tc), seed * CASE_MAX_BUFS + i, b->data, b->n_bytes);
    }
    return RES_OK;
}

enum res kernel_make_case(struct kernel *k, const struct kernel_wishes *w, uint64_t seed,
                          struct arena *a, struct testcase *out, struct err *e)
{
    struct err why = {RES_OK, ""};
    *out = (struct testcase){.env = k->shape.env,
                             .class = CLASS_LEGAL,
                             .profile = "programs",
                             .module = k->words,
                             .n_words = k->n_words,
                             .source = "",
                             .entry = k->shape.entry,
                             .build_options = "",
                             .n_dispatches = 1};
    TRY(set_dispatch(k, w, out, e));
    for (uint32_t factor = 1; factor <= MAX_FACTOR; factor *= factor < 4 ? 2 : 4) {
        struct arena_mark const mark = arena_get_mark(a);
        struct testcase tc = *out;
        enum res const r = set_buffers(k, w, seed, factor, a, &tc, e);
        if (r != RES_OK && factor > 1) {
            break; /* the buffers are as large as they may be */
        }
        TRY(r);
        if (vouch_case(&tc, &why) == RES_OK) {
            k->unvouched = "";
            *out = tc;
            return RES_OK;
        }
        k->unvouched = factor == 1 ? arena_printf(a, "%s", why.text) : k->unvouched;
        if (!strstr(why.text, "bounds") && !strstr(why.text, "outside")) {
            break; /* no size helps */
        }
        if (factor > 1) {
            arena_release(a, mark);
        }
    }
    return set_buffers(k, w, seed, 1, a, out, e);
}

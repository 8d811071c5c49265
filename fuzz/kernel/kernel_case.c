/* fuzz/kernel/kernel_case.c -- a case of a kernel. */
#include "fuzz/kernel/kernel_case.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/kernel/kernel_clean.h"
#include "fuzz/kernel/kernel_prune.h"
#include "fuzz/kernel/kernel_type.h"
#include "fuzz/trial/foreign.h"
#include "oracle/vouch/vouch.h"

enum {
    GROUPS = 4,       /* work-groups of a dispatch whose size is open */
    CL_LOCAL_1D = 64, /* work-items of a work-group that is open */
    CL_LOCAL_2D = 8,
    MAX_LOCAL_BYTES = 32 << 10, /* of a work-group, which each device of OpenCL has */
    MAX_GUESSES = 48            /* that the interpreter is asked of */
};

/* What the wishes leave open, as it is tried. */
struct guess {
    uint32_t local;  /* work-items of a work-group, or of each of two dimensions; 0: the usual */
    uint32_t factor; /* elements of a buffer for each invocation */
    uint32_t
        count; /* value of integers that are no buffer's elements; 0: how many invocations there are */
    bool is_wide; /* integers of buffers may be any numbers: none is an index or a count */
};
static const uint32_t locals[] = {0, 32, 16, 4, 1};
static const uint32_t factors[] = {1, 2, 4, 16, 64, 256, 4096};
static const uint32_t counts[] = {0, 16, 4, 1};

/* Each buffer's name, by OpName of the module as it was built. */
static void name_buffers(struct kernel *k, struct arena *a)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(k->built.words, k->built.n_words, &offset, &in) && in.op != SpvOpFunction) {
        for (uint32_t i = 0; in.op == SpvOpName && i < k->shape.n_bufs; i++) {
            uint32_t const number = k->shape.bufs[i].number;
            uint32_t const id = k->shape.env == ENV_CL && number < k->args.n
                                    ? k->args.row[number].id
                                    : k->shape.bufs[i].id;
            const char *const name = kernel_read_string(&in, 2, a);
            bool const is_block = k->shape.env == ENV_VK && !k->shape.bufs[i].name[0] &&
                                  k->shape.bufs[i].type == spv_get_word(&in, 1);
            if (name[0] &&
                (id == spv_get_word(&in, 1) || is_block)) { /* a block may have no other */
                k->shape.bufs[i].name = name;
            }
        }
    }
}

/* Arguments that no case can give become what it can: the shape is that of the module then. */
static enum res rewrite_arguments(struct kernel *k, struct arena *a, struct err *e)
{
    uint32_t at = 0;
    kernel_args_read(&k->types.index, k->shape.function, &k->args);
    if (!kernel_args_has(&k->args, KERNEL_ARG_LOCAL) &&
        !kernel_args_has(&k->args, KERNEL_ARG_STRUCT)) {
        return RES_OK;
    }
    TRY(kernel_args_rewrite(k->words, k->n_words, k->shape.function, &k->args, a, &k->words,
                            &k->n_words, e));
    TRY(kernel_shape_read(k->path, k->built.env, k->words, k->n_words, k->shape.entry, a, &k->types,
                          &k->shape, e));
    for (uint32_t i = 0; i < k->args.n; i++) {
        if (k->args.row[i].kind != KERNEL_ARG_LOCAL && at < k->shape.n_bufs) {
            k->shape.bufs[at].number = i;
            k->shape.bufs[at].is_by_value = k->args.row[i].kind == KERNEL_ARG_STRUCT;
            if (k->shape.bufs[at].is_by_value) { /* one, whose fields lie as they do in memory */
                k->shape.bufs[at].fixed_bytes = k->shape.bufs[at].element_bytes;
                k->shape.bufs[at].element_bytes = 0;
            }
            at++;
        }
    }
    return RES_OK;
}

enum res kernel_open(const char *path, const struct kernel_wishes *w, struct arena *a,
                     struct kernel *out, struct err *e)
{
    struct kernel_module built;
    TRY(kernel_build(path, w->compiler_options, a, &built, e));
    return kernel_open_built(path, &built, w, a, out, e);
}

/* The specialization constants of the user, and the module that has their values, of which the shape is read. */
static enum res read_specs(struct kernel *k, const struct kernel_wishes *w, struct arena *a,
                           const uint32_t **specialized, struct err *e)
{
    *specialized = k->words;
    for (uint32_t i = 0; i < w->n_specs; i++) {
        TRY(kernel_spec_read(k->path, k->words, k->n_words, &w->specs[i], a, &k->specs[i], e));
        k->n_specs++;
    }
    if (k->n_specs) {
        *specialized = kernel_spec_apply(k->words, k->n_words, k->specs, k->n_specs, a);
    }
    return *specialized ? RES_OK : err_set(e, RES_NOMEM, "%s: no room for the module", k->path);
}

enum res kernel_open_built(const char *path, const struct kernel_module *built,
                           const struct kernel_wishes *w, struct arena *a, struct kernel *out,
                           struct err *e)
{
    const uint32_t *specialized = NULL;
    *out = (struct kernel){.path = path, .built = *built, .unvouched = ""};
    TRY(kernel_prune(path, built->env, built->words, built->n_words, w->entry, a, &out->words,
                     &out->n_words, e));
    TRY(kernel_clean(path, built->env, out->words, out->n_words, a, &out->words, &out->n_words, e));
    TRY(read_specs(out, w, a, &specialized, e));
    TRY(kernel_shape_read(path, out->built.env, specialized, out->n_words, w->entry, a, &out->types,
                          &out->shape, e));
    TRY(rewrite_arguments(out, a, e));
    name_buffers(out, a);
    return RES_OK;
}

/* The work-group and the dispatch: as wished, as the module states, or usual ones. A dispatch is whole work-groups. */
static enum res set_dispatch(const struct kernel *k, const struct kernel_wishes *w,
                             const struct guess *g, struct testcase *tc, struct err *e)
{
    uint32_t const usual = g->local ? g->local : k->shape.n_dims > 1 ? CL_LOCAL_2D : CL_LOCAL_1D;
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
    const struct kernel_wish *const wish = &w->bufs[b->number];
    if (wish->content == KERNEL_CONTENT_FILE && wish->is_given) {
        n = wish->n_bytes;
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

static enum res set_buffers(const struct kernel *k, const struct kernel_wishes *w,
                            const struct guess *g, uint64_t seed, struct arena *a,
                            struct testcase *tc, struct err *e)
{
    static const struct kernel_wish hard = {.content = KERNEL_CONTENT_HARD};
    struct kernel_wish const drawn = {.content =
                                          g->is_wide ? KERNEL_CONTENT_WIDE : KERNEL_CONTENT_DRAWN};
    uint32_t const n_items = testcase_get_items(tc);
    struct kernel_wish const size = {.content = KERNEL_CONTENT_COUNT,
                                     .number = (double)(g->count ? g->count : n_items)};
    tc->n_bufs = k->shape.n_bufs;
    for (uint32_t i = 0; i < k->shape.n_bufs; i++) {
        const struct kernel_buffer *const from = &k->shape.bufs[i];
        struct buf *const b = &tc->bufs[i];
        *b = (struct buf){.kind = from->kind, .set = from->set};
        uint64_t n = buf_is_image(b->kind) ? set_image(b, tc) : get_bytes(k, w, tc, i, g->factor);
        if (buf_kind_rows[b->kind].texels == TEXELS_BUFFER) {
            n = (uint64_t)n_items * buf_texel_bytes(b->kind);
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
        bool const is_count =
            from->kind == BUF_VALUE || from->kind == BUF_PUSH || from->is_by_value ||
            (from->kind == BUF_CONSTANT && k->shape.env == ENV_VK && !from->element_bytes);
        const struct kernel_wish *const open = is_count ? &size : w->is_hard ? &hard : &drawn;
        const struct kernel_wish *const wish = &w->bufs[from->number];
        kernel_fill(&k->types, from, wish->is_given ? wish : open, g->count ? g->count : n_items,
                    seed * CASE_MAX_BUFS + i, b->data, b->n_bytes);
    }
    return RES_OK;
}

/* The module in which each argument that is memory of the work-group has its size: of the user, in bytes, or so many elements for
 * each invocation of the work-group. */
static enum res set_locals(const struct kernel *k, const struct kernel_wishes *w, uint32_t factor,
                           struct arena *a, struct testcase *tc, struct err *e)
{
    if (!kernel_args_has(&k->args, KERNEL_ARG_LOCAL)) {
        return RES_OK;
    }
    uint32_t *const words = arena_copy(a, k->words, k->n_words * sizeof *words);
    if (!words) {
        return err_set(e, RES_NOMEM, "%s: no room for the module", k->path);
    }
    for (uint32_t i = 0; i < k->args.n; i++) {
        uint32_t const n_bytes = kernel_type_bytes(&k->types, k->args.row[i].type);
        uint64_t n = (uint64_t)tc->local[0] * tc->local[1] * tc->local[2] * factor;
        if (k->args.row[i].kind != KERNEL_ARG_LOCAL) {
            continue;
        }
        if (w->bufs[i].is_given) {
            bool const is_size = w->bufs[i].content == KERNEL_CONTENT_NUMBER &&
                                 w->bufs[i].number >= 1 && n_bytes > 0;
            n = is_size ? (uint64_t)w->bufs[i].number / n_bytes : 0;
        }
        if (n == 0 || n * n_bytes > MAX_LOCAL_BYTES) {
            return err_set(
                e, RES_USAGE,
                "%s: argument %u is memory of the work-group: --buffer %u=BYTES, %u to %d "
                "may be; bounds",
                k->path, i, i, n_bytes, MAX_LOCAL_BYTES);
        }
        words[k->args.row[i].length] = (uint32_t)n;
    }
    tc->module = words;
    return RES_OK;
}

/* Can this program vouch for the case with these guesses? *is_bounds: no, but other sizes may help. */
static enum res try_guess(const struct kernel *k, const struct kernel_wishes *w,
                          const struct guess *g, uint64_t seed, struct arena *a,
                          struct testcase *tc, struct err *why)
{
    TRY(set_dispatch(k, w, g, tc, why));
    TRY(set_locals(k, w, g->factor, a, tc, why));
    TRY(set_buffers(k, w, g, seed, a, tc, why));
    return vouch_case(tc, why);
}

static bool is_of_sizes(const struct err *why)
{
    return strstr(why->text, "bounds") != NULL;
}

/* Other guesses after the first one, as long as they may help. False: none did. */
static bool search(const struct kernel *k, const struct kernel_wishes *w, uint64_t seed,
                   struct arena *a, const struct testcase *from, struct testcase *out)
{
    uint32_t n = 0;
    bool const is_local_open = k->shape.env == ENV_CL && !k->shape.local[0] && !w->local[0];
    for (size_t c = 0; c < ARRAY_N(counts); c++) {
        for (size_t l = 0; l < (is_local_open ? ARRAY_N(locals) : 1); l++) {
            for (size_t f = 0; f < ARRAY_N(factors) && n < MAX_GUESSES; f++) {
                struct guess const g = {locals[l], factors[f], counts[c], false};
                struct arena_mark const mark = arena_get_mark(a);
                struct err why = {RES_OK, ""};
                *out = *from;
                n++;
                if (try_guess(k, w, &g, seed, a, out, &why) == RES_OK) {
                    return true;
                }
                arena_release(a, mark);
                if (!is_of_sizes(&why)) {
                    break;
                }
            }
        }
    }
    return false;
}

enum res kernel_make_case(struct kernel *k, const struct kernel_wishes *w, uint64_t seed,
                          struct arena *a, struct testcase *out, struct err *e)
{
    struct guess const wide = {.factor = 1, .is_wide = true}, usual = {.factor = 1};
    struct err why = {RES_OK, ""};
    struct testcase from = {.env = k->shape.env,
                            .class = CLASS_LEGAL,
                            .profile = "programs",
                            .module = k->words,
                            .n_words = k->n_words,
                            .source = "",
                            .entry = k->shape.entry,
                            .build_options = "",
                            .n_dispatches = 1,
                            .n_specs = k->n_specs};
    memcpy(from.specs, k->specs, sizeof from.specs);
    k->unvouched = "";
    *out = from;
    if (try_guess(k, w, &wide, seed, a, out, &why) == RES_OK) {
        return RES_OK;
    }
    *out = from;
    TRY(set_dispatch(k, w, &usual, out, e));
    TRY(set_locals(k, w, usual.factor, a, out, e));
    TRY(set_buffers(k, w, &usual, seed, a, out, e));
    why = (struct err){RES_OK, ""};
    if (vouch_case(out, &why) == RES_OK) {
        return RES_OK;
    }
    k->unvouched = arena_printf(a, "%s", why.text);
    struct testcase found;
    if (is_of_sizes(&why) && search(k, w, seed, a, &from, &found)) {
        *out = found;
        k->unvouched = "";
    }
    return RES_OK;
}

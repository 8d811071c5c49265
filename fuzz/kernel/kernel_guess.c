/* fuzz/kernel/kernel_guess.c -- the dispatch and the buffers of a case of a kernel. */
#include "fuzz/kernel/kernel_guess.h"

#include <string.h>

#include "base/local_size.h"
#include "base/testcase.h"
#include "fuzz/kernel/kernel_arg.h"
#include "fuzz/kernel/kernel_fill.h"
#include "fuzz/kernel/kernel_ids.h"
#include "fuzz/kernel/kernel_type.h"

enum {
    GROUPS = 4,                /* work-groups of a dispatch whose size is open */
    CL_LOCAL_1D = 64,          /* work-items of a work-group that is open */
    MAX_LOCAL_BYTES = 32 << 10 /* of a work-group, which each device of OpenCL has */
};

/* The side of the largest square of powers of two that has at most n work-items. */
static uint32_t find_side(uint32_t n)
{
    uint32_t side = 1;
    while (side * side * 4 <= n) {
        side *= 2;
    }
    return side;
}

/* The constant of the module that is the size of dimension i, which neither the module fixes nor the user has given; LOCAL_SIZE_FIXED:
 * there is none. */
static uint32_t find_open_size(const struct kernel *k, uint32_t i)
{
    uint32_t const id = k->shape.local[i] ? k->shape.local_spec_id[i] : LOCAL_SIZE_FIXED;
    for (uint32_t s = 0; s < k->n_specs; s++) {
        if (k->specs[s].id == id) {
            return LOCAL_SIZE_FIXED;
        }
    }
    return k->n_specs < CASE_MAX_SPECS ? id : LOCAL_SIZE_FIXED;
}

/* The size of dimension i of a work-group that the module leaves to a specialization constant. A default of 1 says that the size is
 * left to the application. */
static void set_size(const struct kernel *k, uint32_t i, uint32_t id, uint32_t wished,
                     uint32_t guessed, struct testcase *tc)
{
    uint32_t const stated = k->shape.local[i];
    bool const is_guessed = !wished && i == 0 && stated == 1;
    tc->local[i] = wished ? wished : is_guessed ? guessed : stated;
    if (tc->local[i] != stated) {
        tc->specs[tc->n_specs++] =
            (struct spec){.id = id, .n_bytes = sizeof(uint32_t), .bits = tc->local[i]};
    }
}

/* The work-group and the dispatch: as wished, as the module states, or usual ones. A dispatch is whole work-groups. */
static enum res set_dispatch(const struct kernel *k, const struct kernel_wishes *w,
                             const struct kernel_guess *g, struct testcase *tc, struct err *e)
{
    uint32_t const in_row = g->local ? g->local : CL_LOCAL_1D;
    bool const is_square = k->shape.n_dims > 1 && !g->is_row;
    uint32_t const side = is_square ? find_side(in_row) : 1;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t const stated = k->shape.local[i];
        uint32_t const usual = !is_square ? (i == 0 ? in_row : 1) : i < 2 ? side : 1;
        uint32_t const open = k->shape.env == ENV_CL ? usual : 1;
        uint32_t const constant = find_open_size(k, i);
        if (constant == LOCAL_SIZE_FIXED && stated && w->local[i] && stated != w->local[i]) {
            return err_set(e, RES_USAGE, "%s: --local: the module states %u x %u x %u", k->path,
                           k->shape.local[0], k->shape.local[1], k->shape.local[2]);
        }
        if (constant != LOCAL_SIZE_FIXED) {
            set_size(k, i, constant, w->local[i], in_row, tc);
        } else {
            tc->local[i] = stated ? stated : w->local[i] ? w->local[i] : open;
        }
        uint32_t const groups = i >= k->shape.n_dims || g->is_one_group ? 1
                                : k->shape.n_dims > 1                   ? 2
                                                                        : GROUPS;
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
                            const struct kernel_guess *g, uint64_t seed, struct arena *a,
                            struct testcase *tc, struct err *e)
{
    uint32_t const n_items = testcase_get_items(tc);
    uint32_t const count = g->count ? g->count : n_items;
    uint32_t n_counts = 0;
    struct kernel_wish const drawn = {.content = g->content,
                                      .number = g->content_number,
                                      .is_plain = g->is_plain,
                                      .is_hard = w->is_hard};
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
            return err_set(e, RES_USAGE, "%s: buffer %u (%s) of %llu bytes: 1 to %llu are possible",
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
        struct kernel_wish const size = {.content = KERNEL_CONTENT_EQUAL,
                                         .number = g->is_falling ? count >> n_counts : count,
                                         .is_plain = g->is_plain,
                                         .is_hard = w->is_hard};
        n_counts += is_count;
        const struct kernel_wish *const wish = &w->bufs[from->number];
        const struct kernel_wish *const open = is_count ? &size : &drawn;
        kernel_fill(&k->types, from, wish->is_given ? wish : open, count, seed * CASE_MAX_BUFS + i,
                    b->data, b->n_bytes);
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
            return err_set(e, RES_USAGE,
                           "%s: argument %u is local memory and needs a size: --buffer %u=BYTES, "
                           "from %u to %d",
                           k->path, i, i, n_bytes, MAX_LOCAL_BYTES);
        }
        words[k->args.row[i].length] = (uint32_t)n;
    }
    tc->module = words;
    return RES_OK;
}

/* Of the options of a front end those that a driver takes for a module, with blanks between: "-cl-" words, but for the
 * language's version. */
static const char *choose_build_options(const char *options, struct arena *a)
{
    static const char cl[] = "-cl-", version[] = "-cl-std=";
    const char *out = "";
    while (*options) {
        options += strspn(options, " \t\n");
        size_t const n = strcspn(options, " \t\n");
        if (strncmp(options, cl, sizeof cl - 1) == 0 &&
            strncmp(options, version, sizeof version - 1) != 0) {
            out = arena_printf(a, "%s%s%.*s", out, out[0] ? " " : "", (int)n, options);
        }
        options += n;
    }
    return out;
}

enum res kernel_guess_make(const struct kernel *k, const struct kernel_wishes *w,
                           const struct kernel_guess *g, uint64_t seed, struct arena *a,
                           struct testcase *out, struct err *e)
{
    *out = (struct testcase){
        .env = k->shape.env,
        .class = CLASS_LEGAL,
        .profile = "programs",
        .module = k->words,
        .n_words = k->n_words,
        .source = "",
        .entry = k->shape.entry,
        .build_options = k->shape.env == ENV_CL ? choose_build_options(w->compiler_options, a) : "",
        .n_dispatches = 1,
        .subgroup_size = w->subgroup_size,
        .full_subgroups = w->has_full_subgroups,
        .n_specs = k->n_specs};
    memcpy(out->specs, k->specs, sizeof out->specs);
    TRY(set_dispatch(k, w, g, out, e));
    TRY(set_locals(k, w, g->factor, a, out, e));
    TRY(set_buffers(k, w, g, seed, a, out, e));
    return kernel_ids_add(out, a, e);
}

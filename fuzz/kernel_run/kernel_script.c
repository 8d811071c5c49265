/* fuzz/kernel_run/kernel_script.c -- a kernel that is a RUN of a script of Amber. */
#include "fuzz/kernel_run/kernel_script.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/amber/amber_expect.h"
#include "fuzz/amber/amber_line.h"
#include "fuzz/amber/amber_script.h"
#include "fuzz/kernel/kernel_prune.h"
#include "fuzz/kernel/kernel_spec.h"

static const struct amber_pipeline *get_pipeline(const struct kernel_module *built)
{
    return &built->amber->pipelines.row[built->amber->runs[built->run].pipeline];
}

/* OpenCL: constants 0 to 2 are the work-group size, as clspv makes modules. */
static bool is_local_size(const struct kernel_module *built, uint32_t spec)
{
    return built->env == ENV_CL && get_pipeline(built)->specs[spec].id < 3;
}

void kernel_script_begin(const struct kernel_module *built, struct kernel_wishes *w,
                         struct arena *a)
{
    const struct amber_pipeline *const p = get_pipeline(built);
    bool const is_open = w->n_specs == 0;
    if (!w->entry || strcmp(w->entry, p->name) == 0) {
        w->entry = p->entry;
    }
    if (!w->entry && kernel_find_function(built->words, built->n_words, "main", a)) {
        w->entry = "main";
    }
    for (uint32_t i = 0; is_open && i < p->n_specs; i++) {
        /* Vulkan ignores a value for a constant that there is not */
        if (!is_local_size(built, i) &&
            kernel_spec_has(built->words, built->n_words, p->specs[i].id)) {
            w->specs[w->n_specs++] = (struct kernel_spec_wish){p->specs[i].id, p->specs[i].value};
        }
    }
    if (built->env == ENV_VK) {
        w->subgroup_size = p->subgroup_size;
        w->has_full_subgroups = p->has_full_subgroups;
    }
}

/* Is the binding that of buffer i of the case? clspv's bindings of set 0 are the arguments. */
static bool is_bound(const struct kernel *k, uint32_t i, const struct amber_binding *at)
{
    const struct kernel_buffer *const b = &k->shape.bufs[i];
    /* in the module as it was compiled bindings are those of the script */
    const uint32_t *const words = k->built.words;
    uint32_t set = 0, binding = b->number;
    if (k->built.env == ENV_VK) {
        (void)spv_find_decoration(words, k->built.n_words, b->id, SpvDecorationDescriptorSet, &set);
        (void)spv_find_decoration(words, k->built.n_words, b->id, SpvDecorationBinding, &binding);
    }
    switch (at->place) {
    case AMBER_AT_BINDING:
        return b->kind != BUF_PUSH && at->set == set && at->number == binding;
    case AMBER_AT_PUSH:
        return b->kind == BUF_PUSH;
    case AMBER_AT_NUMBER:
        return k->built.env == ENV_CL && at->number == b->number;
    case AMBER_AT_NAME:
        return k->built.env == ENV_CL && strcmp(at->name, b->name) == 0;
    }
    return false;
}

/* What the script binds to buffer i of the case; NULL: nothing. */
static const struct amber_binding *find_binding(const struct kernel *k, uint32_t i)
{
    const struct amber_pipeline *const p = get_pipeline(&k->built);
    for (uint32_t n = 0; n < p->n_bindings; n++) {
        if (is_bound(k, i, &p->bindings[n])) {
            return &p->bindings[n];
        }
    }
    return NULL;
}

/* Is each member of the struct decorated so? */
static bool has_members_unwritten(const struct kernel_module *m, uint32_t type)
{
    uint32_t offset = SPV_HEADER_WORDS, n_members = 0, n_decorated = 0;
    struct spv_inst in;
    while (spv_next(m->words, m->n_words, &offset, &in) && in.op != SpvOpFunction) {
        bool const is_of_type = spv_get_word(&in, 1) == type;
        if (in.op == SpvOpTypeStruct && is_of_type) {
            n_members = in.n - 2;
        }
        n_decorated += in.op == SpvOpMemberDecorate && is_of_type &&
                       spv_get_word(&in, 3) == SpvDecorationNonWritable;
    }
    return n_members > 0 && n_decorated == n_members;
}

/* May the kernel write it? */
static bool may_be_written(const struct kernel *k, uint32_t i)
{
    const struct kernel_buffer *const b = &k->shape.bufs[i];
    uint32_t ignored = 0;
    return !buf_is_constant(b->kind) && b->kind != BUF_VALUE &&
           !spv_find_decoration(k->built.words, k->built.n_words, b->id, SpvDecorationNonWritable,
                                &ignored) &&
           !has_members_unwritten(&k->built, b->type);
}

/* Do both lie in the same bytes of a buffer of the script? Push constants are a copy. */
static bool overlaps(const struct amber_binding *a, const struct amber_binding *b)
{
    return a->buffer == b->buffer && a->buffer < AMBER_MAX_BUFFERS && a->place != AMBER_AT_PUSH &&
           b->place != AMBER_AT_PUSH && a->offset < b->offset + b->n_bytes &&
           b->offset < a->offset + a->n_bytes;
}

/* Each buffer of a case has memory of its own: what is bound twice has to stay as it is. */
static enum res check_aliases(const struct kernel *k, const struct amber_binding *const *at,
                              struct err *e)
{
    for (uint32_t i = 0; i < k->shape.n_bufs; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (overlaps(at[i], at[j]) && (may_be_written(k, i) || may_be_written(k, j))) {
                return err_set(e, RES_USAGE,
                               "%s: buffer %s is bound twice to a shader that may write it: a case "
                               "has memory of its own for each binding",
                               k->path, k->built.amber->buffers.row[at[i]->buffer].name);
            }
        }
    }
    return RES_OK;
}

/* The work-group size that OpenCL is given: the kernel's, else that of the constants, else 1. */
static void set_local(const struct kernel *k, struct kernel_wishes *w)
{
    const struct amber_pipeline *const p = get_pipeline(&k->built);
    for (uint32_t i = 0; i < 3; i++) {
        w->local[i] = w->local[i] ? w->local[i] : k->shape.local[i] ? k->shape.local[i] : 1;
    }
    for (uint32_t i = 0; i < p->n_specs; i++) {
        uint32_t n = 0;
        if (is_local_size(&k->built, i) && !k->shape.local[p->specs[i].id] &&
            amber_read_count(p->specs[i].value, &n) && n > 0) {
            w->local[p->specs[i].id] = n;
        }
    }
}

enum res kernel_script_wish(const struct kernel *k, struct kernel_wishes *w, struct arena *a,
                            struct err *e)
{
    const struct amber_run *const run = &k->built.amber->runs[k->built.run];
    const struct amber_binding *at[CASE_MAX_BUFS] = {NULL};
    for (uint32_t i = 0; i < k->shape.n_bufs; i++) {
        const struct kernel_buffer *const b = &k->shape.bufs[i];
        const char *const name = b->name[0] ? arena_printf(a, " (%s)", b->name) : "";
        at[i] = find_binding(k, i);
        if (!at[i]) {
            return err_set(e, RES_USAGE,
                           "%s: the pipeline of line %u binds nothing to buffer %u%s of its shader",
                           k->path, run->line, i, name);
        }
        if (b->kind == BUF_VALUE && at[i]->n_bytes != b->fixed_bytes) {
            return err_set(
                e, RES_USAGE,
                "%s: the pipeline of line %u gives %u bytes to argument %u%s, which has %u",
                k->path, run->line, at[i]->n_bytes, b->number, name, b->fixed_bytes);
        }
        if (!w->bufs[b->number].is_given) {
            w->bufs[b->number] = (struct kernel_wish){.is_given = true,
                                                      .content = KERNEL_CONTENT_FILE,
                                                      .bytes = at[i]->bytes,
                                                      .n_bytes = at[i]->n_bytes};
        }
    }
    TRY(check_aliases(k, at, e));
    if (k->built.env == ENV_CL) {
        set_local(k, w);
    }
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t const local = w->local[i]         ? w->local[i]
                               : k->shape.local[i] ? k->shape.local[i]
                                                   : 1;
        w->size[i] = w->size[i] ? w->size[i] : run->groups[i] * local;
        w->local[i] = local;
    }
    return RES_OK;
}

bool kernel_script_holds(const struct kernel *k, const struct try_result *x, uint32_t i,
                         struct arena *a, const char **why)
{
    const struct amber *const script = k->built.amber;
    const struct amber_expect *const expect = &script->expects.row[i];
    const unsigned char *contents[AMBER_MAX_BUFFERS] = {NULL};
    uint32_t const both[] = {expect->buffer, expect->other};
    for (size_t n = 0; n < ARRAY_N(both); n++) {
        const struct amber_buffer *const b = &script->buffers.row[both[n]];
        unsigned char *const content = arena_copy(a, b->data, b->n_bytes);
        contents[both[n]] = content ? content : b->data;
        for (uint32_t at = 0; content && at < k->shape.n_bufs && at < x->ob.n_bufs; at++) {
            const struct amber_binding *const from = find_binding(k, at);
            /* before the RUN, and where it may not write, its own content is the script's */
            if (from && from->buffer == both[n] && x->ob.out[at] && may_be_written(k, at) &&
                k->built.run < expect->n_runs) {
                uint32_t const most = x->tc.bufs[at].n_bytes;
                memcpy(content + from->offset, x->ob.out[at],
                       from->n_bytes < most ? from->n_bytes : most);
            }
        }
    }
    return amber_expect_holds(expect, &script->buffers, contents, a, why);
}

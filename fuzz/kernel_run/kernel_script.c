/* fuzz/kernel_run/kernel_script.c -- a kernel that comes in a script of Amber. */
#include "fuzz/kernel_run/kernel_script.h"

#include "base/spv.h"
#include "fuzz/kernel/kernel_amber.h"

void kernel_script_begin(const struct amber *script, struct kernel_wishes *w)
{
    w->entry = w->entry ? w->entry : script->entry;
    for (uint32_t i = 0; w->n_specs == 0 && i < script->n_specs; i++) {
        w->specs[i] = (struct kernel_spec_wish){script->specs[i].id, script->specs[i].value};
    }
    w->n_specs = w->n_specs ? w->n_specs : script->n_specs;
}

/* The script's buffer that is buffer i of the case; its number, or AMBER_MAX_BUFFERS. */
static uint32_t find_buffer(const struct kernel *k, uint32_t i)
{
    const struct amber *const script = k->built.amber;
    const struct kernel_buffer *const b = &k->shape.bufs[i];
    /* in the module as it was compiled bindings are those of the script */
    const uint32_t *const words = k->built.words;
    uint32_t set = 0, binding = 0;
    (void)spv_find_decoration(words, k->built.n_words, b->id, SpvDecorationDescriptorSet, &set);
    (void)spv_find_decoration(words, k->built.n_words, b->id, SpvDecorationBinding, &binding);
    for (uint32_t n = 0; n < script->n_buffers; n++) {
        const struct amber_buffer *const from = &script->buffers[n];
        bool const is_push = b->kind == BUF_PUSH && from->is_push;
        bool const is_same =
            b->kind != BUF_PUSH && !from->is_push && from->set == set && from->binding == binding;
        if (from->is_bound && (is_push || is_same)) {
            return n;
        }
    }
    return AMBER_MAX_BUFFERS;
}

enum res kernel_script_wish(const struct kernel *k, struct kernel_wishes *w, struct err *e)
{
    const struct amber *const script = k->built.amber;
    for (uint32_t i = 0; i < k->shape.n_bufs; i++) {
        uint32_t const n = find_buffer(k, i);
        if (n == AMBER_MAX_BUFFERS) {
            return err_set(e, RES_USAGE,
                           "%s: the script binds no buffer to variable %u of the shader", k->path,
                           k->shape.bufs[i].id);
        }
        if (!w->bufs[i].is_given) {
            w->bufs[i] = (struct kernel_wish){.is_given = true,
                                              .content = KERNEL_CONTENT_FILE,
                                              .bytes = script->buffers[n].data,
                                              .n_bytes = script->buffers[n].n_bytes};
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t const local = k->shape.local[i] ? k->shape.local[i] : 1;
        w->size[i] = w->size[i] ? w->size[i] : script->groups[i] * local;
        w->local[i] = w->local[i] ? w->local[i] : local;
    }
    return RES_OK;
}

bool kernel_script_holds(const struct kernel *k, const struct try_result *x, uint32_t i,
                         struct arena *a, const char **why)
{
    const unsigned char *contents[AMBER_MAX_BUFFERS] = {NULL};
    for (uint32_t n = 0; n < k->shape.n_bufs && n < x->ob.n_bufs; n++) {
        uint32_t const at = find_buffer(k, n);
        if (at < AMBER_MAX_BUFFERS &&
            x->tc.bufs[n].n_bytes >= k->built.amber->buffers[at].n_bytes) {
            contents[at] = x->ob.out[n];
        }
    }
    return kernel_amber_holds(k->built.amber, &k->built.amber->expects[i], contents, a, why);
}

/* gen/emit/emit_kernel.c -- entry points beside the one that runs. */
#include "gen/emit/emit_kernel.h"

#include <string.h>

#include "base/spv.h"
#include "gen/emit/emit_body.h"
#include "gen/emit/emit_frame.h"

/* Writes the other kernel k with emit_body, which writes the entry point of a program. So p gets the body
 * and the indices of k for a while, and e gets empty lists; afterwards both get back what they had. The
 * words go to e->first or e->others, with the kernel's local variables (e->locals) put in at the begin of
 * its body (e->locals_at). */
static void put_kernel(struct emit *e, struct ir_kernel *k)
{
    struct ir_program *const p = e->p;
    struct ir_program const saved = *p;
    struct emit const outer = *e;
    struct spv_words *const to = k->is_first ? &e->first : &e->others;
    k->id = emit_new_id(e);
    spv_words_init(&e->main, p->a);
    spv_words_init(&e->locals, p->a);
    p->main = k->main;
    p->gid = k->gid;
    p->lid = k->lid;
    p->wg = k->wg;
    memcpy(p->local, k->local, sizeof p->local);
    emit_frame_entry(e, k->id);
    emit_body(e);
    if (e->main.ok && e->locals.ok) {
        struct spv_words const before = {.w = e->main.w, .n = e->locals_at, .ok = 1};
        struct spv_words const after = {
            .w = e->main.w + e->locals_at, .n = e->main.n - e->locals_at, .ok = 1};
        spv_append(to, &before);
        spv_append(to, &e->locals);
        spv_append(to, &after);
    } else {
        p->ok = false;
    }
    p->main = saved.main;
    p->gid = saved.gid;
    p->lid = saved.lid;
    p->wg = saved.wg;
    memcpy(p->local, saved.local, sizeof p->local);
    e->main = outer.main;
    e->locals = outer.locals;
    e->locals_at = outer.locals_at;
    e->label = outer.label;
    /* emit_frame_entry has set k's parameters */
    memcpy(e->var_ids, outer.var_ids, sizeof e->var_ids);
}

void emit_kernels(struct emit *e)
{
    for (uint32_t i = 0; i < e->p->n_kernels; i++) {
        put_kernel(e, &e->p->kernels[i]);
    }
}

/* oracle/interp/exec_further.c -- a turn of a loop that an invocation does not do. */
#include "oracle/interp/exec_further.h"

#include "oracle/interp/exec_run.h"

bool exec_copy_invocation(const struct exec *x, const struct invocation *inv,
                          struct invocation *out)
{
    *out = *inv;
    out->regs = arena_copy(x->a, inv->regs, sizeof *out->regs * (x->m->n_regs + 1U));
    out->func = arena_copy(x->a, inv->func, sizeof *out->func * (x->m->n_func_objects + 1U));
    return out->regs && out->func;
}

bool exec_run_further(struct exec *x, const struct exec_hooks *hooks, struct invocation *copy,
                      uint32_t body, uint32_t header)
{
    const struct exec_hooks *const own = x->hooks;
    uint32_t *const buckets = x->path_buckets;
    const char *const undefined = x->undefined;
    uint32_t const at = x->m->label_at[body];
    if (x->stop || at == UINT32_MAX || x->m->code[at + 1].op == SpvOpPhi) {
        return false;
    }
    copy->state = INV_READY;
    copy->label = body;
    copy->pc = at + 1;
    x->hooks = hooks;
    x->path_buckets = NULL; /* nobody asks with whom it runs */
    x->end_label = header;
    bool const is_done = exec_run(x, copy, 0) && copy->state == INV_DONE && copy->label == header;
    x->end_label = 0;
    x->hooks = own;
    x->path_buckets = buckets;
    x->undefined = undefined;
    x->stop = NULL;
    return is_done;
}

/* oracle/interp/exec_extra.c -- what an invocation of the case does not do. */
#include "oracle/interp/exec_extra.h"

#include "oracle/interp/exec_run.h"

bool exec_copy_invocation(const struct exec *x, const struct invocation *inv,
                          struct invocation *out)
{
    *out = *inv;
    out->regs = arena_copy(x->a, inv->regs, sizeof *out->regs * (x->m->n_regs + 1U));
    out->func = arena_copy(x->a, inv->func, sizeof *out->func * (x->m->n_func_objects + 1U));
    return out->regs && out->func;
}

/* Runs one extra iteration of a loop on a copy of an invocation, from block `body` until it enters `header`, with
 * other hooks. The state of *x is restored afterwards. Returns whether the copy reached the header. */
bool exec_run_iteration(struct exec *x, const struct exec_hooks *hooks, void *extra,
                        struct invocation *copy, uint32_t body, uint32_t header)
{
    const struct exec_hooks *const saved_hooks = x->hooks;
    uint32_t *const saved_buckets = x->path_buckets;
    enum undefined_kind const saved_undefined = x->undefined;
    uint32_t const at = x->m->label_at[body];
    /* a phi would need the block that the copy comes from */
    if (x->stop || at == UINT32_MAX || x->m->code[at + 1].op == SpvOpPhi) {
        return false;
    }
    copy->state = INV_READY;
    copy->label = body;
    copy->pc = at + 1;
    x->hooks = hooks;
    x->extra = extra;
    x->path_buckets = NULL; /* the copy runs alone: no group instruction needs its path */
    x->end_label = header;
    bool const has_reached_header = exec_run(x, copy, 0 /* any number of atomics */) &&
                                    copy->state == INV_DONE && copy->label == header;
    x->end_label = 0;
    x->hooks = saved_hooks;
    x->path_buckets = saved_buckets;
    x->undefined = saved_undefined;
    x->stop = NULL; /* as it was; a stop of the copy is no stop of the run */
    return has_reached_header;
}

static void put_anything(struct exec *x, const struct invocation *inv, const struct mod_inst *in)
{
    for (uint32_t c = 0; in->result && c < x->m->ids[in->result].n_slots; c++) {
        exec_reg(x, inv, in->result)[c] = exec_new_abstract(x);
    }
}

/* Past what it has come to and cannot do alone. false: that is no access and no wait. */
static bool pass(struct exec *x, struct invocation *inv,
                 void (*missed)(struct exec *x, const struct mod_inst *in))
{
    uint32_t const at = inv->state == INV_GROUP ? inv->pc++ : inv->pc - 1;
    const struct mod_inst *in = &x->m->code[at];
    bool const is_access = in->part == PART_LOAD || in->part == PART_STORE ||
                           in->part == PART_CHAIN || in->part == PART_ATOMIC;
    if (x->stop && !is_access) {
        return false;
    }
    if (x->stop || inv->state == INV_GROUP) {
        x->stop = NULL;
        put_anything(x, inv, in);
        missed(x, in);
    }
    inv->state = INV_READY;
    return x->stop == NULL;
}

bool exec_run_alone(struct exec *x, const struct exec_hooks *hooks, void *extra,
                    struct invocation *inv,
                    void (*missed)(struct exec *x, const struct mod_inst *in))
{
    enum {
        MAX_PASSED = 1 << 16
    };
    const struct exec_hooks *const own = x->hooks;
    uint32_t *const buckets = x->path_buckets;
    enum undefined_kind const undefined = x->undefined;
    bool is_going = !x->stop;
    x->hooks = hooks;
    x->extra = extra;
    x->path_buckets = NULL; /* nobody asks with whom it runs */
    for (int i = 0; i < MAX_PASSED && is_going && inv->state != INV_DONE; i++) {
        (void)exec_run(x, inv, 0);
        is_going = inv->state == INV_DONE || pass(x, inv, missed);
    }
    x->hooks = own;
    x->path_buckets = buckets;
    x->undefined = undefined;
    x->stop = NULL;
    return inv->state == INV_DONE;
}

int exec_extra_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                    struct location p, uint32_t type, struct val *out)
{
    (void)inv;
    (void)in;
    *out = (struct val){0};
    if (p.space == SPACE_BUFFER) {
        out->bits = load_le(x->tc->bufs[p.object].data + p.offset, x->m->ids[type].t.bits / 8);
    } else {
        *out = exec_new_abstract(x);
    }
    return x->stop == NULL;
}

int exec_extra_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location p)
{
    (void)p;
    put_anything(x, inv, in);
    return x->stop == NULL;
}

int exec_extra_builtin(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                       struct val *out)
{
    (void)inv;
    (void)builtin;
    (void)c;
    *out = exec_new_abstract(x);
    return x->stop == NULL;
}

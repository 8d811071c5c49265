/* oracle/value/absent.c -- what the invocations would do that an uneven dispatch does not have. */
#include "oracle/value/absent.h"

#include "base/format.h"
#include "oracle/interp/exec_extra.h"
#include "oracle/interp/static_facts.h"
#include "oracle/value/value.h"

enum {
    MAX_ABSENT = 4096 /* invocations that are followed */
};
/* The data of the hooks, which replaces the user pointer of the run. */
struct walk {
    const struct ruleset *rs;
    struct absent *out;
};

static struct absent *get_absent(const struct exec *x)
{
    const struct walk *const walk = x->user;
    return walk->out;
}

static void touch(const struct exec *x, struct location p, uint32_t n_bytes)
{
    struct absent *const a = get_absent(x);
    if (p.space != SPACE_BUFFER) {
        return;
    }
    for (uint32_t i = p.offset; i < p.offset + n_bytes && i < x->tc->bufs[p.object].n_bytes; i++) {
        a->touched[p.object][i] = 1;
        a->is_inside = true;
    }
}

static int absent_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                        struct location p, uint32_t type, struct val v)
{
    (void)inv;
    (void)in;
    (void)v;
    touch(x, p, x->m->ids[type].t.bits / 8);
    return 1;
}

static int absent_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                         struct location p)
{
    const struct mod_type *const t = &x->m->ids[static_value_type(x->m, in)].t;
    touch(x, p, t->bits / 8 * t->n);
    return exec_extra_atomic(x, inv, in, p);
}

static int absent_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    const struct walk *const walk = x->user;
    struct value_result r;
    int const done = value_apply(x, walk->rs, inv, in, &r);
    if (done == 1) {
        value_put(x, inv, in, &r);
    }
    return done == 1;
}

static void absent_missed(struct exec *x, const struct mod_inst *in)
{
    get_absent(x)->is_outside |= in->part != PART_GROUP && in->part != PART_CONTROL;
}

static const struct exec_hooks hooks = {.load = exec_extra_load,
                                        .store = absent_store,
                                        .atomic = absent_atomic,
                                        .arith = absent_arith,
                                        .builtin = exec_extra_builtin};

/* Has the module something by which an invocation gets a value of another of its work-group? */
static bool is_joint(const struct module *m)
{
    bool is_it = m->n_wg_objects > 0;
    for (uint32_t i = 0; i < m->n_code && !is_it; i++) {
        is_it = m->code[i].part == PART_GROUP || m->code[i].op == SpvOpControlBarrier;
    }
    return is_it;
}

/* Runs those that the group lacks. */
static void run_group(struct exec *x, uint32_t group, struct invocation *inv, uint32_t *n_left,
                      struct absent *out)
{
    uint32_t id[3], size[3];
    exec_group_position(x, group, id, size);
    const uint32_t *const full = x->tc->local;
    for (uint32_t i = 0; i < full[0] * full[1] * full[2] && !out->is_open; i++) {
        uint32_t const at[3] = {i % full[0], i / full[0] % full[1], i / full[0] / full[1]};
        if (at[0] < size[0] && at[1] < size[1] && at[2] < size[2]) {
            continue;
        }
        exec_start_absent(x, group, at, inv);
        out->is_open = *n_left == 0 || !exec_run_alone(x, &hooks, NULL, inv, absent_missed);
        *n_left -= *n_left > 0;
    }
}

bool absent_find(struct exec *x, const struct ruleset *rs, struct absent *out)
{
    struct walk walk = {.rs = rs, .out = out};
    struct invocation inv = {
        .regs = ARENA_NEW(x->a, struct val, (size_t)x->m->n_regs + 1),
        .func = ARENA_NEW(x->a, struct val, (size_t)x->m->n_func_objects + 1),
    };
    uint32_t n_left = MAX_ABSENT;
    *out = (struct absent){.is_open = x->stop != NULL, .is_joint = is_joint(x->m)};
    for (uint32_t b = 0; b < x->tc->n_bufs; b++) {
        out->touched[b] = ARENA_NEW(x->a, unsigned char, x->tc->bufs[b].n_bytes + 1);
    }
    if (!inv.regs || !inv.func || x->a->is_full) {
        return false;
    }
    void *const user = x->user;
    x->user = &walk;
    for (uint32_t g = 0; g < x->n_groups && !out->is_open; g++) {
        run_group(x, g, &inv, &n_left, out);
    }
    x->user = user;
    return !x->a->is_full;
}

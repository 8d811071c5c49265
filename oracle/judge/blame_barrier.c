/* oracle/judge/blame_barrier.c -- a wrong result of an operand that a barrier changed. */
#include <string.h>

#include "oracle/judge/blame.h"
#include "oracle/value/value.h"
#include "oracle/value/value_shape.h"

/* Does a barrier stand between the two instructions of one function, in the order of the words? */
static bool has_barrier(const struct judge *j, uint32_t first, uint32_t last)
{
    bool is_found = false;
    for (uint32_t i = first; i < last; i++) {
        if (j->m.code[i].op == SpvOpFunctionEnd) {
            return false;
        }
        is_found = is_found || j->m.code[i].op == SpvOpControlBarrier;
    }
    return is_found;
}

/* Would the instruction of o give what was observed, were the operand `id` the value `bits`? */
static bool would_give(struct judge *j, const struct observed *o, uint32_t component, uint32_t id,
                       uint64_t bits)
{
    struct invocation other = *o->inv;
    struct val v;
    struct set scratch;
    int const fmt = module_get_format(&j->m, o->in->type);
    uint32_t const slot = j->m.ids[id].slot - j->m.n_consts;
    other.regs = arena_copy(j->a, o->inv->regs, sizeof *other.regs * j->m.n_regs);
    if (!other.regs) {
        return false;
    }
    other.regs[slot + (j->m.ids[id].n_slots == 1 ? 0 : component)] = (struct val){.bits = bits};
    struct value_site const t = {.x = &j->x,
                                 .rs = &j->rules,
                                 .inv = &other,
                                 .in = o->in,
                                 .c = component,
                                 .fmt = (enum fmt_id)fmt};
    if (value_component(&t, &v) != 1) {
        return false;
    }
    const struct set *s = value_get_set(&j->x, v, t.fmt, &scratch);
    return s && !(s->flags & SET_ANY) && set_has(s, o->got);
}

/* Values that an operand may have been mistaken for: its own negation, and what others of the work-group
 * have there. */
static bool is_mistaken(struct judge *j, const struct observed *o, uint32_t component, uint32_t id)
{
    const struct float_format *f = &float_formats[module_get_format(&j->m, j->m.ids[id].type)];
    uint32_t const at = j->m.ids[id].n_slots == 1 ? 0 : component;
    uint64_t own, bits;
    if (!exec_known(&j->x, exec_reg(&j->x, o->inv, id)[at], &own)) {
        return false;
    }
    if (would_give(j, o, component, id, own ^ f->sign)) {
        return true;
    }
    for (uint32_t i = 0; i < j->n_group; i++) {
        if (exec_known(&j->x, exec_reg(&j->x, &j->group[i], id)[at], &bits) && bits != own &&
            would_give(j, o, component, id, bits)) {
            return true;
        }
    }
    return false;
}

int blame_barrier(struct judge *j, const struct observed *o, uint32_t component,
                  struct observed *out)
{
    const struct mod_inst *in = o->in;
    bool const is_float = module_get_format(&j->m, in->type) >= 0;
    if (!o->inv || o->e || in->part != PART_FLOAT || !is_float || in->op == SpvOpPhi ||
        value_is_whole(in->op) || value_has_struct(in->op)) {
        return 0;
    }
    for (uint32_t i = value_first_operand(in->op); i < in->n; i++) {
        uint32_t const id = in->w[i] < j->m.n_ids ? in->w[i] : 0;
        const struct mod_id *m = &j->m.ids[id];
        if (m->def == UINT32_MAX || m->slot < j->m.n_consts || m->n_slots == 0 ||
            module_get_format(&j->m, m->type) < 0 ||
            !has_barrier(j, m->def, (uint32_t)(in - j->m.code)) ||
            !is_mistaken(j, o, component, id)) {
            continue;
        }
        *out = *o;
        out->in = &j->m.code[m->def];
        return 1;
    }
    return 0;
}

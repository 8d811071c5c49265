/* oracle/explain/flow_run.c -- what the models of faults of control flow share. */
#include "oracle/explain/flow_run.h"

#include <string.h>

#include "oracle/explain/explain_note.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/modorder/mo_atomic.h"

struct hypothesis *flow_find(struct hypothesis *all, enum flow_does does)
{
    for (struct hypothesis *s = all; s; s = s->next) {
        const struct flow_row *const row = fault_get_flow(s->plan.id);
        if (row && row->does == does) {
            return s;
        }
    }
    return NULL;
}

const struct flow_run *flow_run_share(struct flow_run **shared, struct judge *j)
{
    const struct testcase *const tc = j->input.tc;
    uint32_t const n_items = tc->global[0] * tc->global[1] * tc->global[2];
    struct flow_run *const run = *shared ? *shared : ARENA_NEW(j->a, struct flow_run, 1);
    if (run && !*shared) {
        run->group = ARENA_NEW(j->a, uint32_t, (size_t)n_items + 1);
        *shared = run->group && fault_flow_make(&run->flow, &j->m, n_items, j->a) ? run : NULL;
    }
    if (!*shared) {
        (void)exec_stop(&j->x, "arena full");
    }
    return *shared;
}

void flow_run_begin(struct flow_run *run)
{
    fault_flow_begin(&run->flow);
}

void flow_run_enter(struct flow_run *run, const struct invocation *inv)
{
    fault_flow_enter(&run->flow, inv);
    run->group[inv->global_index] = inv->group_index;
}

bool flow_run_end(struct flow_run *run)
{
    bool const was_known = run->is_known;
    if (!was_known) {
        fault_flow_end(&run->flow, run->group);
    }
    run->is_known = true;
    return !was_known;
}

bool flow_count(struct hypothesis *s)
{
    s->n_sites++;
    s->n_taken++;
    return true;
}

void flow_widen_phi(struct hypothesis *s, struct judge *j, const struct invocation *inv,
                    const struct mod_inst *phi, struct val other)
{
    struct val *const own = exec_reg(&j->x, inv, phi->result);
    int const fmt = module_get_format(&j->m, phi->type);
    uint64_t bits;
    bool const is_known = exec_known(&j->x, other, &bits) != 0;
    if (fmt >= 0 && is_known) {
        *own = hypothesis_widen(s, &j->x, *own, fmt, &bits, 1);
    } else if (fmt >= 0) {
        *own = hypothesis_free(s, &j->x, *own);
    } else if (is_known) {
        (void)explain_note_values(s, &j->x, phi->result, inv->global_index, 0, *own, &bits, 1);
    }
}

bool flow_is_held(const struct judge *j, struct location at, uint32_t n_bytes, uint64_t got)
{
    bool is_found = false;
    for (uint32_t b = 0; b < j->input.tc->n_bufs; b++) {
        const struct buf *const buf = &j->input.tc->bufs[b];
        for (uint32_t i = 0; !is_found && i + n_bytes <= buf->n_bytes; i += n_bytes) {
            bool const is_own = at.space == SPACE_BUFFER && at.object == b && at.offset == i;
            is_found = load_le(buf->data + i, n_bytes) == got ||
                       (!is_own && load_le(j->input.ob->out[b] + i, n_bytes) == got);
        }
    }
    return is_found;
}

bool flow_may_be(const struct judge *j, struct val v, struct location at, uint32_t n_bytes,
                 uint64_t got)
{
    const struct abstract *const b = exec_get_abstract(&j->x, v);
    return !b || b->kind == ABSTRACT_SET || abstract_is_one(b) ? hypothesis_permits(&j->x, v, got)
                                                               : flow_is_held(j, at, n_bytes, got);
}

/* Reads component c of the operand at that word of the instruction; word 0: there is no operand. false: it is not known. */
static bool read_operand(const struct exec *x, const struct invocation *inv,
                         const struct mod_inst *in, uint32_t word, uint32_t c, uint64_t *out)
{
    uint32_t const id = word ? module_get_operand(x->m, in, word) : 0;
    return !word || (x->m->ids[id].n_slots > c && exec_known(x, exec_reg(x, inv, id)[c], out));
}

struct mo_event flow_describe_atomic(const struct exec *x, const struct invocation *inv,
                                     const struct mod_inst *in, const struct mo_atomic *row,
                                     uint32_t c)
{
    struct mo_event out = {.op = row->operation, .operand = 1, .group = inv->group_index};
    out.knows_operand = read_operand(x, inv, in, row->value, c, &out.operand) &&
                        read_operand(x, inv, in, row->comparator, c, &out.comparator);
    return out;
}

/* oracle/interp/lower_put.c -- appends what an instruction becomes. */
#include "oracle/interp/lower_put.h"

#include "oracle/interp/module_part.h"

uint32_t lower_add_type(struct lower_to *to, struct mod_type t)
{
    uint32_t const id = (*to->next_id)++;
    to->m->ids[id].flags |= ID_IS_TYPE;
    to->m->ids[id].t = t;
    return id;
}

static void give_registers(struct lower_to *to, uint32_t type, uint32_t result)
{
    struct module *const m = to->m;
    struct mod_id *const id = &m->ids[result];
    uint32_t const n_slots = module_count_scalars(m, type);
    id->type = type;
    id->def = m->n_code;
    id->slot = m->n_consts + m->n_regs;
    id->n_slots = n_slots ? n_slots : 1;
    id->flags |= to->flags;
    m->n_regs += id->n_slots;
}

uint32_t lower_put(struct lower_to *to, uint32_t op, uint32_t type, uint32_t result,
                   const uint32_t *operands, uint32_t n)
{
    struct module *const m = to->m;
    uint32_t const first = type ? MOD_OPERAND : 1, n_words = first + n;
    uint32_t *const w = ARENA_NEW(to->a, uint32_t, n_words);
    if (!w) {
        to->is_full = true;
        return 0;
    }
    w[0] = op | n_words << SpvWordCountShift;
    if (type) {
        w[1] = type;
        w[2] = result;
        give_registers(to, type, result);
    }
    for (uint32_t i = 0; i < n; i++) {
        w[first + i] = operands[i];
    }
    m->code[m->n_code++] = (struct mod_inst){.w = w,
                                             .part = module_find_part(op),
                                             .op = op,
                                             .n = n_words,
                                             .type = type,
                                             .result = type ? result : 0,
                                             .offset = to->in->offset};
    return result;
}

uint32_t lower_put_new(struct lower_to *to, uint32_t op, uint32_t type, const uint32_t *operands,
                       uint32_t n)
{
    return lower_put(to, op, type, (*to->next_id)++, operands, n);
}

enum res lower_end(const struct lower_to *to, struct err *e)
{
    return to->is_full ? err_set(e, RES_NOMEM, "module: arena full at %zu bytes", to->a->used_bytes)
                       : RES_OK;
}

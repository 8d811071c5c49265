/* oracle/vouch/vouch_idle.c -- registers that say nothing of where a program goes and what it touches. */
#include "oracle/vouch/vouch_idle.h"

/* Per id: what is known of its uses. */
struct uses {
    const struct module *m;
    unsigned char *decides; /* an address or a branch comes of it, or of what is made of it */
    uint32_t *block;        /* index in code of the label, or call, above its definition */
    unsigned char *travels; /* used in another block than its own, or by a phi */
};

/* Is word k of the instruction a register's id? A literal may look like one, which keeps too much. */
static uint32_t get_register(const struct module *m, const struct mod_inst *in, uint32_t k)
{
    uint32_t const id = in->w[k];
    return id < m->n_ids && m->ids[id].n_slots > 0 && m->ids[id].def != UINT32_MAX &&
                   id != in->result
               ? id
               : 0;
}

static bool is_pointer(const struct module *m, uint32_t id)
{
    return m->ids[m->ids[id].type].t.kind == TK_POINTER;
}

static bool stores_to_variable(const struct module *m, const struct mod_inst *in)
{
    uint32_t const pointer = module_get_operand(m, in, MOD_STORE_POINTER);
    return m->ids[m->ids[pointer].type].t.storage == SpvStorageClassFunction;
}

/* Does the operand in word k decide by itself: is it an address, or part of one, or does control
 * depend on it? Also what is kept in a variable, which may be asked later. */
static bool is_deciding(const struct module *m, const struct mod_inst *in, uint32_t k)
{
    switch (in->part) {
    case PART_CHAIN:
    case PART_MEMORY:
    case PART_CONTROL:
        return true;
    case PART_STORE:
        return k == MOD_STORE_POINTER || stores_to_variable(m, in);
    case PART_FLOAT:
    case PART_ATOMIC:
    case PART_BINARY:
    case PART_INTEGER:
    case PART_NUMBER:
    case PART_LOAD:
    case PART_GROUP:
        return is_pointer(m, in->w[k]);
    }
    return true;
}

/* A call too: there may be a choice in it. */
static bool begins_block(const struct mod_inst *in)
{
    return in->op == SpvOpLabel || in->op == SpvOpFunctionCall;
}

/* Records for each id the block that defines it, whether some use of it decides where control goes
 * or what is accessed, and whether it is used in another block ("travels"). The first pass finds
 * the first two, the second pass the last. A phi uses its operands in the predecessor blocks. */
static void mark_uses(struct uses *u)
{
    uint32_t block = 0;
    for (uint32_t i = 0; i < u->m->n_code; i++) {
        const struct mod_inst *in = &u->m->code[i];
        block = begins_block(in) ? i : block;
        if (in->result > 0 && in->result < u->m->n_ids) {
            u->block[in->result] = block;
        }
        for (uint32_t k = 1; k < in->n; k++) {
            uint32_t const id = get_register(u->m, in, k);
            if (id) {
                u->decides[id] |= is_deciding(u->m, in, k);
            }
        }
    }
    /* The block that this pass begins with does not matter: before the first label there are only a function and its
     * parameters, which use no registers. */
    for (uint32_t i = 0; i < u->m->n_code; i++) {
        const struct mod_inst *in = &u->m->code[i];
        block = begins_block(in) ? i : block;
        for (uint32_t k = 1; k < in->n; k++) {
            uint32_t const id = get_register(u->m, in, k);
            u->travels[id] |= id && (u->block[id] != block || in->op == SpvOpPhi);
        }
    }
}

/* What makes a deciding value decides. True: something was marked. */
static bool spread(struct uses *u)
{
    bool has_changed = false;
    for (uint32_t i = u->m->n_code; i-- > 0;) {
        const struct mod_inst *in = &u->m->code[i];
        for (uint32_t k = 1; in->result && u->decides[in->result] && k < in->n; k++) {
            uint32_t const id = get_register(u->m, in, k);
            if (id && !u->decides[id]) {
                u->decides[id] = 1;
                has_changed = true;
            }
        }
    }
    return has_changed;
}

/* By register of an invocation: is it idle, which says nothing of where the program goes at the next choice?
 * So it is if no address or branch comes of it, or if it is used in its own block alone. NULL: the arena is
 * full. */
unsigned char *vouch_find_idle(const struct module *m, struct arena *a)
{
    struct uses u = {.m = m,
                     .decides = ARENA_NEW(a, unsigned char, m->n_ids),
                     .block = ARENA_NEW(a, uint32_t, m->n_ids),
                     .travels = ARENA_NEW(a, unsigned char, m->n_ids)};
    unsigned char *idle = ARENA_NEW(a, unsigned char, (size_t)m->n_regs + 1);
    if (!u.decides || !u.block || !u.travels || !idle) {
        return NULL;
    }
    mark_uses(&u);
    while (spread(&u)) {
    }
    for (uint32_t id = 1; id < m->n_ids; id++) {
        const struct mod_id *x = &m->ids[id];
        for (uint32_t c = 0; x->def != UINT32_MAX && c < x->n_slots; c++) {
            idle[x->slot - m->n_consts + c] = !u.decides[id] || !u.travels[id];
        }
    }
    return idle;
}

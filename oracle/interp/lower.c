/* oracle/interp/lower.c -- loads and stores of OpenCL.std as instructions of the core. Clause: OpenCL Extended Instruction Set
 * Specification, "Vector Data Load and Store Instructions": vloadn reads n elements from p + offset * n on, vloada_halfn
 * those of three components four elements apart; what has no rounding mode rounds to nearest even. */
#include "oracle/interp/lower.h"

#include "oracle/interp/module_part.h"

enum {
    VLOADN = 171, /* numbers in OpenCL.std */
    VSTOREN,
    VLOAD_HALF,
    VLOAD_HALFN,
    VSTORE_HALF,
    VSTORE_HALF_R,
    VSTORE_HALFN,
    VSTORE_HALFN_R,
    VLOADA_HALFN,
    VSTOREA_HALFN,
    VSTOREA_HALFN_R,
    EXTENDED_FIRST = 5 /* word of OpExtInst: its first operand */
};

bool lower_is_access(uint32_t number)
{
    return number >= VLOADN && number <= VSTOREA_HALFN_R;
}

static bool is_load(uint32_t number)
{
    return number == VLOADN || number == VLOAD_HALF || number == VLOAD_HALFN ||
           number == VLOADA_HALFN;
}

static bool is_of_half(uint32_t number)
{
    return number > VSTOREN;
}

static bool has_rounding(uint32_t number)
{
    return number == VSTORE_HALF_R || number == VSTORE_HALFN_R || number == VSTOREA_HALFN_R;
}

struct lowering {
    struct module *m;
    const struct spv_inst *in;
    uint32_t number, *next_id;
    struct arena *a;
    bool is_full;           /* the arena is */
    uint32_t pointer, data; /* ids; data of stores */
    uint32_t offset;
    uint32_t n; /* elements of one access */
    uint32_t element, values,
        accessed; /* types: of an element, of all as they are computed with, and as they lie */
};

static const struct mod_type *type_of(const struct module *m, uint32_t id)
{
    return &m->ids[id < m->n_ids ? id : 0].t;
}

static uint32_t add_type(struct lowering *l, struct mod_type t)
{
    uint32_t const id = (*l->next_id)++;
    l->m->ids[id].flags |= ID_IS_TYPE;
    l->m->ids[id].t = t;
    return id;
}

/* Appends one instruction of these operands; returns the id of its result. */
static uint32_t emit(struct lowering *l, uint32_t op, uint32_t type, uint32_t result,
                     const uint32_t *operands, uint32_t n)
{
    enum {
        MAX_WORDS = 8
    };
    struct module *const m = l->m;
    uint32_t *const w = ARENA_NEW(l->a, uint32_t, MAX_WORDS);
    if (!w) {
        l->is_full = true;
        return 0;
    }
    uint32_t at = 1;
    if (type) {
        w[at++] = type;
        w[at++] = result;
        struct mod_id *const id = &m->ids[result];
        uint32_t const n_slots = module_count_scalars(m, type);
        id->type = type;
        id->def = m->n_code;
        id->slot = m->n_consts + m->n_regs;
        id->n_slots = n_slots ? n_slots : 1;
        m->n_regs += id->n_slots;
    }
    for (uint32_t i = 0; i < n; i++) {
        w[at + i] = operands[i];
    }
    at += n;
    w[0] = op | at << SpvWordCountShift;
    m->code[m->n_code++] = (struct mod_inst){.w = w,
                                             .part = module_find_part(op),
                                             .op = op,
                                             .n = at,
                                             .type = type,
                                             .result = type ? result : 0,
                                             .offset = l->in->offset};
    return result;
}

/* Operands and types. false: it has another form. */
static bool read_form(struct lowering *l)
{
    struct module *const m = l->m;
    const struct spv_inst *const in = l->in;
    bool const is_stored = !is_load(l->number);
    uint32_t at = EXTENDED_FIRST;
    uint32_t const n_words = at + 2 + is_stored;
    if (in->n < n_words || in->w[1] >= m->n_ids || in->w[2] >= m->n_ids) {
        return false;
    }
    l->data = is_stored ? in->w[at++] : 0;
    l->offset = in->w[at++];
    l->pointer = in->w[at];
    if (l->data >= m->n_ids || l->offset >= m->n_ids || l->pointer >= m->n_ids) {
        return false;
    }
    uint32_t const value_type = is_stored ? m->ids[l->data].type : in->w[1];
    const struct mod_type *const value = type_of(m, value_type);
    const struct mod_type *const pointer = type_of(m, m->ids[l->pointer].type);
    bool const is_vector = value->kind == TK_VECTOR;
    uint32_t const scalar = is_vector ? value->elem : value_type;
    l->element = pointer->elem;
    l->n = is_vector ? value->n : 1;
    const struct mod_type *const element = type_of(m, l->element);
    bool const is_number = element->kind == TK_INT || element->kind == TK_FLOAT;
    bool const is_half = element->kind == TK_FLOAT && element->bits == 16;
    l->values = value_type;
    return pointer->kind == TK_POINTER && is_number && m->ids[l->offset].n_slots == 1 &&
           (is_of_half(l->number) ? is_half && type_of(m, scalar)->kind == TK_FLOAT
                                  : scalar == l->element);
}

/* The pointer to the access's elements. */
static uint32_t emit_pointer(struct lowering *l)
{
    struct module *const m = l->m;
    uint32_t const step = type_of(m, l->element)->bits / 8;
    bool const is_aligned = l->number >= VLOADA_HALFN;
    uint32_t const storage = type_of(m, m->ids[l->pointer].type)->storage;
    l->accessed = l->element;
    if (l->n > 1) { /* an array, which has no fourth component after three */
        l->accessed = add_type(
            l,
            (struct mod_type){.kind = TK_ARRAY, .elem = l->element, .n = l->n, .step_bytes = step});
    }
    uint32_t const type = add_type(l, (struct mod_type){.kind = TK_POINTER,
                                                        .storage = storage,
                                                        .elem = l->accessed,
                                                        .n = 1,
                                                        .bits = 64,
                                                        .step_bytes = step * l->n});
    m->ids[type].stride = step * (is_aligned && l->n == 3 ? 4 : l->n);
    uint32_t const cast = emit(l, SpvOpBitcast, type, (*l->next_id)++, &l->pointer, 1);
    uint32_t const operands[] = {cast, l->offset};
    return emit(l, SpvOpPtrAccessChain, type, (*l->next_id)++, operands, 2);
}

/* As many halves as there are values. */
static uint32_t add_halves(struct lowering *l)
{
    return l->n == 1 ? l->element
                     : add_type(l, (struct mod_type){.kind = TK_VECTOR,
                                                     .elem = l->element,
                                                     .n = l->n,
                                                     .bits = 16,
                                                     .step_bytes = 2});
}

static void emit_load(struct lowering *l, uint32_t pointer)
{
    uint32_t const type = l->in->w[1], result = l->in->w[2];
    if (!is_of_half(l->number)) {
        (void)emit(l, SpvOpLoad, type, result, &pointer, 1);
        return;
    }
    uint32_t const halves = emit(l, SpvOpLoad, add_halves(l), (*l->next_id)++, &pointer, 1);
    (void)emit(l, SpvOpFConvert, type, result, &halves, 1);
}

static void emit_store(struct lowering *l, uint32_t pointer)
{
    struct module *const m = l->m;
    uint32_t value = l->data;
    if (is_of_half(l->number)) {
        uint32_t const id = (*l->next_id)++;
        uint32_t const mode =
            has_rounding(l->number) ? l->in->w[l->in->n - 1] : SpvFPRoundingModeRTE;
        value = emit(l, SpvOpFConvert, add_halves(l), id, &value, 1);
        m->ids[id].flags |= ID_ROUNDING_MODE;
        m->ids[id].rounding_mode = mode;
    }
    /* a vector of three takes the room of a fourth along, which is there where it is aligned alone */
    if (l->n == 3 && l->number < VLOADA_HALFN) {
        value = emit(l, SpvOpCopyLogical, l->accessed, (*l->next_id)++, &value, 1);
    }
    uint32_t const operands[] = {pointer, value};
    (void)emit(l, SpvOpStore, 0, 0, operands, 2);
}

enum res lower_access(struct module *m, const struct spv_inst *in, uint32_t *next_id,
                      struct arena *a, struct err *e)
{
    struct lowering l = {.m = m, .in = in, .number = in->w[4] & 0xffff, .next_id = next_id, .a = a};
    if (!read_form(&l)) {
        m->unsupported = m->unsupported ? m->unsupported : "a load or store of another form";
        return RES_OK;
    }
    bool const is_new = m->ids[in->w[2]].def == UINT32_MAX && m->ids[in->w[2]].n_slots == 0;
    if (!is_new) {
        return err_set(e, RES_FORMAT, "module: word %u: a result id that is defined twice",
                       in->offset);
    }
    m->has_casts = true;
    uint32_t const pointer = emit_pointer(&l);
    if (is_load(l.number)) {
        emit_load(&l, pointer);
    } else {
        emit_store(&l, pointer);
    }
    return l.is_full ? err_set(e, RES_NOMEM, "module: arena full at %zu bytes", a->used_bytes)
                     : RES_OK;
}

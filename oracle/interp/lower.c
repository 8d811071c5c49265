/* oracle/interp/lower.c -- loads and stores of OpenCL.std as instructions of the core. Clause: OpenCL Extended Instruction Set
 * Specification, "Vector Data Load and Store Instructions": vloadn reads n elements from p + offset * n on, vloada_halfn
 * those of three components four elements apart; what has no rounding mode rounds to nearest even. */
#include "oracle/interp/lower.h"

#include "oracle/interp/lower_put.h"

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
    struct lower_to to;
    uint32_t number;
    uint32_t pointer, data; /* ids; data of stores */
    uint32_t offset;
    uint32_t n; /* elements of one access */
    uint32_t element, values,
        accessed; /* types: of an element, of all as they are computed with, and as they lie */
};

/* Operands and types. false: it has another form. */
static bool read_form(struct lowering *l)
{
    struct module *const m = l->to.m;
    const struct spv_inst *const in = l->to.in;
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
    const struct mod_type *const value = module_get_type(m, value_type);
    const struct mod_type *const pointer = module_get_type(m, m->ids[l->pointer].type);
    bool const is_vector = value->kind == TK_VECTOR;
    uint32_t const scalar = is_vector ? value->elem : value_type;
    l->element = pointer->elem;
    l->n = is_vector ? value->n : 1;
    const struct mod_type *const element = module_get_type(m, l->element);
    bool const is_number = element->kind == TK_INT || element->kind == TK_FLOAT;
    bool const is_half = element->kind == TK_FLOAT && element->bits == 16;
    l->values = value_type;
    return pointer->kind == TK_POINTER && is_number && m->ids[l->offset].n_slots == 1 &&
           (is_of_half(l->number) ? is_half && module_get_type(m, scalar)->kind == TK_FLOAT
                                  : scalar == l->element);
}

/* The pointer to the access's elements. */
static uint32_t emit_pointer(struct lowering *l)
{
    struct module *const m = l->to.m;
    uint32_t const step = module_get_type(m, l->element)->bits / 8;
    bool const is_aligned = l->number >= VLOADA_HALFN;
    uint32_t const storage = module_get_type(m, m->ids[l->pointer].type)->storage;
    l->accessed = l->element;
    if (l->n > 1) { /* an array, which has no fourth component after three */
        l->accessed = lower_add_type(
            &l->to,
            (struct mod_type){.kind = TK_ARRAY, .elem = l->element, .n = l->n, .step_bytes = step});
    }
    uint32_t const type = lower_add_type(&l->to, (struct mod_type){.kind = TK_POINTER,
                                                                   .storage = storage,
                                                                   .elem = l->accessed,
                                                                   .n = 1,
                                                                   .bits = 64,
                                                                   .step_bytes = step * l->n});
    m->ids[type].stride = step * (is_aligned && l->n == 3 ? 4 : l->n);
    uint32_t const cast = lower_put_new(&l->to, SpvOpBitcast, type, &l->pointer, 1);
    uint32_t const operands[] = {cast, l->offset};
    return lower_put_new(&l->to, SpvOpPtrAccessChain, type, operands, 2);
}

/* As many halves as there are values. */
static uint32_t add_halves(struct lowering *l)
{
    return l->n == 1 ? l->element
                     : lower_add_type(&l->to, (struct mod_type){.kind = TK_VECTOR,
                                                                .elem = l->element,
                                                                .n = l->n,
                                                                .bits = 16,
                                                                .step_bytes = 2});
}

static void emit_load(struct lowering *l, uint32_t pointer)
{
    uint32_t const type = l->to.in->w[1], result = l->to.in->w[2];
    if (!is_of_half(l->number)) {
        (void)lower_put(&l->to, SpvOpLoad, type, result, &pointer, 1);
        return;
    }
    uint32_t const halves = lower_put_new(&l->to, SpvOpLoad, add_halves(l), &pointer, 1);
    (void)lower_put(&l->to, SpvOpFConvert, type, result, &halves, 1);
}

static void emit_store(struct lowering *l, uint32_t pointer)
{
    struct module *const m = l->to.m;
    uint32_t value = l->data;
    if (is_of_half(l->number)) {
        uint32_t const id = (*l->to.next_id)++;
        uint32_t const mode =
            has_rounding(l->number) ? l->to.in->w[l->to.in->n - 1] : SpvFPRoundingModeRTE;
        value = lower_put(&l->to, SpvOpFConvert, add_halves(l), id, &value, 1);
        m->ids[id].flags |= ID_ROUNDING_MODE;
        m->ids[id].rounding_mode = mode;
    }
    /* a vector of three takes the room of a fourth along, which is there where it is aligned alone */
    if (l->n == 3 && l->number < VLOADA_HALFN) {
        value = lower_put_new(&l->to, SpvOpCopyLogical, l->accessed, &value, 1);
    }
    uint32_t const operands[] = {pointer, value};
    (void)lower_put(&l->to, SpvOpStore, 0, 0, operands, 2);
}

enum res lower_access(struct module *m, const struct spv_inst *in, uint32_t *next_id,
                      struct arena *a, struct err *e)
{
    struct lowering l = {
        .to = {.m = m, .in = in, .next_id = next_id, .a = a},
          .number = in->w[4] & 0xffff
    };
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
    return lower_end(&l.to, e);
}

/* oracle/judge_values/probe.c -- from the value that a probe stores back to the instruction that computed it. */
#include "oracle/judge_values/probe.h"

#include "base/format.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/num/set.h"

enum {
    IF_TRUE = 4, /* words of OpSelect */
    IF_FALSE
};

/* The instruction that computed a value, before bitcasts and copies; NULL for a constant. */
static const struct mod_inst *find_root(const struct judge *j, uint32_t id)
{
    for (uint32_t depth = 0; depth < j->m.n_ids; depth++) { /* a broken module may have a cycle */
        const struct mod_inst *in = module_get_definition(&j->m, id);
        uint32_t const from = in ? module_get_copied(&j->m, in) : 0;
        if (!from) {
            return in;
        }
        id = from;
    }
    return NULL;
}

/* The operand that a probe's conversion converts; 0: `in` is no such conversion. A bool is converted by a selection
 * of two constants. */
static uint32_t find_converted(const struct judge *j, const struct mod_inst *in)
{
    int const selects_constants =
        in->op == SpvOpSelect && in->n > IF_FALSE && in->w[IF_TRUE] < j->m.n_ids &&
        in->w[IF_FALSE] < j->m.n_ids &&
        (j->m.ids[in->w[IF_TRUE]].flags & j->m.ids[in->w[IF_FALSE]].flags & ID_CONSTANT);
    if (module_is_decorated_float(&j->m, in)) { /* has a bound of its own, so it is judged itself */
        return 0;
    }
    switch (in->op) {
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpLoad:
        return module_get_copied(&j->m, in);
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpCompositeExtract:
        return in->n > MOD_OPERAND ? in->w[MOD_OPERAND] : 0;
    default:
        return selects_constants ? in->w[MOD_OPERAND] : 0;
    }
}

uint32_t probe_find_returned(const struct judge *j, const struct mod_inst *call)
{
    uint32_t const id = module_get_operand(&j->m, call, MOD_OPERAND);
    for (uint32_t i = j->m.label_at[id]; i < j->m.n_code; i++) {
        if (j->m.code[i].op == SpvOpReturnValue && j->m.code[i].n > 1) {
            return j->m.code[i].w[1];
        }
        if (j->m.code[i].op == SpvOpFunctionEnd) {
            return 0;
        }
    }
    return 0;
}

/* The group instruction that computed a value, before the conversions of a probe; NULL: there is none. */
static const struct mod_inst *find_group(const struct judge *j, uint32_t id)
{
    enum {
        MAX_STEPS = 6
    };
    for (int depth = 0; depth < MAX_STEPS && j->m.has_groups; depth++) {
        const struct mod_inst *in = module_get_definition(&j->m, id);
        if (!in || in->part == PART_GROUP) {
            return in;
        }
        id = in->op == SpvOpFunctionCall ? probe_find_returned(j, in) : find_converted(j, in);
    }
    return NULL;
}

const struct mod_inst *probe_find_root(const struct judge *j, uint32_t id)
{
    const struct mod_inst *group = find_group(j, id);
    return group ? group : find_root(j, id);
}

/* Replaces *bits, the result of an instruction, by the bits of its first operand (of a load: of the value that was
 * copied); 0: the operand does not follow from the result. Bitcasts, copies and extractions keep the bits. A widening
 * of an integer is undone by truncation; a narrowing cannot be undone; a selection between two constants, as probes store a bool, is undone to its
 * condition. */
static int undo(const struct judge *j, const struct mod_inst *in, uint64_t *bits)
{
    uint32_t const id = module_get_operand(&j->m, in, MOD_OPERAND);
    unsigned const n_bits = j->m.ids[j->m.ids[id].type].t.bits;
    if (module_is_decorated_float(&j->m, in)) {
        return 0;
    }
    switch (in->op) {
    case SpvOpLoad:
        return module_get_copied(&j->m, in) != 0;
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpCompositeExtract:
        return id != 0;
    case SpvOpUConvert:
    case SpvOpSConvert:
        *bits &= n_bits < 64 ? (UINT64_C(1) << n_bits) - 1 : UINT64_MAX;
        return id != 0 && n_bits <= j->m.ids[in->type].t.bits;
    default:
        break;
    }
    if (!find_converted(j, in)) { /* of the other instructions only a selection of constants is */
        return 0;
    }
    uint64_t const yes = j->m.consts[j->m.ids[in->w[IF_TRUE]].slot].bits;
    uint64_t const no = j->m.consts[j->m.ids[in->w[IF_FALSE]].slot].bits;
    int const is_decided = yes != no && (*bits == yes || *bits == no);
    *bits = *bits == yes;
    return is_decided;
}

/* The new value of a register that had `bits` and was observed to have `got`: `got`, or of two zeros either one,
 * because a compiler may evaluate an instruction in another way for each use. */
static struct val rebind(struct judge *j, uint32_t type, uint64_t bits, uint64_t got)
{
    int const fmt = module_get_format(&j->m, type);
    if (fmt < 0 || ((bits | got) & ~float_formats[fmt].sign) != 0) {
        return (struct val){.bits = got};
    }
    struct val const v = exec_new_abstract(&j->x);
    struct set *zeros = ARENA_NEW(j->a, struct set, 1);
    if (!v.abs || !zeros) {
        return (struct val){.bits = got};
    }
    set_of(zeros, (enum fmt_id)fmt, bits);
    set_add(zeros, got);
    j->x.pool[v.abs] =
        (struct abstract){.kind = ABSTRACT_SET, .set = zeros, .clause = CLAUSE_COPY_EXACT};
    return v;
}

/* Goes from the stored id back through the conversions that can be undone, and sets each register on the way to the
 * value that gives `got`. */
void probe_rebind(struct judge *j, struct invocation *inv, uint32_t id, uint64_t got)
{
    uint32_t component = 0;
    for (uint32_t depth = 0; depth < j->m.n_ids; depth++) {
        const struct mod_id *m = &j->m.ids[id < j->m.n_ids ? id : 0];
        /* a constant, or an id without a value, has no register to change */
        if (m->def == UINT32_MAX || component >= m->n_slots || m->slot < j->m.n_consts) {
            return;
        }
        struct val *v = exec_reg(&j->x, inv, id) + component;
        if (v->abs == 0) {
            *v = rebind(j, m->type, v->bits, got);
        }
        const struct mod_inst *in = &j->m.code[m->def];
        if (m->n_slots != 1 || !undo(j, in, &got)) {
            return;
        }
        component = in->op == SpvOpCompositeExtract ? module_get_extracted(&j->m, in) : 0;
        id = in->op == SpvOpLoad ? module_get_copied(&j->m, in) : in->w[MOD_OPERAND];
    }
}

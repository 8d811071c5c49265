/* oracle/judge_values/blame.c -- which instruction a wrong value is attributed to. */
#include "oracle/judge_values/blame.h"

#include "base/format.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_values/probe.h"
#include "oracle/math/rules.h"
#include "oracle/num/set.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"

/* The access to e's cell that comes `step` accesses after e; UINT32_MAX, as -1: the access before e. NULL: there is
 * none. */
static const struct event *find_neighbour(const struct judge_memory *memory, const struct event *e,
                                          uint32_t step)
{
    const struct event *other = memory_first(memory, &memory->cells[e->cell]);
    while (other && other->version != e->version + step) {
        other = memory_next(memory, other);
    }
    return other;
}

const struct event *blame_find_before(const struct judge_memory *memory, const struct event *e)
{
    return find_neighbour(memory, e, UINT32_MAX); /* wraps to one less */
}

bool blame_is_right_in_the_end(const struct judge *j, const struct event *e, uint64_t expected)
{
    const struct cell *c = &j->memory.cells[e->cell];
    for (e = memory_next(&j->memory, e); e; e = memory_next(&j->memory, e)) {
        if (e->op != MO_LOAD) {
            return false;
        }
    }
    uint64_t final;
    return judge_get_final(j, c, &final) && final == expected;
}

/* The last access before e to its location that is no load with an unobserved result: such a load says nothing of the
 * location. NULL: there is none. */
static const struct event *find_informative(const struct judge_memory *memory,
                                            const struct event *e)
{
    const struct event *before = blame_find_before(memory, e);
    while (before && before->op == MO_LOAD && !before->knows_original) {
        before = blame_find_before(memory, before);
    }
    return before;
}

/* A load returns what the access before it left. So the blame for a wrong load (o, whose right value is `expected`)
 * goes to the last access before it that changed the location: true, and *out is o with the instruction of that
 * access. false: the load itself is to blame, or o is no load of a private cell. Each early return below is a reason
 * why the access before is not to blame. */
bool blame_before_load(const struct judge *j, const struct observed *o, int fmt, uint64_t expected,
                       struct observed *out)
{
    /* in a cell that barriers order the load is judged by BARRIER_ORDER */
    if (!o->e || o->e->op != MO_LOAD || j->memory.cells[o->e->cell].is_ordered) {
        return false;
    }
    const struct event *before = find_informative(&j->memory, o->e);
    /* nothing has changed the location, which still has its initial value */
    if (!before) {
        return false;
    }
    /* a load with an observed value was judged by itself, and with it the accesses before it */
    if (before->op == MO_LOAD) {
        return false;
    }
    /* a later access, or the final value, shows that the location still held the right value */
    const struct event *after = find_neighbour(&j->memory, o->e, 1);
    if ((after && after->knows_original && after->original == expected) ||
        blame_is_right_in_the_end(j, o->e, expected)) {
        return false;
    }
    /* a zero for a subnormal or for the other zero: some drivers implement a load as an addition of zero */
    if (o->in->op == SpvOpAtomicLoad && fmt >= 0 && format_is_zero(&float_formats[fmt], o->got) &&
        (expected & float_formats[fmt].exp) == 0) {
        return false;
    }
    *out = *o;
    out->in = judge_get_inst(j, before);
    out->e = before;
    out->inv = NULL; /* the observed value is content of memory, no result in a register */
    return true;
}

/* Is the observed value a permitted value of component `component` of `id`? */
static bool may_have_observed(const struct judge *j, const struct observed *o, uint32_t id,
                              uint32_t component)
{
    int const fmt = module_get_format(&j->m, j->m.ids[id].type);
    const struct val v = exec_reg(&j->x, o->inv, id)[component];
    struct set scratch;
    uint64_t bits;
    if (exec_known(&j->x, v, &bits)) {
        return bits == o->got;
    }
    const struct set *s = fmt < 0 ? NULL : value_get_set(&j->x, v, (enum fmt_id)fmt, &scratch);
    return s && !(s->flags & SET_ANY) && set_has(s, o->got);
}

/* A wrong value may be the other operand of an OpSelect. Then the comparison that is the condition is to blame: true,
 * and *out is o with that comparison; *truth (0 or 1) is its right result, out->got the opposite. A selected operand
 * that is itself a selection is followed, up to MAX_STEPS of them. false: the wrong value has another cause. */
bool blame_condition(const struct judge *j, const struct observed *o, uint32_t component,
                     struct observed *out, uint64_t *truth)
{
    enum {
        MAX_STEPS = 6,
        IF_TRUE = MOD_OPERAND + 1, /* words of OpSelect, after the condition */
        IF_FALSE
    };
    const struct mod_inst *in = o->inv ? o->in : NULL;
    for (int depth = 0; in && in->op == SpvOpSelect && in->n > IF_FALSE && depth < MAX_STEPS;
         depth++) {
        uint32_t const id = in->w[MOD_OPERAND];
        const struct mod_inst *test = module_get_definition(&j->m, id);
        /* a scalar condition chooses for all components */
        struct val const condition =
            exec_reg(&j->x, o->inv, id)[j->m.ids[id].n_slots == 1 ? 0 : component];
        /* `bits` is the one permitted value: if there were several, the selection might give anything, and nothing that it
         * gives would be wrong */
        *truth = condition.abs ? j->x.pool[condition.abs].bits : condition.bits;
        uint32_t const chosen = in->w[*truth ? IF_TRUE : IF_FALSE];
        uint32_t const other = in->w[*truth ? IF_FALSE : IF_TRUE];
        bool const is_comparison = test && rules_find_class(test->op) == RULE_COMPARE;
        if (is_comparison && may_have_observed(j, o, other, component)) {
            *out = *o;
            out->in = test;
            out->e = NULL; /* the comparison is no access */
            out->got = *truth == 0;
            return true;
        }
        in = module_get_definition(&j->m, chosen);
    }
    return false;
}

/* The operand of a phi that has the value of the phi; 0: no operand is known to have it. */
static uint32_t find_incoming(const struct judge *j, const struct invocation *inv,
                              const struct mod_inst *phi)
{
    uint64_t want, bits;
    if (!inv || j->m.ids[phi->result].n_slots != 1 ||
        !exec_known(&j->x, *exec_reg(&j->x, inv, phi->result), &want)) {
        return 0;
    }
    for (uint32_t i = MOD_OPERAND; i + 1 < phi->n; i += 2) { /* value, block it comes from */
        uint32_t const id = module_get_operand(&j->m, phi, i);
        if (j->m.ids[id].n_slots == 1 && exec_known(&j->x, *exec_reg(&j->x, inv, id), &bits) &&
            bits == want) {
            return id;
        }
    }
    return 0;
}

enum {
    STORED_BITS = 32 /* width to which a probe converts a byte */
};

static bool converts_byte(const struct judge *j, const struct mod_inst *in)
{
    const struct mod_id *const from = &j->m.ids[module_get_operand(&j->m, in, MOD_OPERAND)];
    return j->m.ids[from->type].t.bits == 8;
}

/* Is `in` a selection of two constants by the result of an integer comparison or a logical instruction? */
static bool is_truth_of_integers(const struct judge *j, const struct mod_inst *in)
{
    uint32_t const yes = module_get_operand(&j->m, in, MOD_OPERAND + 1);
    uint32_t const no = module_get_operand(&j->m, in, MOD_OPERAND + 2);
    const struct mod_inst *const test =
        module_get_definition(&j->m, module_get_operand(&j->m, in, MOD_OPERAND));
    bool const selects_constants = j->m.ids[yes].flags & j->m.ids[no].flags & ID_CONSTANT;
    return selects_constants && test &&
           (test->part == PART_BINARY || test->op == SpvOpAny || test->op == SpvOpAll);
}

/* The operand whose value an instruction propagates unchanged; 0: it computes a value of its own. */
static uint32_t find_source(const struct judge *j, const struct invocation *inv,
                            const struct mod_inst *in)
{
    switch (in->op) {
    case SpvOpCompositeExtract: /* with one index */
        return in->n == 5 && !module_is_decorated_float(&j->m, in) ? in->w[MOD_OPERAND] : 0;
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpLoad:
        return module_get_copied(&j->m, in);
    case SpvOpPhi:
        return find_incoming(j, inv, in);
    case SpvOpFunctionCall:
        return probe_find_returned(j, in);
    case SpvOpUConvert: /* a probe stores a byte as a word */
        return j->m.ids[in->type].t.bits == STORED_BITS && converts_byte(j, in) ? in->w[MOD_OPERAND]
                                                                                : 0;
    case SpvOpSelect: /* a probe stores a bool as one of two constants */
        return is_truth_of_integers(j, in) ? in->w[MOD_OPERAND] : 0;
    default:
        return 0;
    }
}

/* Does the instruction truncate an integer? */
static bool is_narrowing(const struct judge *j, const struct mod_inst *in)
{
    uint32_t const from = module_get_operand(&j->m, in, MOD_OPERAND);
    return (in->op == SpvOpUConvert || in->op == SpvOpSConvert) &&
           j->m.ids[in->type].t.bits < j->m.ids[j->m.ids[from].type].t.bits;
}

/* Is it an instruction that a finding may name: one that computes a value, or moves components? */
static bool is_nameable(const struct judge *j, const struct mod_inst *in)
{
    uint32_t const from = module_get_operand(&j->m, in, MOD_OPERAND);
    bool const is_reshaped =
        in->op == SpvOpBitcast && j->m.ids[from].n_slots != j->m.ids[in->result].n_slots;
    bool const moves_components =
        (in->op >= SpvOpVectorExtractDynamic && in->op <= SpvOpVectorShuffle) ||
        in->op == SpvOpCompositeInsert;
    return (in->part == PART_FLOAT && in->op != SpvOpPhi) || in->part == PART_BINARY ||
           in->part == PART_NUMBER || in->op == SpvOpAny || in->op == SpvOpAll || is_reshaped ||
           moves_components || is_narrowing(j, in);
}

/* The instruction that computed the value of `in`, or loaded it from memory; extractions, phis and calls, which only
 * propagate a value, are followed back. *component: the component of its result. If there is none within MAX_STEPS:
 * `in` itself and component 0. */
static const struct mod_inst *find_origin(const struct judge *j, const struct invocation *inv,
                                          const struct mod_inst *in, uint32_t *component)
{
    enum {
        MAX_STEPS = 6
    };
    const struct mod_inst *at = in;
    for (int depth = 0; at && depth < MAX_STEPS; depth++) {
        if (is_nameable(j, at)) {
            return at;
        }
        uint32_t const source = find_source(j, inv, at);
        if (at->op == SpvOpLoad && !source) { /* of memory that other invocations store to */
            *component = 0;
            return at;
        }
        if (at->op == SpvOpCompositeExtract && source) {
            *component = module_get_extracted(&j->m, at);
        }
        at = source ? module_get_definition(&j->m, source) : NULL;
    }
    *component = 0;
    return in;
}

struct observed blame_find_origin(const struct judge *j, const struct observed *o, struct val v,
                                  uint32_t *component)
{
    struct observed named = *o;
    const struct abstract *b = exec_get_abstract(&j->x, v);
    if (b && b->code) {
        named.in = &j->m.code[b->code - 1];
        *component = b->component;
        return named;
    }
    bool const is_of_group =
        b && (b->kind == ABSTRACT_DEVICE || b->kind == ABSTRACT_MASK || b->reduction);
    if (!o->e && !is_of_group) {
        named.in = find_origin(j, o->inv, o->in, component);
    }
    return named;
}

/* Is there a barrier between the two instructions, which are of one function, in the order of the words? */
static bool has_barrier(const struct module *m, uint32_t first, uint32_t last)
{
    bool is_found = false;
    for (uint32_t i = first; i < last; i++) {
        if (m->code[i].op == SpvOpFunctionEnd) {
            return false;
        }
        is_found |= m->code[i].op == SpvOpControlBarrier;
    }
    return is_found;
}

/* Would the instruction of o permit the observed value if its operand `id` were `bits`? The instruction is evaluated
 * again with `other`, a copy of the invocation. false also where anything would be permitted, which proves nothing. */
static bool gives_observed(struct judge *j, const struct observed *o, uint32_t component,
                           uint32_t id, uint64_t bits, struct invocation *other)
{
    struct val v;
    struct set scratch;
    int const fmt = module_get_format(&j->m, o->in->type);
    uint32_t const slot = j->m.ids[id].slot - j->m.n_consts; /* constants have the first slots */
    other->regs[slot + (j->m.ids[id].n_slots == 1 ? 0 : component)] = (struct val){.bits = bits};
    struct value_site const t = {.x = &j->x,
                                 .rs = &j->rules,
                                 .inv = other,
                                 .in = o->in,
                                 .c = component,
                                 .fmt = (enum fmt_id)fmt};
    if (value_component(&t, &v) != 1) { /* an instruction that cannot be evaluated by itself */
        return false;
    }
    const struct set *s = value_get_set(&j->x, v, t.fmt, &scratch);
    return s && !(s->flags & SET_ANY) && set_has(s, o->got);
}

/* Is the observed value right for another value of the operand `id`: its negation, or the value that another
 * invocation of the work-group has in that register? */
static bool may_be_mistaken(struct judge *j, const struct observed *o, uint32_t component,
                            uint32_t id)
{
    const struct float_format *f = &float_formats[module_get_format(&j->m, j->m.ids[id].type)];
    uint32_t const at = j->m.ids[id].n_slots == 1 ? 0 : component;
    struct invocation other = *o->inv;
    uint64_t own, bits;
    if (!exec_known(&j->x, exec_reg(&j->x, o->inv, id)[at], &own)) {
        return false;
    }
    other.regs = arena_copy(j->a, o->inv->regs, sizeof *other.regs * j->m.n_regs);
    if (!other.regs) {
        return false;
    }
    if (gives_observed(j, o, component, id, own ^ f->sign, &other)) {
        return true;
    }
    for (uint32_t i = 0; i < j->groups.n; i++) {
        if (exec_known(&j->x, exec_reg(&j->x, &j->groups.inv[i], id)[at], &bits) && bits != own &&
            gives_observed(j, o, component, id, bits, &other)) {
            return true;
        }
    }
    return false;
}

/* Is the operand `id` a float that was computed before a barrier, which lies before the instruction `in`? */
static bool crosses_barrier(const struct module *m, const struct mod_inst *in, uint32_t id)
{
    const struct mod_id *operand = &m->ids[id];
    bool const is_made = operand->def != UINT32_MAX && operand->slot >= m->n_consts;
    return is_made && operand->n_slots > 0 && module_get_format(m, operand->type) >= 0 &&
           has_barrier(m, operand->def, (uint32_t)(in - m->code));
}

bool blame_barrier(struct judge *j, const struct observed *o, uint32_t component,
                   struct observed *out)
{
    const struct mod_inst *in = o->in;
    bool const is_float = in->part == PART_FLOAT && module_get_format(&j->m, in->type) >= 0;
    if (!o->inv || o->e || !is_float || in->op == SpvOpPhi || value_is_whole(in->op) ||
        value_has_struct(in->op)) {
        return false;
    }
    for (uint32_t i = value_first_operand(in->op); i < in->n; i++) {
        uint32_t const id = module_get_operand(&j->m, in, i);
        if (crosses_barrier(&j->m, in, id) && may_be_mistaken(j, o, component, id)) {
            *out = *o;
            out->in = module_get_definition(&j->m, id);
            return true;
        }
    }
    return false;
}

/* Did a load that no clause permits access the location before e? */
static bool follows_hole_load(const struct judge *j, const struct event *e)
{
    const struct judge_memory *memory = &j->memory;
    const struct event *other = memory_first(memory, &memory->cells[e->cell]);
    for (; other; other = memory_next(memory, other)) {
        if (other->version < e->version && other->op == MO_LOAD && judge_is_hole(j, other)) {
            return true;
        }
    }
    return false;
}

bool blame_is_hole(const struct judge *j, const struct mod_inst *in, const struct event *before,
                   const struct event *seen, bool is_small)
{
    return static_is_hole(&j->m, j->input.tc->env, in) || (before && judge_is_hole(j, before)) ||
           (is_small && seen && follows_hole_load(j, seen));
}

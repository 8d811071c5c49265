/* oracle/explain/explain_values.c -- values of a device that is taken to have a fault: results are widened by what
 * the fault gives (SITE_RESULT), and an observed word is traced back, through the instructions that only convert or
 * copy, to a result that has a note. */
#include "oracle/explain/explain_policy.h"

#include "oracle/explain/explain_math.h"
#include "oracle/explain/explain_note.h"
#include "oracle/explain/hypothesis.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/judge_values/probe.h"

enum {
    MAX_DEPTH = 8, /* instructions that are traced back from a stored value */
    FIRST_OPERAND = MOD_OPERAND,
    IF_TRUE, /* words of OpSelect */
    IF_FALSE
};

/* A component of an id in one invocation that was observed to be `bits`. */
struct observed_id {
    struct hypothesis *hypothesis; /* whose notes are looked up */
    const struct invocation *inv;
    uint32_t id, component;
    uint64_t bits;
    bool is_permitted;
};

static bool trace(struct judge *j, struct observed_id s, int depth);

static bool may_be(const struct judge *j, const struct observed_id *s, uint32_t id)
{
    return hypothesis_permits(&j->x, exec_reg(&j->x, s->inv, id)[s->component], s->bits);
}

/* A selection was observed: if only one of its operands may have the observed value, its condition is known, and is
 * traced; else the operand that it selects is traced. */
static bool trace_selection(struct judge *j, const struct mod_inst *in, struct observed_id s,
                            int depth)
{
    uint32_t const condition = module_get_operand(&j->m, in, FIRST_OPERAND);
    uint32_t const yes = module_get_operand(&j->m, in, IF_TRUE);
    uint32_t const no = module_get_operand(&j->m, in, IF_FALSE);
    if (!condition || !yes || !no) {
        return false;
    }
    struct observed_id test = s;
    test.id = condition;
    test.component = j->m.ids[condition].n_slots == 1 ? 0 : s.component;
    bool const is_yes = may_be(j, &s, yes), is_no = may_be(j, &s, no);
    test.bits = is_yes;
    if (is_yes != is_no && trace(j, test, depth)) {
        return true;
    }
    uint64_t const truth =
        explain_known_bits(&j->x, exec_reg(&j->x, s.inv, condition)[test.component]);
    s.id = truth ? yes : no;
    return trace(j, s, depth);
}

/* The constituent of an OpCompositeConstruct that holds scalar *component; *component becomes its number within the
 * constituent. 0: none. */
static uint32_t find_part(const struct module *m, const struct mod_inst *in, uint32_t *component)
{
    for (uint32_t i = FIRST_OPERAND; i < in->n; i++) {
        uint32_t const part = module_get_operand(m, in, i), n = m->ids[part].n_slots;
        if (*component < n) {
            return part;
        }
        *component -= n;
    }
    return 0;
}

/* Traces an observed value back to the result that it comes from: s becomes the operand from which the instruction has
 * made its result, with the bits that the operand must have had. If an id on the way has a note, the value is counted
 * for the note's fault. true: the fault gives it. false also at an instruction that computes a value, or after
 * MAX_DEPTH instructions. */
static bool trace(struct judge *j, struct observed_id s, int depth)
{
    const struct mod_inst *in = module_get_definition(&j->m, s.id);
    if (!in || depth >= MAX_DEPTH || s.component >= j->m.ids[s.id].n_slots) {
        return false;
    }
    struct explain_note *note =
        explain_find_note(s.hypothesis, s.id, s.inv->global_index, s.component);
    if (note) {
        return explain_see_note(s.hypothesis, &j->x, note, s.bits, s.is_permitted);
    }
    uint32_t const from = module_get_operand(&j->m, in, FIRST_OPERAND);
    unsigned const n_bits = from ? j->m.ids[j->m.ids[from].type].t.bits : 0;
    bool const is_moved = in->op == SpvOpCompositeExtract || in->op == SpvOpCompositeConstruct ||
                          in->op == SpvOpBitcast || in->op == SpvOpCopyObject;
    if (is_moved &&
        module_is_decorated_float(&j->m, in)) { /* has a bound of its own: is judged itself */
        return false;
    }
    switch (in->op) {
    case SpvOpSelect:
        return trace_selection(j, in, s, depth + 1);
    case SpvOpCompositeExtract:
        s.component = module_get_extracted(&j->m, in);
        break;
    case SpvOpCompositeConstruct:
        s.id = find_part(&j->m, in, &s.component);
        return s.id != 0 && trace(j, s, depth + 1);
    case SpvOpLogicalNot:
        s.bits = s.bits == 0;
        break;
    case SpvOpUConvert: /* a widening, as probes have: the operand is the lower part */
    case SpvOpSConvert:
        s.bits &= n_bits < 64 ? (UINT64_C(1) << n_bits) - 1 : UINT64_MAX;
        break;
    case SpvOpBitcast: /* to another number of components: a component is no component of the operand */
        if (from == 0 || j->m.ids[from].n_slots != j->m.ids[in->result].n_slots) {
            return false;
        }
        break;
    case SpvOpCopyObject:
        break;
    case SpvOpFunctionCall:
        s.id = probe_find_returned(j, in);
        return s.id != 0 && trace(j, s, depth + 1);
    case SpvOpLoad:
        s.id = module_get_copied(&j->m, in);
        return s.id != 0 && trace(j, s, depth + 1);
    default:
        return false;
    }
    s.id = from;
    return from != 0 && trace(j, s, depth + 1);
}

/* The word at which o->object was stored was observed to hold o->got; is_permitted: that is right. Counts. true: a
 * fault gives it. */
static bool trace_stored(struct judge *j, struct hypothesis *all, const struct observed *o,
                         bool is_permitted)
{
    bool is_explained = false;
    for (struct hypothesis *one = all; one && o->object != 0; one = one->next) {
        is_explained |=
            trace(j, (struct observed_id){one, o->inv, o->object, 0, o->got, is_permitted}, 0);
    }
    return is_explained;
}

/* A value is explained if it is an added value, or if it is traced back to a note whose fault gives it. A value in a
 * widened set that is neither right nor added is forbidden. */
static unsigned on_value(void *state, struct judge *j, const struct observed *o, struct val v,
                         bool is_permitted, bool is_agreed)
{
    bool const is_added = hypothesis_count(state, &j->x, v, o->got);
    bool const is_between = is_permitted && hypothesis_is_between(&j->x, v, o->got);
    bool const is_right = is_permitted && !is_between;
    bool const is_stored = trace_stored(j, state, o, is_right && is_agreed);
    bool const is_explained = (!is_right && is_added) || (!(is_right && is_agreed) && is_stored);
    return (is_between ? POLICY_FORBIDS : 0) | (is_explained ? POLICY_PERMITS : 0);
}

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    struct hypothesis *const all = state;
    uint64_t exact;
    if (site->kind == SITE_RESULT) {
        explain_math(all, &j->x, &j->rules, site->inv, site->in, site->result);
        explain_selection(all, &j->x, site->inv, site->in, site->result);
    } else if (site->kind == SITE_PROPAGATED && exec_known(&j->x, site->value, &exact)) {
        explain_propagated(all, &j->x, &j->rules, site->in, site->component, exact, site->out);
    }
}

bool explain_values_make(struct judge *j, struct explain_context *context, struct judge_policy *out)
{
    (void)j;
    *out = (struct judge_policy){.state = context->all, .site = on_site, .value = on_value};
    return true;
}

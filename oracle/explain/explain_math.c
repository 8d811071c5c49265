/* oracle/explain/explain_math.c -- float instructions of a device that is taken to have a fault. */
#include "oracle/explain/explain_math.h"

#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/explain/explain_memo.h"
#include "oracle/explain/explain_note.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_bug.h"
#include "oracle/fault/faults_math.h"
#include "oracle/fault/faults_site.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/num/set.h"
#include "oracle/value/value_dot.h"
#include "oracle/value/value_shape.h"
#include "oracle/value/value_within.h"

enum {
    MAX_OPERANDS = 4 * MOD_MAX_COMPONENTS /* scalars that may be fixed at once */
};
/* Registers that hold one of their possible values for a while, and their saved values. */
struct fixed {
    uint32_t n;
    struct val *reg[MAX_OPERANDS], saved[MAX_OPERANDS];
};

/* One value of v: the known one, or of a few possible ones the one of that number. *n is raised to the number of
 * possible values. false: v may be anything, or one of more than HYPOTHESIS_MAX_OPERANDS values. */
static bool choose_value(const struct exec *x, struct val v, uint32_t number, uint64_t *bits,
                         uint32_t *n)
{
    if (exec_known(x, v, bits)) {
        return true;
    }
    const struct abstract *b = exec_get_abstract(x, v);
    *bits = b ? b->bits : v.bits;
    if (!b || abstract_is_one(b)) {
        return true;
    }
    uint64_t const count = b->kind == ABSTRACT_SET ? set_count(b->set) : UINT64_MAX;
    if (count == 0 || count > HYPOTHESIS_MAX_OPERANDS) {
        return false;
    }
    *n = count > *n ? (uint32_t)count : *n;
    *bits = set_nth(b->set, number % count);
    return true;
}

/* Fixes all operands of the instruction that have few possible values to their value of that number; *n is raised to
 * the number of choices. false: a component of an operand has many possible values, and is left as it is. The caller
 * restores `fixed` in any case. */
static bool fix_operands(const struct exec *x, const struct invocation *inv,
                         const struct mod_inst *in, uint32_t number, struct fixed *fixed,
                         uint32_t *n)
{
    bool is_all = true;
    fixed->n = 0;
    for (uint32_t i = value_first_operand(in->op); i < in->n; i++) {
        uint32_t const id = in->w[i];
        bool const is_value = id < x->m->n_ids && x->m->ids[id].n_slots > 0; /* else a literal */
        for (uint32_t c = 0; is_value && c < x->m->ids[id].n_slots; c++) {
            struct val *const reg = &exec_reg(x, inv, id)[c];
            uint64_t bits;
            if (fixed->n == MAX_OPERANDS) {
                return false;
            }
            if (!choose_value(x, *reg, number, &bits, n)) {
                is_all = false;
            } else if (reg->abs) { /* else the register has these bits */
                fixed->reg[fixed->n] = reg;
                fixed->saved[fixed->n++] = *reg;
                *reg = (struct val){.bits = bits};
            }
        }
    }
    return is_all;
}

static void restore_operands(const struct fixed *fixed)
{
    for (uint32_t i = fixed->n; i > 0; i--) {
        *fixed->reg[i - 1] = fixed->saved[i - 1];
    }
}

/* What a device without the fault gives as component c: the exact result rounded, or a permitted one. */
static uint64_t get_honest(const struct exec *x, const struct fault_math_site *site, struct val v)
{
    v = hypothesis_get_right(x, v);
    const struct abstract *b = exec_get_abstract(x, v);
    uint64_t exact;
    bool const is_of_several = b && !abstract_is_one(b);
    return is_of_several && fault_get_exact(site, &exact) ? exact : hypothesis_pick(x, v);
}

/* Appends a value unless it is there. */
static void add_value(uint64_t bits, uint64_t *out, uint32_t *n)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (out[i] == bits) {
            return;
        }
    }
    if (*n < HYPOTHESIS_MAX_VALUES) {
        out[(*n)++] = bits;
    }
}

/* Appends the values that the fault gives at the site, by each of its choices, where the right result is site->honest. */
static void list_wrong_values(const struct hypothesis *s, struct fault_math_site *site,
                              uint64_t *out, uint32_t *n)
{
    bool const is_second = fault_is_of_second(s->plan.id), is_open = fault_is_open(s->plan.id);
    uint32_t const n_choices = fault_count_choices(s->plan.id);
    for (uint64_t pick = 0; pick < n_choices; pick++) {
        uint64_t wrong;
        site->pick = pick;
        bool const is_changed = is_second ? fault_change_second(s->plan.id, site, &wrong)
                                          : fault_change_math(s->plan.id, site, &wrong);
        bool const is_near = is_changed && fault_bug_get_radius(s->plan.id) > 0;
        if (is_near) {
            (void)fault_center_bug(s->plan.id, site, &wrong);
        }
        if (is_changed && (is_open || is_near || wrong != site->honest)) {
            add_value(wrong, out, n);
        }
    }
}

/* Appends to out[n] the values that the fault gives where any member of `right` is the right result; returns the new n.
 * Members after the second are tried only if the second gave a new value: then the fault depends on the right result. */
static uint32_t add_values(const struct hypothesis *s, const struct exec *x,
                           struct fault_math_site *site, struct val right, uint64_t *out,
                           uint32_t n)
{
    const struct abstract *b = exec_get_unobserved(x, hypothesis_get_right(x, right));
    uint64_t const honest = site->honest;
    bool const has_members = b && b->kind == ABSTRACT_SET && !(b->set->flags & SET_ANY);
    uint64_t const n_members = has_members ? set_count(b->set) : 0;
    list_wrong_values(s, site, out, &n);
    /* the first two members decide whether the others are tried */
    uint32_t const n_first = n;
    for (uint64_t i = 0; i < n_members && i < HYPOTHESIS_MAX_OPERANDS && (i < 2 || n > n_first);
         i++) {
        site->honest = set_nth(b->set, i);
        list_wrong_values(s, site, out, &n);
    }
    site->honest = honest;
    return n;
}

/* Notes what the fault gives as a bool or an integer: the interpretation goes on with the right value. */
static void add_note(struct hypothesis *s, struct exec *x, const struct invocation *inv,
                     const struct mod_inst *in, uint32_t c, struct val right, const uint64_t *bits,
                     uint32_t n)
{
    (void)explain_note_values(s, x, in->result, inv->global_index, c, right, bits, n);
}

/* An integer dot product. */
static void explain_dot(struct hypothesis *s, struct exec *x, const struct invocation *inv,
                        const struct mod_inst *in, const struct value_result *r)
{
    uint64_t wrong;
    uint32_t const n = fault_change_dot(s->plan.id, x, inv, in, &wrong) ? 1 : 0;
    add_note(s, x, inv, in, 0, r->v[0], &wrong, n);
}

/* The known value that a decorated selection propagates as component c. */
static bool get_selected(const struct exec *x, const struct invocation *inv,
                         const struct mod_inst *in, uint32_t c, uint64_t *out)
{
    uint32_t const condition = in->w[MOD_OPERAND];
    uint32_t const at = x->m->ids[condition].n_slots == 1 ? 0 : c;
    uint64_t truth;
    return exec_known(x, exec_reg(x, inv, condition)[at], &truth) &&
           exec_known(x, exec_reg(x, inv, in->w[MOD_OPERAND + (truth ? 1 : 2)])[c], out);
}

/* Describes a comparison for the fault. An operand that is not known gets one of its permitted values: either all of
 * them compare alike, or the comparison is not judged anyway. */
static bool describe_comparison(struct exec *x, const struct ruleset *rs,
                                const struct invocation *inv, const struct mod_inst *in, uint32_t c,
                                struct fault_math_site *site)
{
    bool const is_done = fault_describe_math(x, rs, inv, in, c, site);
    for (uint32_t i = 0; is_done && i < 2; i++) {
        uint32_t const id = in->w[MOD_OPERAND + i];
        struct val const v = exec_reg(x, inv, id)[x->m->ids[id].n_slots == 1 ? 0 : c];
        uint64_t known;
        site->call.args.enc[i] = exec_known(x, v, &known) ? known : hypothesis_pick(x, v);
    }
    return is_done;
}

/* Describes component c of the instruction for the fault. false: the fault does not act here. */
static bool describe(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                     const struct mod_inst *in, uint32_t c, struct fault_math_site *site)
{
    uint64_t exact;
    if (fault_get_ops(in) == ON_COMPARE) {
        return describe_comparison(x, rs, inv, in, c, site);
    }
    if (!value_propagates(x->m, in)) {
        return fault_describe_math(x, rs, inv, in, c, site);
    }
    if (!get_selected(x, inv, in, c, &exact)) {
        return false;
    }
    fault_describe_propagated(x, rs, in, c, exact, site);
    return true;
}

/* Lists up to HYPOTHESIS_MAX_VALUES possible values of v. */
static uint32_t list_members(const struct exec *x, struct val v, uint64_t *out)
{
    const struct abstract *b = exec_get_unobserved(x, v);
    if (!b || b->kind != ABSTRACT_SET || b->set->flags & SET_ANY) {
        out[0] = hypothesis_pick(x, v);
        return 1;
    }
    uint64_t const n = set_count(b->set);
    uint32_t const n_listed = n < HYPOTHESIS_MAX_VALUES ? (uint32_t)n : HYPOTHESIS_MAX_VALUES;
    for (uint32_t i = 0; i < n_listed; i++) {
        out[i] = set_nth(b->set, i);
    }
    return n_listed;
}

/* Lists the possible values of the component after c (cyclic); of the last component also those of the second, as the
 * first may have been swapped before. */
static uint32_t list_others(const struct exec *x, const struct val *right, uint32_t n_right,
                            uint32_t c, uint64_t *out)
{
    uint32_t n = 0;
    uint64_t members[HYPOTHESIS_MAX_VALUES];
    for (uint32_t k = 0; k < (c + 1 == n_right && n_right > 2 ? 2U : 1U); k++) {
        uint32_t const n_members = list_members(x, right[(c + 1 + k) % n_right], members);
        for (uint32_t i = 0; i < n_members; i++) {
            add_value(members[i], out, &n);
        }
    }
    return n;
}

/* What a fault gives as each component of the result, or of what the instruction stores through a pointer. */
struct given {
    uint32_t n_right;
    const struct val *right; /* [n_right] the right values */
    enum fmt_id fmt;         /* of those that are floats */
    uint32_t n[2 * MOD_MAX_COMPONENTS];
    uint64_t bits[2 * MOD_MAX_COMPONENTS][HYPOTHESIS_MAX_VALUES];
};

/* Appends to *given what the fault gives for the operands that are in the registers. knows_all: all components of the
 * operands are known; else only a function of an extended set is done, component by component, where its own operands
 * are known. */
static void add_components(const struct hypothesis *s, struct exec *x, const struct ruleset *rs,
                           const struct invocation *inv, const struct mod_inst *in, bool knows_all,
                           struct given *given)
{
    const struct val *const right = given->right;
    uint32_t const n = given->n_right;
    bool const is_core = in->op >> 16 == OP_SET_core;
    struct fault_math_site site;
    for (uint32_t c = 0; c < n && (knows_all || !is_core); c++) {
        if (!describe(x, rs, inv, in, c, &site) || (!knows_all && !site.call.has_args)) {
            continue;
        }
        struct fault_exact own = {.is_known = false};
        given->fmt = site.fmt;
        site.exact = s->memo ? explain_memo_find(s->memo, &site) : &own;
        /* the fault changes the right result, `honest`, or takes that of the next component, `other` */
        if (fault_is_of_second(s->plan.id)) {
            struct val const v = hypothesis_get_right(x, right[c]);
            const struct abstract *b = exec_get_abstract(x, v);
            site.honest = b ? b->bits : v.bits;
        } else {
            site.honest = get_honest(x, &site, right[c]);
            site.other = get_honest(x, &site, right[(c + 1) % n]);
        }
        given->n[c] = add_values(s, x, &site, right[c], given->bits[c], given->n[c]);
        /* all possible values of the other component, not only the one of this choice of operands */
        if (s->plan.id == FAULT_COMPONENT_SWAPPED && given->n[c] > 0) {
            given->n[c] = list_others(x, right, n, c, given->bits[c]);
        }
    }
}

/* The values that the fault changes: the result, or of a fault of the second result what goes through a pointer. */
static struct val *find_values(const struct hypothesis *s, const struct mod_inst *in,
                               struct value_result *r, uint32_t *n)
{
    if (fault_is_of_second(s->plan.id)) {
        return value_get_second(in, r, n);
    }
    *n = value_has_struct(in->op) ? r->n / 2 : r->n;
    return r->v;
}

/* A fault that gives the values of other invocations: the first interpretation collects the right values of all invocations
 * that are known, each value once; the second (is_settled) widens *v by them, and by the n values of `bits`. */
static void collect_others(struct hypothesis *s, struct exec *x, const struct mod_inst *in, int fmt,
                           struct val *v, const uint64_t *bits, uint32_t n)
{
    struct hypothesis_others *const o = &s->others[in->result];
    uint64_t right;
    if (s->is_settled) {
        *v = hypothesis_widen_by_others(s, x, *v, fmt, o, bits, n);
        return;
    }
    bool is_there = !exec_known(x, *v, &right);
    for (uint32_t i = 0; i < o->n && !is_there; i++) {
        is_there = o->bits[i] == right;
    }
    if (is_there) {
        return;
    }
    uint64_t *const all = arena_grow(x->a, o->bits, o->n, &o->cap, sizeof *all);
    if (!all) {
        (void)exec_stop(x, "arena full");
        return;
    }
    o->bits = all;
    o->bits[o->n++] = right;
    s->has_others = true;
}

/* Widens each component of the result by what the fault gives. Operands with few possible values are tried in step: the
 * k-th try takes the k-th value of each of them, again from its first value where it has fewer. Most instructions have one
 * such operand; all combinations would be too many.
 *   a fault that gives anything: the component may be anything
 *   a fault that gives the values of other invocations: collect_others
 *   a float, or what goes through a pointer: its set is widened
 *   any other result: it gets a note, as control flow depends on it */
static void widen_result(struct hypothesis *s, struct exec *x, const struct ruleset *rs,
                         struct invocation *inv, const struct mod_inst *in, struct value_result *r)
{
    struct given given;
    struct fixed fixed;
    uint32_t n;
    struct val *const v = find_values(s, in, r, &n);
    bool const is_second = fault_is_of_second(s->plan.id), is_open = fault_is_open(s->plan.id);
    /* a comparison picks values of its operands itself; a regrouped sum has terms in place of operands */
    bool const needs_no_operands =
        fault_get_ops(in) == ON_COMPARE || s->plan.id == FAULT_SUMS_REGROUPED;
    /* what goes through a pointer may be a float (of modf) or an integer (of frexp) */
    bool const is_beside = is_second || value_gives_integer(in->op);
    /* -1: its additions are kept beside it */
    int const fmt = is_beside ? -1 : module_get_format(x->m, fault_get_type(x->m, in));
    given.right = v;
    given.n_right = n;
    given.fmt = FMT_F32; /* where no component is described: nothing is given then */
    memset(given.n, 0, sizeof given.n);
    /* fix_operands raises n_choices to the number of values of the operand that has the most */
    for (uint32_t number = 0, n_choices = 1; number < n_choices; number++) {
        bool const knows_all = fix_operands(x, inv, in, number, &fixed, &n_choices);
        add_components(s, x, rs, inv, in, knows_all || needs_no_operands, &given);
        restore_operands(&fixed);
    }
    for (uint32_t c = 0; c < n; c++) {
        if (is_open && given.n[c] > 0) {
            v[c] = hypothesis_free(s, x, v[c]);
        } else if (fault_bug_takes_others(s->plan.id)) {
            if (given.n[c] > 0 && fmt >= 0) {
                collect_others(s, x, in, fmt, &v[c], given.bits[c], given.n[c]);
            }
        } else if (fmt >= 0 || is_beside) {
            v[c] = hypothesis_widen_around(s, x, v[c], fmt, given.fmt,
                                           fault_bug_get_radius(s->plan.id), given.bits[c],
                                           given.n[c]);
        } else {
            add_note(s, x, inv, in, c, v[c], given.bits[c], given.n[c]);
        }
    }
}

void explain_math(struct hypothesis *s, struct exec *x, const struct ruleset *rs,
                  struct invocation *inv, const struct mod_inst *in, struct value_result *r)
{
    for (; s; s = s->next) {
        if (!fault_is_of_math(s->plan.id) || !fault_is_planned(&s->plan, x->m, in)) {
            continue;
        }
        if (value_is_dot(in->op)) {
            explain_dot(s, x, inv, in, r);
        } else if (fault_fits_math(s->plan.id, rs->env, x->m, in)) {
            widen_result(s, x, rs, inv, in, r);
        }
    }
}

/* explain_selection for one hypothesis. */
static void select_other(const struct hypothesis *s, struct exec *x, const struct invocation *inv,
                         const struct mod_inst *in, struct value_result *r)
{
    uint32_t const id = in->n > MOD_OPERAND + 2 ? in->w[MOD_OPERAND] : 0;
    int const fmt = module_get_format(x->m, in->type);
    for (uint32_t c = 0; in->op == SpvOpSelect && id != 0 && fmt >= 0 && c < r->n; c++) {
        uint32_t const at = x->m->ids[id].n_slots == 1 ? 0 : c;
        const struct explain_note *note = explain_find_note(s, id, inv->global_index, at);
        uint64_t truth, added[HYPOTHESIS_MAX_VALUES];
        if (!note || note->added.n == 0 || !exec_known(x, exec_reg(x, inv, id)[at], &truth)) {
            continue;
        }
        struct val const other = exec_reg(x, inv, in->w[MOD_OPERAND + (truth ? 2 : 1)])[c];
        uint32_t const n = list_members(x, other, added);
        r->v[c] = hypothesis_widen(s, x, r->v[c], fmt, added, n);
    }
}

void explain_selection(const struct hypothesis *s, struct exec *x, const struct invocation *inv,
                       const struct mod_inst *in, struct value_result *r)
{
    for (; s; s = s->next) {
        select_other(s, x, inv, in, r);
    }
}

void explain_propagated(const struct hypothesis *s, struct exec *x, const struct ruleset *rs,
                        const struct mod_inst *in, uint32_t c, uint64_t exact, struct val *v)
{
    struct fault_math_site site;
    uint64_t added[HYPOTHESIS_MAX_VALUES];
    for (; s; s = s->next) {
        if (!fault_is_of_decorations(s->plan.id) || !fault_is_planned(&s->plan, x->m, in) ||
            !fault_fits_math(s->plan.id, rs->env, x->m, in)) {
            continue;
        }
        fault_describe_propagated(x, rs, in, c, exact, &site);
        site.honest = exact;
        site.other = exact;
        uint32_t const n = add_values(s, x, &site, (struct val){.bits = exact}, added, 0);
        *v = hypothesis_widen(s, x, *v, module_get_format(x->m, in->type), added, n);
    }
}

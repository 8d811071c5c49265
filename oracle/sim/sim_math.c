/* oracle/sim/sim_math.c -- float instructions of the simulated device, and faults planted in them. */
#include "oracle/sim/sim_math.h"

#include "base/format.h"
#include "base/ops.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_math.h"
#include "oracle/fault/faults_number.h"
#include "oracle/fault/faults_site.h"
#include "oracle/host/host.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_memory.h"
#include "oracle/interp/module.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/num/arith.h"
#include "oracle/num/set.h"
#include "oracle/sim/sim_hard.h"
#include "oracle/sim/sim_known.h"
#include "oracle/value/expression_hull.h"
#include "oracle/value/value.h"
#include "oracle/value/value_dot.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"
#include "oracle/value/value_within.h"

/* Another choice for each component. */
static uint64_t mix(uint64_t pick, uint32_t c)
{
    return hash_bytes(pick, &c, sizeof c);
}

static unsigned bits_of(const struct sim *s, const struct mod_inst *in, struct val v)
{
    unsigned const number = v.abs ? s->x.pool[v.abs].number : 0;
    if (number == 0) {
        return s->m.ids[in->type].t.bits;
    }
    return number == VALUE_INTEGER ? 32 : float_formats[number - 1].n_bits;
}

/* Results of a float instruction by the host's own arithmetic, which shares nothing with the oracle's sets,
 * and what it writes through a pointer. false: the host does not know it, or x.stop. */
static bool evaluate_by_host(struct sim *s, struct invocation *inv, const struct mod_inst *in,
                             struct value_result *r)
{
    uint32_t const pointer = value_find_pointer(&s->x, in);
    r->n = s->m.ids[in->result].n_slots;
    r->n_through = 0;
    if (pointer && !exec_pointer_slots(&s->x, inv, pointer, &r->to, &r->n_through)) {
        return false;
    }
    for (uint32_t c = 0; c < r->n && c < ARRAY_N(r->v); c++) {
        struct val through;
        if (host_apply(&s->x, &s->modes, inv, in, c, &r->v[c], &through) != 1) {
            return false;
        }
        if (c < r->n_through) {
            r->through[c] = through;
        }
    }
    value_record(&s->x, &s->rules, inv, in, r);
    return true;
}

/* Results of a float instruction by the device's strategy: by the host, or for each component one of the permitted
 * values, drawn by `pick`. All are known values then, so the pool of sets is emptied. false: x.stop. */
static bool evaluate(struct sim *s, struct invocation *inv, const struct mod_inst *in,
                     uint64_t pick, struct value_result *r)
{
    if (s->strategy == SIM_IEEE) {
        return evaluate_by_host(s, inv, in, r);
    }
    if (value_apply(&s->x, &s->rules, inv, in, r) != 1) {
        return false;
    }
    for (uint32_t c = 0; c < r->n; c++) {
        struct val const v = r->v[c];
        r->v[c] = (struct val){.bits = sim_choose(s, v, bits_of(s, in, v), mix(pick, c)),
                               .made_by = v.made_by};
    }
    for (uint32_t c = 0; c < r->n_through; c++) {
        struct val const v = r->through[c];
        r->through[c] = (struct val){.bits = sim_choose(s, v, bits_of(s, in, v), mix(pick, ~c))};
    }
    exec_empty_pool(&s->x);
    return true;
}

/* Returns the verdict that the oracle would give for `got` where v is permitted. VERDICT_OK: `got`
 * is in the set of v; or it is outside but no violation, by the grade of zeros of the other sign
 * or of other values; or the expression explains it when evaluated in another permitted way
 * (contraction and the like). Else the verdict of a wrong value. */
static enum verdict_kind grade_value(struct sim *s, struct val v, enum fmt_id fmt, uint64_t got)
{
    const struct float_format *f = &float_formats[fmt];
    const struct abstract *b = exec_get_abstract(&s->x, v); /* NULL: v is known */
    const struct set *set = b ? abstract_get_set(b) : NULL;
    bool const is_single = !b || abstract_is_one(b); /* bits is all that is permitted */
    uint64_t const bits = b ? b->bits : v.bits, other = got ^ f->sign;
    /* !set: anything is permitted */
    bool const has_got = is_single ? bits == got : !set || set_has(set, got);
    if (has_got) {
        return VERDICT_OK;
    }
    bool const is_other_zero =
        format_is_zero(f, got) && (is_single ? bits == other : set_has(set, other));
    enum grade grade = GRADE_VIOLATION;
    if (is_other_zero) {
        grade = value_get_grade(&s->x, v);
    } else if (b && !b->is_observed) {
        grade = value_grade_outside(b, got);
    }
    /* a legal oddity is one whatever else of the expression is stored, and so observed */
    bool const may_be_explained = fault_rows[s->fault].expect != VERDICT_OK;
    bool const is_explained = may_be_explained && b && !b->is_observed && b->freedom != 0 &&
                              expression_explains(&s->x, &s->rules, v, fmt, got);
    if (grade != GRADE_VIOLATION || is_explained) {
        return VERDICT_OK;
    }
    if (is_other_zero) {
        return VERDICT_ZERO_SIGN;
    }
    bool const wants_nan =
        is_single ? format_is_nan(f, bits) : (set->flags & (SET_QNAN | SET_SNAN)) != 0;
    return wants_nan || format_is_nan(f, got) ? VERDICT_NAN_RULE : VERDICT_ULP;
}

/* The same of `got` as component c of the result. */
static enum verdict_kind grade(struct sim *s, const struct invocation *inv,
                               const struct mod_inst *in, uint32_t c, enum fmt_id fmt, uint64_t got)
{
    struct value_result r;
    enum verdict_kind kind = VERDICT_OK;
    if (value_apply(&s->x, &s->rules, inv, in, &r) == 1) {
        kind = grade_value(s, r.v[c], fmt, got);
    }
    exec_empty_pool(&s->x);
    return kind;
}

/* The same of `got` as component c of an integer that goes through a pointer. */
static enum verdict_kind grade_second(struct sim *s, const struct invocation *inv,
                                      const struct mod_inst *in, uint32_t c, uint64_t got)
{
    struct value_result r;
    bool is_in = true;
    uint32_t n;
    bool const is_done = value_apply(&s->x, &s->rules, inv, in, &r) == 1;
    const struct val *const v = value_get_second(in, &r, &n);
    if (is_done && v[c].abs) {
        const struct abstract *b = &s->x.pool[v[c].abs];
        bool const is_choice = b->kind == ABSTRACT_CHOICE;
        if (is_choice) {
            is_in = accuracy_int_has(b->choices, (int32_t)(uint32_t)got);
        } else if (abstract_is_one(b)) {
            is_in = b->bits == got;
        }
    }
    exec_empty_pool(&s->x);
    return is_in ? VERDICT_OK : VERDICT_ULP;
}

/* The same of `got` as component c of what hands `exact` on. */
static enum verdict_kind grade_propagated(struct sim *s, const struct mod_inst *in, uint32_t c,
                                          enum fmt_id fmt, uint64_t exact, uint64_t got)
{
    struct val const v = value_within(&s->x, &s->rules, in, c, (struct val){.bits = exact});
    enum verdict_kind const kind = grade_value(s, v, fmt, got);
    exec_empty_pool(&s->x);
    return kind;
}

/* Whose result a fault may change: component c, or what goes through a pointer. handed: of an instruction that
 * hands a value on, that value; else NULL. */
struct plant_site {
    struct invocation *inv;
    const struct mod_inst *in;
    const uint64_t *handed;
    uint32_t c;
};

/* Lets the fault act on a result (*to) if its conditions hold, the value changes, and the change
 * would be judged as the fault's row expects. A site where it would be judged otherwise is counted
 * as weak. So is a site of a violation whose operands rest on undefined behaviour. */
static void plant_at(struct sim *s, const struct plant_site *p, const struct fault_math_site *site,
                     struct val *to)
{
    uint64_t wrong;
    bool const is_second = fault_is_of_second(s->fault);
    if (!sim_hard_math(s, p->inv, p->in, site)) {
        return;
    }
    bool const is_changed = is_second ? fault_change_second(s->fault, site, &wrong)
                                      : fault_change_math(s->fault, site, &wrong);
    if (!is_changed || wrong == site->honest) {
        return;
    }
    enum verdict_kind const kind =
        p->handed   ? grade_propagated(s, p->in, p->c, site->fmt, *p->handed, wrong)
        : is_second ? grade_second(s, p->inv, p->in, p->c, wrong)
                    : grade(s, p->inv, p->in, p->c, site->fmt, wrong);
    /* a plan that names the wrong value (choice) takes it whatever its verdict is */
    bool const is_expected =
        s->plan.choice > 0 || (kind == fault_rows[s->fault].expect &&
                               (kind == VERDICT_OK || !sim_rests_on_undefined(s, p->inv, p->in)));
    if (!is_expected) {
        s->n_weak_sites++;
    } else if (sim_is_site(s)) {
        sim_note_acted(s, (uint32_t)(p->in - s->m.code), true);
        to->bits = wrong;
    }
}

/* Is it in a function whose call is decorated? What the call gives may be off by more than the fault. */
static bool is_within_decorated_call(const struct sim *s, const struct invocation *inv)
{
    bool is_found = false;
    for (uint32_t i = 0; i < inv->depth; i++) {
        is_found |= value_propagates(&s->m, &s->m.code[inv->call[i].pc - 1]);
    }
    return is_found;
}

/* May the planted fault act on results of this instruction? Where values are not judged one by one (an illegal
 * case, or an uneven dispatch) a violation would not be seen. */
static bool may_plant(struct sim *s, const struct invocation *inv, const struct mod_inst *in)
{
    if (s->fault == FAULT_NONE || !fault_is_of_math(s->fault) || value_is_dot(in->op) ||
        s->fault == FAULT_FRACTION_ROUNDED || /* below, at conversions to integers */
        !fault_fits_math(s->fault, s->tc->env, &s->m, in) ||
        !fault_is_planned(&s->plan, &s->m, in)) {
        return false;
    }
    sim_note_there(s);
    bool const is_seen = sim_is_judged_by_value(s->tc) && !is_within_decorated_call(s, inv) &&
                         (!value_propagates(&s->m, in) || sim_propagates_known(s, in));
    if (!is_seen && fault_rows[s->fault].expect != VERDICT_OK) {
        s->n_weak_sites++;
        return false;
    }
    return true;
}

/* Lets the planted fault act on the n results `to` of a float instruction if this is its site: at one component,
 * or under a plan for everywhere at each that fits. handed: [n] what it propagates, or NULL. */
static void plant(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint64_t pick,
                  const uint64_t *handed, struct val *to, uint32_t n)
{
    struct fault_math_site site;
    for (uint32_t c = 0; c < n; c++) {
        struct plant_site const p = {inv, in, handed ? &handed[c] : NULL, c};
        if (handed) {
            fault_describe_propagated(&s->x, &s->rules, in, c, handed[c], &site);
        } else if (!fault_describe_math(&s->x, &s->rules, inv, in, c, &site)) {
            return;
        }
        uint64_t const honest = to[c].bits;
        site.honest = honest;
        site.pick = s->plan.choice ? s->plan.choice - 1 : pick;
        site.other = to[(c + 1) % n].bits;
        plant_at(s, &p, &site, &to[c]);
        if (to[c].bits != honest && !s->plan.everywhere) {
            return;
        }
    }
}

/* What a selection propagates, component by component. */
static void take_selected(const struct sim *s, const struct invocation *inv,
                          const struct mod_inst *in, uint64_t *out)
{
    enum {
        CONDITION = MOD_OPERAND, /* words */
        CHOSEN_IF_TRUE
    };
    uint32_t const n_tests = s->m.ids[in->w[CONDITION]].n_slots;
    for (uint32_t c = 0; c < s->m.ids[in->result].n_slots; c++) {
        bool const is_true = exec_reg(&s->x, inv, in->w[CONDITION])[n_tests == 1 ? 0 : c].bits != 0;
        out[c] = exec_reg(&s->x, inv, in->w[CHOSEN_IF_TRUE + (is_true ? 0 : 1)])[c].bits;
    }
}

/* Conversions to integers, and those of them whose operand the integer does not hold. */
static void count_conversions(struct sim *s, const struct invocation *inv,
                              const struct mod_inst *in)
{
    uint32_t const from = in->n > 3 && in->w[3] < s->m.n_ids ? in->w[3] : 0;
    int const fmt = module_get_format(&s->m, s->m.ids[from].type);
    for (uint32_t c = 0; fmt >= 0 && c < s->m.ids[from].n_slots; c++) {
        uint64_t bits, ignored;
        bool const fits = exec_known(&s->x, exec_reg(&s->x, inv, from)[c], &bits) &&
                          arith_to_int((enum fmt_id)fmt, bits, s->m.ids[in->type].t.bits,
                                       in->op == SpvOpConvertFToS, &ignored);
        s->conversions.n++;
        s->conversions.n_out_of_range += fits ? 0 : 1;
    }
}

/* Lets a fault of integer dot products act on one. */
static void plant_dot(struct sim *s, struct invocation *inv, const struct mod_inst *in,
                      struct val *to)
{
    uint64_t wrong;
    if (!value_is_dot(in->op) || s->fault == FAULT_NONE || !fault_is_of_math(s->fault) ||
        !fault_is_planned(&s->plan, &s->m, in) || !sim_is_judged_by_value(s->tc) ||
        !fault_fits_math(s->fault, s->tc->env, &s->m, in)) {
        return;
    }
    sim_note_there(s);
    struct val right;
    bool const is_defined = value_dot(&s->x, inv, in, &right) == 1 && !right.abs;
    bool const is_changed = fault_change_dot(s->fault, &s->x, inv, in, &wrong);
    exec_empty_pool(&s->x);
    if (is_defined && is_changed && wrong != to->bits && sim_is_site(s)) {
        sim_note_acted(s, (uint32_t)(in - s->m.code), true);
        to->bits = wrong;
    }
}

/* The integer next to that of the conversion, away from zero, where the operand has a fraction and is above 2^20. */
static bool round_away(const struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                       uint32_t c, uint64_t right, uint64_t *out)
{
    uint32_t const from = module_get_operand(&s->m, in, MOD_OPERAND);
    int const fmt = module_get_format(&s->m, s->m.ids[from].type);
    unsigned const n_bits = s->m.ids[in->type].t.bits;
    uint64_t bits;
    if (fmt < 0 || !exec_known(&s->x, exec_reg(&s->x, inv, from)[c], &bits)) {
        return false;
    }
    double const v = fault_decode((enum fmt_id)fmt, bits), size = v < 0 ? -v : v;
    *out = (v < 0 ? right - 1 : right + 1) & (UINT64_MAX >> (64 - n_bits));
    return size > 0x1p20 && size < 0x1p52 && size > (double)(uint64_t)size;
}

/* Lets the fault of conversions to integers act on one. */
static void plant_to_integer(struct sim *s, struct invocation *inv, const struct mod_inst *in,
                             struct val *to)
{
    if (s->fault != FAULT_FRACTION_ROUNDED || !sim_is_judged_by_value(s->tc) ||
        !fault_fits_math(s->fault, s->tc->env, &s->m, in) ||
        !fault_is_planned(&s->plan, &s->m, in)) {
        return;
    }
    sim_note_there(s);
    struct value_result right;
    bool const is_there = value_apply(&s->x, &s->rules, inv, in, &right) == 1;
    for (uint32_t c = 0; is_there && c < right.n; c++) {
        const struct abstract *const b = exec_get_abstract(&s->x, right.v[c]);
        uint64_t wrong;
        if ((!b || abstract_is_one(b)) && round_away(s, inv, in, c, to[c].bits, &wrong) &&
            !sim_rests_on_undefined(s, inv, in) && sim_is_site(s)) {
            sim_note_acted(s, (uint32_t)(in - s->m.code), true);
            to[c].bits = wrong;
        }
    }
    exec_empty_pool(&s->x);
}

/* Lets the fault of the plan act on what a float instruction gives. */
static void plant_result(struct sim *s, struct invocation *inv, const struct mod_inst *in,
                         uint64_t pick, struct value_result *r)
{
    if (may_plant(s, inv, in)) {
        uint64_t handed[MOD_MAX_COMPONENTS];
        bool const is_propagated = value_propagates(&s->m, in); /* a selection */
        bool const is_second = fault_is_of_second(s->fault);
        if (is_propagated) {
            take_selected(s, inv, in, handed);
        }
        uint32_t n = value_has_struct(in->op) ? r->n / 2 : r->n;
        struct val *const to = is_second ? value_get_second(in, r, &n) : r->v;
        plant(s, inv, in, pick, is_propagated ? handed : NULL, to, n);
    }
    plant_dot(s, inv, in, &r->v[0]);
    plant_to_integer(s, inv, in, r->v);
}

int sim_run_math(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint64_t pick)
{
    struct value_result r;
    if (in->op == SpvOpConvertFToS || in->op == SpvOpConvertFToU) {
        count_conversions(s, inv, in);
    }
    if (!evaluate(s, inv, in, pick, &r)) {
        return 0;
    }
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        sim_take_plan(s, plan);
        plant_result(s, inv, in, pick, &r);
    }
    value_put(&s->x, inv, in, &r);
    return s->x.stop == NULL;
}

int sim_propagate(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint64_t pick)
{
    uint64_t handed[MOD_MAX_COMPONENTS];
    struct val *const to = exec_reg(&s->x, inv, in->result);
    uint32_t const n = s->m.ids[in->result].n_slots;
    if (!value_propagates(&s->m, in) || n > MOD_MAX_COMPONENTS) {
        return 1;
    }
    for (uint32_t c = 0; c < n; c++) {
        handed[c] = to[c].bits;
        if (s->strategy != SIM_IEEE) {
            struct val const v = value_within(&s->x, &s->rules, in, c, to[c]);
            to[c].bits = sim_choose(s, v, s->m.ids[in->type].t.bits, mix(pick, c));
            exec_empty_pool(&s->x);
        }
    }
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        sim_take_plan(s, plan);
        if (may_plant(s, inv, in)) {
            plant(s, inv, in, pick, handed, to, n);
        }
    }
    return s->x.stop == NULL;
}

void sim_plant_number(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct sim *const s = x->user;
    struct val *const to = exec_reg(&s->x, inv, in->result);
    for (const struct fault_plan *plan = s->plans; plan; plan = plan->next) {
        sim_take_plan(s, plan);
        if (!fault_is_of_numbers(s->fault) || !fault_is_planned(&s->plan, &s->m, in) ||
            !sim_is_judged_by_value(s->tc)) {
            continue;
        }
        if (fault_fits_number(s->fault, &s->m, in)) {
            sim_note_there(s);
        }
        for (uint32_t c = 0; c < s->m.ids[in->result].n_slots; c++) {
            uint64_t wrong;
            if (!to[c].abs && fault_change_number(s->fault, &s->x, inv, in, c, &wrong) &&
                wrong != to[c].bits && sim_is_site(s)) {
                sim_note_acted(s, (uint32_t)(in - s->m.code), true);
                to[c].bits = wrong;
            }
        }
    }
}

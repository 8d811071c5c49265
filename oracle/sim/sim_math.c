/* oracle/sim/sim_math.c -- float instructions of the simulated device, and faults planted in them. */
#include "oracle/sim/sim_math.h"

#include "base/format.h"
#include "oracle/host/host.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_memory.h"
#include "oracle/interp/module.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/num/arith.h"
#include "oracle/num/set.h"
#include "oracle/sim/faults.h"
#include "oracle/sim/faults_math.h"
#include "oracle/sim/faults_site.h"
#include "oracle/sim/sim_group.h"
#include "oracle/sim/sim_hard.h"
#include "oracle/value/expression_hull.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"
#include <stdbool.h>

/* Another choice for each component. */
static uint64_t mix(uint64_t pick, uint32_t c)
{
    return hash_bytes(pick, &c, sizeof c);
}

static unsigned bits_of(const struct sim *s, const struct mod_inst *in, struct val v)
{
    unsigned const number = v.abs ? s->x.pool[v.abs].number : 0;
    return number == 0               ? s->m.ids[in->type].t.bits
           : number == VALUE_INTEGER ? 32
                                     : float_formats[number - 1].n_bits;
}

/* Results by the chooser, as values that are known. */
static int evaluate(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint64_t pick,
                    struct value_result *r)
{
    if (s->chooser == SIM_IEEE) {
        uint32_t const pointer = value_find_pointer(&s->x, in);
        r->n = s->m.ids[in->result].n_slots;
        r->n_through = 0;
        if (pointer && !exec_pointer_slots(&s->x, inv, pointer, &r->to, &r->n_through)) {
            return 0;
        }
        for (uint32_t c = 0; c < r->n && c < ARRAY_N(r->v); c++) {
            struct val through;
            if (host_apply(&s->x, &s->modes, inv, in, c, &r->v[c], &through) != 1) {
                return 0;
            }
            if (c < r->n_through) {
                r->through[c] = through;
            }
        }
        value_record(&s->x, &s->rules, inv, in, r);
        return 1;
    }
    if (value_apply(&s->x, &s->rules, inv, in, r) != 1) {
        return 0;
    }
    for (uint32_t c = 0; c < r->n; c++) {
        r->v[c] =
            (struct val){.bits = sim_choose(s, r->v[c], bits_of(s, in, r->v[c]), mix(pick, c)),
                         .made_by = r->v[c].made_by};
    }
    for (uint32_t c = 0; c < r->n_through; c++) {
        r->through[c] = (struct val){
            .bits = sim_choose(s, r->through[c], bits_of(s, in, r->through[c]), mix(pick, ~c))};
    }
    exec_empty_pool(&s->x);
    return 1;
}

static enum fmt_id fmt_of(const struct float_format *f)
{
    return (enum fmt_id)(f - float_formats);
}

/* What the oracle would call `got` as component c: VERDICT_OK where it is permitted or no violation. */
static enum verdict_kind grade(struct sim *s, const struct invocation *inv,
                               const struct mod_inst *in, uint32_t c, const struct float_format *f,
                               uint64_t got)
{
    struct value_result r;
    enum verdict_kind kind = VERDICT_OK;
    if (value_apply(&s->x, &s->rules, inv, in, &r) == 1) {
        struct val const v = r.v[c];
        const struct abstract *b = exec_get_abstract(&s->x, v);
        const struct set *set = b ? abstract_get_set(b) : NULL;
        int const is_single = !b || abstract_is_one(b);
        uint64_t const bits = b ? b->bits : v.bits;
        int const has_got = is_single ? bits == got : !set || set_has(set, got);
        uint64_t const other = got ^ f->sign;
        int const is_other_zero =
            !has_got && format_is_zero(f, got) && (is_single ? bits == other : set_has(set, other));
        enum grade const g = is_other_zero          ? value_get_grade(&s->x, v)
                             : !b || b->is_observed ? GRADE_VIOLATION
                                                    : value_grade_outside(b, got);
        bool const is_explained = b && !b->is_observed && b->freedom != 0 &&
                                  expression_explains(&s->x, &s->rules, v, fmt_of(f), got);
        if (!has_got && g == GRADE_VIOLATION && !is_explained) {
            int const wants_nan =
                is_single ? format_is_nan(f, bits) : (set->flags & (SET_QNAN | SET_SNAN)) != 0;
            kind = is_other_zero                        ? VERDICT_ZERO_SIGN
                   : wants_nan || format_is_nan(f, got) ? VERDICT_NAN_RULE
                                                        : VERDICT_ULP;
        }
    }
    exec_empty_pool(&s->x);
    return kind;
}

/* The same of `got` as component c of an integer that goes through a pointer. */
static enum verdict_kind grade_second(struct sim *s, const struct invocation *inv,
                                      const struct mod_inst *in, uint32_t c, uint64_t got)
{
    struct value_result r;
    enum verdict_kind kind = VERDICT_OK;
    if (value_apply(&s->x, &s->rules, inv, in, &r) == 1 && r.through[c].abs) {
        const struct abstract *b = &s->x.pool[r.through[c].abs];
        bool const has_got = b->kind == ABSTRACT_CHOICE
                                 ? accuracy_int_has(b->choices, (int32_t)(uint32_t)got)
                                 : !abstract_is_one(b) || b->bits == got;
        kind = has_got ? VERDICT_OK : VERDICT_ULP;
    }
    exec_empty_pool(&s->x);
    return kind;
}

/* Let the fault act on component c of the result, or of what goes through a pointer, if this is its site. */
static void plant_at(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint32_t c,
                     const struct fault_math_site *site, struct val *to)
{
    uint64_t wrong;
    bool const is_second = fault_is_of_second(s->fault);
    if (!sim_hard_math(s, inv, in, site) ||
        !(is_second ? fault_change_second(s->fault, site, &wrong)
                    : fault_change_math(s->fault, site, &wrong)) ||
        wrong == site->honest) {
        return;
    }
    enum verdict_kind const kind = is_second
                                       ? grade_second(s, inv, in, c, wrong)
                                       : grade(s, inv, in, c, &float_formats[site->fmt], wrong);
    if (kind != fault_rows[s->fault].expect) {
        s->n_weak_sites++;
    } else if (sim_is_site(s)) {
        s->applied = 1;
        s->fault_code = (uint32_t)(in - s->m.code);
        to->bits = wrong;
    }
}

/* Let the planted fault act on one component if this is its site. */
static void plant(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint64_t pick,
                  struct value_result *r)
{
    struct fault_math_site site;
    if (s->fault == FAULT_NONE || !fault_is_of_math(s->fault) ||
        !fault_fits_math(s->fault, s->tc->env, &s->m, in) || !sim_may_plant(s, in)) {
        return;
    }
    int const is_told = s->tc->class != CLASS_ILLEGAL && !sim_is_uneven(s->tc);
    if (!is_told &&
        fault_rows[s->fault].expect != VERDICT_OK) { /* values are not judged one by one */
        s->n_weak_sites++;
        return;
    }
    bool const is_second = fault_is_of_second(s->fault);
    struct val *const to = is_second ? r->through : r->v;
    uint32_t const n = is_second ? r->n_through : r->n;
    for (uint32_t c = 0; c < n; c++) {
        if (!fault_describe_math(&s->x, &s->rules, inv, in, c, &site)) {
            return;
        }
        uint64_t const honest = to[c].bits;
        site.honest = honest;
        site.pick = pick;
        site.other = to[(c + 1) % n].bits;
        plant_at(s, inv, in, c, &site, &to[c]);
        if (to[c].bits != honest && !s->plan.everywhere) {
            return;
        }
    }
}

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

int sim_run_math(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint64_t pick)
{
    struct value_result r;
    if (in->op == SpvOpConvertFToS || in->op == SpvOpConvertFToU) {
        count_conversions(s, inv, in);
    }
    if (!evaluate(s, inv, in, pick, &r)) {
        return 0;
    }
    plant(s, inv, in, pick, &r);
    value_put(&s->x, inv, in, &r);
    return s->x.stop == NULL;
}

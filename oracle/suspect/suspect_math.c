/* oracle/suspect/suspect_math.c -- float instructions of a device that is taken to have a fault. */
#include "oracle/suspect/suspect_math.h"

#include "base/format.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_math.h"
#include "oracle/fault/faults_site.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/num/set.h"
#include "oracle/value/value_dot.h"
#include "oracle/value/value_shape.h"

/* Are all operands of the instruction known, those that are values? */
static bool knows_operands(const struct exec *x, const struct invocation *inv,
                           const struct mod_inst *in)
{
    for (uint32_t i = value_first_operand(in->op); i < in->n; i++) {
        uint32_t const id = in->w[i];
        bool const is_value = id < x->m->n_ids && x->m->ids[id].n_slots > 0;
        for (uint32_t c = 0; is_value && c < x->m->ids[id].n_slots; c++) {
            uint64_t ignored;
            if (!exec_known(x, exec_reg(x, inv, id)[c], &ignored)) {
                return false;
            }
        }
    }
    return true;
}

/* What an honest device gives as component c: the exact result rounded, or one that is permitted. */
static uint64_t get_honest(const struct exec *x, const struct fault_math_site *site, struct val v)
{
    const struct abstract *b = exec_get_abstract(x, v);
    uint64_t exact;
    if (!b || abstract_is_one(b)) {
        return b ? b->bits : v.bits;
    }
    if (fault_get_exact(site, &exact)) {
        return exact;
    }
    return b->kind == ABSTRACT_SET && b->set->n > 0 ? set_nth(b->set, 0) : b->bits;
}

/* Values that the fault gives as component c, by each of its choices. Returns how many. */
static uint32_t list_values(const struct suspicion *s, const struct exec *x,
                            struct fault_math_site *site, const struct value_result *r,
                            uint64_t *out)
{
    uint32_t n = 0;
    site->honest = get_honest(x, site, r->v[site->component]);
    site->other = get_honest(x, site, r->v[(site->component + 1) % r->n]);
    for (uint64_t pick = 0; pick < SUSPECT_MAX_VALUES; pick++) {
        uint64_t wrong;
        site->pick = pick;
        if (fault_change_math(s->plan.id, site, &wrong) && wrong != site->honest) {
            bool is_new = true;
            for (uint32_t i = 0; i < n; i++) {
                is_new &= out[i] != wrong;
            }
            out[n] = wrong;
            n += is_new;
        }
    }
    return n;
}

void suspect_math(const struct suspicion *s, struct exec *x, const struct ruleset *rs,
                  struct invocation *inv, const struct mod_inst *in, struct value_result *r)
{
    struct val wide[ARRAY_N(r->v)];
    struct fault_math_site site;
    if (!fault_is_of_math(s->plan.id) || value_is_dot(in->op) ||
        !fault_is_planned(&s->plan, x->m, in) || !fault_fits_math(s->plan.id, rs->env, x->m, in) ||
        fault_is_of_second(s->plan.id) || !knows_operands(x, inv, in)) {
        return;
    }
    int const fmt = module_get_format(x->m, in->type);
    for (uint32_t c = 0; c < r->n; c++) {
        uint64_t further[SUSPECT_MAX_VALUES];
        wide[c] = r->v[c];
        if (fault_describe_math(x, rs, inv, in, c, &site)) {
            uint32_t const n = list_values(s, x, &site, r, further);
            wide[c] = suspect_widen(s, x, r->v[c], fmt, further, n);
        }
    }
    for (uint32_t c = 0; c < r->n; c++) {
        r->v[c] = wide[c];
    }
}

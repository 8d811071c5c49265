/* oracle/suspect/suspect_math.c -- float instructions of a device that is taken to have a fault. */
#include "oracle/suspect/suspect_math.h"

#include <string.h>

#include "base/format.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_bug.h"
#include "oracle/fault/faults_math.h"
#include "oracle/fault/faults_site.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/num/set.h"
#include "oracle/value/value_dot.h"
#include "oracle/value/value_shape.h"

enum {
    MAX_OPERANDS = 4 * MOD_MAX_COMPONENTS /* scalars that may have to be put back */
};
/* Registers that were made known for a while. */
struct held {
    uint32_t n;
    struct val *reg[MAX_OPERANDS], was[MAX_OPERANDS];
};

/* The value that v may have, also where it may be computed together with what is done with it; of a few it may have,
 * the one of that number. false: it may be anything, or one of many. *n: how many there are, where that is more. */
static bool choose(const struct exec *x, struct val v, uint32_t number, uint64_t *bits, uint32_t *n)
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
    if (count == 0 || count > SUSPECT_MAX_OPERANDS) {
        return false;
    }
    *n = count > *n ? (uint32_t)count : *n;
    *bits = set_nth(b->set, number % count);
    return true;
}

/* Makes all operands known that have few values, by the choice of that number; *n: how many choices there are. false:
 * one may have many values; `held` is to be given back in any case. */
static bool hold_operands(const struct exec *x, const struct invocation *inv,
                          const struct mod_inst *in, uint32_t number, struct held *held,
                          uint32_t *n)
{
    held->n = 0;
    for (uint32_t i = value_first_operand(in->op); i < in->n; i++) {
        uint32_t const id = in->w[i];
        bool const is_value = id < x->m->n_ids && x->m->ids[id].n_slots > 0;
        for (uint32_t c = 0; is_value && c < x->m->ids[id].n_slots; c++) {
            struct val *const reg = &exec_reg(x, inv, id)[c];
            uint64_t bits;
            if (!choose(x, *reg, number, &bits, n) || held->n == MAX_OPERANDS) {
                return false;
            }
            if (reg->abs) {
                held->reg[held->n] = reg;
                held->was[held->n++] = *reg;
                *reg = (struct val){.bits = bits};
            }
        }
    }
    return true;
}

static void give_back(const struct held *held)
{
    for (uint32_t i = held->n; i > 0; i--) {
        *held->reg[i - 1] = held->was[i - 1];
    }
}

/* What an honest device gives as component c: the exact result rounded, or one that is permitted. */
static uint64_t get_honest(const struct exec *x, const struct fault_math_site *site, struct val v)
{
    v = suspect_get_right(x, v);
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

/* Adds to out[n] what the fault gives at the site, by each of its choices. Returns how many there are then. */
static uint32_t add_values(const struct suspicion *s, struct fault_math_site *site, uint64_t *out,
                           uint32_t n)
{
    for (uint64_t pick = 0; pick < SUSPECT_MAX_CHOICES; pick++) {
        uint64_t wrong;
        site->pick = pick;
        if (!fault_change_math(s->plan.id, site, &wrong) || wrong == site->honest) {
            continue;
        }
        bool is_new = true;
        for (uint32_t i = 0; i < n; i++) {
            is_new &= out[i] != wrong;
        }
        out[n] = wrong;
        n += is_new;
    }
    return n;
}

/* What a fault gives as each component. */
struct given {
    uint32_t n[2 * MOD_MAX_COMPONENTS];
    uint64_t bits[2 * MOD_MAX_COMPONENTS][SUSPECT_MAX_VALUES];
};

/* Adds what the fault gives of the operands as they are in the registers. */
static void add_components(const struct suspicion *s, struct exec *x, const struct ruleset *rs,
                           const struct invocation *inv, const struct mod_inst *in,
                           const struct value_result *r, struct given *given)
{
    struct fault_math_site site;
    for (uint32_t c = 0; c < r->n; c++) {
        if (fault_describe_math(x, rs, inv, in, c, &site)) {
            site.honest = get_honest(x, &site, r->v[c]);
            site.other = get_honest(x, &site, r->v[(c + 1) % r->n]);
            given->n[c] = add_values(s, &site, given->bits[c], given->n[c]);
        }
    }
}

/* Widens by what one fault makes of each component. */
static void widen_by(const struct suspicion *s, struct exec *x, const struct ruleset *rs,
                     struct invocation *inv, const struct mod_inst *in, struct value_result *r)
{
    struct given given;
    struct held held;
    if (!fault_is_of_math(s->plan.id) || value_is_dot(in->op) ||
        !fault_is_planned(&s->plan, x->m, in) || !fault_fits_math(s->plan.id, rs->env, x->m, in) ||
        fault_is_of_second(s->plan.id)) {
        return;
    }
    memset(given.n, 0, sizeof given.n);
    for (uint32_t number = 0, n = 1; number < n; number++) {
        if (hold_operands(x, inv, in, number, &held, &n)) {
            add_components(s, x, rs, inv, in, r, &given);
        }
        give_back(&held);
    }
    int const fmt = module_get_format(x->m, in->type);
    bool const is_open = fault_is_open(s->plan.id);
    for (uint32_t c = 0; c < r->n; c++) {
        if (is_open && given.n[c] > 0) {
            r->v[c] = suspect_open(s, x, r->v[c]);
            continue;
        }
        r->v[c] = suspect_widen(s, x, r->v[c], fmt, given.bits[c], given.n[c]);
    }
}

void suspect_math(const struct suspicion *s, struct exec *x, const struct ruleset *rs,
                  struct invocation *inv, const struct mod_inst *in, struct value_result *r)
{
    for (; s; s = s->next) {
        widen_by(s, x, rs, inv, in, r);
    }
}

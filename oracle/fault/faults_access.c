/* oracle/fault/faults_access.c -- one dynamic atomic, for faults to look at. */
#include "oracle/fault/faults_access.h"

#include "base/format.h"
#include "base/testcase.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/static_facts.h"
#include "oracle/math/rules.h"

/* Is the result's register read by any instruction? */
static bool is_used(const struct module *m, const struct mod_inst *in)
{
    for (uint32_t i = 0; in->result && i < m->n_code; i++) {
        const struct mod_inst *user = &m->code[i];
        for (uint32_t k = 1; user != in && k < user->n; k++) {
            if (user->w[k] == in->result) {
                return true;
            }
        }
    }
    return false;
}

static const struct mod_inst *find_definition(const struct module *m, uint32_t id)
{
    uint32_t const def = m->ids[id].def;
    return def == UINT32_MAX ? NULL : &m->code[def];
}

/* The instruction that gives a value; of a parameter of a function, that of the argument in the call that runs. NULL: none. */
static const struct mod_inst *find_origin(const struct exec *x, const struct invocation *inv,
                                          uint32_t id)
{
    enum {
        FIRST_ARGUMENT = MOD_OPERAND + 1 /* word of OpFunctionCall */
    };
    const struct mod_inst *def = find_definition(x->m, id);
    for (uint32_t depth = inv->depth; depth > 0 && def && def->op == SpvOpFunctionParameter;
         depth--) {
        const struct mod_inst *const call = find_definition(x->m, inv->call[depth - 1].result);
        uint32_t n = FIRST_ARGUMENT;
        while (def > x->m->code && def[-1].op == SpvOpFunctionParameter) {
            def--;
            n++;
        }
        def = call && n < call->n ? find_definition(x->m, call->w[n]) : NULL;
    }
    return def;
}

/* A product that gives the operand of an addition which it may not go into unrounded, perhaps by its negation. */
static void find_product(const struct exec *x, const struct ruleset *rs,
                         const struct invocation *inv, const struct mod_inst *in,
                         struct fault_site *site)
{
    const struct mod_inst *mul = site->op == MO_FADD ? find_origin(x, inv, in->w[6]) : NULL;
    bool const is_negated = mul && mul->op == SpvOpFNegate;
    mul = is_negated ? find_origin(x, inv, mul->w[3]) : mul;
    struct rules const r = ruleset_get(rs, RULE_ATOMIC, site->fmt, &x->m->ids[in->result]);
    if (!mul || mul->op != SpvOpFMul || x->m->ids[mul->result].n_slots != 1 || r.freedom != 0) {
        return;
    }
    site->has_product = exec_known(x, *exec_reg(x, inv, mul->w[3]), &site->product[0]) &&
                        exec_known(x, *exec_reg(x, inv, mul->w[4]), &site->product[1]);
    site->product[0] ^= is_negated ? float_formats[site->fmt].sign : 0;
}

/* Is the atomic's scope, a constant or a value of run time, wider than a work-group? */
static bool has_wide_scope(const struct exec *x, const struct invocation *inv,
                           const struct mod_inst *in)
{
    uint32_t const word = in->op == SpvOpAtomicStore ? 2 : 4;
    return word < in->n && exec_reg(x, inv, in->w[word])->bits < SpvScopeWorkgroup;
}

/* Bytes from the same texel of the first layer, face or slice of an image to this one. */
static uint32_t count_back(const struct testcase *tc, struct location p)
{
    if (p.space != SPACE_BUFFER || !buf_is_image(tc->bufs[p.object].kind)) {
        return 0;
    }
    const struct buf *const b = &tc->bufs[p.object];
    uint32_t const slice = b->width * b->height * buf_texel_bytes(b->kind);
    return slice == 0 ? 0 : p.offset - p.offset % slice;
}

void fault_describe_access(const struct exec *x, const struct ruleset *rs,
                           const struct invocation *inv, const struct mod_inst *in,
                           struct location p, struct fault_site *site)
{
    uint32_t const n_bytes = site->n_bits / 8;
    uint32_t const limit =
        p.space == SPACE_BUFFER ? x->tc->bufs[p.object].n_bytes : x->m->wg_size[p.object];
    site->op = fault_get_mo_op(in->op);
    find_product(x, rs, inv, in, site);
    site->is_hole = static_is_hole(x->m, x->tc->env, in);
    site->is_used = is_used(x->m, in);
    site->local_index = inv->local_index;
    site->group = inv->group_index;
    site->has_wide_scope = has_wide_scope(x, inv, in);
    site->is_local = p.space == SPACE_WORKGROUP;
    site->is_physical = p.space == SPACE_BUFFER && x->tc->bufs[p.object].kind == BUF_ADDRESS;
    site->back_bytes = count_back(x->tc, p);
    site->has_neighbour = p.offset + 2 * n_bytes <= limit;
}

/* gen/plan/refusal.c -- the legal modules in which rules are broken, and which rule a tape breaks. */
#include "gen/plan/refusal.h"

#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "gen/illegal/illegal_edit.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"

enum {
    REFUSAL_ITEMS = 8,     /* one work-group */
    WHOLE_OF = 16,         /* one in so many random cases stays legal */
    MAX_ERROR = 0x40800000 /* 4 ulp: more than any driver needs */
};

/* Bits that a float and an integer can be. */
static struct input input_of(enum ir_type type)
{
    return (struct input){.type = type, .class = INPUT_SMALL_INT, .plain = true};
}

static struct ir_inst *put_input(struct build *b, enum ir_type type)
{
    struct input const what = input_of(type);
    return operand_load(b, &what, false);
}

/* Cells of that type, one for each invocation; of vectors with more than one component. */
static uint32_t add_cells(struct build *b, enum ir_type type, uint32_t n_components)
{
    struct ir_var const v = {
        .kind = VAR_BUFFER, .type = type, .n = REFUSAL_ITEMS, .n_components = n_components};
    struct cells *const c = &b->cells[b->n_cells++];
    legal_add_var_needs(&b->p, &v);
    *c = (struct cells){.type = type,
                        .n_cells = REFUSAL_ITEMS,
                        .n_components = n_components,
                        .initial = input_of(type),
                        .var = ir_add_var(&b->p, v)};
    return c->var;
}

/* An atomic of each invocation's own cell, relaxed; its result is stored. */
static void put_atomic(struct build *b, enum op_id op, enum ir_type type, bool is_generic)
{
    struct ir_atomic x = {.op = op,
                          .var = add_cells(b, type, 0),
                          .scope = SpvScopeDevice,
                          .index = b->p.gid,
                          .value = put_input(b, type),
                          .generic = is_generic};
    if (op == OP_core_AtomicCompareExchange) {
        x.comparator = put_input(b, type);
    }
    legal_add_atomic_needs(&b->p, &x);
    legal_add_scope_needs(&b->p, x.scope);
    operand_probe(b, ir_atomic(&b->p, b->flow.block, &x));
}

struct parent_row;

/* How the instructions of a legal module are put. */
struct parent_row {
    void (*put)(struct build *b, const struct parent_row *row, uint32_t variant);
    enum op_id op;
    enum ir_type type;
    uint32_t cluster; /* size; 0: none */
    bool is_special;  /* a generic pointer; a max error */
};

/* An addition on a vector of two f16. */
static void put_vector(struct build *b, const struct parent_row *row, uint32_t variant)
{
    (void)variant;
    enum {
        N = 2
    };
    struct ir_inst *part[N];
    struct ir_atomic x = {.op = row->op,
                          .var = add_cells(b, row->type, N),
                          .scope = SpvScopeDevice,
                          .index = b->p.gid};
    for (uint32_t i = 0; i < N; i++) {
        part[i] = put_input(b, row->type);
    }
    x.value = operand_vector(b, N, part);
    legal_add_atomic_needs(&b->p, &x);
    legal_add_scope_needs(&b->p, x.scope);
    struct ir_inst *const result = ir_atomic(&b->p, b->flow.block, &x);
    for (uint32_t i = 0; i < N; i++) {
        operand_probe(b, operand_part(b, result, i));
    }
}

static void put_one(struct build *b, const struct parent_row *row, uint32_t variant)
{
    (void)variant;
    put_atomic(b, row->op, row->type, row->is_special);
}

/* The exchange comes first: its pointer is there where the other is changed. */
static void put_atomics(struct build *b, const struct parent_row *row, uint32_t variant)
{
    bool const is_max = row->op == OP_core_AtomicFMinEXT && variant;
    put_atomic(b, OP_core_AtomicExchange, IR_I32, false);
    put_atomic(b, is_max ? OP_core_AtomicFMaxEXT : row->op, row->type, false);
}

static void put_compare(struct build *b, const struct parent_row *row, uint32_t variant)
{
    put_one(b, row, variant);
    put_atomic(b, OP_core_AtomicCompareExchange, IR_I32, false);
}

/* A product with or without a max error, a sum without one, and a product of integers. */
static void put_arith(struct build *b, const struct parent_row *row, uint32_t variant)
{
    (void)variant;
    struct ir_inst *const x = put_input(b, IR_F32);
    struct ir_inst *const y = put_input(b, IR_F32);
    struct ir_inst *const product = operand_plain(b, SpvOpFMul, IR_F32, x, y);
    product->math.is_decorated = row->is_special;
    product->math.max_error = MAX_ERROR;
    needs_add_if(&b->p.needs, NEED_CL_MAX_ERROR, row->is_special);
    operand_probe(b, product);
    operand_probe(b, operand_plain(b, SpvOpFAdd, IR_F32, x, y));
    operand_probe(b, operand_int(b, SpvOpIMul, put_input(b, IR_I32), b->p.gid));
}

/* Which invocations form a sub-group, for the judge. */
static void put_subgroup(struct build *b)
{
    static const uint32_t builtins[] = {SpvBuiltInSubgroupId, SpvBuiltInSubgroupLocalInvocationId,
                                        SpvBuiltInSubgroupSize};
    legal_add_subgroup_needs(&b->p);
    for (size_t i = 0; i < ARRAY_N(builtins); i++) {
        operand_probe(b, ir_subgroup(&b->p, b->flow.block, builtins[i]));
    }
}

static void put_group(struct build *b, struct ir_group x)
{
    x.value[0] = put_input(b, x.type);
    x.n = 1;
    if (x.op == OP_amd_ballot_WriteInvocationAMD) {
        x.other[0] = operand_plain(b, SpvOpBitcast, x.type, operand_i32(b, 0), NULL);
        x.second = operand_i32(b, 0);
    }
    legal_add_group_needs(&b->p, &x, x.type);
    operand_probe(b, ir_group(&b->p, b->flow.block, &x, x.type, 1));
}

/* A reduction of floats, row->op, and one of integers of the same kind. */
static void put_reductions(struct build *b, const struct parent_row *row, uint32_t variant)
{
    bool const is_workgroup = row->op == OP_core_GroupFAdd && variant && b->env == ENV_CL;
    struct ir_group x = {.op = row->op,
                         .scope = is_workgroup ? SpvScopeWorkgroup : SpvScopeSubgroup,
                         .operation = row->cluster ? SpvGroupOperationClusteredReduce
                                                   : SpvGroupOperationReduce,
                         .cluster = row->cluster,
                         .type = IR_F32};
    if (!is_workgroup) {
        put_subgroup(b);
    }
    put_group(b, x);
    x.op = row->op == OP_core_GroupFAdd ? OP_core_GroupIAdd : OP_core_GroupNonUniformIAdd;
    x.type = IR_I32;
    put_group(b, x);
}

/* All of AMD's reductions. */
static void put_amd(struct build *b, const struct parent_row *row, uint32_t variant)
{
    (void)row;
    (void)variant;
    put_subgroup(b);
    for (int op = OP_core_GroupIAddNonUniformAMD; op <= OP_core_GroupSMaxNonUniformAMD; op++) {
        bool const is_float = (op_rows[op].types & TYPE_F32) != 0;
        put_group(b, (struct ir_group){.op = (enum op_id)op,
                                       .scope = SpvScopeSubgroup,
                                       .operation = SpvGroupOperationReduce,
                                       .type = is_float ? IR_F32 : IR_I32});
    }
}

/* One of AMD's extended instructions. Lanes are exchanged in pairs. */
static void put_extended(struct build *b, const struct parent_row *row, uint32_t variant)
{
    struct ir_group x = {.op = row->op, .operation = IR_NO_OPERATION, .type = row->type};
    static const uint32_t offset[4] = {1, 0, 3, 2};
    static const uint32_t mask[3] = {31, 0, 1};
    (void)variant;
    if (row->op == OP_amd_ballot_SwizzleInvocationsAMD) {
        memcpy(x.pattern, offset, sizeof offset);
    } else if (row->op == OP_amd_ballot_SwizzleInvocationsMaskedAMD) {
        memcpy(x.pattern, mask, sizeof mask);
    }
    put_subgroup(b);
    put_group(b, x);
}

static const struct parent_row parents[ILLEGAL_PARENT_N] = {
    [PARENT_ADD16] = {put_atomics,    OP_core_AtomicFAddEXT,                     IR_F16, 0, false},
    [PARENT_ADD32] = {put_atomics,    OP_core_AtomicFAddEXT,                     IR_F32, 0, false},
    [PARENT_ADD64] = {put_atomics,    OP_core_AtomicFAddEXT,                     IR_F64, 0, false},
    [PARENT_MINMAX16] = {put_atomics,    OP_core_AtomicFMinEXT,                     IR_F16, 0, false},
    [PARENT_MINMAX32] = {put_atomics,    OP_core_AtomicFMinEXT,                     IR_F32, 0, false},
    [PARENT_MINMAX64] = {put_atomics,    OP_core_AtomicFMinEXT,                     IR_F64, 0, false},
    [PARENT_EXCHANGE16] = {put_one,        OP_core_AtomicExchange,                    IR_F16, 0, false},
    [PARENT_COMPARE] = {put_compare,    OP_core_AtomicFAddEXT,                     IR_F32, 0, false},
    [PARENT_GENERIC] = {put_one,        OP_core_AtomicFAddEXT,                     IR_F32, 0, true },
    [PARENT_MAX_ERROR] = {put_arith,      OP_core_FMul,                              IR_F32, 0, true },
    [PARENT_ARITH] = {put_arith,      OP_core_FMul,                              IR_F32, 0, false},
    [PARENT_AMD_GROUP] = {put_amd,        OP_core_GroupIAddNonUniformAMD,            IR_F32, 0, false},
    [PARENT_SWIZZLE] = {put_extended,   OP_amd_ballot_SwizzleInvocationsAMD,       IR_F32, 0, false},
    [PARENT_MASKED] = {put_extended,   OP_amd_ballot_SwizzleInvocationsMaskedAMD, IR_F32, 0, false},
    [PARENT_WRITE] = {put_extended,   OP_amd_ballot_WriteInvocationAMD,          IR_F32, 0, false},
    [PARENT_MBCNT] = {put_extended,   OP_amd_ballot_MbcntAMD,                    IR_I32, 0, false},
    [PARENT_GROUP] = {put_reductions, OP_core_GroupFAdd,                         IR_F32, 0, false},
    [PARENT_ARITHMETIC] = {put_reductions, OP_core_GroupNonUniformFAdd,               IR_F32, 0, false},
    [PARENT_CLUSTERED] = {put_reductions, OP_core_GroupNonUniformFAdd,               IR_F32, 4, false},
    [PARENT_VECTOR] = {put_vector,     OP_core_AtomicFAddEXT,                     IR_F16, 0, false},
};

/* One work-group, and the oldest version that has what is used. */
static void plan_frame(struct build *b, enum illegal_parent parent)
{
    b->dispatch.n_items = b->dispatch.n_live = b->dispatch.n_local = REFUSAL_ITEMS;
    b->dispatch.n_groups = 1;
    for (int i = 0; i < 3; i++) {
        b->p.local[i] = b->p.global[i] = i == 0 ? REFUSAL_ITEMS : 1;
    }
    b->p.contraction_off = true;
    b->p.version = IR_SPIRV_1_0;
    b->modes.build_options = "";
    if (b->env == ENV_VK) {
        b->p.version = IR_SPIRV_1_3;
        needs_add(&b->p.needs, NEED_VK_SPIRV_1_3);
    } else if (parent == PARENT_ARITHMETIC || parent == PARENT_CLUSTERED) {
        b->p.version = IR_SPIRV_1_3;
        needs_add(&b->p.needs, NEED_CL_IL_1_3);
    } else {
        needs_add(&b->p.needs, NEED_CL_IL_1_0);
    }
}

/* The decisions, in this order. */
static struct refusal take(enum env env, struct tape *t)
{
    struct refusal r;
    tape_name_node(t, NODE_PLAIN);
    r.is_broken = tape_take_below(t, WHOLE_OF, ROLE_MODE) != 0;
    uint64_t const number = tape_take_u64(t, ROLE_OPERATION);
    r.rule = illegal_pick(env, number);
    r.parent = number == 0 && !r.is_broken ? PARENT_ARITH : r.rule->parent;
    r.variant = (uint32_t)tape_take_below(t, REFUSAL_VARIANTS, ROLE_FORM);
    return r;
}

void refusal_plan(struct build *b, struct tape *root)
{
    struct tape t = tape_fork(root);
    b->refusal = take(b->env, &t);
    b->info.rule = b->refusal.is_broken ? b->refusal.rule->name : NULL;
    b->flow = (struct flow){.block = &b->p.main, .is_uniform = true, .n_iterations = 1};
    plan_frame(b, b->refusal.parent);
    const struct parent_row *const row = &parents[b->refusal.parent];
    row->put(b, row, b->refusal.variant);
}

/* The module as the change of a rule leaves it. */
static enum res change(const struct build *b, const struct illegal_rule *rule, struct testcase *out,
                       struct err *e)
{
    uint32_t n = 0;
    const uint32_t *const made =
        illegal_make(rule, ILLEGAL_BROKEN, out->module, out->n_words, b->a, &n);
    if (!made) {
        return err_set(e, b->a->is_full ? RES_NOMEM : RES_INTERNAL,
                       "rule %s: could not be broken in its module", rule->name);
    }
    out->module = made;
    out->n_words = n;
    return RES_OK;
}

enum res refusal_break(const struct build *b, struct testcase *out, struct err *e)
{
    return b->profile == PROFILE_REFUSALS && b->refusal.is_broken
               ? change(b, b->refusal.rule, out, e)
               : RES_OK;
}

enum res refusal_make_tape(const struct refusal *what, enum env env, struct arena *a,
                           struct tape *out, struct err *e)
{
    uint64_t const decisions[] = {what->is_broken, illegal_get_hash(what->rule), what->variant};
    size_t const n = TAPE_HEAD_RECORDS + 1 + ARRAY_N(decisions);
    unsigned char *const data = arena_take(a, n * TAPE_RECORD_BYTES);
    if (!data) {
        return err_set(e, RES_NOMEM, "tape: arena full");
    }
    memset(data, 0, n * TAPE_RECORD_BYTES);
    data[0] = env == ENV_VK; /* as gen_get_env reads it */
    data[TAPE_HEAD_RECORDS * TAPE_RECORD_BYTES] = ARRAY_N(decisions);
    for (size_t i = 0; i < ARRAY_N(decisions); i++) {
        store_le(data + (TAPE_HEAD_RECORDS + 1 + i) * TAPE_RECORD_BYTES, decisions[i],
                 TAPE_RECORD_BYTES);
    }
    *out = (struct tape){.data = data, .n_records = n};
    return RES_OK;
}

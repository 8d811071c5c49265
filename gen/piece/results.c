/* gen/piece/results.c -- group operations and atomics whose results pieces use. */
#include "gen/piece/results.h"

#include "base/spv.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/piece/numbers.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"

/* ---- group operations ---- */

static const enum op_id shuffles[] = {OP_core_GroupNonUniformShuffle,
                                      OP_core_GroupNonUniformShuffleXor};
/* Sums of floats are none of them: they depend on the order. */
static const enum op_id scans[] = {OP_core_GroupNonUniformIAdd, OP_core_GroupNonUniformSMin,
                                   OP_core_GroupNonUniformUMax, OP_core_GroupNonUniformFMin,
                                   OP_core_GroupNonUniformFMax, OP_core_GroupIAdd,
                                   OP_core_GroupSMin,           OP_core_GroupUMax,
                                   OP_core_GroupFMin,           OP_core_GroupFMax};
static const enum op_id sums[] = {OP_core_GroupIAdd, OP_core_GroupNonUniformIAdd, OP_core_GroupFAdd,
                                  OP_core_GroupNonUniformFAdd};

/* The group operation `op` on a value of that type; false: it may not stand here. */
static bool get_group(const struct build *b, enum op_id op, enum ir_type type, uint32_t operation,
                      struct ir_group *x)
{
    bool const has_subgroup = b->subgroup.lane != NULL;
    *x = (struct ir_group){.op = op,
                           .scope = has_subgroup ? SpvScopeSubgroup : SpvScopeWorkgroup,
                           .operation = operation,
                           .type = type,
                           .n = 1};
    return build_is_full(b) && (has_subgroup || b->env == ENV_CL) && legal_is_group(&b->p, x) &&
           legal_may_group(&b->p, x, type);
}

/* One of the n operations, by choice; false: none may stand here. */
static bool pick_group(const struct build *b, const enum op_id *ops, size_t n, enum ir_type type,
                       uint32_t operation, uint64_t choice, struct ir_group *x)
{
    for (size_t i = 0; i < n; i++) {
        if (get_group(b, ops[(choice + i) % n], type, operation, x)) {
            return true;
        }
    }
    return false;
}

bool results_may_shuffle(const struct build *b, enum ir_type type)
{
    struct ir_group x;
    return b->subgroup.lane &&
           pick_group(b, shuffles, ARRAY_N(shuffles), type, IR_NO_OPERATION, 0, &x);
}

bool results_may_scan(const struct build *b, enum ir_type type)
{
    struct ir_group x;
    return pick_group(b, scans, ARRAY_N(scans), type, SpvGroupOperationInclusiveScan, 0, &x);
}

static struct ir_inst *put_group(struct build *b, const struct ir_group *x)
{
    legal_add_group_needs(&b->p, x, x->type);
    b->progress.n_built++;
    b->info.n_groups++;
    return ir_group(&b->p, b->flow.block, x, x->type, 1);
}

/* A shuffle within the same four lanes. All four are there if the sub-groups are full and the invocations have reconverged. In a
 * work-group that cannot be divided by four, each lane takes its own value; in a smaller sub-group, its own or that of a nearer
 * lane. */
struct ir_inst *results_put_shuffle(struct build *b, struct ir_inst *v, uint64_t seed)
{
    enum {
        NEAR = 3 /* other lanes of the same four */
    };
    struct ir_group x;
    if (!pick_group(b, shuffles, ARRAY_N(shuffles), v->type, IR_NO_OPERATION,
                    numbers_derive(seed, 1), &x)) {
        return v;
    }
    bool const is_whole = b->dispatch.n_local % (NEAR + 1) == 0;
    uint32_t const by = is_whole ? 1 + (uint32_t)(numbers_derive(seed, 2) % NEAR) : 0;
    struct ir_inst *const largest = operand_by(b, SpvOpISub, b->subgroup.size, 1);
    x.value[0] = v;
    x.second = operand_by(b, SpvOpBitwiseAnd, largest, by);
    if (x.op == OP_core_GroupNonUniformShuffle) {
        x.second = operand_int(b, SpvOpBitwiseXor, b->subgroup.lane, x.second);
    }
    return put_group(b, &x);
}

struct ir_inst *results_put_scan(struct build *b, struct ir_inst *v, uint64_t seed)
{
    struct ir_group x;
    uint32_t const operation = numbers_derive(seed, 1) % 2
                                   ? (uint32_t)SpvGroupOperationExclusiveScan
                                   : (uint32_t)SpvGroupOperationInclusiveScan;
    if (!pick_group(b, scans, ARRAY_N(scans), v->type, operation, numbers_derive(seed, 2), &x)) {
        return v;
    }
    x.value[0] = v;
    return put_group(b, &x);
}

struct ir_inst *results_put_sum(struct build *b, struct ir_inst *v, uint64_t seed)
{
    struct ir_group x;
    if (!pick_group(b, sums, ARRAY_N(sums), v->type, SpvGroupOperationReduce,
                    numbers_derive(seed, 1), &x)) {
        return v;
    }
    x.value[0] = v;
    return put_group(b, &x);
}

/* ---- atomics ---- */

enum {
    SHARED_CELLS = 8 /* that all invocations contend for; each has one more of its own */
};
static const enum op_id atomics[] = {OP_core_AtomicIAdd, OP_core_AtomicXor,
                                     OP_core_AtomicUMax, OP_core_AtomicSMin,
                                     OP_core_AtomicISub, OP_core_AtomicExchange};

static struct ir_var get_cells(const struct build *b, enum ir_type type)
{
    return (struct ir_var){
        .kind = VAR_BUFFER, .type = type, .n = SHARED_CELLS + b->dispatch.n_items};
}

static bool may_put(const struct build *b, enum ir_type type, enum op_id op)
{
    struct ir_var const cells = get_cells(b, type);
    struct ir_atomic const x = {.op = op, .scope = SpvScopeDevice};
    bool const is_of_type =
        type == IR_I32 || type == IR_I64 || (type == IR_F32 && op == OP_core_AtomicExchange);
    return is_of_type && legal_may_var(&b->p, &cells) && legal_may_atomic(&b->p, &cells, &x);
}

bool results_may_atomic(const struct build *b, enum ir_type type)
{
    bool const has_var = b->io.result_var[type] != NO_VAR || build_has_var_room(b, 0);
    return has_var && build_is_full(b) && legal_may_scope(&b->p, SpvScopeDevice) &&
           may_put(b, type, OP_core_AtomicExchange);
}

/* The cell: one of those that all contend for, or the invocation's own. */
static struct ir_inst *put_cell(struct build *b, uint64_t choice)
{
    if (choice % 2) {
        return operand_by(b, SpvOpIAdd, b->p.gid, SHARED_CELLS);
    }
    return operand_by(b, SpvOpUMod, b->p.lid, 1 + (uint32_t)(choice / 2 % SHARED_CELLS));
}

/* An atomic of that operation on a cell; v itself where the case is full. */
static struct ir_inst *put_atomic(struct build *b, enum op_id op, struct ir_inst *v, uint64_t seed)
{
    uint32_t const n = b->dispatch.n_items * b->flow.n_iterations;
    if (b->progress.n_atomics + n > b->body.max_atomics || !b->p.ok) {
        return v;
    }
    if (b->io.result_var[v->type] == NO_VAR) {
        struct ir_var const cells = get_cells(b, v->type);
        b->io.result_var[v->type] = ir_add_var(&b->p, cells);
        legal_add_var_needs(&b->p, &cells);
    }
    struct ir_atomic const x = {.op = op,
                                .var = b->io.result_var[v->type],
                                .scope = SpvScopeDevice,
                                .semantics = SpvMemorySemanticsMaskNone,
                                .index = put_cell(b, seed),
                                .value = v};
    legal_add_scope_needs(&b->p, x.scope);
    legal_add_atomic_needs(&b->p, &x);
    b->progress.n_atomics += n;
    b->progress.n_built++;
    return ir_atomic(&b->p, b->flow.block, &x);
}

struct ir_inst *results_put_atomic(struct build *b, struct ir_inst *v, uint64_t seed)
{
    uint64_t choice = numbers_derive(seed, 1);
    while (!may_put(b, v->type, atomics[choice % ARRAY_N(atomics)])) {
        choice++; /* an exchange may be put */
    }
    return put_atomic(b, atomics[choice % ARRAY_N(atomics)], v, numbers_derive(seed, 2));
}

struct ir_inst *results_put_added(struct build *b, struct ir_inst *v, uint64_t seed)
{
    return put_atomic(b, OP_core_AtomicIAdd, v, seed);
}

/* gen/plan/rendezvous.c -- work-groups that wait a while for each other, so that they contend at once. */
#include "gen/plan/rendezvous.h"

#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/build.h"
#include "gen/plan/condition.h"
#include "gen/plan/operand.h"

/*
 * A device that has begun one work-group may take long to begin another: with hundreds of
 * operations each they would still come one after the other. So the first invocation of each counts
 * up and looks until two are there, in bounds that hold on a device that runs them one after the other; then
 * once more with shorter pauses, so that both go on at the same moment.
 */
struct stage {
    uint32_t step;         /* added to the counter */
    uint32_t want;         /* the count that is waited for: two were here */
    uint32_t n_looks;      /* at most */
    uint32_t n_iterations; /* of the pause after a look */
};
enum {
    RENDEZVOUS_GROUPS = 2, /* as many as any device runs at once */
    RENDEZVOUS_STAGES = 2,
    RENDEZVOUS_DIVISIONS = 12 /* that each wait for the one before, per iteration of a pause */
};
/* Vulkan's software devices run an instruction for a whole vector where one invocation needs it. */
static const struct stage stages[ENV_N][RENDEZVOUS_STAGES] = {
    {{1, 2, 96, 20}, {256, 512, 48, 1}},
    {{1, 2, 96, 6},  {256, 512, 64, 1}}
};

/* What a pause computes: a number that changes with each division, and what it is divided by
 * alternately. */
struct pause {
    struct ir_inst *number, *divisor[2];
};

/* A loop that is little to interpret and takes long to run; returns what became of the number. */
static struct ir_inst *put_pause(struct build *b, const struct pause *p, const struct stage *stage)
{
    struct ir_block *const outer = b->flow.block;
    struct ir_inst *const loop = ir_loop(&b->p, outer, operand_i32(b, stage->n_iterations));
    struct ir_inst *const number = ir_phi(&b->p, loop, IR_I32, p->number, p->number);
    struct ir_inst *next = number;
    b->flow.block = loop->body[0];
    for (uint32_t i = 0; i < RENDEZVOUS_DIVISIONS; i++) {
        next = operand_int(b, SpvOpUMod, next, p->divisor[i % 2]);
    }
    number->arg[1] = next;
    b->flow.block = outer;
    return number;
}

static struct ir_inst *put_on_counter(struct build *b, enum op_id op, struct ir_inst *value)
{
    struct ir_atomic const x = {.op = op,
                                .var = b->io.rendezvous_var,
                                .scope = SpvScopeDevice,
                                .index = operand_i32(b, 0),
                                .value = value};
    return ir_atomic(&b->p, b->flow.block, &x);
}

/* In iteration `iteration`: if `test` holds, a look at the counter, which is stored in the rows of outputs
 * from `row` on. Returns the latest that was seen. */
static struct ir_inst *put_look(struct build *b, struct ir_inst *iteration, struct ir_inst *seen,
                                struct ir_inst *test, uint32_t row)
{
    struct ir_block *const outer = b->flow.block;
    struct ir_inst *const branch = ir_if(&b->p, outer, test);
    b->flow.block = branch->body[0];
    struct ir_inst *const count = put_on_counter(b, OP_core_AtomicLoad, NULL);
    struct ir_inst *at = operand_by(b, SpvOpIMul, iteration, b->dispatch.n_groups);
    at = operand_int(b, SpvOpIAdd, at, b->p.wg);
    at = operand_by(b, SpvOpIAdd, at, row * b->dispatch.n_items);
    ir_store(&b->p, b->flow.block, b->io.out_var[1], at, count);
    b->flow.block = outer;
    return ir_phi(&b->p, branch, IR_I32, count, seen);
}

/* Puts one stage in which work-groups wait for each other, but not for ever: count up, then look and pause
 * until enough have come or the looks are used up:
 *     seen = 0
 *     n_looks times: if (seen < want) { seen = *counter; store seen }
 *                    if (seen < want) { number = pause(number) }
 * SPIR-V has values and no variables, so `seen` and `number` are phis of the loop; their arg[1], what they
 * are in the next iteration, is set once it exists. */
static void put_stage(struct build *b, struct pause *p, const struct stage *stage)
{
    uint32_t const n_groups = b->dispatch.n_groups;
    uint32_t const n_items = b->dispatch.n_items;
    struct ir_block *const outer = b->flow.block;
    operand_probe(b, put_on_counter(b, OP_core_AtomicIAdd, operand_i32(b, stage->step)));
    /* rows of 32-bit outputs in which each look of each work-group is stored */
    uint32_t const row = b->io.out_rows[1];
    b->io.out_rows[1] += (stage->n_looks * n_groups + n_items - 1) / n_items;
    struct ir_inst *const loop = ir_loop(&b->p, outer, operand_i32(b, stage->n_looks));
    struct ir_inst *const zero = operand_i32(b, 0);
    struct ir_inst *const seen = ir_phi(&b->p, loop, IR_I32, zero, zero);
    struct ir_inst *const number = ir_phi(&b->p, loop, IR_I32, p->number, p->number);
    b->flow.block = loop->body[0];
    p->number = number; /* the pause goes on from it, and so does the next stage */
    struct ir_inst *test = condition_compare(b, SpvOpULessThan, seen, stage->want);
    seen->arg[1] = put_look(b, loop->phi, seen, test, row);
    test = condition_compare(b, SpvOpULessThan, seen->arg[1], stage->want);
    struct ir_inst *const branch = ir_if(&b->p, b->flow.block, test);
    b->flow.block = branch->body[0];
    number->arg[1] = ir_phi(&b->p, branch, IR_I32, put_pause(b, p, stage), number);
    b->flow.block = outer;
}

/* Puts a rendezvous: work-groups wait for each other, but not for ever, so that they run at the same time.
 * The first invocation of each work-group does the stages one after the other, on a counter that all
 * work-groups share. A pause is a computation on p.number; the number is stored at the end, so that a
 * compiler may not drop the pauses. */
void rendezvous_put(struct build *b, uint64_t seed)
{
    static const uint32_t shifts[2] = {12, 20}; /* divisors of 20 and 12 bits */
    struct ir_block *const outer = b->flow.block;
    struct ir_var const counter = {.kind = VAR_BUFFER, .type = IR_I32, .n = 1};
    if (b->dispatch.n_groups < RENDEZVOUS_GROUPS) { /* nobody to wait for */
        return;
    }
    b->io.rendezvous_var = ir_add_var(&b->p, counter);
    needs_add(&b->p.needs, b->env == ENV_CL ? NEED_CL_MEETING : NEED_VK_MEETING);
    legal_add_scope_needs(&b->p, SpvScopeDevice);
    build_set_shape(b, SHAPE_SCOPE_DEVICE);
    build_set_shape(b, SHAPE_MEETING);
    b->info.op_kinds |= UINT64_C(1) << KIND_IADD | UINT64_C(1) << KIND_INT_LOAD;
    struct ir_inst *const is_first = condition_compare(b, SpvOpULessThan, b->p.lid, 1);
    struct pause p = {.number = operand_random(b, seed, false)};
    for (int i = 0; i < 2; i++) {
        struct ir_inst *const high = operand_by(b, SpvOpShiftRightLogical, p.number, shifts[i]);
        p.divisor[i] = operand_by(b, SpvOpBitwiseOr, high, 1); /* never 0 */
    }
    b->flow.block = ir_if(&b->p, outer, is_first)->body[0];
    for (int i = 0; i < RENDEZVOUS_STAGES; i++) {
        put_stage(b, &p, &stages[b->env][i]);
    }
    operand_probe(b, p.number);
    b->flow.block = outer;
}

/* gen/plan/rendezvous.c -- work-groups that wait a while for each other, so that they contend at once. */
#include "gen/plan/rendezvous.h"

#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"

/*
 * A device that has begun one work-group may take long to begin another: with hundreds of
 * operations each they would still come one after the other. So the first invocation of each counts
 * up and looks until two are there, in bounds that hold on a device that runs them in turn; then
 * once more with shorter pauses, so that both go on at the same moment.
 */
struct pace {
    uint32_t step;    /* added to the counter */
    uint32_t want;    /* at least this: two were here */
    uint32_t n_looks; /* at most */
    uint32_t n_turns; /* of the pause after a look */
};
enum {
    MEET_GROUPS = 2, /* as many as any device runs at once */
    MEET_STAGES = 2,
    MEET_DIVISIONS = 12 /* that each wait for the one before, per turn of a pause */
};
/* Vulkan's software devices run an instruction for a whole vector where one invocation needs it. */
static const struct pace paces[ENV_N][MEET_STAGES] = {
    {{1, 2, 96, 20}, {256, 512, 48, 1}},
    {{1, 2, 96, 6},  {256, 512, 64, 1}}
};

/* A number that changes with each division, and what it is divided by in turn. */
struct pause {
    struct ir_inst *x, *divisor[2];
};

static struct ir_inst *put_divisions(struct build *b, struct ir_inst *x, const struct pause *p,
                                     uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        x = operand_int(b, SpvOpUMod, x, p->divisor[i % 2]);
    }
    return x;
}

/* Little to interpret, long to run. Returns what became of x. */
static struct ir_inst *put_pause(struct build *b, const struct pause *p, const struct pace *pace)
{
    struct ir_block *const outer = b->flow.block;
    struct ir_inst *const loop = ir_loop(&b->p, outer, operand_i32(b, pace->n_turns));
    struct ir_inst *const x = ir_phi(&b->p, loop, IR_I32, p->x, p->x);
    b->flow.block = loop->body[0];
    x->arg[1] = put_divisions(b, x, p, MEET_DIVISIONS);
    b->flow.block = outer;
    return x;
}

static struct ir_atomic on_counter(struct build *b, enum op_id op, struct ir_inst *value)
{
    return (struct ir_atomic){.op = op,
                              .var = b->io.rendezvous_var,
                              .scope = SpvScopeDevice,
                              .index = operand_i32(b, 0),
                              .value = value};
}

/* A look at the counter, its result stored; b->flow.block is the loop's. Returns what was seen. */
static struct ir_inst *put_look(struct build *b, struct ir_inst *number, struct ir_inst *seen,
                                struct ir_inst *test, uint32_t row)
{
    struct ir_block *const outer = b->flow.block;
    struct ir_inst *const branch = ir_if(&b->p, outer, test);
    b->flow.block = branch->body[0];
    struct ir_atomic const look = on_counter(b, OP_core_AtomicLoad, NULL);
    struct ir_inst *const v = ir_atomic(&b->p, b->flow.block, &look);
    struct ir_inst *at = operand_int(b, SpvOpIMul, number, operand_i32(b, b->dispatch.n_groups));
    at = operand_int(b, SpvOpIAdd, at, b->p.wg);
    at = operand_int(b, SpvOpIAdd, at, operand_i32(b, row * b->dispatch.n_items));
    ir_store(&b->p, b->flow.block, b->io.out_var[1], at, v);
    b->flow.block = outer;
    return ir_phi(&b->p, branch, IR_I32, v, seen);
}

static struct ir_inst *put_test(struct build *b, struct ir_inst *seen, const struct pace *pace)
{
    return operand_plain(b, SpvOpULessThan, IR_BOOL, seen, operand_i32(b, pace->want));
}

static void put_stage(struct build *b, struct pause *p, const struct pace *pace)
{
    struct ir_block *const outer = b->flow.block;
    struct ir_atomic const arrive = on_counter(b, OP_core_AtomicIAdd, operand_i32(b, pace->step));
    operand_probe(b, ir_atomic(&b->p, outer, &arrive));
    uint32_t const row = b->io.out_rows[1];
    b->io.out_rows[1] +=
        (pace->n_looks * b->dispatch.n_groups + b->dispatch.n_items - 1) / b->dispatch.n_items;
    struct ir_inst *const loop = ir_loop(&b->p, outer, operand_i32(b, pace->n_looks));
    struct ir_inst *const zero = operand_i32(b, 0);
    struct ir_inst *const seen = ir_phi(&b->p, loop, IR_I32, zero, zero);
    struct ir_inst *const x = ir_phi(&b->p, loop, IR_I32, p->x, p->x);
    b->flow.block = loop->body[0];
    seen->arg[1] = put_look(b, loop->phi, seen, put_test(b, seen, pace), row);
    p->x = x;
    struct ir_inst *const branch = ir_if(&b->p, b->flow.block, put_test(b, seen->arg[1], pace));
    b->flow.block = branch->body[0];
    struct ir_inst *const later = put_pause(b, p, pace);
    x->arg[1] = ir_phi(&b->p, branch, IR_I32, later, x);
    b->flow.block = outer;
}

void rendezvous_put(struct build *b, uint64_t seed)
{
    struct ir_block *const outer = b->flow.block;
    struct input const what = {.type = IR_I32, .class = INPUT_BITS, .seed = seed};
    struct ir_var const counter = {.kind = VAR_BUFFER, .type = IR_I32, .n = 1};
    if (b->dispatch.n_groups < MEET_GROUPS) {
        return;
    }
    b->io.rendezvous_var = ir_add_var(&b->p, counter);
    legal_add_scope_needs(&b->p, SpvScopeDevice);
    build_set_shape(b, SHAPE_SCOPE_DEVICE);
    build_set_shape(b, SHAPE_MEETING);
    b->info.op_kinds |= UINT64_C(1) << KIND_IADD | UINT64_C(1) << KIND_INT_LOAD;
    struct ir_inst *const is_first =
        ir_plain(&b->p, outer, SpvOpULessThan, IR_BOOL, b->p.lid, operand_i32(b, 1));
    struct pause p = {.x = operand_load(b, &what, 0)};
    for (uint32_t i = 0; i < 2; i++) { /* of 20 and 12 bits, and odd */
        struct ir_inst *const shift = operand_i32(b, i == 0 ? 12 : 20);
        struct ir_inst *const d = operand_int(b, SpvOpShiftRightLogical, p.x, shift);
        p.divisor[i] = operand_int(b, SpvOpBitwiseOr, d, operand_i32(b, 1));
    }
    b->flow.block = ir_if(&b->p, outer, is_first)->body[0];
    for (int i = 0; i < MEET_STAGES; i++) {
        put_stage(b, &p, &paces[b->env][i]);
    }
    operand_probe(b, p.x);
    b->flow.block = outer;
}

/* gen/plan/body.c -- statements: branches, loops, barriers, early return, arithmetic, atomics. */
#include "gen/plan/body.h"

#include "base/spv.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/atomics.h"
#include "gen/plan/build.h"
#include "gen/plan/condition.h"
#include "gen/plan/group_pick.h"
#include "gen/plan/groups.h"
#include "gen/plan/math.h"
#include "gen/plan/operand.h"
#include "gen/plan/rendezvous.h"
#include "gen/plan/scope.h"
#include "gen/plan/unroll.h"
#include "gen/tape/field.h"

/* ---- compound statements ---- */

enum {
    HINT_SHIFT = 40 /* bits of a decision from here on are hints, in a program of pieces */
};

/* One arm of a branch, and whether all of the work-group come to its first instruction. */
struct arm {
    unsigned mask;
    bool is_full;
    struct tape statements, value;
    enum ir_type type; /* of the value that it gives; IR_VOID: none */
};

/* The statements of an arm; returns its value, or NULL. */
static struct ir_inst *put_arm(struct build *b, struct ir_block *into, struct arm *arm)
{
    struct scope const outer = scope_enter(b, into, arm->mask);
    struct ir_inst *value = NULL;
    b->flow.is_arm = arm->is_full;
    body_put_block(b, &arm->statements);
    if (arm->type != IR_VOID) {
        value = operand_float(b, &arm->value, arm->type, USE_ANY);
    }
    scope_leave(b, &outer);
    return value;
}

/* Puts a selection with one arm or two, and perhaps a phi of a value from either arm. The decisions of node
 * t give the condition, the statements of the arms and the two values. `mask` says whom the condition keeps
 * away; is_full says whether the whole work-group comes to the selection. The decisions are drawn in the
 * order in which stored tapes have them. */
static void put_if(struct build *b, struct tape *t)
{
    enum {
        ELSE_PERCENT = 45,
        PHI_PERCENT = 45
    };
    unsigned mask = 0;
    struct ir_inst *const test = condition_put(b, t, &mask);
    bool const has_else = tape_take_chance(t, ELSE_PERCENT, ROLE_CONDITION);
    bool const has_phi = tape_take_chance(t, PHI_PERCENT, ROLE_FORM);
    uint64_t const choice = tape_take_u64(t, ROLE_TYPE);
    enum ir_type const drawn_type = operand_pick_type(b, choice);
    enum ir_type const type = has_phi ? drawn_type : IR_VOID;
    bool const is_full = build_is_full(b);
    /* who takes the second arm is another set of invocations, unless all take the same arm */
    unsigned const else_mask = mask == IN_UNIFORM_ARM ? mask : mask | MASK_OF_ELSE;
    struct arm then_arm = {.mask = mask, .is_full = is_full, .type = type};
    struct arm else_arm = {.mask = else_mask, .type = type};
    then_arm.statements = tape_fork(t);
    else_arm.statements = tape_fork(t);
    then_arm.value = tape_fork(t);
    else_arm.value = tape_fork(t);
    struct ir_inst *else_value = NULL;
    if (has_phi && !has_else) { /* the phi then takes a value from before the branch */
        else_value = operand_float(b, &else_arm.value, type, USE_ANY);
    }
    struct ir_inst *const branch = ir_if(&b->p, b->flow.block, test);
    if (b->has_pieces) {
        scope_hint_selection(b, branch, choice >> HINT_SHIFT);
    }
    struct ir_inst *const then_value = put_arm(b, branch->body[0], &then_arm);
    if (has_else) {
        branch->body[1] = ir_block_new(&b->p);
        else_arm.is_full = is_full && b->progress.gone == 0; /* nobody returned in the other arm */
        else_value = put_arm(b, branch->body[1], &else_arm);
        build_set_shape(b, SHAPE_ELSE);
    }
    if (has_phi) {
        struct ir_inst *const phi = ir_phi(&b->p, branch, type, then_value, else_value);
        build_set_shape(b, SHAPE_IF_PHI);
        operand_probe(b, phi);
        operand_remember(b, phi, NOT_RESULT, true);
    }
}

/* A number of trips, half of n_most to n_most of them; with by_lane each invocation has its own. */
static struct ir_inst *put_trips(struct build *b, uint64_t choice, bool by_lane, uint32_t n_most)
{
    uint32_t const least = (n_most + 1) / 2; /* so that it is still a loop */
    struct ir_inst *v = NULL;
    if (by_lane) {
        build_set_shape(b, SHAPE_LOOP_LANE);
        v = field_get(choice, LOOP_TRIPS_LOCAL) ? b->p.gid : operand_random(b, choice, false);
    } else {
        build_set_shape(b, SHAPE_LOOP_UNIFORM);
        if (field_get(choice, LOOP_TRIPS_VARY) != 0 || n_most < 2) {
            return operand_i32(b, n_most);
        }
        v = operand_random_uniform(b, choice);
    }
    v = operand_by(b, SpvOpUMod, v, n_most - least + 1);
    return operand_by(b, SpvOpIAdd, v, least);
}

/* Enter a loop of at most n_most trips; *loop is its instruction. */
static struct scope enter_loop(struct build *b, struct ir_inst *trips, uint32_t n_most,
                               bool is_uniform, struct ir_inst **loop)
{
    *loop = ir_loop(&b->p, b->flow.block, trips);
    return scope_enter_loop(b, (*loop)->body[0], (*loop)->phi, n_most,
                            is_uniform ? IN_UNIFORM_LOOP : MASK_OF_TRIPS);
}

static struct ir_inst *put_carried(struct build *b, struct tape *t, enum ir_type type)
{
    return ir_type_is_float(type) ? operand_float(b, t, type, USE_ANY)
                                  : operand_integer(b, t, type, USE_ANY);
}

/* What a loop carries, plus or minus an operand, goes into the next trip. */
static void put_step(struct build *b, struct tape *t, struct ir_inst *phi, uint64_t choice)
{
    struct ir_inst *const x = put_carried(b, t, phi->type);
    uint32_t const float_op = field_get(choice, LOOP_STEP_ADD) ? SpvOpFAdd : SpvOpFSub;
    uint32_t const op = ir_type_is_float(phi->type) ? float_op : (uint32_t)SpvOpIAdd;
    phi->arg[1] = operand_plain(b, op, phi->type, phi, x);
    operand_probe(b, phi->arg[1]);
    build_set_shape(b, SHAPE_LOOP_CARRIED);
}

/* Puts a loop of up to MOST_TRIPS iterations around the statements of a block; it may carry a value from
 * one iteration to the next (carries). by_lane: each invocation has its own number of iterations. Nothing
 * is put where nested loops would have too many iterations together. The carried value is stored after the
 * loop. */
static void put_loop(struct build *b, struct tape *t)
{
    enum {
        MOST_TRIPS = 3,
        BY_LANE_PERCENT = 50,
        CARRY_PERCENT = 40,
        CARRY_PERCENT_GROUPS = 65 /* where the case has group operations */
    };
    bool const by_lane = tape_take_chance(t, BY_LANE_PERCENT, ROLE_TRIPS);
    uint32_t const n_most = 1 + (uint32_t)tape_take_below(t, MOST_TRIPS, ROLE_TRIPS);
    uint64_t const choice = tape_take_u64(t, ROLE_TRIPS);
    bool const carries =
        tape_take_chance(t, b->group.is_on ? CARRY_PERCENT_GROUPS : CARRY_PERCENT, ROLE_FORM);
    uint64_t const type_choice = tape_take_u64(t, ROLE_TYPE);
    bool const is_integer =
        b->group.is_on && field_get(type_choice, LOOP_INTEGER); /* group operations take i32 too */
    enum ir_type const type = is_integer ? IR_I32 : operand_pick_type(b, type_choice);
    struct tape body = tape_fork(t);
    (void)tape_fork(t); /* the second block of a branch is read here */
    struct tape first = tape_fork(t);
    struct tape operand = tape_fork(t);
    if (b->flow.n_iterations * n_most > BUILD_MAX_ITERATIONS) {
        return;
    }
    struct ir_inst *const start = carries ? put_carried(b, &first, type) : NULL;
    struct ir_inst *loop = NULL;
    struct ir_inst *phi = NULL;
    struct ir_inst *const trips = put_trips(b, choice, by_lane, n_most);
    struct scope const outer = enter_loop(b, trips, n_most, !by_lane, &loop);
    if (b->has_pieces) {
        scope_hint_loop(b, loop, choice >> HINT_SHIFT, n_most);
    }
    if (carries) {
        phi = ir_phi(&b->p, loop, type, start, start);
        if (b->stores_all) {
            operand_probe(b, phi);
        }
        operand_remember(b, phi, NOT_RESULT, b->stores_all);
    }
    body_put_block(b, &body);
    if (carries) {
        put_step(b, &operand, phi, choice);
    }
    scope_leave(b, &outer);
    if (carries) {
        operand_probe(b, phi);
        operand_remember(b, phi, NOT_RESULT, true);
    }
}

/* ---- leaf statements ---- */

static void put_arithmetic(struct build *b, struct tape *t)
{
    tape_skip(t, 1); /* the statement's kind */
    enum ir_type const type = operand_pick_type(b, tape_take_u64(t, ROLE_TYPE));
    bool const probes = tape_take_below(t, 100, ROLE_FORM) < b->body.probe_percent;
    (void)tape_fork(t); /* the order of an atomic */
    struct tape operand = tape_fork(t);
    legal_add_type_needs(&b->p, type);
    struct ir_inst *const v = operand_computed(b, &operand, type, 0);
    if (probes) {
        operand_probe(b, v);
    }
    operand_remember(b, v, NOT_RESULT, probes);
}

static void put_barrier(struct build *b, uint64_t choice)
{
    if (!b->body.has_barriers || !b->flow.is_uniform) {
        return;
    }
    uint32_t const extra = b->env == ENV_CL ? SpvMemorySemanticsCrossWorkgroupMemoryMask
                                            : SpvMemorySemanticsUniformMemoryMask;
    ir_barrier(&b->p, b->flow.block,
               SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsWorkgroupMemoryMask |
                   (field_get(choice, BARRIER_BUFFERS) ? extra : 0));
    build_set_shape(b, SHAPE_BARRIER);
    build_forget_present(b);
    build_set_group_shape_if(b, GROUP_SHAPE_BARRIER, b->info.n_groups > 0);
}

/* May single invocations leave here? Not where a barrier follows, nor a group operation that all
 * must come to; a group operation that stands before this in a loop follows it in the next trip. */
static bool may_leave_here(const struct build *b)
{
    if (b->body.has_barriers) {
        return false;
    }
    return !b->group.is_on || (build_has_gate(b, GATE_BALLOT) && !b->flow.iteration);
}

/* Which single invocations leave; any other number: by data. */
enum leaving {
    LEAVING_EACH_FIFTH,
    LEAVING_FIRST
};

/* Puts a return for some invocations. Where single invocations may leave (may_leave_here), `choice` gives
 * the test: each fifth, the first ones, or by data. Else a whole work-group returns, which is legal
 * wherever all of it come; nothing is put where that would be the only work-group. */
static void put_return(struct build *b, struct tape *t)
{
    enum {
        EACH = 5, /* of LEAVING_EACH_FIFTH */
        LEAVING_REST = 3
    };
    struct tape condition = tape_fork(t);
    tape_name_node(&condition, NODE_PLAIN);
    uint64_t const choice = tape_take_u64(&condition, ROLE_CONDITION);
    bool const is_single = may_leave_here(b);
    enum leaving const kind = (enum leaving)field_get(choice, RETURN_KIND);
    struct ir_inst *test = NULL;
    if (!is_single && (!b->flow.is_uniform || b->dispatch.n_groups == 1)) {
        return;
    }
    if (!is_single) {
        test =
            condition_compare(b, SpvOpIEqual, b->p.wg, (uint32_t)(choice % b->dispatch.n_groups));
    } else if (kind == LEAVING_EACH_FIFTH) {
        struct ir_inst *const rest = operand_by(b, SpvOpUMod, b->p.gid, EACH);
        test = condition_compare(b, SpvOpIEqual, rest, LEAVING_REST);
    } else if (kind == LEAVING_FIRST) {
        test = condition_compare(b, SpvOpULessThan, b->p.lid,
                                 1 + (uint32_t)field_get(choice, RETURN_BELOW));
    } else {
        test = condition_data(b, choice);
    }
    /* a work-group that left as a whole is missed by no other */
    b->progress.gone |= is_single ? (unsigned)MASK_OF_RETURN : 0;
    ir_return(&b->p, ir_if(&b->p, b->flow.block, test)->body[0]);
    build_set_shape(b, SHAPE_EARLY_RETURN);
    b->flow.is_arm = false;
    build_forget_present(b);
}

/* Below GRAMMAR_COMPOUND_FROM. Zero: an atomic, or a group operation. */
enum {
    GROUP_BELOW = 28, /* where there are both */
    ATOMIC_BELOW = 54,
    GROUP_AGAIN_BELOW = 60, /* for arithmetic, where there are group operations */
    MATH_BELOW = 62,
    ARITHMETIC_BELOW = 66,
    BARRIER_BELOW = 72,
    IF_BELOW = 88
};

/* Group operations; where all of the work-group are here, some stand under a mask of their own. */
static void put_groups(struct build *b, struct tape *t)
{
    struct tape condition = *t;
    tape_skip(&condition, 2); /* the statement's kind, the number of operations */
    bool const is_masked = tape_take_chance(&condition, 32, ROLE_CONDITION);
    if (!is_masked || !build_is_full(b) || !groups_may_be_partial(b)) {
        groups_put(b, t);
        return;
    }
    unsigned mask = 0;
    struct ir_inst *const test = condition_put(b, &condition, &mask);
    struct scope const outer = scope_enter(b, ir_if(&b->p, b->flow.block, test)->body[0], mask);
    b->flow.is_arm = true;
    groups_put(b, t);
    scope_leave(b, &outer);
}

/* Is a statement of that kind, below GROUP_AGAIN_BELOW, a group operation? The kinds from GROUP_BELOW to
 * ATOMIC_BELOW are atomics where the case has cells for them. */
static bool is_group_kind(const struct build *b, uint64_t kind)
{
    bool const has_atomics = b->n_cells > 0;
    bool const is_atomic_kind = kind >= GROUP_BELOW && kind < ATOMIC_BELOW;
    return b->group.is_on && groups_may_stand(b) && !(has_atomics && is_atomic_kind);
}

/* An atomic or a group operation, by kind where the case has both; arithmetic where it has neither. */
static void put_tested(struct build *b, struct tape *t, uint64_t kind)
{
    if (is_group_kind(b, kind)) {
        put_groups(b, t);
        return;
    }
    if (b->n_cells == 0) {
        put_arithmetic(b, t);
        return;
    }
    b->progress.found_group_result = false;
    atomics_put(b, t, false);
    build_forget_present(b); /* the atomic may be in a function */
    build_set_group_shape_if(b, GROUP_SHAPE_FEEDS_ATOMIC, b->progress.found_group_result);
}

/* Puts a statement that holds no others, by its kind, a number below 100. In a case of arithmetic most are
 * arithmetic, in one of mathematics most are instructions of math.def. */
static void put_leaf(struct build *b, struct tape *t, uint64_t drawn_kind)
{
    struct tape decisions = *t;
    tape_skip(&decisions, 1); /* the statement's kind */
    bool const is_made_arithmetic =
        b->profile == PROFILE_ARITH && field_get(drawn_kind, ARITHMETIC_OTHER) != 0;
    uint64_t const kind = is_made_arithmetic ? (uint64_t)ATOMIC_BELOW : drawn_kind;
    /* a case of mathematics has a cell only for the atomic whose decoration means nothing */
    bool const is_odd_atomic = b->n_cells > 0 && kind < GROUP_BELOW;
    if (b->math.is_main && kind < MATH_BELOW && !is_odd_atomic) {
        math_put(b, t);
    } else if (kind < ATOMIC_BELOW || (b->group.is_on && kind < GROUP_AGAIN_BELOW)) {
        put_tested(b, t, kind);
    } else if (kind < ARITHMETIC_BELOW) {
        put_arithmetic(b, t);
    } else if (kind < BARRIER_BELOW) {
        put_barrier(b, tape_take_u64(&decisions, ROLE_FORM));
    } else {
        put_return(b, t);
    }
}

/* Puts a statement: one of a kind that holds no others, a branch or a loop. Where the case is full, or its
 * arena, it is left out. What is nested too deep becomes a statement that holds no others. */
static void put_statement(struct build *b, struct tape *t)
{
    struct tape peek = *t;
    uint64_t const kind = tape_take_below(&peek, 100, ROLE_STATEMENT);
    tape_name_node(t, NODE_STATEMENT);
    if (!build_has_room(b)) {
        return;
    }
    b->progress.n_built++;
    if (kind < GRAMMAR_COMPOUND_FROM || b->flow.depth == GRAMMAR_MAX_DEPTH) {
        put_leaf(b, t, kind);
        return;
    }
    tape_name_node(t, NODE_BRANCH);
    tape_skip(t, 1); /* its kind */
    if (kind < IF_BELOW) {
        put_if(b, t);
    } else {
        put_loop(b, t);
    }
}

void body_put_block(struct build *b, struct tape *t)
{
    tape_name_node(t, NODE_BLOCK);
    uint32_t const most =
        b->flow.depth == 0 ? b->body.max_statements : (uint32_t)GRAMMAR_MAX_STATEMENTS;
    for (uint32_t i = 0; i < most && tape_has_child(t); i++) {
        struct tape one = tape_fork(t);
        put_statement(b, &one);
    }
}

/* Puts the hot loop, if the case has one: atomics on the first group of cells, for which all invocations
 * contend. It has many iterations, or one in a large dispatch. Before it, work-groups may wait for each
 * other, so that they run at the same time. */
static void put_hot_loop(struct build *b, struct tape *t)
{
    enum {
        /* hundreds of 16-bit results fall on few values, from which nobody can tell the order */
        F16_TRIPS = 4,
        HOT_TRIPS = 8
    };
    if (!build_has_hot_loop(b)) {
        return;
    }
    uint32_t n_most = b->dispatch.hot_trips;
    if (ir_type_bits(b->cells[0].type) == 16 && n_most > F16_TRIPS) {
        n_most = F16_TRIPS;
    }
    tape_name_node(t, NODE_BLOCK);
    uint64_t const choice = tape_take_u64(t, ROLE_TRIPS);
    struct ir_inst *loop = NULL;
    if (b->dispatch.has_rendezvous) {
        rendezvous_put(b, choice);
    }
    struct ir_inst *const trips = put_trips(b, choice, b->dispatch.hot_by_lane, n_most);
    struct scope const outer = enter_loop(b, trips, n_most, !b->dispatch.hot_by_lane, &loop);
    build_set_shape_if(b, SHAPE_HOT_LOOP, n_most >= HOT_TRIPS);
    bool const is_hot = true; /* atomics on the first group of cells */
    do {                      /* at least one, also of an empty node */
        struct tape one = tape_fork(t);
        atomics_put(b, &one, is_hot);
    } while (tape_has_child(t));
    scope_leave(b, &outer);
}

/* ---- the top level ---- */

/* The last items of the dispatch do nothing: what follows stands under a test. A barrier must not,
 * so the guard is closed before each and opened anew. Returns the flow outside. */
static struct flow open_guard(struct build *b)
{
    struct flow const outer = b->flow;
    struct ir_inst *const test = condition_compare(b, SpvOpULessThan, b->p.gid, b->dispatch.n_live);
    b->flow.block = ir_if(&b->p, outer.block, test)->body[0];
    b->flow.is_uniform = false;
    b->flow.masks |= MASK_OF_GUARD;
    b->flow.n_masks++;
    build_forget_present(b);
    return outer;
}

static void close_guard(struct build *b, const struct flow *outer)
{
    b->flow = *outer;
    b->flow.n_values = 0;
    b->subgroup.ballot[0] = NULL;
    build_forget_present(b);
}

/* Puts the statements of a body with barriers: all but the barriers stand under the guard, a test that keeps
 * the last items away. Whether a statement is a barrier is seen before it is put, so that the guard can be
 * closed for it and opened anew. */
static void put_guarded(struct build *b, struct tape *t, struct tape *hot)
{
    struct flow outer = open_guard(b);
    tape_name_node(t, NODE_BLOCK);
    put_hot_loop(b, hot);
    for (uint32_t i = 0; i < b->body.max_statements && tape_has_child(t); i++) {
        struct tape one = tape_fork(t);
        struct tape peek = one;
        uint64_t const kind = tape_take_below(&peek, 100, ROLE_STATEMENT);
        if (kind >= ARITHMETIC_BELOW && kind < BARRIER_BELOW) {
            tape_name_node(&one, NODE_STATEMENT);
            close_guard(b, &outer);
            put_barrier(b, tape_take_u64(&peek, ROLE_FORM));
            outer = open_guard(b);
        } else {
            put_statement(b, &one);
        }
    }
    close_guard(b, &outer);
}

/* The last items of the dispatch return at once: no barrier follows. */
static void put_early_exit(struct build *b)
{
    struct ir_inst *const test =
        condition_compare(b, SpvOpUGreaterThanEqual, b->p.gid, b->dispatch.n_live);
    ir_return(&b->p, ir_if(&b->p, b->flow.block, test)->body[0]);
    build_set_shape(b, SHAPE_EARLY_RETURN);
    b->progress.gone |= MASK_OF_GUARD;
    build_forget_present(b);
}

static void put_unguarded(struct build *b, struct tape *t, struct tape *hot)
{
    put_hot_loop(b, hot);
    if (b->n_cells > 0 && b->progress.n_atomics == 0 && !tape_has_child(t)) {
        struct tape none = tape_fork(t); /* the smallest case has one atomic */
        atomics_put(b, &none, false);
    }
    body_put_block(b, t);
}

/* The first statements of a case with group operations: those that all come to. Work-group cells are initialised
 * after them, but before them where one of them is an atomic that comes to such a cell. */
static void put_opening(struct build *b, struct tape *t)
{
    struct ir_block *const main = &b->p.main;
    struct ir_inst *const before = main->last;
    struct tape first = tape_fork(t);
    tape_name_node(t, NODE_BLOCK);
    groups_put_prologue(b);
    groups_put(b, &first);
    body_put_block(b, t);
    if (!b->has_pieces) {
        struct ir_inst *const opened = main->last;
        atomics_put_initial(b);
        if (atomics_has_local(b)) {
            ir_move(main, opened, before);
        }
    }
}

/* Probes the work-group's index, and one built-in that says something of the dispatch where several run the program. In
 * Vulkan an entry point has one variable of each built-in; of OpenCL's a few ask for GlobalLinearId, which drivers forget
 * to link. */
static void put_told(struct build *b)
{
    static const uint32_t sizes[] = {SpvBuiltInNumWorkgroups, SpvBuiltInGlobalSize};
    uint64_t const choice = b->dispatch.told;
    bool const is_cl = b->env == ENV_CL;
    bool const is_linear = is_cl && field_is_last(choice, TOLD_LINEAR);
    uint32_t const size = sizes[is_cl ? field_get(choice, TOLD_SIZE) : 0];
    uint32_t const builtin = is_linear ? (uint32_t)SpvBuiltInGlobalLinearId : size;
    uint32_t const d = is_linear ? 0 : (uint32_t)field_get(choice, TOLD_DIMENSION);
    if (b->p.n_dispatches > 1) {
        operand_probe(b, b->p.wg);
        operand_probe(b, ir_told(&b->p, b->flow.block, builtin, d));
    }
}

/* Puts a quotient of a number of any 32 bits by a constant, and probes it: compilers multiply in its place. Of the quotients
 * that pieces compute of indices none has a dividend with its top bit set. */
static void put_quotient(struct build *b)
{
    enum {
        QUOTIENT_OF = 4 /* one in so many programs has none */
    };
    static const uint32_t divisors[] = {3, 4, 5, 7, 10, 11, 16, 641, 1000, 1000003};
    uint64_t const choice = hash_bytes(b->dispatch.told, &(uint32_t){0}, sizeof(uint32_t));
    struct input const what = {.type = IR_I32, .class = INPUT_BITS, .seed = choice};
    if (b->dispatch.told == 0 || choice % QUOTIENT_OF == 0) { /* 0: the smallest program */
        return;
    }
    operand_probe(b, operand_by(b, SpvOpUDiv, operand_load(b, &what, true),
                                divisors[choice / QUOTIENT_OF % ARRAY_N(divisors)]));
}

/* Puts the body of the program from the nodes hot, body and math: the initial values of work-group cells,
 * the group operations' opening, the statements, and mathematics. body_close then reads the cells back.
 * Items beyond n_live have nothing to do: they return at once, or, where the statements have barriers, a
 * guard stands around the statements, since all items of a work-group must come to a barrier. */
void body_put(struct build *b, struct tape *hot, struct tape *body, struct tape *math)
{
    b->flow = (struct flow){.block = &b->p.main, .n_iterations = 1, .is_uniform = true};
    put_told(b); /* where there are several dispatches: what a built-in says of them */
    if (b->has_pieces) {
        put_quotient(b);
    }
    /* with group operations and without pieces put_opening does it, behind its group operations */
    if (b->has_pieces || !b->group.is_on) {
        atomics_put_initial(b);
    }
    if (b->group.is_on) {
        put_opening(b, hot);
    }
    if (b->dispatch.edge == EDGE_GUARD && b->body.has_barriers) {
        put_guarded(b, body, hot);
    } else {
        if (b->dispatch.edge == EDGE_GUARD) {
            put_early_exit(b);
        }
        put_unguarded(b, body, hot);
    }
    if (b->group.is_on) {
        groups_put_amd(b);
    }
    if (b->math.is_on) {
        math_put_block(b, math);
        math_put_exact(b);
        math_put_dots(b);
    }
    if (b->math.is_main && b->info.n_math == 0) {
        struct tape none = {.n_records = 0};
        math_put(b, &none); /* the smallest case of mathematics has one instruction */
    }
}

void body_close(struct build *b)
{
    atomics_put_final(b);
    if (b->p.n_bufs == 0) { /* of a device that may have no atomics: nothing else was put either */
        operand_probe(b, b->p.gid);
    }
    needs_add_if(&b->p.needs, NEED_CL_LOCAL_MEMORY,
                 b->env == ENV_CL && build_count_local_bytes(b) > BUILD_LEAST_LOCAL);
    if (!b->p.a->is_full) { /* else what there is may be no tree */
        (void)unroll_limit(&b->p);
    }
}

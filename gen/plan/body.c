/* gen/plan/body.c -- statements: branches, loops, barriers, early return, arithmetic, atomics. */
#include "gen/plan/body.h"

#include <assert.h>

#include "base/spv.h"
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

static void put_block(struct build *b, struct tape *t);

/* What a block changes and its end puts back. */
struct scope {
    struct ir_block *block;
    struct ir_inst *row_step, *iteration;
    uint32_t n_iterations, n_values, n_masks;
    unsigned masks;
    struct ir_inst *ballot;
    int is_uniform;
};

static struct scope enter(struct build *b, struct ir_block *into, int is_uniform)
{
    struct scope const s = {b->block,   b->row_step, b->iteration, b->n_iterations, b->n_values,
                            b->n_masks, b->masks,    b->ballot[0], b->is_uniform};
    if (b->depth > 0) {
        build_set_shape(b, SHAPE_NESTED);
    }
    b->block = into;
    b->is_uniform = b->is_uniform && is_uniform;
    b->depth++;
    b->is_arm = 0;
    build_forget_here(b);
    return s;
}

/* Why not all come into the construct that was entered. */
static void add_mask(struct build *b, unsigned mask)
{
    b->masks |= mask;
    b->n_masks += !(mask & (IN_UNIFORM_ARM | IN_UNIFORM_LOOP));
}

static void leave(struct build *b, const struct scope *s)
{
    b->block = s->block;
    b->row_step = s->row_step;
    b->iteration = s->iteration;
    b->n_iterations = s->n_iterations;
    b->n_values = s->n_values;
    b->n_masks = s->n_masks;
    b->masks = s->masks;
    b->is_uniform = s->is_uniform;
    b->depth--;
    b->is_arm = 0;
    build_forget_here(b);
    if (b->ballot[0] != s->ballot) {
        b->ballot[0] = NULL; /* made within, and its words with it */
    }
}

/* ---- compound statements ---- */

static void put_if(struct build *b, struct tape *t)
{
    unsigned mask = 0;
    struct ir_inst *const test = condition_put(b, t, &mask);
    int const is_uniform = mask == IN_UNIFORM_ARM;
    int const is_full = build_is_full(b);
    int const has_else = tape_take_chance(t, 45, ROLE_CONDITION);
    int const has_phi = tape_take_chance(t, 45, ROLE_FORM);
    enum ir_type const type = operand_pick_type(b, tape_take_u64(t, ROLE_TYPE));
    struct tape then_tape = tape_fork(t);
    struct tape else_tape = tape_fork(t);
    struct tape x_tape = tape_fork(t);
    struct tape y_tape = tape_fork(t);
    struct ir_inst *x = NULL;
    struct ir_inst *y = NULL;
    if (has_phi && !has_else) {
        y = operand_float(b, &y_tape, type, USE_ANY); /* before the branch */
    }
    struct ir_inst *const branch = ir_if(&b->p, b->block, test);
    struct scope s = enter(b, branch->body[0], is_uniform);
    add_mask(b, mask);
    b->is_arm = is_full;
    put_block(b, &then_tape);
    if (has_phi) {
        x = operand_float(b, &x_tape, type, USE_ANY);
    }
    leave(b, &s);
    if (has_else) {
        branch->body[1] = ir_block_new(&b->p);
        s = enter(b, branch->body[1], is_uniform);
        add_mask(b, mask);
        b->masks |= is_uniform ? 0 : (unsigned)MASK_OF_ELSE;
        b->is_arm = is_full && b->gone == 0;
        put_block(b, &else_tape);
        if (has_phi) {
            y = operand_float(b, &y_tape, type, USE_ANY);
        }
        leave(b, &s);
        build_set_shape(b, SHAPE_ELSE);
    }
    if (has_phi) {
        struct ir_inst *const phi = ir_phi(&b->p, branch, type, x, y);
        build_set_shape(b, SHAPE_IF_PHI);
        operand_probe(b, phi);
        operand_remember(b, phi, NOT_RESULT, 1);
    }
}

/* At most n_most; the same for all, or not. */
static struct ir_inst *put_trips(struct build *b, uint64_t choice, int by_lane, uint32_t n_most)
{
    struct input const what = {.type = IR_I32, .class = INPUT_BITS, .seed = choice};
    struct ir_inst *v = NULL;
    if (!by_lane) {
        build_set_shape(b, SHAPE_LOOP_UNIFORM);
        if (choice % 3 != 0 || n_most < 2) {
            return operand_i32(b, n_most);
        }
        v = operand_load_uniform(b, &what);
    } else {
        build_set_shape(b, SHAPE_LOOP_LANE);
        v = choice % 2 ? b->p.gid : operand_load(b, &what, 0);
    }
    /* half of n_most at least, so that it is still a loop */
    uint32_t const least = (n_most + 1) / 2;
    v = operand_int(b, SpvOpUMod, v, operand_i32(b, n_most - least + 1));
    return operand_int(b, SpvOpIAdd, v, operand_i32(b, least));
}

/* Enter a loop of at most n_most trips; *loop is its instruction. */
static struct scope enter_loop(struct build *b, struct ir_inst *trips, uint32_t n_most,
                               int is_uniform, struct ir_inst **loop)
{
    *loop = ir_loop(&b->p, b->block, trips);
    struct ir_inst *const counter = (*loop)->phi;
    struct scope const s = enter(b, (*loop)->body[0], is_uniform);
    b->iteration = counter;
    if (s.iteration) {
        b->iteration = operand_int(b, SpvOpIMul, s.iteration, operand_i32(b, n_most));
        b->iteration = operand_int(b, SpvOpIAdd, b->iteration, counter);
    }
    b->n_iterations = s.n_iterations * n_most;
    b->row_step = operand_int(b, SpvOpIMul, b->iteration, operand_i32(b, b->n_items));
    add_mask(b, is_uniform ? IN_UNIFORM_LOOP : MASK_OF_TRIPS);
    return s;
}

static struct ir_inst *put_carried(struct build *b, struct tape *t, enum ir_type type)
{
    return ir_type_is_float(type) ? operand_float(b, t, type, USE_ANY)
                                  : operand_integer(b, t, type, USE_ANY);
}

static void put_loop(struct build *b, struct tape *t)
{
    int const by_lane = tape_take_chance(t, 50, ROLE_TRIPS);
    uint32_t const n_most = 1 + (uint32_t)tape_take_below(t, 3, ROLE_TRIPS);
    uint64_t const choice = tape_take_u64(t, ROLE_TRIPS);
    int const carries = tape_take_chance(t, b->group.is_on ? 65 : 40, ROLE_FORM);
    uint64_t const of_type = tape_take_u64(t, ROLE_TYPE);
    /* group operations take i32 too */
    enum ir_type const type =
        b->group.is_on && of_type / 64 % 2 ? IR_I32 : operand_pick_type(b, of_type);
    struct tape body = tape_fork(t);
    (void)tape_fork(t); /* the second block of a branch */
    struct tape first = tape_fork(t);
    struct tape operand = tape_fork(t);
    if (b->n_iterations * n_most > BUILD_MAX_ITERATIONS) {
        return;
    }
    struct ir_inst *const start = carries ? put_carried(b, &first, type) : NULL;
    struct ir_inst *loop = NULL;
    struct ir_inst *const trips = put_trips(b, choice, by_lane, n_most);
    struct scope const s = enter_loop(b, trips, n_most, !by_lane, &loop);
    struct ir_inst *phi = NULL;
    if (carries) {
        phi = ir_phi(&b->p, loop, type, start, start);
        operand_remember(b, phi, NOT_RESULT, 0);
    }
    put_block(b, &body);
    if (carries) {
        struct ir_inst *const x = put_carried(b, &operand, type);
        uint32_t const op = !ir_type_is_float(type) ? SpvOpIAdd
                            : choice / 8 % 2        ? SpvOpFAdd
                                                    : SpvOpFSub;
        phi->arg[1] = ir_plain(&b->p, b->block, op, type, phi, x);
        operand_probe(b, phi->arg[1]);
        build_set_shape(b, SHAPE_LOOP_CARRIED);
    }
    leave(b, &s);
    if (carries) {
        operand_probe(b, phi);
        operand_remember(b, phi, NOT_RESULT, 1);
    }
}

/* ---- leaf statements ---- */

static void put_arithmetic(struct build *b, struct tape *t)
{
    tape_skip(t, 1); /* the statement's kind */
    enum ir_type const type = operand_pick_type(b, tape_take_u64(t, ROLE_TYPE));
    int const probes = tape_take_below(t, 100, ROLE_FORM) < b->probe_percent;
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
    if (!b->has_barriers || !b->is_uniform) {
        return;
    }
    uint32_t const extra = b->env == ENV_CL ? SpvMemorySemanticsCrossWorkgroupMemoryMask
                                            : SpvMemorySemanticsUniformMemoryMask;
    ir_barrier(&b->p, b->block,
               SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsWorkgroupMemoryMask |
                   (choice % 2 ? extra : 0));
    build_set_shape(b, SHAPE_BARRIER);
    build_forget_here(b);
    if (b->info.n_groups > 0) {
        build_set_group_shape(b, GROUP_SHAPE_BARRIER);
    }
}

/* A group operation that stands before it in a loop comes after it in the next turn. */
static int may_leave_here(const struct build *b)
{
    return b->may_return && !(b->group.is_on && b->iteration);
}

/* Single invocations leave where no barrier follows; whole work-groups anywhere that they come to
 * together. */
static void put_return(struct build *b, struct tape *t)
{
    struct tape condition = tape_fork(t);
    tape_name_node(&condition, NODE_PLAIN);
    uint64_t const choice = tape_take_u64(&condition, ROLE_CONDITION);
    struct ir_inst *test = NULL;
    if (may_leave_here(b)) {
        switch (choice % 3) {
        case 0:
            test = operand_int(b, SpvOpUMod, b->p.gid, operand_i32(b, 5));
            test = condition_compare(b, SpvOpIEqual, test, 3);
            break;
        case 1:
            test = condition_compare(b, SpvOpULessThan, b->p.lid, 1 + (uint32_t)(choice / 3 % 4));
            break;
        default:
            test = condition_data(b, choice);
            break;
        }
        b->gone |= MASK_OF_RETURN;
    } else if (b->is_uniform && b->n_groups > 1) {
        test = condition_compare(b, SpvOpIEqual, b->p.wg, (uint32_t)(choice % b->n_groups));
    } else {
        return;
    }
    ir_return(&b->p, ir_if(&b->p, b->block, test)->body[0]);
    build_set_shape(b, SHAPE_EARLY_RETURN);
    b->is_arm = 0;
    build_forget_here(b);
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

/* Where all are, some of the operations stand under a mask of their own. */
static void put_groups(struct build *b, struct tape *t)
{
    struct tape condition = *t;
    tape_skip(&condition, 2); /* the statement's kind, the number of operations */
    int const is_masked = tape_take_chance(&condition, 32, ROLE_CONDITION);
    if (!is_masked || !build_is_full(b) || !groups_may_be_partial(b)) {
        groups_put(b, t);
        return;
    }
    unsigned mask = 0;
    struct ir_inst *const test = condition_put(b, &condition, &mask);
    struct scope const s = enter(b, ir_if(&b->p, b->block, test)->body[0], mask == IN_UNIFORM_ARM);
    add_mask(b, mask);
    b->is_arm = 1;
    groups_put(b, t);
    leave(b, &s);
}

/* An atomic's or a group operation's share of the statements. */
static void put_tested(struct build *b, struct tape *t, uint64_t kind)
{
    int const has_atomics = b->n_cells > 0;
    int const has_groups = b->group.is_on && groups_may_stand(b);
    uint64_t const below = has_atomics ? (uint64_t)GROUP_BELOW : (uint64_t)ATOMIC_BELOW;
    if (has_groups && (kind < below || kind >= ATOMIC_BELOW)) {
        put_groups(b, t);
    } else if (has_atomics) {
        b->found_result = 0;
        atomics_put(b, t, 0);
        build_forget_here(b); /* it may be in a function */
        if (b->found_result) {
            build_set_group_shape(b, GROUP_SHAPE_FEEDS_ATOMIC);
        }
    } else {
        put_arithmetic(b, t);
    }
}

static void put_statement(struct build *b, struct tape *t)
{
    struct tape peek = *t;
    uint64_t const kind = tape_take_below(&peek, 100, ROLE_STATEMENT);
    tape_name_node(t, NODE_STATEMENT);
    if (b->n_built >= BUILD_MAX_INSTRUCTIONS || !b->p.ok) {
        return;
    }
    b->n_built++;
    if (kind >= GRAMMAR_COMPOUND_FROM && b->depth < GRAMMAR_MAX_DEPTH) {
        tape_name_node(t, NODE_BRANCH);
        tape_skip(t, 1);
        if (kind < IF_BELOW) {
            put_if(b, t);
        } else {
            put_loop(b, t);
        }
        return;
    }
    uint64_t const leaf = b->profile == PROFILE_ARITH && kind % 8 != 0 ? ATOMIC_BELOW : kind;
    if (b->math.is_main && leaf < MATH_BELOW && !(b->n_cells > 0 && leaf < GROUP_BELOW)) {
        math_put(b, t);
    } else if (leaf < ATOMIC_BELOW || (b->group.is_on && leaf < GROUP_AGAIN_BELOW)) {
        put_tested(b, t, leaf);
    } else if (leaf < ARITHMETIC_BELOW) {
        put_arithmetic(b, t);
    } else if (leaf < BARRIER_BELOW) {
        put_barrier(b, tape_take_u64(&peek, ROLE_FORM));
    } else {
        put_return(b, t);
    }
}

static void put_block(struct build *b, struct tape *t)
{
    tape_name_node(t, NODE_BLOCK);
    uint32_t const most = b->depth == 0 ? b->max_statements : (uint32_t)GRAMMAR_MAX_STATEMENTS;
    for (uint32_t i = 0; i < most && tape_has_child(t); i++) {
        struct tape one = tape_fork(t);
        put_statement(b, &one);
    }
}

static void put_hot_loop(struct build *b, struct tape *t)
{
    /* sums of hundreds of f16 fall on few values, whose order nobody can tell */
    enum {
        F16_TRIPS = 4
    };
    int const is_short = b->cells[0].type == IR_F16 && b->hot_trips > F16_TRIPS;
    uint32_t const n_most = is_short ? (uint32_t)F16_TRIPS : b->hot_trips;
    if (b->style != STYLE_HOT && b->style != STYLE_LARGE) {
        return;
    }
    tape_name_node(t, NODE_BLOCK);
    uint64_t const choice = tape_take_u64(t, ROLE_TRIPS);
    struct ir_inst *loop = NULL;
    if (b->has_rendezvous) {
        rendezvous_put(b, choice);
    }
    struct ir_inst *const trips = put_trips(b, choice, b->hot_by_lane, n_most);
    struct scope const s = enter_loop(b, trips, n_most, !b->hot_by_lane, &loop);
    if (n_most >= 8) {
        build_set_shape(b, SHAPE_HOT_LOOP);
    }
    do {
        struct tape one = tape_fork(t);
        atomics_put(b, &one, 1);
    } while (tape_has_child(t));
    leave(b, &s);
}

/* Top level: what stands under the guard is closed around each barrier. */
static struct ir_block *open_guard(struct build *b)
{
    struct ir_block *const outer = b->block;
    struct ir_inst *const test =
        ir_plain(&b->p, outer, SpvOpULessThan, IR_BOOL, b->p.gid, operand_i32(b, b->n_live));
    b->block = ir_if(&b->p, outer, test)->body[0];
    b->is_uniform = 0;
    b->masks |= MASK_OF_GUARD;
    b->n_masks++;
    build_forget_here(b);
    return outer;
}

static void close_guard(struct build *b, struct ir_block *outer)
{
    b->block = outer;
    b->is_uniform = 1;
    b->n_values = 0;
    b->masks &= ~(unsigned)MASK_OF_GUARD;
    b->n_masks--;
    b->ballot[0] = NULL;
    build_forget_here(b);
}

static void put_guarded(struct build *b, struct tape *t, struct tape *hot)
{
    struct ir_block *outer = open_guard(b);
    tape_name_node(t, NODE_BLOCK);
    put_hot_loop(b, hot);
    for (uint32_t i = 0; i < b->max_statements && tape_has_child(t); i++) {
        struct tape one = tape_fork(t);
        struct tape peek = one;
        uint64_t const kind = tape_take_below(&peek, 100, ROLE_STATEMENT);
        if (b->has_barriers && kind >= ARITHMETIC_BELOW && kind < BARRIER_BELOW) {
            tape_name_node(&one, NODE_STATEMENT);
            close_guard(b, outer);
            put_barrier(b, tape_take_u64(&peek, ROLE_FORM));
            outer = open_guard(b);
        } else {
            put_statement(b, &one);
        }
    }
    close_guard(b, outer);
}

/* The first statements of a case with group operations: those that all come to. */
static void put_opening(struct build *b, struct tape *t)
{
    struct tape first = tape_fork(t);
    tape_name_node(t, NODE_BLOCK);
    groups_put_prologue(b);
    groups_put(b, &first);
    put_block(b, t);
}

/* May single invocations leave before the end? Not where a barrier follows, nor where a group
 * operation that all must come to does. */
static int may_return(const struct build *b)
{
    return !b->has_barriers && (!b->group.is_on || (b->group.gates >> GATE_BALLOT & 1));
}

void body_put(struct build *b, struct tape *hot, struct tape *body, struct tape *math)
{
    b->block = &b->p.main;
    b->is_uniform = 1;
    b->may_return = may_return(b);
    b->n_iterations = 1;
    if (b->group.is_on) {
        put_opening(b, hot);
    }
    atomics_put_initial(b);
    if (b->edge == EDGE_GUARD && b->has_barriers) {
        put_guarded(b, body, hot);
    } else {
        if (b->edge == EDGE_GUARD) {
            struct ir_inst *const test = ir_plain(&b->p, b->block, SpvOpUGreaterThanEqual, IR_BOOL,
                                                  b->p.gid, operand_i32(b, b->n_live));
            ir_return(&b->p, ir_if(&b->p, b->block, test)->body[0]);
            build_set_shape(b, SHAPE_EARLY_RETURN);
            b->gone |= MASK_OF_GUARD;
            build_forget_here(b);
        }
        put_hot_loop(b, hot);
        if (b->n_cells > 0 && b->dynamic == 0 && !tape_has_child(body)) {
            struct tape none = tape_fork(body); /* the smallest case has one atomic */
            atomics_put(b, &none, 0);
        }
        put_block(b, body);
    }
    if (b->math.is_on) {
        math_put_block(b, math);
    }
    if (b->math.is_main && b->info.n_math == 0) {
        struct tape none = {.data = NULL}; /* nor is it without mathematics */
        math_put(b, &none);
    }
    atomics_put_final(b);
}

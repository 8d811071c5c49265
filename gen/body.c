/* gen/body.c -- statements: branches, loops, barriers, early return, arithmetic, atomics. */
#include <assert.h>

#include "base/spv.h"
#include "gen/build.h"

static void put_block(struct build *b, struct tape *t);

/* What a block changes and its end puts back. */
struct scope {
    struct ir_block *block;
    struct ir_inst *row_step, *iteration;
    uint32_t n_iterations, n_values;
    int is_uniform;
};

static struct scope enter(struct build *b, struct ir_block *into, int is_uniform)
{
    struct scope const s = {b->block,        b->row_step, b->iteration,
                            b->n_iterations, b->n_values, b->is_uniform};
    if (b->depth > 0) {
        build_set_shape(b, SHAPE_NESTED);
    }
    b->block = into;
    b->is_uniform = b->is_uniform && is_uniform;
    b->depth++;
    return s;
}

static void leave(struct build *b, const struct scope *s)
{
    b->block = s->block;
    b->row_step = s->row_step;
    b->iteration = s->iteration;
    b->n_iterations = s->n_iterations;
    b->n_values = s->n_values;
    b->is_uniform = s->is_uniform;
    b->depth--;
}

static struct ir_inst *compare(struct build *b, uint32_t op, struct ir_inst *x, uint32_t y)
{
    return ir_plain(&b->p, b->block, op, IR_BOOL, x, operand_i32(b, y));
}

/* ---- conditions ---- */

static struct ir_inst *condition_uniform(struct build *b, uint64_t choice)
{
    struct input const what = {.type = IR_I32, .class = INPUT_BITS, .seed = choice};
    build_set_shape(b, SHAPE_IF_UNIFORM);
    if (choice % 2 == 0) {
        struct ir_inst *const bit = operand_int(b, SpvOpBitwiseAnd, b->p.wg, operand_i32(b, 1));
        return compare(b, choice / 2 % 2 ? SpvOpINotEqual : SpvOpIEqual, bit, 0);
    }
    struct ir_inst *const data = operand_load_uniform(b, &what);
    struct ir_inst *const bits = operand_int(b, SpvOpBitwiseAnd, data, operand_i32(b, 3));
    return compare(b, SpvOpINotEqual, bits, 0);
}

static struct ir_inst *condition_lane(struct build *b, uint64_t choice)
{
    struct ir_inst *const own = choice % 2 ? b->p.lid : b->p.gid;
    uint32_t const n = 2 + (uint32_t)(choice / 4 % 6);
    build_set_shape(b, SHAPE_IF_LANE);
    if (choice / 2 % 2) {
        return compare(b, SpvOpULessThan, b->p.lid,
                       1 + (uint32_t)(choice / 4 % (b->n_local > 1 ? b->n_local : 1)));
    }
    struct ir_inst *const rest = operand_int(b, SpvOpUMod, own, operand_i32(b, n));
    return compare(b, choice / 32 % 2 ? SpvOpINotEqual : SpvOpIEqual, rest, 0);
}

static struct ir_inst *condition_data(struct build *b, uint64_t choice)
{
    struct input const what = {.type = IR_I32, .class = INPUT_BITS, .seed = choice};
    build_set_shape(b, SHAPE_IF_DATA);
    struct ir_inst *const data = operand_load(b, &what, 1);
    if (choice % 3 == 0) {
        return compare(b, SpvOpSLessThan, data, 0);
    }
    struct ir_inst *const mask = operand_i32(b, choice % 2 ? 3 : 1);
    struct ir_inst *const bits = operand_int(b, SpvOpBitwiseAnd, data, mask);
    return compare(b, SpvOpIEqual, bits, 0);
}

/* On the bits of a probed result: what it was is known. NULL where there is none of 32 bits. */
static struct ir_inst *condition_result(struct build *b, uint64_t choice)
{
    for (uint32_t i = 0; i < b->n_values; i++) {
        const struct value *const v = &b->values[b->n_values - 1 - i];
        if (v->is_result && v->is_probed && ir_type_bits(v->inst->type) == 32) {
            struct ir_inst *const bits = operand_cast(b, v->inst, IR_I32);
            build_set_shape(b, SHAPE_IF_RESULT);
            return compare(b, SpvOpSLessThan, bits, (uint32_t)(choice % 2 ? 0x3f800000 : 0));
        }
    }
    return NULL;
}

enum condition {
    CONDITION_UNIFORM,
    CONDITION_LANE,
    CONDITION_DATA,
    CONDITION_RESULT
};
static const uint8_t condition_weights[] = {25, 32, 25, 18};

static struct ir_inst *put_condition(struct build *b, struct tape *t, int *is_uniform)
{
    enum condition const kind =
        (enum condition)build_draw(t, condition_weights, ARRAY_N(condition_weights));
    uint64_t const choice = tape_take_u64(t);
    *is_uniform = 0;
    switch (kind) {
    case CONDITION_UNIFORM:
        *is_uniform = 1;
        return condition_uniform(b, choice);
    case CONDITION_LANE:
        return condition_lane(b, choice);
    case CONDITION_RESULT: {
        struct ir_inst *const v = condition_result(b, choice);
        return v ? v : condition_data(b, choice);
    }
    case CONDITION_DATA:
        return condition_data(b, choice);
    }
    assert(0 && "condition out of range");
    return condition_data(b, choice);
}

/* ---- compound statements ---- */

static void put_if(struct build *b, struct tape *t)
{
    int is_uniform = 0;
    struct ir_inst *const test = put_condition(b, t, &is_uniform);
    int const has_else = tape_take_chance(t, 45);
    int const has_phi = tape_take_chance(t, 45);
    enum ir_type const type = operand_pick_type(b, tape_take_u64(t));
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
    put_block(b, &then_tape);
    if (has_phi) {
        x = operand_float(b, &x_tape, type, USE_ANY);
    }
    leave(b, &s);
    if (has_else) {
        branch->body[1] = ir_block_new(&b->p);
        s = enter(b, branch->body[1], is_uniform);
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
        operand_remember(b, phi, 0, 1);
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
    return s;
}

static void put_loop(struct build *b, struct tape *t)
{
    int const by_lane = tape_take_chance(t, 50);
    uint32_t const n_most = 1 + (uint32_t)tape_take_below(t, 3);
    uint64_t const choice = tape_take_u64(t);
    int const carries = tape_take_chance(t, 40);
    enum ir_type const type = operand_pick_type(b, tape_take_u64(t));
    struct tape body = tape_fork(t);
    (void)tape_fork(t); /* the second block of a branch */
    struct tape first = tape_fork(t);
    struct tape operand = tape_fork(t);
    if (b->n_iterations * n_most > BUILD_MAX_ITERATIONS) {
        return;
    }
    struct ir_inst *const start = carries ? operand_float(b, &first, type, USE_ANY) : NULL;
    struct ir_inst *loop = NULL;
    struct ir_inst *const trips = put_trips(b, choice, by_lane, n_most);
    struct scope const s = enter_loop(b, trips, n_most, !by_lane, &loop);
    struct ir_inst *phi = NULL;
    if (carries) {
        phi = ir_phi(&b->p, loop, type, start, start);
        operand_remember(b, phi, 0, 0);
    }
    put_block(b, &body);
    if (carries) {
        struct ir_inst *const x = operand_float(b, &operand, type, USE_ANY);
        uint32_t const op = choice / 8 % 2 ? SpvOpFAdd : SpvOpFSub;
        phi->arg[1] = ir_plain(&b->p, b->block, op, type, phi, x);
        operand_probe(b, phi->arg[1]);
        build_set_shape(b, SHAPE_LOOP_CARRIED);
    }
    leave(b, &s);
    if (carries) {
        operand_probe(b, phi);
        operand_remember(b, phi, 0, 1);
    }
}

/* ---- leaf statements ---- */

static void put_arithmetic(struct build *b, struct tape *t)
{
    (void)tape_take_u64(t); /* the statement's kind */
    enum ir_type const type = operand_pick_type(b, tape_take_u64(t));
    int const probes = tape_take_below(t, 100) < b->probe_percent;
    (void)tape_fork(t); /* the order of an atomic */
    struct tape operand = tape_fork(t);
    legal_add_type_needs(&b->p, type);
    struct ir_inst *const v = operand_computed(b, &operand, type, 0);
    if (probes) {
        operand_probe(b, v);
    }
    operand_remember(b, v, 0, probes);
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
}

/* Single invocations leave where no barrier follows; whole work-groups anywhere that they come to
 * together. */
static void put_return(struct build *b, struct tape *t)
{
    struct tape condition = tape_fork(t);
    uint64_t const choice = tape_take_u64(&condition);
    struct ir_inst *test = NULL;
    if (b->may_return) {
        switch (choice % 3) {
        case 0:
            test = operand_int(b, SpvOpUMod, b->p.gid, operand_i32(b, 5));
            test = compare(b, SpvOpIEqual, test, 3);
            break;
        case 1:
            test = compare(b, SpvOpULessThan, b->p.lid, 1 + (uint32_t)(choice / 3 % 4));
            break;
        default:
            test = condition_data(b, choice);
            break;
        }
    } else if (b->is_uniform && b->n_groups > 1) {
        test = compare(b, SpvOpIEqual, b->p.wg, (uint32_t)(choice % b->n_groups));
    } else {
        return;
    }
    ir_return(&b->p, ir_if(&b->p, b->block, test)->body[0]);
    build_set_shape(b, SHAPE_EARLY_RETURN);
}

/* Below GRAMMAR_COMPOUND_FROM. Zero: an atomic. */
enum {
    ATOMIC_BELOW = 54,
    ARITHMETIC_BELOW = 66,
    BARRIER_BELOW = 72,
    IF_BELOW = 88
};

static void put_statement(struct build *b, struct tape *t)
{
    struct tape peek = *t;
    uint64_t const kind = tape_take_below(&peek, 100);
    if (b->n_built >= BUILD_MAX_INSTRUCTIONS || !b->p.ok) {
        return;
    }
    b->n_built++;
    if (kind >= GRAMMAR_COMPOUND_FROM && b->depth < GRAMMAR_MAX_DEPTH) {
        (void)tape_take_u64(t);
        if (kind < IF_BELOW) {
            put_if(b, t);
        } else {
            put_loop(b, t);
        }
        return;
    }
    uint64_t const leaf = b->profile == PROFILE_ARITH && kind % 8 != 0 ? ATOMIC_BELOW : kind;
    if (leaf < ATOMIC_BELOW) {
        atomics_put(b, t, 0);
    } else if (leaf < ARITHMETIC_BELOW) {
        put_arithmetic(b, t);
    } else if (leaf < BARRIER_BELOW) {
        put_barrier(b, tape_take_u64(&peek));
    } else {
        put_return(b, t);
    }
}

static void put_block(struct build *b, struct tape *t)
{
    uint32_t const most = b->depth == 0 ? b->max_statements : (uint32_t)GRAMMAR_MAX_STATEMENTS;
    for (uint32_t i = 0; i < most && tape_has_child(t); i++) {
        struct tape one = tape_fork(t);
        put_statement(b, &one);
    }
}

void body_put_hot_loop(struct build *b, struct tape *t)
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
    uint64_t const choice = tape_take_u64(t);
    struct ir_inst *loop = NULL;
    if (b->meets) {
        meet_put(b, choice);
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
    return outer;
}

static void put_guarded(struct build *b, struct tape *t, struct tape *hot)
{
    struct ir_block *outer = open_guard(b);
    body_put_hot_loop(b, hot);
    for (uint32_t i = 0; i < b->max_statements && tape_has_child(t); i++) {
        struct tape one = tape_fork(t);
        struct tape peek = one;
        uint64_t const kind = tape_take_below(&peek, 100);
        if (b->has_barriers && kind >= ARITHMETIC_BELOW && kind < BARRIER_BELOW) {
            b->block = outer;
            b->is_uniform = 1;
            b->n_values = 0;
            put_barrier(b, tape_take_u64(&peek));
            outer = open_guard(b);
        } else {
            put_statement(b, &one);
        }
    }
    b->block = outer;
    b->is_uniform = 1;
    b->n_values = 0;
}

void body_put(struct build *b, struct tape *t)
{
    struct tape hot = tape_fork(t);
    struct tape body = tape_fork(t);
    b->block = &b->p.main;
    b->is_uniform = 1;
    b->may_return = !b->has_barriers;
    b->n_iterations = 1;
    atomics_put_initial(b);
    if (b->edge == EDGE_GUARD && b->has_barriers) {
        put_guarded(b, &body, &hot);
    } else {
        if (b->edge == EDGE_GUARD) {
            struct ir_inst *const test = ir_plain(&b->p, b->block, SpvOpUGreaterThanEqual, IR_BOOL,
                                                  b->p.gid, operand_i32(b, b->n_live));
            ir_return(&b->p, ir_if(&b->p, b->block, test)->body[0]);
            build_set_shape(b, SHAPE_EARLY_RETURN);
        }
        body_put_hot_loop(b, &hot);
        if (b->dynamic == 0 && !tape_has_child(&body)) { /* the smallest case has one atomic */
            struct tape none = tape_fork(&body);
            atomics_put(b, &none, 0);
        }
        put_block(b, &body);
    }
    atomics_put_final(b);
}

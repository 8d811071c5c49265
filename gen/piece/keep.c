/* gen/piece/keep.c -- pieces whose values are kept for long: in an array of the function, in registers, across barriers. */
#include "gen/piece/keep.h"

#include "base/format.h"
#include "base/spv.h"
#include "gen/inputs/inputs_number.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/piece/exchange.h"
#include "gen/plan/body.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"
#include "gen/plan/scope.h"
#include "gen/tape/field.h"

/* x and y as one, in a way that tells which came first: of integers; of floats their sum. */
static struct ir_inst *put_joined(struct build *b, enum ir_type type, struct ir_inst *x,
                                  struct ir_inst *y)
{
    if (ir_type_is_float(type)) {
        return operand_sum(b, x, y);
    }
    struct ir_inst *const scaled = operand_plain(b, SpvOpIMul, type, x, operand_number(b, type, 5));
    b->progress.n_built++;
    return operand_plain(b, SpvOpBitwiseXor, type, scaled, y);
}

/* ---- an array of the function ---- */

struct scratch {
    struct build *b;
    enum ir_type type;
    uint32_t var, n;
};

/* An element that data choose. */
static struct ir_inst *put_index(const struct scratch *s, uint64_t choice)
{
    struct build *const b = s->b;
    struct ir_inst *const datum =
        field_get(choice, ELEMENT_KIND) == 0 ? b->p.lid : operand_random(b, choice, false);
    return operand_by(b, SpvOpUMod, datum, s->n);
}

static struct ir_inst *load(const struct scratch *s, struct ir_inst *at)
{
    s->b->progress.n_built++;
    return ir_load(&s->b->p, s->b->flow.block, s->var, at);
}

static void store(const struct scratch *s, struct ir_inst *at, struct ir_inst *v)
{
    s->b->progress.n_built++;
    ir_store(&s->b->p, s->b->flow.block, s->var, at, v);
}

/* All elements get a value: one after the other, each its own. */
static void put_content(const struct scratch *s, uint64_t seed)
{
    struct ir_inst *const word = exchange_put_word(s->b, s->type, seed);
    for (uint32_t i = 0; i < s->n; i++) {
        store(s, operand_i32(s->b, i),
              operand_sum(s->b, word, operand_number(s->b, s->type, i * 3)));
    }
}

/* In a loop, from `first` on: each 3 more than the one before, which of floats is exact. */
static void put_content_in_loop(const struct scratch *s, struct ir_inst *first)
{
    struct build *const b = s->b;
    struct ir_inst *const loop = ir_loop(&b->p, b->flow.block, operand_i32(b, s->n));
    struct scope const outer = scope_enter(b, loop->body[0], IN_UNIFORM_LOOP);
    struct ir_inst *const carried = ir_phi(&b->p, loop, s->type, first, first);
    store(s, loop->phi, carried);
    carried->arg[1] = operand_sum(b, carried, operand_number(b, s->type, 3));
    build_set_shape(b, SHAPE_LOOP_UNIFORM);
    scope_leave(b, &outer);
}

/* All elements as one, read in a loop from the last to the first. */
static struct ir_inst *put_all_in_loop(const struct scratch *s)
{
    struct build *const b = s->b;
    struct ir_inst *const zero = operand_number(b, s->type, 0);
    struct ir_inst *const loop = ir_loop(&b->p, b->flow.block, operand_i32(b, s->n));
    struct scope const outer = scope_enter(b, loop->body[0], IN_UNIFORM_LOOP);
    struct ir_inst *const carried = ir_phi(&b->p, loop, s->type, zero, zero);
    struct ir_inst *const at = operand_int(b, SpvOpISub, operand_i32(b, s->n - 1), loop->phi);
    carried->arg[1] = put_joined(b, s->type, carried, load(s, at));
    scope_leave(b, &outer);
    return carried;
}

static struct ir_inst *put_all(const struct scratch *s)
{
    struct ir_inst *all = load(s, operand_i32(s->b, 0));
    for (uint32_t i = 1; i < s->n; i++) {
        all = put_joined(s->b, s->type, all, load(s, operand_i32(s->b, i)));
    }
    return all;
}

/* In two loops, of which the inner one alone stores: the outer one's last iteration is what is left. */
static void put_content_twice(const struct scratch *s, struct ir_inst *word)
{
    struct build *const b = s->b;
    struct ir_inst *const twice = ir_loop(&b->p, b->flow.block, operand_i32(b, 2));
    struct scope const outer = scope_enter(b, twice->body[0], IN_UNIFORM_LOOP);
    struct ir_inst *const first = ir_phi(&b->p, twice, s->type, word, word);
    put_content_in_loop(s, first);
    first->arg[1] = operand_sum(b, first, operand_number(b, s->type, 1));
    scope_leave(b, &outer);
}

/* Puts a loop whose test loads what the body stored: the body adds 2 to an element of the array s, and the
 * test, in the continue target, leaves the loop when that element has reached a limit or after s->n
 * iterations. A test that reads the element from before the store shows in the final array. */
static void put_until(const struct scratch *s, uint64_t choice)
{
    struct build *const b = s->b;
    struct ir_inst *const index = put_index(s, choice);
    struct ir_inst *const zero = operand_i32(b, 0);
    struct ir_inst *const loop = ir_tested_loop(&b->p, b->flow.block, TEST_LAST);
    if (!b->p.ok) {
        return;
    }
    struct ir_inst *const iteration = ir_phi(&b->p, loop, IR_I32, zero, zero);
    struct scope const outer = scope_enter(b, loop->body[0], MASK_OF_TRIPS);
    /* each iteration comes to the next element, the first one after the last */
    struct ir_inst *const element =
        operand_by(b, SpvOpUMod, operand_int(b, SpvOpIAdd, index, iteration), s->n);
    store(s, element, operand_sum(b, load(s, element), operand_number(b, s->type, 2)));
    b->flow.block = loop->tested->step;
    iteration->arg[1] = operand_by(b, SpvOpIAdd, iteration, 1);
    b->flow.block = loop->tested->test;
    struct ir_inst *const more =
        operand_plain(b, SpvOpULessThan, IR_BOOL, iteration->arg[1], operand_i32(b, s->n));
    struct ir_inst *const limit =
        operand_number(b, s->type, 2 + (uint32_t)field_get(choice, UNTIL_LIMIT));
    uint32_t const less = ir_type_is_float(s->type) ? SpvOpFOrdLessThan : SpvOpULessThan;
    struct ir_inst *const is_small = operand_plain(b, less, IR_BOOL, load(s, element), limit);
    loop->tested->condition = operand_plain(b, SpvOpLogicalAnd, IR_BOOL, more, is_small);
    scope_leave(b, &outer);
}

/* Takes a new array. false: there is no room for one. */
static bool take_scratch(struct build *b, struct scratch *s)
{
    struct ir_var const v = {.kind = VAR_PRIVATE, .type = s->type, .n = s->n};
    if (!build_has_room(b) || !build_has_var_room(b, 0)) {
        return false;
    }
    s->var = ir_add_var(&b->p, v);
    legal_add_var_needs(&b->p, &v);
    return true;
}

/* Puts the piece "scratch": an array in Function storage is filled, then changed at elements that data
 * choose, then read as a whole. Wrong aliasing or a wrong dynamic index shows in what is loaded, all of
 * which is stored. Node t gives the type, the length and the form. */
void piece_scratch_put(struct build *b, struct tape *t)
{
    enum {
        LEAST_LENGTH = 2,
        N_LENGTHS = 15,
        CHANGE_BITS = 13 /* of `digits`: from the choices of one change to those of the next */
    };
    uint64_t const type = tape_take_u64(t, ROLE_TYPE);
    uint64_t const seed = tape_take_u64(t, ROLE_FORM);
    uint64_t const digits = tape_take_u64(t, ROLE_PLACE);
    uint64_t const form = tape_take_u64(t, ROLE_FORM);
    struct scratch s = {.b = b,
                        .type = exchange_pick_type(b, type),
                        .n = LEAST_LENGTH + (uint32_t)tape_take_below(t, N_LENGTHS, ROLE_SIZE)};
    struct tape block = tape_fork(t);
    if (!take_scratch(b, &s)) {
        body_put_block(b, &block);
        return;
    }
    if (!field_get(form, SCRATCH_IN_LOOP)) {
        put_content(&s, seed);
    } else if (field_is_last(form, SCRATCH_TWICE)) {
        put_content_twice(&s, exchange_put_word(b, s.type, seed));
    } else {
        put_content_in_loop(&s, exchange_put_word(b, s.type, seed));
    }
    if (field_is_last(form, SCRATCH_UNTIL)) {
        put_until(&s, field_rest(digits, SCRATCH_UNTIL_DIGITS));
    }
    uint32_t const n_changes = 1 + (uint32_t)field_get(form, SCRATCH_CHANGES);
    for (uint32_t i = 0; i < n_changes; i++) {
        uint64_t const choice = digits >> (CHANGE_BITS * i);
        struct ir_inst *const found = load(&s, put_index(&s, choice));
        operand_probe(b, found);
        struct ir_inst *const changed = operand_sum(b, found, operand_number(b, s.type, 1 + i));
        store(&s, put_index(&s, field_rest(choice, SCRATCH_STORED) + 1), changed);
    }
    if (field_is_last(form, SCRATCH_BLOCK)) {
        body_put_block(b, &block);
    }
    operand_probe(b, load(&s, put_index(&s, field_rest(digits, SCRATCH_LAST))));
    operand_probe(b, field_get(form, SCRATCH_READ_IN_LOOP) ? put_all_in_loop(&s) : put_all(&s));
}

/* ---- truth values ---- */

/* Puts the piece "flags": an array of booleans in Function storage is filled from the bits of a random
 * word; then elements that data choose are loaded and negated in place; then all elements are read. A
 * loaded boolean is turned into a number, which is stored and may be the next index. So a boolean that is
 * neither 0 nor 1 in memory shows. */
void piece_flags_put(struct build *b, struct tape *t)
{
    enum {
        LEAST_LENGTH = 2,
        N_LENGTHS = 7,
        N_CHANGES = 3,
        TRUE_NUMBER = 7, /* what an element stands for at the end */
        FALSE_NUMBER = 2
    };
    uint64_t const digits = tape_take_u64(t, ROLE_PLACE);
    uint64_t const seed = tape_take_u64(t, ROLE_FORM);
    struct scratch s = {.b = b,
                        .type = IR_BOOL,
                        .n = LEAST_LENGTH + (uint32_t)tape_take_below(t, N_LENGTHS, ROLE_SIZE)};
    if (!take_scratch(b, &s)) {
        return;
    }
    struct ir_inst *const word = operand_random(b, seed, false);
    for (uint32_t i = 0; i < s.n; i++) {
        struct ir_inst *const bit = operand_by(b, SpvOpBitwiseAnd, word, 1U << i);
        store(&s, operand_i32(b, i),
              operand_plain(b, SpvOpINotEqual, IR_BOOL, bit, operand_i32(b, 0)));
    }
    /* of `digits`: the first index, then a bit for each change, then eight bits for each further index */
    struct ir_inst *all = operand_i32(b, 0);
    struct ir_inst *index = put_index(&s, digits);
    for (uint32_t i = 0; i < N_CHANGES; i++) {
        struct ir_inst *const truth = load(&s, index);
        struct ir_inst *const number =
            operand_select(b, truth, operand_i32(b, 1), operand_i32(b, 0));
        operand_probe(b, number); /* so that a wrong number is seen at once, not in `all` only */
        store(&s, index, operand_plain(b, SpvOpLogicalNot, IR_BOOL, truth, NULL));
        all = put_joined(b, IR_I32, all, number);
        bool const is_number_next = digits >> (8 + i) & 1;
        index = is_number_next ? number : put_index(&s, digits >> (16 + 8 * i));
    }
    for (uint32_t i = 0; i < s.n; i++) {
        struct ir_inst *const truth = load(&s, operand_i32(b, i));
        struct ir_inst *const number =
            operand_select(b, truth, operand_i32(b, TRUE_NUMBER), operand_i32(b, FALSE_NUMBER));
        operand_probe(b, number);
        all = put_joined(b, IR_I32, all, number);
    }
    operand_probe(b, all);
}

/* ---- many values at once ---- */

enum {
    LEAST_VALUES = 24,
    MOST_VALUES = 192,
    N_WORDS = 4 /* of which they are made */
};
/* What stands between the values and their use; below: nothing. */
enum between {
    BETWEEN_BARRIER = 2,
    BETWEEN_STATEMENTS
};

/* One of many values: a word, changed as no other is. */
static struct ir_inst *put_value(struct build *b, enum ir_type type, struct ir_inst *const *word,
                                 uint32_t k)
{
    struct ir_inst *const from = word[k % N_WORDS];
    if (ir_type_is_float(type)) {
        return operand_sum(b, from, operand_number(b, type, k));
    }
    struct ir_inst *const scaled =
        operand_plain(b, SpvOpIMul, type, from, operand_number(b, type, 2 * k + 3));
    return operand_plain(b, SpvOpBitwiseXor, type, scaled, word[(k / N_WORDS) % N_WORDS]);
}

/* Puts the piece "pressure": many values are computed before the first of them is used, so that a compiler
 * runs out of registers and must spill them. Statements or a barrier may stand between. All values are then
 * joined into one number, in an order that `form` gives, and stored. */
void piece_pressure_put(struct build *b, struct tape *t)
{
    /* 2^64 over the golden ratio: its multiples are spread evenly */
    static const uint64_t golden_ratio = UINT64_C(0x9e3779b97f4a7c15);
    struct ir_inst *value[MOST_VALUES] = {NULL}, *word[N_WORDS];
    uint64_t const choice = tape_take_u64(t, ROLE_TYPE);
    uint64_t const seed = tape_take_u64(t, ROLE_FORM);
    uint64_t const form = tape_take_u64(t, ROLE_FORM);
    uint32_t const n =
        LEAST_VALUES + (uint32_t)tape_take_below(t, MOST_VALUES - LEAST_VALUES + 1, ROLE_SIZE);
    enum ir_type const drawn = exchange_pick_type(b, choice);
    enum ir_type const type =
        drawn == IR_F16 ? IR_F32 : drawn; /* of f16 the sum would not be exact */
    uint32_t const first = (uint32_t)field_below(form, PRESSURE_FIRST, n);
    struct tape block = tape_fork(t);
    if (!build_has_room(b)) {
        return;
    }
    for (uint32_t k = 0; k < N_WORDS; k++) {
        word[k] = exchange_put_word(b, type, seed + k * golden_ratio);
    }
    for (uint32_t k = 0; k < n; k++) {
        value[k] = put_value(b, type, word, k);
        b->progress.n_built++;
    }
    if (field_get(form, PRESSURE_BETWEEN) == BETWEEN_STATEMENTS) {
        body_put_block(b, &block);
    } else if (field_get(form, PRESSURE_BETWEEN) == BETWEEN_BARRIER && build_is_full(b)) {
        exchange_fence(b, false, field_rest(form, PRESSURE_FENCE)); /* of work-group memory */
    }
    struct ir_inst *all = value[first];
    for (uint32_t k = 1; k < n; k++) {
        uint32_t const at = field_get(form, PRESSURE_DOWN) ? (first + n - k) % n : (first + k) % n;
        all = put_joined(b, type, all, value[at]);
    }
    operand_probe(b, all);
    operand_probe(b, value[n - 1]); /* one value unjoined, which tells more of an error */
}

/* ---- across barriers ---- */

enum {
    MOST_KEPT = 8
};

/* What is computed from x, its negation and y, each time anew. */
static void put_uses(struct build *b, struct ir_inst *x, struct ir_inst *y, uint64_t choice)
{
    static const uint32_t ops[] = {SpvOpFAdd, SpvOpFSub, SpvOpFMul};
    struct ir_inst *const negated = operand_plain(b, SpvOpFNegate, x->type, x, NULL);
    uint32_t const op = ops[field_get(choice, USES_OP)];
    struct ir_inst *const with = operand_plain(b, op, x->type, negated, y);
    struct ir_inst *const without =
        operand_plain(b, ops[field_get(choice, USES_OTHER)], x->type, x, y);
    operand_probe(b, field_get(choice, USES_ORDER) ? with : without);
    operand_probe(b, field_get(choice, USES_ORDER) ? without : with);
    if (field_get(choice, USES_NEGATED)) {
        operand_probe(b, negated);
    }
    b->progress.n_built += 3;
}

/* Puts the piece "across": values are computed before several barriers and used after each of them, so that
 * they must survive the barriers unchanged. x and y are floats that put_uses uses, before and after each
 * barrier; kept[] are integers that are stored at the end. Barriers need all invocations of the work-group:
 * else nothing is put. */
void piece_across_put(struct build *b, struct tape *t)
{
    enum {
        FIRST_USE_BIT = 8, /* of `digits`, above those of the two counts */
        USE_BITS = 6,
        FENCE_BITS = 8
    };
    struct ir_inst *kept[MOST_KEPT];
    enum ir_type const type = operand_pick_type(b, tape_take_u64(t, ROLE_TYPE));
    uint64_t const digits = tape_take_u64(t, ROLE_FORM);
    uint64_t const seed = tape_take_u64(t, ROLE_FORM);
    uint64_t const fences = tape_take_u64(t, ROLE_SCOPE);
    uint32_t const n_kept = 1 + (uint32_t)(field_get(digits, ACROSS_KEPT));
    uint32_t const n_barriers = 1 + (uint32_t)(field_get(digits, ACROSS_BARRIERS));
    struct tape block = tape_fork(t);
    (void)tape_fork(t); /* the second block of a piece, which is not read here */
    struct tape first = tape_fork(t);
    struct tape second = tape_fork(t);
    if (!build_is_full(b) || !build_has_room(b)) {
        return;
    }
    legal_add_type_needs(&b->p, type);
    struct ir_inst *const x = operand_float(b, &first, type, USE_ANY);
    struct ir_inst *const y = operand_float(b, &second, type, USE_ANY);
    for (uint32_t k = 0; k < n_kept; k++) {
        struct ir_inst *const word = exchange_put_word(b, IR_I32, seed + k);
        /* computed, by another odd factor each */
        kept[k] = operand_by(b, SpvOpIMul, word, 2 * k + 3);
    }
    for (uint32_t i = 0; i <= n_barriers; i++) {
        put_uses(b, x, y, digits >> (FIRST_USE_BIT + USE_BITS * i));
        if (i == 1) { /* there is always a first barrier before this */
            body_put_block(b, &block);
        }
        /* of work-group memory and of buffers by turns; none after the last uses */
        if (i < n_barriers) {
            exchange_fence(b, i % 2, fences >> (FENCE_BITS * i));
        }
    }
    for (uint32_t k = 0; k < n_kept; k++) {
        operand_probe(b, kept[k]);
    }
}

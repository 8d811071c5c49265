/* gen/piece/rounds.c -- a piece as ciphers and hashes are: words that go through rounds of additions, xors and rotations. */
#include "gen/piece/rounds.h"

#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/plan/body.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"
#include "gen/plan/scope.h"
#include "gen/tape/field.h"

enum {
    QUARTER = 4,        /* words that a step mixes */
    MOST_WORDS = 16,    /* all of them live around the loop */
    MOST_ROUNDS = 24,   /* and for all invocations so many steps: */
    MOST_STEPS = 12000, /* what the interpreter does in time */
    WORD_BITS = 32
};

struct rounds {
    struct build *b;
    uint32_t n; /* words */
    struct ir_inst *word[MOST_WORDS];
    bool by_vector; /* are the words of a step shifted as one vector? */
};

/* op on each of the words of a step; as vectors, which are taken apart again. */
static void put_all(const struct rounds *x, uint32_t op, struct ir_inst *const *v,
                    struct ir_inst *const *w, struct ir_inst **out)
{
    struct build *const b = x->b;
    for (uint32_t k = 0; !x->by_vector && k < QUARTER; k++) {
        out[k] = operand_int(b, op, v[k], w[k]);
    }
    if (!x->by_vector) {
        return;
    }
    struct ir_block *const block = b->flow.block;
    struct ir_inst *const left = ir_vector(&b->p, block, QUARTER, v);
    struct ir_inst *const right = ir_vector(&b->p, block, QUARTER, w);
    struct ir_inst *const all = ir_plain(&b->p, block, op, IR_I32, left, right);
    all->n_results = QUARTER;
    for (uint32_t k = 0; k < QUARTER; k++) {
        out[k] = ir_extract(&b->p, block, all, k);
    }
}

/* Each word of a step rotated by a number of bits of its own, by two shifts. */
static void put_rotated(const struct rounds *x, struct ir_inst *const *v, uint64_t choice,
                        struct ir_inst **out)
{
    struct ir_inst *up[QUARTER], *down[QUARTER], *high[QUARTER], *low[QUARTER];
    for (uint32_t k = 0; k < QUARTER; k++) {
        uint32_t const n = 1 + (uint32_t)(choice >> (5 * k)) % (WORD_BITS - 1);
        up[k] = operand_i32(x->b, n);
        down[k] = operand_i32(x->b, WORD_BITS - n);
    }
    put_all(x, SpvOpShiftLeftLogical, v, up, high);
    put_all(x, SpvOpShiftRightLogical, v, down, low);
    put_all(x, SpvOpBitwiseOr, high, low, out);
}

/* A step on four of the words, from `first` on with that stride: each is added to the one before, rotated, and joins the one
 * after. */
static void put_step(struct rounds *x, uint32_t first, uint32_t stride, uint64_t choice)
{
    struct build *const b = x->b;
    struct ir_inst *v[QUARTER], *sum[QUARTER], *next[QUARTER], *rotated[QUARTER];
    for (uint32_t k = 0; k < QUARTER; k++) {
        v[k] = x->word[(first + k * stride) % x->n];
    }
    for (uint32_t k = 0; k < QUARTER; k++) {
        next[k] = v[(k + 1) % QUARTER];
    }
    put_all(x, SpvOpIAdd, v, next, sum);
    put_rotated(x, sum, choice, rotated);
    put_all(x, field_get(choice, ROUND_AND) == 0 ? SpvOpBitwiseAnd : SpvOpBitwiseXor, rotated, next,
            sum);
    put_all(x, SpvOpBitwiseXor, sum, v, sum);
    for (uint32_t k = 0; k < QUARTER; k++) {
        x->word[(first + k * stride) % x->n] = sum[k];
    }
    b->progress.n_built += 6 * QUARTER;
}

/* One round: columns, then in every other round of a large state rows. */
static void put_round(struct rounds *x, uint64_t choice)
{
    uint32_t const n_steps = x->n / QUARTER;
    for (uint32_t i = 0; i < n_steps; i++) {
        put_step(x, i, n_steps, choice >> (3 * i));
    }
    if (field_get(choice, ROUND_ROWS) && n_steps > 1) {
        put_step(x, 0, n_steps + 1, field_rest(choice, ROUND_ROWS_STEP));
    }
}

/* Iterations of the loop: so many as the interpreter does for all invocations in time. */
static uint32_t pick_rounds(const struct build *b, uint32_t n_words, uint32_t drawn)
{
    uint32_t const most = (uint32_t)MOST_STEPS / (b->dispatch.n_items * n_words);
    return drawn < most ? drawn : most;
}

/* Puts the piece "rounds": like a hash or cipher, it mixes some words of this invocation in a loop of up to
 * tens of rounds. The words are phis of the loop, of which each round makes the next words (put_round). All
 * words after the loop are stored as one number, and one of them alone. Node t gives the number of words,
 * their first values and the mixing. */
void piece_rounds_put(struct build *b, struct tape *t)
{
    /* words of the state; half of the cases have 4 */
    static const uint32_t sizes[] = {4, 4, 8, 16};
    uint64_t const form = tape_take_u64(t, ROLE_FORM);
    uint64_t const seed = tape_take_u64(t, ROLE_SEED);
    uint64_t const choice = tape_take_u64(t, ROLE_OPERATION);
    uint64_t const hint = tape_take_u64(t, ROLE_MODE);
    uint32_t const drawn = 1 + (uint32_t)tape_take_below(t, MOST_ROUNDS, ROLE_TRIPS);
    struct rounds x = {.b = b,
                       .n = sizes[field_get(form, ROUNDS_SIZE)],
                       .by_vector = field_is_last(form, ROUNDS_BY_VECTOR)};
    struct tape block = tape_fork(t);
    uint32_t const n_rounds = pick_rounds(b, x.n, drawn);
    if (!build_has_room(b) || n_rounds == 0) {
        body_put_block(b, &block);
        return;
    }
    struct ir_inst *start[MOST_WORDS] = {NULL};
    /* a random word in every four, and multiples of it */
    for (uint32_t k = 0; k < x.n; k++) {
        start[k] = k % 4 ? operand_by(b, SpvOpIMul, start[k - 1], 2 * k + 7)
                         : operand_random(b, seed + k, false);
    }
    struct ir_inst *const loop = ir_loop(&b->p, b->flow.block, operand_i32(b, n_rounds));
    scope_hint_loop(b, loop, hint, n_rounds);
    build_set_shape(b, SHAPE_LOOP_UNIFORM);
    struct scope const outer = scope_enter(b, loop->body[0], IN_UNIFORM_LOOP);
    struct ir_inst *carried[MOST_WORDS] = {NULL};
    for (uint32_t k = 0; k < x.n; k++) {
        carried[k] = x.word[k] = ir_phi(&b->p, loop, IR_I32, start[k], start[k]);
    }
    put_round(&x, choice);
    for (uint32_t k = 0; k < x.n; k++) {
        carried[k]->arg[1] = x.word[k];
    }
    scope_leave(b, &outer);
    /* each word counts in another way, so that two words that are exchanged are seen */
    struct ir_inst *all = carried[0];
    for (uint32_t k = 1; k < x.n; k++) {
        all = operand_int(b, SpvOpBitwiseXor, operand_by(b, SpvOpIMul, all, 3), carried[k]);
    }
    operand_probe(b, all);
    operand_probe(b, carried[field_below(form, ROUNDS_PROBED, x.n)]);
}

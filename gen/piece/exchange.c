/* gen/piece/exchange.c -- pieces in which invocations of a work-group pass words to each other. */
#include "gen/piece/exchange.h"

#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/piece/results.h"
#include "gen/plan/body.h"
#include "gen/plan/build.h"
#include "gen/plan/condition.h"
#include "gen/plan/operand.h"
#include "gen/plan/scope.h"
#include "gen/tape/field.h"

enum {
    HALVES = 2,      /* of each work-group's words: a word per invocation each */
    MAX_WORDS = 4,   /* of a vector */
    GLOBAL_FROM = 65 /* percent: words in a buffer */
};
/* Below these a word is one number. */
enum word_length {
    LENGTH_2 = 3,
    LENGTH_4
};

/* The words of a work-group, and how its invocations go about them. */
struct words {
    struct build *b;
    uint32_t var, n_local, n; /* n: numbers in a word */
    enum ir_type type;
    bool is_global, is_double; /* is_double: rounds alternate between two halves */
    bool is_stencil;           /* two words are loaded in a round */
    bool is_rotated;           /* each lane changes its word in memory before others load it */
    uint64_t fences;           /* digits: each barrier its own form */
    struct ir_inst *base;      /* of the work-group's first word; NULL: 0 */
};
/* One word in registers. */
struct word {
    struct ir_inst *part[MAX_WORDS];
};

/* ---- memory ---- */

/* Puts a control barrier of the work-group that orders accesses to its exchanged words, which lie in global
 * memory (is_global) or in work-group memory. `choice` gives the form (enum exchange_form): with least
 * semantics, with more memory or a stronger order, with a wider memory scope, or after another barrier.
 * Each form orders these words. */
void exchange_fence(struct build *b, bool is_global, uint64_t choice)
{
    bool const is_cl = b->env == ENV_CL;
    uint32_t const local = SpvMemorySemanticsWorkgroupMemoryMask;
    uint32_t const global =
        is_cl ? SpvMemorySemanticsCrossWorkgroupMemoryMask : SpvMemorySemanticsUniformMemoryMask;
    uint32_t const ordered = SpvMemorySemanticsAcquireReleaseMask;
    uint32_t const least = ordered | (is_global ? global : local);
    /* Vulkan has no sequential consistency */
    uint32_t const stronger = is_cl ? (uint32_t)SpvMemorySemanticsSequentiallyConsistentMask
                                    : ordered | (uint32_t)SpvMemorySemanticsImageMemoryMask;
    enum exchange_form const form = (enum exchange_form)(choice % EXCHANGE_FORM_N);
    if (form == EXCHANGE_TWICE) { /* the first barrier orders no memory: the second one must */
        ir_barrier(&b->p, b->flow.block, SpvMemorySemanticsMaskNone);
    }
    /* the Vulkan memory model allows Device scope only with capability VulkanMemoryModelDeviceScope */
    if (form == EXCHANGE_WIDER && !b->p.vulkan_memory_model) {
        ir_barrier_of(&b->p, b->flow.block, least, SpvScopeDevice);
    } else if (form == EXCHANGE_BOTH || form == EXCHANGE_STRONGER) {
        ir_barrier(&b->p, b->flow.block,
                   (form == EXCHANGE_BOTH ? ordered : stronger) | local | global);
    } else {
        ir_barrier(&b->p, b->flow.block, least);
    }
    build_set_shape(b, SHAPE_BARRIER);
    build_forget_present(b);
    b->progress.n_built++;
}

static void put_fence(struct words *x)
{
    exchange_fence(x->b, x->is_global, field_get(x->fences, FENCE_FIRST));
    x->fences = field_rest(x->fences, FENCE_OTHERS);
}

/* A variable of such words that is there already; NO_VAR: none. Those that atomics come to are apart. */
static uint32_t find_var(const struct build *b, const struct ir_var *like, bool has_atomics)
{
    for (uint32_t i = 0; i < b->p.n_vars; i++) {
        const struct ir_var *const v = &b->p.vars[i];
        bool const is_like = v->kind == like->kind && v->type == like->type && v->n == like->n &&
                             ir_var_components(v) == ir_var_components(like) && !v->of_struct;
        if (is_like && (b->io.exchanged >> i & 1) && (b->io.counted >> i & 1) == has_atomics) {
            return i;
        }
    }
    return NO_VAR;
}

/* Chooses the variable that holds the words x: a variable of an earlier piece, after a barrier that orders
 * its last accesses, else a new one. Sets x->var, and for global memory x->base, the index of the first
 * word of the work-group. If the case may not have such words in a buffer, x->is_global is cleared, and they lie in work-group
 * memory. has_atomics: atomics access the words too. Returns false if there is no room for a variable. */
static bool take_var(struct words *x, bool has_atomics)
{
    struct build *const b = x->b;
    struct ir_var const in_buffer = {.kind = VAR_BUFFER, .type = x->type};
    x->is_global = x->is_global && legal_may_var(&b->p, &in_buffer);
    uint32_t const n_words = HALVES * x->n_local * (x->is_global ? b->dispatch.n_groups : 1);
    struct ir_var const wanted = {.kind = x->is_global ? VAR_BUFFER : VAR_LOCAL,
                                  .type = x->type,
                                  .n = n_words,
                                  .n_components = x->n > 1 ? x->n : 0, /* 0: no vector */
                                  .is_exchanged = true};
    x->var = find_var(b, &wanted, has_atomics);
    if (x->var == NO_VAR) {
        uint32_t const n_bytes = x->is_global ? 0 : n_words * x->n * (ir_type_bits(x->type) / 8);
        if (!build_has_var_room(b, n_bytes)) {
            return false;
        }
        x->var = ir_add_var(&b->p, wanted);
        b->io.exchanged |= 1U << x->var;
        b->io.counted |= has_atomics ? 1U << x->var : 0; /* which find_var tells apart */
        legal_add_var_needs(&b->p, &wanted);
    } else {
        put_fence(x);
    }
    if (x->is_global) {
        x->base = operand_by(b, SpvOpIMul, b->p.wg, HALVES * x->n_local);
    }
    return true;
}

/* Where all of the work-group come, and plain accesses are those of several. */
bool exchange_may(const struct build *b)
{
    return build_is_full(b) && b->dispatch.edge == EDGE_NONE;
}

static struct ir_inst *put_index(const struct words *x, struct ir_inst *half, struct ir_inst *lane)
{
    struct ir_inst *index = lane;
    if (half) {
        struct ir_inst *const first = operand_by(x->b, SpvOpIMul, half, x->n_local);
        index = operand_int(x->b, SpvOpIAdd, first, lane);
    }
    return x->base ? operand_int(x->b, SpvOpIAdd, x->base, index) : index;
}

static void put_store(const struct words *x, struct ir_inst *half, struct ir_inst *lane,
                      struct word w)
{
    struct ir_inst *const index = put_index(x, half, lane);
    struct ir_inst *const whole = x->n > 1 ? operand_vector(x->b, x->n, w.part) : w.part[0];
    ir_store(&x->b->p, x->b->flow.block, x->var, index, whole);
    x->b->progress.n_built++;
}

static struct word put_load(const struct words *x, struct ir_inst *half, struct ir_inst *lane)
{
    struct ir_inst *const index = put_index(x, half, lane);
    struct ir_inst *const whole = ir_load(&x->b->p, x->b->flow.block, x->var, index);
    struct word w = {{whole}};
    for (uint32_t k = 0; x->n > 1 && k < x->n; k++) {
        w.part[k] = operand_part(x->b, whole, k);
    }
    x->b->progress.n_built++;
    return w;
}

static void put_probe(const struct words *x, struct word w)
{
    for (uint32_t k = 0; k < x->n; k++) {
        operand_probe(x->b, w.part[k]);
    }
}

/* ---- words ---- */

enum ir_type exchange_pick_type(const struct build *b, uint64_t choice)
{
    static const enum ir_type types[] = {IR_I32, IR_I32, IR_I8,  IR_F32, IR_F32, IR_F16,
                                         IR_I64, IR_F16, IR_F64, IR_I8,  IR_I32, IR_I16};
    enum ir_type const type = types[choice % ARRAY_N(types)];
    bool const is_rare = type == IR_F16 || type == IR_F64;
    if (is_rare && !build_has_width(b, build_width(type))) {
        return IR_F32;
    }
    return build_may_type(b, type) ? type : IR_I32;
}

struct ir_inst *exchange_put_word(struct build *b, enum ir_type type, uint64_t seed)
{
    bool const is_narrow = type == IR_I8 || type == IR_I16;
    struct input what = {.type = is_narrow ? IR_I32 : type, .class = INPUT_BITS, .seed = seed};
    if (ir_type_is_float(type)) { /* 128 of f16 add up to no more than 2^11 */
        what.class = INPUT_EXACT;
        what.k_max = type == IR_F16 ? 15 : 255;
    }
    legal_add_type_needs(&b->p, type);
    struct ir_inst *const word = operand_load(b, &what, false);
    return is_narrow ? operand_plain(b, SpvOpUConvert, type, word, NULL) : word;
}

static struct word put_word(const struct words *x, uint64_t seed)
{
    struct word w = {{NULL}};
    for (uint32_t k = 0; k < x->n; k++) {
        w.part[k] = exchange_put_word(x->b, x->type, seed + k * UINT64_C(0x9e3779b97f4a7c15));
    }
    return w;
}

/* Of two words one, component by component: of floats a sum, exact as they are small whole numbers; of integers what
 * `choice` says, the same in any order. */
static struct word put_merged(const struct words *x, struct word v, struct word w, uint64_t choice)
{
    static const uint32_t integer_ops[] = {SpvOpIAdd, SpvOpBitwiseXor, SpvOpBitwiseOr,
                                           SpvOpBitwiseAnd};
    uint32_t const op = ir_type_is_float(x->type) ? (uint32_t)SpvOpFAdd
                                                  : integer_ops[choice % ARRAY_N(integer_ops)];
    struct word out = {{NULL}};
    for (uint32_t k = 0; k < x->n; k++) {
        out.part[k] = operand_plain(x->b, op, x->type, v.part[k], w.part[k]);
        x->b->progress.n_built++;
    }
    return out;
}

/* What a piece of words reads of its node: memory and type, then seeds and digits, one decision each. */
struct choices {
    uint64_t seed, digits, form;
};

/* Takes the variable of the words if they may stand here. false: they may not; the statements of `block` are put instead. */
static bool take_or_leave(struct words *x, struct tape *block, bool has_atomics)
{
    bool const is_taken = exchange_may(x->b) && build_has_room(x->b) && take_var(x, has_atomics);
    if (!is_taken) {
        body_put_block(x->b, block);
    }
    return is_taken;
}

/* Plans the words of a piece, and takes its block of statements. false: there is no room, or none may stand here; the
 * statements are then all there is. */
static bool take_words(struct build *b, struct tape *t, struct words *x, struct choices *c,
                       struct tape *block)
{
    uint64_t const memory = tape_take_u64(t, ROLE_PLACE);
    uint64_t const type = tape_take_u64(t, ROLE_TYPE);
    c->seed = tape_take_u64(t, ROLE_FORM);
    c->digits = tape_take_u64(t, ROLE_FORM);
    c->form = tape_take_u64(t, ROLE_FORM);
    *x = (struct words){.b = b,
                        .n_local = b->dispatch.n_local,
                        .n = 1,
                        .type = exchange_pick_type(b, type),
                        .is_global = field_get(memory, SHARED_MEMORY) >= GLOBAL_FROM,
                        .is_double = field_get(memory, SHARED_HALVES),
                        .is_stencil = field_is_last(memory, SHARED_STENCIL),
                        .is_rotated = field_is_last(type, WORD_ROTATED) &&
                                      legal_may_op(&b->p, SpvOpVectorShuffle),
                        .fences = tape_take_u64(t, ROLE_SCOPE)};
    bool const is_short = ir_type_bits(x->type) <= 32 && x->type != IR_F16;
    if (is_short) {
        uint64_t const length = field_get(type, WORD_LENGTH);
        x->n = length == LENGTH_2 ? 2 : length == LENGTH_4 ? 4 : 1;
    }
    *block = tape_fork(t);
    return take_or_leave(x, block, false);
}

/* ---- whose word is loaded ---- */

enum reach {
    REACH_ROTATED,
    REACH_REVERSED,
    REACH_BROADCAST,
    REACH_TRANSPOSED,
    REACH_AFFINE,
    REACH_XOR,
    REACH_DATA,
    REACH_N
};

static struct ir_inst *wrap(const struct words *x, struct ir_inst *lane)
{
    return operand_by(x->b, SpvOpUMod, lane, x->n_local);
}

/* The lane at the other side of the diagonal of the largest square that the work-group has; outside it, the lane itself. */
static struct ir_inst *put_transposed(const struct words *x)
{
    struct build *const b = x->b;
    uint32_t side = 1;
    while ((side + 1) * (side + 1) <= x->n_local) {
        side++;
    }
    struct ir_inst *const n = operand_i32(b, side);
    struct ir_inst *const row = operand_int(b, SpvOpUDiv, b->p.lid, n);
    struct ir_inst *const column = operand_int(b, SpvOpUMod, b->p.lid, n);
    struct ir_inst *const first = operand_int(b, SpvOpIMul, column, n);
    struct ir_inst *const there = operand_int(b, SpvOpIAdd, first, row);
    if (side * side == x->n_local) {
        return there;
    }
    return operand_select(b, condition_compare(b, SpvOpULessThan, b->p.lid, side * side), there,
                          b->p.lid);
}

/* Puts the index of the lane whose word this lane loads. `choice` gives the pattern (enum reach) and its
 * numbers. Where `iteration` is given, the counter of a loop, the distance of a rotation grows with it; the
 * other patterns are the same in each iteration. */
static struct ir_inst *put_reach(const struct words *x, uint64_t choice, struct ir_inst *iteration)
{
    enum {
        N_STEPS = 31,  /* numbers of a pattern: 1 to this */
        N_FACTORS = 5, /* 3, 5 ... 11 */
    };
    struct build *const b = x->b;
    uint64_t const more = choice / REACH_N;
    uint32_t const step = 1 + (uint32_t)(more % N_STEPS);
    struct ir_inst *const lid = b->p.lid;
    struct ir_inst *distance, *scaled;
    switch ((enum reach)(choice % REACH_N)) {
    case REACH_ROTATED:
        distance = operand_i32(b, step);
        distance = iteration ? operand_int(b, SpvOpIMul, iteration, distance) : distance;
        return wrap(x, operand_int(b, SpvOpIAdd, lid, distance));
    case REACH_REVERSED:
        return operand_int(b, SpvOpISub, operand_i32(b, x->n_local - 1), lid);
    case REACH_BROADCAST:
        return operand_i32(b, (uint32_t)(more % x->n_local));
    case REACH_TRANSPOSED:
        return put_transposed(x);
    case REACH_AFFINE:
        scaled = operand_by(b, SpvOpIMul, lid, 3 + 2 * (uint32_t)(more % N_FACTORS));
        return wrap(x, operand_by(b, SpvOpIAdd, scaled, step));
    case REACH_XOR:
        return wrap(x, operand_by(b, SpvOpBitwiseXor, lid, step));
    case REACH_DATA:
        return wrap(x, operand_random(b, more, false));
    case REACH_N: /* a count, no pattern */
        break;
    }
    return lid;
}

struct ir_inst *exchange_put_neighbour(struct build *b, struct ir_inst *v, uint64_t seed)
{
    struct words x = {.b = b,
                      .n_local = b->dispatch.n_local,
                      .n = 1,
                      .type = v->type,
                      .fences = hash_bytes(seed, "fences", 6)};
    if (!exchange_may(b) || !take_var(&x, false)) {
        return v;
    }
    put_store(&x, NULL, b->p.lid, (struct word){{v}});
    put_fence(&x);
    struct word const other = put_load(&x, NULL, put_reach(&x, hash_bytes(seed, "reach", 5), NULL));
    if (b->flow.row_step) { /* the next iteration stores again */
        put_fence(&x);
    }
    return other.part[0];
}

/* ---- loops of which all of the work-group do the same iterations ---- */

static struct scope enter_loop(struct build *b, uint32_t n_trips, struct ir_inst **loop)
{
    *loop = ir_loop(&b->p, b->flow.block, operand_i32(b, n_trips));
    build_set_shape(b, SHAPE_LOOP_UNIFORM);
    return scope_enter_loop(b, (*loop)->body[0], (*loop)->phi, n_trips, IN_UNIFORM_LOOP);
}

/* Which half an iteration uses, of a loop by its counter; NULL: there is one only. */
static struct ir_inst *put_half(const struct words *x, uint32_t round, struct ir_inst *iteration)
{
    if (!x->is_double) {
        return NULL;
    }
    return iteration ? operand_by(x->b, SpvOpBitwiseAnd, iteration, 1)
                     : operand_i32(x->b, round % HALVES);
}

/* ---- words go round ---- */

/* The word of the lane before this one, beside another's, as one: what a stencil reads. */
static struct word put_beside(struct words *x, struct ir_inst *half, struct word other)
{
    struct build *const b = x->b;
    struct ir_inst *const last = operand_i32(b, x->n_local - 1);
    struct word const before =
        put_load(x, half, wrap(x, operand_int(b, SpvOpIAdd, b->p.lid, last)));
    put_probe(x, before);
    return put_merged(x, other, before, 1);
}

/* The lane's own word is loaded again, and stored with its components moved on by one place. */
static void put_rotated(const struct words *x, struct ir_inst *half)
{
    struct build *const b = x->b;
    uint32_t places[MAX_WORDS];
    for (uint32_t k = 0; k < x->n; k++) {
        places[k] = (k + 1) % x->n;
    }
    struct ir_inst *const index = put_index(x, half, b->p.lid);
    struct ir_inst *const whole = ir_load(&b->p, b->flow.block, x->var, index);
    struct ir_inst *const rotated = operand_shuffle(b, whole, whole, places, x->n);
    ir_store(&b->p, b->flow.block, x->var, index, rotated);
    b->progress.n_built += 3;
}

/* One round: own word stored, a barrier, another's loaded. With one half a second barrier parts the loads from what the
 * next round stores; with two the next round's own barrier does. */
static struct word put_round(struct words *x, struct word own, struct ir_inst *half,
                             struct ir_inst *reach, bool is_last)
{
    put_store(x, half, x->b->p.lid, own);
    if (x->is_rotated && x->n > 1) {
        put_rotated(x, half);
    }
    put_fence(x);
    struct word other = put_load(x, half, reach);
    put_probe(x, other);
    if (x->is_stencil) {
        other = put_beside(x, half, other);
    }
    if (!x->is_double && !is_last) {
        put_fence(x);
    }
    return other;
}

/* Words carried round a loop, at most as many as a vector has. */
static void carry(const struct words *x, struct ir_inst *loop, const struct word *from,
                  struct word *phi)
{
    for (uint32_t k = 0; k < x->n; k++) {
        phi->part[k] = ir_phi(&x->b->p, loop, x->type, from->part[k], from->part[k]);
    }
}

/* What the phis become in the next iteration. */
static void carry_on(const struct words *x, const struct word *phi, const struct word *next)
{
    for (uint32_t k = 0; k < x->n; k++) {
        phi->part[k]->arg[1] = next->part[k];
    }
}

static void put_rounds_in_loop(struct words *x, const struct choices *c, struct word own,
                               uint32_t n_rounds)
{
    struct ir_inst *loop = NULL;
    struct word carried = {{NULL}};
    struct scope const outer = enter_loop(x->b, n_rounds, &loop);
    carry(x, loop, &own, &carried);
    struct ir_inst *const iteration = loop->phi;
    struct word const other =
        put_round(x, carried, put_half(x, 0, iteration), put_reach(x, c->digits, iteration), false);
    struct word const merged = put_merged(x, carried, other, field_rest(c->form, EXCHANGE_MERGE));
    carry_on(x, &carried, &merged);
    scope_leave(x->b, &outer);
    put_probe(x, carried);
}

/* Rounds of two words at once, in the memory of the work-group and in a buffer: one barrier orders both. */
static struct word put_rounds_of_two(struct words *x, struct words *y, const struct choices *c,
                                     struct word own, uint32_t n_rounds)
{
    struct build *const b = x->b;
    struct word second = put_word(y, c->seed ^ c->digits);
    for (uint32_t i = 0; i < n_rounds; i++) {
        uint64_t const digits = c->digits >> (8 * i);
        struct ir_inst *const half = put_half(x, i, NULL);
        put_store(x, half, b->p.lid, own);
        put_store(y, half, b->p.lid, second);
        exchange_fence(b, false, EXCHANGE_BOTH);
        struct word const other = put_load(x, half, put_reach(x, digits, NULL));
        struct word const other_second = put_load(y, half, put_reach(y, digits / 7 + 1, NULL));
        put_probe(x, other);
        put_probe(y, other_second);
        own = put_merged(x, own, other, field_rest(c->form, EXCHANGE_MERGE) + i);
        second = put_merged(y, second, other_second, field_rest(c->form, EXCHANGE_MERGE) + i + 1);
        if (!x->is_double && i + 1 < n_rounds) {
            exchange_fence(b, false, EXCHANGE_BOTH);
        }
    }
    put_probe(y, second);
    return own;
}

/* The words that go round beside those of x: i32, in the other memory. false: there are none. */
static bool take_beside(const struct words *x, const struct choices *c, struct words *y)
{
    *y = (struct words){.b = x->b,
                        .n_local = x->n_local,
                        .n = 1,
                        .type = IR_I32,
                        .is_global = !x->is_global,
                        .is_double = x->is_double,
                        .fences = x->fences};
    return field_is_last(c->form, EXCHANGE_BESIDE) && take_var(y, false);
}

/* Puts the piece "exchange": in each round every lane stores its word, the work-group meets at a barrier,
 * and every lane loads the word of another lane. The loaded word is merged into the lane's own word, which
 * the next round stores. The rounds stand one after the other or in a loop; a second word may go round
 * beside the first in the other kind of memory. */
void piece_exchange_put(struct build *b, struct tape *t)
{
    struct words x;
    struct choices c;
    struct tape block;
    if (!take_words(b, t, &x, &c, &block)) {
        return;
    }
    uint32_t const n_rounds = 1 + (uint32_t)field_get(c.form, EXCHANGE_ROUNDS);
    struct word own = put_word(&x, c.seed);
    struct words second;
    if (field_is_last(c.form, EXCHANGE_IN_LOOP) && n_rounds > 1) {
        /* probes the words itself; no statements follow */
        put_rounds_in_loop(&x, &c, own, n_rounds);
        return;
    }
    /* without a second word, or where there is no room for it, the rounds of one word are put */
    bool const has_second = take_beside(&x, &c, &second);
    if (has_second) {
        own = put_rounds_of_two(&x, &second, &c, own, n_rounds);
    }
    for (uint32_t i = 0; !has_second && i < n_rounds; i++) {
        /* each round chooses its pattern by eight other bits; the last has no barrier after its loads */
        struct ir_inst *const reach = put_reach(&x, c.digits >> (8 * i), NULL);
        struct word const other =
            put_round(&x, own, put_half(&x, i, NULL), reach, i + 1 == n_rounds);
        own = put_merged(&x, own, other, field_rest(c.form, EXCHANGE_MERGE) + i);
    }
    body_put_block(b, &block);
    put_probe(&x, own);
}

/* ---- a tree ---- */

/* The first `n` of the work-group go on. */
static struct scope enter_first(struct build *b, struct ir_inst *n)
{
    struct ir_inst *const test = operand_plain(b, SpvOpULessThan, IR_BOOL, b->p.lid, n);
    return scope_enter(b, ir_if(&b->p, b->flow.block, test)->body[0], MASK_OF_LANE);
}

/* Lanes below `n` add the word that lies `stride` further to their own. */
static void put_level(struct words *x, struct ir_inst *n, struct ir_inst *stride, uint64_t choice)
{
    struct build *const b = x->b;
    put_fence(x);
    struct scope const outer = enter_first(b, n);
    struct word const own = put_load(x, NULL, b->p.lid);
    struct word const other = put_load(x, NULL, operand_int(b, SpvOpIAdd, b->p.lid, stride));
    if (!field_is_last(choice, LEVEL_UNPROBED)) {
        put_probe(x, other);
    }
    put_store(x, NULL, b->p.lid, put_merged(x, own, other, choice));
    scope_leave(b, &outer);
}

/* Half the smallest power of two that is no less than n, and how often it can be halved. */
static uint32_t find_half(uint32_t n, uint32_t *n_levels)
{
    uint32_t half = 1;
    *n_levels = n > 1;
    while (half * 2 < n) {
        half *= 2;
        ++*n_levels;
    }
    return half;
}

/* Levels of which each has half the stride of the one before, in a loop. */
static void put_levels_in_loop(struct words *x, uint32_t half, uint32_t n_levels, uint64_t choice)
{
    struct build *const b = x->b;
    struct ir_inst *loop = NULL;
    struct ir_inst *const first = operand_i32(b, half);
    struct scope const outer = enter_loop(b, n_levels, &loop);
    struct ir_inst *const stride = ir_phi(&b->p, loop, IR_I32, first, first);
    struct ir_inst *const rest = operand_int(b, SpvOpISub, operand_i32(b, x->n_local), stride);
    struct ir_inst *const is_whole = operand_plain(b, SpvOpULessThan, IR_BOOL, stride, rest);
    put_level(x, operand_select(b, is_whole, stride, rest), stride, choice);
    stride->arg[1] = operand_by(b, SpvOpShiftRightLogical, stride, 1);
    scope_leave(b, &outer);
}

/* A reduction by a tree over the work-group, whose result all load. */
void piece_tree_put(struct build *b, struct tape *t)
{
    struct words x;
    struct choices c;
    uint32_t n_levels;
    struct tape block;
    if (!take_words(b, t, &x, &c, &block)) {
        return;
    }
    uint32_t const half = find_half(x.n_local, &n_levels);
    put_store(&x, NULL, b->p.lid, put_word(&x, c.seed));
    if (field_is_last(c.form, LEVELS_IN_LOOP) && n_levels > 1) {
        put_levels_in_loop(&x, half, n_levels, c.digits);
    } else {
        for (uint32_t stride = half; n_levels > 0 && stride > 0; stride /= 2) {
            uint32_t const rest = x.n_local - stride;
            put_level(&x, operand_i32(b, stride < rest ? stride : rest), operand_i32(b, stride),
                      c.digits);
        }
    }
    put_fence(&x);
    put_probe(&x, put_load(&x, NULL, operand_i32(b, 0)));
    put_probe(&x, put_load(&x, NULL, put_reach(&x, field_rest(c.form, TREE_REACH), NULL)));
}

/* ---- a scan ---- */

/* Each lane from `distance` on adds the word that lies so far before. */
static struct word put_scan_step(struct words *x, struct word own, struct ir_inst *half,
                                 struct ir_inst *distance, uint64_t choice)
{
    struct build *const b = x->b;
    put_store(x, half, b->p.lid, own);
    put_fence(x);
    struct ir_inst *const is_first = operand_plain(b, SpvOpULessThan, IR_BOOL, b->p.lid, distance);
    struct ir_inst *const before = operand_int(b, SpvOpISub, b->p.lid, distance);
    struct word const other = put_load(x, half, operand_select(b, is_first, b->p.lid, before));
    if (!field_is_last(choice, LEVEL_UNPROBED)) {
        put_probe(x, other);
    }
    struct word const sum = put_merged(x, own, other, choice);
    struct word out = {{NULL}};
    for (uint32_t k = 0; k < x->n; k++) {
        out.part[k] = operand_select(b, is_first, own.part[k], sum.part[k]);
    }
    if (!x->is_double) {
        put_fence(x);
    }
    return out;
}

static struct word put_scan_in_loop(struct words *x, struct word own, uint32_t n_steps,
                                    uint64_t choice)
{
    struct build *const b = x->b;
    struct ir_inst *loop = NULL;
    struct word carried = {{NULL}};
    struct scope const outer = enter_loop(b, n_steps, &loop);
    carry(x, loop, &own, &carried);
    struct ir_inst *const distance =
        operand_int(b, SpvOpShiftLeftLogical, operand_i32(b, 1), loop->phi);
    struct word const next = put_scan_step(x, carried, put_half(x, 0, loop->phi), distance, choice);
    carry_on(x, &carried, &next);
    scope_leave(b, &outer);
    return carried;
}

/* An inclusive scan by doubling. */
void piece_scan_put(struct build *b, struct tape *t)
{
    struct words x;
    struct choices c;
    uint32_t n_steps;
    struct tape block;
    if (!take_words(b, t, &x, &c, &block)) {
        return;
    }
    (void)find_half(x.n_local, &n_steps);
    struct word own = put_word(&x, c.seed);
    if (field_is_last(c.form, LEVELS_IN_LOOP) && n_steps > 1) {
        own = put_scan_in_loop(&x, own, n_steps, c.digits);
    } else {
        for (uint32_t i = 0; i < n_steps; i++) {
            own = put_scan_step(&x, own, put_half(&x, i, NULL), operand_i32(b, 1U << i), c.digits);
        }
    }
    put_probe(&x, own);
}

/* ---- a histogram ---- */

/* An atomic on a bin. value NULL: it has none. */
static struct ir_inst *put_atomic(const struct words *x, enum op_id op, struct ir_inst *index,
                                  struct ir_inst *value)
{
    struct build *const b = x->b;
    struct ir_atomic const a = {.op = op,
                                .var = x->var,
                                .scope = SpvScopeWorkgroup,
                                .semantics = SpvMemorySemanticsMaskNone,
                                .index = index,
                                .value = value};
    legal_add_atomic_needs(&b->p, &a);
    b->progress.n_atomics += b->dispatch.n_items;
    b->progress.n_built++;
    return ir_atomic(&b->p, b->flow.block, &a);
}

/* An atomic on the bin of this invocation, whose result nobody uses. */
static void put_count(const struct words *x, struct ir_inst *bin, uint64_t choice)
{
    static const enum op_id ops[] = {OP_core_AtomicIAdd, OP_core_AtomicOr, OP_core_AtomicXor,
                                     OP_core_AtomicUMax, OP_core_AtomicUMin};
    struct ir_inst *const index = put_index(x, NULL, bin);
    bool const by_one = field_get(choice, HISTOGRAM_BY_ONE);
    (void)put_atomic(x, ops[field_get(choice, HISTOGRAM_OP)], index,
                     by_one ? operand_i32(x->b, 1) : operand_random(x->b, choice, false));
}

/* A selection by bit number `at` of bits. */
static struct ir_inst *put_if_bit(struct build *b, struct ir_inst *bits, struct ir_inst *at)
{
    struct ir_inst *const bit = operand_int(b, SpvOpShiftRightLogical, bits, at);
    struct ir_inst *const low = operand_by(b, SpvOpBitwiseAnd, bit, 1);
    return ir_if(&b->p, b->flow.block, condition_compare(b, SpvOpIEqual, low, 1));
}

/* Counts this lane's bin in two nested loops. In the inner loop a barrier stands before the count in those
 * iterations whose bit is set in a loaded number; the number is the same for all lanes, so that all of them
 * meet at the barrier. */
static void put_counts(struct words *x, struct ir_inst *bin, uint64_t choice)
{
    enum {
        MOST_ITERATIONS = 3
    };
    struct build *const b = x->b;
    struct ir_inst *const bits = operand_random_uniform(b, choice);
    struct ir_inst *loop[2];
    struct scope outer[2];
    for (uint32_t k = 0; k < ARRAY_N(loop); k++) {
        /* eight bits of `choice` for each loop */
        uint32_t const n_trips = 1 + (uint32_t)(choice >> (8 * k)) % MOST_ITERATIONS;
        loop[k] = ir_loop(&b->p, b->flow.block, operand_i32(b, n_trips));
        outer[k] = scope_enter(b, loop[k]->body[0], IN_UNIFORM_LOOP);
        /* put_count counts one atomic for each item, as if it stood in no loop */
        b->progress.n_atomics += b->dispatch.n_items * (n_trips - 1);
    }
    /* another bit for each pair of iterations: outer * MOST_ITERATIONS + inner */
    struct ir_inst *const bit_at = operand_int(
        b, SpvOpIAdd, operand_by(b, SpvOpIMul, loop[0]->phi, MOST_ITERATIONS), loop[1]->phi);
    struct scope const around =
        scope_enter(b, put_if_bit(b, bits, bit_at)->body[0], IN_UNIFORM_ARM);
    put_fence(x);
    scope_leave(b, &around);
    put_count(x, bin, field_rest(choice, HISTOGRAM_COUNT));
    build_set_shape(b, SHAPE_LOOP_UNIFORM);
    scope_leave(b, &outer[1]);
    scope_leave(b, &outer[0]);
}

/* Puts the piece "histogram": the first lanes initialize the bins, all lanes update the bins by atomics,
 * and all lanes read the bins by plain loads; a barrier parts each phase from the next. Initialization and
 * reading may be by atomics too. Node t gives memory, number of bins, data and form. Where the piece may not
 * stand here, its block of statements is put instead (take_or_leave). */
void piece_histogram_put(struct build *b, struct tape *t)
{
    enum {
        MOST_BINS = 16
    };
    struct words x = {.b = b, .n_local = b->dispatch.n_local, .n = 1, .type = IR_I32};
    uint64_t const memory = tape_take_u64(t, ROLE_PLACE);
    uint64_t const count = tape_take_u64(t, ROLE_SIZE);
    uint64_t const data = tape_take_u64(t, ROLE_FORM);
    uint64_t const form = tape_take_u64(t, ROLE_FORM);
    x.fences = tape_take_u64(t, ROLE_SCOPE);
    x.is_global = field_get(memory, SHARED_MEMORY) >= GLOBAL_FROM;
    struct tape block = tape_fork(t);
    /* their words are apart from those of plain accesses alone (find_var) */
    bool const has_atomics = true;
    if (!take_or_leave(&x, &block, has_atomics)) {
        return;
    }
    /* lane i initializes bin i, so that there are at most as many bins as lanes */
    uint32_t const n_most = x.n_local < MOST_BINS ? x.n_local : MOST_BINS;
    struct ir_inst *const n_bins = operand_i32(b, 1 + (uint32_t)(count % n_most));
    /* all bits set: atomics such as UMin change nothing in a bin of 0 */
    struct word const initial = {
        {operand_i32(b, field_is_last(form, HISTOGRAM_FROM_ONES) ? UINT32_MAX : 0)}};
    bool const is_set_by_atomics = field_is_last(form, HISTOGRAM_SET_SO);
    bool const is_read_by_atomics = field_is_last(form, HISTOGRAM_READ_SO);
    struct scope const outer = enter_first(b, n_bins); /* a selection of the first n_bins lanes */
    if (is_set_by_atomics) {
        (void)put_atomic(&x, OP_core_AtomicStore, put_index(&x, NULL, b->p.lid), initial.part[0]);
    } else {
        put_store(&x, NULL, b->p.lid, initial);
    }
    scope_leave(b, &outer);
    put_fence(&x);
    struct ir_inst *const datum = operand_random(b, data, false); /* one of this lane */
    struct ir_inst *const own_bin = operand_int(b, SpvOpUMod, datum, n_bins);
    if (field_is_last(form, HISTOGRAM_IN_LOOPS)) {
        put_counts(&x, own_bin, form);
    } else {
        put_count(&x, own_bin, form);
    }
    put_fence(&x);
    /* all lanes read, also those beyond the number of bins */
    struct ir_inst *const read_bin = operand_int(b, SpvOpUMod, b->p.lid, n_bins);
    struct word loaded = {{NULL}};
    if (is_read_by_atomics) {
        loaded.part[0] = put_atomic(&x, OP_core_AtomicLoad, put_index(&x, NULL, read_bin), NULL);
    } else {
        loaded = put_load(&x, NULL, read_bin);
    }
    put_probe(&x, loaded);
}

/* ---- sweeps ---- */

/* How the sweeps of a piece go. */
struct sweeps {
    uint32_t n_writers; /* the first of the work-group, which store */
    uint32_t n;
    uint64_t choice;
    bool is_guarded; /* is each sweep in a selection, by a number that is the same for all? */
    bool is_late;    /* does the barrier after the loads stand in the continue target? */
};

/* All add up what the writers have stored, in a loop. */
static struct word put_sum_of(struct words *x, const struct sweeps *s, struct word start)
{
    struct build *const b = x->b;
    struct ir_inst *const loop = ir_loop(&b->p, b->flow.block, operand_i32(b, s->n_writers));
    scope_hint_loop(b, loop, field_rest(s->choice, SWEEP_SUM_HINT), s->n_writers);
    struct scope const outer = scope_enter(b, loop->body[0], IN_UNIFORM_LOOP);
    struct word sum = {{NULL}};
    carry(x, loop, &start, &sum);
    struct word const next = put_merged(x, sum, put_load(x, NULL, loop->phi), 0);
    carry_on(x, &sum, &next);
    scope_leave(b, &outer);
    return sum;
}

/* One sweep: the writers store, a barrier, all load. The barrier that parts the loads from the next stores may follow. */
static struct word put_sweep(struct words *x, const struct sweeps *s, struct word own)
{
    struct scope const outer = enter_first(x->b, operand_i32(x->b, s->n_writers));
    put_store(x, NULL, x->b->p.lid, own);
    scope_leave(x->b, &outer);
    put_fence(x);
    struct word const sum = put_sum_of(x, s, own);
    if (!s->is_late) {
        put_fence(x);
    }
    return sum;
}

/* The same where a number that is loaded, one for all, has that bit for the iteration; else nothing is done. */
static struct word put_guarded_sweep(struct words *x, const struct sweeps *s, struct word own,
                                     struct ir_inst *iteration, struct ir_inst *bits)
{
    struct build *const b = x->b;
    struct ir_inst *const branch = put_if_bit(b, bits, iteration);
    struct scope const outer = scope_enter(b, branch->body[0], IN_UNIFORM_ARM);
    struct word const sum = put_sweep(x, s, own);
    scope_leave(b, &outer);
    struct word out = {{NULL}};
    for (uint32_t k = 0; k < x->n; k++) {
        out.part[k] = ir_phi(&b->p, branch, x->type, sum.part[k], own.part[k]);
    }
    return out;
}

/* Puts the loop of the sweeps s over the words x. A sweep: some lanes store a word, all lanes add up what
 * was stored (put_sweep). The loop carries each lane's word, which starts as `own`. Returns the words that
 * lanes have after the loop. For each number of a word the loop has a phi in its header (carried), in its
 * continue target (on) and after it (end). */
static struct word put_sweeps(struct words *x, const struct sweeps *s, struct word own)
{
    struct build *const b = x->b;
    struct ir_inst *const bits = operand_random_uniform(b, s->choice);
    struct ir_inst *const loop = ir_tested_loop(&b->p, b->flow.block, TEST_FIRST);
    struct ir_inst *const zero = operand_i32(b, 0);
    if (!b->p.ok) { /* the arena is full: the loop may lack its parts */
        return own;
    }
    /* the second value of a phi, from the continue target, is set below (arg[1]) */
    struct ir_inst *const iteration = ir_phi(&b->p, loop, IR_I32, zero, zero);
    struct word carried = {{NULL}};
    carry(x, loop, &own, &carried);
    scope_hint_loop(b, loop, field_rest(s->choice, SWEEP_HINT), s->n);
    struct scope const outer = scope_enter(b, loop->body[0], IN_UNIFORM_LOOP);
    struct word const next = s->is_guarded ? put_guarded_sweep(x, s, carried, iteration, bits)
                                           : put_sweep(x, s, carried);
    /* header phi <- continue phi <- next; end phi <- header phi, where the loop's test fails */
    for (uint32_t k = 0; k < x->n; k++) {
        struct ir_inst *const on = ir_join_phi(&b->p, &loop->tested->next, x->type);
        struct ir_inst *const end = ir_join_phi(&b->p, &loop->tested->end, x->type);
        loop->tested->on[k] = next.part[k];
        loop->tested->out[k] = carried.part[k];
        carried.part[k]->arg[1] = on;
        own.part[k] = end;
    }
    b->flow.block = loop->tested->step;
    if (s->is_late) { /* put_sweep has left this barrier out */
        put_fence(x);
    }
    iteration->arg[1] = operand_by(b, SpvOpIAdd, iteration, 1);
    b->flow.block = loop->tested->test;
    loop->tested->condition = condition_compare(b, SpvOpULessThan, iteration, s->n);
    build_set_shape(b, SHAPE_LOOP_UNIFORM);
    scope_leave(b, &outer);
    return own;
}

/* Puts the piece "sweeps": in each sweep the first n_writers lanes store a word, then all lanes of the
 * work-group add up these words. The sum is stored once more and exchanged, so that each lane checks
 * another lane's result. Sums of floats are exact: inputs are whole numbers, small enough for MOST_WRITERS. */
void piece_sweeps_put(struct build *b, struct tape *t)
{
    enum {
        MOST_WRITERS = 16,
        /* There are at most three sweeps. Each multiplies a word by n_writers + 1. It is 15 (f16) or 255 at first:
         * 15 * 3 * 3 * 3 is below 2^11, 255 * 17 * 17 * 17 below 2^24. */
        MOST_WRITERS_F16 = 2
    };
    struct words x;
    struct choices c;
    struct tape block;
    if (!take_words(b, t, &x, &c, &block)) {
        return;
    }
    uint32_t const most = x.type == IR_F16 ? MOST_WRITERS_F16 : MOST_WRITERS;
    uint32_t const n_most = x.n_local < most ? x.n_local : most;
    struct sweeps const s = {.n_writers = 1 + (uint32_t)field_below(c.form, SWEEP_WRITERS, n_most),
                             .n = 2 + (uint32_t)field_get(c.form, SWEEP_COUNT),
                             .choice = c.digits,
                             .is_guarded = field_is_last(c.form, SWEEP_GUARDED),
                             .is_late = field_get(c.form, SWEEP_LATE)};
    struct word const sum = put_sweeps(&x, &s, put_word(&x, c.seed));
    if (field_is_last(c.digits, SWEEP_BLOCK)) {
        body_put_block(b, &block);
    }
    if (b->p.ok) { /* else put_sweeps has put no whole loop */
        put_probe(&x, sum);
        put_fence(&x); /* the loads of the last sweep come before this store */
        put_store(&x, NULL, b->p.lid, sum);
        put_fence(&x);
        put_probe(&x, put_load(&x, NULL, put_reach(&x, c.digits, NULL)));
    }
}

/* ---- partial sums ---- */

/* The words of a work-group are summed up in two steps: the partial sums, one for each `n_lanes` lanes, which those lanes
 * store, then their sum by the first lane alone, in a loop. */
static void put_sum_of_parts(struct words *x, struct ir_inst *part, uint32_t n_lanes)
{
    struct build *const b = x->b;
    uint32_t const n_parts = (x->n_local + n_lanes - 1) / n_lanes;
    struct ir_inst *const rest = operand_by(b, SpvOpUMod, b->p.lid, n_lanes);
    struct ir_inst *const is_storer = condition_compare(b, SpvOpIEqual, rest, 0);
    struct scope const storing =
        scope_enter(b, ir_if(&b->p, b->flow.block, is_storer)->body[0], MASK_OF_LANE);
    put_store(x, NULL, operand_by(b, SpvOpUDiv, b->p.lid, n_lanes), (struct word){{part}});
    scope_leave(b, &storing);
    put_fence(x);
    struct scope const first = enter_first(b, operand_i32(b, 1));
    struct ir_inst *const loop = ir_loop(&b->p, b->flow.block, operand_i32(b, n_parts));
    struct scope const outer = scope_enter(b, loop->body[0], IN_UNIFORM_LOOP);
    struct word const zero = {{operand_number(b, x->type, 0)}};
    struct word sum = {{NULL}};
    carry(x, loop, &zero, &sum);
    struct word const next = put_merged(x, sum, put_load(x, NULL, loop->phi), 0);
    carry_on(x, &sum, &next);
    scope_leave(b, &outer);
    put_probe(x, sum);
    scope_leave(b, &first);
}

/* Puts the piece "partial_sums": a reduction as libraries write it. Words go round by memory, a group operation sums them
 * up, some lanes store what it gave, and the first lane adds these up. */
void piece_partial_sums_put(struct build *b, struct tape *t)
{
    enum {
        MOST_LANES = 16
    };
    static const enum ir_type types[] = {IR_I32, IR_I32, IR_F32, IR_I64};
    uint64_t const memory = tape_take_u64(t, ROLE_PLACE);
    uint64_t const type = tape_take_below(t, ARRAY_N(types), ROLE_TYPE);
    uint64_t const seed = tape_take_u64(t, ROLE_FORM);
    uint32_t const n_lanes = 1 + (uint32_t)tape_take_below(t, MOST_LANES, ROLE_SIZE);
    struct words x = {.b = b,
                      .n_local = b->dispatch.n_local,
                      .n = 1,
                      .type = build_may_type(b, types[type]) ? types[type] : IR_I32,
                      .is_global = field_get(memory, SHARED_MEMORY) >= GLOBAL_FROM,
                      .fences = tape_take_u64(t, ROLE_SCOPE)};
    struct tape block = tape_fork(t);
    if (!take_or_leave(&x, &block, false)) {
        return;
    }
    put_store(&x, NULL, b->p.lid, put_word(&x, seed));
    put_fence(&x);
    struct word const other = put_load(&x, NULL, put_reach(&x, seed, NULL));
    struct ir_inst *const part = results_put_sum(b, other.part[0], seed);
    operand_probe(b, part);
    put_fence(&x);
    put_sum_of_parts(&x, part, n_lanes);
}

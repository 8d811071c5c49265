/* gen/piece/flow.c -- pieces of control flow: switches, loops with ways out, functions, retries, groups that leave. */
#include "gen/piece/flow.h"

#include "base/format.h"
#include "base/spv.h"
#include "gen/inputs/inputs_number.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/body.h"
#include "gen/plan/build.h"
#include "gen/plan/condition.h"
#include "gen/plan/operand.h"
#include "gen/plan/scope.h"
#include "gen/tape/field.h"

/* What a decision says, part by part: below n, the lowest first. */
static uint32_t take_part(uint64_t *choice, uint32_t n)
{
    uint32_t const part = (uint32_t)(*choice % n);
    *choice /= n;
    return part;
}

/* ---- what is carried ---- */

/* Values that arms and iterations change: an integer, and perhaps a float. */
struct carried {
    uint32_t n;
    struct ir_inst *v[2];
};

static struct ir_inst *put_random(struct build *b, uint64_t seed, bool is_uniform)
{
    return is_uniform ? operand_random_uniform(b, seed) : operand_random(b, seed, true);
}

/* What they are at first. has_float: of the type that the choice says, by the node of an operand. */
static struct carried start_carried(struct build *b, uint64_t choice, bool has_float,
                                    bool is_uniform, struct tape *operand)
{
    struct carried c = {.n = has_float ? 2 : 1};
    c.v[0] = put_random(b, choice, is_uniform);
    if (has_float) {
        c.v[1] = operand_float(b, operand, operand_pick_type(b, field_rest(choice, CARRIED_TYPE)),
                               USE_ANY);
    }
    return c;
}

/* A step that differs for each k, so that what was left out, doubled or taken in another order is seen: an odd
 * multiple of the integer plus a number, of which none is the same as another's. */
static void put_step(struct build *b, struct carried *c, uint32_t k, uint64_t choice)
{
    struct ir_inst *const by = operand_i32(b, 3 + 2 * (k % 5));
    struct ir_inst *const more =
        operand_i32(b, 1 + 97 * k + (uint32_t)field_get(choice, STEP_MORE));
    c->v[0] = operand_int(b, SpvOpIAdd, operand_int(b, SpvOpIMul, c->v[0], by), more);
    if (c->n > 1) {
        struct ir_inst *const x = operand_plain_float(b, choice + k * UINT64_C(0x9e3779b97f4a7c15),
                                                      c->v[1]->type, USE_ANY);
        c->v[1] = operand_plain(b, k % 2 ? SpvOpFSub : SpvOpFAdd, c->v[1]->type, c->v[1], x);
    }
}

/* Phis for all of them where ways converge. */
static struct carried put_phis(struct build *b, struct ir_join *j, const struct carried *like)
{
    struct carried c = {.n = like->n};
    for (uint32_t k = 0; k < like->n; k++) {
        c.v[k] = ir_join_phi(&b->p, j, like->v[k]->type);
    }
    return c;
}

static void set_values(struct ir_inst **to, const struct carried *c)
{
    for (uint32_t k = 0; k < c->n; k++) {
        to[k] = c->v[k];
    }
}

/* At the end of a construct: they are stored, and are there for what follows. */
static void put_result(struct build *b, const struct carried *c)
{
    for (uint32_t k = 0; k < c->n; k++) {
        operand_probe(b, c->v[k]);
        operand_remember(b, c->v[k], NOT_RESULT, true);
    }
}

/* Some bits of an integer: true for about one in four. */
static struct ir_inst *put_bits_test(struct build *b, struct ir_inst *v, uint64_t choice)
{
    struct ir_inst *const high =
        operand_by(b, SpvOpShiftRightLogical, v, (uint32_t)field_get(choice, BITS_SHIFT));
    struct ir_inst *const low = operand_by(b, SpvOpBitwiseAnd, high, 3);
    return condition_compare(b, SpvOpIEqual, low, (uint32_t)field_get(choice, BITS_EQUAL));
}

/* Where the test holds, a way to j with what is carried there. Returns the branch. */
static struct ir_inst *put_way_out(struct build *b, struct ir_inst *test, struct ir_join *j,
                                   const struct carried *c)
{
    struct ir_inst *const branch = ir_if(&b->p, b->flow.block, test);
    ir_goto(&b->p, branch->body[0], j, c->v);
    build_forget_present(b);
    return branch;
}

/* ---- switch ---- */

struct switch_plan {
    enum ir_type type; /* of the selector */
    uint32_t n_arms, n_literals;
    uint32_t default_at;    /* n_arms or more: none is the default */
    uint32_t falls, leaves; /* bit k: arm k goes on in the next; some leave it before */
    uint64_t first, step;   /* literal i is first + i * step */
    unsigned mask;          /* who comes to an arm */
};

/* A number below n: by work-group, by data that is one for all, by the index, or by data; *mask says which. */
static struct ir_inst *put_number(struct build *b, struct tape *t, uint32_t n, unsigned *mask)
{
    static const uint8_t weights[] = {18, 14, 30, 38};
    unsigned const kind = build_draw(t, weights, ARRAY_N(weights), ROLE_CONDITION);
    uint64_t const choice = tape_take_u64(t, ROLE_CONDITION);
    struct ir_inst *v = b->p.wg;
    *mask = kind < 2 ? IN_UNIFORM_ARM : kind == 2 ? MASK_OF_LANE : MASK_OF_DATA;
    if (kind == 1) {
        v = operand_random_uniform(b, choice);
    } else if (kind == 2) {
        v = choice % 2 ? b->p.lid : b->p.gid;
    } else if (kind == 3) {
        v = operand_random(b, choice, true);
    }
    return operand_by(b, SpvOpUMod, v, n);
}

/* The selector of that type for a number: its literal, or for what is past the last none. */
static struct ir_inst *put_selector(struct build *b, const struct switch_plan *s,
                                    struct ir_inst *number)
{
    struct ir_inst *v = number;
    legal_add_type_needs(&b->p, s->type);
    if (s->type == IR_I64) {
        v = operand_plain(b, SpvOpUConvert, IR_I64, v, NULL);
    }
    v = operand_plain(b, SpvOpIMul, v->type, v, ir_const(&b->p, v->type, s->step));
    v = operand_plain(b, SpvOpIAdd, v->type, v, ir_const(&b->p, v->type, s->first));
    return s->type == IR_I16 ? operand_plain(b, SpvOpUConvert, IR_I16, v, NULL) : v;
}

static uint64_t cut(enum ir_type type, uint64_t v)
{
    unsigned const n_bits = ir_type_bits(type);
    return n_bits < 64 ? v & ((UINT64_C(1) << n_bits) - 1) : v;
}

/* What kind of switch. Where who is together again is promised by a mode (SPV_KHR_maximal_reconvergence), each arm
 * has one way in: no literal beside another, and none falls. */
static struct switch_plan plan_switch(const struct build *b, uint64_t form, uint64_t ways)
{
    static const uint64_t steps[] = {1, 1, 1, 2, 7, 0x101, UINT64_C(0x1000000193)};
    static const uint64_t firsts[] = {0, 1, 5, 0x7ffffffe, UINT64_C(0xfffffffffffffffd)};
    struct switch_plan s = {.type = IR_I32, .n_arms = 1 + take_part(&form, 4)};
    uint32_t const type = take_part(&form, 16);
    s.type = type == 15 ? IR_I16 : type >= 13 ? IR_I64 : IR_I32;
    bool const may_say = b->env == ENV_CL || legal_may_module(&b->p);
    s.type = build_may_type(b, s.type) && may_say ? s.type : IR_I32;
    s.step = cut(s.type == IR_I64 ? IR_I64 : IR_I32, steps[take_part(&form, ARRAY_N(steps))]);
    s.first = cut(s.type == IR_I64 ? IR_I64 : IR_I32, firsts[take_part(&form, ARRAY_N(firsts))]);
    s.default_at = take_part(&form, s.n_arms + 2);
    s.n_arms += s.default_at <= s.n_arms;
    s.falls = b->p.maximal_reconvergence ? 0 : take_part(&ways, 32) & take_part(&ways, 32);
    s.leaves = take_part(&ways, 32) & take_part(&ways, 32);
    return s;
}

/* The arms with their literals, and phis where one falls into the next. Some have two literals. */
static void put_literals(struct build *b, struct ir_inst *of, struct switch_plan *s,
                         const struct carried *start, uint64_t choice)
{
    for (uint32_t k = 0; k < s->n_arms; k++) {
        struct ir_switch_arm *const arm = ir_switch_arm(&b->p, of);
        bool const has_more = !b->p.maximal_reconvergence && choice >> k & 1;
        arm->is_default = k == s->default_at;
        uint32_t const n = (arm->is_default ? 0U : 1U) + (has_more ? 1U : 0U);
        while (arm->n_literals < n) {
            arm->literal[arm->n_literals++] = cut(s->type, s->first + s->n_literals++ * s->step);
        }
        if (k > 0 && s->falls >> (k - 1) & 1) {
            (void)put_phis(b, &arm->join, start);
            set_values(arm->first, start);
        }
    }
}

/* Who comes to arm k; before: to the one before it. What falls out of one that some have left is no longer all. */
static unsigned mask_of_arm(const struct switch_plan *s, uint32_t k, unsigned before)
{
    bool const comes_from_before = k > 0 && s->falls >> (k - 1) & 1;
    bool const was_left = k > 0 && (s->leaves >> (k - 1) & 1 || before != s->mask);
    return comes_from_before && was_left ? (unsigned)MASK_OF_DATA : s->mask;
}

static void put_arm(struct build *b, struct ir_inst *of, const struct switch_plan *s, uint32_t k,
                    struct carried c, struct tape *block, uint64_t choice)
{
    struct ir_switch *const arms = of->arms;
    struct ir_switch_arm *const arm = &arms->arm[k];
    bool const falls = k + 1 < s->n_arms && s->falls >> k & 1;
    for (uint32_t i = 0; i < arm->join.n; i++) {
        c.v[i] = arm->join.phi[i];
    }
    if (k < 2) {
        body_put_block(b, &block[k]);
    }
    put_step(b, &c, k, choice);
    if (s->leaves >> k & 1) {
        struct ir_inst *const test = put_bits_test(b, c.v[0], choice + k);
        scope_hint_selection(b, put_way_out(b, test, &arms->join, &c), (uint32_t)(choice >> 40));
        put_step(b, &c, k + 11, choice);
    }
    ir_goto(&b->p, b->flow.block, falls ? &arms->arm[k + 1].join : &arms->join, c.v);
}

/* Puts the piece "switch": a switch whose arms each change the carried values by a step of their own, so
 * that a wrong arm shows in the result. Arms may fall into the next arm or leave the switch early. The
 * decisions of node t give the arms (plan_switch), the selector and the statements of two arms. */
void piece_switch_put(struct build *b, struct tape *t)
{
    enum {
        FLOAT_PERCENT = 40, /* of the cases: a float is carried beside the integer */
        HINT_SHIFT = 40     /* of `ways`: the bits above those of plan_switch */
    };
    uint64_t const form = tape_take_u64(t, ROLE_SIZE);
    uint64_t const ways = tape_take_u64(t, ROLE_FORM);
    uint64_t const choice = tape_take_u64(t, ROLE_SEED);
    bool const has_float = tape_take_chance(t, FLOAT_PERCENT, ROLE_TYPE);
    struct switch_plan s = plan_switch(b, form, ways);
    struct tape numbers = *t; /* put_number reads on from here, while t takes the children */
    struct tape block[2] = {tape_fork(t), tape_fork(t)};
    struct tape operand = tape_fork(t);
    bool const is_uniform = false; /* the integer differs by invocation */
    struct carried const start = start_carried(b, choice, has_float, is_uniform, &operand);
    /* an arm has at most two literals, so that at least one number below this bound is no literal */
    struct ir_inst *const number = put_number(b, &numbers, 2 * s.n_arms + 1, &s.mask);
    struct ir_inst *const inst = ir_switch(&b->p, b->flow.block, put_selector(b, &s, number));
    if (!b->p.ok) {
        return;
    }
    scope_hint_selection(b, inst, (uint32_t)(ways >> HINT_SHIFT));
    put_literals(b, inst, &s, &start, choice);
    struct carried const end = put_phis(b, &inst->arms->join, &start);
    set_values(inst->arms->past, &start); /* for a selector that no arm has */
    unsigned mask = s.mask;
    for (uint32_t k = 0; k < s.n_arms; k++) {
        mask = mask_of_arm(&s, k, mask);
        struct scope const outer = scope_enter(b, inst->arms->arm[k].block, mask);
        put_arm(b, inst, &s, k, start, block, choice);
        scope_leave(b, &outer);
    }
    put_result(b, &end);
}

/* ---- loops with ways out ---- */

struct loop_plan {
    enum ir_test test_at;
    uint32_t n_most;
    bool is_uniform; /* do all of the work-group do the same iterations, and go the same ways? */
    bool has_break, has_continue, by_switch,
        by_data; /* by_data: the test asks for more than the count */
    uint64_t choice, hint;
    uint32_t n_inner;          /* loops within it */
    struct tape *first, *last; /* blocks of statements, before and after the ways out */
};

/* How many iterations; any other number: by data. */
enum trips {
    TRIPS_MOST,
    TRIPS_BY_INDEX
};

/* A number of iterations up to n_most, 0 among them but where the body comes first. */
static struct ir_inst *put_trips(struct build *b, const struct loop_plan *l)
{
    enum trips const kind = (enum trips)field_get(l->choice, TRIPS_KIND);
    if (kind == TRIPS_MOST) {
        return operand_i32(b, l->n_most);
    }
    uint64_t const seed = field_rest(l->choice, TRIPS_SEED);
    struct ir_inst *const v = l->is_uniform ? operand_random_uniform(b, seed)
                              : kind == TRIPS_BY_INDEX
                                  ? operand_by(b, SpvOpIAdd, b->p.gid, (uint32_t)seed % 64)
                                  : operand_random(b, seed, false);
    return operand_by(b, SpvOpUMod, v, l->n_most + 1);
}

/* Is there to be another iteration, the one with that number? */
static struct ir_inst *put_condition(struct build *b, const struct loop_plan *l,
                                     struct ir_inst *iteration, struct ir_inst *trips,
                                     const struct carried *c)
{
    struct ir_inst *const more = operand_plain(b, SpvOpULessThan, IR_BOOL, iteration, trips);
    if (!l->by_data) {
        return more;
    }
    struct ir_inst *const leaves = put_bits_test(b, c->v[0], field_rest(l->choice, LOOP_WHILE));
    struct ir_inst *const stays = operand_plain(b, SpvOpLogicalNot, IR_BOOL, leaves, NULL);
    return operand_plain(b, SpvOpLogicalAnd, IR_BOOL, more, stays);
}

/* Ways out of an iteration as arms of a switch, which leave it and the loop's body together; the others go on. */
static void put_switch_out(struct build *b, const struct loop_plan *l,
                           struct ir_tested_loop *tested, const struct carried *c)
{
    struct ir_inst *const low = operand_by(b, SpvOpBitwiseAnd, c->v[0], 3);
    struct ir_inst *const of = ir_switch(&b->p, b->flow.block, low);
    if (!b->p.ok) {
        return;
    }
    struct ir_join *const to[] = {l->has_continue ? &tested->next : &of->arms->join,
                                  l->has_break ? &tested->end : &of->arms->join};
    struct ir_block *const outer = b->flow.block;
    for (uint32_t k = 0; k < ARRAY_N(to); k++) {
        struct ir_switch_arm *const arm = ir_switch_arm(&b->p, of);
        struct carried own = *c;
        arm->n_literals = 1;
        arm->literal[0] = k;
        b->flow.block = arm->block;
        put_step(b, &own, 20 + k, l->choice);
        ir_goto(&b->p, arm->block, to[k], own.v);
    }
    b->flow.block = outer;
    build_forget_present(b);
}

/* Puts the exits in the middle of a loop's body: a continue and a break, each where some bits of the
 * carried integer c->v[0] have a value, or both as arms of a switch (by_switch). A continue takes a changed
 * value along, so that a lost or doubled one shows. */
static void put_ways_out(struct build *b, const struct loop_plan *l, struct ir_tested_loop *tested,
                         const struct carried *c)
{
    enum {
        CONTINUE_HINT_SHIFT = 50,
        BREAK_HINT_SHIFT = 52,
        CONTINUE_STEP = 30 /* a number that no other step of the loop has */
    };
    if (l->by_switch) {
        put_switch_out(b, l, tested, c);
        return;
    }
    if (l->has_continue) {
        struct ir_inst *const test =
            put_bits_test(b, c->v[0], field_rest(l->choice, LOOP_CONTINUE));
        struct ir_inst *const branch = ir_if(&b->p, b->flow.block, test);
        struct ir_block *const outer = b->flow.block;
        struct carried own = *c;
        b->flow.block = branch->body[0];
        put_step(b, &own, CONTINUE_STEP, l->choice);
        ir_goto(&b->p, branch->body[0], &tested->next, own.v);
        b->flow.block = outer;
        scope_hint_selection(b, branch, (uint32_t)(l->hint >> CONTINUE_HINT_SHIFT));
    }
    if (l->has_break) {
        struct ir_inst *const test =
            put_bits_test(b, c->v[0], field_rest(l->choice, LOOP_BREAK) + 1);
        scope_hint_selection(b, put_way_out(b, test, &tested->end, c),
                             (uint32_t)(l->hint >> BREAK_HINT_SHIFT));
    }
    build_forget_present(b);
}

static struct carried put_tested_loop(struct build *b, const struct loop_plan *l,
                                      struct carried start);

/* The loop within: shorter, and of another form. */
static struct carried put_inner(struct build *b, const struct loop_plan *l, struct carried c)
{
    uint64_t choice = field_rest(l->choice, LOOP_INNER);
    struct loop_plan inner = {.test_at = (enum ir_test)take_part(&choice, 3),
                              .n_most = 2,
                              .is_uniform = l->is_uniform,
                              .has_break = take_part(&choice, 2),
                              .by_data = take_part(&choice, 3) == 1,
                              .choice = choice,
                              .hint = field_rest(l->hint, LOOP_INNER_HINT),
                              .n_inner = l->n_inner - 1};
    inner.has_continue = take_part(&choice, 3) == 1;
    inner.by_switch = take_part(&choice, 4) == 1;
    return b->flow.n_iterations * inner.n_most > BUILD_MAX_ITERATIONS
               ? c
               : put_tested_loop(b, &inner, c);
}

/* The body: statements, the ways out, statements for those that are still there. Returns what is carried on. */
static struct carried put_body(struct build *b, const struct loop_plan *l,
                               struct ir_tested_loop *tested, struct carried c)
{
    if (l->first) {
        body_put_block(b, l->first);
    }
    if (l->n_inner > 0) {
        c = put_inner(b, l, c);
    }
    put_step(b, &c, l->n_inner, l->choice);
    put_ways_out(b, l, tested, &c);
    if (l->last) {
        bool const is_left = !l->is_uniform && (l->has_break || l->has_continue);
        struct scope const outer = scope_enter(
            b, b->flow.block, is_left ? (unsigned)MASK_OF_DATA : (unsigned)IN_UNIFORM_ARM);
        body_put_block(b, l->last);
        scope_leave(b, &outer);
    }
    put_step(b, &c, 5 + l->n_inner, l->choice);
    return c;
}

/* Puts the loop that l plans, with `start` as the values that it carries, and returns these values after
 * the loop. A counter bounds the iterations whatever the data are: it goes up in the continue target, which
 * every iteration that goes on reaches. Where the loop has no test of its own (TEST_NONE) its body begins
 * with a break. */
static struct carried put_tested_loop(struct build *b, const struct loop_plan *l,
                                      struct carried start)
{
    struct ir_inst *const trips = put_trips(b, l);
    struct ir_block *const around = b->flow.block;
    struct ir_inst *const loop = ir_tested_loop(&b->p, around, l->test_at);
    if (!b->p.ok) {
        return start;
    }
    struct ir_tested_loop *const tested = loop->tested;
    struct ir_inst *const zero = operand_i32(b, 0);
    struct ir_inst *const iteration = ir_phi(&b->p, loop, IR_I32, zero, zero);
    /* a value is a phi in the header; in the continue target and after the loop, as several ways lead there */
    struct carried head = {.n = start.n};
    for (uint32_t k = 0; k < start.n; k++) {
        head.v[k] = ir_phi(&b->p, loop, start.v[k]->type, start.v[k], start.v[k]);
    }
    struct carried const next = put_phis(b, &tested->next, &start);
    struct carried const end = put_phis(b, &tested->end, &start);
    for (uint32_t k = 0; k < start.n; k++) {
        head.v[k]->arg[1] = next.v[k];
    }
    scope_hint_loop(b, loop, l->hint, l->n_most);
    struct scope const outer = scope_enter_loop(b, loop->body[0], iteration, l->n_most,
                                                l->is_uniform ? IN_UNIFORM_LOOP : MASK_OF_TRIPS);
    if (l->test_at == TEST_NONE) {
        struct ir_inst *const more = put_condition(b, l, iteration, trips, &head);
        struct ir_inst *const is_over = operand_plain(b, SpvOpLogicalNot, IR_BOOL, more, NULL);
        (void)put_way_out(b, is_over, &tested->end, &head);
    }
    struct carried const on = put_body(b, l, tested, head);
    set_values(tested->on, &on);
    b->flow.block = tested->step;
    iteration->arg[1] = operand_by(b, SpvOpIAdd, iteration, 1);
    if (l->test_at != TEST_NONE) {
        /* a test at the end sees the values and the count of the next iteration */
        bool const is_last = l->test_at == TEST_LAST;
        b->flow.block = tested->test;
        tested->condition = put_condition(b, l, is_last ? iteration->arg[1] : iteration, trips,
                                          is_last ? &next : &head);
        set_values(tested->out, is_last ? &next : &head);
    }
    scope_leave(b, &outer);
    return end;
}

/* What may stand around a loop. */
enum guard {
    GUARD_NONE,
    GUARD_TRUE, /* a selection by a constant */
    GUARD_LANE,
    GUARD_DATA,
    GUARD_N
};

/* Puts the loop of put_tested_loop within a selection, whose test is by `guard`. Returns the values after
 * the selection: invocations that skip the loop have a constant instead of the integer, and the float that
 * they had. */
static struct carried put_guarded(struct build *b, const struct loop_plan *l, enum guard guard,
                                  struct carried start)
{
    struct ir_inst *test = ir_const(&b->p, IR_BOOL, 1); /* of GUARD_TRUE */
    if (guard == GUARD_LANE) {
        test = condition_compare(b, SpvOpULessThan, b->p.lid,
                                 1 + (uint32_t)field_get(l->choice, LOOP_GUARD_INDEX));
    } else if (guard == GUARD_DATA) {
        test = put_bits_test(b, start.v[0], field_rest(l->choice, LOOP_GUARD));
    }
    struct ir_inst *const branch = ir_if(&b->p, b->flow.block, test);
    unsigned const mask = guard == GUARD_TRUE   ? IN_UNIFORM_ARM
                          : guard == GUARD_LANE ? MASK_OF_LANE
                                                : MASK_OF_DATA;
    struct scope const outer = scope_enter(b, branch->body[0], mask);
    struct carried const end = put_tested_loop(b, l, start);
    scope_leave(b, &outer);
    struct carried out = {.n = start.n};
    struct ir_inst *const constant =
        operand_i32(b, (uint32_t)field_get(l->choice, LOOP_GUARD_OTHER));
    for (uint32_t k = 0; k < start.n; k++) {
        struct ir_inst *const other = k == 0 ? constant : start.v[k];
        out.v[k] = ir_phi(&b->p, branch, start.v[k]->type, end.v[k], other);
    }
    return out;
}

/* Puts the common part of the pieces "turns" and "nest": draws the plan of a loop with n_inner loops within
 * it, and puts the loop, in some of the cases within a selection. The iterations of a whole nest are at
 * most BUILD_MAX_ITERATIONS, which is why a loop with inner loops has fewer. */
static void put_loops(struct build *b, struct tape *t, uint32_t n_inner)
{
    enum {
        MOST_TRIPS = 6,
        FLOAT_PERCENT = 35 /* of the cases: a float is carried beside the integer */
    };
    uint64_t form = tape_take_u64(t, ROLE_FORM);
    uint32_t const trips = (uint32_t)tape_take_below(t, MOST_TRIPS, ROLE_TRIPS);
    uint64_t const choice = tape_take_u64(t, ROLE_SEED);
    uint64_t const hint = tape_take_u64(t, ROLE_MODE);
    bool const has_float = tape_take_chance(t, FLOAT_PERCENT, ROLE_TYPE);
    struct tape first = tape_fork(t), last = tape_fork(t), operand = tape_fork(t);
    uint32_t const n_possible = n_inner > 1 ? 2 : n_inner > 0 ? 4 : MOST_TRIPS;
    /* `form` is read part by part, the lowest first: the order of these lines is that of the parts */
    struct loop_plan l = {.test_at = (enum ir_test)take_part(&form, 3), /* each kind of test */
                          .n_most = 1 + trips % n_possible,
                          .is_uniform = take_part(&form, 4) == 1,
                          .has_break = take_part(&form, 3) != 0,
                          .has_continue = take_part(&form, 2) == 1,
                          .by_data = take_part(&form, 2) == 1,
                          .by_switch = take_part(&form, 4) == 1,
                          .choice = choice,
                          .hint = hint,
                          .n_inner = n_inner,
                          .first = &first,
                          .last = &last};
    struct carried const start = start_carried(b, choice, has_float, l.is_uniform, &operand);
    /* none in half of the cases, and in one of GUARD_N of the others */
    uint32_t const guard = take_part(&form, 2) ? take_part(&form, GUARD_N) : GUARD_NONE;
    struct carried const end = guard == GUARD_NONE ? put_tested_loop(b, &l, start)
                                                   : put_guarded(b, &l, (enum guard)guard, start);
    if (b->p.ok) {
        put_result(b, &end);
    }
}

void piece_turns_put(struct build *b, struct tape *t)
{
    put_loops(b, t, 0);
}

void piece_nest_put(struct build *b, struct tape *t)
{
    struct tape peek = *t;
    put_loops(b, t, 1 + (uint32_t)field_get(tape_take_u64(&peek, ROLE_FORM), NEST_INNER));
}

/* ---- long loops ---- */

enum {
    LONG_MOST_ITERATIONS = 2000,
    LONG_MOST_INTEGER =
        60000, /* iterations of all invocations and long loops of a case: what the interpreter does in time */
    LONG_MOST_FLOAT = 12000, /* a float takes it longer */
    LONG_MOST_MASKED = 4000  /* and so do paths, which it keeps where there are group operations */
};

/* The number of iterations that each invocation may do; 0: none are left. */
static uint32_t take_iterations(struct build *b, bool is_float)
{
    uint32_t const most = b->group.is_on ? LONG_MOST_MASKED
                          : is_float     ? LONG_MOST_FLOAT
                                         : LONG_MOST_INTEGER;
    uint32_t const left =
        most > b->progress.n_long_iterations ? most - b->progress.n_long_iterations : 0;
    uint32_t const each = left / b->dispatch.n_items;
    uint32_t const n = each < LONG_MOST_ITERATIONS ? each : (uint32_t)LONG_MOST_ITERATIONS;
    b->progress.n_long_iterations += n * b->dispatch.n_items;
    return n;
}

enum long_step {
    LONG_MULTIPLY,
    LONG_XOR,
    LONG_ADD,
    LONG_AFFINE /* without the count */
};

/* One iteration on an integer: its bits are mixed with the count. */
static struct ir_inst *put_long_integer(struct build *b, struct ir_inst *v,
                                        struct ir_inst *iteration, uint64_t choice)
{
    struct ir_inst *const by = operand_i32(b, 1 + 2 * (uint32_t)field_get(choice, LONG_FACTOR));
    switch ((enum long_step)field_get(choice, LONG_KIND)) {
    case LONG_MULTIPLY:
        return operand_int(b, SpvOpIAdd, operand_int(b, SpvOpIMul, v, by), iteration);
    case LONG_XOR:
        return operand_int(b, SpvOpBitwiseXor, operand_int(b, SpvOpIAdd, v, by), iteration);
    case LONG_ADD:
        return operand_int(b, SpvOpIAdd, v, iteration);
    case LONG_AFFINE:
        break;
    }
    return operand_int(b, SpvOpISub, operand_int(b, SpvOpIMul, v, by), by);
}

/* One iteration on a float: a count of iterations by 1 or -1, which is exact up to 2048 in any format. */
static struct ir_inst *put_long_float(struct build *b, struct ir_inst *v, uint64_t choice)
{
    uint64_t const one = inputs_encode(inputs_get_format(v->type), 1, 0);
    return ir_plain(&b->p, b->flow.block, choice % 2 ? SpvOpFSub : SpvOpFAdd, v->type, v,
                    ir_const(&b->p, v->type, one));
}

/* Puts the piece "long loop": a loop of up to 2000 iterations that computes on one carried value and
 * touches no memory. by_lane: the number of iterations differs by invocation. has_break: an invocation
 * leaves at the iteration that its data say. The value after the loop is stored. */
void piece_long_loop_put(struct build *b, struct tape *t)
{
    enum {
        LEAST_ITERATIONS = 8, /* more than LONG_LESS takes away */
        LANE_PERIOD = 7,      /* by_lane: invocation i has n_most - i % LANE_PERIOD iterations */
        BREAK_MASK = 4095     /* twice LONG_MOST_ITERATIONS: half of the breaks come too late */
    };
    uint64_t form = tape_take_u64(t, ROLE_FORM);
    uint64_t const choice = tape_take_u64(t, ROLE_SEED);
    uint64_t const hint = tape_take_u64(t, ROLE_MODE);
    enum ir_test const test_at = take_part(&form, 2) ? TEST_LAST : TEST_FIRST;
    bool const by_lane = take_part(&form, 3) == 1;
    bool const has_break = take_part(&form, 2) == 1;
    bool const is_float = take_part(&form, 3) == 1;
    uint32_t const n_most = take_iterations(b, is_float);
    if (n_most < LEAST_ITERATIONS) {
        return;
    }
    enum ir_type const type = is_float ? operand_pick_type(b, form) : IR_I32;
    legal_add_type_needs(&b->p, type);
    struct ir_inst *trips = operand_i32(b, n_most - (uint32_t)field_get(choice, LONG_LESS));
    if (by_lane) {
        trips = operand_int(b, SpvOpISub, operand_i32(b, n_most),
                            operand_by(b, SpvOpUMod, b->p.gid, LANE_PERIOD));
    }
    struct ir_inst *const data = operand_random(b, choice, false);
    struct ir_inst *const start = is_float ? ir_const(&b->p, type, 0) : data;
    struct ir_block *const outer = b->flow.block;
    struct ir_inst *const loop = ir_tested_loop(&b->p, outer, test_at);
    if (!b->p.ok) {
        return;
    }
    struct ir_tested_loop *const tested = loop->tested;
    struct ir_inst *const zero = operand_i32(b, 0);
    struct ir_inst *const iteration = ir_phi(&b->p, loop, IR_I32, zero, zero);
    struct ir_inst *const value = ir_phi(&b->p, loop, type, start, start);
    struct carried head = {.n = 1, .v = {value}};
    struct carried const end = put_phis(b, &tested->end, &head);
    scope_hint_loop(b, loop, hint, n_most);
    b->flow.block = loop->body[0];
    if (has_break) {
        struct ir_inst *const at = operand_by(b, SpvOpBitwiseAnd, data, BREAK_MASK);
        (void)put_way_out(b, operand_plain(b, SpvOpIEqual, IR_BOOL, iteration, at), &tested->end,
                          &head);
    }
    uint64_t const step = field_rest(choice, LONG_STEP);
    value->arg[1] =
        is_float ? put_long_float(b, value, step) : put_long_integer(b, value, iteration, step);
    b->flow.block = tested->step;
    iteration->arg[1] = operand_by(b, SpvOpIAdd, iteration, 1);
    b->flow.block = tested->test;
    /* a test at the end sees the value and the count that the next iteration begins with */
    bool const is_last = test_at == TEST_LAST;
    tested->condition =
        operand_plain(b, SpvOpULessThan, IR_BOOL, is_last ? iteration->arg[1] : iteration, trips);
    tested->out[0] = is_last ? value->arg[1] : value;
    b->flow.block = outer;
    build_forget_present(b);
    put_result(b, &end);
}

/* A loop of which no iteration needs another one's: each computes and stores something of its own. That is said. */
void piece_independent_put(struct build *b, struct tape *t)
{
    uint32_t const n = 1 + (uint32_t)tape_take_below(t, BUILD_MAX_ITERATIONS, ROLE_TRIPS);
    uint64_t const choice = tape_take_u64(t, ROLE_SEED);
    uint64_t const hint = tape_take_u64(t, ROLE_MODE);
    struct ir_inst *const loop = ir_loop(&b->p, b->flow.block, operand_i32(b, n));
    if (field_get(hint, INDEPENDENT_UNROLL) == 1) {
        ir_add_hint(&b->p, loop, SpvLoopControlUnrollMask);
    }
    if (b->p.version >= IR_SPIRV_1_1 && field_get(hint, INDEPENDENT_SAID)) {
        ir_add_hint(&b->p, loop, SpvLoopControlDependencyInfiniteMask);
    }
    if (b->p.version >= IR_SPIRV_1_4 && field_get(hint, INDEPENDENT_LEAST)) {
        ir_add_hint_of(&b->p, loop, SpvLoopControlMinIterationsMask, n);
    }
    struct scope const outer = scope_enter_loop(b, loop->body[0], loop->phi, n, IN_UNIFORM_LOOP);
    struct ir_inst *const by =
        operand_i32(b, 1 + 2 * (uint32_t)field_get(choice, INDEPENDENT_FACTOR));
    struct ir_inst *const v = operand_int(b, SpvOpIMul, loop->phi, by);
    operand_probe(b, operand_int(b, SpvOpBitwiseXor, v, operand_random(b, choice, true)));
    scope_leave(b, &outer);
}

/* ---- retries ---- */

enum {
    RETRY_CELLS = 8,
    RETRY_MOST = 4 /* tries */
};

/* An atomic on the counter `cell`. Whoever comes contends for it. */
static struct ir_inst *put_on_counter(struct build *b, enum op_id op, struct ir_inst *cell,
                                      struct ir_inst *value, struct ir_inst *comparator)
{
    struct ir_atomic const x = {.op = op,
                                .var = b->io.counter_var,
                                .scope = SpvScopeDevice,
                                .index = cell,
                                .value = value,
                                .comparator = comparator};
    legal_add_scope_needs(&b->p, x.scope);
    legal_add_atomic_needs(&b->p, &x);
    struct ir_inst *const v = ir_atomic(&b->p, b->flow.block, &x);
    operand_probe(b, v);
    return v;
}

/* Puts a loop of up to n_tries compare-exchanges that add `more` to the counter `cell`. `seen` is the
 * counter's value as last observed, which the exchange expects; a failed try observes the new value.
 * Returns a value that is 1 where a try succeeded, else 0. */
static struct ir_inst *put_tries(struct build *b, struct ir_inst *cell, struct ir_inst *more,
                                 uint32_t n_tries, uint64_t hint)
{
    enum {
        NEGATED_SHIFT = 60
    };
    struct ir_inst *const first = put_on_counter(b, OP_core_AtomicLoad, cell, NULL, NULL);
    struct ir_inst *const zero = operand_i32(b, 0);
    struct ir_inst *const loop = ir_tested_loop(&b->p, b->flow.block, TEST_FIRST);
    if (!b->p.ok) {
        return zero;
    }
    struct ir_tested_loop *const tested = loop->tested;
    struct ir_inst *const iteration = ir_phi(&b->p, loop, IR_I32, zero, zero);
    struct ir_inst *const seen = ir_phi(&b->p, loop, IR_I32, first, first);
    struct ir_inst *const done = ir_join_phi(&b->p, &tested->end, IR_I32);
    struct ir_inst *const one = operand_i32(b, 1);
    scope_hint_loop(b, loop, hint, n_tries);
    struct scope const outer =
        scope_enter_loop(b, loop->body[0], iteration, n_tries, MASK_OF_TRIPS);
    struct ir_inst *const value = operand_int(b, SpvOpIAdd, seen, more);
    struct ir_inst *const got = put_on_counter(b, OP_core_AtomicCompareExchange, cell, value, seen);
    /* the test of success is "got == seen" with the exit in the first arm, or its negation with the second */
    bool const is_negated = hint >> NEGATED_SHIFT & 1;
    struct ir_inst *const test =
        operand_plain(b, is_negated ? SpvOpINotEqual : SpvOpIEqual, IR_BOOL, got, seen);
    struct ir_inst *const branch = ir_if(&b->p, b->flow.block, test);
    if (is_negated) {
        branch->body[1] = ir_block_new(&b->p);
    }
    ir_goto(&b->p, branch->body[is_negated], &tested->end, &one);
    seen->arg[1] = got; /* the next try expects what this one found */
    b->flow.block = tested->step;
    iteration->arg[1] = operand_int(b, SpvOpIAdd, iteration, one);
    b->flow.block = tested->test;
    tested->condition =
        operand_plain(b, SpvOpULessThan, IR_BOOL, iteration, operand_i32(b, n_tries));
    tested->out[0] = zero; /* all tries failed */
    scope_leave(b, &outer);
    return done;
}

/* Puts the piece "retry": invocations add to a counter by compare-exchange, and try again where another
 * invocation changed the counter in between. Those whose tries all failed add by an atomic addition. So the
 * final value of the counter is exactly the sum. In half of the cases only some invocations take part. */
void piece_retry_put(struct build *b, struct tape *t)
{
    enum {
        MOST_ADDEND = 1000
    };
    uint32_t const n_tries = 1 + (uint32_t)tape_take_below(t, RETRY_MOST, ROLE_TRIPS);
    uint64_t form = tape_take_u64(t, ROLE_FORM);
    uint64_t const hint = tape_take_u64(t, ROLE_MODE);
    uint32_t const n_ops = b->dispatch.n_items * (n_tries + 2); /* a load, the tries, an addition */
    if (b->progress.n_atomics + n_ops > b->body.max_atomics) {
        return;
    }
    /* all such pieces of a program share one array of counters */
    if (b->io.counter_var == NO_VAR) {
        struct ir_var const counters = {.kind = VAR_BUFFER, .type = IR_I32, .n = RETRY_CELLS};
        b->io.counter_var = ir_add_var(&b->p, counters);
        legal_add_var_needs(&b->p, &counters);
    }
    b->progress.n_atomics += n_ops;
    b->info.op_kinds |=
        UINT64_C(1) << KIND_IADD | UINT64_C(1) << KIND_INT_LOAD | UINT64_C(1) << KIND_INT_CMPXCHG;
    struct ir_inst *const cell = operand_i32(b, take_part(&form, RETRY_CELLS));
    struct ir_inst *more = operand_i32(b, 1 + take_part(&form, MOST_ADDEND));
    bool const adds_index = take_part(&form, 2);
    if (adds_index) {
        more = operand_int(b, SpvOpIAdd, b->p.gid, more);
    }
    struct ir_block *const outer = b->flow.block;
    bool const is_partial = take_part(&form, 2);
    if (is_partial) { /* each n-th lane of a work-group alone */
        struct ir_inst *const n = operand_i32(b, 2 + take_part(&form, 4));
        struct ir_inst *const rest = operand_int(b, SpvOpUMod, b->p.lid, n);
        b->flow.block = ir_if(&b->p, outer, condition_compare(b, SpvOpIEqual, rest, 0))->body[0];
    }
    struct ir_inst *const done = put_tries(b, cell, more, n_tries, hint);
    struct ir_inst *const is_left = condition_compare(b, SpvOpIEqual, done, 0);
    b->flow.block = ir_if(&b->p, b->flow.block, is_left)->body[0];
    (void)put_on_counter(b, OP_core_AtomicIAdd, cell, more, NULL);
    b->flow.block = outer;
    build_forget_present(b);
}

/* ---- whole work-groups that leave ---- */

static void put_barrier(struct build *b)
{
    ir_barrier(&b->p, b->flow.block,
               SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsWorkgroupMemoryMask);
    build_set_shape(b, SHAPE_BARRIER);
    build_forget_present(b);
}

/* Puts the piece "group leaves": the whole of one work-group takes an arm with statements and barriers of
 * its own, and returns; the other work-groups meet at a barrier after it and do other statements. A
 * dispatch of one work-group has nobody who takes the arm. */
void piece_group_leaves_put(struct build *b, struct tape *t)
{
    uint64_t form = tape_take_u64(t, ROLE_CONDITION);
    uint64_t const choice = tape_take_u64(t, ROLE_SEED);
    uint32_t const n_groups = b->dispatch.n_groups;
    struct tape own = tape_fork(t), others = tape_fork(t);
    uint32_t const leaving = n_groups > 1 ? take_part(&form, n_groups) : 1; /* 1: there is none */
    struct ir_inst *const test = condition_compare(b, SpvOpIEqual, b->p.wg, leaving);
    struct ir_inst *const branch = ir_if(&b->p, b->flow.block, test);
    struct scope const outer = scope_enter(b, branch->body[0], IN_UNIFORM_ARM);
    scope_hint_selection(b, branch, take_part(&form, 4));
    if (take_part(&form, 2)) { /* legal here: all of the work-group take the arm, or nobody */
        put_barrier(b);
    }
    body_put_block(b, &own);
    operand_probe(b, operand_random(b, choice, true));
    if (take_part(&form, 2)) {
        put_barrier(b);
    }
    ir_return(&b->p, b->flow.block);
    scope_leave(b, &outer);
    build_set_shape(b, SHAPE_EARLY_RETURN);
    put_barrier(b);
    body_put_block(b, &others);
}

/* ---- functions ---- */

/* Builds a function int f(int *pointer, int x): it changes *pointer by arithmetic and stores that depend on
 * x, and returns another number. `form` gives inlining control and which stores there are, `choice` the
 * numbers. returns_early: some invocations return x from within a selection. Returns NULL where the arena
 * is full. */
static struct ir_function *put_function(struct build *b, uint64_t form, bool returns_early,
                                        uint64_t choice)
{
    struct ir_function *const f = ir_function(&b->p, IR_I32);
    if (!f) {
        return NULL;
    }
    static const uint32_t controls[] = {SpvFunctionControlMaskNone, SpvFunctionControlInlineMask,
                                        SpvFunctionControlDontInlineMask};
    struct ir_block *const outer = b->flow.block;
    struct ir_inst *const pointer = ir_parameter(&b->p, f, IR_I32, true);
    struct ir_inst *const x = ir_parameter(&b->p, f, IR_I32, false);
    f->control = controls[take_part(&form, 3)];
    b->flow.block = f->body;
    struct carried changed = {.n = 1, .v = {ir_read(&b->p, f->body, pointer)}};
    put_step(b, &changed, 1, choice); /* step 1, and step 2 below, which differs from it */
    changed.v[0] = operand_int(b, SpvOpBitwiseXor, changed.v[0], x);
    if (returns_early) {
        struct ir_inst *const test = put_bits_test(b, x, choice);
        struct ir_block *const arm = ir_if(&b->p, f->body, test)->body[0];
        if (take_part(&form, 2)) {
            ir_write(&b->p, arm, pointer, changed.v[0]);
        }
        ir_return_value(&b->p, arm, x);
    }
    bool const has_two_stores = take_part(&form, 2); /* of which the second stands in a selection */
    if (has_two_stores) {
        ir_write(&b->p, f->body, pointer, x);
        struct ir_inst *const test =
            put_bits_test(b, changed.v[0], field_rest(choice, FUNCTION_SECOND));
        struct ir_block *const arm = ir_if(&b->p, f->body, test)->body[0];
        ir_write(&b->p, arm, pointer, changed.v[0]);
    } else {
        ir_write(&b->p, f->body, pointer, changed.v[0]);
    }
    struct carried given = {.n = 1, .v = {ir_read(&b->p, f->body, pointer)}};
    put_step(b, &given, 2, choice);
    ir_return_value(&b->p, f->body, given.v[0]);
    b->flow.block = outer;
    return f;
}

/* Calls f. Who has returned early is with the others again after a selection that all of the work-group enter and leave
 * (semantics of reconvergence promise nothing at the end of a call): its condition holds for all. */
static struct ir_inst *put_call(struct build *b, struct ir_function *f, struct ir_inst *variable,
                                struct ir_inst *x, bool returns_early)
{
    struct ir_inst *const arguments[] = {variable, x};
    if (!returns_early) {
        return ir_call(&b->p, b->flow.block, f, arguments);
    }
    struct ir_inst *const test =
        condition_compare(b, SpvOpULessThan, b->p.wg, b->dispatch.n_groups);
    struct ir_inst *const branch = ir_if(&b->p, b->flow.block, test);
    struct ir_inst *const given = ir_call(&b->p, branch->body[0], f, arguments);
    return ir_phi(&b->p, branch, IR_I32, given, x);
}

/* Puts the piece "pointer call": a function with a pointer parameter is called twice, on one variable of
 * the function or on two, with statements between the calls. The returned numbers and what the variables
 * hold at the end are stored. goes_on: the second call gets what the first returned. */
void piece_pointer_call_put(struct build *b, struct tape *t)
{
    uint64_t form = tape_take_u64(t, ROLE_FORM);
    uint64_t const choice = tape_take_u64(t, ROLE_SEED);
    struct tape between = tape_fork(t);
    bool const has_two = take_part(&form, 2); /* variables */
    bool const goes_on = take_part(&form, 2);
    bool const returns_early = take_part(&form, 2);
    struct ir_function *const f = put_function(b, form, returns_early, choice);
    if (!f || !b->p.ok) {
        return;
    }
    struct ir_inst *variable[2] = {ir_variable(&b->p, IR_I32), NULL};
    variable[1] = has_two ? ir_variable(&b->p, IR_I32) : variable[0];
    for (uint32_t k = 0; k < 2; k++) {
        if (k == 0 || has_two) {
            ir_write(&b->p, b->flow.block, variable[k], operand_random(b, choice + k, true));
        }
    }
    struct ir_inst *argument = operand_random(b, choice + 2, true);
    for (uint32_t k = 0; k < 2; k++) {
        struct ir_inst *const given = put_call(b, f, variable[k], argument, returns_early);
        build_forget_present(b);
        operand_probe(b, given);
        if (k == 0) {
            body_put_block(b, &between);
        }
        argument = goes_on ? given : operand_random(b, choice + 3, true);
    }
    for (uint32_t k = 0; k < 2; k++) {
        operand_probe(b, ir_read(&b->p, b->flow.block, variable[k]));
    }
}

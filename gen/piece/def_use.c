/* gen/piece/def_use.c -- def-use pairs: a value of a chosen source, and an instruction that uses it. */
#include "gen/piece/def_use.h"

#include <assert.h>

#include "base/format.h"
#include "base/ops.h"
#include "base/spv.h"
#include "gen/inputs/inputs.h"
#include "gen/inputs/inputs_number.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/piece/convert.h"
#include "gen/piece/def_use_rows.h"
#include "gen/piece/exchange.h"
#include "gen/piece/numbers.h"
#include "gen/piece/results.h"
#include "gen/plan/build.h"
#include "gen/plan/condition.h"
#include "gen/plan/group_operand.h"
#include "gen/plan/math.h"
#include "gen/plan/operand.h"
#include "gen/plan/scope.h"

/* Another number for each use of a seed. */
/* ---- values ---- */

/* A number of that class for integers and floats. */
static struct ir_inst *put_loaded(struct build *b, enum ir_type type, uint64_t seed)
{
    if (!ir_type_is_float(type)) {
        return numbers_put_loaded(b, type, seed);
    }
    struct input const what = {
        .type = type,
        .class = inputs_pick_class(numbers_derive(seed, 1) % INPUT_LITERAL_CHOICE, USE_ANY),
        .seed = numbers_derive(seed, 2),
        .plain = b->modes.plain_inputs};
    return operand_load(b, &what, true);
}

static struct ir_inst *put_constant(struct build *b, enum ir_type type, uint64_t seed)
{
    if (!ir_type_is_float(type)) {
        return ir_const(&b->p, type, numbers_get_hard(type, seed));
    }
    struct input const what = {.type = type,
                               .class = numbers_derive(seed, 1) % 2 ? INPUT_NEAR_POW2 : INPUT_MIXED,
                               .seed = numbers_derive(seed, 2),
                               .plain = b->modes.plain_inputs};
    return ir_const(&b->p, type, inputs_get_value(&what, 0));
}

static bool may_always(const struct build *b, enum ir_type type)
{
    (void)b;
    (void)type;
    return true;
}

static bool may_exchange(const struct build *b, enum ir_type type)
{
    (void)type;
    return exchange_may(b);
}

static struct ir_inst *put_itself(struct build *b, struct ir_inst *v, uint64_t seed)
{
    (void)b;
    (void)seed;
    return v;
}

static const struct {
    bool (*may)(const struct build *b, enum ir_type type);
    struct ir_inst *(*put)(struct build *b, struct ir_inst *v, uint64_t seed);
} def_rows[DEF_FIRST_CONVERSION] = {
#define DEF(id, types, may, put) {may, put},
#include "gen/piece/def_use.def"
#undef DEF
};

/* A value of that type from that source, which is no conversion and not carried. */
static struct ir_inst *put_def(struct build *b, enum def def, enum ir_type type, uint64_t seed)
{
    return def == DEF_CONSTANT
               ? put_constant(b, type, seed)
               : def_rows[def].put(b, put_loaded(b, type, seed), numbers_derive(seed, 3));
}

/* May a value of that type come from there now? */
static bool may_def(const struct build *b, enum def def, enum ir_type type)
{
    return def_is_conversion(def) ? convert_may(b, def_get_conversion(def), type, true)
                                  : def_rows[def].may(b, type);
}

/* ---- the use ---- */

static bool has_integer(const struct math_row *row)
{
    return row->form == FORM_WITH_INT;
}

static const struct math_row *find_math(enum op_id op)
{
    for (size_t i = 0; i < MATH_N; i++) {
        if (math_rows[i].op == op) {
            return &math_rows[i];
        }
    }
    return NULL;
}

/* Operands of the instruction: a comparison has two. */
static uint32_t count_args(enum op_id op)
{
    const struct math_row *const m = find_math(op);
    if (m) {
        return m->n_args + (has_integer(m) ? 1U : 0U);
    }
    return op == OP_core_SNegate ? 1 : op == OP_core_Select ? 3 : 2;
}

/* One of the instructions of the use on that type; NULL: there is none. */
static const struct use_op_row *pick_op(const struct build *b, enum use use, enum ir_type type,
                                        uint64_t choice)
{
    const struct use_op_row *list[USE_OP_N];
    uint32_t n = 0;
    for (size_t i = 0; i < USE_OP_N; i++) {
        const struct use_op_row *const row = &use_op_rows[i];
        if (row->use == use && (def_use_get_op_types(b->env, row) & legal_get_type_bit(type)) &&
            legal_may_op(&b->p, op_rows[row->op].number)) {
            list[n++] = row;
        }
    }
    return n > 0 ? list[choice % n] : NULL;
}

/* An integer near the exponents of the type, beyond them, or the least or the largest. */
static uint64_t get_large(enum ir_type type, uint64_t seed)
{
    const struct float_format *const f = inputs_get_format(type);
    uint64_t const most = 2 * (uint64_t)f->emax + f->prec_bits + 4,
                   n = numbers_derive(seed, 1) % most;
    uint64_t const large[] = {n, 0 - n, n, 0 - n, INT32_MAX, (uint64_t)INT32_MIN, 10 * n};
    return large[numbers_derive(seed, 2) % ARRAY_N(large)] & UINT32_MAX;
}

/* An odd whole number of that type, of at most 11 bits. */
static uint64_t get_odd(enum ir_type type, uint64_t seed)
{
    int64_t const size =
        (int64_t)(numbers_derive(seed, 1) % (numbers_derive(seed, 2) % 2 ? 8 : 1024)) * 2 + 1;
    int64_t const n = numbers_derive(seed, 3) % 2 ? -size : size;
    return ir_type_is_float(type) ? inputs_encode(inputs_get_format(type), n, 0)
                                  : (uint64_t)n & UINT32_MAX;
}

/* What stands beside v, of that type. */
static struct ir_inst *put_other(struct build *b, enum def_use_other other, struct ir_inst *v,
                                 enum ir_type type, uint64_t seed)
{
    enum {
        CONST_OF =
            4 /* one in so many of what is loaded is a constant; of NaN one in so many is loaded */
    };
    bool const is_seldom = numbers_derive(seed, 1) % CONST_OF == 0;
    const struct float_format *const f =
        ir_type_is_float(v->type) ? inputs_get_format(v->type) : NULL;
    struct input const nan = {.type = type,
                              .class = numbers_derive(seed, 2) % 2 ? INPUT_QNAN : INPUT_SNAN,
                              .seed = numbers_derive(seed, 3)};
    switch (other) {
    case OTHER_LOADED:
    case OTHER_NONE:
        return is_seldom ? put_constant(b, type, numbers_derive(seed, 4))
                         : put_loaded(b, type, numbers_derive(seed, 5));
    case OTHER_SELF:
        return v;
    case OTHER_ZERO:
        return ir_const(&b->p, type, f && numbers_derive(seed, 6) % 2 ? f->sign : 0);
    case OTHER_POWER:
        return put_constant(b, type, numbers_derive(seed, 4));
    case OTHER_NAN:
        return is_seldom ? operand_load(b, &nan, true)
                         : ir_const(&b->p, type, inputs_get_value(&nan, 0));
    case OTHER_LARGE:
        return ir_const(&b->p, type, get_large(v->type, seed));
    case OTHER_ODD:
        return ir_const(&b->p, type, get_odd(type, seed));
    }
    assert(0 && "def_use_other out of range");
    return v;
}

/* Which operand the value is: mostly the first one where the other is a constant; of functions that take an integer, and
 * of powers, always. */
static uint32_t pick_place(const struct def_use_row *row, uint32_t n, uint64_t choice)
{
    enum {
        FIRST_OF = 4
    };
    bool const is_first = row->other == OTHER_LARGE || row->other == OTHER_ODD ||
                          (row->other == OTHER_POWER && choice % FIRST_OF != 0);
    return is_first ? 0 : (uint32_t)(choice / FIRST_OF % n);
}

static struct ir_inst *put_float_op(struct build *b, enum op_id op, enum ir_type type,
                                    struct ir_inst *const *arg, uint32_t n)
{
    struct ir_inst *const v =
        ir_plain(&b->p, b->flow.block, op_rows[op].number, type, arg[0], n > 1 ? arg[1] : NULL);
    v->arg[2] = n > 2 ? arg[2] : NULL;
    b->progress.n_built++;
    b->info.n_math++;
    legal_add_op_needs(&b->p, op_rows[op].number);
    return v;
}

static struct ir_inst *put_select(struct build *b, struct ir_inst *const *arg, uint64_t seed)
{
    struct ir_inst *const bit = operand_by(b, SpvOpBitwiseAnd, operand_random(b, seed, true), 1);
    struct ir_inst *const test = operand_plain(b, SpvOpINotEqual, IR_BOOL, bit, operand_i32(b, 0));
    b->progress.n_built++;
    return operand_select(b, test, arg[0], arg[1]);
}

/* Puts the use of v; `beside` is its other operand, NULL: what the row says. Returns the result. */
static struct ir_inst *put_use(struct build *b, const struct def_use_row *row, struct ir_inst *v,
                               struct ir_inst *beside, uint64_t seed)
{
    enum {
        MOST_ARGS = 3
    };
    const struct use_op_row *const use = pick_op(b, row->use, v->type, numbers_derive(seed, 1));
    if (!use) {
        return v;
    }
    const struct math_row *const math = find_math(use->op);
    bool const is_select = use->op == OP_core_Select;
    uint32_t const n = count_args(use->op) - (is_select ? 1 : 0);
    uint32_t const place = pick_place(row, n, numbers_derive(seed, 2));
    bool const is_division = use->op == OP_core_UDiv || use->op == OP_core_SDiv;
    struct ir_inst *arg[MOST_ARGS];
    if (row->other == OTHER_SELF && is_division) { /* not 0 */
        v = v->kind == IR_CONST
                ? ir_const(&b->p, v->type, v->bits | 1)
                : operand_plain(b, SpvOpBitwiseOr, v->type, v, operand_number(b, v->type, 1));
    }
    for (uint32_t k = 0; k < n; k++) {
        enum ir_type const type = math && has_integer(math) && k + 1 == n ? IR_I32 : v->type;
        arg[k] = k == place ? v
                 : beside   ? beside
                            : put_other(b, row->other, v, type, numbers_derive(seed, 3 + k));
    }
    if (is_select) {
        return put_select(b, arg, numbers_derive(seed, 8));
    }
    if (!ir_type_is_float(v->type)) {
        return numbers_put_op(b, use->op, arg, row->other != OTHER_SELF, numbers_derive(seed, 9));
    }
    return put_float_op(b, use->op, row->use == USE_COMPARE ? IR_BOOL : v->type, arg, n);
}

static void probe(struct build *b, struct ir_inst *v)
{
    if (b->p.ok) {
        operand_probe(b, group_view(b, v));
    }
}

/* ---- pairs ---- */

/* The pair in a loop, which carries the result of the use: the value that is used, or the other operand. */
static void put_in_loop(struct build *b, const struct def_use_row *row, enum ir_type type,
                        uint64_t seed)
{
    enum {
        MOST_ITERATIONS = 4,
        UNPROBED_OF = 3, /* one in so many results is stored behind the loop alone */
        KEPT_OF = 3 /* one in so many loops carries the result of some iterations alone, by data */
    };
    uint32_t const n_trips = 2 + (uint32_t)(numbers_derive(seed, 1) % (MOST_ITERATIONS - 1));
    struct ir_inst *const start = put_loaded(b, type, numbers_derive(seed, 2));
    struct ir_inst *const loop = ir_loop(&b->p, b->flow.block, operand_i32(b, n_trips));
    struct scope const outer =
        scope_enter_loop(b, loop->body[0], loop->phi, n_trips, IN_UNIFORM_LOOP);
    struct ir_inst *const carried = ir_phi(&b->p, loop, type, start, start);
    bool const is_used = row->def == DEF_CARRIED;
    struct ir_inst *const v =
        is_used ? carried : put_def(b, row->def, type, numbers_derive(seed, 3));
    if (!is_used) {
        operand_probe_unless_known(b, v);
    }
    struct ir_inst *next = put_use(b, row, v, is_used ? NULL : carried, numbers_derive(seed, 4));
    if (numbers_derive(seed, 5) % UNPROBED_OF != 0) {
        probe(b, next);
    }
    if (numbers_derive(seed, 6) % KEPT_OF ==
        0) { /* the rest keep the old value: a branch that does nothing, and its phi */
        struct ir_inst *const test = condition_data(b, numbers_derive(seed, 7));
        next = ir_phi(&b->p, ir_if(&b->p, b->flow.block, test), type, next, carried);
        build_forget_present(b);
    }
    carried->arg[1] = next;
    scope_leave(b, &outer);
    build_set_shape(b, SHAPE_LOOP_UNIFORM);
    build_set_shape(b, SHAPE_LOOP_CARRIED);
    probe(b, carried);
}

/* Does the use give a value of the type that it takes, and may another value be its other operand? */
static bool may_carry(const struct def_use_row *row)
{
    return row->other == OTHER_LOADED && row->use != USE_COMPARE;
}

static void put_pair(struct build *b, const struct def_use_row *row, enum ir_type type,
                     uint64_t seed)
{
    enum {
        LOOP_OF = 3 /* one in so many that may stands in a loop */
    };
    legal_add_type_needs(&b->p, type);
    if (def_is_conversion(row->def)) {
        convert_put_pair(b, row, type, seed);
        return;
    }
    bool const is_in_loop = may_carry(row) && numbers_derive(seed, 1) % LOOP_OF == 0;
    if (row->def == DEF_CARRIED || is_in_loop) {
        put_in_loop(b, row, type, numbers_derive(seed, 2));
        return;
    }
    struct ir_inst *const v = put_def(b, row->def, type, numbers_derive(seed, 3));
    operand_probe_unless_known(b, v);
    probe(b, put_use(b, row, v, NULL, numbers_derive(seed, 4)));
}

/* The types, enum op_types, of which the case may have values from each source now. */
static void find_types(const struct build *b, unsigned types[DEF_N])
{
    for (int def = 0; def < DEF_N; def++) {
        unsigned const possible = def_use_get_def_types(b->env, (enum def)def);
        types[def] = 0;
        for (enum ir_type t = IR_I8; t <= IR_F64; t++) {
            bool const has_type = build_may_operand(b, t);
            unsigned const bit = legal_get_type_bit(t);
            types[def] |= has_type && (possible & bit) && may_def(b, (enum def)def, t) ? bit : 0;
        }
    }
}

/* Of these types those on which the use may stand. */
static unsigned find_use_types(const struct build *b, const struct def_use_row *row, unsigned types)
{
    unsigned may = 0;
    types &= def_use_get_types(b->env, row);
    for (enum ir_type t = IR_I8; t <= IR_F64; t++) {
        unsigned const bit = legal_get_type_bit(t) & types;
        bool const is_conversion = use_is_conversion(row->use);
        if (bit != 0 && (is_conversion ? convert_may(b, use_get_conversion(row->use), t, false)
                                       : pick_op(b, row->use, t, 0) != NULL)) {
            may |= bit;
        }
    }
    return row->other == OTHER_NAN && b->modes.plain_inputs ? 0 : may;
}

static enum ir_type pick_type(unsigned types, uint64_t choice)
{
    enum ir_type list[IR_TYPE_N] = {IR_I32};
    uint32_t n = 0;
    for (enum ir_type t = IR_I8; t <= IR_F64; t++) {
        if (types & legal_get_type_bit(t)) {
            list[n++] = t;
        }
    }
    return list[choice % n];
}

/* Puts the piece "def_use": pairs of an instruction that defines a value and one that uses it, drawn by their weights among
 * those that the case may have. */
void piece_def_use_put(struct build *b, struct tape *t)
{
    enum {
        MOST = 16
    };
    uint32_t const n = 1 + (uint32_t)tape_take_below(t, MOST, ROLE_SIZE);
    uint64_t const seed = tape_take_u64(t, ROLE_OPERATION);
    unsigned const usual_types = b->modes.types;
    unsigned def[DEF_N], types[DEF_USE_N];
    uint8_t weights[DEF_USE_N];
    b->modes.types = b->modes.sweep_types;
    find_types(b, def);
    for (size_t i = 0; i < DEF_USE_N; i++) {
        const struct def_use_row *const row = &def_use_rows[i];
        types[i] = find_use_types(b, row, def[row->def]);
        weights[i] = types[i] ? row->weight : 0;
    }
    for (uint32_t i = 0; i < n && build_has_room(b); i++) {
        uint64_t const own = numbers_derive(seed, i);
        unsigned const row = build_pick(weights, DEF_USE_N, numbers_derive(own, 1));
        put_pair(b, &def_use_rows[row], pick_type(types[row], numbers_derive(own, 2)),
                 numbers_derive(own, 3));
    }
    b->modes.types = usual_types;
    build_forget_present(b);
}

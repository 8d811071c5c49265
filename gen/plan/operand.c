/* gen/plan/operand.c -- where operands come from: constants, inputs, arithmetic, earlier results. */
#include "gen/plan/operand.h"

#include <assert.h>
#include <stdbool.h>

#include "base/format.h"
#include "base/spv.h"
#include "gen/inputs/inputs_number.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/build.h"
#include "gen/tape/tape.h"

struct ir_inst *operand_i32(struct build *b, uint32_t v)
{
    return ir_const(&b->p, IR_I32, v);
}

struct ir_inst *operand_int(struct build *b, uint32_t op, struct ir_inst *x, struct ir_inst *y)
{
    return ir_plain(&b->p, b->block, op, IR_I32, x, y);
}

enum ir_type operand_pick_type(const struct build *b, uint64_t choice)
{
    static const uint8_t bits[8] = {0, 1, 1, 2, 1, 2, 2, 3};
    uint64_t at = choice % bits[b->types];
    for (unsigned width = 0; width < 3; width++) {
        if ((b->types >> width & 1) && at-- == 0) {
            return (enum ir_type)(IR_F16 + width);
        }
    }
    assert(0 && "a case has a float type");
    return IR_F32;
}

static uint32_t integer_var(struct build *b, uint32_t *vars, unsigned width)
{
    if (vars[width] == NO_VAR) {
        struct ir_var const v = {.kind = VAR_BUFFER, .type = (enum ir_type)(IR_I16 + width)};
        vars[width] = ir_add_var(&b->p, v);
        legal_add_var_needs(&b->p, &v);
    }
    return vars[width];
}

void operand_note_input(const struct tape *t, unsigned at, const struct input *what)
{
    if (t->trace) {
        tape_note_seed(t, at, what->type, inputs_get_value(what, 0));
    }
}

static struct ir_inst *add_row(struct build *b, uint32_t row)
{
    return row == 0 ? b->p.gid
                    : operand_int(b, SpvOpIAdd, b->p.gid, operand_i32(b, row * b->n_items));
}

/* Rows of width `width` for `what`; returns the first one's number. */
static uint32_t take_rows(struct build *b, const struct input *what, uint32_t n)
{
    unsigned const width = build_width(what->type);
    uint32_t const first = b->in_rows[width];
    if (b->n_rows == BUILD_MAX_ROWS) {
        return first == 0 ? 0 : first - 1; /* share the last one: full is rare, and harmless */
    }
    b->rows[b->n_rows++] =
        (struct input_rows){.what = *what, .first = first, .n_rows = n, .width = width};
    b->in_rows[width] += n;
    return first;
}

struct ir_inst *operand_load_bits(struct build *b, const struct input *what, int varies)
{
    unsigned const width = build_width(what->type);
    int const by_iteration = varies && b->row_step;
    uint32_t const var = integer_var(b, b->in_var, width);
    uint32_t const row = take_rows(b, what, by_iteration ? b->n_iterations : 1);
    struct ir_inst *index = add_row(b, row);
    if (by_iteration) {
        index = operand_int(b, SpvOpIAdd, index, b->row_step);
    }
    return ir_load(&b->p, b->block, var, index);
}

struct ir_inst *operand_load(struct build *b, const struct input *what, int varies)
{
    return operand_cast(b, operand_load_bits(b, what, varies), what->type);
}

struct ir_inst *operand_load_uniform(struct build *b, const struct input *what)
{
    uint32_t const var = integer_var(b, b->in_var, build_width(what->type));
    uint32_t const row = take_rows(b, what, 1);
    return ir_load(&b->p, b->block, var, operand_i32(b, row * b->n_items));
}

struct ir_inst *operand_cast(struct build *b, struct ir_inst *v, enum ir_type t)
{
    if (v->type == t) {
        return v;
    }
    legal_add_type_needs(&b->p, t);
    return ir_plain(&b->p, b->block, SpvOpBitcast, t, v, NULL);
}

void operand_probe(struct build *b, struct ir_inst *v)
{
    unsigned const width = build_width(v->type);
    uint32_t const var = integer_var(b, b->out_var, width);
    uint32_t const n = b->row_step ? b->n_iterations : 1;
    struct ir_inst *index = add_row(b, b->out_rows[width]);
    b->out_rows[width] += n;
    if (b->row_step) {
        index = operand_int(b, SpvOpIAdd, index, b->row_step);
    }
    ir_store(&b->p, b->block, var, index, operand_cast(b, v, ir_type_as_int(v->type)));
}

void operand_remember(struct build *b, struct ir_inst *v, enum value_origin origin, int is_probed)
{
    if (b->n_values < BUILD_MAX_VALUES) {
        b->values[b->n_values++] = (struct value){v, origin, is_probed};
    }
}

struct ir_inst *operand_find(const struct build *b, enum ir_type type, uint64_t choice,
                             enum value_origin *origin)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n_values; i++) {
        n += b->values[i].inst->type == type;
    }
    if (n == 0) {
        return NULL;
    }
    uint64_t at = choice % n;
    for (uint32_t i = 0; i < b->n_values; i++) {
        if (b->values[i].inst->type == type && at-- == 0) {
            *origin = b->values[i].origin;
            return b->values[i].inst;
        }
    }
    return NULL;
}

static struct input input_of(const struct build *b, enum ir_type type, uint64_t class,
                             uint64_t seed, enum input_use use)
{
    return (struct input){.type = type,
                          .class = inputs_pick_class(class, use),
                          .seed = seed,
                          .plain = b->plain_inputs,
                          .first = (uint32_t)(seed % 64)};
}

/* A comparison and a select: x op y ? x : z. */
static struct ir_inst *put_select(struct build *b, uint64_t choice, struct ir_inst *const arg[3])
{
    static const uint32_t compares[] = {SpvOpFOrdLessThan,         SpvOpFOrdEqual,
                                        SpvOpFUnordEqual,          SpvOpFOrdNotEqual,
                                        SpvOpFUnordNotEqual,       SpvOpFUnordLessThan,
                                        SpvOpFOrdGreaterThan,      SpvOpFUnordGreaterThan,
                                        SpvOpFOrdLessThanEqual,    SpvOpFUnordLessThanEqual,
                                        SpvOpFOrdGreaterThanEqual, SpvOpFUnordGreaterThanEqual};
    struct ir_inst *const test =
        ir_plain(&b->p, b->block, compares[choice % ARRAY_N(compares)], IR_BOOL, arg[0], arg[1]);
    struct ir_inst *const v = ir_plain(&b->p, b->block, SpvOpSelect, arg[0]->type, test, arg[0]);
    v->arg[2] = arg[2];
    build_set_shape(b, SHAPE_SELECT);
    return v;
}

/* An integer of 16 bits or so becomes a float: in range of every type. */
static struct ir_inst *put_from_integer(struct build *b, enum ir_type type, uint64_t choice)
{
    struct input const what = {.type = IR_I32, .class = INPUT_BITS, .seed = choice};
    struct ir_inst *const raw = operand_load(b, &what, 0);
    uint32_t const shift = (uint32_t)(choice / 2 % 3) * 8; /* up to 32, 24 or 16 bits of value */
    struct ir_inst *v = raw;
    if (type == IR_F16 || shift > 0) {
        uint32_t const by = type == IR_F16 && shift < 16 ? 17 : shift;
        v = operand_int(b, choice & 1 ? SpvOpShiftRightArithmetic : SpvOpShiftRightLogical, raw,
                        operand_i32(b, by));
    }
    build_set_shape(b, SHAPE_CONVERSION);
    return ir_plain(&b->p, b->block, choice & 1 ? SpvOpConvertSToF : SpvOpConvertUToF, type, v,
                    NULL);
}

static struct ir_inst *operand_at(struct build *b, struct tape *t, enum ir_type type, int depth,
                                  enum input_use use);

/* From another width that the case may use; from an integer where there is none. */
static struct ir_inst *put_from_width(struct build *b, struct tape *t, enum ir_type type, int depth,
                                      uint64_t choice)
{
    enum ir_type const from = operand_pick_type(b, choice);
    if (from == type) {
        return put_from_integer(b, type, choice);
    }
    struct tape one = tape_fork(t);
    struct ir_inst *const v = operand_at(b, &one, from, depth + 1, USE_ANY);
    build_set_shape(b, SHAPE_CONVERSION);
    return ir_plain(&b->p, b->block, SpvOpFConvert, type, v, NULL);
}

static const struct float_format *format_of(enum ir_type type)
{
    return &float_formats[type - IR_F16];
}

/* The largest whole number that fits in n_bits bits and is a number of the format. */
static uint64_t largest_fitting(const struct float_format *f, unsigned n_bits)
{
    unsigned const n_whole = n_bits < (unsigned)f->emax + 1 ? n_bits : (unsigned)f->emax + 1;
    unsigned const n_kept = n_whole < f->prec_bits ? n_whole : f->prec_bits;
    return inputs_encode(f, (INT64_C(1) << n_kept) - 1, (int)(n_whole - n_kept));
}

/* What stands for a number that does not fit: the ends of the range, zeros, a half, numbers next to 1 and
 * to zero. */
static uint64_t pick_fitting(const struct float_format *f, enum whole to, uint64_t largest,
                             uint64_t choice)
{
    uint64_t const sign = to == WHOLE_SIGNED ? f->sign : 0;
    switch (choice % 8) {
    case 0:
        return largest;
    case 1: /* its neighbour: of 64 bits no whole number */
        return largest - 1;
    case 2: /* -2^31 fits */
        return to != WHOLE_SIGNED ? f->sign
               : f->emax < 31     ? sign | largest
                                  : inputs_encode(f, -1, 31);
    case 3:
        return f->sign; /* -0 is no less than 0 */
    case 4:
        return sign | inputs_encode(f, 5, -1);
    case 5:
        return inputs_encode(f, (INT64_C(1) << f->prec_bits) - 1, -(int)f->prec_bits);
    case 6:
        return sign | 1;
    default:
        return 0;
    }
}

/* A negative number that is to be no less than 0 mostly loses its sign. Else its bits, which are then more
 * than those of any number in range, tell that it is not in range. */
static bool drops_sign(enum whole to, uint64_t choice)
{
    return to != WHOLE_SIGNED && choice % 4 < 3;
}

uint64_t operand_fit_number(enum ir_type type, uint64_t enc, enum whole to, uint64_t choice)
{
    const struct float_format *f = format_of(type);
    uint64_t const largest = largest_fitting(f, to == WHOLE_UNSIGNED ? 32 : 31);
    uint64_t const m = enc & ~f->sign;
    uint64_t const compared = to == WHOLE_SIGNED || drops_sign(to, choice) ? m : enc;
    return compared > largest       ? pick_fitting(f, to, largest, choice / 4)
           : drops_sign(to, choice) ? m
                                    : enc;
}

struct ir_inst *operand_fit(struct build *b, struct ir_inst *bits, enum ir_type type, enum whole to,
                            uint64_t choice)
{
    const struct float_format *f = format_of(type);
    enum ir_type const as_int = ir_type_as_int(type);
    uint64_t const largest = largest_fitting(f, to == WHOLE_UNSIGNED ? 32 : 31);
    struct ir_inst *m = bits;
    if (to == WHOLE_SIGNED || drops_sign(to, choice)) {
        m = ir_plain(&b->p, b->block, SpvOpBitwiseAnd, as_int, bits,
                     ir_const(&b->p, as_int, format_mask(f) & ~f->sign));
    }
    struct ir_inst *const fits = ir_plain(&b->p, b->block, SpvOpULessThanEqual, IR_BOOL, m,
                                          ir_const(&b->p, as_int, largest));
    struct ir_inst *const kept =
        ir_plain(&b->p, b->block, SpvOpSelect, as_int, fits, to == WHOLE_SIGNED ? bits : m);
    kept->arg[2] = ir_const(&b->p, as_int, pick_fitting(f, to, largest, choice / 4));
    return operand_cast(b, kept, type);
}

struct ir_inst *operand_scale_down(struct build *b, struct ir_inst *v, enum whole to,
                                   uint64_t choice)
{
    static const int8_t factors[][2] = {
        {1, -1 }, /* k * 2^exp, below 1 */
        {3, -2 },
        {1, -5 },
        {7, -3 },
        {1, -12}
    };
    if (!b->p.ok) {
        return v; /* the spare instruction, of any type */
    }
    const int8_t *const by = factors[choice / 2 % ARRAY_N(factors)];
    int const k = to == WHOLE_SIGNED && choice % 2 ? -by[0] : by[0];
    return ir_plain(&b->p, b->block, SpvOpFMul, v->type, v,
                    ir_const(&b->p, v->type, inputs_encode(format_of(v->type), k, by[1])));
}

static struct ir_inst *put_whole(struct build *b, bool is_signed, struct ir_inst *v)
{
    struct ir_inst *const whole =
        ir_plain(&b->p, b->block, is_signed ? SpvOpConvertFToS : SpvOpConvertFToU, IR_I32, v, NULL);
    b->info.n_to_integer++;
    operand_probe(b, whole);
    return whole;
}

/* A float to an integer, which is probed, and back. In OpenCL mostly in range: beyond it any value may
 * come. In Vulkan always: beyond it the program is undefined. */
static struct ir_inst *put_to_integer(struct build *b, enum ir_type type, uint64_t choice)
{
    bool const is_signed = choice % 2;
    bool const is_vulkan = b->env == ENV_VK;
    enum input_class const usual = is_signed ? INPUT_NORMAL : INPUT_DISTINCT_POW2;
    bool const is_usual = choice / 2 % 8 < (is_vulkan ? 4 : 7);
    struct input const what = {.type = type,
                               .seed = choice,
                               .plain = b->plain_inputs,
                               .class = is_usual ? usual : INPUT_MIXED};
    struct ir_inst *const bits = operand_load_bits(b, &what, 0);
    struct ir_inst *const v = operand_cast(b, bits, type);
    struct ir_inst *from = v;
    if (is_vulkan) {
        bool const is_both = choice / 16 % 4 == 0;
        enum whole const one = is_signed ? WHOLE_SIGNED : WHOLE_UNSIGNED;
        from = operand_fit(b, bits, type, is_both ? WHOLE_BOTH : one, choice / 64);
        if (is_both) {
            (void)put_whole(b, !is_signed, from);
        }
    }
    struct ir_inst *const whole = put_whole(b, is_signed, from);
    build_set_shape(b, SHAPE_CONVERSION);
    if (type == IR_F16) {
        return v; /* what came out need not fit in again */
    }
    return ir_plain(&b->p, b->block, is_signed ? SpvOpConvertSToF : SpvOpConvertUToF, type, whole,
                    NULL);
}

enum computed {
    COMPUTE_NEGATE,
    COMPUTE_ADD,
    COMPUTE_SUB,
    COMPUTE_MUL,
    COMPUTE_SELECT,
    COMPUTE_FROM_WIDTH,
    COMPUTE_DIV,
    COMPUTE_TO_INTEGER
};
static const uint8_t computed_weights[] = {14, 22, 18, 18, 12, 9, 2, 4};

struct ir_inst *operand_computed(struct build *b, struct tape *t, enum ir_type type, int depth)
{
    if (t->next == 0) {
        tape_name_node(t, NODE_COMPUTED);
    }
    static const uint32_t opcodes[] = {SpvOpFNegate, SpvOpFAdd, SpvOpFSub, SpvOpFMul, 0, 0,
                                       SpvOpFDiv,    0};
    enum computed const kind =
        (enum computed)build_draw(t, computed_weights, ARRAY_N(computed_weights), ROLE_OPERATION);
    uint64_t const choice = tape_take_u64(t, ROLE_OPERATION);
    if (kind == COMPUTE_FROM_WIDTH) {
        return put_from_width(b, t, type, depth, choice);
    }
    if (kind == COMPUTE_TO_INTEGER) {
        return put_to_integer(b, type, choice);
    }
    struct ir_inst *arg[3] = {NULL, NULL, NULL};
    unsigned const n_args = kind == COMPUTE_NEGATE ? 1 : kind == COMPUTE_SELECT ? 3 : 2;
    for (unsigned i = 0; i < n_args; i++) {
        struct tape one = tape_fork(t);
        arg[i] = operand_at(b, &one, type, depth + 1, USE_ANY);
    }
    if (kind == COMPUTE_SELECT) {
        return put_select(b, choice, arg);
    }
    build_set_shape(b, SHAPE_ARITHMETIC);
    struct ir_inst *const v = ir_plain(&b->p, b->block, opcodes[kind], type, arg[0], arg[1]);
    if (kind == COMPUTE_DIV) {
        operand_probe(b, v); /* some ulp wide: what follows goes on from what was seen */
    }
    return v;
}

/* Decisions of an operand: its kind, then these. */
enum {
    OPERAND_CLASS = 1,
    OPERAND_SEED = 2
};
/* Its kinds below GRAMMAR_COMPUTED_FROM. Zero: a constant. */
enum {
    CONST_BELOW = 24,
    LOADED_BELOW = 56,
    RESULT_FROM = 36 /* the same where there are group operations */
};

int operand_may_compute(const struct build *b, enum input_use use)
{
    return use == USE_ANY || b->p.contraction_off || b->p.mode[1].mask0 || b->p.mode[0].mask0 ||
           b->p.mode[2].mask0;
}

/* For the statistics: where results go. */
static void note_result(struct build *b, enum value_origin origin, int depth)
{
    b->found_result |= origin == RESULT_OF_GROUP;
    if (origin == RESULT_OF_GROUP && depth > 0) {
        build_set_group_shape(b, GROUP_SHAPE_FEEDS_ARITHMETIC);
    }
}

static struct ir_inst *operand_at(struct build *b, struct tape *t, enum ir_type type, int depth,
                                  enum input_use use)
{
    tape_name_node(t, NODE_OPERAND);
    uint64_t const kind = tape_take_below(t, 100, ROLE_STATEMENT);
    uint64_t const class = tape_take_u64(t, ROLE_CLASS);
    uint64_t const seed = tape_take_u64(t, ROLE_SEED);
    int const varies = tape_take_chance(t, 50, ROLE_FORM) || use >= USE_CROWDED;
    enum value_origin origin = NOT_RESULT;
    struct input const what = input_of(b, type, class, seed, use);
    legal_add_type_needs(&b->p, type);
    b->n_built++;
    if (kind >= GRAMMAR_COMPUTED_FROM && depth < GRAMMAR_MAX_OPERAND_DEPTH &&
        operand_may_compute(b, use) && use != USE_DISTINCT) {
        build_set_shape(b, SHAPE_OPERAND_COMPUTED);
        for (unsigned i = OPERAND_CLASS; i <= OPERAND_SEED + 1; i++) {
            tape_name_decision(t, i, ROLE_UNREAD);
        }
        return operand_computed(b, t, type, depth);
    }
    if (kind >= (b->group.is_on ? (uint64_t)RESULT_FROM : (uint64_t)LOADED_BELOW) &&
        operand_may_compute(b, use) && use != USE_DISTINCT) {
        struct ir_inst *const v = operand_find(b, type, seed, &origin);
        if (v) {
            tape_name_decision(t, OPERAND_CLASS, ROLE_UNREAD);
            note_result(b, origin, depth);
            build_set_shape(b,
                            origin != NOT_RESULT ? SHAPE_OPERAND_RESULT : SHAPE_OPERAND_COMPUTED);
            return v;
        }
    }
    operand_note_input(t, OPERAND_SEED, &what);
    if (kind < CONST_BELOW && use != USE_DISTINCT) {
        build_set_shape(b, SHAPE_OPERAND_CONST);
        return ir_const(&b->p, type, inputs_get_value(&what, 0));
    }
    build_set_shape(b, SHAPE_OPERAND_LOADED);
    return operand_load(b, &what, varies);
}

struct ir_inst *operand_float(struct build *b, struct tape *t, enum ir_type type,
                              enum input_use use)
{
    return operand_at(b, t, type, 0, use);
}

struct ir_inst *operand_integer(struct build *b, struct tape *t, enum ir_type type,
                                enum input_use use)
{
    tape_name_node(t, NODE_OPERAND);
    uint64_t const kind = tape_take_below(t, 100, ROLE_STATEMENT);
    uint64_t const class = tape_take_u64(t, ROLE_CLASS);
    uint64_t const seed = tape_take_u64(t, ROLE_SEED);
    enum value_origin origin = NOT_RESULT;
    struct input what = {.type = type, .class = inputs_pick_class(class, USE_ANY), .seed = seed};
    if (use >= USE_CROWDED) {
        what.class = INPUT_BITS;
    }
    legal_add_type_needs(&b->p, type);
    b->n_built++;
    struct ir_inst *const v =
        kind >= (b->group.is_on ? (uint64_t)RESULT_FROM : 80) && use != USE_DISTINCT
            ? operand_find(b, type, seed, &origin)
            : NULL;
    if (v) {
        tape_name_decision(t, OPERAND_CLASS, ROLE_UNREAD);
        note_result(b, origin, 0);
        return v;
    }
    operand_note_input(t, OPERAND_SEED, &what);
    if (kind < CONST_BELOW && use != USE_DISTINCT) {
        return ir_const(&b->p, type, inputs_get_value(&what, 0));
    }
    return operand_load(b, &what, 1);
}

void operand_probe_unless_known(struct build *b, struct ir_inst *v)
{
    const struct ir_inst *from = v;
    if (!b->p.ok) {
        return; /* the spare instruction may be its own operand */
    }
    while (from->kind == IR_PLAIN && from->op == SpvOpBitcast) {
        from = from->arg[0];
    }
    if (from->kind == IR_CONST || from->kind == IR_LOAD) {
        return;
    }
    for (uint32_t i = 0; i < b->n_values; i++) {
        if (b->values[i].is_probed && (b->values[i].inst == from || b->values[i].inst == v)) {
            return;
        }
    }
    operand_probe(b, v);
}

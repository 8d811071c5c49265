/* gen/plan/operand.c -- where operands come from: constants, inputs, arithmetic, earlier results. */
#include "gen/plan/operand.h"

#include <assert.h>

#include "base/format.h"
#include "base/spv.h"
#include "gen/inputs/inputs_number.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/build.h"
#include "gen/tape/field.h"
#include "gen/tape/tape.h"

struct ir_inst *operand_i32(struct build *b, uint32_t v)
{
    return ir_const(&b->p, IR_I32, v);
}

struct ir_inst *operand_plain(struct build *b, uint32_t op, enum ir_type type, struct ir_inst *x,
                              struct ir_inst *y)
{
    struct ir_inst *const v = ir_plain(&b->p, b->flow.block, op, type, x, y);
    if (b->stores_all && ir_type_is_float(type) && op != SpvOpBitcast) {
        operand_probe(b, v);
    }
    return v;
}

struct ir_inst *operand_int(struct build *b, uint32_t op, struct ir_inst *x, struct ir_inst *y)
{
    return operand_plain(b, op, IR_I32, x, y);
}

struct ir_inst *operand_by(struct build *b, uint32_t op, struct ir_inst *x, uint32_t y)
{
    return operand_plain(b, op, IR_I32, x, operand_i32(b, y));
}

struct ir_inst *operand_part(struct build *b, struct ir_inst *vector, uint32_t c)
{
    return ir_extract(&b->p, b->flow.block, vector, c);
}

struct ir_inst *operand_vector(struct build *b, uint32_t n, struct ir_inst *const *part)
{
    return ir_vector(&b->p, b->flow.block, n, part);
}

struct ir_inst *operand_number(struct build *b, enum ir_type type, uint32_t v)
{
    uint64_t const bits = ir_type_is_float(type)
                              ? inputs_encode(inputs_get_format(type), (int64_t)v, 0)
                          : type == IR_I8 ? v & UINT8_MAX
                                          : v;
    return ir_const(&b->p, type, bits);
}

struct ir_inst *operand_sum(struct build *b, struct ir_inst *x, struct ir_inst *y)
{
    b->progress.n_built++;
    return operand_plain(b, ir_type_is_float(x->type) ? SpvOpFAdd : SpvOpIAdd, x->type, x, y);
}

struct ir_inst *operand_select(struct build *b, struct ir_inst *test, struct ir_inst *x,
                               struct ir_inst *y)
{
    struct ir_inst *const v = operand_plain(b, SpvOpSelect, x->type, test, x);
    v->arg[2] = y;
    return v;
}

enum ir_type operand_pick_type(const struct build *b, uint64_t choice)
{
    static const uint8_t bits[8] = {0, 1, 1, 2, 1, 2, 2, 3};
    uint64_t at = choice % bits[b->modes.types];
    for (unsigned width = 0; width < 3; width++) {
        if (build_has_width(b, width) && at-- == 0) {
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

struct ir_inst *operand_shuffle(struct build *b, struct ir_inst *x, struct ir_inst *y,
                                const uint32_t *places, uint32_t n)
{
    struct ir_inst *const v = operand_plain(b, SpvOpVectorShuffle, x->type, x, y);
    v->n_results = n;
    v->literal = arena_copy(b->a, places, n * sizeof *places);
    v->n_literals = v->literal ? n : 0;
    b->p.ok &= v->literal != NULL;
    legal_add_op_needs(&b->p, SpvOpVectorShuffle);
    return v;
}

void operand_note_input(const struct tape *t, unsigned at, const struct input *what)
{
    if (t->trace) {
        tape_note_seed(t, at, what->type, inputs_get_value(what, 0));
    }
}

/* Index of this invocation's number in row `row`; with by_iteration a row follows for each
 * iteration. */
static struct ir_inst *put_index(struct build *b, uint32_t row, bool by_iteration)
{
    struct ir_inst *index = b->p.gid;
    if (row > 0) {
        index = operand_by(b, SpvOpIAdd, index, row * b->dispatch.n_items);
    }
    return by_iteration ? operand_int(b, SpvOpIAdd, index, b->flow.row_step) : index;
}

/* Numbers of 16 bits lie in memory as words where the case may not have them there. */
static bool is_word(const struct build *b, enum ir_type type)
{
    return ir_type_bits(type) == 16 && b->env == ENV_VK && !build_may(b, NEED_VK_16BIT_STORAGE);
}

/* The width of numbers of that type in inputs and outputs. */
static unsigned stored_width(const struct build *b, enum ir_type type)
{
    return is_word(b, type) ? build_width(IR_I32) : build_width(type);
}

/* n fresh rows of inputs; returns the first one's number. Where there are too many, the last one is
 * shared: that is rare, and harmless. */
static uint32_t take_rows(struct build *b, const struct input *what, uint32_t n)
{
    unsigned const width = stored_width(b, what->type);
    uint32_t const first = b->io.in_rows[width];
    if (b->io.n_rows == BUILD_MAX_ROWS) {
        return first == 0 ? 0 : first - 1;
    }
    b->io.rows[b->io.n_rows++] =
        (struct input_rows){.what = *what, .first = first, .n_rows = n, .width = width};
    b->io.in_rows[width] += n;
    return first;
}

/* ---- memory that nobody writes ---- */

/* Bytes that the variable may have. */
static uint32_t most_constants(const struct build *b, bool is_push)
{
    return is_push ? CASE_MAX_PUSH_BYTES - b->bindings.push_first : CASE_MAX_CONSTANT_BYTES;
}

/* Adds the variable of constants of that width. false: there is no room for one. In Vulkan 16 bits would need a feature
 * of their own. */
static bool add_constants(struct build *b, uint32_t *var, enum ir_type type, bool is_push)
{
    enum {
        KEPT_BUFS = 4 /* for what must have one */
    };
    struct ir_var const v = {.kind = is_push ? VAR_PUSH : VAR_CONSTANT,
                             .type = type,
                             .first = is_push ? b->bindings.push_first : 0};
    if ((b->env == ENV_VK && type == IR_I16) || b->p.n_bufs + KEPT_BUFS >= CASE_MAX_BUFS ||
        b->p.n_vars + KEPT_BUFS >= IR_MAX_VARS) {
        return false;
    }
    *var = ir_add_var(&b->p, v);
    legal_add_var_needs(&b->p, &v);
    return true;
}

/* n numbers more in constant memory, or if is_push in push constants. NULL: they cannot be there. */
static const struct constant_row *take_constants(struct build *b, const struct input *what,
                                                 uint32_t n, bool is_push)
{
    struct constant_rows *const c = &b->constants;
    enum ir_type const type = ir_type_as_int(what->type);
    uint32_t *const var = is_push ? &c->push_var : &c->var[build_width(type)];
    uint64_t const most = most_constants(b, is_push) / (ir_type_bits(type) / 8);
    if ((is_push && type != b->bindings.push_type) || c->n_rows == BUILD_MAX_CONSTANTS ||
        n > most || (*var == NO_VAR && !add_constants(b, var, type, is_push))) {
        return NULL;
    }
    struct ir_var *const v = &b->p.vars[*var];
    if (v->n + n > most) {
        return NULL;
    }
    c->rows[c->n_rows] = (struct constant_row){.what = *what, .var = *var, .first = v->n, .n = n};
    v->n += n;
    build_set_shape(b, is_push ? SHAPE_PUSH : SHAPE_CONSTANT);
    return &c->rows[c->n_rows++];
}

/* Is the next row to be there? */
static bool draws_constants(const struct build *b, const struct input *what, unsigned percent)
{
    uint64_t const of[] = {what->seed, b->constants.n_rows, b->p.n_specs, b->progress.n_built};
    return percent > 0 && hash_bytes(b->bindings.seed, of, sizeof of) % 100 < percent;
}

static struct ir_inst *load_constant(struct build *b, const struct constant_row *r,
                                     struct ir_inst *index)
{
    return ir_load(&b->p, b->flow.block, r->var, index);
}

/* A number for each item, and if by_iteration for each iteration. NULL: not there. */
static struct ir_inst *load_row_of_constants(struct build *b, const struct input *what,
                                             bool by_iteration)
{
    uint64_t const n = (uint64_t)b->dispatch.n_items * (by_iteration ? b->flow.n_iterations : 1);
    const struct constant_row *const r =
        draws_constants(b, what, b->bindings.constant_percent) && n <= CASE_MAX_CONSTANT_BYTES
            ? take_constants(b, what, (uint32_t)n, false)
            : NULL;
    if (!r) {
        return NULL;
    }
    struct ir_inst *index = b->p.gid;
    if (r->first > 0) {
        index = operand_by(b, SpvOpIAdd, index, r->first);
    }
    if (by_iteration) {
        index = operand_int(b, SpvOpIAdd, index, b->flow.row_step);
    }
    return load_constant(b, r, index);
}

/* One of few numbers, by what `choice` says: always the same, the work-group's, the invocation's own, or one that
 * data say. Of push constants one for a whole work-group: their arrays "must only be accessed with dynamically uniform
 * indices" (Vulkan Specification, Push Constant Interface). */
static struct ir_inst *load_one_of(struct build *b, const struct constant_row *r, uint64_t choice)
{
    struct ir_inst *const by[] = {NULL, b->p.wg, b->p.gid, b->p.lid, b->p.gid};
    bool const is_push = b->p.vars[r->var].kind == VAR_PUSH;
    struct ir_inst *which = by[field_get(choice, FEW_BY)];
    which = is_push && which ? b->p.wg : which;
    if (!which || r->n == 1) {
        return load_constant(
            b, r, operand_i32(b, r->first + (uint32_t)field_below(choice, FEW_AT, r->n)));
    }
    struct ir_inst *index = operand_by(b, SpvOpUMod, which, r->n);
    if (r->first > 0) {
        index = operand_by(b, SpvOpIAdd, index, r->first);
    }
    return load_constant(b, r, index);
}

/* A few numbers of that kind, of which each invocation loads one, or all the same one; only where it does not matter
 * which. They may stand in memory that nobody writes. */
static struct ir_inst *load_few(struct build *b, const struct input *what, bool varies)
{
    static const uint8_t sizes[] = {1, 2, 3, 4, 5, 8};
    uint64_t const choice = hash_bytes(b->bindings.seed, &what->seed, sizeof what->seed);
    uint32_t const n = sizes[field_get(choice, FEW_SIZE)];
    const struct constant_row *r = NULL;
    if (draws_constants(b, what, b->bindings.push_percent)) {
        r = take_constants(b, what, n, true);
    }
    if (!r && field_get(choice, FEW_CONSTANT) &&
        draws_constants(b, what, b->bindings.constant_percent)) {
        r = take_constants(b, what, n, false);
    }
    return r ? operand_cast(b, load_one_of(b, r, field_rest(choice, FEW_REST)), what->type)
             : operand_load(b, what, varies);
}

struct ir_inst *operand_load_pushed(struct build *b, const struct input *what)
{
    uint32_t const n = 1 + (uint32_t)field_get(what->seed, PUSHED_COUNT);
    const struct constant_row *r =
        b->bindings.push_percent > 0 ? take_constants(b, what, n, true) : NULL;
    if (!r && b->bindings.constant_percent > 0) {
        r = take_constants(b, what, n, false);
    }
    return r ? operand_cast(b, load_one_of(b, r, field_rest(what->seed, PUSHED_REST)), what->type)
             : NULL;
}

/* ---- inputs ---- */

/* Loads number `index` of the inputs of that type, as an integer. */
static struct ir_inst *load_input(struct build *b, enum ir_type type, struct ir_inst *index)
{
    uint32_t const var = integer_var(b, b->io.in_var, stored_width(b, type));
    struct ir_inst *const v = ir_load(&b->p, b->flow.block, var, index);
    if (!is_word(b, type)) {
        return v;
    }
    legal_add_type_needs(&b->p, IR_I16);
    return operand_plain(b, SpvOpUConvert, IR_I16, v, NULL);
}

struct ir_inst *operand_load_bits(struct build *b, const struct input *what, bool varies)
{
    bool const by_iteration = varies && b->flow.row_step;
    struct ir_inst *const constant = load_row_of_constants(b, what, by_iteration);
    if (constant) {
        return constant;
    }
    uint32_t const row = take_rows(b, what, by_iteration ? b->flow.n_iterations : 1);
    return load_input(b, what->type, put_index(b, row, by_iteration));
}

struct ir_inst *operand_load(struct build *b, const struct input *what, bool varies)
{
    return operand_cast(b, operand_load_bits(b, what, varies), what->type);
}

struct ir_inst *operand_load_uniform(struct build *b, const struct input *what)
{
    bool const is_push = draws_constants(b, what, b->bindings.push_percent);
    const struct constant_row *const r =
        is_push || draws_constants(b, what, b->bindings.constant_percent)
            ? take_constants(b, what, 1, is_push)
            : NULL;
    if (r) {
        return load_constant(b, r, operand_i32(b, r->first));
    }
    uint32_t const row = take_rows(b, what, 1);
    return load_input(b, what->type, operand_i32(b, row * b->dispatch.n_items));
}

static struct input random_i32(uint64_t seed)
{
    return (struct input){.type = IR_I32, .class = INPUT_BITS, .seed = seed};
}

struct ir_inst *operand_random(struct build *b, uint64_t seed, bool varies)
{
    struct input const what = random_i32(seed);
    return operand_load(b, &what, varies);
}

struct ir_inst *operand_random_uniform(struct build *b, uint64_t seed)
{
    struct input const what = random_i32(seed);
    return operand_load_uniform(b, &what);
}

struct ir_inst *operand_cast(struct build *b, struct ir_inst *v, enum ir_type t)
{
    if (v->type == t) {
        return v;
    }
    legal_add_type_needs(&b->p, t);
    return operand_plain(b, SpvOpBitcast, t, v, NULL);
}

void operand_probe(struct build *b, struct ir_inst *v)
{
    bool const by_iteration = b->flow.row_step;
    if (v->type == IR_I8 || is_word(b, v->type)) { /* it is stored as a word */
        v = operand_plain(b, SpvOpUConvert, IR_I32, operand_cast(b, v, ir_type_as_int(v->type)),
                          NULL);
    }
    unsigned const width = build_width(v->type);
    uint32_t const var = integer_var(b, b->io.out_var, width);
    struct ir_inst *const index = put_index(b, b->io.out_rows[width], by_iteration);
    b->io.out_rows[width] += by_iteration ? b->flow.n_iterations : 1;
    ir_store(&b->p, b->flow.block, var, index, operand_cast(b, v, ir_type_as_int(v->type)));
}

void operand_remember(struct build *b, struct ir_inst *v, enum value_origin origin, bool is_probed)
{
    if (b->flow.n_values < BUILD_MAX_VALUES) {
        b->values[b->flow.n_values++] = (struct value){v, origin, is_probed};
    }
}

struct ir_inst *operand_find(const struct build *b, enum ir_type type, uint64_t choice,
                             enum value_origin *origin)
{
    uint32_t found[BUILD_MAX_VALUES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->flow.n_values; i++) {
        if (b->values[i].inst->type == type) {
            found[n++] = i;
        }
    }
    if (n == 0) {
        return NULL;
    }
    const struct value *const v = &b->values[found[choice % n]];
    *origin = v->origin;
    return v->inst;
}

static struct input input_of(const struct build *b, enum ir_type type, uint64_t class,
                             uint64_t seed, enum input_use use)
{
    /* An operand of another profile may go into an atomic, and a NaN would stay in the memory location. */
    bool const is_of_math = b->profile == PROFILE_ARITH || b->profile == PROFILE_MAXERROR;
    return (struct input){.type = type,
                          .class = inputs_pick_class(class, use),
                          .seed = seed,
                          .plain = b->modes.plain_inputs,
                          .has_special = is_of_math && use == USE_ANY && inputs_want_special(seed),
                          .first = (uint32_t)field_get(seed, INPUT_FIRST)};
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
        operand_plain(b, compares[choice % ARRAY_N(compares)], IR_BOOL, arg[0], arg[1]);
    build_set_shape(b, SHAPE_SELECT);
    return operand_select(b, test, arg[0], arg[2]);
}

/* A random integer becomes a float. It is cut to 32, 24 or 16 bits, for f16 to what is in range of
 * it. */
static struct ir_inst *put_from_integer(struct build *b, enum ir_type type, uint64_t choice)
{
    enum {
        F16_SHIFT = 17
    };
    bool const is_signed = field_get(choice, FROM_SIGNED);
    uint32_t shift = (uint32_t)field_get(choice, FROM_CUT) * 8;
    struct ir_inst *v = operand_random(b, choice, false);
    if (type == IR_F16 && shift < 16) {
        shift = F16_SHIFT;
    }
    if (shift > 0) {
        v = operand_by(b, is_signed ? SpvOpShiftRightArithmetic : SpvOpShiftRightLogical, v, shift);
    }
    build_set_shape(b, SHAPE_CONVERSION);
    return operand_plain(b, is_signed ? SpvOpConvertSToF : SpvOpConvertUToF, type, v, NULL);
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
    return operand_plain(b, SpvOpFConvert, type, v, NULL);
}

/* The largest whole number that fits in n_bits bits and is a number of the format. */
static uint64_t largest_fitting(const struct float_format *f, unsigned n_bits)
{
    unsigned const n_whole = n_bits < (unsigned)f->emax + 1 ? n_bits : (unsigned)f->emax + 1;
    unsigned const n_kept = n_whole < f->prec_bits ? n_whole : f->prec_bits;
    return inputs_encode(f, (INT64_C(1) << n_kept) - 1, (int)(n_whole - n_kept));
}

/* Picks, by `choice`, the encoding that stands for a number that does not fit the integer it is converted
 * to: an end of the range, a zero, 2.5, or a number next to 1 or to zero. `largest` is the largest number
 * of the format that fits. */
static uint64_t pick_fitting(const struct float_format *f, enum whole to, unsigned n_bits,
                             uint64_t largest, uint64_t choice)
{
    bool const is_signed = to == WHOLE_SIGNED;
    uint64_t const sign = is_signed ? f->sign : 0;
    bool const has_least =
        f->emax >= (int)n_bits; /* -2^n_bits is a number of the format, and fits */
    switch (choice % 8) {       /* each kind in one of eight cases */
    case 0:
        return largest;
    case 1: /* its neighbour: of 64 bits no whole number */
        return largest - 1;
    case 2: /* the other end of the range, which is -0 for an unsigned integer */
        if (!is_signed) {
            return f->sign;
        }
        return has_least ? inputs_encode(f, -1, (int)n_bits) : sign | largest;
    case 3:
        return f->sign; /* -0 is no less than 0 */
    case 4:             /* 2.5, of a signed integer -2.5 */
        return sign | inputs_encode(f, 5, -1);
    case 5: /* the largest below 1 */
        return inputs_encode(f, (INT64_C(1) << f->prec_bits) - 1, -(int)f->prec_bits);
    case 6: /* the smallest subnormal */
        return sign | 1;
    default:
        return 0;
    }
}

/* How a number comes into the range of an integer. A negative number that is to be no less than 0
 * mostly loses its sign. Else its bits are compared whole: they are then more than those of any
 * number in range. */
struct fitting {
    bool drops_sign;   /* the result has no sign */
    bool ignores_sign; /* the comparison leaves it out */
    uint64_t largest, other;
};

static struct fitting fitting_of(const struct float_format *f, enum whole to, unsigned n_bits,
                                 uint64_t choice)
{
    struct fitting x = {.drops_sign = to != WHOLE_SIGNED && !field_is_last(choice, FIT_SIGN),
                        .largest = largest_fitting(f, n_bits)};
    x.ignores_sign = to == WHOLE_SIGNED || x.drops_sign;
    x.other = pick_fitting(f, to, n_bits, x.largest, field_rest(choice, FIT_OTHER));
    return x;
}

uint64_t operand_fit_number(enum ir_type type, uint64_t enc, enum whole to, uint64_t choice)
{
    const struct float_format *f = inputs_get_format(type);
    struct fitting const x = fitting_of(f, to, operand_whole_bits(to), choice);
    uint64_t const size = enc & ~f->sign;
    if ((x.ignores_sign ? size : enc) > x.largest) {
        return x.other;
    }
    return x.drops_sign ? size : enc;
}

struct ir_inst *operand_fit(struct build *b, struct ir_inst *bits, enum ir_type type, enum whole to,
                            unsigned n_bits, uint64_t choice)
{
    const struct float_format *f = inputs_get_format(type);
    struct fitting const x = fitting_of(f, to, n_bits, choice);
    enum ir_type const as_int = ir_type_as_int(type);
    struct ir_inst *compared = bits;
    if (x.ignores_sign) {
        compared = operand_plain(b, SpvOpBitwiseAnd, as_int, bits,
                                 ir_const(&b->p, as_int, format_mask(f) & ~f->sign));
    }
    struct ir_inst *const fits = operand_plain(b, SpvOpULessThanEqual, IR_BOOL, compared,
                                               ir_const(&b->p, as_int, x.largest));
    struct ir_inst *const kept =
        operand_select(b, fits, x.drops_sign ? compared : bits, ir_const(&b->p, as_int, x.other));
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
    const int8_t *const by = factors[field_get(choice, SCALE_FACTOR)];
    int const k = to == WHOLE_SIGNED && field_get(choice, SCALE_NEGATIVE) ? -by[0] : by[0];
    return operand_plain(
        b, SpvOpFMul, v->type, v,
        ir_const(&b->p, v->type, inputs_encode(inputs_get_format(v->type), k, by[1])));
}

static struct ir_inst *put_whole(struct build *b, bool is_signed, struct ir_inst *v)
{
    struct ir_inst *const whole =
        operand_plain(b, is_signed ? SpvOpConvertFToS : SpvOpConvertFToU, IR_I32, v, NULL);
    b->info.n_to_integer++;
    operand_probe(b, whole);
    return whole;
}

/* Puts a conversion of a loaded float to an integer, which is stored, and a conversion back; returns the
 * float. In OpenCL the float is mostly in range, as beyond the range any integer may come. In Vulkan it is
 * always in range (operand_fit), as beyond it the result is undefined. */
static struct ir_inst *put_to_integer(struct build *b, enum ir_type type, uint64_t choice)
{
    bool const is_signed = field_get(choice, TO_SIGNED);
    bool const is_vulkan = b->env == ENV_VK;
    unsigned const usual_of_8 = is_vulkan ? 4 : 7; /* in Vulkan operand_fit makes all others fit */
    bool const is_usual = field_get(choice, TO_UNUSUAL) < usual_of_8;
    /* does a conversion to the integer of the other sign stand before it? */
    bool const has_both = is_vulkan && field_get(choice, TO_BOTH) == 0;
    bool const has_fraction = hash_bytes(choice, &type, sizeof type) % 2; /* and up to all digits */
    enum input_class const usual = has_fraction ? INPUT_DOMAIN
                                   : is_signed  ? INPUT_NORMAL
                                                : INPUT_DISTINCT_POW2;
    struct input const what = {.type = type,
                               .seed = choice,
                               .domain = DOMAIN_WHOLE,
                               .plain = b->modes.plain_inputs,
                               .class = is_usual ? usual : INPUT_MIXED};
    struct ir_inst *const bits = operand_load_bits(b, &what, false);
    struct ir_inst *const loaded = operand_cast(b, bits, type);
    struct ir_inst *from = loaded;
    if (is_vulkan) {
        enum whole const own_range = is_signed ? WHOLE_SIGNED : WHOLE_UNSIGNED;
        enum whole const range = has_both ? WHOLE_BOTH : own_range;
        from = operand_fit(b, bits, type, range, operand_whole_bits(range),
                           field_rest(choice, TO_FIT));
    }
    if (has_both) {
        (void)put_whole(b, !is_signed, from); /* which stores its result */
    }
    struct ir_inst *const whole = put_whole(b, is_signed, from);
    build_set_shape(b, SHAPE_CONVERSION);
    if (type == IR_F16) {
        return loaded; /* not converted back: an i32 may be beyond the range of f16 */
    }
    return operand_plain(b, is_signed ? SpvOpConvertSToF : SpvOpConvertUToF, type, whole, NULL);
}

/* Ways to compute an operand; 0 for the opcode: not by one instruction on operands of the type. */
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
static const uint32_t computed_opcodes[] = {SpvOpFNegate, SpvOpFAdd, SpvOpFSub, SpvOpFMul, 0, 0,
                                            SpvOpFDiv,    0};

static unsigned count_arguments(enum computed kind)
{
    if (kind == COMPUTE_NEGATE) {
        return 1;
    }
    return kind == COMPUTE_SELECT ? 3 : 2;
}

/* Puts a value of that float type that at least one instruction computes, and returns it. Node t says how:
 * from another float width, by way of an integer, by a selection, or by arithmetic. The arguments are
 * operands of depth + 1, which ends the recursion. */
struct ir_inst *operand_computed(struct build *b, struct tape *t, enum ir_type type, int depth)
{
    if (t->next == 0) { /* else operand_at has named this node and drawn its first decisions */
        tape_name_node(t, NODE_COMPUTED);
    }
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
    for (unsigned i = 0; i < count_arguments(kind); i++) {
        struct tape argument = tape_fork(t);
        arg[i] = operand_at(b, &argument, type, depth + 1, USE_ANY);
    }
    if (kind == COMPUTE_SELECT) {
        return put_select(b, choice, arg);
    }
    build_set_shape(b, SHAPE_ARITHMETIC);
    struct ir_inst *const v = operand_plain(b, computed_opcodes[kind], type, arg[0], arg[1]);
    if (kind == COMPUTE_DIV) {
        /* a quotient may be some ulp off: what follows is judged from the quotient that was stored */
        operand_probe(b, v);
    }
    return v;
}

/* Decisions of an operand: its kind, then these. */
enum {
    OPERAND_CLASS = 1,
    OPERAND_SEED = 2,
    OPERAND_VARIES = 3
};
/* Kinds of an operand below GRAMMAR_COMPUTED_FROM, zero first. */
enum {
    CONST_BELOW = 24,
    LOADED_BELOW = 56,
    INTEGER_LOADED_BELOW = 80,
    GROUPS_LOADED_BELOW =
        36 /* either, where there are group operations, whose results are used more */
};

bool operand_may_compute(const struct build *b, enum input_use use)
{
    return use == USE_ANY || b->p.contraction_off || b->p.mode[0].mask0 || b->p.mode[1].mask0 ||
           b->p.mode[2].mask0;
}

/* Are the operands of that use to differ by invocation and iteration? */
static bool has_to_vary(enum input_use use)
{
    return use == USE_CROWDED || use == USE_DISTINCT;
}

/* May several invocations have the same operand of that use, whatever its class? */
static bool may_be_few(enum input_use use)
{
    return use == USE_ANY || use == USE_GROUP || use == USE_MATH;
}

/* An earlier value of that type as the operand of t, or NULL. The seed chooses it, as `choice`; the class of
 * inputs, which was drawn, then decides nothing and is named unread. */
static struct ir_inst *find_earlier(struct build *b, const struct tape *t, enum ir_type type,
                                    uint64_t choice, int depth)
{
    enum value_origin origin = NOT_RESULT;
    struct ir_inst *const v = operand_find(b, type, choice, &origin);
    if (!v) {
        return NULL;
    }
    tape_name_decision(t, OPERAND_CLASS, ROLE_UNREAD);
    if (origin == RESULT_OF_GROUP) {
        b->progress.found_group_result = true;
        build_set_group_shape_if(b, GROUP_SHAPE_FEEDS_ARITHMETIC, depth > 0);
    }
    if (ir_type_is_float(type)) {
        build_set_shape(b, origin == NOT_RESULT ? SHAPE_OPERAND_COMPUTED : SHAPE_OPERAND_RESULT);
    }
    return v;
}

/* Puts an operand of float type and returns it. Its kind says whether it is a constant, loaded, an earlier
 * value or computed, as far as its use permits. All four decisions of node t are drawn whatever the kind,
 * so that a change of the kind moves no other decision. Decisions that turn out to decide nothing are named
 * ROLE_UNREAD, for mutations of the tape. */
static struct ir_inst *operand_at(struct build *b, struct tape *t, enum ir_type type, int depth,
                                  enum input_use use)
{
    tape_name_node(t, NODE_OPERAND);
    uint64_t const kind = tape_take_below(t, 100, ROLE_STATEMENT);
    uint64_t const class = tape_take_u64(t, ROLE_CLASS);
    uint64_t const seed = tape_take_u64(t, ROLE_SEED);
    bool const varies = tape_take_chance(t, 50, ROLE_FORM) || has_to_vary(use);
    /* USE_DISTINCT: no two invocations have the same number, which only loaded ones promise */
    bool const may_compute = operand_may_compute(b, use) && use != USE_DISTINCT;
    struct input const what = input_of(b, type, class, seed, use);
    legal_add_type_needs(&b->p, type);
    b->progress.n_built++;
    if (may_compute && kind >= GRAMMAR_COMPUTED_FROM && depth < GRAMMAR_MAX_OPERAND_DEPTH) {
        build_set_shape(b, SHAPE_OPERAND_COMPUTED);
        /* class, seed and "varies" have been drawn, but a computed operand does not use them */
        for (unsigned i = OPERAND_CLASS; i <= OPERAND_VARIES; i++) {
            tape_name_decision(t, i, ROLE_UNREAD);
        }
        return operand_computed(b, t, type, depth);
    }
    uint64_t const loaded_below = b->group.is_on ? GROUPS_LOADED_BELOW : LOADED_BELOW;
    if (may_compute && kind >= loaded_below) {
        struct ir_inst *const v = find_earlier(b, t, type, seed, depth);
        if (v) {
            return v;
        }
    }
    operand_note_input(t, OPERAND_SEED, &what);
    if (kind < CONST_BELOW && use != USE_DISTINCT) {
        build_set_shape(b, SHAPE_OPERAND_CONST);
        return ir_const(&b->p, type, inputs_get_value(&what, 0));
    }
    build_set_shape(b, SHAPE_OPERAND_LOADED);
    return may_be_few(use) ? load_few(b, &what, varies) : operand_load(b, &what, varies);
}

struct ir_inst *operand_float(struct build *b, struct tape *t, enum ir_type type,
                              enum input_use use)
{
    return operand_at(b, t, type, 0, use);
}

struct ir_inst *operand_plain_float(struct build *b, uint64_t choice, enum ir_type type,
                                    enum input_use use)
{
    struct input const what = input_of(b, type, field_rest(choice, PLAIN_CLASS), choice, use);
    bool const varies = field_get(choice, PLAIN_VARIES) || has_to_vary(use);
    legal_add_type_needs(&b->p, type);
    b->progress.n_built++;
    if (field_get(choice, PERCENT) < CONST_BELOW && use != USE_DISTINCT) {
        build_set_shape(b, SHAPE_OPERAND_CONST);
        return ir_const(&b->p, type, inputs_get_value(&what, 0));
    }
    build_set_shape(b, SHAPE_OPERAND_LOADED);
    return may_be_few(use) ? load_few(b, &what, varies) : operand_load(b, &what, varies);
}

/* What an operand of bfloat16 is drawn from. Few cases have any, none of them is computed, as a NaN may come of
 * arithmetic on other types: so more of them are NaN from the start, but for a cell of many operations. */
static struct input bfloat_of(const struct build *b, uint64_t class, uint64_t seed,
                              enum input_use use)
{
    enum {
        NAN_OF = 3,
        NAN_OF_CONTENDED = 8 /* one in so many */
    };
    struct input in = input_of(b, IR_BF16, class, seed, use);
    uint64_t const at = field_below(class, BFLOAT_NAN, use == USE_ANY ? NAN_OF : NAN_OF_CONTENDED);
    if (at == 0 && !has_to_vary(use) && !b->modes.plain_inputs && in.class != INPUT_LITERAL) {
        in.class = field_get(class, BFLOAT_SIGNALLING) == 0 ? INPUT_SNAN : INPUT_QNAN;
    }
    return in;
}

/* Puts an operand of integer type, or of bfloat16, and returns it. Its kind says whether it is a constant,
 * loaded or an earlier value; it is never computed. As in operand_at all decisions are drawn whatever the
 * kind. */
struct ir_inst *operand_integer(struct build *b, struct tape *t, enum ir_type type,
                                enum input_use use)
{
    tape_name_node(t, NODE_OPERAND);
    uint64_t const kind = tape_take_below(t, 100, ROLE_STATEMENT);
    uint64_t const class = tape_take_u64(t, ROLE_CLASS);
    uint64_t const seed = tape_take_u64(t, ROLE_SEED);
    uint64_t const loaded_below = b->group.is_on ? GROUPS_LOADED_BELOW : INTEGER_LOADED_BELOW;
    struct input const integer = {.type = type,
                                  .class = has_to_vary(use) ? INPUT_BITS
                                                            : inputs_pick_class(class, USE_ANY),
                                  .seed = seed};
    struct input const what = type == IR_BF16 ? bfloat_of(b, class, seed, use) : integer;
    legal_add_type_needs(&b->p, type);
    b->progress.n_built++;
    if (kind >= loaded_below && use != USE_DISTINCT) {
        /* depth 0: an operand itself */
        struct ir_inst *const v = find_earlier(b, t, type, seed, 0);
        if (v) {
            return v;
        }
    }
    operand_note_input(t, OPERAND_SEED, &what);
    if (kind < CONST_BELOW && use != USE_DISTINCT) {
        return ir_const(&b->p, type, inputs_get_value(&what, 0));
    }
    return operand_load(b, &what, true);
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
    for (uint32_t i = 0; i < b->flow.n_values; i++) {
        if (b->values[i].is_probed && (b->values[i].inst == from || b->values[i].inst == v)) {
            return;
        }
    }
    operand_probe(b, v);
}

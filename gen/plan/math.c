/* gen/plan/math.c -- mathematics of a case: which there may be; an instruction, its operands,
 * decorations, probes. */
#include "gen/plan/math.h"

#include <assert.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/spv.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/build.h"
#include "gen/plan/condition.h"
#include "gen/plan/operand.h"
#include "gen/tape/field.h"

const struct math_row math_rows[MATH_N] = {
#define MATH(set, name, n_args, form, lengths, domain)                                             \
    {OP_##set##_##name, n_args, FORM_##form, LENGTHS_##lengths, DOMAIN_##domain},
#include "gen/plan/math.def"
};

const uint32_t math_bounds[MATH_BOUND_N] = {
    0x40800000, /* 4 */
    0x3f000000, /* 0.5 */
    0x3f800000, /* 1 */
    0x3f000001, /* next above 0.5 */
    0x3e800000, /* 0.25 */
    0x3fc00000, /* 1.5 */
    0x40000000, /* 2 */
    0x40200000, /* 2.5 */
    0x40400000, /* 3 */
    0x40a00000, /* 5 */
    0x40c00000, /* 6 */
    0x41000000, /* 8 */
    0x41800000, /* 16 */
    0x42c80000, /* 100 */
    0x44800000, /* 1024 */
    0x457ff000, /* 4095 */
    0x45800000, /* 4096 */
    0x46000000, /* 8192 */
    0x49742400, /* 1e6 */
    0x00000001, /* the smallest subnormal */
    0x007fffff, /* the largest one */
    0x00800000, /* the smallest normal */
    0x3effffff, /* next below 0.5 */
    0x4cbebc20, /* 1e8 */
    0x7f000000, /* 2^127 */
    0x7f7fffff  /* the largest */
};
const uint32_t math_illegal_bounds[MATH_ILLEGAL_BOUND_N] = {
    0x00000000, /* 0 */
    0x80000000, /* -0 */
    0xbf800000, /* -1 */
    0x7f800000, /* infinity */
    0x7fc00000  /* NaN */
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

static enum need_id max_error_need(const struct build *b)
{
    return b->env == ENV_CL ? NEED_CL_MAX_ERROR : NEED_VK_MAX_ERROR;
}

static const struct dot_row {
    enum need_id need[ENV_N];
    enum ir_type part;
} dot_rows[] = {
    [DOT_PACKED] = {{NEED_CL_DOT_PACKED, NEED_VK_DOT_PACKED}, IR_I32},
    [DOT_BYTES] = {{NEED_CL_DOT_BYTES, NEED_VK_DOT_BYTES},   IR_I8 },
    [DOT_SHORTS] = {{NEED_CL_DOT_ALL, NEED_VK_DOT_ALL},       IR_I16},
    [DOT_VECTORS] = {{NEED_CL_DOT_ALL, NEED_VK_DOT_ALL},       IR_I32},
};
static const enum need_id dot_needs[ENV_N] = {NEED_CL_DOT, NEED_VK_DOT};
static const enum need_id fma_needs[] = {NEED_VK_FMA16, NEED_VK_FMA32, NEED_VK_FMA64};

/* Decorations where they mean nothing, one or several; now and then the module lacks capability and extension,
 * or the literal is none that the text allows. */
static void plan_illegal(struct build *b, uint64_t digits)
{
    uint64_t const literal = field_get(digits, ILLEGAL_LITERAL);
    b->math.is_illegal = 1;
    b->p.odd = 1u << field_below(digits, ILLEGAL_PLACE, IR_ODD_N);
    if (field_get(digits, ILLEGAL_SECOND) == 0) {
        b->p.odd |= 1u << field_below(digits, ILLEGAL_SECOND_PLACE, IR_ODD_N);
    }
    b->p.odd_literal = literal < MATH_ILLEGAL_BOUND_N
                           ? math_illegal_bounds[literal]
                           : math_bounds[field_below(digits, ILLEGAL_BOUND, MATH_BOUND_N)];
    if (field_get(digits, ILLEGAL_UNDECLARED) != 0 && build_may(b, max_error_need(b))) {
        needs_add(&b->p.needs, max_error_need(b));
    }
    build_set_math_shape(b, MATH_SHAPE_ILLEGAL);
}

void plan_math(struct build *b, struct tape *t)
{
    struct math_plan *const m = &b->math;
    tape_name_node(t, NODE_MATH_BLOCK);
    bool const is_decorated = tape_take_chance(t, 70, ROLE_MODE);
    bool const is_illegal = tape_take_chance(t, 4, ROLE_MODE);
    uint64_t const digits = tape_take_u64(t, ROLE_MODE);
    m->is_on = 1;
    m->is_main = b->profile == PROFILE_MAXERROR;
    m->has_fast_math = b->env == ENV_CL && m->is_main && field_get(digits, PERCENT) >= 86;
    m->has_rounding = b->env == ENV_CL && field_get(digits, MATH_ROUNDING) >= 50;
    bool may_fma = false;
    for (size_t i = 0; i < ARRAY_N(fma_needs); i++) {
        may_fma |= build_may(b, fma_needs[i]);
    }
    m->has_fma = may_fma && field_get(mix(digits), MATH_FMA) == 0;
    m->dot_seed = mix(digits + 1);
    m->n_dots = field_get(m->dot_seed, DOTS) == 0 && build_may(b, dot_needs[b->env]) &&
                        build_may(b, dot_rows[DOT_PACKED].need[b->env])
                    ? 1 + (unsigned)field_get(m->dot_seed, DOTS_COUNT)
                    : 0;
    m->is_decorated =
        m->is_main && is_decorated && b->env == ENV_CL && build_may(b, NEED_CL_MAX_ERROR);
    if (m->is_main && is_illegal && (b->env == ENV_CL || legal_may_module(&b->p))) {
        needs_add_if(&b->p.needs, NEED_VK_MODULE, b->env == ENV_VK);
        plan_illegal(b, field_rest(digits, MATH_ILLEGAL));
    }
    build_set_math_shape(b, m->is_decorated ? MATH_SHAPE_DECORATED : MATH_SHAPE_UNDECORATED);
}

/* In profile `all` most targets of OpenCL would skip a decorated case, so few are. */
void plan_accuracy(struct build *b, struct tape *t)
{
    enum {
        ALL_PERCENT = 10,
        MOST_EXACT = 3 /* statements */
    };
    struct math_plan *const m = &b->math;
    bool const is_mixed =
        b->profile == PROFILE_ALL && b->env == ENV_CL && build_may(b, NEED_CL_MAX_ERROR);
    bool const may_be = is_mixed || (m->is_main && m->is_decorated && !m->is_illegal);
    tape_name_node(t, NODE_PLAIN);
    bool const is_chosen = tape_take_chance(t, ALL_PERCENT, is_mixed ? ROLE_MODE : ROLE_UNREAD);
    m->is_decorated |= is_mixed && is_chosen;
    bool const has_exact = may_be && m->is_decorated;
    uint64_t const seed = tape_take_u64(t, has_exact ? ROLE_BOUND : ROLE_UNREAD);
    if (!has_exact) {
        return;
    }
    m->exact_seed = seed;
    m->n_exact = (unsigned)(seed % (MOST_EXACT + 1));
    build_set_math_shape(b, MATH_SHAPE_DECORATED);
}

/* Chooses one of the build options that only cases of mathematics have; most have none. Returns whether an option was chosen. */
bool plan_math_options(struct build *b, uint64_t choice)
{
    enum { /* rows of `options` */
        NO_OPTION,
        UNSAFE,
        FAST_RELAXED,
        ROUNDED_DIVIDE,
        N_OPTIONS
    };
    static const char *const options[] = {"", "-cl-unsafe-math-optimizations",
                                          "-cl-fast-relaxed-math",
                                          "-cl-fp32-correctly-rounded-divide-sqrt"};
    bool const may_round = build_may(b, NEED_CL_ROUNDED_DIVIDE);
    uint8_t const weights[N_OPTIONS] = {84, 3, 3, may_round ? 10 : 0};
    unsigned const row = build_pick(weights, N_OPTIONS, choice);
    if (row == NO_OPTION) {
        return false;
    }
    b->modes.build_options = options[row];
    if (row == FAST_RELAXED) { /* NaN and infinities are assumed not to occur */
        b->modes.plain_inputs = true;
    } else if (row == ROUNDED_DIVIDE) {
        needs_add(&b->p.needs, NEED_CL_ROUNDED_DIVIDE);
    }
    build_set_math_shape(b, MATH_SHAPE_OPTIONS);
    return true;
}

/* One instruction in the making. */
struct math_choice {
    const struct math_row *row;
    enum ir_type type; /* of the float arguments, or of the result of a conversion */
    enum ir_type from; /* of what is converted; of an integer argument */
    enum ir_type to;   /* of the result */
    uint32_t n;        /* components of arguments */
    uint32_t n_results;
    uint32_t n_operands;
    bool fits_both; /* is what is converted in the range of i32, signed and unsigned? */
    struct ir_inst *operand[3];
};

/* ---- which one ---- */

static bool is_possible(const struct build *b, const struct math_row *row, enum ir_type type)
{
    const struct op_row *const op = &op_rows[row->op];
    if (!legal_may_op(&b->p, op->number)) {
        return false;
    }
    bool const has_one_width = (b->modes.types & (b->modes.types - 1)) == 0;
    if ((row->form == FORM_CONVERT && has_one_width) ||
        (row->op == OP_core_FmaKHR &&
         !(b->math.has_fma && ir_type_is_float(type) && build_may(b, fma_needs[type - IR_F16])))) {
        return false;
    }
    return (op->types & legal_get_type_bit(type)) && (op->envs >> b->env & 1);
}

/* How often a row is picked. In the few cases that have FmaKHR it comes often. */
static uint64_t weight_of(const struct math_row *row)
{
    enum {
        FMA_TIMES = 4
    };
    return (uint64_t)op_rows[row->op].weight * (row->op == OP_core_FmaKHR ? FMA_TIMES : 1);
}

/* Picks an instruction for that type, by rendezvous hashing: each possible row gets a hash of its opcode and
 * of `choice`, and the highest wins. So a row that is added, or is not possible here, changes no choice but
 * those that it would win. A row of weight 3 has three hashes. Choice 0, the smallest, is the first row. */
static const struct math_row *pick_row(const struct build *b, enum ir_type type, uint64_t choice)
{
    const struct math_row *best = &math_rows[0];
    uint64_t highest = 0;
    if (choice == 0) {
        return best;
    }
    for (size_t i = 0; i < MATH_N; i++) {
        const struct op_row *const op = &op_rows[math_rows[i].op];
        if (!is_possible(b, &math_rows[i], type)) {
            continue;
        }
        for (uint64_t k = 0; k < weight_of(&math_rows[i]); k++) {
            uint64_t const hash = mix(choice ^ mix(op->number + (k << 32)));
            if (hash > highest) {
                highest = hash;
                best = &math_rows[i];
            }
        }
    }
    return best;
}

/* Picks how many components the instruction has, as far as it lets choose: any number, a vector, 1 to 4 for
 * geometry, or 3 (in OpenCL also 4) for a cross product. */
static uint32_t pick_length(const struct build *b, const struct math_row *row, uint64_t choice)
{
    enum {
        LONG = 4 /* of 8 and 16 components: OpenCL alone */
    };
    static const uint8_t any[] = {1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 1, 2, 3, 4, 8, 8, 16, 16};
    static const uint8_t geo[] = {3, 1, 2, 4};
    static const uint8_t vec[] = {3, 4, 2};
    uint64_t const n_any = b->env == ENV_CL ? ARRAY_N(any) : ARRAY_N(any) - LONG;
    switch (row->lengths) {
    case LENGTHS_ANY:
        return any[choice % n_any];
    case LENGTHS_VEC:
        return vec[choice % ARRAY_N(vec)];
    case LENGTHS_GEO:
        return geo[choice % ARRAY_N(geo)];
    case LENGTHS_CROSS:
        return b->env == ENV_CL && field_get(choice, CROSS_LENGTH) ? 4 : 3;
    }
    assert(0 && "math_lengths out of range");
    return 1;
}

/* Another float type of the case. */
static enum ir_type other_type(const struct build *b, enum ir_type type, uint64_t choice)
{
    for (unsigned i = 0; i < 3; i++) {
        unsigned const width = (unsigned)(choice + i) % 3;
        if (build_has_width(b, width) && (enum ir_type)(IR_F16 + width) != type) {
            return (enum ir_type)(IR_F16 + width);
        }
    }
    assert(0 && "a conversion has two types");
    return type;
}

static enum ir_type pick_integer(const struct build *b, enum ir_type type, uint64_t choice)
{
    if (b->env == ENV_VK || type == IR_F16 || field_get(choice, INTEGER_OTHER) == 0) {
        return IR_I32;
    }
    return field_get(choice, INTEGER_LONG) && build_may_type(b, IR_I64) ? IR_I64 : IR_I16;
}

/* Sets in c what follows from the form of its instruction (enum math_form): the types of result (to) and
 * operands (from), the number of components of the result, and the number of operands. `choice` picks a
 * type where there are several. */
static void set_types(const struct build *b, struct math_choice *c, uint64_t choice)
{
    c->to = c->type;
    c->from = c->type;
    c->n_results = c->n;
    c->n_operands = c->row->n_args;
    switch (c->row->form) {
    case FORM_SAME:
    case FORM_OUT_SAME:
    case FORM_OUT_INT:
    case FORM_STRUCT_SAME:
    case FORM_STRUCT_INT:
        break;
    case FORM_SCALAR:
        c->n_results = 1;
        break;
    case FORM_WITH_INT: /* n_args does not count the last operand; `from` is its type */
    case FORM_SCALAR_LAST:
        c->from = c->row->form == FORM_WITH_INT ? IR_I32 : c->from;
        c->n_operands++;
        break;
    case FORM_TO_INT:
        c->to = IR_I32;
        break;
    case FORM_FROM_INT:
    case FORM_NAN_CODE:
        c->from = c->row->form == FORM_FROM_INT ? pick_integer(b, c->type, choice)
                                                : ir_type_as_int(c->type);
        c->n_operands = 1;
        break;
    case FORM_CONVERT:
        c->from = other_type(b, c->type, choice);
        break;
    }
}

static bool is_to_integer(const struct math_choice *c)
{
    return c->row->op == OP_core_ConvertFToS || c->row->op == OP_core_ConvertFToU;
}

/* ---- operands ---- */

/* The range that the first argument is kept in: beyond it Vulkan leaves the result undefined, or without an
 * accuracy that could be judged. */
static enum input_range range_of(enum op_id op)
{
    static const struct {
        enum op_id op;
        enum input_range range;
    } rows[] = {
        {OP_glsl450_Sin,         RANGE_PI          },
        {OP_glsl450_Cos,         RANGE_PI          },
        {OP_glsl450_Tan,         RANGE_PI          },
        {OP_glsl450_Asin,        RANGE_UNIT        },
        {OP_glsl450_Acos,        RANGE_UNIT        },
        {OP_glsl450_Atanh,       RANGE_UNIT        },
        {OP_glsl450_Acosh,       RANGE_FROM_ONE    },
        {OP_glsl450_Pow,         RANGE_NOT_NEGATIVE},
        {OP_glsl450_Log,         RANGE_NOT_NEGATIVE},
        {OP_glsl450_Log2,        RANGE_NOT_NEGATIVE},
        {OP_glsl450_Sqrt,        RANGE_NOT_NEGATIVE},
        {OP_glsl450_InverseSqrt, RANGE_NOT_NEGATIVE}
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == op) {
            return rows[i].range;
        }
    }
    return RANGE_ALL;
}

/* The class of what OpenCL converts to an integer: beyond an i32 any value may come, so most are in
 * range. */
static enum input_class convertible_class(enum op_id op, uint64_t seed, enum input_class usual)
{
    if (field_get(seed, CONVERT_ANY) == 0) {
        return usual;
    }
    if (op == OP_core_ConvertFToU) {
        return INPUT_DISTINCT_POW2;
    }
    /* of the domain: numbers with a fraction, up to the precision of the type */
    return field_get(seed, CONVERT_NORMAL) ? INPUT_DOMAIN : INPUT_SMALL_INT;
}

/* Does the case ask that subnormal numbers of the type are kept, or that they are flushed? */
static bool has_denorm_mode(const struct build *b, enum ir_type type)
{
    return ir_type_is_float(type) && type != IR_BF16 &&
           b->p.mode[build_width(type)].denorm != DENORM_ANY;
}

/* Returns what the arguments of the instruction c are drawn from: all have one class and one seed. In one
 * of 8 cases they leave the range and the class that suit the instruction. */
static struct input input_of(const struct build *b, const struct math_choice *c, uint64_t class,
                             uint64_t seed)
{
    enum {
        SUBNORMAL_OF = 5 /* one in so many inputs is subnormal where a mode is about subnormals */
    };
    enum op_id const op = c->row->op;
    bool const is_usual = field_get(seed, MATH_UNUSUAL) != 0;
    struct input in = {.type = c->row->form == FORM_CONVERT ? c->from : c->type,
                       .class = inputs_pick_class(class, USE_MATH),
                       .seed = seed,
                       .plain = b->modes.plain_inputs,
                       .first = (uint32_t)field_get(seed, MATH_FIRST),
                       .domain = c->row->domain,
                       .has_special = inputs_want_special(seed),
                       .range = is_usual ? range_of(op) : RANGE_ALL};
    if (is_usual && in.domain >= DOMAIN_CLAMP) { /* limits of other classes are seldom in order */
        in.class = INPUT_DOMAIN;
    }
    bool const is_about_subnormals = has_denorm_mode(b, in.type) && mix(seed) % SUBNORMAL_OF == 0;
    if (is_about_subnormals && in.class != INPUT_LITERAL) {
        in.class = in.domain == DOMAIN_PRODUCT ? INPUT_DOMAIN : INPUT_SUBNORMAL;
    }
    if (b->env == ENV_CL && is_to_integer(c)) { /* in Vulkan operand_fit has the last word */
        in.class = convertible_class(op, seed, in.class);
    }
    return in;
}

static enum input_class integer_class(const struct math_choice *c, const struct input *like)
{
    uint64_t const at = field_get(like->seed, MATH_INTEGER);
    if (like->class == INPUT_LITERAL) {
        return INPUT_LITERAL;
    }
    if (c->row->form != FORM_WITH_INT || at == 7) {
        return INPUT_BITS;
    }
    return at < 4 ? INPUT_EQUAL_PAIRS : INPUT_SMALL_INT;
}

/* An i32 beside floats: small for most, so that the result is in range; or the integer itself. */
static struct ir_inst *put_integer(struct build *b, const struct math_choice *c,
                                   const struct input *like, bool is_constant)
{
    struct input const in = {
        .type = c->from, .class = integer_class(c, like), .seed = like->seed, .first = like->first};
    struct ir_inst *const v = is_constant ? ir_const(&b->p, in.type, inputs_get_value(&in, 0))
                                          : operand_load(b, &in, true);
    bool const is_pair = c->row->form == FORM_WITH_INT && in.class == INPUT_EQUAL_PAIRS;
    if (is_pair && !is_constant && field_get(like->seed, MATH_INTEGER_LESS)) {
        return operand_by(b, SpvOpISub, v, 2); /* -2 .. 1 */
    }
    if (c->row->form == FORM_FROM_INT && c->type == IR_F16) { /* in range of it */
        bool const is_signed = c->row->op == OP_core_ConvertSToF;
        return operand_by(b, is_signed ? SpvOpShiftRightArithmetic : SpvOpShiftRightLogical, v, 17);
    }
    return v;
}

/* Kinds of an argument, of 100: loaded, a constant, an earlier result, computed. */
enum {
    LOADED_BELOW = 62,
    CONST_BELOW = 76,
    EARLIER_BELOW = 90,
    A_CONSTANT = LOADED_BELOW /* the first kind that is one */
};

static bool is_constant_kind(uint64_t kind)
{
    return field_get(kind, PERCENT) >= LOADED_BELOW && field_get(kind, PERCENT) < CONST_BELOW;
}

/* The encoding that a constant argument of that kind has. */
static uint64_t constant_bits(struct build *b, const struct input *in, uint64_t kind)
{
    build_set_math_shape(b, MATH_SHAPE_CONST_OPERAND);
    return inputs_get_value(in, (uint32_t)field_get(kind, MATH_CONSTANT));
}

/* Puts one component of one float argument, by the percentage of `kind`: a constant, an earlier result, a
 * computed value, or a loaded number. The judge knows the bits of each: earlier and computed values are
 * stored. The rest of `kind` chooses the constant or the earlier result. */
static struct ir_inst *put_float(struct build *b, struct tape *t, const struct input *in,
                                 uint64_t kind)
{
    enum value_origin origin = NOT_RESULT;
    struct ir_inst *v = NULL;
    uint64_t const percent = field_get(kind, PERCENT);
    if (is_constant_kind(kind)) {
        return ir_const(&b->p, in->type, constant_bits(b, in, kind));
    }
    /* as for an operand of a contended atomic, the exact value must be known to whoever judges the result */
    if (percent >= CONST_BELOW && operand_may_compute(b, USE_CONTENDED)) {
        if (percent < EARLIER_BELOW) {
            v = operand_find(b, in->type, field_rest(kind, MATH_EARLIER), &origin);
        } else {
            struct tape computed = tape_fork(t);
            /* depth 1: an operand's operand. Of an empty node all operands would be one constant, which hides what is wrong. */
            v = computed.n_records > 0 ? operand_computed(b, &computed, in->type, 1) : NULL;
        }
    }
    /* nothing may be computed, there is no earlier result or no node, or `kind` wants a loaded number */
    if (!v) {
        build_set_math_shape(b, MATH_SHAPE_LOADED);
        return operand_load(b, in, true);
    }
    build_set_math_shape(b, MATH_SHAPE_COMPUTED);
    operand_probe_unless_known(b, v);
    return v;
}

static enum whole whole_of(const struct math_choice *c)
{
    if (c->fits_both) {
        return WHOLE_BOTH;
    }
    return c->row->op == OP_core_ConvertFToS ? WHOLE_SIGNED : WHOLE_UNSIGNED;
}

/* One component of what is converted to an integer in Vulkan. It is in range by the instructions that make
 * it; computed results are none of its sources, as some of them are undefined. */
static struct ir_inst *put_fitting(struct build *b, const struct math_choice *c,
                                   const struct input *in, uint64_t kind)
{
    enum whole const to = whole_of(c);
    uint64_t const choice = mix(in->seed);
    if (is_constant_kind(kind)) {
        uint64_t const enc = constant_bits(b, in, kind);
        return ir_const(&b->p, in->type, operand_fit_number(in->type, enc, to, choice));
    }
    struct ir_inst *const v = operand_fit(b, operand_load_bits(b, in, true), in->type, to,
                                          operand_whole_bits(to), choice);
    if (field_get(kind, PERCENT) < CONST_BELOW || !operand_may_compute(b, USE_CONTENDED)) {
        build_set_math_shape(b, MATH_SHAPE_LOADED);
        return v;
    }
    struct ir_inst *const scaled = operand_scale_down(b, v, to, field_rest(kind, MATH_EARLIER));
    build_set_math_shape(b, MATH_SHAPE_COMPUTED);
    operand_probe(b, scaled);
    return scaled;
}

static bool is_integer_operand(const struct math_choice *c, uint32_t at)
{
    enum math_form const form = c->row->form;
    return form == FORM_FROM_INT || form == FORM_NAN_CODE ||
           (form == FORM_WITH_INT && at == c->row->n_args);
}

static uint32_t components_of(const struct math_choice *c, uint32_t at)
{
    return c->row->form == FORM_SCALAR_LAST && at == c->row->n_args ? 1 : c->n;
}

/* Decisions of the node of the arguments: class, seed, is all constant, then a kind for each argument. Where
 * the arguments are literal, the seed is the bits of the first; those of the second and third are the last
 * records. */
enum {
    ARGUMENT_SEED = 1,
    ARGUMENT_BITS = 6
};

/* The seed of component i of the argument that `in` is for. Literal arguments are their bits; those
 * of a domain share a seed, as they are made together; others have each their own. */
static uint64_t seed_of(const struct input *in, uint64_t seed, const uint64_t *bits, uint32_t i)
{
    uint64_t const own = seed + i * UINT64_C(0xa0761d6478bd642f);
    if (in->class == INPUT_LITERAL) {
        return bits[in->argument];
    }
    return in->class == INPUT_DOMAIN ? own : own ^ mix(in->argument);
}

/* The bits of literal arguments from the second on. Class and seed are drawn from t. */
static void take_literals(const struct tape *t, struct math_choice const *c, uint64_t *bits)
{
    struct tape late = *t;
    tape_skip(&late, ARGUMENT_BITS - ARGUMENT_SEED - 1);
    for (uint32_t k = 1; k < c->n_operands; k++) {
        bits[k] = tape_take_u64(&late, ROLE_SEED);
    }
}

/* One component of the argument that `in` is for. */
static struct ir_inst *put_component(struct build *b, struct tape *t, const struct math_choice *c,
                                     const struct input *in, uint64_t kind, uint32_t i)
{
    if (is_integer_operand(c, in->argument)) {
        return put_integer(b, c, in, is_constant_kind(kind));
    }
    /* in Vulkan, a conversion that is out of range leaves the whole program undefined (S 3.3.11) */
    if (b->env == ENV_VK && is_to_integer(c)) {
        return put_fitting(b, c, in, kind + 100 * i);
    }
    return put_float(b, t, in, kind + 100 * i);
}

/* May both operands be one value, as in x / x, which compilers fold? Of inputs that are drawn, for some seeds. */
static bool may_be_of_one_value(const struct math_choice *c, enum input_class class, uint64_t seed)
{
    enum {
        ONE_IN = 24
    };
    return c->n_operands == 2 && class != INPUT_LITERAL && mix(seed) % ONE_IN == 0;
}

static bool is_of_one_value(const struct math_choice *c, enum input_class class, uint64_t seed)
{
    return may_be_of_one_value(c, class, seed) && c->operand[0]->type == c->operand[1]->type &&
           c->operand[0]->n_results == c->operand[1]->n_results;
}

/* Puts the operands of the instruction c. They share class and seed; each has a kind, which says whether
 * its components are loaded, constants, earlier results or computed. Two nodes are read: `shared` has the
 * decisions of all operands in fixed order; each computed component takes a child of t. So a computed
 * component that appears or disappears moves no decision. */
static void put_operands(struct build *b, struct tape *t, struct math_choice *c)
{
    enum {
        ALL_CONSTANT_PERCENT = 4
    };
    struct tape shared = tape_fork(t);
    tape_name_node(&shared, NODE_PLAIN);
    uint64_t const class = tape_take_u64(&shared, ROLE_CLASS);
    uint64_t const seed = tape_take_u64(&shared, ROLE_SEED);
    struct input in = input_of(b, c, class, seed);
    in.has_special |=
        may_be_of_one_value(c, in.class, seed); /* the quotient of two infinities is no 1 */
    /* the encodings of literal arguments, of which the first is the seed; other classes do not use them */
    uint64_t bits[3] = {seed}; /* as many as an instruction has arguments at most */
    if (in.class == INPUT_LITERAL) {
        take_literals(&shared, c, bits);
    }
    bool const all_constant = tape_take_chance(&shared, ALL_CONSTANT_PERCENT, ROLE_FORM);
    for (uint32_t k = 0; k < c->n_operands; k++) {
        struct ir_inst *part[IR_MAX_VECTOR];
        uint32_t const n = components_of(c, k);
        uint64_t const kind =
            all_constant ? (uint64_t)A_CONSTANT : tape_take_u64(&shared, ROLE_STATEMENT);
        in.argument = k;
        in.range = k == 0 ? in.range : RANGE_ALL; /* range_of is about the first argument */
        for (uint32_t i = 0; i < n; i++) {
            in.seed = seed_of(&in, seed, bits, i);
            part[i] = put_component(b, t, c, &in, kind, i);
        }
        /* tells whoever changes tapes which decision became this input */
        operand_note_input(&shared, k == 0 ? ARGUMENT_SEED : ARGUMENT_BITS + k - 1, &in);
        c->operand[k] = operand_vector(b, n, part);
    }
    if (is_of_one_value(c, in.class, seed)) { /* both operands are to be the same id */
        c->operand[1] = c->operand[0];
    }
    build_set_math_shape_if(b, MATH_SHAPE_ALL_CONST, all_constant);
}

/* ---- the instruction, once or more ---- */

/* Decorations of the instruction, and whether it stands in a function of its own. */
struct math_style {
    uint64_t bound; /* choice of one */
    bool is_decorated, function;
    uint64_t digits;
};

/* How a second result comes, and its type. */
static void set_second(const struct math_choice *c, struct ir_math *m)
{
    enum math_form const form = c->row->form;
    m->result = RESULT_ONE;
    if (form == FORM_OUT_SAME || form == FORM_OUT_INT) {
        m->result = RESULT_POINTER;
    } else if (form == FORM_STRUCT_SAME || form == FORM_STRUCT_INT) {
        m->result = RESULT_STRUCT;
    }
    m->second = form == FORM_OUT_INT || form == FORM_STRUCT_INT ? IR_I32 : c->type;
}

/* Fast-math flags: none that leaves only "anything" for most inputs. */
static uint32_t pick_fast_math(uint64_t choice)
{
    static const uint32_t masks[] = {SpvFPFastMathModeNSZMask,
                                     SpvFPFastMathModeAllowRecipMask,
                                     SpvFPFastMathModeNotNaNMask,
                                     SpvFPFastMathModeNotInfMask,
                                     SpvFPFastMathModeNSZMask | SpvFPFastMathModeAllowRecipMask,
                                     SpvFPFastMathModeFastMask};
    return masks[choice % ARRAY_N(masks)];
}

static bool is_conversion(const struct math_choice *c)
{
    uint32_t const op = op_rows[c->row->op].number;
    return op >= SpvOpConvertFToU && op <= SpvOpFConvert;
}

/* A max error on a float result. */
static void put_bound(struct build *b, uint64_t choice, struct ir_math *m)
{
    uint64_t const at = choice % MATH_BOUND_N;
    m->is_decorated = true;
    m->max_error = math_bounds[at];
    b->info.bounds |= UINT64_C(1) << at;
    b->info.n_decorated++;
    needs_add_if(&b->p.needs, NEED_CL_MAX_ERROR, !b->math.is_illegal);
}

void math_decorate_exact(struct build *b, uint64_t site, struct ir_math *m)
{
    uint64_t const choice = mix(b->math.exact_seed ^ mix(site));
    if (b->math.exact_seed != 0 && field_get(choice, EXACT_DECORATED)) {
        put_bound(b, field_rest(choice, EXACT_BOUND), m);
    }
}

/* The same of the call of a function that does the instruction. */
static void decorate_call(struct build *b, uint64_t site, struct ir_math *m)
{
    struct ir_math call = {.is_decorated = false};
    math_decorate_exact(b, site, &call);
    m->call_error = call.max_error;
}

static void decorate(struct build *b, const struct math_choice *c, const struct math_style *s,
                     struct ir_math *m)
{
    bool const is_float = ir_type_is_float(c->to);
    bool const is_plain_alone = c->row->op == OP_core_FNegate || c->row->op == OP_core_Dot ||
                                c->row->op == OP_core_VectorTimesScalar;
    bool const may_be_fast = is_float && !is_conversion(c) && !is_plain_alone;
    if (s->is_decorated && is_float) {
        put_bound(b, s->bound, m);
    }
    if (b->math.has_fast_math && may_be_fast && field_get(s->digits, FAST_MATH) == 0) {
        m->fast_math = pick_fast_math(field_rest(s->digits, FAST_MATH_FLAGS));
        build_set_math_shape(b, MATH_SHAPE_FAST_MATH);
    }
    if (b->math.has_rounding && is_conversion(c) && !field_is_last(s->digits, ROUNDED_NOT)) {
        m->rounding = 1 + (uint32_t)field_get(s->digits, ROUNDED_MODE);
        build_set_math_shape(b, MATH_SHAPE_ROUNDING);
    }
}

/* Results that may be used again; only where what they were is known from their probes. */
static void probe_all(struct build *b, struct ir_inst *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct ir_inst *const one = n == 1 ? v : operand_part(b, v, i);
        operand_probe(b, one);
        if (ir_type_is_float(one->type) && operand_may_compute(b, USE_CONTENDED)) {
            operand_remember(b, one, NOT_RESULT, 1);
        }
    }
}

/* What v stored through its pointer: a load, which may be decorated. */
static void put_second(struct build *b, struct ir_inst *v, uint64_t site, uint32_t n)
{
    struct ir_inst *const second = ir_second(&b->p, b->flow.block, v);
    if (ir_type_is_float(second->type)) {
        math_decorate_exact(b, site, &second->math);
    }
    probe_all(b, second, n);
}

static struct ir_inst *member(struct build *b, struct ir_inst *v, uint32_t at)
{
    struct ir_inst *const one = operand_part(b, v, at);
    one->type = at == 0 ? v->type : v->math.second;
    one->n_results = v->n_results;
    return one;
}

/* Puts the instruction c on its operands once, with the decorations that s says, and stores all of its
 * results: one, a second one through a pointer, or the two members of a struct. */
static void put_once(struct build *b, const struct math_choice *c, const struct math_style *s)
{
    struct ir_inst *const v = ir_plain(&b->p, b->flow.block, op_rows[c->row->op].number, c->to,
                                       c->operand[0], c->operand[1]);
    v->arg[2] = c->operand[2];
    v->n_results = c->n_results;
    legal_add_op_needs(&b->p, op_rows[c->row->op].number);
    set_second(c, &v->math);
    /* the pointer is to a variable of the entry function, which no other function knows */
    bool const is_struct =
        v->math.result == RESULT_STRUCT; /* which no function of GLSL gives back */
    v->math.function =
        s->function && v->math.result != RESULT_POINTER && (!is_struct || legal_may_module(&b->p));
    if (v->math.function && is_struct) {
        legal_need_module(&b->p);
    }
    decorate(b, c, s, &v->math);
    b->info.n_math++;
    b->info.n_to_integer += is_to_integer(c) ? 1 : 0;
    if (v->math.function) {
        build_set_math_shape(b, MATH_SHAPE_FUNCTION);
        if (v->math.result == RESULT_ONE && ir_type_is_float(v->type)) {
            decorate_call(b, s->digits, &v->math);
        }
    }
    switch (v->math.result) {
    case RESULT_ONE:
        probe_all(b, v, c->n_results);
        return;
    case RESULT_POINTER:
        probe_all(b, v, c->n_results);
        put_second(b, v, s->digits, c->n_results);
        return;
    case RESULT_STRUCT:
        probe_all(b, member(b, v, 0), c->n_results);
        probe_all(b, member(b, v, 1), c->n_results);
        return;
    }
    assert(0 && "ir_result out of range");
}

/* Puts the same instruction on the same operands once more: with another bound; or in a function, decorated
 * if the first was not and undecorated if it was. A compiler must not take the two for one. */
static void put_again(struct build *b, const struct math_choice *c, struct math_style *s)
{
    bool const was_function = s->function;
    bool const has_other_bound = field_get(s->digits, AGAIN_IN_FUNCTION) < 2;
    build_set_math_shape(b, MATH_SHAPE_AGAIN);
    if (has_other_bound) {
        uint64_t const further = 1 + field_below(s->digits, AGAIN_BOUND, MATH_BOUND_N - 1);
        s->bound = s->bound % MATH_BOUND_N + further; /* never round to the same one */
        s->is_decorated = b->math.is_decorated;
    } else {
        s->is_decorated = b->math.is_decorated && !s->is_decorated;
        s->function = true;
    }
    put_once(b, c, s);
    if (!b->math.is_decorated || !ir_type_is_float(c->to)) {
        return;
    }
    if (has_other_bound) {
        build_set_math_shape(b, MATH_SHAPE_TWO_BOUNDS);
    } else if (was_function) {
        build_set_math_shape(b, MATH_SHAPE_ONE_FUNCTION);
    }
}

/* The conversion to the integer of the other sign, of the same operand. */
static void put_other_sign(struct build *b, struct math_choice *c, const struct math_style *s)
{
    enum op_id const other =
        c->row->op == OP_core_ConvertFToS ? OP_core_ConvertFToU : OP_core_ConvertFToS;
    for (size_t i = 0; i < MATH_N; i++) {
        if (math_rows[i].op == other) {
            c->row = &math_rows[i];
            put_once(b, c, s);
            return;
        }
    }
}

/* Notes for the statistics which shapes the instruction has. */
static void set_shapes(struct build *b, const struct math_choice *c)
{
    static const enum math_shape lengths[IR_MAX_VECTOR + 1] = {
        [1] = MATH_SHAPE_SCALAR,   [2] = MATH_SHAPE_VECTOR_2, [3] = MATH_SHAPE_VECTOR_3,
        [4] = MATH_SHAPE_VECTOR_4, [8] = MATH_SHAPE_VECTOR_8, [16] = MATH_SHAPE_VECTOR_16};
    uint32_t const op = c->row->op;
    build_set_math_shape(b, (enum math_shape)(MATH_SHAPE_F16 + (c->type - IR_F16)));
    build_set_math_shape(b, lengths[c->n]);
    build_set_math_shape(b, op_rows[op].number >> 16 ? MATH_SHAPE_EXTENDED : MATH_SHAPE_PLAIN);
    build_set_math_shape_if(b, MATH_SHAPE_CONVERSION, is_conversion(c));
    build_set_math_shape_if(b, MATH_SHAPE_SECOND, c->row->form >= FORM_OUT_SAME);
    if (b->flow.depth > 0) {
        build_set_math_shape(b, b->flow.iteration ? MATH_SHAPE_LOOP : MATH_SHAPE_BRANCH);
    }
    build_set_math_shape_if(b, MATH_SHAPE_CONTRACTION, !operand_may_compute(b, USE_CONTENDED));
    build_set_math_shape_if(b, MATH_SHAPE_OPTIONS, b->modes.build_options[0]);
    b->info.math_rows[op / 64] |= UINT64_C(1) << op % 64;
}

/* Which instruction, on which types and how many components. */
static struct math_choice pick_instruction(struct build *b, struct tape *t)
{
    struct math_choice c = {.type = operand_pick_type(b, tape_take_u64(t, ROLE_TYPE))};
    c.row = pick_row(b, c.type, tape_take_u64(t, ROLE_OPERATION));
    c.n = pick_length(b, c.row, tape_take_u64(t, ROLE_SIZE));
    return c;
}

static void add_fma_need(struct build *b, const struct math_choice *c)
{
    if (c->row->op == OP_core_FmaKHR) {
        needs_add(&b->p.needs, fma_needs[c->type - IR_F16]);
    }
}

/* Puts one statement of mathematics from node t: an instruction on drawn operands. It may be put once more
 * with other decorations (put_again), and a conversion to an integer once more to the integer of the other
 * sign (put_other_sign). set_types, decorate, put_again and fits_both all read s.digits, each other fields,
 * some of which overlap. */
void math_put(struct build *b, struct tape *t)
{
    enum {
        DECORATED_PERCENT = 75,
        FUNCTION_FROM = 75, /* percentages from which on it stands in a function, or comes again */
        AGAIN_FROM = 70,
        MANY_NUMBERS = 8,   /* components of all operands */
        MANY_ITERATIONS = 4 /* each of which has rows of inputs of its own */
    };
    enum tape_role const bound = b->math.is_decorated ? ROLE_BOUND : ROLE_UNREAD;
    tape_name_node(t, NODE_MATH);
    tape_skip(t, 1); /* the statement's kind */
    struct math_choice c = pick_instruction(b, t);
    struct math_style s = {.bound = tape_take_u64(t, bound)};
    s.digits = tape_take_u64(t, ROLE_FORM);
    s.is_decorated = tape_take_chance(t, DECORATED_PERCENT, bound) && b->math.is_decorated;
    uint64_t const how = tape_take_u64(t, ROLE_FORM);
    s.function = field_get(how, PERCENT) >= FUNCTION_FROM;
    bool const is_again = field_get(how, MATH_AGAIN) >= AGAIN_FROM;
    set_types(b, &c, field_rest(s.digits, MATH_TYPES));
    bool const needs_many_rows =
        c.n * c.n_operands > MANY_NUMBERS && b->flow.n_iterations > MANY_ITERATIONS;
    if (needs_many_rows && c.row->lengths == LENGTHS_ANY) { /* shorter vectors take fewer rows */
        c.n = 2;
        c.n_results = 2;
    }
    legal_add_type_needs(&b->p, c.type);
    legal_add_type_needs(&b->p, c.from);
    add_fma_need(b, &c);
    b->progress.n_built += 1 + c.n_operands;
    /* the inputs are then kept in the range of both integers */
    c.fits_both = b->env == ENV_VK && is_to_integer(&c) && field_get(s.digits, MATH_BOTH) == 0;
    put_operands(b, t, &c);
    set_shapes(b, &c);
    put_once(b, &c, &s);
    if (is_again) {
        put_again(b, &c, &s);
    }
    if (c.fits_both) {
        put_other_sign(b, &c, &s);
    }
    build_forget_present(b);
}

bool math_may_put(const struct build *b, const struct math_row *row, enum ir_type type)
{
    return build_has_width(b, build_width(type)) && is_possible(b, row, type);
}

/* Puts the instruction of that row on that type, on operands that are loaded or constants, and stores its
 * results; `seed` gives all the rest. put_operands reads its decisions from the first child of a tape, so a
 * tape is made here: a head, the length of the child, then class, seed and kinds, as ARGUMENT_SEED and its neighbours say. */
void math_put_row(struct build *b, const struct math_row *row, enum ir_type type, uint64_t seed)
{
    enum {
        N_RECORDS = 8,                 /* of the node */
        AT_LENGTH = TAPE_HEAD_RECORDS, /* the first child begins there, with its length */
        AT_CLASS,
        AT_SEED,
        AT_KINDS = AT_SEED + 2, /* behind "is all constant", which stays 0 */
        N_KINDS = 3
    };
    /* pick_length by 0: the usual length of the row; mix(seed + ..) gives each decision a number of its own */
    struct math_choice c = {.row = row, .type = type, .n = pick_length(b, row, 0)};
    struct math_style const s = {.digits = mix(seed + 1)};
    unsigned char data[TAPE_RECORD_BYTES * (AT_LENGTH + 1 + N_RECORDS)] = {0};
    store_le(data + (size_t)TAPE_RECORD_BYTES * AT_LENGTH, N_RECORDS, TAPE_RECORD_BYTES);
    store_le(data + (size_t)TAPE_RECORD_BYTES * AT_CLASS, mix(seed + 2) % INPUT_LITERAL_CHOICE,
             TAPE_RECORD_BYTES);
    store_le(data + (size_t)TAPE_RECORD_BYTES * AT_SEED, mix(seed + 3), TAPE_RECORD_BYTES);
    for (uint32_t k = 0; k < N_KINDS; k++) {
        uint64_t const kind = field_get(mix(seed + 4 + k), SWEPT_CONSTANT) == 0 ? A_CONSTANT : 0;
        store_le(data + (size_t)TAPE_RECORD_BYTES * (AT_KINDS + k), kind, TAPE_RECORD_BYTES);
    }
    struct tape t = {.data = data, .n_records = AT_LENGTH + 1 + N_RECORDS};
    set_types(b, &c, field_rest(s.digits, MATH_TYPES));
    legal_add_type_needs(&b->p, c.type);
    legal_add_type_needs(&b->p, c.from);
    add_fma_need(b, &c);
    b->progress.n_built += 1 + c.n_operands;
    put_operands(b, &t, &c);
    put_once(b, &c, &s);
}

void math_put_block(struct build *b, struct tape *t)
{
    uint32_t const most = b->has_pieces ? 1 : GRAMMAR_MAX_STATEMENTS; /* pieces are the case's */
    for (uint32_t i = 0; i < most && tape_has_child(t); i++) {
        struct tape one = tape_fork(t);
        tape_name_node(&one, NODE_MATH);
        if (b->progress.n_built < BUILD_MAX_INSTRUCTIONS && b->p.ok) {
            math_put(b, &one);
        }
    }
}

static struct ir_inst *put_test(struct build *b, uint64_t choice)
{
    return condition_compare(b, SpvOpULessThan, b->p.lid, 1 + (uint32_t)(choice % 7));
}

/* One of two inputs of n components, by the invocation's index: by OpSelect, of a vector for each component by a test of its
 * own, or by a branch and its OpPhi. */
static struct ir_inst *put_chosen(struct build *b, struct ir_inst *x, struct ir_inst *y, uint32_t n,
                                  bool wants_branch, uint64_t choice)
{
    bool const by_branch = wants_branch || (n > 1 && b->env == ENV_CL && !legal_may_module(&b->p));
    struct ir_inst *test[IR_MAX_VECTOR] = {put_test(b, choice)};
    struct ir_inst *v;
    if (by_branch) {
        struct ir_inst *const branch = ir_if(&b->p, b->flow.block, test[0]);
        v = ir_phi(&b->p, branch, x->type, x, y);
    } else {
        for (uint32_t c = 1; c < n; c++) {
            test[c] = put_test(b, choice / 7 + c);
        }
        needs_add_if(&b->p.needs, NEED_CL_MODULE, b->env == ENV_CL && n > 1);
        v = ir_plain(&b->p, b->flow.block, SpvOpSelect, x->type, operand_vector(b, n, test), x);
        v->arg[2] = y;
    }
    v->n_results = n;
    return v;
}

/* n inputs as a vector, for n of 1 one. */
static struct ir_inst *put_inputs(struct build *b, const struct input *like, uint32_t n)
{
    struct input in = *like;
    struct ir_inst *part[IR_MAX_VECTOR];
    for (uint32_t c = 0; c < n; c++) {
        part[c] = operand_load(b, &in, true);
        in.seed = mix(in.seed + 1);
    }
    return operand_vector(b, n, part);
}

/* The integer that has the bits of an input. */
static struct ir_inst *put_bits(struct build *b, const struct input *in)
{
    struct ir_inst *const v = operand_load_bits(b, in, true);
    return v->type == in->type ? operand_cast(b, v, ir_type_as_int(in->type)) : v;
}

/* Puts an instruction that only moves its inputs, with a max-error decoration on its result, and stores the
 * result. By `choice` the instruction makes or takes apart a vector, selects one of two vectors,
 * reinterprets bits, or copies the parameter of a function; there the parameter is decorated. */
static void put_moved(struct build *b, const struct input *in, uint64_t choice)
{
    enum { /* from KIND_BITCAST on they are of scalars */
        KIND_COMPOSITE,
        KIND_EXTRACT,
        KIND_SELECT,
        KIND_PHI,
        KIND_BITCAST,
        KIND_PARAMETER,
        N_KINDS
    };
    static const uint8_t lengths[] = {2, 4, 3, 2};
    unsigned const kind = (unsigned)(choice % N_KINDS);
    bool const is_scalar = kind >= KIND_BITCAST;
    uint32_t const n = is_scalar ? 1 : lengths[choice / N_KINDS % ARRAY_N(lengths)];
    struct ir_math bound = {.is_decorated = false};
    struct ir_inst *v = kind == KIND_BITCAST ? put_bits(b, in) : put_inputs(b, in, n);
    b->progress.n_built += n;
    put_bound(b, mix(choice + 1), &bound);
    if (kind == KIND_SELECT || kind == KIND_PHI) {
        struct input other = *in;
        other.seed = mix(choice);
        v = put_chosen(b, v, put_inputs(b, &other, n), n, kind == KIND_PHI, choice / 64);
    } else if (kind == KIND_BITCAST) {
        v = ir_plain(&b->p, b->flow.block, SpvOpBitcast, in->type, v, NULL);
    } else if (kind == KIND_PARAMETER) {
        v = ir_plain(&b->p, b->flow.block, SpvOpCopyObject, in->type, v, NULL);
        v->math.function = true;
        v->math.parameter_error = bound.max_error;
    }
    if (kind == KIND_EXTRACT) { /* of a vector that is not decorated itself */
        v = operand_part(b, v, (uint32_t)field_below(choice, EXTRACT_AT, n));
    }
    if (kind != KIND_PARAMETER) {
        v->math.is_decorated = true;
        v->math.max_error = bound.max_error;
    }
    probe_all(b, v, kind == KIND_EXTRACT ? 1 : n);
}

/* Puts an instruction whose result would be exact without a decoration, on loaded inputs, decorates it with
 * a max error and stores its result. By `choice` it is a selection, a phi, a call of a function, the load
 * of a second result, or an instruction that only moves its inputs (put_moved). */
static void put_exact(struct build *b, uint64_t choice)
{
    enum {
        KIND_SELECT,
        KIND_PHI,
        KIND_CALL,
        KIND_SECOND,
        N_KINDS
    };
    unsigned const kind = choice % N_KINDS;
    struct input in = {.type = operand_pick_type(b, choice / N_KINDS),
                       .class = inputs_pick_class(mix(choice), USE_MATH),
                       .seed = choice,
                       .plain = b->modes.plain_inputs};
    uint64_t const form = mix(choice + 2);
    legal_add_type_needs(&b->p, in.type);
    b->progress.n_built += 2;
    if (field_get(form, MOVED)) {
        put_moved(b, &in, field_rest(form, MOVED_KIND));
        return;
    }
    struct ir_inst *const x = operand_load(b, &in, true);
    struct ir_inst *v = NULL;
    if (kind == KIND_SELECT || kind == KIND_PHI) {
        in.seed = mix(choice);
        struct ir_inst *const y = operand_load(b, &in, true);
        v = put_chosen(b, x, y, 1, kind == KIND_PHI, choice / 64);
        put_bound(b, mix(choice + 1), &v->math);
    } else if (kind == KIND_CALL) {
        struct ir_math bound = {.is_decorated = false};
        v = operand_plain(b, SpvOpFNegate, in.type, x, NULL);
        v->math.function = true;
        put_bound(b, mix(choice + 1), &bound);
        v->math.call_error = bound.max_error;
    } else { /* KIND_SECOND: the whole part, which fract stores */
        v = operand_plain(b, op_rows[OP_opencl_std_fract].number, in.type, x, NULL);
        v->math.result = RESULT_POINTER;
        v->math.second = in.type;
        operand_probe(b, v);
        v = ir_second(&b->p, b->flow.block, v);
        put_bound(b, mix(choice + 1), &v->math);
    }
    operand_probe(b, v);
}

/* Puts a reduction or scan of floats over the work-group, or a broadcast, with a max-error decoration, and
 * stores its result. `choice` gives the operation, the type and the inputs. */
static void put_reduction(struct build *b, uint64_t choice)
{
    /* of equal chance: minima and maxima, which are exact, come twice, and so do broadcasts */
    static const enum op_id ops[] = {
        OP_core_GroupFMin, OP_core_GroupFMax,    OP_core_GroupFMin,      OP_core_GroupFMax,
        OP_core_GroupFAdd, OP_core_GroupFMulKHR, OP_core_GroupBroadcast, OP_core_GroupBroadcast};
    static const uint32_t operations[] = {SpvGroupOperationReduce, SpvGroupOperationInclusiveScan,
                                          SpvGroupOperationExclusiveScan};
    uint64_t const form = mix(choice);
    enum op_id drawn = ops[field_get(form, REDUCTION_OP)];
    drawn = drawn == OP_core_GroupFMulKHR && !build_may(b, NEED_CL_UNIFORM_ARITH)
                ? OP_core_GroupFAdd
                : drawn;
    enum op_id const op = drawn;
    bool const is_move = op == OP_core_GroupBroadcast;
    bool const is_sum = op == OP_core_GroupFAdd || op == OP_core_GroupFMulKHR;
    struct input const in = {.type = operand_pick_type(b, choice),
                             .class = inputs_pick_class(mix(form), is_sum ? USE_SUM : USE_GROUP),
                             .seed = choice,
                             .plain = b->modes.plain_inputs};
    struct ir_group const x = {
        .op = op,
        .scope = SpvScopeWorkgroup,
        .operation =
            is_move ? (uint32_t)IR_NO_OPERATION : operations[field_get(form, REDUCTION_OPERATION)],
        .second = is_move ? operand_i32(b, (uint32_t)field_below(form, REDUCTION_FROM,
                                                                 b->dispatch.min_local))
                          : NULL,
        .type = in.type,
        .n = 1,
        .value = {operand_load(b, &in, true)},
        .function = field_get(form, REDUCTION_FUNCTION) == 0};
    legal_add_group_needs(&b->p, &x, in.type);
    struct ir_inst *const v = ir_group(&b->p, b->flow.block, &x, in.type, 1);
    put_bound(b, mix(form + 1), &v->math);
    b->progress.n_built++;
    operand_probe(b, v);
}

void math_put_exact(struct build *b)
{
    for (unsigned i = 0; i < b->math.n_exact && b->p.ok; i++) {
        put_exact(b, mix(b->math.exact_seed + i));
    }
    uint64_t const group = mix(b->math.exact_seed ^ UINT64_C(0x67726f7570)); /* in few cases */
    if (b->math.is_main && b->math.exact_seed != 0 && field_get(group, REDUCTION) == 0 &&
        build_may(b, NEED_CL_WG_COLLECTIVES) && build_is_full(b) && b->p.ok) {
        put_reduction(b, field_rest(group, REDUCTION_FORM));
    }
}

/* An accumulator: half of them are so close to the largest or least number that the sum may saturate. */
static struct ir_inst *put_accumulator(struct build *b, enum op_id op, uint64_t seed)
{
    struct ir_inst *const v = operand_random(b, mix(seed), true);
    if (field_get(seed, DOT_ANY)) {
        return v;
    }
    if (op == OP_core_UDotAccSat) {
        return operand_by(b, SpvOpBitwiseOr, v, 0xffff0000);
    }
    return field_get(seed, DOT_HIGH)
               ? operand_by(b, SpvOpBitwiseOr, operand_by(b, SpvOpShiftRightLogical, v, 1),
                            0x7fff0000)
               : operand_by(b, SpvOpBitwiseOr, operand_by(b, SpvOpShiftRightLogical, v, 16),
                            0x80000000);
}

/* What the factors are, by what the case may have. Of words of 32 bits there is no sum that saturates: beyond a sum of products of the result's
 * width it would be undefined, and so it would be for most. */
static enum ir_dot pick_dot(const struct build *b, bool is_sum, uint64_t choice)
{
    static const uint8_t usual[] = {
        [DOT_PACKED] = 2, [DOT_BYTES] = 1, [DOT_SHORTS] = 1, [DOT_VECTORS] = 1};
    uint8_t weights[ARRAY_N(usual)];
    for (unsigned i = 0; i < ARRAY_N(usual); i++) {
        const struct dot_row *const row = &dot_rows[i];
        bool const may = build_may(b, row->need[b->env]) && build_may_type(b, row->part) &&
                         !(is_sum && i == DOT_VECTORS);
        weights[i] = may ? usual[i] : 0;
    }
    return (enum ir_dot)build_pick(weights, ARRAY_N(weights), choice);
}

static void add_dot_needs(struct build *b, enum ir_dot dot)
{
    needs_add(&b->p.needs, dot_needs[b->env]);
    needs_add(&b->p.needs, dot_rows[dot].need[b->env]);
    legal_add_type_needs(&b->p, dot_rows[dot].part);
}

static struct ir_inst *put_factor(struct build *b, uint64_t seed, uint32_t n)
{
    struct ir_inst *part[IR_MAX_COMPONENTS];
    for (uint32_t k = 0; k < n; k++) {
        part[k] = operand_random(b, mix(seed + k), true);
    }
    return operand_vector(b, n, part);
}

void math_put_dots(struct build *b)
{
    static const enum op_id ops[] = {OP_core_SDot,       OP_core_UDot,       OP_core_SUDot,
                                     OP_core_SDotAccSat, OP_core_UDotAccSat, OP_core_SUDotAccSat};
    for (unsigned i = 0; i < b->math.n_dots && b->p.ok; i++) {
        uint64_t const seed = mix(b->math.dot_seed + i);
        enum op_id const op = ops[field_get(seed, DOT_OP)];
        bool const is_sum = op >= OP_core_SDotAccSat;
        enum ir_dot const dot = pick_dot(b, is_sum, mix(seed + 3));
        uint32_t const n = dot == DOT_VECTORS ? 2 + (uint32_t)field_get(seed, DOT_LENGTH) : 1;
        struct ir_inst *const x = put_factor(b, mix(seed + 1), n);
        struct ir_inst *const y = put_factor(b, mix(seed + 2), n);
        struct ir_inst *const acc =
            is_sum ? put_accumulator(b, op, field_rest(seed, DOT_ACCUMULATOR)) : NULL;
        struct ir_inst *const v = operand_plain(b, op_rows[op].number, IR_I32, x, y);
        v->arg[2] = acc;
        v->math.dot = dot;
        b->progress.n_built += 1 + 2 * n;
        add_dot_needs(b, dot);
        operand_probe(b, v);
        build_set_math_shape(b, MATH_SHAPE_INTEGER_DOT);
    }
}

/* gen/piece/numbers.c -- integer instructions of pieces: operands that have a result, the instruction, its probes. */
#include "gen/piece/numbers.h"

#include <assert.h>

#include "base/integer.h"
#include "base/spv.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/math.h"
#include "gen/plan/operand.h"
#include "gen/tape/field.h"
#include "gen/tape/tape.h"

enum {
    B = 1, /* types, from IR_I8 on */
    W = 2,
    D = 4,
    Q = 8
};
const struct number_row number_rows[NUMBER_N] = {
#define NUMBER(set, name, n_args, form, cl, vk, keep)                                              \
    {OP_##set##_##name, n_args, NUMBER_##form, cl, vk, KEEP_##keep},
#include "gen/piece/number.def"
};

/* Results of one piece that the next instructions of it may take. */
enum {
    NUMBERS_KEPT = 12
};
/* Where scalars come from. */
enum number_source {
    NUMBERS_DRAWN,  /* loaded, constants, earlier results of the piece */
    NUMBERS_POOLED, /* the same, but mostly earlier ones */
    NUMBERS_LOADED, /* the same numbers, of all invocations the same: loaded, */
    NUMBERS_PUSHED, /* from memory that nobody writes, push constants if there are any, */
    NUMBERS_CONST,  /* constants of the module, */
    NUMBERS_SPEC    /* or specialization constants, to which mostly the case gives the value */
};
struct numbers {
    enum number_source source;
    struct ir_inst *kept[NUMBERS_KEPT]; /* scalars */
    uint32_t n_kept;
    bool is_scalar; /* no vectors but where the instruction is about them */
};
/* One instruction in the making. */
struct number {
    const struct number_row *row;
    struct numbers *of;
    enum ir_type type; /* of its operands */
    uint32_t n;        /* their components */
    uint64_t seed;
    struct ir_inst *arg[IR_MAX_ARGS];
};

/* Another number for each use of a seed. */
uint64_t numbers_derive(uint64_t seed, uint64_t use)
{
    return hash_bytes(seed, &use, sizeof use);
}

static uint32_t bit_of(enum ir_type type)
{
    return type >= IR_I8 && type <= IR_I64 ? UINT32_C(1) << (type - IR_I8) : 0;
}

/* An integer type of another width that the case may have, by `choice`; where there is none `type` itself. */
static enum ir_type get_other_width(const struct build *b, enum ir_type type, uint64_t choice)
{
    enum ir_type others[IR_TYPE_N] = {type};
    uint32_t n = 0;
    for (enum ir_type t = IR_I8; t <= IR_I64; t++) {
        if (t != type && build_may_type(b, t)) {
            others[n++] = t;
        }
    }
    return n > 0 ? others[choice % n] : type;
}

/* Vectors of bools: OpenCL C has none. */
static bool may_compare_vectors(const struct build *b)
{
    return b->env == ENV_VK || build_may(b, NEED_CL_MODULE);
}

/* Does the row, or what keeps operands away from it, compare them? */
static bool compares(const struct number_row *row)
{
    return row->form == NUMBER_TRUTH || row->form == NUMBER_LOGICAL || row->form == NUMBER_VOTE ||
           (row->keep != KEEP_NONE && row->keep != KEEP_SHIFT && row->keep != KEEP_SIGNED_24 &&
            row->keep != KEEP_UNSIGNED_24 && row->keep != KEEP_HALF_ADDEND);
}

/* May the row be put on that type, IR_I8 to IR_I64, in the case's environment? */
static bool may_put(const struct build *b, const struct number_row *row, enum ir_type type)
{
    bool const is_wider = row->form == NUMBER_UPSAMPLE; /* its result */
    bool const has_other = row->form != NUMBER_WIDTH || get_other_width(b, type, 0) != type;
    return ((b->env == ENV_CL ? row->cl_types : row->vk_types) & bit_of(type)) != 0 &&
           build_may_type(b, type) && has_other && legal_may_op(&b->p, op_rows[row->op].number) &&
           (row->form != NUMBER_VOTE || may_compare_vectors(b)) &&
           (!is_wider || build_may_type(b, (enum ir_type)(type + 1)));
}

/* ---- values ---- */

static uint32_t count(const struct ir_inst *v)
{
    return v->n_results > 1 ? v->n_results : 1;
}

/* op on x and y, component by component. */
static struct ir_inst *put(struct build *b, uint32_t op, enum ir_type type, struct ir_inst *x,
                           struct ir_inst *y)
{
    struct ir_inst *const v = ir_plain(&b->p, b->flow.block, op, type, x, y);
    v->n_results = x->n_results;
    b->progress.n_built++;
    needs_add_if(&b->p.needs, NEED_CL_MODULE,
                 b->env == ENV_CL && type == IR_BOOL && x->n_results > 1);
    return v;
}

static struct ir_inst *put_select(struct build *b, struct ir_inst *test, struct ir_inst *x,
                                  struct ir_inst *y)
{
    struct ir_inst *const v = put(b, SpvOpSelect, x->type, test, x);
    v->arg[2] = y;
    return v;
}

/* The same number n times. */
static struct ir_inst *spread(struct build *b, struct ir_inst *one, uint32_t n)
{
    struct ir_inst *part[IR_MAX_VECTOR];
    for (uint32_t i = 0; i < n; i++) {
        part[i] = one;
    }
    return operand_vector(b, n, part);
}

/* A constant of the type of v, for each component. */
static struct ir_inst *put_like(struct build *b, const struct ir_inst *v, uint64_t bits)
{
    unsigned const n_bits = ir_type_bits(v->type);
    uint64_t const mask = n_bits == 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
    return spread(b, ir_const(&b->p, v->type, bits & mask), count(v));
}

static uint64_t least_of(enum ir_type type)
{
    return UINT64_C(1) << (ir_type_bits(type) - 1);
}

/* What a number is drawn from. */
static struct input input_of(enum ir_type type, uint64_t seed)
{
    static const enum input_class classes[] = {
        INPUT_SMALL_INT, INPUT_BITS, INPUT_BITS, INPUT_NEAR_OVERFLOW, INPUT_DISTINCT_POW2,
        INPUT_BITS,      INPUT_RARE, INPUT_ZERO, INPUT_EQUAL_PAIRS,   INPUT_BITS};
    return (struct input){.type = type,
                          .class = classes[field_get(seed, NUMBER_CLASS)],
                          .seed = numbers_derive(seed, 1),
                          .first = (uint32_t)field_get(seed, NUMBER_FIRST)};
}

/* A byte is the lowest one of a word: what bytes would be loaded by has needs of its own. */
struct ir_inst *numbers_put_loaded(struct build *b, enum ir_type type, uint64_t seed)
{
    struct input const what = input_of(type == IR_I8 ? IR_I32 : type, seed);
    struct ir_inst *const v = operand_load(b, &what, true);
    return v->type == type ? v : put(b, SpvOpUConvert, type, v, NULL);
}

uint64_t numbers_get_hard(enum ir_type type, uint64_t seed)
{
    unsigned const n_bits = ir_type_bits(type);
    uint64_t const mask = n_bits == 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
    uint64_t const power = UINT64_C(1) << numbers_derive(seed, 1) % n_bits;
    uint64_t const hard[] = {power, power - 1, power + 1, 0 - power, 1 - power, least_of(type)};
    return hard[numbers_derive(seed, 2) % ARRAY_N(hard)] & mask;
}

/* An earlier result of that type; NULL: there is none. */
static struct ir_inst *find_kept(const struct numbers *x, enum ir_type type, uint64_t choice)
{
    for (uint32_t i = 0; i < x->n_kept; i++) {
        struct ir_inst *const v = x->kept[(choice + i) % x->n_kept];
        if (v->type == type) {
            return v;
        }
    }
    return NULL;
}

/* The number loaded, the same for all, from memory that nobody writes if `is_pushed` and it can be. A byte is the lowest
 * one of a word. */
static struct ir_inst *put_same(struct build *b, const struct input *what, uint64_t bits,
                                bool is_pushed)
{
    struct input same = {
        .type = what->type == IR_I8 ? IR_I32 : what->type, .class = INPUT_LITERAL, .seed = bits};
    struct ir_inst *const pushed = is_pushed ? operand_load_pushed(b, &same) : NULL;
    struct ir_inst *const v = pushed ? pushed : operand_load(b, &same, true);
    return v->type == what->type ? v : put(b, SpvOpUConvert, what->type, v, NULL);
}

static bool may_specialize(const struct build *b)
{
    return b->env == ENV_VK ? legal_may_module(&b->p) : build_may(b, NEED_CL_SPECIALIZATION);
}

/* A scalar of that type, integer or float, from x->source; neither NUMBERS_DRAWN nor NUMBERS_POOLED. */
static struct ir_inst *put_sourced(struct build *b, const struct numbers *x,
                                   const struct input *what)
{
    enum {
        NO_VALUE_OF = 5 /* one in so many keeps what stands in the module */
    };
    uint64_t const bits = inputs_get_value(what, 0);
    uint64_t const choice = numbers_derive(what->seed, 14);
    if (x->source == NUMBERS_LOADED || x->source == NUMBERS_PUSHED) {
        return put_same(b, what, bits, x->source == NUMBERS_PUSHED);
    }
    if (x->source == NUMBERS_SPEC && may_specialize(b)) {
        bool const has_value = choice % NO_VALUE_OF != 0;
        struct input other = *what;
        other.seed = numbers_derive(what->seed, 15);
        uint64_t const own = has_value ? inputs_get_value(&other, 1) : bits;
        struct ir_inst *const v = ir_spec(&b->p, what->type, own, has_value, bits);
        needs_add_if(&b->p.needs, NEED_CL_SPECIALIZATION, v && b->env == ENV_CL);
        needs_add_if(&b->p.needs, NEED_VK_MODULE, v && b->env == ENV_VK);
        if (v) {
            return v;
        }
    }
    return ir_const(&b->p, what->type, bits);
}

/* Puts one scalar of the type of x, component number `component` of an operand. x->of->source says from
 * where. For NUMBERS_DRAWN and NUMBERS_POOLED `seed` decides: a constant, an earlier result of the piece,
 * or a loaded number. Beyond the first MOST_LOADED components of a long vector nothing is loaded, as each
 * load takes a row of inputs. */
static struct ir_inst *put_scalar(struct build *b, const struct number *x, uint32_t component,
                                  uint64_t seed)
{
    if (x->of->source > NUMBERS_POOLED) { /* the sources after it leave no choice */
        struct input const what = input_of(x->type, seed);
        return put_sourced(b, x->of, &what);
    }
    enum {
        KINDS = 16,
        CONST_BELOW = 4, /* of KINDS */
        KEPT_BELOW = 8,
        POOLED_BELOW = 12,
        HARD_OF = 3,    /* all but one in so many constants are hard */
        MOST_LOADED = 3 /* components of a vector */
    };
    uint64_t const kept_below = x->of->source == NUMBERS_POOLED ? POOLED_BELOW : KEPT_BELOW;
    uint64_t const kind = numbers_derive(seed, 2) % KINDS;
    bool const may_load = component < MOST_LOADED;
    /* a vector's components that may not be loaded are earlier results as far as there are any */
    struct ir_inst *const kept =
        kind < kept_below || !may_load ? find_kept(x->of, x->type, seed) : NULL;
    if (kind >= CONST_BELOW && kept) {
        return kept;
    }
    if (kind < CONST_BELOW || !may_load) {
        struct input const what = input_of(x->type, seed);
        bool const is_hard = numbers_derive(seed, 13) % HARD_OF != 0;
        uint64_t const bits =
            is_hard ? numbers_get_hard(x->type, seed) : inputs_get_value(&what, 0);
        return ir_const(&b->p, x->type, bits);
    }
    return numbers_put_loaded(b, x->type, seed);
}

static struct ir_inst *put_operand(struct build *b, const struct number *x, uint32_t n,
                                   uint64_t seed)
{
    struct ir_inst *part[IR_MAX_VECTOR];
    for (uint32_t i = 0; i < n; i++) {
        part[i] = put_scalar(b, x, i, numbers_derive(seed, 16 + i));
    }
    if (x->of->source == NUMBERS_SPEC && seed % 2 && may_specialize(b)) {
        return ir_spec_vector(&b->p, n, part);
    }
    return operand_vector(b, n, part);
}

/* ---- what is kept away ---- */

/* The number `by` where v has these bits, else v. A constant stays one. */
static struct ir_inst *replace(struct build *b, struct ir_inst *v, uint64_t bits, uint64_t by)
{
    struct ir_inst *const limit = put_like(b, v, bits);
    if (v->kind == IR_CONST) {
        return v->bits == limit->bits ? put_like(b, v, by) : v;
    }
    struct ir_inst *const test = put(b, SpvOpIEqual, IR_BOOL, v, limit);
    struct ir_inst *const other = put_like(b, v, by);
    return put_select(b, test, other, v);
}

/* The bits of v that the mask has. A constant stays one. */
static struct ir_inst *mask_bits(struct build *b, struct ir_inst *v, uint64_t mask)
{
    struct ir_inst *const bits = put_like(b, v, mask);
    return v->kind == IR_CONST ? put_like(b, v, v->bits & mask)
                               : put(b, SpvOpBitwiseAnd, v->type, v, bits);
}

/* No divisor is 0. In half of the cases the divisor is a constant, by which compilers multiply in place of a division. */
static void keep_divisor(struct build *b, struct number *x)
{
    static const uint64_t usual[] = {3, 5, 7, 10, 11, 641, 1000, 0x7fffffff};
    uint64_t const choice = numbers_derive(x->seed, 91);
    uint64_t const mask = least_of(x->type) * 2 - 1;
    uint64_t const any =
        (numbers_derive(x->seed, 92) & mask) >> (choice / 32 % ir_type_bits(x->type));
    uint64_t const by = (choice / 2 % 2 ? usual[choice / 4 % ARRAY_N(usual)] : any) & mask;
    if (x->of->source <= NUMBERS_POOLED && choice % 2) {
        x->arg[1] = put_like(b, x->arg[1], by ? by : 3);
        return;
    }
    x->arg[1] = replace(b, x->arg[1], 0, 3); /* 3 for 0 */
}

/* No divisor is 0; and either none is -1 or no dividend is the least number, by choice. */
static void keep_signed_divisor(struct build *b, struct number *x)
{
    x->arg[1] = replace(b, x->arg[1], 0, 3);
    bool const is_constant = x->arg[1]->kind == IR_CONST;
    uint64_t const minus_one = least_of(x->type) * 2 - 1;
    if (is_constant && x->arg[1]->bits != minus_one) { /* the dividend may be any number */
        return;
    }
    if (!is_constant && field_below(x->seed, NUMBER_DETAIL, 2)) {
        x->arg[1] = replace(b, x->arg[1], UINT64_MAX, 5);
    } else {
        x->arg[0] = replace(b, x->arg[0], least_of(x->type), least_of(x->type) + 1);
    }
}

static void clear_sign(struct build *b, struct number *x, uint32_t at)
{
    x->arg[at] = mask_bits(b, x->arg[at], least_of(x->type) - 1);
}

/* Vulkan knows no remainder of negative operands but with a feature, which a few cases need. */
static void keep_remainder(struct build *b, struct number *x)
{
    enum {
        NEGATIVE_OF = 4 /* one in so many */
    };
    bool const is_negative = b->env == ENV_CL || (numbers_derive(x->seed, 90) % NEGATIVE_OF == 0 &&
                                                  build_may(b, NEED_VK_NEGATIVE_REMAINDER));
    if (!is_negative) {
        clear_sign(b, x, 0);
        clear_sign(b, x, 1);
        x->arg[1] = replace(b, x->arg[1], 0, 3);
        return;
    }
    needs_add_if(&b->p.needs, NEED_VK_NEGATIVE_REMAINDER, b->env == ENV_VK);
    keep_signed_divisor(b, x);
}

/* Limits are made the lesser and the greater of two. */
static void order_limits(struct build *b, struct number *x, uint32_t less)
{
    struct ir_inst *const low = x->arg[1], *const high = x->arg[2];
    struct ir_inst *const test = put(b, less, IR_BOOL, low, high);
    x->arg[1] = put_select(b, test, low, high);
    x->arg[2] = put_select(b, test, high, low);
}

/* Shifts operand number `at` of x right by so many bits, with copies of the sign if is_signed. A constant stays one. */
static void shift_down(struct build *b, struct number *x, uint32_t at, bool is_signed, unsigned by)
{
    uint32_t const op = is_signed ? SpvOpShiftRightArithmetic : SpvOpShiftRightLogical;
    struct ir_inst *const v = x->arg[at], *const by_bits = put_like(b, v, by);
    unsigned const n_bits = ir_type_bits(x->type);
    uint64_t const args[INTEGER_MAX_ARGS] = {v->bits, by};
    uint64_t out[2];
    bool const is_known =
        v->kind == IR_CONST && integer_apply(op, n_bits, n_bits, args, out) == INTEGER_GIVES;
    x->arg[at] = is_known ? put_like(b, v, out[0]) : put(b, op, x->type, v, by_bits);
}

/* Factors of 24 and 8 bits or of 16 each, an addend of 30. */
static void keep_24(struct build *b, struct number *x, bool is_signed)
{
    enum {
        BITS_OF_FIRST = 32 - 24
    };
    static const uint8_t down[][2] = {
        {BITS_OF_FIRST, 24           },
        {24,            BITS_OF_FIRST},
        {17,            16           }
    };
    const uint8_t *const by = down[field_below(x->seed, NUMBER_DETAIL, ARRAY_N(down))];
    shift_down(b, x, 0, is_signed, by[0]);
    shift_down(b, x, 1, is_signed, by[1]);
    if (x->arg[2]) {
        shift_down(b, x, 2, is_signed, 2);
    }
}

/* Changes the operands of x so that the instruction has a defined result that the documents agree on: each
 * case of row->keep (enum number_keep) replaces what is not allowed, such as a divisor of 0 or a shift by
 * all bits or more. */
static void keep_away(struct build *b, struct number *x)
{
    switch (x->row->keep) {
    case KEEP_NONE:
        return;
    case KEEP_DIVISOR:
        keep_divisor(b, x);
        return;
    case KEEP_SIGNED_DIVISOR:
        keep_signed_divisor(b, x);
        return;
    case KEEP_REMAINDER:
        keep_remainder(b, x);
        return;
    case KEEP_SHIFT:
        x->arg[1] = mask_bits(b, x->arg[1], ir_type_bits(x->type) - 1);
        return;
    case KEEP_SIGNED_24:
    case KEEP_UNSIGNED_24:
        keep_24(b, x, x->row->keep == KEEP_SIGNED_24);
        return;
    case KEEP_ORDER:
    case KEEP_SIGNED_ORDER:
        order_limits(b, x, x->row->keep == KEEP_ORDER ? SpvOpULessThan : SpvOpSLessThan);
        return;
    case KEEP_HALF_ADDEND: /* the third operand, signed, by one bit */
        shift_down(b, x, 2, true, 1);
        return;
    case KEEP_NOT_LEAST: /* any other number will do */
        x->arg[0] = replace(b, x->arg[0], least_of(x->type), least_of(x->type) + 2);
        return;
    }
    assert(0 && "number_keep out of range");
}

/* ---- probes ---- */

static void keep_value(struct numbers *x, struct ir_inst *v)
{
    x->kept[x->n_kept < NUMBERS_KEPT ? x->n_kept++ : (v->op + x->n_kept) % NUMBERS_KEPT] = v;
}

/* Stores each component of v, a vector or a scalar; a byte as a word, a bool as one of two constants. */
static void probe(struct build *b, struct numbers *x, struct ir_inst *v)
{
    enum ir_type const type = v->type;
    struct ir_inst *whole = v;
    if (!b->p.ok) {
        return;
    }
    if (type == IR_BOOL) {
        struct ir_inst *const yes = spread(b, operand_i32(b, 1), count(v));
        struct ir_inst *const no = spread(b, operand_i32(b, 0), count(v));
        whole = put(b, SpvOpSelect, IR_I32, v, yes);
        whole->arg[2] = no;
    } else if (type == IR_I8) {
        whole = put(b, SpvOpUConvert, IR_I32, v, NULL);
    }
    for (uint32_t i = 0; i < count(v); i++) {
        struct ir_inst *const one = count(v) == 1 ? whole : operand_part(b, whole, i);
        operand_probe(b, one);
        if (i == 0 && !ir_type_is_float(type) && type != IR_BOOL) {
            keep_value(x, type == IR_I8 && count(v) == 1 ? v : one);
        }
    }
}

/* ---- the instruction ---- */

static struct ir_inst *put_row(struct build *b, const struct number *x, enum ir_type type,
                               uint32_t n_results)
{
    struct ir_inst *const v =
        ir_plain(&b->p, b->flow.block, op_rows[x->row->op].number, type, x->arg[0], x->arg[1]);
    v->arg[2] = x->arg[2];
    v->arg[3] = x->arg[3];
    v->n_results = n_results;
    b->progress.n_built++;
    legal_add_op_needs(&b->p, op_rows[x->row->op].number);
    needs_add_if(&b->p.needs, NEED_CL_MODULE,
                 b->env == ENV_CL && (type == IR_BOOL || x->row->form == NUMBER_VOTE) && x->n > 1);
    return v;
}

static void set_literals(struct build *b, struct ir_inst *v, const uint32_t *words, uint32_t n)
{
    v->literal = arena_copy(b->a, words, n * sizeof *words);
    v->n_literals = v->literal ? n : 0;
    b->p.ok &= v->literal != NULL;
}

/* A word that says an index: one of its own, as low bits of the operand itself would depend on the operand. */
static struct ir_inst *put_index_word(struct build *b, const struct number *x, uint64_t seed)
{
    struct number word = *x;
    word.type = IR_I32;
    return x->of->source > NUMBERS_POOLED ? put_scalar(b, &word, 0, seed)
                                          : numbers_put_loaded(b, IR_I32, seed);
}

/* Offset and count of a field that lies within n_bits. */
static void put_field(struct build *b, struct number *x)
{
    uint32_t const n_bits = ir_type_bits(x->type);
    struct ir_inst *const offset = operand_by(
        b, SpvOpBitwiseAnd, put_index_word(b, x, numbers_derive(x->seed, 7)), n_bits - 1);
    struct ir_inst *const rest = operand_int(b, SpvOpISub, operand_i32(b, n_bits + 1), offset);
    struct ir_inst *const n =
        operand_int(b, SpvOpUMod, put_index_word(b, x, numbers_derive(x->seed, 8)), rest);
    x->arg[x->row->n_args] = offset;
    x->arg[x->row->n_args + 1] = n;
}

/* An index of the n components. */
static struct ir_inst *put_index(struct build *b, const struct number *x)
{
    return operand_by(b, SpvOpUMod, put_index_word(b, x, numbers_derive(x->seed, 9)), x->n);
}

static bool is_float_of_case(const struct build *b, enum ir_type type)
{
    return type != IR_BF16 && build_has_width(b, build_width(type));
}

/* The same bits as what has another number of components, or as floats of the case. */
static void put_bits(struct build *b, const struct number *x)
{
    uint32_t const n_bits = x->n * ir_type_bits(x->type);
    uint32_t const most = b->env == ENV_CL ? 16 : 4;
    enum ir_type type = x->type;
    uint32_t n = x->n;
    for (uint32_t i = 0; i < 7; i++) {
        enum ir_type const t = (enum ir_type)(IR_I8 + (field_rest(x->seed, NUMBER_DETAIL) + i) % 7);
        uint32_t const n_t = n_bits / ir_type_bits(t);
        bool const fits = n_t * ir_type_bits(t) == n_bits && n_t >= 1 && n_t <= most &&
                          (n_t <= 4 || n_t == 8 || n_t == 16);
        bool const may = ir_type_is_float(t) ? is_float_of_case(b, t) : build_may_type(b, t);
        if (fits && may && t != x->type) {
            type = t;
            n = n_t;
            break;
        }
    }
    if (type != x->type) {
        legal_add_type_needs(&b->p, type);
        probe(b, x->of, put_row(b, x, type, n));
    }
}

static void put_pair(struct build *b, const struct number *x)
{
    struct ir_inst *const v = put_row(b, x, x->type, x->n);
    v->math.result = RESULT_STRUCT;
    v->math.second = x->type;
    for (uint32_t i = 0; i < 2; i++) {
        struct ir_inst *const one = operand_part(b, v, i);
        one->n_results = x->n;
        probe(b, x->of, one);
    }
}

/* Bools, of comparisons of the operands with others. */
static void put_logical(struct build *b, struct number *x, bool is_vote)
{
    static const uint32_t tests[] = {SpvOpULessThan, SpvOpSGreaterThan, SpvOpINotEqual};
    for (uint32_t k = 0; k < x->row->n_args; k++) {
        struct ir_inst *const other = put_operand(b, x, x->n, numbers_derive(x->seed, 10 + k));
        x->arg[k] = put(b, tests[(field_rest(x->seed, NUMBER_DETAIL) + k) % ARRAY_N(tests)],
                        IR_BOOL, x->arg[k], other);
    }
    probe(b, x->of, put_row(b, x, IR_BOOL, is_vote ? 1 : x->n));
}

static void put_shuffle(struct build *b, const struct number *x)
{
    uint32_t words[4];
    uint32_t const n = 2 + (uint32_t)field_below(x->seed, NUMBER_DETAIL, 3);
    for (uint32_t i = 0; i < n; i++) {
        words[i] = (uint32_t)(numbers_derive(x->seed, 12 + i) % (2 * x->n));
    }
    struct ir_inst *const v = put_row(b, x, x->type, n);
    set_literals(b, v, words, n);
    probe(b, x->of, v);
}

/* A component is taken from the vector or put into it. */
static void put_at_place(struct build *b, struct number *x)
{
    struct ir_inst *const vector = x->arg[0];
    if (x->row->form == NUMBER_EXTRACT) {
        x->arg[1] = put_index(b, x);
        probe(b, x->of, put_row(b, x, x->type, 1));
        return;
    }
    struct ir_inst *const part = put_scalar(b, x, 0, numbers_derive(x->seed, 11));
    if (x->row->form == NUMBER_INSERT) {
        x->arg[1] = part;
        x->arg[2] = put_index(b, x);
        probe(b, x->of, put_row(b, x, x->type, x->n));
        return;
    }
    x->arg[0] = part;
    x->arg[1] = vector;
    struct ir_inst *const v = put_row(b, x, x->type, x->n);
    set_literals(b, v, (uint32_t[]){(uint32_t)field_below(x->seed, NUMBER_DETAIL, x->n)}, 1);
    probe(b, x->of, v);
}

/* A value of one type, now and then by a function of its own. */
static void put_value(struct build *b, const struct number *x, enum ir_type type)
{
    struct ir_inst *const v = put_row(b, x, type, x->n);
    v->math.function = type != IR_BOOL && field_get(x->seed, NUMBER_FUNCTION) == 0;
    if (type != IR_BOOL) {
        legal_add_type_needs(&b->p, type);
    }
    probe(b, x->of, v);
    if (v->math.function) {
        build_forget_present(b);
    }
}

/* Puts the instruction x on its operands in the form that its row says (enum number_form): the type of the
 * result follows from the form, and each form probes its results. */
static void put_form(struct build *b, struct number *x)
{
    switch (x->row->form) {
    case NUMBER_SAME:
        put_value(b, x, x->type);
        return;
    case NUMBER_FIELD:
        put_field(b, x);
        put_value(b, x, x->type);
        return;
    case NUMBER_TRUTH:
        put_value(b, x, IR_BOOL);
        return;
    case NUMBER_WIDTH:
        put_value(b, x, get_other_width(b, x->type, field_rest(x->seed, NUMBER_DETAIL)));
        return;
    case NUMBER_UPSAMPLE:
        put_value(b, x, (enum ir_type)(x->type + 1)); /* the integer of twice the width */
        return;
    case NUMBER_LOGICAL:
    case NUMBER_VOTE:
        put_logical(b, x, x->row->form == NUMBER_VOTE);
        return;
    case NUMBER_BITS:
        put_bits(b, x);
        return;
    case NUMBER_PAIR:
        put_pair(b, x);
        return;
    case NUMBER_SHUFFLE:
        put_shuffle(b, x);
        return;
    case NUMBER_EXTRACT:
    case NUMBER_INSERT:
    case NUMBER_PLACE:
        put_at_place(b, x);
        return;
    }
    assert(0 && "number_form out of range");
}

/* How many components: of bits that become others a power of two; of what is about vectors at least two. */
static uint32_t pick_length(const struct build *b, const struct number *x)
{
    static const uint8_t lengths[] = {1, 1, 1, 1, 2, 3, 4, 2, 4, 1, 8, 16};
    enum {
        LONG = 2 /* of these: OpenCL alone */
    };
    uint64_t const choice = numbers_derive(x->seed, 3);
    uint64_t const n_all = ARRAY_N(lengths) - (b->env == ENV_CL ? 0 : LONG);
    uint32_t n = x->of->is_scalar ? 1 : lengths[choice % n_all];
    bool const is_of_vectors = x->row->form == NUMBER_VOTE || x->row->form >= NUMBER_SHUFFLE;
    if (is_of_vectors && n == 1) {
        n = 2 + (uint32_t)field_get(choice, NUMBER_LENGTH);
    }
    n = compares(x->row) && !may_compare_vectors(b) ? 1 : n;
    bool const has_no_other = x->row->form == NUMBER_BITS && n == 1 && x->type == IR_I8;
    return (x->row->form == NUMBER_BITS && n == 3) || has_no_other ? 4 : n;
}

/* Puts the instruction on operands that `seed` says, and probes all that it gives. */
static void put_number(struct build *b, struct numbers *of, const struct number_row *row,
                       enum ir_type type, uint64_t seed)
{
    enum {
        MANY_ITERATIONS = 4 /* each of which has rows of inputs and of probes of its own */
    };
    struct number x = {.row = row, .of = of, .type = type, .seed = seed};
    x.n = pick_length(b, &x);
    if (b->flow.n_iterations > MANY_ITERATIONS && x.n > 4) {
        x.n = 2;
    }
    legal_add_type_needs(&b->p, type);
    for (uint32_t k = 0; k < row->n_args; k++) {
        x.arg[k] = put_operand(b, &x, x.n, numbers_derive(seed, 4 + k));
    }
    keep_away(b, &x);
    put_form(b, &x);
}

struct ir_inst *numbers_put_op(struct build *b, enum op_id op, struct ir_inst *const *arg,
                               bool keeps, uint64_t seed)
{
    struct numbers of = {.is_scalar = true};
    struct number x = {.of = &of, .type = arg[0]->type, .n = 1, .seed = seed};
    for (uint32_t i = 0; i < NUMBER_N && !x.row; i++) {
        x.row = number_rows[i].op == op ? &number_rows[i] : NULL;
    }
    assert(x.row && (x.row->form == NUMBER_SAME || x.row->form == NUMBER_TRUTH));
    for (uint32_t k = 0; k < x.row->n_args; k++) {
        x.arg[k] = arg[k];
    }
    if (keeps) {
        keep_away(b, &x);
    }
    return put_row(b, &x, x.row->form == NUMBER_TRUTH ? IR_BOOL : x.type, 1);
}

/* ---- the piece ---- */

/* One of the rows that may be put on that type. */
static const struct number_row *pick_row(const struct build *b, enum ir_type type, uint64_t choice)
{
    for (uint32_t i = 0; i < NUMBER_N; i++) {
        const struct number_row *const row = &number_rows[(choice + i) % NUMBER_N];
        if (may_put(b, row, type)) {
            return row;
        }
    }
    assert(0 && "each type has an instruction");
    return &number_rows[0];
}

static enum ir_type get_possible(const struct build *b, enum ir_type type)
{
    return build_may_type(b, type) ? type : IR_I32;
}

void piece_integers_put(struct build *b, struct tape *t)
{
    enum {
        MOST = 6
    };
    static const enum ir_type types[] = {IR_I32, IR_I32, IR_I64, IR_I16, IR_I8, IR_I64, IR_I16};
    uint32_t const n = 1 + (uint32_t)tape_take_below(t, MOST, ROLE_SIZE);
    uint64_t const seed = tape_take_u64(t, ROLE_OPERATION);
    enum ir_type const usual =
        get_possible(b, types[tape_take_below(t, ARRAY_N(types), ROLE_TYPE)]);
    struct numbers x = {.n_kept = 0};
    for (uint32_t i = 0; i < n && build_has_room(b); i++) {
        uint64_t const own = numbers_derive(seed, 100 + i);
        enum ir_type const type = field_get(own, INTEGERS_TYPE) ? usual : IR_I32;
        put_number(b, &x, pick_row(b, type, field_rest(own, NUMBER_ROW)), type,
                   numbers_derive(own, 0));
    }
}

/* ---- twins ---- */

/* May OpSpecConstantOp do the row in either environment? */
static bool is_spec_op(const struct number_row *row)
{
    uint32_t const op = op_rows[row->op].number;
    return op < SpvOpBitFieldInsert && op >= SpvOpSNegate &&
           (row->form == NUMBER_SAME || row->form == NUMBER_TRUTH);
}

/* Puts an OpSpecConstantOp of two specialization constants of that type, and probes its result. The
 * constants have one value in the module (`before`) and another that the case sets (`now`). The operation
 * must be defined on both, as a driver may fold it before or after specialization; nothing is put where it
 * is not, or where there are too many constants. */
static void put_spec_op(struct build *b, struct numbers *of, enum ir_type type, uint64_t seed)
{
    enum {
        USE_OF_OPERAND = 20 /* of the seed (derive) */
    };
    struct ir_inst *arg[2] = {NULL, NULL};
    uint64_t now[INTEGER_MAX_ARGS] = {0}, before[INTEGER_MAX_ARGS] = {0}, out[2];
    uint64_t choice = field_rest(seed, SPEC_ROW);
    /* draw until a row may be put; some row may */
    while (!is_spec_op(&number_rows[choice % NUMBER_N])) {
        choice = numbers_derive(choice, 0);
    }
    const struct number_row *const row = &number_rows[choice % NUMBER_N];
    uint32_t const op = op_rows[row->op].number;
    uint32_t const first = b->p.n_values;
    bool const has_room = b->p.n_specs + row->n_args <= CASE_MAX_SPECS && may_specialize(b);
    for (uint32_t k = 0; has_room && k < row->n_args; k++) {
        struct input const what = input_of(type, numbers_derive(seed, USE_OF_OPERAND + k));
        now[k] = inputs_get_value(&what, 0);
        if (row->keep == KEEP_SHIFT && k == 1) {
            now[k] %= ir_type_bits(type);
        }
        /* another number, which is not 0 as a divisor and no larger as a shift */
        before[k] = now[k] / 2 + 1;
    }
    unsigned const n_bits = ir_type_bits(type);
    bool const is_defined = has_room &&
                            integer_apply(op, n_bits, n_bits, now, out) == INTEGER_GIVES &&
                            integer_apply(op, n_bits, n_bits, before, out) == INTEGER_GIVES;
    /* Vulkan leaves the remainder of negative operands undefined (see KEEP_REMAINDER) */
    if (!is_defined || (row->keep == KEEP_REMAINDER && b->env == ENV_VK)) {
        return;
    }
    for (uint32_t k = 0; k < row->n_args; k++) {
        arg[k] = ir_spec(&b->p, type, before[k], true, now[k]);
    }
    assert(b->p.n_values == first + row->n_args);
    needs_add_if(&b->p.needs, NEED_CL_SPECIALIZATION, b->env == ENV_CL);
    enum ir_type const result = row->form == NUMBER_TRUTH ? IR_BOOL : type;
    probe(b, of, ir_spec_op(&b->p, op, result, arg[0], arg[1], NULL));
}

/* A float operation that is exact or correctly rounded, on two numbers. */
static void put_float_twin(struct build *b, const struct numbers *x, uint64_t seed)
{
    static const uint32_t ops[] = {SpvOpFAdd, SpvOpFSub, SpvOpFMul, SpvOpFNegate};
    uint32_t const op = ops[field_get(seed, TWIN_OP)];
    struct ir_inst *arg[2] = {NULL, NULL};
    for (uint32_t k = 0; k < (op == SpvOpFNegate ? 1 : 2); k++) {
        uint64_t const own = numbers_derive(seed, 30 + k);
        struct input const what = {.type = operand_pick_type(b, field_rest(seed, TWIN_TYPE)),
                                   .class = inputs_pick_class(own, USE_MATH),
                                   .seed = own,
                                   .plain = b->modes.plain_inputs};
        legal_add_type_needs(&b->p, what.type);
        arg[k] = put_sourced(b, x, &what);
    }
    operand_probe(b, put(b, op, arg[0]->type, arg[0], arg[1]));
}

/* A signed remainder of two constants, then of that an unsigned one by a constant; and the same of a number that is loaded.
 * All are positive: of others Vulkan defines no remainder. */
static void put_remainders(struct build *b, enum ir_type type, uint64_t seed)
{
    uint64_t const largest = least_of(type) - 1;
    struct ir_inst *const by = ir_const(&b->p, type, (numbers_derive(seed, 1) & largest) | 1);
    struct ir_inst *const last = ir_const(&b->p, type, 2 + seed % 5);
    struct ir_inst *const loaded = put(b, SpvOpBitwiseAnd, type, numbers_put_loaded(b, type, seed),
                                       ir_const(&b->p, type, largest));
    struct ir_inst *const from[] = {ir_const(&b->p, type, numbers_derive(seed, 0) & largest),
                                    loaded};
    for (size_t k = 0; k < ARRAY_N(from); k++) {
        struct ir_inst *const rest = put(b, SpvOpSRem, type, from[k], by);
        operand_probe(b, put(b, SpvOpUMod, type, rest, last));
    }
}

/* Puts the piece "twins": the same instruction on the same numbers several times, once per source of the
 * numbers (loaded, constants, specialization constants, push constants). A compiler folds some of these and
 * computes others at run time; the results must be equal. Some operations on specialization constants alone
 * follow. */
void piece_twins_put(struct build *b, struct tape *t)
{
    enum {
        MOST = 2,          /* instructions */
        N_OPS = 5,         /* operations on specialization constants */
        USE_OF_TWIN = 200, /* numbers that tell the uses of a seed apart (derive) */
        USE_OF_REMAINDERS = 30,
        USE_OF_OPS = 40
    };
    static const enum number_source sources[] = {NUMBERS_LOADED, NUMBERS_CONST, NUMBERS_SPEC,
                                                 NUMBERS_PUSHED};
    static const enum ir_type types[] = {IR_I32, IR_I32, IR_I64, IR_I16, IR_I8};
    uint32_t const n = 1 + (uint32_t)tape_take_below(t, MOST, ROLE_SIZE);
    uint64_t const seed = tape_take_u64(t, ROLE_OPERATION);
    enum ir_type const type = get_possible(b, types[tape_take_below(t, ARRAY_N(types), ROLE_TYPE)]);
    for (uint32_t i = 0; i < n && build_has_room(b); i++) {
        uint64_t const own = numbers_derive(seed, USE_OF_TWIN + i);
        const struct number_row *const row = pick_row(b, type, field_rest(own, NUMBER_ROW));
        bool const has_pushed = b->bindings.constant_percent + b->bindings.push_percent > 0;
        /* NUMBERS_PUSHED is the last of the sources */
        size_t const n_sources = ARRAY_N(sources) - (has_pushed ? 0 : 1);
        /* of each source the same seed, thus the same numbers; now and then a float instruction, not the row */
        for (size_t k = 0; k < n_sources; k++) {
            struct numbers x = {.source = sources[k]};
            if (field_get(own, TWIN_FLOAT) == 0) {
                put_float_twin(b, &x, numbers_derive(own, 0));
            } else {
                put_number(b, &x, row, type, numbers_derive(own, 0));
            }
        }
        struct numbers specs = {.source = NUMBERS_SPEC};
        legal_add_type_needs(&b->p, type);
        if (field_get(own, TWIN_REMAINDERS) == 0 && (type == IR_I32 || type == IR_I64)) {
            put_remainders(b, type, numbers_derive(own, USE_OF_REMAINDERS));
        }
        for (uint64_t k = 0; k < N_OPS; k++) {
            put_spec_op(b, &specs, type, numbers_derive(own, USE_OF_OPS + k));
        }
    }
}

/* ---- sweep ---- */

/* Widely refused in OpenCL, where it would take the whole line along. */
static bool is_often_refused(const struct build *b, const struct number_row *row)
{
    return b->env == ENV_CL && (row->op == OP_core_UMulExtended || row->op == OP_core_SMulExtended);
}

enum {
    NUMBER_TYPES = 4, /* IR_I8 to IR_I64 */
    FLOAT_TYPES = 3,
    N_PAIRS = NUMBER_N * NUMBER_TYPES + MATH_N * FLOAT_TYPES
};

/* Puts pair number `at`, of those of number.def and then those of math.def; false: the case may not have it. */
static bool put_numbered(struct build *b, struct numbers *x, uint32_t at, uint64_t seed)
{
    if (at < NUMBER_N * NUMBER_TYPES) {
        const struct number_row *const row = &number_rows[at / NUMBER_TYPES];
        enum ir_type const type = (enum ir_type)(IR_I8 + at % NUMBER_TYPES);
        if (!may_put(b, row, type) ||
            (is_often_refused(b, row) && field_is_last(seed, SWEPT_REFUSED))) {
            return false;
        }
        x->is_scalar = field_get(seed, SWEPT_VECTOR) != 0;
        put_number(b, x, row, type, seed);
        return true;
    }
    at -= NUMBER_N * NUMBER_TYPES;
    const struct math_row *const row = &math_rows[at / FLOAT_TYPES];
    enum ir_type const type = (enum ir_type)(IR_F16 + at % FLOAT_TYPES);
    if (!math_may_put(b, row, type)) {
        return false;
    }
    math_put_row(b, row, type, seed);
    return true;
}

/* A pair by its number: mostly one of floats, of which there are more that few other cases have. */
static uint32_t pick_pair(uint64_t choice)
{
    enum {
        OF = 20,
        NUMBERS = 7 /* of so many */
    };
    uint32_t const n_numbers = NUMBER_N * NUMBER_TYPES;
    return choice % OF < NUMBERS ? (uint32_t)(choice / OF % n_numbers)
                                 : n_numbers + (uint32_t)(choice / OF % (N_PAIRS - n_numbers));
}

/* Puts the piece "sweep": a straight line of LEAST to MOST instructions, each on a pair of instruction and
 * type that is drawn evenly from all pairs that the case may have. So seldom pairs are covered too. Fewer
 * are put where the dispatch is large, or where most of the drawn pairs cannot be put. */
void piece_sweep_put(struct build *b, struct tape *t)
{
    enum {
        LEAST = 8,
        MOST = 48,
        TRIES = 8,        /* for each */
        MANY_ITEMS = 256, /* each of which has to be judged */
        USE_OF_LENGTH = 1000
    };
    uint64_t const n_drawn = tape_take_below(t, MOST - LEAST + 1, ROLE_SIZE);
    uint64_t const seed = tape_take_u64(t, ROLE_OPERATION);
    uint64_t wanted = LEAST + n_drawn;
    /* the largest of three drawn lengths; but a zero record, the smallest choice, gives the least length */
    for (uint64_t k = 0; n_drawn > 0 && k < 2; k++) {
        uint64_t const other = LEAST + numbers_derive(seed, USE_OF_LENGTH + k) % (MOST - LEAST + 1);
        wanted = other > wanted ? other : wanted;
    }
    uint64_t const n = b->dispatch.n_items > MANY_ITEMS ? LEAST : wanted;
    unsigned const usual_types = b->modes.types;
    struct numbers x = {.source = NUMBERS_POOLED};
    uint64_t n_put = 0;
    b->modes.types = b->modes.sweep_types;
    for (uint64_t i = 0; n_put < n && i < TRIES * n && build_has_room(b); i++) {
        uint64_t const own = numbers_derive(seed, i); /* the decisions of this try */
        n_put += put_numbered(b, &x, pick_pair(own), numbers_derive(own, 1));
    }
    b->modes.types = usual_types;
    build_forget_present(b);
}

/* gen/piece/convert.c -- conversions of conversions. */
#include "gen/piece/convert.h"

#include "base/format.h"
#include "base/ops.h"
#include "base/spv.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/piece/numbers.h"
#include "gen/piece/results.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"

enum {
    MOST_STEPS = 3,
    NO_LIMIT = 255,
    F16_BITS = 15 /* 2^15 is a number of f16, 2^16 is none */
};
/* One conversion. */
struct step {
    uint32_t op; /* SpvOp */
    enum ir_type from, to;
    bool is_saturated;
    uint32_t rounding; /* as in struct ir_math */
};
/* What the first operand is kept in: from -2^n_bits to 2^n_bits, or from 0 on. */
struct limit {
    unsigned n_bits;
    bool is_unsigned;
};

/* ---- which conversions ---- */

/* One of the types of the set that the case may have, other than `other`; IR_VOID: there is none. */
static enum ir_type pick_type(const struct build *b, unsigned types, enum ir_type other,
                              uint64_t choice)
{
    enum ir_type list[IR_TYPE_N] = {IR_VOID};
    uint32_t n = 0;
    for (enum ir_type t = IR_I8; t <= IR_F64; t++) {
        if (t != other && (types & legal_get_type_bit(t)) && build_may_operand(b, t)) {
            list[n++] = t;
        }
    }
    return n > 0 ? list[choice % n] : IR_VOID;
}

/* The type that the other side of the conversion may not have: `type` itself; IR_VOID where both may be the same. */
static enum ir_type get_excluded_type(const struct conversion_row *row, enum ir_type type)
{
    bool const may_be_same = row->op == SpvOpSatConvertSToU || row->op == SpvOpSatConvertUToS;
    return may_be_same ? IR_VOID : type;
}

bool convert_may(const struct build *b, const struct conversion_row *row, enum ir_type type,
                 bool is_def)
{
    unsigned const types = is_def ? row->from : row->to;
    return (row->envs >> b->env & 1) && legal_may_op(&b->p, row->op) &&
           pick_type(b, types, get_excluded_type(row, type), 0) != IR_VOID;
}

static bool is_to_integer(uint32_t op)
{
    return op == SpvOpConvertFToS || op == SpvOpConvertFToU;
}

/* Rounding and saturation, which OpenCL has. */
static void decorate(const struct build *b, struct step *s, uint64_t choice)
{
    enum {
        MODES = 4,
        ROUNDED_OF = 8 /* MODES in so many have a rounding mode */
    };
    bool const is_of_floats = s->op >= SpvOpConvertFToU && s->op <= SpvOpFConvert &&
                              s->op != SpvOpUConvert && s->op != SpvOpSConvert;
    bool const may_saturate =
        is_to_integer(s->op) || s->op == SpvOpUConvert || s->op == SpvOpSConvert;
    if (b->env != ENV_CL) {
        return;
    }
    s->is_saturated = may_saturate && choice / ROUNDED_OF % 2;
    if (is_of_floats && choice % ROUNDED_OF >= ROUNDED_OF - MODES) {
        s->rounding = 1 + (uint32_t)(choice % MODES);
    }
}

/* The type to which the second conversion leads: for half of the seeds, where it can, that of the first operand: compilers fold
 * a conversion and the one back. */
static enum ir_type pick_last_type(const struct build *b, const struct conversion_row *second,
                                   const struct step *first, uint64_t seed)
{
    bool const may_be_back = first->from != get_excluded_type(second, first->to) &&
                             (second->to & legal_get_type_bit(first->from));
    return may_be_back && numbers_derive(seed, 16) % 2
               ? first->from
               : pick_type(b, second->to, get_excluded_type(second, first->to),
                           numbers_derive(seed, 2));
}

/* Steps for the row; the first gives a value of `type`, the second takes it, a third one may follow. Returns how many. */
static uint32_t plan_steps(const struct build *b, const struct def_use_row *row, enum ir_type type,
                           uint64_t seed, struct step steps[MOST_STEPS])
{
    const struct conversion_row *const first = def_get_conversion(row->def);
    const struct conversion_row *const second = use_get_conversion(row->use);
    uint32_t n = 2;
    steps[0] = (struct step){
        .op = first->op,
        .from = pick_type(b, first->from, get_excluded_type(first, type), numbers_derive(seed, 1)),
        .to = type};
    steps[1] = (struct step){
        .op = second->op, .from = type, .to = pick_last_type(b, second, &steps[0], seed)};
    const struct conversion_row *const third =
        &conversion_rows[numbers_derive(seed, 3) % CONVERSION_N];
    if (numbers_derive(seed, 4) % 2 && (third->from & legal_get_type_bit(steps[1].to)) &&
        convert_may(b, third, steps[1].to, false)) {
        enum ir_type const from = steps[1].to;
        steps[n++] = (struct step){
            .op = third->op,
            .from = from,
            .to = pick_type(b, third->to, get_excluded_type(third, from), numbers_derive(seed, 5))};
    }
    for (uint32_t i = 0; i < n; i++) {
        decorate(b, &steps[i], numbers_derive(seed, 6 + i));
    }
    return n;
}

/* ---- what they are put on ---- */

static unsigned least(unsigned x, unsigned y)
{
    return x < y ? x : y;
}

/* The limit of what step s takes, where `after` is that of its result. */
static struct limit get_limit_before(const struct step *s, bool is_first, struct limit after)
{
    struct limit l = after;
    if (is_to_integer(s->op) && !s->is_saturated) {
        bool const is_unsigned = s->op == SpvOpConvertFToU;
        /* what was rounded before, or is rounded by a mode, may have become the next power of two */
        unsigned const room = is_first && s->rounding == 0 ? 0 : 1;
        l.n_bits = least(l.n_bits, ir_type_bits(s->to) - (is_unsigned ? 0 : 1) - room);
        l.is_unsigned |= is_unsigned;
    }
    if (l.n_bits == NO_LIMIT) {
        return l;
    }
    if (s->to == IR_F16) {
        l.n_bits = least(l.n_bits, F16_BITS);
    } else if (!ir_type_is_float(s->from) && !ir_type_is_float(s->to)) { /* which keeps its value */
        l.n_bits = least(l.n_bits, ir_type_bits(s->to) - 2);
    }
    bool const is_of_signed =
        s->op == SpvOpConvertSToF || s->op == SpvOpSConvert || s->op == SpvOpSatConvertSToU;
    l.is_unsigned |= !is_of_signed && s->op != SpvOpFConvert && s->op != SpvOpConvertFToS;
    if (is_of_signed) { /* a larger number would be a negative one */
        l.n_bits = least(l.n_bits, ir_type_bits(s->from) - 1);
    }
    return l;
}

/* An integer within the limit: its high bits, moved down. */
static struct ir_inst *put_integer(struct build *b, enum ir_type type, struct limit l,
                                   uint64_t seed)
{
    struct ir_inst *const v = numbers_put_loaded(b, type, seed);
    unsigned const n_bits = ir_type_bits(type);
    unsigned const n_most = n_bits - (l.is_unsigned ? 0 : 1);
    if (l.n_bits == NO_LIMIT || l.n_bits >= n_most) {
        return v;
    }
    return operand_plain(b, l.is_unsigned ? SpvOpShiftRightLogical : SpvOpShiftRightArithmetic,
                         type, v, operand_number(b, type, n_most - l.n_bits));
}

static struct ir_inst *put_float(struct build *b, enum ir_type type, struct limit l, uint64_t seed)
{
    enum {
        WHOLE_OF = 2 /* one in so many inputs is near a whole number */
    };
    bool const is_whole = numbers_derive(seed, 1) % WHOLE_OF == 0;
    struct input const what = {
        .type = type,
        .class = is_whole ? INPUT_DOMAIN : inputs_pick_class(numbers_derive(seed, 2), USE_ANY),
        .domain = is_whole ? DOMAIN_WHOLE : DOMAIN_ANY,
        .seed = numbers_derive(seed, 3),
        .plain = b->modes.plain_inputs};
    struct ir_inst *const bits = operand_load_bits(b, &what, true);
    if (l.n_bits == NO_LIMIT) {
        return operand_cast(b, bits, type);
    }
    return operand_fit(b, bits, type, l.is_unsigned ? WHOLE_UNSIGNED : WHOLE_SIGNED, l.n_bits,
                       numbers_derive(seed, 4));
}

/* May the first operand go through a shuffle? An invocation may be missing, because a sub-group is not full, or because the
 * invocations took different paths before and have not reconverged. A shuffle from a missing invocation has an undefined result. A
 * Vulkan program is undefined if it converts such a result to an integer that cannot hold it. */
static bool may_shuffle(const struct build *b, const struct step *steps, uint32_t n)
{
    bool is_restricted = false;
    for (uint32_t i = 0; i < n; i++) {
        is_restricted |= b->env == ENV_VK && is_to_integer(steps[i].op);
    }
    return results_may_shuffle(b, steps[0].from) &&
           (!is_restricted || (b->p.maximal_reconvergence && b->group.is_full));
}

void convert_put_pair(struct build *b, const struct def_use_row *row, enum ir_type type,
                      uint64_t seed)
{
    enum {
        SHUFFLED_OF = 4, /* one in so many first operands goes through a shuffle */
        ADDED_OF = 4     /* one in so many integers is added to a memory location by an atomic */
    };
    struct step steps[MOST_STEPS];
    uint32_t const n = plan_steps(b, row, type, seed, steps);
    struct limit l = {.n_bits = NO_LIMIT};
    for (uint32_t i = n; i > 0; i--) {
        l = get_limit_before(&steps[i - 1], i == 1, l);
    }
    enum ir_type const first = steps[0].from;
    legal_add_type_needs(&b->p, first);
    struct ir_inst *v = ir_type_is_float(first) ? put_float(b, first, l, numbers_derive(seed, 9))
                                                : put_integer(b, first, l, numbers_derive(seed, 9));
    if (numbers_derive(seed, 14) % SHUFFLED_OF == 0 && may_shuffle(b, steps, n)) {
        v = results_put_shuffle(b, v, numbers_derive(seed, 15));
        operand_probe(b, v);
    }
    for (uint32_t i = 0; i < n; i++) {
        legal_add_type_needs(&b->p, steps[i].to);
        legal_add_op_needs(&b->p, steps[i].op);
        v = operand_plain(b, steps[i].op, steps[i].to, v, NULL);
        v->math.is_saturated = steps[i].is_saturated;
        v->math.rounding = steps[i].rounding;
        b->progress.n_built++;
        b->info.n_to_integer += is_to_integer(steps[i].op) ? 1 : 0;
        operand_probe(b, v);
        bool const is_added =
            numbers_derive(seed, 10 + i) % ADDED_OF == 0 && !ir_type_is_float(v->type);
        if (is_added && results_may_atomic(b, v->type)) {
            operand_probe(b, results_put_added(b, v, numbers_derive(seed, 13)));
        }
    }
}

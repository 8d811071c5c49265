/* gen/plan/atomics.c -- atomic instructions on the cells of the plan. */
#include "gen/plan/atomics.h"

#include <assert.h>

#include "base/ops.h"
#include "base/spv.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"

/* An instruction, as the statistics name it; `negate` makes an add a subtraction. */
struct choice {
    enum op_id op;
    enum atomic_kind kind;
    unsigned mask;
    int negate;
};
static const struct choice float_choices[] = {
    {OP_core_AtomicLoad,     KIND_LOAD,     MASK_LS,     0},
    {OP_core_AtomicStore,    KIND_STORE,    MASK_LS,     0},
    {OP_core_AtomicExchange, KIND_EXCHANGE, MASK_LS,     0},
    {OP_core_AtomicFAddEXT,  KIND_FADD,     MASK_ADD,    0},
    {OP_core_AtomicFAddEXT,  KIND_FSUB,     MASK_ADD,    1},
    {OP_core_AtomicFMinEXT,  KIND_FMIN,     MASK_MINMAX, 0},
    {OP_core_AtomicFMaxEXT,  KIND_FMAX,     MASK_MINMAX, 0},
};
static const struct choice bits_choices[] = {
    {OP_core_AtomicLoad,            KIND_INT_LOAD,     MASK_LS, 0},
    {OP_core_AtomicStore,           KIND_INT_STORE,    MASK_LS, 0},
    {OP_core_AtomicExchange,        KIND_INT_EXCHANGE, MASK_LS, 0},
    {OP_core_AtomicCompareExchange, KIND_INT_CMPXCHG,  MASK_LS, 0},
};
static const struct choice integer_choices[] = {
    {OP_core_AtomicLoad,            KIND_INT_LOAD,     MASK_LS, 0},
    {OP_core_AtomicStore,           KIND_INT_STORE,    MASK_LS, 0},
    {OP_core_AtomicExchange,        KIND_INT_EXCHANGE, MASK_LS, 0},
    {OP_core_AtomicCompareExchange, KIND_INT_CMPXCHG,  MASK_LS, 0},
    {OP_core_AtomicIAdd,            KIND_IADD,         MASK_LS, 0},
    {OP_core_AtomicIIncrement,      KIND_IADD,         MASK_LS, 0},
    {OP_core_AtomicISub,            KIND_ISUB,         MASK_LS, 0},
    {OP_core_AtomicIDecrement,      KIND_ISUB,         MASK_LS, 0},
    {OP_core_AtomicSMin,            KIND_INT_MIN,      MASK_LS, 0},
    {OP_core_AtomicUMin,            KIND_INT_MIN,      MASK_LS, 0},
    {OP_core_AtomicSMax,            KIND_INT_MAX,      MASK_LS, 0},
    {OP_core_AtomicUMax,            KIND_INT_MAX,      MASK_LS, 0},
    {OP_core_AtomicAnd,             KIND_INT_LOGIC,    MASK_LS, 0},
    {OP_core_AtomicOr,              KIND_INT_LOGIC,    MASK_LS, 0},
    {OP_core_AtomicXor,             KIND_INT_LOGIC,    MASK_LS, 0},
};

/* Will the cell see hundreds of operations? */
static int is_looped(const struct build *b, const struct cells *c)
{
    return c == &b->cells[0] && (b->style == STYLE_HOT || b->style == STYLE_LARGE);
}

/* An unused store or exchange hides one end of its link: not among so many. */
static int must_be_used(const struct build *b, const struct cells *c)
{
    enum {
        CROWD = 128
    };
    return c->contended && (is_looped(b, c) || c->n_ops + b->n_items * b->n_iterations > CROWD);
}

/* The table's; a subtraction is an add again, half as often. */
static unsigned weight_of(const struct choice *c, unsigned mask)
{
    return c->mask & mask ? op_rows[c->op].weight >> c->negate : 0;
}

static const struct choice *pick_from(const struct choice *c, size_t n, unsigned mask, uint64_t v)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += weight_of(&c[i], mask);
    }
    assert(sum > 0);
    uint64_t at = v % sum;
    for (size_t i = 0; i < n; i++) {
        unsigned const weight = weight_of(&c[i], mask);
        if (at < weight) {
            return &c[i];
        }
        at -= weight;
    }
    assert(0 && "a group of cells permits some instruction");
    return c;
}

static const struct choice *pick_choice(const struct cells *c, uint64_t v)
{
    if (c->bits_form) {
        return pick_from(bits_choices, ARRAY_N(bits_choices), MASK_LS, v);
    }
    if (!ir_type_is_float(c->type)) {
        return pick_from(integer_choices, ARRAY_N(integer_choices), MASK_LS, v);
    }
    if (c->policy == POLICY_MINMAX) {
        return &float_choices[c->is_max ? ARRAY_N(float_choices) - 1 : ARRAY_N(float_choices) - 2];
    }
    return pick_from(float_choices, ARRAY_N(float_choices), c->ops, v);
}

/* The cell that this invocation goes to; `choice` for a constant one. */
static struct ir_inst *cell_index(struct build *b, const struct cells *c, uint64_t choice)
{
    struct ir_inst *const own = c->place == PLACE_WORKGROUP ? b->p.lid : b->p.gid;
    struct ir_inst *const n = operand_i32(b, c->n_cells);
    struct input const data = {.type = IR_I32, .class = INPUT_BITS, .seed = choice};
    switch (c->index) {
    case INDEX_OWN:
        return own;
    case INDEX_FIXED:
        return operand_i32(b, (uint32_t)(choice % c->n_cells));
    case INDEX_MOD:
        return operand_int(b, SpvOpUMod, own, n);
    case INDEX_GROUP:
        return b->p.wg;
    case INDEX_DATA:
        return operand_int(b, SpvOpUMod, operand_load(b, &data, 1), n);
    }
    assert(0 && "cell_index out of range");
    return own;
}

static void set_order_shape(struct build *b, enum legal_order order)
{
    static const enum shape shapes[LEGAL_ORDERS] = {SHAPE_RELAXED, SHAPE_ACQUIRE, SHAPE_RELEASE,
                                                    SHAPE_ACQ_REL, SHAPE_SEQ_CST};
    build_set_shape(b, shapes[order]);
}

/* Order, storage bits and the way the pointer goes; x has its op, var and scope. */
static void put_order(struct build *b, const struct cells *c, struct tape *t, struct ir_atomic *x)
{
    static const uint8_t orders[LEGAL_ORDERS] = {55, 12, 12, 14, 7};
    tape_name_node(t, NODE_PLAIN);
    enum legal_order const order =
        (enum legal_order)build_draw(t, orders, LEGAL_ORDERS, ROLE_SCOPE);
    unsigned const classes = (unsigned)tape_take_below(t, 32, ROLE_SCOPE);
    int const function = tape_take_chance(t, 12, ROLE_FORM);
    int const by_generic = tape_take_below(t, 100, ROLE_FORM) >= 25;
    struct legal_semantics const s =
        legal_get_semantics(&b->p, x, order, classes < 16 ? classes & 8 : classes);
    x->semantics = s.semantics;
    x->unequal = s.unequal;
    x->generic = c->generic && by_generic;
    x->function = function;
    set_order_shape(b, s.order);
    if (function) {
        build_set_shape(b, SHAPE_FUNCTION);
    }
}

static int takes_value(enum op_id op)
{
    return op != OP_core_AtomicLoad && op != OP_core_AtomicIIncrement &&
           op != OP_core_AtomicIDecrement;
}

/* Operand of an add whose sum stays exact, or that is a power of two of its own. */
static struct ir_inst *exact_operand(struct build *b, struct cells *c, struct tape *t)
{
    tape_name_node(t, NODE_OPERAND);
    int const is_const = tape_take_below(t, 100, ROLE_FORM) < 30;
    struct input what = c->operand;
    what.seed ^= tape_take_u64(t, ROLE_SEED);
    if (c->distinct) {
        uint32_t const sharers = (b->n_items + what.share - 1) / what.share;
        what.first = c->n_sites * sharers;
        build_set_shape(b, SHAPE_OPERAND_LOADED);
        return operand_load(b, &what, 0);
    }
    build_set_shape(b, is_const ? SHAPE_OPERAND_CONST : SHAPE_OPERAND_LOADED);
    return is_const ? ir_const(&b->p, c->type, inputs_get_value(&what, 0))
                    : operand_load(b, &what, 1);
}

/* What hundreds of operations on one cell are made of, so that their order can be told: no stores,
 * and no steps of one, which come to the same values again and again. */
static const struct choice *of_a_crowd(const struct choice *c)
{
    if (c->op == OP_core_AtomicStore) {
        return c + 1; /* the exchange, in each table */
    }
    if (c->op == OP_core_AtomicIIncrement || c->op == OP_core_AtomicIDecrement) {
        return c - 1; /* the addition or subtraction */
    }
    return c;
}

static enum input_use use_of(const struct build *b, const struct cells *c, enum op_id op)
{
    if (!c->contended) {
        return USE_ANY;
    }
    if (!must_be_used(b, c)) {
        return USE_CONTENDED;
    }
    return op == OP_core_AtomicFAddEXT || op == OP_core_AtomicIAdd || op == OP_core_AtomicISub
               ? USE_CROWDED
               : USE_DISTINCT;
}

static struct ir_inst *value_operand(struct build *b, struct cells *c, struct tape *t,
                                     enum op_id op)
{
    enum input_use const use = use_of(b, c, op);
    if (c->policy == POLICY_EXACT_ADDS) {
        return exact_operand(b, c, t);
    }
    if (c->bits_form) {
        return operand_cast(b, operand_float(b, t, ir_type_as_float(c->type), use), c->type);
    }
    if (!ir_type_is_float(c->type)) {
        return operand_integer(b, t, c->type, use);
    }
    return operand_float(b, t, c->type, use);
}

/* Does one more site fit this cell's policy? Takes its share if so. */
static int take_budget(struct build *b, struct cells *c)
{
    uint32_t const n = b->n_items * b->n_iterations;
    if (b->dynamic + n > b->max_dynamic) {
        return 0;
    }
    if (c->policy == POLICY_EXACT_ADDS && c->distinct) {
        if (b->n_iterations > 1 || c->n_sites == c->ops_left) {
            return 0;
        }
    } else if (c->policy == POLICY_EXACT_ADDS) {
        if (c->ops_left < n) {
            return 0;
        }
        c->ops_left -= n;
    }
    b->dynamic += n;
    return 1;
}

static int is_used(const struct build *b, const struct cells *c, enum op_id op, int wants)
{
    if (op == OP_core_AtomicStore) {
        return 0;
    }
    switch (c->policy) {
    case POLICY_USED:
        return c->contended || wants;
    case POLICY_UNUSED_HEAD:
        return op != OP_core_AtomicExchange || wants || must_be_used(b, c);
    case POLICY_EXACT_ADDS:
    case POLICY_MINMAX:
    case POLICY_RANDOM_ADDS:
        return 0;
    }
    assert(0 && "cell_policy out of range");
    return 1;
}

static struct cells *pick_cells(struct build *b, uint64_t choice, int hot)
{
    return hot ? &b->cells[0] : &b->cells[choice % b->n_cells];
}

void atomics_put(struct build *b, struct tape *t, int hot)
{
    tape_name_node(t, NODE_STATEMENT);
    tape_skip(t, 1); /* its kind */
    struct cells *const c = pick_cells(b, tape_take_u64(t, ROLE_PLACE), hot);
    const struct choice *choice = pick_choice(c, tape_take_u64(t, ROLE_OPERATION));
    int const wants = tape_take_below(t, 100, ROLE_FORM) < 72;
    int const probes = tape_take_below(t, 100, ROLE_FORM) < b->probe_percent;
    uint64_t const index = tape_take_u64(t, ROLE_PLACE);
    struct tape order = tape_fork(t);
    struct tape value = tape_fork(t);
    struct tape comparator = tape_fork(t);
    if (must_be_used(b, c)) {
        choice = of_a_crowd(choice);
    }
    if (!take_budget(b, c)) {
        return;
    }
    struct ir_atomic x = {.op = choice->op, .var = c->var, .scope = c->scope};
    x.index = cell_index(b, c, index);
    if (takes_value(x.op)) {
        x.value = value_operand(b, c, &value, x.op);
    }
    if (x.op == OP_core_AtomicCompareExchange) {
        x.comparator = value_operand(b, c, &comparator, x.op);
    }
    if (choice->negate) {
        x.value = ir_plain(&b->p, b->block, SpvOpFNegate, c->type, x.value, NULL);
    }
    if (c->contended && x.value) { /* the chain is told by operands that are known */
        operand_probe_unless_known(b, x.value);
    }
    if (c->contended && x.comparator) {
        operand_probe_unless_known(b, x.comparator);
    }
    put_order(b, c, &order, &x);
    legal_add_atomic_needs(&b->p, &x);
    struct ir_inst *const result = ir_atomic(&b->p, b->block, &x);
    c->n_sites++;
    c->n_ops += b->n_items * b->n_iterations;
    b->info.op_kinds |= UINT64_C(1) << choice->kind;
    if (!is_used(b, c, x.op, wants)) {
        if (x.op != OP_core_AtomicStore) {
            build_set_shape(b, SHAPE_UNUSED);
        }
        return;
    }
    build_set_shape(b, SHAPE_USED);
    int const is_probed = c->contended || probes;
    if (is_probed) {
        operand_probe(b, result);
    }
    struct ir_inst *const v =
        c->bits_form ? operand_cast(b, result, ir_type_as_float(c->type)) : result;
    operand_remember(b, v, RESULT_OF_ATOMIC, is_probed);
}

/* ---- work-group cells: initialised by those whose index is below the number of cells ---- */

static const uint32_t local_fence = (uint32_t)SpvMemorySemanticsAcquireReleaseMask |
                                    (uint32_t)SpvMemorySemanticsWorkgroupMemoryMask;

static struct ir_block *enter_if_below(struct build *b, uint32_t n_cells)
{
    struct ir_block *const outer = b->block;
    if (n_cells < b->n_local) {
        struct ir_inst *const test =
            ir_plain(&b->p, b->block, SpvOpULessThan, IR_BOOL, b->p.lid, operand_i32(b, n_cells));
        b->block = ir_if(&b->p, b->block, test)->body[0];
    }
    return outer;
}

void atomics_put_initial(struct build *b)
{
    int any = 0;
    for (uint32_t i = 0; i < b->n_cells; i++) {
        struct cells *const c = &b->cells[i];
        if (c->place != PLACE_WORKGROUP) {
            continue;
        }
        any = 1;
        struct ir_block *const outer = enter_if_below(b, c->n_cells);
        struct ir_inst *const v = operand_cast(b, operand_load(b, &c->initial, 0), c->type);
        struct ir_atomic x = {.op = OP_core_AtomicStore,
                              .var = c->var,
                              .scope = c->scope,
                              .index = b->p.lid,
                              .value = v};
        if (b->p.vulkan_memory_model) { /* a plain access would be private: no order with others */
            legal_add_atomic_needs(&b->p, &x);
            (void)ir_atomic(&b->p, b->block, &x);
        } else {
            ir_store(&b->p, b->block, c->var, b->p.lid, v);
        }
        b->block = outer;
    }
    if (any) {
        ir_barrier(&b->p, b->block, local_fence);
        build_set_shape(b, SHAPE_BARRIER);
    }
}

void atomics_put_final(struct build *b)
{
    int any = 0;
    for (uint32_t i = 0; i < b->n_cells; i++) {
        struct cells *const c = &b->cells[i];
        if (c->place != PLACE_WORKGROUP) {
            continue;
        }
        if (!any) {
            ir_barrier(&b->p, b->block, local_fence);
            any = 1;
        }
        struct ir_block *const outer = enter_if_below(b, c->n_cells);
        struct ir_atomic const x = {
            .op = OP_core_AtomicLoad, .var = c->var, .scope = c->scope, .index = b->p.lid};
        if (b->p.vulkan_memory_model) {
            legal_add_atomic_needs(&b->p, &x);
            operand_probe(b, ir_atomic(&b->p, b->block, &x));
        } else {
            operand_probe(b, ir_load(&b->p, b->block, c->var, b->p.lid));
        }
        b->block = outer;
    }
}

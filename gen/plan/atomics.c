/* gen/plan/atomics.c -- atomic instructions on the cells of the plan. */
#include "gen/plan/atomics.h"

#include <assert.h>

#include "base/ops.h"
#include "base/spv.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/build.h"
#include "gen/plan/condition.h"
#include "gen/plan/operand.h"
#include "gen/tape/field.h"

enum {
    MAX_CHOICES = 16 /* of a list below */
};
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
static const struct choice vector_choices[] = {
    {OP_core_AtomicExchange, KIND_EXCHANGE, MASK_LS,     0},
    {OP_core_AtomicFAddEXT,  KIND_FADD,     MASK_ADD,    0},
    {OP_core_AtomicFAddEXT,  KIND_FSUB,     MASK_ADD,    1},
    {OP_core_AtomicFMinEXT,  KIND_FMIN,     MASK_MINMAX, 0},
    {OP_core_AtomicFMaxEXT,  KIND_FMAX,     MASK_MINMAX, 0},
};
static const struct choice bfloat_choices[] = {
  /* no subtraction: none of the type can be negated */
    {OP_core_AtomicLoad,     KIND_LOAD,     MASK_LS,     0},
    {OP_core_AtomicStore,    KIND_STORE,    MASK_LS,     0},
    {OP_core_AtomicExchange, KIND_EXCHANGE, MASK_LS,     0},
    {OP_core_AtomicFAddEXT,  KIND_FADD,     MASK_ADD,    0},
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

/* Among many operations on a cell, an unused store or exchange would hide one end of its link. */
static bool must_be_used(const struct build *b, const struct cells *c)
{
    enum {
        CROWD = 128
    };
    bool const is_looped = c == &b->cells[0] && build_has_hot_loop(b);
    uint32_t const n_next = b->dispatch.n_items * b->flow.n_iterations;
    return c->contended && (is_looped || c->n_ops + n_next > CROWD);
}

/* Weights are those of ops.def; a subtraction is an add again, half as often. */
static const struct choice *pick_from(const struct choice *list, unsigned n, unsigned mask,
                                      uint64_t choice)
{
    uint8_t weights[MAX_CHOICES] = {0};
    assert(n <= MAX_CHOICES);
    for (unsigned i = 0; i < n; i++) {
        if (list[i].mask & mask) {
            weights[i] = (uint8_t)(op_rows[list[i].op].weight >> list[i].negate);
        }
    }
    return &list[build_pick(weights, n, choice)];
}

/* An operation on integers: any that the case may have on such cells. */
static const struct choice *pick_integer(const struct build *b, const struct cells *c, uint64_t v)
{
    struct choice const *const list = integer_choices;
    uint8_t weights[ARRAY_N(integer_choices)];
    for (unsigned i = 0; i < ARRAY_N(weights); i++) {
        struct ir_atomic const x = {.op = list[i].op, .generic = c->generic};
        bool const may = legal_may_atomic(&b->p, &b->p.vars[c->var], &x);
        weights[i] = may ? (uint8_t)op_rows[list[i].op].weight : 0;
    }
    return &list[build_pick(weights, ARRAY_N(weights), v)];
}

static const struct choice *pick_choice(const struct build *b, const struct cells *c, uint64_t v)
{
    if (c->bits_form) {
        return pick_from(bits_choices, ARRAY_N(bits_choices), MASK_LS, v);
    }
    if (!ir_type_is_float(c->type)) {
        return pick_integer(b, c, v);
    }
    if (c->policy == POLICY_MINMAX) {
        return &float_choices[c->is_max ? ARRAY_N(float_choices) - 1 : ARRAY_N(float_choices) - 2];
    }
    if (c->type == IR_BF16) {
        return pick_from(bfloat_choices, ARRAY_N(bfloat_choices), c->ops, v);
    }
    return c->n_components > 1 ? pick_from(vector_choices, ARRAY_N(vector_choices), c->ops, v)
                               : pick_from(float_choices, ARRAY_N(float_choices), c->ops, v);
}

/* The cell that this invocation goes to; `choice` for a constant one. */
static struct ir_inst *cell_index(struct build *b, const struct cells *c, uint64_t choice)
{
    struct ir_inst *const own = c->place == PLACE_WORKGROUP ? b->p.lid : b->p.gid;
    struct ir_inst *const n = operand_i32(b, c->n_cells);
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
        return operand_int(b, SpvOpUMod, operand_random(b, choice, true), n);
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

/* Draws for x, which has its op, var and scope: the order of memory, the storage classes it is about, whether
 * the pointer is a generic one, and whether the atomic stands in a function of its own. */
static void put_order(struct build *b, const struct cells *c, struct tape *t, struct ir_atomic *x)
{
    /* four bits for legal_get_semantics, and one above them: if that is 0, no storage class is asked for */
    enum {
        N_CLASS_DRAWS = 32,
        CLASSES_FROM = 16,
        AVAILABILITY_BIT = 8 /* of the four, the one that is no storage class */
    };
    static const uint8_t orders[LEGAL_ORDERS] = {55, 12, 12, 14, 7};
    tape_name_node(t, NODE_PLAIN);
    uint8_t weights[LEGAL_ORDERS];
    for (unsigned i = 0; i < LEGAL_ORDERS; i++) {
        weights[i] = legal_may_order(&b->p, (enum legal_order)i) ? orders[i] : 0;
    }
    enum legal_order const order =
        (enum legal_order)build_draw(t, weights, LEGAL_ORDERS, ROLE_SCOPE);
    unsigned const drawn = (unsigned)tape_take_below(t, N_CLASS_DRAWS, ROLE_SCOPE);
    unsigned const classes = drawn < CLASSES_FROM ? drawn & AVAILABILITY_BIT : drawn;
    bool const wants_function = tape_take_chance(t, 12, ROLE_FORM);
    bool const by_generic = tape_take_below(t, 100, ROLE_FORM) >= 25;
    struct legal_semantics const s = legal_get_semantics(&b->p, x, order, classes);
    x->semantics = s.semantics;
    x->unequal = s.unequal;
    x->generic = c->generic && by_generic;
    x->function = true;
    bool const function = wants_function && legal_may_atomic(&b->p, &b->p.vars[x->var], x);
    x->function = function;
    set_order_shape(b, s.order);
    build_set_shape_if(b, SHAPE_FUNCTION, function);
}

static bool takes_value(enum op_id op)
{
    return op != OP_core_AtomicLoad && op != OP_core_AtomicIIncrement &&
           op != OP_core_AtomicIDecrement;
}

/* What an operand of a cell is made from: a node of the tape, or one decision. */
struct source {
    struct tape *node; /* NULL: `choice` */
    uint64_t choice;
    uint32_t component; /* that it is for */
};

/* Operand of an add whose sum stays exact, or that is a power of two of its own. Components of a vector have
 * these powers in an order of their own, to be told apart. */
static struct ir_inst *exact_operand(struct build *b, struct cells *c, struct source from)
{
    enum {
        APART = 5 /* powers between those of two components */
    };
    bool is_const = field_get(from.choice, PERCENT) < 30;
    struct input what = c->operand;
    if (from.node) {
        tape_name_node(from.node, NODE_OPERAND);
        is_const = tape_take_below(from.node, 100, ROLE_FORM) < 30;
    }
    what.seed ^= from.node ? tape_take_u64(from.node, ROLE_SEED) : from.choice;
    if (c->distinct) {
        uint32_t const sharers = (b->dispatch.n_items + what.share - 1) / what.share;
        what.first = c->n_sites * sharers + from.component * APART;
        build_set_shape(b, SHAPE_OPERAND_LOADED);
        return operand_load(b, &what, 0);
    }
    build_set_shape(b, is_const ? SHAPE_OPERAND_CONST : SHAPE_OPERAND_LOADED);
    return is_const ? ir_const(&b->p, c->type, inputs_get_value(&what, 0))
                    : operand_load(b, &what, 1);
}

/* What hundreds of operations on one cell are made of, so that their order can be told: no stores,
 * and no steps of one, which come to the same values again and again. */
static const struct choice *replace_in_crowd(const struct choice *c)
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

static struct ir_inst *value_operand(struct build *b, struct cells *c, struct source from,
                                     enum op_id op)
{
    struct tape *const t = from.node;
    if (c->policy == POLICY_EXACT_ADDS) {
        return exact_operand(b, c, from);
    }
    enum input_use const use = use_of(b, c, op);
    if (!t) {
        return operand_plain_float(b, from.choice, c->type, use);
    }
    if (c->bits_form) {
        return operand_cast(b, operand_float(b, t, ir_type_as_float(c->type), use), c->type);
    }
    bool const may_compute = ir_type_is_float(c->type) && c->type != IR_BF16;
    return may_compute ? operand_float(b, t, c->type, use) : operand_integer(b, t, c->type, use);
}

/* Does one more site fit into the case and this cell's policy? Takes its share if so. */
static bool take_budget(struct build *b, struct cells *c)
{
    uint32_t const n = b->dispatch.n_items * b->flow.n_iterations;
    uint32_t const n_updates = n * (c->n_components > 1 ? c->n_components : 1);
    bool const is_exact = c->policy == POLICY_EXACT_ADDS;
    if (b->progress.n_atomics + n_updates > b->body.max_atomics) {
        return false;
    }
    if (is_exact && c->distinct && (b->flow.n_iterations > 1 || c->n_sites == c->max_sites)) {
        return false; /* each iteration would add the same powers again */
    }
    if (is_exact && !c->distinct) {
        if (c->ops_left < n) {
            return false;
        }
        c->ops_left -= n;
    }
    b->progress.n_atomics += n_updates;
    return true;
}

static bool is_used(const struct build *b, const struct cells *c, enum op_id op, bool wants_use)
{
    if (op == OP_core_AtomicStore) {
        return false;
    }
    switch (c->policy) {
    case POLICY_USED:
        return c->contended || wants_use;
    case POLICY_UNUSED_HEAD:
        return op != OP_core_AtomicExchange || wants_use || must_be_used(b, c);
    case POLICY_EXACT_ADDS:
    case POLICY_MINMAX:
    case POLICY_RANDOM_ADDS:
        return false;
    }
    assert(0 && "cell_policy out of range");
    return true;
}

/* A result of one number is probed where it is used and remembered for later operands. */
static void put_number(struct build *b, const struct cells *c, struct ir_inst *result,
                       bool is_probed)
{
    if (is_probed) {
        operand_probe(b, result);
    }
    struct ir_inst *const v =
        c->bits_form ? operand_cast(b, result, ir_type_as_float(c->type)) : result;
    operand_remember(b, v, RESULT_OF_ATOMIC, is_probed);
}

static void put_result(struct build *b, const struct cells *c, struct ir_inst *result,
                       bool is_probed)
{
    build_set_shape(b, SHAPE_USED);
    if (c->n_components < 2) {
        put_number(b, c, result, is_probed);
        return;
    }
    for (uint32_t k = 0; k < c->n_components; k++) {
        put_number(b, c, operand_part(b, result, k), is_probed);
    }
}

/* Where the operands of an atomic come from. */
struct sources {
    struct tape value, comparator;
    uint64_t more[2]; /* of the third and fourth component of a vector */
};

/* A vector takes no comparator: what would be that gives its second component. */
static struct ir_inst *put_vector(struct build *b, struct cells *c, const struct choice *choice,
                                  struct sources *from)
{
    struct ir_inst *part[IR_MAX_COMPONENTS];
    struct source const by_component[IR_MAX_COMPONENTS] = {
        {&from->value,      0,             0},
        {&from->comparator, 0,             1},
        {NULL,              from->more[0], 2},
        {NULL,              from->more[1], 3}
    };
    for (uint32_t k = 0; k < c->n_components; k++) {
        part[k] = value_operand(b, c, by_component[k], choice->op);
        if (choice->negate) {
            part[k] = operand_plain(b, SpvOpFNegate, c->type, part[k], NULL);
        }
        if (c->contended) {
            operand_probe_unless_known(b, part[k]);
        }
    }
    return operand_vector(b, c->n_components, part);
}

/* Operands of x, which has its op. The order of operations on a contended cell is told by operands
 * that are known. */
static void put_operands(struct build *b, struct cells *c, const struct choice *choice,
                         struct sources *from, struct ir_atomic *x)
{
    if (c->n_components > 1) {
        x->value = put_vector(b, c, choice, from);
        return;
    }
    if (takes_value(x->op)) {
        x->value = value_operand(b, c, (struct source){.node = &from->value}, x->op);
    }
    if (x->op == OP_core_AtomicCompareExchange) {
        x->comparator = value_operand(b, c, (struct source){.node = &from->comparator}, x->op);
    }
    if (choice->negate) {
        x->value = operand_plain(b, SpvOpFNegate, c->type, x->value, NULL);
    }
    if (c->contended && x->value) {
        operand_probe_unless_known(b, x->value);
    }
    if (c->contended && x->comparator) {
        operand_probe_unless_known(b, x->comparator);
    }
}

/* Puts one atomic instruction on a group of cells: on the first group in the hot loop (is_hot), else on a
 * drawn group. Nothing is put where the case or the policy of the cells has no room for it. Its result is
 * stored (probed) where it is used. All decisions are drawn first, so that the outcome of one moves no
 * other. */
void atomics_put(struct build *b, struct tape *t, bool is_hot)
{
    enum {
        USE_PERCENT = 72 /* results that are used, where the policy lets choose */
    };
    tape_name_node(t, NODE_STATEMENT);
    tape_skip(t, 1); /* its kind */
    uint64_t const cell_choice = tape_take_u64(t, ROLE_PLACE);
    struct cells *const c = &b->cells[is_hot ? 0 : cell_choice % b->n_cells];
    const struct choice *choice = pick_choice(b, c, tape_take_u64(t, ROLE_OPERATION));
    bool const wants_use = tape_take_below(t, 100, ROLE_FORM) < USE_PERCENT;
    bool const wants_probe = tape_take_below(t, 100, ROLE_FORM) < b->body.probe_percent;
    uint64_t const index = tape_take_u64(t, ROLE_PLACE);
    struct sources from = {
        .more = {0, 0}
    };
    /* the nodes `value` and `comparator` give the first two components of a vector (put_vector) */
    for (uint32_t k = 2; k < c->n_components; k++) {
        from.more[k - 2] = tape_take_u64(t, ROLE_SEED);
    }
    struct tape order = tape_fork(t);
    from.value = tape_fork(t);
    from.comparator = tape_fork(t);
    if (must_be_used(b, c)) {
        choice = replace_in_crowd(choice);
    }
    if (!take_budget(b, c)) {
        return;
    }
    struct ir_atomic x = {.op = choice->op, .var = c->var, .scope = c->scope};
    x.index = cell_index(b, c, index);
    put_operands(b, c, choice, &from, &x);
    put_order(b, c, &order, &x);
    legal_add_atomic_needs(&b->p, &x);
    struct ir_inst *const result = ir_atomic(&b->p, b->flow.block, &x);
    c->n_sites++;
    c->n_ops += b->dispatch.n_items * b->flow.n_iterations;
    b->info.op_kinds |= UINT64_C(1) << choice->kind;
    if (is_used(b, c, x.op, wants_use)) {
        put_result(b, c, result, c->contended || wants_probe);
    } else if (x.op != OP_core_AtomicStore) { /* which has no result that could be unused */
        build_set_shape(b, SHAPE_UNUSED);
    }
}

/* ---- work-group cells: initialised by those whose index is below the number of cells ---- */

static const uint32_t local_fence = (uint32_t)SpvMemorySemanticsAcquireReleaseMask |
                                    (uint32_t)SpvMemorySemanticsWorkgroupMemoryMask;

/* Item number i goes on to initialise or read cell i. Returns the block outside. */
static struct ir_block *enter_for_each_cell(struct build *b, const struct cells *c)
{
    struct ir_block *const outer = b->flow.block;
    if (c->n_cells < b->dispatch.n_local) {
        struct ir_inst *const test = condition_compare(b, SpvOpULessThan, b->p.lid, c->n_cells);
        b->flow.block = ir_if(&b->p, outer, test)->body[0];
    }
    return outer;
}

static bool has_workgroup_cells(const struct build *b)
{
    for (uint32_t i = 0; i < b->n_cells; i++) {
        if (b->cells[i].place == PLACE_WORKGROUP) {
            return true;
        }
    }
    return false;
}

/* n times the number 0, as one. */
static struct ir_inst *put_zeros(struct build *b, const struct cells *c)
{
    struct ir_inst *part[IR_MAX_COMPONENTS];
    for (uint32_t k = 0; k < c->n_components; k++) {
        part[k] = ir_const(&b->p, c->type, 0);
    }
    return operand_vector(b, c->n_components, part);
}

/* The item's own cell, read or (value not NULL) written. In the Vulkan memory model a plain access
 * would be private: it would have no order with those of others. Vectors have no atomic load or store: there
 * an exchange does. */
static struct ir_inst *access_own_cell(struct build *b, const struct cells *c,
                                       struct ir_inst *value)
{
    struct ir_atomic x = {.op = value ? OP_core_AtomicStore : OP_core_AtomicLoad,
                          .var = c->var,
                          .scope = c->scope,
                          .index = b->p.lid,
                          .value = value};
    if (b->p.vulkan_memory_model && c->n_components > 1) {
        x.op = OP_core_AtomicExchange;
        x.value = value ? value : put_zeros(b, c);
    }
    if (b->p.vulkan_memory_model) {
        legal_add_atomic_needs(&b->p, &x);
        return ir_atomic(&b->p, b->flow.block, &x);
    }
    if (!value) {
        return ir_load(&b->p, b->flow.block, c->var, b->p.lid);
    }
    ir_store(&b->p, b->flow.block, c->var, b->p.lid, value);
    return NULL;
}

/* What a cell holds at first. Components have numbers of their own, but for literals. */
static struct ir_inst *put_initial(struct build *b, const struct cells *c)
{
    uint32_t const n = c->n_components > 1 ? c->n_components : 1;
    struct ir_inst *part[IR_MAX_COMPONENTS];
    for (uint32_t k = 0; k < n; k++) {
        struct input what = c->initial;
        what.seed += what.class == INPUT_LITERAL ? 0 : k * UINT64_C(0x9e3779b97f4a7c15);
        part[k] = operand_cast(b, operand_load(b, &what, false), c->type);
    }
    return operand_vector(b, n, part);
}

static void put_final(struct build *b, const struct cells *c, struct ir_inst *value)
{
    if (c->n_components < 2) {
        operand_probe(b, value);
        return;
    }
    for (uint32_t k = 0; k < c->n_components; k++) {
        operand_probe(b, operand_part(b, value, k));
    }
}

bool atomics_has_local(const struct build *b)
{
    for (uint32_t i = 0; i < b->n_cells; i++) {
        if (b->cells[i].place == PLACE_WORKGROUP && b->cells[i].n_ops > 0) {
            return true;
        }
    }
    return false;
}

void atomics_put_initial(struct build *b)
{
    for (uint32_t i = 0; i < b->n_cells; i++) {
        const struct cells *const c = &b->cells[i];
        if (c->place == PLACE_WORKGROUP) {
            struct ir_block *const outer = enter_for_each_cell(b, c);
            (void)access_own_cell(b, c, put_initial(b, c));
            b->flow.block = outer;
        }
    }
    if (has_workgroup_cells(b)) {
        ir_barrier(&b->p, b->flow.block, local_fence);
        build_set_shape(b, SHAPE_BARRIER);
    }
}

void atomics_put_final(struct build *b)
{
    if (has_workgroup_cells(b)) {
        ir_barrier(&b->p, b->flow.block, local_fence);
    }
    for (uint32_t i = 0; i < b->n_cells; i++) {
        const struct cells *const c = &b->cells[i];
        if (c->place == PLACE_WORKGROUP) {
            struct ir_block *const outer = enter_for_each_cell(b, c);
            put_final(b, c, access_own_cell(b, c, NULL));
            b->flow.block = outer;
        }
    }
}

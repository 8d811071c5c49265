/* gen/emit/emit_body.c -- the body of the entry function: atomics, plain accesses, control flow. */
#include "gen/emit/emit_body.h"

#include <assert.h>

#include "base/ops.h"
#include "base/spv.h"
#include "gen/emit/emit_frame.h"
#include "gen/emit/emit_group.h"
#include "gen/emit/emit_math.h"
#include "gen/emit/emit_struct.h"
#include "gen/ir/ir.h"

static void put_label(struct emit *e, uint32_t label)
{
    spv_put(&e->main, SpvOpLabel, &label, 1);
    e->label = label;
}

static void put_branch(struct emit *e, uint32_t label)
{
    spv_put(&e->main, SpvOpBranch, &label, 1);
}

/* The type of an element of a variable. */
static uint32_t cell_type(struct emit *e, uint32_t var)
{
    const struct ir_var *const v = &e->p->vars[var];
    return emit_vector(e, v->type, ir_var_components(v));
}

/* The atomic at `pointer`, its operands named; the result has the id `result`. */
struct atomic_ids {
    uint32_t type, result, pointer, value, comparator;
};

/* Puts the words of the atomic x into w, in the order of its operands: type and result (a store has none),
 * pointer, scope, memory semantics (two of them with a comparator), value, comparator. */
static void put_atomic_words(struct emit *e, struct spv_words *w, const struct ir_atomic *x,
                             struct atomic_ids ids)
{
    uint32_t words[8];
    uint32_t n = 0;
    bool const has_result = x->op != OP_core_AtomicStore;
    if (has_result) {
        words[n++] = ids.type;
        words[n++] = ids.result;
    }
    words[n++] = ids.pointer;
    words[n++] = emit_const(e, IR_I32, x->scope);
    words[n++] = emit_const(e, IR_I32, x->semantics);
    if (x->comparator) {
        words[n++] = emit_const(e, IR_I32, x->unequal);
    }
    if (x->value) {
        words[n++] = ids.value;
    }
    if (x->comparator) {
        words[n++] = ids.comparator;
    }
    spv_put(w, op_rows[x->op].number, words, n);
}

static struct emit_address cast_to_generic(struct emit *e, struct emit_address at,
                                           enum ir_type type)
{
    uint32_t const pointer = emit_pointer_type(e, SpvStorageClassGeneric, emit_type(e, type));
    at.pointer = emit_result(e, &e->main, SpvOpPtrCastToGeneric, pointer, &at.pointer, 1);
    at.storage = SpvStorageClassGeneric;
    return at;
}

/* Is the function handed the whole variable and the index? Vulkan's pointers to an element may be passed for
 * storage buffers alone, of which the physical ones are. */
static bool passes_variable(const struct emit *e, const struct ir_atomic *x)
{
    enum ir_var_kind const kind = e->p->vars[x->var].kind;
    return e->p->env == ENV_VK && kind != VAR_BUFFER && kind != VAR_PHYSICAL;
}

/* Puts a function that does the atomic x, and returns its id. Its parameters are a pointer of type
 * `pointer_type`, then the value and comparator that x has. The pointer is to the cell; or to the variable,
 * and then an index follows (passes_variable). types[0] is the result's type and params[0] is not used, so
 * that type and id of a parameter have the same index. */
static uint32_t put_function(struct emit *e, const struct ir_atomic *x, enum ir_type result,
                             uint32_t pointer_type)
{
    uint32_t const cell = cell_type(e, x->var);
    enum {
        MOST_PARAMETERS = 4 /* pointer, index, value, comparator */
    };
    uint32_t types[1 + MOST_PARAMETERS] = {result == IR_VOID ? emit_type(e, IR_VOID) : cell,
                                           pointer_type};
    uint32_t params[1 + MOST_PARAMETERS] = {0};
    uint32_t n = 2;
    if (passes_variable(e, x)) {
        types[n++] = emit_type(e, IR_I32);
    }
    uint32_t const at_value = n;
    if (x->value) {
        types[n++] = cell;
    }
    uint32_t const at_comparator = n;
    if (x->comparator) {
        types[n++] = cell;
    }
    uint32_t const function = emit_begin_function(e, types, n, params);
    struct emit_address at = {.pointer = params[1]};
    if (e->p->vars[x->var].kind == VAR_PHYSICAL) { /* a parameter must say so */
        emit_decorate(e, params[1], SpvDecorationAliased, NULL);
    }
    if (passes_variable(e, x)) {
        at = emit_frame_address(e, &e->functions, x->var, params[1], params[2], NULL);
    }
    struct atomic_ids ids = {.type = cell,
                             .pointer = at.pointer,
                             .value = x->value ? params[at_value] : 0,
                             .comparator = x->comparator ? params[at_comparator] : 0};
    ids.result = result == IR_VOID ? 0 : emit_new_id(e);
    put_atomic_words(e, &e->functions, x, ids);
    emit_end_function(e, ids.result);
    return function;
}

/* Call such a function. `ids` names the operands; pointer_type is that of ids.pointer. */
static void put_call(struct emit *e, struct ir_inst *i, uint32_t pointer_type,
                     struct atomic_ids ids)
{
    const struct ir_atomic *const x = i->atomic;
    uint32_t const function = put_function(e, x, i->type, pointer_type);
    uint32_t words[8] = {emit_value_type(e, i), emit_value(e, i), function, ids.pointer};
    uint32_t n = 4;
    if (passes_variable(e, x)) {
        words[n++] = emit_value(e, x->index);
    }
    if (x->value) {
        words[n++] = ids.value;
    }
    if (x->comparator) {
        words[n++] = ids.comparator;
    }
    spv_put(&e->main, SpvOpFunctionCall, words, n);
    emit_odd(e, ODD_CALL, i->type, words[1]);
}

/* Puts an atomic instruction: inline, or as a call of a function that does it. The function gets a pointer
 * to the cell; or, where Vulkan forbids to pass such a pointer, the variable and the index
 * (passes_variable). emit_odd puts a max-error decoration on the result, where it means nothing, if the
 * case is to have one there. */
static void put_atomic(struct emit *e, struct ir_inst *i)
{
    const struct ir_atomic *const x = i->atomic;
    const struct ir_var *const var = &e->p->vars[x->var];
    uint32_t const base = e->var_ids[x->var];
    struct atomic_ids ids = {.type = cell_type(e, x->var)};
    ids.value = x->value ? emit_value(e, x->value) : 0;
    ids.comparator = x->comparator ? emit_value(e, x->comparator) : 0;
    if (x->function && passes_variable(e, x)) {
        /* else it is an image or texel buffer: atomics come to no other kind */
        uint32_t const storage =
            var->kind == VAR_LOCAL ? SpvStorageClassWorkgroup : SpvStorageClassUniformConstant;
        ids.pointer = base;
        put_call(e, i, emit_pointer_type(e, storage, e->var_type_ids[x->var]), ids);
        return;
    }
    struct emit_address at =
        emit_frame_address(e, &e->main, x->var, base, emit_value(e, x->index), NULL);
    if (x->generic) {
        at = cast_to_generic(e, at, var->type);
    }
    ids.pointer = at.pointer;
    if (x->function) {
        put_call(e, i, emit_pointer_type(e, at.storage, ids.type), ids);
        return;
    }
    ids.result = i->type == IR_VOID ? 0 : emit_value(e, i);
    put_atomic_words(e, &e->main, x, ids);
    emit_odd(e, ODD_ATOMIC, i->type, ids.result);
}

static void put_block(struct emit *e, const struct ir_block *b);

/* The phis of a chain: their first operand comes from block from[0], their second from from[1]. */
static void put_phis(struct emit *e, struct ir_inst *first, const uint32_t from[2])
{
    for (struct ir_inst *phi = first; phi; phi = phi->next) {
        uint32_t const words[] = {emit_value_type(e, phi),    emit_value(e, phi),
                                  emit_value(e, phi->arg[0]), from[0],
                                  emit_value(e, phi->arg[1]), from[1]};
        spv_put(&e->main, SpvOpPhi, words, 6);
        emit_max_error(e, phi, words[1]);
        emit_odd(e, ODD_PHI, phi->type, words[1]);
    }
}

/* An arm of a branch, which begins with `label` and goes on at `merge`. Returns the block that it
 * ends in. */
static uint32_t put_arm(struct emit *e, const struct ir_block *body, uint32_t label, uint32_t merge)
{
    put_label(e, label);
    put_block(e, body);
    uint32_t const last = e->label;
    if (!ir_block_ends(body)) {
        put_branch(e, merge);
    }
    return last;
}

/* OpSelectionMerge or OpLoopMerge; next is 0 in a selection. */
static void put_merge(struct emit *e, const struct ir_inst *i, uint32_t merge, uint32_t next)
{
    uint32_t words[3 + ARRAY_N(i->hint->operand)] = {merge};
    uint32_t n = 1;
    if (next != 0) {
        words[n++] = next;
    }
    words[n++] = i->hint ? i->hint->mask : 0; /* None of either */
    for (uint32_t k = 0; i->hint && k < i->hint->n; k++) {
        words[n++] = i->hint->operand[k];
    }
    spv_put(&e->main, next != 0 ? SpvOpLoopMerge : SpvOpSelectionMerge, words, n);
}

static void put_if(struct emit *e, struct ir_inst *i)
{
    uint32_t const then_label = emit_new_id(e);
    uint32_t const else_label = i->body[1] ? emit_new_id(e) : 0;
    uint32_t const merge = emit_new_id(e);
    uint32_t const branch[] = {emit_value(e, i->arg[0]), then_label,
                               else_label ? else_label : merge};
    uint32_t from[2] = {0, e->label};
    put_merge(e, i, merge, 0);
    spv_put(&e->main, SpvOpBranchConditional, branch, 3);
    from[0] = put_arm(e, i->body[0], then_label, merge);
    if (i->body[1]) {
        from[1] = put_arm(e, i->body[1], else_label, merge);
    }
    put_label(e, merge);
    put_phis(e, i->phi, from);
}

/* Puts a loop of i->arg[0] iterations. Its blocks are, in order: header (phis of the counter and of what is
 * carried), test, body, next (the continue target, which increments the counter) and merge. */
static void put_loop(struct emit *e, struct ir_inst *i)
{
    struct ir_inst *const counter = i->phi;
    uint32_t const i32 = emit_type(e, IR_I32);
    uint32_t const before = e->label;
    uint32_t const header = emit_new_id(e);
    uint32_t const test = emit_new_id(e);
    uint32_t const body = emit_new_id(e);
    uint32_t const next = emit_new_id(e);
    uint32_t const merge = emit_new_id(e);
    uint32_t const counted = emit_new_id(e);
    put_branch(e, header);
    put_label(e, header);
    uint32_t const count[] = {
        i32, emit_value(e, counter), emit_const(e, IR_I32, 0), before, counted, next};
    spv_put(&e->main, SpvOpPhi, count, 6);
    put_phis(e, counter->next, (uint32_t[]){before, next}); /* the phis after the counter */
    put_merge(e, i, merge, next);
    put_branch(e, test);
    put_label(e, test);
    uint32_t const compared[] = {emit_value(e, counter), emit_value(e, i->arg[0])};
    uint32_t const more =
        emit_result(e, &e->main, SpvOpULessThan, emit_type(e, IR_BOOL), compared, 2);
    spv_put(&e->main, SpvOpBranchConditional, (uint32_t[]){more, body, merge}, 3);
    put_label(e, body);
    put_block(e, i->body[0]);
    put_branch(e, next);
    put_label(e, next);
    uint32_t const add[] = {i32, counted, emit_value(e, counter), emit_const(e, IR_I32, 1)};
    spv_put(&e->main, SpvOpIAdd, add, 4);
    put_branch(e, header);
    put_label(e, merge);
}

/* ---- ways that converge ---- */

/* The block that is being written leads to j, with these values for its phis. */
static void add_way(struct emit *e, struct ir_join *j, struct ir_inst *const *value)
{
    assert(j->n_ways < IR_MAX_WAYS);
    j->way[j->n_ways].from = e->label;
    j->way[j->n_ways++].value = value;
}

static void put_way(struct emit *e, struct ir_join *j, struct ir_inst *const *value)
{
    add_way(e, j, value);
    put_branch(e, j->label);
}

/* The label where ways converge, when all of them are put. */
static void put_join(struct emit *e, const struct ir_join *j)
{
    put_label(e, j->label);
    for (uint32_t k = 0; k < j->n; k++) {
        uint32_t words[2 + 2 * IR_MAX_WAYS] = {emit_type(e, j->phi[k]->type)};
        uint32_t n = 2;
        words[1] = emit_value(e, j->phi[k]);
        for (uint32_t w = 0; w < j->n_ways; w++) {
            words[n++] = emit_value(e, j->way[w].value[k]);
            words[n++] = j->way[w].from;
        }
        spv_put(&e->main, SpvOpPhi, words, n);
        emit_odd(e, ODD_PHI, j->phi[k]->type, words[1]);
    }
}

static void put_goto(struct emit *e, struct ir_inst *i)
{
    assert(i->bits == i->join->n);
    put_way(e, i->join, i->part);
}

/* A literal of OpSwitch: as many words as the selector has; a narrow one is sign-extended where that has a
 * sign, and our integers have none. */
static uint32_t put_literal(uint32_t *words, uint32_t n, enum ir_type type, uint64_t literal)
{
    words[n++] = (uint32_t)literal;
    if (ir_type_bits(type) == 64) {
        words[n++] = (uint32_t)(literal >> 32);
    }
    return n;
}

/* Puts a switch: OpSwitch with selector, default label, and a label for each literal; then the blocks of
 * the arms and the merge block. Each arm's first block, and the merge block where no arm is the default, is
 * also reached from the selector (add_way), with values for its phis. */
static void put_switch(struct emit *e, struct ir_inst *i)
{
    struct ir_switch *const s = i->arms;
    enum { /* operands of OpSwitch */
        SELECTOR,
        DEFAULT,
        FIRST_LITERAL
    };
    /* a literal has up to two words, and a label after it */
    uint32_t words[FIRST_LITERAL + 3 * IR_MAX_ARMS * IR_MAX_LITERALS];
    uint32_t n = FIRST_LITERAL;
    words[SELECTOR] = emit_value(e, i->arg[0]);
    s->join.label = emit_new_id(e);
    words[DEFAULT] = s->join.label;
    for (uint32_t k = 0; k < s->n_arms; k++) {
        struct ir_switch_arm *const arm = &s->arm[k];
        arm->join.label = emit_new_id(e);
        words[DEFAULT] = arm->is_default ? arm->join.label : words[DEFAULT];
        for (uint32_t l = 0; l < arm->n_literals; l++) {
            n = put_literal(words, n, i->arg[0]->type, arm->literal[l]);
            words[n++] = arm->join.label;
        }
        add_way(e, &arm->join, arm->first);
    }
    if (words[DEFAULT] == s->join.label) { /* no arm is the default */
        add_way(e, &s->join, s->past);
    }
    put_merge(e, i, s->join.label, 0); /* 0: a selection, which has no continue target */
    spv_put(&e->main, SpvOpSwitch, words, n);
    for (uint32_t k = 0; k < s->n_arms; k++) {
        put_join(e, &s->arm[k].join);
        put_block(e, s->arm[k].block);
    }
    put_join(e, &s->join);
}

/* The test of a loop, which goes on at `label`. */
static void put_test(struct emit *e, struct ir_tested_loop *t, uint32_t label)
{
    put_block(e, t->test);
    add_way(e, &t->end, t->out);
    uint32_t const branch[] = {emit_value(e, t->condition), label, t->end.label};
    spv_put(&e->main, SpvOpBranchConditional, branch, 3);
}

/* Puts a loop with a test of its own. Its header has the phis; then come, by where the test stands, the
 * block of a first test, the body, the continue target with the step and perhaps a last test, and the merge
 * block. */
static void put_tested_loop(struct emit *e, struct ir_inst *i)
{
    struct ir_tested_loop *const t = i->tested;
    uint32_t const before = e->label;
    uint32_t const header = emit_new_id(e);
    uint32_t const body = emit_new_id(e);
    t->next.label = emit_new_id(e);
    t->end.label = emit_new_id(e);
    put_branch(e, header);
    put_label(e, header);
    put_phis(e, i->phi, (uint32_t[]){before, t->next.label});
    put_merge(e, i, t->end.label, t->next.label);
    if (t->test_at == TEST_FIRST) {
        uint32_t const test = emit_new_id(e);
        put_branch(e, test);
        put_label(e, test);
        put_test(e, t, body);
    } else {
        put_branch(e, body);
    }
    put_label(e, body);
    put_block(e, i->body[0]);
    /* a body that ends by itself never comes to the continue target */
    if (!ir_block_ends(i->body[0])) {
        put_way(e, &t->next, t->on);
    }
    put_join(e, &t->next);
    put_block(e, t->step);
    if (t->test_at == TEST_LAST) {
        put_test(e, t, header);
    } else { /* tested at the top, or not at all */
        put_branch(e, header);
    }
    put_join(e, &t->end);
    if (t->is_endless) { /* the merge block must be there, but nothing leads to it */
        spv_put(&e->main, SpvOpUnreachable, NULL, 0);
    }
}

/* ---- variables and functions ---- */

/* The pointer type of a variable of class Function. */
static uint32_t local_pointer(struct emit *e, enum ir_type type)
{
    return emit_pointer_type(e, SpvStorageClassFunction, emit_type(e, type));
}

/* A variable of class Function more, of that type; returns its id. */
static uint32_t add_local(struct emit *e, uint32_t type)
{
    uint32_t const pointer = emit_pointer_type(e, SpvStorageClassFunction, type);
    return emit_result(e, &e->locals, SpvOpVariable, pointer, (uint32_t[]){SpvStorageClassFunction},
                       1);
}

/* Copies n_bytes, one value, between two pointers, in the way that i has. */
static void put_copy(struct emit *e, const struct ir_inst *i, uint32_t to, uint32_t from,
                     uint32_t n_bytes)
{
    uint32_t words[3] = {to, from, 0};
    bool const is_sized = i->spelling == SPELLED_SIZED;
    if (is_sized) {
        words[2] = emit_const(e, IR_I64, n_bytes);
    }
    spv_put(&e->main, is_sized ? SpvOpCopyMemorySized : SpvOpCopyMemory, words, is_sized ? 3 : 2);
}

static bool is_copied(const struct ir_inst *i)
{
    return i->spelling == SPELLED_COPY || i->spelling == SPELLED_SIZED;
}

/* Bytes of a value of n numbers; three lie as four. */
static uint32_t count_bytes(enum ir_type type, uint32_t n)
{
    return ir_type_bits(type) / 8 * (n == 3 ? 4 : n > 1 ? n : 1);
}

/* i's result by the n words of an OpLoad, of which the result is yet to be named. What has memory operands is no copy. */
static void put_loaded(struct emit *e, struct ir_inst *i, uint32_t *words, uint32_t n)
{
    enum {
        TYPE, /* words */
        RESULT,
        POINTER,
        PLAIN_WORDS
    };
    if (is_copied(i) && n == PLAIN_WORDS) {
        uint32_t const local = add_local(e, words[TYPE]);
        put_copy(e, i, local, words[POINTER], count_bytes(i->type, i->n_results));
        words[POINTER] = local;
    }
    bool const is_object = i->spelling == SPELLED_OBJECT;
    words[RESULT] = is_object ? emit_new_id(e) : emit_value(e, i);
    spv_put(&e->main, SpvOpLoad, words, n);
    if (is_object) {
        uint32_t const copy[] = {words[TYPE], emit_value(e, i), words[RESULT]};
        spv_put(&e->main, SpvOpCopyObject, copy, 3);
    }
}

/* The value goes by the n words of an OpStore, which is yet to name it; i is what stores it. */
static void put_stored(struct emit *e, const struct ir_inst *i, uint32_t *words, uint32_t n,
                       struct ir_inst *value)
{
    enum {
        POINTER, /* words */
        OBJECT,
        PLAIN_WORDS
    };
    uint32_t const type = emit_value_type(e, value);
    words[OBJECT] = emit_value(e, value);
    if (i->spelling == SPELLED_OBJECT) {
        words[OBJECT] = emit_result(e, &e->main, SpvOpCopyObject, type, &words[OBJECT], 1);
    }
    if (is_copied(i) && n == PLAIN_WORDS) {
        uint32_t const local = add_local(e, type);
        spv_put(&e->main, SpvOpStore, (uint32_t[]){local, words[OBJECT]}, 2);
        put_copy(e, i, words[POINTER], local, count_bytes(value->type, value->n_results));
        return;
    }
    spv_put(&e->main, SpvOpStore, words, n);
}

/* The id of a pointer; a variable is there from its first use on. */
static uint32_t name_pointer(struct emit *e, struct ir_inst *i)
{
    if (i->kind == IR_VARIABLE && i->id == 0) {
        i->id = emit_result(e, &e->locals, SpvOpVariable, local_pointer(e, i->type),
                            (uint32_t[]){SpvStorageClassFunction}, 1);
    }
    return emit_value(e, i);
}

static void put_read(struct emit *e, struct ir_inst *i)
{
    uint32_t const pointer = name_pointer(e, i->arg[0]);
    uint32_t words[] = {emit_type(e, i->type), 0, pointer};
    put_loaded(e, i, words, 3);
}

static void put_write(struct emit *e, struct ir_inst *i)
{
    uint32_t words[] = {name_pointer(e, i->arg[0]), 0};
    put_stored(e, i, words, 2, i->arg[1]);
}

/* Writes the function f behind the functions written so far. emit's calls append to e->main: so the words
 * of the entry point (main) and of the other functions are put aside, and f's words are collected in
 * e->main. Functions that the body of f calls are written to e->functions meanwhile, before f. */
static void put_own_function(struct emit *e, struct ir_function *f)
{
    enum {
        CONTROL = 3 /* word of OpFunction */
    };
    struct spv_words const main = e->main, functions = e->functions;
    uint32_t const label = e->label;
    uint32_t types[IR_MAX_PARAMETERS + 1] = {emit_type(e, f->type)};
    uint32_t params[IR_MAX_PARAMETERS + 1] = {0};
    for (uint32_t k = 0; k < f->n_parameters; k++) {
        const struct ir_inst *const parameter = f->parameter[k];
        types[k + 1] = /* bits: 1 for a pointer */
            parameter->bits ? local_pointer(e, parameter->type) : emit_type(e, parameter->type);
    }
    spv_words_init(&e->functions,
                   e->p->a); /* emit_begin_function writes there: this function by itself */
    f->id = emit_begin_function(e, types, f->n_parameters + 1, params);
    for (uint32_t k = 0; k < f->n_parameters; k++) {
        f->parameter[k]->id = params[k + 1];
    }
    e->main = e->functions;
    e->functions = functions;
    if (e->main.ok) {
        e->main.w[CONTROL] = f->control;
        e->label = e->main.w[e->main.n - 1]; /* of the OpLabel that emit_begin_function ends with */
    }
    put_block(e, f->body);
    spv_put(&e->main, SpvOpFunctionEnd, NULL, 0);
    spv_append(&e->functions, &e->main);
    e->main = main;
    e->label = label;
}

static void put_own_call(struct emit *e, struct ir_inst *i)
{
    struct ir_function *const f = i->function;
    uint32_t words[IR_MAX_PARAMETERS + 3] = {emit_type(e, f->type)};
    if (f->id == 0) {
        put_own_function(e, f);
    }
    for (uint32_t k = 0; k < f->n_parameters; k++) {
        words[k + 3] = name_pointer(e, i->part[k]);
    }
    words[1] = emit_value(e, i);
    words[2] = f->id;
    spv_put(&e->main, SpvOpFunctionCall, words, f->n_parameters + 3);
}

static void put_return(struct emit *e, struct ir_inst *i)
{
    uint32_t const value = i->arg[0] ? emit_value(e, i->arg[0]) : 0;
    spv_put(&e->main, value ? SpvOpReturnValue : SpvOpReturn, &value, value ? 1 : 0);
}

static struct emit_address put_address(struct emit *e, struct ir_inst *i)
{
    const struct ir_var *const var = &e->p->vars[i->var];
    uint32_t const index = emit_value(e, i->arg[0]);
    struct emit_part part = {.n = i->path ? i->path->n : 0};
    for (uint32_t k = 0; k < part.n; k++) {
        struct ir_inst *const step = i->path->index[k];
        /* that of a member is an OpConstant, and nothing else */
        part.index[k] =
            step->kind == IR_CONST ? emit_const(e, step->type, step->bits) : emit_value(e, step);
    }
    if (part.n > 0) {
        bool const is_laid_out = ir_var_is_laid_out(var, e->p->env);
        part.type = emit_part_type(e, var->of_struct, is_laid_out, i->path);
    }
    return emit_frame_address(e, &e->main, i->var, e->var_ids[i->var], index,
                              part.n > 0 ? &part : NULL);
}

/* Adds the operands by which the access reaches other invocations, under Vulkan's memory model; the new number of
 * words. `own`: what the access does for that itself, where barriers do not. */
static uint32_t add_sharing(struct emit *e, const struct ir_inst *i, uint32_t own, uint32_t *words,
                            uint32_t n)
{
    if (!e->p->vulkan_memory_model || !e->p->vars[i->var].is_exchanged) {
        return n;
    }
    words[n++] = SpvMemoryAccessNonPrivatePointerMask | (e->p->shares_at_barriers ? 0 : own);
    if (!e->p->shares_at_barriers) {
        words[n++] = emit_const(e, IR_I32, SpvScopeWorkgroup);
    }
    return n;
}

static void put_load(struct emit *e, struct ir_inst *i)
{
    struct emit_address const at = put_address(e, i);
    uint32_t words[5] = {emit_value_type(e, i), 0, at.pointer};
    uint32_t const n = add_sharing(e, i, SpvMemoryAccessMakePointerVisibleMask, words, 3);
    put_loaded(e, i, words, n);
    emit_odd(e, ODD_LOAD, i->type, emit_value(e, i));
}

static void put_store(struct emit *e, struct ir_inst *i)
{
    struct emit_address const at = put_address(e, i);
    uint32_t words[4] = {at.pointer};
    uint32_t const n = add_sharing(e, i, SpvMemoryAccessMakePointerAvailableMask, words, 2);
    put_stored(e, i, words, n, i->arg[1]);
}

/* What a barrier of the work-group says of memory. */
static uint32_t semantics_of(const struct ir_program *p, const struct ir_inst *i)
{
    bool const orders = (i->bits & SpvMemorySemanticsAcquireReleaseMask) != 0;
    uint32_t const shares = SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask;
    return (uint32_t)i->bits | (orders && p->shares_at_barriers ? shares : 0);
}

static void put_barrier(struct emit *e, struct ir_inst *i)
{
    uint32_t const scope = emit_const(e, IR_I32, SpvScopeWorkgroup);
    uint32_t const memory = i->op ? emit_const(e, IR_I32, i->op) : scope;
    uint32_t const words[] = {scope, memory, emit_const(e, IR_I32, semantics_of(e->p, i))};
    spv_put(&e->main, SpvOpControlBarrier, words, 3);
}

/* Instructions of a block, by kind. Constants, ids and phis are no such: they are put where they are first used, at the
 * entry, and by their branch or loop. */
static void (*const put_kinds[IR_KIND_N])(struct emit *e, struct ir_inst *i) = {
    [IR_PLAIN] = emit_plain,       [IR_VECTOR] = emit_composite, [IR_SECOND] = emit_second,
    [IR_LOAD] = put_load,          [IR_STORE] = put_store,       [IR_MEMBER] = emit_member,
    [IR_INSERT] = emit_insert,     [IR_STRUCT] = emit_construct, [IR_ATOMIC] = put_atomic,
    [IR_GROUP] = emit_group,       [IR_EXTRACT] = emit_extract,  [IR_TOLD] = emit_frame_told,
    [IR_SUBGROUP] = emit_subgroup, [IR_BARRIER] = put_barrier,   [IR_IF] = put_if,
    [IR_LOOP] = put_loop,          [IR_SWITCH] = put_switch,     [IR_TESTED_LOOP] = put_tested_loop,
    [IR_GOTO] = put_goto,          [IR_RETURN] = put_return,     [IR_READ] = put_read,
    [IR_WRITE] = put_write,        [IR_CALL] = put_own_call,
};

static void put_block(struct emit *e, const struct ir_block *b)
{
    for (struct ir_inst *i = b->first; i; i = i->next) {
        assert(put_kinds[i->kind]);
        put_kinds[i->kind](e, i);
    }
}

void emit_body(struct emit *e)
{
    put_label(e, emit_new_id(e));
    e->locals_at = e->main.n;
    emit_frame_items(e);
    put_block(e, &e->p->main);
    if (!ir_block_ends(&e->p->main)) {
        spv_put(&e->main, SpvOpReturn, NULL, 0);
    }
    spv_put(&e->main, SpvOpFunctionEnd, NULL, 0);
}

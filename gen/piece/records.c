/* gen/piece/records.c -- the piece of structs: arrays of them in each kind of memory, indexed by data. */
#include "gen/piece/records.h"

#include "base/format.h"
#include "base/spv.h"
#include "gen/inputs/inputs_number.h"
#include "gen/ir/ir.h"
#include "gen/ir/layout.h"
#include "gen/ir/legal.h"
#include "gen/piece/exchange.h"
#include "gen/plan/body.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"
#include "gen/tape/field.h"
#include "gen/tape/tape.h"

/* An array of structs, and how the piece goes about it. */
struct records {
    struct build *b;
    enum ir_var_kind kind;
    const struct ir_struct *of;
    uint32_t var, n; /* n: elements that this invocation or its work-group has */
    uint32_t n_leaves;
    uint64_t seed, digits, fences;
    struct ir_inst *word[IR_TYPE_N]; /* of each type that it has, loaded */
    struct ir_inst *base;            /* of the first element; NULL: 0 */
};

static uint32_t take_digit(struct records *r, uint32_t n)
{
    return layout_take_digit(&r->digits, n);
}

static void count_built(const struct records *r)
{
    r->b->progress.n_built++;
}

/* ---- numbers ---- */

/* A number of that type that the invocation has for itself. */
static struct ir_inst *put_word(struct records *r, enum ir_type type)
{
    if (!r->word[type]) {
        uint64_t const seed = r->seed + (uint64_t)type * UINT64_C(0x9e3779b97f4a7c15);
        r->word[type] = exchange_put_word(r->b, type, seed);
    }
    return r->word[type];
}

/* What a leaf of that kind holds: each of its numbers another one, by `salt`. */
static struct ir_inst *put_value(struct records *r, const struct leaf *of, uint32_t salt)
{
    struct ir_inst *part[IR_MAX_COMPONENTS] = {NULL};
    for (uint32_t c = 0; c < of->n_components; c++) {
        struct ir_inst *const own = put_word(r, of->type);
        part[c] = operand_sum(r->b, own, operand_number(r->b, of->type, (salt * 5 + c * 3) % 64));
    }
    return operand_vector(r->b, of->n_components, part);
}

/* Stores what was found, of 16 bits as a word. */
static void put_probe(const struct records *r, struct ir_inst *v, const struct leaf *of)
{
    struct build *const b = r->b;
    for (uint32_t c = 0; c < of->n_components; c++) {
        struct ir_inst *one = of->n_components > 1 ? operand_part(b, v, c) : v;
        operand_probe(b, of->type == IR_I16 ? operand_plain(b, SpvOpUConvert, IR_I32, one, NULL)
                                            : one);
    }
}

/* ---- accesses ---- */

static struct ir_part part_of(const struct leaf *of)
{
    return (struct ir_part){.type = of->type, .n_components = of->n_components};
}

/* Where the element is that counts as number `at` of this invocation's. */
static struct ir_inst *put_index(const struct records *r, struct ir_inst *at)
{
    return r->base ? operand_int(r->b, SpvOpIAdd, r->base, at) : at;
}

static struct ir_inst *load_whole(const struct records *r, struct ir_inst *index)
{
    count_built(r);
    return ir_load_part(&r->b->p, r->b->flow.block, r->var, index, NULL,
                        (struct ir_part){.of_struct = r->of});
}

/* The way to the leaf, in which an element of an array in the struct is chosen by data. */
static struct leaf put_way(struct records *r, struct leaf of)
{
    const struct ir_struct *s = r->of;
    for (uint32_t at = 0; s && at < of.path.n;) {
        const struct ir_field *const f = &s->field[of.path.index[at++]->bits];
        if (f->length && take_digit(r, 2)) {
            struct ir_inst *const datum = operand_random(r->b, r->digits, false);
            of.path.index[at] = operand_by(r->b, SpvOpUMod, datum, f->length);
        }
        at += f->length != 0;
        s = f->inner;
    }
    return of;
}

/* A leaf of the element: by its address, by that of a component, or of the whole element; it is probed. */
static void put_seen(struct records *r, struct ir_inst *index, struct leaf of)
{
    struct build *const b = r->b;
    uint32_t const form = take_digit(r, 4);
    if (form == 1) {
        struct ir_inst *const whole = load_whole(r, index);
        put_probe(r, ir_member(&b->p, b->flow.block, whole, &of.path, part_of(&of)), &of);
        return;
    }
    of = put_way(r, of);
    if (form == 2 && of.n_components > 1) {
        struct ir_inst *const datum =
            take_digit(r, 2) ? operand_random(b, r->digits, false) : b->p.lid;
        of.path.index[of.path.n++] = operand_by(b, SpvOpUMod, datum, of.n_components);
        of.n_components = 1;
    }
    count_built(r);
    put_probe(r, ir_load_part(&b->p, b->flow.block, r->var, index, &of.path, part_of(&of)), &of);
}

/* A leaf of the element gets another value: by its address, or with the whole element. */
static void put_changed(struct records *r, struct ir_inst *index, struct leaf of, uint32_t salt)
{
    struct build *const b = r->b;
    struct ir_inst *const v = put_value(r, &of, salt);
    count_built(r);
    if (take_digit(r, 3) == 1) {
        struct ir_inst *const whole = load_whole(r, index);
        struct ir_inst *const changed = ir_insert(&b->p, b->flow.block, whole, &of.path, v);
        ir_store_part(&b->p, b->flow.block, r->var, index, NULL, changed);
        return;
    }
    of = put_way(r, of);
    ir_store_part(&b->p, b->flow.block, r->var, index, &of.path, v);
}

/* All of the element: leaf by leaf, or as a whole. */
static void put_element(struct records *r, struct ir_inst *index, uint32_t salt)
{
    struct build *const b = r->b;
    struct ir_inst *leaf[LAYOUT_MAX_SCALARS] = {NULL};
    bool const is_whole = take_digit(r, 2);
    for (uint32_t k = 0; k < r->n_leaves; k++) {
        struct leaf const of = layout_get_leaf(&b->p, r->of, k);
        leaf[k] = put_value(r, &of, salt + k);
        if (!is_whole) {
            ir_store_part(&b->p, b->flow.block, r->var, index, &of.path, leaf[k]);
            count_built(r);
        }
    }
    if (is_whole) {
        struct ir_inst *const whole = ir_struct(&b->p, b->flow.block, r->var, r->n_leaves, leaf);
        ir_store_part(&b->p, b->flow.block, r->var, index, NULL, whole);
        count_built(r);
    }
}

static struct leaf pick_leaf(struct records *r)
{
    return layout_get_leaf(&r->b->p, r->of, take_digit(r, r->n_leaves));
}

/* A number below n that data choose. */
static struct ir_inst *put_chosen(struct records *r, uint32_t n)
{
    struct build *const b = r->b;
    struct ir_inst *const datum =
        take_digit(r, 4) == 0 ? b->p.lid : operand_random(b, r->digits, false);
    return operand_by(b, SpvOpUMod, datum, n);
}

/* ---- of the function ---- */

/* The elements have each a value, the later ones mostly that of the one before but for a leaf. */
static void fill_own(struct records *r)
{
    struct build *const b = r->b;
    for (uint32_t i = 0; i < r->n; i++) {
        struct ir_inst *const index = put_index(r, operand_i32(b, i));
        if (i == 0 || take_digit(r, 3) == 0) {
            put_element(r, index, 11 * i);
            continue;
        }
        struct ir_inst *const before = put_index(r, operand_i32(b, i - 1));
        ir_store_part(&b->p, b->flow.block, r->var, index, NULL, load_whole(r, before));
        put_changed(r, index, pick_leaf(r), 11 * i);
    }
}

/* An element becomes what another is, both of which data choose. */
static void put_copy(struct records *r)
{
    struct build *const b = r->b;
    struct ir_inst *const from = put_index(r, put_chosen(r, r->n));
    struct ir_inst *const to = put_index(r, put_chosen(r, r->n));
    ir_store_part(&b->p, b->flow.block, r->var, to, NULL, load_whole(r, from));
}

/* Changes where data choose, then what is there. */
static void put_own(struct records *r, struct tape *block, uint32_t n_changes)
{
    fill_own(r);
    for (uint32_t i = 0; i < n_changes; i++) {
        put_seen(r, put_index(r, put_chosen(r, r->n)), pick_leaf(r));
        put_changed(r, put_index(r, put_chosen(r, r->n)), pick_leaf(r), 40 + i);
        if (take_digit(r, 2)) {
            put_copy(r);
        }
        if (i == 1) {
            body_put_block(r->b, block);
        }
    }
    struct ir_inst *const index = put_index(r, put_chosen(r, r->n));
    for (uint32_t k = 0; k < r->n_leaves; k++) {
        put_seen(r, index, layout_get_leaf(&r->b->p, r->of, k));
    }
}

/* ---- of a work-group ---- */

static void put_fence(struct records *r)
{
    exchange_fence(r->b, r->kind == VAR_BUFFER, field_get(r->fences, FENCE_FIRST));
    r->fences = field_rest(r->fences, FENCE_OTHERS);
}

/* Rounds: each invocation's own element is stored or changed, and others' are loaded after a barrier. */
static void put_shared(struct records *r, struct tape *block, uint32_t n_rounds)
{
    struct build *const b = r->b;
    struct ir_inst *const own = put_index(r, b->p.lid);
    put_element(r, own, 3);
    for (uint32_t i = 0; i < n_rounds; i++) {
        put_fence(r);
        struct ir_inst *const other = put_index(r, put_chosen(r, r->n));
        uint32_t const first = take_digit(r, r->n_leaves);
        for (uint32_t k = 0; k < r->n_leaves && k < 1 + r->n_leaves / (i + 1); k++) {
            put_seen(r, other, layout_get_leaf(&b->p, r->of, (first + k) % r->n_leaves));
        }
        if (i == 0) {
            body_put_block(b, block);
        }
        if (i + 1 < n_rounds) {
            put_fence(r);
            put_changed(r, own, pick_leaf(r), 20 + i);
            put_changed(r, own, pick_leaf(r), 30 + i);
        }
    }
}

/* ---- the piece ---- */

/* Takes a variable. false: there is no room for one. */
static bool take_var(struct records *r)
{
    struct build *const b = r->b;
    uint32_t const n_all = r->kind == VAR_BUFFER ? r->n * b->dispatch.n_groups : r->n;
    struct ir_var const v = {.kind = r->kind,
                             .type = IR_I32,
                             .n = n_all,
                             .of_struct = r->of,
                             .is_exchanged = r->kind == VAR_BUFFER};
    if (!build_has_var_room(b, r->kind == VAR_LOCAL ? n_all * r->of->n_bytes : 0)) {
        return false;
    }
    r->var = ir_add_var(&b->p, v);
    b->io.exchanged |= r->kind == VAR_PRIVATE ? 0 : 1U << r->var;
    legal_add_var_needs(&b->p, &v);
    if (r->kind == VAR_BUFFER) {
        r->base = operand_by(b, SpvOpIMul, b->p.wg, r->n);
    }
    return true;
}

/* In which memory they are: where not all of the work-group come, the function's own. */
static enum ir_var_kind pick_kind(const struct build *b, uint64_t memory)
{
    enum { /* percent */
        PRIVATE_BELOW = 40,
        LOCAL_BELOW = 70
    };
    bool const may_share =
        build_is_full(b) && b->dispatch.edge == EDGE_NONE && !b->p.vulkan_memory_model;
    if (!may_share || field_get(memory, SHARED_MEMORY) < PRIVATE_BELOW) {
        return VAR_PRIVATE;
    }
    return field_get(memory, SHARED_MEMORY) < LOCAL_BELOW ? VAR_LOCAL : VAR_BUFFER;
}

/* Puts the piece "records": an array of structs whose members, nesting and gaps the tape draws. In private
 * memory each invocation stores to and loads from its own array (put_own); in other memory the work-group
 * exchanges structs (put_shared). Nothing but the statements of the block is put where there is no room for
 * the array, and nothing at all where the program is full. */
void piece_records_put(struct build *b, struct tape *t)
{
    enum {
        N_SIZES = 5,    /* of a private array, from 2 structs on */
        MOST_ROUNDS = 3 /* of changes or exchanges; by the same decision as the size */
    };
    uint64_t const memory = tape_take_u64(t, ROLE_PLACE);
    uint64_t const members = tape_take_u64(t, ROLE_TYPE);
    uint64_t const gaps = tape_take_u64(t, ROLE_FORM);
    struct records r = {.b = b, .kind = pick_kind(b, memory)};
    r.seed = tape_take_u64(t, ROLE_FORM);
    r.digits = tape_take_u64(t, ROLE_FORM);
    r.fences = tape_take_u64(t, ROLE_SCOPE);
    uint32_t const size = (uint32_t)tape_take_below(t, N_SIZES, ROLE_SIZE);
    uint32_t const n_rounds = 1 + size % MOST_ROUNDS;
    struct tape block = tape_fork(t);
    r.of = layout_make(&b->p, members, gaps, b->modes.types, r.kind == VAR_BUFFER);
    if (!build_has_room(b) || !r.of) {
        return;
    }
    r.n = r.kind == VAR_PRIVATE ? 2 + size : b->dispatch.n_local;
    r.n_leaves = layout_count_leaves(r.of);
    bool const may_say =
        b->env == ENV_CL || legal_may_module(&b->p); /* the printer of GLSL has no structs */
    if (!may_say || !take_var(&r)) {
        body_put_block(b, &block);
        return;
    }
    needs_add_if(&b->p.needs, NEED_VK_MODULE, b->env == ENV_VK);
    if (r.kind == VAR_PRIVATE) {
        put_own(&r, &block, n_rounds);
    } else {
        put_shared(&r, &block, n_rounds);
    }
}

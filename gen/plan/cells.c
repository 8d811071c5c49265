/* gen/plan/cells.c -- one group of atomic locations: type, place, scope, who shares it, what is done. */
#include "gen/plan/cells.h"

#include <assert.h>

#include "base/format.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"

static enum cell_place pick_place(enum env env, uint64_t choice)
{
    uint64_t const at = choice % 100;
    if (env == ENV_CL) {
        return at < 62 ? PLACE_GLOBAL : PLACE_WORKGROUP;
    }
    return at < 52 ? PLACE_GLOBAL : at < 78 ? PLACE_WORKGROUP : at < 90 ? PLACE_IMAGE : PLACE_TEXEL;
}

enum {
    INTEGER_FROM = 80,
    LONG_FROM = 95
};

/* Texels are f32, in cases that use that width alone. */
static void pick_type(struct build *b, struct cells *c, uint64_t choice)
{
    uint64_t const at = choice % 100;
    if (c->place == PLACE_IMAGE || c->place == PLACE_TEXEL) {
        if (b->types >> 1 & 1) {
            c->type = IR_F32;
            return;
        }
        c->place = PLACE_GLOBAL;
    }
    if (at >= INTEGER_FROM) {
        c->type = at >= LONG_FROM ? IR_I64 : IR_I32;
        return;
    }
    c->type = operand_pick_type(b, choice / 100);
}

static void pick_own(struct build *b, struct cells *c)
{
    c->index = INDEX_OWN;
    c->n_cells = c->place == PLACE_WORKGROUP ? b->n_local : b->n_items;
}

/* Few cells for many: most often one, so that the groups meet there; some more in a hot loop. */
static void pick_shared(struct build *b, struct cells *c, uint64_t form, uint64_t count, int is_hot)
{
    static const uint8_t counts[] = {1, 1, 1, 1, 1, 1, 1, 2, 1, 2};
    static const uint8_t hot_counts[] = {1, 2, 3, 3, 4, 3, 4, 2, 3, 4};
    uint32_t n = (is_hot ? hot_counts : counts)[count % ARRAY_N(counts)];
    uint64_t const at = form % 100;
    c->contended = 1;
    if (c->place != PLACE_WORKGROUP && at >= 88 && b->n_groups > 1 && !is_hot) {
        c->index = INDEX_GROUP;
        c->n_cells = b->n_groups;
        build_set_shape(b, SHAPE_CELL_PER_GROUP);
        return;
    }
    if (c->place == PLACE_WORKGROUP && n > b->min_local) {
        n = b->min_local; /* each is initialised by an invocation of its own */
    }
    c->n_cells = n;
    if (n == 1) {
        c->index = INDEX_FIXED;
    } else if (at >= 70 && (is_hot || at < 88)) {
        c->index = INDEX_DATA;
        build_set_shape(b, SHAPE_INDEX_DATA);
    } else {
        c->index = at < 12 ? INDEX_FIXED : INDEX_MOD;
    }
}

static enum sharing sharing_of(const struct cells *c)
{
    if (!c->contended) {
        return SHARED_BY_NOBODY;
    }
    return c->place == PLACE_WORKGROUP || c->index == INDEX_GROUP ? SHARED_BY_WORKGROUP
                                                                  : SHARED_BY_ALL;
}

static void set_scope_shape(struct build *b, uint32_t scope)
{
    static const enum shape shapes[] = {SHAPE_SCOPE_ALL,        SHAPE_SCOPE_DEVICE,
                                        SHAPE_SCOPE_GROUP,      SHAPE_SCOPE_SUBGROUP,
                                        SHAPE_SCOPE_INVOCATION, SHAPE_SCOPE_QUEUE};
    assert(scope < ARRAY_N(shapes)); /* SpvScope values 0 to 5 */
    build_set_shape(b, shapes[scope]);
}

static void pick_scope(struct build *b, struct cells *c, uint64_t choice)
{
    uint32_t scopes[LEGAL_MAX_SCOPES];
    uint32_t const n = legal_get_scopes(b->env, b->p.vulkan_memory_model, sharing_of(c), scopes);
    uint64_t const at = choice % 100;
    c->scope = at < 55 ? scopes[0] : scopes[choice / 100 % n];
    set_scope_shape(b, c->scope);
    legal_add_scope_needs(&b->p, c->scope);
}

/* Every operation on a cell has a power of two of its own: the final value says which took part.
 * As many cells as it takes for the format's precision to be enough. */
static void plan_distinct(struct build *b, struct cells *c)
{
    unsigned const prec = float_formats[c->type - IR_F16].prec_bits;
    uint32_t const needed = (b->n_items + prec - 1) / prec;
    if (c->index != INDEX_FIXED || c->n_cells > 1 || b->n_items > prec) {
        c->index = INDEX_MOD;
        c->n_cells = c->n_cells < needed ? needed : c->n_cells;
    }
    uint32_t const per = c->index == INDEX_MOD ? c->n_cells : 1;
    c->distinct = 1;
    c->operand.class = INPUT_DISTINCT_POW2;
    c->operand.share = per;
    /* in sites: each takes as many powers as invocations share a cell */
    c->ops_left = prec / ((b->n_items + per - 1) / per);
    c->initial = (struct input){.type = c->type, .class = INPUT_EXACT}; /* +0 */
}

/* Operands k * 2^e with sum |k| <= 2^p over all operations and the initial value: every partial
 * sum is exact in any order and in any rounding. Where that leaves no room: POLICY_USED. */
static void plan_exact(struct build *b, struct cells *c, uint64_t choice, int is_hot)
{
    enum {
        SITES = 3,
        MOST_K = 64
    };
    uint64_t const room = UINT64_C(1) << float_formats[c->type - IR_F16].prec_bits;
    uint64_t const most = (uint64_t)b->n_items * SITES * b->hot_trips + 1;
    c->operand = (struct input){.type = c->type,
                                .class = INPUT_EXACT,
                                .seed = choice,
                                .exp = (int)(choice % 9) - 6,
                                .plain = 1};
    if (!is_hot && c->place != PLACE_WORKGROUP && c->index != INDEX_GROUP && choice / 9 % 5 != 0) {
        plan_distinct(b, c);
        return;
    }
    if (room < most) {
        c->policy = POLICY_USED;
        return;
    }
    c->operand.k_max = (uint32_t)(room / most > MOST_K ? MOST_K : room / most);
    c->initial = c->operand;
    c->ops_left = (uint32_t)most - 1;
}

static void pick_policy(struct build *b, struct cells *c, uint64_t choice, int is_hot)
{
    static const unsigned masks[] = {MASK_LS | MASK_ADD | MASK_MINMAX,
                                     MASK_LS | MASK_ADD,
                                     MASK_LS | MASK_MINMAX,
                                     MASK_ADD,
                                     MASK_MINMAX,
                                     MASK_LS};
    uint64_t const at = choice % 100;
    uint64_t const mask = choice / 100 % 100;
    c->ops = masks[mask < 40   ? 0
                   : mask < 62 ? 1
                   : mask < 80 ? 2
                   : mask < 88 ? 3
                   : mask < 94 ? 4
                               : 5];
    c->is_max = (int)(choice / 10000 % 2);
    c->policy = POLICY_USED;
    if (!c->contended) {
        return;
    }
    if (at >= 64 && at < 74 && !is_hot) {
        c->policy = POLICY_UNUSED_HEAD;
        c->ops |= MASK_LS;
    }
    if (at < (is_hot ? 90u : 74u) || !ir_type_is_float(c->type)) {
        return;
    }
    if (at < (is_hot ? 93u : 89u)) {
        c->policy = POLICY_EXACT_ADDS;
        plan_exact(b, c, choice / 20000, is_hot);
        c->ops = c->policy == POLICY_EXACT_ADDS ? (unsigned)MASK_ADD : c->ops;
    } else if (at < (is_hot ? 99u : 98u)) {
        c->policy = POLICY_MINMAX;
        c->ops = MASK_MINMAX;
    } else {
        c->policy = POLICY_RANDOM_ADDS;
        c->ops = MASK_ADD;
    }
}

static void set_shapes(struct build *b, const struct cells *c)
{
    static const enum shape places[] = {SHAPE_GLOBAL, SHAPE_WORKGROUP, SHAPE_IMAGE,
                                        SHAPE_TEXEL_BUFFER};
    static const enum shape types[IR_TYPE_N] = {[IR_I32] = SHAPE_I32,
                                                [IR_I64] = SHAPE_I64,
                                                [IR_F16] = SHAPE_F16,
                                                [IR_F32] = SHAPE_F32,
                                                [IR_F64] = SHAPE_F64};
    build_set_shape(b, places[c->place]);
    build_set_shape(b, types[c->type]);
    build_set_shape(b, c->contended ? SHAPE_CONTENDED : SHAPE_PRIVATE);
    if (c->bits_form) {
        build_set_shape(b, SHAPE_BITS_FORM);
    } else if (!ir_type_is_float(c->type)) {
        build_set_shape(b, SHAPE_INTEGER);
    }
    if (c->generic) {
        build_set_shape(b, SHAPE_GENERIC);
    }
    if (c->distinct) {
        build_set_shape(b, SHAPE_DISTINCT_POW2);
    } else if (c->policy == POLICY_EXACT_ADDS) {
        build_set_shape(b, SHAPE_EXACT_ADDS);
    }
}

static void declare_var(struct build *b, struct cells *c)
{
    enum {
        IMAGE_WIDTH = 16
    };
    struct ir_var v = {.kind = VAR_BUFFER, .type = c->type, .n = c->n_cells};
    switch (c->place) {
    case PLACE_GLOBAL:
        break;
    case PLACE_WORKGROUP:
        v.kind = VAR_LOCAL;
        break;
    case PLACE_IMAGE:
        v.kind = VAR_IMAGE;
        v.width = c->n_cells < IMAGE_WIDTH ? c->n_cells : IMAGE_WIDTH;
        break;
    case PLACE_TEXEL:
        v.kind = VAR_TEXEL;
        break;
    }
    c->var = ir_add_var(&b->p, v);
    legal_add_var_needs(&b->p, &v);
}

static void plan_one(struct build *b, struct cells *c, struct tape *t, uint32_t number)
{
    tape_name_node(t, NODE_CELL);
    uint64_t const place = tape_take_u64(t, ROLE_PLACE);
    uint64_t const type = tape_take_u64(t, ROLE_TYPE);
    int const contended = tape_take_chance(t, b->style == STYLE_HOT ? 8 : 22, ROLE_PLACE);
    uint64_t const form = tape_take_u64(t, ROLE_PLACE);
    uint64_t const count = tape_take_u64(t, ROLE_SIZE);
    uint64_t const policy = tape_take_u64(t, ROLE_OPERATION);
    uint64_t const scope = tape_take_u64(t, ROLE_SCOPE);
    struct tape more = tape_fork(t);
    tape_name_node(&more, NODE_PLAIN);
    int const generic = tape_take_chance(&more, 7, ROLE_PLACE);
    int const bits_form = tape_take_chance(&more, 35, ROLE_TYPE);
    uint64_t const initial = tape_take_u64(&more, ROLE_CLASS);
    uint64_t const seed = tape_take_u64(&more, ROLE_SEED);
    int const is_hot = number == 0 && (b->style == STYLE_HOT || b->style == STYLE_LARGE);
    c->place = pick_place(b->env, place);
    if (is_hot && c->place == PLACE_WORKGROUP) {
        c->place = PLACE_GLOBAL; /* one that the groups share */
    }
    pick_type(b, c, type);
    c->bits_form =
        bits_form && !ir_type_is_float(c->type) && (b->types >> build_width(c->type) & 1);
    c->generic = generic && b->env == ENV_CL;
    if (is_hot) {
        pick_shared(b, c, form % 88, count, 1);
    } else if (contended && b->n_items > 1 && !b->is_apart) {
        if (c->place == PLACE_WORKGROUP && form / 100 % 2) {
            c->place = PLACE_GLOBAL; /* each work-group has its own: they are many already */
        }
        pick_shared(b, c, form, count, 0);
    } else {
        pick_own(b, c);
    }
    enum ir_type const value = c->bits_form ? ir_type_as_float(c->type) : c->type;
    c->initial =
        (struct input){.type = value,
                       .seed = seed,
                       .plain = b->plain_inputs,
                       .class = inputs_pick_class(initial, c->contended ? USE_CONTENDED : USE_ANY)};
    operand_note_input(&more, 3, &c->initial);
    pick_policy(b, c, policy, is_hot);
    if (c->bits_form) {
        c->ops = MASK_LS;
    }
    pick_scope(b, c, scope);
    set_shapes(b, c);
    declare_var(b, c);
}

void cells_plan(struct build *b, struct tape *t)
{
    static const uint8_t counts[] = {28, 30, 20, 11, 7, 4};
    tape_name_node(t, NODE_CELLS);
    b->n_cells = 1 + build_draw(t, counts, ARRAY_N(counts), ROLE_SIZE);
    if (b->group.is_on) {
        b->n_cells = !b->group.has_atomics ? 0 : b->n_cells > 2 ? 2 : b->n_cells;
    }
    if (b->math.is_main) {
        b->n_cells = b->p.odd & ODD_ATOMIC ? 1 : 0;
    }
    for (uint32_t i = 0; i < b->n_cells; i++) {
        struct tape one = tape_fork(t);
        plan_one(b, &b->cells[i], &one, i);
        if (b->cells[i].place == PLACE_WORKGROUP) {
            b->has_barriers = 1;
        }
    }
}

/* gen/plan/cells.c -- one group of atomic locations: type, memory, scope, who shares it, what is done. */
#include "gen/plan/cells.h"

#include <assert.h>
#include <string.h>

#include "base/format.h"
#include "base/testcase.h"
#include "gen/inputs/inputs_number.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"
#include "gen/tape/field.h"

/* ---- what the case may have ---- */

static const enum ir_var_kind place_kinds[] = {VAR_BUFFER, VAR_LOCAL, VAR_IMAGE, VAR_TEXEL,
                                               VAR_PHYSICAL};

static enum buf_kind texel_kind(const struct cells *c, enum texels texels)
{
    static const enum texel_format formats[IR_MAX_COMPONENTS + 1] = {
        TEXEL_R32F, TEXEL_R32F, TEXEL_RG16F, TEXEL_R32F, TEXEL_RGBA16F};
    return buf_find_kind(texels,
                         ir_type_is_float(c->type) ? formats[c->n_components] : TEXEL_R32UI);
}

static bool is_texel(const struct cells *c)
{
    return c->place == PLACE_IMAGE || c->place == PLACE_TEXEL;
}

static bool may_do(const struct build *b, const struct cells *c, const struct ir_var *v,
                   enum op_id op)
{
    struct ir_atomic const x = {.op = op, .generic = c->generic};
    return legal_may_atomic(&b->p, v, &x);
}

/* Classes of operations (enum op_mask) that the case may have on such cells, of whose texels it may have as `texels`
 * says; 0: it may have no such cells. */
static unsigned get_masks(const struct build *b, const struct cells *c, enum texels texels)
{
    struct ir_var v = {
        .kind = place_kinds[c->place], .type = c->type, .n_components = c->n_components};
    v.image.kind = is_texel(c) ? texel_kind(c, texels) : BUF_STORAGE;
    bool const has_memory =
        v.kind != VAR_LOCAL || b->env == ENV_VK || build_may(b, NEED_CL_LOCAL_MEMORY);
    if (!legal_may_var(&b->p, &v) || !has_memory) {
        return 0;
    }
    if (!ir_type_is_float(c->type)) {
        bool const may =
            may_do(b, c, &v, OP_core_AtomicExchange) && may_do(b, c, &v, OP_core_AtomicIAdd);
        return may ? (unsigned)MASK_LS : 0;
    }
    unsigned masks = 0;
    masks |= may_do(b, c, &v, OP_core_AtomicExchange) ? (unsigned)MASK_LS : 0;
    masks |= may_do(b, c, &v, OP_core_AtomicFAddEXT) ? (unsigned)MASK_ADD : 0;
    masks |= may_do(b, c, &v, OP_core_AtomicFMinEXT) ? (unsigned)MASK_MINMAX : 0;
    /* by which they are set and read in that memory model */
    bool const needs_load = c->place == PLACE_WORKGROUP && b->p.vulkan_memory_model;
    return needs_load && !(masks & MASK_LS) ? 0 : masks;
}

static bool may_have(const struct build *b, const struct cells *c)
{
    return get_masks(b, c, c->place == PLACE_TEXEL ? TEXELS_BUFFER : TEXELS_2D) != 0;
}

/* Cells that the case may not have become others: texels those of integers, or no texels; else integers. */
static void fit(const struct build *b, struct cells *c)
{
    struct cells const drawn = *c;
    if (may_have(b, c)) {
        return;
    }
    if (is_texel(c)) {
        c->type = IR_I32;
        c->n_components = 0;
        if (may_have(b, c)) {
            return;
        }
        *c = drawn;
        c->place = PLACE_GLOBAL;
    }
    if (!may_have(b, c)) {
        c->type = IR_I32;
        c->n_components = 0;
    }
    if (!may_have(b, c)) { /* memory of the work-group is too small */
        c->place = PLACE_GLOBAL;
    }
}

/* May all share a cell, by some scope? May a work-group? */
static bool may_share(const struct build *b, enum sharing sharing)
{
    uint32_t scopes[LEGAL_MAX_SCOPES];
    uint32_t const n = legal_get_scopes(b->env, b->p.vulkan_memory_model, sharing, scopes);
    bool may = false;
    for (uint32_t i = 0; i < n; i++) {
        may |= legal_may_scope(&b->p, scopes[i]);
    }
    return may;
}

bool cells_may_be(const struct build *b)
{
    return may_share(b, SHARED_BY_WORKGROUP);
}

/* ---- the choices ---- */

/* In a case of vectors, or of f16 at all, they are spread, as few cases are. */
static enum cell_place pick_place(const struct build *b, uint64_t choice)
{
    uint64_t const at = field_get(choice, PERCENT);
    if (b->f16_vectors) {
        return at < 45   ? PLACE_GLOBAL
               : at < 68 ? PLACE_WORKGROUP
               : at < 84 ? PLACE_IMAGE
                         : PLACE_TEXEL;
    }
    if (b->env == ENV_CL) {
        return at < 62 ? PLACE_GLOBAL : PLACE_WORKGROUP;
    }
    return at < 44 ? PLACE_GLOBAL : at < 73 ? PLACE_WORKGROUP : at < 88 ? PLACE_IMAGE : PLACE_TEXEL;
}

/* Picks the type of a group of cells, by the percentage and digits of `choice`. Images and texel buffers
 * hold f32, i32, or vectors of f16 in a case that has such vectors. Cells that are planned as texels move
 * to a buffer where the case may use none of these types. */
static void pick_type(struct build *b, struct cells *c, uint64_t choice)
{
    enum { /* percentages from which on the type is an integer, and one of 64 bits */
        INTEGER_TEXEL_FROM = 60,
        INTEGER_FROM = 80,
        LONG_FROM = 90
    };
    uint64_t const percent = field_get(choice, PERCENT);
    bool const is_of_texels = is_texel(c);
    bool const has_f32 = build_has_width(b, build_width(IR_F32));
    bool const prefers_vector = field_get(choice, CELL_VECTOR) || !has_f32;
    if (is_of_texels && b->f16_vectors && prefers_vector) {
        c->type = IR_F16;
        return;
    }
    bool const is_integer = percent >= (has_f32 ? INTEGER_TEXEL_FROM : INTEGER_FROM);
    if (is_of_texels && (is_integer || has_f32)) {
        c->type = is_integer ? IR_I32 : IR_F32;
        return;
    }
    if (is_of_texels) {
        c->place = PLACE_GLOBAL;
    }
    if (percent >= INTEGER_FROM) {
        c->type = percent >= LONG_FROM && build_may_type(b, IR_I64) ? IR_I64 : IR_I32;
        return;
    }
    c->type = operand_pick_type(b, field_rest(choice, CELL_TYPE));
}

/* In a case of atomics on 16 bits most cells are of a type that no other OpenCL case has. */
static void pick_small(const struct build *b, struct cells *c, uint64_t choice)
{
    enum {
        BFLOAT_BELOW = 50, /* percent */
        SHORT_BELOW = 85
    };
    uint64_t const at = field_get(choice, PERCENT);
    if (b->small_atomics && at < SHORT_BELOW) {
        struct cells small = *c;
        small.type = at < BFLOAT_BELOW ? IR_BF16 : IR_I16;
        c->type = may_have(b, &small) ? small.type : c->type;
    }
}

/* In a case of vectors each cell of f16 is one, so that no driver has to have both forms: most
 * that have the one lack the other. */
static void pick_components(struct build *b, struct cells *c, struct tape *t)
{
    if (b->f16_vectors && c->type == IR_F16) {
        c->n_components = tape_take_chance(t, 50, ROLE_TYPE) ? 4 : 2;
    }
}

/* Picks the number of cells that invocations share, by `count`, and how an invocation chooses its cell, by
 * `form`. There are few: most often one, so that all work-groups contend for it, and some more in a hot
 * loop (is_hot). */
static void pick_shared(struct build *b, struct cells *c, uint64_t form, uint64_t count,
                        bool is_hot)
{
    enum {
        FIXED_BELOW = 12, /* percentages: a constant cell; one by data; else by the index */
        DATA_FROM = 70,
        PER_GROUP_FROM = 88 /* a cell for each work-group; not in a hot loop */
    };
    /* rows of equal chance; the first is the smallest case */
    static const uint8_t counts[] = {1, 1, 1, 1, 1, 1, 1, 2, 1, 2};
    static const uint8_t hot_counts[] = {1, 2, 3, 3, 4, 3, 4, 2, 3, 4};
    /* in a hot loop the percentages from PER_GROUP_FROM on do not occur */
    uint64_t const percent = form % (is_hot ? PER_GROUP_FROM : 100);
    c->contended = true;
    bool const is_per_group = percent >= PER_GROUP_FROM && b->dispatch.n_groups > 1;
    if (c->place != PLACE_WORKGROUP && (is_per_group || !may_share(b, SHARED_BY_ALL))) {
        c->index = INDEX_GROUP;
        c->n_cells = b->dispatch.n_groups;
        build_set_shape(b, SHAPE_CELL_PER_GROUP);
        return;
    }
    c->n_cells = (is_hot ? hot_counts : counts)[count % ARRAY_N(counts)];
    if (c->place == PLACE_WORKGROUP && c->n_cells > b->dispatch.min_local) {
        c->n_cells = b->dispatch.min_local; /* each is initialised by an invocation of its own */
    }
    if (c->n_cells == 1) {
        c->index = INDEX_FIXED;
    } else if (percent >= DATA_FROM && percent < PER_GROUP_FROM) {
        c->index = INDEX_DATA;
        build_set_shape(b, SHAPE_INDEX_DATA);
    } else {
        c->index = percent < FIXED_BELOW ? INDEX_FIXED : INDEX_MOD;
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
    uint32_t const n_legal =
        legal_get_scopes(b->env, b->p.vulkan_memory_model, sharing_of(c), scopes);
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_legal; i++) {
        if (legal_may_scope(&b->p, scopes[i])) {
            scopes[n++] = scopes[i];
        }
    }
    assert(n > 0);
    uint64_t const at = field_get(choice, PERCENT);
    c->scope = at < 55 ? scopes[0] : scopes[field_below(choice, CELL_SCOPE, n)];
    set_scope_shape(b, c->scope);
    legal_add_scope_needs(&b->p, c->scope);
}

/* Every operation on a cell adds a power of two of its own, so that the final value says bit by bit which
 * took part. A number has room for as many powers as its precision has bits; where there are more
 * invocations than that, they are spread over as many cells as it takes. */
static void plan_distinct(struct build *b, struct cells *c)
{
    unsigned const prec = inputs_get_format(c->type)->prec_bits;
    uint32_t const n_items = b->dispatch.n_items;
    uint32_t const needed = (n_items + prec - 1) / prec;
    if (c->index != INDEX_FIXED || c->n_cells > 1 || n_items > prec) {
        c->index = INDEX_MOD;
        c->n_cells = c->n_cells < needed ? needed : c->n_cells;
    }
    uint32_t const n_used = c->index == INDEX_MOD ? c->n_cells : 1;
    uint32_t const sharers = (n_items + n_used - 1) / n_used; /* invocations that share a cell */
    c->distinct = true;
    c->operand.class = INPUT_DISTINCT_POW2;
    c->operand.share = n_used;
    c->max_sites = prec / sharers; /* a site takes one power for each of them */
    c->initial = (struct input){.type = c->type, .class = INPUT_EXACT}; /* +0 */
}

/* Plans adds whose sum is exact in any order and in any rounding, by one of two schemes.
 * Multiples: the operands are k * 2^exp, where the sum of |k| over all operations and the initial value is at
 * most 2^p for a format of p bits. So every partial sum is a number of the format. Where so many terms do not
 * fit, the policy stays POLICY_USED.
 * Distinct: each operation adds a power of two of its own (plan_distinct). Four in five of the cells that all
 * work-groups share have it. It needs no k, as plan_distinct limits the operations. It is not for a hot loop,
 * where each iteration would add the same powers again. */
static void plan_exact(struct build *b, struct cells *c, uint64_t choice, bool is_hot)
{
    enum {
        SITES = 3,   /* instructions on the cell that room is kept for */
        MOST_K = 64, /* k_max is never more */
        LEAST_EXP = -6
    };
    uint64_t const room = UINT64_C(1) << inputs_get_format(c->type)->prec_bits;
    uint64_t const n_terms = (uint64_t)b->dispatch.n_items * SITES * b->dispatch.hot_trips + 1;
    bool const is_shared_by_all = c->place != PLACE_WORKGROUP && c->index != INDEX_GROUP;
    bool const is_distinct = !is_hot && is_shared_by_all && field_get(choice, EXACT_MULTIPLES) != 0;
    c->operand = (struct input){.type = c->type,
                                .class = INPUT_EXACT,
                                .seed = choice,
                                .exp = (int)field_get(choice, EXACT_EXP) + LEAST_EXP,
                                .plain = true};
    if (!is_distinct && room < n_terms) {
        return;
    }
    c->policy = POLICY_EXACT_ADDS;
    c->ops = MASK_ADD;
    if (is_distinct) {
        plan_distinct(b, c);
        return;
    }
    c->operand.k_max = (uint32_t)(room / n_terms > MOST_K ? MOST_K : room / n_terms);
    c->initial = c->operand;
    c->ops_left = (uint32_t)n_terms - 1;
}

/* Picks which instructions the cells c are for (c->ops) and, where invocations contend for them, the policy
 * (enum cell_policy) by which the outcome can be judged. `choice` has a percentage for the policy and
 * digits for the rest. In a hot loop nearly all cells are POLICY_USED. */
static void pick_policy(struct build *b, struct cells *c, uint64_t choice, bool is_hot)
{
    /* the percentages from which on a policy is taken; below the first it is POLICY_USED */
    uint64_t const unused_head_from = is_hot ? 90 : 64;
    uint64_t const exact_from = is_hot ? 90 : 74;
    uint64_t const minmax_from = is_hot ? 93 : 89;
    uint64_t const random_from = is_hot ? 99 : 98;
    static const unsigned masks[] = {MASK_LS | MASK_ADD | MASK_MINMAX,
                                     MASK_LS | MASK_ADD,
                                     MASK_LS | MASK_MINMAX,
                                     MASK_ADD,
                                     MASK_MINMAX,
                                     MASK_LS};
    static const uint8_t mask_weights[ARRAY_N(masks)] = {40, 22, 18, 8, 6, 6};
    uint64_t const percent = field_get(choice, PERCENT);
    enum texels const texels = c->place == PLACE_TEXEL ? TEXELS_BUFFER : TEXELS_2D;
    unsigned const may = get_masks(b, c, texels);
    uint8_t weights[ARRAY_N(masks)];
    for (size_t i = 0; i < ARRAY_N(masks); i++) {
        weights[i] = masks[i] & may ? mask_weights[i] : 0;
    }
    c->ops = may & masks[build_pick(weights, ARRAY_N(masks), field_rest(choice, POLICY_OPS))];
    c->is_max = field_get(choice, POLICY_MAX);
    c->policy = POLICY_USED;
    if (!c->contended) {
        return;
    }
    if (percent >= unused_head_from && percent < exact_from &&
        (may & MASK_LS)) { /* never in a hot loop */
        c->policy = POLICY_UNUSED_HEAD;
        c->ops |= MASK_LS;
        return;
    }
    if (percent < exact_from || !ir_type_is_float(c->type)) {
        return; /* the policies that follow are for floats */
    }
    if (percent < minmax_from) {
        if (may & MASK_ADD) {
            plan_exact(b, c, field_rest(choice, POLICY_REST), is_hot);
        }
    } else if (percent < random_from) {
        if (!(may & MASK_MINMAX)) {
            return;
        }
        c->policy = POLICY_MINMAX;
        c->ops = MASK_MINMAX;
    } else if (may & MASK_ADD) {
        c->policy = POLICY_RANDOM_ADDS;
        c->ops = MASK_ADD;
    }
}

/* Notes for the statistics which shapes the cells bring. */
static void set_shapes(struct build *b, const struct cells *c)
{
    static const enum shape places[] = {SHAPE_GLOBAL, SHAPE_WORKGROUP, SHAPE_IMAGE,
                                        SHAPE_TEXEL_BUFFER, SHAPE_PHYSICAL};
    static const enum shape types[IR_TYPE_N] = {
        [IR_I32] = SHAPE_I32, [IR_I64] = SHAPE_I64, [IR_F16] = SHAPE_F16,  [IR_F32] = SHAPE_F32,
        [IR_F64] = SHAPE_F64, [IR_I16] = SHAPE_I16, [IR_BF16] = SHAPE_BF16};
    build_set_shape(b, places[c->place]);
    build_set_shape_if(b, SHAPE_IMAGE_OTHER,
                       c->place == PLACE_IMAGE && buf_kind_rows[c->image.kind].texels != TEXELS_2D);
    build_set_shape(b, c->n_components > 1 ? SHAPE_F16_VECTOR : types[c->type]);
    build_set_shape(b, c->contended ? SHAPE_CONTENDED : SHAPE_PRIVATE);
    if (c->bits_form) {
        build_set_shape(b, SHAPE_BITS_FORM);
    } else if (!ir_type_is_float(c->type)) {
        build_set_shape(b, SHAPE_INTEGER);
    }
    build_set_shape_if(b, SHAPE_GENERIC, c->generic);
    if (c->distinct) {
        build_set_shape(b, SHAPE_DISTINCT_POW2);
    } else if (c->policy == POLICY_EXACT_ADDS) {
        build_set_shape(b, SHAPE_EXACT_ADDS);
    }
}

/* The smallest number whose square times `times` is at least n, and at least 2. */
static uint32_t find_edge(uint32_t n, uint32_t times)
{
    uint32_t edge = 2;
    while (times * edge * edge < n) {
        edge++;
    }
    return edge;
}

/* Picks width, height and slices of an image that has room for n texels, by how its texels lie. Each
 * dimension is more than 1 where the image may have it, and a slice is wider than high, so that a driver
 * that confuses two dimensions is seen. */
static void pick_sizes(enum texels texels, uint32_t n, uint32_t size[3])
{
    enum {
        WIDTH = 16,
        EDGE = 8 /* of a slice, at most */
    };
    uint32_t const width = n < WIDTH ? n : WIDTH;
    uint32_t const half = n < 2 * WIDTH ? (n + 1) / 2 : WIDTH; /* so that there are two layers */
    uint32_t const face = find_edge(n, CUBE_FACES);
    uint32_t const edge = face < EDGE ? face : EDGE;
    uint32_t const in_slice = edge * (edge + 1);
    uint32_t const in_cube = CUBE_FACES * edge * edge;
    uint32_t const n_rows = (n + width - 1) / width;
    uint32_t const n_layers = (n + half - 1) / half;
    uint32_t const n_slices = n <= in_slice ? 2 : (n + in_slice - 1) / in_slice;
    uint32_t const n_cubes = n <= in_cube ? 2 : (n + in_cube - 1) / in_cube;
    uint32_t const by_texels[TEXELS_N][3] = {
        [TEXELS_NONE] = {n,        1,      1                   },
        [TEXELS_BUFFER] = {n,        1,      1                   },
        [TEXELS_1D] = {n,        1,      1                   },
        [TEXELS_2D] = {width,    n_rows, 1                   },
        [TEXELS_3D] = {edge + 1, edge,   n_slices            },
        [TEXELS_2D_ARRAY] = {edge + 1, edge,   n_slices            },
        [TEXELS_CUBE] = {face,     face,   CUBE_FACES          },
        [TEXELS_1D_ARRAY] = {half,     1,      n_layers            },
        [TEXELS_CUBE_ARRAY] = {edge,     edge,   CUBE_FACES * n_cubes},
    };
    memcpy(size, by_texels[texels], sizeof by_texels[texels]);
}

/* The image or texel buffer in which the cells are texels. In an image of two dimensions, or in a texel buffer, the
 * first texels are cells; in any other they are the last ones, so that no coordinate of theirs is always 0. */
static void plan_texels(struct cells *c, enum texels texels)
{
    enum {
        SPARE = 3 /* texels before the first cell, at least */
    };
    bool const is_first = texels == TEXELS_2D || texels == TEXELS_BUFFER;
    uint32_t size[3];
    pick_sizes(texels, c->n_cells + (is_first ? 0 : SPARE), size);
    uint32_t const n_texels = size[0] * size[1] * size[2];
    c->image.kind = texel_kind(c, texels);
    c->image.n_bytes = n_texels * buf_texel_bytes(c->image.kind);
    c->first = is_first ? 0 : n_texels - c->n_cells;
    if (texels != TEXELS_BUFFER) {
        c->image.width = size[0];
        c->image.height = size[1];
    }
}

static void declare_var(struct build *b, struct cells *c)
{
    struct ir_var const v = {.kind = place_kinds[c->place],
                             .type = c->type,
                             .n = c->n_cells,
                             .n_components = c->n_components,
                             .image = c->image,
                             .first = c->first,
                             .by_integer = c->by_integer};
    c->var = ir_add_var(&b->p, v);
    legal_add_var_needs(&b->p, &v);
}

/* How the texels of an image lie: two in five have two dimensions. */
static enum texels pick_texels(const struct build *b, const struct cells *c, struct tape *t)
{
    static const uint8_t weights[TEXELS_N] = {
        [TEXELS_1D] = 3,       [TEXELS_3D] = 4,       [TEXELS_CUBE] = 3,
        [TEXELS_1D_ARRAY] = 3, [TEXELS_2D_ARRAY] = 4, [TEXELS_CUBE_ARRAY] = 3};
    bool const is_other = tape_take_chance(t, 60, ROLE_PLACE);
    uint8_t may[TEXELS_N] = {[TEXELS_2D] = 1}; /* that one is always there */
    bool has_other = false;
    for (unsigned i = TEXELS_1D; i < TEXELS_N; i++) {
        bool const has = weights[i] > 0 && get_masks(b, c, (enum texels)i) != 0;
        may[i] = has ? weights[i] : may[i];
        has_other |= has;
    }
    may[TEXELS_2D] = !has_other;
    unsigned const other = build_draw(t, may, TEXELS_N, ROLE_PLACE);
    return is_other ? (enum texels)other : TEXELS_2D;
}

/* Some cells in buffers are reached by the address of theirs. */
static void pick_address(const struct build *b, struct cells *c, struct tape *t)
{
    /* few cases have other floats than f32 */
    bool const is_half = c->type == IR_F16 && c->n_components < 2;
    unsigned const percent = is_half ? 62 : c->type == IR_F16 || c->type == IR_F64 ? 50 : 10;
    bool const is_physical = tape_take_chance(t, percent, ROLE_PLACE);
    bool const by_integer = tape_take_chance(t, 40, ROLE_PLACE);
    if (is_physical && build_may(b, NEED_VK_PHYSICAL)) {
        c->place = PLACE_PHYSICAL;
        c->by_integer = by_integer && build_may_type(b, IR_I64);
    }
}

/* Which invocations come to which cell. */
static void pick_index(struct build *b, struct cells *c, uint64_t form, uint64_t count,
                       bool wants_shared, bool is_hot)
{
    bool const is_shared =
        is_hot || (wants_shared && b->dispatch.n_items > 1 && !build_is_apart(b));
    if (!is_shared) {
        c->index = INDEX_OWN;
        c->n_cells = c->place == PLACE_WORKGROUP ? b->dispatch.n_local : b->dispatch.n_items;
        return;
    }
    if (c->place == PLACE_WORKGROUP && field_get(form, CELL_GLOBAL)) {
        c->place = PLACE_GLOBAL; /* each work-group has its own: they are many already */
        fit(b, c);
    }
    pick_shared(b, c, form, count, is_hot);
}

/* Plans one group of cells, which have one variable, type and policy. All decisions are drawn first, so
 * that the outcome of one moves no other. Then each property follows from a decision and from the
 * properties before it: the type from the memory, the policy from who shares a cell. is_hot: the group is
 * that of the hot loop. */
static void plan_one(struct build *b, struct cells *c, struct tape *t, bool is_hot)
{
    enum {
        SHARED_PERCENT = 22,    /* of the groups: with cells that invocations share */
        SHARED_PERCENT_HOT = 8, /* of those beside a hot loop */
        BITS_PERCENT = 35,      /* of the groups of integers: they hold floats as bits */
        GENERIC_FROM = 93,      /* percentages from which on pointers are generic */
        GENERIC_SELDOM_FROM = 82,
        SEED_DECISION = 3, /* of `more`: where the seed of the initial value stands */
        SMALL_PERCENT = 8  /* of the cases of OpenCL: with atomics on 16 bits */
    };
    tape_name_node(t, NODE_CELL);
    uint64_t const place = tape_take_u64(t, ROLE_PLACE);
    uint64_t const type = tape_take_u64(t, ROLE_TYPE);
    bool const wants_shared = tape_take_chance(
        t, b->dispatch.style == STYLE_HOT ? SHARED_PERCENT_HOT : SHARED_PERCENT, ROLE_PLACE);
    uint64_t const form = tape_take_u64(t, ROLE_PLACE);
    uint64_t const count = tape_take_u64(t, ROLE_SIZE);
    uint64_t const policy = tape_take_u64(t, ROLE_OPERATION);
    uint64_t const scope = tape_take_u64(t, ROLE_SCOPE);
    struct tape more = tape_fork(t);
    tape_name_node(&more, NODE_PLAIN);
    uint64_t const generic = tape_take_below(&more, 100, ROLE_PLACE);
    bool const bits_form = tape_take_chance(&more, BITS_PERCENT, ROLE_TYPE);
    uint64_t const initial = tape_take_u64(&more, ROLE_CLASS);
    uint64_t const seed = tape_take_u64(&more, ROLE_SEED);
    uint64_t small = 0;
    if (b->env == ENV_CL) {
        bool const wants_small = tape_take_chance(&more, SMALL_PERCENT, ROLE_TYPE);
        small = tape_take_u64(&more, ROLE_TYPE);
        /* the first group decides for the whole case */
        b->small_atomics |= wants_small && c == &b->cells[0];
    }
    c->place = pick_place(b, place);
    if (is_hot && c->place == PLACE_WORKGROUP) {
        c->place = PLACE_GLOBAL; /* one that the groups share */
    }
    pick_type(b, c, type);
    pick_small(b, c, small);
    pick_components(b, c, &more);
    fit(b, c);
    c->bits_form = bits_form && c->type != IR_I16 && !ir_type_is_float(c->type) &&
                   build_has_width(b, build_width(c->type));
    /* seldom types have generic pointers more often, so that the pair is tested too */
    bool const is_seldom = c->type == IR_F16 || c->type == IR_F64;
    bool const wants_generic =
        b->env == ENV_CL && generic >= (is_seldom ? GENERIC_SELDOM_FROM : GENERIC_FROM);
    pick_index(b, c, form, count, wants_shared, is_hot);
    c->initial =
        (struct input){.type = c->bits_form ? ir_type_as_float(c->type) : c->type,
                       .seed = seed,
                       .plain = b->modes.plain_inputs,
                       .class = inputs_pick_class(initial, c->contended ? USE_CONTENDED : USE_ANY)};
    operand_note_input(&more, SEED_DECISION, &c->initial);
    pick_policy(b, c, policy, is_hot);
    if (c->bits_form) { /* floats as the bits of integers: they are moved, no arithmetic fits */
        c->ops = MASK_LS;
    }
    c->generic = wants_generic;
    c->generic = wants_generic && (get_masks(b, c, TEXELS_NONE) & c->ops) == c->ops;
    pick_scope(b, c, scope);
    if (c->place == PLACE_IMAGE || c->place == PLACE_TEXEL) {
        plan_texels(c, c->place == PLACE_IMAGE ? pick_texels(b, c, &more) : TEXELS_BUFFER);
    }
    if (c->place == PLACE_GLOBAL && b->env == ENV_VK) {
        pick_address(b, c, &more);
    }
    set_shapes(b, c);
    declare_var(b, c);
}

/* Plans all groups of cells of the case, with their variables. A case of group operations has two groups at
 * most, a case of mathematics none but for the decoration of an atomic's result. The first group is that of
 * the hot loop. Cells in work-group memory need a barrier after they are initialized and one before they
 * are read back. */
void cells_plan(struct build *b, struct tape *t)
{
    enum {
        MIN_OF_VECTORS = 3,
        MOST_OF_GROUPS = 2, /* where the case has group operations */
        VECTORS_PERCENT = 55
    };
    /* of one group of cells, two groups ... */
    static const uint8_t weights[] = {28, 30, 20, 11, 7, 4};
    tape_name_node(t, NODE_CELLS);
    b->n_cells = 1 + build_draw(t, weights, ARRAY_N(weights), ROLE_SIZE);
    if (b->env == ENV_VK && build_has_width(b, build_width(IR_F16)) && !b->math.is_main) {
        b->f16_vectors =
            tape_take_chance(t, VECTORS_PERCENT, ROLE_TYPE) && build_may(b, NEED_VK_F16_VECTORS);
    }
    if (b->f16_vectors && b->n_cells < MIN_OF_VECTORS) {
        b->n_cells = MIN_OF_VECTORS;
    }
    if (b->group.is_on && b->n_cells > MOST_OF_GROUPS) {
        b->n_cells = MOST_OF_GROUPS;
    }
    if (b->group.is_on && !b->group.has_atomics) {
        b->n_cells = 0;
    }
    if (b->math.is_main) {
        b->n_cells = b->p.odd & ODD_ATOMIC ? 1 : 0;
    }
    if (!cells_may_be(b)) {
        b->n_cells = 0;
    }
    for (uint32_t i = 0; i < b->n_cells; i++) {
        struct tape one = tape_fork(t);
        plan_one(b, &b->cells[i], &one, i == 0 && build_has_hot_loop(b));
        if (b->cells[i].place == PLACE_WORKGROUP) {
            b->body.has_barriers = true;
        }
    }
}

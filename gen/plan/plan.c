/* gen/plan/plan.c -- decisions that stand before the program: dispatch, modes, group operations. */
#include "gen/plan/plan.h"

#include <assert.h>
#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/build.h"
#include "gen/plan/cells.h"
#include "gen/plan/math.h"
#include "gen/tape/field.h"

/* Sizes of a work-group. */
struct local_size {
    uint8_t x, y, z;
};
#define XYZ(x, y, z)                                                                               \
    {                                                                                              \
        x, y, z                                                                                    \
    }
static const struct local_size tiny_sizes[] = {XYZ(1, 1, 1), XYZ(2, 1, 1),  XYZ(3, 1, 1),
                                               XYZ(5, 1, 1), XYZ(16, 1, 1), XYZ(32, 1, 1),
                                               XYZ(7, 3, 1), XYZ(64, 1, 1)};
static const struct local_size hot_sizes[] = {
    XYZ(32, 1, 1), XYZ(16, 1, 1), XYZ(32, 1, 1), XYZ(32, 1, 1), XYZ(8, 4, 1),  XYZ(24, 1, 1),
    XYZ(4, 4, 2),  XYZ(33, 1, 1), XYZ(32, 1, 1), XYZ(16, 2, 1), XYZ(20, 1, 1), XYZ(4, 4, 1)};
static const struct local_size wide_sizes[] = {
    XYZ(16, 1, 1), XYZ(1, 1, 1),  XYZ(4, 1, 1),  XYZ(5, 1, 1),  XYZ(8, 1, 1),  XYZ(32, 1, 1),
    XYZ(48, 1, 1), XYZ(64, 1, 1), XYZ(16, 2, 1), XYZ(33, 1, 1), XYZ(3, 7, 1),  XYZ(8, 8, 1),
    XYZ(16, 4, 1), XYZ(5, 3, 1),  XYZ(4, 4, 4),  XYZ(2, 3, 5),  XYZ(7, 1, 3),  XYZ(4, 2, 4),
    XYZ(64, 1, 1), XYZ(32, 2, 1), XYZ(24, 1, 1), XYZ(40, 1, 1), XYZ(61, 1, 1), XYZ(17, 1, 1),
    XYZ(32, 1, 1), XYZ(12, 5, 1), XYZ(1, 16, 1), XYZ(96, 1, 1), XYZ(48, 1, 1), XYZ(16, 2, 2)};
static const struct local_size large_sizes[] = {XYZ(64, 1, 1),  XYZ(16, 1, 1), XYZ(32, 1, 1),
                                                XYZ(128, 1, 1), XYZ(8, 8, 1),  XYZ(16, 4, 2)};
static const struct local_size group_sizes[] = {
    XYZ(1, 1, 1),  XYZ(16, 1, 1), XYZ(32, 1, 1), XYZ(64, 1, 1), XYZ(24, 1, 1),  XYZ(12, 1, 1),
    XYZ(20, 1, 1), XYZ(40, 1, 1), XYZ(48, 1, 1), XYZ(16, 1, 1), XYZ(32, 1, 1),  XYZ(33, 1, 1),
    XYZ(13, 1, 1), XYZ(7, 1, 1),  XYZ(8, 1, 1),  XYZ(4, 1, 1),  XYZ(5, 1, 1),   XYZ(2, 1, 1),
    XYZ(3, 1, 1),  XYZ(61, 1, 1), XYZ(28, 1, 1), XYZ(96, 1, 1), XYZ(128, 1, 1), XYZ(100, 1, 1),
    XYZ(8, 2, 1),  XYZ(4, 4, 1),  XYZ(8, 8, 1),  XYZ(3, 7, 1),  XYZ(5, 3, 1),   XYZ(16, 2, 1),
    XYZ(12, 3, 1), XYZ(2, 3, 5),  XYZ(4, 2, 4),  XYZ(2, 2, 2),  XYZ(64, 1, 1),  XYZ(32, 1, 1),
    XYZ(1, 16, 1), XYZ(17, 1, 1), XYZ(32, 1, 1), XYZ(16, 1, 1), XYZ(64, 1, 1),  XYZ(24, 1, 1),
    XYZ(8, 1, 1),  XYZ(8, 4, 1),  XYZ(16, 4, 1), XYZ(48, 1, 1)};
/* A program of pieces has many instructions: a small dispatch shows as many faults in less time. */
static const struct local_size program_sizes[] = {
    XYZ(8, 1, 1),  XYZ(16, 1, 1), XYZ(4, 1, 1), XYZ(32, 1, 1), XYZ(5, 1, 1),  XYZ(12, 1, 1),
    XYZ(16, 1, 1), XYZ(4, 2, 1),  XYZ(7, 1, 1), XYZ(16, 1, 1), XYZ(3, 5, 1),  XYZ(33, 1, 1),
    XYZ(8, 1, 1),  XYZ(2, 2, 4),  XYZ(4, 1, 1), XYZ(40, 1, 1), XYZ(8, 2, 1),  XYZ(10, 1, 1),
    XYZ(4, 1, 1),  XYZ(32, 2, 1), XYZ(1, 1, 1), XYZ(16, 1, 1), XYZ(96, 1, 1), XYZ(8, 1, 1)};
#undef XYZ

enum {
    WIDE_ITEMS = 104,
    PROGRAM_ITEMS = 32, /* of a program of pieces */
    GROUP_ITEMS = 112,  /* of a case with group operations */
    HOT_ITEMS = 64,     /* few groups that run long contend; many short ones follow each other */
    LARGE_ITEMS = 1024
};

/* The list of sizes that a case takes its work-group from. */
static const struct local_size *list_sizes(const struct build *b, size_t *n)
{
    static const struct {
        const struct local_size *list;
        size_t n;
    } by_style[] = {
        [STYLE_TINY] = {tiny_sizes,  ARRAY_N(tiny_sizes) },
        [STYLE_HOT] = {hot_sizes,   ARRAY_N(hot_sizes)  },
        [STYLE_WIDE] = {wide_sizes,  ARRAY_N(wide_sizes) },
        [STYLE_LARGE] = {large_sizes, ARRAY_N(large_sizes)},
    };
    if (b->has_pieces) {
        *n = ARRAY_N(program_sizes);
        return program_sizes;
    }
    *n = b->group.is_on ? ARRAY_N(group_sizes) : by_style[b->dispatch.style].n;
    return b->group.is_on ? group_sizes : by_style[b->dispatch.style].list;
}

static uint32_t clamp(uint32_t n, uint32_t least, uint32_t most)
{
    return n < least ? least : n > most ? most : n;
}

/* Picks the number of work-groups by the style of the dispatch. A wide dispatch has a single work-group in
 * 1 of 16 cases, else 2 to `most`, where `most` is what fits into the number of items aimed at. Choice 0,
 * the smallest case, is a single work-group where the case has group operations, and two elsewhere. */
static uint32_t pick_groups(const struct build *b, uint64_t choice)
{
    uint32_t const n_local = b->dispatch.n_local;
    bool const has_group_operations = b->group.is_on;
    /* a value of the field GROUPS_SINGLE */
    uint64_t const single_at = has_group_operations ? 0 : 15;
    uint32_t const n_aim = b->has_pieces          ? PROGRAM_ITEMS
                           : has_group_operations ? GROUP_ITEMS
                                                  : WIDE_ITEMS;
    uint32_t const n_fit = n_aim / n_local;
    uint32_t const most = clamp(n_fit, 2, has_group_operations ? 6 : 9);
    switch (b->dispatch.style) {
    case STYLE_TINY:
        return 1;
    case STYLE_HOT: /* at least HOT_ITEMS */
        return (HOT_ITEMS + n_local - 1) / n_local;
    case STYLE_WIDE:
        /* a program of pieces is large already: a full work-group is mostly the only one */
        if (b->has_pieces && n_local >= PROGRAM_ITEMS && !field_is_last(choice, GROUPS_SEVERAL)) {
            return 1;
        }
        return field_get(choice, GROUPS_SINGLE) == single_at
                   ? 1
                   : 2 + (uint32_t)field_below(choice, GROUPS_COUNT, most - 1);
    case STYLE_LARGE:
        return LARGE_ITEMS / n_local;
    }
    assert(0 && "dispatch_style out of range");
    return 1;
}

/* Groups along each axis that the work-group has, n in all. */
static void spread_groups(struct build *b, uint32_t n, uint64_t choice)
{
    uint32_t const *const local = b->p.local;
    uint32_t per[3] = {n, 1, 1};
    if (local[1] > 1 && n % 2 == 0 && field_get(choice, SPREAD_Y)) {
        per[0] = n / 2;
        per[1] = 2;
    }
    if (local[2] > 1 && per[0] % 2 == 0 && field_get(choice, SPREAD_Z)) {
        per[0] /= 2;
        per[2] = 2;
    }
    for (int d = 0; d < 3; d++) {
        b->p.global[d] = per[d] * local[d];
    }
}

/* Perhaps cuts the edge of the dispatch, by `percent`, so that the last work-group is not full: in OpenCL
 * by a global size that is no multiple of the local size (EDGE_NONUNIFORM), else by a guard in the program
 * that lets only n_live items through (EDGE_GUARD). `choice` says by how much. */
static void cut_edge(struct build *b, uint64_t percent, uint64_t choice)
{
    enum {
        CUT_FROM = 66,
        CUT_GROUPS_FROM = 82, /* of cases with group operations */
        NONUNIFORM_FROM = 92
    };
    struct dispatch_plan *const d = &b->dispatch;
    uint32_t const cut = (uint32_t)field_get(choice, EDGE_CUT);
    bool const is_cut = percent >= (b->group.is_on ? CUT_GROUPS_FROM : CUT_FROM) && d->n_local > 1;
    bool const is_nonuniform = percent >= NONUNIFORM_FROM && b->env == ENV_CL &&
                               b->p.local[0] > 1 && build_may(b, NEED_CL_NONUNIFORM_WG);
    /* without ballots a group operation cannot tell who is here, so nobody may be kept away */
    bool const may_guard = !b->group.is_on || build_has_gate(b, GATE_BALLOT);
    d->edge = EDGE_NONE;
    d->min_local = d->n_local;
    if (b->has_pieces || !is_cut || (!is_nonuniform && !may_guard)) {
        return;
    }
    if (!is_nonuniform) {
        d->edge = EDGE_GUARD;
        /* at least one item less, but the last work-group keeps at least one */
        d->n_live = d->n_items - 1 - cut % (d->n_local - 1);
        build_set_shape(b, SHAPE_GUARD);
        return;
    }
    uint32_t const n_missing = 1 + cut % (b->p.local[0] - 1);
    d->edge = EDGE_NONUNIFORM;
    b->p.global[0] -= n_missing;
    d->n_items = b->p.global[0] * b->p.global[1] * b->p.global[2];
    d->n_live = d->n_items;
    d->min_local = b->p.local[0] - n_missing;
    needs_add(&b->p.needs, NEED_CL_NONUNIFORM_WG);
    build_set_shape(b, SHAPE_NONUNIFORM);
}

static void set_dispatch_shapes(struct build *b)
{
    uint32_t const *const local = b->p.local;
    build_set_shape_if(b, SHAPE_SEVERAL_GROUPS, b->dispatch.n_groups > 1);
    if (local[2] > 1) {
        build_set_shape(b, SHAPE_LOCAL_3D);
    } else if (local[1] > 1) {
        build_set_shape(b, SHAPE_LOCAL_2D);
    }
    build_set_shape_if(b, SHAPE_ODD_LOCAL, b->dispatch.n_local % 16 != 0);
    build_set_shape_if(b, SHAPE_LARGE, b->dispatch.style == STYLE_LARGE);
}

/* Decides several things by one record: iterations of the hot loop, the rendezvous, and
 * in OpenCL the version of the language and how the local index is found. */
static void plan_details(struct build *b, uint64_t digits)
{
    enum { /* percentages from which on work-groups wait for each other, and lid is the built-in */
        RENDEZVOUS_FROM = 30,
        LOCAL_INDEX_FROM = 96
    };
    static const uint8_t hot_trips[] = {8, 8, 8, 10, 12, 12, 12, 16};
    static const uint8_t large_trips[] = {1, 1, 1, 1, 1, 1, 2, 2};
    /* Versions of OpenCL C. They have no meaning by the text, but drivers take the language's from
     * them. */
    static const uint32_t sources[] = {0,      200000, 200000, 200000, 200000, 300000,
                                       300000, 300000, 300000, 300000, 300000, 300000,
                                       300000, 300000, 300000, 300000};
    bool const is_hot = b->dispatch.style == STYLE_HOT;
    const uint8_t *const trips = is_hot ? hot_trips : large_trips;
    b->dispatch.hot_trips = build_has_hot_loop(b) ? trips[field_get(digits, DETAIL_TRIPS)] : 1;
    b->dispatch.has_rendezvous = is_hot &&
                                 field_get(digits, DETAIL_RENDEZVOUS) >= RENDEZVOUS_FROM &&
                                 legal_may_scope(&b->p, SpvScopeDevice) &&
                                 build_may(b, b->env == ENV_CL ? NEED_CL_MEETING : NEED_VK_MEETING);
    if (b->env != ENV_CL) {
        return;
    }
    b->p.source = sources[field_get(digits, DETAIL_SOURCE)];
    if (field_get(digits, DETAIL_LOCAL_INDEX) >= LOCAL_INDEX_FROM &&
        b->dispatch.edge != EDGE_NONUNIFORM) {
        b->p.local_index = true;
        build_set_shape(b, SHAPE_LOCAL_INDEX);
    }
}

/* The need of a work-group of so many items; -1: each device has them. */
static int get_size_need(const struct build *b, uint32_t n_local)
{
    if (b->env == ENV_VK || n_local == 1) {
        return -1;
    }
    return n_local <= 16   ? NEED_CL_ITEMS_16
           : n_local <= 32 ? NEED_CL_ITEMS_32
           : n_local <= 64 ? NEED_CL_ITEMS_64
                           : NEED_CL_ITEMS_128;
}

/* The size drawn, or else the next in the list that the case may have, or else a single item. */
static struct local_size pick_size(const struct build *b, uint64_t choice)
{
    struct local_size const single = {1, 1, 1};
    size_t n = 0;
    const struct local_size *const sizes = list_sizes(b, &n);
    for (size_t i = 0; i < n; i++) {
        struct local_size const size = sizes[(choice % n + i) % n];
        int const need = get_size_need(b, (uint32_t)size.x * size.y * size.z);
        if (need < 0 || build_may(b, (enum need_id)need)) {
            return size;
        }
    }
    return single;
}

static void plan_size(struct build *b, uint64_t choice, uint64_t n_groups)
{
    struct local_size const size = pick_size(b, choice);
    b->p.local[0] = size.x;
    b->p.local[1] = size.y;
    b->p.local[2] = size.z;
    b->dispatch.n_local = (uint32_t)size.x * size.y * size.z;
    int const need = get_size_need(b, b->dispatch.n_local);
    if (need >= 0) {
        needs_add(&b->p.needs, (enum need_id)need);
    }
    b->dispatch.n_groups = pick_groups(b, n_groups);
}

/* Plans the dispatch from node t. The style comes first, as the sizes and the number of work-groups depend
 * on it; then the edge, which may take items away; then how many atomics and statements the body may have. */
void plan_dispatch(struct build *b, struct tape *t)
{
    static const uint8_t styles[] = {12, 62, 121, 5}; /* weights of tiny, hot, wide, large */
    static const uint32_t max_statements[] = {[STYLE_TINY] = GRAMMAR_MAX_STATEMENTS,
                                              [STYLE_HOT] = 3,
                                              [STYLE_WIDE] = GRAMMAR_MAX_STATEMENTS,
                                              [STYLE_LARGE] = 1};
    enum {
        MAX_BEFORE_PIECES = 2, /* statements */
        HOT_BY_LANE_PERCENT = 25
    };
    struct dispatch_plan *const d = &b->dispatch;
    tape_name_node(t, NODE_PLAIN);
    d->style = (enum dispatch_style)build_draw(t, styles, ARRAY_N(styles), ROLE_SIZE);
    bool const is_never_hot = build_is_apart(b) || b->has_pieces || !cells_may_be(b);
    /* group operations want wide dispatches; hot and large ones have cells that all contend for */
    if (b->group.is_on || (is_never_hot && d->style != STYLE_TINY)) {
        d->style = STYLE_WIDE;
    }
    uint64_t const size = tape_take_u64(t, ROLE_SIZE);
    plan_size(b, size, tape_take_u64(t, ROLE_SIZE));
    spread_groups(b, d->n_groups, tape_take_u64(t, ROLE_SIZE));
    d->n_items = d->n_groups * d->n_local;
    d->n_live = d->n_items;
    uint64_t const edge = tape_take_below(t, 100, ROLE_CONDITION);
    cut_edge(b, edge, tape_take_u64(t, ROLE_CONDITION));
    d->hot_by_lane = tape_take_chance(t, HOT_BY_LANE_PERCENT, ROLE_TRIPS);
    b->body.max_atomics = d->style == STYLE_LARGE ? BUILD_MAX_ATOMICS_LARGE : BUILD_MAX_ATOMICS;
    b->body.max_statements = b->has_pieces ? (uint32_t)MAX_BEFORE_PIECES : max_statements[d->style];
    set_dispatch_shapes(b);
    plan_details(b, tape_take_u64(t, ROLE_TRIPS));
}

enum {
    MIN_OF_DISPATCH = 2 /* of the choice of their number; a zero record is one dispatch */
};

/* Most work-groups in a dimension: along it they are divided. */
static uint32_t most_groups(const struct build *b)
{
    uint32_t most = 1;
    for (int d = 0; d < 3; d++) {
        uint32_t const n = b->p.global[d] / b->p.local[d];
        most = n > most ? n : most;
    }
    return most;
}

/* Plans how many dispatches run the program, one after the other. Work-groups that wait for each other must run at
 * once, and a smaller one can only be at the end of a single dispatch. */
void plan_dispatches(struct build *b, struct tape *t)
{
    tape_name_node(t, NODE_PLAIN);
    uint64_t const percent = tape_take_below(t, 100, ROLE_SIZE);
    uint64_t const choice = tape_take_u64(t, ROLE_SIZE);
    uint64_t const form = tape_take_below(t, 3, ROLE_FORM);
    b->dispatch.told = tape_take_u64(t, ROLE_FORM);
    uint32_t const most = clamp(most_groups(b), 1, CASE_MAX_DISPATCHES);
    uint64_t const from = b->has_pieces ? 74 : 87;
    b->p.n_dispatches = 1;
    if (percent < from || most < MIN_OF_DISPATCH || b->dispatch.has_rendezvous ||
        b->dispatch.edge == EDGE_NONUNIFORM) {
        return;
    }
    b->p.n_dispatches = MIN_OF_DISPATCH + (uint32_t)(choice % (most - MIN_OF_DISPATCH + 1));
    b->p.wg_from = form == 0 ? GROUP_FROM_GLOBAL : GROUP_FROM_OFFSET;
    if (b->env == ENV_VK) {
        b->p.wg_from = form == 0 ? GROUP_FROM_GLOBAL : GROUP_FROM_ID;
    }
    build_set_shape(b, SHAPE_DISPATCHES);
}

/* ---- modes ---- */

enum {
    WIDTH_16 = 1,
    WIDTH_32 = 2,
    WIDTH_64 = 4
};

/* [width] */
static const enum need_id szinp_needs[3] = {NEED_VK_SZINP16, NEED_VK_SZINP32, NEED_VK_SZINP64};
static const enum need_id denorm_needs[2][3] = {
    {NEED_VK_DENORM_PRESERVE16, NEED_VK_DENORM_PRESERVE32, NEED_VK_DENORM_PRESERVE64},
    {NEED_VK_DENORM_FLUSH16,    NEED_VK_DENORM_FLUSH32,    NEED_VK_DENORM_FLUSH64   }
};
static const enum need_id round_needs[2][3] = {
    {NEED_VK_RTE16, NEED_VK_RTE32, NEED_VK_RTE64},
    {NEED_VK_RTZ16, NEED_VK_RTZ32, NEED_VK_RTZ64}
};

/* Is it allowed for each of the widths? `needs` are by width. */
static bool may_mode(const struct build *b, const enum need_id *needs, unsigned widths)
{
    bool may = true;
    for (unsigned width = 0; width < 3; width++) {
        may &= !(widths >> width & 1) || build_may(b, needs[width]);
    }
    return may;
}

/* Only where subnormal numbers must be kept, a lost one is a mistake: of FmaKHR, which few cases have, half of
 * them say so. A mode of those widths. */
static enum ir_denorm pick_denorm(const struct build *b, unsigned widths, uint64_t percent)
{
    uint8_t const any = b->math.has_fma ? 40 : 66;
    uint8_t const weights[] = {any, may_mode(b, denorm_needs[0], widths) ? 86 - any : 0,
                               may_mode(b, denorm_needs[1], widths) ? 14 : 0};
    return (enum ir_denorm)build_pick(weights, ARRAY_N(weights), percent);
}

static enum ir_round pick_round(const struct build *b, unsigned widths, uint64_t percent)
{
    uint8_t const weights[] = {22, may_mode(b, round_needs[0], widths) ? 63 : 0,
                               may_mode(b, round_needs[1], widths) ? 15 : 0};
    return (enum ir_round)build_pick(weights, ARRAY_N(weights), percent);
}

static void need_mode(struct build *b, const struct ir_float_mode *m, unsigned width)
{
    struct needs *const n = &b->p.needs;
    if (m->szinp || m->mask0) { /* mask 0 asks for the property too: RT-09559 to -09564 */
        needs_add(n, szinp_needs[width]);
    }
    needs_add_if(n, NEED_VK_FLOAT_CONTROLS2, m->mask0);
    if (m->denorm != DENORM_ANY) {
        needs_add(n, denorm_needs[m->denorm == DENORM_FLUSH][width]);
    }
    if (m->round != ROUND_ANY) {
        needs_add(n, round_needs[m->round == ROUND_RTZ][width]);
    }
}

/* Plans the float modes of a Vulkan module. All are fields of one number, `record`, as they are few and
 * change together when a tape is mutated. All float widths have the same modes, or, where `differ` says so,
 * the first width has its own. A case with group operations has modes other than the usual only where it is
 * meant for them. */
static void plan_vk_floats(struct build *b, uint64_t record, bool wants_difference)
{
    enum { /* percentages from which on there is a default of no fast math, and SignedZeroInfNanPreserve */
        MASK0_FROM = 95,
        SZINP_FROM = 10
    };
    bool const may_be_rare =
        !b->group.is_on || b->group.rare == RARE_MODES || b->group.rare == RARE_ANY;
    bool const may_differ =
        build_may(b, NEED_VK_DENORM_INDEPENDENT) && build_may(b, NEED_VK_ROUNDING_INDEPENDENT);
    bool const differ = wants_difference && may_differ;
    unsigned const widths = b->modes.types;
    bool const may_preserve = may_mode(b, szinp_needs, widths);
    bool const mask0 = may_be_rare && may_preserve && build_may(b, NEED_VK_FLOAT_CONTROLS2) &&
                       field_get(record, MODE_MASK0) >= MASK0_FROM;
    bool const szinp = !mask0 && field_get(record, MODE_SZINP) >= SZINP_FROM;
    int n_widths = 0;
    for (unsigned width = 0; width < 3; width++) { /* 16, 32, 64 bits */
        if (!build_has_width(b, width)) {
            continue;
        }
        bool const has_own = differ && n_widths > 0;
        uint64_t const denorm =
            has_own ? field_get(record, MODE_OWN_DENORM) : field_get(record, MODE_DENORM);
        uint64_t const round =
            has_own ? field_get(record, MODE_OWN_ROUND) : field_get(record, MODE_ROUND);
        struct ir_float_mode *const m = &b->p.mode[width];
        unsigned const alike = differ ? 1U << width : widths;
        m->mask0 = mask0;
        m->szinp = szinp && build_may(b, szinp_needs[width]);
        m->denorm = may_be_rare ? pick_denorm(b, alike, denorm) : DENORM_ANY;
        m->round = may_be_rare ? pick_round(b, alike, round) : ROUND_ANY;
        need_mode(b, m, width);
        n_widths++;
    }
    if (may_be_rare && differ && n_widths > 1) {
        needs_add(&b->p.needs, NEED_VK_DENORM_INDEPENDENT);
        needs_add(&b->p.needs, NEED_VK_ROUNDING_INDEPENDENT);
    }
    if (mask0) {
        /* NoContraction may not stand in a module with FPFastMathDefault, which forbids contraction
         * itself */
        b->p.contraction_off = false;
        b->p.version = b->p.version < IR_SPIRV_1_3 ? IR_SPIRV_1_3 : b->p.version;
    }
    /* else the module leaves NaN, infinities and signed zeros open: inputs mostly have none */
    if ((szinp && may_preserve) || mask0) {
        build_set_shape(b, SHAPE_MODES);
    } else {
        b->modes.plain_inputs = !field_is_last(record, MODE_SPECIALS);
    }
}

/* Chooses the build options of an OpenCL case by `choice`. Most cases have none; a case of mathematics may
 * have one of the options of plan_math_options instead. */
static void plan_cl_options(struct build *b, uint64_t choice)
{
    enum {
        PLAIN_PERCENT = 82, /* cases without an option */
        EACH_PERCENT = 3    /* cases with each option */
    };
    static const struct {
        const char *text;
        bool assumes_finite; /* NaN and infinities do not occur */
    } options[] = {
        {"",                              false},
        {"-cl-denorms-are-zero",          false},
        {"-cl-no-signed-zeros",           false},
        {"-cl-finite-math-only",          true },
        {"-cl-mad-enable",                false},
        {"-cl-unsafe-math-optimizations", false},
        {"-cl-fast-relaxed-math",         true }
    };
    if (b->math.is_main && plan_math_options(b, field_rest(choice, OPTIONS_OF_MATH))) {
        return;
    }
    uint64_t const percent = field_get(choice, PERCENT);
    /* row 0 is no option; the six others share the percents from PLAIN_PERCENT on */
    uint64_t const row = percent < PLAIN_PERCENT ? 0 : 1 + (percent - PLAIN_PERCENT) / EACH_PERCENT;
    b->modes.build_options = options[row].text;
    b->modes.plain_inputs |= options[row].assumes_finite;
    build_set_shape_if(b, SHAPE_MODES, row != 0);
}

/* Non-uniform group operations came with version 1.3, the mode for the sub-group's size with 1.1. */
static void plan_cl_version(struct build *b, bool newer)
{
    unsigned const plain =
        1u << GATE_UNIFORM | 1u << GATE_UNIFORM_KHR | 1u << GATE_AMD | 1u << GATE_AMD_SET;
    if (b->group.gates & ~plain) {
        b->p.version = IR_SPIRV_1_3;
        needs_add(&b->p.needs, NEED_CL_IL_1_3);
    } else if ((newer && build_may(b, NEED_CL_IL_1_2)) || b->p.subgroup_size != 0) {
        b->p.version = IR_SPIRV_1_2;
        needs_add(&b->p.needs, NEED_CL_IL_1_2);
    } else {
        b->p.version = IR_SPIRV_1_0;
        needs_add(&b->p.needs, NEED_CL_IL_1_0);
    }
}

static void plan_vk_modes(struct build *b, struct tape *t, uint64_t digits, bool is_newer,
                          bool has_vulkan_model)
{
    b->p.version = is_newer ? IR_SPIRV_1_5 : IR_SPIRV_1_3;
    needs_add(&b->p.needs, is_newer ? NEED_VK_SPIRV_1_5 : NEED_VK_SPIRV_1_3);
    b->p.vulkan_memory_model = has_vulkan_model;
    needs_add_if(&b->p.needs, NEED_VK_MEMORY_MODEL, has_vulkan_model);
    plan_vk_floats(b, digits, tape_take_chance(t, 15, ROLE_MODE));
    b->p.shares_at_barriers = has_vulkan_model && tape_take_chance(t, 50, ROLE_MODE);
    b->modes.wants_buffer_block = field_get(digits, MODE_BUFFER_BLOCK) >= 85;
}

/* The float widths of a program's sweeps: more than those of its statements, as drivers with 16- and 64-bit
 * arithmetic are not as rare as those with such atomics. */
static unsigned pick_sweep_types(const struct build *b, uint64_t digits)
{
    enum {
        PERCENT_16 = 74,
        PERCENT_64 = 72
    };
    uint64_t const choice = hash_bytes(digits, "sweep", sizeof "sweep");
    unsigned types = b->modes.types;
    if (b->has_pieces && digits != 0) {
        types |= field_get(choice, PERCENT) < PERCENT_16 ? (unsigned)WIDTH_16 : 0;
        types |= field_get(choice, SWEEP_64) < PERCENT_64 ? (unsigned)WIDTH_64 : 0;
        types |= field_get(choice, SWEEP_32) ? (unsigned)WIDTH_32 : 0;
    }
    return types & build_get_widths(b);
}

/* Plans what holds for the whole module, from node t: float widths, contraction, the share of stored
 * results, barriers; then versions and build options (OpenCL) or float modes (Vulkan). The first draws are
 * the same for both environments. */
void plan_modes(struct build *b, struct tape *t)
{
    enum {
        NEWER_PERCENT = 40, /* newer version of SPIR-V */
        CONTRACTION_OFF_PERCENT = 80,
        VULKAN_MODEL_PERCENT = 10,
        BARRIERS_PERCENT = 22
    };
    static const uint8_t width_weights[] = {32, 14, 15, 20, 19};
    static const unsigned widths[] = {WIDTH_32, WIDTH_32 | WIDTH_64, WIDTH_64, WIDTH_16,
                                      WIDTH_16 | WIDTH_32};
    static const unsigned probe_percents[] = {100, 70, 30};
    static const uint8_t probe_weights[] = {60, 25, 15};
    tape_name_node(t, NODE_PLAIN);
    bool const wants_newer = tape_take_chance(t, NEWER_PERCENT, ROLE_MODE);
    bool const is_newer = wants_newer && (b->env == ENV_CL || build_may(b, NEED_VK_SPIRV_1_5));
    unsigned const others = ~build_get_widths(b); /* that it may not have */
    uint8_t weights[ARRAY_N(widths)];
    for (unsigned i = 0; i < ARRAY_N(widths); i++) {
        weights[i] = widths[i] & others ? 0 : width_weights[i];
    }
    b->modes.types = widths[build_draw(t, weights, ARRAY_N(widths), ROLE_TYPE)];
    if (b->group.is_on) { /* plan_groups has chosen the float widths */
        b->modes.types = b->group.floats;
    }
    uint64_t const digits = tape_take_u64(t, ROLE_MODE);
    b->p.contraction_off = tape_take_below(t, 100, ROLE_MODE) < CONTRACTION_OFF_PERCENT;
    bool const wants_vulkan_model = tape_take_chance(t, VULKAN_MODEL_PERCENT, ROLE_MODE);
    bool const has_vulkan_model = wants_vulkan_model && build_may(b, NEED_VK_MEMORY_MODEL) &&
                                  build_may(b, NEED_VK_MEMORY_MODEL_DEVICE);
    b->body.probe_percent =
        probe_percents[build_draw(t, probe_weights, ARRAY_N(probe_weights), ROLE_FORM)];
    b->body.has_barriers = tape_take_chance(t, BARRIERS_PERCENT, ROLE_MODE) || b->has_pieces;
    b->modes.build_options = "";
    unsigned const statement_types = b->modes.types;
    b->modes.sweep_types = pick_sweep_types(b, digits);
    b->modes.types = b->modes.sweep_types; /* for the calls below: sweeps use the modes too */
    if (b->env == ENV_CL) {
        plan_cl_version(b, is_newer);
        plan_cl_options(b, digits);
    } else {
        plan_vk_modes(b, t, digits, is_newer, has_vulkan_model);
    }
    b->modes.types = statement_types;
    build_set_shape_if(b, SHAPE_SPECIALS, !b->modes.plain_inputs);
}

/* ---- bindings ---- */

/* Sets of all buffers: two bits for each. Of choice 0 all stand in set 0. */
static uint64_t pick_sets(uint64_t form, uint64_t digits)
{
    enum {
        ONE_FROM = 9, /* all in one other set */
        TWO_FROM = 11 /* in two of them; the rest in any */
    };
    uint64_t const all = UINT64_C(0x5555555555555555);
    if (field_get(form, SETS_FORM) < ONE_FROM) {
        return 0;
    }
    if (field_get(form, SETS_FORM) < TWO_FROM) {
        return (1 + field_get(digits, SETS_ONE)) * all;
    }
    if (field_get(form, SETS_FORM) % 2 == 0) {
        uint64_t const one = field_get(digits, SETS_FIRST),
                       other = (one + 1 + field_get(digits, SETS_SECOND)) % 4;
        uint64_t const is_other = (digits >> 16) & all;
        return one * (all & ~is_other) | other * is_other;
    }
    return digits;
}

/* Plans where buffers stand, and which inputs nobody writes. The draws are the same for both environments. */
void plan_bindings(struct build *b, struct tape *t)
{
    static const uint8_t constant_weights[] = {50, 14, 20, 16};
    static const uint8_t constant_percents[] = {0, 15, 40, 85};
    static const uint8_t push_percents[] = {0, 20, 60, 90};
    static const uint8_t push_weights[] = {62, 12, 16, 10};
    static const uint8_t push_firsts[] = {0, 0, 16, 4, 8, 64, 16, 12};
    struct binding_plan *const p = &b->bindings;
    tape_name_node(t, NODE_PLAIN);
    unsigned const constant =
        build_draw(t, constant_weights, ARRAY_N(constant_weights), ROLE_PLACE);
    unsigned const push = build_draw(t, push_weights, ARRAY_N(push_weights), ROLE_PLACE);
    uint64_t const push_digits = tape_take_u64(t, ROLE_FORM);
    p->seed = tape_take_u64(t, ROLE_FORM);
    uint64_t const form = tape_take_u64(t, ROLE_FORM);
    p->sets = pick_sets(form, tape_take_u64(t, ROLE_FORM));
    p->constant_percent = constant_percents[constant];
    p->push_percent = b->env == ENV_VK ? push_percents[push] : 0;
    p->push_type =
        field_is_last(push_digits, PUSH_LONG) && build_may_type(b, IR_I64) ? IR_I64 : IR_I32;
    p->push_first = push_firsts[field_get(push_digits, PUSH_FIRST)];
    if (p->push_type == IR_I64) {
        p->push_first &= ~7U;
    }
}

void plan_put_sets(struct build *b)
{
    bool is_other = false;
    for (uint32_t v = 0; v < b->p.n_vars && b->env == ENV_VK; v++) {
        struct ir_var *const var = &b->p.vars[v];
        if (ir_var_has_buffer(var) && var->kind != VAR_PUSH) {
            var->set = (uint32_t)(b->bindings.sets >> 2 * var->buf & 3);
            is_other |= var->set != 0;
        }
    }
    build_set_shape_if(b, SHAPE_SETS, is_other);
}

/* ---- group operations ---- */

/* Gates that go together. */
struct family {
    uint8_t weight, is_rare, has_clusters, by_workgroup;
    unsigned gates;
};
#define G(gate) (1u << GATE_##gate)
enum {
    BALLOTS = G(BALLOT) | G(ELECT),
    SHUFFLES = G(SHUFFLE) | G(SHUFFLE_RELATIVE),
    MOST = G(ARITHMETIC) | G(VOTE) | G(BALLOT) | G(ELECT) | G(SHUFFLE)
};
static const struct family vk_families[] = {
    {30, 0, 0, 0, BALLOTS | G(ARITHMETIC)                 },
    {10, 0, 0, 0, BALLOTS | G(VOTE)                       },
    {13, 0, 0, 0, SHUFFLES | G(BALLOT)                    },
    {10, 0, 0, 0, G(QUAD) | G(BALLOT) | G(VOTE)           },
    {20, 0, 0, 0, MOST | G(QUAD)                          },
    {7,  1, 1, 0, G(ARITHMETIC) | G(BALLOT)               },
    {3,  1, 1, 0, MOST | G(SHUFFLE_RELATIVE) | G(QUAD)    },
    {12, 1, 0, 0, G(ROTATE) | G(BALLOT)                   },
    {8,  1, 0, 0, G(QUAD_VOTE) | G(BALLOT) | G(QUAD)      },
    {8,  1, 0, 0, G(PARTITION) | G(ARITHMETIC) | G(BALLOT)},
    {5,  1, 0, 0, G(AMD) | G(BALLOT)                      },
    {9,  1, 0, 0, G(AMD_SET) | G(BALLOT)                  },
    {10, 1, 0, 0, G(UNIFORM) | G(AMD) | G(BALLOT)         },
};
static const struct family cl_families[] = {
    {40, 0, 0, 0, G(UNIFORM)                             },
    {9,  0, 0, 1, G(UNIFORM)                             },
    {15, 0, 0, 0, BALLOTS | G(ARITHMETIC)                },
    {13, 0, 0, 0, BALLOTS | G(VOTE)                      },
    {9,  0, 0, 0, SHUFFLES | G(BALLOT)                   },
    {9,  0, 0, 0, G(ARITHMETIC) | G(VOTE) | G(SHUFFLE)   },
    {10, 0, 1, 0, G(UNIFORM) | MOST | G(SHUFFLE_RELATIVE)},
    {7,  1, 0, 0, G(UNIFORM) | G(UNIFORM_KHR)            },
    {3,  1, 1, 0, G(ARITHMETIC) | G(BALLOT)              },
    {7,  1, 0, 0, G(ROTATE) | G(BALLOT)                  },
    {4,  1, 0, 0, G(AMD) | G(BALLOT)                     },
    {1,  1, 0, 0, G(AMD)                                 },
    {7,  1, 0, 0, G(AMD_SET) | G(BALLOT)                 },
    {8,  1, 0, 0, G(UNIFORM) | G(AMD) | G(BALLOT)        },
    {8,  1, 0, 0, G(INTEL) | G(BALLOT)                   },
    {3,  1, 0, 0, G(INTEL)                               },
};

static bool is_wanted(const struct family *f, enum group_rare rare)
{
    return rare == RARE_ANY || f->is_rare == (rare == RARE_FAMILY) ||
           (rare == RARE_TYPES && f->has_clusters); /* drivers that have the one have the other */
}

/* Of the gates of f those that the case may have. */
static unsigned get_gates(const struct build *b, const struct family *f)
{
    unsigned gates = 0;
    if (f->by_workgroup ? !build_may(b, NEED_CL_WG_COLLECTIVES) : !legal_may_subgroup(&b->p)) {
        return 0;
    }
    for (enum legal_gate gate = GATE_UNIFORM; gate <= GATE_INTEL; gate++) {
        bool const may = f->by_workgroup || legal_may_gate(&b->p, gate);
        gates |= (f->gates >> gate & 1) && may ? 1U << gate : 0;
    }
    return gates;
}

static bool may_cluster(const struct build *b)
{
    return build_may(b, b->env == ENV_CL ? NEED_CL_SG_CLUSTERED : NEED_VK_SG_CLUSTERED);
}

/* A rare family is one for all of its gates, another also for some of them; none is one for telling who is here alone. */
static bool may_have(const struct build *b, const struct family *f)
{
    unsigned const gates = get_gates(b, f);
    bool const is_whole = gates == f->gates && (!f->has_clusters || may_cluster(b));
    return f->is_rare ? is_whole : (gates & ~G(ELECT)) != 0;
}

/* Families that the case may have, of those that are wanted if there are any; NULL: there are none. */
static const struct family *pick_family(const struct build *b, enum group_rare rare,
                                        uint64_t choice)
{
    const struct family *const rows = b->env == ENV_CL ? cl_families : vk_families;
    unsigned const n = b->env == ENV_CL ? ARRAY_N(cl_families) : ARRAY_N(vk_families);
    uint8_t weights[2][ARRAY_N(cl_families)] = {{0}}; /* of those that are wanted; of all */
    bool is_any[2] = {false, false};
    assert(n <= ARRAY_N(weights[0]));
    for (unsigned i = 0; i < n; i++) {
        uint8_t const weight = may_have(b, &rows[i]) ? rows[i].weight : 0;
        weights[0][i] = is_wanted(&rows[i], rare) ? weight : 0;
        weights[1][i] = weight;
        is_any[0] |= weights[0][i] != 0;
        is_any[1] |= weight != 0;
    }
    return is_any[1] ? &rows[build_pick(weights[!is_any[0]], n, choice)] : NULL;
}

#undef G

static bool is_rare(const struct build *b, enum group_rare rare)
{
    return b->group.rare == rare || b->group.rare == RARE_ANY;
}

/* 4, 8, 16, 32, 64, 128; the sizes of the software devices stand out. */
static void plan_required(struct build *b, uint64_t choice)
{
    static const uint8_t shares[ENV_N][6] = {
        {20, 25, 25, 20, 10, 0 },
        {20, 20, 16, 16, 14, 14}
    };
    bool const is_wanted_beside = field_get(choice, REQUIRED_BESIDE) == 0;
    /* masks reach far lanes where these are known to be there */
    bool const for_masks = build_has_gate(b, GATE_AMD_SET) && field_is_last(choice, REQUIRED_MASKS);
    bool const may_require = b->env == ENV_VK || build_may(b, NEED_CL_IL_1_2);
    uint8_t weights[ARRAY_N(shares[0])];
    bool is_any = false;
    for (unsigned i = 0; i < ARRAY_N(weights); i++) {
        weights[i] = legal_may_subgroup_size(&b->p, 4u << i) ? shares[b->env][i] : 0;
        is_any |= weights[i] != 0;
    }
    if ((!is_rare(b, RARE_SIZE) && !for_masks && !is_wanted_beside) || b->group.by_workgroup ||
        !is_any || !may_require) {
        return;
    }
    b->p.subgroup_size = 4u << build_pick(weights, ARRAY_N(weights), choice);
    legal_add_subgroup_size_need(&b->p, b->p.subgroup_size);
    build_set_group_shape(b, GROUP_SHAPE_REQUIRED_SIZE);
}

static void plan_flow(struct build *b, uint64_t choice)
{
    bool const may_be_maximal = build_may(b, NEED_VK_MAXIMAL_RECONVERGENCE);
    bool const may_be_subgroup = build_may(b, NEED_VK_SG_UNIFORM_FLOW);
    bool const is_wanted_beside = field_get(choice, FLOW_BESIDE) == 0;
    if (b->env != ENV_VK || (!is_rare(b, RARE_FLOW) && !is_wanted_beside) ||
        (!may_be_maximal && !may_be_subgroup)) {
        return;
    }
    if (may_be_maximal && (field_get(choice, FLOW_SUBGROUP) == 0 || !may_be_subgroup)) {
        b->p.maximal_reconvergence = true;
        needs_add(&b->p.needs, NEED_VK_MAXIMAL_RECONVERGENCE);
        build_set_group_shape(b, GROUP_SHAPE_MAXIMAL_RECONVERGENCE);
    } else {
        b->p.subgroup_uniform_flow = true;
        needs_add(&b->p.needs, NEED_VK_SG_UNIFORM_FLOW);
        build_set_group_shape(b, GROUP_SHAPE_SUBGROUP_FLOW);
    }
}

/* Integers beside i32, floats beside f32. Nearly all OpenCL drivers have i64 and f64; what lists AMD's
 * instructions has each type, which `any_type` then asks for. */
static void plan_types(struct build *b, uint64_t integers, uint64_t floats, bool any_type)
{
    static const uint8_t integer_shares[] = {30, 20, 17, 17, 16};
    static const uint8_t float_shares[] = {36, 18, 14, 14, 18};
    static const uint8_t usual_float_shares[] = {62, 16, 14, 4, 4};
    static const unsigned sets[] = {0, TYPE_I64, TYPE_I16, TYPE_I8, TYPE_I64 | TYPE_I16 | TYPE_I8};
    static const unsigned widths[] = {2, 2 | 4, 4, 1, 1 | 2, 1 | 2 | 4}; /* as modes.types */
    unsigned set = 0;
    unsigned width = 0;
    if (is_rare(b, RARE_TYPES) || any_type) {
        set = any_type ? (unsigned)ARRAY_N(sets) - 1
                       : build_pick(integer_shares, ARRAY_N(integer_shares), integers);
        width = any_type ? (unsigned)ARRAY_N(widths) - 1
                         : build_pick(float_shares, ARRAY_N(float_shares), floats);
    } else {
        set = field_get(integers, PERCENT) >= 55;
        width = build_pick(usual_float_shares, ARRAY_N(usual_float_shares), floats);
    }
    unsigned const may = build_get_widths(b);
    b->group.floats = widths[width] & may ? widths[width] & may : (unsigned)WIDTH_32;
    b->group.integers = sets[set] | TYPE_I32 | TYPE_BOOL;
}

/* May the case have anything of that class? */
static bool may_be_rare(const struct build *b, enum group_rare rare)
{
    const struct family *const rows = b->env == ENV_CL ? cl_families : vk_families;
    unsigned const n = b->env == ENV_CL ? ARRAY_N(cl_families) : ARRAY_N(vk_families);
    bool may = rare != RARE_FAMILY && rare != RARE_SIZE && rare != RARE_TYPES && rare != RARE_FLOW;
    for (unsigned i = 0; i < n && rare == RARE_FAMILY; i++) {
        may |= rows[i].is_rare && may_have(b, &rows[i]);
    }
    for (uint32_t size = 4; size <= CASE_MAX_SUBGROUP && rare == RARE_SIZE; size *= 2) {
        may |= legal_may_subgroup_size(&b->p, size);
    }
    for (enum ir_type t = IR_I8; t <= IR_F64 && rare == RARE_TYPES; t++) {
        may |= t != IR_I32 && t != IR_F32 && build_may_type(b, t);
    }
    return may || (rare == RARE_FLOW && (build_may(b, NEED_VK_MAXIMAL_RECONVERGENCE) ||
                                         build_may(b, NEED_VK_SG_UNIFORM_FLOW)));
}

/* Plans from node t which group operations the case may use: a family of instructions with its gates (what
 * a device must have), the types, vectors, control flow and the form of SPV_AMD_shader_ballot. */
void plan_groups(struct build *b, struct tape *t)
{
    enum { /* percentages from which on it has vectors, and AMD's instructions without their OpExtension */
        VECTORS_FROM = 60,
        BARE_FROM = 64
    };
    /* weights in the order of enum group_rare, for each environment */
    static const uint8_t shares[ENV_N][RARE_N] = {
        {20, 32, 20, 5, 8, 0, 10, 5},
        {20, 32, 16, 6, 6, 5, 10, 5}
    };
    struct group_plan *const g = &b->group;
    tape_name_node(t, NODE_PLAIN);
    uint64_t const digits = tape_take_u64(t, ROLE_MODE);
    uint8_t weights[RARE_N];
    for (unsigned i = 0; i < RARE_N; i++) {
        weights[i] = may_be_rare(b, (enum group_rare)i) ? shares[b->env][i] : 0;
    }
    g->rare = (enum group_rare)build_pick(weights, RARE_N, digits);
    const struct family *const f = pick_family(b, g->rare, tape_take_u64(t, ROLE_OPERATION));
    if (!f) { /* the case is one of atomics, or of what else its profile has */
        return;
    }
    g->is_on = true;
    g->gates = get_gates(b, f);
    g->has_clusters = f->has_clusters && may_cluster(b);
    g->by_workgroup = f->by_workgroup;
    plan_required(b, tape_take_u64(t, ROLE_SIZE));
    uint64_t const integers = tape_take_u64(t, ROLE_TYPE);
    bool const is_amd = (g->gates & (1u << GATE_AMD | 1u << GATE_AMD_SET)) != 0;
    plan_types(b, integers, tape_take_u64(t, ROLE_TYPE), is_amd && field_get(digits, GROUPS_TYPES));
    plan_flow(b, field_rest(digits, GROUPS_FLOW));
    g->has_vectors = field_get(digits, GROUPS_VECTORS) >= VECTORS_FROM;
    g->by_amd = is_amd && build_has_gate(b, GATE_UNIFORM);
    g->is_bare = !g->by_amd && field_get(digits, GROUPS_BARE) >= BARE_FROM &&
                 build_may(b, b->env == ENV_CL ? NEED_CL_AMD_BARE : NEED_VK_AMD_BARE);
    /* a seed made from the digits under a name of its own; 0: no operations by SPV_AMD_shader_ballot at the end */
    g->amd_seed = is_amd && !g->is_bare ? hash_bytes(digits, "more", 4) : 0;
    g->has_atomics = b->profile == PROFILE_ALL || is_rare(b, RARE_ATOMICS);
    g->wants_full = field_get(digits, GROUPS_FULL);
}

/* ---- where the size of a work-group stands, when the version is known ---- */

/* Three specialization constants, which have the size by the case and another one in the module: `choice` says which,
 * one that each device takes. */
static void put_local_specs(struct build *b, uint64_t choice)
{
    for (uint32_t d = 0; d < 3; d++) {
        uint32_t const local = b->p.local[d];
        bool const is_large = field_is_last(choice, SPEC_OTHER);
        bool const is_same = d > 0 && local == 1 && !is_large; /* x alone has another one always */
        uint32_t const other = is_large ? 1 + local % 4 : local == 1 ? 2 : 1;
        uint32_t const own = is_same ? 1 : other == local ? local + 1 : other;
        b->p.local_spec[d] = ir_spec(&b->p, IR_I32, own, true, local);
        choice = field_rest(choice, SPEC_NEXT);
    }
    needs_add_if(&b->p.needs, NEED_CL_SPECIALIZATION, b->env == ENV_CL);
}

/* Plans where the module states the size of a work-group (enum ir_local_size), from node t: in the dispatch
 * alone, in an execution mode, or in specialization constants. Both decisions are drawn first, so that none
 * moves with the other. */
void plan_local_size(struct build *b, struct tape *t)
{
    enum {
        N_FORMS = 4
    };
    /* in the order of enum ir_local_size: by dispatch, by mode, by ids, by constant */
    static const uint8_t vk_shares[N_FORMS] = {81, 0, 8, 11}, cl_shares[N_FORMS] = {88, 6, 6, 0};
    uint64_t const pick = tape_take_u64(t, ROLE_FORM);
    uint64_t const choice = tape_take_u64(t, ROLE_SIZE);
    bool const may_ids =
        build_may(b, b->env == ENV_VK ? NEED_VK_LOCAL_SIZE_ID : NEED_CL_SPECIALIZATION);
    uint8_t weights[N_FORMS];
    memcpy(weights, b->env == ENV_VK ? vk_shares : cl_shares, sizeof weights);
    weights[LOCAL_BY_IDS] = may_ids ? weights[LOCAL_BY_IDS] : 0;
    enum ir_local_size form = (enum ir_local_size)build_pick(weights, N_FORMS, pick);
    if (b->dispatch.edge == EDGE_NONUNIFORM) {
        /* a kernel that states a size has no smaller work-groups: LOCAL_BY_DISPATCH stays */
        return;
    }
    /* SPIR-V before 1.2 has no LocalSizeId */
    if (b->env == ENV_CL && form == LOCAL_BY_IDS && b->p.version < IR_SPIRV_1_2) {
        form = LOCAL_BY_MODE;
    }
    b->p.local_form = form;
    if (form != LOCAL_BY_IDS && form != LOCAL_BY_CONSTANT) {
        return; /* the other forms have no constants */
    }
    put_local_specs(b, field_rest(choice, SIZE_SPECS));
    /* in half of the cases the work-group's index is divided by the size, so that code reads the constants */
    b->p.wg_from = field_get(choice, SIZE_FROM_GLOBAL) ? GROUP_FROM_GLOBAL : b->p.wg_from;
    if (form == LOCAL_BY_CONSTANT) {
        b->p.local_vector = ir_spec_vector(&b->p, 3, b->p.local_spec);
        /* no mode in two of four cases, else LocalSize 1 or 2, which the constant overrides */
        b->p.local_mode = (uint32_t)field_get(choice, SIZE_MODE) % 3;
    } else if (b->env == ENV_VK) {
        needs_add(&b->p.needs, NEED_VK_LOCAL_SIZE_ID);
    }
    build_set_shape(b, SHAPE_LOCAL_SPEC);
}

/* ---- types and rows, when version and dispatch are known ---- */

/* Is the instruction legal in its plainest form? */
static bool is_legal_at(const struct build *b, enum op_id op, enum ir_type type, uint32_t scope)
{
    struct ir_group const x = {.op = op,
                               .type = type,
                               .scope = scope,
                               .n = legal_count_components(op),
                               .operation = legal_has_operation(op)
                                                ? (uint32_t)SpvGroupOperationReduce
                                                : (uint32_t)IR_NO_OPERATION,
                               .by_amd = b->group.by_amd,
                               .bare = b->group.is_bare};
    return legal_is_group(&b->p, &x) && legal_may_group(&b->p, &x, type);
}

static uint8_t legal_types(const struct build *b, enum op_id op, unsigned types)
{
    unsigned legal = 0;
    for (enum ir_type t = IR_BOOL; t <= IR_F64; t++) {
        unsigned const bit = legal_get_type_bit(t) & types;
        bool const is_legal =
            bit != 0 && ((!b->group.by_workgroup && is_legal_at(b, op, t, SpvScopeSubgroup)) ||
                         is_legal_at(b, op, t, SpvScopeWorkgroup));
        legal |= is_legal ? bit : 0;
    }
    return (uint8_t)legal;
}

/* A cluster must be no larger than any sub-group. Sub-groups have at least four lanes on the
 * devices that have clusters; in OpenCL the last one of a work-group may be cut short. */
static uint32_t largest_cluster(const struct build *b)
{
    uint32_t most = b->p.subgroup_size != 0 ? b->p.subgroup_size : 4;
    if (b->env == ENV_VK) {
        return most;
    }
    if (b->dispatch.edge == EDGE_NONUNIFORM) {
        return 1;
    }
    while (b->dispatch.n_local % most != 0) {
        most /= 2;
    }
    return most;
}

/* Vulkan: the pipeline may require that each sub-group is full, if its size is known and divides a
 * row. */
static void plan_full(struct build *b)
{
    bool const is_sized = b->env == ENV_VK && b->p.subgroup_size != 0;
    if (is_sized && b->group.wants_full && build_may(b, NEED_VK_SG_FULL) &&
        b->p.local[0] % b->p.subgroup_size == 0) {
        b->group.is_full = true;
        needs_add(&b->p.needs, NEED_VK_SG_FULL);
        build_set_group_shape(b, GROUP_SHAPE_FULL_SUBGROUPS);
    }
}

static void set_size_shapes(struct build *b)
{
    uint32_t const size = b->p.subgroup_size != 0 ? b->p.subgroup_size : 8;
    build_set_group_shape_if(b, GROUP_SHAPE_ODD_SIZE, b->dispatch.n_local % size != 0);
    build_set_group_shape_if(b, GROUP_SHAPE_SHORT_GROUP, b->dispatch.edge == EDGE_NONUNIFORM);
    build_set_group_shape_if(b, GROUP_SHAPE_SEVERAL_GROUPS, b->dispatch.n_groups > 1);
    build_set_group_shape_if(b, GROUP_SHAPE_DIMENSIONS, b->p.local[1] > 1 || b->p.local[2] > 1);
}

/* Plans, when dispatch and modes are known, on which types each group instruction may work (0: it is not
 * used), and the size of clusters and sub-groups. */
void plan_group_rows(struct build *b)
{
    struct group_plan *const g = &b->group;
    unsigned types = g->integers;
    for (unsigned width = 0; width < 3; width++) {
        if (build_has_width(b, width)) {
            types |= legal_get_type_bit((enum ir_type)(IR_F16 + width));
        }
    }
    for (int i = 0; i < OP_N; i++) {
        enum op_id const op = (enum op_id)i;
        int const gate = legal_get_gate(op);
        if (gate != LEGAL_NO_GATE && build_has_gate(b, (enum legal_gate)gate)) {
            g->types[op] = legal_types(b, op, types);
        }
    }
    g->max_cluster = largest_cluster(b);
    plan_full(b);
    set_size_shapes(b);
}

/* gen/plan/plan.c -- the dispatch and the modes: decisions that stand before the program. */
#include "gen/plan/plan.h"

#include <assert.h>

#include "base/caps.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/build.h"
#include "gen/plan/math_plan.h"
#include "gen/plan/plan_groups.h"

struct local_size {
    uint8_t x, y, z;
};
static const struct local_size tiny_sizes[] = {
    {1,  1, 1},
    {2,  1, 1},
    {3,  1, 1},
    {5,  1, 1},
    {16, 1, 1},
    {32, 1, 1},
    {7,  3, 1},
    {64, 1, 1}
};
static const struct local_size hot_sizes[] = {
    {32, 1, 1},
    {16, 1, 1},
    {32, 1, 1},
    {32, 1, 1},
    {8,  4, 1},
    {24, 1, 1},
    {4,  4, 2},
    {33, 1, 1},
    {32, 1, 1},
    {16, 2, 1},
    {20, 1, 1},
    {4,  4, 1}
};
static const struct local_size wide_sizes[] = {
    {16, 1,  1},
    {1,  1,  1},
    {4,  1,  1},
    {5,  1,  1},
    {8,  1,  1},
    {32, 1,  1},
    {48, 1,  1},
    {64, 1,  1},
    {16, 2,  1},
    {33, 1,  1},
    {3,  7,  1},
    {8,  8,  1},
    {16, 4,  1},
    {5,  3,  1},
    {4,  4,  4},
    {2,  3,  5},
    {7,  1,  3},
    {4,  2,  4},
    {64, 1,  1},
    {32, 2,  1},
    {24, 1,  1},
    {40, 1,  1},
    {61, 1,  1},
    {17, 1,  1},
    {32, 1,  1},
    {12, 5,  1},
    {1,  16, 1},
    {96, 1,  1},
    {48, 1,  1},
    {16, 2,  2}
};
static const struct local_size large_sizes[] = {
    {64,  1, 1},
    {16,  1, 1},
    {32,  1, 1},
    {128, 1, 1},
    {8,   8, 1},
    {16,  4, 2}
};

static struct local_size pick_size(enum dispatch_style style, uint64_t choice)
{
    switch (style) {
    case STYLE_TINY:
        return tiny_sizes[choice % ARRAY_N(tiny_sizes)];
    case STYLE_HOT:
        return hot_sizes[choice % ARRAY_N(hot_sizes)];
    case STYLE_WIDE:
        return wide_sizes[choice % ARRAY_N(wide_sizes)];
    case STYLE_LARGE:
        return large_sizes[choice % ARRAY_N(large_sizes)];
    }
    assert(0 && "dispatch_style out of range");
    return tiny_sizes[0];
}

enum {
    WIDE_ITEMS = 104,
    HOT_ITEMS = 64, /* few groups that run long meet; many short ones follow each other */
    LARGE_ITEMS = 1024
};

static uint32_t pick_groups(enum dispatch_style style, uint64_t choice, uint32_t n_local)
{
    uint32_t most;
    switch (style) {
    case STYLE_TINY:
        return 1;
    case STYLE_HOT:
        return (HOT_ITEMS + n_local - 1) / n_local;
    case STYLE_WIDE:
        most = WIDE_ITEMS / n_local;
        most = most < 2 ? 2 : most > 9 ? 9 : most;
        return choice % 16 == 15 ? 1 : 2 + (uint32_t)(choice / 16 % (most - 1));
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
    if (local[1] > 1 && n % 2 == 0 && choice % 2 == 1) {
        per[0] = n / 2;
        per[1] = 2;
    }
    if (local[2] > 1 && per[0] % 2 == 0 && choice / 2 % 2 == 1) {
        per[0] /= 2;
        per[2] = 2;
    }
    for (int d = 0; d < 3; d++) {
        b->p.global[d] = per[d] * local[d];
    }
}

/* The last items do not fill a work-group. */
static void cut_edge(struct build *b, uint64_t edge, uint64_t choice)
{
    uint32_t const cut = (uint32_t)(choice % 1000);
    /* whoever a guard keeps away is missed where nothing tells who is here */
    bool const may_guard = !b->group.is_on || build_has_gate(b, GATE_BALLOT);
    b->dispatch.edge = EDGE_NONE;
    b->dispatch.min_local = b->dispatch.n_local;
    if (edge < (b->group.is_on ? 82u : 66u) || b->dispatch.n_local == 1) {
        return;
    }
    if (edge < 92 || b->env == ENV_VK || b->p.local[0] == 1) {
        if (!may_guard) {
            return;
        }
        b->dispatch.edge = EDGE_GUARD;
        b->dispatch.n_live = b->dispatch.n_items - 1 - cut % (b->dispatch.n_local - 1);
        build_set_shape(b, SHAPE_GUARD);
        return;
    }
    b->dispatch.edge = EDGE_NONUNIFORM;
    uint32_t const less = 1 + cut % (b->p.local[0] - 1);
    b->p.global[0] -= less;
    b->dispatch.n_items = b->p.global[0] * b->p.global[1] * b->p.global[2];
    b->dispatch.n_live = b->dispatch.n_items;
    b->dispatch.min_local =
        b->p.local[0] - less; /* local indices 0 .. that are there in each work-group */
    needs_add(&b->p.needs, NEED_CL_NONUNIFORM_WG);
    build_set_shape(b, SHAPE_NONUNIFORM);
}

static void set_dispatch_shapes(struct build *b)
{
    uint32_t const *const local = b->p.local;
    if (b->dispatch.n_groups > 1) {
        build_set_shape(b, SHAPE_SEVERAL_GROUPS);
    }
    if (local[2] > 1) {
        build_set_shape(b, SHAPE_LOCAL_3D);
    } else if (local[1] > 1) {
        build_set_shape(b, SHAPE_LOCAL_2D);
    }
    if (b->dispatch.n_local % 16 != 0) {
        build_set_shape(b, SHAPE_ODD_LOCAL);
    }
    if (b->dispatch.style == STYLE_LARGE) {
        build_set_shape(b, SHAPE_LARGE);
    }
}

/* Choices that share a record, the lowest digits first. */
static void plan_details(struct build *b, uint64_t choice)
{
    static const uint8_t hot_trips[] = {8, 8, 8, 10, 12, 12, 12, 16};
    static const uint8_t large_trips[] = {1, 1, 1, 1, 1, 1, 2, 2};
    uint64_t const trips = choice % ARRAY_N(hot_trips);
    b->dispatch.hot_trips = b->dispatch.style == STYLE_HOT     ? hot_trips[trips]
                            : b->dispatch.style == STYLE_LARGE ? large_trips[trips]
                                                               : 1;
    choice /= ARRAY_N(hot_trips);
    b->dispatch.has_rendezvous = b->dispatch.style == STYLE_HOT && choice % 100 >= 30;
    choice /= 100;
    if (b->env != ENV_CL) {
        return;
    }
    /* no meaning by the text, but drivers take the language's version from it */
    static const uint32_t sources[] = {0,      200000, 200000, 200000, 200000, 300000,
                                       300000, 300000, 300000, 300000, 300000, 300000,
                                       300000, 300000, 300000, 300000};
    b->p.source = sources[choice % ARRAY_N(sources)];
    choice /= ARRAY_N(sources);
    if (choice % 100 >= 96 && b->dispatch.edge != EDGE_NONUNIFORM) {
        b->p.local_index = 1;
        build_set_shape(b, SHAPE_LOCAL_INDEX);
    }
}

static void plan_size(struct build *b, uint64_t choice, uint64_t n_groups)
{
    struct local_size const size = pick_size(b->dispatch.style, choice);
    b->p.local[0] = size.x;
    b->p.local[1] = size.y;
    b->p.local[2] = size.z;
    b->dispatch.n_local = (uint32_t)size.x * size.y * size.z;
    b->dispatch.n_groups = pick_groups(b->dispatch.style, n_groups, b->dispatch.n_local);
}

void plan_dispatch(struct build *b, struct tape *t)
{
    static const uint8_t styles[] = {12, 62, 121, 5};
    tape_name_node(t, NODE_PLAIN);
    b->dispatch.style = (enum dispatch_style)build_draw(t, styles, ARRAY_N(styles), ROLE_SIZE);
    if (build_is_apart(b) && b->dispatch.style != STYLE_TINY) {
        b->dispatch.style = STYLE_WIDE;
    }
    uint64_t const choice = tape_take_u64(t, ROLE_SIZE);
    uint64_t const n_groups = tape_take_u64(t, ROLE_SIZE);
    if (b->group.is_on) {
        b->dispatch.style = STYLE_WIDE;
        plan_group_size(b, choice, n_groups);
    } else {
        plan_size(b, choice, n_groups);
    }
    spread_groups(b, b->dispatch.n_groups, tape_take_u64(t, ROLE_SIZE));
    b->dispatch.n_items = b->dispatch.n_groups * b->dispatch.n_local;
    b->dispatch.n_live = b->dispatch.n_items;
    uint64_t const edge = tape_take_below(t, 100, ROLE_CONDITION);
    cut_edge(b, edge, tape_take_u64(t, ROLE_CONDITION));
    b->dispatch.hot_by_lane = tape_take_chance(t, 25, ROLE_TRIPS);
    b->body.max_atomics =
        b->dispatch.style == STYLE_LARGE ? BUILD_MAX_ATOMICS_LARGE : BUILD_MAX_ATOMICS;
    b->body.max_statements = b->dispatch.style == STYLE_LARGE ? 1
                             : b->dispatch.style == STYLE_HOT ? 3
                                                              : (uint32_t)GRAMMAR_MAX_STATEMENTS;
    set_dispatch_shapes(b);
    plan_details(b, tape_take_u64(t, ROLE_TRIPS));
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

static enum ir_denorm pick_denorm(uint64_t percent)
{
    return percent < 84 ? DENORM_ANY : percent < 95 ? DENORM_PRESERVE : DENORM_FLUSH;
}

static enum ir_round pick_round(uint64_t percent)
{
    return percent < 22 ? ROUND_ANY : percent < 97 ? ROUND_RTE : ROUND_RTZ;
}

static void need_mode(struct build *b, const struct ir_float_mode *m, unsigned width)
{
    struct needs *const n = &b->p.needs;
    if (m->szinp || m->mask0) { /* mask 0 asks for the property too: RT-09559 to -09564 */
        needs_add(n, szinp_needs[width]);
    }
    if (m->mask0) {
        needs_add(n, NEED_VK_FLOAT_CONTROLS2);
    }
    if (m->denorm != DENORM_ANY) {
        needs_add(n, denorm_needs[m->denorm == DENORM_FLUSH][width]);
    }
    if (m->round != ROUND_ANY) {
        needs_add(n, round_needs[m->round == ROUND_RTZ][width]);
    }
}

/* One record holds the digits of all float modes: they are few, and change together. A module of
 * several widths has one setting, or one per width where `differ` says so. */
static void plan_vk_floats(struct build *b, uint64_t digits, bool differ)
{
    bool const szinp = digits % 100 >= 10;
    bool const is_free =
        !b->group.is_on || b->group.rare == RARE_MODES || b->group.rare == RARE_ANY;
    bool const mask0 = is_free && digits / 100 % 100 >= 95;
    int n_widths = 0;
    for (unsigned width = 0; width < 3; width++) {
        if (!build_has_width(b, width)) {
            continue;
        }
        uint64_t const own = differ && n_widths > 0 ? digits / 100000000 : digits / 10000;
        struct ir_float_mode *const m = &b->p.mode[width];
        m->mask0 = mask0;
        m->szinp = szinp && !mask0;
        m->denorm = is_free ? pick_denorm(own % 100) : DENORM_ANY;
        m->round = is_free ? pick_round(own / 100 % 100) : ROUND_ANY;
        need_mode(b, m, width);
        n_widths++;
    }
    if (is_free && differ && n_widths > 1) {
        needs_add(&b->p.needs, NEED_VK_DENORM_INDEPENDENT);
        needs_add(&b->p.needs, NEED_VK_ROUNDING_INDEPENDENT);
    }
    if (mask0) {
        b->p.contraction_off = 0; /* A10: no NoContraction beside it, and none is needed */
        b->p.version = b->p.version < 0x10300 ? 0x10300 : b->p.version;
    }
    if (szinp || mask0) {
        build_set_shape(b, SHAPE_MODES);
    } else {
        b->modes.plain_inputs = digits / 1000000 % 10 != 9;
    }
}

static void plan_cl_options(struct build *b, uint64_t choice)
{
    static const char *const options[] = {"",
                                          "-cl-denorms-are-zero",
                                          "-cl-no-signed-zeros",
                                          "-cl-finite-math-only",
                                          "-cl-mad-enable",
                                          "-cl-unsafe-math-optimizations",
                                          "-cl-fast-relaxed-math"};
    enum {
        PLAIN_PERCENT = 82, /* of the cases without an option; the rest is shared */
        EACH_PERCENT = 3
    };
    uint64_t const at = choice % 100;
    uint64_t const row = at < PLAIN_PERCENT ? 0 : 1 + (at - PLAIN_PERCENT) / EACH_PERCENT;
    const char *const other = b->math.is_main ? plan_math_options(b, choice / 100) : NULL;
    if (other) {
        b->modes.build_options = other;
        return;
    }
    b->modes.build_options = options[row];
    if (row == 3 || row == 6) { /* NaN and infinities are assumed not to occur */
        b->modes.plain_inputs = 1;
    }
    if (row != 0) {
        build_set_shape(b, SHAPE_MODES);
    }
}

/* Non-uniform group operations came with version 1.3, the mode for the sub-group's size with 1.1. */
static void plan_cl_version(struct build *b, bool newer)
{
    unsigned const plain =
        1u << GATE_UNIFORM | 1u << GATE_UNIFORM_KHR | 1u << GATE_AMD | 1u << GATE_AMD_SET;
    if (b->group.gates & ~plain) {
        b->p.version = 0x10300;
        needs_add(&b->p.needs, NEED_CL_IL_1_3);
    } else if (newer || b->p.subgroup_size != 0) {
        b->p.version = 0x10200;
        needs_add(&b->p.needs, NEED_CL_IL_1_2);
    } else {
        b->p.version = 0x10000;
        needs_add(&b->p.needs, NEED_CL_IL_1_0);
    }
}

void plan_modes(struct build *b, struct tape *t)
{
    /* drivers with 16- and 64-bit atomics are rarer in Vulkan */
    static const uint8_t palettes[ENV_N][5] = {
        {56, 14, 12, 9, 9},
        {82, 5,  4,  4, 5}
    };
    static const unsigned widths[] = {WIDTH_32, WIDTH_32 | WIDTH_64, WIDTH_64, WIDTH_16,
                                      WIDTH_16 | WIDTH_32};
    tape_name_node(t, NODE_PLAIN);
    bool const newer = tape_take_chance(t, 40, ROLE_MODE);
    b->modes.types = widths[build_draw(t, palettes[b->env], ARRAY_N(widths), ROLE_TYPE)];
    b->modes.types = b->group.is_on ? b->group.floats : b->modes.types;
    uint64_t const digits = tape_take_u64(t, ROLE_MODE);
    b->p.contraction_off = tape_take_below(t, 100, ROLE_MODE) < 80;
    bool const vulkan_model = tape_take_chance(t, 10, ROLE_MODE);
    static const uint8_t densities[] = {60, 25, 15};
    static const unsigned percents[] = {100, 70, 30};
    b->body.probe_percent = percents[build_draw(t, densities, ARRAY_N(densities), ROLE_FORM)];
    b->body.has_barriers = tape_take_chance(t, 22, ROLE_MODE);
    b->modes.build_options = "";
    if (b->env == ENV_CL) {
        plan_cl_version(b, newer);
        plan_cl_options(b, digits);
    } else {
        b->p.version = newer ? 0x10500 : 0x10300;
        needs_add(&b->p.needs, newer ? NEED_VK_SPIRV_1_5 : NEED_VK_SPIRV_1_3);
        b->p.vulkan_memory_model = vulkan_model;
        if (vulkan_model) {
            needs_add(&b->p.needs, NEED_VK_MEMORY_MODEL);
        }
        plan_vk_floats(b, digits, tape_take_chance(t, 15, ROLE_MODE));
    }
    if (!b->modes.plain_inputs) {
        build_set_shape(b, SHAPE_SPECIALS);
    }
}

/* gen/plan/plan_groups.c -- which group operations a case may use, and in what dispatch. */
#include "gen/plan/plan_groups.h"

#include <assert.h>

#include "base/caps.h"
#include "base/spv.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/build.h"

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
    {30, 0, 0, 0, BALLOTS | G(ARITHMETIC)              },
    {10, 0, 0, 0, BALLOTS | G(VOTE)                    },
    {13, 0, 0, 0, SHUFFLES | G(BALLOT)                 },
    {10, 0, 0, 0, G(QUAD) | G(BALLOT) | G(VOTE)        },
    {20, 0, 0, 0, MOST | G(QUAD)                       },
    {5,  1, 1, 0, G(ARITHMETIC) | G(BALLOT)            },
    {3,  1, 1, 0, MOST | G(SHUFFLE_RELATIVE) | G(QUAD) },
    {6,  1, 0, 0, G(ROTATE) | G(BALLOT) | G(ARITHMETIC)},
    {5,  1, 0, 0, G(AMD) | G(BALLOT)                   },
    {5,  1, 0, 0, G(AMD_SET) | G(BALLOT)               },
};
static const struct family cl_families[] = {
    {40, 0, 0, 0, G(UNIFORM)                             },
    {9,  0, 0, 1, G(UNIFORM)                             },
    {15, 0, 0, 0, BALLOTS | G(ARITHMETIC)                },
    {8,  0, 0, 0, BALLOTS | G(VOTE)                      },
    {9,  0, 0, 0, SHUFFLES | G(BALLOT)                   },
    {9,  0, 0, 0, G(ARITHMETIC) | G(VOTE) | G(SHUFFLE)   },
    {10, 0, 1, 0, G(UNIFORM) | MOST | G(SHUFFLE_RELATIVE)},
    {5,  1, 0, 0, G(UNIFORM) | G(UNIFORM_KHR)            },
    {3,  1, 1, 0, G(ARITHMETIC) | G(BALLOT)              },
    {4,  1, 0, 0, G(ROTATE) | G(BALLOT)                  },
    {4,  1, 0, 0, G(AMD) | G(BALLOT)                     },
    {1,  1, 0, 0, G(AMD)                                 },
    {4,  1, 0, 0, G(AMD_SET) | G(BALLOT)                 },
};
#undef G

static bool is_allowed(const struct family *f, enum group_rare rare)
{
    return rare == RARE_ANY || f->is_rare == (rare == RARE_FAMILY) ||
           (rare == RARE_TYPES && f->has_clusters); /* drivers that have the one have the other */
}

static const struct family *pick_family(enum env env, enum group_rare rare, uint64_t choice)
{
    const struct family *const rows = env == ENV_CL ? cl_families : vk_families;
    unsigned const n = env == ENV_CL ? ARRAY_N(cl_families) : ARRAY_N(vk_families);
    uint8_t weights[ARRAY_N(cl_families)] = {0};
    assert(n <= ARRAY_N(weights));
    for (unsigned i = 0; i < n; i++) {
        weights[i] = is_allowed(&rows[i], rare) ? rows[i].weight : 0;
    }
    return &rows[build_pick(weights, n, choice)];
}

static bool is_rare(const struct build *b, enum group_rare rare)
{
    return b->group.rare == rare || b->group.rare == RARE_ANY;
}

/* 4, 8, 16, 32, 64, 128; the sizes of the software devices stand out. */
static void plan_required(struct build *b, uint64_t choice)
{
    static const uint8_t shares[ENV_N][6] = {
        {20, 25, 25, 20, 10, 0},
        {42, 30, 9,  9,  6,  4}
    };
    if (!is_rare(b, RARE_SIZE) || b->group.by_workgroup) {
        return;
    }
    b->p.subgroup_size = 4u << build_pick(shares[b->env], ARRAY_N(shares[0]), choice);
    legal_add_subgroup_size_need(&b->p, b->p.subgroup_size);
    build_set_group_shape(b, GROUP_SHAPE_REQUIRED_SIZE);
}

static void plan_flow(struct build *b, uint64_t choice)
{
    if (b->env != ENV_VK || !is_rare(b, RARE_FLOW)) {
        return;
    }
    if (choice % 2 == 0) {
        b->p.maximal_reconvergence = true;
        needs_add(&b->p.needs, NEED_VK_MAXIMAL_RECONVERGENCE);
        build_set_group_shape(b, GROUP_SHAPE_MAXIMAL_RECONVERGENCE);
    } else {
        b->p.subgroup_uniform_flow = true;
        needs_add(&b->p.needs, NEED_VK_SG_UNIFORM_FLOW);
        build_set_group_shape(b, GROUP_SHAPE_SUBGROUP_FLOW);
    }
}

/* Integers beside i32, floats beside f32. Nearly all OpenCL drivers have i64 and f64. */
static void plan_types(struct build *b, uint64_t integers, uint64_t floats)
{
    static const uint8_t integer_shares[] = {30, 20, 17, 17, 16};
    static const uint8_t float_shares[] = {36, 18, 14, 14, 18};
    static const uint8_t cl_float_shares[] = {66, 18, 16};
    static const unsigned sets[] = {0, TYPE_I64, TYPE_I16, TYPE_I8, TYPE_I64 | TYPE_I16 | TYPE_I8};
    static const unsigned widths[] = {2, 2 | 4, 4, 1, 1 | 2}; /* as modes.types */
    unsigned set = 0;
    unsigned width = 0;
    if (is_rare(b, RARE_TYPES)) {
        set = build_pick(integer_shares, ARRAY_N(integer_shares), integers);
        width = build_pick(float_shares, ARRAY_N(float_shares), floats);
    } else if (b->env == ENV_CL) {
        set = integers % 100 >= 55;
        width = build_pick(cl_float_shares, ARRAY_N(cl_float_shares), floats);
    }
    b->group.floats = widths[width];
    b->group.integers = sets[set] | TYPE_I32 | TYPE_BOOL;
}

void plan_groups(struct build *b, struct tape *t)
{
    static const uint8_t shares[ENV_N][RARE_N] = {
        {39, 19, 18, 5, 9, 0, 8,  2},
        {42, 18, 11, 4, 7, 6, 10, 2}
    };
    struct group_plan *const g = &b->group;
    tape_name_node(t, NODE_PLAIN);
    uint64_t const digits = tape_take_u64(t, ROLE_MODE);
    g->is_on = true;
    g->rare = (enum group_rare)build_pick(shares[b->env], RARE_N, digits);
    const struct family *const f = pick_family(b->env, g->rare, tape_take_u64(t, ROLE_OPERATION));
    g->gates = f->gates;
    g->has_clusters = f->has_clusters;
    g->by_workgroup = f->by_workgroup;
    plan_required(b, tape_take_u64(t, ROLE_SIZE));
    uint64_t const integers = tape_take_u64(t, ROLE_TYPE);
    plan_types(b, integers, tape_take_u64(t, ROLE_TYPE));
    plan_flow(b, digits / 1000);
    g->has_vectors = digits / 100000 % 100 >= 60;
    g->is_bare = digits / 10000000 % 100 >= 55;
    g->has_atomics = b->profile == PROFILE_ALL || is_rare(b, RARE_ATOMICS);
    g->wants_full = digits / 1000000000 % 10 >= 1;
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
                                                : (uint32_t)IR_NO_OPERATION};
    return legal_is_group(&b->p, &x);
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

/* A cluster must be no larger than any sub-group. Sub-groups have at least four places on the
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

/* Vulkan: the pipeline may require that each sub-group is full, if its size is known and divides a row. */
static void plan_full(struct build *b)
{
    bool const is_sized = b->env == ENV_VK && b->p.subgroup_size != 0;
    if (is_sized && b->group.wants_full && b->p.local[0] % b->p.subgroup_size == 0) {
        b->group.is_full = true;
        needs_add(&b->p.needs, NEED_VK_SG_FULL);
        build_set_group_shape(b, GROUP_SHAPE_FULL_SUBGROUPS);
    }
}

static void set_size_shapes(struct build *b)
{
    uint32_t const size = b->p.subgroup_size != 0 ? b->p.subgroup_size : 8;
    if (b->dispatch.n_local % size != 0) {
        build_set_group_shape(b, GROUP_SHAPE_ODD_SIZE);
    }
    if (b->dispatch.edge == EDGE_NONUNIFORM) {
        build_set_group_shape(b, GROUP_SHAPE_SHORT_GROUP);
    }
    if (b->dispatch.n_groups > 1) {
        build_set_group_shape(b, GROUP_SHAPE_SEVERAL_GROUPS);
    }
    if (b->p.local[1] > 1 || b->p.local[2] > 1) {
        build_set_group_shape(b, GROUP_SHAPE_DIMENSIONS);
    }
}

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

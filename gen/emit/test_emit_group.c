/* gen/emit/test_emit_group.c -- every group instruction, type, operation and scope in its own module:
 * legal_is_group, the emitter, SPIRV-Tools and the rules of test_group_rules.h must agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gen/emit/emit_module.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/ir/test_rules.h"

enum {
    ARENA_BYTES = 4 << 20,
    FIRST_ROW = OP_core_GroupAll,
    LAST_ROW = OP_amd_ballot_MbcntAMD
};

/* One program with a buffer in, a buffer out and a single group instruction. */
struct rig {
    struct arena a;
    struct ir_program p;
    uint32_t in, out;
    struct testcase tc;
    struct rules rules;
    struct validator validator;
    uint32_t n_legal, n_illegal, n_refused_by_rules;
};

static struct rig *rig_new(void)
{
    struct rig *const r = calloc(1, sizeof *r);
    assert_non_null(r);
    arena_init(&r->a, ARENA_BYTES);
    return r;
}

static void rig_start(struct rig *r, enum env env, uint32_t version)
{
    arena_reset(&r->a);
    assert_true(ir_program_init(&r->p, env, &r->a));
    r->p.version = version;
    for (int d = 0; d < 3; d++) {
        r->p.local[d] = d == 0 ? 8 : 1;
        r->p.global[d] = r->p.local[d];
    }
    r->in = ir_add_var(&r->p, (struct ir_var){.kind = VAR_BUFFER, .type = IR_I32});
    r->out = ir_add_var(&r->p, (struct ir_var){.kind = VAR_BUFFER, .type = IR_I32});
}

/* 1 when both the rules and SPIRV-Tools take it; else r->rules.text says why not. */
static int rig_is_valid(struct rig *r)
{
    r->tc = (struct testcase){.env = r->p.env, .needs = r->p.needs};
    r->tc.module = emit_module(&r->p, &r->tc.n_words, NULL);
    assert_non_null(r->tc.module);
    if (!rules_check(&r->rules, &r->tc)) {
        r->n_refused_by_rules++;
        return 0;
    }
    return rules_validate(&r->validator, &r->tc, &r->rules);
}

static void rig_free(struct rig *r)
{
    rules_close(&r->validator);
    arena_free(&r->a);
    free(r);
}

static uint32_t count_op(const struct rig *r, uint32_t op)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t n = 0;
    struct spv_inst i;
    while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
        n += i.op == op;
    }
    return n;
}

/* A value of that type from the buffer, by way of integers. */
static struct ir_inst *value_of(struct rig *r, enum ir_type t)
{
    struct ir_program *const p = &r->p;
    struct ir_inst *v = ir_load(p, &p->main, r->in, p->gid);
    if (t == IR_BOOL) {
        return ir_plain(p, &p->main, SpvOpINotEqual, t, v, ir_const(p, IR_I32, 0));
    }
    enum ir_type const as_int = ir_type_as_int(t);
    legal_add_type_needs(p, as_int);
    if (as_int != IR_I32) {
        v = ir_plain(p, &p->main, SpvOpUConvert, as_int, v, NULL);
    }
    return as_int == t ? v : ir_plain(p, &p->main, SpvOpBitcast, t, v, NULL);
}

static void store(struct rig *r, struct ir_inst *v)
{
    struct ir_program *const p = &r->p;
    if (v->type == IR_BOOL) {
        v = ir_plain(p, &p->main, SpvOpSelect, IR_I32, v, ir_const(p, IR_I32, 1));
        v->arg[2] = ir_const(p, IR_I32, 0);
    }
    enum ir_type const as_int = ir_type_as_int(v->type);
    if (as_int != v->type) {
        v = ir_plain(p, &p->main, SpvOpBitcast, as_int, v, NULL);
    }
    if (as_int != IR_I32) {
        v = ir_plain(p, &p->main, SpvOpUConvert, IR_I32, v, NULL);
    }
    ir_store(p, &p->main, r->out, p->gid, v);
}

/* What the documents say of the shape of one instruction; shares nothing with legal_group.c. */
struct shape {
    enum ir_type result; /* IR_VOID: as the value */
    uint32_t n_results;  /* 0: as the value */
    int has_second, has_other;
};

static struct shape shape_of(uint32_t number)
{
    switch (number) {
    case SpvOpGroupAll:
    case SpvOpGroupAny:
    case SpvOpGroupNonUniformElect:
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
    case SpvOpGroupNonUniformAllEqual:
    case SPV_OP_QUAD_ALL_KHR:
    case SPV_OP_QUAD_ANY_KHR:
    case SpvOpGroupNonUniformInverseBallot:
        return (struct shape){IR_BOOL, 1, 0, 0};
    case SpvOpGroupNonUniformBallotBitExtract:
        return (struct shape){IR_BOOL, 1, 1, 0};
    case SPV_OP_PARTITION_EXT:
    case SpvOpGroupNonUniformBallot:
        return (struct shape){IR_I32, 4, 0, 0};
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
        return (struct shape){IR_I32, 1, 0, 0};
    case SpvOpGroupBroadcast:
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformShuffle:
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
    case SpvOpGroupNonUniformQuadBroadcast:
    case SpvOpGroupNonUniformQuadSwap:
    case SpvOpGroupNonUniformRotateKHR:
    case SpvOpSubgroupShuffleINTEL:
    case SpvOpSubgroupShuffleXorINTEL:
        return (struct shape){IR_VOID, 0, 1, 0};
    case SpvOpSubgroupShuffleUpINTEL:
    case SpvOpSubgroupShuffleDownINTEL:
    case OP_NUMBER(OP_SET_amd_ballot, 3):
        return (struct shape){IR_VOID, 0, 1, 1};
    default: /* a number, not an enum of ours */
        return (struct shape){IR_VOID, 0, 0, 0};
    }
}

/* Put x, its values made, and store every component of its result. */
static void put(struct rig *r, struct ir_group x, int constant)
{
    struct ir_program *const p = &r->p;
    struct shape const s = shape_of(op_rows[x.op].number);
    enum ir_type const result = s.result == IR_VOID ? x.type : s.result;
    uint32_t const n = s.n_results == 0 ? x.n : s.n_results;
    for (uint32_t i = 0; i < x.n; i++) {
        x.value[i] = value_of(r, x.type);
        x.other[i] = s.has_other ? value_of(r, x.type) : NULL;
    }
    legal_add_group_needs(p, &x, result);
    if (s.has_second) {
        x.second = constant ? ir_const(p, IR_I32, 1) : value_of(r, IR_I32);
        legal_add_group_needs(p, &x, result);
    }
    struct ir_inst *const i = ir_group(p, &p->main, &x, result, n);
    for (uint32_t k = 0; k < n; k++) {
        store(r, n == 1 ? i : ir_extract(p, &p->main, i, k));
    }
}

/* A choice of everything that one instruction leaves open, from digits of `at`. */
struct choice {
    enum env env;
    uint32_t version;
    struct ir_group x;
    int constant;
};
enum {
    N_CHOICES = IR_TYPE_N * 5 * 2 * 5 * 3 * 2 * 4 * 2
};

static struct choice choose(enum op_id op, uint32_t at)
{
    static const uint32_t operations[] = {
        IR_NO_OPERATION, SpvGroupOperationReduce, SpvGroupOperationInclusiveScan,
        SpvGroupOperationExclusiveScan, SpvGroupOperationClusteredReduce};
    static const uint32_t clusters[] = {0, 4, 6};
    static const uint32_t versions[] = {0x10300, 0x10500, 0x10000, 0x10200};
    struct choice c = {.x.op = op, .x.function = (int)(at / 7 % 2)};
    c.x.type = (enum ir_type)(at % IR_TYPE_N);
    at /= IR_TYPE_N;
    c.x.n = at % 5;
    at /= 5;
    c.x.scope = at % 2 ? SpvScopeWorkgroup : SpvScopeSubgroup;
    at /= 2;
    c.x.operation = operations[at % 5];
    at /= 5;
    c.x.cluster = clusters[at % 3];
    at /= 3;
    c.constant = at % 2 == 0;
    at /= 2;
    c.version = versions[at % 4];
    at /= 4;
    c.env = at % 2 ? ENV_VK : ENV_CL;
    return c;
}

static int is_uniform_or_amd(uint32_t number)
{
    return number < SpvOpGroupNonUniformElect || number >= SpvOpGroupIAddNonUniformAMD;
}

/* Is it a shuffle of SPV_INTEL_subgroups in a form that its instruction does not have, or of a type that the functions of
 * OpenCL C alone leave out? */
static int is_beside_intel(const struct choice *c, uint32_t number)
{
    bool const is_word = c->x.type == IR_I32 || c->x.type == IR_F32;
    bool const is_small = c->x.type == IR_BOOL || c->x.type == IR_I8 || c->x.type == IR_I16;
    return number >= SpvOpSubgroupShuffleINTEL && number <= SpvOpSubgroupShuffleXorINTEL &&
           (c->x.scope != SpvScopeSubgroup || c->x.operation != IR_NO_OPERATION ||
            c->x.cluster != 0 || is_small || (c->x.n > 1 && !is_word));
}

/* Choices that cannot be put into words at all, or say the same as another. */
static int is_idle(const struct choice *c)
{
    unsigned const env = c->env == ENV_CL ? OP_CL : OP_VK;
    uint32_t const number = op_rows[c->x.op].number;
    int const has_scope = number >> 16 == OP_SET_core;
    int const is_old = c->version < 0x10300;
    return c->x.type == IR_VOID || c->x.type == IR_BF16 /* of atomics alone */ ||
           !(op_rows[c->x.op].envs & env) || (!shape_of(number).has_second && !c->constant) ||
           (!has_scope && (c->x.scope != SpvScopeSubgroup || c->x.type == IR_BOOL)) ||
           (!has_scope && (c->x.operation != IR_NO_OPERATION || c->x.cluster != 0)) ||
           is_beside_intel(c, number) ||
           (is_old && (c->env == ENV_VK || !is_uniform_or_amd(number))) ||
           (c->x.n == 0) != (c->x.op == OP_core_GroupNonUniformElect) ||
           (c->x.n == 0 && c->x.type != IR_BOOL);
}

static void try_choice(struct rig *r, const struct choice *c)
{
    rig_start(r, c->env, c->version);
    put(r, c->x, c->constant);
    struct ir_group x = c->x;
    if (shape_of(op_rows[x.op].number).has_second) {
        x.second = c->constant ? ir_const(&r->p, IR_I32, 1) : r->p.gid;
    }
    int const is_legal = legal_is_group(&r->p, &x);
    int const is_valid = rig_is_valid(r);
    if (is_legal != is_valid) {
        fail_msg("%s, %s, version %#x, type %d x %u, scope %u, operation %u, cluster %u, %s: "
                 "legal %d, but %s",
                 op_rows[x.op].name, env_names[c->env], (unsigned)c->version, (int)x.type,
                 (unsigned)x.n, (unsigned)x.scope, (unsigned)x.operation, (unsigned)x.cluster,
                 c->constant ? "constant" : "dynamic", is_legal, r->rules.text);
    }
    if (is_legal) {
        assert_int_equal(r->rules.n_groups, 1);
        assert_int_equal(count_op(r, SpvOpFunctionCall), x.function ? 1 : 0);
    }
    r->n_legal += is_legal != 0;
    r->n_illegal += !is_legal;
}

/* Both ways: what is legal is valid, and what is not is refused. */
static void legality_and_validity_agree(void **state)
{
    (void)state;
    struct rig *const r = rig_new();
    uint32_t n_rows[ENV_N] = {0};
    for (int op = FIRST_ROW; op <= LAST_ROW; op++) {
        uint32_t before[ENV_N];
        uint32_t legal[ENV_N] = {0};
        for (uint32_t at = 0; at < N_CHOICES; at++) {
            struct choice const c = choose((enum op_id)op, at);
            if (is_idle(&c)) {
                continue;
            }
            before[0] = r->n_legal;
            try_choice(r, &c);
            legal[c.env] += r->n_legal - before[0];
        }
        for (int env = 0; env < ENV_N; env++) {
            unsigned const bit = env == ENV_CL ? OP_CL : OP_VK;
            assert_int_equal(legal[env] > 0, (op_rows[op].envs & bit) != 0);
            n_rows[env] += legal[env] > 0;
        }
    }
    print_message("%u legal, %u illegal (%u by the project's rules alone), rows %u and %u\n",
                  r->n_legal, r->n_illegal, r->n_refused_by_rules, n_rows[0], n_rows[1]);
    assert_true(r->n_legal > 1000 && r->n_illegal > 1000);
    rig_free(r);
}

static struct ir_group plain_group(enum op_id op, enum ir_type type, uint32_t n)
{
    return (struct ir_group){
        .op = op, .scope = SpvScopeSubgroup, .operation = IR_NO_OPERATION, .type = type, .n = n};
}

static void expect_valid(struct rig *r)
{
    if (!rig_is_valid(r)) {
        fail_msg("%s: %s", env_names[r->p.env], r->rules.text);
    }
}

/* The id of a broadcast in the work-group has as many components as that has dimensions. */
static void local_ids_have_the_dimensions_of_the_group(void **state)
{
    (void)state;
    struct rig *const r = rig_new();
    for (uint32_t n = 1; n <= 3; n++) {
        rig_start(r, ENV_CL, 0x10000);
        for (uint32_t d = 0; d < n; d++) {
            r->p.local[d] = 4;
            r->p.global[d] = 8;
        }
        struct ir_group x = plain_group(OP_core_GroupBroadcast, IR_I32, 1);
        x.scope = SpvScopeWorkgroup;
        put(r, x, 0);
        expect_valid(r);
        uint32_t offset = SPV_HEADER_WORDS;
        struct spv_inst i;
        while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
            if (i.op == SpvOpGroupBroadcast) {
                uint32_t const type = r->rules.type_of[i.w[5]];
                assert_int_equal(r->rules.width_of[type], 64);
                assert_int_equal(r->rules.n_of[type], n == 1 ? 0 : n);
            }
        }
        assert_int_equal(r->rules.n_groups, 1);
    }
    rig_free(r);
}

/* One variable for each built-in, however often it is read. */
static void builtins_are_declared_once(void **state)
{
    (void)state;
    static const uint32_t builtins[] = {SpvBuiltInSubgroupId, SpvBuiltInSubgroupLocalInvocationId,
                                        SpvBuiltInSubgroupSize, SpvBuiltInNumSubgroups,
                                        SpvBuiltInSubgroupMaxSize};
    struct rig *const r = rig_new();
    for (int env = 0; env < ENV_N; env++) {
        uint32_t n_variables[2];
        size_t const n = ARRAY_N(builtins) - (env == ENV_VK); /* the last is OpenCL's alone */
        for (size_t times = 0; times < 2; times++) {
            rig_start(r, (enum env)env, env == ENV_CL ? 0x10000 : 0x10300);
            legal_add_subgroup_needs(&r->p);
            for (size_t i = 0; i < n * (times + 1); i++) {
                store(r, ir_subgroup(&r->p, &r->p.main, builtins[i % n]));
            }
            expect_valid(r);
            n_variables[times] = count_op(r, SpvOpVariable);
        }
        assert_true(n_variables[0] > n);
        assert_int_equal(n_variables[0], n_variables[1]);
    }
    rig_free(r);
}

static uint32_t count_mode(const struct rig *r, uint32_t mode)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t n = 0;
    struct spv_inst i;
    while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
        n += i.op == SpvOpExecutionMode && i.w[2] == mode;
    }
    return n;
}

static void modes_have_their_capabilities(void **state)
{
    (void)state;
    struct rig *const r = rig_new();
    for (uint32_t size = 4; size <= CASE_MAX_SUBGROUP; size *= 2) {
        for (int env = size > 64; env < ENV_N; env++) {
            rig_start(r, (enum env)env, env == ENV_CL ? 0x10100 : 0x10300);
            r->p.subgroup_size = size;
            legal_add_subgroup_size_need(&r->p, size);
            expect_valid(r);
            assert_int_equal(count_mode(r, SpvExecutionModeSubgroupSize), env == ENV_CL);
            assert_int_equal(rules_has_cap(&r->rules, SpvCapabilitySubgroupDispatch),
                             env == ENV_CL);
        }
    }
    rig_start(r, ENV_VK, 0x10300);
    r->p.maximal_reconvergence = 1;
    r->p.subgroup_uniform_flow = 1;
    needs_add(&r->p.needs, NEED_VK_MAXIMAL_RECONVERGENCE);
    needs_add(&r->p.needs, NEED_VK_SG_UNIFORM_FLOW);
    put(r, plain_group(OP_core_GroupNonUniformElect, IR_BOOL, 0), 0);
    expect_valid(r);
    assert_int_equal(count_mode(r, SPV_MODE_MAXIMALLY_RECONVERGES), 1);
    assert_int_equal(count_mode(r, SpvExecutionModeSubgroupUniformControlFlowKHR), 1);
    rig_free(r);
}

/* if (lid < 3) { loop lid times { if (gid < 2) return; sum } } else {}: every block of several
 * predecessors is one that SPV_KHR_maximal_reconvergence lets have them. */
static void branches_meet_where_they_may(void **state)
{
    (void)state;
    struct rig *const r = rig_new();
    rig_start(r, ENV_VK, 0x10300);
    struct ir_program *const p = &r->p;
    p->maximal_reconvergence = 1;
    needs_add(&p->needs, NEED_VK_MAXIMAL_RECONVERGENCE);
    struct ir_inst *const few =
        ir_plain(p, &p->main, SpvOpULessThan, IR_BOOL, p->lid, ir_const(p, IR_I32, 3));
    struct ir_inst *const branch = ir_if(p, &p->main, few);
    branch->body[1] = ir_block_new(p);
    struct ir_block *const body = ir_loop(p, branch->body[0], p->lid)->body[0];
    struct ir_inst *const first =
        ir_plain(p, body, SpvOpULessThan, IR_BOOL, p->gid, ir_const(p, IR_I32, 2));
    ir_return(p, ir_if(p, body, first)->body[0]);
    struct ir_group x = plain_group(OP_core_GroupNonUniformIAdd, IR_I32, 1);
    x.operation = SpvGroupOperationReduce;
    x.value[0] = p->lid;
    legal_add_group_needs(p, &x, IR_I32);
    ir_store(p, body, r->out, p->gid, ir_group(p, body, &x, IR_I32, 1));
    expect_valid(r);
    assert_int_equal(count_op(r, SpvOpSelectionMerge), 2);
    rig_free(r);
}

static void the_else_side_may_return(void **state)
{
    (void)state;
    struct rig *const r = rig_new();
    for (int env = 0; env < ENV_N; env++) {
        rig_start(r, (enum env)env, 0x10300);
        struct ir_program *const p = &r->p;
        struct ir_inst *const few =
            ir_plain(p, &p->main, SpvOpULessThan, IR_BOOL, p->lid, ir_const(p, IR_I32, 3));
        struct ir_inst *const branch = ir_if(p, &p->main, few);
        branch->body[1] = ir_block_new(p);
        ir_return(p, branch->body[1]);
        put(r, plain_group(OP_core_GroupNonUniformElect, IR_BOOL, 0), 0);
        expect_valid(r);
        assert_int_equal(count_op(r, SpvOpReturn), 2);
    }
    rig_free(r);
}

/* Without the extension's string, and valid but for that. */
static void bare_modules_lack_the_string(void **state)
{
    (void)state;
    struct rig *const r = rig_new();
    for (int env = 0; env < ENV_N; env++) {
        for (int bare = 0; bare < 2; bare++) {
            rig_start(r, (enum env)env, 0x10300);
            struct ir_group x = plain_group(OP_core_GroupIAddNonUniformAMD, IR_I32, 1);
            x.operation = SpvGroupOperationInclusiveScan;
            x.bare = bare;
            put(r, x, 0);
            x = plain_group(OP_amd_ballot_MbcntAMD, IR_I32, 1);
            x.bare = bare;
            put(r, x, 0);
            x = plain_group(OP_amd_ballot_SwizzleInvocationsAMD, IR_F32, 3);
            x.bare = bare;
            put(r, x, 0);
            expect_valid(r);
            assert_int_equal(r->rules.n_groups, 3);
            assert_int_equal(count_op(r, SpvOpExtInstImport), 1);
            assert_int_equal(count_op(r, SpvOpExtension), !bare);
        }
    }
    rig_free(r);
}

/* "To use the new extended instructions": extension and import, and no capability but that of Vulkan. */
static void the_extended_set_needs_no_groups(void **state)
{
    /* SHOWS(BA_DECLARED) */
    (void)state;
    static const enum op_id set[] = {OP_amd_ballot_SwizzleInvocationsAMD,
                                     OP_amd_ballot_SwizzleInvocationsMaskedAMD,
                                     OP_amd_ballot_WriteInvocationAMD, OP_amd_ballot_MbcntAMD};
    struct rig *const r = rig_new();
    for (size_t i = 0; i < ARRAY_N(set); i++) {
        rig_start(r, ENV_VK, 0x10300);
        put(r, plain_group(set[i], IR_I32, 1), 0);
        expect_valid(r);
        assert_int_equal(r->rules.n_groups, 1);
        assert_int_equal(count_op(r, SpvOpCapability), 1);
        assert_int_equal(count_op(r, SpvOpExtension), 1);
        assert_true(needs_has(&r->p.needs, NEED_VK_AMD_SET));
        assert_false(needs_has(&r->p.needs, NEED_VK_AMD_BALLOT));
        put(r, plain_group(OP_core_GroupIAddNonUniformAMD, IR_I32, 1), 0);
        assert_true(needs_has(&r->p.needs, NEED_VK_AMD_BALLOT));
    }
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legality_and_validity_agree),
        cmocka_unit_test(local_ids_have_the_dimensions_of_the_group),
        cmocka_unit_test(builtins_are_declared_once),
        cmocka_unit_test(modes_have_their_capabilities),
        cmocka_unit_test(branches_meet_where_they_may),
        cmocka_unit_test(the_else_side_may_return),
        cmocka_unit_test(bare_modules_lack_the_string),
        cmocka_unit_test(the_extended_set_needs_no_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

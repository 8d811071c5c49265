/* gen/emit/test_emit.c -- programs made by hand, as words: what the validator and a reader expect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gen/emit/emit_module.h"
#include "gen/ir/legal.h"
#include "gen/ir/test_rules.h"

enum {
    ARENA_BYTES = 16 << 20
};

/* A program with a buffer of floats, one of integers and four work-group cells. */
struct rig {
    struct arena a;
    struct ir_program p;
    uint32_t cells, out, local;
    struct ir_inst *five;
    struct testcase tc;
    struct rules rules;
    struct validator validator;
};

static struct rig *rig_new(enum env env, uint32_t version)
{
    struct rig *const r = calloc(1, sizeof *r);
    assert_non_null(r);
    arena_init(&r->a, ARENA_BYTES);
    assert_true(ir_program_init(&r->p, env, &r->a));
    r->p.version = version;
    for (int d = 0; d < 3; d++) {
        r->p.local[d] = d == 0 ? 8 : 2;
        r->p.global[d] = d == 0 ? 16 : 4;
    }
    r->cells = ir_add_var(&r->p, (struct ir_var){.kind = VAR_BUFFER, .type = IR_F32});
    r->out = ir_add_var(&r->p, (struct ir_var){.kind = VAR_BUFFER, .type = IR_I32});
    r->local = ir_add_var(&r->p, (struct ir_var){.kind = VAR_LOCAL, .type = IR_F32, .n = 4});
    return r;
}

static void rig_check(struct rig *r)
{
    uint32_t n_instructions = 0;
    r->tc = (struct testcase){.env = r->p.env, .needs = r->p.needs};
    r->tc.module = emit_module(&r->p, &r->tc.n_words, &n_instructions);
    assert_non_null(r->tc.module);
    if (!rules_check(&r->rules, &r->tc) || !rules_validate(&r->validator, &r->tc, &r->rules)) {
        fail_msg("%s: %s", env_names[r->p.env], r->rules.text);
    }
    assert_true(n_instructions > 5);
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

static struct ir_atomic add_to(struct rig *r, uint32_t var, int function)
{
    struct ir_atomic x = {.op = OP_core_AtomicFAddEXT,
                          .var = var,
                          .scope = SpvScopeDevice,
                          .index = ir_const(&r->p, IR_I32, 0),
                          .value = ir_const(&r->p, IR_F32, 0x3f800000),
                          .function = function};
    legal_add_atomic_needs(&r->p, &x);
    return x;
}

/* if (gid < 3) { loop 4 times { if (lid < 1) return } v = add } else { w = add }; out = phi */
static void control_flow_is_structured(void **state)
{
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        struct rig *const r = rig_new((enum env)env, env == ENV_CL ? 0x10000 : 0x10300);
        struct ir_program *const p = &r->p;
        struct ir_atomic const x = add_to(r, r->cells, 0);
        struct ir_inst *const three = ir_const(p, IR_I32, 3);
        struct ir_inst *const test = ir_plain(p, &p->main, SpvOpULessThan, IR_BOOL, p->gid, three);
        struct ir_inst *const branch = ir_if(p, &p->main, test);
        struct ir_inst *const loop = ir_loop(p, branch->body[0], ir_const(p, IR_I32, 4));
        struct ir_inst *const sum = ir_phi(p, loop, IR_I32, three, three);
        struct ir_inst *const first =
            ir_plain(p, loop->body[0], SpvOpULessThan, IR_BOOL, p->lid, ir_const(p, IR_I32, 1));
        ir_return(p, ir_if(p, loop->body[0], first)->body[0]);
        sum->arg[1] = ir_plain(p, loop->body[0], SpvOpIAdd, IR_I32, sum, loop->phi);
        struct ir_inst *const v = ir_atomic(p, branch->body[0], &x);
        branch->body[1] = ir_block_new(p);
        struct ir_inst *const w = ir_atomic(p, branch->body[1], &x);
        struct ir_inst *const phi = ir_phi(p, branch, IR_F32, v, w);
        struct ir_inst *const bits = ir_plain(p, &p->main, SpvOpBitcast, IR_I32, phi, NULL);
        ir_store(p, &p->main, r->out, p->gid, bits);
        rig_check(r);
        assert_int_equal(count_op(r, SpvOpLoopMerge), 1);
        assert_int_equal(count_op(r, SpvOpSelectionMerge), 2);
        assert_int_equal(count_op(r, SpvOpPhi), 3);
        assert_int_equal(count_op(r, SpvOpReturn), 2);
        assert_int_equal(r->rules.n_atomics, 2);
        rig_free(r);
    }
}

/* for (i = 0; i < 5 && ...; i++) { switch (x) { case 7: break out; case 9: x = 1 and on; default: } continue } */
static struct ir_inst *put_loop_with_switch(struct rig *r, enum ir_test place)
{
    struct ir_program *const p = &r->p;
    struct ir_inst *const zero = ir_const(p, IR_I32, 0), *const one = ir_const(p, IR_I32, 1);
    struct ir_inst *const loop = ir_tested_loop(p, &p->main, place);
    struct ir_tested_loop *const t = loop->tested;
    struct ir_inst *const i = ir_phi(p, loop, IR_I32, zero, zero);
    struct ir_inst *const end = ir_join_phi(p, &t->end, IR_I32);
    struct ir_inst *const of = ir_switch(p, loop->body[0], i);
    struct ir_switch_arm *const arm[] = {ir_switch_arm(p, of), ir_switch_arm(p, of),
                                         ir_switch_arm(p, of)};
    struct ir_inst *const fallen = ir_join_phi(p, &arm[2]->join, IR_I32);
    struct ir_inst *const x = ir_join_phi(p, &of->arms->join, IR_I32);
    arm[0]->literal[arm[0]->n_literals++] = 7;
    arm[1]->literal[arm[1]->n_literals++] = 9;
    arm[2]->is_default = true;
    arm[2]->first[0] = i;
    ir_goto(p, arm[0]->block, &t->end, &zero);
    ir_goto(p, arm[1]->block, &arm[2]->join, &one);
    ir_goto(p, arm[2]->block, &of->arms->join, &fallen);
    i->arg[1] = ir_plain(p, t->step, SpvOpIAdd, IR_I32, i, one);
    struct ir_inst *const count = place == TEST_LAST ? i->arg[1] : i;
    if (place == TEST_NONE) {
        struct ir_inst *const is_over = ir_plain(p, loop->body[0], SpvOpIEqual, IR_BOOL, x, one);
        ir_goto(p, ir_if(p, loop->body[0], is_over)->body[0], &t->end, &x);
    } else {
        t->condition = ir_plain(p, t->test, SpvOpULessThan, IR_BOOL, count, r->five);
        t->out[0] = count;
    }
    ir_add_hint(p, loop, SpvLoopControlDontUnrollMask);
    if (p->version >= IR_SPIRV_1_4) {
        ir_add_hint_of(p, loop, SpvLoopControlMaxIterationsMask, 6);
    }
    ir_add_hint(p, of, SpvSelectionControlFlattenMask);
    return end;
}

static void ways_meet_in_phis(void **state)
{
    (void)state;
    for (int k = 0; k < ENV_N * 3; k++) {
        enum env const env = (enum env)(k % ENV_N);
        enum ir_test const place = (enum ir_test)(k / ENV_N);
        struct rig *const r = rig_new(env, env == ENV_CL ? 0x10000 : 0x10500);
        r->five = ir_const(&r->p, IR_I32, 5);
        struct ir_inst *const end = put_loop_with_switch(r, place);
        ir_store(&r->p, &r->p.main, r->out, r->p.gid, end);
        rig_check(r);
        assert_int_equal(count_op(r, SpvOpSwitch), 1);
        assert_int_equal(count_op(r, SpvOpLoopMerge), 1);
        assert_int_equal(count_op(r, SpvOpPhi), 4); /* head, default arm, behind each */
        assert_int_equal(count_op(r, SpvOpBranchConditional), 1);
        rig_free(r);
    }
}

/* T f(T *p, T x) { if (x == 0) return x; *p = x; return *p; }, called twice */
static void functions_have_bodies(void **state)
{
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        struct rig *const r = rig_new((enum env)env, env == ENV_CL ? 0x10000 : 0x10300);
        struct ir_program *const p = &r->p;
        struct ir_function *const f = ir_function(p, IR_I32);
        struct ir_inst *const pointer = ir_parameter(p, f, IR_I32, true);
        struct ir_inst *const x = ir_parameter(p, f, IR_I32, false);
        struct ir_inst *const test =
            ir_plain(p, f->body, SpvOpIEqual, IR_BOOL, x, ir_const(p, IR_I32, 0));
        ir_return_value(p, ir_if(p, f->body, test)->body[0], x);
        ir_write(p, f->body, pointer, x);
        ir_return_value(p, f->body, ir_read(p, f->body, pointer));
        f->control = SpvFunctionControlDontInlineMask;
        struct ir_inst *const arguments[] = {ir_variable(p, IR_I32), p->gid};
        ir_write(p, &p->main, arguments[0], p->gid);
        (void)ir_call(p, &p->main, f, arguments);
        ir_store(p, &p->main, r->out, p->gid, ir_call(p, &p->main, f, arguments));
        rig_check(r);
        assert_int_equal(count_op(r, SpvOpFunctionCall), 2);
        assert_int_equal(count_op(r, SpvOpFunction), 2);
        assert_int_equal(count_op(r, SpvOpReturnValue), 2);
        rig_free(r);
    }
}

static void pointers_go_through_functions(void **state)
{
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        struct rig *const r = rig_new((enum env)env, env == ENV_CL ? 0x10200 : 0x10500);
        struct ir_program *const p = &r->p;
        uint32_t const vars[] = {r->cells, r->local, r->cells};
        for (size_t i = 0; i < ARRAY_N(vars); i++) {
            struct ir_atomic const x = add_to(r, vars[i], 1);
            (void)ir_atomic(p, &p->main, &x);
        }
        rig_check(r);
        assert_int_equal(count_op(r, SpvOpFunctionCall), 3);
        assert_int_equal(count_op(r, SpvOpFunction), 4);
        assert_int_equal(count_op(r, SpvOpTypeFunction),
                         3); /* one signature twice: declared once */
        rig_free(r);
    }
}

/* SPV_KHR_float_controls is core from 1.4, and its string is no longer declared. */
static void extensions_know_their_version(void **state)
{
    (void)state;
    for (int newer = 0; newer < 2; newer++) {
        struct rig *const r = rig_new(ENV_VK, newer ? 0x10500 : 0x10300);
        struct ir_atomic const x = add_to(r, r->cells, 0);
        (void)ir_atomic(&r->p, &r->p.main, &x);
        r->p.mode[1].szinp = 1;
        r->p.mode[1].round = ROUND_RTE;
        needs_add(&r->p.needs, NEED_VK_SZINP32);
        needs_add(&r->p.needs, NEED_VK_RTE32);
        rig_check(r);
        assert_int_equal(count_op(r, SpvOpExtension), newer ? 1 : 2);
        assert_int_equal(count_op(r, SpvOpExecutionMode), 3);
        assert_true(rules_has_cap(&r->rules, 4466) && rules_has_cap(&r->rules, 4467));
        rig_free(r);
    }
}

static void generic_pointers_are_cast(void **state)
{
    /* SHOWS(FA_GENERIC_BOTH, FA_GENERIC) */
    (void)state;
    for (int is_local = 0; is_local < 2; is_local++) { /* what either address space needs */
        struct rig *const r = rig_new(ENV_CL, 0x10000);
        struct ir_atomic x = add_to(r, is_local ? r->local : r->cells, 0);
        x.generic = 1;
        legal_add_atomic_needs(&r->p, &x);
        (void)ir_atomic(&r->p, &r->p.main, &x);
        rig_check(r);
        assert_int_equal(count_op(r, SpvOpPtrCastToGeneric), 1);
        assert_true(needs_has(&r->p.needs, NEED_CL_F32_GLOBAL_ADD));
        assert_true(needs_has(&r->p.needs, NEED_CL_F32_LOCAL_ADD));
        assert_true(rules_has_cap(&r->rules, SpvCapabilityGenericPointer));
        rig_free(r);
    }
}

/* Words of the instruction number `at` with that opcode; NULL: there are not so many. */
static const uint32_t *find_op(const struct rig *r, uint32_t op, uint32_t at)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
        if (i.op == op && at-- == 0) {
            return i.w;
        }
    }
    return NULL;
}

static int has_stride(const struct rig *r, uint32_t stride)
{
    const uint32_t *w = NULL;
    for (uint32_t k = 0; (w = find_op(r, SpvOpDecorate, k)) != NULL; k++) {
        if (w[2] == SpvDecorationArrayStride && w[3] == stride) {
            return 1;
        }
    }
    return 0;
}

/* Exchange, min, max and add on vectors of f16, in buffers, work-group memory and images, in place and in
 * functions: each has the vector's type, and the one capability that stands for all of them. */
static void atomics_work_on_vectors(void **state)
{
    (void)state;
    static const enum op_id ops[] = {OP_core_AtomicExchange, OP_core_AtomicFMinEXT,
                                     OP_core_AtomicFMaxEXT, OP_core_AtomicFAddEXT};
    for (uint32_t n = 2; n <= 4; n += 2) {
        struct rig *const r = rig_new(ENV_VK, 0x10500);
        struct ir_program *const p = &r->p;
        struct ir_inst *part[4];
        static const enum ir_var_kind kinds[] = {VAR_BUFFER, VAR_LOCAL, VAR_IMAGE};
        uint32_t vars[ARRAY_N(kinds)];
        for (size_t k = 0; k < ARRAY_N(kinds); k++) {
            struct ir_var v = {.kind = kinds[k], .type = IR_F16, .n = 3, .n_components = n};
            if (kinds[k] == VAR_IMAGE) {
                v.image = (struct buf){.kind = n == 2 ? BUF_IMAGE2D_RG16F : BUF_IMAGE2D_RGBA16F,
                                       .width = 2,
                                       .height = 2,
                                       .n_bytes = 8 * n};
            }
            vars[k] = ir_add_var(p, v);
            legal_add_var_needs(p, &v);
        }
        for (uint32_t k = 0; k < n; k++) {
            part[k] = ir_const(p, IR_F16, 0x3c00 + k);
        }
        struct ir_inst *const value = ir_vector(p, &p->main, n, part);
        ir_store(p, &p->main, vars[1], ir_const(p, IR_I32, 2), value);
        for (uint32_t at = 0; at < 6 * ARRAY_N(ops); at++) {
            struct ir_atomic const x = {.op = ops[at / 6],
                                        .var = vars[at % 3],
                                        .scope = SpvScopeDevice,
                                        .index = ir_const(p, IR_I32, 1),
                                        .value = value,
                                        .function = at / 3 % 2};
            legal_add_atomic_needs(p, &x);
            struct ir_inst *const found = ir_atomic(p, &p->main, &x);
            struct ir_inst *const last = ir_extract(p, &p->main, found, n - 1);
            assert_int_equal(found->n_results, n);
            assert_int_equal(last->type, IR_F16);
        }
        (void)ir_load(p, &p->main, vars[1], ir_const(p, IR_I32, 0));
        rig_check(r);
        assert_int_equal(r->rules.n_vector_atomics, 6 * ARRAY_N(ops));
        assert_int_equal(count_op(r, SpvOpTypeImage), 1);
        assert_int_equal(count_op(r, SpvOpImageTexelPointer), 2 * ARRAY_N(ops));
        assert_int_equal(rules_has_cap(&r->rules, 49), n == 2);
        assert_true(rules_has_cap(&r->rules, 5404) && rules_has_cap(&r->rules, 4433));
        assert_false(rules_has_cap(&r->rules, 6095) || rules_has_cap(&r->rules, 5616));
        assert_true(has_stride(r, 2 * n)); /* of the buffer's array */
        for (size_t k = 0; k < ARRAY_N(ops); k++) {
            assert_int_equal(count_op(r, op_rows[ops[k]].number), 6);
            assert_int_equal(r->rules.n_of[find_op(r, op_rows[ops[k]].number, 0)[1]], n);
        }
        assert_int_equal(count_op(r, SpvOpFunctionCall), 3 * ARRAY_N(ops));
        rig_free(r);
    }
    assert_false(legal_has_vector_form(OP_core_AtomicLoad));
    assert_false(legal_has_vector_form(OP_core_AtomicStore));
    assert_false(legal_has_vector_form(OP_core_AtomicIAdd));
}

/* An image of each form, and a texel buffer, of each format: its type, and a pointer to a texel by as many
 * coordinates as it has (test_rules.h). */
static void texels_have_their_coordinates(void **state)
{
    /* SHOWS(VE_IMAGE_WAYS) */
    (void)state;
    for (int kind = 0; kind < BUF_KIND_N; kind++) {
        enum texels const texels = buf_kind_rows[kind].texels;
        bool const is_float = buf_kind_rows[kind].format == TEXEL_R32F;
        bool const is_integer = buf_kind_rows[kind].format == TEXEL_R32UI;
        uint32_t const n = is_float || is_integer ? 0 : buf_texel_bytes((enum buf_kind)kind) / 2;
        if (texels == TEXELS_NONE) {
            continue;
        }
        struct rig *const r = rig_new(ENV_VK, 0x10500);
        struct ir_program *const p = &r->p;
        bool const is_flat = texels == TEXELS_1D || texels == TEXELS_1D_ARRAY;
        bool const is_one = texels == TEXELS_1D || texels == TEXELS_2D;
        struct ir_var v = {.kind = VAR_TEXEL,
                           .type = is_integer ? IR_I32
                                   : is_float ? IR_F32
                                              : IR_F16,
                           .n = 3,
                           .n_components = n,
                           .first = 2};
        v.image = (struct buf){.kind = (enum buf_kind)kind, .n_bytes = 64};
        if (texels != TEXELS_BUFFER) {
            v.kind = VAR_IMAGE;
            v.image.width = 3;
            v.image.height = is_flat ? 1 : 3;
            v.image.n_bytes = v.image.width * v.image.height * (is_one ? 1 : CUBE_FACES) *
                              buf_texel_bytes((enum buf_kind)kind);
        }
        uint32_t const var = ir_add_var(p, v);
        legal_add_var_needs(p, &v);
        struct ir_inst *part[4];
        for (uint32_t k = 0; k < 4; k++) {
            part[k] = ir_const(p, v.type, 0);
        }
        struct ir_atomic const x = {.op = OP_core_AtomicExchange,
                                    .var = var,
                                    .scope = SpvScopeDevice,
                                    .index = p->gid,
                                    .value = ir_vector(p, &p->main, n ? n : 1, part)};
        legal_add_atomic_needs(p, &x);
        (void)ir_atomic(p, &p->main, &x);
        rig_check(r);
        const uint32_t *const type = find_op(r, SpvOpTypeImage, 0);
        assert_int_equal(type[3], texels_rows[texels].dim);
        assert_int_equal(type[5], texels == TEXELS_1D_ARRAY || texels == TEXELS_2D_ARRAY ||
                                      texels == TEXELS_CUBE_ARRAY);
        assert_int_equal(type[7], 2);
        assert_int_equal(count_op(r, SpvOpImageTexelPointer), 1);
        rig_free(r);
    }
}

/* The words of the decoration of the id; NULL: it has none. */
static const uint32_t *find_decoration(const struct rig *r, uint32_t id, uint32_t decoration)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
        if (i.op == SpvOpDecorate && i.w[1] == id && i.w[2] == decoration) {
            return i.w;
        }
    }
    return NULL;
}

/* The id of the variable of that class; 0: there is none. */
static uint32_t find_variable(const struct rig *r, uint32_t class)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(r->tc.module, r->tc.n_words, &offset, &i)) {
        if (i.op == SpvOpVariable && i.w[3] == class) {
            return i.w[2];
        }
    }
    return 0;
}

/* A uniform buffer in a set of its own, whose vectors are reached in two steps, and push constants behind what is not
 * read; in OpenCL a pointer to constant memory. */
static void what_nobody_writes_has_its_class(void **state)
{
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        struct rig *const r = rig_new((enum env)env, env == ENV_CL ? 0x10000 : 0x10500);
        struct ir_program *const p = &r->p;
        struct ir_var const v = {.kind = VAR_CONSTANT, .type = IR_I32, .n = 9, .set = 2};
        struct ir_var const push = {.kind = VAR_PUSH, .type = IR_I32, .n = 2, .first = 12};
        uint32_t const var = ir_add_var(p, v);
        struct ir_inst *const at[] = {ir_const(p, IR_I32, 7), p->lid};
        for (size_t k = 0; k < ARRAY_N(at); k++) {
            ir_store(p, &p->main, r->out, p->gid, ir_load(p, &p->main, var, at[k]));
        }
        if (env == ENV_VK) {
            uint32_t const pushed = ir_add_var(p, push);
            ir_store(p, &p->main, r->out, p->gid, ir_load(p, &p->main, pushed, at[0]));
        }
        rig_check(r);
        if (env == ENV_CL) {
            bool has_pointer = false;
            for (uint32_t n = 0; n < count_op(r, SpvOpTypePointer); n++) {
                has_pointer |= find_op(r, SpvOpTypePointer, n)[2] == SpvStorageClassUniformConstant;
            }
            assert_true(has_pointer);
            rig_free(r);
            continue;
        }
        uint32_t const uniform = find_variable(r, SpvStorageClassUniform);
        uint32_t const constants = find_variable(r, SpvStorageClassPushConstant);
        assert_true(uniform != 0 && constants != 0);
        assert_int_equal(find_decoration(r, uniform, SpvDecorationDescriptorSet)[3], 2);
        assert_int_equal(find_decoration(r, uniform, SpvDecorationBinding)[3], p->vars[var].buf);
        assert_null(find_decoration(r, constants, SpvDecorationBinding));
        assert_int_equal(count_op(r, SpvOpUDiv), 1); /* of a constant index there is none */
        uint32_t n_offsets = 0;
        for (uint32_t n = 0; n < count_op(r, SpvOpMemberDecorate); n++) {
            n_offsets += find_op(r, SpvOpMemberDecorate, n)[4] == 12;
        }
        assert_int_equal(n_offsets, 1);
        rig_free(r);
    }
}

static void constants_stand_once(void **state)
{
    (void)state;
    struct rig *const r = rig_new(ENV_CL, 0x10000);
    struct ir_program *const p = &r->p;
    for (uint64_t i = 0; i < 3000; i++) {
        (void)ir_plain(p, &p->main, SpvOpIAdd, IR_I32, ir_const(p, IR_I32, i % 100),
                       ir_const(p, IR_I32, i % 7));
    }
    rig_check(r);
    assert_true(count_op(r, SpvOpConstant) < 105);
    rig_free(r);
}

/* Every order, class, scope and instruction that can be asked for comes out legal; the rules are
 * checked on the words by test_rules.h, which shares nothing with legal.c. */
static void any_wish_becomes_legal_semantics(void **state)
{
    /* SHOWS(FA_ORDERS) */
    (void)state;
    static const enum op_id ops[] = {OP_core_AtomicLoad, OP_core_AtomicStore,
                                     OP_core_AtomicExchange, OP_core_AtomicCompareExchange};
    uint32_t n = 0;
    for (int world = 0; world < 3; world++) { /* OpenCL, Vulkan, Vulkan memory model */
        enum env const env = world == 0 ? ENV_CL : ENV_VK;
        struct rig *const r = rig_new(env, env == ENV_CL ? 0x10000 : 0x10500);
        struct ir_program *const p = &r->p;
        p->vulkan_memory_model = world == 2;
        if (world == 2) {
            needs_add(&p->needs, NEED_VK_MEMORY_MODEL);
        }
        uint32_t scopes[LEGAL_MAX_SCOPES];
        uint32_t const n_scopes = legal_get_scopes(env, world == 2, SHARED_BY_NOBODY, scopes);
        for (uint32_t at = 0; at < 4u * n_scopes * LEGAL_ORDERS * 16; at++) {
            struct ir_atomic x = {.op = ops[at % 4],
                                  .var = r->out,
                                  .scope = scopes[at / 4 % n_scopes],
                                  .index = ir_const(p, IR_I32, 0)};
            x.value = x.op == OP_core_AtomicLoad ? NULL : ir_const(p, IR_I32, 1);
            x.comparator = x.op == OP_core_AtomicCompareExchange ? x.value : NULL;
            struct legal_semantics const s =
                legal_get_semantics(p, &x, (enum legal_order)(at / 4 / n_scopes % LEGAL_ORDERS),
                                    at / 4 / n_scopes / LEGAL_ORDERS % 16);
            x.semantics = s.semantics;
            x.unequal = s.unequal;
            legal_add_scope_needs(p, x.scope);
            legal_add_atomic_needs(p, &x);
            (void)ir_atomic(p, &p->main, &x);
        }
        rig_check(r);
        n += r->rules.n_atomics;
        rig_free(r);
    }
    assert_true(n > 3000);
}

/* What several invocations share has no scope that leaves one of them out. */
static void scopes_cover_the_sharers(void **state)
{
    /* SHOWS(MIN_SCOPES) */
    (void)state;
    uint32_t scopes[LEGAL_MAX_SCOPES];
    for (int world = 0; world < 3; world++) {
        enum env const env = world == 0 ? ENV_CL : ENV_VK;
        for (int sharing = 0; sharing <= SHARED_BY_ALL; sharing++) {
            uint32_t const n = legal_get_scopes(env, world == 2, (enum sharing)sharing, scopes);
            assert_true(n >= 1 && n <= LEGAL_MAX_SCOPES);
            assert_int_equal(scopes[0], SpvScopeDevice);
            for (uint32_t i = 0; i < n; i++) {
                int const is_narrow =
                    scopes[i] == SpvScopeSubgroup || scopes[i] == SpvScopeInvocation;
                assert_true(!is_narrow || sharing == SHARED_BY_NOBODY);
                assert_true(scopes[i] != SpvScopeWorkgroup || sharing != SHARED_BY_ALL);
                assert_true(scopes[i] != SpvScopeCrossDevice || env == ENV_CL);
                assert_true(scopes[i] != SpvScopeQueueFamily || world == 2);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_flow_is_structured),
        cmocka_unit_test(ways_meet_in_phis),
        cmocka_unit_test(functions_have_bodies),
        cmocka_unit_test(pointers_go_through_functions),
        cmocka_unit_test(extensions_know_their_version),
        cmocka_unit_test(generic_pointers_are_cast),
        cmocka_unit_test(atomics_work_on_vectors),
        cmocka_unit_test(texels_have_their_coordinates),
        cmocka_unit_test(constants_stand_once),
        cmocka_unit_test(what_nobody_writes_has_its_class),
        cmocka_unit_test(any_wish_becomes_legal_semantics),
        cmocka_unit_test(scopes_cover_the_sharers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* base/test_local_size.c -- where modules state the size of work-groups. */
#include "base/local_size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/spv.h"

enum {
    MAIN = 1,
    U32,
    V3,
    X,
    Y,
    Z,
    ALL,
    SPEC_X = 20, /* SpecIds */
    SPEC_Y,
    MAX_WORDS = 128
};

struct fixture {
    struct arena a;
    struct spv_words w;
    struct testcase tc;
};

static void begin(struct fixture *f, enum env env)
{
    arena_init(&f->a, 1 << 16);
    spv_words_init(&f->w, &f->a);
    spv_put_string(&f->w, SpvOpEntryPoint, (uint32_t[]){SpvExecutionModelGLCompute, MAIN}, 2, "k",
                   NULL, 0);
    f->tc = (struct testcase){
        .env = env, .entry = "k", .local = {8, 4, 1},
                .global = {8, 4, 1}
    };
}

static void put(struct fixture *f, uint32_t op, uint32_t n, const uint32_t *operands)
{
    spv_put(&f->w, op, operands, n);
}
#define PUT(f, op, ...)                                                                            \
    put(f, op, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* x and y are specialization constants of 2 and 4, z is 1; ALL is the vector of them. */
static void put_constants(struct fixture *f)
{
    PUT(f, SpvOpDecorate, X, SpvDecorationSpecId, SPEC_X);
    PUT(f, SpvOpDecorate, Y, SpvDecorationSpecId, SPEC_Y);
    PUT(f, SpvOpSpecConstant, U32, X, 2);
    PUT(f, SpvOpSpecConstant, U32, Y, 4);
    PUT(f, SpvOpConstant, U32, Z, 1);
    PUT(f, SpvOpSpecConstantComposite, V3, ALL, X, Y, Z);
}

static struct local_size find(struct fixture *f)
{
    static uint32_t words[MAX_WORDS];
    assert_true(f->w.ok && SPV_HEADER_WORDS + f->w.n <= MAX_WORDS);
    for (uint32_t i = 0; i < f->w.n; i++) {
        words[SPV_HEADER_WORDS + i] = f->w.w[i];
    }
    f->tc.module = words;
    f->tc.n_words = SPV_HEADER_WORDS + f->w.n;
    return local_size_find(&f->tc);
}

static void expect(const struct local_size *s, enum local_size_form form, uint32_t x, uint32_t y,
                   uint32_t z)
{
    assert_int_equal(s->form, form);
    assert_true(s->is_known);
    assert_int_equal(s->size[0], x);
    assert_int_equal(s->size[1], y);
    assert_int_equal(s->size[2], z);
}

static void a_mode_states_it(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, ENV_CL);
    struct local_size s = find(&f);
    assert_int_equal(s.form, LOCAL_SIZE_UNSTATED);
    assert_true(local_size_is_right(&f.tc));
    PUT(&f, SpvOpExecutionMode, MAIN, SpvExecutionModeLocalSize, 8, 4, 1);
    s = find(&f);
    expect(&s, LOCAL_SIZE_LITERAL, 8, 4, 1);
    assert_int_equal(s.spec_id[0], LOCAL_SIZE_FIXED);
    assert_true(local_size_is_right(&f.tc));
    f.tc.local[2] = 2;
    assert_false(local_size_is_right(&f.tc));
    arena_free(&f.a);
}

/* The case's values count; what has none keeps the module's. */
static void specialization_constants_state_it(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, ENV_VK);
    PUT(&f, SpvOpExecutionModeId, MAIN, SpvExecutionModeLocalSizeId, X, Y, Z);
    put_constants(&f);
    struct local_size s = find(&f);
    expect(&s, LOCAL_SIZE_IDS, 2, 4, 1);
    assert_int_equal(s.spec_id[0], SPEC_X);
    assert_int_equal(s.spec_id[1], SPEC_Y);
    assert_int_equal(s.spec_id[2], LOCAL_SIZE_FIXED);
    assert_false(local_size_is_right(&f.tc));
    f.tc.n_specs = 1;
    f.tc.specs[0] = (struct spec){.id = SPEC_X, .n_bytes = 4, .bits = 8};
    s = find(&f);
    expect(&s, LOCAL_SIZE_IDS, 8, 4, 1);
    assert_true(local_size_is_right(&f.tc));
    arena_free(&f.a);
}

/* The decoration goes before a mode, wherever that stands; in OpenCL it is a variable. */
static void the_decoration_goes_first(void **state)
{
    (void)state;
    for (int mode_first = 0; mode_first < 2; mode_first++) {
        struct fixture f;
        begin(&f, ENV_VK);
        if (mode_first) {
            PUT(&f, SpvOpExecutionMode, MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
        }
        PUT(&f, SpvOpDecorate, ALL, SpvDecorationBuiltIn, SpvBuiltInWorkgroupSize);
        put_constants(&f);
        if (!mode_first) {
            PUT(&f, SpvOpExecutionMode, MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
        }
        struct local_size s = find(&f);
        expect(&s, LOCAL_SIZE_BUILTIN, 2, 4, 1);
        f.tc.env = ENV_CL;
        s = find(&f);
        expect(&s, LOCAL_SIZE_LITERAL, 1, 1, 1);
        arena_free(&f.a);
    }
}

static void what_is_computed_is_not_known(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, ENV_VK);
    PUT(&f, SpvOpExecutionModeId, MAIN, SpvExecutionModeLocalSizeId, X, Y, Z);
    PUT(&f, SpvOpSpecConstantOp, U32, X, SpvOpIAdd, Y, Z);
    struct local_size const s = find(&f);
    assert_int_equal(s.form, LOCAL_SIZE_IDS);
    assert_false(s.is_known);
    assert_false(local_size_is_right(&f.tc));
    arena_free(&f.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mode_states_it),
        cmocka_unit_test(specialization_constants_state_it),
        cmocka_unit_test(the_decoration_goes_first),
        cmocka_unit_test(what_is_computed_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* gen/ir/test_layout.c -- structs: members apart from each other, each at a multiple of its alignment, leaves in their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

#include "gen/ir/layout.h"

enum {
    N_STRUCTS = 4000,
    ARENA_BYTES = 64 << 20,
    ALL_FLOATS = 7,
    MAX_BYTES = 1024
};

static struct ir_program *program_new(struct arena *a, enum env env)
{
    struct ir_program *const p = ARENA_NEW(a, struct ir_program, 1);
    assert_non_null(p);
    assert_true(ir_program_init(p, env, a));
    return p;
}

/* Marks the bytes of the numbers of a struct that begins at `at`: none twice. std430 and OpenCL alike: a vector lies at a
 * multiple of its size, of three that of four. */
static void mark(const struct ir_struct *s, uint32_t at, unsigned char *is_taken)
{
    for (uint32_t i = 0; i < s->n_fields; i++) {
        const struct ir_field *const f = &s->field[i];
        for (uint32_t k = 0; k < (f->length ? f->length : 1); k++) {
            uint32_t const first = at + f->offset + k * f->stride;
            uint32_t const number = f->inner ? 0 : ir_type_bits(f->type) / 8;
            if (f->inner) {
                assert_int_equal(first % f->inner->alignment, 0);
                assert_true(f->length == 0 || f->stride >= f->inner->n_bytes);
                mark(f->inner, first, is_taken);
                continue;
            }
            assert_int_equal(first % (number * (f->n_components == 3 ? 4 : f->n_components)), 0);
            for (uint32_t b = 0; b < number * f->n_components; b++) {
                assert_true(first + b < MAX_BYTES && !is_taken[first + b]);
                is_taken[first + b] = 1;
            }
        }
    }
}

static void members_are_apart(void **state)
{
    (void)state;
    struct arena a;
    struct rng rng = rng_seed(1);
    uint32_t n_nested = 0, n_gaps = 0;
    arena_init(&a, ARENA_BYTES);
    for (uint32_t i = 0; i < N_STRUCTS; i++) {
        unsigned char is_taken[MAX_BYTES] = {0};
        arena_reset(&a);
        struct ir_program *const p = program_new(&a, (enum env)(i % ENV_N));
        const struct ir_struct *const s =
            layout_make(p, rng_next(&rng), rng_next(&rng), ALL_FLOATS, true);
        assert_non_null(s);
        mark(s, 0, is_taken);
        uint32_t end = 0, n_bytes = 0;
        for (uint32_t b = 0; b < MAX_BYTES; b++) {
            end = is_taken[b] ? b + 1 : end;
            n_bytes += is_taken[b];
        }
        assert_true(end <= s->n_bytes && s->n_bytes % s->alignment == 0);
        n_gaps += n_bytes < s->n_bytes;
        for (uint32_t k = 0; k < s->n_fields; k++) {
            n_nested += s->field[k].inner != NULL;
        }
    }
    assert_true(n_nested > N_STRUCTS / 20 && n_gaps > N_STRUCTS / 20);
    arena_free(&a);
}

/* Leaf by leaf along the struct, as IR_STRUCT takes them. */
static void leaves_are_in_order(void **state)
{
    (void)state;
    struct arena a;
    struct rng rng = rng_seed(2);
    uint32_t n_leaves = 0;
    arena_init(&a, ARENA_BYTES);
    for (uint32_t i = 0; i < N_STRUCTS / 10; i++) {
        arena_reset(&a);
        struct ir_program *const p = program_new(&a, ENV_VK);
        const struct ir_struct *const s =
            layout_make(p, rng_next(&rng), rng_next(&rng), ALL_FLOATS, true);
        uint32_t before = 0, n_scalars = 0;
        for (uint32_t k = 0; k < layout_count_leaves(s); k++) {
            struct leaf const of = layout_get_leaf(p, s, k);
            const struct ir_struct *in = s;
            uint32_t at = 0;
            for (uint32_t w = 0; w < of.path.n;) {
                const struct ir_field *const f = &in->field[of.path.index[w++]->bits];
                at += f->offset + (f->length ? (uint32_t)of.path.index[w++]->bits * f->stride : 0);
                in = f->inner;
            }
            assert_null(in);
            assert_true(k == 0 || at > before);
            before = at;
            n_scalars += of.n_components;
            n_leaves++;
        }
        assert_true(n_scalars <= LAYOUT_MAX_SCALARS);
    }
    assert_true(n_leaves > N_STRUCTS / 10);
    arena_free(&a);
}

static void zero_is_the_simplest(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    const struct ir_struct *const s = layout_make(program_new(&a, ENV_CL), 0, 0, 2, true);
    assert_int_equal(s->n_fields, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(s->field[i].type, IR_I32);
        assert_int_equal(s->field[i].offset, 4 * i);
        assert_int_equal(s->field[i].length, 0);
    }
    assert_int_equal(s->n_bytes, 8);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_apart),
        cmocka_unit_test(leaves_are_in_order),
        cmocka_unit_test(zero_is_the_simplest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* gen/plan/test_unroll.c -- no loop with the hint Unroll becomes too large. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/plan/unroll.h"

enum {
    BODY = 4 /* instructions */
};

/* A loop of n iterations, to be unrolled, in `block`. */
static struct ir_inst *put_loop(struct ir_program *p, struct ir_block *block, uint32_t n,
                                bool may_be_large)
{
    struct ir_inst *const loop = ir_loop(p, block, ir_const(p, IR_I32, n));
    ir_add_hint(p, loop, SpvLoopControlUnrollMask);
    loop->hint->n_most = n;
    loop->hint->may_be_large = may_be_large;
    for (int i = 0; i < BODY; i++) {
        (void)ir_plain(p, loop->body[0], SpvOpIAdd, IR_I32, p->gid, p->lid);
    }
    return loop;
}

static bool is_unrolled(const struct ir_inst *loop)
{
    return loop->hint->mask & SpvLoopControlUnrollMask;
}

static void check(uint32_t n_outer, uint32_t n_inner, bool may_be_large, bool outer, bool inner)
{
    struct arena a;
    struct ir_program p;
    arena_init(&a, (size_t)1 << 20);
    assert_true(ir_program_init(&p, ENV_VK, &a));
    struct ir_inst *const first = put_loop(&p, &p.main, n_outer, may_be_large);
    struct ir_inst *const second = n_inner ? put_loop(&p, first->body[0], n_inner, false) : NULL;
    uint64_t const n = unroll_limit(&p);
    assert_int_equal(is_unrolled(first), outer);
    assert_true(!second || is_unrolled(second) == inner);
    assert_int_equal(unroll_limit(&p), n);
    arena_free(&a);
}

static void a_loop_is_unrolled_up_to_a_size(void **state)
{
    (void)state;
    check(UNROLL_MOST / BODY, 0, false, true, false);
    check(UNROLL_MOST / BODY + 1, 0, false, false, false);
    check(1998, 0, false, false, false);
    check(1998, 0, true, true, false);
    check(UNROLL_MOST_LARGE / BODY + 1, 0, true, false, false);
}

/* 64 * 64 * BODY instructions are too many; 16 * 16 are not. */
static void loops_in_loops_multiply(void **state)
{
    (void)state;
    check(16, 16, false, true, true);
    check(64, 64, false, false, true);
    check(2, 1998, false, true, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_is_unrolled_up_to_a_size),
        cmocka_unit_test(loops_in_loops_multiply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

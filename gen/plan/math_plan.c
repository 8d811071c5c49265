/* gen/plan/math_plan.c -- which mathematics a case may hold, and how it is decorated. */
#include "gen/plan/math_plan.h"

#include "base/caps.h"
#include "gen/plan/build.h"

const struct math_row math_rows[MATH_N] = {
#define MATH(set, name, n_args, form, lengths, domain)                                             \
    {OP_##set##_##name, n_args, FORM_##form, LENGTHS_##lengths, DOMAIN_##domain},
#include "gen/plan/math.def"
};

const uint32_t math_bounds[MATH_BOUND_N] = {
    0x40800000, /* 4 */
    0x3f000000, /* 0.5 */
    0x3f800000, /* 1 */
    0x3f000001, /* next above 0.5 */
    0x3e800000, /* 0.25 */
    0x3fc00000, /* 1.5 */
    0x40000000, /* 2 */
    0x40200000, /* 2.5 */
    0x40400000, /* 3 */
    0x40a00000, /* 5 */
    0x40c00000, /* 6 */
    0x41000000, /* 8 */
    0x41800000, /* 16 */
    0x42c80000, /* 100 */
    0x44800000, /* 1024 */
    0x457ff000, /* 4095 */
    0x45800000, /* 4096 */
    0x46000000, /* 8192 */
    0x49742400, /* 1e6 */
    0x00000001, /* the smallest subnormal */
    0x007fffff, /* the largest one */
    0x00800000, /* the smallest normal */
    0x3effffff, /* next below 0.5 */
    0x4cbebc20, /* 1e8 */
    0x7f000000, /* 2^127 */
    0x7f7fffff  /* the largest */
};
const uint32_t math_illegal_bounds[MATH_ILLEGAL_BOUND_N] = {
    0x00000000, /* 0 */
    0x80000000, /* -0 */
    0xbf800000, /* -1 */
    0x7f800000, /* infinity */
    0x7fc00000  /* NaN */
};

/* Places without a meaning, one or several; now and then the module lacks capability and extension,
 * or the literal is none that the text allows. */
static void plan_illegal(struct build *b, uint64_t digits)
{
    uint64_t const literal = digits / 1000 % 10;
    b->math.is_illegal = 1;
    b->p.odd = 1u << digits % IR_ODD_N;
    if (digits / 10 % 4 == 0) {
        b->p.odd |= 1u << digits / 40 % IR_ODD_N;
    }
    b->p.odd_literal = literal < MATH_ILLEGAL_BOUND_N ? math_illegal_bounds[literal]
                                                      : math_bounds[digits / 10000 % MATH_BOUND_N];
    if (digits / 1000000 % 4 != 0) {
        needs_add(&b->p.needs, b->env == ENV_CL ? NEED_CL_MAX_ERROR : NEED_VK_MAX_ERROR);
    }
    build_set_math_shape(b, MATH_SHAPE_ILLEGAL);
}

void plan_math(struct build *b, struct tape *t)
{
    struct math_plan *const m = &b->math;
    tape_name_node(t, NODE_MATH_BLOCK);
    bool const is_decorated = tape_take_chance(t, 70, ROLE_MODE);
    bool const is_illegal = tape_take_chance(t, 4, ROLE_MODE);
    uint64_t const digits = tape_take_u64(t, ROLE_MODE);
    m->is_on = 1;
    m->is_main = b->profile == PROFILE_MAXERROR;
    m->has_fast_math = b->env == ENV_CL && m->is_main && digits % 100 >= 86;
    m->has_rounding = b->env == ENV_CL && digits / 100 % 100 >= 50;
    m->is_decorated = m->is_main && is_decorated && b->env == ENV_CL;
    if (m->is_main && is_illegal) {
        plan_illegal(b, digits / 10000);
    }
    build_set_math_shape(b, m->is_decorated ? MATH_SHAPE_DECORATED : MATH_SHAPE_UNDECORATED);
}

bool plan_math_options(struct build *b, uint64_t choice)
{
    enum {
        NONE_PERCENT = 91, /* of the cases; the options share the rest */
        EACH_PERCENT = 3
    };
    static const char *const options[] = {"-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math",
                                          "-cl-fp32-correctly-rounded-divide-sqrt"};
    uint64_t const at = choice % 100;
    if (at < NONE_PERCENT) {
        return false;
    }
    uint64_t const row = (at - NONE_PERCENT) / EACH_PERCENT;
    b->modes.build_options = options[row];
    if (row == 1) { /* NaN and infinities are assumed not to occur */
        b->modes.plain_inputs = true;
    } else if (row == 2) {
        needs_add(&b->p.needs, NEED_CL_ROUNDED_DIVIDE);
    }
    build_set_math_shape(b, MATH_SHAPE_OPTIONS);
    return true;
}

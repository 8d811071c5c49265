/* gen/plan/build.c -- the state of one case in the making. */
#include "gen/plan/build.h"

#include <assert.h>

#include "gen/tape/tape.h"

struct build *build_new(enum profile profile, enum env env, const struct needs *allowed,
                        struct arena *a)
{
    struct build *const b = ARENA_NEW(a, struct build, 1);
    if (!b || !ir_program_init(&b->p, env, a)) {
        return NULL;
    }
    b->p.allowed = *allowed;
    b->profile = profile;
    b->has_pieces = profile == PROFILE_PROGRAMS;
    b->env = env;
    b->a = a;
    b->io.rendezvous_var = NO_VAR;
    b->io.counter_var = NO_VAR;
    b->constants.push_var = NO_VAR;
    for (int type = 0; type < IR_TYPE_N; type++) {
        b->io.result_var[type] = NO_VAR;
    }
    for (unsigned width = 0; width < 3; width++) {
        b->io.in_var[width] = NO_VAR;
        b->io.out_var[width] = NO_VAR;
        b->constants.var[width] = NO_VAR;
    }
    return b;
}

bool build_may_type(const struct build *b, enum ir_type type)
{
    bool const is_whole = !ir_type_is_float(type) || legal_may_type(&b->p, ir_type_as_int(type));
    return legal_may_type(&b->p, type) && is_whole;
}

bool build_may_operand(const struct build *b, enum ir_type type)
{
    return ir_type_is_float(type) ? build_has_width(b, build_width(type)) : build_may_type(b, type);
}

unsigned build_get_widths(const struct build *b)
{
    unsigned widths = 0;
    for (unsigned width = 0; width < 3; width++) {
        widths |= build_may_type(b, (enum ir_type)(IR_F16 + width)) ? 1U << width : 0;
    }
    return widths;
}

uint32_t build_count_local_bytes(const struct build *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->p.n_vars; i++) {
        const struct ir_var *const v = &b->p.vars[i];
        n += v->kind == VAR_LOCAL ? v->n * ir_var_stride(v) : 0;
    }
    return n;
}

unsigned build_pick(const uint8_t *weights, unsigned n, uint64_t choice)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += weights[i];
    }
    assert(sum > 0);
    uint64_t rest = choice % sum;
    unsigned i = 0;
    while (rest >= weights[i]) {
        rest -= weights[i++];
    }
    return i;
}

unsigned build_draw(struct tape *t, const uint8_t *weights, unsigned n, enum tape_role role)
{
    return build_pick(weights, n, tape_take_u64(t, role));
}

unsigned build_width(enum ir_type t)
{
    return (unsigned)(t - IR_I16) % 3;
}

bool build_has_var_room(const struct build *b, uint32_t n_bytes)
{
    enum {
        MAX_SHARED_BYTES = 12 << 10, /* of work-group memory: each driver has 16 KiB */
        KEPT_VARS = 8 /* inputs and outputs of three widths, a counter, one to spare */
    };
    uint32_t const n_shared = n_bytes + build_count_local_bytes(b);
    bool const has_memory = b->env == ENV_VK || build_may(b, NEED_CL_LOCAL_MEMORY);
    return n_shared <= (has_memory ? (uint32_t)MAX_SHARED_BYTES : (uint32_t)BUILD_LEAST_LOCAL) &&
           b->p.n_vars + KEPT_VARS < IR_MAX_VARS && b->p.n_bufs + KEPT_VARS < CASE_MAX_BUFS;
}

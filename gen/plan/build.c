/* gen/plan/build.c -- the state of one case in the making. */
#include "gen/plan/build.h"

#include <assert.h>

#include "gen/tape/tape.h"

struct build *build_new(enum profile profile, enum env env, struct arena *a)
{
    struct build *const b = ARENA_NEW(a, struct build, 1);
    if (!b || !ir_program_init(&b->p, env, a)) {
        return NULL;
    }
    b->profile = profile;
    b->is_apart = profile == PROFILE_ARITH || profile == PROFILE_MAXERROR;
    b->env = env;
    b->a = a;
    b->rendezvous_var = NO_VAR;
    for (unsigned width = 0; width < 3; width++) {
        b->in_var[width] = NO_VAR;
        b->out_var[width] = NO_VAR;
    }
    return b;
}

unsigned build_draw(struct tape *t, const uint8_t *weights, unsigned n, enum tape_role role)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += weights[i];
    }
    uint64_t at = tape_take_below(t, sum, role);
    for (unsigned i = 0; i < n; i++) {
        if (at < weights[i]) {
            return i;
        }
        at -= weights[i];
    }
    assert(0 && "a weight above 0 is found first");
    return 0;
}

unsigned build_width(enum ir_type t)
{
    return (unsigned)(t - IR_I16) % 3;
}

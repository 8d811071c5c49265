/* gen/gen.h -- from a tape to a case. */
#ifndef HALFULP_GEN_GEN_H
#define HALFULP_GEN_GEN_H

#include "base/testcase.h"
#include "gen/tape.h"

enum {
    GEN_VERSION = 1
};

enum profile {
    PROFILE_ATOMICS,
    PROFILE_ARITH
};
enum {
    PROFILE_N = 2
};
extern const char *const profile_names[PROFILE_N];
int profile_find(const char *name); /* row by name, or -1 */

/* What shapes a case has, for `gen --stats`; bit i is row i of gen/shape.def. */
struct gen_info {
    uint64_t shapes;
    uint32_t n_instructions; /* of the module's functions */
    uint64_t
        op_kinds; /* kinds of atomic used: bit i is atomic class i of shape.def's second list */
};

/*
 * The case of (GEN_VERSION, profile, env, tape): pure, any tape is legal. Everything is in `a`.
 * info may be NULL. RES_NOMEM when the arena is full; nothing else can fail.
 */
MUST_USE enum res gen_case(enum profile profile, enum env env, const struct tape *t,
                           struct arena *a, struct testcase *out, struct gen_info *info,
                           struct err *e);

#endif

/* gen/gen.h -- from a tape to a case. */
#ifndef HALFULP_GEN_GEN_H
#define HALFULP_GEN_GEN_H

#include "base/ops.h"
#include "base/testcase.h"
#include "gen/tape.h"

enum {
    GEN_VERSION = 2,
    GEN_OP_WORDS = (OP_N + 63) / 64
};

enum profile {
    PROFILE_ATOMICS,
    PROFILE_ARITH,
    PROFILE_GROUPS,
    PROFILE_ALL /* atomics and group operations in one case */
};
enum {
    PROFILE_N = 4
};
extern const char *const profile_names[PROFILE_N];
int profile_find(const char *name); /* row by name, or -1 */
/* Do cases of that profile hold group operations? */
int profile_has_groups(enum profile profile);

/* What shapes a case has, for `gen --stats`; bit i is row i of a list of gen/shape.def. */
struct gen_info {
    uint64_t shapes;
    uint64_t group_shapes;
    uint64_t op_kinds;                 /* kinds of atomic used */
    uint64_t group_rows[GEN_OP_WORDS]; /* group instructions used: bit i % 64 of word i / 64 is
                                        * row i of base/ops.def */
    uint32_t n_instructions;           /* of the module's functions */
    uint32_t n_groups, n_partial;      /* group operations; of these, where some may be absent */
    uint32_t n_sums, n_exact_sums; /* float sums and products; of these, the same in any order */
};

/*
 * The case of (GEN_VERSION, profile, env, tape): pure, any tape is legal. Everything is in `a`.
 * info may be NULL. RES_NOMEM when the arena is full; nothing else can fail.
 */
MUST_USE enum res gen_case(enum profile profile, enum env env, const struct tape *t,
                           struct arena *a, struct testcase *out, struct gen_info *info,
                           struct err *e);

#endif

/* gen/plan/refusal.h -- cases of profile `refusals`: small legal modules, and those in which one rule is broken. */
#pragma once

#include "base/testcase.h"
#include "gen/illegal/illegal.h"
#include "gen/tape/tape.h"

struct build;

/* What such a tape decides. */
struct refusal {
    const struct illegal_rule *rule;
    enum illegal_parent parent; /* the legal module of the rule; of no tape the plainest one */
    bool is_broken;             /* or is it left legal? */
    uint32_t variant;           /* of the legal module, below REFUSAL_VARIANTS */
};
enum {
    REFUSAL_VARIANTS = 2 /* min or max; of group operations the scope: sub-group or work-group */
};

/* The program of the legal module, after the tape's root. */
void refusal_plan(struct build *b, struct tape *root);
/* Finishes the words of that module, and breaks its rule in them if it is to be broken. RES_NOMEM: the arena is full. RES_INTERNAL: they have not what the
 * rule is about. */
MUST_USE enum res refusal_break(const struct build *b, struct testcase *out, struct err *e);
/* A tape that decides this in that environment, in `a`. */
MUST_USE enum res refusal_make_tape(const struct refusal *what, enum env env, struct arena *a,
                                    struct tape *out, struct err *e);

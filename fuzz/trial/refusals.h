/* fuzz/trial/refusals.h -- what a target makes of modules that break one rule each (gen/illegal/illegal.def). */
#pragma once

#include "fuzz/targets/targets.h"
#include "gen/illegal/illegal.h"

enum refusal_outcome {
    REFUSAL_NONE, /* not asked: a rule of the other environment, or the device lacks what it is about */
    REFUSAL_NO_PARENT, /* nor is the legal module taken, so that a refusal would say nothing */
    REFUSAL_REFUSED,
    REFUSAL_ACCEPTED,
    REFUSAL_CRASHED,
    REFUSAL_HUNG,
    REFUSAL_EXITED,
    REFUSAL_LOST /* the device */
};
enum {
    REFUSAL_OUTCOME_N = 8
};
extern const char refusal_letters[REFUSAL_OUTCOME_N];
extern const char *const refusal_names[REFUSAL_OUTCOME_N];

struct refusals {
    enum refusal_outcome outcome[ILLEGAL_N];       /* the worst of the rule's variants */
    enum refusal_outcome parent[ILLEGAL_PARENT_N]; /* of the legal module, as if that were a rule */
    bool is_listed[ILLEGAL_PARENT_N];              /* the device says that it has what that needs */
    const char
        *log[ILLEGAL_N]; /* what the driver said of a refusal, its frames of a crash; or "" */
};

/* Runs the legal modules, and each rule's module in a fresh worker, in the environment of the target. only: the rules
 * with that in their names; "" for all. RES_IO: it does not start. RES_USAGE: one that is given source, or simulated. */
MUST_USE enum res refusals_ask(const struct target *t, const char *only, struct arena *a,
                               struct refusals *out, struct err *e);
/* What the SPIRV-Tools of this program say, for one environment: refused or accepted. */
MUST_USE enum res refusals_validate(enum env env, const char *only, struct arena *a,
                                    struct refusals *out, struct err *e);

/* oracle/interp/race.h -- are the accesses of several invocations to one location ordered? */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* One access to a location. */
struct race_access {
    uint32_t invocation, group;
    uint32_t
        epoch; /* barriers of the work-group that its invocation has passed and that order such memory */
    bool is_write, is_atomic;
};
/* What was done to a location so far, as far as a later access may meet it; zeros: nothing. */
struct race_kind {
    struct race_access last;
    bool has;        /* was there any? */
    bool by_several; /* `last` is one of some of its epoch, which nothing orders among themselves */
    bool by_groups;  /* these are of several work-groups, which no barrier orders */
};
struct race_word {
    struct race_kind write, read;
};

/*
 * Records the access. false: it is a data race with an earlier one: they are of different invocations, one of them writes,
 * not both are atomic, and no barrier of their work-group stands between. The accesses of a work-group come in an order that
 * its barriers permit.
 * Clause: Vulkan specification, appendix Memory Model, Data Race; OpenCL C specification, 6.2.1.
 */
bool race_see(struct race_word *w, const struct race_access *now);

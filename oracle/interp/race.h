/* oracle/interp/race.h -- detects data races: keeps the last accesses to each memory location, and tells whether
 * barriers or dispatches order a new access after them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* One access to a location. */
struct race_access {
    uint32_t invocation, group;
    uint32_t
        epoch; /* barriers of the work-group that its invocation has passed and that order such memory */
    bool is_write, is_atomic;
    uint32_t dispatch; /* of those of the case: all of one is before all of the next */
};
/* What was done to a location so far, as far as a later access may race with it; zeros: nothing. */
struct race_kind {
    struct race_access last;
    bool has;        /* was there any? */
    bool by_several; /* `last` is one of some of its epoch, which nothing orders among themselves */
    bool by_groups;  /* these are of several work-groups, which no barrier orders */
    bool has_plain;  /* was one of them not atomic? */
    bool plain_by_groups;
    uint32_t plain_group, plain_dispatch; /* of the last one of these */
};
struct race_word {
    struct race_kind write, read;
};

/*
 * Records the access. false: it is a data race with an earlier one: they are of different invocations, one of them writes,
 * not both are atomic, and neither a barrier of their work-group nor the end of a dispatch stands between. The accesses
 * of a work-group come in an order that its barriers permit, and those of a dispatch after those of the one before.
 * Clause: Vulkan specification, appendix Memory Model, Data Race; OpenCL C specification, 6.2.1. The end of a dispatch:
 * Vulkan, chapter Synchronization, of the barrier between two; OpenCL API specification, 3.3.3, of commands in order.
 */
bool race_see(struct race_word *w, const struct race_access *now);

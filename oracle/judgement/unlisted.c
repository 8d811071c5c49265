/* oracle/judgement/unlisted.c -- names, and the outcome of a run. */
#include "oracle/judgement/unlisted.h"

#include <assert.h>

#include "oracle/tables/tables.h"

const char *const unlisted_names[UNLISTED_N] = {"accepted", "rejected", "crashed", "wrong"};

/* What became of a case that the target does not list, as enum unlisted; -1: nothing that says anything about
 * the target. */
int unlisted_of(const struct observation *ob, const struct judgement *g)
{
    switch (ob->status) {
    case RUN_DONE:
    case RUN_BUILT:
        return verdict_rows[g->kind].part == PART_VIOLATION ? UNLISTED_WRONG : UNLISTED_ACCEPTED;
    case RUN_REJECT:
        return UNLISTED_REJECTED;
    case RUN_CRASH:
    case RUN_HANG:
    case RUN_EXIT:
    case RUN_DEVICE_LOST:
        return UNLISTED_CRASHED;
    case RUN_HARNESS:
    case RUN_SKIPPED:
        return -1;
    }
    assert(0 && "run_status out of range");
    return -1;
}

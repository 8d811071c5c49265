/* oracle/interp/merge_loop.h -- lists the loops of a module that have a merge instruction, with their header,
 * blocks and merge block. */
#pragma once

#include "oracle/interp/module.h"

struct merge_loop {
    /* Labels: where an iteration begins, and where it continues after the test; body 0: not known. */
    uint32_t header, body;
    /* Index in code of the header's label, of the merge block's label, and of the function's end. */
    uint32_t first, merge, end;
    bool has_atomic; /* in it, or in a function that is called from it */
};

/* Takes the loops of the module into `out`, if it is not NULL; returns how many there are. */
uint32_t merge_loops_list(const struct module *m, struct merge_loop *out);
/* Number of phis of the block whose label is at that index in code. */
uint32_t merge_loop_count_phis(const struct module *m, uint32_t label);

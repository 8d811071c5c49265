/* fuzz/reduce/shrink_flow.h -- blocks of a module and what leads to them. */
#pragma once

#include "fuzz/reduce/shrink_module.h"

/* A block and what leads to it. */
struct shrink_block {
    uint32_t label, term; /* indices of instructions */
    uint32_t merge;       /* of OpLoopMerge or OpSelectionMerge, or SHRINK_NONE */
    uint32_t first_pred, n_preds;
    int is_reached;
    uint32_t idom;  /* block; itself for the first of a function; SHRINK_NONE if not reached */
    uint32_t order; /* in reverse postorder */
};
struct shrink_flow {
    uint32_t n;
    struct shrink_block *block; /* in the module's order */
    uint32_t *preds;            /* blocks, each once per block that it leads to */
    uint32_t *of;               /* by index of instruction: its block, or SHRINK_NONE */
};

/* 0: no memory. Labels that do not exist are not followed. */
int shrink_flow_make(const struct shrink_module *m, struct shrink_flow *f);
/* Block of a label id, or SHRINK_NONE. */
uint32_t shrink_flow_find(const struct shrink_module *m, const struct shrink_flow *f,
                          uint32_t label);
/* Does block x dominate block y? Every block does what is not reached. */
int shrink_flow_dominates(const struct shrink_flow *f, uint32_t x, uint32_t y);
/* May the instruction `at` use the id? */
int shrink_flow_reaches(const struct shrink_module *m, const struct shrink_flow *f, uint32_t id,
                        uint32_t at);
/* Remove what is not reached, mend phis, join blocks. 1: something changed; -1: no memory. */
int shrink_flow_tidy(struct shrink_module *m);

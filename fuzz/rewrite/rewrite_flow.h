/* fuzz/rewrite/rewrite_flow.h -- a module with other control flow: ways that lead elsewhere. */
#pragma once

#include "base/spv.h"

/* What goes wrong. */
enum rewrite_way {
    WAY_CONTINUE_BREAKS, /* what ends an iteration early leaves the loop */
    WAY_BREAK_CONTINUES, /* the reverse, in loops that have a test of their own beside it */
    WAY_FALL_BREAKS,     /* an arm of a switch that goes on in the next one leaves the switch */
    WAY_CASE_LOST,       /* the last literal of a switch is another one */
    WAY_CASES_SWAPPED,   /* the first two literals of different arms change places */
    WAY_ITERATION_LOST   /* a loop of more than REWRITE_LONG_LOOP iterations does one less */
};
enum {
    REWRITE_LONG_LOOP = 4
};

/*
 * Puts all instructions of the module, those behind its header, into `out`, with that wrong. *n_sites: at how many
 * places; *bound: of ids, which goes up where there are new ones. Of a valid module it is valid: each phi loses or
 * gets the value of a way that moves. RES_NOMEM: the arena is full.
 */
MUST_USE enum res rewrite_flow(enum rewrite_way way, const uint32_t *words, uint32_t n_words,
                               struct arena *a, struct spv_words *out, uint32_t *bound,
                               uint32_t *n_sites, struct err *e);

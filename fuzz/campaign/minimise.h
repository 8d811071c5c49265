/* fuzz/campaign/minimise.h -- few and small tapes that set what many do. */
#pragma once

#include "fuzz/campaign/corpus.h"
#include "fuzz/targets/targets.h"

/* Cells of a tape: those of the corpus, and behind them the pairs of oracle/feature/feature.h. */
enum {
    MINIMISE_CELLS = CORPUS_CELLS + FEATURE_PAIR_CELLS,
    MINIMISE_SET_BYTES = MINIMISE_CELLS / 8
};

/* A tape and the cells that it sets on a simulated target, in either environment. */
struct minimise_tape {
    struct tape tape;
    enum profile profile;
    uint32_t *cell; /* rising */
    uint32_t n_cells;
};

struct minimise_options {
    const struct target *target; /* a simulated one */
    uint32_t max_tapes;
    uint64_t max_bytes;  /* of the tapes' records */
    uint32_t max_trials; /* to make one tape smaller */
    const unsigned char
        *ignored; /* [MINIMISE_SET_BYTES]: cells that are not looked for; NULL: none */
};

/*
 * Choose and shrink. Tapes are chosen by the cells that no earlier one sets, most for a record first; a
 * chosen tape then loses subtrees and decisions as long as it sets the cells that it was chosen for. Where
 * all cells are set and there is room, it begins anew with the other tapes: what sets a cell may do
 * more of use than that. Pure function of its arguments.
 *   in   n tapes that minimise_measure has filled; at least max_tapes of room in out
 *   out  *n_out tapes with their cells, in the order chosen; all in `a`
 */
MUST_USE enum res minimise_tapes(const struct minimise_options *o, const struct minimise_tape *in,
                                 uint32_t n, struct arena *a, struct minimise_tape *out,
                                 uint32_t *n_out, struct err *e);
/* Run the tape and fill its cells, in `a`. */
MUST_USE enum res minimise_measure(const struct target *t, struct minimise_tape *x, struct arena *a,
                                   struct err *e);

/* A set of cells: [MINIMISE_SET_BYTES], bit i % 8 of byte i / 8. Puts the tape's into it; how many were new. */
uint32_t minimise_add(unsigned char *set, const struct minimise_tape *x);

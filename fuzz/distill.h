/* fuzz/distill.h -- few and small tapes that set what many do. */
#ifndef HALFULP_FUZZ_DISTILL_H
#define HALFULP_FUZZ_DISTILL_H

#include "fuzz/corpus.h"
#include "fuzz/targets.h"

enum {
    DISTILL_CELL_BYTES = CORPUS_CELLS / 8
};

/* A tape and the cells that it sets on a simulated target, in either environment. */
struct distill_tape {
    struct tape tape;
    enum profile profile;
    unsigned char *cells; /* [DISTILL_CELL_BYTES], bit i % 8 of byte i / 8 */
};

struct distill_options {
    const struct target *target; /* a simulated one */
    uint32_t max_tapes;
    uint64_t max_bytes;  /* of the tapes' records */
    uint32_t max_trials; /* to make one tape smaller */
};

/*
 * Choose and shrink. Tapes are chosen by the cells that no earlier one sets, most for a record first; a
 * chosen tape then loses subtrees and decisions as long as it sets the cells that it was chosen for.
 * Pure function of its arguments.
 *   in   n tapes, cells filled by distill_measure; at least max_tapes of room in out
 *   out  *n_out tapes with their cells, in the order chosen; all in `a`
 */
MUST_USE enum res distill_tapes(const struct distill_options *o, const struct distill_tape *in,
                                uint32_t n, struct arena *a, struct distill_tape *out,
                                uint32_t *n_out, struct err *e);
/* Run the tape and fill its cells (in `a`; NULL: taken from there). */
MUST_USE enum res distill_measure(const struct target *t, struct distill_tape *x, struct arena *a,
                                  struct err *e);
uint32_t distill_count(const unsigned char *cells);
/* Cells of `more` are added to `all`. */
void distill_add(unsigned char *all, const unsigned char *more);

#endif

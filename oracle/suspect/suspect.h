/* oracle/suspect/suspect.h -- a device that is taken to have a fault: what it may give besides what is right. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/interp/exec.h"

enum {
    SUSPECT_MAX_CHOICES = 4,  /* values that a fault gives at a site, of known operands */
    SUSPECT_MAX_OPERANDS = 4, /* values of operands that nobody observed, tried one by one */
    SUSPECT_MAX_VALUES = SUSPECT_MAX_CHOICES * SUSPECT_MAX_OPERANDS
};

struct suspicion;
/* What a fault adds at one site, kept with the value that it widens. */
struct further {
    const struct suspicion *of;
    bool is_open; /* anything, and so no `bits` */
    uint32_t n;
    uint64_t bits[SUSPECT_MAX_VALUES];
    struct val right; /* what is permitted without it; perhaps widened by another suspicion */
};

/* The fault that a device is taken to have, and how well that agrees with what was observed. */
struct suspicion {
    struct fault_plan plan; /* `everywhere` and `conditions` are not looked at */
    uint32_t n_sites;       /* values that the fault could have changed */
    uint32_t n_taken; /* of these, observed as the fault has them, which nothing else permits */
    uint32_t n_kept;  /* of these, observed as they must be: the fault did not act there */
    struct suspicion *next; /* of another fault that it is taken to have as well; NULL: none */
};

/* Let v, a float of format fmt or (fmt -1) a truth value, also be what the fault of s gives: n values of `bits`. A
 * value that may be anything stays as it is. Returns v or a new entry of the pool. */
struct val suspect_widen(const struct suspicion *s, struct exec *x, struct val v, int fmt,
                         const uint64_t *bits, uint32_t n);
/* Let v be anything: the fault of s leaves it open. */
struct val suspect_open(const struct suspicion *s, struct exec *x, struct val v);
/* v without what any suspicion added. */
struct val suspect_get_right(const struct exec *x, struct val v);
/* Count an observed value of v, if that was widened, for each suspicion of the chain: is it one of its further ones
 * alone? */
void suspect_count(struct suspicion *s, const struct exec *x, struct val v, uint64_t got);
/* Nothing is counted yet. */
static inline void suspect_reset(struct suspicion *s)
{
    for (; s; s = s->next) {
        s->n_sites = s->n_taken = s->n_kept = 0;
    }
}

/* oracle/suspect/suspect.h -- a device that is taken to have a fault: what it may give besides what is right. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/interp/exec.h"

enum {
    SUSPECT_MAX_CHOICES = 4,  /* values that a fault gives at a site, of known operands */
    SUSPECT_MAX_OPERANDS = 8, /* values of operands that nobody observed, tried one by one */
    SUSPECT_MAX_VALUES = SUSPECT_MAX_CHOICES * SUSPECT_MAX_OPERANDS,
    SUSPECT_OPEN_BITS = 32 /* what it is worth that a value is left open */
};

struct suspicion;
/* What an instruction gave to any invocation, each value once. */
struct suspect_others {
    uint32_t n, cap;
    uint64_t *bits;
};
/* What a fault adds at one site, kept with the value that it widens. */
struct further {
    const struct suspicion *of;
    bool is_open;    /* anything, and so no `bits` */
    uint8_t fmt;     /* enum fmt_id of the bits, where radius is not 0: */
    uint32_t radius; /* any number that is so many encodings away from one of them, too */
    uint32_t n;
    uint64_t bits[SUSPECT_MAX_VALUES];
    const struct suspect_others *others; /* any of these as well; NULL: none */
    struct val right; /* what is permitted without it; perhaps widened by another suspicion */
};

struct suspect_group;   /* oracle/suspect/suspect_group.h */
struct suspect_memo;    /* oracle/suspect/suspect_memo.h */
struct suspect_note;    /* oracle/suspect/suspect_note.h */
struct suspect_access;  /* oracle/judge/judge_suspect.h */
struct suspect_refused; /* oracle/suspect/suspect_group.h */

/* The fault that a device is taken to have, and how well that agrees with what was observed. */
struct suspicion {
    struct fault_plan plan; /* `everywhere` and `conditions` are not looked at */
    uint32_t n_sites;       /* values that the fault could have changed */
    uint32_t n_taken; /* of these, observed as the fault has them, which nothing else permits */
    uint32_t n_kept;  /* of these, observed as they must be: the fault did not act there */
    struct suspect_memo
        *memo;              /* exact results, as of an earlier judgement of the case; NULL: none */
    struct suspicion *next; /* of another fault that it is taken to have as well; NULL: none */
    uint32_t
        n_free; /* bits of what it leaves open at those taken: who it happens to, what else it takes in */
    /* The judge's: */
    struct suspect_note **notes; /* per id of the module, the newest first */
    struct suspect_group *groups;
    /* Of a fault whose participants have one unknown value in common (fault_is_group_open): where what they got does not go
     * together, as the first interpretation found. */
    struct suspect_refused *refused;
    struct suspect_access
        *accesses; /* by atomics that the fault is about, in the order of events */
    uint32_t n_accesses, cap_accesses;
    /* Of a fault that gives what others have (fault_bug_takes_others), per id of the module; they are found by the first
     * interpretation of the case, which is then done again. */
    struct suspect_others *others;
    bool is_settled, has_others;
    bool is_hit; /* something was found where its writes go astray */
    /* May the reduction give these bits? */
    int (*allows_sum)(void *judge, struct reduction_case *r, uint64_t bits);
    void *judge;
};

/* Is it one of the values that the fault may give? */
bool further_has(const struct further *further, uint64_t got);
/* Those of n values that are not permitted of v anyway, as far as there is room. */
void suspect_take_further(const struct suspicion *s, const struct exec *x, struct val v,
                          const uint64_t *bits, uint32_t n, struct further *out);
/* A value that is permitted of v: of several numbers the first, of NaN a quiet one. */
uint64_t suspect_pick(const struct exec *x, struct val v);
/* Is `bits` among what is permitted of v without the fault? */
bool suspect_permits(const struct suspicion *s, const struct exec *x, struct val v, uint64_t bits);
/* Let v, a float of format fmt, also be what the fault gives: n values of `bits`. Of a value that has no set (fmt -1, a sum
 * over a group) they are kept beside it. A value that may be anything stays as it is. Returns v or a new
 * entry of the pool. */
struct val suspect_widen(const struct suspicion *s, struct exec *x, struct val v, int fmt,
                         const uint64_t *bits, uint32_t n);
/* The same where the fault gives any number up to `radius` encodings of format `of` away from one of them; radius 0: those alone. */
struct val suspect_widen_around(const struct suspicion *s, struct exec *x, struct val v, int fmt,
                                enum fmt_id of, uint32_t radius, const uint64_t *bits, uint32_t n);
/* The same where the fault also gives any of the others' values. */
struct val suspect_widen_by_others(const struct suspicion *s, struct exec *x, struct val v, int fmt,
                                   const struct suspect_others *others, const uint64_t *bits,
                                   uint32_t n);
/* Bits that a choice among n leaves open. */
static inline uint32_t suspect_count_bits(uint32_t n)
{
    uint32_t n_bits = 0;
    for (; n > 1; n /= 2) {
        n_bits++;
    }
    return n_bits;
}
/* Let v be anything: the fault of s leaves it open. */
struct val suspect_open(const struct suspicion *s, struct exec *x, struct val v);
/* v without what any suspicion added. */
struct val suspect_get_right(const struct exec *x, struct val v);
/* Count an observed value of v, if that was widened, for each suspicion of the chain: is it one of its further ones
 * alone? true: of any. */
bool suspect_count(struct suspicion *s, const struct exec *x, struct val v, uint64_t got);
/* Is `got` within the set of v only because values that the fault gives lie on both sides of it? */
bool suspect_is_between(const struct suspicion *s, const struct exec *x, struct val v,
                        uint64_t got);
/* Nothing is counted or noted yet by any of the chain; the notes are of a module of so many ids. false: the arena is full. */
bool suspect_reset(struct suspicion *s, uint32_t n_ids, struct arena *a);

/* oracle/explain/hypothesis.h -- a device that is taken to have a fault: what it may give besides what is right. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/interp/exec.h"

enum {
    HYPOTHESIS_MAX_CHOICES = 4,  /* values that a fault gives at a site, of known operands */
    HYPOTHESIS_MAX_OPERANDS = 8, /* values of operands that nobody observed, tried one by one */
    HYPOTHESIS_MAX_VALUES = HYPOTHESIS_MAX_CHOICES * HYPOTHESIS_MAX_OPERANDS,
    HYPOTHESIS_OPEN_BITS = 32 /* what it is worth that a value is left open */
};

struct hypothesis;
/* What an instruction gave to any invocation, each value once. */
struct hypothesis_others {
    uint32_t n, cap;
    uint64_t *bits;
};
/* What a fault adds at one site, kept with the value that it widens. */
struct added {
    const struct hypothesis *of;
    bool is_open;    /* anything, and so no `bits` */
    uint8_t fmt;     /* enum fmt_id of the bits, where radius is not 0: */
    uint32_t radius; /* any number that is so many encodings away from one of them, too */
    uint32_t n;
    uint64_t bits[HYPOTHESIS_MAX_VALUES];
    const struct hypothesis_others *others; /* any of these as well; NULL: none */
    struct val right; /* what is permitted without it; perhaps widened by another hypothesis */
};

struct explain_group;   /* oracle/explain/explain_group.h */
struct explain_memo;    /* oracle/explain/explain_memo.h */
struct explain_note;    /* oracle/explain/explain_note.h */
struct explain_access;  /* oracle/explain/explain_atomics.h */
struct explain_refused; /* oracle/explain/explain_group.h */

/* The fault that a device is taken to have, and how well that agrees with what was observed. */
struct hypothesis {
    struct fault_plan plan;    /* `everywhere` and `conditions` are not looked at */
    struct explain_memo *memo; /* exact results of an earlier judgement of the case; NULL: none */
    struct hypothesis
        *next; /* of another fault that the device is taken to have as well; NULL: none */
    /* Results of explain_run. */
    uint32_t n_sites; /* values that the fault could have changed */
    uint32_t n_taken; /* of these, observed as the fault has them, which nothing else permits */
    uint32_t n_kept;  /* of these, observed as they must be: the fault did not act there */
    uint32_t
        n_free; /* bits that it leaves open at those taken: who is affected, which value of several */
    /* State of the run. */
    struct explain_note **notes; /* per id of the module, the newest first */
    struct explain_group *groups;
    /* Of a fault whose participants have one unknown value in common (fault_is_group_open): where what they got does not go
     * together, as the first interpretation found. */
    struct explain_refused *refused;
    struct explain_access
        *accesses; /* by atomics that the fault is about, in the order of events */
    uint32_t n_accesses, cap_accesses;
    /* Of a fault that gives what others have (fault_bug_takes_others), per id of the module; the first interpretation of the
     * case finds them, and the case is interpreted again. */
    struct hypothesis_others *others;
    bool is_settled, has_others;
    bool is_hit; /* something was found where its writes go astray */
};

/* Is it one of the values that the fault may give? */
bool added_has(const struct added *added, uint64_t got);
/* Those of n values that are not permitted of v anyway, as far as there is room. */
void hypothesis_list_added(const struct hypothesis *s, const struct exec *x, struct val v,
                           const uint64_t *bits, uint32_t n, struct added *out);
/* A value that is permitted of v: of several numbers the first, of NaN a quiet one. */
uint64_t hypothesis_pick(const struct exec *x, struct val v);
/* Is `bits` among what is permitted of v without the fault? */
bool hypothesis_permits(const struct exec *x, struct val v, uint64_t bits);
/* Let v, a float of format fmt, also be what the fault gives: n values of `bits`. Of a value that has no set (fmt -1, a sum
 * over a group) they are kept beside it. A value that may be anything stays as it is. Returns v or a new
 * entry of the pool. */
struct val hypothesis_widen(const struct hypothesis *s, struct exec *x, struct val v, int fmt,
                            const uint64_t *bits, uint32_t n);
/* The same where the fault gives any number up to `radius` encodings of format `of` away from one of them; radius 0: those alone. */
struct val hypothesis_widen_around(const struct hypothesis *s, struct exec *x, struct val v,
                                   int fmt, enum fmt_id of, uint32_t radius, const uint64_t *bits,
                                   uint32_t n);
/* The same where the fault also gives any of the others' values. */
struct val hypothesis_widen_by_others(const struct hypothesis *s, struct exec *x, struct val v,
                                      int fmt, const struct hypothesis_others *others,
                                      const uint64_t *bits, uint32_t n);
/* Bits that a choice among n leaves open. */
static inline uint32_t hypothesis_count_bits(uint32_t n)
{
    uint32_t n_bits = 0;
    for (; n > 1; n /= 2) {
        n_bits++;
    }
    return n_bits;
}
/* Let v be anything: the fault of s leaves it open. */
struct val hypothesis_free(const struct hypothesis *s, struct exec *x, struct val v);
/* v without what any hypothesis added. */
struct val hypothesis_get_right(const struct exec *x, struct val v);
/* Count an observed value of v, if that was widened, for each hypothesis of the chain: is it one of the added values
 * alone? true: of any. */
bool hypothesis_count(struct hypothesis *s, const struct exec *x, struct val v, uint64_t got);
/* Is `got` within the set of v only because values that the fault gives lie on both sides of it? */
bool hypothesis_is_between(const struct exec *x, struct val v, uint64_t got);
/* Nothing is counted or noted yet by any of the chain. */
void hypothesis_clear(struct hypothesis *s);
/* The same, before an interpretation of the case; the notes are of a module of so many ids. false: the arena is full. */
bool hypothesis_reset(struct hypothesis *s, uint32_t n_ids, struct arena *a);

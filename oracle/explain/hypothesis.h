/* oracle/explain/hypothesis.h -- a hypothesis: the device has a certain fault. What the fault gives is added to the
 * permitted values, and each observed value is counted for or against the hypothesis.
 *
 * A widened value (struct abstract) keeps what was added (struct added) and the right value beside its set. n_free
 * counts bits that the hypothesis does not determine, such as which of several values was given: a hypothesis that
 * leaves more open explains less. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/interp/exec.h"

enum {
    HYPOTHESIS_MAX_CHOICES = 4,  /* values that a fault gives at a site, of known operands */
    HYPOTHESIS_MAX_OPERANDS = 8, /* possible values of an operand, tried one by one */
    HYPOTHESIS_MAX_VALUES = HYPOTHESIS_MAX_CHOICES * HYPOTHESIS_MAX_OPERANDS,
    HYPOTHESIS_OPEN_BITS = 32 /* bits that count as undetermined where a value may be anything */
};

struct hypothesis;
/* The values that an instruction gave to all invocations, each value once. */
struct hypothesis_others {
    uint32_t n, cap;
    uint64_t *bits;
};
/* What a fault adds at one site, kept with the value that it widens. */
struct added {
    const struct hypothesis *of;
    bool is_open;    /* the fault may give anything; `bits` is empty */
    uint8_t fmt;     /* enum fmt_id of `bits`, if radius is not 0 */
    uint32_t radius; /* also any number at most so many encodings away from one of `bits` */
    uint32_t n;
    uint64_t bits[HYPOTHESIS_MAX_VALUES];
    const struct hypothesis_others *others; /* also any of these; NULL: none */
    struct val right; /* the value without this addition; another hypothesis may have widened it */
};

struct explain_group;   /* oracle/explain/explain_group.h */
struct explain_memo;    /* oracle/explain/explain_memo.h */
struct explain_note;    /* oracle/explain/explain_note.h */
struct explain_access;  /* oracle/explain/explain_atomics.h */
struct explain_refused; /* oracle/explain/explain_group.h */

/* A fault that a device is taken to have, and how well that agrees with what was observed. */
struct hypothesis {
    struct fault_plan plan;    /* `everywhere` and `conditions` are not looked at */
    struct explain_memo *memo; /* exact results of an earlier judgement of the case; NULL: none */
    struct hypothesis *next;   /* of another fault that the device has as well; NULL: none */
    /* Results of explain_run. */
    uint32_t n_sites; /* observed values that the fault could have changed */
    uint32_t
        n_taken; /* of these, values that the fault gives and the specifications do not permit */
    uint32_t n_kept; /* of these, right values: the fault did not act there */
    uint32_t n_free; /* bits of the values taken that the fault does not determine */
    /* State of the run. */
    struct explain_note **notes; /* per id of the module: a list, the newest first */
    struct explain_group
        *groups; /* instances of group instructions that the fault fits, the newest first */
    /* Of a fault whose participants share one unknown value (fault_is_group_open): instances in which the observed
     * values contradict each other, as the first interpretation has found. */
    struct explain_refused *refused;
    struct explain_access
        *accesses; /* by atomics that the fault is about, in the order of events */
    uint32_t n_accesses, cap_accesses;
    /* Of a fault that gives the values of other invocations (fault_bug_takes_others), per id of the module: collected
     * by the first interpretation of the case, used by the second. */
    struct hypothesis_others *others;
    bool is_settled, has_others; /* the first interpretation is over; it has collected others */
    bool is_hit;                 /* a value was observed where a stray write of the fault goes */
};

/* Is `got` one of the added values? */
bool added_has(const struct added *added, uint64_t got);
/* Takes into *out those of the n values of `bits` that are not permitted of v, as many as fit. */
void hypothesis_list_added(const struct hypothesis *s, const struct exec *x, struct val v,
                           const uint64_t *bits, uint32_t n, struct added *out);
/* One value that is permitted of v: the first number of a set, a quiet NaN if the set has no number. */
uint64_t hypothesis_pick(const struct exec *x, struct val v);
/* Is `bits` permitted of v? */
bool hypothesis_permits(const struct exec *x, struct val v, uint64_t bits);
/* Adds to v, a float of format fmt, the n values of `bits` that the fault gives; returns v or a new pool entry. A
 * value without a set (fmt -1) keeps them beside it. A float that may be anything, and a float sum over a group, stays
 * as it is. */
struct val hypothesis_widen(const struct hypothesis *s, struct exec *x, struct val v, int fmt,
                            const uint64_t *bits, uint32_t n);
/* The same for a fault that gives any number up to `radius` encodings, of the format `of`, away from one of `bits`;
 * radius 0: `bits` alone. */
struct val hypothesis_widen_around(const struct hypothesis *s, struct exec *x, struct val v,
                                   int fmt, enum fmt_id of, uint32_t radius, const uint64_t *bits,
                                   uint32_t n);
/* The same for a fault that also gives any of the others' values. */
struct val hypothesis_widen_by_others(const struct hypothesis *s, struct exec *x, struct val v,
                                      int fmt, const struct hypothesis_others *others,
                                      const uint64_t *bits, uint32_t n);
/* The number of undetermined bits of a choice among n. */
static inline uint32_t hypothesis_count_bits(uint32_t n)
{
    uint32_t n_bits = 0;
    for (; n > 1; n /= 2) {
        n_bits++;
    }
    return n_bits;
}
/* Lets v be anything: the fault of s does not determine it. */
struct val hypothesis_free(const struct hypothesis *s, struct exec *x, struct val v);
/* v without any addition. */
struct val hypothesis_get_right(const struct exec *x, struct val v);
/* Counts an observed value of v for each hypothesis of the chain that has widened v. true: the value is permitted by
 * an addition alone. */
bool hypothesis_count(struct hypothesis *s, const struct exec *x, struct val v, uint64_t got);
/* Is `got` a member of the set of v only because the set was widened on both sides of it, being neither right nor an
 * added value? */
bool hypothesis_is_between(const struct exec *x, struct val v, uint64_t got);
/* Clears the counts and notes of all hypotheses of the chain. */
void hypothesis_clear(struct hypothesis *s);
/* The same before an interpretation of the case, with room for notes on n_ids ids. false: the arena is full. */
bool hypothesis_reset(struct hypothesis *s, uint32_t n_ids, struct arena *a);

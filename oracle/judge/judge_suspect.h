/* oracle/judge/judge_suspect.h -- what the judge tells a suspicion, and asks it. */
#pragma once

#include "oracle/fault/faults_atomic.h"
#include "oracle/judge/group_site.h"
#include "oracle/judge/judge_state.h"

/* Is the run judged under a suspicion of a fault of group instructions that is about this one? */
bool judge_suspects_group(const struct group_site *s);
/* What the registers of the results hold before the instruction; NULL and x->stop: the arena is full. */
uint64_t *judge_take_stale(const struct group_site *s);
/* The instruction has put its results: what would the fault have given? */
void judge_suspect_group(const struct group_site *s, const uint64_t *stale);
/* The word at which the id `object` was stored was seen to hold what the suspicion's fault gives there,
 * or (is_permitted) what is right; counts. true: the fault explains it. */
bool judge_suspect_stored(struct judge *j, const struct invocation *inv, uint32_t object,
                          uint64_t got, bool is_permitted);

/* Of a location, by an atomic that the fault is about. */
struct suspect_access {
    uint32_t event; /* its number */
    struct place place;
    struct fault_site site; /* without what is known at the end alone */
};
/* The suspected instructions may share any location: what is in it is judged at the end. */
void judge_suspect_codes(struct judge *j);
/* Component c of an atomic, which has just become the last event, if the fault is about it. */
void judge_suspect_access(struct judge *j, const struct invocation *inv, const struct mod_inst *in,
                          struct place p, uint32_t c);
/* A cell's events have an order or (is_broken) none. Counts. *is_explained: the fault explains it. */
MUST_USE enum res judge_suspect_cell(struct judge *j, const struct cell *c,
                                     const struct mo_problem *p, bool is_broken, bool *is_explained,
                                     struct err *e);
/* Byte i of buffer b, which nothing writes, has changed: may the fault have written it? */
bool judge_suspect_byte(struct judge *j, uint32_t b, uint32_t i);

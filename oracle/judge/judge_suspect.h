/* oracle/judge/judge_suspect.h -- what the judge tells a suspicion, and asks it. */
#pragma once

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

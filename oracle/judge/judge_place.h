/* oracle/judge/judge_place.h -- a run that is judged under the suspicion of a bug of places: who may have stopped,
 * and where. The dispatch is interpreted twice: before the second time it is known how often each invocation comes to
 * each loop, and where it was last seen to do something. */
#pragma once

#include "oracle/judge/judge_state.h"

/* Nothing to do, j->places stays NULL, where no suspicion is of a bug of places. */
void judge_place_make(struct judge *j);
/* Below: only where j->places is not NULL. */
/* An attempt begins; ended without being stopped: true: it has to be done again, with what is known now. */
void judge_place_begin(struct judge *j);
bool judge_place_settle(struct judge *j);
/* Hook of runs that nobody observes: arithmetic by the rules of the case. */
int judge_place_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in);
/* Do the buffers hold the value anywhere: before the run, or after it at another place than `at`? */
bool judge_place_is_held(const struct judge *j, struct place at, uint32_t n_bytes, uint64_t got);
/* The invocation has entered a block. */
void judge_place_enter(struct judge *j, const struct invocation *inv);
/* It comes to a store of a word, which is not (is_untouched) or is seen to have been written. */
void judge_place_see(struct judge *j, const struct invocation *inv, bool is_untouched);
/* It comes to an access to a cell, which is as it was before. true: the access is perhaps missing. */
bool judge_place_access(struct judge *j, const struct cell *c, const struct invocation *inv);
/* It did not store here. true: it has stopped by a bug; counts. */
bool judge_place_explains_lost(struct judge *j, const struct invocation *inv);
bool judge_place_is_stopped(const struct judge *j, const struct invocation *inv);
bool judge_place_has_stopped(const struct judge *j); /* any of them */
/* At the end: may the private cell hold `final` because accesses are missing? Does the order of a contended cell
 * exist without some of those that may be missing (struct event), with those of further turns of a loop, or with those of
 * one behind the last in place of what the first of a group did? Counts. */
bool judge_place_explains_final(struct judge *j, const struct cell *c, uint64_t final);
MUST_USE enum res judge_place_explains_order(struct judge *j, const struct cell *c,
                                             const struct mo_problem *p, bool *is_explained,
                                             struct err *e);
/* Byte i of buffer b, which nothing writes, has changed: may a further turn of a loop have written it, or the first of a group
 * as one behind the last? Counts. */
bool judge_place_explains_byte(struct judge *j, uint32_t b, uint32_t i);
/* Bytes around buffers have changed: does such a one store outside of them? Counts. */
bool judge_place_explains_guards(struct judge *j);
/* A word is stored to a buffer. Is what was observed there what the first of a group stores as one behind the last, or
 * is it what the first of its own does not store or find here because it does so there? Counts; from then on, up to the
 * next store, is_misplaced: nothing was seen of the value. */
void judge_place_store(struct judge *j, const struct invocation *inv, const struct mod_inst *in,
                       struct place at, unsigned n_bits, struct val v);
bool judge_place_explains_value(struct judge *j, const struct observed *o);
bool judge_place_is_misplaced(const struct judge *j);

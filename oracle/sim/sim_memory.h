/* oracle/sim/sim_memory.h -- lets planted faults of plain loads and stores, and of their order around barriers,
 * act on the simulated device. It records the last store to each location and delays stores. */
#pragma once

#include "oracle/sim/sim_state.h"

/* Allocates what such faults record, if one is planted. false: the arena is full. */
bool sim_memory_make(struct sim *s, struct arena *a);
/* A run begins; one without the fault has ended: which objects are shared is known from then on. */
void sim_memory_begin(struct sim *s);
void sim_memory_end(struct sim *s); /* delayed stores happen */
void sim_memory_settle(struct sim *s);
/* The invocation stores `bits` at p; loads from there, where *bits is what an honest device gives. Always 1, or 0 and x.stop:
 * the arena is full. */
int sim_memory_store(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                     struct location p, unsigned n_bits, uint64_t bits);
int sim_memory_load(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                    struct location p, unsigned n_bits, uint64_t *bits);
/* The scalars of a whole struct are stored next, which begins at p. */
void sim_memory_see_whole(struct sim *s, struct location p);
/* An atomic comes to p. */
void sim_memory_see_atomic(struct sim *s, struct location p);
/* An access of *n_slots scalars to an array of the function, as of the hook `own`. */
bool sim_memory_own(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                    uint32_t *n_slots, struct location *p);

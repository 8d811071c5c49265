/* oracle/sim/sim_place.h -- bugs of places in a program on the simulated device. */
#pragma once

#include "oracle/sim/sim_state.h"

/* s->places stays NULL where no plan is of such a bug. false: the arena is full. */
bool sim_place_make(struct sim *s, struct arena *a);
/* Below: nothing happens where s->places is NULL. A run begins; ended without a fault: how often each invocation
 * comes to each loop is known from now on. */
void sim_place_begin(struct sim *s);
void sim_place_settle(struct sim *s);
/* The invocation has entered a block: perhaps it stops here. */
void sim_place_enter(struct sim *s, const struct invocation *inv);
/* Where it goes from a branch or switch that is to go to `label`. */
uint32_t sim_place_way(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                       uint32_t label);
/* Does it do nothing more? */
bool sim_place_is_stopped(const struct sim *s, const struct invocation *inv);

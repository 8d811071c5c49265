/* oracle/vouch/vouch_idle.h -- finds the registers of a module that are irrelevant to the state of a path: no
 * address or branch depends on them, or they are used in one block only. The search goes backward from addresses
 * and branches to a fixed point. */
#pragma once

#include "oracle/interp/module.h"

/* By register of an invocation, is it nothing that an address or a branch beyond
 * its own block comes of? n_regs of them; NULL: the arena is full. */
unsigned char *vouch_find_idle(const struct module *m, struct arena *a);

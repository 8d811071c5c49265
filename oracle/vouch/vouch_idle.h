/* oracle/vouch/vouch_idle.h -- registers that say nothing of where a program goes and what it touches. */
#pragma once

#include "oracle/interp/module.h"

/* By register of an invocation, is it nothing that an address or a branch beyond
 * its own block comes of? n_regs of them; NULL: the arena is full. */
unsigned char *vouch_find_idle(const struct module *m, struct arena *a);

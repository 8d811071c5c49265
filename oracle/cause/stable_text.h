/* oracle/cause/stable_text.h -- removes from a driver's text what differs from run to run: numbers, addresses and
 * names made of them. */
#pragma once

#include "base/base.h"

/* Numbers, addresses and names made of them become "#". has_places: source locations stay, "+0x12a0" or ":0x12a0" after a
 * module, ":12" after a file's name. At most n_most bytes of it. */
const char *stable_text(const char *text, bool has_places, size_t n_most, struct arena *a);

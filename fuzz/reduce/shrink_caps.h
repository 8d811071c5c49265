/* fuzz/reduce/shrink_caps.h -- capabilities, extensions and needs that a module still has. */
#pragma once

#include "fuzz/reduce/shrink_module.h"

/* Capabilities and extensions that nothing needs die. */
void shrink_caps_sweep(struct shrink_module *m);
/* The needs of tc that its module (which is m) or its dispatch still has. */
struct needs shrink_caps_find_needs(const struct shrink_module *m, const struct testcase *tc);

/* gen/illegal/illegal_edit.h -- computes, from the words of a legal module and a rule, the module that breaks that
 * rule alone: declarations that the change needs are collected, then all is written in order. At most 64 words of
 * the changed instruction. */
#pragma once

#include "gen/illegal/illegal.h"

enum illegal_step {
    ILLEGAL_PREPARED, /* what the change needs is declared, and nothing is broken */
    ILLEGAL_BROKEN
};
/* The module that breaks the rule, made of the legal one in `a`; NULL: the arena is full, or the module has not
 * what the change is about. */
const uint32_t *illegal_make(const struct illegal_rule *rule, enum illegal_step step,
                             const uint32_t *words, uint32_t n_words, struct arena *a,
                             uint32_t *n_out);

/* fuzz/reduce/shrink_grammar.h -- what the words of an instruction are. */
#pragma once

#include "base/spv.h"

/* What a word of an instruction is. */
enum shrink_role {
    ROLE_LITERAL,
    ROLE_RESULT,
    ROLE_VALUE, /* an id that a pass may replace by another of its type */
    ROLE_LABEL,
    ROLE_FIXED, /* an id that has to stay: a type, a function, a set, the length of an array */
    ROLE_SCOPE,
    ROLE_SEMANTICS,
    ROLE_TARGET /* an id that is spoken of and not used: of a decoration, a mode, the interface */
};

/* Roles of the n words w, to role. 0: not known, or of the wrong length. */
int shrink_grammar_find_roles(const uint32_t *w, uint32_t n, uint8_t *role);
int shrink_grammar_is_debug(uint32_t op); /* names and lines */
int shrink_grammar_is_terminator(uint32_t op);
int shrink_grammar_is_atomic(uint32_t op);
/* A group instruction of the core. */
int shrink_grammar_is_group(uint32_t op);
int shrink_grammar_is_type(uint32_t op);
int shrink_grammar_is_constant(uint32_t op); /* OpUndef is none */

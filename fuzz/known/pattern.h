/* fuzz/known/pattern.h -- what stands where in a module, as a line of text that a module has or lacks. */
#pragma once

#include "base/testcase.h"

/* A pattern is a list of links with ';' between; a module has it when it has each of them behind the one before,
 * in the order of its words. The header of a loop stands in it. A link is words with blanks between:
 *   a number    that many such instructions
 *   constructs  loop, branch, switch, continue, function: those that the instruction stands in, the outer first,
 *               others may lie between; a function is one that is called. Behind '!': that it does not stand in
 *   instruction its name without Op, or that of one of an extended set; 'Atomic*': any that begins like it, '*': any;
 *               with '|' between: any of these
 *   traits      of that instruction, see pattern_traits in pattern.c: type and components of its result or of
 *               what it stores; storage class of its pointer; group operation; loop control; and others
 * "branch ControlBarrier; loop GroupNonUniformShuffle f64" */
enum {
    PATTERN_MAX_LINKS = 8,
    PATTERN_MAX_CONSTRUCTS = 4
};
struct pattern_link {
    uint8_t inside[PATTERN_MAX_CONSTRUCTS]; /* enum construct_kind, the outer first */
    unsigned n_inside, outside;             /* outside: bit per kind */
    const char *name;                       /* as it is written */
    unsigned traits;                        /* bits of pattern_traits */
    unsigned n_times;                       /* at least 1 */
};
struct pattern {
    struct pattern_link link[PATTERN_MAX_LINKS];
    unsigned n;
};
/* The pattern of a text, whose words are kept in `a`. RES_FORMAT: a word is unknown, or there are too many. */
MUST_USE enum res pattern_parse(struct pattern *p, const char *text, struct arena *a,
                                struct err *e);
/* A module as the list of its instructions that patterns are found in. NULL: the arena is full, or the words
 * are broken. */
struct pattern_module;
const struct pattern_module *pattern_read(const uint32_t *words, uint32_t n_words, struct arena *a);
/* The link that is not found, from 0; p->n: the module has the pattern. */
unsigned pattern_find(const struct pattern *p, const struct pattern_module *m);

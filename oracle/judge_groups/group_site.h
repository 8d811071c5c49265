/* oracle/judge_groups/group_site.h -- one dynamic instance of a group instruction while it is judged: what the words
 * of the instruction say, who takes part, and the operands of the participants, read from their registers.
 * oracle/group computes from the call (struct group_call) what each participant may get. */
#pragma once

#include "oracle/group/group_call.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_groups/subgroup.h"

struct group_site {
    struct judge *j;
    struct invocation *inv; /* [n_items] of the work-group */
    uint32_t n_items;
    const struct mod_inst *in;
    struct group_words w;                /* at which words of `in` its operands stand */
    struct group_call c;                 /* the call as oracle/group sees it */
    struct participants p;               /* who takes part */
    uint64_t *value, *second, *other;    /* operands by participant: c.value, c.second, c.other */
    unsigned char *known, *known_second; /* c.known, c.known_second */
};

/* Fills in s->w and s->c from the words of the instruction. 0 and x->stop: the instruction is not interpreted. */
int group_site_describe(struct group_site *s);
/* Makes room for n participants. 0 and x->stop: the arena is full. */
int group_site_allocate(struct group_site *s, uint32_t n);
/* Reads the operands of all participants (s->p) from their registers. 0 and x->stop: an operand is missing. */
int group_site_gather(struct group_site *s);
/* The registers of participant i's result. */
struct val *judge_group_result(const struct group_site *s, uint32_t i);

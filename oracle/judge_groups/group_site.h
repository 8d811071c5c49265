/* oracle/judge_groups/group_site.h -- one dynamic instance of a group instruction in the making: what the
 * instruction says, and the operands of those who take part. */
#pragma once

#include "oracle/group/group_call.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_groups/subgroup.h"

/* One dynamic instance in the making. */
struct group_site {
    struct judge *j;
    struct invocation *inv;
    uint32_t n_items; /* of the work-group */
    const struct mod_inst *in;
    struct group_words w;
    struct group_call c;
    struct participants p;
    uint64_t *value, *second, *other;
    unsigned char *known, *known_second;
};

/* What the instruction says by itself. 0 and x->stop where it is not interpreted. */
int group_site_describe(struct group_site *s);
/* Room for n participants. 0 and x->stop when the arena is full. */
int group_site_allocate(struct group_site *s, uint32_t n);
/* Operands of all participants, from their registers. 0 and x->stop where there are none. */
int group_site_gather(struct group_site *s);
/* Registers of participant i's result. */
struct val *judge_group_result(const struct group_site *s, uint32_t i);

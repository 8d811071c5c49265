/* gen/plan/group_pick.h -- picks the group operation that comes next, by the tape and by what may stand here:
 * instruction, type, scope, operation. */
#pragma once

#include "gen/ir/legal_group.h"
#include "gen/tape/tape.h"

struct build;

/* The group operation that stands next. */
struct group_choice {
    enum op_id op;
    enum legal_gate gate;
    enum ir_type type;
    uint32_t scope, operation, cluster, n;
};

/* May some group operation stand here? May some stand in an arm that not all take? */
bool groups_may_stand(const struct build *b);
bool groups_may_be_partial(const struct build *b);
bool group_is_product(enum op_id op);
bool group_is_float_sum(const struct group_choice *c); /* or product */
/* Which one stands next; false if none may stand here. */
bool group_pick(struct build *b, struct tape *t, struct group_choice *out);
/* `choice` picks one of the instructions that the case has: reductions and scans of the core, AMD's instructions, its set. Half
 * are of vectors where these are legal. false: the case has none. */
bool group_pick_amd(const struct build *b, uint64_t choice, struct group_choice *out);

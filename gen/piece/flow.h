/* gen/piece/flow.h -- puts program fragments of control flow: switches, loops with ways out, functions, retries,
 * groups that leave. Every loop has a count that bounds it whatever the data are. */
#pragma once

#include "gen/tape/tape.h"

struct build;

/* Each puts what its row of piece.def says, of the decisions and children of t. */
void piece_switch_put(struct build *b, struct tape *t);
void piece_turns_put(struct build *b, struct tape *t);
void piece_nest_put(struct build *b, struct tape *t);
void piece_long_loop_put(struct build *b, struct tape *t);
void piece_retry_put(struct build *b, struct tape *t);
void piece_group_leaves_put(struct build *b, struct tape *t);
void piece_pointer_call_put(struct build *b, struct tape *t);
void piece_independent_put(struct build *b, struct tape *t);

/* gen/mutate/mutate_record.h -- computes another value for one decision of a tape, by what the generator said it is
 * good for. */
#pragma once

#include "gen/mutate/mutate_tree.h"

/* For one decision of that role; for an input, other bits; a small step of any decision. */
bool mutate_role(struct mutant *m, enum tape_role role);
mutation_make mutate_constant, mutate_digit;

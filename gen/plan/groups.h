/* gen/plan/groups.h -- puts statements of group operations: a ballot that tells who is here, the operation, its
 * result. */
#pragma once

#include "gen/tape/tape.h"

struct build;

/* The built-ins and their probes. */
void groups_put_prologue(struct build *b);
void groups_put(struct build *b, struct tape *t);
/* At the end of a case with the extension SPV_AMD_shader_ballot, where all of the work-group come: operations that it brings,
 * each with each type and operation as often as the others. */
void groups_put_amd(struct build *b);

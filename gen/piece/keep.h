/* gen/piece/keep.h -- puts program fragments whose values are kept for long: in an array of the function, in up to
 * 192 registers, across barriers. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void piece_scratch_put(struct build *b, struct tape *t);
void piece_flags_put(struct build *b, struct tape *t);
void piece_pressure_put(struct build *b, struct tape *t);
void piece_across_put(struct build *b, struct tape *t);

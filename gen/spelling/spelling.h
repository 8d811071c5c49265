/* gen/spelling/spelling.h -- chooses, by the tape, other words for what a program does anyway: accesses as copies,
 * null constants. */
#pragma once

#include "gen/ir/ir.h"
#include "gen/tape/tape.h"

/* Chooses how plain accesses of the entry point are written (enum ir_spelling), by the next two decisions of t: zeros
 * choose the plain form. The program does the same. Returns how many are written in another way. */
uint32_t spelling_choose(struct ir_program *p, struct tape *t);
/* Chooses how zeros and vectors of constants are written, by the next decision of t: a zero chooses the plain form. */
void spelling_choose_constants(struct ir_program *p, struct tape *t);

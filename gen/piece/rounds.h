/* gen/piece/rounds.h -- puts a program fragment as ciphers and hashes are: words that go through rounds of
 * additions, xors and rotations, so many as the interpreter does in time. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void piece_rounds_put(struct build *b, struct tape *t);

/* gen/piece/rounds.h -- a piece as ciphers and hashes are: words that go through rounds of additions, xors and rotations. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void piece_rounds_put(struct build *b, struct tape *t);
